// SPDX-License-Identifier: GPL-2.0-only
/*
 * How streams end with their owner: killed, gone, another program, while others
 * hold its descriptors. When waitpid() tells of the owner's end they are gone.
 */
#include "abi_test.h"
#include "exec_test.h"

#include <sched.h>
#include <sys/socket.h>

#define STREAMS	3

FIXTURE(lifetime) {
	int device;
	__u32 id;
	const struct posixtrace_gate *gate;
	__u32 streams;		/* before the test makes some */
	struct child target;
	struct child owner;
};

/* Answers of the target. */
struct report {
	__u32 wanted;
	int result;
};

struct setting {
	int device;
	__u32 id;
	const struct posixtrace_gate *gate;
	pid_t target;
};

/* The target: each time it is asked it looks at its gate and records. */
static int be_target(const struct child *c, void *arg)
{
	const struct setting *s = arg;
	struct report report;

	for (;;) {
		await(c);
		report.wanted = gate_now(s->gate).wanted;
		report.result = raw_record(s->device, s->id, "data", 4);
		put(c, &report, sizeof(report));
	}
	return 0;
}

static struct report ask(const struct child *target)
{
	struct report report;

	hand(target);
	get(target, &report, sizeof(report));
	return report;
}

/* The owner: streams on the target, and then what the parent says. */
static int be_owner(const struct child *c, void *arg)
{
	const struct setting *s = arg;
	unsigned int i;

	for (i = 0; i < STREAMS; i++)
		raw_running(s->device, s->target);
	hand(c);
	await(c);
	return 0;
}

/* A child that holds the descriptors of its parent, or all its table. */
static int be_holder(void *arg)
{
	const struct child *c = arg;

	hand(c);
	await(c);
	return 0;
}

static int pause_for_ever(void *arg)
{
	(void)arg;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pause();
}

/* Closes a descriptor in the table that it shares with the owner. */
static int close_shared(void *arg)
{
	return close(*(int *)arg);
}

/* Like be_owner(), with a child that has the same table of descriptors. */
static int be_sharing_owner(const struct child *c, void *arg)
{
	static char stack[65536];
	const struct setting *s = arg;
	unsigned int i;

	for (i = 0; i < STREAMS; i++)
		raw_running(s->device, s->target);
	must_be(clone(be_holder, stack + sizeof(stack), CLONE_FILES | SIGCHLD,
		      (void *)c) > 0);
	pause();
	return 0;
}

/* Like be_owner(), with a child that has copies of the descriptors. */
static int be_forking_owner(const struct child *c, void *arg)
{
	const struct setting *s = arg;
	unsigned int i;

	for (i = 0; i < STREAMS; i++)
		raw_running(s->device, s->target);
	if (!fork())
		_exit(be_holder((void *)c));
	pause();
	return 0;
}

static void *make_streams(void *arg)
{
	const struct setting *s = arg;
	unsigned int i;

	for (i = 0; i < STREAMS; i++)
		raw_running(s->device, s->target);
	return NULL;
}

/* Like be_owner(); the thread that made the streams has ended. */
static int be_threaded_owner(const struct child *c, void *arg)
{
	pthread_t thread;

	must(pthread_create(&thread, NULL, make_streams, arg));
	must(pthread_join(thread, NULL));
	hand(c);
	await(c);
	return 0;
}

static void *outlive(void *arg)
{
	const struct child *c = arg;

	hand(c);
	await(c);
	_exit(0);
}

/* Like be_owner(); the first thread ends, another one lives on. */
static int be_leaderless_owner(const struct child *c, void *arg)
{
	pthread_t thread;

	make_streams(arg);
	must(pthread_create(&thread, NULL, outlive, (void *)c));
	syscall(SYS_exit, 0);
	return 0;
}

static int after_exec(const struct child *c, const char *what)
{
	(void)what;
	return be_holder((void *)c);
}

static int be_executing_owner(const struct child *c, void *arg)
{
	make_streams(arg);
	hand(c);
	await(c);
	exec_again(c, "");
	return 1;
}

/* A thread other than the first executes the program. */
static void *exec_in_thread(void *arg)
{
	exec_again(arg, "");
	return NULL;
}

static int be_thread_executing_owner(const struct child *c, void *arg)
{
	pthread_t thread;

	make_streams(arg);
	hand(c);
	await(c);
	must(pthread_create(&thread, NULL, exec_in_thread, (void *)c));
	pause();
	return 1;
}

/* While it executes, a child has the old table with all its descriptors. */
static int be_sharing_executing_owner(const struct child *c, void *arg)
{
	static char stack[65536];

	make_streams(arg);
	hand(c);
	await(c);
	must_be(clone(pause_for_ever, stack + sizeof(stack),
		      CLONE_FILES | SIGCHLD, NULL) > 0);
	exec_again(c, "");
	return 1;
}

static int be_failing_owner(const struct child *c, void *arg)
{
	make_streams(arg);
	execl("/proc/self/nothing", "nothing", NULL);
	hand(c);
	await(c);
	return 0;
}

/* Like be_owner(), and waits in the kernel for an event that never comes. */
static int be_waiting_owner(const struct child *c, void *arg)
{
	const struct setting *s = arg;
	struct raw raw = raw_stream(s->device, s->target);
	struct posixtrace_wait wait = {
		.size = sizeof(wait),
		.stream = raw.number,
	};
	unsigned int i;

	for (i = 1; i < STREAMS; i++)
		raw_running(s->device, s->target);
	hand(c);
	return call(raw.fd, POSIXTRACE_IOC_WAIT, &wait);
}

static struct setting setting;

FIXTURE_SETUP(lifetime)
{
	self->device = device_open();
	self->id = raw_eventid(self->device, "user event");
	self->gate = gate_map(self->device);
	self->streams = streams_now(self->device);
	setting = (struct setting){
		.device = self->device,
		.id = self->id,
		.gate = self->gate,
	};
	child_start(&self->target, be_target, &setting);
	setting.target = self->target.pid;
}

FIXTURE_TEARDOWN(lifetime)
{
	child_kill(&self->target);
}

/* Start the owner of the streams and see that they are there. */
#define START_OWNER(fn) do {						\
	child_start(&self->owner, fn, &setting);			\
	await(&self->owner);						\
	ASSERT_EQ(self->streams + STREAMS, streams_now(self->device));	\
	ASSERT_NE(0, ask(&self->target).wanted);			\
} while (0)

/* The streams are gone, and the target does not feel it. */
#define EXPECT_ALL_GONE() do {						\
	struct report report;						\
									\
	EXPECT_EQ(self->streams, streams_now(self->device));		\
	report = ask(&self->target);					\
	EXPECT_EQ(0, report.wanted);					\
	EXPECT_EQ(0, report.result);					\
} while (0)

/* They are all still there. */
#define EXPECT_ALL_THERE() do {						\
	EXPECT_EQ(self->streams + STREAMS, streams_now(self->device));	\
	EXPECT_NE(0, ask(&self->target).wanted);			\
} while (0)

TEST_F(lifetime, ends_when_the_owner_exits)
{
	START_OWNER(be_owner);
	hand(&self->owner);
	EXPECT_EQ(0, child_end(&self->owner));
	EXPECT_ALL_GONE();
}

TEST_F(lifetime, ends_when_the_owner_is_killed)
{
	START_OWNER(be_owner);
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->owner));
	EXPECT_ALL_GONE();
}

TEST_F(lifetime, ends_when_the_owner_is_killed_while_it_waits)
{
	pid_t pid;

	START_OWNER(be_waiting_owner);
	pid = self->owner.pid;
	ASSERT_TRUE(sleeps_in_call(pid, pid, SYS_ioctl));
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->owner));
	EXPECT_ALL_GONE();
}

TEST_F(lifetime, ends_when_the_owner_dies_of_a_fault)
{
	START_OWNER(be_owner);
	EXPECT_EQ(0, kill(self->owner.pid, SIGSEGV));
	EXPECT_EQ(128 + SIGSEGV, child_end(&self->owner));
	EXPECT_ALL_GONE();
}

TEST_F(lifetime, ends_when_the_owner_executes_another_program)
{
	START_OWNER(be_executing_owner);
	hand(&self->owner);
	await(&self->owner);
	EXPECT_ALL_GONE();
	hand(&self->owner);
	EXPECT_EQ(0, child_end(&self->owner));
}

TEST_F(lifetime, ends_when_a_thread_of_the_owner_executes_a_program)
{
	START_OWNER(be_thread_executing_owner);
	hand(&self->owner);
	await(&self->owner);
	EXPECT_ALL_GONE();
	hand(&self->owner);
	EXPECT_EQ(0, child_end(&self->owner));
}

TEST_F(lifetime, ends_by_exec_though_a_child_shares_the_table)
{
	START_OWNER(be_sharing_executing_owner);
	hand(&self->owner);
	await(&self->owner);
	EXPECT_ALL_GONE();
	hand(&self->owner);
	EXPECT_EQ(0, child_end(&self->owner));
}

TEST_F(lifetime, goes_on_when_an_exec_fails)
{
	START_OWNER(be_failing_owner);
	EXPECT_ALL_THERE();
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->owner));
	EXPECT_ALL_GONE();
}

TEST_F(lifetime, ends_though_a_child_of_the_owner_shares_its_table)
{
	START_OWNER(be_sharing_owner);
	EXPECT_EQ(0, kill(self->owner.pid, SIGKILL));
	EXPECT_EQ(self->owner.pid, waitpid(self->owner.pid, NULL, 0));
	EXPECT_ALL_GONE();
	/* The holder is still there. */
	hand(&self->owner);
}

TEST_F(lifetime, ends_though_a_child_of_the_owner_has_its_descriptors)
{
	START_OWNER(be_forking_owner);
	EXPECT_EQ(0, kill(self->owner.pid, SIGKILL));
	EXPECT_EQ(self->owner.pid, waitpid(self->owner.pid, NULL, 0));
	EXPECT_ALL_GONE();
	hand(&self->owner);
}

TEST_F(lifetime, does_not_end_with_the_thread_that_made_it)
{
	START_OWNER(be_threaded_owner);
	EXPECT_ALL_THERE();
	hand(&self->owner);
	EXPECT_EQ(0, child_end(&self->owner));
	EXPECT_ALL_GONE();
}

TEST_F(lifetime, does_not_end_with_the_first_thread)
{
	START_OWNER(be_leaderless_owner);
	EXPECT_ALL_THERE();
	hand(&self->owner);
	EXPECT_EQ(0, child_end(&self->owner));
	EXPECT_ALL_GONE();
}

/* All threads are killed at once, whoever of them is the last. */
TEST_F(lifetime, ends_when_an_owner_of_several_threads_is_killed)
{
	START_OWNER(be_leaderless_owner);
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->owner));
	EXPECT_ALL_GONE();
}

TEST_F(lifetime, of_the_target_may_end_first)
{
	START_OWNER(be_owner);
	EXPECT_EQ(128 + SIGKILL, child_kill(&self->target));
	EXPECT_EQ(self->streams + STREAMS, streams_now(self->device));
	hand(&self->owner);
	EXPECT_EQ(0, child_end(&self->owner));
	EXPECT_EQ(self->streams, streams_now(self->device));
	/* For the teardown. */
	child_start(&self->target, be_target, &setting);
}

/*
 * Descriptors in other hands. Here the test itself is the owner.
 */

TEST_F(lifetime, is_not_shortened_by_a_child_that_closes_its_copy)
{
	struct raw raw = raw_running(self->device, 0);
	int status;
	pid_t pid;

	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		_exit(close(raw.fd));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(1, raw_peek(raw).running);
	EXPECT_EQ(0, raw_record(self->device, self->id, NULL, 0));
	EXPECT_EQ(2, raw_drain(raw));
}

/* There is no other copy: whoever closes it, it is gone. */
TEST_F(lifetime, ends_when_a_child_closes_it_in_a_shared_table)
{
	static char stack[65536];
	struct raw raw = raw_running(self->device, self->target.pid);
	int status;
	pid_t pid;

	pid = clone(close_shared, stack + sizeof(stack), CLONE_FILES | SIGCHLD,
		    &raw.fd);
	ASSERT_LT(0, pid);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(-1, fcntl(raw.fd, F_GETFD));
	EXPECT_TRUE(wait_until(streams_now(self->device) == self->streams));
	EXPECT_ALL_GONE();
}

TEST_F(lifetime, ends_when_the_owner_closes_the_descriptor)
{
	struct raw raw = raw_running(self->device, self->target.pid);

	EXPECT_EQ(self->streams + 1, streams_now(self->device));
	EXPECT_EQ(0, close(raw.fd));
	EXPECT_ALL_GONE();
}

static int nothing(void *arg)
{
	(void)arg;
	return 0;
}

static bool fork_fails(void)
{
	static char stack[65536];

	/* Other namespaces are for root: EPERM, when all else is copied. */
	return clone(nothing, stack + sizeof(stack), CLONE_NEWUTS | SIGCHLD,
		     NULL) < 0 && errno == EPERM;
}

static bool unshare_fails(void)
{
	return unshare(CLONE_FILES | CLONE_NEWUTS) < 0 && errno == EPERM;
}

/* Another thread, so that there is a table to be unshared. */
static void *stay(void *arg)
{
	(void)arg;
	pause();
	return NULL;
}

/* An owner that makes a copy of its table of descriptors, and fails. */
static int be_failing_copier(const struct child *c, void *arg)
{
	bool (*fails)(void) = arg;
	struct raw raw = raw_running(setting.device, 0);
	pthread_t thread;

	(void)c;
	must(pthread_create(&thread, NULL, stay, NULL));
	must(become_user(1000));
	must_be(fails());
	must_be(raw_peek(raw).running);
	must(raw_record(setting.device, POSIXTRACE_EV_UNNAMED, NULL, 0));
	must_be(raw_drain(raw) == 2);
	return 0;
}

/* The copy for the child is closed by the owner, who has its own. */
TEST_F(lifetime, is_not_ended_by_a_fork_that_fails)
{
	EXPECT_EQ(0, in_child(be_failing_copier, fork_fails));
	EXPECT_EQ(self->streams, streams_now(self->device));
}

TEST_F(lifetime, is_not_ended_by_an_unshare_that_fails)
{
	EXPECT_EQ(0, in_child(be_failing_copier, unshare_fails));
	EXPECT_EQ(self->streams, streams_now(self->device));
}

TEST_F(lifetime, leaves_its_place_at_the_shutdown)
{
	struct raw raw = raw_running(self->device, self->target.pid);

	EXPECT_EQ(0, raw_control(raw, POSIXTRACE_IOC_SHUTDOWN));
	EXPECT_ALL_GONE();
	EXPECT_EQ(EINVAL, raw_control(raw, POSIXTRACE_IOC_SHUTDOWN));
	EXPECT_EQ(0, close(raw.fd));
	EXPECT_EQ(self->streams, streams_now(self->device));
}

struct sent {
	int sock;
	struct raw raw;
};

/* Another process that is sent the descriptor of a stream. */
static int be_receiver(const struct child *c, void *arg)
{
	unsigned long commands[] = {
		POSIXTRACE_IOC_START, POSIXTRACE_IOC_STOP, POSIXTRACE_IOC_CLEAR,
		POSIXTRACE_IOC_SHUTDOWN, POSIXTRACE_IOC_TYPELIST_REWIND,
	};
	struct sent *sent = arg;
	struct raw_event event;
	unsigned int i, wrong = 0;

	close(sent->raw.fd);
	sent->raw.fd = receive_fd(sent->sock);
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		wrong += raw_control(sent->raw, commands[i]) != EINVAL;
	wrong += raw_next(sent->raw, &event) != EINVAL;
	wrong += read(sent->raw.fd, &event, sizeof(event)) != -1 ||
		 errno != EINVAL;
	hand(c);
	await(c);	/* the owner closes it; it is still open here */
	wrong += raw_control(sent->raw, POSIXTRACE_IOC_START) != EINVAL;
	return (int)wrong;
}

TEST_F(lifetime, is_not_passed_on_with_the_descriptor)
{
	struct sent sent;
	struct child c;
	int pair[2];

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	sent.sock = pair[1];
	sent.raw = raw_running(self->device, self->target.pid);
	child_start(&c, be_receiver, &sent);
	send_fd(pair[0], sent.raw.fd);
	await(&c);
	EXPECT_EQ(1, raw_peek(sent.raw).running);
	EXPECT_EQ(1, raw_drain(sent.raw));
	EXPECT_EQ(0, close(sent.raw.fd));
	EXPECT_ALL_GONE();
	hand(&c);
	EXPECT_EQ(0, child_end(&c));
}

TEST_F(lifetime, is_close_on_exec)
{
	struct raw raw = raw_stream(self->device, 0);

	EXPECT_EQ(FD_CLOEXEC, fcntl(raw.fd, F_GETFD));
}

TEST_F(lifetime, of_a_trid_ends_with_its_stream)
{
	trace_id_t old = running_stream(), new;
	int fd, other = open("/dev/null", O_RDWR | O_CLOEXEC);

	ASSERT_EQ(0, posix_trace_get_fd_np(old, &fd));
	EXPECT_EQ(0, posix_trace_shutdown(old));

	/* A stream has its descriptor. */
	new = self_stream(NULL);
	EXPECT_EQ((trace_id_t)fd, new & 0xffffff);
	EXPECT_EQ(EINVAL, posix_trace_start(old));
	EXPECT_EQ(POSIX_TRACE_SUSPENDED, status_of(new).posix_stream_status);
	EXPECT_EQ(EINVAL, posix_trace_shutdown(old));
	EXPECT_EQ(0, posix_trace_shutdown(new));

	/* A file has it. */
	ASSERT_EQ(fd, dup2(other, fd));
	EXPECT_EQ(EINVAL, posix_trace_start(old));
	EXPECT_EQ(EINVAL, posix_trace_shutdown(new));
	EXPECT_EQ(0, fcntl(fd, F_GETFD));

	/* Nothing has it. */
	EXPECT_EQ(0, close(fd));
	EXPECT_EQ(EINVAL, posix_trace_start(old));
}

TEST_HARNESS_MAIN
