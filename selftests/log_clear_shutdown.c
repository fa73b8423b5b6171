// SPDX-License-Identifier: GPL-2.0-only
/*
 * posix_trace_clear() and posix_trace_shutdown() of streams with a log
 * (assertions,
 *
 */
#include "exec_test.h"
#include "withlog_test.h"

#include <sys/mount.h>

#define SMALL	100	/* events that a stream has to hold */
#define LOG_HOLDS 500	/* events of which a log has the size */
#define BATCH	50	/* events for each flush */

FIXTURE(log_end) {
	trace_event_id_t u;
	int fd;
	trace_attr_t attr;
	trace_id_t trid;
};

FIXTURE_SETUP(log_end)
{
	self->u = open_event("u");
	self->fd = log_file();
}

FIXTURE_TEARDOWN(log_end)
{
}

static trace_id_t limited_log(int log_policy, int fd)
{
	trace_attr_t attr;

	log_attr(&attr, POSIX_TRACE_LOOP, SMALL, log_policy,
		 LOG_HOLDS * num_size());
	return running_log(&attr, fd);
}

/* A-298 [S]: clear empties the log, whatever was flushed and not */
TEST_F(log_end, A298_clear_empties_the_log)
{
	static const int policies[] = {
		POSIX_TRACE_LOOP, POSIX_TRACE_UNTIL_FULL,
	};
	struct contents c;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		self->trid = limited_log(policies[i], self->fd);
		record_and_flush(self->trid, self->u, 1, 3 * BATCH + 1, BATCH);
		EXPECT_EQ(0, posix_trace_clear(self->trid));
		EXPECT_STREQ("", contents_of(self->fd).story);
		record_num(self->u, 1000);
		c = contents_after(self->trid, self->fd);
		EXPECT_STREQ("uT", c.story);
		EXPECT_NUMBERS(1000, 1000, c);
		EXPECT_TRUE(c.info.posix_finished);
	}
}

/* A-298 [S]: also if it had wrapped */
TEST_F(log_end, A298_clear_empties_a_LOOP_log_that_has_wrapped)
{
	struct contents c;

	self->trid = limited_log(POSIX_TRACE_LOOP, self->fd);
	record_and_flush(self->trid, self->u, 1, 3 * LOG_HOLDS, BATCH);
	EXPECT_EQ(0, posix_trace_clear(self->trid));
	EXPECT_LOG_STATUS(POSIX_TRACE_NOT_FULL, POSIX_TRACE_NO_OVERRUN, 0,
			  self->trid);
	record_and_flush(self->trid, self->u, 10000, 10000 + BATCH, 10);
	c = contents_after(self->trid, self->fd);
	EXPECT_NUMBERS(10000, 10000 + BATCH, c);
	EXPECT_STREQ("uT", without_flushes(&c));
	EXPECT_EQ(POSIX_TRACE_NOT_FULL, c.status.posix_log_full_status);
}

/* A-299 [S]: a full log is usable again */
TEST_F(log_end, A299_clear_makes_a_full_log_usable)
{
	struct contents c;

	self->trid = limited_log(POSIX_TRACE_UNTIL_FULL, self->fd);
	record_and_flush(self->trid, self->u, 1, 2 * LOG_HOLDS, BATCH);
	EXPECT_EQ(POSIX_TRACE_FULL,
		  status_of(self->trid).posix_log_full_status);
	EXPECT_EQ(0, posix_trace_clear(self->trid));
	EXPECT_LOG_STATUS(POSIX_TRACE_NOT_FULL, POSIX_TRACE_NO_OVERRUN, 0,
			  self->trid);
	/* The log had suspended it. */
	EXPECT_EQ(POSIX_TRACE_SUSPENDED,
		  status_of(self->trid).posix_stream_status);
	EXPECT_EQ(0, posix_trace_start(self->trid));
	record_num(self->u, 7);
	c = contents_after(self->trid, self->fd);
	EXPECT_STREQ("SuT", c.story);
	EXPECT_NUMBERS(7, 7, c);
}

/* A-300 [C-34]: what is in an APPEND log stays, the rest is gone */
TEST_F(log_end, A300_clear_keeps_what_is_in_an_APPEND_log)
{
	struct contents c;

	self->trid = limited_log(POSIX_TRACE_APPEND, self->fd);
	record_and_flush(self->trid, self->u, 1, BATCH, BATCH);
	record_num(self->u, BATCH + 1);
	EXPECT_EQ(0, posix_trace_clear(self->trid));
	record_num(self->u, 1000);
	c = contents_after(self->trid, self->fd);
	EXPECT_STREQ("SufuT", c.story);
	EXPECT_EQ(1, c.first);
	EXPECT_EQ(BATCH + 1, c.users);
	EXPECT_EQ(1, c.holes);
	EXPECT_EQ(1000, c.last);
}

/* Names and the filter: as with any stream. */
TEST_F(log_end, names_survive_the_clear)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_id_t log;

	self->trid = limited_log(POSIX_TRACE_LOOP, self->fd);
	record_and_flush(self->trid, self->u, 1, BATCH, BATCH);
	EXPECT_EQ(0, posix_trace_clear(self->trid));
	EXPECT_EQ(0, posix_trace_shutdown(self->trid));
	log = opened(self->fd);
	EXPECT_EQ(0, posix_trace_eventid_get_name(log, self->u, name));
	EXPECT_STREQ("u", name);
}

/* A-305 [S]: 0, and the file is a log */
TEST_F(log_end, A305_log_is_valid_after_the_shutdown)
{
	struct contents c;

	self->trid = log_stream(NULL, self->fd);
	EXPECT_EQ(0, posix_trace_shutdown(self->trid));
	c = contents_of(self->fd);
	EXPECT_STREQ("", c.story);
	EXPECT_TRUE(c.info.posix_finished);
	EXPECT_EQ(getpid(), c.info.posix_target);
	EXPECT_EQ(getpid(), c.info.posix_owner);
}

/* A-311 [S]: the last event of a running stream is STOP with data 0 */
TEST_F(log_end, A311_log_of_a_running_stream_ends_with_STOP)
{
	self->trid = running_log(NULL, self->fd);
	record_num(self->u, 1);
	EXPECT_STREQ("SuT", contents_after(self->trid, self->fd).story);
}

/* A-311 [S]: also if the stream was full to the brim, which costs no event */
TEST_F(log_end, A311_full_LOOP_stream_loses_nothing_by_it)
{
	struct contents c;
	unsigned int last;

	self->trid = limited_log(POSIX_TRACE_LOOP, self->fd);
	last = fill(self->trid, self->u);
	c = contents_after(self->trid, self->fd);
	EXPECT_EQ(last, c.last);
	EXPECT_STREQ("ORuT", c.story);
	EXPECT_LE(SMALL, c.users);
}

/* A-312 [S]: a suspended stream gets no second STOP */
TEST_F(log_end, A312_log_of_a_stopped_stream_has_one_STOP)
{
	self->trid = running_log(NULL, self->fd);
	record_num(self->u, 1);
	EXPECT_EQ(0, posix_trace_stop(self->trid));
	EXPECT_STREQ("SuT", contents_after(self->trid, self->fd).story);
}

/* A-313 [S]: all that was not flushed is there */
TEST_F(log_end, A313_shutdown_writes_what_was_not_flushed)
{
	struct contents c;

	must(posix_trace_attr_init(&self->attr));
	must(posix_trace_attr_setstreamfullpolicy(&self->attr,
						  POSIX_TRACE_UNTIL_FULL));
	must(posix_trace_attr_setstreamsize(&self->attr, 4 << 20));
	must(posix_trace_attr_setlogfullpolicy(&self->attr,
					       POSIX_TRACE_APPEND));
	self->trid = running_log(&self->attr, self->fd);
	record_nums(self->u, 1, 50000);
	EXPECT_STATUS(POSIX_TRACE_RUNNING, POSIX_TRACE_NOT_FULL,
		      POSIX_TRACE_NO_OVERRUN, self->trid);
	c = contents_after(self->trid, self->fd);
	EXPECT_NUMBERS(1, 50000, c);
	EXPECT_STREQ("SuT", c.story);
}

/* A-318 [C-35]: the application's descriptor stays open */
TEST_F(log_end, A318_descriptor_stays_open)
{
	self->trid = running_log(NULL, self->fd);
	EXPECT_EQ(0, posix_trace_shutdown(self->trid));
	EXPECT_NE(-1, fcntl(self->fd, F_GETFD));
	EXPECT_EQ(1, pwrite(self->fd, "x", 1, file_size(self->fd)));
}

/* A-361 [S]: what is filtered is not in the log */
TEST_F(log_end, A361_filtered_events_are_not_in_the_log)
{
	trace_event_id_t v = open_event("v");
	struct contents c;

	self->trid = running_log(NULL, self->fd);
	filter_out(self->trid, v);
	record_num(v, 1);
	record_num(self->u, 2);
	c = contents_after(self->trid, self->fd);
	EXPECT_STREQ("SFuT", c.story);
	EXPECT_NUMBERS(2, 2, c);
}

#define MOUNT_POINT	LOG_FOLDER "/posixtrace-end"

/* Nothing holds the file any more, even if the application has closed it. */
TEST_F(log_end, file_system_can_be_unmounted_at_once)
{
	unsigned int i;
	int fd, err = 0;

	ASSERT_EQ(0, mkdir(MOUNT_POINT, 0700));
	for (i = 0; i < 20 && !err; i++) {
		if (mount("none", MOUNT_POINT, "tmpfs", 0, NULL))
			SKIP(return, "needs root");
		fd = open(MOUNT_POINT "/log", O_RDWR | O_CREAT | O_CLOEXEC,
			  0600);
		self->trid = running_log(NULL, fd);
		close(fd);
		record_num(self->u, i);
		EXPECT_EQ(0, posix_trace_shutdown(self->trid));
		err = umount(MOUNT_POINT);
		EXPECT_EQ(0, err);
	}
	umount2(MOUNT_POINT, MNT_DETACH);
	rmdir(MOUNT_POINT);
}

/* A controller with a log stream on itself; ends as it is told. */
static void make_events(int fd)
{
	trace_event_id_t u = open_event("u");
	trace_attr_t attr;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setstreamsize(&attr, 1 << 20));
	running_log(&attr, fd);
	record_nums(u, 1, 1000);
}

static int call_exit(const struct child *c, void *arg)
{
	make_events(*(int *)arg);
	exit(0);
}

static int call__exit(const struct child *c, void *arg)
{
	make_events(*(int *)arg);
	_exit(0);
}

static int after_exec(const struct child *c, const char *what)
{
	hand(c);
	await(c);
	return 0;
}

static int call_exec(const struct child *c, void *arg)
{
	make_events(*(int *)arg);
	exec_again(c, "ended");
	return 1;
}

#define EXPECT_COMPLETE(fd) do {					\
	struct contents seen_log = contents_of(fd);			\
									\
	EXPECT_TRUE(seen_log.info.posix_finished);			\
	EXPECT_NUMBERS(1, 1000, seen_log);				\
	EXPECT_STREQ("SuT", without_flushes(&seen_log));		\
} while (0)

/* A-450 [S]: a controller that returns from main leaves a complete log */
TEST_F(log_end, A450_log_is_complete_after_exit)
{
	EXPECT_EQ(0, in_child(call_exit, &self->fd));
	EXPECT_COMPLETE(self->fd);
}

/* A-449 [S]: one that calls _exit() does */
TEST_F(log_end, A449_log_is_complete_after__exit)
{
	EXPECT_EQ(0, in_child(call__exit, &self->fd));
	EXPECT_COMPLETE(self->fd);
}

/* A-446 [S]: one that executes another program does, as soon as that runs */
TEST_F(log_end, A446_log_is_complete_after_exec)
{
	struct child c;

	child_start(&c, call_exec, &self->fd);
	await(&c);
	EXPECT_COMPLETE(self->fd);
	hand(&c);
	EXPECT_EQ(0, child_end(&c));
}

static int exit_at_once(const struct child *c, void *arg)
{
	exit(0);
}

/* A-436 [S]: the end of a child of the controller does not end the stream */
TEST_F(log_end, A436_child_of_the_controller_ends_nothing)
{
	struct contents c;

	self->trid = running_log(NULL, self->fd);
	record_num(self->u, 1);
	EXPECT_EQ(0, in_child(exit_at_once, NULL));
	EXPECT_EQ(0, contents_of(self->fd).events);
	record_num(self->u, 2);
	c = contents_after(self->trid, self->fd);
	EXPECT_STREQ("SuT", c.story);
	EXPECT_NUMBERS(1, 2, c);
}

TEST_HARNESS_MAIN
