// SPDX-License-Identifier: GPL-2.0-only
/*
 * The way of every ioctl, see ioctl.h.
 */
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/uaccess.h>

#include <linux/posixtrace_log.h>

#include "compat.h"
#include "ioctl.h"

/* These sizes are the interface: a field more goes to the end. */
static_assert(sizeof(struct posixtrace_event_set) == 128);
static_assert(sizeof(struct posixtrace_record) == 48);
static_assert(sizeof(struct posixtrace_gate) == 136);
static_assert(sizeof(struct posixtrace_create) == 320);
static_assert(sizeof(struct posixtrace_name) == 80);
static_assert(sizeof(struct posixtrace_event) == 40);
static_assert(sizeof(struct posixtrace_limits) == 24);
static_assert(sizeof(struct posixtrace_control) == 32);
static_assert(sizeof(struct posixtrace_status) == 120);
static_assert(sizeof(struct posixtrace_attr) == 320);
static_assert(sizeof(struct posixtrace_filter) == 160);
static_assert(sizeof(struct posixtrace_getnext) == 80);
static_assert(sizeof(struct posixtrace_wait) == 32);
static_assert(sizeof(struct posixtrace_syscall_enter) == 56);
static_assert(sizeof(struct posixtrace_syscall_exit) == 16);
static_assert(sizeof(struct posixtrace_sched) == 8);
static_assert(sizeof(struct posixtrace_signal_generate) == 20);
static_assert(sizeof(struct posixtrace_signal_deliver) == 24);
static_assert(sizeof(struct posixtrace_fork) == 8);
static_assert(sizeof(struct posixtrace_exec) == 4);
static_assert(sizeof(struct posixtrace_exit) == 4);
static_assert(sizeof(struct posixtrace_page_fault) == 16);
static_assert(sizeof(struct posixtrace_log_block) == 48);
static_assert(sizeof(struct posixtrace_log_head) == 408);
static_assert(sizeof(struct posixtrace_log_name) == 72);
static_assert(sizeof(struct posixtrace_log_end) == 136);

static const struct pxt_ioctl *find(const struct pxt_ioctl *commands,
				    unsigned int nr, unsigned int cmd)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (commands[i].cmd == cmd)
			return &commands[i];
	return NULL;
}

/**
 * pxt_ioctl_check_size() - may the argument have the size that it has?
 * @arg: the argument, whose first member says how large it is
 * @known: bytes of it that this module knows, which were so from the beginning
 *
 * Return: 0, -EFAULT, -EINVAL: it is too small; -E2BIG: it says something that
 * is not known.
 */
int pxt_ioctl_check_size(const void __user *arg, size_t known)
{
	int zeroed;
	u32 size;

	if (get_user(size, (u32 __user *)arg))
		return -EFAULT;
	if (size < known)
		return -EINVAL;
	if (size > PAGE_SIZE)
		return -E2BIG;
	zeroed = check_zeroed_user(arg + known, size - known);
	if (zeroed < 0)
		return zeroed;
	return zeroed ? 0 : -E2BIG;
}

/* Copy in. What is longer than the interface's first version may be absent. */
static int copy_in(const struct pxt_ioctl *command, struct pxt_call *call,
		   void __user *arg, u32 *size)
{
	if (get_user(*size, (u32 __user *)arg))
		return -EFAULT;
	if (*size < command->size)
		return -EINVAL;
	if (*size > PAGE_SIZE)
		return -E2BIG;
	return copy_struct_from_user(&call->arg, command->known, arg, *size);
}

static int copy_out(const struct pxt_ioctl *command, struct pxt_call *call,
		    void __user *arg, u32 size)
{
	/* The caller's own words for it. */
	call->arg.size = size;
	size = min_t(u32, size, command->known);
	return copy_to_user(arg, &call->arg, size) ? -EFAULT : 0;
}

/**
 * pxt_ioctl() - carry out an ioctl
 * @file: of the descriptor
 * @commands: those that this kind of file knows
 * @nr: how many
 * @cmd: the number given
 * @arg: the argument given
 *
 * A handler without a commit may not be able to take back what it did: so that
 * it need not, the argument is written to before it runs.
 *
 * Return: what the handler returns, or an error as documented at the top of
 * linux/posixtrace.h.
 */
long pxt_ioctl(struct file *file, const struct pxt_ioctl *commands,
	       unsigned int nr, unsigned int cmd, void __user *arg)
{
	const struct pxt_ioctl *command = find(commands, nr, cmd);
	struct pxt_call call __uninitialized;
	u32 size;
	int err;

	if (!command)
		return -ENOTTY;
	err = copy_in(command, &call, arg, &size);
	if (err)
		return err;
	if (command->out && !command->commit) {
		err = copy_out(command, &call, arg, size);
		if (err)
			return err;
	}
	call.file = file;
	err = command->handler(&call);
	if (err)
		return err;
	if (command->out)
		err = copy_out(command, &call, arg, size);
	if (command->commit)
		command->commit(&call, !err);
	return err;
}
