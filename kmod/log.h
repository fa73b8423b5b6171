/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The log of a stream: blocks in a file, see linux/posixtrace_log.h.
 *
 * All writing is done in the context of a kernel worker, with the credentials
 * of whoever opened the file: no signal reaches the tracer, and a limit on the
 * size of files is applied here.
 */
#ifndef PXT_LOG_H
#define PXT_LOG_H

#include <linux/types.h>
#include <linux/posixtrace.h>
#include <linux/posixtrace_log.h>

struct file;
struct mem_cgroup;
struct pxt_evtypes;
struct pxt_flush;
struct pxt_recorder;

/**
 * struct pxt_log - a log that is being written
 * @file: the log, with a reference
 * @memcg: what the pages of the file are charged to: the owner's as of creation,
 *	with a reference
 * @id: in each block, see struct posixtrace_log_block
 * @policy: POSIXTRACE_POLICY_*; constant
 * @size: bytes for records; constant
 * @file_max: bytes that the file may have, as of creation; constant
 * @head: data of the head block; constant
 * @block: memory for an events block, or one of the others but names
 * @block_size: bytes there; constant
 * @names_block: memory for a names block, NAMES_PER_BLOCK of them
 * @names: where the next names block goes
 * @names_nr: names blocks written
 * @types_nr: entries of the table of event types that are written
 * @at: where the next events block goes
 * @blocks: events blocks written
 * @round: bytes of records since @at was at the beginning
 * @end: behind the last block, however often it looped
 * @full: @size was reached
 *
 * A part of the flusher, whose lock covers it. Without log it is zero.
 */
struct pxt_log {
	struct file *file;
	struct mem_cgroup *memcg;
	u64 id;
	u32 policy;
	u64 size;
	u64 file_max;
	struct posixtrace_log_head head;
	struct posixtrace_log_block *block;
	size_t block_size;
	struct posixtrace_log_block *names_block;
	u64 names;
	u64 names_nr;
	u32 types_nr;
	u64 at;
	u64 blocks;
	u64 round;
	u64 end;
	bool full;
};

int pxt_log_init_all(void);
void pxt_log_exit_all(void);

size_t pxt_log_room(const struct posixtrace_attr *attr);
int pxt_log_open(struct pxt_log *log, int fd,
		 const struct posixtrace_attr *attr);
void pxt_log_release(struct pxt_log *log);

int pxt_log_begin(struct pxt_log *log, pid_t target, pid_t owner);
int pxt_log_restart(struct pxt_log *log);
int pxt_log_flush(struct pxt_log *log, struct pxt_flush *flush,
		  struct pxt_recorder *rec, const struct pxt_evtypes *types);
int pxt_log_finish(struct pxt_log *log, const struct pxt_evtypes *types,
		   const struct posixtrace_status *status);

#endif /* PXT_LOG_H */
