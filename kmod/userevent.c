// SPDX-License-Identifier: GPL-2.0-only
/*
 * Trace points of programs, see userevent.h.
 *
 * This is the road that has to be fast. It does not take the way of the other
 * ioctls (ioctl.h), but says the same: it copies word by word what they copy by
 * calls that are made for more, and checks what the compiler can't know.
 */
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "ioctl.h"
#include "target.h"
#include "userevent.h"

/* Words of data that are staged on the stack. */
#define SMALL		32

/* Whose event is it, if it may be recorded at all? Context: RCU reader. */
static __always_inline struct pxt_target *target_for(u32 id)
{
	struct pxt_target *target = pxt_target_of(current);

	return target && pxt_target_may_record(target, id) ? target : NULL;
}

/* Interrupts are off for one stream at a time. */
static noinline void record(struct pxt_event *ev)
{
	struct pxt_target *target;

	guard(rcu)();
	target = target_for(ev->record.event_id);
	if (target)
		pxt_sinks_record(&target->sinks, ev);
}

static __always_inline bool record_quickly(struct pxt_event *ev)
{
	struct pxt_target *target;

	guard(irqsave)();
	target = target_for(ev->record.event_id);
	return !target || pxt_sinks_record_quickly(&target->sinks, ev);
}

static __always_inline void record_small(struct pxt_event *ev)
{
	if (unlikely(!record_quickly(ev)))
		record(ev);
}

/* The most that a stream takes of the data. Return: false if none wants it. */
static bool get_greediest(u32 id, size_t *max_data)
{
	struct pxt_target *target;

	guard(rcu)();
	target = target_for(id);
	if (!target)
		return false;
	*max_data = READ_ONCE(target->sinks.max_data);
	return true;
}

/*
 * Data beyond what any stream takes is left where it is. Copying much into many
 * streams takes long: only each copy is made with interrupts off.
 */
static noinline void record_large(struct pxt_event *ev, const void __user *from)
{
	size_t size;
	void *data;

	if (!get_greediest(ev->record.event_id, &size))
		return;
	size = min(ev->data_full, size);
	data = kvmalloc(size, GFP_KERNEL_ACCOUNT);
	if (!data || copy_from_user(data, from, size))
		ev->data_full = PXT_DATA_UNREADABLE;
	else if (size < ev->data_full)
		ev->data_full = PXT_DATA_PARTLY;
	ev->data = data;
	ev->record.data_size = size;
	ev->record.size = POSIXTRACE_RECORD_SIZE(size);
	record(ev);
	kvfree(data);
}

/* Return: false if not all of it can be read. */
static __always_inline bool copy_small(u64 *to, const void __user *from,
				       size_t size)
{
	const u64 __user *word = from;

	if (!size)
		return true;
	if (size % sizeof(*word))
		return !copy_from_user(to, from, size);
	if (!user_read_access_begin(from, size))
		return false;
	for (; size; size -= sizeof(*word), to++, word++)
		unsafe_get_user(*to, word, fault);
	user_read_access_end();
	return true;

fault:
	user_read_access_end();
	return false;
}

/**
 * pxt_userevent() - POSIXTRACE_IOC_EVENT
 * @arg: the argument of the ioctl
 *
 * Data that can't be read makes the event count as lost.
 *
 * Return: 0, or an error as documented at the top of linux/posixtrace.h.
 */
long pxt_userevent(const struct posixtrace_event __user *arg)
{
	u64 small[SMALL] __uninitialized;
	struct pxt_event ev __uninitialized;
	u64 from, size, address, thread;
	u32 known, id;
	int err;

	if (!user_read_access_begin(arg, sizeof(*arg)))
		return -EFAULT;
	unsafe_get_user(known, &arg->size, fault);
	unsafe_get_user(id, &arg->event_id, fault);
	unsafe_get_user(from, &arg->data, fault);
	unsafe_get_user(size, &arg->data_size, fault);
	unsafe_get_user(address, &arg->address, fault);
	unsafe_get_user(thread, &arg->thread, fault);
	user_read_access_end();
	if (unlikely(known != sizeof(*arg))) {
		err = pxt_ioctl_check_size(arg, sizeof(*arg));
		if (err)
			return err;
	}
	if (unlikely(id >= POSIXTRACE_EVENT_MAX))
		return 0;
	pxt_event_init(&ev, id, current, small, size);
	ev.record.address = address;
	ev.record.thread = thread;
	ev.data_full = size;
	/* What can't be read may be more than what is wanted of it. */
	if (likely(size <= sizeof(small) &&
		   copy_small(small, u64_to_user_ptr(from), size)))
		record_small(&ev);
	else
		record_large(&ev, u64_to_user_ptr(from));
	return 0;

fault:
	user_read_access_end();
	return pxt_ioctl_check_size(arg, sizeof(*arg)) ?: -EFAULT;
}
