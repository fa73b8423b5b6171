// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events on their way to a reader, see reader.h.
 */
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mm.h>

#include "outlet.h"
#include "reader.h"

/**
 * pxt_reader_room() - memory for events on their way
 * @attr: of the stream, in force
 *
 * Return: bytes: at least what the largest event takes.
 */
size_t pxt_reader_room(const struct posixtrace_attr *attr)
{
	return max3((size_t)PAGE_SIZE,
		    POSIXTRACE_RECORD_SIZE(attr->max_data_size),
		    POSIXTRACE_SYSTEM_EVENT_SIZE_MAX);
}

/**
 * pxt_reader_alloc() - get the memory
 * @reader: zero, but for its lock
 * @rec: where the events come from
 * @room: bytes, see pxt_reader_room()
 *
 * Context: may sleep.
 *
 * Return: 0, or -ENOMEM.
 */
int pxt_reader_alloc(struct pxt_reader *reader, struct pxt_recorder *rec,
		     size_t room)
{
	reader->mem = kvmalloc(room, GFP_KERNEL_ACCOUNT);
	if (!reader->mem)
		return -ENOMEM;
	reader->rec = rec;
	reader->room = room;
	return 0;
}

static void forget(struct pxt_reader *reader)
{
	lockdep_assert_held(&reader->lock);
	WRITE_ONCE(reader->from, 0);
	WRITE_ONCE(reader->to, 0);
	reader->nr = 0;
}

/**
 * pxt_reader_free() - undo pxt_reader_alloc()
 * @reader: whoever reads finds nothing more
 *
 * Context: may sleep.
 */
void pxt_reader_free(struct pxt_reader *reader)
{
	guard(mutex)(&reader->lock);
	kvfree(reader->mem);
	reader->mem = NULL;
	forget(reader);
}

/**
 * pxt_reader_readable() - is there an event to be read?
 * @reader: the reader
 *
 * Return: true if there is; somebody else may be faster. If not, who is in the
 * queue of those who wait will be woken.
 */
bool pxt_reader_readable(const struct pxt_reader *reader)
{
	return pxt_recorder_readable(reader->rec) ||
	       READ_ONCE(reader->to) != READ_ONCE(reader->from) ||
	       pxt_outlet_expect(reader->rec);
}

/*
 * Take events out of the recorder, one or as many as fit in @room bytes. Return:
 * bytes of the first one that does not fit.
 */
static size_t fetch(struct pxt_reader *reader, size_t room, bool one)
{
	struct pxt_taken taken;

	forget(reader);
	do {
		pxt_outlet_take(reader->rec, reader->mem + reader->to,
				room - reader->to, one, &taken);
		WRITE_ONCE(reader->to, reader->to + taken.size);
		reader->nr += taken.nr;
	} while (taken.size && !one);
	return taken.needed;
}

/**
 * pxt_reader_stage() - get events ready to be handed to a reader
 * @reader: the reader; @reader->lock is held
 * @max: at most so many bytes; one event if 0
 *
 * They stay at pxt_reader_first() until pxt_reader_delivered(), whatever becomes
 * of the reader. What a former one could not take comes first.
 *
 * Return: bytes of whole records; 0: there is no event; -EMSGSIZE: the oldest
 * is larger than @max.
 */
ssize_t pxt_reader_stage(struct pxt_reader *reader, size_t max)
{
	size_t needed = 0;

	lockdep_assert_held(&reader->lock);
	if (reader->to == reader->from && reader->mem)
		needed = fetch(reader, max ? min(max, reader->room) :
					     reader->room, !max);
	if (reader->to == reader->from)
		return needed ? -EMSGSIZE : 0;
	if (max && reader->to - reader->from <= max)
		return reader->to - reader->from;
	if (max && pxt_reader_first(reader)->size > max)
		return -EMSGSIZE;
	return pxt_reader_first(reader)->size;
}

/* Was it made when it was taken? See struct pxt_taken. */
static bool was_made(const struct pxt_reader *reader,
		     const struct posixtrace_record *rec)
{
	return !reader->rec->has_log &&
	       (rec->event_id == POSIXTRACE_EV_OVERFLOW ||
		rec->event_id == POSIXTRACE_EV_RESUME);
}

/* How many events count that are in the next @size bytes? */
static u64 count(const struct pxt_reader *reader, size_t size)
{
	const struct posixtrace_record *rec;
	size_t at;
	u64 nr = 0;

	if (size == reader->to - reader->from)
		return reader->nr;
	for (at = reader->from; at < reader->from + size; at += rec->size) {
		rec = reader->mem + at;
		nr += !was_made(reader, rec);
	}
	return nr;
}

/**
 * pxt_reader_delivered() - somebody has the events
 * @reader: the reader; @reader->lock is held
 * @size: bytes of the oldest ones that were staged
 */
void pxt_reader_delivered(struct pxt_reader *reader, size_t size)
{
	u64 nr;

	lockdep_assert_held(&reader->lock);
	nr = count(reader, size);
	WRITE_ONCE(reader->from, reader->from + size);
	reader->nr -= nr;
	WRITE_ONCE(reader->delivered, reader->delivered + nr);
}

/**
 * pxt_reader_clear() - drop what was staged
 * @reader: the reader; @reader->lock is held
 */
void pxt_reader_clear(struct pxt_reader *reader)
{
	forget(reader);
}
