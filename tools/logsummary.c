// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "logsummary.h"

const char *logsummary_policy(int policy)
{
	switch (policy) {
	case POSIX_TRACE_LOOP:
		return "loop";
	case POSIX_TRACE_UNTIL_FULL:
		return "until-full";
	case POSIX_TRACE_FLUSH:
		return "flush";
	default:
		return "append";
	}
}

static int get_names(struct logsummary *s, const trace_attr_t *attr)
{
	int err;

	err = posix_trace_attr_getname(attr, s->name);
	if (!err)
		err = posix_trace_attr_getgenversion(attr, s->generation);
	return err;
}

static int get_policies(struct logsummary *s, const trace_attr_t *attr)
{
	int err;

	err = posix_trace_attr_getstreamfullpolicy(attr, &s->stream_policy);
	if (!err)
		err = posix_trace_attr_getlogfullpolicy(attr, &s->log_policy);
	if (!err)
		err = posix_trace_attr_getinherited(attr, &s->inheritance);
	return err;
}

static int get_sizes(struct logsummary *s, const trace_attr_t *attr)
{
	int err;

	err = posix_trace_attr_getstreamsize(attr, &s->stream_size);
	if (!err)
		err = posix_trace_attr_getmaxdatasize(attr, &s->data_max);
	if (!err)
		err = posix_trace_attr_getlogsize(attr, &s->log_size);
	return err;
}

static void count_events(struct logsummary *s, struct logreader *r)
{
	for (; logreader_next(r); s->events++) {
		if (!s->events)
			s->first = r->rec.timestamp;
		s->last = r->rec.timestamp;
		if (r->rec.event_id < POSIXTRACE_EVENT_MAX)
			s->counts[r->rec.event_id]++;
	}
}

int logsummary_make(struct logsummary *s, struct logreader *r)
{
	struct stat st;
	int err;

	memset(s, 0, sizeof(*s));
	if (fstat(r->fd, &st))
		return errno;
	s->file_size = st.st_size;
	s->begin = logreader_begin(r);
	err = get_names(s, &r->attr);
	if (!err)
		err = get_policies(s, &r->attr);
	if (!err)
		err = get_sizes(s, &r->attr);
	if (err)
		return err;
	count_events(s, r);
	err = posix_trace_get_status(r->trid, &s->status);
	return err ? err : posix_trace_get_log_info_np(r->trid, &s->info);
}
