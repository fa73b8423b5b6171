/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef WORDS_H
#define WORDS_H

const char *one(void);
const char *two(void);
const char *three(void);
const char *four(void);
const char *words(void);

/* There are no other headers where this is compiled. */
int puts(const char *s);

#endif /* WORDS_H */
