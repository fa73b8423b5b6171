/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How streams are shown, by "posixtrace list" and "posixtrace monitor".
 */
#ifndef POSIXTRACE_STREAMSHOW_H
#define POSIXTRACE_STREAMSHOW_H

#include <stdio.h>

#include "json.h"
#include "nlclient.h"

/* What it does, in a word: run, stop, full. */
const char *streamshow_state(const struct nlstream *s);

/* The name of a user, or its number if the name has more than 8 characters. */
void streamshow_user(FILE *out, __u64 uid);

/**
 * streamshow_name() - write the name of a stream
 * @out: where to
 * @name: any bytes
 * @width: at most so many columns; what is longer ends with ~
 */
void streamshow_name(FILE *out, const char *name, size_t width);

/* Members of an object: who and what it is; all the rest that a list tells. */
void streamshow_json(struct json *j, const struct nlstream *s);
void streamshow_json_all(struct json *j, const struct nlstream *s);

#endif /* POSIXTRACE_STREAMSHOW_H */
