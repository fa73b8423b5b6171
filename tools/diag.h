/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tool says on stderr. An error says which rule refused, and the
 * line below it what to do about that.
 */
#ifndef POSIXTRACE_DIAG_H
#define POSIXTRACE_DIAG_H

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

/* Tell why process @pid was not found: it never was, is a thread, or ended. */
void diag_no_process(pid_t pid);

#endif /* POSIXTRACE_DIAG_H */
