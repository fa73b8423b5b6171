// SPDX-License-Identifier: GPL-2.0-only
/*
 * What people use instead of us, and what the least is that any of us can cost.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "measure.h"
#include "rows.h"

#define TRACEFS	"/sys/kernel/tracing/"

static char data[16];
static int null_fd, marker_fd;

void getppid_call(void)
{
	syscall(SYS_getppid);
}

static void refused_ioctl(void)
{
	ioctl(0, 0xd7ff, 0);
}

static void write_null(void)
{
	if (write(null_fd, data, sizeof(data)) < 0)
		check(errno, "/dev/null");
}

static void write_marker(void)
{
	if (write(marker_fd, data, sizeof(data)) < 0)
		check(errno, "trace_marker");
}

static __attribute__((noinline)) void probed(const void *p)
{
	asm volatile("" : : "r" (p));
}

static void call_probed(void)
{
	probed(data);
}

static void put(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY | O_APPEND);

	check(fd < 0 || write(fd, text, strlen(text)) < 0 ? errno : 0, file);
	close(fd);
}

static int open_for_writing(const char *file)
{
	int fd = open(file, O_WRONLY);

	check(fd < 0 ? errno : 0, file);
	return fd;
}

static void need_tracefs(void)
{
	if (access(TRACEFS "trace_marker", F_OK) &&
	    mount("tracefs", TRACEFS, "tracefs", 0, NULL))
		check(errno, "tracefs");
}

long peer_getppid(void)
{
	return measure("getppid", getppid_call, NONE, 0);
}

static long getppid_with_ftrace(const char *name)
{
	long cost;

	put(TRACEFS "events/raw_syscalls/enable", "1");
	cost = measure(name, getppid_call, NONE, 0);
	put(TRACEFS "events/raw_syscalls/enable", "0");
	return cost;
}

/* What a tracer costs us that uses the same tracepoints for process @pid. */
long peer_ftrace_of(int pid)
{
	char number[16];
	long cost;

	need_tracefs();
	snprintf(number, sizeof(number), "%d", pid);
	put(TRACEFS "set_event_pid", number);
	cost = getppid_with_ftrace("getppid, ftrace has another's raw_syscalls");
	close(open(TRACEFS "set_event_pid", O_WRONLY | O_TRUNC));
	return cost;
}

/* Where a function is in the file that this program comes from. */
static unsigned long offset_of(const void *function)
{
	unsigned long from, to, offset;
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[PATH_MAX + 100];

	check(maps ? 0 : errno, "/proc/self/maps");
	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %*s %lx", &from, &to, &offset) != 3 ||
		    (uintptr_t)function < from || (uintptr_t)function >= to)
			continue;
		fclose(maps);
		return (uintptr_t)function - from + offset;
	}
	check(ENOENT, "a function");
	return 0;
}

static void uprobe(void)
{
	char command[PATH_MAX + 100], exe[PATH_MAX] = "";

	check(readlink("/proc/self/exe", exe, sizeof(exe) - 1) < 0 ? errno : 0,
	      "/proc/self/exe");
	snprintf(command, sizeof(command), "p:bench/probed %s:0x%lx x=%%di",
		 exe, offset_of(probed));
	put(TRACEFS "uprobe_events", command);
	put(TRACEFS "events/bench/probed/enable", "1");
	measure("uprobe event", call_probed, NONE, 0);
	put(TRACEFS "events/bench/probed/enable", "0");
	put(TRACEFS "uprobe_events", "-:bench/probed");
}

/* In the child that strace runs: tell by the exit status what it cost. */
int getppid_under_strace(void)
{
	printf("%ld\n", repeat(getppid_call, CLOCK_MONOTONIC, 200));
	return 0;
}

/* The numbers that a command prints, one row each, in this order. */
static void rows_of(const char *command, const char *const *names)
{
	FILE *pipe = popen(command, "r");
	long cost[RUNS];
	int i;

	check(pipe ? 0 : errno, command);
	for (; *names; names++) {
		if (fscanf(pipe, "%ld", &cost[0]) != 1)
			check(EPIPE, command);
		for (i = 1; i < RUNS; i++)
			cost[i] = cost[0];
		row(*names, cost, NONE, 0);
	}
	if (pclose(pipe))
		check(ECHILD, command);
}

static void strace(void)
{
	static const char *const names[] = { "getppid, strace", NULL };
	char command[PATH_MAX + 100], exe[PATH_MAX] = "";

	if (readlink("/proc/self/exe", exe, sizeof(exe) - 1) < 0)
		check(errno, "/proc/self/exe");
	snprintf(command, sizeof(command),
		 "strace -qq -o /dev/null %s --under-strace", exe);
	rows_of(command, names);
}

/* @lttng: the program of lttng.c */
void peers(const char *lttng)
{
	static const char *const names[] = {
		"LTTng-UST event, not enabled",
		"LTTng-UST event, 16 bytes, overwrite mode",
		"LTTng-UST event, filtered out",
		NULL
	};

	need_tracefs();
	measure("refused ioctl", refused_ioctl, NONE, 0);
	null_fd = open_for_writing("/dev/null");
	measure("write of 16 bytes to /dev/null", write_null, NONE, 0);
	marker_fd = open_for_writing(TRACEFS "trace_marker");
	measure("ftrace trace_marker, 16 bytes", write_marker, NONE, 0);
	getppid_with_ftrace("getppid, ftrace raw_syscalls");
	uprobe();
	strace();
	rows_of(lttng, names);
}
