/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is in a log, all of which has been read.
 */
#ifndef POSIXTRACE_LOGSUMMARY_H
#define POSIXTRACE_LOGSUMMARY_H

#include "logreader.h"

/**
 * struct logsummary - a log
 * @info: what the library knows about it
 * @status: at its end; zero if it has none, but for log full and overrun
 * @file_size: bytes of the file
 * @name: of the trace
 * @generation: who wrote it
 * @begin: when it was created, nanoseconds since 1970
 * @stream_policy: POSIX_TRACE_*
 * @log_policy: likewise
 * @inheritance: likewise
 * @stream_size: bytes
 * @data_max: bytes of user data that were recorded of an event
 * @log_size: bytes, if @log_policy is not POSIX_TRACE_APPEND
 * @events: how many there are
 * @first: when the first was recorded, nanoseconds since 1970
 * @last: and the last
 * @counts: how many there are of each type
 */
struct logsummary {
	struct posix_trace_log_info_np info;
	struct posix_trace_status_info status;
	__u64 file_size;
	char name[TRACE_NAME_MAX + 1];
	char generation[TRACE_NAME_MAX + 1];
	__u64 begin;
	int stream_policy;
	int log_policy;
	int inheritance;
	size_t stream_size;
	size_t data_max;
	size_t log_size;
	__u64 events;
	__u64 first;
	__u64 last;
	__u64 counts[POSIXTRACE_EVENT_MAX];
};

/**
 * logsummary_make() - read a log
 * @s: to be filled in
 * @r: log, of which nothing was read yet
 *
 * Return: 0 or an error number.
 */
int logsummary_make(struct logsummary *s, struct logreader *r);

/* "loop", "until-full", "flush" or "append" */
const char *logsummary_policy(int policy);

/* Whether children of the process were traced, too. */
static inline bool logsummary_inherited(const struct logsummary *s)
{
	return s->inheritance == POSIX_TRACE_INHERITED;
}

#endif /* POSIXTRACE_LOGSUMMARY_H */
