// SPDX-License-Identifier: GPL-2.0-only
#include <limits.h>
#include <string.h>

#include "diag.h"
#include "eventclass.h"
#include "events.h"
#include "selection.h"

#define NSEC_PER_USEC	1000

void selection_init(struct selection *s)
{
	memset(s, 0, sizeof(*s));
	choice_add_classes(&s->events, EVENTCLASS_ALL);
	s->until = ULLONG_MAX;
}

/* Return: false if there is none. */
static bool add_name(struct choice *c, const struct logreader *r,
		     const char *name, size_t len)
{
	bool found = false;
	size_t i;

	for (i = 0; i < POSIXTRACE_EVENT_MAX; i++) {
		if (r->names[i] && strlen(r->names[i]) == len &&
		    !memcmp(r->names[i], name, len)) {
			c->types[i] = true;
			found = true;
		}
	}
	return found;
}

static int no_such_event(const struct logreader *r, const char *name,
			 size_t len)
{
	diag("there is no event '%.*s' in %s", (int)len, name, r->path);
	diag_hint("posixtrace info %s tells which there are.", r->path);
	choice_hint(name, len);
	return TOOL_USAGE;
}

static int add_word(struct choice *c, const char *word, size_t len, void *arg)
{
	const struct logreader *r = arg;
	bool known = choice_add(c, word, len);

	known |= add_name(c, r, word, len);
	return known ? -1 : no_such_event(r, word, len);
}

int selection_choose(struct selection *s, struct logreader *r, char **lists,
		     size_t nr)
{
	int status = -1;
	size_t i;

	if (nr)
		memset(&s->events, 0, sizeof(s->events));
	for (i = 0; i < nr && status < 0; i++) {
		if (!add_name(&s->events, r, lists[i], strlen(lists[i])))
			status = choice_add_list(&s->events, lists[i],
						 add_word, r);
	}
	return status;
}

bool selection_has(const struct selection *s,
		   const struct posixtrace_record *rec, const void *data)
{
	__u64 time = rec->timestamp / NSEC_PER_USEC;

	if (time < s->since || time > s->until)
		return false;
	if (event_tells_of_gap(rec->event_id))
		return true;
	if (s->pid && s->pid != rec->pid)
		return false;
	return choice_has(&s->events, rec, data);
}
