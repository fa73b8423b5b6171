/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A stream as the sink of the processes that it traces.
 */
#ifndef PXT_STREAMSINK_H
#define PXT_STREAMSINK_H

#include "sink.h"

extern const struct pxt_sink_ops pxt_streamsink_ops;

#endif /* PXT_STREAMSINK_H */
