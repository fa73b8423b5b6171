// SPDX-License-Identifier: GPL-2.0-only
/*
 * One and two at once, see pair.h.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"
#include "pair.h"

#define TIMES	100000

/* When somebody began and ended: he alone knows. */
struct span {
	long begin;
	long end;
};

/* What they share, also if they are processes. */
struct work {
	pthread_barrier_t all;
	int next;
	struct span span[2];
	void (*operation)(void);
};

static struct work *new_work(const struct pair *pair, int nr)
{
	struct work *work = mmap(NULL, sizeof(*work), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_barrierattr_t attr;

	check(work == MAP_FAILED ? errno : 0, "mmap");
	pthread_barrierattr_init(&attr);
	pthread_barrierattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	check(pthread_barrier_init(&work->all, &attr, nr), "barrier");
	work->operation = pair->operation;
	return work;
}

static void *do_work(void *arg)
{
	struct work *work = arg;
	struct span *span = &work->span[__atomic_fetch_add(&work->next, 1,
							   __ATOMIC_RELAXED)];

	pthread_barrier_wait(&work->all);
	span->begin = now(CLOCK_MONOTONIC);
	repeat(work->operation, CLOCK_MONOTONIC, TIMES);
	span->end = now(CLOCK_MONOTONIC);
	return NULL;
}

static void by_threads(struct work *work, int nr)
{
	pthread_t thread[2];
	int i;

	for (i = 0; i < nr; i++)
		check(pthread_create(&thread[i], NULL, do_work, work), "thread");
	for (i = 0; i < nr; i++)
		pthread_join(thread[i], NULL);
}

static void by_processes(struct work *work, int nr, void (*prepare)(void))
{
	int i, status;

	for (i = 0; i < nr; i++) {
		pid_t pid = fork();

		check(pid < 0 ? errno : 0, "fork");
		if (!pid) {
			prepare();
			do_work(work);
			_exit(0);
		}
	}
	while (wait(&status) > 0)
		check(status ? ECHILD : 0, "a process");
}

static double rate_once(const struct pair *pair, int nr)
{
	struct work *work = new_work(pair, nr);
	struct span all;
	int i;

	if (pair->prepare)
		by_processes(work, nr, pair->prepare);
	else
		by_threads(work, nr);
	all = work->span[0];
	for (i = 1; i < nr; i++) {
		if (work->span[i].begin < all.begin)
			all.begin = work->span[i].begin;
		if (work->span[i].end > all.end)
			all.end = work->span[i].end;
	}
	munmap(work, sizeof(*work));
	return nr * TIMES * 1e9 / (all.end - all.begin);
}

static int by_size(const void *a, const void *b)
{
	return *(const double *)a < *(const double *)b ? -1 : 1;
}

static double middle(double *values)
{
	qsort(values, RUNS, sizeof(*values), by_size);
	return values[RUNS / 2];
}

double rate(const struct pair *pair, int nr)
{
	double rates[RUNS];
	int run;

	for (run = 0; run < RUNS; run++)
		rates[run] = rate_once(pair, nr);
	return middle(rates);
}

void print_ratio(const char *name, double one, double two, double ratio)
{
	printf("%-40s %9.0f/s %9.0f/s  %.2f\n", name, one, two, ratio);
	fflush(stdout);
}

/* In turns: what else the machine does changes. */
double print_pair(const struct pair *pair)
{
	double one[RUNS], two[RUNS], ratios[RUNS], ratio;
	int run;

	for (run = 0; run < RUNS; run++) {
		one[run] = rate_once(pair, 1);
		two[run] = rate_once(pair, 2);
		ratios[run] = two[run] / one[run];
	}
	ratio = middle(ratios);
	print_ratio(pair->name, middle(one), middle(two), ratio);
	return ratio;
}
