// SPDX-License-Identifier: GPL-2.0-only
/*
 * Status and attributes of a stream (assertions ). Those of logs
 * come with the logs.
 */
#include "trace_test.h"

#define SMALL	8	/* events of 4 bytes that a small stream has to hold */

FIXTURE(status) {
	trace_event_id_t u;
	trace_id_t trid;	/* small, LOOP, running */
};

FIXTURE_SETUP(status)
{
	self->u = open_event("u");
	self->trid = small_stream(POSIX_TRACE_LOOP, SMALL, 4);
	must(posix_trace_start(self->trid));
}

FIXTURE_TEARDOWN(status)
{
	must(posix_trace_shutdown(self->trid));
}

static int overrun_of(trace_id_t trid)
{
	return status_of(trid).posix_stream_overrun_status;
}

/* Record so many events that some are overwritten. */
static void overrun(trace_event_id_t u)
{
	unsigned int i;

	for (i = 0; i < 20 * SMALL; i++)
		record_num(u, i);
}

/* A-199 [S]: the status of an active stream can be read */
TEST_F(status, A199_status_of_an_active_stream)
{
	struct posix_trace_status_info st;

	EXPECT_EQ(0, posix_trace_get_status(self->trid, &st));
	EXPECT_EQ(POSIX_TRACE_RUNNING, st.posix_stream_status);
}

/* A-200 [S]: get_status refuses a trid that is not valid */
TEST(A200_get_status_refuses_a_bad_trid)
{
	struct posix_trace_status_info st;

	EXPECT_EQ(EINVAL, posix_trace_get_status(bad_trid(), &st));
}

/* A-201 [S]: reading the overrun resets it */
TEST_F(status, A201_reading_the_overrun_resets_it)
{
	overrun(self->u);
	EXPECT_EQ(POSIX_TRACE_OVERRUN, overrun_of(self->trid));
	EXPECT_EQ(POSIX_TRACE_NO_OVERRUN, overrun_of(self->trid));
}

/* A-202 [S]: the next event that is overwritten sets it again */
TEST_F(status, A202_next_loss_sets_the_overrun_again)
{
	overrun(self->u);
	EXPECT_EQ(POSIX_TRACE_OVERRUN, overrun_of(self->trid));
	overrun(self->u);
	EXPECT_EQ(POSIX_TRACE_OVERRUN, overrun_of(self->trid));
}

/* A-206 [S]: reading FULL does not reset it */
TEST_F(status, A206_reading_does_not_reset_full)
{
	overrun(self->u);
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_FULL,
		      POSIX_TRACE_OVERRUN, self->trid);
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
}

#define EXPECT_NO_LOG_STATUS(trid) do {					\
	struct posix_trace_status_info seen_st = status_of(trid);	\
									\
	EXPECT_EQ(POSIX_TRACE_NO_OVERRUN, seen_st.posix_log_overrun_status); \
	EXPECT_EQ(POSIX_TRACE_NOT_FULL, seen_st.posix_log_full_status);	\
	EXPECT_EQ(POSIX_TRACE_NOT_FLUSHING,				\
		  seen_st.posix_stream_flush_status);			\
	EXPECT_EQ(0, seen_st.posix_stream_flush_error);			\
} while (0)

/* A-207 [S]: without log there is never a log overrun, nor a full log */
TEST_F(status, A207_stream_without_log_has_no_log_status)
{
	trace_id_t trid = small_stream(POSIX_TRACE_UNTIL_FULL, SMALL, 4);

	EXPECT_NO_LOG_STATUS(trid);
	must(posix_trace_start(trid));
	EXPECT_NO_LOG_STATUS(trid);
	EXPECT_NO_LOG_STATUS(self->trid);
	overrun(self->u);
	EXPECT_NO_LOG_STATUS(trid);
	EXPECT_NO_LOG_STATUS(self->trid);
	must(posix_trace_stop(self->trid));
	EXPECT_NO_LOG_STATUS(self->trid);
	must(posix_trace_clear(self->trid));
	EXPECT_NO_LOG_STATUS(self->trid);
}

struct changer {
	pthread_t thread;
	trace_id_t trid;
	trace_event_id_t u;
	atomic_bool stop;
};

/* Start, fill, stop, empty, until told to end. */
static void *change(void *arg)
{
	struct changer *c = arg;

	while (!c->stop) {
		must(posix_trace_start(c->trid));
		overrun(c->u);
		must(posix_trace_stop(c->trid));
		drain(c->trid);
	}
	return NULL;
}

/* A-211 [S]: the pair (RUNNING, FULL) is never seen of an UNTIL_FULL stream */
TEST_F(status, A211_until_full_stream_never_runs_while_full)
{
	struct changer c = { .u = self->u };
	unsigned int i, full = 0, running = 0;
	struct posix_trace_status_info st;

	c.trid = small_stream(POSIX_TRACE_UNTIL_FULL, SMALL, 4);
	must(pthread_create(&c.thread, NULL, change, &c));
	for (i = 0; i < 100000; i++) {
		st = status_of(c.trid);
		full += st.posix_stream_full_status == POSIX_TRACE_FULL;
		running += st.posix_stream_status == POSIX_TRACE_RUNNING;
		ASSERT_FALSE(st.posix_stream_full_status == POSIX_TRACE_FULL &&
			     st.posix_stream_status == POSIX_TRACE_RUNNING);
	}
	c.stop = true;
	must(pthread_join(c.thread, NULL));
	EXPECT_LT(0, full);
	EXPECT_LT(0, running);
}

/* A-212 [C-52]: a null pointer is refused and resets nothing */
TEST_F(status, A212_get_status_refuses_null)
{
	overrun(self->u);
	EXPECT_EQ(EINVAL, posix_trace_get_status(self->trid, NULL));
	EXPECT_EQ(POSIX_TRACE_OVERRUN, overrun_of(self->trid));
}

/* A-213 [S]: get_attr reports the attributes of creation */
TEST(A213_get_attr_reports_all_attributes)
{
	char name[TRACE_NAME_MAX + 1];
	trace_attr_t attr;
	trace_id_t trid;
	size_t size;
	int value;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setname(&attr, "reported"));
	must(posix_trace_attr_setinherited(&attr, POSIX_TRACE_INHERITED));
	must(posix_trace_attr_setstreamfullpolicy(&attr,
						  POSIX_TRACE_UNTIL_FULL));
	must(posix_trace_attr_setlogfullpolicy(&attr, POSIX_TRACE_APPEND));
	must(posix_trace_attr_setmaxdatasize(&attr, 101));
	must(posix_trace_attr_setstreamsize(&attr, 100000));
	trid = self_stream(&attr);
	must(posix_trace_attr_destroy(&attr));
	must(posix_trace_attr_init(&attr));

	EXPECT_EQ(0, posix_trace_get_attr(trid, &attr));
	EXPECT_EQ(0, posix_trace_attr_getname(&attr, name));
	EXPECT_STREQ("reported", name);
	EXPECT_EQ(0, posix_trace_attr_getinherited(&attr, &value));
	EXPECT_EQ(POSIX_TRACE_INHERITED, value);
	EXPECT_EQ(0, posix_trace_attr_getstreamfullpolicy(&attr, &value));
	EXPECT_EQ(POSIX_TRACE_UNTIL_FULL, value);
	EXPECT_EQ(0, posix_trace_attr_getlogfullpolicy(&attr, &value));
	EXPECT_EQ(POSIX_TRACE_APPEND, value);
	EXPECT_EQ(0, posix_trace_attr_getmaxdatasize(&attr, &size));
	EXPECT_EQ(101, size);
	EXPECT_EQ(0, posix_trace_attr_getstreamsize(&attr, &size));
	EXPECT_LE(100000, size);
}

/* A-214 [S]: get_attr refuses a trid that is not valid */
TEST(A214_get_attr_refuses_a_bad_trid)
{
	trace_attr_t attr;

	must(posix_trace_attr_init(&attr));
	EXPECT_EQ(EINVAL, posix_trace_get_attr(bad_trid(), &attr));
}

/* A-215 [S]: what get_attr has filled is a copy */
TEST_F(status, A215_get_attr_gives_a_copy)
{
	char name[TRACE_NAME_MAX + 1];
	trace_attr_t attr;
	struct ev ev;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_get_attr(self->trid, &attr));
	must(posix_trace_attr_setname(&attr, "changed"));
	must(posix_trace_attr_setmaxdatasize(&attr, 0));
	must(posix_trace_attr_destroy(&attr));

	record_num(self->u, 1);
	EXPECT_NEXT(POSIX_TRACE_START, self->trid, &ev);
	EXPECT_NEXT(self->u, self->trid, &ev);
	EXPECT_EQ(sizeof(unsigned int), ev.len);
	must(posix_trace_attr_init(&attr));
	must(posix_trace_get_attr(self->trid, &attr));
	must(posix_trace_attr_getname(&attr, name));
	EXPECT_STREQ("", name);
}

TEST_HARNESS_MAIN
