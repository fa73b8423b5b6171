// SPDX-License-Identifier: GPL-2.0-only
/*
 * Targets that change who they are while they are traced. As with
 * perf_event_open(2), who was allowed to trace goes on until another program is
 * executed, and who comes now is asked for what is now.
 */
#include "family_test.h"
#include "role_test.h"

#define USER	1000
#define OTHER	2000

/* What a member is told, in order.arg. */
enum task {
	BECOME_USER,		/* USER, and dumpable */
	DROP,			/* USER, and no more */
	BECOME_ROOT_OF_NS,	/* of a user namespace with two users */
	BECOME_OTHER,		/* the second of them */
	THREAD_BECOMES_OTHER,	/* a thread alone, which serves on: its tid */
	HIDE,			/* be not dumpable */
	SHOW,
	ASK_THREAD,		/* that thread calls getppid(), and records */
};

FIXTURE(credentials) {
	struct family f;
	struct child owner;	/* of USER: a stream on member 0, inherited */
};

static int to_thread[2], from_thread[2];

/* One of the target's threads; its user is changed by the bare system call. */
static void *be_other(void *arg)
{
	trace_event_id_t id = open_event("u");
	long tid = syscall(SYS_gettid);
	char sign;

	must_be(!syscall(SYS_setresuid, 1, 1, 1));
	for (;;) {
		must_be(write(from_thread[1], &tid, sizeof(tid)) ==
			sizeof(tid));
		if (read(to_thread[0], &sign, 1) != 1)
			return NULL;
		syscall(SYS_getppid);
		member_record(id);
	}
}

static long hear_from_thread(void)
{
	long tid;

	must_be(read(from_thread[0], &tid, sizeof(tid)) == sizeof(tid));
	return tid;
}

static long make_other_thread(void)
{
	pthread_t thread;

	must_be(!pipe(to_thread) && !pipe(from_thread));
	must(pthread_create(&thread, NULL, be_other, NULL));
	return hear_from_thread();
}

static long obey(int nr, const struct order *order)
{
	switch (order->arg) {
	case BECOME_USER:
		return become_user(USER);
	case DROP:
		return setresgid(USER, USER, USER) ||
		       setresuid(USER, USER, USER) ? errno : 0;
	case BECOME_ROOT_OF_NS:
		return unshare(CLONE_NEWUSER) ? errno : 0;
	case BECOME_OTHER:
		return setresuid(1, 1, 1) ? errno : 0;
	case THREAD_BECOMES_OTHER:
		return make_other_thread();
	case HIDE:
		return prctl(PR_SET_DUMPABLE, 0) ? errno : 0;
	case SHOW:
		return prctl(PR_SET_DUMPABLE, 1) ? errno : 0;
	case ASK_THREAD:
		must_be(write(to_thread[1], "", 1) == 1);
		return hear_from_thread();
	}
	return -1;
}

static long let(struct family *f, int nr, enum task what)
{
	return family_do(f, nr,
			 (struct order){ .deed = DO_OTHER, .arg = what });
}

/* The users 0 and 1 of the namespace that @pid has made. */
static void map_users(pid_t pid)
{
	static const char map[] = "0 1000 1\n1 2000 1\n";
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/uid_map", pid);
	write_to(path, map);
	snprintf(path, sizeof(path), "/proc/%d/gid_map", pid);
	write_to(path, map);
}

static pid_t pid_of(const struct family *f, int nr)
{
	return f->m[nr].c.pid;
}

/* What the owner is asked, and its answer: events since it was asked before. */
struct answer {
	size_t events;		/* of one process or, if told, thread */
	size_t calls;		/* of getppid() */
	size_t user_events;
	int again;		/* result of a new creation */
};

static struct answer describe(struct collection all, pid_t pid, pid_t tid)
{
	const struct kernel_event *ev;
	struct answer answer = { };

	for_each_event(ev, all) {
		if (ev->record.event_id < POSIXTRACE_EV_KERNEL ||
		    ev->record.pid != pid || (tid && ev->record.tid != tid))
			continue;
		answer.events++;
		answer.calls += is_enter(ev, SYS_getppid);
		answer.user_events += !is_kernel_event(ev);
	}
	return answer;
}

struct question {
	pid_t pid, tid;
};

static int be_owner(const struct child *c, void *arg)
{
	pid_t target = *(pid_t *)arg;
	struct question q;
	struct answer answer;
	int device, err;
	struct raw raw;

	must(become_user(USER));
	device = device_open();
	err = try_create(device, target);
	put(c, &err, sizeof(err));
	if (err)
		return 0;
	raw = inherited_stream(device, target, CALL_EVENTS | LIFE_EVENTS);
	hand(c);
	for (;;) {
		get(c, &q, sizeof(q));
		answer = describe(collect(raw), q.pid, q.tid);
		answer.again = try_create(device, q.pid);
		put(c, &answer, sizeof(answer));
	}
	return 0;
}

static struct answer ask(const struct child *owner, pid_t pid, pid_t tid)
{
	struct question q = { pid, tid };
	struct answer answer;

	put(owner, &q, sizeof(q));
	get(owner, &answer, sizeof(answer));
	return answer;
}

/* Start the owner; 0, or the error number that it got. */
static int start_owner(struct child *owner, pid_t pid)
{
	int err;

	child_start(owner, be_owner, &pid);
	get(owner, &err, sizeof(err));
	if (!err)
		await(owner);
	return err;
}

FIXTURE_SETUP(credentials)
{
	if (geteuid())
		SKIP(return, "needs root");
	family_start(&self->f);
	/* Member 1 remains root. */
	family_fork(&self->f, 0, 1);
	must(let(&self->f, 0, BECOME_USER));
}

FIXTURE_TEARDOWN(credentials)
{
	family_disband(&self->f);
	if (self->owner.pid)
		child_kill(&self->owner);
}

#define EXPECT_TRACED(nr) do {						\
	trace_event_id_t id = family_open(&self->f, nr, "u");		\
	struct answer acted;						\
									\
	ask(&self->owner, pid_of(&self->f, nr), 0);			\
	family_call(&self->f, nr, 3);					\
	family_record(&self->f, nr, id);				\
	acted = ask(&self->owner, pid_of(&self->f, nr), 0);		\
	EXPECT_EQ(3, acted.calls);					\
	EXPECT_EQ(1, acted.user_events);				\
} while (0)

/* The answer to one who wants to trace member @nr now. */
#define EXPECT_NEW(answer, nr) do {					\
	EXPECT_EQ(answer, ask(&self->owner, pid_of(&self->f, nr), 0).again);	\
	EXPECT_EQ(0, try_create(self->f.device, pid_of(&self->f, nr)));	\
} while (0)

TEST_F(credentials, target_that_hides_goes_on_being_traced)
{
	ASSERT_EQ(0, start_owner(&self->owner, pid_of(&self->f, 0)));
	EXPECT_TRACED(0);
	EXPECT_NEW(0, 0);
	ASSERT_EQ(0, let(&self->f, 0, HIDE));
	EXPECT_NEW(EPERM, 0);
	EXPECT_TRACED(0);
	/* So do the children that it makes. */
	family_fork(&self->f, 0, 2);
	EXPECT_NEW(EPERM, 2);
	EXPECT_TRACED(2);
	ASSERT_EQ(0, let(&self->f, 0, SHOW));
	EXPECT_NEW(0, 0);
	EXPECT_NEW(EPERM, 2);
	EXPECT_TRACED(0);
}

/* Another program is asked for what it is, not for what its process was. */
TEST_F(credentials, program_of_a_target_that_was_hidden_is_traced)
{
	ASSERT_EQ(0, start_owner(&self->owner, pid_of(&self->f, 0)));
	ASSERT_EQ(0, let(&self->f, 0, HIDE));
	EXPECT_NEW(EPERM, 0);
	ASSERT_EQ(0, family_exec(&self->f, 0, ""));
	EXPECT_NEW(0, 0);
	EXPECT_TRACED(0);
}

TEST_F(credentials, target_that_is_hidden_cannot_be_traced)
{
	ASSERT_EQ(0, let(&self->f, 0, HIDE));
	EXPECT_EQ(EPERM, start_owner(&self->owner, pid_of(&self->f, 0)));
	EXPECT_EQ(0, try_create(self->f.device, pid_of(&self->f, 0)));
}

/* Make member 0 root of a user namespace that has the users 0 and 1. */
#define BECOME_NS_ROOT() do {						\
	int ns_err = let(&self->f, 0, BECOME_ROOT_OF_NS);		\
									\
	if (ns_err)							\
		SKIP(return, "no user namespaces: %s", strerror(ns_err)); \
	map_users(pid_of(&self->f, 0));					\
} while (0)

TEST_F(credentials, target_that_enters_a_user_namespace_goes_on)
{
	ASSERT_EQ(0, start_owner(&self->owner, pid_of(&self->f, 0)));
	BECOME_NS_ROOT();
	EXPECT_TRACED(0);
	family_fork(&self->f, 0, 2);
	EXPECT_TRACED(2);
}

TEST_F(credentials, thread_that_becomes_another_user_goes_on)
{
	struct answer seen;
	pid_t pid, tid;

	pid = pid_of(&self->f, 0);
	BECOME_NS_ROOT();
	ASSERT_EQ(0, start_owner(&self->owner, pid));
	EXPECT_NEW(0, 0);
	tid = let(&self->f, 0, THREAD_BECOMES_OTHER);
	ASSERT_LT(0, tid);
	EXPECT_NEW(EPERM, 0);
	ask(&self->owner, pid, tid);
	EXPECT_EQ(tid, let(&self->f, 0, ASK_THREAD));
	seen = ask(&self->owner, pid, tid);
	EXPECT_EQ(1, seen.calls);
	EXPECT_EQ(1, seen.user_events);
	/* And so do the others. */
	EXPECT_TRACED(0);
}

TEST_F(credentials, process_that_becomes_another_user_goes_on)
{
	BECOME_NS_ROOT();
	ASSERT_EQ(0, start_owner(&self->owner, pid_of(&self->f, 0)));
	ASSERT_EQ(0, let(&self->f, 0, BECOME_OTHER));
	EXPECT_NEW(EPERM, 0);
	EXPECT_TRACED(0);
	family_fork(&self->f, 0, 2);
	EXPECT_NEW(EPERM, 2);
	EXPECT_TRACED(2);
}

/* A root program that becomes an ordinary user is not at once that user's. */
TEST_F(credentials, target_that_gives_up_privilege_is_hidden_at_first)
{
	pid_t pid = pid_of(&self->f, 1);

	ASSERT_EQ(0, let(&self->f, 1, DROP));
	EXPECT_EQ(EPERM, start_owner(&self->owner, pid));
	EXPECT_EQ(0, child_end(&self->owner));
	self->owner.pid = 0;
	ASSERT_EQ(0, let(&self->f, 1, SHOW));
	EXPECT_EQ(0, start_owner(&self->owner, pid));
}

/*
 * An owner that gives up its privilege keeps what it has, as with a descriptor.
 */
static int be_falling_owner(const struct child *c, void *arg)
{
	pid_t target = *(pid_t *)arg;
	struct collection all;
	struct raw raw;
	int device, err;

	device = device_open();
	raw = inherited_stream(device, target, CALL_EVENTS);
	must(become_user(OTHER));
	err = try_create(device, target);
	put(c, &err, sizeof(err));
	await(c);
	all = stop_and_collect(raw);
	err = (int)count_calls(all, target, SYS_getppid);
	put(c, &err, sizeof(err));
	return 0;
}

TEST_F(credentials, owner_that_gives_up_privilege_keeps_its_stream)
{
	pid_t pid = pid_of(&self->f, 0);
	struct child owner;
	int answer;

	child_start(&owner, be_falling_owner, &pid);
	get(&owner, &answer, sizeof(answer));
	EXPECT_EQ(EPERM, answer);
	family_call(&self->f, 0, 5);
	ASSERT_EQ(0, family_exec(&self->f, 0, ""));
	family_call(&self->f, 0, 2);
	hand(&owner);
	get(&owner, &answer, sizeof(answer));
	EXPECT_EQ(7, answer);
	EXPECT_EQ(0, child_end(&owner));
}

TEST_HARNESS_MAIN
