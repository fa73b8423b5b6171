// SPDX-License-Identifier: GPL-2.0-only
/*
 * What two processors make of us: to be run in a VM that has two. The exit
 * status is not 0 if a ratio is below what it has to be.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <trace.h>
#include <unistd.h>

#include "measure.h"
#include "own.h"
#include "pair.h"

#define STREAM	(1 << 20)

static trace_event_id_t event;
static trace_id_t trid;
static char data[16];
static atomic_bool ended;

static void record(void)
{
	posix_trace_event(event, data, sizeof(data));
}

static void begin(void)
{
	check(posix_trace_eventid_open("bench", &event), "eventid_open");
	trid = own_stream(STREAM, false);
}

/* Two processes that each record into a stream of their own, at the same time. */
static double rate_of_processes(int nr)
{
	int go[2], answer[2], i;
	double sum = 0, one;

	if (pipe(go) || pipe(answer))
		check(errno, "pipe");
	for (i = 0; i < nr; i++) {
		if (fork())
			continue;
		begin();
		close(go[1]);
		if (read(go[0], &one, 1))	/* until it is closed */
			_exit(1);
		one = rate(record, 1);
		if (write(answer[1], &one, sizeof(one)) != sizeof(one))
			_exit(1);
		_exit(0);
	}
	close(go[0]);
	close(go[1]);
	for (i = 0; i < nr; i++) {
		if (read(answer[0], &one, sizeof(one)) != sizeof(one))
			check(EPIPE, "a process");
		sum += one;
	}
	while (wait(NULL) > 0)
		;
	close(answer[0]);
	close(answer[1]);
	return sum;
}

static void *read_events(void *arg)
{
	static char batch[1 << 16];
	int fd;

	check(posix_trace_get_fd_np(trid, &fd), "get_fd_np");
	while (!ended)
		if (read(fd, batch, sizeof(batch)) < 0)
			break;
	return arg;
}

/* One thread records, alone and while another one reads. */
static void reader_beside_writer(void)
{
	double alone = rate(record, 1), beside;
	pthread_t reader;

	check(pthread_create(&reader, NULL, read_events, NULL), "thread");
	beside = rate(record, 1);
	ended = true;
	record();
	pthread_join(reader, NULL);
	print_ratio("a writer: alone, beside a reader", alone, beside);
}

static bool enough(double ratio, double least, const char *what)
{
	if (ratio >= least)
		return true;
	fprintf(stderr, "pairs: %s: %.2f, at least %.1f\n", what, ratio, least);
	return false;
}

int main(void)
{
	double one, two;
	bool good;

	printf("%-40s %11s %11s  %s\n", "recorded", "one", "two", "ratio");
	one = rate_of_processes(1);
	two = rate_of_processes(2);
	print_ratio("processes, a stream each", one, two);
	good = enough(two / one, 1.8, "two processes");
	begin();
	good &= enough(print_pair("threads, one stream", record), 1.3,
		       "two threads");
	reader_beside_writer();
	posix_trace_shutdown(trid);
	return !good;
}
