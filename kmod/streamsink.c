// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stream as sink, see streamsink.h. Called in probes.
 */
#include <linux/bits.h>
#include <linux/file.h>
#include <linux/irq_work.h>
#include <linux/minmax.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/wait.h>

#include "compat.h"
#include "priv.h"
#include "recstatus.h"
#include "stream.h"
#include "streamsink.h"

static struct pxt_stream *sink_to_stream(struct pxt_sink *sink)
{
	return container_of(sink, struct pxt_stream, sink);
}

static bool is_kernel_event(u32 id)
{
	return id >= POSIXTRACE_EV_KERNEL && id < POSIXTRACE_EV_USER;
}

static bool is_syscall(u32 id)
{
	return id == POSIXTRACE_EV_SYSCALL_ENTER ||
	       id == POSIXTRACE_EV_SYSCALL_EXIT;
}

static bool wants_kernel_event(const struct pxt_stream *stream,
			       const struct pxt_event *ev)
{
	if (!pxt_event_set_has(&stream->attr.kernel_events,
			       ev->record.event_id))
		return false;
	return !is_syscall(ev->record.event_id) ||
	       pxt_syscalls_have(&stream->syscalls, ev->syscall);
}

/* The thread, as @ns numbers it. */
static void number(struct pxt_event *ev, struct pid_namespace *ns)
{
	struct task_struct *task = ev->task;

	ev->numbered = ns;
	if (likely(ns == &init_pid_ns)) {
		ev->record.pid = task_tgid_nr(task);
		ev->record.tid = task_pid_nr(task);
	} else {
		ev->record.pid = pid_nr_ns(task_tgid(task), ns);
		ev->record.tid = pid_nr_ns(task_pid(task), ns);
	}
}

static __always_inline void record(struct pxt_stream *stream,
				   struct pxt_event *ev)
{
	unsigned int todo = pxt_recorder_record(&stream->recorder, ev);

	if (unlikely(todo & PXT_START_FLUSH))
		pxt_flusher_kick(&stream->flusher);
	if (todo & PXT_WAKE_READERS && wq_has_sleeper(&stream->wait))
		irq_work_queue(&stream->wake);
}

/* Data that begins with pids, which have other numbers for each reader. */
static noinline void record_with_pids(struct pxt_stream *stream,
				      struct pxt_event *ev)
{
	struct pid_namespace *ns = stream->pid_ns;
	const struct pxt_pids *pids = ev->pids;
	struct pxt_event own = *ev;
	u8 data[32] __aligned(8);
	s32 *numbers = (s32 *)data;

	if (WARN_ON_ONCE(ev->record.data_size > sizeof(data)))
		return;
	memcpy(data, ev->data, ev->record.data_size);
	if (pids->known_in != ns)
		numbers[0] = pid_nr_ns(pids->pid, ns);
	if (pids->tid)
		numbers[1] = pid_nr_ns(pids->tid, ns);
	own.data = data;
	record(stream, &own);
	ev->record.timestamp = own.record.timestamp;
}

static void sink_record(struct pxt_sink *sink, struct pxt_event *ev)
{
	struct pxt_stream *stream = sink_to_stream(sink);

	if (is_kernel_event(ev->record.event_id) &&
	    !wants_kernel_event(stream, ev))
		return;
	if (ev->numbered != stream->pid_ns)
		number(ev, stream->pid_ns);
	if (ev->pids)
		record_with_pids(stream, ev);
	else
		record(stream, ev);
}

static void add_syscalls(struct pxt_syscalls *to,
			 const struct pxt_syscalls *from)
{
	int i;

	to->all |= from->all;
	for (i = 0; i < ARRAY_SIZE(to->native.bits); i++)
		to->native.bits[i] |= from->native.bits[i];
}

static void sink_wanted(struct pxt_sink *sink, struct pxt_wanted *wanted)
{
	const u64 kernel = GENMASK_ULL(POSIXTRACE_EV_USER - 1,
				       POSIXTRACE_EV_KERNEL);
	struct pxt_stream *stream = sink_to_stream(sink);
	struct posixtrace_event_set own = {};
	int i;

	pxt_recorder_wanted(&stream->recorder, &own);
	own.bits[0] &= ~kernel | stream->attr.kernel_events.bits[0];
	for (i = 0; i < ARRAY_SIZE(own.bits); i++)
		wanted->types.bits[i] |= own.bits[i];
	if (own.bits[0] & (1ULL << POSIXTRACE_EV_SYSCALL_ENTER |
			   1ULL << POSIXTRACE_EV_SYSCALL_EXIT))
		add_syscalls(&wanted->syscalls, &stream->syscalls);
	wanted->max_data = max_t(u32, wanted->max_data,
				 stream->attr.max_data_size);
}

static bool sink_may_keep(struct pxt_sink *sink, struct task_struct *task)
{
	struct pxt_stream *stream = sink_to_stream(sink);
	struct file *file = stream->owned.file;
	bool may_keep;

	/* The stream may be on its way out. */
	if (!pxt_file_tryget(file))
		return false;
	may_keep = pxt_priv_may_trace_image(file, stream->privileged, task);
	fput(file);
	return may_keep;
}

static void sink_missed_child(struct pxt_sink *sink)
{
	pxt_recorder_missed_child(&sink_to_stream(sink)->recorder);
}

static void sink_gone(struct pxt_sink *sink)
{
	pxt_recorder_target_gone(&sink_to_stream(sink)->recorder);
}

const struct pxt_sink_ops pxt_streamsink_ops = {
	.record = sink_record,
	.wanted = sink_wanted,
	.may_keep = sink_may_keep,
	.missed_child = sink_missed_child,
	.gone = sink_gone,
};
