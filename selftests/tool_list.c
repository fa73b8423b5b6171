// SPDX-License-Identifier: GPL-2.0-only
/*
 * posixtrace list, monitor and limits on a live system.
 */
#include "abi_test.h"
#include "json_check.h"
#include "tool_test.h"

#define STREAMS		50

static struct tool tool;

FIXTURE(tool_list) {
	int device;
};

FIXTURE_SETUP(tool_list)
{
	if (geteuid())
		SKIP(return, "needs root");
	find_tool();
	self->device = device_open();
}

FIXTURE_TEARDOWN(tool_list)
{
	close(self->device);
}

static struct raw named(int device, const char *name)
{
	struct posixtrace_create arg = create_arg(0);
	struct raw raw;

	memset(arg.name, 0, sizeof(arg.name));
	snprintf(arg.name, sizeof(arg.name), "%s", name);
	must(raw_create(device, &arg, &raw));
	return raw;
}

/* Start the monitor; when it returns, that listens. */
static void monitor_start(struct tool *t, int device, const char *options)
{
	tool_start(t, 0, "monitor %s", options);
	while (!t->out_len) {
		struct pollfd out = { .fd = t->out, .events = POLLIN };

		close(named(device, "first").fd);
		if (poll(&out, 1, 100) > 0)
			tool_read(t);
	}
}

/* The line of @text that begins with the number of a stream; "" if none does. */
static const char *line_of(const char *text, __u64 number)
{
	static char line[256];
	const char *p = text;
	size_t len;

	for (p = text; *p; p += len + !!p[len]) {
		len = strcspn(p, "\n");
		if (strtoull(p, NULL, 10) != number || len >= sizeof(line))
			continue;
		memcpy(line, p, len);
		line[len] = '\0';
		return line;
	}
	return "";
}

TEST_F(tool_list, lists_each_stream_in_a_line_of_80_columns)
{
	struct raw raw[STREAMS];
	char want[128];
	int i;

	for (i = 0; i < STREAMS; i++) {
		snprintf(want, sizeof(want), "name%d", i);
		raw[i] = named(self->device, want);
	}
	must(raw_control(raw[7], POSIXTRACE_IOC_START));
	for (i = 0; i < 10; i++)
		must(raw_record(self->device, POSIXTRACE_EV_UNNAMED, "x", 1));
	EXPECT_EQ(0, tool_run(&tool, 0, "list"));
	EXPECT_STREQ("", tool.err_text);
	EXPECT_GE(80, longest_line(tool.out_text));
	EXPECT_LE(STREAMS + 1, lines(tool.out_text));
	for (i = 0; i < STREAMS; i++) {
		snprintf(want, sizeof(want),
			 "%6llu %7d %7d root     %s %7d       0 name%d",
			 raw[i].number, getpid(), getpid(),
			 i == 7 ? "run " : "stop", i == 7 ? 11 : 0, i);
		EXPECT_STREQ(want, line_of(tool.out_text, raw[i].number));
	}
}

/* What others may have chosen as names. */
static const struct {
	const char *name;
	const char *shown;
} names[] = {
	{ "plain", " plain" },
	{ "two words", " \"two words\"" },
	{ "\033[2Jevil", " \"\\x1b[2Jevil\"" },
	{ "line\nline", " \"line\\nline\"" },
	{ "", " 0 " },
	{ "0123456789012345678", " 0123456789012345678" },
	{ "01234567890123456789", " 012345678901234567~" },
	{ "a\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01", "\\x01\\x01\\x01\\x01~" },
	{ "\xff\xfe", " \"\\xff\\xfe\"" },
};

TEST_F(tool_list, shows_any_name_as_text_that_fits)
{
	char longest[POSIXTRACE_NAME_MAX + 1];
	struct raw raw[ARRAY_SIZE(names)];
	struct raw last;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		raw[i] = named(self->device, names[i].name);
	memset(longest, 0x1b, sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	last = named(self->device, longest);
	EXPECT_EQ(0, tool_run(&tool, 0, "list"));
	EXPECT_GE(80, longest_line(tool.out_text));
	EXPECT_NO_TEXT(tool.out_text, "\033");
	for (i = 0; i < ARRAY_SIZE(names); i++)
		EXPECT_TEXT(line_of(tool.out_text, raw[i].number),
			    names[i].shown);
	EXPECT_TEXT(line_of(tool.out_text, last.number), "\"\\x1b\\x1b");
	EXPECT_EQ(0, tool_run(&tool, 0, "list --json"));
	EXPECT_NO_TEXT(tool.out_text, "\033");
	EXPECT_TEXT(tool.out_text, "\"name\":\"\\u001b[2Jevil\"");
	EXPECT_TEXT(tool.out_text, "\"name\":\"\\ufffd\\ufffd\"");
}

/* These and no others, in the object of the stream. */
static const char * const members[] = {
	"\"uid\":0,\"name\":\"json\",\"running\":true,\"full\":false,",
	",\"overrun\":false,\"flushing\":false,\"has_log\":false,",
	",\"log_full\":false,\"log_overrun\":false,\"error\":0,",
	",\"stream_policy\":\"loop\",\"log_policy\":\"loop\",",
	",\"inherited\":false,\"created\":\"",
	"\",\"stream_size\":65536,\"max_data_size\":256,",
	",\"log_size\":1048576,\"processes\":1,\"recorded\":1,\"lost\":0,",
	",\"overwritten\":0,\"truncated\":0,\"read\":0,\"flushed\":0,",
	",\"log_lost\":0,\"missed_children\":0}",
};

TEST_F(tool_list, lists_all_that_the_kernel_tells_as_json)
{
	struct raw raw = named(self->device, "json");
	struct posixtrace_attr attr = raw_attr(raw);
	char want[256];
	size_t i;

	must(raw_control(raw, POSIXTRACE_IOC_START));
	EXPECT_EQ(0, tool_run(&tool, 0, "list --json"));
	EXPECT_EQ(1, count_json_lines(tool.out_text));
	snprintf(want, sizeof(want),
		 "{\"stream\":%llu,\"owner\":%d,\"target\":%d,\"uid\"",
		 raw.number, getpid(), getpid());
	EXPECT_TEXT(tool.out_text, want);
	snprintf(want, sizeof(want), "\"created\":\"%llu.%09llu\",",
		 attr.create_time / 1000000000, attr.create_time % 1000000000);
	EXPECT_TEXT(tool.out_text, want);
	for (i = 0; i < ARRAY_SIZE(members); i++)
		EXPECT_TEXT(tool.out_text, members[i]);
}

/* Own a stream named after the user. */
static int own_one(const struct child *c, void *arg)
{
	uid_t uid = *(uid_t *)arg;

	must(become_user(uid));
	named(device_open(), uid == ALICE ? "alices" : "bobs");
	hand(c);
	await(c);
	return 0;
}

TEST_F(tool_list, shows_a_user_only_its_own)
{
	uid_t uids[] = { ALICE, BOB };
	struct child c[2];
	int i;

	for (i = 0; i < 2; i++) {
		child_start(&c[i], own_one, &uids[i]);
		await(&c[i]);
	}
	EXPECT_EQ(0, tool_run(&tool, ALICE, "list"));
	EXPECT_EQ(2, lines(tool.out_text));
	EXPECT_TEXT(tool.out_text, " alices\n");
	EXPECT_EQ(0, tool_run(&tool, 0, "list"));
	EXPECT_TEXT(tool.out_text, " alices\n");
	EXPECT_TEXT(tool.out_text, " bobs\n");
	for (i = 0; i < 2; i++)
		child_kill(&c[i]);
}

TEST_F(tool_list, watches_the_fastest_first)
{
	struct raw slow = named(self->device, "slow");
	struct raw fast = named(self->device, "fast");
	const char *last;
	int i;

	must(raw_control(fast, POSIXTRACE_IOC_START));
	tool_start(&tool, 0, "list -w -i 0.5 -n 2");
	tool_await(&tool, "fast\n");
	EXPECT_TEXT(line_of(tool.out_text, fast.number), " run        -       - fast");
	for (i = 0; i < 2000; i++)
		must(raw_record(self->device, POSIXTRACE_EV_UNNAMED, "x", 1));
	EXPECT_EQ(0, tool_end(&tool));
	EXPECT_EQ(2, count(tool.out_text, "EVENT/S"));
	last = strstr(tool.out_text, "\n\n");
	ASSERT_NE(NULL, last);
	EXPECT_LT(strstr(last, "fast"), strstr(last, "slow"));
	EXPECT_LT(0, number_before(line_of(last + 2, fast.number), " fast"));
	EXPECT_TEXT(line_of(last + 2, slow.number), "       0       0 slow");
}

TEST_F(tool_list, watches_with_rates_as_json)
{
	struct raw raw = named(self->device, "counted");
	const char *second;
	int i;

	must(raw_control(raw, POSIXTRACE_IOC_START));
	tool_start(&tool, 0, "list -w -i 0.5 -n 2 -j");
	tool_await(&tool, "\n");
	EXPECT_NO_TEXT(tool.out_text, "_per_second");
	for (i = 0; i < 500; i++)
		must(raw_record(self->device, POSIXTRACE_EV_UNNAMED, "x", 1));
	EXPECT_EQ(0, tool_end(&tool));
	EXPECT_EQ(2, count_json_lines(tool.out_text));
	second = strchr(tool.out_text, '\n') + 1;
	EXPECT_TEXT(second, "\"recorded_per_second\":");
	EXPECT_NO_TEXT(second, "\"recorded_per_second\":0,");
	EXPECT_TEXT(second, "\"lost_per_second\":0}");
}

/* As many as there may be: no line is missing, and one more stream is refused. */
TEST_F(tool_list, lists_a_full_table)
{
	const struct rlimit many = { 4096, 4096 };
	struct posixtrace_limits limits = { .size = sizeof(limits) };
	struct posixtrace_create arg = create_arg(0);
	struct raw raw;
	char want[64];
	int err;

	must_be(!setrlimit(RLIMIT_NOFILE, &many));
	arg.stream_size = 0;
	do
		err = raw_create(self->device, &arg, &raw);
	while (!err);
	EXPECT_EQ(EAGAIN, err);
	must(call(self->device, POSIXTRACE_IOC_LIMITS, &limits));
	EXPECT_EQ(limits.sys_max, limits.streams);
	EXPECT_EQ(0, tool_run(&tool, 0, "list"));
	EXPECT_EQ(limits.sys_max + 1, lines(tool.out_text));
	EXPECT_EQ(0, tool_run(&tool, 0, "list --json"));
	EXPECT_EQ(limits.sys_max, count(tool.out_text, "{\"stream\":"));
	EXPECT_EQ(0, tool_run(&tool, 0, "limits"));
	snprintf(want, sizeof(want), "streams now                  %u\n",
		 limits.sys_max);
	EXPECT_TEXT(tool.out_text, want);
}

TEST_F(tool_list, watches_until_it_is_interrupted)
{
	tool_start(&tool, 0, "list --watch --interval 1000 --json");
	tool_await(&tool, "\n");
	EXPECT_EQ(0, tool_interrupt(&tool));
	EXPECT_EQ(1, count_json_lines(tool.out_text));
}

TEST_F(tool_list, monitors_the_life_of_a_stream)
{
	struct posixtrace_create arg = create_arg(0);
	static const char * const life[] = {
		"created", "started", "full", "resumed", "stopped", "shut-down",
	};
	struct raw raw;
	const char *at;
	char want[80];
	size_t i;

	monitor_start(&tool, self->device, "");
	arg.stream_policy = POSIXTRACE_POLICY_UNTIL_FULL;
	arg.stream_size = 0;
	snprintf(arg.name, sizeof(arg.name), "a stream");
	must(raw_create(self->device, &arg, &raw));
	must(raw_control(raw, POSIXTRACE_IOC_START));
	while (!raw_peek(raw).full)
		must(raw_record(self->device, POSIXTRACE_EV_UNNAMED, "x", 1));
	raw_drain(raw);
	must(raw_control(raw, POSIXTRACE_IOC_STOP));
	close(raw.fd);
	snprintf(want, sizeof(want), "shut-down   %6llu ", raw.number);
	tool_await(&tool, want);
	EXPECT_EQ(0, tool_interrupt(&tool));
	EXPECT_STREQ("", tool.err_text);
	EXPECT_GE(80, longest_line(tool.out_text));
	for (at = tool.out_text, i = 0; i < ARRAY_SIZE(life); i++) {
		snprintf(want, sizeof(want), " %-11s %6llu %d %d root     \"a stream\"\n",
			 life[i], raw.number, getpid(), getpid());
		EXPECT_TEXT(at, want);
		at = strstr(at, want) ?: at;
	}
}

/* Does it write @text in the next @ms? */
static bool says_within(struct tool *t, const char *text, int ms)
{
	long long end = now_ms() + ms;
	struct pollfd out = { .fd = t->out, .events = POLLIN };

	while (!strstr(t->out_text, text)) {
		if (now_ms() >= end)
			return false;
		if (poll(&out, 1, 100) > 0 && !tool_read(t))
			return false;
	}
	return true;
}

/* Many streams come and go while it can't read. */
TEST_F(tool_list, monitor_survives_an_overflow_and_begins_anew)
{
	struct raw raw[STREAMS];
	char want[80];
	int i, n;

	monitor_start(&tool, self->device, "--json -b 4k");
	must_be(!kill(tool.pid, SIGSTOP));
	for (i = 0; i < STREAMS; i++)
		raw[i] = named(self->device, "many");
	for (n = 0; n < 4; n++)
		for (i = 0; i < STREAMS; i++)
			must(raw_control(raw[i], n % 2 ? POSIXTRACE_IOC_STOP :
							 POSIXTRACE_IOC_START));
	must_be(!kill(tool.pid, SIGCONT));
	tool_await(&tool, "\"event\":\"missed\"");
	snprintf(want, sizeof(want), "\"event\":\"present\",\"stream\":%llu,",
		 raw[STREAMS - 1].number);
	tool_await(&tool, want);
	/*
	 * It goes on. The end of one stream may be in another gap: it was not
	 * stopped at once.
	 */
	do {
		struct raw last = named(self->device, "last");

		close(last.fd);
		snprintf(want, sizeof(want),
			 "\"event\":\"shut-down\",\"stream\":%llu,",
			 last.number);
	} while (!says_within(&tool, want, 1000));
	EXPECT_EQ(0, tool_interrupt(&tool));
	for (i = 0; i < STREAMS; i++) {
		snprintf(want, sizeof(want),
			 "\"event\":\"present\",\"stream\":%llu,", raw[i].number);
		EXPECT_TEXT(tool.out_text, want);
	}
}

/* A reader that does not read holds it up, but not its end. */
TEST_F(tool_list, monitor_ends_though_nobody_reads)
{
	int i;

	monitor_start(&tool, self->device, "");
	for (i = 0; i < 2000; i++)
		close(named(self->device, "unread").fd);
	EXPECT_EQ(0, tool_interrupt(&tool));
	EXPECT_STREQ("", tool.err_text);
}

TEST_F(tool_list, monitor_needs_cap_sys_admin)
{
	EXPECT_EQ(1, tool_run(&tool, ALICE, "monitor"));
	EXPECT_STREQ("", tool.out_text);
	EXPECT_TEXT(tool.err_text, "you may not listen");
	EXPECT_TEXT(tool.err_text, "CAP_SYS_ADMIN");
}

#define MODULE	"/lib/modules/posixtrace.ko"

/* The file to load it from again, or a negative number. */
static int unload(int device)
{
	int module = open(MODULE, O_RDONLY | O_CLOEXEC);

	if (module < 0)
		return module;
	close(device);
	/* What other tests have left behind ends. */
	must_be(wait_until(!syscall(SYS_delete_module, "posixtrace",
				    O_NONBLOCK)));
	return module;
}

/* The machine has nothing of ours while this runs. */
TEST_F(tool_list, tells_that_the_module_is_not_loaded)
{
	static const char * const commands[] = { "list", "monitor", "limits" };
	int module = unload(self->device);
	size_t i;

	if (module < 0)
		SKIP(return, "there is no " MODULE " to load again");
	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		EXPECT_EQ(1, tool_run(&tool, ALICE, "%s", commands[i]));
		EXPECT_STREQ("", tool.out_text);
		EXPECT_TEXT(tool.err_text,
			    "posixtrace: the kernel module is not loaded\n");
		EXPECT_TEXT(tool.err_text, "modprobe posixtrace");
	}
	must_be(!syscall(SYS_finit_module, module, "", 0));
	close(module);
	self->device = device_open();
}

static struct tool other;

/* Who watches does not wait for ever for a module that has gone. */
TEST_F(tool_list, ends_when_the_module_is_unloaded)
{
	static const char text[] =
		"posixtrace: the kernel module is not loaded\n"
		"  As root: modprobe posixtrace (or insmod posixtrace.ko).\n";
	int module;

	monitor_start(&tool, self->device, "");
	tool_start(&other, ALICE, "list -w -i 0.1");
	tool_await(&other, "STREAM ");
	module = unload(self->device);
	if (module < 0)
		SKIP(return, "there is no " MODULE " to load again");
	EXPECT_EQ(1, tool_end(&tool));
	EXPECT_EQ(1, tool_end(&other));
	must_be(!syscall(SYS_finit_module, module, "", 0));
	close(module);
	self->device = device_open();
	EXPECT_STREQ(text, tool.err_text);
	EXPECT_STREQ(text, other.err_text);
}

TEST_F(tool_list, tells_the_limits)
{
	struct posixtrace_limits limits = { .size = sizeof(limits) };
	char want[128];

	must(call(self->device, POSIXTRACE_IOC_LIMITS, &limits));
	EXPECT_EQ(0, tool_run(&tool, ALICE, "limits"));
	EXPECT_GE(80, longest_line(tool.out_text));
	snprintf(want, sizeof(want), "streams at most (sys_max)    %u\n",
		 limits.sys_max);
	EXPECT_TEXT(tool.out_text, want);
	snprintf(want, sizeof(want), "stream memory of a user      %llu bytes",
		 limits.user_quota);
	EXPECT_TEXT(tool.out_text, want);
	EXPECT_EQ(0, tool_run(&tool, ALICE, "limits --json"));
	EXPECT_EQ(1, count_json_lines(tool.out_text));
	snprintf(want, sizeof(want), "\"sys_max\":%u,\"user_quota\":%llu,",
		 limits.sys_max, limits.user_quota);
	EXPECT_TEXT(tool.out_text, want);
}

TEST_F(tool_list, has_help_of_80_columns)
{
	static const char * const commands[] = { "list", "monitor", "limits" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		EXPECT_EQ(0, tool_run(&tool, ALICE, "%s --help", commands[i]));
		EXPECT_TEXT(tool.out_text, "Usage: posixtrace ");
		EXPECT_GE(80, longest_line(tool.out_text));
		EXPECT_EQ(2, tool_run(&tool, ALICE, "%s --no-such", commands[i]));
		EXPECT_EQ(2, tool_run(&tool, ALICE, "%s word", commands[i]));
		EXPECT_TEXT(tool.err_text, "what is 'word'?");
	}
}

TEST_HARNESS_MAIN
