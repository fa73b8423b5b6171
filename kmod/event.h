/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a trace point says, before any stream has looked at it.
 */
#ifndef PXT_EVENT_H
#define PXT_EVENT_H

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/sched.h>
#include <linux/types.h>
#include <linux/posixtrace.h>

struct pid;
struct pid_namespace;

/**
 * struct pxt_pids - processes whose numbers belong into the data of an event, in
 *	the pid namespace of whoever reads it
 * @pid: process, the first 32 bits; NULL: none
 * @tid: thread, the next 32 bits; NULL: something else is there
 * @known_in: where the number that is already there is right; NULL: nowhere
 */
struct pxt_pids {
	struct pid *pid;
	struct pid *tid;
	const struct pid_namespace *known_in;
};

/**
 * struct pxt_event - an event on its way to the streams
 * @record: as it is stored, but for what depends on the stream: pid and tid,
 *	how much of the data, and the time where the stream has a later event
 *	already. 0: the first stream sets it
 * @data: in kernel memory
 * @data_full: bytes that the trace point gave; or PXT_DATA_PARTLY: not all of
 *	them are at @data; or PXT_DATA_UNREADABLE: the event counts as lost. 0
 *	for other than user events, of which nothing is cut
 * @task: thread that generated it
 * @numbered: pid namespace that @record.pid and @record.tid are of, NULL: none
 * @syscall: for system calls: the number in the native table, or
 *	PXT_SYSCALL_FOREIGN
 * @pids: of processes that @data tells of, NULL: of none
 *
 * Lives on the stack of the trace point, for which it is passed from stream to
 * stream.
 */
struct pxt_event {
	struct posixtrace_record record;
	const void *data;
	size_t data_full;
	struct task_struct *task;
	const struct pid_namespace *numbered;
	unsigned int syscall;
	const struct pxt_pids *pids;
};

/* An event, as most of them are. Each member on its own: that is the least work. */
static __always_inline void pxt_event_init(struct pxt_event *ev, u32 id,
					   struct task_struct *task,
					   const void *data, size_t size)
{
	ev->record.size = POSIXTRACE_RECORD_SIZE(size);
	ev->record.data_size = size;
	ev->record.event_id = id;
	ev->record.truncation = POSIXTRACE_NOT_TRUNCATED;
	ev->record.pid = 0;
	ev->record.tid = 0;
	ev->record.cpu = 0;
	ev->record.timestamp = 0;
	ev->record.thread = 0;
	ev->record.address = 0;
	ev->data = data;
	ev->data_full = 0;
	ev->task = task;
	ev->numbered = NULL;
	ev->syscall = 0;
	ev->pids = NULL;
}

/* Has the thread begun to exit? */
static inline bool pxt_task_exits(const struct task_struct *task)
{
	/* It changes its flags by plain stores, but never takes this one back. */
	return data_race(task->flags) & PF_EXITING;
}

#define PXT_DATA_PARTLY		((size_t)-2)
#define PXT_DATA_UNREADABLE	((size_t)-1)

/* Is there less data than the trace point gave, if a stream takes @max_data? */
static __always_inline bool pxt_event_is_cut(const struct pxt_event *ev,
					     u32 max_data)
{
	return ev->data_full > max_data;
}

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
	return test_bit(id, (const unsigned long *)set->bits);
}

#endif /* PXT_EVENT_H */
