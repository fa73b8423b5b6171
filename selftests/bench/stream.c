// SPDX-License-Identifier: GPL-2.0-only
/*
 * What we do: recording, reading, streams.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <trace.h>
#include <unistd.h>

#include "measure.h"
#include "own.h"
#include "rows.h"

#define EVENTS	10000
#define DATA	16
#define RECORD	64		/* bytes that one event with DATA bytes takes */
#define LARGE	(EVENTS * RECORD + 4096)	/* does not wrap */
#define SMALL	65536		/* wraps all the time */

static trace_event_id_t event;
static char data[1024];
static size_t data_size = DATA;

static void record(void)
{
	posix_trace_event(event, data, data_size);
}

static void record_all(void)
{
	int i;

	for (i = 0; i < EVENTS; i++)
		record();
}

/* The gate stays shut: no system call. */
static void not_wanted(void)
{
	trace_event_set_t all;
	trace_id_t trid;

	measure("posix_trace_event, nobody traces", record, LIMIT, 12);
	trid = own_stream(SMALL, false);
	posix_trace_stop(trid);
	measure("posix_trace_event, suspended", record, LIMIT, 12);
	posix_trace_eventset_fill(&all, POSIX_TRACE_ALL_EVENTS);
	posix_trace_set_filter(trid, &all, POSIX_TRACE_SET_EVENTSET);
	posix_trace_start(trid);
	measure("posix_trace_event, filtered", record, LIMIT, 12);
	posix_trace_shutdown(trid);
}

/* Return: what an event of 16 bytes costs. */
static long sizes(void)
{
	static const struct {
		const char *name;
		size_t size;
		enum bound bound;
		long most;
	} rows[] = {
		{ "posix_trace_event, LOOP, no data", 0, NONE, 0 },
		{ "posix_trace_event, LOOP, 16 bytes", 16, LIMIT, 900 },
		{ "posix_trace_event, LOOP, 64 bytes", 64, NONE, 0 },
		{ "posix_trace_event, LOOP, 256 bytes", 256, NONE, 0 },
		{ "posix_trace_event, LOOP, 1024 bytes", 1024, NONE, 0 },
	};
	trace_id_t trid = own_stream(SMALL, false);
	long cost, one = 0;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		data_size = rows[i].size;
		record_all();	/* then it wraps */
		cost = measure(rows[i].name, record, rows[i].bound,
			       rows[i].most);
		if (data_size == DATA)
			one = cost;
	}
	data_size = DATA;
	posix_trace_shutdown(trid);
	return one;
}

/* Each one more may cost 120. */
static void several_streams(long one)
{
	trace_id_t trid[8];
	int i;

	trid[0] = own_stream(LARGE, false);
	measure("posix_trace_event, 16 bytes, not wrapping", record, LIMIT, 900);
	posix_trace_shutdown(trid[0]);
	for (i = 0; i < 2; i++)
		trid[i] = own_stream(SMALL, false);
	record_all();
	measure("posix_trace_event, 2 streams", record, LIMIT, one + 120);
	for (; i < 8; i++)
		trid[i] = own_stream(SMALL, false);
	record_all();
	measure("posix_trace_event, 8 streams", record, LIMIT,
		one + 7 * 120);
	for (i = 0; i < 8; i++)
		posix_trace_shutdown(trid[i]);
}

static long getnext(trace_id_t trid, bool try, int times)
{
	struct posix_trace_event_info info;
	long start = now(CLOCK_MONOTONIC);
	int i, unavailable = 0;
	size_t len;

	for (i = 0; i < times && !unavailable; i++)
		check((try ? posix_trace_trygetnext_event :
			     posix_trace_getnext_event)
		      (trid, &info, data, sizeof(data), &len, &unavailable),
		      "getnext_event");
	check(unavailable ? ENODATA : 0, "getnext_event");
	return (now(CLOCK_MONOTONIC) - start) / times;
}

static long read_batches(int fd, int times)
{
	static char batch[64 * RECORD];
	long start = now(CLOCK_MONOTONIC), got = 0;
	ssize_t n;

	while (got < times) {
		n = read(fd, batch, sizeof(batch));
		check(n <= 0 ? EIO : 0, "read");
		got += n / RECORD;
	}
	return (now(CLOCK_MONOTONIC) - start) / got;
}

static void reading(void)
{
	long try[RUNS], one[RUNS], many[RUNS];
	trace_id_t trid = own_stream(LARGE, false);
	int run, fd;

	check(posix_trace_get_fd_np(trid, &fd), "get_fd_np");
	for (run = 0; run < RUNS; run++) {
		record_all();
		try[run] = getnext(trid, true, EVENTS / 4);
		one[run] = getnext(trid, false, EVENTS / 4);
		many[run] = read_batches(fd, EVENTS / 4);
		posix_trace_clear(trid);
	}
	row("trygetnext_event", try, LIMIT, 950);
	row("getnext_event", one, NONE, 0);
	row("read(), 64 events at a time, per event", many, LIMIT, 120);
	posix_trace_shutdown(trid);
}

/* CPU time of this thread alone: what the flusher does is not in it. */
static long share(void)
{
	return repeat(record, CLOCK_THREAD_CPUTIME_ID, EVENTS);
}

static trace_id_t begin_with_log(int policy, int fd)
{
	trace_attr_t attr;
	trace_id_t trid;

	check(posix_trace_attr_init(&attr), "attr_init");
	check(posix_trace_attr_setstreamsize(&attr, LARGE), "setstreamsize");
	check(posix_trace_attr_setlogfullpolicy(&attr, POSIX_TRACE_APPEND),
	      "setlogfullpolicy");
	check(posix_trace_attr_setstreamfullpolicy(&attr, policy),
	      "setstreamfullpolicy");
	check(posix_trace_create_withlog(0, &attr, fd, &trid),
	      "create_withlog");
	check(posix_trace_start(trid), "start");
	return trid;
}

/* A full stream is flushed at once. */
static long flush(int fd)
{
	trace_id_t trid = begin_with_log(POSIX_TRACE_UNTIL_FULL, fd);
	long start;

	record_all();
	start = now(CLOCK_MONOTONIC);
	check(posix_trace_flush(trid), "flush");
	start = (now(CLOCK_MONOTONIC) - start) / EVENTS;
	posix_trace_shutdown(trid);
	return start;
}

static void with_log(void)
{
	long without[RUNS], with[RUNS], flusher[RUNS], plain;
	trace_id_t trid;
	int run, fd;

	for (run = 0; run < RUNS; run++) {
		trid = own_stream(LARGE, false);
		without[run] = share();
		posix_trace_shutdown(trid);
		fd = open("/tmp/bench.log", O_RDWR | O_CREAT | O_TRUNC, 0600);
		check(fd < 0 ? errno : 0, "/tmp/bench.log");
		trid = begin_with_log(POSIX_TRACE_FLUSH, fd);
		with[run] = share();
		posix_trace_shutdown(trid);
		/* The file has its pages now: they are not ours to count. */
		flusher[run] = flush(fd);
		close(fd);
	}
	plain = row("recording thread, no log", without, NONE, 0);
	row("recording thread, with a log", with, LIMIT, plain * 105 / 100);
	row("flusher, per event", flusher, LIMIT, plain / 5);
}

static void create_and_shut_down(void)
{
	trace_id_t trid;

	check(posix_trace_create(0, NULL, &trid), "create");
	posix_trace_start(trid);
	posix_trace_shutdown(trid);
}

static void with_kernel_events(void)
{
	posix_trace_shutdown(own_stream(SMALL, true));
}

static void life(void)
{
	long cost[RUNS];
	int run;

	for (run = 0; run < RUNS; run++)
		cost[run] = repeat(create_and_shut_down, CLOCK_MONOTONIC, 100);
	row("create + start + shutdown, 64 KiB", cost, LIMIT, 40000);

	with_kernel_events();	/* from here on the probes are there */
	for (run = 0; run < RUNS; run++)
		cost[run] = repeat(with_kernel_events, CLOCK_MONOTONIC, 100);
	row("the same with all kernel events, not the first", cost, LIMIT, 40000);
}

void streams(void)
{
	check(posix_trace_eventid_open("bench", &event), "eventid_open");
	not_wanted();
	several_streams(sizes());
	reading();
	with_log();
	life();
}
