// SPDX-License-Identifier: GPL-2.0-only
/*
 * Creation of streams without log (assertions ). Those of
 * posix_trace_create_withlog() come with the logs.
 */
#include "trace_test.h"

static int policy_of(trace_id_t trid)
{
	trace_attr_t attr;
	int policy = -1;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_get_attr(trid, &attr));
	must(posix_trace_attr_getstreamfullpolicy(&attr, &policy));
	return policy;
}

/* The size in force of a stream for which @size was asked. */
static size_t size_in_force(size_t size)
{
	trace_attr_t attr;
	trace_id_t trid;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setstreamsize(&attr, size));
	trid = self_stream(&attr);
	must(posix_trace_get_attr(trid, &attr));
	must(posix_trace_attr_getstreamsize(&attr, &size));
	must(posix_trace_shutdown(trid));
	return size;
}

/* Attributes of a stream that takes as little memory as possible. */
static void tiny_attr(trace_attr_t *attr)
{
	must(posix_trace_attr_init(attr));
	must(posix_trace_attr_setmaxdatasize(attr, 0));
	must(posix_trace_attr_setstreamsize(attr, 0));
}

/* TRACE_SYS_MAX; descriptors for that many streams are provided for. */
static long sys_max(void)
{
	long max = sysconf(_SC_TRACE_SYS_MAX);
	struct rlimit files = { max + 100, max + 100 };

	must_be(max >= _POSIX_TRACE_SYS_MAX);
	must_be(!setrlimit(RLIMIT_NOFILE, &files));
	return max;
}

/*
 * Create tiny streams on oneself until that fails, but at most @max + 10.
 * Returns how many were made; the last one is in *@trid, the error in *@err.
 */
static long create_all(long max, trace_id_t *trid, int *err)
{
	trace_attr_t attr;
	trace_id_t next;
	long n;

	tiny_attr(&attr);
	for (n = 0; n < max + 10; n++) {
		*err = posix_trace_create(0, &attr, &next);
		if (*err)
			break;
		*trid = next;
	}
	return n;
}

/* A-063 [S]: no attributes and pid 0 make a stream that works */
TEST(A063_null_attributes_and_pid_0_make_a_working_stream)
{
	trace_event_id_t u = open_event("u");
	trace_id_t trid;
	struct ev ev;

	ASSERT_EQ(0, posix_trace_create(0, NULL, &trid));
	EXPECT_EQ(0, posix_trace_start(trid));
	record_num(u, 1);
	EXPECT_EQ(0, ev_next(trid, &ev));
	EXPECT_EQ(POSIX_TRACE_START, ev.info.posix_event_id);
	EXPECT_EQ(0, ev_next(trid, &ev));
	EXPECT_EQ(u, ev.info.posix_event_id);
	EXPECT_EQ(1, ev_num(&ev));
}

/* A-064 [S]: pid 0 and the caller's own pid mean the same */
TEST(A064_pid_0_is_the_caller)
{
	trace_event_id_t u = open_event("u");
	trace_id_t zero, own;

	ASSERT_EQ(0, posix_trace_create(0, NULL, &zero));
	ASSERT_EQ(0, posix_trace_create(getpid(), NULL, &own));
	must(posix_trace_start(zero));
	must(posix_trace_start(own));
	record_num(u, 1);
	EXPECT_EQ(1, drain_count(zero, u));
	EXPECT_EQ(1, drain_count(own, u));
}

/* A-065 [S]: a new stream is suspended, not full, without overrun */
TEST(A065_new_stream_is_suspended)
{
	trace_id_t trid = self_stream(NULL);

	EXPECT_STATUS(POSIX_TRACE_SUSPENDED, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, trid);
}

/* A-066 [S]: a new stream does not flush and has no trouble with a log */
TEST(A066_new_stream_does_not_flush)
{
	struct posix_trace_status_info st = status_of(self_stream(NULL));

	EXPECT_EQ(POSIX_TRACE_NOT_FLUSHING, st.posix_stream_flush_status);
	EXPECT_EQ(0, st.posix_stream_flush_error);
	EXPECT_EQ(POSIX_TRACE_NO_OVERRUN, st.posix_log_overrun_status);
	EXPECT_EQ(POSIX_TRACE_NOT_FULL, st.posix_log_full_status);
}

/* A-067 [S]: the filter of a new stream is empty */
TEST(A067_new_stream_filters_nothing)
{
	static const trace_event_id_t type[] = {
		POSIX_TRACE_ERROR, POSIX_TRACE_START, POSIX_TRACE_STOP,
		POSIX_TRACE_FILTER, POSIX_TRACE_OVERFLOW, POSIX_TRACE_RESUME,
		POSIX_TRACE_FLUSH_START, POSIX_TRACE_FLUSH_STOP,
		POSIX_TRACE_UNNAMED_USEREVENT,
	};
	trace_event_id_t u = open_event("u");
	trace_id_t trid = self_stream(NULL);
	trace_event_set_t set;
	size_t i;

	must(posix_trace_eventset_fill(&set, POSIX_TRACE_ALL_EVENTS));
	EXPECT_EQ(0, posix_trace_get_filter(trid, &set));
	EXPECT_FALSE(is_member(u, &set));
	for (i = 0; i < ARRAY_SIZE(type); i++)
		EXPECT_FALSE(is_member(type[i], &set));
}

/* A-068 [S]: creation records nothing */
TEST(A068_creation_records_nothing)
{
	EXPECT_EMPTY(self_stream(NULL));
}

/* A-069 [S]: a stream without log can't have the policy FLUSH */
TEST(A069_flush_policy_without_log_is_refused)
{
	long i, max = sys_max();
	trace_attr_t attr;
	trace_id_t trid;

	tiny_attr(&attr);
	must(posix_trace_attr_setstreamfullpolicy(&attr, POSIX_TRACE_FLUSH));
	for (i = 0; i <= max; i++)
		ASSERT_EQ(EINVAL, posix_trace_create(0, &attr, &trid));
	EXPECT_EQ(0, posix_trace_create(0, NULL, &trid));
}

/* A-070 [C-52]: a destroyed attributes object is refused */
TEST(A070_destroyed_attributes_are_refused)
{
	trace_attr_t attr;
	trace_id_t trid;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_destroy(&attr));
	EXPECT_EQ(EINVAL, posix_trace_create(0, &attr, &trid));
}

static int return_0(const struct child *c, void *arg)
{
	return 0;
}

/* The pid of a process that has been reaped. */
static pid_t gone_pid(void)
{
	struct child c;

	child_start(&c, return_0, NULL);
	child_end(&c);
	return c.pid;
}

/* A-071 [S]: a process that does not exist can't be traced */
TEST(A071_gone_process_is_ESRCH)
{
	pid_t pid = gone_pid();
	trace_id_t trid;

	EXPECT_EQ(ESRCH, posix_trace_create(pid, NULL, &trid));
}

/* A-072 [C-48]: a negative pid is no process */
TEST(A072_negative_pid_is_ESRCH)
{
	trace_id_t trid;

	EXPECT_EQ(ESRCH, posix_trace_create(-1, NULL, &trid));
	EXPECT_EQ(ESRCH, posix_trace_create(-12345, NULL, &trid));
}

/* A-073 [C-48]: a zombie can't be traced */
TEST(A073_zombie_is_ESRCH)
{
	struct child c;
	trace_id_t trid;
	siginfo_t info;

	child_start(&c, return_0, NULL);
	ASSERT_EQ(0, waitid(P_PID, c.pid, &info, WEXITED | WNOWAIT));
	EXPECT_EQ(ESRCH, posix_trace_create(c.pid, NULL, &trid));
	EXPECT_EQ(0, child_end(&c));
}

/* Become the user *@arg, say so, stay until told to go. */
static int idle_as(const struct child *c, void *arg)
{
	must(become_user(*(uid_t *)arg));
	hand(c);
	await(c);
	return 0;
}

struct attempt {
	uid_t uid;
	pid_t pid;
};

/* As a user, try to trace a process; the result is the exit status. */
static int trace_as(const struct child *c, void *arg)
{
	const struct attempt *try = arg;
	trace_id_t trid;

	must(become_user(try->uid));
	return posix_trace_create(try->pid, NULL, &trid);
}

/* The result of user @uid for tracing a process of user @owner. */
static int traced_across(uid_t uid, uid_t owner)
{
	struct attempt try = { .uid = uid };
	struct child target;
	int ret;

	child_start(&target, idle_as, &owner);
	await(&target);
	try.pid = target.pid;
	ret = in_child(trace_as, &try);
	hand(&target);
	must_be(!child_end(&target));
	return ret;
}

/* A-074 [S]: an ordinary user can't trace the process of another one */
TEST(A074_process_of_another_user_is_EPERM)
{
	if (geteuid())
		SKIP(return, "needs root");
	EXPECT_EQ(EPERM, traced_across(1001, 1000));
	EXPECT_EQ(EPERM, traced_across(1000, 0));
}

/* A-075 [C-47]: an ordinary user can trace a process of its own */
TEST(A075_process_of_the_same_user_can_be_traced)
{
	if (geteuid())
		SKIP(return, "needs root");
	EXPECT_EQ(0, traced_across(1000, 1000));
}

/* A-076 [S]: there can be TRACE_SYS_MAX streams and no more */
TEST(A076_limit_of_streams_is_exact)
{
	long max = sys_max();
	trace_id_t trid;
	int err = 0;

	EXPECT_EQ(max, create_all(max, &trid, &err));
	EXPECT_EQ(EAGAIN, err);
}

/* A-077 [S]: a shutdown makes room for another stream */
TEST(A077_shutdown_makes_room_for_another_stream)
{
	long max = sys_max();
	trace_attr_t attr;
	trace_id_t trid;
	int err;

	tiny_attr(&attr);
	ASSERT_EQ(max, create_all(max, &trid, &err));
	EXPECT_EQ(EAGAIN, posix_trace_create(0, &attr, &trid));
	EXPECT_EQ(0, posix_trace_shutdown(trid));
	EXPECT_EQ(0, posix_trace_create(0, &attr, &trid));
	EXPECT_EQ(EAGAIN, posix_trace_create(0, &attr, &trid));
}

/* Hold all streams that can be had; hand over when done, end when told. */
static int hold_all(const struct child *c, void *arg)
{
	long max = sys_max();
	trace_id_t trid;
	int err;

	must_be(create_all(max, &trid, &err) == max);
	hand(c);
	await(c);
	return 0;
}

/* A-078 [S]: the limit counts the streams of all processes */
TEST(A078_limit_of_streams_is_system_wide)
{
	trace_id_t trid;
	struct child c;

	child_start(&c, hold_all, NULL);
	await(&c);
	EXPECT_EQ(EAGAIN, posix_trace_create(0, NULL, &trid));
	hand(&c);
	EXPECT_EQ(0, child_end(&c));
	EXPECT_EQ(0, posix_trace_create(0, NULL, &trid));
}

/* A-079 [S]: a stream that memory does not suffice for is refused */
TEST(A079_size_that_can_not_be_had_is_ENOMEM)
{
	static const size_t size[] = {
		(size_t)1 << 40, (size_t)1 << 60, SIZE_MAX / 2, SIZE_MAX,
	};
	long n, max = sys_max();
	trace_attr_t attr;
	trace_id_t trid;
	size_t i;

	must(posix_trace_attr_init(&attr));
	for (i = 0; i < ARRAY_SIZE(size); i++) {
		must(posix_trace_attr_setstreamsize(&attr, size[i]));
		for (n = 0; n <= max; n++)
			ASSERT_EQ(ENOMEM, posix_trace_create(0, &attr, &trid));
	}
	EXPECT_EQ(0, posix_trace_create(0, NULL, &trid));
}

/* A-080 [S]: a create that fails leaves nothing behind */
TEST(A080_failing_create_leaks_no_stream)
{
	long i, max = sys_max();
	pid_t pid = gone_pid();
	trace_id_t trid;

	for (i = 0; i <= max; i++)
		ASSERT_EQ(ESRCH, posix_trace_create(pid, NULL, &trid));
	EXPECT_EQ(0, posix_trace_create(0, NULL, &trid));
}

/* Open "u" and record it once for each sign. */
static int record_on_sign(const struct child *c, void *arg)
{
	trace_event_id_t u = open_event("u");

	hand(c);
	await(c);
	record_num(u, 4711);
	hand(c);
	await(c);
	return 0;
}

/* A-081 [S]: the events of another process are recorded, with its pid */
TEST(A081_events_of_a_child_are_recorded)
{
	trace_event_id_t u;
	struct child c;
	trace_id_t trid;
	struct ev ev;

	child_start(&c, record_on_sign, NULL);
	await(&c);
	ASSERT_EQ(0, posix_trace_create(c.pid, NULL, &trid));
	must(posix_trace_trid_eventid_open(trid, "u", &u));
	must(posix_trace_start(trid));
	hand(&c);
	await(&c);

	ASSERT_TRUE(ev_find(trid, u, &ev));
	EXPECT_EQ(4711, ev_num(&ev));
	EXPECT_EQ(c.pid, ev.info.posix_pid);
	EXPECT_EMPTY(trid);
	hand(&c);
	EXPECT_EQ(0, child_end(&c));
}

/* The number of the first call that does not give EINVAL, 0 if there is none. */
static int use_trid(const struct child *c, void *arg)
{
	trace_id_t trid = *(trace_id_t *)arg;
	struct posix_trace_status_info st;
	trace_event_id_t id;
	trace_attr_t attr;
	int unavailable;
	struct ev ev;

	must(posix_trace_attr_init(&attr));
	if (posix_trace_get_status(trid, &st) != EINVAL)
		return 1;
	if (posix_trace_start(trid) != EINVAL)
		return 2;
	if (posix_trace_stop(trid) != EINVAL)
		return 3;
	if (posix_trace_clear(trid) != EINVAL)
		return 4;
	if (posix_trace_get_attr(trid, &attr) != EINVAL)
		return 5;
	if (posix_trace_trygetnext_event(trid, &ev.info, ev.data,
					 sizeof(ev.data), &ev.len,
					 &ev.unavailable) != EINVAL)
		return 6;
	if (posix_trace_eventtypelist_getnext_id(trid, &id,
						 &unavailable) != EINVAL)
		return 7;
	return 0;
}

/* A-082 [S]: a child can't use the trid of its parent */
TEST(A082_child_can_not_use_the_trid_of_its_parent)
{
	trace_id_t trid = running_stream();

	EXPECT_EQ(0, in_child(use_trid, &trid));
	EXPECT_EQ(POSIX_TRACE_RUNNING, status_of(trid).posix_stream_status);
	EXPECT_EQ(1, drain_count(trid, POSIX_TRACE_START));
}

static int shut_down(const struct child *c, void *arg)
{
	return posix_trace_shutdown(*(trace_id_t *)arg);
}

/* A-083 [S]: a child can't shut the stream of its parent down */
TEST(A083_child_can_not_shut_down_the_stream_of_its_parent)
{
	trace_event_id_t u = open_event("u");
	trace_id_t trid = running_stream();

	EXPECT_EQ(EINVAL, in_child(shut_down, &trid));
	record_num(u, 1);
	EXPECT_EQ(POSIX_TRACE_RUNNING, status_of(trid).posix_stream_status);
	EXPECT_EQ(1, drain_count(trid, u));
}

/* A-084 [C-18]: a stream size that is too small is raised */
TEST(A084_too_small_stream_size_is_raised)
{
	size_t max, user, system;
	trace_attr_t attr;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_getmaxdatasize(&attr, &max));
	must(posix_trace_attr_getmaxusereventsize(&attr, max, &user));
	must(posix_trace_attr_getmaxsystemeventsize(&attr, &system));
	EXPECT_LE(user + 2 * system, size_in_force(1));
}

/* A-085 [S]: the stream has at least the room that was asked for */
TEST(A085_stream_has_at_least_the_size_asked_for)
{
	static const size_t size[] = {
		0, 1, 1000, 1023, 1025, 4096, 12345, 65535, 65537, 1000001,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(size); i++)
		EXPECT_LE(size[i], size_in_force(size[i]));
}

/* A-090 [S]: the default policy of a stream without log is LOOP */
TEST(A090_default_policy_without_log_is_loop)
{
	trace_attr_t attr;

	must(posix_trace_attr_init(&attr));
	EXPECT_EQ(POSIX_TRACE_LOOP, policy_of(self_stream(&attr)));
	EXPECT_EQ(POSIX_TRACE_LOOP, policy_of(self_stream(NULL)));
}

TEST_HARNESS_MAIN
