// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "diag.h"
#include "progress.h"
#include "record.h"
#include "recordfile.h"
#include "recordopt.h"
#include "session.h"
#include "tool.h"

/* Why the recording ended. */
enum record_end {
	RECORD_GOES_ON,
	RECORD_ENOUGH,		/* -d is over, or the log is full */
	RECORD_SIGNAL,		/* the user wants it */
	RECORD_NOBODY_LEFT,	/* to be traced */
	RECORD_FAILED,		/* the log cannot be written */
};

/**
 * struct record - a recording
 * @opt: what the user wants
 * @file: where the log goes
 * @session: who is traced, and what ends the trace
 * @stream: stream
 * @progress: how far it is
 * @traced: the trace began; a command was executed
 */
struct record {
	struct recordopt opt;
	struct recordfile file;
	struct session session;
	struct stream stream;
	struct progress progress;
	bool traced;
};

/*
 * Show how far it is. That events are kept out of the log tells that it is full,
 * or that it cannot be written. The status would tell why, but reading it resets
 * what is to stand in the log as its last status.
 */
static enum record_end look(struct record *r)
{
	struct posix_trace_counters_np n;

	if (posix_trace_get_counters_np(r->stream.trid, &n))
		return RECORD_GOES_ON;
	progress_show(&r->progress, &n);
	if (!n.posix_processes)
		return RECORD_NOBODY_LEFT;
	if (!n.posix_log_lost)
		return RECORD_GOES_ON;
	return r->opt.log.policy == POSIX_TRACE_UNTIL_FULL ? RECORD_ENOUGH :
							     RECORD_FAILED;
}

/* Wait for something to happen, and deal with it. */
static enum record_end step(struct record *r)
{
	struct pollfd fds[] = {
		{ .fd = r->session.signal_fd, .events = POLLIN },
		{ .fd = r->session.timer_fd, .events = POLLIN },
		{ .fd = r->session.end_fd, .events = POLLIN },
	};

	if (poll(fds, ARRAY_SIZE(fds), SESSION_TICK) < 0)
		return RECORD_GOES_ON;
	if (fds[0].revents && session_signal(&r->session))
		return RECORD_SIGNAL;
	if (fds[1].revents)
		return RECORD_ENOUGH;
	if (fds[2].revents)
		r->session.end_fd = -1;
	return look(r);
}

/**
 * struct outcome - what a finished log says of itself
 * @info: of the log
 * @status: at its end
 * @size: bytes of the file
 */
struct outcome {
	struct posix_trace_log_info_np info;
	struct posix_trace_status_info status;
	unsigned long long size;
};

static int read_back(const struct record *r, struct outcome *o)
{
	trace_id_t trid;
	struct stat st;
	int err;

	if (fstat(r->file.fd, &st))
		return errno;
	o->size = st.st_size;
	err = posix_trace_open(r->file.fd, &trid);
	if (err)
		return err;
	err = posix_trace_get_log_info_np(trid, &o->info);
	if (!err)
		err = posix_trace_get_status(trid, &o->status);
	posix_trace_close(trid);
	return err;
}

static void show_counts(const struct record *r, const struct outcome *o)
{
	const struct posix_trace_counters_np *n = &o->info.posix_counters;
	char kept_out[48] = "", missed[48] = "";
	const char *note = "";

	if (n->posix_log_lost)
		snprintf(kept_out, sizeof(kept_out), ", %llu not in the log",
			 n->posix_log_lost);
	if (n->posix_missed_children)
		snprintf(missed, sizeof(missed), ", %llu children missed",
			 n->posix_missed_children);
	if (o->status.posix_log_full_status == POSIX_TRACE_FULL)
		note = r->opt.log.policy == POSIX_TRACE_LOOP ?
		       ", which is full: it has the newest" :
		       ", which is full: it has the oldest";
	diag("%llu events recorded, %llu lost%s%s; %llu bytes in %s%s",
	     n->posix_recorded, n->posix_lost, kept_out, missed, o->size,
	     r->file.path, note);
}

static void cannot_write(const struct record *r, int err)
{
	if (!diag_log(err, r->file.path))
		diag("cannot write to %s: %s", r->file.path, strerror(err));
}

/* The end of the log is written, or could not be. Return: exit status. */
static int conclude(const struct record *r, int err)
{
	struct outcome o = { 0 };
	int why = read_back(r, &o);

	if (why) {
		diag("cannot read %s: %s", r->file.path, strerror(why));
		return TOOL_ERROR;
	}
	if (!err)
		err = o.status.posix_stream_flush_error;
	if (!err && !o.info.posix_finished)
		err = EIO;
	if (err) {
		cannot_write(r, err);
		diag_hint("The log is good as far as it goes: %llu bytes.",
			  o.size);
	}
	if (o.info.posix_finished)
		show_counts(r, &o);
	return err ? TOOL_ERROR : TOOL_OK;
}

/* Return: exit status. */
static int record(struct record *r)
{
	enum record_end end = RECORD_GOES_ON;
	int err;

	while (end == RECORD_GOES_ON)
		end = step(r);
	posix_trace_stop(r->stream.trid);
	err = stream_close(&r->stream);
	progress_clear(&r->progress);
	if (end == RECORD_NOBODY_LEFT)
		session_tell_end(&r->session);
	return conclude(r, err);
}

static int open_stream(struct record *r)
{
	struct stream_options *opt = &r->opt.stream;
	int err;

	r->opt.log.fd = r->file.fd;
	opt->log = &r->opt.log;
	err = stream_open(&r->stream, opt);
	if (!err) {
		recordfile_cut(&r->file);
		return -1;
	}
	if (!diag_log(err, r->file.path))
		diag_create(err, opt->pid, opt->stream_size);
	return TOOL_ERROR;
}

/* From here on there is a process to trace, and a file. */
static int record_it(struct record *r)
{
	int status;

	status = open_stream(r);
	if (status >= 0)
		return status;
	status = session_begin(&r->session, r->stream.trid, &r->opt.duration,
			       "recording");
	if (status >= 0) {
		stream_close(&r->stream);
		return status;
	}
	r->traced = true;
	return record(r);
}

static int record_to_file(struct record *r)
{
	int status;

	status = session_take(&r->session, &r->opt.stream.pid);
	if (status < 0) {
		progress_init(&r->progress, r->opt.progress);
		status = record_it(r);
	}
	recordfile_close(&r->file, r->traced);
	if (r->traced && r->opt.command)
		status = session_exit(&r->session);
	return status;
}

int record_main(int argc, char **argv)
{
	struct record r = { 0 };
	int status;

	status = recordopt_parse(argc, argv, &r.opt);
	if (status >= 0)
		return status;
	status = session_init(&r.session, r.opt.command);
	if (status >= 0)
		return status;
	status = recordfile_open(&r.file, r.opt.path);
	if (status >= 0)
		return status;
	status = record_to_file(&r);
	session_release(&r.session);
	return status;
}
