// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event sets (assertions ).
 */
#include "trace_test.h"

static const trace_event_id_t system_types[] = {
	POSIX_TRACE_ERROR, POSIX_TRACE_START, POSIX_TRACE_STOP,
	POSIX_TRACE_FILTER, POSIX_TRACE_OVERFLOW, POSIX_TRACE_RESUME,
	POSIX_TRACE_FLUSH_START, POSIX_TRACE_FLUSH_STOP,
};

#define SYSTEM_TYPES	ARRAY_SIZE(system_types)

FIXTURE(eventset) {
	trace_event_id_t u1, u2;
	trace_event_set_t set;		/* not initialized */
};

FIXTURE_SETUP(eventset)
{
	self->u1 = open_event("u1");
	self->u2 = open_event("u2");
	memset(&self->set, 0xa5, sizeof(self->set));
}

FIXTURE_TEARDOWN(eventset)
{
}

/* How many of the system types are in @set. */
static unsigned int system_members(const trace_event_set_t *set)
{
	unsigned int i, n = 0;

	for (i = 0; i < SYSTEM_TYPES; i++)
		n += is_member(system_types[i], set);
	return n;
}

/* A-366 [S]: no type is in an empty set */
TEST_F(eventset, A366_empty_set_has_no_member)
{
	EXPECT_EQ(0, posix_trace_eventset_empty(&self->set));
	EXPECT_EQ(0, system_members(&self->set));
	EXPECT_FALSE(is_member(POSIX_TRACE_UNNAMED_USEREVENT, &self->set));
	EXPECT_FALSE(is_member(self->u1, &self->set));
	EXPECT_FALSE(is_member(self->u2, &self->set));
}

/* A-367 [S]: ALL has the predefined and the opened types */
TEST_F(eventset, A367_ALL_has_every_type)
{
	EXPECT_EQ(0, posix_trace_eventset_fill(&self->set,
					       POSIX_TRACE_ALL_EVENTS));
	EXPECT_EQ(SYSTEM_TYPES, system_members(&self->set));
	EXPECT_TRUE(is_member(POSIX_TRACE_UNNAMED_USEREVENT, &self->set));
	EXPECT_TRUE(is_member(self->u1, &self->set));
	EXPECT_TRUE(is_member(self->u2, &self->set));
}

/* A-368 [S]: SYSTEM has the system types and no user type */
TEST_F(eventset, A368_SYSTEM_has_the_system_types_only)
{
	EXPECT_EQ(0, posix_trace_eventset_fill(&self->set,
					       POSIX_TRACE_SYSTEM_EVENTS));
	EXPECT_EQ(SYSTEM_TYPES, system_members(&self->set));
	EXPECT_FALSE(is_member(POSIX_TRACE_UNNAMED_USEREVENT, &self->set));
	EXPECT_FALSE(is_member(self->u1, &self->set));
}

/* A-368 [S]: the kernel's events are system types as well */
TEST_F(eventset, A368_SYSTEM_has_the_kernel_events)
{
	must(posix_trace_eventset_fill(&self->set, POSIX_TRACE_SYSTEM_EVENTS));
	EXPECT_TRUE(is_member(POSIX_TRACE_LINUX_SYSCALL_ENTER_NP, &self->set));
	EXPECT_TRUE(is_member(POSIX_TRACE_LINUX_SYSCALL_EXIT_NP, &self->set));
}

/* A-369 [S]: WOPID has no user type and none that belongs to a process */
TEST_F(eventset, A369_WOPID_has_no_type_of_a_process)
{
	EXPECT_EQ(0, posix_trace_eventset_fill(&self->set,
					       POSIX_TRACE_WOPID_EVENTS));
	EXPECT_FALSE(is_member(self->u1, &self->set));
	EXPECT_FALSE(is_member(POSIX_TRACE_UNNAMED_USEREVENT, &self->set));
	EXPECT_FALSE(is_member(POSIX_TRACE_START, &self->set));
	EXPECT_FALSE(is_member(POSIX_TRACE_STOP, &self->set));
	EXPECT_FALSE(is_member(POSIX_TRACE_FILTER, &self->set));
}

/* A-370 [C-37]: WOPID has ERROR, OVERFLOW and RESUME */
TEST_F(eventset, A370_WOPID_is_ERROR_OVERFLOW_and_RESUME)
{
	must(posix_trace_eventset_fill(&self->set, POSIX_TRACE_WOPID_EVENTS));
	EXPECT_EQ(3, system_members(&self->set));
	EXPECT_TRUE(is_member(POSIX_TRACE_ERROR, &self->set));
	EXPECT_TRUE(is_member(POSIX_TRACE_OVERFLOW, &self->set));
	EXPECT_TRUE(is_member(POSIX_TRACE_RESUME, &self->set));
	EXPECT_FALSE(is_member(POSIX_TRACE_LINUX_SYSCALL_ENTER_NP, &self->set));
}

/* A-371 [S]: fill forgets what was in the set */
TEST_F(eventset, A371_fill_starts_anew)
{
	self->set = set_of(self->u1);
	must(posix_trace_eventset_fill(&self->set, POSIX_TRACE_SYSTEM_EVENTS));
	EXPECT_FALSE(is_member(self->u1, &self->set));
	must(posix_trace_eventset_fill(&self->set, POSIX_TRACE_WOPID_EVENTS));
	EXPECT_FALSE(is_member(POSIX_TRACE_START, &self->set));
}

/* A-372 [C-38]: ALL has types that are opened later */
TEST_F(eventset, A372_ALL_has_types_opened_later)
{
	must(posix_trace_eventset_fill(&self->set, POSIX_TRACE_ALL_EVENTS));
	EXPECT_TRUE(is_member(open_event("opened later"), &self->set));
}

/* A-373 [C-52]: EINVAL for an unknown what */
TEST_F(eventset, A373_fill_refuses_an_unknown_what)
{
	int what[] = { 0, 4, 99, -1 };
	unsigned int i;

	self->set = set_of(self->u1);
	for (i = 0; i < ARRAY_SIZE(what); i++) {
		EXPECT_EQ(EINVAL, posix_trace_eventset_fill(&self->set,
							    what[i]));
		EXPECT_TRUE(is_member(self->u1, &self->set));
	}
}

/* A-374 [S]: what was added is a member, nothing else is */
TEST_F(eventset, A374_add_makes_one_type_a_member)
{
	must(posix_trace_eventset_empty(&self->set));
	EXPECT_EQ(0, posix_trace_eventset_add(self->u1, &self->set));
	EXPECT_TRUE(is_member(self->u1, &self->set));
	EXPECT_FALSE(is_member(self->u2, &self->set));
	EXPECT_FALSE(is_member(POSIX_TRACE_UNNAMED_USEREVENT, &self->set));
	EXPECT_EQ(0, system_members(&self->set));
}

/* A-375 [S]: adding a member is no error */
TEST_F(eventset, A375_add_of_a_member_changes_nothing)
{
	self->set = set_of(self->u1);
	EXPECT_EQ(0, posix_trace_eventset_add(self->u1, &self->set));
	EXPECT_TRUE(is_member(self->u1, &self->set));
	EXPECT_FALSE(is_member(self->u2, &self->set));
}

/* A-376 [S]: what was deleted is no member, the others are */
TEST_F(eventset, A376_del_removes_one_type)
{
	must(posix_trace_eventset_fill(&self->set, POSIX_TRACE_ALL_EVENTS));
	EXPECT_EQ(0, posix_trace_eventset_del(self->u1, &self->set));
	EXPECT_FALSE(is_member(self->u1, &self->set));
	EXPECT_TRUE(is_member(self->u2, &self->set));
	EXPECT_TRUE(is_member(POSIX_TRACE_UNNAMED_USEREVENT, &self->set));
	EXPECT_EQ(SYSTEM_TYPES, system_members(&self->set));
}

/* A-377 [S]: deleting what is no member is no error */
TEST_F(eventset, A377_del_of_no_member_changes_nothing)
{
	self->set = set_of(self->u1);
	EXPECT_EQ(0, posix_trace_eventset_del(self->u2, &self->set));
	EXPECT_TRUE(is_member(self->u1, &self->set));
	EXPECT_FALSE(is_member(self->u2, &self->set));
}

/* A-378 [S]: ismember tells the two apart */
TEST_F(eventset, A378_ismember_tells_members_from_others)
{
	int member = -1;

	self->set = set_of(self->u1);
	EXPECT_EQ(0, posix_trace_eventset_ismember(self->u1, &self->set,
						   &member));
	EXPECT_NE(0, member);
	EXPECT_EQ(0, posix_trace_eventset_ismember(self->u2, &self->set,
						   &member));
	EXPECT_EQ(0, member);
}

/* A-379 [S]: sets have nothing to do with the filter of a stream */
TEST_F(eventset, A379_sets_do_not_touch_the_filter)
{
	trace_id_t trid = self_stream(NULL);
	trace_event_set_t filter;

	must(posix_trace_get_filter(trid, &self->set));
	must(posix_trace_eventset_add(self->u1, &self->set));
	must(posix_trace_get_filter(trid, &filter));
	EXPECT_FALSE(is_member(self->u1, &filter));
	must(posix_trace_eventset_fill(&self->set, POSIX_TRACE_ALL_EVENTS));
	must(posix_trace_get_filter(trid, &filter));
	EXPECT_FALSE(is_member(self->u1, &filter));
	EXPECT_EQ(0, system_members(&filter));
}

/* A-380 [C-52]: EINVAL for an identifier out of range, the set stays */
TEST_F(eventset, A380_identifiers_out_of_range_are_refused)
{
	trace_event_id_t bad[] = { 0, 1024, 1025, 1 << 16, UINT_MAX };
	trace_event_set_t before;
	unsigned int i;
	int member = 77;

	self->set = set_of(self->u1);
	before = self->set;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(EINVAL, posix_trace_eventset_add(bad[i], &self->set));
		EXPECT_EQ(EINVAL, posix_trace_eventset_del(bad[i], &self->set));
		EXPECT_EQ(EINVAL, posix_trace_eventset_ismember(bad[i],
								&self->set,
								&member));
	}
	EXPECT_EQ(77, member);
	EXPECT_EQ(0, memcmp(&before, &self->set, sizeof(before)));
}

/* A-380 [C-52]: EINVAL for null pointers */
TEST_F(eventset, A380_null_pointers_are_refused)
{
	trace_event_set_t *null = NULL;
	int member, *nowhere = NULL;

	self->set = set_of(self->u1);
	EXPECT_EQ(EINVAL, posix_trace_eventset_empty(null));
	EXPECT_EQ(EINVAL, posix_trace_eventset_fill(null,
						    POSIX_TRACE_ALL_EVENTS));
	EXPECT_EQ(EINVAL, posix_trace_eventset_add(self->u1, null));
	EXPECT_EQ(EINVAL, posix_trace_eventset_del(self->u1, null));
	EXPECT_EQ(EINVAL, posix_trace_eventset_ismember(self->u1, null,
							&member));
	EXPECT_EQ(EINVAL, posix_trace_eventset_ismember(self->u1, &self->set,
							nowhere));
}

TEST_HARNESS_MAIN
