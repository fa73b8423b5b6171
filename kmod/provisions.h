/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Provisions: memory for what a process needs when it makes a child.
 *
 * That happens in a probe, where preemption is off. On PREEMPT_RT nothing can be
 * allocated there, since the allocators take locks that sleep. So it is done
 * beforehand, where one may sleep: by whoever makes the process a target, and
 * then by each thread that took something, before it is back in user space and
 * can take more. Other kernels have no provisions and allocate in the probe.
 *
 * Enough is there if
 *
 *   children that can be made <= threads that can make one
 *
 * and a thread that made a child or a thread cannot make another one before it
 * has refilled. So a child takes from both sides, and a thread from none: it
 * replaces the one that made it. What the refilling itself needs is not replaced
 * by then; hence that is plenty: see SPARE_WORKS.
 */
#ifndef PXT_PROVISIONS_H
#define PXT_PROVISIONS_H

#include <linux/kref.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct task_struct;

/* What a child needs one of; of links, one for each stream. */
enum pxt_provision {
	PXT_FOR_TARGET,
	PXT_FOR_NAMES,
	PXT_FOR_LINK,
	PXT_FOR_REFILL,
	PXT_PROVISIONS
};

struct pxt_provisions;

/**
 * struct pxt_provisions_ops - whose they are
 * @sizes: bytes for each kind; that of PXT_FOR_REFILL is set here
 * @get: keep the owner
 * @put: let it go. Context: may sleep
 */
struct pxt_provisions_ops {
	size_t sizes[PXT_PROVISIONS];
	void (*get)(struct pxt_provisions *provisions);
	void (*put)(struct pxt_provisions *provisions);
};

/**
 * struct pxt_shelf - pieces of memory of one kind
 * @first: points to the next one, and so on; otherwise zero
 * @nr: how many
 */
struct pxt_shelf {
	void **first;
	unsigned int nr;
};

/**
 * struct pxt_provisions - what the children of a process will need
 * @ops: constant
 * @lock: covers @shelves. Raw, taken in probes; nothing is allocated or freed
 *	under it
 * @streams: that a child can inherit, at most; only grows
 * @shelves: empty unless the kernel is PREEMPT_RT
 *
 * A part of the target.
 */
struct pxt_provisions {
	const struct pxt_provisions_ops *ops;
	raw_spinlock_t lock;
	unsigned int streams;
	struct pxt_shelf shelves[PXT_PROVISIONS];
};

void pxt_provisions_exit(void);

void pxt_provisions_init(struct pxt_provisions *provisions,
			 const struct pxt_provisions_ops *ops);
void pxt_provisions_destroy(struct pxt_provisions *provisions);

int pxt_provisions_fill(struct pxt_provisions *provisions,
			unsigned int threads);
void pxt_provisions_refill_by(struct pxt_provisions *provisions,
			      struct task_struct *task, unsigned int threads,
			      struct pxt_provisions *from);

void *pxt_provisions_take(struct pxt_provisions *provisions,
			  enum pxt_provision kind);
void pxt_provisions_give(struct pxt_provisions *provisions,
			 enum pxt_provision kind, void *piece);

#endif /* PXT_PROVISIONS_H */
