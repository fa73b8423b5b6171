// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets of event types, which need no kernel: A-366 and on. The library's files
 * are part of this program, for the sanitizers.
 */
#include "library.h"

#include "kselftest_harness.h"

FIXTURE(set) {
	trace_event_set_t set;
};

FIXTURE_SETUP(set)
{
	memset(&self->set, 0xa5, sizeof(self->set));
}

FIXTURE_TEARDOWN(set)
{
}

static int is_member(trace_event_id_t id, const trace_event_set_t *set)
{
	int is = -1;

	return posix_trace_eventset_ismember(id, set, &is) ? -1 : is;
}

TEST_F(set, has_no_member_when_empty)
{
	trace_event_id_t id;

	EXPECT_EQ(0, posix_trace_eventset_empty(&self->set));
	for (id = 1; id < POSIXTRACE_EVENT_MAX; id++)
		EXPECT_EQ(0, is_member(id, &self->set));
}

TEST_F(set, has_every_member_when_filled_with_all)
{
	trace_event_id_t id;

	EXPECT_EQ(0, posix_trace_eventset_fill(&self->set,
					       POSIX_TRACE_ALL_EVENTS));
	for (id = 1; id < POSIXTRACE_EVENT_MAX; id++)
		EXPECT_EQ(1, is_member(id, &self->set));
}

/* Neither the unnamed event nor any that a program opened. */
TEST_F(set, has_system_events_when_filled_with_system)
{
	trace_event_id_t id;

	EXPECT_EQ(0, posix_trace_eventset_fill(&self->set,
					       POSIX_TRACE_SYSTEM_EVENTS));
	for (id = POSIX_TRACE_ERROR; id <= POSIX_TRACE_FLUSH_STOP; id++)
		EXPECT_EQ(1, is_member(id, &self->set));
	EXPECT_EQ(0, is_member(POSIX_TRACE_UNNAMED_USEREVENT, &self->set));
	for (id = POSIXTRACE_EV_KERNEL; id < POSIXTRACE_EV_USER; id++)
		EXPECT_EQ(1, is_member(id, &self->set));
	for (; id < POSIXTRACE_EVENT_MAX; id++)
		EXPECT_EQ(0, is_member(id, &self->set));
}

/* C-37 */
TEST_F(set, has_three_events_when_filled_with_wopid)
{
	trace_event_id_t id;

	EXPECT_EQ(0, posix_trace_eventset_fill(&self->set,
					       POSIX_TRACE_WOPID_EVENTS));
	for (id = 1; id < POSIXTRACE_EVENT_MAX; id++)
		EXPECT_EQ(id == POSIX_TRACE_ERROR ||
			  id == POSIX_TRACE_OVERFLOW ||
			  id == POSIX_TRACE_RESUME, is_member(id, &self->set));
}

TEST_F(set, changes_one_member_at_a_time)
{
	trace_event_set_t all, want;
	trace_event_id_t id;

	posix_trace_eventset_fill(&all, POSIX_TRACE_ALL_EVENTS);
	posix_trace_eventset_empty(&self->set);
	for (id = 1; id < POSIXTRACE_EVENT_MAX; id++) {
		want = self->set;
		EXPECT_EQ(0, posix_trace_eventset_add(id, &self->set));
		EXPECT_EQ(1, is_member(id, &self->set));
		EXPECT_EQ(0, posix_trace_eventset_add(id, &self->set));
		EXPECT_EQ(1, is_member(id, &self->set));
		EXPECT_EQ(0, posix_trace_eventset_del(id, &self->set));
		EXPECT_EQ(0, is_member(id, &self->set));
		EXPECT_EQ(0, posix_trace_eventset_del(id, &self->set));
		EXPECT_EQ(0, memcmp(&want, &self->set, sizeof(want)));
		EXPECT_EQ(0, posix_trace_eventset_add(id, &self->set));
		EXPECT_EQ(0, posix_trace_eventset_del(id, &all));
		EXPECT_EQ(0, is_member(id, &all));
	}
}

TEST_F(set, is_a_value)
{
	trace_event_set_t copy;

	posix_trace_eventset_empty(&self->set);
	posix_trace_eventset_add(POSIXTRACE_EV_USER, &self->set);
	copy = self->set;
	posix_trace_eventset_empty(&self->set);
	EXPECT_EQ(1, is_member(POSIXTRACE_EV_USER, &copy));
	EXPECT_EQ(0, is_member(POSIXTRACE_EV_USER, &self->set));
}

/* C-52: nothing is changed by a refused call. */
TEST_F(set, refuses_what_is_out_of_range)
{
	static const trace_event_id_t ids[] = {
		0, POSIXTRACE_EVENT_MAX, POSIXTRACE_EVENT_MAX + 1, UINT_MAX,
	};
	static const int whats[] = { 0, -1, 4, 99, INT_MIN, INT_MAX };
	trace_event_set_t before = self->set;
	int is = 77;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		EXPECT_EQ(EINVAL, posix_trace_eventset_add(ids[i], &self->set));
		EXPECT_EQ(EINVAL, posix_trace_eventset_del(ids[i], &self->set));
		EXPECT_EQ(EINVAL, posix_trace_eventset_ismember(ids[i],
								&self->set,
								&is));
	}
	for (i = 0; i < ARRAY_SIZE(whats); i++)
		EXPECT_EQ(EINVAL, posix_trace_eventset_fill(&self->set,
							    whats[i]));
	EXPECT_EQ(77, is);
	EXPECT_EQ(0, memcmp(&before, &self->set, sizeof(before)));
}

TEST_F(set, refuses_null)
{
	int is = 77;

	EXPECT_EQ(EINVAL, posix_trace_eventset_add(64, NULL));
	EXPECT_EQ(EINVAL, posix_trace_eventset_del(64, NULL));
	EXPECT_EQ(EINVAL, posix_trace_eventset_empty(NULL));
	EXPECT_EQ(EINVAL, posix_trace_eventset_fill(NULL,
						    POSIX_TRACE_ALL_EVENTS));
	EXPECT_EQ(EINVAL, posix_trace_eventset_ismember(64, NULL, &is));
	EXPECT_EQ(EINVAL, posix_trace_eventset_ismember(64, &self->set, NULL));
	EXPECT_EQ(77, is);
}

TEST_HARNESS_MAIN
