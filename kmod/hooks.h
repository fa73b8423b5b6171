/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The life of processes: what fork, exec and exit mean for targets and owners.
 */
#ifndef PXT_HOOKS_H
#define PXT_HOOKS_H

int pxt_hooks_init(void);
void pxt_hooks_exit(void);

#endif /* PXT_HOOKS_H */
