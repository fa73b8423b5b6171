/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sinks: streams, as the processes that they trace see them.
 *
 * A stream traces the process that it was made for and, if it is inherited, the
 * descendants of that. A link stands for each of these pairs. The lists on both
 * sides are walked under RCU.
 *
 * Lock order, contexts:
 *
 *   pxt_sinks.lock		raw, probes; that of a parent before its child's
 *     pxt_sink.lock		raw, probes
 *     pxt_recorder.lock	raw, probes (through the inlet)
 *     pxt_gate.lock		raw, probes
 *
 * Probes may hold a run queue lock. So nothing is allocated, freed or woken
 * under these locks: that can take one.
 */
#ifndef PXT_SINK_H
#define PXT_SINK_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/posixtrace.h>

#include "event.h"
#include "gate.h"
#include "inlet.h"
#include "provisions.h"

struct pxt_sink;
struct pxt_sinks;
struct task_struct;

/**
 * struct pxt_wanted - what is to be recorded, or to be counted as lost
 * @types: event types
 * @syscalls: system calls whose events are
 * @max_data: user data per event, bytes
 */
struct pxt_wanted {
	struct posixtrace_event_set types;
	struct pxt_syscalls syscalls;
	u32 max_data;
};

/**
 * struct pxt_sink_ops - what a process asks of a stream
 * @wanted: add what the stream wants. Context: pxt_sinks.lock held
 * @may_keep: may the stream go on with the program that @task, the current
 *	task, has just executed? Context: RCU reader, probe
 * @missed_child: a child that should be traced is not, there is no memory.
 *	Context: RCU reader, probe
 * @gone: the process that the stream was made for is not traced any more.
 *	Context: pxt_sinks.lock held, probe
 */
struct pxt_sink_ops {
	void (*wanted)(struct pxt_sink *sink, struct pxt_wanted *wanted);
	bool (*may_keep)(struct pxt_sink *sink, struct task_struct *task);
	void (*missed_child)(struct pxt_sink *sink);
	void (*gone)(struct pxt_sink *sink);
};

/**
 * struct pxt_link - a stream that traces a process
 * @node: in pxt_sinks.list, RCU; covered by pxt_sinks.lock
 * @sink_node: in pxt_sink.links, RCU; covered by pxt_sink.lock
 * @sinks: the process; while @attached it is there
 * @sink: the stream; likewise
 * @attached: it is in both lists, where it comes and goes under both locks
 * @lost: the stream may not see the program that was just executed; only the
 *	process itself looks at it
 * @unused: another one that is to be freed
 * @rcu: to free it, unless it is pxt_sink.first
 */
struct pxt_link {
	struct list_head node;
	struct list_head sink_node;
	struct pxt_sinks *sinks;
	struct pxt_sink *sink;
	bool attached;
	bool lost;
	struct pxt_link *unused;
	struct rcu_head rcu;
};

/**
 * struct pxt_sink - a stream, as the processes see it
 * @inlet: where their events go
 * @ops: constant
 * @inherited: children are traced, too; constant
 * @lock: covers @links, @closed and @processes
 * @links: the processes
 * @closed: no more are added
 * @processes: links to processes that have not ended
 * @first: to the process that the stream was made for. Stays when that ends
 *
 * A part of the stream; freed an RCU grace period after pxt_sink_detach().
 */
struct pxt_sink {
	struct pxt_inlet inlet;
	const struct pxt_sink_ops *ops;
	bool inherited;
	raw_spinlock_t lock;
	struct list_head links;
	bool closed;
	unsigned int processes;
	struct pxt_link first;
};

/**
 * struct pxt_sinks - the streams of a process, and what follows from them
 * @lock: covers everything here
 * @list: of struct pxt_link, RCU
 * @nr: how many; read without lock
 * @kernel_wanted: kernel events that a stream wants, bit 0 is
 *	POSIXTRACE_EV_KERNEL; read by probes without lock
 * @syscalls: of the system calls these; likewise
 * @max_data: user data that the greediest stream takes; likewise
 * @gate: tells the process what is wanted
 * @new_image: it executed a program, and has no names since. Read without lock
 *	by the process itself
 * @exec_id: of the program that the streams may see, task_struct.self_exec_id:
 *	what happens while another one takes its place is nobody's business
 * @ended: the last event of the process was recorded
 *
 * A part of the target, which is freed an RCU grace period after its end.
 */
struct pxt_sinks {
	raw_spinlock_t lock;
	struct list_head list;
	unsigned int nr;
	u64 kernel_wanted;
	struct pxt_syscalls syscalls;
	u32 max_data;
	struct pxt_gate_user gate;
	bool new_image;
	u64 exec_id;
	bool ended;
};

/**
 * struct pxt_links - links on which a child will inherit streams
 * @list: unused ones
 * @failed: there was no memory for all of them
 *
 * On the stack of whoever makes the child.
 */
struct pxt_links {
	struct list_head list;
	bool failed;
};

void pxt_sink_init(struct pxt_sink *sink, const struct pxt_sink_ops *ops,
		   bool inherited);
void pxt_sink_update(struct pxt_sink *sink);
void pxt_sink_detach(struct pxt_sink *sink);
bool pxt_sink_sees_target(struct pxt_sink *sink);

void pxt_sinks_init(struct pxt_sinks *sinks);
void pxt_sinks_attach(struct pxt_sinks *sinks, struct pxt_sink *sink);
void pxt_sinks_record(struct pxt_sinks *sinks, struct pxt_event *ev);
bool pxt_sinks_record_quickly(struct pxt_sinks *sinks, struct pxt_event *ev);
void pxt_sinks_record_for(struct pxt_sinks *sinks, struct pxt_event *ev,
			  bool of_thread);

unsigned int pxt_sinks_inherited(struct pxt_sinks *sinks);
void pxt_links_take(struct pxt_links *links, struct pxt_sinks *parent,
		    struct pxt_provisions *provisions);
void pxt_links_give_back(struct pxt_links *links,
			 struct pxt_provisions *provisions);
bool pxt_sinks_inherit(struct pxt_sinks *child, struct pxt_sinks *parent,
		       struct pxt_links *links);
void pxt_sinks_missed_child(struct pxt_sinks *sinks);
void pxt_sinks_executed(struct pxt_sinks *sinks, struct task_struct *task,
			struct pxt_event *ev);
bool pxt_sinks_exited(struct pxt_sinks *sinks, struct task_struct *task);

/* Does a stream want this kernel event? */
static inline bool pxt_sinks_want(const struct pxt_sinks *sinks, u32 id)
{
	return READ_ONCE(sinks->kernel_wanted) >> (id - POSIXTRACE_EV_KERNEL) &
	       1;
}

#endif /* PXT_SINK_H */
