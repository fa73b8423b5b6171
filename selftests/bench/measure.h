/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Measuring, and the table of what was measured.
 *
 * Meant for ../vm/run -i, where the clocks advance by one nanosecond for each
 * instruction. A row is the median of 5 runs, per operation.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdbool.h>
#include <time.h>

#define RUNS	5

/* What a row has to keep: at most so much, else bench fails. */
enum bound { NONE, LIMIT };

void check(int err, const char *what);
long now(clockid_t clock);

long median_of(long *cost);
long row(const char *name, long *cost, enum bound bound, long most);
long repeat(void (*operation)(void), clockid_t clock, int times);
long measure(const char *name, void (*operation)(void), enum bound bound,
	     long most);

/* The rows are printed by this. Returns false if one is above its limit. */
bool print_table(bool json);

#endif /* BENCH_MEASURE_H */
