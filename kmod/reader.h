/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events on their way from a stream to a reader.
 *
 * They are staged here while they are copied to user space, which can fail or
 * take long: what a reader did not get, the next one gets.
 */
#ifndef PXT_READER_H
#define PXT_READER_H

#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/posixtrace.h>

struct pxt_recorder;

/**
 * struct pxt_reader - events on their way to a reader
 * @lock: covers what follows; held while an event is handed to a reader
 * @rec: where the events come from; constant
 * @mem: memory for the events, NULL after shutdown
 * @room: bytes there
 * @from: offset of the oldest event that was not delivered
 * @to: offset behind the youngest one
 * @nr: how many of these events count, see struct pxt_taken
 * @delivered: recorded events that a reader has got
 *
 * A part of the stream.
 */
struct pxt_reader {
	struct mutex lock;	/* what follows */
	struct pxt_recorder *rec;
	void *mem;
	size_t room;
	size_t from;
	size_t to;
	u64 nr;
	u64 delivered;
};

size_t pxt_reader_room(const struct posixtrace_attr *attr);
int pxt_reader_alloc(struct pxt_reader *reader, struct pxt_recorder *rec,
		     size_t room);
void pxt_reader_free(struct pxt_reader *reader);

bool pxt_reader_readable(const struct pxt_reader *reader);
ssize_t pxt_reader_stage(struct pxt_reader *reader, size_t max);
void pxt_reader_delivered(struct pxt_reader *reader, size_t size);
void pxt_reader_clear(struct pxt_reader *reader);

/* The oldest event that is staged; there is one. */
static inline const struct posixtrace_record *
pxt_reader_first(const struct pxt_reader *reader)
{
	return reader->mem + reader->from;
}

#endif /* PXT_READER_H */
