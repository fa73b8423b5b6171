// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "diag.h"
#include "jsonevent.h"
#include "logreader.h"
#include "print.h"
#include "printlog.h"
#include "printopt.h"
#include "selection.h"

#define NSEC_PER_USEC	1000

/**
 * struct printlog - a log that is being printed
 * @opt: what the user wants
 * @log: the log
 * @wanted: events to print
 * @printer: makes lines of text
 */
struct printlog {
	struct printopt opt;
	struct logreader log;
	struct selection wanted;
	struct printer printer;
};

static int get_name(void *arg, unsigned int id, char *name)
{
	const struct printlog *p = arg;

	const char *known = p->log.names[id];

	if (!known)
		return EINVAL;
	memcpy(name, known, strlen(known) + 1);
	return 0;
}

static const char *name_of(const struct printlog *p, unsigned int id)
{
	return id < POSIXTRACE_EVENT_MAX ? p->log.names[id] : NULL;
}

static int choose(struct printlog *p)
{
	const struct printopt *opt = &p->opt;
	const __u64 begin = logreader_begin(&p->log);

	selection_init(&p->wanted);
	p->wanted.pid = opt->pid;
	if (opt->has_since)
		p->wanted.since = timearg_resolve(&opt->since, begin) /
				  NSEC_PER_USEC;
	if (opt->has_until)
		p->wanted.until = timearg_resolve(&opt->until, begin) /
				  NSEC_PER_USEC;
	return selection_choose(&p->wanted, &p->log, opt->lists,
				opt->lists_nr);
}

static void print_one(struct printlog *p)
{
	const struct posixtrace_record *rec = &p->log.rec;

	if (p->opt.json)
		json_event(stdout, name_of(p, rec->event_id), rec, p->log.data);
	else
		print_event(&p->printer, rec, p->log.data);
}

/* A reader that has enough is no error. */
static int cannot_write(int err)
{
	if (err == EPIPE)
		return TOOL_OK;
	diag("cannot write: %s", strerror(err));
	return TOOL_ERROR;
}

static int print_all(struct printlog *p)
{
	while (logreader_next(&p->log)) {
		if (!selection_has(&p->wanted, &p->log.rec,
				   p->log.data))
			continue;
		errno = 0;
		print_one(p);
		if (ferror(stdout))
			return cannot_write(errno);
	}
	if (fflush(stdout))
		return cannot_write(errno);
	return logreader_check(&p->log);
}

static int print_log(struct printlog *p)
{
	int status;

	status = logreader_open(&p->log, p->opt.path);
	if (status >= 0)
		return status;
	printer_init(&p->printer, stdout, get_name, p);
	status = choose(p);
	if (status < 0)
		status = print_all(p);
	printer_destroy(&p->printer);
	logreader_close(&p->log);
	return status;
}

int printlog_main(int argc, char **argv)
{
	static char buffer[65536];
	struct printlog p;
	int status;

	status = printopt_parse(argc, argv, &p.opt);
	if (status >= 0)
		return status;
	signal(SIGPIPE, SIG_IGN);
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	status = print_log(&p);
	printopt_destroy(&p.opt);
	return status;
}
