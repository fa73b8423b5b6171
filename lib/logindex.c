// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Where the blocks of a log are
 *
 * From a whole header the walk goes to the block behind it. Elsewhere (a part of
 * an old block that was not overwritten, or damage) it looks at every multiple
 * of 8. Then those of the blocks found are chosen that are the log. Without LOOP
 * these are all. With LOOP they are a ring: behind the youngest block come the
 * oldest ones, up to the end of the file; after the youngest of these the ring
 * goes on at the beginning.
 *
 *	EVENTS_AT			 youngest
 *	| 104 | 105 | 106 | 107 | 108 | 109 |  /  | 101 | 102 | 103 | 92 | 93 |
 *					      oldest		      not it
 *
 * Behind the end of a round the last blocks of an earlier one may be left over,
 * in the picture 92 and 93, whose successors were overwritten. If 91 was as
 * long as 103 is now they look like a part of the ring, but for the gap between
 * their numbers and those of the ring. Damage causes gaps, too. So a block that
 * is found beyond a gap is taken only if the missing ones had a place: if it
 * stands before the gap also in the file, and there is room. At the end of a
 * round there must be signs of damage.
 */
#include <stdlib.h>
#include <string.h>

#include "log.h"

/* The least that a block with an event takes. */
#define BLOCK_MIN	(sizeof(struct posixtrace_log_block) + \
			 sizeof(struct posixtrace_record))

/* Step over what can't be read: less than this is seldom unreadable alone. */
#define SECTOR		4096

/**
 * pxt_logblock_whole() - whether this is a header of a block
 * @block: any bytes
 * @log: only of this log
 * @offset: where they are
 *
 * Return: true if it is; then the sizes that it tells are consistent.
 */
bool pxt_logblock_whole(const struct posixtrace_log_block *block, __u64 log,
			__u64 offset)
{
	if (block->magic != POSIXTRACE_LOG_MAGIC || block->log != log ||
	    block->offset != offset)
		return false;
	if (block->header_crc !=
	    pxt_crc32c(block, offsetof(struct posixtrace_log_block, header_crc)))
		return false;
	return block->size % 8 == 0 && block->size >= sizeof(*block) &&
	       block->size <= POSIXTRACE_LOG_BLOCK_MAX &&
	       block->data_size <= block->size - sizeof(*block);
}

/*
 * Whether it was a header of a block, before it was damaged a little. Those of
 * other logs, and copies from elsewhere, are whole. Old ones of a ring are not
 * damaged but overwritten, from their beginning on.
 */
static bool is_broken(const struct posixtrace_log_block *block, __u64 log,
		      __u64 offset)
{
	return block->magic == POSIXTRACE_LOG_MAGIC &&
	       (block->log == log || block->offset == offset) &&
	       !pxt_logblock_whole(block, block->log, block->offset);
}

static bool check_header(struct pxt_logwalk *walk,
			 const struct posixtrace_log_block *block,
			 __u64 offset)
{
	if (pxt_logblock_whole(block, walk->log, offset))
		return true;
	walk->broken += is_broken(block, walk->log, offset);
	return false;
}

static bool read_header(struct pxt_logwalk *walk,
			struct posixtrace_log_block *block)
{
	return walk->limit - walk->at >= sizeof(*block) &&
	       pxt_logfile_read(walk->file, block, sizeof(*block), walk->at) ==
	       sizeof(*block) &&
	       check_header(walk, block, walk->at);
}

/* The next whole header in the @size bytes that are at @walk->at. */
static bool find_in_buffer(struct pxt_logwalk *walk, size_t size)
{
	const size_t header = sizeof(struct posixtrace_log_block);
	const char *buffer = walk->buffer;
	size_t i;

	for (i = 0; i + header <= size; i += 8) {
		const void *here = buffer + i;

		if (check_header(walk, here, walk->at + i)) {
			walk->at += i;
			return true;
		}
	}
	walk->at += i;
	return false;
}

static bool find_header(struct pxt_logwalk *walk)
{
	const size_t header = sizeof(struct posixtrace_log_block);
	__u64 left;
	size_t size;

	for (;;) {
		walk->at = pxt_logfile_next_data(walk->file, walk->at);
		if (walk->at >= walk->limit || walk->limit - walk->at < header)
			return false;
		left = walk->limit - walk->at;
		size = left < POSIXTRACE_LOG_BLOCK_MAX ?
		       left : POSIXTRACE_LOG_BLOCK_MAX;
		size = pxt_logfile_read(walk->file, walk->buffer, size,
					walk->at);
		if (size < header)
			walk->at += SECTOR;
		else if (find_in_buffer(walk, size))
			return true;
	}
}

/**
 * pxt_logwalk_next() - find the next block
 * @walk: goes on behind it
 * @block: where its header goes
 *
 * Its data is not looked at, and need not be in the file.
 *
 * Return: false if there is none.
 */
bool pxt_logwalk_next(struct pxt_logwalk *walk,
		      struct posixtrace_log_block *block)
{
	while (walk->at < walk->limit) {
		if (read_header(walk, block)) {
			walk->at += block->size;
			return true;
		}
		walk->at += 8;
		if (!find_header(walk))
			return false;
	}
	return false;
}

static int add_block(struct pxt_logindex *index,
		     const struct posixtrace_log_block *block)
{
	struct pxt_logblock *blocks = index->blocks;

	if (index->nr == index->room) {
		index->room = index->room ? 2 * index->room : 64;
		blocks = reallocarray(blocks, index->room, sizeof(*blocks));
		if (!blocks)
			return ENOMEM;
		index->blocks = blocks;
	}
	blocks[index->nr++] = (struct pxt_logblock){
		.offset = block->offset,
		.sequence = block->sequence,
		.size = block->size,
		.data_size = block->data_size,
	};
	return 0;
}

/* All events blocks that are there, whatever they have to do with the log. */
static int collect(struct pxt_logindex *index, struct pxt_logwalk *walk,
		   const struct posixtrace_log_end *end)
{
	struct posixtrace_log_block block;
	int err = 0;

	while (!err && pxt_logwalk_next(walk, &block)) {
		if (block.type != POSIXTRACE_LOG_EVENTS ||
		    block.data_size < sizeof(struct posixtrace_record))
			continue;
		if (end && block.sequence >= end->blocks)
			continue;
		err = add_block(index, &block);
	}
	return err;
}

static int compare(const void *a, const void *b)
{
	const struct pxt_logblock *l = a, *r = b;

	if (l->sequence != r->sequence)
		return l->sequence < r->sequence ? -1 : 1;
	return (l->offset > r->offset) - (l->offset < r->offset);
}

/* Blocks between @from and @to that there should be. */
static __u64 gap(const struct pxt_logblock *from, const struct pxt_logblock *to)
{
	return to->sequence - from->sequence - 1;
}

/**
 * struct ring - what is known when the blocks are chosen
 * @loop: the log is a ring
 * @youngest: its youngest block
 * @lost: at most so many blocks may be missing at the end of the file
 */
struct ring {
	bool loop;
	struct pxt_logblock youngest;
	__u64 lost;
};

/* Can @before be the next one of the log that is there before @next? */
static bool is_before(const struct pxt_logblock *before,
		      const struct pxt_logblock *next, const struct ring *ring)
{
	const bool old_round = before->offset > ring->youngest.offset;
	const bool next_is_old = next->offset > ring->youngest.offset;
	__u64 from = before->offset + before->size;

	if (before->sequence >= next->sequence || (old_round && !ring->loop))
		return false;
	if (old_round == next_is_old)
		return from <= next->offset &&
		       gap(before, next) <= (next->offset - from) / BLOCK_MIN;
	if (!old_round)
		return false;
	/* The end of a round; there may also be some missing at the begin. */
	from = POSIXTRACE_LOG_EVENTS_AT;
	return gap(before, next) <=
	       ring->lost + (next->offset - from) / BLOCK_MIN;
}

/*
 * Let the chosen blocks remain. The array is sorted; from its end on its upper
 * part becomes those that were chosen.
 */
static void choose(struct pxt_logindex *index, const struct ring *ring,
		   __u64 log_size)
{
	struct pxt_logblock *blocks = index->blocks;
	size_t next = index->nr - 1;
	size_t i = next;
	__u64 size = ring->youngest.data_size;

	while (i--) {
		if (!is_before(&blocks[i], &blocks[next], ring))
			continue;
		size += blocks[i].data_size;
		if (ring->loop && size > log_size)
			break;
		index->missing += gap(&blocks[i], &blocks[next]);
		blocks[--next] = blocks[i];
	}
	index->nr -= next;
	memmove(blocks, blocks + next, index->nr * sizeof(*blocks));
}

/* What is missing before the first block. */
static void look_at_begin(struct pxt_logindex *index, bool ring)
{
	const struct pxt_logblock *first = index->blocks;
	const struct pxt_logblock *last = first + index->nr - 1;
	const __u64 room = first->offset - POSIXTRACE_LOG_EVENTS_AT;
	const bool at_begin = !room;

	index->wrapped = ring && first->sequence &&
			 (at_begin || first->offset > last->offset ||
			  first->sequence > room / BLOCK_MIN);
	if (!index->wrapped)
		index->missing += first->sequence;
	else if (!at_begin && first->offset <= last->offset)
		index->missing++;	/* or more of them */
}

/* Bytes that there were behind the end of the file. */
static __u64 cut_off(const struct pxt_logwalk *walk,
		     const struct posixtrace_log_end *end)
{
	if (!end || end->file_size <= walk->file->size)
		return 0;
	return end->file_size - walk->file->size;
}

/* As many blocks are missing as had damaged headers, if not more. */
static __u64 least_missing(const struct pxt_logwalk *walk,
			   const struct posixtrace_log_end *end)
{
	return walk->broken || !cut_off(walk, end) ? walk->broken : 1;
}

/**
 * pxt_logindex_build() - find the events blocks of a log
 * @index: zero
 * @walk: over the area that they are in
 * @head: of the log
 * @end: of the log; null if it has none
 *
 * Return: 0, or
 * * ENOMEM: not enough memory; what is in @index remains to be freed
 */
int pxt_logindex_build(struct pxt_logindex *index, struct pxt_logwalk *walk,
		       const struct posixtrace_log_head *head,
		       const struct posixtrace_log_end *end)
{
	struct ring ring = {
		.loop = head->attr.log_policy == POSIXTRACE_POLICY_LOOP,
	};
	__u64 behind = 0, cut;
	int err = collect(index, walk, end);

	if (err)
		return err;
	cut = cut_off(walk, end);
	ring.lost = walk->broken + cut / BLOCK_MIN + !!cut;
	if (index->nr) {
		qsort(index->blocks, index->nr, sizeof(*index->blocks),
		      compare);
		ring.youngest = index->blocks[index->nr - 1];
		behind = ring.youngest.sequence + 1;
		choose(index, &ring, head->attr.log_size);
		look_at_begin(index, ring.loop);
	}
	if (end)
		index->missing += end->blocks - behind;
	if (index->missing < least_missing(walk, end))
		index->missing = least_missing(walk, end);
	return 0;
}
