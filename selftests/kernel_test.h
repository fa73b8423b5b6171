/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tests of kernel events need: streams that asked for them, what these
 * recorded as a list, and the data as structs.
 */
#ifndef KERNEL_TEST_H
#define KERNEL_TEST_H

#include "abi_test.h"

#define EVENT(name)	((__u64)1 << POSIXTRACE_EV_##name)

/* Sets of kernel events. */
#define CALL_EVENTS	(EVENT(SYSCALL_ENTER) | EVENT(SYSCALL_EXIT))
#define SCHED_EVENTS	(EVENT(SCHED_IN) | EVENT(SCHED_OUT) | \
			 EVENT(SCHED_WAKEUP))
#define SIGNAL_EVENTS	(EVENT(SIGNAL_GENERATE) | EVENT(SIGNAL_DELIVER))
#define LIFE_EVENTS	(EVENT(FORK) | EVENT(EXEC) | EVENT(THREAD_EXIT) | \
			 EVENT(EXIT))
#define ALL_EVENTS	(CALL_EVENTS | SCHED_EVENTS | SIGNAL_EVENTS | \
			 LIFE_EVENTS | EVENT(PAGE_FAULT))

/* Room in the streams; enough that nothing is lost, which collect() checks. */
#define KERNEL_STREAM_SIZE	(8 << 20)

/* A kernel event, or the beginning of another one. */
struct kernel_event {
	struct posixtrace_record record;
	char data[256];
};

/* What a stream has recorded, in its order. */
struct collection {
	struct kernel_event *list;
	size_t nr;
};

static inline struct posixtrace_create kernel_arg(pid_t pid, __u64 events)
{
	struct posixtrace_create arg = create_arg(pid);

	arg.stream_policy = POSIXTRACE_POLICY_UNTIL_FULL;
	arg.stream_size = KERNEL_STREAM_SIZE;
	arg.kernel_events.bits[0] = events;
	return arg;
}

/* A stream on @pid with the kernel events @events, a mask; started. */
static inline struct raw kernel_stream(int device, pid_t pid, __u64 events)
{
	struct posixtrace_create arg = kernel_arg(pid, events);
	struct raw raw;

	must(raw_create(device, &arg, &raw));
	must(raw_control(raw, POSIXTRACE_IOC_START));
	return raw;
}

/* The same for @pid and its descendants. */
static inline struct raw inherited_stream(int device, pid_t pid, __u64 events)
{
	struct posixtrace_create arg = kernel_arg(pid, events);
	struct raw raw;

	arg.inheritance = POSIXTRACE_INHERITED;
	must(raw_create(device, &arg, &raw));
	must(raw_control(raw, POSIXTRACE_IOC_START));
	return raw;
}

/* The next event; false if there is none. */
static inline bool raw_try(struct raw raw, struct raw_event *event)
{
	int err = raw_next(raw, event);

	must_be(!err || err == ENODATA);
	return !err;
}

/* The next event of type @id, dropping others; false if there is none. */
static inline bool raw_find(struct raw raw, __u32 id, struct raw_event *event)
{
	while (raw_try(raw, event))
		if (event->record.event_id == id)
			return true;
	return false;
}

/* Take all events that @raw holds; none may have been lost, nor a child. */
static inline struct collection collect(struct raw raw)
{
	struct posixtrace_status status = raw_peek(raw);
	struct collection all = { };
	struct raw_event event;
	size_t room = 0;

	must_be(!status.lost && !status.overwritten &&
		!status.missed_children);
	while (raw_try(raw, &event)) {
		if (all.nr == room) {
			room = 2 * room + 64;
			all.list = realloc(all.list, room * sizeof(*all.list));
			must_be(all.list);
		}
		all.list[all.nr].record = event.record;
		memcpy(all.list[all.nr].data, event.data,
		       sizeof(all.list[all.nr].data));
		all.nr++;
	}
	return all;
}

/* Stop @raw, and take all events. */
static inline struct collection stop_and_collect(struct raw raw)
{
	must(raw_control(raw, POSIXTRACE_IOC_STOP));
	return collect(raw);
}

#define for_each_event(ev, all) \
	for ((ev) = (all).list; (ev) < (all).list + (all).nr; (ev)++)

static inline bool is_kernel_event(const struct kernel_event *ev)
{
	return ev->record.event_id >= POSIXTRACE_EV_KERNEL &&
	       ev->record.event_id < POSIXTRACE_EV_KERNEL_END;
}

/* Is it of a type in @mask and, unless @pid is 0, of that process? */
static inline bool matches(const struct kernel_event *ev, __u64 mask, pid_t pid)
{
	return ev->record.event_id < 64 && mask >> ev->record.event_id & 1 &&
	       (!pid || ev->record.pid == pid);
}

/* How many are in @all of types in @mask and of process @pid, 0: any? */
static inline size_t count_events(struct collection all, __u64 mask, pid_t pid)
{
	const struct kernel_event *ev;
	size_t n = 0;

	for_each_event(ev, all)
		n += matches(ev, mask, pid);
	return n;
}

/*
 * The first one after @from, or of all if that is NULL, that matches; NULL if
 * there is none.
 */
static inline const struct kernel_event *
find_event(struct collection all, const struct kernel_event *from, __u64 mask,
	   pid_t pid)
{
	const struct kernel_event *ev = from ? from + 1 : all.list;

	for (; ev < all.list + all.nr; ev++)
		if (matches(ev, mask, pid))
			return ev;
	return NULL;
}

/* The data of @event as a struct of type @type. */
#define DATA(type, event) ({						\
	const struct kernel_event *data_ev = (event);			\
	type data_struct;						\
									\
	must_be(data_ev->record.data_size == sizeof(data_struct));	\
	memcpy(&data_struct, data_ev->data, sizeof(data_struct));	\
	data_struct;							\
})

static inline bool is_enter(const struct kernel_event *ev, long nr)
{
	return matches(ev, EVENT(SYSCALL_ENTER), 0) &&
	       DATA(struct posixtrace_syscall_enter, ev).nr == nr;
}

static inline bool is_exit(const struct kernel_event *ev, long nr)
{
	return matches(ev, EVENT(SYSCALL_EXIT), 0) &&
	       DATA(struct posixtrace_syscall_exit, ev).nr == nr;
}

/* How often was system call @nr entered by @pid, 0: any? */
static inline size_t count_calls(struct collection all, pid_t pid, long nr)
{
	const struct kernel_event *ev;
	size_t n = 0;

	for_each_event(ev, all)
		n += is_enter(ev, nr) && (!pid || ev->record.pid == pid);
	return n;
}

/* Wait for the end of @pid, which need not be a child, by its pidfd. */
static inline void await_end(int pidfd)
{
	struct pollfd end = { .fd = pidfd, .events = POLLIN };

	must_be(poll(&end, 1, WAIT_LIMIT * 1000) == 1);
}

static inline int open_pidfd(pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	must_be(fd >= 0);
	return fd;
}

/* Run on processor @cpu only. */
static inline void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	must_be(!sched_setaffinity(0, sizeof(set), &set));
}

#endif /* KERNEL_TEST_H */
