// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel events linux_syscall_enter and linux_syscall_exit: recorded for
 * streams that asked for them, of all that a process calls, instrumented or not.
 */
#include "abi_test.h"

#include <linux/audit.h>

#if defined(__x86_64__)
#define NATIVE_ARCH	AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCH	AUDIT_ARCH_AARCH64
#endif

#define ENTER		POSIXTRACE_EV_SYSCALL_ENTER
#define EXIT		POSIXTRACE_EV_SYSCALL_EXIT

/* No system call of any architecture has this number. */
#define NO_CALL		5000

#define MANY		1000

/* What the target did, for the parent to compare. */
struct report {
	pid_t parent;
	int null;		/* descriptor of /dev/null */
	int out;		/* of the pipe to the parent */
	__u64 text;		/* address of what it wrote there */
	__u64 mapped;
	int refusal;		/* of a call that does not exist */
};

FIXTURE(syscall_events) {
	int device;
	struct child c;
};

FIXTURE_SETUP(syscall_events)
{
	self->device = device_open();
}

FIXTURE_TEARDOWN(syscall_events)
{
}

/* A stream for @pid that can record the kernel events in @events, a mask. */
static struct raw stream_with(int device, pid_t pid, __u64 events)
{
	struct posixtrace_create arg = create_arg(pid);
	struct raw raw;

	arg.stream_size = 4 << 20;
	arg.kernel_events.bits[0] = events;
	must(raw_create(device, &arg, &raw));
	return raw;
}

#define MASK(id)	((__u64)1 << (id))
#define BOTH		(MASK(ENTER) | MASK(EXIT))

static struct raw running_with(int device, pid_t pid, __u64 events)
{
	struct raw raw = stream_with(device, pid, events);

	must(raw_control(raw, POSIXTRACE_IOC_START));
	return raw;
}

/* Let @c go on, wait until it is done, then stop @raw. */
static void let(const struct child *c, struct raw raw)
{
	hand(c);
	await(c);
	must(raw_control(raw, POSIXTRACE_IOC_STOP));
}

/* Take the next event that is of type @id. */
static bool find(struct raw raw, __u32 id, struct raw_event *event)
{
	while (!raw_next(raw, event)) {
		if (event->record.event_id == id)
			return true;
	}
	return false;
}

static int call_number(const struct raw_event *event)
{
	__s32 nr;

	memcpy(&nr, event->data, sizeof(nr));
	return nr;
}

/* Read @raw until it is empty; how many events of type @id are of call @nr. */
static unsigned int count_calls(struct raw raw, __u32 id, int nr)
{
	struct raw_event event;
	unsigned int n = 0;

	while (find(raw, id, &event))
		n += call_number(&event) == nr;
	return n;
}

/* Read @raw until it is empty; how many events of type @id there are. */
static unsigned int count_type(struct raw raw, __u32 id)
{
	struct raw_event event;
	unsigned int n = 0;

	while (find(raw, id, &event))
		n++;
	return n;
}

/*
 * A known series of calls
 */

static int do_series(const struct child *c, void *arg)
{
	static const char text[] = "12345";
	struct report report = {
		.parent = getppid(),
		.null = open("/dev/null", O_WRONLY | O_CLOEXEC),
		.out = c->out,
		.text = (uintptr_t)text,
	};

	(void)arg;
	hand(c);
	await(c);
	syscall(SYS_getppid);
	syscall(SYS_write, report.null, text, 5);
	syscall(SYS_close, -1L);
	report.mapped = syscall(SYS_mmap, 0L, 8192L, (long)PROT_NONE,
				(long)MAP_PRIVATE | MAP_ANONYMOUS, -1L, 4096L);
	must_be(syscall(NO_CALL) == -1);
	report.refusal = errno;
	put(c, &report, sizeof(report));
	await(c);
	return 0;
}

/* The next event is the call with the number and the arguments given. */
#define EXPECT_ENTER(raw, ...) do {					\
	struct posixtrace_syscall_enter enter;				\
	__u64 args[] = { __VA_ARGS__ };	/* the first is its number */	\
	struct raw_event seen;						\
	unsigned int arg;						\
									\
	ASSERT_EQ(0, raw_next(raw, &seen));				\
	ASSERT_EQ(ENTER, seen.record.event_id);				\
	ASSERT_EQ(sizeof(enter), seen.record.data_size);		\
	memcpy(&enter, seen.data, sizeof(enter));			\
	EXPECT_EQ((__s32)args[0], enter.nr);				\
	EXPECT_EQ(NATIVE_ARCH, enter.arch);				\
	for (arg = 1; arg < ARRAY_SIZE(args); arg++)			\
		EXPECT_EQ(args[arg], enter.args[arg - 1]);		\
	EXPECT_EQ(self->c.pid, seen.record.pid);			\
	EXPECT_EQ(self->c.pid, seen.record.tid);			\
} while (0)

/* The next event is the return of @result from call @number. */
#define EXPECT_EXIT(raw, number, result) do {				\
	struct posixtrace_syscall_exit leave;				\
	struct raw_event seen;						\
									\
	ASSERT_EQ(0, raw_next(raw, &seen));				\
	ASSERT_EQ(EXIT, seen.record.event_id);				\
	ASSERT_EQ(sizeof(leave), seen.record.data_size);		\
	memcpy(&leave, seen.data, sizeof(leave));			\
	EXPECT_EQ(number, leave.nr);					\
	EXPECT_EQ(NATIVE_ARCH, leave.arch);				\
	EXPECT_EQ(result, leave.ret);					\
	EXPECT_EQ(self->c.pid, seen.record.pid);			\
	EXPECT_EQ(self->c.pid, seen.record.tid);			\
} while (0)

TEST_F(syscall_events, tell_calls_arguments_and_results)
{
	struct report report;
	struct raw raw;

	child_start(&self->c, do_series, NULL);
	await(&self->c);
	/* Wait for it to sleep, so that its first event is known. */
	ASSERT_TRUE(sleeps_in_call(self->c.pid, self->c.pid, SYS_read));
	raw = running_with(self->device, self->c.pid, BOTH);
	hand(&self->c);
	get(&self->c, &report, sizeof(report));
	EXPECT_EQ(0, raw_control(raw, POSIXTRACE_IOC_STOP));

	ASSERT_EQ(0, raw_next(raw, &(struct raw_event){ }));	/* START */
	EXPECT_EXIT(raw, SYS_read, 1);
	EXPECT_ENTER(raw, SYS_getppid);
	EXPECT_EXIT(raw, SYS_getppid, report.parent);
	EXPECT_ENTER(raw, SYS_write, report.null, report.text, 5);
	EXPECT_EXIT(raw, SYS_write, 5);
	EXPECT_ENTER(raw, SYS_close, -1L);
	EXPECT_EXIT(raw, SYS_close, -EBADF);
	EXPECT_ENTER(raw, SYS_mmap, 0, 8192, PROT_NONE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1L, 4096);
	EXPECT_EXIT(raw, SYS_mmap, (__s64)report.mapped);
	EXPECT_ENTER(raw, NO_CALL);
	EXPECT_EXIT(raw, NO_CALL, -report.refusal);
	EXPECT_ENTER(raw, SYS_write, report.out);
	hand(&self->c);
	EXPECT_EQ(0, child_end(&self->c));
}

static int do_many(const struct child *c, void *arg)
{
	unsigned int i;

	(void)arg;
	for (;;) {
		await(c);
		for (i = 0; i < MANY; i++)
			syscall(SYS_getppid);
		hand(c);
	}
	return 0;
}

TEST_F(syscall_events, are_not_recorded_unless_asked_for)
{
	struct raw asking, raw;

	child_start(&self->c, do_many, NULL);
	asking = running_with(self->device, self->c.pid, BOTH);
	raw = raw_running(self->device, self->c.pid);
	let(&self->c, asking);
	EXPECT_EQ(1, raw_peek(raw).recorded);
	EXPECT_EQ(0, raw_peek(raw).lost);
	EXPECT_LT(2 * MANY, raw_peek(asking).recorded);
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->c));
}

TEST_F(syscall_events, are_counted_exactly)
{
	struct raw enters, exits, raw;

	child_start(&self->c, do_many, NULL);
	enters = running_with(self->device, self->c.pid, MASK(ENTER));
	exits = running_with(self->device, self->c.pid, MASK(EXIT));
	raw = running_with(self->device, self->c.pid, BOTH);
	let(&self->c, raw);
	EXPECT_EQ(0, raw_control(enters, POSIXTRACE_IOC_STOP));
	EXPECT_EQ(0, raw_control(exits, POSIXTRACE_IOC_STOP));
	EXPECT_EQ(0, raw_peek(raw).lost);
	EXPECT_EQ(0, raw_peek(raw).overwritten);
	EXPECT_EQ(MANY, count_calls(enters, ENTER, SYS_getppid));
	EXPECT_EQ(MANY, count_calls(exits, EXIT, SYS_getppid));
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->c));
}

TEST_F(syscall_events, of_a_type_not_asked_for_are_not_recorded)
{
	struct raw enters, exits;

	child_start(&self->c, do_many, NULL);
	enters = running_with(self->device, self->c.pid, MASK(ENTER));
	exits = running_with(self->device, self->c.pid, MASK(EXIT));
	let(&self->c, enters);
	EXPECT_EQ(0, raw_control(exits, POSIXTRACE_IOC_STOP));
	EXPECT_EQ(0, count_type(enters, EXIT));
	EXPECT_EQ(0, count_type(exits, ENTER));
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->c));
}

TEST_F(syscall_events, come_in_pairs)
{
	struct raw_event enter, leave;
	unsigned int n = 0;
	struct raw raw;

	child_start(&self->c, do_many, NULL);
	raw = running_with(self->device, self->c.pid, BOTH);
	let(&self->c, raw);
	while (find(raw, ENTER, &enter)) {
		/* It may have been on its way into its first read(). */
		if (call_number(&enter) != SYS_getppid)
			continue;
		ASSERT_EQ(0, raw_next(raw, &leave));
		EXPECT_EQ(EXIT, leave.record.event_id);
		EXPECT_EQ(SYS_getppid, call_number(&leave));
		EXPECT_LE(enter.record.timestamp, leave.record.timestamp);
		n++;
	}
	EXPECT_EQ(MANY, n);
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->c));
}

TEST_F(syscall_events, can_be_filtered)
{
	struct posixtrace_filter none = {
		.size = sizeof(none),
		.how = POSIXTRACE_SET_EVENTSET,
	};
	struct raw raw;

	child_start(&self->c, do_many, NULL);
	raw = stream_with(self->device, self->c.pid, BOTH);
	raw_filter_out(raw, EXIT);
	EXPECT_EQ(0, raw_control(raw, POSIXTRACE_IOC_START));
	let(&self->c, raw);
	EXPECT_LE(2 * MANY, 2 * raw_peek(raw).recorded);
	EXPECT_EQ(0, count_type(raw, EXIT));

	raw_filter_out(raw, ENTER);
	EXPECT_EQ(0, raw_control(raw, POSIXTRACE_IOC_START));
	let(&self->c, raw);
	EXPECT_EQ(2, raw_drain(raw));	/* START and STOP */

	none.stream = raw.number;
	EXPECT_EQ(0, call(raw.fd, POSIXTRACE_IOC_SET_FILTER, &none));
	EXPECT_EQ(0, raw_control(raw, POSIXTRACE_IOC_START));
	let(&self->c, raw);
	EXPECT_EQ(MANY, count_calls(raw, EXIT, SYS_getppid));
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->c));
}

TEST_F(syscall_events, are_not_recorded_while_suspended)
{
	struct raw raw;

	child_start(&self->c, do_many, NULL);
	raw = stream_with(self->device, self->c.pid, BOTH);
	hand(&self->c);
	await(&self->c);
	EXPECT_EQ(0, raw_peek(raw).recorded);
	EXPECT_EQ(0, raw_peek(raw).lost);
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->c));
}

TEST_F(syscall_events, of_others_are_not_recorded)
{
	struct raw_event event;
	struct child sibling;
	struct raw raw;
	unsigned int i;

	child_start(&self->c, do_many, NULL);
	child_start(&sibling, do_many, NULL);
	raw = running_with(self->device, self->c.pid, BOTH);
	hand(&sibling);
	for (i = 0; i < MANY; i++)
		syscall(SYS_getppid);
	let(&self->c, raw);
	await(&sibling);
	while (!raw_next(raw, &event))
		EXPECT_EQ(self->c.pid, event.record.pid);
	EXPECT_EQ(128 + SIGKILL, child_kill(&sibling));
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->c));
}

/* A child of the target, which is not traced. */
static int do_fork(const struct child *c, void *arg)
{
	pid_t pid;

	(void)arg;
	await(c);
	pid = fork();
	if (!pid) {
		syscall(SYS_getppid);
		_exit(0);
	}
	must_be(waitpid(pid, NULL, 0) == pid);
	hand(c);
	await(c);
	return 0;
}

TEST_F(syscall_events, of_a_child_of_the_target_are_not_recorded)
{
	struct raw raw;

	child_start(&self->c, do_fork, NULL);
	raw = running_with(self->device, self->c.pid, BOTH);
	let(&self->c, raw);
	EXPECT_LT(1, raw_peek(raw).recorded);
	EXPECT_EQ(0, count_calls(raw, ENTER, SYS_getppid));
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->c));
}

static void *call_in_thread(void *arg)
{
	pid_t *tid = arg;

	*tid = (pid_t)syscall(SYS_gettid);
	syscall(SYS_getppid);
	return NULL;
}

static int do_threads(const struct child *c, void *arg)
{
	pthread_t thread;
	pid_t tids[2];
	int i;

	(void)arg;
	await(c);
	for (i = 0; i < 2; i++) {
		must(pthread_create(&thread, NULL, call_in_thread, &tids[i]));
		must(pthread_join(thread, NULL));
	}
	put(c, tids, sizeof(tids));
	await(c);
	return 0;
}

TEST_F(syscall_events, tell_the_thread)
{
	struct raw_event event;
	struct raw raw;
	pid_t tids[2];
	int i;

	child_start(&self->c, do_threads, NULL);
	raw = running_with(self->device, self->c.pid, MASK(ENTER));
	hand(&self->c);
	get(&self->c, tids, sizeof(tids));
	EXPECT_NE(self->c.pid, tids[0]);
	for (i = 0; i < 2; i++) {
		do {
			ASSERT_TRUE(find(raw, ENTER, &event));
		} while (call_number(&event) != SYS_getppid);
		EXPECT_EQ(tids[i], event.record.tid);
		EXPECT_EQ(self->c.pid, event.record.pid);
	}
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->c));
}

/* The reader's own calls are events as well, and it must come to an end. */
TEST_F(syscall_events, of_oneself)
{
	struct raw raw = running_with(self->device, 0, MASK(ENTER));
	unsigned int i;

	for (i = 0; i < MANY; i++)
		syscall(SYS_getppid);
	EXPECT_EQ(0, raw_control(raw, POSIXTRACE_IOC_STOP));
	EXPECT_EQ(MANY, count_calls(raw, ENTER, SYS_getppid));
}

TEST_F(syscall_events, have_names)
{
	struct raw raw = stream_with(self->device, 0, BOTH);
	struct posixtrace_name name = {
		.size = sizeof(name),
		.stream = raw.number,
		.event_id = ENTER,
	};

	EXPECT_EQ(0, call(raw.fd, POSIXTRACE_IOC_EVENTID_GET_NAME, &name));
	EXPECT_STREQ("linux_syscall_enter", name.name);
	name.event_id = EXIT;
	EXPECT_EQ(0, call(raw.fd, POSIXTRACE_IOC_EVENTID_GET_NAME, &name));
	EXPECT_STREQ("linux_syscall_exit", name.name);
}

TEST_F(syscall_events, come_through_the_library)
{
	struct posixtrace_syscall_exit leave;
	trace_event_set_t set, seen;
	trace_attr_t attr;
	trace_id_t trid;
	struct ev ev;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_getkernelevents_np(&attr, &seen));
	EXPECT_FALSE(is_member(POSIX_TRACE_LINUX_SYSCALL_EXIT_NP, &seen));
	set = set_of(POSIX_TRACE_LINUX_SYSCALL_EXIT_NP);
	EXPECT_EQ(0, posix_trace_attr_setkernelevents_np(&attr, &set));

	child_start(&self->c, do_many, NULL);
	trid = stream_on(self->c.pid, &attr);
	must(posix_trace_start(trid));
	must(posix_trace_get_attr(trid, &attr));
	must(posix_trace_attr_getkernelevents_np(&attr, &seen));
	EXPECT_EQ(0, memcmp(&set, &seen, sizeof(set)));

	hand(&self->c);
	await(&self->c);
	do {
		ASSERT_TRUE(ev_find(trid, POSIX_TRACE_LINUX_SYSCALL_EXIT_NP,
				    &ev));
		ASSERT_EQ(sizeof(leave), ev.len);
		memcpy(&leave, ev.data, sizeof(leave));
	} while (leave.nr != SYS_getppid);
	EXPECT_EQ(getpid(), leave.ret);
	EXPECT_EQ(self->c.pid, ev.info.posix_pid);
	EXPECT_EQ(self->c.pid, ev.info.posix_tid_np);
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->c));
}

TEST_HARNESS_MAIN
