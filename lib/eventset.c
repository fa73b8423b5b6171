// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Sets of event types: plain data, the kernel knows nothing of them
 *
 * Bit (id % 64) of word (id / 64) stands for the type with that identifier.
 */
#include <string.h>

#include "internal.h"

#define WORD_BITS	64
#define bit(id)		(1ULL << (id) % WORD_BITS)

/**
 * pxt_eventset_to_uapi() - copy a set for the kernel
 * @set: from
 * @arg: to
 */
void pxt_eventset_to_uapi(const trace_event_set_t *set,
			  struct posixtrace_event_set *arg)
{
	memcpy(arg->bits, set->__bits, sizeof(arg->bits));
}

/**
 * pxt_eventset_from_uapi() - copy a set of the kernel
 * @set: to
 * @arg: from
 */
void pxt_eventset_from_uapi(trace_event_set_t *set,
			    const struct posixtrace_event_set *arg)
{
	memcpy(set->__bits, arg->bits, sizeof(set->__bits));
}

/**
 * posix_trace_eventset_add() - add an event type to a set
 * @event_id: the type
 * @set: the set
 *
 * POSIX.1-2008 XSH posix_trace_eventset_add (TEF).
 *
 * Return: 0, or
 * * EINVAL: @event_id is out of range; @set is null
 */
PXT_API int posix_trace_eventset_add(trace_event_id_t event_id,
				     trace_event_set_t *set)
{
	if (!pxt_eventid_valid(event_id) || !set)
		return EINVAL;
	set->__bits[event_id / WORD_BITS] |= bit(event_id);
	return 0;
}

/**
 * posix_trace_eventset_del() - remove an event type from a set
 * @event_id: the type
 * @set: the set
 *
 * POSIX.1-2008 XSH posix_trace_eventset_add (TEF).
 *
 * Return: 0, or
 * * EINVAL: @event_id is out of range; @set is null
 */
PXT_API int posix_trace_eventset_del(trace_event_id_t event_id,
				     trace_event_set_t *set)
{
	if (!pxt_eventid_valid(event_id) || !set)
		return EINVAL;
	set->__bits[event_id / WORD_BITS] &= ~bit(event_id);
	return 0;
}

/**
 * posix_trace_eventset_empty() - make a set without members
 * @set: the set
 *
 * POSIX.1-2008 XSH posix_trace_eventset_add (TEF).
 *
 * Return: 0, or
 * * EINVAL: @set is null
 */
PXT_API int posix_trace_eventset_empty(trace_event_set_t *set)
{
	if (!set)
		return EINVAL;
	memset(set, 0, sizeof(*set));
	return 0;
}

static void add_range(trace_event_set_t *set, trace_event_id_t first,
		      trace_event_id_t end)
{
	trace_event_id_t id;

	for (id = first; id < end; id++)
		set->__bits[id / WORD_BITS] |= bit(id);
}

/**
 * posix_trace_eventset_fill() - make a set with certain members
 * @set: the set
 * @what: POSIX_TRACE_WOPID_EVENTS, the system events that belong to no process:
 *	ERROR, OVERFLOW and RESUME;
 *	POSIX_TRACE_SYSTEM_EVENTS, all system events, kernel events among them;
 *	POSIX_TRACE_ALL_EVENTS, also user events, whether or not opened by now
 *
 * POSIX.1-2008 XSH posix_trace_eventset_add (TEF).
 *
 * Return: 0, or
 * * EINVAL: @what is none of these; @set is null
 */
PXT_API int posix_trace_eventset_fill(trace_event_set_t *set, int what)
{
	trace_event_set_t new = { 0 };

	if (!set)
		return EINVAL;
	switch (what) {
	case POSIX_TRACE_WOPID_EVENTS:
		add_range(&new, POSIX_TRACE_ERROR, POSIX_TRACE_ERROR + 1);
		add_range(&new, POSIX_TRACE_OVERFLOW, POSIX_TRACE_RESUME + 1);
		break;
	case POSIX_TRACE_SYSTEM_EVENTS:
		add_range(&new, POSIX_TRACE_ERROR, POSIX_TRACE_UNNAMED_USEREVENT);
		add_range(&new, POSIXTRACE_EV_KERNEL, POSIXTRACE_EV_USER);
		break;
	case POSIX_TRACE_ALL_EVENTS:
		memset(&new, 0xff, sizeof(new));
		break;
	default:
		return EINVAL;
	}
	*set = new;
	return 0;
}

/**
 * posix_trace_eventset_ismember() - ask whether a type is in a set
 * @event_id: the type
 * @set: the set
 * @ismember: where 1 (yes) or 0 goes
 *
 * POSIX.1-2008 XSH posix_trace_eventset_add (TEF).
 *
 * Return: 0, or
 * * EINVAL: @event_id is out of range; @set or @ismember is null
 */
PXT_API int
posix_trace_eventset_ismember(trace_event_id_t event_id,
			      const trace_event_set_t *restrict set,
			      int *restrict ismember)
{
	if (!pxt_eventid_valid(event_id) || !set || !ismember)
		return EINVAL;
	*ismember = !!(set->__bits[event_id / WORD_BITS] & bit(event_id));
	return 0;
}
