// SPDX-License-Identifier: GPL-2.0-only
/*
 * The generic netlink family, see netlink.h.
 */
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/netlink.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/user_namespace.h>
#include <linux/workqueue.h>
#include <net/genetlink.h>
#include <net/sock.h>
#include <linux/posixtrace_netlink.h>

#include "netlink.h"
#include "stream.h"
#include "streamlist.h"

static struct genl_family family;

/**
 * struct viewer - for whom a message is
 * @pid_ns: pids are those of this namespace
 * @user_ns: users likewise
 */
struct viewer {
	struct pid_namespace *pid_ns;
	struct user_namespace *user_ns;
};

static bool put_u64(struct sk_buff *skb, int attr, u64 value)
{
	return !nla_put_u64_64bit(skb, attr, value, POSIXTRACE_NL_A_PAD);
}

static bool put_u32(struct sk_buff *skb, int attr, u32 value)
{
	return !nla_put_u32(skb, attr, value);
}

/* What each message has. */
static bool put_common(struct sk_buff *skb, struct pxt_stream *stream,
		       const struct viewer *viewer, bool gone, u32 state,
		       u32 error)
{
	pid_t target = gone ? 0 : pid_nr_ns(stream->traced, viewer->pid_ns);

	return put_u64(skb, POSIXTRACE_NL_A_STREAM, stream->number) &&
	       put_u32(skb, POSIXTRACE_NL_A_OWNER,
		       pid_nr_ns(stream->owned.owner, viewer->pid_ns)) &&
	       put_u32(skb, POSIXTRACE_NL_A_TARGET, target) &&
	       put_u32(skb, POSIXTRACE_NL_A_UID,
		       from_kuid_munged(viewer->user_ns, stream->cred->euid)) &&
	       !nla_put_string(skb, POSIXTRACE_NL_A_NAME, stream->attr.name) &&
	       put_u32(skb, POSIXTRACE_NL_A_STATE, state) &&
	       put_u32(skb, POSIXTRACE_NL_A_ERROR, error);
}

static bool put_attr(struct sk_buff *skb, const struct posixtrace_attr *attr)
{
	return put_u32(skb, POSIXTRACE_NL_A_STREAM_POLICY,
		       attr->stream_policy) &&
	       put_u32(skb, POSIXTRACE_NL_A_INHERITANCE, attr->inheritance) &&
	       put_u32(skb, POSIXTRACE_NL_A_LOG_POLICY, attr->log_policy) &&
	       put_u64(skb, POSIXTRACE_NL_A_STREAM_SIZE, attr->stream_size) &&
	       put_u64(skb, POSIXTRACE_NL_A_MAX_DATA_SIZE,
		       attr->max_data_size) &&
	       put_u64(skb, POSIXTRACE_NL_A_LOG_SIZE, attr->log_size) &&
	       put_u64(skb, POSIXTRACE_NL_A_CREATE_TIME, attr->create_time);
}

static bool put_counters(struct sk_buff *skb,
			 const struct posixtrace_status *status)
{
	return put_u64(skb, POSIXTRACE_NL_A_PROCESSES, status->processes) &&
	       put_u64(skb, POSIXTRACE_NL_A_RECORDED, status->recorded) &&
	       put_u64(skb, POSIXTRACE_NL_A_LOST, status->lost) &&
	       put_u64(skb, POSIXTRACE_NL_A_OVERWRITTEN,
		       status->overwritten) &&
	       put_u64(skb, POSIXTRACE_NL_A_TRUNCATED, status->truncated) &&
	       put_u64(skb, POSIXTRACE_NL_A_READ, status->read) &&
	       put_u64(skb, POSIXTRACE_NL_A_FLUSHED, status->flushed) &&
	       put_u64(skb, POSIXTRACE_NL_A_LOG_LOST, status->log_lost) &&
	       put_u64(skb, POSIXTRACE_NL_A_MISSED_CHILDREN,
		       status->missed_children);
}

static bool put_stream(struct sk_buff *skb, struct pxt_stream *stream,
		       const struct viewer *viewer)
{
	struct posixtrace_status status = { .flags = POSIXTRACE_STATUS_PEEK };

	pxt_stream_get_status(stream, &status);
	return put_common(skb, stream, viewer, !pxt_stream_sees_target(stream),
			  pxt_life_state(&status, stream->recorder.has_log),
			  status.flush_error) &&
	       put_attr(skb, &stream->attr) && put_counters(skb, &status);
}

/* Return: false if there is no room. */
static bool dump_one(struct sk_buff *skb, struct netlink_callback *cb,
		     struct pxt_stream *stream, const struct viewer *viewer)
{
	void *head = genlmsg_put(skb, NETLINK_CB(cb->skb).portid,
				 cb->nlh->nlmsg_seq, &family, NLM_F_MULTI,
				 POSIXTRACE_NL_GET_STREAMS);

	if (!head)
		return false;
	if (!put_stream(skb, stream, viewer)) {
		genlmsg_cancel(skb, head);
		return false;
	}
	genl_dump_check_consistent(cb, head);
	genlmsg_end(skb, head);
	return true;
}

/*
 * The opener of the socket counts, not only who uses it: a privileged program
 * can be made to write to a socket that it was handed.
 */
static bool may_see(const struct netlink_callback *cb,
		    const struct pxt_stream *stream,
		    const struct viewer *viewer)
{
	const struct sock *sk = NETLINK_CB(cb->skb).sk;

	if (!pid_nr_ns(stream->owned.owner, viewer->pid_ns))
		return false;
	return uid_eq(sk->sk_socket->file->f_cred->euid, stream->cred->euid) ||
	       netlink_ns_capable(cb->skb, stream->cred->user_ns,
				  CAP_SYS_PTRACE);
}

/* Return: false when this was the last one, or no room is left for it. */
static bool dump_next(struct sk_buff *skb, struct netlink_callback *cb,
		      const struct viewer *viewer, u64 *number)
{
	struct pxt_stream *stream;

	guard(rcu)();
	stream = pxt_streamlist_next(*number);
	if (!stream)
		return false;
	if (may_see(cb, stream, viewer) && !dump_one(skb, cb, stream, viewer))
		return false;
	*number = stream->number + 1;
	return true;
}

/* Where the next part goes on; in netlink_callback.ctx, which begins as 0. */
struct position {
	u64 number;
};

static int dump_streams(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct position *at = (struct position *)cb->ctx;
	struct viewer viewer = {
		.pid_ns = task_active_pid_ns(current),
		.user_ns = sk_user_ns(NETLINK_CB(cb->skb).sk),
	};

	cb->seq = pxt_streamlist_generation();
	while (dump_next(skb, cb, &viewer, &at->number))
		cond_resched();
	/* If it changed meanwhile the next message says so, or NLMSG_DONE. */
	cb->seq = pxt_streamlist_generation();
	return skb->len;
}

static bool wants(void)
{
	return genl_has_listeners(&family, &init_net, 0);
}

/* All members are told that they have missed something. */
static void missed(void)
{
	genl_set_err(&family, &init_net, 0, 0, -ENOBUFS);
}

static bool put_note(struct sk_buff *skb, const struct pxt_life_note *note)
{
	static const struct viewer viewer = {
		.pid_ns = &init_pid_ns,
		.user_ns = &init_user_ns,
	};
	struct pxt_stream *stream = container_of(note->life, struct pxt_stream,
						 recorder.life);

	return put_u32(skb, POSIXTRACE_NL_A_KIND, note->kind) &&
	       put_u64(skb, POSIXTRACE_NL_A_TIME, note->time) &&
	       put_common(skb, stream, &viewer, note->gone, note->state,
			  note->error);
}

static void multicast(const struct pxt_life_note *note)
{
	struct sk_buff *skb;
	void *head;

	skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!skb)
		return missed();
	head = genlmsg_put(skb, 0, 0, &family, 0, POSIXTRACE_NL_LIFE);
	if (WARN_ON_ONCE(!head || !put_note(skb, note))) {
		nlmsg_free(skb);
		return missed();
	}
	genlmsg_end(skb, head);
	/* Who has no room for it gets ENOBUFS; it may be that nobody is left. */
	genlmsg_multicast(&family, skb, 0, 0, GFP_KERNEL);
}

static void announce_some(struct work_struct *work)
{
	struct pxt_life_note note;
	unsigned int i;

	for (i = 0; i < PXT_LIFE_NOTES && pxt_life_take(&note); i++) {
		if (note.life) {
			multicast(&note);
			pxt_life_done(note.life);
		} else {
			missed();
		}
		cond_resched();
	}
	/* In a storm it never ends: who waits for it has to get on. */
	if (i == PXT_LIFE_NOTES)
		schedule_work(work);
}

static DECLARE_WORK(announce, announce_some);

static void queue_announce(struct irq_work *work)
{
	schedule_work(&announce);
}

static struct irq_work announce_soon = IRQ_WORK_INIT(queue_announce);

static void due(void)
{
	irq_work_queue(&announce_soon);
}

static DEFINE_MUTEX(settling);

/* On PREEMPT_RT an irq_work wakes only one of those who wait for it. */
static void settle(void)
{
	guard(mutex)(&settling);
	irq_work_sync(&announce_soon);
	flush_work(&announce);
}

static const struct pxt_life_listener listener = {
	.wants = wants,
	.due = due,
	.settle = settle,
};

/* No command takes an attribute: without a policy, all are refused. */
static const struct genl_small_ops ops[] = {
	{
		.cmd = POSIXTRACE_NL_GET_STREAMS,
		.dumpit = dump_streams,
	},
};

static const struct genl_multicast_group groups[] = {
	{
		.name = POSIXTRACE_NL_GROUP,
		.flags = GENL_MCAST_CAP_SYS_ADMIN,
	},
};

/* In every network namespace: what is shown depends on user and pids alone. */
static struct genl_family family __ro_after_init = {
	.name = POSIXTRACE_NL_FAMILY,
	.version = POSIXTRACE_NL_VERSION,
	.module = THIS_MODULE,
	.netnsok = true,
	.parallel_ops = true,
	.small_ops = ops,
	.n_small_ops = ARRAY_SIZE(ops),
	.mcgrps = groups,
	.n_mcgrps = ARRAY_SIZE(groups),
};

/**
 * pxt_netlink_init() - make the family
 *
 * Context: there are no streams yet.
 *
 * Return: 0, or an error.
 */
int pxt_netlink_init(void)
{
	int err;

	BUILD_BUG_ON(sizeof(struct position) >
		     sizeof_field(struct netlink_callback, ctx));
	err = genl_register_family(&family);
	if (!err)
		pxt_life_listen(&listener);
	return err;
}

/**
 * pxt_netlink_exit() - undo pxt_netlink_init()
 *
 * Context: there are no streams any more, and there will be none.
 */
void pxt_netlink_exit(void)
{
	/* The last announcements are on their way before the group goes. */
	pxt_stream_drain();
	irq_work_sync(&announce_soon);
	cancel_work_sync(&announce);
	pxt_life_listen(NULL);
	genl_unregister_family(&family);
}
