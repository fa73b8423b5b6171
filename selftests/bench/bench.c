// SPDX-License-Identifier: GPL-2.0-only
/*
 * What operations cost, in guest instructions: to be run by ../vm/run -i, where
 * the clock advances by one nanosecond for each instruction.
 *
 * Each row is the median of 5 runs, per operation. The exit status is not 0 if
 * a row that has a limit is above it. The module is loaded in the middle
 * (run -n), so that there is something to compare with.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <trace.h>
#include <unistd.h>

#define RUNS	5
#define EVENTS	10000		/* of 64 bytes: in a stream of STREAM bytes */
#define STREAM	(EVENTS * 64 + 4096)

static trace_event_id_t event;
static char data[1024];
static int failed;

static void check(int err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "bench: %s: %s\n", what, strerror(err));
	exit(1);
}

static long now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	return *(const long *)a < *(const long *)b ? -1 : 1;
}

/* One row: the median, and whether it keeps its limit, if there is one. */
static long row(const char *name, long *cost, long limit)
{
	long median;

	qsort(cost, RUNS, sizeof(*cost), by_value);
	median = cost[RUNS / 2];
	if (limit)
		printf("%-44s %8ld  (at most %ld)\n", name, median, limit);
	else
		printf("%-44s %8ld\n", name, median);
	if (limit && median > limit) {
		printf("bench: too much: %s\n", name);
		failed = 1;
	}
	return median;
}

static void nothing(void)
{
	asm volatile("");
}

static void record(void)
{
	posix_trace_event(event, data, 16);
}

static void getppid_call(void)
{
	syscall(SYS_getppid);
}

static void refused_ioctl(void)
{
	ioctl(0, 0xd7ff, 0);
}

static void repeat(void (*operation)(void), long *cost)
{
	int run, i;

	for (run = 0; run < RUNS; run++) {
		long start = now(CLOCK_MONOTONIC);

		for (i = 0; i < EVENTS; i++)
			operation();
		cost[run] = (now(CLOCK_MONOTONIC) - start) / EVENTS;
	}
}

/* What the loop and the call of a function cost is not counted. */
static long measure(const char *name, void (*operation)(void), long limit)
{
	long cost[RUNS], loop[RUNS];
	int run;

	repeat(nothing, loop);
	repeat(operation, cost);
	for (run = 0; run < RUNS; run++)
		cost[run] -= loop[RUNS - 1];
	return row(name, cost, limit);
}

static void init_attr(trace_attr_t *attr, size_t size)
{
	check(posix_trace_attr_init(attr), "attr_init");
	check(posix_trace_attr_setstreamsize(attr, size), "setstreamsize");
}

static trace_id_t create(size_t size)
{
	trace_attr_t attr;
	trace_id_t trid;

	init_attr(&attr, size);
	check(posix_trace_create(0, &attr, &trid), "create");
	return trid;
}

/* The gate stays shut: no system call. */
static void not_wanted(void)
{
	trace_event_set_t all;
	trace_id_t trid;

	measure("posix_trace_event, nobody traces", record, 12);
	trid = create(STREAM);
	measure("posix_trace_event, suspended", record, 12);
	posix_trace_eventset_fill(&all, POSIX_TRACE_ALL_EVENTS);
	posix_trace_set_filter(trid, &all, POSIX_TRACE_SET_EVENTSET);
	posix_trace_start(trid);
	measure("posix_trace_event, filtered", record, 12);
	posix_trace_shutdown(trid);
}

static void recorded(void)
{
	trace_id_t trid = create(STREAM), second;

	posix_trace_start(trid);
	measure("posix_trace_event, 16 bytes, LOOP", record, 0);
	second = create(STREAM);
	posix_trace_start(second);
	measure("posix_trace_event, two streams", record, 0);
	posix_trace_shutdown(second);
	posix_trace_shutdown(trid);
}

static void read_back(void)
{
	struct posix_trace_event_info info;
	trace_id_t trid = create(STREAM);
	int run, i, fd, unavailable;
	static char batch[64 * 64];
	long one[RUNS], many[RUNS];
	size_t len;

	check(posix_trace_get_fd_np(trid, &fd), "get_fd_np");
	posix_trace_start(trid);
	for (run = 0; run < RUNS; run++) {
		long start, got = 0;
		ssize_t n;

		for (i = 0; i < EVENTS; i++)
			record();
		start = now(CLOCK_MONOTONIC);
		for (i = 0; i < EVENTS / 2; i++)
			posix_trace_trygetnext_event(trid, &info, data,
						     sizeof(data), &len,
						     &unavailable);
		one[run] = (now(CLOCK_MONOTONIC) - start) / (EVENTS / 2);
		start = now(CLOCK_MONOTONIC);
		while (got < EVENTS / 4) {
			n = read(fd, batch, sizeof(batch));
			if (n <= 0)
				check(EIO, "read");
			got += n / 64;
		}
		many[run] = (now(CLOCK_MONOTONIC) - start) / got;
		posix_trace_clear(trid);
	}
	row("trygetnext_event", one, 0);
	row("read(), 64 events at a time, per event", many, 0);
	posix_trace_shutdown(trid);
}

/* CPU time of this thread alone: what the flusher does is not in it. */
static long record_all(void)
{
	long start = now(CLOCK_THREAD_CPUTIME_ID);
	int i;

	for (i = 0; i < EVENTS; i++)
		record();
	return (now(CLOCK_THREAD_CPUTIME_ID) - start) / EVENTS;
}

static void with_log(void)
{
	long without[RUNS], with[RUNS], flush[RUNS], plain, share, flushed;
	trace_attr_t attr;
	trace_id_t trid;
	int run, fd;

	init_attr(&attr, STREAM);
	check(posix_trace_attr_setlogfullpolicy(&attr, POSIX_TRACE_APPEND),
	      "setlogfullpolicy");
	for (run = 0; run < RUNS; run++) {
		long start;

		trid = create(STREAM);
		posix_trace_start(trid);
		without[run] = record_all();
		posix_trace_shutdown(trid);

		fd = open("/tmp/bench.log", O_RDWR | O_CREAT | O_TRUNC, 0600);
		check(posix_trace_create_withlog(0, &attr, fd, &trid),
		      "create_withlog");
		posix_trace_start(trid);
		with[run] = record_all();
		posix_trace_shutdown(trid);

		/* A full stream is flushed at once. */
		posix_trace_attr_setstreamfullpolicy(&attr,
						     POSIX_TRACE_UNTIL_FULL);
		check(posix_trace_create_withlog(0, &attr, fd, &trid),
		      "create_withlog");
		posix_trace_attr_setstreamfullpolicy(&attr, POSIX_TRACE_FLUSH);
		posix_trace_start(trid);
		record_all();
		start = now(CLOCK_MONOTONIC);
		check(posix_trace_flush(trid), "flush");
		flush[run] = (now(CLOCK_MONOTONIC) - start) / EVENTS;
		posix_trace_shutdown(trid);
		close(fd);
	}
	plain = row("recording thread, no log", without, 0);
	share = row("recording thread, with a log", with, plain * 105 / 100);
	flushed = row("flusher, per event", flush, share / 5);
	printf("flusher: %ld times as fast as one thread records\n",
	       share / flushed);
}

static void create_and_shut_down(void)
{
	trace_id_t trid;

	check(posix_trace_create(0, NULL, &trid), "create");
	posix_trace_start(trid);
	posix_trace_shutdown(trid);
}

static void life(void)
{
	long cost[RUNS];
	int run, i;

	for (run = 0; run < RUNS; run++) {
		long start = now(CLOCK_MONOTONIC);

		for (i = 0; i < 100; i++)
			create_and_shut_down();
		cost[run] = (now(CLOCK_MONOTONIC) - start) / 100;
	}
	row("create + start + shutdown, 64 KiB", cost, 0);
}

static void system_calls(void)
{
	trace_event_set_t set;
	trace_attr_t attr;
	trace_id_t trid;

	init_attr(&attr, 1 << 20);
	posix_trace_eventset_fill(&set, POSIX_TRACE_SYSTEM_EVENTS);
	posix_trace_attr_setkernelevents_np(&attr, &set);
	check(posix_trace_create(0, &attr, &trid), "create");
	posix_trace_start(trid);
	measure("getppid, system calls recorded", getppid_call, 0);
	posix_trace_shutdown(trid);
}

/*
 * Another process, which is traced in place of us: by itself, when it is told
 * to. It is there from the beginning, so that it changes nothing else.
 */
static struct {
	pid_t pid;
	int commands[2];
	int answers[2];
} other;

static void trace_all(void)
{
	trace_event_set_t set;
	trace_attr_t attr;
	trace_id_t trid;

	init_attr(&attr, STREAM);
	posix_trace_eventset_fill(&set, POSIX_TRACE_SYSTEM_EVENTS);
	posix_trace_attr_setkernelevents_np(&attr, &set);
	check(posix_trace_create(0, &attr, &trid), "create");
	check(posix_trace_start(trid), "start");
}

static void be_the_other(void)
{
	char command;

	read(other.commands[0], &command, 1);
	trace_all();
	write(other.answers[1], &command, 1);
	read(other.commands[0], &command, 1);
	_exit(0);
}

static void begin_other(void)
{
	if (pipe(other.commands) || pipe(other.answers))
		check(errno, "pipe");
	other.pid = fork();
	check(other.pid < 0 ? errno : 0, "fork");
	if (!other.pid)
		be_the_other();
}

static void tell_other(void)
{
	char answer;

	write(other.commands[1], "t", 1);
	read(other.answers[0], &answer, 1);
}

static void end_other(void)
{
	kill(other.pid, SIGKILL);
	waitpid(other.pid, NULL, 0);
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	check(fd < 0 || write(fd, text, strlen(text)) < 0 ? errno : 0, path);
	close(fd);
}

/* What a tracer costs us that uses the same tracepoints, for another process. */
static long getppid_with_ftrace(void)
{
	char number[16];
	long cost;

	snprintf(number, sizeof(number), "%d", other.pid);
	mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL);
	put("/sys/kernel/tracing/set_event_pid", number);
	put("/sys/kernel/tracing/events/raw_syscalls/enable", "1");
	cost = measure("getppid, ftrace has another's system calls",
		       getppid_call, 0);
	put("/sys/kernel/tracing/events/raw_syscalls/enable", "0");
	return cost;
}

static long fork_and_exit(const char *name, long limit)
{
	long cost[RUNS];
	int run, i;

	for (run = 0; run < RUNS; run++) {
		long start = now(CLOCK_MONOTONIC);

		for (i = 0; i < 100; i++) {
			pid_t pid = fork();

			if (!pid)
				_exit(0);
			waitpid(pid, NULL, 0);
		}
		cost[run] = (now(CLOCK_MONOTONIC) - start) / 100;
	}
	return row(name, cost, limit);
}

static void load_module(void)
{
	int fd = open("/lib/modules/posixtrace.ko", O_RDONLY);

	check(fd < 0 || syscall(SYS_finit_module, fd, "", 0) ? errno : 0,
	      "posixtrace.ko");
	close(fd);
}

/* Those whom nobody traces hardly notice that another one is traced. */
static void not_traced(long plain_getppid, long plain_fork, long ftrace)
{
	measure("getppid, module loaded", getppid_call,
		plain_getppid + plain_getppid / 200 + 1);
	fork_and_exit("fork + exit, module loaded",
		      plain_fork + plain_fork / 200);
	tell_other();
	measure("getppid, another has all kernel events", getppid_call,
		ftrace + 60);
	fork_and_exit("fork + exit, another has all kernel events",
		      plain_fork * 103 / 100);
	end_other();
}

int main(void)
{
	long plain_getppid, plain_fork, ftrace;

	printf("%-44s %8s\n", "operation", "instructions");
	begin_other();
	plain_getppid = measure("getppid", getppid_call, 0);
	fork_and_exit("fork + exit, the first time", 0);
	plain_fork = fork_and_exit("fork + exit", 0);
	ftrace = getppid_with_ftrace();
	measure("refused ioctl", refused_ioctl, 0);

	load_module();
	not_traced(plain_getppid, plain_fork, ftrace);

	/* From here on this process is instrumented. */
	check(posix_trace_eventid_open("bench", &event), "eventid_open");
	fork_and_exit("fork + exit, instrumented", 0);
	not_wanted();
	recorded();
	read_back();
	with_log();
	life();
	system_calls();
	return failed;
}
