/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The list of streams: those that are complete and were not shut down, by
 * number.
 */
#ifndef PXT_STREAMLIST_H
#define PXT_STREAMLIST_H

#include <linux/types.h>

struct pxt_stream;

void pxt_streamlist_add(struct pxt_stream *stream);
void pxt_streamlist_remove(struct pxt_stream *stream);
struct pxt_stream *pxt_streamlist_next(u64 number);
u32 pxt_streamlist_generation(void);

#endif /* PXT_STREAMLIST_H */
