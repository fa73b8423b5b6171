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

/* Rows of the table: this, the one before, and the one before that. */
static unsigned int rows[3][WORD_MAX + 1];

/* Letter @j of @to against the letters of @from: one step of Levenshtein's. */
static void fill_row(const char *from, size_t len, const char *to, size_t j)
{
	unsigned int *row = rows[(j + 1) % 3];
	const unsigned int *above = rows[j % 3];
	size_t i;

	row[0] = above[0] + WRONG;
	for (i = 0; i < len; i++) {
		row[i + 1] = min(above[i] + (from[i] == to[j] ? 0 : WRONG),
				 row[i] + WRONG);
		row[i + 1] = min(row[i + 1], above[i + 1] +
				 (i + 1 == len ? WRONG_AT_END : WRONG));
		if (i && j && from[i] == to[j - 1] && from[i - 1] == to[j])
			row[i + 1] = min(row[i + 1],
					 rows[(j + 2) % 3][i - 1] + WRONG);
	}
}

/*
 * How many letters have to be changed; two in the wrong order count as one. What
 * @to has at its end beyond @from counts less: wait for wait4.
 */
static unsigned int distance(const char *from, size_t from_len, const char *to,
			     size_t to_len)
{
	size_t i, j;

	for (i = 0; i <= from_len; i++)
		rows[0][i] = i * WRONG;
	for (j = 0; j < to_len; j++)
		fill_row(from, from_len, to, j);
	return rows[to_len % 3][from_len];
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
