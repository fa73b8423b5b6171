// SPDX-License-Identifier: GPL-2.0-only
/*
 * Controllers and targets that are killed at a random moment, while threads of
 * the target record numbered events: the log is complete when waitpid() tells
 * the end, and has every event that was recorded (assertion A-452,
 * in lifetime.c and fork.c).
 *
 * POSIXTRACE_KILLS kills of each kind (default 10), POSIXTRACE_SEED to repeat
 * a run.
 */
#include "withlog_test.h"

#include <sys/mman.h>

#define THREADS		4
#define KILLS		10
#define LONGEST		100000	/* microseconds until the kill */

/* Data of an event. */
struct numbered {
	unsigned int thread;
	unsigned int number;
	unsigned int check;	/* of the two */
	char more[20];
};

/* Between the processes. */
struct shared {
	atomic_bool record;
	atomic_bool quit;
	atomic_uint begun[THREADS];	/* last number that was given out */
	atomic_uint done[THREADS];	/* recorded, if anybody wants it */
};

/* What one round is about. */
struct round {
	struct shared *shared;
	pid_t target;
	int fd;
	int policy;
	int log_policy;
	size_t stream_size;
	bool flushes;		/* the controller flushes all the time */
	bool stops;		/* and stops and starts */
};

static unsigned long long seed;

static unsigned int draw(unsigned int below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

static void begin_random(void)
{
	const char *given = getenv("POSIXTRACE_SEED");

	seed = (unsigned long long)time(NULL) << 20 | getpid();
	if (given)
		seed = strtoull(given, NULL, 0);
	printf("# POSIXTRACE_SEED=%llu\n", seed);
	seed |= 1;
}

static unsigned int kills(void)
{
	const char *given = getenv("POSIXTRACE_KILLS");

	return given ? atoi(given) : KILLS;
}

static void sleep_us(unsigned int us)
{
	struct timespec ts = { 0, us * 1000L };

	nanosleep(&ts, NULL);
}

static unsigned int check_of(const struct numbered *data)
{
	return (data->number * 2654435761U) ^ data->thread;
}

/*
 * The target
 */

struct recorder {
	struct shared *shared;
	trace_event_id_t id;
	unsigned int thread;
};

static void *record_numbers(void *arg)
{
	const struct recorder *r = arg;
	struct numbered data = { .thread = r->thread };

	while (!r->shared->quit) {
		if (!r->shared->record) {
			sleep_us(1000);
			continue;
		}
		data.number++;
		data.check = check_of(&data);
		r->shared->begun[r->thread] = data.number;
		posix_trace_event(r->id, &data, sizeof(data));
		r->shared->done[r->thread] = data.number;
	}
	return NULL;
}

static int be_target(const struct child *c, void *arg)
{
	struct recorder r[THREADS];
	pthread_t thread[THREADS];
	unsigned int i;

	for (i = 0; i < THREADS; i++) {
		r[i] = (struct recorder){ arg, open_event("numbered"), i };
		must(pthread_create(&thread[i], NULL, record_numbers, &r[i]));
	}
	hand(c);
	for (i = 0; i < THREADS; i++)
		must(pthread_join(thread[i], NULL));
	return 0;
}

/*
 * The controller
 */

static trace_id_t round_stream(const struct round *round)
{
	trace_attr_t attr;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setstreamfullpolicy(&attr, round->policy));
	must(posix_trace_attr_setlogfullpolicy(&attr, round->log_policy));
	must(posix_trace_attr_setstreamsize(&attr, round->stream_size));
	must(posix_trace_attr_setlogsize(&attr, 256 * 1024));
	return log_stream_on(round->target, &attr, round->fd);
}

static int be_controller(const struct child *c, void *arg)
{
	const struct round *round = arg;
	trace_id_t trid = round_stream(round);

	must(posix_trace_start(trid));
	hand(c);
	for (;;) {
		if (round->flushes)
			must(posix_trace_flush(trid));
		if (round->stops) {
			must(posix_trace_stop(trid));
			must(posix_trace_start(trid));
		}
		if (!round->flushes)
			sleep_us(2000);
	}
}

static void draw_round(struct round *round)
{
	static const int policies[] = {
		POSIX_TRACE_FLUSH, POSIX_TRACE_FLUSH, POSIX_TRACE_LOOP,
		POSIX_TRACE_UNTIL_FULL,
	};
	static const int log_policies[] = {
		POSIX_TRACE_APPEND, POSIX_TRACE_APPEND, POSIX_TRACE_LOOP,
		POSIX_TRACE_UNTIL_FULL,
	};

	round->fd = log_file();
	round->policy = policies[draw(4)];
	round->log_policy = log_policies[draw(4)];
	round->stream_size = draw(2) ? 8192 : 1 << 20;
	round->flushes = draw(3) == 0;
	round->stops = draw(4) == 0;
}

/*
 * The log
 */

/* What was seen of a log. */
struct seen {
	unsigned int last[THREADS];
	bool gap[THREADS];	/* told since then */
	unsigned int slack[THREADS];	/* see see_start() */
	bool waiting;		/* the system has stopped the stream */
	size_t events;
	size_t users;
	size_t gaps;
};

/* An event of a thread: whole, and the next one unless a gap was told. */
static bool see_numbered(struct seen *seen, const struct ev *ev)
{
	struct numbered data;
	unsigned int last;

	if (ev->len != sizeof(data))
		return false;
	memcpy(&data, ev->data, sizeof(data));
	if (data.check != check_of(&data) || data.thread >= THREADS)
		return false;
	last = seen->last[data.thread];
	if (data.number <= last)
		return false;
	if (last && data.number != last + 1 && !seen->gap[data.thread] &&
	    !seen->slack[data.thread])
		return false;
	if (seen->slack[data.thread])
		seen->slack[data.thread]--;
	seen->last[data.thread] = data.number;
	seen->gap[data.thread] = false;
	seen->users++;
	return true;
}

static void see_gap(struct seen *seen)
{
	unsigned int i;

	seen->gaps++;
	for (i = 0; i < THREADS; i++)
		seen->gap[i] = true;
}

/*
 * An event that was under way when the stream was stopped may come right behind
 * START, and the next ones not, since posix_trace_start() has not told the
 * process yet that they are wanted again.
 */
static void see_start(struct seen *seen, const struct round *round)
{
	unsigned int i;

	seen->waiting = false;
	for (i = 0; round->stops && i < THREADS; i++)
		seen->slack[i] = 2;
}

/* False: this event can't be. */
static bool see(struct seen *seen, const struct round *round,
		const struct ev *ev)
{
	seen->events++;
	switch (letter_of(ev)) {
	case 'u':
		return see_numbered(seen, ev);
	case 'X':
		seen->waiting = true;
		if (round->policy == POSIX_TRACE_UNTIL_FULL)
			see_gap(seen);
		return true;
	case 'T':
		/* Nothing is recorded from here to the next START. */
		if (round->stops)
			see_gap(seen);
		return true;
	case 'O':
		see_gap(seen);
		return round->policy != POSIX_TRACE_UNTIL_FULL;
	case 'S':
		see_start(seen, round);
		return true;
	default:
		return true;
	}
}

static void print_numbered(const struct seen *seen, const struct ev *ev)
{
	struct numbered data;
	unsigned int i;

	if (ev->len != sizeof(data))
		return;
	memcpy(&data, ev->data, sizeof(data));
	printf("# number %u of thread %u; last were", data.number, data.thread);
	for (i = 0; i < THREADS; i++)
		printf(" %u", seen->last[i]);
	printf(" of %zu, with %zu gaps\n", seen->users, seen->gaps);
}

/* Read all of it; false if something is wrong, which is said. */
static bool look_through(trace_id_t log, const struct round *round,
			 struct seen *seen)
{
	struct ev ev;

	memset(seen, 0, sizeof(*seen));
	while (log_next(log, &ev)) {
		if (see(seen, round, &ev))
			continue;
		printf("# event %zu, of type %u, is wrong\n", seen->events,
		       ev.info.posix_event_id);
		print_numbered(seen, &ev);
		return false;
	}
	return true;
}

/* Is the log as complete as can be? @done: numbers that are recorded for sure. */
static bool is_complete(const struct round *round,
			const unsigned int done[THREADS])
{
	struct posix_trace_status_info status;
	struct posix_trace_log_info_np info;
	trace_id_t log = opened(round->fd);
	struct seen seen;
	bool all, ok;
	unsigned int i;

	ok = look_through(log, round, &seen);
	must(posix_trace_get_log_info_np(log, &info));
	status = status_of(log);
	must(posix_trace_close(log));
	if (!info.posix_finished || info.posix_damaged || info.posix_missing) {
		printf("# finished %d, damaged %llu, missing %llu\n",
		       info.posix_finished,
		       (unsigned long long)info.posix_damaged,
		       (unsigned long long)info.posix_missing);
		ok = false;
	}
	/* OVERFLOW and RESUME of a LOOP stream are made for the log. */
	all = status.posix_log_full_status == POSIX_TRACE_NOT_FULL;
	if (all && round->policy != POSIX_TRACE_LOOP &&
	    seen.events != info.posix_counters.posix_recorded) {
		printf("# %zu events of %llu\n", seen.events,
		       (unsigned long long)info.posix_counters.posix_recorded);
		ok = false;
	}
	/* The STOP of a full log is no gap. */
	if (all && !info.posix_counters.posix_lost &&
	    !info.posix_counters.posix_overwritten && seen.gaps &&
	    !round->stops) {
		printf("# gaps, but nothing is lost\n");
		ok = false;
	}
	for (i = 0; i < THREADS; i++) {
		/* Of one that had no CPU for long a log that loops has none. */
		bool has_last = all || (round->log_policy == POSIX_TRACE_LOOP &&
					seen.last[i]);

		if (seen.last[i] > round->shared->begun[i] ||
		    (done && has_last && !seen.waiting && !seen.gap[i] &&
		     seen.last[i] < done[i])) {
			printf("# thread %u ends with %u, not %u to %u\n", i,
			       seen.last[i], done ? done[i] : 0,
			       round->shared->begun[i]);
			ok = false;
		}
	}
	return ok;
}

static void print_round(const struct round *round, unsigned int nr)
{
	printf("# round %u: policies %d and %d, size %zu%s%s\n", nr,
	       round->policy, round->log_policy, round->stream_size,
	       round->flushes ? ", flushes" : "",
	       round->stops ? ", stops" : "");
}

FIXTURE(log_kill) {
	struct shared *shared;
	struct child target;
	struct round round;
};

FIXTURE_SETUP(log_kill)
{
	begin_random();
	self->shared = mmap(NULL, sizeof(*self->shared), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	must_be(self->shared != MAP_FAILED);
	child_start(&self->target, be_target, self->shared);
	await(&self->target);
	self->round = (struct round){
		.shared = self->shared,
		.target = self->target.pid,
	};
}

FIXTURE_TEARDOWN(log_kill)
{
}

/* Recorded by each thread while the stream is known to run, at the latest. */
static bool snapshot(const struct round *round,
		     const unsigned int before[THREADS],
		     unsigned int done[THREADS])
{
	unsigned int i;

	for (i = 0; i < THREADS; i++) {
		done[i] = round->shared->done[i];
		/* That one may have been under way when it was started. */
		if (done[i] <= before[i] + 1)
			done[i] = 0;
	}
	return !round->stops;
}

static void note_begun(const struct round *round, unsigned int begun[THREADS])
{
	unsigned int i;

	for (i = 0; i < THREADS; i++)
		begun[i] = round->shared->begun[i];
}

/* The controller ends at a random moment, after it has started the stream. */
TEST_F(log_kill, killed_controller_leaves_a_complete_log)
{
	unsigned int before[THREADS], done[THREADS], i, n = kills();
	struct child controller;
	bool sure;

	for (i = 0; i < n; i++) {
		draw_round(&self->round);
		self->shared->record = true;
		child_start(&controller, be_controller, &self->round);
		await(&controller);
		note_begun(&self->round, before);
		sleep_us(draw(LONGEST));
		sure = snapshot(&self->round, before, done);
		EXPECT_EQ(128 + SIGKILL, child_kill(&controller));
		EXPECT_TRUE(is_complete(&self->round, sure ? done : NULL))
			print_round(&self->round, i);
		self->shared->record = false;
		close(self->round.fd);
	}
	self->shared->quit = true;
	EXPECT_EQ(0, child_end(&self->target));
}

/* At any moment: there is no log, or one that is complete. */
TEST_F(log_kill, controller_killed_at_once_leaves_no_half_log)
{
	unsigned int i, n = kills();
	struct child controller;
	trace_id_t log;

	for (i = 0; i < n; i++) {
		draw_round(&self->round);
		self->shared->record = true;
		child_start(&controller, be_controller, &self->round);
		sleep_us(draw(5000));
		EXPECT_EQ(128 + SIGKILL, child_kill(&controller));
		if (!posix_trace_open(self->round.fd, &log)) {
			must(posix_trace_close(log));
			EXPECT_TRUE(is_complete(&self->round, NULL))
				print_round(&self->round, i);
		}
		self->shared->record = false;
		close(self->round.fd);
	}
}

/* The target ends at a random moment; its events stay. */
TEST_F(log_kill, killed_target_loses_no_event)
{
	unsigned int before[THREADS], done[THREADS], i, n = kills();
	trace_id_t trid;
	bool sure;

	for (i = 0; i < n; i++) {
		draw_round(&self->round);
		self->round.stops = false;
		self->shared->record = true;
		trid = round_stream(&self->round);
		must(posix_trace_start(trid));
		note_begun(&self->round, before);
		sleep_us(draw(LONGEST));
		if (self->round.flushes)
			EXPECT_EQ(0, posix_trace_flush(trid));
		sure = snapshot(&self->round, before, done);
		EXPECT_EQ(128 + SIGKILL, child_kill(&self->target));
		EXPECT_EQ(0, posix_trace_shutdown(trid));
		EXPECT_TRUE(is_complete(&self->round, sure ? done : NULL))
			print_round(&self->round, i);
		close(self->round.fd);
		/* The next one counts anew. */
		memset(self->shared, 0, sizeof(*self->shared));
		child_start(&self->target, be_target, self->shared);
		await(&self->target);
		self->round.target = self->target.pid;
	}
}

static int flush_and_wait(const struct child *c, void *arg)
{
	trace_event_id_t u = open_event("u");
	trace_id_t trid = running_log(NULL, *(int *)arg);

	record_nums(u, 1, 100);
	must(posix_trace_flush(trid));
	hand(c);
	await(c);
	return 0;
}

/* A-452 [S]: what was flushed before the kill is in the log */
TEST(A452_flushed_events_survive_the_kill)
{
	struct contents seen;
	int fd = log_file();
	struct child c;

	child_start(&c, flush_and_wait, &fd);
	await(&c);
	EXPECT_EQ(128 + SIGKILL, child_kill(&c));
	seen = contents_of(fd);
	EXPECT_NUMBERS(1, 100, seen);
	EXPECT_STREQ("SufgT", seen.story);
	EXPECT_TRUE(seen.info.posix_finished);
}

TEST_HARNESS_MAIN
