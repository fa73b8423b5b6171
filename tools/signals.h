/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The signals that end what the tool does.
 */
#ifndef POSIXTRACE_SIGNALS_H
#define POSIXTRACE_SIGNALS_H

#include <signal.h>

/**
 * signals_take() - let them be read instead of delivered
 * @old_mask: gets the signal mask as it was; may be NULL
 *
 * SIGPIPE is blocked for good: write() tells the same.
 *
 * Return: a descriptor that is readable when one came; -1: the user was told
 * why there is none.
 */
int signals_take(sigset_t *old_mask);

#endif /* POSIXTRACE_SIGNALS_H */
