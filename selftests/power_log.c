// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run by vm/powercut, in a VM whose power fails:
 *
 * power_log write FILE append|loop	write a log, until that happens. "synced
 *					N": event N is in the log and on disk
 * power_log check FILE N		is it there, with all before it?
 */
#include "withlog_test.h"

#define BATCH	50	/* events between two looks at the time */

static int write_log(const char *path, const char *policy)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	trace_event_id_t u = open_event("u");
	unsigned int n = 0, round;
	trace_attr_t attr;
	trace_id_t trid;

	must_be(fd >= 0);
	log_attr(&attr, POSIX_TRACE_FLUSH, 4 * BATCH,
		 strcmp(policy, "loop") ? POSIX_TRACE_APPEND : POSIX_TRACE_LOOP,
		 128 * 1024);
	trid = running_log(&attr, fd);
	for (round = 1;; round++) {
		record_nums(u, n + 1, n + BATCH);
		n += BATCH;
		/* What the stream flushes by itself is not synced. */
		pause_ms(5);
		if (round % 32)
			continue;
		must(posix_trace_flush(trid));
		must_be(!fdatasync(fd));
		printf("synced %u\n", n);
		fflush(stdout);
	}
}

/* As far as @number there are no holes but those that were told. */
static bool has_all(trace_id_t log, unsigned int number, unsigned int *last)
{
	bool told = true;
	struct ev ev;
	char letter;

	*last = 0;
	while (log_next(log, &ev)) {
		letter = letter_of(&ev);
		if (letter == 'O')
			told = true;
		if (letter != 'u')
			continue;
		if (ev_num(&ev) != *last + 1 && !told && *last < number) {
			printf("hole between %u and %u\n", *last, ev_num(&ev));
			return false;
		}
		*last = ev_num(&ev);
		told = false;
	}
	return *last >= number;
}

static int check_log(const char *path, unsigned int number)
{
	struct posix_trace_log_info_np info;
	unsigned int last;
	trace_id_t log;
	bool ok;
	int err;

	err = posix_trace_open(open(path, O_RDONLY), &log);
	if (err) {
		printf("the log is not opened: %s\n", strerror(err));
		return 1;
	}
	ok = has_all(log, number, &last);
	must(posix_trace_get_log_info_np(log, &info));
	printf("%s %u of %u synced, finished %d, damaged %llu, missing %llu\n",
	       ok ? "checked" : "failed", last, number, info.posix_finished,
	       (unsigned long long)info.posix_damaged,
	       (unsigned long long)info.posix_missing);
	fflush(stdout);
	return !ok || info.posix_finished;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "write"))
		return write_log(argv[2], argv[3]);
	if (argc == 4 && !strcmp(argv[1], "check"))
		return check_log(argv[2], atoi(argv[3]));
	return 2;
}
