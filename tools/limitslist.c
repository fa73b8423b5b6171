// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <linux/posixtrace.h>

#include "diag.h"
#include "json.h"
#include "limitslist.h"
#include "opt.h"
#include "size.h"

#define COMMAND	"limits"
#define DEVICE	"/dev/posixtrace"

static const char usage[] =
	"Usage: posixtrace limits [OPTION]...\n"
	"\n"
	"Tells how many streams there are and may be, how much memory those of a user\n"
	"may take, and how long names and data may be.\n"
	"\n"
	"  -j, --json   as one JSON object\n"
	"  -h, --help   show this text\n"
	"\n"
	"Root changes sys_max and user_quota in /sys/module/posixtrace/parameters.\n"
	"\n"
	"Exit status: 0; 1 after an error; 2 for a wrong command line.\n";

/**
 * struct limit - a number
 * @key: in JSON
 * @label: in the text
 * @value: it
 * @bytes: it is a number of bytes
 */
struct limit {
	const char *key;
	const char *label;
	__u64 value;
	bool bytes;
};

static int parse(int argc, char **argv, bool *json)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":jh", options, NULL)) != -1) {
		switch (c) {
		case 'j':
			*json = true;
			break;
		case 'h':
			fputs(usage, stdout);
			return TOOL_OK;
		default:
			return opt_bad(COMMAND, c, argv);
		}
	}
	return opt_end(COMMAND, argc, argv);
}

/* Return: 0 or an error number. */
static int ask(struct posixtrace_limits *limits)
{
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC), err;

	if (fd < 0)
		return errno == ENOENT || errno == ENODEV || errno == ENXIO ?
		       ENOSYS : errno;
	err = ioctl(fd, POSIXTRACE_IOC_LIMITS, limits) ? errno : 0;
	close(fd);
	return err;
}

static void put_text(const struct limit *l)
{
	char size[SIZE_TEXT_MAX];

	printf("%-28s %llu", l->label, l->value);
	if (l->bytes && !l->value)
		printf(" (no limit)");
	else if (l->bytes && l->value >= 1024)
		printf(" bytes (%s)", size_text(size, l->value));
	else if (l->bytes)
		printf(" bytes");
	putchar('\n');
}

static void put(const struct limit *l, size_t nr, bool json)
{
	struct json j = { .out = stdout };

	if (!json) {
		for (; nr--; l++)
			put_text(l);
		return;
	}
	json_open(&j, '{');
	for (; nr--; l++) {
		json_key(&j, l->key);
		json_unsigned(&j, l->value);
	}
	json_close(&j, '}');
	putchar('\n');
}

static int show(const struct posixtrace_limits *limits, bool json)
{
	const struct limit list[] = {
		{ "streams", "streams now", limits->streams, false },
		{ "sys_max", "streams at most (sys_max)", limits->sys_max,
		  false },
		{ "user_quota", "stream memory of a user", limits->user_quota,
		  true },
		{ "data_max", "data of an event", POSIXTRACE_DATA_MAX, true },
		{ "event_name_max", "name of an event",
		  POSIXTRACE_EVENT_NAME_MAX, true },
		{ "name_max", "name of a stream", POSIXTRACE_NAME_MAX, true },
		{ "user_event_max", "event types of a program",
		  POSIXTRACE_USER_EVENT_MAX, false },
	};

	put(list, ARRAY_SIZE(list), json);
	if (!fflush(stdout))
		return TOOL_OK;
	diag("cannot write: %s", strerror(errno));
	return TOOL_ERROR;
}

int limits_main(int argc, char **argv)
{
	struct posixtrace_limits limits = { .size = sizeof(limits) };
	bool json = false;
	int status = parse(argc, argv, &json), err;

	if (status >= 0)
		return status;
	err = ask(&limits);
	if (err) {
		diag_limits(err);
		return TOOL_ERROR;
	}
	return show(&limits, json);
}
