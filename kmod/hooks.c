// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of processes, see hooks.h.
 */
#include <linux/binfmts.h>
#include <linux/kernel.h>
#include <linux/sched/signal.h>
#include <linux/tracepoint.h>

#include "birth.h"
#include "hooks.h"
#include "owner.h"
#include "target.h"
#include "tp.h"

static void probe_fork(void *unused, struct task_struct *parent,
		       struct task_struct *child)
{
	pxt_birth(parent, child);
}

/* The new program is in place and has not run; its credentials are in force. */
static void probe_exec(void *unused, struct task_struct *task, pid_t old_pid,
		       struct linux_binprm *bprm)
{
	pxt_owner_ends(task);
	pxt_target_executed(task, bprm->filename);
}

/* Signals and memory are gone; task work still runs after this. */
static void probe_exit(void *unused, struct task_struct *task)
{
	if (!atomic_read(&task->signal->live))
		pxt_owner_ends(task);
	pxt_target_exited(task);
}

static struct pxt_tp probes[] = {
	{ "sched_process_fork", probe_fork },
	{ "sched_process_exec", probe_exec },
	{ "sched_process_exit", probe_exit },
};

/**
 * pxt_hooks_init() - follow the life of processes
 *
 * Return: 0, or an error.
 */
int pxt_hooks_init(void)
{
	int err = pxt_tp_find(probes, ARRAY_SIZE(probes));

	return err ?: pxt_tp_attach(probes, ARRAY_SIZE(probes));
}

/**
 * pxt_hooks_exit() - undo pxt_hooks_init()
 *
 * Context: may sleep. No probe of the module runs any more afterwards.
 */
void pxt_hooks_exit(void)
{
	pxt_tp_detach(probes, ARRAY_SIZE(probes));
	tracepoint_synchronize_unregister();
}
