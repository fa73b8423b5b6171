// SPDX-License-Identifier: GPL-2.0-only
/*
 * Targets, see target.h.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/pid.h>
#include <linux/printk.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "target.h"

/*
 * A table of fixed size: it is looked into at each system call of each process
 * while anybody traces, and changed where nothing can be allocated.
 */
static DEFINE_HASHTABLE(targets, 12);
static DEFINE_RAW_SPINLOCK(targets_lock);

static struct pxt_target *find(const struct pid *pid)
{
	struct pxt_target *target;

	hash_for_each_possible_rcu(targets, target, node, (unsigned long)pid)
		if (target->pid == pid)
			return target;
	return NULL;
}

/**
 * pxt_target_of() - the target of a task
 * @task: its process
 *
 * Context: any; RCU reader. If @task is the current one, the target remains
 * until the process has exited, so the reader section may end.
 *
 * Return: the target, without a reference, or NULL.
 */
struct pxt_target *pxt_target_of(struct task_struct *task)
{
	return find(task_tgid(task));
}

static struct pxt_target *alloc_target(struct pid *pid, gfp_t gfp)
{
	struct pxt_target *target = kzalloc(sizeof(*target), gfp);

	if (!target)
		return NULL;
	kref_init(&target->ref);
	target->pid = get_pid(pid);
	raw_spin_lock_init(&target->lock);
	INIT_LIST_HEAD(&target->sinks);
	mutex_init(&target->names);
	return target;
}

static void free_target_rcu(struct rcu_head *rcu)
{
	struct pxt_target *target = container_of(rcu, struct pxt_target, rcu);

	pxt_evtypes_put(target->types);
	put_pid(target->pid);
	kfree(target);
}

static void free_target(struct kref *ref)
{
	struct pxt_target *target = container_of(ref, struct pxt_target, ref);

	pxt_gate_leave(&target->gate);
	call_rcu(&target->rcu, free_target_rcu);
}

/**
 * pxt_target_put() - drop a reference
 * @target: the target
 *
 * Context: any; no sleep.
 */
void pxt_target_put(struct pxt_target *target)
{
	kref_put(&target->ref, free_target);
}

/*
 * Add @target to the table unless there is one already, and return the one that
 * is there, with a reference: that of the caller on @target if it is the same.
 */
static struct pxt_target *hash_target(struct pxt_target *target)
{
	struct pxt_target *old;

	guard(raw_spinlock_irqsave)(&targets_lock);
	old = find(target->pid);
	if (old && kref_get_unless_zero(&old->ref))
		return old;
	/* The table's; a process that exits takes it back at any time. */
	kref_get(&target->ref);
	hash_add_rcu(targets, &target->node, (unsigned long)target->pid);
	return target;
}

static void unhash_target(struct pxt_target *target)
{
	scoped_guard(raw_spinlock_irqsave, &targets_lock) {
		if (hlist_unhashed(&target->node))
			return;
		hlist_del_init_rcu(&target->node);
	}
	pxt_target_put(target);
}

static bool is_dead(struct pid *pid)
{
	struct task_struct *task;

	guard(rcu)();
	task = pid_task(pid, PIDTYPE_TGID);
	return !task || !atomic_read(&task->signal->live);
}

/*
 * Wait for pxt_target_forked(), if the process is just being made: the names of
 * its parent are not to be overlooked. A new task gets another state only
 * after that, by wake_up_new_task(). In between is a write to memory of the
 * parent (CLONE_PARENT_SETTID), which can make that take as long as it likes.
 */
static int wait_for_birth(struct pid *pid)
{
	struct task_struct *task;

	for (;;) {
		scoped_guard(rcu) {
			task = pid_task(pid, PIDTYPE_TGID);
			if (!task)
				return 0;
			/* Pairs with the lock taken by wake_up_new_task(). */
			if (smp_load_acquire(&task->__state) != TASK_NEW)
				return 0;
		}
		if (fatal_signal_pending(current))
			return -EINTR;
		schedule_timeout_killable(1);
	}
}

/**
 * pxt_target_get_or_create() - the target of a process
 * @pid: the process; the caller holds a reference
 *
 * Context: may sleep.
 *
 * Return: the target, with a reference; -ENOMEM; -ESRCH: the process has ended;
 * -EINTR: the caller was killed.
 */
struct pxt_target *pxt_target_get_or_create(struct pid *pid)
{
	struct pxt_target *target, *new;
	int err = wait_for_birth(pid);

	if (err)
		return ERR_PTR(err);
	scoped_guard(rcu) {
		target = find(pid);
		if (target && kref_get_unless_zero(&target->ref))
			return target;
	}
	new = alloc_target(pid, GFP_KERNEL_ACCOUNT);
	if (!new)
		return ERR_PTR(-ENOMEM);
	target = hash_target(new);
	if (target != new) {
		pxt_target_put(new);
		return target;
	}
	/*
	 *   here				do_exit()
	 *   add to the table			signal->live = 0
	 *   smp_mb()				(full barrier of the decrement)
	 *   read signal->live			look into the table
	 *
	 * One of the two sees the other.
	 */
	smp_mb();
	if (is_dead(pid)) {
		unhash_target(target);
		pxt_target_put(target);
		return ERR_PTR(-ESRCH);
	}
	return target;
}

/**
 * pxt_target_exit_all() - forget all targets
 *
 * Context: module exit; neither streams nor probes are left.
 */
void pxt_target_exit_all(void)
{
	struct pxt_target *target;
	struct hlist_node *next;
	int bucket;

	hash_for_each_safe(targets, bucket, next, target, node)
		unhash_target(target);
}

static void publish(struct pxt_target *target)
{
	struct posixtrace_event_set set = {};
	struct pxt_sink *sink;
	u32 max_data = 0;

	lockdep_assert_held(&target->lock);
	list_for_each_entry(sink, &target->sinks, node) {
		sink->ops->wanted(sink, &set);
		max_data = max(max_data, sink->max_data);
	}
	WRITE_ONCE(target->max_data, max_data);
	WRITE_ONCE(target->kernel_wanted, set.bits[0] >> POSIXTRACE_EV_KERNEL);
	/* Of the first word only the unnamed event is for programs. */
	set.bits[0] &= 1ULL << POSIXTRACE_EV_UNNAMED;
	pxt_gate_publish(&target->gate, &set);
}

/**
 * pxt_target_update() - a stream changed its mind about what it wants
 * @target: the target
 *
 * When it returns the process knows.
 */
void pxt_target_update(struct pxt_target *target)
{
	guard(raw_spinlock_irqsave)(&target->lock);
	publish(target);
}

/* Make @types the target's own, see pxt_target.types. */
static void replace_types(struct pxt_target *target, struct pxt_evtypes *types)
{
	struct pxt_evtypes *old = target->types;

	lockdep_assert_held(&target->names);
	scoped_guard(raw_spinlock_irqsave, &target->lock) {
		target->types = types;
		target->shared = 0;
	}
	pxt_evtypes_put(old);
}

static bool is_attached(struct pxt_target *target, const struct pxt_sink *sink)
{
	guard(raw_spinlock_irqsave)(&target->lock);
	return sink->attached;
}

static bool is_traced(struct pxt_target *target)
{
	guard(raw_spinlock_irqsave)(&target->lock);
	return !list_empty(&target->sinks);
}

/*
 * Prepare for a new name, or for a stream that will show the names.
 *
 * A new image starts with no name, but a stream that is still attached must not
 * see an identifier change its meaning: then the old names stay known.
 */
static int own_types(struct pxt_target *target)
{
	struct pxt_evtypes *types;

	lockdep_assert_held(&target->names);
	if (target->new_image) {
		target->new_image = false;
		if (!is_traced(target))
			replace_types(target, NULL);
	}
	if (target->types && !target->shared)
		return 0;
	if (target->shared)
		types = pxt_evtypes_copy(target->types, target->shared);
	else
		types = pxt_evtypes_create();
	if (!types)
		return -ENOMEM;
	replace_types(target, types);
	return 0;
}

/**
 * pxt_target_attach() - let a stream see the events of a process
 * @target: the process
 * @sink: the stream
 * @types: set to the names that its events can have, with a reference
 *
 * Context: may sleep.
 *
 * Return: 0, or -ENOMEM.
 */
int pxt_target_attach(struct pxt_target *target, struct pxt_sink *sink,
		      struct pxt_evtypes **types)
{
	int err;

	guard(mutex)(&target->names);
	err = own_types(target);
	if (err)
		return err;
	*types = pxt_evtypes_get(target->types);
	guard(raw_spinlock_irqsave)(&target->lock);
	list_add_tail_rcu(&sink->node, &target->sinks);
	sink->attached = true;
	publish(target);
	return 0;
}

static void unlink_sink(struct pxt_sink *sink)
{
	list_del_rcu(&sink->node);
	sink->attached = false;
}

/**
 * pxt_target_detach() - undo pxt_target_attach()
 * @target: the process
 * @sink: the stream; trace points may still see it for an RCU grace period
 */
void pxt_target_detach(struct pxt_target *target, struct pxt_sink *sink)
{
	guard(raw_spinlock_irqsave)(&target->lock);
	if (!sink->attached)
		return;
	unlink_sink(sink);
	publish(target);
}

/**
 * pxt_target_record() - a trace point of the process was reached
 * @target: the process
 * @ev: the event
 *
 * Context: any; no sleep.
 */
void pxt_target_record(struct pxt_target *target, const struct pxt_event *ev)
{
	struct pxt_sink *sink;

	guard(rcu)();
	list_for_each_entry_rcu(sink, &target->sinks, node)
		sink->ops->record(sink, ev);
}

/**
 * pxt_target_open_name() - map a name for the process
 * @target: the process
 * @sink: the stream whose owner asks for it, or NULL: the process itself does
 * @name: at most POSIXTRACE_EVENT_NAME_MAX bytes
 *
 * A program that the owner may not trace neither tells it which names it has
 * opened, nor is short of names because of it. Context: may sleep.
 *
 * Return: the identifier, POSIXTRACE_EV_UNNAMED at the limit; -ENOMEM; -EPERM:
 * @sink is not attached any more.
 */
int pxt_target_open_name(struct pxt_target *target, const struct pxt_sink *sink,
			 const char *name)
{
	int id = pxt_evtype_fixed_id(name);

	if (id)
		return id;
	guard(mutex)(&target->names);
	if (sink && !is_attached(target, sink))
		return -EPERM;
	if (own_types(target))
		return -ENOMEM;
	id = pxt_evtypes_find(target->types, name);
	if (id && test_bit(id - POSIXTRACE_EV_USER, target->opened))
		return id;
	/* The unnamed event is one of those that a process can have. */
	if (bitmap_weight(target->opened, PXT_EVTYPES_MAX) >=
	    POSIXTRACE_USER_EVENT_MAX - 1)
		return POSIXTRACE_EV_UNNAMED;
	id = pxt_evtypes_add(target->types, name);
	if (id == -ENOSPC)
		return POSIXTRACE_EV_UNNAMED;
	if (id > 0)
		set_bit(id - POSIXTRACE_EV_USER, target->opened);
	return id;
}

/**
 * pxt_target_may_record() - is it a user event that the process has?
 * @target: the process
 * @id: any value
 *
 * Return: true if it is.
 */
bool pxt_target_may_record(const struct pxt_target *target, u32 id)
{
	if (id == POSIXTRACE_EV_UNNAMED)
		return true;
	return id >= POSIXTRACE_EV_USER && id < POSIXTRACE_EVENT_MAX &&
	       test_bit(id - POSIXTRACE_EV_USER, target->opened);
}

/**
 * pxt_target_map_gate() - see to it that the process has a gate
 * @target: of the current process
 *
 * Context: may sleep.
 *
 * Return: 0, or -ENOMEM; also if it can't have one of its own.
 */
int pxt_target_map_gate(struct pxt_target *target)
{
	struct pxt_gate *gate;

	/* Pairs with pxt_gate_join(). */
	if (smp_load_acquire(&target->gate.gate))
		return 0;
	gate = pxt_gate_create();
	if (!gate)
		return -ENOMEM;
	scoped_guard(raw_spinlock_irqsave, &target->lock)
		if (!target->gate.gate && !target->shares_memory)
			pxt_gate_join(gate, &target->gate);
	pxt_gate_put(gate);
	return READ_ONCE(target->gate.gate) ? 0 : -ENOMEM;
}

/**
 * pxt_target_gate_page() - the gate page of the process
 * @target: of the current process
 *
 * A page that is mapped once stays, for all processes that run in this memory.
 * So there is no page of its own for one that was made by vfork() when its
 * parent had no gate yet, nor for that parent.
 *
 * Context: may sleep.
 *
 * Return: the page, without a reference: it remains at least as long as the
 * process executes this program. NULL if there is none.
 */
struct page *pxt_target_gate_page(struct pxt_target *target)
{
	if (pxt_target_map_gate(target))
		return NULL;
	return target->gate.gate->page;
}

/* What a child has of its parent. */
static void inherit(struct pxt_target *target, struct pxt_target *parent,
		    bool same_memory)
{
	struct pxt_gate *gate;

	guard(raw_spinlock_irqsave)(&parent->lock);
	if (parent->types)
		target->shared = parent->shared ?:
				 pxt_evtypes_count(parent->types);
	if (target->shared)
		target->types = pxt_evtypes_get(parent->types);
	target->new_image = parent->new_image;
	bitmap_copy(target->opened, parent->opened, PXT_EVTYPES_MAX);
	gate = parent->gate.gate;
	if (!same_memory)
		return;
	if (gate) {
		pxt_gate_join(gate, &target->gate);
	} else {
		target->shares_memory = true;
		parent->shares_memory = true;
	}
}

/**
 * pxt_target_forked() - a process was made
 * @parent: the task that did it
 * @child: its new child, which has not run yet
 *
 * The child of a target is one: it has the names of its parent, and its gate if
 * they share their memory.
 *
 * Context: probe.
 */
void pxt_target_forked(struct task_struct *parent, struct task_struct *child)
{
	struct pxt_target *target, *there, *origin;

	guard(rcu)();
	origin = pxt_target_of(parent);
	if (!origin)
		return;
	target = alloc_target(task_tgid(child),
			      GFP_ATOMIC | __GFP_ACCOUNT | __GFP_NOWARN);
	if (!target) {
		pr_warn_ratelimited("no memory: process %d lost its event names\n",
				    task_tgid_nr(child));
		return;
	}
	inherit(target, origin, parent->mm == child->mm);
	there = hash_target(target);
	if (there != target)
		pxt_target_put(there);
	pxt_target_put(target);
}

/**
 * pxt_target_executed() - a process executed a program
 * @task: the current task
 *
 * Its names and its gate are gone, and so are the streams of those who may not
 * trace the new program, before its first event.
 *
 * Context: probe.
 */
void pxt_target_executed(struct task_struct *task)
{
	struct pxt_sink *sink, *next;
	struct pxt_target *target;

	guard(rcu)();
	target = pxt_target_of(task);
	if (!target)
		return;
	guard(raw_spinlock_irqsave)(&target->lock);
	list_for_each_entry_safe(sink, next, &target->sinks, node)
		if (!sink->ops->may_keep(sink, task))
			unlink_sink(sink);
	pxt_gate_leave(&target->gate);
	target->shares_memory = false;
	target->new_image = true;
	bitmap_zero(target->opened, PXT_EVTYPES_MAX);
	publish(target);
}

/**
 * pxt_target_exited() - the last thread of a process ends
 * @task: that thread
 *
 * Context: probe.
 */
void pxt_target_exited(struct task_struct *task)
{
	struct pxt_target *target;

	guard(rcu)();
	target = pxt_target_of(task);
	if (!target)
		return;
	scoped_guard(raw_spinlock_irqsave, &target->lock)
		pxt_gate_leave(&target->gate);
	unhash_target(target);
}
