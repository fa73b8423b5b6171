// SPDX-License-Identifier: GPL-2.0-only
/*
 * operation NAME: does one thing many times, between two markers for insns.c,
 * then prints how often, and where everything is: /proc/kallsyms, and the maps
 * of this program.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <trace.h>
#include <unistd.h>

#include "measure.h"
#include "own.h"

#define TIMES	10000
#define DATA	16
#define RECORD	64
#define LARGE	(2 * TIMES * RECORD)	/* does not wrap */
#define SMALL	65536			/* wraps all the time */

static trace_event_id_t event;
static trace_id_t trid;
static char data[1024];
static int fd;

static void marker(void)
{
	asm volatile("xchg %%rbx, %%rbx" : : : "memory");
}

static void record(void)
{
	posix_trace_event(event, data, DATA);
}

static void record_all(void)
{
	int i;

	for (i = 0; i < TIMES; i++)
		record();
}

static void refuse(void)
{
	ioctl(0, 0xd7ff, 0);
}

static void getppid_call(void)
{
	syscall(SYS_getppid);
}

static void take(void)
{
	struct posix_trace_event_info info;
	int unavailable;
	size_t len;

	posix_trace_trygetnext_event(trid, &info, data, sizeof(data), &len,
				     &unavailable);
}

static void read_64(void)
{
	static char batch[64 * RECORD];

	check(read(fd, batch, sizeof(batch)) < 0 ? errno : 0, "read");
}

static void create(void)
{
	trace_id_t other;

	check(posix_trace_create(0, NULL, &other), "create");
	posix_trace_start(other);
	posix_trace_shutdown(other);
}

static const struct {
	const char *name;
	void (*once)(void);
	int times;
	size_t stream;
	bool kernel_events;
} operations[] = {
	{ "record", record, TIMES, SMALL, false },
	{ "record-not-wrapping", record, TIMES, LARGE, false },
	{ "refused-ioctl", refuse, TIMES, SMALL, false },
	{ "getppid", getppid_call, TIMES, SMALL, true },
	{ "trygetnext", take, TIMES, LARGE, false },
	{ "read-64", read_64, TIMES / 64, LARGE, false },
	{ "create", create, 100, SMALL, false },
};

int main(int argc, char **argv)
{
	size_t nr = sizeof(operations) / sizeof(*operations), i;
	int n;

	for (i = 0; i < nr && argc == 2; i++)
		if (!strcmp(operations[i].name, argv[1]))
			break;
	if (argc != 2 || i == nr) {
		fprintf(stderr, "usage: operation NAME, one of\n");
		for (i = 0; i < nr; i++)
			fprintf(stderr, "\t%s\n", operations[i].name);
		return 2;
	}
	check(posix_trace_eventid_open("bench", &event), "eventid_open");
	trid = own_stream(operations[i].stream, operations[i].kernel_events);
	check(posix_trace_get_fd_np(trid, &fd), "get_fd_np");
	record_all();
	operations[i].once();
	marker();
	for (n = 0; n < operations[i].times; n++)
		operations[i].once();
	marker();
	printf("%d\n", n);
	fflush(stdout);
	execlp("cat", "cat", "/proc/kallsyms", NULL);
	return 1;
}
