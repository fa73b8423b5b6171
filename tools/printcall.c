// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <stdbool.h>

#include "errnames.h"
#include "printcall.h"
#include "signames.h"
#include "syscalls.h"

#define ARGS		6
#define ERRNO_MAX	4095

/* A call that is not in syscalls.tbl: everything that could be there. */
#define ARGS_UNKNOWN	"XXXXXX"

static void put_call_name(FILE *out, __u32 arch, int nr,
			  const struct syscall *call)
{
	const char *abi = syscall_abi(arch);

	if (abi)
		fputs(abi, out);
	else
		fprintf(out, "arch_%x:", arch);

	if (call)
		fputs(call->name, out);
	else if (nr < 0)
		fprintf(out, "syscall_%d", nr);
	else
		fprintf(out, "syscall_0x%x", nr);
}

static void put_pointer(FILE *out, __u64 v)
{
	if (v)
		fprintf(out, "%#llx", v);
	else
		fputs("NULL", out);
}

static void put_dirfd(FILE *out, int fd)
{
	if (fd == AT_FDCWD)
		fputs("AT_FDCWD", out);
	else
		fprintf(out, "%d", fd);
}

static void put_signal(FILE *out, int sig)
{
	char buf[SIGNAME_MAX];
	const char *name = signame(sig, buf);

	if (name)
		fputs(name, out);
	else
		fprintf(out, "%d", sig);
}

static void put_value(FILE *out, char letter, __u64 v)
{
	switch (letter) {
	case 'd':
		fprintf(out, "%d", (__s32)v);
		break;
	case 'u':
		fprintf(out, "%llu", v);
		break;
	case 'l':
		fprintf(out, "%lld", (__s64)v);
		break;
	case 'x':
		fprintf(out, "%#x", (__u32)v);
		break;
	case 'o':
	case 'm':
		fprintf(out, "%#03o", (__u32)v);
		break;
	case 'p':
		put_pointer(out, v);
		break;
	case 'f':
		put_dirfd(out, (__s32)v);
		break;
	case 's':
		put_signal(out, (__s32)v);
		break;
	default:
		fprintf(out, "%#llx", v);
	}
}

static bool has_mode(__u64 open_flags)
{
	return open_flags & O_CREAT || (open_flags & O_TMPFILE) == O_TMPFILE;
}

void print_call(FILE *out, const struct posixtrace_syscall_enter *enter)
{
	const struct syscall *call = syscall_find(enter->arch, enter->nr);
	const char *letters = call && call->args ? call->args : ARGS_UNKNOWN;
	int i;

	put_call_name(out, enter->arch, enter->nr, call);
	putc('(', out);
	for (i = 0; i < ARGS && letters[i] && letters[i] != '-'; i++) {
		if (letters[i] == 'm' && i && !has_mode(enter->args[i - 1]))
			continue;
		if (i)
			fputs(", ", out);
		put_value(out, letters[i], enter->args[i]);
	}
	putc(')', out);
}

static void put_error(FILE *out, int err)
{
	const char *name = errname(err);

	if (!name)
		fprintf(out, "%d", -err);
	else if (err_is_restart(err))
		fprintf(out, "? %s (%s)", name, errtext(err));
	else
		fprintf(out, "-1 %s (%s)", name, errtext(err));
}

/*
 * rt_sigreturn() restores all registers, so that its own number is not known any
 * more, and the result is that of what the signal interrupted.
 */
static bool is_sigreturn(const struct posixtrace_syscall_exit *exit)
{
	const char *abi = syscall_abi(exit->arch);

	return exit->nr == -1 && abi && !*abi;
}

void print_return(FILE *out, const struct posixtrace_syscall_exit *exit)
{
	const struct syscall *call = syscall_find(exit->arch, exit->nr);

	if (is_sigreturn(exit))
		fputs("rt_sigreturn", out);
	else
		put_call_name(out, exit->arch, exit->nr, call);
	fputs(" = ", out);
	if (exit->ret < 0 && exit->ret >= -ERRNO_MAX)
		put_error(out, -exit->ret);
	else if (call && *call->ret)
		put_value(out, *call->ret, exit->ret);
	else
		fprintf(out, "%lld", exit->ret);
}
