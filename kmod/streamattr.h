/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Attributes of a stream: what is asked for, and what is in force.
 */
#ifndef PXT_STREAMATTR_H
#define PXT_STREAMATTR_H

#include <linux/posixtrace.h>

int pxt_streamattr_check(const struct posixtrace_create *arg);
void pxt_streamattr_set(struct posixtrace_attr *attr,
			const struct posixtrace_create *arg);

#endif /* PXT_STREAMATTR_H */
