// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "live.h"
#include "liveopt.h"
#include "output.h"
#include "print.h"
#include "session.h"
#include "stream.h"
#include "tool.h"

/* Why the trace ended. */
enum live_end {
	LIVE_GOES_ON,
	LIVE_ENOUGH,		/* -n events were shown, -d is over */
	LIVE_SIGNAL,		/* the user wants it */
	LIVE_NOBODY_LEFT,	/* to be traced */
	LIVE_NO_READER,		/* nobody reads the output any more */
	LIVE_FAILED,		/* an error, which the user was told */
};

/**
 * struct live - a trace that is being shown
 * @opt: what the user wants
 * @session: who is traced, and what ends the trace
 * @stream: its events
 * @out: lines for the user
 * @printer: makes them
 * @shown: events printed
 * @traced: the trace began; a command was executed
 */
struct live {
	struct liveopt opt;
	struct session session;
	struct stream stream;
	struct output out;
	struct printer printer;
	__u64 shown;
	bool traced;
};

static int open_output(struct live *l)
{
	int fd = l->opt.command ? STDERR_FILENO : STDOUT_FILENO;

	if (l->opt.output)
		fd = open(l->opt.output,
			  O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0) {
		diag("cannot write to %s: %s", l->opt.output, strerror(errno));
		return TOOL_ERROR;
	}
	return output_init(&l->out, fd, l->session.signal_fd) ? -1 : TOOL_ERROR;
}

static int get_name(void *arg, unsigned int id, char *name)
{
	const struct live *l = arg;

	return posix_trace_eventid_get_name(l->stream.trid, id, name);
}

static bool enough(const struct live *l)
{
	return l->opt.count && l->shown == l->opt.count;
}

static void show_batch(struct live *l)
{
	const struct posixtrace_record *rec;

	while (!enough(l)) {
		rec = stream_next(&l->stream);
		if (!rec)
			return;
		print_event(&l->printer, rec, rec + 1);
		l->shown++;
	}
}

static enum live_end flush(struct live *l)
{
	int err = output_flush(&l->out);

	switch (err) {
	case 0:
		return LIVE_GOES_ON;
	case EINTR:
		return LIVE_SIGNAL;
	case EPIPE:
		return LIVE_NO_READER;
	default:
		diag("cannot write: %s", strerror(err));
		return LIVE_FAILED;
	}
}

/* Show what a single read gives. */
static enum live_end show(struct live *l)
{
	enum live_end end;
	int err;

	err = stream_read(&l->stream);
	if (err == EAGAIN)
		return LIVE_GOES_ON;
	if (err) {
		diag("cannot read the trace: %s", strerror(err));
		return LIVE_FAILED;
	}
	show_batch(l);
	end = flush(l);
	return end == LIVE_GOES_ON && enough(l) ? LIVE_ENOUGH : end;
}

/* All was shown: is there nobody who could do more? */
static bool is_over(struct live *l, bool has_ended)
{
	struct posix_trace_counters_np n;

	if (has_ended)
		l->session.end_fd = -1;
	return !posix_trace_get_counters_np(l->stream.trid, &n) &&
	       !n.posix_processes;
}

/* Wait for something to happen, and deal with it. */
static enum live_end step(struct live *l)
{
	struct pollfd fds[] = {
		{ .fd = l->stream.fd, .events = POLLIN },
		{ .fd = l->session.signal_fd, .events = POLLIN },
		{ .fd = l->session.timer_fd, .events = POLLIN },
		{ .fd = l->session.end_fd, .events = POLLIN },
		{ .fd = l->out.fd, .events = 0 },
	};
	enum live_end end = LIVE_GOES_ON;

	if (poll(fds, ARRAY_SIZE(fds), SESSION_TICK) < 0)
		return LIVE_GOES_ON;
	if (fds[0].revents)
		end = show(l);
	if (end == LIVE_GOES_ON && fds[1].revents && session_signal(&l->session))
		end = LIVE_SIGNAL;
	if (end == LIVE_GOES_ON && fds[2].revents)
		end = LIVE_ENOUGH;
	if (end == LIVE_GOES_ON && !fds[0].revents &&
	    is_over(l, fds[3].revents))
		end = LIVE_NOBODY_LEFT;
	if (end == LIVE_GOES_ON && fds[4].revents)
		end = LIVE_NO_READER;
	return end;
}

/* After the stop: what was recorded before it. */
static enum live_end show_rest(struct live *l)
{
	struct pollfd fd = { .fd = l->stream.fd, .events = POLLIN };
	enum live_end end = LIVE_GOES_ON;

	while (end == LIVE_GOES_ON && poll(&fd, 1, 0) > 0)
		end = show(l);
	return end;
}

static void show_counts(const struct live *l, enum live_end end)
{
	struct posix_trace_counters_np n;
	char overwritten[48] = "", missed[48] = "", shown[48] = "";

	if (posix_trace_get_counters_np(l->stream.trid, &n))
		return;
	if (n.posix_overwritten)
		snprintf(overwritten, sizeof(overwritten), ", %llu overwritten",
			 n.posix_overwritten);
	if (n.posix_missed_children)
		snprintf(missed, sizeof(missed), ", %llu children missed",
			 n.posix_missed_children);
	if (end == LIVE_ENOUGH && enough(l))
		snprintf(shown, sizeof(shown), "; %llu shown", l->shown);
	diag("%llu events recorded, %llu lost%s%s%s", n.posix_recorded,
	     n.posix_lost, overwritten, missed, shown);
}

/* Return: exit status. */
static int trace(struct live *l)
{
	enum live_end end = LIVE_GOES_ON, rest = LIVE_GOES_ON;

	while (end == LIVE_GOES_ON)
		end = step(l);
	posix_trace_stop(l->stream.trid);
	if (end != LIVE_FAILED && end != LIVE_NO_READER)
		rest = show_rest(l);
	if (end == LIVE_NOBODY_LEFT)
		session_tell_end(&l->session);
	show_counts(l, end);
	return end == LIVE_FAILED || rest == LIVE_FAILED ? TOOL_ERROR : TOOL_OK;
}

static int open_stream(struct live *l)
{
	const struct stream_options *opt = &l->opt.stream;
	int err;

	err = stream_open(&l->stream, opt);
	if (!err)
		return -1;
	diag_create(err, opt->pid, opt->stream_size);
	return TOOL_ERROR;
}

/* From here on there is a process to trace. */
static int trace_it(struct live *l)
{
	int status;

	status = open_stream(l);
	if (status >= 0)
		return status;
	printer_init(&l->printer, l->out.file, get_name, l);
	status = session_begin(&l->session, l->stream.trid, &l->opt.duration,
			       "tracing");
	if (status < 0) {
		status = trace(l);
		l->traced = true;
	}
	printer_destroy(&l->printer);
	stream_close(&l->stream);
	return status;
}

int live_main(int argc, char **argv)
{
	struct live l = { 0 };
	int status;

	status = liveopt_parse(argc, argv, &l.opt);
	if (status >= 0)
		return status;
	status = session_init(&l.session, l.opt.command);
	if (status >= 0)
		return status;
	status = open_output(&l);
	if (status >= 0)
		return status;
	status = session_take(&l.session, &l.opt.stream.pid);
	if (status < 0)
		status = trace_it(&l);
	if (l.traced && l.opt.command)
		status = session_exit(&l.session);
	session_release(&l.session);
	output_destroy(&l.out);
	return status;
}
