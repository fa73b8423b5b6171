// SPDX-License-Identifier: GPL-2.0-only
/*
 * A child that inherited a stream executes a program that the owner of the
 * stream may not trace: not one event of it or of what it makes is for that
 * owner, of whatever kind, while the rest of the family goes on being traced
 * (assertion A-461).
 */
#include "family_test.h"
#include "role_test.h"

#include <sys/xattr.h>

#define USER	1000
#define GROUP	2000
#define OWNER	1001		/* of the stream, if it has CAP_SYS_PTRACE */

/* Owner and mode of a program, a copy of this one. */
struct image {
	uid_t owner;
	gid_t group;
	mode_t mode;
	bool capability;	/* has CAP_NET_RAW */
	bool hidden;		/* who has no privilege may not see it */
};

FIXTURE(setuid_child) {
	char program[64];
	struct family f;	/* of USER; 1 executes, 2 does not */
};

FIXTURE_VARIANT(setuid_child) {
	struct image image;
};

FIXTURE_VARIANT_ADD(setuid_child, ordinary) { { .mode = 0755 } };

FIXTURE_VARIANT_ADD(setuid_child, set_user_id) {
	{ .mode = 04755, .hidden = true }
};

FIXTURE_VARIANT_ADD(setuid_child, set_user_id_to_itself) {
	{ .owner = USER, .mode = 04755 }
};

FIXTURE_VARIANT_ADD(setuid_child, set_group_id) {
	{ .group = GROUP, .mode = 02755, .hidden = true }
};

FIXTURE_VARIANT_ADD(setuid_child, file_capability) {
	{ .mode = 0755, .capability = true, .hidden = true }
};

FIXTURE_VARIANT_ADD(setuid_child, unreadable) {
	{ .mode = 0111, .hidden = true }
};

/* What a member is told, in order.arg. */
enum task {
	BECOME_USER,
	ACT,			/* all that there is a kernel event for */
};

static pid_t thread_tid;

static void *end_at_once(void *arg)
{
	thread_tid = (pid_t)syscall(SYS_gettid);
	return NULL;
}

static void touch_memory(void)
{
	char *page = mmap(NULL, page_size(), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must_be(page != MAP_FAILED);
	__atomic_store_n(page, 1, __ATOMIC_SEQ_CST);
}

/* System calls, sleep, signals, faults, threads, children, user events. */
static long act(void)
{
	trace_event_id_t id = open_event("of the program");
	pthread_t thread;
	pid_t pid;

	member_record(id);
	member_record(POSIX_TRACE_UNNAMED_USEREVENT);
	syscall(SYS_getppid);
	pause_ms(1);
	on_signal(SIGUSR1, count_signal, SA_RESTART);
	must_be(!raise(SIGUSR1));
	touch_memory();
	must(pthread_create(&thread, NULL, end_at_once, NULL));
	must(pthread_join(thread, NULL));
	/* It is joined a little before it ends. */
	must_be(wait_until(!thread_state(thread_tid)));
	pid = fork();
	if (!pid) {
		syscall(SYS_getppid);
		_exit(0);
	}
	must_be(waitpid(pid, NULL, 0) == pid);
	return pid;
}

static long obey(int nr, const struct order *order)
{
	if (order->arg == BECOME_USER)
		return become_user(USER);
	return act();
}

static long let(struct family *f, int nr, enum task what)
{
	return family_do(f, nr,
			 (struct order){ .deed = DO_OTHER, .arg = what });
}

/* 0, or the error number if the file system knows no capabilities. */
static int give_capability(const char *path)
{
	struct vfs_cap_data cap = {
		.magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE,
		.data[0].permitted = 1U << CAP_NET_RAW,
	};

	return setxattr(path, "security.capability", &cap, sizeof(cap), 0) ?
	       errno : 0;
}

FIXTURE_SETUP(setuid_child)
{
	const struct image *image = &variant->image;
	int err;

	if (geteuid())
		SKIP(return, "needs root");
	snprintf(self->program, sizeof(self->program), "/tmp/setuid_child.%d",
		 getpid());
	copy_self(self->program, image->owner, image->group, image->mode);
	err = image->capability ? give_capability(self->program) : 0;
	if (err)
		SKIP(return, "no capabilities of files: %s", strerror(err));
	family_start(&self->f);
	must(let(&self->f, 0, BECOME_USER));
}

FIXTURE_TEARDOWN(setuid_child)
{
	unlink(self->program);
	family_disband(&self->f);
}

static pid_t pid_of(const struct family *f, int nr)
{
	return f->m[nr].c.pid;
}

/*
 * The owner: a process of another user than the test, which holds the streams
 * and counts what they have recorded.
 */

/* What the owner is asked, and its answer: events of one process. */
struct question {
	pid_t pid;		/* 0: of any */
	pid_t but;		/* other than this */
};

struct answer {
	size_t events;
	size_t user_events;
	size_t forks;
	__u64 types;		/* of the kernel events */
	__u64 types_of_exec;	/* of those after execve(2) was called */
	struct kernel_event last;
};

struct owner_job {
	pid_t pid;
	bool privileged;
};

static struct answer describe(struct collection all, struct question q)
{
	const struct kernel_event *ev;
	struct answer answer = { };
	bool called = false;

	for_each_event(ev, all) {
		if (ev->record.event_id < POSIXTRACE_EV_UNNAMED)
			continue;
		if (q.pid ? ev->record.pid != q.pid : ev->record.pid == q.but)
			continue;
		answer.events++;
		answer.user_events += !is_kernel_event(ev);
		answer.forks += matches(ev, EVENT(FORK), 0);
		if (is_kernel_event(ev))
			answer.types |= 1ULL << ev->record.event_id;
		if (is_kernel_event(ev) && called)
			answer.types_of_exec |= 1ULL << ev->record.event_id;
		called |= is_enter(ev, SYS_execve);
		answer.last = *ev;
	}
	return answer;
}

/* Answers questions about what was recorded since the last hand(). */
static int be_owner(const struct child *c, void *arg)
{
	const struct owner_job *job = arg;
	struct collection all = { };
	struct question question;
	struct answer answer;
	struct raw raw;

	if (job->privileged)
		must(become_ptracer(OWNER));
	else
		must(become_user(USER));
	raw = inherited_stream(device_open(), job->pid, ALL_EVENTS);
	hand(c);
	for (;;) {
		get(c, &question, sizeof(question));
		if (question.pid < 0) {
			free(all.list);
			all = collect(raw);
			hand(c);
			continue;
		}
		answer = describe(all, question);
		put(c, &answer, sizeof(answer));
	}
	return 0;
}

static void take(const struct child *owner)
{
	struct question question = { .pid = -1 };

	put(owner, &question, sizeof(question));
	await(owner);
}

static struct answer ask(const struct child *owner, pid_t pid)
{
	struct question question = { .pid = pid };
	struct answer answer;

	put(owner, &question, sizeof(question));
	get(owner, &answer, sizeof(answer));
	return answer;
}

static struct answer ask_others(const struct child *owner, pid_t but)
{
	struct question question = { .but = but };
	struct answer answer;

	put(owner, &question, sizeof(question));
	get(owner, &answer, sizeof(answer));
	return answer;
}

/* All kernel events that act() makes of the process that acts. */
#define ACTS	(CALL_EVENTS | SCHED_EVENTS | SIGNAL_EVENTS | EVENT(FORK) | \
		 EVENT(THREAD_EXIT) | EVENT(PAGE_FAULT))

/* Member @nr acts, and that is seen; what it is to the owner does not matter. */
#define EXPECT_TRACED(owner, nr) do {					\
	struct answer acted;						\
	pid_t made;							\
									\
	made = let(&self->f, nr, ACT);					\
	ASSERT_LT(0, made);						\
	take(owner);							\
	acted = ask(owner, pid_of(&self->f, nr));			\
	EXPECT_EQ(ACTS, acted.types & ACTS)				\
		TH_LOG("%llx", acted.types);				\
	EXPECT_EQ(2, acted.user_events);				\
	EXPECT_EQ(2, acted.forks);					\
	acted = ask(owner, made);					\
	EXPECT_EQ(POSIXTRACE_EV_EXIT, acted.last.record.event_id);	\
} while (0)

/* It acts, and is sent a signal, and there is nothing of anybody. */
#define EXPECT_NOT_TRACED(owner, nr) do {				\
	struct answer acted;						\
									\
	take(owner);							\
	ASSERT_LT(0, let(&self->f, nr, ACT));				\
	ASSERT_EQ(0, kill(pid_of(&self->f, nr), SIGWINCH));		\
	take(owner);							\
	acted = ask_others(owner, 0);					\
	EXPECT_EQ(0, acted.events)					\
		TH_LOG("%d: %d", acted.last.record.pid,			\
		       acted.last.record.event_id);			\
} while (0)

/* A-461 [C-63]: who may not trace the program sees nothing of it */
TEST_F(setuid_child, A461_program_is_hidden_from_an_owner_without_privilege)
{
	struct owner_job job = { .pid = pid_of(&self->f, 0) };
	bool hidden = variant->image.hidden;
	struct answer seen;
	struct child owner;

	child_start(&owner, be_owner, &job);
	await(&owner);
	family_fork(&self->f, 0, 1);
	family_fork(&self->f, 0, 2);
	EXPECT_TRACED(&owner, 1);
	EXPECT_TRACED(&owner, 2);
	ASSERT_EQ(0, family_exec(&self->f, 1, self->program));
	take(&owner);
	seen = ask(&owner, pid_of(&self->f, 1));
	if (!hidden) {
		EXPECT_NE(0, seen.types & EVENT(EXEC));
		EXPECT_TRACED(&owner, 1);
	} else {
		/* All ends with the call, which itself is of the old one. */
		EXPECT_NE(0, seen.types & EVENT(SYSCALL_ENTER));
		EXPECT_EQ(0, seen.types_of_exec & ~SCHED_EVENTS);
		EXPECT_EQ(0, seen.user_events);
		EXPECT_NOT_TRACED(&owner, 1);
		/* Its children are as it is, whatever they execute. */
		family_fork(&self->f, 1, 3);
		EXPECT_NOT_TRACED(&owner, 3);
		ASSERT_EQ(0, family_exec(&self->f, 3, ""));
		EXPECT_NOT_TRACED(&owner, 3);
		family_end(&self->f, 3);
		take(&owner);
		EXPECT_EQ(0, ask_others(&owner, 0).events);
	}
	/* The others are as before, and so are their children. */
	EXPECT_TRACED(&owner, 2);
	EXPECT_TRACED(&owner, 0);
	family_fork(&self->f, 2, 4);
	EXPECT_TRACED(&owner, 4);
	family_end(&self->f, 1);
	take(&owner);
	EXPECT_EQ(!hidden, ask(&owner, pid_of(&self->f, 1)).events > 0);
	EXPECT_TRACED(&owner, 0);
	child_kill(&owner);
}

/* With CAP_SYS_PTRACE it is all there. */
TEST_F(setuid_child, program_is_seen_by_an_owner_with_privilege)
{
	struct owner_job job = {
		.pid = pid_of(&self->f, 0), .privileged = true,
	};
	struct answer seen;
	struct child owner;

	child_start(&owner, be_owner, &job);
	await(&owner);
	family_fork(&self->f, 0, 1);
	ASSERT_EQ(0, family_exec(&self->f, 1, self->program));
	take(&owner);
	seen = ask(&owner, pid_of(&self->f, 1));
	EXPECT_NE(0, seen.types & EVENT(EXEC));
	EXPECT_TRACED(&owner, 1);
	family_fork(&self->f, 1, 3);
	EXPECT_TRACED(&owner, 3);
	family_end(&self->f, 1);
	take(&owner);
	seen = ask(&owner, pid_of(&self->f, 1));
	EXPECT_EQ(POSIXTRACE_EV_EXIT, seen.last.record.event_id);
	child_kill(&owner);
}

/* The stream can go, and come again for those who may be traced. */
TEST_F(setuid_child, program_is_hidden_from_a_new_stream_too)
{
	struct owner_job job = { .pid = pid_of(&self->f, 0) };
	struct child owner;

	family_fork(&self->f, 0, 1);
	ASSERT_EQ(0, family_exec(&self->f, 1, self->program));
	child_start(&owner, be_owner, &job);
	await(&owner);
	EXPECT_NOT_TRACED(&owner, 1);
	EXPECT_TRACED(&owner, 0);
	child_kill(&owner);
}

TEST_HARNESS_MAIN
