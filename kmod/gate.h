/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The gate: a page that a process reads to learn whether anybody wants its
 * events, so that it need not ask by a system call.
 *
 * A page belongs to an address space. Nearly always that is one process; after
 * vfork() or clone(CLONE_VM) several ones share it, and it then tells what any
 * of them has to know.
 */
#ifndef PXT_GATE_H
#define PXT_GATE_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/posixtrace.h>

struct page;

/**
 * struct pxt_gate - the page of one address space
 * @ref: its users
 * @lock: covers @users, @nr and the content of @page. Taken in probes
 * @users: list of struct pxt_gate_user
 * @nr: how many they are
 * @page: holds a struct posixtrace_gate; mappings have references of their own
 * @rcu: to free it
 */
struct pxt_gate {
	struct kref ref;
	raw_spinlock_t lock;
	struct list_head users;
	unsigned int nr;
	struct page *page;
	struct rcu_head rcu;
};

/**
 * struct pxt_gate_user - a process that reads the gate
 * @gate: the gate, NULL if the process has none. Set once by
 *	pxt_gate_join(), reset by pxt_gate_leave()
 * @node: in @gate->users; covered by @gate->lock
 * @wanted: what this process has to know; likewise
 */
struct pxt_gate_user {
	struct pxt_gate *gate;
	struct list_head node;
	struct posixtrace_event_set wanted;
};

int pxt_gate_init(void);
void pxt_gate_exit(void);

struct pxt_gate *pxt_gate_create(void);
void pxt_gate_put(struct pxt_gate *gate);

void pxt_gate_join(struct pxt_gate *gate, struct pxt_gate_user *user);
struct pxt_gate *pxt_gate_leave(struct pxt_gate_user *user);
void pxt_gate_publish(struct pxt_gate_user *user,
		      const struct posixtrace_event_set *wanted);

struct page *pxt_gate_open_page(void);

#endif /* PXT_GATE_H */
