// SPDX-License-Identifier: GPL-2.0-only
/*
 * Values of single commands of include/linux/posixtrace.h: out of range, at
 * the limit, pointers to data, and what is no command at all.
 */
#include "abi_test.h"

#include <sys/eventfd.h>
#include <sys/mman.h>

FIXTURE(values) {
	int device;
	__u32 id;
	__u32 streams;
	struct raw stream;	/* running, START taken out */
};

FIXTURE_SETUP(values)
{
	self->device = device_open();
	self->id = raw_eventid(self->device, "user event");
	self->stream = raw_running(self->device, 0);
	ASSERT_EQ(1, raw_drain(self->stream));
	self->streams = streams_now(self->device);
}

FIXTURE_TEARDOWN(values)
{
}

/* Creating with @member set to @value fails with @error and leaves nothing. */
#define EXPECT_NO_CREATE(error, member, value) do {			\
	struct posixtrace_create bad = create_arg(0);			\
									\
	bad.member = (value);						\
	EXPECT_EQ(error, call(self->device, POSIXTRACE_IOC_CREATE,	\
			      &bad));					\
	EXPECT_EQ(self->streams, streams_now(self->device));		\
} while (0)

TEST_F(values, create_refuses_policies_it_does_not_know)
{
	EXPECT_NO_CREATE(EINVAL, stream_policy, 0);
	EXPECT_NO_CREATE(EINVAL, stream_policy, POSIXTRACE_POLICY_FLUSH);
	EXPECT_NO_CREATE(EINVAL, stream_policy, POSIXTRACE_POLICY_APPEND);
	EXPECT_NO_CREATE(EINVAL, stream_policy, 5);
	EXPECT_NO_CREATE(EINVAL, stream_policy, 0x80000001);
	EXPECT_NO_CREATE(EINVAL, inheritance, 0);
	EXPECT_NO_CREATE(EINVAL, inheritance, 3);
	EXPECT_NO_CREATE(EINVAL, inheritance, 0xffffffff);
}

/* As EXPECT_NO_CREATE(), of a stream with a log. */
#define EXPECT_NO_LOG(error, member, value) do {			\
	struct posixtrace_create bad = create_arg(0);			\
									\
	bad.flags = POSIXTRACE_CREATE_LOG;				\
	bad.log_fd = memfd_create("log", MFD_CLOEXEC);			\
	bad.member = (value);						\
	EXPECT_EQ(error, call(self->device, POSIXTRACE_IOC_CREATE,	\
			      &bad));					\
	EXPECT_EQ(self->streams, streams_now(self->device));		\
} while (0)

TEST_F(values, create_refuses_logs_that_cannot_be)
{
	EXPECT_NO_LOG(EBADF, log_fd, -1);
	EXPECT_NO_LOG(EBADF, log_fd, 0x7fffffff);
	EXPECT_NO_LOG(EBADF, log_fd, (__s32)0x80000000);
	EXPECT_NO_LOG(EBADF, log_fd, open("/proc/self/exe", O_RDONLY));
	EXPECT_NO_LOG(EINVAL, log_fd, self->device);
	EXPECT_NO_LOG(EINVAL, log_fd, self->stream.fd);
	EXPECT_NO_LOG(EINVAL, log_fd, eventfd(0, 0));
	EXPECT_NO_LOG(EINVAL, log_policy, 0);
	EXPECT_NO_LOG(EINVAL, log_policy, POSIXTRACE_POLICY_FLUSH);
	EXPECT_NO_LOG(EINVAL, log_policy, 5);
	EXPECT_NO_LOG(EINVAL, stream_policy, POSIXTRACE_POLICY_APPEND);
	/* What is no fault alone is none of the log's. */
	EXPECT_NO_LOG(ESRCH, pid, -1);
	EXPECT_NO_LOG(ENOMEM, stream_size, 1ULL << 40);
	/* A descriptor is for streams that are to have a log. */
	EXPECT_NO_CREATE(EINVAL, log_fd, 1);
}

TEST_F(values, create_takes_any_log_size)
{
	__u64 sizes[] = { 0, 1, 1ULL << 40, 1ULL << 63, ~0ULL };
	struct posixtrace_create arg = create_arg(0);
	unsigned int i;
	struct raw raw;

	arg.flags = POSIXTRACE_CREATE_LOG;
	arg.log_fd = memfd_create("log", MFD_CLOEXEC);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		arg.log_size = sizes[i];
		ASSERT_EQ(0, raw_create(self->device, &arg, &raw));
		EXPECT_LE(sizes[i], raw_attr(raw).log_size);
		EXPECT_LT(raw_attr(raw).stream_size, raw_attr(raw).log_size);
		EXPECT_EQ(0, raw_control(raw, POSIXTRACE_IOC_START));
		raw_record(self->device, self->id, "data", 4);
		EXPECT_EQ(0, raw_control(raw, POSIXTRACE_IOC_FLUSH));
		EXPECT_EQ(0, raw_peek(raw).log_full);
		EXPECT_EQ(0, raw_control(raw, POSIXTRACE_IOC_SHUTDOWN));
		close(raw.fd);
	}
}

TEST_F(values, getnext_that_tries_refuses_a_log)
{
	struct posixtrace_create arg = create_arg(0);
	struct posixtrace_getnext next = {
		.size = sizeof(next),
		.flags = POSIXTRACE_GETNEXT_TRY,
	};
	struct raw_event event;
	struct raw raw;

	arg.flags = POSIXTRACE_CREATE_LOG;
	arg.log_fd = memfd_create("log", MFD_CLOEXEC);
	ASSERT_EQ(0, raw_create(self->device, &arg, &raw));
	EXPECT_EQ(0, raw_control(raw, POSIXTRACE_IOC_START));
	next.stream = raw.number;
	EXPECT_EQ(EINVAL, call(raw.fd, POSIXTRACE_IOC_GETNEXT, &next));
	EXPECT_EQ(0, raw_next(raw, &event));
	EXPECT_EQ(POSIXTRACE_EV_START, event.record.event_id);
	EXPECT_EQ(ENODATA, raw_next(raw, &event));
	/* Without a log it is allowed. */
	EXPECT_EQ(EINVAL, raw_control(self->stream, POSIXTRACE_IOC_FLUSH));
	next.stream = self->stream.number;
	EXPECT_EQ(ENODATA, call(self->stream.fd, POSIXTRACE_IOC_GETNEXT,
				&next));
}

TEST_F(values, create_refuses_pids_that_no_process_has)
{
	EXPECT_NO_CREATE(ESRCH, pid, -1);
	EXPECT_NO_CREATE(ESRCH, pid, -getpid());
	EXPECT_NO_CREATE(ESRCH, pid, 0x7fffffff);
	EXPECT_NO_CREATE(ESRCH, pid, (__s32)0x80000000);
}

TEST_F(values, create_refuses_sizes_that_cannot_be)
{
	EXPECT_NO_CREATE(ENOMEM, stream_size, 1ULL << 40);
	EXPECT_NO_CREATE(ENOMEM, stream_size, 1ULL << 48);
	EXPECT_NO_CREATE(ENOMEM, stream_size, 1ULL << 63);
	EXPECT_NO_CREATE(ENOMEM, stream_size, (1ULL << 63) - 1);
	EXPECT_NO_CREATE(ENOMEM, stream_size, ~0ULL);
	EXPECT_NO_CREATE(ENOMEM, stream_size, ~0ULL - 4095);
}

TEST_F(values, create_raises_a_stream_that_is_too_small)
{
	struct posixtrace_create arg = create_arg(0);
	__u64 least = 2 * POSIXTRACE_SYSTEM_EVENT_SIZE_MAX +
		      POSIXTRACE_RECORD_SIZE(256);
	struct raw raw;

	arg.stream_size = 0;
	ASSERT_EQ(0, raw_create(self->device, &arg, &raw));
	EXPECT_EQ(least, raw_attr(raw).stream_size);
	EXPECT_EQ(0, raw_control(raw, POSIXTRACE_IOC_SHUTDOWN));

	arg.stream_size = least + 8;
	ASSERT_EQ(0, raw_create(self->device, &arg, &raw));
	EXPECT_LE(least + 8, raw_attr(raw).stream_size);
}

TEST_F(values, create_lowers_the_largest_data)
{
	__u64 sizes[] = { POSIXTRACE_DATA_MAX + 1, 1ULL << 32, 1ULL << 63,
			  ~0ULL };
	struct posixtrace_create arg = create_arg(0);
	struct posixtrace_attr attr;
	struct raw raw;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		arg.max_data_size = sizes[i];
		ASSERT_EQ(0, raw_create(self->device, &arg, &raw));
		attr = raw_attr(raw);
		EXPECT_EQ(POSIXTRACE_DATA_MAX, attr.max_data_size);
		EXPECT_LE(2 * POSIXTRACE_SYSTEM_EVENT_SIZE_MAX +
			  POSIXTRACE_RECORD_SIZE(POSIXTRACE_DATA_MAX),
			  attr.stream_size);
		EXPECT_EQ(0, raw_control(raw, POSIXTRACE_IOC_SHUTDOWN));
	}
}

TEST_F(values, create_refuses_kernel_events_it_does_not_have)
{
	__u32 ids[] = { 0, POSIXTRACE_EV_START, POSIXTRACE_EV_UNNAMED, 15,
			POSIXTRACE_EV_KERNEL_END, 63, POSIXTRACE_EV_USER,
			POSIXTRACE_EVENT_MAX - 1 };
	struct posixtrace_create arg;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		arg = create_arg(0);
		raw_set_add(&arg.kernel_events, ids[i]);
		EXPECT_EQ(EINVAL, call(self->device, POSIXTRACE_IOC_CREATE,
				       &arg));
		EXPECT_EQ(self->streams, streams_now(self->device));
	}
}

TEST_F(values, create_refuses_a_name_without_end)
{
	struct posixtrace_create arg = create_arg(0);
	struct raw raw;

	memset(arg.name, 'n', sizeof(arg.name));
	EXPECT_EQ(EINVAL, call(self->device, POSIXTRACE_IOC_CREATE, &arg));
	EXPECT_EQ(self->streams, streams_now(self->device));

	arg.name[POSIXTRACE_NAME_MAX] = 0;
	ASSERT_EQ(0, raw_create(self->device, &arg, &raw));
	EXPECT_STREQ(arg.name, raw_attr(raw).name);
}

TEST_F(values, create_hands_out_numbers_once)
{
	struct raw first = raw_stream(self->device, 0), second;

	EXPECT_NE(self->stream.number, first.number);
	EXPECT_EQ(0, close(first.fd));
	second = raw_stream(self->device, 0);
	EXPECT_EQ(first.fd, second.fd);
	EXPECT_LT(first.number, second.number);
}

TEST_F(values, create_leaves_no_descriptor_behind_when_it_fails)
{
	struct posixtrace_create arg = create_arg(0);
	void *where = read_only(&arg, sizeof(arg));
	int before = dup(0), after;

	close(before);
	EXPECT_EQ(EFAULT, call(self->device, POSIXTRACE_IOC_CREATE, where));
	EXPECT_NO_CREATE(ESRCH, pid, -1);
	EXPECT_NO_CREATE(ENOMEM, stream_size, ~0ULL);
	after = dup(0);
	EXPECT_EQ(before, after);
	EXPECT_EQ(self->streams, streams_now(self->device));
}

TEST_F(values, create_says_when_no_descriptor_is_free)
{
	struct rlimit limit = { 0, 0 };

	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
	EXPECT_EQ(EMFILE, try_create(self->device, 0));
	EXPECT_EQ(self->streams, streams_now(self->device));
}

/* The worker that would end a log is waited for, so that the place is free. */
TEST_F(values, create_with_a_log_leaves_no_place_taken_when_it_fails)
{
	struct posixtrace_create arg = create_arg(0);
	struct rlimit limit = { 0, 0 };
	struct raw raw;
	int i;

	arg.flags = POSIXTRACE_CREATE_LOG;
	arg.log_fd = memfd_create("log", MFD_CLOEXEC);
	ASSERT_LE(0, arg.log_fd);
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
	for (i = 0; i < 100; i++) {
		ASSERT_EQ(EMFILE, raw_create(self->device, &arg, &raw));
		ASSERT_EQ(self->streams, streams_now(self->device));
	}
}

TEST_F(values, names_without_end_are_refused)
{
	struct posixtrace_name arg = { .size = sizeof(arg), .event_id = 77 };

	memset(arg.name, 'n', sizeof(arg.name));
	EXPECT_EQ(ENAMETOOLONG, call(self->device, POSIXTRACE_IOC_EVENTID_OPEN,
				     &arg));
	EXPECT_EQ(77, arg.event_id);
	arg.stream = self->stream.number;
	EXPECT_EQ(ENAMETOOLONG, call(self->stream.fd,
				     POSIXTRACE_IOC_TRID_EVENTID_OPEN, &arg));
	EXPECT_EQ(77, arg.event_id);
	/* No identifier was used up. */
	EXPECT_EQ(self->id + 1, raw_eventid(self->device, "next"));
}

TEST_F(values, get_name_refuses_identifiers_without_a_type)
{
	__u32 ids[] = { 0, POSIXTRACE_EV_STANDARD_END, self->id + 1, 63,
			POSIXTRACE_EVENT_MAX - 1, POSIXTRACE_EVENT_MAX,
			0x10000 + self->id, 0xffffffff };
	struct posixtrace_name arg;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		arg = (struct posixtrace_name){
			.size = sizeof(arg),
			.event_id = ids[i],
			.stream = self->stream.number,
		};
		EXPECT_EQ(EINVAL, call(self->stream.fd,
				       POSIXTRACE_IOC_EVENTID_GET_NAME, &arg));
	}
}

/* The list does not go on when its answer can't be delivered. */
TEST_F(values, typelist_next_that_fails_skips_nothing)
{
	struct posixtrace_name arg = {
		.size = sizeof(arg),
		.stream = self->stream.number,
	};
	void *where = read_only(&arg, sizeof(arg));

	EXPECT_EQ(EFAULT, call(self->stream.fd, POSIXTRACE_IOC_TYPELIST_NEXT,
			       where));
	EXPECT_EQ(0, call(self->stream.fd, POSIXTRACE_IOC_TYPELIST_NEXT, &arg));
	EXPECT_EQ(POSIXTRACE_EV_ERROR, arg.event_id);
}

TEST_F(values, event_ignores_identifiers_that_are_no_user_type)
{
	__u32 ids[] = { 0, POSIXTRACE_EV_ERROR, POSIXTRACE_EV_START,
			POSIXTRACE_EV_FLUSH_STOP, POSIXTRACE_EV_STANDARD_END,
			POSIXTRACE_EV_SYSCALL_ENTER, 63, self->id + 1,
			POSIXTRACE_EVENT_MAX - 1, POSIXTRACE_EVENT_MAX,
			0x10000 + self->id, 0x80000000, 0xffffffff };
	struct posixtrace_status before = raw_peek(self->stream), after;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ids); i++)
		raw_record(self->device, ids[i], "data", 4);
	after = raw_peek(self->stream);
	EXPECT_EQ(0, memcmp(&before, &after, sizeof(before)));
	EXPECT_EQ(0, raw_drain(self->stream));
}

/* Every number that is an index in the kernel, far beyond what it is one of. */
TEST_F(values, index_from_user_memory_is_checked)
{
	struct posixtrace_event event = { .size = sizeof(event) };
	struct posixtrace_name name = { .stream = self->stream.number };
	unsigned int bit, i;

	for (bit = 0; bit < 32; bit++) {
		for (i = 0; i < 3; i++) {
			__u32 id = (1U << bit) - 1 + i;
			bool known = id == self->id ||
				     (id >= POSIXTRACE_EV_ERROR &&
				      id < POSIXTRACE_EV_STANDARD_END);

			event.event_id = id;
			EXPECT_EQ(0, call(self->device, POSIXTRACE_IOC_EVENT,
					  &event));
			name.size = sizeof(name);
			name.event_id = id;
			EXPECT_EQ(known ? 0 : EINVAL,
				  call(self->stream.fd,
				       POSIXTRACE_IOC_EVENTID_GET_NAME, &name));
		}
	}
	/* The unnamed event is a user's, and so is the one that was opened. */
	while (!raw_next(self->stream, &(struct raw_event){ }))
		continue;
	EXPECT_EQ(raw_peek(self->stream).read,
		  raw_peek(self->stream).recorded);
}

TEST_F(values, event_with_unreadable_data_counts_as_lost)
{
	char *end = page_end();

	raw_record(self->device, self->id, NULL, 1);
	raw_record(self->device, self->id, NOWHERE, 8);
	raw_record(self->device, self->id, end - 4, 5);
	raw_record(self->device, self->id, end, 1);
	raw_record(self->device, self->id, (void *)-8L, 4);
	EXPECT_EQ(5, raw_peek(self->stream).lost);
	EXPECT_EQ(1, raw_peek(self->stream).recorded);
	EXPECT_EQ(0, raw_drain(self->stream));
}

TEST_F(values, event_reads_no_more_than_is_recorded)
{
	size_t lengths[] = { 257, 1 << 20, SIZE_MAX / 2, SIZE_MAX };
	char *data = page_end() - 256;
	struct raw_event event;
	unsigned int i;

	memset(data, 'd', 256);
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		EXPECT_EQ(0, raw_record(self->device, self->id, data,
					lengths[i]));
		ASSERT_EQ(0, raw_next(self->stream, &event));
		EXPECT_EQ(256, event.record.data_size);
		EXPECT_EQ(POSIXTRACE_TRUNCATED_RECORD, event.record.truncation);
		EXPECT_EQ(0, memcmp(data, event.data, 256));
	}
	EXPECT_EQ(ARRAY_SIZE(lengths), raw_peek(self->stream).truncated);
	EXPECT_EQ(0, raw_peek(self->stream).lost);
}

/* However short the data is that the program gives. */
TEST_F(values, event_reads_no_more_than_the_greediest_stream_takes)
{
	size_t lengths[] = { 17, 24, 200, 256, 257, 1 << 20 };
	struct posixtrace_create arg = create_arg(0);
	char *data = page_end() - 16;
	struct raw_event event;
	struct raw stream;
	unsigned int i;

	ASSERT_EQ(0, raw_control(self->stream, POSIXTRACE_IOC_SHUTDOWN));
	arg.max_data_size = 16;
	ASSERT_EQ(0, raw_create(self->device, &arg, &stream));
	ASSERT_EQ(0, raw_control(stream, POSIXTRACE_IOC_START));
	ASSERT_EQ(1, raw_drain(stream));
	memset(data, 'd', 16);
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		EXPECT_EQ(0, raw_record(self->device, self->id, data,
					lengths[i]));
		ASSERT_EQ(0, raw_next(stream, &event));
		EXPECT_EQ(16, event.record.data_size);
		EXPECT_EQ(POSIXTRACE_TRUNCATED_RECORD, event.record.truncation);
		EXPECT_EQ(0, memcmp(data, event.data, 16));
	}
	EXPECT_EQ(ARRAY_SIZE(lengths), raw_peek(stream).truncated);
	EXPECT_EQ(0, raw_peek(stream).lost);
}

TEST_F(values, event_without_data_needs_no_pointer)
{
	struct raw_event event;

	EXPECT_EQ(0, raw_record(self->device, self->id, NOWHERE, 0));
	ASSERT_EQ(0, raw_next(self->stream, &event));
	EXPECT_EQ(0, event.record.data_size);
	EXPECT_EQ(POSIXTRACE_NOT_TRUNCATED, event.record.truncation);
}

TEST_F(values, getnext_that_fails_loses_no_event)
{
	struct posixtrace_getnext arg = {
		.size = sizeof(arg),
		.stream = self->stream.number,
		.data_max = 100,
	};
	char *end = page_end();
	void *bad[] = { NULL, NOWHERE, end, end - 3, (void *)-8L,
			read_only("", 1) };
	struct raw_event event;
	unsigned int i;

	ASSERT_EQ(0, raw_record(self->device, self->id, "four", 4));
	ASSERT_EQ(0, raw_record(self->device, self->id, "next", 4));
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		arg.data = (uintptr_t)bad[i];
		EXPECT_EQ(EFAULT, call(self->stream.fd, POSIXTRACE_IOC_GETNEXT,
				       &arg));
	}
	EXPECT_EQ(1, raw_peek(self->stream).read);
	ASSERT_EQ(0, raw_next(self->stream, &event));
	EXPECT_EQ(0, memcmp("four", event.data, 4));
	ASSERT_EQ(0, raw_next(self->stream, &event));
	EXPECT_EQ(0, memcmp("next", event.data, 4));
	EXPECT_EQ(3, raw_peek(self->stream).read);
	EXPECT_EQ(ENODATA, raw_next(self->stream, &event));
}

TEST_F(values, getnext_stores_no_more_than_there_is)
{
	char *end = page_end();
	struct posixtrace_getnext arg = {
		.size = sizeof(arg),
		.stream = self->stream.number,
		.data = (uintptr_t)(end - 4),
		.data_max = ~0ULL,
	};

	ASSERT_EQ(0, raw_record(self->device, self->id, "four", 4));
	EXPECT_EQ(0, call(self->stream.fd, POSIXTRACE_IOC_GETNEXT, &arg));
	EXPECT_EQ(4, arg.record.data_size);
	EXPECT_EQ(POSIXTRACE_NOT_TRUNCATED, arg.record.truncation);
	EXPECT_EQ(0, memcmp("four", end - 4, 4));
}

TEST_F(values, filter_refuses_an_unknown_how)
{
	__u32 how[] = { 0, 4, 99, 0x80000001, 0xffffffff };
	struct posixtrace_filter arg = {
		.size = sizeof(arg),
		.stream = self->stream.number,
	};
	struct posixtrace_event_set now;
	unsigned int i;

	raw_set_add(&arg.set, self->id);
	for (i = 0; i < ARRAY_SIZE(how); i++) {
		arg.how = how[i];
		EXPECT_EQ(EINVAL, call(self->stream.fd,
				       POSIXTRACE_IOC_SET_FILTER, &arg));
		now = raw_filter(self->stream);
		EXPECT_FALSE(raw_set_has(&now, self->id));
	}
	EXPECT_EQ(0, raw_drain(self->stream));
}

TEST_F(values, wait_looks_at_the_time_only_when_it_has_to_wait)
{
	__s64 bad[] = { -1, 1000000000, INT64_MIN, INT64_MAX };
	struct posixtrace_wait arg = {
		.size = sizeof(arg),
		.flags = POSIXTRACE_WAIT_TIMEOUT,
		.stream = self->stream.number,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		arg.nanoseconds = bad[i];
		EXPECT_EQ(EINVAL, call(self->stream.fd, POSIXTRACE_IOC_WAIT,
				       &arg));
	}
	arg.nanoseconds = 999999999;
	EXPECT_EQ(ETIMEDOUT, call(self->stream.fd, POSIXTRACE_IOC_WAIT, &arg));
	arg.seconds = INT64_MIN;
	EXPECT_EQ(ETIMEDOUT, call(self->stream.fd, POSIXTRACE_IOC_WAIT, &arg));

	ASSERT_EQ(0, raw_record(self->device, self->id, NULL, 0));
	EXPECT_EQ(0, call(self->stream.fd, POSIXTRACE_IOC_WAIT, &arg));
	arg.nanoseconds = -1;
	EXPECT_EQ(0, call(self->stream.fd, POSIXTRACE_IOC_WAIT, &arg));
	EXPECT_EQ(1, raw_drain(self->stream));
}

struct waiter {
	pthread_t thread;
	atomic_int tid;
	struct raw stream;
	__s64 seconds;
	int result;
};

static void *wait_until_then(void *arg)
{
	struct waiter *w = arg;
	struct posixtrace_wait wait = {
		.size = sizeof(wait),
		.flags = POSIXTRACE_WAIT_TIMEOUT,
		.stream = w->stream.number,
		.seconds = w->seconds,
		.nanoseconds = 999999999,
	};

	w->tid = (pid_t)syscall(SYS_gettid);
	w->result = call(w->stream.fd, POSIXTRACE_IOC_WAIT, &wait);
	return NULL;
}

/* Around the last second that the kernel's clock can count. */
TEST_F(values, wait_takes_a_time_that_never_comes)
{
	__s64 times[] = { 1LL << 33, 9223372035, 9223372036, 9223372037,
			  1LL << 40, INT64_MAX };
	struct waiter w = { .stream = self->stream };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(times); i++) {
		w.seconds = times[i];
		w.tid = 0;
		must(pthread_create(&w.thread, NULL, wait_until_then, &w));
		ASSERT_TRUE(wait_until(w.tid));
		EXPECT_TRUE(sleeps_in_call(getpid(), w.tid, SYS_ioctl));
		ASSERT_EQ(0, raw_record(self->device, self->id, NULL, 0));
		must(pthread_join(w.thread, NULL));
		EXPECT_EQ(0, w.result);
		EXPECT_EQ(1, raw_drain(self->stream));
	}
}

TEST_F(values, status_is_reset_by_reading_and_not_by_peeking)
{
	struct posixtrace_status arg = {
		.size = sizeof(arg),
		.stream = self->stream.number,
	};

	raw_record(self->device, self->id, NOWHERE, 4);
	EXPECT_EQ(1, raw_peek(self->stream).overrun);
	EXPECT_EQ(1, raw_peek(self->stream).overrun);
	EXPECT_EQ(0, call(self->stream.fd, POSIXTRACE_IOC_GET_STATUS, &arg));
	EXPECT_EQ(1, arg.overrun);
	EXPECT_EQ(0, raw_peek(self->stream).overrun);
	EXPECT_EQ(1, raw_peek(self->stream).lost);
}

static bool known(unsigned int nr, bool on_device)
{
	return on_device ? nr >= 0x10 && nr <= 0x13 : nr >= 0x20 && nr <= 0x2e;
}

TEST_F(values, other_numbers_are_no_commands)
{
	char arg[512] = "";
	unsigned int nr;

	for (nr = 0; nr < 256; nr++) {
		unsigned int code = _IO(POSIXTRACE_IOC_TYPE, nr);
		unsigned int sized = _IOWR(POSIXTRACE_IOC_TYPE, nr, arg);
		unsigned int other = _IO(POSIXTRACE_IOC_TYPE + 1, nr);

		/* A command fails too, since the size in arg is 0. */
		EXPECT_EQ(known(nr, true) ? EINVAL : ENOTTY,
			  call(self->device, code, arg));
		EXPECT_EQ(known(nr, false) ? EINVAL : ENOTTY,
			  call(self->stream.fd, code, arg));
		EXPECT_EQ(ENOTTY, call(self->device, sized, arg));
		EXPECT_EQ(ENOTTY, call(self->stream.fd, sized, arg));
		EXPECT_EQ(ENOTTY, call(self->device, other, arg));
		EXPECT_EQ(ENOTTY, call(self->stream.fd, other, arg));
	}
	EXPECT_EQ(self->streams, streams_now(self->device));
	EXPECT_EQ(1, raw_peek(self->stream).running);
}

TEST_HARNESS_MAIN
