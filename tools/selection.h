/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which events of a log are wanted.
 *
 * posix_trace_overflow, _resume and _error tell of a gap. They are wanted
 * whenever their time is.
 */
#ifndef POSIXTRACE_SELECTION_H
#define POSIXTRACE_SELECTION_H

#include "choice.h"
#include "logreader.h"

/**
 * struct selection - what is wanted
 * @events: which events
 * @pid: only of this process, 0: of all
 * @since: not before this, microseconds since 1970
 * @until: not after this, likewise
 */
struct selection {
	struct choice events;
	int pid;
	__u64 since;
	__u64 until;
};

/* Everything. */
void selection_init(struct selection *s);

/**
 * selection_choose() - want some events only
 * @s: selection
 * @r: log that has them
 * @lists: as of choice_add_list(), where a word can also be the name of a type
 *	of the log; or just one name, with commas in it
 * @nr: how many lists
 *
 * Return: -1 to go on, or the exit status: the user was told what is wrong.
 */
int selection_choose(struct selection *s, struct logreader *r, char **lists,
		     size_t nr);

bool selection_has(const struct selection *s,
		   const struct posixtrace_record *rec, const void *data);

#endif /* POSIXTRACE_SELECTION_H */
