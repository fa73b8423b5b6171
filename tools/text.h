/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bytes that came from a traced program, written so that a terminal takes
 * them for text and nothing else.
 *
 * What is printable depends on the locale of the tool: bytes beyond ASCII are
 * shown as they are only where they make up printable characters of it.
 */
#ifndef POSIXTRACE_TEXT_H
#define POSIXTRACE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/**
 * text_is_printable() - do these bytes look like text?
 * @data: bytes
 * @len: how many
 *
 * Text is printable characters, tabs and line ends, with one NUL at its end
 * or none. No bytes at all are not text.
 */
bool text_is_printable(const void *data, size_t len);

/**
 * text_put_quoted() - write bytes between quotes
 * @out: where to
 * @data: bytes
 * @len: how many
 *
 * As a C string literal: what is not printable becomes \n, \t, \0, \x1b ...
 */
void text_put_quoted(FILE *out, const void *data, size_t len);

/**
 * text_put_name() - write a name
 * @out: where to
 * @name: NUL-terminated
 *
 * As it is if it is one printable word, else quoted.
 */
void text_put_name(FILE *out, const char *name);

/**
 * text_put_hex() - write bytes in hex
 * @out: where to
 * @data: bytes
 * @len: how many
 */
void text_put_hex(FILE *out, const void *data, size_t len);

#endif /* POSIXTRACE_TEXT_H */
