// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owners, see owner.h.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hashtable.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/task_work.h>

#include "compat.h"
#include "owner.h"

static DEFINE_HASHTABLE(owned_table, 8);
static DEFINE_RAW_SPINLOCK(owned_lock);

/**
 * pxt_owned_add() - from now on it ends with its owner
 * @owned: @owner and @end are set
 * @file: whose release calls pxt_owned_remove()
 */
void pxt_owned_add(struct pxt_owned *owned, struct file *file)
{
	guard(raw_spinlock_irqsave)(&owned_lock);
	owned->file = file;
	hash_add(owned_table, &owned->node, (unsigned long)owned->owner);
}

/**
 * pxt_owned_remove() - undo pxt_owned_add()
 * @owned: also if that did not happen
 */
void pxt_owned_remove(struct pxt_owned *owned)
{
	guard(raw_spinlock_irqsave)(&owned_lock);
	hash_del(&owned->node);
}

/* The module can't go before fput() is done, which is the last that happens. */
static void end(struct callback_head *work)
{
	struct pxt_owned *owned = container_of(work, struct pxt_owned, work);
	struct file *file = owned->file;

	owned->end(owned);
	fput(file);
}

/**
 * pxt_owner_ends() - a process exits, or executed a program
 * @task: the current task, its last thread
 *
 * What it owns is ended before its parent can see the end, or before the first
 * instruction of the new program. Context: probe.
 */
void pxt_owner_ends(struct task_struct *task)
{
	struct pid *owner = task_tgid(task);
	struct pxt_owned *owned;

	guard(raw_spinlock_irqsave)(&owned_lock);
	hash_for_each_possible(owned_table, owned, node, (unsigned long)owner) {
		if (owned->owner != owner || owned->queued ||
		    !pxt_file_tryget(owned->file))
			continue;
		owned->queued = true;
		init_task_work(&owned->work, end);
		/* Only a task that has run its last one refuses. */
		WARN_ON_ONCE(task_work_add(task, &owned->work, TWA_RESUME));
	}
}
