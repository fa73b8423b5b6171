// SPDX-License-Identifier: GPL-2.0-only
/*
 * The netlink family: the list of streams, and what is announced.
 */
#include "netlink_test.h"

#include <linux/capability.h>
#include <sys/mman.h>

#define STREAMS		50
#define LIST_MAX	2048
#define ALICE		1000
#define BOB		1001

static struct nl_message list[LIST_MAX];

FIXTURE(netlink) {
	int device;
	struct nl nl;
};

FIXTURE_SETUP(netlink)
{
	if (geteuid())
		SKIP(return, "needs root");
	self->device = device_open();
	self->nl = nl_open();
}

FIXTURE_TEARDOWN(netlink)
{
	close(self->nl.fd);
	close(self->device);
}

/* A consistent list; its length. */
static size_t list_now(struct nl *nl)
{
	struct nl_dump dump;

	do {
		dump = (struct nl_dump){ 0 };
		nl_dump(nl, &dump, list, LIST_MAX);
		must(dump.err);
	} while (dump.interrupted);
	return dump.nr;
}

/* Streams that differ in all that can be seen. */
static struct raw stream_nr(int device, unsigned int i, pid_t pid)
{
	struct posixtrace_create arg = create_arg(pid);
	struct raw raw;

	arg.stream_policy = i % 2 ? POSIXTRACE_POLICY_UNTIL_FULL :
				    POSIXTRACE_POLICY_LOOP;
	arg.inheritance = i % 3 ? POSIXTRACE_INHERITED :
				  POSIXTRACE_CLOSE_FOR_CHILD;
	arg.log_policy = i % 5 ? POSIXTRACE_POLICY_APPEND :
				 POSIXTRACE_POLICY_LOOP;
	arg.stream_size = 4096 + 4096 * i;
	arg.max_data_size = 100 + i;
	arg.log_size = 100000 + i;
	memset(arg.name, 0, sizeof(arg.name));
	memset(arg.name, 'a' + i % 26, 1 + i % POSIXTRACE_NAME_MAX);
	must(raw_create(device, &arg, &raw));
	return raw;
}

/* The state bits of a stream without log. */
static __u64 state_of(const struct posixtrace_status *s)
{
	return (s->running ? POSIXTRACE_NL_STATE_RUNNING : 0) |
	       (s->full ? POSIXTRACE_NL_STATE_FULL : 0) |
	       (s->overrun ? POSIXTRACE_NL_STATE_OVERRUN : 0);
}

static void expect_same(struct __test_metadata *_metadata, struct raw raw,
			const struct nl_message *m)
{
	struct posixtrace_status s = raw_peek(raw);
	struct posixtrace_attr a = raw_attr(raw);
	const __u64 *v = m->value;

	EXPECT_EQ(POSIXTRACE_NL_GET_STREAMS, m->command);
	EXPECT_STREQ(a.name, m->name);
	EXPECT_EQ(getpid(), (pid_t)v[POSIXTRACE_NL_A_OWNER]);
	EXPECT_EQ(geteuid(), v[POSIXTRACE_NL_A_UID]);
	EXPECT_EQ(state_of(&s), v[POSIXTRACE_NL_A_STATE]);
	EXPECT_EQ(0, v[POSIXTRACE_NL_A_ERROR]);
	EXPECT_EQ(a.stream_policy, v[POSIXTRACE_NL_A_STREAM_POLICY]);
	EXPECT_EQ(a.inheritance, v[POSIXTRACE_NL_A_INHERITANCE]);
	EXPECT_EQ(a.log_policy, v[POSIXTRACE_NL_A_LOG_POLICY]);
	EXPECT_EQ(a.stream_size, v[POSIXTRACE_NL_A_STREAM_SIZE]);
	EXPECT_EQ(a.max_data_size, v[POSIXTRACE_NL_A_MAX_DATA_SIZE]);
	EXPECT_EQ(a.log_size, v[POSIXTRACE_NL_A_LOG_SIZE]);
	EXPECT_EQ(a.create_time, v[POSIXTRACE_NL_A_CREATE_TIME]);
	EXPECT_EQ(s.processes, v[POSIXTRACE_NL_A_PROCESSES]);
	EXPECT_EQ(s.recorded, v[POSIXTRACE_NL_A_RECORDED]);
	EXPECT_EQ(s.lost, v[POSIXTRACE_NL_A_LOST]);
	EXPECT_EQ(s.overwritten, v[POSIXTRACE_NL_A_OVERWRITTEN]);
	EXPECT_EQ(s.truncated, v[POSIXTRACE_NL_A_TRUNCATED]);
	EXPECT_EQ(s.read, v[POSIXTRACE_NL_A_READ]);
	EXPECT_EQ(s.flushed, v[POSIXTRACE_NL_A_FLUSHED]);
	EXPECT_EQ(s.log_lost, v[POSIXTRACE_NL_A_LOG_LOST]);
	EXPECT_EQ(s.missed_children, v[POSIXTRACE_NL_A_MISSED_CHILDREN]);
}

/* All fields are those that the owner sees, of 50 streams with other events. */
TEST_F(netlink, lists_each_stream_with_all_its_fields)
{
	char data[512] = "some data";
	struct raw raw[STREAMS];
	struct raw_event event;
	unsigned int i, n;
	size_t nr;

	for (i = 0; i < STREAMS; i++) {
		raw[i] = stream_nr(self->device, i, 0);
		if (i % 7)
			must(raw_control(raw[i], POSIXTRACE_IOC_START));
		for (n = 0; n < 10 + i; n++)
			must(raw_record(self->device, POSIXTRACE_EV_UNNAMED,
					data, 10 * i));
	}
	must(raw_next(raw[1], &event));
	nr = list_now(&self->nl);
	ASSERT_LE(STREAMS, nr);
	for (i = 0; i < STREAMS; i++) {
		const struct nl_message *m = nl_find(list, nr, raw[i].number);

		ASSERT_NE(NULL, m);
		EXPECT_EQ(getpid(), (pid_t)m->value[POSIXTRACE_NL_A_TARGET]);
		expect_same(_metadata, raw[i], m);
	}
	for (i = 1; i < nr; i++)
		EXPECT_LT(list[i - 1].value[POSIXTRACE_NL_A_STREAM],
			  list[i].value[POSIXTRACE_NL_A_STREAM]);
}

TEST_F(netlink, lists_no_stream_that_was_shut_down)
{
	struct raw raw = raw_stream(self->device, 0);

	EXPECT_NE(NULL, nl_find(list, list_now(&self->nl), raw.number));
	must(raw_control(raw, POSIXTRACE_IOC_SHUTDOWN));
	EXPECT_EQ(NULL, nl_find(list, list_now(&self->nl), raw.number));
	close(raw.fd);
	EXPECT_EQ(NULL, nl_find(list, list_now(&self->nl), raw.number));
}

static int wait_for_hand(const struct child *c, void *arg)
{
	await(c);
	return 0;
}

TEST_F(netlink, shows_a_target_while_it_is_traced)
{
	const struct nl_message *m;
	struct child c;
	struct raw raw;

	child_start(&c, wait_for_hand, NULL);
	raw = raw_stream(self->device, c.pid);
	m = nl_find(list, list_now(&self->nl), raw.number);
	ASSERT_NE(NULL, m);
	EXPECT_EQ(getpid(), (pid_t)m->value[POSIXTRACE_NL_A_OWNER]);
	EXPECT_EQ(c.pid, (pid_t)m->value[POSIXTRACE_NL_A_TARGET]);
	EXPECT_EQ(1, m->value[POSIXTRACE_NL_A_PROCESSES]);
	child_kill(&c);
	m = nl_find(list, list_now(&self->nl), raw.number);
	ASSERT_NE(NULL, m);
	EXPECT_EQ(0, m->value[POSIXTRACE_NL_A_TARGET]);
	EXPECT_EQ(0, m->value[POSIXTRACE_NL_A_PROCESSES]);
}

/* A user has 3 streams, and tells how many are listed, of which uid. */
static int user_of_three(const struct child *c, void *arg)
{
	uid_t uid = *(uid_t *)arg;
	int device = device_open(), i;
	size_t nr, n;
	struct nl nl;

	must(become_user(uid));
	for (i = 0; i < 3; i++)
		raw_stream(device, 0);
	hand(c);
	await(c);
	nl = nl_open();
	nr = list_now(&nl);
	for (n = 0; n < nr; n++)
		must_be(list[n].value[POSIXTRACE_NL_A_UID] == uid);
	hand(c);
	await(c);
	return nr;
}

TEST_F(netlink, shows_a_user_only_its_own_streams_and_root_all)
{
	uid_t uids[] = { ALICE, BOB };
	unsigned int seen[2] = { 0, 0 };
	struct raw raw = raw_stream(self->device, 0);
	struct child c[2];
	size_t nr, n;
	int i;

	for (i = 0; i < 2; i++) {
		child_start(&c[i], user_of_three, &uids[i]);
		await(&c[i]);
	}
	for (i = 0; i < 2; i++) {
		hand(&c[i]);
		await(&c[i]);
	}
	nr = list_now(&self->nl);
	for (n = 0; n < nr; n++)
		for (i = 0; i < 2; i++)
			seen[i] += list[n].value[POSIXTRACE_NL_A_UID] == uids[i];
	EXPECT_EQ(3, seen[0]);
	EXPECT_EQ(3, seen[1]);
	EXPECT_NE(NULL, nl_find(list, nr, raw.number));
	for (i = 0; i < 2; i++) {
		hand(&c[i]);
		EXPECT_EQ(3, child_end(&c[i]));
	}
}

/* Be @uid, with this capability alone. */
static void become_capable(uid_t uid, int cap)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = {
		{ .effective = 1U << cap, .permitted = 1U << cap },
	};

	must_be(!prctl(PR_SET_KEEPCAPS, 1));
	must(become_user(uid));
	must_be(!syscall(SYS_capset, &header, data));
}

TEST_F(netlink, shows_all_streams_to_cap_sys_ptrace_alone)
{
	static const int caps[] = { CAP_SYS_PTRACE, CAP_SYS_ADMIN };
	struct raw raw = raw_stream(self->device, 0);
	struct nl nl;
	pid_t pid;
	int i;

	for (i = 0; i < 2; i++) {
		pid = fork();
		ASSERT_LE(0, pid);
		if (!pid) {
			become_capable(ALICE, caps[i]);
			nl = nl_open();
			_exit(!!nl_find(list, list_now(&nl), raw.number));
		}
		EXPECT_EQ(i ? 0 : 1, WEXITSTATUS(end_of(pid)));
	}
}

/* Its capabilities do not reach beyond its namespace. */
TEST_F(netlink, shows_root_of_a_user_namespace_no_streams_of_others)
{
	uid_t bob = BOB;
	struct child c;
	struct raw raw;
	struct nl nl;
	size_t nr;
	pid_t pid;

	child_start(&c, user_of_three, &bob);
	await(&c);
	pid = fork_as(ALICE);
	if (!pid) {
		if (unshare(CLONE_NEWUSER))
			_exit(0);	/* there are none */
		raw = raw_stream(self->device, 0);
		nl = nl_open();
		nr = list_now(&nl);
		must_be(nr == 1 && nl_find(list, nr, raw.number));
		_exit(0);
	}
	EXPECT_EQ(0, end_of(pid));
	EXPECT_EQ(128 + SIGKILL, child_kill(&c));
}

/* A socket shows to whom it was handed no more than to who opened it. */
TEST_F(netlink, shows_what_the_opener_of_the_socket_may_see)
{
	struct raw raw = raw_stream(self->device, 0);
	int pair[2];
	struct nl nl;
	pid_t pid;

	must_be(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	pid = fork_as(ALICE);
	if (!pid) {
		nl = nl_open();
		send_fd(pair[1], nl.fd);
		_exit(0);
	}
	EXPECT_EQ(0, end_of(pid));
	nl = self->nl;
	nl.fd = receive_fd(pair[0]);
	EXPECT_EQ(NULL, nl_find(list, list_now(&nl), raw.number));
	EXPECT_NE(NULL, nl_find(list, list_now(&self->nl), raw.number));
}

struct pair {
	int device;
	struct raw raw;
};

static void create_another(void *arg)
{
	struct pair *p = arg;

	p->raw = raw_stream(p->device, 0);
}

static void end_it(void *arg)
{
	close(((struct pair *)arg)->raw.fd);
}

TEST_F(netlink, says_that_a_list_was_interrupted)
{
	void (*const between[])(void *arg) = { NULL, create_another, end_it };
	struct pair p = { .device = self->device };
	struct raw raw[STREAMS];
	unsigned int i, n, found;

	for (i = 0; i < STREAMS; i++)
		raw[i] = stream_nr(self->device, i, 0);
	for (n = 0; n < 3; n++) {
		struct nl_dump dump = { .between = between[n], .arg = &p };

		nl_dump(&self->nl, &dump, list, LIST_MAX);
		EXPECT_EQ(0, dump.err);
		EXPECT_LT(2, dump.parts);
		EXPECT_EQ(n != 0, dump.interrupted);
		/* Those that were there all the time are listed, once. */
		for (i = found = 0; i < STREAMS; i++)
			found += !!nl_find(list, dump.nr, raw[i].number);
		EXPECT_EQ(STREAMS, found);
		for (i = 1; i < dump.nr; i++)
			EXPECT_LT(list[i - 1].value[POSIXTRACE_NL_A_STREAM],
				  list[i].value[POSIXTRACE_NL_A_STREAM]);
	}
}

TEST_F(netlink, goes_on_after_a_stream_that_is_gone)
{
	struct pair p = { .device = self->device };
	struct raw raw[STREAMS];
	unsigned int i, found = 0;
	struct nl_dump dump = { .between = end_it, .arg = &p };

	for (i = 0; i < STREAMS; i++)
		raw[i] = stream_nr(self->device, i, 0);
	p.raw = raw[STREAMS - 1];
	nl_dump(&self->nl, &dump, list, LIST_MAX);
	EXPECT_TRUE(dump.interrupted);
	for (i = 0; i < STREAMS - 1; i++)
		found += !!nl_find(list, dump.nr, raw[i].number);
	EXPECT_EQ(STREAMS - 1, found);
	EXPECT_EQ(NULL, nl_find(list, dump.nr, p.raw.number));
}

static struct nl_request list_request(struct nl *nl)
{
	return nl_request_of(nl, nl->family, POSIXTRACE_NL_GET_STREAMS,
			     NLM_F_DUMP);
}

TEST_F(netlink, refuses_any_attribute)
{
	struct nl_request r;
	__u64 value = 1;
	__u16 type;

	for (type = 1; type <= POSIXTRACE_NL_A_MAX + 5; type++) {
		r = list_request(&self->nl);
		nl_add(&r, type, &value, sizeof(value));
		EXPECT_EQ(EINVAL, nl_refused(&self->nl, &r))
			TH_LOG("attribute %d", type);
	}
	r = list_request(&self->nl);
	EXPECT_EQ(0, nl_refused(&self->nl, &r));
}

TEST_F(netlink, refuses_what_is_no_request)
{
	struct nl_request r = list_request(&self->nl);

	r.nl.nlmsg_len += 2;	/* less than an attribute */
	memset(&r.attr, 0x55, sizeof(r.attr));
	EXPECT_EQ(EINVAL, nl_refused(&self->nl, &r));
	r = list_request(&self->nl);
	r.genl.reserved = 1;
	EXPECT_EQ(EINVAL, nl_refused(&self->nl, &r));
	r = list_request(&self->nl);
	r.nl.nlmsg_flags &= ~NLM_F_DUMP;
	EXPECT_EQ(EOPNOTSUPP, nl_refused(&self->nl, &r));
	r = list_request(&self->nl);
	r.genl.cmd = POSIXTRACE_NL_LIFE;
	EXPECT_EQ(EOPNOTSUPP, nl_refused(&self->nl, &r));
	r.genl.cmd = 77;
	r.nl.nlmsg_seq = ++self->nl.seq;
	EXPECT_EQ(EOPNOTSUPP, nl_refused(&self->nl, &r));
}

TEST_F(netlink, lets_nobody_join_without_cap_sys_admin)
{
	struct nl nl;
	pid_t pid;

	EXPECT_EQ(0, nl_join(&self->nl));
	pid = fork_as(ALICE);
	if (!pid) {
		nl = nl_open();
		must_be(nl_join(&nl) == EPERM);
		if (!unshare(CLONE_NEWUSER)) {
			nl = nl_open();
			must_be(nl_join(&nl) == EPERM);
		}
		_exit(0);
	}
	EXPECT_EQ(0, end_of(pid));
}

/* In a network namespace of its own it hears nothing of others. */
TEST_F(netlink, announces_in_the_initial_network_namespace_only)
{
	struct nl_message m;
	struct raw raw;
	struct nl nl;

	if (unshare(CLONE_NEWNET))
		SKIP(return, "no network namespaces: %s", strerror(errno));
	nl = nl_open();
	EXPECT_EQ(0, nl_join(&nl));
	EXPECT_EQ(0, nl_join(&self->nl));
	raw = raw_stream(self->device, 0);
	EXPECT_EQ(0, nl_next_of(&self->nl, raw.number, &m));
	EXPECT_NE(NULL, nl_find(list, list_now(&nl), raw.number));
	EXPECT_EQ(-1, recv(nl.fd, &m, sizeof(m), MSG_DONTWAIT));
	EXPECT_EQ(EAGAIN, errno);
}

/* The next announcement of @raw is this one. */
#define EXPECT_LIFE(expected, bits, raw, m) do {			\
	ASSERT_EQ(0, nl_next_of(&self->nl, (raw).number, (m)));		\
	EXPECT_EQ(POSIXTRACE_NL_LIFE, (m)->command);			\
	EXPECT_EQ(expected, (m)->value[POSIXTRACE_NL_A_KIND]);		\
	EXPECT_EQ(bits, (m)->value[POSIXTRACE_NL_A_STATE]);		\
} while (0)

#define EXPECT_NO_MORE(nl) do {						\
	char byte;							\
									\
	EXPECT_EQ(-1, recv((nl)->fd, &byte, 1, MSG_DONTWAIT));		\
	EXPECT_EQ(EAGAIN, errno);					\
} while (0)

#define RUNNING	POSIXTRACE_NL_STATE_RUNNING
#define FULL	POSIXTRACE_NL_STATE_FULL
#define OVERRUN	POSIXTRACE_NL_STATE_OVERRUN
#define LOG	POSIXTRACE_NL_STATE_LOG
#define FLUSHING POSIXTRACE_NL_STATE_FLUSHING

/* Record each time it is asked to, until it is told to end. */
static int record_on_demand(const struct child *c, void *arg)
{
	int device = *(int *)arg;

	for (;;) {
		await(c);
		must(raw_record(device, POSIXTRACE_EV_UNNAMED, "x", 1));
		hand(c);
	}
	return 0;
}

static __u64 realtime(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

TEST_F(netlink, announces_the_life_of_a_stream_in_order)
{
	struct posixtrace_create arg = create_arg(0);
	__u64 before = realtime(), last;
	struct nl_message m;
	struct child c;
	struct raw raw;

	child_start(&c, record_on_demand, &self->device);
	must(nl_join(&self->nl));
	arg.pid = c.pid;
	arg.stream_policy = POSIXTRACE_POLICY_UNTIL_FULL;
	arg.stream_size = 0;
	must(raw_create(self->device, &arg, &raw));
	EXPECT_LIFE(POSIXTRACE_LIFE_CREATED, 0, raw, &m);
	EXPECT_EQ(getpid(), (pid_t)m.value[POSIXTRACE_NL_A_OWNER]);
	EXPECT_EQ(c.pid, (pid_t)m.value[POSIXTRACE_NL_A_TARGET]);
	EXPECT_EQ(0, m.value[POSIXTRACE_NL_A_UID]);
	EXPECT_STREQ("raw", m.name);
	last = m.value[POSIXTRACE_NL_A_TIME];
	EXPECT_LE(before, last);
	EXPECT_GE(realtime(), last);

	must(raw_control(raw, POSIXTRACE_IOC_START));
	must(raw_control(raw, POSIXTRACE_IOC_START));	/* changes nothing */
	EXPECT_LIFE(POSIXTRACE_LIFE_STARTED, RUNNING, raw, &m);
	while (!raw_peek(raw).full) {
		hand(&c);
		await(&c);
	}
	EXPECT_LIFE(POSIXTRACE_LIFE_FULL, FULL | OVERRUN, raw, &m);
	EXPECT_LE(last, m.value[POSIXTRACE_NL_A_TIME]);
	raw_drain(raw);
	EXPECT_LIFE(POSIXTRACE_LIFE_RESUMED, RUNNING | OVERRUN, raw, &m);
	must(raw_control(raw, POSIXTRACE_IOC_STOP));
	must(raw_control(raw, POSIXTRACE_IOC_STOP));
	EXPECT_LIFE(POSIXTRACE_LIFE_STOPPED, OVERRUN, raw, &m);
	child_kill(&c);
	EXPECT_LIFE(POSIXTRACE_LIFE_TARGET_GONE, OVERRUN, raw, &m);
	EXPECT_EQ(c.pid, (pid_t)m.value[POSIXTRACE_NL_A_TARGET]);
	must(raw_control(raw, POSIXTRACE_IOC_SHUTDOWN));
	EXPECT_LIFE(POSIXTRACE_LIFE_SHUT_DOWN, OVERRUN, raw, &m);
	EXPECT_EQ(0, m.value[POSIXTRACE_NL_A_TARGET]);
	EXPECT_LE(last, m.value[POSIXTRACE_NL_A_TIME]);
	close(raw.fd);
	EXPECT_NO_MORE(&self->nl);
}

/* A stream that loops never waits for room. */
TEST_F(netlink, announces_no_full_stream_that_loops)
{
	struct raw raw = raw_running(self->device, 0);
	char data[256] = "";
	struct nl_message m;

	must(nl_join(&self->nl));
	while (!raw_peek(raw).overwritten)
		must(raw_record(self->device, POSIXTRACE_EV_UNNAMED, data,
				sizeof(data)));
	raw_drain(raw);
	must(raw_control(raw, POSIXTRACE_IOC_STOP));
	EXPECT_LIFE(POSIXTRACE_LIFE_STOPPED, OVERRUN, raw, &m);
}

static struct raw logged(int device)
{
	struct posixtrace_create arg = create_arg(0);
	struct raw raw;

	arg.flags = POSIXTRACE_CREATE_LOG;
	arg.log_fd = memfd_create("log", MFD_CLOEXEC);
	must_be(arg.log_fd >= 0);
	must(raw_create(device, &arg, &raw));
	close(arg.log_fd);
	return raw;
}

TEST_F(netlink, announces_each_flush)
{
	struct nl_message m;
	struct raw raw;

	must(nl_join(&self->nl));
	raw = logged(self->device);
	EXPECT_LIFE(POSIXTRACE_LIFE_CREATED, LOG, raw, &m);
	must(raw_control(raw, POSIXTRACE_IOC_START));
	EXPECT_LIFE(POSIXTRACE_LIFE_STARTED, RUNNING | LOG, raw, &m);
	must(raw_control(raw, POSIXTRACE_IOC_FLUSH));
	EXPECT_LIFE(POSIXTRACE_LIFE_FLUSH_BEGUN, RUNNING | LOG | FLUSHING, raw,
		    &m);
	EXPECT_LIFE(POSIXTRACE_LIFE_FLUSH_ENDED, RUNNING | LOG, raw, &m);
	EXPECT_EQ(0, m.value[POSIXTRACE_NL_A_ERROR]);
	close(raw.fd);	/* flushes the rest */
	EXPECT_LIFE(POSIXTRACE_LIFE_FLUSH_BEGUN, LOG | FLUSHING, raw, &m);
	EXPECT_LIFE(POSIXTRACE_LIFE_FLUSH_ENDED, LOG, raw, &m);
	EXPECT_LIFE(POSIXTRACE_LIFE_SHUT_DOWN, LOG, raw, &m);
	EXPECT_NO_MORE(&self->nl);
}

static void limit_files(rlim_t size)
{
	struct rlimit limit = { size, RLIM_INFINITY };

	must_be(!setrlimit(RLIMIT_FSIZE, &limit));
}

TEST_F(netlink, announces_the_error_of_a_flush)
{
	struct posixtrace_create arg = create_arg(0);
	static char data[8192];
	struct nl_message m;
	struct raw raw;
	int err = 0;

	arg.flags = POSIXTRACE_CREATE_LOG;
	arg.log_fd = memfd_create("log", MFD_CLOEXEC);
	arg.log_policy = POSIXTRACE_POLICY_APPEND;
	arg.max_data_size = sizeof(data);
	limit_files(160 * 1024);
	must(raw_create(self->device, &arg, &raw));
	limit_files(RLIM_INFINITY);	/* as of the creation */
	must(raw_control(raw, POSIXTRACE_IOC_START));
	must(nl_join(&self->nl));
	while (!err) {
		must(raw_record(self->device, POSIXTRACE_EV_UNNAMED, data,
				sizeof(data)));
		err = raw_control(raw, POSIXTRACE_IOC_FLUSH);
		ASSERT_EQ(0, nl_next_of(&self->nl, raw.number, &m));
		EXPECT_EQ(POSIXTRACE_LIFE_FLUSH_BEGUN,
			  m.value[POSIXTRACE_NL_A_KIND]);
		ASSERT_EQ(0, nl_next_of(&self->nl, raw.number, &m));
		EXPECT_EQ(POSIXTRACE_LIFE_FLUSH_ENDED,
			  m.value[POSIXTRACE_NL_A_KIND]);
		EXPECT_EQ(err, (int)m.value[POSIXTRACE_NL_A_ERROR]);
	}
	EXPECT_EQ(EFBIG, err);
}

static int own_one(const struct child *c, void *arg)
{
	struct raw raw = raw_stream(*(int *)arg, 0);

	put(c, &raw.number, sizeof(raw.number));
	await(c);
	return 0;
}

TEST_F(netlink, announces_the_end_of_a_stream_whose_owner_is_killed)
{
	struct raw raw = { 0 };
	struct nl_message m;
	struct child c;

	must(nl_join(&self->nl));
	child_start(&c, own_one, &self->device);
	get(&c, &raw.number, sizeof(raw.number));
	EXPECT_LIFE(POSIXTRACE_LIFE_CREATED, 0, raw, &m);
	EXPECT_EQ(c.pid, (pid_t)m.value[POSIXTRACE_NL_A_OWNER]);
	child_kill(&c);
	do {
		ASSERT_EQ(0, nl_next_of(&self->nl, raw.number, &m));
	} while (m.value[POSIXTRACE_NL_A_KIND] == POSIXTRACE_LIFE_TARGET_GONE);
	EXPECT_EQ(POSIXTRACE_LIFE_SHUT_DOWN, m.value[POSIXTRACE_NL_A_KIND]);
}

#define THREADS		8
#define EACH		100

static void *create_and_end(void *arg)
{
	int device = *(int *)arg, i;
	struct raw raw;

	for (i = 0; i < EACH; i++) {
		raw = raw_stream(device, 0);
		if (i % 2)
			must(raw_control(raw, POSIXTRACE_IOC_SHUTDOWN));
		close(raw.fd);
	}
	return NULL;
}

TEST_F(netlink, announces_each_of_many_streams_once)
{
	unsigned int created = 0, ended = 0, i;
	int size = 16 << 20;
	__u64 first, number;
	pthread_t thread[THREADS];
	static __u8 seen[THREADS * EACH + 1];
	struct raw raw;
	struct nl_message m;

	must_be(!setsockopt(self->nl.fd, SOL_SOCKET, SO_RCVBUFFORCE, &size,
			    sizeof(size)));
	raw = raw_stream(self->device, 0);
	first = raw.number + 1;
	must(nl_join(&self->nl));
	for (i = 0; i < THREADS; i++)
		must(pthread_create(&thread[i], NULL, create_and_end,
				    &self->device));
	while (ended < THREADS * EACH) {
		ASSERT_EQ(0, nl_next(&self->nl, &m));
		number = m.value[POSIXTRACE_NL_A_STREAM] - first;
		ASSERT_GT(THREADS * EACH, number);
		if (m.value[POSIXTRACE_NL_A_KIND] == POSIXTRACE_LIFE_CREATED) {
			EXPECT_EQ(0, seen[number]);
			created++;
		} else {
			EXPECT_EQ(POSIXTRACE_LIFE_SHUT_DOWN,
				  m.value[POSIXTRACE_NL_A_KIND]);
			EXPECT_EQ(1, seen[number]);
			ended++;
		}
		seen[number]++;
	}
	for (i = 0; i < THREADS; i++)
		must(pthread_join(thread[i], NULL));
	EXPECT_EQ(THREADS * EACH, created);
	EXPECT_NO_MORE(&self->nl);
}

TEST_F(netlink, tells_a_member_that_it_has_missed_something)
{
	struct raw raw[STREAMS];
	struct nl_message m;
	int small = 1, err, i;
	struct nl other = nl_open();

	must_be(!setsockopt(self->nl.fd, SOL_SOCKET, SO_RCVBUF, &small,
			    sizeof(small)));
	must(nl_join(&self->nl));
	for (i = 0; i < STREAMS; i++)
		raw[i] = raw_stream(self->device, 0);
	for (i = 0; i <= STREAMS; i++) {
		err = nl_next(&self->nl, &m);
		if (err)
			break;
	}
	EXPECT_EQ(ENOBUFS, err);
	for (i = 0; i < STREAMS; i++)
		EXPECT_NE(NULL, nl_find(list, list_now(&other),
					raw[i].number));
}

/* Nobody hears anything, then somebody does. */
TEST_F(netlink, announces_only_to_members)
{
	struct raw raw = raw_stream(self->device, 0);
	struct nl_message m;

	must(raw_control(raw, POSIXTRACE_IOC_START));
	EXPECT_NO_MORE(&self->nl);
	must(nl_join(&self->nl));
	must(raw_control(raw, POSIXTRACE_IOC_STOP));
	EXPECT_LIFE(POSIXTRACE_LIFE_STOPPED, 0, raw, &m);
	EXPECT_NO_MORE(&self->nl);
}

/* Stream of a process in a pid namespace of its own, and what is listed there. */
static int own_in_namespace(const struct child *c, void *arg)
{
	struct raw raw = raw_stream(*(int *)arg, 0);
	struct nl nl = nl_open();
	const struct nl_message *m;

	must_be(getpid() == 1);
	must_be(list_now(&nl) == 1);
	m = nl_find(list, 1, raw.number);
	must_be(m && m->value[POSIXTRACE_NL_A_OWNER] == 1);
	must_be(m->value[POSIXTRACE_NL_A_TARGET] == 1);
	put(c, &raw.number, sizeof(raw.number));
	await(c);
	return 0;
}

TEST_F(netlink, has_the_pids_of_the_callers_namespace)
{
	struct raw outside = raw_stream(self->device, 0);
	const struct nl_message *m;
	struct child c;
	__u64 number;
	size_t nr;

	if (unshare(CLONE_NEWPID))
		SKIP(return, "no pid namespaces: %s", strerror(errno));
	child_start(&c, own_in_namespace, &self->device);
	get(&c, &number, sizeof(number));
	nr = list_now(&self->nl);
	EXPECT_NE(NULL, nl_find(list, nr, outside.number));
	m = nl_find(list, nr, number);
	ASSERT_NE(NULL, m);
	EXPECT_EQ(c.pid, (pid_t)m->value[POSIXTRACE_NL_A_OWNER]);
	EXPECT_EQ(c.pid, (pid_t)m->value[POSIXTRACE_NL_A_TARGET]);
	EXPECT_EQ(128 + SIGKILL, child_kill(&c));
}

TEST_HARNESS_MAIN
