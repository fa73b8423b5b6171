// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filtering event types
 *
 * The filter of a stream is the set of the types that it ignores. It may change
 * while the stream runs; that is an event as well, so that whoever reads the
 * stream knows at each point what can be missing. This process traces itself,
 * changes the filter twice, and reads back what was recorded.
 */
#define _POSIX_C_SOURCE 200809L

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trace.h>

static trace_event_id_t coarse, fine;

/* The functions of <trace.h> return 0 or an error number. */
#define CHECK(call) check(call, #call)

static void check(int error, const char *call)
{
	if (error) {
		fprintf(stderr, "%s: %s\n", call, strerror(error));
		exit(EXIT_FAILURE);
	}
}

static void change(trace_id_t trid, int how, trace_event_id_t type)
{
	trace_event_set_t set;

	CHECK(posix_trace_eventset_empty(&set));
	CHECK(posix_trace_eventset_add(type, &set));
	CHECK(posix_trace_set_filter(trid, &set, how));
}

static void work(void)
{
	posix_trace_event(coarse, NULL, 0);
	posix_trace_event(fine, NULL, 0);
}

static void print_set(const trace_event_set_t *set)
{
	int has_coarse, has_fine;

	CHECK(posix_trace_eventset_ismember(coarse, set, &has_coarse));
	CHECK(posix_trace_eventset_ismember(fine, set, &has_fine));
	printf(" {%s%s }", has_coarse ? " coarse" : "",
	       has_fine ? " fine" : "");
}

/* Returns 0 if there is no event. */
static int print_next(trace_id_t trid)
{
	struct posix_trace_event_info event;
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_event_set_t sets[2];
	int unavailable;
	size_t i, size;

	CHECK(posix_trace_trygetnext_event(trid, &event, sets, sizeof(sets),
					   &size, &unavailable));
	if (unavailable)
		return 0;
	CHECK(posix_trace_eventid_get_name(trid, event.posix_event_id, name));
	printf("%s", name);

	/* A start has the filter as data, a change has the old and the new. */
	for (i = 0; i < size / sizeof(sets[0]); i++)
		print_set(&sets[i]);
	printf("\n");
	return 1;
}

int main(void)
{
	trace_id_t trid;

	CHECK(posix_trace_eventid_open("coarse", &coarse));
	CHECK(posix_trace_eventid_open("fine", &fine));
	CHECK(posix_trace_create(0, NULL, &trid));

	change(trid, POSIX_TRACE_SET_EVENTSET, fine);
	CHECK(posix_trace_start(trid));
	work();
	change(trid, POSIX_TRACE_SUB_EVENTSET, fine);
	work();
	change(trid, POSIX_TRACE_ADD_EVENTSET, coarse);
	work();
	CHECK(posix_trace_stop(trid));

	while (print_next(trid))
		;
	CHECK(posix_trace_shutdown(trid));
	return EXIT_SUCCESS;
}
