// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "eventclass.h"
#include "events.h"
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
	{ "sched", EVENTCLASS_SCHED,
	  "when its threads run, wait and wake up" },
	{ "signal", EVENTCLASS_SIGNAL,
	  "signals that it is sent, and those that it takes" },
	{ "process", EVENTCLASS_PROCESS,
	  "processes and threads that it makes, programs and ends" },
	{ "fault", EVENTCLASS_FAULT,
	  "its page faults" },
	{ "system", EVENTCLASS_SYSTEM,
	  "start, stop and other events of the trace itself" },
	{ "all", EVENTCLASS_ALL,
	  "all of these" },
};

unsigned int eventclass_find(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		if (strlen(table[i].name) == len &&
		    !memcmp(table[i].name, name, len))
			return table[i].bits;
	}
	return 0;
}

unsigned int eventclass_of(unsigned int id)
{
	const struct event_type *type = event_type(id);

	if (type)
		return type->class;
	return id >= POSIXTRACE_EV_USER ? EVENTCLASS_USER : EVENTCLASS_OTHER;
}

const char *eventclass_name(size_t i)
{
	return i < ARRAY_SIZE(table) ? table[i].name : NULL;
}

/* Those kernel events that are in a class, if it is not all. */
static void put_kernel_events(FILE *out, unsigned int class)
{
	const char *before = "                      ";
	unsigned int id;

	if (class == EVENTCLASS_ALL)
		return;
	for (id = POSIXTRACE_EV_KERNEL; id < POSIXTRACE_EV_KERNEL_END; id++) {
		if (!(eventclass_of(id) & class))
			continue;
		fprintf(out, "%s%s", before, event_name(id));
		before = ", ";
	}
	if (*before == ',')
		putc('\n', out);
}

void eventclass_help(FILE *out)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		fprintf(out, "  %-20s%s\n", table[i].name, table[i].help);
		put_kernel_events(out, table[i].bits);
	}
}
