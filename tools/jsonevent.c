// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>

#include "events.h"
#include "json.h"
#include "jsonevent.h"
#include "jsonfield.h"

static void put_address(struct json *j, const char *key, __u64 address)
{
	if (!address)
		return;
	json_key(j, key);
	json_address(j, address);
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

static void put_fields(struct json *j, const struct event_type *type,
		       const struct posixtrace_record *rec, const void *data)
{
	const struct field *f;

	for (f = type->fields; f->kind != FIELD_END; f++)
		json_field(j, f, rec, data);
}

void json_event(FILE *out, const char *name,
		const struct posixtrace_record *rec, const void *data)
{
	const struct event_type *type = event_decoded(rec);
	struct json j = { .out = out };

	json_open(&j, '{');
	json_key(&j, "time");
	json_time(&j, rec->timestamp);
	json_id(&j, "pid", rec->pid);
	json_id(&j, "tid", rec->tid);
	json_name(&j, "event", name);
	json_key(&j, "id");
	json_unsigned(&j, rec->event_id);
	put_address(&j, "thread", rec->thread);
	put_address(&j, "address", rec->address);
	if (type)
		put_fields(&j, type, rec, data);
	else
		put_data(&j, data, rec->data_size);
	if (rec->truncation != POSIXTRACE_NOT_TRUNCATED) {
		json_key(&j, "truncated");
		json_bool(&j, true);
	}
	json_close(&j, '}');
	putc('\n', out);
}
