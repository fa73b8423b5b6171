/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who may trace whom. All of it: no other file asks for a privilege over a
 * process.
 *
 * The rules are the kernel's own for reading the state of a process
 * (ptrace(2), PTRACE_MODE_READ), security modules included. That function is
 * not exported, so the module has the kernel apply it: it opens /proc/PID/maps
 * on a mount of procfs of its own, with the caller's credentials.
 */
#ifndef PXT_PRIV_H
#define PXT_PRIV_H

#include <linux/types.h>

struct file;
struct pid;
struct task_struct;

int pxt_priv_init(void);
void pxt_priv_exit(void);

int pxt_priv_may_trace(struct pid *pid);
bool pxt_priv_is_privileged(const struct file *owner);
bool pxt_priv_may_trace_image(const struct file *owner, bool privileged,
			      struct task_struct *task);

#endif /* PXT_PRIV_H */
