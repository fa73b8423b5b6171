/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Moments, as given on a command line
 *
 *	14:03  14:03:07  14:03:07.123456	local time of the day that a log
 *						began on
 *	2026-11-30T14:03:07.5			local time; a blank instead of T
 *						will do
 *	+1.5					seconds after the log began
 *	@1700000000.25				seconds since 1970, UTC
 */
#ifndef POSIXTRACE_TIMEARG_H
#define POSIXTRACE_TIMEARG_H

#include <stdbool.h>
#include <time.h>
#include <linux/types.h>

/* What a moment is told by. */
enum timearg_kind {
	TIMEARG_SINCE_BEGIN,
	TIMEARG_SINCE_1970,
	TIMEARG_CLOCK,
	TIMEARG_DATE,
};

/**
 * struct timearg - a moment
 * @kind: what the others mean
 * @tm: TIMEARG_CLOCK: hour, minute and second; TIMEARG_DATE: also the date
 * @nanoseconds: part of a second, or with the two others all of it
 */
struct timearg {
	enum timearg_kind kind;
	struct tm tm;
	__u64 nanoseconds;
};

/* Return: false if @s is no moment. */
bool timearg_parse(const char *s, struct timearg *t);

/**
 * timearg_resolve() - when it is
 * @t: moment
 * @begin: when the log began, nanoseconds since 1970
 *
 * Return: nanoseconds since 1970.
 */
__u64 timearg_resolve(const struct timearg *t, __u64 begin);

#endif /* POSIXTRACE_TIMEARG_H */
