// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attributes of a stream, see streamattr.h.
 */
#include <linux/errno.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "streamattr.h"
#include "sysprobe.h"

/**
 * pxt_streamattr_check() - can there be such a stream?
 * @arg: copied from the caller
 *
 * Return: 0 or -EINVAL.
 */
int pxt_streamattr_check(const struct posixtrace_create *arg)
{
	bool has_log = arg->flags & POSIXTRACE_CREATE_LOG;

	if (arg->flags & ~(POSIXTRACE_CREATE_LOG | POSIXTRACE_CREATE_SYSCALLS))
		return -EINVAL;
	if (!has_log && arg->log_fd)
		return -EINVAL;
	if (!(arg->flags & POSIXTRACE_CREATE_SYSCALLS) &&
	    memchr_inv(&arg->syscalls, 0, sizeof(arg->syscalls)))
		return -EINVAL;
	if (arg->stream_policy != POSIXTRACE_POLICY_LOOP &&
	    arg->stream_policy != POSIXTRACE_POLICY_UNTIL_FULL &&
	    !(has_log && arg->stream_policy == POSIXTRACE_POLICY_FLUSH))
		return -EINVAL;
	if (arg->inheritance != POSIXTRACE_CLOSE_FOR_CHILD &&
	    arg->inheritance != POSIXTRACE_INHERITED)
		return -EINVAL;
	if (arg->log_policy != POSIXTRACE_POLICY_LOOP &&
	    arg->log_policy != POSIXTRACE_POLICY_UNTIL_FULL &&
	    arg->log_policy != POSIXTRACE_POLICY_APPEND)
		return -EINVAL;
	if (!memchr(arg->name, 0, sizeof(arg->name)))
		return -EINVAL;
	if (!pxt_sysprobe_supports(&arg->kernel_events))
		return -EINVAL;
	return 0;
}

/**
 * pxt_streamattr_set() - the attributes in force
 * @attr: filled in; sizes are brought to what can be promised
 * @arg: checked
 */
void pxt_streamattr_set(struct posixtrace_attr *attr,
			const struct posixtrace_create *arg)
{
	u64 least;

	attr->stream_policy = arg->stream_policy;
	attr->inheritance = arg->inheritance;
	attr->log_policy = arg->log_policy;
	attr->max_data_size = min_t(u64, arg->max_data_size,
				    POSIXTRACE_DATA_MAX);
	least = POSIXTRACE_RECORD_SIZE(attr->max_data_size) +
		2 * POSIXTRACE_SYSTEM_EVENT_SIZE_MAX;
	attr->stream_size = max(arg->stream_size, least);
	attr->log_size = arg->log_size;
	if (arg->flags & POSIXTRACE_CREATE_LOG)
		attr->log_size = max(attr->log_size, attr->stream_size +
				     POSIXTRACE_RECORD_SIZE(sizeof(int)));
	attr->create_time = ktime_get_real_ns();
	attr->kernel_events = arg->kernel_events;
	if (arg->flags & POSIXTRACE_CREATE_SYSCALLS)
		attr->syscalls = arg->syscalls;
	else
		memset(&attr->syscalls, 0xff, sizeof(attr->syscalls));
	strscpy(attr->name, arg->name, sizeof(attr->name));
}
