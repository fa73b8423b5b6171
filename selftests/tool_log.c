// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command posixtrace, as its user sees it: record, and what print and info
 * make of the log.
 */
#include "terminal_test.h"
#include "tool_test.h"

#include "json_check.h"

#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>

#define FOLDER	"/tmp/posixtrace-tool-log"
#define LOG	FOLDER "/log"

FIXTURE(tool_log) {
	struct tool *t;
	struct child target;
};

/* A folder of alice's, empty, on a file system of this test. */
static void make_folder(const char *options)
{
	must_be(!mkdir(FOLDER, 0755) || errno == EEXIST);
	must_be(!unshare(CLONE_NEWNS));
	must_be(!mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL));
	must_be(!mount("none", FOLDER, "tmpfs", 0, options));
}

FIXTURE_SETUP(tool_log)
{
	if (geteuid())
		SKIP(return, "needs root");
	make_folder("uid=1000,mode=0755");
	self->t = setup(&self->target);
}

FIXTURE_TEARDOWN(tool_log)
{
	free(self->t);
}

/* Record what the target does, as its owner, with more options. */
#define record(options) do {						\
	tool_start(self->t, ALICE, "record -p %d -o " LOG " " options,	\
		   self->target.pid);					\
	tool_await(self->t, "recording ");				\
} while (0)

#define print(options) \
	tool_run(self->t, ALICE, "print " options " " LOG)
#define info() \
	tool_run(self->t, ALICE, "info " LOG)

/* Have the target record events until the tool ends: its exit status. */
static int tick_to_the_end(struct tool *t, struct child *target)
{
	siginfo_t info = { .si_pid = 0 };
	int i;

	for (i = 0; i < 50 && !info.si_pid; i++) {
		order(target, TICK_MANY, "");
		must_be(!waitid(P_PID, t->pid, &info,
				WEXITED | WNOHANG | WNOWAIT));
	}
	return tool_end(t);
}

static bool exists(const char *path)
{
	return !access(path, F_OK);
}

/* Events of the traced process are in the log; standard output is not ours. */
TEST_F(tool_log, records_what_a_process_does)
{
	char line[64];

	record("");
	order(&self->target, TICK, "beat 17");
	order(&self->target, OPEN_NOTHING, "");
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_STREQ("", self->t->out_text);

	EXPECT_EQ(0, print(""));
	snprintf(line, sizeof(line), " %d/%d ", self->target.pid,
		 self->target.pid);
	EXPECT_TEXT(self->t->out_text, line);
	EXPECT_TEXT(self->t->out_text, " tick: \"beat 17\"\n");
	EXPECT_TEXT(self->t->out_text,
		    " openat = -1 ENOENT (No such file or directory)\n");
	EXPECT_NO_TEXT(self->t->out_text, "posix_trace");
	EXPECT_STREQ("", self->t->err_text);

	EXPECT_EQ(0, print("--json -e user"));
	EXPECT_EQ(1, count_json_lines(self->t->out_text));
	EXPECT_TEXT(self->t->out_text, ",\"text\":\"beat 17\"}\n");
}

/* In a pipe there are two lines: what it does, and what it has done. */
TEST_F(tool_log, tells_what_it_has_recorded)
{
	char line[256];
	struct stat st;

	record("-e user");
	order(&self->target, TICK, "x");
	pause_ms(600);
	EXPECT_EQ(0, tool_interrupt(self->t));
	must_be(!stat(LOG, &st));
	snprintf(line, sizeof(line),
		 "posixtrace: recording %d (tool_log); Ctrl-C ends it\nposixtrace: 1 events recorded, 0 lost; %lld bytes in "
		 LOG "\n", self->target.pid, (long long)st.st_size);
	EXPECT_STREQ(line, self->t->err_text);
	EXPECT_EQ(0600, st.st_mode & 0777);
	EXPECT_EQ(ALICE, st.st_uid);
}

/* What was recorded is in the log, all of it, whatever the stream holds. */
TEST_F(tool_log, keeps_every_event)
{
	record("-e user");
	order(&self->target, TICK_MANY, "");
	order(&self->target, TICK_MANY, "");
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_EQ(2 * MANY,
		  number_before(self->t->err_text, " events recorded"));
	EXPECT_TEXT(self->t->err_text, " 0 lost");
	EXPECT_EQ(0, info());
	EXPECT_TEXT(self->t->out_text, "status          finished\n");
	EXPECT_TEXT(self->t->out_text, "log             append\n");
	EXPECT_EQ(2 * MANY, number_before(self->t->out_text, "    64  tick"));
	EXPECT_EQ(2 * MANY, number_before(self->t->out_text, " events in "));
}

/* A stream that is too small loses events, and nobody is left in the dark. */
TEST_F(tool_log, tells_what_was_lost)
{
	unsigned long long recorded, lost;

	record("-e user -b 4k");
	order(&self->target, TICK_MANY, "");
	EXPECT_EQ(0, tool_interrupt(self->t));
	recorded = number_before(self->t->err_text, " events recorded");
	lost = number_before(self->t->err_text, " lost");
	EXPECT_LE(MANY, recorded + lost);
	EXPECT_EQ(0, info());
	EXPECT_EQ(recorded, number_before(self->t->out_text, " events in "));
	EXPECT_EQ(MANY - lost, number_before(self->t->out_text, "    64  tick"));
	EXPECT_EQ(0, print("-e syscall"));
	EXPECT_EQ(!lost, !strstr(self->t->out_text, "posix_trace_overflow"));
}

TEST_F(tool_log, records_only_the_classes_asked_for)
{
	record("-e syscall");
	order(&self->target, TICK, "x");
	order(&self->target, GET_PPID, "");
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_EQ(0, print(""));
	EXPECT_TEXT(self->t->out_text, " getppid()\n");
	EXPECT_NO_TEXT(self->t->out_text, "tick");

	record("-e system -e user");
	order(&self->target, TICK, "x");
	order(&self->target, GET_PPID, "");
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_EQ(0, print(""));
	EXPECT_TEXT(self->t->out_text, " posix_trace_start: ignores nothing\n");
	EXPECT_TEXT(self->t->out_text, " tick: \"x\"\n");
	EXPECT_TEXT(self->t->out_text, " posix_trace_stop: as asked\n");
	EXPECT_NO_TEXT(self->t->out_text, "getppid");
}

/* -s: the rest is not recorded. */
TEST_F(tool_log, cuts_data_at_the_size_given)
{
	record("-e user -s 3");
	order(&self->target, TICK, "abc");
	order(&self->target, TICK, "defg");
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_EQ(0, print(""));
	EXPECT_TEXT(self->t->out_text, " tick: \"abc\"\n");
	EXPECT_TEXT(self->t->out_text, " tick: \"def\"...\n");
	EXPECT_EQ(0, info());
	EXPECT_TEXT(self->t->out_text, "data            up to 3 bytes");
	EXPECT_TEXT(self->t->out_text, "data cut        1\n");
}

/*
 * Ends
 */

TEST_F(tool_log, ends_after_the_time_given)
{
	long long begin = now_ms();

	record("-e user -d 0.3");
	order(&self->target, TICK, "x");
	EXPECT_EQ(0, tool_end(self->t));
	EXPECT_LE(300, now_ms() - begin);
	EXPECT_EQ(0, print(""));
	EXPECT_EQ(1, lines(self->t->out_text));
}

TEST_F(tool_log, ends_with_the_process)
{
	record("");
	order(&self->target, TICK, "last words");
	order(&self->target, END, "");
	EXPECT_EQ(0, tool_end(self->t));
	EXPECT_TEXT(self->t->err_text, " (tool_log) has ended\n");
	EXPECT_EQ(0, print(""));
	EXPECT_TEXT(self->t->out_text, " tick: \"last words\"\n");
	EXPECT_TEXT(self->t->out_text, " exit_group(0)\n");
}

TEST_F(tool_log, ends_when_the_process_is_killed)
{
	record("-e user");
	order(&self->target, TICK_MANY, "");
	kill(self->target.pid, SIGKILL);
	EXPECT_EQ(0, tool_end(self->t));
	EXPECT_EQ(MANY, number_before(self->t->err_text, " events recorded"));
	EXPECT_EQ(0, info());
	EXPECT_TEXT(self->t->out_text, "status          finished\n");
	EXPECT_EQ(MANY, number_before(self->t->out_text, " events in "));
}

/* The kernel writes the log to its end. */
TEST_F(tool_log, leaves_a_whole_log_when_it_is_killed)
{
	int status;

	record("-e user");
	order(&self->target, TICK_MANY, "");
	kill(self->t->pid, SIGKILL);
	must_be(waitpid(self->t->pid, &status, 0) == self->t->pid);
	EXPECT_EQ(0, info());
	EXPECT_TEXT(self->t->out_text, "status          finished\n");
	EXPECT_EQ(MANY, number_before(self->t->out_text, " events in "));
	/* The process does not notice. */
	order(&self->target, TICK, "x");
	order(&self->target, END, "");
	EXPECT_EQ(0, child_end(&self->target));
}

FIXTURE(record_ending) {
	struct tool *t;
	struct child target;
};

FIXTURE_VARIANT(record_ending) {
	int sig;
};

FIXTURE_VARIANT_ADD(record_ending, interrupt) {
	.sig = SIGINT,
};

FIXTURE_VARIANT_ADD(record_ending, terminate) {
	.sig = SIGTERM,
};

FIXTURE_VARIANT_ADD(record_ending, hangup) {
	.sig = SIGHUP,
};

FIXTURE_SETUP(record_ending)
{
	if (geteuid())
		SKIP(return, "needs root");
	make_folder("uid=1000,mode=0755");
	self->t = setup(&self->target);
}

FIXTURE_TEARDOWN(record_ending)
{
	free(self->t);
}

TEST_F(record_ending, by_signal_is_clean)
{
	record("-e user");
	order(&self->target, TICK_MANY, "");
	kill(self->t->pid, variant->sig);
	EXPECT_EQ(0, tool_end(self->t));
	EXPECT_EQ(MANY, number_before(self->t->err_text, " events recorded"));
	EXPECT_EQ(0, info());
	EXPECT_EQ(MANY, number_before(self->t->out_text, " events in "));
	order(&self->target, GET_PPID, "");
	order(&self->target, END, "");
	EXPECT_EQ(0, child_end(&self->target));
}

TEST_F(record_ending, by_signal_ends_the_command_first)
{
	tool_start(self->t, ALICE, "record -o " LOG " -- sh -c echo~$$;~exec~sleep~1000");
	tool_await(self->t, "\n");
	kill(self->t->pid, variant->sig);
	EXPECT_EQ(128 + variant->sig, tool_end(self->t));
	EXPECT_TEXT(self->t->err_text, " events recorded, 0 lost; ");
	EXPECT_EQ(0, info());
}

/*
 * Commands
 */

/* From its execve() to its end, with nothing of the tool's own before. */
TEST_F(tool_log, records_a_command_from_its_first_system_call_on)
{
	char *end;

	EXPECT_EQ(0, tool_run(self->t, ALICE,
			      "record -o " LOG " -- sh -c echo~hello"));
	EXPECT_STREQ("hello\n", self->t->out_text);
	EXPECT_EQ(1, lines(self->t->err_text));
	EXPECT_TEXT(self->t->err_text, " events recorded, 0 lost; ");

	EXPECT_EQ(0, print(""));
	EXPECT_TEXT(self->t->out_text, " write(1, 0x");
	EXPECT_TEXT(self->t->out_text, " write = 6\n");
	EXPECT_TEXT(self->t->out_text, " exit_group(0)\n");
	end = strchr(self->t->out_text, '\n');
	ASSERT_NE(NULL, end);
	*end = '\0';
	EXPECT_TEXT(self->t->out_text, " execve(0x");
}

/* The counts of all three agree. */
TEST_F(tool_log, counts_what_is_in_the_log)
{
	unsigned long long recorded;

	EXPECT_EQ(0, tool_run(self->t, ALICE,
			      "record -o " LOG " -- busybox ls -l /bin"));
	recorded = number_before(self->t->err_text, " events recorded");
	EXPECT_LT(10, recorded);
	EXPECT_EQ(0, print(""));
	EXPECT_EQ(recorded, lines(self->t->out_text));
	EXPECT_EQ(0, print("--json"));
	EXPECT_EQ((long)recorded, count_json_lines(self->t->out_text));
	EXPECT_EQ(0, info());
	EXPECT_EQ(recorded, number_before(self->t->out_text, " events in "));
	EXPECT_EQ(0, tool_run(self->t, ALICE, "info --json " LOG));
	EXPECT_EQ(1, count_json_lines(self->t->out_text));
}

TEST_F(tool_log, ends_with_the_status_of_the_command)
{
	EXPECT_EQ(0, tool_run(self->t, ALICE, "record -o " LOG " true"));
	EXPECT_EQ(3, tool_run(self->t, ALICE,
			      "record -o " LOG " -- sh -c exit~3"));
	EXPECT_EQ(128 + SIGUSR1,
		  tool_run(self->t, ALICE,
			   "record -o " LOG " -- sh -c kill~-USR1~$$"));
	EXPECT_EQ(0, info());
}

/* The end of the recording is not that of the command. */
TEST_F(tool_log, lets_a_command_finish_after_the_recording)
{
	EXPECT_EQ(7, tool_run(self->t, ALICE,
			      "record -d 0.05 -o " LOG " -- sh -c sleep~0.3;~exit~7"));
	EXPECT_EQ(0, print(""));
	EXPECT_NO_TEXT(self->t->out_text, "exit_group(7)");
}

TEST_F(tool_log, leaves_no_file_behind_if_there_is_no_such_command)
{
	EXPECT_EQ(127, tool_run(self->t, ALICE,
				"record -o " LOG " -- no-such-command"));
	EXPECT_STREQ("posixtrace: cannot run no-such-command: No such file or directory\n",
		     self->t->err_text);
	EXPECT_FALSE(exists(LOG));

	write_file(FOLDER "/bad", "\177ELF?", 0755);
	EXPECT_EQ(126, tool_run(self->t, ALICE,
				"record -o " LOG " -- " FOLDER "/bad"));
	EXPECT_TEXT(self->t->err_text, ": Exec format error\n");
	EXPECT_FALSE(exists(LOG));
}

/* Without -o, and print and info without FILE. */
TEST_F(tool_log, goes_to_posixtrace_log_by_default)
{
	must_be(!chdir(FOLDER));
	EXPECT_EQ(0, tool_run(self->t, ALICE, "record true"));
	EXPECT_TEXT(self->t->err_text, " bytes in posixtrace.log\n");
	EXPECT_EQ(0, tool_run(self->t, ALICE, "print"));
	EXPECT_TEXT(self->t->out_text, " execve(0x");
	EXPECT_EQ(0, tool_run(self->t, ALICE, "info"));
	EXPECT_TEXT(self->t->out_text, "file            posixtrace.log\n");
}

/*
 * Policies
 */

/* Number of the last event in the log, as far as it is written by now. */
static int last_written(void)
{
	int fd = open(LOG, O_RDONLY | O_CLOEXEC), last = -1;
	trace_id_t log;
	struct ev ev;

	must_be(fd >= 0);
	must(posix_trace_open(fd, &log));
	for (;;) {
		must(ev_next(log, &ev));
		if (ev.unavailable)
			break;
		ev.data[ev.len] = '\0';
		last = atoi(ev.data);
	}
	must(posix_trace_close(log));
	close(fd);
	return last;
}

/*
 * --size without a policy. What is there is what came last, without a gap. The
 * stream has room for 585 of the events, and is flushed when it is half full:
 * with no more than 350 that are not, there is room for 200.
 */
TEST_F(tool_log, loop_keeps_the_newest_events)
{
	unsigned long long kept, first;
	char data[32];
	int i;

	record("-e user --size 64k");
	for (i = 0; i < 3000; i++) {
		snprintf(data, sizeof(data), "%06d", i);
		order(&self->target, TICK, data);
		if (i % 200 == 199)
			ASSERT_TRUE(wait_until(i - last_written() <= 350));
	}
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_TEXT(self->t->err_text, "3000 events recorded, 0 lost; ");
	EXPECT_TEXT(self->t->err_text, ", which is full: it has the newest\n");
	EXPECT_EQ(0, print(""));
	EXPECT_TEXT(self->t->out_text, " tick: \"002999\"\n");
	kept = lines(self->t->out_text);
	first = number_before(self->t->out_text, "\"\n");
	EXPECT_EQ(3000, first + kept);
	EXPECT_GE(65536 / 56, kept);
	EXPECT_LE(65536 / 56 / 4, kept);
	EXPECT_EQ(0, info());
	EXPECT_TEXT(self->t->out_text,
		    "log             loop, 65536 bytes (64.0 KiB)\n");
	EXPECT_TEXT(self->t->out_text, ", log full, the oldest events overwritten");
}

/* When there is no room left, no more will come. */
TEST_F(tool_log, until_full_ends_when_the_log_is_full)
{
	record("-e user --policy until-full --size 64k -b 32k");
	order(&self->target, TICK, "the first");
	EXPECT_EQ(0, tick_to_the_end(self->t, &self->target));
	EXPECT_TEXT(self->t->err_text, " not in the log; ");
	EXPECT_TEXT(self->t->err_text, ", which is full: it has the oldest\n");
	EXPECT_EQ(0, print(""));
	EXPECT_TEXT(self->t->out_text, " tick: \"the first\"\n");
	EXPECT_LE(65536 / 56 - 5, lines(self->t->out_text));
	EXPECT_EQ(0, info());
	EXPECT_TEXT(self->t->out_text, "log             until-full, 65536 bytes");
	/* The process goes on. */
	order(&self->target, GET_PPID, "");
}

TEST_F(tool_log, sizes_fit_together)
{
	record("--size 16M -d 0.01");
	EXPECT_EQ(0, tool_end(self->t));
	EXPECT_EQ(0, info());
	EXPECT_TEXT(self->t->out_text, "stream          flush, 4194304 bytes");
	EXPECT_TEXT(self->t->out_text, "log             loop, 16777216 bytes");
	record("--size 1M -d 0.01");
	EXPECT_EQ(0, tool_end(self->t));
	EXPECT_EQ(0, info());
	EXPECT_TEXT(self->t->out_text, "stream          flush, 524288 bytes");
	EXPECT_TEXT(self->t->out_text, "log             loop, 1048576 bytes");
	record("--policy loop -d 0.01");
	EXPECT_EQ(0, tool_end(self->t));
	EXPECT_EQ(0, info());
	EXPECT_TEXT(self->t->out_text, "log             loop, 67108864 bytes");
	record("--policy append -b 64k -d 0.01");
	EXPECT_EQ(0, tool_end(self->t));
	EXPECT_EQ(0, info());
	EXPECT_TEXT(self->t->out_text, "stream          flush, 65536 bytes");
	EXPECT_TEXT(self->t->out_text, "log             append\n");
}

/*
 * The file
 */

static long long size_of(const char *path)
{
	struct stat st;

	must_be(!stat(path, &st));
	return st.st_size;
}

/* What was there before is gone: bytes and events. */
TEST_F(tool_log, takes_the_place_of_an_old_log)
{
	long long old;

	record("-e user");
	order(&self->target, TICK_MANY, "");
	EXPECT_EQ(0, tool_interrupt(self->t));
	old = size_of(LOG);
	record("-e user");
	EXPECT_GT(old, size_of(LOG));
	order(&self->target, TICK, "new");
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_EQ(0, print(""));
	EXPECT_EQ(1, lines(self->t->out_text));
	EXPECT_TEXT(self->t->out_text, " tick: \"new\"\n");
}

/* The first of @texts, up to NULL, that is missing is told. */
#define EXPECT_REFUSAL(uid, line, ...) do {				\
	const char *const all_texts[] = { __VA_ARGS__, NULL };		\
									\
	EXPECT_EQ(1, tool_run(self->t, uid, "record -o " line));	\
	EXPECT_STREQ("", self->t->out_text);				\
	EXPECT_EQ(NULL, missing(self->t->err_text, all_texts))		\
		TH_LOG("%s", self->t->err_text);			\
} while (0)

/* As live tells it; and the log that was there is still there. */
TEST_F(tool_log, a_refused_trace_harms_no_file)
{
	char line[64];

	must_be(!chmod(FOLDER, 0777));
	snprintf(line, sizeof(line), "record -p %d -o " LOG, self->target.pid);
	EXPECT_EQ(1, tool_run(self->t, BOB, "%s", line));
	EXPECT_TEXT(self->t->err_text,
		    " (tool_log): it belongs to alice, you are bob\n");
	EXPECT_FALSE(exists(LOG));

	EXPECT_EQ(0, tool_run(self->t, BOB, "record -o " LOG " true"));
	EXPECT_EQ(1, tool_run(self->t, BOB, "%s", line));
	EXPECT_EQ(0, tool_run(self->t, BOB, "print " LOG));
	EXPECT_TEXT(self->t->out_text, " execve(0x");
}

TEST_F(tool_log, tells_that_a_file_can_not_be_a_log)
{
	EXPECT_REFUSAL(ALICE, "/no/such/file true",
		       "cannot write to /no/such/file: No such file or directory\n");
	EXPECT_REFUSAL(ALICE, "/tmp true",
		       "posixtrace: cannot write to /tmp: Is a directory\n");
	EXPECT_REFUSAL(ALICE, "/etc/passwd true",
		       "cannot write to /etc/passwd: Permission denied\n");
	EXPECT_REFUSAL(ALICE, "/dev/null true",
		       "posixtrace: /dev/null is a device, a log has to be a regular file\n",
		       "  Write to a file, then print it");
	must_be(!mkfifo(FOLDER "/pipe", 0666));
	must_be(!chmod(FOLDER "/pipe", 0666));
	EXPECT_REFUSAL(ALICE, FOLDER "/pipe true",
		       "/pipe is a pipe, a log has to be a regular file\n");
	EXPECT_REFUSAL(ALICE, "/proc/self/comm true",
		       "/proc/self/comm cannot hold a log: ",
		       "  Name one on a disk or in a tmpfs with -o.\n");
}

/* Fill the file system of FOLDER, but for @room bytes. */
static void fill_disk(size_t room)
{
	static char page[4096];
	int fd = open(FOLDER "/filler", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	off_t size = 0;

	must_be(fd >= 0);
	while (write(fd, page, sizeof(page)) == sizeof(page))
		size += sizeof(page);
	must_be(errno == ENOSPC && size > (off_t)room);
	must_be(!ftruncate(fd, size - room));
	close(fd);
}

TEST_F(tool_log, tells_that_there_is_no_room_for_a_log)
{
	make_folder("uid=1000,mode=0755,size=1m");
	fill_disk(0);
	EXPECT_REFUSAL(ALICE, LOG " true",
		       "posixtrace: there is no room for " LOG ": No space left on device\n",
		       "  Make room there, or name another file with -o");
	EXPECT_FALSE(exists(LOG));
}

/* A disk that becomes full ends the recording; what was written is good. */
TEST_F(tool_log, ends_when_the_disk_is_full)
{
	unsigned long long recorded, kept_out;

	make_folder("uid=1000,mode=0755,size=1m");
	fill_disk(400 * 1024);
	record("-e user -b 64k");
	EXPECT_EQ(1, tick_to_the_end(self->t, &self->target));
	EXPECT_TEXT(self->t->err_text,
		    "posixtrace: there is no room for " LOG ": No space left on device\n");
	EXPECT_TEXT(self->t->err_text, "  The log is good as far as it goes: ");
	recorded = number_before(self->t->err_text, " events recorded");
	kept_out = number_before(self->t->err_text, " not in the log; ");

	EXPECT_EQ(3, info());
	EXPECT_TEXT(self->t->out_text, "write error: No space left on device\n");
	EXPECT_EQ(3, print(""));
	EXPECT_EQ(recorded - kept_out, lines(self->t->out_text));
	EXPECT_TEXT(self->t->err_text,
		    ": not all could be written when it was recorded: No space left on device\n");
	/* The process goes on. */
	order(&self->target, GET_PPID, "");
}

/* A limit for files, and no SIGXFSZ for anybody. */
TEST_F(tool_log, ends_when_the_log_reaches_the_limit_for_files)
{
	const struct rlimit limit = { 400 * 1024, RLIM_INFINITY };
	const struct rlimit low = { 4096, RLIM_INFINITY };

	must_be(!setrlimit(RLIMIT_FSIZE, &limit));
	record("-e user -b 64k");
	EXPECT_EQ(1, tick_to_the_end(self->t, &self->target));
	EXPECT_TEXT(self->t->err_text,
		    "posixtrace: " LOG " would be larger than a file may be\n");
	EXPECT_TEXT(self->t->err_text, "  The limit is 409600 bytes (RLIMIT_FSIZE)");
	EXPECT_EQ(3, info());
	EXPECT_TEXT(self->t->out_text, "write error: File too large\n");
	order(&self->target, GET_PPID, "");

	must_be(!setrlimit(RLIMIT_FSIZE, &low));
	unlink(LOG);
	EXPECT_REFUSAL(ALICE, LOG " true", " would be larger than a file may be\n",
		       "  The limit is 4096 bytes");
	EXPECT_FALSE(exists(LOG));
}

/*
 * On a terminal
 */

/* Run "record" @options there; @stdout_too: also its standard output. */
#define start_terminal(stdout_too, ...) ({				\
	char terminal_line[256];					\
									\
	snprintf(terminal_line, sizeof(terminal_line),			\
		 "posixtrace record -o " LOG " " __VA_ARGS__);		\
	self->t->out = stdout_too;					\
	self->t->err_len = 0;						\
	self->t->err_text[0] = '\0';					\
	start_on_terminal(self->t, terminal_line);			\
})

/* A line that is drawn over itself, until Ctrl-C. */
TEST_F(tool_log, shows_progress_on_a_terminal)
{
	int terminal = start_terminal(true, "-e user -p %d",
				      self->target.pid);

	read_terminal(self->t, terminal, "\r\033[K0 events, 0 bytes written, 0 lost\r");
	order(&self->target, TICK, "x");
	read_terminal(self->t, terminal, "\r\033[K1 event, 0 bytes written, 0 lost\r");
	must_be(write(terminal, "\003", 1) == 1);
	EXPECT_EQ(0, end_terminal(self->t, terminal));
	EXPECT_TEXT(self->t->err_text,
		    "\r\033[K\rposixtrace: 1 events recorded, 0 lost; ");
	EXPECT_EQ(0, print(""));
	EXPECT_EQ(1, lines(self->t->out_text));
}

TEST_F(tool_log, shows_no_progress_if_it_is_to_be_quiet)
{
	int terminal = start_terminal(true, "-q -d 0.6 -p %d",
				      self->target.pid);

	EXPECT_EQ(0, end_terminal(self->t, terminal));
	EXPECT_NO_TEXT(self->t->err_text, "\033");
	EXPECT_EQ(2, lines(self->t->err_text));
}

/* The command's output there must not be mixed with ours. */
TEST_F(tool_log, shows_no_progress_among_the_output_of_a_command)
{
	int terminal = start_terminal(true, "-- sh -c sleep~0.6;~echo~done");

	EXPECT_EQ(0, end_terminal(self->t, terminal));
	EXPECT_NO_TEXT(self->t->err_text, "\033");
	EXPECT_TEXT(self->t->err_text, "done\r\nposixtrace: ");

	terminal = start_terminal(true, "--progress -- sleep 0.6");
	EXPECT_EQ(0, end_terminal(self->t, terminal));
	EXPECT_TEXT(self->t->err_text, " bytes written, 0 lost\r");

	/* Its output goes elsewhere. */
	terminal = start_terminal(false, "-- sleep 0.6");
	EXPECT_EQ(0, end_terminal(self->t, terminal));
	EXPECT_TEXT(self->t->err_text, " bytes written, 0 lost\r");
}

/*
 * Ctrl-C reaches the command by itself; it is not sent once more. What the shell
 * waits for when it comes is ended by it, too, from the sign on.
 */
TEST_F(tool_log, leaves_ctrl_c_to_the_command)
{
	int terminal = start_terminal(true,
				      "-- sh -c trap~'echo~got~it;~exit~5'~INT;~(echo~ready;~exec~sleep~9);~exit~6");

	read_terminal(self->t, terminal, "ready");
	must_be(write(terminal, "\003", 1) == 1);
	EXPECT_EQ(5, end_terminal(self->t, terminal));
	EXPECT_EQ(1, count(self->t->err_text, "got it\r\n"));
	EXPECT_TEXT(self->t->err_text, " events recorded, ");
}

/*
 * The command line
 */

static const struct mistake {
	const char *line;
	const char *text;
} mistakes[] = {
	{ "record", "what is to be traced? Give -p PID or a COMMAND\n" },
	{ "record -z", "there is no option -z\n  See: posixtrace record --help" },
	{ "record -p 1 true", "-p PID and a COMMAND exclude each other\n" },
	{ "record -p 1 -p 2", "only one process at a time\n" },
	{ "record -o", "-o needs an argument\n  See: posixtrace record --help" },
	{ "record --size", "--size needs an argument\n" },
	{ "record -x", "there is no option -x\n" },
	{ "record --nothing", "there is no option --nothing\n" },
	{ "record -n 5 true", "there is no option -n\n" },
	{ "record -p 1 -d 0", "-d 0: this should be a number of seconds" },
	{ "record -p 1 -s 65537", "-s 65537: this should be" },
	{ "record -p 1 -b 0", "-b 0: this should be a number of bytes" },
	{ "record -p 1 --size 0", "--size 0: this should be a number of bytes" },
	{ "record -p 1 --size 1T", "--size 1T: this should be" },
	{ "record -p 1 --size 10MB", "--size 10MB: this should be" },
	{ "record -p 1 --policy flush",
	  "--policy flush: this should be append, loop or until-full\n" },
	{ "record -p 1 --policy append --size 1M",
	  "--policy append keeps everything: --size is for loop and until-full\n" },
	{ "record -p 1 -e user,foo",
	  "-e user,foo: there is no class or kernel event 'foo'\n" },
};

TEST_F(tool_log, tells_what_is_wrong_with_a_command_line)
{
	size_t i;

	must_be(!chdir(FOLDER));
	for (i = 0; i < ARRAY_SIZE(mistakes); i++) {
		EXPECT_EQ(2, tool_run(self->t, ALICE, "%s", mistakes[i].line))
			TH_LOG("posixtrace %s", mistakes[i].line);
		EXPECT_STREQ("", self->t->out_text);
		EXPECT_TEXT(self->t->err_text, mistakes[i].text);
	}
	EXPECT_FALSE(exists("posixtrace.log"));
}

TEST_F(tool_log, gives_help)
{
	EXPECT_EQ(0, tool_run(self->t, ALICE, "--help"));
	EXPECT_TEXT(self->t->out_text, "\n  record  ");
	EXPECT_TEXT(self->t->out_text, "\n  print  ");
	EXPECT_TEXT(self->t->out_text, "\n  info  ");
	EXPECT_EQ(0, tool_run(self->t, ALICE, "record --help"));
	EXPECT_TEXT(self->t->out_text, "Usage: posixtrace record ");
	EXPECT_TEXT(self->t->out_text, "\n  syscall  ");
	EXPECT_TEXT(self->t->out_text, "Exit status");
	EXPECT_STREQ("", self->t->err_text);
}

TEST_HARNESS_MAIN
