// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changing attributes
 *
 * Makes a stream to measure for this very process: the system promises that it
 * will hold 20 events with 10 bytes each. Prints the default attributes, those
 * in force, which are what the system gives if it does not have exactly what it
 * was asked for, and whether the promise was kept.
 */
#define _POSIX_C_SOURCE 200809L

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static void print(const char *what, const trace_attr_t *attr)
{
	char name[TRACE_NAME_MAX + 1];
	size_t size, length;
	int policy;

	CHECK(posix_trace_attr_getname(attr, name));
	CHECK(posix_trace_attr_getstreamsize(attr, &size));
	CHECK(posix_trace_attr_getstreamfullpolicy(attr, &policy));
	CHECK(posix_trace_attr_getmaxdatasize(attr, &length));
	printf("%s: name \"%s\", %zu bytes, %s, data cut to %zu bytes\n",
	       what, name, size,
	       policy == POSIX_TRACE_UNTIL_FULL ? "until full" : "loop",
	       length);
}

/* The size comes last: how large an event can get depends on the others. */
static void choose(trace_attr_t *attr)
{
	size_t user, system;

	CHECK(posix_trace_attr_setname(attr, "sample"));
	CHECK(posix_trace_attr_setstreamfullpolicy(attr,
						   POSIX_TRACE_UNTIL_FULL));
	CHECK(posix_trace_attr_setmaxdatasize(attr, 10));
	CHECK(posix_trace_attr_getmaxusereventsize(attr, 10, &user));
	CHECK(posix_trace_attr_getmaxsystemeventsize(attr, &system));
	/* Two system events: the start and the stop of the stream. */
	CHECK(posix_trace_attr_setstreamsize(attr, 20 * user + 2 * system));
}

int main(void)
{
	struct posix_trace_status_info status;
	trace_event_id_t event;
	trace_attr_t attr;
	trace_id_t trid;
	int i;

	CHECK(posix_trace_attr_init(&attr));
	print("default", &attr);
	choose(&attr);
	CHECK(posix_trace_create(0, &attr, &trid));

	/* The object is free for other uses: the stream has its own. */
	CHECK(posix_trace_get_attr(trid, &attr));
	print("in force", &attr);
	CHECK(posix_trace_attr_destroy(&attr));

	CHECK(posix_trace_eventid_open("event", &event));
	CHECK(posix_trace_start(trid));
	for (i = 0; i < 20; i++)
		posix_trace_event(event, "0123456789 and more", 19);
	CHECK(posix_trace_stop(trid));

	CHECK(posix_trace_get_status(trid, &status));
	if (status.posix_stream_overrun_status == POSIX_TRACE_OVERRUN)
		printf("events were lost\n");
	else
		printf("all events were recorded\n");
	CHECK(posix_trace_shutdown(trid));
	return EXIT_SUCCESS;
}
