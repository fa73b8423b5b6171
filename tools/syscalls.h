/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of system calls, and how their arguments are shown.
 */
#ifndef POSIXTRACE_SYSCALLS_H
#define POSIXTRACE_SYSCALLS_H

#include <stddef.h>
#include <linux/types.h>

/**
 * struct syscall - a system call
 * @name: as in <asm/unistd.h>, NULL where the table has a gap
 * @args: a letter for each argument, see syscalls.tbl; NULL: not known
 * @ret: letter of the result, "": decimal
 */
struct syscall {
	const char *name;
	const char *args;
	const char *ret;
};

/**
 * struct syscall_table - the system calls of one calling convention
 * @calls: by number
 * @count: of @calls
 */
struct syscall_table {
	const struct syscall *calls;
	size_t count;
};

/**
 * syscall_find() - look up a system call
 * @arch: AUDIT_ARCH_*
 * @nr: number
 *
 * Return: the system call, or NULL if it is not known.
 */
const struct syscall *syscall_find(__u32 arch, int nr);

/* The name of a system call of this machine's native ABI, or NULL. */
const char *syscall_name(int nr);

/* The number that it has there, -1 if there is none with this name. */
int syscall_number(const char *name, size_t len);

/* That of the native call with the same name as this one, -1: there is none. */
int syscall_native(__u32 arch, int nr);

/**
 * syscall_abi() - what to put before the name of a system call
 * @arch: AUDIT_ARCH_*
 *
 * Return: "" for the ABI of this program, "i386:", or NULL for one that is
 * not known.
 */
const char *syscall_abi(__u32 arch);

#endif /* POSIXTRACE_SYSCALLS_H */
