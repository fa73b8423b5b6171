/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Event types: names and identifiers.
 *
 * The standard's types and the kernel events are fixed. The names that programs
 * open go to a table, which only grows: an identifier means one name for as
 * long as anybody can still see it in a stream.
 */
#ifndef PXT_EVTYPE_H
#define PXT_EVTYPE_H

#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include <linux/posixtrace.h>

/* Identifiers that a table can hand out. */
#define PXT_EVTYPES_MAX		(POSIXTRACE_EVENT_MAX - POSIXTRACE_EV_USER)

/**
 * struct pxt_evtype - name of a user event type
 * @users: tables that hold it
 * @name: NUL-terminated; never changes
 */
struct pxt_evtype {
	refcount_t users;
	char name[];
};

/**
 * struct pxt_evtypes - table of user event types
 * @ref: the processes that open names in it, and the streams that show them
 * @lock: serializes additions
 * @nr: entries of @types in use; grows by smp_store_release() after the entry
 *	was written, so that readers need no lock
 * @types: the entry i has the identifier POSIXTRACE_EV_USER + i
 */
struct pxt_evtypes {
	struct kref ref;
	struct mutex lock;	/* additions */
	unsigned int nr;
	struct pxt_evtype *types[PXT_EVTYPES_MAX];
};

u32 pxt_evtype_fixed_id(const char *name);
const char *pxt_evtype_fixed_name(u32 id);

struct pxt_evtypes *pxt_evtypes_create(void);
struct pxt_evtypes *pxt_evtypes_copy(struct pxt_evtypes *from, unsigned int nr);
struct pxt_evtypes *pxt_evtypes_get(struct pxt_evtypes *types);
void pxt_evtypes_put(struct pxt_evtypes *types);

unsigned int pxt_evtypes_count(const struct pxt_evtypes *types);
u32 pxt_evtypes_find(const struct pxt_evtypes *types, const char *name);
int pxt_evtypes_add(struct pxt_evtypes *types, const char *name);
const char *pxt_evtypes_name(const struct pxt_evtypes *types, u32 id);

#endif /* PXT_EVTYPE_H */
