/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "posixtrace info": what a log is.
 */
#ifndef POSIXTRACE_INFO_H
#define POSIXTRACE_INFO_H

/* Return: exit status. */
int info_main(int argc, char **argv);

#endif /* POSIXTRACE_INFO_H */
