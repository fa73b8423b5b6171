/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines on their way to a terminal, pipe or file.
 *
 * They are collected while events are at hand and written before the tool
 * waits for more. A reader that does not read holds up the tool, but not the
 * signal that is to end it.
 */
#ifndef POSIXTRACE_OUTPUT_H
#define POSIXTRACE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/**
 * struct output - lines, and where they go
 * @file: takes lines, in memory
 * @fd: where they go
 * @signal_fd: signalfd of the signals that end the tool
 * @text: what @file holds after fflush()
 * @size: of @text
 */
struct output {
	FILE *file;
	int fd;
	int signal_fd;
	char *text;
	size_t size;
};

/* Return: false: the user was told why not. */
bool output_init(struct output *out, int fd, int signal_fd);
void output_destroy(struct output *out);

/**
 * output_flush() - write what was collected
 * @out: output
 *
 * Return: 0, EPIPE when nobody reads any more, EINTR when a signal can be
 * read from the signalfd, or what write() gave. What was not written then is
 * dropped.
 */
int output_flush(struct output *out);

#endif /* POSIXTRACE_OUTPUT_H */
