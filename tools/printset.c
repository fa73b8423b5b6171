// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <string.h>

#include "printset.h"
#include "text.h"
#include "tool.h"

/* So many names are listed before the rest is only counted. */
#define NAMES_MAX	4

/*
 * Event types that are named together when all, or all but a few, are in.
 * Numbers that no range covers are not in use.
 */
static const struct range {
	const char *label;
	unsigned int first;
	unsigned int end;
} ranges[] = {
	{ "system events", POSIXTRACE_EV_ERROR, POSIXTRACE_EV_UNNAMED },
	{ "kernel events", POSIXTRACE_EV_KERNEL, POSIXTRACE_EV_USER },
	{ "posix_trace_unnamed_userevent",
	  POSIXTRACE_EV_UNNAMED, POSIXTRACE_EV_STANDARD_END },
	{ "user events", POSIXTRACE_EV_USER, POSIXTRACE_EVENT_MAX },
};

static bool has(const struct posixtrace_event_set *set, unsigned int id)
{
	return set->bits[id / 64] >> (id % 64) & 1;
}

static unsigned int count(const struct posixtrace_event_set *set,
			  const struct range *r)
{
	unsigned int id, n = 0;

	for (id = r->first; id < r->end; id++)
		n += has(set, id);
	return n;
}

void print_name(struct printer *p, unsigned int id)
{
	char name[POSIXTRACE_EVENT_NAME_MAX + 1];

	if (id >= POSIXTRACE_EVENT_MAX) {
		fprintf(p->out, "event_%u", id);
		return;
	}
	if (!p->names[id] && !p->get_name(p->get_name_arg, id, name))
		p->names[id] = strndup(name, sizeof(name) - 1);
	if (p->names[id])
		text_put_name(p->out, p->names[id]);
	else
		fprintf(p->out, "event_%u", id);
}

/* The members of @r that are in @set, or those that are not. */
static void put_names(struct printer *p, const struct posixtrace_event_set *set,
		      const struct range *r, bool member)
{
	unsigned int id, listed = 0, more = 0;

	for (id = r->first; id < r->end; id++) {
		if (has(set, id) != member)
			continue;
		if (listed == NAMES_MAX) {
			more++;
			continue;
		}
		if (listed++)
			fputs(", ", p->out);
		print_name(p, id);
	}
	if (more)
		fprintf(p->out, " and %u more", more);
}

static void put_range(struct printer *p, const struct posixtrace_event_set *set,
		      const struct range *r)
{
	unsigned int in = count(set, r), out = r->end - r->first - in;

	if (out && (in <= NAMES_MAX || out > NAMES_MAX)) {
		put_names(p, set, r, true);
		return;
	}
	fputs(r->label, p->out);
	if (out) {
		fputs(" but ", p->out);
		put_names(p, set, r, false);
	}
}

void print_set(struct printer *p, const struct posixtrace_event_set *set)
{
	unsigned int in = 0, size = 0;
	const char *comma = "";
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ranges); i++) {
		in += count(set, &ranges[i]);
		size += ranges[i].end - ranges[i].first;
	}
	if (in == 0 || in == size) {
		fputs(in ? "everything" : "nothing", p->out);
		return;
	}
	for (i = 0; i < ARRAY_SIZE(ranges); i++) {
		if (!count(set, &ranges[i]))
			continue;
		fputs(comma, p->out);
		put_range(p, set, &ranges[i]);
		comma = ", ";
	}
}
