// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command posixtrace, as its user sees it: kernel events, the choice of events
 * with -e, and descendants with -f.
 */
#include "tool_test.h"

#include <sys/mman.h>

#define LOG	"/tmp/posixtrace-tool-events"
#define SECRET	"/tmp/secret-sh"

FIXTURE(tool_events) {
	struct tool *t;
	struct child target;
};

FIXTURE_SETUP(tool_events)
{
	if (geteuid())
		SKIP(return, "needs root");
	self->t = setup(&self->target);
}

FIXTURE_TEARDOWN(tool_events)
{
	unlink(LOG);
	free(self->t);
}

/* Trace the target as its owner, with more options. */
#define trace(options) do {						\
	tool_start(self->t, ALICE, "live -p %d " options, self->target.pid); \
	tool_await(self->t, "tracing ");				\
} while (0)

/* Run a command, and trace it as alice; events go where ours do. */
#define live(...)	tool_run(self->t, ALICE, "live " __VA_ARGS__)
#define record(...)	tool_run(self->t, ALICE, "record -o " LOG " " __VA_ARGS__)
#define print(options)	tool_run(self->t, ALICE, "print " options " " LOG)

/* How many lines have @text, and how many have not. */
static unsigned int lines_without(const char *where, const char *text)
{
	char line[512];
	unsigned int n = 0;
	size_t len;

	for (; *where; where += len + !!where[len]) {
		len = strcspn(where, "\n");
		snprintf(line, sizeof(line), "%.*s", (int)len, where);
		n += !strstr(line, text);
	}
	return n;
}

/* The number behind @text, which must be there. */
static int number_after(const char *where, const char *text)
{
	const char *at = strstr(where, text);

	must_be(at);
	return atoi(at + strlen(text));
}

/*
 * Kernel events
 */

TEST_F(tool_events, shows_signals)
{
	char line[128];

	trace("-e signal");
	order(&self->target, RAISE, "");
	EXPECT_EQ(0, tool_interrupt(self->t));
	snprintf(line, sizeof(line),
		 " linux_signal_generate: SIGUSR1, SI_TKILL, from %d, to thread, delivered\n",
		 self->target.pid);
	EXPECT_TEXT(self->t->out_text, line);
	snprintf(line, sizeof(line),
		 " linux_signal_deliver: SIGUSR1, SI_TKILL, from %d, handler 0x",
		 self->target.pid);
	EXPECT_TEXT(self->t->out_text, line);
	EXPECT_EQ(0, lines_without(self->t->out_text, " linux_signal_"));
}

/* Of one that kills the process the kernel delivers SIGKILL, without siginfo. */
TEST_F(tool_events, shows_a_signal_that_kills)
{
	EXPECT_EQ(128 + SIGUSR1, live("-e signal,linux_exit -- sh -c kill~-USR1~$$"));
	EXPECT_EQ(1, count(self->t->err_text,
			   " linux_signal_generate: SIGUSR1, SI_USER, from "));
	EXPECT_TEXT(self->t->err_text, " linux_signal_deliver: SIG");
	EXPECT_TEXT(self->t->err_text, " linux_exit: killed by SIGUSR1\n");
}

TEST_F(tool_events, shows_scheduling)
{
	trace("-e sched");
	order(&self->target, GET_PPID, "");
	pause_ms(50);
	order(&self->target, GET_PPID, "");
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_TEXT(self->t->out_text, " linux_sched_wakeup: cpu ");
	EXPECT_TEXT(self->t->out_text, " linux_sched_in: cpu ");
	EXPECT_TEXT(self->t->out_text, ", interruptible\n");
	EXPECT_EQ(0, lines_without(self->t->out_text, " linux_sched_"));
}

TEST_F(tool_events, shows_page_faults)
{
	trace("-e fault");
	order(&self->target, TOUCH, "");
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_TEXT(self->t->out_text, " linux_page_fault: write 0x");
	EXPECT_TEXT(self->t->out_text, ", not present\n");
	EXPECT_EQ(0, lines_without(self->t->out_text, " linux_page_fault: "));
}

/* Its program and its end; how it made a child, but nothing of that. */
TEST_F(tool_events, shows_the_life_of_a_process)
{
	EXPECT_EQ(0, live("-e process -- sh -c sh~-c~'exit~3';~:"));
	EXPECT_EQ(1, count(self->t->err_text, " linux_exec: \"/"));
	EXPECT_EQ(1, count(self->t->err_text, " linux_fork: process "));
	EXPECT_EQ(1, count(self->t->err_text, " linux_exit: exited with 0\n"));
	EXPECT_TEXT(self->t->err_text,
		    "posixtrace: 3 events recorded, 0 lost\n");

	EXPECT_EQ(128 + SIGKILL,
		  live("-e linux_exit -- sh -c kill~-KILL~$$"));
	EXPECT_EQ(2, lines(self->t->err_text));
	EXPECT_TEXT(self->t->err_text, " linux_exit: killed by SIGKILL\n");
}

TEST_F(tool_events, shows_threads)
{
	trace("-e process");
	order(&self->target, TICK_IN_THREAD, "");
	/* It has been joined before it has ended. */
	tool_await(self->t, " linux_thread_exit: ");
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_EQ(1, count(self->t->out_text, " linux_fork: thread "));
	EXPECT_EQ(1, count(self->t->out_text,
			   " linux_thread_exit: exited with 0\n"));
}

/*
 * -e
 */

/* What is not chosen is not recorded: the kernel counts nothing else. */
TEST_F(tool_events, records_only_the_system_calls_asked_for)
{
	trace("-e syscall:getppid");
	order(&self->target, OPEN_NOTHING, "");
	order(&self->target, GET_PPID, "");
	order(&self->target, TICK, "x");
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_EQ(2, lines(self->t->out_text));
	EXPECT_EQ(2, count(self->t->out_text, " getppid"));
	EXPECT_TEXT(self->t->err_text,
		    "posixtrace: 2 events recorded, 0 lost\n");

	trace("-e user,syscall:getppid,openat");
	order(&self->target, OPEN_NOTHING, "");
	order(&self->target, GET_PPID, "");
	order(&self->target, TICK, "x");
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_EQ(2, count(self->t->out_text, " openat"));
	EXPECT_EQ(2, count(self->t->out_text, " getppid"));
	EXPECT_EQ(5, lines(self->t->out_text));
	EXPECT_TEXT(self->t->err_text,
		    "posixtrace: 5 events recorded, 0 lost\n");
}

TEST_F(tool_events, records_only_the_kernel_events_asked_for)
{
	trace("-e linux_syscall_exit,syscall:getppid -e linux_fork");
	order(&self->target, GET_PPID, "");
	order(&self->target, FORK_TICK, "x");
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_EQ(2, lines(self->t->out_text));
	EXPECT_EQ(1, count(self->t->out_text, " getppid = "));
	EXPECT_EQ(1, count(self->t->out_text, " linux_fork: process "));
	EXPECT_TEXT(self->t->err_text,
		    "posixtrace: 2 events recorded, 0 lost\n");
}

TEST_F(tool_events, all_is_all)
{
	trace("-e all");
	order(&self->target, RAISE, "");
	order(&self->target, TOUCH, "");
	order(&self->target, TICK_IN_THREAD, "x");
	tool_await(self->t, " linux_thread_exit: ");
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_TEXT(self->t->out_text, " posix_trace_start: ignores nothing\n");
	EXPECT_TEXT(self->t->out_text, " tick: \"x\"\n");
	EXPECT_TEXT(self->t->out_text, " munmap(");
	EXPECT_TEXT(self->t->out_text, " linux_signal_deliver: SIGUSR1, ");
	EXPECT_TEXT(self->t->out_text, " linux_page_fault: write ");
	EXPECT_TEXT(self->t->out_text, " linux_sched_out: ");
	EXPECT_TEXT(self->t->out_text, " linux_fork: thread ");
	EXPECT_TEXT(self->t->out_text, " linux_thread_exit: ");
	EXPECT_TEXT(self->t->out_text, " posix_trace_stop: as asked\n");
}

/* print takes the same words for what is in the log. */
TEST_F(tool_events, chooses_from_a_log_with_the_same_words)
{
	EXPECT_EQ(0, record("-e all -- sh -c :"));
	EXPECT_EQ(0, print("-e syscall:execve"));
	EXPECT_EQ(2, lines(self->t->out_text));
	EXPECT_EQ(0, print("-e linux_exec,linux_exit"));
	EXPECT_EQ(2, lines(self->t->out_text));
	EXPECT_EQ(0, print("-e process --json"));
	EXPECT_EQ(2, lines(self->t->out_text));
	EXPECT_TEXT(self->t->out_text, ",\"filename\":\"/");
	EXPECT_TEXT(self->t->out_text, ",\"exited\":0}\n");

	EXPECT_EQ(0, record("-e syscall:execve -- sh -c :"));
	EXPECT_TEXT(self->t->err_text,
		    "posixtrace: 2 events recorded, 0 lost; ");
}

/*
 * -f
 */

TEST_F(tool_events, does_not_follow_a_child_unless_asked_to)
{
	trace("-e user");
	order(&self->target, FORK_TICK, "from below");
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_STREQ("", self->t->out_text);

	trace("-f -e user");
	order(&self->target, FORK_TICK, "from below");
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_EQ(1, lines(self->t->out_text));
	EXPECT_TEXT(self->t->out_text, " tick: \"from below\"\n");
}

/* From its first event, under its own number, to its last. */
TEST_F(tool_events, follows_a_child)
{
	char line[64];
	int child;

	EXPECT_EQ(0, live("--inherit -e process -- sh -c sh~-c~'exit~3';~:"));
	child = number_after(self->t->err_text, " linux_fork: process ");
	snprintf(line, sizeof(line), " %d/%d ", child, child);
	EXPECT_EQ(2, count(self->t->err_text, line));
	EXPECT_EQ(2, count(self->t->err_text, " linux_exec: \"/"));
	EXPECT_EQ(1, count(self->t->err_text, " linux_exit: exited with 3\n"));
	EXPECT_EQ(1, count(self->t->err_text, " linux_exit: exited with 0\n"));
	EXPECT_TEXT(self->t->err_text,
		    "posixtrace: 5 events recorded, 0 lost\n");
}

TEST_F(tool_events, follows_all_of_a_pipeline)
{
	EXPECT_EQ(0, live("-fe linux_exit -- sh -c for~i~in~1~2~3~4~5;~do~echo~$i|cat;~done"));
	EXPECT_STREQ("1\n2\n3\n4\n5\n", self->t->out_text);
	EXPECT_EQ(11, count(self->t->err_text, " linux_exit: exited with 0\n"));
	EXPECT_TEXT(self->t->err_text,
		    "posixtrace: 11 events recorded, 0 lost\n");
}

/* Who lives on is followed to the end, though who made it has ended before. */
TEST_F(tool_events, ends_when_all_descendants_have_ended)
{
	EXPECT_EQ(5, live("-f -e process -- sh -c (sleep~0.3;~exit~4)&~exit~5"));
	EXPECT_EQ(1, count(self->t->err_text, " linux_exit: exited with 5\n"));
	EXPECT_EQ(1, count(self->t->err_text, " linux_exit: exited with 4\n"));

	EXPECT_EQ(5, live("-f -e syscall -- sh -c (sleep~0.4;~exit~4)&~sleep~0.2;~exit~5"));
	EXPECT_EQ(1, count(self->t->err_text, " exit_group(5)\n"));
	EXPECT_EQ(1, count(self->t->err_text, " exit_group(4)\n"));
}

/* No event tells of it, and it holds no pipe of ours open. */
TEST_F(tool_events, waits_for_a_child_without_events)
{
	long long begin = now_ms();

	EXPECT_EQ(5, live("-f -e user -- sh -c sleep~0.3~>/dev/null~2>&1&~exit~5"));
	EXPECT_LE(300, now_ms() - begin);
	EXPECT_TEXT(self->t->err_text,
		    "posixtrace: 0 events recorded, 0 lost\n");

	begin = now_ms();
	EXPECT_EQ(5, record("-f -e user -- sh -c sleep~0.3~>/dev/null~2>&1&~exit~5"));
	EXPECT_LE(300, now_ms() - begin);
	EXPECT_TEXT(self->t->err_text,
		    "posixtrace: 0 events recorded, 0 lost; ");
}

/* The command has ended, so the signal is for the trace. */
TEST_F(tool_events, leaves_descendants_that_live_on)
{
	int child;

	tool_start(self->t, ALICE,
		   "live -f -e linux_fork,linux_exit -- sh -c sleep~1000~>/dev/null~2>&1~&");
	tool_await(self->t, " linux_exit: exited with 0\n");
	child = number_after(self->t->err_text, " linux_fork: process ");
	pause_ms(100);
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_EQ(1, count(self->t->err_text, " linux_exit: "));
	EXPECT_EQ(0, kill(child, SIGKILL));
}

TEST_F(tool_events, ends_with_the_descendants_of_a_process)
{
	trace("-f -e process");
	order(&self->target, FORK_TICK, "x");
	order(&self->target, END, "");
	EXPECT_EQ(0, tool_end(self->t));
	EXPECT_EQ(1, count(self->t->out_text, " linux_exit: exited with 3\n"));
	EXPECT_EQ(1, count(self->t->out_text, " linux_exit: exited with 0\n"));
	EXPECT_TEXT(self->t->err_text, " has ended\n");
}

TEST_F(tool_events, records_descendants)
{
	EXPECT_EQ(0, record("-f -e process -- sh -c sh~-c~'exit~3';~:"));
	EXPECT_TEXT(self->t->err_text,
		    "posixtrace: 5 events recorded, 0 lost; ");
	EXPECT_EQ(0, print("-e linux_exit"));
	EXPECT_EQ(2, lines(self->t->out_text));
	EXPECT_TEXT(self->t->out_text, " linux_exit: exited with 3\n");
	EXPECT_EQ(0, tool_run(self->t, ALICE, "info " LOG));
	EXPECT_TEXT(self->t->out_text, " and its children, traced by ");
}

/* A grandchild whose parents have ended, to its last event. */
TEST_F(tool_events, records_who_lives_on)
{
	EXPECT_EQ(5, record("-f -- sh -c (sh~-c~'sleep~0.3;~exit~4'&)&~exit~5"));
	EXPECT_TEXT(self->t->err_text, " 0 lost; ");
	EXPECT_EQ(0, print(""));
	EXPECT_EQ(1, count(self->t->out_text, " exit_group(5)\n"));
	EXPECT_EQ(1, count(self->t->out_text, " exit_group(4)\n"));
	EXPECT_TEXT(strstr(self->t->out_text, " exit_group(5)\n"),
		    " exit_group(4)\n");

	EXPECT_EQ(5, live("-f -- sh -c (sh~-c~'sleep~0.3;~exit~4'&)&~exit~5"));
	EXPECT_EQ(1, count(self->t->err_text, " exit_group(5)\n"));
	EXPECT_EQ(1, count(self->t->err_text, " exit_group(4)\n"));
}

/* It has not been waited for, so that the number is still its own. */
static void await_end(pid_t pid)
{
	struct pollfd fd = { .events = POLLIN };

	fd.fd = syscall(SYS_pidfd_open, pid, 0);
	must_be(fd.fd >= 0 && poll(&fd, 1, WAIT_LIMIT * 1000) == 1);
	close(fd.fd);
}

TEST_F(tool_events, stops_recording_descendants_that_live_on)
{
	int command, child;

	tool_start(self->t, ALICE,
		   "record -f -o " LOG " -- sh -c sleep~1000~>/dev/null~2>&1&~echo~$$~$!");
	tool_await(self->t, "\n");
	must_be(sscanf(self->t->out_text, "%d %d", &command, &child) == 2);
	await_end(command);
	/* Now the signal is for the recording. */
	EXPECT_EQ(0, tool_interrupt(self->t));
	EXPECT_TEXT(self->t->err_text, " events recorded, 0 lost; ");
	EXPECT_EQ(0, kill(child, SIGKILL));
	EXPECT_EQ(0, print(""));
	EXPECT_EQ(1, count(self->t->out_text, " exit_group(0)\n"));
}

/*
 * A program that the user may not trace
 */

FIXTURE(secret) {
	struct tool *t;
	struct child target;
};

FIXTURE_SETUP(secret)
{
	if (geteuid())
		SKIP(return, "needs root");
	must_be(!system("cp -L /bin/sh " SECRET " && chmod 4755 " SECRET));
	self->t = setup(&self->target);
}

FIXTURE_TEARDOWN(secret)
{
	unlink(SECRET);
	unlink(LOG);
	free(self->t);
}

/* The trace ends, says why, and leaves the command alone. */
TEST_F(secret, program_ends_the_trace)
{
	EXPECT_EQ(7, live("-- " SECRET " -c sleep~0.3;~exit~7"));
	EXPECT_TEXT(self->t->err_text,
		    " (secret-sh) may not be traced any more\n");
	EXPECT_TEXT(self->t->err_text,
		    "  It executed a program that has privileges or that you may not read.\n"
		    "  CAP_SYS_PTRACE (as root, or by sudo) may help.\n");
	EXPECT_NO_TEXT(self->t->err_text, " exit_group(");

	EXPECT_EQ(7, record("-f -- sh -c exec~" SECRET "~-c~'sleep~0.3;~exit~7'"));
	EXPECT_TEXT(self->t->err_text,
		    " (secret-sh) may not be traced any more\n");
}

/* It is nobody's last one. */
TEST_F(secret, program_of_a_child_does_not_end_the_trace)
{
	EXPECT_EQ(5, live("-f -- sh -c " SECRET "~-c~'sleep~0.3;~exit~7';~exit~5"));
	EXPECT_NO_TEXT(self->t->err_text, "may not be traced");
	EXPECT_EQ(1, count(self->t->err_text, " exit_group("));
	EXPECT_EQ(1, count(self->t->err_text, " exit_group(5)\n"));
}

/* Who may trace it goes on. */
TEST_F(secret, program_is_traced_by_root)
{
	EXPECT_EQ(7, tool_run(self->t, 0, "live -- " SECRET " -c exit~7"));
	EXPECT_EQ(1, count(self->t->err_text, " exit_group(7)\n"));
}

TEST_HARNESS_MAIN
