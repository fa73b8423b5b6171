// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes logs that are whole, as input for the fuzzer, to the folder given
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "../host/log_writer.h"
#include "log_input.h"

static const struct posixtrace_status status = { .recorded = 1 };

static void put_part(FILE *to, const struct log_writer *w, int area,
		     __u64 base, __u64 at, size_t size)
{
	struct part part = {
		.area = area,
		.at = { (at - base) / 8, (at - base) / 8 >> 8 },
		.size = { size, size >> 8 },
	};

	fwrite(&part, sizeof(part), 1, to);
	fwrite(w->bytes + at, size, 1, to);
}

static size_t size_at(const struct log_writer *w, __u64 at)
{
	const struct posixtrace_log_block *block = (void *)(w->bytes + at);

	return block->magic == POSIXTRACE_LOG_MAGIC ? block->size : 0;
}

static void put_log(const char *folder, const char *name,
		    const struct log_writer *w)
{
	static const __u64 areas[] = {
		0, POSIXTRACE_LOG_END_AT, POSIXTRACE_LOG_NAMES_AT,
		POSIXTRACE_LOG_EVENTS_AT
	};
	char path[4096];
	FILE *to;
	__u64 at;
	int i;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	to = fopen(path, "w");
	if (!to)
		abort();
	for (i = 0; i < 3; i++)
		for (at = areas[i]; size_at(w, at); at += size_at(w, at))
			put_part(to, w, i, areas[i], at, size_at(w, at));
	for (at = 0; at < w->blocks; at++)
		if (w->places[at].offset)
			put_part(to, w, 3, areas[3], w->places[at].offset,
				 w->places[at].size);
	fclose(to);
}

int main(int argc, char **argv)
{
	static const __u32 policies[] = {
		POSIXTRACE_POLICY_LOOP, POSIXTRACE_POLICY_UNTIL_FULL,
		POSIXTRACE_POLICY_APPEND
	};
	struct log_writer *w;
	char name[32];
	int i, k;

	if (argc != 2)
		return 2;
	for (i = 0; i < 3; i++) {
		w = log_begin(policies[i], 600);
		put_log(argv[1], "empty", w);
		log_add_users(w);
		for (k = 1; k < 20; k++)
			log_add(w, k % 5 + 1);
		snprintf(name, sizeof(name), "unfinished-%d", i);
		put_log(argv[1], name, w);
		log_finish(w, &status);
		snprintf(name, sizeof(name), "finished-%d", i);
		put_log(argv[1], name, w);
		free(w);
	}
	return 0;
}
