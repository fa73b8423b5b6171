/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "posixtrace monitor": what happens to streams.
 */
#ifndef POSIXTRACE_MONITOR_H
#define POSIXTRACE_MONITOR_H

/* Return: exit status. */
int monitor_main(int argc, char **argv);

#endif /* POSIXTRACE_MONITOR_H */
