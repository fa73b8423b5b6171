// SPDX-License-Identifier: GPL-2.0-only
/*
 * posix_trace_shutdown() (assertions, those without a log).
 */
#include "trace_test.h"

#include <dirent.h>

#define ROUNDS	1000

FIXTURE(shutdown) {
	trace_event_id_t u;
};

FIXTURE_SETUP(shutdown)
{
	self->u = open_event("u");
}

FIXTURE_TEARDOWN(shutdown)
{
}

/* A-304 [S]: 0 for an active stream, suspended or running */
TEST_F(shutdown, A304_active_stream_is_shut_down)
{
	EXPECT_EQ(0, posix_trace_shutdown(self_stream(NULL)));
	EXPECT_EQ(0, posix_trace_shutdown(running_stream()));
}

/* A-306 [S]: EINVAL for a bad trid */
TEST_F(shutdown, A306_bad_trid_is_refused)
{
	EXPECT_EQ(EINVAL, posix_trace_shutdown(bad_trid()));
}

/*
 * Call every function that takes a trid; a bit for each that does not say
 * EINVAL, in the order of these lines.
 */
static unsigned int not_refused(trace_id_t trid, trace_event_id_t id)
{
	struct posix_trace_status_info info;
	char name[TRACE_EVENT_NAME_MAX + 1];
	struct timespec until = realtime_in(0);
	trace_event_set_t set = set_of(id);
	trace_event_id_t next;
	trace_attr_t attr;
	int none;
	struct ev ev;
	unsigned int bits = 0, bit = 0;

	must(posix_trace_attr_init(&attr));
#define TRY(call) (bits |= (unsigned int)((call) != EINVAL) << bit++)
	TRY(posix_trace_start(trid));
	TRY(posix_trace_stop(trid));
	TRY(posix_trace_clear(trid));
	TRY(posix_trace_get_attr(trid, &attr));
	TRY(posix_trace_get_status(trid, &info));
	TRY(posix_trace_get_filter(trid, &set));
	TRY(posix_trace_set_filter(trid, &set, POSIX_TRACE_SET_EVENTSET));
	TRY(ev_next(trid, &ev));
	TRY(posix_trace_trygetnext_event(trid, &ev.info, ev.data, 1, &ev.len,
					 &none));
	TRY(posix_trace_timedgetnext_event(trid, &ev.info, ev.data, 1, &ev.len,
					   &none, &until));
	TRY(posix_trace_trid_eventid_open(trid, "name", &next));
	TRY(posix_trace_eventid_get_name(trid, id, name));
	TRY(posix_trace_eventtypelist_getnext_id(trid, &next, &none));
	TRY(posix_trace_eventtypelist_rewind(trid));
	TRY(posix_trace_flush(trid));
	TRY(posix_trace_rewind(trid));
	TRY(posix_trace_close(trid));
	TRY(posix_trace_shutdown(trid));
#undef TRY
	return bits;
}

/* A-308 [S]: a trid that was shut down is refused by every function */
TEST_F(shutdown, A308_trid_is_invalid_everywhere_afterwards)
{
	trace_id_t trid = running_stream();

	record_num(self->u, 1);
	EXPECT_EQ(0, posix_trace_shutdown(trid));
	EXPECT_EQ(0, not_refused(trid, self->u));
}

/* A-309 [S]: it is not taken for a stream that was created later */
TEST_F(shutdown, A309_old_trid_is_not_taken_for_a_new_one)
{
	trace_id_t old = running_stream(), new;

	EXPECT_EQ(0, posix_trace_shutdown(old));
	new = running_stream();
	EXPECT_EQ(0, not_refused(old, self->u));
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, new);
	record_num(self->u, 1);
	EXPECT_EQ(1, drain_count(new, self->u));
	EXPECT_EQ(0, posix_trace_shutdown(new));
}

/* A-310 [S]: unread events are no hindrance */
TEST_F(shutdown, A310_unread_events_are_discarded)
{
	trace_id_t trid = running_stream();

	record_num(self->u, 1);
	EXPECT_EQ(0, posix_trace_shutdown(trid));
	trid = running_stream();
	EXPECT_EQ(0, drain_count(trid, self->u));
}

static int record_twice(const struct child *c, void *arg)
{
	trace_event_id_t id = *(trace_event_id_t *)arg;
	int i;

	for (i = 0; i < 2; i++) {
		await(c);
		record_num(id, i);
		hand(c);
	}
	return 0;
}

/* A-314 [S]: the target may go on recording */
TEST_F(shutdown, A314_target_may_record_afterwards)
{
	struct child c;
	trace_id_t trid;

	child_start(&c, record_twice, &self->u);
	trid = stream_on(c.pid, NULL);
	must(posix_trace_start(trid));
	hand(&c);
	await(&c);
	EXPECT_EQ(1, drain_count(trid, self->u));
	EXPECT_EQ(0, posix_trace_shutdown(trid));
	hand(&c);
	await(&c);
	EXPECT_EQ(0, child_end(&c));

	/* Oneself as well. */
	record_num(self->u, 1);
}

static unsigned int count_maps(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	unsigned int n = 0;
	int c;

	must_be(maps);
	while ((c = getc(maps)) != EOF)
		n += c == '\n';
	fclose(maps);
	return n;
}

/* Kilobytes that the system has left, as it reckons. */
static long memory_left(void)
{
	FILE *info = fopen("/proc/meminfo", "re");
	char line[128];
	long kb = 0;

	must_be(info);
	while (fgets(line, sizeof(line), info))
		if (sscanf(line, "MemAvailable: %ld kB", &kb) == 1)
			break;
	fclose(info);
	return kb;
}

static void create_and_shutdown(trace_event_id_t id, unsigned int rounds)
{
	trace_id_t trid;

	while (rounds--) {
		trid = running_stream();
		record_num(id, rounds);
		must(posix_trace_shutdown(trid));
	}
}

/* A-319 [S]: descriptors, mappings and memory do not grow */
TEST_F(shutdown, A319_nothing_stays_behind)
{
	unsigned int files, maps;
	long memory;

	create_and_shutdown(self->u, ROUNDS / 10);
	files = files_open();
	maps = count_maps();
	memory = memory_left();
	create_and_shutdown(self->u, ROUNDS);
	EXPECT_EQ(files, files_open());
	EXPECT_EQ(maps, count_maps());
	/* A default stream takes 64 kB: 64 MB would be gone if all stayed. */
	EXPECT_GT(32 * 1024, memory - memory_left());
}

TEST_HARNESS_MAIN
