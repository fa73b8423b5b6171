// SPDX-License-Identifier: GPL-2.0-only
/*
 * Streams that record some system calls only, chosen by number when they are
 * created: the others cost neither room nor a loss.
 */
#include "family_test.h"

#define MANY	500

/* What member 0 is told, in order.arg. */
enum task {
	SERIES,			/* getppid(), getuid(), close(-1), @nr times */
	COMPAT,			/* getppid() in the 32-bit way */
	BEYOND,			/* numbers at the end of the set and beyond */
};

#define COMPAT_GETPPID	64

FIXTURE(syscall_filter) {
	struct family f;
	pid_t pid;		/* of the target, member 0 */
};

static long call_compat(void)
{
#ifdef __x86_64__
	long result = COMPAT_GETPPID;

	asm volatile("int $0x80" : "+a" (result) : : "memory", "r8", "r9",
		     "r10", "r11");
	return result;
#else
	return -ENOSYS;
#endif
}

/* They all fail, and are events nevertheless. */
static long call_beyond(void)
{
	syscall(POSIXTRACE_SYSCALL_MAX - 1);
	syscall(POSIXTRACE_SYSCALL_MAX);
	syscall(100000);
	syscall(-1);
	return 0;
}

static long obey(int nr, const struct order *order)
{
	int i;

	switch (order->arg) {
	case SERIES:
		for (i = 0; i < order->nr; i++) {
			syscall(SYS_getppid);
			syscall(SYS_getuid);
			syscall(SYS_close, -1);
		}
		return 0;
	case COMPAT:
		return call_compat();
	case BEYOND:
		return call_beyond();
	}
	return -1;
}

FIXTURE_SETUP(syscall_filter)
{
	family_start(&self->f);
	self->pid = self->f.m[0].c.pid;
}

FIXTURE_TEARDOWN(syscall_filter)
{
	family_disband(&self->f);
}

static long let(struct family *f, enum task what, int times)
{
	return family_do(f, 0, (struct order){
		.deed = DO_OTHER, .nr = times, .arg = what,
	});
}

static void choose(struct posixtrace_create *arg, long nr)
{
	arg->flags |= POSIXTRACE_CREATE_SYSCALLS;
	arg->syscalls.bits[nr / 64] |= (__u64)1 << nr % 64;
}

static struct raw running(int device, struct posixtrace_create *arg)
{
	struct raw raw;

	must(raw_create(device, arg, &raw));
	must(raw_control(raw, POSIXTRACE_IOC_START));
	return raw;
}

TEST_F(syscall_filter, records_what_was_chosen)
{
	struct posixtrace_create arg = kernel_arg(self->pid, CALL_EVENTS);
	const struct kernel_event *ev;
	struct collection all;
	struct raw raw;
	int i;

	choose(&arg, SYS_getppid);
	choose(&arg, SYS_close);
	raw = running(self->f.device, &arg);
	let(&self->f, SERIES, MANY);
	all = stop_and_collect(raw);
	ASSERT_EQ(2 + 4 * MANY, all.nr);
	ev = all.list + 1;
	for (i = 0; i < MANY; i++, ev += 4) {
		EXPECT_TRUE(is_enter(ev, SYS_getppid));
		EXPECT_TRUE(is_exit(ev + 1, SYS_getppid));
		EXPECT_TRUE(is_enter(ev + 2, SYS_close));
		EXPECT_TRUE(is_exit(ev + 3, SYS_close));
	}
}

/* The others are as if they had not been: also where there is no room. */
TEST_F(syscall_filter, loses_nothing_by_what_was_not_chosen)
{
	struct posixtrace_create arg = kernel_arg(self->pid, CALL_EVENTS);
	struct posixtrace_status status;
	struct raw raw;

	choose(&arg, SYS_getppid);
	arg.stream_size = 0;
	raw = running(self->f.device, &arg);
	let(&self->f, SERIES, MANY);
	status = raw_peek(raw);
	EXPECT_EQ(1, status.full);
	EXPECT_EQ(0, status.running);
	/* START, STOP, and what there was room for. */
	EXPECT_EQ(2 * MANY + 2, status.recorded + status.lost);
	EXPECT_LT(0, status.lost);

	arg = kernel_arg(self->pid, CALL_EVENTS);
	choose(&arg, SYS_getpgid);
	arg.stream_size = 0;
	raw = running(self->f.device, &arg);
	let(&self->f, SERIES, MANY);
	status = raw_peek(raw);
	EXPECT_EQ(1, status.recorded);
	EXPECT_EQ(0, status.lost);
	EXPECT_EQ(0, status.overrun);
	EXPECT_EQ(0, status.full);
	EXPECT_EQ(1, status.running);
}

/* Each stream has its own. */
TEST_F(syscall_filter, of_one_stream_is_not_that_of_another)
{
	struct posixtrace_create arg = kernel_arg(self->pid, CALL_EVENTS);
	struct raw one, other, none, all;
	struct collection seen;

	all = running(self->f.device, &arg);
	choose(&arg, SYS_getppid);
	one = running(self->f.device, &arg);
	arg = kernel_arg(self->pid, EVENT(SYSCALL_EXIT));
	choose(&arg, SYS_getuid);
	other = running(self->f.device, &arg);
	arg = kernel_arg(self->pid, CALL_EVENTS);
	arg.flags = POSIXTRACE_CREATE_SYSCALLS;
	none = running(self->f.device, &arg);
	let(&self->f, SERIES, MANY);

	seen = stop_and_collect(one);
	EXPECT_EQ(2 + 2 * MANY, seen.nr);
	EXPECT_EQ(MANY, count_calls(seen, 0, SYS_getppid));
	seen = stop_and_collect(other);
	EXPECT_EQ(2 + MANY, seen.nr);
	EXPECT_TRUE(is_exit(seen.list + 1, SYS_getuid));
	EXPECT_EQ(2, stop_and_collect(none).nr);
	seen = stop_and_collect(all);
	EXPECT_EQ(MANY, count_calls(seen, 0, SYS_getppid));
	EXPECT_EQ(MANY, count_calls(seen, 0, SYS_getuid));
	EXPECT_EQ(MANY, count_calls(seen, 0, SYS_close));
}

/* When the stream that wants more ends, the other one has what it had. */
TEST_F(syscall_filter, stays_when_another_stream_ends)
{
	struct posixtrace_create arg = kernel_arg(self->pid, CALL_EVENTS);
	struct raw all, one;

	all = running(self->f.device, &arg);
	choose(&arg, SYS_getuid);
	one = running(self->f.device, &arg);
	let(&self->f, SERIES, 1);
	EXPECT_EQ(0, raw_control(all, POSIXTRACE_IOC_SHUTDOWN));
	let(&self->f, SERIES, 1);
	EXPECT_EQ(2 + 4, stop_and_collect(one).nr);
}

/* It concerns system calls only. */
TEST_F(syscall_filter, leaves_other_kernel_events_alone)
{
	struct posixtrace_create arg = kernel_arg(self->pid, ALL_EVENTS);
	struct collection all;
	struct raw raw;

	arg.flags = POSIXTRACE_CREATE_SYSCALLS;
	raw = running(self->f.device, &arg);
	ASSERT_EQ(0, kill(self->pid, SIGWINCH));
	family_fork(&self->f, 0, 1);
	all = stop_and_collect(raw);
	EXPECT_EQ(0, count_events(all, CALL_EVENTS, 0));
	EXPECT_EQ(1, count_events(all, EVENT(SIGNAL_GENERATE), 0));
	EXPECT_EQ(1, count_events(all, EVENT(FORK), 0));
	EXPECT_LT(0, count_events(all, SCHED_EVENTS, 0));
}

/* Children go by it, too. */
TEST_F(syscall_filter, is_inherited)
{
	struct posixtrace_create arg = kernel_arg(self->pid, CALL_EVENTS);
	struct collection all;
	struct raw raw;

	choose(&arg, SYS_getppid);
	arg.inheritance = POSIXTRACE_INHERITED;
	raw = running(self->f.device, &arg);
	family_fork(&self->f, 0, 1);
	family_call(&self->f, 1, MANY);
	ASSERT_EQ(0, family_exec(&self->f, 1, ""));
	family_call(&self->f, 1, MANY);
	all = stop_and_collect(raw);
	EXPECT_EQ(2 + 4 * MANY, all.nr);
	EXPECT_EQ(2 * MANY, count_calls(all, self->f.m[1].c.pid, SYS_getppid));
}

/*
 * A call of another calling convention has a number of its own: 64 is
 * getppid(), there.
 */
TEST_F(syscall_filter, is_for_the_native_table)
{
	struct posixtrace_create arg = kernel_arg(self->pid, CALL_EVENTS);
	struct raw all, chosen;
	struct collection seen;
	long result;

	all = running(self->f.device, &arg);
	choose(&arg, COMPAT_GETPPID);
	choose(&arg, SYS_getppid);
	chosen = running(self->f.device, &arg);
	result = let(&self->f, COMPAT, 0);
	if (result != getpid())
		SKIP(return, "no 32-bit calls: %ld", result);
	EXPECT_EQ(2, stop_and_collect(chosen).nr);
	seen = stop_and_collect(all);
	EXPECT_EQ(1, count_calls(seen, 0, COMPAT_GETPPID));
}

TEST_F(syscall_filter, leaves_out_what_is_beyond_the_set)
{
	struct posixtrace_create arg = kernel_arg(self->pid,
						  EVENT(SYSCALL_ENTER));
	struct raw all, chosen, full;
	struct collection seen;
	unsigned int nr;

	all = running(self->f.device, &arg);
	arg.flags = POSIXTRACE_CREATE_SYSCALLS;
	for (nr = 0; nr < POSIXTRACE_SYSCALL_MAX; nr++)
		choose(&arg, nr);
	full = running(self->f.device, &arg);
	arg.syscalls.bits[0] &= ~1ULL;
	chosen = running(self->f.device, &arg);
	let(&self->f, BEYOND, 0);

	seen = stop_and_collect(chosen);
	EXPECT_EQ(1, count_calls(seen, 0, POSIXTRACE_SYSCALL_MAX - 1));
	EXPECT_EQ(0, count_calls(seen, 0, POSIXTRACE_SYSCALL_MAX));
	EXPECT_EQ(0, count_calls(seen, 0, 100000));
	seen = stop_and_collect(all);
	EXPECT_EQ(1, count_calls(seen, 0, POSIXTRACE_SYSCALL_MAX));
	EXPECT_EQ(1, count_calls(seen, 0, 100000));
	/* The full set is all of them. */
	seen = stop_and_collect(full);
	EXPECT_EQ(1, count_calls(seen, 0, POSIXTRACE_SYSCALL_MAX));
	EXPECT_EQ(1, count_calls(seen, 0, 100000));
}

/* What is asked for is told. */
TEST_F(syscall_filter, is_reported)
{
	struct posixtrace_create arg = kernel_arg(self->pid, CALL_EVENTS);
	struct posixtrace_attr attr;
	unsigned int i;
	struct raw raw;

	raw = running(self->f.device, &arg);
	attr = raw_attr(raw);
	for (i = 0; i < ARRAY_SIZE(attr.syscalls.bits); i++)
		EXPECT_EQ(~0ULL, attr.syscalls.bits[i]);
	choose(&arg, SYS_getppid);
	choose(&arg, POSIXTRACE_SYSCALL_MAX - 1);
	raw = running(self->f.device, &arg);
	attr = raw_attr(raw);
	EXPECT_EQ(0, memcmp(&arg.syscalls, &attr.syscalls,
			    sizeof(arg.syscalls)));
}

/* The same, by the library. */
TEST_F(syscall_filter, is_chosen_by_an_attribute)
{
	static const int numbers[] = { SYS_getppid, SYS_close };
	trace_event_set_t enter = set_of(POSIX_TRACE_LINUX_SYSCALL_ENTER_NP);
	trace_attr_t attr, seen;
	trace_id_t trid;
	int recorded;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setkernelevents_np(&attr, &enter));
	must(posix_trace_attr_setsyscalls_np(&attr, numbers, 2));
	must(posix_trace_attr_setstreamsize(&attr, KERNEL_STREAM_SIZE));
	trid = stream_on(self->pid, &attr);
	must(posix_trace_attr_init(&seen));
	must(posix_trace_get_attr(trid, &seen));
	must(posix_trace_attr_getsyscall_np(&seen, SYS_close, &recorded));
	EXPECT_EQ(1, recorded);
	must(posix_trace_attr_getsyscall_np(&seen, SYS_getuid, &recorded));
	EXPECT_EQ(0, recorded);
	must(posix_trace_start(trid));
	let(&self->f, SERIES, MANY);
	EXPECT_EQ(2 * MANY,
		  drain_count(trid, POSIX_TRACE_LINUX_SYSCALL_ENTER_NP));
}

TEST_F(syscall_filter, needs_its_flag)
{
	struct posixtrace_create arg = kernel_arg(self->pid, CALL_EVENTS);
	struct raw raw;

	choose(&arg, SYS_getppid);
	arg.flags = 0;
	EXPECT_EQ(EINVAL, raw_create(self->f.device, &arg, &raw));
}

TEST_HARNESS_MAIN
