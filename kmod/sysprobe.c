// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel events, see sysprobe.h.
 *
 * The probes are registered while a stream exists that asked for them, and a
 * little longer. A process that nobody traces then pays one look into the table
 * of targets.
 *
 * A thread that has begun to exit says no more than that it ends: so that the
 * last event of its process is the last one.
 */
#include <linux/compat.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/signal.h>
#include <linux/workqueue.h>

#include <asm/ptrace.h>
#include <asm/syscall.h>

#include "compat.h"
#include "sysprobe.h"
#include "target.h"
#include "tp.h"

/*
 * While a program takes the place of another one, it has its privileges already,
 * but nobody has been asked yet whether the streams may see it. It may also
 * fail then, and never be executed.
 */
static bool may_be_seen(const struct pxt_target *target,
			const struct task_struct *task)
{
	return READ_ONCE(task->self_exec_id) ==
	       READ_ONCE(target->sinks.exec_id);
}

/*
 * The target that @task is a thread of, if a stream of it wants this event.
 * Nearly always there is none, so this is all that a probe does before it sets
 * anything up: see the calls of record_*(), which are not to be inlined.
 */
static __always_inline struct pxt_target *
target_that_wants(struct task_struct *task, u32 id)
{
	struct pxt_target *target = pxt_target_of(task);

	if (!target || !pxt_sinks_want(&target->sinks, id) ||
	    pxt_task_exits(task) || !may_be_seen(target, task))
		return NULL;
	return target;
}

static unsigned int native_number(long nr)
{
	return in_compat_syscall() || nr < 0 || nr > INT_MAX ?
	       PXT_SYSCALL_FOREIGN : nr;
}

static noinline void record_enter(struct pxt_target *target,
				  struct pt_regs *regs, long nr)
{
	struct posixtrace_syscall_enter data __uninitialized;
	unsigned long args[ARRAY_SIZE(data.args)] __uninitialized;
	struct pxt_event ev __uninitialized;
	int i;

	pxt_event_init(&ev, POSIXTRACE_EV_SYSCALL_ENTER, current, &data,
		       sizeof(data));
	ev.record.address = instruction_pointer(regs);
	ev.syscall = native_number(nr);
	if (!pxt_syscalls_have(&target->sinks.syscalls, ev.syscall))
		return;
	syscall_get_arguments(current, regs, args);
	data.nr = nr;
	data.arch = syscall_get_arch(current);
	for (i = 0; i < ARRAY_SIZE(args); i++)
		data.args[i] = args[i];
	pxt_sinks_record(&target->sinks, &ev);
}

static void probe_sys_enter(void *unused, struct pt_regs *regs, long nr)
{
	struct pxt_target *target;

	target = target_that_wants(current, POSIXTRACE_EV_SYSCALL_ENTER);
	if (target)
		record_enter(target, regs, nr);
}

static noinline void record_exit(struct pxt_target *target,
				 struct pt_regs *regs, long ret)
{
	struct posixtrace_syscall_exit data = {
		.nr = syscall_get_nr(current, regs),
		.arch = syscall_get_arch(current),
		.ret = ret,
	};
	struct pxt_event ev __uninitialized;

	pxt_event_init(&ev, POSIXTRACE_EV_SYSCALL_EXIT, current, &data,
		       sizeof(data));
	ev.record.address = instruction_pointer(regs);
	ev.syscall = native_number(data.nr);
	if (pxt_syscalls_have(&target->sinks.syscalls, ev.syscall))
		pxt_sinks_record(&target->sinks, &ev);
}

static void probe_sys_exit(void *unused, struct pt_regs *regs, long ret)
{
	struct pxt_target *target;

	target = target_that_wants(current, POSIXTRACE_EV_SYSCALL_EXIT);
	if (target)
		record_exit(target, regs, ret);
}

static u32 state_of(bool preempt, unsigned int state)
{
	/* Whoever is preempted on its way to sleep is still runnable. */
	if (preempt || state == TASK_RUNNING)
		return POSIXTRACE_TASK_RUNNABLE;
	if (state & TASK_INTERRUPTIBLE)
		return POSIXTRACE_TASK_INTERRUPTIBLE;
	if (state & TASK_UNINTERRUPTIBLE)
		return POSIXTRACE_TASK_UNINTERRUPTIBLE;
	if (state & __TASK_STOPPED)
		return POSIXTRACE_TASK_STOPPED;
	if (state & __TASK_TRACED)
		return POSIXTRACE_TASK_TRACED;
	return POSIXTRACE_TASK_OTHER;
}

/* The thread is in the hands of this processor. */
static noinline void record_switch(struct pxt_target *target,
				   struct task_struct *task, u32 id, u32 state)
{
	struct posixtrace_sched data = {
		.cpu = raw_smp_processor_id(),
		.state = state,
	};
	struct pxt_event ev __uninitialized;

	pxt_event_init(&ev, id, task, &data, sizeof(data));
	pxt_sinks_record(&target->sinks, &ev);
}

static void probe_sched_switch(void *unused, bool preempt,
			       struct task_struct *prev,
			       struct task_struct *next,
			       unsigned int prev_state)
{
	struct pxt_target *target;

	target = target_that_wants(prev, POSIXTRACE_EV_SCHED_OUT);
	if (target)
		record_switch(target, prev, POSIXTRACE_EV_SCHED_OUT,
			      state_of(preempt, prev_state));
	target = target_that_wants(next, POSIXTRACE_EV_SCHED_IN);
	if (target)
		record_switch(target, next, POSIXTRACE_EV_SCHED_IN, 0);
}

static noinline void record_wakeup(struct pxt_target *target,
				   struct task_struct *task)
{
	struct posixtrace_sched data = { .cpu = task_cpu(task) };
	struct pxt_event ev __uninitialized;

	pxt_event_init(&ev, POSIXTRACE_EV_SCHED_WAKEUP, task, &data,
		       sizeof(data));
	pxt_sinks_record_for(&target->sinks, &ev, true);
}

static void probe_sched_wakeup(void *unused, struct task_struct *task)
{
	struct pxt_target *target;

	target = target_that_wants(task, POSIXTRACE_EV_SCHED_WAKEUP);
	if (target)
		record_wakeup(target, task);
}

/* Is there a siginfo? Two addresses stand for one that was never filled in. */
static bool has_info(const struct kernel_siginfo *info)
{
	return info != SEND_SIG_NOINFO && info != SEND_SIG_PRIV;
}

/* Was it sent by a system call of the current process? */
static bool is_from_user(const struct kernel_siginfo *info)
{
	if (!in_task())
		return false;
	if (!has_info(info))
		return info == SEND_SIG_NOINFO;
	return info->si_code <= 0 && info->si_code != SI_TIMER;
}

static bool is_about_child(const struct kernel_siginfo *info)
{
	return has_info(info) && info->si_signo == SIGCHLD &&
	       info->si_code > 0 && info->si_code <= NSIGCHLD;
}

static bool names_sender(const struct kernel_siginfo *info)
{
	if (!has_info(info))
		return false;
	switch (info->si_code) {
	case SI_USER:
	case SI_QUEUE:
	case SI_TKILL:
	case SI_MESGQ:
		return true;
	}
	return is_about_child(info);
}

/*
 * si_pid is a number in the pid namespace of the receiver. Whoever it belongs
 * to may have been waited for.
 */
static s32 take_si_pid(struct pxt_pids *pids, const struct kernel_siginfo *info,
		       struct task_struct *receiver)
{
	struct pid_namespace *ns = task_active_pid_ns(receiver);

	pids->pid = find_pid_ns(info->si_pid, ns);
	pids->known_in = ns;
	return info->si_pid;
}

static int code_of(const struct kernel_siginfo *info)
{
	if (has_info(info))
		return info->si_code;
	return info == SEND_SIG_PRIV ? SI_KERNEL : SI_USER;
}

static noinline void record_generate(struct pxt_target *target, int sig,
				     const struct kernel_siginfo *info,
				     struct task_struct *task, int group,
				     int result)
{
	struct posixtrace_signal_generate data = {
		.signo = sig,
		.code = code_of(info),
		.to_process = group,
		.result = result,
	};
	struct pxt_pids pids = {
		.pid = is_from_user(info) ? task_tgid(current) : NULL,
	};
	struct pxt_event ev __uninitialized;

	pxt_event_init(&ev, POSIXTRACE_EV_SIGNAL_GENERATE, task, &data,
		       sizeof(data));
	ev.pids = &pids;
	guard(rcu)();
	if (is_about_child(info))
		data.pid = take_si_pid(&pids, info, task);
	pxt_sinks_record_for(&target->sinks, &ev, !group);
}

static void probe_signal_generate(void *unused, int sig,
				  struct kernel_siginfo *info,
				  struct task_struct *task, int group,
				  int result)
{
	struct pxt_target *target = pxt_target_of(task);

	/* A signal to the process names its first thread, which may have ended. */
	if (target && pxt_sinks_want(&target->sinks,
				     POSIXTRACE_EV_SIGNAL_GENERATE) &&
	    may_be_seen(target, task))
		record_generate(target, sig, info, task, group, result);
}

static noinline void record_deliver(struct pxt_target *target, int sig,
				    const struct kernel_siginfo *info,
				    const struct k_sigaction *ka)
{
	struct posixtrace_signal_deliver data = {
		.signo = sig,
		.code = code_of(info),
		.flags = ka->sa.sa_flags,
		.handler = (unsigned long)ka->sa.sa_handler,
	};
	struct pxt_pids pids = {};
	struct pxt_event ev __uninitialized;

	pxt_event_init(&ev, POSIXTRACE_EV_SIGNAL_DELIVER, current, &data,
		       sizeof(data));
	ev.pids = &pids;
	guard(rcu)();
	if (names_sender(info))
		data.pid = take_si_pid(&pids, info, current);
	pxt_sinks_record(&target->sinks, &ev);
}

static void probe_signal_deliver(void *unused, int sig,
				 struct kernel_siginfo *info,
				 struct k_sigaction *ka)
{
	struct pxt_target *target;

	target = target_that_wants(current, POSIXTRACE_EV_SIGNAL_DELIVER);
	if (target)
		record_deliver(target, sig, info, ka);
}

#ifdef CONFIG_X86
static noinline void record_page_fault(struct pxt_target *target,
				       unsigned long address,
				       struct pt_regs *regs,
				       unsigned long error_code)
{
	struct posixtrace_page_fault data = {
		.address = address,
		.error_code = error_code,
	};
	struct pxt_event ev __uninitialized;

	pxt_event_init(&ev, POSIXTRACE_EV_PAGE_FAULT, current, &data,
		       sizeof(data));
	ev.record.address = instruction_pointer(regs);
	pxt_sinks_record(&target->sinks, &ev);
}

static void probe_page_fault(void *unused, unsigned long address,
			     struct pt_regs *regs, unsigned long error_code)
{
	struct pxt_target *target;

	target = target_that_wants(current, POSIXTRACE_EV_PAGE_FAULT);
	if (target)
		record_page_fault(target, address, regs, error_code);
}
#endif

#define EVENT(name)	(1ULL << POSIXTRACE_EV_##name)

/* Delivered by the hooks that follow the life of processes. */
#define HOOKED		(EVENT(FORK) | EVENT(EXEC) | EVENT(THREAD_EXIT) | \
			 EVENT(EXIT))

/**
 * struct event_probe - a probe and the kernel events that it delivers
 * @events: bit id: this event
 * @tp: the probe
 * @users: streams that asked for any of them; covered by lock
 * @registered: likewise
 */
struct event_probe {
	u64 events;
	struct pxt_tp tp;
	unsigned int users;
	bool registered;
};

static struct event_probe probes[] = {
	{ EVENT(SYSCALL_ENTER), { "sys_enter", probe_sys_enter } },
	{ EVENT(SYSCALL_EXIT), { "sys_exit", probe_sys_exit } },
	{ EVENT(SCHED_IN) | EVENT(SCHED_OUT),
	  { "sched_switch", probe_sched_switch } },
	{ EVENT(SCHED_WAKEUP), { "sched_wakeup", probe_sched_wakeup } },
	{ EVENT(SCHED_WAKEUP), { "sched_wakeup_new", probe_sched_wakeup } },
	{ EVENT(SIGNAL_GENERATE),
	  { "signal_generate", probe_signal_generate } },
	{ EVENT(SIGNAL_DELIVER), { "signal_deliver", probe_signal_deliver } },
#ifdef CONFIG_X86
	{ EVENT(PAGE_FAULT), { "page_fault_user", probe_page_fault } },
#endif
};

static bool has_event_of(const struct posixtrace_event_set *events,
			 const struct event_probe *probe)
{
	return events->bits[0] & probe->events;
}

static DEFINE_MUTEX(lock);

/*
 * How long probes stay when nobody needs them. One stream often follows another,
 * and then the kernel neither patches its code, which costs more than the
 * stream does, nor waits for the grace period that it asks for when a probe comes
 * back at once.
 */
#define LINGER		HZ

static void unregister_unused(struct work_struct *work)
{
	int i;

	guard(mutex)(&lock);
	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		if (!probes[i].registered || probes[i].users)
			continue;
		pxt_tp_detach(&probes[i].tp, 1);
		probes[i].registered = false;
	}
}

static DECLARE_DELAYED_WORK(unregister, unregister_unused);

/**
 * pxt_sysprobe_init() - find the tracepoints
 *
 * Return: 0, or -ENOENT.
 */
int pxt_sysprobe_init(void)
{
	int i, err;

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		err = pxt_tp_find(&probes[i].tp, 1);
		if (err)
			return err;
	}
	return 0;
}

/**
 * pxt_sysprobe_supports() - are all of these kernel events?
 * @events: a set
 *
 * Return: true if the module can deliver each member.
 */
bool pxt_sysprobe_supports(const struct posixtrace_event_set *events)
{
	struct posixtrace_event_set rest = *events;
	int i;

	rest.bits[0] &= ~HOOKED;
	for (i = 0; i < ARRAY_SIZE(probes); i++)
		rest.bits[0] &= ~probes[i].events;
	return !memchr_inv(&rest, 0, sizeof(rest));
}

static int get(struct event_probe *probe)
{
	int err;

	lockdep_assert_held(&lock);
	if (!probe->registered) {
		err = pxt_tp_attach(&probe->tp, 1);
		if (err)
			return err;
		probe->registered = true;
	}
	probe->users++;
	return 0;
}

static void put_first(const struct posixtrace_event_set *events, int nr)
{
	bool unused = false;

	lockdep_assert_held(&lock);
	while (nr--)
		if (has_event_of(events, &probes[nr]))
			unused |= !--probes[nr].users;
	if (unused)
		mod_delayed_work(system_wq, &unregister, LINGER);
}

/**
 * pxt_sysprobe_get() - have kernel events delivered
 * @events: to be given back by pxt_sysprobe_put()
 *
 * Context: may sleep.
 *
 * Return: 0, or an error of tracepoint_probe_register().
 */
int pxt_sysprobe_get(const struct posixtrace_event_set *events)
{
	int i, err;

	guard(mutex)(&lock);
	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		if (!has_event_of(events, &probes[i]))
			continue;
		err = get(&probes[i]);
		if (err) {
			put_first(events, i);
			return err;
		}
	}
	return 0;
}

/**
 * pxt_sysprobe_put() - undo pxt_sysprobe_get()
 * @events: the same set
 *
 * Context: may sleep.
 */
void pxt_sysprobe_put(const struct posixtrace_event_set *events)
{
	guard(mutex)(&lock);
	put_first(events, ARRAY_SIZE(probes));
}

/**
 * pxt_sysprobe_exit() - unregister the probes
 *
 * They may still run until tracepoint_synchronize_unregister() returns.
 * Context: may sleep; there are no streams.
 */
void pxt_sysprobe_exit(void)
{
	cancel_delayed_work_sync(&unregister);
	unregister_unused(NULL);
}
