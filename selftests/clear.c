// SPDX-License-Identifier: GPL-2.0-only
/*
 * posix_trace_clear() (assertions, those without a log).
 */
#include "trace_test.h"

#define SMALL		8	/* events of 4 bytes that a small stream holds */
#define THREADS		4
#define CLEARS		200

FIXTURE(clear) {
	trace_event_id_t u;
	trace_id_t trid;
};

FIXTURE_SETUP(clear)
{
	self->u = open_event("u");
	self->trid = running_stream();
}

FIXTURE_TEARDOWN(clear)
{
}

/* A-288 [S]: a running stream is emptied, and goes on running */
TEST_F(clear, A288_running_stream_is_emptied_and_runs_on)
{
	record_num(self->u, 1);
	record_num(self->u, 2);
	EXPECT_EQ(0, posix_trace_clear(self->trid));
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
	EXPECT_EMPTY(self->trid);
}

/* A-289 [S]: a suspended stream is emptied, and stays suspended */
TEST_F(clear, A289_suspended_stream_is_emptied_and_stays_suspended)
{
	record_num(self->u, 1);
	must(posix_trace_stop(self->trid));
	EXPECT_EQ(0, posix_trace_clear(self->trid));
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
	EXPECT_EMPTY(self->trid);
	record_num(self->u, 2);
	EXPECT_EMPTY(self->trid);
}

/* A-290 [S]: a full LOOP stream is NOT_FULL afterwards */
TEST_F(clear, A290_full_stream_has_room_again)
{
	trace_id_t trid = small_stream(POSIX_TRACE_LOOP, SMALL, 4);

	must(posix_trace_start(trid));
	fill(trid, self->u);
	EXPECT_EQ(0, posix_trace_clear(trid));
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, trid);
}

/* Overwrite or lose events of a full stream; the overrun is not read. */
static void overrun(trace_id_t trid, trace_event_id_t id)
{
	unsigned int n = fill(trid, id);

	record_num(id, n + 1);
	record_num(id, n + 2);
}

/* A-291 [S]: an overrun that was not read is forgotten */
TEST_F(clear, A291_overrun_is_reset)
{
	trace_id_t trid = small_stream(POSIX_TRACE_LOOP, SMALL, 4);

	must(posix_trace_start(trid));
	overrun(trid, self->u);
	EXPECT_EQ(0, posix_trace_clear(trid));
	EXPECT_EQ(POSIX_TRACE_NO_OVERRUN,
		  status_of(trid).posix_stream_overrun_status);
}

/* A-292 [S]: the filter is empty afterwards */
TEST_F(clear, A292_filter_is_emptied)
{
	trace_event_set_t filter;

	filter_out(self->trid, self->u);
	filter_out(self->trid, POSIX_TRACE_STOP);
	EXPECT_EQ(0, posix_trace_clear(self->trid));
	must(posix_trace_get_filter(self->trid, &filter));
	EXPECT_FALSE(is_member(self->u, &filter));
	EXPECT_FALSE(is_member(POSIX_TRACE_STOP, &filter));
	record_num(self->u, 1);
	EXPECT_EQ(1, drain_count(self->trid, self->u));
}

/* A-293 [S]: names keep their identifiers */
TEST_F(clear, A293_names_and_identifiers_stay)
{
	char name[TRACE_EVENT_NAME_MAX + 1];

	EXPECT_EQ(0, posix_trace_clear(self->trid));
	EXPECT_EQ(0, posix_trace_eventid_get_name(self->trid, self->u, name));
	EXPECT_STREQ("u", name);
	EXPECT_EQ(self->u, open_event("u"));
}

/* A-294 [S]: what is recorded next is reported first */
TEST_F(clear, A294_next_event_comes_first)
{
	struct ev ev;

	record_num(self->u, 1);
	EXPECT_EQ(0, posix_trace_clear(self->trid));
	record_num(self->u, 2);
	EXPECT_NEXT(self->u, self->trid, &ev);
	EXPECT_EQ(2, ev_num(&ev));
	EXPECT_EMPTY(self->trid);
}

/* A-295 [S]: an overflow that was not read is not reported */
TEST_F(clear, A295_overflow_is_forgotten)
{
	trace_id_t trid = small_stream(POSIX_TRACE_LOOP, SMALL, 4);
	struct ev ev;

	must(posix_trace_start(trid));
	overrun(trid, self->u);
	EXPECT_EQ(0, posix_trace_clear(trid));
	record_num(self->u, 1);
	EXPECT_NEXT(self->u, trid, &ev);
	EXPECT_EQ(1, ev_num(&ev));
	EXPECT_EMPTY(trid);
}

/* An automatic STOP is forgotten, and so is the restart. */
TEST_F(clear, A295_automatic_stop_is_forgotten)
{
	trace_id_t trid = small_stream(POSIX_TRACE_UNTIL_FULL, SMALL, 4);
	struct ev ev;

	must(posix_trace_start(trid));
	overrun(trid, self->u);
	EXPECT_EQ(0, posix_trace_clear(trid));
	EXPECT_EMPTY(trid);
	must(posix_trace_start(trid));
	record_num(self->u, 1);
	EXPECT_NEXT(POSIX_TRACE_START, trid, &ev);
	EXPECT_NEXT(self->u, trid, &ev);
	EXPECT_EMPTY(trid);
}

static trace_event_id_t next_type(trace_id_t trid)
{
	trace_event_id_t id;
	int unavailable;

	must(posix_trace_eventtypelist_getnext_id(trid, &id, &unavailable));
	must_be(!unavailable);
	return id;
}

/* A-296 [C-33]: the list of types begins anew */
TEST_F(clear, A296_type_list_is_rewound)
{
	trace_event_id_t first = next_type(self->trid);

	EXPECT_NE(first, next_type(self->trid));
	EXPECT_EQ(0, posix_trace_clear(self->trid));
	EXPECT_EQ(first, next_type(self->trid));
}

static struct timespec create_time(trace_id_t trid)
{
	struct timespec time;
	trace_attr_t attr;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_get_attr(trid, &attr));
	must(posix_trace_attr_getcreatetime(&attr, &time));
	must(posix_trace_attr_destroy(&attr));
	return time;
}

/* A-297 [C-33]: the stream is as old as before */
TEST_F(clear, A297_creation_time_stays)
{
	struct timespec before = create_time(self->trid), after;

	EXPECT_EQ(0, posix_trace_clear(self->trid));
	after = create_time(self->trid);
	EXPECT_EQ(0, ts_cmp(before, after));
}

/* A-301 [S]: EINVAL for a bad trid */
TEST_F(clear, A301_bad_trid_is_refused)
{
	EXPECT_EQ(EINVAL, posix_trace_clear(bad_trid()));
}

static atomic_bool done;

/* What a thread records: its number twice, to be found whole. */
struct twice {
	unsigned long first, second;
};

static void *record_always(void *arg)
{
	trace_event_id_t id = *(trace_event_id_t *)arg;
	struct twice data;
	unsigned long n = 0;

	while (!done) {
		data = (struct twice){ n, ~n };
		posix_trace_event(id, &data, sizeof(data));
		n++;
	}
	return NULL;
}

/* A-303 [S]: threads may record meanwhile, and every event read is whole */
TEST_F(clear, A303_clearing_while_threads_record_leaves_whole_events)
{
	trace_id_t trid = small_stream(POSIX_TRACE_LOOP, 64, 64);
	pthread_t threads[THREADS];
	unsigned int i, cut = 0;
	struct twice data;
	struct ev ev;

	must(posix_trace_start(trid));
	for (i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, record_always,
				    &self->u));
	for (i = 0; i < CLEARS; i++) {
		EXPECT_EQ(0, posix_trace_clear(trid));
		if (!ev_try(trid, &ev) || ev.info.posix_event_id != self->u)
			continue;
		ASSERT_EQ(sizeof(data), ev.len);
		memcpy(&data, ev.data, sizeof(data));
		cut += data.first != ~data.second;
	}
	done = true;
	for (i = 0; i < THREADS; i++)
		must(pthread_join(threads[i], NULL));
	EXPECT_EQ(0, cut);
	EXPECT_EQ(0, posix_trace_clear(trid));
	EXPECT_EMPTY(trid);
}

TEST_HARNESS_MAIN
