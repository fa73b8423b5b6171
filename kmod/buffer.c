// SPDX-License-Identifier: GPL-2.0-only
/*
 * The room of a stream, see buffer.h.
 *
 * Also built on the host, for unit tests and fuzzing.
 */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "buffer.h"

/*
 * Chunks come back here when a stream ends, and go to the next one as they are:
 * what a reader is given was written for this stream. The constructor tells the
 * allocator that it is not to clear them, neither when they are given out nor
 * (init_on_free=1) when they come back.
 */
static struct kmem_cache *chunk_cache;

static void construct(void *chunk)
{
	memset(chunk, 0, PXT_CHUNK);
}

/**
 * pxt_buffer_cache_init() - prepare for buffers
 *
 * Return: 0, or -ENOMEM.
 */
int pxt_buffer_cache_init(void)
{
	chunk_cache = kmem_cache_create("posixtrace_chunk", PXT_CHUNK,
					sizeof(u64), SLAB_ACCOUNT, construct);
	return chunk_cache ? 0 : -ENOMEM;
}

/**
 * pxt_buffer_cache_exit() - undo pxt_buffer_cache_init()
 *
 * Context: all buffers were destroyed.
 */
void pxt_buffer_cache_exit(void)
{
	kmem_cache_destroy(chunk_cache);
}

static size_t nr_chunks(size_t size)
{
	return DIV_ROUND_UP(size, PXT_CHUNK);
}

/**
 * pxt_buffer_room() - the memory of a buffer
 * @size: bytes for events, with the reserve
 *
 * Return: bytes that are taken.
 */
u64 pxt_buffer_room(size_t size)
{
	return (u64)nr_chunks(size) *
	       (PXT_CHUNK + sizeof(void *) + sizeof(u8 *));
}

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
	/* Rather fail than have somebody killed for a large stream. */
	gfp_t gfp = GFP_KERNEL_ACCOUNT | __GFP_NOWARN | __GFP_RETRY_MAYFAIL;
	size_t nr, i;

	memset(buf, 0, sizeof(*buf));
	if (size > INT_MAX - reserve)
		return -ENOMEM;
	nr = nr_chunks(size + reserve);
	buf->chunks = kvcalloc(nr, sizeof(*buf->chunks), gfp);
	if (!buf->chunks)
		return -ENOMEM;
	buf->total = nr * PXT_CHUNK;
	buf->size = size;
	buf->reserve = reserve;
	buf->loop = loop;
	for (i = 0; i < nr; i++) {
		buf->chunks[i] = kmem_cache_alloc(chunk_cache, gfp);
		if (!buf->chunks[i]) {
			pxt_buffer_destroy(buf);
			return -ENOMEM;
		}
		cond_resched();
	}
	return 0;
}

/**
 * pxt_buffer_destroy() - free the memory
 * @buf: nobody uses it any more
 *
 * Context: may sleep.
 */
void pxt_buffer_destroy(struct pxt_buffer *buf)
{
	size_t i;

	for (i = 0; i < buf->total / PXT_CHUNK && buf->chunks[i]; i++) {
		kmem_cache_free(chunk_cache, buf->chunks[i]);
		cond_resched();
	}
	kvfree(buf->chunks);
	buf->chunks = NULL;
	buf->total = 0;
}

/* The offset that is @size bytes behind @at. */
static size_t advance(const struct pxt_buffer *buf, size_t at, size_t size)
{
	at += size;
	return at < buf->total ? at : at - buf->total;
}

static void *at_offset(const struct pxt_buffer *buf, size_t at)
{
	return buf->chunks[at / PXT_CHUNK] + at % PXT_CHUNK;
}

/* Bytes from @at to the end of its chunk. */
static size_t to_chunk_end(size_t at)
{
	return PXT_CHUNK - at % PXT_CHUNK;
}

/* Bytes of the record at @at. */
static u32 size_at(const struct pxt_buffer *buf, size_t at)
{
	return ((const struct posixtrace_record *)at_offset(buf, at))->size;
}

/* To set memcpy() up costs more than the few words of a record. */
static __always_inline void copy_few(u64 *to, const u64 *from, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		to[i] = from[i];
		barrier();	/* or the compiler makes it a memcpy() */
	}
}

static __always_inline void copy_words(u64 *to, const u64 *from, size_t nr)
{
	for (; nr >= 8; nr -= 8, to += 8, from += 8) {
		to[0] = from[0];
		to[1] = from[1];
		to[2] = from[2];
		to[3] = from[3];
		to[4] = from[4];
		to[5] = from[5];
		to[6] = from[6];
		to[7] = from[7];
	}
	copy_few(to, from, nr);
}

static noinline void get_pieces(const struct pxt_buffer *buf, size_t at,
				void *to, size_t len)
{
	size_t piece;

	for (; len; len -= piece) {
		piece = min(len, to_chunk_end(at));
		copy_words(to, at_offset(buf, at), piece / sizeof(u64));
		at = advance(buf, at, piece);
		to += piece;
	}
}

/* Copy out of the ring; whole words. */
static void get(const struct pxt_buffer *buf, size_t at, void *to, size_t len)
{
	if (likely(len <= to_chunk_end(at)))
		copy_words(to, at_offset(buf, at), len / sizeof(u64));
	else
		get_pieces(buf, at, to, len);
}

/* Remove the oldest records; a cursor that is on one goes to the next. */
static void drop(struct pxt_buffer *buf, size_t size, u64 nr)
{
	buf->head = advance(buf, buf->head, size);
	buf->used -= size;
	buf->oldest += nr;
	if (buf->cursor < buf->oldest) {
		buf->cursor = buf->oldest;
		buf->cursor_at = buf->head;
	}
}

static void overwrite_oldest(struct pxt_buffer *buf)
{
	if (!buf->gap) {
		buf->gap = true;
		buf->gap_time = pxt_buffer_next_time(buf);
	}
	buf->overwritten++;
	drop(buf, size_at(buf, buf->head), 1);
}

/* Copy into the ring, return the offset behind. */
static size_t put(struct pxt_buffer *buf, size_t at, const void *from,
		  size_t len)
{
	size_t piece;

	for (; len; len -= piece) {
		piece = min(len, to_chunk_end(at));
		memcpy(at_offset(buf, at), from, piece);
		at = advance(buf, at, piece);
		from += piece;
	}
	return at;
}

/* A record that the end of a chunk cuts. */
static noinline void store_cut(struct pxt_buffer *buf,
			       const struct posixtrace_record *rec,
			       const void *data)
{
	static const u8 zeros[8];
	size_t at = put(buf, buf->tail, rec, sizeof(*rec));

	at = put(buf, at, data, rec->data_size);
	put(buf, at, zeros, rec->size - sizeof(*rec) - rec->data_size);
}

/* A record, and what fills its last word up. */
static __always_inline void store_whole(struct posixtrace_record *to,
					const struct posixtrace_record *rec,
					const void *data)
{
	size_t words = rec->data_size / sizeof(u64);
	size_t rest = rec->data_size % sizeof(u64);
	u64 *last = (u64 *)(to + 1) + words;

	*to = *rec;
	copy_few((u64 *)(to + 1), data, words);
	if (rest) {
		*last = 0;
		memcpy(last, data + words * sizeof(u64), rest);
	}
}

static __always_inline void store(struct pxt_buffer *buf,
				  const struct posixtrace_record *rec,
				  const void *data, size_t size)
{
	if (likely(size <= to_chunk_end(buf->tail)))
		store_whole(at_offset(buf, buf->tail), rec, data);
	else
		store_cut(buf, rec, data);
	buf->tail = advance(buf, buf->tail, size);
	buf->used += size;
	buf->recorded++;
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
	size_t size = rec->size;

	if (size > buf->size)
		return PXT_NO_ROOM;
	while (buf->used + size > buf->size) {
		if (!buf->loop)
			return PXT_NO_ROOM;
		overwrite_oldest(buf);
		result = PXT_OVERWROTE;
	}
	store(buf, rec, data, size);
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
	store(buf, rec, data, rec->size);
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
	return buf->used ? size_at(buf, buf->head) : 0;
}

/**
 * pxt_buffer_next_time() - time stamp of the oldest record
 * @buf: not empty
 *
 * Return: CLOCK_REALTIME, nanoseconds.
 */
u64 pxt_buffer_next_time(const struct pxt_buffer *buf)
{
	size_t at = advance(buf, buf->head,
			    offsetof(struct posixtrace_record, timestamp));

	return *(u64 *)at_offset(buf, at);
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

/*
 * How many of the oldest records, of which there are at least @max, fit in @room
 * bytes, and how many bytes are these? From chunk to chunk: what follows one
 * record is looked up only there.
 */
static u64 fitting(const struct pxt_buffer *buf, size_t room, u64 max,
		   size_t *bytes)
{
	size_t at = buf->head, done = 0;
	u64 nr = 0;

	while (nr < max) {
		const u8 *chunk = at_offset(buf, at);
		size_t left = to_chunk_end(at), in_chunk = 0, size;

		while (in_chunk < left && nr < max) {
			size = *(const u32 *)(chunk + in_chunk);
			if (done + size > room)
				goto out;
			done += size;
			in_chunk += size;
			nr++;
		}
		at = advance(buf, at, in_chunk);
	}
out:
	*bytes = done;
	return nr;
}

/**
 * pxt_buffer_take_many() - take the oldest records out
 * @buf: the buffer
 * @to: @room bytes
 * @room: how many
 * @until: only records with a lower number than this
 *
 * Return: bytes stored, of as many whole records as fit; 0 if there is none, or
 * it does not fit.
 */
size_t pxt_buffer_take_many(struct pxt_buffer *buf, void *to, size_t room,
			    u64 until)
{
	u64 max = min(until, buf->recorded);
	size_t size;
	u64 nr;

	if (max <= buf->oldest)
		return 0;
	nr = fitting(buf, room, max - buf->oldest, &size);
	get(buf, buf->head, to, size);
	drop(buf, size, nr);
	return size;
}

/**
 * pxt_buffer_peek_size() - bytes of the record under the cursor
 * @buf: the buffer
 *
 * Return: its size, 0 if all were reported.
 */
size_t pxt_buffer_peek_size(const struct pxt_buffer *buf)
{
	if (buf->cursor == buf->recorded)
		return 0;
	return size_at(buf, buf->cursor_at);
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
	buf->cursor_at = advance(buf, buf->cursor_at, size);
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
	buf->tail = 0;
	buf->used = 0;
	buf->oldest = buf->recorded;
	buf->cursor = buf->recorded;
	buf->cursor_at = 0;
	buf->gap = false;
}
