/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names: which event names a process can use.
 *
 * The identifiers come from a table (evtype.h), which the streams show and which
 * outlives an exec. What a program has opened since it was executed, and how
 * much that is, is held here; the processes of an inheriting group share it.
 */
#ifndef PXT_NAMES_H
#define PXT_NAMES_H

#include <linux/bitmap.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "evtype.h"
#include "provisions.h"

/**
 * struct pxt_names - the names that a program has opened
 * @ref: of the processes that use it
 * @rcu: to free it
 * @change: covers changes of all that follows; sleeps
 * @lock: covers @types and @shared, which are changed under both locks. Taken in
 *	probes
 * @types: identifiers; NULL while there is none
 * @shared: 0, or @types belongs to the parent and only the first @shared entries
 *	count; replaced by a copy when a name is to be added
 * @opened: bit i: POSIXTRACE_EV_USER + i was opened by this image or for it.
 *	Bits are set under @change and read without lock
 */
struct pxt_names {
	struct kref ref;
	struct rcu_head rcu;
	struct mutex change;	/* of what follows */
	raw_spinlock_t lock;
	struct pxt_evtypes *types;
	unsigned int shared;
	DECLARE_BITMAP(opened, PXT_EVTYPES_MAX);
};

struct pxt_names *pxt_names_create(void);
struct pxt_names *pxt_names_create_in_probe(struct pxt_provisions *provisions);
struct pxt_names *pxt_names_copy(struct pxt_names *from,
				 struct pxt_provisions *provisions);
void pxt_names_continue(struct pxt_names *names, struct pxt_names *old);
struct pxt_names *pxt_names_get(struct pxt_names *names);
void pxt_names_put(struct pxt_names *names);

struct pxt_evtypes *pxt_names_types(struct pxt_names *names);
int pxt_names_open(struct pxt_names *names, const char *name);

/* Was this user event type, of any value, opened? */
static inline bool pxt_names_has(const struct pxt_names *names, u32 id)
{
	return id >= POSIXTRACE_EV_USER && id < POSIXTRACE_EVENT_MAX &&
	       test_bit(id - POSIXTRACE_EV_USER, names->opened);
}

#endif /* PXT_NAMES_H */
