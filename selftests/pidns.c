// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pid namespaces: processes are named in the controller's namespace, both when
 * it creates a stream and in the events that it reads.
 */
#include "abi_test.h"

#include <sched.h>

FIXTURE(pidns) {
	int device;
	__u32 id;
	pid_t outside;
};

/* From here on, children live in a namespace of their own; the test does not. */
FIXTURE_SETUP(pidns)
{
	if (unshare(CLONE_NEWPID))
		SKIP(return, "no pid namespaces: %s", strerror(errno));
	self->device = device_open();
	self->id = raw_eventid(self->device, "user event");
	self->outside = getpid();
}

FIXTURE_TEARDOWN(pidns)
{
}

struct recorder {
	int device;
	__u32 id;
};

/* Record an event with one's own pid as data each time it is asked to. */
static int record_own_pid(const struct child *c, void *arg)
{
	const struct recorder *r = arg;
	pid_t pid = getpid();

	for (;;) {
		await(c);
		must(raw_record(r->device, r->id, &pid, sizeof(pid)));
		hand(c);
	}
	return 0;
}

/* Let @c record, and take that event from @raw. */
static struct raw_event record_of(const struct child *c, struct raw raw)
{
	struct raw_event event;

	hand(c);
	await(c);
	must(raw_next(raw, &event));
	return event;
}

TEST_F(pidns, seen_from_outside)
{
	struct recorder r = { self->device, self->id };
	struct raw_event event;
	pid_t inside = 0;
	struct child c;
	struct raw raw;

	child_start(&c, record_own_pid, &r);
	ASSERT_LT(1, c.pid);
	raw = raw_running(self->device, c.pid);
	ASSERT_EQ(0, raw_next(raw, &event));
	EXPECT_EQ(POSIXTRACE_EV_START, event.record.event_id);
	EXPECT_EQ(c.pid, event.record.pid);

	event = record_of(&c, raw);
	EXPECT_EQ(self->id, event.record.event_id);
	EXPECT_EQ(c.pid, event.record.pid);
	EXPECT_EQ(c.pid, event.record.tid);
	memcpy(&inside, event.data, sizeof(inside));
	EXPECT_EQ(1, inside);
	EXPECT_EQ(128 + SIGKILL, child_kill(&c));
}

TEST_F(pidns, seen_from_inside)
{
	struct recorder r = { self->device, self->id };
	struct raw_event event;
	struct child c;
	struct raw raw;
	pid_t pid;

	pid = fork();
	ASSERT_LE(0, pid);
	if (pid) {
		EXPECT_EQ(0, end_of(pid));
		return;
	}
	EXPECT_EQ(1, getpid());
	child_start(&c, record_own_pid, &r);
	EXPECT_EQ(2, c.pid);
	raw = raw_running(self->device, 2);
	must(raw_next(raw, &event));
	EXPECT_EQ(POSIXTRACE_EV_START, event.record.event_id);
	EXPECT_EQ(2, event.record.pid);

	event = record_of(&c, raw);
	EXPECT_EQ(2, event.record.pid);
	EXPECT_EQ(2, event.record.tid);
	EXPECT_EQ(128 + SIGKILL, child_kill(&c));
	_exit(0);
}

TEST_F(pidns, hides_what_is_outside)
{
	pid_t pid;

	pid = fork();
	ASSERT_LE(0, pid);
	if (pid) {
		EXPECT_EQ(0, end_of(pid));
		return;
	}
	EXPECT_LT(1, self->outside);
	EXPECT_EQ(ESRCH, try_create(self->device, self->outside));
	EXPECT_EQ(ESRCH, try_create(self->device, 2));
	EXPECT_EQ(0, try_create(self->device, 1));
	EXPECT_EQ(0, try_create(self->device, 0));
	_exit(0);
}

TEST_F(pidns, counts_in_the_own_one_after_unshare)
{
	struct raw raw = raw_running(self->device, self->outside);
	struct raw_event event;

	EXPECT_EQ(self->outside, getpid());
	ASSERT_EQ(0, raw_next(raw, &event));
	EXPECT_EQ(self->outside, event.record.pid);
	must(raw_record(self->device, self->id, NULL, 0));
	ASSERT_EQ(0, raw_next(raw, &event));
	EXPECT_EQ(self->outside, event.record.pid);
}

TEST_HARNESS_MAIN
