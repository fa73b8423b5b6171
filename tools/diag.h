/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tool says on stderr. An error says which rule refused, and the
 * line below it what to do about that.
 */
#ifndef POSIXTRACE_DIAG_H
#define POSIXTRACE_DIAG_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "tool.h"

/* "posixtrace: TEXT", in one write */
#define diag(format, ...) \
	fprintf(stderr, TOOL_NAME ": " format "\n", ##__VA_ARGS__)

/* "  TEXT", what to do about the line above */
#define diag_hint(format, ...) \
	fprintf(stderr, "  " format "\n", ##__VA_ARGS__)

/**
 * diag_create() - tell why there is no stream
 * @err: what posix_trace_create() returned
 * @pid: process that was to be traced
 * @stream_size: how large the stream was to be
 */
void diag_create(int err, pid_t pid, size_t stream_size);

/**
 * diag_log() - tell why there is no log, or not all of it
 * @err: what posix_trace_create_withlog() returned, or an error of writing
 * @path: of the file
 *
 * Return: false if that has nothing to do with the log.
 */
bool diag_log(int err, const char *path);

/* Tell that the kernel module is not loaded, or too old. */
void diag_no_module(void);

/* Tell that memory is short. */
void diag_no_memory(void);

/* Tell why the device did not say what the limits are. */
void diag_limits(int err);

/* Tell whether this open file can be a log. Return: false: it was told why not. */
bool diag_log_file(const char *path, int fd);

/* Tell why posix_trace_open() did not take this open file for a log. */
void diag_no_log(const char *path, int fd);

/* Tell why process @pid was not found: it never was, is a thread, or ended. */
void diag_no_process(pid_t pid);

#endif /* POSIXTRACE_DIAG_H */
