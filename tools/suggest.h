/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What somebody may have meant who wrote a word that is not known.
 */
#ifndef POSIXTRACE_SUGGEST_H
#define POSIXTRACE_SUGGEST_H

#include <stddef.h>

/**
 * struct suggestion - the search for a word that is like another
 * @word: what was written
 * @len: of @word
 * @best: the one most like it so far, NULL if none is
 * @distance: how far it is from @word
 */
struct suggestion {
	const char *word;
	size_t len;
	const char *best;
	unsigned int distance;
};

void suggest_init(struct suggestion *s, const char *word, size_t len);

/* Could it be @candidate, if it is like @form of it? */
void suggest_try(struct suggestion *s, const char *candidate, const char *form);

#endif /* POSIXTRACE_SUGGEST_H */
