// SPDX-License-Identifier: GPL-2.0-only
/*
 * A log whose file hangs: it is on a file system that does not answer. That
 * holds up the owner of the stream and nobody else, and when the file system is
 * gone nothing is left of it.
 */
#include "abi_test.h"
#include "fuse_test.h"

#include <sys/wait.h>

#define ALICE	1000
#define BOB	1001
#define SMALL	100	/* events that a stream has to hold */

/* The owner of the log that hangs, and where. */
enum hanging {
	IN_FLUSH,
	IN_SHUTDOWN,
	IN_CLOSE,
	IN_EXIT,
};

struct owner {
	trace_event_id_t u;
	struct served file;
	enum hanging where;
	size_t size;		/* of the stream; 0: small */
	int sock;		/* to here goes the descriptor; -1: nowhere */
};

FIXTURE(log_hang) {
	struct owner owner;
	struct child child;	/* that is the owner */
	int device;
	__u32 streams;		/* before there are some */
};

static trace_id_t hanging_log(const struct owner *o)
{
	trace_attr_t attr;

	log_attr(&attr, POSIX_TRACE_LOOP, SMALL, POSIX_TRACE_APPEND, 0);
	if (o->size)
		must(posix_trace_attr_setstreamsize(&attr, o->size));
	return running_log(&attr, o->file.fd);
}

/* What is written when the server of the file system has ended, or just ends. */
static bool is_gone(int err)
{
	return err == ENOTCONN || err == ECONNABORTED;
}

static void hang(const struct owner *o, trace_id_t trid, int fd)
{
	const atomic_int *hold = &o->file.control->hold;
	int err;

	switch (o->where) {
	case IN_FLUSH:
		err = posix_trace_flush(trid);
		must_be(err == (*hold ? ECONNABORTED : 0));
		/* It may be of no use any more, but can be shut down. */
		err = posix_trace_shutdown(trid);
		must_be(*hold ? is_gone(err) : !err);
		return;
	case IN_SHUTDOWN:
		err = posix_trace_shutdown(trid);
		must_be(err == (*hold ? ECONNABORTED : 0));
		return;
	case IN_CLOSE:
		must_be(!close(fd));
		return;
	case IN_EXIT:
		return;
	}
}

/* A process that has a log, and writes to it when it may go on. */
static int be_owner(const struct child *c, void *arg)
{
	const struct owner *o = arg;
	trace_id_t trid;
	int fd;

	must(become_user(ALICE));
	trid = hanging_log(o);
	must(posix_trace_get_fd_np(trid, &fd));
	if (o->sock >= 0)
		send_fd(o->sock, fd);
	record_num(o->u, 1);
	hand(c);
	await(c);
	hang(o, trid, fd);
	return 0;
}

FIXTURE_SETUP(log_hang)
{
	self->device = device_open();
	self->streams = streams_now(self->device);
	self->owner.u = open_event("u");
	self->owner.sock = -1;
	if (!served_start(&self->owner.file))
		SKIP(return, "needs FUSE, and root");
}

/* The end of the file system is the end of all that waits for it. */
FIXTURE_TEARDOWN(log_hang)
{
	if (self->owner.file.server.pid > 0)
		kill(self->owner.file.server.pid, SIGKILL);
}

/* Have the owner hang. */
static void owner_hangs(struct owner *o, struct child *c, enum hanging where)
{
	o->where = where;
	child_start(c, be_owner, o);
	await(c);
	served_hold(&o->file);
	hand(c);
	must_be(served_is_held(&o->file));
}

/* The process ends, in time and with 0. */
static bool ends_well(struct child *c)
{
	int status = -1;

	return wait_until(waitpid(c->pid, &status, WNOHANG) == c->pid) &&
	       !status;
}

#define EXPECT_ENDS_WELL(fn, arg) do {					\
	struct child well;						\
									\
	child_start(&well, fn, arg);					\
	EXPECT_TRUE(ends_well(&well));					\
} while (0)

/* The log hangs all the time. */
#define EXPECT_STILL_HANGS(more) do {					\
	EXPECT_TRUE(self->owner.file.control->held);			\
	EXPECT_EQ(self->streams + (more), streams_now(self->device));	\
} while (0)

#define EXPECT_ALL_GONE()						\
	EXPECT_TRUE(wait_until(streams_now(self->device) == self->streams))

/*
 * Other streams
 */

/* Log streams of this process do all that they can do. */
static void use_logs(trace_event_id_t u)
{
	int asked_file = log_file(), own_file = log_file();
	struct contents c;
	trace_attr_t attr;
	trace_id_t asked, by_itself;

	log_attr(&attr, POSIX_TRACE_LOOP, SMALL, POSIX_TRACE_APPEND, 0);
	asked = running_log(&attr, asked_file);
	log_attr(&attr, POSIX_TRACE_FLUSH, SMALL, POSIX_TRACE_APPEND, 0);
	by_itself = running_log(&attr, own_file);
	record_nums(u, 1, SMALL - 10);
	must(posix_trace_flush(asked));
	must_be(flushed_by_itself(by_itself));
	must(posix_trace_clear(by_itself));
	c = contents_after(asked, asked_file);
	must_be(c.users == SMALL - 10 && c.info.posix_finished);
	record_num(u, 1);
	c = contents_after(by_itself, own_file);
	must_be(c.users && c.info.posix_finished);
	close(asked_file);
	close(own_file);
}

struct other {
	uid_t uid;
	trace_event_id_t u;
};

static int be_other(const struct child *c, void *arg)
{
	const struct other *other = arg;

	must(become_user(other->uid));
	use_logs(other->u);
	return 0;
}

FIXTURE(log_hang_where) {
	struct owner owner;
	struct child child;
	int device;
	__u32 streams;
};

FIXTURE_VARIANT(log_hang_where) {
	enum hanging where;
};

FIXTURE_VARIANT_ADD(log_hang_where, flush) { IN_FLUSH };
FIXTURE_VARIANT_ADD(log_hang_where, shutdown) { IN_SHUTDOWN };
FIXTURE_VARIANT_ADD(log_hang_where, close) { IN_CLOSE };
FIXTURE_VARIANT_ADD(log_hang_where, exit) { IN_EXIT };

FIXTURE_SETUP(log_hang_where)
{
	self->device = device_open();
	self->streams = streams_now(self->device);
	self->owner.u = open_event("u");
	self->owner.sock = -1;
	if (!served_start(&self->owner.file))
		SKIP(return, "needs FUSE, and root");
	owner_hangs(&self->owner, &self->child, variant->where);
}

FIXTURE_TEARDOWN(log_hang_where)
{
	if (self->owner.file.server.pid > 0)
		kill(self->owner.file.server.pid, SIGKILL);
}

/* The same user's, another user's, root's. */
TEST_F(log_hang_where, logs_of_others_go_on)
{
	static const uid_t uids[] = { ALICE, BOB, 0 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(uids); i++) {
		struct other other = { uids[i], self->owner.u };

		EXPECT_ENDS_WELL(be_other, &other);
		EXPECT_STILL_HANGS(1);
	}
	served_abort(&self->owner.file);
	EXPECT_TRUE(ends_well(&self->child));
	EXPECT_ALL_GONE();
}

/* When the file system answers after all, nothing was wrong. */
TEST_F(log_hang_where, ends_when_the_file_system_answers)
{
	struct contents c;

	served_go_on(&self->owner.file);
	EXPECT_TRUE(ends_well(&self->child));
	EXPECT_ALL_GONE();
	c = contents_of(self->owner.file.fd);
	EXPECT_NUMBERS(1, 1, c);
	EXPECT_TRUE(c.info.posix_finished);
	served_abort(&self->owner.file);
}

/* A signal does not end the owner before; then it does. */
TEST_F(log_hang_where, killed_owner_ends_with_the_file_system)
{
	int status;

	kill(self->child.pid, SIGKILL);
	EXPECT_EQ(0, waitpid(self->child.pid, &status, WNOHANG));
	EXPECT_STILL_HANGS(1);
	served_abort(&self->owner.file);
	EXPECT_TRUE(wait_until(waitpid(self->child.pid, &status, WNOHANG) ==
			       self->child.pid));
	EXPECT_ALL_GONE();
}

/* A thread that makes one call. */
struct call {
	int (*fn)(trace_id_t trid);
	trace_id_t trid;
	pthread_t thread;
	atomic_int tid;
	int err;
};

static void *make_call(void *arg)
{
	struct call *call = arg;

	call->tid = gettid();
	call->err = call->fn(call->trid);
	return NULL;
}

static void call_start(struct call *call)
{
	must(pthread_create(&call->thread, NULL, make_call, call));
}

/* True once it waits for others, whom no signal stops. */
static bool call_waits(const struct call *call)
{
	return wait_until(call->tid && thread_state(call->tid) == 'D');
}

/* The owner's other threads and other streams do as well. */
TEST_F(log_hang, other_logs_of_its_owner_go_on)
{
	struct call f = {
		.fn = posix_trace_flush, .trid = hanging_log(&self->owner),
	};

	record_num(self->owner.u, 1);
	served_hold(&self->owner.file);
	call_start(&f);
	ASSERT_TRUE(served_is_held(&self->owner.file));
	use_logs(self->owner.u);
	EXPECT_STILL_HANGS(1);
	served_abort(&self->owner.file);
	must(pthread_join(f.thread, NULL));
	EXPECT_EQ(ECONNABORTED, f.err);
	EXPECT_EQ(ECONNABORTED,
		  status_of(f.trid).posix_stream_flush_error);
	EXPECT_TRUE(is_gone(posix_trace_shutdown(f.trid)));
	EXPECT_EQ(self->streams, streams_now(self->device));
}

/* The log of a stream that was shut down is complete, whatever else waits. */
TEST_F(log_hang, clear_does_not_spoil_a_log_that_is_finished)
{
	struct call calls[] = {
		{ .fn = posix_trace_flush },
		{ .fn = posix_trace_clear },
		{ .fn = posix_trace_shutdown },
	};
	trace_id_t trid = hanging_log(&self->owner);
	struct contents c;
	unsigned int i;

	record_num(self->owner.u, 1);
	served_hold(&self->owner.file);
	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		calls[i].trid = trid;
		call_start(&calls[i]);
		ASSERT_TRUE(call_waits(&calls[i]));
		ASSERT_TRUE(served_is_held(&self->owner.file));
	}
	served_go_on(&self->owner.file);
	for (i = 0; i < ARRAY_SIZE(calls); i++)
		must(pthread_join(calls[i].thread, NULL));
	/* The shutdown has asked first: the others ask one at a time. */
	EXPECT_EQ(0, calls[0].err);
	EXPECT_EQ(EINVAL, calls[1].err);
	EXPECT_EQ(0, calls[2].err);
	EXPECT_ALL_GONE();
	c = contents_of(self->owner.file.fd);
	EXPECT_NUMBERS(1, 1, c);
	EXPECT_TRUE(c.info.posix_finished);
	served_abort(&self->owner.file);
}

/*
 * Descriptors that are not the owner's
 */

/* Has the descriptor, and the rights of another user. */
static int be_receiver(const struct child *c, void *arg)
{
	int fd = receive_fd(*(int *)arg);

	must(become_user(BOB));
	hand(c);
	await(c);
	must_be(!close(fd));
	return 0;
}

/* Passed on (SCM_RIGHTS): who closes it does not wait, however the owner does. */
TEST_F(log_hang, receiver_of_the_descriptor_does_not_wait)
{
	static const enum hanging where[] = {
		IN_FLUSH, IN_SHUTDOWN, IN_CLOSE, IN_EXIT,
	};
	struct child c;
	unsigned int i;
	int pair[2];

	must_be(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair));
	self->owner.sock = pair[1];
	for (i = 0; i < ARRAY_SIZE(where); i++) {
		child_start(&c, be_receiver, &pair[0]);
		owner_hangs(&self->owner, &self->child, where[i]);
		await(&c);
		hand(&c);
		EXPECT_TRUE(ends_well(&c));
		EXPECT_STILL_HANGS(1);
		served_abort(&self->owner.file);
		EXPECT_TRUE(ends_well(&self->child));
		EXPECT_ALL_GONE();
		close(self->owner.file.fd);
		self->owner.file.fd = -1;
		if (i + 1 < ARRAY_SIZE(where))
			must_be(served_start(&self->owner.file));
	}
}

static int close_shared(void *arg)
{
	return close(*(int *)arg);
}

/* A process that shares the owner's table of descriptors closes it, at last. */
static pid_t close_elsewhere(int *fd)
{
	static char stack[65536];
	pid_t pid = clone(close_shared, stack + sizeof(stack),
			  CLONE_FILES | SIGCHLD, fd);

	must_be(pid > 0);
	return pid;
}

/* Nobody at all waits for a log without owner; it ends with the file system. */
TEST_F(log_hang, last_reference_that_is_not_the_owners_does_not_wait)
{
	trace_id_t trid = hanging_log(&self->owner);
	struct child closer = {};
	struct other other = { BOB, self->owner.u };
	int fd;

	must(posix_trace_get_fd_np(trid, &fd));
	record_num(self->owner.u, 1);
	served_hold(&self->owner.file);
	closer.pid = close_elsewhere(&fd);
	EXPECT_TRUE(ends_well(&closer));
	EXPECT_TRUE(served_is_held(&self->owner.file));
	EXPECT_STILL_HANGS(1);
	/* Neither this process nor another one notices. */
	use_logs(self->owner.u);
	EXPECT_ENDS_WELL(be_other, &other);
	EXPECT_STILL_HANGS(1);
	served_abort(&self->owner.file);
	EXPECT_ALL_GONE();
}

/* The same log is finished when the file system answers. */
TEST_F(log_hang, log_without_owner_is_finished)
{
	trace_id_t trid = hanging_log(&self->owner);
	struct child closer = {};
	struct contents c;
	int fd;

	must(posix_trace_get_fd_np(trid, &fd));
	record_num(self->owner.u, 1);
	served_hold(&self->owner.file);
	closer.pid = close_elsewhere(&fd);
	EXPECT_TRUE(ends_well(&closer));
	EXPECT_TRUE(served_is_held(&self->owner.file));
	served_go_on(&self->owner.file);
	EXPECT_ALL_GONE();
	c = contents_of(self->owner.file.fd);
	EXPECT_NUMBERS(1, 1, c);
	EXPECT_TRUE(c.info.posix_finished);
	served_abort(&self->owner.file);
}

/*
 * Memory
 */

/* Create a stream of this size as alice; the error. */
static int create_as_alice(const struct child *c, void *arg)
{
	trace_attr_t attr;
	trace_id_t trid;

	must(become_user(ALICE));
	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setstreamsize(&attr, *(size_t *)arg));
	return posix_trace_create(0, &attr, &trid);
}

/* What the stream takes of its user's quota is taken until it is gone. */
TEST_F(log_hang, memory_is_given_back)
{
	struct posixtrace_limits limits = { .size = sizeof(limits) };
	size_t most;

	must(call(self->device, POSIXTRACE_IOC_LIMITS, &limits));
	if (!limits.user_quota)
		SKIP(return, "there is no quota");
	most = limits.user_quota / 4 * 3;
	self->owner.size = most;
	owner_hangs(&self->owner, &self->child, IN_EXIT);
	EXPECT_EQ(ENOMEM, in_child(create_as_alice, &most));
	kill(self->child.pid, SIGKILL);
	EXPECT_EQ(ENOMEM, in_child(create_as_alice, &most));
	served_abort(&self->owner.file);
	child_end(&self->child);
	EXPECT_EQ(self->streams, streams_now(self->device));
	EXPECT_EQ(0, in_child(create_as_alice, &most));
}

TEST_HARNESS_MAIN
