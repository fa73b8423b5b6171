/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs the tool on logs that no kernel wrote. It is built with ASan and UBSan
 * for that.
 */
#ifndef HOST_TOOL_RUN_H
#define HOST_TOOL_RUN_H

#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../json_check.h"
#include "log_writer.h"

#include "kselftest_harness.h"

#define WORDS_MAX	16

/* In a log of write_whole() */
#define EVENTS		300

/**
 * struct run - a run of the tool
 * @status: its exit status, or 128 + the signal
 * @out: what it wrote to standard output
 * @err: and to standard error
 */
struct run {
	int status;
	char *out;
	char *err;
};

static inline char *read_all(int fd)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *text = malloc(size + 1);

	if (size < 0 || !text || pread(fd, text, size, 0) != size)
		abort();
	text[size] = '\0';
	close(fd);
	return text;
}

static char tool_path[PATH_MAX + 32];

/* The one that is built with ASan, or the one for users. */
static inline void find_tool(const char *name)
{
	char self[PATH_MAX] = "";

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		abort();
	snprintf(tool_path, sizeof(tool_path), "%s/%s", dirname(self), name);
}

/* Bytes of address space that it may have, if not 0; not for one with ASan. */
static rlim_t memory_limit;

/* Bytes of memory of its own likewise. */
static rlim_t data_limit;

static inline void exec_tool(char *const *words)
{
	const struct rlimit limit = { memory_limit, memory_limit };
	const struct rlimit data = { data_limit, data_limit };

	if (memory_limit && setrlimit(RLIMIT_AS, &limit))
		_exit(98);
	if (data_limit && setrlimit(RLIMIT_DATA, &data))
		_exit(98);
	execv(tool_path, words);
	_exit(99);
}

/* With these words after its name, NULL at the end. */
static inline struct run run_words(char *const *words)
{
	int out = memfd_create("out", MFD_CLOEXEC);
	int err = memfd_create("err", MFD_CLOEXEC);
	struct run r;
	pid_t pid;

	pid = fork();
	if (!pid) {
		dup2(out, STDOUT_FILENO);
		dup2(err, STDERR_FILENO);
		exec_tool(words);
	}
	if (out < 0 || err < 0 || waitpid(pid, &r.status, 0) != pid)
		abort();
	r.status = WIFEXITED(r.status) ? WEXITSTATUS(r.status) :
					 128 + WTERMSIG(r.status);
	r.out = read_all(out);
	r.err = read_all(err);
	return r;
}

static inline struct run run(const char *word, ...)
{
	char *words[WORDS_MAX] = { "posixtrace", (char *)word };
	va_list rest;
	int n = 1;

	va_start(rest, word);
	while (words[n]) {
		if (++n == WORDS_MAX)
			abort();
		words[n] = va_arg(rest, char *);
	}
	va_end(rest);
	return run_words(words);
}

static inline void done(struct run *r)
{
	free(r->out);
	free(r->err);
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

FIXTURE(tool_log) {
	struct log_writer *w;
	char path[64];
	struct run r;
};

FIXTURE_SETUP(tool_log)
{
	setenv("TZ", "UTC", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	/* What the library keeps until the process ends would be taken for it. */
	setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
	find_tool("posixtrace");
	self->w = log_begin(POSIXTRACE_POLICY_APPEND, 0);
	snprintf(self->path, sizeof(self->path),
		 "/tmp/posixtrace-log.XXXXXX");
	close(mkstemp(self->path));
	memset(&self->r, 0, sizeof(self->r));
}

FIXTURE_TEARDOWN(tool_log)
{
	unlink(self->path);
	done(&self->r);
	free(self->w);
}

static inline void save_bytes(const char *path, const void *bytes, size_t size)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		abort();
	close(fd);
}

#define save()	save_bytes(self->path, self->w->bytes, self->w->size)

/* Run it anew, and forget what it wrote before. */
#define tool(...) do {							\
	done(&self->r);							\
	self->r = run(__VA_ARGS__, NULL);				\
} while (0)

#define tool_print(...)	tool("print", self->path, ##__VA_ARGS__)
#define tool_info(...)	tool("info", self->path, ##__VA_ARGS__)

static inline void finish(struct log_writer *w)
{
	struct posixtrace_status status = {
		.recorded = w->next + 7,
		.lost = 3,
		.log_lost = 7,
		.truncated = 5,
	};

	log_finish(w, &status);
}

/* A whole log in four blocks. */
static inline void write_whole(struct log_writer *w)
{
	int i;

	log_add_users(w);
	for (i = 0; i < 4; i++)
		log_add_block(w, EVENTS / 4);
	finish(w);
}

/* A block with one event, recorded @ns after 1700000001. */
static inline void add_event(struct log_writer *w, unsigned int id, uint64_t ns,
			     const void *data, size_t size)
{
	union {
		struct posixtrace_record r;
		char bytes[POSIXTRACE_RECORD_SIZE(4096)];
	} u;

	memset(&u, 0, sizeof(u));
	u.r = (struct posixtrace_record){
		.size = POSIXTRACE_RECORD_SIZE(size),
		.data_size = size,
		.event_id = id,
		.pid = 1000,
		.tid = 2000,
		.timestamp = 1700000001000000000 + ns,
	};
	memcpy(&u.r + 1, data, size);
	log_add_data(w, &u, u.r.size, w->next, 1);
}

#endif /* HOST_TOOL_RUN_H */
