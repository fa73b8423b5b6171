// SPDX-License-Identifier: GPL-2.0-only
/*
 * A controller of a stream without log: controller PID
 *
 * Traces a process until the end of its own standard input, then says how many
 * events there were. Here is the life of every stream: created, when nothing is
 * recorded yet; started; stopped, which leaves what was recorded in the stream;
 * shut down, which frees it all.
 */
#define _POSIX_C_SOURCE 200809L

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

static void print_status(const char *when, trace_id_t trid)
{
	struct posix_trace_status_info status;

	CHECK(posix_trace_get_status(trid, &status));
	printf("%s: ", when);
	if (status.posix_stream_status == POSIX_TRACE_RUNNING)
		printf("running");
	else
		printf("suspended");
	if (status.posix_stream_overrun_status == POSIX_TRACE_OVERRUN)
		printf(", events were lost");
	printf("\n");
	fflush(stdout);
}

/* Takes every event out of the stream, and leaves its data alone. */
static unsigned int count_events(trace_id_t trid)
{
	struct posix_trace_event_info event;
	unsigned int count = 0;
	int unavailable;
	size_t size;

	for (;;) {
		CHECK(posix_trace_trygetnext_event(trid, &event, NULL, 0, &size,
						   &unavailable));
		if (unavailable)
			return count;
		count++;
	}
}

int main(int argc, char **argv)
{
	pid_t pid = argc == 2 ? atoi(argv[1]) : 0;
	trace_id_t trid;

	if (pid <= 0) {
		fprintf(stderr, "usage: controller PID\n");
		return EXIT_FAILURE;
	}
	CHECK(posix_trace_create(pid, NULL, &trid));
	print_status("created", trid);
	CHECK(posix_trace_start(trid));
	print_status("started", trid);

	while (getchar() != EOF)
		;

	CHECK(posix_trace_stop(trid));
	print_status("stopped", trid);
	printf("%u events\n", count_events(trid));
	CHECK(posix_trace_shutdown(trid));
	return EXIT_SUCCESS;
}
