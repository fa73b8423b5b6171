// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happens when the log is full, sizes and times of its file (assertions
 *
 */
#include "withlog_test.h"

#include <sys/mount.h>

#define SMALL	100	/* events that a stream has to hold */
#define LOG_HOLDS 1000	/* events of which a log has the size */
#define BATCH	50	/* events for each flush */

FIXTURE(log_policy) {
	trace_event_id_t u;
	int fd;
	trace_attr_t attr;
	trace_id_t trid;
};

FIXTURE_SETUP(log_policy)
{
	self->u = open_event("u");
	self->fd = log_file();
}

FIXTURE_TEARDOWN(log_policy)
{
}

/* A running LOOP stream with a log for about LOG_HOLDS events. */
static trace_id_t limited_log(int log_policy, int fd)
{
	trace_attr_t attr;

	log_attr(&attr, POSIX_TRACE_LOOP, SMALL, log_policy,
		 LOG_HOLDS * num_size());
	return running_log(&attr, fd);
}

static size_t log_size_of(trace_id_t trid)
{
	trace_attr_t attr;
	size_t size;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_get_attr(trid, &attr));
	must(posix_trace_attr_getlogsize(&attr, &size));
	return size;
}

/* A-274 [S]: a LOOP log has the newest events, without holes */
TEST_F(log_policy, A274_LOOP_log_has_the_newest_events)
{
	struct contents c;

	self->trid = limited_log(POSIX_TRACE_LOOP, self->fd);
	record_and_flush(self->trid, self->u, 1, 3 * LOG_HOLDS, BATCH);
	c = contents_after(self->trid, self->fd);
	EXPECT_LT(1, c.first);
	EXPECT_NUMBERS(c.first, 3 * LOG_HOLDS, c);
	EXPECT_GE(LOG_HOLDS, c.users);
	EXPECT_LE(LOG_HOLDS / 2, c.users);
	EXPECT_TRUE(c.info.posix_finished);
}

/* A-274 [S]: also before it is shut down, wherever it was written last */
TEST_F(log_policy, A274_LOOP_log_can_be_read_at_any_time)
{
	struct contents c;
	unsigned int n;

	self->trid = limited_log(POSIX_TRACE_LOOP, self->fd);
	for (n = 0; n < 5 * LOG_HOLDS; n += 77) {
		record_nums(self->u, n + 1, n + 77);
		must(posix_trace_flush(self->trid));
		c = contents_of(self->fd);
		ASSERT_EQ(n + 77, c.last);
		ASSERT_EQ(0, c.holes);
		ASSERT_TRUE(c.in_order);
		ASSERT_EQ(0, c.info.posix_damaged);
		ASSERT_EQ(0, c.info.posix_missing);
		ASSERT_LE(n + 77 < LOG_HOLDS / 2 ? n + 77 : LOG_HOLDS / 2,
			  c.users);
	}
}

/* A-274 [S]: also after a hundred rounds, with all that is known of it */
TEST_F(log_policy, A274_LOOP_log_after_a_hundred_rounds)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_event_id_t late;
	struct contents c;
	trace_id_t log;
	struct ev ev;
	int seen;

	self->trid = limited_log(POSIX_TRACE_LOOP, self->fd);
	record_and_flush(self->trid, self->u, 1, 50 * LOG_HOLDS, BATCH);
	late = open_event("late");
	record_and_flush(self->trid, self->u, 50 * LOG_HOLDS + 1,
			 100 * LOG_HOLDS, BATCH);
	record_num(late, 100 * LOG_HOLDS + 1);
	EXPECT_EQ(0, posix_trace_shutdown(self->trid));

	log = opened(self->fd);
	EXPECT_EQ(0, posix_trace_eventid_get_name(log, self->u, name));
	EXPECT_STREQ("u", name);
	EXPECT_EQ(0, posix_trace_eventid_get_name(log, late, name));
	EXPECT_STREQ("late", name);
	EXPECT_EQ(LOG_HOLDS * num_size(), log_size_of(log));
	must(posix_trace_attr_init(&self->attr));
	must(posix_trace_get_attr(log, &self->attr));
	must(posix_trace_attr_getlogfullpolicy(&self->attr, &seen));
	EXPECT_EQ(POSIX_TRACE_LOOP, seen);
	EXPECT_TRUE(log_find(log, late, &ev));
	must(posix_trace_rewind(log));
	c = contents_of_open(log);
	EXPECT_NUMBERS(c.first, 100 * LOG_HOLDS + 1, c);
	EXPECT_LE(LOG_HOLDS / 2, c.users);
	EXPECT_EQ(POSIX_TRACE_FULL, c.status.posix_log_full_status);
}

/*
 * A-274 [S]: the smallest log, whose size is that of a stream, loses the oldest
 * events only.
 */
TEST_F(log_policy, A274_smallest_LOOP_log_keeps_half_of_its_size)
{
	struct contents c;
	unsigned int n, holds;

	log_attr(&self->attr, POSIX_TRACE_LOOP, LOG_HOLDS, POSIX_TRACE_LOOP, 1);
	self->trid = running_log(&self->attr, self->fd);
	holds = log_size_of(self->trid) / num_size();
	/* One large flush, then small ones that go over it. */
	record_nums(self->u, 1, LOG_HOLDS);
	must(posix_trace_flush(self->trid));
	for (n = LOG_HOLDS; n < 4 * LOG_HOLDS; n += 10) {
		record_nums(self->u, n + 1, n + 10);
		must(posix_trace_flush(self->trid));
		c = contents_of(self->fd);
		ASSERT_EQ(n + 10, c.last);
		ASSERT_EQ(0, c.holes);
		ASSERT_LE(holds / 2, c.users);
	}
}

/* A-203 [S]: the log's overrun is reset when it is read */
/* A-275 [S]: a log that has wrapped is full, and overrun */
TEST_F(log_policy, A203_A275_wrapped_LOOP_log_is_full_and_overrun)
{
	self->trid = limited_log(POSIX_TRACE_LOOP, self->fd);
	record_and_flush(self->trid, self->u, 1, 2 * LOG_HOLDS, BATCH);
	EXPECT_LOG_STATUS(POSIX_TRACE_FULL, POSIX_TRACE_OVERRUN, 0, self->trid);
	EXPECT_LOG_STATUS(POSIX_TRACE_FULL, POSIX_TRACE_NO_OVERRUN, 0,
			  self->trid);
	record_and_flush(self->trid, self->u, 1, BATCH, BATCH);
	EXPECT_LOG_STATUS(POSIX_TRACE_FULL, POSIX_TRACE_OVERRUN, 0, self->trid);
}

/* A-276 [S]: not while there is room */
TEST_F(log_policy, A276_LOOP_log_with_room_is_not_full)
{
	self->trid = limited_log(POSIX_TRACE_LOOP, self->fd);
	record_and_flush(self->trid, self->u, 1, LOG_HOLDS / 2, BATCH);
	EXPECT_LOG_STATUS(POSIX_TRACE_NOT_FULL, POSIX_TRACE_NO_OVERRUN, 0,
			  self->trid);
}

/* A-277 [C-61]: what was overwritten in the log is no overflow of the stream */
TEST_F(log_policy, A277_no_OVERFLOW_is_made_up_for_the_log)
{
	struct contents c;

	self->trid = limited_log(POSIX_TRACE_LOOP, self->fd);
	record_and_flush(self->trid, self->u, 1, 2 * LOG_HOLDS, BATCH);
	c = contents_after(self->trid, self->fd);
	EXPECT_LT(1, c.first);
	EXPECT_STREQ("uT", without_flushes(&c));
}

/* A-278 [S]: a full UNTIL_FULL log has the first events, and STOP at the end */
TEST_F(log_policy, A278_UNTIL_FULL_log_has_the_first_events)
{
	struct contents c;

	self->trid = limited_log(POSIX_TRACE_UNTIL_FULL, self->fd);
	record_and_flush(self->trid, self->u, 1, 2 * LOG_HOLDS, BATCH);
	c = contents_after(self->trid, self->fd);
	EXPECT_NUMBERS(1, c.last, c);
	/* FLUSH_START and FLUSH_STOP of each flush take room, too. */
	EXPECT_LE(LOG_HOLDS * 9 / 10, c.users);
	EXPECT_GE(LOG_HOLDS * num_size(), c.bytes);
	EXPECT_STREQ("SuX", without_flushes(&c));
	EXPECT_TRUE(c.info.posix_finished);
}

/* A-279 [S]: it is full, and overrun */
/* A-281 [C-30]: and the stream is stopped */
TEST_F(log_policy, A279_A281_full_UNTIL_FULL_log_stops_the_stream)
{
	struct posix_trace_status_info info;

	self->trid = limited_log(POSIX_TRACE_UNTIL_FULL, self->fd);
	record_and_flush(self->trid, self->u, 1, 2 * LOG_HOLDS, BATCH);
	info = status_of(self->trid);
	EXPECT_EQ(POSIX_TRACE_SUSPENDED, info.posix_stream_status);
	EXPECT_EQ(POSIX_TRACE_FULL, info.posix_log_full_status);
	EXPECT_EQ(POSIX_TRACE_OVERRUN, info.posix_log_overrun_status);
	EXPECT_EQ(0, info.posix_stream_flush_error);
}

/* A-280 [S]: a full log does not change, even if the stream is started again */
TEST_F(log_policy, A280_full_UNTIL_FULL_log_does_not_change)
{
	struct contents before, c;

	self->trid = limited_log(POSIX_TRACE_UNTIL_FULL, self->fd);
	record_and_flush(self->trid, self->u, 1, 2 * LOG_HOLDS, BATCH);
	before = contents_of(self->fd);
	EXPECT_EQ(0, posix_trace_start(self->trid));
	EXPECT_EQ(POSIX_TRACE_RUNNING,
		  status_of(self->trid).posix_stream_status);
	record_and_flush(self->trid, self->u, 3 * LOG_HOLDS, 4 * LOG_HOLDS,
			 BATCH);
	EXPECT_LOG_STATUS(POSIX_TRACE_FULL, POSIX_TRACE_OVERRUN, 0, self->trid);
	c = contents_after(self->trid, self->fd);
	EXPECT_STREQ(before.story, c.story);
	EXPECT_EQ(before.last, c.last);
	EXPECT_EQ(before.events, c.events);
}

/* C-30: a FLUSH stream, too, is stopped for good */
TEST_F(log_policy, full_UNTIL_FULL_log_stops_a_FLUSH_stream)
{
	struct contents c;
	unsigned int i;

	log_attr(&self->attr, POSIX_TRACE_FLUSH, SMALL, POSIX_TRACE_UNTIL_FULL,
		 LOG_HOLDS * num_size());
	self->trid = running_log(&self->attr, self->fd);
	for (i = 1; i <= 4 * LOG_HOLDS; i++) {
		record_num(self->u, i);
		if (i % BATCH == 0)
			must(posix_trace_flush(self->trid));
	}
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
	c = contents_after(self->trid, self->fd);
	EXPECT_NUMBERS(1, c.last, c);
	EXPECT_STREQ("SuX", without_flushes(&c));
}

/* A-282 [S]: an APPEND log takes all, whatever its size is said to be */
/* A-283 [S]: without overrun */
TEST_F(log_policy, A282_A283_APPEND_log_takes_everything)
{
	struct contents c;

	log_attr(&self->attr, POSIX_TRACE_LOOP, SMALL, POSIX_TRACE_APPEND,
		 1000);
	self->trid = running_log(&self->attr, self->fd);
	record_and_flush(self->trid, self->u, 1, 20 * LOG_HOLDS, BATCH);
	EXPECT_LOG_STATUS(POSIX_TRACE_NOT_FULL, POSIX_TRACE_NO_OVERRUN, 0,
			  self->trid);
	c = contents_after(self->trid, self->fd);
	EXPECT_NUMBERS(1, 20 * LOG_HOLDS, c);
	EXPECT_STREQ("SuT", without_flushes(&c));
}

/* Bytes of the file of a LOOP log after @n events, @batch for each flush. */
static off_t size_after(int fd, trace_event_id_t id, unsigned int n,
			unsigned int batch)
{
	trace_id_t trid = limited_log(POSIX_TRACE_LOOP, fd);
	size_t bytes;

	record_and_flush(trid, id, 1, n, batch);
	bytes = contents_after(trid, fd).bytes;
	must_be(bytes <= LOG_HOLDS * num_size());
	return file_size(fd);
}

/* A-284 [S]: a LOOP log has at most so many bytes, and does not grow */
TEST_F(log_policy, A284_LOOP_log_does_not_grow)
{
	static const unsigned int batches[] = { 5, BATCH };
	off_t few, many;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		few = size_after(self->fd, self->u, 2 * LOG_HOLDS, batches[i]);
		many = size_after(log_file(), self->u, 5 * LOG_HOLDS,
				  batches[i]);
		EXPECT_LE(many, few + 4096);
		EXPECT_GE(2 * LOG_HOLDS * num_size() + 200 * 1024, many);
	}
}

/* A-285 [C-18]: a log is at least as large as a whole stream and a STOP */
TEST_F(log_policy, A285_too_small_log_size_is_raised)
{
	size_t stream, stop;

	must(posix_trace_attr_init(&self->attr));
	must(posix_trace_attr_setlogsize(&self->attr, 1));
	must(posix_trace_attr_getstreamsize(&self->attr, &stream));
	must(posix_trace_attr_getmaxusereventsize(&self->attr, sizeof(int),
						  &stop));
	EXPECT_EQ(0, posix_trace_create_withlog(0, &self->attr, self->fd,
						&self->trid));
	EXPECT_LE(stream + stop, log_size_of(self->trid));
}

/* A-285 [C-18]: a whole stream does fit */
TEST_F(log_policy, A285_raised_log_holds_a_whole_stream)
{
	unsigned int last;
	struct contents c;

	log_attr(&self->attr, POSIX_TRACE_UNTIL_FULL, SMALL,
		 POSIX_TRACE_UNTIL_FULL, 1);
	self->trid = running_log(&self->attr, self->fd);
	last = fill(self->trid, self->u);
	c = contents_after(self->trid, self->fd);
	EXPECT_NUMBERS(1, last - 1, c);
	EXPECT_STREQ("SuX", c.story);
}

/* A-286 [S]: writing to the log marks its modification time */
TEST_F(log_policy, A286_flush_marks_the_modification_time)
{
	static const struct timespec old[2] = { { 1000, 0 }, { 1000, 0 } };
	struct timespec before;
	struct stat st;

	self->trid = running_log(NULL, self->fd);
	record_num(self->u, 1);
	/* File systems use the coarse clock. */
	ASSERT_EQ(0, clock_gettime(CLOCK_REALTIME_COARSE, &before));
	ASSERT_EQ(0, futimens(self->fd, old));
	EXPECT_EQ(0, posix_trace_flush(self->trid));
	ASSERT_EQ(0, fstat(self->fd, &st));
	EXPECT_LE(0, ts_cmp(st.st_mtim, before));
	EXPECT_EQ(0, posix_trace_shutdown(self->trid));
	ASSERT_EQ(0, fstat(self->fd, &st));
	EXPECT_LE(0, ts_cmp(st.st_mtim, before));
}

#define MOUNT_POINT	LOG_FOLDER "/posixtrace-mount"

/* A-287 [S]: reading the log marks its access time */
TEST_F(log_policy, A287_reading_marks_the_access_time)
{
	static const struct timespec old[2] = { { 1000, 0 }, { 1000, 0 } };
	struct timespec before;
	struct stat st;
	int fd;

	ASSERT_EQ(0, mkdir(MOUNT_POINT, 0700));
	if (mount("none", MOUNT_POINT, "tmpfs", MS_STRICTATIME, NULL))
		SKIP(return, "needs root");
	fd = open(MOUNT_POINT "/log", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	must_be(fd >= 0 && !umount2(MOUNT_POINT, MNT_DETACH));
	rmdir(MOUNT_POINT);
	self->trid = running_log(NULL, fd);
	record_num(self->u, 1);
	EXPECT_EQ(0, posix_trace_shutdown(self->trid));
	ASSERT_EQ(0, futimens(fd, old));
	ASSERT_EQ(0, clock_gettime(CLOCK_REALTIME_COARSE, &before));
	EXPECT_STREQ("SuT", contents_of(fd).story);
	ASSERT_EQ(0, fstat(fd, &st));
	EXPECT_LE(0, ts_cmp(st.st_atim, before));
}

TEST_HARNESS_MAIN
