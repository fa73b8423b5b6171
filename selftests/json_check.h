/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is this JSON, by the letter of RFC 8259?
 *
 * Stricter than many readers: only valid UTF-8, no lone surrogates. A name that
 * is twice in an object is not noticed.
 */
#ifndef JSON_CHECK_H
#define JSON_CHECK_H

#include <stdbool.h>
#include <string.h>

/* Each function returns the place behind what it found, NULL if it is wrong. */

static inline const char *json_check_value(const char *p, const char *end);

static inline const char *json_check_space(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r'))
		p++;
	return p;
}

static inline bool json_check_is_digit(const char *p, const char *end)
{
	return p < end && *p >= '0' && *p <= '9';
}

static inline const char *json_check_digits(const char *p, const char *end)
{
	if (!json_check_is_digit(p, end))
		return NULL;
	while (json_check_is_digit(p, end))
		p++;
	return p;
}

static inline const char *json_check_number(const char *p, const char *end)
{
	if (*p == '-')
		p++;
	if (p < end && *p == '0')
		p++;
	else
		p = json_check_digits(p, end);
	if (p && p < end && *p == '.')
		p = json_check_digits(p + 1, end);
	if (!p || p == end || (*p != 'e' && *p != 'E'))
		return p;
	p++;
	if (p < end && (*p == '+' || *p == '-'))
		p++;
	return json_check_digits(p, end);
}

static inline const char *json_check_hex4(const char *p, const char *end,
					  unsigned int *value)
{
	int i;

	*value = 0;
	for (i = 0; i < 4; i++, p++) {
		const char *digits = "0123456789abcdef";
		const char *digit = p < end && *p ? strchr(digits, *p | 0x20) :
						    NULL;

		if (!digit)
			return NULL;
		*value = *value * 16 + (unsigned int)(digit - digits);
	}
	return p;
}

static inline const char *json_check_escape(const char *p, const char *end)
{
	unsigned int value;

	if (p == end || !*p || !strchr("\"\\/bfnrtu", *p))
		return NULL;
	if (*p++ != 'u')
		return p;
	p = json_check_hex4(p, end, &value);
	if (!p || value < 0xd800 || value > 0xdfff)
		return p;
	if (value > 0xdbff || end - p < 6 || p[0] != '\\' || p[1] != 'u')
		return NULL;
	p = json_check_hex4(p + 2, end, &value);
	return p && value >= 0xdc00 && value <= 0xdfff ? p : NULL;
}

/* A character of UTF-8, neither too long, nor a surrogate, nor too large. */
static inline const char *json_check_utf8(const char *p, const char *end)
{
	static const unsigned int least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char first = *p;
	int i, n = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 :
		   first >> 3 == 30 ? 4 : 0;
	unsigned int c = n == 1 ? first : first & (0x7f >> n);

	if (!n || end - p < n)
		return NULL;
	for (i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return NULL;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return NULL;
	return p + n;
}

static inline const char *json_check_string(const char *p, const char *end)
{
	if (p == end || *p++ != '"')
		return NULL;
	while (p && p < end && *p != '"') {
		if ((unsigned char)*p < 0x20)
			return NULL;
		if (*p == '\\')
			p = json_check_escape(p + 1, end);
		else
			p = json_check_utf8(p, end);
	}
	return p && p < end ? p + 1 : NULL;
}

static inline const char *json_check_word(const char *p, const char *end,
					  const char *word)
{
	size_t len = strlen(word);

	return (size_t)(end - p) >= len && !memcmp(p, word, len) ? p + len :
								   NULL;
}

static inline const char *json_check_member(const char *p, const char *end)
{
	p = json_check_string(p, end);
	if (!p)
		return NULL;
	p = json_check_space(p, end);
	return p < end && *p == ':' ? json_check_value(p + 1, end) : NULL;
}

/* What stands between brackets; @p is behind the first. */
static inline const char *json_check_list(const char *p, const char *end,
					  char last)
{
	p = json_check_space(p, end);
	if (p < end && *p == last)
		return p + 1;
	while (p) {
		p = json_check_space(p, end);
		p = last == '}' ? json_check_member(p, end) :
				  json_check_value(p, end);
		if (!p)
			return NULL;
		p = json_check_space(p, end);
		if (p == end || (*p != ',' && *p != last))
			return NULL;
		if (*p++ == last)
			return p;
	}
	return NULL;
}

static inline const char *json_check_value(const char *p, const char *end)
{
	p = json_check_space(p, end);
	if (p == end)
		return NULL;
	switch (*p) {
	case '{':
		return json_check_list(p + 1, end, '}');
	case '[':
		return json_check_list(p + 1, end, ']');
	case '"':
		return json_check_string(p, end);
	case 't':
		return json_check_word(p, end, "true");
	case 'f':
		return json_check_word(p, end, "false");
	case 'n':
		return json_check_word(p, end, "null");
	default:
		return *p == '-' || json_check_is_digit(p, end) ?
		       json_check_number(p, end) : NULL;
	}
}

/* Whether @text is one object. */
static inline bool is_json_object(const char *text, size_t len)
{
	const char *end = text + len, *p = len ? text : NULL;

	if (p && *p != '{')
		return false;
	p = p ? json_check_value(p, end) : NULL;
	return p && json_check_space(p, end) == end;
}

/*
 * Number of lines in @text, each of them an object; -1 if one is none, or the
 * last does not end.
 */
static inline long count_json_lines(const char *text)
{
	const char *newline;
	long n = 0;

	for (; *text; text = newline + 1, n++) {
		newline = strchr(text, '\n');
		if (!newline || !is_json_object(text, newline - text))
			return -1;
	}
	return n;
}

#endif /* JSON_CHECK_H */
