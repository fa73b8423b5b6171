// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Active streams: creation, control, status, filter
 *
 * None of these functions sleeps for long or returns EINTR.
 */
#include <pthread.h>

#include "internal.h"

static uint64_t self(void)
{
	return (uintptr_t)pthread_self();
}

static int control(trace_id_t trid, unsigned long cmd, uintptr_t caller)
{
	struct posixtrace_control arg = {
		.size = sizeof(arg),
		.stream = pxt_trid_stream(trid),
		.address = caller,
		.thread = self(),
	};

	return pxt_trid_ioctl(trid, cmd, &arg);
}

static int get_status(trace_id_t trid, __u32 flags,
		      struct posixtrace_status *arg)
{
	if (pxt_trid_is_prerecorded(trid))
		return pxt_prerecorded_get_status(trid, arg);
	*arg = (struct posixtrace_status){
		.size = sizeof(*arg),
		.flags = flags,
		.stream = pxt_trid_stream(trid),
	};
	return pxt_trid_ioctl(trid, POSIXTRACE_IOC_GET_STATUS, arg);
}

/* Make a stream; @arg tells what is not in @attr. */
static int create_stream(const trace_attr_t *attr,
			 struct posixtrace_create *arg, trace_id_t *trid)
{
	trace_attr_t defaults;
	int err;

	if (!trid)
		return EINVAL;
	if (!attr) {
		posix_trace_attr_init(&defaults);
		attr = &defaults;
	}
	if (!pxt_attr_valid(attr))
		return EINVAL;
	pxt_attr_to_uapi(attr, arg);
	if (!(arg->flags & POSIXTRACE_CREATE_LOG) &&
	    arg->stream_policy == POSIXTRACE_POLICY_FLUSH)
		return EINVAL;

	err = pxt_gate_open();
	if (!err)
		err = pxt_device_ioctl(POSIXTRACE_IOC_CREATE, arg);
	if (err)
		return err;
	err = pxt_trid_make(arg->fd, arg->stream, trid);
	if (err)
		pxt_fd_close(arg->fd);
	return err;
}

/**
 * posix_trace_create() - make a stream without log
 * @pid: process to trace, 0 for the caller
 * @attr: attributes, null for the defaults
 * @trid: where the identifier of the stream goes
 *
 * POSIX.1-2008 XSH posix_trace_create. The stream is suspended. It ends at
 * posix_trace_shutdown(), exit or exec.
 *
 * Return: 0, or
 * * EACCES: /dev/posixtrace is not for this user
 * * EAGAIN: there are TRACE_SYS_MAX streams in the system
 * * EINVAL: @attr is not initialized or has stream-full-policy
 *   POSIX_TRACE_FLUSH; @trid is null
 * * EMFILE, ENFILE: no descriptor is free
 * * ENOMEM: not enough memory, or the user's quota is used up
 * * ENOSYS: the module is not loaded, or is older than this library
 * * EPERM: the caller may not trace @pid
 * * ESRCH: there is no process @pid
 */
PXT_API int posix_trace_create(pid_t pid, const trace_attr_t *restrict attr,
			       trace_id_t *restrict trid)
{
	struct posixtrace_create arg = { .size = sizeof(arg), .pid = pid };

	return create_stream(attr, &arg, trid);
}

/**
 * posix_trace_create_withlog() - make a stream with a log
 * @pid: process to trace, 0 for the caller
 * @attr: attributes, null for the defaults
 * @file_desc: regular file, open for writing, without O_APPEND; it stays the
 *	caller's, who may close it at once, and its offset is neither used nor
 *	moved. What was in the file is no log any more
 * @trid: where the identifier of the stream goes
 *
 * POSIX.1-2008 XSH posix_trace_create (TRL). As posix_trace_create(); all that
 * is recorded goes to the log, whatever this process comes to. The log is
 * complete when the stream has ended.
 *
 * Return: 0, an error of posix_trace_create(), or
 * * EBADF: @file_desc is not open for writing
 * * EFBIG: the log would be larger than a file may be
 * * EINVAL: @file_desc is no such file
 * * ENOSPC: no room for the log; or another error of writing it
 */
PXT_API int posix_trace_create_withlog(pid_t pid,
				       const trace_attr_t *restrict attr,
				       int file_desc, trace_id_t *restrict trid)
{
	struct posixtrace_create arg = {
		.size = sizeof(arg),
		.flags = POSIXTRACE_CREATE_LOG,
		.pid = pid,
		.log_fd = file_desc,
	};

	/* The device says EBADF only of itself. */
	if (!pxt_fd_is_writable(file_desc))
		return EBADF;
	return create_stream(attr, &arg, trid);
}

/**
 * posix_trace_flush() - write what a stream holds to its log
 * @trid: stream with a log
 *
 * POSIX.1-2008 XSH posix_trace_create (TRL). Returns when all that was recorded
 * before is in the log. What could not be written is lost.
 *
 * Return: 0, or
 * * EFBIG: the log would be larger than a file may be
 * * EINVAL: @trid is not an active stream of this process, or has no log
 * * ENOSPC: no room for the log; or another error of writing it
 */
PXT_API int posix_trace_flush(trace_id_t trid)
{
	return control(trid, POSIXTRACE_IOC_FLUSH, pxt_caller());
}

/**
 * posix_trace_shutdown() - end a stream
 * @trid: the stream; no longer valid afterwards, unless EINVAL is returned
 *
 * POSIX.1-2008 XSH posix_trace_create. Threads that wait in a function that
 * reads it get EINVAL. Events that were not read are gone, but for those that
 * go to a log.
 *
 * Return: 0, or
 * * EFBIG: the log is not complete, since it would be larger than a file may be
 * * EINVAL: @trid is not an active stream of this process
 * * ENOSPC: the log is not complete, since there was no room; or another error
 *   of writing it
 */
PXT_API int posix_trace_shutdown(trace_id_t trid)
{
	/*
	 * The kernel lets only one caller through. The descriptor stays open
	 * till then, so that it can't be another file when it is closed.
	 */
	int err = control(trid, POSIXTRACE_IOC_SHUTDOWN, pxt_caller());

	if (err != EINVAL && err != ENOSYS)
		pxt_trid_close(trid);
	return err;
}

/**
 * posix_trace_start() - let a stream record
 * @trid: the stream
 *
 * POSIX.1-2008 XSH posix_trace_start.
 *
 * Return: 0, or
 * * EINVAL: @trid is not an active stream of this process
 */
PXT_API int posix_trace_start(trace_id_t trid)
{
	return control(trid, POSIXTRACE_IOC_START, pxt_caller());
}

/**
 * posix_trace_stop() - suspend a stream
 * @trid: the stream
 *
 * POSIX.1-2008 XSH posix_trace_start.
 *
 * Return: 0, or
 * * EINVAL: @trid is not an active stream of this process
 */
PXT_API int posix_trace_stop(trace_id_t trid)
{
	return control(trid, POSIXTRACE_IOC_STOP, pxt_caller());
}

/**
 * posix_trace_clear() - put a stream back to what it was after creation
 * @trid: the stream; event types and running state stay
 *
 * POSIX.1-2008 XSH posix_trace_clear.
 *
 * Return: 0, or
 * * EFBIG: the log would be larger than a file may be
 * * EINVAL: @trid is not an active stream of this process
 * * ENOSPC: no room for the log; or another error of writing it
 */
PXT_API int posix_trace_clear(trace_id_t trid)
{
	return control(trid, POSIXTRACE_IOC_CLEAR, pxt_caller());
}

/**
 * posix_trace_get_attr() - attributes of a stream, as they are in force
 * @trid: the stream; if it is pre-recorded, as they were
 * @attr: initialized object to be overwritten
 *
 * POSIX.1-2008 XSH posix_trace_get_attr.
 *
 * Return: 0, or
 * * EINVAL: @trid is no stream of this process; @attr is null or not
 *   initialized
 */
PXT_API int posix_trace_get_attr(trace_id_t trid, trace_attr_t *attr)
{
	struct posixtrace_attr arg = {
		.size = sizeof(arg),
		.stream = pxt_trid_stream(trid),
	};
	int err;

	if (!pxt_attr_valid(attr))
		return EINVAL;
	if (pxt_trid_is_prerecorded(trid))
		return pxt_prerecorded_get_attr(trid, attr);
	err = pxt_trid_ioctl(trid, POSIXTRACE_IOC_GET_ATTR, &arg);
	if (!err)
		pxt_attr_from_uapi(attr, &arg);
	return err;
}

/**
 * posix_trace_get_status() - status of a stream
 * @trid: the stream; its overrun status is reset. If it is pre-recorded, what
 *	the status was at the end, and nothing is reset
 * @statusinfo: where it goes
 *
 * POSIX.1-2008 XSH posix_trace_get_attr.
 *
 * Return: 0, or
 * * EINVAL: @trid is no stream of this process; @statusinfo is null
 */
PXT_API int posix_trace_get_status(trace_id_t trid,
				   struct posix_trace_status_info *statusinfo)
{
	struct posixtrace_status arg;
	int err;

	if (!statusinfo)
		return EINVAL;
	err = get_status(trid, 0, &arg);
	if (err)
		return err;
	*statusinfo = (struct posix_trace_status_info){
		.posix_stream_status = arg.running,
		.posix_stream_full_status = arg.full,
		.posix_stream_overrun_status = arg.overrun,
		.posix_stream_flush_status = arg.flushing,
		.posix_stream_flush_error = arg.flush_error,
		.posix_log_overrun_status = arg.log_overrun,
		.posix_log_full_status = arg.log_full,
	};
	return 0;
}

/**
 * pxt_counters_from_uapi() - counters of a stream
 * @counters: to
 * @arg: from
 */
void pxt_counters_from_uapi(struct posix_trace_counters_np *counters,
			    const struct posixtrace_status *arg)
{
	*counters = (struct posix_trace_counters_np){
		.posix_recorded = arg->recorded,
		.posix_lost = arg->lost,
		.posix_overwritten = arg->overwritten,
		.posix_truncated = arg->truncated,
		.posix_read = arg->read,
		.posix_flushed = arg->flushed,
		.posix_missed_children = arg->missed_children,
		.posix_processes = arg->processes,
		.posix_log_lost = arg->log_lost,
	};
}

/**
 * posix_trace_get_counters_np() - counters of a stream
 * @trid: the stream; nothing of it is reset. If it is pre-recorded, what they
 *	were at the end; 0 if that is not known
 * @counters: where they go, all of one moment; events sent = recorded + lost
 *
 * Return: 0, or
 * * EINVAL: @trid is no stream of this process; @counters is null
 */
PXT_API int
posix_trace_get_counters_np(trace_id_t trid,
			    struct posix_trace_counters_np *counters)
{
	struct posixtrace_status arg;
	int err;

	if (!counters)
		return EINVAL;
	err = get_status(trid, POSIXTRACE_STATUS_PEEK, &arg);
	if (!err)
		pxt_counters_from_uapi(counters, &arg);
	return err;
}

/**
 * posix_trace_get_filter() - the event types that a stream does not record
 * @trid: the stream
 * @set: where they go
 *
 * POSIX.1-2008 XSH posix_trace_get_filter (TEF).
 *
 * Return: 0, or
 * * EINVAL: @trid is not an active stream of this process; @set is null
 */
PXT_API int posix_trace_get_filter(trace_id_t trid, trace_event_set_t *set)
{
	struct posixtrace_filter arg = {
		.size = sizeof(arg),
		.stream = pxt_trid_stream(trid),
	};
	int err;

	if (!set)
		return EINVAL;
	err = pxt_trid_ioctl(trid, POSIXTRACE_IOC_GET_FILTER, &arg);
	if (!err)
		pxt_eventset_from_uapi(set, &arg.set);
	return err;
}

/**
 * posix_trace_set_filter() - change what a stream does not record
 * @trid: the stream
 * @set: event types
 * @how: POSIX_TRACE_SET_EVENTSET, these; POSIX_TRACE_ADD_EVENTSET, these also;
 *	POSIX_TRACE_SUB_EVENTSET, no longer these
 *
 * POSIX.1-2008 XSH posix_trace_get_filter (TEF).
 *
 * Return: 0, or
 * * EINVAL: @trid is not an active stream of this process; @set is null; @how
 *   is none of these
 */
PXT_API int posix_trace_set_filter(trace_id_t trid,
				   const trace_event_set_t *set, int how)
{
	struct posixtrace_filter arg = {
		.size = sizeof(arg),
		.how = how,
		.stream = pxt_trid_stream(trid),
		.address = pxt_caller(),
		.thread = self(),
	};

	if (!set || how < POSIX_TRACE_SET_EVENTSET ||
	    how > POSIX_TRACE_SUB_EVENTSET)
		return EINVAL;
	pxt_eventset_to_uapi(set, &arg.set);
	return pxt_trid_ioctl(trid, POSIXTRACE_IOC_SET_FILTER, &arg);
}
