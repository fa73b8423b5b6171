// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happens to a call that is under way, in an order that is forced: the call
 * stops where it touches the user's memory, which is served by userfaultfd(2),
 * and goes on when the test says so.
 */
#include "abi_test.h"
#include "exec_test.h"

#include <linux/userfaultfd.h>
#include <sys/mman.h>

/* A page that is not there: whoever touches it stops, until it is served. */
struct slow {
	int uffd;
	char *page;
};

FIXTURE(races) {
	int device;
	__u32 id;
	__u32 streams;
	struct raw raw;		/* traces the test itself; running */
	struct slow slow;
};

static bool slow_open(struct slow *slow)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = {
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};

	slow->uffd = syscall(SYS_userfaultfd, O_CLOEXEC);
	if (slow->uffd < 0 || ioctl(slow->uffd, UFFDIO_API, &api))
		return false;
	slow->page = mmap(NULL, page_size(), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	must_be(slow->page != MAP_FAILED);
	range.range.start = (uintptr_t)slow->page;
	range.range.len = page_size();
	must_be(!ioctl(slow->uffd, UFFDIO_REGISTER, &range));
	return true;
}

/* Wait until somebody has stopped there. */
static void slow_await(const struct slow *slow)
{
	struct uffd_msg msg;

	must_be(read(slow->uffd, &msg, sizeof(msg)) == sizeof(msg));
	must_be(msg.event == UFFD_EVENT_PAGEFAULT);
}

/* Let it go on, with @size bytes of @content. */
static void slow_serve(const struct slow *slow, const void *content, size_t size)
{
	static char page[65536] __attribute__((aligned(4096)));
	struct uffdio_copy copy = {
		.dst = (uintptr_t)slow->page, .src = (uintptr_t)page,
		.len = page_size(),
	};

	memcpy(page, content, size);
	must_be(!ioctl(slow->uffd, UFFDIO_COPY, &copy));
}

FIXTURE_SETUP(races)
{
	if (!slow_open(&self->slow))
		SKIP(return, "no userfaultfd");
	self->device = device_open();
	self->streams = streams_now(self->device);
	self->id = raw_eventid(self->device, "user event");
	self->raw = raw_running(self->device, 0);
	ASSERT_EQ(1, raw_drain(self->raw));
}

FIXTURE_TEARDOWN(races)
{
}

/* A call in a thread of its own. */
struct caller {
	pthread_t thread;
	atomic_int tid;
	atomic_bool done;
	int fd;
	unsigned long command;	/* 0: read() */
	void *arg;
	size_t size;
	int result;		/* error number; of read(): bytes, or negative */
};

static void *caller_run(void *arg)
{
	struct caller *c = arg;

	c->tid = (pid_t)syscall(SYS_gettid);
	if (c->command) {
		c->result = call(c->fd, c->command, c->arg);
	} else {
		c->result = read(c->fd, c->arg, c->size);
		if (c->result < 0)
			c->result = -errno;
	}
	c->done = true;
	return NULL;
}

static void caller_start(struct caller *c)
{
	c->tid = 0;
	c->done = false;
	must(pthread_create(&c->thread, NULL, caller_run, c));
}

static int caller_end(struct caller *c)
{
	must(pthread_join(c->thread, NULL));
	return c->result;
}

/* It has not come back, and waits in the kernel. */
static bool caller_waits(struct caller *c)
{
	must_be(wait_until(c->tid));
	return sleeps_in_call(getpid(), c->tid, SYS_ioctl) && !c->done;
}

static struct posixtrace_event slow_event(const FIXTURE_DATA(races) *self)
{
	return (struct posixtrace_event){
		.size = sizeof(struct posixtrace_event),
		.event_id = self->id,
		.data = (uintptr_t)self->slow.page,
		.data_size = 8,
	};
}

static struct caller slow_record(const FIXTURE_DATA(races) *self,
				 struct posixtrace_event *event)
{
	*event = slow_event(self);
	return (struct caller){
		.fd = self->device, .command = POSIXTRACE_IOC_EVENT,
		.arg = event,
	};
}

/*
 * Recording
 */

TEST_F(races, event_under_way_at_the_shutdown_is_not_recorded)
{
	struct raw other = raw_running(self->device, 0);
	struct posixtrace_event event;
	struct caller c = slow_record(self, &event);

	caller_start(&c);
	slow_await(&self->slow);
	EXPECT_EQ(0, raw_control(self->raw, POSIXTRACE_IOC_SHUTDOWN));
	EXPECT_EQ(0, close(self->raw.fd));
	EXPECT_EQ(self->streams + 1, streams_now(self->device));
	slow_serve(&self->slow, "12345678", 8);
	EXPECT_EQ(0, caller_end(&c));
	/* The other stream has it, after START. */
	EXPECT_EQ(2, raw_peek(other).recorded);
	EXPECT_EQ(2, raw_drain(other));
}

TEST_F(races, event_under_way_when_a_stream_starts_is_recorded_there)
{
	struct posixtrace_event event;
	struct caller c = slow_record(self, &event);
	struct raw other;

	caller_start(&c);
	slow_await(&self->slow);
	other = raw_running(self->device, 0);
	EXPECT_EQ(0, raw_control(self->raw, POSIXTRACE_IOC_STOP));
	slow_serve(&self->slow, "12345678", 8);
	EXPECT_EQ(0, caller_end(&c));
	EXPECT_EQ(2, raw_drain(other));
	EXPECT_EQ(1, raw_drain(self->raw));	/* STOP */
}

/* More data than is on the stack: it was allocated, for a stream that is gone. */
TEST_F(races, event_under_way_outlives_the_stream_it_was_staged_for)
{
	struct posixtrace_create arg = create_arg(0);
	struct posixtrace_event event;
	struct caller c = slow_record(self, &event);
	struct raw large;

	arg.max_data_size = 4096;
	ASSERT_EQ(0, raw_create(self->device, &arg, &large));
	ASSERT_EQ(0, raw_control(large, POSIXTRACE_IOC_START));
	event.data_size = 4096;
	caller_start(&c);
	slow_await(&self->slow);
	EXPECT_EQ(0, close(large.fd));
	slow_serve(&self->slow, "12345678", 8);
	EXPECT_EQ(0, caller_end(&c));
	/* The one that is left takes what it takes. */
	EXPECT_EQ(1, raw_peek(self->raw).truncated);
	EXPECT_EQ(1, raw_drain(self->raw));
}

/*
 * Reading
 */

/* The reader has it; the shutdown waits for the reader. */
TEST_F(races, event_on_its_way_to_a_reader_is_delivered_before_the_shutdown)
{
	size_t size = POSIXTRACE_RECORD_SIZE(8);
	struct posixtrace_control control = {
		.size = sizeof(control), .stream = self->raw.number,
	};
	struct caller reader = {
		.fd = self->raw.fd, .arg = self->slow.page, .size = 4096,
	};
	struct caller ender = {
		.fd = self->raw.fd, .command = POSIXTRACE_IOC_SHUTDOWN,
		.arg = &control,
	};

	ASSERT_EQ(0, raw_record(self->device, self->id, "12345678", 8));
	caller_start(&reader);
	slow_await(&self->slow);
	caller_start(&ender);
	EXPECT_TRUE(caller_waits(&ender));
	EXPECT_FALSE(reader.done);
	slow_serve(&self->slow, "", 0);
	EXPECT_EQ(size, caller_end(&reader));
	EXPECT_EQ(0, caller_end(&ender));
	EXPECT_EQ(0, memcmp("12345678", self->slow.page +
			    sizeof(struct posixtrace_record), 8));
	EXPECT_EQ(self->streams, streams_now(self->device));
}

TEST_F(races, event_on_its_way_by_getnext_is_delivered_before_the_shutdown)
{
	struct posixtrace_control control = {
		.size = sizeof(control), .stream = self->raw.number,
	};
	struct posixtrace_getnext next = {
		.size = sizeof(next), .stream = self->raw.number,
		.data = (uintptr_t)self->slow.page, .data_max = 8,
	};
	struct caller reader = {
		.fd = self->raw.fd, .command = POSIXTRACE_IOC_GETNEXT,
		.arg = &next,
	};
	struct caller ender = {
		.fd = self->raw.fd, .command = POSIXTRACE_IOC_SHUTDOWN,
		.arg = &control,
	};

	ASSERT_EQ(0, raw_record(self->device, self->id, "12345678", 8));
	caller_start(&reader);
	slow_await(&self->slow);
	caller_start(&ender);
	EXPECT_TRUE(caller_waits(&ender));
	slow_serve(&self->slow, "", 0);
	EXPECT_EQ(0, caller_end(&reader));
	EXPECT_EQ(self->id, next.record.event_id);
	EXPECT_EQ(0, caller_end(&ender));
	EXPECT_EQ(self->streams, streams_now(self->device));
}

static int be_slow_reader(const struct child *c, void *arg)
{
	const FIXTURE_DATA(races) *self = arg;
	struct caller reader = { .size = 4096 };
	struct slow slow;
	struct raw raw;

	must_be(slow_open(&slow));
	raw = raw_running(self->device, 0);
	reader.fd = raw.fd;
	reader.arg = slow.page;
	caller_start(&reader);
	slow_await(&slow);
	hand(c);
	pause();
	return 0;
}

/* Kill a process that has a stream, and waits for memory that never comes. */
#define EXPECT_STREAM_GOES_WITH(be_slow) do {				\
	struct child slow_one;						\
									\
	child_start(&slow_one, be_slow, self);				\
	await(&slow_one);						\
	EXPECT_EQ(self->streams + 2, streams_now(self->device));	\
	EXPECT_EQ(128 + SIGKILL, child_kill(&slow_one));		\
	EXPECT_EQ(self->streams + 1, streams_now(self->device));	\
} while (0)

/* Whoever is killed does not wait for itself. */
TEST_F(races, owner_is_killed_while_its_reader_waits_for_memory)
{
	EXPECT_STREAM_GOES_WITH(be_slow_reader);
}

/*
 * Half-done: a stream that its maker has not been told of yet
 */

/* The page is there, but whoever writes to it stops, until it is released. */
static void slow_protect(const struct slow *slow, const void *content,
			 size_t size)
{
	struct uffdio_register range = {
		.range = { (uintptr_t)slow->page, page_size() },
		.mode = UFFDIO_REGISTER_MODE_WP,
	};
	struct uffdio_writeprotect protect = {
		.range = range.range, .mode = UFFDIO_WRITEPROTECT_MODE_WP,
	};

	must_be(!ioctl(slow->uffd, UFFDIO_UNREGISTER, &range.range));
	memcpy(slow->page, content, size);
	must_be(!ioctl(slow->uffd, UFFDIO_REGISTER, &range));
	must_be(!ioctl(slow->uffd, UFFDIO_WRITEPROTECT, &protect));
}

static void slow_release(const struct slow *slow)
{
	struct uffdio_writeprotect protect = {
		.range = { (uintptr_t)slow->page, page_size() },
	};

	must_be(!ioctl(slow->uffd, UFFDIO_WRITEPROTECT, &protect));
}

/* It is not there any more: whoever has stopped there gets EFAULT. */
static void slow_remove(const struct slow *slow)
{
	struct uffdio_range range = { (uintptr_t)slow->page, page_size() };

	must_be(!munmap(slow->page, page_size()));
	must_be(!ioctl(slow->uffd, UFFDIO_WAKE, &range));
}

/* Is there a descriptor, but for @uffd, that takes the command of a stream? */
static bool any_descriptor_is_a_stream(int uffd)
{
	struct posixtrace_status arg;
	int fd;

	for (fd = 3; fd < 64; fd++) {
		if (fd == uffd)
			continue;
		/* A stream says EINVAL to this number, others ENOTTY. */
		arg = (struct posixtrace_status){ .size = sizeof(arg) };
		if (call(fd, POSIXTRACE_IOC_GET_STATUS, &arg) == EINVAL)
			return true;
	}
	return false;
}

static struct caller slow_create(const FIXTURE_DATA(races) *self)
{
	struct posixtrace_create arg = create_arg(0);

	slow_protect(&self->slow, &arg, sizeof(arg));
	return (struct caller){
		.fd = self->device, .command = POSIXTRACE_IOC_CREATE,
		.arg = self->slow.page,
	};
}

TEST_F(races, half_made_stream_can_not_be_used)
{
	struct posixtrace_create *arg = (void *)self->slow.page;
	struct caller maker = slow_create(self);

	EXPECT_EQ(0, close(self->raw.fd));
	caller_start(&maker);
	slow_await(&self->slow);
	EXPECT_EQ(self->streams + 1, streams_now(self->device));
	EXPECT_FALSE(any_descriptor_is_a_stream(self->slow.uffd));
	EXPECT_EQ(0, raw_record(self->device, self->id, "1", 1));
	slow_release(&self->slow);
	EXPECT_EQ(0, caller_end(&maker));
	EXPECT_TRUE(any_descriptor_is_a_stream(self->slow.uffd));
	EXPECT_EQ(0, raw_peek((struct raw){ arg->fd, arg->stream }).recorded);
}

TEST_F(races, half_made_stream_is_gone_if_its_maker_can_not_be_told)
{
	struct caller maker = slow_create(self);

	EXPECT_EQ(0, close(self->raw.fd));
	caller_start(&maker);
	slow_await(&self->slow);
	EXPECT_EQ(self->streams + 1, streams_now(self->device));
	slow_remove(&self->slow);
	EXPECT_EQ(EFAULT, caller_end(&maker));
	EXPECT_EQ(self->streams, streams_now(self->device));
	EXPECT_FALSE(any_descriptor_is_a_stream(self->slow.uffd));
}

static int be_slow_maker(const struct child *c, void *arg)
{
	FIXTURE_DATA(races) *self = arg;
	struct caller maker;

	must_be(slow_open(&self->slow));
	maker = slow_create(self);
	caller_start(&maker);
	slow_await(&self->slow);
	hand(c);
	pause();
	return 0;
}

TEST_F(races, half_made_stream_goes_with_its_maker)
{
	EXPECT_STREAM_GOES_WITH(be_slow_maker);
}

/*
 * Fork: between the making of the child and its first step the parent's memory
 * is written to
 */

struct forker {
	struct slow *slow;
	atomic_int pid;
};

static void *fork_slowly(void *arg)
{
	struct forker *f = arg;
	pid_t pid = syscall(SYS_clone, CLONE_PARENT_SETTID | SIGCHLD, NULL,
			    f->slow->page, NULL, 0);

	if (!pid)
		_exit(0);
	f->pid = pid;
	return NULL;
}

static struct raw inherited_stream(int device)
{
	struct posixtrace_create arg = create_arg(0);
	struct raw raw;

	arg.inheritance = POSIXTRACE_INHERITED;
	must(raw_create(device, &arg, &raw));
	must(raw_control(raw, POSIXTRACE_IOC_START));
	return raw;
}

TEST_F(races, stream_is_shut_down_while_a_child_inherits_it)
{
	struct raw raw = inherited_stream(self->device);
	struct forker forker = { .slow = &self->slow };
	pthread_t thread;

	must(pthread_create(&thread, NULL, fork_slowly, &forker));
	slow_await(&self->slow);
	EXPECT_EQ(2, raw_peek(raw).processes);
	EXPECT_EQ(0, raw_control(raw, POSIXTRACE_IOC_SHUTDOWN));
	EXPECT_EQ(0, close(raw.fd));
	EXPECT_EQ(self->streams + 1, streams_now(self->device));
	slow_serve(&self->slow, "", 0);
	must(pthread_join(thread, NULL));
	ASSERT_LT(0, forker.pid);
	EXPECT_EQ(forker.pid, waitpid(forker.pid, NULL, 0));
}

TEST_F(races, stream_is_stopped_while_a_child_inherits_it)
{
	struct raw raw = inherited_stream(self->device);
	struct forker forker = { .slow = &self->slow };
	pthread_t thread;

	must(pthread_create(&thread, NULL, fork_slowly, &forker));
	slow_await(&self->slow);
	EXPECT_EQ(0, raw_control(raw, POSIXTRACE_IOC_STOP));
	EXPECT_EQ(0, raw_control(raw, POSIXTRACE_IOC_START));
	slow_serve(&self->slow, "", 0);
	must(pthread_join(thread, NULL));
	ASSERT_LT(0, forker.pid);
	EXPECT_EQ(forker.pid, waitpid(forker.pid, NULL, 0));
	EXPECT_EQ(1, raw_peek(raw).processes);
	EXPECT_EQ(3, raw_drain(raw));
}

/*
 * Exec
 */

static int after_exec(const struct child *c, const char *what)
{
	hand(c);
	await(c);
	return 0;
}

/* A thread of the target waits for its data; another executes a program. */
static int be_executing_target(const struct child *c, void *arg)
{
	FIXTURE_DATA(races) *self = arg;
	struct posixtrace_event event;
	struct caller recorder;

	must_be(slow_open(&self->slow));
	hand(c);
	await(c);
	recorder = slow_record(self, &event);
	caller_start(&recorder);
	slow_await(&self->slow);
	exec_again(c, "");
	return 1;
}

TEST_F(races, event_under_way_at_an_exec_is_lost)
{
	struct child c;
	struct raw raw;

	child_start(&c, be_executing_target, self);
	await(&c);
	raw = raw_running(self->device, c.pid);
	hand(&c);
	await(&c);
	EXPECT_EQ(1, raw_peek(raw).recorded);
	EXPECT_EQ(1, raw_peek(raw).lost);
	EXPECT_EQ(1, raw_peek(raw).processes);
	hand(&c);
	EXPECT_EQ(0, child_end(&c));
	EXPECT_EQ(1, raw_drain(raw));
}

/*
 * While an event is written over another one, and while two readers take events,
 * a stream may look empty for a moment. Whoever begins to wait in that moment
 * has to be woken all the same. The more processors the better: on one that takes
 * turns there is no such moment.
 */

#define AT_ONCE		2000	/* events to be read */

struct crowd {
	trace_event_id_t id;
	trace_id_t trid;
	size_t size;
	atomic_int read;
	atomic_bool end;
};

static void *record_without_end(void *arg)
{
	static char data[8192];
	struct crowd *crowd = arg;

	while (!crowd->end)
		posix_trace_event(crowd->id, data, crowd->size);
	return NULL;
}

static void *read_and_wait(void *arg)
{
	struct crowd *crowd = arg;
	struct timespec limit;
	struct ev ev;

	while (atomic_fetch_add(&crowd->read, 1) < AT_ONCE) {
		limit = realtime_in(WAIT_LIMIT * 1000);
		if (posix_trace_timedgetnext_event(crowd->trid, &ev.info,
						   ev.data, sizeof(ev.data),
						   &ev.len, &ev.unavailable,
						   &limit))
			return arg;
	}
	return NULL;
}

static void expect_no_sleeper(struct __test_metadata *_metadata, size_t size,
			      int readers)
{
	struct crowd crowd = { .id = open_event("user event"), .size = size };
	pthread_t writer, reader[2];
	trace_attr_t attr;
	void *slept;
	int i;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setstreamfullpolicy(&attr, POSIX_TRACE_LOOP));
	must(posix_trace_attr_setmaxdatasize(&attr, size));
	must(posix_trace_attr_setstreamsize(&attr, 1));
	crowd.trid = self_stream(&attr);
	must(posix_trace_start(crowd.trid));
	must(pthread_create(&writer, NULL, record_without_end, &crowd));
	for (i = 0; i < readers; i++)
		must(pthread_create(&reader[i], NULL, read_and_wait, &crowd));
	for (i = 0; i < readers; i++) {
		must(pthread_join(reader[i], &slept));
		EXPECT_EQ(NULL, slept);
	}
	crowd.end = true;
	must(pthread_join(writer, NULL));
}

TEST(reader_is_woken_though_its_stream_seemed_to_be_empty)
{
	expect_no_sleeper(_metadata, 8192, 1);
	expect_no_sleeper(_metadata, 8, 2);
}

TEST_HARNESS_MAIN
