/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command line of "posixtrace record".
 */
#ifndef POSIXTRACE_RECORDOPT_H
#define POSIXTRACE_RECORDOPT_H

#include <stdbool.h>
#include <time.h>

#include "stream.h"

/**
 * struct recordopt - what the user wants
 * @stream: stream to make; its pid is 0 if there is a command
 * @log: what to write; its fd is not set
 * @command: words of the command, NULL if there is a pid
 * @duration: end after this time, 0: do not
 * @path: file for the log
 * @progress: show a line that tells how far it is, if this is a terminal
 */
struct recordopt {
	struct stream_options stream;
	struct stream_log log;
	char **command;
	struct timespec duration;
	const char *path;
	bool progress;
};

/* Return: -1 to go on, or the exit status, as of liveopt_parse(). */
int recordopt_parse(int argc, char **argv, struct recordopt *opt);

#endif /* POSIXTRACE_RECORDOPT_H */
