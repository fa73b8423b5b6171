// SPDX-License-Identifier: GPL-2.0-only
/*
 * The state machine of a stream, see recorder.h.
 *
 * Sections and tables quoted here are those of POSIX.1-2008, XSH 2.11.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "recorder.h"
#include "recstatus.h"

/* Room that is kept for the STOP of a stream that ran full. */
#define STOP_ROOM	POSIXTRACE_RECORD_SIZE(sizeof(int))

/*
 * With a log also for what one flush adds: FLUSH_START, FLUSH_STOP, ERROR, and
 * OVERFLOW and RESUME for what was lost meanwhile. The next flush takes all of
 * them out before it adds its own.
 */
#define LOG_ROOM	(STOP_ROOM + POSIXTRACE_RECORD_SIZE(sizeof(int)) + \
			 4 * POSIXTRACE_RECORD_SIZE(0))

static const struct pxt_origin nobody;

/**
 * pxt_recorder_init() - make a suspended, empty recorder
 * @rec: to be initialized
 * @policy: POSIXTRACE_POLICY_LOOP, _UNTIL_FULL or, with a log, _FLUSH
 * @has_log: a flusher will take the events out, readers only look at them
 * @size: bytes for events, a multiple of 8
 * @max_data: user data beyond it is cut
 * @pid: of the traced process, shown in system events
 *
 * Context: may sleep.
 *
 * Return: 0, or -ENOMEM.
 */
int pxt_recorder_init(struct pxt_recorder *rec, u32 policy, bool has_log,
		      size_t size, u32 max_data, pid_t pid)
{
	memset(rec, 0, sizeof(*rec));
	raw_spin_lock_init(&rec->lock);
	rec->policy = policy;
	rec->has_log = has_log;
	rec->max_data = max_data;
	rec->pid = pid;
	rec->last_time = 1;
	return pxt_buffer_init(&rec->buffer, size,
			       pxt_recorder_room(size, has_log) - size,
			       policy == POSIXTRACE_POLICY_LOOP);
}

/**
 * pxt_recorder_room() - memory that a recorder needs for its events
 * @size: as for pxt_recorder_init()
 * @has_log: likewise
 *
 * Return: bytes.
 */
size_t pxt_recorder_room(size_t size, bool has_log)
{
	return size + (has_log ? LOG_ROOM : STOP_ROOM);
}

/**
 * pxt_recorder_destroy() - free the events
 * @rec: shut down, or never used
 *
 * The rest may still be looked at, by a probe that came late.
 */
void pxt_recorder_destroy(struct pxt_recorder *rec)
{
	pxt_buffer_destroy(&rec->buffer);
}

/* Append; take note where older events are overwritten. Return: false: no room. */
static bool append(struct pxt_recorder *rec, const struct posixtrace_record *r,
		   const void *data)
{
	bool known_gap = rec->buffer.gap;
	enum pxt_append result;

	lockdep_assert_held(&rec->lock);
	rec->last_time = r->timestamp;
	result = pxt_buffer_append(&rec->buffer, r, data);
	if (result == PXT_OVERWROTE && !known_gap) {
		rec->full = true;
		rec->overflow_due = !pxt_event_set_has(&rec->filter,
						       POSIXTRACE_EV_OVERFLOW);
		rec->resume_due = !pxt_event_set_has(&rec->filter,
						     POSIXTRACE_EV_RESUME);
	}
	return result != PXT_NO_ROOM;
}

/**
 * pxt_recorder_describe() - describe a system event
 * @rec: the recorder, locked
 * @r: filled in
 * @id: event type
 * @data_size: bytes of its data
 * @origin: who caused it
 * @time: CLOCK_REALTIME, nanoseconds
 */
void pxt_recorder_describe(const struct pxt_recorder *rec,
			   struct posixtrace_record *r, u32 id,
			   size_t data_size, const struct pxt_origin *origin,
			   u64 time)
{
	*r = (struct posixtrace_record) {
		.size = POSIXTRACE_RECORD_SIZE(data_size),
		.data_size = data_size,
		.event_id = id,
		.pid = rec->pid,
		.tid = origin->tid,
		.cpu = raw_smp_processor_id(),
		.timestamp = time,
		.thread = origin->thread,
		.address = origin->address,
	};
}

/**
 * pxt_recorder_append_reserved() - append a system event that always finds room
 * @rec: the recorder, locked
 * @id: event type; nothing happens if it is filtered
 * @data: of the event, or NULL
 * @origin: who caused it
 * @time: CLOCK_REALTIME, nanoseconds
 */
void pxt_recorder_append_reserved(struct pxt_recorder *rec, u32 id,
				  const int *data,
				  const struct pxt_origin *origin, u64 time)
{
	struct posixtrace_record r;

	lockdep_assert_held(&rec->lock);
	if (pxt_event_set_has(&rec->filter, id))
		return;
	pxt_recorder_describe(rec, &r, id, data ? sizeof(*data) : 0, origin, time);
	rec->last_time = time;
	if (WARN_ON_ONCE(pxt_buffer_append_reserved(&rec->buffer, &r, data) ==
			 PXT_NO_ROOM))
		rec->lost++;
}

/* Record START, unless it is filtered; is there room to run? */
static bool append_start(struct pxt_recorder *rec,
			 const struct pxt_origin *origin)
{
	struct posixtrace_record r;

	/* The STOP that ends this run will need the reserve. */
	if (!pxt_buffer_loops(&rec->buffer) &&
	    pxt_buffer_reserve_used(&rec->buffer))
		return false;
	if (pxt_event_set_has(&rec->filter, POSIXTRACE_EV_START))
		return true;
	pxt_recorder_describe(rec, &r, POSIXTRACE_EV_START,
			      sizeof(rec->filter), origin, ktime_get_real_ns());
	return append(rec, &r, &rec->filter);
}

/* Events were lost in spite of flushing: say so, between STOP and START. */
static void append_gap(struct pxt_recorder *rec)
{
	static const u32 ids[] = {
		POSIXTRACE_EV_OVERFLOW, POSIXTRACE_EV_RESUME
	};
	u64 times[] = { rec->loss_time, ktime_get_real_ns() };
	struct posixtrace_record r;
	unsigned int i;

	lockdep_assert_held(&rec->lock);
	rec->loss_time = 0;
	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		if (pxt_event_set_has(&rec->filter, ids[i]))
			continue;
		pxt_recorder_describe(rec, &r, ids[i], 0, &nobody, times[i]);
		r.pid = 0;
		rec->last_time = times[i];
		WARN_ON_ONCE(pxt_buffer_append_reserved(&rec->buffer, &r,
							NULL) == PXT_NO_ROOM);
	}
}

static void resume(struct pxt_recorder *rec, const struct pxt_origin *origin)
{
	lockdep_assert_held(&rec->lock);
	if (rec->loss_time)
		append_gap(rec);
	rec->running = append_start(rec, origin);
	rec->armed = !rec->running;
	rec->full |= rec->armed;
}

static void suspend(struct pxt_recorder *rec, int automatic,
		    const struct pxt_origin *origin, u64 time)
{
	struct posixtrace_record r;

	lockdep_assert_held(&rec->lock);
	rec->running = false;
	if (!pxt_buffer_loops(&rec->buffer)) {
		pxt_recorder_append_reserved(rec, POSIXTRACE_EV_STOP,
					     &automatic, origin, time);
	} else if (!pxt_event_set_has(&rec->filter, POSIXTRACE_EV_STOP)) {
		pxt_recorder_describe(rec, &r, POSIXTRACE_EV_STOP,
				      sizeof(automatic), origin, time);
		append(rec, &r, &automatic);
	}
}

/* An event is lost, in spite of flushing if the policy is that. */
static void lose(struct pxt_recorder *rec, u64 time)
{
	lockdep_assert_held(&rec->lock);
	rec->lost++;
	rec->overrun = true;
	if (rec->policy == POSIXTRACE_POLICY_FLUSH && !rec->loss_time)
		rec->loss_time = time;
}

/* Append an event that is lost if there is no room; did it find some? */
static bool record(struct pxt_recorder *rec, const struct posixtrace_record *r,
		   const void *data)
{
	lockdep_assert_held(&rec->lock);
	if (append(rec, r, data))
		return true;
	lose(rec, r->timestamp);
	if (!pxt_buffer_loops(&rec->buffer)) {
		rec->full = true;
		rec->armed = true;
		suspend(rec, 1, &nobody, r->timestamp);
		pxt_recorder_happened(rec, POSIXTRACE_LIFE_FULL, 0);
	}
	return false;
}

/**
 * pxt_recorder_flush_if_due() - is a flush to begin?
 * @rec: the recorder, locked
 *
 * With POSIXTRACE_POLICY_FLUSH when half of the room is used, or when the stream
 * waits for room. Said once for each flush.
 *
 * Return: PXT_START_FLUSH, or 0.
 */
unsigned int pxt_recorder_flush_if_due(struct pxt_recorder *rec)
{
	lockdep_assert_held(&rec->lock);
	if (rec->policy != POSIXTRACE_POLICY_FLUSH || rec->flush_due)
		return 0;
	if (!rec->armed && pxt_buffer_half_free(&rec->buffer, 0))
		return 0;
	rec->flush_due = true;
	return PXT_START_FLUSH;
}

/**
 * pxt_recorder_shutdown() - let nothing happen any more
 * @rec: any state
 *
 * With a log the last flush is still to come. Without, unread events are
 * dropped, and nobody looks at the buffer afterwards.
 *
 * Return: whether this call did it; false if it was shut down already.
 */
bool pxt_recorder_shutdown(struct pxt_recorder *rec)
{
	int automatic = 0;

	guard(raw_spinlock_irqsave)(&rec->lock);
	if (rec->dead)
		return false;
	WRITE_ONCE(rec->dead, true);
	if (!rec->has_log)
		pxt_buffer_clear(&rec->buffer);
	else if (rec->running)
		pxt_recorder_append_reserved(rec, POSIXTRACE_EV_STOP,
					     &automatic, &nobody,
					     ktime_get_real_ns());
	rec->running = false;
	rec->armed = false;
	return true;
}

/*
 * Append an event with less data than it had, since this stream takes no more,
 * or the trace point thought that none does.
 */
static void record_cut(struct pxt_recorder *rec, const struct pxt_event *ev)
{
	struct posixtrace_record cut = ev->record;

	lockdep_assert_held(&rec->lock);
	cut.data_size = min(cut.data_size, rec->max_data);
	cut.size = POSIXTRACE_RECORD_SIZE(cut.data_size);
	cut.truncation = POSIXTRACE_TRUNCATED_RECORD;
	rec->truncated += record(rec, &cut, ev->data);
}

/**
 * pxt_recorder_record_with_care() - record an event that is not just appended
 * @rec: the recorder, locked; the type is not filtered
 * @ev: the event
 *
 * Return: as pxt_recorder_record().
 */
unsigned int pxt_recorder_record_with_care(struct pxt_recorder *rec,
					   struct pxt_event *ev)
{
	lockdep_assert_held(&rec->lock);
	if (!rec->running && !rec->armed)
		return 0;
	pxt_recorder_set_time(rec, &ev->record);
	if (ev->data_full == PXT_DATA_UNREADABLE) {
		rec->lost++;
		rec->overrun = true;
		return 0;
	}
	if (!rec->running) {
		lose(rec, ev->record.timestamp);
		return pxt_recorder_flush_if_due(rec);
	}
	if (pxt_event_is_cut(ev, rec->max_data))
		record_cut(rec, ev);
	else
		record(rec, &ev->record, ev->data);
	return pxt_recorder_tell(rec) | pxt_recorder_flush_if_due(rec);
}

/**
 * pxt_recorder_record() - a trace point was reached
 * @rec: the recorder
 * @ev: the event, with pid and tid in the owner's pid namespace; gets its time
 *
 * Context: any; no sleep. A probe may hold a run queue lock.
 *
 * Return: PXT_WAKE_READERS, PXT_START_FLUSH, as they are due.
 */
unsigned int pxt_recorder_record(struct pxt_recorder *rec, struct pxt_event *ev)
{
	guard(raw_spinlock_irqsave)(&rec->lock);
	return pxt_recorder_record_locked(rec, ev);
}

/**
 * pxt_recorder_missed_child() - a process can't be followed
 * @rec: the recorder; its events count as an overrun
 *
 * Context: any; no sleep.
 */
void pxt_recorder_missed_child(struct pxt_recorder *rec)
{
	guard(raw_spinlock_irqsave)(&rec->lock);
	rec->missed_children++;
	rec->overrun = true;
}

/**
 * pxt_recorder_wanted() - add the types that would be recorded, or count as lost
 * @rec: the recorder
 * @set: the types are added to it
 */
void pxt_recorder_wanted(struct pxt_recorder *rec,
			 struct posixtrace_event_set *set)
{
	unsigned int i;

	guard(raw_spinlock_irqsave)(&rec->lock);
	if (rec->dead || (!rec->running && !rec->starting && !rec->armed))
		return;
	for (i = 0; i < ARRAY_SIZE(set->bits); i++)
		set->bits[i] |= ~rec->filter.bits[i];
}

/* Stopped by the system, for want of room? */
static bool ran_full(const struct pxt_recorder *rec)
{
	return rec->full && !pxt_buffer_loops(&rec->buffer);
}

/**
 * pxt_recorder_announce_start() - pxt_recorder_start() is about to be called
 * @rec: pxt_recorder_wanted() tells what it will want, until each start that was
 *	announced has been made
 */
void pxt_recorder_announce_start(struct pxt_recorder *rec)
{
	guard(raw_spinlock_irqsave)(&rec->lock);
	rec->starting++;
}

/**
 * pxt_recorder_start() - posix_trace_start()
 * @rec: the recorder
 * @origin: of the START event
 *
 * A stream that ran full stays so, but is started when there is room.
 *
 * Return: PXT_START_FLUSH if it is due.
 */
unsigned int pxt_recorder_start(struct pxt_recorder *rec,
				const struct pxt_origin *origin)
{
	guard(raw_spinlock_irqsave)(&rec->lock);
	rec->starting--;
	if (rec->dead || rec->running)
		return 0;
	if (ran_full(rec)) {
		rec->armed = true;
	} else {
		resume(rec, origin);
		pxt_recorder_happened(rec, rec->running ? POSIXTRACE_LIFE_STARTED :
					     POSIXTRACE_LIFE_FULL, 0);
	}
	return pxt_recorder_flush_if_due(rec);
}

/**
 * pxt_recorder_stop() - posix_trace_stop()
 * @rec: the recorder
 * @origin: of the STOP event
 *
 * A stream that ran full is not started again when there is room.
 */
void pxt_recorder_stop(struct pxt_recorder *rec,
		       const struct pxt_origin *origin)
{
	guard(raw_spinlock_irqsave)(&rec->lock);
	rec->armed = false;
	if (!rec->running)
		return;
	suspend(rec, 0, origin, ktime_get_real_ns());
	pxt_recorder_happened(rec, POSIXTRACE_LIFE_STOPPED, 0);
}

/**
 * pxt_recorder_clear() - posix_trace_clear()
 * @rec: as after its creation, but it runs on if it was running
 *
 * The counters stay: they never go back.
 */
void pxt_recorder_clear(struct pxt_recorder *rec)
{
	guard(raw_spinlock_irqsave)(&rec->lock);
	pxt_buffer_clear(&rec->buffer);
	memset(&rec->filter, 0, sizeof(rec->filter));
	rec->full = false;
	rec->armed = false;
	rec->told = false;
	pxt_recorder_forget_overrun(rec);
	rec->overflow_due = false;
	rec->resume_due = false;
	rec->loss_time = 0;
	rec->log_full = false;
	rec->log_overrun = false;
	rec->flush_error = 0;
}

static void combine(struct posixtrace_event_set *filter, u32 how,
		    const struct posixtrace_event_set *set)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(set->bits); i++) {
		if (how == POSIXTRACE_SET_EVENTSET)
			filter->bits[i] = set->bits[i];
		else if (how == POSIXTRACE_ADD_EVENTSET)
			filter->bits[i] |= set->bits[i];
		else
			filter->bits[i] &= ~set->bits[i];
	}
}

/**
 * pxt_recorder_set_filter() - posix_trace_set_filter()
 * @rec: the recorder
 * @how: POSIXTRACE_*_EVENTSET
 * @set: the argument
 * @origin: of the FILTER event, which a running stream records
 *
 * Return: PXT_START_FLUSH if it is due.
 */
unsigned int pxt_recorder_set_filter(struct pxt_recorder *rec, u32 how,
				     const struct posixtrace_event_set *set,
				     const struct pxt_origin *origin)
{
	struct posixtrace_event_set sets[2];
	struct posixtrace_record r;

	guard(raw_spinlock_irqsave)(&rec->lock);
	sets[0] = rec->filter;
	combine(&rec->filter, how, set);
	sets[1] = rec->filter;
	if (!rec->running)
		return 0;
	if (pxt_event_set_has(&sets[0], POSIXTRACE_EV_FILTER) &&
	    pxt_event_set_has(&sets[1], POSIXTRACE_EV_FILTER))
		return 0;
	pxt_recorder_describe(rec, &r, POSIXTRACE_EV_FILTER, sizeof(sets),
			      origin, ktime_get_real_ns());
	record(rec, &r, sets);
	return pxt_recorder_flush_if_due(rec);
}

/**
 * pxt_recorder_get_filter() - posix_trace_get_filter()
 * @rec: the recorder
 * @set: where the filter in force goes
 */
void pxt_recorder_get_filter(struct pxt_recorder *rec,
			     struct posixtrace_event_set *set)
{
	guard(raw_spinlock_irqsave)(&rec->lock);
	*set = rec->filter;
}

/**
 * pxt_recorder_made_room() - the oldest record is gone
 * @rec: the recorder, locked; it goes on if there is room enough now
 */
void pxt_recorder_made_room(struct pxt_recorder *rec)
{
	lockdep_assert_held(&rec->lock);
	if (!rec->full)
		return;
	if (pxt_buffer_loops(&rec->buffer)) {
		rec->full = false;
		return;
	}
	if (!pxt_buffer_half_free(&rec->buffer, STOP_ROOM))
		return;
	rec->full = false;
	if (!rec->armed)
		return;
	resume(rec, &nobody);
	if (rec->running)
		pxt_recorder_happened(rec, POSIXTRACE_LIFE_RESUMED, 0);
}
