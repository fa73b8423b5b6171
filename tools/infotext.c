// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>
#include <time.h>

#include "infotext.h"
#include "size.h"
#include "text.h"
#include "tool.h"

#define NSEC_PER_SEC	1000000000

/* "  label            ", what follows stands in a column */
static void put_label(FILE *out, const char *label)
{
	fprintf(out, "%-15s ", label);
}

static void put_string(FILE *out, const char *label, const char *text)
{
	put_label(out, label);
	text_put_name(out, text);
	putc('\n', out);
}

static void put_number(FILE *out, const char *label, __u64 n)
{
	put_label(out, label);
	fprintf(out, "%llu\n", n);
}

static void put_time(FILE *out, const char *label, __u64 time)
{
	const time_t second = time / NSEC_PER_SEC;
	char date[32] = "?", zone[16] = "";
	struct tm tm;

	if (localtime_r(&second, &tm)) {
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm);
		strftime(zone, sizeof(zone), "%z", &tm);
	}
	put_label(out, label);
	fprintf(out, "%s.%09llu %s\n", date, time % NSEC_PER_SEC, zone);
}

static void put_bytes(FILE *out, __u64 bytes)
{
	char size[SIZE_TEXT_MAX];

	fprintf(out, "%llu bytes", bytes);
	if (bytes >= 1024)
		fprintf(out, " (%s)", size_text(size, bytes));
}

static void put_origin(FILE *out, const struct logreader *r,
		       const struct logsummary *s)
{
	put_string(out, "file", r->path);
	put_label(out, "size");
	put_bytes(out, s->file_size);
	putc('\n', out);
	put_string(out, "trace", s->name);
	put_string(out, "written by", s->generation);
	put_label(out, "process");
	fprintf(out, "%d%s, traced by %d\n", s->info.posix_target,
		logsummary_inherited(s) ? " and its children" : "",
		s->info.posix_owner);
	put_time(out, "created", s->begin);
}

static void put_attributes(FILE *out, const struct logsummary *s)
{
	put_label(out, "stream");
	fprintf(out, "%s, ", logsummary_policy(s->stream_policy));
	put_bytes(out, s->stream_size);
	putc('\n', out);
	put_label(out, "log");
	fputs(logsummary_policy(s->log_policy), out);
	if (s->log_policy != POSIX_TRACE_APPEND) {
		fputs(", ", out);
		put_bytes(out, s->log_size);
	}
	putc('\n', out);
	put_label(out, "data");
	fprintf(out, "up to %zu bytes of an event\n", s->data_max);
}

/* Where an overrun of the log comes from depends on its policy. */
static const char *log_overrun(const struct logsummary *s)
{
	if (s->log_policy == POSIX_TRACE_LOOP &&
	    !s->status.posix_stream_flush_error)
		return "the oldest events overwritten";
	return "not all events in the log";
}

static void put_status(FILE *out, const struct logsummary *s)
{
	const struct posix_trace_status_info *status = &s->status;

	put_label(out, "status");
	fputs(s->info.posix_finished ? "finished" : "not finished", out);
	if (status->posix_log_full_status == POSIX_TRACE_FULL)
		fputs(", log full", out);
	if (status->posix_log_overrun_status == POSIX_TRACE_OVERRUN)
		fprintf(out, ", %s", log_overrun(s));
	if (status->posix_stream_overrun_status == POSIX_TRACE_OVERRUN)
		fputs(", stream overrun", out);
	if (status->posix_stream_flush_error)
		fprintf(out, ", write error: %s",
			strerror(status->posix_stream_flush_error));
	putc('\n', out);
}

static void put_damage(FILE *out, const struct logsummary *s)
{
	put_label(out, "damage");
	if (s->info.posix_damaged || s->info.posix_missing)
		fprintf(out, "%llu block%s damaged, %llu missing\n",
			s->info.posix_damaged, plural(s->info.posix_damaged),
			s->info.posix_missing);
	else
		fputs("none\n", out);
}

static void put_counters(FILE *out, const struct logsummary *s)
{
	const struct posix_trace_counters_np *n = &s->info.posix_counters;

	if (!s->info.posix_finished) {
		put_label(out, "recorded");
		fputs("not known: the log has no end\n", out);
		return;
	}
	put_number(out, "recorded", n->posix_recorded);
	put_number(out, "lost", n->posix_lost);
	if (n->posix_log_lost)
		put_number(out, "not logged", n->posix_log_lost);
	if (n->posix_overwritten)
		put_number(out, "overwritten", n->posix_overwritten);
	if (n->posix_truncated)
		put_number(out, "data cut", n->posix_truncated);
	if (n->posix_missed_children)
		put_number(out, "not followed", n->posix_missed_children);
}

static void put_span(FILE *out, const struct logsummary *s)
{
	const __u64 span = s->last > s->first ? s->last - s->first : 0;

	put_label(out, "in the log");
	fprintf(out, "%llu event%s in %llu block%s\n", s->events,
		plural(s->events), s->info.posix_blocks,
		plural(s->info.posix_blocks));
	if (!s->events)
		return;
	put_time(out, "first", s->first);
	put_time(out, "last", s->last);
	put_label(out, "time between");
	fprintf(out, "%llu.%06llu s\n", span / NSEC_PER_SEC,
		span % NSEC_PER_SEC / 1000);
}

static void put_types(FILE *out, const struct logreader *r,
		      const struct logsummary *s)
{
	size_t i;

	fputs("\n    events    id  type\n", out);
	for (i = 0; i < POSIXTRACE_EVENT_MAX; i++) {
		/* The standard's types are in each log. */
		if (!s->counts[i] && (i < POSIXTRACE_EV_KERNEL || !r->names[i]))
			continue;
		fprintf(out, "%10llu  %4zu  ", s->counts[i], i);
		if (r->names[i])
			text_put_name(out, r->names[i]);
		else
			fputs("(its name is missing)", out);
		putc('\n', out);
	}
}

void infotext_put(FILE *out, const struct logreader *r,
		  const struct logsummary *s)
{
	put_origin(out, r, s);
	put_attributes(out, s);
	put_status(out, s);
	put_damage(out, s);
	put_counters(out, s);
	put_span(out, s);
	put_types(out, r, s);
}
