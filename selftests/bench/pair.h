/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Throughput of one and of two at once. Only ratios mean something: the VM is
 * emulated.
 */
#ifndef BENCH_PAIR_H
#define BENCH_PAIR_H

/* How often per second @operation is done, by @threads threads together. */
double rate(void (*operation)(void), int threads);

/* One line: one thread, two threads, the ratio of these, which is returned. */
double print_pair(const char *name, void (*operation)(void));
void print_ratio(const char *name, double one, double two);

#endif /* BENCH_PAIR_H */
