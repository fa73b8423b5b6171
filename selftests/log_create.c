// SPDX-License-Identifier: GPL-2.0-only
/*
 * posix_trace_create_withlog() (assertions ).
 * Errors of writing to the file are in log_error.c.
 */
#include "withlog_test.h"

#include <sys/mman.h>
#include <sys/socket.h>

#define BIG	(300 * 1024)	/* bytes of old content, more than a log takes */

static const int log_policies[] = {
	POSIX_TRACE_LOOP, POSIX_TRACE_UNTIL_FULL, POSIX_TRACE_APPEND,
};

FIXTURE(log_create) {
	trace_event_id_t u;
	int fd;
	trace_id_t trid;
};

FIXTURE_SETUP(log_create)
{
	self->u = open_event("u");
	self->fd = log_file();
}

FIXTURE_TEARDOWN(log_create)
{
}

static int try_fd(int fd)
{
	trace_id_t trid;
	int err = posix_trace_create_withlog(0, NULL, fd, &trid);

	if (!err)
		must(posix_trace_shutdown(trid));
	return err;
}

/* The same for each of the log policies; what they agree on, or -1. */
static int try_fd_with_all_policies(int fd)
{
	int err = -1, last = -1;
	trace_attr_t attr;
	trace_id_t trid;
	size_t i;

	must(posix_trace_attr_init(&attr));
	for (i = 0; i < ARRAY_SIZE(log_policies); i++) {
		must(posix_trace_attr_setlogfullpolicy(&attr, log_policies[i]));
		err = posix_trace_create_withlog(0, &attr, fd, &trid);
		if (!err)
			must(posix_trace_shutdown(trid));
		if (i && err != last)
			return -1;
		last = err;
	}
	return err;
}

static void get_policies(trace_id_t trid, int *stream, int *log)
{
	trace_attr_t attr;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_get_attr(trid, &attr));
	must(posix_trace_attr_getstreamfullpolicy(&attr, stream));
	must(posix_trace_attr_getlogfullpolicy(&attr, log));
}

/* A-086 [S]: a file that is open for writing only suffices */
TEST_F(log_create, A086_write_only_file_will_do)
{
	int fd = reopen(self->fd, O_WRONLY);

	EXPECT_EQ(0, posix_trace_create_withlog(0, NULL, fd, &self->trid));
	EXPECT_EQ(0, posix_trace_start(self->trid));
	record_num(self->u, 1);
	EXPECT_STREQ("SuT", contents_after(self->trid, self->fd).story);
}

/* A-087 [S]: the defaults are FLUSH for the stream, LOOP for the log */
TEST_F(log_create, A087_default_policies_with_a_log)
{
	int stream, log;

	get_policies(log_stream(NULL, self->fd), &stream, &log);
	EXPECT_EQ(POSIX_TRACE_FLUSH, stream);
	EXPECT_EQ(POSIX_TRACE_LOOP, log);
}

/* A-088 [S]: the same with an object that was initialized and no more */
TEST_F(log_create, A088_default_policies_of_an_initialized_object)
{
	int stream, log;
	trace_attr_t attr;

	must(posix_trace_attr_init(&attr));
	get_policies(log_stream(&attr, self->fd), &stream, &log);
	EXPECT_EQ(POSIX_TRACE_FLUSH, stream);
	EXPECT_EQ(POSIX_TRACE_LOOP, log);
}

/* A-089 [C-17]: LOOP that was set is LOOP */
TEST_F(log_create, A089_policy_that_was_set_stays)
{
	int stream, log;
	trace_attr_t attr;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setstreamfullpolicy(&attr, POSIX_TRACE_LOOP));
	get_policies(log_stream(&attr, self->fd), &stream, &log);
	EXPECT_EQ(POSIX_TRACE_LOOP, stream);
}

/* A-091 [S]: EBADF for -1 */
TEST_F(log_create, A091_no_descriptor_is_EBADF)
{
	EXPECT_EQ(EBADF, try_fd(-1));
	EXPECT_EQ(EBADF, try_fd(INT_MAX));
	EXPECT_EQ(EBADF, try_fd(INT_MIN));
}

/* A-092 [S]: EBADF for a descriptor that was closed */
TEST_F(log_create, A092_closed_descriptor_is_EBADF)
{
	int fd = dup(self->fd);

	EXPECT_EQ(0, close(fd));
	EXPECT_EQ(EBADF, try_fd(fd));
}

/* A-093 [S]: EBADF for a descriptor that can't be written to */
TEST_F(log_create, A093_read_only_descriptor_is_EBADF)
{
	EXPECT_EQ(EBADF, try_fd(reopen(self->fd, O_RDONLY)));
	EXPECT_EQ(EBADF, try_fd(reopen(self->fd, O_PATH)));
	EXPECT_EQ(EBADF, try_fd(open("/", O_RDONLY | O_DIRECTORY)));
}

/* A-094 [C-12]: a pipe is no log, whatever the policy */
TEST_F(log_create, A094_pipe_is_EINVAL)
{
	int ends[2];

	ASSERT_EQ(0, pipe(ends));
	EXPECT_EQ(EINVAL, try_fd_with_all_policies(ends[1]));
	EXPECT_EQ(EBADF, try_fd(ends[0]));
	ASSERT_EQ(0, mkfifo(LOG_FOLDER "/posixtrace-fifo", 0600));
	EXPECT_EQ(EINVAL, try_fd_with_all_policies(open(LOG_FOLDER
							"/posixtrace-fifo",
							O_RDWR)));
	EXPECT_EQ(0, unlink(LOG_FOLDER "/posixtrace-fifo"));
}

/* A-095 [C-12]: nor is a socket, a terminal or another device */
TEST_F(log_create, A095_socket_and_devices_are_EINVAL)
{
	int ends[2], terminal = posix_openpt(O_RDWR | O_NOCTTY);

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	EXPECT_EQ(EINVAL, try_fd_with_all_policies(ends[0]));
	EXPECT_EQ(EINVAL, try_fd_with_all_policies(open("/dev/null", O_RDWR)));
	EXPECT_EQ(EINVAL, try_fd_with_all_policies(open("/dev/posixtrace",
							O_RDWR)));
	if (terminal >= 0)
		EXPECT_EQ(EINVAL, try_fd_with_all_policies(terminal));
}

/* Opens one of the kernel's own files for writing; -1: there is none. */
static int kernel_file(const char *path)
{
	return open(path, O_RDWR | O_CLOEXEC);
}

/* [C-12]: nor are files that take what is written to them for a command */
TEST_F(log_create, files_of_the_kernel_are_EINVAL)
{
	static const char * const paths[] = {
		"/proc/self/comm", "/proc/self/oom_score_adj",
		"/proc/sys/kernel/hostname", "/sys/kernel/profiling",
		"/sys/module/posixtrace/parameters/sys_max",
		"/sys/fs/cgroup/cgroup.procs",
		"/sys/fs/cgroup/cgroup.subtree_control",
		"/sys/kernel/tracing/set_event",
		"/sys/kernel/tracing/trace_marker",
		"/sys/kernel/debug/sched/preempt",
	};
	unsigned int i, tried = 0;
	int fd;

	for (i = 0; i < ARRAY_SIZE(paths); i++) {
		fd = kernel_file(paths[i]);
		if (fd < 0)
			continue;
		tried++;
		EXPECT_EQ(EINVAL, try_fd(fd)) TH_LOG("%s", paths[i]);
		close(fd);
	}
	EXPECT_LE(2, tried);
}

/* A-096 [C-12]: nor is a file that is open for appending */
TEST_F(log_create, A096_appending_descriptor_is_EINVAL)
{
	EXPECT_EQ(EINVAL, try_fd_with_all_policies(reopen(self->fd, O_WRONLY |
							  O_APPEND)));
}

/* Positions of blocks count, even if O_APPEND is set later. */
TEST_F(log_create, O_APPEND_set_later_does_no_harm)
{
	struct contents c;

	self->trid = running_log(NULL, self->fd);
	record_num(self->u, 1);
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_APPEND));
	record_and_flush(self->trid, self->u, 2, 9, 2);
	c = contents_after(self->trid, self->fd);
	EXPECT_NUMBERS(1, 9, c);
	EXPECT_TRUE(c.info.posix_finished);
}

/* Nor does O_DIRECT, which has rules of its own on addresses and sizes. */
TEST_F(log_create, O_DIRECT_set_later_does_no_harm)
{
	struct contents c;

	self->trid = running_log(NULL, self->fd);
	record_num(self->u, 1);
	if (fcntl(self->fd, F_SETFL, O_DIRECT))
		SKIP(return, "this file system has no O_DIRECT");
	record_and_flush(self->trid, self->u, 2, 9, 2);
	c = contents_after(self->trid, self->fd);
	EXPECT_NUMBERS(1, 9, c);
	EXPECT_TRUE(c.info.posix_finished);
}

static pid_t gone_pid(void)
{
	pid_t pid = fork();

	must_be(pid >= 0);
	if (!pid)
		_exit(0);
	must_be(waitpid(pid, NULL, 0) == pid);
	return pid;
}

/* A-098 [S]: ESRCH if the process does not exist; the file stays as it was */
TEST_F(log_create, A098_process_that_is_gone_is_ESRCH)
{
	write_letters(self->fd, BIG);
	EXPECT_EQ(ESRCH, posix_trace_create_withlog(gone_pid(), NULL, self->fd,
						    &self->trid));
	EXPECT_EQ(ESRCH, posix_trace_create_withlog(-1, NULL, self->fd,
						    &self->trid));
	EXPECT_TRUE(has_only_letters(self->fd, BIG));
}

struct attempt {
	int fd;
	pid_t pid;
};

static int create_as_user(const struct child *c, void *arg)
{
	const struct attempt *attempt = arg;
	trace_id_t trid;

	must(become_user(1000));
	return posix_trace_create_withlog(attempt->pid, NULL, attempt->fd,
					  &trid);
}

/* A-099 [S]: EPERM for a process of somebody else; the file stays as it was */
TEST_F(log_create, A099_process_of_another_user_is_EPERM)
{
	struct attempt attempt = { .fd = self->fd, .pid = getpid() };

	if (geteuid())
		SKIP(return, "needs root");
	write_letters(self->fd, BIG);
	EXPECT_EQ(EPERM, in_child(create_as_user, &attempt));
	EXPECT_TRUE(has_only_letters(self->fd, BIG));
}

/* The file is written with the rights of whoever opened it, not our own. */
TEST_F(log_create, user_writes_the_log_that_root_opened_for_it)
{
	struct attempt attempt = { .fd = self->fd, .pid = 0 };

	if (geteuid())
		SKIP(return, "needs root");
	ASSERT_EQ(0, fchmod(self->fd, 0));
	EXPECT_EQ(0, in_child(create_as_user, &attempt));
	EXPECT_TRUE(contents_of(self->fd).info.posix_finished);
}

/* A-100 [S]: EAGAIN when there are as many streams as there can be */
TEST_F(log_create, A100_too_many_streams_is_EAGAIN)
{
	struct rlimit limit = { 4096, 4096 };
	long i, max = sysconf(_SC_TRACE_SYS_MAX);
	trace_attr_t attr;
	trace_id_t first;

	must_be(!setrlimit(RLIMIT_NOFILE, &limit) || max < 500);
	small_attr(&attr, 0, 1, 1);
	first = self_stream(&attr);
	for (i = 1; i < max; i++)
		self_stream(&attr);
	write_letters(self->fd, BIG);
	EXPECT_EQ(EAGAIN, posix_trace_create_withlog(0, NULL, self->fd,
						     &self->trid));
	EXPECT_TRUE(has_only_letters(self->fd, BIG));
	EXPECT_EQ(0, posix_trace_shutdown(first));
	EXPECT_EQ(0, posix_trace_create_withlog(0, &attr, self->fd,
						&self->trid));
}

/* A-101 [S]: any stream policy goes with any log policy */
TEST_F(log_create, A101_all_policies_go_together)
{
	static const int policies[] = {
		POSIX_TRACE_LOOP, POSIX_TRACE_UNTIL_FULL, POSIX_TRACE_FLUSH,
	};
	int stream, log;
	trace_attr_t attr;
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(policies); i++) {
		for (j = 0; j < ARRAY_SIZE(log_policies); j++) {
			log_attr(&attr, policies[i], 8, log_policies[j], 0);
			EXPECT_EQ(0, posix_trace_create_withlog(0, &attr,
								self->fd,
								&self->trid));
			get_policies(self->trid, &stream, &log);
			EXPECT_EQ(policies[i], stream);
			EXPECT_EQ(log_policies[j], log);
			EXPECT_EQ(0, posix_trace_shutdown(self->trid));
		}
	}
}

/* A-102 [S]: status of a new stream with a log */
TEST_F(log_create, A102_new_log_stream_is_suspended_and_empty)
{
	struct posix_trace_status_info info;

	self->trid = log_stream(NULL, self->fd);
	info = status_of(self->trid);
	EXPECT_EQ(POSIX_TRACE_SUSPENDED, info.posix_stream_status);
	EXPECT_EQ(POSIX_TRACE_NOT_FULL, info.posix_stream_full_status);
	EXPECT_EQ(POSIX_TRACE_NO_OVERRUN, info.posix_stream_overrun_status);
	EXPECT_EQ(POSIX_TRACE_NOT_FLUSHING, info.posix_stream_flush_status);
	EXPECT_EQ(0, info.posix_stream_flush_error);
	EXPECT_EQ(POSIX_TRACE_NO_OVERRUN, info.posix_log_overrun_status);
	EXPECT_EQ(POSIX_TRACE_NOT_FULL, info.posix_log_full_status);
	record_num(self->u, 1);
	EXPECT_STREQ("", contents_after(self->trid, self->fd).story);
}

/* A-103 [C-46]: old content of the file is no part of the log */
TEST_F(log_create, A103_old_content_is_not_read)
{
	struct contents c;

	write_letters(self->fd, BIG);
	self->trid = running_log(NULL, self->fd);
	record_num(self->u, 1);
	c = contents_after(self->trid, self->fd);
	EXPECT_STREQ("SuT", c.story);
	EXPECT_NUMBERS(1, 1, c);
	EXPECT_GT(BIG, file_size(self->fd));
}

/* A log whose blocks hold the numbers from 1000 on, more than the next one. */
static void write_old_log(int fd, trace_event_id_t id, int policy)
{
	trace_attr_t attr;
	trace_id_t trid;

	log_attr(&attr, POSIX_TRACE_LOOP, 100, policy, 0);
	trid = running_log(&attr, fd);
	record_and_flush(trid, id, 1000, 1999, 50);
	must(posix_trace_shutdown(trid));
}

/* A-103 [C-46]: also if it is an older log, whatever its policy was */
TEST_F(log_create, A103_older_log_is_not_read)
{
	struct contents c;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(log_policies); i++) {
		write_old_log(self->fd, self->u, log_policies[i]);
		EXPECT_EQ(1999, contents_of(self->fd).last);
		self->trid = running_log(NULL, self->fd);
		/* Its start is overwritten at once: nothing of it is left. */
		EXPECT_STREQ("", contents_of(self->fd).story);
		EXPECT_FALSE(contents_of(self->fd).info.posix_finished);
		record_num(self->u, 1);
		EXPECT_EQ(0, posix_trace_flush(self->trid));
		EXPECT_STREQ("Suf", contents_of(self->fd).story);
		record_num(self->u, 2);
		c = contents_after(self->trid, self->fd);
		EXPECT_NUMBERS(1, 2, c);
		EXPECT_TRUE(c.info.posix_finished);
	}
}

/* A-104 [C-46]: the descriptor's offset is neither used nor moved */
TEST_F(log_create, A104_offset_of_the_descriptor_does_not_matter)
{
	ASSERT_EQ(1000, lseek(self->fd, 1000, SEEK_SET));
	self->trid = running_log(NULL, self->fd);
	record_num(self->u, 1);
	EXPECT_STREQ("SuT", contents_after(self->trid, self->fd).story);
	EXPECT_EQ(1000, lseek(self->fd, 0, SEEK_CUR));
}

/* A-105 [S]: a file may be preallocated */
TEST_F(log_create, A105_preallocated_file_will_do)
{
	struct contents c;

	ASSERT_EQ(0, posix_fallocate(self->fd, 0, BIG));
	self->trid = running_log(NULL, self->fd);
	record_and_flush(self->trid, self->u, 1, 100, 30);
	c = contents_after(self->trid, self->fd);
	EXPECT_NUMBERS(1, 100, c);
	EXPECT_TRUE(c.info.posix_finished);
}

/* A file in memory can be one, too. */
TEST_F(log_create, memfd_will_do)
{
	int fd = memfd_create("log", MFD_CLOEXEC);
	struct contents c;

	self->trid = running_log(NULL, fd);
	record_num(self->u, 1);
	c = contents_after(self->trid, fd);
	EXPECT_NUMBERS(1, 1, c);
}

/* The application may close its descriptor at once. */
TEST_F(log_create, descriptor_may_be_closed)
{
	int fd = dup(self->fd);
	struct contents c;

	self->trid = running_log(NULL, fd);
	ASSERT_EQ(0, close(fd));
	record_num(self->u, 1);
	c = contents_after(self->trid, self->fd);
	EXPECT_NUMBERS(1, 1, c);
}

static int use_trid(const struct child *c, void *arg)
{
	trace_id_t trid = *(trace_id_t *)arg;

	if (posix_trace_flush(trid) != EINVAL)
		return 1;
	if (posix_trace_start(trid) != EINVAL)
		return 2;
	return posix_trace_shutdown(trid) != EINVAL ? 3 : 0;
}

/* The remains of an older file are cut off at the end, unless that must wait. */
TEST_F(log_create, lease_on_the_file_delays_nothing)
{
	long long before;

	write_letters(self->fd, BIG);
	self->trid = running_log(NULL, self->fd);
	signal(SIGIO, SIG_IGN);
	if (fcntl(self->fd, F_SETLEASE, F_WRLCK))
		SKIP(return, "this file system has no leases");
	before = now_ms();
	EXPECT_EQ(0, posix_trace_shutdown(self->trid));
	/* Less than /proc/sys/fs/lease-break-time. */
	EXPECT_GT(20000, now_ms() - before);
}

/* A-106 [S]: a child can't use the trid of its parent */
TEST_F(log_create, A106_child_can_not_use_the_trid_of_its_parent)
{
	self->trid = log_stream(NULL, self->fd);
	EXPECT_EQ(0, in_child(use_trid, &self->trid));
	EXPECT_EQ(POSIX_TRACE_SUSPENDED,
		  status_of(self->trid).posix_stream_status);
	EXPECT_EQ(0, posix_trace_start(self->trid));
	EXPECT_STREQ("ST", contents_after(self->trid, self->fd).story);
}

TEST_HARNESS_MAIN
