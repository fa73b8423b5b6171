// SPDX-License-Identifier: GPL-2.0-only
/*
 * Streams that are flushed, by themselves or by posix_trace_flush() (assertions
 * Flushes that fail are in
 * log_error.c.
 */
#include <linux/posixtrace.h>

#include "fuse_test.h"

#define SMALL	100		/* events that a small stream has to hold */
#define HALF	(SMALL * 6 / 10)	/* so many are more than half of it */
#define MANY	(20 * SMALL)
#define THREADS	4

FIXTURE(log_flush) {
	trace_event_id_t u;
	int fd;
	trace_attr_t attr;
	trace_id_t trid;
};

FIXTURE_SETUP(log_flush)
{
	self->u = open_event("u");
	self->fd = log_file();
	log_attr(&self->attr, POSIX_TRACE_FLUSH, SMALL, 0, 0);
}

FIXTURE_TEARDOWN(log_flush)
{
}

/*
 * Bytes that are not in the log yet, if the numbers up to @n, START and what
 * flushing adds are all that was recorded.
 */
static unsigned long long unflushed(trace_id_t trid, unsigned int n)
{
	struct posix_trace_counters_np counters;

	must(posix_trace_get_counters_np(trid, &counters));
	return POSIXTRACE_RECORD_SIZE(sizeof(n)) * n +
	       POSIXTRACE_RECORD_SIZE(sizeof(trace_event_set_t)) +
	       POSIXTRACE_RECORD_SIZE(0) * (counters.posix_recorded - n - 1) -
	       counters.posix_flushed;
}

/* Record so slowly that never more than 0.8 of the stream is used. */
static bool record_slowly(trace_id_t trid, trace_event_id_t id,
			  unsigned int first, unsigned int last)
{
	const unsigned int step = SMALL * 3 / 10;
	trace_attr_t attr;
	size_t size;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_get_attr(trid, &attr));
	must(posix_trace_attr_getstreamsize(&attr, &size));
	for (; first <= last; first += step) {
		record_nums(id, first, first + step - 1);
		/* What is more than half has a flush begin. */
		if (!wait_until(unflushed(trid, first + step - 1) <= size / 2))
			return false;
	}
	return true;
}

/* A-250 [S]: a FLUSH stream loses nothing that comes slowly enough */
TEST_F(log_flush, A250_all_events_are_in_the_log_in_order)
{
	struct contents c;

	self->trid = running_log(&self->attr, self->fd);
	ASSERT_TRUE(record_slowly(self->trid, self->u, 1, MANY));
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
	c = contents_after(self->trid, self->fd);
	EXPECT_LE(MANY, c.last);
	EXPECT_NUMBERS(1, c.last, c);
	EXPECT_STREQ("SuT", without_flushes(&c));
}

/* A-251 [S]: its own flushes are in the log, too */
TEST_F(log_flush, A251_automatic_flushes_are_recorded_without_data)
{
	struct ev ev;
	trace_id_t log;

	self->trid = running_log(&self->attr, self->fd);
	ASSERT_TRUE(record_slowly(self->trid, self->u, 1, 2 * HALF));
	EXPECT_EQ(0, posix_trace_shutdown(self->trid));
	log = opened(self->fd);
	ASSERT_TRUE(log_find(log, POSIX_TRACE_FLUSH_START, &ev));
	EXPECT_EQ(0, ev.len);
	ASSERT_TRUE(log_find(log, POSIX_TRACE_FLUSH_STOP, &ev));
	EXPECT_EQ(0, ev.len);
	EXPECT_TRUE(log_find(log, POSIX_TRACE_FLUSH_START, &ev));
	EXPECT_TRUE(log_find(log, POSIX_TRACE_FLUSH_STOP, &ev));
}

/* A log whose file lets writing wait, and a burst of events meanwhile. */
FIXTURE(log_burst) {
	trace_event_id_t u;
	struct served file;
	trace_id_t trid;
};

FIXTURE_SETUP(log_burst)
{
	trace_attr_t attr;

	self->u = open_event("u");
	if (!served_start(&self->file))
		SKIP(return, "needs FUSE, and root");
	log_attr(&attr, POSIX_TRACE_FLUSH, SMALL, 0, 0);
	self->trid = running_log(&attr, self->file.fd);
	served_hold(&self->file);
	record_nums(self->u, 1, HALF);
	ASSERT_TRUE(served_is_held(&self->file));
	record_nums(self->u, HALF + 1, HALF + 2 * SMALL);
}

FIXTURE_TEARDOWN(log_burst)
{
}

/* A-252 [S]: a burst that is faster than flushing is an overrun */
TEST_F(log_burst, A252_burst_faster_than_flushing_is_an_overrun)
{
	struct contents c;

	EXPECT_EQ(POSIX_TRACE_FLUSHING,
		  status_of(self->trid).posix_stream_flush_status);
	record_num(self->u, HALF + 2 * SMALL + 1);
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_FULL,
		      POSIX_TRACE_OVERRUN, self->trid);
	served_go_on(&self->file);
	c = contents_after(self->trid, self->file.fd);
	EXPECT_EQ(1, c.first);
	EXPECT_LE(HALF + SMALL, c.users);
	EXPECT_GT(HALF + 2 * SMALL, c.users);
	EXPECT_TRUE(c.in_order);
}

static bool runs_again(trace_id_t trid)
{
	return wait_until(status_of(trid).posix_stream_status ==
			  POSIX_TRACE_RUNNING);
}

/* A-253 [C-22]: STOP, OVERFLOW, RESUME, START tell the gap */
TEST_F(log_burst, A253_gap_is_told_by_STOP_OVERFLOW_RESUME_START)
{
	struct contents c;

	served_go_on(&self->file);
	ASSERT_TRUE(runs_again(self->trid));
	record_num(self->u, 1000);
	c = contents_after(self->trid, self->file.fd);
	EXPECT_STREQ("SuXORSuT", without_flushes(&c));
	EXPECT_EQ(1000, c.last);
	EXPECT_EQ(1, c.holes);
	EXPECT_TRUE(c.in_order);
}

/* A-254 [S]: a stream that ran full goes on when it was flushed */
TEST_F(log_burst, A254_full_stream_runs_again_when_it_was_flushed)
{
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_FULL,
		      POSIX_TRACE_OVERRUN, self->trid);
	served_go_on(&self->file);
	EXPECT_TRUE(runs_again(self->trid));
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
}

/* A-254 [S]: not if it was stopped meanwhile; the gap is told all the same */
TEST_F(log_burst, A254_stream_that_was_stopped_stays_so)
{
	struct contents c;

	EXPECT_EQ(0, posix_trace_stop(self->trid));
	served_go_on(&self->file);
	EXPECT_EQ(0, posix_trace_flush(self->trid));
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_OVERRUN, self->trid);
	EXPECT_EQ(0, posix_trace_start(self->trid));
	record_num(self->u, 1000);
	c = contents_after(self->trid, self->file.fd);
	EXPECT_STREQ("SuXORSuT", without_flushes(&c));
	EXPECT_TRUE(c.in_order);
}

/* The recording process does not wait for the disk, nor does the controller. */
TEST_F(log_burst, nobody_but_flush_waits_for_the_file)
{
	struct ev ev;

	record_nums(self->u, 1, MANY);
	EXPECT_EQ(POSIX_TRACE_FLUSHING,
		  status_of(self->trid).posix_stream_flush_status);
	EXPECT_EQ(0, ev_next(self->trid, &ev));
	EXPECT_EQ(0, posix_trace_stop(self->trid));
	EXPECT_TRUE(self->file.control->held);
	served_go_on(&self->file);
	EXPECT_EQ(0, posix_trace_flush(self->trid));
	EXPECT_EQ(POSIX_TRACE_NOT_FLUSHING,
		  status_of(self->trid).posix_stream_flush_status);
}

/* A-255 [S]: FLUSH_START and FLUSH_STOP can be filtered */
TEST_F(log_flush, A255_flush_events_can_be_filtered)
{
	struct contents c;

	self->trid = log_stream(&self->attr, self->fd);
	filter_out(self->trid, POSIX_TRACE_FLUSH_START);
	filter_out(self->trid, POSIX_TRACE_FLUSH_STOP);
	must(posix_trace_start(self->trid));
	ASSERT_TRUE(record_slowly(self->trid, self->u, 1, 3 * HALF));
	EXPECT_EQ(0, posix_trace_flush(self->trid));
	c = contents_after(self->trid, self->fd);
	EXPECT_STREQ("SuT", c.story);
}

/* A-256 [S]: a few events are in the log after a flush */
TEST_F(log_flush, A256_flush_of_a_few_events_writes_them)
{
	struct contents c;

	self->trid = running_log(&self->attr, self->fd);
	record_nums(self->u, 1, 3);
	EXPECT_EQ(0, contents_of(self->fd).users);
	EXPECT_EQ(0, posix_trace_flush(self->trid));
	c = contents_of(self->fd);
	EXPECT_NUMBERS(1, 3, c);
	EXPECT_STREQ("Suf", c.story);
}

/* A stream is flushed whatever fills it. */
TEST_F(log_flush, FILTER_events_alone_have_it_flushed)
{
	unsigned int i;

	self->trid = running_log(&self->attr, self->fd);
	for (i = 0; i < MANY; i++)
		filter_out(self->trid, open_event("other"));
	EXPECT_TRUE(flushed_by_itself(self->trid));
	EXPECT_TRUE(runs_again(self->trid));
}

/* Likewise. */
TEST_F(log_flush, START_and_STOP_alone_have_it_flushed)
{
	unsigned int i;

	self->trid = running_log(&self->attr, self->fd);
	for (i = 0; i < MANY; i++) {
		must(posix_trace_stop(self->trid));
		must(posix_trace_start(self->trid));
	}
	record_num(self->u, 1);
	EXPECT_TRUE(flushed_by_itself(self->trid));
	EXPECT_TRUE(runs_again(self->trid));
}

/* A-257 [S]: 0, and not flushing afterwards */
/* A-272 [C-13]: at once, as flush returns when it is done */
TEST_F(log_flush, A257_A272_flush_is_over_when_it_returns)
{
	self->trid = running_log(NULL, self->fd);
	record_nums(self->u, 1, MANY);
	EXPECT_EQ(0, posix_trace_flush(self->trid));
	EXPECT_EQ(POSIX_TRACE_NOT_FLUSHING,
		  status_of(self->trid).posix_stream_flush_status);
}

/* A-258 [S]: EINVAL for a stream without log */
TEST_F(log_flush, A258_stream_without_log_is_refused)
{
	self->trid = running_stream();
	EXPECT_EQ(EINVAL, posix_trace_flush(self->trid));
	EXPECT_EQ(1, drain_count(self->trid, POSIX_TRACE_START));
}

/* A-259 [S]: EINVAL for a bad trid */
TEST_F(log_flush, A259_bad_trid_is_refused)
{
	EXPECT_EQ(EINVAL, posix_trace_flush(bad_trid()));
	self->trid = running_log(NULL, self->fd);
	EXPECT_EQ(0, posix_trace_shutdown(self->trid));
	EXPECT_EQ(EINVAL, posix_trace_flush(self->trid));
}

/* A-260 [S]: EINVAL for a log that is read */
TEST_F(log_flush, A260_prerecorded_trid_is_refused)
{
	must(posix_trace_shutdown(running_log(NULL, self->fd)));
	EXPECT_EQ(EINVAL, posix_trace_flush(opened(self->fd)));
}

/* A-261 [S]: a flush makes room for as much again */
TEST_F(log_flush, A261_flushed_stream_can_be_filled_again)
{
	struct contents c;

	log_attr(&self->attr, POSIX_TRACE_LOOP, SMALL, 0, 0);
	self->trid = running_log(&self->attr, self->fd);
	record_nums(self->u, 1, SMALL);
	EXPECT_EQ(0, posix_trace_flush(self->trid));
	record_nums(self->u, SMALL + 1, 2 * SMALL);
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
	c = contents_after(self->trid, self->fd);
	EXPECT_NUMBERS(1, 2 * SMALL, c);
	EXPECT_STREQ("SuT", without_flushes(&c));
}

/* [C-26]: a flush of a LOOP stream that is full to the brim costs no event */
TEST_F(log_flush, flush_of_a_full_LOOP_stream_loses_nothing)
{
	unsigned int last;
	struct contents c;

	log_attr(&self->attr, POSIX_TRACE_LOOP, SMALL, 0, 0);
	self->trid = running_log(&self->attr, self->fd);
	last = fill(self->trid, self->u);
	/* That one took the place of START, and more. */
	EXPECT_EQ(0, posix_trace_flush(self->trid));
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
	c = contents_after(self->trid, self->fd);
	EXPECT_EQ(last, c.last);
	EXPECT_LE(SMALL, c.users);
	EXPECT_EQ(0, c.holes);
	EXPECT_STREQ("ORuT", without_flushes(&c));
}

/* A-262 [S]: nothing to flush is no error */
TEST_F(log_flush, A262_empty_stream_is_flushed)
{
	self->trid = log_stream(NULL, self->fd);
	EXPECT_EQ(0, posix_trace_flush(self->trid));
	EXPECT_EQ(0, posix_trace_flush(self->trid));
	EXPECT_STREQ("", contents_after(self->trid, self->fd).story);
}

/* A-263 [S]: a flush is recorded, its start in the log by itself */
TEST_F(log_flush, A263_FLUSH_START_and_FLUSH_STOP_are_recorded)
{
	self->trid = running_log(NULL, self->fd);
	record_num(self->u, 1);
	EXPECT_EQ(0, posix_trace_flush(self->trid));
	EXPECT_STREQ("Suf", contents_of(self->fd).story);
	record_num(self->u, 2);
	EXPECT_STREQ("SufguT", contents_after(self->trid, self->fd).story);
}

/* A-264 [C-23]: but not in a stream that is suspended */
TEST_F(log_flush, A264_flush_of_a_suspended_stream_is_not_recorded)
{
	self->trid = running_log(NULL, self->fd);
	record_num(self->u, 1);
	EXPECT_EQ(0, posix_trace_stop(self->trid));
	EXPECT_EQ(0, posix_trace_flush(self->trid));
	EXPECT_STREQ("SuT", contents_after(self->trid, self->fd).story);
}

static size_t stream_size_of(trace_id_t trid)
{
	trace_attr_t attr;
	size_t size;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_get_attr(trid, &attr));
	must(posix_trace_attr_getstreamsize(&attr, &size));
	return size;
}

/* A-474 [S]: what the stream is sure to hold is not lost during a flush */
TEST_F(log_burst, A474_guaranteed_events_find_room_during_a_flush)
{
	size_t size = stream_size_of(self->trid);
	struct contents c;
	unsigned int n;

	served_go_on(&self->file);
	ASSERT_TRUE(runs_again(self->trid));
	must(posix_trace_flush(self->trid));
	served_hold(&self->file);
	record_nums(self->u, 1001, 1000 + HALF);
	ASSERT_TRUE(served_is_held(&self->file));
	/* A few of these, too, have still to be flushed. */
	n = (size - 2 * POSIXTRACE_SYSTEM_EVENT_SIZE_MAX) / num_size();
	record_nums(self->u, 1001 + HALF, 1000 + HALF + n);
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
	served_go_on(&self->file);
	c = contents_after(self->trid, self->file.fd);
	EXPECT_EQ(1000 + HALF + n, c.last);
	EXPECT_EQ(1, c.holes);
}

struct recorder {
	trace_event_id_t id;
	atomic_bool stop;
	atomic_uint sent;
	pthread_t thread;
};

static void *record_without_pause(void *arg)
{
	struct recorder *r = arg;

	while (!r->stop)
		record_num(r->id, ++r->sent);
	return NULL;
}

/* A-265 [S]: flushes end while events come without pause; all are counted */
TEST_F(log_flush, A265_flushes_of_a_busy_stream)
{
	struct posix_trace_counters_np counters;
	struct recorder r = { .id = self->u };
	struct contents c;
	unsigned int i;

	must(posix_trace_attr_setlogfullpolicy(&self->attr,
					       POSIX_TRACE_APPEND));
	self->trid = running_log(&self->attr, self->fd);
	must(pthread_create(&r.thread, NULL, record_without_pause, &r));
	for (i = 0; i < 200; i++)
		EXPECT_EQ(0, posix_trace_flush(self->trid));
	r.stop = true;
	must(pthread_join(r.thread, NULL));
	must(posix_trace_get_counters_np(self->trid, &counters));
	c = contents_after(self->trid, self->fd);
	EXPECT_TRUE(c.in_order);
	EXPECT_EQ(r.sent, c.users + counters.posix_lost);
	EXPECT_EQ(0, c.info.posix_damaged);
	EXPECT_EQ(0, c.info.posix_missing);
}

struct flusher {
	trace_id_t trid;
	trace_event_id_t id;
	atomic_uint *next;
	pthread_t thread;
};

static void *record_and_flush_often(void *arg)
{
	struct flusher *f = arg;
	unsigned int i;

	for (i = 0; i < 50; i++) {
		record_num(f->id, ++*f->next);
		must(posix_trace_flush(f->trid));
	}
	return NULL;
}

/* A-273 [C-66]: flushes at the same time write each event once */
TEST_F(log_flush, A273_concurrent_flushes_write_each_event_once)
{
	static bool seen[THREADS * 50 + 1];
	struct flusher f[THREADS];
	unsigned int i, n;
	atomic_uint next = 0;
	trace_id_t log;
	struct ev ev;

	self->trid = running_log(NULL, self->fd);
	for (i = 0; i < THREADS; i++) {
		f[i] = (struct flusher){ self->trid, self->u, &next, 0 };
		must(pthread_create(&f[i].thread, NULL, record_and_flush_often,
				    &f[i]));
	}
	for (i = 0; i < THREADS; i++)
		must(pthread_join(f[i].thread, NULL));
	EXPECT_EQ(0, posix_trace_shutdown(self->trid));
	log = opened(self->fd);
	for (n = 0; log_find(log, self->u, &ev); n++) {
		ASSERT_GE(THREADS * 50, ev_num(&ev));
		EXPECT_FALSE(seen[ev_num(&ev)]);
		seen[ev_num(&ev)] = true;
	}
	EXPECT_EQ(THREADS * 50, n);
}

/* A-246 [S]: a full UNTIL_FULL stream runs again when it was flushed */
TEST_F(log_flush, A246_full_UNTIL_FULL_stream_runs_again)
{
	log_attr(&self->attr, POSIX_TRACE_UNTIL_FULL, SMALL, 0, 0);
	self->trid = running_log(&self->attr, self->fd);
	fill(self->trid, self->u);
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
	EXPECT_EQ(0, posix_trace_flush(self->trid));
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
}

/* A-247 [S]: in its log STOP and START part the two runs */
TEST_F(log_flush, A247_log_of_an_UNTIL_FULL_stream_tells_both_runs)
{
	struct contents c;

	log_attr(&self->attr, POSIX_TRACE_UNTIL_FULL, SMALL, 0, 0);
	self->trid = running_log(&self->attr, self->fd);
	fill(self->trid, self->u);
	EXPECT_EQ(0, posix_trace_flush(self->trid));
	record_num(self->u, 1000);
	c = contents_after(self->trid, self->fd);
	EXPECT_STREQ("SuXSuT", without_flushes(&c));
	EXPECT_EQ(1000, c.last);
	EXPECT_EQ(1, c.holes);
}

TEST_HARNESS_MAIN
