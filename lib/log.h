/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reading of logs, see linux/posixtrace_log.h for what is in them
 *
 *   log.c		what is read from a log, one event after the other
 *   logindex.c		where its blocks are
 *   logfile.c		its bytes
 *
 * A log may have been written by anybody. What is read from the file is checked
 * before it is used, and again if it is read again: the file can change at any
 * time. It is read, never mapped, since a mapping of a file that is cut short
 * kills whoever looks at it. Memory is taken for one block at a time, and for
 * the index.
 *
 * Nothing here locks; prerecorded.c lets only one thread at a time use a log.
 */
#ifndef PXT_LOG_H
#define PXT_LOG_H

#include <sys/types.h>
#include <linux/posixtrace_log.h>

#include "internal.h"

/**
 * struct pxt_logfile - the file that a log is in
 * @fd: descriptor of our own
 * @private: its offset is nobody else's, so that it can be moved
 * @dev: with @ino, by which the file is known
 * @ino: see @dev
 * @size: bytes in it when it was opened
 */
struct pxt_logfile {
	int fd;
	bool private;
	dev_t dev;
	ino_t ino;
	__u64 size;
};

int pxt_logfile_open(struct pxt_logfile *file, int fd);
void pxt_logfile_close(struct pxt_logfile *file);
size_t pxt_logfile_read(const struct pxt_logfile *file, void *to, size_t size,
			__u64 offset);
__u64 pxt_logfile_next_data(const struct pxt_logfile *file, __u64 offset);

/**
 * struct pxt_logblock - where an events block is
 * @offset: in the file
 * @sequence: its number
 * @size: bytes in the file
 * @data_size: bytes of records; 0: they were found damaged
 */
struct pxt_logblock {
	__u64 offset;
	__u64 sequence;
	__u32 size;
	__u32 data_size;
};

/**
 * struct pxt_logindex - the events blocks of a log
 * @blocks: oldest first
 * @nr: how many
 * @room: elements that there is memory for
 * @missing: blocks that should be there and are not, as far as their absence
 *	shows
 * @wrapped: LOOP: older blocks than these were overwritten
 */
struct pxt_logindex {
	struct pxt_logblock *blocks;
	size_t nr;
	size_t room;
	__u64 missing;
	bool wrapped;
};

/**
 * struct pxt_logwalk - a walk over the blocks in a part of a file
 * @file: the file
 * @log: only blocks of this log
 * @at: where it goes on
 * @limit: where it ends
 * @buffer: memory of POSIXTRACE_LOG_BLOCK_MAX bytes
 * @broken: damaged headers that it came past
 */
struct pxt_logwalk {
	const struct pxt_logfile *file;
	__u64 log;
	__u64 at;
	__u64 limit;
	void *buffer;
	__u64 broken;
};

bool pxt_logblock_whole(const struct posixtrace_log_block *block, __u64 log,
			__u64 offset);
bool pxt_logwalk_next(struct pxt_logwalk *walk,
		      struct posixtrace_log_block *block);
int pxt_logindex_build(struct pxt_logindex *index, struct pxt_logwalk *walk,
		       const struct posixtrace_log_head *head,
		       const struct posixtrace_log_end *end);

/**
 * struct pxt_log - a log that is read
 * @file: where it is
 * @id: number in each of its blocks
 * @head: what it begins with
 * @end: what it ends with; zero if it has no end
 * @finished: it has an end
 * @damaged: blocks that were not used because they are damaged, so far
 * @missing_names: names blocks that were not found, as far as that shows
 * @named: which event types have a name
 * @names: their names
 * @types: identifiers of those that have a name, in the order of the list
 * @types_nr: how many
 * @next_type: element of @types to be reported next
 * @index: its events blocks
 * @next_block: element of @index to be read next
 * @block: memory of POSIXTRACE_LOG_BLOCK_MAX bytes; records of a block
 * @record: next record there
 * @records_end: behind the last record there
 */
struct pxt_log {
	struct pxt_logfile file;
	__u64 id;
	struct posixtrace_log_head head;
	struct posixtrace_log_end end;
	bool finished;
	__u64 damaged;
	__u64 missing_names;

	bool named[POSIXTRACE_EVENT_MAX];
	char names[POSIXTRACE_EVENT_MAX][POSIXTRACE_EVENT_NAME_MAX + 1];
	__u16 types[POSIXTRACE_EVENT_MAX];
	size_t types_nr;
	size_t next_type;

	struct pxt_logindex index;
	size_t next_block;
	unsigned char *block;
	size_t record;
	size_t records_end;
};

int pxt_log_open(struct pxt_log **log, int fd);
void pxt_log_close(struct pxt_log *log);
void pxt_log_rewind(struct pxt_log *log);
int pxt_log_getnext(struct pxt_log *log, void *data, size_t num_bytes,
		    struct posixtrace_record *record);
const char *pxt_log_type_name(const struct pxt_log *log, trace_event_id_t id);
trace_event_id_t pxt_log_next_type(struct pxt_log *log);
void pxt_log_get_status(const struct pxt_log *log,
			struct posixtrace_status *status);

#endif /* PXT_LOG_H */
