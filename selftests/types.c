// SPDX-License-Identifier: GPL-2.0-only
/*
 * The header <trace.h> (assertions ). What it must define is used
 * here before anything else is included. That it also compiles with other
 * language standards, feature macros, headers around it and as C++ is tested by
 * host/header.sh.
 */
#include <trace.h>

/* Types, and a constant of trace_event_id_t at file scope. */
static trace_attr_t an_attr;
static trace_id_t a_trid;
static trace_event_id_t start_id = POSIX_TRACE_START;
static trace_event_set_t a_set;
static size_t a_size;
static struct posix_trace_event_info an_info;
static struct posix_trace_status_info a_status;

/* Each member has its type. */
static trace_event_id_t *event_id = &an_info.posix_event_id;
static pid_t *process = &an_info.posix_pid;
static void **prog_address = &an_info.posix_prog_address;
static pthread_t *thread_id = &an_info.posix_thread_id;
static struct timespec *timestamp = &an_info.posix_timestamp;
static int *members[] = {
	&an_info.posix_truncation_status,
	&a_status.posix_stream_status,
	&a_status.posix_stream_full_status,
	&a_status.posix_stream_overrun_status,
	&a_status.posix_stream_flush_status,
	&a_status.posix_stream_flush_error,
	&a_status.posix_log_overrun_status,
	&a_status.posix_log_full_status,
};

/*
 * Each function has its prototype. Nothing refers to the function itself, so
 * that those of logs need not be there yet.
 */
#include <assert.h>

#define PROTO(fn, ret, args) \
	static_assert(__builtin_types_compatible_p(__typeof__(fn), ret args), \
		      "prototype of " #fn)
#define INT(fn, args)	PROTO(posix_trace_ ## fn, int, args)

#define ATTR	trace_attr_t *
#define CATTR	const trace_attr_t *
#define INFO	struct posix_trace_event_info *
#define CTIME	const struct timespec *
#define EVENT	trace_event_id_t
#define SET	trace_event_set_t *
#define CSET	const trace_event_set_t *
#define TRID	trace_id_t
#define NEXT	TRID, INFO, void *, size_t, size_t *, int *

INT(attr_init, (ATTR));
INT(attr_destroy, (ATTR));
INT(attr_getclockres, (CATTR, struct timespec *));
INT(attr_getcreatetime, (CATTR, struct timespec *));
INT(attr_getgenversion, (CATTR, char *));
INT(attr_getname, (CATTR, char *));
INT(attr_setname, (ATTR, const char *));
INT(attr_getinherited, (CATTR, int *));
INT(attr_setinherited, (ATTR, int));
INT(attr_getlogfullpolicy, (CATTR, int *));
INT(attr_setlogfullpolicy, (ATTR, int));
INT(attr_getstreamfullpolicy, (CATTR, int *));
INT(attr_setstreamfullpolicy, (ATTR, int));
INT(attr_getlogsize, (CATTR, size_t *));
INT(attr_setlogsize, (ATTR, size_t));
INT(attr_getmaxdatasize, (CATTR, size_t *));
INT(attr_setmaxdatasize, (ATTR, size_t));
INT(attr_getstreamsize, (CATTR, size_t *));
INT(attr_setstreamsize, (ATTR, size_t));
INT(attr_getmaxsystemeventsize, (CATTR, size_t *));
INT(attr_getmaxusereventsize, (CATTR, size_t, size_t *));
INT(create, (pid_t, CATTR, TRID *));
INT(create_withlog, (pid_t, CATTR, int, TRID *));
INT(flush, (TRID));
INT(shutdown, (TRID));
INT(open, (int, TRID *));
INT(rewind, (TRID));
INT(close, (TRID));
INT(start, (TRID));
INT(stop, (TRID));
INT(clear, (TRID));
INT(get_attr, (TRID, ATTR));
INT(get_status, (TRID, struct posix_trace_status_info *));
INT(get_filter, (TRID, SET));
INT(set_filter, (TRID, CSET, int));
INT(getnext_event, (NEXT));
INT(timedgetnext_event, (NEXT, CTIME));
INT(trygetnext_event, (NEXT));
PROTO(posix_trace_event, void, (EVENT, const void *, size_t));
INT(eventid_open, (const char *, EVENT *));
INT(trid_eventid_open, (TRID, const char *, EVENT *));
INT(eventid_equal, (TRID, EVENT, EVENT));
INT(eventid_get_name, (TRID, EVENT, char *));
INT(eventtypelist_getnext_id, (TRID, EVENT *, int *));
INT(eventtypelist_rewind, (TRID));
INT(eventset_add, (EVENT, SET));
INT(eventset_del, (EVENT, SET));
INT(eventset_empty, (SET));
INT(eventset_fill, (SET, int));
INT(eventset_ismember, (EVENT, CSET, int *));

/* The constants, by the groups in which they have to differ. */
#define GROUP_MAX	6

static const struct group {
	const char *name;
	int n;
	int value[GROUP_MAX];
} group[] = {
	{ "stream status", 2, { POSIX_TRACE_RUNNING, POSIX_TRACE_SUSPENDED } },
	{ "full status", 2, { POSIX_TRACE_FULL, POSIX_TRACE_NOT_FULL } },
	{ "overrun", 2, { POSIX_TRACE_OVERRUN, POSIX_TRACE_NO_OVERRUN } },
	{ "flush", 2, { POSIX_TRACE_FLUSHING, POSIX_TRACE_NOT_FLUSHING } },
	{ "truncation", 3, { POSIX_TRACE_NOT_TRUNCATED,
			     POSIX_TRACE_TRUNCATED_RECORD,
			     POSIX_TRACE_TRUNCATED_READ } },
	{ "policies", 4, { POSIX_TRACE_LOOP, POSIX_TRACE_UNTIL_FULL,
			   POSIX_TRACE_FLUSH, POSIX_TRACE_APPEND } },
	{ "inheritance", 2, { POSIX_TRACE_CLOSE_FOR_CHILD,
			      POSIX_TRACE_INHERITED } },
	{ "what", 3, { POSIX_TRACE_WOPID_EVENTS, POSIX_TRACE_SYSTEM_EVENTS,
		       POSIX_TRACE_ALL_EVENTS } },
	{ "how", 3, { POSIX_TRACE_SET_EVENTSET, POSIX_TRACE_ADD_EVENTSET,
		      POSIX_TRACE_SUB_EVENTSET } },
};

static const trace_event_id_t predefined[] = {
	POSIX_TRACE_ERROR, POSIX_TRACE_START, POSIX_TRACE_STOP,
	POSIX_TRACE_FILTER, POSIX_TRACE_OVERFLOW, POSIX_TRACE_RESUME,
	POSIX_TRACE_FLUSH_START, POSIX_TRACE_FLUSH_STOP,
	POSIX_TRACE_UNNAMED_USEREVENT,
};

/* Now the others. */
#include "trace_test.h"

/* A-001 [S]: <trace.h> alone defines the types */
TEST(A001_header_defines_the_types)
{
	EXPECT_LT(0, sizeof(an_attr));
	EXPECT_LT(0, sizeof(a_trid));
	EXPECT_LT(0, sizeof(a_set));
	EXPECT_EQ(sizeof(sizeof(int)), sizeof(a_size));
}

/* A-002 [S]: the members of both structures have their types */
TEST(A002_members_of_the_structures_have_their_types)
{
	size_t i;

	EXPECT_EQ(&an_info.posix_event_id, event_id);
	EXPECT_EQ(&an_info.posix_pid, process);
	EXPECT_EQ(&an_info.posix_prog_address, prog_address);
	EXPECT_EQ(&an_info.posix_thread_id, thread_id);
	EXPECT_EQ(&an_info.posix_timestamp, timestamp);
	for (i = 0; i < ARRAY_SIZE(members); i++)
		EXPECT_EQ(0, *members[i]);
}

/* A-003 [S]: the functions have their prototypes; this file would not compile */
TEST(A003_functions_have_their_prototypes)
{
	int (*fn)(trace_id_t trid) = posix_trace_start;

	EXPECT_NE(NULL, fn);
}

/* A-004 [S]: all constants are there */
TEST(A004_constants_are_defined)
{
	size_t i, n = 0;

	for (i = 0; i < ARRAY_SIZE(group); i++)
		n += group[i].n;
	EXPECT_EQ(23, n);
	EXPECT_EQ(9, ARRAY_SIZE(predefined));
}

/* A-005 [S]: the constants of a group differ */
TEST(A005_constants_of_a_group_differ)
{
	const struct group *g;
	int i, j;

	for (g = group; g < group + ARRAY_SIZE(group); g++) {
		for (i = 0; i < g->n; i++) {
			for (j = 0; j < i; j++)
				EXPECT_NE(g->value[i], g->value[j])
					TH_LOG("%s: %d, %d", g->name, i, j);
		}
	}
}

/* A-006 [S]: the predefined event types differ */
TEST(A006_predefined_events_differ)
{
	trace_id_t trid = self_stream(NULL);
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(predefined); i++) {
		for (j = 0; j < ARRAY_SIZE(predefined); j++)
			EXPECT_EQ(i == j,
				  !!posix_trace_eventid_equal(trid,
							      predefined[i],
							      predefined[j]));
	}
}

/* A-007 [S]: NO_OVERRUN is zero */
TEST(A007_NO_OVERRUN_is_zero)
{
	EXPECT_EQ(0, POSIX_TRACE_NO_OVERRUN);
}

/* A-008 [C-01]: both spellings of the unnamed user event are one */
TEST(A008_two_spellings_of_the_unnamed_event)
{
	EXPECT_EQ(POSIX_TRACE_UNNAMED_USEREVENT,
		  POSIX_TRACE_UNNAMED_USER_EVENT);
}

static int members_of(trace_event_set_t set)
{
	int n = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(predefined); i++)
		n += is_member(predefined[i], &set);
	return n;
}

/* A-009 [S]: a set can be assigned and passed by value */
TEST(A009_set_can_be_assigned_and_passed)
{
	trace_event_set_t all, copy;

	must(posix_trace_eventset_empty(&copy));
	EXPECT_EQ(0, members_of(copy));
	must(posix_trace_eventset_fill(&all, POSIX_TRACE_ALL_EVENTS));
	copy = all;
	EXPECT_EQ(9, members_of(copy));
	must(posix_trace_eventset_empty(&all));
	EXPECT_EQ(9, members_of(copy));
}

/* A-010 [S]: the predefined event types are constant expressions */
TEST(A010_predefined_events_are_constants)
{
	EXPECT_EQ(POSIX_TRACE_START, start_id);
}

/* A-013 [S]: names of events may have 30 bytes or more */
TEST(A013_limit_of_event_names)
{
	EXPECT_LE(30, TRACE_EVENT_NAME_MAX);
	EXPECT_EQ(TRACE_EVENT_NAME_MAX, sysconf(_SC_TRACE_EVENT_NAME_MAX));
}

/* A-014 [S]: names of streams may have 8 bytes or more */
TEST(A014_limit_of_stream_names)
{
	EXPECT_LE(8, TRACE_NAME_MAX);
	EXPECT_EQ(TRACE_NAME_MAX, sysconf(_SC_TRACE_NAME_MAX));
}

/* A-015 [S]: there may be 8 streams or more */
TEST(A015_limit_of_streams)
{
	EXPECT_LE(8, sysconf(_SC_TRACE_SYS_MAX));
#ifdef TRACE_SYS_MAX
	EXPECT_EQ(TRACE_SYS_MAX, sysconf(_SC_TRACE_SYS_MAX));
#endif
}

/* A-016 [S]: there may be 32 user events or more */
TEST(A016_limit_of_user_events)
{
	EXPECT_LE(32, TRACE_USER_EVENT_MAX);
	EXPECT_EQ(TRACE_USER_EVENT_MAX, sysconf(_SC_TRACE_USER_EVENT_MAX));
}

/* A-017 [S]: the smallest limits have the values of the standard */
TEST(A017_minimum_limits)
{
	EXPECT_EQ(30, _POSIX_TRACE_EVENT_NAME_MAX);
	EXPECT_EQ(8, _POSIX_TRACE_NAME_MAX);
	EXPECT_EQ(8, _POSIX_TRACE_SYS_MAX);
	EXPECT_EQ(32, _POSIX_TRACE_USER_EVENT_MAX);
}

/* From here on no macro stands in for a function. */
#undef posix_trace_attr_init
#undef posix_trace_attr_destroy
#undef posix_trace_create
#undef posix_trace_shutdown
#undef posix_trace_start
#undef posix_trace_stop
#undef posix_trace_clear
#undef posix_trace_get_attr
#undef posix_trace_get_status
#undef posix_trace_get_filter
#undef posix_trace_set_filter
#undef posix_trace_getnext_event
#undef posix_trace_timedgetnext_event
#undef posix_trace_trygetnext_event
#undef posix_trace_event
#undef posix_trace_eventid_open
#undef posix_trace_trid_eventid_open
#undef posix_trace_eventid_equal
#undef posix_trace_eventid_get_name
#undef posix_trace_eventtypelist_getnext_id
#undef posix_trace_eventtypelist_rewind
#undef posix_trace_eventset_add
#undef posix_trace_eventset_del
#undef posix_trace_eventset_empty
#undef posix_trace_eventset_fill
#undef posix_trace_eventset_ismember

/* A-018 [C-69]: every function is one, macro or not */
TEST(A018_functions_are_functions)
{
	struct posix_trace_status_info st;
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_event_id_t u, v;
	trace_event_set_t set;
	trace_attr_t attr;
	trace_id_t trid;
	struct ev ev;
	int flag;

	EXPECT_EQ(0, posix_trace_attr_init(&attr));
	EXPECT_EQ(0, posix_trace_create(0, &attr, &trid));
	EXPECT_EQ(0, posix_trace_get_attr(trid, &attr));
	EXPECT_EQ(0, posix_trace_attr_destroy(&attr));
	EXPECT_EQ(0, posix_trace_eventid_open("u", &u));
	EXPECT_EQ(0, posix_trace_trid_eventid_open(trid, "u", &v));
	EXPECT_NE(0, posix_trace_eventid_equal(trid, u, v));
	EXPECT_EQ(0, posix_trace_eventid_get_name(trid, u, name));
	EXPECT_EQ(0, posix_trace_eventtypelist_getnext_id(trid, &v, &flag));
	EXPECT_EQ(0, posix_trace_eventtypelist_rewind(trid));
	EXPECT_EQ(0, posix_trace_eventset_fill(&set, POSIX_TRACE_ALL_EVENTS));
	EXPECT_EQ(0, posix_trace_eventset_empty(&set));
	EXPECT_EQ(0, posix_trace_eventset_add(u, &set));
	EXPECT_EQ(0, posix_trace_eventset_del(u, &set));
	EXPECT_EQ(0, posix_trace_eventset_ismember(u, &set, &flag));
	EXPECT_EQ(0, posix_trace_set_filter(trid, &set, POSIX_TRACE_SET_EVENTSET));
	EXPECT_EQ(0, posix_trace_get_filter(trid, &set));
	EXPECT_EQ(0, posix_trace_start(trid));
	posix_trace_event(u, "a", 1);
	posix_trace_event(u, "b", 1);
	EXPECT_EQ(0, posix_trace_getnext_event(trid, &ev.info, NULL, 0, &ev.len,
					       &flag));
	EXPECT_EQ(POSIX_TRACE_START, ev.info.posix_event_id);
	EXPECT_EQ(0, posix_trace_trygetnext_event(trid, &ev.info, NULL, 0,
						  &ev.len, &flag));
	EXPECT_EQ(u, ev.info.posix_event_id);
	EXPECT_EQ(0, posix_trace_timedgetnext_event(trid, &ev.info, NULL, 0,
						    &ev.len, &flag,
						    &(struct timespec){ 1, 0 }));
	EXPECT_EQ(u, ev.info.posix_event_id);
	EXPECT_EQ(0, posix_trace_stop(trid));
	EXPECT_EQ(0, posix_trace_clear(trid));
	EXPECT_EQ(0, posix_trace_get_status(trid, &st));
	EXPECT_EQ(0, posix_trace_shutdown(trid));
}

TEST_HARNESS_MAIN
