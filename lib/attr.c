// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Attributes objects: plain data, the kernel sees them at creation only
 *
 * The setters of sizes take any value and the getters give it back; what a
 * stream makes of it is told by posix_trace_get_attr().
 */
#include <string.h>
#include <time.h>

#include "internal.h"

#define DEFAULT_STREAM_SIZE	65536
#define DEFAULT_MAX_DATA_SIZE	256
#define DEFAULT_LOG_SIZE	1048576

#define NSEC_PER_SEC		1000000000

#define SYSCALL_WORDS		(POSIXTRACE_SYSCALL_MAX / 64)

/**
 * pxt_attr_valid() - whether an object is initialized
 * @attr: the object, may be null
 *
 * Return: true if it is.
 */
bool pxt_attr_valid(const trace_attr_t *attr)
{
	return attr && attr->__magic == PXT_ATTR_MAGIC;
}

/* The kernel events that this version knows: what a stream can be asked for. */
static void mask_kernel_events(struct posixtrace_event_set *set)
{
	__u64 mask = 0;
	size_t i;
	int id;

	static_assert(POSIXTRACE_EV_USER <= 64, "all in the first word");
	for (id = POSIXTRACE_EV_KERNEL; id < POSIXTRACE_EV_KERNEL_END; id++)
		mask |= 1ULL << id;
	set->bits[0] &= mask;
	for (i = 1; i < sizeof(set->bits) / sizeof(*set->bits); i++)
		set->bits[i] = 0;
}

/* The object holds what is left out, so that nothing is by default. */
static void syscalls_to_uapi(const trace_attr_t *attr,
			     struct posixtrace_create *arg)
{
	bool any = false;
	size_t i;

	static_assert(sizeof(arg->syscalls) == sizeof(attr->__no_syscalls),
		      "word by word");
	for (i = 0; i < SYSCALL_WORDS; i++)
		any |= attr->__no_syscalls[i];
	if (!any)
		return;
	arg->flags |= POSIXTRACE_CREATE_SYSCALLS;
	for (i = 0; i < SYSCALL_WORDS; i++)
		arg->syscalls.bits[i] = ~attr->__no_syscalls[i];
}

/**
 * pxt_attr_to_uapi() - attributes for the creation of a stream
 * @attr: initialized object
 * @arg: to; its flags tell if the stream has a log; other fields are zero
 */
void pxt_attr_to_uapi(const trace_attr_t *attr, struct posixtrace_create *arg)
{
	static_assert(sizeof(arg->name) == sizeof(attr->__name), "copied whole");

	arg->stream_policy = attr->__stream_policy;
	if (arg->stream_policy == PXT_POLICY_UNSET)
		arg->stream_policy = arg->flags & POSIXTRACE_CREATE_LOG ?
				     POSIX_TRACE_FLUSH : POSIX_TRACE_LOOP;
	arg->inheritance = attr->__inherited;
	arg->log_policy = attr->__log_policy;
	arg->stream_size = attr->__stream_size;
	arg->max_data_size = attr->__max_data_size;
	arg->log_size = attr->__log_size;
	pxt_eventset_to_uapi(&attr->__kernel_events, &arg->kernel_events);
	syscalls_to_uapi(attr, arg);
	memcpy(arg->name, attr->__name, sizeof(arg->name));
}

/**
 * pxt_attr_from_uapi() - attributes of a stream
 * @attr: to, initialized object
 * @arg: from
 */
void pxt_attr_from_uapi(trace_attr_t *attr, const struct posixtrace_attr *arg)
{
	size_t i;

	posix_trace_attr_init(attr);
	attr->__stream_policy = arg->stream_policy;
	attr->__inherited = arg->inheritance;
	attr->__log_policy = arg->log_policy;
	attr->__stream_size = arg->stream_size;
	attr->__max_data_size = arg->max_data_size;
	attr->__log_size = arg->log_size;
	attr->__create_sec = arg->create_time / NSEC_PER_SEC;
	attr->__create_nsec = arg->create_time % NSEC_PER_SEC;
	pxt_eventset_from_uapi(&attr->__kernel_events, &arg->kernel_events);
	for (i = 0; i < SYSCALL_WORDS; i++)
		attr->__no_syscalls[i] = ~arg->syscalls.bits[i];
	memcpy(attr->__name, arg->name, sizeof(attr->__name) - 1);
}

/**
 * pxt_attr_from_log() - attributes of a stream that wrote a log
 * @attr: to, initialized object
 * @head: from; its strings are terminated
 */
void pxt_attr_from_log(trace_attr_t *attr, const struct posixtrace_log_head *head)
{
	static_assert(sizeof(head->generation) == sizeof(attr->__genversion),
		      "copied whole");

	pxt_attr_from_uapi(attr, &head->attr);
	attr->__clock_sec = head->clock_resolution / NSEC_PER_SEC;
	attr->__clock_nsec = head->clock_resolution % NSEC_PER_SEC;
	memcpy(attr->__genversion, head->generation,
	       sizeof(attr->__genversion));
}

/**
 * posix_trace_attr_init() - initialize an attributes object
 * @attr: the object
 *
 * POSIX.1-2008 XSH posix_trace_attr_destroy. An initialized object gets the
 * defaults again.
 *
 * Return: 0, or
 * * EINVAL: @attr is null
 */
PXT_API int posix_trace_attr_init(trace_attr_t *attr)
{
	struct timespec res;
	int saved = errno;

	if (!attr)
		return EINVAL;
	if (clock_getres(CLOCK_REALTIME, &res))
		res = (struct timespec){ .tv_nsec = 1 };
	errno = saved;

	memset(attr, 0, sizeof(*attr));
	attr->__inherited = POSIX_TRACE_CLOSE_FOR_CHILD;
	attr->__stream_policy = PXT_POLICY_UNSET;
	attr->__log_policy = POSIX_TRACE_LOOP;
	attr->__stream_size = DEFAULT_STREAM_SIZE;
	attr->__max_data_size = DEFAULT_MAX_DATA_SIZE;
	attr->__log_size = DEFAULT_LOG_SIZE;
	attr->__clock_sec = res.tv_sec;
	attr->__clock_nsec = res.tv_nsec;
	memcpy(attr->__genversion, PXT_GENVERSION, sizeof(PXT_GENVERSION));
	attr->__magic = PXT_ATTR_MAGIC;
	return 0;
}

/**
 * posix_trace_attr_destroy() - end an attributes object
 * @attr: the object, which may be initialized again
 *
 * POSIX.1-2008 XSH posix_trace_attr_destroy.
 *
 * Return: 0, or
 * * EINVAL: @attr is null or not initialized
 */
PXT_API int posix_trace_attr_destroy(trace_attr_t *attr)
{
	if (!pxt_attr_valid(attr))
		return EINVAL;
	attr->__magic = ~PXT_ATTR_MAGIC;
	return 0;
}

/**
 * posix_trace_attr_getclockres() - get the clock-resolution attribute
 * @attr: the object
 * @resolution: where the resolution of the clock of the time stamps goes
 *
 * POSIX.1-2008 XSH posix_trace_attr_getclockres.
 *
 * Return: 0, or
 * * EINVAL: @attr is null or not initialized; @resolution is null
 */
PXT_API int posix_trace_attr_getclockres(const trace_attr_t *attr,
					 struct timespec *resolution)
{
	if (!pxt_attr_valid(attr) || !resolution)
		return EINVAL;
	resolution->tv_sec = attr->__clock_sec;
	resolution->tv_nsec = attr->__clock_nsec;
	return 0;
}

/**
 * posix_trace_attr_getcreatetime() - get the creation-time attribute
 * @attr: the object
 * @createtime: where the time of creation goes; 0 unless @attr was filled by
 *	posix_trace_get_attr()
 *
 * POSIX.1-2008 XSH posix_trace_attr_getclockres.
 *
 * Return: 0, or
 * * EINVAL: @attr is null or not initialized; @createtime is null
 */
PXT_API int posix_trace_attr_getcreatetime(const trace_attr_t *attr,
					   struct timespec *createtime)
{
	if (!pxt_attr_valid(attr) || !createtime)
		return EINVAL;
	createtime->tv_sec = attr->__create_sec;
	createtime->tv_nsec = attr->__create_nsec;
	return 0;
}

/**
 * posix_trace_attr_getgenversion() - get the generation-version attribute
 * @attr: the object
 * @genversion: where the string goes, room for TRACE_NAME_MAX bytes
 *
 * POSIX.1-2008 XSH posix_trace_attr_getclockres.
 *
 * Return: 0, or
 * * EINVAL: @attr is null or not initialized; @genversion is null
 */
PXT_API int posix_trace_attr_getgenversion(const trace_attr_t *attr,
					   char *genversion)
{
	if (!pxt_attr_valid(attr) || !genversion)
		return EINVAL;
	memcpy(genversion, attr->__genversion,
	       strnlen(attr->__genversion, TRACE_NAME_MAX) + 1);
	return 0;
}

/**
 * posix_trace_attr_getname() - get the trace-name attribute
 * @attr: the object
 * @tracename: where the name goes, room for TRACE_NAME_MAX + 1 bytes
 *
 * POSIX.1-2008 XSH posix_trace_attr_getclockres.
 *
 * Return: 0, or
 * * EINVAL: @attr is null or not initialized; @tracename is null
 */
PXT_API int posix_trace_attr_getname(const trace_attr_t *attr, char *tracename)
{
	if (!pxt_attr_valid(attr) || !tracename)
		return EINVAL;
	memcpy(tracename, attr->__name,
	       strnlen(attr->__name, TRACE_NAME_MAX) + 1);
	return 0;
}

/**
 * posix_trace_attr_setname() - set the trace-name attribute
 * @attr: the object
 * @tracename: name; of one that is longer than TRACE_NAME_MAX bytes the first
 *	TRACE_NAME_MAX - 1 are taken
 *
 * POSIX.1-2008 XSH posix_trace_attr_getclockres.
 *
 * Return: 0, or
 * * EINVAL: @attr is null or not initialized; @tracename is null
 */
PXT_API int posix_trace_attr_setname(trace_attr_t *attr, const char *tracename)
{
	char name[TRACE_NAME_MAX + 1] = "";
	size_t len;

	if (!pxt_attr_valid(attr) || !tracename)
		return EINVAL;
	len = strnlen(tracename, TRACE_NAME_MAX + 1);
	if (len > TRACE_NAME_MAX)
		len = TRACE_NAME_MAX - 1;
	memcpy(name, tracename, len);
	memcpy(attr->__name, name, sizeof(name));
	return 0;
}

/**
 * posix_trace_attr_getinherited() - get the inheritance attribute
 * @attr: the object
 * @inheritancepolicy: where it goes
 *
 * POSIX.1-2008 XSH posix_trace_attr_getinherited (TRI).
 *
 * Return: 0, or
 * * EINVAL: @attr is null or not initialized; @inheritancepolicy is null
 */
PXT_API int
posix_trace_attr_getinherited(const trace_attr_t *restrict attr,
			      int *restrict inheritancepolicy)
{
	if (!pxt_attr_valid(attr) || !inheritancepolicy)
		return EINVAL;
	*inheritancepolicy = attr->__inherited;
	return 0;
}

/**
 * posix_trace_attr_setinherited() - set the inheritance attribute
 * @attr: the object
 * @inheritancepolicy: POSIX_TRACE_CLOSE_FOR_CHILD or POSIX_TRACE_INHERITED
 *
 * POSIX.1-2008 XSH posix_trace_attr_getinherited (TRI).
 *
 * Return: 0, or
 * * EINVAL: @attr is null or not initialized; @inheritancepolicy is no such
 */
PXT_API int posix_trace_attr_setinherited(trace_attr_t *attr,
					  int inheritancepolicy)
{
	if (!pxt_attr_valid(attr))
		return EINVAL;
	if (inheritancepolicy != POSIX_TRACE_CLOSE_FOR_CHILD &&
	    inheritancepolicy != POSIX_TRACE_INHERITED)
		return EINVAL;
	attr->__inherited = inheritancepolicy;
	return 0;
}

/**
 * posix_trace_attr_getlogfullpolicy() - get the log-full-policy attribute
 * @attr: the object
 * @logpolicy: where it goes
 *
 * POSIX.1-2008 XSH posix_trace_attr_getinherited (TRL).
 *
 * Return: 0, or
 * * EINVAL: @attr is null or not initialized; @logpolicy is null
 */
PXT_API int
posix_trace_attr_getlogfullpolicy(const trace_attr_t *restrict attr,
				  int *restrict logpolicy)
{
	if (!pxt_attr_valid(attr) || !logpolicy)
		return EINVAL;
	*logpolicy = attr->__log_policy;
	return 0;
}

/**
 * posix_trace_attr_setlogfullpolicy() - set the log-full-policy attribute
 * @attr: the object
 * @logpolicy: POSIX_TRACE_LOOP, POSIX_TRACE_UNTIL_FULL or POSIX_TRACE_APPEND
 *
 * POSIX.1-2008 XSH posix_trace_attr_getinherited (TRL).
 *
 * Return: 0, or
 * * EINVAL: @attr is null or not initialized; @logpolicy is no such
 */
PXT_API int posix_trace_attr_setlogfullpolicy(trace_attr_t *attr, int logpolicy)
{
	if (!pxt_attr_valid(attr))
		return EINVAL;
	if (logpolicy != POSIX_TRACE_LOOP &&
	    logpolicy != POSIX_TRACE_UNTIL_FULL &&
	    logpolicy != POSIX_TRACE_APPEND)
		return EINVAL;
	attr->__log_policy = logpolicy;
	return 0;
}

/**
 * posix_trace_attr_getstreamfullpolicy() - get the stream-full-policy attribute
 * @attr: the object
 * @streampolicy: where it goes; POSIX_TRACE_LOOP if it was never set, though
 *	a stream with a log is made with POSIX_TRACE_FLUSH then
 *
 * POSIX.1-2008 XSH posix_trace_attr_getinherited.
 *
 * Return: 0, or
 * * EINVAL: @attr is null or not initialized; @streampolicy is null
 */
PXT_API int
posix_trace_attr_getstreamfullpolicy(const trace_attr_t *restrict attr,
				     int *restrict streampolicy)
{
	if (!pxt_attr_valid(attr) || !streampolicy)
		return EINVAL;
	*streampolicy = attr->__stream_policy == PXT_POLICY_UNSET ?
			POSIX_TRACE_LOOP : attr->__stream_policy;
	return 0;
}

/**
 * posix_trace_attr_setstreamfullpolicy() - set the stream-full-policy attribute
 * @attr: the object
 * @streampolicy: POSIX_TRACE_LOOP, POSIX_TRACE_UNTIL_FULL or POSIX_TRACE_FLUSH,
 *	the last for streams with a log only
 *
 * POSIX.1-2008 XSH posix_trace_attr_getinherited.
 *
 * Return: 0, or
 * * EINVAL: @attr is null or not initialized; @streampolicy is no such
 */
PXT_API int posix_trace_attr_setstreamfullpolicy(trace_attr_t *attr,
						 int streampolicy)
{
	if (!pxt_attr_valid(attr))
		return EINVAL;
	if (streampolicy != POSIX_TRACE_LOOP &&
	    streampolicy != POSIX_TRACE_UNTIL_FULL &&
	    streampolicy != POSIX_TRACE_FLUSH)
		return EINVAL;
	attr->__stream_policy = streampolicy;
	return 0;
}

/**
 * posix_trace_attr_getlogsize() - get the log-max-size attribute
 * @attr: the object
 * @logsize: where it goes
 *
 * POSIX.1-2008 XSH posix_trace_attr_getlogsize (TRL).
 *
 * Return: 0, or
 * * EINVAL: @attr is null or not initialized; @logsize is null
 */
PXT_API int posix_trace_attr_getlogsize(const trace_attr_t *restrict attr,
					size_t *restrict logsize)
{
	if (!pxt_attr_valid(attr) || !logsize)
		return EINVAL;
	*logsize = attr->__log_size;
	return 0;
}

/**
 * posix_trace_attr_setlogsize() - set the log-max-size attribute
 * @attr: the object
 * @logsize: bytes for event records in the log
 *
 * POSIX.1-2008 XSH posix_trace_attr_getlogsize (TRL).
 *
 * Return: 0, or
 * * EINVAL: @attr is null or not initialized
 */
PXT_API int posix_trace_attr_setlogsize(trace_attr_t *attr, size_t logsize)
{
	if (!pxt_attr_valid(attr))
		return EINVAL;
	attr->__log_size = logsize;
	return 0;
}

/**
 * posix_trace_attr_getmaxdatasize() - get the max-data-size attribute
 * @attr: the object
 * @maxdatasize: where it goes
 *
 * POSIX.1-2008 XSH posix_trace_attr_getlogsize.
 *
 * Return: 0, or
 * * EINVAL: @attr is null or not initialized; @maxdatasize is null
 */
PXT_API int posix_trace_attr_getmaxdatasize(const trace_attr_t *restrict attr,
					    size_t *restrict maxdatasize)
{
	if (!pxt_attr_valid(attr) || !maxdatasize)
		return EINVAL;
	*maxdatasize = attr->__max_data_size;
	return 0;
}

/**
 * posix_trace_attr_setmaxdatasize() - set the max-data-size attribute
 * @attr: the object
 * @maxdatasize: longer user data is cut when recorded
 *
 * POSIX.1-2008 XSH posix_trace_attr_getlogsize.
 *
 * Return: 0, or
 * * EINVAL: @attr is null or not initialized
 */
PXT_API int posix_trace_attr_setmaxdatasize(trace_attr_t *attr,
					    size_t maxdatasize)
{
	if (!pxt_attr_valid(attr))
		return EINVAL;
	attr->__max_data_size = maxdatasize;
	return 0;
}

/**
 * posix_trace_attr_getstreamsize() - get the stream-min-size attribute
 * @attr: the object
 * @streamsize: where it goes
 *
 * POSIX.1-2008 XSH posix_trace_attr_getlogsize.
 *
 * Return: 0, or
 * * EINVAL: @attr is null or not initialized; @streamsize is null
 */
PXT_API int posix_trace_attr_getstreamsize(const trace_attr_t *restrict attr,
					   size_t *restrict streamsize)
{
	if (!pxt_attr_valid(attr) || !streamsize)
		return EINVAL;
	*streamsize = attr->__stream_size;
	return 0;
}

/**
 * posix_trace_attr_setstreamsize() - set the stream-min-size attribute
 * @attr: the object
 * @streamsize: bytes for event records in the stream
 *
 * POSIX.1-2008 XSH posix_trace_attr_getlogsize.
 *
 * Return: 0, or
 * * EINVAL: @attr is null or not initialized
 */
PXT_API int posix_trace_attr_setstreamsize(trace_attr_t *attr,
					   size_t streamsize)
{
	if (!pxt_attr_valid(attr))
		return EINVAL;
	attr->__stream_size = streamsize;
	return 0;
}

/**
 * posix_trace_attr_getmaxsystemeventsize() - room that a system event takes
 * @attr: the object
 * @eventsize: where the most bytes that any can take go
 *
 * POSIX.1-2008 XSH posix_trace_attr_getlogsize.
 *
 * Return: 0, or
 * * EINVAL: @attr is null or not initialized; @eventsize is null
 */
PXT_API int
posix_trace_attr_getmaxsystemeventsize(const trace_attr_t *restrict attr,
				       size_t *restrict eventsize)
{
	if (!pxt_attr_valid(attr) || !eventsize)
		return EINVAL;
	*eventsize = POSIXTRACE_SYSTEM_EVENT_SIZE_MAX;
	return 0;
}

/**
 * posix_trace_attr_getmaxusereventsize() - room that a user event takes
 * @attr: the object
 * @data_len: length of its data; what exceeds max-data-size does not count,
 *	since it isn't recorded
 * @eventsize: where the most bytes that it can take go
 *
 * POSIX.1-2008 XSH posix_trace_attr_getlogsize.
 *
 * Return: 0, or
 * * EINVAL: @attr is null or not initialized; @eventsize is null
 */
PXT_API int
posix_trace_attr_getmaxusereventsize(const trace_attr_t *restrict attr,
				     size_t data_len,
				     size_t *restrict eventsize)
{
	__u64 len = data_len;

	if (!pxt_attr_valid(attr) || !eventsize)
		return EINVAL;
	if (len > attr->__max_data_size)
		len = attr->__max_data_size;
	if (len > POSIXTRACE_DATA_MAX)
		len = POSIXTRACE_DATA_MAX;
	*eventsize = POSIXTRACE_RECORD_SIZE(len);
	return 0;
}

/**
 * posix_trace_attr_getkernelevents_np() - get the kernel events to be recorded
 * @attr: the object
 * @set: where they go
 *
 * Return: 0, or
 * * EINVAL: @attr is null or not initialized; @set is null
 */
PXT_API int
posix_trace_attr_getkernelevents_np(const trace_attr_t *restrict attr,
				    trace_event_set_t *restrict set)
{
	if (!pxt_attr_valid(attr) || !set)
		return EINVAL;
	*set = attr->__kernel_events;
	return 0;
}

/**
 * posix_trace_attr_setkernelevents_np() - choose the kernel events to be recorded
 * @attr: the object
 * @set: the kernel events among its members; the others are ignored, so that
 *	a set of all system events means all kernel events that there are
 *
 * Return: 0, or
 * * EINVAL: @attr is null or not initialized; @set is null
 */
PXT_API int
posix_trace_attr_setkernelevents_np(trace_attr_t *restrict attr,
				    const trace_event_set_t *restrict set)
{
	struct posixtrace_event_set events;

	if (!pxt_attr_valid(attr) || !set)
		return EINVAL;
	pxt_eventset_to_uapi(set, &events);
	mask_kernel_events(&events);
	pxt_eventset_from_uapi(&attr->__kernel_events, &events);
	return 0;
}

static bool is_syscall_valid(int number)
{
	return number >= 0 && number < POSIXTRACE_SYSCALL_MAX;
}

/**
 * posix_trace_attr_setsyscalls_np() - choose the system calls to be recorded
 * @attr: the object
 * @numbers: their numbers, as in <sys/syscall.h>; null: all
 * @count: how many; not used if @numbers is null
 *
 * Has an effect on streams that record kernel events on system calls. Those of
 * other calls are dropped before anything is copied. Calls of another calling
 * convention (a 32-bit program's) are recorded only if all are.
 *
 * Return: 0, or
 * * EINVAL: @attr is null or not initialized; a number is not one of
 *   0 .. 511; @count is 0
 */
PXT_API int posix_trace_attr_setsyscalls_np(trace_attr_t *restrict attr,
					    const int *restrict numbers,
					    size_t count)
{
	size_t i;

	if (!pxt_attr_valid(attr) || (numbers && !count))
		return EINVAL;
	for (i = 0; numbers && i < count; i++)
		if (!is_syscall_valid(numbers[i]))
			return EINVAL;
	memset(attr->__no_syscalls, numbers ? 0xff : 0,
	       sizeof(attr->__no_syscalls));
	for (i = 0; numbers && i < count; i++)
		attr->__no_syscalls[numbers[i] / 64] &=
			~(1ULL << numbers[i] % 64);
	return 0;
}

/**
 * posix_trace_attr_getsyscall_np() - are events of a system call recorded?
 * @attr: the object
 * @number: of the call
 * @recorded: 1 if they are, else 0, goes there
 *
 * Return: 0, or
 * * EINVAL: @attr is null or not initialized; @number is not one of 0 .. 511;
 *   @recorded is null
 */
PXT_API int posix_trace_attr_getsyscall_np(const trace_attr_t *restrict attr,
					   int number, int *restrict recorded)
{
	if (!pxt_attr_valid(attr) || !is_syscall_valid(number) || !recorded)
		return EINVAL;
	*recorded = !(attr->__no_syscalls[number / 64] >> number % 64 & 1);
	return 0;
}
