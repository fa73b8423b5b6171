// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <string.h>

#include "errnames.h"
#include "json.h"
#include "jsonevent.h"
#include "syscalls.h"
#include "tool.h"

#define ERRNO_MAX	4095

static void put_name(struct json *j, const char *name)
{
	if (name)
		json_string(j, name, strlen(name));
	else
		json_null(j);
}

static void put_id(struct json *j, const char *key, int id)
{
	json_key(j, key);
	if (id)
		json_number(j, id);
	else
		json_null(j);
}

static void put_address(struct json *j, const char *key, __u64 address)
{
	if (!address)
		return;
	json_key(j, key);
	json_address(j, address);
}

static void put_call(struct json *j, __s32 nr, __u32 arch)
{
	const struct syscall *call = syscall_find(arch, nr);

	json_key(j, "syscall");
	put_name(j, call ? call->name : NULL);
	json_key(j, "nr");
	json_number(j, nr);
	json_key(j, "arch");
	json_unsigned(j, arch);
}

static void put_enter(struct json *j, const void *data)
{
	struct posixtrace_syscall_enter enter;
	size_t i;

	memcpy(&enter, data, sizeof(enter));
	put_call(j, enter.nr, enter.arch);
	json_key(j, "args");
	json_open(j, '[');
	for (i = 0; i < ARRAY_SIZE(enter.args); i++)
		json_address(j, enter.args[i]);
	json_close(j, ']');
}

static void put_exit(struct json *j, const void *data)
{
	struct posixtrace_syscall_exit exit;

	memcpy(&exit, data, sizeof(exit));
	put_call(j, exit.nr, exit.arch);
	json_key(j, "ret");
	json_number(j, exit.ret);
	if (exit.ret < 0 && exit.ret >= -ERRNO_MAX) {
		json_key(j, "error");
		put_name(j, errname(-exit.ret));
	}
}

static bool has(const struct posixtrace_event_set *set, unsigned int id)
{
	return id < POSIXTRACE_EVENT_MAX && set->bits[id / 64] >> (id % 64) & 1;
}

static void put_set(struct json *j, const char *key,
		    const struct posixtrace_event_set *set)
{
	unsigned int id, first;

	json_key(j, key);
	json_open(j, '[');
	for (id = 1; id < POSIXTRACE_EVENT_MAX; id++) {
		if (!has(set, id))
			continue;
		for (first = id; has(set, id + 1); id++)
			;
		json_open(j, '[');
		json_unsigned(j, first);
		json_unsigned(j, id);
		json_close(j, ']');
	}
	json_close(j, ']');
}

static void put_start(struct json *j, const void *data)
{
	struct posixtrace_event_set filter;

	memcpy(&filter, data, sizeof(filter));
	put_set(j, "ignored", &filter);
}

static void put_stop(struct json *j, const void *data)
{
	int automatic;

	memcpy(&automatic, data, sizeof(automatic));
	json_key(j, "automatic");
	json_bool(j, automatic);
}

static void put_filter(struct json *j, const void *data)
{
	struct posixtrace_event_set filter[2];

	memcpy(filter, data, sizeof(filter));
	put_set(j, "was_ignored", &filter[0]);
	put_set(j, "ignored", &filter[1]);
}

static void put_trace_error(struct json *j, const void *data)
{
	int err;

	memcpy(&err, data, sizeof(err));
	json_key(j, "error");
	put_name(j, errname(err));
	json_key(j, "errno");
	json_number(j, err);
}

/* Events that have more to show than bytes. */
static const struct decoder {
	unsigned int id;
	size_t size;
	void (*put)(struct json *j, const void *data);
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

static void put_data(struct json *j, const void *data, size_t size)
{
	const char *bytes = data;

	json_key(j, "data");
	json_hex(j, data, size);
	if (size && !bytes[size - 1])
		size--;
	if (json_is_text(data, size)) {
		json_key(j, "text");
		json_string(j, data, size);
	}
}

void json_event(FILE *out, const char *name,
		const struct posixtrace_record *rec, const void *data)
{
	const struct decoder *decoder = find_decoder(rec);
	struct json j = { .out = out };

	json_open(&j, '{');
	json_key(&j, "time");
	json_time(&j, rec->timestamp);
	put_id(&j, "pid", rec->pid);
	put_id(&j, "tid", rec->tid);
	json_key(&j, "event");
	put_name(&j, name);
	json_key(&j, "id");
	json_unsigned(&j, rec->event_id);
	put_address(&j, "thread", rec->thread);
	put_address(&j, "address", rec->address);
	if (decoder)
		decoder->put(&j, data);
	else
		put_data(&j, data, rec->data_size);
	if (rec->truncation != POSIXTRACE_NOT_TRUNCATED) {
		json_key(&j, "truncated");
		json_bool(&j, true);
	}
	json_close(&j, '}');
	putc('\n', out);
}
