// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ways to make a process: an inherited stream follows each of them, and no
 * other stream does (assertions ).
 */
#include "kernel_test.h"
#include "exec_test.h"

#include <linux/sched.h>
#include <spawn.h>

/* How the target makes what records "u" once, and what that is. */
enum maker {
	FORK,
	FORK_EXEC,
	VFORK_EXEC,
	SPAWN,
	CLONE,			/* the bare call, without the C library */
	CLONE_MEMORY,		/* runs in the memory of its parent */
	CLONE_FILES_FS,		/* shares what else there is */
	CLONE_SIBLING,		/* a child of its parent's parent */
	CLONE_LIKE_VFORK,	/* the same, and the parent waits */
	CLONE_NEW,		/* clone3() */
	A_THREAD,
	A_BARE_THREAD,
	FROM_A_THREAD,
	AFTER_THE_LEADER,	/* by a thread when the first one has ended */
};

FIXTURE(inherit_spawn) {
	int device;
	struct child c;
	trace_id_t inherited, closed;
};

FIXTURE_VARIANT(inherit_spawn) {
	enum maker maker;
	bool process;		/* makes one, with a pid of its own */
};

FIXTURE_VARIANT_ADD(inherit_spawn, fork) { FORK, true };

FIXTURE_VARIANT_ADD(inherit_spawn, fork_and_exec) { FORK_EXEC, true };

FIXTURE_VARIANT_ADD(inherit_spawn, vfork_and_exec) { VFORK_EXEC, true };

FIXTURE_VARIANT_ADD(inherit_spawn, posix_spawn) { SPAWN, true };

FIXTURE_VARIANT_ADD(inherit_spawn, clone) { CLONE, true };

FIXTURE_VARIANT_ADD(inherit_spawn, clone_vm) { CLONE_MEMORY, true };

FIXTURE_VARIANT_ADD(inherit_spawn, clone_files_fs) { CLONE_FILES_FS, true };

FIXTURE_VARIANT_ADD(inherit_spawn, clone_parent) { CLONE_SIBLING, true };

FIXTURE_VARIANT_ADD(inherit_spawn, clone3) { CLONE_NEW, true };

FIXTURE_VARIANT_ADD(inherit_spawn, clone_vm_vfork) { CLONE_LIKE_VFORK, true };

FIXTURE_VARIANT_ADD(inherit_spawn, thread) { A_THREAD, false };

FIXTURE_VARIANT_ADD(inherit_spawn, clone_thread) { A_BARE_THREAD, false };

FIXTURE_VARIANT_ADD(inherit_spawn, fork_by_a_thread) { FROM_A_THREAD, true };

FIXTURE_VARIANT_ADD(inherit_spawn, fork_after_the_leader) {
	AFTER_THE_LEADER, true
};

/* What is recorded: who does it, and by which name. */
struct say {
	pid_t pid;
	pid_t tid;
};

static trace_event_id_t u;

static void record_say(trace_event_id_t id)
{
	struct say say = {
		(pid_t)syscall(SYS_getpid), (pid_t)syscall(SYS_gettid),
	};

	posix_trace_event(id, &say, sizeof(say));
}

/* The program that is executed. */
static int after_exec(const struct child *c, const char *what)
{
	record_say(open_event("u"));
	return 0;
}

/*
 * Who is made with the memory of its parent has its stack, too: it returns from
 * nothing, and uses no more of the C library than system calls.
 */
static char stack[65536];

static int record_cloned(void *arg)
{
	record_say(u);
	return 0;
}

static pid_t make_clone(int flags)
{
	pid_t pid = clone(record_cloned, stack + sizeof(stack), flags, NULL);

	must_be(pid > 0);
	return pid;
}

static pid_t make_bare(unsigned long flags)
{
	pid_t pid = (pid_t)syscall(SYS_clone, flags, 0, 0, 0, 0);

	if (!pid) {
		record_say(u);
		syscall(SYS_exit, 0);
	}
	return pid;
}

static pid_t make_new(unsigned long flags)
{
	struct clone_args args = { .flags = flags, .exit_signal = SIGCHLD };
	pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof(args));

	if (!pid) {
		record_say(u);
		syscall(SYS_exit, 0);
	}
	return pid;
}

static pid_t make_spawned(const struct child *c)
{
	char arg[64], *argv[] = { "after_exec", NULL }, *envp[] = { arg, NULL };
	pid_t pid;

	snprintf(arg, sizeof(arg), AFTER_EXEC "=%d %d", c->in, c->out);
	must(posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, envp));
	return pid;
}

static pid_t make_vforked(const struct child *c)
{
	char arg[64], *argv[] = { "after_exec", NULL }, *envp[] = { arg, NULL };
	pid_t pid;

	snprintf(arg, sizeof(arg), AFTER_EXEC "=%d %d", c->in, c->out);
	pid = vfork();
	if (!pid) {
		execve("/proc/self/exe", argv, envp);
		_exit(1);
	}
	return pid;
}

static pid_t make_forked(const struct child *c, bool exec)
{
	pid_t pid = fork();

	if (!pid) {
		if (exec)
			exec_again(c, "");
		record_say(u);
		_exit(0);
	}
	return pid;
}

static void *record_in_thread(void *arg)
{
	record_say(u);
	return NULL;
}

static void make_thread(void)
{
	pthread_t thread;

	must(pthread_create(&thread, NULL, record_in_thread, NULL));
	must(pthread_join(thread, NULL));
}

/* A thread that the C library knows nothing of. */
static void make_bare_thread(void)
{
	static pid_t alive;

	alive = 1;
	must_be(clone(record_cloned, stack + sizeof(stack),
		      CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
		      CLONE_THREAD | CLONE_SYSVSEM | CLONE_CHILD_CLEARTID |
		      CLONE_PARENT_SETTID, NULL, &alive, NULL, &alive) > 0);
	must_be(wait_until(!__atomic_load_n(&alive, __ATOMIC_SEQ_CST)));
}

static void *fork_in_thread(void *arg)
{
	return (void *)(intptr_t)make_forked(NULL, false);
}

static pid_t make_by_thread(void)
{
	pthread_t thread;
	void *pid;

	must(pthread_create(&thread, NULL, fork_in_thread, NULL));
	must(pthread_join(thread, &pid));
	return (pid_t)(intptr_t)pid;
}

static pid_t make(const struct child *c, enum maker maker)
{
	switch (maker) {
	case FORK:
		return make_forked(c, false);
	case FORK_EXEC:
		return make_forked(c, true);
	case VFORK_EXEC:
		return make_vforked(c);
	case SPAWN:
		return make_spawned(c);
	case CLONE:
		return make_bare(SIGCHLD);
	case CLONE_MEMORY:
		return make_clone(CLONE_VM | SIGCHLD);
	case CLONE_FILES_FS:
		return make_bare(CLONE_FILES | CLONE_FS | SIGCHLD);
	case CLONE_SIBLING:
		return make_bare(CLONE_PARENT | SIGCHLD);
	case CLONE_NEW:
		return make_new(0);
	case CLONE_LIKE_VFORK:
		return make_clone(CLONE_VM | CLONE_VFORK | SIGCHLD);
	case A_THREAD:
		make_thread();
		return getpid();
	case A_BARE_THREAD:
		make_bare_thread();
		return getpid();
	default:
		return make_by_thread();
	}
}

static void *make_when_alone(void *arg)
{
	const struct child *c = arg;
	pid_t pid;

	must_be(wait_until(thread_state(getpid()) == 'Z'));
	pid = make_forked(c, false);
	must_be(waitpid(pid, NULL, 0) == pid);
	put(c, &pid, sizeof(pid));
	await(c);
	_exit(0);
}

static int be_target(const struct child *c, void *arg)
{
	enum maker maker = *(enum maker *)arg;
	pthread_t thread;
	pid_t pid;

	u = open_event("u");
	hand(c);
	await(c);
	if (maker == AFTER_THE_LEADER) {
		must(pthread_create(&thread, NULL, make_when_alone, (void *)c));
		syscall(SYS_exit, 0);
	}
	pid = make(c, maker);
	must_be(pid > 0);
	if (pid != getpid() && maker != CLONE_SIBLING)
		must_be(waitpid(pid, NULL, 0) == pid);
	put(c, &pid, sizeof(pid));
	await(c);
	return 0;
}

FIXTURE_SETUP(inherit_spawn)
{
	enum maker maker = variant->maker;
	trace_attr_t attr;

	self->device = device_open();
	child_start(&self->c, be_target, &maker);
	await(&self->c);
	self->closed = stream_on(self->c.pid, NULL);
	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setinherited(&attr, POSIX_TRACE_INHERITED));
	self->inherited = stream_on(self->c.pid, &attr);
	must(posix_trace_start(self->closed));
	must(posix_trace_start(self->inherited));
}

FIXTURE_TEARDOWN(inherit_spawn)
{
	hand(&self->c);
	EXPECT_EQ(0, child_end(&self->c));
}

/* Let the target make it, and wait until that has recorded. */
#define LET_MAKE(pid) do {						\
	hand(&self->c);							\
	get(&self->c, &(pid), sizeof(pid));				\
	if (variant->maker == CLONE_SIBLING)				\
		ASSERT_EQ(pid, waitpid(pid, NULL, 0));			\
} while (0)

static trace_event_id_t name_of(trace_id_t trid, const char *name)
{
	trace_event_id_t id;

	must(posix_trace_trid_eventid_open(trid, name, &id));
	return id;
}

/* A-456, A-464 [C-64]: what is made is traced, if the stream is inherited */
TEST_F(inherit_spawn, A456_A464_is_followed)
{
	trace_event_id_t id = name_of(self->inherited, "u");
	struct say say;
	struct ev ev;
	pid_t pid;

	LET_MAKE(pid);
	EXPECT_NEXT(POSIX_TRACE_START, self->inherited, &ev);
	EXPECT_NEXT(id, self->inherited, &ev);
	ASSERT_EQ(sizeof(say), ev.len);
	memcpy(&say, ev.data, sizeof(say));
	EXPECT_EQ(pid, ev.info.posix_pid);
	EXPECT_EQ(pid, say.pid);
	EXPECT_EQ(say.tid, ev.info.posix_tid_np);
	EXPECT_EQ(variant->process, pid != self->c.pid);
	if (!variant->process)
		EXPECT_NE(pid, say.tid);
	EXPECT_EMPTY(self->inherited);
}

/* A-457 [S]: and not, if it is closed for children; threads are none */
TEST_F(inherit_spawn, A457_is_not_followed_by_a_closed_stream)
{
	trace_event_id_t id = name_of(self->closed, "u");
	pid_t pid;

	LET_MAKE(pid);
	EXPECT_EQ(!variant->process, drain_count(self->closed, id));
}

/*
 * The kernel events of the same
 */

FIXTURE(spawned) {
	int device;
	struct child c;
	trace_event_id_t u;
};

FIXTURE_SETUP(spawned)
{
	self->device = device_open();
	self->u = open_event("u");
}

FIXTURE_TEARDOWN(spawned)
{
}

/* What posix_spawn() makes is there from its first system call on. */
TEST_F(spawned, A456_program_is_seen_from_the_spawn_to_its_exit)
{
	enum maker maker = SPAWN;
	const struct kernel_event *ev;
	struct posixtrace_fork made;
	struct posixtrace_exit ended;
	struct collection all;
	struct raw raw;
	pid_t pid;

	child_start(&self->c, be_target, &maker);
	await(&self->c);
	raw = inherited_stream(self->device, self->c.pid,
			       LIFE_EVENTS | CALL_EVENTS);
	hand(&self->c);
	get(&self->c, &pid, sizeof(pid));
	all = stop_and_collect(raw);
	ASSERT_EQ(1, count_events(all, EVENT(FORK), 0));
	ev = find_event(all, NULL, EVENT(FORK), self->c.pid);
	made = DATA(struct posixtrace_fork, ev);
	EXPECT_EQ(pid, made.pid);
	EXPECT_EQ(1, count_events(all, EVENT(EXEC), pid));
	EXPECT_EQ(1, count_calls(all, pid, SYS_execve));
	EXPECT_EQ(1, count_events(all, EVENT(EXIT), pid));
	ev = find_event(all, NULL, EVENT(EXIT), pid);
	ended = DATA(struct posixtrace_exit, ev);
	EXPECT_EQ(0, ended.status);
	EXPECT_EQ(NULL, find_event(all, ev, ALL_EVENTS, pid));
	hand(&self->c);
	EXPECT_EQ(0, child_end(&self->c));
}

/* A-458 [S]: a program that the controller spawns takes nothing along */
TEST_F(spawned, A458_streams_of_a_controller_outlive_what_it_spawns)
{
	struct child none = { .in = 0, .out = 1 };
	trace_id_t trid = running_stream();
	pid_t pid = make_spawned(&none);
	int status;

	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, trid);
	EXPECT_EQ(1, drain(trid));
	record_num(self->u, 1);
	EXPECT_EQ(1, drain_count(trid, self->u));
	EXPECT_EQ(0, posix_trace_stop(trid));
	EXPECT_EQ(0, posix_trace_shutdown(trid));
}

TEST_HARNESS_MAIN
