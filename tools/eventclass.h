/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Classes of events, as named after -e.
 */
#ifndef POSIXTRACE_EVENTCLASS_H
#define POSIXTRACE_EVENTCLASS_H

#include <stddef.h>
#include <stdio.h>

#define EVENTCLASS_USER		0x1
#define EVENTCLASS_SYSCALL	0x2
#define EVENTCLASS_SCHED	0x4
#define EVENTCLASS_SIGNAL	0x8
#define EVENTCLASS_PROCESS	0x10
#define EVENTCLASS_FAULT	0x20
#define EVENTCLASS_SYSTEM	0x40
#define EVENTCLASS_OTHER	0x80	/* types of newer versions */
#define EVENTCLASS_ALL		0xff
#define EVENTCLASS_DEFAULT	(EVENTCLASS_USER | EVENTCLASS_SYSCALL)

/* The class, or classes, with this name; 0 if there is none. */
unsigned int eventclass_find(const char *name, size_t len);

/* The class that an event type is in. */
unsigned int eventclass_of(unsigned int id);

/* The name of the @i-th class, NULL when there are no more. */
const char *eventclass_name(size_t i);

/* The classes and what is in them. */
void eventclass_help(FILE *out);

#endif /* POSIXTRACE_EVENTCLASS_H */
