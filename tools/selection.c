// SPDX-License-Identifier: GPL-2.0-only
#include <limits.h>
#include <string.h>

#include "diag.h"
#include "eventclass.h"
#include "selection.h"

#define NSEC_PER_USEC	1000

void selection_init(struct selection *s)
{
	memset(s, 0, sizeof(*s));
	memset(s->types, true, sizeof(s->types));
	s->until = ULLONG_MAX;
}

/* Return: false if there is none. */
static bool add_name(struct selection *s, const struct logreader *r,
		     const char *name, size_t len)
{
	bool found = false;
	size_t i;

	for (i = 0; i < POSIXTRACE_EVENT_MAX; i++) {
		if (r->names[i] && strlen(r->names[i]) == len &&
		    !memcmp(r->names[i], name, len)) {
			s->types[i] = true;
			found = true;
		}
	}
	return found;
}

static bool add_class(struct selection *s, const char *name, size_t len)
{
	unsigned int class = eventclass_find(name, len);
	size_t i;

	for (i = 1; class && i < POSIXTRACE_EVENT_MAX; i++) {
		if (eventclass_of(i) & class)
			s->types[i] = true;
	}
	return class;
}

static int no_such_event(const struct logreader *r, const char *name,
			 size_t len)
{
	diag("there is no event '%.*s' in %s", (int)len, name, r->path);
	diag_hint("posixtrace info %s tells which there are.", r->path);
	fputs("  Classes are ", stderr);
	eventclass_names(stderr);
	fputs(".\n", stderr);
	return TOOL_USAGE;
}

static int add_list(struct selection *s, const struct logreader *r,
		    const char *list)
{
	size_t len;

	if (add_name(s, r, list, strlen(list)))
		return -1;
	for (;; list += len + 1) {
		len = strcspn(list, ",");
		if (!add_class(s, list, len) && !add_name(s, r, list, len))
			return no_such_event(r, list, len);
		if (!list[len])
			return -1;
	}
}

int selection_choose(struct selection *s, const struct logreader *r,
		     char **lists, size_t nr)
{
	int status = -1;
	size_t i;

	if (nr)
		memset(s->types, false, sizeof(s->types));
	for (i = 0; i < nr && status < 0; i++)
		status = add_list(s, r, lists[i]);
	return status;
}

static bool tells_of_a_gap(unsigned int id)
{
	return id == POSIXTRACE_EV_OVERFLOW || id == POSIXTRACE_EV_RESUME ||
	       id == POSIXTRACE_EV_ERROR;
}

bool selection_has(const struct selection *s,
		   const struct posixtrace_record *rec)
{
	__u64 time = rec->timestamp / NSEC_PER_USEC;

	if (time < s->since || time > s->until)
		return false;
	if (tells_of_a_gap(rec->event_id))
		return true;
	if (s->pid && s->pid != rec->pid)
		return false;
	return rec->event_id < POSIXTRACE_EVENT_MAX && s->types[rec->event_id];
}
