// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <linux/posixtrace.h>

#include "kernelnames.h"
#include "tool.h"

/* Error code of a page fault (x86) */
#define FAULT_PROTECTION	0x1
#define FAULT_WRITE		0x2
#define FAULT_INSTRUCTION	0x10

const char *task_state_name(__u32 state)
{
	static const char * const name[] = {
		[POSIXTRACE_TASK_RUNNABLE] = "runnable",
		[POSIXTRACE_TASK_INTERRUPTIBLE] = "interruptible",
		[POSIXTRACE_TASK_UNINTERRUPTIBLE] = "uninterruptible",
		[POSIXTRACE_TASK_STOPPED] = "stopped",
		[POSIXTRACE_TASK_TRACED] = "traced",
		[POSIXTRACE_TASK_OTHER] = "other",
	};

	return state < ARRAY_SIZE(name) ? name[state] : NULL;
}

const char *signal_result_name(__u32 result)
{
	static const char * const name[] = {
		[POSIXTRACE_SIGNAL_DELIVERED] = "delivered",
		[POSIXTRACE_SIGNAL_IGNORED] = "ignored",
		[POSIXTRACE_SIGNAL_PENDING] = "already pending",
		[POSIXTRACE_SIGNAL_OVERFLOW] = "overflow",
		[POSIXTRACE_SIGNAL_LOST_INFO] = "lost info",
	};

	return result < ARRAY_SIZE(name) ? name[result] : NULL;
}

const char *fault_access(__u64 error_code)
{
	if (error_code & FAULT_INSTRUCTION)
		return "exec";
	return error_code & FAULT_WRITE ? "write" : "read";
}

const char *fault_cause(__u64 error_code)
{
	return error_code & FAULT_PROTECTION ? "protection" : "not present";
}
