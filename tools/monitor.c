// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "diag.h"
#include "errnames.h"
#include "monitor.h"
#include "nlclient.h"
#include "opt.h"
#include "output.h"
#include "signals.h"
#include "streamshow.h"

#define COMMAND		"monitor"
#define NSEC_PER_SEC	1000000000ULL

/* Columns for the name of a stream. */
#define NAME_WIDTH	19

/* Messages that are told before signals are looked for. */
#define AT_ONCE		64

/* More than can wait to be read: in a storm they never end. */
#define DRAIN_MAX	(1 << 16)

static const char usage[] =
	"Usage: posixtrace monitor [OPTION]...\n"
	"\n"
	"Tells what happens to trace streams, of all users: one line each time, with\n"
	"what happened, the number of the stream, its owner, its target, its user, its\n"
	"name. Needs CAP_SYS_ADMIN. Ends with Ctrl-C.\n"
	"\n"
	"  -b, --buffer BYTES  room for what was not yet read, also as 64k or 1M\n"
	"  -j, --json          one JSON object per line\n"
	"  -h, --help          show this text\n"
	"\n"
	"created, started, stopped, shut-down: by the owner. full, resumed: by the\n"
	"system, for want of room. flush, flushed: the log is written. target-gone: the\n"
	"process ended, or executed a program that the owner may not trace.\n"
	"\n"
	"When more happened than there was room for, a line says missed, and one for\n"
	"each stream that there is then: present.\n"
	"\n"
	"Exit status: 0; 1 after an error; 2 for a wrong command line.\n";

static const char * const kinds[] = {
	[0] = "present",
	[POSIXTRACE_LIFE_CREATED] = "created",
	[POSIXTRACE_LIFE_STARTED] = "started",
	[POSIXTRACE_LIFE_STOPPED] = "stopped",
	[POSIXTRACE_LIFE_FULL] = "full",
	[POSIXTRACE_LIFE_RESUMED] = "resumed",
	[POSIXTRACE_LIFE_FLUSH_BEGUN] = "flush",
	[POSIXTRACE_LIFE_FLUSH_ENDED] = "flushed",
	[POSIXTRACE_LIFE_TARGET_GONE] = "target-gone",
	[POSIXTRACE_LIFE_SHUT_DOWN] = "shut-down",
};

/**
 * struct monitor - what happens, and where it is told
 * @json: as JSON
 * @room: for messages, bytes; 0: as the system likes
 * @ear: hears what happens
 * @client: has the list of streams
 * @list: that list
 * @signal_fd: readable when it is to end
 * @out: where the lines go
 */
struct monitor {
	bool json;
	size_t room;
	struct nlclient ear;
	struct nlclient client;
	struct nlstreams list;
	int signal_fd;
	struct output out;
};

static int parse(int argc, char **argv, struct monitor *m)
{
	static const struct option options[] = {
		{ "buffer", required_argument, NULL, 'b' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c, status;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":b:jh", options, NULL)) != -1) {
		switch (c) {
		case 'b':
			status = opt_bytes(COMMAND, "-b", optarg, &m->room);
			if (status >= 0)
				return status;
			break;
		case 'j':
			m->json = true;
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

static __u64 realtime(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

/* As "posixtrace live" does. */
static void put_time(FILE *out, __u64 time)
{
	const time_t second = time / NSEC_PER_SEC;
	char text[16] = "?";
	struct tm tm;

	if (localtime_r(&second, &tm))
		strftime(text, sizeof(text), "%H:%M:%S", &tm);
	fprintf(out, "%s.%06llu ", text, time % NSEC_PER_SEC / 1000);
}

static void put_text(FILE *out, const char *kind, const struct nlstream *s,
		     __u64 time)
{
	const __u64 *v = s->value;

	put_time(out, time);
	fprintf(out, "%-11s %6llu %llu ", kind, v[POSIXTRACE_NL_A_STREAM],
		v[POSIXTRACE_NL_A_OWNER]);
	if (v[POSIXTRACE_NL_A_TARGET])
		fprintf(out, "%llu ", v[POSIXTRACE_NL_A_TARGET]);
	else
		fputs("- ", out);
	streamshow_user(out, v[POSIXTRACE_NL_A_UID]);
	putc(' ', out);
	streamshow_name(out, s->name, NAME_WIDTH);
	if (v[POSIXTRACE_NL_A_ERROR])
		fprintf(out, " %s", strerror(v[POSIXTRACE_NL_A_ERROR]));
	putc('\n', out);
}

static void begin_json(struct json *j, const char *kind, __u64 time)
{
	json_open(j, '{');
	json_key(j, "time");
	json_time(j, time);
	json_key(j, "event");
	json_string(j, kind, strlen(kind));
}

static void end_json(struct json *j)
{
	json_close(j, '}');
	putc('\n', j->out);
}

static void put(struct monitor *m, const struct nlstream *s, __u64 time)
{
	__u64 nr = s->value[POSIXTRACE_NL_A_KIND];
	const char *kind = nr < ARRAY_SIZE(kinds) ? kinds[nr] : "?";
	struct json j = { .out = m->out.file };

	if (!m->json) {
		put_text(m->out.file, kind, s, time);
		return;
	}
	begin_json(&j, kind, time);
	streamshow_json(&j, s);
	end_json(&j);
}

static void tell(const struct nlstream *what, void *arg)
{
	put(arg, what, what->value[POSIXTRACE_NL_A_TIME]);
}

static void put_missed(struct monitor *m, __u64 time)
{
	struct json j = { .out = m->out.file };

	if (m->json) {
		begin_json(&j, "missed", time);
		end_json(&j);
		return;
	}
	put_time(m->out.file, time);
	fputs("missed      more happened than there was room for\n",
	      m->out.file);
}

/*
 * Begin anew with what there is. What can be read now is older than the list; so
 * is what comes while that is made: it may be told though the list shows it.
 */
static int resynchronize(struct monitor *m)
{
	__u64 now;
	size_t i;
	int err, n;

	for (n = 0, err = 0; n < DRAIN_MAX && (!err || err == ENOBUFS); n++)
		err = nlclient_hear(&m->ear, NULL, NULL);
	if (err && err != ENOBUFS && err != EAGAIN)
		return err;
	now = realtime();
	if (!nlclient_list(&m->client, &m->list))
		return EIO;
	put_missed(m, now);
	for (i = 0; i < m->list.nr; i++)
		put(m, &m->list.stream[i], now);
	return 0;
}

/* Tell some of what can be read now. Return: 0 or an error number. */
static int hear(struct monitor *m)
{
	int err = 0, n;

	for (n = 0; !err && n < AT_ONCE; n++)
		err = nlclient_hear(&m->ear, tell, m);
	if (err == ENOBUFS)
		err = resynchronize(m);
	if (!err || err == EAGAIN)
		return output_flush(&m->out);
	/* What came before that is told all the same. */
	output_flush(&m->out);
	return err;
}

static int run(struct monitor *m)
{
	struct pollfd fds[] = {
		{ .fd = nlclient_fd(&m->ear), .events = POLLIN },
		{ .fd = m->signal_fd, .events = POLLIN },
		{ .fd = m->out.fd },	/* POLLERR: nobody reads any more */
	};
	int err = 0;

	while (!err) {
		if (poll(fds, ARRAY_SIZE(fds), -1) < 0)
			continue;
		if (fds[1].revents || fds[2].revents)
			break;
		err = hear(m);
	}
	if (!err || err == EPIPE || err == EINTR)
		return TOOL_OK;
	return TOOL_ERROR;
}

static int listen_and_run(struct monitor *m)
{
	int status = TOOL_ERROR;

	if (!nlclient_open(&m->ear))
		return TOOL_ERROR;
	if (nlclient_join(&m->ear, m->room) && nlclient_open(&m->client)) {
		status = run(m);
		nlclient_close(&m->client);
	}
	nlclient_close(&m->ear);
	return status;
}

static int watch(struct monitor *m)
{
	int status;

	m->signal_fd = signals_take(NULL);
	if (m->signal_fd < 0)
		return TOOL_ERROR;
	if (!output_init(&m->out, STDOUT_FILENO, m->signal_fd))
		return TOOL_ERROR;
	status = listen_and_run(m);
	nlstreams_free(&m->list);
	output_destroy(&m->out);
	return status;
}

int monitor_main(int argc, char **argv)
{
	struct monitor m = { 0 };
	int status = parse(argc, argv, &m);

	return status >= 0 ? status : watch(&m);
}
