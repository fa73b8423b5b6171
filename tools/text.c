// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "text.h"

/* Bytes of the printable character at @p, 0 if there is none. */
static size_t printable(const char *p, size_t len)
{
	mbstate_t state = { 0 };
	size_t n;
	wchar_t c;

	n = mbrtowc(&c, p, len, &state);
	if (n == 0 || n > len || !iswprint(c))
		return 0;
	return n;
}

bool text_is_printable(const void *data, size_t len)
{
	const char *p = data, *end = p + len;
	size_t n;

	if (len > 1 && !end[-1])
		end--;
	if (p == end)
		return false;

	for (; p < end; p += n) {
		n = strchr("\t\n\r", *p) && *p ? 1 : printable(p, end - p);
		if (!n)
			return false;
	}
	return true;
}

static void put_escaped(FILE *out, unsigned char c, unsigned char next)
{
	static const char plain[] = "\a\b\f\n\r\t\v\"\\";
	static const char letter[] = "abfnrtv\"\\";
	const char *p = c ? strchr(plain, c) : NULL;

	if (p)
		fprintf(out, "\\%c", letter[p - plain]);
	else if (!c && !isdigit(next))
		fputs("\\0", out);
	else
		fprintf(out, "\\x%02x", c);
}

void text_put_quoted(FILE *out, const void *data, size_t len)
{
	const char *p = data, *end = p + len;

	putc('"', out);
	while (p < end) {
		size_t n = printable(p, end - p);

		if (n && *p != '"' && *p != '\\') {
			fwrite(p, 1, n, out);
			p += n;
		} else {
			put_escaped(out, p[0], p + 1 < end ? p[1] : 0);
			p++;
		}
	}
	putc('"', out);
}

void text_put_name(FILE *out, const char *name)
{
	const char *p;

	for (p = name; *p; p++) {
		if (!isascii(*p) || !isgraph(*p) || strchr("\"\\", *p))
			break;
	}
	if (*p || p == name)
		text_put_quoted(out, name, strlen(name));
	else
		fputs(name, out);
}

void text_put_hex(FILE *out, const void *data, size_t len)
{
	const unsigned char *p = data;
	size_t i;

	for (i = 0; i < len; i++)
		fprintf(out, i ? " %02x" : "%02x", p[i]);
}
