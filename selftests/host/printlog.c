// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command "print", as its user sees it.
 */
#include "tool_run.h"

#include <asm/unistd.h>
#include <linux/audit.h>

TEST_F(tool_log, shows_each_event_as_live_does)
{
	write_whole(self->w);
	save();
	tool_print();
	EXPECT_EQ(0, self->r.status);
	EXPECT_STREQ("", self->r.err);
	EXPECT_EQ(EVENTS, lines(self->r.out));
	EXPECT_TEXT(self->r.out, "22:13:21.000000 1000/2000   user0\n"
		    "22:13:21.000000 1001/2001   user1: 01 02 03 04 05 06 07\n");
	EXPECT_TEXT(self->r.out, "1d 1e 1f...\n");
}

TEST_F(tool_log, shows_each_event_as_a_json_object)
{
	write_whole(self->w);
	save();
	tool_print("--json");
	EXPECT_EQ(0, self->r.status);
	EXPECT_STREQ("", self->r.err);
	EXPECT_EQ(EVENTS, count_json_lines(self->r.out));
	EXPECT_TEXT(self->r.out,
		    "\n{\"time\":\"1700000001.000000001\",\"pid\":1001,\"tid\":2001,\"event\":\"user1\",\"id\":65,\"thread\":\"0x7f0000000001\",\"address\":\"0x400001\",\"data\":\"01020304050607\"}\n");
	EXPECT_EQ(EVENTS / 5, count(self->r.out, ",\"truncated\":true}\n"));
}

/* Names and data come from the traced program. */
TEST_F(tool_log, json_strings_can_be_anything)
{
	static const char quoted[] =
		"\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u007f\\u009b\"";

	log_add_name(self->w, LOG_USER, "\"\\\b\f\n\r\t\x01\x7f\xc2\x9b");
	add_event(self->w, LOG_USER, 0, "say \"hi\"\n", 9);
	add_event(self->w, LOG_USER, 0, "gr\xc3\xbc\xc3\x9f", 7);
	add_event(self->w, LOG_USER, 0, "a\0b", 3);
	add_event(self->w, LOG_USER, 0, "\x1b[2J", 4);
	add_event(self->w, LOG_USER, 0, "gr\xfc", 3);
	add_event(self->w, LOG_USER, 0, "\xc2", 1);
	add_event(self->w, LOG_USER, 0, "", 1);
	finish(self->w);
	save();
	tool_print("--json");
	EXPECT_EQ(0, self->r.status);
	EXPECT_EQ(7, count_json_lines(self->r.out));
	EXPECT_EQ(7, count(self->r.out, quoted));
	EXPECT_TEXT(self->r.out,
		    "\"data\":\"73617920226869220a\",\"text\":\"say \\\"hi\\\"\\n\"}\n");
	EXPECT_TEXT(self->r.out,
		    "\"data\":\"6772c3bcc39f00\",\"text\":\"gr\xc3\xbc\xc3\x9f\"}\n");
	EXPECT_TEXT(self->r.out, "\"data\":\"610062\"}\n");
	EXPECT_TEXT(self->r.out, "\"data\":\"1b5b324a\"}\n");
	EXPECT_TEXT(self->r.out, "\"data\":\"6772fc\"}\n");
	EXPECT_TEXT(self->r.out, "\"data\":\"c2\"}\n");
	EXPECT_TEXT(self->r.out, "\"data\":\"00\"}\n");
	tool_info("--json");
	EXPECT_EQ(1, count_json_lines(self->r.out));
	EXPECT_EQ(1, count(self->r.out, quoted));
}

/* Too long, a surrogate, too large, not at its end, and not at its beginning. */
TEST_F(tool_log, json_strings_are_utf8)
{
	log_add_name(self->w, LOG_USER, "\xc0\xaf-\xed\xa0\x80-\xe0\x9f\xbf");
	log_add_name(self->w, LOG_USER + 1, "\xf4\x90\x80\x80-\xf0\x8f\xbf\xbf");
	log_add_name(self->w, LOG_USER + 2, "\xe2\x82\xe2\x82\xac\x82");
	log_add_name(self->w, LOG_USER + 3, "\xf0\x9f\x98\x80\xff\xf0\x9f\x98");
	finish(self->w);
	save();
	tool_info("--json");
	EXPECT_EQ(1, count_json_lines(self->r.out));
	EXPECT_TEXT(self->r.out,
		    "\"\\ufffd\\ufffd-\\ufffd\\ufffd\\ufffd-\\ufffd\\ufffd\\ufffd\"");
	EXPECT_TEXT(self->r.out,
		    "\"\\ufffd\\ufffd\\ufffd\\ufffd-\\ufffd\\ufffd\\ufffd\\ufffd\"");
	EXPECT_TEXT(self->r.out, "\"\\ufffd\\ufffd\xe2\x82\xac\\ufffd\"");
	EXPECT_TEXT(self->r.out,
		    "\"\xf0\x9f\x98\x80\\ufffd\\ufffd\\ufffd\\ufffd\"");
}

/* The same bytes make the same JSON in any locale. */
TEST_F(tool_log, json_does_not_depend_on_the_locale)
{
	log_add_name(self->w, LOG_USER, "\xe2\x82\xac");
	add_event(self->w, LOG_USER, 0, "\xe2\x82\xac", 3);
	finish(self->w);
	save();
	setenv("LC_ALL", "C", 1);
	tool_print("--json");
	EXPECT_TEXT(self->r.out, "\"event\":\"\xe2\x82\xac\"");
	EXPECT_TEXT(self->r.out, "\"text\":\"\xe2\x82\xac\"");
}

TEST_F(tool_log, json_decodes_what_the_kernel_recorded)
{
	const struct posixtrace_syscall_enter enter = {
		.nr = __NR_openat, .arch = AUDIT_ARCH_X86_64,
		.args = { 1, -1, 0x7fffffffffff, 0, 5, 6 },
	};
	const struct posixtrace_syscall_exit error = {
		.nr = __NR_openat, .arch = AUDIT_ARCH_X86_64, .ret = -2,
	};
	const struct posixtrace_syscall_exit unknown = {
		.nr = -1, .arch = 0, .ret = 1ll << 62,
	};

	add_event(self->w, POSIXTRACE_EV_SYSCALL_ENTER, 0, &enter,
		  sizeof(enter));
	add_event(self->w, POSIXTRACE_EV_SYSCALL_EXIT, 0, &error,
		  sizeof(error));
	add_event(self->w, POSIXTRACE_EV_SYSCALL_EXIT, 0, &unknown,
		  sizeof(unknown));
	add_event(self->w, POSIXTRACE_EV_SYSCALL_EXIT, 0, "short", 5);
	finish(self->w);
	save();
	tool_print("--json");
	EXPECT_EQ(4, count_json_lines(self->r.out));
#ifdef __x86_64__
	EXPECT_TEXT(self->r.out,
		    ",\"syscall\":\"openat\",\"nr\":257,\"arch\":3221225534,\"args\":[\"0x1\",\"0xffffffffffffffff\",\"0x7fffffffffff\",\"0x0\",\"0x5\",\"0x6\"]}\n");
	EXPECT_TEXT(self->r.out,
		    ",\"syscall\":\"openat\",\"nr\":257,\"arch\":3221225534,\"ret\":-2,\"error\":\"ENOENT\"}\n");
#endif
	EXPECT_TEXT(self->r.out,
		    ",\"syscall\":null,\"nr\":-1,\"arch\":0,\"ret\":4611686018427387904}\n");
	EXPECT_TEXT(self->r.out, ",\"data\":\"73686f7274\",\"text\":\"short\"}\n");
}

TEST_F(tool_log, json_decodes_system_events)
{
	struct posixtrace_event_set set[2] = { 0 };
	int yes = 1, no = 0, err = 28;

	set[0].bits[0] = 1 << 9 | 7 << 2;
	memset(set[1].bits + 1, 0xff, sizeof(set[1].bits) - 8);
	add_event(self->w, POSIXTRACE_EV_START, 0, set, sizeof(*set));
	add_event(self->w, POSIXTRACE_EV_FILTER, 0, set, sizeof(set));
	add_event(self->w, POSIXTRACE_EV_STOP, 0, &yes, sizeof(yes));
	add_event(self->w, POSIXTRACE_EV_STOP, 0, &no, sizeof(no));
	add_event(self->w, POSIXTRACE_EV_ERROR, 0, &err, sizeof(err));
	finish(self->w);
	save();
	tool_print("--json");
	EXPECT_EQ(5, count_json_lines(self->r.out));
	EXPECT_TEXT(self->r.out,
		    "\"posix_trace_start\",\"id\":2,\"ignored\":[[2,4],[9,9]]}\n");
	EXPECT_TEXT(self->r.out,
		    ",\"was_ignored\":[[2,4],[9,9]],\"ignored\":[[64,1023]]}\n");
	EXPECT_TEXT(self->r.out, ",\"automatic\":true}\n");
	EXPECT_TEXT(self->r.out, ",\"automatic\":false}\n");
	EXPECT_TEXT(self->r.out, ",\"error\":\"ENOSPC\",\"errno\":28}\n");
}

/* Not followed is not traced: nothing else tells of it. */
TEST_F(tool_log, info_tells_how_many_children_were_missed)
{
	const struct posixtrace_status status = { .missed_children = 17 };

	write_whole(self->w);
	save();
	tool_info();
	EXPECT_EQ(NULL, strstr(self->r.out, "not followed"));
	log_finish(self->w, &status);
	save();
	tool_info();
	EXPECT_TEXT(self->r.out, "\nnot followed    17\n");
	tool_info("--json");
	EXPECT_TEXT(self->r.out, ",\"missed_children\":17}");
}

/* A type whose name was lost is a number, its events are there. */
TEST_F(tool_log, an_event_without_a_name_is_shown)
{
	log_add(self->w, 6);
	finish(self->w);
	save();
	tool_print();
	EXPECT_EQ(0, self->r.status);
	EXPECT_EQ(6, lines(self->r.out));
	EXPECT_TEXT(self->r.out, " event_64\n");
	tool_print("--json");
	EXPECT_EQ(2, count(self->r.out, ",\"event\":null,\"id\":65,"));
	tool_info();
	EXPECT_TEXT(self->r.out, "    64  (its name is missing)\n");
}

/*
 * Choosing events
 */

TEST_F(tool_log, chooses_events_by_name_and_class)
{
	log_add_name(self->w, LOG_USER + 9, "a,b");
	add_event(self->w, LOG_USER + 9, 0, "", 0);
	add_event(self->w, POSIXTRACE_EV_STOP, 0, "", 0);
	add_event(self->w, POSIXTRACE_EV_UNNAMED, 0, "", 0);
	write_whole(self->w);
	save();
	tool_print("-e", "user1");
	EXPECT_EQ(0, self->r.status);
	EXPECT_EQ(EVENTS / 3, count(self->r.out, " user1"));
	EXPECT_EQ(EVENTS / 3, lines(self->r.out));
	tool_print("-e", "user1,user2");
	EXPECT_EQ(EVENTS / 3 * 2, lines(self->r.out));
	tool_print("-e", "user1", "--events=user2", "--json");
	EXPECT_EQ(EVENTS / 3 * 2, count_json_lines(self->r.out));
	tool_print("-e", "user");
	EXPECT_EQ(EVENTS + 2, lines(self->r.out));
	tool_print("-e", "system,user0");
	EXPECT_EQ(EVENTS / 3 + 1, lines(self->r.out));
	tool_print("-e", "syscall");
	EXPECT_STREQ("", self->r.out);
	tool_print("-e", "all");
	EXPECT_EQ(EVENTS + 3, lines(self->r.out));
	/* A name with a comma in it, given alone. */
	tool_print("-e", "a,b");
	EXPECT_EQ(1, lines(self->r.out));
}

TEST_F(tool_log, chooses_events_by_process)
{
	write_whole(self->w);
	save();
	tool_print("-p", "1003");
	EXPECT_EQ(EVENTS / 10, lines(self->r.out));
	EXPECT_EQ(EVENTS / 10, count(self->r.out, " 1003/"));
	tool_print("-p", "1003", "-e", "user0");
	EXPECT_EQ(EVENTS / 30, lines(self->r.out));
	tool_print("-p", "5");
	EXPECT_STREQ("", self->r.out);
}

/* 2023-11-14 22:13:20 and some, when the log began, is second 1700000000. */
static const struct moment {
	const char *since;
	const char *until;
	const char *zone;
	unsigned int events;
} moments[] = {
	{ "22:13:21", "22:13:29", "UTC", 9 },
	{ "22:13:25", "22:13:25", "UTC", 1 },
	{ "22:13:24.000001", "22:13:25", "UTC", 1 },
	{ "22:13", "22:13:22.5", "UTC", 2 },
	{ "22:14", "23:59", "UTC", 0 },
	{ "17:13:25", "17:13:26", "EST5", 2 },
	{ "2023-11-14T22:13:25", "2023-11-14 22:13:26", "UTC", 2 },
	{ "2023-11-15T00:00", "2023-11-16T00:00", "UTC", 0 },
	{ "2023-11-13T00:00", "2023-11-16T00:00", "UTC", 9 },
	{ "@1700000001", "@1700000002.999999", "UTC", 2 },
	{ "@0", "@1700000003", "UTC", 3 },
	{ "+0", "+3.876543211", "UTC", 4 },
	{ "+0.876543211", "+0.876543211", "UTC", 1 },
};

/* Both ends belong to it, to the microsecond that is shown. */
TEST_F(tool_log, chooses_events_by_time)
{
	size_t i;

	log_add_users(self->w);
	/* 999 ns later, which nobody sees. */
	for (i = 0; i < 9; i++)
		add_event(self->w, LOG_USER, i * 1000000000ull + 999, "", 0);
	finish(self->w);
	save();
	for (i = 0; i < ARRAY_SIZE(moments); i++) {
		const struct moment *m = &moments[i];

		setenv("TZ", m->zone, 1);
		tool_print("--since", m->since, "--until", m->until);
		EXPECT_EQ(0, self->r.status);
		EXPECT_EQ(m->events, lines(self->r.out))
			TH_LOG("%s to %s", m->since, m->until);
	}
}

/* Where events are missing must not go unseen. */
TEST_F(tool_log, shows_gaps_whatever_is_chosen)
{
	write_whole(self->w);
	add_event(self->w, POSIXTRACE_EV_OVERFLOW, 0, "", 0);
	add_event(self->w, POSIXTRACE_EV_RESUME, 0, "", 0);
	finish(self->w);
	save();
	tool_print("-e", "syscall", "-p", "5");
	EXPECT_EQ(2, lines(self->r.out));
	EXPECT_TEXT(self->r.out, "posix_trace_overflow\n");
	EXPECT_TEXT(self->r.out, "posix_trace_resume\n");
	tool_print("--until", "22:13:20.9");
	EXPECT_STREQ("", self->r.out);
}

/*
 * The command line
 */

static const struct mistake {
	const char *words[4];
	const char *text;
} mistakes[] = {
	{ { "print", "-x" }, "there is no option -x\n  See: posixtrace print --help" },
	{ { "print", "-e" }, "-e needs an argument\n" },
	{ { "print", "-p", "x" }, "-p x: this should be the number of a process\n" },
	{ { "print", "a", "b" }, "one FILE at a time: what is b?\n" },
	{ { "print", "--since", "" }, "--since : this should be a time, such as" },
	{ { "print", "--since", "noon" },
	  "--since noon: this should be a time, such as 14:03:07.5, 2026-11-30T14:03 or +1.5\n" },
	{ { "print", "--since", "14" }, "--since 14: this" },
	{ { "print", "--since", "25:00" }, "--since 25:00: this" },
	{ { "print", "--since", "14:03x" }, "--since 14:03x: this" },
	{ { "print", "--since", "14:03:07." }, "--since 14:03:07.: this" },
	{ { "print", "--since", "14:03:07.0123456789" }, ": this should be" },
	{ { "print", "--since", "2023-11-14" }, "--since 2023-11-14: this" },
	{ { "print", "--until", "+" }, "--until +: this should be" },
	{ { "print", "--until", "+-1" }, "--until +-1: this should be" },
	{ { "print", "--until", "@99999999999" }, ": this should be" },
	{ { "print", "--until", "@1e3" }, "--until @1e3: this should be" },
	{ { "info", "-x" }, "there is no option -x\n  See: posixtrace info --help" },
	{ { "info", "a", "b" }, "one FILE at a time: what is b?\n" },
};

TEST_F(tool_log, tells_what_is_wrong_with_a_command_line)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(mistakes); i++) {
		const char * const *w = mistakes[i].words;

		tool(w[0], w[1], w[2]);
		EXPECT_EQ(2, self->r.status);
		EXPECT_STREQ("", self->r.out);
		EXPECT_TEXT(self->r.err, mistakes[i].text);
	}
	write_whole(self->w);
	save();
	tool_print("-e", "user0,user7");
	EXPECT_EQ(2, self->r.status);
	EXPECT_TEXT(self->r.err, "posixtrace: there is no event 'user7' in /tmp/");
	EXPECT_TEXT(self->r.err, "\n  Classes are user, syscall, sched, ");
}

TEST_F(tool_log, gives_help)
{
	tool("print", "--help");
	EXPECT_EQ(0, self->r.status);
	EXPECT_TEXT(self->r.out, "Usage: posixtrace print ");
	EXPECT_TEXT(self->r.out, "Exit status: ");
	tool("info", "--help");
	EXPECT_EQ(0, self->r.status);
	EXPECT_TEXT(self->r.out, "Usage: posixtrace info ");
	EXPECT_TEXT(self->r.out, "Exit status: ");
}

/*
 * Output
 */

TEST_F(tool_log, tells_that_it_can_not_write)
{
	char line[sizeof(tool_path) + 128];
	FILE *f;

	write_whole(self->w);
	save();
	snprintf(line, sizeof(line), "%s print %s 2>&1 >/dev/full", tool_path,
		 self->path);
	f = popen(line, "re");
	ASSERT_NE(NULL, f);
	EXPECT_NE(NULL, fgets(line, sizeof(line), f));
	EXPECT_STREQ("posixtrace: cannot write: No space left on device\n",
		     line);
	EXPECT_EQ(1, WEXITSTATUS(pclose(f)));
}

/* Enough options that room for them is asked for; an end, too. */
#define MANY_OPTIONS	20000

/*
 * With ever more memory: what it has to begin with is enough at some time, and
 * what it asks for then is not.
 */
TEST_F(tool_log, tells_that_there_is_not_enough_memory)
{
	static const char * const first[] = { "posixtrace", "print", "-h" };
	static char *words[MANY_OPTIONS + 1];
	bool told = false;
	int i;

	find_tool("../posixtrace");
	if (access(tool_path, X_OK))
		SKIP(return, "it is not built");
	for (i = 0; i < MANY_OPTIONS; i++)
		words[i] = (char *)first[i < 3 ? i : 2];
	for (data_limit = 65536; !told; data_limit += 65536) {
		done(&self->r);
		self->r = run_words(words);
		ASSERT_NE(0, self->r.status);
		told = strstr(self->r.err, "there is not enough memory");
	}
	EXPECT_EQ(1, self->r.status);
	EXPECT_STREQ("", self->r.out);
	EXPECT_STREQ("posixtrace: there is not enough memory\n", self->r.err);
}

/* A reader that has enough is no error. */
TEST_F(tool_log, ends_when_nobody_reads)
{
	char *const words[] = { "posixtrace", "print", self->path, NULL };
	int out[2], status;
	pid_t pid;

	write_whole(self->w);
	save();
	ASSERT_EQ(0, pipe(out));
	pid = fork();
	if (!pid) {
		dup2(out[1], STDOUT_FILENO);
		close(out[0]);
		close(out[1]);
		execv(tool_path, words);
		_exit(99);
	}
	close(out[0]);
	close(out[1]);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
}

/* A log with @blocks blocks of 3000 events. */
static void save_large(struct log_writer *w, const char *path,
		       unsigned int blocks)
{
	static unsigned char block[LOG_FILE_MAX];
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	struct posixtrace_log_block *header = (void *)block;
	__u64 at = POSIXTRACE_LOG_EVENTS_AT;
	unsigned int i;

	log_add_users(w);
	log_add_block(w, 3000);
	memcpy(block, w->bytes + w->places[0].offset, w->places[0].size);
	if (fd < 0 || write(fd, w->bytes, w->size) < 0)
		abort();
	for (i = 0; i < blocks; i++) {
		header->offset = at;
		header->sequence = i;
		log_seal(header);
		if (pwrite(fd, block, header->size, at) != header->size)
			abort();
		at += header->size;
	}
	close(fd);
}

/* The log has 20 MB, and as JSON much more. Tried with the tool for users. */
TEST_F(tool_log, takes_no_more_memory_for_a_large_log)
{
	find_tool("../posixtrace");
	if (access(tool_path, X_OK))
		SKIP(return, "it is not built");
	save_large(self->w, self->path, 100);
	memory_limit = 16 * 1024 * 1024;
	tool_print("--json", "-e", "user0");
	EXPECT_EQ(3, self->r.status);
	EXPECT_EQ(100 * 1000, lines(self->r.out));
	EXPECT_TEXT(self->r.err, " is not finished: ");
	tool_info();
	EXPECT_EQ(3, self->r.status);
	EXPECT_TEXT(self->r.out, "in the log      300000 events in 100 blocks\n");
}

TEST_HARNESS_MAIN
