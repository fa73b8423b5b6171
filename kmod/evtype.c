// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event types, see evtype.h.
 *
 * Also built on the host, for unit tests and fuzzing.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/nospec.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "evtype.h"

static const char * const fixed_names[POSIXTRACE_EV_USER] =
	POSIXTRACE_EVENT_NAMES;

/**
 * pxt_evtype_fixed_id() - identifier of a type that needs no opening
 * @name: NUL-terminated
 *
 * Return: the identifier, 0 if @name is not one of these.
 */
u32 pxt_evtype_fixed_id(const char *name)
{
	u32 id;

	for (id = 1; id < ARRAY_SIZE(fixed_names); id++)
		if (fixed_names[id] && !strcmp(fixed_names[id], name))
			return id;
	return 0;
}

/**
 * pxt_evtype_fixed_name() - name of a type that needs no opening
 * @id: any value
 *
 * Return: the name, NULL if @id is not one of these.
 */
const char *pxt_evtype_fixed_name(u32 id)
{
	if (id >= ARRAY_SIZE(fixed_names))
		return NULL;
	return fixed_names[array_index_nospec(id, ARRAY_SIZE(fixed_names))];
}

/**
 * pxt_evtypes_create() - make an empty table
 *
 * Accounted to the caller. Context: may sleep.
 *
 * Return: the table, with one reference, or NULL.
 */
struct pxt_evtypes *pxt_evtypes_create(void)
{
	struct pxt_evtypes *types;

	types = kzalloc(sizeof(*types), GFP_KERNEL_ACCOUNT);
	if (!types)
		return NULL;
	kref_init(&types->ref);
	mutex_init(&types->lock);
	return types;
}

/**
 * pxt_evtypes_copy() - make a table with the oldest entries of another
 * @from: the other
 * @nr: how many, at most pxt_evtypes_count(@from)
 *
 * The same names have the same identifiers in both. Context: may sleep.
 *
 * Return: the table, with one reference, or NULL.
 */
struct pxt_evtypes *pxt_evtypes_copy(struct pxt_evtypes *from, unsigned int nr)
{
	struct pxt_evtypes *types = pxt_evtypes_create();
	unsigned int i;

	if (!types)
		return NULL;
	for (i = 0; i < nr; i++) {
		types->types[i] = from->types[i];
		refcount_inc(&types->types[i]->users);
	}
	types->nr = nr;
	return types;
}

/**
 * pxt_evtypes_get() - take a reference
 * @types: a table
 *
 * Return: @types.
 */
struct pxt_evtypes *pxt_evtypes_get(struct pxt_evtypes *types)
{
	kref_get(&types->ref);
	return types;
}

static void free_types(struct kref *ref)
{
	struct pxt_evtypes *types = container_of(ref, struct pxt_evtypes, ref);
	unsigned int i;

	for (i = 0; i < types->nr; i++)
		if (refcount_dec_and_test(&types->types[i]->users))
			kfree(types->types[i]);
	kfree(types);
}

/**
 * pxt_evtypes_put() - drop a reference
 * @types: a table, or NULL
 *
 * Context: any; no sleep.
 */
void pxt_evtypes_put(struct pxt_evtypes *types)
{
	if (types)
		kref_put(&types->ref, free_types);
}

/**
 * pxt_evtypes_count() - number of entries
 * @types: a table
 *
 * Pairs with the release in pxt_evtypes_add(): the entries are whole.
 *
 * Return: how many identifiers, from POSIXTRACE_EV_USER on, are in use.
 */
unsigned int pxt_evtypes_count(const struct pxt_evtypes *types)
{
	return smp_load_acquire(&types->nr);	/* pxt_evtypes_add() */
}

/**
 * pxt_evtypes_find() - look a name up
 * @types: a table
 * @name: NUL-terminated
 *
 * Return: its identifier, 0 if it is not in the table.
 */
u32 pxt_evtypes_find(const struct pxt_evtypes *types, const char *name)
{
	unsigned int i, nr = pxt_evtypes_count(types);

	for (i = 0; i < nr; i++)
		if (!strcmp(types->types[i]->name, name))
			return POSIXTRACE_EV_USER + i;
	return 0;
}

/**
 * pxt_evtypes_add() - give a name an identifier
 * @types: a table
 * @name: NUL-terminated, at most POSIXTRACE_EVENT_NAME_MAX bytes
 *
 * Context: may sleep.
 *
 * Return: its identifier, old or new; -ENOSPC: no identifier is left; -ENOMEM.
 */
int pxt_evtypes_add(struct pxt_evtypes *types, const char *name)
{
	size_t len = strlen(name) + 1;
	struct pxt_evtype *type;
	int id;

	mutex_lock(&types->lock);
	id = pxt_evtypes_find(types, name);
	if (id)
		goto unlock;
	id = -ENOSPC;
	if (types->nr == PXT_EVTYPES_MAX)
		goto unlock;
	id = -ENOMEM;
	type = kmalloc(sizeof(*type) + len, GFP_KERNEL_ACCOUNT);
	if (!type)
		goto unlock;
	refcount_set(&type->users, 1);
	memcpy(type->name, name, len);
	types->types[types->nr] = type;
	id = POSIXTRACE_EV_USER + types->nr;
	/* Pairs with pxt_evtypes_count(). */
	smp_store_release(&types->nr, types->nr + 1);
unlock:
	mutex_unlock(&types->lock);
	return id;
}

/**
 * pxt_evtypes_name() - name of a user event type
 * @types: a table
 * @id: any value
 *
 * Return: the name, which lives as long as the table; NULL if there is none.
 */
const char *pxt_evtypes_name(const struct pxt_evtypes *types, u32 id)
{
	u32 nr = pxt_evtypes_count(types), i = id - POSIXTRACE_EV_USER;

	if (id < POSIXTRACE_EV_USER || i >= nr)
		return NULL;
	return types->types[array_index_nospec(i, nr)]->name;
}
