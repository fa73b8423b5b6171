// SPDX-License-Identifier: GPL-2.0-only
/*
 * Streams with the policy LOOP (assertions ).
 */
#include "trace_test.h"

#define SMALL	8	/* events of 4 bytes that a small stream has to hold */
#define MANY	200	/* events of which only the last ones are kept */

FIXTURE(loop) {
	trace_event_id_t u;
	trace_id_t trid;	/* small, running; START is in it */
};

FIXTURE_SETUP(loop)
{
	self->u = open_event("u");
	self->trid = small_stream(POSIX_TRACE_LOOP, SMALL, 4);
	must(posix_trace_start(self->trid));
}

FIXTURE_TEARDOWN(loop)
{
	must(posix_trace_shutdown(self->trid));
}

/* Record @id with the numbers @first to @last. */
static void record_range(trace_event_id_t id, unsigned int first,
			 unsigned int last)
{
	unsigned int i;

	for (i = first; i <= last; i++)
		record_num(id, i);
}

static bool same_time(const struct ev *a, const struct ev *b)
{
	return !ts_cmp(a->info.posix_timestamp, b->info.posix_timestamp);
}

/* A-217 [S]: a LOOP stream runs on when it is full */
TEST_F(loop, A217_full_loop_stream_runs_on)
{
	record_range(self->u, 1, MANY);
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_FULL,
		      POSIX_TRACE_OVERRUN, self->trid);
}

/* A-218 [S]: the newest events are kept, all of them */
TEST_F(loop, A218_newest_events_are_kept)
{
	unsigned int n, expected;
	struct ev ev;

	record_range(self->u, 1, MANY);
	must(posix_trace_stop(self->trid));
	ASSERT_TRUE(ev_find(self->trid, self->u, &ev));
	expected = ev_num(&ev);
	EXPECT_LT(1, expected);
	n = 1;
	while (ev_find(self->trid, self->u, &ev)) {
		EXPECT_EQ(++expected, ev_num(&ev));
		n++;
	}
	EXPECT_EQ(MANY, expected);
	/* The stop may have taken the room of some. */
	EXPECT_LE(2, n);
}

/* A-219 [S]: the reader sees OVERFLOW, RESUME, the oldest event left */
TEST_F(loop, A219_OVERFLOW_and_RESUME_come_before_the_oldest_event)
{
	unsigned int oldest, left;
	struct ev ev;

	record_range(self->u, 1, MANY);
	EXPECT_NEXT(POSIX_TRACE_OVERFLOW, self->trid, &ev);
	EXPECT_NEXT(POSIX_TRACE_RESUME, self->trid, &ev);
	EXPECT_NEXT(self->u, self->trid, &ev);
	oldest = ev_num(&ev);
	left = 1 + drain(self->trid);
	EXPECT_EQ(MANY - left + 1, oldest);
}

/* A-220 [S]: RESUME has the time of the event after it */
TEST_F(loop, A220_RESUME_has_the_time_of_the_event_after_it)
{
	struct ev resume, ev;

	record_range(self->u, 1, MANY);
	ASSERT_TRUE(ev_find(self->trid, POSIX_TRACE_RESUME, &resume));
	EXPECT_NEXT(self->u, self->trid, &ev);
	EXPECT_TRUE(same_time(&resume, &ev));
}

/* A-221 [S]: OVERFLOW has the time of the first event overwritten */
TEST_F(loop, A221_OVERFLOW_has_the_time_of_the_first_event_overwritten)
{
	struct timespec start, one, two;
	struct ev overflow, ev;
	trace_id_t trid;

	/* The first one overwritten is START. */
	trid = small_stream(POSIX_TRACE_LOOP, SMALL, 4);
	clock_gettime(CLOCK_REALTIME, &start);
	must(posix_trace_start(trid));
	/* Here it is the event number 1, since START has been read. */
	EXPECT_NEXT(POSIX_TRACE_START, self->trid, &ev);
	clock_gettime(CLOCK_REALTIME, &one);
	record_num(self->u, 1);
	clock_gettime(CLOCK_REALTIME, &two);
	record_range(self->u, 2, MANY);

	EXPECT_NEXT(POSIX_TRACE_OVERFLOW, trid, &overflow);
	EXPECT_GE(0, ts_cmp(start, overflow.info.posix_timestamp));
	EXPECT_GE(0, ts_cmp(overflow.info.posix_timestamp, one));
	EXPECT_NEXT(POSIX_TRACE_OVERFLOW, self->trid, &overflow);
	EXPECT_GE(0, ts_cmp(one, overflow.info.posix_timestamp));
	EXPECT_GE(0, ts_cmp(overflow.info.posix_timestamp, two));
}

/* A-222 [S]: OVERFLOW and RESUME have no data */
TEST_F(loop, A222_OVERFLOW_and_RESUME_have_no_data)
{
	struct ev ev;

	record_range(self->u, 1, MANY);
	EXPECT_NEXT(POSIX_TRACE_OVERFLOW, self->trid, &ev);
	EXPECT_EQ(0, ev.len);
	EXPECT_EQ(POSIX_TRACE_NOT_TRUNCATED, ev.info.posix_truncation_status);
	EXPECT_NEXT(POSIX_TRACE_RESUME, self->trid, &ev);
	EXPECT_EQ(0, ev.len);
	EXPECT_EQ(POSIX_TRACE_NOT_TRUNCATED, ev.info.posix_truncation_status);
}

/* A-223 [S]: they can be filtered, the overrun is set all the same */
TEST(A223_OVERFLOW_and_RESUME_can_be_filtered)
{
	trace_id_t trid = small_stream(POSIX_TRACE_LOOP, SMALL, 4);
	trace_event_id_t u = open_event("u");
	struct ev ev;

	filter_out(trid, POSIX_TRACE_OVERFLOW);
	filter_out(trid, POSIX_TRACE_RESUME);
	must(posix_trace_start(trid));
	record_range(u, 1, MANY);
	EXPECT_EQ(POSIX_TRACE_OVERRUN,
		  status_of(trid).posix_stream_overrun_status);
	EXPECT_NEXT(u, trid, &ev);
	while (ev_try(trid, &ev))
		EXPECT_EQ(u, ev.info.posix_event_id);
}

/* A-224 [S]: without an overflow they are not reported */
TEST_F(loop, A224_no_overflow_no_OVERFLOW)
{
	struct ev ev;

	record_range(self->u, 1, SMALL);
	EXPECT_NEXT(POSIX_TRACE_START, self->trid, &ev);
	while (ev_try(self->trid, &ev))
		EXPECT_EQ(self->u, ev.info.posix_event_id);
	EXPECT_EQ(SMALL, ev_num(&ev));
}

/* A-225 [S]: an overflow is reported once */
TEST_F(loop, A225_overflow_is_reported_once)
{
	struct ev ev;

	record_range(self->u, 1, MANY);
	EXPECT_EQ(1, drain_count(self->trid, POSIX_TRACE_OVERFLOW));
	record_range(self->u, MANY + 1, MANY + 3);
	EXPECT_NEXT(self->u, self->trid, &ev);
	EXPECT_EQ(MANY + 1, ev_num(&ev));
	EXPECT_EQ(0, drain_count(self->trid, POSIX_TRACE_OVERFLOW));
}

/* A-226 [S]: each of two overflows has a pair of its own */
TEST_F(loop, A226_two_overflows_have_two_pairs)
{
	struct ev ev;

	record_range(self->u, 1, MANY);
	EXPECT_NEXT(POSIX_TRACE_OVERFLOW, self->trid, &ev);
	EXPECT_NEXT(POSIX_TRACE_RESUME, self->trid, &ev);
	EXPECT_NEXT(self->u, self->trid, &ev);

	/* Before the rest has been read, the second one comes. */
	record_range(self->u, 1, MANY);
	EXPECT_NEXT(POSIX_TRACE_OVERFLOW, self->trid, &ev);
	EXPECT_NEXT(POSIX_TRACE_RESUME, self->trid, &ev);
	EXPECT_NEXT(self->u, self->trid, &ev);
	EXPECT_EQ(0, drain_count(self->trid, POSIX_TRACE_OVERFLOW));

	/* And a third one after all has been read. */
	record_range(self->u, 1, MANY);
	EXPECT_NEXT(POSIX_TRACE_OVERFLOW, self->trid, &ev);
	EXPECT_NEXT(POSIX_TRACE_RESUME, self->trid, &ev);
	EXPECT_NEXT(self->u, self->trid, &ev);
	EXPECT_EQ(0, drain_count(self->trid, POSIX_TRACE_OVERFLOW));
}

/* A-227 [S]: reading makes a full LOOP stream not full */
TEST_F(loop, A227_reading_makes_room)
{
	struct ev ev;

	record_range(self->u, 1, MANY);
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_FULL,
		      POSIX_TRACE_OVERRUN, self->trid);
	ASSERT_TRUE(ev_find(self->trid, self->u, &ev));
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
	drain(self->trid);
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
}

/* A-228 [S]: events whose largest sizes fit the stream are never lost */
TEST_F(loop, A228_guaranteed_events_fit)
{
	trace_id_t trid;
	int system;

	for (system = 0; system < 2; system++) {
		trid = guaranteed_stream(POSIX_TRACE_LOOP, self->u, system);
		EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_NOT_FULL,
			      POSIX_TRACE_NO_OVERRUN, trid);
		EXPECT_TRUE(guaranteed_events_are_there(trid, self->u, system));
	}
}

/* The number of types in the list, which must be named all differently. */
static unsigned int types(trace_id_t trid)
{
	char name[64][TRACE_EVENT_NAME_MAX + 1];
	unsigned int n = 0, i;
	trace_event_id_t id;
	int end;

	must(posix_trace_eventtypelist_rewind(trid));
	for (;;) {
		must(posix_trace_eventtypelist_getnext_id(trid, &id, &end));
		if (end)
			return n;
		must_be(n < ARRAY_SIZE(name));
		must(posix_trace_eventid_get_name(trid, id, name[n]));
		for (i = 0; i < n; i++)
			must_be(strcmp(name[i], name[n]));
		n++;
	}
}

/* A-229 [S]: names do not get lost with the events */
TEST_F(loop, A229_names_survive_an_overflow)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	unsigned int before = types(self->trid);

	record_range(self->u, 1, MANY);
	EXPECT_EQ(before, types(self->trid));
	EXPECT_EQ(0, posix_trace_eventid_get_name(self->trid, self->u, name));
	EXPECT_STREQ("u", name);
	EXPECT_EQ(0, posix_trace_eventid_get_name(self->trid,
						  POSIX_TRACE_START, name));
	EXPECT_STREQ("posix_trace_start", name);
	EXPECT_EQ(0, drain_count(self->trid, POSIX_TRACE_START));
}

#define LONGEST	200

/* Event number @n has a length and a content of its own. */
static size_t make_data(unsigned int n, unsigned char *data)
{
	size_t i, len = sizeof(n) + n * 37 % (LONGEST - sizeof(n) + 1);

	memcpy(data, &n, sizeof(n));
	for (i = sizeof(n); i < len; i++)
		data[i] = n * 7 + i;
	return len;
}

static bool is_whole(const struct ev *ev)
{
	unsigned char data[LONGEST];
	unsigned int n;

	if (ev->len < sizeof(n))
		return false;
	memcpy(&n, ev->data, sizeof(n));
	return make_data(n, data) == ev->len && !memcmp(data, ev->data, ev->len);
}

/* A-230 [S]: short and long events that wrap are whole */
TEST(A230_events_of_all_lengths_are_whole)
{
	trace_id_t trid = small_stream(POSIX_TRACE_LOOP, SMALL, LONGEST);
	trace_event_id_t u = open_event("u");
	unsigned int n, round, left, seen = 0;
	unsigned char data[LONGEST];
	struct ev ev;

	must(posix_trace_start(trid));
	for (round = 1, n = 0; round <= 200; round++) {
		while (n < round * 37) {
			size_t len = make_data(++n, data);

			posix_trace_event(u, data, len);
		}
		/* Every fourth time read only a part. */
		for (left = round % 4 ? n : 5; left; left--) {
			if (!ev_find(trid, u, &ev))
				break;
			ASSERT_TRUE(is_whole(&ev));
			seen++;
		}
	}
	EXPECT_LT(1000, seen);
}

/* A-231 [C-25]: OVERFLOW and RESUME belong to no process and no thread */
TEST_F(loop, A231_OVERFLOW_and_RESUME_belong_to_no_process)
{
	struct ev ev;

	record_range(self->u, 1, MANY);
	EXPECT_NEXT(POSIX_TRACE_OVERFLOW, self->trid, &ev);
	EXPECT_EQ(0, ev.info.posix_pid);
	EXPECT_EQ(0, ev.info.posix_thread_id);
	EXPECT_NEXT(POSIX_TRACE_RESUME, self->trid, &ev);
	EXPECT_EQ(0, ev.info.posix_pid);
	EXPECT_EQ(0, ev.info.posix_thread_id);
}

TEST_HARNESS_MAIN
