// SPDX-License-Identifier: GPL-2.0-only
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "eventclass.h"
#include "logreader.h"
#include "opt.h"
#include "recordopt.h"

#define COMMAND			"record"
#define STREAM_SIZE_DEFAULT	(4 * 1024 * 1024)
#define LOG_SIZE_DEFAULT	(64 * 1024 * 1024)
#define DATA_SIZE_DEFAULT	256

static const char usage[] =
	"Usage: posixtrace record [OPTION]... -p PID\n"
	"       posixtrace record [OPTION]... [--] COMMAND [ARGUMENT]...\n"
	"\n"
	"Writes what a process does to a log, for posixtrace print and info. Ends with\n"
	"Ctrl-C, or when nobody is traced any more. Whatever ends it, SIGKILL too: what\n"
	"was recorded is in the log.\n"
	"\n"
	"  -p, --pid PID           trace this process, all its threads\n"
	"  -o, --output FILE       write the log to FILE, over what is there;\n"
	"                          default: " LOGREADER_DEFAULT "\n"
	"  -f, --inherit           also its descendants, each from its beginning on\n"
	"  -e, --events NAME,...   events to record, see below; default: user,syscall\n"
	"  -d, --duration SECONDS  end after this time\n"
	"      --size BYTES        room for events in the log, also as 64k, 16M or 1G;\n"
	"                          default: no limit; with loop or until-full 64M\n"
	"      --policy POLICY     what to do when that room is used up\n"
	"             append       there is no limit: keep everything; the default\n"
	"             loop         keep the newest events; the default with --size\n"
	"             until-full   keep the oldest events, and end\n"
	"  -s, --data-size BYTES   record so much of a user event's data; default: 256\n"
	"  -b, --buffer BYTES      room for events not yet written, also as 64k or 16M;\n"
	"                          default: 4M, or half of --size if that is less\n"
	"  -q, --quiet             no line that tells how far it is\n"
	"      --progress          that line also while COMMAND writes to the terminal\n"
	"  -h, --help              show this text\n";

static const char notes[] =
	"\n"
	"Events that come faster than they can be written are lost:\n"
	"posix_trace_overflow stands in their place, and the last line, on standard\n"
	"error, has their number. A larger -b makes that less likely.\n"
	"\n"
	"Nobody is traced any more when the process, with -f also the last of its\n"
	"descendants, has ended or has executed a program that you may not trace.\n"
	"\n"
	"A line on standard error tells how far it is, on a terminal only; with COMMAND,\n"
	"only if standard output, which COMMAND writes to, is no terminal.\n"
	"\n"
	"COMMAND is not ended when the trace is. A signal that would end the trace goes\n"
	"to COMMAND first.\n"
	"\n"
	"Exit status: 0; 1 after an error; 2 for a wrong command line. With COMMAND: that\n"
	"of COMMAND; 126 if it cannot be executed, 127 if there is no such command.\n";

static int show_help(void)
{
	fputs(usage, stdout);
	choice_help(stdout);
	fputs(notes, stdout);
	return TOOL_OK;
}

static int parse_policy(const char *s, struct recordopt *opt)
{
	if (!strcmp(s, "append"))
		opt->log.policy = POSIX_TRACE_APPEND;
	else if (!strcmp(s, "loop"))
		opt->log.policy = POSIX_TRACE_LOOP;
	else if (!strcmp(s, "until-full"))
		opt->log.policy = POSIX_TRACE_UNTIL_FULL;
	else
		return opt_bad_value(COMMAND, "--policy", s,
				     "append, loop or until-full");
	return -1;
}

enum { SIZE = 256, POLICY, PROGRESS };

/* What @opt->progress is before check(). */
enum { AUTO = 0, QUIET, ALWAYS };

static int parse_option(int c, struct recordopt *opt, int *progress)
{
	switch (c) {
	case 'p':
		return opt_pid(COMMAND, optarg, &opt->stream.pid);
	case 'f':
		opt->stream.follow = true;
		return -1;
	case 'e':
		return opt_events(optarg, &opt->stream.events);
	case 'd':
		return opt_duration(COMMAND, "-d", optarg, &opt->duration);
	case 's':
		return opt_data_size(COMMAND, optarg, &opt->stream.data_size);
	case 'b':
		return opt_bytes(COMMAND, "-b", optarg,
				 &opt->stream.stream_size);
	case SIZE:
		return opt_bytes(COMMAND, "--size", optarg, &opt->log.size);
	case POLICY:
		return parse_policy(optarg, opt);
	case 'o':
		opt->path = optarg;
		return -1;
	case 'q':
		*progress = QUIET;
		return -1;
	case PROGRESS:
		*progress = ALWAYS;
		return -1;
	default:
		return show_help();
	}
}

/* What the user left open. */
static void set_defaults(struct recordopt *opt)
{
	struct stream_options *stream = &opt->stream;

	if (choice_is_empty(&stream->events))
		choice_add_classes(&stream->events, EVENTCLASS_DEFAULT);
	if (!opt->log.policy)
		opt->log.policy = opt->log.size ? POSIX_TRACE_LOOP :
						  POSIX_TRACE_APPEND;
	if (!opt->log.size)
		opt->log.size = LOG_SIZE_DEFAULT;
	if (stream->stream_size)
		return;
	stream->stream_size = STREAM_SIZE_DEFAULT;
	/* A log is never smaller than its stream. */
	if (opt->log.policy != POSIX_TRACE_APPEND &&
	    stream->stream_size > opt->log.size / 2)
		stream->stream_size = opt->log.size / 2;
}

/* The command's output on the same terminal would mix with it. */
static bool wants_progress(const struct recordopt *opt, int progress)
{
	if (progress == QUIET || !isatty(STDERR_FILENO))
		return false;
	return progress == ALWAYS || !opt->command || !isatty(STDOUT_FILENO);
}

static int check(const struct recordopt *opt)
{
	if (opt->log.policy == POSIX_TRACE_APPEND && opt->log.size) {
		diag("--policy append keeps everything: --size is for loop and until-full");
		return opt_see_help(COMMAND);
	}
	return opt_target(COMMAND, opt->stream.pid, opt->command);
}

static int parse_options(int argc, char **argv, struct recordopt *opt,
			 int *progress)
{
	static const struct option options[] = {
		{ "pid", required_argument, NULL, 'p' },
		{ "output", required_argument, NULL, 'o' },
		{ "inherit", no_argument, NULL, 'f' },
		{ "events", required_argument, NULL, 'e' },
		{ "duration", required_argument, NULL, 'd' },
		{ "size", required_argument, NULL, SIZE },
		{ "policy", required_argument, NULL, POLICY },
		{ "data-size", required_argument, NULL, 's' },
		{ "buffer", required_argument, NULL, 'b' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "progress", no_argument, NULL, PROGRESS },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c, status = -1;

	opterr = 0;
	while (status < 0 && (c = getopt_long(argc, argv, "+:p:o:fe:d:s:b:qh",
					      options, NULL)) != -1)
		status = c == ':' || c == '?' ? opt_bad(COMMAND, c, argv) :
						parse_option(c, opt, progress);
	return status;
}

int recordopt_parse(int argc, char **argv, struct recordopt *opt)
{
	int progress = AUTO;
	int status;

	memset(opt, 0, sizeof(*opt));
	opt->path = LOGREADER_DEFAULT;
	opt->stream.data_size = DATA_SIZE_DEFAULT;
	status = parse_options(argc, argv, opt, &progress);
	if (status >= 0)
		return status;
	if (optind < argc)
		opt->command = argv + optind;
	status = check(opt);
	set_defaults(opt);
	opt->progress = wants_progress(opt, progress);
	return status;
}
