/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tests of streams with a log need: files, streams that write to them, and
 * what is in a log, told in a few letters.
 */
#ifndef WITHLOG_TEST_H
#define WITHLOG_TEST_H

#include "trace_test.h"

#include <linux/posixtrace.h>
#include <sys/stat.h>

/* Where files of tests go. */
#define LOG_FOLDER	"/tmp"

/* An empty file without a name, open for reading and writing. */
static inline int log_file(void)
{
	char path[] = LOG_FOLDER "/posixtrace-log.XXXXXX";
	int fd = mkostemp(path, O_CLOEXEC);

	must_be(fd >= 0 && !unlink(path));
	return fd;
}

/* The same file through a descriptor of its own, as open() would give it. */
static inline int reopen(int fd, int flags)
{
	char path[32];
	int again;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	again = open(path, flags | O_CLOEXEC);
	must_be(again >= 0);
	return again;
}

static inline off_t file_size(int fd)
{
	struct stat st;

	must_be(!fstat(fd, &st));
	return st.st_size;
}

/* Fill @size bytes of @fd from its beginning on with letters. */
static inline void write_letters(int fd, off_t size)
{
	char letters[4096];
	off_t at;

	for (at = 0; at < size; at += sizeof(letters)) {
		memset(letters, 'a' + at / sizeof(letters) % 26,
		       sizeof(letters));
		must_be(pwrite(fd, letters, sizeof(letters), at) ==
			sizeof(letters));
	}
}

static inline bool has_only_letters(int fd, off_t size)
{
	char letters[4096];
	size_t i;
	off_t at;

	if (file_size(fd) != size)
		return false;
	for (at = 0; at < size; at += sizeof(letters)) {
		must_be(pread(fd, letters, sizeof(letters), at) ==
			sizeof(letters));
		for (i = 0; i < sizeof(letters); i++)
			if (letters[i] != (char)('a' + at / sizeof(letters) % 26))
				return false;
	}
	return true;
}

/*
 * Streams
 */

/*
 * As small_attr(), for a stream with a log of @log_size bytes. Policies of 0 and
 * a size of 0: leave the default.
 */
static inline void log_attr(trace_attr_t *attr, int policy, size_t n,
			    int log_policy, size_t log_size)
{
	small_attr(attr, policy, n, sizeof(unsigned int));
	if (log_policy)
		must(posix_trace_attr_setlogfullpolicy(attr, log_policy));
	if (log_size)
		must(posix_trace_attr_setlogsize(attr, log_size));
}

static inline trace_id_t log_stream_on(pid_t pid, const trace_attr_t *attr,
				       int fd)
{
	trace_id_t trid;

	must(posix_trace_create_withlog(pid, attr, fd, &trid));
	return trid;
}

static inline trace_id_t log_stream(const trace_attr_t *attr, int fd)
{
	return log_stream_on(0, attr, fd);
}

/* The same, started. */
static inline trace_id_t running_log(const trace_attr_t *attr, int fd)
{
	trace_id_t trid = log_stream(attr, fd);

	must(posix_trace_start(trid));
	return trid;
}

/* Room that a user event with a number as data takes. */
static inline size_t num_size(void)
{
	trace_attr_t attr;
	size_t size;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_getmaxusereventsize(&attr, sizeof(unsigned int),
						  &size));
	return size;
}

/* Record @id with the numbers @first to @last. */
static inline void record_nums(trace_event_id_t id, unsigned int first,
			       unsigned int last)
{
	unsigned int i;

	for (i = first; i <= last; i++)
		record_num(id, i);
}

/* The same, with a flush after every @every events, which loses none. */
static inline void record_and_flush(trace_id_t trid, trace_event_id_t id,
				    unsigned int first, unsigned int last,
				    unsigned int every)
{
	unsigned int i;

	for (i = first; i <= last; i++) {
		record_num(id, i);
		if (!((i - first + 1) % every))
			must(posix_trace_flush(trid));
	}
}

/* Wait until the stream has flushed something, which nobody asked for. */
static inline bool flushed_by_itself(trace_id_t trid)
{
	struct posix_trace_counters_np counters;

	return wait_until(({
		must(posix_trace_get_counters_np(trid, &counters));
		counters.posix_flushed;
	}));
}

/* Log part of the status; reading it resets the overrun and the error. */
#define EXPECT_LOG_STATUS(full, overrun, error, trid) do {		\
	struct posix_trace_status_info seen_st = status_of(trid);	\
									\
	EXPECT_EQ(full, seen_st.posix_log_full_status);			\
	EXPECT_EQ(overrun, seen_st.posix_log_overrun_status);		\
	EXPECT_EQ(error, seen_st.posix_stream_flush_error);		\
} while (0)

/*
 * Logs
 */

static inline trace_id_t opened(int fd)
{
	trace_id_t trid;

	must(posix_trace_open(fd, &trid));
	return trid;
}

/* The next event of a log; false at its end. */
static inline bool log_next(trace_id_t trid, struct ev *ev)
{
	must(ev_next(trid, ev));
	return !ev->unavailable;
}

static inline bool log_find(trace_id_t trid, trace_event_id_t id,
			    struct ev *ev)
{
	while (log_next(trid, ev))
		if (ev->info.posix_event_id == id)
			return true;
	return false;
}

/*
 * What is in a log. The letters of @story are the events: S START, T STOP with
 * data 0, X STOP with other data, F FILTER, O OVERFLOW, R RESUME, f FLUSH_START,
 * g FLUSH_STOP, E ERROR, u user events, however many in a row, ? others.
 */
struct contents {
	char story[2048];
	unsigned int first;	/* numbers of user events, if there are any */
	unsigned int last;
	unsigned int users;
	unsigned int holes;	/* between their numbers */
	bool in_order;		/* numbers and time stamps only grow */
	size_t events;
	size_t bytes;		/* that they take, those without data 0 */
	struct posix_trace_log_info_np info;
	struct posix_trace_status_info status;
};

static inline char letter_of(const struct ev *ev)
{
	switch (ev->info.posix_event_id) {
	case POSIX_TRACE_ERROR:
		return 'E';
	case POSIX_TRACE_START:
		return 'S';
	case POSIX_TRACE_STOP:
		return ev_int(ev) ? 'X' : 'T';
	case POSIX_TRACE_FILTER:
		return 'F';
	case POSIX_TRACE_OVERFLOW:
		return 'O';
	case POSIX_TRACE_RESUME:
		return 'R';
	case POSIX_TRACE_FLUSH_START:
		return 'f';
	case POSIX_TRACE_FLUSH_STOP:
		return 'g';
	default:
		return 'u';
	}
}

static inline void add_letter(struct contents *c, char letter)
{
	size_t len = strlen(c->story);

	if (letter == 'u' && len && c->story[len - 1] == 'u')
		return;
	if (len < sizeof(c->story) - 1)
		c->story[len] = letter;
}

static inline void add_number(struct contents *c, unsigned int n)
{
	if (!c->users++)
		c->first = n;
	else if (n <= c->last)
		c->in_order = false;
	else if (n != c->last + 1)
		c->holes++;
	c->last = n;
}

static inline struct contents contents_of_open(trace_id_t trid)
{
	struct contents c = { .in_order = true };
	struct timespec time = {};
	struct ev ev;
	char letter;

	while (log_next(trid, &ev)) {
		letter = letter_of(&ev);
		add_letter(&c, letter);
		if (letter == 'u')
			add_number(&c, ev_num(&ev));
		if (ts_cmp(ev.info.posix_timestamp, time) < 0)
			c.in_order = false;
		time = ev.info.posix_timestamp;
		c.events++;
		c.bytes += POSIXTRACE_RECORD_SIZE(ev.len);
	}
	must(posix_trace_get_log_info_np(trid, &c.info));
	c.status = status_of(trid);
	return c;
}

static inline struct contents contents_of(int fd)
{
	trace_id_t trid = opened(fd);
	struct contents c = contents_of_open(trid);

	must(posix_trace_close(trid));
	return c;
}

/* Shut @trid down, then look into its log. */
static inline struct contents contents_after(trace_id_t trid, int fd)
{
	must(posix_trace_shutdown(trid));
	return contents_of(fd);
}

/* Without FLUSH_START and FLUSH_STOP; user events in between are one run. */
static inline const char *without_flushes(struct contents *c)
{
	char story[sizeof(c->story)];
	const char *from;

	memcpy(story, c->story, sizeof(story));
	memset(c->story, 0, sizeof(c->story));
	for (from = story; *from; from++)
		if (*from != 'f' && *from != 'g')
			add_letter(c, *from);
	return c->story;
}

/* The log has the user events @from to @to, whole and in order. */
#define EXPECT_NUMBERS(from, to, c) do {				\
	const struct contents *seen_c = &(c);				\
									\
	EXPECT_EQ(from, seen_c->first);					\
	EXPECT_EQ(to, seen_c->last);					\
	EXPECT_EQ(0, seen_c->holes);					\
	EXPECT_TRUE(seen_c->in_order);					\
	EXPECT_EQ(0, seen_c->info.posix_damaged);			\
	EXPECT_EQ(0, seen_c->info.posix_missing);			\
} while (0)

#endif /* WITHLOG_TEST_H */
