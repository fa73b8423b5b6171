// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sinks, see sink.h.
 */
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "compat.h"
#include "sink.h"

/**
 * pxt_sink_init() - a stream that traces nobody yet
 * @sink: to be initialized
 * @ops: its operations
 * @inherited: are children traced, too?
 */
void pxt_sink_init(struct pxt_sink *sink, const struct pxt_sink_ops *ops,
		   bool inherited)
{
	sink->ops = ops;
	sink->inherited = inherited;
	raw_spin_lock_init(&sink->lock);
	INIT_LIST_HEAD(&sink->links);
}

/**
 * pxt_sinks_init() - a process that nobody traces
 * @sinks: zero
 */
void pxt_sinks_init(struct pxt_sinks *sinks)
{
	raw_spin_lock_init(&sinks->lock);
	INIT_LIST_HEAD(&sinks->list);
}

/* Tell the trace points of the process what is wanted. */
static void publish(struct pxt_sinks *sinks)
{
	struct pxt_wanted wanted = {};
	struct pxt_link *link;
	int i;

	lockdep_assert_held(&sinks->lock);
	list_for_each_entry(link, &sinks->list, node)
		link->sink->ops->wanted(link->sink, &wanted);
	WRITE_ONCE(sinks->max_data, wanted.max_data);
	for (i = 0; i < ARRAY_SIZE(wanted.syscalls.native.bits); i++)
		WRITE_ONCE(sinks->syscalls.native.bits[i],
			   wanted.syscalls.native.bits[i]);
	WRITE_ONCE(sinks->syscalls.all, wanted.syscalls.all);
	WRITE_ONCE(sinks->kernel_wanted,
		   wanted.types.bits[0] >> POSIXTRACE_EV_KERNEL);
	/* Of the first word only the unnamed event is for programs. */
	wanted.types.bits[0] &= 1ULL << POSIXTRACE_EV_UNNAMED;
	pxt_gate_publish(&sinks->gate, &wanted.types);
}

/* Return: false if the stream takes no more processes. */
static bool attach(struct pxt_link *link, struct pxt_sinks *sinks,
		   struct pxt_sink *sink)
{
	lockdep_assert_held(&sinks->lock);
	guard(raw_spinlock)(&sink->lock);
	if (sink->closed)
		return false;
	link->sinks = sinks;
	link->sink = sink;
	link->attached = true;
	sink->processes += !sinks->ended;
	WRITE_ONCE(sinks->nr, sinks->nr + 1);
	list_add_tail_rcu(&link->node, &sinks->list);
	list_add_tail_rcu(&link->sink_node, &sink->links);
	return true;
}

static void detach(struct pxt_link *link)
{
	lockdep_assert_held(&link->sinks->lock);
	guard(raw_spinlock)(&link->sink->lock);
	link->attached = false;
	link->sink->processes -= !link->sinks->ended;
	WRITE_ONCE(link->sinks->nr, link->sinks->nr - 1);
	list_del_rcu(&link->node);
	list_del_rcu(&link->sink_node);
}

/* Detach, and note in @unused if it is to be freed. */
static void discard(struct pxt_link *link, struct pxt_link **unused)
{
	detach(link);
	if (link == &link->sink->first)
		return;
	link->unused = *unused;
	*unused = link;
}

/* Not under a lock, see sink.h. */
static void free_unused(struct pxt_link *unused)
{
	struct pxt_link *link;

	while (unused) {
		link = unused;
		unused = link->unused;
		kfree_rcu(link, rcu);
	}
}

/**
 * pxt_sinks_attach() - let a stream see the events of the process it is made for
 * @sinks: of the process
 * @sink: the stream
 */
void pxt_sinks_attach(struct pxt_sinks *sinks, struct pxt_sink *sink)
{
	guard(raw_spinlock_irqsave)(&sinks->lock);
	if (!attach(&sink->first, sinks, sink))
		return;
	if (sinks->ended)
		sink->ops->gone(sink);
	publish(sinks);
}

/**
 * pxt_sink_update() - a stream changed its mind about what it wants
 * @sink: the stream
 *
 * When it returns, the processes know. One that is being made meanwhile:
 *
 *   here				pxt_sinks_inherit()
 *   the state of the stream changes	add to sink->links
 *   (under pxt_recorder.lock)		read the state of the stream
 *   walk over sink->links		(under pxt_recorder.lock)
 *
 * One of the two sees the other. Context: any; no sleep.
 */
void pxt_sink_update(struct pxt_sink *sink)
{
	struct pxt_link *link;

	guard(rcu)();
	list_for_each_entry_rcu(link, &sink->links, sink_node) {
		guard(raw_spinlock_irqsave)(&link->sinks->lock);
		publish(link->sinks);
	}
}

static struct pxt_link *first_link(struct pxt_sink *sink)
{
	guard(raw_spinlock_irqsave)(&sink->lock);
	return list_first_entry_or_null(&sink->links, struct pxt_link,
					sink_node);
}

/* RCU keeps the link and the process there. Return: false if there is none. */
static bool detach_first(struct pxt_sink *sink)
{
	struct pxt_link *link, *unused = NULL;

	guard(rcu)();
	link = first_link(sink);
	if (!link)
		return false;
	scoped_guard(raw_spinlock_irqsave, &link->sinks->lock) {
		/* The process may have ended meanwhile. */
		if (link->attached) {
			discard(link, &unused);
			publish(link->sinks);
		}
	}
	free_unused(unused);
	return true;
}

/**
 * pxt_sink_detach() - let a stream trace nobody any more
 * @sink: the stream; trace points may still see it for an RCU grace period
 *
 * Context: may sleep.
 */
void pxt_sink_detach(struct pxt_sink *sink)
{
	scoped_guard(raw_spinlock_irqsave, &sink->lock)
		sink->closed = true;
	while (detach_first(sink))
		cond_resched();
}

/**
 * pxt_sink_sees_target() - is the process that a stream was made for traced?
 * @sink: the stream, which was attached
 *
 * Return: false if it has ended, or was lost by executing a program.
 */
bool pxt_sink_sees_target(struct pxt_sink *sink)
{
	struct pxt_sinks *sinks = sink->first.sinks;

	guard(raw_spinlock_irqsave)(&sinks->lock);
	return sink->first.attached && !sinks->ended;
}

/**
 * pxt_sinks_record() - the process has reached a trace point
 * @sinks: of the process
 * @ev: the event
 *
 * Context: RCU reader; no sleep. Called for a thread of the process that has not
 * begun to exit, by itself or with its run queue locked, so that the last event
 * is yet to come.
 */
void pxt_sinks_record(struct pxt_sinks *sinks, struct pxt_event *ev)
{
	struct pxt_link *link;

	ev->record.cpu = raw_smp_processor_id();
	list_for_each_entry_rcu(link, &sinks->list, node,
				rcu_read_lock_any_held())
		pxt_inlet_record(&link->sink->inlet, ev);
}

/* To so many streams an event is given with interrupts off all the time. */
#define FEW_STREAMS	16

/**
 * pxt_sinks_record_quickly() - pxt_sinks_record() for a user event of little data
 * @sinks: of the process
 * @ev: the event
 *
 * Context: interrupts off, which makes it an RCU reader.
 *
 * Return: false if there are so many streams that interrupts would be off for too
 * long; nothing was done.
 */
bool pxt_sinks_record_quickly(struct pxt_sinks *sinks, struct pxt_event *ev)
{
	struct pxt_link *link;

	if (unlikely(READ_ONCE(sinks->nr) > FEW_STREAMS))
		return false;
	ev->record.cpu = raw_smp_processor_id();
	/* Not under the lock of the first stream: there it would take longest. */
	ev->record.timestamp = ktime_get_real_ns();
	list_for_each_entry_rcu(link, &sinks->list, node,
				rcu_read_lock_any_held())
		pxt_inlet_let_in(&link->sink->inlet, ev);
	return true;
}

static void record_locked(struct pxt_sinks *sinks, struct pxt_event *ev)
{
	struct pxt_link *link;

	lockdep_assert_held(&sinks->lock);
	ev->record.cpu = raw_smp_processor_id();
	list_for_each_entry(link, &sinks->list, node)
		pxt_inlet_record(&link->sink->inlet, ev);
}

/**
 * pxt_sinks_record_for() - something happened to a process, by another's hand
 * @sinks: of the process
 * @ev: the event
 * @of_thread: it happened to the thread, not to the process as a whole
 *
 * It is recorded before the last event of the process, or thread, and before it
 * executes another program, or not at all. Context: any; no sleep.
 */
void pxt_sinks_record_for(struct pxt_sinks *sinks, struct pxt_event *ev,
			  bool of_thread)
{
	guard(raw_spinlock_irqsave)(&sinks->lock);
	if (sinks->ended)
		return;
	/* If it has not begun to exit its last event waits for the lock. */
	if (of_thread && pxt_task_exits(ev->task))
		return;
	record_locked(sinks, ev);
}

/**
 * pxt_sinks_inherited() - how many streams a child would inherit
 * @sinks: of the parent
 *
 * Context: any; no sleep.
 *
 * Return: the number; it may change at any time.
 */
unsigned int pxt_sinks_inherited(struct pxt_sinks *sinks)
{
	struct pxt_link *link;
	unsigned int nr = 0;

	guard(rcu)();
	list_for_each_entry_rcu(link, &sinks->list, node)
		nr += link->sink->inherited;
	return nr;
}

/**
 * pxt_links_take() - get ready to inherit the streams of a process
 * @links: to be initialized
 * @parent: the process
 * @provisions: of the process
 *
 * Context: probe.
 */
void pxt_links_take(struct pxt_links *links, struct pxt_sinks *parent,
		    struct pxt_provisions *provisions)
{
	unsigned int nr = pxt_sinks_inherited(parent);
	struct pxt_link *link;

	INIT_LIST_HEAD(&links->list);
	links->failed = false;
	while (nr--) {
		link = pxt_provisions_take(provisions, PXT_FOR_LINK);
		if (!link) {
			links->failed = true;
			return;
		}
		list_add(&link->node, &links->list);
	}
}

/**
 * pxt_links_give_back() - give back what was not used
 * @links: of pxt_links_take()
 * @provisions: likewise
 *
 * Context: probe.
 */
void pxt_links_give_back(struct pxt_links *links,
			 struct pxt_provisions *provisions)
{
	struct pxt_link *link, *next;

	list_for_each_entry_safe(link, next, &links->list, node)
		pxt_provisions_give(provisions, PXT_FOR_LINK, link);
}

/**
 * pxt_sinks_missed_child() - a child can't be followed
 * @sinks: of the parent
 */
void pxt_sinks_missed_child(struct pxt_sinks *sinks)
{
	struct pxt_link *link;

	guard(rcu)();
	list_for_each_entry_rcu(link, &sinks->list, node)
		if (link->sink->inherited)
			link->sink->ops->missed_child(link->sink);
}

/*
 * Use one of @links. None is left for streams that were attached to the parent
 * since the links were counted: they came after the fork.
 */
static bool inherit(struct pxt_sinks *child, struct pxt_sink *sink,
		    struct pxt_links *links)
{
	struct pxt_link *link;

	link = list_first_entry_or_null(&links->list, struct pxt_link, node);
	if (!link) {
		if (links->failed)
			sink->ops->missed_child(sink);
		return false;
	}
	list_del(&link->node);
	if (attach(link, child, sink))
		return true;
	list_add(&link->node, &links->list);
	return false;
}

/**
 * pxt_sinks_inherit() - a child is traced by the inherited streams of its parent
 * @child: has none, and has not run yet
 * @parent: current process
 * @links: to be used, see pxt_links_take()
 *
 * Context: probe.
 *
 * Return: true if it inherited any.
 */
bool pxt_sinks_inherit(struct pxt_sinks *child, struct pxt_sinks *parent,
		       struct pxt_links *links)
{
	struct pxt_link *link;
	bool any = false;

	guard(raw_spinlock_irqsave)(&parent->lock);
	raw_spin_lock_nested(&child->lock, SINGLE_DEPTH_NESTING);
	list_for_each_entry(link, &parent->list, node)
		if (link->sink->inherited)
			any |= inherit(child, link->sink, links);
	publish(child);
	raw_spin_unlock(&child->lock);
	return any;
}

/* The stream may not see what the process executes. */
static void lose(struct pxt_link *link, struct pxt_link **unused)
{
	struct pxt_sink *sink = link->sink;
	bool first = link == &sink->first;

	discard(link, unused);
	if (first)
		sink->ops->gone(sink);
}

/**
 * pxt_sinks_executed() - the process executed a program
 * @sinks: of the current process, of which no other thread is left
 * @task: the current task
 * @ev: the event that says so
 *
 * It has no gate and no names any more. Streams of those who may not trace the
 * new program are detached before. Those that are being attached meanwhile are
 * asked for their privilege after that, see pxt_stream_attach(). Context: probe.
 */
void pxt_sinks_executed(struct pxt_sinks *sinks, struct task_struct *task,
			struct pxt_event *ev)
{
	struct pxt_link *link, *next, *unused = NULL;
	struct pxt_gate *gate;

	guard(rcu)();
	list_for_each_entry_rcu(link, &sinks->list, node)
		link->lost = !link->sink->ops->may_keep(link->sink, task);
	scoped_guard(raw_spinlock_irqsave, &sinks->lock) {
		list_for_each_entry_safe(link, next, &sinks->list, node)
			if (link->lost)
				lose(link, &unused);
		/* Not before: nobody who was lost opens a name for it. */
		WRITE_ONCE(sinks->new_image, true);
		sinks->exec_id = task->self_exec_id;
		gate = pxt_gate_leave(&sinks->gate);
		record_locked(sinks, ev);
		publish(sinks);
	}
	free_unused(unused);
	pxt_gate_put(gate);
}

static void forget_process(struct pxt_sink *sink)
{
	guard(raw_spinlock)(&sink->lock);
	sink->processes--;
}

/* The last event of the process: then it is not traced any more. */
static void end(struct pxt_sinks *sinks, struct pxt_link **unused)
{
	struct pxt_link *link, *next;

	lockdep_assert_held(&sinks->lock);
	list_for_each_entry_safe(link, next, &sinks->list, node) {
		if (link != &link->sink->first) {
			discard(link, unused);
			continue;
		}
		forget_process(link->sink);
		link->sink->ops->gone(link->sink);
	}
	sinks->ended = true;
}

/**
 * pxt_sinks_exited() - a thread ends
 * @sinks: of its process
 * @task: the thread, the current task
 *
 * Threads that end together may come here in any order. The first one that
 * finds that no other is left speaks for all that come after it.
 *
 * Context: probe.
 *
 * Return: true if the process has ended.
 */
bool pxt_sinks_exited(struct pxt_sinks *sinks, struct task_struct *task)
{
	struct posixtrace_exit data = { .status = task->exit_code };
	struct pxt_event ev __uninitialized;
	struct pxt_link *unused = NULL;
	struct pxt_gate *gate = NULL;
	bool ended;

	pxt_event_init(&ev, POSIXTRACE_EV_THREAD_EXIT, task, &data, sizeof(data));
	scoped_guard(raw_spinlock_irqsave, &sinks->lock) {
		ended = !atomic_read(&task->signal->live);
		if (sinks->ended)
			break;
		if (ended) {
			ev.record.event_id = POSIXTRACE_EV_EXIT;
			data.status = task->signal->group_exit_code;
			gate = pxt_gate_leave(&sinks->gate);
		}
		record_locked(sinks, &ev);
		if (ended)
			end(sinks, &unused);
	}
	free_unused(unused);
	pxt_gate_put(gate);
	return ended;
}
