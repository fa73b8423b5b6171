// SPDX-License-Identifier: GPL-2.0-only
/*
 * Logs that can't be written (assertions,
 * Nobody is harmed by it, and the stream can be used on.
 */
#include "abi_test.h"
#include "fuse_test.h"

#include <linux/posixtrace_log.h>
#include <sys/mount.h>

#define SMALL		100	/* events that a stream has to hold */
#define LIMIT		(160 * 1024)	/* bytes: a few flushes more than a head */
#define MOUNT_POINT	LOG_FOLDER "/posixtrace-small"

/* A file with so many bytes of room: by a limit, or a small file system. */
FIXTURE(log_error) {
	trace_event_id_t u;
	int device;
	__u32 streams;		/* before the test makes some */
	int fd;
	int ballast;		/* shortening it makes room */
	trace_attr_t attr;
	trace_id_t trid;
};

FIXTURE_VARIANT(log_error) {
	int error;
};

FIXTURE_VARIANT_ADD(log_error, ENOSPC) { ENOSPC };
FIXTURE_VARIANT_ADD(log_error, EFBIG) { EFBIG };

static void limit_files(rlim_t size)
{
	struct rlimit limit = { size, RLIM_INFINITY };

	must_be(!setrlimit(RLIMIT_FSIZE, &limit));
}

/* A file on a file system of its own, with another one. */
static bool small_file_system(int *fd, int *ballast)
{
	must_be(!mkdir(MOUNT_POINT, 0700));
	if (mount("none", MOUNT_POINT, "tmpfs", 0, "size=1m")) {
		rmdir(MOUNT_POINT);
		return false;
	}
	*fd = open(MOUNT_POINT "/log", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	*ballast = open(MOUNT_POINT "/ballast", O_RDWR | O_CREAT | O_CLOEXEC,
			0600);
	must_be(*fd >= 0 && *ballast >= 0);
	must_be(!umount2(MOUNT_POINT, MNT_DETACH) && !rmdir(MOUNT_POINT));
	return true;
}

/* Leave @room bytes there, those of a head and names already written. */
static void leave_room(int ballast, off_t room)
{
	must_be(!ftruncate(ballast, 0));
	must(posix_fallocate(ballast, 0, (1 << 20) - room));
}

FIXTURE_SETUP(log_error)
{
	on_signal(SIGXFSZ, count_signal, 0);
	self->u = open_event("u");
	self->device = device_open();
	self->streams = streams_now(self->device);
	log_attr(&self->attr, POSIX_TRACE_LOOP, SMALL, POSIX_TRACE_APPEND, 0);
	if (variant->error == EFBIG) {
		self->fd = log_file();
		limit_files(LIMIT);
	} else {
		if (!small_file_system(&self->fd, &self->ballast))
			SKIP(return, "needs root");
		leave_room(self->ballast, LIMIT - POSIXTRACE_LOG_EVENTS_AT);
	}
	self->trid = running_log(&self->attr, self->fd);
	/* As of the creation. */
	limit_files(RLIM_INFINITY);
}

FIXTURE_TEARDOWN(log_error)
{
	/* No process got the signal. */
	EXPECT_EQ(0, signals_seen);
}

/* Flush full streams until that fails; the number of the last event. */
static unsigned int flush_until_error(trace_id_t trid, trace_event_id_t id,
				      int *err)
{
	unsigned int n = 0;

	do {
		must_be(n < 100 * SMALL);
		record_nums(id, n + 1, n + SMALL);
		n += SMALL;
		*err = posix_trace_flush(trid);
	} while (!*err);
	return n;
}

/* A-266 [S]: EFBIG from flush, and no signal; A-268 [S]: ENOSPC */
TEST_F(log_error, A266_A268_flush_returns_the_error)
{
	int err;

	EXPECT_LT(SMALL, flush_until_error(self->trid, self->u, &err));
	EXPECT_EQ(variant->error, err);
}

/* A-267 [S], A-269 [S]: the status tells the error, and what was lost */
TEST_F(log_error, A267_A269_status_tells_the_error)
{
	int err;

	flush_until_error(self->trid, self->u, &err);
	EXPECT_LOG_STATUS(POSIX_TRACE_NOT_FULL, POSIX_TRACE_OVERRUN,
			  variant->error, self->trid);
}

/* A-204 [S]: once */
TEST_F(log_error, A204_error_is_reset_when_it_was_read)
{
	int err;

	flush_until_error(self->trid, self->u, &err);
	EXPECT_EQ(variant->error, status_of(self->trid).posix_stream_flush_error);
	EXPECT_LOG_STATUS(POSIX_TRACE_NOT_FULL, POSIX_TRACE_NO_OVERRUN, 0,
			  self->trid);
}

/* A-270 [C-31]: the room in the stream is free again, and it runs */
TEST_F(log_error, A270_room_of_the_stream_is_free_again)
{
	int err;

	flush_until_error(self->trid, self->u, &err);
	record_nums(self->u, 1, SMALL);
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
}

/* What was written before the error is in the log, all of it. */
TEST_F(log_error, what_was_flushed_before_stays)
{
	unsigned int last;
	struct contents c;
	int err;

	last = flush_until_error(self->trid, self->u, &err);
	c = contents_of(self->fd);
	EXPECT_EQ(1, c.first);
	EXPECT_EQ(last - SMALL, c.last);
	EXPECT_EQ(0, c.holes);
}

/* A-315 [S], A-316 [S]: the error of the last flush comes from shutdown */
/* A-317 [C-14]: and the stream is gone all the same */
TEST_F(log_error, A315_A316_A317_shutdown_returns_the_error)
{
	struct posix_trace_status_info info;
	int err;

	flush_until_error(self->trid, self->u, &err);
	/* What did not fit then does not now. */
	record_nums(self->u, 1, SMALL);
	EXPECT_EQ(variant->error, posix_trace_shutdown(self->trid));
	EXPECT_EQ(EINVAL, posix_trace_get_status(self->trid, &info));
	EXPECT_EQ(EINVAL, posix_trace_shutdown(self->trid));
	EXPECT_EQ(self->streams, streams_now(self->device));
	/* The end was written, since its place is at the beginning. */
	EXPECT_TRUE(contents_of(self->fd).info.posix_finished);
	EXPECT_EQ(variant->error,
		  contents_of(self->fd).status.posix_stream_flush_error);
}

/* A-271 [C-24]: when there is room again an ERROR event tells what happened */
TEST(A271_ERROR_tells_of_a_failed_flush)
{
	trace_event_id_t u = open_event("u");
	unsigned int last;
	struct contents c;
	int fd, ballast, err;
	trace_attr_t attr;
	trace_id_t trid, log;
	struct ev ev;

	if (!small_file_system(&fd, &ballast))
		SKIP(return, "needs root");
	leave_room(ballast, LIMIT - POSIXTRACE_LOG_EVENTS_AT);
	log_attr(&attr, POSIX_TRACE_LOOP, SMALL, POSIX_TRACE_APPEND, 0);
	trid = running_log(&attr, fd);
	last = flush_until_error(trid, u, &err);
	must_be(!ftruncate(ballast, 0));
	record_num(u, 10000);
	EXPECT_EQ(0, posix_trace_flush(trid));
	EXPECT_EQ(0, posix_trace_shutdown(trid));

	log = opened(fd);
	ASSERT_TRUE(log_find(log, POSIX_TRACE_ERROR, &ev));
	EXPECT_EQ(ENOSPC, ev_int(&ev));
	ASSERT_TRUE(log_find(log, u, &ev));
	EXPECT_EQ(10000, ev_num(&ev));
	EXPECT_FALSE(log_find(log, POSIX_TRACE_ERROR, &ev));
	c = contents_of(fd);
	EXPECT_EQ(10000, c.last);
	EXPECT_EQ(last - SMALL + 1, c.users);
	EXPECT_EQ(1, c.holes);
	EXPECT_EQ(0, c.info.posix_damaged);
	EXPECT_EQ(0, c.info.posix_missing);
}

/* A-097 [S]: ENOSPC from create, and no stream */
TEST(A097_full_file_system_is_ENOSPC)
{
	int fd, ballast, device = device_open();
	__u32 streams = streams_now(device);
	trace_id_t trid;

	if (!small_file_system(&fd, &ballast))
		SKIP(return, "needs root");
	leave_room(ballast, 0);
	EXPECT_EQ(ENOSPC, posix_trace_create_withlog(0, NULL, fd, &trid));
	EXPECT_EQ(streams, streams_now(device));
	EXPECT_EQ(0, ftruncate(ballast, 0));
	EXPECT_EQ(0, posix_trace_create_withlog(0, NULL, fd, &trid));
}

/* A create that may not write leaves the file as it was. */
TEST(refused_create_changes_nothing)
{
	static const rlim_t limits[] = { 0, 100, 4096, 4500, 8191 };
	int fd = log_file(), device = device_open();
	__u32 streams = streams_now(device);
	trace_id_t trid;
	unsigned int i;

	on_signal(SIGXFSZ, count_signal, 0);
	write_letters(fd, 300 * 1024);
	for (i = 0; i < ARRAY_SIZE(limits); i++) {
		limit_files(limits[i]);
		EXPECT_EQ(EFBIG, posix_trace_create_withlog(0, NULL, fd,
							    &trid));
		limit_files(RLIM_INFINITY);
		EXPECT_TRUE(has_only_letters(fd, 300 * 1024));
	}
	EXPECT_EQ(streams, streams_now(device));
	EXPECT_EQ(0, signals_seen);
}

/* A file that fails as it is told. */
FIXTURE(log_failure) {
	trace_event_id_t u;
	struct served file;
	trace_id_t trid;
};

FIXTURE_SETUP(log_failure)
{
	trace_attr_t attr;

	self->u = open_event("u");
	if (!served_start(&self->file))
		SKIP(return, "needs FUSE, and root");
	log_attr(&attr, POSIX_TRACE_LOOP, SMALL, POSIX_TRACE_APPEND, 0);
	self->trid = running_log(&attr, self->file.fd);
}

FIXTURE_TEARDOWN(log_failure)
{
}

/* An error of the device comes from flush, is in the status, and passes. */
TEST_F(log_failure, EIO_passes)
{
	struct contents c;

	record_nums(self->u, 1, 10);
	EXPECT_EQ(0, posix_trace_flush(self->trid));
	self->file.control->error = EIO;
	record_nums(self->u, 11, 20);
	EXPECT_EQ(EIO, posix_trace_flush(self->trid));
	EXPECT_LOG_STATUS(POSIX_TRACE_NOT_FULL, POSIX_TRACE_OVERRUN, EIO,
			  self->trid);
	self->file.control->error = 0;
	record_nums(self->u, 21, 30);
	EXPECT_EQ(0, posix_trace_flush(self->trid));
	c = contents_after(self->trid, self->file.fd);
	EXPECT_EQ(1, c.first);
	EXPECT_EQ(20, c.users);
	EXPECT_EQ(1, c.holes);
	EXPECT_EQ(30, c.last);
	EXPECT_STREQ("SufEgufgT", c.story);
	EXPECT_TRUE(c.info.posix_finished);
	EXPECT_EQ(0, c.info.posix_damaged);
}

/* A-205 [S]: of two errors the first one is kept */
TEST_F(log_failure, A205_first_error_is_kept)
{
	record_num(self->u, 1);
	self->file.control->error = ENOSPC;
	EXPECT_EQ(ENOSPC, posix_trace_flush(self->trid));
	record_num(self->u, 2);
	self->file.control->error = EIO;
	EXPECT_EQ(EIO, posix_trace_flush(self->trid));
	EXPECT_EQ(ENOSPC, status_of(self->trid).posix_stream_flush_error);
	EXPECT_EQ(0, status_of(self->trid).posix_stream_flush_error);
	record_num(self->u, 3);
	EXPECT_EQ(EIO, posix_trace_flush(self->trid));
	EXPECT_EQ(EIO, status_of(self->trid).posix_stream_flush_error);
}

/* Shutdown ends the stream whatever happens. */
TEST_F(log_failure, EIO_does_not_keep_the_stream_alive)
{
	struct posix_trace_status_info info;

	record_num(self->u, 1);
	self->file.control->error = EIO;
	EXPECT_EQ(EIO, posix_trace_shutdown(self->trid));
	EXPECT_EQ(EINVAL, posix_trace_get_status(self->trid, &info));
	/* What was written is still a log, one without end. */
	EXPECT_FALSE(contents_of(self->file.fd).info.posix_finished);
}

/* A write of less than was asked for goes on. */
TEST_F(log_failure, short_writes_are_completed)
{
	struct contents c;

	self->file.control->half = 1;
	record_and_flush(self->trid, self->u, 1, 10 * SMALL, SMALL);
	c = contents_after(self->trid, self->file.fd);
	EXPECT_NUMBERS(1, 10 * SMALL, c);
	EXPECT_TRUE(c.info.posix_finished);
}

/* A create on a file that fails makes no stream. */
TEST_F(log_failure, create_returns_the_error)
{
	int device = device_open();
	__u32 streams = streams_now(device);
	trace_id_t trid;

	must(posix_trace_shutdown(self->trid));
	self->file.control->error = EIO;
	EXPECT_EQ(EIO, posix_trace_create_withlog(0, NULL, self->file.fd,
						  &trid));
	EXPECT_EQ(streams - 1, streams_now(device));
}

static int record_many(const struct child *c, void *arg)
{
	unsigned int n;

	on_signal(SIGXFSZ, count_signal, 0);
	hand(c);
	await(c);
	for (n = 0; n < 20 * SMALL; n++)
		record_num(*(trace_event_id_t *)arg, n);
	return signals_seen;
}

/* A FLUSH stream of another process: nothing of this is seen there. */
TEST_F(log_failure, target_is_not_harmed)
{
	trace_attr_t attr;
	struct child c;
	trace_id_t trid;

	child_start(&c, record_many, &self->u);
	await(&c);
	log_attr(&attr, POSIX_TRACE_FLUSH, SMALL, 0, 0);
	trid = log_stream_on(c.pid, &attr, log_file());
	must(posix_trace_shutdown(trid));
	must(posix_trace_shutdown(self->trid));
	trid = log_stream_on(c.pid, &attr, self->file.fd);
	must(posix_trace_start(trid));
	self->file.control->error = EFBIG;
	hand(&c);
	EXPECT_EQ(0, child_end(&c));
	EXPECT_TRUE(wait_until(status_of(trid).posix_stream_flush_error ==
			       EFBIG));
	self->file.control->error = 0;
	EXPECT_EQ(0, posix_trace_flush(trid));
	EXPECT_EQ(0, posix_trace_shutdown(trid));
}

TEST_HARNESS_MAIN
