/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * posixtrace: the POSIX Tracing option, interface of the kernel module
 *
 * /dev/posixtrace is opened by whoever traces or is instrumented. Its ioctls
 * make streams, register event names and record events; one page of it can be
 * mapped, which tells a process whether anybody wants its events (the gate).
 * POSIXTRACE_IOC_CREATE gives a stream: a file descriptor of its own, with
 * ioctls of its own. The C library libposixtrace turns every posix_trace_*
 * call into one of these; section numbers below are those of POSIX.1-2008.
 *
 * Every argument is a struct whose first field is its size as the caller
 * knows it. A struct may grow at its end: a shorter one than the kernel's is
 * taken as if the rest were zero, a longer one only if the rest is zero.
 *
 * Errors common to all commands:
 *
 * ======= ==============================================================
 * EFAULT  a pointer does not lead to memory of the caller
 * EINVAL  the struct is shorter than the first version, a reserved field or
 *         an unknown flag is not zero, a value is out of range
 * E2BIG   the struct is longer than the kernel's, and the rest is not zero;
 *         or longer than a page
 * ENOTTY  the command is not one of this file
 * ======= ==============================================================
 *
 * and of all commands on a stream descriptor:
 *
 * ======= ==============================================================
 * EINVAL  the caller is not the process that made the stream, or the stream
 *         was shut down, or @stream is not the number of this stream
 * ======= ==============================================================
 */
#ifndef _UAPI_LINUX_POSIXTRACE_H
#define _UAPI_LINUX_POSIXTRACE_H

#include <linux/ioctl.h>
#include <linux/types.h>

/*
 * What a program does once for each event can be asked for by fadvise64(2), too:
 *
 *	fadvise64(fd, (uintptr_t)arg, 0, command)  is  ioctl(fd, command, arg)
 *
 * for POSIXTRACE_IOC_EVENT and POSIXTRACE_IOC_GETNEXT. Nothing else is different
 * but that the kernel's way from there to the module is shorter. Whoever finds
 * that it fails with another error than ENODATA (a sandbox that does not know it,
 * a kernel built without it) can call ioctl().
 */

/* Type letter, free in Documentation/userspace-api/ioctl/ioctl-number.rst. */
#define POSIXTRACE_IOC_TYPE		0xD7

/*
 * Limits. Lengths of names do not count the terminating NUL.
 */
#define POSIXTRACE_EVENT_NAME_MAX	63	/* TRACE_EVENT_NAME_MAX */
#define POSIXTRACE_NAME_MAX		63	/* TRACE_NAME_MAX */
#define POSIXTRACE_USER_EVENT_MAX	256	/* TRACE_USER_EVENT_MAX */
#define POSIXTRACE_DATA_MAX		65536	/* largest max-data-size in force */
#define POSIXTRACE_SYSCALL_MAX		512	/* numbers that a set can hold */

/*
 * Event types. An identifier is also a position in a set.
 *
 *    1 ..    9  the standard's
 *   16 ..   63  kernel events, recorded by a stream that asked for them
 *   64 .. 1023  names opened by programs, in order of registration
 */
#define POSIXTRACE_EVENT_MAX		1024

enum posixtrace_event_id {
	POSIXTRACE_EV_ERROR		= 1,
	POSIXTRACE_EV_START		= 2,
	POSIXTRACE_EV_STOP		= 3,
	POSIXTRACE_EV_FILTER		= 4,
	POSIXTRACE_EV_OVERFLOW		= 5,
	POSIXTRACE_EV_RESUME		= 6,
	POSIXTRACE_EV_FLUSH_START	= 7,
	POSIXTRACE_EV_FLUSH_STOP	= 8,
	POSIXTRACE_EV_UNNAMED		= 9,
	POSIXTRACE_EV_STANDARD_END,

	POSIXTRACE_EV_KERNEL		= 16,
	POSIXTRACE_EV_SYSCALL_ENTER	= 16,
	POSIXTRACE_EV_SYSCALL_EXIT	= 17,
	POSIXTRACE_EV_SCHED_IN		= 18,
	POSIXTRACE_EV_SCHED_OUT		= 19,
	POSIXTRACE_EV_SCHED_WAKEUP	= 20,
	POSIXTRACE_EV_SIGNAL_GENERATE	= 21,
	POSIXTRACE_EV_SIGNAL_DELIVER	= 22,
	POSIXTRACE_EV_FORK		= 23,
	POSIXTRACE_EV_EXEC		= 24,
	POSIXTRACE_EV_THREAD_EXIT	= 25,
	POSIXTRACE_EV_EXIT		= 26,
	POSIXTRACE_EV_PAGE_FAULT	= 27,
	POSIXTRACE_EV_KERNEL_END,

	POSIXTRACE_EV_USER		= 64,
};

/*
 * Names of the types that need no opening: initializes an array with
 * POSIXTRACE_EV_USER members.
 */
#define POSIXTRACE_EVENT_NAMES {					\
	[POSIXTRACE_EV_ERROR]		= "posix_trace_error",		\
	[POSIXTRACE_EV_START]		= "posix_trace_start",		\
	[POSIXTRACE_EV_STOP]		= "posix_trace_stop",		\
	[POSIXTRACE_EV_FILTER]		= "posix_trace_filter",		\
	[POSIXTRACE_EV_OVERFLOW]	= "posix_trace_overflow",	\
	[POSIXTRACE_EV_RESUME]		= "posix_trace_resume",		\
	[POSIXTRACE_EV_FLUSH_START]	= "posix_trace_flush_start",	\
	[POSIXTRACE_EV_FLUSH_STOP]	= "posix_trace_flush_stop",	\
	[POSIXTRACE_EV_UNNAMED]		= "posix_trace_unnamed_userevent", \
	[POSIXTRACE_EV_SYSCALL_ENTER]	= "linux_syscall_enter",	\
	[POSIXTRACE_EV_SYSCALL_EXIT]	= "linux_syscall_exit",		\
	[POSIXTRACE_EV_SCHED_IN]	= "linux_sched_in",		\
	[POSIXTRACE_EV_SCHED_OUT]	= "linux_sched_out",		\
	[POSIXTRACE_EV_SCHED_WAKEUP]	= "linux_sched_wakeup",		\
	[POSIXTRACE_EV_SIGNAL_GENERATE]	= "linux_signal_generate",	\
	[POSIXTRACE_EV_SIGNAL_DELIVER]	= "linux_signal_deliver",	\
	[POSIXTRACE_EV_FORK]		= "linux_fork",			\
	[POSIXTRACE_EV_EXEC]		= "linux_exec",			\
	[POSIXTRACE_EV_THREAD_EXIT]	= "linux_thread_exit",		\
	[POSIXTRACE_EV_EXIT]		= "linux_exit",			\
	[POSIXTRACE_EV_PAGE_FAULT]	= "linux_page_fault",		\
}

/**
 * struct posixtrace_event_set - set of event types
 * @bits: bit (id % 64) of word (id / 64) stands for the type with that id
 */
struct posixtrace_event_set {
	__u64 bits[POSIXTRACE_EVENT_MAX / 64];
};

/**
 * struct posixtrace_syscall_set - set of system calls
 * @bits: bit (nr % 64) of word (nr / 64) stands for the system call with that
 *	number in the native table
 *
 * A call of another calling convention, or beyond the set, is in none but the
 * full set.
 */
struct posixtrace_syscall_set {
	__u64 bits[POSIXTRACE_SYSCALL_MAX / 64];
};

/* Values of the stream attributes; the same as in <trace.h>. */
enum posixtrace_full_policy {
	POSIXTRACE_POLICY_LOOP		= 1,
	POSIXTRACE_POLICY_UNTIL_FULL	= 2,
	POSIXTRACE_POLICY_FLUSH		= 3,	/* streams with a log */
	POSIXTRACE_POLICY_APPEND	= 4,	/* logs */
};

enum posixtrace_inheritance {
	POSIXTRACE_CLOSE_FOR_CHILD	= 1,
	POSIXTRACE_INHERITED		= 2,
};

enum posixtrace_truncation {
	POSIXTRACE_NOT_TRUNCATED	= 0,
	POSIXTRACE_TRUNCATED_RECORD	= 1,
	POSIXTRACE_TRUNCATED_READ	= 2,
};

/**
 * struct posixtrace_record - an event, as stored and as read() gives it
 * @size: bytes of this record with its data and padding, a multiple of 8
 * @data_size: bytes of data that follow this header
 * @event_id: event type
 * @truncation: enum posixtrace_truncation
 * @pid: process that generated it, in the pid namespace of the stream's owner;
 *	0 for a system event that belongs to no process
 * @tid: kernel thread id of the thread, likewise; 0 if it belongs to none
 * @cpu: processor on which it was recorded
 * @timestamp: CLOCK_REALTIME, nanoseconds
 * @thread: pthread_t of the thread that generated it, 0 if none or unknown
 * @address: of the call that generated it, 0 if none
 *
 * read() on a stream descriptor returns as many whole records as fit, oldest
 * first, and takes them out of the stream. It blocks while there is none,
 * unless O_NONBLOCK is set; it fails with EINVAL when the buffer is smaller
 * than the oldest record. POLLIN says that there is a record, POLLHUP that
 * the stream was shut down.
 */
struct posixtrace_record {
	__u32 size;
	__u32 data_size;
	__u16 event_id;
	__u16 truncation;
	__s32 pid;
	__s32 tid;
	__u32 cpu;
	__u64 timestamp;
	__u64 thread;
	__u64 address;
};

/* Room that one event with @data_size bytes of data takes in a stream. */
#define POSIXTRACE_RECORD_SIZE(data_size) \
	((sizeof(struct posixtrace_record) + (data_size) + 7) & ~(__u64)7)

/* Room that the largest system event takes: FILTER, with two sets. */
#define POSIXTRACE_SYSTEM_EVENT_SIZE_MAX \
	POSIXTRACE_RECORD_SIZE(2 * sizeof(struct posixtrace_event_set))

/*
 * Data of the kernel events
 *
 * An event belongs to the process that it happens to, @pid and @tid of its
 * record name the thread. Pids in the data are, as those of the record, in the
 * pid namespace of the stream's owner; 0: a process that is not visible there,
 * or none. @address of the record is the program's, where it is known: of the
 * instruction after a system call, or of that which faulted; else 0.
 *
 * ======================= ===================================================
 * linux_syscall_enter     struct posixtrace_syscall_enter
 * linux_syscall_exit      struct posixtrace_syscall_exit
 * linux_sched_in          struct posixtrace_sched: the thread begins to run
 * linux_sched_out         struct posixtrace_sched: the thread runs no more
 * linux_sched_wakeup      struct posixtrace_sched: the thread is made runnable,
 *                         also for the first time
 * linux_signal_generate   struct posixtrace_signal_generate
 * linux_signal_deliver    struct posixtrace_signal_deliver
 * linux_fork              struct posixtrace_fork: a child process or a thread
 *                         was made and has not run yet
 * linux_exec              struct posixtrace_exec: another program is about to
 *                         begin
 * linux_thread_exit       struct posixtrace_exit: a thread ended, others of its
 *                         process live on. Of threads that end together with
 *                         the process, linux_exit may be the only word
 * linux_exit              struct posixtrace_exit: the process ended, it is its
 *                         last event
 * linux_page_fault        struct posixtrace_page_fault: in user mode (x86)
 * ======================= ===================================================
 *
 * From a thread that has begun to exit come only the two events of exiting.
 * While a program takes the place of another one, from the point on from which
 * it can't fail without ending the process until linux_exec, there are none:
 * only then it is known who may see it. If it fails there is only linux_exit.
 */

/**
 * struct posixtrace_syscall_enter - data of linux_syscall_enter
 * @nr: number of the system call in the table of @arch
 * @arch: AUDIT_ARCH_* of the calling convention (linux/audit.h)
 * @args: the six argument registers
 */
struct posixtrace_syscall_enter {
	__s32 nr;
	__u32 arch;
	__u64 args[6];
};

/**
 * struct posixtrace_syscall_exit - data of linux_syscall_exit
 * @nr: as in struct posixtrace_syscall_enter; -1 after rt_sigreturn(2) on x86
 * @arch: likewise
 * @ret: result; -4095 .. -1 is a negated error number
 */
struct posixtrace_syscall_exit {
	__s32 nr;
	__u32 arch;
	__s64 ret;
};

enum posixtrace_task_state {
	POSIXTRACE_TASK_RUNNABLE	= 0,	/* R: another one was preferred */
	POSIXTRACE_TASK_INTERRUPTIBLE	= 1,	/* S */
	POSIXTRACE_TASK_UNINTERRUPTIBLE	= 2,	/* D */
	POSIXTRACE_TASK_STOPPED		= 3,	/* T */
	POSIXTRACE_TASK_TRACED		= 4,	/* t */
	POSIXTRACE_TASK_OTHER		= 5,
};

/**
 * struct posixtrace_sched - data of linux_sched_in, _out and _wakeup
 * @cpu: processor that the thread runs on, ran on, or is to run on
 * @state: linux_sched_out: what it waits for, enum posixtrace_task_state; else 0
 */
struct posixtrace_sched {
	__u32 cpu;
	__u32 state;
};

enum posixtrace_signal_result {
	POSIXTRACE_SIGNAL_DELIVERED	= 0,	/* it is pending */
	POSIXTRACE_SIGNAL_IGNORED	= 1,
	POSIXTRACE_SIGNAL_PENDING	= 2,	/* it was already */
	POSIXTRACE_SIGNAL_OVERFLOW	= 3,	/* a queued one found no room */
	POSIXTRACE_SIGNAL_LOST_INFO	= 4,	/* pending, without siginfo */
};

/**
 * struct posixtrace_signal_generate - data of linux_signal_generate
 * @pid: process that sent it, or with SIGCHLD the child; 0: the kernel, or a
 *	process that is not visible
 * @signo: the signal
 * @code: si_code
 * @to_process: 1 sent to the process, 0 to the thread of the record
 * @result: enum posixtrace_signal_result
 */
struct posixtrace_signal_generate {
	__s32 pid;
	__s32 signo;
	__s32 code;
	__u32 to_process;
	__u32 result;
};

/**
 * struct posixtrace_signal_deliver - data of linux_signal_deliver
 * @pid: si_pid, if the signal has one; else 0
 * @signo: the signal
 * @code: si_code; SI_USER for a thread that ends because its process was killed
 * @flags: sa_flags of the action
 * @handler: 0: default action; 1: it is ignored by now; else address of the
 *	handler
 */
struct posixtrace_signal_deliver {
	__s32 pid;
	__s32 signo;
	__s32 code;
	__u32 flags;
	__u64 handler;
};

/**
 * struct posixtrace_fork - data of linux_fork
 * @pid: child process; that of the record if a thread was made
 * @tid: its first thread, or that thread
 */
struct posixtrace_fork {
	__s32 pid;
	__s32 tid;
};

/**
 * struct posixtrace_exec - data of linux_exec
 * @length: of the name as the program gave it, without the NUL
 * @filename: NUL-terminated, cut to POSIXTRACE_EXEC_NAME_MAX bytes
 *
 * The data ends behind the NUL.
 */
struct posixtrace_exec {
	__u32 length;
	char filename[];
};

#define POSIXTRACE_EXEC_NAME_MAX	247

/**
 * struct posixtrace_exit - data of linux_thread_exit and linux_exit
 * @status: as wait(2) stores it
 */
struct posixtrace_exit {
	__s32 status;
};

/**
 * struct posixtrace_page_fault - data of linux_page_fault
 * @address: that was accessed
 * @error_code: of the processor: 0x1 protection, 0x2 write, 0x10 instruction
 */
struct posixtrace_page_fault {
	__u64 address;
	__u64 error_code;
};

/**
 * struct posixtrace_gate - what a page mapped from /dev/posixtrace holds
 * @format: POSIXTRACE_GATE_FORMAT; do not interpret another one
 * @wanted: not 0 if any bit of @events is set
 * @events: the user event types that some stream of this process would record,
 *	or would have to count as lost
 *
 * mmap() with PROT_READ, MAP_SHARED, one page, offset 0. The kernel keeps it up
 * to date. After fork() the child finds a page of its own at the same address.
 */
struct posixtrace_gate {
	__u32 format;
	__u32 wanted;
	struct posixtrace_event_set events;
};

#define POSIXTRACE_GATE_FORMAT		1

/*
 * Commands of /dev/posixtrace
 */

/**
 * struct posixtrace_create - make a stream (posix_trace_create)
 * @size: sizeof(struct posixtrace_create)
 * @flags: POSIXTRACE_CREATE_*
 * @pid: process to trace, in the caller's pid namespace; 0 for the caller
 * @stream_policy: POSIXTRACE_POLICY_LOOP, _UNTIL_FULL, or, with a log, _FLUSH
 * @inheritance: enum posixtrace_inheritance
 * @log_policy: POSIXTRACE_POLICY_LOOP, _UNTIL_FULL or _APPEND; without a log it
 *	is kept and reported
 * @stream_size: bytes for event records, raised to what two of the largest
 *	system events and one of the largest user events take
 * @max_data_size: user data beyond it is cut; lowered to POSIXTRACE_DATA_MAX
 * @log_size: bytes for event records in the log, raised to what a whole stream
 *	and a STOP event take; not used by _APPEND; without a log as @log_policy
 * @kernel_events: kernel events that the stream can record
 * @name: trace-name, NUL-terminated
 * @fd: out: stream descriptor, close-on-exec
 * @log_fd: with POSIXTRACE_CREATE_LOG: descriptor of the log, open for writing;
 *	else 0. It remains the caller's, who may close it
 * @stream: out: number of the stream, never given out again
 * @syscalls: with POSIXTRACE_CREATE_SYSCALLS: the system calls whose events are
 *	recorded, others cost neither room nor copying; else 0, and all are
 *
 * The stream is suspended. It belongs to the calling process; it is shut down
 * when that process closes the descriptor, exits, is killed or executes
 * another program.
 *
 * Return: 0, or
 * * EAGAIN: there are as many streams in the system as sys_max allows
 * * EBADF: @log_fd is not open for writing
 * * EFBIG: the log would be larger than a file may be
 * * EINVAL: a policy is not valid for a stream without log; unknown kernel event;
 *   @log_fd is not a regular file, or open for appending (O_APPEND)
 * * EMFILE, ENFILE: no descriptor is free
 * * ENOSPC: no room on the device of the log; or another error of writing to it
 * * ENOMEM: not enough memory, or the user's quota is used up
 * * EPERM: the caller may not read the state of @pid (ptrace(2),
 *   PTRACE_MODE_READ), or @pid is a kernel thread
 * * ESRCH: @pid does not exist, or is a zombie
 */
struct posixtrace_create {
	__u32 size;
	__u32 flags;
	__s32 pid;
	__u32 stream_policy;
	__u32 inheritance;
	__u32 log_policy;
	__u64 stream_size;
	__u64 max_data_size;
	__u64 log_size;
	struct posixtrace_event_set kernel_events;
	char name[POSIXTRACE_NAME_MAX + 1];
	__s32 fd;
	__s32 log_fd;
	__u64 stream;
	struct posixtrace_syscall_set syscalls;
};

#define POSIXTRACE_CREATE_LOG		0x1	/* write a log to log_fd */
#define POSIXTRACE_CREATE_SYSCALLS	0x2	/* record only those in syscalls */

#define POSIXTRACE_IOC_CREATE		_IO(POSIXTRACE_IOC_TYPE, 0x10)

/**
 * struct posixtrace_name - map a name to an identifier
 * @size: sizeof(struct posixtrace_name)
 * @event_id: out; in for POSIXTRACE_IOC_EVENTID_GET_NAME
 * @stream: on a stream descriptor its number, else 0
 * @name: NUL-terminated
 *
 * POSIXTRACE_IOC_EVENTID_OPEN (posix_trace_eventid_open) registers the name for
 * the calling process. At the limit POSIXTRACE_EV_UNNAMED is returned.
 *
 * Return: 0, or
 * * ENAMETOOLONG: there is no NUL in @name
 * * ENOMEM: not enough memory
 */
struct posixtrace_name {
	__u32 size;
	__u32 event_id;
	__u64 stream;
	char name[POSIXTRACE_EVENT_NAME_MAX + 1];
};

#define POSIXTRACE_IOC_EVENTID_OPEN	_IO(POSIXTRACE_IOC_TYPE, 0x11)

/**
 * struct posixtrace_event - record an event (posix_trace_event)
 * @size: sizeof(struct posixtrace_event)
 * @event_id: a user event type
 * @data: address of the data
 * @data_size: its length
 * @address: of the call
 * @thread: pthread_t of the caller
 *
 * An event that no stream wants is ignored, also one with an identifier that
 * was never opened. If @data can't be read the event counts as lost.
 */
struct posixtrace_event {
	__u32 size;
	__u32 event_id;
	__u64 data;
	__u64 data_size;
	__u64 address;
	__u64 thread;
};

#define POSIXTRACE_IOC_EVENT		_IO(POSIXTRACE_IOC_TYPE, 0x12)

/**
 * struct posixtrace_limits - limits in force
 * @size: sizeof(struct posixtrace_limits)
 * @__reserved: must be 0
 * @sys_max: out: TRACE_SYS_MAX, streams in the system
 * @streams: out: streams that exist now
 * @user_quota: out: bytes of stream memory per user, 0: no limit
 */
struct posixtrace_limits {
	__u32 size;
	__u32 __reserved;
	__u32 sys_max;
	__u32 streams;
	__u64 user_quota;
};

#define POSIXTRACE_IOC_LIMITS		_IO(POSIXTRACE_IOC_TYPE, 0x13)

/*
 * Commands of a stream descriptor
 */

/**
 * struct posixtrace_control - commands that need no more than the stream
 * @size: sizeof(struct posixtrace_control)
 * @__reserved: must be 0
 * @stream: number of the stream
 * @address: of the call that the event is to show, 0: none
 * @thread: pthread_t of the caller, shown if the stream traces the caller
 *
 * POSIXTRACE_IOC_START, _STOP, _CLEAR, _SHUTDOWN, _TYPELIST_REWIND, _FLUSH:
 * posix_trace_start() and so on. The descriptor remains to be closed after
 * _SHUTDOWN. @address and @thread are used by _START and _STOP.
 *
 * _FLUSH and _SHUTDOWN of a stream with a log return when all that was recorded
 * before is in the log, or with the error that prevented it: EFBIG, ENOSPC, or
 * another error of writing. _FLUSH of a stream without log: EINVAL.
 */
struct posixtrace_control {
	__u32 size;
	__u32 __reserved;
	__u64 stream;
	__u64 address;
	__u64 thread;
};

#define POSIXTRACE_IOC_START		_IO(POSIXTRACE_IOC_TYPE, 0x20)
#define POSIXTRACE_IOC_STOP		_IO(POSIXTRACE_IOC_TYPE, 0x21)
#define POSIXTRACE_IOC_CLEAR		_IO(POSIXTRACE_IOC_TYPE, 0x22)
#define POSIXTRACE_IOC_SHUTDOWN		_IO(POSIXTRACE_IOC_TYPE, 0x23)
#define POSIXTRACE_IOC_TYPELIST_REWIND	_IO(POSIXTRACE_IOC_TYPE, 0x24)
#define POSIXTRACE_IOC_FLUSH		_IO(POSIXTRACE_IOC_TYPE, 0x2e)

/**
 * struct posixtrace_status - posix_trace_get_status
 * @size: sizeof(struct posixtrace_status)
 * @flags: POSIXTRACE_STATUS_*
 * @stream: number of the stream
 * @running: out: 1 running, 0 suspended
 * @full: out: 1 no room left
 * @overrun: out: 1 an event was lost since it was last reset
 * @flushing: out: 1 events are being written to the log
 * @flush_error: out: first error of a flush since it was last reset
 * @log_overrun: out: 1 an event was lost from the log since it was last reset
 * @log_full: out: 1 the log has reached its size; stays
 * @__reserved: must be 0
 * @recorded: out: events stored, system events included
 * @lost: out: events that found no room, or whose data could not be read
 * @overwritten: out: stored events that newer ones took the place of
 * @truncated: out: stored events whose data was cut
 * @read: out: stored events that were reported
 * @flushed: out: bytes of event records written to the log
 * @log_lost: out: stored events that did not get into the log
 * @missed_children: out: processes that should have inherited the stream, but
 *	there was no memory
 * @processes: out: processes that are traced now
 *
 * All at one moment. Reading resets @overrun, @flush_error and @log_overrun,
 * unless POSIXTRACE_STATUS_PEEK. The counters never go back; events sent =
 * @recorded + @lost.
 */
struct posixtrace_status {
	__u32 size;
	__u32 flags;
	__u64 stream;
	__u32 running;
	__u32 full;
	__u32 overrun;
	__u32 flushing;
	__u32 flush_error;
	__u32 log_overrun;
	__u32 log_full;
	__u32 __reserved;
	__u64 recorded;
	__u64 lost;
	__u64 overwritten;
	__u64 truncated;
	__u64 read;
	__u64 flushed;
	__u64 log_lost;
	__u64 missed_children;
	__u64 processes;
};

#define POSIXTRACE_STATUS_PEEK		0x1	/* reset nothing */

#define POSIXTRACE_IOC_GET_STATUS	_IO(POSIXTRACE_IOC_TYPE, 0x25)

/**
 * struct posixtrace_attr - posix_trace_get_attr
 * @size: sizeof(struct posixtrace_attr)
 * @__reserved: must be 0
 * @stream: number of the stream
 * @stream_policy: out: as in struct posixtrace_create, in force
 * @inheritance: out: likewise
 * @log_policy: out: likewise
 * @__reserved2: must be 0
 * @stream_size: out: likewise
 * @max_data_size: out: likewise
 * @log_size: out: likewise
 * @create_time: out: CLOCK_REALTIME, nanoseconds
 * @kernel_events: out: likewise
 * @name: out: likewise
 * @syscalls: out: the system calls whose events are recorded
 */
struct posixtrace_attr {
	__u32 size;
	__u32 __reserved;
	__u64 stream;
	__u32 stream_policy;
	__u32 inheritance;
	__u32 log_policy;
	__u32 __reserved2;
	__u64 stream_size;
	__u64 max_data_size;
	__u64 log_size;
	__u64 create_time;
	struct posixtrace_event_set kernel_events;
	char name[POSIXTRACE_NAME_MAX + 1];
	struct posixtrace_syscall_set syscalls;
};

#define POSIXTRACE_IOC_GET_ATTR		_IO(POSIXTRACE_IOC_TYPE, 0x26)

/**
 * struct posixtrace_filter - posix_trace_get_filter, posix_trace_set_filter
 * @size: sizeof(struct posixtrace_filter)
 * @how: _SET_FILTER: enum posixtrace_how; _GET_FILTER: must be 0
 * @stream: number of the stream
 * @address: _SET_FILTER: as in struct posixtrace_control
 * @thread: _SET_FILTER: likewise
 * @set: the event types that are not recorded; _GET_FILTER: out
 */
struct posixtrace_filter {
	__u32 size;
	__u32 how;
	__u64 stream;
	__u64 address;
	__u64 thread;
	struct posixtrace_event_set set;
};

enum posixtrace_how {
	POSIXTRACE_SET_EVENTSET		= 1,
	POSIXTRACE_ADD_EVENTSET		= 2,
	POSIXTRACE_SUB_EVENTSET		= 3,
};

#define POSIXTRACE_IOC_GET_FILTER	_IO(POSIXTRACE_IOC_TYPE, 0x27)
#define POSIXTRACE_IOC_SET_FILTER	_IO(POSIXTRACE_IOC_TYPE, 0x28)

/**
 * struct posixtrace_getnext - take the oldest event out of the stream
 * @size: sizeof(struct posixtrace_getnext)
 * @flags: POSIXTRACE_GETNEXT_*
 * @stream: number of the stream
 * @data: where the data goes
 * @data_max: at most so many bytes
 * @record: out: the event; @record.data_size is what was stored at @data, and
 *	@record.truncation tells if that is less than was recorded
 *
 * Never blocks. On failure no event is lost. From a stream with a log nothing is
 * taken: each event is reported once, unless it is flushed before.
 *
 * Return: 0, or
 * * EINVAL: the stream has a log, and POSIXTRACE_GETNEXT_TRY is given
 * * ENODATA: there is no event
 */
struct posixtrace_getnext {
	__u32 size;
	__u32 flags;
	__u64 stream;
	__u64 data;
	__u64 data_max;
	struct posixtrace_record record;
};

#define POSIXTRACE_GETNEXT_TRY		0x1	/* posix_trace_trygetnext_event */

#define POSIXTRACE_IOC_GETNEXT		_IO(POSIXTRACE_IOC_TYPE, 0x29)

/**
 * struct posixtrace_wait - wait for an event
 * @size: sizeof(struct posixtrace_wait)
 * @flags: POSIXTRACE_WAIT_*
 * @stream: number of the stream
 * @seconds: with POSIXTRACE_WAIT_TIMEOUT: CLOCK_REALTIME time at which to give
 *	up, seconds
 * @nanoseconds: and nanoseconds, 0 .. 999999999
 *
 * Takes nothing out, so that a wait can be interrupted or cancelled at any
 * time. Another reader may be faster: a POSIXTRACE_IOC_GETNEXT that follows can
 * find nothing.
 *
 * Return: 0 when an event can be read, or
 * * EINTR: a signal came whose handler was installed without SA_RESTART
 * * EINVAL: the stream was shut down meanwhile; @nanoseconds out of range and no
 *   event at hand
 * * ETIMEDOUT: no event before the time given
 */
struct posixtrace_wait {
	__u32 size;
	__u32 flags;
	__u64 stream;
	__s64 seconds;
	__s64 nanoseconds;
};

#define POSIXTRACE_WAIT_TIMEOUT		0x1

#define POSIXTRACE_IOC_WAIT		_IO(POSIXTRACE_IOC_TYPE, 0x2a)

/*
 * With struct posixtrace_name:
 *
 * POSIXTRACE_IOC_TRID_EVENTID_OPEN (posix_trace_trid_eventid_open): as
 * POSIXTRACE_IOC_EVENTID_OPEN, for the process that the stream traces.
 *
 * POSIXTRACE_IOC_EVENTID_GET_NAME (posix_trace_eventid_get_name): @event_id in,
 * @name out. EINVAL: no type of this stream.
 *
 * POSIXTRACE_IOC_TYPELIST_NEXT (posix_trace_eventtypelist_getnext_id): @event_id
 * and @name out, the next type of the stream's list. ENODATA: no more.
 */
#define POSIXTRACE_IOC_TRID_EVENTID_OPEN _IO(POSIXTRACE_IOC_TYPE, 0x2b)
#define POSIXTRACE_IOC_EVENTID_GET_NAME	_IO(POSIXTRACE_IOC_TYPE, 0x2c)
#define POSIXTRACE_IOC_TYPELIST_NEXT	_IO(POSIXTRACE_IOC_TYPE, 0x2d)

#endif /* _UAPI_LINUX_POSIXTRACE_H */
