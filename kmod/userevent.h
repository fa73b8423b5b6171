/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trace points of programs: posix_trace_event().
 */
#ifndef PXT_USEREVENT_H
#define PXT_USEREVENT_H

#include <linux/posixtrace.h>

long pxt_userevent(const struct posixtrace_event __user *arg);

#endif /* PXT_USEREVENT_H */
