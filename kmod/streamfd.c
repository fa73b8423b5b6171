// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stream descriptors, see streamfd.h.
 */
#include <linux/anon_inodes.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "ioctl.h"
#include "recstatus.h"
#include "stream.h"
#include "streamfd.h"
#include "typelist.h"

/* Each command names the stream that it means; only its owner may. */
static struct pxt_stream *own_stream(struct pxt_call *call, u64 number)
{
	struct pxt_stream *stream = call->file->private_data;

	if (stream->number != number || !pxt_stream_is_own(stream))
		return NULL;
	return stream;
}

static struct pxt_stream *control(struct pxt_call *call)
{
	const struct posixtrace_control *arg = &call->arg.control;

	return arg->__reserved ? NULL : own_stream(call, arg->stream);
}

static int start(struct pxt_call *call)
{
	struct pxt_stream *stream = control(call);

	if (!stream)
		return -EINVAL;
	pxt_stream_start(stream, call->arg.control.address,
			 call->arg.control.thread);
	return 0;
}

static int stop(struct pxt_call *call)
{
	struct pxt_stream *stream = control(call);

	if (!stream)
		return -EINVAL;
	pxt_stream_stop(stream, call->arg.control.address,
			call->arg.control.thread);
	return 0;
}

static int clear(struct pxt_call *call)
{
	struct pxt_stream *stream = control(call);

	if (!stream)
		return -EINVAL;
	return pxt_stream_clear(stream);
}

static int flush(struct pxt_call *call)
{
	struct pxt_stream *stream = control(call);

	return stream ? pxt_stream_flush(stream) : -EINVAL;
}

static int shut_down(struct pxt_call *call)
{
	struct pxt_stream *stream = control(call);

	return stream ? pxt_stream_shutdown(stream) : -EINVAL;
}

static int rewind_types(struct pxt_call *call)
{
	struct pxt_stream *stream = control(call);

	if (!stream)
		return -EINVAL;
	pxt_typelist_rewind(stream);
	return 0;
}

static int get_status(struct pxt_call *call)
{
	struct posixtrace_status *arg = &call->arg.status;
	struct posixtrace_status result = {
		.flags = arg->flags,
		.stream = arg->stream,
	};
	struct pxt_stream *stream = own_stream(call, arg->stream);

	if (!stream || arg->__reserved || arg->flags & ~POSIXTRACE_STATUS_PEEK)
		return -EINVAL;
	pxt_stream_get_status(stream, &result);
	*arg = result;
	call->private = stream;
	return 0;
}

static void commit_status(struct pxt_call *call, bool delivered)
{
	struct pxt_stream *stream = call->private;

	if (!delivered && !(call->arg.status.flags & POSIXTRACE_STATUS_PEEK))
		pxt_recorder_restore_status(&stream->recorder,
					    &call->arg.status);
}

static int get_attr(struct pxt_call *call)
{
	struct posixtrace_attr *arg = &call->arg.attr;
	struct pxt_stream *stream = own_stream(call, arg->stream);

	if (!stream || arg->__reserved || arg->__reserved2)
		return -EINVAL;
	*arg = stream->attr;
	return 0;
}

static int get_filter(struct pxt_call *call)
{
	struct posixtrace_filter *arg = &call->arg.filter;
	struct pxt_stream *stream = own_stream(call, arg->stream);

	if (!stream || arg->how)
		return -EINVAL;
	pxt_recorder_get_filter(&stream->recorder, &arg->set);
	return 0;
}

static int set_filter(struct pxt_call *call)
{
	struct posixtrace_filter *arg = &call->arg.filter;
	struct pxt_stream *stream = own_stream(call, arg->stream);

	if (!stream)
		return -EINVAL;
	if (arg->how < POSIXTRACE_SET_EVENTSET ||
	    arg->how > POSIXTRACE_SUB_EVENTSET)
		return -EINVAL;
	pxt_stream_set_filter(stream, arg);
	return 0;
}

/* Copy @nr words. Return: 0, or -EFAULT. */
static __always_inline int put_words(void __user *to, const u64 *from,
				     size_t nr)
{
	u64 __user *word = to;
	size_t i;

	if (!user_write_access_begin(to, nr * sizeof(*from)))
		return -EFAULT;
#pragma GCC unroll 6
	for (i = 0; i < nr; i++)
		unsafe_put_user(from[i], &word[i], fault);
	user_write_access_end();
	return 0;

fault:
	user_write_access_end();
	return -EFAULT;
}

/* Events have little data, mostly. */
static int put_data(void __user *to, const void *from, size_t size)
{
	if (!size)
		return 0;
	if (size <= 256 && !(size % sizeof(u64)))
		return put_words(to, from, size / sizeof(u64));
	return copy_to_user(to, from, size) ? -EFAULT : 0;
}

/* Hand the event that is staged to the caller, as far as it wants it. */
static int copy_event(const struct posixtrace_record *staged, void __user *data,
		      u64 data_max, struct posixtrace_record __user *to)
{
	struct posixtrace_record rec = *staged;

	if (unlikely(rec.data_size > data_max)) {
		rec.data_size = data_max;
		rec.truncation = POSIXTRACE_TRUNCATED_READ;
	}
	return put_data(data, staged + 1, rec.data_size) ?:
	       put_words(to, (const u64 *)&rec, sizeof(rec) / sizeof(u64));
}

/* What the caller did not get stays for the next one, who may be waiting. */
static int take_event(struct pxt_stream *stream, void __user *data,
		      u64 data_max, struct posixtrace_record __user *to)
{
	const struct posixtrace_record *staged;
	int err;

	if (mutex_lock_killable(&stream->reader.lock))
		return -EINTR;
	if (pxt_reader_stage(&stream->reader, 0) > 0) {
		staged = pxt_reader_first(&stream->reader);
		err = copy_event(staged, data, data_max, to);
		if (err)
			wake_up(&stream->sink.inlet.readers);
		else
			pxt_reader_delivered(&stream->reader, staged->size);
	} else {
		err = pxt_stream_is_own(stream) ? -ENODATA : -EINVAL;
	}
	mutex_unlock(&stream->reader.lock);
	return err;
}

/*
 * For each event a call: as pxt_userevent(), it does not take the way of the
 * other ioctls.
 */
static int getnext(struct file *file, struct posixtrace_getnext __user *arg)
{
	struct pxt_stream *stream = file->private_data;
	u64 number, data, data_max;
	u32 size, flags;
	int err;

	if (!user_read_access_begin(arg, sizeof(*arg)))
		return -EFAULT;
	unsafe_get_user(size, &arg->size, fault);
	unsafe_get_user(flags, &arg->flags, fault);
	unsafe_get_user(number, &arg->stream, fault);
	unsafe_get_user(data, &arg->data, fault);
	unsafe_get_user(data_max, &arg->data_max, fault);
	user_read_access_end();
	if (unlikely(size != sizeof(*arg))) {
		err = pxt_ioctl_check_size(arg, sizeof(*arg));
		if (err)
			return err;
	}
	if (stream->number != number || !pxt_stream_is_own(stream) ||
	    flags & ~POSIXTRACE_GETNEXT_TRY)
		return -EINVAL;
	if (stream->recorder.has_log && flags & POSIXTRACE_GETNEXT_TRY)
		return -EINVAL;
	return take_event(stream, u64_to_user_ptr(data), data_max, &arg->record);

fault:
	user_read_access_end();
	return pxt_ioctl_check_size(arg, sizeof(*arg)) ?: -EFAULT;
}

static bool ready(struct pxt_stream *stream)
{
	return pxt_reader_readable(&stream->reader) || !pxt_stream_is_own(stream);
}

/* Sleep until the stream is ready, a signal comes, or CLOCK_REALTIME @until. */
static int wait_until(struct pxt_stream *stream, ktime_t *until)
{
	wait_queue_head_t *readers = &stream->sink.inlet.readers;
	DEFINE_WAIT(wait);
	int err = 0;

	for (;;) {
		prepare_to_wait(readers, &wait, TASK_INTERRUPTIBLE);
		if (ready(stream))
			break;
		if (err)
			break;
		err = -ERESTARTSYS;
		if (signal_pending(current))
			break;
		err = schedule_hrtimeout_range_clock(until, 0, HRTIMER_MODE_ABS,
						     CLOCK_REALTIME) ?
		      0 : -ETIMEDOUT;
	}
	finish_wait(readers, &wait);
	if (pxt_reader_readable(&stream->reader))
		return 0;
	return pxt_stream_is_own(stream) ? err : -EINVAL;
}

static int wait(struct pxt_call *call)
{
	const struct posixtrace_wait *arg = &call->arg.wait;
	struct pxt_stream *stream = own_stream(call, arg->stream);
	ktime_t until;

	if (!stream || arg->flags & ~POSIXTRACE_WAIT_TIMEOUT)
		return -EINVAL;
	if (!(arg->flags & POSIXTRACE_WAIT_TIMEOUT)) {
		if (arg->seconds || arg->nanoseconds)
			return -EINVAL;
		return wait_until(stream, NULL);
	}
	if (pxt_reader_readable(&stream->reader))
		return 0;
	if (arg->nanoseconds < 0 || arg->nanoseconds >= NSEC_PER_SEC)
		return -EINVAL;
	if (arg->seconds < 0)
		return -ETIMEDOUT;
	until = ktime_set(arg->seconds, arg->nanoseconds);
	return wait_until(stream, &until);
}

static int open_name(struct pxt_call *call)
{
	struct posixtrace_name *arg = &call->arg.name;
	struct pxt_stream *stream = own_stream(call, arg->stream);
	int id;

	if (!stream)
		return -EINVAL;
	if (!memchr(arg->name, 0, sizeof(arg->name)))
		return -ENAMETOOLONG;
	id = pxt_typelist_open(stream, arg->name);
	if (id < 0)
		return id;
	arg->event_id = id;
	return 0;
}

static int set_name(struct pxt_stream *stream, struct posixtrace_name *arg)
{
	const char *name = pxt_typelist_name(stream, arg->event_id);

	if (!name)
		return -EINVAL;
	memset(arg->name, 0, sizeof(arg->name));
	strscpy(arg->name, name, sizeof(arg->name));
	return 0;
}

static int get_name(struct pxt_call *call)
{
	struct posixtrace_name *arg = &call->arg.name;
	struct pxt_stream *stream = own_stream(call, arg->stream);

	return stream ? set_name(stream, arg) : -EINVAL;
}

static int next_type(struct pxt_call *call)
{
	struct posixtrace_name *arg = &call->arg.name;
	struct pxt_stream *stream = own_stream(call, arg->stream);

	if (!stream)
		return -EINVAL;
	arg->event_id = pxt_typelist_next(stream);
	return arg->event_id ? set_name(stream, arg) : -ENODATA;
}

static const struct pxt_ioctl commands[] = {
	PXT_IOCTL(POSIXTRACE_IOC_WAIT, posixtrace_wait, 32,
		  false, wait),
	PXT_IOCTL(POSIXTRACE_IOC_START, posixtrace_control, 32,
		  false, start),
	PXT_IOCTL(POSIXTRACE_IOC_STOP, posixtrace_control, 32,
		  false, stop),
	PXT_IOCTL(POSIXTRACE_IOC_CLEAR, posixtrace_control, 32,
		  false, clear),
	PXT_IOCTL(POSIXTRACE_IOC_FLUSH, posixtrace_control, 32,
		  false, flush),
	PXT_IOCTL(POSIXTRACE_IOC_SHUTDOWN, posixtrace_control, 32,
		  false, shut_down),
	PXT_IOCTL(POSIXTRACE_IOC_TYPELIST_REWIND, posixtrace_control, 32,
		  false, rewind_types),
	PXT_IOCTL(POSIXTRACE_IOC_GET_STATUS, posixtrace_status, 104,
		  true, get_status, commit_status),
	PXT_IOCTL(POSIXTRACE_IOC_GET_ATTR, posixtrace_attr, 256,
		  true, get_attr),
	PXT_IOCTL(POSIXTRACE_IOC_GET_FILTER, posixtrace_filter, 160,
		  true, get_filter),
	PXT_IOCTL(POSIXTRACE_IOC_SET_FILTER, posixtrace_filter, 160,
		  false, set_filter),
	PXT_IOCTL(POSIXTRACE_IOC_TRID_EVENTID_OPEN, posixtrace_name, 80,
		  true, open_name),
	PXT_IOCTL(POSIXTRACE_IOC_EVENTID_GET_NAME, posixtrace_name, 80,
		  true, get_name),
	PXT_IOCTL(POSIXTRACE_IOC_TYPELIST_NEXT, posixtrace_name, 80,
		  true, next_type),
};

static long streamfd_ioctl(struct file *file, unsigned int cmd,
			   unsigned long arg)
{
	if (cmd == POSIXTRACE_IOC_GETNEXT)
		return getnext(file, (void __user *)arg);
	return pxt_ioctl(file, commands, ARRAY_SIZE(commands), cmd,
			 (void __user *)arg);
}

static int streamfd_fadvise(struct file *file, loff_t arg, loff_t len, int cmd)
{
	if (cmd == POSIXTRACE_IOC_GETNEXT && !len)
		return getnext(file, u64_to_user_ptr((u64)arg));
	return pxt_ioctl_no_command(len, cmd);
}

/* Copy what is staged, as much as fits; the number of bytes or an error. */
static ssize_t read_staged(struct pxt_stream *stream, char __user *to,
			   size_t count)
{
	size_t done = 0;
	ssize_t size;

	while (done < count && !(done && signal_pending(current))) {
		size = pxt_reader_stage(&stream->reader, count - done);
		if (size <= 0) {
			if (done || !size)
				break;
			return -EINVAL;
		}
		if (copy_to_user(to + done,
				 pxt_reader_first(&stream->reader), size)) {
			wake_up(&stream->sink.inlet.readers);
			return done ?: -EFAULT;
		}
		pxt_reader_delivered(&stream->reader, size);
		done += size;
	}
	return done;
}

static ssize_t streamfd_read(struct file *file, char __user *to, size_t count,
			     loff_t *pos)
{
	struct pxt_stream *stream = file->private_data;
	ssize_t ret;

	if (count < sizeof(struct posixtrace_record))
		return -EINVAL;
	for (;;) {
		if (!pxt_stream_is_own(stream))
			return -EINVAL;
		if (mutex_lock_killable(&stream->reader.lock))
			return -EINTR;
		ret = read_staged(stream, to, count);
		mutex_unlock(&stream->reader.lock);
		if (ret)
			return ret;
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		ret = wait_event_interruptible(stream->sink.inlet.readers,
					       ready(stream));
		if (ret)
			return ret;
	}
}

static __poll_t streamfd_poll(struct file *file, poll_table *table)
{
	struct pxt_stream *stream = file->private_data;

	poll_wait(file, &stream->sink.inlet.readers, table);
	if (!pxt_stream_is_own(stream))
		return EPOLLHUP;
	return pxt_reader_readable(&stream->reader) ? EPOLLIN | EPOLLRDNORM : 0;
}

/*
 * Is a table of descriptors dropped that no process ever had? That is what
 * becomes of the copy that fork() or unshare() made before it failed.
 */
static bool is_failed_copy(const struct files_struct *table)
{
	return current->files && current->files != table;
}

/* A descriptor is closed, also by exit and exec. Context: may sleep. */
static int streamfd_flush(struct file *file, fl_owner_t id)
{
	struct pxt_stream *stream = file->private_data;

	if (pxt_stream_is_own(stream) && !is_failed_copy(id))
		pxt_stream_shutdown(stream);
	return 0;
}

static int streamfd_release(struct inode *inode, struct file *file)
{
	pxt_stream_release(file->private_data);
	return 0;
}

static const struct file_operations streamfd_fops = {
	.owner = THIS_MODULE,
	.llseek = noop_llseek,
	.read = streamfd_read,
	.poll = streamfd_poll,
	.unlocked_ioctl = streamfd_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.fadvise = streamfd_fadvise,
	.flush = streamfd_flush,
	.release = streamfd_release,
};

/**
 * pxt_streamfd_open() - give a stream its file
 * @stream: released with the file; not if this fails
 *
 * Return: the file, or an error.
 */
struct file *pxt_streamfd_open(struct pxt_stream *stream)
{
	return anon_inode_getfile("[posixtrace]", &streamfd_fops, stream,
				  O_RDWR);
}
