/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /dev/posixtrace: make streams, open names, record events, map the gate.
 */
#ifndef PXT_DEV_H
#define PXT_DEV_H

int pxt_dev_init(void);
void pxt_dev_exit(void);

#endif /* PXT_DEV_H */
