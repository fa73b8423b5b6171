// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names and identifiers of event types (assertions ).
 */
#include "trace_test.h"

#define PLACES	(TRACE_USER_EVENT_MAX - 1)	/* for names of one's own */
#define THREADS	8
#define SHARED	20

FIXTURE(names) {
	trace_id_t trid;	/* on the test itself, suspended */
	struct child c;
};

FIXTURE_SETUP(names)
{
	self->trid = self_stream(NULL);
}

FIXTURE_TEARDOWN(names)
{
}

/* Open the name "@prefix@n". */
static trace_event_id_t open_nth(const char *prefix, int n)
{
	char name[TRACE_EVENT_NAME_MAX + 1];

	snprintf(name, sizeof(name), "%s%d", prefix, n);
	return open_event(name);
}

/* Open names until @left places are left; true if all were different. */
static bool open_all_but(int left, trace_event_id_t ids[PLACES])
{
	int i, j;

	for (i = 0; i < PLACES - left; i++) {
		ids[i] = open_nth("name ", i);
		if (ids[i] == POSIX_TRACE_UNNAMED_USEREVENT)
			return false;
		for (j = 0; j < i; j++)
			if (ids[i] == ids[j])
				return false;
	}
	return true;
}

static trace_event_id_t open_through(trace_id_t trid, const char *name)
{
	trace_event_id_t id;

	must(posix_trace_trid_eventid_open(trid, name, &id));
	return id;
}

/* True if the list of types of @trid has @id; the list is rewound before. */
static bool is_listed(trace_id_t trid, trace_event_id_t id)
{
	trace_event_id_t next;
	int none;

	must(posix_trace_eventtypelist_rewind(trid));
	for (;;) {
		must(posix_trace_eventtypelist_getnext_id(trid, &next, &none));
		if (none)
			return false;
		if (posix_trace_eventid_equal(trid, id, next))
			return true;
	}
}

/* Fill @name with @len letters; TRACE_EVENT_NAME_MAX + 2 bytes of room. */
static void long_name(char *name, size_t len)
{
	memset(name, 'x', len);
	name[len] = 0;
}

/* A-381 [S]: a name has an identifier */
TEST_F(names, A381_name_is_given_an_identifier)
{
	trace_event_id_t id;

	EXPECT_EQ(0, posix_trace_eventid_open("name", &id));
}

/* A-382 [S]: the same one each time */
TEST_F(names, A382_same_name_has_the_same_identifier)
{
	EXPECT_EQ(open_event("name"), open_event("name"));
}

/* A-383 [S]: another name has another one, which is none of the predefined */
TEST_F(names, A383_other_name_has_another_identifier)
{
	trace_event_id_t a = open_event("a"), b = open_event("b"), id;

	EXPECT_NE(a, b);
	for (id = POSIX_TRACE_ERROR; id <= POSIX_TRACE_UNNAMED_USEREVENT;
	     id++) {
		EXPECT_NE(id, a);
		EXPECT_NE(id, b);
	}
}

/* A-384 [S]: a name may have TRACE_EVENT_NAME_MAX bytes */
TEST_F(names, A384_longest_name_is_kept_whole)
{
	char name[TRACE_EVENT_NAME_MAX + 2], seen[TRACE_EVENT_NAME_MAX + 1];
	trace_event_id_t id;

	long_name(name, TRACE_EVENT_NAME_MAX);
	ASSERT_EQ(0, posix_trace_eventid_open(name, &id));
	EXPECT_EQ(0, posix_trace_eventid_get_name(self->trid, id, seen));
	EXPECT_STREQ(name, seen);
}

/* A-385 [S]: ENAMETOOLONG for one more */
TEST_F(names, A385_name_too_long_is_refused)
{
	char name[TRACE_EVENT_NAME_MAX + 2];
	trace_event_id_t id = 77;

	long_name(name, TRACE_EVENT_NAME_MAX + 1);
	EXPECT_EQ(ENAMETOOLONG, posix_trace_eventid_open(name, &id));
	EXPECT_EQ(77, id);
}

/* A-386 [S]: all of 30 bytes count */
TEST_F(names, A386_last_of_thirty_bytes_counts)
{
	EXPECT_NE(open_event("thirty bytes, the last is an a"),
		  open_event("thirty bytes, the last is an b"));
}

/* A-387 [S]: TRACE_USER_EVENT_MAX - 1 names have identifiers of their own */
TEST_F(names, A387_there_are_places_up_to_the_limit)
{
	trace_event_id_t ids[PLACES];

	EXPECT_TRUE(open_all_but(0, ids));
}

/* A-388 [S]: the next one is the unnamed event */
TEST_F(names, A388_name_beyond_the_limit_is_the_unnamed_event)
{
	trace_event_id_t ids[PLACES], id;

	ASSERT_TRUE(open_all_but(0, ids));
	EXPECT_EQ(0, posix_trace_eventid_open("one more", &id));
	EXPECT_EQ(POSIX_TRACE_UNNAMED_USEREVENT, id);
}

/* A-389 [S]: old names are still known */
TEST_F(names, A389_known_name_is_known_at_the_limit)
{
	trace_event_id_t ids[PLACES];

	ASSERT_TRUE(open_all_but(0, ids));
	open_event("one more");
	EXPECT_EQ(ids[0], open_nth("name ", 0));
	EXPECT_EQ(ids[PLACES - 1], open_nth("name ", PLACES - 1));
}

/* A-390 [S]: the unnamed event is recorded with its data */
TEST_F(names, A390_unnamed_event_is_recorded)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_event_id_t ids[PLACES], id;
	struct ev ev;

	ASSERT_TRUE(open_all_but(0, ids));
	id = open_event("one more");
	must(posix_trace_start(self->trid));
	record_num(id, 5);
	EXPECT_NEXT(POSIX_TRACE_START, self->trid, &ev);
	EXPECT_NEXT(POSIX_TRACE_UNNAMED_USEREVENT, self->trid, &ev);
	EXPECT_EQ(5, ev_num(&ev));
	EXPECT_EQ(0, posix_trace_eventid_get_name(self->trid,
						  ev.info.posix_event_id,
						  name));
	EXPECT_STREQ("posix_trace_unnamed_userevent", name);
}

/* A-391 [S]: streams created later know the name */
TEST_F(names, A391_name_opened_without_a_stream_is_kept)
{
	trace_event_id_t id;
	trace_id_t trid;

	must(posix_trace_shutdown(self->trid));
	id = open_event("early");
	trid = running_stream();
	EXPECT_TRUE(is_listed(trid, id));
	record_num(id, 1);
	EXPECT_EQ(1, drain_count(trid, id));
}

/* A-392 [S]: and so do running ones */
TEST_F(names, A392_name_is_known_to_a_running_stream)
{
	must(posix_trace_start(self->trid));
	EXPECT_TRUE(is_listed(self->trid, open_event("late")));
}

static const char * const predefined[] = {
	[POSIX_TRACE_ERROR] = "posix_trace_error",
	[POSIX_TRACE_START] = "posix_trace_start",
	[POSIX_TRACE_STOP] = "posix_trace_stop",
	[POSIX_TRACE_FILTER] = "posix_trace_filter",
	[POSIX_TRACE_OVERFLOW] = "posix_trace_overflow",
	[POSIX_TRACE_RESUME] = "posix_trace_resume",
	[POSIX_TRACE_FLUSH_START] = "posix_trace_flush_start",
	[POSIX_TRACE_FLUSH_STOP] = "posix_trace_flush_stop",
	[POSIX_TRACE_UNNAMED_USEREVENT] = "posix_trace_unnamed_userevent",
};

/* A-393 [C-40]: a predefined name has its identifier and takes no place */
TEST_F(names, A393_predefined_name_has_the_predefined_identifier)
{
	trace_event_id_t ids[PLACES], id;

	for (id = POSIX_TRACE_ERROR; id < ARRAY_SIZE(predefined); id++)
		EXPECT_EQ(id, open_event(predefined[id]));
	EXPECT_TRUE(open_all_but(0, ids));
	for (id = POSIX_TRACE_ERROR; id < ARRAY_SIZE(predefined); id++)
		EXPECT_EQ(id, open_event(predefined[id]));
}

/* A-394 [C-41]: the empty name is a name */
TEST_F(names, A394_empty_name_is_a_name)
{
	char name[TRACE_EVENT_NAME_MAX + 1] = "?";
	trace_event_id_t id;

	ASSERT_EQ(0, posix_trace_eventid_open("", &id));
	EXPECT_NE(POSIX_TRACE_UNNAMED_USEREVENT, id);
	EXPECT_EQ(0, posix_trace_eventid_get_name(self->trid, id, name));
	EXPECT_STREQ("", name);
	EXPECT_EQ(id, open_event(""));
}

static void *open_shared(void *arg)
{
	trace_event_id_t *ids = arg;
	int i;

	for (i = 0; i < SHARED; i++)
		ids[i] = open_nth("shared ", i);
	return NULL;
}

/* A-395 [S]: threads that open the same names agree, each takes one place */
TEST_F(names, A395_threads_agree_on_identifiers)
{
	trace_event_id_t ids[THREADS][SHARED], more[PLACES];
	pthread_t threads[THREADS];
	int i;

	for (i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, open_shared, ids[i]));
	for (i = 0; i < THREADS; i++)
		must(pthread_join(threads[i], NULL));
	for (i = 1; i < THREADS; i++)
		EXPECT_EQ(0, memcmp(ids[0], ids[i], sizeof(ids[0])));
	EXPECT_TRUE(open_all_but(SHARED, more));
	EXPECT_EQ(POSIX_TRACE_UNNAMED_USEREVENT, open_event("one more"));
}

/* A-396 [C-52]: EINVAL for null pointers */
TEST_F(names, A396_null_pointers_are_refused)
{
	trace_event_id_t id = 77, *nowhere = NULL;
	const char *null = NULL;

	EXPECT_EQ(EINVAL, posix_trace_eventid_open(null, &id));
	EXPECT_EQ(EINVAL, posix_trace_eventid_open("name", nowhere));
	EXPECT_EQ(EINVAL, posix_trace_trid_eventid_open(self->trid, null, &id));
	EXPECT_EQ(EINVAL, posix_trace_trid_eventid_open(self->trid, "name",
							nowhere));
	EXPECT_EQ(77, id);
}

/*
 * Names of another process
 */

/* When asked: open "N", tell its identifier, record it. */
static int open_and_record(const struct child *c, void *arg)
{
	trace_event_id_t id;

	await(c);
	id = open_event("N");
	put(c, &id, sizeof(id));
	for (;;) {
		await(c);
		record_num(id, 1);
		hand(c);
	}
	return 0;
}

static trace_event_id_t let_open(const struct child *c)
{
	trace_event_id_t id;

	hand(c);
	get(c, &id, sizeof(id));
	return id;
}

static void let_record(const struct child *c)
{
	hand(c);
	await(c);
}

/* A-397 [S]: the controller finds the name of its target, and can filter it */
TEST_F(names, A397_controller_filters_a_name_of_its_target)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_event_id_t id, own;
	trace_id_t trid;

	child_start(&self->c, open_and_record, NULL);
	trid = stream_on(self->c.pid, NULL);
	own = let_open(&self->c);
	id = open_through(trid, "N");
	EXPECT_EQ(own, id);
	EXPECT_EQ(0, posix_trace_eventid_get_name(trid, id, name));
	EXPECT_STREQ("N", name);
	must(posix_trace_start(trid));
	let_record(&self->c);
	EXPECT_EQ(1, drain_count(trid, id));
	filter_out(trid, id);
	let_record(&self->c);
	EXPECT_EQ(0, drain_count(trid, id));
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->c));
}

/* A-398 [S]: the controller may be the first to open it */
TEST_F(names, A398_target_is_given_the_identifier_of_its_controller)
{
	trace_event_id_t id;
	trace_id_t trid;

	child_start(&self->c, open_and_record, NULL);
	trid = stream_on(self->c.pid, NULL);
	open_through(trid, "another");
	id = open_through(trid, "N");
	EXPECT_EQ(id, let_open(&self->c));
	must(posix_trace_start(trid));
	let_record(&self->c);
	EXPECT_EQ(1, drain_count(trid, id));
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->c));
}

/* A-399 [S]: one identifier through all streams of one process */
TEST_F(names, A399_streams_of_one_process_agree)
{
	trace_id_t a, b;

	child_start(&self->c, open_and_record, NULL);
	a = stream_on(self->c.pid, NULL);
	open_through(a, "another");
	b = stream_on(self->c.pid, NULL);
	EXPECT_EQ(open_through(a, "N"), open_through(b, "N"));
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->c));
}

/* A-400 [S]: both ways to open a name of oneself agree */
TEST_F(names, A400_both_ways_to_open_a_name_agree)
{
	trace_event_id_t a = open_event("a");

	EXPECT_EQ(a, open_through(self->trid, "a"));
	EXPECT_EQ(open_through(self->trid, "b"), open_event("b"));
}

/* When asked: open names until there is but one place left, or none. */
static int open_many(const struct child *c, void *arg)
{
	int left = *(int *)arg;
	trace_event_id_t ids[PLACES], id;

	await(c);
	must_be(open_all_but(left, ids));
	hand(c);
	await(c);
	id = open_event("own");
	put(c, &id, sizeof(id));
	await(c);
	return 0;
}

/* A-401 [S]: the limit holds for the controller as well */
TEST_F(names, A401_name_beyond_the_targets_limit_is_the_unnamed_event)
{
	int left = 0;
	trace_id_t trid;

	child_start(&self->c, open_many, &left);
	trid = stream_on(self->c.pid, NULL);
	hand(&self->c);
	await(&self->c);
	EXPECT_EQ(POSIX_TRACE_UNNAMED_USEREVENT,
		  open_through(trid, "one more"));
	EXPECT_NE(POSIX_TRACE_UNNAMED_USEREVENT, open_through(trid, "name 7"));
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->c));
}

/* A-402 [S]: names of controller and target count together */
TEST_F(names, A402_names_of_the_controller_take_places_of_the_target)
{
	int left = 2;
	trace_id_t trid;

	child_start(&self->c, open_many, &left);
	trid = stream_on(self->c.pid, NULL);
	EXPECT_NE(POSIX_TRACE_UNNAMED_USEREVENT, open_through(trid, "one"));
	hand(&self->c);
	await(&self->c);
	EXPECT_NE(POSIX_TRACE_UNNAMED_USEREVENT, open_through(trid, "two"));
	EXPECT_EQ(POSIX_TRACE_UNNAMED_USEREVENT, let_open(&self->c));
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->c));
}

/* A-403 [S]: ENAMETOOLONG as for eventid_open */
TEST_F(names, A403_name_too_long_is_refused_for_a_stream)
{
	char name[TRACE_EVENT_NAME_MAX + 2];
	trace_event_id_t id = 77;

	long_name(name, TRACE_EVENT_NAME_MAX + 1);
	EXPECT_EQ(ENAMETOOLONG,
		  posix_trace_trid_eventid_open(self->trid, name, &id));
	EXPECT_EQ(77, id);
}

/* A-404 [S]: EINVAL for a bad trid */
TEST_F(names, A404_trid_eventid_open_refuses_a_bad_trid)
{
	trace_event_id_t id;

	EXPECT_EQ(EINVAL,
		  posix_trace_trid_eventid_open(bad_trid(), "name", &id));
}

/* A-405 [S]: the stream need not run */
TEST_F(names, A405_suspended_stream_suffices)
{
	trace_event_id_t id;

	EXPECT_EQ(0, posix_trace_trid_eventid_open(self->trid, "name", &id));
}

/*
 * From identifiers to names
 */

/* A-406 [S]: the names of the predefined types */
TEST_F(names, A406_predefined_types_have_their_names)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_event_id_t id;

	for (id = POSIX_TRACE_ERROR; id < ARRAY_SIZE(predefined); id++) {
		EXPECT_EQ(0, posix_trace_eventid_get_name(self->trid, id,
							  name));
		EXPECT_STREQ(predefined[id], name);
	}
}

/* A-407 [S]: always the same name */
TEST_F(names, A407_name_does_not_change)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_event_id_t id = open_event("u");
	int i;

	for (i = 0; i < 2; i++) {
		EXPECT_EQ(0, posix_trace_eventid_get_name(self->trid, id,
							  name));
		EXPECT_STREQ("u", name);
		open_event("v");
	}
}

/* A-408 [S]: EINVAL for an identifier without a name in this stream */
TEST_F(names, A408_identifier_of_another_process_has_no_name)
{
	char name[TRACE_EVENT_NAME_MAX + 1] = "untouched";
	trace_event_id_t id;
	int left = 1;

	/* After so many names it is none that the test itself has. */
	child_start(&self->c, open_many, &left);
	hand(&self->c);
	await(&self->c);
	id = let_open(&self->c);
	EXPECT_EQ(EINVAL, posix_trace_eventid_get_name(self->trid, id, name));
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->c));
}

/* A-409 [S]: EINVAL for a bad trid */
TEST_F(names, A409_get_name_refuses_a_bad_trid)
{
	char name[TRACE_EVENT_NAME_MAX + 1];

	EXPECT_EQ(EINVAL, posix_trace_eventid_get_name(bad_trid(),
						       POSIX_TRACE_START,
						       name));
}

/* A-410 [S]: names of one process are not in the list of another */
TEST_F(names, A410_names_belong_to_one_process)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_event_id_t id;
	trace_id_t trid;
	int none;

	child_start(&self->c, open_and_record, NULL);
	trid = stream_on(self->c.pid, NULL);
	let_open(&self->c);
	open_event("mine");
	EXPECT_TRUE(is_listed(trid, open_through(trid, "N")));

	must(posix_trace_eventtypelist_rewind(self->trid));
	for (;;) {
		must(posix_trace_eventtypelist_getnext_id(self->trid, &id,
							  &none));
		if (none)
			break;
		must(posix_trace_eventid_get_name(self->trid, id, name));
		EXPECT_STRNE("N", name);
	}
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->c));
}

/* A-411 [S]: non-zero for equal identifiers */
TEST_F(names, A411_equal_identifiers_are_equal)
{
	trace_event_id_t id = open_event("u");

	EXPECT_NE(0, posix_trace_eventid_equal(self->trid, id,
					       open_event("u")));
}

/* A-412 [S]: 0 for different ones */
TEST_F(names, A412_different_identifiers_are_not_equal)
{
	EXPECT_EQ(0, posix_trace_eventid_equal(self->trid, open_event("u"),
					       open_event("v")));
}

/* A-414 [C-68]: it comes back for a bad trid */
TEST_F(names, A414_bad_trid_does_no_harm)
{
	trace_event_id_t id = open_event("u");
	trace_id_t bad = bad_trid();

	EXPECT_NE(0, posix_trace_eventid_equal(bad, id, id));
	EXPECT_EQ(0, posix_trace_eventid_equal(bad, id, POSIX_TRACE_START));
}

TEST_HARNESS_MAIN
