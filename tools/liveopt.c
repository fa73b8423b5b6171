// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "eventclass.h"
#include "liveopt.h"
#include "tool.h"

#define STREAM_SIZE_DEFAULT	(1024 * 1024)
#define DATA_SIZE_DEFAULT	256
#define DURATION_MIN		0.001	/* seconds */
#define DURATION_MAX		1000000000.0
#define NSEC_PER_SEC		1000000000

static const char usage[] =
	"Usage: posixtrace live [OPTION]... -p PID\n"
	"       posixtrace live [OPTION]... [--] COMMAND [ARGUMENT]...\n"
	"\n"
	"Shows what a process does while it does it: one line per event, with time,\n"
	"process/thread, event and data. Ends with Ctrl-C, or when the process ends.\n"
	"\n"
	"  -p, --pid PID           trace this process, all its threads\n"
	"  -e, --events CLASS,...  events to show; default: user,syscall\n"
	"  -n, --count N           end after N events\n"
	"  -d, --duration SECONDS  end after this time\n"
	"  -o, --output FILE       write the events to FILE; default: standard output,\n"
	"                          with COMMAND, whose output that is, standard error\n"
	"  -s, --data-size BYTES   record so much of a user event's data; default: 256\n"
	"  -b, --buffer BYTES      room for events not yet read, also as 64k or 16M;\n"
	"                          default: 1M\n"
	"  -h, --help              show this text\n"
	"\n"
	"Classes of events:\n";

static const char notes[] =
	"\n"
	"Events that come faster than they can be shown overwrite the oldest unread\n"
	"ones: posix_trace_overflow stands in their place, and the last line, on\n"
	"standard error, has their number.\n"
	"\n"
	"COMMAND is not ended when the trace is. A signal that would end the trace goes\n"
	"to COMMAND first.\n"
	"\n"
	"Exit status: 0; 1 after an error; 2 for a wrong command line. With COMMAND: that\n"
	"of COMMAND; 126 if it cannot be executed, 127 if there is no such command.\n";

static void show_help(void)
{
	fputs(usage, stdout);
	eventclass_help(stdout);
	fputs(notes, stdout);
}

/* After the line that tells what is wrong. */
static int see_help(void)
{
	diag_hint("See: " TOOL_NAME " live --help");
	return TOOL_USAGE;
}

static int bad_value(const char *option, const char *value, const char *want)
{
	diag("%s %s: this should be %s", option, value, want);
	return see_help();
}

static bool parse_number(const char *s, __u64 min, __u64 max,
			 __u64 *value, char **end)
{
	errno = 0;
	*value = strtoull(s, end, 10);
	return *s >= '0' && *s <= '9' && !errno && *value >= min &&
	       *value <= max;
}

static int parse_pid(const char *s, struct liveopt *opt)
{
	__u64 pid;
	char *end;

	if (!parse_number(s, 1, INT_MAX, &pid, &end) || *end)
		return bad_value("-p", s, "the number of a process");
	if (opt->stream.pid) {
		diag("only one process can be traced at a time");
		return see_help();
	}
	opt->stream.pid = pid;
	return -1;
}

static int parse_events(const char *s, struct liveopt *opt)
{
	const char *bad = eventclass_parse(s, &opt->stream.classes);

	if (!bad)
		return -1;
	fprintf(stderr, "%s: -e %s: there is no class '%.*s', only ", TOOL_NAME,
		s, (int)strcspn(bad, ","), bad);
	eventclass_names(stderr);
	putc('\n', stderr);
	return TOOL_USAGE;
}

static int parse_count(const char *s, struct liveopt *opt)
{
	char *end;

	if (!parse_number(s, 1, ULLONG_MAX, &opt->count, &end) || *end)
		return bad_value("-n", s, "a number of events, at least 1");
	return -1;
}

static int parse_duration(const char *s, struct liveopt *opt)
{
	double seconds;
	char *end;

	seconds = strtod(s, &end);
	if (end == s || *end || !(seconds >= DURATION_MIN && seconds <= DURATION_MAX))
		return bad_value("-d", s, "a number of seconds, such as 10 or 0.5");
	opt->duration.tv_sec = seconds;
	opt->duration.tv_nsec = (seconds - opt->duration.tv_sec) * NSEC_PER_SEC;
	return -1;
}

static int parse_data_size(const char *s, struct liveopt *opt)
{
	__u64 size;
	char *end;

	if (!parse_number(s, 0, POSIXTRACE_DATA_MAX, &size, &end) || *end)
		return bad_value("-s", s, "a number of bytes, at most 65536");
	opt->stream.data_size = size;
	return -1;
}

static int parse_buffer(const char *s, struct liveopt *opt)
{
	static const char units[] = "kMG";
	const char *unit;
	__u64 size;
	char *end;

	if (!parse_number(s, 1, SSIZE_MAX >> 30, &size, &end))
		return bad_value("-b", s, "a number of bytes, such as 65536 or 64k");
	unit = *end ? strchr(units, *end) : NULL;
	if (unit) {
		size <<= 10 * (unit - units + 1);
		end++;
	}
	if (*end)
		return bad_value("-b", s, "a number of bytes, such as 65536 or 64k");
	opt->stream.stream_size = size;
	return -1;
}

static int parse_option(int c, struct liveopt *opt)
{
	switch (c) {
	case 'p':
		return parse_pid(optarg, opt);
	case 'e':
		return parse_events(optarg, opt);
	case 'n':
		return parse_count(optarg, opt);
	case 'd':
		return parse_duration(optarg, opt);
	case 's':
		return parse_data_size(optarg, opt);
	case 'b':
		return parse_buffer(optarg, opt);
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

static int bad_option(int c, char **argv)
{
	char letter[] = { '-', optopt, '\0' };
	const char *word = argv[optind - 1];
	const char *option = strncmp(word, "--", 2) ? letter : word;

	if (c == ':')
		diag("%s needs an argument", option);
	else
		diag("there is no option %s", option);
	return see_help();
}

static int check(struct liveopt *opt)
{
	if (!opt->stream.pid && !opt->command) {
		diag("what is to be traced? Give -p PID or a COMMAND");
		return see_help();
	}
	if (opt->stream.pid && opt->command) {
		diag("-p PID and a COMMAND exclude each other");
		return see_help();
	}
	return -1;
}

int liveopt_parse(int argc, char **argv, struct liveopt *opt)
{
	static const struct option options[] = {
		{ "pid", required_argument, NULL, 'p' },
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
	while ((c = getopt_long(argc, argv, "+:p:e:n:d:o:s:b:h", options,
				NULL)) != -1) {
		status = c == ':' || c == '?' ? bad_option(c, argv) :
						parse_option(c, opt);
		if (status >= 0)
			return status;
	}
	if (!opt->stream.classes)
		opt->stream.classes = EVENTCLASS_DEFAULT;
	if (optind < argc)
		opt->command = argv + optind;
	return check(opt);
}
