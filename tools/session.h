/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A trace from its beginning to its end, whatever becomes of the events: who is
 * traced, and the signals and the time that end it.
 *
 * Functions that return an int return -1 to go on, or the exit status: the user
 * was told why.
 */
#ifndef POSIXTRACE_SESSION_H
#define POSIXTRACE_SESSION_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>
#include <time.h>
#include <trace.h>

#include "tracee.h"

/*
 * Milliseconds from one look at the counters to the next: nothing else tells that
 * a descendant has ended, or that a process may not be traced any more.
 */
#define SESSION_TICK	100

/**
 * struct session - a trace
 * @command: words of the command, NULL if a process is traced that ran already
 * @old_mask: signal mask that this process was started with
 * @signal_fd: readable when a signal came that ends the trace
 * @timer_fd: readable when the time is over, -1 if there is no limit
 * @tracee: who is traced
 * @end_fd: readable when that has ended; -1 once the counters were looked at then
 * @title: its name
 * @signalled: a signal was left to the command to deal with
 * @leave: another one came: do not wait for the command
 */
struct session {
	char **command;
	sigset_t old_mask;
	int signal_fd;
	int timer_fd;
	struct tracee tracee;
	int end_fd;
	char title[80];
	bool signalled;
	bool leave;
};

/**
 * session_init() - take the signals that end a trace
 * @s: to be filled in
 * @command: words of the command, or NULL
 *
 * SIGPIPE is blocked for good: write() tells the same.
 */
int session_init(struct session *s, char **command);

/* Take process @pid, or make one for the command: then *@pid gets its number. */
int session_take(struct session *s, pid_t *pid);

/**
 * session_begin() - start the trace, then the command
 * @s: session
 * @trid: stream, created for the process
 * @duration: time limit; 0: none
 * @doing: what the user is told that is done to a process, such as "tracing"
 */
int session_begin(struct session *s, trace_id_t trid,
		  const struct timespec *duration, const char *doing);

/**
 * session_signal() - a signal came
 * @s: session
 *
 * The first one is a matter of the command, while that runs.
 *
 * Return: true if the trace is to end.
 */
bool session_signal(struct session *s);

/*
 * Nobody is traced any more. Tell why, unless what the user gave was a command
 * that has ended: that speaks for itself.
 */
void session_tell_end(const struct session *s);

/*
 * After the trace: end as the command did, once it has. Return: exit status. May
 * end this process by the signal that ended the command.
 */
int session_exit(struct session *s);

/* What a failed session_take() and all that follows it leave behind. */
void session_release(struct session *s);

#endif /* POSIXTRACE_SESSION_H */
