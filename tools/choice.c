// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "choice.h"
#include "diag.h"
#include "eventclass.h"
#include "events.h"
#include "suggest.h"
#include "syscalls.h"

#define CALLS	"syscall:"

static bool is_call(unsigned int id)
{
	return id == POSIXTRACE_EV_SYSCALL_ENTER ||
	       id == POSIXTRACE_EV_SYSCALL_EXIT;
}

static bool has_type(const struct choice *c, unsigned int id)
{
	if (id >= POSIXTRACE_EVENT_MAX)
		return false;
	if (is_call(id) && c->some_calls &&
	    !c->types[POSIXTRACE_EV_SYSCALL_ENTER] &&
	    !c->types[POSIXTRACE_EV_SYSCALL_EXIT])
		return true;
	return c->types[id];
}

static int no_such_call(const char *name, size_t len)
{
	struct suggestion s;
	int nr;

	diag("there is no system call '%.*s'", (int)len, name);
	suggest_init(&s, name, len);
	for (nr = 0; nr < POSIXTRACE_SYSCALL_MAX; nr++) {
		if (syscall_name(nr))
			suggest_try(&s, syscall_name(nr), syscall_name(nr));
	}
	if (s.best)
		diag_hint("Did you mean %s?", s.best);
	else
		diag_hint("syscalls(2) lists them.");
	return TOOL_USAGE;
}

static int add_calls(struct choice *c, const char *list)
{
	size_t len;
	int nr;

	for (;; list += len + 1) {
		len = strcspn(list, ",");
		nr = syscall_number(list, len);
		if (nr < 0 || nr >= POSIXTRACE_SYSCALL_MAX)
			return no_such_call(list, len);
		c->calls[nr] = true;
		c->some_calls = true;
		if (!list[len])
			return -1;
	}
}

int choice_add_list(struct choice *c, const char *list, choice_word_fn word,
		    void *arg)
{
	size_t len;
	int status;

	for (;; list += len + 1) {
		if (!strncmp(list, CALLS, strlen(CALLS)))
			return add_calls(c, list + strlen(CALLS));
		len = strcspn(list, ",");
		status = word(c, list, len, arg);
		if (status >= 0 || !list[len])
			return status;
	}
}

void choice_add_classes(struct choice *c, unsigned int classes)
{
	unsigned int id;

	for (id = 1; id < POSIXTRACE_EVENT_MAX; id++) {
		if (eventclass_of(id) & classes)
			c->types[id] = true;
	}
}

bool choice_add(struct choice *c, const char *word, size_t len)
{
	unsigned int classes = eventclass_find(word, len);
	unsigned int id = event_find(word, len);

	choice_add_classes(c, classes);
	if (id)
		c->types[id] = true;
	return classes || id;
}

static void try_event(struct suggestion *s, unsigned int id)
{
	const char *name = event_name(id);

	if (!name)
		return;
	suggest_try(s, name, name);
	if (id >= POSIXTRACE_EV_KERNEL)
		suggest_try(s, name, strchr(name, '_') + 1);
}

static void put_classes(FILE *out)
{
	size_t i;

	fputs("  Classes are ", out);
	for (i = 0; eventclass_name(i); i++)
		fprintf(out, i ? ", %s" : "%s", eventclass_name(i));
	fputs(".\n", out);
}

void choice_hint(const char *word, size_t len)
{
	struct suggestion s;
	unsigned int id;
	size_t i;

	suggest_init(&s, word, len);
	for (i = 0; eventclass_name(i); i++)
		suggest_try(&s, eventclass_name(i), eventclass_name(i));
	for (id = 1; id < POSIXTRACE_EV_USER; id++)
		try_event(&s, id);
	if (s.best)
		diag_hint("Did you mean %s?", s.best);
	if (syscall_number(word, len) >= 0)
		diag_hint("As a system call: " CALLS "%.*s.", (int)len, word);
	put_classes(stderr);
}

void choice_help(FILE *out)
{
	fputs("\nClasses of events, and the kernel events that are in them:\n",
	      out);
	eventclass_help(out);
	fputs("\n"
	      "-e takes classes, and kernel events by name. After syscall: come names of system\n"
	      "calls up to the end of the list: of all system calls only these. Such as\n"
	      "-e user,syscall:openat,read or -e all -e syscall:openat; each -e adds to it.\n",
	      out);
}

bool choice_is_empty(const struct choice *c)
{
	return !c->some_calls && !memchr(c->types, 1, sizeof(c->types));
}

/* Numbers are of this machine's native calls, others go by their names. */
static bool has_call(const struct choice *c,
		     const struct posixtrace_record *rec, const void *data)
{
	struct {
		__s32 nr;
		__u32 arch;
	} head;

	if (!c->some_calls)
		return true;
	if (rec->data_size < sizeof(head))
		return false;
	memcpy(&head, data, sizeof(head));
	head.nr = syscall_native(head.arch, head.nr);
	return head.nr >= 0 && head.nr < POSIXTRACE_SYSCALL_MAX &&
	       c->calls[head.nr];
}

bool choice_has(const struct choice *c, const struct posixtrace_record *rec,
		const void *data)
{
	return has_type(c, rec->event_id) &&
	       (!is_call(rec->event_id) || has_call(c, rec, data));
}

static int set_calls(const struct choice *c, trace_attr_t *attr)
{
	int numbers[POSIXTRACE_SYSCALL_MAX];
	size_t count = 0;
	int nr;

	for (nr = 0; nr < POSIXTRACE_SYSCALL_MAX; nr++) {
		if (c->calls[nr])
			numbers[count++] = nr;
	}
	return posix_trace_attr_setsyscalls_np(attr, numbers, count);
}

int choice_set_kernel(const struct choice *c, trace_attr_t *attr)
{
	trace_event_set_t set;
	unsigned int id;
	int err;

	posix_trace_eventset_empty(&set);
	for (id = POSIXTRACE_EV_KERNEL; id < POSIXTRACE_EV_KERNEL_END; id++) {
		if (has_type(c, id))
			posix_trace_eventset_add(id, &set);
	}
	err = posix_trace_attr_setkernelevents_np(attr, &set);
	return err || !c->some_calls ? err : set_calls(c, attr);
}

int choice_set_filter(const struct choice *c, trace_id_t trid)
{
	trace_event_set_t set;
	unsigned int id;

	posix_trace_eventset_empty(&set);
	for (id = 1; id < POSIXTRACE_EVENT_MAX; id++) {
		/* Kernel events that are not wanted are not in the stream. */
		if (eventclass_of(id) &
		    (EVENTCLASS_USER | EVENTCLASS_SYSTEM) &&
		    !c->types[id] && !event_tells_of_gap(id))
			posix_trace_eventset_add(id, &set);
	}
	return posix_trace_set_filter(trid, &set, POSIX_TRACE_SET_EVENTSET);
}
