/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows of the table, by what they are about. Each function adds its rows.
 */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

/* peers.c: what else there is */
long peer_getppid(void);
long peer_ftrace_of(int pid);
void peers(const char *lttng);
int getppid_under_strace(void);

/* process.c: what processes pay for our being there */
struct plain {
	long getppid;
	long fork;
	long ftrace;	/* getppid, ftrace has another's system calls */
};

void before_module(struct plain *plain);
void with_module(const struct plain *plain);
void traced_process(void);

/* stream.c: what we do */
void streams(void);

void getppid_call(void);

#endif /* BENCH_ROWS_H */
