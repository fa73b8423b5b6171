/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which events are wanted, as said after -e: classes, types, and single system
 * calls.
 */
#ifndef POSIXTRACE_CHOICE_H
#define POSIXTRACE_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <trace.h>
#include <linux/posixtrace.h>

/**
 * struct choice - what is wanted
 * @types: event types
 * @some_calls: of the system calls only @calls; of both event types, if neither
 *	is in @types
 * @calls: system calls by number
 *
 * Nothing is wanted from one that is zero.
 */
struct choice {
	bool types[POSIXTRACE_EVENT_MAX];
	bool some_calls;
	bool calls[POSIXTRACE_SYSCALL_MAX];
};

/**
 * typedef choice_word_fn - add a word to a choice
 * @c: choice
 * @word: what the user wrote
 * @len: of @word
 * @arg: as given to choice_add_list()
 *
 * Return: -1 to go on, or the exit status: the user was told what is wrong.
 */
typedef int (*choice_word_fn)(struct choice *c, const char *word, size_t len,
			      void *arg);

/**
 * choice_add_list() - want what a list has, too
 * @c: choice
 * @list: words with commas between them. All that follows "syscall:" are
 *	system calls
 * @word: called for each of the others
 * @arg: for @word
 *
 * Return: -1 to go on, or the exit status.
 */
int choice_add_list(struct choice *c, const char *list, choice_word_fn word,
		    void *arg);

/* The class, or event type that each trace has. Return: false: no such. */
bool choice_add(struct choice *c, const char *word, size_t len);

/* Want these classes, EVENTCLASS_*, too. */
void choice_add_classes(struct choice *c, unsigned int classes);

/* Tell what is like @word, and what else can be said. */
void choice_hint(const char *word, size_t len);

/* What can be said after -e, for the help of a sub-command. */
void choice_help(FILE *out);

bool choice_is_empty(const struct choice *c);

/* Is this event wanted? @data is of any alignment. */
bool choice_has(const struct choice *c, const struct posixtrace_record *rec,
		const void *data);

/*
 * What puts a choice into force in the kernel: the kernel events that a stream
 * has to be created with; its system calls; and the events that it ignores.
 * OVERFLOW, RESUME and ERROR are never among those: a gap must not go unseen.
 *
 * Return: 0 or an error number.
 */
int choice_set_kernel(const struct choice *c, trace_attr_t *attr);
int choice_set_filter(const struct choice *c, trace_id_t trid);

#endif /* POSIXTRACE_CHOICE_H */
