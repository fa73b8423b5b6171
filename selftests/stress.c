// SPDX-License-Identifier: GPL-2.0-only
/*
 * 8 controllers with 16 streams each on one target of 8 threads. Streams of
 * both policies and of many sizes are started, stopped, filtered, cleared, read
 * and shut down at random, while the target records without pause. For each
 * stream the counters have to be exact, and each event has to be whole and, of
 * each thread, in order.
 *
 * POSIXTRACE_STRESS_SECONDS is how long it takes, default: 5;
 * POSIXTRACE_STRESS_SEED makes the controllers take the same choices again.
 */
#include "trace_test.h"

#include <stddef.h>

#define CONTROLLERS	8
#define STREAMS		16	/* of each controller */
#define THREADS		8	/* of the target */
#define TYPES		3	/* of events */

/* What an event holds; its length and content follow from thread and number. */
struct load {
	unsigned int thread;
	unsigned int number;
	unsigned char fill[120];
};

#define LOAD_MIN	offsetof(struct load, fill)

static size_t load_size(unsigned int thread, unsigned int number)
{
	return LOAD_MIN + (thread * 31 + number * 7) %
			  (sizeof(struct load) - LOAD_MIN + 1);
}

static unsigned char load_byte(unsigned int thread, unsigned int number)
{
	return thread * 29 + number * 13;
}

/* Shared by all processes. */
struct arena {
	atomic_bool stop;		/* the target is to end */
	atomic_ullong sent;		/* events that it has recorded, at its end */
	atomic_ullong read;		/* events that were checked */
	atomic_uint actions;
	atomic_uint shutdowns;
	trace_event_id_t type[TYPES];
	pid_t target;
	unsigned int seed;
	unsigned int seconds;
};

static struct arena *arena;

/*
 * Target
 */

struct sender {
	pthread_t thread;
	unsigned int number;
};

static void *send_load(void *arg)
{
	struct sender *s = arg;
	struct load load = { .thread = s->number };

	while (!arena->stop) {
		load.number++;
		memset(load.fill, load_byte(load.thread, load.number),
		       sizeof(load.fill));
		posix_trace_event(arena->type[load.number % TYPES], &load,
				  load_size(load.thread, load.number));
		if (!(load.number % 64))
			sched_yield();
	}
	arena->sent += load.number;
	return NULL;
}

static int target(const struct child *c, void *arg)
{
	struct sender sender[THREADS];
	char name[16];
	unsigned int i;

	for (i = 0; i < TYPES; i++) {
		snprintf(name, sizeof(name), "load%u", i);
		arena->type[i] = open_event(name);
	}
	hand(c);
	await(c);
	for (i = 0; i < THREADS; i++) {
		sender[i].number = i;
		must(pthread_create(&sender[i].thread, NULL, send_load,
				    &sender[i]));
	}
	for (i = 0; i < THREADS; i++)
		must(pthread_join(sender[i].thread, NULL));
	hand(c);
	await(c);
	return 0;
}

/*
 * Controllers
 */

/* A stream and what its controller knows about it. */
struct stream {
	trace_id_t trid;
	size_t max_data;
	bool exact;		/* is stopped before it is cleared */
	unsigned long long seen;	/* events read, but for the made up ones */
	unsigned long long cleared;	/* if exact */
	unsigned int last[THREADS];	/* numbers of the newest events read */
};

static unsigned int rnd(unsigned int *seed, unsigned int below)
{
	*seed = *seed * 1103515245 + 12345;
	return (*seed >> 16) % below;
}

static void stream_open(struct stream *s, unsigned int *seed)
{
	static const size_t max_data[] = { 0, 8, 50, 128, 256 };
	const int policy = rnd(seed, 2) ? POSIX_TRACE_LOOP :
					  POSIX_TRACE_UNTIL_FULL;
	trace_attr_t attr;

	*s = (struct stream){
		.max_data = max_data[rnd(seed, ARRAY_SIZE(max_data))],
		.exact = rnd(seed, 4),
	};
	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setstreamfullpolicy(&attr, policy));
	must(posix_trace_attr_setmaxdatasize(&attr, s->max_data));
	must(posix_trace_attr_setstreamsize(&attr, 1u << (8 + rnd(seed, 9))));
	s->trid = stream_on(arena->target, &attr);
	must(posix_trace_attr_destroy(&attr));
}

static struct posix_trace_counters_np counters(const struct stream *s)
{
	struct posix_trace_counters_np c;

	must(posix_trace_get_counters_np(s->trid, &c));
	return c;
}

/* A user event: whole, of the target, later than the last of its thread. */
static void check_load(struct stream *s, const struct ev *ev)
{
	struct load load;
	size_t size, i;

	must_be(ev->info.posix_pid == arena->target);
	if (s->max_data < LOAD_MIN) {
		must_be(ev->len == s->max_data);
		return;
	}
	memcpy(&load, ev->data, sizeof(load));
	must_be(load.thread < THREADS);
	must_be(load.number > s->last[load.thread]);
	s->last[load.thread] = load.number;
	must_be(ev->info.posix_event_id == arena->type[load.number % TYPES]);

	size = load_size(load.thread, load.number);
	if (size > s->max_data) {
		size = s->max_data;
		must_be(ev->info.posix_truncation_status ==
			POSIX_TRACE_TRUNCATED_RECORD);
	} else {
		must_be(ev->info.posix_truncation_status ==
			POSIX_TRACE_NOT_TRUNCATED);
	}
	must_be(ev->len == size);
	for (i = 0; i < size - LOAD_MIN; i++)
		must_be(load.fill[i] == load_byte(load.thread, load.number));
}

/* Read at most @max events; true if there are no more. */
static bool stream_read(struct stream *s, unsigned int max)
{
	static struct ev ev;

	while (max--) {
		if (!ev_try(s->trid, &ev))
			return true;
		switch (ev.info.posix_event_id) {
		case POSIX_TRACE_OVERFLOW:
		case POSIX_TRACE_RESUME:
			break;
		case POSIX_TRACE_START:
		case POSIX_TRACE_STOP:
		case POSIX_TRACE_FILTER:
			s->seen++;
			break;
		default:
			s->seen++;
			arena->read++;
			check_load(s, &ev);
		}
	}
	return false;
}

static void stream_clear(struct stream *s)
{
	struct posix_trace_counters_np c;

	if (s->exact) {
		must(posix_trace_stop(s->trid));
		c = counters(s);
		s->cleared = c.posix_recorded - c.posix_read -
			     c.posix_overwritten;
	}
	must(posix_trace_clear(s->trid));
}

/*
 * Stop the stream, empty it, settle accounts. While it is stopped nothing is
 * added, not even to what was lost.
 */
static void stream_settle(struct stream *s)
{
	struct posix_trace_counters_np before, after;

	must(posix_trace_stop(s->trid));
	before = counters(s);
	must_be(stream_read(s, UINT_MAX));
	after = counters(s);
	must_be(after.posix_recorded == before.posix_recorded);
	must_be(after.posix_lost == before.posix_lost);
	must_be(after.posix_overwritten == before.posix_overwritten);
	must_be(after.posix_read == s->seen);
	if (s->exact)
		must_be(after.posix_recorded == after.posix_read +
			after.posix_overwritten + s->cleared);
	else
		must_be(after.posix_recorded >= after.posix_read +
			after.posix_overwritten);
}

static void stream_close(struct stream *s)
{
	struct posix_trace_status_info st;

	stream_settle(s);
	must(posix_trace_shutdown(s->trid));
	must_be(posix_trace_get_status(s->trid, &st) == EINVAL);
	arena->shutdowns++;
}

static void stream_filter(struct stream *s, unsigned int *seed)
{
	static const int how[] = { POSIX_TRACE_SET_EVENTSET,
				   POSIX_TRACE_ADD_EVENTSET,
				   POSIX_TRACE_SUB_EVENTSET };
	trace_event_set_t set;
	unsigned int i;

	must(posix_trace_eventset_empty(&set));
	for (i = 0; i < TYPES; i++) {
		if (!rnd(seed, 3))
			must(posix_trace_eventset_add(arena->type[i], &set));
	}
	must(posix_trace_set_filter(s->trid, &set, how[rnd(seed, 3)]));
}

static void stream_act(struct stream *s, unsigned int *seed)
{
	switch (rnd(seed, 16)) {
	case 0 ... 3:
		must(posix_trace_start(s->trid));
		break;
	case 4:
		must(posix_trace_stop(s->trid));
		break;
	case 5 ... 7:
		stream_filter(s, seed);
		break;
	case 8:
		stream_clear(s);
		break;
	case 9:
		stream_settle(s);
		break;
	case 10:
		stream_close(s);
		stream_open(s, seed);
		break;
	case 11:
		status_of(s->trid);
		break;
	default:
		stream_read(s, rnd(seed, 100));
	}
}

static int controller(const struct child *c, void *arg)
{
	unsigned int seed = arena->seed + 7919 * *(unsigned int *)arg;
	struct stream stream[STREAMS];
	long long end;
	unsigned int i;

	for (i = 0; i < STREAMS; i++)
		stream_open(&stream[i], &seed);
	hand(c);
	await(c);
	end = now_ms() + arena->seconds * 1000LL;
	while (now_ms() < end) {
		stream_act(&stream[rnd(&seed, STREAMS)], &seed);
		arena->actions++;
	}
	for (i = 0; i < STREAMS; i++)
		stream_close(&stream[i]);
	return 0;
}

FIXTURE(stress) {
	struct child target;
	struct child controller[CONTROLLERS];
};

static unsigned int setting(const char *name, unsigned int otherwise)
{
	const char *value = getenv(name);

	return value ? strtoul(value, NULL, 0) : otherwise;
}

FIXTURE_SETUP(stress)
{
	arena = mmap(NULL, sizeof(*arena), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, arena);
	arena->seconds = setting("POSIXTRACE_STRESS_SECONDS", 5);
	arena->seed = setting("POSIXTRACE_STRESS_SEED", time(NULL));
	TH_LOG("POSIXTRACE_STRESS_SEED=%u", arena->seed);
	child_start(&self->target, target, NULL);
	arena->target = self->target.pid;
	await(&self->target);
}

FIXTURE_TEARDOWN(stress)
{
	EXPECT_EQ(0, child_end(&self->target));
}

TEST_F(stress, counters_are_exact_whatever_controllers_do)
{
	struct posix_trace_counters_np c;
	unsigned int i, number[CONTROLLERS];
	trace_id_t witness;

	/* One stream sees it all. Its events are overwritten, but counted. */
	witness = stream_on(arena->target, NULL);
	for (i = 0; i < CONTROLLERS; i++) {
		number[i] = i;
		child_start(&self->controller[i], controller, &number[i]);
		await(&self->controller[i]);
	}
	must(posix_trace_start(witness));
	hand(&self->target);
	for (i = 0; i < CONTROLLERS; i++)
		hand(&self->controller[i]);
	for (i = 0; i < CONTROLLERS; i++)
		EXPECT_EQ(0, child_end(&self->controller[i]));
	arena->stop = true;
	await(&self->target);

	must(posix_trace_stop(witness));
	must(posix_trace_get_counters_np(witness, &c));
	/* All of them, START and STOP. */
	EXPECT_EQ(arena->sent + 2, c.posix_recorded);
	EXPECT_EQ(0, c.posix_lost);
	EXPECT_EQ(c.posix_recorded,
		  c.posix_overwritten + drain(witness) - 2);
	must(posix_trace_shutdown(witness));
	TH_LOG("%llu events sent, %llu read; %u actions, %u streams",
	       arena->sent, arena->read, arena->actions, arena->shutdowns);
	EXPECT_LT(0, arena->read);
	EXPECT_LE(CONTROLLERS * STREAMS, arena->shutdowns);
	hand(&self->target);
}

TEST_HARNESS_MAIN
