// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Event types: names and identifiers, which the kernel or a log keeps
 */
#include <string.h>

#include "internal.h"

/* A name for the kernel. ENAMETOOLONG, EINVAL: as the public functions. */
static int name_to_uapi(const char *name, struct posixtrace_name *arg)
{
	size_t len;

	if (!name)
		return EINVAL;
	len = strnlen(name, TRACE_EVENT_NAME_MAX + 1);
	if (len > TRACE_EVENT_NAME_MAX)
		return ENAMETOOLONG;
	memcpy(arg->name, name, len);
	return 0;
}

/**
 * posix_trace_eventid_open() - event type with a name, in this process
 * @event_name: name
 * @event_id: where its identifier goes; POSIX_TRACE_UNNAMED_USEREVENT if the
 *	process has TRACE_USER_EVENT_MAX user event types
 *
 * POSIX.1-2008 XSH posix_trace_eventid_equal.
 *
 * Return: 0, or
 * * EACCES: /dev/posixtrace is not for this user
 * * EINVAL: a pointer is null
 * * EMFILE, ENFILE: no descriptor is free
 * * ENAMETOOLONG: @event_name is longer than TRACE_EVENT_NAME_MAX
 * * ENOMEM: not enough memory
 * * ENOSYS: the module is not loaded
 */
PXT_API int posix_trace_eventid_open(const char *restrict event_name,
				     trace_event_id_t *restrict event_id)
{
	struct posixtrace_name arg = { .size = sizeof(arg) };
	int err = name_to_uapi(event_name, &arg);

	if (!err && !event_id)
		err = EINVAL;
	if (!err)
		err = pxt_gate_open();
	if (!err)
		err = pxt_device_ioctl(POSIXTRACE_IOC_EVENTID_OPEN, &arg);
	if (!err)
		*event_id = arg.event_id;
	return err;
}

/**
 * posix_trace_trid_eventid_open() - event type with a name, in a traced process
 * @trid: stream that traces it
 * @event_name: name
 * @event: where its identifier goes, as in posix_trace_eventid_open()
 *
 * POSIX.1-2008 XSH posix_trace_eventid_equal (TEF).
 *
 * Return: 0, or
 * * EINVAL: @trid is not an active stream of this process; a pointer is null
 * * ENAMETOOLONG: @event_name is longer than TRACE_EVENT_NAME_MAX
 * * ENOMEM: not enough memory
 */
PXT_API int posix_trace_trid_eventid_open(trace_id_t trid,
					  const char *restrict event_name,
					  trace_event_id_t *restrict event)
{
	struct posixtrace_name arg = {
		.size = sizeof(arg),
		.stream = pxt_trid_stream(trid),
	};
	int err = name_to_uapi(event_name, &arg);

	if (!err && !event)
		err = EINVAL;
	if (!err)
		err = pxt_trid_ioctl(trid, POSIXTRACE_IOC_TRID_EVENTID_OPEN,
				     &arg);
	if (!err)
		*event = arg.event_id;
	return err;
}

/**
 * posix_trace_eventid_equal() - compare two event types
 * @trid: stream that both are of; not looked at
 * @event1: one
 * @event2: the other
 *
 * POSIX.1-2008 XSH posix_trace_eventid_equal.
 *
 * Return: not 0 if they are the same, else 0.
 */
PXT_API int posix_trace_eventid_equal(trace_id_t trid, trace_event_id_t event1,
				      trace_event_id_t event2)
{
	(void)trid;
	return event1 == event2;
}

/**
 * posix_trace_eventid_get_name() - name of an event type
 * @trid: stream that it is of
 * @event: the type
 * @event_name: where the name goes, room for TRACE_EVENT_NAME_MAX + 1 bytes
 *
 * POSIX.1-2008 XSH posix_trace_eventid_equal.
 *
 * Return: 0, or
 * * EINVAL: @trid is no stream of this process; @event is no type of it;
 *   @event_name is null
 */
PXT_API int posix_trace_eventid_get_name(trace_id_t trid,
					 trace_event_id_t event,
					 char *event_name)
{
	struct posixtrace_name arg = {
		.size = sizeof(arg),
		.event_id = event,
		.stream = pxt_trid_stream(trid),
	};
	int err;

	if (!event_name)
		return EINVAL;
	if (pxt_trid_is_prerecorded(trid))
		return pxt_prerecorded_type_name(trid, event, event_name);
	err = pxt_trid_ioctl(trid, POSIXTRACE_IOC_EVENTID_GET_NAME, &arg);
	if (!err)
		memcpy(event_name, arg.name,
		       strnlen(arg.name, TRACE_EVENT_NAME_MAX) + 1);
	return err;
}

/* ENODATA: there is no more. */
static int next_type(trace_id_t trid, trace_event_id_t *event)
{
	struct posixtrace_name arg = {
		.size = sizeof(arg),
		.stream = pxt_trid_stream(trid),
	};
	int err = pxt_trid_ioctl(trid, POSIXTRACE_IOC_TYPELIST_NEXT, &arg);

	if (!err)
		*event = arg.event_id;
	return err;
}

/**
 * posix_trace_eventtypelist_getnext_id() - next event type of a stream
 * @trid: the stream
 * @event: where the type goes
 * @unavailable: 0 if there was one, else not
 *
 * POSIX.1-2008 XSH posix_trace_eventtypelist_getnext_id. At the end of the list
 * a later call gives types that were opened since.
 *
 * Return: 0, also at the end of the list, or
 * * EINVAL: @trid is no stream of this process; a pointer is null
 */
PXT_API int
posix_trace_eventtypelist_getnext_id(trace_id_t trid,
				     trace_event_id_t *restrict event,
				     int *restrict unavailable)
{
	int err;

	if (!event || !unavailable)
		return EINVAL;
	if (pxt_trid_is_prerecorded(trid))
		err = pxt_prerecorded_next_type(trid, event);
	else
		err = next_type(trid, event);
	if (err && err != ENODATA)
		return err;
	*unavailable = err == ENODATA;
	return 0;
}

/**
 * posix_trace_eventtypelist_rewind() - start with the first event type again
 * @trid: the stream
 *
 * POSIX.1-2008 XSH posix_trace_eventtypelist_getnext_id.
 *
 * Return: 0, or
 * * EINVAL: @trid is no stream of this process
 */
PXT_API int posix_trace_eventtypelist_rewind(trace_id_t trid)
{
	struct posixtrace_control arg = {
		.size = sizeof(arg),
		.stream = pxt_trid_stream(trid),
	};

	if (pxt_trid_is_prerecorded(trid))
		return pxt_prerecorded_rewind_types(trid);
	return pxt_trid_ioctl(trid, POSIXTRACE_IOC_TYPELIST_REWIND, &arg);
}
