// SPDX-License-Identifier: GPL-2.0-only
/*
 * A traced process executes another program: who traces it, and what becomes of
 * its names (assertions ), with and without inheritance.
 */
#include "family_test.h"

#define PLACES	(TRACE_USER_EVENT_MAX - 1)	/* for names of one's own */

FIXTURE(exec) {
	struct family f;
	trace_id_t trid;	/* on member 0 */
	trace_id_t inherited;	/* likewise, and on its children */
};

static long obey(int nr, const struct order *order)
{
	return -1;
}

FIXTURE_SETUP(exec)
{
	trace_attr_t attr;

	family_start(&self->f);
	must(posix_trace_attr_init(&attr));
	self->trid = stream_on(self->f.m[0].c.pid, &attr);
	must(posix_trace_start(self->trid));
	must(posix_trace_attr_setinherited(&attr, POSIX_TRACE_INHERITED));
	self->inherited = stream_on(self->f.m[0].c.pid, &attr);
	must(posix_trace_start(self->inherited));
}

FIXTURE_TEARDOWN(exec)
{
	struct posix_trace_counters_np counters;

	must(posix_trace_get_counters_np(self->inherited, &counters));
	EXPECT_EQ(0, counters.posix_missed_children);
	family_disband(&self->f);
}

static pid_t pid_of(const struct family *f, int nr)
{
	return f->m[nr].c.pid;
}

/* Let member @nr execute this program again; it is the same member then. */
#define EXEC(nr) \
	ASSERT_EQ(0, family_exec(&self->f, nr, ""))

#define EXPECT_NAME(name, trid, id) do {				\
	char seen_name[TRACE_EVENT_NAME_MAX + 1];			\
									\
	ASSERT_EQ(0, posix_trace_eventid_get_name(trid, id, seen_name));	\
	EXPECT_STREQ(name, seen_name);					\
} while (0)

/* A-441 [S]: the new program is traced */
TEST_F(exec, A441_program_of_a_traced_child_is_traced)
{
	trace_event_id_t id;
	struct ev ev;

	EXEC(0);
	id = family_open(&self->f, 0, "N");
	family_record(&self->f, 0, id);
	ASSERT_TRUE(ev_find(self->trid, id, &ev));
	EXPECT_EQ(pid_of(&self->f, 0), ev.info.posix_pid);
	EXPECT_EQ(pid_of(&self->f, 0), ev_int(&ev));
	EXPECT_NAME("N", self->trid, ev.info.posix_event_id);
	EXPECT_EMPTY(self->trid);
	EXPECT_EQ(1, drain_count(self->inherited, id));
}

/* A-441 [S]: also that of a child that inherited the stream, and its children */
TEST_F(exec, A441_program_of_a_descendant_is_traced)
{
	trace_event_id_t id;
	struct ev ev;
	int i;

	family_fork(&self->f, 0, 1);
	EXEC(1);
	id = family_open(&self->f, 1, "N");
	family_fork(&self->f, 1, 2);
	family_record(&self->f, 1, id);
	family_record(&self->f, 2, id);
	EXEC(2);
	EXPECT_EQ(id, family_open(&self->f, 2, "N"));
	family_record(&self->f, 2, id);
	EXPECT_NEXT(POSIX_TRACE_START, self->inherited, &ev);
	for (i = 0; i < 3; i++) {
		EXPECT_NEXT(id, self->inherited, &ev);
		EXPECT_EQ(pid_of(&self->f, i ? 2 : 1), ev.info.posix_pid);
	}
	EXPECT_EMPTY(self->inherited);
	EXPECT_NAME("N", self->inherited, id);
	EXPECT_EQ(0, drain_count(self->trid, id));
}

/* Open names until @left places are left. */
static void open_all_but(struct family *f, int nr, const char *prefix, int left)
{
	char name[32];
	int i;

	for (i = 0; i < PLACES - left; i++) {
		snprintf(name, sizeof(name), "%s%d", prefix, i);
		must_be(family_open(f, nr, name) !=
			POSIX_TRACE_UNNAMED_USEREVENT);
	}
}

/* A-442 [S]: its names count anew */
TEST_F(exec, A442_new_program_has_all_places)
{
	open_all_but(&self->f, 0, "a", 0);
	EXPECT_EQ(POSIX_TRACE_UNNAMED_USEREVENT,
		  family_open(&self->f, 0, "one more"));
	EXEC(0);
	open_all_but(&self->f, 0, "b", 0);
	EXPECT_EQ(POSIX_TRACE_UNNAMED_USEREVENT,
		  family_open(&self->f, 0, "one more"));
}

/* A-442 [S]: those of the rest of the family do not */
TEST_F(exec, A442_new_program_of_a_child_has_places_of_its_own)
{
	trace_event_id_t id;

	open_all_but(&self->f, 0, "a", 1);
	family_fork(&self->f, 0, 1);
	family_fork(&self->f, 0, 2);
	EXEC(1);
	open_all_but(&self->f, 1, "b", 0);
	EXPECT_EQ(POSIX_TRACE_UNNAMED_USEREVENT,
		  family_open(&self->f, 1, "one more"));
	/* The one place of the others is still there, and only that. */
	id = family_open(&self->f, 2, "last");
	EXPECT_NE(POSIX_TRACE_UNNAMED_USEREVENT, id);
	EXPECT_EQ(id, family_open(&self->f, 0, "last"));
	EXPECT_EQ(POSIX_TRACE_UNNAMED_USEREVENT,
		  family_open(&self->f, 0, "one more"));
}

/* A-443 [S]: a name that is opened again has its identifier */
TEST_F(exec, A443_name_has_one_identifier_before_and_after)
{
	trace_event_id_t id;
	struct ev ev;
	int i;

	family_open(&self->f, 0, "other");
	id = family_open(&self->f, 0, "N");
	family_record(&self->f, 0, id);
	EXEC(0);
	EXPECT_EQ(id, family_open(&self->f, 0, "N"));
	family_record(&self->f, 0, id);
	EXPECT_NEXT(POSIX_TRACE_START, self->trid, &ev);
	for (i = 0; i < 2; i++) {
		EXPECT_NEXT(id, self->trid, &ev);
		EXPECT_NAME("N", self->trid, ev.info.posix_event_id);
	}
	EXPECT_EMPTY(self->trid);
}

/* A-443 [S]: so it has in the whole family, whoever opens it first */
TEST_F(exec, A443_name_has_one_identifier_in_the_family)
{
	trace_event_id_t old, new;

	old = family_open(&self->f, 0, "old");
	family_fork(&self->f, 0, 1);
	EXEC(1);
	new = family_open(&self->f, 1, "new");
	EXPECT_NE(old, new);
	EXPECT_EQ(new, family_open(&self->f, 0, "new"));
	EXPECT_EQ(old, family_open(&self->f, 1, "old"));
	family_fork(&self->f, 1, 2);
	EXPECT_EQ(new, family_open(&self->f, 2, "new"));
	EXPECT_EQ(family_open(&self->f, 2, "newer"),
		  family_open(&self->f, 0, "newer"));
}

/* What the old program opened is not open: its events are ignored. */
TEST_F(exec, names_of_the_old_program_are_not_open)
{
	trace_event_id_t id = family_open(&self->f, 0, "N"), other;

	EXEC(0);
	family_record(&self->f, 0, id);
	other = family_open(&self->f, 0, "other");
	EXPECT_NE(id, other);
	family_record(&self->f, 0, id);
	EXPECT_EQ(0, drain_count(self->trid, id));
	family_open(&self->f, 0, "N");
	family_record(&self->f, 0, id);
	EXPECT_EQ(1, drain_count(self->trid, id));
}

/* Nor is it by way of a child of the old program. */
TEST_F(exec, names_opened_by_others_of_the_family_are_not_open)
{
	trace_event_id_t id;

	family_fork(&self->f, 0, 1);
	EXEC(1);
	id = family_open(&self->f, 0, "N");
	family_open(&self->f, 1, "mine");
	family_record(&self->f, 1, id);
	EXPECT_EQ(0, drain_count(self->inherited, id));
	EXPECT_EQ(id, family_open(&self->f, 1, "N"));
	family_record(&self->f, 1, id);
	EXPECT_EQ(1, drain_count(self->inherited, id));
}

/* A-444 [S]: events from before the exec keep their names */
TEST_F(exec, A444_names_of_old_events_are_known)
{
	trace_event_id_t id = family_open(&self->f, 0, "N");
	struct ev ev;

	family_record(&self->f, 0, id);
	EXEC(0);
	ASSERT_TRUE(ev_find(self->trid, id, &ev));
	EXPECT_NAME("N", self->trid, ev.info.posix_event_id);
	EXPECT_NAME("N", self->inherited, ev.info.posix_event_id);
	/* Also when other names were opened, and the process has ended. */
	open_all_but(&self->f, 0, "b", 0);
	family_end(&self->f, 0);
	EXPECT_NAME("N", self->trid, id);
}

/* The unnamed event needs no opening. */
TEST_F(exec, unnamed_event_is_recorded_by_a_program_without_names)
{
	EXEC(0);
	family_record(&self->f, 0, POSIX_TRACE_UNNAMED_USEREVENT);
	EXPECT_EQ(1, drain_count(self->trid, POSIX_TRACE_UNNAMED_USEREVENT));
}

/* State and filter are those of the stream, whatever is executed. */
TEST_F(exec, filter_and_state_reach_the_new_program)
{
	trace_event_id_t id, other;

	family_fork(&self->f, 0, 1);
	id = family_open(&self->f, 0, "N");
	filter_out(self->inherited, id);
	EXEC(1);
	EXPECT_EQ(id, family_open(&self->f, 1, "N"));
	other = family_open(&self->f, 1, "other");
	family_record(&self->f, 1, id);
	family_record(&self->f, 1, other);
	drain_count(self->inherited, id);
	must(posix_trace_stop(self->inherited));
	family_record(&self->f, 1, other);
	EXPECT_EQ(0, drain_count(self->inherited, other));
	must(posix_trace_start(self->inherited));
	family_record(&self->f, 1, id);
	family_record(&self->f, 1, other);
	EXPECT_EQ(1, drain_count(self->inherited, other));
}

/* A-448 [S]: an exec that fails changes nothing for the target either */
TEST_F(exec, A448_failing_exec_of_a_target_changes_nothing)
{
	trace_event_id_t id = family_open(&self->f, 0, "N");

	family_fork(&self->f, 0, 1);
	EXPECT_EQ(ENOENT, family_exec(&self->f, 1, "/nowhere"));
	EXPECT_EQ(EACCES, family_exec(&self->f, 1, "/proc/self/status"));
	family_record(&self->f, 1, id);
	EXPECT_EQ(1, drain_count(self->inherited, id));
	EXPECT_EQ(family_open(&self->f, 0, "M"), family_open(&self->f, 1, "M"));
}

/* The kernel events of an exec, and what is around them. */
TEST_F(exec, is_seen_from_the_call_to_its_return)
{
	struct posixtrace_syscall_exit done;
	const struct kernel_event *ev;
	struct collection all;
	struct raw raw;

	raw = inherited_stream(self->f.device, pid_of(&self->f, 0),
			       LIFE_EVENTS | CALL_EVENTS);
	family_fork(&self->f, 0, 1);
	EXEC(1);
	all = stop_and_collect(raw);
	EXPECT_EQ(1, count_calls(all, pid_of(&self->f, 1), SYS_execve));
	EXPECT_EQ(1, count_events(all, EVENT(EXEC), 0));
	ev = find_event(all, NULL, EVENT(EXEC), pid_of(&self->f, 1));
	ASSERT_NE(NULL, ev);
	/* Nothing lies between. */
	EXPECT_TRUE(is_enter(ev - 1, SYS_execve));
	ASSERT_TRUE(is_exit(ev + 1, SYS_execve));
	done = DATA(struct posixtrace_syscall_exit, ev + 1);
	EXPECT_EQ(0, done.ret);
}

TEST_HARNESS_MAIN
