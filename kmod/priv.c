// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may trace whom, see priv.h.
 */
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kconfig.h>
#include <linux/mount.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/user_namespace.h>

#include "event.h"
#include "priv.h"

/* A mount that no process sees, and the pid namespace whose pids it shows. */
static struct vfsmount *proc_mnt;
static struct pid_namespace *proc_ns;

/**
 * pxt_priv_init() - mount procfs for the module alone
 *
 * Return: 0, or an error.
 */
int pxt_priv_init(void)
{
	struct file_system_type *proc = get_fs_type("proc");

	if (!proc)
		return -ENODEV;
	/* It shows the pids of whoever mounts it: the loader of the module. */
	proc_ns = task_active_pid_ns(current);
	proc_mnt = kern_mount(proc);
	/* procfs is never a module: nothing to be put. */
	return PTR_ERR_OR_ZERO(proc_mnt);
}

/**
 * pxt_priv_exit() - undo pxt_priv_init()
 */
void pxt_priv_exit(void)
{
	kern_unmount(proc_mnt);
}

/*
 * Find a thread that still has its memory: the first one may have ended while
 * others live. Return its number in the module's procfs, or an error.
 */
static pid_t live_thread(struct pid *pid)
{
	struct task_struct *leader, *task;

	guard(rcu)();
	leader = pid_task(pid, PIDTYPE_TGID);
	if (!leader)
		return -ESRCH;
	/* It changes its flags by plain stores, but not this one. */
	if (data_race(leader->flags) & PF_KTHREAD)
		return -EPERM;
	for_each_thread(leader, task)
		if (!pxt_task_exits(task))
			return task_pid_nr_ns(task, proc_ns) ?: -EPERM;
	return -ESRCH;
}

/*
 * A thread that ends meanwhile has no memory left to be asked for: the open
 * then succeeds whoever asks. So it counts only if the thread is alive after
 * it.
 */
static bool still_alive(struct pid *pid, pid_t tid)
{
	struct task_struct *task;

	guard(rcu)();
	task = pid_task(find_pid_ns(tid, proc_ns), PIDTYPE_PID);
	return task && task_tgid(task) == pid &&
	       !pxt_task_exits(task);
}

static int ask_procfs(struct pid *pid, pid_t tid)
{
	struct path root = { .mnt = proc_mnt, .dentry = proc_mnt->mnt_root };
	struct file *file;
	char name[48];

	snprintf(name, sizeof(name), "%d/task/%d/maps",
		 pid_nr_ns(pid, proc_ns), tid);
	file = file_open_root(&root, name, O_RDONLY, 0);
	if (IS_ERR(file))
		return PTR_ERR(file);
	fput(file);
	return 0;
}

/**
 * pxt_priv_may_trace() - may the caller trace a process?
 * @pid: the process; the caller holds a reference, so it can't be mistaken
 *
 * Context: may sleep; the caller's credentials count.
 *
 * Return: 0; -EPERM: no, or it is a kernel thread; -ESRCH: it is gone, or a
 * zombie.
 */
int pxt_priv_may_trace(struct pid *pid)
{
	int tries = 16;
	pid_t tid;
	int err;

	if (pid == task_tgid(current))
		return 0;
	while (tries--) {
		tid = live_thread(pid);
		if (tid < 0)
			return tid;
		err = ask_procfs(pid, tid);
		if (still_alive(pid, tid))
			return err == -EACCES ? -EPERM : err;
	}
	/* Its threads end faster than they can be asked for. */
	return -EPERM;
}

/**
 * pxt_priv_is_privileged() - has a tracer CAP_SYS_PTRACE?
 * @owner: file that the tracer opened, for its credentials
 *
 * In its own user namespace, and so in those below. Only where that can't be
 * asked for later. Context: may sleep.
 *
 * Return: for pxt_priv_may_trace_image().
 */
bool pxt_priv_is_privileged(const struct file *owner)
{
	return IS_ENABLED(CONFIG_PREEMPT_RT) &&
	       file_ns_capable(owner, owner->f_cred->user_ns, CAP_SYS_PTRACE);
}

static bool is_below(const struct user_namespace *ns,
		     const struct user_namespace *top)
{
	while (ns->level > top->level)
		ns = ns->parent;
	return ns == top;
}

/**
 * pxt_priv_may_trace_image() - may a tracer go on after the target's exec?
 * @owner: file that the tracer opened, for its credentials
 * @privileged: what pxt_priv_is_privileged() said of it
 * @task: the current task, which has just executed a program
 *
 * The rule of perf_event_open(2): an image that may not be dumped (set-user-ID,
 * set-group-ID, with file capabilities, or unreadable) needs CAP_SYS_PTRACE.
 *
 * The security modules that are asked for that may take spinlocks, which sleep
 * on PREEMPT_RT. There the tracer must have had it when it began. That it owns
 * the user namespace of the image is not enough, then.
 *
 * Context: probe.
 *
 * Return: true if it may.
 */
bool pxt_priv_may_trace_image(const struct file *owner, bool privileged,
			      struct task_struct *task)
{
	struct mm_struct *mm = task->mm;

	if (get_dumpable(mm) == SUID_DUMP_USER)
		return true;
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		return privileged &&
		       is_below(mm->user_ns, owner->f_cred->user_ns);
	return file_ns_capable(owner, mm->user_ns, CAP_SYS_PTRACE);
}
