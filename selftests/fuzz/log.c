// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzer of the reader of logs: any file is refused or read to its end, the
 * second time as the first. See log_input.h.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <trace.h>
#include <unistd.h>

#include "../../lib/log.h"
#include "log_input.h"

#define FILE_MAX	(POSIXTRACE_LOG_EVENTS_AT + 8 * 65536 + 65536)
#define LOG_ID		0x1122334455667788

static const __u64 areas[] = {
	0, POSIXTRACE_LOG_END_AT, POSIXTRACE_LOG_NAMES_AT,
	POSIXTRACE_LOG_EVENTS_AT
};

#define must_be(condition) do {						\
	if (!(condition)) {						\
		fprintf(stderr, "%d: %s\n", __LINE__, #condition);	\
		abort();						\
	}								\
} while (0)

/* Make @size bytes at @file + @at a block. */
static void seal(unsigned char *file, __u64 at, size_t size, __u8 how)
{
	struct posixtrace_log_block *block = (void *)(file + at);

	if (how == PART_RAW || size < sizeof(*block))
		return;
	block->magic = POSIXTRACE_LOG_MAGIC;
	block->log = LOG_ID;
	block->offset = at;
	if (how & PART_SIZES) {
		block->data_size = size - sizeof(*block);
		block->size = (size + 7) & ~7ul;
	}
	if (how != PART_NO_CRC && block->data_size <= FILE_MAX - at - 48)
		block->data_crc = pxt_crc32c(block + 1, block->data_size);
	block->header_crc = pxt_crc32c(block,
				       offsetof(struct posixtrace_log_block,
						header_crc));
}

/* Put the parts together. Return: size of the file. */
static size_t build(unsigned char *file, const __u8 *data, size_t size)
{
	size_t end = 0;

	while (size > sizeof(struct part)) {
		const struct part *part = (const void *)data;
		__u64 at = areas[part->area % 4] +
			   8 * (part->at[0] | part->at[1] << 8);
		size_t n = part->size[0] | part->size[1] << 8;

		data += sizeof(*part);
		size -= sizeof(*part);
		if (n > size)
			n = size;
		memcpy(file + at, data, n);
		seal(file, at, n, part->how);
		data += n;
		size -= n;
		if (at + n > end)
			end = at + n;
	}
	return (end + 7) & ~7ul;
}

/* A number that tells whether the same was read again. */
static __u64 mix(__u64 sum, const void *data, size_t size)
{
	return sum * 31 + pxt_crc32c(data, size);
}

static __u64 read_events(trace_id_t trid, size_t room)
{
	static unsigned char data[POSIXTRACE_LOG_BLOCK_MAX];
	struct posix_trace_event_info event;
	__u64 sum = 0;
	size_t len;
	int none;

	for (;;) {
		memset(&event, 0, sizeof(event));
		must_be(!posix_trace_getnext_event(trid, &event, data, room,
						   &len, &none));
		if (none)
			return sum;
		must_be(len <= room);
		must_be(event.posix_event_id &&
			event.posix_event_id < POSIXTRACE_EVENT_MAX);
		sum = mix(sum, &event, sizeof(event));
		sum = mix(sum, data, len);
	}
}

static __u64 read_types(trace_id_t trid)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_event_id_t id;
	int none, n = 0;
	__u64 sum = 0;

	must_be(!posix_trace_eventtypelist_rewind(trid));
	for (;;) {
		must_be(!posix_trace_eventtypelist_getnext_id(trid, &id,
							      &none));
		if (none)
			break;
		must_be(!posix_trace_eventid_get_name(trid, id, name));
		sum = mix(mix(sum, &id, sizeof(id)), name, strlen(name));
		n++;
	}
	must_be(n >= 9 && n < POSIXTRACE_EVENT_MAX);
	return sum;
}

static __u64 read_rest(trace_id_t trid)
{
	struct posix_trace_status_info status;
	struct posix_trace_log_info_np info;
	char name[TRACE_NAME_MAX + 1];
	trace_attr_t attr;

	must_be(!posix_trace_attr_init(&attr));
	must_be(!posix_trace_get_attr(trid, &attr));
	must_be(!posix_trace_attr_getname(&attr, name));
	must_be(!posix_trace_attr_getgenversion(&attr, name));
	must_be(!posix_trace_get_status(trid, &status));
	must_be(!posix_trace_get_log_info_np(trid, &info));
	must_be(info.posix_blocks <= FILE_MAX / 96);
	return mix(mix(mix(0, &attr, sizeof(attr)), &status, sizeof(status)),
		   &info, sizeof(info));
}

static void read_log(int fd)
{
	trace_id_t trid;
	__u64 sum, rest, types;

	if (posix_trace_open(fd, &trid))
		return;
	types = read_types(trid);
	sum = read_events(trid, POSIXTRACE_LOG_BLOCK_MAX);
	rest = read_rest(trid);
	must_be(!posix_trace_rewind(trid));
	read_events(trid, 5);
	must_be(!posix_trace_rewind(trid));
	must_be(sum == read_events(trid, POSIXTRACE_LOG_BLOCK_MAX));
	must_be(types == read_types(trid));
	must_be(rest == read_rest(trid));
	must_be(!posix_trace_close(trid));
}

int fuzz_log(const __u8 *data, size_t size)
{
	static unsigned char *file;
	static int fd = -1;
	size_t end;

	if (fd < 0) {
		fd = memfd_create("log", 0);
		must_be(fd >= 0 && !ftruncate(fd, FILE_MAX));
		file = mmap(NULL, FILE_MAX, PROT_READ | PROT_WRITE, MAP_SHARED,
			    fd, 0);
		must_be(file != MAP_FAILED);
	}
	must_be(!ftruncate(fd, 0) && !ftruncate(fd, FILE_MAX));
	end = build(file, data, size);
	must_be(!ftruncate(fd, end));
	read_log(fd);
	return 0;
}
