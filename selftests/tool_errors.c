// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the command posixtrace says when something is refused that is seldom
 * refused: to the letter, and with what to do about it. host/messages.sh finds
 * messages that no test expects.
 */
#include "refuse_test.h"
#include "tool_test.h"

#include <grp.h>
#include <linux/netlink.h>
#include <linux/posixtrace.h>
#include <sys/mount.h>
#include <sys/stat.h>

#define LOG	"/tmp/posixtrace-tool-errors"

FIXTURE(tool_errors) {
	struct tool *t;
	struct child target;
	char title[64];
};

FIXTURE_SETUP(tool_errors)
{
	if (geteuid())
		SKIP(return, "needs root");
	self->t = setup(&self->target);
	snprintf(self->title, sizeof(self->title), "%d (tool_errors)",
		 self->target.pid);
}

FIXTURE_TEARDOWN(tool_errors)
{
	unlink(LOG);
	free(self->t);
}

/* This and nothing else is said, by user @uid with this command line. */
#define EXPECT_SAYS(uid, status, text, ...) do {			\
	EXPECT_EQ(status, tool_run(self->t, uid, __VA_ARGS__));		\
	EXPECT_STREQ("", self->t->out_text);				\
	EXPECT_STREQ(text, self->t->err_text);				\
} while (0)

/* @text with the number and the name of the target in it. */
#define says(text, ...) ({						\
	static char says_text[512];					\
									\
	snprintf(says_text, sizeof(says_text), text, ##__VA_ARGS__);	\
	says_text;							\
})

/*
 * To trace
 */

/* A process of alice's in a group that she is not in now, open all the same. */
static int be_in_a_group(const struct child *c, void *arg)
{
	gid_t gid = *(gid_t *)arg;

	must_be(!setgroups(0, NULL) && !setresgid(gid, gid, gid));
	must_be(!setresuid(ALICE, ALICE, ALICE));
	must_be(!prctl(PR_SET_DUMPABLE, 1));
	hand(c);
	await(c);
	return 0;
}

TEST_F(tool_errors, that_the_kernel_refuses_a_process)
{
	struct child c;
	gid_t gid = 4711;

	child_start(&c, be_in_a_group, &gid);
	await(&c);
	EXPECT_SAYS(ALICE, 1,
		    says("posixtrace: you may not trace %d (tool_errors): the kernel refuses it\n"
			 "  It has capabilities or a group that you do not have, or is\n"
			 "  outside of your user namespace, or a security module says no.\n"
			 "  CAP_SYS_PTRACE (as root, or by sudo) may help.\n",
			 c.pid), "live -p %d", c.pid);
	hand(&c);
	child_end(&c);
}

TEST_F(tool_errors, that_a_trace_can_not_be_made)
{
	REFUSE(SYS_ioctl, 1, POSIXTRACE_IOC_CREATE, EIO);
	EXPECT_SAYS(ALICE, 1,
		    says("posixtrace: cannot trace %s: Input/output error\n",
			 self->title), "live -p %d", self->target.pid);
	EXPECT_SAYS(ALICE, 1,
		    says("posixtrace: cannot trace %s: Input/output error\n",
			 self->title), "record -o " LOG " -p %d",
		    self->target.pid);
	EXPECT_NE(0, access(LOG, F_OK));
}

TEST_F(tool_errors, that_a_trace_can_not_be_started)
{
	REFUSE(SYS_ioctl, 1, POSIXTRACE_IOC_START, EIO);
	EXPECT_SAYS(ALICE, 1,
		    "posixtrace: cannot start the trace: Input/output error\n",
		    "live -p %d", self->target.pid);
}

TEST_F(tool_errors, that_a_process_can_not_be_watched)
{
	REFUSE(SYS_pidfd_open, ANY_ARG, 0, EMFILE);
	EXPECT_SAYS(ALICE, 1,
		    says("posixtrace: cannot trace %d: Too many open files\n",
			 self->target.pid), "live -p %d", self->target.pid);
}

TEST_F(tool_errors, that_signals_can_not_be_waited_for)
{
	static const char text[] =
		"posixtrace: cannot wait for signals: Too many open files\n";

	REFUSE(SYS_signalfd4, ANY_ARG, 0, EMFILE);
	EXPECT_SAYS(ALICE, 1, text, "live -p %d", self->target.pid);
	EXPECT_SAYS(ALICE, 1, text, "record -p %d", self->target.pid);
	EXPECT_SAYS(0, 1, text, "monitor");
	EXPECT_SAYS(ALICE, 1, text, "list");
}

/* Bytes that "live" reads at once with -s 256, which nobody else does. */
#define LIVE_READS	(65536 + POSIXTRACE_RECORD_SIZE(256) +		\
			 POSIXTRACE_SYSTEM_EVENT_SIZE_MAX)

TEST_F(tool_errors, that_a_trace_can_not_be_read)
{
	REFUSE(SYS_read, 2, LIVE_READS, EIO);
	tool_start(self->t, ALICE, "live -e user -p %d", self->target.pid);
	tool_await(self->t, "tracing");
	order(&self->target, TICK, "x");
	EXPECT_EQ(1, tool_end(self->t));
	EXPECT_STREQ("", self->t->out_text);
	EXPECT_TEXT(self->t->err_text,
		    "posixtrace: cannot read the trace: Input/output error\n");
	EXPECT_TEXT(self->t->err_text, "1 events recorded, 0 lost");
}

/*
 * Logs
 */

TEST_F(tool_errors, that_a_log_is_not_open_for_writing)
{
	REFUSE(SYS_fcntl, 1, F_GETFL, EBADF);
	EXPECT_SAYS(ALICE, 1,
		    "posixtrace: " LOG " is not open for writing\n",
		    "record -o " LOG " -p %d", self->target.pid);
}

TEST_F(tool_errors, that_a_file_can_not_hold_a_log)
{
	EXPECT_SAYS(ALICE, 1,
		    "posixtrace: /proc/self/comm cannot hold a log: the kernel does not write logs to such files\n"
		    "  Name one on a disk or in a tmpfs with -o.\n",
		    "record -o /proc/self/comm -p %d", self->target.pid);
	EXPECT_SAYS(ALICE, 1,
		    "posixtrace: /dev/null is a device, a log has to be a regular file\n"
		    "  Write to a file, then print it: posixtrace print FILE.\n",
		    "record -o /dev/null -p %d", self->target.pid);
}

TEST_F(tool_errors, that_there_is_no_room_for_a_log)
{
	REFUSE(SYS_ioctl, 1, POSIXTRACE_IOC_CREATE, ENOSPC);
	EXPECT_SAYS(ALICE, 1,
		    "posixtrace: there is no room for " LOG ": No space left on device\n"
		    "  Make room there, or name another file with -o; --size 16M keeps only\n"
		    "  the newest events.\n",
		    "record -o " LOG " -p %d", self->target.pid);
}

TEST_F(tool_errors, that_a_log_would_be_larger_than_a_file_may_be)
{
	const struct rlimit limit = { 4096, RLIM_INFINITY };

	must_be(!setrlimit(RLIMIT_FSIZE, &limit));
	EXPECT_SAYS(ALICE, 1,
		    "posixtrace: " LOG " would be larger than a file may be\n"
		    "  The limit is 4096 bytes (RLIMIT_FSIZE): ulimit -f raises it.\n"
		    "  Or keep less: --size 16M keeps the newest events.\n",
		    "record -o " LOG " -p %d", self->target.pid);
}

/*
 * The module
 */

static void private_mounts(void)
{
	must_be(!unshare(CLONE_NEWNS));
	must_be(!mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL));
}

static const char no_module[] =
	"posixtrace: the kernel module is not loaded\n"
	"  As root: modprobe posixtrace (or insmod posixtrace.ko).\n";

static const char no_signature[] =
	"posixtrace: the kernel module is not loaded\n"
	"  As root: modprobe posixtrace (or insmod posixtrace.ko).\n"
	"  This kernel takes only modules with a signature (Secure Boot):\n"
	"  see \"Signing\" in posixtrace(4).\n";

/* Let @path, below a file system of this test at @folder, say this. */
static void let_say(const char *folder, const char *path, const char *text)
{
	char line[256];

	must_be(!mount("none", folder, "tmpfs", 0, "mode=0755"));
	snprintf(line, sizeof(line), "mkdir -p $(dirname %s)", path);
	must_be(!system(line));
	write_file(path, text, 0644);
}

TEST_F(tool_errors, that_the_module_needs_a_signature)
{
	static const char path[] = "/sys/module/module/parameters/sig_enforce";

	private_mounts();
	must_be(!mount("none", "/dev", "tmpfs", 0, NULL));
	let_say("/sys/module", path, "N\n");
	EXPECT_SAYS(ALICE, 1, no_module, "live -p %d", self->target.pid);
	write_file(path, "Y\n", 0644);
	EXPECT_SAYS(ALICE, 1, no_signature, "live -p %d", self->target.pid);
	EXPECT_SAYS(ALICE, 1, no_signature, "limits");
}

TEST_F(tool_errors, that_a_locked_kernel_needs_a_signature)
{
	static const char path[] = "/sys/kernel/security/lockdown";

	if (access("/sys/kernel/security", F_OK))
		SKIP(return, "no /sys/kernel/security");
	private_mounts();
	must_be(!mount("none", "/dev", "tmpfs", 0, NULL));
	let_say("/sys/kernel/security", path,
		"[none] integrity confidentiality\n");
	EXPECT_SAYS(ALICE, 1, no_module, "limits");
	write_file(path, "none [integrity] confidentiality\n", 0644);
	EXPECT_SAYS(ALICE, 1, no_signature, "limits");
}

TEST_F(tool_errors, that_the_module_is_older)
{
	static const char text[] =
		"posixtrace: the loaded kernel module is older than this program\n"
		"  As root: rmmod posixtrace, then load that of version 0.1.\n";

	REFUSE(SYS_ioctl, 1, POSIXTRACE_IOC_LIMITS, ENOTTY);
	REFUSE(SYS_ioctl, 1, POSIXTRACE_IOC_CREATE, ENOTTY);
	EXPECT_SAYS(ALICE, 1, text, "limits");
	EXPECT_SAYS(ALICE, 1, text, "live -p %d", self->target.pid);
}

TEST_F(tool_errors, that_the_device_can_not_be_opened)
{
	static const char text[] =
		"posixtrace: you may not open /dev/posixtrace\n"
		"  It is meant for every user. As root: chmod 0666 /dev/posixtrace;\n"
		"  to keep it so, a udev rule: KERNEL==\"posixtrace\", MODE=\"0666\".\n";
	struct stat st;

	must_be(!stat("/dev/posixtrace", &st));
	private_mounts();
	must_be(!mount("none", "/dev", "tmpfs", 0, NULL));
	must_be(!mknod("/dev/posixtrace", S_IFCHR | 0600, st.st_rdev));
	EXPECT_SAYS(ALICE, 1, text, "limits");
	EXPECT_SAYS(ALICE, 1, text, "live -p %d", self->target.pid);
}

TEST_F(tool_errors, that_the_device_can_not_be_asked)
{
	REFUSE(SYS_ioctl, 1, POSIXTRACE_IOC_LIMITS, EIO);
	EXPECT_SAYS(ALICE, 1,
		    "posixtrace: cannot ask /dev/posixtrace: Input/output error\n",
		    "limits");
}

/*
 * The list of streams
 */

TEST_F(tool_errors, that_the_kernel_can_not_be_asked)
{
	static const char text[] =
		"posixtrace: cannot ask the kernel: Address family not supported\n";

	REFUSE(SYS_socket, 0, AF_NETLINK, EAFNOSUPPORT);
	EXPECT_SAYS(ALICE, 1, text, "list");
	EXPECT_SAYS(ALICE, 1, text, "list -w");
	EXPECT_SAYS(0, 1, text, "monitor");
}

TEST_F(tool_errors, that_it_can_not_listen)
{
	REFUSE(SYS_setsockopt, 2, NETLINK_ADD_MEMBERSHIP, ENOMEM);
	EXPECT_SAYS(0, 1, "posixtrace: cannot listen: Out of memory\n",
		    "monitor");
}

TEST_F(tool_errors, that_only_root_may_listen)
{
	EXPECT_SAYS(ALICE, 1,
		    "posixtrace: you may not listen to what happens to all users' streams\n"
		    "  It takes CAP_SYS_ADMIN (as root, or by sudo). Your own streams:\n"
		    "  posixtrace list, which takes no privilege.\n",
		    "monitor");
}

/*
 * Output
 */

TEST_F(tool_errors, that_it_can_not_write)
{
	static const char * const commands[] = {
		"list", "list --json", "list -w", "limits", "limits --json",
	};
	char line[PATH_MAX + 64], text[256];
	FILE *f;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		snprintf(line, sizeof(line), "%s %s 2>&1 >/dev/full", tool_path,
			 commands[i]);
		f = popen(line, "re");
		must_be(f);
		EXPECT_NE(NULL, fgets(text, sizeof(text), f));
		EXPECT_STREQ("posixtrace: cannot write: No space left on device\n",
			     text);
		EXPECT_EQ(NULL, fgets(text, sizeof(text), f));
		EXPECT_EQ(1, WEXITSTATUS(pclose(f)));
	}
}

/*
 * The command line
 */

static const struct mistake {
	const char *line;
	const char *text;
} mistakes[] = {
	{ "live -p 1 -n 0",
	  "posixtrace: -n 0: this should be a number of events, at least 1\n"
	  "  See: posixtrace live --help\n" },
	{ "live -p 1 -s 65537",
	  "posixtrace: -s 65537: this should be a number of bytes, at most 65536\n"
	  "  See: posixtrace live --help\n" },
	{ "record -p 1 -d soon",
	  "posixtrace: -d soon: this should be a number of seconds, such as 10 or 0.5\n"
	  "  See: posixtrace record --help\n" },
	{ "list -i 0",
	  "posixtrace: -i 0: this should be a number of seconds, such as 10 or 0.5\n"
	  "  See: posixtrace list --help\n" },
	{ "list -w -n 0",
	  "posixtrace: -n 0: this should be a number of lists, at least 1\n"
	  "  See: posixtrace list --help\n" },
	{ "list -n",
	  "posixtrace: -n needs an argument\n"
	  "  See: posixtrace list --help\n" },
	{ "monitor --nothing",
	  "posixtrace: there is no option --nothing\n"
	  "  See: posixtrace monitor --help\n" },
	{ "monitor -b 1x",
	  "posixtrace: -b 1x: this should be a number of bytes, such as 65536 or 64k\n"
	  "  See: posixtrace monitor --help\n" },
	{ "monitor all",
	  "posixtrace: what is 'all'?\n  See: posixtrace monitor --help\n" },
	{ "limits 3",
	  "posixtrace: what is '3'?\n  See: posixtrace limits --help\n" },
};

TEST_F(tool_errors, of_a_command_line)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(mistakes); i++)
		EXPECT_SAYS(ALICE, 2, mistakes[i].text, "%s", mistakes[i].line);
}

TEST_HARNESS_MAIN
