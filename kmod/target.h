/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Targets: the processes that are traced, or instrumented and could be.
 *
 * A target is found under RCU from every trace point of its process. It has the
 * streams that trace the process, as sinks, and the names that it has opened.
 *
 * Lock order, contexts:
 *
 *   pxt_target.naming		sleeps
 *     pxt_names.change		sleeps
 *       pxt_evtypes.lock	sleeps
 *     pxt_sinks.lock		raw, probes, and what sink.h says
 *       pxt_names.lock		raw, probes
 *   targets_lock		raw, probes
 *   pxt_provisions.lock	raw, probes
 *
 * A probe runs with preemption off and may hold a run queue lock: it does not
 * sleep, looks at no user memory, and wakes nobody directly.
 */
#ifndef PXT_TARGET_H
#define PXT_TARGET_H

#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

#include "names.h"
#include "provisions.h"
#include "sink.h"

struct page;
struct pid;
struct task_struct;

/**
 * struct pxt_target - a process that is traced or instrumented
 * @node: in targets, by @pid; covered by targets_lock
 * @ref: one of targets while the process lives; one of each stream that was made
 *	for it
 * @rcu: to free it
 * @pid: of the process, with a reference; constant
 * @sinks: streams that trace it, and its gate
 * @shares_memory: another process runs in its memory, and which gate that shows
 *	is not settled: see pxt_target_gate_page(). Covered by @sinks.lock
 * @naming: lets one at a time attach a stream or open a name
 * @names: names that it opened; NULL while there are none. RCU; replaced under
 *	@sinks.lock, and under @naming but for a fork. With @sinks.new_image they
 *	are those of a program that it does not execute any more
 * @provisions: for the targets that its children will be
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

	struct pxt_sinks sinks;
	bool shares_memory;

	struct mutex naming;	/* attaching, opening */
	struct pxt_names __rcu *names;
	struct pxt_provisions provisions;
};

void pxt_target_exit_all(void);

struct pxt_target *pxt_target_get_or_create(struct pid *pid);
struct pxt_target *pxt_target_of(struct task_struct *task);
struct pxt_target *pxt_target_create_child(struct pxt_target *parent,
					   struct pid *pid);
void pxt_target_put(struct pxt_target *target);

int pxt_target_attach(struct pxt_target *target, struct pxt_sink *sink,
		      struct pxt_evtypes **types);
int pxt_target_open_name(struct pxt_target *target, const struct pxt_sink *sink,
			 const char *name);
struct pxt_names *pxt_target_names(struct pxt_target *target);
struct pxt_names *pxt_target_replace_names(struct pxt_target *target,
					   struct pxt_names *new);
int pxt_target_map_gate(struct pxt_target *target);
struct page *pxt_target_gate_page(struct pxt_target *target);

void pxt_target_executed(struct task_struct *task, const char *filename);
void pxt_target_exited(struct task_struct *task);

/* Is @id, of any value, a user event that the process has? Context: RCU reader. */
static inline bool pxt_target_may_record(const struct pxt_target *target,
					 u32 id)
{
	struct pxt_names *names;

	if (id == POSIXTRACE_EV_UNNAMED)
		return true;
	/* Pairs with pxt_target_replace_names(): these names are not older than that. */
	if (smp_load_acquire(&target->sinks.new_image))
		return false;
	names = rcu_dereference_check(target->names, rcu_read_lock_any_held());
	return names && pxt_names_has(names, id);
}

#endif /* PXT_TARGET_H */
