/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events as JSON, one object on a line.
 *
 *	{"time":"1700000001.000000017","pid":1234,"tid":1240,"event":"tick",
 *	 "id":64,"thread":"0x7f1200000640","address":"0x401136",
 *	 "data":"626561742037","text":"beat 7"}
 *
 * time		string: seconds since 1970, UTC, and nanoseconds
 * pid, tid	numbers, null if the event belongs to no process or thread
 * event	name of the type, null if it has none; bytes of it that are not
 *		UTF-8 are U+FFFD
 * id		its number, which identifies it in this log
 * thread	pthread_t, and
 * address	where posix_trace_event() was called; not there if unknown
 * truncated	true, not there if the data is whole
 *
 * and, as the type has it:
 *
 * data		the bytes in hex, of all events that have nothing below
 * text		the same as a string, if it is UTF-8; without a NUL at its end
 * syscall	name of a system call, null if not known here; nr, arch: numbers
 * args		strings, the six registers
 * ret		number, the result, as the kernel gives it; error: its name, if
 *		it is an error. Addresses fit in the 53 bits that readers keep
 * automatic	posix_trace_stop: whether it was for lack of room
 * ignored	posix_trace_start, _filter: ranges [first, last] of event types
 *		that are not recorded; was_ignored: before
 * error	posix_trace_error: name of the error; errno: its number
 * cpu		linux_sched_*: number
 * state	linux_sched_out: "runnable", "interruptible", "uninterruptible",
 *		"stopped", "traced" or "other"; a value without a name is its
 *		number, in a string
 * signal	name, null if it has none; signo: its number; code: name of the
 *		si_code, or null; si_code: its number
 * sender	process that sent it, or null
 * to		linux_signal_generate: "process" or "thread"; result: "delivered",
 *		"ignored", "already pending", "overflow", "lost info", or else
 *		a number, in a string
 * handler	linux_signal_deliver: string, "0x0" the default action, "0x1" none;
 *		flags: string, the sa_flags
 * child	linux_fork: "process" or "thread"; child_pid, child_tid: as pid, tid
 * filename	linux_exec: as event; length: bytes that it had; cut: true, not
 *		there if these are all here
 * status	linux_exit, linux_thread_exit: number; and either exited: number,
 *		or killed_by, signo: as signal, signo; core_dumped: true or false
 * fault_address linux_page_fault: string; access: "read", "write", "exec"; cause:
 *		"protection", "not present"; error_code: string
 */
#ifndef POSIXTRACE_JSONEVENT_H
#define POSIXTRACE_JSONEVENT_H

#include <stdio.h>
#include <linux/posixtrace.h>

/**
 * json_event() - write one event
 * @out: where to
 * @name: of the event type, or NULL
 * @rec: the event; nothing in it is trusted
 * @data: @rec->data_size bytes, of any alignment
 */
void json_event(FILE *out, const char *name,
		const struct posixtrace_record *rec, const void *data);

#endif /* POSIXTRACE_JSONEVENT_H */
