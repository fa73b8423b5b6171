/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads logs of log_writer.h with the library, and compares
 */
#ifndef HOST_LOG_TEST_H
#define HOST_LOG_TEST_H

#include "library.h"
#include "log_writer.h"

/**
 * struct log_sum - what was read from a log
 * @err: of posix_trace_open()
 * @events: how many
 * @first: number of the first
 * @last: number of the last
 * @gaps: how often the next one had not the next number
 * @wrong: events that were never written, or not in this order
 */
struct log_sum {
	int err;
	__u64 events;
	__u64 first;
	__u64 last;
	__u64 gaps;
	__u64 wrong;
};

/* A file with these bytes. */
static inline int log_file(const void *bytes, size_t size)
{
	int fd = memfd_create("log", MFD_CLOEXEC);

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		abort();
	return fd;
}

static inline int log_writer_file(const struct log_writer *w)
{
	return log_file(w->bytes, w->size);
}

/* Number of an event; UINT64_MAX if there is none like that. */
static inline __u64 log_number(const struct posix_trace_event_info *event,
			       const void *data, size_t len)
{
	union {
		struct posixtrace_record r;
		unsigned char bytes[256];
	} u;
	__u64 n = event->posix_timestamp.tv_nsec;

	if (event->posix_timestamp.tv_sec != 1700000001)
		return UINT64_MAX;
	log_event(n, &u.r);
	if (event->posix_event_id != u.r.event_id ||
	    event->posix_pid != u.r.pid || event->posix_tid_np != u.r.tid ||
	    (uintptr_t)event->posix_prog_address != u.r.address ||
	    (__u64)event->posix_thread_id != u.r.thread ||
	    event->posix_truncation_status != u.r.truncation)
		return UINT64_MAX;
	if (len != u.r.data_size || memcmp(data, &u.r + 1, len))
		return UINT64_MAX;
	return n;
}

/* What remains to be read. */
static inline struct log_sum log_read(trace_id_t trid, __u64 written)
{
	struct posix_trace_event_info event;
	struct log_sum sum = { 0 };
	unsigned char data[64];
	int unavailable;
	size_t len;

	for (;;) {
		__u64 n;

		sum.err = posix_trace_getnext_event(trid, &event, data,
						    sizeof(data), &len,
						    &unavailable);
		if (sum.err || unavailable)
			return sum;
		n = log_number(&event, data, len);
		if (n >= written || (sum.events && n <= sum.last)) {
			sum.wrong++;
			continue;
		}
		if (sum.events && n != sum.last + 1)
			sum.gaps++;
		if (!sum.events++)
			sum.first = n;
		sum.last = n;
	}
}

/* Whether each name in the log is the right one. */
static inline bool log_names_are_right(trace_id_t trid)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	unsigned int i;

	for (i = 0; i < LOG_USERS; i++)
		if (!posix_trace_eventid_get_name(trid, LOG_USER + i, name) &&
		    strcmp(name, log_user_name(i)))
			return false;
	return !posix_trace_eventid_get_name(trid, POSIX_TRACE_START, name) &&
	       !strcmp(name, "posix_trace_start");
}

/* Open, read all, @info (if not null) and close. */
static inline struct log_sum
log_read_file(int fd, __u64 written, struct posix_trace_log_info_np *info)
{
	struct log_sum sum = { 0 };
	trace_id_t trid;

	sum.err = posix_trace_open(fd, &trid);
	if (sum.err)
		return sum;
	sum = log_read(trid, written);
	sum.wrong += !log_names_are_right(trid);
	if (info && !sum.err)
		sum.err = posix_trace_get_log_info_np(trid, info);
	if (!sum.err)
		sum.err = posix_trace_close(trid);
	return sum;
}

#endif /* HOST_LOG_TEST_H */
