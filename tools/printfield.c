// SPDX-License-Identifier: GPL-2.0-only
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "errnames.h"
#include "kernelnames.h"
#include "printcall.h"
#include "printfield.h"
#include "printset.h"
#include "signames.h"
#include "text.h"

/* asm/signal.h, which does not go with signal.h */
#define SA_RESTORER	0x04000000

static void put_call(FILE *out, const void *data)
{
	struct posixtrace_syscall_enter enter;

	memcpy(&enter, data, sizeof(enter));
	print_call(out, &enter);
}

static void put_return(FILE *out, const void *data)
{
	struct posixtrace_syscall_exit exit;

	memcpy(&exit, data, sizeof(exit));
	print_return(out, &exit);
}

static void put_set(struct printer *p, const struct field *f, const void *data)
{
	struct posixtrace_event_set set;

	memcpy(&set, (const char *)data + f->offset, sizeof(set));
	fputs(f->label, p->out);
	print_set(p, &set);
}

static void put_errno(FILE *out, int err)
{
	fprintf(out, "%s (%s)", errname(err) ? errname(err) : "?",
		errtext(err) ? errtext(err) : "unknown error");
}

static void put_name(FILE *out, const struct field *f, const char *name,
		     __u32 value)
{
	if (name)
		fprintf(out, "%s%s", f->label, name);
	else
		fprintf(out, "%s%s %u", f->label, f->key, value);
}

static void put_signal_name(FILE *out, int sig)
{
	char buf[SIGNAME_MAX];
	const char *name = signame(sig, buf);

	if (name)
		fputs(name, out);
	else
		fprintf(out, "signal %d", sig);
}

static void put_siginfo(FILE *out, const struct field *f, const void *data)
{
	__u64 both = field_u64(f, data);
	__s32 pair[2];
	const char *code;

	memcpy(pair, &both, sizeof(pair));
	put_signal_name(out, pair[0]);
	code = sigcode(pair[0], pair[1]);
	if (code)
		fprintf(out, ", %s", code);
	else
		fprintf(out, ", code %d", pair[1]);
}

static void put_handler(FILE *out, const struct field *f, __u64 handler)
{
	fputs(f->label, out);
	if (handler == (__u64)SIG_DFL)
		fputs("default action", out);
	else if (handler == (__u64)SIG_IGN)
		fputs("ignored", out);
	else
		fprintf(out, "handler %#llx", handler);
}

/* A thread belongs to the process that made it. */
static void put_child(FILE *out, const struct posixtrace_record *rec,
		      const void *data)
{
	struct posixtrace_fork fork;

	memcpy(&fork, data, sizeof(fork));
	if (fork.pid && fork.pid == rec->pid)
		fprintf(out, "thread %d", fork.tid);
	else if (fork.pid)
		fprintf(out, "process %d", fork.pid);
	else
		fputs("process that is not visible", out);
}

static void put_filename(FILE *out, const struct posixtrace_record *rec,
			 const void *data)
{
	const size_t offset = offsetof(struct posixtrace_exec, filename);
	const char *name = (const char *)data + offset;
	size_t len = strnlen(name, rec->data_size - offset);
	struct posixtrace_exec exec;

	memcpy(&exec, data, sizeof(exec));
	text_put_quoted(out, name, len);
	if (exec.length > len)
		fputs("...", out);
}

/* The C library sets SA_RESTORER for each handler. */
static void put_flags(FILE *out, const struct field *f, __u32 flags)
{
	flags &= ~SA_RESTORER;
	if (flags)
		fprintf(out, "%s%#x", f->label, flags);
}

static void put_status(FILE *out, int status)
{
	if (WIFEXITED(status)) {
		fprintf(out, "exited with %d", WEXITSTATUS(status));
	} else if (WIFSIGNALED(status)) {
		fputs("killed by ", out);
		put_signal_name(out, WTERMSIG(status));
		if (WCOREDUMP(status))
			fputs(" (core dumped)", out);
	} else {
		fprintf(out, "status %#x", status);
	}
}

static void put_fault(FILE *out, const void *data)
{
	struct posixtrace_page_fault fault;

	memcpy(&fault, data, sizeof(fault));
	fprintf(out, "%s 0x%llx, %s", fault_access(fault.error_code),
		fault.address, fault_cause(fault.error_code));
}

/* Those that are a number. */
static void put_u32(FILE *out, const struct field *f, __u32 value)
{
	switch (f->kind) {
	case FIELD_REASON:
		fputs(value ? "no room left" : "as asked", out);
		break;
	case FIELD_ERROR:
		put_errno(out, value);
		break;
	case FIELD_STATE:
		put_name(out, f, task_state_name(value), value);
		break;
	case FIELD_RESULT:
		put_name(out, f, signal_result_name(value), value);
		break;
	case FIELD_SENDER:
		if (value)
			fprintf(out, "%s%d", f->label, (__s32)value);
		break;
	case FIELD_ADDRESSEE:
		fprintf(out, "%s%s", f->label, value ? "process" : "thread");
		break;
	case FIELD_FLAGS:
		put_flags(out, f, value);
		break;
	case FIELD_STATUS:
		put_status(out, value);
		break;
	default:
		fprintf(out, "%s%u", f->label, value);
	}
}

void print_field(struct printer *p, const struct field *f,
		 const struct posixtrace_record *rec, const void *data)
{
	switch (f->kind) {
	case FIELD_CALL:
		put_call(p->out, data);
		break;
	case FIELD_RETURN:
		put_return(p->out, data);
		break;
	case FIELD_SET:
		put_set(p, f, data);
		break;
	case FIELD_SIGNAL:
		put_siginfo(p->out, f, data);
		break;
	case FIELD_HANDLER:
		put_handler(p->out, f, field_u64(f, data));
		break;
	case FIELD_CHILD:
		put_child(p->out, rec, data);
		break;
	case FIELD_FILENAME:
		put_filename(p->out, rec, data);
		break;
	case FIELD_FAULT:
		put_fault(p->out, data);
		break;
	default:
		put_u32(p->out, f, field_u32(f, data));
	}
}
