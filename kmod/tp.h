/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints of the kernel, found by name: most of them are not exported.
 */
#ifndef PXT_TP_H
#define PXT_TP_H

struct tracepoint;

/**
 * struct pxt_tp - a probe and the tracepoint that it belongs to
 * @name: of the tracepoint
 * @probe: function with the tracepoint's signature, data pointer first. Runs
 *	with preemption off, which makes it an RCU reader: no sleep, no user
 *	memory
 * @tp: filled in by pxt_tp_find()
 *
 * Static.
 */
struct pxt_tp {
	const char *name;
	void *probe;
	struct tracepoint *tp;
};

int pxt_tp_find(struct pxt_tp *tps, unsigned int nr);
int pxt_tp_attach(struct pxt_tp *tps, unsigned int nr);
void pxt_tp_detach(struct pxt_tp *tps, unsigned int nr);

#endif /* PXT_TP_H */
