/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between the kernels that the module is built for. There is no
 * version test anywhere else.
 */
#ifndef PXT_COMPAT_H
#define PXT_COMPAT_H

#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
static inline void vm_flags_mod(struct vm_area_struct *vma, vm_flags_t set,
				vm_flags_t clear)
{
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
}
#else
#include <linux/filelock.h>	/* was a part of fs.h */
#endif

/*
 * Take a reference on a file whose release has not run yet, unless its last
 * one is gone. get_file_rcu() changed its argument in 6.7.
 */
static inline bool pxt_file_tryget(struct file *file)
{
	return atomic_long_inc_not_zero(&file->f_count);
}

#endif /* PXT_COMPAT_H */
