// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stream as sink, see streamsink.h. Called in probes.
 */
#include <linux/bits.h>
#include <linux/file.h>
#include <linux/irq_work.h>
#include <linux/minmax.h>

#include "compat.h"
#include "priv.h"
#include "recstatus.h"
#include "stream.h"
#include "streamsink.h"

static struct pxt_stream *sink_to_stream(struct pxt_sink *sink)
{
	return container_of(sink, struct pxt_stream, sink);
}

static void inlet_due(struct pxt_inlet *inlet, unsigned int todo)
{
	struct pxt_stream *stream = container_of(inlet, struct pxt_stream,
						 sink.inlet);

	if (todo & PXT_START_FLUSH)
		pxt_flusher_kick(&stream->flusher);
	if (todo & PXT_WAKE_READERS)
		irq_work_queue(&stream->wake);
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

static const struct pxt_sink_ops ops = {
	.wanted = sink_wanted,
	.may_keep = sink_may_keep,
	.missed_child = sink_missed_child,
	.gone = sink_gone,
};

/**
 * pxt_streamsink_init() - make the sink of a stream
 * @stream: the stream; it has all else that is constant
 */
void pxt_streamsink_init(struct pxt_stream *stream)
{
	bool inherited = stream->attr.inheritance == POSIXTRACE_INHERITED;

	pxt_sink_init(&stream->sink, &ops, inherited);
	stream->sink.inlet = (struct pxt_inlet) {
		.recorder = &stream->recorder,
		.pid_ns = stream->pid_ns,
		.kernel_events = stream->attr.kernel_events.bits[0],
		.syscalls = &stream->syscalls,
		.due = inlet_due,
	};
	init_waitqueue_head(&stream->sink.inlet.readers);
}
