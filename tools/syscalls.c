// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>
#include <linux/audit.h>

#include "syscalls.h"
#include "tool.h"

/* Made by gen-syscalls.sh. */
extern const struct syscall_table syscalls_native;

#if defined(__x86_64__)
extern const struct syscall_table syscalls_i386;
#define ARCH_NATIVE	AUDIT_ARCH_X86_64
#elif defined(__i386__)
#define ARCH_NATIVE	AUDIT_ARCH_I386
#elif defined(__aarch64__)
#define ARCH_NATIVE	AUDIT_ARCH_AARCH64
#else
#error "AUDIT_ARCH of this machine?"
#endif

/**
 * struct abi - a calling convention
 * @arch: AUDIT_ARCH_*
 * @prefix: of the names when they are shown
 * @table: its system calls
 */
static const struct abi {
	__u32 arch;
	const char *prefix;
	const struct syscall_table *table;
} abis[] = {
	{ ARCH_NATIVE, "", &syscalls_native },
#ifdef __x86_64__
	{ AUDIT_ARCH_I386, "i386:", &syscalls_i386 },
#endif
};

static const struct abi *abi_find(__u32 arch)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(abis); i++) {
		if (abis[i].arch == arch)
			return &abis[i];
	}
	return NULL;
}

const struct syscall *syscall_find(__u32 arch, int nr)
{
	const struct abi *abi = abi_find(arch);

	if (!abi || nr < 0 || (size_t)nr >= abi->table->count)
		return NULL;
	if (!abi->table->calls[nr].name)
		return NULL;
	return &abi->table->calls[nr];
}

const char *syscall_name(int nr)
{
	const struct syscall *call = syscall_find(ARCH_NATIVE, nr);

	return call ? call->name : NULL;
}

int syscall_number(const char *name, size_t len)
{
	const char *known;
	size_t nr;

	for (nr = 0; nr < syscalls_native.count; nr++) {
		known = syscalls_native.calls[nr].name;
		if (known && strlen(known) == len && !memcmp(known, name, len))
			return nr;
	}
	return -1;
}

int syscall_native(__u32 arch, int nr)
{
	const struct syscall *call = syscall_find(arch, nr);

	if (!call || arch == ARCH_NATIVE)
		return call ? nr : -1;
	return syscall_number(call->name, strlen(call->name));
}

const char *syscall_abi(__u32 arch)
{
	const struct abi *abi = abi_find(arch);

	return abi ? abi->prefix : NULL;
}
