/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A log that is read from its first event to its last.
 *
 * Functions that return an exit status have told the user what is wrong.
 */
#ifndef POSIXTRACE_LOGREADER_H
#define POSIXTRACE_LOGREADER_H

#include <stdbool.h>
#include <trace.h>
#include <linux/posixtrace.h>

/* The log that is written and read if the user names none. */
#define LOGREADER_DEFAULT	"posixtrace.log"

/**
 * struct logreader - a log
 * @path: of the file
 * @fd: its descriptor
 * @trid: pre-recorded stream
 * @attr: its attributes, as they were
 * @names: of the event types that it has
 * @rec: the event that logreader_next() found; its @size and @cpu are not set
 * @data: its data
 */
struct logreader {
	const char *path;
	int fd;
	trace_id_t trid;
	trace_attr_t attr;
	char *names[POSIXTRACE_EVENT_MAX];
	struct posixtrace_record rec;
	void *data;
};

/* Return: -1 to go on, or the exit status. */
int logreader_open(struct logreader *r, const char *path);
void logreader_close(struct logreader *r);

/* The next event. Return: false if there is none. */
bool logreader_next(struct logreader *r);

/* When the log began, nanoseconds since 1970. */
__u64 logreader_begin(const struct logreader *r);

/**
 * logreader_check() - tell what is missing
 * @r: log, read to its end
 *
 * Return: exit status: TOOL_INCOMPLETE if something is.
 */
int logreader_check(const struct logreader *r);

#endif /* POSIXTRACE_LOGREADER_H */
