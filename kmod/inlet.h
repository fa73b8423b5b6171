/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inlets: the way into a recorder, for the events of all processes that a stream
 * traces. What a trace point says is told here as the stream's owner sees it:
 * which kernel events he asked for, and what numbers processes have for him.
 */
#ifndef PXT_INLET_H
#define PXT_INLET_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "event.h"
#include "recorder.h"

struct pid_namespace;

/**
 * struct pxt_inlet - where events come into a stream
 * @recorder: where they go; constant
 * @readers: those who wait for an event
 * @pid_ns: the owner's, in which pids are told; constant
 * @kernel_events: kernel events that it asked for; constant
 * @syscalls: system calls whose events these are; constant
 * @due: what follows from an event: PXT_WAKE_READERS, if somebody waits, and
 *	PXT_START_FLUSH. Context: any; no sleep
 *
 * A part of the stream, as all that it leads to.
 */
struct pxt_inlet {
	struct pxt_recorder *recorder;
	wait_queue_head_t readers;
	struct pid_namespace *pid_ns;
	u64 kernel_events;
	const struct pxt_syscalls *syscalls;
	void (*due)(struct pxt_inlet *inlet, unsigned int todo);
};

void pxt_inlet_number(struct pxt_event *ev, struct pid_namespace *ns);
void pxt_inlet_due(struct pxt_inlet *inlet, unsigned int todo);
void pxt_inlet_record(struct pxt_inlet *inlet, struct pxt_event *ev);

/**
 * pxt_inlet_let_in() - an event comes that the owner asked for
 * @inlet: the inlet
 * @ev: the event; gets what the next stream can use
 *
 * Done for each event in each stream: what most of them need is inline. Context:
 * interrupts off.
 */
static __always_inline void pxt_inlet_let_in(struct pxt_inlet *inlet,
					     struct pxt_event *ev)
{
	struct pxt_recorder *rec = inlet->recorder;
	unsigned int todo;

	lockdep_assert_irqs_disabled();
	if (unlikely(ev->numbered != inlet->pid_ns))
		pxt_inlet_number(ev, inlet->pid_ns);
	raw_spin_lock(&rec->lock);
	todo = pxt_recorder_record_locked(rec, ev);
	raw_spin_unlock(&rec->lock);
	if (unlikely(todo))
		pxt_inlet_due(inlet, todo);
}

#endif /* PXT_INLET_H */
