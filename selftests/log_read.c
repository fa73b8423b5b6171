// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading of finished logs (assertions,
 *
 *
 */
#include "withlog_test.h"

#include <linux/posixtrace_log.h>
#include <sys/sendfile.h>

FIXTURE(log_read) {
	trace_event_id_t u1, u2;
	int fd;
	trace_id_t trid;	/* its log, opened */
	struct timespec before, after;
};

static noinline void record_both(trace_event_id_t u1, trace_event_id_t u2)
{
	posix_trace_event(u1, "a", 1);
	posix_trace_event(u2, "bb", 2);
	no_tail_call();
}

FIXTURE_SETUP(log_read)
{
	trace_id_t trid;

	self->u1 = open_event("u1");
	self->u2 = open_event("u2");
	self->fd = log_file();
	clock_gettime(CLOCK_REALTIME, &self->before);
	trid = running_log(NULL, self->fd);
	record_both(self->u1, self->u2);
	must(posix_trace_shutdown(trid));
	clock_gettime(CLOCK_REALTIME, &self->after);
	self->trid = opened(self->fd);
}

FIXTURE_TEARDOWN(log_read)
{
}

static int try_open(int fd)
{
	trace_id_t trid;

	return posix_trace_open(fd, &trid);
}

/* True if START, U1, U2, STOP and then no more is read. */
static bool reads_all(trace_id_t trid, trace_event_id_t u1, trace_event_id_t u2)
{
	trace_event_id_t ids[] = {
		POSIX_TRACE_START, u1, u2, POSIX_TRACE_STOP,
	};
	unsigned int i;
	struct ev ev;

	for (i = 0; i < 4; i++)
		if (!log_next(trid, &ev) ||
		    ev.info.posix_event_id != ids[i])
			return false;
	return !log_next(trid, &ev);
}

#define EXPECT_ALL_READ(trid) \
	EXPECT_TRUE(reads_all(trid, self->u1, self->u2))

/* A-320 [S]: a log that is open for reading only will do */
TEST_F(log_read, A320_log_is_read_from_its_oldest_event_on)
{
	int fd = reopen(self->fd, O_RDONLY);
	trace_id_t trid;
	struct ev ev;

	EXPECT_EQ(0, posix_trace_open(fd, &trid));
	ASSERT_TRUE(log_next(trid, &ev));
	EXPECT_EQ(POSIX_TRACE_START, ev.info.posix_event_id);
}

/* A-321 [S]: events are as they were recorded */
TEST_F(log_read, A321_events_are_as_recorded)
{
	struct timespec last = self->before;
	struct ev ev[5];
	unsigned int i;

	for (i = 0; i < 4; i++) {
		ASSERT_TRUE(log_next(self->trid, &ev[i]));
		EXPECT_EQ(0, ev[i].unavailable);
		EXPECT_EQ(getpid(), ev[i].info.posix_pid);
		EXPECT_LE(0, ts_cmp(ev[i].info.posix_timestamp, last));
		last = ev[i].info.posix_timestamp;
	}
	EXPECT_LE(0, ts_cmp(self->after, last));
	EXPECT_FALSE(log_next(self->trid, &ev[4]));

	EXPECT_EQ(POSIX_TRACE_START, ev[0].info.posix_event_id);
	EXPECT_EQ(sizeof(trace_event_set_t), ev[0].len);
	EXPECT_EQ(self->u1, ev[1].info.posix_event_id);
	EXPECT_EQ(self->u2, ev[2].info.posix_event_id);
	EXPECT_EQ(POSIX_TRACE_STOP, ev[3].info.posix_event_id);
	EXPECT_EQ(0, ev_int(&ev[3]));
	ASSERT_EQ(1, ev[1].len);
	EXPECT_EQ('a', ev[1].data[0]);
	ASSERT_EQ(2, ev[2].len);
	EXPECT_EQ(0, memcmp("bb", ev[2].data, 2));
	for (i = 1; i <= 2; i++) {
		EXPECT_TRUE(pthread_equal(pthread_self(),
					  ev[i].info.posix_thread_id));
		EXPECT_TRUE(lies_in(ev[i].info.posix_prog_address,
				    record_both));
		EXPECT_EQ(POSIX_TRACE_NOT_TRUNCATED,
			  ev[i].info.posix_truncation_status);
	}
}

/* A-322 [S]: an empty file is no log */
TEST_F(log_read, A322_empty_file_is_refused)
{
	EXPECT_EQ(EINVAL, try_open(log_file()));
}

/* A-323 [S]: nor is a text */
TEST_F(log_read, A323_text_is_refused)
{
	int fd = log_file();

	write_letters(fd, 400 * 1024);
	EXPECT_EQ(EINVAL, try_open(fd));
}

/* A-324 [S]: nor a directory, nor a pipe */
TEST_F(log_read, A324_directory_and_pipe_are_refused)
{
	int ends[2];

	ASSERT_EQ(0, pipe(ends));
	EXPECT_EQ(EINVAL, try_open(ends[0]));
	EXPECT_EQ(EINVAL, try_open(open("/", O_RDONLY)));
	EXPECT_EQ(EINVAL, try_open(open("/dev/null", O_RDONLY)));
}

/* A-325 [C-15]: EINVAL for a descriptor that can't be read */
TEST_F(log_read, A325_bad_descriptors_are_refused)
{
	int fd = dup(self->fd);

	EXPECT_EQ(EINVAL, try_open(-1));
	EXPECT_EQ(EINVAL, try_open(reopen(self->fd, O_WRONLY)));
	EXPECT_EQ(EINVAL, try_open(reopen(self->fd, O_PATH)));
	EXPECT_EQ(0, close(fd));
	EXPECT_EQ(EINVAL, try_open(fd));
}

/* A-326 [S]: nor is a log whose head is damaged */
TEST_F(log_read, A326_damaged_head_is_refused)
{
	const off_t size = sizeof(struct posixtrace_log_block) +
			   sizeof(struct posixtrace_log_head);
	char byte, flipped;
	off_t at;

	for (at = 0; at < size; at += 7) {
		ASSERT_EQ(1, pread(self->fd, &byte, 1, at));
		flipped = ~byte;
		ASSERT_EQ(1, pwrite(self->fd, &flipped, 1, at));
		EXPECT_EQ(EINVAL, try_open(self->fd)) TH_LOG("byte %ld", at);
		ASSERT_EQ(1, pwrite(self->fd, &byte, 1, at));
	}
	EXPECT_EQ(0, try_open(self->fd));
}

/* A-327 [S]: nor one from a machine with the other byte order */
TEST_F(log_read, A327_log_of_another_machine_is_refused)
{
	struct posixtrace_log_block block;

	ASSERT_EQ(sizeof(block), pread(self->fd, &block, sizeof(block), 0));
	ASSERT_EQ(POSIXTRACE_LOG_MAGIC, block.magic);
	block.magic = __builtin_bswap32(block.magic);
	ASSERT_EQ(sizeof(block), pwrite(self->fd, &block, sizeof(block), 0));
	EXPECT_EQ(EINVAL, try_open(self->fd));
}

static int read_unfinished(const struct child *c, void *arg)
{
	struct contents seen = contents_of(*(int *)arg);

	return seen.users != 3 || seen.first != 1 || seen.last != 3 ||
	       seen.info.posix_finished || strcmp(seen.story, "Suf");
}

/* A-328 [C-15]: a log that is still written can be read, and has no end */
TEST_F(log_read, A328_unfinished_log_is_read)
{
	int fd = log_file();
	trace_id_t trid = running_log(NULL, fd);

	record_nums(self->u1, 1, 3);
	must(posix_trace_flush(trid));
	record_num(self->u1, 4);
	EXPECT_EQ(0, in_child(read_unfinished, &fd));
	must(posix_trace_shutdown(trid));
	EXPECT_TRUE(contents_of(fd).info.posix_finished);
}

/* A-329 [S]: a log can be opened twice */
TEST_F(log_read, A329_two_trids_are_independent)
{
	trace_id_t second = opened(self->fd);
	struct ev ev;

	ASSERT_TRUE(log_next(self->trid, &ev));
	EXPECT_ALL_READ(second);
	must(posix_trace_rewind(self->trid));
	EXPECT_ALL_READ(self->trid);
	EXPECT_EQ(0, posix_trace_close(second));
	must(posix_trace_rewind(self->trid));
	EXPECT_ALL_READ(self->trid);
}

static int write_log(const struct child *c, void *arg)
{
	trace_event_id_t mine = open_event("the child's");
	trace_attr_t attr;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setname(&attr, "child"));
	running_log(&attr, *(int *)arg);
	record_nums(mine, 1, 5);
	return 0;
}

/* A-330 [S]: so can that of a process that has ended */
TEST_F(log_read, A330_log_of_another_process_is_read)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	struct contents c;
	trace_attr_t attr;
	int fd = log_file();
	struct child child;
	trace_id_t trid;
	struct ev ev;

	child_start(&child, write_log, &fd);
	EXPECT_EQ(0, child_end(&child));
	trid = opened(fd);
	c = contents_of_open(trid);
	EXPECT_NUMBERS(1, 5, c);
	EXPECT_EQ(child.pid, c.info.posix_owner);
	must(posix_trace_attr_init(&attr));
	EXPECT_EQ(0, posix_trace_get_attr(trid, &attr));
	EXPECT_EQ(0, posix_trace_attr_getname(&attr, name));
	EXPECT_STREQ("child", name);
	must(posix_trace_rewind(trid));
	ASSERT_TRUE(log_next(trid, &ev) && log_next(trid, &ev));
	EXPECT_EQ(child.pid, ev.info.posix_pid);
	EXPECT_EQ(0, posix_trace_eventid_get_name(trid, ev.info.posix_event_id,
						  name));
	EXPECT_STREQ("the child's", name);
}

/* A-331 [S]: at the end there is nothing, at once, again and again */
TEST_F(log_read, A331_end_stays_the_end)
{
	struct ev ev;
	int i;

	EXPECT_ALL_READ(self->trid);
	for (i = 0; i < 3; i++) {
		ev.unavailable = 0;
		EXPECT_EQ(0, ev_next(self->trid, &ev));
		EXPECT_NE(0, ev.unavailable);
	}
}

/* A-332 [S]: a small buffer truncates the reading, not the log */
TEST_F(log_read, A332_truncated_reading_harms_nothing)
{
	struct ev ev;

	ASSERT_TRUE(log_find(self->trid, self->u1, &ev));
	ev.data[1] = 'x';
	EXPECT_EQ(0, posix_trace_getnext_event(self->trid, &ev.info, ev.data, 1,
					       &ev.len, &ev.unavailable));
	EXPECT_EQ(1, ev.len);
	EXPECT_EQ('x', ev.data[1]);
	EXPECT_EQ(POSIX_TRACE_TRUNCATED_READ, ev.info.posix_truncation_status);
	must(posix_trace_rewind(self->trid));
	ASSERT_TRUE(log_find(self->trid, self->u2, &ev));
	EXPECT_EQ(2, ev.len);
	EXPECT_EQ(POSIX_TRACE_NOT_TRUNCATED, ev.info.posix_truncation_status);
}

/* A-333 [S], A-334 [S]: rewind goes to the oldest event, from anywhere */
TEST_F(log_read, A333_A334_rewind_goes_to_the_oldest_event)
{
	struct ev ev;

	ASSERT_TRUE(log_next(self->trid, &ev) && log_next(self->trid, &ev));
	EXPECT_EQ(0, posix_trace_rewind(self->trid));
	EXPECT_ALL_READ(self->trid);
	EXPECT_EQ(0, posix_trace_rewind(self->trid));
	EXPECT_ALL_READ(self->trid);
}

/* A-335 [C-07]: rewind refuses whatever is no log */
TEST_F(log_read, A335_rewind_refuses_other_trids)
{
	trace_id_t active = running_log(NULL, log_file());

	EXPECT_EQ(EINVAL, posix_trace_rewind(active));
	EXPECT_EQ(EINVAL, posix_trace_rewind(running_stream()));
	EXPECT_EQ(EINVAL, posix_trace_rewind(bad_trid()));
	EXPECT_EQ(0, posix_trace_shutdown(active));
	EXPECT_EQ(EINVAL, posix_trace_rewind(active));
}

/* A-336 [S], A-337 [C-07]: close closes a log, once, and nothing else */
TEST_F(log_read, A336_A337_close_closes_logs_once)
{
	trace_id_t active = running_log(NULL, log_file());
	struct ev ev;

	EXPECT_EQ(0, posix_trace_close(self->trid));
	EXPECT_EQ(EINVAL, posix_trace_close(self->trid));
	EXPECT_EQ(EINVAL, ev_next(self->trid, &ev));
	EXPECT_EQ(EINVAL, posix_trace_close(active));
	EXPECT_EQ(POSIX_TRACE_RUNNING, status_of(active).posix_stream_status);
	EXPECT_EQ(0, posix_trace_shutdown(active));
}

/* A-338 [C-35]: the application's descriptor stays open */
TEST_F(log_read, A338_descriptor_stays_open)
{
	EXPECT_EQ(0, posix_trace_close(self->trid));
	EXPECT_NE(-1, fcntl(self->fd, F_GETFD));
	EXPECT_ALL_READ(opened(self->fd));
}

/* A-339 [S]: names of the events are those under which they were opened */
TEST_F(log_read, A339_names_are_known)
{
	static const char * const names[] = {
		"posix_trace_start", "u1", "u2", "posix_trace_stop",
	};
	char name[TRACE_EVENT_NAME_MAX + 1];
	unsigned int i;
	struct ev ev;

	for (i = 0; i < 4; i++) {
		ASSERT_TRUE(log_next(self->trid, &ev));
		EXPECT_EQ(0, posix_trace_eventid_get_name(self->trid,
							  ev.info.posix_event_id,
							  name));
		EXPECT_STREQ(names[i], name);
	}
	EXPECT_EQ(EINVAL, posix_trace_eventid_get_name(self->trid, 900, name));
}

/* A-340 [S]: the list of types is that of the stream */
TEST_F(log_read, A340_list_of_types_is_known)
{
	trace_event_id_t id;
	unsigned int n = 0;
	int none, round;

	for (round = 0; round < 2; round++) {
		for (n = 0;; n++) {
			must(posix_trace_eventtypelist_getnext_id(self->trid,
								  &id, &none));
			if (none)
				break;
			if (n < 9)
				EXPECT_EQ(n + 1, id);
			if (n == 9)
				EXPECT_EQ(self->u1, id);
			if (n == 10)
				EXPECT_EQ(self->u2, id);
		}
		EXPECT_EQ(11, n);
		must(posix_trace_eventtypelist_rewind(self->trid));
	}
}

/* A-341 [S]: what is for active streams refuses logs */
/* A-114 [S], A-123 [S]: start and stop */
/* A-302 [S], A-307 [S]: clear, shutdown */
TEST_F(log_read, A341_A114_A123_A302_A307_log_is_not_controlled)
{
	EXPECT_EQ(EINVAL, posix_trace_start(self->trid));
	EXPECT_EQ(EINVAL, posix_trace_stop(self->trid));
	EXPECT_EQ(EINVAL, posix_trace_clear(self->trid));
	EXPECT_EQ(EINVAL, posix_trace_flush(self->trid));
	EXPECT_EQ(EINVAL, posix_trace_shutdown(self->trid));
	EXPECT_ALL_READ(self->trid);
}

/* A-358 [S], A-363 [S]: likewise filters; A-404 [S]: trid_eventid_open */
TEST_F(log_read, A341_A358_A363_A404_log_has_no_filter_and_no_new_names)
{
	trace_event_set_t set = set_of(self->u1);
	trace_event_id_t id;

	EXPECT_EQ(EINVAL, posix_trace_get_filter(self->trid, &set));
	EXPECT_EQ(EINVAL, posix_trace_set_filter(self->trid, &set,
						 POSIX_TRACE_SET_EVENTSET));
	EXPECT_EQ(EINVAL, posix_trace_trid_eventid_open(self->trid, "x", &id));
	EXPECT_ALL_READ(self->trid);
}

/* A-182 [S], A-196 [C-09]: likewise trygetnext and timedgetnext */
TEST_F(log_read, A341_A182_A196_only_getnext_reads_a_log)
{
	struct timespec until = realtime_in(0);
	struct ev ev;

	EXPECT_EQ(EINVAL, posix_trace_trygetnext_event(self->trid, &ev.info,
						       ev.data, 1, &ev.len,
						       &ev.unavailable));
	EXPECT_EQ(EINVAL, posix_trace_timedgetnext_event(self->trid, &ev.info,
							 ev.data, 1, &ev.len,
							 &ev.unavailable,
							 &until));
	EXPECT_ALL_READ(self->trid);
}

/* A-343 [S]: a copy is as good */
TEST_F(log_read, A343_copy_of_a_log_is_read)
{
	int copy = log_file();
	off_t at = 0;

	while (at < file_size(self->fd))
		ASSERT_LT(0, sendfile(copy, self->fd, &at,
				      file_size(self->fd) - at));
	EXPECT_ALL_READ(opened(copy));
}

/* A-344 [C-46]: the offset of the descriptor does not matter */
TEST_F(log_read, A344_offset_of_the_descriptor_does_not_matter)
{
	off_t end = lseek(self->fd, 0, SEEK_END);

	EXPECT_ALL_READ(opened(self->fd));
	EXPECT_EQ(end, lseek(self->fd, 0, SEEK_CUR));
}

/* A-413 [S]: identifiers of a log are compared */
TEST_F(log_read, A413_identifiers_are_compared)
{
	EXPECT_NE(0, posix_trace_eventid_equal(self->trid, self->u1, self->u1));
	EXPECT_EQ(0, posix_trace_eventid_equal(self->trid, self->u1, self->u2));
}

static int use_in_child(const struct child *c, void *arg)
{
	trace_id_t trid = *(trace_id_t *)arg;
	struct ev ev;

	if (ev_next(trid, &ev) != EINVAL)
		return 1;
	if (posix_trace_rewind(trid) != EINVAL)
		return 2;
	return posix_trace_close(trid) != EINVAL ? 3 : 0;
}

/* A-460 [C-45]: a child can't use it, and does not disturb it */
TEST_F(log_read, A460_child_can_not_use_a_log_of_its_parent)
{
	struct ev ev;

	ASSERT_TRUE(log_next(self->trid, &ev));
	EXPECT_EQ(0, in_child(use_in_child, &self->trid));
	ASSERT_TRUE(log_next(self->trid, &ev));
	EXPECT_EQ(self->u1, ev.info.posix_event_id);
}

/* A-216 [S]: attributes are those of the stream, in force */
TEST(A216_log_has_the_attributes_of_its_stream)
{
	struct timespec created, seen;
	int fd = log_file(), policy;
	char name[TRACE_NAME_MAX + 1];
	size_t stream, log, size;
	trace_attr_t attr;
	trace_id_t trid;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setname(&attr, "A-216"));
	must(posix_trace_attr_setinherited(&attr, POSIX_TRACE_INHERITED));
	must(posix_trace_attr_setstreamfullpolicy(&attr,
						  POSIX_TRACE_UNTIL_FULL));
	must(posix_trace_attr_setlogfullpolicy(&attr, POSIX_TRACE_APPEND));
	must(posix_trace_attr_setmaxdatasize(&attr, 77));
	must(posix_trace_attr_setstreamsize(&attr, 1));
	trid = log_stream(&attr, fd);
	must(posix_trace_get_attr(trid, &attr));
	must(posix_trace_attr_getcreatetime(&attr, &created));
	must(posix_trace_attr_getstreamsize(&attr, &stream));
	must(posix_trace_attr_getlogsize(&attr, &log));
	EXPECT_LT(1, stream);
	must(posix_trace_shutdown(trid));

	must(posix_trace_attr_init(&attr));
	EXPECT_EQ(0, posix_trace_get_attr(opened(fd), &attr));
	must(posix_trace_attr_getcreatetime(&attr, &seen));
	EXPECT_EQ(0, ts_cmp(created, seen));
	must(posix_trace_attr_getname(&attr, name));
	EXPECT_STREQ("A-216", name);
	must(posix_trace_attr_getinherited(&attr, &policy));
	EXPECT_EQ(POSIX_TRACE_INHERITED, policy);
	must(posix_trace_attr_getstreamfullpolicy(&attr, &policy));
	EXPECT_EQ(POSIX_TRACE_UNTIL_FULL, policy);
	must(posix_trace_attr_getlogfullpolicy(&attr, &policy));
	EXPECT_EQ(POSIX_TRACE_APPEND, policy);
	must(posix_trace_attr_getmaxdatasize(&attr, &size));
	EXPECT_EQ(77, size);
	must(posix_trace_attr_getstreamsize(&attr, &size));
	EXPECT_EQ(stream, size);
	must(posix_trace_attr_getlogsize(&attr, &size));
	EXPECT_EQ(log, size);
}

TEST_HARNESS_MAIN
