// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel events, see sysprobe.h.
 *
 * The probes are registered while a stream exists that asked for them. A
 * process that nobody traces then pays one look into the table of targets.
 */
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include <asm/ptrace.h>
#include <asm/syscall.h>

#include "sysprobe.h"
#include "target.h"
#include "tp.h"

#define KERNEL_BIT(id)	(1ULL << ((id) - POSIXTRACE_EV_KERNEL))

/* The target of the current process, if a stream of it wants this event. */
static struct pxt_target *target_that_wants(u32 id)
{
	struct pxt_target *target = pxt_target_of(current);

	if (target && READ_ONCE(target->kernel_wanted) & KERNEL_BIT(id))
		return target;
	return NULL;
}

static void record(struct pxt_target *target, u32 id, struct pt_regs *regs,
		   const void *data, size_t size)
{
	struct pxt_event ev = {
		.id = id,
		.task = current,
		.address = instruction_pointer(regs),
		.data = data,
		.data_size = size,
		.data_full = size,
	};

	pxt_target_record(target, &ev);
}

static void probe_sys_enter(void *unused, struct pt_regs *regs, long nr)
{
	struct posixtrace_syscall_enter data = {};
	unsigned long args[ARRAY_SIZE(data.args)];
	struct pxt_target *target;
	int i;

	guard(rcu)();
	target = target_that_wants(POSIXTRACE_EV_SYSCALL_ENTER);
	if (!target)
		return;
	syscall_get_arguments(current, regs, args);
	data.nr = nr;
	data.arch = syscall_get_arch(current);
	for (i = 0; i < ARRAY_SIZE(args); i++)
		data.args[i] = args[i];
	record(target, POSIXTRACE_EV_SYSCALL_ENTER, regs, &data, sizeof(data));
}

static void probe_sys_exit(void *unused, struct pt_regs *regs, long ret)
{
	struct posixtrace_syscall_exit data = {};
	struct pxt_target *target;

	guard(rcu)();
	target = target_that_wants(POSIXTRACE_EV_SYSCALL_EXIT);
	if (!target)
		return;
	data.nr = syscall_get_nr(current, regs);
	data.arch = syscall_get_arch(current);
	data.ret = ret;
	record(target, POSIXTRACE_EV_SYSCALL_EXIT, regs, &data, sizeof(data));
}

/**
 * struct event_probe - a kernel event and what delivers it
 * @id: the event
 * @tp: its probe
 * @users: streams that asked for it; covered by lock
 */
struct event_probe {
	u32 id;
	struct pxt_tp tp;
	unsigned int users;
};

static struct event_probe probes[] = {
	{ POSIXTRACE_EV_SYSCALL_ENTER, { "sys_enter", probe_sys_enter } },
	{ POSIXTRACE_EV_SYSCALL_EXIT, { "sys_exit", probe_sys_exit } },
};

static DEFINE_MUTEX(lock);

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

	for (i = 0; i < ARRAY_SIZE(probes); i++)
		rest.bits[probes[i].id / 64] &= ~(1ULL << probes[i].id % 64);
	return !memchr_inv(&rest, 0, sizeof(rest));
}

static void put_first(const struct posixtrace_event_set *events, int nr)
{
	lockdep_assert_held(&lock);
	while (nr--)
		if (pxt_event_set_has(events, probes[nr].id) && !--probes[nr].users)
			pxt_tp_detach(&probes[nr].tp, 1);
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
		if (!pxt_event_set_has(events, probes[i].id))
			continue;
		if (!probes[i].users) {
			err = pxt_tp_attach(&probes[i].tp, 1);
			if (err) {
				put_first(events, i);
				return err;
			}
		}
		probes[i].users++;
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
