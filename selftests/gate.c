// SPDX-License-Identifier: GPL-2.0-only
/*
 * The gate page: how it can be mapped, that nobody can write to it, and that
 * it says at each moment which user events some stream would record.
 */
#include "abi_test.h"

#include <linux/sched.h>
#include <sys/uio.h>

FIXTURE(gate) {
	int device;
	__u32 id, other;
	const struct posixtrace_gate *gate;
};

FIXTURE_SETUP(gate)
{
	self->device = device_open();
	self->id = raw_eventid(self->device, "user event");
	self->other = raw_eventid(self->device, "other event");
	self->gate = gate_map(self->device);
}

FIXTURE_TEARDOWN(gate)
{
}

/*
 * The mapping
 */

static bool maps(int device, size_t size, int prot, int flags, off_t offset)
{
	void *p = mmap(NULL, size, prot, flags, device, offset);

	if (p == MAP_FAILED)
		return false;
	munmap(p, size);
	return true;
}

TEST_F(gate, maps_one_page_read_only_and_shared)
{
	size_t page = page_size();

	EXPECT_TRUE(maps(self->device, page, PROT_READ, MAP_SHARED, 0));
	EXPECT_FALSE(maps(self->device, 2 * page, PROT_READ, MAP_SHARED, 0));
	EXPECT_FALSE(maps(self->device, page, PROT_READ, MAP_SHARED, page));
	EXPECT_FALSE(maps(self->device, page, PROT_READ, MAP_SHARED,
			  1L << 40));
	EXPECT_FALSE(maps(self->device, page, PROT_READ, MAP_PRIVATE, 0));
	EXPECT_FALSE(maps(self->device, page, PROT_WRITE, MAP_SHARED, 0));
	EXPECT_FALSE(maps(self->device, page, PROT_READ | PROT_WRITE,
			  MAP_SHARED, 0));
	EXPECT_FALSE(maps(self->device, page, PROT_READ | PROT_EXEC,
			  MAP_SHARED, 0));
	EXPECT_FALSE(maps(self->device, page, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE, 0));
}

TEST_F(gate, maps_the_same_way_through_a_read_only_descriptor)
{
	int device = open(DEVICE_PATH, O_RDONLY | O_CLOEXEC);
	const struct posixtrace_gate *gate;

	ASSERT_LE(0, device);
	gate = gate_map(device);
	EXPECT_EQ(POSIXTRACE_GATE_FORMAT, gate_now(gate).format);
	EXPECT_FALSE(maps(device, page_size(), PROT_READ | PROT_WRITE,
			  MAP_SHARED, 0));
}

TEST_F(gate, cannot_be_made_writable_or_executable)
{
	void *gate = (void *)self->gate;

	EXPECT_EQ(-1, mprotect(gate, page_size(), PROT_READ | PROT_WRITE));
	EXPECT_EQ(EACCES, errno);
	EXPECT_EQ(-1, mprotect(gate, page_size(), PROT_WRITE));
	EXPECT_EQ(EACCES, errno);
	EXPECT_EQ(-1, mprotect(gate, page_size(), PROT_READ | PROT_EXEC));
	EXPECT_EQ(EACCES, errno);
	EXPECT_EQ(POSIXTRACE_GATE_FORMAT, gate_now(self->gate).format);
}

TEST_F(gate, cannot_grow)
{
	size_t page = page_size();

	EXPECT_EQ(MAP_FAILED, mremap((void *)self->gate, page, 2 * page,
				     MREMAP_MAYMOVE));
	EXPECT_EQ(POSIXTRACE_GATE_FORMAT, gate_now(self->gate).format);
}

TEST_F(gate, goes_on_after_it_was_moved)
{
	size_t page = page_size();
	char *where = page_end();
	void *moved = mremap((void *)self->gate, page, page,
			     MREMAP_MAYMOVE | MREMAP_FIXED, where);

	if (moved == MAP_FAILED)
		SKIP(return, "the gate can't be moved");
	EXPECT_FALSE(gate_now(moved).wanted);
	raw_running(self->device, 0);
	EXPECT_TRUE(gate_wants(moved, self->id));
}

TEST_F(gate, can_be_mapped_twice_and_unmapped)
{
	const struct posixtrace_gate *second = gate_map(self->device);

	EXPECT_NE(self->gate, second);
	EXPECT_EQ(0, munmap((void *)self->gate, page_size()));
	raw_running(self->device, 0);
	EXPECT_TRUE(gate_wants(second, self->id));
}

TEST_F_SIGNAL(gate, kills_who_writes_to_it, SIGSEGV)
{
	__atomic_store_n((__u32 *)&self->gate->wanted, 1, __ATOMIC_RELAXED);
}

/* A target whose gate the parent tries to change. */
static int serve_gate(const struct child *c, void *arg)
{
	const struct posixtrace_gate *gate = arg;
	struct posixtrace_gate now;

	for (;;) {
		await(c);
		now = gate_now(gate);
		put(c, &now, sizeof(now));
	}
	return 0;
}

static struct posixtrace_gate ask_gate(const struct child *c)
{
	struct posixtrace_gate now;

	hand(c);
	get(c, &now, sizeof(now));
	return now;
}

TEST_F(gate, cannot_be_written_from_outside)
{
	__u32 value = 0x12345678;
	struct iovec from = { &value, sizeof(value) };
	struct iovec to = { (void *)&self->gate->wanted, sizeof(value) };
	struct child c;
	char path[64];
	int mem;

	child_start(&c, serve_gate, (void *)self->gate);
	EXPECT_EQ(0, ask_gate(&c).wanted);

	EXPECT_EQ(-1, process_vm_writev(c.pid, &from, 1, &to, 1, 0));
	EXPECT_EQ(0, ask_gate(&c).wanted);

	snprintf(path, sizeof(path), "/proc/%d/mem", c.pid);
	mem = open(path, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, mem);
	EXPECT_EQ(-1, pwrite(mem, &value, sizeof(value),
			     (off_t)(uintptr_t)&self->gate->wanted));
	EXPECT_EQ(0, ask_gate(&c).wanted);
	EXPECT_EQ(128 + SIGKILL, child_kill(&c));
}

/*
 * What it says
 */

TEST_F(gate, is_closed_at_first)
{
	struct posixtrace_gate now = gate_now(self->gate);
	struct posixtrace_event_set none = { };

	EXPECT_EQ(POSIXTRACE_GATE_FORMAT, now.format);
	EXPECT_EQ(0, now.wanted);
	EXPECT_EQ(0, memcmp(&none, &now.events, sizeof(none)));
}

TEST_F(gate, is_open_while_a_stream_runs)
{
	struct raw raw = raw_stream(self->device, 0);

	EXPECT_EQ(0, gate_now(self->gate).wanted);
	EXPECT_EQ(0, raw_control(raw, POSIXTRACE_IOC_START));
	EXPECT_TRUE(gate_wants(self->gate, self->id));
	EXPECT_TRUE(gate_wants(self->gate, self->other));
	EXPECT_TRUE(gate_wants(self->gate, POSIXTRACE_EV_UNNAMED));
	EXPECT_EQ(0, raw_control(raw, POSIXTRACE_IOC_STOP));
	EXPECT_EQ(0, gate_now(self->gate).wanted);
	EXPECT_EQ(0, raw_control(raw, POSIXTRACE_IOC_START));
	EXPECT_TRUE(gate_wants(self->gate, self->id));
	EXPECT_EQ(0, raw_control(raw, POSIXTRACE_IOC_SHUTDOWN));
	EXPECT_EQ(0, gate_now(self->gate).wanted);
}

TEST_F(gate, shows_a_stream_that_runs_before_it_is_mapped)
{
	EXPECT_EQ(0, munmap((void *)self->gate, page_size()));
	raw_running(self->device, 0);
	self->gate = gate_map(self->device);
	EXPECT_TRUE(gate_wants(self->gate, self->id));
}

TEST_F(gate, shows_user_events_only)
{
	__u32 id;

	raw_running(self->device, 0);
	for (id = 0; id < POSIXTRACE_EV_USER; id++) {
		bool user = id == POSIXTRACE_EV_UNNAMED;

		EXPECT_EQ(user, gate_wants(self->gate, id));
	}
}

TEST_F(gate, shows_a_name_opened_while_a_stream_runs)
{
	raw_running(self->device, 0);
	EXPECT_TRUE(gate_wants(self->gate,
			       raw_eventid(self->device, "late event")));
}

TEST_F(gate, follows_the_filter)
{
	struct raw raw = raw_running(self->device, 0);
	struct posixtrace_filter all = {
		.size = sizeof(all),
		.how = POSIXTRACE_SET_EVENTSET,
		.stream = raw.number,
	};

	raw_filter_out(raw, self->id);
	EXPECT_FALSE(gate_wants(self->gate, self->id));
	EXPECT_TRUE(gate_wants(self->gate, self->other));

	memset(&all.set, 0xff, sizeof(all.set));
	EXPECT_EQ(0, call(raw.fd, POSIXTRACE_IOC_SET_FILTER, &all));
	EXPECT_EQ(0, gate_now(self->gate).wanted);

	EXPECT_EQ(0, raw_control(raw, POSIXTRACE_IOC_CLEAR));
	EXPECT_TRUE(gate_wants(self->gate, self->id));
}

TEST_F(gate, is_the_union_of_all_streams)
{
	struct raw first = raw_running(self->device, 0);
	struct raw second = raw_running(self->device, 0);

	raw_filter_out(first, self->id);
	EXPECT_TRUE(gate_wants(self->gate, self->id));
	raw_filter_out(second, self->id);
	EXPECT_FALSE(gate_wants(self->gate, self->id));
	EXPECT_EQ(0, close(first.fd));
	EXPECT_TRUE(gate_wants(self->gate, self->other));
	EXPECT_EQ(0, close(second.fd));
	EXPECT_EQ(0, gate_now(self->gate).wanted);
}

/* While a full stream waits for its restart, events count as lost. */
TEST_F(gate, stays_open_for_a_stream_that_is_full)
{
	struct posixtrace_create arg = create_arg(0);
	struct raw raw;

	arg.stream_policy = POSIXTRACE_POLICY_UNTIL_FULL;
	arg.stream_size = 0;
	ASSERT_EQ(0, raw_create(self->device, &arg, &raw));
	EXPECT_EQ(0, raw_control(raw, POSIXTRACE_IOC_START));
	while (!raw_peek(raw).full)
		ASSERT_EQ(0, raw_record(self->device, self->id, "12345678", 8));
	EXPECT_EQ(0, raw_peek(raw).running);
	EXPECT_TRUE(gate_wants(self->gate, self->id));

	/* Stopped by call as well: no restart, nothing counts any more. */
	EXPECT_EQ(0, raw_control(raw, POSIXTRACE_IOC_STOP));
	EXPECT_EQ(0, gate_now(self->gate).wanted);
	EXPECT_EQ(0, raw_control(raw, POSIXTRACE_IOC_START));
	EXPECT_TRUE(gate_wants(self->gate, self->id));

	/* Empty: it restarts. */
	raw_drain(raw);
	EXPECT_EQ(1, raw_peek(raw).running);
	EXPECT_TRUE(gate_wants(self->gate, self->id));
}

/*
 * Children
 */

TEST_F(gate, of_a_child_is_a_page_of_its_own)
{
	struct posixtrace_gate seen;
	struct raw on_child;
	struct child c;

	raw_running(self->device, 0);
	EXPECT_TRUE(gate_wants(self->gate, self->id));

	child_start(&c, serve_gate, (void *)self->gate);
	EXPECT_EQ(POSIXTRACE_GATE_FORMAT, ask_gate(&c).format);
	EXPECT_EQ(0, ask_gate(&c).wanted);
	on_child = raw_running(self->device, c.pid);
	raw_filter_out(on_child, self->other);
	seen = ask_gate(&c);
	EXPECT_NE(0, seen.wanted);
	EXPECT_FALSE(raw_set_has(&seen.events, self->other));
	EXPECT_TRUE(raw_set_has(&seen.events, self->id));
	EXPECT_TRUE(gate_wants(self->gate, self->other));
	EXPECT_EQ(128 + SIGKILL, child_kill(&c));
	EXPECT_TRUE(gate_wants(self->gate, self->other));
}

TEST_F(gate, of_a_child_opens_without_its_parents)
{
	struct child c;

	child_start(&c, serve_gate, (void *)self->gate);
	raw_running(self->device, c.pid);
	EXPECT_NE(0, ask_gate(&c).wanted);
	EXPECT_EQ(0, gate_now(self->gate).wanted);
	EXPECT_EQ(128 + SIGKILL, child_kill(&c));
}

TEST_F(gate, of_a_child_made_by_a_raw_clone_is_its_own)
{
	int status;
	long pid;

	raw_running(self->device, 0);
	EXPECT_TRUE(gate_wants(self->gate, self->id));
	pid = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, 0);
	ASSERT_LE(0, pid);
	if (!pid)
		_exit(gate_now(self->gate).wanted);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
}

/* A child that shares the parent's memory until it ends sees the parent's. */
TEST_F(gate, of_the_parent_survives_a_child_in_its_memory)
{
	int status;
	pid_t pid;

	raw_running(self->device, 0);
	EXPECT_TRUE(gate_wants(self->gate, self->id));
	pid = vfork();
	if (!pid)
		_exit(0);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_TRUE(gate_wants(self->gate, self->id));
}

/* Also if the child is the first to look. */
TEST_F(gate, of_the_parent_is_not_replaced_by_a_child_in_its_memory)
{
	struct posixtrace_gate seen;
	int status;
	pid_t pid;

	EXPECT_EQ(0, munmap((void *)self->gate, page_size()));
	self->gate = gate_map(self->device);
	pid = vfork();
	if (!pid) {
		seen = gate_now(self->gate);
		_exit(seen.format != POSIXTRACE_GATE_FORMAT);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, gate_now(self->gate).wanted);
	raw_running(self->device, 0);
	EXPECT_TRUE(gate_wants(self->gate, self->id));
}

/* A parent that nobody knew when its child had the page mapped must not miss events. */
TEST(gate_of_a_child_that_is_gone_lets_everything_pass)
{
	static const struct posixtrace_gate *gate;
	int device = device_open();
	int status;
	pid_t pid;

	pid = vfork();
	if (!pid) {
		gate = gate_map(device);
		_exit(gate_now(gate).wanted);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_NE(0, gate_now(gate).wanted);
	EXPECT_TRUE(gate_wants(gate, POSIXTRACE_EV_UNNAMED));
}

#define MANY	64	/* and the one that made them */

static int be_one_of_many(void *arg)
{
	pause();
	return 0;
}

/* Nobody unites what many processes in one memory want. */
TEST_F(gate, of_many_processes_lets_everything_pass)
{
	static char stacks[MANY][4096];
	pid_t pids[MANY];
	int i;

	for (i = 0; i < MANY; i++) {
		pids[i] = clone(be_one_of_many, stacks[i + 1], CLONE_VM | SIGCHLD,
				NULL);
		ASSERT_LT(0, pids[i]);
	}
	EXPECT_TRUE(gate_wants(self->gate, self->id));
	for (i = 0; i < MANY; i++) {
		EXPECT_EQ(0, kill(pids[i], SIGKILL));
		EXPECT_EQ(pids[i], waitpid(pids[i], NULL, 0));
	}
	EXPECT_EQ(0, gate_now(self->gate).wanted);
}

TEST_HARNESS_MAIN
