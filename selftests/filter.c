// SPDX-License-Identifier: GPL-2.0-only
/*
 * The filter of a stream (assertions, those without a log).
 */
#include "trace_test.h"

FIXTURE(filter) {
	trace_event_id_t u1, u2;
	trace_id_t trid;		/* suspended */
};

FIXTURE_SETUP(filter)
{
	self->u1 = open_event("u1");
	self->u2 = open_event("u2");
	self->trid = self_stream(NULL);
}

FIXTURE_TEARDOWN(filter)
{
}

static trace_event_set_t set_of_two(trace_event_id_t a, trace_event_id_t b)
{
	trace_event_set_t set = set_of(a);

	must(posix_trace_eventset_add(b, &set));
	return set;
}

static trace_event_set_t filter_of(trace_id_t trid)
{
	trace_event_set_t set;

	must(posix_trace_get_filter(trid, &set));
	return set;
}

/* Which of the two types, 1 and 2 added up, are in @set. */
static int members(const trace_event_set_t *set, trace_event_id_t u1,
		   trace_event_id_t u2)
{
	return is_member(u1, set) + 2 * is_member(u2, set);
}

static int filtered(trace_id_t trid, trace_event_id_t u1, trace_event_id_t u2)
{
	trace_event_set_t set = filter_of(trid);

	return members(&set, u1, u2);
}

/* A-345 [S]: types in the filter are not recorded, others are */
TEST_F(filter, A345_filtered_type_is_not_recorded)
{
	trace_event_set_t set = set_of(self->u1);
	struct ev ev;

	EXPECT_EQ(0, posix_trace_set_filter(self->trid, &set,
					    POSIX_TRACE_SET_EVENTSET));
	must(posix_trace_start(self->trid));
	record_num(self->u1, 1);
	record_num(self->u2, 2);
	EXPECT_NEXT(POSIX_TRACE_START, self->trid, &ev);
	EXPECT_NEXT(self->u2, self->trid, &ev);
	EXPECT_EQ(2, ev_num(&ev));
	EXPECT_EMPTY(self->trid);
}

/* A-346 [S]: ADD is the union */
TEST_F(filter, A346_add_is_the_union)
{
	trace_event_set_t set = set_of(self->u2);

	filter_out(self->trid, self->u1);
	EXPECT_EQ(0, posix_trace_set_filter(self->trid, &set,
					    POSIX_TRACE_ADD_EVENTSET));
	EXPECT_EQ(3, filtered(self->trid, self->u1, self->u2));
}

/* A-347 [S]: SUB is the difference */
TEST_F(filter, A347_sub_is_the_difference)
{
	trace_event_set_t both = set_of_two(self->u1, self->u2);
	trace_event_set_t set = set_of(self->u1);

	must(posix_trace_set_filter(self->trid, &both,
				    POSIX_TRACE_SET_EVENTSET));
	EXPECT_EQ(0, posix_trace_set_filter(self->trid, &set,
					    POSIX_TRACE_SUB_EVENTSET));
	EXPECT_EQ(2, filtered(self->trid, self->u1, self->u2));
}

/* A-348 [S]: what is not in the filter can be taken off */
TEST_F(filter, A348_sub_of_what_is_not_there_changes_nothing)
{
	trace_event_set_t set = set_of(self->u2);

	filter_out(self->trid, self->u1);
	EXPECT_EQ(0, posix_trace_set_filter(self->trid, &set,
					    POSIX_TRACE_SUB_EVENTSET));
	EXPECT_EQ(1, filtered(self->trid, self->u1, self->u2));
}

/* A-349 [S]: with an empty set everything is recorded again */
TEST_F(filter, A349_empty_set_lets_everything_pass)
{
	trace_event_set_t none;

	filter_out(self->trid, self->u1);
	must(posix_trace_start(self->trid));
	record_num(self->u1, 1);
	EXPECT_EQ(0, drain_count(self->trid, self->u1));
	must(posix_trace_eventset_empty(&none));
	EXPECT_EQ(0, posix_trace_set_filter(self->trid, &none,
					    POSIX_TRACE_SET_EVENTSET));
	record_num(self->u1, 2);
	EXPECT_EQ(1, drain_count(self->trid, self->u1));
}

/* A-350 [S]: a suspended stream records no FILTER */
TEST_F(filter, A350_suspended_stream_records_no_FILTER)
{
	trace_event_set_t set = set_of(self->u1);
	struct ev ev;

	EXPECT_EQ(0, posix_trace_set_filter(self->trid, &set,
					    POSIX_TRACE_SET_EVENTSET));
	EXPECT_EMPTY(self->trid);
	must(posix_trace_start(self->trid));
	EXPECT_NEXT(POSIX_TRACE_START, self->trid, &ev);
	EXPECT_EMPTY(self->trid);
	must(posix_trace_stop(self->trid));
	EXPECT_NEXT(POSIX_TRACE_STOP, self->trid, &ev);
	EXPECT_EQ(0, posix_trace_set_filter(self->trid, &set,
					    POSIX_TRACE_SUB_EVENTSET));
	EXPECT_EMPTY(self->trid);
}

/* The next event is a FILTER event; its two sets. */
static void next_filter(trace_id_t trid, trace_event_set_t sets[2])
{
	struct ev ev;

	must_be(ev_try(trid, &ev));
	must_be(ev.info.posix_event_id == POSIX_TRACE_FILTER);
	must_be(ev.len == 2 * sizeof(sets[0]));
	must_be(ev.info.posix_truncation_status == POSIX_TRACE_NOT_TRUNCATED);
	memcpy(sets, ev.data, ev.len);
}

static trace_id_t start_and_drain(trace_id_t trid)
{
	must(posix_trace_start(trid));
	drain(trid);
	return trid;
}

/* A-351 [S]: a running stream records old and new filter */
TEST_F(filter, A351_FILTER_carries_the_old_and_the_new_filter)
{
	trace_event_set_t set = set_of(self->u2), sets[2];

	filter_out(self->trid, self->u1);
	start_and_drain(self->trid);
	EXPECT_EQ(0, posix_trace_set_filter(self->trid, &set,
					    POSIX_TRACE_SET_EVENTSET));
	next_filter(self->trid, sets);
	EXPECT_EQ(1, members(&sets[0], self->u1, self->u2));
	EXPECT_EQ(2, members(&sets[1], self->u1, self->u2));
	EXPECT_EMPTY(self->trid);
}

/* A-352 [S]: the new filter is the result, not the argument */
TEST_F(filter, A352_FILTER_carries_the_result_of_add_and_sub)
{
	trace_event_set_t set = set_of(self->u2), sets[2];

	filter_out(self->trid, self->u1);
	start_and_drain(self->trid);
	must(posix_trace_set_filter(self->trid, &set,
				    POSIX_TRACE_ADD_EVENTSET));
	next_filter(self->trid, sets);
	EXPECT_EQ(1, members(&sets[0], self->u1, self->u2));
	EXPECT_EQ(3, members(&sets[1], self->u1, self->u2));

	must(posix_trace_set_filter(self->trid, &set,
				    POSIX_TRACE_SUB_EVENTSET));
	next_filter(self->trid, sets);
	EXPECT_EQ(3, members(&sets[0], self->u1, self->u2));
	EXPECT_EQ(1, members(&sets[1], self->u1, self->u2));
}

/* A-353 [C-21]: recorded also when nothing changes */
TEST_F(filter, A353_FILTER_is_recorded_though_nothing_changes)
{
	trace_event_set_t set = set_of(self->u1), sets[2];

	filter_out(self->trid, self->u1);
	start_and_drain(self->trid);
	EXPECT_EQ(0, posix_trace_set_filter(self->trid, &set,
					    POSIX_TRACE_SET_EVENTSET));
	next_filter(self->trid, sets);
	EXPECT_EQ(0, memcmp(&sets[0], &sets[1], sizeof(sets[0])));
	EXPECT_EQ(1, members(&sets[1], self->u1, self->u2));
}

/* A-354 [C-21]: FILTER is filtered when both the old and the new one say so */
TEST_F(filter, A354_FILTER_is_recorded_unless_both_filters_hold_it)
{
	trace_event_set_t with = set_of(POSIX_TRACE_FILTER), sets[2], empty;

	must(posix_trace_eventset_empty(&empty));
	start_and_drain(self->trid);
	must(posix_trace_set_filter(self->trid, &with,
				    POSIX_TRACE_SET_EVENTSET));
	next_filter(self->trid, sets);
	must(posix_trace_set_filter(self->trid, &with,
				    POSIX_TRACE_SET_EVENTSET));
	EXPECT_EMPTY(self->trid);
	must(posix_trace_set_filter(self->trid, &empty,
				    POSIX_TRACE_SET_EVENTSET));
	next_filter(self->trid, sets);
	EXPECT_TRUE(is_member(POSIX_TRACE_FILTER, &sets[0]));
	EXPECT_FALSE(is_member(POSIX_TRACE_FILTER, &sets[1]));
}

/* A-355 [S]: with all types filtered only the statuses change */
TEST_F(filter, A355_all_types_filtered_records_nothing)
{
	trace_event_set_t all;

	must(posix_trace_eventset_fill(&all, POSIX_TRACE_ALL_EVENTS));
	EXPECT_EQ(0, posix_trace_set_filter(self->trid, &all,
					    POSIX_TRACE_SET_EVENTSET));
	EXPECT_EQ(0, posix_trace_start(self->trid));
	EXPECT_EQ(POSIX_TRACE_RUNNING,
		  status_of(self->trid).posix_stream_status);
	record_num(self->u1, 1);
	posix_trace_event(POSIX_TRACE_UNNAMED_USEREVENT, NULL, 0);
	EXPECT_EQ(0, posix_trace_stop(self->trid));
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
	EXPECT_EMPTY(self->trid);
}

/* A-356 [S]: what was recorded before stays */
TEST_F(filter, A356_events_recorded_before_stay)
{
	start_and_drain(self->trid);
	record_num(self->u1, 1);
	filter_out(self->trid, self->u1);
	record_num(self->u1, 2);
	EXPECT_EQ(1, drain_count(self->trid, self->u1));
}

/* A-357 [S]: the caller's set may change afterwards */
TEST_F(filter, A357_filter_is_a_copy_of_the_set)
{
	trace_event_set_t set = set_of(self->u1), seen;

	must(posix_trace_set_filter(self->trid, &set,
				    POSIX_TRACE_SET_EVENTSET));
	must(posix_trace_eventset_add(self->u2, &set));
	must(posix_trace_eventset_del(self->u1, &set));
	EXPECT_EQ(1, filtered(self->trid, self->u1, self->u2));

	/* And so may the set that was given out. */
	must(posix_trace_get_filter(self->trid, &seen));
	must(posix_trace_eventset_add(self->u2, &seen));
	EXPECT_EQ(1, filtered(self->trid, self->u1, self->u2));
}

/* A-358 [S]: EINVAL for a bad trid */
TEST_F(filter, A358_set_filter_refuses_a_bad_trid)
{
	trace_event_set_t set = set_of(self->u1);

	EXPECT_EQ(EINVAL, posix_trace_set_filter(bad_trid(), &set,
						 POSIX_TRACE_SET_EVENTSET));
}

/* A-359 [C-36]: EINVAL for an unknown how, nothing changes */
TEST_F(filter, A359_set_filter_refuses_an_unknown_how)
{
	int how[] = { 0, 4, 99, -1 };
	trace_event_set_t set = set_of(self->u2);
	unsigned int i;

	filter_out(self->trid, self->u1);
	start_and_drain(self->trid);
	for (i = 0; i < ARRAY_SIZE(how); i++) {
		EXPECT_EQ(EINVAL, posix_trace_set_filter(self->trid, &set,
							 how[i]));
		EXPECT_EQ(1, filtered(self->trid, self->u1, self->u2));
	}
	EXPECT_EMPTY(self->trid);
}

/* A-360 [C-52]: EINVAL for a null set, nothing changes */
TEST_F(filter, A360_null_set_is_refused)
{
	trace_event_set_t *null = NULL;

	filter_out(self->trid, self->u1);
	EXPECT_EQ(EINVAL, posix_trace_set_filter(self->trid, null,
						 POSIX_TRACE_SET_EVENTSET));
	EXPECT_EQ(EINVAL, posix_trace_get_filter(self->trid, null));
	EXPECT_EQ(1, filtered(self->trid, self->u1, self->u2));
}

/* A-362 [S]: the filter of a new stream is empty */
TEST_F(filter, A362_new_stream_has_an_empty_filter)
{
	trace_event_set_t set = filter_of(self->trid);
	trace_event_id_t id;

	EXPECT_FALSE(is_member(self->u1, &set));
	for (id = POSIX_TRACE_ERROR; id <= POSIX_TRACE_UNNAMED_USEREVENT; id++)
		EXPECT_FALSE(is_member(id, &set));
}

/* A-363 [S]: EINVAL for a bad trid */
TEST_F(filter, A363_get_filter_refuses_a_bad_trid)
{
	trace_event_set_t set;

	EXPECT_EQ(EINVAL, posix_trace_get_filter(bad_trid(), &set));
}

/* A-364 [C-10]: signals do not interrupt it */
TEST_F(filter, A364_set_filter_succeeds_in_a_storm_of_signals)
{
	trace_event_set_t one = set_of(self->u1), two = set_of(self->u2);
	unsigned int rounds = 0;

	start_and_drain(self->trid);
	signal_storm(500);
	while (signals_seen < 100) {
		ASSERT_EQ(0, posix_trace_set_filter(self->trid, &one,
						    POSIX_TRACE_SET_EVENTSET));
		ASSERT_EQ(1, filtered(self->trid, self->u1, self->u2));
		ASSERT_EQ(0, posix_trace_set_filter(self->trid, &two,
						    POSIX_TRACE_SET_EVENTSET));
		ASSERT_EQ(2, filtered(self->trid, self->u1, self->u2));
		rounds++;
	}
	signal_storm(0);
	EXPECT_LT(0, rounds);
}

/* A-365 [S]: the filter of one stream is not that of another */
TEST_F(filter, A365_filter_belongs_to_one_stream)
{
	trace_id_t other = running_stream();

	filter_out(self->trid, self->u1);
	must(posix_trace_start(self->trid));
	EXPECT_EQ(0, filtered(other, self->u1, self->u2));
	record_num(self->u1, 1);
	EXPECT_EQ(0, drain_count(self->trid, self->u1));
	EXPECT_EQ(1, drain_count(other, self->u1));
}

TEST_HARNESS_MAIN
