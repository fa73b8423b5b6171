/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The room of a stream: event records in their order, in a fixed number of
 * bytes. It knows no task, no file and no user memory, and takes no lock.
 */
#ifndef PXT_BUFFER_H
#define PXT_BUFFER_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/posixtrace.h>

/*
 * The ring is made of chunks, so that its memory need not lie in one piece. The
 * allocator has a word of its own behind each: see chunk_cache.
 */
#define PXT_CHUNK	(4096UL - sizeof(void *))

/* Sizes of u32 are compared with signed ones. */
static_assert(sizeof(ssize_t) > sizeof(u32));

/**
 * struct pxt_place - where a byte of the ring is
 * @chunk: index of its chunk
 * @at: its offset in that, less than PXT_CHUNK
 */
struct pxt_place {
	u32 chunk;
	u32 at;
};

/**
 * struct pxt_buffer - ring of whole event records
 * @chunks: memory of the ring, PXT_CHUNK bytes each
 * @nr_chunks: how many, which have at least @size + @reserve bytes
 * @size: room that any event may use; what the stream-min-size promises
 * @reserve: room beyond it, for events that must not be lost
 * @head: the oldest record
 * @tail: behind the newest one
 * @room: bytes of @size that are free; below 0 if the reserve is in use
 * @oldest: number of the oldest record, or of the next one if there is none
 * @recorded: records ever appended: the number of the next one
 * @cursor: number of the next record that pxt_buffer_peek() reports, unless
 *	that is gone: then it is the oldest one
 * @cursor_at: where it is
 * @loop: an event that does not fit overwrites the oldest ones
 * @gap: a record was overwritten since pxt_buffer_close_gap()
 * @gap_time: time stamp of the first one that was
 * @removed: records that were taken out or cleared; others that are gone were
 *	overwritten
 *
 * A record may be cut by the end of a chunk, so that no byte is wasted there;
 * a word of it never is. Lives as long as the recorder that it is a part of,
 * whose lock covers it.
 */
struct pxt_buffer {
	u8 **chunks;
	size_t nr_chunks;
	ssize_t size;
	ssize_t reserve;
	struct pxt_place head;
	struct pxt_place tail;
	ssize_t room;
	u64 oldest;
	u64 recorded;
	u64 cursor;
	struct pxt_place cursor_at;
	bool loop;
	bool gap;
	u64 gap_time;
	u64 removed;
};

/* What became of an event, see pxt_buffer_append(). */
enum pxt_append {
	PXT_APPENDED,		/* it is in the buffer */
	PXT_OVERWROTE,		/* likewise, in the place of older ones */
	PXT_NO_ROOM,		/* nothing changed */
};

int pxt_buffer_cache_init(void);
void pxt_buffer_cache_exit(void);

u64 pxt_buffer_room(size_t size);
int pxt_buffer_init(struct pxt_buffer *buf, size_t size, size_t reserve,
		    bool loop);
void pxt_buffer_destroy(struct pxt_buffer *buf);

void pxt_buffer_next_chunk(const struct pxt_buffer *buf,
			   struct pxt_place *place, size_t at);
void pxt_buffer_store_cut(struct pxt_buffer *buf,
			  const struct posixtrace_record *rec,
			  const void *data);
enum pxt_append pxt_buffer_append(struct pxt_buffer *buf,
				  const struct posixtrace_record *rec,
				  const void *data);
enum pxt_append pxt_buffer_append_reserved(struct pxt_buffer *buf,
					   const struct posixtrace_record *rec,
					   const void *data);

size_t pxt_buffer_next_size(const struct pxt_buffer *buf);
u64 pxt_buffer_next_time(const struct pxt_buffer *buf);
size_t pxt_buffer_take(struct pxt_buffer *buf, void *to);
size_t pxt_buffer_take_many(struct pxt_buffer *buf, void *to, size_t room,
			    u64 until);
size_t pxt_buffer_peek_size(struct pxt_buffer *buf);
size_t pxt_buffer_peek(struct pxt_buffer *buf, void *to);
void pxt_buffer_close_gap(struct pxt_buffer *buf);
void pxt_buffer_clear(struct pxt_buffer *buf);

/* Were all records reported? Also a hint for those who don't hold the lock. */
static inline bool pxt_buffer_peeked_all(const struct pxt_buffer *buf)
{
	u64 recorded = READ_ONCE(buf->recorded);

	return READ_ONCE(buf->cursor) == recorded ||
	       READ_ONCE(buf->oldest) == recorded;
}

/* Records ever that newer ones took the place of. */
static inline u64 pxt_buffer_overwritten(const struct pxt_buffer *buf)
{
	return buf->oldest - buf->removed;
}

/* Number of the oldest record, or of the next one if there is none. */
static inline u64 pxt_buffer_oldest(const struct pxt_buffer *buf)
{
	return buf->oldest;
}

/* Is at least half of the room free, apart from @beyond bytes in the reserve? */
static inline bool pxt_buffer_half_free(const struct pxt_buffer *buf,
					size_t beyond)
{
	return buf->size - buf->room <= buf->size / 2 + (ssize_t)beyond;
}

/* Does a new event take the place of old ones? */
static inline bool pxt_buffer_loops(const struct pxt_buffer *buf)
{
	return buf->loop;
}

/* Is a part of the reserve in use? */
static inline bool pxt_buffer_reserve_used(const struct pxt_buffer *buf)
{
	return buf->room < 0;
}

/*
 * From here on: appending. It is done for each event in each stream, so it has
 * no call in it, but where the end of a chunk is in the way.
 */

static __always_inline void *pxt_buffer_at(const struct pxt_buffer *buf,
					   struct pxt_place place)
{
	return buf->chunks[place.chunk] + place.at;
}

static __always_inline void pxt_buffer_advance(const struct pxt_buffer *buf,
					       struct pxt_place *place,
					       size_t size)
{
	u32 end = place->at + size;

	if (likely(end < PXT_CHUNK))
		place->at = end;
	else
		pxt_buffer_next_chunk(buf, place, end);
}

/* To set memcpy() up costs more than the few words of a record. */
static __always_inline void pxt_buffer_copy_few(u64 *to, const u64 *from,
						size_t nr)
{
	size_t i = nr & 1;

	if (i)
		to[0] = from[0];
	for (; i < nr; i += 2) {
		to[i] = from[i];
		to[i + 1] = from[i + 1];
		barrier();	/* or the compiler makes it a memcpy() */
	}
}

/* A record, and what fills its last word up. */
static __always_inline void
pxt_buffer_store_whole(struct posixtrace_record *to,
		       const struct posixtrace_record *rec, const void *data)
{
	size_t words = rec->data_size / sizeof(u64);
	size_t rest = rec->data_size % sizeof(u64);
	u64 *last = (u64 *)(to + 1) + words;

	*to = *rec;
	pxt_buffer_copy_few((u64 *)(to + 1), data, words);
	if (rest) {
		*last = 0;
		memcpy(last, data + words * sizeof(u64), rest);
	}
}

static __always_inline void
pxt_buffer_store(struct pxt_buffer *buf, const struct posixtrace_record *rec,
		 const void *data, u32 size)
{
	u32 end = buf->tail.at + size;

	if (likely(end < PXT_CHUNK)) {
		pxt_buffer_store_whole(pxt_buffer_at(buf, buf->tail), rec, data);
		buf->tail.at = end;
	} else {
		pxt_buffer_store_cut(buf, rec, data);
	}
	buf->room -= size;
	buf->recorded++;
}

/* The oldest record is gone. */
static __always_inline void pxt_buffer_overwrite(struct pxt_buffer *buf)
{
	const struct posixtrace_record *oldest = pxt_buffer_at(buf, buf->head);
	size_t size = oldest->size;

	pxt_buffer_advance(buf, &buf->head, size);
	buf->room += size;
	buf->oldest++;
}

/**
 * pxt_buffer_append_quickly() - append an event if there is nothing else to do
 * @buf: the buffer
 * @rec: as for pxt_buffer_append()
 * @data: likewise
 *
 * Return: true if there was room, or older events were overwritten already; else
 * nothing changed.
 */
static __always_inline bool
pxt_buffer_append_quickly(struct pxt_buffer *buf,
			  const struct posixtrace_record *rec, const void *data)
{
	u32 size = rec->size;

	if (size > buf->room) {
		if (!buf->gap || size > buf->size)
			return false;
		do
			pxt_buffer_overwrite(buf);
		while (unlikely(size > buf->room));
	}
	pxt_buffer_store(buf, rec, data, size);
	return true;
}

#endif /* PXT_BUFFER_H */
