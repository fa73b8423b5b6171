/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What all sub-commands have in common.
 */
#ifndef POSIXTRACE_TOOL_H
#define POSIXTRACE_TOOL_H

#define TOOL_NAME		"posixtrace"
#define TOOL_VERSION		"0.1"

#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))

/* What follows the noun behind a number. */
static inline const char *plural(unsigned long long n)
{
	return n == 1 ? "" : "s";
}

/*
 * Exit status. Where a command was run and was traced to its end, its own
 * status is handed on instead.
 */
enum tool_exit {
	TOOL_OK			= 0,
	TOOL_ERROR		= 1,
	TOOL_USAGE		= 2,
	TOOL_INCOMPLETE		= 3,	/* of a log something is missing */
	TOOL_CANNOT_EXECUTE	= 126,
	TOOL_NOT_FOUND		= 127,
};

#endif /* POSIXTRACE_TOOL_H */
