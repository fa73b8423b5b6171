// SPDX-License-Identifier: GPL-2.0-only
/*
 * The operations of the fuzzer's programs, see ioctl.h.
 *
 * They share a few places where descriptors, mappings, processes and identifiers
 * are kept, and take them from there whatever they are by now.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/posixtrace.h>
#include <linux/posixtrace_netlink.h>

#include "ioctl.h"

#define FILES		12
#define MAPS		4
#define PROCESSES	4
#define PAGE		4096UL

/* A descriptor; with a stream its number, else 0. */
static struct {
	int fd;
	__u64 stream;
} files[FILES];

static void *maps[MAPS];
static pid_t processes[PROCESSES];
static int sockets[2];
static int fail_fd[THREADS];

__u32 netlink_family, netlink_group;

/* Memory that arguments lie in; @alias is where @read_only can be written to. */
static char *good, *read_only, *alias, *border, *hole;

static unsigned int thread_nr(void);

static unsigned int any_file(struct rng *rng)
{
	return below(rng, FILES);
}

/* A stream, if there is one. */
static unsigned int any_stream(struct rng *rng)
{
	unsigned int i, at = any_file(rng);

	for (i = 0; i < FILES && !files[at].stream; i++)
		at = (at + 1) % FILES;
	return at;
}

static int device(void)
{
	return files[0].fd;
}

/* A place for a descriptor, of which the first stays the device. */
static void keep_file(struct rng *rng, int fd, __u64 stream)
{
	unsigned int at = 1 + below(rng, FILES - 1);

	if (fd < 0)
		return;
	if (files[at].fd >= 0)
		close(files[at].fd);
	files[at].fd = fd;
	files[at].stream = stream;
}

/*
 * Values and structs
 */

static __u64 odd_value(struct rng *rng)
{
	static const __u64 values[] = {
		0, 1, 2, 3, 7, 8, 63, 64, 255, 256, 511, 1023, 1024, 4095, 4096,
		65535, 65536, 65537, 1 << 20, 1 << 28, 0x3fffffff, 0x7fffffff,
		0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff,
		0x8000000000000000, 0xfffffffffffffff8, 0xffffffffffffffff,
	};

	return one_in(rng, 8) ? rng_next(rng) :
	       values[below(rng, ARRAY_SIZE(values))];
}

static __u32 any_event_id(struct rng *rng)
{
	switch (below(rng, 8)) {
	case 0:
		return odd_value(rng);
	case 1:
		return POSIXTRACE_EV_UNNAMED;
	case 2:
		return below(rng, POSIXTRACE_EVENT_MAX);
	default:
		return POSIXTRACE_EV_USER + below(rng, 4);
	}
}

static pid_t any_pid(struct rng *rng)
{
	switch (below(rng, 10)) {
	case 0:
		return odd_value(rng);
	case 1:
		return 1;
	case 2:
		return 2;		/* kthreadd */
	case 3:
		return getppid();
	case 4:
	case 5:
		return processes[below(rng, PROCESSES)];
	default:
		return 0;
	}
}

/* Where an argument of @size bytes can be found, or can't. */
static void *place(struct rng *rng, const void *arg, size_t size)
{
	char *where;

	switch (below(rng, 24)) {
	case 0:
		return NULL;
	case 1:
		return (void *)(uintptr_t)odd_value(rng);
	case 2:
		return maps[below(rng, MAPS)];
	case 3:
		return hole;
	case 4:
	case 7:
	case 8:
		memcpy(alias, arg, size < PAGE ? size : PAGE);
		return read_only;
	case 5:
		where = border - below(rng, size + 1);
		memcpy(where, arg, border - where);
		return where;
	case 6:
		return (void *)0xffffffff81000000;
	}
	if (size > PAGE)
		size = PAGE;
	where = one_in(rng, 2) ? border - size :
		good + 65536 + thread_nr() * 2 * PAGE;
	memcpy(where, arg, size);
	return where;
}

static void spoil(struct rng *rng, void *arg, size_t size)
{
	__u8 *bytes = arg;
	__u64 value = odd_value(rng);
	size_t at = below(rng, size / 4) * 4;

	switch (below(rng, 3)) {
	case 0:
		bytes[below(rng, size)] ^= 1 << below(rng, 8);
		break;
	case 1:
		memcpy(bytes + at, &value, 4);
		break;
	default:
		at = at / 8 * 8;
		if (at + 8 <= size)
			memcpy(bytes + at, &value, 8);
	}
}

static const __u16 first_sizes[] = { 24, 32, 40, 80, 104, 160, 256 };

/* The ioctl with @arg, valid or nearly; what it gave back is in @arg then. */
static int carry_out(struct rng *rng, int fd, unsigned long command, void *arg,
		     size_t size)
{
	char room[2 * PAGE];
	__u32 said = size;
	void *where;
	int result;

	memcpy(room, arg, size);
	memset(room + size, 0, sizeof(room) - size);
	switch (below(rng, 16)) {
	case 0:
		spoil(rng, room, size);
		break;
	case 1:
		while (one_in(rng, 3))
			spoil(rng, room, size);
		break;
	case 2:
		said = one_in(rng, 2) ? size + below(rng, 3) - 1 :
		       first_sizes[below(rng, ARRAY_SIZE(first_sizes))];
		break;
	case 3:
		said = odd_value(rng);
		room[size + below(rng, PAGE - size)] = one_in(rng, 2);
		break;
	}
	memcpy(room, &said, sizeof(said));
	where = below(rng, 6) ? room : place(rng, room, said > size ? said : size);
	result = one_in(rng, 4) ?
		 syscall(SYS_fadvise64, fd, where,
			 one_in(rng, 16) ? rng_next(rng) : 0, command) :
		 ioctl(fd, command, where);
	if (where == room)
		memcpy(arg, room, size);
	return result;
}

/*
 * Commands of the device
 */

static int log_file(struct rng *rng)
{
	static const char * const names[] = {
		"/dev/null", "/dev/full", "/proc/self/comm", "/tmp",
		"/dev/posixtrace", "/tmp/fuzz-log",
	};
	int fd;

	if (below(rng, 6))
		fd = memfd_create("log", MFD_CLOEXEC);
	else
		fd = open(names[below(rng, 6)], one_in(rng, 8) ? O_RDONLY :
			  one_in(rng, 8) ? O_RDWR | O_CREAT | O_APPEND :
			  O_RDWR | O_CREAT, 0666);
	return fd;
}

static void set_of_kernel_events(struct rng *rng, struct posixtrace_create *arg)
{
	__u64 all = (1ULL << POSIXTRACE_EV_KERNEL_END) -
		       (1ULL << POSIXTRACE_EV_KERNEL);

	if (one_in(rng, 2))
		arg->kernel_events.bits[0] = one_in(rng, 3) ? all :
					     all & rng_next(rng);
	if (one_in(rng, 4)) {
		arg->flags |= POSIXTRACE_CREATE_SYSCALLS;
		arg->syscalls.bits[0] = rng_next(rng);
		if (one_in(rng, 2))
			memset(&arg->syscalls, 0xff, sizeof(arg->syscalls));
	}
}

static void create(struct rng *rng)
{
	static const __u64 sizes[] = { 0, 0, 512, 4096, 4096, 65536, 65536,
				       1 << 20 };
	static const __u64 data[] = { 0, 16, 256, 256, 4096, 65536, 1 << 20 };
	struct posixtrace_create arg = {
		.pid = any_pid(rng),
		.stream_policy = 1 + below(rng, 3),
		.inheritance = 1 + below(rng, 2),
		.log_policy = below(rng, 3) + 1,
		.stream_size = sizes[below(rng, 8)],
		.max_data_size = data[below(rng, 7)],
		.log_size = sizes[below(rng, 8)],
		.name = "fuzz",
	};
	int log = -1;

	if (arg.log_policy == 3)
		arg.log_policy = POSIXTRACE_POLICY_APPEND;
	if (one_in(rng, 2) || arg.stream_policy == POSIXTRACE_POLICY_FLUSH) {
		log = one_in(rng, 16) ? files[any_file(rng)].fd : log_file(rng);
		arg.flags = POSIXTRACE_CREATE_LOG;
		arg.log_fd = log;
	}
	set_of_kernel_events(rng, &arg);
	arg.fd = -1;
	if (!carry_out(rng, device(), POSIXTRACE_IOC_CREATE, &arg, sizeof(arg)) &&
	    arg.stream) {
		struct posixtrace_control control = {
			.size = sizeof(control), .stream = arg.stream,
		};

		if (below(rng, 4))
			ioctl(arg.fd, POSIXTRACE_IOC_START, &control);
		keep_file(rng, arg.fd, arg.stream);
	}
	if (log >= 0 && one_in(rng, 2))
		close(log);
	else
		keep_file(rng, log, 0);
}

static void set_name(struct rng *rng, char *name, size_t size)
{
	if (one_in(rng, 16))
		memset(name, 'x', size);
	else if (one_in(rng, 16))
		snprintf(name, size, "posix_trace_start");
	else
		snprintf(name, size, "n%u",
			 (unsigned int)below(rng, one_in(rng, 8) ? 2000 : 4));
}

static void open_name(struct rng *rng)
{
	struct posixtrace_name arg = { .event_id = 0 };

	set_name(rng, arg.name, sizeof(arg.name));
	carry_out(rng, device(), POSIXTRACE_IOC_EVENTID_OPEN, &arg, sizeof(arg));
}

/* Up to all the names that there can be. */
static void open_many_names(struct rng *rng)
{
	struct posixtrace_name arg = { .size = sizeof(arg) };
	unsigned int i, n = below(rng, 1100), at = any_stream(rng);
	bool own = one_in(rng, 2);

	arg.stream = own ? 0 : files[at].stream;
	for (i = 0; i < n; i++) {
		snprintf(arg.name, sizeof(arg.name), "many%u", i);
		if (ioctl(own ? device() : files[at].fd,
			  own ? POSIXTRACE_IOC_EVENTID_OPEN :
			  POSIXTRACE_IOC_TRID_EVENTID_OPEN, &arg))
			break;
	}
}

static void record(struct rng *rng)
{
	static const __u32 sizes[] = { 0, 1, 8, 16, 64, 256, 257, 1000, 4096,
					  60000, 65536, 70000 };
	unsigned int times = one_in(rng, 8) ? 1 + below(rng, 200) : 1;
	struct posixtrace_event arg = {
		.event_id = any_event_id(rng),
		.data = (uintptr_t)good,
		.data_size = sizes[below(rng, 12)],
		.address = rng_next(rng),
		.thread = rng_next(rng),
	};

	if (one_in(rng, 8))
		arg.data = (uintptr_t)place(rng, good, 64);
	if (one_in(rng, 16))
		arg.data_size = odd_value(rng);
	while (--times) {
		arg.size = sizeof(arg);
		ioctl(device(), POSIXTRACE_IOC_EVENT, &arg);
	}
	carry_out(rng, device(), POSIXTRACE_IOC_EVENT, &arg, sizeof(arg));
}

static void get_limits(struct rng *rng)
{
	struct posixtrace_limits arg = { .streams = 1 };

	carry_out(rng, device(), POSIXTRACE_IOC_LIMITS, &arg, sizeof(arg));
}

/*
 * Commands of a stream
 */

static void control(struct rng *rng)
{
	static const unsigned long commands[] = {
		POSIXTRACE_IOC_START, POSIXTRACE_IOC_START, POSIXTRACE_IOC_START,
		POSIXTRACE_IOC_STOP, POSIXTRACE_IOC_STOP, POSIXTRACE_IOC_CLEAR,
		POSIXTRACE_IOC_TYPELIST_REWIND, POSIXTRACE_IOC_FLUSH,
		POSIXTRACE_IOC_FLUSH, POSIXTRACE_IOC_SHUTDOWN,
	};
	unsigned int at = any_stream(rng);
	struct posixtrace_control arg = {
		.stream = files[at].stream,
		.address = rng_next(rng),
		.thread = rng_next(rng),
	};

	carry_out(rng, files[at].fd, commands[below(rng, 10)], &arg,
		  sizeof(arg));
}

static void get_status(struct rng *rng)
{
	unsigned int at = any_stream(rng);
	struct posixtrace_status arg = {
		.stream = files[at].stream, .flags = below(rng, 2),
	};

	carry_out(rng, files[at].fd, POSIXTRACE_IOC_GET_STATUS, &arg,
		  sizeof(arg));
}

static void get_attr(struct rng *rng)
{
	unsigned int at = any_stream(rng);
	struct posixtrace_attr arg = { .stream = files[at].stream };

	carry_out(rng, files[at].fd, POSIXTRACE_IOC_GET_ATTR, &arg,
		  sizeof(arg));
}

static void filter(struct rng *rng)
{
	unsigned int at = any_stream(rng), i;
	struct posixtrace_filter arg = { .stream = files[at].stream };

	if (one_in(rng, 4)) {
		carry_out(rng, files[at].fd, POSIXTRACE_IOC_GET_FILTER, &arg,
			  sizeof(arg));
		return;
	}
	arg.how = 1 + below(rng, 3);
	for (i = 0; i < 16; i++)
		if (one_in(rng, 4))
			arg.set.bits[i] = rng_next(rng) & rng_next(rng);
	if (one_in(rng, 16))
		memset(&arg.set, 0xff, sizeof(arg.set));
	carry_out(rng, files[at].fd, POSIXTRACE_IOC_SET_FILTER, &arg,
		  sizeof(arg));
}

static void getnext(struct rng *rng)
{
	unsigned int at = any_stream(rng), times = one_in(rng, 8) ?
			  1 + below(rng, 200) : 1;
	struct posixtrace_getnext arg = {
		.stream = files[at].stream,
		.flags = below(rng, 2),
		.data = (uintptr_t)good,
		.data_max = one_in(rng, 4) ? below(rng, 64) : 65536,
	};

	if (one_in(rng, 8))
		arg.data = (uintptr_t)place(rng, good, 64);
	while (--times) {
		arg.size = sizeof(arg);
		if (ioctl(files[at].fd, POSIXTRACE_IOC_GETNEXT, &arg))
			break;
	}
	carry_out(rng, files[at].fd, POSIXTRACE_IOC_GETNEXT, &arg, sizeof(arg));
}

static void wait_for_event(struct rng *rng)
{
	unsigned int at = any_stream(rng);
	struct posixtrace_wait arg = {
		.stream = files[at].stream, .flags = POSIXTRACE_WAIT_TIMEOUT,
	};
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	arg.seconds = now.tv_sec;
	arg.nanoseconds = (now.tv_nsec + below(rng, 20000000)) % 1000000000;
	if (one_in(rng, 8)) {
		/* The timer interrupts it. */
		arg.flags = 0;
		arg.seconds = 0;
		arg.nanoseconds = 0;
	}
	if (one_in(rng, 16))
		arg.seconds = odd_value(rng);
	if (one_in(rng, 16))
		arg.nanoseconds = odd_value(rng);
	carry_out(rng, files[at].fd, POSIXTRACE_IOC_WAIT, &arg, sizeof(arg));
}

static void name_command(struct rng *rng)
{
	static const unsigned long commands[] = {
		POSIXTRACE_IOC_TRID_EVENTID_OPEN,
		POSIXTRACE_IOC_EVENTID_GET_NAME, POSIXTRACE_IOC_TYPELIST_NEXT,
	};
	unsigned int at = any_stream(rng), times = 1 + below(rng, 40);
	unsigned long command = commands[below(rng, 3)];
	struct posixtrace_name arg = {
		.stream = files[at].stream, .event_id = any_event_id(rng),
	};

	if (command == POSIXTRACE_IOC_EVENTID_GET_NAME && one_in(rng, 2))
		arg.event_id = below(rng, 100);
	set_name(rng, arg.name, sizeof(arg.name));
	do {
		if (carry_out(rng, files[at].fd, command, &arg, sizeof(arg)))
			break;
	} while (command == POSIXTRACE_IOC_TYPELIST_NEXT && --times);
}

/* Anything with anything. */
static void random_ioctl(struct rng *rng)
{
	__u64 arg[512];
	__u32 size = 24 + 8 * below(rng, 40);
	unsigned long command = 0xd700 + below(rng, 0x40);
	unsigned int at = any_file(rng), i;

	for (i = 0; i < 512; i++)
		arg[i] = one_in(rng, 4) ? odd_value(rng) : 0;
	if (one_in(rng, 8))
		command = rng_next(rng);
	if (below(rng, 4)) {
		memcpy(arg, &size, sizeof(size));
		arg[1] = files[at].stream;
	}
	ioctl(files[at].fd, command, below(rng, 8) ? arg :
	      place(rng, arg, sizeof(arg)));
}

/*
 * Files
 */

static void read_stream(struct rng *rng)
{
	unsigned int at = any_stream(rng);
	size_t size = one_in(rng, 4) ? below(rng, 200) : 65536;
	void *where = below(rng, 6) ? good : place(rng, good, 64);
	struct iovec iov[2] = { { good, 60 }, { where, size } };

	if (below(rng, 8))
		fcntl(files[at].fd, F_SETFL, O_NONBLOCK);
	switch (below(rng, 6)) {
	case 0:
		readv(files[at].fd, iov, 2);
		break;
	case 1:
		if (pread(files[at].fd, where, size, odd_value(rng)) < 0)
			errno = 0;
		break;
	default:
		if (read(files[at].fd, where, size) < 0)
			errno = 0;
	}
	if (one_in(rng, 4))
		fcntl(files[at].fd, F_SETFL, 0);
}

static void poll_files(struct rng *rng)
{
	struct pollfd fds[FILES];
	struct epoll_event event = { .events = EPOLLIN };
	unsigned int i;
	int epoll;

	if (one_in(rng, 2)) {
		for (i = 0; i < FILES; i++)
			fds[i] = (struct pollfd){ files[i].fd, POLLIN, 0 };
		poll(fds, FILES, below(rng, 10));
		return;
	}
	event.events |= one_in(rng, 2) ? EPOLLET : 0;
	epoll = epoll_create1(EPOLL_CLOEXEC);
	for (i = 0; i < 3; i++)
		epoll_ctl(epoll, EPOLL_CTL_ADD, files[any_stream(rng)].fd,
			  &event);
	epoll_wait(epoll, &event, 1, below(rng, 10));
	keep_file(rng, epoll, 0);
}

static void other_calls(struct rng *rng)
{
	unsigned int at = any_file(rng);
	int fd = files[at].fd, pipes[2];
	struct stat st;
	int flag = 1;

	switch (below(rng, 14)) {
	case 0:
		lseek(fd, odd_value(rng), SEEK_SET);
		break;
	case 1:
		fsync(fd);
		break;
	case 2:
		if (write(fd, good, below(rng, 100)) < 0)
			errno = 0;
		break;
	case 3:
		if (ftruncate(fd, below(rng, 100000)) < 0)
			errno = 0;
		break;
	case 4:
		fstat(fd, &st);
		fchmod(fd, 0600);
		break;
	case 5:
		if (!pipe2(pipes, O_NONBLOCK | O_CLOEXEC)) {
			splice(fd, NULL, pipes[1], NULL, 4096, SPLICE_F_NONBLOCK);
			close(pipes[0]);
			close(pipes[1]);
		}
		break;
	case 6:
		sendfile(files[any_file(rng)].fd, fd, NULL, 4096);
		break;
	case 7:
		ioctl(fd, FIONBIO, &flag);
		ioctl(fd, FIOASYNC, &flag);
		break;
	case 8:
		fcntl(fd, F_SETOWN, getpid());
		fcntl(fd, F_SETFL, (int)(rng_next(rng) & (O_NONBLOCK | O_APPEND |
			O_DIRECT | O_NOATIME)));
		break;
	case 9:
		fcntl(fd, F_SETFD, below(rng, 2));
		break;
	case 10:
		posix_fallocate(fd, below(rng, 10000), below(rng, 10000));
		break;
	case 11:
		setrlimit(RLIMIT_FSIZE, &(struct rlimit){
			one_in(rng, 2) ? below(rng, 100000) : RLIM_INFINITY,
			RLIM_INFINITY });
		break;
	case 12:
		fcntl(fd, F_SETLEASE, F_RDLCK);
		break;
	default:
		setrlimit(RLIMIT_NOFILE, &(struct rlimit){
			one_in(rng, 4) ? 20 : 1024, 4096 });
	}
}

static void close_file(struct rng *rng)
{
	unsigned int at = 1 + below(rng, FILES - 1);

	switch (below(rng, 5)) {
	case 0:
		keep_file(rng, dup(files[at].fd), files[at].stream);
		break;
	case 1:
		syscall(SYS_close_range, 3, 3 + below(rng, 20),
			1 << below(rng, 3));
		files[0].fd = open("/dev/posixtrace", O_RDWR);
		break;
	case 2:
		dup2(files[any_file(rng)].fd, files[at].fd);
		break;
	default:
		close(files[at].fd);
		files[at].fd = -1;
		files[at].stream = 0;
	}
}

static void open_device(struct rng *rng)
{
	keep_file(rng, open("/dev/posixtrace", below(rng, 3) | O_CLOEXEC), 0);
}

static void send_file(struct rng *rng)
{
	char room[CMSG_SPACE(sizeof(int))] = "", byte = 0;
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = room, .msg_controllen = sizeof(room),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);
	unsigned int at = any_stream(rng);
	int fd;

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(cmsg), &files[at].fd, sizeof(int));
	if (one_in(rng, 2)) {
		sendmsg(sockets[0], &msg, MSG_DONTWAIT);
		if (one_in(rng, 2)) {
			close(files[at].fd);
			files[at].fd = -1;
		}
	} else if (recvmsg(sockets[1], &msg, MSG_DONTWAIT) == 1 &&
		   CMSG_FIRSTHDR(&msg)) {
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(fd));
		keep_file(rng, fd, files[at].stream);
	}
}

/*
 * The gate
 */

static void look_at(struct rng *rng, const void *gate)
{
	char seen[256];
	struct iovec to = { seen, 200 }, from = { (void *)gate, 200 };
	pid_t pid = one_in(rng, 2) ? getpid() : processes[below(rng, PROCESSES)];
	char path[64];
	int fd;

	switch (below(rng, 4)) {
	case 0:
		process_vm_readv(pid, &to, 1, &from, 1, 0);
		break;
	case 1:
		process_vm_writev(pid, &to, 1, &from, 1, 0);
		break;
	case 2:
		snprintf(path, sizeof(path), "/proc/%d/mem", pid);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (pread(fd, seen, 100, (off_t)(uintptr_t)gate) < 0 ||
		    (one_in(rng, 2) &&
		     pwrite(fd, seen, 1, (off_t)(uintptr_t)gate) < 0))
			errno = 0;
		close(fd);
		break;
	default:
		/* As any program does, if it is there. */
		if (write(sockets[0], gate, 1) < 0)
			errno = 0;
		if (read(sockets[1], seen, 1) < 0)
			errno = 0;
	}
}

static void map_gate(struct rng *rng)
{
	unsigned int at = below(rng, MAPS);
	int prot = one_in(rng, 8) ? (int)below(rng, 8) : PROT_READ;
	int flags = one_in(rng, 8) ? MAP_PRIVATE : MAP_SHARED;
	void *p = mmap(one_in(rng, 4) ? maps[at] : NULL,
		       PAGE * (one_in(rng, 8) ? below(rng, 3) : 1), prot, flags,
		       below(rng, 8) ? device() : files[any_file(rng)].fd,
		       one_in(rng, 8) ? PAGE * below(rng, 3) : 0);

	if (p != MAP_FAILED)
		maps[at] = p;
	if (one_in(rng, 2))
		look_at(rng, maps[at]);
}

static void change_map(struct rng *rng)
{
	static const int advice[] = { MADV_DOFORK, MADV_DONTFORK, MADV_DONTNEED,
				      MADV_REMOVE, MADV_WILLNEED, MADV_MERGEABLE,
				      MADV_FREE, MADV_WIPEONFORK, MADV_COLD,
				      MADV_PAGEOUT, MADV_DODUMP };
	unsigned int at = below(rng, MAPS);
	void *p = maps[at];
	__u8 core[4];

	switch (below(rng, 8)) {
	case 0:
		munmap(p, PAGE);
		break;
	case 1:
		p = mremap(p, one_in(rng, 4) ? 0 : PAGE, PAGE *
			   (1 + one_in(rng, 4)), MREMAP_MAYMOVE);
		if (p != MAP_FAILED)
			maps[at] = p;
		break;
	case 2:
		p = mremap(p, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_DONTUNMAP);
		if (p != MAP_FAILED)
			maps[at] = p;
		break;
	case 3:
		mprotect(p, PAGE, below(rng, 8));
		break;
	case 4:
		mlock(p, PAGE);
		msync(p, PAGE, MS_SYNC);
		mincore(p, PAGE, core);
		break;
	case 5:
		syscall(SYS_remap_file_pages, p, PAGE, 0, below(rng, 2), 0);
		break;
	default:
		madvise(p, PAGE, advice[below(rng, 11)]);
	}
	if (one_in(rng, 2))
		look_at(rng, maps[at]);
}

/*
 * Netlink
 */

static int netlink_fd[THREADS] = { -1, -1, -1 };

static void netlink(struct rng *rng)
{
	struct {
		struct nlmsghdr nl;
		struct genlmsghdr genl;
		struct nlattr attr;
		__u64 value[4];
	} m = {
		.nl.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN),
		.nl.nlmsg_type = netlink_family,
		.nl.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
		.genl.cmd = POSIXTRACE_NL_GET_STREAMS,
		.genl.version = POSIXTRACE_NL_VERSION,
		.attr.nla_type = below(rng, 30),
		.attr.nla_len = NLA_HDRLEN + below(rng, 33),
	};
	int *fd = &netlink_fd[thread_nr()];
	unsigned int i, action = below(rng, 8);

	if (*fd < 0 || one_in(rng, 16)) {
		close(*fd);
		*fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC,
			     NETLINK_GENERIC);
	}
	if (action < 2)
		setsockopt(*fd, SOL_NETLINK, action ? NETLINK_ADD_MEMBERSHIP :
			   NETLINK_DROP_MEMBERSHIP, &netlink_group,
			   sizeof(netlink_group));
	if (action == 2)
		m.nl.nlmsg_len += NLA_ALIGN(m.attr.nla_len);
	if (action == 3)
		spoil(rng, &m, sizeof(m));
	if (action == 4)
		m.genl.cmd = below(rng, 5);
	if (action == 5)
		m.nl.nlmsg_flags = rng_next(rng);
	send(*fd, &m, below(rng, 16) ? m.nl.nlmsg_len : below(rng, sizeof(m)),
	     MSG_DONTWAIT);
	for (i = below(rng, 20); i; i--)
		recv(*fd, good, one_in(rng, 4) ? below(rng, 500) : 65536,
		     MSG_DONTWAIT);
}

/*
 * Processes
 */

static void few_ops(struct rng *rng);

static int be_child(void *arg)
{
	struct rng rng = { *(__u64 *)arg };

	few_ops(&rng);
	if (one_in(&rng, 2))
		usleep(below(&rng, 20000));
	if (one_in(&rng, 12))
		execl("/proc/self/exe", "ioctl", "-x", NULL);
	_exit(0);
}

static void *be_thread(void *arg)
{
	__u64 seed = *(__u64 *)arg;

	free(arg);
	if (seed % 8 == 0)
		execl("/proc/self/exe", "ioctl", "-x", NULL);
	return NULL;
}

static void make_thread(struct rng *rng)
{
	__u64 *seed = malloc(sizeof(*seed));
	pthread_t thread;

	*seed = rng_next(rng);
	if (below(rng, 8))
		*seed |= 1;
	if (pthread_create(&thread, NULL, be_thread, seed))
		free(seed);
	else
		pthread_detach(thread);
}

static void make_child(struct rng *rng)
{
	static const int sharing[] = { 0, 0, CLONE_FILES, CLONE_FILES,
				       CLONE_NEWUTS, CLONE_NEWUSER,
				       CLONE_NEWPID, CLONE_PARENT };
	static char stacks[PROCESSES][65536];
	unsigned int at = below(rng, PROCESSES);
	static __u64 seeds[PROCESSES];
	int flags = sharing[below(rng, 8)] | SIGCHLD;
	pid_t pid;

	seeds[at] = rng_next(rng);
	switch (below(rng, 4)) {
	case 0:
		pid = vfork();
		if (!pid) {
			if (seeds[at] % 4 == 0)
				execl("/proc/self/exe", "ioctl", "-x", NULL);
			_exit(0);
		}
		break;
	case 1:
		/* A stack of each is in use until it has ended. */
		if (processes[at] > 0 && kill(processes[at], 0) == 0)
			return;
		pid = clone(be_child, stacks[at] + sizeof(stacks[at]),
			    flags | CLONE_VM, &seeds[at]);
		break;
	default:
		pid = syscall(SYS_clone, flags, NULL, NULL, NULL, 0);
		if (!pid)
			be_child(&seeds[at]);
	}
	if (pid > 0)
		processes[at] = pid;
}

static void signal_child(struct rng *rng)
{
	static const int signals[] = { SIGKILL, SIGTERM, SIGSTOP, SIGCONT,
				       SIGUSR1, SIGSEGV };
	pid_t pid = processes[below(rng, PROCESSES)];

	if (pid <= 0)
		return;
	if (one_in(rng, 4)) {
		ptrace(PTRACE_SEIZE, pid, NULL, NULL);
		ptrace(PTRACE_INTERRUPT, pid, NULL, NULL);
		ptrace(PTRACE_POKEDATA, pid, maps[0], 0);
		ptrace(PTRACE_DETACH, pid, NULL, NULL);
	}
	kill(pid, signals[below(rng, 6)]);
	if (one_in(rng, 2))
		waitpid(pid, NULL, WNOHANG);
}

/* The privileges of the program, and who may see it. */
static void change_self(struct rng *rng)
{
	switch (below(rng, 6)) {
	case 0:
		prctl(PR_SET_DUMPABLE, below(rng, 2));
		break;
	case 1:
		if (setresuid(1000, 1000, one_in(rng, 2) ? 0 : 1000))
			errno = 0;
		break;
	case 2:
		unshare(CLONE_FILES);
		break;
	case 3:
		unshare(CLONE_FILES | CLONE_NEWUTS);
		break;
	case 4:
		unshare(CLONE_NEWUSER);
		break;
	default:
		raise(SIGUSR1);
	}
}

/* What kernel events tell of. */
static void do_things(struct rng *rng)
{
	char *p = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int i, n = below(rng, 100);

	for (i = 0; i < n; i++) {
		getppid();
		sched_yield();
		if (p != MAP_FAILED)
			p[i % 4 * PAGE] = 1;
	}
	if (p != MAP_FAILED)
		munmap(p, 4 * PAGE);
	syscall(rng_next(rng) % 2 ? 10000 : -1UL);
	usleep(below(rng, 2000));
}

/* One of the next allocations or user copies of this thread fails. */
static void fail_soon(struct rng *rng)
{
	char text[8];
	int len = snprintf(text, sizeof(text), "%u",
			   (unsigned int)(1 + below(rng, 30)));

	if (pwrite(fail_fd[thread_nr()], text, len, 0) < 0)
		errno = 0;
}

static const struct {
	const char *name;
	void (*run)(struct rng *rng);
	unsigned int weight;
} op_kinds[] = {
	{ "create", create, 12 },
	{ "open_name", open_name, 4 },
	{ "open_many_names", open_many_names, 1 },
	{ "record", record, 12 },
	{ "get_limits", get_limits, 1 },
	{ "control", control, 12 },
	{ "get_status", get_status, 3 },
	{ "get_attr", get_attr, 1 },
	{ "filter", filter, 5 },
	{ "getnext", getnext, 6 },
	{ "wait", wait_for_event, 3 },
	{ "name", name_command, 5 },
	{ "ioctl", random_ioctl, 3 },
	{ "read", read_stream, 6 },
	{ "poll", poll_files, 3 },
	{ "other", other_calls, 4 },
	{ "close", close_file, 3 },
	{ "device", open_device, 1 },
	{ "send", send_file, 2 },
	{ "map", map_gate, 4 },
	{ "remap", change_map, 4 },
	{ "thread", make_thread, 2 },
	{ "child", make_child, 5 },
	{ "signal", signal_child, 3 },
	{ "self", change_self, 2 },
	{ "things", do_things, 4 },
	{ "netlink", netlink, 3 },
	{ "fail", fail_soon, 6 },
};

#define KINDS	ARRAY_SIZE(op_kinds)

unsigned int draw_kind(struct rng *rng)
{
	unsigned int i, sum = 0, at;

	for (i = 0; i < KINDS; i++)
		sum += op_kinds[i].weight;
	at = below(rng, sum);
	for (i = 0; at >= op_kinds[i].weight; i++)
		at -= op_kinds[i].weight;
	return i;
}

/* In a child: what it does must not go on for ever. */
static void few_ops(struct rng *rng)
{
	unsigned int i, n = below(rng, 6);
	void (*run)(struct rng *rng);

	for (i = 0; i < n; i++) {
		run = op_kinds[draw_kind(rng)].run;
		if (run != make_child && run != make_thread)
			run(rng);
	}
}

/* What a program does that was executed: it may be traced. */
void program_executed(void)
{
	struct posixtrace_name name = { .size = sizeof(name), .name = "executed" };
	struct posixtrace_event event = { .size = sizeof(event) };
	int fd = open("/dev/posixtrace", O_RDWR | O_CLOEXEC), pid = getpid();
	char *gate;

	if (pid % 2) {
		ioctl(fd, POSIXTRACE_IOC_EVENTID_OPEN, &name);
		event.event_id = name.event_id;
		ioctl(fd, POSIXTRACE_IOC_EVENT, &event);
	}
	if (pid % 4 < 2) {
		gate = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
		if (gate != MAP_FAILED && !gate[0])
			exit(1);
	}
	if (pid % 3) {
		if (!fork())
			_exit(0);
		wait(NULL);
	}
}

void program_print(const struct program *program)
{
	unsigned int i;

	for (i = 0; i < program->nr; i++)
		printf("%u: %s %#llx\n", program->ops[i].thread,
		       op_kinds[program->ops[i].kind].name,
		       (unsigned long long)program->ops[i].seed);
	fflush(stdout);
}

/*
 * Execution
 */

static const struct program *running;
static __thread unsigned int own_nr;

static unsigned int thread_nr(void)
{
	return own_nr;
}

static void *run_thread(void *arg)
{
	unsigned int i;
	struct rng rng;

	own_nr = (unsigned int)(uintptr_t)arg;
	fail_fd[own_nr] = open("/proc/thread-self/fail-nth", O_WRONLY | O_CLOEXEC);
	for (i = 0; i < running->nr; i++) {
		if (running->ops[i].thread != own_nr)
			continue;
		rng.state = running->ops[i].seed;
		op_kinds[running->ops[i].kind].run(&rng);
	}
	return NULL;
}

static void on_alarm(int sig)
{
	(void)sig;
}

static void prepare(void)
{
	struct sigaction action = { .sa_handler = on_alarm };
	/* No faster: a fork that is interrupted begins anew. */
	struct itimerval every = { { 0, 200000 }, { 0, 200000 } };
	unsigned int i;
	int memory;

	for (i = 0; i < FILES; i++)
		files[i].fd = -1;
	for (i = 0; i < 2; i++)
		files[i].fd = open("/dev/posixtrace", O_RDWR | O_CLOEXEC);
	good = mmap(NULL, 4 * 65536, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	border = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	hole = border + 2 * PAGE;
	mprotect(hole, PAGE, PROT_NONE);
	border = hole;
	memory = memfd_create("memory", MFD_CLOEXEC);
	if (ftruncate(memory, 2 * PAGE))
		_exit(1);
	read_only = mmap(NULL, 2 * PAGE, PROT_READ, MAP_SHARED, memory, 0);
	alias = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, memory,
		     0);
	close(memory);
	for (i = 0; i < MAPS; i++)
		maps[i] = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, device(), 0);
	sigaction(SIGALRM, &action, NULL);
	sigaction(SIGUSR1, &action, NULL);
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	setitimer(ITIMER_REAL, &every, NULL);
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0,
		       sockets))
		_exit(1);
}

void program_run(const struct program *program)
{
	pthread_t threads[THREADS];
	unsigned int i, n;

	prepare();
	running = program;
	for (i = 1; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, run_thread,
				   (void *)(uintptr_t)i))
			_exit(1);
	run_thread(NULL);
	/* Nobody waits for what will never come. */
	for (i = 1; i < THREADS; i++) {
		for (n = 1; pthread_tryjoin_np(threads[i], NULL); n++) {
			usleep(1000);
			if (n % 100 == 0)
				pthread_kill(threads[i], SIGUSR1);
		}
	}
}
