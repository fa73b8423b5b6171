// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading (assertions ). Streams with a log and pre-recorded ones
 * come with the logs.
 */
#include "trace_test.h"

FIXTURE(getnext) {
	trace_event_id_t u;
	trace_id_t trid;	/* running; START has been read */
};

FIXTURE_SETUP(getnext)
{
	self->u = open_event("u");
	self->trid = running_stream();
	drain(self->trid);
}

/* Some tests have shut the stream down already. */
FIXTURE_TEARDOWN(getnext)
{
	posix_trace_shutdown(self->trid);
}

/* getnext with room for @size bytes, which may be none. */
static int next_sized(trace_id_t trid, struct ev *ev, size_t size)
{
	memset(ev, 0x5a, sizeof(*ev));
	return posix_trace_getnext_event(trid, &ev->info,
					 size ? ev->data : NULL, size,
					 &ev->len, &ev->unavailable);
}

static int next_until(trace_id_t trid, struct ev *ev, long sec, long nsec)
{
	struct timespec abstime = { sec, nsec };

	return posix_trace_timedgetnext_event(trid, &ev->info, ev->data,
					      sizeof(ev->data), &ev->len,
					      &ev->unavailable, &abstime);
}

/* A-158 [S]: getnext gives the oldest event */
TEST_F(getnext, A158_oldest_event_comes_first)
{
	unsigned int i;
	struct ev ev;

	record_num(self->u, 1);
	record_num(self->u, 2);
	for (i = 1; i <= 2; i++) {
		ev.unavailable = 1;
		EXPECT_EQ(0, ev_next(self->trid, &ev));
		EXPECT_EQ(0, ev.unavailable);
		EXPECT_EQ(self->u, ev.info.posix_event_id);
		EXPECT_EQ(i, ev_num(&ev));
	}
}

/* A-159 [S]: getnext waits for an event */
TEST_F(getnext, A159_getnext_waits_for_an_event)
{
	struct reader r = { .trid = self->trid };

	reader_start(&r);
	ASSERT_TRUE(reader_is_blocked(&r));
	record_num(self->u, 7);
	EXPECT_EQ(0, reader_join(&r));
	EXPECT_EQ(0, r.ev.unavailable);
	EXPECT_EQ(self->u, r.ev.info.posix_event_id);
	EXPECT_EQ(7, ev_num(&r.ev));
}

/* A-160 [C-56]: getnext waits on a suspended stream, until that is started */
TEST(A160_getnext_waits_on_a_suspended_stream)
{
	struct reader r = { .trid = self_stream(NULL) };

	reader_start(&r);
	ASSERT_TRUE(reader_is_blocked(&r));
	must(posix_trace_start(r.trid));
	EXPECT_EQ(0, reader_join(&r));
	EXPECT_EQ(POSIX_TRACE_START, r.ev.info.posix_event_id);
}

/* A-161 [S]: an event is reported once */
TEST_F(getnext, A161_event_is_reported_once)
{
	struct ev ev;

	record_num(self->u, 1);
	EXPECT_EQ(0, ev_next(self->trid, &ev));
	EXPECT_EMPTY(self->trid);
	record_num(self->u, 2);
	EXPECT_EQ(0, ev_next(self->trid, &ev));
	EXPECT_EQ(2, ev_num(&ev));
	EXPECT_EMPTY(self->trid);
}

/* A-162 [S]: a buffer as large as the data is large enough */
TEST_F(getnext, A162_buffer_of_the_length_of_the_data)
{
	struct ev ev;

	posix_trace_event(self->u, "0123456789", 10);
	EXPECT_EQ(0, next_sized(self->trid, &ev, 10));
	EXPECT_EQ(10, ev.len);
	EXPECT_EQ(0, memcmp("0123456789", ev.data, 10));
	EXPECT_EQ(0x5a, ev.data[10]);
	EXPECT_EQ(POSIX_TRACE_NOT_TRUNCATED, ev.info.posix_truncation_status);
}

/* A-163 [S]: a smaller buffer cuts the data and is not overrun */
TEST_F(getnext, A163_smaller_buffer_cuts_the_data)
{
	struct ev ev;

	posix_trace_event(self->u, "0123456789", 10);
	EXPECT_EQ(0, next_sized(self->trid, &ev, 3));
	EXPECT_EQ(3, ev.len);
	EXPECT_EQ(0, memcmp("012", ev.data, 3));
	EXPECT_EQ(0x5a, ev.data[3]);
	EXPECT_EQ(POSIX_TRACE_TRUNCATED_READ, ev.info.posix_truncation_status);
	EXPECT_EMPTY(self->trid);
}

/* A running stream that has an event of which 8 of 10 bytes were recorded. */
static trace_id_t cut_event(trace_event_id_t u)
{
	trace_attr_t attr;
	trace_id_t trid;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setmaxdatasize(&attr, 8));
	trid = self_stream(&attr);
	must(posix_trace_start(trid));
	drain(trid);
	posix_trace_event(u, "0123456789", 10);
	return trid;
}

/* A-164 [S]: cut when recorded and when read: TRUNCATED_READ */
TEST_F(getnext, A164_data_cut_twice_is_TRUNCATED_READ)
{
	trace_id_t trid = cut_event(self->u);
	struct ev ev;

	EXPECT_EQ(0, next_sized(trid, &ev, 3));
	EXPECT_EQ(3, ev.len);
	EXPECT_EQ(0, memcmp("012", ev.data, 3));
	EXPECT_EQ(POSIX_TRACE_TRUNCATED_READ, ev.info.posix_truncation_status);
}

/* A-165 [S]: cut when recorded only: TRUNCATED_RECORD */
TEST_F(getnext, A165_data_cut_when_recorded_is_TRUNCATED_RECORD)
{
	trace_id_t trid = cut_event(self->u);
	struct ev ev;

	EXPECT_EQ(0, next_sized(trid, &ev, 100));
	EXPECT_EQ(8, ev.len);
	EXPECT_EQ(0, memcmp("01234567", ev.data, 8));
	EXPECT_EQ(POSIX_TRACE_TRUNCATED_RECORD, ev.info.posix_truncation_status);
}

/* A-166 [S]: the data need not be read */
TEST_F(getnext, A166_no_buffer_for_an_event_with_data)
{
	struct ev ev;

	posix_trace_event(self->u, "0123456789", 10);
	EXPECT_EQ(0, next_sized(self->trid, &ev, 0));
	EXPECT_EQ(0, ev.len);
	EXPECT_EQ(POSIX_TRACE_TRUNCATED_READ, ev.info.posix_truncation_status);
}

/* A-167 [S]: no buffer is needed where there is no data */
TEST_F(getnext, A167_no_buffer_for_an_event_without_data)
{
	struct ev ev;

	posix_trace_event(self->u, NULL, 0);
	EXPECT_EQ(0, next_sized(self->trid, &ev, 0));
	EXPECT_EQ(0, ev.len);
	EXPECT_EQ(POSIX_TRACE_NOT_TRUNCATED, ev.info.posix_truncation_status);
}

/* Start a reader, interrupt it as soon as it waits; what it returned. */
static int interrupted(struct reader *r)
{
	on_signal(SIGUSR1, count_signal, 0);
	reader_start(r);
	must_be(reader_is_blocked(r));
	must(pthread_kill(r->thread, SIGUSR1));
	return reader_join(r);
}

/* A-168 [S]: a signal whose handler has no SA_RESTART ends the wait */
TEST_F(getnext, A168_signal_interrupts_getnext)
{
	struct reader r = { .trid = self->trid };

	EXPECT_EQ(EINTR, interrupted(&r));
	EXPECT_EQ(1, signals_seen);
}

/* A-169 [S]: with SA_RESTART the wait goes on */
TEST_F(getnext, A169_signal_with_SA_RESTART_does_not_interrupt_getnext)
{
	struct reader r = { .trid = self->trid };

	on_signal(SIGUSR1, count_signal, SA_RESTART);
	reader_start(&r);
	ASSERT_TRUE(reader_is_blocked(&r));
	must(pthread_kill(r.thread, SIGUSR1));
	ASSERT_TRUE(wait_until(signals_seen == 1));
	ASSERT_TRUE(reader_is_blocked(&r));
	record_num(self->u, 7);
	EXPECT_EQ(0, reader_join(&r));
	EXPECT_EQ(self->u, r.ev.info.posix_event_id);
	EXPECT_EQ(7, ev_num(&r.ev));
}

/* A-170 [S]: an interrupted call loses no event */
TEST_F(getnext, A170_interrupted_getnext_loses_nothing)
{
	struct reader r = { .trid = self->trid };
	struct ev ev;

	EXPECT_EQ(EINTR, interrupted(&r));
	record_num(self->u, 7);
	EXPECT_EQ(0, ev_next(self->trid, &ev));
	EXPECT_EQ(self->u, ev.info.posix_event_id);
	EXPECT_EQ(7, ev_num(&ev));
}

/* A-171 [S]: shutdown by another thread ends the wait */
TEST_F(getnext, A171_shutdown_ends_the_wait)
{
	struct reader r = { .trid = self->trid };

	reader_start(&r);
	ASSERT_TRUE(reader_is_blocked(&r));
	EXPECT_EQ(0, posix_trace_shutdown(self->trid));
	EXPECT_EQ(EINVAL, reader_join(&r));
}

/* A-172 [S]: shutdown ends the wait of every thread */
TEST_F(getnext, A172_shutdown_ends_all_waits)
{
	struct reader r[3];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(r); i++) {
		r[i] = (struct reader){ .trid = self->trid };
		reader_start(&r[i]);
		ASSERT_TRUE(reader_is_blocked(&r[i]));
	}
	EXPECT_EQ(0, posix_trace_shutdown(self->trid));
	for (i = 0; i < ARRAY_SIZE(r); i++)
		EXPECT_EQ(EINVAL, reader_join(&r[i]));
}

/* A-173 [S]: getnext refuses a trid that is not valid */
TEST(A173_getnext_refuses_a_bad_trid)
{
	struct ev ev;

	EXPECT_EQ(EINVAL, ev_next(bad_trid(), &ev));
}

/* A-174 [C-67]: a thread that waits can be cancelled, the stream lives on */
TEST_F(getnext, A174_waiting_thread_can_be_cancelled)
{
	struct reader r = { .trid = self->trid };
	struct ev ev;
	void *result;

	reader_start(&r);
	ASSERT_TRUE(reader_is_blocked(&r));
	must(pthread_cancel(r.thread));
	/* Of the two that could hang here, tell which one did. */
	ASSERT_TRUE(wait_until(!pthread_tryjoin_np(r.thread, &result)));
	EXPECT_EQ(PTHREAD_CANCELED, result);

	record_num(self->u, 7);
	EXPECT_NEXT(self->u, self->trid, &ev);
	EXPECT_EQ(7, ev_num(&ev));
}

#define SHARED	1000

struct shared_reader {
	pthread_t thread;
	trace_id_t trid;
	atomic_uint *total;
	unsigned char *seen;	/* times, for each number */
	int ret;
};

/* Read numbered events until the stream is shut down. */
static void *read_all(void *arg)
{
	struct shared_reader *r = arg;
	struct ev ev;

	while (!(r->ret = ev_next(r->trid, &ev))) {
		r->seen[ev_num(&ev)]++;
		(*r->total)++;
	}
	return NULL;
}

/* A-175 [C-57]: of two readers, exactly one gets each event */
TEST_F(getnext, A175_two_readers_share_the_events)
{
	static unsigned char seen[2][SHARED];
	struct shared_reader r[2];
	atomic_uint total = 0;
	unsigned int i;
	trace_id_t trid;

	trid = small_stream(0, SHARED + 1, sizeof(i));
	must(posix_trace_start(trid));
	drain(trid);
	for (i = 0; i < 2; i++) {
		r[i] = (struct shared_reader){ .trid = trid, .total = &total,
					       .seen = seen[i] };
		must(pthread_create(&r[i].thread, NULL, read_all, &r[i]));
	}
	for (i = 0; i < SHARED; i++)
		record_num(self->u, i);
	EXPECT_TRUE(wait_until(total == SHARED));
	must(posix_trace_shutdown(trid));
	for (i = 0; i < 2; i++) {
		must(pthread_join(r[i].thread, NULL));
		EXPECT_EQ(EINVAL, r[i].ret);
	}
	EXPECT_EQ(SHARED, total);
	for (i = 0; i < SHARED; i++)
		ASSERT_EQ(1, seen[0][i] + seen[1][i]);
}

/* A-176 [C-53]: an interrupted call writes nothing but unavailable */
TEST_F(getnext, A176_interrupted_getnext_leaves_outputs_alone)
{
	struct reader r = { .trid = self->trid };
	struct ev untouched;

	memset(&untouched, 0x5a, sizeof(untouched));
	EXPECT_EQ(EINTR, interrupted(&r));
	EXPECT_NE(0, r.ev.unavailable);
	EXPECT_EQ(untouched.len, r.ev.len);
	EXPECT_EQ(0, memcmp(&untouched.info, &r.ev.info, sizeof(r.ev.info)));
	EXPECT_EQ(0, memcmp(untouched.data, r.ev.data, sizeof(r.ev.data)));
}

/* A-178 [S]: trygetnext on an empty stream returns at once */
TEST_F(getnext, A178_trygetnext_does_not_wait)
{
	struct ev ev = { .unavailable = 0 };

	EXPECT_EQ(0, posix_trace_trygetnext_event(self->trid, &ev.info, ev.data,
						  sizeof(ev.data), &ev.len,
						  &ev.unavailable));
	EXPECT_NE(0, ev.unavailable);
}

/* A-179 [S]: trygetnext gives an event that is there */
TEST_F(getnext, A179_trygetnext_gives_the_event)
{
	struct ev ev = { .unavailable = 1 };

	record_num(self->u, 7);
	EXPECT_EQ(0, posix_trace_trygetnext_event(self->trid, &ev.info, ev.data,
						  sizeof(ev.data), &ev.len,
						  &ev.unavailable));
	EXPECT_EQ(0, ev.unavailable);
	EXPECT_EQ(self->u, ev.info.posix_event_id);
	EXPECT_EQ(7, ev_num(&ev));
}

/* A-180 [S]: trygetnext cuts the data to the buffer */
TEST_F(getnext, A180_trygetnext_cuts_the_data)
{
	struct ev ev;

	memset(&ev, 0x5a, sizeof(ev));
	posix_trace_event(self->u, "0123456789", 10);
	EXPECT_EQ(0, posix_trace_trygetnext_event(self->trid, &ev.info, ev.data,
						  3, &ev.len, &ev.unavailable));
	EXPECT_EQ(0, ev.unavailable);
	EXPECT_EQ(3, ev.len);
	EXPECT_EQ(0, memcmp("012", ev.data, 3));
	EXPECT_EQ(0x5a, ev.data[3]);
	EXPECT_EQ(POSIX_TRACE_TRUNCATED_READ, ev.info.posix_truncation_status);
}

/* A-181 [S]: trygetnext refuses a trid that is not valid */
TEST(A181_trygetnext_refuses_a_bad_trid)
{
	trace_id_t trid = bad_trid();
	struct ev ev;

	EXPECT_EQ(EINVAL, posix_trace_trygetnext_event(trid, &ev.info, ev.data,
						       sizeof(ev.data), &ev.len,
						       &ev.unavailable));
}

static void *try_when_cancelled(void *arg)
{
	struct canceled *c = arg;
	struct ev ev;

	wait_for_cancel(c);
	must_be(ev_try(c->trid, &ev));
	must_be(!ev_try(c->trid, &ev));
	return c;
}

/* A-184 [S]: trygetnext is no cancellation point */
TEST_F(getnext, A184_trygetnext_is_no_cancellation_point)
{
	struct canceled c = { .trid = self->trid };

	record_num(self->u, 7);
	EXPECT_EQ(&c, run_cancelled(&c, try_when_cancelled));
}

/* A-185 [S]: with an event at hand, a time in the past does not matter */
TEST_F(getnext, A185_timedgetnext_prefers_the_event_to_the_past)
{
	struct ev ev;

	record_num(self->u, 7);
	EXPECT_EQ(0, next_until(self->trid, &ev, 1, 0));
	EXPECT_EQ(0, ev.unavailable);
	EXPECT_EQ(7, ev_num(&ev));
}

/* A-186 [S]: with an event at hand, the time need not be valid */
TEST_F(getnext, A186_timedgetnext_prefers_the_event_to_a_bad_time)
{
	struct ev ev;

	record_num(self->u, 7);
	EXPECT_EQ(0, next_until(self->trid, &ev, 1, 2000000000));
	EXPECT_EQ(0, ev.unavailable);
	EXPECT_EQ(7, ev_num(&ev));
}

/* A-187 [S]: a time in the past ends the wait at once */
TEST_F(getnext, A187_timedgetnext_does_not_wait_for_the_past)
{
	struct ev ev;

	EXPECT_EQ(ETIMEDOUT, next_until(self->trid, &ev, 1, 0));
}

/* A-188 [S]: the wait does not end before its time */
TEST_F(getnext, A188_timedgetnext_waits_for_its_time)
{
	struct timespec until = realtime_in(200), now;
	struct ev ev;

	EXPECT_EQ(ETIMEDOUT, next_until(self->trid, &ev, until.tv_sec,
					until.tv_nsec));
	clock_gettime(CLOCK_REALTIME, &now);
	EXPECT_LE(0, ts_cmp(now, until));
}

/* A-189 [S]: an event ends the wait */
TEST_F(getnext, A189_timedgetnext_waits_for_an_event)
{
	struct reader r = { .trid = self->trid,
			    .until = realtime_in(WAIT_LIMIT * 1000) };

	reader_start(&r);
	ASSERT_TRUE(reader_is_blocked(&r));
	record_num(self->u, 7);
	EXPECT_EQ(0, reader_join(&r));
	EXPECT_EQ(0, r.ev.unavailable);
	EXPECT_EQ(self->u, r.ev.info.posix_event_id);
	EXPECT_EQ(7, ev_num(&r.ev));
}

/* A-190 [S]: negative nanoseconds are refused */
TEST_F(getnext, A190_timedgetnext_refuses_negative_nanoseconds)
{
	struct timespec until = realtime_in(1000);
	struct ev ev;

	EXPECT_EQ(EINVAL, next_until(self->trid, &ev, until.tv_sec, -1));
}

/* A-191 [S]: a second or more in nanoseconds is refused */
TEST_F(getnext, A191_timedgetnext_refuses_a_second_of_nanoseconds)
{
	struct timespec until = realtime_in(1000);
	struct ev ev;

	EXPECT_EQ(EINVAL, next_until(self->trid, &ev, until.tv_sec,
				     1000000000));
}

/* A-192 [S]: a signal whose handler has no SA_RESTART ends the timed wait */
TEST_F(getnext, A192_signal_interrupts_timedgetnext)
{
	struct reader r = { .trid = self->trid,
			    .until = realtime_in(WAIT_LIMIT * 1000) };

	EXPECT_EQ(EINTR, interrupted(&r));
}

/* A-193 [S]: shutdown ends the timed wait */
TEST_F(getnext, A193_shutdown_ends_the_timed_wait)
{
	struct reader r = { .trid = self->trid,
			    .until = realtime_in(WAIT_LIMIT * 1000) };

	reader_start(&r);
	ASSERT_TRUE(reader_is_blocked(&r));
	EXPECT_EQ(0, posix_trace_shutdown(self->trid));
	EXPECT_EQ(EINVAL, reader_join(&r));
}

/* A-194 [S]: timedgetnext refuses a trid that is not valid */
TEST(A194_timedgetnext_refuses_a_bad_trid)
{
	struct ev ev;

	EXPECT_EQ(EINVAL, next_until(bad_trid(), &ev, 1, 0));
}

/* A-195 [C-53]: unavailable is set when the time is over */
TEST_F(getnext, A195_timeout_sets_unavailable)
{
	struct ev ev = { .unavailable = 0 };

	EXPECT_EQ(ETIMEDOUT, next_until(self->trid, &ev, 1, 0));
	EXPECT_NE(0, ev.unavailable);
}

/* A-197 [S]: the room of an event that was read is used again */
TEST_F(getnext, A197_room_of_read_events_is_used_again)
{
	trace_id_t trid = small_stream(POSIX_TRACE_LOOP, 8, 4);
	unsigned int i, fit;
	struct ev ev;

	/* Only events of one size, to the brim. */
	filter_out(trid, POSIX_TRACE_START);
	must(posix_trace_start(trid));
	fit = fill(trid, self->u) - 1;
	drain(trid);
	for (i = 1; i <= fit; i++)
		record_num(self->u, i);
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, trid);

	for (i = 1; i <= 3 * fit; i++) {
		EXPECT_NEXT(self->u, trid, &ev);
		EXPECT_EQ(i, ev_num(&ev));
		record_num(self->u, fit + i);
	}
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, trid);
	EXPECT_EQ(fit, drain_count(trid, self->u));
}

#define EXPECT_REFUSED(trid, info, len, none) do {			\
	struct posix_trace_event_info *to = (info);			\
	struct timespec past = { 1, 0 };				\
	trace_id_t from = (trid);					\
	char buf[16];							\
	size_t *got = (len);						\
	int *no = (none);						\
									\
	EXPECT_EQ(EINVAL, posix_trace_getnext_event(from, to, buf,	\
				sizeof(buf), got, no));			\
	EXPECT_EQ(EINVAL, posix_trace_trygetnext_event(from, to, buf,	\
				sizeof(buf), got, no));			\
	EXPECT_EQ(EINVAL, posix_trace_timedgetnext_event(from, to, buf,	\
				sizeof(buf), got, no, &past));		\
} while (0)

/* A-198 [C-52]: null outputs are refused and cost no event */
TEST_F(getnext, A198_null_outputs_are_refused)
{
	struct ev ev;

	record_num(self->u, 7);
	EXPECT_REFUSED(self->trid, NULL, &ev.len, &ev.unavailable);
	EXPECT_REFUSED(self->trid, &ev.info, NULL, &ev.unavailable);
	EXPECT_REFUSED(self->trid, &ev.info, &ev.len, NULL);
	EXPECT_NEXT(self->u, self->trid, &ev);
	EXPECT_EQ(7, ev_num(&ev));
}

TEST_HARNESS_MAIN
