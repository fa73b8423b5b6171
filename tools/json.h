/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writing JSON (RFC 8259): objects and arrays with values in them
 *
 * Strings are UTF-8, and a terminal takes them for text and nothing else. What
 * is not UTF-8 becomes U+FFFD. The locale does not matter.
 */
#ifndef POSIXTRACE_JSON_H
#define POSIXTRACE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <linux/types.h>

/**
 * struct json - a text that is being written
 * @out: where to
 * @comma: what comes next has something before it
 */
struct json {
	FILE *out;
	bool comma;
};

/* '{' or '[', and what ends it */
void json_open(struct json *j, char bracket);
void json_close(struct json *j, char bracket);

/* The name of the next value; a plain word. */
void json_key(struct json *j, const char *key);

/* Values */
void json_number(struct json *j, long long value);
void json_unsigned(struct json *j, __u64 value);
void json_bool(struct json *j, bool value);
void json_null(struct json *j);
void json_string(struct json *j, const void *text, size_t len);

/* A string "0x...", for bit patterns and addresses: readers round numbers. */
void json_address(struct json *j, __u64 value);

/* A string with two digits for each byte. */
void json_hex(struct json *j, const void *data, size_t len);

/* A string with seconds and nanoseconds, "1700000001.000000017". */
void json_time(struct json *j, __u64 nanoseconds);

/**
 * json_is_text() - can these bytes be shown as text?
 * @data: bytes
 * @len: how many
 *
 * Return: true if it is UTF-8 without control characters but tabs and line
 * ends, and not empty.
 */
bool json_is_text(const void *data, size_t len);

#endif /* POSIXTRACE_JSON_H */
