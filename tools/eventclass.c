// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>
#include <linux/posixtrace.h>

#include "eventclass.h"
#include "tool.h"

static const struct eventclass {
	const char *name;
	unsigned int bits;
	const char *help;
} table[] = {
	{ "user", EVENTCLASS_USER,
	  "what the program reports by posix_trace_event()" },
	{ "syscall", EVENTCLASS_SYSCALL,
	  "its system calls and their results" },
	{ "system", EVENTCLASS_SYSTEM,
	  "start, stop and other events of the trace itself" },
	{ "all", EVENTCLASS_USER | EVENTCLASS_SYSCALL | EVENTCLASS_SYSTEM,
	  "all of these" },
};

static const struct eventclass *find(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		if (strlen(table[i].name) == len &&
		    !memcmp(table[i].name, name, len))
			return &table[i];
	}
	return NULL;
}

unsigned int eventclass_find(const char *name, size_t len)
{
	const struct eventclass *class = find(name, len);

	return class ? class->bits : 0;
}

unsigned int eventclass_of(unsigned int id)
{
	if (id >= POSIXTRACE_EV_USER || id == POSIXTRACE_EV_UNNAMED)
		return EVENTCLASS_USER;
	if (id == POSIXTRACE_EV_SYSCALL_ENTER ||
	    id == POSIXTRACE_EV_SYSCALL_EXIT)
		return EVENTCLASS_SYSCALL;
	return EVENTCLASS_SYSTEM;
}

const char *eventclass_parse(const char *list, unsigned int *classes)
{
	const struct eventclass *class;
	size_t len;

	for (;; list += len + 1) {
		len = strcspn(list, ",");
		class = find(list, len);
		if (!class)
			return list;
		*classes |= class->bits;
		if (!list[len])
			return NULL;
	}
}

void eventclass_help(FILE *out)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		fprintf(out, "  %-20s%s\n", table[i].name, table[i].help);
}

void eventclass_names(FILE *out)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		fprintf(out, i ? ", %s" : "%s", table[i].name);
}

void eventclass_kernel_events(unsigned int classes, trace_event_set_t *set)
{
	posix_trace_eventset_empty(set);
	if (classes & EVENTCLASS_SYSCALL) {
		posix_trace_eventset_add(POSIX_TRACE_LINUX_SYSCALL_ENTER_NP,
					 set);
		posix_trace_eventset_add(POSIX_TRACE_LINUX_SYSCALL_EXIT_NP,
					 set);
	}
}

static void ignore_user(trace_event_set_t *set)
{
	trace_event_id_t id;

	posix_trace_eventset_add(POSIX_TRACE_UNNAMED_USEREVENT, set);
	for (id = POSIXTRACE_EV_USER; id < POSIXTRACE_EVENT_MAX; id++)
		posix_trace_eventset_add(id, set);
}

static void ignore_system(trace_event_set_t *set)
{
	posix_trace_eventset_add(POSIX_TRACE_START, set);
	posix_trace_eventset_add(POSIX_TRACE_STOP, set);
	posix_trace_eventset_add(POSIX_TRACE_FILTER, set);
	posix_trace_eventset_add(POSIX_TRACE_FLUSH_START, set);
	posix_trace_eventset_add(POSIX_TRACE_FLUSH_STOP, set);
}

void eventclass_filter(unsigned int classes, trace_event_set_t *set)
{
	posix_trace_eventset_empty(set);
	if (!(classes & EVENTCLASS_USER))
		ignore_user(set);
	if (!(classes & EVENTCLASS_SYSTEM))
		ignore_system(set);
}
