// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attributes objects, which need no kernel: spec of the attributes, A-019 and
 * on. The library's files are part of this program, for the sanitizers.
 */
#include "library.h"

#include "kselftest_harness.h"

FIXTURE(attr) {
	trace_attr_t attr;
};

FIXTURE_SETUP(attr)
{
	/* Not initialized: whatever was in that memory. */
	memset(&self->attr, 0xa5, sizeof(self->attr));
	ASSERT_EQ(0, posix_trace_attr_init(&self->attr));
}

FIXTURE_TEARDOWN(attr)
{
}

/* Whether all attributes have their defaults. */
static bool is_default(const trace_attr_t *attr)
{
	char name[TRACE_NAME_MAX + 1];
	size_t stream, data, log;
	int inherited, stream_policy, log_policy;
	trace_event_set_t events, none;
	struct timespec created;

	posix_trace_attr_getname(attr, name);
	posix_trace_attr_getcreatetime(attr, &created);
	posix_trace_attr_getinherited(attr, &inherited);
	posix_trace_attr_getstreamfullpolicy(attr, &stream_policy);
	posix_trace_attr_getlogfullpolicy(attr, &log_policy);
	posix_trace_attr_getstreamsize(attr, &stream);
	posix_trace_attr_getmaxdatasize(attr, &data);
	posix_trace_attr_getlogsize(attr, &log);
	posix_trace_attr_getkernelevents_np(attr, &events);
	posix_trace_eventset_empty(&none);
	return !strcmp(name, "") && !created.tv_sec && !created.tv_nsec &&
	       inherited == POSIX_TRACE_CLOSE_FOR_CHILD &&
	       stream_policy == POSIX_TRACE_LOOP &&
	       log_policy == POSIX_TRACE_LOOP && stream == 65536 &&
	       data == 256 && log == 1048576 &&
	       !memcmp(&events, &none, sizeof(none));
}

/* Change every attribute that can be. */
static const int some_calls[] = { 3, 5, 511 };

static bool is_recorded(const trace_attr_t *attr, int number)
{
	int recorded = -1;

	posix_trace_attr_getsyscall_np(attr, number, &recorded);
	return recorded;
}

static void change_all(trace_attr_t *attr)
{
	trace_event_set_t all;

	posix_trace_eventset_fill(&all, POSIX_TRACE_ALL_EVENTS);
	posix_trace_attr_setname(attr, "changed");
	posix_trace_attr_setinherited(attr, POSIX_TRACE_INHERITED);
	posix_trace_attr_setstreamfullpolicy(attr, POSIX_TRACE_FLUSH);
	posix_trace_attr_setlogfullpolicy(attr, POSIX_TRACE_APPEND);
	posix_trace_attr_setstreamsize(attr, 1);
	posix_trace_attr_setmaxdatasize(attr, 2);
	posix_trace_attr_setlogsize(attr, 3);
	posix_trace_attr_setkernelevents_np(attr, &all);
	posix_trace_attr_setsyscalls_np(attr, some_calls, 3);
}

TEST_F(attr, has_the_defaults_after_init)
{
	EXPECT_TRUE(is_default(&self->attr));
}

TEST_F(attr, has_the_defaults_after_init_again)
{
	change_all(&self->attr);
	EXPECT_FALSE(is_default(&self->attr));
	EXPECT_EQ(0, posix_trace_attr_init(&self->attr));
	EXPECT_TRUE(is_default(&self->attr));
}

TEST_F(attr, can_be_initialized_after_destroy)
{
	change_all(&self->attr);
	EXPECT_EQ(0, posix_trace_attr_destroy(&self->attr));
	EXPECT_EQ(0, posix_trace_attr_init(&self->attr));
	EXPECT_TRUE(is_default(&self->attr));
}

TEST_F(attr, tells_the_resolution_of_the_clock)
{
	struct timespec res, clock;

	clock_getres(CLOCK_REALTIME, &clock);
	EXPECT_EQ(0, posix_trace_attr_getclockres(&self->attr, &res));
	EXPECT_EQ(clock.tv_sec, res.tv_sec);
	EXPECT_EQ(clock.tv_nsec, res.tv_nsec);
}

/* C-11: fits an array of TRACE_NAME_MAX; nothing behind the NUL is written. */
TEST_F(attr, has_a_short_generation_version)
{
	char version[TRACE_NAME_MAX + 1];
	size_t len, i;

	memset(version, 0x55, sizeof(version));
	EXPECT_EQ(0, posix_trace_attr_getgenversion(&self->attr, version));
	len = strnlen(version, sizeof(version));
	EXPECT_LT(0, len);
	ASSERT_GT(TRACE_NAME_MAX, len);
	for (i = len + 1; i < sizeof(version); i++)
		EXPECT_EQ(0x55, version[i]);
}

/* C-11: a name of the limit is whole, a longer one is cut to the limit - 1. */
TEST_F(attr, keeps_and_cuts_names)
{
	char set[3 * TRACE_NAME_MAX], got[TRACE_NAME_MAX + 1];
	size_t len, want;

	for (len = 0; len < sizeof(set); len++) {
		memset(set, 'n', sizeof(set));
		set[len] = '\0';
		want = len <= TRACE_NAME_MAX ? len : TRACE_NAME_MAX - 1;
		EXPECT_EQ(0, posix_trace_attr_setname(&self->attr, set));
		EXPECT_EQ(0, posix_trace_attr_getname(&self->attr, got));
		EXPECT_EQ(want, strlen(got));
		EXPECT_EQ(0, memcmp(set, got, want));
	}
}

/* Of an unterminated name no more is read than what is needed. */
TEST_F(attr, does_not_read_behind_a_long_name)
{
	char *heap = malloc(TRACE_NAME_MAX + 1);
	char got[TRACE_NAME_MAX + 1];

	memset(heap, 'n', TRACE_NAME_MAX + 1);
	EXPECT_EQ(0, posix_trace_attr_setname(&self->attr, heap));
	free(heap);
	EXPECT_EQ(0, posix_trace_attr_getname(&self->attr, got));
	EXPECT_EQ(TRACE_NAME_MAX - 1, strlen(got));
}

TEST_F(attr, may_be_given_its_own_name)
{
	char got[TRACE_NAME_MAX + 1];

	posix_trace_attr_setname(&self->attr, "abcdef");
	EXPECT_EQ(0, posix_trace_attr_setname(&self->attr,
					      self->attr.__name + 2));
	EXPECT_EQ(0, posix_trace_attr_getname(&self->attr, got));
	EXPECT_STREQ("cdef", got);
}

/* A policy: its functions, and which of the values 0 to 4 are valid. */
FIXTURE(policy) {
	trace_attr_t attr;
};

FIXTURE_VARIANT(policy) {
	int (*get)(const trace_attr_t *restrict attr, int *restrict value);
	int (*set)(trace_attr_t *attr, int value);
	unsigned int valid;
};

FIXTURE_VARIANT_ADD(policy, inherited) {
	.get = posix_trace_attr_getinherited,
	.set = posix_trace_attr_setinherited,
	.valid = 1 << POSIX_TRACE_CLOSE_FOR_CHILD | 1 << POSIX_TRACE_INHERITED,
};

FIXTURE_VARIANT_ADD(policy, stream_full) {
	.get = posix_trace_attr_getstreamfullpolicy,
	.set = posix_trace_attr_setstreamfullpolicy,
	.valid = 1 << POSIX_TRACE_LOOP | 1 << POSIX_TRACE_UNTIL_FULL |
		 1 << POSIX_TRACE_FLUSH,
};

FIXTURE_VARIANT_ADD(policy, log_full) {
	.get = posix_trace_attr_getlogfullpolicy,
	.set = posix_trace_attr_setlogfullpolicy,
	.valid = 1 << POSIX_TRACE_LOOP | 1 << POSIX_TRACE_UNTIL_FULL |
		 1 << POSIX_TRACE_APPEND,
};

FIXTURE_SETUP(policy)
{
	ASSERT_EQ(0, posix_trace_attr_init(&self->attr));
}

FIXTURE_TEARDOWN(policy)
{
}

/* C-65: an invalid value is refused, and the attribute keeps its own. */
TEST_F(policy, takes_its_values_and_no_other)
{
	static const int others[] = { -1, 0, 5, 256 + 1, INT_MIN, INT_MAX };
	int value, got, last = 1;
	size_t i;

	for (value = 0; value <= 4; value++) {
		if (variant->valid & 1u << value) {
			EXPECT_EQ(0, variant->set(&self->attr, value));
			last = value;
		} else {
			EXPECT_EQ(EINVAL, variant->set(&self->attr, value));
		}
		EXPECT_EQ(0, variant->get(&self->attr, &got));
		EXPECT_EQ(last, got);
	}
	for (i = 0; i < ARRAY_SIZE(others); i++) {
		EXPECT_EQ(EINVAL, variant->set(&self->attr, others[i]));
		EXPECT_EQ(0, variant->get(&self->attr, &got));
		EXPECT_EQ(last, got);
	}
}

TEST_F(policy, refuses_null_and_destroyed)
{
	int got = 77;

	EXPECT_EQ(EINVAL, variant->get(NULL, &got));
	EXPECT_EQ(EINVAL, variant->get(&self->attr, NULL));
	EXPECT_EQ(EINVAL, variant->set(NULL, 1));
	EXPECT_EQ(0, posix_trace_attr_destroy(&self->attr));
	EXPECT_EQ(EINVAL, variant->get(&self->attr, &got));
	EXPECT_EQ(EINVAL, variant->set(&self->attr, 1));
	EXPECT_EQ(77, got);
}

/* C-17: "not set" is not the same as LOOP, for streams with a log. */
TEST(remembers_that_the_stream_policy_was_not_set)
{
	trace_attr_t attr;

	posix_trace_attr_init(&attr);
	EXPECT_EQ(PXT_POLICY_UNSET, attr.__stream_policy);
	posix_trace_attr_setstreamfullpolicy(&attr, POSIX_TRACE_LOOP);
	EXPECT_EQ(POSIX_TRACE_LOOP, attr.__stream_policy);
}

/* A size: any value goes in and comes out (C-18). */
FIXTURE(sizes) {
	trace_attr_t attr;
};

FIXTURE_VARIANT(sizes) {
	int (*get)(const trace_attr_t *restrict attr, size_t *restrict value);
	int (*set)(trace_attr_t *attr, size_t value);
};

FIXTURE_VARIANT_ADD(sizes, stream) {
	.get = posix_trace_attr_getstreamsize,
	.set = posix_trace_attr_setstreamsize,
};

FIXTURE_VARIANT_ADD(sizes, max_data) {
	.get = posix_trace_attr_getmaxdatasize,
	.set = posix_trace_attr_setmaxdatasize,
};

FIXTURE_VARIANT_ADD(sizes, log) {
	.get = posix_trace_attr_getlogsize,
	.set = posix_trace_attr_setlogsize,
};

FIXTURE_SETUP(sizes)
{
	ASSERT_EQ(0, posix_trace_attr_init(&self->attr));
}

FIXTURE_TEARDOWN(sizes)
{
}

TEST_F(sizes, keeps_any_value)
{
	static const size_t values[] = { 0, 1, 100000, SIZE_MAX };
	size_t got, i;

	for (i = 0; i < ARRAY_SIZE(values); i++) {
		EXPECT_EQ(0, variant->set(&self->attr, values[i]));
		EXPECT_EQ(0, variant->get(&self->attr, &got));
		EXPECT_EQ(values[i], got);
	}
}

TEST_F(sizes, refuses_null_and_destroyed)
{
	size_t got = 77;

	EXPECT_EQ(EINVAL, variant->get(NULL, &got));
	EXPECT_EQ(EINVAL, variant->get(&self->attr, NULL));
	EXPECT_EQ(EINVAL, variant->set(NULL, 1));
	EXPECT_EQ(0, posix_trace_attr_destroy(&self->attr));
	EXPECT_EQ(EINVAL, variant->get(&self->attr, &got));
	EXPECT_EQ(EINVAL, variant->set(&self->attr, 1));
	EXPECT_EQ(77, got);
}

static size_t user_event_size(const trace_attr_t *attr, size_t len)
{
	size_t size = 0;

	if (posix_trace_attr_getmaxusereventsize(attr, len, &size))
		return 0;
	return size;
}

/* What a record takes: header, data, padding. Not decreasing. */
TEST_F(attr, counts_the_room_of_user_events)
{
	size_t len, size, last = 0;

	posix_trace_attr_setmaxdatasize(&self->attr, 4096);
	for (len = 0; len <= 4096; len++) {
		size = user_event_size(&self->attr, len);
		EXPECT_EQ((sizeof(struct posixtrace_record) + len + 7) / 8 * 8,
			  size);
		EXPECT_LE(last, size);
		last = size;
	}
}

/* C-58: data that is cut takes no room; no argument wraps around. */
TEST_F(attr, counts_no_more_than_is_recorded)
{
	size_t most;

	posix_trace_attr_setmaxdatasize(&self->attr, 100);
	most = user_event_size(&self->attr, 100);
	EXPECT_EQ(most, user_event_size(&self->attr, 101));
	EXPECT_EQ(most, user_event_size(&self->attr, SIZE_MAX));
	EXPECT_EQ(most, user_event_size(&self->attr, SIZE_MAX - 60));
	posix_trace_attr_setmaxdatasize(&self->attr, SIZE_MAX);
	most = POSIXTRACE_RECORD_SIZE(POSIXTRACE_DATA_MAX);
	EXPECT_EQ(most, user_event_size(&self->attr, POSIXTRACE_DATA_MAX));
	EXPECT_EQ(most, user_event_size(&self->attr, SIZE_MAX));
	EXPECT_EQ(most, user_event_size(&self->attr, SIZE_MAX - 60));
	posix_trace_attr_setmaxdatasize(&self->attr, 0);
	EXPECT_EQ(user_event_size(&self->attr, 0),
		  user_event_size(&self->attr, SIZE_MAX));
}

TEST_F(attr, counts_the_room_of_system_events)
{
	size_t size;

	EXPECT_EQ(0, posix_trace_attr_getmaxsystemeventsize(&self->attr,
							    &size));
	EXPECT_LE(2 * sizeof(trace_event_set_t), size);
	EXPECT_LE(POSIXTRACE_RECORD_SIZE(sizeof(struct posixtrace_syscall_enter)),
		  size);
}

/* Members of the set that are no kernel events are ignored. */
TEST_F(attr, takes_the_kernel_events_of_a_set)
{
	trace_event_set_t set, got;
	int id, is;

	posix_trace_eventset_fill(&set, POSIX_TRACE_SYSTEM_EVENTS);
	EXPECT_EQ(0, posix_trace_attr_setkernelevents_np(&self->attr, &set));
	EXPECT_EQ(0, posix_trace_attr_getkernelevents_np(&self->attr, &got));
	for (id = 1; id < POSIXTRACE_EVENT_MAX; id++) {
		posix_trace_eventset_ismember(id, &got, &is);
		EXPECT_EQ(id >= POSIXTRACE_EV_KERNEL &&
			  id < POSIXTRACE_EV_KERNEL_END, is);
	}
	posix_trace_eventset_empty(&set);
	posix_trace_eventset_add(POSIX_TRACE_LINUX_SYSCALL_EXIT_NP, &set);
	EXPECT_EQ(0, posix_trace_attr_setkernelevents_np(&self->attr, &set));
	EXPECT_EQ(0, posix_trace_attr_getkernelevents_np(&self->attr, &got));
	EXPECT_EQ(0, memcmp(&set, &got, sizeof(set)));
}

TEST_F(attr, takes_numbers_of_system_calls)
{
	struct posixtrace_create to = { 0 };
	int i;

	for (i = 0; i < POSIXTRACE_SYSCALL_MAX; i++)
		EXPECT_TRUE(is_recorded(&self->attr, i));
	EXPECT_EQ(0, posix_trace_attr_setsyscalls_np(&self->attr, some_calls,
						     3));
	for (i = 0; i < POSIXTRACE_SYSCALL_MAX; i++)
		EXPECT_EQ(i == 3 || i == 5 || i == 511,
			  is_recorded(&self->attr, i));
	EXPECT_EQ(0, posix_trace_attr_setsyscalls_np(&self->attr, NULL, 0));
	EXPECT_TRUE(is_recorded(&self->attr, 0));
	pxt_attr_to_uapi(&self->attr, &to);
	EXPECT_EQ(0, to.flags);
	EXPECT_EQ(0, to.syscalls.bits[0]);
}

TEST_F(attr, refuses_numbers_that_no_system_call_has)
{
	static const int wrong[] = { -1, 512, INT_MAX, INT_MIN };
	int numbers[2] = { 1 }, recorded = 7;
	size_t i;

	for (i = 0; i < 4; i++) {
		numbers[1] = wrong[i];
		EXPECT_EQ(EINVAL,
			  posix_trace_attr_setsyscalls_np(&self->attr, numbers,
							  2));
		EXPECT_EQ(EINVAL,
			  posix_trace_attr_getsyscall_np(&self->attr, wrong[i],
							 &recorded));
	}
	EXPECT_EQ(EINVAL,
		  posix_trace_attr_setsyscalls_np(&self->attr, numbers, 0));
	EXPECT_EQ(EINVAL, posix_trace_attr_setsyscalls_np(NULL, numbers, 1));
	EXPECT_EQ(EINVAL,
		  posix_trace_attr_getsyscall_np(&self->attr, 1, NULL));
	EXPECT_EQ(EINVAL, posix_trace_attr_getsyscall_np(NULL, 1, &recorded));
	EXPECT_EQ(7, recorded);
	EXPECT_TRUE(is_recorded(&self->attr, 0));
}

/* C-52, for the functions that the variants above do not have. */
TEST_F(attr, refuses_null_and_destroyed)
{
	trace_event_set_t set = { 0 };
	char name[TRACE_NAME_MAX + 1];
	struct timespec ts;
	trace_attr_t *attrs[] = { NULL, &self->attr };
	trace_attr_t good;
	size_t size, i;

	posix_trace_attr_init(&good);
	EXPECT_EQ(EINVAL, posix_trace_attr_init(NULL));
	EXPECT_EQ(EINVAL, posix_trace_attr_getclockres(&good, NULL));
	EXPECT_EQ(EINVAL, posix_trace_attr_getcreatetime(&good, NULL));
	EXPECT_EQ(EINVAL, posix_trace_attr_getgenversion(&good, NULL));
	EXPECT_EQ(EINVAL, posix_trace_attr_getname(&good, NULL));
	EXPECT_EQ(EINVAL, posix_trace_attr_setname(&good, NULL));
	EXPECT_EQ(EINVAL, posix_trace_attr_getmaxsystemeventsize(&good, NULL));
	EXPECT_EQ(EINVAL, posix_trace_attr_getmaxusereventsize(&good, 1, NULL));
	EXPECT_EQ(EINVAL, posix_trace_attr_getkernelevents_np(&good, NULL));
	EXPECT_EQ(EINVAL, posix_trace_attr_setkernelevents_np(&good, NULL));

	EXPECT_EQ(0, posix_trace_attr_destroy(&self->attr));
	for (i = 0; i < ARRAY_SIZE(attrs); i++) {
		trace_attr_t *attr = attrs[i];

		EXPECT_EQ(EINVAL, posix_trace_attr_destroy(attr));
		EXPECT_EQ(EINVAL, posix_trace_attr_getclockres(attr, &ts));
		EXPECT_EQ(EINVAL, posix_trace_attr_getcreatetime(attr, &ts));
		EXPECT_EQ(EINVAL, posix_trace_attr_getgenversion(attr, name));
		EXPECT_EQ(EINVAL, posix_trace_attr_getname(attr, name));
		EXPECT_EQ(EINVAL, posix_trace_attr_setname(attr, "n"));
		EXPECT_EQ(EINVAL, posix_trace_attr_getmaxsystemeventsize(attr,
									 &size));
		EXPECT_EQ(EINVAL, posix_trace_attr_getmaxusereventsize(attr, 1,
								       &size));
		EXPECT_EQ(EINVAL, posix_trace_attr_getkernelevents_np(attr,
								      &set));
		EXPECT_EQ(EINVAL, posix_trace_attr_setkernelevents_np(attr,
								      &set));
	}
}

/* The way to the kernel and back. */
TEST_F(attr, goes_to_the_kernel_and_comes_back)
{
	struct posixtrace_create to = { 0 };
	struct posixtrace_attr from = { 0 };
	struct timespec created;
	char name[TRACE_NAME_MAX + 1];
	trace_event_set_t set;
	size_t size;
	int value;

	change_all(&self->attr);
	pxt_attr_to_uapi(&self->attr, &to);
	EXPECT_EQ(POSIXTRACE_POLICY_FLUSH, to.stream_policy);
	EXPECT_EQ(POSIXTRACE_INHERITED, to.inheritance);
	EXPECT_EQ(POSIXTRACE_POLICY_APPEND, to.log_policy);
	EXPECT_EQ(1, to.stream_size);
	EXPECT_EQ(2, to.max_data_size);
	EXPECT_EQ(3, to.log_size);
	EXPECT_STREQ("changed", to.name);
	EXPECT_EQ((1ULL << POSIXTRACE_EV_KERNEL_END) -
		  (1ULL << POSIXTRACE_EV_KERNEL), to.kernel_events.bits[0]);
	EXPECT_EQ(POSIXTRACE_CREATE_SYSCALLS, to.flags);
	EXPECT_EQ(1 << 3 | 1 << 5, to.syscalls.bits[0]);
	EXPECT_EQ(1, to.syscalls.bits[7] >> 63);

	from.stream_policy = POSIXTRACE_POLICY_UNTIL_FULL;
	from.inheritance = POSIXTRACE_CLOSE_FOR_CHILD;
	from.log_policy = POSIXTRACE_POLICY_LOOP;
	from.stream_size = 10;
	from.max_data_size = 20;
	from.log_size = 30;
	from.create_time = 1234567890123456789;
	from.kernel_events.bits[0] = 1ULL << POSIXTRACE_EV_SYSCALL_EXIT;
	from.syscalls.bits[1] = 1;
	memcpy(from.name, "kernel", 7);
	pxt_attr_from_uapi(&self->attr, &from);
	posix_trace_attr_getstreamfullpolicy(&self->attr, &value);
	EXPECT_EQ(POSIX_TRACE_UNTIL_FULL, value);
	posix_trace_attr_getinherited(&self->attr, &value);
	EXPECT_EQ(POSIX_TRACE_CLOSE_FOR_CHILD, value);
	posix_trace_attr_getlogfullpolicy(&self->attr, &value);
	EXPECT_EQ(POSIX_TRACE_LOOP, value);
	posix_trace_attr_getstreamsize(&self->attr, &size);
	EXPECT_EQ(10, size);
	posix_trace_attr_getmaxdatasize(&self->attr, &size);
	EXPECT_EQ(20, size);
	posix_trace_attr_getlogsize(&self->attr, &size);
	EXPECT_EQ(30, size);
	posix_trace_attr_getcreatetime(&self->attr, &created);
	EXPECT_EQ(1234567890, created.tv_sec);
	EXPECT_EQ(123456789, created.tv_nsec);
	posix_trace_attr_getkernelevents_np(&self->attr, &set);
	EXPECT_EQ(0, memcmp(&set, &from.kernel_events, sizeof(set)));
	posix_trace_attr_getname(&self->attr, name);
	EXPECT_STREQ("kernel", name);
	EXPECT_TRUE(is_recorded(&self->attr, 64));
	EXPECT_FALSE(is_recorded(&self->attr, 3));
}

TEST_F(attr, leaves_errno_alone)
{
	size_t size;

	errno = 77;
	change_all(&self->attr);
	posix_trace_attr_getlogsize(NULL, &size);
	posix_trace_attr_destroy(&self->attr);
	posix_trace_attr_init(&self->attr);
	EXPECT_EQ(77, errno);
}

TEST_HARNESS_MAIN
