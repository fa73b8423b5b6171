// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "eventclass.h"
#include "events.h"
#include "tool.h"

/* struct posixtrace_NAME, and a field that begins where its MEMBER does */
#define SIZE(name)		sizeof(struct posixtrace_##name)
#define AT(name, member)	offsetof(struct posixtrace_##name, member)

static const struct event_type types[POSIXTRACE_EV_KERNEL_END] = {
	[POSIXTRACE_EV_ERROR] = {
		"posix_trace_error", EVENTCLASS_SYSTEM, .size = sizeof(int),
		.fields = { { FIELD_ERROR } },
	},
	[POSIXTRACE_EV_START] = {
		"posix_trace_start", EVENTCLASS_SYSTEM, .size = SIZE(event_set),
		.fields = { { FIELD_SET, 0, "ignored", "ignores " } },
	},
	[POSIXTRACE_EV_STOP] = {
		"posix_trace_stop", EVENTCLASS_SYSTEM, .size = sizeof(int),
		.fields = { { FIELD_REASON, 0, "automatic", "" } },
	},
	[POSIXTRACE_EV_FILTER] = {
		"posix_trace_filter", EVENTCLASS_SYSTEM,
		.size = 2 * SIZE(event_set),
		.fields = {
			{ FIELD_SET, 0, "was_ignored", "ignored " },
			{ FIELD_SET, SIZE(event_set), "ignored",
			  "; now ignores " },
		},
	},
	[POSIXTRACE_EV_OVERFLOW] = {
		"posix_trace_overflow", EVENTCLASS_SYSTEM,
	},
	[POSIXTRACE_EV_RESUME] = { "posix_trace_resume", EVENTCLASS_SYSTEM },
	[POSIXTRACE_EV_FLUSH_START] = {
		"posix_trace_flush_start", EVENTCLASS_SYSTEM,
	},
	[POSIXTRACE_EV_FLUSH_STOP] = {
		"posix_trace_flush_stop", EVENTCLASS_SYSTEM,
	},
	[POSIXTRACE_EV_UNNAMED] = {
		"posix_trace_unnamed_userevent", EVENTCLASS_USER,
	},
	[POSIXTRACE_EV_SYSCALL_ENTER] = {
		"linux_syscall_enter", EVENTCLASS_SYSCALL, .bare = true,
		.size = SIZE(syscall_enter), .fields = { { FIELD_CALL } },
	},
	[POSIXTRACE_EV_SYSCALL_EXIT] = {
		"linux_syscall_exit", EVENTCLASS_SYSCALL, .bare = true,
		.size = SIZE(syscall_exit), .fields = { { FIELD_RETURN } },
	},
	[POSIXTRACE_EV_SCHED_IN] = {
		"linux_sched_in", EVENTCLASS_SCHED, .size = SIZE(sched),
		.fields = { { FIELD_NUMBER, AT(sched, cpu), "cpu", "cpu " } },
	},
	[POSIXTRACE_EV_SCHED_OUT] = {
		"linux_sched_out", EVENTCLASS_SCHED, .size = SIZE(sched),
		.fields = {
			{ FIELD_NUMBER, AT(sched, cpu), "cpu", "cpu " },
			{ FIELD_STATE, AT(sched, state), "state", ", " },
		},
	},
	[POSIXTRACE_EV_SCHED_WAKEUP] = {
		"linux_sched_wakeup", EVENTCLASS_SCHED, .size = SIZE(sched),
		.fields = { { FIELD_NUMBER, AT(sched, cpu), "cpu", "cpu " } },
	},
	[POSIXTRACE_EV_SIGNAL_GENERATE] = {
		"linux_signal_generate", EVENTCLASS_SIGNAL,
		.size = SIZE(signal_generate),
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
		"linux_signal_deliver", EVENTCLASS_SIGNAL,
		.size = SIZE(signal_deliver),
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
		"linux_fork", EVENTCLASS_PROCESS, .size = SIZE(fork),
		.fields = { { FIELD_CHILD } },
	},
	[POSIXTRACE_EV_EXEC] = {
		"linux_exec", EVENTCLASS_PROCESS, .size = SIZE(exec),
		.fields = { { FIELD_FILENAME } },
	},
	[POSIXTRACE_EV_THREAD_EXIT] = {
		"linux_thread_exit", EVENTCLASS_PROCESS, .size = SIZE(exit),
		.fields = { { FIELD_STATUS, AT(exit, status) } },
	},
	[POSIXTRACE_EV_EXIT] = {
		"linux_exit", EVENTCLASS_PROCESS, .size = SIZE(exit),
		.fields = { { FIELD_STATUS, AT(exit, status) } },
	},
	[POSIXTRACE_EV_PAGE_FAULT] = {
		"linux_page_fault", EVENTCLASS_FAULT, .size = SIZE(page_fault),
		.fields = { { FIELD_FAULT } },
	},
};

const struct event_type *event_type(unsigned int id)
{
	return id < ARRAY_SIZE(types) && types[id].name ? &types[id] : NULL;
}

unsigned int event_find(const char *name, size_t len)
{
	unsigned int id;

	for (id = 0; id < ARRAY_SIZE(types); id++) {
		if (types[id].name && strlen(types[id].name) == len &&
		    !memcmp(types[id].name, name, len))
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
