// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of streams, see streamlist.h.
 */
#include <linux/rbtree.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>

#include "stream.h"
#include "streamlist.h"

static DEFINE_SPINLOCK(lock);

/* Covered by @lock. A tree: nothing has to be allocated, numbers only grow. */
static struct rb_root streams = RB_ROOT;
/* Another one after each change of @streams; never 0. */
static u32 generation = 1;

static struct pxt_stream *to_stream(const struct rb_node *node)
{
	return rb_entry(node, struct pxt_stream, listed);
}

static bool comes_before(struct rb_node *a, const struct rb_node *b)
{
	return to_stream(a)->number < to_stream(b)->number;
}

static void next_generation(void)
{
	lockdep_assert_held(&lock);
	if (!++generation)
		generation = 1;
}

/**
 * pxt_streamlist_add() - list a stream
 * @stream: complete
 *
 *   here				its owner ends
 *   take the lock			pxt_recorder_shutdown()
 *   is it dead?			pxt_streamlist_remove()
 *
 * One of the two sees the other.
 */
void pxt_streamlist_add(struct pxt_stream *stream)
{
	guard(spinlock)(&lock);
	if (pxt_recorder_dead(&stream->recorder))
		return;
	rb_add(&stream->listed, &streams, comes_before);
	stream->is_listed = true;
	next_generation();
}

/**
 * pxt_streamlist_remove() - list it no more
 * @stream: shut down, perhaps never listed; an RCU reader who has found it
 *	keeps it
 */
void pxt_streamlist_remove(struct pxt_stream *stream)
{
	guard(spinlock)(&lock);
	if (!stream->is_listed)
		return;
	rb_erase(&stream->listed, &streams);
	stream->is_listed = false;
	next_generation();
}

/**
 * pxt_streamlist_next() - the stream with the lowest number
 * @number: not below it
 *
 * Context: RCU reader, which also keeps the stream there.
 *
 * Return: the stream, or NULL.
 */
struct pxt_stream *pxt_streamlist_next(u64 number)
{
	struct pxt_stream *found = NULL;
	struct rb_node *node;

	RCU_LOCKDEP_WARN(!rcu_read_lock_held(), "nothing keeps the stream");
	guard(spinlock)(&lock);
	node = streams.rb_node;
	while (node) {
		struct pxt_stream *stream = to_stream(node);

		if (stream->number >= number) {
			found = stream;
			node = node->rb_left;
		} else {
			node = node->rb_right;
		}
	}
	return found;
}

/**
 * pxt_streamlist_generation() - did a stream come or go?
 *
 * Return: a number that is not 0, and another one after that.
 */
u32 pxt_streamlist_generation(void)
{
	guard(spinlock)(&lock);
	return generation;
}
