// SPDX-License-Identifier: GPL-2.0-only
/*
 * The words behind -e: what "print" shows of a log, and what all commands say of
 * words that they do not know.
 */
#include "tool_run.h"

#include <linux/audit.h>
#include <sys/syscall.h>

static void add_call(struct log_writer *w, __u32 arch, int nr)
{
	const struct posixtrace_syscall_enter enter = { .nr = nr, .arch = arch };
	const struct posixtrace_syscall_exit exit = { .nr = nr, .arch = arch };

	add_event(w, POSIXTRACE_EV_SYSCALL_ENTER, 0, &enter, sizeof(enter));
	add_event(w, POSIXTRACE_EV_SYSCALL_EXIT, 0, &exit, sizeof(exit));
}

/* One of each type, three system calls and a call of a 32-bit program. */
static void write_each(struct log_writer *w)
{
	static const char data[64];
	unsigned int id;

	log_add_name(w, LOG_USER, "tick");
	for (id = 1; id < POSIXTRACE_EV_KERNEL_END; id++) {
		if (id == POSIXTRACE_EV_STANDARD_END)
			id = POSIXTRACE_EV_SCHED_IN;
		add_event(w, id, 0, data, sizeof(data));
	}
	add_event(w, LOG_USER, 0, "x", 1);
	add_call(w, AUDIT_ARCH_X86_64, SYS_read);
	add_call(w, AUDIT_ARCH_X86_64, SYS_openat);
	add_call(w, AUDIT_ARCH_X86_64, SYS_close);
	add_call(w, AUDIT_ARCH_I386, 3);	/* read */
	finish(w);
}

#define GAPS	3	/* posix_trace_error, _overflow, _resume */
#define CALLS	8

static const struct chosen {
	const char *words[6];
	unsigned int events;
	const char *text;
} chosen[] = {
	{ { "-e", "user" }, 2, " tick: \"x\"" },
	{ { "-e", "syscall" }, CALLS, " i386:read(" },
	{ { "-e", "sched" }, 3, " linux_sched_wakeup: " },
	{ { "-e", "signal" }, 2, " linux_signal_deliver: " },
	{ { "-e", "process" }, 4, " linux_thread_exit: " },
	{ { "-e", "fault" }, 1, " linux_page_fault: " },
	{ { "-e", "system" }, 8 - GAPS, " posix_trace_flush_stop" },
	{ { "-e", "all" }, 9 - GAPS + 10 + 1 + CALLS, "" },
	{ { "-e", "linux_fork" }, 1, " linux_fork: " },
	{ { "-e", "linux_fork,linux_exit" }, 2, " linux_exit: " },
	{ { "-e", "linux_fork", "-e", "linux_exit,fault,tick" }, 4, " tick" },
	{ { "-e", "posix_trace_stop" }, 1, " posix_trace_stop: as asked" },
	{ { "-e", "linux_syscall_exit" }, CALLS / 2, " i386:read = 0" },
	/* Of system calls only these. */
	{ { "-e", "syscall:read" }, 4, " i386:read = 0" },
	{ { "-e", "syscall:openat" }, 2, " openat(" },
	{ { "-e", "syscall:openat,close" }, 4, " close = 0" },
	{ { "-e", "syscall:openat", "-e", "syscall:close" }, 4, " close = 0" },
	{ { "-e", "tick,syscall:openat" }, 3, " tick" },
	{ { "-e", "syscall:openat", "-e", "tick" }, 3, " tick" },
	{ { "-e", "syscall", "-e", "syscall:openat" }, 2, " openat = " },
	{ { "-e", "all", "-e", "syscall:openat" },
	  9 - GAPS + 10 + 1 + 2, " openat(" },
	{ { "-e", "linux_syscall_exit,syscall:openat" }, 1, " openat = 0" },
	{ { "-e", "syscall:openat", "-e", "linux_syscall_enter" }, 1,
	  " openat(" },
	{ { "-e", "syscall:vfork" }, 0, "" },
};

TEST_F(tool_log, chooses_events_by_class_type_and_call)
{
	size_t i;

	write_each(self->w);
	save();
	for (i = 0; i < ARRAY_SIZE(chosen); i++) {
		const struct chosen *c = &chosen[i];

		tool("print", self->path, c->words[0], c->words[1],
		     c->words[2], c->words[3]);
		EXPECT_EQ(0, self->r.status);
		EXPECT_EQ(c->events + GAPS, lines(self->r.out))
			TH_LOG("-e %s %s:\n%s", c->words[1],
			       c->words[3] ? c->words[3] : "", self->r.out);
		EXPECT_TEXT(self->r.out, c->text);
		tool("print", "--json", self->path, c->words[0], c->words[1],
		     c->words[2], c->words[3]);
		EXPECT_EQ((long)c->events + GAPS, count_json_lines(self->r.out));
	}
}

/* What the system call is cannot be known. */
TEST_F(tool_log, leaves_out_calls_without_a_number)
{
	add_event(self->w, POSIXTRACE_EV_SYSCALL_ENTER, 0, "1234567", 7);
	add_event(self->w, POSIXTRACE_EV_SYSCALL_EXIT, 0, "", 0);
	add_call(self->w, AUDIT_ARCH_X86_64, -1);
	add_call(self->w, AUDIT_ARCH_X86_64, 1 << 30);
	add_call(self->w, 0, SYS_read);
	finish(self->w);
	save();
	tool_print("-e", "syscall:read");
	EXPECT_EQ(0, self->r.status);
	EXPECT_STREQ("", self->r.out);
	tool_print("-e", "syscall");
	EXPECT_EQ(8, lines(self->r.out));
}

/* A traced program chooses names as it likes. */
TEST_F(tool_log, finds_names_that_are_words_of_ours)
{
	log_add_name(self->w, LOG_USER, "syscall:read");
	log_add_name(self->w, LOG_USER + 1, "linux_fork");
	log_add_name(self->w, LOG_USER + 2, "sched");
	add_event(self->w, LOG_USER, 0, "a", 1);
	add_event(self->w, LOG_USER + 1, 0, "b", 1);
	add_event(self->w, LOG_USER + 2, 0, "c", 1);
	finish(self->w);
	save();
	tool_print("-e", "syscall:read");
	EXPECT_EQ(1, lines(self->r.out));
	EXPECT_TEXT(self->r.out, " syscall:read: \"a\"\n");
	tool_print("-e", "linux_fork");
	EXPECT_EQ(1, lines(self->r.out));
	EXPECT_TEXT(self->r.out, " linux_fork: \"b\"\n");
	tool_print("-e", "sched,linux_fork");
	EXPECT_EQ(2, lines(self->r.out));
}

static const struct mistake {
	const char *list;
	const char *text;
} mistakes[] = {
	{ "user,foo", "posixtrace: -e user,foo: there is no class or kernel event 'foo'\n" },
	{ "foo", "\n  Classes are user, syscall, sched, signal, process, fault, system, all.\n" },
	{ "user,", "there is no class or kernel event ''\n  Classes are user, " },
	{ "", "-e : there is no class or kernel event ''\n  Classes are user, " },
	{ "users", "-e users: there is no class or kernel event 'users'\n  Did you mean user?\n" },
	{ "linux_frok", "'linux_frok'\n  Did you mean linux_fork?\n" },
	{ "page_fault", "'page_fault'\n  Did you mean linux_page_fault?\n" },
	{ "posix_trace_stopp", "'posix_trace_stopp'\n  Did you mean posix_trace_stop?\n" },
	{ "openat", "'openat'\n  As a system call: syscall:openat.\n" },
	{ "fork", "Did you mean linux_fork?\n  As a system call: syscall:fork.\n" },
	{ "syscall:opneat", "posixtrace: there is no system call 'opneat'\n" },
	{ "read,syscall:opneat", "'read'\n" },
	{ "user,syscall:opneat", "\n  Did you mean openat?\n" },
	{ "syscall:raed", "'raed'\n  Did you mean read?\n" },
	{ "syscall:wait", "'wait'\n  Did you mean wait4?\n" },
	{ "syscall:read,linux_fork", "posixtrace: there is no system call 'linux_fork'\n  " },
	{ "syscall:qqqqqqqq", "'qqqqqqqq'\n  syscalls(2) lists them.\n" },
	{ "syscall:", "there is no system call ''\n  syscalls(2) lists them.\n" },
	{ "syscall:read,", "there is no system call ''\n" },
	{ "syscall:READ", "there is no system call 'READ'\n" },
	{ "syscall:0", "there is no system call '0'\n" },
};

TEST_F(tool_log, says_which_word_it_does_not_know)
{
	char long_name[200];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(mistakes); i++) {
		tool("live", "-p", "1", "-e", mistakes[i].list);
		EXPECT_EQ(2, self->r.status);
		EXPECT_TEXT(self->r.err, mistakes[i].text);
		tool("record", "-p", "1", "-e", mistakes[i].list);
		EXPECT_EQ(2, self->r.status);
		EXPECT_TEXT(self->r.err, mistakes[i].text);
	}
	memset(long_name, 'r', sizeof(long_name));
	memcpy(long_name, "syscall:", 8);
	long_name[sizeof(long_name) - 1] = '\0';
	tool("live", "-p", "1", "-e", long_name);
	EXPECT_EQ(2, self->r.status);
	EXPECT_TEXT(self->r.err, "rrr'\n  syscalls(2) lists them.\n");
}

TEST_F(tool_log, says_which_word_is_not_in_the_log)
{
	write_each(self->w);
	save();
	tool_print("-e", "tick,tock");
	EXPECT_EQ(2, self->r.status);
	EXPECT_STREQ("", self->r.out);
	EXPECT_TEXT(self->r.err, "posixtrace: there is no event 'tock' in /tmp/");
	EXPECT_TEXT(self->r.err, "\n  posixtrace info /tmp/");
	EXPECT_TEXT(self->r.err, " tells which there are.\n");
	tool_print("-e", "linux_frok");
	EXPECT_EQ(2, self->r.status);
	EXPECT_TEXT(self->r.err, "  Did you mean linux_fork?\n");
	tool_print("-e", "tick,syscall:opneat");
	EXPECT_EQ(2, self->r.status);
	EXPECT_TEXT(self->r.err, "posixtrace: there is no system call 'opneat'\n");
}

/* Each class, and each kernel event in one of them. */
TEST_F(tool_log, help_lists_the_words)
{
	static const char * const commands[] = { "live", "record", "print" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		tool(commands[i], "--help");
		EXPECT_EQ(0, self->r.status);
		EXPECT_TEXT(self->r.out, "\n  sched               when its");
		EXPECT_TEXT(self->r.out,
			    "\n                      linux_fork, linux_exec, linux_thread_exit, linux_exit\n");
		EXPECT_TEXT(self->r.out, "syscall:openat,read");
	}
}

TEST_HARNESS_MAIN
