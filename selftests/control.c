// SPDX-License-Identifier: GPL-2.0-only
/*
 * Start and stop (assertions ).
 */
#include "trace_test.h"

#define SMALL	8	/* events of 4 bytes that a small stream has to hold */

FIXTURE(control) {
	trace_event_id_t u;
	trace_id_t trid;
};

FIXTURE_SETUP(control)
{
	self->u = open_event("u");
	self->trid = self_stream(NULL);
}

FIXTURE_TEARDOWN(control)
{
	must(posix_trace_shutdown(self->trid));
}

/* A small UNTIL_FULL stream, started, with START and events to the brim. */
static trace_id_t full_stream(trace_event_id_t u)
{
	trace_id_t trid = small_stream(POSIX_TRACE_UNTIL_FULL, SMALL, 4);

	must(posix_trace_start(trid));
	fill(trid, u);
	return trid;
}

/*
 * A LOOP stream, the same. All its events are of one size, that of a STOP, so
 * that each further one takes the room of another.
 */
static trace_id_t full_loop_stream(trace_event_id_t u)
{
	trace_id_t trid = small_stream(POSIX_TRACE_LOOP, SMALL, 4);

	must(posix_trace_start(trid));
	drain(trid);
	fill(trid, u);
	return trid;
}

/* The last event of the stream, which is read to its end. */
static void last_event(trace_id_t trid, struct ev *last)
{
	struct ev ev;

	must_be(ev_try(trid, last));
	while (ev_try(trid, &ev))
		*last = ev;
}

/* A-107 [S]: a started stream is RUNNING */
TEST_F(control, A107_start_makes_the_stream_run)
{
	EXPECT_EQ(0, posix_trace_start(self->trid));
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
}

/* A-108 [S]: the first event of a stream is START */
TEST_F(control, A108_first_event_is_START)
{
	struct ev ev;

	must(posix_trace_start(self->trid));
	record_num(self->u, 1);
	EXPECT_NEXT(POSIX_TRACE_START, self->trid, &ev);
}

/* A-109 [S]: the data of START is the filter */
TEST_F(control, A109_START_carries_the_filter)
{
	trace_event_set_t filter = set_of(self->u), seen;
	trace_event_id_t v = open_event("v");
	struct ev ev;

	must(posix_trace_eventset_add(POSIX_TRACE_STOP, &filter));
	must(posix_trace_set_filter(self->trid, &filter,
				    POSIX_TRACE_SET_EVENTSET));
	must(posix_trace_start(self->trid));
	EXPECT_NEXT(POSIX_TRACE_START, self->trid, &ev);
	ASSERT_EQ(sizeof(seen), ev.len);
	memcpy(&seen, ev.data, sizeof(seen));
	EXPECT_TRUE(is_member(self->u, &seen));
	EXPECT_TRUE(is_member(POSIX_TRACE_STOP, &seen));
	EXPECT_FALSE(is_member(v, &seen));
	EXPECT_FALSE(is_member(POSIX_TRACE_START, &seen));
	EXPECT_FALSE(is_member(POSIX_TRACE_FILTER, &seen));
}

/* A-110 [S]: to start a running stream has no effect */
TEST_F(control, A110_start_of_a_running_stream_has_no_effect)
{
	must(posix_trace_start(self->trid));
	EXPECT_EQ(0, posix_trace_start(self->trid));
	EXPECT_EQ(POSIX_TRACE_RUNNING,
		  status_of(self->trid).posix_stream_status);
	EXPECT_EQ(1, drain_count(self->trid, POSIX_TRACE_START));
}

/* A-111 [S]: a stopped stream can be started again */
TEST_F(control, A111_start_after_stop_records_a_second_START)
{
	must(posix_trace_start(self->trid));
	must(posix_trace_stop(self->trid));
	EXPECT_EQ(0, posix_trace_start(self->trid));
	EXPECT_EQ(POSIX_TRACE_RUNNING,
		  status_of(self->trid).posix_stream_status);
	EXPECT_EQ(2, drain_count(self->trid, POSIX_TRACE_START));
}

/* A-112 [S]: a filtered START is not recorded, the stream starts all the same */
TEST_F(control, A112_stream_starts_with_START_filtered)
{
	struct ev ev;

	filter_out(self->trid, POSIX_TRACE_START);
	EXPECT_EQ(0, posix_trace_start(self->trid));
	EXPECT_EQ(POSIX_TRACE_RUNNING,
		  status_of(self->trid).posix_stream_status);
	EXPECT_EMPTY(self->trid);
	record_num(self->u, 1);
	EXPECT_NEXT(self->u, self->trid, &ev);
}

/* A-113 [S]: start refuses a trid that is not valid */
TEST(A113_start_refuses_a_bad_trid)
{
	EXPECT_EQ(EINVAL, posix_trace_start(bad_trid()));
}

/* A-115 [S]: a stopped stream is SUSPENDED */
TEST_F(control, A115_stop_suspends_the_stream)
{
	must(posix_trace_start(self->trid));
	EXPECT_EQ(0, posix_trace_stop(self->trid));
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
}

/* A-116 [S]: the last event of a stopped stream is STOP with the int 0 */
TEST_F(control, A116_last_event_is_STOP_with_0)
{
	struct ev ev;

	must(posix_trace_start(self->trid));
	record_num(self->u, 1);
	must(posix_trace_stop(self->trid));
	last_event(self->trid, &ev);
	EXPECT_EQ(POSIX_TRACE_STOP, ev.info.posix_event_id);
	ASSERT_EQ(sizeof(int), ev.len);
	EXPECT_EQ(0, ev_int(&ev));
}

/* A-117 [S]: to stop a stream that was never started has no effect */
TEST_F(control, A117_stop_of_a_new_stream_has_no_effect)
{
	EXPECT_EQ(0, posix_trace_stop(self->trid));
	EXPECT_EQ(POSIX_TRACE_SUSPENDED,
		  status_of(self->trid).posix_stream_status);
	EXPECT_EMPTY(self->trid);
}

/* A-118 [S]: to stop a stopped stream has no effect */
TEST_F(control, A118_stop_of_a_stopped_stream_has_no_effect)
{
	must(posix_trace_start(self->trid));
	must(posix_trace_stop(self->trid));
	EXPECT_EQ(0, posix_trace_stop(self->trid));
	EXPECT_EQ(POSIX_TRACE_SUSPENDED,
		  status_of(self->trid).posix_stream_status);
	EXPECT_EQ(1, drain_count(self->trid, POSIX_TRACE_STOP));
}

/* A-119 [S]: a stopped stream records nothing, and that is no overrun */
TEST_F(control, A119_stopped_stream_records_nothing)
{
	must(posix_trace_start(self->trid));
	must(posix_trace_stop(self->trid));
	record_num(self->u, 1);
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
	EXPECT_EQ(0, drain_count(self->trid, self->u));
}

/* A-120 [S]: what was recorded before the stop can be read after it */
TEST_F(control, A120_events_survive_the_stop)
{
	unsigned int i;
	struct ev ev;

	must(posix_trace_start(self->trid));
	for (i = 1; i <= 20; i++)
		record_num(self->u, i);
	must(posix_trace_stop(self->trid));
	EXPECT_NEXT(POSIX_TRACE_START, self->trid, &ev);
	for (i = 1; i <= 20; i++) {
		EXPECT_NEXT(self->u, self->trid, &ev);
		EXPECT_EQ(i, ev_num(&ev));
	}
	EXPECT_NEXT(POSIX_TRACE_STOP, self->trid, &ev);
	EXPECT_EMPTY(self->trid);
}

/* A-121 [S]: a filtered STOP is not recorded, the stream stops all the same */
TEST_F(control, A121_stream_stops_with_STOP_filtered)
{
	filter_out(self->trid, POSIX_TRACE_STOP);
	must(posix_trace_start(self->trid));
	EXPECT_EQ(0, posix_trace_stop(self->trid));
	EXPECT_EQ(POSIX_TRACE_SUSPENDED,
		  status_of(self->trid).posix_stream_status);
	EXPECT_EQ(0, drain_count(self->trid, POSIX_TRACE_STOP));
}

/* A-122 [S]: stop refuses a trid that is not valid */
TEST(A122_stop_refuses_a_bad_trid)
{
	EXPECT_EQ(EINVAL, posix_trace_stop(bad_trid()));
}

/* A-124 [C-20]: a LOOP stream that has wrapped can be stopped */
TEST_F(control, A124_full_loop_stream_can_be_stopped)
{
	trace_id_t trid = full_loop_stream(self->u);
	struct ev ev;

	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_FULL,
		      POSIX_TRACE_NO_OVERRUN, trid);
	EXPECT_EQ(0, posix_trace_stop(trid));
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_FULL,
		      POSIX_TRACE_OVERRUN, trid);
	last_event(trid, &ev);
	EXPECT_EQ(POSIX_TRACE_STOP, ev.info.posix_event_id);
	EXPECT_EQ(0, ev_int(&ev));
}

/* A-125 [C-20]: and it can be started again */
TEST_F(control, A125_full_loop_stream_can_be_started_again)
{
	trace_id_t trid = full_loop_stream(self->u);
	struct ev ev;

	must(posix_trace_stop(trid));
	status_of(trid);
	EXPECT_EQ(0, posix_trace_start(trid));
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_FULL,
		      POSIX_TRACE_OVERRUN, trid);
	last_event(trid, &ev);
	EXPECT_EQ(POSIX_TRACE_START, ev.info.posix_event_id);
}

/* A-126 [S]: start does not help an UNTIL_FULL stream that is full */
TEST_F(control, A126_start_of_a_full_stream_changes_nothing)
{
	trace_id_t trid = full_stream(self->u);
	struct ev ev;

	EXPECT_EQ(0, posix_trace_start(trid));
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_FULL,
		      POSIX_TRACE_NO_OVERRUN, trid);
	EXPECT_NEXT(POSIX_TRACE_START, trid, &ev);
	ASSERT_TRUE(ev_find(trid, POSIX_TRACE_STOP, &ev));
	/* The one of the restart, which came at the latest just now. */
	EXPECT_EQ(1, drain_count(trid, POSIX_TRACE_START));
}

/* A-126 [S]: not even where a START would find room */
TEST_F(control, A126_start_of_a_full_stream_with_room_changes_nothing)
{
	trace_id_t trid = small_stream(POSIX_TRACE_UNTIL_FULL, 2, 1000);
	char large[1000] = "";
	unsigned int i;
	struct ev ev;

	must(posix_trace_start(trid));
	for (i = 0; i < 10; i++)
		posix_trace_event(self->u, large, sizeof(large));
	status_of(trid);
	EXPECT_EQ(0, posix_trace_start(trid));
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_FULL,
		      POSIX_TRACE_NO_OVERRUN, trid);
	record_num(self->u, 1);
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_FULL,
		      POSIX_TRACE_OVERRUN, trid);
	EXPECT_NEXT(POSIX_TRACE_START, trid, &ev);
	ASSERT_TRUE(ev_find(trid, POSIX_TRACE_STOP, &ev));
	EXPECT_EQ(1, drain_count(trid, POSIX_TRACE_START));
}

/* A-127 [S]: stop of an UNTIL_FULL stream that is full records nothing */
TEST_F(control, A127_stop_of_a_full_stream_records_nothing)
{
	trace_id_t trid = full_stream(self->u);
	struct ev ev;

	EXPECT_EQ(0, posix_trace_stop(trid));
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_FULL,
		      POSIX_TRACE_NO_OVERRUN, trid);
	ASSERT_TRUE(ev_find(trid, POSIX_TRACE_STOP, &ev));
	EXPECT_NE(0, ev_int(&ev));
	EXPECT_EQ(0, drain_count(trid, POSIX_TRACE_STOP));
}

/* A-128 [C-27]: stop of a full UNTIL_FULL stream cancels the restart */
TEST_F(control, A128_stop_of_a_full_stream_cancels_the_restart)
{
	trace_id_t trid = full_stream(self->u);

	must(posix_trace_stop(trid));
	EXPECT_EQ(1, drain_count(trid, POSIX_TRACE_START));
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, trid);
	record_num(self->u, 1);
	EXPECT_EMPTY(trid);
}

/* A-129 [C-27]: start renews the restart that stop had cancelled */
TEST_F(control, A129_start_of_a_full_stream_renews_the_restart)
{
	trace_id_t trid = full_stream(self->u);

	must(posix_trace_stop(trid));
	must(posix_trace_start(trid));
	EXPECT_EQ(2, drain_count(trid, POSIX_TRACE_START));
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, trid);
}

static noinline int start_here(trace_id_t trid)
{
	int ret = posix_trace_start(trid);

	no_tail_call();
	return ret;
}

static noinline int stop_here(trace_id_t trid)
{
	int ret = posix_trace_stop(trid);

	no_tail_call();
	return ret;
}

/* A-130 [C-25]: START and STOP of oneself show the thread and the call */
TEST_F(control, A130_START_shows_who_called_and_where)
{
	struct ev ev;

	must(start_here(self->trid));
	must(stop_here(self->trid));
	EXPECT_NEXT(POSIX_TRACE_START, self->trid, &ev);
	EXPECT_EQ(getpid(), ev.info.posix_pid);
	EXPECT_TRUE(pthread_equal(pthread_self(), ev.info.posix_thread_id));
	EXPECT_TRUE(lies_in(ev.info.posix_prog_address, start_here));
	EXPECT_NEXT(POSIX_TRACE_STOP, self->trid, &ev);
	EXPECT_EQ(getpid(), ev.info.posix_pid);
	EXPECT_TRUE(pthread_equal(pthread_self(), ev.info.posix_thread_id));
	EXPECT_TRUE(lies_in(ev.info.posix_prog_address, stop_here));
}

static int idle(const struct child *c, void *arg)
{
	await(c);
	return 0;
}

/* A-131 [C-25]: START of a stream on another process shows that process */
TEST(A131_START_on_a_child_shows_its_pid_and_no_thread)
{
	struct child c;
	trace_id_t trid;
	struct ev ev;

	child_start(&c, idle, NULL);
	trid = stream_on(c.pid, NULL);
	must(posix_trace_start(trid));
	EXPECT_NEXT(POSIX_TRACE_START, trid, &ev);
	EXPECT_EQ(c.pid, ev.info.posix_pid);
	EXPECT_EQ(0, ev.info.posix_thread_id);
	hand(&c);
	EXPECT_EQ(0, child_end(&c));
}

/* A-132 [C-10]: start and stop are not interrupted by signals */
TEST_F(control, A132_signals_do_not_interrupt_start_and_stop)
{
	unsigned int rounds = 0;

	signal_storm(300);
	while (rounds < 500 || signals_seen < 20) {
		ASSERT_EQ(0, posix_trace_start(self->trid));
		ASSERT_EQ(0, posix_trace_stop(self->trid));
		rounds++;
	}
	signal_storm(0);
}

/* A-133 [S]: only the started one of two streams records */
TEST_F(control, A133_only_the_started_stream_records)
{
	trace_id_t other = self_stream(NULL);

	must(posix_trace_start(other));
	record_num(self->u, 1);
	EXPECT_EQ(1, drain_count(other, self->u));
	EXPECT_EMPTY(self->trid);
}

TEST_HARNESS_MAIN
