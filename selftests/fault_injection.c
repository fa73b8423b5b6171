// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each allocation and each copy from or to user memory that a call makes in the
 * kernel fails once. The call then fails and has changed nothing, or it has done
 * without and works. That nothing is leaked is found by kmemleak in the end.
 */
#include "fault_test.h"
#include "netlink_test.h"

#include <dirent.h>
#include <sys/klog.h>
#include <sys/mman.h>

#define MODULE		"/lib/modules/posixtrace.ko"

/* Everything that a call that fails must leave alone. */
struct state {
	__u32 streams;
	unsigned int files;
	long references;	/* on the module */
	struct posixtrace_status status;
	struct posixtrace_event_set filter;
	struct posixtrace_gate gate;
};

FIXTURE(faults) {
	int device;
	int log;		/* -1: none */
	struct child target;
	__u32 id;
	const struct posixtrace_gate *gate;
	struct raw raw;
	struct nl nl;
	unsigned int names;	/* opened in all */
	void *page;		/* where the gate is mapped by a call */
};

FIXTURE_VARIANT(faults) {
	bool log;
};

FIXTURE_VARIANT_ADD(faults, stream) { .log = false };
FIXTURE_VARIANT_ADD(faults, log) { .log = true };

static long module_references(void)
{
	char text[32] = "";
	int fd = open("/sys/module/posixtrace/refcnt", O_RDONLY | O_CLOEXEC);

	must_be(fd >= 0 && read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	return atol(text);
}

static struct state state_of(const FIXTURE_DATA(faults) *self)
{
	struct state state = {
		.streams = streams_now(self->device),
		.files = files_open(),
		.references = module_references(),
		.gate = gate_now(self->gate),
	};

	if (self->raw.fd >= 0) {
		state.status = raw_peek(self->raw);
		state.filter = raw_filter(self->raw);
	}
	return state;
}

static bool same_state(const struct state *a, const struct state *b)
{
	return a->streams == b->streams && a->files == b->files &&
	       a->references == b->references &&
	       !memcmp(&a->status, &b->status, sizeof(a->status)) &&
	       !memcmp(&a->filter, &b->filter, sizeof(a->filter)) &&
	       !memcmp(&a->gate, &b->gate, sizeof(a->gate));
}

static struct posixtrace_create stream_arg(const FIXTURE_DATA(faults) *self)
{
	struct posixtrace_create arg = create_arg(0);

	arg.stream_policy = POSIXTRACE_POLICY_UNTIL_FULL;
	arg.stream_size = 0;
	arg.max_data_size = 1024;
	if (self->log >= 0) {
		arg.flags = POSIXTRACE_CREATE_LOG;
		arg.log_fd = self->log;
	}
	return arg;
}

/* A stream that has run full: every flag of the status can change. */
static void make_stream(FIXTURE_DATA(faults) *self)
{
	struct posixtrace_create arg = stream_arg(self);
	char data[512] = "";

	must(raw_create(self->device, &arg, &self->raw));
	must(raw_control(self->raw, POSIXTRACE_IOC_START));
	while (!raw_peek(self->raw).overrun)
		must(raw_record(self->device, self->id, data, sizeof(data)));
}

static void end_stream(FIXTURE_DATA(faults) *self)
{
	close(self->raw.fd);
	self->raw.fd = -1;
}

/* Empty it, and see that it records and reports one event as ever. */
static bool stream_works(const FIXTURE_DATA(faults) *self)
{
	struct raw_event event;
	__u64 recorded;

	must(raw_control(self->raw, POSIXTRACE_IOC_CLEAR));
	must(raw_control(self->raw, POSIXTRACE_IOC_START));
	raw_drain(self->raw);
	recorded = raw_peek(self->raw).recorded;
	must(raw_record(self->device, self->id, "12345", 5));
	return raw_peek(self->raw).recorded == recorded + 1 &&
	       !raw_next(self->raw, &event) &&
	       event.record.event_id == self->id && event.record.data_size == 5;
}

static int be_target(const struct child *c, void *arg)
{
	hand(c);
	await(c);
	return 0;
}

FIXTURE_SETUP(faults)
{
	if (!faults_init())
		SKIP(return, "the kernel does not fail on demand");
	self->device = device_open();
	self->log = variant->log ? memfd_create("log", MFD_CLOEXEC) : -1;
	self->id = raw_eventid(self->device, "user event");
	self->gate = gate_map(self->device);
	self->raw.fd = -1;
	self->nl = nl_open();
	child_start(&self->target, be_target, NULL);
	await(&self->target);
	make_stream(self);
}

FIXTURE_TEARDOWN(faults)
{
	if (self->raw.fd >= 0)
		end_stream(self);
	child_kill(&self->target);
}

/*
 * Calls on the stream and the device
 */

struct operation {
	const char *name;
	int (*run)(FIXTURE_DATA(faults) *self);
	bool ends;	/* the stream, if it succeeds */
	bool stages;	/* events, that the next reader gets if it fails */
};

#define CONTROL(name, command)						\
static int name(FIXTURE_DATA(faults) *self)				\
{									\
	return raw_control(self->raw, command);				\
}

CONTROL(start, POSIXTRACE_IOC_START)
CONTROL(stop, POSIXTRACE_IOC_STOP)
CONTROL(clear, POSIXTRACE_IOC_CLEAR)
CONTROL(flush, POSIXTRACE_IOC_FLUSH)
CONTROL(shut_down, POSIXTRACE_IOC_SHUTDOWN)
CONTROL(rewind_types, POSIXTRACE_IOC_TYPELIST_REWIND)

static int get_status(FIXTURE_DATA(faults) *self)
{
	struct posixtrace_status arg = {
		.size = sizeof(arg), .stream = self->raw.number,
	};

	return call(self->raw.fd, POSIXTRACE_IOC_GET_STATUS, &arg);
}

static int get_attr(FIXTURE_DATA(faults) *self)
{
	struct posixtrace_attr arg = {
		.size = sizeof(arg), .stream = self->raw.number,
	};

	return call(self->raw.fd, POSIXTRACE_IOC_GET_ATTR, &arg);
}

static int get_filter(FIXTURE_DATA(faults) *self)
{
	struct posixtrace_filter arg = {
		.size = sizeof(arg), .stream = self->raw.number,
	};

	return call(self->raw.fd, POSIXTRACE_IOC_GET_FILTER, &arg);
}

static int set_filter(FIXTURE_DATA(faults) *self)
{
	struct posixtrace_filter arg = {
		.size = sizeof(arg), .how = POSIXTRACE_ADD_EVENTSET,
		.stream = self->raw.number,
	};

	arg.set.bits[8] = 1;
	return call(self->raw.fd, POSIXTRACE_IOC_SET_FILTER, &arg);
}

static int getnext(FIXTURE_DATA(faults) *self)
{
	struct raw_event event;

	return raw_next(self->raw, &event);
}

static int wait_for_event(FIXTURE_DATA(faults) *self)
{
	struct posixtrace_wait arg = {
		.size = sizeof(arg), .stream = self->raw.number,
	};

	return call(self->raw.fd, POSIXTRACE_IOC_WAIT, &arg);
}

static int name_call(FIXTURE_DATA(faults) *self, unsigned long command)
{
	struct posixtrace_name arg = {
		.size = sizeof(arg), .event_id = self->id,
		.stream = self->raw.number,
	};

	snprintf(arg.name, sizeof(arg.name), "name %u", self->names++ % 100);
	return call(self->raw.fd, command, &arg);
}

static int open_for_stream(FIXTURE_DATA(faults) *self)
{
	return name_call(self, POSIXTRACE_IOC_TRID_EVENTID_OPEN);
}

static int get_name(FIXTURE_DATA(faults) *self)
{
	return name_call(self, POSIXTRACE_IOC_EVENTID_GET_NAME);
}

static int next_type(FIXTURE_DATA(faults) *self)
{
	return name_call(self, POSIXTRACE_IOC_TYPELIST_NEXT);
}

static int read_events(FIXTURE_DATA(faults) *self)
{
	static char buffer[RECORDS_SIZE] __attribute__((aligned(8)));

	return read(self->raw.fd, buffer, sizeof(buffer)) < 0 ? errno : 0;
}

static int poll_stream(FIXTURE_DATA(faults) *self)
{
	struct pollfd pfd = { .fd = self->raw.fd, .events = POLLIN };

	return poll(&pfd, 1, 0) < 0 ? errno : 0;
}

static int open_own(FIXTURE_DATA(faults) *self)
{
	struct posixtrace_name arg = { .size = sizeof(arg) };

	snprintf(arg.name, sizeof(arg.name), "name %u", self->names++ % 100);
	return call(self->device, POSIXTRACE_IOC_EVENTID_OPEN, &arg);
}

static int get_limits(FIXTURE_DATA(faults) *self)
{
	struct posixtrace_limits arg = { .size = sizeof(arg) };

	return call(self->device, POSIXTRACE_IOC_LIMITS, &arg);
}

static int record_with_no_room(FIXTURE_DATA(faults) *self)
{
	static const char data[1024];

	return raw_record(self->device, self->id, data, sizeof(data));
}

static int map_gate(FIXTURE_DATA(faults) *self)
{
	void *p = mmap(self->page, page_size(), PROT_READ,
		       MAP_SHARED | (self->page ? MAP_FIXED : 0),
		       self->device, 0);

	if (p == MAP_FAILED)
		return errno;
	self->page = p;
	return 0;
}

static int open_device(FIXTURE_DATA(faults) *self)
{
	int fd = open(DEVICE_PATH, O_RDWR | O_CLOEXEC);

	(void)self;
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* The whole list, by netlink; a socket that has failed is not used again. */
static int list_streams(FIXTURE_DATA(faults) *self)
{
	struct nl_request r = nl_request_of(&self->nl, self->nl.family,
					    POSIXTRACE_NL_GET_STREAMS,
					    NLM_F_DUMP);
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	int err = fd < 0 ? errno : 0;
	union {
		struct nlmsghdr h;
		char room[NL_PART];
	} part;

	if (!err && send(fd, &r, r.nl.nlmsg_len, 0) < 0)
		err = errno;
	do {
		if (!err && recv(fd, &part, sizeof(part), 0) < 0)
			err = errno;
	} while (!err && part.h.nlmsg_type == self->nl.family);
	if (!err && part.h.nlmsg_type == NLMSG_ERROR)
		err = nl_error(&part.h);
	if (fd >= 0)
		close(fd);
	return err;
}

static int close_stream(FIXTURE_DATA(faults) *self)
{
	int fd = self->raw.fd;

	self->raw.fd = -1;
	close(fd);
	return 0;
}

#define OPERATION(fn)		{ .name = #fn, .run = fn }
#define READ_OPERATION(fn)	{ .name = #fn, .run = fn, .stages = true }
#define LAST_OPERATION(fn)	{ .name = #fn, .run = fn, .ends = true }

static const struct operation operations[] = {
	OPERATION(get_status), OPERATION(get_attr), OPERATION(get_filter),
	OPERATION(rewind_types), OPERATION(next_type), OPERATION(get_name),
	OPERATION(wait_for_event), OPERATION(poll_stream),
	OPERATION(list_streams), OPERATION(get_limits), OPERATION(open_device), OPERATION(open_own),
	OPERATION(open_for_stream), OPERATION(map_gate),
	OPERATION(record_with_no_room), READ_OPERATION(getnext),
	OPERATION(set_filter), READ_OPERATION(read_events), OPERATION(start),
	OPERATION(flush), OPERATION(stop), OPERATION(clear),
	LAST_OPERATION(shut_down), LAST_OPERATION(close_stream),
};

/* One call, in which the @n-th fails. Sets @result; false: there is none. */
static bool runs_with_fault(FIXTURE_DATA(faults) *self,
			    const struct operation *op, unsigned int n,
			    int *result)
{
	fault_arm(n);
	*result = op->run(self);
	return fault_happened();
}

/* The stream as it is after a call that succeeded in spite of a fault. */
static bool is_sound(FIXTURE_DATA(faults) *self, const struct operation *op)
{
	bool sound = op->ends || stream_works(self);

	if (self->raw.fd >= 0)
		end_stream(self);
	make_stream(self);
	return sound;
}

/*
 * A stream whose events wait for the next reader may have got room, and so have
 * started again: with START it has all its events.
 */
static bool same_events(FIXTURE_DATA(faults) *self, const struct state *before,
			const struct state *after)
{
	bool same = before->streams == after->streams &&
		    before->files == after->files &&
		    before->references == after->references &&
		    before->status.read == after->status.read &&
		    before->status.lost == after->status.lost;
	__u64 there = raw_peek(self->raw).recorded - before->status.read;

	same &= raw_drain(self->raw) >= there;
	end_stream(self);
	make_stream(self);
	return same;
}

static void sweep(struct __test_metadata *_metadata,
		  FIXTURE_DATA(faults) *self, const struct operation *op)
{
	unsigned int n, failed = 0;
	struct state before, after;
	bool happened = true;
	int result;

	for (n = 1; happened; n++) {
		ASSERT_GT(FAULTS_MAX, n);
		before = state_of(self);
		happened = runs_with_fault(self, op, n, &result);
		if (!result) {
			ASSERT_TRUE(is_sound(self, op))
				TH_LOG("%s, fault %u", op->name, n);
			continue;
		}
		ASSERT_TRUE(happened)
			TH_LOG("%s: error %d", op->name, result);
		ASSERT_TRUE(result == ENOMEM || result == EFAULT ||
			    result == ENFILE || result == ENOBUFS)
			TH_LOG("%s, fault %u: error %d", op->name, n, result);
		after = state_of(self);
		ASSERT_TRUE(op->stages ? same_events(self, &before, &after) :
					 same_state(&before, &after))
			TH_LOG("%s, fault %u", op->name, n);
		failed++;
	}
	TH_LOG("%s: %u faults, %u errors", op->name, n - 2, failed);
}

TEST_F(faults, of_a_call_change_nothing)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(operations); i++) {
		/* Only a stream with a log can be flushed. */
		if (!variant->log && operations[i].run == flush)
			continue;
		sweep(_metadata, self, &operations[i]);
	}
}

/*
 * Creation
 */

static struct posixtrace_create create_on(const FIXTURE_DATA(faults) *self,
					  bool kernel_events)
{
	struct posixtrace_create arg = stream_arg(self);

	arg.pid = self->target.pid;
	arg.inheritance = POSIXTRACE_INHERITED;
	if (kernel_events)
		arg.kernel_events.bits[0] =
			(1ULL << POSIXTRACE_EV_KERNEL_END) -
			(1ULL << POSIXTRACE_EV_KERNEL);
	return arg;
}

static void sweep_create(struct __test_metadata *_metadata,
			 FIXTURE_DATA(faults) *self, bool kernel_events)
{
	struct state before = state_of(self), after;
	unsigned int n, failed = 0;
	struct posixtrace_create arg;
	struct raw raw = { .fd = -1 };
	bool happened = true;
	int result;

	for (n = 1; happened; n++) {
		ASSERT_GT(FAULTS_MAX, n);
		arg = create_on(self, kernel_events);
		fault_arm(n);
		result = raw_create(self->device, &arg, &raw);
		happened = fault_happened();
		if (!result) {
			/* It traces, whatever it had to do without. */
			ASSERT_EQ(0, raw_control(raw, POSIXTRACE_IOC_START));
			ASSERT_EQ(1, raw_peek(raw).running);
			ASSERT_EQ(1, raw_peek(raw).processes);
			ASSERT_EQ(0, close(raw.fd));
		} else {
			ASSERT_TRUE(happened);
			failed++;
		}
		after = state_of(self);
		ASSERT_TRUE(same_state(&before, &after))
			TH_LOG("fault %u: error %d", n, result);
	}
	TH_LOG("%u faults, %u errors", n - 2, failed);
	/* Some are sure to be those of the module. */
	EXPECT_LE(10, failed);
}

TEST_F(faults, of_create_leave_nothing_behind)
{
	/* The one that is there could be written by the file of another. */
	end_stream(self);
	sweep_create(_metadata, self, false);
}

TEST_F(faults, of_create_with_kernel_events_leave_nothing_behind)
{
	end_stream(self);
	sweep_create(_metadata, self, true);
}

#define QUOTA		"/sys/module/posixtrace/parameters/user_quota"

static bool set_quota(__u64 bytes)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)bytes);
	return fault_set(QUOTA, text);
}

/* As another user, who can have one stream: it can be had after each fault. */
static int create_with_faults(const struct child *c, void *arg)
{
	FIXTURE_DATA(faults) *self = arg;
	struct posixtrace_create create;
	bool happened = true;
	unsigned int n;
	struct raw raw;
	int result;

	must_be(faults_init());
	must(become_user(1000));
	for (n = 1; happened; n++) {
		must_be(n < FAULTS_MAX);
		create = stream_arg(self);
		fault_arm(n);
		result = raw_create(self->device, &create, &raw);
		happened = fault_happened();
		if (!result) {
			must_be(!close(raw.fd));
			continue;
		}
		must_be(happened);
		create = stream_arg(self);
		must(raw_create(self->device, &create, &raw));
		must_be(!close(raw.fd));
	}
	return 0;
}

static int create_once(const struct child *c, void *arg)
{
	FIXTURE_DATA(faults) *self = arg;
	struct posixtrace_create create = stream_arg(self);
	struct raw raw;

	must(become_user(1000));
	return raw_create(self->device, &create, &raw);
}

/* What a user has is counted for ever: nothing may get lost on the way. */
TEST_F(faults, of_create_use_up_no_quota)
{
	struct posixtrace_limits limits = { .size = sizeof(limits) };
	__u64 quota = 4096;

	ASSERT_EQ(0, call(self->device, POSIXTRACE_IOC_LIMITS, &limits));
	end_stream(self);
	do {
		quota += quota / 4;
		ASSERT_TRUE(set_quota(quota));
	} while (in_child(create_once, self) == ENOMEM);
	EXPECT_EQ(0, in_child(create_with_faults, self));
	ASSERT_TRUE(set_quota(limits.user_quota));
}

/*
 * The gate
 */

/* A process that can't have a page of its own is told that all is wanted. */
TEST_F(faults, of_the_first_look_at_the_gate_do_no_harm)
{
	bool happened = true;
	int status, opened = 0;
	unsigned int n;
	pid_t pid;

	if (variant->log)
		SKIP(return, "has nothing to do with logs");
	for (n = 1; happened; n++) {
		ASSERT_GT(FAULTS_MAX, n);
		/* A child has none until it looks. */
		pid = fork();
		ASSERT_LE(0, pid);
		if (!pid) {
			struct posixtrace_gate now;

			must_be(faults_init());
			fault_arm(n);
			now = gate_now(self->gate);
			happened = fault_happened();
			must_be(now.format == POSIXTRACE_GATE_FORMAT);
			_exit(happened | !!now.wanted << 1);
		}
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		ASSERT_TRUE(WIFEXITED(status))
			TH_LOG("fault %u: status %x", n, status);
		happened = WEXITSTATUS(status) & 1;
		opened += WEXITSTATUS(status) >> 1;
	}
	/* Nobody traces it: without faults nothing is wanted. */
	EXPECT_EQ(0, WEXITSTATUS(status));
	EXPECT_LT(0, opened);
	TH_LOG("%u faults, %d times all was wanted", n - 2, opened);
}

/*
 * Children
 */

static int nothing(void *arg)
{
	await(arg);
	return 0;
}

/* A child that exists is traced, or the stream tells that it is not. */
TEST_F(faults, of_a_clone_are_told_by_the_stream)
{
	static char stack[65536];
	struct posixtrace_create arg = stream_arg(self);
	struct posixtrace_status before, after;
	unsigned int n, tries = 0, rounds = 0, failed = 0, missed = 0;
	bool happened = true;
	struct child c;
	struct raw raw;
	int down[2];
	pid_t pid;

	if (variant->log)
		SKIP(return, "has nothing to do with logs");
	end_stream(self);
	arg.inheritance = POSIXTRACE_INHERITED;
	ASSERT_EQ(0, raw_create(self->device, &arg, &raw));
	ASSERT_EQ(0, raw_control(raw, POSIXTRACE_IOC_START));
	ASSERT_EQ(0, pipe2(down, O_CLOEXEC));
	c = (struct child){ .in = down[0], .out = down[1] };
	/* How many there are is not always the same: ours are the last ones. */
	for (n = 1; happened || (!missed && rounds < 10);
	     n = happened ? n + 1 : 1) {
		rounds += n == 1;
		ASSERT_GT(FAULTS_MAX, ++tries);
		before = raw_peek(raw);
		ASSERT_EQ(1, before.processes);
		fault_arm(n);
		pid = clone(nothing, stack + sizeof(stack), CLONE_VM | SIGCHLD,
			    &c);
		happened = fault_happened();
		after = raw_peek(raw);
		if (pid < 0) {
			ASSERT_TRUE(happened);
			ASSERT_EQ(before.missed_children,
				  after.missed_children);
			ASSERT_EQ(1, after.processes);
			failed++;
			continue;
		}
		ASSERT_EQ(before.missed_children + 2,
			  after.missed_children + after.processes);
		missed += after.missed_children - before.missed_children;
		hand(&c);
		ASSERT_EQ(pid, waitpid(pid, NULL, 0));
	}
	TH_LOG("%u tries, %u errors, %u children missed", tries, failed,
	       missed);
	/* On PREEMPT_RT the memory was there before. */
	EXPECT_TRUE(missed || !access("/sys/kernel/realtime", F_OK));
	EXPECT_EQ(0, close(raw.fd));
}

/*
 * The module
 */

/*
 * What the kernel itself has to say about a cache that can't be made looks like
 * a fault of its own: errors are shown, warnings are not.
 */
static void be_quiet(bool quiet)
{
	fault_set("/sys/module/printk/parameters/ignore_loglevel",
		  quiet ? "N" : "Y");
	must_be(!klogctl(8, NULL, quiet ? 4 : 8));
}

static int load(int file)
{
	return syscall(SYS_finit_module, file, "", 0) ? errno : 0;
}

static int unload(void)
{
	return syscall(SYS_delete_module, "posixtrace", O_NONBLOCK) ? errno : 0;
}

/* Load with the @n-th fault; true if it happened. Nothing is left of it. */
static bool load_fails_cleanly(struct __test_metadata *_metadata, int file,
			       unsigned int n)
{
	bool happened;
	int result;

	be_quiet(true);
	fault_arm(n);
	result = load(file);
	happened = fault_happened();
	be_quiet(false);
	EXPECT_TRUE(happened || !result)
		TH_LOG("error %d without fault", result);
	EXPECT_EQ(!!result, access("/sys/module/posixtrace", F_OK) != 0);
	EXPECT_EQ(!!result, access(DEVICE_PATH, F_OK) != 0);
	if (!result)
		EXPECT_EQ(0, unload());
	return happened;
}

/* How many faults loading can have. */
static unsigned int faults_of_load(struct __test_metadata *_metadata, int file)
{
	unsigned int low = 0, high = FAULTS_MAX, middle;

	while (high - low > 1) {
		middle = (low + high) / 2;
		if (load_fails_cleanly(_metadata, file, middle))
			low = middle;
		else
			high = middle;
	}
	return low;
}

/*
 * The last ones are those of the module's own init function, the many before
 * those of the kernel: POSIXTRACE_LOAD_FAULTS of them are tried.
 */
TEST_F(faults, of_loading_leave_nothing_behind)
{
	const char *limit = getenv("POSIXTRACE_LOAD_FAULTS");
	unsigned int all, n, failed = 0, least = limit ? atoi(limit) : 20;
	int file = open(MODULE, O_RDONLY | O_CLOEXEC);

	if (variant->log)
		SKIP(return, "has nothing to do with logs");
	if (file < 0)
		SKIP(return, "there is no " MODULE);
	end_stream(self);
	child_kill(&self->target);
	must_be(!munmap((void *)self->gate, page_size()));
	close(self->device);
	if (!wait_until(!unload()))
		SKIP(return, "others use the module");
	all = faults_of_load(_metadata, file);
	ASSERT_LT(0, all);
	/* How many there are is not always the same. */
	for (n = all; n && all - n < least; n--)
		failed += load_fails_cleanly(_metadata, file, n);
	EXPECT_LT(0, failed);
	TH_LOG("%u faults, %u tried", all, all - n);
	ASSERT_EQ(0, load(file));
	/* For the teardown. */
	self->device = device_open();
	child_start(&self->target, be_target, NULL);
}

TEST_HARNESS_MAIN
