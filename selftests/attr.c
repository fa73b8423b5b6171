// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attributes objects (assertions ). Most of this needs no kernel:
 * the object is plain data of the library.
 */
#include "trace_test.h"

FIXTURE(attr) {
	trace_attr_t attr;
};

FIXTURE_SETUP(attr)
{
	ASSERT_EQ(0, posix_trace_attr_init(&self->attr));
}

FIXTURE_TEARDOWN(attr)
{
	posix_trace_attr_destroy(&self->attr);
}

/* A-019 [S]: init of an uninitialized object succeeds */
TEST(A019_init_takes_an_uninitialized_object)
{
	trace_attr_t attr;

	memset(&attr, 0xa5, sizeof(attr));
	EXPECT_EQ(0, posix_trace_attr_init(&attr));
}

/* A-020 [S]: destroy of an initialized object succeeds */
TEST_F(attr, A020_destroy_takes_an_initialized_object)
{
	EXPECT_EQ(0, posix_trace_attr_destroy(&self->attr));
}

/* A-021 [S]: a destroyed object can be initialized again, with defaults */
TEST_F(attr, A021_init_after_destroy_brings_the_defaults_back)
{
	char name[TRACE_NAME_MAX + 1];
	int inherited, log_policy;

	must(posix_trace_attr_setname(&self->attr, "abc"));
	must(posix_trace_attr_setinherited(&self->attr, POSIX_TRACE_INHERITED));
	must(posix_trace_attr_setlogfullpolicy(&self->attr, POSIX_TRACE_APPEND));
	must(posix_trace_attr_destroy(&self->attr));
	ASSERT_EQ(0, posix_trace_attr_init(&self->attr));

	EXPECT_EQ(0, posix_trace_attr_getname(&self->attr, name));
	EXPECT_STREQ("", name);
	EXPECT_EQ(0, posix_trace_attr_getinherited(&self->attr, &inherited));
	EXPECT_EQ(POSIX_TRACE_CLOSE_FOR_CHILD, inherited);
	EXPECT_EQ(0, posix_trace_attr_getlogfullpolicy(&self->attr, &log_policy));
	EXPECT_EQ(POSIX_TRACE_LOOP, log_policy);
}

/* A-022 [C-52]: init refuses a null pointer */
TEST(A022_init_refuses_null)
{
	EXPECT_EQ(EINVAL, posix_trace_attr_init(NULL));
}

/* A-023 [C-52]: destroy refuses a null pointer */
TEST(A023_destroy_refuses_null)
{
	EXPECT_EQ(EINVAL, posix_trace_attr_destroy(NULL));
}

/* A-024 [C-52]: destroy refuses an object that is destroyed already */
TEST_F(attr, A024_destroy_refuses_a_destroyed_object)
{
	must(posix_trace_attr_destroy(&self->attr));
	EXPECT_EQ(EINVAL, posix_trace_attr_destroy(&self->attr));
}

/* A-025 [C-60]: init of an initialized object sets the defaults again */
TEST_F(attr, A025_init_of_an_initialized_object_resets_it)
{
	char name[TRACE_NAME_MAX + 1];

	must(posix_trace_attr_setname(&self->attr, "abc"));
	EXPECT_EQ(0, posix_trace_attr_init(&self->attr));
	EXPECT_EQ(0, posix_trace_attr_getname(&self->attr, name));
	EXPECT_STREQ("", name);
}

/* A-026 [S]: without memory init gives ENOMEM, if it needs memory at all */
TEST(A026_init_without_memory_fails_with_nothing_but_ENOMEM)
{
	struct rlimit none = { 0, 0 };
	trace_attr_t attr;
	int ret;

	ASSERT_EQ(0, setrlimit(RLIMIT_AS, &none));
	ASSERT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_READ,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	ret = posix_trace_attr_init(&attr);
	EXPECT_TRUE(!ret || ret == ENOMEM);
}

/* A-027 [S]: the generation version is a non-empty string within the limit */
TEST_F(attr, A027_genversion_is_a_string_within_the_limit)
{
	char version[TRACE_NAME_MAX + 1];

	memset(version, 'x', sizeof(version));
	EXPECT_EQ(0, posix_trace_attr_getgenversion(&self->attr, version));
	ASSERT_LE(strnlen(version, sizeof(version)), TRACE_NAME_MAX);
	EXPECT_LT(0, strlen(version));
}

/* A-028 [C-11]: it fits an array of TRACE_NAME_MAX, nothing behind it is written */
TEST_F(attr, A028_genversion_writes_no_further_than_its_NUL)
{
	char version[TRACE_NAME_MAX + 16];
	size_t i, len;

	memset(version, 'x', sizeof(version));
	EXPECT_EQ(0, posix_trace_attr_getgenversion(&self->attr, version));
	len = strnlen(version, sizeof(version));
	EXPECT_LT(len, TRACE_NAME_MAX);
	for (i = len + 1; i < sizeof(version); i++)
		EXPECT_EQ('x', version[i]);
}

/* A-029 [S]: the clock resolution is a valid time above zero */
TEST_F(attr, A029_clockres_is_a_time_above_zero)
{
	struct timespec res = { -1, -1 };

	EXPECT_EQ(0, posix_trace_attr_getclockres(&self->attr, &res));
	EXPECT_LE(0, res.tv_sec);
	EXPECT_LE(0, res.tv_nsec);
	EXPECT_GT(1000000000, res.tv_nsec);
	EXPECT_TRUE(res.tv_sec || res.tv_nsec);
}

/* A-030 [C-04]: the clock resolution is that of CLOCK_REALTIME */
TEST_F(attr, A030_clockres_is_that_of_the_realtime_clock)
{
	struct timespec res, want;

	ASSERT_EQ(0, clock_getres(CLOCK_REALTIME, &want));
	EXPECT_EQ(0, posix_trace_attr_getclockres(&self->attr, &res));
	EXPECT_EQ(want.tv_sec, res.tv_sec);
	EXPECT_EQ(want.tv_nsec, res.tv_nsec);
}

/* A-031 [S]: the name of a fresh object is empty */
TEST_F(attr, A031_name_of_a_fresh_object_is_empty)
{
	char name[TRACE_NAME_MAX + 1] = "x";

	EXPECT_EQ(0, posix_trace_attr_getname(&self->attr, name));
	EXPECT_STREQ("", name);
}

/* A-032 [S]: a name that was set is read back */
TEST_F(attr, A032_name_is_read_back)
{
	char name[TRACE_NAME_MAX + 1];

	EXPECT_EQ(0, posix_trace_attr_setname(&self->attr, "abc"));
	EXPECT_EQ(0, posix_trace_attr_getname(&self->attr, name));
	EXPECT_STREQ("abc", name);
}

static void long_name(char *name, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		name[i] = 'a' + i % 26;
	name[len] = 0;
}

/* A-033 [S]: a name of exactly TRACE_NAME_MAX bytes is kept whole */
TEST_F(attr, A033_name_of_the_limit_is_kept_whole)
{
	char name[TRACE_NAME_MAX + 1], seen[TRACE_NAME_MAX + 1];

	long_name(name, TRACE_NAME_MAX);
	EXPECT_EQ(0, posix_trace_attr_setname(&self->attr, name));
	EXPECT_EQ(0, posix_trace_attr_getname(&self->attr, seen));
	EXPECT_STREQ(name, seen);
}

/* A-034 [C-11]: a longer name is cut to TRACE_NAME_MAX - 1 bytes */
TEST_F(attr, A034_name_above_the_limit_is_cut_to_one_below)
{
	char name[TRACE_NAME_MAX + 2], seen[TRACE_NAME_MAX + 2];

	long_name(name, TRACE_NAME_MAX + 1);
	EXPECT_EQ(0, posix_trace_attr_setname(&self->attr, name));
	EXPECT_EQ(0, posix_trace_attr_getname(&self->attr, seen));
	name[TRACE_NAME_MAX - 1] = 0;
	EXPECT_STREQ(name, seen);
}

/* A-035 [S]: the name is copied */
TEST_F(attr, A035_name_is_a_copy)
{
	char name[] = "first", seen[TRACE_NAME_MAX + 1];

	EXPECT_EQ(0, posix_trace_attr_setname(&self->attr, name));
	memcpy(name, "later", sizeof("later"));
	EXPECT_EQ(0, posix_trace_attr_getname(&self->attr, seen));
	EXPECT_STREQ("first", seen);
}

/* A-036 [C-16]: the creation time of a fresh object is zero */
TEST_F(attr, A036_createtime_of_a_fresh_object_is_zero)
{
	struct timespec ts = { 7, 7 };

	EXPECT_EQ(0, posix_trace_attr_getcreatetime(&self->attr, &ts));
	EXPECT_EQ(0, ts.tv_sec);
	EXPECT_EQ(0, ts.tv_nsec);
}

/* A-037 [S]: the creation time is the CLOCK_REALTIME time of create */
TEST_F(attr, A037_createtime_is_the_time_of_create)
{
	struct timespec before, created, after;
	trace_id_t trid;

	clock_gettime(CLOCK_REALTIME, &before);
	trid = self_stream(NULL);
	clock_gettime(CLOCK_REALTIME, &after);
	EXPECT_EQ(0, posix_trace_get_attr(trid, &self->attr));
	EXPECT_EQ(0, posix_trace_attr_getcreatetime(&self->attr, &created));
	EXPECT_GE(0, ts_cmp(before, created));
	EXPECT_GE(0, ts_cmp(created, after));
}

/* A-038 [S]: the default inheritance is CLOSE_FOR_CHILD */
TEST_F(attr, A038_default_inheritance_is_close_for_child)
{
	int policy = -1;

	EXPECT_EQ(0, posix_trace_attr_getinherited(&self->attr, &policy));
	EXPECT_EQ(POSIX_TRACE_CLOSE_FOR_CHILD, policy);
}

/* A-039 [S]: both inheritance values are read back */
TEST_F(attr, A039_inheritance_is_read_back)
{
	static const int value[] = {
		POSIX_TRACE_INHERITED, POSIX_TRACE_CLOSE_FOR_CHILD,
	};
	size_t i;
	int seen;

	for (i = 0; i < ARRAY_SIZE(value); i++) {
		EXPECT_EQ(0, posix_trace_attr_setinherited(&self->attr,
							   value[i]));
		EXPECT_EQ(0, posix_trace_attr_getinherited(&self->attr, &seen));
		EXPECT_EQ(value[i], seen);
	}
}

/* A-040 [C-65]: an invalid inheritance is refused and changes nothing */
TEST_F(attr, A040_invalid_inheritance_is_refused)
{
	int seen;

	must(posix_trace_attr_setinherited(&self->attr, POSIX_TRACE_INHERITED));
	EXPECT_EQ(EINVAL, posix_trace_attr_setinherited(&self->attr, 0));
	EXPECT_EQ(EINVAL, posix_trace_attr_setinherited(&self->attr, 99));
	EXPECT_EQ(0, posix_trace_attr_getinherited(&self->attr, &seen));
	EXPECT_EQ(POSIX_TRACE_INHERITED, seen);
}

/* A-041 [S]: the default log-full-policy is LOOP */
TEST_F(attr, A041_default_log_policy_is_loop)
{
	int policy = -1;

	EXPECT_EQ(0, posix_trace_attr_getlogfullpolicy(&self->attr, &policy));
	EXPECT_EQ(POSIX_TRACE_LOOP, policy);
}

/* A-042 [S]: each log-full-policy is read back */
TEST_F(attr, A042_log_policy_is_read_back)
{
	static const int value[] = {
		POSIX_TRACE_LOOP, POSIX_TRACE_UNTIL_FULL, POSIX_TRACE_APPEND,
	};
	size_t i;
	int seen;

	for (i = 0; i < ARRAY_SIZE(value); i++) {
		EXPECT_EQ(0, posix_trace_attr_setlogfullpolicy(&self->attr,
							       value[i]));
		EXPECT_EQ(0, posix_trace_attr_getlogfullpolicy(&self->attr,
							       &seen));
		EXPECT_EQ(value[i], seen);
	}
}

/* A-043 [C-65]: FLUSH is no log-full-policy */
TEST_F(attr, A043_flush_is_refused_as_log_policy)
{
	int seen;

	must(posix_trace_attr_setlogfullpolicy(&self->attr, POSIX_TRACE_APPEND));
	EXPECT_EQ(EINVAL, posix_trace_attr_setlogfullpolicy(&self->attr,
							    POSIX_TRACE_FLUSH));
	EXPECT_EQ(0, posix_trace_attr_getlogfullpolicy(&self->attr, &seen));
	EXPECT_EQ(POSIX_TRACE_APPEND, seen);
}

/* A-044 [C-17]: the stream-full-policy of a fresh object reads LOOP */
TEST_F(attr, A044_default_stream_policy_is_loop)
{
	int policy = -1;

	EXPECT_EQ(0, posix_trace_attr_getstreamfullpolicy(&self->attr, &policy));
	EXPECT_EQ(POSIX_TRACE_LOOP, policy);
}

/* A-045 [S]: each stream-full-policy is read back */
TEST_F(attr, A045_stream_policy_is_read_back)
{
	static const int value[] = {
		POSIX_TRACE_LOOP, POSIX_TRACE_UNTIL_FULL, POSIX_TRACE_FLUSH,
	};
	size_t i;
	int seen;

	for (i = 0; i < ARRAY_SIZE(value); i++) {
		EXPECT_EQ(0, posix_trace_attr_setstreamfullpolicy(&self->attr,
								  value[i]));
		EXPECT_EQ(0, posix_trace_attr_getstreamfullpolicy(&self->attr,
								  &seen));
		EXPECT_EQ(value[i], seen);
	}
}

/* A-046 [C-65]: APPEND is no stream-full-policy */
TEST_F(attr, A046_append_is_refused_as_stream_policy)
{
	const int until_full = POSIX_TRACE_UNTIL_FULL;
	int seen;

	must(posix_trace_attr_setstreamfullpolicy(&self->attr, until_full));
	EXPECT_EQ(EINVAL,
		  posix_trace_attr_setstreamfullpolicy(&self->attr,
						       POSIX_TRACE_APPEND));
	EXPECT_EQ(0, posix_trace_attr_getstreamfullpolicy(&self->attr, &seen));
	EXPECT_EQ(until_full, seen);
}

/* A-047 [S]: the stream size is read back */
TEST_F(attr, A047_stream_size_is_read_back)
{
	size_t size = 0;

	EXPECT_EQ(0, posix_trace_attr_setstreamsize(&self->attr, 100000));
	EXPECT_EQ(0, posix_trace_attr_getstreamsize(&self->attr, &size));
	EXPECT_EQ(100000, size);
}

/* A-048 [S]: the maximal data size is read back */
TEST_F(attr, A048_max_data_size_is_read_back)
{
	size_t size = 0;

	EXPECT_EQ(0, posix_trace_attr_setmaxdatasize(&self->attr, 1000));
	EXPECT_EQ(0, posix_trace_attr_getmaxdatasize(&self->attr, &size));
	EXPECT_EQ(1000, size);
}

/* A-049 [S]: a maximal data size of 0 is allowed */
TEST_F(attr, A049_max_data_size_may_be_zero)
{
	size_t size = 1;

	EXPECT_EQ(0, posix_trace_attr_setmaxdatasize(&self->attr, 0));
	EXPECT_EQ(0, posix_trace_attr_getmaxdatasize(&self->attr, &size));
	EXPECT_EQ(0, size);
}

/* A-050 [S]: the log size is read back */
TEST_F(attr, A050_log_size_is_read_back)
{
	size_t size = 0;

	EXPECT_EQ(0, posix_trace_attr_setlogsize(&self->attr, 500000));
	EXPECT_EQ(0, posix_trace_attr_getlogsize(&self->attr, &size));
	EXPECT_EQ(500000, size);
}

/* A-051 [C-18]: the default stream size is the documented one */
TEST_F(attr, A051_default_stream_size_is_as_documented)
{
	size_t size = 0;

	EXPECT_EQ(0, posix_trace_attr_getstreamsize(&self->attr, &size));
	EXPECT_EQ(65536, size);
}

/* A-052 [C-18]: the default maximal data size is the documented one */
TEST_F(attr, A052_default_max_data_size_is_as_documented)
{
	size_t size = 0;

	EXPECT_EQ(0, posix_trace_attr_getmaxdatasize(&self->attr, &size));
	EXPECT_EQ(256, size);
}

/* A-053 [C-18]: the default log size is the documented one */
TEST_F(attr, A053_default_log_size_is_as_documented)
{
	size_t size = 0;

	EXPECT_EQ(0, posix_trace_attr_getlogsize(&self->attr, &size));
	EXPECT_EQ(1048576, size);
}

/* A-054 [S]: the largest system event has room for two sets */
TEST_F(attr, A054_max_system_event_size_covers_two_sets)
{
	size_t size = 0;

	EXPECT_EQ(0, posix_trace_attr_getmaxsystemeventsize(&self->attr, &size));
	EXPECT_LE(2 * sizeof(trace_event_set_t), size);
}

/* A-055 [S]: the size of a user event covers its data and grows with it */
TEST_F(attr, A055_max_user_event_size_covers_the_data)
{
	static const size_t len[] = { 0, 1, 64 };
	size_t i, size, before = 0;

	for (i = 0; i < ARRAY_SIZE(len); i++) {
		size = 0;
		EXPECT_EQ(0, posix_trace_attr_getmaxusereventsize(&self->attr,
								  len[i],
								  &size));
		EXPECT_LE(len[i], size);
		EXPECT_LE(before, size);
		before = size;
	}
}

/* A-056 [C-58]: data beyond the maximum takes no room */
TEST_F(attr, A056_max_user_event_size_is_bounded_by_max_data_size)
{
	static const size_t len[] = { 101, 5000, SIZE_MAX - 7, SIZE_MAX };
	size_t i, size, most;

	must(posix_trace_attr_setmaxdatasize(&self->attr, 100));
	must(posix_trace_attr_getmaxusereventsize(&self->attr, 100, &most));
	for (i = 0; i < ARRAY_SIZE(len); i++) {
		size = 0;
		EXPECT_EQ(0, posix_trace_attr_getmaxusereventsize(&self->attr,
								  len[i],
								  &size));
		EXPECT_EQ(most, size);
	}
}

/* The results of all getters for @attr, which should be EINVAL, in a row. */
#define EXPECT_GETTERS_REFUSE(attr, ts, text, num, size) do {		\
	const trace_attr_t *of = (attr);				\
	size_t *to = (size);						\
	struct timespec *time = (ts);					\
	char *str = (text);						\
	int *val = (num);						\
									\
	EXPECT_EQ(EINVAL, posix_trace_attr_getclockres(of, time));	\
	EXPECT_EQ(EINVAL, posix_trace_attr_getcreatetime(of, time));	\
	EXPECT_EQ(EINVAL, posix_trace_attr_getgenversion(of, str));	\
	EXPECT_EQ(EINVAL, posix_trace_attr_getname(of, str));		\
	EXPECT_EQ(EINVAL, posix_trace_attr_getinherited(of, val));	\
	EXPECT_EQ(EINVAL, posix_trace_attr_getlogfullpolicy(of, val));	\
	EXPECT_EQ(EINVAL, posix_trace_attr_getstreamfullpolicy(of, val)); \
	EXPECT_EQ(EINVAL, posix_trace_attr_getlogsize(of, to));		\
	EXPECT_EQ(EINVAL, posix_trace_attr_getmaxdatasize(of, to));	\
	EXPECT_EQ(EINVAL, posix_trace_attr_getstreamsize(of, to));	\
	EXPECT_EQ(EINVAL, posix_trace_attr_getmaxsystemeventsize(of, to)); \
	EXPECT_EQ(EINVAL, posix_trace_attr_getmaxusereventsize(of, 1, to)); \
} while (0)

#define EXPECT_SETTERS_REFUSE(attr) do {				\
	trace_attr_t *of = (attr);					\
	const int loop = POSIX_TRACE_LOOP;				\
	const int inherited = POSIX_TRACE_INHERITED;			\
									\
	EXPECT_EQ(EINVAL, posix_trace_attr_setname(of, "n"));		\
	EXPECT_EQ(EINVAL, posix_trace_attr_setinherited(of, inherited)); \
	EXPECT_EQ(EINVAL, posix_trace_attr_setlogfullpolicy(of, loop));	\
	EXPECT_EQ(EINVAL, posix_trace_attr_setstreamfullpolicy(of, loop)); \
	EXPECT_EQ(EINVAL, posix_trace_attr_setlogsize(of, 100000));	\
	EXPECT_EQ(EINVAL, posix_trace_attr_setmaxdatasize(of, 100));	\
	EXPECT_EQ(EINVAL, posix_trace_attr_setstreamsize(of, 100000));	\
} while (0)

/* A-057 [C-52]: every getter refuses a null object and a null target */
TEST_F(attr, A057_getters_refuse_null)
{
	char text[TRACE_NAME_MAX + 1];
	struct timespec ts;
	size_t size;
	int num;

	EXPECT_GETTERS_REFUSE(NULL, &ts, text, &num, &size);
	EXPECT_GETTERS_REFUSE(&self->attr, NULL, NULL, NULL, NULL);
}

/* A-058 [C-52]: every setter refuses a null object */
TEST_F(attr, A058_setters_refuse_null)
{
	EXPECT_SETTERS_REFUSE(NULL);
	EXPECT_EQ(EINVAL, posix_trace_attr_setname(&self->attr, NULL));
}

/* A-059 [C-52]: every getter and setter refuses a destroyed object */
TEST_F(attr, A059_getters_and_setters_refuse_a_destroyed_object)
{
	char text[TRACE_NAME_MAX + 1];
	struct timespec ts;
	size_t size;
	int num;

	must(posix_trace_attr_destroy(&self->attr));
	EXPECT_GETTERS_REFUSE(&self->attr, &ts, text, &num, &size);
	EXPECT_SETTERS_REFUSE(&self->attr);
}

/* A-060 [S]: a stream does not need the object any more that made it */
TEST_F(attr, A060_stream_outlives_its_attributes_object)
{
	trace_event_id_t u = open_event("u");
	char name[TRACE_NAME_MAX + 1];
	trace_attr_t seen;
	trace_id_t trid;
	size_t size;
	struct ev ev;

	must(posix_trace_attr_setname(&self->attr, "outlives"));
	must(posix_trace_attr_setmaxdatasize(&self->attr, 33));
	trid = self_stream(&self->attr);
	EXPECT_EQ(0, posix_trace_attr_destroy(&self->attr));
	memset(&self->attr, 0, sizeof(self->attr));

	must(posix_trace_start(trid));
	record_num(u, 1);
	EXPECT_TRUE(ev_find(trid, u, &ev));
	must(posix_trace_attr_init(&seen));
	EXPECT_EQ(0, posix_trace_get_attr(trid, &seen));
	EXPECT_EQ(0, posix_trace_attr_getname(&seen, name));
	EXPECT_STREQ("outlives", name);
	EXPECT_EQ(0, posix_trace_attr_getmaxdatasize(&seen, &size));
	EXPECT_EQ(33, size);
}

/* A-061 [S]: a later change of the object does not reach the stream */
TEST_F(attr, A061_stream_keeps_the_max_data_size_of_its_creation)
{
	trace_event_id_t u = open_event("u");
	char data[100];
	trace_id_t trid;
	struct ev ev;

	memset(data, 'd', sizeof(data));
	must(posix_trace_attr_setmaxdatasize(&self->attr, sizeof(data)));
	trid = self_stream(&self->attr);
	must(posix_trace_attr_setmaxdatasize(&self->attr, 10));
	must(posix_trace_start(trid));
	posix_trace_event(u, data, sizeof(data));

	ASSERT_TRUE(ev_find(trid, u, &ev));
	EXPECT_EQ(sizeof(data), ev.len);
	EXPECT_EQ(POSIX_TRACE_NOT_TRUNCATED, ev.info.posix_truncation_status);
	EXPECT_EQ(0, memcmp(data, ev.data, sizeof(data)));
}

/* A-062 [S]: one object serves for several streams */
TEST_F(attr, A062_two_streams_from_one_object)
{
	trace_event_id_t u = open_event("u");
	trace_id_t first = self_stream(&self->attr);
	trace_id_t second = self_stream(&self->attr);

	EXPECT_NE(first, second);
	must(posix_trace_start(first));
	must(posix_trace_start(second));
	record_num(u, 1);
	EXPECT_EQ(1, drain_count(first, u));
	EXPECT_EQ(1, drain_count(second, u));
}

TEST_HARNESS_MAIN
