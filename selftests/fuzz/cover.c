// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which parts of the module were reached: a part of it when it is built to be
 * fuzzed. The compiler calls __sanitizer_cov_trace_pc() at the beginning of each
 * basic block, as for KCOV. That is kept here, not by the kernel: KCOV sees
 * neither workers nor interrupts, and no process that does not ask it to.
 *
 * /sys/kernel/debug/posixtrace_cover/count says how many blocks were reached,
 * .../blocks the return addresses of these calls.
 */
#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/seq_file.h>

/* It is nothing where the kernel has no KCOV. */
#undef __no_sanitize_coverage
#define __no_sanitize_coverage	__attribute__((__no_sanitize_coverage__))

/* The code of a module is smaller than this, that of its init functions, too. */
#define CODE_MAX	(1UL << 20)
#define INIT_MAX	(1UL << 16)

/* A bit for each address; the code is somewhere around one that is known. */
static DECLARE_BITMAP(code, 2 * CODE_MAX);
static DECLARE_BITMAP(init, 2 * INIT_MAX);
static atomic_t reached;
static unsigned long in_init;	/* somewhere in the init functions */
static struct dentry *dir;

/* Under its own name it is the compiler's, which has no address. */
typedef void block_fn(void);
notrace block_fn cover_block __asm__("__sanitizer_cov_trace_pc");

static __no_sanitize_coverage unsigned long code_base(void)
{
	return (unsigned long)cover_block - CODE_MAX;
}

static __no_sanitize_coverage unsigned long init_base(void)
{
	return in_init - INIT_MAX;
}

/* Nothing in here is checked, since it is also called amid user accesses. */
static __always_inline void set(unsigned long *map, unsigned long bit)
{
	/* Nearly always it is: then nothing is written to. */
	if (!arch_test_bit(bit, map) && !arch_test_and_set_bit(bit, map))
		arch_atomic_inc(&reached);
}

notrace __no_sanitize_coverage __no_sanitize_address __no_kcsan
notrace void cover_block(void)
{
	unsigned long pc = _RET_IP_;
	unsigned long at = pc - (unsigned long)cover_block + CODE_MAX;

	if (at < 2 * CODE_MAX)
		set(code, at);
	else if (pc - in_init + INIT_MAX < 2 * INIT_MAX)
		set(init, pc - in_init + INIT_MAX);
}

static __no_sanitize_coverage int blocks_show(struct seq_file *seq, void *unused)
{
	unsigned long bit;

	for_each_set_bit(bit, code, 2 * CODE_MAX)
		seq_printf(seq, "%lx\n", code_base() + bit);
	for_each_set_bit(bit, init, 2 * INIT_MAX)
		seq_printf(seq, "%lx\n", init_base() + bit);
	return 0;
}

static __no_sanitize_coverage int blocks_open(struct inode *inode,
					      struct file *file)
{
	return single_open_size(file, blocks_show, NULL, 1 << 17);
}

static const struct file_operations blocks_fops = {
	.owner = THIS_MODULE,
	.open = blocks_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
};

static __no_sanitize_coverage void cover_init(void)
{
	dir = debugfs_create_dir("posixtrace_cover", NULL);
	debugfs_create_atomic_t("count", 0444, dir, &reached);
	debugfs_create_file("blocks", 0444, dir, NULL, &blocks_fops);
}

/* The module's own main.c, with this around what it does. */
#undef module_init
#define module_init(fn)							\
int __init __no_sanitize_coverage init_module(void)			\
{									\
	int err;							\
									\
	in_init = _THIS_IP_;						\
	cover_init();							\
	err = fn();							\
	if (err)							\
		debugfs_remove(dir);					\
	return err;							\
}									\
___ADDRESSABLE(init_module, __initdata)

#undef module_exit
#define module_exit(fn)							\
void __exit __no_sanitize_coverage cleanup_module(void)			\
{									\
	debugfs_remove(dir);						\
	fn();								\
}									\
___ADDRESSABLE(cleanup_module, __exitdata)

#include "main.c"
