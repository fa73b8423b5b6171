// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "errnames.h"
#include "print.h"
#include "printcall.h"
#include "printset.h"
#include "text.h"
#include "tool.h"

#define NSEC_PER_SEC	1000000000
#define NSEC_PER_USEC	1000

/* Room for "pid/tid", so that what follows stands in a column. */
#define WHO_WIDTH	11

void printer_init(struct printer *p, FILE *out, printer_name_fn get_name,
		  void *arg)
{
	memset(p, 0, sizeof(*p));
	p->out = out;
	p->get_name = get_name;
	p->get_name_arg = arg;
	p->second = -1;
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

	put_id(process, sizeof(process), pid);
	put_id(thread, sizeof(thread), tid);
	snprintf(who, sizeof(who), "%s/%s", process, thread);
	fprintf(p->out, "%-*s ", WHO_WIDTH, who);
}

static void put_enter(struct printer *p, const void *data)
{
	struct posixtrace_syscall_enter enter;

	memcpy(&enter, data, sizeof(enter));
	print_call(p->out, &enter);
}

static void put_exit(struct printer *p, const void *data)
{
	struct posixtrace_syscall_exit exit;

	memcpy(&exit, data, sizeof(exit));
	print_return(p->out, &exit);
}

static void put_start(struct printer *p, const void *data)
{
	struct posixtrace_event_set filter;

	memcpy(&filter, data, sizeof(filter));
	fputs("posix_trace_start: ignores ", p->out);
	print_set(p, &filter);
}

static void put_stop(struct printer *p, const void *data)
{
	int automatic;

	memcpy(&automatic, data, sizeof(automatic));
	fprintf(p->out, "posix_trace_stop: %s",
		automatic ? "no room left" : "as asked");
}

static void put_filter(struct printer *p, const void *data)
{
	struct posixtrace_event_set filter[2];

	memcpy(filter, data, sizeof(filter));
	fputs("posix_trace_filter: ignored ", p->out);
	print_set(p, &filter[0]);
	fputs("; now ignores ", p->out);
	print_set(p, &filter[1]);
}

static void put_trace_error(struct printer *p, const void *data)
{
	int err;

	memcpy(&err, data, sizeof(err));
	fprintf(p->out, "posix_trace_error: %s (%s)",
		errname(err) ? errname(err) : "?",
		errtext(err) ? errtext(err) : "unknown error");
}

/* Events that have more to show than a name and bytes. */
static const struct decoder {
	unsigned int id;
	size_t size;
	void (*put)(struct printer *p, const void *data);
} decoders[] = {
	{ POSIXTRACE_EV_SYSCALL_ENTER,
	  sizeof(struct posixtrace_syscall_enter), put_enter },
	{ POSIXTRACE_EV_SYSCALL_EXIT,
	  sizeof(struct posixtrace_syscall_exit), put_exit },
	{ POSIXTRACE_EV_START, sizeof(struct posixtrace_event_set), put_start },
	{ POSIXTRACE_EV_STOP, sizeof(int), put_stop },
	{ POSIXTRACE_EV_FILTER,
	  2 * sizeof(struct posixtrace_event_set), put_filter },
	{ POSIXTRACE_EV_ERROR, sizeof(int), put_trace_error },
};

static const struct decoder *find_decoder(const struct posixtrace_record *rec)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(decoders); i++) {
		if (decoders[i].id == rec->event_id &&
		    decoders[i].size <= rec->data_size)
			return &decoders[i];
	}
	return NULL;
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

void print_event(struct printer *p, const struct posixtrace_record *rec,
		 const void *data)
{
	const struct decoder *decoder = find_decoder(rec);

	put_time(p, rec->timestamp);
	put_who(p, rec->pid, rec->tid);
	if (decoder) {
		decoder->put(p, data);
	} else {
		print_name(p, rec->event_id);
		put_data(p, rec, data);
	}
	putc('\n', p->out);
}
