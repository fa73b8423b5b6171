/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The process that is traced: one that runs already, or a command that is
 * started for the purpose.
 */
#ifndef POSIXTRACE_TRACEE_H
#define POSIXTRACE_TRACEE_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

/**
 * struct tracee - a process that is, or will be, traced
 * @pid: its number
 * @pidfd: readable when it has ended
 * @ready_fd: command: write end of the pipe that it waits at
 * @err_fd: command: tells the error when it could not be executed
 * @command: its words, NULL for a process that ran already
 * @path: file of the command
 * @step: command: how far it is, in memory that its process shares
 * @gone: command: it was executed
 */
struct tracee {
	pid_t pid;
	int pidfd;
	int ready_fd;
	int err_fd;
	char **command;
	char *path;
	atomic_int *step;
	bool gone;
};

/**
 * tracee_attach() - take a process that runs
 * @t: to be filled in
 * @pid: its number
 *
 * Return: 0 or an error number: ESRCH, EINVAL for a thread that is not the
 * first of its process.
 */
int tracee_attach(struct tracee *t, pid_t pid);

/**
 * tracee_spawn() - make a process for a command
 * @t: to be filled in
 * @command: its words, NULL at the end
 * @mask: signals that the command starts with blocked
 *
 * The new process waits, before it executes the command, for tracee_ready() and
 * tracee_go(). It ends if this process does.
 *
 * Return: 0 or an error number: ENOENT, EACCES if there is no such command.
 */
int tracee_spawn(struct tracee *t, char **command, const sigset_t *mask);

/**
 * tracee_ready() - let the process come to where its next system call is execve()
 * @t: of tracee_spawn()
 *
 * What is traced from here on is the command. It uses up a processor until
 * tracee_go(), which is to follow at once.
 *
 * Return: 0 or an error number.
 */
int tracee_ready(struct tracee *t);

/**
 * tracee_go() - let the command begin
 * @t: of tracee_ready()
 *
 * Return: 0 when it runs, or the error number of execve().
 */
int tracee_go(struct tracee *t);

/* The process has ended; a command is still to be waited for. */
bool tracee_has_ended(const struct tracee *t);

/* Wait for the end of the command. Return: as of waitpid(). */
int tracee_wait(struct tracee *t);

/* Forget it; a command that did not go yet ends, and is waited for. */
void tracee_release(struct tracee *t);

#endif /* POSIXTRACE_TRACEE_H */
