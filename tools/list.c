// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "diag.h"
#include "list.h"
#include "nlclient.h"
#include "opt.h"
#include "output.h"
#include "signals.h"
#include "streamshow.h"
#include "streamtable.h"

#define COMMAND		"list"
#define DELAY_DEFAULT	{ .tv_sec = 2 }

/* Cursor home, erase all. */
#define CLEAR		"\033[H\033[2J"

static const char usage[] =
	"Usage: posixtrace list [OPTION]...\n"
	"\n"
	"Lists trace streams: yours, with CAP_SYS_PTRACE those of all users.\n"
	"\n"
	"  -w, --watch          again and again, the fastest stream first, with events\n"
	"                       per second; ends with Ctrl-C\n"
	"  -i, --interval SECONDS  time between two lists; default: 2\n"
	"  -n, --count N        with -w: end after N lists\n"
	"  -j, --json           one JSON object for each list\n"
	"  -h, --help           show this text\n"
	"\n"
	"STREAM  number of the stream, never given out again\n"
	"OWNER   process that made it\n"
	"TARGET  process that it was made for; -: it is not traced any more\n"
	"USER    of the owner\n"
	"DOES    run; stop; full: it waits for room, in the stream or its log\n"
	"EVENTS  recorded\n"
	"LOST    no room for them, or overwritten by newer ones\n"
	"NAME    in quotes if it is not one plain word; ~: cut\n"
	"\n"
	"Exit status: 0; 1 after an error; 2 for a wrong command line.\n";

/**
 * struct list - lists, one after the other
 * @watch: more than one
 * @json: as JSON
 * @count: how many; 0: no limit
 * @interval: between them
 * @client: where they come from
 * @now: the list
 * @before: the one before
 * @asked: when @now was got, seconds
 * @out: where they go
 * @signal_fd: readable when it is to end
 * @screen: that is a terminal, which is cleared for each
 */
struct list {
	bool watch;
	bool json;
	__u64 count;
	struct timespec interval;
	struct nlclient client;
	struct nlstreams now;
	struct nlstreams before;
	double asked;
	struct output out;
	int signal_fd;
	bool screen;
};

/* Return: -1 to go on, or the exit status. */
static int parse_option(int c, struct list *l)
{
	char *end;

	switch (c) {
	case 'w':
		l->watch = true;
		return -1;
	case 'i':
		return opt_duration(COMMAND, "-i", optarg, &l->interval);
	case 'n':
		if (!opt_number(optarg, 1, ~0ULL, &l->count, &end) || *end)
			return opt_bad_value(COMMAND, "-n", optarg,
					     "a number of lists, at least 1");
		return -1;
	case 'j':
		l->json = true;
		return -1;
	case 'h':
		fputs(usage, stdout);
		return TOOL_OK;
	default:
		return -1;
	}
}

static int parse(int argc, char **argv, struct list *l)
{
	static const struct option options[] = {
		{ "watch", no_argument, NULL, 'w' },
		{ "interval", required_argument, NULL, 'i' },
		{ "count", required_argument, NULL, 'n' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c, status;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":wi:n:jh", options, NULL)) != -1) {
		status = c == ':' || c == '?' ? opt_bad(COMMAND, c, argv) :
						parse_option(c, l);
		if (status >= 0)
			return status;
	}
	return opt_end(COMMAND, argc, argv);
}

static double seconds_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void put_json(struct list *l, const struct streamrate *rates)
{
	struct json j = { .out = l->out.file };
	size_t i;

	json_open(&j, '{');
	json_key(&j, "streams");
	json_open(&j, '[');
	for (i = 0; i < l->now.nr; i++) {
		json_open(&j, '{');
		streamshow_json_all(&j, rates[i].stream);
		if (rates[i].known) {
			json_key(&j, "recorded_per_second");
			json_unsigned(&j, rates[i].events);
			json_key(&j, "lost_per_second");
			json_unsigned(&j, rates[i].lost);
		}
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
	putc('\n', l->out.file);
}

/* Lines for streams on the terminal. */
static size_t lines(const struct list *l)
{
	struct winsize size;

	if (!l->screen || ioctl(l->out.fd, TIOCGWINSZ, &size) ||
	    size.ws_row < 4)
		return ~0UL;
	return size.ws_row - 2;
}

static int put(struct list *l, double seconds)
{
	struct streamrate *rates;
	int err;

	rates = streamtable_rates(&l->now, &l->before, seconds);
	if (!rates)
		return ENOMEM;
	if (l->json) {
		put_json(l, rates);
	} else if (!l->watch) {
		streamtable_put(l->out.file, &l->now);
	} else {
		fputs(l->screen ? CLEAR : "", l->out.file);
		streamtable_put_rates(l->out.file, rates, l->now.nr, lines(l));
		fputs(l->screen ? "" : "\n", l->out.file);
	}
	err = output_flush(&l->out);
	free(rates);
	return err;
}

/* Return: true when it is time for the next list, false to end. */
static bool wait_interval(const struct list *l)
{
	struct pollfd fds[] = {
		{ .fd = l->signal_fd, .events = POLLIN },
		{ .fd = l->out.fd },	/* POLLERR: nobody reads any more */
	};

	return !ppoll(fds, ARRAY_SIZE(fds), &l->interval, NULL);
}

/* Return: exit status. */
static int next(struct list *l, bool *end)
{
	const struct nlstreams spare = l->before;
	double before = l->asked;
	int err;

	l->before = l->now;
	l->now = spare;
	if (!nlclient_list(&l->client, &l->now))
		return TOOL_ERROR;
	l->asked = seconds_now();
	err = put(l, l->asked - before);
	*end = err || !l->watch || (l->count && !--l->count);
	if (!err || err == EPIPE || err == EINTR)
		return TOOL_OK;
	diag("cannot write: %s", strerror(err));
	return TOOL_ERROR;
}

static int run(struct list *l)
{
	bool end = false;
	int status;

	do
		status = next(l, &end);
	while (status == TOOL_OK && !end && wait_interval(l));
	return status;
}

static int show(struct list *l)
{
	int status = TOOL_ERROR;

	l->signal_fd = signals_take(NULL);
	if (l->signal_fd < 0)
		return TOOL_ERROR;
	if (!output_init(&l->out, STDOUT_FILENO, l->signal_fd))
		return TOOL_ERROR;
	l->screen = l->watch && !l->json && isatty(l->out.fd);
	if (nlclient_open(&l->client)) {
		status = run(l);
		nlclient_close(&l->client);
	}
	nlstreams_free(&l->now);
	nlstreams_free(&l->before);
	output_destroy(&l->out);
	return status;
}

int list_main(int argc, char **argv)
{
	struct list l = { .interval = DELAY_DEFAULT };
	int status = parse(argc, argv, &l);

	return status >= 0 ? status : show(&l);
}
