// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading of streams whose log is still written, and the status that a log
 * keeps (assertions ).
 */
#include "withlog_test.h"

#define SMALL	20	/* events that a stream has to hold */

FIXTURE(log_status) {
	trace_event_id_t u;
	int fd;
	trace_attr_t attr;
	trace_id_t trid;
};

FIXTURE_SETUP(log_status)
{
	self->u = open_event("u");
	self->fd = log_file();
	log_attr(&self->attr, POSIX_TRACE_UNTIL_FULL, SMALL, 0, 0);
}

FIXTURE_TEARDOWN(log_status)
{
}

/* A-177 [C-08]: what is read from the stream is in the log all the same */
TEST_F(log_status, A177_reading_takes_nothing_from_the_log)
{
	struct ev ev;

	self->trid = running_log(NULL, self->fd);
	record_num(self->u, 1);
	ASSERT_EQ(0, ev_next(self->trid, &ev));
	EXPECT_EQ(POSIX_TRACE_START, ev.info.posix_event_id);
	ASSERT_EQ(0, ev_next(self->trid, &ev));
	EXPECT_EQ(self->u, ev.info.posix_event_id);
	EXPECT_STREQ("SuT", contents_after(self->trid, self->fd).story);
}

static int timed_next(trace_id_t trid, struct ev *ev)
{
	struct timespec until = realtime_in(20);

	return posix_trace_timedgetnext_event(trid, &ev->info, ev->data,
					      sizeof(ev->data), &ev->len,
					      &ev->unavailable, &until);
}

/* A-177 [C-08]: each event is reported once, those that were flushed never */
TEST_F(log_status, A177_flushed_events_are_skipped)
{
	struct contents c;
	struct ev ev;

	self->trid = running_log(NULL, self->fd);
	record_nums(self->u, 1, 3);
	ASSERT_EQ(0, ev_next(self->trid, &ev));
	ASSERT_EQ(0, ev_next(self->trid, &ev));
	EXPECT_EQ(1, ev_num(&ev));
	must(posix_trace_flush(self->trid));
	ASSERT_EQ(0, ev_next(self->trid, &ev));
	EXPECT_EQ(POSIX_TRACE_FLUSH_STOP, ev.info.posix_event_id);
	EXPECT_EQ(ETIMEDOUT, timed_next(self->trid, &ev));
	record_num(self->u, 4);
	EXPECT_EQ(0, timed_next(self->trid, &ev));
	EXPECT_EQ(4, ev_num(&ev));
	EXPECT_EQ(ETIMEDOUT, timed_next(self->trid, &ev));
	c = contents_after(self->trid, self->fd);
	EXPECT_NUMBERS(1, 4, c);
}

/* A-177 [C-08]: reading makes no room: only a flush does */
TEST_F(log_status, A177_reading_frees_no_room)
{
	struct ev ev;

	self->trid = running_log(&self->attr, self->fd);
	fill(self->trid, self->u);
	while (!timed_next(self->trid, &ev))
		;
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
}

/* A blocked reader gets what is recorded, or EINVAL from a shutdown. */
TEST_F(log_status, blocked_reader_is_woken)
{
	struct reader r = { .trid = log_stream(NULL, self->fd) };

	reader_start(&r);
	ASSERT_TRUE(reader_is_blocked(&r));
	must(posix_trace_flush(r.trid));
	ASSERT_TRUE(reader_is_blocked(&r));
	must(posix_trace_start(r.trid));
	EXPECT_EQ(0, reader_join(&r));
	EXPECT_EQ(POSIX_TRACE_START, r.ev.info.posix_event_id);
	reader_start(&r);
	ASSERT_TRUE(reader_is_blocked(&r));
	must(posix_trace_shutdown(r.trid));
	EXPECT_EQ(EINVAL, reader_join(&r));
}

/* Also by the events that a flush adds to a stream that runs. */
TEST_F(log_status, blocked_reader_is_woken_by_a_flush)
{
	struct reader r = { .trid = running_log(NULL, self->fd) };
	struct ev ev;

	ASSERT_EQ(0, ev_next(r.trid, &ev));
	EXPECT_EQ(POSIX_TRACE_START, ev.info.posix_event_id);
	reader_start(&r);
	ASSERT_TRUE(reader_is_blocked(&r));
	must(posix_trace_flush(r.trid));
	EXPECT_EQ(0, reader_join(&r));
	/* The first one is there for a moment: it goes to the log. */
	if (r.ev.info.posix_event_id != POSIX_TRACE_FLUSH_START)
		EXPECT_EQ(POSIX_TRACE_FLUSH_STOP, r.ev.info.posix_event_id);
	must(posix_trace_shutdown(r.trid));
}

/* A-183 [C-08]: trygetnext refuses streams with a log */
TEST_F(log_status, A183_trygetnext_is_refused)
{
	struct ev ev;

	self->trid = running_log(NULL, self->fd);
	EXPECT_EQ(EINVAL, posix_trace_trygetnext_event(self->trid, &ev.info,
						       ev.data, sizeof(ev.data),
						       &ev.len,
						       &ev.unavailable));
	EXPECT_STREQ("ST", contents_after(self->trid, self->fd).story);
}

/* A-208 [S]: an overrun that was not read is in the log, however often read */
TEST_F(log_status, A208_overrun_stays_in_the_log)
{
	trace_id_t log;

	self->trid = running_log(&self->attr, self->fd);
	fill(self->trid, self->u);
	record_num(self->u, 1);
	must(posix_trace_shutdown(self->trid));
	log = opened(self->fd);
	EXPECT_EQ(POSIX_TRACE_OVERRUN,
		  status_of(log).posix_stream_overrun_status);
	EXPECT_EQ(POSIX_TRACE_OVERRUN,
		  status_of(log).posix_stream_overrun_status);
}

/* A-209 [C-54]: the status is that of the very end */
TEST_F(log_status, A209_status_of_a_log_is_that_of_the_end)
{
	struct posix_trace_status_info info;

	self->trid = running_log(&self->attr, self->fd);
	record_nums(self->u, 1, 3);
	must(posix_trace_shutdown(self->trid));
	info = status_of(opened(self->fd));
	EXPECT_EQ(POSIX_TRACE_SUSPENDED, info.posix_stream_status);
	EXPECT_EQ(POSIX_TRACE_NOT_FULL, info.posix_stream_full_status);
	EXPECT_EQ(POSIX_TRACE_NO_OVERRUN, info.posix_stream_overrun_status);
	EXPECT_EQ(POSIX_TRACE_NOT_FLUSHING, info.posix_stream_flush_status);
	EXPECT_EQ(0, info.posix_stream_flush_error);
	EXPECT_EQ(POSIX_TRACE_NO_OVERRUN, info.posix_log_overrun_status);
	EXPECT_EQ(POSIX_TRACE_NOT_FULL, info.posix_log_full_status);
}

/* A-209 [C-54]: also if the stream was full */
TEST_F(log_status, A209_last_flush_has_emptied_the_stream)
{
	static const int policies[] = {
		POSIX_TRACE_LOOP, POSIX_TRACE_UNTIL_FULL, POSIX_TRACE_FLUSH,
	};
	struct posix_trace_status_info info;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		log_attr(&self->attr, policies[i], SMALL, 0, 0);
		self->trid = running_log(&self->attr, self->fd);
		record_nums(self->u, 1, 3 * SMALL);
		must(posix_trace_shutdown(self->trid));
		info = status_of(opened(self->fd));
		EXPECT_EQ(POSIX_TRACE_SUSPENDED, info.posix_stream_status);
		EXPECT_EQ(POSIX_TRACE_NOT_FULL, info.posix_stream_full_status);
	}
}

/* A-210 [C-54]: an overrun that was read is not there any more */
TEST_F(log_status, A210_overrun_that_was_read_is_not_in_the_log)
{
	self->trid = running_log(&self->attr, self->fd);
	fill(self->trid, self->u);
	record_num(self->u, 1);
	EXPECT_EQ(POSIX_TRACE_OVERRUN,
		  status_of(self->trid).posix_stream_overrun_status);
	must(posix_trace_shutdown(self->trid));
	EXPECT_EQ(POSIX_TRACE_NO_OVERRUN,
		  status_of(opened(self->fd)).posix_stream_overrun_status);
}

/* The counters of a log are those of the end. */
TEST_F(log_status, counters_are_kept)
{
	struct posix_trace_counters_np end = {}, log = {};
	struct ev ev;

	self->trid = running_log(&self->attr, self->fd);
	fill(self->trid, self->u);
	record_num(self->u, 1);
	ASSERT_EQ(0, ev_next(self->trid, &ev));
	must(posix_trace_get_counters_np(self->trid, &end));
	must(posix_trace_shutdown(self->trid));
	must(posix_trace_get_counters_np(opened(self->fd), &log));
	EXPECT_EQ(end.posix_recorded, log.posix_recorded);
	EXPECT_EQ(end.posix_lost, log.posix_lost);
	EXPECT_EQ(end.posix_read, log.posix_read);
	EXPECT_LT(0, log.posix_flushed);
}

/* A-342 [S]: a log that was full tells so */
TEST_F(log_status, A342_log_that_was_full_tells_so)
{
	log_attr(&self->attr, POSIX_TRACE_LOOP, SMALL, POSIX_TRACE_UNTIL_FULL,
		 1);
	self->trid = running_log(&self->attr, self->fd);
	record_and_flush(self->trid, self->u, 1, 10 * SMALL, SMALL / 2);
	must(posix_trace_shutdown(self->trid));
	EXPECT_EQ(POSIX_TRACE_FULL,
		  status_of(opened(self->fd)).posix_log_full_status);
	EXPECT_EQ(POSIX_TRACE_OVERRUN,
		  status_of(opened(self->fd)).posix_log_overrun_status);
}

TEST_HARNESS_MAIN
