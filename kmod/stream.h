/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trace streams: a recorder, the process that owns it, the process that it
 * traces, and those who wait for events.
 *
 * Lock order, contexts:
 *
 *   pxt_reader.lock		sleeps, also for user memory
 *     pxt_target.naming	sleeps, and what target.h says
 *     pxt_recorder.lock	raw, probes
 *   pxt_flusher.lock		sleeps; held over writing to a file
 *     pxt_recorder.lock	raw, probes
 */
#ifndef PXT_STREAM_H
#define PXT_STREAM_H

#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/types.h>
#include <linux/workqueue.h>
#include <linux/posixtrace.h>

#include "flusher.h"
#include "owner.h"
#include "reader.h"
#include "recorder.h"
#include "target.h"

struct cred;
struct file;
struct pid;
struct pid_namespace;
struct pxt_quota;

/**
 * struct pxt_stream - a trace stream
 * @sink: what the processes that it traces know of it
 * @recorder: the events and the state
 * @number: never given out again; constant
 * @attr: the attributes in force; constant
 * @syscalls: @attr.syscalls, for comparing; constant
 * @owned: process that made it, the only one that may use it, with a reference;
 *	and the file. Shuts it down when that process exits or executes a program
 * @cred: of the owner, as of creation, with a reference; constant
 * @pid_ns: the owner's, in which pids are told; constant
 * @privileged: see pxt_priv_is_privileged(); set before it is attached
 * @traced: process that it was made for, with a reference; constant
 * @target: that process, with a reference; set by pxt_stream_attach()
 * @types: names that its events can have, with a reference; likewise
 * @quota: what its memory is charged to
 * @charged: bytes, after the shutdown those that only destroying it gives back
 * @wake: wakes those who wait for an event, for probes that can't
 * @reader: hands events to readers
 * @next_type: where pxt_typelist_next() goes on; covered by @reader.lock
 * @flusher: writes the log, if there is one
 * @orphan: ends the log when nobody is there to wait for it
 * @is_orphan: that happened; a reference on the module is held
 * @free: frees it after an RCU grace period
 * @listed: in the list of streams; covered by its lock
 * @is_listed: likewise
 *
 * Lives as long as its file. Shut down at the latest when that is released. From
 * pxt_stream_attach() to the end of shutting down it is listed by number,
 * and found under RCU: see streamlist.h.
 */
struct pxt_stream {
	struct pxt_sink sink;
	struct pxt_recorder recorder;
	u64 number;
	struct posixtrace_attr attr;
	struct pxt_syscalls syscalls;
	struct pxt_owned owned;
	const struct cred *cred;
	struct pid_namespace *pid_ns;
	bool privileged;
	struct pid *traced;
	struct pxt_target *target;
	struct pxt_evtypes *types;
	struct pxt_quota *quota;
	u64 charged;

	struct irq_work wake;

	struct pxt_reader reader;
	u32 next_type;

	struct pxt_flusher flusher;

	struct work_struct orphan;
	bool is_orphan;
	struct rcu_work free;

	struct rb_node listed;
	bool is_listed;
};

int pxt_stream_init(void);
void pxt_stream_drain(void);
void pxt_stream_exit(void);
void pxt_stream_get_limits(struct posixtrace_limits *limits);

struct pxt_stream *pxt_stream_create(const struct posixtrace_create *arg);
int pxt_stream_attach(struct pxt_stream *stream, struct file *file);
int pxt_stream_shutdown(struct pxt_stream *stream);
void pxt_stream_release(struct pxt_stream *stream);
bool pxt_stream_is_own(const struct pxt_stream *stream);
bool pxt_stream_sees_target(struct pxt_stream *stream);

void pxt_stream_start(struct pxt_stream *stream, u64 address, u64 thread);
void pxt_stream_stop(struct pxt_stream *stream, u64 address, u64 thread);
int pxt_stream_clear(struct pxt_stream *stream);
int pxt_stream_flush(struct pxt_stream *stream);
void pxt_stream_get_status(struct pxt_stream *stream,
			   struct posixtrace_status *status);
void pxt_stream_set_filter(struct pxt_stream *stream,
			   const struct posixtrace_filter *filter);

#endif /* PXT_STREAM_H */
