// SPDX-License-Identifier: GPL-2.0-only
/*
 * Families that live in several pid and user namespaces: each owner reads
 * numbers of its own namespace, and 0 for what it does not see; root of a user
 * namespace is root of what is in there.
 */
#include "family_test.h"
#include "role_test.h"

#include <dirent.h>

#define USER		1000
#define SIGNAL		SIGUSR1

/* What a member is told, in order.arg. */
enum task {
	HANDLE,			/* SIGNAL */
	BLOCK,
	UNBLOCK,
	SEND,			/* SIGNAL to pid @nr, as it sees it */
	EUID,
};

static long block(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGNAL);
	return sigprocmask(how, &set, NULL) ? errno : 0;
}

static long obey(int nr, const struct order *order)
{
	switch (order->arg) {
	case HANDLE:
		on_signal(SIGNAL, count_signal, SA_RESTART);
		return 0;
	case BLOCK:
		return block(SIG_BLOCK);
	case UNBLOCK:
		return block(SIG_UNBLOCK);
	case SEND:
		return kill(order->nr, SIGNAL) ? errno : 0;
	case EUID:
		return geteuid();
	}
	return -1;
}

static long let(struct family *f, int nr, enum task what, pid_t pid)
{
	return family_do(f, nr, (struct order){
		.deed = DO_OTHER, .nr = pid, .arg = what,
	});
}

static pid_t pid_of(const struct family *f, int nr)
{
	return f->m[nr].c.pid;
}

/* What the first event of SIGNAL says; pid -1 if there is none. */
static struct posixtrace_signal_generate first_sent(struct collection all)
{
	const struct kernel_event *ev = NULL;
	struct posixtrace_signal_generate sent = { .pid = -1 };

	while ((ev = find_event(all, ev, EVENT(SIGNAL_GENERATE), 0))) {
		sent = DATA(struct posixtrace_signal_generate, ev);
		if (sent.signo == SIGNAL)
			return sent;
	}
	sent.pid = -1;
	return sent;
}

static struct posixtrace_signal_deliver first_taken(struct collection all)
{
	const struct kernel_event *ev = NULL;
	struct posixtrace_signal_deliver taken = { .pid = -1 };

	while ((ev = find_event(all, ev, EVENT(SIGNAL_DELIVER), 0))) {
		taken = DATA(struct posixtrace_signal_deliver, ev);
		if (taken.signo == SIGNAL)
			return taken;
	}
	taken.pid = -1;
	return taken;
}

/* Is it in an inner pid namespace, with number @inner there? */
static bool is_inner(const char *pid, pid_t inner)
{
	char path[300], line[256];
	int outer, number = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%s/status", pid);
	f = fopen(path, "re");
	if (!f)
		return false;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "NSpid: %d %d", &outer, &number) == 2)
			break;
	fclose(f);
	return number == inner;
}

/* The number here of process @inner of the only inner pid namespace. */
static pid_t outer_of(pid_t inner)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	pid_t pid = 0;

	must_be(proc);
	while (!pid && (entry = readdir(proc)))
		if (isdigit(entry->d_name[0]) && is_inner(entry->d_name, inner))
			pid = atoi(entry->d_name);
	closedir(proc);
	must_be(pid);
	return pid;
}

/*
 * Seen from outside: the test owns the streams. Member 0 is outside, member 1
 * is the first process of an inner namespace, 2 and 3 are its children.
 */

FIXTURE(outside) {
	struct family f;
	struct raw raw;
	trace_event_id_t u;
};

FIXTURE_SETUP(outside)
{
	struct order order = {
		.deed = DO_FORK, .nr = 1, .arg = CLONE_NEWPID | SIGCHLD,
	};
	int nr;
	pid_t pid;

	if (geteuid())
		SKIP(return, "needs root");
	self->u = open_event("u");
	family_start(&self->f);
	self->raw = inherited_stream(self->f.device, pid_of(&self->f, 0),
				     LIFE_EVENTS | SIGNAL_EVENTS);
	pid = family_do(&self->f, 0, order);
	if (pid < 0)
		SKIP(return, "no pid namespaces");
	ASSERT_EQ(1, family_welcome(&self->f, 1, pid));
	for (nr = 2; nr <= 3; nr++) {
		order = (struct order){ .deed = DO_FORK, .nr = nr };
		ASSERT_EQ(nr, family_do(&self->f, 1, order));
		ASSERT_EQ(nr, family_welcome(&self->f, nr, outer_of(nr)));
	}
}

FIXTURE_TEARDOWN(outside)
{
	family_disband(&self->f);
}

TEST_F(outside, child_in_a_new_namespace_is_followed)
{
	const struct kernel_event *ev = NULL;
	struct posixtrace_fork made;
	struct collection all;
	pid_t by;
	int nr;

	for (nr = 0; nr <= 3; nr++)
		family_record(&self->f, nr, self->u);
	all = collect(self->raw);
	EXPECT_EQ(3, count_events(all, EVENT(FORK), 0));
	for (nr = 1; nr <= 3; nr++) {
		ev = find_event(all, ev, EVENT(FORK), 0);
		ASSERT_NE(NULL, ev);
		by = pid_of(&self->f, nr == 1 ? 0 : 1);
		EXPECT_EQ(by, ev->record.pid);
		EXPECT_EQ(by, ev->record.tid);
		made = DATA(struct posixtrace_fork, ev);
		EXPECT_EQ(pid_of(&self->f, nr), made.pid);
		EXPECT_EQ(pid_of(&self->f, nr), made.tid);
	}
	/* What they say of themselves is another number. */
	for (nr = 0; nr <= 3; nr++) {
		pid_t said;

		ev++;
		EXPECT_EQ(self->u, ev->record.event_id);
		EXPECT_EQ(pid_of(&self->f, nr), ev->record.pid);
		EXPECT_EQ(pid_of(&self->f, nr), ev->record.tid);
		memcpy(&said, ev->data, sizeof(said));
		EXPECT_EQ(nr ? nr : pid_of(&self->f, 0), said);
	}
	EXPECT_EQ(all.list + all.nr, ev + 1);
}

TEST_F(outside, sender_inside_has_its_outer_number)
{
	struct collection all;

	must(let(&self->f, 2, HANDLE, 0));
	collect(self->raw);
	ASSERT_EQ(0, let(&self->f, 3, SEND, 2));
	family_call(&self->f, 2, 1);
	all = collect(self->raw);
	EXPECT_EQ(2, all.nr);
	EXPECT_EQ(pid_of(&self->f, 3), first_sent(all).pid);
	EXPECT_EQ(pid_of(&self->f, 3), first_taken(all).pid);
	EXPECT_EQ(pid_of(&self->f, 2), all.list[0].record.pid);
	EXPECT_EQ(pid_of(&self->f, 2), all.list[1].record.pid);
}

/* The target itself is told no number (si_pid). */
TEST_F(outside, sender_outside_is_known_outside)
{
	struct collection all;

	must(let(&self->f, 2, HANDLE, 0));
	collect(self->raw);
	ASSERT_EQ(0, let(&self->f, 0, SEND, pid_of(&self->f, 2)));
	family_call(&self->f, 2, 1);
	all = collect(self->raw);
	EXPECT_EQ(2, all.nr);
	EXPECT_EQ(pid_of(&self->f, 0), first_sent(all).pid);
	EXPECT_EQ(0, first_taken(all).pid);
}

/* Who has ended has no number any more but in its own namespace. */
TEST_F(outside, sender_that_is_gone_has_no_number)
{
	struct order wait = { .deed = DO_WAIT, .arg = 3 };
	struct collection all;

	must(let(&self->f, 2, HANDLE, 0));
	must(let(&self->f, 2, BLOCK, 0));
	collect(self->raw);
	ASSERT_EQ(0, let(&self->f, 3, SEND, 2));
	EXPECT_EQ(pid_of(&self->f, 3), first_sent(collect(self->raw)).pid);
	family_end(&self->f, 3);
	EXPECT_EQ(0, family_do(&self->f, 1, wait));
	ASSERT_EQ(0, let(&self->f, 2, UNBLOCK, 0));
	family_call(&self->f, 2, 1);
	all = collect(self->raw);
	EXPECT_EQ(SIGNAL, first_taken(all).signo);
	EXPECT_EQ(0, first_taken(all).pid);
}

TEST_F(outside, end_of_the_namespace_is_the_end_of_all)
{
	const struct kernel_event *ev;
	struct collection all;
	int nr;

	collect(self->raw);
	family_end(&self->f, 1);
	await_end(self->f.m[2].pidfd);
	await_end(self->f.m[3].pidfd);
	all = collect(self->raw);
	for (nr = 1; nr <= 3; nr++) {
		ev = find_event(all, NULL, EVENT(EXIT), pid_of(&self->f, nr));
		ASSERT_NE(NULL, ev);
		EXPECT_EQ(nr == 1 ? 0 : SIGKILL,
			  DATA(struct posixtrace_exit, ev).status);
		EXPECT_EQ(NULL, find_event(all, ev, ALL_EVENTS,
					   pid_of(&self->f, nr)));
	}
}

/*
 * Seen from inside: a process in the inner namespace owns the streams.
 */

FIXTURE(inside) {
	struct child c;
};

FIXTURE_VARIANT(inside) {
	bool user;		/* root of a user namespace only */
};

FIXTURE_VARIANT_ADD(inside, root) { };

FIXTURE_VARIANT_ADD(inside, user_namespace) { .user = true };

struct plan {
	bool user;
	pid_t outside;
	void (*fn)(const struct child *c, const struct plan *plan);
	const char *program;
};

/* Run the function of the plan as the first process of a pid namespace. */
static int enter(const struct child *c, void *arg)
{
	const struct plan *plan = arg;
	int status;
	pid_t pid;

	if (plan->user && become_ns_root(USER))
		return KSFT_SKIP;
	if (unshare(CLONE_NEWPID))
		return KSFT_SKIP;
	pid = fork();
	must_be(pid >= 0);
	if (!pid) {
		plan->fn(c, plan);
		_exit(0);
	}
	must_be(waitpid(pid, &status, 0) == pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

FIXTURE_SETUP(inside)
{
	if (geteuid())
		SKIP(return, "needs root");
}

FIXTURE_TEARDOWN(inside)
{
	int status = child_end(&self->c);

	if (status == KSFT_SKIP)
		SKIP(return, "no namespaces");
	EXPECT_EQ(0, status);
}

#define START(function, ...) do {					\
	struct plan start_plan = {					\
		.user = variant->user, .outside = getpid(),		\
		.fn = function, ##__VA_ARGS__,				\
	};								\
									\
	child_start(&self->c, enter, &start_plan);			\
} while (0)

/* A sibling is traced, with the numbers that both have in there. */
static void trace_sibling(const struct child *c, const struct plan *plan)
{
	const struct kernel_event *ev;
	struct collection all;
	struct family f;
	struct raw raw;

	must_be(getpid() == 1);
	family_start(&f);
	must_be(pid_of(&f, 0) == 2);
	raw = inherited_stream(f.device, 2, LIFE_EVENTS | SIGNAL_EVENTS);
	must_be(family_fork(&f, 0, 1) == 3);
	all = collect(raw);
	must_be(all.nr == 2 && all.list[0].record.pid == 2);
	ev = all.list + 1;
	must_be(ev->record.event_id == POSIXTRACE_EV_FORK);
	must_be(ev->record.pid == 2 && ev->record.tid == 2);
	must_be(DATA(struct posixtrace_fork, ev).pid == 3);
	must_be(DATA(struct posixtrace_fork, ev).tid == 3);
	must(let(&f, 1, HANDLE, 0));
	must(let(&f, 0, SEND, 3));
	family_call(&f, 1, 1);
	all = collect(raw);
	must_be(all.nr == 2 && all.list[0].record.pid == 3);
	must_be(first_sent(all).pid == 2 && first_taken(all).pid == 2);
	family_end(&f, 1);
	all = collect(raw);
	must_be(count_events(all, EVENT(EXIT), 3) == 1);
	family_disband(&f);
}

TEST_F(inside, sibling_is_traced_with_inner_numbers)
{
	START(trace_sibling);
}

/* Signals come from outside, from a process that has no number in there. */
static void trace_what_is_sent_from_outside(const struct child *c,
					    const struct plan *plan)
{
	struct collection all;
	struct family f;
	struct raw raw;

	family_start(&f);
	must(let(&f, 0, HANDLE, 0));
	raw = inherited_stream(f.device, 2, SIGNAL_EVENTS);
	hand(c);
	await(c);
	family_call(&f, 0, 1);
	all = collect(raw);
	must_be(all.nr == 3);
	must_be(first_sent(all).signo == SIGNAL && !first_sent(all).pid);
	must_be(first_taken(all).signo == SIGNAL && !first_taken(all).pid);
	family_disband(&f);
}

TEST_F(inside, sender_outside_has_no_number)
{
	char sign;

	START(trace_what_is_sent_from_outside);
	if (read(self->c.in, &sign, 1) != 1)
		return;
	EXPECT_EQ(0, kill(outer_of(2), SIGNAL));
	hand(&self->c);
}

/* Nobody there is who is outside, whatever number is tried. */
static void try_outside(const struct child *c, const struct plan *plan)
{
	int device = device_open();

	must_be(try_create(device, plan->outside) == ESRCH);
	must_be(try_create(device, 2) == ESRCH);
	must_be(try_create(device, 1) == 0);
	must_be(try_create(device, 0) == 0);
}

TEST_F(inside, outside_cannot_be_traced)
{
	START(try_outside);
}

/* A child, and what it executes. */
static void trace_child(const struct child *c, const struct plan *plan)
{
	struct collection all;
	struct family f;
	struct raw raw;

	family_start(&f);
	raw = inherited_stream(f.device, 2, CALL_EVENTS | LIFE_EVENTS);
	family_fork(&f, 0, 1);
	must_be(!family_exec(&f, 1, ""));
	family_call(&f, 1, 10);
	all = collect(raw);
	must_be(count_events(all, EVENT(EXEC), 3) == 1);
	must_be(count_calls(all, 3, SYS_getppid) == 10);
	must_be(!try_create(f.device, 3));
	family_disband(&f);
}

TEST_F(inside, child_is_traced)
{
	START(trace_child);
}

/*
 * A file of a user that is unknown in the user namespace: its set-user-ID bit
 * has no effect there, the program is an ordinary one.
 */
static void trace_set_user_id(const struct child *c, const struct plan *plan)
{
	struct collection all;
	struct family f;
	struct raw raw;

	family_start(&f);
	raw = inherited_stream(f.device, 2, CALL_EVENTS);
	family_fork(&f, 0, 1);
	must_be(!family_exec(&f, 1, plan->program));
	must_be(let(&f, 1, EUID, 0) == 0);
	family_call(&f, 1, 10);
	all = collect(raw);
	must_be(count_calls(all, 3, SYS_getppid) == 10);
	family_disband(&f);
}

TEST_F(inside, set_user_id_of_a_user_outside_has_no_effect)
{
	char program[64];
	char sign;

	snprintf(program, sizeof(program), "/tmp/namespaces.%d", getpid());
	copy_self(program, 0, 0, 04755);
	START(trace_set_user_id, .program = program);
	EXPECT_EQ(0, read(self->c.in, &sign, 1));
	unlink(program);
}

/*
 * A file that may be executed, but not read: what root of a user namespace may
 * not read it may not see at work either.
 */
static void trace_unreadable(const struct child *c, const struct plan *plan)
{
	struct collection all;
	struct family f;
	struct raw raw;
	int expected = plan->user ? 0 : 10;

	family_start(&f);
	raw = inherited_stream(f.device, 2, CALL_EVENTS);
	family_fork(&f, 0, 1);
	must_be(!family_exec(&f, 1, plan->program));
	family_call(&f, 1, 10);
	all = collect(raw);
	must_be(count_calls(all, 3, SYS_execve) == 1);
	must_be(count_calls(all, 3, SYS_getppid) == (size_t)expected);
	must_be(try_create(f.device, 3) == (plan->user ? EPERM : 0));
	/* The rest of the family is as before. */
	family_call(&f, 0, 5);
	all = collect(raw);
	must_be(count_calls(all, 2, SYS_getppid) == 5);
	family_disband(&f);
}

TEST_F(inside, unreadable_program_is_for_its_root_only)
{
	char program[64];
	char sign;

	snprintf(program, sizeof(program), "/tmp/namespaces.%d", getpid());
	copy_self(program, 0, 0, 0111);
	START(trace_unreadable, .program = program);
	EXPECT_EQ(0, read(self->c.in, &sign, 1));
	unlink(program);
}

TEST_HARNESS_MAIN
