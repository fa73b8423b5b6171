// SPDX-License-Identifier: GPL-2.0-only
/*
 * What README.md shows of the tool is what it prints, but for the numbers, and
 * fits into 80 columns.
 *
 * The blocks of README.md and its program are put beside this program when it
 * is built. A line "$ COMMAND" is executed, as alice; what follows it is what it
 * prints. "[...]" stands for any lines. "# posixtrace monitor" has been running
 * meanwhile.
 */
#include "abi_test.h"
#include "tool_test.h"

#include <ctype.h>
#include <sys/stat.h>

#define FOLDER	"/tmp/posixtrace-tool-readme"

static char here[PATH_MAX];

FIXTURE(tool_readme) {
	struct tool *t;
	char *block;
};

FIXTURE_SETUP(tool_readme)
{
	char program[PATH_MAX + 32];

	if (geteuid())
		SKIP(return, "needs root");
	must_be(readlink("/proc/self/exe", here, sizeof(here) - 1) > 0);
	dirname(here);
	self->t = calloc(1, sizeof(*self->t));
	must_be(self->t);
	find_tool();
	must_be(!mkdir(FOLDER, 0755) || errno == EEXIST);
	must_be(!chown(FOLDER, ALICE, ALICE));
	must_be(!chdir(FOLDER));
	snprintf(program, sizeof(program), "%s/readme/program", here);
	must_be(!symlink(program, "program"));
}

FIXTURE_TEARDOWN(tool_readme)
{
	unlink("program");
	free(self->block);
	free(self->t);
}

static char *read_file(const char *path)
{
	char *text = calloc(1, 65536);
	FILE *f = fopen(path, "re");

	must_be(text && f && fread(text, 1, 65535, f));
	fclose(f);
	return text;
}

/* The code block of README.md below the comment @name. */
static char *block(const char *name)
{
	char path[PATH_MAX + 32];

	snprintf(path, sizeof(path), "%s/readme/%s", here, name);
	return read_file(path);
}

/* As the user does it who reads it, with the tool that is being tested. */
static void be_reader(const char *command)
{
	char path[2 * PATH_MAX];

	snprintf(path, sizeof(path), "%s:%s", dirname(tool_path),
		 getenv("PATH"));
	must_be(!setenv("PATH", path, 1) && !setenv("TZ", "UTC", 1));
	must(become_user(ALICE));
	execl("/bin/sh", "sh", "-c", command, NULL);
	_exit(99);
}

/* Append what @command prints to @seen. */
static void run_command(const char *command, FILE *seen)
{
	int out[2], status;
	char text[4096];
	ssize_t n;
	pid_t pid;

	must_be(!pipe(out));
	fflush(NULL);
	pid = fork();
	must_be(pid >= 0);
	if (!pid) {
		dup2(out[1], STDOUT_FILENO);
		dup2(out[1], STDERR_FILENO);
		close(out[0]);
		close(out[1]);
		be_reader(command);
	}
	close(out[1]);
	while ((n = read(out[0], text, sizeof(text))) > 0)
		must_be(fwrite(text, 1, n, seen) == (size_t)n);
	close(out[0]);
	must_be(waitpid(pid, &status, 0) == pid && !status);
}

/* N stands for each number, also a hexadecimal one; one blank for several. */
static void normalize(const char *line, size_t len, char *to)
{
	const char *end = line + len;

	while (line < end) {
		if (isdigit(*line)) {
			bool hex = line + 1 < end && line[1] == 'x';

			line += hex ? 2 : 0;
			while (line < end &&
			       (hex ? isxdigit(*line) : isdigit(*line)))
				line++;
			*to++ = 'N';
		} else if (*line == ' ') {
			line += strspn(line, " ");
			*to++ = ' ';
		} else {
			*to++ = *line++;
		}
	}
	*to = '\0';
}

/* The next line of *@text, normalized, of which it is taken. */
static bool next_line(const char **text, char *line)
{
	size_t len = strcspn(*text, "\n");

	if (!**text)
		return false;
	must_be(len < 256);
	normalize(*text, len, line);
	*text += len + !!(*text)[len];
	return true;
}

/* Is @shown what was @seen? Else the line that is not; NULL: it is. */
static const char *difference(const char *shown, const char *seen)
{
	static char want[256];
	bool any = false;
	char line[256];

	while (next_line(&shown, want)) {
		if (!strcmp(want, "[...]")) {
			any = true;
			continue;
		}
		do {
			if (!next_line(&seen, line))
				return want;
		} while (any && strcmp(want, line));
		if (strcmp(want, line))
			return want;
		any = false;
	}
	return !any && *seen ? "(the end)" : NULL;
}

#define EXPECT_SHOWN(shown, seen) do {					\
	const char *wrong_line = difference(shown, seen);		\
									\
	EXPECT_EQ(NULL, wrong_line)					\
		TH_LOG("README.md shows: %s\nwhat is seen:\n%.4000s",	\
		       wrong_line, seen);				\
	EXPECT_GE(80, longest_line(shown));				\
	EXPECT_GE(80, longest_line(seen));				\
} while (0)

/* Execute the commands of a block; the block again, as it is really. */
static char *run_block(const char *text)
{
	size_t len, size;
	char line[256];
	char *seen;
	FILE *f = open_memstream(&seen, &size);

	must_be(f);
	for (; *text; text += len + !!text[len]) {
		len = strcspn(text, "\n");
		if (strncmp(text, "$ ", 2))
			continue;
		snprintf(line, sizeof(line), "%.*s", (int)len, text);
		fprintf(f, "%s\n", line);
		run_command(line + 2, f);
	}
	fclose(f);
	return seen;
}

/* The monitor's lines, but those of streams that found out that it listens. */
static char *without_first(const char *text)
{
	size_t len, size;
	char *result;
	FILE *f = open_memstream(&result, &size);

	must_be(f);
	fputs("# posixtrace monitor\n", f);
	for (; *text; text += len + !!text[len]) {
		len = strcspn(text, "\n");
		if (!memmem(text, len, " first", 6))
			fprintf(f, "%.*s\n", (int)len, text);
	}
	fclose(f);
	return result;
}

static void monitor_start(struct tool *t, int device)
{
	struct posixtrace_create arg = create_arg(0);
	struct raw raw;

	snprintf(arg.name, sizeof(arg.name), "first");
	must_be(!setenv("TZ", "UTC", 1));
	tool_start(t, 0, "monitor");
	while (!t->out_len) {
		struct pollfd out = { .fd = t->out, .events = POLLIN };

		must(raw_create(device, &arg, &raw));
		close(raw.fd);
		if (poll(&out, 1, 100) > 0)
			tool_read(t);
	}
}

/* Recorded, printed, and watched by root. */
TEST_F(tool_readme, session_and_monitor)
{
	char *monitor = block("monitor"), *seen, *heard;

	self->block = block("session");
	monitor_start(self->t, device_open());
	seen = run_block(self->block);
	EXPECT_SHOWN(self->block, seen);
	/* The last thing that happens. */
	while (count(self->t->out_text, "shut-down") <
	       count(self->t->out_text, "created"))
		tool_read(self->t);
	EXPECT_EQ(0, tool_interrupt(self->t));
	heard = without_first(self->t->out_text);
	EXPECT_SHOWN(monitor, heard);
	free(monitor);
	free(seen);
	free(heard);
}

/* Have two streams; one of them has run. */
static int own_two(const struct child *c, void *arg)
{
	static const char * const names[] = { "jobs", "audit" };
	struct posixtrace_create create = create_arg(0);
	struct raw raw;
	int device, i;

	must(become_user(ALICE));
	device = device_open();
	for (i = 0; i < 2; i++) {
		snprintf(create.name, sizeof(create.name), "%s", names[i]);
		must(raw_create(device, &create, &raw));
		if (!i)
			must(raw_control(raw, POSIXTRACE_IOC_START));
	}
	must(raw_record(device, POSIXTRACE_EV_UNNAMED, "x", 1));
	hand(c);
	await(c);
	return 0;
}

TEST_F(tool_readme, list_and_limits)
{
	struct child c;
	char *seen;

	self->block = block("list");
	child_start(&c, own_two, NULL);
	await(&c);
	seen = run_block(self->block);
	EXPECT_SHOWN(self->block, seen);
	hand(&c);
	child_end(&c);
	free(seen);
}

TEST_HARNESS_MAIN
