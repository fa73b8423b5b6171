// SPDX-License-Identifier: GPL-2.0-only
/*
 * Births, see birth.h.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/pid.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "birth.h"
#include "compat.h"
#include "target.h"

/*
 * A group has the same names also if the parent opened none since its exec. If
 * there is no memory for that, the child is on its own when it opens the first.
 */
static void share_names(struct pxt_target *child, struct pxt_target *parent)
{
	struct pxt_names *old = NULL, *fresh = NULL;

	if (READ_ONCE(parent->sinks.new_image))
		fresh = pxt_names_create_in_probe(&parent->provisions);
	scoped_guard(raw_spinlock_irqsave, &parent->sinks.lock) {
		if (fresh && parent->sinks.new_image) {
			old = pxt_target_replace_names(parent, fresh);
			fresh = NULL;
		}
		/* It is traced, so it has names. */
		rcu_assign_pointer(child->names,
				   pxt_names_get(pxt_target_names(parent)));
		child->sinks.new_image = parent->sinks.new_image;
	}
	pxt_names_put(old);
	pxt_names_put(fresh);
}

static void copy_names(struct pxt_target *child, struct pxt_target *parent)
{
	struct pxt_names *names = NULL;

	scoped_guard(raw_spinlock_irqsave, &parent->sinks.lock)
		if (pxt_target_names(parent) && !parent->sinks.new_image)
			names = pxt_names_get(pxt_target_names(parent));
	if (!names)
		return;
	rcu_assign_pointer(child->names,
			   pxt_names_copy(names, &parent->provisions));
	pxt_names_put(names);
}

/* A child that runs in the memory of its parent sees the same gate. */
static void share_gate(struct pxt_target *child, struct pxt_target *parent)
{
	struct pxt_gate *gate;

	guard(raw_spinlock_irqsave)(&parent->sinks.lock);
	gate = parent->sinks.gate.gate;
	if (gate) {
		pxt_gate_join(gate, &child->sinks.gate);
	} else {
		child->shares_memory = true;
		parent->shares_memory = true;
	}
}

/* Nobody else uses @child yet: see pxt_target_create_child(). */
static void inherit(struct pxt_target *child, struct pxt_target *parent,
		    bool same_memory)
{
	struct pxt_links links;

	if (same_memory)
		share_gate(child, parent);
	pxt_links_take(&links, &parent->sinks, &parent->provisions);
	if (pxt_sinks_inherit(&child->sinks, &parent->sinks, &links))
		share_names(child, parent);
	else
		copy_names(child, parent);
	pxt_links_give_back(&links, &parent->provisions);
}

/* It does that itself, before its first instruction in user space. */
static void provide_child(struct pxt_target *child, struct pxt_target *parent,
			  struct task_struct *task)
{
	WRITE_ONCE(child->provisions.streams,
		   READ_ONCE(parent->provisions.streams));
	pxt_provisions_refill_by(&child->provisions, task, 1,
				 &parent->provisions);
}

static void make_child(struct pxt_target *parent, struct task_struct *task,
		       bool same_memory)
{
	struct pxt_target *child;

	child = pxt_target_create_child(parent, task_tgid(task));
	if (!child) {
		pxt_sinks_missed_child(&parent->sinks);
		pr_warn_ratelimited("no memory: process %d is not followed\n",
				    task_tgid_nr(task));
		return;
	}
	inherit(child, parent, same_memory);
	provide_child(child, parent, task);
	pxt_target_put(child);
}

static noinline void record_fork(struct pxt_target *target,
				 struct task_struct *parent,
				 struct task_struct *child)
{
	struct posixtrace_fork data = {};
	struct pxt_pids pids = {
		.pid = task_tgid(child),
		.tid = task_pid(child),
	};
	struct pxt_event ev __uninitialized;

	pxt_event_init(&ev, POSIXTRACE_EV_FORK, parent, &data, sizeof(data));
	ev.pids = &pids;
	pxt_sinks_record(&target->sinks, &ev);
}

/**
 * pxt_birth() - a process or a thread was made
 * @parent: the current task
 * @child: the new task, which has not run yet
 *
 * A process made by a target is one: it has the names of its parent, its gate
 * if they share their memory, and the streams that are inherited.
 *
 * Context: probe.
 */
void pxt_birth(struct task_struct *parent, struct task_struct *child)
{
	struct pxt_target *target;

	guard(rcu)();
	target = pxt_target_of(parent);
	if (!target)
		return;
	if (!same_thread_group(parent, child))
		make_child(target, child, parent->mm == child->mm);
	pxt_provisions_refill_by(&target->provisions, parent,
				 READ_ONCE(parent->signal->nr_threads),
				 &target->provisions);
	if (pxt_sinks_want(&target->sinks, POSIXTRACE_EV_FORK))
		record_fork(target, parent, child);
}
