// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The file that a log is in
 *
 * The application may close its descriptor, and read and move the offset as it
 * likes, so we have one of our own. If possible the file is opened once more: a
 * mere duplicate shares the offset and the flags (O_DIRECT would forbid to read
 * the header of a block alone).
 *
 * As in ioctl.c no function here is a cancellation point or changes errno.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "log.h"

static int check_readable(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || flags & O_PATH || (flags & O_ACCMODE) == O_WRONLY)
		return EINVAL;
	return 0;
}

static bool is_file(int fd, const struct pxt_logfile *file)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode) &&
	       st.st_dev == file->dev && st.st_ino == file->ino;
}

/* The file once more; -1 if that can't be (no /proc, no permission). */
static int reopen(int fd, const struct pxt_logfile *file)
{
	char path[48];
	int again;

	snprintf(path, sizeof(path), "/proc/thread-self/fd/%d", fd);
	again = syscall(SYS_openat, AT_FDCWD, path,
			O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (again >= 0 && !is_file(again, file)) {
		pxt_fd_close(again);
		return -1;
	}
	return again;
}

static int open_file(struct pxt_logfile *file, int fd)
{
	struct stat st;
	int err = check_readable(fd);

	if (err)
		return err;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return EINVAL;
	file->dev = st.st_dev;
	file->ino = st.st_ino;
	file->size = st.st_size;
	file->fd = reopen(fd, file);
	file->private = file->fd >= 0;
	if (!file->private)
		file->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (file->fd < 0)
		return errno == EMFILE ? EMFILE : EINVAL;
	file->fd = pxt_fd_move_high(file->fd);
	return 0;
}

/**
 * pxt_logfile_open() - take a file to read a log from
 * @file: to be initialized
 * @fd: descriptor, which remains the application's
 *
 * Return: 0, or
 * * EINVAL: @fd is not a regular file open for reading
 * * EMFILE: no descriptor is free
 */
int pxt_logfile_open(struct pxt_logfile *file, int fd)
{
	int saved = errno;
	int err = open_file(file, fd);

	errno = saved;
	return err;
}

/**
 * pxt_logfile_close() - undo pxt_logfile_open()
 * @file: opened
 *
 * The application may have closed our descriptor (closefrom()), and its number
 * may be another file: that one stays.
 */
void pxt_logfile_close(struct pxt_logfile *file)
{
	int saved = errno;

	if (is_file(file->fd, file))
		pxt_fd_close(file->fd);
	errno = saved;
}

/**
 * pxt_logfile_read() - read from any place
 * @file: opened
 * @to: where to
 * @size: how much
 * @offset: where from
 *
 * Return: bytes that were read; less than @size at the end of the file, or where
 * it can't be read.
 */
size_t pxt_logfile_read(const struct pxt_logfile *file, void *to, size_t size,
			__u64 offset)
{
	int saved = errno;
	size_t done = 0;
	ssize_t n;
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	while (done < size) {
		n = pread(file->fd, (char *)to + done, size - done,
			  offset + done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += n;
	}
	pthread_setcancelstate(state, NULL);
	errno = saved;
	return done;
}

/**
 * pxt_logfile_next_data() - step over a hole
 * @file: opened
 * @offset: where to look from, a multiple of 8
 *
 * A file can be of any size and have nothing in it.
 *
 * Return: @offset, or a later multiple of 8 before which there is nothing but
 * bytes of 0.
 */
__u64 pxt_logfile_next_data(const struct pxt_logfile *file, __u64 offset)
{
	int saved = errno;
	off_t data;

	if (!file->private)
		return offset;
	data = lseek(file->fd, offset, SEEK_DATA);
	if (data < 0 && errno == ENXIO)
		data = file->size;	/* nothing follows */
	errno = saved;
	return data > (off_t)offset ? (__u64)data & ~UINT64_C(7) : offset;
}
