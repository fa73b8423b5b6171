/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A line on a terminal that tells how far a recording is
 *
 *	123456 events, 4.5 MiB written, 0 lost
 *
 * It is drawn over itself.
 */
#ifndef POSIXTRACE_PROGRESS_H
#define POSIXTRACE_PROGRESS_H

#include <stdbool.h>
#include <trace.h>

/**
 * struct progress - the line
 * @fd: the terminal; -1: there is none
 * @text: what is there now
 */
struct progress {
	int fd;
	char text[120];
};

void progress_init(struct progress *p, bool wanted);
void progress_show(struct progress *p,
		   const struct posix_trace_counters_np *n);

/* Before something else is written there. */
void progress_clear(struct progress *p);

#endif /* POSIXTRACE_PROGRESS_H */
