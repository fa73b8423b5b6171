// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "eventclass.h"
#include "events.h"
#include "tool.h"

/* struct posixtrace_NAME, and a field that begins where its MEMBER does */
#define SIZE(name)		sizeof(struct posixtrace_##name)
#define AT(name, member)	offsetof(struct posixtrace_##name, member)

static const char * const names[POSIXTRACE_EV_USER] = POSIXTRACE_EVENT_NAMES;

static const struct event_type types[POSIXTRACE_EV_KERNEL_END] = {
	[POSIXTRACE_EV_ERROR] = {
		EVENTCLASS_SYSTEM, .size = sizeof(int),
		.fields = { { FIELD_ERROR } },
	},
	[POSIXTRACE_EV_START] = {
		EVENTCLASS_SYSTEM, .size = SIZE(event_set),
		.fields = { { FIELD_SET, 0, "ignored", "ignores " } },
	},
	[POSIXTRACE_EV_STOP] = {
		EVENTCLASS_SYSTEM, .size = sizeof(int),
		.fields = { { FIELD_REASON, 0, "automatic", "" } },
	},
	[POSIXTRACE_EV_FILTER] = {
		EVENTCLASS_SYSTEM, .size = 2 * SIZE(event_set),
		.fields = {
			{ FIELD_SET, 0, "was_ignored", "ignored " },
			{ FIELD_SET, SIZE(event_set), "ignored",
			  "; now ignores " },
		},
	},
	[POSIXTRACE_EV_OVERFLOW] = { EVENTCLASS_SYSTEM },
	[POSIXTRACE_EV_RESUME] = { EVENTCLASS_SYSTEM },
	[POSIXTRACE_EV_FLUSH_START] = { EVENTCLASS_SYSTEM },
	[POSIXTRACE_EV_FLUSH_STOP] = { EVENTCLASS_SYSTEM },
	[POSIXTRACE_EV_UNNAMED] = { EVENTCLASS_USER },
	[POSIXTRACE_EV_SYSCALL_ENTER] = {
		EVENTCLASS_SYSCALL, .bare = true,
		.size = SIZE(syscall_enter), .fields = { { FIELD_CALL } },
	},
	[POSIXTRACE_EV_SYSCALL_EXIT] = {
		EVENTCLASS_SYSCALL, .bare = true,
		.size = SIZE(syscall_exit), .fields = { { FIELD_RETURN } },
	},
	[POSIXTRACE_EV_SCHED_IN] = {
		EVENTCLASS_SCHED, .size = SIZE(sched),
		.fields = { { FIELD_NUMBER, AT(sched, cpu), "cpu", "cpu " } },
	},
	[POSIXTRACE_EV_SCHED_OUT] = {
		EVENTCLASS_SCHED, .size = SIZE(sched),
		.fields = {
			{ FIELD_NUMBER, AT(sched, cpu), "cpu", "cpu " },
			{ FIELD_STATE, AT(sched, state), "state", ", " },
		},
	},
	[POSIXTRACE_EV_SCHED_WAKEUP] = {
		EVENTCLASS_SCHED, .size = SIZE(sched),
		.fields = { { FIELD_NUMBER, AT(sched, cpu), "cpu", "cpu " } },
	},
	[POSIXTRACE_EV_SIGNAL_GENERATE] = {
		EVENTCLASS_SIGNAL, .size = SIZE(signal_generate),
		.fields = {
			{ FIELD_SIGNAL, AT(signal_generate, signo) },
			{ FIELD_SENDER, AT(signal_generate, pid),
			  "sender", ", from " },
			{ FIELD_ADDRESSEE, AT(signal_generate, to_process),
			  "to", ", to " },
			{ FIELD_RESULT, AT(signal_generate, result),
			  "result", ", " },
		},
	},
	[POSIXTRACE_EV_SIGNAL_DELIVER] = {
		EVENTCLASS_SIGNAL, .size = SIZE(signal_deliver),
		.fields = {
			{ FIELD_SIGNAL, AT(signal_deliver, signo) },
			{ FIELD_SENDER, AT(signal_deliver, pid),
			  "sender", ", from " },
			{ FIELD_HANDLER, AT(signal_deliver, handler),
			  "handler", ", " },
			{ FIELD_FLAGS, AT(signal_deliver, flags),
			  "flags", ", flags " },
		},
	},
	[POSIXTRACE_EV_FORK] = {
		EVENTCLASS_PROCESS, .size = SIZE(fork),
		.fields = { { FIELD_CHILD } },
	},
	[POSIXTRACE_EV_EXEC] = {
		EVENTCLASS_PROCESS, .size = SIZE(exec),
		.fields = { { FIELD_FILENAME } },
	},
	[POSIXTRACE_EV_THREAD_EXIT] = {
		EVENTCLASS_PROCESS, .size = SIZE(exit),
		.fields = { { FIELD_STATUS, AT(exit, status) } },
	},
	[POSIXTRACE_EV_EXIT] = {
		EVENTCLASS_PROCESS, .size = SIZE(exit),
		.fields = { { FIELD_STATUS, AT(exit, status) } },
	},
	[POSIXTRACE_EV_PAGE_FAULT] = {
		EVENTCLASS_FAULT, .size = SIZE(page_fault),
		.fields = { { FIELD_FAULT } },
	},
};

const struct event_type *event_type(unsigned int id)
{
	return id < ARRAY_SIZE(types) && types[id].class ? &types[id] : NULL;
}

const char *event_name(unsigned int id)
{
	return id < ARRAY_SIZE(names) ? names[id] : NULL;
}

unsigned int event_find(const char *name, size_t len)
{
	unsigned int id;

	for (id = 0; id < ARRAY_SIZE(names); id++) {
		if (names[id] && strlen(names[id]) == len &&
		    !memcmp(names[id], name, len))
			return id;
	}
	return 0;
}

bool event_tells_of_gap(unsigned int id)
{
	return id == POSIXTRACE_EV_OVERFLOW || id == POSIXTRACE_EV_RESUME ||
	       id == POSIXTRACE_EV_ERROR;
}

const struct event_type *event_decoded(const struct posixtrace_record *rec)
{
	const struct event_type *type = event_type(rec->event_id);

	if (!type || type->fields[0].kind == FIELD_END ||
	    rec->data_size < type->size)
		return NULL;
	return type;
}

__u32 field_u32(const struct field *f, const void *data)
{
	__u32 value;

	memcpy(&value, (const char *)data + f->offset, sizeof(value));
	return value;
}

__u64 field_u64(const struct field *f, const void *data)
{
	__u64 value;

	memcpy(&value, (const char *)data + f->offset, sizeof(value));
	return value;
}
