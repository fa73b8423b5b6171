// SPDX-License-Identifier: GPL-2.0-only
/*
 * Inlets, see inlet.h.
 */
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "inlet.h"

static bool is_syscall(u32 id)
{
	return id == POSIXTRACE_EV_SYSCALL_ENTER ||
	       id == POSIXTRACE_EV_SYSCALL_EXIT;
}

static bool wants(const struct pxt_inlet *inlet, const struct pxt_event *ev)
{
	u32 id = ev->record.event_id;

	if (id < POSIXTRACE_EV_KERNEL || id >= POSIXTRACE_EV_USER)
		return true;
	if (!(inlet->kernel_events >> id & 1))
		return false;
	return !is_syscall(id) || pxt_syscalls_have(inlet->syscalls, ev->syscall);
}

/**
 * pxt_inlet_number() - tell which thread an event is of
 * @ev: the event
 * @ns: as this pid namespace numbers it
 */
void pxt_inlet_number(struct pxt_event *ev, struct pid_namespace *ns)
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

/**
 * pxt_inlet_due() - do what is due after an event
 * @inlet: the inlet
 * @todo: what pxt_recorder_record() returned
 */
noinline void pxt_inlet_due(struct pxt_inlet *inlet, unsigned int todo)
{
	if (todo & PXT_WAKE_READERS && !wq_has_sleeper(&inlet->readers))
		todo &= ~PXT_WAKE_READERS;
	if (todo)
		inlet->due(inlet, todo);
}

/* Data that begins with pids, which have other numbers for each owner. */
static noinline void record_with_pids(struct pxt_inlet *inlet,
				      struct pxt_event *ev)
{
	struct pid_namespace *ns = inlet->pid_ns;
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
	pxt_inlet_let_in(inlet, &own);
	ev->record.timestamp = own.record.timestamp;
}

/**
 * pxt_inlet_record() - an event comes
 * @inlet: the inlet
 * @ev: the event; gets what the next stream can use
 *
 * Context: any; no sleep.
 */
void pxt_inlet_record(struct pxt_inlet *inlet, struct pxt_event *ev)
{
	if (!wants(inlet, ev))
		return;
	guard(irqsave)();
	if (ev->pids)
		record_with_pids(inlet, ev);
	else
		pxt_inlet_let_in(inlet, ev);
}
