/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The library as a part of a test program, without a kernel below it
 *
 * Its file that talks to the device is made to call these functions, which play
 * the device: /dev/null is opened for it, so that there is a descriptor
 * that can be closed or be replaced by another one (of /dev/zero).
 */
#ifndef HOST_LIBRARY_H
#define HOST_LIBRARY_H

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static long mock_syscall(long nr, ...);
static int mock_ioctl(int fd, unsigned long cmd, void *arg);
static void *mock_mmap(void *addr, size_t len, int prot, int flags, int fd,
		       off_t offset);
static int mock_munmap(void *addr, size_t len);

#define syscall	mock_syscall
#define ioctl	mock_ioctl
#define mmap	mock_mmap
#define munmap	mock_munmap
#include "../../lib/ioctl.c"
#undef syscall
#undef ioctl
#undef mmap
#undef munmap

#include "../../lib/attr.c"
#include "../../lib/crc32c.c"
#include "../../lib/event.c"
#include "../../lib/eventset.c"
#include "../../lib/evtype.c"
#include "../../lib/getnext.c"
#include "../../lib/log.c"
#include "../../lib/logfile.c"
#include "../../lib/logindex.c"
#include "../../lib/prerecorded.c"
#include "../../lib/stream.c"
#include "../../lib/trid.c"

#define MOCK_DEVICE	"/dev/null"
#define MOCK_OTHER	"/dev/zero"
#define MOCK_STREAM	5	/* number of the stream that is created */

static struct {
	int open_errno;		/* what opening the device fails with, or 0 */
	int map_errno;		/* mapping the page, likewise */
	atomic_int opened;	/* how often it was opened */
	atomic_int mapped;	/* pages that are mapped */
	atomic_int calls;	/* ioctls that reached the device or a stream */

	/* Answers the ioctls that reach it: 0 or an error number. */
	int (*answer)(unsigned long cmd, void *arg);

	unsigned long cmd;	/* the last one */
	struct posixtrace_event event;
	struct posixtrace_gate gate;
} mock = {
	.gate.format = POSIXTRACE_GATE_FORMAT,
};

/* Fail as a system call does. */
static int mock_result(int err)
{
	if (!err)
		return 0;
	errno = err;
	return -1;
}

/* What @fd is: the device (or a stream), another file, nothing. */
static int mock_look(int fd)
{
	struct stat st, device;
	int saved = errno;
	int err = 0;

	if (fstat(fd, &st))
		err = EBADF;
	else if (stat(MOCK_DEVICE, &device) || st.st_rdev != device.st_rdev)
		err = ENOTTY;
	errno = saved;
	return err;
}

/* Another descriptor of the device; no cancellation point. */
static int mock_open(void)
{
	return syscall(SYS_openat, AT_FDCWD, MOCK_DEVICE, O_RDWR | O_CLOEXEC);
}

static long mock_syscall(long nr, ...)
{
	va_list ap;
	int fd = -1;

	va_start(ap, nr);
	if (nr == SYS_close) {
		fd = va_arg(ap, int);
	} else if (nr == SYS_openat) {
		va_arg(ap, int);
		if (strcmp(va_arg(ap, const char *), DEVICE_PATH))
			abort();
	}
	va_end(ap);
	if (nr == SYS_close)
		return syscall(SYS_close, fd);
	if (nr != SYS_openat)
		abort();
	if (mock.open_errno)
		return mock_result(mock.open_errno);
	mock.opened++;
	return mock_open();
}

static int mock_ioctl(int fd, unsigned long cmd, void *arg)
{
	int err = mock_look(fd);

	if (!err) {
		mock.calls++;
		mock.cmd = cmd;
		if (cmd == POSIXTRACE_IOC_EVENT)
			mock.event = *(struct posixtrace_event *)arg;
		err = mock.answer ? mock.answer(cmd, arg) : 0;
	}
	return mock_result(err);
}

static void *mock_mmap(void *addr, size_t len, int prot, int flags, int fd,
		       off_t offset)
{
	int err = mock_look(fd);

	if (err || addr || len != (size_t)getpagesize() || prot != PROT_READ ||
	    flags != MAP_SHARED || offset)
		err = err ?: EINVAL;
	else
		err = mock.map_errno;
	if (mock_result(err))
		return MAP_FAILED;
	mock.mapped++;
	return &mock.gate;
}

static int mock_munmap(void *addr, size_t len)
{
	if (addr != &mock.gate || len != (size_t)getpagesize())
		return mock_result(EINVAL);
	mock.mapped--;
	return 0;
}

#endif /* HOST_LIBRARY_H */
