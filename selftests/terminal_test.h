/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tool on a terminal. What it writes there is in tool.err_text.
 */
#ifndef TERMINAL_TEST_H
#define TERMINAL_TEST_H

#include "tool_test.h"

#include <sys/ioctl.h>

/* Start the tool with this as its controlling terminal; its other end. */
static inline int start_on_terminal(struct tool *t, char *line)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	int other;

	must_be(terminal >= 0 && !grantpt(terminal) && !unlockpt(terminal));
	fflush(NULL);
	t->pid = fork();
	must_be(t->pid >= 0);
	if (t->pid)
		return terminal;
	must_be(setsid() > 0);
	other = open(ptsname(terminal), O_RDWR);
	must_be(other >= 0 && !ioctl(other, TIOCSCTTY, 0));
	must_be(!fchown(other, ALICE, ALICE));
	dup2(other, STDIN_FILENO);
	dup2(other, STDERR_FILENO);
	if (t->out)
		dup2(other, STDOUT_FILENO);
	exec_tool(ALICE, line);
	return -1;
}

/* Read what it writes there, until @text is among it; or, if NULL, its end. */
static inline void read_terminal(struct tool *t, int terminal, const char *text)
{
	struct pollfd fd = { .fd = terminal, .events = POLLIN };
	ssize_t n;

	while (!text || !strstr(t->err_text, text)) {
		must_be(poll(&fd, 1, WAIT_LIMIT * 1000) > 0);
		n = read(terminal, t->err_text + t->err_len,
			 TEXT_MAX - 1 - t->err_len);
		if (n <= 0) {
			must_be(!text);
			return;
		}
		t->err_len += n;
		t->err_text[t->err_len] = '\0';
	}
}

static inline int end_terminal(struct tool *t, int terminal)
{
	int status;

	read_terminal(t, terminal, NULL);
	close(terminal);
	must_be(waitpid(t->pid, &status, 0) == t->pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

#endif /* TERMINAL_TEST_H */
