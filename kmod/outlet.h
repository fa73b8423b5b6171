/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way out of a recorder: events for a reader, or for a log.
 */
#ifndef PXT_OUTLET_H
#define PXT_OUTLET_H

#include <linux/types.h>

#include "recorder.h"

/**
 * struct pxt_taken - events for a reader
 * @size: bytes, of whole struct posixtrace_records with their data; 0: there is
 *	no event, or the next one is larger than the room: then it stays
 * @nr: events; those are not counted that were never recorded: OVERFLOW and
 *	RESUME, if there is no log, are made when they are taken
 * @needed: bytes of the first one, 0 if there is none
 */
struct pxt_taken {
	size_t size;
	u64 nr;
	size_t needed;
};

/**
 * struct pxt_flush - a flush under way
 * @until: number of the first record that it leaves to the next one
 * @flushed: bytes of records that are in the log
 * @lost: events that did not get there
 * @error: error number of the first one, 0 if none
 * @overwrote: events in the log were written over
 * @log_full: the log has reached its size
 *
 * On the stack of the flusher.
 */
struct pxt_flush {
	u64 until;
	u64 flushed;
	u64 lost;
	int error;
	bool overwrote;
	bool log_full;
};

void pxt_outlet_take(struct pxt_recorder *rec, void *to, size_t room, bool one,
		     struct pxt_taken *taken);

bool pxt_outlet_expect(struct pxt_recorder *rec);

void pxt_outlet_flush_begin(struct pxt_recorder *rec, struct pxt_flush *flush);
size_t pxt_outlet_flush_take(struct pxt_recorder *rec,
			     const struct pxt_flush *flush, void *to,
			     size_t room);
size_t pxt_outlet_log_is_full(struct pxt_recorder *rec, void *stop);
void pxt_outlet_flush_end(struct pxt_recorder *rec,
			  const struct pxt_flush *flush);

#endif /* PXT_OUTLET_H */
