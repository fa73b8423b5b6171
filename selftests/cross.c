// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rules that concern several functions (assertions ).
 */
#include "trace_test.h"

#include <dirent.h>

#define SMALL		8
#define THREADS		4
#define ROUNDS		200
#define ALTERNATIONS	500
#define CREATIONS	70000

FIXTURE(cross) {
	trace_event_id_t u1, u2;
	struct ev ev;
};

FIXTURE_SETUP(cross)
{
	self->u1 = open_event("u1");
	self->u2 = open_event("u2");
}

FIXTURE_TEARDOWN(cross)
{
}

/* A-462 [C-27]: stopped by call as well, a full stream loses nothing more */
TEST_F(cross, A462_stop_of_a_full_stream_ends_its_overruns)
{
	trace_id_t trid = small_stream(POSIX_TRACE_UNTIL_FULL, SMALL, 4);

	must(posix_trace_start(trid));
	fill(trid, self->u1);
	record_num(self->u1, 1);
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_FULL,
		      POSIX_TRACE_OVERRUN, trid);
	EXPECT_EQ(0, posix_trace_stop(trid));
	record_num(self->u1, 2);
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_FULL,
		      POSIX_TRACE_NO_OVERRUN, trid);
}

static size_t stream_size(trace_id_t trid)
{
	trace_attr_t attr;
	size_t size;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_get_attr(trid, &attr));
	must(posix_trace_attr_getstreamsize(&attr, &size));
	must(posix_trace_attr_destroy(&attr));
	return size;
}

/* Room that a user event with @data bytes takes. */
static size_t user_size(size_t data)
{
	trace_attr_t attr;
	size_t size;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setmaxdatasize(&attr, data));
	must(posix_trace_attr_getmaxusereventsize(&attr, data, &size));
	must(posix_trace_attr_destroy(&attr));
	return size;
}

/* A-463 [C-26]: a START that finds no room makes the stream full */
TEST_F(cross, A463_start_without_room_for_START_leaves_the_stream_full)
{
	trace_id_t trid = small_stream(POSIX_TRACE_UNTIL_FULL, SMALL, 4);
	size_t start = user_size(sizeof(trace_event_set_t));
	size_t left = stream_size(trid) - start;
	trace_event_id_t last = 0, before = 0;

	/* Less than a START is left, but the stream is not full. */
	must(posix_trace_start(trid));
	for (; left >= start; left -= user_size(4))
		record_num(self->u1, 1);
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, trid);
	EXPECT_EQ(0, posix_trace_stop(trid));
	EXPECT_EQ(0, posix_trace_start(trid));
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_FULL,
		      POSIX_TRACE_NO_OVERRUN, trid);
	while (ev_try(trid, &self->ev)) {
		before = last;
		last = self->ev.info.posix_event_id;
	}
	EXPECT_EQ(POSIX_TRACE_STOP, before);
	EXPECT_EQ(POSIX_TRACE_START, last);
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, trid);
}

/* A-466 [C-70]: attributes of the log are reported as they were set */
TEST_F(cross, A466_log_attributes_are_kept_without_a_log)
{
	trace_attr_t attr;
	trace_id_t trid;
	size_t size = 0;
	int policy = 0;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setlogsize(&attr, 12345));
	must(posix_trace_attr_setlogfullpolicy(&attr, POSIX_TRACE_UNTIL_FULL));
	trid = self_stream(&attr);
	must(posix_trace_attr_init(&attr));
	must(posix_trace_get_attr(trid, &attr));
	must(posix_trace_attr_getlogsize(&attr, &size));
	must(posix_trace_attr_getlogfullpolicy(&attr, &policy));
	EXPECT_EQ(12345, size);
	EXPECT_EQ(POSIX_TRACE_UNTIL_FULL, policy);
}

/* A-467 [C-02]: identifiers are never given out again */
TEST_F(cross, A467_old_trid_is_invalid_after_many_streams)
{
	trace_id_t old = bad_trid(), trid;
	trace_attr_t attr;
	unsigned int i;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setstreamsize(&attr, 0));
	for (i = 0; i < CREATIONS; i++) {
		trid = self_stream(&attr);
		ASSERT_NE(old, trid);
		must(posix_trace_shutdown(trid));
	}
	trid = self_stream(&attr);
	EXPECT_EQ(EINVAL, posix_trace_start(old));
	EXPECT_EQ(POSIX_TRACE_SUSPENDED, status_of(trid).posix_stream_status);
}

/* A-468 [C-02]: sets can be compared byte by byte */
TEST_F(cross, A468_equal_sets_have_equal_bytes)
{
	trace_event_set_t a, b;

	memset(&a, 0, sizeof(a));
	memset(&b, 0xff, sizeof(b));
	must(posix_trace_eventset_empty(&a));
	must(posix_trace_eventset_empty(&b));
	EXPECT_EQ(0, memcmp(&a, &b, sizeof(a)));
	must(posix_trace_eventset_add(self->u1, &a));
	must(posix_trace_eventset_add(self->u1, &b));
	EXPECT_EQ(0, memcmp(&a, &b, sizeof(a)));
	must(posix_trace_eventset_fill(&a, POSIX_TRACE_SYSTEM_EVENTS));
	memset(&b, 0x5a, sizeof(b));
	must(posix_trace_eventset_fill(&b, POSIX_TRACE_SYSTEM_EVENTS));
	EXPECT_EQ(0, memcmp(&a, &b, sizeof(a)));
}

/* A-469 [S]: what functions return is the error number */
TEST_F(cross, A469_errors_are_returned)
{
	char name[TRACE_EVENT_NAME_MAX + 2];
	struct timespec past = realtime_in(-1000);
	trace_id_t trid = self_stream(NULL), bad = bad_trid();
	struct ev *ev = &self->ev;
	trace_event_id_t id;

	memset(name, 'n', sizeof(name));
	name[TRACE_EVENT_NAME_MAX + 1] = 0;
	EXPECT_EQ(EINVAL, posix_trace_start(bad));
	EXPECT_EQ(EINVAL, posix_trace_shutdown(bad));
	EXPECT_EQ(ENAMETOOLONG, posix_trace_eventid_open(name, &id));
	EXPECT_EQ(ENAMETOOLONG, posix_trace_trid_eventid_open(trid, name, &id));
	EXPECT_EQ(ESRCH, posix_trace_create(-1, NULL, &bad));
	EXPECT_EQ(ETIMEDOUT,
		  posix_trace_timedgetnext_event(trid, &ev->info, ev->data, 1,
						 &ev->len, &ev->unavailable,
						 &past));
}

static void *use_streams(void *arg)
{
	trace_event_id_t id = *(trace_event_id_t *)arg;
	trace_event_set_t set = set_of(id);
	trace_id_t trid;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		trid = self_stream(NULL);
		must(posix_trace_start(trid));
		record_num(id, i);
		status_of(trid);
		must(posix_trace_set_filter(trid, &set,
					    POSIX_TRACE_SET_EVENTSET));
		must(posix_trace_stop(trid));
		must(posix_trace_clear(trid));
		must(posix_trace_shutdown(trid));
	}
	return NULL;
}

/* A-470 [S]: threads may use streams of their own at once */
TEST_F(cross, A470_threads_use_streams_of_their_own)
{
	unsigned int i, files = files_open();
	pthread_t threads[THREADS];

	for (i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, use_streams, &self->u1));
	for (i = 0; i < THREADS; i++)
		must(pthread_join(threads[i], NULL));
	EXPECT_EQ(files, files_open());
}

/* Threads that use one stream. */
struct shared {
	trace_id_t trid;
	trace_event_id_t id;
	pthread_mutex_t lock;	/* covers what follows, and the order of reads */
	trace_event_id_t last;	/* START or STOP that was read last */
	unsigned int seen;	/* how many were read */
	unsigned int twice;	/* how many followed one of their kind */
};

static bool read_one(struct shared *s)
{
	struct ev ev;
	bool found;

	pthread_mutex_lock(&s->lock);
	found = ev_try(s->trid, &ev);
	if (found && (ev.info.posix_event_id == POSIX_TRACE_START ||
		      ev.info.posix_event_id == POSIX_TRACE_STOP)) {
		s->twice += ev.info.posix_event_id == s->last;
		s->last = ev.info.posix_event_id;
		s->seen++;
	}
	pthread_mutex_unlock(&s->lock);
	return found;
}

static void *use_shared(void *arg)
{
	struct shared *s = arg;
	trace_event_set_t set = set_of(s->id);
	int i;

	for (i = 0; i < ALTERNATIONS; i++) {
		must(posix_trace_start(s->trid));
		status_of(s->trid);
		must(posix_trace_set_filter(s->trid, &set, i % 2 ?
					    POSIX_TRACE_ADD_EVENTSET :
					    POSIX_TRACE_SUB_EVENTSET));
		must(posix_trace_stop(s->trid));
		while (read_one(s))
			;
	}
	return NULL;
}

/* A-471 [S]: threads may use one stream at once; START and STOP alternate */
TEST_F(cross, A471_threads_share_a_stream)
{
	struct shared s = { .id = self->u1, .last = POSIX_TRACE_STOP };
	pthread_t threads[THREADS];
	unsigned int i;

	pthread_mutex_init(&s.lock, NULL);
	s.trid = self_stream(NULL);
	for (i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, use_shared, &s));
	for (i = 0; i < THREADS; i++)
		must(pthread_join(threads[i], NULL));
	while (read_one(&s))
		;
	EXPECT_EQ(0, s.twice);
	EXPECT_LT(0, s.seen);
	EXPECT_EQ(POSIX_TRACE_STOP, s.last);
	EXPECT_EQ(0, s.seen % 2);
}

static atomic_bool survived;

/* Call what is no cancellation point, with a cancellation pending. */
static void *be_cancelled(void *arg)
{
	trace_id_t trid = *(trace_id_t *)arg;
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_event_set_t set;
	trace_event_id_t id;
	trace_attr_t attr;
	size_t size;

	must(pthread_cancel(pthread_self()));
	must(posix_trace_start(trid));
	must(posix_trace_eventid_open("opened", &id));
	must(posix_trace_trid_eventid_open(trid, "through", &id));
	must(posix_trace_eventid_get_name(trid, id, name));
	posix_trace_eventid_equal(trid, id, id);
	posix_trace_event(id, name, sizeof(name));
	must(posix_trace_eventset_fill(&set, POSIX_TRACE_ALL_EVENTS));
	must(posix_trace_eventset_empty(&set));
	must(posix_trace_eventset_add(id, &set));
	must_be(is_member(id, &set));
	must(posix_trace_eventset_del(id, &set));
	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setname(&attr, "name"));
	must(posix_trace_attr_getname(&attr, name));
	must(posix_trace_attr_setstreamsize(&attr, 4096));
	must(posix_trace_attr_getstreamsize(&attr, &size));
	must(posix_trace_attr_getmaxsystemeventsize(&attr, &size));
	must(posix_trace_attr_destroy(&attr));
	must(posix_trace_stop(trid));
	survived = true;
	pthread_testcancel();
	return NULL;
}

/* A-472 [S]: they are no cancellation points */
TEST_F(cross, A472_pending_cancellation_is_not_acted_on)
{
	trace_id_t trid = self_stream(NULL);
	pthread_t thread;
	void *result;

	must(pthread_create(&thread, NULL, be_cancelled, &trid));
	must(pthread_join(thread, &result));
	EXPECT_TRUE(survived);
	EXPECT_EQ(PTHREAD_CANCELED, result);
}

/* A-473 [S]: what happens to one stream does not concern another */
TEST_F(cross, A473_streams_of_one_process_are_independent)
{
	trace_id_t other = small_stream(POSIX_TRACE_UNTIL_FULL, SMALL, 4);
	trace_id_t trid = running_stream();
	unsigned int n;

	must(posix_trace_start(other));
	n = fill(other, self->u1);
	record_num(self->u1, ++n);
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, trid);
	must(posix_trace_clear(other));
	must(posix_trace_stop(other));
	record_num(self->u1, ++n);
	must(posix_trace_shutdown(other));
	record_num(self->u1, ++n);
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, trid);
	EXPECT_EQ(n, drain_count(trid, self->u1));
}

/* A-475 [S]: types of one stream have different names */
TEST_F(cross, A475_names_in_a_list_differ)
{
	char names[32][TRACE_EVENT_NAME_MAX + 1];
	trace_id_t trid = self_stream(NULL);
	unsigned int i, n = 0;
	trace_event_id_t id;
	int none;

	must(posix_trace_trid_eventid_open(trid, "u1", &id));
	must(posix_trace_trid_eventid_open(trid, "u3", &id));
	for (;;) {
		must(posix_trace_eventtypelist_getnext_id(trid, &id, &none));
		if (none)
			break;
		must_be(n < ARRAY_SIZE(names));
		must(posix_trace_eventid_get_name(trid, id, names[n]));
		for (i = 0; i < n; i++)
			EXPECT_STRNE(names[i], names[n]);
		n++;
	}
	EXPECT_LE(3, n);
}

/* A-479 [S]: max-data-size is for user data only */
TEST_F(cross, A479_system_data_is_whole_whatever_the_max_data_size)
{
	trace_event_set_t set = set_of(self->u1);
	trace_attr_t attr;
	trace_id_t trid;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setmaxdatasize(&attr, 0));
	trid = self_stream(&attr);
	must(posix_trace_start(trid));
	must(posix_trace_set_filter(trid, &set, POSIX_TRACE_SET_EVENTSET));
	must(posix_trace_stop(trid));

	EXPECT_NEXT(POSIX_TRACE_START, trid, &self->ev);
	EXPECT_EQ(sizeof(set), self->ev.len);
	EXPECT_EQ(POSIX_TRACE_NOT_TRUNCATED,
		  self->ev.info.posix_truncation_status);
	EXPECT_NEXT(POSIX_TRACE_FILTER, trid, &self->ev);
	EXPECT_EQ(2 * sizeof(set), self->ev.len);
	EXPECT_EQ(0, memcmp(&set, self->ev.data + sizeof(set), sizeof(set)));
	EXPECT_EQ(POSIX_TRACE_NOT_TRUNCATED,
		  self->ev.info.posix_truncation_status);
	EXPECT_NEXT(POSIX_TRACE_STOP, trid, &self->ev);
	EXPECT_EQ(0, ev_int(&self->ev));
}

/* A-480 [S]: the reader's room limits system data as well */
TEST_F(cross, A480_system_data_is_truncated_when_read)
{
	trace_id_t trid = running_stream();
	struct ev *ev = &self->ev;

	ev->data[1] = 77;
	EXPECT_EQ(0, posix_trace_trygetnext_event(trid, &ev->info, ev->data, 1,
						  &ev->len, &ev->unavailable));
	EXPECT_EQ(0, ev->unavailable);
	EXPECT_EQ(POSIX_TRACE_START, ev->info.posix_event_id);
	EXPECT_EQ(1, ev->len);
	EXPECT_EQ(77, ev->data[1]);
	EXPECT_EQ(POSIX_TRACE_TRUNCATED_READ,
		  ev->info.posix_truncation_status);
}

TEST_HARNESS_MAIN
