/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel events: probes that tell what a target does, instrumented or not.
 */
#ifndef PXT_SYSPROBE_H
#define PXT_SYSPROBE_H

#include <linux/types.h>
#include <linux/posixtrace.h>

int pxt_sysprobe_init(void);
void pxt_sysprobe_exit(void);

bool pxt_sysprobe_supports(const struct posixtrace_event_set *events);
int pxt_sysprobe_get(const struct posixtrace_event_set *events);
void pxt_sysprobe_put(const struct posixtrace_event_set *events);

#endif /* PXT_SYSPROBE_H */
