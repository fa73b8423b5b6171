// SPDX-License-Identifier: GPL-2.0-only
/*
 * When the module can be removed: not while anybody holds a descriptor or a
 * mapping of it, whatever else is gone; and at once when the last one goes.
 */
#include "netlink_test.h"

#include <sys/mman.h>

#define MODULE		"/lib/modules/posixtrace.ko"

FIXTURE(unload) {
	int file;
	int device;
};

static int unload(void)
{
	return syscall(SYS_delete_module, "posixtrace", O_NONBLOCK) ? errno : 0;
}

static int load(int file)
{
	return syscall(SYS_finit_module, file, "", 0) ? errno : 0;
}

FIXTURE_SETUP(unload)
{
	self->file = open(MODULE, O_RDONLY | O_CLOEXEC);
	if (self->file < 0)
		SKIP(return, "there is no " MODULE);
	/* Whoever has just ended may still be on its way out. */
	if (!wait_until(!unload()))
		SKIP(return, "others use the module");
	ASSERT_EQ(0, load(self->file));
	self->device = device_open();
}

FIXTURE_TEARDOWN(unload)
{
}

/* In use: EAGAIN, and everything works as before. */
#define EXPECT_IN_USE() do {						\
	EXPECT_EQ(EAGAIN, unload());					\
	EXPECT_EQ(0, access(DEVICE_PATH, F_OK));			\
} while (0)

#define EXPECT_REMOVABLE() do {						\
	EXPECT_EQ(0, unload());						\
	EXPECT_NE(0, access(DEVICE_PATH, F_OK));			\
	EXPECT_EQ(0, load(self->file));					\
} while (0)

TEST_F(unload, not_while_the_device_is_open)
{
	EXPECT_IN_USE();
	EXPECT_EQ(0, close(self->device));
	EXPECT_REMOVABLE();
}

TEST_F(unload, not_while_there_is_a_stream)
{
	struct raw raw = raw_running(self->device, 0);

	EXPECT_EQ(0, close(self->device));
	EXPECT_IN_USE();
	EXPECT_EQ(1, raw_peek(raw).running);
	/* The stream is gone, its descriptor is there. */
	EXPECT_EQ(0, raw_control(raw, POSIXTRACE_IOC_SHUTDOWN));
	EXPECT_IN_USE();
	EXPECT_EQ(0, close(raw.fd));
	EXPECT_REMOVABLE();
}

TEST_F(unload, not_while_the_gate_is_mapped)
{
	const struct posixtrace_gate *gate = gate_map(self->device);

	EXPECT_EQ(0, close(self->device));
	EXPECT_IN_USE();
	EXPECT_EQ(POSIXTRACE_GATE_FORMAT, gate_now(gate).format);
	EXPECT_EQ(0, munmap((void *)gate, page_size()));
	EXPECT_REMOVABLE();
}

static int be_mapper(const struct child *c, void *arg)
{
	must_be(gate_now(arg).format == POSIXTRACE_GATE_FORMAT);
	hand(c);
	await(c);
	must_be(gate_now(arg).format == POSIXTRACE_GATE_FORMAT);
	return 0;
}

TEST_F(unload, not_while_a_child_has_the_mapping)
{
	const struct posixtrace_gate *gate = gate_map(self->device);
	struct child c;

	EXPECT_EQ(0, fcntl(self->device, F_SETFD, 0));
	child_start(&c, be_mapper, (void *)gate);
	await(&c);
	EXPECT_EQ(0, close(self->device));
	EXPECT_EQ(0, munmap((void *)gate, page_size()));
	EXPECT_IN_USE();
	hand(&c);
	EXPECT_EQ(0, child_end(&c));
	EXPECT_REMOVABLE();
}

/* On its way, nobody has it: the socket holds it. */
TEST_F(unload, not_while_a_descriptor_is_in_a_socket)
{
	struct raw raw = raw_running(self->device, 0);
	int pair[2];

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	send_fd(pair[0], raw.fd);
	EXPECT_EQ(0, close(self->device));
	EXPECT_EQ(0, close(raw.fd));
	EXPECT_IN_USE();
	EXPECT_EQ(0, close(pair[0]));
	EXPECT_EQ(0, close(pair[1]));
	EXPECT_REMOVABLE();
}

struct reader_of {
	struct raw raw;
	atomic_int tid;
	int error;
};

static void *block(void *arg)
{
	struct reader_of *reader = arg;
	struct raw_event event;

	reader->tid = (pid_t)syscall(SYS_gettid);
	reader->error = read(reader->raw.fd, &event, sizeof(event)) < 0 ?
			errno : 0;
	return NULL;
}

/* A call that is under way holds its descriptor, which nobody else has. */
TEST_F(unload, not_while_a_reader_waits)
{
	struct raw raw = raw_running(self->device, 0);
	struct reader_of reader = { };
	pthread_t thread;

	must_be(raw_drain(raw) == 1);
	reader.raw = raw;
	must(pthread_create(&thread, NULL, block, &reader));
	must_be(wait_until(reader.tid));
	must_be(sleeps_in_call(getpid(), reader.tid, SYS_read));
	EXPECT_EQ(0, close(self->device));
	/* That it is closed ends the stream, and so the wait. */
	EXPECT_IN_USE();
	EXPECT_EQ(0, close(raw.fd));
	must(pthread_join(thread, NULL));
	EXPECT_EQ(EINVAL, reader.error);
	EXPECT_REMOVABLE();
}

/* All that streams leave behind: names, targets, workers, probes. */
TEST_F(unload, right_after_streams_of_all_kinds)
{
	const struct posixtrace_gate *gate;
	struct posixtrace_create arg;
	struct raw raw;
	int i;

	for (i = 0; i < 4; i++) {
		self->device = i ? device_open() : self->device;
		raw_eventid(self->device, "a name");
		gate = gate_map(self->device);
		EXPECT_EQ(POSIXTRACE_GATE_FORMAT, gate_now(gate).format);
		arg = create_arg(0);
		arg.inheritance = POSIXTRACE_INHERITED;
		arg.kernel_events.bits[0] = (1ULL << POSIXTRACE_EV_KERNEL_END) -
					    (1ULL << POSIXTRACE_EV_KERNEL);
		if (i % 2) {
			arg.flags = POSIXTRACE_CREATE_LOG;
			arg.log_fd = memfd_create("log", MFD_CLOEXEC);
		}
		must(raw_create(self->device, &arg, &raw));
		must(raw_control(raw, POSIXTRACE_IOC_START));
		if (!fork())
			_exit(0);
		must_be(wait(NULL) > 0);
		EXPECT_IN_USE();
		EXPECT_EQ(0, close(raw.fd));
		EXPECT_EQ(0, close(self->device));
		EXPECT_EQ(0, munmap((void *)gate, page_size()));
		EXPECT_REMOVABLE();
	}
}

/* Members of the group hold nothing: the family goes, they hear no more. */
TEST_F(unload, though_somebody_monitors)
{
	struct nl nl = nl_open();

	must(nl_join(&nl));
	EXPECT_EQ(0, close(self->device));
	EXPECT_REMOVABLE();
}

TEST_HARNESS_MAIN
