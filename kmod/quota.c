// SPDX-License-Identifier: GPL-2.0-only
/*
 * How much stream memory each user may have, see quota.h.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "quota.h"

static unsigned long user_quota = 64UL << 20;
module_param(user_quota, ulong, 0644);
MODULE_PARM_DESC(user_quota,
		 "bytes of stream memory per user without CAP_SYS_RESOURCE, 0: no limit (default 64 MiB)");

/**
 * struct pxt_quota - what a user has
 * @node: in users; covered by lock
 * @uid: the user
 * @bytes: charged; covered by lock
 *
 * Lives while @bytes is not 0.
 */
struct pxt_quota {
	struct list_head node;
	kuid_t uid;
	u64 bytes;
};

static LIST_HEAD(users);
static DEFINE_MUTEX(lock);

static struct pxt_quota *find(kuid_t uid)
{
	struct pxt_quota *quota;

	lockdep_assert_held(&lock);
	list_for_each_entry(quota, &users, node)
		if (uid_eq(quota->uid, uid))
			return quota;
	quota = kzalloc(sizeof(*quota), GFP_KERNEL_ACCOUNT);
	if (!quota)
		return NULL;
	quota->uid = uid;
	list_add(&quota->node, &users);
	return quota;
}

static void drop_unused(struct pxt_quota *quota)
{
	lockdep_assert_held(&lock);
	if (quota->bytes)
		return;
	list_del(&quota->node);
	kfree(quota);
}

/**
 * pxt_quota_charge() - charge the caller's real user
 * @bytes: not 0
 *
 * Context: may sleep.
 *
 * Return: to be handed to pxt_quota_uncharge(), or ERR_PTR(-ENOMEM): beyond
 * the quota, or no memory.
 */
struct pxt_quota *pxt_quota_charge(u64 bytes)
{
	u64 limit = pxt_quota_limit();
	struct pxt_quota *quota;

	guard(mutex)(&lock);
	quota = find(current_uid());
	if (!quota)
		return ERR_PTR(-ENOMEM);
	if (limit && (bytes > limit || quota->bytes > limit - bytes) &&
	    !capable(CAP_SYS_RESOURCE)) {
		drop_unused(quota);
		return ERR_PTR(-ENOMEM);
	}
	quota->bytes += bytes;
	return quota;
}

/**
 * pxt_quota_uncharge() - undo pxt_quota_charge()
 * @quota: what it returned
 * @bytes: the same number
 *
 * Context: may sleep.
 */
void pxt_quota_uncharge(struct pxt_quota *quota, u64 bytes)
{
	guard(mutex)(&lock);
	quota->bytes -= bytes;
	drop_unused(quota);
}

/**
 * pxt_quota_room() - what an allocation costs
 * @size: bytes that are asked for, of kvmalloc()
 *
 * The allocator rounds up, to up to twice as much.
 *
 * Return: bytes that are taken at most.
 */
u64 pxt_quota_room(size_t size)
{
	return size > KMALLOC_MAX_SIZE ? PAGE_ALIGN(size) :
					 kmalloc_size_roundup(size);
}

/**
 * pxt_quota_limit() - the quota in force
 *
 * Return: bytes per user, 0: no limit.
 */
u64 pxt_quota_limit(void)
{
	return READ_ONCE(user_quota);
}
