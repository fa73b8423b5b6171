// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tracepoints of the kernel, see tp.h.
 */
#include <linux/errno.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "tp.h"

struct search {
	struct pxt_tp *tps;
	unsigned int nr;
};

static void match(struct tracepoint *tp, void *data)
{
	struct search *search = data;
	unsigned int i;

	for (i = 0; i < search->nr; i++)
		if (!strcmp(search->tps[i].name, tp->name))
			search->tps[i].tp = tp;
}

/**
 * pxt_tp_find() - find tracepoints by name
 * @tps: what to find
 * @nr: how many
 *
 * Return: 0, or -ENOENT if the kernel lacks one.
 */
int pxt_tp_find(struct pxt_tp *tps, unsigned int nr)
{
	struct search search = { tps, nr };
	unsigned int i;

	for_each_kernel_tracepoint(match, &search);
	for (i = 0; i < nr; i++) {
		if (tps[i].tp)
			continue;
		pr_err("this kernel has no tracepoint %s\n", tps[i].name);
		return -ENOENT;
	}
	return 0;
}

/**
 * pxt_tp_attach() - register the probes
 * @tps: found by pxt_tp_find()
 * @nr: how many
 *
 * Context: may sleep.
 *
 * Return: 0, or an error and none is registered.
 */
int pxt_tp_attach(struct pxt_tp *tps, unsigned int nr)
{
	unsigned int i;
	int err;

	for (i = 0; i < nr; i++) {
		err = tracepoint_probe_register(tps[i].tp, tps[i].probe, NULL);
		if (err) {
			pxt_tp_detach(tps, i);
			return err;
		}
	}
	return 0;
}

/**
 * pxt_tp_detach() - unregister the probes
 * @tps: registered by pxt_tp_attach()
 * @nr: how many
 *
 * They may still run until tracepoint_synchronize_unregister() returns.
 * Context: may sleep.
 */
void pxt_tp_detach(struct pxt_tp *tps, unsigned int nr)
{
	while (nr--)
		tracepoint_probe_unregister(tps[nr].tp, tps[nr].probe, NULL);
}
