// SPDX-License-Identifier: GPL-2.0-only
/*
 * Families of traced processes that come and go: nothing of them is missed, and
 * nothing remains.
 */
#include "family_test.h"

#define CHILDREN	20
#define GRANDCHILDREN	9	/* of each child */
#define EVENTS		3	/* of each of them */
#define FORKS		2000	/* enough to notice what is not given back */
#define FORKS_DEBUG	200	/* likewise, by kmemleak */

FIXTURE(inherit_life) {
	trace_event_id_t u;
	struct family f;
	trace_attr_t attr;	/* POSIX_TRACE_INHERITED */
};

static long obey(int nr, const struct order *order)
{
	return -1;
}

FIXTURE_SETUP(inherit_life)
{
	self->u = open_event("u");
	family_start(&self->f);
	must(posix_trace_attr_init(&self->attr));
	must(posix_trace_attr_setinherited(&self->attr, POSIX_TRACE_INHERITED));
}

FIXTURE_TEARDOWN(inherit_life)
{
	family_disband(&self->f);
}

static bool is_confined(struct family *f, int nr)
{
	struct order order = { .deed = DO_CONFINE };

	return !family_do(f, nr, order);
}

static pid_t pid_of(const struct family *f, int nr)
{
	return f->m[nr].c.pid;
}

/*
 * The first event
 */

/* Children that record at once, without a look at anything else before. */
static int make_recorders(const struct child *c, void *arg)
{
	trace_event_id_t id = *(trace_event_id_t *)arg;
	int i;

	await(c);
	for (i = 0; i < 100; i++) {
		pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

		if (!pid) {
			posix_trace_event(id, &i, sizeof(i));
			syscall(SYS_exit, 0);
		}
		must_be(waitpid(pid, NULL, 0) == pid);
		put(c, &pid, sizeof(pid));
	}
	return 0;
}

TEST_F(inherit_life, what_a_child_does_first_is_there)
{
	trace_id_t trid;
	struct child c;
	struct ev ev;
	pid_t pid;
	int i;

	child_start(&c, make_recorders, &self->u);
	trid = stream_on(c.pid, &self->attr);
	must(posix_trace_start(trid));
	hand(&c);
	EXPECT_NEXT(POSIX_TRACE_START, trid, &ev);
	for (i = 0; i < 100; i++) {
		get(&c, &pid, sizeof(pid));
		EXPECT_NEXT(self->u, trid, &ev);
		EXPECT_EQ(i, ev_int(&ev));
		EXPECT_EQ(pid, ev.info.posix_pid);
	}
	EXPECT_EMPTY(trid);
	EXPECT_EQ(0, child_end(&c));
}

/* Not even the return from the system call that made it is missed. */
TEST_F(inherit_life, a_child_begins_with_its_return_from_clone)
{
	struct posixtrace_syscall_exit data;
	const struct kernel_event *ev;
	struct collection all;
	struct raw raw;

	raw = inherited_stream(self->f.device, pid_of(&self->f, 0),
			       CALL_EVENTS);
	family_fork(&self->f, 0, 1);
	all = stop_and_collect(raw);
	ev = find_event(all, NULL, ALL_EVENTS, pid_of(&self->f, 1));
	ASSERT_NE(NULL, ev);
	ASSERT_TRUE(is_exit(ev, SYS_clone));
	data = DATA(struct posixtrace_syscall_exit, ev);
	EXPECT_EQ(0, data.ret);
}

/* Nor that it was made runnable; and its parent has spoken of it before. */
TEST_F(inherit_life, a_child_begins_with_its_wakeup)
{
	const struct kernel_event *ev;
	struct posixtrace_fork data;
	struct collection all;
	struct raw raw;

	raw = inherited_stream(self->f.device, pid_of(&self->f, 0), ALL_EVENTS);
	family_fork(&self->f, 0, 1);
	all = stop_and_collect(raw);
	EXPECT_EQ(1, count_events(all, EVENT(FORK), 0));
	ev = find_event(all, NULL, EVENT(FORK), pid_of(&self->f, 0));
	ASSERT_NE(NULL, ev);
	data = DATA(struct posixtrace_fork, ev);
	EXPECT_EQ(pid_of(&self->f, 1), data.pid);
	EXPECT_EQ(pid_of(&self->f, 1), data.tid);
	EXPECT_LT(ev, find_event(all, NULL, ALL_EVENTS, pid_of(&self->f, 1)));
	ev = find_event(all, NULL, ALL_EVENTS, pid_of(&self->f, 1));
	EXPECT_EQ(POSIXTRACE_EV_SCHED_WAKEUP, ev->record.event_id);
	ev = find_event(all, ev, ALL_EVENTS, pid_of(&self->f, 1));
	EXPECT_EQ(POSIXTRACE_EV_SCHED_IN, ev->record.event_id);
}

/*
 * A tree
 */

static void record_some(trace_event_id_t id)
{
	int i;

	for (i = 0; i < EVENTS; i++)
		posix_trace_event(id, &i, sizeof(i));
}

static void be_grandparent(trace_event_id_t id)
{
	int i;

	record_some(id);
	for (i = 0; i < GRANDCHILDREN; i++) {
		if (!fork()) {
			record_some(id);
			_exit(i);
		}
	}
	while (wait(NULL) > 0)
		;
	_exit(0);
}

/* All children, and theirs, at the same time. */
static int make_tree(const struct child *c, void *arg)
{
	int i;

	await(c);
	for (i = 0; i < CHILDREN; i++)
		if (!fork())
			be_grandparent(*(trace_event_id_t *)arg);
	while (wait(NULL) > 0)
		;
	hand(c);
	await(c);
	return 0;
}

/* True if @pid has its events in their order, and its exit is the last one. */
static bool is_complete(struct collection all, pid_t pid, trace_event_id_t id)
{
	const struct kernel_event *ev;
	bool ended = false;
	int n = 0, i;

	for_each_event(ev, all) {
		if (ev->record.pid != pid)
			continue;
		if (ended)
			return false;
		ended = ev->record.event_id == POSIXTRACE_EV_EXIT;
		if (ev->record.event_id != id)
			continue;
		memcpy(&i, ev->data, sizeof(i));
		if (i != n++)
			return false;
	}
	return ended && n == EVENTS;
}

TEST_F(inherit_life, nobody_in_a_tree_is_missed)
{
	const struct kernel_event *ev = NULL;
	struct posixtrace_fork data;
	struct collection all;
	struct child c;
	struct raw raw;

	child_start(&c, make_tree, &self->u);
	raw = inherited_stream(self->f.device, c.pid, LIFE_EVENTS);
	hand(&c);
	await(&c);
	all = stop_and_collect(raw);
	EXPECT_EQ(CHILDREN * (1 + GRANDCHILDREN),
		  count_events(all, EVENT(FORK), 0));
	EXPECT_EQ(CHILDREN * (1 + GRANDCHILDREN),
		  count_events(all, EVENT(EXIT), 0));
	EXPECT_EQ(CHILDREN, count_events(all, EVENT(FORK), c.pid));
	/* With START and STOP that is all. */
	EXPECT_EQ(2 + CHILDREN * (1 + GRANDCHILDREN) * (2 + EVENTS), all.nr);
	while ((ev = find_event(all, ev, EVENT(FORK), 0))) {
		data = DATA(struct posixtrace_fork, ev);
		EXPECT_EQ(data.pid, data.tid);
		EXPECT_TRUE(is_complete(all, data.pid, self->u))
			TH_LOG("process %d", data.pid);
		EXPECT_LT(ev, find_event(all, NULL, EVENT(EXIT), data.pid));
	}
	hand(&c);
	EXPECT_EQ(0, child_end(&c));
}

/*
 * Who ends first
 */

/* The process that the stream was made for may be the first to end. */
TEST_F(inherit_life, family_outlives_its_first_process)
{
	struct posix_trace_counters_np counters;
	trace_id_t trid;
	struct ev ev;
	int i;

	trid = stream_on(pid_of(&self->f, 0), &self->attr);
	must(posix_trace_start(trid));
	family_fork(&self->f, 0, 1);
	family_fork(&self->f, 1, 2);
	family_end(&self->f, 0);
	family_record(&self->f, 1, self->u);
	family_end(&self->f, 1);
	family_fork(&self->f, 2, 3);
	family_record(&self->f, 3, self->u);
	family_fork(&self->f, 3, 4);
	family_record(&self->f, 4, self->u);
	family_record(&self->f, 2, self->u);
	must(posix_trace_stop(trid));
	EXPECT_NEXT(POSIX_TRACE_START, trid, &ev);
	for (i = 0; i < 4; i++) {
		EXPECT_NEXT(self->u, trid, &ev);
		EXPECT_EQ(pid_of(&self->f, (const int[]){ 1, 3, 4, 2 }[i]),
			  ev.info.posix_pid);
	}
	EXPECT_NEXT(POSIX_TRACE_STOP, trid, &ev);
	EXPECT_EQ(pid_of(&self->f, 0), ev.info.posix_pid);
	EXPECT_EMPTY(trid);
	must(posix_trace_get_counters_np(trid, &counters));
	EXPECT_EQ(0, counters.posix_missed_children);
	must(posix_trace_start(trid));
	family_record(&self->f, 4, self->u);
	EXPECT_EQ(1, drain_count(trid, self->u));
	EXPECT_EQ(0, posix_trace_shutdown(trid));
}

/* When all have ended, the stream is there as it was. */
TEST_F(inherit_life, stream_outlives_the_whole_family)
{
	trace_id_t trid;
	int i;

	trid = stream_on(pid_of(&self->f, 0), &self->attr);
	must(posix_trace_start(trid));
	for (i = 1; i < FAMILY; i++)
		family_fork(&self->f, i - 1, i);
	for (i = 0; i < FAMILY; i++) {
		family_record(&self->f, i, self->u);
		family_end(&self->f, i);
	}
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, trid);
	EXPECT_EQ(FAMILY, drain_count(trid, self->u));
	EXPECT_EQ(0, posix_trace_stop(trid));
	EXPECT_EQ(0, posix_trace_shutdown(trid));
}

/*
 * The end of the stream, while the family lives. Its trace points must not call
 * the kernel any more: it is seccomp(2) that would notice.
 */

enum ending {
	STOPPED,
	FILTERED,
	SHUT_DOWN,
	CLOSED,
	OWNER_KILLED,
	GOES_ON,		/* here they are expected to call */
};

FIXTURE(gates) {
	trace_event_id_t u;
	struct family f;
};

FIXTURE_VARIANT(gates) {
	enum ending ending;
};

FIXTURE_VARIANT_ADD(gates, stopped) { .ending = STOPPED };

FIXTURE_VARIANT_ADD(gates, filtered) { .ending = FILTERED };

FIXTURE_VARIANT_ADD(gates, shut_down) { .ending = SHUT_DOWN };

FIXTURE_VARIANT_ADD(gates, closed) { .ending = CLOSED };

FIXTURE_VARIANT_ADD(gates, owner_killed) { .ending = OWNER_KILLED };

FIXTURE_VARIANT_ADD(gates, goes_on) { .ending = GOES_ON };

FIXTURE_SETUP(gates)
{
	self->u = open_event("u");
	family_start(&self->f);
}

FIXTURE_TEARDOWN(gates)
{
	family_disband(&self->f);
}

struct job {
	pid_t pid;
	enum ending ending;
	trace_event_id_t id;
};

/* The owner of an inherited stream, which it ends in one way. */
static int be_owner(const struct child *c, void *arg)
{
	const struct job *job = arg;
	trace_attr_t attr;
	trace_id_t trid;
	int fd;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setinherited(&attr, POSIX_TRACE_INHERITED));
	trid = stream_on(job->pid, &attr);
	must(posix_trace_start(trid));
	must(posix_trace_get_fd_np(trid, &fd));
	hand(c);
	await(c);
	if (job->ending == STOPPED)
		must(posix_trace_stop(trid));
	if (job->ending == FILTERED)
		filter_out(trid, job->id);
	if (job->ending == SHUT_DOWN)
		must(posix_trace_shutdown(trid));
	if (job->ending == CLOSED)
		must_be(!close(fd));
	hand(c);
	await(c);
	return 0;
}

TEST_F(gates, of_a_family_are_shut_at_once)
{
	bool calls = variant->ending == GOES_ON;
	struct job job = {
		pid_of(&self->f, 0), variant->ending, self->u,
	};
	struct child owner;
	int i;

	child_start(&owner, be_owner, &job);
	await(&owner);
	/* A chain, and one whose parent has ended. */
	for (i = 1; i < FAMILY; i++)
		family_fork(&self->f, i - 1, i);
	family_end(&self->f, 2);
	for (i = 0; i < FAMILY; i++)
		if (i != 2)
			family_record(&self->f, i, self->u);
	for (i = 0; i < FAMILY; i++) {
		if (i != 2 && !is_confined(&self->f, i))
			SKIP(return, "no seccomp");
	}
	hand(&owner);
	await(&owner);
	if (variant->ending == OWNER_KILLED)
		child_kill(&owner);
	for (i = 0; i < FAMILY; i++) {
		if (i == 2)
			continue;
		EXPECT_EQ(calls ? DIED : 0,
			  family_record(&self->f, i, self->u))
			TH_LOG("member %d", i);
	}
	if (variant->ending != OWNER_KILLED)
		child_kill(&owner);
}

/* A child that is made when the stream is over has nothing of it, else all. */
TEST_F(gates, of_later_children_are_as_their_parents)
{
	bool calls = variant->ending == GOES_ON;
	struct job job = {
		pid_of(&self->f, 0), variant->ending, self->u,
	};
	struct child owner;

	child_start(&owner, be_owner, &job);
	await(&owner);
	family_fork(&self->f, 0, 1);
	family_record(&self->f, 1, self->u);
	hand(&owner);
	await(&owner);
	if (variant->ending == OWNER_KILLED)
		child_kill(&owner);
	family_fork(&self->f, 1, 2);
	/* Its first look is at its own page. */
	family_record(&self->f, 2, self->u);
	if (!is_confined(&self->f, 2))
		SKIP(return, "no seccomp");
	EXPECT_EQ(calls ? DIED : 0, family_record(&self->f, 2, self->u));
	if (variant->ending != OWNER_KILLED)
		child_kill(&owner);
}

/*
 * Memory
 */

/* Kernel memory in small objects that can't be taken back, in KiB. */
static long slab_now(void)
{
	FILE *f = fopen("/proc/meminfo", "re");
	char line[128];
	long kib = -1;

	must_be(f);
	while (kib < 0 && fgets(line, sizeof(line), f))
		if (!strncmp(line, "SUnreclaim:", 11))
			kib = atol(line + 11);
	fclose(f);
	must_be(kib > 0);
	return kib;
}

static bool is_debug_kernel(void)
{
	return !access("/sys/kernel/debug/kmemleak", F_OK);
}

static pid_t make_child(bool own_memory)
{
	pid_t pid = own_memory ? fork() : vfork();

	if (!pid)
		_exit(0);
	return pid;
}

static int make_many(const struct child *c, void *arg)
{
	int i, n;

	/* One after the other: that two processors take turns only costs time. */
	run_on(0);
	for (;;) {
		get(c, &n, sizeof(n));
		for (i = 0; i < n; i++) {
			/* Memory of its own is what makes a child expensive. */
			pid_t pid = make_child(i % 5 == 0);

			must_be(waitpid(pid, NULL, 0) == pid);
		}
		hand(c);
	}
	return 0;
}

static void let_fork(const struct child *c, int n)
{
	put(c, &n, sizeof(n));
	await(c);
}

/*
 * If anything remained, each time it would be 64 bytes of each child at the very
 * least. What the kernel itself keeps at hand grows to a limit; but not that of a
 * debug kernel, where kmemleak has the last word.
 */
TEST_F(inherit_life, nothing_remains_of_children_that_ended)
{
	const int forks = is_debug_kernel() ? FORKS_DEBUG : FORKS;
	const long least = forks * 64 / 1024;
	struct posixtrace_status status;
	long before, grown = least;
	struct child c;
	struct raw raw;
	int i;

	child_start(&c, make_many, NULL);
	raw = inherited_stream(self->f.device, c.pid, 0);
	for (i = 0; i < 6 && grown > least / 2; i++) {
		before = slab_now();
		let_fork(&c, forks);
		grown = is_debug_kernel() ? 0 : slab_now() - before;
	}
	EXPECT_GE(least / 2, grown);
	status = raw_peek(raw);
	EXPECT_EQ(0, status.missed_children);
	EXPECT_EQ(1, status.recorded);
	EXPECT_EQ(128 + SIGKILL, child_kill(&c));
}

TEST_HARNESS_MAIN
