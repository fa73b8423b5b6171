// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "errnames.h"
#include "infojson.h"
#include "json.h"

static void put_string(struct json *j, const char *key, const char *text)
{
	json_key(j, key);
	if (text)
		json_string(j, text, strlen(text));
	else
		json_null(j);
}

static void put_number(struct json *j, const char *key, __u64 n)
{
	json_key(j, key);
	json_unsigned(j, n);
}

static void put_bool(struct json *j, const char *key, bool value)
{
	json_key(j, key);
	json_bool(j, value);
}

static void put_time(struct json *j, const char *key, __u64 time, bool known)
{
	json_key(j, key);
	if (known)
		json_time(j, time);
	else
		json_null(j);
}

static void put_stream(struct json *j, const struct logsummary *s)
{
	json_key(j, "stream");
	json_open(j, '{');
	put_string(j, "policy", logsummary_policy(s->stream_policy));
	put_number(j, "size", s->stream_size);
	put_number(j, "max_data_size", s->data_max);
	put_bool(j, "inherited", logsummary_inherited(s));
	put_bool(j, "overrun", s->status.posix_stream_overrun_status ==
			       POSIX_TRACE_OVERRUN);
	json_close(j, '}');
}

static void put_log(struct json *j, const struct logsummary *s)
{
	const int err = s->status.posix_stream_flush_error;

	json_key(j, "log");
	json_open(j, '{');
	put_string(j, "policy", logsummary_policy(s->log_policy));
	put_number(j, "max_size", s->log_size);
	put_number(j, "blocks", s->info.posix_blocks);
	put_bool(j, "full", s->status.posix_log_full_status ==
			    POSIX_TRACE_FULL);
	put_bool(j, "overrun", s->status.posix_log_overrun_status ==
			       POSIX_TRACE_OVERRUN);
	put_string(j, "write_error", err ? errname(err) : NULL);
	put_bool(j, "finished", s->info.posix_finished);
	put_number(j, "damaged_blocks", s->info.posix_damaged);
	put_number(j, "missing_blocks", s->info.posix_missing);
	json_close(j, '}');
}

static void put_counters(struct json *j, const struct logsummary *s)
{
	const struct posix_trace_counters_np *n = &s->info.posix_counters;

	json_key(j, "counters");
	if (!s->info.posix_finished) {
		json_null(j);
		return;
	}
	json_open(j, '{');
	put_number(j, "recorded", n->posix_recorded);
	put_number(j, "lost", n->posix_lost);
	put_number(j, "overwritten", n->posix_overwritten);
	put_number(j, "truncated", n->posix_truncated);
	put_number(j, "not_logged", n->posix_log_lost);
	put_number(j, "flushed", n->posix_flushed);
	put_number(j, "missed_children", n->posix_missed_children);
	json_close(j, '}');
}

static void put_types(struct json *j, const struct logreader *r,
		      const struct logsummary *s)
{
	size_t i;

	json_key(j, "types");
	json_open(j, '[');
	for (i = 0; i < POSIXTRACE_EVENT_MAX; i++) {
		if (!r->names[i] && !s->counts[i])
			continue;
		json_open(j, '{');
		put_number(j, "id", i);
		put_string(j, "name", r->names[i]);
		put_number(j, "events", s->counts[i]);
		json_close(j, '}');
	}
	json_close(j, ']');
}

void infojson_put(FILE *out, const struct logreader *r,
		  const struct logsummary *s)
{
	struct json j = { .out = out };

	json_open(&j, '{');
	put_string(&j, "file", r->path);
	put_number(&j, "file_size", s->file_size);
	put_string(&j, "trace", s->name);
	put_string(&j, "generation", s->generation);
	put_number(&j, "target", s->info.posix_target);
	put_number(&j, "owner", s->info.posix_owner);
	put_time(&j, "created", s->begin, true);
	put_stream(&j, s);
	put_log(&j, s);
	put_counters(&j, s);
	put_number(&j, "events", s->events);
	put_time(&j, "first", s->first, s->events);
	put_time(&j, "last", s->last, s->events);
	put_types(&j, r, s);
	json_close(&j, '}');
	putc('\n', out);
}
