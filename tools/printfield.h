/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fields of events as text.
 */
#ifndef POSIXTRACE_PRINTFIELD_H
#define POSIXTRACE_PRINTFIELD_H

#include "events.h"
#include "print.h"

/**
 * print_field() - write a field, with its label
 * @p: printer
 * @f: field
 * @rec: the event
 * @data: of the event, all of its type's size, of any alignment
 */
void print_field(struct printer *p, const struct field *f,
		 const struct posixtrace_record *rec, const void *data);

#endif /* POSIXTRACE_PRINTFIELD_H */
