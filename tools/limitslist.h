/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "posixtrace limits": how much tracing the system allows.
 */
#ifndef POSIXTRACE_LIMITSLIST_H
#define POSIXTRACE_LIMITSLIST_H

/* Return: exit status. */
int limits_main(int argc, char **argv);

#endif /* POSIXTRACE_LIMITSLIST_H */
