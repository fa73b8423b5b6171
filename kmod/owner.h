/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What ends with the process that made it, before anybody can see the end of
 * that process.
 *
 * Closing the descriptors does nearly the same. But they may be shared with a
 * process that lives on (CLONE_FILES), or not be close-on-exec any more.
 */
#ifndef PXT_OWNER_H
#define PXT_OWNER_H

#include <linux/types.h>

struct file;
struct pid;
struct task_struct;

/**
 * struct pxt_owned - something that has an owner
 * @node: in owned, by @owner; covered by owned_lock
 * @owner: the process, with a reference of whoever embeds this; constant
 * @file: keeps this alive; constant
 * @end: the owner exits or executes a program. Context: task work of the
 *	owner, may sleep
 * @work: calls @end
 * @queued: that is under way; covered by owned_lock
 */
struct pxt_owned {
	struct hlist_node node;
	struct pid *owner;
	struct file *file;
	void (*end)(struct pxt_owned *owned);
	struct callback_head work;
	bool queued;
};

void pxt_owned_add(struct pxt_owned *owned, struct file *file);
void pxt_owned_remove(struct pxt_owned *owned);
void pxt_owner_ends(struct task_struct *task);

#endif /* PXT_OWNER_H */
