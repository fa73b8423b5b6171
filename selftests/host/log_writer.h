/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes logs, in memory, as linux/posixtrace_log.h says, knowing nothing of
 * the library
 *
 * Each event is made from its number, so that a test sees of any event that it
 * reads whether it is one that was written.
 */
#ifndef HOST_LOG_WRITER_H
#define HOST_LOG_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <linux/posixtrace_log.h>

#define LOG_FILE_MAX	(1 << 20)
#define LOG_BLOCKS_MAX	4096
#define LOG_USER	POSIXTRACE_EV_USER
#define LOG_USERS	3	/* user event types, "user0", ... */

/**
 * struct log_place - an events block
 * @offset: where it is; 0: not any more
 * @size: bytes in the file
 * @data_size: bytes of records
 * @first: number of its first event
 * @events: how many it has
 */
struct log_place {
	__u64 offset;
	__u32 size;
	__u32 data_size;
	__u64 first;
	__u64 events;
};

/**
 * struct log_writer - a log
 * @head: data of the head block
 * @id: in each block
 * @names_at: where the next names block goes
 * @names: how many there are
 * @at: where the next events block goes
 * @blocks: how many there were
 * @round: bytes of records in this round
 * @next: number of the next event
 * @size: bytes of the file
 * @places: the blocks by number
 * @bytes: the file
 */
struct log_writer {
	struct posixtrace_log_head head;
	__u64 id;
	__u64 names_at;
	__u64 names;
	__u64 at;
	__u64 blocks;
	__u64 round;
	__u64 next;
	size_t size;
	struct log_place places[LOG_BLOCKS_MAX];
	unsigned char bytes[LOG_FILE_MAX];
};

/* CRC-32C, bit by bit. */
static __u32 log_crc(const void *data, size_t size)
{
	const unsigned char *at = data;
	__u32 crc = ~0u;
	int bit;

	while (size--) {
		crc ^= *at++;
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
	}
	return ~crc;
}

/* Calculate the checksum of a header again. */
static inline void log_seal(void *header)
{
	struct posixtrace_log_block *block = header;

	block->header_crc = log_crc(block, offsetof(struct posixtrace_log_block,
						    header_crc));
}

/* The same for a block with its data. */
static inline void log_seal_all(void *header)
{
	struct posixtrace_log_block *block = header;

	block->data_crc = log_crc(block + 1, block->data_size);
	log_seal(block);
}

static inline void log_write(struct log_writer *w, __u32 type,
			     __u64 sequence, const void *data, size_t size,
			     __u64 *at)
{
	struct posixtrace_log_block *block = (void *)(w->bytes + *at);
	size_t all = (sizeof(*block) + size + 7) & ~7ul;

	if (*at + all > sizeof(w->bytes))
		abort();
	memset(block, 0, all);
	*block = (struct posixtrace_log_block){
		.magic = POSIXTRACE_LOG_MAGIC,
		.type = type,
		.log = w->id,
		.offset = *at,
		.sequence = sequence,
		.size = all,
		.data_size = size,
	};
	memcpy(block + 1, data, size);
	log_seal_all(block);
	*at += all;
	if (*at > w->size)
		w->size = *at;
}

/* Over whatever is in @w->bytes, as a new stream does it. */
static inline void log_begin_over(struct log_writer *w, __u64 id,
				  __u32 policy, __u64 log_size)
{
	__u64 at = 0;

	w->head = (struct posixtrace_log_head){
		.version = POSIXTRACE_LOG_VERSION,
		.byte_order = 0x01020304,
		.word_size = sizeof(long),
		.clock_resolution = 1,
		.target = 1234,
		.owner = 4321,
		.generation = "writer 1.0",
		.attr = {
			.size = sizeof(w->head.attr),
			.stream_policy = POSIXTRACE_POLICY_FLUSH,
			.inheritance = POSIXTRACE_INHERITED,
			.log_policy = policy,
			.stream_size = 65536,
			.max_data_size = 256,
			.log_size = log_size,
			.create_time = 1700000000123456789,
			.name = "the log",
		},
	};
	w->id = id;
	w->names_at = POSIXTRACE_LOG_NAMES_AT;
	w->names = 0;
	w->at = POSIXTRACE_LOG_EVENTS_AT;
	w->blocks = 0;
	w->round = 0;
	w->next = 0;
	w->size = POSIXTRACE_LOG_EVENTS_AT;
	memset(w->bytes, 0, POSIXTRACE_LOG_NAMES_AT);
	log_write(w, POSIXTRACE_LOG_HEAD, 0, &w->head, sizeof(w->head), &at);
}

static inline struct log_writer *log_begin(__u32 policy, __u64 log_size)
{
	struct log_writer *w = calloc(1, sizeof(*w));

	if (!w)
		abort();
	log_begin_over(w, 0x1122334455667788, policy, log_size);
	return w;
}

static inline void log_add_name(struct log_writer *w, __u32 id,
				const char *name)
{
	struct posixtrace_log_name entry = { .event_id = id };

	memcpy(entry.name, name, strnlen(name, POSIXTRACE_EVENT_NAME_MAX));
	log_write(w, POSIXTRACE_LOG_NAMES, w->names++, &entry, sizeof(entry),
		  &w->names_at);
}

static inline const char *log_user_name(unsigned int i)
{
	static const char * const name[LOG_USERS] = {
		"user0", "user1", "user2"
	};

	return name[i];
}

static inline void log_add_users(struct log_writer *w)
{
	unsigned int i;

	for (i = 0; i < LOG_USERS; i++)
		log_add_name(w, LOG_USER + i, log_user_name(i));
}

/* Event @n, with its data, which is at most 41 bytes. */
static inline size_t log_event(__u64 n, struct posixtrace_record *r)
{
	unsigned char *data = (unsigned char *)(r + 1);
	__u32 i;

	*r = (struct posixtrace_record){
		.data_size = n * 7 % 42,
		.event_id = LOG_USER + n % LOG_USERS,
		.truncation = n % 5 == 4,
		.pid = 1000 + n % 10,
		.tid = 2000 + n % 100,
		.timestamp = 1700000001000000000 + n,
		.thread = 0x7f0000000000 + n,
		.address = 0x400000 + n,
	};
	r->size = POSIXTRACE_RECORD_SIZE(r->data_size);
	memset(data, 0, r->size - sizeof(*r));
	for (i = 0; i < r->data_size; i++)
		data[i] = n + i;
	return r->size;
}

/* What a block at this place covers is gone. */
static inline void log_cover(struct log_writer *w, __u64 from, __u64 to)
{
	__u64 i;

	for (i = 0; i < w->blocks; i++) {
		struct log_place *place = &w->places[i];

		if (place->offset < to && place->offset + place->size > from)
			place->offset = 0;
	}
}

static inline void log_add_data(struct log_writer *w, const void *data,
				size_t size, __u64 first, __u64 events)
{
	__u64 from = w->at;

	if (w->blocks == LOG_BLOCKS_MAX)
		abort();
	log_write(w, POSIXTRACE_LOG_EVENTS, w->blocks, data, size, &w->at);
	log_cover(w, from, w->at);
	w->places[w->blocks++] = (struct log_place){
		.offset = from,
		.size = w->at - from,
		.data_size = size,
		.first = first,
		.events = events,
	};
	w->round += size;
}

/* A block of the next @events events; less if the round ends (LOOP). */
static inline __u64 log_add_block(struct log_writer *w, __u64 events)
{
	static unsigned char data[POSIXTRACE_LOG_BLOCK_MAX]
		__attribute__((aligned(8)));
	const struct posixtrace_attr *attr = &w->head.attr;
	__u64 first = w->next, n = 0, room = sizeof(data) - 100;
	size_t size = 0;

	if (attr->log_policy != POSIXTRACE_POLICY_APPEND &&
	    room > attr->log_size - w->round)
		room = attr->log_size - w->round;
	while (n < events) {
		size_t more = log_event(w->next, (void *)(data + size));

		if (size + more > room)
			break;
		size += more;
		w->next++;
		n++;
	}
	if (n)
		log_add_data(w, data, size, first, n);
	return n;
}

/* The next @events events, as the policy has it. */
static inline void log_add(struct log_writer *w, __u64 events)
{
	__u64 n;

	while (events) {
		n = log_add_block(w, events);
		events -= n;
		if (!events || w->head.attr.log_policy !=
			       POSIXTRACE_POLICY_LOOP)
			break;
		w->round = 0;
		w->at = POSIXTRACE_LOG_EVENTS_AT;
	}
}

static inline void log_finish(struct log_writer *w,
			      const struct posixtrace_status *status)
{
	struct posixtrace_log_end end = {
		.blocks = w->blocks,
		.file_size = w->size,
		.status = *status,
	};
	__u64 at = POSIXTRACE_LOG_END_AT;

	log_write(w, POSIXTRACE_LOG_END, 0, &end, sizeof(end), &at);
}

/*
 * Number of the oldest block of the log. LOOP: it and all later ones are there,
 * and together they have no more than the log-max-size.
 */
static inline __u64 log_oldest(const struct log_writer *w)
{
	bool ring = w->head.attr.log_policy == POSIXTRACE_POLICY_LOOP;
	__u64 i = w->blocks, size = 0;

	while (i && w->places[i - 1].offset) {
		size += w->places[i - 1].data_size;
		if (ring && size > w->head.attr.log_size)
			break;
		i--;
	}
	return i;
}

#endif /* HOST_LOG_WRITER_H */
