// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reading events
 *
 * Taking an event out and waiting for one are two commands. The first never
 * sleeps and is no cancellation point; the second takes nothing out. So a
 * reader can be interrupted or cancelled at any time without losing an event,
 * and there is nothing to clean up. A cancel that is pending at the start is
 * acted on also if there is an event: a loop that reads a busy stream can be
 * ended. Threads may read the same stream at once: one that was woken can find
 * that another was faster, and waits again.
 */
#include <pthread.h>
#include <time.h>

#include "internal.h"

#define NSEC_PER_SEC	1000000000

/* Where the caller of a public function wants its results. */
struct reader {
	struct posix_trace_event_info *event;
	void *data;
	size_t num_bytes;
	size_t *data_len;
	int *unavailable;
};

static int check(const struct reader *r)
{
	/* No event is reported, until it is known better. */
	if (r->unavailable)
		*r->unavailable = 1;
	if (!r->event || !r->data_len || !r->unavailable)
		return EINVAL;
	if (!r->data && r->num_bytes)
		return EINVAL;
	return 0;
}

static void report(const struct reader *r, const struct posixtrace_record *rec)
{
	*r->event = (struct posix_trace_event_info){
		.posix_event_id = rec->event_id,
		.posix_pid = rec->pid,
		.posix_prog_address = (void *)(uintptr_t)rec->address,
		.posix_thread_id = (pthread_t)(uintptr_t)rec->thread,
		.posix_timestamp.tv_sec = rec->timestamp / NSEC_PER_SEC,
		.posix_timestamp.tv_nsec = rec->timestamp % NSEC_PER_SEC,
		.posix_truncation_status = rec->truncation,
		.posix_tid_np = rec->tid,
	};
	*r->data_len = rec->data_size;
	*r->unavailable = 0;
}

/* Take an event out. ENODATA: there is none. */
static int take(trace_id_t trid, const struct reader *r, __u32 flags)
{
	struct posixtrace_getnext arg;	/* the record is the kernel's to write */
	int err;

	arg.size = sizeof(arg);
	arg.flags = flags;
	arg.stream = pxt_trid_stream(trid);
	arg.data = (uintptr_t)r->data;
	arg.data_max = r->num_bytes;
	err = pxt_trid_take(trid, &arg);
	if (!err)
		report(r, &arg.record);
	return err;
}

/* The next event of a log, without waiting for one. */
static int read_prerecorded(trace_id_t trid, const struct reader *r)
{
	struct posixtrace_record record;
	int err = pxt_prerecorded_getnext(trid, r->data, r->num_bytes, &record);

	if (!err)
		report(r, &record);
	return err == ENODATA ? 0 : err;
}

static int wait_and_take(trace_id_t trid, const struct reader *r,
			 const struct posixtrace_wait *wait)
{
	struct posixtrace_wait arg;
	int err;

	while ((err = take(trid, r, 0)) == ENODATA) {
		if (!wait)
			return EINVAL;
		arg = *wait;
		err = pxt_trid_wait(trid, &arg);
		if (err)
			break;
	}
	return err;
}

/**
 * posix_trace_getnext_event() - take the oldest event, wait for one
 * @trid: the stream. If it is pre-recorded, the next event of the log, and no
 *	waiting: the end of the log is 0 with *@unavailable set
 * @event: where its description goes
 * @data: where its data goes, may be null if @num_bytes is 0
 * @num_bytes: at most so many bytes
 * @data_len: where the number of bytes that were stored goes
 * @unavailable: 0 if an event is reported, else not
 *
 * POSIX.1-2008 XSH posix_trace_getnext_event. Cancellation point.
 *
 * Return: 0, or
 * * EFAULT: @data does not point to @num_bytes writable bytes
 * * EINTR: a signal came whose handler was installed without SA_RESTART
 * * EINVAL: @trid is no stream of this process, or was shut down meanwhile; a
 *   pointer is null
 */
PXT_API int
posix_trace_getnext_event(trace_id_t trid,
			  struct posix_trace_event_info *restrict event,
			  void *restrict data, size_t num_bytes,
			  size_t *restrict data_len, int *restrict unavailable)
{
	const struct reader r = { event, data, num_bytes, data_len, unavailable };
	const struct posixtrace_wait wait = {
		.size = sizeof(wait),
		.stream = pxt_trid_stream(trid),
	};
	int err;

	pthread_testcancel();
	err = check(&r);
	if (err)
		return err;
	if (pxt_trid_is_prerecorded(trid))
		return read_prerecorded(trid, &r);
	return wait_and_take(trid, &r, &wait);
}

/**
 * posix_trace_timedgetnext_event() - take the oldest event, wait so long for one
 * @trid: the stream
 * @event: where its description goes
 * @data: where its data goes, may be null if @num_bytes is 0
 * @num_bytes: at most so many bytes
 * @data_len: where the number of bytes that were stored goes
 * @unavailable: 0 if an event is reported, else not
 * @abstime: CLOCK_REALTIME time at which to give up; not looked at if there is
 *	an event
 *
 * POSIX.1-2008 XSH posix_trace_getnext_event. Cancellation point.
 *
 * Return: 0, or
 * * EFAULT: @data does not point to @num_bytes writable bytes
 * * EINTR: a signal came whose handler was installed without SA_RESTART
 * * EINVAL: @trid is not an active stream of this process, or was shut down
 *   meanwhile; a pointer is null; there is no event and @abstime is not valid
 * * ETIMEDOUT: no event came until then
 */
PXT_API int
posix_trace_timedgetnext_event(trace_id_t trid,
			       struct posix_trace_event_info *restrict event,
			       void *restrict data, size_t num_bytes,
			       size_t *restrict data_len,
			       int *restrict unavailable,
			       const struct timespec *restrict abstime)
{
	const struct reader r = { event, data, num_bytes, data_len, unavailable };
	const struct posixtrace_wait wait = {
		.size = sizeof(wait),
		.flags = POSIXTRACE_WAIT_TIMEOUT,
		.stream = pxt_trid_stream(trid),
		.seconds = abstime ? abstime->tv_sec : 0,
		.nanoseconds = abstime ? abstime->tv_nsec : 0,
	};

	pthread_testcancel();
	return check(&r) ?: wait_and_take(trid, &r, abstime ? &wait : NULL);
}

/**
 * posix_trace_trygetnext_event() - take the oldest event if there is one
 * @trid: the stream
 * @event: where its description goes
 * @data: where its data goes, may be null if @num_bytes is 0
 * @num_bytes: at most so many bytes
 * @data_len: where the number of bytes that were stored goes
 * @unavailable: 0 if an event is reported, else not
 *
 * POSIX.1-2008 XSH posix_trace_getnext_event.
 *
 * Return: 0, also if there is no event, or
 * * EFAULT: @data does not point to @num_bytes writable bytes
 * * EINVAL: @trid is not an active stream without log of this process; a
 *   pointer is null
 */
PXT_API int
posix_trace_trygetnext_event(trace_id_t trid,
			     struct posix_trace_event_info *restrict event,
			     void *restrict data, size_t num_bytes,
			     size_t *restrict data_len,
			     int *restrict unavailable)
{
	const struct reader r = { event, data, num_bytes, data_len, unavailable };
	int err = check(&r);

	if (!err)
		err = take(trid, &r, POSIXTRACE_GETNEXT_TRY);
	return err == ENODATA ? 0 : err;
}
