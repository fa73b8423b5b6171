// SPDX-License-Identifier: GPL-2.0-only
/*
 * A controller of a stream with log: log_controller PID FILE
 *
 * Traces a process into a file until the end of its own standard input. What is
 * in the stream goes to the file when the stream fills up, and here also at
 * each line of input. The log stays when stream, controller and process are
 * gone: log_analyzer reads it.
 */
#define _POSIX_C_SOURCE 200809L

#include <fcntl.h>
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

static void say(const char *what)
{
	printf("%s\n", what);
	fflush(stdout);
}

/* A log that grows as long as there is room for the file. */
static trace_id_t create(pid_t pid, int fd)
{
	trace_attr_t attr;
	trace_id_t trid;

	CHECK(posix_trace_attr_init(&attr));
	CHECK(posix_trace_attr_setlogfullpolicy(&attr, POSIX_TRACE_APPEND));
	CHECK(posix_trace_create_withlog(pid, &attr, fd, &trid));
	CHECK(posix_trace_attr_destroy(&attr));
	return trid;
}

int main(int argc, char **argv)
{
	pid_t pid = argc == 3 ? atoi(argv[1]) : 0;
	trace_id_t trid;
	int c, fd;

	if (pid <= 0) {
		fprintf(stderr, "usage: log_controller PID FILE\n");
		return EXIT_FAILURE;
	}
	fd = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd < 0) {
		perror(argv[2]);
		return EXIT_FAILURE;
	}
	trid = create(pid, fd);
	CHECK(posix_trace_start(trid));
	say("started");

	while ((c = getchar()) != EOF) {
		if (c == '\n') {
			CHECK(posix_trace_flush(trid));
			say("flushed");
		}
	}

	/* This stops the stream and flushes it for the last time. */
	CHECK(posix_trace_shutdown(trid));
	if (close(fd)) {
		perror(argv[2]);
		return EXIT_FAILURE;
	}
	say("complete");
	return EXIT_SUCCESS;
}
