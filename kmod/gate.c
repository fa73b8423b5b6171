// SPDX-License-Identifier: GPL-2.0-only
/*
 * The gate, see gate.h.
 */
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/highmem.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "gate.h"

/* Beyond so many users nobody looks what each of them wants: see update_page(). */
#define USERS_MAX	64

/* A gate that lets everything pass, for a process whose own can't be had. */
static struct page *open_page;

static struct page *alloc_gate_page(void)
{
	struct posixtrace_gate *content;
	struct page *page;

	/* No high memory: the content is written from probes. */
	page = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!page)
		return NULL;
	content = page_address(page);
	content->format = POSIXTRACE_GATE_FORMAT;
	return page;
}

/**
 * pxt_gate_init() - make the page of pxt_gate_open_page()
 *
 * Return: 0, or -ENOMEM.
 */
int pxt_gate_init(void)
{
	struct posixtrace_gate *content;

	open_page = alloc_gate_page();
	if (!open_page)
		return -ENOMEM;
	content = page_address(open_page);
	content->wanted = 1;
	memset(&content->events, 0xff, sizeof(content->events));
	return 0;
}

/**
 * pxt_gate_exit() - undo pxt_gate_init()
 */
void pxt_gate_exit(void)
{
	put_page(open_page);
}

/**
 * pxt_gate_open_page() - a page that says that everything is wanted
 *
 * Correct for every process, only slower than one of its own.
 *
 * Return: the page, without a reference for the caller.
 */
struct page *pxt_gate_open_page(void)
{
	return open_page;
}

/**
 * pxt_gate_create() - make a gate that says that nothing is wanted
 *
 * Accounted to the caller. Context: may sleep.
 *
 * Return: the gate, with one reference, or NULL.
 */
struct pxt_gate *pxt_gate_create(void)
{
	struct pxt_gate *gate = kzalloc(sizeof(*gate), GFP_KERNEL_ACCOUNT);

	if (!gate)
		return NULL;
	gate->page = alloc_gate_page();
	if (!gate->page) {
		kfree(gate);
		return NULL;
	}
	kref_init(&gate->ref);
	raw_spin_lock_init(&gate->lock);
	INIT_LIST_HEAD(&gate->users);
	return gate;
}

static void free_gate_rcu(struct rcu_head *rcu)
{
	struct pxt_gate *gate = container_of(rcu, struct pxt_gate, rcu);

	put_page(gate->page);
	kfree(gate);
}

/* The last reference can go in a probe, which must not free pages. */
static void free_gate(struct kref *ref)
{
	struct pxt_gate *gate = container_of(ref, struct pxt_gate, ref);

	call_rcu(&gate->rcu, free_gate_rcu);
}

/**
 * pxt_gate_put() - drop a reference
 * @gate: the gate, or NULL
 *
 * Context: any in which call_rcu() may be called.
 */
void pxt_gate_put(struct pxt_gate *gate)
{
	if (gate)
		kref_put(&gate->ref, free_gate);
}

static void unite(const struct pxt_gate *gate, struct posixtrace_event_set *all)
{
	struct pxt_gate_user *user;
	int i;

	list_for_each_entry(user, &gate->users, node)
		for (i = 0; i < ARRAY_SIZE(all->bits); i++)
			all->bits[i] |= user->wanted.bits[i];
}

/*
 * Write the union of what all users want. Readers look at one word at a time.
 *
 * Everything is wanted if the users are many, since interrupts are off here. Also
 * if there are none: then whoever still reads the page is a process that runs
 * in the memory of a former user and is not known here (the parent, when a
 * child of vfork() had the page mapped).
 */
static void update_page(struct pxt_gate *gate)
{
	struct posixtrace_gate *content = page_address(gate->page);
	struct posixtrace_event_set all = {};
	u64 any = 0;
	int i;

	lockdep_assert_held(&gate->lock);
	if (!gate->nr || gate->nr > USERS_MAX)
		memset(&all, 0xff, sizeof(all));
	else
		unite(gate, &all);
	for (i = 0; i < ARRAY_SIZE(all.bits); i++) {
		any |= all.bits[i];
		WRITE_ONCE(content->events.bits[i], all.bits[i]);
	}
	WRITE_ONCE(content->wanted, !!any);
}

/**
 * pxt_gate_join() - let a process read a gate
 * @gate: the gate; a reference is taken
 * @user: has none
 *
 * What @user->wanted says is published.
 * Context: any; no sleep.
 */
void pxt_gate_join(struct pxt_gate *gate, struct pxt_gate_user *user)
{
	kref_get(&gate->ref);
	guard(raw_spinlock_irqsave)(&gate->lock);
	list_add(&user->node, &gate->users);
	gate->nr++;
	update_page(gate);
	/* Pairs with the acquire of whoever looks for the page. */
	smp_store_release(&user->gate, gate);
}

/**
 * pxt_gate_leave() - the process reads its gate no more
 * @user: as for pxt_gate_join(), or without a gate
 *
 * Context: any; no sleep.
 *
 * Return: the gate, to be put by the caller when it holds no lock; NULL: there
 * was none.
 */
struct pxt_gate *pxt_gate_leave(struct pxt_gate_user *user)
{
	struct pxt_gate *gate = user->gate;

	if (!gate)
		return NULL;
	guard(raw_spinlock_irqsave)(&gate->lock);
	list_del(&user->node);
	gate->nr--;
	update_page(gate);
	WRITE_ONCE(user->gate, NULL);
	return gate;
}

/**
 * pxt_gate_publish() - tell a process what is wanted of it
 * @user: with or without a gate
 * @wanted: event types
 *
 * Context: any; no sleep. The caller sees to it that @user neither joins nor
 * leaves a gate meanwhile.
 */
void pxt_gate_publish(struct pxt_gate_user *user,
		      const struct posixtrace_event_set *wanted)
{
	struct pxt_gate *gate = user->gate;

	if (!gate) {
		user->wanted = *wanted;
		return;
	}
	guard(raw_spinlock_irqsave)(&gate->lock);
	user->wanted = *wanted;
	update_page(gate);
}
