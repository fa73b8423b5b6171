// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "suggest.h"

/* Longer words are like no other. */
#define WORD_MAX	64

/* What a letter costs that is wrong, missing, or too much; and at the end. */
#define WRONG		3
#define WRONG_AT_END	1

void suggest_init(struct suggestion *s, const char *word, size_t len)
{
	s->word = word;
	s->len = len;
	s->best = NULL;
	/* A third of the letters may be wrong. */
	s->distance = WRONG * (len / 3) + 1;
}

static unsigned int min(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/*
 * Levenshtein's distance, row by row. What @to has at its end beyond @from
 * counts less: pread for pread64.
 */
static unsigned int distance(const char *from, size_t from_len, const char *to,
			     size_t to_len)
{
	unsigned int row[WORD_MAX + 1], diagonal, above;
	size_t i, j;

	for (i = 0; i <= from_len; i++)
		row[i] = i * WRONG;
	for (j = 0; j < to_len; j++) {
		diagonal = row[0];
		row[0] += WRONG;
		for (i = 0; i < from_len; i++) {
			above = row[i + 1];
			row[i + 1] = min(diagonal + (from[i] == to[j] ? 0 :
								       WRONG),
					 min(row[i] + WRONG,
					     above + (i + 1 == from_len ?
						      WRONG_AT_END : WRONG)));
			diagonal = above;
		}
	}
	return row[from_len];
}

void suggest_try(struct suggestion *s, const char *candidate, const char *form)
{
	size_t len = strlen(form);
	unsigned int d;

	if (s->len > WORD_MAX || len > WORD_MAX)
		return;
	d = distance(s->word, s->len, form, len);
	if (d >= s->distance)
		return;
	s->best = candidate;
	s->distance = d;
}
