/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events as lines of text.
 *
 *	14:03:07.123456 1234/1234   openat(AT_FDCWD, 0x7ffd2a0e1c40, 0, 0)
 *	14:03:07.123471 1234/1234   openat = -1 ENOENT (No such file or directory)
 *	14:03:07.130220 1234/1240   tick: "beat 17"
 *	14:03:07.130220 -/-         posix_trace_overflow
 *
 * Local time, process and thread, event type, data.
 */
#ifndef POSIXTRACE_PRINT_H
#define POSIXTRACE_PRINT_H

#include <stdio.h>
#include <time.h>
#include <linux/posixtrace.h>

/**
 * typedef printer_name_fn - tell the name of an event type
 * @arg: as in struct printer
 * @id: event type
 * @name: room for POSIXTRACE_EVENT_NAME_MAX + 1 bytes
 *
 * Return: 0, or an error number when it has none.
 */
typedef int (*printer_name_fn)(void *arg, unsigned int id, char *name);

/**
 * struct printer - writes events of one stream
 * @out: where to
 * @get_name: asked once per event type
 * @get_name_arg: for @get_name
 * @names: what it answered
 * @second: the time that @clock shows
 * @clock: "HH:MM:SS"
 * @who_width: room for process/thread, as wide as the widest so far
 */
struct printer {
	FILE *out;
	printer_name_fn get_name;
	void *get_name_arg;
	char *names[POSIXTRACE_EVENT_MAX];
	time_t second;
	char clock[16];
	int who_width;
};

void printer_init(struct printer *p, FILE *out, printer_name_fn get_name,
		  void *arg);
void printer_destroy(struct printer *p);

/**
 * print_event() - write one event
 * @p: printer
 * @rec: the event; nothing in it is trusted
 * @data: @rec->data_size bytes, of any alignment
 */
void print_event(struct printer *p, const struct posixtrace_record *rec,
		 const void *data);

#endif /* POSIXTRACE_PRINT_H */
