// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "diag.h"
#include "eventclass.h"
#include "live.h"
#include "liveopt.h"
#include "output.h"
#include "print.h"
#include "procinfo.h"
#include "stream.h"
#include "syscalls.h"
#include "tool.h"
#include "tracee.h"

/* Why the trace ended. */
enum live_end {
	LIVE_GOES_ON,
	LIVE_ENOUGH,		/* -n events were shown, -d is over */
	LIVE_SIGNAL,		/* the user wants it */
	LIVE_TRACEE_ENDED,
	LIVE_NO_READER,		/* nobody reads the output any more */
	LIVE_FAILED,		/* an error, which the user was told */
};

/**
 * struct live - a trace that is being shown
 * @opt: what the user wants
 * @old_mask: signal mask that this process was started with
 * @signal_fd: signals that end the trace
 * @timer_fd: readable when -d is over, -1 without it
 * @tracee: who is traced
 * @title: its name
 * @stream: its events
 * @out: lines for the user
 * @printer: makes them
 * @shown: events printed
 * @before_exec: what comes are system calls of ours, before the command begins
 * @signalled: a signal was left to the command to deal with
 * @leave: another one came: do not wait for the command
 * @traced: the trace began; a command was executed
 */
struct live {
	struct liveopt opt;
	sigset_t old_mask;
	int signal_fd;
	int timer_fd;
	struct tracee tracee;
	char title[80];
	struct stream stream;
	struct output out;
	struct printer printer;
	__u64 shown;
	bool before_exec;
	bool signalled;
	bool leave;
	bool traced;
};

/*
 * Signals that end the trace come through a descriptor. SIGPIPE is blocked
 * for good: write() tells the same.
 */
static int open_signals(struct live *l)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGHUP);
	l->signal_fd = signalfd(-1, &mask, SFD_CLOEXEC);
	if (l->signal_fd < 0)
		return errno;
	sigaddset(&mask, SIGPIPE);
	sigprocmask(SIG_BLOCK, &mask, &l->old_mask);
	return 0;
}

static int open_output(struct live *l)
{
	int fd = l->opt.command ? STDERR_FILENO : STDOUT_FILENO;
	int err;

	if (l->opt.output)
		fd = open(l->opt.output,
			  O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0) {
		diag("cannot write to %s: %s", l->opt.output, strerror(errno));
		return TOOL_ERROR;
	}
	err = output_init(&l->out, fd, l->signal_fd);
	if (err) {
		diag("%s", strerror(err));
		return TOOL_ERROR;
	}
	return -1;
}

static int start_timer(struct live *l)
{
	struct itimerspec when = { .it_value = l->opt.duration };

	if (!when.it_value.tv_sec && !when.it_value.tv_nsec)
		return 0;
	l->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (l->timer_fd < 0 || timerfd_settime(l->timer_fd, 0, &when, NULL))
		return errno;
	return 0;
}

static int get_name(void *arg, unsigned int id, char *name)
{
	const struct live *l = arg;

	return posix_trace_eventid_get_name(l->stream.trid, id, name);
}

/*
 * The command's process was made by us, and is traced from a moment on at
 * which it waits for the permission to execute the command.
 */
static bool is_ours(struct live *l, const struct posixtrace_record *rec)
{
	const struct posixtrace_syscall_enter *enter = (const void *)(rec + 1);
	const struct syscall *call;

	if (!l->before_exec)
		return false;
	if (rec->event_id == POSIXTRACE_EV_SYSCALL_EXIT)
		return true;
	if (rec->event_id != POSIXTRACE_EV_SYSCALL_ENTER) {
		/* Its beginning may be among what was overwritten. */
		l->before_exec = rec->event_id != POSIXTRACE_EV_OVERFLOW;
		return false;
	}
	call = syscall_find(enter->arch, enter->nr);
	l->before_exec = !call || strcmp(call->name, "execve");
	return l->before_exec;
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
		if (is_ours(l, rec))
			continue;
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

/*
 * The first signal is a matter of the command. The terminal sent it to the
 * command as well; any other sender meant only us.
 */
static enum live_end handle_signal(struct live *l)
{
	struct signalfd_siginfo info;

	if (read(l->signal_fd, &info, sizeof(info)) != sizeof(info))
		return LIVE_GOES_ON;
	if (!l->opt.command || l->signalled) {
		l->leave = true;
		return LIVE_SIGNAL;
	}
	l->signalled = true;
	if (info.ssi_code != SI_KERNEL)
		kill(l->tracee.pid, info.ssi_signo);
	return LIVE_GOES_ON;
}

/* Wait for something to happen, and deal with it. */
static enum live_end step(struct live *l)
{
	struct pollfd fds[] = {
		{ .fd = l->stream.fd, .events = POLLIN },
		{ .fd = l->signal_fd, .events = POLLIN },
		{ .fd = l->timer_fd, .events = POLLIN },
		{ .fd = l->tracee.pidfd, .events = POLLIN },
		{ .fd = l->out.fd, .events = 0 },
	};
	enum live_end end = LIVE_GOES_ON;

	if (poll(fds, ARRAY_SIZE(fds), -1) < 0)
		return LIVE_GOES_ON;
	if (fds[0].revents)
		end = show(l);
	if (end == LIVE_GOES_ON && fds[1].revents)
		end = handle_signal(l);
	if (end == LIVE_GOES_ON && fds[2].revents)
		end = LIVE_ENOUGH;
	if (end == LIVE_GOES_ON && fds[3].revents)
		end = LIVE_TRACEE_ENDED;
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
	char overwritten[48] = "", shown[48] = "";

	if (posix_trace_get_counters_np(l->stream.trid, &n))
		return;
	if (n.posix_overwritten)
		snprintf(overwritten, sizeof(overwritten), ", %llu overwritten",
			 n.posix_overwritten);
	if (end == LIVE_ENOUGH && enough(l))
		snprintf(shown, sizeof(shown), "; %llu shown", l->shown);
	diag("%llu events recorded, %llu lost%s%s", n.posix_recorded,
	     n.posix_lost, overwritten, shown);
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
	if (end == LIVE_TRACEE_ENDED && !l->opt.command)
		diag("%s has ended", l->title);
	show_counts(l, end);
	return end == LIVE_FAILED || rest == LIVE_FAILED ? TOOL_ERROR : TOOL_OK;
}

/*
 * Wait for the end of the command, of which nothing is shown any more.
 * Return: false if the user does not want to wait.
 */
static bool wait_command(struct live *l)
{
	struct pollfd fds[] = {
		{ .fd = l->tracee.pidfd, .events = POLLIN },
		{ .fd = l->signal_fd, .events = POLLIN },
	};

	while (!l->leave) {
		if (poll(fds, 2, -1) < 0)
			continue;
		if (fds[0].revents)
			return true;
		handle_signal(l);
	}
	return false;
}

/* End as the command did. Return: exit status. */
static int exit_as_command(struct live *l)
{
	const struct rlimit no_core = { 0, 0 };
	sigset_t mask;
	int status, sig;

	if (!wait_command(l)) {
		diag("%s goes on", l->opt.command[0]);
		return TOOL_ERROR;
	}
	status = tracee_wait(&l->tracee);
	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);

	sig = WTERMSIG(status);
	setrlimit(RLIMIT_CORE, &no_core);
	signal(sig, SIG_DFL);
	sigemptyset(&mask);
	sigaddset(&mask, sig);
	raise(sig);
	sigprocmask(SIG_UNBLOCK, &mask, NULL);
	return 128 + sig;
}

static int attach(struct live *l)
{
	pid_t pid = l->opt.stream.pid;
	int err;

	err = tracee_attach(&l->tracee, pid);
	if (!err) {
		procinfo_title(pid, l->title, sizeof(l->title));
		return -1;
	}
	if (err == ESRCH || err == EINVAL || err == ENOENT)
		diag_no_process(pid);
	else
		diag("cannot trace %d: %s", pid, strerror(err));
	return TOOL_ERROR;
}

static int cannot_run(const char *command, int err)
{
	diag("cannot run %s: %s", command, strerror(err));
	return err == ENOENT ? TOOL_NOT_FOUND : TOOL_CANNOT_EXECUTE;
}

static int spawn(struct live *l)
{
	char **command = l->opt.command;
	int err;

	err = tracee_spawn(&l->tracee, command, &l->old_mask);
	if (err)
		return cannot_run(command[0], err);
	l->opt.stream.pid = l->tracee.pid;
	l->before_exec = true;
	return -1;
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

/* Start the trace, then the command. */
static int begin(struct live *l)
{
	int err;

	err = posix_trace_start(l->stream.trid);
	if (!err)
		err = start_timer(l);
	if (err) {
		diag("cannot start the trace: %s", strerror(err));
		return TOOL_ERROR;
	}
	if (!l->opt.command) {
		diag("tracing %s; Ctrl-C ends it", l->title);
		return -1;
	}
	err = tracee_go(&l->tracee);
	return err ? cannot_run(l->opt.command[0], err) : -1;
}

/* From here on there is a process to trace. */
static int trace_it(struct live *l)
{
	int status;

	status = open_stream(l);
	if (status >= 0)
		return status;
	printer_init(&l->printer, l->out.file, get_name, l);
	status = begin(l);
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
	struct live l = { .signal_fd = -1, .timer_fd = -1 };
	int status;

	status = liveopt_parse(argc, argv, &l.opt);
	if (status >= 0)
		return status;
	if (open_signals(&l)) {
		diag("cannot wait for signals: %s", strerror(errno));
		return TOOL_ERROR;
	}
	status = open_output(&l);
	if (status >= 0)
		return status;
	status = l.opt.command ? spawn(&l) : attach(&l);
	if (status < 0) {
		status = trace_it(&l);
		if (l.traced && l.opt.command)
			status = exit_as_command(&l);
		tracee_release(&l.tracee);
	}
	output_destroy(&l.out);
	return status;
}
