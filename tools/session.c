// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "diag.h"
#include "procinfo.h"
#include "session.h"
#include "signals.h"
#include "tool.h"

int session_init(struct session *s, char **command)
{
	memset(s, 0, sizeof(*s));
	s->command = command;
	s->timer_fd = -1;
	s->signal_fd = signals_take(&s->old_mask);
	return s->signal_fd < 0 ? TOOL_ERROR : -1;
}

static int attach(struct session *s, pid_t pid)
{
	int err;

	err = tracee_attach(&s->tracee, pid);
	if (!err) {
		s->end_fd = s->tracee.pidfd;
		procinfo_title(pid, s->title, sizeof(s->title));
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

int session_take(struct session *s, pid_t *pid)
{
	int err;

	if (!s->command)
		return attach(s, *pid);
	err = tracee_spawn(&s->tracee, s->command, &s->old_mask);
	if (err)
		return cannot_run(s->command[0], err);
	s->end_fd = s->tracee.pidfd;
	*pid = s->tracee.pid;
	return -1;
}

static int start_timer(struct session *s, const struct timespec *duration)
{
	const struct itimerspec when = { .it_value = *duration };

	if (!duration->tv_sec && !duration->tv_nsec)
		return 0;
	s->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (s->timer_fd < 0 || timerfd_settime(s->timer_fd, 0, &when, NULL))
		return errno;
	return 0;
}

int session_begin(struct session *s, trace_id_t trid,
		  const struct timespec *duration, const char *doing)
{
	int err = 0;

	if (s->command)
		err = tracee_ready(&s->tracee);
	if (!err)
		err = posix_trace_start(trid);
	if (!err)
		err = start_timer(s, duration);
	if (err) {
		diag("cannot start the trace: %s", strerror(err));
		return TOOL_ERROR;
	}
	if (!s->command) {
		diag("%s %s; Ctrl-C ends it", doing, s->title);
		return -1;
	}
	err = tracee_go(&s->tracee);
	return err ? cannot_run(s->command[0], err) : -1;
}

/*
 * The terminal sent the signal to the command as well; any other sender meant
 * only us.
 */
bool session_signal(struct session *s)
{
	struct signalfd_siginfo info;
	bool ended = tracee_has_ended(&s->tracee);

	if (read(s->signal_fd, &info, sizeof(info)) != sizeof(info))
		return false;
	if (!s->command || s->signalled || ended) {
		s->leave = !ended;
		return true;
	}
	s->signalled = true;
	if (info.ssi_code != SI_KERNEL)
		kill(s->tracee.pid, info.ssi_signo);
	return false;
}

/*
 * A process that ends is not traced any more before its pidfd tells. Whoever does
 * not end was lost when it executed a program.
 */
static bool goes_on(const struct session *s, struct procinfo *info)
{
	return !tracee_has_ended(&s->tracee) &&
	       procinfo_read(s->tracee.pid, info) && !info->exiting;
}

void session_tell_end(const struct session *s)
{
	struct procinfo info;

	if (goes_on(s, &info)) {
		diag("%d (%s) may not be traced any more", s->tracee.pid,
		     info.comm);
		diag_hint("It executed a program that has privileges or that you may not read.");
		diag_hint("CAP_SYS_PTRACE (as root, or by sudo) may help.");
	} else if (!s->command) {
		diag("%s has ended", s->title);
	}
}

/* Return: false if the user does not want to wait. */
static bool wait_command(struct session *s)
{
	struct pollfd fds[] = {
		{ .fd = s->tracee.pidfd, .events = POLLIN },
		{ .fd = s->signal_fd, .events = POLLIN },
	};

	while (!s->leave) {
		if (poll(fds, 2, -1) < 0)
			continue;
		if (fds[0].revents)
			return true;
		session_signal(s);
	}
	return false;
}

static int end_by_signal(int sig)
{
	const struct rlimit no_core = { 0, 0 };
	sigset_t mask;

	setrlimit(RLIMIT_CORE, &no_core);
	signal(sig, SIG_DFL);
	sigemptyset(&mask);
	sigaddset(&mask, sig);
	raise(sig);
	sigprocmask(SIG_UNBLOCK, &mask, NULL);
	return 128 + sig;
}

int session_exit(struct session *s)
{
	int status;

	if (!wait_command(s)) {
		diag("%s goes on", s->command[0]);
		return TOOL_ERROR;
	}
	status = tracee_wait(&s->tracee);
	return WIFSIGNALED(status) ? end_by_signal(WTERMSIG(status)) :
				     WEXITSTATUS(status);
}

void session_release(struct session *s)
{
	tracee_release(&s->tracee);
	if (s->timer_fd >= 0)
		close(s->timer_fd);
	close(s->signal_fd);
}
