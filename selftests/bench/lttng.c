// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an event costs with LTTng-UST: it starts the session daemon, and prints
 * the instructions of one event, a line each: not enabled; enabled; filtered out.
 *
 * "lttng threads": how many events a second one thread records, and two do.
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng_tp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "pair.h"

static char data[16];

static void event(void)
{
	lttng_ust_tracepoint(bench, event, data, sizeof(data));
}

static const struct pair threads = { "LTTng-UST, threads", event, NULL };

static void run(const char *command)
{
	char line[1024];

	snprintf(line, sizeof(line), "%s >/tmp/lttng.log 2>&1", command);
	if (!system(line))
		return;
	fprintf(stderr, "lttng: failed: %s\n", command);
	if (system("cat /tmp/lttng.log >&2"))
		exit(1);
	exit(1);
}

/* A snapshot: nobody is busy with taking events away. */
static void begin(const char *filter)
{
	char command[256];

	run("lttng create bench --snapshot --output=/tmp/lttng");
	run("lttng enable-channel --userspace --overwrite c");
	snprintf(command, sizeof(command),
		 "lttng enable-event --userspace --channel=c bench:event%s",
		 filter);
	run(command);
	run("lttng start");
}

static void end(void)
{
	run("lttng destroy bench");
}

/* CPU time of this thread: there are others, which are not always asleep. */
static void print_cost(void)
{
	long cost[RUNS];
	int i;

	for (i = 0; i < RUNS; i++)
		cost[i] = repeat(event, CLOCK_THREAD_CPUTIME_ID, 10000);
	printf("%ld\n", median_of(cost));
}

int main(int argc, char **argv)
{
	setenv("HOME", "/tmp", 1);
	run("lttng-sessiond --daemonize --no-kernel");
	if (argc > 1 && !strcmp(argv[1], "threads")) {
		begin("");
		print_pair(&threads);
		end();
		return 0;
	}
	print_cost();
	begin("");
	print_cost();
	end();
	begin(" --filter='_data_length == 17'");
	print_cost();
	end();
	return 0;
}
