// SPDX-License-Identifier: GPL-2.0-only
/*
 * An analyzer of a log: log_analyzer FILE
 *
 * Prints a line for each type of which there are events: its name and, event by
 * event, the number that it carries, or "-". A log tells of its types itself;
 * what their data means is a matter between application and analyzer. This one
 * takes data that is as long as an int for a number.
 */
#define _POSIX_C_SOURCE 200809L

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trace.h>
#include <unistd.h>

/* The functions of <trace.h> return 0 or an error number. */
#define CHECK(call) check(call, #call)

static void check(int error, const char *call)
{
	if (error) {
		fprintf(stderr, "%s: %s\n", call, strerror(error));
		exit(EXIT_FAILURE);
	}
}

/* Reads the whole log; at its end, nothing is waited for. */
static void print_type(trace_id_t trid, trace_event_id_t type)
{
	struct posix_trace_event_info event;
	char name[TRACE_EVENT_NAME_MAX + 1];
	int number, end, count = 0;
	size_t size;

	CHECK(posix_trace_eventid_get_name(trid, type, name));
	CHECK(posix_trace_rewind(trid));
	for (;;) {
		CHECK(posix_trace_getnext_event(trid, &event, &number,
						sizeof(number), &size, &end));
		if (end)
			break;
		if (!posix_trace_eventid_equal(trid, event.posix_event_id,
					       type))
			continue;
		if (count++ == 0)
			printf("%s:", name);
		if (size == sizeof(number) &&
		    event.posix_truncation_status == POSIX_TRACE_NOT_TRUNCATED)
			printf(" %d", number);
		else
			printf(" -");
	}
	if (count > 0)
		printf("\n");
}

int main(int argc, char **argv)
{
	trace_event_id_t type;
	trace_id_t trid;
	int fd, end;

	if (argc != 2) {
		fprintf(stderr, "usage: log_analyzer FILE\n");
		return EXIT_FAILURE;
	}
	fd = open(argv[1], O_RDONLY);
	if (fd < 0) {
		perror(argv[1]);
		return EXIT_FAILURE;
	}
	CHECK(posix_trace_open(fd, &trid));
	for (;;) {
		CHECK(posix_trace_eventtypelist_getnext_id(trid, &type, &end));
		if (end)
			break;
		print_type(trid, type);
	}
	CHECK(posix_trace_close(trid));
	close(fd);
	return EXIT_SUCCESS;
}
