// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/posixtrace, see dev.h.
 */
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "compat.h"
#include "dev.h"
#include "gate.h"
#include "ioctl.h"
#include "stream.h"
#include "streamfd.h"
#include "target.h"
#include "userevent.h"

static int create(struct pxt_call *call)
{
	struct posixtrace_create *arg = &call->arg.create;
	struct pxt_stream *stream;
	struct file *file;
	int fd, err;

	stream = pxt_stream_create(arg);
	if (IS_ERR(stream))
		return PTR_ERR(stream);
	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0) {
		err = fd;
		goto err_release;
	}
	file = pxt_streamfd_open(stream);
	if (IS_ERR(file)) {
		err = PTR_ERR(file);
		goto err_put_fd;
	}
	err = pxt_stream_attach(stream, file);
	if (err)
		goto err_fput;
	arg->fd = fd;
	arg->stream = stream->number;
	call->private = file;
	return 0;

	/* Shut down here: its place and its quota are free when this returns. */
err_fput:
	pxt_stream_shutdown(stream);
	fput(file);
	put_unused_fd(fd);
	return err;
err_put_fd:
	put_unused_fd(fd);
err_release:
	pxt_stream_shutdown(stream);
	pxt_stream_release(stream);
	return err;
}

static void commit_create(struct pxt_call *call, bool delivered)
{
	struct file *file = call->private;

	if (delivered) {
		fd_install(call->arg.create.fd, file);
		return;
	}
	put_unused_fd(call->arg.create.fd);
	pxt_stream_shutdown(file->private_data);
	fput(file);
}

static int open_name(struct pxt_call *call)
{
	struct posixtrace_name *arg = &call->arg.name;
	struct pxt_target *target;
	int id;

	if (arg->stream)
		return -EINVAL;
	if (!memchr(arg->name, 0, sizeof(arg->name)))
		return -ENAMETOOLONG;
	target = pxt_target_get_or_create(task_tgid(current));
	if (IS_ERR(target))
		return PTR_ERR(target);
	id = pxt_target_open_name(target, NULL, arg->name);
	pxt_target_put(target);
	if (id < 0)
		return id;
	arg->event_id = id;
	return 0;
}

/* The target of this process, which stays: this thread does not exit. */
static struct pxt_target *own_target(void)
{
	guard(rcu)();
	return pxt_target_of(current);
}

static int get_limits(struct pxt_call *call)
{
	struct posixtrace_limits *arg = &call->arg.limits;

	if (arg->__reserved)
		return -EINVAL;
	pxt_stream_get_limits(arg);
	return 0;
}

static const struct pxt_ioctl commands[] = {
	PXT_IOCTL(POSIXTRACE_IOC_CREATE, posixtrace_create, 256,
		  true, create, commit_create),
	PXT_IOCTL(POSIXTRACE_IOC_EVENTID_OPEN, posixtrace_name, 80,
		  true, open_name),
	PXT_IOCTL(POSIXTRACE_IOC_LIMITS, posixtrace_limits, 24,
		  true, get_limits),
};

static long dev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (likely(cmd == POSIXTRACE_IOC_EVENT))
		return pxt_userevent((void __user *)arg);
	return pxt_ioctl(file, commands, ARRAY_SIZE(commands), cmd,
			 (void __user *)arg);
}

static int dev_fadvise(struct file *file, loff_t arg, loff_t len, int cmd)
{
	if (cmd == POSIXTRACE_IOC_EVENT && !len)
		return pxt_userevent(u64_to_user_ptr((u64)arg));
	return pxt_ioctl_no_command(len, cmd);
}

/*
 * A plain shared file mapping: fork() copies no page table entries of it, so
 * that a child faults and is given its own page at the same address.
 */
static vm_fault_t gate_fault(struct vm_fault *vmf)
{
	struct pxt_target *target;
	struct page *page = NULL;

	/* By a debugger's hand: whose page that would be is anybody's guess. */
	if (vmf->vma->vm_mm != current->mm || vmf->pgoff)
		return VM_FAULT_SIGBUS;
	/* From a thread that exits, its process may be gone at any time. */
	target = current->flags & PF_EXITING ? NULL : own_target();
	if (target)
		page = pxt_target_gate_page(target);
	/* No reason to harm the process: it asks by system call then. */
	if (!page)
		page = pxt_gate_open_page();
	get_page(page);
	vmf->page = page;
	return 0;
}

static const struct vm_operations_struct gate_vm_ops = {
	.fault = gate_fault,
};

static int dev_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct pxt_target *target;

	if (vma->vm_pgoff || vma->vm_end - vma->vm_start != PAGE_SIZE)
		return -EINVAL;
	/* VM_SHARED is not set if the descriptor is not open for writing. */
	if (!(vma->vm_flags & VM_MAYSHARE))
		return -EINVAL;
	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EACCES;
	target = pxt_target_get_or_create(task_tgid(current));
	if (IS_ERR(target))
		return PTR_ERR(target);
	/* If that fails, gate_fault() will do with another page. */
	pxt_target_map_gate(target);
	pxt_target_put(target);
	vm_flags_mod(vma, VM_DONTEXPAND | VM_DONTDUMP,
		     VM_MAYWRITE | VM_MAYEXEC);
	vma->vm_ops = &gate_vm_ops;
	return 0;
}

static const struct file_operations dev_fops = {
	.owner = THIS_MODULE,
	.llseek = noop_llseek,
	.unlocked_ioctl = dev_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.fadvise = dev_fadvise,
	.mmap = dev_mmap,
};

static struct miscdevice dev = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "posixtrace",
	.fops = &dev_fops,
	.mode = 0666,
};

/**
 * pxt_dev_init() - make the device
 *
 * From here on anybody can come.
 *
 * Return: 0, or an error.
 */
int pxt_dev_init(void)
{
	return misc_register(&dev);
}

/**
 * pxt_dev_exit() - undo pxt_dev_init()
 */
void pxt_dev_exit(void)
{
	misc_deregister(&dev);
}
