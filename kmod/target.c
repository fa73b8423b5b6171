// SPDX-License-Identifier: GPL-2.0-only
/*
 * Targets, see target.h.
 */
#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/overflow.h>
#include <linux/pid.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "compat.h"
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

	/* A probe is a reader because preemption is off. */
	hash_for_each_possible_rcu(targets, target, node, (unsigned long)pid,
				   rcu_read_lock_any_held())
		if (target->pid == pid)
			return target;
	return NULL;
}

/**
 * pxt_target_of() - the target of a task
 * @task: its process
 *
 * Context: any; RCU reader. If @task is the current one, and has not begun to
 * exit, the target remains, so the reader section may end.
 *
 * Return: the target, without a reference, or NULL.
 */
struct pxt_target *pxt_target_of(struct task_struct *task)
{
	return find(task_tgid(task));
}

static u64 exec_id_of(struct pid *pid)
{
	struct task_struct *task;

	guard(rcu)();
	task = pid_task(pid, PIDTYPE_TGID);
	return task ? READ_ONCE(task->self_exec_id) : 0;
}

static void get_provisions(struct pxt_provisions *provisions)
{
	kref_get(&container_of(provisions, struct pxt_target, provisions)->ref);
}

static void put_provisions(struct pxt_provisions *provisions)
{
	pxt_target_put(container_of(provisions, struct pxt_target, provisions));
}

static const struct pxt_provisions_ops provisions_ops = {
	.sizes = {
		[PXT_FOR_TARGET] = sizeof(struct pxt_target),
		[PXT_FOR_NAMES] = sizeof(struct pxt_names),
		[PXT_FOR_LINK] = sizeof(struct pxt_link),
	},
	.get = get_provisions,
	.put = put_provisions,
};

static struct pxt_target *init(struct pxt_target *target, struct pid *pid)
{
	if (!target)
		return NULL;
	kref_init(&target->ref);
	target->pid = get_pid(pid);
	pxt_sinks_init(&target->sinks);
	target->sinks.exec_id = exec_id_of(pid);
	mutex_init(&target->naming);
	pxt_provisions_init(&target->provisions, &provisions_ops);
	return target;
}

static void free_target_rcu(struct rcu_head *rcu)
{
	struct pxt_target *target = container_of(rcu, struct pxt_target, rcu);

	put_pid(target->pid);
	pxt_provisions_destroy(&target->provisions);
	kfree(target);
}

static void free_target(struct kref *ref)
{
	struct pxt_target *target = container_of(ref, struct pxt_target, ref);

	pxt_gate_put(pxt_gate_leave(&target->sinks.gate));
	/* Here, so that all callbacks are queued before rcu_barrier(). */
	pxt_names_put(rcu_access_pointer(target->names));
	call_rcu(&target->rcu, free_target_rcu);
}

/**
 * pxt_target_put() - drop a reference
 * @target: the target
 *
 * Context: any in which call_rcu() may be called.
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
 * Wait for pxt_birth(), if the process is just being made: it is the one
 * to make the target, with the names and the streams of its parent. A new task
 * gets another state only after that, by wake_up_new_task(). In between is a
 * write to memory of the parent (CLONE_PARENT_SETTID), which can make that take
 * as long as it likes.
 */
static int wait_for_birth(struct pid *pid)
{
	struct task_struct *task;

	for (;;) {
		scoped_guard(rcu) {
			task = pid_task(pid, PIDTYPE_TGID);
			if (!task)
				return -ESRCH;
			/* Pairs with the lock taken by wake_up_new_task(). */
			if (smp_load_acquire(&task->__state) != TASK_NEW)
				return 0;
		}
		if (fatal_signal_pending(current))
			return -EINTR;
		schedule_timeout_killable(1);
	}
}

static unsigned int threads_of(struct pid *pid)
{
	struct task_struct *task;

	guard(rcu)();
	task = pid_task(pid, PIDTYPE_TGID);
	return task ? READ_ONCE(task->signal->nr_threads) : 0;
}

/*
 * Be provided for the children that the threads can make. From the first time
 * on those that are being made see to it themselves.
 */
static int provide(struct pxt_target *target)
{
	unsigned int threads;
	int err;

	do {
		threads = threads_of(target->pid);
		err = pxt_provisions_fill(&target->provisions, threads);
	} while (!err && threads_of(target->pid) > threads);
	return err;
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
	new = init(kzalloc(sizeof(*new), GFP_KERNEL_ACCOUNT), pid);
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
	err = provide(target);
	if (err) {
		pxt_target_put(target);
		return ERR_PTR(err);
	}
	return target;
}

/**
 * pxt_target_create_child() - make the target of a process that is being made
 * @parent: the target that makes it
 * @pid: of the child
 *
 * It has neither streams nor names yet. Context: probe.
 *
 * Return: the target, with a reference, or NULL.
 */
struct pxt_target *pxt_target_create_child(struct pxt_target *parent,
					   struct pid *pid)
{
	struct pxt_target *child;

	child = init(pxt_provisions_take(&parent->provisions, PXT_FOR_TARGET),
		     pid);
	/* Nobody else makes one: see wait_for_birth(). */
	if (child && WARN_ON_ONCE(hash_target(child) != child)) {
		pxt_target_put(child);
		return NULL;
	}
	return child;
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

/**
 * pxt_target_names() - the names that it has
 * @target: its sinks are locked
 *
 * Return: the names, without a reference, or NULL. They may be those of a former
 * program, see struct pxt_target.
 */
struct pxt_names *pxt_target_names(struct pxt_target *target)
{
	return rcu_dereference_protected(target->names,
					 lockdep_is_held(&target->sinks.lock));
}

/**
 * pxt_target_replace_names() - have names for this program
 * @target: its sinks are locked
 * @new: just created
 *
 * The names of another program are over. But a stream that still traces the
 * process must not see an identifier change its meaning: so they stay known.
 *
 * Return: the former names, to be put when the lock is released; or NULL.
 */
struct pxt_names *pxt_target_replace_names(struct pxt_target *target,
					   struct pxt_names *new)
{
	struct pxt_names *old = pxt_target_names(target);

	lockdep_assert_held(&target->sinks.lock);
	if (old && !list_empty(&target->sinks.list))
		pxt_names_continue(new, old);
	rcu_assign_pointer(target->names, new);
	/* In this order, see pxt_target_may_record(). */
	smp_store_release(&target->sinks.new_image, false);
	return old;
}

/* May @sink, if any, have a part in the names? */
static bool may_name(struct pxt_target *target, const struct pxt_sink *sink)
{
	lockdep_assert_held(&target->sinks.lock);
	return !sink || sink->first.attached;
}

/* The names of this image, if there are any; returned with a reference. */
static struct pxt_names *get_names(struct pxt_target *target,
				   const struct pxt_sink *sink)
{
	guard(raw_spinlock_irqsave)(&target->sinks.lock);
	if (!may_name(target, sink))
		return ERR_PTR(-EPERM);
	if (!pxt_target_names(target) || target->sinks.new_image)
		return NULL;
	return pxt_names_get(pxt_target_names(target));
}

/* Have names for this image, on behalf of @sink, if any. */
static struct pxt_names *own_names(struct pxt_target *target,
				   const struct pxt_sink *sink)
{
	struct pxt_names *names, *new, *old = NULL;

	lockdep_assert_held(&target->naming);
	names = get_names(target, sink);
	if (names)
		return names;
	new = pxt_names_create();
	if (!new)
		return ERR_PTR(-ENOMEM);
	scoped_guard(raw_spinlock_irqsave, &target->sinks.lock) {
		if (!may_name(target, sink)) {
			names = ERR_PTR(-EPERM);
			break;
		}
		/* A fork may have been faster. */
		if (!pxt_target_names(target) || target->sinks.new_image) {
			old = pxt_target_replace_names(target, new);
			new = NULL;
		}
		names = pxt_names_get(pxt_target_names(target));
	}
	pxt_names_put(old);
	pxt_names_put(new);
	return names;
}

/* Before the stream is there: the next child inherits it. */
static int provide_links(struct pxt_target *target, const struct pxt_sink *sink)
{
	unsigned int nr = pxt_sinks_inherited(&target->sinks) + sink->inherited;

	lockdep_assert_held(&target->naming);
	if (nr <= target->provisions.streams)
		return 0;
	WRITE_ONCE(target->provisions.streams, nr);
	return provide(target);
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
	struct pxt_evtypes *shown;
	struct pxt_names *names;
	int err;

	guard(mutex)(&target->naming);
	err = provide_links(target, sink);
	if (err)
		return err;
	names = own_names(target, NULL);
	if (IS_ERR(names))
		return PTR_ERR(names);
	shown = pxt_names_types(names);
	pxt_names_put(names);
	if (IS_ERR(shown))
		return PTR_ERR(shown);
	*types = shown;
	pxt_sinks_attach(&target->sinks, sink);
	return 0;
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
	struct pxt_names *names;

	if (id)
		return id;
	guard(mutex)(&target->naming);
	names = own_names(target, sink);
	if (IS_ERR(names))
		return PTR_ERR(names);
	id = pxt_names_open(names, name);
	pxt_names_put(names);
	return id;
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
	if (smp_load_acquire(&target->sinks.gate.gate))
		return 0;
	gate = pxt_gate_create();
	if (!gate)
		return -ENOMEM;
	scoped_guard(raw_spinlock_irqsave, &target->sinks.lock)
		if (!target->sinks.gate.gate && !target->shares_memory &&
		    !target->sinks.ended)
			pxt_gate_join(gate, &target->sinks.gate);
	pxt_gate_put(gate);
	return READ_ONCE(target->sinks.gate.gate) ? 0 : -ENOMEM;
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
	return target->sinks.gate.gate->page;
}

/* As much of @filename as fits, and how long it was. Return: size of the data. */
static size_t describe_exec(struct posixtrace_exec *data, const char *filename)
{
	size_t len = strlen(filename);

	data->length = len;
	len = min_t(size_t, len, POSIXTRACE_EXEC_NAME_MAX);
	memcpy(data->filename, filename, len);
	data->filename[len] = 0;
	return struct_size(data, filename, len + 1);
}

/**
 * pxt_target_executed() - a process executed a program
 * @task: the current task
 * @filename: of the program, as it was given
 *
 * Its names and its gate are gone, and so are the streams of those who may not
 * trace the new program, before its first event.
 *
 * Context: probe.
 */
void pxt_target_executed(struct task_struct *task, const char *filename)
{
	union {
		struct posixtrace_exec exec;
		u8 room[sizeof(struct posixtrace_exec) +
			POSIXTRACE_EXEC_NAME_MAX + 1];
	} data __uninitialized;
	struct pxt_target *target;
	struct pxt_event ev __uninitialized;

	guard(rcu)();
	target = pxt_target_of(task);
	if (!target)
		return;
	pxt_event_init(&ev, POSIXTRACE_EV_EXEC, task, &data,
		       describe_exec(&data.exec, filename));
	scoped_guard(raw_spinlock_irqsave, &target->sinks.lock)
		target->shares_memory = false;
	pxt_sinks_executed(&target->sinks, task, &ev);
}

/**
 * pxt_target_exited() - a thread ends
 * @task: the current task
 *
 * Context: probe.
 */
void pxt_target_exited(struct task_struct *task)
{
	struct pxt_target *target;

	guard(rcu)();
	target = pxt_target_of(task);
	if (target && pxt_sinks_exited(&target->sinks, task))
		unhash_target(target);
}
