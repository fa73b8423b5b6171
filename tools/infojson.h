/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a log is, as one JSON object on one line.
 *
 * Times are as in jsonevent.h, all sizes are numbers of bytes. write_error is the
 * name of the first error of writing the log, null if there was none; counters is
 * null if the log is not finished: they are written at the end. first and last
 * are null if there are no events.
 */
#ifndef POSIXTRACE_INFOJSON_H
#define POSIXTRACE_INFOJSON_H

#include <stdio.h>

#include "logsummary.h"

void infojson_put(FILE *out, const struct logreader *r,
		  const struct logsummary *s);

#endif /* POSIXTRACE_INFOJSON_H */
