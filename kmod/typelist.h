/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The event type list of a stream: which types its events can have, and their
 * names (POSIX.1-2008, posix_trace_eventtypelist_getnext_id).
 */
#ifndef PXT_TYPELIST_H
#define PXT_TYPELIST_H

#include <linux/types.h>

struct pxt_stream;

int pxt_typelist_open(struct pxt_stream *stream, const char *name);
const char *pxt_typelist_name(struct pxt_stream *stream, u32 id);
u32 pxt_typelist_next(struct pxt_stream *stream);
void pxt_typelist_rewind(struct pxt_stream *stream);

#endif /* PXT_TYPELIST_H */
