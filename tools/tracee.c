// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tool.h"
#include "tracee.h"

/* Longest wait between tracee_ready() and tracee_go(): some ten seconds. */
#define GO_ROUNDS	(1ull << 33)

/* What the process of the command and the tool tell each other. */
enum tracee_step {
	TRACEE_WAITS,
	TRACEE_READY,		/* its next system call is execve() */
	TRACEE_GO,
	TRACEE_END,		/* there will be no trace */
};

static void tracee_init(struct tracee *t)
{
	memset(t, 0, sizeof(*t));
	t->pidfd = -1;
	t->ready_fd = -1;
	t->err_fd = -1;
}

int tracee_attach(struct tracee *t, pid_t pid)
{
	tracee_init(t);
	t->pid = pid;
	t->pidfd = pidfd_open(pid, 0);
	return t->pidfd < 0 ? errno : 0;
}

static int check_executable(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return errno;
	if (!S_ISREG(st.st_mode))
		return EACCES;
	return access(path, X_OK) ? errno : 0;
}

/*
 * Look @name up in $PATH, as execvp() does. Done here and not by the command's
 * process, so that its trace begins with the one execve() that starts it.
 */
static int find_executable(const char *name, char **path)
{
	const char *dirs = getenv("PATH");
	int err, result = ENOENT;
	size_t len;

	if (strchr(name, '/')) {
		*path = strdup(name);
		return *path ? check_executable(name) : ENOMEM;
	}
	for (dirs = dirs ? dirs : "/bin:/usr/bin"; ; dirs += len + 1) {
		len = strcspn(dirs, ":");
		if (asprintf(path, "%.*s%s%s", (int)len, dirs,
			     len ? "/" : "", name) < 0) {
			*path = NULL;
			return ENOMEM;
		}
		err = check_executable(*path);
		if (!err)
			return 0;
		if (err == EACCES)
			result = EACCES;
		free(*path);
		*path = NULL;
		if (!dirs[len])
			return result;
	}
}

/*
 * The last step to the command makes no system call: the trace begins here. It
 * does not take long, unless the tool was killed meanwhile.
 */
static bool wait_for_go(struct tracee *t)
{
	unsigned long long rounds = GO_ROUNDS;

	atomic_store(t->step, TRACEE_READY);
	while (atomic_load(t->step) == TRACEE_READY && rounds)
		rounds--;
	return atomic_load(t->step) == TRACEE_GO;
}

/* In the new process: wait, then execute the command. Does not return. */
static void run_command(struct tracee *t, int ready_fd, int err_fd,
			const sigset_t *mask)
{
	char ready;
	int err;

	sigprocmask(SIG_SETMASK, mask, NULL);
	if (read(ready_fd, &ready, 1) != 1 || !wait_for_go(t))
		_exit(EXIT_FAILURE);
	execv(t->path, t->command);
	err = errno;
	if (write(err_fd, &err, sizeof(err)) != sizeof(err))
		_exit(EXIT_FAILURE);
	_exit(EXIT_FAILURE);
}

/* Both pipes are closed in the command by execve(). */
static int start_process(struct tracee *t, const int ready[2],
			 const int error[2], const sigset_t *mask)
{
	t->pid = fork();
	if (t->pid < 0)
		return errno;
	if (!t->pid) {
		close(ready[1]);
		run_command(t, ready[0], error[1], mask);
	}
	t->ready_fd = ready[1];
	t->err_fd = error[0];
	t->pidfd = pidfd_open(t->pid, 0);
	return t->pidfd < 0 ? errno : 0;
}

static int make_pipes_and_process(struct tracee *t, const sigset_t *mask)
{
	int ready[2], error[2];
	int err;

	if (pipe2(ready, O_CLOEXEC))
		return errno;
	if (pipe2(error, O_CLOEXEC)) {
		err = errno;
		close(ready[0]);
		close(ready[1]);
		return err;
	}
	err = start_process(t, ready, error, mask);
	close(ready[0]);
	close(error[1]);
	if (t->pid < 0) {
		close(ready[1]);
		close(error[0]);
	}
	return err;
}

int tracee_spawn(struct tracee *t, char **command, const sigset_t *mask)
{
	int err;

	tracee_init(t);
	t->command = command;
	err = find_executable(command[0], &t->path);
	if (err)
		return err;
	t->step = mmap(NULL, sizeof(*t->step), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (t->step == MAP_FAILED) {
		t->step = NULL;
		return errno;
	}
	return make_pipes_and_process(t, mask);
}

int tracee_ready(struct tracee *t)
{
	const struct timespec while_it_runs = { .tv_nsec = 100000 };

	if (write(t->ready_fd, "", 1) != 1)
		return errno;
	while (atomic_load(t->step) != TRACEE_READY) {
		if (tracee_has_ended(t))
			return ESRCH;
		nanosleep(&while_it_runs, NULL);
	}
	return 0;
}

int tracee_go(struct tracee *t)
{
	int err;

	atomic_store(t->step, TRACEE_GO);
	t->gone = true;
	if (read(t->err_fd, &err, sizeof(err)) != sizeof(err))
		return 0;
	tracee_wait(t);
	return err;
}

bool tracee_has_ended(const struct tracee *t)
{
	struct pollfd fd = { .fd = t->pidfd, .events = POLLIN };

	return poll(&fd, 1, 0) == 1;
}

int tracee_wait(struct tracee *t)
{
	int status;

	while (waitpid(t->pid, &status, 0) < 0) {
		if (errno != EINTR)
			return 0;
	}
	t->pid = 0;
	return status;
}

void tracee_release(struct tracee *t)
{
	if (t->step)
		atomic_store(t->step, TRACEE_END);
	if (t->ready_fd >= 0) {
		close(t->ready_fd);
		if (!t->gone)
			tracee_wait(t);
	}
	if (t->err_fd >= 0)
		close(t->err_fd);
	if (t->pidfd >= 0)
		close(t->pidfd);
	if (t->step)
		munmap(t->step, sizeof(*t->step));
	free(t->path);
}
