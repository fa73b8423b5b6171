/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * posixtrace: format of trace logs, version 1
 *
 * The kernel module writes a log, anybody reads it, on any machine of the same
 * byte order. A log is a sequence of blocks. Each block starts at a multiple
 * of 8 bytes with a struct posixtrace_log_block, which says where in the file it
 * belongs and to which log, so that neither a copy at another place nor the
 * remains of an older log are taken for it.
 *
 *   offset			content
 *   0				head block, as long as POSIXTRACE_LOG_END_AT
 *   POSIXTRACE_LOG_END_AT	end block; not there while the log is written
 *   POSIXTRACE_LOG_NAMES_AT	names blocks, one after the other
 *   POSIXTRACE_LOG_EVENTS_AT	events blocks
 *
 * Events blocks carry consecutive numbers (@sequence), from 0 on. With the log
 * policies APPEND and UNTIL_FULL they follow one another in the file. With LOOP
 * the writer returns to POSIXTRACE_LOG_EVENTS_AT whenever the records of this
 * round reach the log-max-size; what it writes there covers the oldest
 * blocks. To read:
 *
 *   1. Walk over the area from POSIXTRACE_LOG_EVENTS_AT to the end of the
 *      file. A block whose header is not whole is stepped over by 8 bytes at a
 *      time: behind the youngest block of a round the next old one starts
 *      somewhere.
 *   2. Of the blocks found, those with the youngest number and its consecutive
 *      predecessors are the log, as far as their records together do not exceed
 *      the log-max-size (LOOP only).
 *   3. Check the data of a block before its records are used.
 *
 * A reader must expect any bytes: a length is checked against what is there
 * before it is used, and no block is used whose checksums are wrong.
 *
 * A log without an end block is still being written, or the machine died: what
 * was flushed is there all the same. Names are written before the events that
 * use them.
 *
 * Growth: a reader accepts the version that it knows and steps over types of
 * blocks that it does not know. New fields are put at the end of the data of a
 * block, where older readers do not look; whatever they would misunderstand
 * gets a new version.
 */
#ifndef _UAPI_LINUX_POSIXTRACE_LOG_H
#define _UAPI_LINUX_POSIXTRACE_LOG_H

#include <linux/types.h>
#include <linux/posixtrace.h>

#define POSIXTRACE_LOG_VERSION		1

#define POSIXTRACE_LOG_END_AT		4096
#define POSIXTRACE_LOG_NAMES_AT		8192
#define POSIXTRACE_LOG_EVENTS_AT	(8192 + 131072)

/* Largest block, header and padding included. */
#define POSIXTRACE_LOG_BLOCK_MAX	(256 * 1024)

#define POSIXTRACE_LOG_MAGIC		0x4c545850	/* "PXTL" */

enum posixtrace_log_type {
	POSIXTRACE_LOG_HEAD		= 1,	/* struct posixtrace_log_head */
	POSIXTRACE_LOG_NAMES		= 2,	/* struct posixtrace_log_name[] */
	POSIXTRACE_LOG_EVENTS		= 3,	/* struct posixtrace_record[] */
	POSIXTRACE_LOG_END		= 4,	/* struct posixtrace_log_end */
};

/**
 * struct posixtrace_log_block - start of every block
 * @magic: POSIXTRACE_LOG_MAGIC, in the byte order of the writer
 * @type: enum posixtrace_log_type
 * @log: drawn at random for each log, the same in all of its blocks
 * @offset: of this block in the file
 * @sequence: events blocks: their number; names blocks: likewise, of their own
 *	kind; else 0
 * @size: bytes of the block with header, data and padding, a multiple of 8
 * @data_size: bytes of data, which follow the header
 * @data_crc: CRC-32C of the data
 * @header_crc: CRC-32C of this header up to this field
 *
 * CRC-32C as in iSCSI: reflected polynomial 0x82f63b78, initial value and final
 * exclusive or 0xffffffff.
 */
struct posixtrace_log_block {
	__u32 magic;
	__u32 type;
	__u64 log;
	__u64 offset;
	__u64 sequence;
	__u32 size;
	__u32 data_size;
	__u32 data_crc;
	__u32 header_crc;
};

/**
 * struct posixtrace_log_head - data of the head block
 * @version: POSIXTRACE_LOG_VERSION
 * @byte_order: 0x01020304 as the writer stores it
 * @word_size: bytes of a long of the writer's kernel
 * @clock_resolution: of the time stamps, nanoseconds
 * @target: pid of the traced process, in the pid namespace of the owner
 * @owner: pid of the process that made the stream, likewise
 * @generation: origin and version of the writer, NUL-terminated
 * @attr: of the stream, in force
 */
struct posixtrace_log_head {
	__u32 version;
	__u32 byte_order;
	__u32 word_size;
	__u32 clock_resolution;
	__s32 target;
	__s32 owner;
	char generation[POSIXTRACE_NAME_MAX + 1];
	struct posixtrace_attr attr;
};

/**
 * struct posixtrace_log_name - an event type
 * @event_id: identifier
 * @__reserved: 0
 * @name: NUL-terminated
 */
struct posixtrace_log_name {
	__u32 event_id;
	__u32 __reserved;
	char name[POSIXTRACE_EVENT_NAME_MAX + 1];
};

/**
 * struct posixtrace_log_end - data of the end block
 * @blocks: events blocks ever written; the youngest has the number @blocks - 1
 * @file_size: of the whole log
 * @status: what POSIXTRACE_IOC_GET_STATUS would have said at the end
 */
struct posixtrace_log_end {
	__u64 blocks;
	__u64 file_size;
	struct posixtrace_status status;
};

#endif /* _UAPI_LINUX_POSIXTRACE_LOG_H */
