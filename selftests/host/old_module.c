// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tool on a module that is older than itself: that does not know all kernel
 * events. No kernel module is needed: library.h plays the device.
 */
#include "library.h"

#include "../../tools/choice.c"
#include "../../tools/eventclass.c"
#include "../../tools/events.c"
#include "../../tools/suggest.c"
#include "../../tools/syscalls.c"

#define create tool_create
#include "../../tools/stream.c"
#undef create

#include "kselftest_harness.h"

/* Instead of the tables that gen-syscalls.sh makes. */
const struct syscall_table syscalls_native;
const struct syscall_table syscalls_i386;

/* Kernel events that the module knows, and whether it takes the file for a log. */
static __u64 known;
static bool takes_file;
static int streams;

static int refuse_or_create(struct posixtrace_create *arg)
{
	if (arg->kernel_events.bits[0] & ~known)
		return EINVAL;
	if (arg->flags & POSIXTRACE_CREATE_LOG && !takes_file)
		return EINVAL;
	arg->fd = mock_open();
	arg->stream = MOCK_STREAM;
	streams++;
	return 0;
}

static int answer(unsigned long cmd, void *arg)
{
	if (cmd == POSIXTRACE_IOC_CREATE)
		return refuse_or_create(arg);
	if (cmd == POSIXTRACE_IOC_SHUTDOWN)
		streams--;
	return 0;
}

FIXTURE(old_module) {
	struct stream_log log;
	struct stream_options opt;
	struct stream stream;
};

FIXTURE_SETUP(old_module)
{
	mock.answer = answer;
	known = -1ULL;
	takes_file = true;
	self->log.fd = memfd_create("log", MFD_CLOEXEC);
	self->log.policy = POSIX_TRACE_APPEND;
	self->opt.pid = getpid();
	self->opt.stream_size = 65536;
	choice_add_classes(&self->opt.events, EVENTCLASS_ALL);
}

FIXTURE_TEARDOWN(old_module)
{
	close(self->log.fd);
	EXPECT_EQ(0, streams);
}

#define EXPECT_OPENED(want) do {					\
	int open_err = stream_open(&self->stream, &self->opt);		\
									\
	EXPECT_EQ(want, open_err);					\
	if (!open_err)							\
		stream_close(&self->stream);				\
} while (0)

TEST_F(old_module, is_told_when_it_does_not_know_an_event)
{
	EXPECT_OPENED(0);
	known = ~(1ULL << POSIXTRACE_EV_PAGE_FAULT);
	EXPECT_OPENED(ENOSYS);

	self->opt.events.types[POSIXTRACE_EV_PAGE_FAULT] = false;
	EXPECT_OPENED(0);
}

TEST_F(old_module, is_told_from_a_file_that_can_not_be_a_log)
{
	self->opt.log = &self->log;
	EXPECT_OPENED(0);
	takes_file = false;
	EXPECT_OPENED(EINVAL);

	/* Both: another file would not help. */
	known = ~(1ULL << POSIXTRACE_EV_PAGE_FAULT);
	EXPECT_OPENED(ENOSYS);
	takes_file = true;
	EXPECT_OPENED(ENOSYS);
}

TEST_HARNESS_MAIN
