/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Targets: the processes that are traced, or instrumented and could be.
 *
 * A target is found under RCU from every trace point of its process. It hands
 * each event to the streams attached to it, which it knows only as sinks.
 *
 * Lock order, contexts:
 *
 *   pxt_target.names		sleeps
 *     pxt_evtypes.lock		sleeps
 *     pxt_target.lock		raw, probes
 *       targets_lock		raw, probes
 *       pxt_recorder.lock	raw, probes (through the sink operations)
 *       pxt_gate.lock		raw, probes
 *
 * A probe runs with preemption off and may hold a run queue lock: it does not
 * sleep, looks at no user memory, and wakes nobody directly.
 */
#ifndef PXT_TARGET_H
#define PXT_TARGET_H

#include <linux/bitmap.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/posixtrace.h>

#include "event.h"
#include "evtype.h"
#include "gate.h"

struct pid;
struct pxt_sink;
struct task_struct;

/**
 * struct pxt_sink_ops - what a target asks of a stream
 * @record: take an event. Context: RCU reader, probes
 * @wanted: add the types that the stream wants. Context: pxt_target.lock held
 * @may_keep: may the stream go on with the program that @task, the current
 *	task, has just executed? Context: pxt_target.lock held, probe
 */
struct pxt_sink_ops {
	void (*record)(struct pxt_sink *sink, const struct pxt_event *ev);
	void (*wanted)(struct pxt_sink *sink, struct posixtrace_event_set *set);
	bool (*may_keep)(struct pxt_sink *sink, struct task_struct *task);
};

/**
 * struct pxt_sink - a stream, as its target sees it
 * @node: in pxt_target.sinks, RCU; covered by pxt_target.lock
 * @attached: it is in that list; covered by pxt_target.lock
 * @max_data: user data that it takes per event, bytes; constant
 * @ops: constant
 *
 * A part of the stream; freed an RCU grace period after it was detached.
 */
struct pxt_sink {
	struct list_head node;
	bool attached;
	u32 max_data;
	const struct pxt_sink_ops *ops;
};

/**
 * struct pxt_target - a process that is traced or instrumented
 * @node: in targets, by @pid; covered by targets_lock
 * @ref: one of targets while the process lives; one of each stream
 * @rcu: to free it
 * @pid: of the process, with a reference; constant
 * @lock: covers @sinks, @gate and what follows from them. Taken in probes
 * @sinks: streams that trace it
 * @kernel_wanted: kernel events that a stream wants, bit 0 is
 *	POSIXTRACE_EV_KERNEL; written under @lock, read by probes without
 * @max_data: user data that the greediest stream takes; likewise
 * @gate: its gate page
 * @shares_memory: another process runs in its memory, and which gate that shows
 *	is not settled: see pxt_target_gate_page(). Covered by @lock
 * @names: covers changes of @types, @shared, @new_image
 * @types: names that it opened; NULL while there is none. Replaced under @names
 *	and @lock, read under either
 * @shared: 0, or @types belongs to the parent and the first @shared entries are
 *	its own too; replaced by a copy when it needs one. Covered as @types
 * @new_image: it executed a program since it last opened a name
 * @opened: bit i: POSIXTRACE_EV_USER + i was opened by this image or for it.
 *	Bits are set under @names, all are reset by exec, read without lock
 *
 * Born when the process first opens a name or maps the gate, when somebody
 * creates a stream on it, or when a target forks. Dies with the process; the
 * streams keep what they need.
 */
struct pxt_target {
	struct hlist_node node;
	struct kref ref;
	struct rcu_head rcu;
	struct pid *pid;

	raw_spinlock_t lock;
	struct list_head sinks;
	u64 kernel_wanted;
	u32 max_data;
	struct pxt_gate_user gate;
	bool shares_memory;

	struct mutex names;	/* changes of the three below */
	struct pxt_evtypes *types;
	unsigned int shared;
	bool new_image;
	DECLARE_BITMAP(opened, PXT_EVTYPES_MAX);
};

void pxt_target_exit_all(void);

struct pxt_target *pxt_target_get_or_create(struct pid *pid);
struct pxt_target *pxt_target_of(struct task_struct *task);
void pxt_target_put(struct pxt_target *target);

int pxt_target_attach(struct pxt_target *target, struct pxt_sink *sink,
		      struct pxt_evtypes **types);
void pxt_target_detach(struct pxt_target *target, struct pxt_sink *sink);
void pxt_target_update(struct pxt_target *target);
void pxt_target_record(struct pxt_target *target, const struct pxt_event *ev);

int pxt_target_open_name(struct pxt_target *target, const struct pxt_sink *sink,
			 const char *name);
bool pxt_target_may_record(const struct pxt_target *target, u32 id);
int pxt_target_map_gate(struct pxt_target *target);
struct page *pxt_target_gate_page(struct pxt_target *target);

void pxt_target_forked(struct task_struct *parent, struct task_struct *child);
void pxt_target_executed(struct task_struct *task);
void pxt_target_exited(struct task_struct *task);

#endif /* PXT_TARGET_H */
