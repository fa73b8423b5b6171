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

/* A local variable that is written before it is read. */
#ifndef __uninitialized
#if __has_attribute(uninitialized)
#define __uninitialized		__attribute__((uninitialized))
#else
#define __uninitialized
#endif
#endif

/*
 * Take a reference on a file whose release has not run yet, unless its last
 * one is gone. get_file_rcu() changed its argument in 6.7.
 */
static inline bool pxt_file_tryget(struct file *file)
{
	return atomic_long_inc_not_zero(&file->f_count);
}

/*
 * Write, and wait while the file system is frozen. Since 6.8
 * vfs_iocb_iter_write() does that itself.
 */
static inline ssize_t pxt_iocb_iter_write(struct file *file,
					  struct kiocb *kiocb,
					  struct iov_iter *iter)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 8, 0)
	ssize_t done;

	file_start_write(file);
	done = vfs_iocb_iter_write(file, kiocb, iter);
	file_end_write(file);
	return done;
#else
	return vfs_iocb_iter_write(file, kiocb, iter);
#endif
}

#endif /* PXT_COMPAT_H */
