/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way of every ioctl: copy in, call the handler, copy out.
 *
 * Handlers work on kernel memory, and copy nothing themselves. Two commands have
 * a way of their own: those that are called for each event, in userevent.c and
 * streamfd.c. They can also be reached by fadvise64(2), see linux/posixtrace.h.
 */
#ifndef PXT_IOCTL_H
#define PXT_IOCTL_H

#include <linux/errno.h>
#include <linux/fadvise.h>
#include <linux/fs.h>
#include <linux/types.h>
#include <linux/posixtrace.h>

/**
 * struct pxt_call - an ioctl under way
 * @file: of the descriptor
 * @private: the handler's, for its commit
 * @arg: the argument, of the command's type
 *
 * On the stack of the caller.
 */
struct pxt_call {
	struct file *file;
	void *private;
	union {
		__u32 size;
		struct posixtrace_create create;
		struct posixtrace_name name;
		struct posixtrace_limits limits;
		struct posixtrace_control control;
		struct posixtrace_status status;
		struct posixtrace_attr attr;
		struct posixtrace_filter filter;
		struct posixtrace_wait wait;
	} arg;
};

/**
 * struct pxt_ioctl - a command
 * @cmd: its number
 * @size: of its argument in the first version of the interface
 * @known: of its argument as this module knows it
 * @out: the argument is copied back when the handler has succeeded
 * @handler: does it
 * @commit: NULL, or called after a successful @handler with whether the caller
 *	got the result; what it did not get must not be lost
 */
struct pxt_ioctl {
	unsigned int cmd;
	u16 size;
	u16 known;
	bool out;
	int (*handler)(struct pxt_call *call);
	void (*commit)(struct pxt_call *call, bool delivered);
};

/* @size is a literal: what was compiled once works for ever. */
#define PXT_IOCTL(cmd, type, size, ...) \
	{ cmd, size, sizeof(struct type), __VA_ARGS__ }

/*
 * Advice (fadvise64(2)) that is no command: about data to be read ahead. There
 * is none, as in any character device.
 */
static inline int pxt_ioctl_no_command(loff_t len, int advice)
{
	return len < 0 || advice < POSIX_FADV_NORMAL ||
	       advice > POSIX_FADV_NOREUSE ? -EINVAL : 0;
}

int pxt_ioctl_check_size(const void __user *arg, size_t known);
long pxt_ioctl(struct file *file, const struct pxt_ioctl *commands,
	       unsigned int nr, unsigned int cmd, void __user *arg);

#endif /* PXT_IOCTL_H */
