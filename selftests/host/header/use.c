/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Uses all of <trace.h>. header.sh compiles this, as C and as C++, under every
 * feature-test macro, with FIRST and LAST naming headers to be included before
 * and after.
 */
#ifdef FIRST
# include FIRST
#endif
#include <trace.h>
#ifdef LAST
# include LAST
#endif
#include <trace.h>

/* Options and limits, in #if. */
#if _POSIX_TRACE != 200809L || _POSIX_TRACE_EVENT_FILTER != 200809L || \
	_POSIX_TRACE_INHERIT != 200809L || _POSIX_TRACE_LOG != 200809L
# error options
#endif
#if _POSIX_TRACE_EVENT_NAME_MAX != 30 || _POSIX_TRACE_NAME_MAX != 8 || \
	_POSIX_TRACE_SYS_MAX != 8 || _POSIX_TRACE_USER_EVENT_MAX != 32
# error minimum values
#endif
#if TRACE_EVENT_NAME_MAX < _POSIX_TRACE_EVENT_NAME_MAX || \
	TRACE_NAME_MAX < _POSIX_TRACE_NAME_MAX || \
	TRACE_USER_EVENT_MAX < _POSIX_TRACE_USER_EVENT_MAX
# error limits
#endif
#ifdef TRACE_SYS_MAX
# error TRACE_SYS_MAX is configurable
#endif

#define DIFFER(a, b) ((a) != (b) ? 1 : -1)
#define GROUP2(name, a, b) \
	extern char differ_##name[DIFFER(a, b)]
#define GROUP3(name, a, b, c) \
	extern char differ_##name[DIFFER(a, b) + DIFFER(a, c) + \
				  DIFFER(b, c) == 3 ? 1 : -1]

GROUP2(stream_status, POSIX_TRACE_RUNNING, POSIX_TRACE_SUSPENDED);
GROUP2(full_status, POSIX_TRACE_FULL, POSIX_TRACE_NOT_FULL);
GROUP2(overrun_status, POSIX_TRACE_OVERRUN, POSIX_TRACE_NO_OVERRUN);
GROUP2(flush_status, POSIX_TRACE_FLUSHING, POSIX_TRACE_NOT_FLUSHING);
GROUP2(inheritance, POSIX_TRACE_CLOSE_FOR_CHILD, POSIX_TRACE_INHERITED);
GROUP3(truncation, POSIX_TRACE_NOT_TRUNCATED, POSIX_TRACE_TRUNCATED_RECORD,
       POSIX_TRACE_TRUNCATED_READ);
GROUP3(stream_policy, POSIX_TRACE_LOOP, POSIX_TRACE_UNTIL_FULL,
       POSIX_TRACE_FLUSH);
GROUP3(log_policy, POSIX_TRACE_LOOP, POSIX_TRACE_UNTIL_FULL,
       POSIX_TRACE_APPEND);
GROUP3(what, POSIX_TRACE_WOPID_EVENTS, POSIX_TRACE_SYSTEM_EVENTS,
       POSIX_TRACE_ALL_EVENTS);
GROUP3(how, POSIX_TRACE_SET_EVENTSET, POSIX_TRACE_ADD_EVENTSET,
       POSIX_TRACE_SUB_EVENTSET);

/* The values can be used where a constant is needed, and are in order. */
#if POSIX_TRACE_NO_OVERRUN != 0
# error POSIX_TRACE_NO_OVERRUN
#endif
#if POSIX_TRACE_UNNAMED_USER_EVENT != POSIX_TRACE_UNNAMED_USEREVENT
# error two spellings
#endif

trace_event_id_t predefined[] = {
	POSIX_TRACE_ERROR, POSIX_TRACE_START, POSIX_TRACE_STOP,
	POSIX_TRACE_FILTER, POSIX_TRACE_OVERFLOW, POSIX_TRACE_RESUME,
	POSIX_TRACE_FLUSH_START, POSIX_TRACE_FLUSH_STOP,
	POSIX_TRACE_UNNAMED_USEREVENT, POSIX_TRACE_LINUX_SYSCALL_ENTER_NP,
	POSIX_TRACE_LINUX_SYSCALL_EXIT_NP,
};

int cases(trace_event_id_t id);
int cases(trace_event_id_t id)
{
	switch (id) {
	case POSIX_TRACE_ERROR:
	case POSIX_TRACE_START:
	case POSIX_TRACE_STOP:
	case POSIX_TRACE_FILTER:
	case POSIX_TRACE_OVERFLOW:
	case POSIX_TRACE_RESUME:
	case POSIX_TRACE_FLUSH_START:
	case POSIX_TRACE_FLUSH_STOP:
	case POSIX_TRACE_UNNAMED_USEREVENT:
	case POSIX_TRACE_LINUX_SYSCALL_ENTER_NP:
	case POSIX_TRACE_LINUX_SYSCALL_EXIT_NP:
		return 1;
	default:
		return 0;
	}
}

/* Types. */
trace_attr_t attr;
trace_id_t trid;
trace_event_id_t event_id;
trace_event_set_t set, copy;
size_t size;

trace_event_set_t by_value(trace_event_set_t s);
trace_event_set_t by_value(trace_event_set_t s)
{
	copy = s;
	return copy;
}

struct posix_trace_event_info info;
struct posix_trace_status_info status;
struct posix_trace_counters_np counters;

/* Each member has the type listed: no diagnostic. */
void members(void);
void members(void)
{
	trace_event_id_t *id = &info.posix_event_id;
	pid_t *pid = &info.posix_pid;
	void **address = &info.posix_prog_address;
	pthread_t *thread = &info.posix_thread_id;
	struct timespec *stamp = &info.posix_timestamp;
	int *truncation = &info.posix_truncation_status;
	pid_t *tid = &info.posix_tid_np;
	int *s1 = &status.posix_stream_status;
	int *s2 = &status.posix_stream_full_status;
	int *s3 = &status.posix_stream_overrun_status;
	int *s4 = &status.posix_stream_flush_status;
	int *s5 = &status.posix_stream_flush_error;
	int *s6 = &status.posix_log_overrun_status;
	int *s7 = &status.posix_log_full_status;

	*id = 0;
	*pid = *tid = 0;
	*address = 0;
	*thread = 0;
	stamp->tv_sec = 0;
	stamp->tv_nsec = 0;
	*truncation = 0;
	*s1 = *s2 = *s3 = *s4 = *s5 = *s6 = *s7 = 0;
	counters.posix_recorded = counters.posix_lost = 0;
	counters.posix_overwritten = counters.posix_truncated = 0;
	counters.posix_read = counters.posix_flushed = 0;
}

/* Every function through a pointer of exactly its type. */
#ifdef __cplusplus
# define R
#else
# define R restrict
#endif
#define POINTER(name, args) int (*p_##name) args = posix_trace_##name

POINTER(attr_init, (trace_attr_t *));
POINTER(attr_destroy, (trace_attr_t *));
POINTER(attr_getclockres, (const trace_attr_t *, struct timespec *));
POINTER(attr_getcreatetime, (const trace_attr_t *, struct timespec *));
POINTER(attr_getgenversion, (const trace_attr_t *, char *));
POINTER(attr_getname, (const trace_attr_t *, char *));
POINTER(attr_setname, (trace_attr_t *, const char *));
POINTER(attr_getinherited, (const trace_attr_t * R, int * R));
POINTER(attr_setinherited, (trace_attr_t *, int));
POINTER(attr_getlogfullpolicy, (const trace_attr_t * R, int * R));
POINTER(attr_setlogfullpolicy, (trace_attr_t *, int));
POINTER(attr_getstreamfullpolicy, (const trace_attr_t * R, int * R));
POINTER(attr_setstreamfullpolicy, (trace_attr_t *, int));
POINTER(attr_getlogsize, (const trace_attr_t * R, size_t * R));
POINTER(attr_setlogsize, (trace_attr_t *, size_t));
POINTER(attr_getmaxdatasize, (const trace_attr_t * R, size_t * R));
POINTER(attr_setmaxdatasize, (trace_attr_t *, size_t));
POINTER(attr_getstreamsize, (const trace_attr_t * R, size_t * R));
POINTER(attr_setstreamsize, (trace_attr_t *, size_t));
POINTER(attr_getmaxsystemeventsize, (const trace_attr_t * R, size_t * R));
POINTER(attr_getmaxusereventsize, (const trace_attr_t * R, size_t, size_t * R));
POINTER(attr_getkernelevents_np,
	(const trace_attr_t * R, trace_event_set_t * R));
POINTER(attr_setkernelevents_np,
	(trace_attr_t * R, const trace_event_set_t * R));
POINTER(create, (pid_t, const trace_attr_t * R, trace_id_t * R));
POINTER(create_withlog, (pid_t, const trace_attr_t * R, int, trace_id_t * R));
POINTER(flush, (trace_id_t));
POINTER(shutdown, (trace_id_t));
POINTER(open, (int, trace_id_t *));
POINTER(rewind, (trace_id_t));
POINTER(close, (trace_id_t));
POINTER(start, (trace_id_t));
POINTER(stop, (trace_id_t));
POINTER(clear, (trace_id_t));
POINTER(get_attr, (trace_id_t, trace_attr_t *));
POINTER(get_status, (trace_id_t, struct posix_trace_status_info *));
POINTER(get_counters_np, (trace_id_t, struct posix_trace_counters_np *));
POINTER(get_fd_np, (trace_id_t, int *));
POINTER(get_filter, (trace_id_t, trace_event_set_t *));
POINTER(set_filter, (trace_id_t, const trace_event_set_t *, int));
POINTER(getnext_event,
	(trace_id_t, struct posix_trace_event_info * R, void * R, size_t,
	 size_t * R, int * R));
POINTER(timedgetnext_event,
	(trace_id_t, struct posix_trace_event_info * R, void * R, size_t,
	 size_t * R, int * R, const struct timespec * R));
POINTER(trygetnext_event,
	(trace_id_t, struct posix_trace_event_info * R, void * R, size_t,
	 size_t * R, int * R));
POINTER(eventid_open, (const char * R, trace_event_id_t * R));
POINTER(trid_eventid_open, (trace_id_t, const char * R, trace_event_id_t * R));
POINTER(eventid_equal, (trace_id_t, trace_event_id_t, trace_event_id_t));
POINTER(eventid_get_name, (trace_id_t, trace_event_id_t, char *));
POINTER(eventtypelist_getnext_id, (trace_id_t, trace_event_id_t * R, int * R));
POINTER(eventtypelist_rewind, (trace_id_t));
POINTER(eventset_add, (trace_event_id_t, trace_event_set_t *));
POINTER(eventset_del, (trace_event_id_t, trace_event_set_t *));
POINTER(eventset_empty, (trace_event_set_t *));
POINTER(eventset_fill, (trace_event_set_t *, int));
POINTER(eventset_ismember,
	(trace_event_id_t, const trace_event_set_t * R, int * R));

void (*p_event)(trace_event_id_t, const void * R, size_t) = posix_trace_event;

/* No name is a macro: this would expand it, and # and ## get it whole. */
#define IS_ITSELF(name) #name[sizeof(#name) == sizeof("posix_trace_event") ? 0 : -1]
char itself(void);
char itself(void)
{
	return IS_ITSELF(posix_trace_event);
}
