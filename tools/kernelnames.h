/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of values in the data of kernel events.
 */
#ifndef POSIXTRACE_KERNELNAMES_H
#define POSIXTRACE_KERNELNAMES_H

#include <linux/types.h>

/* Of an enum posixtrace_task_state; NULL if it has none. */
const char *task_state_name(__u32 state);

/* Of an enum posixtrace_signal_result; NULL if it has none. */
const char *signal_result_name(__u32 result);

/* "read", "write" or "exec": what a page fault's error code says was tried */
const char *fault_access(__u64 error_code);

/* "protection" or "not present": why that could not be done at once */
const char *fault_cause(__u64 error_code);

#endif /* POSIXTRACE_KERNELNAMES_H */
