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

/* Room that is kept for the STOP of a stream that ran full. */
#define STOP_RESERVE	POSIXTRACE_RECORD_SIZE(sizeof(int))

static const struct pxt_origin nobody;

/**
 * pxt_recorder_init() - make a suspended, empty recorder
 * @rec: to be initialized
 * @policy: POSIXTRACE_POLICY_LOOP or POSIXTRACE_POLICY_UNTIL_FULL
 * @size: bytes for events, a multiple of 8
 * @max_data: user data beyond it is cut
 * @pid: of the traced process, shown in system events
 *
 * Context: may sleep.
 *
 * Return: 0, or -ENOMEM.
 */
int pxt_recorder_init(struct pxt_recorder *rec, u32 policy, size_t size,
		      u32 max_data, pid_t pid)
{
	memset(rec, 0, sizeof(*rec));
	raw_spin_lock_init(&rec->lock);
	rec->policy = policy;
	rec->max_data = max_data;
	rec->pid = pid;
	return pxt_buffer_init(&rec->buffer, size, STOP_RESERVE,
			       policy == POSIXTRACE_POLICY_LOOP);
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

/**
 * pxt_recorder_shutdown() - let nothing happen any more
 * @rec: any state
 *
 * Unread events are dropped. Afterwards nobody looks at the buffer.
 *
 * Return: whether this call did it; false if it was shut down already.
 */
bool pxt_recorder_shutdown(struct pxt_recorder *rec)
{
	bool first;

	guard(raw_spinlock_irqsave)(&rec->lock);
	first = !rec->dead;
	WRITE_ONCE(rec->dead, true);
	rec->running = false;
	rec->armed = false;
	pxt_buffer_clear(&rec->buffer);
	return first;
}

/* Append; tell what is to be reported where older events were overwritten. */
static enum pxt_append append(struct pxt_recorder *rec,
			      const struct posixtrace_record *r,
			      const void *data)
{
	bool known_gap = rec->buffer.gap;
	enum pxt_append result;

	lockdep_assert_held(&rec->lock);
	result = pxt_buffer_append(&rec->buffer, r, data);
	if (result != PXT_OVERWROTE)
		return result;
	rec->full = true;
	rec->overrun = true;
	if (!known_gap) {
		rec->overflow_due = !pxt_event_set_has(&rec->filter,
					    POSIXTRACE_EV_OVERFLOW);
		rec->resume_due = !pxt_event_set_has(&rec->filter, POSIXTRACE_EV_RESUME);
	}
	return result;
}

static void describe(const struct pxt_recorder *rec,
		     struct posixtrace_record *r, u32 id, size_t data_size,
		     const struct pxt_origin *origin)
{
	*r = (struct posixtrace_record) {
		.size = POSIXTRACE_RECORD_SIZE(data_size),
		.data_size = data_size,
		.event_id = id,
		.pid = rec->pid,
		.tid = origin->tid,
		.cpu = raw_smp_processor_id(),
		.timestamp = ktime_get_real_ns(),
		.thread = origin->thread,
		.address = origin->address,
	};
}

/* Record START, unless it is filtered; is there room to run? */
static bool append_start(struct pxt_recorder *rec,
			 const struct pxt_origin *origin)
{
	struct posixtrace_record r;

	/* The STOP that ends this run will need the reserve. */
	if (pxt_buffer_reserve_used(&rec->buffer))
		return false;
	if (pxt_event_set_has(&rec->filter, POSIXTRACE_EV_START))
		return true;
	describe(rec, &r, POSIXTRACE_EV_START, sizeof(rec->filter), origin);
	return append(rec, &r, &rec->filter) != PXT_NO_ROOM;
}

static void resume(struct pxt_recorder *rec, const struct pxt_origin *origin)
{
	lockdep_assert_held(&rec->lock);
	rec->running = append_start(rec, origin);
	rec->armed = !rec->running;
	rec->full |= rec->armed;
}

/* Record STOP, which always finds room: see pxt_buffer_append_reserved(). */
static void suspend(struct pxt_recorder *rec, int automatic,
		    const struct pxt_origin *origin)
{
	struct posixtrace_record r;
	enum pxt_append result;

	lockdep_assert_held(&rec->lock);
	rec->running = false;
	if (pxt_event_set_has(&rec->filter, POSIXTRACE_EV_STOP))
		return;
	describe(rec, &r, POSIXTRACE_EV_STOP, sizeof(automatic), origin);
	if (rec->policy == POSIXTRACE_POLICY_LOOP)
		result = append(rec, &r, &automatic);
	else
		result = pxt_buffer_append_reserved(&rec->buffer, &r,
						    &automatic);
	if (WARN_ON_ONCE(result == PXT_NO_ROOM))
		rec->lost++;
}

/* Append an event that is lost if there is no room; did it find some? */
static bool record(struct pxt_recorder *rec, const struct posixtrace_record *r,
		   const void *data)
{
	lockdep_assert_held(&rec->lock);
	if (append(rec, r, data) != PXT_NO_ROOM)
		return true;
	rec->lost++;
	rec->overrun = true;
	if (rec->policy != POSIXTRACE_POLICY_LOOP) {
		rec->full = true;
		rec->armed = true;
		suspend(rec, 1, &nobody);
	}
	return false;
}

/**
 * pxt_recorder_record() - a trace point was reached
 * @rec: the recorder
 * @ev: the event
 * @pid: of the process that generated it, in the owner's pid namespace
 * @tid: of the thread, likewise
 *
 * Context: any; no sleep. A probe may hold a run queue lock.
 *
 * Return: whether there is something to be read.
 */
bool pxt_recorder_record(struct pxt_recorder *rec, const struct pxt_event *ev,
			 pid_t pid, pid_t tid)
{
	struct posixtrace_record r;
	size_t size = ev->data_size;
	bool cut = false;

	/* System data is never cut, only what posix_trace_event() gives. */
	if (ev->id >= POSIXTRACE_EV_USER || ev->id == POSIXTRACE_EV_UNNAMED) {
		size = min_t(size_t, size, rec->max_data);
		cut = size < ev->data_full;
	}
	r = (struct posixtrace_record) {
		.size = POSIXTRACE_RECORD_SIZE(size),
		.data_size = size,
		.event_id = ev->id,
		.truncation = cut ? POSIXTRACE_TRUNCATED_RECORD :
				    POSIXTRACE_NOT_TRUNCATED,
		.pid = pid,
		.tid = tid,
		.thread = ev->thread,
		.address = ev->address,
	};

	guard(raw_spinlock_irqsave)(&rec->lock);
	if (pxt_event_set_has(&rec->filter, ev->id) || (!rec->running && !rec->armed))
		return false;
	if (!rec->running || ev->unreadable) {
		rec->lost++;
		rec->overrun = true;
		return false;
	}
	r.cpu = raw_smp_processor_id();
	r.timestamp = ktime_get_real_ns();
	if (record(rec, &r, ev->data))
		rec->truncated += cut;
	return true;
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
	if (!rec->running && !rec->armed)
		return;
	for (i = 0; i < ARRAY_SIZE(set->bits); i++)
		set->bits[i] |= ~rec->filter.bits[i];
}

/* Stopped by the system, for want of room? */
static bool ran_full(const struct pxt_recorder *rec)
{
	return rec->full && rec->policy != POSIXTRACE_POLICY_LOOP;
}

/**
 * pxt_recorder_start() - posix_trace_start()
 * @rec: the recorder
 * @origin: of the START event
 *
 * A stream that ran full stays so, but is started when there is room.
 */
void pxt_recorder_start(struct pxt_recorder *rec,
			const struct pxt_origin *origin)
{
	guard(raw_spinlock_irqsave)(&rec->lock);
	if (rec->dead || rec->running)
		return;
	if (ran_full(rec))
		rec->armed = true;
	else
		resume(rec, origin);
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
	if (rec->running)
		suspend(rec, 0, origin);
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
	rec->overrun = false;
	rec->overflow_due = false;
	rec->resume_due = false;
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
 */
void pxt_recorder_set_filter(struct pxt_recorder *rec, u32 how,
			     const struct posixtrace_event_set *set,
			     const struct pxt_origin *origin)
{
	struct posixtrace_event_set sets[2];
	struct posixtrace_record r;

	guard(raw_spinlock_irqsave)(&rec->lock);
	sets[0] = rec->filter;
	combine(&rec->filter, how, set);
	sets[1] = rec->filter;
	if (!rec->running || (pxt_event_set_has(&sets[0], POSIXTRACE_EV_FILTER) &&
			      pxt_event_set_has(&sets[1], POSIXTRACE_EV_FILTER)))
		return;
	describe(rec, &r, POSIXTRACE_EV_FILTER, sizeof(sets), origin);
	record(rec, &r, sets);
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
 * pxt_recorder_get_status() - posix_trace_get_status()
 * @rec: the recorder; its overrun is reset unless @status->flags say to peek
 * @status: filled in, all at one moment
 */
void pxt_recorder_get_status(struct pxt_recorder *rec,
			     struct posixtrace_status *status)
{
	guard(raw_spinlock_irqsave)(&rec->lock);
	status->running = rec->running;
	status->full = rec->full;
	status->overrun = rec->overrun;
	status->recorded = rec->buffer.recorded;
	status->lost = rec->lost;
	status->overwritten = rec->buffer.overwritten;
	status->truncated = rec->truncated;
	if (!(status->flags & POSIXTRACE_STATUS_PEEK))
		rec->overrun = false;
}

/**
 * pxt_recorder_set_overrun() - the status with an overrun was not delivered
 * @rec: the recorder
 */
void pxt_recorder_set_overrun(struct pxt_recorder *rec)
{
	guard(raw_spinlock_irqsave)(&rec->lock);
	rec->overrun = true;
}

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
	describe(rec, r, id, 0, &nobody);
	r->pid = 0;
	r->timestamp = time;
	return r->size;
}

static size_t take_record(struct pxt_recorder *rec, void *to)
{
	size_t size = pxt_buffer_take(&rec->buffer, to);

	pxt_buffer_close_gap(&rec->buffer);
	if (!rec->full)
		return size;
	if (rec->policy == POSIXTRACE_POLICY_LOOP) {
		rec->full = false;
	} else if (pxt_buffer_half_free(&rec->buffer)) {
		rec->full = false;
		if (rec->armed)
			resume(rec, &nobody);
	}
	return size;
}

/**
 * pxt_recorder_take() - take the oldest event out
 * @rec: the recorder
 * @to: @room bytes
 * @room: how many
 * @needed: set to the size of the event if @room is too small for it
 *
 * Return: bytes stored: a struct posixtrace_record with its data. 0 if there is
 * no event, or it is larger than @room: then it stays.
 */
size_t pxt_recorder_take(struct pxt_recorder *rec, void *to, size_t room,
			 size_t *needed)
{
	bool gap;

	guard(raw_spinlock_irqsave)(&rec->lock);
	*needed = pxt_buffer_next_size(&rec->buffer);
	if (!*needed)
		return 0;
	gap = rec->overflow_due || rec->resume_due;
	if (gap)
		*needed = sizeof(struct posixtrace_record);
	if (*needed > room)
		return 0;
	return gap ? take_gap(rec, to) : take_record(rec, to);
}
