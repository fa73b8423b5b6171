// SPDX-License-Identifier: GPL-2.0-only
/*
 * One and two at once, see pair.h.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure.h"
#include "pair.h"

#define TIMES	20000

static pthread_barrier_t both;
static void (*what)(void);

/* When a thread began and ended: it alone knows. */
struct span {
	long begin;
	long end;
};

static void *work(void *arg)
{
	struct span *span = arg;

	pthread_barrier_wait(&both);
	span->begin = now(CLOCK_MONOTONIC);
	repeat(what, CLOCK_MONOTONIC, TIMES);
	span->end = now(CLOCK_MONOTONIC);
	return NULL;
}

static double rate_once(int threads)
{
	pthread_t thread[2];
	struct span span[2], all;
	int i;

	check(pthread_barrier_init(&both, NULL, threads), "barrier");
	for (i = 0; i < threads; i++)
		check(pthread_create(&thread[i], NULL, work, &span[i]),
		      "thread");
	for (i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	pthread_barrier_destroy(&both);
	all = span[0];
	for (i = 1; i < threads; i++) {
		if (span[i].begin < all.begin)
			all.begin = span[i].begin;
		if (span[i].end > all.end)
			all.end = span[i].end;
	}
	return threads * TIMES * 1e9 / (all.end - all.begin);
}

static int by_rate(const void *a, const void *b)
{
	return *(const double *)a < *(const double *)b ? -1 : 1;
}

double rate(void (*operation)(void), int threads)
{
	double rates[RUNS];
	int i;

	what = operation;
	for (i = 0; i < RUNS; i++)
		rates[i] = rate_once(threads);
	qsort(rates, RUNS, sizeof(*rates), by_rate);
	return rates[RUNS / 2];
}

void print_ratio(const char *name, double one, double two)
{
	printf("%-40s %9.0f/s %9.0f/s  %.2f\n", name, one, two, two / one);
	fflush(stdout);
}

double print_pair(const char *name, void (*operation)(void))
{
	double one = rate(operation, 1), two = rate(operation, 2);

	print_ratio(name, one, two);
	return two / one;
}
