// SPDX-License-Identifier: GPL-2.0-only
/*
 * An analyzer of a live stream: live_analyzer PID
 *
 * Traces a process and prints its events while it runs: to wait for the next
 * event is all the synchronization that takes. It ends with the event
 * "finished" of the process. A process that was killed does not report that, so
 * it also gives up when nothing has happened for a minute.
 */
#define _POSIX_C_SOURCE 200809L

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <trace.h>

/* The functions of <trace.h> return 0 or an error number. */
#define CHECK(call) check(call, #call)

static void check(int error, const char *call)
{
	if (error) {
		fprintf(stderr, "%s: %s\n", call, strerror(error));
		exit(EXIT_FAILURE);
	}
}

/* Data that is as long as an int is taken for a number. */
static void print(trace_id_t trid, const struct posix_trace_event_info *event,
		  int number, size_t size)
{
	char name[TRACE_EVENT_NAME_MAX + 1];

	CHECK(posix_trace_eventid_get_name(trid, event->posix_event_id, name));
	printf("%s", name);
	if (size == sizeof(number) &&
	    event->posix_truncation_status == POSIX_TRACE_NOT_TRUNCATED)
		printf(" %d", number);
	printf("\n");
	fflush(stdout);
}

/* Waits for the next event and prints it; returns its type. */
static trace_event_id_t print_next(trace_id_t trid)
{
	struct posix_trace_event_info event;
	struct timespec limit;
	int number, unavailable;
	size_t size;

	clock_gettime(CLOCK_REALTIME, &limit);
	limit.tv_sec += 60;
	CHECK(posix_trace_timedgetnext_event(trid, &event, &number,
					     sizeof(number), &size,
					     &unavailable, &limit));
	print(trid, &event, number, size);
	return event.posix_event_id;
}

int main(int argc, char **argv)
{
	pid_t pid = argc == 2 ? atoi(argv[1]) : 0;
	trace_event_id_t finished, type;
	trace_id_t trid;

	if (pid <= 0) {
		fprintf(stderr, "usage: live_analyzer PID\n");
		return EXIT_FAILURE;
	}
	CHECK(posix_trace_create(pid, NULL, &trid));

	/* As the process itself gets it when it opens the name. */
	CHECK(posix_trace_trid_eventid_open(trid, "finished", &finished));
	CHECK(posix_trace_start(trid));
	do {
		type = print_next(trid);
	} while (!posix_trace_eventid_equal(trid, type, finished));
	CHECK(posix_trace_shutdown(trid));
	return EXIT_SUCCESS;
}
