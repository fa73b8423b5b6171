// SPDX-License-Identifier: GPL-2.0-only
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "diag.h"
#include "eventclass.h"
#include "liveopt.h"
#include "opt.h"
#include "tool.h"

#define COMMAND			"live"
#define STREAM_SIZE_DEFAULT	(1024 * 1024)
#define DATA_SIZE_DEFAULT	256

static const char usage[] =
	"Usage: posixtrace live [OPTION]... -p PID\n"
	"       posixtrace live [OPTION]... [--] COMMAND [ARGUMENT]...\n"
	"\n"
	"Shows what a process does while it does it: one line per event, with time,\n"
	"process/thread, event and data. Ends with Ctrl-C, or when nobody is traced any\n"
	"more.\n"
	"\n"
	"  -p, --pid PID           trace this process, all its threads\n"
	"  -f, --inherit           also its descendants, each from its beginning on\n"
	"  -e, --events NAME,...   events to show, see below; default: user,syscall\n"
	"  -n, --count N           end after N events\n"
	"  -d, --duration SECONDS  end after this time\n"
	"  -o, --output FILE       write the events to FILE; default: standard output,\n"
	"                          with COMMAND, whose output that is, standard error\n"
	"  -s, --data-size BYTES   record so much of a user event's data; default: 256\n"
	"  -b, --buffer BYTES      room for events not yet read, also as 64k or 16M;\n"
	"                          default: 1M\n"
	"  -h, --help              show this text\n";

static const char notes[] =
	"\n"
	"Events that come faster than they can be shown overwrite the oldest unread\n"
	"ones: posix_trace_overflow stands in their place, and the last line, on\n"
	"standard error, has their number.\n"
	"\n"
	"Nobody is traced any more when the process, with -f also the last of its\n"
	"descendants, has ended or has executed a program that you may not trace.\n"
	"\n"
	"COMMAND is not ended when the trace is. A signal that would end the trace goes\n"
	"to COMMAND first.\n"
	"\n"
	"Exit status: 0; 1 after an error; 2 for a wrong command line. With COMMAND: that\n"
	"of COMMAND; 126 if it cannot be executed, 127 if there is no such command.\n";

static void show_help(void)
{
	fputs(usage, stdout);
	choice_help(stdout);
	fputs(notes, stdout);
}

static int parse_count(const char *s, struct liveopt *opt)
{
	char *end;

	if (!opt_number(s, 1, ULLONG_MAX, &opt->count, &end) || *end)
		return opt_bad_value(COMMAND, "-n", s,
				     "a number of events, at least 1");
	return -1;
}

static int parse_option(int c, struct liveopt *opt)
{
	switch (c) {
	case 'p':
		return opt_pid(COMMAND, optarg, &opt->stream.pid);
	case 'f':
		opt->stream.follow = true;
		return -1;
	case 'e':
		return opt_events(optarg, &opt->stream.events);
	case 'n':
		return parse_count(optarg, opt);
	case 'd':
		return opt_duration(COMMAND, "-d", optarg, &opt->duration);
	case 's':
		return opt_data_size(COMMAND, optarg,
				     &opt->stream.data_size);
	case 'b':
		return opt_bytes(COMMAND, "-b", optarg,
				 &opt->stream.stream_size);
	case 'o':
		opt->output = optarg;
		return -1;
	case 'h':
		show_help();
		return TOOL_OK;
	default:
		return -1;
	}
}

int liveopt_parse(int argc, char **argv, struct liveopt *opt)
{
	static const struct option options[] = {
		{ "pid", required_argument, NULL, 'p' },
		{ "inherit", no_argument, NULL, 'f' },
		{ "events", required_argument, NULL, 'e' },
		{ "count", required_argument, NULL, 'n' },
		{ "duration", required_argument, NULL, 'd' },
		{ "output", required_argument, NULL, 'o' },
		{ "data-size", required_argument, NULL, 's' },
		{ "buffer", required_argument, NULL, 'b' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c, status;

	memset(opt, 0, sizeof(*opt));
	opt->stream.stream_size = STREAM_SIZE_DEFAULT;
	opt->stream.data_size = DATA_SIZE_DEFAULT;

	opterr = 0;
	while ((c = getopt_long(argc, argv, "+:p:fe:n:d:o:s:b:h", options,
				NULL)) != -1) {
		status = c == ':' || c == '?' ? opt_bad(COMMAND, c, argv) :
						parse_option(c, opt);
		if (status >= 0)
			return status;
	}
	if (choice_is_empty(&opt->stream.events))
		choice_add_classes(&opt->stream.events, EVENTCLASS_DEFAULT);
	if (optind < argc)
		opt->command = argv + optind;
	return opt_target(COMMAND, opt->stream.pid, opt->command);
}
