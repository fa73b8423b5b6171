/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which events of a log are wanted.
 *
 * posix_trace_overflow, _resume and _error tell of a gap. They are wanted
 * whenever their time is.
 */
#ifndef POSIXTRACE_SELECTION_H
#define POSIXTRACE_SELECTION_H

#include <stdbool.h>

#include "logreader.h"

/**
 * struct selection - what is wanted
 * @types: event types
 * @pid: only of this process, 0: of all
 * @since: not before this, microseconds since 1970
 * @until: not after this, likewise
 */
struct selection {
	bool types[POSIXTRACE_EVENT_MAX];
	int pid;
	__u64 since;
	__u64 until;
};

/* Everything. */
void selection_init(struct selection *s);

/**
 * selection_choose() - want some types of events only
 * @s: selection
 * @r: log that has them
 * @lists: classes of events and names of types, with commas between them; or
 *	just one name, with commas in it
 * @nr: how many lists
 *
 * Return: -1 to go on, or the exit status: the user was told what is wrong.
 */
int selection_choose(struct selection *s, const struct logreader *r,
		     char **lists, size_t nr);

bool selection_has(const struct selection *s,
		   const struct posixtrace_record *rec);

#endif /* POSIXTRACE_SELECTION_H */
