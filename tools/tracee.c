// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool.h"
#include "tracee.h"

static void tracee_init(struct tracee *t)
{
	memset(t, 0, sizeof(*t));
	t->pidfd = -1;
	t->go_fd = -1;
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

/* In the new process: wait, then execute the command. Does not return. */
static void run_command(const struct tracee *t, int go_fd, int err_fd,
			const sigset_t *mask)
{
	char go;
	int err;

	sigprocmask(SIG_SETMASK, mask, NULL);
	if (read(go_fd, &go, 1) != 1)
		_exit(EXIT_FAILURE);
	execv(t->path, t->command);
	err = errno;
	if (write(err_fd, &err, sizeof(err)) != sizeof(err))
		_exit(EXIT_FAILURE);
	_exit(EXIT_FAILURE);
}

/* Both pipes are closed in the command by execve(). */
static int start_process(struct tracee *t, const int go[2], const int error[2],
			 const sigset_t *mask)
{
	t->pid = fork();
	if (t->pid < 0)
		return errno;
	if (!t->pid) {
		close(go[1]);
		run_command(t, go[0], error[1], mask);
	}
	t->go_fd = go[1];
	t->err_fd = error[0];
	t->pidfd = pidfd_open(t->pid, 0);
	return t->pidfd < 0 ? errno : 0;
}

int tracee_spawn(struct tracee *t, char **command, const sigset_t *mask)
{
	int go[2], error[2];
	int err;

	tracee_init(t);
	t->command = command;
	err = find_executable(command[0], &t->path);
	if (err)
		return err;
	if (pipe2(go, O_CLOEXEC))
		return errno;
	if (pipe2(error, O_CLOEXEC)) {
		err = errno;
		close(go[0]);
		close(go[1]);
		return err;
	}
	err = start_process(t, go, error, mask);
	close(go[0]);
	close(error[1]);
	if (t->pid < 0) {
		close(go[1]);
		close(error[0]);
	}
	return err;
}

int tracee_go(struct tracee *t)
{
	int err;

	if (write(t->go_fd, "", 1) != 1)
		return errno;
	close(t->go_fd);
	t->go_fd = -1;
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
	if (t->go_fd >= 0) {
		close(t->go_fd);
		tracee_wait(t);
	}
	if (t->err_fd >= 0)
		close(t->err_fd);
	if (t->pidfd >= 0)
		close(t->pidfd);
	free(t->path);
}
