// SPDX-License-Identifier: GPL-2.0-only
/*
 * The event type list of a stream, see typelist.h.
 */
#include <linux/errno.h>
#include <linux/mutex.h>

#include "stream.h"
#include "typelist.h"

/**
 * pxt_typelist_open() - posix_trace_trid_eventid_open()
 * @stream: the stream
 * @name: NUL-terminated
 *
 * Return: as pxt_target_open_name().
 */
int pxt_typelist_open(struct pxt_stream *stream, const char *name)
{
	int id = pxt_target_open_name(stream->target, &stream->sink, name);

	if (id != -EPERM)
		return id;
	/* None of its events will have a new name. */
	return pxt_evtypes_find(stream->types, name) ?: POSIXTRACE_EV_UNNAMED;
}

/**
 * pxt_typelist_name() - posix_trace_eventid_get_name()
 * @stream: the stream
 * @id: any value
 *
 * Return: the name, which lives as long as the stream; NULL if none of its
 * events can have this type.
 */
const char *pxt_typelist_name(struct pxt_stream *stream, u32 id)
{
	if (id >= POSIXTRACE_EV_USER)
		return pxt_evtypes_name(stream->types, id);
	if (id >= POSIXTRACE_EV_KERNEL &&
	    !pxt_event_set_has(&stream->attr.kernel_events, id))
		return NULL;
	return pxt_evtype_fixed_name(id);
}

/**
 * pxt_typelist_next() - posix_trace_eventtypelist_getnext_id()
 * @stream: the stream
 *
 * The standard's types come first, then the kernel events that the stream asked
 * for, then names as they were opened. Context: may sleep.
 *
 * Return: the identifier; 0: no more, for now.
 */
u32 pxt_typelist_next(struct pxt_stream *stream)
{
	u32 id;

	guard(mutex)(&stream->reader.lock);
	for (id = stream->next_type; id < POSIXTRACE_EVENT_MAX; id++) {
		if (pxt_typelist_name(stream, id)) {
			stream->next_type = id + 1;
			return id;
		}
		if (id >= POSIXTRACE_EV_USER)
			break;
	}
	return 0;
}

/**
 * pxt_typelist_rewind() - posix_trace_eventtypelist_rewind()
 * @stream: the stream
 *
 * Context: may sleep.
 */
void pxt_typelist_rewind(struct pxt_stream *stream)
{
	guard(mutex)(&stream->reader.lock);
	stream->next_type = 1;
}
