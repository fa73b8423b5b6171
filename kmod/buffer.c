// SPDX-License-Identifier: GPL-2.0-only
/*
 * The room of a stream, see buffer.h.
 *
 * Also built on the host, for unit tests and fuzzing.
 */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "buffer.h"

/**
 * pxt_buffer_init() - allocate an empty buffer
 * @buf: to be initialized
 * @size: bytes that any event may use, a multiple of 8
 * @reserve: bytes beyond, for pxt_buffer_append_reserved(); a multiple of 8
 * @loop: overwrite the oldest events when there is no room
 *
 * The memory is accounted to the caller. Context: may sleep.
 *
 * Return: 0, or -ENOMEM.
 */
int pxt_buffer_init(struct pxt_buffer *buf, size_t size, size_t reserve,
		    bool loop)
{
	memset(buf, 0, sizeof(*buf));
	if (size > INT_MAX - reserve)
		return -ENOMEM;
	/* Rather fail than have somebody killed for a large stream. */
	buf->mem = kvmalloc(size + reserve, GFP_KERNEL_ACCOUNT |
			    __GFP_NOWARN | __GFP_RETRY_MAYFAIL);
	if (!buf->mem)
		return -ENOMEM;
	buf->size = size;
	buf->reserve = reserve;
	buf->loop = loop;
	return 0;
}

/**
 * pxt_buffer_destroy() - free the memory
 * @buf: nobody uses it any more
 */
void pxt_buffer_destroy(struct pxt_buffer *buf)
{
	kvfree(buf->mem);
	buf->mem = NULL;
}

static size_t wrap(const struct pxt_buffer *buf, size_t offset)
{
	size_t total = buf->size + buf->reserve;

	return offset < total ? offset : offset - total;
}

/* Records are short: a loop over words costs less than setting memcpy() up. */
#define SHORT	256

static void copy_words(void *to, const void *from, size_t len)
{
	const u64 *f = from;
	u64 *t = to;

	while (len) {
		*t++ = *f++;
		OPTIMIZER_HIDE_VAR(t);
		len -= sizeof(*t);
	}
}

/* @len is a multiple of 8, both addresses are. */
static void copy(void *to, const void *from, size_t len)
{
	if (len <= SHORT)
		copy_words(to, from, len);
	else
		memcpy(to, from, len);
}

/* Copy @len bytes out of the ring; whole words. */
static void get(const struct pxt_buffer *buf, size_t at, void *to, size_t len)
{
	size_t first = buf->size + buf->reserve - at;

	if (likely(len <= first)) {
		copy(to, buf->mem + at, len);
		return;
	}
	copy(to, buf->mem + at, first);
	copy(to + first, buf->mem, len - first);
}

/* The header at @at: in place, or in @wrapped if it is cut by the ring's end. */
static const struct posixtrace_record *
header_at(const struct pxt_buffer *buf, size_t at,
	  struct posixtrace_record *wrapped)
{
	if (likely(buf->size + buf->reserve - at >= sizeof(*wrapped)))
		return (void *)(buf->mem + at);
	get(buf, at, wrapped, sizeof(*wrapped));
	return wrapped;
}

/* Remove the oldest records; a cursor that is on one goes to the next. */
static void drop(struct pxt_buffer *buf, size_t size, u64 nr)
{
	buf->head = wrap(buf, buf->head + size);
	buf->used -= size;
	buf->records -= nr;
	if (buf->cursor <= pxt_buffer_oldest(buf)) {
		buf->cursor = pxt_buffer_oldest(buf);
		buf->cursor_at = buf->head;
	}
}

static void overwrite_oldest(struct pxt_buffer *buf)
{
	struct posixtrace_record wrapped;
	const struct posixtrace_record *oldest;

	oldest = header_at(buf, buf->head, &wrapped);
	if (!buf->gap) {
		buf->gap = true;
		buf->gap_time = oldest->timestamp;
	}
	buf->overwritten++;
	drop(buf, oldest->size, 1);
}

/* Copy @len bytes into the ring, return the offset behind them. */
static size_t put(struct pxt_buffer *buf, size_t at, const void *from,
		  size_t len)
{
	size_t first = buf->size + buf->reserve - at;

	if (likely(len < first)) {
		memcpy(buf->mem + at, from, len);
		return at + len;
	}
	memcpy(buf->mem + at, from, first);
	memcpy(buf->mem, from + first, len - first);
	return len - first;
}

/* A record that the ring's end cuts. */
static void store_wrapped(struct pxt_buffer *buf, size_t at,
			  const struct posixtrace_record *rec,
			  const void *data, size_t pad)
{
	static const u8 zeros[8];

	at = put(buf, at, rec, sizeof(*rec));
	if (rec->data_size)
		at = put(buf, at, data, rec->data_size);
	put(buf, at, zeros, pad);
}

static void store(struct pxt_buffer *buf, const struct posixtrace_record *rec,
		  const void *data)
{
	size_t pad = rec->size - sizeof(*rec) - rec->data_size;
	size_t at = wrap(buf, buf->head + buf->used);
	u8 *to = buf->mem + at;

	if (likely(buf->size + buf->reserve - at >= rec->size)) {
		/* The last word first: its rest is the padding. */
		*(u64 *)(to + rec->size - sizeof(u64)) = 0;
		copy_words(to, rec, sizeof(*rec));
		if (!pad)
			copy(to + sizeof(*rec), data, rec->data_size);
		else
			memcpy(to + sizeof(*rec), data, rec->data_size);
	} else {
		store_wrapped(buf, at, rec, data, pad);
	}
	buf->used += rec->size;
	buf->recorded++;
	buf->records++;
}

/**
 * pxt_buffer_append() - append an event
 * @buf: the buffer
 * @rec: its description; @rec.size is POSIXTRACE_RECORD_SIZE(@rec.data_size)
 * @data: @rec.data_size bytes
 *
 * An event larger than the whole buffer overwrites nothing.
 *
 * Context: any; no sleep.
 *
 * Return: PXT_OVERWROTE only from a looping buffer.
 */
enum pxt_append pxt_buffer_append(struct pxt_buffer *buf,
				  const struct posixtrace_record *rec,
				  const void *data)
{
	enum pxt_append result = PXT_APPENDED;

	if (rec->size > buf->size)
		return PXT_NO_ROOM;
	while (buf->used + rec->size > buf->size) {
		if (!buf->loop)
			return PXT_NO_ROOM;
		overwrite_oldest(buf);
		result = PXT_OVERWROTE;
	}
	store(buf, rec, data);
	return result;
}

/**
 * pxt_buffer_append_reserved() - append an event that must not be lost
 * @buf: the buffer
 * @rec: as for pxt_buffer_append()
 * @data: likewise
 *
 * Uses the reserve when the room does not suffice; overwrites nothing.
 *
 * Context: any; no sleep.
 *
 * Return: PXT_APPENDED or PXT_NO_ROOM.
 */
enum pxt_append pxt_buffer_append_reserved(struct pxt_buffer *buf,
					   const struct posixtrace_record *rec,
					   const void *data)
{
	if (buf->used + rec->size > buf->size + buf->reserve)
		return PXT_NO_ROOM;
	store(buf, rec, data);
	return PXT_APPENDED;
}

/**
 * pxt_buffer_next_size() - bytes of the oldest record
 * @buf: the buffer
 *
 * Return: its size, 0 if there is none.
 */
size_t pxt_buffer_next_size(const struct pxt_buffer *buf)
{
	struct posixtrace_record wrapped;

	return buf->used ? header_at(buf, buf->head, &wrapped)->size : 0;
}

/**
 * pxt_buffer_next_time() - time stamp of the oldest record
 * @buf: not empty
 *
 * Return: CLOCK_REALTIME, nanoseconds.
 */
u64 pxt_buffer_next_time(const struct pxt_buffer *buf)
{
	struct posixtrace_record wrapped;

	return header_at(buf, buf->head, &wrapped)->timestamp;
}

/**
 * pxt_buffer_take() - take the oldest record out
 * @buf: the buffer
 * @to: pxt_buffer_next_size() bytes
 *
 * Return: bytes stored, 0 if there is no record.
 */
size_t pxt_buffer_take(struct pxt_buffer *buf, void *to)
{
	size_t size = pxt_buffer_next_size(buf);

	if (!size)
		return 0;
	get(buf, buf->head, to, size);
	drop(buf, size, 1);
	return size;
}

/**
 * pxt_buffer_take_many() - take the oldest records out
 * @buf: the buffer
 * @to: @room bytes
 * @room: how many
 * @until: only records with a lower number than this
 *
 * Return: bytes stored, of whole records: as many as fit and lie in one piece,
 * one at least if it fits. 0 if there is none, or it does not fit.
 */
size_t pxt_buffer_take_many(struct pxt_buffer *buf, void *to, size_t room,
			    u64 until)
{
	size_t end = buf->size + buf->reserve - buf->head;
	u64 oldest = pxt_buffer_oldest(buf), nr = 0;
	struct posixtrace_record wrapped;
	size_t size, done = 0;

	until = min(until, buf->recorded);
	while (oldest + nr < until && done < end) {
		size = header_at(buf, buf->head + done, &wrapped)->size;
		/* One that the ring's end cuts comes alone. */
		if (done + size > room || (done + size > end && done))
			break;
		done += size;
		nr++;
	}
	get(buf, buf->head, to, done);
	drop(buf, done, nr);
	return done;
}

/**
 * pxt_buffer_peek_size() - bytes of the record under the cursor
 * @buf: the buffer
 *
 * Return: its size, 0 if all were reported.
 */
size_t pxt_buffer_peek_size(const struct pxt_buffer *buf)
{
	struct posixtrace_record wrapped;

	if (buf->cursor == buf->recorded)
		return 0;
	return header_at(buf, buf->cursor_at, &wrapped)->size;
}

/**
 * pxt_buffer_peek() - report each record once, without taking it out
 * @buf: the buffer
 * @to: pxt_buffer_peek_size() bytes
 *
 * Records that were removed before the cursor came to them are skipped.
 *
 * Return: bytes stored, 0 if all were reported.
 */
size_t pxt_buffer_peek(struct pxt_buffer *buf, void *to)
{
	size_t size = pxt_buffer_peek_size(buf);

	if (!size)
		return 0;
	get(buf, buf->cursor_at, to, size);
	buf->cursor++;
	buf->cursor_at = wrap(buf, buf->cursor_at + size);
	return size;
}

/**
 * pxt_buffer_close_gap() - forget that records were overwritten
 * @buf: the next one that is overwritten opens a new gap
 */
void pxt_buffer_close_gap(struct pxt_buffer *buf)
{
	buf->gap = false;
}

/**
 * pxt_buffer_clear() - drop all records
 * @buf: empty afterwards, without gap; the counters stay
 */
void pxt_buffer_clear(struct pxt_buffer *buf)
{
	buf->head = 0;
	buf->used = 0;
	buf->records = 0;
	buf->cursor = buf->recorded;
	buf->cursor_at = 0;
	buf->gap = false;
}
