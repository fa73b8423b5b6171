// SPDX-License-Identifier: GPL-2.0-only
/*
 * The log of a stream, see log.h.
 */
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/resource.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uio.h>

#include <crypto/hash.h>

#include "compat.h"
#include "evtype.h"
#include "log.h"
#include "outlet.h"

#define STOP_SIZE	POSIXTRACE_RECORD_SIZE(sizeof(int))

/* Origin and version, also what posix_trace_attr_getgenversion() says. */
#define GENERATION	"posixtrace 0.1"

/* CRC-32C, by the processor where it can. */
static struct crypto_shash *crc32c;

/**
 * pxt_log_init_all() - prepare for logs
 *
 * Return: 0, or an error of crypto_alloc_shash().
 */
int pxt_log_init_all(void)
{
	crc32c = crypto_alloc_shash("crc32c", 0, 0);
	return PTR_ERR_OR_ZERO(crc32c);
}

/**
 * pxt_log_exit_all() - undo pxt_log_init_all()
 */
void pxt_log_exit_all(void)
{
	crypto_free_shash(crc32c);
}

static u32 checksum(const void *data, size_t size)
{
	__le32 crc;

	/* In memory, without a key: it can't fail. */
	WARN_ON_ONCE(crypto_shash_tfm_digest(crc32c, data, size, (u8 *)&crc));
	return le32_to_cpu(crc);
}

static void *block_data(struct pxt_log *log)
{
	return log->block + 1;
}

/* A names block is one page, nearly. */
#define NAMES_PER_BLOCK	56

static struct posixtrace_log_name *nth_name(struct pxt_log *log, unsigned int i)
{
	return (struct posixtrace_log_name *)(log->names_block + 1) + i;
}

/**
 * pxt_log_room() - memory that a log needs for its blocks
 * @attr: of the stream, in force
 *
 * Return: bytes: for a block with all that the stream can hold, within
 * reasonable limits; always for the largest event and a STOP.
 */
size_t pxt_log_room(const struct posixtrace_attr *attr)
{
	size_t least = POSIXTRACE_RECORD_SIZE(POSIXTRACE_DATA_MAX) + PAGE_SIZE;
	size_t data = clamp_t(u64, attr->stream_size, least,
			      POSIXTRACE_LOG_BLOCK_MAX / 2);

	return round_up(sizeof(struct posixtrace_log_block) + data + PAGE_SIZE,
			8);
}

/*
 * Which files can be a log: regular ones, written at any place. Not the files
 * of procfs, sysfs, cgroupfs and so on, which take what is written to them for a
 * command: what they have in common is that nothing is ever executed there.
 */
static int check_file(const struct file *file)
{
	const struct inode *inode = file_inode(file);

	if (!(file->f_mode & FMODE_WRITE))
		return -EBADF;
	if (!S_ISREG(inode->i_mode) || file->f_flags & O_APPEND)
		return -EINVAL;
	if (!(file->f_mode & FMODE_CAN_WRITE) || !file->f_op->write_iter ||
	    file->f_op->write)
		return -EINVAL;
	if (inode->i_sb->s_iflags & SB_I_NOEXEC)
		return -EINVAL;
	return 0;
}

/**
 * pxt_log_open() - take a file as log
 * @log: to be initialized
 * @fd: descriptor of the caller
 * @attr: of the stream, in force
 *
 * Nothing is written yet. Context: may sleep; the caller's.
 *
 * Return: 0; -EBADF, -EINVAL: the file won't do; -ENOMEM.
 */
int pxt_log_open(struct pxt_log *log, int fd,
		 const struct posixtrace_attr *attr)
{
	struct file *file = fget(fd);
	int err;

	if (!file)
		return -EBADF;
	err = check_file(file);
	if (err)
		goto err_put_file;
	err = -ENOMEM;
	log->names_block = kmalloc(sizeof(*log->names_block) +
				   NAMES_PER_BLOCK * sizeof(*nth_name(log, 0)),
				   GFP_KERNEL_ACCOUNT);
	if (!log->names_block)
		goto err_put_file;
	log->block_size = pxt_log_room(attr);
	log->block = kvmalloc(log->block_size, GFP_KERNEL_ACCOUNT);
	if (!log->block)
		goto err_free_names;
	log->file = file;
	log->memcg = get_mem_cgroup_from_mm(current->mm);
	log->policy = attr->log_policy;
	log->size = attr->log_size;
	log->file_max = rlimit(RLIMIT_FSIZE);
	log->head = (struct posixtrace_log_head) {
		.version = POSIXTRACE_LOG_VERSION,
		.byte_order = 0x01020304,
		.word_size = sizeof(long),
		.clock_resolution = hrtimer_resolution,
		.generation = GENERATION,
		.attr = *attr,
	};
	return 0;

err_free_names:
	kfree(log->names_block);
err_put_file:
	fput(file);
	return err;
}

/**
 * pxt_log_release() - undo pxt_log_open()
 * @log: opened, or zero
 */
void pxt_log_release(struct pxt_log *log)
{
	if (!log->file)
		return;
	kvfree(log->block);
	kfree(log->names_block);
	mem_cgroup_put(log->memcg);
	fput(log->file);
	log->file = NULL;
}

/* One write, to this place whatever the flags of the descriptor say by now. */
static ssize_t write_some(struct file *file, const void *from, size_t size,
			  loff_t at)
{
	struct kvec vec = { .iov_base = (void *)from, .iov_len = size };
	struct iov_iter iter;
	struct kiocb kiocb;

	init_sync_kiocb(&kiocb, file);
	kiocb.ki_flags &= ~(IOCB_APPEND | IOCB_DIRECT | IOCB_NOWAIT);
	kiocb.ki_pos = at;
	iov_iter_kvec(&iter, ITER_SOURCE, &vec, 1, size);
	return pxt_iocb_iter_write(file, &kiocb, &iter);
}

/* On behalf of the owner: the worker itself has all rights and no limit. */
static int write_all(struct pxt_log *log, const void *from, size_t size,
		     loff_t at)
{
	struct mem_cgroup *old_memcg;
	const struct cred *old;
	ssize_t done = 0;

	if (at + size > log->file_max)
		return -EFBIG;
	old = override_creds(log->file->f_cred);
	old_memcg = set_active_memcg(log->memcg);
	while (size) {
		done = write_some(log->file, from, size, at);
		if (done <= 0)
			break;
		from += done;
		at += done;
		size -= done;
	}
	set_active_memcg(old_memcg);
	revert_creds(old);
	/* EINVAL would mean that it is not a stream, or not a log. */
	if (done < 0)
		return done == -EINVAL ? -EIO : done;
	return size ? -EIO : 0;
}

/* Write @block, whose data is @data_size bytes, to @at. */
static int write_block(struct pxt_log *log, struct posixtrace_log_block *block,
		       u32 type, u64 sequence, size_t data_size, u64 *at)
{
	size_t size = round_up(sizeof(*block) + data_size, 8);
	void *data = block + 1;
	int err;

	memset(data + data_size, 0, size - sizeof(*block) - data_size);
	*block = (struct posixtrace_log_block) {
		.magic = POSIXTRACE_LOG_MAGIC,
		.type = type,
		.log = log->id,
		.offset = *at,
		.sequence = sequence,
		.size = size,
		.data_size = data_size,
		.data_crc = checksum(data, data_size),
	};
	block->header_crc = checksum(block, offsetof(typeof(*block),
						     header_crc));
	err = write_all(log, block, size, *at);
	if (err)
		return err;
	*at += size;
	log->end = max(log->end, *at);
	return 0;
}

static void put_name(struct pxt_log *log, unsigned int *nr, u32 id,
		     const char *name)
{
	struct posixtrace_log_name *entry = nth_name(log, (*nr)++);

	*entry = (struct posixtrace_log_name) { .event_id = id };
	strscpy(entry->name, name, sizeof(entry->name));
}

static int write_names(struct pxt_log *log, unsigned int nr)
{
	int err;

	if (!nr)
		return 0;
	err = write_block(log, log->names_block, POSIXTRACE_LOG_NAMES,
			  log->names_nr, nr * sizeof(*nth_name(log, 0)),
			  &log->names);
	if (!err)
		log->names_nr++;
	return err;
}

/* The types that need no opening, as far as the stream can have them. */
static int write_fixed_names(struct pxt_log *log)
{
	const struct posixtrace_event_set *kernel = &log->head.attr.kernel_events;
	unsigned int nr = 0;
	u32 id;

	BUILD_BUG_ON(POSIXTRACE_EV_STANDARD_END + POSIXTRACE_EV_KERNEL_END -
		     POSIXTRACE_EV_KERNEL > NAMES_PER_BLOCK);
	for (id = 1; id < POSIXTRACE_EV_USER; id++)
		if (pxt_evtype_fixed_name(id) &&
		    (id < POSIXTRACE_EV_KERNEL || pxt_event_set_has(kernel, id)))
			put_name(log, &nr, id, pxt_evtype_fixed_name(id));
	return write_names(log, nr);
}

/* The names that were opened since the last time. */
static int write_new_names(struct pxt_log *log, const struct pxt_evtypes *types)
{
	unsigned int nr, known = pxt_evtypes_count(types);
	u32 id;
	int err;

	while (log->types_nr < known) {
		id = POSIXTRACE_EV_USER + log->types_nr;
		for (nr = 0; nr < NAMES_PER_BLOCK && log->types_nr + nr < known;
		     id++)
			put_name(log, &nr, id, pxt_evtypes_name(types, id));
		err = write_names(log, nr);
		if (err)
			return err;
		log->types_nr += nr;
	}
	return 0;
}

static int write_head(struct pxt_log *log)
{
	u64 at = 0;
	int err;

	get_random_bytes(&log->id, sizeof(log->id));
	log->names = POSIXTRACE_LOG_NAMES_AT;
	log->names_nr = 0;
	log->types_nr = 0;
	log->at = POSIXTRACE_LOG_EVENTS_AT;
	log->end = POSIXTRACE_LOG_NAMES_AT;
	log->blocks = 0;
	log->round = 0;
	log->full = false;
	/* Up to the end block, so that the remains of an old one are gone. */
	memset(log->block, 0, POSIXTRACE_LOG_NAMES_AT);
	err = write_all(log, log->block, POSIXTRACE_LOG_NAMES_AT, 0);
	if (err)
		return err;
	memcpy(block_data(log), &log->head, sizeof(log->head));
	return write_block(log, log->block, POSIXTRACE_LOG_HEAD, 0,
			   sizeof(log->head), &at);
}

/**
 * pxt_log_restart() - make the log empty, as it was at the beginning
 * @log: begun
 *
 * What it held is no part of it any more, whatever bytes are still there.
 * Context: worker.
 *
 * Return: 0, or an error of writing.
 */
int pxt_log_restart(struct pxt_log *log)
{
	int err = write_head(log);

	return err ?: write_fixed_names(log);
}

/**
 * pxt_log_begin() - write what a log without events consists of
 * @log: opened
 * @target: pid of the traced process, in the owner's pid namespace
 * @owner: pid of the owner, likewise
 *
 * Context: worker.
 *
 * Return: 0, or an error of writing.
 */
int pxt_log_begin(struct pxt_log *log, pid_t target, pid_t owner)
{
	log->head.target = target;
	log->head.owner = owner;
	return pxt_log_restart(log);
}

static u64 count_records(const void *from, size_t size)
{
	const struct posixtrace_record *r;
	u64 nr = 0;

	for (; size; size -= r->size, from += r->size) {
		r = from;
		nr++;
	}
	return nr;
}

/* Write an events block with the @size bytes of records behind @block. */
static int write_events(struct pxt_log *log, struct pxt_flush *flush,
			struct posixtrace_log_block *block, size_t size)
{
	int err;

	if (!size)
		return 0;
	err = write_block(log, block, POSIXTRACE_LOG_EVENTS, log->blocks, size,
			  &log->at);
	if (err) {
		flush->lost += count_records(block + 1, size);
		return err;
	}
	log->blocks++;
	log->round += size;
	flush->flushed += size;
	return 0;
}

/* How many of the @size bytes of whole records fit in @room? */
static size_t whole_records(const void *from, size_t size, u64 room)
{
	const struct posixtrace_record *r;
	size_t fit = 0;

	while (fit < size) {
		r = from + fit;
		if (fit + r->size > room)
			break;
		fit += r->size;
	}
	return fit;
}

/*
 * What does not fit goes over the oldest events, from the beginning. A block of
 * which one byte is written over is gone: so they are small beside the log.
 */
static int write_looping(struct pxt_log *log, struct pxt_flush *flush,
			 size_t size)
{
	struct posixtrace_log_block *block = log->block;
	const struct posixtrace_record *first;
	size_t fit;
	int err;

	while (size) {
		first = (void *)(block + 1);
		fit = whole_records(first, size,
				    max_t(u64, log->size / 8, first->size));
		fit = whole_records(first, fit, log->size - log->round);
		if (!fit) {
			log->full = true;
			log->round = 0;
			log->at = POSIXTRACE_LOG_EVENTS_AT;
			continue;
		}
		err = write_events(log, flush, block, fit);
		if (err) {
			flush->lost += count_records((void *)first + fit,
						     size - fit);
			return err;
		}
		flush->overwrote |= log->full;
		/* The next header goes where the last records were. */
		block = (void *)block + fit;
		size -= fit;
	}
	return 0;
}

/* What does not fit is lost; the last event is a STOP, for which room is kept. */
static int write_until_full(struct pxt_log *log, struct pxt_flush *flush,
			    struct pxt_recorder *rec, size_t size)
{
	void *data = block_data(log);
	size_t fit;
	u64 room;

	if (log->full) {
		flush->lost += count_records(data, size);
		return 0;
	}
	room = log->size - log->round;
	fit = whole_records(data, size, room - min(room, STOP_SIZE));
	if (fit < size) {
		log->full = true;
		flush->lost += count_records(data + fit, size - fit);
		fit += pxt_outlet_log_is_full(rec, data + fit);
	}
	return write_events(log, flush, log->block, fit);
}

static int write_batch(struct pxt_log *log, struct pxt_flush *flush,
		       struct pxt_recorder *rec, size_t size)
{
	switch (log->policy) {
	case POSIXTRACE_POLICY_LOOP:
		return write_looping(log, flush, size);
	case POSIXTRACE_POLICY_UNTIL_FULL:
		return write_until_full(log, flush, rec, size);
	default:
		return write_events(log, flush, log->block, size);
	}
}

/* A name is in the log before the first event that has it. */
static int write_after_names(struct pxt_log *log, struct pxt_flush *flush,
			     struct pxt_recorder *rec,
			     const struct pxt_evtypes *types, size_t size)
{
	int err = write_new_names(log, types);

	if (err)
		flush->lost += count_records(block_data(log), size);
	return err ?: write_batch(log, flush, rec, size);
}

/* As many events as a block holds, in @log->block. */
static size_t take_batch(struct pxt_log *log, struct pxt_flush *flush,
			 struct pxt_recorder *rec)
{
	/* Room for a STOP that pxt_outlet_log_is_full() adds. */
	size_t room = log->block_size - sizeof(*log->block) - STOP_SIZE;
	size_t least = POSIXTRACE_RECORD_SIZE(log->head.attr.max_data_size);
	size_t taken, size = 0;

	least = max(least, POSIXTRACE_SYSTEM_EVENT_SIZE_MAX) + PAGE_SIZE;
	do {
		taken = pxt_outlet_flush_take(rec, flush,
					      block_data(log) + size,
					      room - size);
		size += taken;
	} while (taken && room - size >= least);
	return size;
}

/**
 * pxt_log_flush() - write what the recorder holds
 * @log: begun
 * @flush: begun by pxt_outlet_flush_begin(); what becomes of it is added
 * @rec: events leave it, whatever becomes of them
 * @types: names that they can have
 *
 * Context: worker.
 *
 * Return: 0, or the first error of writing; then events were lost.
 */
int pxt_log_flush(struct pxt_log *log, struct pxt_flush *flush,
		  struct pxt_recorder *rec, const struct pxt_evtypes *types)
{
	size_t size;
	int err = 0;

	while ((size = take_batch(log, flush, rec))) {
		if (err)
			flush->lost += count_records(block_data(log), size);
		else
			err = write_after_names(log, flush, rec, types, size);
	}
	flush->error = -err;
	flush->log_full = log->full;
	return err;
}

/* What the file has behind the log is not part of it. */
static void cut_file(struct pxt_log *log)
{
	const struct cred *old;

	if (i_size_read(file_inode(log->file)) <= log->end)
		return;
	/* vfs_truncate() would wait until the holder of a lease gives it up. */
	if (break_lease(file_inode(log->file), O_WRONLY | O_NONBLOCK))
		return;
	old = override_creds(log->file->f_cred);
	/* A reader knows where the log ends; that it fails does no harm. */
	vfs_truncate(&log->file->f_path, log->end);
	revert_creds(old);
}

/**
 * pxt_log_finish() - write what tells that the log is complete
 * @log: begun; all events are written
 * @types: the names as of now
 * @status: the last one
 *
 * Context: worker.
 *
 * Return: 0, or an error of writing.
 */
int pxt_log_finish(struct pxt_log *log, const struct pxt_evtypes *types,
		   const struct posixtrace_status *status)
{
	struct posixtrace_log_end *end = block_data(log);
	u64 at = POSIXTRACE_LOG_END_AT;
	int err = write_new_names(log, types);

	if (err)
		return err;
	cut_file(log);
	*end = (struct posixtrace_log_end) {
		.blocks = log->blocks,
		.file_size = log->end,
		.status = *status,
	};
	return write_block(log, log->block, POSIXTRACE_LOG_END, 0, sizeof(*end),
			   &at);
}
