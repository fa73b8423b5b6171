/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command line of "posixtrace print".
 */
#ifndef POSIXTRACE_PRINTOPT_H
#define POSIXTRACE_PRINTOPT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "timearg.h"

/**
 * struct printopt - what the user wants
 * @path: of the log
 * @json: JSON, not text
 * @pid: only of this process, 0: of all
 * @lists: lists of classes and names, each after an -e
 * @lists_nr: how many
 * @since: if @has_since
 * @until: if @has_until
 */
struct printopt {
	const char *path;
	bool json;
	pid_t pid;
	char **lists;
	size_t lists_nr;
	bool has_since;
	bool has_until;
	struct timearg since;
	struct timearg until;
};

/* Return: -1 to go on, or the exit status, as of liveopt_parse(). */
int printopt_parse(int argc, char **argv, struct printopt *opt);
void printopt_destroy(struct printopt *opt);

#endif /* POSIXTRACE_PRINTOPT_H */
