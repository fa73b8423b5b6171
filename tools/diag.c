// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <linux/posixtrace_log.h>

#include "diag.h"
#include "procinfo.h"
#include "tool.h"

#define DEVICE		"/dev/posixtrace"
#define PARAMETERS	"/sys/module/posixtrace/parameters/"

/* Room for procinfo_title() */
#define TITLE_MAX	80

static const char *user_name(uid_t uid, char *buf, size_t size)
{
	const struct passwd *pw = getpwuid(uid);

	if (pw)
		snprintf(buf, size, "%s", pw->pw_name);
	else
		snprintf(buf, size, "user %u", uid);
	return buf;
}

/* Does @path contain @text? */
static bool file_says(const char *path, const char *text)
{
	char buf[128] = "";
	FILE *f = fopen(path, "re");
	bool says;

	if (!f)
		return false;
	says = fgets(buf, sizeof(buf), f) && strstr(buf, text);
	fclose(f);
	return says;
}

/* "[none] integrity confidentiality": the one in force is in brackets. */
static void signature(void)
{
	if (!file_says("/sys/module/module/parameters/sig_enforce", "Y") &&
	    !file_says("/sys/kernel/security/lockdown", " ["))
		return;
	diag_hint("This kernel takes only modules with a signature (Secure Boot):");
	diag_hint("see \"Signing\" in posixtrace(4).");
}

void diag_no_module(void)
{
	if (access(DEVICE, F_OK)) {
		diag("the kernel module is not loaded");
		diag_hint("As root: modprobe posixtrace (or insmod posixtrace.ko).");
		signature();
	} else {
		diag("the loaded kernel module is older than this program");
		diag_hint("As root: rmmod posixtrace, then load that of version %s.",
			  TOOL_VERSION);
	}
}

void diag_no_memory(void)
{
	diag("there is not enough memory");
}

static void no_access(void)
{
	diag("you may not open %s", DEVICE);
	diag_hint("It is meant for every user. As root: chmod 0666 %s;", DEVICE);
	diag_hint("to keep it so, a udev rule: KERNEL==\"posixtrace\", MODE=\"0666\".");
}

void diag_limits(int err)
{
	if (err == ENOSYS || err == ENOTTY)
		diag_no_module();
	else if (err == EACCES)
		no_access();
	else
		diag("cannot ask %s: %s", DEVICE, strerror(err));
}

static void foreign(const char *title, const struct procinfo *info)
{
	char owner[64], you[64];

	diag("you may not trace %s: it belongs to %s, you are %s", title,
	     user_name(info->uid[1], owner, sizeof(owner)),
	     user_name(geteuid(), you, sizeof(you)));
	diag_hint("Do it as %s, or with CAP_SYS_PTRACE (as root, or by sudo).",
		  owner);
}

static void protected(const char *title, const struct procinfo *info)
{
	if (info && !info->dumpable) {
		diag("you may not trace %s: it is not dumpable", title);
		diag_hint("Its program has privileges or cannot be read, or it");
		diag_hint("protects itself (PR_SET_DUMPABLE in prctl(2)).");
	} else {
		diag("you may not trace %s: the kernel refuses it", title);
		diag_hint("It has capabilities or a group that you do not have, or is");
		diag_hint("outside of your user namespace, or a security module says no.");
	}
	diag_hint("CAP_SYS_PTRACE (as root, or by sudo) may help.");
}

static void not_permitted(pid_t pid)
{
	char title[TITLE_MAX];
	struct procinfo info;
	uid_t you = geteuid();

	procinfo_title(pid, title, sizeof(title));
	if (!procinfo_read(pid, &info)) {
		protected(title, NULL);
	} else if (info.kernel) {
		diag("you may not trace %s: it is a thread of the kernel",
		     title);
		diag_hint("Only processes that run a program can be traced.");
	} else if (you && (info.uid[0] != you || info.uid[1] != you ||
			   info.uid[2] != you)) {
		foreign(title, &info);
	} else {
		protected(title, &info);
	}
}

void diag_no_process(pid_t pid)
{
	char title[TITLE_MAX];
	struct procinfo info;

	if (!procinfo_read(pid, &info)) {
		diag("there is no process %d", pid);
		return;
	}
	procinfo_title(pid, title, sizeof(title));
	if (info.tgid != pid) {
		diag("%s is a thread of process %d", title, info.tgid);
		diag_hint("Use -p %d: it traces all threads of the process.",
			  info.tgid);
	} else {
		diag("%s has ended", title);
		if (info.state == 'Z')
			diag_hint("It is a zombie: its parent has not waited for it yet.");
	}
}

static bool read_parameter(const char *name, char *buf, size_t size)
{
	char path[128];
	FILE *f;
	bool ok;

	snprintf(path, sizeof(path), PARAMETERS "%s", name);
	f = fopen(path, "re");
	if (!f)
		return false;
	ok = fgets(buf, size, f);
	fclose(f);
	if (ok)
		buf[strcspn(buf, "\n")] = '\0';
	return ok;
}

static void too_many_streams(void)
{
	diag("there are as many trace streams as the system allows (%ld)",
	     sysconf(_SC_TRACE_SYS_MAX));
	diag_hint("Wait until others end, or, as root, raise the limit in");
	diag_hint("%ssys_max.", PARAMETERS);
}

static void no_memory(size_t stream_size)
{
	char quota[32];

	diag("there is no room for a stream of %zu bytes", stream_size);
	if (read_parameter("user_quota", quota, sizeof(quota)))
		diag_hint("All your streams may take %s bytes (parameter user_quota).",
			  quota);
	diag_hint("Ask for less with -b, or end other streams of yours.");
}

void diag_create(int err, pid_t pid, size_t stream_size)
{
	char title[TITLE_MAX];

	switch (err) {
	case ENOSYS:
		diag_no_module();
		break;
	case EACCES:
		no_access();
		break;
	case EPERM:
		not_permitted(pid);
		break;
	case ESRCH:
		diag_no_process(pid);
		break;
	case EAGAIN:
		too_many_streams();
		break;
	case ENOMEM:
		no_memory(stream_size);
		break;
	default:
		diag("cannot trace %s: %s",
		     procinfo_title(pid, title, sizeof(title)), strerror(err));
	}
}

/* What a log cannot be. Return: NULL for a regular file. */
static const char *file_type(const struct stat *st)
{
	switch (st->st_mode & S_IFMT) {
	case S_IFREG:
		return NULL;
	case S_IFDIR:
		return "a directory";
	case S_IFIFO:
		return "a pipe";
	case S_IFSOCK:
		return "a socket";
	default:
		return "a device";
	}
}

static void no_regular_file(const char *path, const char *type)
{
	diag("%s is %s, a log has to be a regular file", path, type);
	diag_hint("Write to a file, then print it: posixtrace print FILE.");
}

static void file_too_large(const char *path)
{
	struct rlimit limit;

	diag("%s would be larger than a file may be", path);
	if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY)
		diag_hint("The limit is %llu bytes (RLIMIT_FSIZE): ulimit -f raises it.",
			  (unsigned long long)limit.rlim_cur);
	diag_hint("Or keep less: --size 16M keeps the newest events.");
}

bool diag_log_file(const char *path, int fd)
{
	const char *type;
	struct stat st;

	if (fstat(fd, &st)) {
		diag("cannot write to %s: %s", path, strerror(errno));
		return false;
	}
	type = file_type(&st);
	if (type)
		no_regular_file(path, type);
	return !type;
}

bool diag_log(int err, const char *path)
{
	switch (err) {
	case EFBIG:
		file_too_large(path);
		return true;
	case ENOSPC:
	case EDQUOT:
		diag("there is no room for %s: %s", path, strerror(err));
		diag_hint("Make room there, or name another file with -o; --size 16M keeps only");
		diag_hint("the newest events.");
		return true;
	case EBADF:
		diag("%s is not open for writing", path);
		return true;
	case EINVAL:
		diag("%s cannot hold a log: the kernel does not write logs to such files",
		     path);
		diag_hint("Name one on a disk or in a tmpfs with -o.");
		return true;
	default:
		return false;
	}
}

/* It begins as a log does. */
static void unreadable_log(const char *path,
			   const struct posixtrace_log_block *block,
			   const struct posixtrace_log_head *head)
{
	if (block->magic != POSIXTRACE_LOG_MAGIC) {
		diag("%s is a log from a machine of another byte order", path);
		diag_hint("It can be read on one like that.");
	} else if (head->version != POSIXTRACE_LOG_VERSION &&
		   block->data_size >= sizeof(*head)) {
		diag("%s is a log of version %u, this program reads version %u",
		     path, head->version, POSIXTRACE_LOG_VERSION);
	} else {
		diag("%s is a log whose beginning is damaged", path);
		diag_hint("Without it nothing of the log can be read.");
	}
}

void diag_no_log(const char *path, int fd)
{
	struct {
		struct posixtrace_log_block block;
		struct posixtrace_log_head head;
	} start = { 0 };
	const char *type;
	struct stat st;
	ssize_t n;

	type = fstat(fd, &st) ? NULL : file_type(&st);
	n = type ? 0 : pread(fd, &start, sizeof(start), 0);
	if (type)
		diag("%s is %s, a log is a regular file", path, type);
	else if (n < 0)
		diag("cannot read %s: %s", path, strerror(errno));
	else if (!n)
		diag("%s is empty, it is no log", path);
	else if (start.block.magic == POSIXTRACE_LOG_MAGIC ||
		 start.block.magic == __builtin_bswap32(POSIXTRACE_LOG_MAGIC))
		unreadable_log(path, &start.block, &start.head);
	else
		diag("%s is no log of posixtrace", path);
}
