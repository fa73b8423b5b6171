// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names, see names.h.
 */
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "names.h"

static struct pxt_names *init(struct pxt_names *names)
{
	if (!names)
		return NULL;
	kref_init(&names->ref);
	mutex_init(&names->change);
	raw_spin_lock_init(&names->lock);
	return names;
}

/**
 * pxt_names_create() - no name is open
 *
 * Context: may sleep.
 *
 * Return: the names, with one reference, or NULL.
 */
struct pxt_names *pxt_names_create(void)
{
	return init(kzalloc(sizeof(struct pxt_names), GFP_KERNEL_ACCOUNT));
}

/**
 * pxt_names_create_in_probe() - likewise, where one may not sleep
 * @provisions: of the process that makes a child
 *
 * Return: the names, with one reference, or NULL.
 */
struct pxt_names *pxt_names_create_in_probe(struct pxt_provisions *provisions)
{
	return init(pxt_provisions_take(provisions, PXT_FOR_NAMES));
}

/**
 * pxt_names_copy() - what a child has that is not of its parent's group
 * @from: of the parent
 * @provisions: likewise
 *
 * Context: probe.
 *
 * Return: the names, with one reference, or NULL.
 */
struct pxt_names *pxt_names_copy(struct pxt_names *from,
				 struct pxt_provisions *provisions)
{
	struct pxt_names *names = pxt_names_create_in_probe(provisions);

	if (!names)
		return NULL;
	guard(raw_spinlock_irqsave)(&from->lock);
	/* Before counting: what is opened meanwhile has an identifier. */
	bitmap_copy(names->opened, from->opened, PXT_EVTYPES_MAX);
	smp_rmb();	/* pxt_names_open() adds an identifier before the bit */
	if (from->types)
		names->shared = from->shared ?: pxt_evtypes_count(from->types);
	if (names->shared)
		names->types = pxt_evtypes_get(from->types);
	return names;
}

/**
 * pxt_names_continue() - go on with the identifiers of another image
 * @names: just created
 * @old: of the image before, which a stream still shows
 *
 * Context: any; no sleep.
 */
void pxt_names_continue(struct pxt_names *names, struct pxt_names *old)
{
	guard(raw_spinlock_irqsave)(&old->lock);
	names->shared = old->shared;
	if (old->types)
		names->types = pxt_evtypes_get(old->types);
}

/**
 * pxt_names_get() - take a reference
 * @names: names
 *
 * Return: @names.
 */
struct pxt_names *pxt_names_get(struct pxt_names *names)
{
	kref_get(&names->ref);
	return names;
}

static void free_names_rcu(struct rcu_head *rcu)
{
	struct pxt_names *names = container_of(rcu, struct pxt_names, rcu);

	pxt_evtypes_put(names->types);
	kfree(names);
}

static void free_names(struct kref *ref)
{
	struct pxt_names *names = container_of(ref, struct pxt_names, ref);

	call_rcu(&names->rcu, free_names_rcu);
}

/**
 * pxt_names_put() - drop a reference
 * @names: names, or NULL
 *
 * Context: any in which call_rcu() may be called.
 */
void pxt_names_put(struct pxt_names *names)
{
	if (names)
		kref_put(&names->ref, free_names);
}

/* Have a table to add to. */
static int own_types(struct pxt_names *names)
{
	struct pxt_evtypes *old = names->types, *types;

	lockdep_assert_held(&names->change);
	if (old && !names->shared)
		return 0;
	types = old ? pxt_evtypes_copy(old, names->shared) :
		      pxt_evtypes_create();
	if (!types)
		return -ENOMEM;
	scoped_guard(raw_spinlock_irqsave, &names->lock) {
		names->types = types;
		names->shared = 0;
	}
	pxt_evtypes_put(old);
	return 0;
}

/**
 * pxt_names_types() - identifiers, for a stream that will show them
 * @names: names
 *
 * From now on names are added to this table and to no other. Context: may
 * sleep.
 *
 * Return: the table, with a reference, or ERR_PTR(-ENOMEM).
 */
struct pxt_evtypes *pxt_names_types(struct pxt_names *names)
{
	guard(mutex)(&names->change);
	if (own_types(names))
		return ERR_PTR(-ENOMEM);
	return pxt_evtypes_get(names->types);
}

/* Is there no place for another one? The unnamed event has one of them. */
static bool is_full(const struct pxt_names *names)
{
	return bitmap_weight(names->opened, PXT_EVTYPES_MAX) >=
	       POSIXTRACE_USER_EVENT_MAX - 1;
}

/**
 * pxt_names_open() - map a name to an identifier
 * @names: names
 * @name: not one of the fixed names, at most POSIXTRACE_EVENT_NAME_MAX bytes
 *
 * Context: may sleep.
 *
 * Return: the identifier, POSIXTRACE_EV_UNNAMED at the limit; or -ENOMEM.
 */
int pxt_names_open(struct pxt_names *names, const char *name)
{
	int id;

	guard(mutex)(&names->change);
	if (own_types(names))
		return -ENOMEM;
	id = pxt_evtypes_find(names->types, name);
	if (id && test_bit(id - POSIXTRACE_EV_USER, names->opened))
		return id;
	if (is_full(names))
		return POSIXTRACE_EV_UNNAMED;
	id = pxt_evtypes_add(names->types, name);
	if (id == -ENOSPC)
		return POSIXTRACE_EV_UNNAMED;
	if (id > 0) {
		/* Pairs with pxt_names_copy(). */
		smp_mb__before_atomic();
		set_bit(id - POSIXTRACE_EV_USER, names->opened);
	}
	return id;
}
