// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recording (assertions ).
 */
#include "trace_test.h"

FIXTURE(record) {
	trace_event_id_t u;
	trace_id_t trid;	/* running; START has been read */
};

FIXTURE_SETUP(record)
{
	self->u = open_event("u");
	self->trid = running_stream();
	drain(self->trid);
}

FIXTURE_TEARDOWN(record)
{
	must(posix_trace_shutdown(self->trid));
}

/* A stream that cuts data to @max_data bytes, started, START read. */
static trace_id_t cutting_stream(size_t max_data)
{
	trace_attr_t attr;
	trace_id_t trid;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setmaxdatasize(&attr, max_data));
	trid = self_stream(&attr);
	must(posix_trace_start(trid));
	drain(trid);
	return trid;
}

/* A-134 [S]: an event is read as it was recorded */
TEST_F(record, A134_event_is_read_as_recorded)
{
	struct ev ev;

	posix_trace_event(self->u, "hello", 5);
	EXPECT_NEXT(self->u, self->trid, &ev);
	EXPECT_EQ(5, ev.len);
	EXPECT_EQ(0, memcmp("hello", ev.data, 5));
	EXPECT_EQ(POSIX_TRACE_NOT_TRUNCATED, ev.info.posix_truncation_status);
	EXPECT_EMPTY(self->trid);
}

/* A-135 [S]: an event need not have data */
TEST_F(record, A135_event_without_data)
{
	struct ev ev;

	posix_trace_event(self->u, NULL, 0);
	EXPECT_NEXT(self->u, self->trid, &ev);
	EXPECT_EQ(0, ev.len);
	EXPECT_EQ(POSIX_TRACE_NOT_TRUNCATED, ev.info.posix_truncation_status);
}

/* A-136 [S]: without a stream there is no effect, not on later streams either */
TEST(A136_event_without_a_stream_has_no_effect)
{
	trace_event_id_t u = open_event("u");
	trace_id_t trid;

	record_num(u, 1);
	trid = self_stream(NULL);
	EXPECT_EMPTY(trid);
	must(posix_trace_start(trid));
	EXPECT_EQ(0, drain_count(trid, u));
}

/* A-137 [S]: a stream that was not started records nothing */
TEST(A137_stream_not_started_records_nothing)
{
	trace_event_id_t u = open_event("u");
	trace_id_t trid = self_stream(NULL);

	record_num(u, 1);
	EXPECT_EMPTY(trid);
	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, trid);
}

/* A-138 [S]: a filtered event is not recorded, and that is no overrun */
TEST_F(record, A138_filtered_event_is_not_recorded)
{
	filter_out(self->trid, self->u);
	record_num(self->u, 1);
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
	EXPECT_EQ(0, drain_count(self->trid, self->u));
}

/* A-139 [S]: each of two running streams has the event once */
TEST_F(record, A139_two_streams_have_the_event_once_each)
{
	trace_id_t other = running_stream();

	record_num(self->u, 1);
	EXPECT_EQ(1, drain_count(self->trid, self->u));
	EXPECT_EQ(1, drain_count(other, self->u));
}

/* A-140 [S]: a filter works in its own stream only */
/* More than get it in one piece. */
TEST_F(record, many_streams_have_the_event_at_the_same_time)
{
	trace_id_t trid[40];
	struct ev first, ev;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(trid); i++)
		trid[i] = running_stream();
	record_num(self->u, 7);
	ASSERT_TRUE(ev_find(trid[0], self->u, &first));
	for (i = 1; i < ARRAY_SIZE(trid); i++) {
		ASSERT_TRUE(ev_find(trid[i], self->u, &ev));
		EXPECT_EQ(7, ev_num(&ev));
		EXPECT_EQ(0, ts_cmp(first.info.posix_timestamp,
				    ev.info.posix_timestamp));
		EXPECT_FALSE(ev_try(trid[i], &ev));
	}
}

TEST_F(record, A140_filter_does_not_reach_another_stream)
{
	trace_id_t other = running_stream();

	filter_out(self->trid, self->u);
	record_num(self->u, 1);
	EXPECT_EQ(0, drain_count(self->trid, self->u));
	EXPECT_EQ(1, drain_count(other, self->u));
}

/* A-141 [S]: each stream cuts by its own max-data-size */
TEST_F(record, A141_each_stream_cuts_by_its_own_limit)
{
	trace_id_t four = cutting_stream(4), many = cutting_stream(64);
	struct ev ev;

	posix_trace_event(self->u, "0123456789", 10);
	EXPECT_NEXT(self->u, four, &ev);
	EXPECT_EQ(4, ev.len);
	EXPECT_EQ(0, memcmp("0123", ev.data, 4));
	EXPECT_EQ(POSIX_TRACE_TRUNCATED_RECORD, ev.info.posix_truncation_status);
	EXPECT_NEXT(self->u, many, &ev);
	EXPECT_EQ(10, ev.len);
	EXPECT_EQ(0, memcmp("0123456789", ev.data, 10));
	EXPECT_EQ(POSIX_TRACE_NOT_TRUNCATED, ev.info.posix_truncation_status);
}

/* A-142 [S]: max-data-size bytes are not cut */
TEST_F(record, A142_data_of_the_limit_is_not_cut)
{
	trace_id_t trid = cutting_stream(9);
	struct ev ev;

	posix_trace_event(self->u, "012345678", 9);
	EXPECT_NEXT(self->u, trid, &ev);
	EXPECT_EQ(9, ev.len);
	EXPECT_EQ(0, memcmp("012345678", ev.data, 9));
	EXPECT_EQ(POSIX_TRACE_NOT_TRUNCATED, ev.info.posix_truncation_status);
}

/* A-143 [S]: one byte more is cut */
TEST_F(record, A143_data_above_the_limit_is_cut)
{
	trace_id_t trid = cutting_stream(9);
	struct ev ev;

	posix_trace_event(self->u, "0123456789", 10);
	EXPECT_NEXT(self->u, trid, &ev);
	EXPECT_EQ(9, ev.len);
	EXPECT_EQ(0, memcmp("012345678", ev.data, 9));
	EXPECT_EQ(POSIX_TRACE_TRUNCATED_RECORD, ev.info.posix_truncation_status);
}

/* A-144 [S]: with max-data-size 0 all data is cut */
TEST_F(record, A144_limit_0_cuts_all_data)
{
	trace_id_t trid = cutting_stream(0);
	struct ev ev;

	posix_trace_event(self->u, "x", 1);
	EXPECT_NEXT(self->u, trid, &ev);
	EXPECT_EQ(0, ev.len);
	EXPECT_EQ(POSIX_TRACE_TRUNCATED_RECORD, ev.info.posix_truncation_status);
}

/* A-145 [S]: the event shows the process that recorded it */
TEST_F(record, A145_event_shows_its_process)
{
	struct ev ev;

	record_num(self->u, 1);
	EXPECT_NEXT(self->u, self->trid, &ev);
	EXPECT_EQ(getpid(), ev.info.posix_pid);
}

static void *record_one(void *arg)
{
	record_num(*(trace_event_id_t *)arg, 1);
	return NULL;
}

/* A-146 [S]: the event shows the thread that recorded it */
TEST_F(record, A146_event_shows_its_thread)
{
	pthread_t thread;
	struct ev ev;

	must(pthread_create(&thread, NULL, record_one, &self->u));
	must(pthread_join(thread, NULL));
	record_num(self->u, 2);
	EXPECT_NEXT(self->u, self->trid, &ev);
	EXPECT_TRUE(pthread_equal(thread, ev.info.posix_thread_id));
	EXPECT_NEXT(self->u, self->trid, &ev);
	EXPECT_TRUE(pthread_equal(pthread_self(), ev.info.posix_thread_id));
}

static noinline void record_here(trace_event_id_t id)
{
	posix_trace_event(id, NULL, 0);
	no_tail_call();
}

static noinline void record_there(trace_event_id_t id)
{
	posix_trace_event(id, "data", 4);
	no_tail_call();
}

/* A-147 [S]: the event shows where it was recorded */
TEST_F(record, A147_event_shows_the_address_of_the_call)
{
	struct ev ev;

	record_here(self->u);
	record_there(self->u);
	EXPECT_NEXT(self->u, self->trid, &ev);
	EXPECT_TRUE(lies_in(ev.info.posix_prog_address, record_here));
	EXPECT_NEXT(self->u, self->trid, &ev);
	EXPECT_TRUE(lies_in(ev.info.posix_prog_address, record_there));
}

/* A-148 [S]: the time stamp is the time of the call, on CLOCK_REALTIME */
TEST_F(record, A148_time_stamp_is_that_of_the_call)
{
	struct timespec before, after;
	struct ev ev;

	clock_gettime(CLOCK_REALTIME, &before);
	record_num(self->u, 1);
	clock_gettime(CLOCK_REALTIME, &after);
	EXPECT_NEXT(self->u, self->trid, &ev);
	EXPECT_GE(0, ts_cmp(before, ev.info.posix_timestamp));
	EXPECT_GE(0, ts_cmp(ev.info.posix_timestamp, after));
	EXPECT_LE(0, ev.info.posix_timestamp.tv_nsec);
	EXPECT_GT(1000000000, ev.info.posix_timestamp.tv_nsec);
}

/* Data that shows whether it is whole. */
struct stripes {
	unsigned int sender;
	unsigned int n;
	unsigned int copy[14];
};

static void record_stripes(trace_event_id_t id, unsigned int sender,
			   unsigned int n)
{
	struct stripes data = { .sender = sender, .n = n };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(data.copy); i++)
		data.copy[i] = sender * 1000003 + n;
	posix_trace_event(id, &data, sizeof(data));
}

/* The data of an event, which is whole or ends the test. */
static struct stripes whole_stripes(const struct ev *ev)
{
	struct stripes data;
	size_t i;

	must_be(ev->len == sizeof(data));
	memcpy(&data, ev->data, sizeof(data));
	for (i = 0; i < ARRAY_SIZE(data.copy); i++)
		must_be(data.copy[i] == data.sender * 1000003 + data.n);
	return data;
}

/* A stream with room for @n such events, started, START read. */
static trace_id_t stripes_stream(int policy, size_t n)
{
	trace_id_t trid = small_stream(policy, n, sizeof(struct stripes));

	must(posix_trace_start(trid));
	drain(trid);
	return trid;
}

static trace_event_id_t handler_event;
static atomic_uint handled;

static void record_in_handler(int sig)
{
	record_stripes(handler_event, 2, ++handled);
}

/* A-149 [S]: an event may be recorded in a handler that interrupts another */
TEST(A149_event_in_a_handler_that_interrupts_event)
{
	const unsigned int most = 20000;
	unsigned int sent = 0, seen[3] = { 0 };
	trace_event_id_t u = open_event("u");
	struct stripes data;
	trace_id_t trid;
	struct ev ev;

	trid = stripes_stream(POSIX_TRACE_LOOP, 2 * most);
	handler_event = open_event("handler");
	on_signal(SIGALRM, record_in_handler, 0);
	setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 200 }, { 0, 200 } },
		  NULL);
	while (sent < most && handled < 500)
		record_stripes(u, 1, ++sent);
	setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 0 }, { 0, 0 } }, NULL);
	EXPECT_LT(0, handled);

	while (ev_try(trid, &ev)) {
		data = whole_stripes(&ev);
		must_be(data.sender == 1 || data.sender == 2);
		seen[data.sender]++;
		ASSERT_EQ(seen[data.sender], data.n);
	}
	EXPECT_EQ(sent, seen[1]);
	EXPECT_EQ(handled, seen[2]);
}

#define SENDERS		8
#define PER_SENDER	500

struct sender {
	pthread_t thread;
	trace_event_id_t id;
	unsigned int number;
	pthread_barrier_t *go;
};

static void *send_many(void *arg)
{
	struct sender *s = arg;
	unsigned int n;

	pthread_barrier_wait(s->go);
	for (n = 1; n <= PER_SENDER; n++)
		record_stripes(s->id, s->number, n);
	return NULL;
}

/* A-150 [S]: no event of eight threads is missing, torn or out of order */
TEST_F(record, A150_eight_threads_record_at_once)
{
	trace_id_t trid = stripes_stream(0, SENDERS * PER_SENDER);
	unsigned int i, seen[SENDERS] = { 0 };
	struct sender sender[SENDERS];
	pthread_barrier_t go;
	struct stripes data;
	struct ev ev;

	pthread_barrier_init(&go, NULL, SENDERS);
	for (i = 0; i < SENDERS; i++) {
		sender[i] = (struct sender){ .id = self->u, .number = i,
					     .go = &go };
		must(pthread_create(&sender[i].thread, NULL, send_many,
				    &sender[i]));
	}
	for (i = 0; i < SENDERS; i++)
		must(pthread_join(sender[i].thread, NULL));

	while (ev_try(trid, &ev)) {
		data = whole_stripes(&ev);
		must_be(data.sender < SENDERS);
		EXPECT_TRUE(pthread_equal(sender[data.sender].thread,
					  ev.info.posix_thread_id));
		ASSERT_EQ(++seen[data.sender], data.n);
	}
	for (i = 0; i < SENDERS; i++)
		EXPECT_EQ(PER_SENDER, seen[i]);
	EXPECT_EQ(POSIX_TRACE_NO_OVERRUN,
		  status_of(trid).posix_stream_overrun_status);
}

/* A-151 [S]: events are read in the order in which they were recorded */
TEST_F(record, A151_events_keep_their_order)
{
	trace_event_id_t v = open_event("v");
	struct ev ev;

	record_num(self->u, 1);
	record_num(v, 2);
	record_num(self->u, 3);
	EXPECT_NEXT(self->u, self->trid, &ev);
	EXPECT_EQ(1, ev_num(&ev));
	EXPECT_NEXT(v, self->trid, &ev);
	EXPECT_EQ(2, ev_num(&ev));
	EXPECT_NEXT(self->u, self->trid, &ev);
	EXPECT_EQ(3, ev_num(&ev));
	EXPECT_EMPTY(self->trid);
}

/* A-152 [C-59]: errno is left alone */
TEST_F(record, A152_event_leaves_errno_alone)
{
	errno = 77;
	record_num(self->u, 1);
	EXPECT_EQ(77, errno);
	must(posix_trace_stop(self->trid));
	errno = 77;
	record_num(self->u, 2);
	EXPECT_EQ(77, errno);
	EXPECT_EQ(1, drain_count(self->trid, self->u));
}

/* A-153 [C-51]: a program can't record a system event */
TEST_F(record, A153_system_event_is_ignored)
{
	posix_trace_event(POSIX_TRACE_START, "x", 1);
	EXPECT_EMPTY(self->trid);
}

/* A-154 [C-51]: an identifier that was never opened is ignored */
TEST_F(record, A154_unknown_event_is_ignored)
{
	posix_trace_event(self->u + 1, "x", 1);
	posix_trace_event(0, "x", 1);
	posix_trace_event(1u << 31, "x", 1);
	EXPECT_EMPTY(self->trid);
}

/*
 * The largest user event always fits, since the size of the stream is raised to
 * that, and anything larger is cut: what the assertion is about can't be made.
 */
/* A-155 [C-51]: no event is larger than its stream */
TEST(A155_no_event_is_larger_than_its_stream)
{
	trace_event_id_t u = open_event("u");
	static char data[5000];
	trace_attr_t attr;
	trace_id_t trid;
	struct ev ev;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setmaxdatasize(&attr, EV_DATA_MAX));
	must(posix_trace_attr_setstreamsize(&attr, 1));
	trid = self_stream(&attr);
	must(posix_trace_start(trid));
	record_num(u, 1);
	posix_trace_event(u, data, sizeof(data));
	EXPECT_NEXT(POSIX_TRACE_START, trid, &ev);
	EXPECT_NEXT(u, trid, &ev);
	EXPECT_EQ(1, ev_num(&ev));
	EXPECT_NEXT(u, trid, &ev);
	EXPECT_EQ(EV_DATA_MAX, ev.len);
	EXPECT_EQ(POSIX_TRACE_NO_OVERRUN,
		  status_of(trid).posix_stream_overrun_status);
}

/* A-156 [S]: the unnamed user event is recorded like any other */
TEST_F(record, A156_unnamed_event_is_recorded)
{
	struct ev ev;

	posix_trace_event(POSIX_TRACE_UNNAMED_USEREVENT, "abc", 3);
	EXPECT_NEXT(POSIX_TRACE_UNNAMED_USEREVENT, self->trid, &ev);
	EXPECT_EQ(3, ev.len);
	EXPECT_EQ(0, memcmp("abc", ev.data, 3));
}

static void *record_when_cancelled(void *arg)
{
	struct canceled *c = arg;

	wait_for_cancel(c);
	record_num(c->id, 1);
	return c;
}

/* A-157 [S]: posix_trace_event is no cancellation point */
TEST_F(record, A157_event_is_no_cancellation_point)
{
	struct canceled c = { .id = self->u };

	EXPECT_EQ(&c, run_cancelled(&c, record_when_cancelled));
	EXPECT_EQ(1, drain_count(self->trid, self->u));
}

TEST_HARNESS_MAIN
