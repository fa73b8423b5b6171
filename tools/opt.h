/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the command lines of the sub-commands have in common.
 *
 * Functions that return an int return -1 to go on, or the exit status: the
 * command line is wrong, and the user was told. Their @command is the
 * sub-command, whose help is pointed to.
 */
#ifndef POSIXTRACE_OPT_H
#define POSIXTRACE_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>
#include <linux/types.h>

#include "choice.h"

/* After the line that tells what is wrong. Return: exit status. */
int opt_see_help(const char *command);

/* Tell that @value of @option is not what it should be. Return: exit status. */
int opt_bad_value(const char *command, const char *option, const char *value,
		  const char *want);

/**
 * opt_bad() - tell that getopt_long() found a mistake
 * @command: sub-command
 * @c: what it returned, '?' or ':'
 * @argv: command line
 *
 * Return: exit status.
 */
int opt_bad(const char *command, int c, char **argv);

/* Either a process or the @words of a command, which is NULL without one. */
int opt_target(const char *command, pid_t pid, char **words);

/* The file that the rest of the command line names; else *@path stays. */
int opt_file(const char *command, int argc, char **argv, const char **path);

/* Nothing: the rest of the command line is empty. */
int opt_end(const char *command, int argc, char **argv);

/**
 * opt_number() - read a decimal number without sign
 * @s: text that begins with it
 * @min: least value
 * @max: greatest value
 * @value: the number
 * @end: where it ends in @s
 *
 * Return: false if there is none, or one out of range.
 */
bool opt_number(const char *s, __u64 min, __u64 max, __u64 *value, char **end);

/* The number of a process; *@pid is 0 unless one was given before. */
int opt_pid(const char *command, const char *s, pid_t *pid);

/* Events, added to @events. */
int opt_events(const char *s, struct choice *events);

/* A time in seconds, such as 0.5. */
int opt_duration(const char *command, const char *option, const char *s,
		 struct timespec *duration);

/* A number of bytes of user data. */
int opt_data_size(const char *command, const char *s, size_t *size);

/* A number of bytes, also as 64k, 16M or 1G. */
int opt_bytes(const char *command, const char *option, const char *s,
	      size_t *size);

#endif /* POSIXTRACE_OPT_H */
