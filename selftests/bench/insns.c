// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plugin for QEMU: how often was each instruction of the guest executed?
 *
 * Between two markers, which operation.c sets. Writes "ADDRESS COUNT" lines to
 * the file that its argument out= names. For one processor.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qemu_plugin.h"

EXPORT int qemu_plugin_version = 1;

/* A hash table that never grows: a guest does not execute so many addresses. */
#define SLOTS	(1U << 22)

static struct counter {
	__u64 address;
	__u64 count;
	__u64 before;	/* the first marker */
} counters[SLOTS];

static unsigned int used, markers;
static char *out;

static struct counter *counter_of(__u64 address)
{
	__u32 slot = address * 0x9e3779b97f4a7c15ULL >> 42;

	while (counters[slot].address && counters[slot].address != address)
		slot = (slot + 1) % SLOTS;
	if (!counters[slot].address && ++used == SLOTS)
		abort();
	counters[slot].address = address;
	return &counters[slot];
}

static void write_counters(void)
{
	FILE *file = fopen(out, "w");
	unsigned int i;

	if (!file)
		abort();
	for (i = 0; i < SLOTS; i++)
		if (counters[i].count != counters[i].before)
			fprintf(file, "%llx %llu\n", counters[i].address,
				counters[i].count - counters[i].before);
	fclose(file);
}

static void marked(unsigned int cpu, void *data)
{
	unsigned int i;

	(void)cpu;
	(void)data;
	if (++markers == 1)
		for (i = 0; i < SLOTS; i++)
			counters[i].before = counters[i].count;
	else if (markers == 2)
		write_counters();
}

/* xchg %rbx,%rbx: nothing else does nothing in this way. */
static bool is_marker(const struct qemu_plugin_insn *insn)
{
	static const unsigned char marker[] = { 0x48, 0x87, 0xdb };

	return qemu_plugin_insn_size(insn) == sizeof(marker) &&
	       !memcmp(qemu_plugin_insn_data(insn), marker, sizeof(marker));
}

static void translated(plugin_id id, struct qemu_plugin_tb *block)
{
	size_t i, nr = qemu_plugin_tb_n_insns(block);

	(void)id;
	for (i = 0; i < nr; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
		__u64 *count = &counter_of(qemu_plugin_insn_vaddr(insn))->count;

		qemu_plugin_register_vcpu_insn_exec_inline(insn, INLINE_ADD_U64,
							   count, 1);
		if (is_marker(insn))
			qemu_plugin_register_vcpu_insn_exec_cb(insn, marked,
							       NO_REGISTERS,
							       NULL);
	}
}

EXPORT int qemu_plugin_install(plugin_id id, const void *info, int argc,
			       char **argv)
{
	(void)info;
	if (argc != 1 || strncmp(argv[0], "out=", 4))
		return -1;
	out = strdup(argv[0] + 4);
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return out ? 0 : -1;
}
