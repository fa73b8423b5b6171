// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may trace whom: a controller of some kind tries each kind of target. The
 * answer is the kernel's own to the question whether the controller may read
 * the target's state (ptrace(2), PTRACE_MODE_READ).
 */
#include "abi_test.h"
#include "role_test.h"

#define USER	1000
#define OTHER	2000

/* What a process is. */
struct role {
	uid_t uid;
	bool ptrace;		/* has CAP_SYS_PTRACE and no other capability */
	bool user_ns;		/* is root in a user namespace of its own */
	bool hidden;		/* is not dumpable */
};

/* What has become of the target when it is tried. */
enum fate {
	LIVES,
	LEADER_ENDED,		/* its first thread; another one lives */
	ZOMBIE,
	GONE,
	KTHREAD,		/* it never was a process */
	ITSELF,			/* it is the controller */
};

/* Who tries whom, and the error number that it gets. */
struct trial {
	struct role controller;
	struct role target;
	enum fate fate;
	int answer;
};

FIXTURE(privilege) {
	int device;
};

FIXTURE_VARIANT(privilege) {
	struct trial trial;
};

#define ROOT		{ .uid = 0 }
#define ORDINARY	{ .uid = USER }
#define ELSE		{ .uid = OTHER }
#define ELSE_PTRACE	{ .uid = OTHER, .ptrace = true }
#define ORDINARY_PTRACE	{ .uid = USER, .ptrace = true }
#define NS_ROOT		{ .uid = USER, .user_ns = true }
#define HIDDEN		{ .uid = USER, .hidden = true }
#define HIDDEN_ROOT	{ .uid = 0, .hidden = true }

FIXTURE_VARIANT_ADD(privilege, same_user) {
	.trial = { ORDINARY, ORDINARY, LIVES, 0 },
};

FIXTURE_VARIANT_ADD(privilege, other_user) {
	.trial = { ORDINARY, ELSE, LIVES, EPERM },
};

FIXTURE_VARIANT_ADD(privilege, user_on_root) {
	.trial = { ORDINARY, ROOT, LIVES, EPERM },
};

FIXTURE_VARIANT_ADD(privilege, user_on_more_privileged) {
	.trial = { ORDINARY, ORDINARY_PTRACE, LIVES, EPERM },
};

FIXTURE_VARIANT_ADD(privilege, root_on_user) {
	.trial = { ROOT, ORDINARY, LIVES, 0 },
};

FIXTURE_VARIANT_ADD(privilege, root_on_root) {
	.trial = { ROOT, ROOT, LIVES, 0 },
};

FIXTURE_VARIANT_ADD(privilege, ptrace_on_other_user) {
	.trial = { ELSE_PTRACE, ORDINARY, LIVES, 0 },
};

FIXTURE_VARIANT_ADD(privilege, ptrace_on_root) {
	.trial = { ELSE_PTRACE, ROOT, LIVES, 0 },
};

FIXTURE_VARIANT_ADD(privilege, same_user_hidden) {
	.trial = { ORDINARY, HIDDEN, LIVES, EPERM },
};

FIXTURE_VARIANT_ADD(privilege, root_on_hidden) {
	.trial = { ROOT, HIDDEN, LIVES, 0 },
};

FIXTURE_VARIANT_ADD(privilege, ptrace_on_hidden) {
	.trial = { ELSE_PTRACE, HIDDEN, LIVES, 0 },
};

FIXTURE_VARIANT_ADD(privilege, user_on_hidden_root) {
	.trial = { ORDINARY, HIDDEN_ROOT, LIVES, EPERM },
};

FIXTURE_VARIANT_ADD(privilege, ns_root_on_same_user_outside) {
	.trial = { NS_ROOT, ORDINARY, LIVES, EPERM },
};

FIXTURE_VARIANT_ADD(privilege, ns_root_on_other_user_outside) {
	.trial = { NS_ROOT, ELSE, LIVES, EPERM },
};

FIXTURE_VARIANT_ADD(privilege, ns_root_on_root_outside) {
	.trial = { NS_ROOT, ROOT, LIVES, EPERM },
};

FIXTURE_VARIANT_ADD(privilege, root_on_ns_root) {
	.trial = { ROOT, NS_ROOT, LIVES, 0 },
};

FIXTURE_VARIANT_ADD(privilege, same_user_leader_ended) {
	.trial = { ORDINARY, ORDINARY, LEADER_ENDED, 0 },
};

FIXTURE_VARIANT_ADD(privilege, other_user_leader_ended) {
	.trial = { ORDINARY, ELSE, LEADER_ENDED, EPERM },
};

FIXTURE_VARIANT_ADD(privilege, root_leader_ended) {
	.trial = { ROOT, ORDINARY, LEADER_ENDED, 0 },
};

FIXTURE_VARIANT_ADD(privilege, hidden_leader_ended) {
	.trial = { ORDINARY, HIDDEN, LEADER_ENDED, EPERM },
};

FIXTURE_VARIANT_ADD(privilege, same_user_zombie) {
	.trial = { ORDINARY, ORDINARY, ZOMBIE, ESRCH },
};

FIXTURE_VARIANT_ADD(privilege, root_zombie) {
	.trial = { ROOT, ORDINARY, ZOMBIE, ESRCH },
};

FIXTURE_VARIANT_ADD(privilege, same_user_gone) {
	.trial = { ORDINARY, ORDINARY, GONE, ESRCH },
};

FIXTURE_VARIANT_ADD(privilege, root_gone) {
	.trial = { ROOT, ORDINARY, GONE, ESRCH },
};

FIXTURE_VARIANT_ADD(privilege, user_on_kthread) {
	.trial = { ORDINARY, ROOT, KTHREAD, EPERM },
};

FIXTURE_VARIANT_ADD(privilege, root_on_kthread) {
	.trial = { ROOT, ROOT, KTHREAD, EPERM },
};

FIXTURE_VARIANT_ADD(privilege, ptrace_on_kthread) {
	.trial = { ELSE_PTRACE, ROOT, KTHREAD, EPERM },
};

FIXTURE_VARIANT_ADD(privilege, user_on_itself) {
	.trial = { ORDINARY, ORDINARY, ITSELF, 0 },
};

FIXTURE_VARIANT_ADD(privilege, hidden_on_itself) {
	.trial = { HIDDEN, HIDDEN, ITSELF, 0 },
};

FIXTURE_VARIANT_ADD(privilege, root_on_itself) {
	.trial = { ROOT, ROOT, ITSELF, 0 },
};

FIXTURE_VARIANT_ADD(privilege, ns_root_on_itself) {
	.trial = { NS_ROOT, NS_ROOT, ITSELF, 0 },
};

FIXTURE_SETUP(privilege)
{
	if (geteuid())
		SKIP(return, "needs root");
	self->device = device_open();
}

FIXTURE_TEARDOWN(privilege)
{
}

static int become(const struct role *role)
{
	int err = 0;

	if (role->user_ns)
		err = become_ns_root(role->uid);
	else if (role->ptrace)
		err = become_ptracer(role->uid);
	else if (role->uid)
		err = become_user(role->uid);
	if (!err && role->hidden)
		must_be(!prctl(PR_SET_DUMPABLE, 0));
	return err;
}

/* State letter and flags of a process as in proc(5). */
static char process_state(pid_t pid, unsigned int *flags)
{
	char path[64], state = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	must_be(fscanf(f, "%*d (%*[^)]) %c %*d %*d %*d %*d %*d %u",
		       &state, flags) == 2);
	fclose(f);
	return state;
}

static bool is_zombie(pid_t pid)
{
	unsigned int flags;

	return process_state(pid, &flags) == 'Z';
}

static bool is_kthread(pid_t pid)
{
	unsigned int flags = 0;

	return process_state(pid, &flags) && flags & 0x200000; /* PF_KTHREAD */
}

static void *stay(void *arg)
{
	const struct child *c = arg;

	hand(c);
	await(c);
	_exit(0);
}

/* Become the target; then stay until the parent says otherwise. */
static int be_target(const struct child *c, void *arg)
{
	const struct trial *trial = arg;
	int err = become(&trial->target);
	pthread_t thread;

	put(c, &err, sizeof(err));
	if (trial->fate == LEADER_ENDED) {
		must(pthread_create(&thread, NULL, stay, (void *)c));
		syscall(SYS_exit, 0);
	}
	hand(c);
	await(c);
	return 0;
}

/* Let @c come to its fate; 0 or the error number if there is no such target. */
static int target_start(struct child *c, const struct trial *trial)
{
	siginfo_t info;
	int err;

	child_start(c, be_target, (void *)trial);
	get(c, &err, sizeof(err));
	if (err)
		return err;
	await(c);
	if (trial->fate == LEADER_ENDED)
		must_be(wait_until(is_zombie(c->pid)));
	if (trial->fate == ZOMBIE || trial->fate == GONE) {
		hand(c);
		must_be(!waitid(P_PID, c->pid, &info, WEXITED | WNOWAIT));
	}
	if (trial->fate == GONE)
		child_end(c);
	return 0;
}

struct attempt {
	const struct trial *trial;
	pid_t pid;
};

/* What the controller found. */
struct answer {
	int role;		/* error number of becoming what it should be */
	int by_pid;
	int by_zero;		/* pid 0, which is the controller */
	unsigned int streams;	/* more than before */
};

static int be_controller(const struct child *c, void *arg)
{
	struct attempt *attempt = arg;
	struct answer answer = { };
	int device;
	__u32 before;

	answer.role = become(&attempt->trial->controller);
	if (!answer.role) {
		device = device_open();
		before = streams_now(device);
		answer.by_pid = try_create(device, attempt->pid ?: getpid());
		answer.by_zero = try_create(device, 0);
		answer.streams = streams_now(device) - before;
	}
	put(c, &answer, sizeof(answer));
	return 0;
}

TEST_F(privilege, to_trace)
{
	const struct trial *trial = &variant->trial;
	struct attempt attempt = { .trial = trial };
	struct child target = { }, controller;
	struct answer answer;
	int err = 0;

	if (trial->fate == KTHREAD && !is_kthread(2))
		SKIP(return, "process 2 is no kernel thread");
	if (trial->fate == KTHREAD)
		attempt.pid = 2;
	else if (trial->fate != ITSELF)
		err = target_start(&target, trial);
	if (err)
		SKIP(return, "no such target: %s", strerror(err));
	if (!attempt.pid && trial->fate != ITSELF)
		attempt.pid = target.pid;

	child_start(&controller, be_controller, &attempt);
	get(&controller, &answer, sizeof(answer));
	EXPECT_EQ(0, child_end(&controller));
	if (answer.role)
		SKIP(return, "no such controller: %s", strerror(answer.role));
	EXPECT_EQ(trial->answer, answer.by_pid);
	EXPECT_EQ(0, answer.by_zero);
	EXPECT_EQ(0, answer.streams);

	if (trial->fate == LIVES || trial->fate == LEADER_ENDED) {
		hand(&target);
		EXPECT_EQ(0, child_end(&target));
	}
}

TEST_HARNESS_MAIN
