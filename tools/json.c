// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "json.h"

#define NSEC_PER_SEC	1000000000

static void begin_value(struct json *j)
{
	if (j->comma)
		putc(',', j->out);
	j->comma = true;
}

void json_open(struct json *j, char bracket)
{
	begin_value(j);
	putc(bracket, j->out);
	j->comma = false;
}

void json_close(struct json *j, char bracket)
{
	putc(bracket, j->out);
	j->comma = true;
}

void json_key(struct json *j, const char *key)
{
	begin_value(j);
	putc('"', j->out);
	fputs(key, j->out);
	fputs("\":", j->out);
	j->comma = false;
}

void json_number(struct json *j, long long value)
{
	begin_value(j);
	fprintf(j->out, "%lld", value);
}

void json_unsigned(struct json *j, __u64 value)
{
	begin_value(j);
	fprintf(j->out, "%llu", value);
}

void json_bool(struct json *j, bool value)
{
	begin_value(j);
	fputs(value ? "true" : "false", j->out);
}

void json_null(struct json *j)
{
	begin_value(j);
	fputs("null", j->out);
}

void json_address(struct json *j, __u64 value)
{
	begin_value(j);
	fprintf(j->out, "\"0x%llx\"", value);
}

void json_time(struct json *j, __u64 nanoseconds)
{
	begin_value(j);
	fprintf(j->out, "\"%llu.%09llu\"", nanoseconds / NSEC_PER_SEC,
		nanoseconds % NSEC_PER_SEC);
}

void json_hex(struct json *j, const void *data, size_t len)
{
	static const char digit[] = "0123456789abcdef";
	const unsigned char *p = data;
	size_t i;

	begin_value(j);
	putc('"', j->out);
	for (i = 0; i < len; i++) {
		putc(digit[p[i] >> 4], j->out);
		putc(digit[p[i] & 15], j->out);
	}
	putc('"', j->out);
}

/* How long a character of UTF-8 is, by its first byte; 0: none begins so. */
static size_t utf8_length(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first >= 0xc2 && first <= 0xdf)
		return 2;
	if (first >= 0xe0 && first <= 0xef)
		return 3;
	return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

/* Neither longer than needed, nor a surrogate, nor beyond U+10FFFF. */
static bool is_second_byte(unsigned char first, unsigned char second)
{
	switch (first) {
	case 0xe0:
		return second >= 0xa0 && second <= 0xbf;
	case 0xed:
		return second >= 0x80 && second <= 0x9f;
	case 0xf0:
		return second >= 0x90 && second <= 0xbf;
	case 0xf4:
		return second >= 0x80 && second <= 0x8f;
	default:
		return second >= 0x80 && second <= 0xbf;
	}
}

/* Bytes of the character at @p, 0 if there is none. */
static size_t character(const unsigned char *p, size_t len)
{
	size_t i, n = utf8_length(*p);

	if (n > len)
		return 0;
	if (n > 1 && !is_second_byte(p[0], p[1]))
		return 0;
	for (i = 2; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	}
	return n;
}

/* C0, DEL and C1 */
static bool is_control(const unsigned char *p, size_t n)
{
	return (n == 1 && (*p < 0x20 || *p == 0x7f)) ||
	       (n == 2 && p[0] == 0xc2 && p[1] < 0xa0);
}

static void put_escaped(struct json *j, unsigned char c)
{
	static const char plain[] = "\b\f\n\r\t\"\\";
	static const char letter[] = "bfnrt\"\\";
	const char *p = c ? strchr(plain, c) : NULL;

	if (p)
		fprintf(j->out, "\\%c", letter[p - plain]);
	else
		fprintf(j->out, "\\u%04x", c);
}

void json_string(struct json *j, const void *text, size_t len)
{
	const unsigned char *p = text, *end = p + len;
	size_t n;

	begin_value(j);
	putc('"', j->out);
	for (; p < end; p += n ? n : 1) {
		n = character(p, end - p);
		if (!n)
			fputs("\\ufffd", j->out);
		else if (is_control(p, n) || *p == '"' || *p == '\\')
			put_escaped(j, p[n - 1]);
		else
			fwrite(p, 1, n, j->out);
	}
	putc('"', j->out);
}

bool json_is_text(const void *data, size_t len)
{
	const unsigned char *p = data, *end = p + len;
	size_t n;

	for (; p < end; p += n) {
		n = character(p, end - p);
		if (!n || (is_control(p, n) && !strchr("\t\n\r", *p)) || !*p)
			return false;
	}
	return len;
}
