/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Classes of events, as named after -e.
 */
#ifndef POSIXTRACE_EVENTCLASS_H
#define POSIXTRACE_EVENTCLASS_H

#include <stdio.h>
#include <trace.h>

#define EVENTCLASS_USER		0x1
#define EVENTCLASS_SYSCALL	0x2
#define EVENTCLASS_SCHED	0x4
#define EVENTCLASS_SIGNAL	0x8
#define EVENTCLASS_PROCESS	0x10
#define EVENTCLASS_FAULT	0x20
#define EVENTCLASS_SYSTEM	0x40
#define EVENTCLASS_DEFAULT	(EVENTCLASS_USER | EVENTCLASS_SYSCALL)

/* The class, or classes, with this name; 0 if there is none. */
unsigned int eventclass_find(const char *name, size_t len);

/* The class that an event type is in. */
unsigned int eventclass_of(unsigned int id);

/**
 * eventclass_parse() - read a list of classes
 * @list: names with commas between them
 * @classes: the classes are added to it
 *
 * Return: NULL, or the place in @list where a name that is not known begins.
 */
const char *eventclass_parse(const char *list, unsigned int *classes);

/* The classes and what is in them, one line each. */
void eventclass_help(FILE *out);

/* Their names with commas between them. */
void eventclass_names(FILE *out);

/* The kernel events that a stream for @classes has to be created with. */
void eventclass_kernel_events(unsigned int classes, trace_event_set_t *set);

/*
 * What a stream for @classes ignores. OVERFLOW, RESUME and ERROR are never in
 * it: a gap must not go unseen.
 */
void eventclass_filter(unsigned int classes, trace_event_set_t *set);

#endif /* POSIXTRACE_EVENTCLASS_H */
