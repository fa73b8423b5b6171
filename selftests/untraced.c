// SPDX-License-Identifier: GPL-2.0-only
/*
 * What nobody wants to know costs no system call: posix_trace_event() of a
 * process that is not traced, or whose event no stream would record.
 *
 * Shown in two ways: with seccomp(2), which kills the process at the first
 * system call, and by a stream that records its system calls.
 */
#include "abi_test.h"

#include <linux/seccomp.h>

#define MANY	1000

/* What streams there are on the target when it records. */
enum setting {
	NO_STREAM,
	SUSPENDED,
	STOPPED,
	FILTERED,
	ALL_FILTERED,
	SHUT_DOWN,
	CLOSED,
	FULL_AND_STOPPED,
	ON_PARENT,		/* its parent is traced, it is not */
	/* In these, it is expected to call the kernel. */
	RUNNING,
	OTHER_FILTERED,
	ONE_OF_TWO_FILTERED,
	FULL,			/* its events count as lost */
};

FIXTURE(untraced) {
	int device;
	trace_event_id_t id;
	struct child c;
};

FIXTURE_VARIANT(untraced) {
	enum setting setting;
	bool calls;
};

FIXTURE_VARIANT_ADD(untraced, no_stream) { .setting = NO_STREAM };

FIXTURE_VARIANT_ADD(untraced, suspended) { .setting = SUSPENDED };

FIXTURE_VARIANT_ADD(untraced, stopped) { .setting = STOPPED };

FIXTURE_VARIANT_ADD(untraced, filtered) { .setting = FILTERED };

FIXTURE_VARIANT_ADD(untraced, all_filtered) { .setting = ALL_FILTERED };

FIXTURE_VARIANT_ADD(untraced, shut_down) { .setting = SHUT_DOWN };

FIXTURE_VARIANT_ADD(untraced, closed) { .setting = CLOSED };

FIXTURE_VARIANT_ADD(untraced, full_and_stopped) {
	.setting = FULL_AND_STOPPED,
};

FIXTURE_VARIANT_ADD(untraced, on_parent) { .setting = ON_PARENT };

FIXTURE_VARIANT_ADD(untraced, running) { .setting = RUNNING, .calls = true };

FIXTURE_VARIANT_ADD(untraced, other_filtered) {
	.setting = OTHER_FILTERED, .calls = true,
};

FIXTURE_VARIANT_ADD(untraced, one_of_two_filtered) {
	.setting = ONE_OF_TWO_FILTERED, .calls = true,
};

FIXTURE_VARIANT_ADD(untraced, full) { .setting = FULL, .calls = true };

FIXTURE_SETUP(untraced)
{
	self->device = device_open();
	self->id = open_event("user event");
}

FIXTURE_TEARDOWN(untraced)
{
}

static void record_many(trace_event_id_t id)
{
	unsigned int i;

	for (i = 0; i < MANY; i++)
		posix_trace_event(id, &i, sizeof(i));
}

/*
 * Record until told to go on; then under seccomp, where only read(), write()
 * and exit() are allowed.
 */
static int record_confined(const struct child *c, void *arg)
{
	trace_event_id_t id = *(trace_event_id_t *)arg;

	/* The page of the gate is its own from the first look on. */
	record_many(id);
	hand(c);
	await(c);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		return KSFT_SKIP;
	record_many(id);
	hand(c);
	await(c);
	syscall(SYS_exit, 0);
	return 0;
}

static trace_id_t stream_running(pid_t pid, int policy)
{
	trace_attr_t attr;
	trace_id_t trid;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setstreamfullpolicy(&attr, policy));
	must(posix_trace_attr_setstreamsize(&attr, 0));
	trid = stream_on(pid, &attr);
	must(posix_trace_start(trid));
	return trid;
}

/* Fill a stream on oneself or on @c, which is to record. */
static void let_fill(trace_id_t trid, const struct child *c)
{
	do {
		hand(c);
		await(c);
	} while (status_of(trid).posix_stream_full_status !=
		 POSIX_TRACE_FULL);
}

/* The target of the tests, which records when it is asked to, and says so. */
static int record_then_confined(const struct child *c, void *arg)
{
	trace_event_id_t id = *(trace_event_id_t *)arg;
	char what;

	for (;;) {
		get(c, &what, 1);
		if (what)
			break;
		record_many(id);
		hand(c);
	}
	return record_confined(c, arg);
}

static void confine(const struct child *c)
{
	put(c, "x", 1);
	await(c);
}

static void arrange(enum setting setting, const struct child *c,
		    trace_event_id_t id)
{
	trace_event_set_t set;
	trace_id_t trid;
	int fd;

	if (setting == NO_STREAM)
		return;
	if (setting == SUSPENDED) {
		stream_on(c->pid, NULL);
		return;
	}
	if (setting == ON_PARENT) {
		running_stream();
		return;
	}
	trid = stream_running(c->pid, setting == FULL ||
			      setting == FULL_AND_STOPPED ?
			      POSIX_TRACE_UNTIL_FULL : POSIX_TRACE_LOOP);
	switch (setting) {
	case STOPPED:
		must(posix_trace_stop(trid));
		break;
	case ONE_OF_TWO_FILTERED:
		stream_running(c->pid, POSIX_TRACE_LOOP);
		filter_out(trid, id);
		break;
	case FILTERED:
		filter_out(trid, id);
		break;
	case OTHER_FILTERED:
		filter_out(trid, open_event("other event"));
		break;
	case ALL_FILTERED:
		must(posix_trace_eventset_fill(&set, POSIX_TRACE_ALL_EVENTS));
		must(posix_trace_set_filter(trid, &set,
					    POSIX_TRACE_SET_EVENTSET));
		break;
	case SHUT_DOWN:
		must(posix_trace_shutdown(trid));
		break;
	case CLOSED:
		must(posix_trace_get_fd_np(trid, &fd));
		must_be(!close(fd));
		break;
	case FULL:
		let_fill(trid, c);
		break;
	case FULL_AND_STOPPED:
		let_fill(trid, c);
		must(posix_trace_stop(trid));
		break;
	default:
		break;
	}
}

TEST_F(untraced, makes_no_system_call)
{
	int status;
	char sign;

	child_start(&self->c, record_then_confined, &self->id);
	arrange(variant->setting, &self->c, self->id);
	confine(&self->c);
	hand(&self->c);
	if (read(self->c.in, &sign, 1) == 1)
		hand(&self->c);
	status = child_end(&self->c);
	if (status == KSFT_SKIP)
		SKIP(return, "no seccomp");
	/* The system call is made if somebody wants the event: it is fatal. */
	EXPECT_EQ(variant->calls ? 128 + SIGKILL : 0, status);
}

/*
 * Counted by a stream
 */

FIXTURE(counted) {
	trace_event_id_t id;
	struct child c;
};

FIXTURE_SETUP(counted)
{
	self->id = open_event("user event");
}

FIXTURE_TEARDOWN(counted)
{
}

/* Record between two calls of getppid(). */
static int record_between(const struct child *c, void *arg)
{
	trace_event_id_t id = *(trace_event_id_t *)arg;

	record_many(id);
	await(c);
	syscall(SYS_getppid);
	record_many(id);
	syscall(SYS_getppid);
	hand(c);
	await(c);
	return 0;
}

/* Record system calls of @pid, and user events only if @user. */
static trace_id_t call_stream(pid_t pid, trace_event_id_t id, bool user)
{
	trace_event_set_t enter = set_of(POSIX_TRACE_LINUX_SYSCALL_ENTER_NP);
	trace_attr_t attr;
	trace_id_t trid;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setkernelevents_np(&attr, &enter));
	must(posix_trace_attr_setstreamsize(&attr, 4 << 20));
	trid = stream_on(pid, &attr);
	if (!user)
		filter_out(trid, id);
	must(posix_trace_start(trid));
	return trid;
}

/* Find the next call of getppid(); how many other calls were before it. */
static unsigned int calls_before_getppid(trace_id_t trid)
{
	struct posixtrace_syscall_enter enter;
	unsigned int n = 0;
	struct ev ev;

	for (;;) {
		must_be(ev_find(trid, POSIX_TRACE_LINUX_SYSCALL_ENTER_NP, &ev));
		must_be(ev.len == sizeof(enter));
		memcpy(&enter, ev.data, sizeof(enter));
		if (enter.nr == SYS_getppid)
			return n;
		n++;
	}
}

TEST_F(counted, no_call_for_a_filtered_event)
{
	trace_id_t trid;

	child_start(&self->c, record_between, &self->id);
	trid = call_stream(self->c.pid, self->id, false);
	hand(&self->c);
	await(&self->c);
	calls_before_getppid(trid);
	EXPECT_EQ(0, calls_before_getppid(trid));
	hand(&self->c);
	EXPECT_EQ(0, child_end(&self->c));
}

TEST_F(counted, one_call_for_a_recorded_event)
{
	trace_id_t trid;

	child_start(&self->c, record_between, &self->id);
	trid = call_stream(self->c.pid, self->id, true);
	hand(&self->c);
	await(&self->c);
	calls_before_getppid(trid);
	EXPECT_EQ(MANY, calls_before_getppid(trid));
	hand(&self->c);
	EXPECT_EQ(0, child_end(&self->c));
}

TEST_HARNESS_MAIN
