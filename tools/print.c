// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "print.h"
#include "printfield.h"
#include "printset.h"
#include "text.h"

#define NSEC_PER_SEC	1000000000
#define NSEC_PER_USEC	1000

/* Least room for "pid/tid", so that what follows stands in a column. */
#define WHO_WIDTH	11

void printer_init(struct printer *p, FILE *out, printer_name_fn get_name,
		  void *arg)
{
	memset(p, 0, sizeof(*p));
	p->out = out;
	p->get_name = get_name;
	p->get_name_arg = arg;
	p->second = -1;
	p->who_width = WHO_WIDTH;
}

void printer_destroy(struct printer *p)
{
	size_t i;

	for (i = 0; i < POSIXTRACE_EVENT_MAX; i++)
		free(p->names[i]);
}

static void put_time(struct printer *p, __u64 timestamp)
{
	time_t second = timestamp / NSEC_PER_SEC;
	struct tm tm;

	if (second != p->second) {
		if (!localtime_r(&second, &tm) ||
		    !strftime(p->clock, sizeof(p->clock), "%H:%M:%S", &tm))
			snprintf(p->clock, sizeof(p->clock), "??:??:??");
		p->second = second;
	}
	fprintf(p->out, "%s.%06u ", p->clock,
		(unsigned int)(timestamp % NSEC_PER_SEC / NSEC_PER_USEC));
}

static void put_id(char *buf, size_t size, int id)
{
	if (id)
		snprintf(buf, size, "%d", id);
	else
		snprintf(buf, size, "-");
}

static void put_who(struct printer *p, int pid, int tid)
{
	char process[16], thread[16], who[40];
	int width;

	put_id(process, sizeof(process), pid);
	put_id(thread, sizeof(thread), tid);
	snprintf(who, sizeof(who), "%s/%s", process, thread);
	/* Most threads are called like their process. */
	width = 2 * strlen(process) + 1;
	if (width > p->who_width)
		p->who_width = width;
	fprintf(p->out, "%-*s ", p->who_width, who);
}

static void put_data(struct printer *p, const struct posixtrace_record *rec,
		     const void *data)
{
	bool cut = rec->truncation != POSIXTRACE_NOT_TRUNCATED;

	if (rec->data_size || cut)
		fputs(": ", p->out);
	if (text_is_printable(data, rec->data_size))
		text_put_quoted(p->out, data, rec->data_size);
	else
		text_put_hex(p->out, data, rec->data_size);
	if (cut)
		fputs("...", p->out);
}

static void put_fields(struct printer *p, const struct event_type *type,
		       const struct posixtrace_record *rec, const void *data)
{
	const struct field *f;

	if (!type->bare)
		fprintf(p->out, "%s: ", event_name(rec->event_id));
	for (f = type->fields; f->kind != FIELD_END; f++)
		print_field(p, f, rec, data);
}

void print_event(struct printer *p, const struct posixtrace_record *rec,
		 const void *data)
{
	const struct event_type *type = event_decoded(rec);

	put_time(p, rec->timestamp);
	put_who(p, rec->pid, rec->tid);
	if (type) {
		put_fields(p, type, rec, data);
	} else {
		print_name(p, rec->event_id);
		put_data(p, rec, data);
	}
	putc('\n', p->out);
}
