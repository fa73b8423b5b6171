/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a trace point says, before any stream has looked at it.
 */
#ifndef PXT_EVENT_H
#define PXT_EVENT_H

#include <linux/types.h>
#include <linux/posixtrace.h>

struct pid;
struct pid_namespace;
struct task_struct;

/**
 * struct pxt_event - an event on its way to the streams
 * @id: event type
 * @task: thread that generated it
 * @thread: its pthread_t, 0 if unknown
 * @address: of the call that generated it, 0 if none
 * @data: in kernel memory
 * @data_size: bytes at @data
 * @data_full: bytes that the trace point gave; more than @data_size only if no
 *	stream takes more than that
 * @unreadable: the data could not be read; the event counts as lost
 * @syscall: for system calls: the number in the native table, or
 *	PXT_SYSCALL_FOREIGN
 * @pid: process whose number belongs into the first 32 bits of @data, in the
 *	pid namespace of whoever reads it; NULL: none
 * @tid: thread likewise, the next 32 bits
 * @pid_ns: where the number that is there already is right; NULL: nowhere
 *
 * Lives on the stack of the trace point.
 */
struct pxt_event {
	u32 id;
	struct task_struct *task;
	u64 thread;
	u64 address;
	const void *data;
	size_t data_size;
	size_t data_full;
	bool unreadable;
	unsigned int syscall;
	struct pid *pid;
	struct pid *tid;
	const struct pid_namespace *pid_ns;
};

#define PXT_SYSCALL_FOREIGN	(~0U)

/**
 * struct pxt_syscalls - system calls, of all calling conventions
 * @all: all of them; else
 * @native: those of the native table
 */
struct pxt_syscalls {
	bool all;
	struct posixtrace_syscall_set native;
};

static inline bool pxt_syscalls_have(const struct pxt_syscalls *calls,
				     unsigned int nr)
{
	if (READ_ONCE(calls->all))
		return true;
	return nr < POSIXTRACE_SYSCALL_MAX &&
	       READ_ONCE(calls->native.bits[nr / 64]) >> (nr % 64) & 1;
}

/**
 * struct pxt_origin - who caused a system event
 * @address: of the call, 0 if none
 * @thread: pthread_t of the caller, 0 if it is not a thread of the target
 * @tid: its kernel thread id in the owner's pid namespace, 0 likewise
 */
struct pxt_origin {
	u64 address;
	u64 thread;
	pid_t tid;
};

/* Is the type with this identifier, below POSIXTRACE_EVENT_MAX, in the set? */
static inline bool pxt_event_set_has(const struct posixtrace_event_set *set,
				     u32 id)
{
	return set->bits[id / 64] >> (id % 64) & 1;
}

#endif /* PXT_EVENT_H */
