// SPDX-License-Identifier: GPL-2.0-only
/*
 * The flusher of a stream, see flusher.h.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>

#include "flusher.h"
#include "outlet.h"
#include "recstatus.h"
#include "recorder.h"

static int flush(struct pxt_flusher *flusher)
{
	bool was_full = flusher->log.full;
	struct pxt_flush flush;
	int err;

	lockdep_assert_held(&flusher->lock);
	pxt_outlet_flush_begin(flusher->rec, &flush);
	flusher->flushed(flusher, false);
	err = pxt_log_flush(&flusher->log, &flush, flusher->rec, flusher->types);
	pxt_outlet_flush_end(flusher->rec, &flush);
	flusher->flushed(flusher, flusher->log.full && !was_full);
	return err;
}

static void flush_once(struct work_struct *work)
{
	struct pxt_flusher *flusher = container_of(work, struct pxt_flusher,
						   work);

	guard(mutex)(&flusher->lock);
	/* Shutting down may have been faster. */
	if (flusher->begun)
		flush(flusher);
}

static void queue_flush(struct irq_work *kick)
{
	struct pxt_flusher *flusher = container_of(kick, struct pxt_flusher,
						   kick);

	queue_work(flusher->wq, &flusher->work);
}

/**
 * pxt_flusher_init() - initialize a flusher, without log
 * @flusher: zero
 * @rec: where the events come from
 * @flushed: see struct pxt_flusher
 */
void pxt_flusher_init(struct pxt_flusher *flusher, struct pxt_recorder *rec,
		      void (*flushed)(struct pxt_flusher *flusher,
				      bool suspended))
{
	mutex_init(&flusher->lock);
	mutex_init(&flusher->ask);
	INIT_WORK(&flusher->work, flush_once);
	init_irq_work(&flusher->kick, queue_flush);
	flusher->rec = rec;
	flusher->flushed = flushed;
}

/**
 * pxt_flusher_destroy() - wait until nothing runs any more
 * @flusher: nobody kicks it any more
 *
 * Context: may sleep; not its worker.
 */
void pxt_flusher_destroy(struct pxt_flusher *flusher)
{
	if (!flusher->wq)
		return;
	irq_work_sync(&flusher->kick);
	destroy_workqueue(flusher->wq);
}

/* What somebody wants done, and waits for. */
struct request {
	struct work_struct work;
	struct pxt_flusher *flusher;
	int (*what)(struct request *request);
	u64 delivered;
	pid_t owner;
	int result;
};

static void carry_out(struct work_struct *work)
{
	struct request *request = container_of(work, struct request, work);

	guard(mutex)(&request->flusher->lock);
	request->result = request->what(request);
}

static int have_done(struct request *request)
{
	INIT_WORK_ONSTACK(&request->work, carry_out);
	queue_work(request->flusher->wq, &request->work);
	flush_work(&request->work);
	destroy_work_on_stack(&request->work);
	return request->result;
}

/* One at a time: whoever is killed while it waits for others just goes. */
static int ask(struct request *request)
{
	int result;

	if (mutex_lock_killable(&request->flusher->ask))
		return -EINTR;
	result = have_done(request);
	mutex_unlock(&request->flusher->ask);
	return result;
}

/**
 * pxt_flusher_open() - take a file as log
 * @flusher: initialized
 * @fd: descriptor of the caller
 * @attr: of the stream, in force
 *
 * Context: may sleep.
 *
 * Return: as pxt_log_open().
 */
int pxt_flusher_open(struct pxt_flusher *flusher, int fd,
		     const struct posixtrace_attr *attr)
{
	flusher->wq = alloc_ordered_workqueue("posixtrace_log", WQ_FREEZABLE);
	if (!flusher->wq)
		return -ENOMEM;
	guard(mutex)(&flusher->lock);
	return pxt_log_open(&flusher->log, fd, attr);
}

static int begin(struct request *request)
{
	struct pxt_flusher *flusher = request->flusher;
	int err = pxt_log_begin(&flusher->log, flusher->rec->pid,
				request->owner);

	flusher->begun = !err;
	/* Here it is the file that refuses, not the target. */
	return err == -EPERM ? -EINVAL : err;
}

/**
 * pxt_flusher_begin() - begin the log
 * @flusher: with a log
 * @types: names that the events can have
 * @owner: pid of the stream's owner, in its pid namespace
 *
 * The file's former content is gone after this. Context: may sleep.
 *
 * Return: 0, or an error of writing.
 */
int pxt_flusher_begin(struct pxt_flusher *flusher,
		      const struct pxt_evtypes *types, pid_t owner)
{
	struct request request = {
		.flusher = flusher, .what = begin, .owner = owner,
	};

	flusher->types = types;
	return ask(&request);
}

/**
 * pxt_flusher_kick() - flush soon
 * @flusher: with a log
 *
 * Context: any; no sleep.
 */
void pxt_flusher_kick(struct pxt_flusher *flusher)
{
	irq_work_queue(&flusher->kick);
}

static int flush_on_request(struct request *request)
{
	/* Shutting down may have been faster. */
	return request->flusher->begun ? flush(request->flusher) : -EINVAL;
}

/**
 * pxt_flusher_flush() - write all that is recorded by now
 * @flusher: with a log
 *
 * A flush that is under way is waited for. Context: may sleep.
 *
 * Return: 0; -EINVAL: shut down meanwhile; or an error of writing.
 */
int pxt_flusher_flush(struct pxt_flusher *flusher)
{
	struct request request = {
		.flusher = flusher, .what = flush_on_request,
	};

	return ask(&request);
}

static int clear(struct request *request)
{
	struct pxt_flusher *flusher = request->flusher;

	/* Shutting down may have been faster: then the log is complete. */
	if (!flusher->begun)
		return -EINVAL;
	pxt_recorder_clear(flusher->rec);
	/* What is in a log that is appended to stays there. */
	if (flusher->log.policy == POSIXTRACE_POLICY_APPEND)
		return 0;
	return pxt_log_restart(&flusher->log);
}

/**
 * pxt_flusher_clear() - clear recorder and log, between two flushes
 * @flusher: with a log
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL: shut down meanwhile; or an error of writing.
 */
int pxt_flusher_clear(struct pxt_flusher *flusher)
{
	struct request request = { .flusher = flusher, .what = clear };

	return ask(&request);
}

static int finish(struct pxt_flusher *flusher, u64 delivered)
{
	struct posixtrace_status status = {
		.size = sizeof(status),
		.flags = POSIXTRACE_STATUS_PEEK,
		.stream = flusher->log.head.attr.stream,
		.read = delivered,
	};
	int last, err;

	lockdep_assert_held(&flusher->lock);
	if (!flusher->begun)
		return 0;
	err = flush(flusher);
	pxt_recorder_get_status(flusher->rec, &status);
	last = pxt_log_finish(&flusher->log, flusher->types, &status);
	flusher->begun = false;
	return err ?: last;
}

static int finish_on_request(struct request *request)
{
	return finish(request->flusher, request->delivered);
}

/**
 * pxt_flusher_finish() - write the rest, and the end of the log
 * @flusher: with a log, of a stream that records no more
 * @delivered: recorded events that were reported
 *
 * Not stopped by a signal: it may be one that ends the tracer. Context: may
 * sleep.
 *
 * Return: 0, or the first error of writing.
 */
int pxt_flusher_finish(struct pxt_flusher *flusher, u64 delivered)
{
	struct request request = {
		.flusher = flusher, .what = finish_on_request,
		.delivered = delivered,
	};

	return have_done(&request);
}

/**
 * pxt_flusher_queue() - have the flusher's worker do something else, last
 * @flusher: with a log
 * @work: may call pxt_flusher_finish_here(), and so wait for the file
 */
void pxt_flusher_queue(struct pxt_flusher *flusher, struct work_struct *work)
{
	queue_work(flusher->wq, work);
}

/**
 * pxt_flusher_finish_here() - as pxt_flusher_finish(), when nobody waits
 * @flusher: with a log, of a stream that records no more
 * @delivered: recorded events that were reported
 *
 * Context: work of pxt_flusher_queue().
 */
void pxt_flusher_finish_here(struct pxt_flusher *flusher, u64 delivered)
{
	guard(mutex)(&flusher->lock);
	finish(flusher, delivered);
}

/**
 * pxt_flusher_release() - let the file go
 * @flusher: with or without a log
 *
 * It is put by the caller, not by the worker: nothing is open any more when the
 * caller is back in user space. Context: may sleep.
 */
void pxt_flusher_release(struct pxt_flusher *flusher)
{
	guard(mutex)(&flusher->lock);
	pxt_log_release(&flusher->log);
}
