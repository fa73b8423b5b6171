/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command line of "posixtrace live".
 */
#ifndef POSIXTRACE_LIVEOPT_H
#define POSIXTRACE_LIVEOPT_H

#include <time.h>

#include "stream.h"

/**
 * struct liveopt - what the user wants
 * @stream: stream to make; its pid is 0 if there is a command
 * @command: words of the command, NULL if there is a pid
 * @count: end after so many events, 0: do not
 * @duration: end after this time, 0: do not
 * @output: file for the events, NULL: none was named
 */
struct liveopt {
	struct stream_options stream;
	char **command;
	__u64 count;
	struct timespec duration;
	const char *output;
};

/**
 * liveopt_parse() - read the command line
 * @argc: number of words
 * @argv: words, beginning with the name of the sub-command
 * @opt: to be filled in
 *
 * Return: -1 to go on, or the exit status: help was given, or the command
 * line is wrong and the user was told.
 */
int liveopt_parse(int argc, char **argv, struct liveopt *opt);

#endif /* POSIXTRACE_LIVEOPT_H */
