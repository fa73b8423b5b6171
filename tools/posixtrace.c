// SPDX-License-Identifier: GPL-2.0-only
/*
 * posixtrace: look at what traced programs do.
 */
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <trace.h>

#include "diag.h"
#include "info.h"
#include "limitslist.h"
#include "list.h"
#include "live.h"
#include "monitor.h"
#include "printlog.h"
#include "record.h"
#include "tool.h"

/**
 * struct command - a sub-command
 * @name: first word of the command line
 * @main: gets the command line from @name on
 * @help: what it does
 */
static const struct command {
	const char *name;
	int (*main)(int argc, char **argv);
	const char *help;
} commands[] = {
	{ "live", live_main, "show what a process does while it does it" },
	{ "record", record_main, "write what a process does to a log" },
	{ "print", printlog_main, "show the events of a log" },
	{ "info", info_main, "tell what is in a log" },
	{ "list", list_main, "list the streams that there are" },
	{ "monitor", monitor_main, "tell what happens to streams" },
	{ "limits", limits_main, "tell how much tracing the system allows" },
};

static const char usage[] =
	"Usage: posixtrace COMMAND [OPTION]...\n"
	"\n"
	"Traces running processes, with the kernel module posixtrace.\n"
	"\n";

static const char options[] =
	"\n"
	"  --help      show this text; posixtrace COMMAND --help has the options\n"
	"  --version   show the version\n";

static void show_help(FILE *out)
{
	size_t i;

	fputs(usage, out);
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		fprintf(out, "  %-12s%s\n", commands[i].name, commands[i].help);
	fputs(options, out);
}

static int version(void)
{
	char library[TRACE_NAME_MAX + 1] = "?";
	trace_attr_t attr;

	if (!posix_trace_attr_init(&attr)) {
		posix_trace_attr_getgenversion(&attr, library);
		posix_trace_attr_destroy(&attr);
	}
	printf(TOOL_NAME " " TOOL_VERSION " (library: %s)\n", library);
	return TOOL_OK;
}

static int run(int argc, char **argv)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		if (!strcmp(argv[0], commands[i].name))
			return commands[i].main(argc, argv);
	}
	diag("there is no command '%s'", argv[0]);
	diag_hint("See: " TOOL_NAME " --help");
	return TOOL_USAGE;
}

int main(int argc, char **argv)
{
	setlocale(LC_CTYPE, "");

	if (argc < 2) {
		show_help(stderr);
		return TOOL_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		show_help(stdout);
		return TOOL_OK;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		return version();
	return run(argc - 1, argv + 1);
}
