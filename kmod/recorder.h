/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state machine of a stream: what start, stop, filter and a full buffer do
 * to the events (POSIX.1-2008, XSH 2.11.2 and the trace_* pages).
 *
 * It knows no file, no user memory and no other process. Everything is decided
 * under one raw lock, since kernel events come from probes that hold a run
 * queue lock; the sections under it are short.
 */
#ifndef PXT_RECORDER_H
#define PXT_RECORDER_H

#include <linux/ktime.h>
#include <linux/lockdep.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/posixtrace.h>

#include "buffer.h"
#include "event.h"
#include "life.h"

/**
 * struct pxt_recorder - events of a stream and the state that decides on them
 * @lock: covers everything below but the constants; taken with interrupts off
 * @policy: POSIXTRACE_POLICY_*; constant
 * @max_data: user data beyond it is cut; constant
 * @pid: of the traced process, in the owner's pid namespace; constant
 * @has_log: events go to a log, readers only look at them; constant
 * @buffer: the events
 * @last_time: time stamp of the newest event, 1 before the first one
 * @filter: types that are not recorded
 * @starting: it is about to accept events, the target may send already
 * @running: it accepts events
 * @full: no room was left for an event, and none was freed since
 * @armed: the system stopped the stream since it is full, and will start it
 * @overrun: an event was lost since the status was last read; or one was
 *	overwritten, see @overwritten_told
 * @dead: shut down; nothing happens any more, but for the last flush
 * @told: readers were woken since events were last taken out, cleared, or found
 *	missing; so they need not be woken again
 * @overflow_due: an OVERFLOW event is to be reported before the oldest record
 * @resume_due: a RESUME event likewise
 * @flush_due: a flush was asked for and has not begun
 * @flushing: a flush is under way
 * @log_full: the log has reached its size
 * @log_overrun: an event was lost from the log since the status was last read
 * @flush_error: first error of a flush since the status was last read
 * @loss_time: when the first event was lost since the stream ran full, 0: none
 *	was; only with POSIXTRACE_POLICY_FLUSH
 * @lost: events that found no room, or whose data could not be read
 * @truncated: events recorded with less data than they had
 * @flushed: bytes of records in the log, ever
 * @log_lost: events that are not in the log though they were recorded
 * @missed_children: processes none of whose events come here, though they should
 * @overwritten_told: how many were overwritten when the status was last read
 * @life: what is noted of it
 *
 * The pairs (@running, @full) have the meaning that the standard gives them;
 * both at once only occur with POSIXTRACE_POLICY_LOOP. A part of a stream.
 */
struct pxt_recorder {
	raw_spinlock_t lock;
	u32 policy;
	u32 max_data;
	pid_t pid;
	bool has_log;
	struct pxt_buffer buffer;
	u64 last_time;
	struct posixtrace_event_set filter;
	unsigned int starting;
	bool running;
	bool full;
	bool armed;
	bool overrun;
	bool dead;
	bool told;
	bool overflow_due;
	bool resume_due;
	bool flush_due;
	bool flushing;
	bool log_full;
	bool log_overrun;
	int flush_error;
	u64 loss_time;
	u64 lost;
	u64 truncated;
	u64 flushed;
	u64 log_lost;
	u64 missed_children;
	u64 overwritten_told;
	struct pxt_life life;
};

/* What is due after an event or a call. */
#define PXT_WAKE_READERS	0x1
#define PXT_START_FLUSH		0x2

int pxt_recorder_init(struct pxt_recorder *rec, u32 policy, bool has_log,
		      size_t size, u32 max_data, pid_t pid);
size_t pxt_recorder_room(size_t size, bool has_log);
void pxt_recorder_destroy(struct pxt_recorder *rec);
bool pxt_recorder_shutdown(struct pxt_recorder *rec);

unsigned int pxt_recorder_record(struct pxt_recorder *rec,
				 struct pxt_event *ev);
unsigned int pxt_recorder_record_with_care(struct pxt_recorder *rec,
					   struct pxt_event *ev);
unsigned int pxt_recorder_flush_if_due(struct pxt_recorder *rec);
void pxt_recorder_missed_child(struct pxt_recorder *rec);
void pxt_recorder_wanted(struct pxt_recorder *rec,
			 struct posixtrace_event_set *set);

void pxt_recorder_announce_start(struct pxt_recorder *rec);
unsigned int pxt_recorder_start(struct pxt_recorder *rec,
				const struct pxt_origin *origin);
void pxt_recorder_stop(struct pxt_recorder *rec,
		       const struct pxt_origin *origin);
void pxt_recorder_clear(struct pxt_recorder *rec);
unsigned int pxt_recorder_set_filter(struct pxt_recorder *rec, u32 how,
				     const struct posixtrace_event_set *set,
				     const struct pxt_origin *origin);
void pxt_recorder_get_filter(struct pxt_recorder *rec,
			     struct posixtrace_event_set *set);
/* For outlet.c, which holds @rec->lock. */
void pxt_recorder_made_room(struct pxt_recorder *rec);
void pxt_recorder_describe(const struct pxt_recorder *rec,
			   struct posixtrace_record *r, u32 id,
			   size_t data_size, const struct pxt_origin *origin,
			   u64 time);
void pxt_recorder_append_reserved(struct pxt_recorder *rec, u32 id,
				  const int *data,
				  const struct pxt_origin *origin, u64 time);

/* Is there an event to be read? A hint: see pxt_outlet_expect(). */
static inline bool pxt_recorder_readable(const struct pxt_recorder *rec)
{
	return !pxt_buffer_peeked_all(&rec->buffer);
}

/* Are events recorded? A hint, too. */
static inline bool pxt_recorder_runs(const struct pxt_recorder *rec)
{
	return READ_ONCE(rec->running);
}

/* Was the stream shut down? It never comes back. */
static inline bool pxt_recorder_dead(const struct pxt_recorder *rec)
{
	return READ_ONCE(rec->dead);
}

/* Was an event lost, or overwritten, since that was last forgotten? */
static inline bool pxt_recorder_overrun(const struct pxt_recorder *rec)
{
	return rec->overrun || pxt_buffer_overwritten(&rec->buffer) !=
				rec->overwritten_told;
}

static inline void pxt_recorder_forget_overrun(struct pxt_recorder *rec)
{
	rec->overrun = false;
	rec->overwritten_told = pxt_buffer_overwritten(&rec->buffer);
}

/*
 * From here on: the way of most events, of which there are many.
 */

/*
 * The time of an event that is recorded now. Other streams may have the event
 * already: they all show the same time, unless this stream has a later event.
 */
static __always_inline void pxt_recorder_set_time(const struct pxt_recorder *rec,
						  struct posixtrace_record *r)
{
	lockdep_assert_held(&rec->lock);
	if (r->timestamp < rec->last_time)
		r->timestamp = ktime_get_real_ns();
}

/* There is an event. Return: PXT_WAKE_READERS, if they have not been told. */
static __always_inline unsigned int pxt_recorder_tell(struct pxt_recorder *rec)
{
	lockdep_assert_held(&rec->lock);
	if (likely(rec->told))
		return 0;
	rec->told = true;
	return PXT_WAKE_READERS;
}

/* See pxt_recorder_record(). @rec is locked. */
static __always_inline unsigned int
pxt_recorder_record_locked(struct pxt_recorder *rec, struct pxt_event *ev)
{
	struct posixtrace_record *r = &ev->record;
	unsigned int todo;

	lockdep_assert_held(&rec->lock);
	if (pxt_event_set_has(&rec->filter, r->event_id))
		return 0;
	if (unlikely(!rec->running || pxt_event_is_cut(ev, rec->max_data)))
		return pxt_recorder_record_with_care(rec, ev);
	pxt_recorder_set_time(rec, r);
	if (unlikely(!pxt_buffer_append_quickly(&rec->buffer, r, ev->data)))
		return pxt_recorder_record_with_care(rec, ev);
	rec->last_time = r->timestamp;
	todo = pxt_recorder_tell(rec);
	if (rec->policy != POSIXTRACE_POLICY_FLUSH)
		return todo;
	return todo | pxt_recorder_flush_if_due(rec);
}

#endif /* PXT_RECORDER_H */
