/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A stream that traces this process.
 */
#ifndef BENCH_OWN_H
#define BENCH_OWN_H

#include <stdbool.h>
#include <trace.h>

/* A running one of @size bytes, that has all kernel events or none. */
trace_id_t own_stream(size_t size, bool kernel_events);

#endif /* BENCH_OWN_H */
