// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sample programs, as their user runs them: each of those that trace is
 * given the number of the process that application runs in. What they print is
 * compared to the letter; the numbers in it follow from what the application
 * was asked.
 *
 * They lie in the folder samples beside this program.
 */
#include "trace_test.h"

#include <libgen.h>

#define USER		1000
#define TEXT_MAX	1024

/* Beyond any number that a process can have. */
#define NO_PID		"2147483647"

/* A sample that runs. */
struct sample {
	pid_t pid;
	char pid_text[16];
	int in;			/* to its standard input */
	int out;		/* from its standard output and error */
	char text[TEXT_MAX];	/* what was last read from there */
};

static void exec_sample(const char **args)
{
	char self[PATH_MAX] = "", path[2 * PATH_MAX];

	must_be(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	snprintf(path, sizeof(path), "%s/samples/%s", dirname(self), args[0]);
	if (!geteuid())
		must(become_user(USER));
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	execv(path, (char **)args);
	fprintf(stderr, "%s: %s\n", path, strerror(errno));
	_exit(99);
}

static void start_args(struct sample *s, const char **args)
{
	int in[2], out[2];

	must_be(!pipe2(in, O_CLOEXEC) && !pipe2(out, O_CLOEXEC));
	fflush(NULL);
	s->pid = fork();
	must_be(s->pid >= 0);
	if (!s->pid) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		dup2(out[1], STDERR_FILENO);
		exec_sample(args);
	}
	close(in[0]);
	close(out[1]);
	s->in = in[1];
	s->out = out[0];
	snprintf(s->pid_text, sizeof(s->pid_text), "%d", s->pid);
}

/* Start a sample with the command line that the words give. */
#define start(s, ...) \
	start_args(s, (const char *[]){ __VA_ARGS__, NULL })

static bool read_char(const struct sample *s, char *c)
{
	struct pollfd pollfd = { .fd = s->out, .events = POLLIN };
	ssize_t n;

	must_be(poll(&pollfd, 1, WAIT_LIMIT * 1000) == 1);
	n = read(s->out, c, 1);
	must_be(n >= 0);
	return n;
}

/* Read that many lines, fewer if the sample ends. */
static const char *hear(struct sample *s, size_t lines)
{
	size_t len = 0;

	while (lines && read_char(s, s->text + len)) {
		if (s->text[len++] == '\n')
			lines--;
		must_be(len < TEXT_MAX);
	}
	s->text[len] = '\0';
	return s->text;
}

static size_t count_lines(const char *text)
{
	size_t n = 0;

	while ((text = strchr(text, '\n'))) {
		text++;
		n++;
	}
	return n;
}

/* The next lines are these. */
#define EXPECT_HEAR(s, expected)					\
	EXPECT_STREQ(expected, hear(s, count_lines(expected)))

static void tell(const struct sample *s, const char *text)
{
	must_be(write(s->in, text, strlen(text)) == (ssize_t)strlen(text));
}

/* Its exit status, after its output was read to the end. */
static int end(struct sample *s)
{
	int status;

	must_be(waitpid(s->pid, &status, 0) == s->pid);
	close(s->out);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* End its input: it writes these lines and nothing more, and exits. */
#define EXPECT_END(s, status, expected) do {				\
	close((s)->in);							\
	EXPECT_STREQ(expected, hear(s, SIZE_MAX));			\
	EXPECT_EQ(status, end(s));					\
} while (0)

/* The answer tells that the events are recorded. */
#define EXPECT_ANSWER(app, question, answer) do {			\
	tell(app, question);						\
	EXPECT_HEAR(app, answer);					\
} while (0)

/* Start the application; with its first answer it is under way. */
#define start_application(app) do {					\
	start(app, "application");					\
	EXPECT_ANSWER(app, "1\n", "1:\n");				\
} while (0)

TEST(application_works_untraced)
{
	struct sample app;

	start_application(&app);
	EXPECT_ANSWER(&app, "12\n", "12: 2 2 3\n");
	EXPECT_ANSWER(&app, "4294967291\n", "4294967291: 4294967291\n");
	EXPECT_ANSWER(&app, "4294836225\n",
		      "4294836225: 3 3 5 5 17 17 257 257\n");
	EXPECT_END(&app, 0, "");
}

/* START, STOP, and in between those of one question: itself, three factors */
TEST(controller_counts_the_events_of_the_application)
{
	struct sample app, controller;

	start_application(&app);
	start(&controller, "controller", app.pid_text);
	EXPECT_HEAR(&controller, "created: suspended\n"
				 "started: running\n");
	EXPECT_ANSWER(&app, "12\n", "12: 2 2 3\n");
	EXPECT_END(&controller, 0, "stopped: suspended\n"
				   "6 events\n");
	EXPECT_ANSWER(&app, "9\n", "9: 3 3\n");
	EXPECT_END(&app, 0, "");
}

TEST(live_analyzer_reports_while_the_application_runs)
{
	struct sample app, analyzer;

	start_application(&app);
	start(&analyzer, "live_analyzer", app.pid_text);
	EXPECT_HEAR(&analyzer, "posix_trace_start\n");
	EXPECT_ANSWER(&app, "12\n", "12: 2 2 3\n");
	EXPECT_HEAR(&analyzer, "number 12\n"
			       "factor 2\n"
			       "factor 2\n"
			       "factor 3\n");
	EXPECT_ANSWER(&app, "7\n", "7: 7\n");
	EXPECT_HEAR(&analyzer, "number 7\n"
			       "factor 7\n");
	EXPECT_END(&app, 0, "");
	EXPECT_END(&analyzer, 0, "finished\n");
}

/* One does not disturb the other */
TEST(controller_and_live_analyzer_trace_the_same_application)
{
	struct sample app, controller, analyzer;

	start_application(&app);
	start(&controller, "controller", app.pid_text);
	EXPECT_HEAR(&controller, "created: suspended\n"
				 "started: running\n");
	start(&analyzer, "live_analyzer", app.pid_text);
	EXPECT_HEAR(&analyzer, "posix_trace_start\n");
	EXPECT_ANSWER(&app, "7\n", "7: 7\n");
	EXPECT_HEAR(&analyzer, "number 7\n"
			       "factor 7\n");
	EXPECT_END(&app, 0, "");
	EXPECT_END(&analyzer, 0, "finished\n");
	EXPECT_END(&controller, 0, "stopped: suspended\n"
				   "5 events\n");
}

/*
 * A log
 */

FIXTURE(log) {
	char folder[64];
	char file[80];
};

FIXTURE_SETUP(log)
{
	snprintf(self->folder, sizeof(self->folder), "/tmp/samples.XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->folder));
	if (!geteuid())
		ASSERT_EQ(0, chown(self->folder, USER, USER));
	snprintf(self->file, sizeof(self->file), "%s/log", self->folder);
}

FIXTURE_TEARDOWN(log)
{
	unlink(self->file);
	rmdir(self->folder);
}

/* The first question is in the log by a flush, what follows by the end. */
TEST_F(log, log_analyzer_reads_what_log_controller_wrote)
{
	struct sample app, controller, analyzer;

	start_application(&app);
	start(&controller, "log_controller", app.pid_text, self->file);
	EXPECT_HEAR(&controller, "started\n");
	EXPECT_ANSWER(&app, "12\n", "12: 2 2 3\n");
	tell(&controller, "\n");
	EXPECT_HEAR(&controller, "flushed\n");
	EXPECT_ANSWER(&app, "35\n", "35: 5 7\n");
	EXPECT_END(&app, 0, "");
	EXPECT_END(&controller, 0, "complete\n");

	start(&analyzer, "log_analyzer", self->file);
	EXPECT_END(&analyzer, 0, "posix_trace_start: -\n"
				 "posix_trace_stop: 0\n"
				 "posix_trace_flush_start: -\n"
				 "posix_trace_flush_stop: -\n"
				 "number: 12 35\n"
				 "factor: 2 2 3 5 7\n"
				 "finished: -\n");
}

TEST_F(log, log_analyzer_reads_the_log_of_an_idle_application)
{
	struct sample app, controller, analyzer;

	start_application(&app);
	start(&controller, "log_controller", app.pid_text, self->file);
	EXPECT_HEAR(&controller, "started\n");
	EXPECT_END(&controller, 0, "complete\n");
	EXPECT_END(&app, 0, "");

	start(&analyzer, "log_analyzer", self->file);
	EXPECT_END(&analyzer, 0, "posix_trace_start: -\n"
				 "posix_trace_stop: 0\n");
}

TEST_F(log, log_controller_says_that_there_is_no_such_process)
{
	struct sample sample;

	start(&sample, "log_controller", NO_PID, self->file);
	EXPECT_END(&sample, 1,
		   "posix_trace_create_withlog(pid, &attr, fd, &trid): No such process\n");
}

TEST_F(log, log_analyzer_says_that_a_file_is_no_log)
{
	struct sample sample;

	start(&sample, "log_analyzer", "/proc/self/exe");
	EXPECT_END(&sample, 1,
		   "posix_trace_open(fd, &trid): Invalid argument\n");
}

TEST(log_samples_say_that_a_file_cannot_be_opened)
{
	struct sample sample;

	start(&sample, "log_controller", "1", "/does/not/exist");
	EXPECT_END(&sample, 1, "/does/not/exist: No such file or directory\n");
	start(&sample, "log_analyzer", "/does/not/exist");
	EXPECT_END(&sample, 1, "/does/not/exist: No such file or directory\n");
}

/*
 * Programs that trace themselves
 */

static size_t default_size(void)
{
	trace_attr_t attr;
	size_t size;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_getstreamsize(&attr, &size));
	return size;
}

/* Room for 20 user events of 10 bytes, and two system events. */
static size_t chosen_size(void)
{
	trace_attr_t attr;
	size_t size;

	small_attr(&attr, POSIX_TRACE_UNTIL_FULL, 20, 10);
	must(posix_trace_attr_getstreamsize(&attr, &size));
	return size;
}

TEST(attributes_are_those_chosen)
{
	struct sample sample;
	char expected[TEXT_MAX];

	snprintf(expected, sizeof(expected),
		 "default: name \"\", %zu bytes, loop, data cut to 256 bytes\n"
		 "in force: name \"sample\", %zu bytes, until full, data cut to 10 bytes\n"
		 "all events were recorded\n", default_size(), chosen_size());
	start(&sample, "attributes");
	EXPECT_END(&sample, 0, expected);
}

TEST(filtering_leaves_out_what_was_to_be_ignored)
{
	struct sample sample;

	start(&sample, "filtering");
	EXPECT_END(&sample, 0, "posix_trace_start { fine }\n"
			       "coarse\n"
			       "posix_trace_filter { fine } { }\n"
			       "coarse\n"
			       "fine\n"
			       "posix_trace_filter { } { coarse }\n"
			       "fine\n"
			       "posix_trace_stop\n");
}

TEST(those_that_trace_say_that_there_is_no_such_process)
{
	const char *expected =
		"posix_trace_create(pid, NULL, &trid): No such process\n";
	struct sample sample;

	start(&sample, "controller", NO_PID);
	EXPECT_END(&sample, 1, expected);
	start(&sample, "live_analyzer", NO_PID);
	EXPECT_END(&sample, 1, expected);
}

TEST(samples_say_how_they_are_used)
{
	struct sample sample;

	start(&sample, "controller");
	EXPECT_END(&sample, 1, "usage: controller PID\n");
	start(&sample, "live_analyzer");
	EXPECT_END(&sample, 1, "usage: live_analyzer PID\n");
	start(&sample, "log_controller", "1");
	EXPECT_END(&sample, 1, "usage: log_controller PID FILE\n");
	start(&sample, "log_analyzer");
	EXPECT_END(&sample, 1, "usage: log_analyzer FILE\n");
}

TEST_HARNESS_MAIN
