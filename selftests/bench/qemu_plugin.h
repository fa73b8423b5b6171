/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Of QEMU's interface for plugins, version 1, what insns.c needs: Debian has no
 * package of its header.
 */
#ifndef BENCH_QEMU_PLUGIN_H
#define BENCH_QEMU_PLUGIN_H

#include <stddef.h>
#include <linux/types.h>

struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef __u64 plugin_id;

#define INLINE_ADD_U64	0
#define NO_REGISTERS	0

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id,
		void (*seen)(plugin_id id, struct qemu_plugin_tb *block));
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
		void (*executed)(unsigned int cpu, void *data), int flags,
		void *data);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn,
						int operation, void *counter,
						__u64 value);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *
qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t i);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
__u64 qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);

/* What a plugin has to have. */
#define EXPORT	__attribute__((visibility("default")))

extern int qemu_plugin_version;
int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv);

#endif /* BENCH_QEMU_PLUGIN_H */
