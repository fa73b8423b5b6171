// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stream that traces this process, see own.h.
 */
#include "measure.h"
#include "own.h"

trace_id_t own_stream(size_t size, bool kernel_events)
{
	trace_event_set_t set;
	trace_attr_t attr;
	trace_id_t trid;

	check(posix_trace_attr_init(&attr), "attr_init");
	check(posix_trace_attr_setstreamsize(&attr, size), "setstreamsize");
	posix_trace_eventset_fill(&set, POSIX_TRACE_SYSTEM_EVENTS);
	if (kernel_events)
		posix_trace_attr_setkernelevents_np(&attr, &set);
	check(posix_trace_create(0, &attr, &trid), "create");
	check(posix_trace_start(trid), "start");
	return trid;
}
