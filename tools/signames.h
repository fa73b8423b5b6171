/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of signals, and of the reasons why they were sent.
 */
#ifndef POSIXTRACE_SIGNAMES_H
#define POSIXTRACE_SIGNAMES_H

/* Room for a name of signame() */
#define SIGNAME_MAX	16

/**
 * signame() - name of a signal
 * @sig: its number
 * @buf: room for SIGNAME_MAX bytes
 *
 * Return: such as "SIGUSR1" or "SIGRTMIN+3", the latter as programs count; NULL
 * if it has none: the C library keeps two signals to itself.
 */
const char *signame(int sig, char *buf);

/**
 * sigcode() - name of a si_code
 * @sig: signal
 * @code: why it was sent; some codes mean something else with each signal
 *
 * Return: such as "SI_USER" or "SEGV_MAPERR", or NULL if it has none.
 */
const char *sigcode(int sig, int code);

#endif /* POSIXTRACE_SIGNAMES_H */
