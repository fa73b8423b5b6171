/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "posixtrace print": the events of a log.
 */
#ifndef POSIXTRACE_PRINTLOG_H
#define POSIXTRACE_PRINTLOG_H

/* Return: exit status. */
int printlog_main(int argc, char **argv);

#endif /* POSIXTRACE_PRINTLOG_H */
