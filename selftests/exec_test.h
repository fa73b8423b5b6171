/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A child that executes another program: it is this one again, whose main() is
 * not reached. The file that includes this defines what runs instead.
 */
#ifndef EXEC_TEST_H
#define EXEC_TEST_H

#include "trace_test.h"

#define AFTER_EXEC	"POSIXTRACE_TEST_AFTER_EXEC"

/* Run by the new program, with the old one's pipes; its exit status. */
static int after_exec(const struct child *c, const char *what);

__attribute__((constructor)) static void run_after_exec(void)
{
	const char *arg = getenv(AFTER_EXEC);
	struct child c = { };
	char what[32] = "";

	if (!arg)
		return;
	must_be(sscanf(arg, "%d %d %31s", &c.in, &c.out, what) >= 2);
	_exit(after_exec(&c, what));
}

/* Execute @file, a copy; @what is passed on, one word. Returns if that fails. */
static inline void exec_file_again(const struct child *c, const char *file,
				   const char *what)
{
	char arg[64];

	snprintf(arg, sizeof(arg), "%d %d %s", c->in, c->out, what);
	must_be(!fcntl(c->in, F_SETFD, 0) && !fcntl(c->out, F_SETFD, 0));
	must_be(!setenv(AFTER_EXEC, arg, 1));
	execl(file, "after_exec", NULL);
}

static inline void exec_again(const struct child *c, const char *what)
{
	exec_file_again(c, "/proc/self/exe", what);
}

#endif /* EXEC_TEST_H */
