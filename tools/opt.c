// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/posixtrace.h>

#include "diag.h"
#include "opt.h"

#define DURATION_MIN		0.001	/* seconds */
#define DURATION_MAX		1000000000.0
#define NSEC_PER_SEC		1000000000

int opt_see_help(const char *command)
{
	diag_hint("See: " TOOL_NAME " %s --help", command);
	return TOOL_USAGE;
}

int opt_bad_value(const char *command, const char *option, const char *value,
		  const char *want)
{
	diag("%s %s: this should be %s", option, value, want);
	return opt_see_help(command);
}

int opt_bad(const char *command, int c, char **argv)
{
	char letter[] = { '-', optopt, '\0' };
	const char *word = argv[optind - 1];
	const char *option = strncmp(word, "--", 2) ? letter : word;

	if (c == ':')
		diag("%s needs an argument", option);
	else
		diag("there is no option %s", option);
	return opt_see_help(command);
}

int opt_target(const char *command, pid_t pid, char **words)
{
	if (!pid && !words) {
		diag("what is to be traced? Give -p PID or a COMMAND");
		return opt_see_help(command);
	}
	if (pid && words) {
		diag("-p PID and a COMMAND exclude each other");
		return opt_see_help(command);
	}
	return -1;
}

int opt_file(const char *command, int argc, char **argv, const char **path)
{
	if (optind < argc)
		*path = argv[optind++];
	if (optind == argc)
		return -1;
	diag("one FILE at a time: what is %s?", argv[optind]);
	return opt_see_help(command);
}

int opt_end(const char *command, int argc, char **argv)
{
	if (optind == argc)
		return -1;
	diag("what is '%s'?", argv[optind]);
	return opt_see_help(command);
}

bool opt_number(const char *s, __u64 min, __u64 max, __u64 *value, char **end)
{
	errno = 0;
	*value = strtoull(s, end, 10);
	return *s >= '0' && *s <= '9' && !errno && *value >= min &&
	       *value <= max;
}

int opt_pid(const char *command, const char *s, pid_t *pid)
{
	__u64 number;
	char *end;

	if (!opt_number(s, 1, INT_MAX, &number, &end) || *end)
		return opt_bad_value(command, "-p", s,
				     "the number of a process");
	if (*pid) {
		diag("only one process at a time");
		return opt_see_help(command);
	}
	*pid = number;
	return -1;
}

static int add_word(struct choice *c, const char *word, size_t len, void *arg)
{
	if (choice_add(c, word, len))
		return -1;
	diag("-e %s: there is no class or kernel event '%.*s'",
	     (const char *)arg, (int)len, word);
	choice_hint(word, len);
	return TOOL_USAGE;
}

int opt_events(const char *s, struct choice *events)
{
	return choice_add_list(events, s, add_word, (void *)s);
}

int opt_duration(const char *command, const char *option, const char *s,
		 struct timespec *duration)
{
	double seconds;
	char *end;

	seconds = strtod(s, &end);
	if (end == s || *end ||
	    !(seconds >= DURATION_MIN && seconds <= DURATION_MAX))
		return opt_bad_value(command, option, s,
				     "a number of seconds, such as 10 or 0.5");
	duration->tv_sec = seconds;
	duration->tv_nsec = (seconds - duration->tv_sec) * NSEC_PER_SEC;
	return -1;
}

int opt_data_size(const char *command, const char *s, size_t *size)
{
	__u64 number;
	char *end;

	if (!opt_number(s, 0, POSIXTRACE_DATA_MAX, &number, &end) || *end)
		return opt_bad_value(command, "-s", s,
				     "a number of bytes, at most 65536");
	*size = number;
	return -1;
}

int opt_bytes(const char *command, const char *option, const char *s,
	      size_t *size)
{
	static const char want[] = "a number of bytes, such as 65536 or 64k";
	static const char units[] = "kMG";
	const char *unit;
	__u64 number;
	char *end;

	if (!opt_number(s, 1, SSIZE_MAX >> 30, &number, &end))
		return opt_bad_value(command, option, s, want);
	unit = *end ? strchr(units, *end) : NULL;
	if (unit) {
		number <<= 10 * (unit - units + 1);
		end++;
	}
	if (*end)
		return opt_bad_value(command, option, s, want);
	*size = number;
	return -1;
}
