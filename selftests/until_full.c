// SPDX-License-Identifier: GPL-2.0-only
/*
 * Streams with the policy UNTIL_FULL (assertions ). Those with a
 * log come with the logs.
 */
#include "trace_test.h"

#define SMALL	8	/* events of 4 bytes that a small stream has to hold */

FIXTURE(until_full) {
	trace_event_id_t u;
	trace_id_t trid;	/* small, running; START is in it */
};

FIXTURE_SETUP(until_full)
{
	self->u = open_event("u");
	self->trid = small_stream(POSIX_TRACE_UNTIL_FULL, SMALL, 4);
	must(posix_trace_start(self->trid));
}

FIXTURE_TEARDOWN(until_full)
{
	must(posix_trace_shutdown(self->trid));
}

/* A-232 [S]: a stream that is full is suspended */
TEST_F(until_full, A232_full_stream_is_suspended)
{
	fill(self->trid, self->u);
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
}

/* A-233 [S]: an event that meets a full stream is an overrun */
TEST_F(until_full, A233_event_for_a_full_stream_is_an_overrun)
{
	fill(self->trid, self->u);
	record_num(self->u, 0);
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_FULL,
		      POSIX_TRACE_OVERRUN, self->trid);
}

/* A-234 [S]: the oldest events are kept, STOP with non-zero data ends them */
TEST_F(until_full, A234_oldest_events_are_kept_up_to_STOP)
{
	unsigned int n = 0;
	struct ev ev;

	fill(self->trid, self->u);
	EXPECT_NEXT(POSIX_TRACE_START, self->trid, &ev);
	while (ev_try(self->trid, &ev) && ev.info.posix_event_id == self->u)
		EXPECT_EQ(++n, ev_num(&ev));
	EXPECT_LE(SMALL, n);
	EXPECT_EQ(POSIX_TRACE_STOP, ev.info.posix_event_id);
	ASSERT_EQ(sizeof(int), ev.len);
	EXPECT_NE(0, ev_int(&ev));
}

/* A-235 [S]: a stream that has been read empty runs again */
TEST_F(until_full, A235_stream_that_was_read_empty_runs_again)
{
	fill(self->trid, self->u);
	drain(self->trid);
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
}

/* A-236 [S]: START comes before the first event of the new run */
TEST_F(until_full, A236_START_comes_before_the_events_of_the_new_run)
{
	struct ev ev;

	fill(self->trid, self->u);
	ASSERT_TRUE(ev_find(self->trid, POSIX_TRACE_STOP, &ev));
	record_num(self->u, 1000);
	EXPECT_NEXT(POSIX_TRACE_START, self->trid, &ev);
	EXPECT_NEXT(self->u, self->trid, &ev);
	EXPECT_EQ(1000, ev_num(&ev));
	EXPECT_EMPTY(self->trid);
}

/* A-237 [S]: the START of the new run carries the filter */
TEST_F(until_full, A237_automatic_START_carries_the_filter)
{
	trace_event_id_t v = open_event("v");
	trace_event_set_t seen;
	struct ev ev;

	fill(self->trid, self->u);
	filter_out(self->trid, v);
	ASSERT_TRUE(ev_find(self->trid, POSIX_TRACE_STOP, &ev));
	EXPECT_NEXT(POSIX_TRACE_START, self->trid, &ev);
	ASSERT_EQ(sizeof(seen), ev.len);
	memcpy(&seen, ev.data, sizeof(seen));
	EXPECT_TRUE(is_member(v, &seen));
	EXPECT_FALSE(is_member(self->u, &seen));
}

/* A-238 [S]: the second run ends as the first did */
TEST_F(until_full, A238_second_run_ends_with_a_STOP_of_its_own)
{
	unsigned int n = 1000;
	struct ev ev;

	fill(self->trid, self->u);
	drain(self->trid);
	fill_from(self->trid, self->u, n);
	while (ev_try(self->trid, &ev) && ev.info.posix_event_id == self->u)
		EXPECT_EQ(n++, ev_num(&ev));
	EXPECT_LE(1000 + SMALL, n);
	EXPECT_EQ(POSIX_TRACE_STOP, ev.info.posix_event_id);
	EXPECT_NE(0, ev_int(&ev));
}

/* A-239 [C-22]: losses of an UNTIL_FULL stream make no OVERFLOW or RESUME */
TEST_F(until_full, A239_loss_makes_no_OVERFLOW)
{
	struct ev ev;

	fill(self->trid, self->u);
	record_num(self->u, 0);
	record_num(self->u, 0);
	ASSERT_TRUE(ev_find(self->trid, POSIX_TRACE_STOP, &ev));
	record_num(self->u, 1000);
	EXPECT_NEXT(POSIX_TRACE_START, self->trid, &ev);
	EXPECT_NEXT(self->u, self->trid, &ev);
	EXPECT_EQ(1000, ev_num(&ev));
	EXPECT_EMPTY(self->trid);
}

/* What is needed to tell how much of a stream of like events is free. */
struct geometry {
	size_t stream;		/* bytes */
	size_t event;		/* bytes of each */
	unsigned int fit;	/* number of them that fit */
};

/* Fill a stream of which START is filtered, so that its events are all alike. */
static trace_id_t uniform_stream(trace_event_id_t u, struct geometry *g)
{
	trace_attr_t attr;
	trace_id_t trid;

	small_attr(&attr, POSIX_TRACE_UNTIL_FULL, SMALL, 4);
	must(posix_trace_attr_getmaxusereventsize(&attr, 4, &g->event));
	trid = self_stream(&attr);
	must(posix_trace_get_attr(trid, &attr));
	must(posix_trace_attr_getstreamsize(&attr, &g->stream));
	filter_out(trid, POSIX_TRACE_START);
	must(posix_trace_start(trid));
	g->fit = fill(trid, u) - 1;
	return trid;
}

/* How many must be read until at least half of the stream is free. */
static unsigned int half(const struct geometry *g)
{
	unsigned int n = 0;

	while (2 * (g->fit - n) * g->event > g->stream)
		n++;
	return n;
}

/* A-240 [C-28]: the stream runs again when half of it has been read */
TEST_F(until_full, A240_stream_runs_again_when_half_is_free)
{
	struct geometry g;
	trace_id_t trid = uniform_stream(self->u, &g);
	unsigned int i;
	struct ev ev;

	EXPECT_EQ(g.stream / g.event, g.fit);
	for (i = 1; i < half(&g); i++) {
		EXPECT_NEXT(self->u, trid, &ev);
		EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_FULL,
			      POSIX_TRACE_NO_OVERRUN, trid);
	}
	EXPECT_NEXT(self->u, trid, &ev);
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, trid);
}

/* A-241 [C-62]: until then it is FULL */
TEST_F(until_full, A241_stream_read_below_half_is_full)
{
	struct geometry g;
	trace_id_t trid = uniform_stream(self->u, &g);
	struct ev ev;

	ASSERT_LT(1, half(&g));
	EXPECT_NEXT(self->u, trid, &ev);
	EXPECT_EQ(POSIX_TRACE_FULL, status_of(trid).posix_stream_full_status);
	record_num(self->u, 0);
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_FULL,
		      POSIX_TRACE_OVERRUN, trid);
}

/* A-242 [S]: events whose largest sizes fit the stream are never lost */
TEST_F(until_full, A242_guaranteed_events_fit)
{
	trace_id_t trid;
	int system;

	for (system = 0; system < 2; system++) {
		trid = guaranteed_stream(POSIX_TRACE_UNTIL_FULL, self->u,
					 system);
		EXPECT_EQ(POSIX_TRACE_NO_OVERRUN,
			  status_of(trid).posix_stream_overrun_status);
		EXPECT_TRUE(guaranteed_events_are_there(trid, self->u, system));
	}
}

/* A-243 [S]: each event for a full stream is an overrun of its own */
TEST_F(until_full, A243_every_loss_is_an_overrun)
{
	unsigned int i;

	fill(self->trid, self->u);
	for (i = 0; i < 3; i++) {
		record_num(self->u, 0);
		EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_FULL,
			      POSIX_TRACE_OVERRUN, self->trid);
		EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_FULL,
			      POSIX_TRACE_NO_OVERRUN, self->trid);
	}
}

/* A-244 [S]: a filtered event for a full stream is none */
TEST_F(until_full, A244_filtered_event_is_no_overrun)
{
	trace_event_id_t v = open_event("v");

	filter_out(self->trid, v);
	fill(self->trid, self->u);
	record_num(v, 0);
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
	/* Filtered only now: the same. */
	filter_out(self->trid, self->u);
	record_num(self->u, 0);
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
}

/* A-245 [S]: with STOP filtered the stream stops without it */
TEST_F(until_full, A245_stream_stops_with_STOP_filtered)
{
	filter_out(self->trid, POSIX_TRACE_STOP);
	fill(self->trid, self->u);
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
	EXPECT_EQ(0, drain_count(self->trid, POSIX_TRACE_STOP));
}

/* A-248 [S]: a full stream that is cleared stays suspended until start */
TEST_F(until_full, A248_cleared_stream_stays_suspended)
{
	struct ev ev;

	fill(self->trid, self->u);
	EXPECT_EQ(0, posix_trace_clear(self->trid));
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
	record_num(self->u, 0);
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
	EXPECT_EMPTY(self->trid);
	must(posix_trace_start(self->trid));
	record_num(self->u, 1);
	EXPECT_NEXT(POSIX_TRACE_START, self->trid, &ev);
	EXPECT_NEXT(self->u, self->trid, &ev);
	EXPECT_EQ(1, ev_num(&ev));
}

/* A-249 [S]: a reader that waits gets the events of the new run */
TEST_F(until_full, A249_waiting_reader_gets_an_event_of_the_new_run)
{
	struct reader r = { .trid = self->trid };

	fill(self->trid, self->u);
	drain(self->trid);
	reader_start(&r);
	ASSERT_TRUE(reader_is_blocked(&r));
	record_num(self->u, 1000);
	EXPECT_EQ(0, reader_join(&r));
	EXPECT_EQ(self->u, r.ev.info.posix_event_id);
	EXPECT_EQ(1000, ev_num(&r.ev));
}

TEST_HARNESS_MAIN
