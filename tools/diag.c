// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static void no_device(void)
{
	if (access(DEVICE, F_OK)) {
		diag("the kernel module is not loaded");
		diag_hint("As root: modprobe posixtrace (or insmod posixtrace.ko).");
	} else {
		diag("the loaded kernel module is older than this program");
		diag_hint("As root: rmmod posixtrace, then load that of version %s.",
			  TOOL_VERSION);
	}
}

static void no_access(void)
{
	diag("you may not open %s", DEVICE);
	diag_hint("It is meant for every user. As root: chmod 0666 %s;", DEVICE);
	diag_hint("to keep it so, a udev rule: KERNEL==\"posixtrace\", MODE=\"0666\".");
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
		no_device();
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
