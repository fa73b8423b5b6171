/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sets of event types as text: "nothing", "everything", "user events but
 * tick", "posix_trace_start, posix_trace_stop" ...
 */
#ifndef POSIXTRACE_PRINTSET_H
#define POSIXTRACE_PRINTSET_H

#include <linux/posixtrace.h>

#include "print.h"

/**
 * print_set() - write the members of a set
 * @p: printer
 * @set: event types
 */
void print_set(struct printer *p, const struct posixtrace_event_set *set);

/**
 * print_name() - write the name of an event type
 * @p: printer
 * @id: event type
 */
void print_name(struct printer *p, unsigned int id);

#endif /* POSIXTRACE_PRINTSET_H */
