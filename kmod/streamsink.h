/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A stream as the sink of the processes that it traces.
 */
#ifndef PXT_STREAMSINK_H
#define PXT_STREAMSINK_H

struct pxt_stream;

void pxt_streamsink_init(struct pxt_stream *stream);

#endif /* PXT_STREAMSINK_H */
