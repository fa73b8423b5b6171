// SPDX-License-Identifier: GPL-2.0-only
/*
 * What all commands of the tool have in common: help, no colours, and what
 * becomes of them when nobody reads.
 */
#include "terminal_test.h"
#include "tool_test.h"

#define COMMANDS	"live", "record", "print", "info", "list", "monitor", "limits"

FIXTURE(face) {
	struct tool *t;
	struct child target;
};

FIXTURE_SETUP(face)
{
	if (geteuid())
		SKIP(return, "needs root");
	self->t = setup(&self->target);
}

FIXTURE_TEARDOWN(face)
{
	free(self->t);
}

TEST_F(face, has_help_of_80_columns_for_each_command)
{
	static const char * const commands[] = { COMMANDS };
	char text[64];
	size_t i;

	EXPECT_EQ(0, tool_run(self->t, ALICE, "--help"));
	EXPECT_GE(80, longest_line(self->t->out_text));
	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		EXPECT_EQ(0, tool_run(self->t, ALICE, "--help"));
		snprintf(text, sizeof(text), "\n  %s ", commands[i]);
		EXPECT_TEXT(self->t->out_text, text);
		EXPECT_EQ(0, tool_run(self->t, ALICE, "%s --help",
				      commands[i]));
		snprintf(text, sizeof(text), "Usage: posixtrace %s ",
			 commands[i]);
		EXPECT_EQ(0, strncmp(text, self->t->out_text, strlen(text)));
		EXPECT_GE(80, longest_line(self->t->out_text));
		EXPECT_TEXT(self->t->out_text, "\nExit status: 0; 1 ");
		EXPECT_STREQ("", self->t->err_text);
		EXPECT_EQ(0, tool_run(self->t, ALICE, "%s -h", commands[i]));
		EXPECT_EQ(0, strncmp(text, self->t->out_text, strlen(text)));
	}
}

/* What @line, as alice's command, writes to a terminal. */
static const char *on_terminal(struct tool *t, const char *line)
{
	char copy[128];
	int terminal;

	snprintf(copy, sizeof(copy), "%s", line);
	t->out = true;
	t->err_len = 0;
	t->err_text[0] = '\0';
	terminal = start_on_terminal(t, copy);
	must_be(!end_terminal(t, terminal));
	return t->err_text;
}

#define CLEAR	"\033[H\033[2J"

static void expect_no_colours(struct __test_metadata *_metadata,
			      struct tool *t, pid_t target)
{
	char line[64];

	snprintf(line, sizeof(line), "posixtrace live -p %d -d 0.2", target);
	EXPECT_NO_TEXT(on_terminal(t, line), "\033");
	EXPECT_TEXT(t->err_text, "tracing ");
	EXPECT_NO_TEXT(on_terminal(t, "posixtrace list"), "\033");
	EXPECT_TEXT(t->err_text, "STREAM ");
	EXPECT_NO_TEXT(on_terminal(t, "posixtrace limits"), "\033");
	EXPECT_TEXT(t->err_text, "streams now ");
	/* It begins anew at the top, no more. */
	EXPECT_EQ(1, count(on_terminal(t, "posixtrace list -w -n 1"), CLEAR));
	EXPECT_EQ(2, count(t->err_text, "\033"));
}

TEST_F(face, has_no_colours)
{
	must_be(!unsetenv("NO_COLOR"));
	expect_no_colours(_metadata, self->t, self->target.pid);
	must_be(!setenv("NO_COLOR", "1", 1));
	expect_no_colours(_metadata, self->t, self->target.pid);
}

/* Its status when its output is a pipe whose other end is closed already. */
static int status_without_reader(uid_t uid, const char *line, int err)
{
	int out[2], status;
	char copy[64];
	pid_t pid;

	must_be(!pipe(out));
	close(out[0]);
	fflush(NULL);
	pid = fork();
	must_be(pid >= 0);
	if (!pid) {
		snprintf(copy, sizeof(copy), "%s", line);
		dup2(out[1], STDOUT_FILENO);
		dup2(err, STDERR_FILENO);
		exec_tool(uid, copy);
	}
	close(out[1]);
	must_be(waitpid(pid, &status, 0) == pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Without a word; what may go on for long ends well. */
TEST_F(face, ends_when_nobody_reads)
{
	static const struct {
		uid_t uid;
		const char *line;
		int status;
	} commands[] = {
		{ ALICE, "posixtrace list", 0 },
		{ ALICE, "posixtrace list --json", 0 },
		{ ALICE, "posixtrace list -w -i 1000", 0 },
		{ 0, "posixtrace monitor", 0 },
		{ ALICE, "posixtrace limits", 128 + SIGPIPE },
		{ ALICE, "posixtrace --help", 128 + SIGPIPE },
		{ ALICE, "posixtrace list --help", 128 + SIGPIPE },
	};
	int err = memfd_create("err", 0);
	size_t i;

	must_be(err >= 0);
	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		EXPECT_EQ(commands[i].status,
			  status_without_reader(commands[i].uid, commands[i].line,
						err))
			TH_LOG("%s", commands[i].line);
		EXPECT_EQ(0, lseek(err, 0, SEEK_END));
	}
}

TEST_HARNESS_MAIN
