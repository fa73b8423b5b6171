/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A trace stream and the events that were read from it.
 */
#ifndef POSIXTRACE_STREAM_H
#define POSIXTRACE_STREAM_H

#include <stddef.h>
#include <sys/types.h>
#include <trace.h>
#include <linux/posixtrace.h>

#include "choice.h"

/**
 * struct stream - a stream
 * @trid: its identifier
 * @fd: its descriptor, not blocking; not used if it has a log
 * @batch: events that were read
 * @size: room in @batch
 * @filled: bytes in it
 * @next: where the next event begins that stream_next() gives
 */
struct stream {
	trace_id_t trid;
	int fd;
	char *batch;
	size_t size;
	size_t filled;
	size_t next;
};

/**
 * struct stream_log - a log to write
 * @fd: descriptor
 * @policy: POSIX_TRACE_LOOP, _UNTIL_FULL or _APPEND
 * @size: bytes for event records, unless _APPEND
 */
struct stream_log {
	int fd;
	int policy;
	size_t size;
};

/**
 * struct stream_options - what stream to make
 * @pid: process to trace
 * @events: which events it records
 * @follow: also those of its descendants, from their beginning on
 * @stream_size: bytes for event records
 * @data_size: bytes of user data that are recorded of an event
 * @log: where the events go; NULL: they are to be read
 */
struct stream_options {
	pid_t pid;
	struct choice events;
	bool follow;
	size_t stream_size;
	size_t data_size;
	const struct stream_log *log;
};

/**
 * stream_open() - make a stream, suspended
 * @s: to be filled in
 * @opt: what stream
 *
 * When its room is used up the newest events take the place of the oldest;
 * with a log, it is written.
 *
 * Return: 0 or an error number, as of posix_trace_create(); ENOSYS also: the
 * module does not know all of these kernel events.
 */
int stream_open(struct stream *s, const struct stream_options *opt);

/* Return: 0 or an error number: the log could not be written to its end. */
int stream_close(struct stream *s);

/**
 * stream_read() - take events out of the stream
 * @s: stream; its batch must have been consumed
 *
 * Return: 0, EAGAIN when there are none, or another error number.
 */
int stream_read(struct stream *s);

/**
 * stream_next() - the next event that was read
 * @s: stream
 *
 * Return: the event, its data behind it, until the next stream_read(); NULL
 * when there is no more.
 */
const struct posixtrace_record *stream_next(struct stream *s);

#endif /* POSIXTRACE_STREAM_H */
