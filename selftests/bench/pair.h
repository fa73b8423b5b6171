/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Throughput of one and of two at once. Only ratios mean something: the VM is
 * emulated.
 */
#ifndef BENCH_PAIR_H
#define BENCH_PAIR_H

/**
 * struct pair - what one does, and two do together
 * @name: of the line
 * @operation: what is done many times
 * @prepare: NULL: by threads of this process; else by processes of their own,
 *	each of which prepares itself with that
 */
struct pair {
	const char *name;
	void (*operation)(void);
	void (*prepare)(void);
};

/* How often per second it is done by one, or by two, in the middle of RUNS. */
double rate(const struct pair *pair, int nr);

void print_ratio(const char *name, double one, double two, double ratio);

/* One line: one, two, and the ratio, which is returned. */
double print_pair(const struct pair *pair);

#endif /* BENCH_PAIR_H */
