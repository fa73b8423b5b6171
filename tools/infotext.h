/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a log is, as text.
 */
#ifndef POSIXTRACE_INFOTEXT_H
#define POSIXTRACE_INFOTEXT_H

#include <stdio.h>

#include "logsummary.h"

void infotext_put(FILE *out, const struct logreader *r,
		  const struct logsummary *s);

#endif /* POSIXTRACE_INFOTEXT_H */
