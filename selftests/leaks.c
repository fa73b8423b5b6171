// SPDX-License-Identifier: GPL-2.0-only
/*
 * Nothing that goes to user space has bytes that the kernel had lying around:
 * everything is asked for twice, after the kernel's stack and its heap were
 * filled with two different patterns, and is the same both times. What is
 * reserved or padding is zero.
 */
#include "abi_test.h"
#include "netlink_test.h"

#include <sys/mman.h>
#include <sys/select.h>
#include <sys/stat.h>

#define PATTERN_A	0x5a
#define PATTERN_B	0xa5

FIXTURE(leaks) {
	int device;
	__u32 id;
	struct raw raw;		/* on the test itself */
};

FIXTURE_SETUP(leaks)
{
	self->device = device_open();
	self->id = raw_eventid(self->device, "user event");
	self->raw = raw_stream(self->device, 0);
}

FIXTURE_TEARDOWN(leaks)
{
}

/*
 * Leave @pattern where the stack of the next ioctl will be: calls that copy what
 * they are given to it, among them ours, which then refuse.
 */
static void poison_stack(const FIXTURE_DATA(leaks) *self, int pattern)
{
	static const unsigned long commands[] = {
		POSIXTRACE_IOC_SET_FILTER, POSIXTRACE_IOC_GET_STATUS,
		POSIXTRACE_IOC_GET_ATTR, POSIXTRACE_IOC_GETNEXT,
		POSIXTRACE_IOC_TRID_EVENTID_OPEN, POSIXTRACE_IOC_WAIT,
	};
	struct posixtrace_create arg;
	struct pollfd fds[30];
	fd_set set[3];
	struct timeval now = { };
	unsigned int i;

	memset(set, pattern, sizeof(set));
	select(FD_SETSIZE, &set[0], &set[1], &set[2], &now);
	memset(fds, pattern, sizeof(fds));
	poll(fds, ARRAY_SIZE(fds), 0);
	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		memset(&arg, pattern, sizeof(arg));
		arg.size = sizeof(arg);
		/* Too long for most, with the rest not zero: refused. */
		call(self->raw.fd, commands[i], &arg);
		memset(&arg, pattern, sizeof(arg));
		arg.size = sizeof(struct posixtrace_name);
		call(self->raw.fd, commands[i], &arg);
	}
	memset(&arg, pattern, sizeof(arg));
	arg.size = sizeof(arg);
	must_be(call(self->device, POSIXTRACE_IOC_CREATE, &arg) == EINVAL);
}

/* Leave it in freed memory of many sizes: messages that are never received. */
static void poison_heap(int pattern)
{
	static char data[70000];
	size_t size;
	int pair[2];

	memset(data, pattern, sizeof(data));
	must_be(!socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, pair));
	for (size = 64; size <= sizeof(data); size *= 2)
		while (send(pair[0], data, size - 64, 0) >= 0)
			;
	close(pair[0]);
	close(pair[1]);
}

/* Ask with @command for @size bytes, of which the first 16 are @head. */
static void ask(const FIXTURE_DATA(leaks) *self, unsigned long command,
		const void *head, size_t size, int pattern, void *answer)
{
	bool of_stream = command != POSIXTRACE_IOC_LIMITS &&
			 command != POSIXTRACE_IOC_EVENTID_OPEN;

	memset(answer, 0, size);
	memcpy(answer, head, 16);
	poison_stack(self, pattern);
	must(call(of_stream ? self->raw.fd : self->device, command, answer));
}

#define EXPECT_SAME(command, type, ...) do {				\
	type head_arg = { .size = sizeof(type), __VA_ARGS__ };		\
	type first, second;						\
									\
	ask(self, command, &head_arg, sizeof(type), PATTERN_A, &first);	\
	ask(self, command, &head_arg, sizeof(type), PATTERN_B, &second); \
	EXPECT_EQ(0, memcmp(&first, &second, sizeof(type)));		\
} while (0)

TEST_F(leaks, structs_have_no_bytes_of_the_stack)
{
	__u64 number = self->raw.number;
	struct posixtrace_status status;
	struct posixtrace_attr attr;

	EXPECT_SAME(POSIXTRACE_IOC_GET_STATUS, struct posixtrace_status,
		    .flags = POSIXTRACE_STATUS_PEEK, .stream = number);
	EXPECT_SAME(POSIXTRACE_IOC_GET_STATUS, struct posixtrace_status,
		    .stream = number);
	EXPECT_SAME(POSIXTRACE_IOC_GET_ATTR, struct posixtrace_attr,
		    .stream = number);
	EXPECT_SAME(POSIXTRACE_IOC_GET_FILTER, struct posixtrace_filter,
		    .stream = number);
	EXPECT_SAME(POSIXTRACE_IOC_EVENTID_GET_NAME, struct posixtrace_name,
		    .event_id = self->id, .stream = number);
	EXPECT_SAME(POSIXTRACE_IOC_LIMITS, struct posixtrace_limits,
		    .__reserved = 0);
	/* What is not filled in is zero. */
	poison_stack(self, PATTERN_A);
	status = raw_peek(self->raw);
	EXPECT_EQ(0, status.__reserved);
	poison_stack(self, PATTERN_A);
	attr = raw_attr(self->raw);
	EXPECT_EQ(0, attr.__reserved);
	EXPECT_EQ(0, attr.__reserved2);
}

static bool is_zero(const void *p, size_t size)
{
	const char *c = p;

	while (size && !*c) {
		c++;
		size--;
	}
	return !size;
}

TEST_F(leaks, names_are_zero_behind_their_end)
{
	struct posixtrace_name name = {
		.size = sizeof(name), .event_id = POSIXTRACE_EV_START,
		.stream = self->raw.number,
	};
	struct posixtrace_create arg;
	struct posixtrace_attr attr;
	struct raw raw;

	memset(name.name, PATTERN_A, sizeof(name.name));
	EXPECT_EQ(0, call(self->raw.fd, POSIXTRACE_IOC_EVENTID_GET_NAME, &name));
	EXPECT_TRUE(is_zero(name.name + strlen(name.name),
			    sizeof(name.name) - strlen(name.name)));
	do {
		memset(name.name, PATTERN_A, sizeof(name.name));
		if (call(self->raw.fd, POSIXTRACE_IOC_TYPELIST_NEXT, &name))
			break;
		EXPECT_TRUE(is_zero(name.name + strlen(name.name),
				    sizeof(name.name) - strlen(name.name)));
	} while (name.event_id != self->id);
	EXPECT_EQ(self->id, name.event_id);

	/* Not what the creator had behind it, either. */
	arg = create_arg(0);
	memset(arg.name, PATTERN_A, sizeof(arg.name));
	snprintf(arg.name, sizeof(arg.name), "short");
	poison_heap(PATTERN_B);
	ASSERT_EQ(0, raw_create(self->device, &arg, &raw));
	attr = raw_attr(raw);
	EXPECT_STREQ("short", attr.name);
	EXPECT_TRUE(is_zero(attr.name + 5, sizeof(attr.name) - 5));
}

/* The padding of each record that read() gives is zero, where it wraps, too. */
static size_t check_records(struct __test_metadata *_metadata, const char *p,
			    ssize_t size, __u32 id)
{
	struct posixtrace_record rec;
	size_t n = 0;

	for (; size > 0; size -= rec.size, p += rec.size) {
		memcpy(&rec, p, sizeof(rec));
		EXPECT_EQ(POSIXTRACE_RECORD_SIZE(rec.data_size), rec.size);
		EXPECT_TRUE(is_zero(p + sizeof(rec) + rec.data_size,
				    rec.size - sizeof(rec) - rec.data_size));
		n += rec.event_id == id;
	}
	return n;
}

TEST_F(leaks, records_have_no_bytes_of_the_heap)
{
	static char buffer[RECORDS_SIZE] __attribute__((aligned(8)));
	static const char data[] = "\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20";
	struct posixtrace_create arg = create_arg(0);
	size_t n, seen = 0;
	struct raw raw;
	ssize_t size;

	arg.stream_size = 0;
	arg.max_data_size = sizeof(data);
	poison_heap(PATTERN_A);
	ASSERT_EQ(0, raw_create(self->device, &arg, &raw));
	ASSERT_EQ(0, raw_control(raw, POSIXTRACE_IOC_START));
	for (n = 0; n < 2000; n++) {
		ASSERT_EQ(0, raw_record(self->device, self->id, data,
					n % sizeof(data)));
		if (n % 3)
			continue;
		memset(buffer, PATTERN_B, sizeof(buffer));
		size = read(raw.fd, buffer, sizeof(buffer));
		ASSERT_LT(0, size);
		seen += check_records(_metadata, buffer, size, self->id);
		/* Nothing is stored behind them. */
		ASSERT_EQ((char)PATTERN_B, buffer[size]);
	}
	EXPECT_EQ(1999 + 1, seen + raw_drain(raw));
}

/* A reader without room gets no more than it has asked for. */
TEST_F(leaks, getnext_stores_the_data_and_not_its_padding)
{
	struct posixtrace_getnext next = {
		.size = sizeof(next), .stream = self->raw.number,
	};
	char data[32];

	ASSERT_EQ(0, raw_control(self->raw, POSIXTRACE_IOC_START));
	ASSERT_EQ(1, raw_drain(self->raw));
	ASSERT_EQ(0, raw_record(self->device, self->id, "12345", 5));
	memset(data, PATTERN_A, sizeof(data));
	next.data = (uintptr_t)data;
	next.data_max = sizeof(data);
	ASSERT_EQ(0, call(self->raw.fd, POSIXTRACE_IOC_GETNEXT, &next));
	EXPECT_EQ(0, memcmp("12345", data, 5));
	EXPECT_EQ(PATTERN_A, data[5]);
}

/* Numbers and pointers that only the kernel should know: there is no room. */
static bool has_pattern(const char *p, size_t size)
{
	size_t i;

	for (i = 0; i + 8 <= size; i++)
		if (!memcmp(p + i, "\x5a\x5a\x5a\x5a\x5a\x5a\x5a\x5a", 8))
			return true;
	return false;
}

/* All kernel events, with the stack poisoned before; none holds the pattern. */
TEST_F(leaks, kernel_events_have_no_bytes_of_the_stack)
{
	static char buffer[RECORDS_SIZE] __attribute__((aligned(8)));
	struct posixtrace_create arg = create_arg(0);
	struct raw raw;
	unsigned int i;
	ssize_t size;
	pid_t pid;

	arg.inheritance = POSIXTRACE_INHERITED;
	arg.kernel_events.bits[0] = (1ULL << POSIXTRACE_EV_KERNEL_END) -
				    (1ULL << POSIXTRACE_EV_KERNEL);
	ASSERT_EQ(0, raw_create(self->device, &arg, &raw));
	for (i = 0; i < 10; i++) {
		poison_stack(self, PATTERN_A);
		ASSERT_EQ(0, raw_control(raw, POSIXTRACE_IOC_START));
		pid = vfork();
		if (!pid) {
			execl("/proc/self/nothing", "nothing", NULL);
			_exit(0);
		}
		ASSERT_EQ(pid, waitpid(pid, NULL, 0));
		raise(SIGCONT);
		sched_yield();
		ASSERT_EQ(0, raw_control(raw, POSIXTRACE_IOC_STOP));
		size = read(raw.fd, buffer, sizeof(buffer));
		ASSERT_LT(0, size);
		EXPECT_LT(5, check_records(_metadata, buffer, size,
					   POSIXTRACE_EV_SYSCALL_ENTER));
		EXPECT_FALSE(has_pattern(buffer, size));
	}
}

/* A log is a file that others may read. */
TEST_F(leaks, logs_have_no_bytes_of_the_heap)
{
	struct posixtrace_create arg = create_arg(0);
	struct stat st;
	struct raw raw;
	unsigned int n;
	char *log;

	arg.flags = POSIXTRACE_CREATE_LOG;
	arg.log_fd = memfd_create("log", MFD_CLOEXEC);
	poison_heap(PATTERN_A);
	ASSERT_EQ(0, raw_create(self->device, &arg, &raw));
	ASSERT_EQ(0, raw_control(raw, POSIXTRACE_IOC_START));
	for (n = 0; n < 500; n++) {
		ASSERT_EQ(0, raw_record(self->device, self->id, "123456789",
					n % 9));
		if (n % 50 == 0)
			ASSERT_EQ(0, raw_control(raw, POSIXTRACE_IOC_FLUSH));
	}
	ASSERT_EQ(0, raw_control(raw, POSIXTRACE_IOC_SHUTDOWN));
	ASSERT_EQ(0, fstat(arg.log_fd, &st));
	log = mmap(NULL, st.st_size, PROT_READ, MAP_SHARED, arg.log_fd, 0);
	ASSERT_NE(MAP_FAILED, log);
	EXPECT_LT(500 * 48, st.st_size);
	EXPECT_FALSE(has_pattern(log, st.st_size));
}

/* All messages that were received together. Is the end of a dump among them? */
static bool check_messages(struct __test_metadata *_metadata, const char *buf,
			   ssize_t len)
{
	const struct nlmsghdr *h = (const void *)buf;
	const struct nlattr *a;
	bool done = false;

	EXPECT_FALSE(has_pattern(buf, len));
	for (; NLMSG_OK(h, len); h = NLMSG_NEXT(h, len)) {
		done |= h->nlmsg_type == NLMSG_DONE;
		if (h->nlmsg_type < NLMSG_MIN_TYPE)
			continue;
		for_each_attr(a, (const char *)NLMSG_DATA(h) + GENL_HDRLEN,
			      (const char *)h + h->nlmsg_len)
			EXPECT_TRUE(is_zero((const char *)a + a->nla_len,
					    NLA_ALIGN(a->nla_len) - a->nla_len));
	}
	return done;
}

/* The life of a stream to a member of the group, and a dump of it to a client. */
TEST_F(leaks, messages_have_no_bytes_of_the_heap)
{
	struct nl member = nl_open(), client = nl_open();
	char buf[NL_PART] __attribute__((aligned(8)));
	struct posixtrace_create arg = create_arg(0);
	unsigned int i, about = 0, parts = 0;
	struct nl_message m;
	struct nl_request r;
	struct raw raw;
	ssize_t len;

	snprintf(arg.name, sizeof(arg.name), "four");	/* 5 bytes, 3 to align */
	ASSERT_EQ(0, nl_join(&member));
	for (i = 0; i < 10; i++) {
		poison_heap(PATTERN_A);
		poison_stack(self, PATTERN_A);
		ASSERT_EQ(0, raw_create(self->device, &arg, &raw));
		ASSERT_EQ(0, raw_control(raw, POSIXTRACE_IOC_START));
		r = nl_request_of(&client, client.family,
				  POSIXTRACE_NL_GET_STREAMS, NLM_F_DUMP);
		nl_send(&client, &r);
		do {
			len = recv(client.fd, buf, sizeof(buf), 0);
			ASSERT_LT(0, len);
			parts++;
		} while (!check_messages(_metadata, buf, len));
		ASSERT_EQ(0, raw_control(raw, POSIXTRACE_IOC_SHUTDOWN));
		do {
			len = recv(member.fd, buf, sizeof(buf), 0);
			ASSERT_LT(0, len);
			check_messages(_metadata, buf, len);
			nl_parse((const void *)buf, &m);
			about += m.value[POSIXTRACE_NL_A_STREAM] == raw.number;
		} while (m.value[POSIXTRACE_NL_A_STREAM] != raw.number ||
			 m.value[POSIXTRACE_NL_A_KIND] != POSIXTRACE_LIFE_SHUT_DOWN);
	}
	EXPECT_EQ(10 * 3, about);	/* created, started, shut down */
	EXPECT_LE(10, parts);
}

/* That these tests can fail: what they look for is found where it is. */
TEST_F(leaks, pattern_is_found_where_it_is)
{
	char memory[64] = "";

	EXPECT_FALSE(has_pattern(memory, sizeof(memory)));
	memset(memory + 33, PATTERN_A, 8);
	EXPECT_TRUE(has_pattern(memory, sizeof(memory)));
}

TEST_HARNESS_MAIN
