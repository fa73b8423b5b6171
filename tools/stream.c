// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stream.h"

/* Bytes that are read at once, beside room for one event of the largest kind */
#define BATCH_SIZE	65536

static int set_policies(trace_attr_t *attr, const struct stream_log *log)
{
	int err;

	err = posix_trace_attr_setstreamfullpolicy(attr,
						   log ? POSIX_TRACE_FLUSH :
							 POSIX_TRACE_LOOP);
	if (!err && log)
		err = posix_trace_attr_setlogfullpolicy(attr, log->policy);
	if (!err && log && log->policy != POSIX_TRACE_APPEND)
		err = posix_trace_attr_setlogsize(attr, log->size);
	return err;
}

static int set_attr(trace_attr_t *attr, const struct stream_options *opt)
{
	int err;

	err = choice_set_kernel(&opt->events, attr);
	if (!err && opt->follow)
		err = posix_trace_attr_setinherited(attr,
						    POSIX_TRACE_INHERITED);
	if (!err)
		err = set_policies(attr, opt->log);
	if (!err)
		err = posix_trace_attr_setstreamsize(attr, opt->stream_size);
	if (!err)
		err = posix_trace_attr_setmaxdatasize(attr, opt->data_size);
	if (!err)
		err = posix_trace_attr_setname(attr, "posixtrace");
	return err;
}

static int create(struct stream *s, const struct stream_options *opt)
{
	trace_attr_t attr;
	int err;

	err = posix_trace_attr_init(&attr);
	if (err)
		return err;
	err = set_attr(&attr, opt);
	if (!err && opt->log)
		err = posix_trace_create_withlog(opt->pid, &attr, opt->log->fd,
						 &s->trid);
	else if (!err)
		err = posix_trace_create(opt->pid, &attr, &s->trid);
	posix_trace_attr_destroy(&attr);
	return err;
}

static bool can_create(const struct stream_options *opt)
{
	struct stream s;

	if (create(&s, opt))
		return false;
	posix_trace_shutdown(s.trid);
	return true;
}

/*
 * The module refuses kernel events that it does not know with the same error as
 * a file that cannot be a log: which of them would it do without?
 */
static bool module_is_old(const struct stream_options *opt)
{
	struct stream_options less = *opt;

	less.log = NULL;
	if (opt->log && can_create(&less))
		return false;
	memset(&less.events, 0, sizeof(less.events));
	return can_create(&less);
}

static int get_fd(struct stream *s)
{
	int flags, err;

	err = posix_trace_get_fd_np(s->trid, &s->fd);
	if (err)
		return err;
	flags = fcntl(s->fd, F_GETFL);
	if (flags < 0 || fcntl(s->fd, F_SETFL, flags | O_NONBLOCK))
		return errno;
	return 0;
}

/* Room for what is read at once. */
static int make_batch(struct stream *s, size_t data_size)
{
	s->size = BATCH_SIZE + POSIXTRACE_RECORD_SIZE(data_size) +
		  POSIXTRACE_SYSTEM_EVENT_SIZE_MAX;
	s->batch = malloc(s->size);
	return s->batch ? 0 : ENOMEM;
}

int stream_open(struct stream *s, const struct stream_options *opt)
{
	int err;

	memset(s, 0, sizeof(*s));
	s->fd = -1;
	err = opt->log ? 0 : make_batch(s, opt->data_size);
	if (err)
		return err;
	err = create(s, opt);
	if (err == EINVAL && module_is_old(opt))
		err = ENOSYS;
	if (err)
		goto err_free_batch;
	err = choice_set_filter(&opt->events, s->trid);
	if (!err && !opt->log)
		err = get_fd(s);
	if (err)
		goto err_shutdown;
	return 0;

err_shutdown:
	posix_trace_shutdown(s->trid);
err_free_batch:
	free(s->batch);
	return err;
}

int stream_close(struct stream *s)
{
	int err = posix_trace_shutdown(s->trid);

	free(s->batch);
	return err;
}

int stream_read(struct stream *s)
{
	ssize_t n;

	do
		n = read(s->fd, s->batch, s->size);
	while (n < 0 && errno == EINTR);
	s->next = 0;
	s->filled = n > 0 ? n : 0;
	if (n < 0)
		return errno;
	return n ? 0 : EAGAIN;
}

const struct posixtrace_record *stream_next(struct stream *s)
{
	const struct posixtrace_record *rec = (void *)(s->batch + s->next);
	size_t rest = s->filled - s->next;

	if (rest < sizeof(*rec) || rec->size > rest ||
	    rec->size < POSIXTRACE_RECORD_SIZE(rec->data_size))
		return NULL;
	s->next += rec->size;
	return rec;
}
