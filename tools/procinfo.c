// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "procinfo.h"

/* linux/sched.h of the kernel; in the flags of /proc/PID/stat */
#define PF_EXITING	0x00000004
#define PF_KTHREAD	0x00200000

static FILE *proc_open(pid_t pid, const char *file)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, file);
	return fopen(path, "re");
}

/* A process names itself: do not let it speak to the terminal. */
static void make_printable(char *s)
{
	for (; *s; s++) {
		if (!isascii(*s) || !isprint(*s))
			*s = '?';
	}
}

static bool read_stat(pid_t pid, struct procinfo *info)
{
	FILE *f = proc_open(pid, "stat");
	char line[1024], *name, *rest;
	unsigned int flags;
	bool ok;

	if (!f)
		return false;
	ok = fgets(line, sizeof(line), f);
	fclose(f);
	name = ok ? strchr(line, '(') : NULL;
	rest = ok ? strrchr(line, ')') : NULL;
	if (!name || !rest)
		return false;
	*rest = '\0';
	if (sscanf(rest + 1, " %c %*d %*d %*d %*d %*d %u",
		   &info->state, &flags) != 2)
		return false;
	snprintf(info->comm, sizeof(info->comm), "%s", name + 1);
	make_printable(info->comm);
	info->kernel = flags & PF_KTHREAD;
	info->exiting = flags & PF_EXITING;
	return true;
}

static bool read_status(pid_t pid, struct procinfo *info)
{
	FILE *f = proc_open(pid, "status");
	char line[256];
	int found = 0;

	if (!f)
		return false;
	while (fgets(line, sizeof(line), f)) {
		found += sscanf(line, "Tgid: %d", &info->tgid) == 1;
		found += sscanf(line, "Uid: %u %u %u", &info->uid[0],
				&info->uid[1], &info->uid[2]) == 3;
	}
	fclose(f);
	return found == 2;
}

/* The files of a protected process in /proc belong to root. */
static bool is_dumpable(pid_t pid, uid_t euid)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	return !stat(path, &st) && st.st_uid == euid;
}

bool procinfo_read(pid_t pid, struct procinfo *info)
{
	if (!read_stat(pid, info) || !read_status(pid, info))
		return false;
	info->dumpable = is_dumpable(pid, info->uid[1]);
	return true;
}

const char *procinfo_title(pid_t pid, char *buf, size_t size)
{
	struct procinfo info;

	if (procinfo_read(pid, &info))
		snprintf(buf, size, "%d (%s)", pid, info.comm);
	else
		snprintf(buf, size, "%d", pid);
	return buf;
}
