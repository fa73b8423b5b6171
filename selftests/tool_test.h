/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tests of the command posixtrace need: to run it as its user does, and
 * processes to trace.
 *
 * It is the one in the build folder if this test still lies there, else the
 * one in $PATH.
 */
#ifndef TOOL_TEST_H
#define TOOL_TEST_H

#include "trace_test.h"

#include <libgen.h>

#define ALICE	1000
#define BOB	1001

#define WORDS_MAX	32
#define TEXT_MAX	(1024 * 1024)

/*
 * The tool. It runs, or has run, and this is what it has written.
 */
struct tool {
	pid_t pid;
	int out;
	int err;
	size_t out_len;
	size_t err_len;
	char out_text[TEXT_MAX];
	char err_text[TEXT_MAX];
};

static char tool_path[PATH_MAX];

static inline void find_tool(void)
{
	char self[PATH_MAX] = "";

	must_be(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	snprintf(tool_path, sizeof(tool_path), "%s/../posixtrace",
		 dirname(self));
	if (access(tool_path, X_OK))
		snprintf(tool_path, sizeof(tool_path), "posixtrace");
}

/* Blanks separate the words of @line, ~ stands for a blank in a word. */
static inline void split(char *line, char **words)
{
	size_t n = 0;
	char *c;

	for (c = strtok(line, " "); c; c = strtok(NULL, " ")) {
		must_be(n < WORDS_MAX - 1);
		words[n++] = c;
		for (; *c; c++) {
			if (*c == '~')
				*c = ' ';
		}
	}
	words[n] = NULL;
}

static inline void exec_tool(uid_t uid, char *line)
{
	char *words[WORDS_MAX];

	split(line, words);
	must(become_user(uid));
	execvp(tool_path, words);
	fprintf(stderr, "%s: %s\n", tool_path, strerror(errno));
	_exit(99);
}

static inline void start_line(struct tool *t, uid_t uid, char *line)
{
	int out[2], err[2];

	must_be(!pipe2(out, O_CLOEXEC) && !pipe2(err, O_CLOEXEC));
	fflush(NULL);
	t->pid = fork();
	must_be(t->pid >= 0);
	if (!t->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(out[1], STDOUT_FILENO);
		dup2(err[1], STDERR_FILENO);
		exec_tool(uid, line);
	}
	close(out[1]);
	close(err[1]);
	t->out = out[0];
	t->err = err[0];
	t->out_len = 0;
	t->err_len = 0;
	t->out_text[0] = '\0';
	t->err_text[0] = '\0';
}

/* Start the tool as user @uid with the command line that the rest gives. */
#define tool_start(t, uid, ...) do {					\
	char line_text[1024] = "posixtrace ";				\
	size_t line_len = strlen(line_text);				\
	size_t line_room = sizeof(line_text) - line_len;		\
									\
	must_be(snprintf(line_text + line_len, line_room,		\
			 __VA_ARGS__) < (int)line_room);		\
	start_line(t, uid, line_text);					\
} while (0)

/* Read once from what has something; false when both have ended. */
static inline bool tool_read(struct tool *t)
{
	struct pollfd fds[] = {
		{ .fd = t->out, .events = POLLIN },
		{ .fd = t->err, .events = POLLIN },
	};
	size_t *len;
	char *text;
	ssize_t n;
	int i;

	if (t->out < 0 && t->err < 0)
		return false;
	must_be(poll(fds, 2, WAIT_LIMIT * 1000) > 0);
	i = fds[0].revents ? 0 : 1;
	len = i ? &t->err_len : &t->out_len;
	text = i ? t->err_text : t->out_text;
	n = read(fds[i].fd, text + *len, TEXT_MAX - 1 - *len);
	must_be(n >= 0 && *len + n < TEXT_MAX - 1);
	*len += n;
	text[*len] = '\0';
	if (!n) {
		close(fds[i].fd);
		*(i ? &t->err : &t->out) = -1;
	}
	return true;
}

/* Wait until @text is among what the tool has written. */
static inline void tool_await(struct tool *t, const char *text)
{
	while (!strstr(t->out_text, text) && !strstr(t->err_text, text)) {
		if (tool_read(t))
			continue;
		fprintf(stderr, "# the tool has not written: %s\n# but: %s%s\n",
			text, t->out_text, t->err_text);
		_exit(KSFT_FAIL);
	}
}

/* Wait for its end and read all; its exit status, or 128 + the signal. */
static inline int tool_end(struct tool *t)
{
	int status;

	while (tool_read(t))
		;
	must_be(waitpid(t->pid, &status, 0) == t->pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Both, and nothing in between. */
#define tool_run(t, uid, ...) ({					\
	struct tool *run_tool = (t);					\
									\
	tool_start(run_tool, uid, __VA_ARGS__);				\
	tool_end(run_tool);						\
})

/* End it as its user does. */
static inline int tool_interrupt(struct tool *t)
{
	must_be(!kill(t->pid, SIGINT));
	return tool_end(t);
}

/* How often @text is in @where. */
static inline unsigned int count(const char *where, const char *text)
{
	unsigned int n = 0;

	for (; (where = strstr(where, text)); where += strlen(text))
		n++;
	return n;
}

#define lines(text)	count(text, "\n")

#define EXPECT_TEXT(where, what) do {					\
	const char *seen_text = (where), *want_text = (what);		\
									\
	EXPECT_NE(NULL, strstr(seen_text, want_text))			\
		TH_LOG("no \"%s\" in:\n%.4000s", want_text, seen_text);	\
} while (0)

#define EXPECT_NO_TEXT(where, what) do {				\
	const char *seen_text = (where), *bad_text = (what);		\
									\
	EXPECT_EQ(NULL, strstr(seen_text, bad_text))			\
		TH_LOG("\"%s\" in:\n%.4000s", bad_text, seen_text);		\
} while (0)

/* A number before @text, which must be there. */
static inline unsigned long long number_before(const char *where, const char *text)
{
	const char *end = strstr(where, text), *p = end;

	must_be(end);
	while (p > where && p[-1] >= '0' && p[-1] <= '9')
		p--;
	must_be(p < end);
	return strtoull(p, NULL, 10);
}

/*
 * A process to trace. It does what it is told, and then gives a sign.
 */
enum order {
	END,
	TICK,		/* record "tick" with the order's data */
	TICK_MANY,	/* record "tick" 20000 times with 8 bytes */
	TICK_IN_THREAD,	/* record "tick" in another thread */
	OPEN_NOTHING,	/* open() a file that does not exist */
	GET_PPID,	/* getppid() */
	RAISE,		/* handle SIGUSR1, which it sends to itself */
	TOUCH,		/* write to memory that is not there yet */
	FORK_TICK,	/* record "tick" with the data in a child, which exits(3) */
	LEADER_ENDS,	/* end the first thread; another takes its place */
	HIDE,		/* be no longer dumpable */
};

#define MANY	20000

struct order_msg {
	enum order what;
	char data[60];
};

static inline void order(struct child *c, enum order what, const char *data)
{
	struct order_msg msg = { .what = what };

	snprintf(msg.data, sizeof(msg.data), "%s", data);
	put(c, &msg, sizeof(msg));
	if (what != END)
		await(c);
}

static inline void *tick(void *arg)
{
	posix_trace_event(open_event("tick"), arg, strlen(arg));
	return NULL;
}

static inline void tick_in_thread(char *data)
{
	pthread_t thread;

	must(pthread_create(&thread, NULL, tick, data));
	must(pthread_join(thread, NULL));
}

static inline void be_signalled(int sig)
{
}

static inline void touch(void)
{
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must_be(page != MAP_FAILED);
	__atomic_store_n(page, 1, __ATOMIC_RELAXED);
	munmap(page, 4096);
}

static inline void fork_tick(char *data)
{
	int status;
	pid_t pid = fork();

	must_be(pid >= 0);
	if (!pid) {
		tick(data);
		_exit(3);
	}
	must_be(waitpid(pid, &status, 0) == pid && WEXITSTATUS(status) == 3);
}

static inline int obey(const struct child *c, void *arg);

static inline void *obey_on(void *arg)
{
	struct child c = *(const struct child *)arg;

	must_be(syscall(SYS_gettid) != getpid());
	hand(&c);
	_exit(obey(&c, NULL));
}

static inline void do_order(const struct child *c, struct order_msg *msg)
{
	trace_event_id_t id = open_event("tick");
	pthread_t thread;
	unsigned int i;

	switch (msg->what) {
	case TICK:
		posix_trace_event(id, msg->data, strlen(msg->data));
		break;
	case TICK_MANY:
		for (i = 0; i < MANY; i++)
			posix_trace_event(id, "12345678", 8);
		break;
	case TICK_IN_THREAD:
		tick_in_thread(msg->data);
		break;
	case OPEN_NOTHING:
		must_be(open("/does/not/exist", O_RDONLY) < 0);
		break;
	case GET_PPID:
		syscall(SYS_getppid);
		break;
	case RAISE:
		must_be(signal(SIGUSR1, be_signalled) != SIG_ERR);
		must_be(!raise(SIGUSR1));
		break;
	case TOUCH:
		touch();
		break;
	case FORK_TICK:
		fork_tick(msg->data);
		break;
	case LEADER_ENDS:
		must(pthread_create(&thread, NULL, obey_on, (void *)c));
		syscall(SYS_exit, 0);
		break;
	case HIDE:
		must_be(!prctl(PR_SET_DUMPABLE, 0));
		break;
	case END:
		break;
	}
}

static inline int obey(const struct child *c, void *arg)
{
	struct order_msg msg;

	for (;;) {
		/* It also ends with the test. */
		if (read(c->in, &msg, sizeof(msg)) != sizeof(msg) ||
		    msg.what == END)
			return 0;
		do_order(c, &msg);
		hand(c);
	}
}

static inline int be_target(const struct child *c, void *arg)
{
	must(become_user(*(uid_t *)arg));
	open_event("tick");
	hand(c);
	return obey(c, arg);
}

static inline void target_start(struct child *c, uid_t uid)
{
	child_start(c, be_target, &uid);
	await(c);
}

static inline struct tool *setup(struct child *target)
{
	struct tool *t = malloc(sizeof(*t));

	must_be(t);
	find_tool();
	target_start(target, ALICE);
	return t;
}

static inline void write_file(const char *path, const char *text, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);

	must_be(fd >= 0);
	must_be(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

/* The first of @texts, up to NULL, that is not in @where; NULL: all are. */
static inline const char *missing(const char *where, const char *const *texts)
{
	while (*texts && strstr(where, *texts))
		texts++;
	return *texts;
}

/* Characters of the longest line. */
static inline size_t longest_line(const char *text)
{
	size_t max = 0, len;

	for (; *text; text += len + !!text[len]) {
		len = strcspn(text, "\n");
		if (len > max)
			max = len;
	}
	return max;
}

#endif /* TOOL_TEST_H */
