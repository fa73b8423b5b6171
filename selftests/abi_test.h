/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tests need that talk to the kernel module itself, without the library:
 * the ioctls as functions, streams by descriptor and number, pages that end
 * where a pointer is to fail.
 */
#ifndef ABI_TEST_H
#define ABI_TEST_H

#include "trace_test.h"

#include <sys/ioctl.h>
#include <linux/posixtrace.h>

#define DEVICE_PATH	"/dev/posixtrace"

/* An address that no mapping ever holds. */
#define NOWHERE		((void *)8)

/* Room for records, aligned as read() stores them. */
#define RECORDS_SIZE	65536

/* A stream as the kernel knows it. */
struct raw {
	int fd;
	__u64 number;
};

/* An event with its data, as the stream gives it. */
struct raw_event {
	struct posixtrace_record record;
	char data[EV_DATA_MAX];
};

/* ioctl(), with the error number as its result. */
static inline int call(int fd, unsigned long command, void *arg)
{
	return ioctl(fd, command, arg) ? errno : 0;
}

static inline int device_open(void)
{
	int fd = open(DEVICE_PATH, O_RDWR | O_CLOEXEC);

	must_be(fd >= 0);
	return fd;
}

static inline size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* Two pages, the second of which can't be touched; returns the border. */
static inline char *page_end(void)
{
	size_t page = page_size();
	char *start = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must_be(start != MAP_FAILED);
	must_be(!mprotect(start + page, page, PROT_NONE));
	return start + page;
}

/* A page that holds @size bytes of @data and can only be read. */
static inline void *read_only(const void *data, size_t size)
{
	void *page = mmap(NULL, page_size(), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must_be(page != MAP_FAILED && size <= page_size());
	memcpy(page, data, size);
	must_be(!mprotect(page, page_size(), PROT_READ));
	return page;
}

static inline struct posixtrace_create create_arg(pid_t pid)
{
	return (struct posixtrace_create){
		.size = sizeof(struct posixtrace_create),
		.pid = pid,
		.stream_policy = POSIXTRACE_POLICY_LOOP,
		.inheritance = POSIXTRACE_CLOSE_FOR_CHILD,
		.log_policy = POSIXTRACE_POLICY_LOOP,
		.stream_size = 65536,
		.max_data_size = 256,
		.log_size = 1048576,
		.name = "raw",
		.fd = -1,
	};
}

/* Create a stream as @arg says; 0 or an error number. */
static inline int raw_create(int device, struct posixtrace_create *arg,
			     struct raw *raw)
{
	int err = call(device, POSIXTRACE_IOC_CREATE, arg);

	if (!err)
		*raw = (struct raw){ .fd = arg->fd, .number = arg->stream };
	return err;
}

/* The result of an attempt to trace @pid; the stream is closed again. */
static inline int try_create(int device, pid_t pid)
{
	struct posixtrace_create arg = create_arg(pid);
	struct raw raw;
	int err = raw_create(device, &arg, &raw);

	if (!err)
		close(raw.fd);
	return err;
}

static inline struct raw raw_stream(int device, pid_t pid)
{
	struct posixtrace_create arg = create_arg(pid);
	struct raw raw;

	must(raw_create(device, &arg, &raw));
	return raw;
}

static inline int raw_control(struct raw raw, unsigned long command)
{
	struct posixtrace_control arg = {
		.size = sizeof(arg),
		.stream = raw.number,
	};

	return call(raw.fd, command, &arg);
}

static inline struct raw raw_running(int device, pid_t pid)
{
	struct raw raw = raw_stream(device, pid);

	must(raw_control(raw, POSIXTRACE_IOC_START));
	return raw;
}

static inline __u32 raw_eventid(int device, const char *name)
{
	struct posixtrace_name arg = { .size = sizeof(arg) };

	snprintf(arg.name, sizeof(arg.name), "%s", name);
	must(call(device, POSIXTRACE_IOC_EVENTID_OPEN, &arg));
	return arg.event_id;
}

static inline int raw_record(int device, __u32 id, const void *data,
			     size_t size)
{
	struct posixtrace_event arg = {
		.size = sizeof(arg),
		.event_id = id,
		.data = (uintptr_t)data,
		.data_size = size,
	};

	return call(device, POSIXTRACE_IOC_EVENT, &arg);
}

/* Status and counters; resets nothing. */
static inline struct posixtrace_status raw_peek(struct raw raw)
{
	struct posixtrace_status arg = {
		.size = sizeof(arg),
		.flags = POSIXTRACE_STATUS_PEEK,
		.stream = raw.number,
	};

	must(call(raw.fd, POSIXTRACE_IOC_GET_STATUS, &arg));
	return arg;
}

static inline struct posixtrace_attr raw_attr(struct raw raw)
{
	struct posixtrace_attr arg = {
		.size = sizeof(arg),
		.stream = raw.number,
	};

	must(call(raw.fd, POSIXTRACE_IOC_GET_ATTR, &arg));
	return arg;
}

static inline struct posixtrace_event_set raw_filter(struct raw raw)
{
	struct posixtrace_filter arg = {
		.size = sizeof(arg),
		.stream = raw.number,
	};

	must(call(raw.fd, POSIXTRACE_IOC_GET_FILTER, &arg));
	return arg.set;
}

static inline void raw_set_add(struct posixtrace_event_set *set, __u32 id)
{
	set->bits[id / 64] |= 1ULL << id % 64;
}

static inline bool raw_set_has(const struct posixtrace_event_set *set, __u32 id)
{
	return set->bits[id / 64] >> id % 64 & 1;
}

/* Add @id to what @raw does not record. */
static inline void raw_filter_out(struct raw raw, __u32 id)
{
	struct posixtrace_filter arg = {
		.size = sizeof(arg),
		.how = POSIXTRACE_ADD_EVENTSET,
		.stream = raw.number,
	};

	raw_set_add(&arg.set, id);
	must(call(raw.fd, POSIXTRACE_IOC_SET_FILTER, &arg));
}

/* Take the oldest event; 0 or an error number. */
static inline int raw_next(struct raw raw, struct raw_event *event)
{
	struct posixtrace_getnext arg = {
		.size = sizeof(arg),
		.stream = raw.number,
		.data = (uintptr_t)event->data,
		.data_max = sizeof(event->data),
	};
	int err = call(raw.fd, POSIXTRACE_IOC_GETNEXT, &arg);

	event->record = arg.record;
	return err;
}

/* Read @raw until it is empty; returns how many events there were. */
static inline size_t raw_drain(struct raw raw)
{
	struct raw_event event;
	size_t n = 0;
	int err;

	while (!(err = raw_next(raw, &event)))
		n++;
	must_be(err == ENODATA);
	return n;
}

/* How many streams there are in the system. */
static inline __u32 streams_now(int device)
{
	struct posixtrace_limits arg = { .size = sizeof(arg) };

	must(call(device, POSIXTRACE_IOC_LIMITS, &arg));
	return arg.streams;
}

static inline const struct posixtrace_gate *gate_map(int device)
{
	void *gate = mmap(NULL, page_size(), PROT_READ, MAP_SHARED, device, 0);

	must_be(gate != MAP_FAILED);
	return gate;
}

/* The gate as it is now, not as it was when last looked at. */
static inline struct posixtrace_gate gate_now(const struct posixtrace_gate *gate)
{
	struct posixtrace_gate now;

	atomic_signal_fence(memory_order_seq_cst);
	memcpy(&now, (const void *)gate, sizeof(now));
	return now;
}

static inline bool gate_wants(const struct posixtrace_gate *gate, __u32 id)
{
	struct posixtrace_gate now = gate_now(gate);

	return now.wanted && raw_set_has(&now.events, id);
}

/*
 * Wait until thread @tid of process @pid sleeps in system call @nr, as
 * proc(5)'s syscall file tells. False if it does not come to that.
 */
static inline bool sleeps_in_call(pid_t pid, pid_t tid, long nr)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/syscall", pid, tid);
	return wait_until(({
		char line[32] = "";
		FILE *f = fopen(path, "re");
		bool in_call = f && fgets(line, sizeof(line), f) &&
			       isdigit(line[0]) && atol(line) == nr;

		if (f)
			fclose(f);
		in_call;
	}));
}

#endif /* ABI_TEST_H */
