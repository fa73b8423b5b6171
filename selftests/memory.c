// SPDX-License-Identifier: GPL-2.0-only
/*
 * How much memory the kernel keeps for a user, as memory cgroups count it: no
 * more than the quota, and than a cgroup's limit, however many streams there are
 * and however many events nobody reads.
 *
 * POSIXTRACE_UNREAD_EVENTS is how many these are, default: 50000.
 */
#include "abi_test.h"

#include <sys/mman.h>
#include <sys/stat.h>

#define CGROUP		"/sys/fs/cgroup/posixtrace-memory"
#define QUOTA		"/sys/module/posixtrace/parameters/user_quota"
#define USER		1000

/* What is counted in advance, for each processor, and what the process needs. */
#define NOISE		(1024 * 1024)

FIXTURE(memory) {
	int device;
};

static long long now_used(void)
{
	return number_in(CGROUP "/memory.current");
}

FIXTURE_SETUP(memory)
{
	self->device = device_open();
	if (!write_to("/sys/fs/cgroup/cgroup.subtree_control", "+memory") ||
	    mkdir(CGROUP, 0755))
		SKIP(return, "there are no memory cgroups");
}

FIXTURE_TEARDOWN(memory)
{
	must_be(wait_until(!rmdir(CGROUP)));
}

/*
 * The quota
 */

struct hoarder {
	int device;
	__u64 stream_size;
	bool log;
};

/* In the cgroup, as another user: create until refused; hand over how many. */
static int hoard(const struct child *c, void *arg)
{
	const struct hoarder *h = arg;
	struct rlimit files = { 4096, 4096 };
	struct posixtrace_create create;
	unsigned int n = 0;
	struct raw raw;
	int err;

	must_be(!setrlimit(RLIMIT_NOFILE, &files));
	must_be(write_to(CGROUP "/cgroup.procs", "0"));
	must(become_user(USER));
	create = create_arg(0);
	create.stream_size = h->stream_size;
	create.max_data_size = 0;
	if (h->log) {
		create.flags = POSIXTRACE_CREATE_LOG;
		create.log_fd = memfd_create("log", MFD_CLOEXEC);
		create.log_policy = POSIXTRACE_POLICY_APPEND;
	}
	hand(c);
	await(c);
	while (!(err = raw_create(h->device, &create, &raw)))
		n++;
	must_be(err == ENOMEM || err == EAGAIN);
	put(c, &n, sizeof(n));
	await(c);
	return 0;
}

FIXTURE(hoard) {
	int device;
};

FIXTURE_VARIANT(hoard) {
	__u64 stream_size;
	bool log;
};

FIXTURE_VARIANT_ADD(hoard, of_the_smallest) { .stream_size = 0 };
FIXTURE_VARIANT_ADD(hoard, of_a_page) { .stream_size = 4096 };
FIXTURE_VARIANT_ADD(hoard, of_large) { .stream_size = 300000 };
FIXTURE_VARIANT_ADD(hoard, of_logs) { .stream_size = 4096, .log = true };

FIXTURE_SETUP(hoard)
{
	self->device = device_open();
	if (!write_to("/sys/fs/cgroup/cgroup.subtree_control", "+memory") ||
	    mkdir(CGROUP, 0755))
		SKIP(return, "there are no memory cgroups");
}

FIXTURE_TEARDOWN(hoard)
{
	must_be(wait_until(!rmdir(CGROUP)));
}

TEST_F(hoard, is_within_the_quota)
{
	struct hoarder h = {
		self->device, variant->stream_size, variant->log,
	};
	long long quota = 4 * 1024 * 1024, old = number_in(QUOTA), before, used;
	struct child c;
	unsigned int n;

	ASSERT_TRUE(write_to(QUOTA, "4194304"));
	child_start(&c, hoard, &h);
	await(&c);
	before = now_used();
	hand(&c);
	get(&c, &n, sizeof(n));
	used = now_used() - before;
	TH_LOG("%u streams, %lld KiB", n, used / 1024);
	EXPECT_LT(0, n);
	/* Where memory is checked each piece of it is larger. */
	if (!access("/sys/kernel/debug/kmemleak", F_OK))
		quota *= 2;
	EXPECT_GE(quota + NOISE, used);
	hand(&c);
	EXPECT_EQ(0, child_end(&c));
	ASSERT_LT(0, dprintf(open(QUOTA, O_WRONLY | O_CLOEXEC), "%lld", old));
}

/*
 * The limit of a cgroup
 */

static int create_large(const struct child *c, void *arg)
{
	struct posixtrace_create create = create_arg(0);
	int device = *(int *)arg;
	struct raw raw;

	must_be(write_to(CGROUP "/cgroup.procs", "0"));
	create.stream_size = 64 * 1024 * 1024;
	/* As root, for whom there is no quota. It is refused, and not killed. */
	must_be(raw_create(device, &create, &raw) == ENOMEM);
	create.stream_size = 1024 * 1024;
	must(raw_create(device, &create, &raw));
	must(raw_control(raw, POSIXTRACE_IOC_START));
	must_be(raw_peek(raw).running);
	return 0;
}

TEST_F(memory, stream_beyond_the_limit_of_the_cgroup_is_refused)
{
	__u32 streams = streams_now(self->device);

	ASSERT_TRUE(write_to(CGROUP "/memory.max", "16777216"));
	EXPECT_EQ(0, in_child(create_large, &self->device));
	EXPECT_EQ(streams, streams_now(self->device));
}

/*
 * Events that nobody reads
 */

static void record_many(int device, unsigned int n)
{
	while (n--)
		must(raw_record(device, POSIXTRACE_EV_UNNAMED, "12345678", 8));
}

static int record_unread(const struct child *c, void *arg)
{
	const char *limit = getenv("POSIXTRACE_UNREAD_EVENTS");
	unsigned int n = limit ? atoi(limit) : 50000;
	struct posixtrace_create create = create_arg(0);
	struct raw loop, until_full;
	int device = *(int *)arg;
	struct posixtrace_status status;

	must_be(write_to(CGROUP "/cgroup.procs", "0"));
	must(raw_create(device, &create, &loop));
	must(raw_control(loop, POSIXTRACE_IOC_START));
	create.stream_policy = POSIXTRACE_POLICY_UNTIL_FULL;
	must(raw_create(device, &create, &until_full));
	must(raw_control(until_full, POSIXTRACE_IOC_START));
	record_many(device, 5000);
	hand(c);
	await(c);
	record_many(device, n);
	hand(c);
	await(c);
	/* None is forgotten: START, and those that are counted. */
	status = raw_peek(loop);
	must_be(status.recorded == 5000 + n + 1 && !status.lost);
	must_be(raw_drain(loop) == status.recorded - status.overwritten + 2);
	status = raw_peek(until_full);
	must_be(status.recorded + status.lost == 5000 + n + 2);
	return 0;
}

TEST_F(memory, events_that_nobody_reads_take_no_more)
{
	long long before, used;
	struct child c;

	child_start(&c, record_unread, &self->device);
	await(&c);
	before = now_used();
	hand(&c);
	await(&c);
	used = now_used() - before;
	TH_LOG("%lld KiB more", used / 1024);
	EXPECT_GE(NOISE, used);
	hand(&c);
	EXPECT_EQ(0, child_end(&c));
}

TEST_HARNESS_MAIN
