/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of error numbers, as a system call returns them.
 */
#ifndef POSIXTRACE_ERRNAMES_H
#define POSIXTRACE_ERRNAMES_H

#include <stdbool.h>

/**
 * errname() - name of an error number
 * @err: 1 .. 4095
 *
 * Return: such as "ENOENT", or NULL if it has none.
 */
const char *errname(int err);

/**
 * errtext() - what an error number means
 * @err: 1 .. 4095
 *
 * Return: such as "No such file or directory", or NULL.
 */
const char *errtext(int err);

/**
 * err_is_restart() - is this a note of the kernel to itself?
 * @err: 1 .. 4095
 *
 * A system call that a signal interrupted is traced before the kernel decides
 * what the program sees: EINTR, or the call once more.
 */
bool err_is_restart(int err);

#endif /* POSIXTRACE_ERRNAMES_H */
