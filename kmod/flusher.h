/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The flusher of a stream: has its log written, by a kernel worker.
 *
 * The worker takes no signal and is not stopped with the tracer, so that a log
 * is complete however its writer ends. Whoever asks for something waits; a
 * trace point only kicks it.
 */
#ifndef PXT_FLUSHER_H
#define PXT_FLUSHER_H

#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/workqueue.h>
#include <linux/posixtrace.h>

#include "log.h"

struct pxt_evtypes;
struct pxt_recorder;

/**
 * struct pxt_flusher - what writes the log of a stream
 * @lock: covers @log and @begun; held over writing to the file
 * @log: the log; zero without one, and after pxt_flusher_release()
 * @begun: the file was written to, and is not finished
 * @rec: where the events come from; constant
 * @types: names that they can have; set by pxt_flusher_begin()
 * @ask: held by who waits for the worker, so that it has little to do
 * @wq: the worker, with a log. One for each log: a file that can't be written
 *	to (a file system in user space that does not answer) holds up nobody
 *	else
 * @work: flushes once
 * @kick: queues that, for probes that can't
 * @flushed: called by the worker when a flush has recorded events of its own, and
 *	whether the stream was suspended, since the log is full
 *
 * A part of the stream.
 */
struct pxt_flusher {
	struct mutex lock;	/* the log */
	struct pxt_log log;
	bool begun;
	struct pxt_recorder *rec;
	const struct pxt_evtypes *types;
	struct mutex ask;	/* one request at a time */
	struct workqueue_struct *wq;
	struct work_struct work;
	struct irq_work kick;
	void (*flushed)(struct pxt_flusher *flusher, bool suspended);
};

void pxt_flusher_init(struct pxt_flusher *flusher, struct pxt_recorder *rec,
		      void (*flushed)(struct pxt_flusher *flusher,
				      bool suspended));
void pxt_flusher_destroy(struct pxt_flusher *flusher);

int pxt_flusher_open(struct pxt_flusher *flusher, int fd,
		     const struct posixtrace_attr *attr);
int pxt_flusher_begin(struct pxt_flusher *flusher,
		      const struct pxt_evtypes *types, pid_t owner);
void pxt_flusher_kick(struct pxt_flusher *flusher);
int pxt_flusher_flush(struct pxt_flusher *flusher);
int pxt_flusher_clear(struct pxt_flusher *flusher);
int pxt_flusher_finish(struct pxt_flusher *flusher, u64 delivered);
void pxt_flusher_queue(struct pxt_flusher *flusher, struct work_struct *work);
void pxt_flusher_finish_here(struct pxt_flusher *flusher, u64 delivered);
void pxt_flusher_release(struct pxt_flusher *flusher);

#endif /* PXT_FLUSHER_H */
