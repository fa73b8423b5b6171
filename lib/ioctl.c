// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The device, and the only calls of ioctl() and fadvise64()
 *
 * /dev/posixtrace is opened at first use and stays open. The application knows
 * nothing of that descriptor and may close it (closefrom(), daemon(), a shell
 * that closes what it did not open), and its number may come to mean something
 * else. So an answer that our device would not give leads to a look at what
 * the descriptor is now, and if need be to a new one. A descriptor that is not
 * ours is never closed.
 *
 * Everything here is async-signal-safe, leaves errno alone and, but for
 * pxt_fd_ioctl_cancelable(), is no cancellation point: open() and close() of
 * the C library would be, syscall() isn't.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "internal.h"
#include "rawioctl.h"

#define DEVICE_PATH	"/dev/posixtrace"

/*
 * Descriptor of the device, -1 before the first use. Relaxed order will do:
 * the number is all there is, and the kernel orders what is behind it.
 */
static atomic_int device_fd = -1;

/**
 * pxt_fd_close() - close a descriptor
 * @fd: descriptor
 */
void pxt_fd_close(int fd)
{
	int saved = errno;

	syscall(SYS_close, fd);
	errno = saved;
}

/**
 * pxt_fd_is_writable() - whether a descriptor is open for writing
 * @fd: descriptor
 *
 * Return: true if it is.
 */
bool pxt_fd_is_writable(int fd)
{
	int saved = errno;
	int flags = fcntl(fd, F_GETFL);

	errno = saved;
	return flags >= 0 && !(flags & O_PATH) &&
	       ((flags & O_ACCMODE) == O_WRONLY ||
		(flags & O_ACCMODE) == O_RDWR);
}

/**
 * pxt_fd_ioctl() - ioctl() that returns the error
 * @fd: descriptor
 * @cmd: command
 * @arg: its argument
 *
 * Return: 0 or an error number.
 */
int pxt_fd_ioctl(int fd, unsigned long cmd, void *arg)
{
	return pxt_raw_ioctl(fd, cmd, arg);
}

/**
 * pxt_fd_ioctl_short() - pxt_fd_ioctl() for a command that has a short way
 * @fd: descriptor
 * @cmd: command, which does nothing if it fails
 * @arg: its argument
 *
 * Return: 0 or an error number.
 */
int pxt_fd_ioctl_short(int fd, unsigned long cmd, void *arg)
{
	int err = pxt_raw_advise(fd, cmd, arg);

	if (__builtin_expect(!err || err == ENODATA, 1))
		return err;
	return pxt_raw_ioctl(fd, cmd, arg);
}

/**
 * pxt_fd_ioctl_cancelable() - ioctl() that is a cancellation point
 * @fd: descriptor
 * @cmd: command, one that changes nothing: cancelling can hit after it is done
 * @arg: its argument
 *
 * As the C library does it for calls of its own. Where cancellation is disabled
 * the type has no effect.
 *
 * Return: 0 or an error number.
 */
int pxt_fd_ioctl_cancelable(int fd, unsigned long cmd, void *arg)
{
	int saved = errno;
	int type, err;

	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
	err = ioctl(fd, cmd, arg) < 0 ? errno : 0;
	pthread_setcanceltype(type, NULL);
	errno = saved;
	return err;
}

/**
 * pxt_fd_move_high() - give a descriptor a high number, if the limit allows
 * @fd: descriptor, which is closed if it was moved
 *
 * A program may rely on the low ones being free. May change errno.
 *
 * Return: the descriptor to use, close-on-exec.
 */
int pxt_fd_move_high(int fd)
{
	static const int lowest[] = { 512, 64 };
	size_t i;

	for (i = 0; i < sizeof(lowest) / sizeof(*lowest); i++) {
		int high = fcntl(fd, F_DUPFD_CLOEXEC, lowest[i]);

		if (high >= 0) {
			pxt_fd_close(fd);
			return high;
		}
	}
	return fd;
}

/* A fresh descriptor of the device, or a negative error number. */
static int open_high(void)
{
	int fd = syscall(SYS_openat, AT_FDCWD, DEVICE_PATH, O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : pxt_fd_move_high(fd);
}

/* Whether two descriptors are open on the same device. */
static bool same_device(int fd1, int fd2)
{
	struct stat st1, st2;

	return !fstat(fd1, &st1) && !fstat(fd2, &st2) &&
	       S_ISCHR(st1.st_mode) && S_ISCHR(st2.st_mode) &&
	       st1.st_rdev == st2.st_rdev;
}

/* What the device's absence means for a caller of the library. */
static int open_error(int err)
{
	switch (err) {
	case ENOENT:
	case ENOTDIR:
	case ENXIO:
	case ENODEV:
		return ENOSYS;
	case EPERM:
		return EACCES;
	default:
		return err;
	}
}

/*
 * Replace @stale, which is -1 or is perhaps not our device any more.
 *
 * Threads (or a signal handler) that do so at once each open the device; one
 * stores its descriptor, the others close theirs and take that one. The test of
 * the current one comes first since descriptor numbers come back: after a
 * closefrom() the new descriptor likely has the number of the old one, and
 * then the exchange alone would not see that somebody was faster.
 *
 * Returns the descriptor to use, which is @stale if that is our device (again),
 * or a negative error number.
 */
static int device_renew(int stale)
{
	int saved = errno;
	int fd = open_high();
	int now = stale;

	if (fd < 0) {
		fd = -open_error(-fd);
	} else if (fd != stale && stale >= 0 && same_device(stale, fd)) {
		pxt_fd_close(fd);
		fd = stale;
	} else if (!atomic_compare_exchange_strong(&device_fd, &now, fd)) {
		pxt_fd_close(fd);
		fd = now;
	}
	errno = saved;
	return fd;
}

static int device_get(void)
{
	int fd = atomic_load_explicit(&device_fd, memory_order_relaxed);

	return fd < 0 ? device_renew(fd) : fd;
}

/**
 * pxt_device_open() - open the device unless it is open
 *
 * Return: 0, or
 * * ENOSYS: the module is not loaded
 * * EACCES: not for this user
 * * EMFILE, ENFILE, ENOMEM: as open(2)
 */
int pxt_device_open(void)
{
	int fd = device_get();

	return fd < 0 ? -fd : 0;
}

/* Whether @err says that the descriptor may be another file by now. */
static bool looks_stale(int err)
{
	return err == EBADF || err == ENOTTY || err == EINVAL || err == ENODEV;
}

/* What an error of a device command means for a caller of the library. */
static int command_error(int err)
{
	switch (err) {
	case EBADF:
	case ENOTTY:	/* the module is older than the command */
	case E2BIG:	/* ... or than a part of its argument */
		return ENOSYS;
	default:
		return err;
	}
}

/* Out of the way of a trace point: the descriptor may be another file by now. */
static __attribute__((noinline)) int ioctl_failed(unsigned long cmd, void *arg,
						  int fd, int err)
{
	if (looks_stale(err)) {
		fd = device_renew(fd);
		if (fd >= 0)
			err = pxt_raw_ioctl(fd, cmd, arg);
		else if (err == EBADF)
			return -fd;
	}
	return command_error(err);
}

/**
 * pxt_device_ioctl() - command to the device
 * @cmd: command
 * @arg: its argument
 *
 * Return: 0, an error of pxt_device_open(), an error number of the command, or
 * * ENOSYS: the module does not know the command or a part of it
 */
int pxt_device_ioctl(unsigned long cmd, void *arg)
{
	int fd = atomic_load_explicit(&device_fd, memory_order_relaxed);
	int err = fd < 0 ? EBADF : pxt_raw_ioctl(fd, cmd, arg);

	return err ? ioctl_failed(cmd, arg, fd, err) : 0;
}

/**
 * pxt_device_event() - record an event
 * @arg: the event
 */
void pxt_device_event(struct posixtrace_event *arg)
{
	int fd = atomic_load_explicit(&device_fd, memory_order_relaxed);

	if (pxt_raw_advise(fd, POSIXTRACE_IOC_EVENT, arg))
		pxt_device_ioctl(POSIXTRACE_IOC_EVENT, arg);
}

static int map_page(int fd, const struct posixtrace_gate **gate)
{
	int saved = errno;
	void *page = mmap(NULL, getpagesize(), PROT_READ, MAP_SHARED, fd, 0);
	int err = page == MAP_FAILED ? errno : 0;

	errno = saved;
	if (!err)
		*gate = page;
	return err;
}

/**
 * pxt_device_map() - map the gate page
 * @gate: where its address goes
 *
 * Return: 0, an error of pxt_device_open(), or an error number of mmap(2).
 */
int pxt_device_map(const struct posixtrace_gate **gate)
{
	int fd = device_get();
	int err;

	if (fd < 0)
		return -fd;
	err = map_page(fd, gate);
	if (!looks_stale(err))
		return err;
	fd = device_renew(fd);
	return fd < 0 ? -fd : map_page(fd, gate);
}

/**
 * pxt_device_unmap() - give a page of pxt_device_map() back
 * @gate: its address
 */
void pxt_device_unmap(const struct posixtrace_gate *gate)
{
	int saved = errno;

	munmap((void *)gate, getpagesize());
	errno = saved;
}
