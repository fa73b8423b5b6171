/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file that a recording goes to.
 */
#ifndef POSIXTRACE_RECORDFILE_H
#define POSIXTRACE_RECORDFILE_H

#include <stdbool.h>

/**
 * struct recordfile - a file
 * @path: its name
 * @fd: descriptor
 * @made: it was not there before
 */
struct recordfile {
	const char *path;
	int fd;
	bool made;
};

/*
 * Open or make it. What it holds stays until recordfile_cut(). Return: -1 to go
 * on, or the exit status: the user was told why.
 */
int recordfile_open(struct recordfile *f, const char *path);

/* A log was created in it: drop what is left behind the beginning. */
void recordfile_cut(const struct recordfile *f);

/* @used: a log was created in it; else it is as it was before. */
void recordfile_close(struct recordfile *f, bool used);

#endif /* POSIXTRACE_RECORDFILE_H */
