// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a recorder tells of itself, see recstatus.h.
 */
#include <linux/ktime.h>
#include <linux/lockdep.h>

#include "recstatus.h"

static void fill_status(const struct pxt_recorder *rec,
			struct posixtrace_status *status)
{
	lockdep_assert_held(&rec->lock);
	status->running = rec->running;
	status->full = rec->full;
	status->overrun = pxt_recorder_overrun(rec);
	status->recorded = rec->buffer.recorded;
	status->lost = rec->lost;
	status->overwritten = pxt_buffer_overwritten(&rec->buffer);
	status->truncated = rec->truncated;
	status->flushing = rec->flushing;
	status->flush_error = rec->flush_error;
	status->log_overrun = rec->log_overrun;
	status->log_full = rec->log_full;
	status->flushed = rec->flushed;
	status->log_lost = rec->log_lost;
	status->missed_children = rec->missed_children;
}

/* Something happened, and the state shows it. */
static noinline void note_down(struct pxt_recorder *rec, u32 kind, int error)
{
	struct posixtrace_status status = {};
	struct pxt_life_note note;

	lockdep_assert_held(&rec->lock);
	fill_status(rec, &status);
	note = (struct pxt_life_note) {
		.life = &rec->life,
		.kind = kind,
		.state = pxt_life_state(&status, rec->has_log),
		.error = error,
		.gone = rec->life.gone,
		.time = ktime_get_real_ns(),
	};
	pxt_life_note(&note);
}

/**
 * pxt_recorder_happened() - note something, if anybody wants to know
 * @rec: the recorder, locked; its state shows it
 * @kind: POSIXTRACE_LIFE_*
 * @error: of a flush, else 0
 */
void pxt_recorder_happened(struct pxt_recorder *rec, u32 kind, int error)
{
	if (pxt_life_wanted(&rec->life))
		note_down(rec, kind, error);
}

/**
 * pxt_recorder_get_status() - posix_trace_get_status()
 * @rec: the recorder; what says that something happened is reset, unless
 *	@status->flags say to peek
 * @status: filled in, all at one moment
 */
void pxt_recorder_get_status(struct pxt_recorder *rec,
			     struct posixtrace_status *status)
{
	guard(raw_spinlock_irqsave)(&rec->lock);
	fill_status(rec, status);
	if (status->flags & POSIXTRACE_STATUS_PEEK)
		return;
	pxt_recorder_forget_overrun(rec);
	rec->log_overrun = false;
	rec->flush_error = 0;
}

/**
 * pxt_recorder_restore_status() - the caller did not get its status
 * @rec: the recorder
 * @status: filled in by pxt_recorder_get_status()
 */
void pxt_recorder_restore_status(struct pxt_recorder *rec,
				 const struct posixtrace_status *status)
{
	guard(raw_spinlock_irqsave)(&rec->lock);
	rec->overrun |= status->overrun;
	rec->log_overrun |= status->log_overrun;
	if (status->flush_error)
		rec->flush_error = status->flush_error;
}

/**
 * pxt_recorder_begin_life() - the stream is complete, and can be announced
 * @rec: the recorder
 */
void pxt_recorder_begin_life(struct pxt_recorder *rec)
{
	guard(raw_spinlock_irqsave)(&rec->lock);
	rec->life.begun = true;
	pxt_recorder_happened(rec, POSIXTRACE_LIFE_CREATED, 0);
	if (rec->life.gone)
		pxt_recorder_happened(rec, POSIXTRACE_LIFE_TARGET_GONE, 0);
}

/**
 * pxt_recorder_target_gone() - the process that it was made for is not traced
 * @rec: the recorder; takes note of it once
 *
 * Context: any; no sleep.
 */
void pxt_recorder_target_gone(struct pxt_recorder *rec)
{
	guard(raw_spinlock_irqsave)(&rec->lock);
	if (rec->life.gone)
		return;
	pxt_recorder_happened(rec, POSIXTRACE_LIFE_TARGET_GONE, 0);
	rec->life.gone = true;
}

/**
 * pxt_recorder_end_life() - all is over
 * @rec: shut down, its log is complete
 */
void pxt_recorder_end_life(struct pxt_recorder *rec)
{
	/* Who begins to listen now finds the stream in no list. */
	if (!pxt_life_wanted(&rec->life))
		return;
	guard(raw_spinlock_irqsave)(&rec->lock);
	note_down(rec, POSIXTRACE_LIFE_SHUT_DOWN, 0);
}
