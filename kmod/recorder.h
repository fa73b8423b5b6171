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

#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/posixtrace.h>

#include "buffer.h"
#include "event.h"

/**
 * struct pxt_recorder - events of a stream and the state that decides on them
 * @lock: covers everything below but the constants; taken with interrupts off
 * @policy: POSIXTRACE_POLICY_*; constant
 * @max_data: user data beyond it is cut; constant
 * @pid: of the traced process, in the owner's pid namespace; constant
 * @buffer: the events
 * @filter: types that are not recorded
 * @running: the stream accepts events
 * @full: no room was left for an event, and none was freed since
 * @armed: the system stopped the stream since it is full, and will start it
 * @overrun: an event was lost since the status was last read
 * @dead: shut down; nothing happens any more
 * @overflow_due: an OVERFLOW event is to be reported before the oldest record
 * @resume_due: a RESUME event likewise
 * @lost: events that found no room, or whose data could not be read
 * @truncated: events recorded with less data than they had
 *
 * The pairs (@running, @full) have the meaning that the standard gives them;
 * both at once only occur with POSIXTRACE_POLICY_LOOP. A part of a stream.
 */
struct pxt_recorder {
	raw_spinlock_t lock;
	u32 policy;
	u32 max_data;
	pid_t pid;
	struct pxt_buffer buffer;
	struct posixtrace_event_set filter;
	bool running;
	bool full;
	bool armed;
	bool overrun;
	bool dead;
	bool overflow_due;
	bool resume_due;
	u64 lost;
	u64 truncated;
};

int pxt_recorder_init(struct pxt_recorder *rec, u32 policy, size_t size,
		      u32 max_data, pid_t pid);
void pxt_recorder_destroy(struct pxt_recorder *rec);
bool pxt_recorder_shutdown(struct pxt_recorder *rec);

bool pxt_recorder_record(struct pxt_recorder *rec, const struct pxt_event *ev,
			 pid_t pid, pid_t tid);
void pxt_recorder_wanted(struct pxt_recorder *rec,
			 struct posixtrace_event_set *set);

void pxt_recorder_start(struct pxt_recorder *rec,
			const struct pxt_origin *origin);
void pxt_recorder_stop(struct pxt_recorder *rec,
		       const struct pxt_origin *origin);
void pxt_recorder_clear(struct pxt_recorder *rec);
void pxt_recorder_set_filter(struct pxt_recorder *rec, u32 how,
			     const struct posixtrace_event_set *set,
			     const struct pxt_origin *origin);
void pxt_recorder_get_filter(struct pxt_recorder *rec,
			     struct posixtrace_event_set *set);
void pxt_recorder_get_status(struct pxt_recorder *rec,
			     struct posixtrace_status *status);
void pxt_recorder_set_overrun(struct pxt_recorder *rec);

size_t pxt_recorder_take(struct pxt_recorder *rec, void *to, size_t room,
			 size_t *needed);

/* Is there an event to be read? A hint: only the lock makes it last. */
static inline bool pxt_recorder_readable(const struct pxt_recorder *rec)
{
	return READ_ONCE(rec->buffer.used) != 0;
}

/* Was the stream shut down? It never comes back. */
static inline bool pxt_recorder_dead(const struct pxt_recorder *rec)
{
	return READ_ONCE(rec->dead);
}

#endif /* PXT_RECORDER_H */
