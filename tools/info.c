// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "diag.h"
#include "info.h"
#include "infojson.h"
#include "infotext.h"
#include "opt.h"

#define COMMAND	"info"

static const char usage[] =
	"Usage: posixtrace info [OPTION]... [FILE]\n"
	"\n"
	"Tells what is in a log that was made by posixtrace record, or by a program with\n"
	"posix_trace_create_withlog(): who was traced when, with which attributes; what\n"
	"became of it; how many events of each type there are. All of the log is read.\n"
	"FILE is " LOGREADER_DEFAULT " if none is given.\n"
	"\n"
	"  -j, --json   as one JSON object\n"
	"  -h, --help   show this text\n"
	"\n"
	"A log that is damaged, or not finished, is counted as far as it is whole.\n"
	"\n"
	"Exit status: 0; 1 after an error; 2 for a wrong command line; 3 if something is\n"
	"missing from the log, which standard error tells.\n";

/* Return: -1 to go on, or the exit status. */
static int parse(int argc, char **argv, bool *json, const char **path)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":jh", options, NULL)) != -1) {
		switch (c) {
		case 'j':
			*json = true;
			break;
		case 'h':
			fputs(usage, stdout);
			return TOOL_OK;
		default:
			return opt_bad(COMMAND, c, argv);
		}
	}
	return opt_file(COMMAND, argc, argv, path);
}

static int show(struct logreader *r, bool json)
{
	static struct logsummary s;
	int err;

	err = logsummary_make(&s, r);
	if (err) {
		diag("cannot read %s: %s", r->path, strerror(err));
		return TOOL_ERROR;
	}
	if (json)
		infojson_put(stdout, r, &s);
	else
		infotext_put(stdout, r, &s);
	if (fflush(stdout)) {
		diag("cannot write: %s", strerror(errno));
		return TOOL_ERROR;
	}
	return logreader_check(r);
}

int info_main(int argc, char **argv)
{
	const char *path = LOGREADER_DEFAULT;
	struct logreader r;
	bool json = false;
	int status;

	status = parse(argc, argv, &json, &path);
	if (status >= 0)
		return status;
	status = logreader_open(&r, path);
	if (status >= 0)
		return status;
	status = show(&r, json);
	logreader_close(&r);
	return status;
}
