// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measuring, see measure.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

#define OPERATIONS	2000

struct result {
	const char *name;
	long cost;
	enum bound bound;
	long most;
};

static struct result results[64];
static int nr;

void check(int err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "bench: %s: %s\n", what, strerror(err));
	exit(1);
}

long now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	return *(const long *)a < *(const long *)b ? -1 : 1;
}

/* Sorts @cost, RUNS of them. */
long median_of(long *cost)
{
	qsort(cost, RUNS, sizeof(*cost), by_value);
	return cost[RUNS / 2];
}

/* Add a row, of RUNS values. Returns the median. */
long row(const char *name, long *cost, enum bound bound, long most)
{
	results[nr] = (struct result){ name, median_of(cost), bound, most };
	return results[nr++].cost;
}

/* What one @operation costs, of @times that are done. */
long repeat(void (*operation)(void), clockid_t clock, int times)
{
	long start = now(clock);
	int i;

	for (i = 0; i < times; i++)
		operation();
	return (now(clock) - start) / times;
}

static void nothing(void)
{
	asm volatile("");
}

/* What the loop and the call of a function cost is not counted. */
long measure(const char *name, void (*operation)(void), enum bound bound,
	     long most)
{
	long cost[RUNS], loop[RUNS];
	int run;

	for (run = 0; run < RUNS; run++)
		loop[run] = repeat(nothing, CLOCK_MONOTONIC, OPERATIONS);
	for (run = 0; run < RUNS; run++)
		cost[run] = repeat(operation, CLOCK_MONOTONIC, OPERATIONS) -
			    median_of(loop);
	return row(name, cost, bound, most);
}

static void print_row(const struct result *r)
{
	printf("%-48s %9ld", r->name, r->cost);
	if (r->bound == LIMIT)
		printf("  at most %ld", r->most);
	putchar('\n');
}

static void print_json_row(const struct result *r, bool last)
{
	printf("  {\"name\": \"%s\", \"instructions\": %ld", r->name, r->cost);
	if (r->bound == LIMIT)
		printf(", \"limit\": %ld", r->most);
	printf("}%s\n", last ? "" : ",");
}

bool print_table(bool json)
{
	bool good = true;
	int i;

	if (json)
		puts("[");
	else
		printf("%-48s %9s\n", "operation", "instructions");
	for (i = 0; i < nr; i++) {
		if (json)
			print_json_row(&results[i], i == nr - 1);
		else
			print_row(&results[i]);
	}
	if (json)
		puts("]");
	for (i = 0; i < nr; i++) {
		if (results[i].bound != LIMIT || results[i].cost <= results[i].most)
			continue;
		fprintf(stderr, "bench: too much: %s: %ld, at most %ld\n",
			results[i].name, results[i].cost, results[i].most);
		good = false;
	}
	return good;
}
