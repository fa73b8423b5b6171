/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The generic netlink family, see linux/posixtrace_netlink.h: the list of
 * streams, and the announcement of what happens to them.
 */
#ifndef PXT_NETLINK_H
#define PXT_NETLINK_H

int pxt_netlink_init(void);
void pxt_netlink_exit(void);

#endif /* PXT_NETLINK_H */
