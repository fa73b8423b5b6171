// SPDX-License-Identifier: GPL-2.0-only
/*
 * What two processors make of us: to be run in a VM that has two. The exit
 * status is not 0 if a ratio is below what it has to be.
 *
 * Two processors of a VM may be less than two: what the machine makes of two
 * that have nothing in common is measured first, and counts as 2.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
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

static void call_getppid(void)
{
	syscall(SYS_getppid);
}

static void nothing(void)
{
}

static const struct pair apart = {
	"processes, getppid", call_getppid, nothing
};

static const struct pair processes = {
	"processes, a stream each", record, begin
};

static const struct pair threads = { "threads, one stream", record, NULL };

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
	double alone = rate(&threads, 1), beside;
	pthread_t reader;

	check(pthread_create(&reader, NULL, read_events, NULL), "thread");
	beside = rate(&threads, 1);
	ended = true;
	record();
	pthread_join(reader, NULL);
	print_ratio("a writer: alone, beside a reader", alone, beside,
		    beside / alone);
}

/* @most: what counts as 2 */
static bool enough(const struct pair *pair, double most, double least)
{
	double ratio = print_pair(pair) * 2 / most;

	if (ratio >= least)
		return true;
	fprintf(stderr, "pairs: %s: %.2f of 2, at least %.1f\n", pair->name,
		ratio, least);
	return false;
}

int main(void)
{
	double most;
	bool good;

	printf("%-40s %11s %11s  %s\n", "done", "one", "two", "ratio");
	most = print_pair(&apart);
	good = enough(&processes, most, 1.8);
	begin();
	good &= enough(&threads, most, 1.3);
	reader_beside_writer();
	posix_trace_shutdown(trid);
	return !good;
}
