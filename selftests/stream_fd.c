// SPDX-License-Identifier: GPL-2.0-only
/*
 * The descriptor of a stream: read(), poll() and epoll.
 */
#include "abi_test.h"

#include <sys/epoll.h>

FIXTURE(stream_fd) {
	int device;
	__u32 id;
	struct raw stream;	/* running, START taken out */
	__u64 buffer[RECORDS_SIZE / sizeof(__u64)];
};

FIXTURE_SETUP(stream_fd)
{
	self->device = device_open();
	self->id = raw_eventid(self->device, "user event");
	self->stream = raw_running(self->device, 0);
	ASSERT_EQ(1, raw_drain(self->stream));
}

FIXTURE_TEARDOWN(stream_fd)
{
}

static void set_nonblock(int fd)
{
	must_be(!fcntl(fd, F_SETFL, O_NONBLOCK));
}

static void record(int device, __u32 id, __u64 number)
{
	must(raw_record(device, id, &number, sizeof(number)));
}

/* poll() for input, without waiting. */
static int polled(int fd)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };

	must_be(poll(&pfd, 1, 0) >= 0);
	return pfd.revents;
}

/* The number in the @n-th record of @buffer, all of one size. */
static __u64 number_at(const void *buffer, size_t n)
{
	size_t size = POSIXTRACE_RECORD_SIZE(8);
	__u64 number;

	memcpy(&number, (const char *)buffer + n * size +
	       sizeof(struct posixtrace_record), sizeof(number));
	return number;
}

TEST_F(stream_fd, read_gives_whole_records_oldest_first)
{
	ssize_t size = POSIXTRACE_RECORD_SIZE(8);
	struct posixtrace_record record_seen;
	__u64 n;

	for (n = 0; n < 5; n++)
		record(self->device, self->id, n);
	EXPECT_EQ(2 * size, read(self->stream.fd, self->buffer, 3 * size - 1));
	EXPECT_EQ(0, number_at(self->buffer, 0));
	EXPECT_EQ(1, number_at(self->buffer, 1));
	memcpy(&record_seen, self->buffer, sizeof(record_seen));
	EXPECT_EQ(size, record_seen.size);
	EXPECT_EQ(8, record_seen.data_size);
	EXPECT_EQ(self->id, record_seen.event_id);
	EXPECT_EQ(POSIXTRACE_NOT_TRUNCATED, record_seen.truncation);
	EXPECT_EQ(getpid(), record_seen.pid);
	EXPECT_EQ(getpid(), record_seen.tid);

	EXPECT_EQ(3 * size, read(self->stream.fd, self->buffer,
				 sizeof(self->buffer)));
	EXPECT_EQ(2, number_at(self->buffer, 0));
	EXPECT_EQ(4, number_at(self->buffer, 2));
	EXPECT_EQ(6, raw_peek(self->stream).read);
}

TEST_F(stream_fd, read_pads_records_with_zeroes)
{
	ssize_t size = POSIXTRACE_RECORD_SIZE(3);
	char *data = (char *)self->buffer + sizeof(struct posixtrace_record);

	memset(self->buffer, 0x5a, sizeof(self->buffer));
	must(raw_record(self->device, self->id, "abc", 3));
	EXPECT_EQ(size, read(self->stream.fd, self->buffer,
			     sizeof(self->buffer)));
	EXPECT_EQ(0, memcmp(data, "abc\0\0\0\0\0", 8));
	EXPECT_EQ(0x5a, data[8]);
}

TEST_F(stream_fd, read_refuses_a_buffer_too_small_and_loses_nothing)
{
	ssize_t size = POSIXTRACE_RECORD_SIZE(8);

	record(self->device, self->id, 1);
	EXPECT_EQ(-1, read(self->stream.fd, self->buffer, size - 1));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, read(self->stream.fd, self->buffer, 1));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(size, read(self->stream.fd, self->buffer, size));
	EXPECT_EQ(1, number_at(self->buffer, 0));
}

TEST_F(stream_fd, read_into_a_bad_buffer_loses_nothing)
{
	ssize_t size = POSIXTRACE_RECORD_SIZE(8);
	char *end = page_end();
	void *bad[] = { NULL, NOWHERE, end, end - size + 1, end - 8,
			read_only("", 1) };
	unsigned int i;

	record(self->device, self->id, 1);
	record(self->device, self->id, 2);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-1, read(self->stream.fd, bad[i], 4096));
		EXPECT_EQ(EFAULT, errno);
	}
	EXPECT_EQ(1, raw_peek(self->stream).read);
	/* Room for one, but it says that there is more. */
	if (read(self->stream.fd, end - size - 8, 4096) != size) {
		EXPECT_EQ(size, read(self->stream.fd, self->buffer, size));
		EXPECT_EQ(1, number_at(self->buffer, 0));
	}
	EXPECT_EQ(size, read(self->stream.fd, self->buffer, 4096));
	EXPECT_EQ(2, number_at(self->buffer, 0));
	EXPECT_EQ(3, raw_peek(self->stream).read);
}

TEST_F(stream_fd, read_of_nothing_fails_without_waiting_if_so_asked)
{
	set_nonblock(self->stream.fd);
	EXPECT_EQ(-1, read(self->stream.fd, self->buffer, 4096));
	EXPECT_EQ(EAGAIN, errno);
	record(self->device, self->id, 1);
	EXPECT_EQ(POSIXTRACE_RECORD_SIZE(8),
		  read(self->stream.fd, self->buffer, 4096));
	EXPECT_EQ(-1, read(self->stream.fd, self->buffer, 4096));
	EXPECT_EQ(EAGAIN, errno);
}

/* A thread in a blocking read(). */
struct blocked {
	pthread_t thread;
	atomic_int tid;
	int fd;
	ssize_t result;
	int error;
	__u64 buffer[64];
};

static void *blocked_run(void *arg)
{
	struct blocked *b = arg;

	b->tid = (pid_t)syscall(SYS_gettid);
	b->result = read(b->fd, b->buffer, sizeof(b->buffer));
	b->error = errno;
	return NULL;
}

/* Start it and wait until it sleeps there. */
static void blocked_start(struct blocked *b, int fd)
{
	b->fd = fd;
	b->tid = 0;
	must(pthread_create(&b->thread, NULL, blocked_run, b));
	must_be(wait_until(b->tid));
	must_be(sleeps_in_call(getpid(), b->tid, SYS_read));
}

static void do_nothing(int sig)
{
	(void)sig;
}

TEST_F(stream_fd, read_waits_for_an_event)
{
	struct blocked b;

	blocked_start(&b, self->stream.fd);
	record(self->device, self->id, 1);
	must(pthread_join(b.thread, NULL));
	EXPECT_EQ(POSIXTRACE_RECORD_SIZE(8), b.result);
}

TEST_F(stream_fd, read_that_waits_ends_at_the_shutdown)
{
	struct blocked b;

	blocked_start(&b, self->stream.fd);
	EXPECT_EQ(0, raw_control(self->stream, POSIXTRACE_IOC_SHUTDOWN));
	must(pthread_join(b.thread, NULL));
	EXPECT_EQ(-1, b.result);
	EXPECT_EQ(EINVAL, b.error);
}

TEST_F(stream_fd, read_that_waits_is_interrupted_by_a_signal)
{
	struct blocked b;

	on_signal(SIGUSR1, do_nothing, 0);
	blocked_start(&b, self->stream.fd);
	must(pthread_kill(b.thread, SIGUSR1));
	must(pthread_join(b.thread, NULL));
	EXPECT_EQ(-1, b.result);
	EXPECT_EQ(EINTR, b.error);
	record(self->device, self->id, 1);
	EXPECT_EQ(1, raw_drain(self->stream));
}

TEST_F(stream_fd, read_that_waits_goes_on_after_a_signal_if_so_asked)
{
	struct blocked b;

	on_signal(SIGUSR1, do_nothing, SA_RESTART);
	blocked_start(&b, self->stream.fd);
	must(pthread_kill(b.thread, SIGUSR1));
	must_be(sleeps_in_call(getpid(), b.tid, SYS_read));
	record(self->device, self->id, 1);
	must(pthread_join(b.thread, NULL));
	EXPECT_EQ(POSIXTRACE_RECORD_SIZE(8), b.result);
}

TEST_F(stream_fd, read_is_refused_to_a_child)
{
	struct child c;
	int status;

	record(self->device, self->id, 1);
	c.pid = fork();
	ASSERT_LE(0, c.pid);
	if (!c.pid) {
		ssize_t n = read(self->stream.fd, self->buffer, 4096);

		_exit(n < 0 ? errno : 0);
	}
	ASSERT_EQ(c.pid, waitpid(c.pid, &status, 0));
	EXPECT_EQ(EINVAL, WEXITSTATUS(status));
	EXPECT_EQ(1, raw_drain(self->stream));
}

TEST_F(stream_fd, read_is_refused_after_the_shutdown)
{
	record(self->device, self->id, 1);
	EXPECT_EQ(0, raw_control(self->stream, POSIXTRACE_IOC_SHUTDOWN));
	EXPECT_EQ(-1, read(self->stream.fd, self->buffer, 4096));
	EXPECT_EQ(EINVAL, errno);
}

TEST_F(stream_fd, cannot_be_written_or_read_at_an_offset)
{
	record(self->device, self->id, 1);
	EXPECT_EQ(-1, write(self->stream.fd, "x", 1));
	EXPECT_EQ(-1, pread(self->stream.fd, self->buffer, 4096, 0));
	EXPECT_EQ(ESPIPE, errno);
	EXPECT_EQ(1, raw_drain(self->stream));
}

TEST_F(stream_fd, polls_in_exactly_while_there_is_an_event)
{
	EXPECT_EQ(0, polled(self->stream.fd));
	record(self->device, self->id, 1);
	EXPECT_EQ(POLLIN, polled(self->stream.fd));
	record(self->device, self->id, 2);
	EXPECT_LT(0, read(self->stream.fd, self->buffer,
			  POSIXTRACE_RECORD_SIZE(8)));
	EXPECT_EQ(POLLIN, polled(self->stream.fd));
	EXPECT_EQ(1, raw_drain(self->stream));
	EXPECT_EQ(0, polled(self->stream.fd));
	record(self->device, self->id, 3);
	EXPECT_EQ(0, raw_control(self->stream, POSIXTRACE_IOC_CLEAR));
	EXPECT_EQ(0, polled(self->stream.fd));
}

TEST_F(stream_fd, polls_hup_after_the_shutdown)
{
	record(self->device, self->id, 1);
	EXPECT_EQ(0, raw_control(self->stream, POSIXTRACE_IOC_SHUTDOWN));
	EXPECT_EQ(POLLHUP, polled(self->stream.fd) & POLLHUP);
}

/* A thread that waits in poll(). */
struct poller {
	pthread_t thread;
	atomic_int tid;
	struct pollfd pfd;
};

static void *poller_run(void *arg)
{
	struct poller *p = arg;

	p->tid = (pid_t)syscall(SYS_gettid);
	must_be(poll(&p->pfd, 1, -1) == 1);
	return NULL;
}

static void poller_start(struct poller *p, int fd)
{
	p->tid = 0;
	p->pfd = (struct pollfd){ .fd = fd, .events = POLLIN };
	must(pthread_create(&p->thread, NULL, poller_run, p));
	must_be(wait_until(p->tid));
	must_be(sleeps_in_call(getpid(), p->tid, SYS_poll));
}

TEST_F(stream_fd, poll_wakes_at_an_event)
{
	struct poller p;

	poller_start(&p, self->stream.fd);
	record(self->device, self->id, 1);
	must(pthread_join(p.thread, NULL));
	EXPECT_EQ(POLLIN, p.pfd.revents);
}

TEST_F(stream_fd, poll_wakes_at_the_shutdown)
{
	struct poller p;

	poller_start(&p, self->stream.fd);
	EXPECT_EQ(0, raw_control(self->stream, POSIXTRACE_IOC_SHUTDOWN));
	must(pthread_join(p.thread, NULL));
	EXPECT_EQ(POLLHUP, p.pfd.revents & POLLHUP);
}

TEST_F(stream_fd, epoll_reports_each_stream_that_has_events)
{
	struct raw other = raw_stream(self->device, 0);
	struct epoll_event event = { .events = EPOLLIN }, seen[2];
	int epoll = epoll_create1(EPOLL_CLOEXEC);

	event.data.u64 = 1;
	ASSERT_EQ(0, epoll_ctl(epoll, EPOLL_CTL_ADD, self->stream.fd, &event));
	event.data.u64 = 2;
	ASSERT_EQ(0, epoll_ctl(epoll, EPOLL_CTL_ADD, other.fd, &event));
	EXPECT_EQ(0, epoll_wait(epoll, seen, 2, 0));

	record(self->device, self->id, 1);
	ASSERT_EQ(1, epoll_wait(epoll, seen, 2, 0));
	EXPECT_EQ(1, seen[0].data.u64);
	EXPECT_EQ(EPOLLIN, seen[0].events);
	EXPECT_EQ(0, raw_control(other, POSIXTRACE_IOC_START));
	EXPECT_EQ(2, epoll_wait(epoll, seen, 2, 0));

	EXPECT_EQ(1, raw_drain(self->stream));
	ASSERT_EQ(1, epoll_wait(epoll, seen, 2, 0));
	EXPECT_EQ(2, seen[0].data.u64);
}

/* Who is woken reads all there is: so more events need not wake it again. */
TEST_F(stream_fd, epoll_at_edges_reports_the_first_event_after_all_were_read)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLET }, seen;
	int epoll = epoll_create1(EPOLL_CLOEXEC);

	ASSERT_EQ(0, epoll_ctl(epoll, EPOLL_CTL_ADD, self->stream.fd, &event));
	record(self->device, self->id, 1);
	/* The wake-up comes after the event: allow for the way. */
	EXPECT_EQ(1, epoll_wait(epoll, &seen, 1, 10000));
	EXPECT_EQ(0, epoll_wait(epoll, &seen, 1, 0));
	record(self->device, self->id, 2);
	EXPECT_EQ(0, epoll_wait(epoll, &seen, 1, 0));
	EXPECT_EQ(2, raw_drain(self->stream));
	record(self->device, self->id, 3);
	EXPECT_EQ(1, epoll_wait(epoll, &seen, 1, 10000));
}

TEST_HARNESS_MAIN
