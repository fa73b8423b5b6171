// SPDX-License-Identifier: GPL-2.0-only
/*
 * The way out of a recorder, see outlet.h.
 */
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/string.h>

#include "outlet.h"
#include "recstatus.h"

/* Bytes of events that are taken at a time; more than the largest event. */
#define TAKE_STEP	(POSIXTRACE_DATA_MAX + PAGE_SIZE)

static const struct pxt_origin nobody;

/*
 * OVERFLOW and RESUME are not stored: they stand for what is missing in front
 * of the oldest record, so they are made when that is read (table 2-2).
 */
static size_t take_gap(struct pxt_recorder *rec, void *to)
{
	struct posixtrace_record *r = to;
	u32 id;
	u64 time;

	if (rec->overflow_due) {
		rec->overflow_due = false;
		id = POSIXTRACE_EV_OVERFLOW;
		time = rec->buffer.gap_time;
	} else {
		rec->resume_due = false;
		id = POSIXTRACE_EV_RESUME;
		time = pxt_buffer_next_time(&rec->buffer);
	}
	if (!rec->resume_due)
		pxt_buffer_close_gap(&rec->buffer);
	pxt_recorder_describe(rec, r, id, 0, &nobody, time);
	r->pid = 0;
	return r->size;
}

/* Take the oldest event out: OVERFLOW and RESUME come before a record. */
static size_t take_oldest(struct pxt_recorder *rec, void *to, size_t room,
			  size_t *needed)
{
	size_t size = pxt_buffer_next_size(&rec->buffer);
	bool gap = size && (rec->overflow_due || rec->resume_due);

	*needed = gap ? sizeof(struct posixtrace_record) : size;
	if (!size || *needed > room)
		return 0;
	if (gap)
		return take_gap(rec, to);
	pxt_buffer_take(&rec->buffer, to);
	pxt_buffer_close_gap(&rec->buffer);
	pxt_recorder_made_room(rec);
	return size;
}

/* Report an event that stays: only the flusher takes from a log's stream. */
static size_t look_at_next(struct pxt_recorder *rec, void *to, size_t room,
			   size_t *needed)
{
	*needed = pxt_buffer_peek_size(&rec->buffer);
	return *needed > room ? 0 : pxt_buffer_peek(&rec->buffer, to);
}

/* Does it matter where each one is taken: since it makes room, or after a gap? */
static bool one_by_one(const struct pxt_recorder *rec)
{
	return rec->full || rec->overflow_due || rec->resume_due;
}

/* Interrupts are off for TAKE_STEP bytes of events, or one event. */
static size_t take_many(struct pxt_recorder *rec, void *to, size_t room,
			u64 until)
{
	return pxt_buffer_take_many(&rec->buffer, to,
				    min_t(size_t, room, TAKE_STEP), until);
}

static size_t take_next(struct pxt_recorder *rec, void *to, size_t room,
			bool one, size_t *needed)
{
	if (one_by_one(rec))
		return take_oldest(rec, to, room, needed);
	*needed = pxt_buffer_next_size(&rec->buffer);
	if (*needed > room)
		return 0;
	return one ? pxt_buffer_take(&rec->buffer, to) :
		     take_many(rec, to, room, rec->buffer.recorded);
}

/**
 * pxt_outlet_take() - the next events for a reader
 * @rec: the recorder
 * @to: @room bytes
 * @room: how many
 * @one: take one; else as many as can be taken at once
 * @taken: set to what was taken
 */
void pxt_outlet_take(struct pxt_recorder *rec, void *to, size_t room, bool one,
		     struct pxt_taken *taken)
{
	u64 before;

	guard(raw_spinlock_irqsave)(&rec->lock);
	rec->told = false;
	if (rec->has_log) {
		taken->size = look_at_next(rec, to, room, &taken->needed);
		taken->nr = !!taken->size;
		return;
	}
	before = pxt_buffer_oldest(&rec->buffer);
	taken->size = take_next(rec, to, room, one, &taken->needed);
	taken->nr = pxt_buffer_oldest(&rec->buffer) - before;
}

/**
 * pxt_outlet_expect() - is there an event, for a reader who is about to wait?
 * @rec: the recorder
 *
 * Without the lock it may look as if there were none while events are overwritten
 * or taken by another reader.
 *
 * Return: true if there is; if not, readers are woken when one comes.
 */
bool pxt_outlet_expect(struct pxt_recorder *rec)
{
	guard(raw_spinlock_irqsave)(&rec->lock);
	if (!pxt_buffer_peeked_all(&rec->buffer))
		return true;
	rec->told = false;
	return false;
}

/**
 * pxt_outlet_flush_begin() - what is recorded up to now goes to the log
 * @rec: the recorder
 * @flush: filled in
 */
void pxt_outlet_flush_begin(struct pxt_recorder *rec, struct pxt_flush *flush)
{
	guard(raw_spinlock_irqsave)(&rec->lock);
	rec->flush_due = false;
	rec->flushing = true;
	if (rec->running)
		pxt_recorder_append_reserved(rec, POSIXTRACE_EV_FLUSH_START,
					     NULL, &nobody,
					     ktime_get_real_ns());
	*flush = (struct pxt_flush) { .until = rec->buffer.recorded };
	pxt_recorder_happened(rec, POSIXTRACE_LIFE_FLUSH_BEGUN, 0);
}

/**
 * pxt_outlet_flush_take() - events that go to the log
 * @rec: the recorder
 * @flush: the flush
 * @to: @room bytes
 * @room: how many; at least what the largest event takes
 *
 * Return: bytes stored, of whole records; 0: there are no more.
 */
size_t pxt_outlet_flush_take(struct pxt_recorder *rec,
			     const struct pxt_flush *flush, void *to,
			     size_t room)
{
	size_t needed;

	guard(raw_spinlock_irqsave)(&rec->lock);
	if (pxt_buffer_oldest(&rec->buffer) >= flush->until)
		return 0;
	rec->told = false;
	if (one_by_one(rec))
		return take_oldest(rec, to, room, &needed);
	return take_many(rec, to, room, flush->until);
}

/**
 * pxt_outlet_log_is_full() - the log has no room for more events
 * @rec: the recorder, suspended by this
 * @stop: POSIXTRACE_RECORD_SIZE(sizeof(int)) bytes, for the last event of the
 *	log
 *
 * Return: bytes of the STOP event, 0 if it is filtered.
 */
size_t pxt_outlet_log_is_full(struct pxt_recorder *rec, void *stop)
{
	struct posixtrace_record *r = stop;
	int automatic = 1;

	guard(raw_spinlock_irqsave)(&rec->lock);
	rec->log_full = true;
	if (rec->running || rec->armed) {
		rec->running = false;
		rec->armed = false;
		pxt_recorder_happened(rec, POSIXTRACE_LIFE_FULL, 0);
	}
	if (pxt_event_set_has(&rec->filter, POSIXTRACE_EV_STOP))
		return 0;
	pxt_recorder_describe(rec, r, POSIXTRACE_EV_STOP, sizeof(automatic),
			      &nobody, ktime_get_real_ns());
	memset(r + 1, 0, r->size - sizeof(*r));
	memcpy(r + 1, &automatic, sizeof(automatic));
	return r->size;
}

/**
 * pxt_outlet_flush_end() - a flush has ended
 * @rec: the recorder
 * @flush: what became of it
 */
void pxt_outlet_flush_end(struct pxt_recorder *rec,
			  const struct pxt_flush *flush)
{
	guard(raw_spinlock_irqsave)(&rec->lock);
	rec->flushing = false;
	rec->flushed += flush->flushed;
	rec->log_lost += flush->lost;
	rec->log_overrun |= flush->lost || flush->overwrote;
	rec->log_full = flush->log_full;
	if (!rec->flush_error)
		rec->flush_error = flush->error;
	pxt_recorder_happened(rec, POSIXTRACE_LIFE_FLUSH_ENDED, flush->error);
	if (!rec->running)
		return;
	if (flush->error)
		pxt_recorder_append_reserved(rec, POSIXTRACE_EV_ERROR,
					     &flush->error, &nobody,
					     ktime_get_real_ns());
	pxt_recorder_append_reserved(rec, POSIXTRACE_EV_FLUSH_STOP, NULL,
				     &nobody, ktime_get_real_ns());
}
