// SPDX-License-Identifier: GPL-2.0-only
/*
 * How the tool shows events.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../tools/errnames.c"
#include "../../tools/events.c"
#include "../../tools/kernelnames.c"
#include "../../tools/print.c"
#include "../../tools/printcall.c"
#include "../../tools/printfield.c"
#include "../../tools/printset.c"
#include "../../tools/signames.c"
#include "../../tools/syscalls.c"
#include "../../tools/text.c"

#include "kselftest_harness.h"

/* Instead of the tables that gen-syscalls.sh makes. */
static const struct syscall calls[] = {
	[__NR_write] = { "write", "dpu", "" },
	[__NR_openat] = { "openat", "fpxm", "" },
	[__NR_mmap] = { "mmap", "puXXdX", "X" },
	[__NR_lseek] = { "lseek", "dld", "" },
	[__NR_kill] = { "kill", "ds", "" },
	[__NR_umask] = { "umask", "o", "o" },
	[__NR_getpid] = { "getpid", "-", "" },
	[__NR_vserver] = { "vserver", NULL, "" },
};

static const struct syscall calls_i386[] = {
	[4] = { "write", "dpu", "" },
};

const struct syscall_table syscalls_native = {
	.calls = calls,
	.count = ARRAY_SIZE(calls),
};

const struct syscall_table syscalls_i386 = {
	.calls = calls_i386,
	.count = ARRAY_SIZE(calls_i386),
};

/* What precedes name and data. */
#define PREFIX	"14:03:07.123456 1234/1240   "

static int get_name(void *arg, unsigned int id, char *name)
{
	static const char * const standard[] = {
		[POSIXTRACE_EV_START] = "posix_trace_start",
		[POSIXTRACE_EV_STOP] = "posix_trace_stop",
		[POSIXTRACE_EV_FILTER] = "posix_trace_filter",
		[POSIXTRACE_EV_OVERFLOW] = "posix_trace_overflow",
		[POSIXTRACE_EV_UNNAMED] = "posix_trace_unnamed_userevent",
	};
	const char *known = NULL;

	if (id < ARRAY_SIZE(standard))
		known = standard[id];
	else if (id == POSIXTRACE_EV_SYSCALL_ENTER)
		known = "linux_syscall_enter";
	else if (id == POSIXTRACE_EV_USER)
		known = arg;
	if (known)
		snprintf(name, POSIXTRACE_EVENT_NAME_MAX + 1, "%s", known);
	return known ? 0 : EINVAL;
}

FIXTURE(print) {
	struct posixtrace_record rec;
	const char *user;
	char line[16384];
};

FIXTURE_SETUP(print)
{
	setenv("TZ", "UTC", 1);
	ASSERT_NE(NULL, setlocale(LC_CTYPE, "C.UTF-8"));
	memset(&self->rec, 0, sizeof(self->rec));
	self->rec.event_id = POSIXTRACE_EV_USER;
	self->rec.pid = 1234;
	self->rec.tid = 1240;
	self->rec.timestamp = ((14 * 60 + 3) * 60 + 7) * 1000000000ull +
			      123456789;
	self->user = "tick";
}

FIXTURE_TEARDOWN(print)
{
}

/* The line for self->rec with this data, without its newline. */
static const char *line(struct _test_data_print *self, const void *data,
			size_t size)
{
	FILE *out = fmemopen(self->line, sizeof(self->line), "w");
	/* Data of any alignment, and nothing behind it. */
	char *copy = malloc(size + 1);
	struct printer p;

	memcpy(copy + 1, data, size);
	self->rec.data_size = size;
	self->rec.size = POSIXTRACE_RECORD_SIZE(size);
	printer_init(&p, out, get_name, (void *)self->user);
	print_event(&p, &self->rec, copy + 1);
	printer_destroy(&p);
	fclose(out);
	free(copy);
	self->line[strcspn(self->line, "\n")] = '\0';
	return self->line;
}

#define EXPECT_LINE(text, data, size) \
	EXPECT_STREQ(PREFIX text, line(self, data, size))

static const char *enter(struct _test_data_print *self, __u32 arch, int nr,
			 __u64 a, __u64 b, __u64 c, __u64 d, __u64 e, __u64 f)
{
	const struct posixtrace_syscall_enter data = {
		.nr = nr, .arch = arch, .args = { a, b, c, d, e, f },
	};

	self->rec.event_id = POSIXTRACE_EV_SYSCALL_ENTER;
	return line(self, &data, sizeof(data));
}

static const char *leave(struct _test_data_print *self, int nr, __s64 ret)
{
	const struct posixtrace_syscall_exit data = {
		.nr = nr, .arch = AUDIT_ARCH_X86_64, .ret = ret,
	};

	self->rec.event_id = POSIXTRACE_EV_SYSCALL_EXIT;
	return line(self, &data, sizeof(data));
}

#define EXPECT_CALL(text, nr, ...) \
	EXPECT_STREQ(PREFIX text, \
		     enter(self, AUDIT_ARCH_X86_64, nr, __VA_ARGS__))
#define EXPECT_RETURN(text, nr, ret) \
	EXPECT_STREQ(PREFIX text, leave(self, nr, ret))

/* Data that is text is shown as text. */
TEST_F(print, text_is_quoted)
{
	EXPECT_LINE("tick: \"beat 17\"", "beat 17", 7);
	EXPECT_LINE("tick: \"line\\n\\tnext\"", "line\n\tnext", 10);
	EXPECT_LINE("tick: \"say \\\"hi\\\" \\\\\"", "say \"hi\" \\", 10);
}

/* The NUL of a C string is data: it is shown, and keeps text from being hex. */
TEST_F(print, one_nul_at_the_end_belongs_to_text)
{
	EXPECT_LINE("tick: \"abc\\0\"", "abc", 4);
	EXPECT_LINE("tick: 61 62 63 00 00", "abc\0", 5);
	EXPECT_LINE("tick: 61 00 62", "a\0b", 3);
	EXPECT_LINE("tick: 00", "", 1);
}

/* Other data is shown in hex. */
TEST_F(print, binary_data_is_hex)
{
	EXPECT_LINE("tick: 2a 00 00 00", "\x2a\0\0\0", 4);
	EXPECT_LINE("tick: 1b 5b 32 4a", "\x1b[2J", 4);
}

TEST_F(print, no_data_is_only_a_name)
{
	EXPECT_LINE("tick", "", 0);
}

/* Text of the locale is text; what would only look like it is not. */
TEST_F(print, text_of_the_locale_is_text)
{
	EXPECT_LINE("tick: \"gr\xc3\xbc\xc3\x9f\"", "gr\xc3\xbc\xc3\x9f", 6);
	EXPECT_LINE("tick: 67 72 fc df", "gr\xfc\xdf", 4);
	EXPECT_LINE("tick: c2 9b", "\xc2\x9b", 2);	/* U+009B, CSI */
	EXPECT_LINE("tick: 67 72 c3", "gr\xc3", 3);
	ASSERT_NE(NULL, setlocale(LC_CTYPE, "C"));
	EXPECT_LINE("tick: 67 72 c3 bc", "gr\xc3\xbc", 4);
}

/* As strace does it. */
TEST_F(print, dots_follow_data_that_was_cut)
{
	self->rec.truncation = POSIXTRACE_TRUNCATED_RECORD;
	EXPECT_LINE("tick: \"abc\"...", "abc", 3);
	EXPECT_LINE("tick: 01...", "\x01", 1);
	EXPECT_LINE("tick: ...", "", 0);
}

/* A name is chosen by the traced program. */
TEST_F(print, a_name_can_not_speak_to_the_terminal)
{
	self->user = "\x1b]0;title\a";
	EXPECT_LINE("\"\\x1b]0;title\\a\"", "", 0);
	self->user = "two words";
	EXPECT_LINE("\"two words\": \"x\"", "x", 1);
	self->user = "";
	EXPECT_LINE("\"\"", "", 0);
	self->user = "open\"quote";
	EXPECT_LINE("\"open\\\"quote\"", "", 0);
	self->user = "app:part.event/7";
	EXPECT_LINE("app:part.event/7", "", 0);
}

TEST_F(print, a_type_without_name_is_a_number)
{
	self->rec.event_id = 77;
	EXPECT_LINE("event_77: \"x\"", "x", 1);
	self->rec.event_id = 65535;
	EXPECT_LINE("event_65535: \"x\"", "x", 1);
}

/* An event of the system can belong to no process or no thread. */
TEST_F(print, a_dash_stands_for_no_process_and_no_thread)
{
	self->rec.event_id = POSIXTRACE_EV_OVERFLOW;
	self->rec.tid = 0;
	EXPECT_STREQ("14:03:07.123456 1234/-      posix_trace_overflow",
		     line(self, "", 0));
	self->rec.pid = 0;
	EXPECT_STREQ("14:03:07.123456 -/-         posix_trace_overflow",
		     line(self, "", 0));
}

/* Also behind numbers that are longer than the numbers of most processes. */
TEST_F(print, events_stand_in_a_column)
{
	FILE *out = fmemopen(self->line, sizeof(self->line), "w");
	struct printer p;

	printer_init(&p, out, get_name, NULL);
	self->rec.event_id = POSIXTRACE_EV_OVERFLOW;
	self->rec.pid = 1234567;
	self->rec.tid = 0;
	print_event(&p, &self->rec, "");
	self->rec.tid = 1234567;
	print_event(&p, &self->rec, "");
	self->rec.pid = 1;
	self->rec.tid = 1;
	print_event(&p, &self->rec, "");
	printer_destroy(&p);
	fclose(out);
	EXPECT_STREQ("14:03:07.123456 1234567/-       posix_trace_overflow\n"
		     "14:03:07.123456 1234567/1234567 posix_trace_overflow\n"
		     "14:03:07.123456 1/1             posix_trace_overflow\n",
		     self->line);
}

TEST_F(print, arguments_are_shown_in_their_natural_base)
{
	EXPECT_CALL("write(1, 0x7f12, 4096)", __NR_write, 1, 0x7f12, 4096,
		    7, 7, 7);
	EXPECT_CALL("write(-1, NULL, 0)", __NR_write, 0xffffffff, 0, 0, 7, 7,
		    7);
	EXPECT_CALL("lseek(3, -10, 2)", __NR_lseek, 3, -10, 2, 7, 7, 7);
	EXPECT_CALL("mmap(NULL, 8192, 0x3, 0x22, -1, 0)", __NR_mmap, 0, 8192,
		    3, 0x22, 0xffffffff, 0);
	EXPECT_CALL("kill(1, SIGTERM)", __NR_kill, 1, 15, 7, 7, 7, 7);
	EXPECT_CALL("kill(1, 0)", __NR_kill, 1, 0, 7, 7, 7, 7);
	EXPECT_CALL("kill(1, SIGRTMIN+2)", __NR_kill, 1, 36, 7, 7, 7, 7);
	EXPECT_CALL("kill(1, 33)", __NR_kill, 1, 33, 7, 7, 7, 7);
	EXPECT_CALL("umask(022)", __NR_umask, 022, 7, 7, 7, 7, 7);
	EXPECT_CALL("umask(000)", __NR_umask, 0, 7, 7, 7, 7, 7);
	EXPECT_CALL("getpid()", __NR_getpid, 7, 7, 7, 7, 7, 7);
}

/* The mode of open() means something only for a file that is made. */
TEST_F(print, a_mode_without_o_creat_is_left_out)
{
	EXPECT_CALL("openat(AT_FDCWD, 0x10, 0)", __NR_openat, AT_FDCWD, 0x10,
		    O_RDONLY, 0644, 7, 7);
	EXPECT_CALL("openat(5, 0x10, 0x41, 0644)", __NR_openat, 5, 0x10,
		    O_WRONLY | O_CREAT, 0644, 7, 7);
	EXPECT_CALL("openat(5, 0x10, 0x10000)", __NR_openat, 5, 0x10,
		    O_DIRECTORY, 0644, 7, 7);
	EXPECT_CALL("openat(5, 0x10, 0x410001, 0600)", __NR_openat, 5, 0x10,
		    O_TMPFILE | O_WRONLY, 0600, 7, 7);
}

TEST_F(print, a_call_that_is_not_known_is_shown_all_the_same)
{
	EXPECT_CALL("vserver(0x1, 0, 0, 0, 0, 0xf)", __NR_vserver, 1, 0, 0, 0,
		    0, 15);
	EXPECT_CALL("syscall_0x3e7(0, 0, 0, 0, 0, 0)", 999, 0, 0, 0, 0, 0, 0);
	EXPECT_CALL("syscall_0x40000001(0, 0, 0, 0, 0, 0)", 0x40000001, 0, 0,
		    0, 0, 0, 0);
	EXPECT_CALL("syscall_-1(0, 0, 0, 0, 0, 0)", -1, 0, 0, 0, 0, 0, 0);
	EXPECT_RETURN("syscall_0x3e7 = -1 ENOSYS (Function not implemented)",
		      999, -ENOSYS);
}

/* Numbers mean something else in another calling convention. */
TEST_F(print, the_calling_convention_is_told_unless_native)
{
	EXPECT_STREQ(PREFIX "i386:write(1, 0x10, 5)",
		     enter(self, AUDIT_ARCH_I386, 4, 1, 0x10, 5, 0, 0, 0));
	EXPECT_STREQ(PREFIX "arch_40000028:syscall_0x4(0x1, 0x10, 0, 0, 0, 0)",
		     enter(self, AUDIT_ARCH_ARM, 4, 1, 0x10, 0, 0, 0, 0));
}

TEST_F(print, results_are_decimal_unless_addresses)
{
	EXPECT_RETURN("write = 4096", __NR_write, 4096);
	EXPECT_RETURN("getpid = 0", __NR_getpid, 0);
	EXPECT_RETURN("mmap = 0x7f1200000000", __NR_mmap, 0x7f1200000000);
	EXPECT_RETURN("umask = 022", __NR_umask, 022);
	EXPECT_RETURN("lseek = -4096", __NR_lseek, -4096);
}

/* Which does not know its own number any more. */
TEST_F(print, the_return_from_a_signal_handler_has_a_name)
{
	EXPECT_RETURN("rt_sigreturn = 7", -1, 7);
	EXPECT_RETURN("rt_sigreturn = -1 EINTR (Interrupted system call)",
		      -1, -EINTR);
}

TEST_F(print, errors_are_shown_by_name_and_text)
{
	EXPECT_RETURN("openat = -1 ENOENT (No such file or directory)",
		      __NR_openat, -ENOENT);
	EXPECT_RETURN("mmap = -1 ENOMEM (Cannot allocate memory)",
		      __NR_mmap, -ENOMEM);
	EXPECT_RETURN("write = -4095", __NR_write, -4095);
}

/* The kernel's note that it will decide when the signal has been handled. */
TEST_F(print, an_interrupted_call_has_no_result_yet)
{
	EXPECT_RETURN("write = ? ERESTARTNOHAND (To be restarted if no handler)",
		      __NR_write, -514);
	EXPECT_RETURN("write = ? ERESTART_RESTARTBLOCK (Interrupted by signal)",
		      __NR_write, -516);
}

/* What is shorter than its struct is not interpreted. */
TEST_F(print, short_data_of_a_kernel_event_is_hex)
{
	self->rec.event_id = POSIXTRACE_EV_SYSCALL_ENTER;
	EXPECT_LINE("linux_syscall_enter: 01 00 00 00", "\1\0\0\0", 4);
	self->rec.event_id = POSIXTRACE_EV_STOP;
	EXPECT_LINE("posix_trace_stop: 01 00 00", "\1\0\0", 3);
}

TEST_F(print, stop_tells_who_stopped)
{
	int automatic = 0;

	self->rec.event_id = POSIXTRACE_EV_STOP;
	EXPECT_LINE("posix_trace_stop: as asked", &automatic,
		    sizeof(automatic));
	automatic = 1;
	EXPECT_LINE("posix_trace_stop: no room left", &automatic,
		    sizeof(automatic));
}

TEST_F(print, error_has_the_name_of_the_error)
{
	int err = ENOSPC;

	self->rec.event_id = POSIXTRACE_EV_ERROR;
	EXPECT_LINE("posix_trace_error: ENOSPC (No space left on device)",
		    &err, sizeof(err));
	err = 12345;
	EXPECT_LINE("posix_trace_error: ? (unknown error)", &err, sizeof(err));
}

static void add(struct posixtrace_event_set *set, unsigned int first,
		unsigned int end)
{
	unsigned int id;

	for (id = first; id < end; id++)
		set->bits[id / 64] |= 1ull << (id % 64);
}

static void del(struct posixtrace_event_set *set, unsigned int id)
{
	set->bits[id / 64] &= ~(1ull << (id % 64));
}

#define EXPECT_IGNORES(text) \
	EXPECT_LINE("posix_trace_start: ignores " text, &set, sizeof(set))

/* A filter is told in the fewest words. */
TEST_F(print, start_tells_the_filter)
{
	struct posixtrace_event_set set = { 0 };

	self->rec.event_id = POSIXTRACE_EV_START;
	EXPECT_IGNORES("nothing");

	add(&set, POSIXTRACE_EV_START, POSIXTRACE_EV_STOP + 1);
	EXPECT_IGNORES("posix_trace_start, posix_trace_stop");

	add(&set, POSIXTRACE_EV_USER, POSIXTRACE_EVENT_MAX);
	EXPECT_IGNORES("posix_trace_start, posix_trace_stop, user events");

	memset(&set, 0, sizeof(set));
	add(&set, POSIXTRACE_EV_UNNAMED, POSIXTRACE_EVENT_MAX);
	del(&set, POSIXTRACE_EV_USER);
	del(&set, POSIXTRACE_EV_UNNAMED);
	EXPECT_IGNORES("kernel events, user events but tick");

	memset(&set, 0, sizeof(set));
	add(&set, POSIXTRACE_EV_USER, POSIXTRACE_EV_USER + 6);
	EXPECT_IGNORES("tick, event_65, event_66, event_67 and 2 more");

	memset(&set, 0xff, sizeof(set));
	EXPECT_IGNORES("everything");
}

TEST_F(print, filter_tells_both_filters)
{
	struct posixtrace_event_set sets[2] = { 0 };

	self->rec.event_id = POSIXTRACE_EV_FILTER;
	add(&sets[1], POSIXTRACE_EV_USER, POSIXTRACE_EV_USER + 1);
	EXPECT_LINE("posix_trace_filter: ignored nothing; now ignores tick",
		    sets, sizeof(sets));
}

TEST_HARNESS_MAIN
