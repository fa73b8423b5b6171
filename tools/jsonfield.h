/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fields of events as JSON: jsonevent.h has their names.
 */
#ifndef POSIXTRACE_JSONFIELD_H
#define POSIXTRACE_JSONFIELD_H

#include "events.h"
#include "json.h"

/**
 * json_field() - write a field
 * @j: an object that is being written
 * @f: field
 * @rec: the event
 * @data: of the event, all of its type's size, of any alignment
 */
void json_field(struct json *j, const struct field *f,
		const struct posixtrace_record *rec, const void *data);

/* A member that is this string, or null if there is none. */
void json_name(struct json *j, const char *key, const char *name);

/* A member that is this number, or null for 0. */
void json_id(struct json *j, const char *key, int id);

#endif /* POSIXTRACE_JSONFIELD_H */
