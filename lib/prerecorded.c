// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Pre-recorded streams: logs that are open for reading
 *
 * A trid tells the element of a table, and the number of the stream, which is
 * never given out again in this process or its children: a trid of a stream that
 * was closed is refused, and so is the parent's.
 *
 * The table begins in a page that the kernel shows to a child as if it were new
 * (MADV_WIPEONFORK). So none of the parent's trids is valid there, however it
 * was forked, and no lock is held by a thread that does not exist there. Memory
 * and descriptors of the parent's logs stay until the child executes another
 * program or exits.
 *
 * Locks:
 *
 *	struct table.lock: the table and the counts of users; held for moments
 *	struct prerecorded.lock: one log; held while it is read from disk
 *
 * Never both at once.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "log.h"

/**
 * struct prerecorded - a pre-recorded stream
 * @lock: for @log and all that is in it
 * @log: the log
 * @number: of the stream; constant
 * @users: threads that use it now, and 1 until it is closed; @table.lock
 */
struct prerecorded {
	pthread_mutex_t lock;
	struct pxt_log *log;
	__u64 number;
	unsigned int users;
};

/**
 * struct table - what a child does not see
 * @lock: for the rest of it
 * @slots: the streams by number of element; null: free
 * @nr: elements
 */
struct table {
	pthread_mutex_t lock;
	struct prerecorded **slots;
	size_t nr;
};

/* Made at the first open, never freed. A page of zeros is an empty table. */
static struct table *the_table;

/* Leak checkers do not look into pages that they did not hand out. */
static struct prerecorded **slots_in_sight __attribute__((used));

/* Number of the stream that was opened last. A child goes on counting. */
static atomic_ullong last_number;

static struct table *get_table(void)
{
	return __atomic_load_n(&the_table, __ATOMIC_ACQUIRE);
}

static struct table *map_table(void)
{
	size_t size = getpagesize();
	void *page = mmap(NULL, size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return NULL;
	if (madvise(page, size, MADV_WIPEONFORK)) {
		munmap(page, size);
		return NULL;
	}
	return page;
}

/* The table; null: not enough memory. */
static struct table *make_table(void)
{
	struct table *table = get_table();
	struct table *new;

	if (table)
		return table;
	new = map_table();
	if (!new || __atomic_compare_exchange_n(&the_table, &table, new, false,
						__ATOMIC_ACQ_REL,
						__ATOMIC_ACQUIRE))
		return new;
	munmap(new, getpagesize());
	return table;
}

/* Called with the lock held: the stream, null if there is none. */
static struct prerecorded **find_slot(struct table *table, trace_id_t trid)
{
	size_t slot = pxt_trid_slot(trid);
	struct prerecorded *stream;

	if (!pxt_trid_is_prerecorded(trid) || slot >= table->nr)
		return NULL;
	stream = table->slots[slot];
	if (!stream || stream->number != pxt_trid_stream(trid))
		return NULL;
	return &table->slots[slot];
}

static void destroy(struct prerecorded *stream)
{
	pxt_log_close(stream->log);
	pthread_mutex_destroy(&stream->lock);
	free(stream);
}

/*
 * Have @trid's stream for oneself. Null: there is none.
 */
static struct prerecorded *use(trace_id_t trid)
{
	struct table *table = get_table();
	struct prerecorded *stream = NULL;
	struct prerecorded **slot;

	if (!table)
		return NULL;
	pthread_mutex_lock(&table->lock);
	slot = find_slot(table, trid);
	if (slot) {
		stream = *slot;
		stream->users++;
	}
	pthread_mutex_unlock(&table->lock);
	if (stream)
		pthread_mutex_lock(&stream->lock);
	return stream;
}

/* One user less; the last one takes the stream with it. */
static void drop(struct prerecorded *stream)
{
	struct table *table = get_table();
	unsigned int users;

	pthread_mutex_lock(&table->lock);
	users = --stream->users;
	pthread_mutex_unlock(&table->lock);
	if (!users)
		destroy(stream);
}

static void unuse(struct prerecorded *stream)
{
	pthread_mutex_unlock(&stream->lock);
	drop(stream);
}

/* Called with the lock held: a free element. ENOMEM. */
static int find_free_slot(struct table *table, size_t *slot)
{
	struct prerecorded **slots;
	size_t nr = table->nr ? 2 * table->nr : 16;

	for (*slot = 0; *slot < table->nr; ++*slot)
		if (!table->slots[*slot])
			return 0;
	slots = reallocarray(table->slots, nr, sizeof(*slots));
	if (!slots)
		return ENOMEM;
	memset(slots + table->nr, 0, (nr - table->nr) * sizeof(*slots));
	table->slots = slots;
	table->nr = nr;
	slots_in_sight = slots;
	return 0;
}

static int publish(struct prerecorded *stream, trace_id_t *trid)
{
	struct table *table = make_table();
	size_t slot;
	int err;

	if (!table)
		return ENOMEM;
	pthread_mutex_lock(&table->lock);
	err = find_free_slot(table, &slot);
	if (!err)
		err = pxt_trid_make_prerecorded(slot, stream->number, trid);
	if (!err)
		table->slots[slot] = stream;
	pthread_mutex_unlock(&table->lock);
	return err;
}

static int open_log(int fd, trace_id_t *trid)
{
	struct prerecorded *stream = calloc(1, sizeof(*stream));
	int err;

	if (!stream)
		return ENOMEM;
	err = pxt_log_open(&stream->log, fd);
	if (err) {
		free(stream);
		return err;
	}
	pthread_mutex_init(&stream->lock, NULL);
	stream->number = atomic_fetch_add(&last_number, 1) + 1;
	stream->users = 1;
	err = publish(stream, trid);
	if (err)
		destroy(stream);
	return err;
}

/**
 * posix_trace_open() - read a log
 * @file_desc: descriptor of the log, open for reading; it stays the caller's, who
 *	may close it at once, and its offset is neither used nor moved
 * @trid: where the identifier of the pre-recorded stream goes
 *
 * POSIX.1-2008 XSH posix_trace_close (TRL). The oldest event is read first. What
 * is damaged in the log is left out; posix_trace_get_log_info_np() tells how much.
 *
 * Return: 0, or
 * * EINVAL: @file_desc is not open for reading, or is no log, or one from a
 *   machine of another type; @trid is null
 * * EMFILE: no descriptor is free
 * * ENOMEM: not enough memory
 */
PXT_API int posix_trace_open(int file_desc, trace_id_t *trid)
{
	int saved = errno;
	int err;

	if (!trid)
		return EINVAL;
	err = open_log(file_desc, trid);
	errno = saved;
	return err;
}

/**
 * posix_trace_close() - end the reading of a log
 * @trid: pre-recorded stream; no longer valid afterwards
 *
 * POSIX.1-2008 XSH posix_trace_close (TRL). The application's descriptor is as
 * it was.
 *
 * Return: 0, or
 * * EINVAL: @trid is not a pre-recorded stream of this process
 */
PXT_API int posix_trace_close(trace_id_t trid)
{
	struct table *table = get_table();
	struct prerecorded *stream = NULL;
	struct prerecorded **slot;

	if (!table)
		return EINVAL;
	pthread_mutex_lock(&table->lock);
	slot = find_slot(table, trid);
	if (slot) {
		stream = *slot;
		*slot = NULL;
	}
	pthread_mutex_unlock(&table->lock);
	if (!stream)
		return EINVAL;
	drop(stream);
	return 0;
}

/**
 * posix_trace_rewind() - read a log from its oldest event on again
 * @trid: pre-recorded stream
 *
 * POSIX.1-2008 XSH posix_trace_close (TRL).
 *
 * Return: 0, or
 * * EINVAL: @trid is not a pre-recorded stream of this process
 */
PXT_API int posix_trace_rewind(trace_id_t trid)
{
	struct prerecorded *stream = use(trid);

	if (!stream)
		return EINVAL;
	pxt_log_rewind(stream->log);
	unuse(stream);
	return 0;
}

static void fill_info(const struct pxt_log *log,
		      struct posix_trace_log_info_np *info)
{
	const struct posixtrace_status *status = &log->end.status;

	*info = (struct posix_trace_log_info_np){
		.posix_finished = log->finished,
		.posix_target = log->head.target,
		.posix_owner = log->head.owner,
		.posix_blocks = log->index.nr,
		.posix_damaged = log->damaged,
		.posix_missing = log->index.missing + log->missing_names,
	};
	pxt_counters_from_uapi(&info->posix_counters, status);
}

/**
 * posix_trace_get_log_info_np() - what a log is, and what of it is not whole
 * @trid: pre-recorded stream
 * @info: where it goes
 *
 * Damage to events is found when they are read: all of it is known once the end
 * was reached.
 *
 * Return: 0, or
 * * EINVAL: @trid is not a pre-recorded stream of this process; @info is null
 */
PXT_API int
posix_trace_get_log_info_np(trace_id_t trid,
			    struct posix_trace_log_info_np *info)
{
	struct prerecorded *stream;

	if (!info)
		return EINVAL;
	stream = use(trid);
	if (!stream)
		return EINVAL;
	fill_info(stream->log, info);
	unuse(stream);
	return 0;
}

/**
 * pxt_prerecorded_get_attr() - posix_trace_get_attr()
 * @trid: pre-recorded stream
 * @attr: initialized object
 *
 * Return: 0, or
 * * EINVAL: @trid is not valid
 */
int pxt_prerecorded_get_attr(trace_id_t trid, trace_attr_t *attr)
{
	struct prerecorded *stream = use(trid);

	if (!stream)
		return EINVAL;
	pxt_attr_from_log(attr, &stream->log->head);
	unuse(stream);
	return 0;
}

/**
 * pxt_prerecorded_get_status() - posix_trace_get_status()
 * @trid: pre-recorded stream
 * @status: where it goes
 *
 * Return: 0, or
 * * EINVAL: @trid is not valid
 */
int pxt_prerecorded_get_status(trace_id_t trid,
			       struct posixtrace_status *status)
{
	struct prerecorded *stream = use(trid);

	if (!stream)
		return EINVAL;
	pxt_log_get_status(stream->log, status);
	unuse(stream);
	return 0;
}

/**
 * pxt_prerecorded_getnext() - posix_trace_getnext_event()
 * @trid: pre-recorded stream
 * @data: as in pxt_log_getnext()
 * @num_bytes: likewise
 * @record: likewise
 *
 * Return: 0, or
 * * EINVAL: @trid is not valid
 * * ENODATA: there is no more
 */
int pxt_prerecorded_getnext(trace_id_t trid, void *data, size_t num_bytes,
			    struct posixtrace_record *record)
{
	struct prerecorded *stream = use(trid);
	int err;

	if (!stream)
		return EINVAL;
	err = pxt_log_getnext(stream->log, data, num_bytes, record);
	unuse(stream);
	return err;
}

/**
 * pxt_prerecorded_type_name() - posix_trace_eventid_get_name()
 * @trid: pre-recorded stream
 * @event: event type
 * @name: where its name goes
 *
 * Return: 0, or
 * * EINVAL: @trid is not valid, or @event has no name there
 */
int pxt_prerecorded_type_name(trace_id_t trid, trace_event_id_t event,
			      char *name)
{
	struct prerecorded *stream = use(trid);
	const char *from;

	if (!stream)
		return EINVAL;
	from = pxt_log_type_name(stream->log, event);
	if (from)
		memcpy(name, from, strlen(from) + 1);
	unuse(stream);
	return from ? 0 : EINVAL;
}

/**
 * pxt_prerecorded_next_type() - posix_trace_eventtypelist_getnext_id()
 * @trid: pre-recorded stream
 * @event: where the type goes
 *
 * Return: 0, or
 * * EINVAL: @trid is not valid
 * * ENODATA: there is no more
 */
int pxt_prerecorded_next_type(trace_id_t trid, trace_event_id_t *event)
{
	struct prerecorded *stream = use(trid);
	trace_event_id_t id;

	if (!stream)
		return EINVAL;
	id = pxt_log_next_type(stream->log);
	unuse(stream);
	if (!id)
		return ENODATA;
	*event = id;
	return 0;
}

/**
 * pxt_prerecorded_rewind_types() - posix_trace_eventtypelist_rewind()
 * @trid: pre-recorded stream
 *
 * Return: 0, or
 * * EINVAL: @trid is not valid
 */
int pxt_prerecorded_rewind_types(trace_id_t trid)
{
	struct prerecorded *stream = use(trid);

	if (!stream)
		return EINVAL;
	stream->log->next_type = 0;
	unuse(stream);
	return 0;
}
