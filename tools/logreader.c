// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/posixtrace_log.h>

#include "diag.h"
#include "logreader.h"

#define NSEC_PER_SEC	1000000000

static int load_attr(struct logreader *r)
{
	int err = posix_trace_attr_init(&r->attr);

	return err ? err : posix_trace_get_attr(r->trid, &r->attr);
}

static int load_names(struct logreader *r)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_event_id_t id;
	int none;

	while (!posix_trace_eventtypelist_getnext_id(r->trid, &id, &none)) {
		if (none)
			return 0;
		if (id >= POSIXTRACE_EVENT_MAX || r->names[id] ||
		    posix_trace_eventid_get_name(r->trid, id, name))
			continue;
		r->names[id] = strdup(name);
		if (!r->names[id])
			return ENOMEM;
	}
	return 0;
}

static int load(struct logreader *r)
{
	int err;

	r->data = malloc(POSIXTRACE_LOG_BLOCK_MAX);
	if (!r->data)
		return ENOMEM;
	err = posix_trace_open(r->fd, &r->trid);
	if (err)
		return err;
	err = load_attr(r);
	if (!err)
		err = load_names(r);
	if (err)
		posix_trace_close(r->trid);
	return err;
}

static void forget(struct logreader *r)
{
	size_t i;

	for (i = 0; i < POSIXTRACE_EVENT_MAX; i++)
		free(r->names[i]);
	free(r->data);
	close(r->fd);
}

int logreader_open(struct logreader *r, const char *path)
{
	int err;

	memset(r, 0, sizeof(*r));
	r->path = path;
	/* A named pipe would keep us waiting. */
	r->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (r->fd < 0) {
		diag("cannot read %s: %s", path, strerror(errno));
		return TOOL_ERROR;
	}
	err = load(r);
	if (!err)
		return -1;
	if (err == EINVAL)
		diag_no_log(path, r->fd);
	else
		diag("cannot read %s: %s", path, strerror(err));
	forget(r);
	return TOOL_ERROR;
}

void logreader_close(struct logreader *r)
{
	posix_trace_close(r->trid);
	posix_trace_attr_destroy(&r->attr);
	forget(r);
}

bool logreader_next(struct logreader *r)
{
	struct posix_trace_event_info event = { 0 };
	size_t len;
	int none;

	if (posix_trace_getnext_event(r->trid, &event, r->data,
				      POSIXTRACE_LOG_BLOCK_MAX, &len, &none) ||
	    none)
		return false;
	r->rec = (struct posixtrace_record){
		.data_size = len,
		.event_id = event.posix_event_id,
		.truncation = event.posix_truncation_status,
		.pid = event.posix_pid,
		.tid = event.posix_tid_np,
		.timestamp = event.posix_timestamp.tv_sec *
			     (__u64)NSEC_PER_SEC +
			     event.posix_timestamp.tv_nsec,
		.thread = (__u64)event.posix_thread_id,
		.address = (__u64)event.posix_prog_address,
	};
	return true;
}

__u64 logreader_begin(const struct logreader *r)
{
	struct timespec ts = { 0 };

	posix_trace_attr_getcreatetime(&r->attr, &ts);
	return ts.tv_sec * (__u64)NSEC_PER_SEC + ts.tv_nsec;
}

static int check_blocks(const struct logreader *r)
{
	struct posix_trace_log_info_np info;
	int status = TOOL_OK;

	if (posix_trace_get_log_info_np(r->trid, &info))
		return TOOL_ERROR;
	if (!info.posix_finished) {
		diag("%s is not finished: it is still being written, or the machine stopped",
		     r->path);
		status = TOOL_INCOMPLETE;
	}
	if (info.posix_damaged) {
		diag("%s: %llu damaged block%s left out", r->path,
		     info.posix_damaged, plural(info.posix_damaged));
		status = TOOL_INCOMPLETE;
	}
	if (info.posix_missing) {
		diag("%s: %llu block%s missing", r->path, info.posix_missing,
		     plural(info.posix_missing));
		status = TOOL_INCOMPLETE;
	}
	return status;
}

int logreader_check(const struct logreader *r)
{
	struct posix_trace_status_info info;
	int status = check_blocks(r);

	if (posix_trace_get_status(r->trid, &info))
		return TOOL_ERROR;
	if (!info.posix_stream_flush_error)
		return status;
	diag("%s: not all could be written when it was recorded: %s", r->path,
	     strerror(info.posix_stream_flush_error));
	return TOOL_INCOMPLETE;
}
