// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Logs: what is read from them
 *
 * A log without its head is none. Anything else may be damaged: a block with a
 * wrong checksum is not used, nor one of whose records any is impossible, and
 * the reader goes on with the next.
 */
#include <stdlib.h>
#include <string.h>

#include "log.h"

#define BYTE_ORDER_MARK	0x01020304

/* What the first version of the format had; later fields follow. */
#define HEAD_SIZE_MIN	344
#define END_SIZE_MIN	120

/* What every log has, though names may be damaged. */
static const char * const fixed_names[POSIXTRACE_EV_USER] =
	POSIXTRACE_EVENT_NAMES;

static struct posixtrace_log_block *header_of(struct pxt_log *log)
{
	return (struct posixtrace_log_block *)log->block;
}

static void *data_of(struct pxt_log *log)
{
	return header_of(log) + 1;
}

/* Whether the data that follows @block, in memory, is what was written. */
static bool is_data_whole(const struct posixtrace_log_block *block)
{
	return pxt_crc32c(block + 1, block->data_size) == block->data_crc;
}

static bool is_terminated(const char *string, size_t size)
{
	return memchr(string, 0, size);
}

static bool is_attr_valid(const struct posixtrace_attr *attr)
{
	return attr->stream_policy >= POSIXTRACE_POLICY_LOOP &&
	       attr->stream_policy <= POSIXTRACE_POLICY_FLUSH &&
	       (attr->inheritance == POSIXTRACE_CLOSE_FOR_CHILD ||
		attr->inheritance == POSIXTRACE_INHERITED) &&
	       (attr->log_policy == POSIXTRACE_POLICY_LOOP ||
		attr->log_policy == POSIXTRACE_POLICY_UNTIL_FULL ||
		attr->log_policy == POSIXTRACE_POLICY_APPEND) &&
	       is_terminated(attr->name, sizeof(attr->name));
}

/* A program of 32 bits can read what it had a kernel of 64 bits write. */
static bool is_machine_like_ours(const struct posixtrace_log_head *head)
{
	return head->byte_order == BYTE_ORDER_MARK &&
	       (head->word_size == sizeof(long) || head->word_size == 8);
}

/*
 * Read the block at @offset, which is of log @id, as far as @limit. Its data is
 * whole. EINVAL: that is not there; then @log->block may hold its header.
 */
static int read_block(struct pxt_log *log, __u64 id, __u64 offset,
		      __u64 limit)
{
	struct posixtrace_log_block *header = header_of(log);
	size_t size = pxt_logfile_read(&log->file, header, limit - offset,
				       offset);	/* at most BLOCK_MAX */

	if (size < sizeof(*header)) {
		memset(header, 0, sizeof(*header));
		return EINVAL;
	}
	if (!pxt_logblock_whole(header, id, offset) ||
	    header->data_size > size - sizeof(*header))
		return EINVAL;
	return is_data_whole(header) ? 0 : EINVAL;
}

static int read_id(struct pxt_log *log)
{
	struct posixtrace_log_block block;

	if (pxt_logfile_read(&log->file, &block, sizeof(block), 0) !=
	    sizeof(block))
		return EINVAL;
	log->id = block.log;
	return 0;
}

/* The data of the block as far as it is there, and as we know it. */
static void copy_known(void *to, size_t size, struct pxt_log *log)
{
	if (size > header_of(log)->data_size)
		size = header_of(log)->data_size;
	memcpy(to, data_of(log), size);
}

static int read_head(struct pxt_log *log)
{
	const struct posixtrace_log_block *block = header_of(log);
	struct posixtrace_log_head *head = &log->head;
	int err = read_id(log);

	if (!err)
		err = read_block(log, log->id, 0, POSIXTRACE_LOG_END_AT);
	if (err)
		return err;
	if (block->type != POSIXTRACE_LOG_HEAD ||
	    block->data_size < HEAD_SIZE_MIN)
		return EINVAL;
	/* Where system calls could not be chosen all were recorded. */
	memset(&head->attr.syscalls, 0xff, sizeof(head->attr.syscalls));
	copy_known(head, sizeof(*head), log);
	if (head->version != POSIXTRACE_LOG_VERSION ||
	    !is_machine_like_ours(head))
		return EINVAL;
	if (!is_terminated(head->generation, TRACE_NAME_MAX) ||
	    !is_attr_valid(&head->attr))
		return EINVAL;
	return 0;
}

static bool is_status_valid(const struct posixtrace_status *status)
{
	return status->running <= 1 && status->full <= 1 &&
	       status->overrun <= 1 && status->flushing <= 1 &&
	       status->flush_error <= 4095 && status->log_overrun <= 1 &&
	       status->log_full <= 1;
}

/* A log that was finished is read as one that was not if its end is damaged. */
static void read_end(struct pxt_log *log)
{
	const struct posixtrace_log_block *block = header_of(log);
	struct posixtrace_log_end *end = &log->end;
	int err = read_block(log, log->id, POSIXTRACE_LOG_END_AT,
			     POSIXTRACE_LOG_NAMES_AT);

	if (err) {
		log->damaged += block->magic == POSIXTRACE_LOG_MAGIC &&
				block->log == log->id;
		return;
	}
	if (block->type == POSIXTRACE_LOG_END &&
	    block->data_size >= END_SIZE_MIN) {
		copy_known(end, sizeof(*end), log);
		log->finished = is_status_valid(&end->status);
	}
	if (!log->finished) {
		memset(end, 0, sizeof(*end));
		log->damaged++;
	}
}

static void add_type(struct pxt_log *log, __u32 id, const char *name)
{
	if (log->named[id])
		return;
	log->named[id] = true;
	log->types[log->types_nr++] = id;
	memcpy(log->names[id], name,
	       strnlen(name, sizeof(log->names[id]) - 1));
}

/* The standard's, and the kernel events that the stream could record. */
static void add_fixed_types(struct pxt_log *log)
{
	const __u64 kernel = log->head.attr.kernel_events.bits[0];
	__u32 id;

	for (id = 1; id < POSIXTRACE_EV_USER; id++) {
		if (id >= POSIXTRACE_EV_KERNEL && !(kernel >> id & 1))
			continue;
		if (fixed_names[id])
			add_type(log, id, fixed_names[id]);
	}
}

/* Names blocks are either good as a whole or not used. */
static bool are_names_valid(const struct posixtrace_log_name *name, size_t size)
{
	if (size % sizeof(*name))
		return false;
	for (; size; size -= sizeof(*name), name++)
		if (!pxt_eventid_valid(name->event_id) ||
		    !is_terminated(name->name, sizeof(name->name)))
			return false;
	return true;
}

/* A block whose header is whole was read to @log->block. */
static bool take_names(struct pxt_log *log)
{
	const struct posixtrace_log_block *block = header_of(log);
	const struct posixtrace_log_name *name = data_of(log);
	size_t i;

	if (!are_names_valid(name, block->data_size))
		return false;
	for (i = 0; i < block->data_size / sizeof(*name); i++)
		add_type(log, name[i].event_id, name[i].name);
	return true;
}

static void read_names(struct pxt_log *log)
{
	struct pxt_logwalk walk = {
		.file = &log->file,
		.log = log->id,
		.at = POSIXTRACE_LOG_NAMES_AT,
		.limit = POSIXTRACE_LOG_EVENTS_AT,
		.buffer = log->block,
	};
	struct posixtrace_log_block block;
	__u64 missing = 0, next = 0;

	add_fixed_types(log);
	while (pxt_logwalk_next(&walk, &block)) {
		if (block.type != POSIXTRACE_LOG_NAMES)
			continue;
		if (block.sequence > next)
			missing += block.sequence - next;
		next = block.sequence + 1;
		if (read_block(log, log->id, block.offset, walk.at) ||
		    walk.at > walk.limit || !take_names(log))
			log->damaged++;
	}
	log->missing_names = missing > walk.broken ? missing : walk.broken;
}

static int build_index(struct pxt_log *log)
{
	struct pxt_logwalk walk = {
		.file = &log->file,
		.log = log->id,
		.at = POSIXTRACE_LOG_EVENTS_AT,
		.limit = log->file.size,
		.buffer = log->block,
	};

	if (log->finished && log->end.file_size < walk.limit)
		walk.limit = log->end.file_size;
	return pxt_logindex_build(&log->index, &walk, &log->head,
				  log->finished ? &log->end : NULL);
}

static int read_all_but_events(struct pxt_log *log)
{
	int err;

	log->block = malloc(POSIXTRACE_LOG_BLOCK_MAX);
	if (!log->block)
		return ENOMEM;
	err = read_head(log);
	if (err)
		return err;
	read_end(log);
	read_names(log);
	return build_index(log);
}

/**
 * pxt_log_open() - take a file for a log
 * @log: where the log goes; the oldest event is the next to be read
 * @fd: descriptor, which remains the application's
 *
 * Return: 0, or
 * * EINVAL: there is no log in it, or none that can be read here
 * * EMFILE: no descriptor is free
 * * ENOMEM: not enough memory
 */
int pxt_log_open(struct pxt_log **log, int fd)
{
	struct pxt_log *new = calloc(1, sizeof(*new));
	int err;

	if (!new)
		return ENOMEM;
	err = pxt_logfile_open(&new->file, fd);
	if (err) {
		free(new);
		return err;
	}
	err = read_all_but_events(new);
	if (err)
		pxt_log_close(new);
	else
		*log = new;
	return err;
}

/**
 * pxt_log_close() - undo pxt_log_open()
 * @log: opened
 */
void pxt_log_close(struct pxt_log *log)
{
	pxt_logfile_close(&log->file);
	free(log->index.blocks);
	free(log->block);
	free(log);
}

/**
 * pxt_log_rewind() - go back to the oldest event
 * @log: opened
 */
void pxt_log_rewind(struct pxt_log *log)
{
	log->next_block = 0;
	log->record = 0;
	log->records_end = 0;
}

/* Whether what is at @from are whole records, @size bytes of them. */
static bool are_records_valid(const unsigned char *from, size_t size)
{
	struct posixtrace_record record;

	for (; size; size -= record.size, from += record.size) {
		if (size < sizeof(record))
			return false;
		memcpy(&record, from, sizeof(record));
		if (record.size > size || record.data_size > record.size ||
		    record.size != POSIXTRACE_RECORD_SIZE(record.data_size))
			return false;
		if (!pxt_eventid_valid(record.event_id) ||
		    record.truncation > POSIXTRACE_TRUNCATED_RECORD)
			return false;
	}
	return true;
}

/* Read a block of the index again, this time with its data. */
static bool load_block(struct pxt_log *log, const struct pxt_logblock *block)
{
	const struct posixtrace_log_block *header = header_of(log);

	return !read_block(log, log->id, block->offset,
			   block->offset + block->size) &&
	       header->type == POSIXTRACE_LOG_EVENTS &&
	       header->sequence == block->sequence &&
	       header->data_size == block->data_size &&
	       are_records_valid(data_of(log), header->data_size);
}

static void load_next_block(struct pxt_log *log)
{
	struct pxt_logblock *block = &log->index.blocks[log->next_block++];

	if (!block->data_size)
		return;
	if (load_block(log, block)) {
		log->record = sizeof(struct posixtrace_log_block);
		log->records_end = log->record + block->data_size;
	} else {
		block->data_size = 0;
		log->damaged++;
	}
}

/**
 * pxt_log_getnext() - read the next event
 * @log: opened
 * @data: where its data goes
 * @num_bytes: at most so many bytes
 * @record: where its description goes; @record.data_size is what was stored at
 *	@data, and @record.truncation tells if that is less than was recorded
 *
 * Return: 0, or
 * * ENODATA: there is no more
 */
int pxt_log_getnext(struct pxt_log *log, void *data, size_t num_bytes,
		    struct posixtrace_record *record)
{
	const unsigned char *from;

	while (log->record == log->records_end) {
		if (log->next_block == log->index.nr)
			return ENODATA;
		load_next_block(log);
	}
	from = log->block + log->record;
	memcpy(record, from, sizeof(*record));
	log->record += record->size;
	if (record->data_size > num_bytes) {
		record->data_size = num_bytes;
		record->truncation = POSIXTRACE_TRUNCATED_READ;
	}
	if (record->data_size)
		memcpy(data, from + sizeof(*record), record->data_size);
	return 0;
}

/**
 * pxt_log_type_name() - name of an event type
 * @log: opened
 * @id: any value
 *
 * Return: the name, null if there is none.
 */
const char *pxt_log_type_name(const struct pxt_log *log, trace_event_id_t id)
{
	return pxt_eventid_valid(id) && log->named[id] ? log->names[id] : NULL;
}

/**
 * pxt_log_next_type() - next type of the list
 * @log: opened
 *
 * Return: its identifier, 0 if there is no more.
 */
trace_event_id_t pxt_log_next_type(struct pxt_log *log)
{
	if (log->next_type == log->types_nr)
		return 0;
	return log->types[log->next_type++];
}

/**
 * pxt_log_get_status() - status at the end
 * @log: opened
 * @status: where it goes. If there is no end, nothing is known but that a log
 *	that looped is full, and has lost events
 */
void pxt_log_get_status(const struct pxt_log *log,
			struct posixtrace_status *status)
{
	*status = log->end.status;
	if (!log->finished) {
		status->log_full = log->index.wrapped;
		status->log_overrun = log->index.wrapped;
	}
}
