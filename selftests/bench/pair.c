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

static void *work(void *arg)
{
	pthread_barrier_wait(&both);
	repeat(what, CLOCK_MONOTONIC, TIMES);
	return arg;
}

static double rate_once(int threads)
{
	pthread_t thread[2];
	long start;
	int i;

	check(pthread_barrier_init(&both, NULL, threads + 1), "barrier");
	for (i = 0; i < threads; i++)
		check(pthread_create(&thread[i], NULL, work, NULL), "thread");
	pthread_barrier_wait(&both);
	start = now(CLOCK_MONOTONIC);
	for (i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	pthread_barrier_destroy(&both);
	return threads * TIMES * 1e9 / (now(CLOCK_MONOTONIC) - start);
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
