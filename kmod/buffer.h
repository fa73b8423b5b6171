/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The room of a stream: event records in their order, in a fixed number of
 * bytes. It knows no task, no file and no user memory, and takes no lock.
 */
#ifndef PXT_BUFFER_H
#define PXT_BUFFER_H

#include <linux/types.h>
#include <linux/posixtrace.h>

/*
 * The ring is made of chunks, so that its memory need not lie in one piece. The
 * allocator has a word of its own behind each: see chunk_cache.
 */
#define PXT_CHUNK	(4096UL - sizeof(void *))

/**
 * struct pxt_buffer - ring of whole event records
 * @chunks: memory of the ring, PXT_CHUNK bytes each
 * @total: bytes of the ring: of all chunks, at least @size + @reserve
 * @size: room that any event may use; what the stream-min-size promises
 * @reserve: room beyond it, for events that must not be lost
 * @head: offset of the oldest record in the ring
 * @tail: offset behind the newest one
 * @used: bytes of all records
 * @oldest: number of the oldest record, or of the next one if there is none
 * @recorded: records ever appended: the number of the next one
 * @cursor: number of the next record that pxt_buffer_peek() reports
 * @cursor_at: its offset
 * @loop: an event that does not fit overwrites the oldest ones
 * @gap: a record was overwritten since pxt_buffer_close_gap()
 * @gap_time: time stamp of the first one that was
 * @overwritten: records that newer ones took the place of
 *
 * A record may be cut by the end of a chunk, so that no byte is wasted there;
 * a word of it never is. Lives as long as the recorder that it is a part of,
 * whose lock covers it.
 */
struct pxt_buffer {
	u8 **chunks;
	size_t total;
	size_t size;
	size_t reserve;
	size_t head;
	size_t tail;
	size_t used;
	u64 oldest;
	u64 recorded;
	u64 cursor;
	size_t cursor_at;
	bool loop;
	bool gap;
	u64 gap_time;
	u64 overwritten;
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
size_t pxt_buffer_peek_size(const struct pxt_buffer *buf);
size_t pxt_buffer_peek(struct pxt_buffer *buf, void *to);
void pxt_buffer_close_gap(struct pxt_buffer *buf);
void pxt_buffer_clear(struct pxt_buffer *buf);

/* Number of the oldest record, or of the next one if there is none. */
static inline u64 pxt_buffer_oldest(const struct pxt_buffer *buf)
{
	return buf->oldest;
}

/* Is at least half of the room free, apart from @beyond bytes in the reserve? */
static inline bool pxt_buffer_half_free(const struct pxt_buffer *buf,
					size_t beyond)
{
	return buf->used <= buf->size / 2 + beyond;
}

/* Does a new event take the place of old ones? */
static inline bool pxt_buffer_loops(const struct pxt_buffer *buf)
{
	return buf->loop;
}

/* Is a part of the reserve in use? */
static inline bool pxt_buffer_reserve_used(const struct pxt_buffer *buf)
{
	return buf->used > buf->size;
}

#endif /* PXT_BUFFER_H */
