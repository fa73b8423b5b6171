/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How much stream memory each user may have.
 */
#ifndef PXT_QUOTA_H
#define PXT_QUOTA_H

#include <linux/types.h>

struct pxt_quota;

struct pxt_quota *pxt_quota_charge(u64 bytes);
void pxt_quota_uncharge(struct pxt_quota *quota, u64 bytes);
u64 pxt_quota_room(size_t size);
u64 pxt_quota_limit(void);

#endif /* PXT_QUOTA_H */
