// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of event types of a stream (assertions ).
 */
#include "trace_test.h"

#define PREDEFINED	9
#define LIST_MAX	64

FIXTURE(typelist) {
	trace_id_t trid;	/* on the test itself */
	trace_event_id_t list[LIST_MAX];
};

FIXTURE_SETUP(typelist)
{
	self->trid = self_stream(NULL);
}

FIXTURE_TEARDOWN(typelist)
{
}

/* The next type, or 0 at the end. */
static trace_event_id_t next_type(trace_id_t trid)
{
	trace_event_id_t id = 77;
	int unavailable = -1;

	must(posix_trace_eventtypelist_getnext_id(trid, &id, &unavailable));
	must_be(!unavailable || id == 77);
	return unavailable ? 0 : id;
}

/* Read the list to its end; how many types there are. */
static size_t read_list(trace_id_t trid, trace_event_id_t list[LIST_MAX])
{
	size_t n = 0;

	while ((list[n] = next_type(trid)))
		must_be(++n < LIST_MAX);
	return n;
}

/* How often @id is among the first @n of @list. */
static size_t count(const trace_event_id_t *list, size_t n, trace_event_id_t id)
{
	size_t times = 0;

	while (n--)
		times += list[n] == id;
	return times;
}

/* A-415 [C-39]: a new stream has the nine predefined types */
TEST_F(typelist, A415_new_stream_has_the_predefined_types)
{
	trace_event_id_t id;

	EXPECT_EQ(PREDEFINED, read_list(self->trid, self->list));
	for (id = POSIX_TRACE_ERROR; id <= POSIX_TRACE_UNNAMED_USEREVENT; id++)
		EXPECT_EQ(1, count(self->list, PREDEFINED, id));
}

/* A-416 [C-39]: and the user types, in order of registration */
TEST_F(typelist, A416_user_types_follow)
{
	trace_event_id_t a = open_event("a"), b = open_event("b"), c, id;

	must(posix_trace_trid_eventid_open(self->trid, "c", &c));
	EXPECT_EQ(PREDEFINED + 3, read_list(self->trid, self->list));
	for (id = POSIX_TRACE_ERROR; id <= POSIX_TRACE_UNNAMED_USEREVENT; id++)
		EXPECT_EQ(1, count(self->list, PREDEFINED, id));
	EXPECT_EQ(a, self->list[PREDEFINED]);
	EXPECT_EQ(b, self->list[PREDEFINED + 1]);
	EXPECT_EQ(c, self->list[PREDEFINED + 2]);
}

/* A-417 [S]: at the end nothing is stored */
TEST_F(typelist, A417_end_is_told_and_nothing_stored)
{
	trace_event_id_t id = 77;
	int unavailable = 0;

	read_list(self->trid, self->list);
	EXPECT_EQ(0, posix_trace_eventtypelist_getnext_id(self->trid, &id,
							  &unavailable));
	EXPECT_NE(0, unavailable);
	EXPECT_EQ(77, id);
}

/* A-418 [S]: after a rewind the first type comes again */
TEST_F(typelist, A418_rewind_starts_the_list_again)
{
	trace_event_id_t first = next_type(self->trid);

	next_type(self->trid);
	next_type(self->trid);
	EXPECT_EQ(0, posix_trace_eventtypelist_rewind(self->trid));
	EXPECT_EQ(first, next_type(self->trid));
	read_list(self->trid, self->list);
	EXPECT_EQ(0, posix_trace_eventtypelist_rewind(self->trid));
	EXPECT_EQ(first, next_type(self->trid));
}

/* A-419 [C-39]: a type opened after the end is still told */
TEST_F(typelist, A419_type_opened_after_the_end_is_told)
{
	trace_event_id_t id;

	read_list(self->trid, self->list);
	EXPECT_EQ(0, next_type(self->trid));
	id = open_event("late");
	EXPECT_EQ(id, next_type(self->trid));
	EXPECT_EQ(0, next_type(self->trid));
}

/* A-420 [S]: each stream has a position of its own */
TEST_F(typelist, A420_positions_are_independent)
{
	trace_id_t other = self_stream(NULL);
	trace_event_id_t first = next_type(self->trid);

	next_type(self->trid);
	EXPECT_EQ(first, next_type(other));
	read_list(self->trid, self->list);
	EXPECT_NE(0, next_type(other));
}

/* A-421 [S]: EINVAL for a bad trid */
TEST_F(typelist, A421_getnext_refuses_a_bad_trid)
{
	trace_event_id_t id;
	int unavailable;

	EXPECT_EQ(EINVAL, posix_trace_eventtypelist_getnext_id(bad_trid(), &id,
							       &unavailable));
}

/* A-422 [S]: EINVAL for a bad trid */
TEST_F(typelist, A422_rewind_refuses_a_bad_trid)
{
	EXPECT_EQ(EINVAL, posix_trace_eventtypelist_rewind(bad_trid()));
}

/* Kernel events are in the list of a stream that asked for them, only. */
TEST_F(typelist, has_the_kernel_events_that_were_asked_for)
{
	trace_event_set_t exits = set_of(POSIX_TRACE_LINUX_SYSCALL_EXIT_NP);
	trace_attr_t attr;
	trace_id_t trid;
	size_t n;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setkernelevents_np(&attr, &exits));
	trid = self_stream(&attr);
	n = read_list(trid, self->list);
	EXPECT_EQ(PREDEFINED + 1, n);
	EXPECT_EQ(1, count(self->list, n, POSIX_TRACE_LINUX_SYSCALL_EXIT_NP));
	EXPECT_EQ(PREDEFINED, read_list(self->trid, self->list));
}

TEST_HARNESS_MAIN
