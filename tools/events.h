/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The event types that are the same in every trace: their names, their classes
 * and what is in their data. The text and the JSON of an event are made from
 * this, field by field.
 */
#ifndef POSIXTRACE_EVENTS_H
#define POSIXTRACE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/posixtrace.h>

#define EVENT_FIELDS_MAX	5

/* What a field is, which decides how it is shown. */
enum field_kind {
	FIELD_END,
	FIELD_CALL,		/* struct posixtrace_syscall_enter */
	FIELD_RETURN,		/* struct posixtrace_syscall_exit */
	FIELD_SET,		/* struct posixtrace_event_set */
	FIELD_REASON,		/* of posix_trace_stop */
	FIELD_ERROR,		/* error number */
	FIELD_NUMBER,		/* __u32 */
	FIELD_STATE,		/* enum posixtrace_task_state */
	FIELD_SIGNAL,		/* signo, and code behind it */
	FIELD_SENDER,		/* pid, 0: none */
	FIELD_ADDRESSEE,	/* to_process */
	FIELD_RESULT,		/* enum posixtrace_signal_result */
	FIELD_HANDLER,		/* of a signal */
	FIELD_FLAGS,		/* __u32, 0: none */
	FIELD_CHILD,		/* struct posixtrace_fork */
	FIELD_FILENAME,		/* struct posixtrace_exec */
	FIELD_STATUS,		/* as wait(2) stores it */
	FIELD_FAULT,		/* struct posixtrace_page_fault */
};

/**
 * struct field - a part of the data of an event
 * @kind: what it is
 * @offset: where it begins
 * @key: its name in JSON; NULL where the kind has names of its own
 * @label: what stands before it in text
 */
struct field {
	enum field_kind kind;
	size_t offset;
	const char *key;
	const char *label;
};

/**
 * struct event_type - an event type
 * @class: EVENTCLASS_*
 * @bare: its text does without the name
 * @size: bytes of data that it has at least
 * @fields: what is in there, up to FIELD_END; none: nothing
 */
struct event_type {
	unsigned int class;
	bool bare;
	size_t size;
	struct field fields[EVENT_FIELDS_MAX];
};

/* The type with this number, NULL if it is none of these. */
const struct event_type *event_type(unsigned int id);

/* Its name, NULL likewise. */
const char *event_name(unsigned int id);

/* The number of the type with this name, 0 if there is none. */
unsigned int event_find(const char *name, size_t len);

/* Is this a type that stands where events are missing? */
bool event_tells_of_gap(unsigned int id);

/**
 * event_decoded() - can the data of an event be shown field by field?
 * @rec: the event
 *
 * What is longer than we know is from a newer kernel, which keeps what we know.
 *
 * Return: its type, or NULL: there is no more to say than its bytes.
 */
const struct event_type *event_decoded(const struct posixtrace_record *rec);

/* The values of fields in data of any alignment. */
__u32 field_u32(const struct field *f, const void *data);
__u64 field_u64(const struct field *f, const void *data);

#endif /* POSIXTRACE_EVENTS_H */
