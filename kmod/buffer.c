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
	buf->nr_chunks = nr;
	buf->size = size;
	buf->room = size;
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

	for (i = 0; i < buf->nr_chunks && buf->chunks[i]; i++) {
		kmem_cache_free(chunk_cache, buf->chunks[i]);
		cond_resched();
	}
	kvfree(buf->chunks);
	buf->chunks = NULL;
	buf->nr_chunks = 0;
}

/* The place that is @size bytes behind @place. */
static struct pxt_place behind(const struct pxt_buffer *buf,
			       struct pxt_place place, size_t size)
{
	pxt_buffer_advance(buf, &place, size);
	return place;
}

/**
 * pxt_buffer_next_chunk() - a place is beyond the end of its chunk
 * @buf: the buffer
 * @place: set to where that is
 * @at: bytes from the beginning of the chunk, less than all chunks have
 */
void pxt_buffer_next_chunk(const struct pxt_buffer *buf,
			   struct pxt_place *place, size_t at)
{
	place->chunk += at / PXT_CHUNK;
	if (place->chunk >= buf->nr_chunks)
		place->chunk -= buf->nr_chunks;
	place->at = at % PXT_CHUNK;
}

/* Bytes from @place to the end of its chunk. */
static size_t to_chunk_end(struct pxt_place place)
{
	return PXT_CHUNK - place.at;
}

/* Bytes of the record at @place. */
static u32 size_at(const struct pxt_buffer *buf, struct pxt_place place)
{
	return ((const struct posixtrace_record *)
		pxt_buffer_at(buf, place))->size;
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
	pxt_buffer_copy_few(to, from, nr);
}

static noinline void get_pieces(const struct pxt_buffer *buf,
				struct pxt_place at, void *to, size_t len)
{
	size_t piece;

	for (; len; len -= piece) {
		piece = min(len, to_chunk_end(at));
		copy_words(to, pxt_buffer_at(buf, at), piece / sizeof(u64));
		at = behind(buf, at, piece);
		to += piece;
	}
}

/* Copy out of the ring; whole words. */
static void get(const struct pxt_buffer *buf, struct pxt_place at, void *to,
		size_t len)
{
	if (likely(len <= to_chunk_end(at)))
		copy_words(to, pxt_buffer_at(buf, at), len / sizeof(u64));
	else
		get_pieces(buf, at, to, len);
}

/* Remove the oldest records. */
static void drop(struct pxt_buffer *buf, size_t size, u64 nr)
{
	pxt_buffer_advance(buf, &buf->head, size);
	buf->room += size;
	buf->oldest += nr;
	buf->removed += nr;
}

/* Copy into the ring, return the place behind. */
static struct pxt_place put(struct pxt_buffer *buf, struct pxt_place at,
			    const void *from, size_t len)
{
	size_t piece;

	for (; len; len -= piece) {
		piece = min(len, to_chunk_end(at));
		memcpy(pxt_buffer_at(buf, at), from, piece);
		at = behind(buf, at, piece);
		from += piece;
	}
	return at;
}

/**
 * pxt_buffer_store_cut() - store a record that reaches the end of a chunk
 * @buf: the buffer; there is room
 * @rec: the record
 * @data: its data
 */
void pxt_buffer_store_cut(struct pxt_buffer *buf,
			  const struct posixtrace_record *rec,
			  const void *data)
{
	static const u8 zeros[8];
	size_t fill = rec->size - sizeof(*rec) - rec->data_size;

	buf->tail = put(buf, buf->tail, rec, sizeof(*rec));
	buf->tail = put(buf, buf->tail, data, rec->data_size);
	buf->tail = put(buf, buf->tail, zeros, fill);
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
	bool overwrites = rec->size > buf->room;

	if (overwrites) {
		if (!buf->loop || rec->size > buf->size)
			return PXT_NO_ROOM;
		if (!buf->gap) {
			buf->gap = true;
			buf->gap_time = pxt_buffer_next_time(buf);
		}
	}
	pxt_buffer_append_quickly(buf, rec, data);
	return overwrites ? PXT_OVERWROTE : PXT_APPENDED;
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
	if (rec->size > buf->room + buf->reserve)
		return PXT_NO_ROOM;
	pxt_buffer_store(buf, rec, data, rec->size);
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
	return buf->oldest == buf->recorded ? 0 : size_at(buf, buf->head);
}

/**
 * pxt_buffer_next_time() - time stamp of the oldest record
 * @buf: not empty
 *
 * Return: CLOCK_REALTIME, nanoseconds.
 */
u64 pxt_buffer_next_time(const struct pxt_buffer *buf)
{
	size_t to_time = offsetof(struct posixtrace_record, timestamp);

	return *(u64 *)pxt_buffer_at(buf, behind(buf, buf->head, to_time));
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
	struct pxt_place at = buf->head;
	size_t done = 0;
	u64 nr = 0;

	while (nr < max) {
		const u8 *chunk = pxt_buffer_at(buf, at);
		size_t left = to_chunk_end(at), in_chunk = 0, size;

		while (in_chunk < left && nr < max) {
			size = *(const u32 *)(chunk + in_chunk);
			if (done + size > room)
				goto out;
			done += size;
			in_chunk += size;
			nr++;
		}
		at = behind(buf, at, in_chunk);
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

/* Records may be gone that the cursor has not come to. */
static void go_to_oldest(struct pxt_buffer *buf)
{
	if (buf->cursor >= buf->oldest)
		return;
	buf->cursor = buf->oldest;
	buf->cursor_at = buf->head;
}

/**
 * pxt_buffer_peek_size() - bytes of the record under the cursor
 * @buf: the buffer
 *
 * Return: its size, 0 if all were reported.
 */
size_t pxt_buffer_peek_size(struct pxt_buffer *buf)
{
	if (pxt_buffer_peeked_all(buf))
		return 0;
	go_to_oldest(buf);
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
	pxt_buffer_advance(buf, &buf->cursor_at, size);
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
	buf->head = (struct pxt_place) {};
	buf->tail = buf->head;
	buf->room = buf->size;
	buf->removed += buf->recorded - buf->oldest;
	buf->oldest = buf->recorded;
	buf->cursor = buf->recorded;
	buf->cursor_at = buf->head;
	buf->gap = false;
}
