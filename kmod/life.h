/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What happened to streams and is to be announced.
 *
 * Things happen under raw locks, in probes that may hold a run queue lock, where
 * nothing can be sent. So each is noted, in the order in which it happens, and
 * somebody who may sleep takes the notes. While nobody wants them a stream costs
 * a few bytes, and a change a look at that.
 *
 * Lock order: pxt_recorder.lock, then the lock of the notes, which is raw.
 */
#ifndef PXT_LIFE_H
#define PXT_LIFE_H

#include <linux/atomic.h>
#include <linux/types.h>
#include <linux/posixtrace.h>
#include <linux/posixtrace_netlink.h>

/*
 * Notes that wait to be taken, of all streams: enough for those of a busy system
 * to end at once though nobody gets to send. More is a storm.
 */
#define PXT_LIFE_NOTES	2048

/**
 * struct pxt_life - what is known of the life of a stream
 * @begun: it is complete: from now on it is noted what happens
 * @gone: the target is not traced any more, which was noted if it had begun
 * @waiting: notes that name it, up to pxt_life_done()
 *
 * A part of the recorder; all but @waiting are covered by its lock.
 */
struct pxt_life {
	bool begun;
	bool gone;
	atomic_t waiting;
};

/**
 * struct pxt_life_note - something that happened
 * @life: of the stream to which it did; NULL: more than could be noted
 * @time: CLOCK_REALTIME, nanoseconds
 * @error: error number, with POSIXTRACE_LIFE_FLUSH_ENDED
 * @kind: POSIXTRACE_LIFE_*
 * @state: POSIXTRACE_NL_STATE_*, right after it
 * @gone: the end of the target was noted before
 *
 * Small: there are many.
 */
struct pxt_life_note {
	struct pxt_life *life;
	u64 time;
	u16 error;
	u8 kind;
	u8 state;
	bool gone;
};

/**
 * struct pxt_life_listener - who takes the notes
 * @wants: does anybody want to know? Context: pxt_recorder.lock held, probe
 * @due: there is a note to be taken. Context: as @wants
 * @settle: wait until PXT_LIFE_NOTES more were taken and are done, or all that
 *	there are. Context: may sleep
 */
struct pxt_life_listener {
	bool (*wants)(void);
	void (*due)(void);
	void (*settle)(void);
};

void pxt_life_listen(const struct pxt_life_listener *listener);
bool pxt_life_wanted(const struct pxt_life *life);
void pxt_life_note(const struct pxt_life_note *note);
bool pxt_life_take(struct pxt_life_note *note);
void pxt_life_done(struct pxt_life *life);
void pxt_life_settle(struct pxt_life *life);
u32 pxt_life_state(const struct posixtrace_status *status, bool has_log);

#endif /* PXT_LIFE_H */
