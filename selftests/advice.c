// SPDX-License-Identifier: GPL-2.0-only
/*
 * The short way of the commands that are given for each event: by fadvise64(2),
 * see linux/posixtrace.h. It does what ioctl(2) does, and nothing else.
 */
#include "kernel_test.h"
#include "refuse_test.h"

#include <fcntl.h>
#include <linux/io_uring.h>
#include <sys/mman.h>

/* What the two ways have in common; 0 or an error number. */
typedef int (*call_fn)(int fd, unsigned long command, void *arg);

static int advise(int fd, unsigned long command, void *arg)
{
	return syscall(SYS_fadvise64, fd, arg, 0L, command) ? errno : 0;
}

static int advise_with(int fd, unsigned long command, void *arg, long len)
{
	return syscall(SYS_fadvise64, fd, arg, len, command) ? errno : 0;
}

FIXTURE(advice) {
	int device;
	__u32 id;
	struct raw raw;
};

FIXTURE_SETUP(advice)
{
	self->device = device_open();
	self->id = raw_eventid(self->device, "user event");
	self->raw = raw_running(self->device, 0);
	must_be(raw_drain(self->raw) == 1);	/* START */
}

FIXTURE_TEARDOWN(advice)
{
}

static int event(FIXTURE_DATA(advice) *self, call_fn way, const void *data,
		 size_t size)
{
	struct posixtrace_event arg = {
		.size = sizeof(arg),
		.event_id = self->id,
		.data = (uintptr_t)data,
		.data_size = size,
		.address = 0x1234,
		.thread = 0x5678,
	};

	return way(self->device, POSIXTRACE_IOC_EVENT, &arg);
}

static int next(FIXTURE_DATA(advice) *self, call_fn way, struct raw_event *ev)
{
	struct posixtrace_getnext arg = {
		.size = sizeof(arg),
		.stream = self->raw.number,
		.data = (uintptr_t)ev->data,
		.data_max = sizeof(ev->data),
	};
	int err;

	memset(ev->data, 0, sizeof(ev->data));
	err = way(self->raw.fd, POSIXTRACE_IOC_GETNEXT, &arg);
	ev->record = arg.record;
	return err;
}

TEST_F(advice, records_and_takes_what_ioctl_does)
{
	static const call_fn ways[] = { call, advise };
	static const char data[] = "some bytes";
	struct raw_event first, ev;
	int i;

	for (i = 0; i < 4; i++)
		ASSERT_EQ(0, event(self, ways[i % 2], data, sizeof(data)));
	ASSERT_EQ(0, next(self, call, &first));
	EXPECT_EQ(getpid(), first.record.pid);
	for (i = 1; i < 4; i++) {
		ASSERT_EQ(0, next(self, ways[i / 2], &ev));
		EXPECT_LE(first.record.timestamp, ev.record.timestamp);
		ev.record.timestamp = first.record.timestamp;
		ev.record.cpu = first.record.cpu;
		EXPECT_EQ(0, memcmp(&first, &ev, sizeof(ev)));
	}
	EXPECT_EQ(ENODATA, next(self, advise, &ev));
	EXPECT_EQ(5, raw_peek(self->raw).recorded);
}

TEST_F(advice, data_that_is_large_or_unreadable_is_the_same)
{
	char large[1000] = "large";
	struct raw_event ev;

	EXPECT_EQ(0, event(self, advise, large, sizeof(large)));
	EXPECT_EQ(0, event(self, advise, NOWHERE, 16));
	ASSERT_EQ(0, next(self, advise, &ev));
	EXPECT_EQ(256, ev.record.data_size);
	EXPECT_EQ(POSIXTRACE_TRUNCATED_RECORD, ev.record.truncation);
	EXPECT_EQ(ENODATA, next(self, advise, &ev));
	EXPECT_EQ(1, raw_peek(self->raw).lost);
}

/* Whatever is wrong with an argument, both ways say the same, and do nothing. */
TEST_F(advice, errors_are_those_of_ioctl)
{
	struct posixtrace_event arg = { .event_id = self->id };
	struct posixtrace_getnext take = {
		.stream = self->raw.number, .data = (uintptr_t)NOWHERE,
		.data_max = 8,
	};
	struct { struct posixtrace_event arg; __u64 more; } longer = {
		.arg = { .size = sizeof(longer), .event_id = self->id },
		.more = 1,
	};
	__u32 size;

	for (size = 0; size < sizeof(arg); size++) {
		arg.size = size;
		ASSERT_EQ(EINVAL, advise(self->device, POSIXTRACE_IOC_EVENT,
					 &arg));
	}
	EXPECT_EQ(E2BIG, advise(self->device, POSIXTRACE_IOC_EVENT, &longer));
	EXPECT_EQ(EFAULT, advise(self->device, POSIXTRACE_IOC_EVENT, NOWHERE));
	EXPECT_EQ(EFAULT, advise(self->device, POSIXTRACE_IOC_EVENT,
				 (void *)-4096L));
	EXPECT_EQ(ENODATA, raw_next(self->raw, &(struct raw_event){}));

	ASSERT_EQ(0, event(self, call, "12345678", 8));
	take.size = sizeof(take) - 1;
	EXPECT_EQ(EINVAL, advise(self->raw.fd, POSIXTRACE_IOC_GETNEXT, &take));
	take.size = sizeof(take);
	EXPECT_EQ(EFAULT, advise(self->raw.fd, POSIXTRACE_IOC_GETNEXT, &take));
	take.stream++;
	EXPECT_EQ(EINVAL, advise(self->raw.fd, POSIXTRACE_IOC_GETNEXT, &take));
	EXPECT_EQ(EFAULT, advise(self->raw.fd, POSIXTRACE_IOC_GETNEXT, NOWHERE));
	EXPECT_EQ(1, raw_drain(self->raw));
}

/* No other command has a short way, and neither has what belongs to the other file. */
TEST_F(advice, is_no_way_for_other_commands)
{
	struct posixtrace_control arg = {
		.size = sizeof(arg), .stream = self->raw.number,
	};
	unsigned int nr;

	for (nr = 0; nr < 256; nr++) {
		unsigned long command = _IO(POSIXTRACE_IOC_TYPE, nr);

		if (command != POSIXTRACE_IOC_EVENT)
			ASSERT_EQ(EINVAL, advise(self->device, command, &arg));
		if (command != POSIXTRACE_IOC_GETNEXT)
			ASSERT_EQ(EINVAL, advise(self->raw.fd, command, &arg));
	}
	EXPECT_EQ(1, raw_peek(self->raw).running);
}

TEST_F(advice, length_is_reserved)
{
	struct posixtrace_event arg = {
		.size = sizeof(arg), .event_id = self->id,
	};
	struct posixtrace_getnext take = {
		.size = sizeof(take), .stream = self->raw.number,
	};
	static const long lengths[] = { 1, -1, 1L << 32, LONG_MIN, LONG_MAX };
	size_t i;

	ASSERT_EQ(0, event(self, call, NULL, 0));
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		EXPECT_EQ(EINVAL, advise_with(self->device, POSIXTRACE_IOC_EVENT,
					      &arg, lengths[i]));
		EXPECT_EQ(EINVAL, advise_with(self->raw.fd,
					      POSIXTRACE_IOC_GETNEXT, &take,
					      lengths[i]));
	}
	EXPECT_EQ(1, raw_drain(self->raw));
}

/* Programs give advice on descriptors of which they know nothing. */
TEST_F(advice, about_data_is_taken_as_by_any_device)
{
	int null = open("/dev/null", O_RDWR), advice, err;

	ASSERT_LE(0, null);
	for (advice = -1; advice < 10; advice++) {
		err = posix_fadvise(null, 0, 0, advice);
		EXPECT_EQ(err, posix_fadvise(self->device, 0, 0, advice));
		EXPECT_EQ(err, posix_fadvise(self->raw.fd, 0, 0, advice));
		err = posix_fadvise(null, 4096, -1, advice);
		EXPECT_EQ(err, posix_fadvise(self->device, 4096, -1, advice));
		EXPECT_EQ(err, posix_fadvise(self->raw.fd, 4096, -1, advice));
	}
	EXPECT_EQ(0, raw_drain(self->raw));
}

/* The process that made a stream is the only one that reads it. */
TEST_F(advice, of_another_process_takes_nothing)
{
	struct raw_event ev;
	pid_t pid;

	ASSERT_EQ(0, event(self, call, NULL, 0));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		_exit(next(self, advise, &ev) != EINVAL);
	EXPECT_EQ(0, end_of(pid));
	EXPECT_EQ(1, raw_drain(self->raw));
}

/*
 * io_uring(7) gives advice, too, and lets a thread of the kernel's do it that
 * belongs to the process.
 */

/* Have one request carried out; its result. */
static int submit(int ring, const struct io_uring_params *params, void *sq,
		  void *cq, struct io_uring_sqe *sqes,
		  const struct io_uring_sqe *sqe)
{
	unsigned int *tail = sq + params->sq_off.tail;
	unsigned int *array = sq + params->sq_off.array;
	unsigned int *head = cq + params->cq_off.head;
	const struct io_uring_cqe *cqes = cq + params->cq_off.cqes;
	int result;

	sqes[0] = *sqe;
	array[*tail % params->sq_entries] = 0;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	must_be(syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS,
			NULL, 0) == 1);
	result = cqes[*head % params->cq_entries].res;
	__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
	return result;
}

TEST_F(advice, comes_by_io_uring_too)
{
	struct io_uring_params params = {};
	struct posixtrace_event arg = {
		.size = sizeof(arg), .event_id = self->id, .address = 0x1234,
	};
	struct posixtrace_getnext take = {
		.size = sizeof(take), .stream = self->raw.number,
	};
	struct io_uring_sqe sqe = {
		.opcode = IORING_OP_FADVISE,
		.fd = self->device,
		.off = (uintptr_t)&arg,
		.fadvise_advice = POSIXTRACE_IOC_EVENT,
	};
	int ring = syscall(SYS_io_uring_setup, 4, &params);
	const int prot = PROT_READ | PROT_WRITE;
	void *sq, *cq, *sqes;

	if (ring < 0 && (errno == ENOSYS || errno == EPERM))
		SKIP(return, "no io_uring");
	ASSERT_LE(0, ring);
	sq = mmap(NULL, 4096, prot, MAP_SHARED, ring, IORING_OFF_SQ_RING);
	cq = mmap(NULL, 4096, prot, MAP_SHARED, ring, IORING_OFF_CQ_RING);
	sqes = mmap(NULL, 4096, prot, MAP_SHARED, ring, IORING_OFF_SQES);
	ASSERT_TRUE(sq != MAP_FAILED && cq != MAP_FAILED && sqes != MAP_FAILED);

	EXPECT_EQ(0, submit(ring, &params, sq, cq, sqes, &sqe));
	sqe.off = (uintptr_t)NOWHERE;
	EXPECT_EQ(-EFAULT, submit(ring, &params, sq, cq, sqes, &sqe));
	sqe.fd = self->raw.fd;
	sqe.off = (uintptr_t)&take;
	sqe.fadvise_advice = POSIXTRACE_IOC_GETNEXT;
	EXPECT_EQ(0, submit(ring, &params, sq, cq, sqes, &sqe));
	EXPECT_EQ(getpid(), take.record.pid);
	EXPECT_EQ(self->id, take.record.event_id);
	EXPECT_EQ(arg.address, take.record.address);
	EXPECT_EQ(-ENODATA, submit(ring, &params, sq, cq, sqes, &sqe));
}

/*
 * The library
 */

TEST(library_takes_the_short_way)
{
	int device = device_open(), i;
	trace_event_id_t id = open_event("user event");
	struct posix_trace_event_info info;
	trace_id_t trid = running_stream();
	struct collection all;
	struct raw calls;
	int unavailable;
	size_t len;

	calls = kernel_stream(device, 0, EVENT(SYSCALL_ENTER));
	for (i = 0; i < 10; i++)
		posix_trace_event(id, &i, sizeof(i));
	for (i = 0; i < 12; i++)
		must(posix_trace_trygetnext_event(trid, &info, NULL, 0, &len,
						  &unavailable));
	must(raw_control(calls, POSIXTRACE_IOC_STOP));
	EXPECT_EQ(1, unavailable);
	all = collect(calls);
	EXPECT_EQ(10 + 12, count_calls(all, getpid(), SYS_fadvise64));
	EXPECT_EQ(1, count_calls(all, getpid(), SYS_ioctl));	/* stop */
}

/* A sandbox that has never heard of it. */
TEST(library_does_without_the_short_way)
{
	trace_event_id_t id = open_event("user event");
	trace_id_t trid = running_stream();
	struct ev ev;
	int i;

	REFUSE(SYS_fadvise64, ANY_ARG, 0, EPERM);
	for (i = 0; i < 3; i++)
		posix_trace_event(id, &i, sizeof(i));
	EXPECT_EQ(EPERM, posix_fadvise(0, 0, 0, 0));
	for (i = 0; i < 3; i++) {
		ASSERT_TRUE(ev_find(trid, id, &ev));
		EXPECT_EQ(i, ev_int(&ev));
	}
	EXPECT_FALSE(ev_try(trid, &ev));
}

TEST_HARNESS_MAIN
