// SPDX-License-Identifier: GPL-2.0-only
/*
 * Trace streams, see stream.h.
 */
#include <linux/atomic.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "priv.h"
#include "quota.h"
#include "recstatus.h"
#include "stream.h"
#include "streamattr.h"
#include "streamlist.h"
#include "streamsink.h"
#include "sysprobe.h"

static unsigned int sys_max = 1024;

/* The standard promises at least _POSIX_TRACE_SYS_MAX streams. */
static int set_sys_max(const char *value, const struct kernel_param *param)
{
	return param_set_uint_minmax(value, param, 8, 1 << 20);
}

static const struct kernel_param_ops sys_max_ops = {
	.set = set_sys_max,
	.get = param_get_uint,
};

module_param_cb(sys_max, &sys_max_ops, &sys_max, 0644);
MODULE_PARM_DESC(sys_max,
		 "trace streams in the system, TRACE_SYS_MAX, at least 8 (default 1024)");

static atomic_t streams = ATOMIC_INIT(0);
static atomic64_t last_number = ATOMIC64_INIT(0);
static struct workqueue_struct *free_wq;

/**
 * pxt_stream_init() - prepare for streams
 *
 * Return: 0, or -ENOMEM.
 */
int pxt_stream_init(void)
{
	free_wq = alloc_workqueue("posixtrace_free", 0, 0);
	return free_wq ? 0 : -ENOMEM;
}

/**
 * pxt_stream_drain() - wait until streams that were released are freed
 *
 * Context: may sleep.
 */
void pxt_stream_drain(void)
{
	/* What waits for a grace period has to be queued first. */
	rcu_barrier();
	flush_workqueue(free_wq);
}

/**
 * pxt_stream_exit() - undo pxt_stream_init()
 *
 * Context: all streams were released.
 */
void pxt_stream_exit(void)
{
	pxt_stream_drain();
	destroy_workqueue(free_wq);
}

/**
 * pxt_stream_get_limits() - the limits in force
 * @limits: filled in
 */
void pxt_stream_get_limits(struct posixtrace_limits *limits)
{
	limits->sys_max = READ_ONCE(sys_max);
	limits->streams = atomic_read(&streams);
	limits->user_quota = pxt_quota_limit();
}

static void wake_readers(struct irq_work *work)
{
	struct pxt_stream *stream = container_of(work, struct pxt_stream, wake);

	wake_up(&stream->sink.inlet.readers);
}

/* What else there is: its file and descriptor; the worker and names of its log. */
#define FILE_ROOM	2048
#define WORKER_ROOM	8192

/* All memory that the kernel keeps for a stream, as it is taken. */
static u64 room_of(const struct posixtrace_attr *attr, size_t size,
		   bool has_log)
{
	u64 room = pxt_quota_room(sizeof(struct pxt_stream)) + FILE_ROOM +
		   pxt_buffer_room(pxt_recorder_room(size, has_log)) +
		   pxt_quota_room(pxt_reader_room(attr));

	if (has_log)
		room += pxt_quota_room(pxt_log_room(attr)) + WORKER_ROOM;
	return room;
}

/* Get the room for the events, and for those on their way to a reader. */
static int alloc_room(struct pxt_stream *stream, bool has_log)
{
	struct posixtrace_attr *attr = &stream->attr;
	size_t size, reader_room = pxt_reader_room(attr);
	u64 room;
	int err;

	if (attr->stream_size > INT_MAX / 2)
		return -ENOMEM;
	size = round_up(attr->stream_size, 8);
	room = room_of(attr, size, has_log);
	stream->quota = pxt_quota_charge(room);
	if (IS_ERR(stream->quota))
		return PTR_ERR(stream->quota);

	err = pxt_reader_alloc(&stream->reader, &stream->recorder, reader_room);
	if (err)
		goto err_uncharge;
	err = pxt_recorder_init(&stream->recorder, attr->stream_policy, has_log,
				size, attr->max_data_size,
				pid_vnr(stream->traced));
	if (err)
		goto err_free_reader;
	stream->charged = room;
	return 0;

err_free_reader:
	pxt_reader_free(&stream->reader);
err_uncharge:
	pxt_quota_uncharge(stream->quota, room);
	return err;
}

/* But the worker's, which stays as long as the stream: see destroy(). */
static void free_room(struct pxt_stream *stream)
{
	u64 stays = stream->flusher.wq ? WORKER_ROOM : 0;

	pxt_recorder_destroy(&stream->recorder);
	pxt_reader_free(&stream->reader);
	pxt_quota_uncharge(stream->quota, stream->charged - stays);
	stream->charged = stays;
}

static bool has_log(const struct pxt_stream *stream)
{
	return stream->recorder.has_log;
}

static void wake_if_readable(struct pxt_stream *stream)
{
	if (pxt_recorder_readable(&stream->recorder))
		wake_up(&stream->sink.inlet.readers);
}

static void flushed(struct pxt_flusher *flusher, bool suspended)
{
	struct pxt_stream *stream = container_of(flusher, struct pxt_stream,
						 flusher);

	if (suspended)
		pxt_sink_update(&stream->sink);
	wake_if_readable(stream);
}

static void destroy(struct pxt_stream *stream)
{
	pxt_flusher_destroy(&stream->flusher);
	if (stream->charged)
		pxt_quota_uncharge(stream->quota, stream->charged);
	pxt_evtypes_put(stream->types);
	if (stream->target)
		pxt_target_put(stream->target);
	put_pid(stream->traced);
	put_pid(stream->owned.owner);
	put_cred(stream->cred);
	if (stream->is_orphan)
		module_put(THIS_MODULE);
	kfree(stream);
}

static void end_shutdown(struct pxt_stream *stream)
{
	pxt_flusher_release(&stream->flusher);
	pxt_streamlist_remove(stream);
	free_room(stream);
	atomic_dec(&streams);
	pxt_recorder_end_life(&stream->recorder);
}

static void free_stream(struct work_struct *work)
{
	struct pxt_stream *stream = container_of(to_rcu_work(work),
						 struct pxt_stream, free);

	if (stream->is_orphan)
		end_shutdown(stream);
	/* A grace period on PREEMPT_RT: not for one that was never attached. */
	irq_work_sync(&stream->wake);
	pxt_life_settle(&stream->recorder.life);
	destroy(stream);
}

static void owner_ended(struct pxt_owned *owned)
{
	pxt_stream_shutdown(container_of(owned, struct pxt_stream, owned));
}

static struct pxt_stream *alloc_stream(const struct posixtrace_create *arg)
{
	struct pxt_stream *stream = kzalloc(sizeof(*stream), GFP_KERNEL_ACCOUNT);

	if (!stream)
		return NULL;
	stream->number = atomic64_inc_return(&last_number);
	stream->next_type = 1;
	stream->owned.owner = get_pid(task_tgid(current));
	stream->owned.end = owner_ended;
	/* Whoever takes a reference stores again what cred.non_rcu is: KCSAN. */
	stream->cred = data_race(get_current_cred());
	stream->pid_ns = ns_of_pid(stream->owned.owner);
	init_irq_work(&stream->wake, wake_readers);
	mutex_init(&stream->reader.lock);
	pxt_flusher_init(&stream->flusher, &stream->recorder, flushed);
	INIT_RCU_WORK(&stream->free, free_stream);
	pxt_streamattr_set(&stream->attr, arg);
	stream->syscalls.native = stream->attr.syscalls;
	stream->syscalls.all = !memchr_inv(&stream->attr.syscalls, 0xff,
					   sizeof(stream->attr.syscalls));
	pxt_streamsink_init(stream);
	stream->attr.size = sizeof(stream->attr);
	stream->attr.stream = stream->number;
	return stream;
}

static int open_log(struct pxt_stream *stream,
		    const struct posixtrace_create *arg)
{
	if (!(arg->flags & POSIXTRACE_CREATE_LOG))
		return 0;
	return pxt_flusher_open(&stream->flusher, arg->log_fd, &stream->attr);
}

static struct pxt_stream *create(const struct posixtrace_create *arg)
{
	struct pxt_stream *stream;
	int err = -ESRCH;

	stream = alloc_stream(arg);
	if (!stream)
		return ERR_PTR(-ENOMEM);
	stream->traced = arg->pid ? find_get_pid(arg->pid) :
				    get_pid(stream->owned.owner);
	if (!stream->traced)
		goto err_destroy;
	/* Nobody becomes a target by the wish of one who may not trace it. */
	err = pxt_priv_may_trace(stream->traced);
	if (err)
		goto err_destroy;
	err = alloc_room(stream, arg->flags & POSIXTRACE_CREATE_LOG);
	if (err)
		goto err_destroy;
	err = open_log(stream, arg);
	if (err)
		goto err_free_room;
	err = pxt_sysprobe_get(&stream->attr.kernel_events);
	if (err)
		goto err_release_log;
	return stream;

err_release_log:
	pxt_flusher_release(&stream->flusher);
err_free_room:
	free_room(stream);
err_destroy:
	destroy(stream);
	return ERR_PTR(err);
}

/* One of the places in the system, see sys_max. */
static bool take_place(void)
{
	int nr = atomic_read(&streams);

	do {
		if (nr >= READ_ONCE(sys_max))
			return false;
	} while (!atomic_try_cmpxchg(&streams, &nr, nr + 1));
	return true;
}

/**
 * pxt_stream_create() - make a stream, suspended
 * @arg: copied from the caller
 *
 * Context: may sleep; the caller becomes the owner.
 *
 * Return: the stream, to be attached or released; or an error as documented at
 * struct posixtrace_create.
 */
struct pxt_stream *pxt_stream_create(const struct posixtrace_create *arg)
{
	struct pxt_stream *stream;
	int err = pxt_streamattr_check(arg);

	if (err)
		return ERR_PTR(err);
	if (!take_place())
		return ERR_PTR(-EAGAIN);
	stream = create(arg);
	if (IS_ERR(stream))
		atomic_dec(&streams);
	return stream;
}

/**
 * pxt_stream_attach() - let the stream see its target
 * @stream: made by pxt_stream_create()
 * @file: will release it, also when this fails
 *
 * The privilege is asked for once more, now that the stream is attached: a
 * program that the target executes meanwhile is seen by this or by
 * sink_may_keep().
 *
 * Context: may sleep.
 *
 * Return: 0; -ENOMEM, -EPERM, -ESRCH as pxt_stream_create().
 */
int pxt_stream_attach(struct pxt_stream *stream, struct file *file)
{
	struct pxt_target *target;
	int err;

	stream->privileged = pxt_priv_is_privileged(file);
	pxt_owned_add(&stream->owned, file);
	target = pxt_target_get_or_create(stream->traced);
	if (IS_ERR(target))
		return PTR_ERR(target);
	stream->target = target;
	err = pxt_target_attach(target, &stream->sink, &stream->types);
	if (err)
		return err;
	err = pxt_priv_may_trace(stream->traced);
	if (err)
		return err;
	/* Last, so that no other failure costs the file what it held. */
	if (has_log(stream))
		err = pxt_flusher_begin(&stream->flusher, stream->types,
					pid_vnr(stream->owned.owner));
	if (err)
		return err;
	pxt_streamlist_add(stream);
	pxt_recorder_begin_life(&stream->recorder);
	return 0;
}

/* Let it record nothing any more; was it this call that did so? */
static bool begin_shutdown(struct pxt_stream *stream)
{
	if (!pxt_recorder_shutdown(&stream->recorder))
		return false;
	pxt_sink_detach(&stream->sink);
	wake_up_all(&stream->sink.inlet.readers);
	pxt_sysprobe_put(&stream->attr.kernel_events);
	return true;
}

/**
 * pxt_stream_shutdown() - posix_trace_shutdown()
 * @stream: the stream
 *
 * Afterwards it records nothing, holds no events, its log is complete, and its
 * place and memory are free. Readers that wait are woken. Context: may sleep,
 * and wait for the file of the log.
 *
 * Return: 0; -EINVAL: it was shut down already; an error of the last flush,
 * which changes nothing of the above.
 */
int pxt_stream_shutdown(struct pxt_stream *stream)
{
	int err = 0;

	if (!begin_shutdown(stream))
		return -EINVAL;
	if (has_log(stream))
		err = pxt_flusher_finish(&stream->flusher,
					 stream->reader.delivered);
	end_shutdown(stream);
	return err;
}

static void finish_orphan(struct work_struct *work)
{
	struct pxt_stream *stream = container_of(work, struct pxt_stream,
						 orphan);

	pxt_flusher_finish_here(&stream->flusher, stream->reader.delivered);
	/* The rest is not for the flusher's worker: who clears waits for that. */
	queue_rcu_work(free_wq, &stream->free);
}

/**
 * pxt_stream_release() - the last descriptor is gone, or there never was one
 * @stream: freed
 *
 * If it was not shut down yet, whoever drops the last reference is not the owner
 * (it came by SCM_RIGHTS, say): it does not wait for the file of the log.
 *
 * Context: may sleep.
 */
void pxt_stream_release(struct pxt_stream *stream)
{
	pxt_owned_remove(&stream->owned);
	if (begin_shutdown(stream)) {
		if (has_log(stream)) {
			/* Until free_stream(), which pxt_stream_exit() awaits. */
			__module_get(THIS_MODULE);
			stream->is_orphan = true;
			INIT_WORK(&stream->orphan, finish_orphan);
			pxt_flusher_queue(&stream->flusher, &stream->orphan);
			return;
		}
		end_shutdown(stream);
	}
	queue_rcu_work(free_wq, &stream->free);
}

/**
 * pxt_stream_is_own() - does the stream belong to the caller, and live?
 * @stream: the stream
 *
 * Return: true if it does.
 */
bool pxt_stream_is_own(const struct pxt_stream *stream)
{
	return stream->owned.owner == task_tgid(current) &&
	       !pxt_recorder_dead(&stream->recorder);
}

/**
 * pxt_stream_sees_target() - is the process that it was made for traced?
 * @stream: found by pxt_streamlist_next()
 *
 * Context: any; no sleep.
 *
 * Return: false if it is not any more.
 */
bool pxt_stream_sees_target(struct pxt_stream *stream)
{
	return pxt_sink_sees_target(&stream->sink);
}

/* The calling thread shows in a system event only if the target is itself. */
static struct pxt_origin origin_of(struct pxt_stream *stream, u64 address,
				   u64 thread)
{
	struct pxt_origin origin = { .address = address };

	if (stream->traced == stream->owned.owner) {
		origin.thread = thread;
		origin.tid = task_pid_vnr(current);
	}
	return origin;
}

/* Tell those who wait for what the call left. */
static void called(struct pxt_stream *stream, unsigned int due)
{
	if (due & PXT_START_FLUSH)
		pxt_flusher_kick(&stream->flusher);
	wake_if_readable(stream);
}

/* The same, and the target, since the state changed. */
static void changed(struct pxt_stream *stream, unsigned int due)
{
	pxt_sink_update(&stream->sink);
	called(stream, due);
}

/**
 * pxt_stream_start() - posix_trace_start()
 * @stream: the stream
 * @address: of the call
 * @thread: pthread_t of the caller
 */
void pxt_stream_start(struct pxt_stream *stream, u64 address, u64 thread)
{
	struct pxt_origin origin = origin_of(stream, address, thread);
	unsigned int due;

	/* The target is to send before START says that it is recorded. */
	pxt_recorder_announce_start(&stream->recorder);
	pxt_sink_update(&stream->sink);
	due = pxt_recorder_start(&stream->recorder, &origin);
	/* If it runs it wants what was announced; who stops it says so. */
	if (pxt_recorder_runs(&stream->recorder))
		called(stream, due);
	else
		changed(stream, due);
}

/**
 * pxt_stream_stop() - posix_trace_stop()
 * @stream: the stream
 * @address: of the call
 * @thread: pthread_t of the caller
 */
void pxt_stream_stop(struct pxt_stream *stream, u64 address, u64 thread)
{
	struct pxt_origin origin = origin_of(stream, address, thread);

	pxt_recorder_stop(&stream->recorder, &origin);
	changed(stream, 0);
}

/**
 * pxt_stream_clear() - posix_trace_clear()
 * @stream: the stream
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL: it was shut down meanwhile; or an error of writing to the
 * log.
 */
int pxt_stream_clear(struct pxt_stream *stream)
{
	int err = 0;

	guard(mutex)(&stream->reader.lock);
	pxt_reader_clear(&stream->reader);
	stream->next_type = 1;
	if (has_log(stream))
		err = pxt_flusher_clear(&stream->flusher);
	else
		pxt_recorder_clear(&stream->recorder);
	pxt_sink_update(&stream->sink);
	return err;
}

/**
 * pxt_stream_flush() - posix_trace_flush()
 * @stream: the stream
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL: it has no log, or was shut down meanwhile; or an error of
 * writing to the log.
 */
int pxt_stream_flush(struct pxt_stream *stream)
{
	return has_log(stream) ? pxt_flusher_flush(&stream->flusher) : -EINVAL;
}

/**
 * pxt_stream_set_filter() - posix_trace_set_filter()
 * @stream: the stream
 * @filter: validated
 */
void pxt_stream_set_filter(struct pxt_stream *stream,
			   const struct posixtrace_filter *filter)
{
	struct pxt_origin origin = origin_of(stream, filter->address,
					     filter->thread);

	changed(stream, pxt_recorder_set_filter(&stream->recorder, filter->how,
						&filter->set, &origin));
}

/**
 * pxt_stream_get_status() - posix_trace_get_status()
 * @stream: the stream
 * @status: filled in, as pxt_recorder_get_status() does
 */
void pxt_stream_get_status(struct pxt_stream *stream,
			   struct posixtrace_status *status)
{
	/* First: what was read was recorded before. */
	status->read = READ_ONCE(stream->reader.delivered);
	pxt_recorder_get_status(&stream->recorder, status);
	status->processes = READ_ONCE(stream->sink.processes);
}
