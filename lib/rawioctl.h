/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * ioctl() and fadvise64() without a detour: through the C library a trace point
 * would cost half as much again outside of the kernel. A test may define ioctl as
 * something of its own.
 */
#ifndef PXT_RAWIOCTL_H
#define PXT_RAWIOCTL_H

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

/* Leaves errno alone. Returns 0 or an error number. */
static inline int pxt_raw_ioctl(int fd, unsigned long cmd, void *arg)
{
#if defined(__x86_64__) && defined(__LP64__) && !defined(ioctl)
	long ret;

	asm volatile("syscall"
		     : "=a" (ret)
		     : "a" ((long)SYS_ioctl), "D" (fd), "S" (cmd), "d" (arg)
		     : "rcx", "r11", "memory");
	return ret < 0 ? -ret : 0;
#else
	int saved = errno;
	int err = ioctl(fd, cmd, arg) < 0 ? errno : 0;

	errno = saved;
	return err;
#endif
}

/*
 * The short way of a command that has one, see linux/posixtrace.h. Leaves errno
 * alone. Returns 0 or an error number, ENOSYS if it is not known how.
 */
static inline int pxt_raw_advise(int fd, unsigned long cmd, void *arg)
{
#if defined(__x86_64__) && defined(__LP64__) && !defined(ioctl)
	register long advice asm("r10") = cmd;
	long ret;

	asm volatile("syscall"
		     : "=a" (ret)
		     : "a" ((long)SYS_fadvise64), "D" (fd), "S" (arg), "d" (0L),
		       "r" (advice)
		     : "rcx", "r11", "memory");
	return ret < 0 ? -ret : 0;
#else
	(void)fd, (void)cmd, (void)arg;
	return ENOSYS;
#endif
}

#endif /* PXT_RAWIOCTL_H */
