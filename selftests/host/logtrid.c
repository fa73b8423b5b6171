// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pre-recorded streams and the process: descriptors, forks, threads, stale
 * trids, cancellation. And logs that are not finished, or copied.
 */
#include "log_test.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include "kselftest_harness.h"

#define EVENTS	40

FIXTURE(logtrid) {
	struct log_writer *w;
	int fd;
	trace_id_t trid;
};

FIXTURE_SETUP(logtrid)
{
	static const struct posixtrace_status status = { .recorded = EVENTS };

	closefrom(3);	/* what was inherited */
	self->w = log_begin(POSIXTRACE_POLICY_APPEND, 0);
	log_add_users(self->w);
	log_add(self->w, 10);
	log_add(self->w, EVENTS - 10);
	log_finish(self->w, &status);
	self->fd = log_writer_file(self->w);
	errno = 77;
	ASSERT_EQ(0, posix_trace_open(self->fd, &self->trid));
}

/* C-59: whatever happened, errno is as it was. */
FIXTURE_TEARDOWN(logtrid)
{
	EXPECT_EQ(77, errno);
	free(self->w);
}

static int count_fds(void)
{
	int fd, n = 0;

	for (fd = 3; fd < 1024; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	errno = 77;
	return n;
}

/* A-344 [C-46]: wherever the descriptor is, and it stays there */
TEST_F(logtrid, A344_does_not_use_or_move_the_offset)
{
	struct posix_trace_log_info_np info;
	struct log_sum sum;

	EXPECT_EQ(self->w->size, lseek(self->fd, 0, SEEK_END));
	sum = log_read_file(self->fd, EVENTS, &info);
	EXPECT_EQ(0, sum.err);
	EXPECT_EQ(EVENTS, sum.events);
	EXPECT_EQ(self->w->size, lseek(self->fd, 0, SEEK_CUR));
	EXPECT_EQ(17, lseek(self->fd, 17, SEEK_SET));
	EXPECT_EQ(EVENTS, log_read(self->trid, EVENTS).events);
	EXPECT_EQ(17, lseek(self->fd, 0, SEEK_CUR));
}

/* A-343 [S]: a copy is as good */
TEST_F(logtrid, A343_reads_a_copy)
{
	char path[] = "/tmp/posixtrace-log.XXXXXX";
	int fd = mkstemp(path);

	ASSERT_LE(0, fd);
	unlink(path);
	ASSERT_EQ(self->w->size, write(fd, self->w->bytes, self->w->size));
	EXPECT_EQ(EVENTS, log_read_file(fd, EVENTS, NULL).events);
	errno = 77;
}

/* C-15: a log without an end, as of a machine that died */
TEST_F(logtrid, reads_an_unfinished_log)
{
	struct posix_trace_status_info status;
	struct posix_trace_log_info_np info;
	struct log_writer *w = log_begin(POSIXTRACE_POLICY_LOOP, 1000);
	trace_id_t trid;
	int round;

	log_add_users(w);
	for (round = 0; round < 2; round++) {
		log_add(w, round ? 100 : 5);
		ASSERT_EQ(0, posix_trace_open(log_writer_file(w), &trid));
		EXPECT_EQ(round ? w->next - 1 : 4,
			  log_read(trid, w->next).last);
		ASSERT_EQ(0, posix_trace_get_log_info_np(trid, &info));
		EXPECT_EQ(0, info.posix_finished);
		EXPECT_EQ(0, info.posix_counters.posix_recorded);
		ASSERT_EQ(0, posix_trace_get_status(trid, &status));
		EXPECT_EQ(POSIX_TRACE_SUSPENDED, status.posix_stream_status);
		EXPECT_EQ(0, status.posix_stream_flush_error);
		/* A ring that went round once is full, and has lost events. */
		EXPECT_EQ(round, status.posix_log_full_status);
		EXPECT_EQ(round, status.posix_log_overrun_status);
		EXPECT_EQ(0, posix_trace_close(trid));
	}
	free(w);
}

TEST_F(logtrid, tells_what_the_log_is)
{
	struct posix_trace_log_info_np info;

	memset(&info, 0xff, sizeof(info));
	ASSERT_EQ(0, posix_trace_get_log_info_np(self->trid, &info));
	EXPECT_NE(0, info.posix_finished);
	EXPECT_EQ(1234, info.posix_target);
	EXPECT_EQ(4321, info.posix_owner);
	EXPECT_EQ(2, info.posix_blocks);
	EXPECT_EQ(0, info.posix_damaged);
	EXPECT_EQ(0, info.posix_missing);
	EXPECT_EQ(EVENTS, info.posix_counters.posix_recorded);
	EXPECT_EQ(EINVAL, posix_trace_get_log_info_np(self->trid, NULL));
	EXPECT_EQ(EINVAL, posix_trace_get_log_info_np(self->trid + 1, &info));
	EXPECT_EQ(EINVAL, posix_trace_get_log_info_np(5, &info));
}

/* Two descriptors: the test's, and one that is high and close-on-exec. */
TEST_F(logtrid, keeps_one_high_descriptor)
{
	int fd;

	EXPECT_EQ(2, count_fds());
	for (fd = 1023; fcntl(fd, F_GETFD) < 0; fd--)
		;
	EXPECT_LE(512, fd);
	EXPECT_EQ(FD_CLOEXEC, fcntl(fd, F_GETFD));
	EXPECT_EQ(0, posix_trace_close(self->trid));
	EXPECT_EQ(1, count_fds());
}

/* Whoever closes all descriptors gets no events, and loses no others. */
TEST_F(logtrid, closes_no_descriptor_but_its_own)
{
	struct posix_trace_log_info_np info;
	int fd;

	closefrom(3);
	for (fd = 3; fd < 1024; fd++)
		ASSERT_EQ(fd, open("/dev/zero", O_RDONLY));
	EXPECT_EQ(0, log_read(self->trid, EVENTS).events);
	EXPECT_EQ(0, posix_trace_get_log_info_np(self->trid, &info));
	EXPECT_EQ(2, info.posix_damaged);
	EXPECT_EQ(0, posix_trace_close(self->trid));
	EXPECT_EQ(1021, count_fds());
	closefrom(3);
}

TEST_F(logtrid, leaves_nothing_behind_when_it_fails)
{
	struct rlimit limit = { 5, 5 };
	trace_id_t trid;
	int i;

	ftruncate(self->fd, 100);
	for (i = 0; i < 2000; i++)
		EXPECT_EQ(EINVAL, posix_trace_open(self->fd, &trid));
	EXPECT_EQ(2, count_fds());
	pwrite(self->fd, self->w->bytes, self->w->size, 0);
	EXPECT_EQ(0, posix_trace_close(self->trid));
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
	ASSERT_EQ(4, dup(self->fd));
	EXPECT_EQ(EMFILE, posix_trace_open(self->fd, &trid));
	close(4);
	EXPECT_EQ(0, posix_trace_open(self->fd, &trid));
	EXPECT_EQ(EVENTS, log_read(trid, EVENTS).events);
}

/* Without /proc there is no second descriptor that shares nothing. */
TEST_F(logtrid, does_without_proc)
{
	char path[] = "/tmp/posixtrace-root.XXXXXX";
	trace_id_t trid;

	ASSERT_NE(NULL, mkdtemp(path));
	if (chroot(path) && (unshare(CLONE_NEWUSER) || chroot(path))) {
		rmdir(path);
		errno = 77;
		SKIP(return, "chroot is not allowed");
	}
	EXPECT_EQ(5, lseek(self->fd, 5, SEEK_SET));
	ASSERT_EQ(0, posix_trace_open(self->fd, &trid));
	EXPECT_EQ(3, count_fds());
	EXPECT_EQ(EVENTS, log_read(trid, EVENTS).events);
	EXPECT_EQ(0, posix_trace_close(trid));
	EXPECT_EQ(5, lseek(self->fd, 0, SEEK_CUR));
	EXPECT_EQ(2, count_fds());
	rmdir(path);
	errno = 77;
}

/* A trid that was closed never comes back, though its place is used again. */
TEST_F(logtrid, gives_no_trid_out_twice)
{
	trace_id_t trid, last = self->trid;
	int i;

	for (i = 0; i < 100; i++) {
		EXPECT_EQ(0, posix_trace_close(last));
		ASSERT_EQ(0, posix_trace_open(self->fd, &trid));
		EXPECT_NE(self->trid, trid);
		EXPECT_EQ(EINVAL, posix_trace_rewind(self->trid));
		EXPECT_EQ(EINVAL, posix_trace_rewind(last));
		last = trid;
	}
}

TEST_F(logtrid, reads_many_logs_at_once)
{
	trace_id_t trids[200];
	int i, k;

	for (i = 0; i < 200; i++)
		ASSERT_EQ(0, posix_trace_open(self->fd, &trids[i]));
	for (i = 0; i < 200; i += 2)
		EXPECT_EQ(0, posix_trace_close(trids[i]));
	for (i = 0; i < 200; i++) {
		for (k = i + 1; k < 200; k++)
			EXPECT_NE(trids[i], trids[k]);
		EXPECT_EQ(i % 2 ? EVENTS : 0,
			  log_read(trids[i], EVENTS).events);
	}
}

/* What a child finds: its parent's trids are not its own (C-45). */
static int child(trace_id_t parents, int fd)
{
	trace_id_t trid;

	if (posix_trace_rewind(parents) != EINVAL ||
	    posix_trace_close(parents) != EINVAL)
		return 1;
	if (posix_trace_open(fd, &trid) || trid == parents)
		return 2;
	if (posix_trace_rewind(parents) != EINVAL)
		return 3;
	if (log_read(trid, EVENTS).events != EVENTS || posix_trace_close(trid))
		return 4;
	return 0;
}

static int run_child(trace_id_t parents, int fd)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(child(parents, fd));
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ?
	       WEXITSTATUS(status) : -1;
}

TEST_F(logtrid, is_not_valid_in_a_child)
{
	EXPECT_EQ(0, run_child(self->trid, self->fd));
	EXPECT_EQ(EVENTS, log_read(self->trid, EVENTS).events);
	EXPECT_EQ(0, run_child(self->trid, self->fd));
	EXPECT_EQ(0, posix_trace_close(self->trid));
}

static atomic_bool quit;

struct reader_thread {
	pthread_t thread;
	trace_id_t trid;
	int fd;
	__u64 events;
};

/* Opens, reads, closes. */
static void *churn(void *arg)
{
	struct reader_thread *r = arg;

	while (!quit)
		if (log_read_file(r->fd, EVENTS, NULL).events == EVENTS)
			r->events++;
		else
			abort();
	return NULL;
}

/* No lock that another thread holds at a fork stays held in the child. */
TEST_F(logtrid, works_in_children_of_threads)
{
	struct reader_thread threads[3];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(threads); i++) {
		threads[i].fd = self->fd;
		threads[i].events = 0;
		pthread_create(&threads[i].thread, NULL, churn, &threads[i]);
	}
	for (i = 0; i < 100; i++) {
		int status, err;
		pid_t pid = fork();

		if (!pid)	/* no memory may be asked for here */
			_exit(posix_trace_rewind(self->trid) != EINVAL);
		waitpid(pid, &status, 0);
		err = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
		EXPECT_EQ(0, err);
	}
	quit = true;
	for (i = 0; i < ARRAY_SIZE(threads); i++) {
		pthread_join(threads[i].thread, NULL);
		EXPECT_LT(0, threads[i].events);
	}
}

static void *read_one(void *arg)
{
	struct posix_trace_event_info event;
	struct reader_thread *r = arg;
	int none = 0, err = 0;
	char data[64];
	size_t len;

	while (!none && !err) {
		err = posix_trace_getnext_event(r->trid, &event, data,
						sizeof(data), &len, &none);
		if (!err && !none)
			r->events += log_number(&event, data, len) < 20000;
	}
	return NULL;
}

/* C-57: threads that read one stream get each event once. */
TEST_F(logtrid, threads_share_a_stream)
{
	struct reader_thread threads[4];
	__u64 i, events = 0;
	struct log_writer *w = log_begin(POSIXTRACE_POLICY_APPEND, 0);

	for (i = 0; i < 100; i++)
		log_add(w, 90);
	ASSERT_EQ(0, posix_trace_open(log_writer_file(w), &self->trid));
	for (i = 0; i < ARRAY_SIZE(threads); i++) {
		threads[i].trid = self->trid;
		threads[i].events = 0;
		pthread_create(&threads[i].thread, NULL, read_one, &threads[i]);
	}
	for (i = 0; i < ARRAY_SIZE(threads); i++) {
		pthread_join(threads[i].thread, NULL);
		events += threads[i].events;
	}
	EXPECT_EQ(9000, events);
	free(w);
}

static void *read_and_rewind(void *arg)
{
	struct reader_thread *r = arg;

	while (!posix_trace_rewind(r->trid))
		read_one(r);
	return NULL;
}

/* Closing under a reader ends its reading, and nothing else. */
TEST_F(logtrid, is_closed_under_its_readers)
{
	struct reader_thread threads[3];
	size_t i, round;

	for (round = 0; round < 20; round++) {
		ASSERT_EQ(0, posix_trace_open(self->fd, &self->trid));
		for (i = 0; i < ARRAY_SIZE(threads); i++) {
			threads[i].trid = self->trid;
			pthread_create(&threads[i].thread, NULL,
				       read_and_rewind, &threads[i]);
		}
		usleep(2000);
		EXPECT_EQ(0, posix_trace_close(self->trid));
		for (i = 0; i < ARRAY_SIZE(threads); i++)
			pthread_join(threads[i].thread, NULL);
	}
	EXPECT_EQ(3, count_fds() + 1);
}

static void *call_with_cancel_pending(void *arg)
{
	struct posix_trace_log_info_np info;
	struct posix_trace_status_info status;
	struct posix_trace_event_info event;
	struct reader_thread *r = arg;
	trace_id_t trid;
	size_t len;
	int none;

	pthread_cancel(pthread_self());
	if (!posix_trace_open(r->fd, &trid) && !posix_trace_rewind(trid) &&
	    !posix_trace_get_status(trid, &status) &&
	    !posix_trace_get_log_info_np(trid, &info) &&
	    !posix_trace_close(trid))
		r->events = 1;
	posix_trace_getnext_event(r->trid, &event, NULL, 0, &len, &none);
	r->events = 2;
	return NULL;
}

/* C-67: getnext is a cancellation point, the others are not. */
TEST_F(logtrid, is_cancelled_where_it_may_be)
{
	struct reader_thread r = { .trid = self->trid, .fd = self->fd };
	void *result;

	pthread_create(&r.thread, NULL, call_with_cancel_pending, &r);
	pthread_join(r.thread, &result);
	EXPECT_EQ(PTHREAD_CANCELED, result);
	EXPECT_EQ(1, r.events);
	EXPECT_EQ(EVENTS, log_read(self->trid, EVENTS).events);
}

TEST_HARNESS_MAIN
