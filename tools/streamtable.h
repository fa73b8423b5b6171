/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A list of streams as a table, not wider than 80 columns, with or without what
 * changed since an earlier list.
 */
#ifndef POSIXTRACE_STREAMTABLE_H
#define POSIXTRACE_STREAMTABLE_H

#include <stdio.h>

#include "nlclient.h"

/**
 * struct streamrate - how fast a stream changes
 * @stream: it
 * @events: recorded per second
 * @lost: likewise lost or overwritten
 * @known: false for a stream that was not there before
 */
struct streamrate {
	const struct nlstream *stream;
	double events;
	double lost;
	bool known;
};

/* Events that nobody will read: without room, or overwritten. */
__u64 streamtable_lost(const struct nlstream *s);

/**
 * streamtable_rates() - compare two lists
 * @now: a list
 * @before: an earlier one
 * @seconds: between them
 *
 * Return: as many as @now has, the fastest first; to be freed. NULL: no memory.
 */
struct streamrate *streamtable_rates(const struct nlstreams *now,
				     const struct nlstreams *before,
				     double seconds);

/* The table; @max lines with streams at most. */
void streamtable_put(FILE *out, const struct nlstreams *list);
void streamtable_put_rates(FILE *out, const struct streamrate *rates, size_t nr,
			   size_t max);

#endif /* POSIXTRACE_STREAMTABLE_H */
