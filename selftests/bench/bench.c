// SPDX-License-Identifier: GPL-2.0-only
/*
 * What operations cost, in guest instructions: see measure.h, and run.
 *
 * bench [--json] LTTNG	LTTNG: the program of lttng.c
 *
 * The module is loaded in the middle, so that there is something to compare
 * with. The exit status is not 0 if a row is above its limit.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "measure.h"
#include "rows.h"

int main(int argc, char **argv)
{
	bool json = argc > 1 && !strcmp(argv[1], "--json");
	struct plain plain;

	if (argc > 1 && !strcmp(argv[1], "--under-strace"))
		return getppid_under_strace();
	if (argc != 2 + json) {
		fprintf(stderr, "usage: bench [--json] LTTNG\n");
		return 2;
	}
	before_module(&plain);
	with_module(&plain);
	streams();
	traced_process();
	/* Last: daemons stay. */
	peers(argv[1 + json]);
	return !print_table(json);
}
