/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * System calls as text.
 */
#ifndef POSIXTRACE_PRINTCALL_H
#define POSIXTRACE_PRINTCALL_H

#include <stdio.h>
#include <linux/posixtrace.h>

/**
 * print_call() - write "name(arguments)"
 * @out: where to
 * @enter: the call
 */
void print_call(FILE *out, const struct posixtrace_syscall_enter *enter);

/**
 * print_return() - write "name = result"
 * @out: where to
 * @exit: the return
 */
void print_return(FILE *out, const struct posixtrace_syscall_exit *exit);

#endif /* POSIXTRACE_PRINTCALL_H */
