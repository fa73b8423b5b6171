// SPDX-License-Identifier: GPL-2.0-only
/*
 * The log is memory that its owner shares with the kernel: it can be mapped and
 * written to while the kernel writes. The kernel never reads a length or a
 * position back from it.
 */
#include "abi_test.h"

#include <sys/mman.h>
#include <sys/stat.h>

#define LOG_SIZE	(256 * 1024)

FIXTURE(shared) {
	int device;
	int log;
	char *content;
	struct raw raw;
	__u32 streams;
};

FIXTURE_VARIANT(shared) {
	__u32 log_policy;
};

FIXTURE_VARIANT_ADD(shared, loop) { POSIXTRACE_POLICY_LOOP };
FIXTURE_VARIANT_ADD(shared, until_full) { POSIXTRACE_POLICY_UNTIL_FULL };
FIXTURE_VARIANT_ADD(shared, append) { POSIXTRACE_POLICY_APPEND };

FIXTURE_SETUP(shared)
{
	struct posixtrace_create arg = create_arg(0);

	self->device = device_open();
	self->streams = streams_now(self->device);
	self->log = memfd_create("log", MFD_CLOEXEC);
	ASSERT_EQ(0, ftruncate(self->log, LOG_SIZE));
	self->content = mmap(NULL, LOG_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED,
			     self->log, 0);
	ASSERT_NE(MAP_FAILED, self->content);
	arg.flags = POSIXTRACE_CREATE_LOG;
	arg.log_fd = self->log;
	arg.log_policy = variant->log_policy;
	arg.stream_policy = POSIXTRACE_POLICY_FLUSH;
	arg.stream_size = 8192;
	/* The smallest, to go round often; one that is full takes no more. */
	arg.log_size = variant->log_policy == POSIXTRACE_POLICY_LOOP ? 0 :
		       4 * LOG_SIZE;
	ASSERT_EQ(0, raw_create(self->device, &arg, &self->raw));
	ASSERT_EQ(0, raw_control(self->raw, POSIXTRACE_IOC_START));
}

FIXTURE_TEARDOWN(shared)
{
}

static void record_some(int device)
{
	int i;

	for (i = 0; i < 50; i++)
		must(raw_record(device, POSIXTRACE_EV_UNNAMED, "12345678", 8));
}

/* All that was recorded was written, or is counted as not written. */
static bool books_are_kept(struct raw raw, __u64 rounds)
{
	struct posixtrace_status status = raw_peek(raw);

	return status.recorded + status.lost >= rounds * 50 &&
	       !status.flush_error && status.flushed;
}

TEST_F(shared, position_in_shared_memory_is_not_trusted)
{
	static const unsigned char bytes[] = { 0xff, 0x00, 0x7f, 0x80, 0x08 };
	unsigned int i;

	for (i = 0; i < 40; i++) {
		record_some(self->device);
		EXPECT_EQ(0, raw_control(self->raw, POSIXTRACE_IOC_FLUSH));
		memset(self->content, bytes[i % ARRAY_SIZE(bytes)], LOG_SIZE);
		if (i % 16 == 15)
			EXPECT_EQ(0, raw_control(self->raw,
						 POSIXTRACE_IOC_CLEAR));
	}
	EXPECT_TRUE(books_are_kept(self->raw, 40));
	EXPECT_EQ(0, raw_control(self->raw, POSIXTRACE_IOC_SHUTDOWN));
	EXPECT_EQ(self->streams, streams_now(self->device));
}

TEST_F(shared, file_that_is_cut_or_grows_is_written_on)
{
	struct stat st;
	unsigned int i;

	for (i = 0; i < 20; i++) {
		record_some(self->device);
		EXPECT_EQ(0, ftruncate(self->log, i % 2 ? 0 : LOG_SIZE * i));
		EXPECT_EQ(0, raw_control(self->raw, POSIXTRACE_IOC_FLUSH));
	}
	EXPECT_TRUE(books_are_kept(self->raw, 20));
	EXPECT_EQ(0, raw_control(self->raw, POSIXTRACE_IOC_SHUTDOWN));
	EXPECT_EQ(0, fstat(self->log, &st));
	EXPECT_LT(0, st.st_size);
}

TEST_HARNESS_MAIN
