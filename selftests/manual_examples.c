// SPDX-License-Identifier: GPL-2.0-only
/*
 * The programs in the EXAMPLES of the man pages print what their pages say.
 *
 * They lie in the folder examples beside this program: NAME, and NAME.out, what
 * the page shows.
 */
#include "trace_test.h"

#include <glob.h>
#include <libgen.h>

#define USER		1000
#define TEXT_MAX	4096

static void read_to_end(int fd, char *text)
{
	size_t len = 0;
	ssize_t n;

	while ((n = read(fd, text + len, TEXT_MAX - len)) > 0) {
		len += n;
		must_be(len < TEXT_MAX);
	}
	must_be(!n);
	text[len] = '\0';
	close(fd);
}

/* What @program prints goes to @text. Return: its exit status. */
static int run(const char *program, char *text)
{
	int out[2], status;
	pid_t pid;

	must_be(!pipe2(out, O_CLOEXEC));
	pid = fork();
	must_be(pid >= 0);
	if (!pid) {
		dup2(out[1], STDOUT_FILENO);
		dup2(out[1], STDERR_FILENO);
		if (!geteuid())
			must(become_user(USER));
		alarm(WAIT_LIMIT);
		execl(program, program, NULL);
		_exit(127);
	}
	close(out[1]);
	read_to_end(out[0], text);
	must_be(waitpid(pid, &status, 0) == pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(programs_print_what_their_pages_show)
{
	char self[PATH_MAX] = "", pattern[PATH_MAX + 32];
	char shown[TEXT_MAX], printed[TEXT_MAX];
	glob_t pages;
	size_t i;

	must_be(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	snprintf(pattern, sizeof(pattern), "%s/examples/*.out", dirname(self));
	ASSERT_EQ(0, glob(pattern, 0, NULL, &pages));
	for (i = 0; i < pages.gl_pathc; i++) {
		int fd = open(pages.gl_pathv[i], O_RDONLY | O_CLOEXEC);

		must_be(fd >= 0);
		read_to_end(fd, shown);
		*strrchr(pages.gl_pathv[i], '.') = '\0';
		TH_LOG("%s", basename(pages.gl_pathv[i]));
		EXPECT_EQ(0, run(pages.gl_pathv[i], printed));
		EXPECT_STREQ(shown, printed);
	}
	globfree(&pages);
}

TEST_HARNESS_MAIN
