// SPDX-License-Identifier: GPL-2.0-only
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "choice.h"
#include "logreader.h"
#include "opt.h"
#include "printopt.h"

#define COMMAND	"print"

static const char usage[] =
	"Usage: posixtrace print [OPTION]... [FILE]\n"
	"\n"
	"Shows the events of a log that was made by posixtrace record, or by a program\n"
	"with posix_trace_create_withlog(): one line per event, with time,\n"
	"process/thread, event and data. FILE is " LOGREADER_DEFAULT " if none is given.\n"
	"\n"
	"  -e, --events NAME,...   only these, see below; also names of the log\n"
	"  -p, --pid PID           only events of this process\n"
	"      --since TIME        only from this time on\n"
	"      --until TIME        only up to this time, which is included\n"
	"  -j, --json              each event as a JSON object on a line of its own\n"
	"  -h, --help              show this text\n";

static const char notes[] =
	"\n"
	"TIME is 14:03 or 14:03:07.123456 of the day the log began on, or\n"
	"2026-11-30T14:03:07, both local time; or +1.5, seconds after the log began; or\n"
	"@1700000000.25, seconds since 1970. It is compared to the microsecond.\n"
	"\n"
	"posix_trace_overflow, _resume and _error are shown whatever is chosen: they\n"
	"stand where events are missing.\n"
	"\n"
	"In JSON, time is a string with seconds since 1970 and nanoseconds; addresses and\n"
	"arguments are strings in hex; data is the bytes in hex, and text the same as a\n"
	"string if it is UTF-8.\n"
	"\n"
	"A log that is damaged, or not finished, is shown as far as it is whole.\n"
	"\n"
	"Exit status: 0; 1 after an error; 2 for a wrong command line; 3 if something is\n"
	"missing from the log, which standard error tells.\n";

static int show_help(void)
{
	fputs(usage, stdout);
	choice_help(stdout);
	fputs(notes, stdout);
	return TOOL_OK;
}

static int parse_time(const char *option, struct timearg *t, bool *given)
{
	*given = true;
	if (timearg_parse(optarg, t))
		return -1;
	return opt_bad_value(COMMAND, option, optarg,
			     "a time, such as 14:03:07.5, 2026-11-30T14:03 or +1.5");
}

enum { SINCE = 256, UNTIL };

static int parse_option(int c, struct printopt *opt)
{
	switch (c) {
	case 'e':
		opt->lists[opt->lists_nr++] = optarg;
		return -1;
	case 'p':
		return opt_pid(COMMAND, optarg, &opt->pid);
	case SINCE:
		return parse_time("--since", &opt->since, &opt->has_since);
	case UNTIL:
		return parse_time("--until", &opt->until, &opt->has_until);
	case 'j':
		opt->json = true;
		return -1;
	default:
		return show_help();
	}
}

static int parse_options(int argc, char **argv, struct printopt *opt)
{
	static const struct option options[] = {
		{ "events", required_argument, NULL, 'e' },
		{ "pid", required_argument, NULL, 'p' },
		{ "since", required_argument, NULL, SINCE },
		{ "until", required_argument, NULL, UNTIL },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c, status = -1;

	opterr = 0;
	while (status < 0 && (c = getopt_long(argc, argv, ":e:p:jh", options,
					      NULL)) != -1)
		status = c == ':' || c == '?' ? opt_bad(COMMAND, c, argv) :
						parse_option(c, opt);
	return status < 0 ? opt_file(COMMAND, argc, argv, &opt->path) : status;
}

int printopt_parse(int argc, char **argv, struct printopt *opt)
{
	int status;

	memset(opt, 0, sizeof(*opt));
	opt->path = LOGREADER_DEFAULT;
	opt->lists = calloc(argc, sizeof(*opt->lists));
	if (!opt->lists) {
		diag_no_memory();
		return TOOL_ERROR;
	}
	status = parse_options(argc, argv, opt);
	if (status >= 0)
		printopt_destroy(opt);
	return status;
}

void printopt_destroy(struct printopt *opt)
{
	free(opt->lists);
}
