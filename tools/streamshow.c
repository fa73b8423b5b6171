// SPDX-License-Identifier: GPL-2.0-only
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "streamshow.h"
#include "text.h"
#include "tool.h"

#define USER_WIDTH	8

const char *streamshow_state(const struct nlstream *s)
{
	__u64 state = s->value[POSIXTRACE_NL_A_STATE];

	if (state & POSIXTRACE_NL_STATE_RUNNING)
		return "run";
	if (state & (POSIXTRACE_NL_STATE_FULL | POSIXTRACE_NL_STATE_LOG_FULL))
		return "full";
	return "stop";
}

void streamshow_user(FILE *out, __u64 uid)
{
	const struct passwd *pw = getpwuid(uid);

	if (pw && strlen(pw->pw_name) <= USER_WIDTH)
		fprintf(out, "%-*s", USER_WIDTH, pw->pw_name);
	else
		fprintf(out, "%-*llu", USER_WIDTH, uid);
}

/* Bytes of the character at @p, and its columns. */
static size_t character(const char *p, size_t *columns)
{
	mbstate_t state = { 0 };
	wchar_t c;
	size_t n = mbrtowc(&c, p, MB_CUR_MAX, &state);
	int width = n && n <= MB_CUR_MAX ? wcwidth(c) : -1;

	*columns = width < 0 ? 1 : width;
	return width < 0 ? 1 : n;
}

/* What of @text fits: all of it, or with room left for one more column. */
static size_t fitting(const char *text, size_t width)
{
	size_t bytes, columns, used = 0, cut = 0;
	const char *p;

	for (p = text; *p; p += bytes) {
		bytes = character(p, &columns);
		if (used + columns < width)
			cut = p + bytes - text;
		used += columns;
	}
	return used <= width ? strlen(text) : cut;
}

void streamshow_name(FILE *out, const char *name, size_t width)
{
	char *text = NULL;
	size_t size, n;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return;
	if (*name)
		text_put_name(f, name);
	if (!fclose(f)) {
		n = fitting(text, width);
		fwrite(text, 1, n, out);
		if (text[n])
			putc('~', out);
	}
	free(text);
}

/**
 * struct member - a number in JSON
 * @attr: POSIXTRACE_NL_A_*
 * @key: its name
 */
struct member {
	int attr;
	const char *key;
};

static void put_numbers(struct json *j, const struct nlstream *s,
			const struct member *m, size_t nr)
{
	for (; nr--; m++) {
		json_key(j, m->key);
		json_unsigned(j, s->value[m->attr]);
	}
}

static void put_flags(struct json *j, __u64 state)
{
	static const struct {
		__u32 bit;
		const char *key;
	} flags[] = {
		{ POSIXTRACE_NL_STATE_RUNNING, "running" },
		{ POSIXTRACE_NL_STATE_FULL, "full" },
		{ POSIXTRACE_NL_STATE_OVERRUN, "overrun" },
		{ POSIXTRACE_NL_STATE_FLUSHING, "flushing" },
		{ POSIXTRACE_NL_STATE_LOG, "has_log" },
		{ POSIXTRACE_NL_STATE_LOG_FULL, "log_full" },
		{ POSIXTRACE_NL_STATE_LOG_OVERRUN, "log_overrun" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		json_key(j, flags[i].key);
		json_bool(j, state & flags[i].bit);
	}
}

void streamshow_json(struct json *j, const struct nlstream *s)
{
	static const struct member who[] = {
		{ POSIXTRACE_NL_A_STREAM, "stream" },
		{ POSIXTRACE_NL_A_OWNER, "owner" },
		{ POSIXTRACE_NL_A_TARGET, "target" },
		{ POSIXTRACE_NL_A_UID, "uid" },
	};

	put_numbers(j, s, who, ARRAY_SIZE(who));
	json_key(j, "name");
	json_string(j, s->name, strlen(s->name));
	put_flags(j, s->value[POSIXTRACE_NL_A_STATE]);
	json_key(j, "error");
	json_unsigned(j, s->value[POSIXTRACE_NL_A_ERROR]);
}

static void put_policy(struct json *j, const char *key, __u64 value)
{
	static const char * const names[] = {
		[POSIXTRACE_POLICY_LOOP] = "loop",
		[POSIXTRACE_POLICY_UNTIL_FULL] = "until_full",
		[POSIXTRACE_POLICY_FLUSH] = "flush",
		[POSIXTRACE_POLICY_APPEND] = "append",
	};

	json_key(j, key);
	if (value < ARRAY_SIZE(names) && names[value])
		json_string(j, names[value], strlen(names[value]));
	else
		json_null(j);
}

void streamshow_json_all(struct json *j, const struct nlstream *s)
{
	static const struct member numbers[] = {
		{ POSIXTRACE_NL_A_STREAM_SIZE, "stream_size" },
		{ POSIXTRACE_NL_A_MAX_DATA_SIZE, "max_data_size" },
		{ POSIXTRACE_NL_A_LOG_SIZE, "log_size" },
		{ POSIXTRACE_NL_A_PROCESSES, "processes" },
		{ POSIXTRACE_NL_A_RECORDED, "recorded" },
		{ POSIXTRACE_NL_A_LOST, "lost" },
		{ POSIXTRACE_NL_A_OVERWRITTEN, "overwritten" },
		{ POSIXTRACE_NL_A_TRUNCATED, "truncated" },
		{ POSIXTRACE_NL_A_READ, "read" },
		{ POSIXTRACE_NL_A_FLUSHED, "flushed" },
		{ POSIXTRACE_NL_A_LOG_LOST, "log_lost" },
		{ POSIXTRACE_NL_A_MISSED_CHILDREN, "missed_children" },
	};

	streamshow_json(j, s);
	put_policy(j, "stream_policy", s->value[POSIXTRACE_NL_A_STREAM_POLICY]);
	put_policy(j, "log_policy", s->value[POSIXTRACE_NL_A_LOG_POLICY]);
	json_key(j, "inherited");
	json_bool(j, s->value[POSIXTRACE_NL_A_INHERITANCE] ==
		     POSIXTRACE_INHERITED);
	json_key(j, "created");
	json_time(j, s->value[POSIXTRACE_NL_A_CREATE_TIME]);
	put_numbers(j, s, numbers, ARRAY_SIZE(numbers));
}
