/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers of bytes, easy to read.
 */
#ifndef POSIXTRACE_SIZE_H
#define POSIXTRACE_SIZE_H

#include <linux/types.h>

/* Room for the longest, and what the compiler thinks possible. */
#define SIZE_TEXT_MAX	48

/* "512 bytes", "1.5 KiB", ... in @text. Return: @text. */
const char *size_text(char *text, __u64 bytes);

#endif /* POSIXTRACE_SIZE_H */
