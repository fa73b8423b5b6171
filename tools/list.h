/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "posixtrace list": which streams there are.
 */
#ifndef POSIXTRACE_LIST_H
#define POSIXTRACE_LIST_H

/* Return: exit status. */
int list_main(int argc, char **argv);

#endif /* POSIXTRACE_LIST_H */
