/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * <trace.h>: the Tracing option of POSIX.1-2008
 *
 * Link with -lposixtrace. Each function stands in POSIX.1-2008 (XSH) on the
 * page of its name; TEF, TRL and TRI mark what belongs to the options Trace
 * Event Filter, Trace Log and Trace Inherit. All return 0 or an error number,
 * unless noted otherwise, and leave errno alone. EINVAL is returned by each of
 * them for a null pointer to something that must be read or written, a trid
 * that is not valid in this process, and an attributes object that is not
 * initialized; the comments name the other errors.
 *
 * Names that end in _np or _NP are not in the standard.
 */
#ifndef _POSIX_TRACE_H
#define _POSIX_TRACE_H	1

#include <features.h>

/*
 * The types that the structures below need, and the option macros, without a
 * name that a strictly conforming program may use for itself: <time.h> has no
 * struct timespec and <sys/types.h> no pthread_t under -std=c99.
 */
#define __need_size_t
#include <stddef.h>
#ifdef __GLIBC__
# include <bits/types.h>
# include <bits/types/struct_timespec.h>
# include <bits/pthreadtypes.h>
# include <bits/posix_opt.h>
# ifndef __pid_t_defined
typedef __pid_t pid_t;
#  define __pid_t_defined
# endif
#else
# include <sys/types.h>
# include <time.h>
# include <pthread.h>
# include <unistd.h>
#endif

/*
 * Options (<unistd.h>). The C library says that there are none. Its header is
 * in by now, so that including it later does not bring the old values back.
 */
#undef _POSIX_TRACE
#undef _POSIX_TRACE_EVENT_FILTER
#undef _POSIX_TRACE_INHERIT
#undef _POSIX_TRACE_LOG
#define _POSIX_TRACE			200809L
#define _POSIX_TRACE_EVENT_FILTER	200809L
#define _POSIX_TRACE_INHERIT		200809L
#define _POSIX_TRACE_LOG		200809L

/*
 * Limits (<limits.h>). Lengths do not count the terminating NUL: an array for
 * a name has LIMIT + 1 elements. TRACE_SYS_MAX can be configured, only
 * sysconf(_SC_TRACE_SYS_MAX) knows it.
 */
#ifndef _POSIX_TRACE_EVENT_NAME_MAX
# define _POSIX_TRACE_EVENT_NAME_MAX	30
#endif
#ifndef _POSIX_TRACE_NAME_MAX
# define _POSIX_TRACE_NAME_MAX		8
#endif
#ifndef _POSIX_TRACE_SYS_MAX
# define _POSIX_TRACE_SYS_MAX		8
#endif
#ifndef _POSIX_TRACE_USER_EVENT_MAX
# define _POSIX_TRACE_USER_EVENT_MAX	32
#endif
#ifndef TRACE_EVENT_NAME_MAX
# define TRACE_EVENT_NAME_MAX		63
#endif
#ifndef TRACE_NAME_MAX
# define TRACE_NAME_MAX			63
#endif
#ifndef TRACE_USER_EVENT_MAX
# define TRACE_USER_EVENT_MAX		256
#endif

#if defined __cplusplus && __cplusplus < 201103L
typedef __UINT64_TYPE__ __posix_trace_u64;	/* has no long long */
#else
typedef unsigned long long __posix_trace_u64;
#endif

/* A stream. Valid only in the process that created it. */
typedef __posix_trace_u64 trace_id_t;

/* An event type. 0 is none. */
typedef unsigned int trace_event_id_t;

/* A set of event types (TEF). May be assigned and passed by value. */
typedef struct {
	__posix_trace_u64 __bits[16];
} trace_event_set_t;

/* Stream attributes. Opaque, not to be copied by assignment. */
typedef struct {
	unsigned int __magic;
	int __inherited;
	int __stream_policy;
	int __log_policy;
	__posix_trace_u64 __stream_size;
	__posix_trace_u64 __max_data_size;
	__posix_trace_u64 __log_size;
	__posix_trace_u64 __create_sec;
	__posix_trace_u64 __clock_sec;
	unsigned int __create_nsec;
	unsigned int __clock_nsec;
	trace_event_set_t __kernel_events;
	char __name[64];
	char __genversion[64];
	__posix_trace_u64 __no_syscalls[8];
	__posix_trace_u64 __spare[16];
} trace_attr_t;

/* One reported event. */
struct posix_trace_event_info {
	trace_event_id_t posix_event_id;	/* its type */
	pid_t posix_pid;			/* process, or 0 */
	void *posix_prog_address;		/* of the call, or NULL */
	pthread_t posix_thread_id;		/* thread, or 0 */
	struct timespec posix_timestamp;	/* CLOCK_REALTIME */
	int posix_truncation_status;		/* POSIX_TRACE_..TRUNCATED.. */
	pid_t posix_tid_np;			/* kernel thread id, or 0 */
};

/* Status of a stream; the last four members belong to TRL. */
struct posix_trace_status_info {
	int posix_stream_status;		/* _RUNNING, _SUSPENDED */
	int posix_stream_full_status;		/* _FULL, _NOT_FULL */
	int posix_stream_overrun_status;	/* _OVERRUN, _NO_OVERRUN */
	int posix_stream_flush_status;		/* _FLUSHING, _NOT_FLUSHING */
	int posix_stream_flush_error;		/* error number, or 0 */
	int posix_log_overrun_status;		/* _OVERRUN, _NO_OVERRUN */
	int posix_log_full_status;		/* _FULL, _NOT_FULL */
};

/* Numbers of events of a stream since it was created; they never go back. */
struct posix_trace_counters_np {
	__posix_trace_u64 posix_recorded;	/* stored, system events too */
	__posix_trace_u64 posix_lost;		/* not stored; no room, no data */
	__posix_trace_u64 posix_overwritten;	/* stored, then written over */
	__posix_trace_u64 posix_truncated;	/* stored with their data cut */
	__posix_trace_u64 posix_read;		/* reported */
	__posix_trace_u64 posix_flushed;	/* bytes (!) written to the log */
	__posix_trace_u64 posix_log_lost;	/* stored, not in the log */
	__posix_trace_u64 posix_missed_children; /* not followed: no memory */
	__posix_trace_u64 posix_processes;	/* traced now (!) */
	__posix_trace_u64 __spare[7];
};

/* A log (TRL). */
struct posix_trace_log_info_np {
	int posix_finished;			/* 0: the log has no end */
	pid_t posix_target;			/* process that was traced */
	pid_t posix_owner;			/* process that traced it */
	int __pad;
	__posix_trace_u64 posix_blocks;		/* that hold events */
	__posix_trace_u64 posix_damaged;	/* blocks left out, so far */
	__posix_trace_u64 posix_missing;	/* blocks not found, at least */
	struct posix_trace_counters_np posix_counters;	/* at the end, or 0 */
	__posix_trace_u64 __spare[8];
};

/* posix_stream_status */
#define POSIX_TRACE_SUSPENDED		0
#define POSIX_TRACE_RUNNING		1

/* posix_stream_full_status, posix_log_full_status */
#define POSIX_TRACE_NOT_FULL		0
#define POSIX_TRACE_FULL		1

/* posix_stream_overrun_status, posix_log_overrun_status */
#define POSIX_TRACE_NO_OVERRUN		0
#define POSIX_TRACE_OVERRUN		1

/* posix_stream_flush_status */
#define POSIX_TRACE_NOT_FLUSHING	0
#define POSIX_TRACE_FLUSHING		1

/* posix_truncation_status */
#define POSIX_TRACE_NOT_TRUNCATED	0
#define POSIX_TRACE_TRUNCATED_RECORD	1
#define POSIX_TRACE_TRUNCATED_READ	2

/* Stream-full-policy (the first three), log-full-policy (all but _FLUSH) */
#define POSIX_TRACE_LOOP		1
#define POSIX_TRACE_UNTIL_FULL		2
#define POSIX_TRACE_FLUSH		3
#define POSIX_TRACE_APPEND		4

/* Inheritance policy */
#define POSIX_TRACE_CLOSE_FOR_CHILD	1
#define POSIX_TRACE_INHERITED		2

/* What posix_trace_eventset_fill() puts into a set */
#define POSIX_TRACE_WOPID_EVENTS	1
#define POSIX_TRACE_SYSTEM_EVENTS	2
#define POSIX_TRACE_ALL_EVENTS		3

/* How posix_trace_set_filter() changes the filter */
#define POSIX_TRACE_SET_EVENTSET	1
#define POSIX_TRACE_ADD_EVENTSET	2
#define POSIX_TRACE_SUB_EVENTSET	3

/* Predefined event types; the last has two spellings in the standard */
#define POSIX_TRACE_ERROR		1U
#define POSIX_TRACE_START		2U
#define POSIX_TRACE_STOP		3U
#define POSIX_TRACE_FILTER		4U
#define POSIX_TRACE_OVERFLOW		5U
#define POSIX_TRACE_RESUME		6U
#define POSIX_TRACE_FLUSH_START		7U
#define POSIX_TRACE_FLUSH_STOP		8U
#define POSIX_TRACE_UNNAMED_USEREVENT	9U
#define POSIX_TRACE_UNNAMED_USER_EVENT	POSIX_TRACE_UNNAMED_USEREVENT

/* Kernel events; their data is described in <linux/posixtrace.h> */
#define POSIX_TRACE_LINUX_SYSCALL_ENTER_NP	16U
#define POSIX_TRACE_LINUX_SYSCALL_EXIT_NP	17U
#define POSIX_TRACE_LINUX_SCHED_IN_NP		18U
#define POSIX_TRACE_LINUX_SCHED_OUT_NP		19U
#define POSIX_TRACE_LINUX_SCHED_WAKEUP_NP	20U
#define POSIX_TRACE_LINUX_SIGNAL_GENERATE_NP	21U
#define POSIX_TRACE_LINUX_SIGNAL_DELIVER_NP	22U
#define POSIX_TRACE_LINUX_FORK_NP		23U
#define POSIX_TRACE_LINUX_EXEC_NP		24U
#define POSIX_TRACE_LINUX_THREAD_EXIT_NP	25U
#define POSIX_TRACE_LINUX_EXIT_NP		26U
#define POSIX_TRACE_LINUX_PAGE_FAULT_NP		27U

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Attributes object
 */

/* Defaults into *attr. */
int posix_trace_attr_init(trace_attr_t *__attr);
int posix_trace_attr_destroy(trace_attr_t *__attr);

/* Resolution of the clock of the time stamps. */
int posix_trace_attr_getclockres(const trace_attr_t *__attr,
				 struct timespec *__resolution);

/* Time of creation; 0 unless posix_trace_get_attr() filled the object. */
int posix_trace_attr_getcreatetime(const trace_attr_t *__attr,
				   struct timespec *__createtime);

/* Origin and version of the trace system, shorter than TRACE_NAME_MAX. */
int posix_trace_attr_getgenversion(const trace_attr_t *__attr,
				   char *__genversion);

/* Name, at most TRACE_NAME_MAX bytes; a longer one is cut when it is set. */
int posix_trace_attr_getname(const trace_attr_t *__attr,
			     char *__tracename);
int posix_trace_attr_setname(trace_attr_t *__attr,
			     const char *__tracename);

/* POSIX_TRACE_CLOSE_FOR_CHILD (default) or _INHERITED (TRI). EINVAL: other. */
int posix_trace_attr_getinherited(const trace_attr_t *__restrict __attr,
				  int *__restrict __inheritancepolicy);
int posix_trace_attr_setinherited(trace_attr_t *__attr,
				  int __inheritancepolicy);

/* POSIX_TRACE_LOOP (default), _UNTIL_FULL or _APPEND (TRL). EINVAL: other. */
int
posix_trace_attr_getlogfullpolicy(const trace_attr_t *__restrict __attr,
				  int *__restrict __logpolicy);
int posix_trace_attr_setlogfullpolicy(trace_attr_t *__attr,
				      int __logpolicy);

/*
 * POSIX_TRACE_LOOP (default without log), _UNTIL_FULL, or with a log _FLUSH
 * (default there). EINVAL: other.
 */
int
posix_trace_attr_getstreamfullpolicy(const trace_attr_t *__restrict __attr,
				     int *__restrict __streampolicy);
int posix_trace_attr_setstreamfullpolicy(trace_attr_t *__attr,
					 int __streampolicy);

/* Bytes for event records in the log (TRL). */
int posix_trace_attr_getlogsize(const trace_attr_t *__restrict __attr,
				size_t *__restrict __logsize);
int posix_trace_attr_setlogsize(trace_attr_t *__attr,
				size_t __logsize);

/* Longer user data is cut when recorded. */
int
posix_trace_attr_getmaxdatasize(const trace_attr_t *__restrict __attr,
				size_t *__restrict __maxdatasize);
int posix_trace_attr_setmaxdatasize(trace_attr_t *__attr,
				    size_t __maxdatasize);

/* Bytes for event records in the stream; the system may give more. */
int
posix_trace_attr_getstreamsize(const trace_attr_t *__restrict __attr,
			       size_t *__restrict __streamsize);
int posix_trace_attr_setstreamsize(trace_attr_t *__attr,
				   size_t __streamsize);

/* Room that any system event, or a user event with data_len bytes, takes. */
int
posix_trace_attr_getmaxsystemeventsize(const trace_attr_t *__restrict __attr,
				       size_t *__restrict __eventsize);
int
posix_trace_attr_getmaxusereventsize(const trace_attr_t *__restrict __attr,
				     size_t __data_len,
				     size_t *__restrict __eventsize);

/*
 * The kernel events among the members of the set are recorded by the streams
 * that are made from this object; default: none. Others are ignored.
 */
int
posix_trace_attr_getkernelevents_np(const trace_attr_t *__restrict __attr,
				    trace_event_set_t *__restrict __set);
int
posix_trace_attr_setkernelevents_np(trace_attr_t *__restrict __attr,
				    const trace_event_set_t *__restrict __set);

/*
 * Of the kernel events on system calls only those of the calls with these
 * numbers (<sys/syscall.h>) are recorded; default, and with numbers NULL: of all.
 * EINVAL: a number is not one of 0 .. 511; count is 0.
 */
int posix_trace_attr_setsyscalls_np(trace_attr_t *__restrict __attr,
				    const int *__restrict __numbers,
				    size_t __count);

/* *recorded: 1 if events of the call with this number are recorded, else 0. */
int posix_trace_attr_getsyscall_np(const trace_attr_t *__restrict __attr,
				   int __number, int *__restrict __recorded);

/*
 * Streams
 */

/*
 * A suspended stream for process pid; 0: the caller. attr may be NULL.
 * EAGAIN: TRACE_SYS_MAX streams exist. EINVAL: policy _FLUSH. ENOMEM. EPERM:
 * not allowed to trace pid. ESRCH: no such process. EMFILE, ENFILE: a stream
 * is a file descriptor. ENOSYS, EACCES: no /dev/posixtrace, or not for you.
 */
int posix_trace_create(pid_t __pid,
		       const trace_attr_t *__restrict __attr,
		       trace_id_t *__restrict __trid);

/*
 * With a log in file_desc (TRL), which stays the caller's. As above, and EBADF:
 * not open for writing. EINVAL: no regular file, or O_APPEND. EFBIG, ENOSPC, or
 * another error of writing.
 */
int posix_trace_create_withlog(pid_t __pid,
			       const trace_attr_t *__restrict __attr,
			       int __file_desc,
			       trace_id_t *__restrict __trid);

/* Stream to log (TRL), now. EFBIG, ENOSPC, or another error of writing. */
int posix_trace_flush(trace_id_t __trid);

/* Ends the stream. With a log: errors of flush, but ended all the same. */
int posix_trace_shutdown(trace_id_t __trid);

/*
 * Read a log (TRL). The descriptor stays the caller's. EINVAL: no valid log, or
 * not open for reading. EMFILE, ENOMEM.
 */
int posix_trace_open(int __file_desc, trace_id_t *__trid);
int posix_trace_rewind(trace_id_t __trid);
int posix_trace_close(trace_id_t __trid);

/* What is not whole in a log is left out; all of it is known after the end. */
int
posix_trace_get_log_info_np(trace_id_t __trid,
			    struct posix_trace_log_info_np *__info);

int posix_trace_start(trace_id_t __trid);
int posix_trace_stop(trace_id_t __trid);

/*
 * Back to the state after creation; names and running state stay. With a log
 * also the errors of writing to it.
 */
int posix_trace_clear(trace_id_t __trid);

/* The attributes in force, into an initialized object. */
int posix_trace_get_attr(trace_id_t __trid, trace_attr_t *__attr);

/* Status at one moment; resets overrun (TRL: and flush error). */
int posix_trace_get_status(trace_id_t __trid,
			   struct posix_trace_status_info *__statusinfo);

/* The event types that are not recorded (TEF). EINVAL: how. */
int posix_trace_get_filter(trace_id_t __trid, trace_event_set_t *__set);
int posix_trace_set_filter(trace_id_t __trid,
			   const trace_event_set_t *__set, int __how);

/* Counters at one moment; resets nothing. */
int
posix_trace_get_counters_np(trace_id_t __trid,
			    struct posix_trace_counters_np *__counters);

/*
 * Descriptor of an active stream, for poll(): POLLIN when an event can be
 * read, POLLHUP when the stream was shut down. Not to be closed.
 */
int posix_trace_get_fd_np(trace_id_t __trid, int *__fd);

/*
 * Reading. The oldest event not yet reported: what it is, at most num_bytes of
 * its data and how many these are. *unavailable is not 0 if none is reported.
 */

/*
 * Waits for an event. EINTR: signal, nothing is lost. EINVAL also: shut down
 * meanwhile. Cancellation point.
 */
int
posix_trace_getnext_event(trace_id_t __trid,
			  struct posix_trace_event_info *__restrict __event,
			  void *__restrict __data, size_t __num_bytes,
			  size_t *__restrict __data_len,
			  int *__restrict __unavailable);

/*
 * Waits until abstime (CLOCK_REALTIME). As above, and ETIMEDOUT. EINVAL:
 * no event at hand and abstime not valid. Cancellation point.
 */
int
posix_trace_timedgetnext_event(trace_id_t __trid,
			       struct posix_trace_event_info *__restrict __event,
			       void *__restrict __data, size_t __num_bytes,
			       size_t *__restrict __data_len,
			       int *__restrict __unavailable,
			       const struct timespec *__restrict __abstime);

/* Does not wait: no event is 0 with *unavailable set. */
int
posix_trace_trygetnext_event(trace_id_t __trid,
			     struct posix_trace_event_info *__restrict __event,
			     void *__restrict __data, size_t __num_bytes,
			     size_t *__restrict __data_len,
			     int *__restrict __unavailable);

/*
 * Instrumentation
 */

/* Trace point; async-signal-safe. */
void posix_trace_event(trace_event_id_t __event_id,
		       const void *__restrict __data_ptr,
		       size_t __data_len);

/*
 * Event type with a name, in the calling process or in the one that the stream
 * traces (TEF). ENAMETOOLONG: more than TRACE_EVENT_NAME_MAX bytes. ENOMEM.
 * The former also: ENOSYS, EACCES: no /dev/posixtrace, or not for you.
 */
int posix_trace_eventid_open(const char *__restrict __event_name,
			     trace_event_id_t *__restrict __event_id);
int
posix_trace_trid_eventid_open(trace_id_t __trid,
			      const char *__restrict __event_name,
			      trace_event_id_t *__restrict __event);

/* Not 0: the same type. No errors. */
int posix_trace_eventid_equal(trace_id_t __trid,
			      trace_event_id_t __event1,
			      trace_event_id_t __event2);

/* At most TRACE_EVENT_NAME_MAX bytes and NUL. EINVAL: no type of the stream. */
int posix_trace_eventid_get_name(trace_id_t __trid,
				 trace_event_id_t __event,
				 char *__event_name);

/* The event types of a stream one by one, and from the first again. */
int
posix_trace_eventtypelist_getnext_id(trace_id_t __trid,
				     trace_event_id_t *__restrict __event,
				     int *__restrict __unavailable);
int posix_trace_eventtypelist_rewind(trace_id_t __trid);

/*
 * Sets of event types (TEF). EINVAL: no valid event type; what.
 */
int posix_trace_eventset_add(trace_event_id_t __event_id,
			     trace_event_set_t *__set);
int posix_trace_eventset_del(trace_event_id_t __event_id,
			     trace_event_set_t *__set);
int posix_trace_eventset_empty(trace_event_set_t *__set);
int posix_trace_eventset_fill(trace_event_set_t *__set, int __what);
int
posix_trace_eventset_ismember(trace_event_id_t __event_id,
			      const trace_event_set_t *__restrict __set,
			      int *__restrict __ismember);

#ifdef __cplusplus
}
#endif

#endif /* trace.h */
