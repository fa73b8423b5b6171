// SPDX-License-Identifier: GPL-2.0-only
/*
 * The quota of stream memory that each user has, and whose the memory is that
 * logs take.
 */
#include "abi_test.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define USER		1000
#define OTHER		2000
#define STREAMS_MAX	20
#define QUOTA		"/sys/module/posixtrace/parameters/user_quota"

FIXTURE(quota) {
	int device;
	__u64 quota;
};

FIXTURE_SETUP(quota)
{
	struct posixtrace_limits limits = { .size = sizeof(limits) };

	if (geteuid())
		SKIP(return, "needs root");
	self->device = device_open();
	must(call(self->device, POSIXTRACE_IOC_LIMITS, &limits));
	self->quota = limits.user_quota;
	if (!self->quota)
		SKIP(return, "there is no quota");
}

FIXTURE_TEARDOWN(quota)
{
}

static int create_of(int device, __u64 size, struct raw *raw)
{
	struct posixtrace_create arg = create_arg(0);

	arg.stream_size = size;
	return raw_create(device, &arg, raw);
}

/* Create streams of a sixteenth of the quota; how many there can be. */
static unsigned int use_up(int device, __u64 quota, struct raw raw[STREAMS_MAX])
{
	unsigned int n = 0;

	while (n < STREAMS_MAX && !create_of(device, quota / 16, &raw[n]))
		n++;
	return n;
}

TEST_F(quota, is_the_most_that_a_user_can_have)
{
	struct raw raw[STREAMS_MAX];
	unsigned int n;
	pid_t pid;

	pid = fork_as(USER);
	if (pid) {
		EXPECT_EQ(0, end_of(pid));
		return;
	}
	EXPECT_EQ(ENOMEM, create_of(self->device, self->quota + 1, raw));
	n = use_up(self->device, self->quota, raw);
	/* All count a little more than their size. */
	EXPECT_LE(14, n);
	EXPECT_GE(16, n);
	EXPECT_EQ(ENOMEM, create_of(self->device, self->quota / 16, raw));
	_exit(0);
}

TEST_F(quota, is_given_back_at_the_end_of_a_stream)
{
	struct raw raw[STREAMS_MAX], one;
	unsigned int i, n;
	pid_t pid;

	pid = fork_as(USER);
	if (pid) {
		EXPECT_EQ(0, end_of(pid));
		return;
	}
	n = use_up(self->device, self->quota, raw);
	EXPECT_EQ(0, raw_control(raw[0], POSIXTRACE_IOC_SHUTDOWN));
	EXPECT_EQ(0, create_of(self->device, self->quota / 16, &one));
	EXPECT_EQ(ENOMEM, create_of(self->device, self->quota / 16, &raw[0]));
	EXPECT_EQ(0, close(one.fd));
	EXPECT_EQ(0, create_of(self->device, self->quota / 16, &one));
	EXPECT_EQ(0, close(one.fd));
	for (i = 1; i < n; i++)
		EXPECT_EQ(0, close(raw[i].fd));
	EXPECT_EQ(n, use_up(self->device, self->quota, raw));
	_exit(0);
}

/* The worker of a log stays after the shutdown, as long as the descriptor. */
TEST_F(quota, counts_workers_of_streams_that_were_shut_down)
{
	struct posixtrace_create arg = create_arg(0);
	struct raw raw;
	unsigned int n;
	pid_t pid;

	ASSERT_TRUE(write_to(QUOTA, "1048576"));
	pid = fork_as(USER);
	if (pid) {
		char old[32];

		EXPECT_EQ(0, end_of(pid));
		snprintf(old, sizeof(old), "%llu", self->quota);
		EXPECT_TRUE(write_to(QUOTA, old));
		return;
	}
	arg.stream_size = 0;
	arg.flags = POSIXTRACE_CREATE_LOG;
	arg.log_fd = memfd_create("log", MFD_CLOEXEC);
	for (n = 0; !raw_create(self->device, &arg, &raw); n++) {
		/* 8 KiB each. */
		must_be(n <= 1048576 / 8192);
		must(raw_control(raw, POSIXTRACE_IOC_SHUTDOWN));
	}
	EXPECT_LE(8, n);
	EXPECT_EQ(ENOMEM, raw_create(self->device, &arg, &raw));
	must_be(!close_range(self->device + 1, ~0U, 0));
	arg.log_fd = memfd_create("log", MFD_CLOEXEC);
	EXPECT_TRUE(wait_until(!raw_create(self->device, &arg, &raw)));
	_exit(0);
}

TEST_F(quota, is_given_back_by_a_process_that_is_killed)
{
	struct raw raw[STREAMS_MAX];
	pid_t pid;
	int i;

	for (i = 0; i < 2; i++) {
		pid = fork_as(USER);
		if (!pid) {
			EXPECT_LE(14, use_up(self->device, self->quota, raw));
			kill(getpid(), SIGKILL);
		}
		EXPECT_EQ(SIGKILL, end_of(pid));
	}
}

struct holder {
	int device;
	__u64 quota;
};

static int hold_all(const struct child *c, void *arg)
{
	const struct holder *holder = arg;
	struct raw raw[STREAMS_MAX];

	must(become_user(USER));
	use_up(holder->device, holder->quota, raw);
	hand(c);
	await(c);
	return 0;
}

TEST_F(quota, holds_for_all_processes_of_a_user_and_for_no_other_user)
{
	struct holder holder = { self->device, self->quota };
	struct raw raw[STREAMS_MAX];
	struct child c;
	pid_t pid;

	child_start(&c, hold_all, &holder);
	await(&c);
	pid = fork_as(USER);
	if (!pid) {
		EXPECT_EQ(0, use_up(self->device, self->quota, raw));
		_exit(0);
	}
	EXPECT_EQ(0, end_of(pid));
	pid = fork_as(OTHER);
	if (!pid) {
		EXPECT_LE(14, use_up(self->device, self->quota, raw));
		_exit(0);
	}
	EXPECT_EQ(0, end_of(pid));
	hand(&c);
	EXPECT_EQ(0, child_end(&c));
}

TEST_F(quota, does_not_hold_for_root)
{
	struct raw raw[STREAMS_MAX];

	EXPECT_EQ(STREAMS_MAX, use_up(self->device, self->quota, raw));
}

TEST_F(quota, holds_for_root_of_a_user_namespace)
{
	struct raw raw[STREAMS_MAX];
	pid_t pid;

	pid = fork_as(USER);
	if (pid) {
		EXPECT_EQ(0, end_of(pid));
		return;
	}
	if (unshare(CLONE_NEWUSER))
		_exit(0);	/* there are none */
	EXPECT_GE(16, use_up(self->device, self->quota, raw));
	_exit(0);
}

#define CGROUP		"/sys/fs/cgroup/posixtrace-test"
#define LOG_BYTES	(8 * 1024 * 1024)

/* In the cgroup: write a log of LOG_BYTES, in memory. */
static int write_large_log(const struct child *c, void *arg)
{
	struct posixtrace_create create = create_arg(0);
	int device = device_open();
	static char data[32768];
	struct raw raw;
	size_t done;

	must_be(write_to(CGROUP "/cgroup.procs", "0"));
	create.flags = POSIXTRACE_CREATE_LOG;
	create.log_fd = memfd_create("log", MFD_CLOEXEC);
	create.log_policy = POSIXTRACE_POLICY_APPEND;
	create.stream_size = 4 * sizeof(data);
	create.max_data_size = sizeof(data);
	must(raw_create(device, &create, &raw));
	must(raw_control(raw, POSIXTRACE_IOC_START));
	for (done = 0; done < LOG_BYTES; done += sizeof(data)) {
		must(raw_record(device, POSIXTRACE_EV_UNNAMED, data,
				sizeof(data)));
		must(raw_control(raw, POSIXTRACE_IOC_FLUSH));
	}
	hand(c);
	await(c);
	return 0;
}

/* The worker that writes a log belongs to no cgroup: its memory is the owner's. */
TEST(log_counts_for_the_memory_cgroup_of_its_owner)
{
	struct child c;

	if (!write_to("/sys/fs/cgroup/cgroup.subtree_control", "+memory") ||
	    mkdir(CGROUP, 0755))
		SKIP(return, "there are no memory cgroups");
	child_start(&c, write_large_log, NULL);
	await(&c);
	EXPECT_LE(LOG_BYTES, number_in(CGROUP "/memory.current"));
	hand(&c);
	EXPECT_EQ(0, child_end(&c));
	EXPECT_EQ(0, rmdir(CGROUP));
}

/* What small streams cost is what they take, not twice as much. */
TEST_F(quota, pays_for_little_more_than_the_events)
{
	const __u64 size = 65536;
	pid_t pid = fork_as(USER);

	if (!pid) {
		int device = device_open();
		struct raw raw;
		__u64 n = 0;

		while (n < 900 && !create_of(device, size, &raw))
			n++;
		_exit(n * size > self->quota * 3 / 4 || n == 900 ? 0 : 1);
	}
	EXPECT_EQ(0, end_of(pid));
}

TEST_HARNESS_MAIN
