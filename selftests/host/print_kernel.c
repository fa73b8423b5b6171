// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel events as "print" shows them, as text and as JSON: all of the line behind
 * what each event has.
 */
#include "tool_run.h"

#include <signal.h>

/* What add_event() makes of each. */
#define TEXT_HEAD	"22:13:21.000000 1000/2000   "
#define JSON_HEAD \
	"{\"time\":\"1700000001.000000000\",\"pid\":1000,\"tid\":2000,\"event\":"

static const struct kernel_event {
	unsigned int id;
	size_t size;
	const char *name;
} kernel_events[] = {
	{ POSIXTRACE_EV_SYSCALL_ENTER, 56, "linux_syscall_enter" },
	{ POSIXTRACE_EV_SYSCALL_EXIT, 16, "linux_syscall_exit" },
	{ POSIXTRACE_EV_SCHED_IN, 8, "linux_sched_in" },
	{ POSIXTRACE_EV_SCHED_OUT, 8, "linux_sched_out" },
	{ POSIXTRACE_EV_SCHED_WAKEUP, 8, "linux_sched_wakeup" },
	{ POSIXTRACE_EV_SIGNAL_GENERATE, 20, "linux_signal_generate" },
	{ POSIXTRACE_EV_SIGNAL_DELIVER, 24, "linux_signal_deliver" },
	{ POSIXTRACE_EV_FORK, 8, "linux_fork" },
	{ POSIXTRACE_EV_EXEC, 4, "linux_exec" },
	{ POSIXTRACE_EV_THREAD_EXIT, 4, "linux_thread_exit" },
	{ POSIXTRACE_EV_EXIT, 4, "linux_exit" },
	{ POSIXTRACE_EV_PAGE_FAULT, 16, "linux_page_fault" },
};

static void add_names(struct log_writer *w)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kernel_events); i++)
		log_add_name(w, kernel_events[i].id, kernel_events[i].name);
}

/* One event of the log; what is seen of it. */
struct shown {
	char text[2048];
	char json[2048];
};

static void keep_line(char *line, size_t size, const struct run *r)
{
	snprintf(line, size, "%.*s", (int)strcspn(r->out, "\n"), r->out);
}

static struct shown show(struct log_writer *w, const char *path,
			 unsigned int id, const void *data, size_t size)
{
	struct shown s;
	struct run r;

	log_begin_over(w, 1, POSIXTRACE_POLICY_APPEND, 0);
	add_names(w);
	add_event(w, id, 0, data, size);
	finish(w);
	save_bytes(path, w->bytes, w->size);
	r = run("print", path, NULL);
	keep_line(s.text, sizeof(s.text), &r);
	done(&r);
	r = run("print", "--json", path, NULL);
	if (count_json_lines(r.out) != 1)
		abort();
	keep_line(s.json, sizeof(s.json), &r);
	done(&r);
	return s;
}

#define EXPECT_SHOWN(id, data, size, text_is, json_is) do {		\
	struct shown seen = show(self->w, self->path, id, data, size); \
									\
	EXPECT_STREQ(TEXT_HEAD text_is, seen.text);			\
	EXPECT_STREQ(JSON_HEAD json_is "}", seen.json);			\
} while (0)

/* As EXPECT_SHOWN(), of a struct whose first values follow. */
#define EXPECT_EVENT(id, type, values, text_is, json_is) do {		\
	const struct type event = values;				\
									\
	EXPECT_SHOWN(id, &event, sizeof(event), text_is, json_is);	\
} while (0)

#define V(...)	{ __VA_ARGS__ }

TEST_F(tool_log, shows_scheduling)
{
	EXPECT_EVENT(POSIXTRACE_EV_SCHED_IN, posixtrace_sched, V(3, 0),
		     "linux_sched_in: cpu 3",
		     "\"linux_sched_in\",\"id\":18,\"cpu\":3");
	EXPECT_EVENT(POSIXTRACE_EV_SCHED_WAKEUP, posixtrace_sched, V(0, 0),
		     "linux_sched_wakeup: cpu 0",
		     "\"linux_sched_wakeup\",\"id\":20,\"cpu\":0");
}

TEST_F(tool_log, shows_states_by_name)
{
	static const char * const names[] = {
		"runnable", "interruptible", "uninterruptible", "stopped",
		"traced", "other",
	};
	struct posixtrace_sched sched = { .cpu = 1 };
	struct shown s;
	char line[256];

	for (sched.state = 0; sched.state < ARRAY_SIZE(names); sched.state++) {
		s = show(self->w, self->path, POSIXTRACE_EV_SCHED_OUT, &sched,
			 sizeof(sched));
		snprintf(line, sizeof(line), TEXT_HEAD "linux_sched_out: cpu 1, %s",
			 names[sched.state]);
		EXPECT_STREQ(line, s.text);
		snprintf(line, sizeof(line), ",\"cpu\":1,\"state\":\"%s\"}",
			 names[sched.state]);
		EXPECT_TEXT(s.json, line);
	}
	EXPECT_EVENT(POSIXTRACE_EV_SCHED_OUT, posixtrace_sched, V(-1, 6),
		     "linux_sched_out: cpu 4294967295, state 6",
		     "\"linux_sched_out\",\"id\":19,\"cpu\":4294967295,\"state\":\"6\"");
}

TEST_F(tool_log, shows_signals_that_are_sent)
{
	EXPECT_EVENT(POSIXTRACE_EV_SIGNAL_GENERATE, posixtrace_signal_generate,
		     V(77, SIGUSR1, SI_USER, 1, POSIXTRACE_SIGNAL_DELIVERED),
		     "linux_signal_generate: SIGUSR1, SI_USER, from 77, to process, delivered",
		     "\"linux_signal_generate\",\"id\":21,\"signal\":\"SIGUSR1\",\"signo\":10,\"code\":\"SI_USER\",\"si_code\":0,\"sender\":77,\"to\":\"process\",\"result\":\"delivered\"");
	EXPECT_EVENT(POSIXTRACE_EV_SIGNAL_GENERATE, posixtrace_signal_generate,
		     V(0, SIGSEGV, SI_KERNEL, 0, POSIXTRACE_SIGNAL_IGNORED),
		     "linux_signal_generate: SIGSEGV, SI_KERNEL, to thread, ignored",
		     "\"linux_signal_generate\",\"id\":21,\"signal\":\"SIGSEGV\",\"signo\":11,\"code\":\"SI_KERNEL\",\"si_code\":128,\"sender\":null,\"to\":\"thread\",\"result\":\"ignored\"");
	EXPECT_EVENT(POSIXTRACE_EV_SIGNAL_GENERATE, posixtrace_signal_generate,
		     V(77, 37, SI_QUEUE, 1, POSIXTRACE_SIGNAL_OVERFLOW),
		     "linux_signal_generate: SIGRTMIN+3, SI_QUEUE, from 77, to process, overflow",
		     "\"linux_signal_generate\",\"id\":21,\"signal\":\"SIGRTMIN+3\",\"signo\":37,\"code\":\"SI_QUEUE\",\"si_code\":-1,\"sender\":77,\"to\":\"process\",\"result\":\"overflow\"");
	EXPECT_EVENT(POSIXTRACE_EV_SIGNAL_GENERATE, posixtrace_signal_generate,
		     V(77, SIGHUP, SI_TKILL, 0, POSIXTRACE_SIGNAL_PENDING),
		     "linux_signal_generate: SIGHUP, SI_TKILL, from 77, to thread, already pending",
		     "\"linux_signal_generate\",\"id\":21,\"signal\":\"SIGHUP\",\"signo\":1,\"code\":\"SI_TKILL\",\"si_code\":-6,\"sender\":77,\"to\":\"thread\",\"result\":\"already pending\"");
	EXPECT_EVENT(POSIXTRACE_EV_SIGNAL_GENERATE, posixtrace_signal_generate,
		     V(77, SIGHUP, SI_USER, 0, POSIXTRACE_SIGNAL_LOST_INFO),
		     "linux_signal_generate: SIGHUP, SI_USER, from 77, to thread, lost info",
		     "\"linux_signal_generate\",\"id\":21,\"signal\":\"SIGHUP\",\"signo\":1,\"code\":\"SI_USER\",\"si_code\":0,\"sender\":77,\"to\":\"thread\",\"result\":\"lost info\"");
}

/* A log can say anything. */
TEST_F(tool_log, shows_signals_without_a_name)
{
	EXPECT_EVENT(POSIXTRACE_EV_SIGNAL_GENERATE, posixtrace_signal_generate,
		     V(-1, 33, 1234, 7, 5),
		     "linux_signal_generate: signal 33, code 1234, from -1, to process, result 5",
		     "\"linux_signal_generate\",\"id\":21,\"signal\":null,\"signo\":33,\"code\":null,\"si_code\":1234,\"sender\":-1,\"to\":\"process\",\"result\":\"5\"");
	EXPECT_EVENT(POSIXTRACE_EV_SIGNAL_DELIVER, posixtrace_signal_deliver,
		     V(0, -5, INT_MIN, -1, -1),
		     "linux_signal_deliver: signal -5, code -2147483648, handler 0xffffffffffffffff, flags 0xfbffffff",
		     "\"linux_signal_deliver\",\"id\":22,\"signal\":null,\"signo\":-5,\"code\":null,\"si_code\":-2147483648,\"sender\":null,\"handler\":\"0xffffffffffffffff\",\"flags\":\"0xffffffff\"");
}

TEST_F(tool_log, shows_signals_that_are_taken)
{
	EXPECT_EVENT(POSIXTRACE_EV_SIGNAL_DELIVER, posixtrace_signal_deliver,
		     V(77, SIGUSR2, SI_USER, 0x14000000, 0x401136),
		     "linux_signal_deliver: SIGUSR2, SI_USER, from 77, handler 0x401136, flags 0x10000000",
		     "\"linux_signal_deliver\",\"id\":22,\"signal\":\"SIGUSR2\",\"signo\":12,\"code\":\"SI_USER\",\"si_code\":0,\"sender\":77,\"handler\":\"0x401136\",\"flags\":\"0x14000000\"");
	/* The flag that each handler has is left out. */
	EXPECT_EVENT(POSIXTRACE_EV_SIGNAL_DELIVER, posixtrace_signal_deliver,
		     V(77, SIGUSR2, SI_USER, 0x04000000, 0x401136),
		     "linux_signal_deliver: SIGUSR2, SI_USER, from 77, handler 0x401136",
		     "\"linux_signal_deliver\",\"id\":22,\"signal\":\"SIGUSR2\",\"signo\":12,\"code\":\"SI_USER\",\"si_code\":0,\"sender\":77,\"handler\":\"0x401136\",\"flags\":\"0x4000000\"");
	EXPECT_EVENT(POSIXTRACE_EV_SIGNAL_DELIVER, posixtrace_signal_deliver,
		     V(0, SIGSEGV, SEGV_MAPERR, 0, 0),
		     "linux_signal_deliver: SIGSEGV, SEGV_MAPERR, default action",
		     "\"linux_signal_deliver\",\"id\":22,\"signal\":\"SIGSEGV\",\"signo\":11,\"code\":\"SEGV_MAPERR\",\"si_code\":1,\"sender\":null,\"handler\":\"0x0\",\"flags\":\"0x0\"");
	EXPECT_EVENT(POSIXTRACE_EV_SIGNAL_DELIVER, posixtrace_signal_deliver,
		     V(78, SIGCHLD, CLD_EXITED, 0, 1),
		     "linux_signal_deliver: SIGCHLD, CLD_EXITED, from 78, ignored",
		     "\"linux_signal_deliver\",\"id\":22,\"signal\":\"SIGCHLD\",\"signo\":17,\"code\":\"CLD_EXITED\",\"si_code\":1,\"sender\":78,\"handler\":\"0x1\",\"flags\":\"0x0\"");
}

/* The same number means something else with another signal. */
TEST_F(tool_log, shows_codes_by_name)
{
	static const struct {
		int sig;
		int code;
		const char *text;
	} codes[] = {
		{ SIGTERM, SI_DETHREAD, "SIGTERM, SI_DETHREAD, " },
		{ SIGALRM, SI_KERNEL, "SIGALRM, SI_KERNEL, " },
		{ SIGALRM, SI_TIMER, "SIGALRM, SI_TIMER, " },
		{ SIGILL, ILL_ILLOPN, "SIGILL, ILL_ILLOPN, " },
		{ SIGFPE, FPE_INTDIV, "SIGFPE, FPE_INTDIV, " },
		{ SIGBUS, BUS_ADRERR, "SIGBUS, BUS_ADRERR, " },
		{ SIGTRAP, TRAP_BRKPT, "SIGTRAP, TRAP_BRKPT, " },
		{ SIGCHLD, CLD_DUMPED, "SIGCHLD, CLD_DUMPED, " },
		{ SIGPOLL, POLL_HUP, "SIGPOLL, POLL_HUP, " },
		{ SIGSYS, 1, "SIGSYS, SYS_SECCOMP, " },
		{ SIGUSR1, 1, "SIGUSR1, code 1, " },
		{ 34, SI_QUEUE, "SIGRTMIN, SI_QUEUE, " },
		{ 64, SI_QUEUE, "SIGRTMIN+30, SI_QUEUE, " },
		{ 65, SI_QUEUE, "signal 65, SI_QUEUE, " },
	};
	struct posixtrace_signal_deliver event = { 0 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(codes); i++) {
		event.signo = codes[i].sig;
		event.code = codes[i].code;
		EXPECT_TEXT(show(self->w, self->path,
				 POSIXTRACE_EV_SIGNAL_DELIVER, &event,
				 sizeof(event)).text, codes[i].text);
	}
}

TEST_F(tool_log, tells_a_process_from_a_thread)
{
	EXPECT_EVENT(POSIXTRACE_EV_FORK, posixtrace_fork, V(1001, 1001),
		     "linux_fork: process 1001",
		     "\"linux_fork\",\"id\":23,\"child\":\"process\",\"child_pid\":1001,\"child_tid\":1001");
	EXPECT_EVENT(POSIXTRACE_EV_FORK, posixtrace_fork, V(1000, 2001),
		     "linux_fork: thread 2001",
		     "\"linux_fork\",\"id\":23,\"child\":\"thread\",\"child_pid\":1000,\"child_tid\":2001");
	EXPECT_EVENT(POSIXTRACE_EV_FORK, posixtrace_fork, V(0, 0),
		     "linux_fork: process that is not visible",
		     "\"linux_fork\",\"id\":23,\"child\":\"process\",\"child_pid\":null,\"child_tid\":null");
}

/* The data of linux_exec: @length, then the bytes of a string, but for its NUL. */
#define EXPECT_EXEC(name_length, bytes, text_is, json_is) do {		\
	const __u32 head = name_length;					\
	char event[sizeof(head) + sizeof(bytes)] = "";			\
									\
	memcpy(event, &head, sizeof(head));				\
	memcpy(event + sizeof(head), bytes, sizeof(bytes) - 1);		\
	EXPECT_SHOWN(POSIXTRACE_EV_EXEC, event, sizeof(event) - 1,	\
		     "linux_exec: " text_is,				\
		     "\"linux_exec\",\"id\":24,\"filename\":" json_is);	\
} while (0)

TEST_F(tool_log, shows_the_file_that_is_executed)
{
	EXPECT_EXEC(7, "/bin/ls\0", "\"/bin/ls\"",
		    "\"/bin/ls\",\"length\":7");
	EXPECT_EXEC(0, "\0", "\"\"", "\"\",\"length\":0");
}

/* Whoever runs a program chooses the name. */
TEST_F(tool_log, lets_no_file_name_speak_to_the_terminal)
{
	EXPECT_EXEC(9, "a\x1b[2J\"\\\n\xff\0",
		    "\"a\\x1b[2J\\\"\\\\\\n\\xff\"",
		    "\"a\\u001b[2J\\\"\\\\\\n\\ufffd\",\"length\":9");
	EXPECT_EXEC(5, "gr\xc3\xbc\0\0", "\"gr\xc3\xbc\"...",
		    "\"gr\xc3\xbc\",\"length\":5,\"cut\":true");
}

TEST_F(tool_log, tells_that_a_file_name_was_cut)
{
	EXPECT_EXEC(300, "/a/long\0", "\"/a/long\"...",
		    "\"/a/long\",\"length\":300,\"cut\":true");
	/* Without a NUL, or without a name. */
	EXPECT_EXEC(7, "/bin/ls", "\"/bin/ls\"", "\"/bin/ls\",\"length\":7");
	EXPECT_EXEC(0xffffffff, "", "\"\"...",
		    "\"\",\"length\":4294967295,\"cut\":true");
}

TEST_F(tool_log, shows_how_a_process_ended)
{
	EXPECT_EVENT(POSIXTRACE_EV_EXIT, posixtrace_exit, V(3 << 8),
		     "linux_exit: exited with 3",
		     "\"linux_exit\",\"id\":26,\"status\":768,\"exited\":3");
	EXPECT_EVENT(POSIXTRACE_EV_EXIT, posixtrace_exit, V(SIGSEGV | 0x80),
		     "linux_exit: killed by SIGSEGV (core dumped)",
		     "\"linux_exit\",\"id\":26,\"status\":139,\"killed_by\":\"SIGSEGV\",\"signo\":11,\"core_dumped\":true");
	EXPECT_EVENT(POSIXTRACE_EV_EXIT, posixtrace_exit, V(SIGKILL),
		     "linux_exit: killed by SIGKILL",
		     "\"linux_exit\",\"id\":26,\"status\":9,\"killed_by\":\"SIGKILL\",\"signo\":9,\"core_dumped\":false");
	EXPECT_EVENT(POSIXTRACE_EV_THREAD_EXIT, posixtrace_exit, V(0),
		     "linux_thread_exit: exited with 0",
		     "\"linux_thread_exit\",\"id\":25,\"status\":0,\"exited\":0");
	EXPECT_EVENT(POSIXTRACE_EV_EXIT, posixtrace_exit, V(33),
		     "linux_exit: killed by signal 33",
		     "\"linux_exit\",\"id\":26,\"status\":33,\"killed_by\":null,\"signo\":33,\"core_dumped\":false");
	EXPECT_EVENT(POSIXTRACE_EV_EXIT, posixtrace_exit, V(0x137f),
		     "linux_exit: status 0x137f",
		     "\"linux_exit\",\"id\":26,\"status\":4991");
}

TEST_F(tool_log, shows_page_faults)
{
	EXPECT_EVENT(POSIXTRACE_EV_PAGE_FAULT, posixtrace_page_fault,
		     V(0x7f1200000010, 0x4),
		     "linux_page_fault: read 0x7f1200000010, not present",
		     "\"linux_page_fault\",\"id\":27,\"fault_address\":\"0x7f1200000010\",\"access\":\"read\",\"cause\":\"not present\",\"error_code\":\"0x4\"");
	EXPECT_EVENT(POSIXTRACE_EV_PAGE_FAULT, posixtrace_page_fault,
		     V(0, 0x7),
		     "linux_page_fault: write 0x0, protection",
		     "\"linux_page_fault\",\"id\":27,\"fault_address\":\"0x0\",\"access\":\"write\",\"cause\":\"protection\",\"error_code\":\"0x7\"");
	EXPECT_EVENT(POSIXTRACE_EV_PAGE_FAULT, posixtrace_page_fault,
		     V(0x1000, 0x15),
		     "linux_page_fault: exec 0x1000, protection",
		     "\"linux_page_fault\",\"id\":27,\"fault_address\":\"0x1000\",\"access\":\"exec\",\"cause\":\"protection\",\"error_code\":\"0x15\"");
}

/* What is shorter than its struct is not interpreted: it is shown in hex. */
TEST_F(tool_log, does_not_interpret_short_data)
{
	const unsigned char data[64] = { 0 };
	char line[256], hex[200];
	struct shown s;
	size_t i, n;

	for (i = 0; i < ARRAY_SIZE(kernel_events); i++) {
		const struct kernel_event *e = &kernel_events[i];

		s = show(self->w, self->path, e->id, data, e->size - 1);
		for (n = 0; n < e->size - 1; n++)
			memcpy(hex + 3 * n, " 00", 4);
		snprintf(line, sizeof(line), TEXT_HEAD "%s:%s", e->name, hex);
		EXPECT_STREQ(line, s.text);
		EXPECT_TEXT(s.json, ",\"data\":\"000000");

		s = show(self->w, self->path, e->id, data, 0);
		snprintf(line, sizeof(line), TEXT_HEAD "%s", e->name);
		EXPECT_STREQ(line, s.text);
		EXPECT_TEXT(s.json, ",\"data\":\"\"}");
	}
}

/* A newer kernel may add to the end. What was there before is still there. */
TEST_F(tool_log, leaves_out_what_a_newer_kernel_adds)
{
	unsigned char data[4096] = { 0 };
	struct shown exact, more;
	size_t i;

	memset(data + 64, 0xff, sizeof(data) - 64);
	for (i = 0; i < ARRAY_SIZE(kernel_events); i++) {
		const struct kernel_event *e = &kernel_events[i];

		exact = show(self->w, self->path, e->id, data, e->size);
		more = show(self->w, self->path, e->id, data, e->size + 1);
		EXPECT_STREQ(exact.text, more.text);
		EXPECT_STREQ(exact.json, more.json);
		more = show(self->w, self->path, e->id, data, sizeof(data));
		EXPECT_STREQ(exact.text, more.text);
		EXPECT_STREQ(exact.json, more.json);
	}
}

/* What is longer than a name can be is shown all the same. */
TEST_F(tool_log, shows_a_file_name_of_any_length)
{
	char data[1024];
	const __u32 length = 1000;
	struct shown s;

	memset(data, 'a', sizeof(data));
	memcpy(data, &length, sizeof(length));
	s = show(self->w, self->path, POSIXTRACE_EV_EXEC, data, 4 + 1000);
	EXPECT_EQ(strlen(TEXT_HEAD "linux_exec: \"\"") + 1000, strlen(s.text));
	EXPECT_TEXT(s.json, "aaa\",\"length\":1000}");
}

/* One line for each event, nothing that a terminal obeys, and JSON. */
TEST_F(tool_log, takes_any_data)
{
	unsigned char data[300];
	size_t i, size;
	int n;

	srand(5);
	add_names(self->w);
	for (n = 0; n < 2000; n++) {
		size = rand() % sizeof(data);
		for (i = 0; i < size; i++)
			data[i] = rand() % 4 ? rand() : 0;
		add_event(self->w, POSIXTRACE_EV_KERNEL + rand() % 13, 0, data,
			  size);
	}
	finish(self->w);
	save();
	tool_print();
	EXPECT_EQ(0, self->r.status);
	EXPECT_STREQ("", self->r.err);
	EXPECT_EQ(2000, lines(self->r.out));
	EXPECT_EQ(NULL, strpbrk(self->r.out, "\x1b\r\b\a\x7f"));
	tool_print("--json");
	EXPECT_EQ(0, self->r.status);
	EXPECT_EQ(2000, count_json_lines(self->r.out));
	EXPECT_EQ(NULL, strpbrk(self->r.out, "\x1b\r\b\a\x7f"));
}

TEST_HARNESS_MAIN
