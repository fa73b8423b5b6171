// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is to be announced of streams, see life.h.
 */
#include <linux/spinlock.h>

#include "life.h"

/* Set before there are streams, and reset after the last one. */
static const struct pxt_life_listener *listener;

static DEFINE_RAW_SPINLOCK(lock);

/*
 * Covered by @lock.
 *
 * @missed: there was no room for a note
 * @first: the oldest one in @ring
 * @nr: how many there are
 */
static struct {
	bool missed;
	unsigned int first;
	unsigned int nr;
	struct pxt_life_note ring[PXT_LIFE_NOTES];
} notes;

/**
 * pxt_life_listen() - somebody takes the notes from now on
 * @new: who; NULL: nobody
 *
 * Context: there are no streams, not even released ones.
 */
void pxt_life_listen(const struct pxt_life_listener *new)
{
	listener = new;
}

/**
 * pxt_life_wanted() - is it to be noted what happens to the stream?
 * @life: of the stream; pxt_recorder.lock is held, or nothing happens any more
 *
 * Return: true if it is.
 */
bool pxt_life_wanted(const struct pxt_life *life)
{
	return life->begun && listener && listener->wants();
}

static void add(const struct pxt_life_note *note)
{
	guard(raw_spinlock_irqsave)(&lock);
	if (notes.nr == PXT_LIFE_NOTES) {
		notes.missed = true;
		return;
	}
	notes.ring[(notes.first + notes.nr) % PXT_LIFE_NOTES] = *note;
	notes.nr++;
	atomic_inc(&note->life->waiting);
}

/**
 * pxt_life_note() - note that something happened
 * @note: what; pxt_recorder.lock of its stream is held
 *
 * Context: pxt_life_wanted(). Any; no sleep.
 */
void pxt_life_note(const struct pxt_life_note *note)
{
	add(note);
	listener->due();
}

/**
 * pxt_life_take() - take the oldest note
 * @note: filled in; to be followed by pxt_life_done() if it names a stream,
 *	which stays there until then
 *
 * Return: false if there is none.
 */
bool pxt_life_take(struct pxt_life_note *note)
{
	guard(raw_spinlock_irqsave)(&lock);
	if (notes.nr) {
		*note = notes.ring[notes.first];
		notes.first = (notes.first + 1) % PXT_LIFE_NOTES;
		notes.nr--;
		return true;
	}
	if (!notes.missed)
		return false;
	notes.missed = false;
	*note = (struct pxt_life_note) {};
	return true;
}

/**
 * pxt_life_done() - a note was announced
 * @life: of the stream that it named, which may go now
 */
void pxt_life_done(struct pxt_life *life)
{
	/* Pairs with pxt_life_settle(). */
	atomic_dec_return_release(&life->waiting);
}

/**
 * pxt_life_settle() - wait until no note names the stream
 * @life: of the stream, to which nothing happens any more
 *
 * Context: may sleep.
 */
void pxt_life_settle(struct pxt_life *life)
{
	/* Pairs with pxt_life_done(). */
	while (atomic_read_acquire(&life->waiting))
		listener->settle();
}

/**
 * pxt_life_state() - the state as clients of netlink see it
 * @status: of a stream
 * @has_log: it has a log
 *
 * Return: POSIXTRACE_NL_STATE_*.
 */
u32 pxt_life_state(const struct posixtrace_status *status, bool has_log)
{
	return (status->running ? POSIXTRACE_NL_STATE_RUNNING : 0) |
	       (status->full ? POSIXTRACE_NL_STATE_FULL : 0) |
	       (status->overrun ? POSIXTRACE_NL_STATE_OVERRUN : 0) |
	       (status->flushing ? POSIXTRACE_NL_STATE_FLUSHING : 0) |
	       (has_log ? POSIXTRACE_NL_STATE_LOG : 0) |
	       (status->log_full ? POSIXTRACE_NL_STATE_LOG_FULL : 0) |
	       (status->log_overrun ? POSIXTRACE_NL_STATE_LOG_OVERRUN : 0);
}
