// SPDX-License-Identifier: GPL-2.0-only
/*
 * Streams that children inherit: who is traced, names, control (assertions
 *
 */
#include "family_test.h"

#define PLACES	(TRACE_USER_EVENT_MAX - 1)	/* for names of one's own */

FIXTURE(inherit) {
	trace_event_id_t u;
	struct family f;
	trace_attr_t attr;	/* POSIX_TRACE_INHERITED */
	trace_id_t trid;	/* on member 0, running, with that */
};

static long obey(int nr, const struct order *order)
{
	return -1;
}

FIXTURE_SETUP(inherit)
{
	self->u = open_event("u");
	family_start(&self->f);
	must(posix_trace_attr_init(&self->attr));
	must(posix_trace_attr_setinherited(&self->attr, POSIX_TRACE_INHERITED));
	self->trid = stream_on(self->f.m[0].c.pid, &self->attr);
	must(posix_trace_start(self->trid));
}

FIXTURE_TEARDOWN(inherit)
{
	struct posix_trace_counters_np counters;

	must(posix_trace_get_counters_np(self->trid, &counters));
	EXPECT_EQ(0, counters.posix_missed_children);
	family_disband(&self->f);
}

static int record_pid(const struct child *c, void *arg)
{
	return (int)member_record(*(trace_event_id_t *)arg);
}

/* The next event is of member @nr, and says so itself. */
#define EXPECT_BY(member, id, trid) do {				\
	struct ev by;							\
									\
	EXPECT_NEXT(id, trid, &by);					\
	EXPECT_EQ(member, by.info.posix_pid);				\
	EXPECT_EQ(member, by.info.posix_tid_np);			\
	EXPECT_EQ(member, ev_int(&by));					\
} while (0)

/* Nothing but START, and what is to come. */
#define EXPECT_START(trid) \
	EXPECT_NEXT(POSIX_TRACE_START, trid, &(struct ev){ })

static pid_t pid_of(const struct family *f, int nr)
{
	return f->m[nr].c.pid;
}

/* A-425 [S]: a child is traced, and has its pid */
TEST_F(inherit, A425_child_of_a_self_stream_is_traced)
{
	trace_id_t trid = self_stream(&self->attr);
	struct child c;

	must(posix_trace_start(trid));
	child_start(&c, record_pid, &self->u);
	EXPECT_EQ(0, child_end(&c));
	EXPECT_START(trid);
	EXPECT_BY(c.pid, self->u, trid);
	EXPECT_EMPTY(trid);
}

/* A-425 [S]: also if the stream is another's */
TEST_F(inherit, A425_child_of_a_target_is_traced)
{
	family_fork(&self->f, 0, 1);
	family_record(&self->f, 1, self->u);
	EXPECT_START(self->trid);
	EXPECT_BY(pid_of(&self->f, 1), self->u, self->trid);
	EXPECT_EMPTY(self->trid);
}

/* A-426 [S]: and so are its children */
TEST_F(inherit, A426_grandchild_is_traced)
{
	int i;

	for (i = 1; i < FAMILY; i++)
		family_fork(&self->f, i - 1, i);
	for (i = FAMILY - 1; i > 0; i--)
		family_record(&self->f, i, self->u);
	EXPECT_START(self->trid);
	for (i = FAMILY - 1; i > 0; i--)
		EXPECT_BY(pid_of(&self->f, i), self->u, self->trid);
	EXPECT_EMPTY(self->trid);
}

/* A-427 [S]: a child forked before is not, nor are its children */
TEST_F(inherit, A427_child_forked_before_the_creation_is_not_traced)
{
	trace_id_t trid;

	family_fork(&self->f, 0, 1);
	trid = stream_on(pid_of(&self->f, 0), &self->attr);
	must(posix_trace_start(trid));
	family_record(&self->f, 1, self->u);
	family_fork(&self->f, 1, 2);
	family_record(&self->f, 2, self->u);
	/* A later one is. */
	family_fork(&self->f, 0, 3);
	family_record(&self->f, 3, self->u);
	EXPECT_START(trid);
	EXPECT_BY(pid_of(&self->f, 3), self->u, trid);
	EXPECT_EMPTY(trid);
	EXPECT_EQ(3, drain_count(self->trid, self->u));
}

/* A-428 [S]: the parent goes on being traced */
TEST_F(inherit, A428_parent_and_child_have_their_pids)
{
	family_fork(&self->f, 0, 1);
	family_record(&self->f, 0, self->u);
	family_record(&self->f, 1, self->u);
	family_record(&self->f, 0, self->u);
	EXPECT_START(self->trid);
	EXPECT_BY(pid_of(&self->f, 0), self->u, self->trid);
	EXPECT_BY(pid_of(&self->f, 1), self->u, self->trid);
	EXPECT_BY(pid_of(&self->f, 0), self->u, self->trid);
	EXPECT_EMPTY(self->trid);
}

/* A-429 [S]: a name of the parent has its identifier in the child */
TEST_F(inherit, A429_child_opens_a_name_of_its_parent)
{
	trace_event_id_t id = family_open(&self->f, 0, "U");

	family_open(&self->f, 0, "other");
	family_fork(&self->f, 0, 1);
	EXPECT_EQ(id, family_open(&self->f, 1, "U"));
	family_record(&self->f, 1, id);
	EXPECT_EQ(1, drain_count(self->trid, id));
}

/* A-430 [S]: and the other way round, over generations and to siblings */
TEST_F(inherit, A430_parent_opens_a_name_of_its_child)
{
	trace_event_id_t id, late;

	family_fork(&self->f, 0, 1);
	family_fork(&self->f, 1, 2);
	family_fork(&self->f, 0, 3);
	id = family_open(&self->f, 2, "N");
	EXPECT_NE(id, family_open(&self->f, 0, "other"));
	EXPECT_EQ(id, family_open(&self->f, 0, "N"));
	late = family_open(&self->f, 3, "late");
	EXPECT_NE(id, late);
	EXPECT_EQ(late, family_open(&self->f, 2, "late"));
	EXPECT_EQ(id, family_open(&self->f, 3, "N"));
}

/* A-430 [S]: to which the controller's way belongs */
TEST_F(inherit, A430_controller_opens_a_name_of_a_child)
{
	trace_event_id_t id, seen;

	family_fork(&self->f, 0, 1);
	id = family_open(&self->f, 1, "N");
	must(posix_trace_trid_eventid_open(self->trid, "N", &seen));
	EXPECT_EQ(id, seen);
	must(posix_trace_trid_eventid_open(self->trid, "M", &seen));
	EXPECT_EQ(seen, family_open(&self->f, 1, "M"));
	filter_out(self->trid, id);
	drain(self->trid);
	family_record(&self->f, 1, id);
	family_record(&self->f, 1, seen);
	EXPECT_BY(pid_of(&self->f, 1), seen, self->trid);
	EXPECT_EMPTY(self->trid);
}

static bool is_listed(trace_id_t trid, trace_event_id_t id)
{
	trace_event_id_t next;
	int none;

	must(posix_trace_eventtypelist_rewind(trid));
	for (;;) {
		must(posix_trace_eventtypelist_getnext_id(trid, &next, &none));
		if (none)
			return false;
		if (next == id)
			return true;
	}
}

/* A-431 [S]: the stream knows a name of a child */
TEST_F(inherit, A431_name_of_a_child_is_in_the_list)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_event_id_t id;

	family_fork(&self->f, 0, 1);
	family_fork(&self->f, 1, 2);
	id = family_open(&self->f, 2, "N");
	EXPECT_TRUE(is_listed(self->trid, id));
	EXPECT_EQ(0, posix_trace_eventid_get_name(self->trid, id, name));
	EXPECT_STREQ("N", name);
}

/* A-432 [S]: all of a family share one limit */
TEST_F(inherit, A432_child_takes_the_last_place_of_its_parent)
{
	char name[16];
	int i;

	/* "u" is one of the parent's names, as a copy of the test's. */
	for (i = 1; i < PLACES - 1; i++) {
		snprintf(name, sizeof(name), "%d", i);
		ASSERT_NE(POSIX_TRACE_UNNAMED_USEREVENT,
			  family_open(&self->f, 0, name));
	}
	family_fork(&self->f, 0, 1);
	EXPECT_NE(POSIX_TRACE_UNNAMED_USEREVENT,
		  family_open(&self->f, 1, "last"));
	EXPECT_EQ(POSIX_TRACE_UNNAMED_USEREVENT,
		  family_open(&self->f, 0, "one more"));
	EXPECT_EQ(POSIX_TRACE_UNNAMED_USEREVENT,
		  family_open(&self->f, 1, "one more"));
	EXPECT_NE(POSIX_TRACE_UNNAMED_USEREVENT,
		  family_open(&self->f, 0, "last"));
}

/* Without inheritance each has its own. */
TEST_F(inherit, names_are_shared_by_inheritance_only)
{
	trace_event_id_t id;
	trace_id_t trid;

	must(posix_trace_shutdown(self->trid));
	self->trid = stream_on(pid_of(&self->f, 0), NULL);
	family_fork(&self->f, 0, 1);
	id = family_open(&self->f, 1, "N");
	EXPECT_FALSE(is_listed(self->trid, id));
	EXPECT_EQ(id, family_open(&self->f, 0, "M"));
	/* Until there is a stream again: its family begins with who makes it. */
	trid = stream_on(pid_of(&self->f, 1), &self->attr);
	family_fork(&self->f, 1, 2);
	EXPECT_EQ(id, family_open(&self->f, 2, "N"));
	EXPECT_EQ(family_open(&self->f, 2, "K"), family_open(&self->f, 1, "K"));
	EXPECT_TRUE(is_listed(trid, family_open(&self->f, 2, "K")));
	must(posix_trace_shutdown(trid));
}

/* A-433 [S]: each stream goes by its own attribute */
TEST_F(inherit, A433_child_is_traced_by_the_inherited_stream_only)
{
	trace_id_t closed = stream_on(pid_of(&self->f, 0), NULL);

	must(posix_trace_start(closed));
	family_fork(&self->f, 0, 1);
	family_record(&self->f, 1, self->u);
	family_fork(&self->f, 1, 2);
	family_record(&self->f, 2, self->u);
	EXPECT_EQ(2, drain_count(self->trid, self->u));
	EXPECT_START(closed);
	EXPECT_EMPTY(closed);
	/* Both have the parent. */
	family_record(&self->f, 0, self->u);
	EXPECT_BY(pid_of(&self->f, 0), self->u, self->trid);
	EXPECT_BY(pid_of(&self->f, 0), self->u, closed);
	EXPECT_EMPTY(self->trid);
	EXPECT_EMPTY(closed);
}

/* Nor is a kernel event of the child for the other stream. */
TEST_F(inherit, no_kernel_event_of_a_child_is_in_a_stream_not_inherited)
{
	struct raw closed, open;
	const struct kernel_event *ev;
	struct collection all;
	pid_t pid;

	pid = pid_of(&self->f, 0);
	closed = kernel_stream(self->f.device, pid, ALL_EVENTS);
	open = inherited_stream(self->f.device, pid, ALL_EVENTS);
	family_fork(&self->f, 0, 1);
	family_call(&self->f, 1, 10);
	family_record(&self->f, 1, self->u);
	EXPECT_EQ(0, kill(pid_of(&self->f, 1), SIGCONT));
	family_end(&self->f, 1);
	all = stop_and_collect(closed);
	EXPECT_LT(1, all.nr);
	for_each_event(ev, all)
		EXPECT_EQ(pid, ev->record.pid);
	all = stop_and_collect(open);
	EXPECT_EQ(10, count_calls(all, pid_of(&self->f, 1), SYS_getppid));
	EXPECT_EQ(1, count_events(all, EVENT(EXIT), pid_of(&self->f, 1)));
}

/* A-434 [S]: all of the family follow its state */
TEST_F(inherit, A434_start_after_the_fork_is_for_the_child)
{
	trace_id_t trid = stream_on(pid_of(&self->f, 0), &self->attr);

	family_fork(&self->f, 0, 1);
	family_fork(&self->f, 1, 2);
	family_record(&self->f, 2, self->u);
	EXPECT_EMPTY(trid);
	must(posix_trace_start(trid));
	family_record(&self->f, 2, self->u);
	family_record(&self->f, 1, self->u);
	EXPECT_START(trid);
	EXPECT_BY(pid_of(&self->f, 2), self->u, trid);
	EXPECT_BY(pid_of(&self->f, 1), self->u, trid);
	must(posix_trace_stop(trid));
	family_record(&self->f, 1, self->u);
	family_record(&self->f, 2, self->u);
	EXPECT_NEXT(POSIX_TRACE_STOP, trid, &(struct ev){ });
	EXPECT_EMPTY(trid);
	must(posix_trace_start(trid));
	family_record(&self->f, 2, self->u);
	EXPECT_START(trid);
	EXPECT_BY(pid_of(&self->f, 2), self->u, trid);
	EXPECT_EMPTY(trid);
}

/* A-435 [S]: and its filter */
TEST_F(inherit, A435_filter_after_the_fork_is_for_the_child)
{
	trace_event_id_t v = open_event("v");
	trace_event_set_t nothing;

	family_open(&self->f, 0, "v");
	family_fork(&self->f, 0, 1);
	family_fork(&self->f, 1, 2);
	filter_out(self->trid, self->u);
	drain(self->trid);
	family_record(&self->f, 1, self->u);
	family_record(&self->f, 2, self->u);
	EXPECT_EMPTY(self->trid);
	family_record(&self->f, 2, v);
	EXPECT_BY(pid_of(&self->f, 2), v, self->trid);
	must(posix_trace_eventset_empty(&nothing));
	must(posix_trace_set_filter(self->trid, &nothing,
				    POSIX_TRACE_SET_EVENTSET));
	drain(self->trid);
	family_record(&self->f, 2, self->u);
	EXPECT_BY(pid_of(&self->f, 2), self->u, self->trid);
	EXPECT_EMPTY(self->trid);
}

/* A stream that a child makes for itself is not for its ancestors. */
TEST_F(inherit, stream_on_a_child_does_not_reach_its_parent)
{
	trace_id_t trid;

	family_fork(&self->f, 0, 1);
	trid = stream_on(pid_of(&self->f, 1), &self->attr);
	must(posix_trace_start(trid));
	family_record(&self->f, 0, self->u);
	family_fork(&self->f, 0, 2);
	family_record(&self->f, 2, self->u);
	EXPECT_START(trid);
	EXPECT_EMPTY(trid);
	family_fork(&self->f, 1, 3);
	family_record(&self->f, 3, self->u);
	EXPECT_BY(pid_of(&self->f, 3), self->u, trid);
	EXPECT_EMPTY(trid);
	EXPECT_EQ(3, drain_count(self->trid, self->u));
	must(posix_trace_shutdown(trid));
	family_record(&self->f, 3, self->u);
	EXPECT_EQ(1, drain_count(self->trid, self->u));
}

/* START and STOP name the process that the stream was made for. */
TEST_F(inherit, control_events_belong_to_the_first_process)
{
	struct ev ev;

	family_fork(&self->f, 0, 1);
	must(posix_trace_stop(self->trid));
	EXPECT_NEXT(POSIX_TRACE_START, self->trid, &ev);
	EXPECT_EQ(pid_of(&self->f, 0), ev.info.posix_pid);
	EXPECT_NEXT(POSIX_TRACE_STOP, self->trid, &ev);
	EXPECT_EQ(pid_of(&self->f, 0), ev.info.posix_pid);
}

TEST_HARNESS_MAIN
