// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many events from several threads: each is recorded or counted as lost, and
 * what is read is whole and in order. A smaller number than a million can be
 * set in the environment as POSIXTRACE_TEST_EVENTS.
 */
#include "abi_test.h"

#define THREADS		4

/* Data of an event. */
struct number {
	unsigned int thread;
	unsigned int n;			/* from 1 on */
};

/* What was read so far. */
struct seen {
	unsigned int all;
	unsigned int of_thread[THREADS];
	unsigned int oldest[THREADS];	/* 0: none yet */
	unsigned int newest[THREADS];
	unsigned int gaps;		/* numbers skipped between two events */
	unsigned int disorder;
};

FIXTURE(throughput) {
	trace_event_id_t id;
	trace_id_t trid;
	int fd;
	unsigned int events;		/* of each thread */
	char *buffer;
	struct seen seen;
};

FIXTURE_VARIANT(throughput) {
	int policy;
};

FIXTURE_VARIANT_ADD(throughput, loop) {
	.policy = POSIX_TRACE_LOOP,
};

FIXTURE_VARIANT_ADD(throughput, until_full) {
	.policy = POSIX_TRACE_UNTIL_FULL,
};

/* The stream records no other event, so that the counters tell of ours. */
FIXTURE_SETUP(throughput)
{
	const char *events = getenv("POSIXTRACE_TEST_EVENTS");
	trace_event_set_t others;
	trace_attr_t attr;

	self->id = open_event("user event");
	self->events = (events ? atoi(events) : 1000000) / THREADS;
	self->buffer = malloc(RECORDS_SIZE);
	must_be(self->buffer && self->events);

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setstreamfullpolicy(&attr, variant->policy));
	self->trid = self_stream(&attr);
	must(posix_trace_eventset_fill(&others, POSIX_TRACE_ALL_EVENTS));
	must(posix_trace_eventset_del(self->id, &others));
	must(posix_trace_set_filter(self->trid, &others,
				    POSIX_TRACE_SET_EVENTSET));
	must(posix_trace_get_fd_np(self->trid, &self->fd));
	must_be(!fcntl(self->fd, F_SETFL, O_NONBLOCK));
	must(posix_trace_start(self->trid));
}

FIXTURE_TEARDOWN(throughput)
{
}

static struct posix_trace_counters_np counters_of(trace_id_t trid)
{
	struct posix_trace_counters_np counters;

	must(posix_trace_get_counters_np(trid, &counters));
	return counters;
}

/*
 * Recording
 */

struct writer {
	pthread_t thread;
	unsigned int number;
	unsigned int events;
	trace_event_id_t id;
};

static atomic_int writers_left;

static void *write_events(void *arg)
{
	const struct writer *w = arg;
	struct number data = { .thread = w->number };

	for (data.n = 1; data.n <= w->events; data.n++)
		posix_trace_event(w->id, &data, sizeof(data));
	writers_left--;
	return NULL;
}

static void writers_start(struct writer *w, trace_event_id_t id,
			  unsigned int events)
{
	unsigned int i;

	writers_left = THREADS;
	for (i = 0; i < THREADS; i++) {
		w[i] = (struct writer){
			.number = i, .events = events, .id = id,
		};
		must(pthread_create(&w[i].thread, NULL, write_events, &w[i]));
	}
}

static void writers_end(struct writer *w)
{
	unsigned int i;

	for (i = 0; i < THREADS; i++)
		must(pthread_join(w[i].thread, NULL));
}

/*
 * Reading
 */

static void take(struct seen *seen, const struct number *number)
{
	unsigned int *newest = &seen->newest[number->thread];

	if (!seen->oldest[number->thread])
		seen->oldest[number->thread] = number->n;
	else if (number->n <= *newest)
		seen->disorder++;
	else
		seen->gaps += number->n - *newest - 1;
	*newest = number->n;
	seen->of_thread[number->thread]++;
	seen->all++;
}

/* Read a buffer full; false if there is nothing. */
static bool read_some(int fd, char *buffer, trace_event_id_t id,
		      struct seen *seen)
{
	const struct posixtrace_record *record;
	struct number number;
	ssize_t size, at;

	size = read(fd, buffer, RECORDS_SIZE);
	must_be(size > 0 || errno == EAGAIN);
	for (at = 0; at < size; at += record->size) {
		record = (const void *)(buffer + at);
		must_be(record->size == POSIXTRACE_RECORD_SIZE(sizeof(number)));
		must_be(at + record->size <= size);
		must_be(record->event_id == id);
		must_be(record->data_size == sizeof(number));
		memcpy(&number, record + 1, sizeof(number));
		must_be(number.thread < THREADS);
		take(seen, &number);
	}
	return size > 0;
}

/* Read until the writers are done and nothing is left. */
static void read_all(int fd, char *buffer, trace_event_id_t id,
		     struct seen *seen)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	bool last;

	do {
		last = !writers_left;
		while (read_some(fd, buffer, id, seen))
			;
		if (!last)
			poll(&pfd, 1, 100);
	} while (!last);
}

/*
 * The tests
 */

TEST_F(throughput, accounts_for_each_event_while_a_reader_reads)
{
	unsigned int sent = self->events * THREADS;
	struct posix_trace_counters_np counters;
	struct writer w[THREADS];

	writers_start(w, self->id, self->events);
	read_all(self->fd, self->buffer, self->id, &self->seen);
	writers_end(w);

	counters = counters_of(self->trid);
	EXPECT_EQ(sent, counters.posix_recorded + counters.posix_lost);
	EXPECT_EQ(counters.posix_recorded,
		  counters.posix_read + counters.posix_overwritten);
	EXPECT_EQ(self->seen.all, counters.posix_read);
	EXPECT_EQ(0, counters.posix_truncated);
	EXPECT_EQ(0, self->seen.disorder);
	EXPECT_EQ(0, variant->policy == POSIX_TRACE_LOOP ?
		  counters.posix_lost : counters.posix_overwritten);
}

TEST_F(throughput, accounts_for_each_event_with_no_reader)
{
	unsigned int i, sent = self->events * THREADS;
	bool loop = variant->policy == POSIX_TRACE_LOOP;
	struct posix_trace_counters_np counters;
	struct seen *seen = &self->seen;
	struct writer w[THREADS];

	writers_start(w, self->id, self->events);
	writers_end(w);
	counters = counters_of(self->trid);
	EXPECT_EQ(sent, counters.posix_recorded + counters.posix_lost);
	EXPECT_EQ(0, counters.posix_read);
	must(posix_trace_stop(self->trid));

	read_all(self->fd, self->buffer, self->id, seen);
	EXPECT_EQ(seen->all,
		  counters.posix_recorded - counters.posix_overwritten);
	EXPECT_EQ(seen->all, counters_of(self->trid).posix_read);
	EXPECT_EQ(0, seen->disorder);
	/* Of each thread its first or last events are there, without a gap. */
	EXPECT_EQ(0, seen->gaps);
	for (i = 0; i < THREADS; i++) {
		if (!seen->of_thread[i])
			continue;
		EXPECT_EQ(loop ? self->events : 1,
			  loop ? seen->newest[i] : seen->oldest[i]);
	}
}

/* One thread, whose events fill the stream several times. */
TEST_F(throughput, keeps_the_newest_or_the_oldest_exactly)
{
	struct writer w = { .id = self->id };
	struct posix_trace_counters_np counters;
	struct seen *seen = &self->seen;
	size_t size, each, room;
	trace_attr_t attr;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_get_attr(self->trid, &attr));
	must(posix_trace_attr_getstreamsize(&attr, &size));
	must(posix_trace_attr_getmaxusereventsize(&attr, sizeof(struct number),
						  &each));
	room = size / each;
	w.events = 5 * room + 7;
	write_events(&w);

	counters = counters_of(self->trid);
	must(posix_trace_stop(self->trid));
	writers_left = 0;
	read_all(self->fd, self->buffer, self->id, seen);
	EXPECT_LE(room, seen->all);
	EXPECT_GT(2 * room, seen->all);
	EXPECT_EQ(0, seen->gaps);
	EXPECT_EQ(0, seen->disorder);
	if (variant->policy == POSIX_TRACE_LOOP) {
		EXPECT_EQ(w.events, counters.posix_recorded);
		EXPECT_EQ(w.events - seen->all, counters.posix_overwritten);
		EXPECT_EQ(w.events, seen->newest[0]);
		EXPECT_EQ(w.events - seen->all + 1, seen->oldest[0]);
	} else {
		EXPECT_EQ(seen->all, counters.posix_recorded);
		EXPECT_EQ(w.events - seen->all, counters.posix_lost);
		EXPECT_EQ(1, seen->oldest[0]);
		EXPECT_EQ(seen->all, seen->newest[0]);
	}
}

TEST_HARNESS_MAIN
