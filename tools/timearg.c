// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "timearg.h"

#define NSEC_PER_SEC	1000000000ull

/* Later seconds than these would not do as nanoseconds. */
#define SECONDS_MAX	9000000000ull

/* What may follow a number of seconds: nothing, or up to nine digits. */
static bool parse_fraction(const char *s, __u64 *nanoseconds)
{
	__u64 unit = NSEC_PER_SEC;

	*nanoseconds = 0;
	if (!*s)
		return true;
	if (*s++ != '.' || !*s)
		return false;
	for (; isdigit((unsigned char)*s); s++) {
		unit /= 10;
		*nanoseconds += unit * (*s - '0');
	}
	return !*s && unit;
}

static bool parse_seconds(const char *s, __u64 *nanoseconds)
{
	__u64 seconds;
	char *end;

	if (!isdigit((unsigned char)*s))
		return false;
	seconds = strtoull(s, &end, 10);
	if (seconds > SECONDS_MAX || !parse_fraction(end, nanoseconds))
		return false;
	*nanoseconds += seconds * NSEC_PER_SEC;
	return true;
}

static bool parse_clock(const char *s, struct timearg *t)
{
	const char *end = strptime(s, "%H:%M", &t->tm);

	if (!end)
		return false;
	t->nanoseconds = 0;
	if (!*end)
		return true;
	end = strptime(end, ":%S", &t->tm);
	return end && parse_fraction(end, &t->nanoseconds);
}

bool timearg_parse(const char *s, struct timearg *t)
{
	const char *clock;

	memset(t, 0, sizeof(*t));
	if (*s == '+' || *s == '@') {
		t->kind = *s == '+' ? TIMEARG_SINCE_BEGIN : TIMEARG_SINCE_1970;
		return parse_seconds(s + 1, &t->nanoseconds);
	}
	clock = strptime(s, "%Y-%m-%d", &t->tm);
	if (clock && (*clock == 'T' || *clock == ' ')) {
		t->kind = TIMEARG_DATE;
		return parse_clock(clock + 1, t);
	}
	t->kind = TIMEARG_CLOCK;
	return parse_clock(s, t);
}

static __u64 resolve_clock(const struct timearg *t, __u64 begin)
{
	const time_t second = begin / NSEC_PER_SEC;
	struct tm tm = t->tm, day;
	time_t result;

	if (t->kind == TIMEARG_CLOCK && localtime_r(&second, &day)) {
		tm.tm_year = day.tm_year;
		tm.tm_mon = day.tm_mon;
		tm.tm_mday = day.tm_mday;
	}
	tm.tm_isdst = -1;
	result = mktime(&tm);
	return result < 0 ? 0 : result * NSEC_PER_SEC + t->nanoseconds;
}

__u64 timearg_resolve(const struct timearg *t, __u64 begin)
{
	switch (t->kind) {
	case TIMEARG_SINCE_BEGIN:
		return begin + t->nanoseconds;
	case TIMEARG_SINCE_1970:
		return t->nanoseconds;
	default:
		return resolve_clock(t, begin);
	}
}
