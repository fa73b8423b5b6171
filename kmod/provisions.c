// SPDX-License-Identifier: GPL-2.0-only
/*
 * Provisions, see provisions.h.
 */
#include <linux/errno.h>
#include <linux/kconfig.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/task_work.h>

#include "provisions.h"

/* What is made for a child is charged to its parent. */
#define PROBE_GFP	(GFP_ATOMIC | __GFP_ACCOUNT | __GFP_NOWARN)

/*
 * How many threads can be made, each by the one before, while none of them gets
 * to refill: beyond that too little is there for the last one.
 */
#define SPARE_WORKS	16

/**
 * struct refill - a thread on its way to refill
 * @work: of the thread
 * @provisions: whose owner is kept
 * @threads: that can make a child
 *
 * Holds the module.
 */
struct refill {
	struct callback_head work;
	struct pxt_provisions *provisions;
	unsigned int threads;
};

static size_t size_of(const struct pxt_provisions *provisions,
		      enum pxt_provision kind)
{
	return kind == PXT_FOR_REFILL ? sizeof(struct refill) :
					provisions->ops->sizes[kind];
}

/**
 * pxt_provisions_init() - nothing is there
 * @provisions: zero
 * @ops: whose they are
 */
void pxt_provisions_init(struct pxt_provisions *provisions,
			 const struct pxt_provisions_ops *ops)
{
	provisions->ops = ops;
	raw_spin_lock_init(&provisions->lock);
}

static void put_on_shelf(struct pxt_provisions *provisions,
			 enum pxt_provision kind, void **piece)
{
	struct pxt_shelf *shelf = &provisions->shelves[kind];

	guard(raw_spinlock_irqsave)(&provisions->lock);
	*piece = shelf->first;
	shelf->first = piece;
	WRITE_ONCE(shelf->nr, shelf->nr + 1);
}

static void **take_from_shelf(struct pxt_provisions *provisions,
			      enum pxt_provision kind)
{
	struct pxt_shelf *shelf = &provisions->shelves[kind];
	void **piece;

	guard(raw_spinlock_irqsave)(&provisions->lock);
	piece = shelf->first;
	if (piece) {
		shelf->first = *piece;
		WRITE_ONCE(shelf->nr, shelf->nr - 1);
		*piece = NULL;
	}
	return piece;
}

/**
 * pxt_provisions_take() - get memory in a probe
 * @provisions: of the parent
 * @kind: what for
 *
 * Context: probe; no lock is held.
 *
 * Return: zeroed memory, or NULL.
 */
void *pxt_provisions_take(struct pxt_provisions *provisions,
			  enum pxt_provision kind)
{
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		return kzalloc(size_of(provisions, kind), PROBE_GFP);
	return take_from_shelf(provisions, kind);
}

/**
 * pxt_provisions_give() - give back what was not used
 * @provisions: as for pxt_provisions_take()
 * @kind: likewise
 * @piece: that was taken
 *
 * Context: probe; no lock is held.
 */
void pxt_provisions_give(struct pxt_provisions *provisions,
			 enum pxt_provision kind, void *piece)
{
	if (!IS_ENABLED(CONFIG_PREEMPT_RT)) {
		kfree(piece);
		return;
	}
	memset(piece, 0, size_of(provisions, kind));
	put_on_shelf(provisions, kind, piece);
}

static unsigned int need(const struct pxt_provisions *provisions,
			 enum pxt_provision kind, unsigned int threads)
{
	switch (kind) {
	case PXT_FOR_LINK:
		return threads * READ_ONCE(provisions->streams);
	case PXT_FOR_REFILL:	/* one by the parent, one by the child */
		return 2 * threads + SPARE_WORKS;
	default:
		return threads;
	}
}

/* Others may take and fill meanwhile: it need not be exact. */
static int fill_shelf(struct pxt_provisions *provisions,
		      enum pxt_provision kind, unsigned int nr)
{
	struct pxt_shelf *shelf = &provisions->shelves[kind];
	void *piece;

	while (READ_ONCE(shelf->nr) < nr) {
		piece = kzalloc(size_of(provisions, kind), GFP_KERNEL_ACCOUNT);
		if (!piece)
			return -ENOMEM;
		put_on_shelf(provisions, kind, piece);
	}
	/* Threads and streams that were there are gone. */
	while (READ_ONCE(shelf->nr) > 2 * nr)
		kfree(take_from_shelf(provisions, kind));
	return 0;
}

/**
 * pxt_provisions_fill() - have enough for the children to come
 * @provisions: of a process
 * @threads: how many can make a child at a time
 *
 * Accounted to the caller. Context: may sleep.
 *
 * Return: 0, or -ENOMEM.
 */
int pxt_provisions_fill(struct pxt_provisions *provisions,
			unsigned int threads)
{
	enum pxt_provision kind;
	int err;

	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		return 0;
	might_sleep();
	for (kind = 0; kind < PXT_PROVISIONS; kind++) {
		err = fill_shelf(provisions, kind,
				 need(provisions, kind, threads));
		if (err)
			return err;
	}
	return 0;
}

/* The module is let go last, but for the return: see pxt_provisions_exit(). */
static void refill(struct callback_head *work)
{
	struct refill *refill = container_of(work, struct refill, work);
	struct pxt_provisions *provisions = refill->provisions;

	/* Whoever exits makes no child. Without memory, a child will be missed. */
	if (!(current->flags & PF_EXITING))
		pxt_provisions_fill(provisions, refill->threads);
	provisions->ops->put(provisions);
	kfree(refill);
	module_put(THIS_MODULE);
}

/**
 * pxt_provisions_refill_by() - refill before a thread can make a child
 * @provisions: to be refilled
 * @task: the thread: current, or one that has not run yet
 * @threads: how many can then make a child at a time
 * @from: where to take from what this needs itself
 *
 * Context: probe; no lock is held.
 */
void pxt_provisions_refill_by(struct pxt_provisions *provisions,
			      struct task_struct *task, unsigned int threads,
			      struct pxt_provisions *from)
{
	struct refill *work;

	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		return;
	work = pxt_provisions_take(from, PXT_FOR_REFILL);
	if (!work)
		return;
	if (!try_module_get(THIS_MODULE))
		goto err_give_back;
	provisions->ops->get(provisions);
	work->provisions = provisions;
	work->threads = threads;
	init_task_work(&work->work, refill);
	/* Only a task that has run its last one refuses. */
	WARN_ON_ONCE(task_work_add(task, &work->work, TWA_RESUME));
	return;

err_give_back:
	pxt_provisions_give(from, PXT_FOR_REFILL, work);
}

/**
 * pxt_provisions_destroy() - free what was not needed
 * @provisions: nobody uses them any more
 *
 * Context: RCU callback.
 */
void pxt_provisions_destroy(struct pxt_provisions *provisions)
{
	enum pxt_provision kind;
	void *piece;

	for (kind = 0; kind < PXT_PROVISIONS; kind++)
		while ((piece = take_from_shelf(provisions, kind)))
			kfree(piece);
}

/**
 * pxt_provisions_exit() - wait until nobody refills any more
 *
 * Context: module exit, may sleep. A thread that has just let the module go may
 * still have to return from there, and be preempted now.
 */
void pxt_provisions_exit(void)
{
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		synchronize_rcu_tasks();
}
