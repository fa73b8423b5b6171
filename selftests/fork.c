// SPDX-License-Identifier: GPL-2.0-only
/*
 * fork, exec, the end of processes, threads (assertions, those
 * without logs, inheritance, and exec of an instrumented target).
 */
#include "abi_test.h"
#include "exec_test.h"

#define THREADS		4
#define FORKS		50
#define EVENTS		20

FIXTURE(fork) {
	int device;
	__u32 streams;		/* before the test makes some */
	trace_event_id_t u;
	struct child c;
};

FIXTURE_SETUP(fork)
{
	self->device = device_open();
	self->streams = streams_now(self->device);
	self->u = open_event("u");
}

FIXTURE_TEARDOWN(fork)
{
}

static int record_once(const struct child *c, void *arg)
{
	(void)c;
	record_num(*(trace_event_id_t *)arg, 1);
	return 0;
}

/* A-423 [S]: with CLOSE_FOR_CHILD a child is not traced */
TEST_F(fork, A423_child_is_not_traced)
{
	trace_id_t trid = running_stream();

	EXPECT_EQ(0, in_child(record_once, &self->u));
	EXPECT_EQ(0, drain_count(trid, self->u));
}

/* A-424 [S]: its parent still is */
TEST_F(fork, A424_parent_is_traced_after_the_fork)
{
	trace_id_t trid = running_stream();
	struct ev ev;

	EXPECT_EQ(0, in_child(record_once, &self->u));
	record_num(self->u, 2);
	ASSERT_TRUE(ev_find(trid, self->u, &ev));
	EXPECT_EQ(2, ev_num(&ev));
	EXPECT_EQ(getpid(), ev.info.posix_pid);
}

static int call_exit(const struct child *c, void *arg)
{
	(void)c;
	(void)arg;
	exit(0);
}

/* The stream is as it was, and records. */
#define EXPECT_ALIVE(trid, id) do {					\
	trace_event_id_t event = (id);					\
	trace_id_t alive = (trid);					\
									\
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,	\
		      POSIX_TRACE_NO_OVERRUN, alive);			\
	drain(alive);							\
	record_num(event, 1);						\
	EXPECT_EQ(1, drain_count(alive, event));			\
} while (0)

/* A-436 [S]: a child that exits takes nothing along */
TEST_F(fork, A436_stream_outlives_a_child_that_exits)
{
	trace_id_t trid = running_stream();

	EXPECT_EQ(0, in_child(call_exit, NULL));
	EXPECT_ALIVE(trid, self->u);
}

static int exec_plain(const struct child *c, void *arg)
{
	exec_again(c, arg);
	return 1;
}

/* A-437 [S]: nor does one that executes a program */
TEST_F(fork, A437_stream_outlives_a_child_that_execs)
{
	trace_id_t trid = running_stream();

	EXPECT_EQ(0, in_child(exec_plain, "end"));
	EXPECT_ALIVE(trid, self->u);
}

/* A child with a stream of its own, beside its parent's. */
static int control_own(const struct child *c, void *arg)
{
	trace_event_id_t id = *(trace_event_id_t *)arg;
	trace_id_t trid = running_stream();

	hand(c);
	await(c);
	record_num(id, 1);
	must_be(drain_count(trid, id) == 1);
	must(posix_trace_stop(trid));
	must(posix_trace_shutdown(trid));
	return 0;
}

/* A-438 [S]: a child may control streams of its own */
TEST_F(fork, A438_child_controls_a_stream_of_its_own)
{
	trace_id_t trid = running_stream();

	child_start(&self->c, control_own, &self->u);
	await(&self->c);
	EXPECT_ALIVE(trid, self->u);
	EXPECT_EQ(0, posix_trace_stop(trid));
	EXPECT_EQ(0, posix_trace_start(trid));
	hand(&self->c);
	EXPECT_EQ(0, child_end(&self->c));
	EXPECT_ALIVE(trid, self->u);
}

static int record_when_asked(const struct child *c, void *arg)
{
	trace_event_id_t id = *(trace_event_id_t *)arg;
	unsigned int n;

	for (n = 1;; n++) {
		await(c);
		record_num(id, n);
		hand(c);
	}
	return 0;
}

static void let_record(const struct child *c)
{
	hand(c);
	await(c);
}

/* A-439 [C-42]: identifiers stay good in the child */
TEST_F(fork, A439_child_has_a_copy_of_the_names)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_id_t trid;
	struct ev ev;

	child_start(&self->c, record_when_asked, &self->u);
	trid = stream_on(self->c.pid, NULL);
	must(posix_trace_start(trid));
	let_record(&self->c);
	ASSERT_TRUE(ev_find(trid, self->u, &ev));
	EXPECT_EQ(0, posix_trace_eventid_get_name(trid, ev.info.posix_event_id,
						  name));
	EXPECT_STREQ("u", name);
	EXPECT_EQ(self->c.pid, ev.info.posix_pid);
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->c));
}

/* A-439 [C-42]: it is a copy: later names are not shared */
TEST_F(fork, A439_names_opened_after_the_fork_are_not_shared)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_event_id_t id;
	trace_id_t trid;

	child_start(&self->c, record_when_asked, &self->u);
	trid = stream_on(self->c.pid, NULL);
	id = open_event("of the parent");
	EXPECT_EQ(EINVAL, posix_trace_eventid_get_name(trid, id, name));
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->c));
}

static atomic_bool done;

static void *record_always(void *arg)
{
	while (!done)
		record_num(*(trace_event_id_t *)arg, 1);
	return NULL;
}

static int open_and_record(const struct child *c, void *arg)
{
	(void)c;
	record_num(*(trace_event_id_t *)arg, 1);
	record_num(open_event("of the child"), 1);
	return 0;
}

/* A-440 [S]: a fork while threads record leaves no lock behind */
TEST_F(fork, A440_child_of_a_busy_process_is_not_stuck)
{
	pthread_t threads[THREADS];
	unsigned int i;

	running_stream();
	for (i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, record_always,
				    &self->u));
	for (i = 0; i < FORKS; i++)
		ASSERT_EQ(0, in_child(open_and_record, &self->u));
	done = true;
	for (i = 0; i < THREADS; i++)
		must(pthread_join(threads[i], NULL));
}

/*
 * The end of a controller
 */

struct plan {
	pid_t target;		/* 0: oneself */
	int streams;
	void (*end)(const struct child *c);
};

static void end_by_exit(const struct child *c)
{
	(void)c;
	exit(0);
}

static void end_by_exec(const struct child *c)
{
	exec_again(c, "stay");
}

static void end_by_waiting(const struct child *c)
{
	await(c);
}

/* A controller that makes streams, and then ends as planned. */
static int be_controller(const struct child *c, void *arg)
{
	const struct plan *plan = arg;
	trace_attr_t attr;
	int i;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setstreamsize(&attr, 0));
	for (i = 0; i < plan->streams; i++)
		must(posix_trace_start(stream_on(plan->target, &attr)));
	hand(c);
	await(c);
	plan->end(c);
	return 1;
}

/* The program that is executed: it ends at once, or stays, or records. */
static int after_exec(const struct child *c, const char *what)
{
	trace_event_id_t id;

	if (!strcmp(what, "end"))
		return 0;
	if (!strcmp(what, "record")) {
		id = open_event("u");
		record_num(id, 1);
		/* Nobody wants to know. */
		must_be(!gate_now(gate_map(device_open())).wanted);
	}
	hand(c);
	await(c);
	return 0;
}

/* A-445 [S]: a controller that execs has no streams any more */
TEST_F(fork, A445_streams_of_a_controller_end_when_it_execs)
{
	struct plan plan = { .streams = 3, .end = end_by_exec };
	struct child target;

	child_start(&target, record_when_asked, &self->u);
	plan.target = target.pid;
	child_start(&self->c, be_controller, &plan);
	await(&self->c);
	EXPECT_EQ(self->streams + 3, streams_now(self->device));
	hand(&self->c);
	await(&self->c);
	EXPECT_EQ(self->streams, streams_now(self->device));
	let_record(&target);
	EXPECT_EQ(128 + SIGKILL, child_kill(&target));
	hand(&self->c);
	EXPECT_EQ(0, child_end(&self->c));
}

static void end_by_exec_and_record(const struct child *c)
{
	exec_again(c, "record");
}

/* A-447 [S]: nor has one that traced itself */
TEST_F(fork, A447_self_stream_does_not_outlive_an_exec)
{
	struct plan plan = { .streams = 1, .end = end_by_exec_and_record };

	child_start(&self->c, be_controller, &plan);
	await(&self->c);
	EXPECT_EQ(self->streams + 1, streams_now(self->device));
	hand(&self->c);
	await(&self->c);
	EXPECT_EQ(self->streams, streams_now(self->device));
	hand(&self->c);
	EXPECT_EQ(0, child_end(&self->c));
}

/* A-448 [S]: an exec that fails changes nothing */
TEST_F(fork, A448_failing_exec_does_not_end_streams)
{
	trace_id_t trid = running_stream();

	EXPECT_EQ(-1, execl("/proc/self/nothing", "nothing", NULL));
	EXPECT_ALIVE(trid, self->u);
}

/* A-450 [S]: a controller that exits gives its places back */
TEST_F(fork, A450_places_are_free_when_the_controller_exits)
{
	struct plan plan = { .streams = 3, .end = end_by_exit };

	child_start(&self->c, be_controller, &plan);
	await(&self->c);
	EXPECT_EQ(self->streams + 3, streams_now(self->device));
	hand(&self->c);
	EXPECT_EQ(0, child_end(&self->c));
	EXPECT_EQ(self->streams, streams_now(self->device));
}

/* A-451 [S]: so does one that is killed */
TEST_F(fork, A451_places_are_free_when_the_controller_is_killed)
{
	struct plan plan = { .streams = 3, .end = end_by_waiting };

	child_start(&self->c, be_controller, &plan);
	await(&self->c);
	EXPECT_EQ(self->streams + 3, streams_now(self->device));
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->c));
	EXPECT_TRUE(wait_until(streams_now(self->device) == self->streams));
}

/* A-453 [S]: the target does not feel it */
TEST_F(fork, A453_target_goes_on_when_its_controller_is_killed)
{
	struct plan plan = { .streams = 3, .end = end_by_waiting };
	struct child target;
	trace_id_t trid;
	int i;

	child_start(&target, record_when_asked, &self->u);
	plan.target = target.pid;
	child_start(&self->c, be_controller, &plan);
	await(&self->c);
	let_record(&target);
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->c));
	for (i = 0; i < EVENTS; i++)
		let_record(&target);
	/* And it can be traced by another one. */
	trid = stream_on(target.pid, NULL);
	must(posix_trace_start(trid));
	let_record(&target);
	EXPECT_EQ(1, drain_count(trid, self->u));
	EXPECT_EQ(128 + SIGKILL, child_kill(&target));
}

/* A-465 [C-55]: all places are free when waitpid() tells of its end */
TEST_F(fork, A465_all_places_are_free_after_a_kill)
{
	int max = (int)sysconf(_SC_TRACE_SYS_MAX);
	struct rlimit files = { max + 64, max + 64 };
	struct plan plan = { .end = end_by_waiting };
	int i;

	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &files));
	plan.streams = max - (int)self->streams;
	for (i = 0; i < 2; i++) {
		child_start(&self->c, be_controller, &plan);
		await(&self->c);
		EXPECT_EQ((__u32)max, streams_now(self->device));
		EXPECT_EQ(EAGAIN, try_create(self->device, 0));
		EXPECT_EQ(128 + SIGKILL, child_kill(&self->c));
		EXPECT_EQ(self->streams, streams_now(self->device));
	}
}

/*
 * The end of a target
 */

static int record_and_end(const struct child *c, void *arg)
{
	unsigned int n;

	await(c);
	for (n = 1; n <= EVENTS; n++)
		record_num(*(trace_event_id_t *)arg, n);
	return 0;
}

/* A-454 [S]: the stream of a target that ended can be read */
TEST_F(fork, A454_events_of_a_target_that_exits_stay)
{
	trace_id_t trid;
	unsigned int n;
	struct ev ev;

	child_start(&self->c, record_and_end, &self->u);
	trid = stream_on(self->c.pid, NULL);
	must(posix_trace_start(trid));
	hand(&self->c);
	EXPECT_EQ(0, child_end(&self->c));
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, trid);
	EXPECT_NEXT(POSIX_TRACE_START, trid, &ev);
	for (n = 1; n <= EVENTS; n++) {
		EXPECT_NEXT(self->u, trid, &ev);
		EXPECT_EQ(n, ev_num(&ev));
		EXPECT_EQ(self->c.pid, ev.info.posix_pid);
	}
	EXPECT_EMPTY(trid);
	EXPECT_EQ(0, posix_trace_stop(trid));
	EXPECT_NEXT(POSIX_TRACE_STOP, trid, &ev);
	EXPECT_EQ(0, posix_trace_shutdown(trid));
}

/* What a target records without end: a number in each of the words. */
struct words {
	unsigned long word[8];
};

static int record_words(const struct child *c, void *arg)
{
	struct words words;
	unsigned long n;
	int i;

	(void)c;
	for (n = 0;; n++) {
		for (i = 0; i < 8; i++)
			words.word[i] = n;
		posix_trace_event(*(trace_event_id_t *)arg, &words,
				  sizeof(words));
	}
	return 0;
}

/* True if @ev is START or has one number in all its words. */
static bool is_whole(const struct ev *ev, trace_event_id_t id)
{
	struct words words;
	int i;

	if (ev->info.posix_event_id != id)
		return true;
	if (ev->len != sizeof(words))
		return false;
	memcpy(&words, ev->data, sizeof(words));
	for (i = 1; i < 8; i++)
		if (words.word[i] != words.word[0])
			return false;
	return true;
}

/* A-455 [S]: a target that is killed while it records leaves whole events */
TEST_F(fork, A455_events_of_a_target_that_is_killed_are_whole)
{
	unsigned int n;
	trace_id_t trid;
	struct ev ev;

	child_start(&self->c, record_words, &self->u);
	trid = stream_on(self->c.pid, NULL);
	must(posix_trace_start(trid));
	for (n = 0; n < EVENTS; n++) {
		ASSERT_EQ(0, ev_next(trid, &ev));
		EXPECT_TRUE(is_whole(&ev, self->u));
	}
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->c));
	while (ev_try(trid, &ev))
		EXPECT_TRUE(is_whole(&ev, self->u));
	EXPECT_EQ(0, posix_trace_shutdown(trid));
}

static void *record_in_thread(void *arg)
{
	record_num(*(trace_event_id_t *)arg, 1);
	return NULL;
}

/* A-459 [S]: threads made later are traced */
TEST_F(fork, A459_new_thread_is_traced)
{
	trace_id_t trid = running_stream();
	pthread_t thread;
	struct ev ev;

	must(pthread_create(&thread, NULL, record_in_thread, &self->u));
	must(pthread_join(thread, NULL));
	ASSERT_TRUE(ev_find(trid, self->u, &ev));
	EXPECT_EQ(getpid(), ev.info.posix_pid);
	EXPECT_NE(0, pthread_equal(thread, ev.info.posix_thread_id));
}

TEST_HARNESS_MAIN
