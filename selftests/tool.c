// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command posixtrace, as its user sees it: what it prints, where, when it
 * ends and with which status.
 */
#include "tool_test.h"

#include <dirent.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

FIXTURE(tool) {
	struct tool *t;
	struct child target;
};

FIXTURE_SETUP(tool)
{
	if (geteuid())
		SKIP(return, "needs root");
	self->t = setup(&self->target);
}

FIXTURE_TEARDOWN(tool)
{
	free(self->t);
}

/* Trace the target as its owner, with more options. */
#define trace(options) do {						\
	tool_start(self->t, ALICE, "live -p %d " options, self->target.pid); \
	tool_await(self->t, "tracing ");				\
} while (0)

/* A user event is a line with time, process, thread, name and data. */
TEST_F(tool, shows_user_events_with_their_data)
{
	char line[64];

	trace("-e user");
	order(&self->target, TICK, "beat 17");
	tool_await(self->t, "beat 17");
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_EQ(1, lines(self->t->out_text));
	snprintf(line, sizeof(line), " %d/%d ", self->target.pid,
		 self->target.pid);
	EXPECT_TEXT(self->t->out_text, line);
	EXPECT_TEXT(self->t->out_text, " tick: \"beat 17\"\n");
	EXPECT_EQ(':', self->t->out_text[2]);
	EXPECT_EQ('.', self->t->out_text[8]);
}

/* "Tracing" and the counts are for the user, not for who reads the events. */
TEST_F(tool, says_on_stderr_what_it_does)
{
	char line[64];

	trace("-e user");
	order(&self->target, TICK, "x");
	EXPECT_EQ(0, tool_interrupt(self->t));
	snprintf(line, sizeof(line), "posixtrace: tracing %d (tool); ",
		 self->target.pid);
	EXPECT_TEXT(self->t->err_text, line);
	EXPECT_TEXT(self->t->err_text,
		    "posixtrace: 1 events recorded, 0 lost\n");
	EXPECT_EQ(2, lines(self->t->err_text));
}

TEST_F(tool, tells_the_threads_of_a_process_apart)
{
	char line[64];

	trace("-e user");
	order(&self->target, TICK_IN_THREAD, "elsewhere");
	EXPECT_EQ(0, tool_interrupt(self->t));
	snprintf(line, sizeof(line), " %d/%d ", self->target.pid,
		 self->target.pid);
	EXPECT_NO_TEXT(self->t->out_text, line);
	EXPECT_TEXT(self->t->out_text, " tick: \"elsewhere\"\n");
}

TEST_F(tool, shows_system_calls_by_name_with_their_results)
{
	char line[64];

	trace("-e syscall");
	order(&self->target, OPEN_NOTHING, "");
	order(&self->target, GET_PPID, "");
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_TEXT(self->t->out_text, " openat(AT_FDCWD, 0x");
	EXPECT_TEXT(self->t->out_text,
		    " openat = -1 ENOENT (No such file or directory)\n");
	snprintf(line, sizeof(line), " getppid = %d\n", getpid());
	EXPECT_TEXT(self->t->out_text, " getppid()\n");
	EXPECT_TEXT(self->t->out_text, line);
}

/* Only what was asked for is recorded. */
TEST_F(tool, shows_only_the_classes_asked_for)
{
	trace("-e syscall");
	order(&self->target, TICK, "x");
	order(&self->target, GET_PPID, "");
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_TEXT(self->t->out_text, "getppid");
	EXPECT_NO_TEXT(self->t->out_text, "tick");
	EXPECT_NO_TEXT(self->t->out_text, "posix_trace");

	trace("-e user");
	order(&self->target, TICK, "x");
	order(&self->target, GET_PPID, "");
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_TEXT(self->t->out_text, "tick");
	EXPECT_EQ(1, lines(self->t->out_text));

	trace("-e system");
	order(&self->target, TICK, "x");
	order(&self->target, GET_PPID, "");
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_TEXT(self->t->out_text, "posix_trace_stop: as asked\n");
	EXPECT_TEXT(self->t->out_text,
		    "start: ignores posix_trace_unnamed_userevent, user events\n");
	EXPECT_EQ(2, lines(self->t->out_text));
}

TEST_F(tool, shows_user_events_and_system_calls_by_default)
{
	trace("");
	order(&self->target, TICK, "x");
	order(&self->target, GET_PPID, "");
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_TEXT(self->t->out_text, " tick: \"x\"\n");
	EXPECT_TEXT(self->t->out_text, " getppid()\n");
	EXPECT_NO_TEXT(self->t->out_text, "posix_trace");
}

/* -e adds up, and "all" is all. */
TEST_F(tool, takes_several_classes)
{
	trace("-e user -e system");
	order(&self->target, TICK, "x");
	order(&self->target, GET_PPID, "");
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_EQ(3, lines(self->t->out_text));

	trace("--events=all");
	order(&self->target, TICK, "x");
	order(&self->target, GET_PPID, "");
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_TEXT(self->t->out_text, "posix_trace_start: ignores nothing\n");
	EXPECT_TEXT(self->t->out_text, " tick: \"x\"\n");
	EXPECT_TEXT(self->t->out_text, " getppid()\n");
}

/* -n: so many lines, not one more, however many events there are. */
TEST_F(tool, ends_after_exactly_n_events)
{
	trace("-e user -n 3");
	order(&self->target, TICK_MANY, "");
	EXPECT_EQ(0, tool_end(self->t));
	EXPECT_EQ(3, lines(self->t->out_text));
	EXPECT_EQ(3, count(self->t->out_text, " tick: \"12345678\"\n"));
	EXPECT_TEXT(self->t->err_text, " 0 lost");
	EXPECT_TEXT(self->t->err_text, "; 3 shown\n");
}

/* -d: not before, and without an event that would wake it. */
TEST_F(tool, ends_after_the_time_given)
{
	long long begin = now_ms();

	trace("-e user -d 0.3");
	order(&self->target, TICK, "x");
	EXPECT_EQ(0, tool_end(self->t));
	EXPECT_LE(300, now_ms() - begin);
	EXPECT_EQ(1, lines(self->t->out_text));
	EXPECT_TEXT(self->t->err_text, "1 events recorded, 0 lost\n");
}

/* Nothing of what it did up to its end is missing. */
TEST_F(tool, ends_with_the_process)
{
	trace("");
	order(&self->target, TICK, "last words");
	order(&self->target, END, "");
	EXPECT_EQ(0, tool_end(self->t));
	EXPECT_TEXT(self->t->out_text, " tick: \"last words\"\n");
	EXPECT_TEXT(self->t->out_text, " exit_group(0)\n");
	EXPECT_TEXT(self->t->err_text, " (tool) has ended\n");
	EXPECT_TEXT(self->t->err_text, " events recorded, 0 lost\n");
	EXPECT_EQ(0, child_end(&self->target));
}

TEST_F(tool, ends_when_the_process_is_killed)
{
	trace("-e user");
	order(&self->target, TICK, "last words");
	kill(self->target.pid, SIGKILL);
	EXPECT_EQ(0, tool_end(self->t));
	EXPECT_TEXT(self->t->out_text, " tick: \"last words\"\n");
	EXPECT_TEXT(self->t->err_text, "1 events recorded, 0 lost\n");
}

FIXTURE(ending) {
	struct tool *t;
	struct child target;
};

FIXTURE_VARIANT(ending) {
	int sig;
};

FIXTURE_VARIANT_ADD(ending, interrupt) {
	.sig = SIGINT,
};

FIXTURE_VARIANT_ADD(ending, terminate) {
	.sig = SIGTERM,
};

FIXTURE_VARIANT_ADD(ending, hangup) {
	.sig = SIGHUP,
};

FIXTURE_SETUP(ending)
{
	if (geteuid())
		SKIP(return, "needs root");
	self->t = setup(&self->target);
}

FIXTURE_TEARDOWN(ending)
{
	free(self->t);
}

/* It shows what was recorded, counts, and leaves the process alone. */
TEST_F(ending, by_signal_is_clean)
{
	trace("-e user");
	order(&self->target, TICK_MANY, "");
	kill(self->t->pid, variant->sig);
	EXPECT_EQ(0, tool_end(self->t));
	EXPECT_EQ(MANY, number_before(self->t->err_text, " events recorded"));
	EXPECT_TEXT(self->t->err_text, " 0 lost");

	order(&self->target, GET_PPID, "");
	order(&self->target, END, "");
	EXPECT_EQ(0, child_end(&self->target));
}

/* The command's output and the signal's effect on it are its own affair. */
TEST_F(ending, by_signal_ends_the_command_first)
{
	tool_start(self->t, ALICE, "live -- sleep 1000");
	tool_await(self->t, "nanosleep(");
	kill(self->t->pid, variant->sig);
	EXPECT_EQ(128 + variant->sig, tool_end(self->t));
	EXPECT_TEXT(self->t->err_text, " events recorded, 0 lost\n");
}

/* A command that does not end is left with the second signal. */
TEST_F(ending, by_a_second_signal_leaves_the_command)
{
	tool_start(self->t, ALICE,
		   "live -- sh -c trap~:~INT~TERM~HUP;~echo~$$;~while~:;~do~:;~done");
	tool_await(self->t, "\n");
	tool_await(self->t, "write = ");
	kill(self->t->pid, variant->sig);
	tool_await(self->t, "rt_sigreturn");
	kill(self->t->pid, variant->sig);
	tool_await(self->t, "posixtrace: sh goes on\n");
	/* It is the one that holds the pipes open. */
	kill(atoi(self->t->out_text), SIGKILL);
	EXPECT_EQ(1, tool_end(self->t));
	EXPECT_TEXT(self->t->err_text, " events recorded");
}

/* A reader that has enough is no error. */
TEST_F(tool, ends_when_nobody_reads)
{
	trace("-e user");
	order(&self->target, TICK, "x");
	tool_await(self->t, "tick");
	close(self->t->out);
	self->t->out = -1;
	order(&self->target, TICK_MANY, "");
	EXPECT_EQ(0, tool_end(self->t));
	EXPECT_TEXT(self->t->err_text, " events recorded");
}

/* Not only at the next event, which may never come. */
TEST_F(tool, ends_when_nobody_reads_though_nothing_happens)
{
	trace("-e user");
	close(self->t->out);
	self->t->out = -1;
	EXPECT_EQ(0, tool_end(self->t));
	EXPECT_TEXT(self->t->err_text, "0 events recorded, 0 lost\n");
}

/*
 * There is something in the pipe, and no more comes. How many bytes a full pipe
 * has depends on how they were written.
 */
static bool is_stuck(int out)
{
	int before, after;

	must_be(!ioctl(out, FIONREAD, &before));
	pause_ms(200);
	must_be(!ioctl(out, FIONREAD, &after));
	return before && before == after;
}

/* A reader that does not read must not keep it from ending. */
TEST_F(tool, ends_by_signal_though_its_reader_sleeps)
{
	int out;

	trace("-e user -b 16M");
	out = self->t->out;
	order(&self->target, TICK_MANY, "");
	must_be(wait_until(is_stuck(out)));
	self->t->out = -1;
	kill(self->t->pid, SIGTERM);
	EXPECT_EQ(0, tool_end(self->t));
	EXPECT_EQ(MANY, number_before(self->t->err_text, " events recorded"));
	close(out);
}

TEST_F(tool, writes_to_a_file)
{
	char text[1024] = "";
	struct stat st;
	FILE *f;

	trace("-e user -n 1 -o /tmp/posixtrace-tool-test");
	order(&self->target, TICK, "into a file");
	EXPECT_EQ(0, tool_end(self->t));
	EXPECT_STREQ("", self->t->out_text);
	f = fopen("/tmp/posixtrace-tool-test", "re");
	ASSERT_NE(NULL, f);
	EXPECT_LT(0, fread(text, 1, sizeof(text) - 1, f));
	fclose(f);
	EXPECT_TEXT(text, " tick: \"into a file\"\n");
	EXPECT_EQ(1, lines(text));
	must_be(!stat("/tmp/posixtrace-tool-test", &st));
	EXPECT_EQ(ALICE, st.st_uid);
	unlink("/tmp/posixtrace-tool-test");
}

TEST_F(tool, tells_that_it_can_not_write)
{
	EXPECT_EQ(1, tool_run(self->t, ALICE, "live -p %d -o /no/such/file",
			      self->target.pid));
	EXPECT_STREQ("posixtrace: cannot write to /no/such/file: No such file or directory\n",
		     self->t->err_text);

	tool_start(self->t, ALICE, "live -p %d -e user -o /dev/full",
		   self->target.pid);
	tool_await(self->t, "tracing");
	order(&self->target, TICK, "x");
	EXPECT_EQ(1, tool_end(self->t));
	EXPECT_TEXT(self->t->err_text,
		    "posixtrace: cannot write: No space left on device\n");
	EXPECT_TEXT(self->t->err_text, "1 events recorded, 0 lost\n");
}

/* -s: the rest is not recorded; dots show that there was more. */
TEST_F(tool, cuts_data_at_the_size_given)
{
	trace("-e user -s 3 -n 2");
	order(&self->target, TICK, "abc");
	order(&self->target, TICK, "defg");
	EXPECT_EQ(0, tool_end(self->t));
	EXPECT_TEXT(self->t->out_text, " tick: \"abc\"\n");
	EXPECT_TEXT(self->t->out_text, " tick: \"def\"...\n");
}

/* What is missing from the lines is told, in its place and as a number. */
TEST_F(tool, tells_what_was_overwritten)
{
	unsigned long long recorded, overwritten;

	trace("-e user -b 4k");
	kill(self->t->pid, SIGSTOP);
	order(&self->target, TICK_MANY, "");
	order(&self->target, TICK, "the last");
	kill(self->t->pid, SIGCONT);
	tool_await(self->t, "the last");
	EXPECT_EQ(0, tool_interrupt(self->t));

	EXPECT_EQ(1, count(self->t->out_text, " posix_trace_overflow\n"));
	EXPECT_EQ(1, count(self->t->out_text, " posix_trace_resume\n"));
	recorded = number_before(self->t->err_text, " events recorded");
	overwritten = number_before(self->t->err_text, " overwritten\n");
	EXPECT_EQ(MANY + 1, recorded);
	EXPECT_EQ(recorded - overwritten, count(self->t->out_text, " tick: "));
	EXPECT_TEXT(self->t->err_text, " 0 lost, ");
}

/* Names and data come from the traced program. */
TEST_F(tool, lets_nothing_through_that_a_terminal_obeys)
{
	trace("-e user -n 1");
	order(&self->target, TICK, "\x1b]0;title\a");
	EXPECT_EQ(0, tool_end(self->t));
	EXPECT_TEXT(self->t->out_text,
		    " tick: 1b 5d 30 3b 74 69 74 6c 65 07\n");
}

/*
 * Commands
 */

/* From its execve() to its end, with nothing of the tool's own before. */
TEST_F(tool, traces_a_command_from_its_first_system_call_on)
{
	EXPECT_EQ(0, tool_run(self->t, ALICE, "live -- sh -c echo~hello"));
	EXPECT_STREQ("hello\n", self->t->out_text);
	EXPECT_TEXT(self->t->err_text, " write(1, 0x");
	EXPECT_TEXT(self->t->err_text, " write = 6\n");
	EXPECT_TEXT(self->t->err_text, " exit_group(0)\n");
	EXPECT_TEXT(self->t->err_text, " events recorded, 0 lost\n");
	EXPECT_EQ(2, count(self->t->err_text, " execve"));
	self->t->err_text[strcspn(self->t->err_text, "\n")] = '\0';
	EXPECT_TEXT(self->t->err_text, " execve(0x");
}

TEST_F(tool, ends_with_the_status_of_the_command)
{
	EXPECT_EQ(0, tool_run(self->t, ALICE, "live true"));
	EXPECT_EQ(3, tool_run(self->t, ALICE, "live -- sh -c exit~3"));
	EXPECT_EQ(128 + SIGUSR1,
		  tool_run(self->t, ALICE, "live -- sh -c kill~-USR1~$$"));
	EXPECT_EQ(128 + SIGPIPE,
		  tool_run(self->t, ALICE, "live -- sh -c kill~-PIPE~$$"));
}

/* Options behind the command are the command's. */
TEST_F(tool, leaves_the_options_of_a_command_alone)
{
	EXPECT_EQ(0, tool_run(self->t, ALICE, "live -n 1 echo -n --help -p"));
	EXPECT_TEXT(self->t->out_text, "--help -p");
	EXPECT_EQ(1, count(self->t->err_text, " execve"));
}

/* The end of the trace is not that of the command. */
TEST_F(tool, lets_a_command_finish_after_the_trace)
{
	EXPECT_EQ(7, tool_run(self->t, ALICE,
			      "live -n 2 -- sh -c echo~done;~exit~7"));
	EXPECT_STREQ("done\n", self->t->out_text);
	EXPECT_EQ(2, count(self->t->err_text, " execve"));
	EXPECT_TEXT(self->t->err_text, "; 2 shown\n");

	EXPECT_EQ(7, tool_run(self->t, ALICE,
			      "live -e user -d 0.05 -- sh -c sleep~0.2;~exit~7"));
	EXPECT_TEXT(self->t->err_text, "0 events recorded, 0 lost\n");
}

TEST_F(tool, tells_that_there_is_no_such_command)
{
	EXPECT_EQ(127, tool_run(self->t, ALICE, "live -- no-such-command"));
	EXPECT_STREQ("posixtrace: cannot run no-such-command: No such file or directory\n",
		     self->t->err_text);
	EXPECT_EQ(126, tool_run(self->t, ALICE, "live -- /etc/passwd"));
	EXPECT_STREQ("posixtrace: cannot run /etc/passwd: Permission denied\n",
		     self->t->err_text);
	EXPECT_EQ(126, tool_run(self->t, ALICE, "live -- /"));
	EXPECT_STREQ("posixtrace: cannot run /: Permission denied\n",
		     self->t->err_text);
}

/* This the kernel only says when the command is to start. */
TEST_F(tool, tells_that_a_command_can_not_be_executed)
{
	write_file("/tmp/posixtrace-tool-test", "\177ELF?", 0755);
	EXPECT_EQ(126, tool_run(self->t, ALICE,
				"live -- /tmp/posixtrace-tool-test"));
	EXPECT_TEXT(self->t->err_text,
		    "posixtrace: cannot run /tmp/posixtrace-tool-test: Exec format error\n");
	unlink("/tmp/posixtrace-tool-test");
}

/*
 * Refusals: which rule, and what to do
 */

#define EXPECT_REFUSAL(uid, pid, ...) do {				\
	const char *const all_texts[] = { __VA_ARGS__, NULL };		\
									\
	EXPECT_EQ(1, tool_run(self->t, uid, "live -p %d", pid));	\
	EXPECT_STREQ("", self->t->out_text);				\
	EXPECT_EQ(NULL, missing(self->t->err_text, all_texts))		\
		TH_LOG("%s", self->t->err_text);			\
} while (0)

TEST_F(tool, tells_whose_process_it_is)
{
	EXPECT_REFUSAL(BOB, self->target.pid, "posixtrace: you may not trace ",
		       " (tool): it belongs to alice, you are bob\n",
		       "  Do it as alice, or with CAP_SYS_PTRACE (as root, or by sudo).\n");
	EXPECT_REFUSAL(ALICE, getpid(), " belongs to root, you are alice\n");
	EXPECT_REFUSAL(4711, self->target.pid,
		       " belongs to alice, you are user 4711\n");
}

TEST_F(tool, tells_that_a_process_is_not_dumpable)
{
	order(&self->target, HIDE, "");
	EXPECT_REFUSAL(ALICE, self->target.pid, " (tool): it is not dumpable\n",
		       "  Its program has privileges or cannot be read, or it\n",
		       "  protects itself (PR_SET_DUMPABLE in prctl(2)).\n",
		       "  CAP_SYS_PTRACE (as root, or by sudo) may help.\n");
	/* To root it is open. */
	tool_start(self->t, 0, "live -p %d -d 0.01", self->target.pid);
	EXPECT_EQ(0, tool_end(self->t));
}

TEST_F(tool, tells_that_a_process_is_the_kernel)
{
	EXPECT_REFUSAL(0, 2,
		       "posixtrace: you may not trace 2 (kthreadd): it is a thread of the kernel\n",
		       "  Only processes that run a program can be traced.\n");
	EXPECT_REFUSAL(ALICE, 2, ": it is a thread of the kernel\n");
}

TEST_F(tool, tells_that_there_is_no_such_process)
{
	EXPECT_REFUSAL(ALICE, 4194303,
		       "posixtrace: there is no process 4194303\n");
}

TEST_F(tool, tells_that_a_process_is_a_zombie)
{
	siginfo_t info;

	order(&self->target, END, "");
	must_be(!waitid(P_PID, self->target.pid, &info, WEXITED | WNOWAIT));
	EXPECT_REFUSAL(ALICE, self->target.pid, " (tool) has ended\n",
		       "  It is a zombie: its parent has not waited for it yet.\n");
}

/* A thread of @pid that is not its first. */
static pid_t other_thread(pid_t pid)
{
	const struct dirent *entry;
	pid_t tid = 0;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	must_be(dir);
	while ((entry = readdir(dir))) {
		if (atoi(entry->d_name) && atoi(entry->d_name) != pid)
			tid = atoi(entry->d_name);
	}
	closedir(dir);
	must_be(tid);
	return tid;
}

TEST_F(tool, tells_that_a_number_is_a_thread)
{
	pid_t tid;
	char text[64], hint[64];

	order(&self->target, LEADER_ENDS, "");
	tid = other_thread(self->target.pid);
	snprintf(text, sizeof(text), " is a thread of process %d\n",
		 self->target.pid);
	snprintf(hint, sizeof(hint),
		 "  Use -p %d: it traces all threads of the process.\n",
		 self->target.pid);
	EXPECT_REFUSAL(ALICE, tid, text, hint);

	/* The process is there, although its first thread is not. */
	tool_start(self->t, ALICE, "live -p %d -e user -n 1",
		   self->target.pid);
	tool_await(self->t, "tracing");
	order(&self->target, TICK, "x");
	EXPECT_EQ(0, tool_end(self->t));
	EXPECT_TEXT(self->t->out_text, " tick: \"x\"\n");
}

/* Other tests do not see what /dev is to this one. */
static void hide_dev(void)
{
	must_be(!unshare(CLONE_NEWNS));
	must_be(!mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL));
	must_be(!mount("none", "/dev", "tmpfs", 0, NULL));
}

TEST_F(tool, tells_that_the_module_is_not_loaded)
{
	hide_dev();
	EXPECT_REFUSAL(ALICE, self->target.pid,
		       "posixtrace: the kernel module is not loaded\n",
		       "modprobe posixtrace");
}

TEST_F(tool, tells_that_the_device_can_not_be_opened)
{
	struct stat st;

	must_be(!stat("/dev/posixtrace", &st));
	hide_dev();
	must_be(!mknod("/dev/posixtrace", S_IFCHR | 0600, st.st_rdev));
	EXPECT_REFUSAL(ALICE, self->target.pid,
		       "posixtrace: you may not open /dev/posixtrace\n",
		       "chmod 0666 /dev/posixtrace", "udev rule",
		       "KERNEL==\"posixtrace\", MODE=\"0666\"");
}

#define PARAMETERS	"/sys/module/posixtrace/parameters/"

static unsigned long long parameter(const char *path)
{
	unsigned long long value;
	FILE *f = fopen(path, "re");

	must_be(f && fscanf(f, "%llu", &value) == 1);
	fclose(f);
	return value;
}

TEST_F(tool, tells_that_the_quota_is_used_up)
{
	unsigned long long quota = parameter(PARAMETERS "user_quota");
	char text[96];

	EXPECT_EQ(1, tool_run(self->t, ALICE, "live -p %d -b %llu",
			      self->target.pid, quota + 1));
	snprintf(text, sizeof(text),
		 "posixtrace: there is no room for a stream of %llu bytes\n",
		 quota + 1);
	EXPECT_TEXT(self->t->err_text, text);
	snprintf(text, sizeof(text),
		 "  All your streams may take %llu bytes (parameter user_quota).\n",
		 quota);
	EXPECT_TEXT(self->t->err_text, text);
	EXPECT_TEXT(self->t->err_text, "  Ask for less with -b, or end other streams of yours.\n");
}

TEST_F(tool, tells_that_there_are_too_many_streams)
{
	unsigned long long max = parameter(PARAMETERS "sys_max");
	char text[32];
	int i;

	write_file(PARAMETERS "sys_max", "8", 0);
	for (i = 0; i < 8; i++)
		self_stream(NULL);
	tool_run(self->t, ALICE, "live -p %d", self->target.pid);
	snprintf(text, sizeof(text), "%llu", max);
	write_file(PARAMETERS "sys_max", text, 0);
	EXPECT_STREQ("posixtrace: there are as many trace streams as the system allows (8)\n"
		     "  Wait until others end, or, as root, raise the limit in\n"
		     "  " PARAMETERS "sys_max.\n", self->t->err_text);
}

/*
 * The command line
 */

static const struct mistake {
	const char *line;
	const char *text;
} mistakes[] = {
	{ "", "Usage: posixtrace COMMAND" },
	{ "record-it", "there is no command 'record-it'\n  See: posixtrace --help" },
	{ "live", "what is to be traced? Give -p PID or a COMMAND\n" },
	{ "live --", "what is to be traced? Give -p PID or a COMMAND\n" },
	{ "live -p", "-p needs an argument\n  See: posixtrace live --help" },
	{ "live --pid", "--pid needs an argument\n" },
	{ "live -x", "there is no option -x\n" },
	{ "live --nothing", "there is no option --nothing\n" },
	{ "live -p 1 true", "-p PID and a COMMAND exclude each other\n" },
	{ "live -p 1 -p 2", "only one process at a time\n" },
	{ "live -p self", "-p self: this should be the number of a process\n" },
	{ "live -p 0", "-p 0: this should be" },
	{ "live -p -1", "-p -1: this should be" },
	{ "live -p 4294967297", "-p 4294967297: this should be" },
	{ "live -p 1 -n 0", "-n 0: this should be a number of events" },
	{ "live -p 1 -n 3x", "-n 3x: this should be a number of events" },
	{ "live -p 1 -n 18446744073709551616", ": this should be a number" },
	{ "live -p 1 -d 0", "-d 0: this should be a number of seconds" },
	{ "live -p 1 -d -1", "-d -1: this should be a number of seconds" },
	{ "live -p 1 -d nan", "-d nan: this should be a number of seconds" },
	{ "live -p 1 -d 1s", "-d 1s: this should be a number of seconds" },
	{ "live -p 1 -s 65537", "-s 65537: this should be" },
	{ "live -p 1 -s -1", "-s -1: this should be" },
	{ "live -p 1 -b 0", "-b 0: this should be" },
	{ "live -p 1 -b 1x", "-b 1x: this should be" },
	{ "live -p 1 -b 1kk", "-b 1kk: this should be" },
	{ "live -p 1 -e user,foo",
	  "-e user,foo: there is no class or kernel event 'foo'\n" },
	{ "live -p 1 -e syscall:opneat",
	  "there is no system call 'opneat'\n  Did you mean openat?\n" },
};

TEST_F(tool, tells_what_is_wrong_with_a_command_line)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(mistakes); i++) {
		EXPECT_EQ(2, tool_run(self->t, ALICE, "%s", mistakes[i].line))
			TH_LOG("posixtrace %s", mistakes[i].line);
		EXPECT_STREQ("", self->t->out_text);
		EXPECT_TEXT(self->t->err_text, mistakes[i].text);
	}
}

TEST_F(tool, gives_help_and_version)
{
	EXPECT_EQ(0, tool_run(self->t, ALICE, "--help"));
	EXPECT_TEXT(self->t->out_text, "\n  live  ");
	EXPECT_STREQ("", self->t->err_text);
	EXPECT_EQ(0, tool_run(self->t, ALICE, "live --help"));
	EXPECT_TEXT(self->t->out_text, "-p, --pid PID");
	EXPECT_TEXT(self->t->out_text, "\n  syscall  ");
	EXPECT_TEXT(self->t->out_text, "Exit status");
	EXPECT_STREQ("", self->t->err_text);
	EXPECT_EQ(0, tool_run(self->t, ALICE, "--version"));
	EXPECT_EQ(0, strncmp(self->t->out_text, "posixtrace 0.", 13));
	EXPECT_EQ(1, lines(self->t->out_text));
}

TEST_HARNESS_MAIN
