// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "errnames.h"
#include "jsonfield.h"
#include "kernelnames.h"
#include "signames.h"
#include "syscalls.h"
#include "tool.h"

#define ERRNO_MAX	4095

void json_name(struct json *j, const char *key, const char *name)
{
	json_key(j, key);
	if (name)
		json_string(j, name, strlen(name));
	else
		json_null(j);
}

void json_id(struct json *j, const char *key, int id)
{
	json_key(j, key);
	if (id)
		json_number(j, id);
	else
		json_null(j);
}

static void put_number(struct json *j, const char *key, long long value)
{
	json_key(j, key);
	json_number(j, value);
}

static void put_address(struct json *j, const char *key, __u64 value)
{
	json_key(j, key);
	json_address(j, value);
}

static void put_bool(struct json *j, const char *key, bool value)
{
	json_key(j, key);
	json_bool(j, value);
}

/* One that has no name is a number, in a string like the names. */
static void put_value(struct json *j, const char *key, const char *name,
		      __u32 value)
{
	char number[16];

	snprintf(number, sizeof(number), "%u", value);
	json_name(j, key, name ? name : number);
}

static void put_syscall(struct json *j, __s32 nr, __u32 arch)
{
	const struct syscall *call = syscall_find(arch, nr);

	json_name(j, "syscall", call ? call->name : NULL);
	put_number(j, "nr", nr);
	put_number(j, "arch", arch);
}

static void put_call(struct json *j, const void *data)
{
	struct posixtrace_syscall_enter enter;
	size_t i;

	memcpy(&enter, data, sizeof(enter));
	put_syscall(j, enter.nr, enter.arch);
	json_key(j, "args");
	json_open(j, '[');
	for (i = 0; i < ARRAY_SIZE(enter.args); i++)
		json_address(j, enter.args[i]);
	json_close(j, ']');
}

static void put_return(struct json *j, const void *data)
{
	struct posixtrace_syscall_exit exit;

	memcpy(&exit, data, sizeof(exit));
	put_syscall(j, exit.nr, exit.arch);
	put_number(j, "ret", exit.ret);
	if (exit.ret < 0 && exit.ret >= -ERRNO_MAX)
		json_name(j, "error", errname(-exit.ret));
}

static bool has(const struct posixtrace_event_set *set, unsigned int id)
{
	return id < POSIXTRACE_EVENT_MAX && set->bits[id / 64] >> (id % 64) & 1;
}

static void put_set(struct json *j, const struct field *f, const void *data)
{
	struct posixtrace_event_set set;
	unsigned int id, first;

	memcpy(&set, (const char *)data + f->offset, sizeof(set));
	json_key(j, f->key);
	json_open(j, '[');
	for (id = 1; id < POSIXTRACE_EVENT_MAX; id++) {
		if (!has(&set, id))
			continue;
		for (first = id; has(&set, id + 1); id++)
			;
		json_open(j, '[');
		json_unsigned(j, first);
		json_unsigned(j, id);
		json_close(j, ']');
	}
	json_close(j, ']');
}

static void put_signal(struct json *j, const struct field *f, const void *data)
{
	__u64 both = field_u64(f, data);
	char buf[SIGNAME_MAX];
	__s32 pair[2];

	memcpy(pair, &both, sizeof(pair));
	json_name(j, "signal", signame(pair[0], buf));
	put_number(j, "signo", pair[0]);
	json_name(j, "code", sigcode(pair[0], pair[1]));
	put_number(j, "si_code", pair[1]);
}

static void put_child(struct json *j, const struct posixtrace_record *rec,
		      const void *data)
{
	struct posixtrace_fork fork;

	memcpy(&fork, data, sizeof(fork));
	json_name(j, "child",
		  fork.pid && fork.pid == rec->pid ? "thread" : "process");
	json_id(j, "child_pid", fork.pid);
	json_id(j, "child_tid", fork.tid);
}

static void put_filename(struct json *j, const struct posixtrace_record *rec,
			 const void *data)
{
	const size_t offset = offsetof(struct posixtrace_exec, filename);
	const char *name = (const char *)data + offset;
	size_t len = strnlen(name, rec->data_size - offset);
	struct posixtrace_exec exec;

	memcpy(&exec, data, sizeof(exec));
	json_key(j, "filename");
	json_string(j, name, len);
	put_number(j, "length", exec.length);
	if (exec.length > len)
		put_bool(j, "cut", true);
}

static void put_status(struct json *j, int status)
{
	char buf[SIGNAME_MAX];

	put_number(j, "status", status);
	if (WIFEXITED(status))
		put_number(j, "exited", WEXITSTATUS(status));
	if (!WIFSIGNALED(status))
		return;
	json_name(j, "killed_by", signame(WTERMSIG(status), buf));
	put_number(j, "signo", WTERMSIG(status));
	put_bool(j, "core_dumped", WCOREDUMP(status));
}

static void put_fault(struct json *j, const void *data)
{
	struct posixtrace_page_fault fault;

	memcpy(&fault, data, sizeof(fault));
	put_address(j, "fault_address", fault.address);
	json_name(j, "access", fault_access(fault.error_code));
	json_name(j, "cause", fault_cause(fault.error_code));
	put_address(j, "error_code", fault.error_code);
}

/* Those that are a number. */
static void put_u32(struct json *j, const struct field *f, __u32 value)
{
	switch (f->kind) {
	case FIELD_REASON:
		put_bool(j, f->key, value);
		break;
	case FIELD_ERROR:
		json_name(j, "error", errname(value));
		put_number(j, "errno", (__s32)value);
		break;
	case FIELD_STATE:
		put_value(j, f->key, task_state_name(value), value);
		break;
	case FIELD_RESULT:
		put_value(j, f->key, signal_result_name(value), value);
		break;
	case FIELD_SENDER:
		json_id(j, f->key, value);
		break;
	case FIELD_ADDRESSEE:
		json_name(j, f->key, value ? "process" : "thread");
		break;
	case FIELD_FLAGS:
		put_address(j, f->key, value);
		break;
	case FIELD_STATUS:
		put_status(j, value);
		break;
	default:
		put_number(j, f->key, value);
	}
}

void json_field(struct json *j, const struct field *f,
		const struct posixtrace_record *rec, const void *data)
{
	switch (f->kind) {
	case FIELD_CALL:
		put_call(j, data);
		break;
	case FIELD_RETURN:
		put_return(j, data);
		break;
	case FIELD_SET:
		put_set(j, f, data);
		break;
	case FIELD_SIGNAL:
		put_signal(j, f, data);
		break;
	case FIELD_HANDLER:
		put_address(j, f->key, field_u64(f, data));
		break;
	case FIELD_CHILD:
		put_child(j, rec, data);
		break;
	case FIELD_FILENAME:
		put_filename(j, rec, data);
		break;
	case FIELD_FAULT:
		put_fault(j, data);
		break;
	default:
		put_u32(j, f, field_u32(f, data));
	}
}
