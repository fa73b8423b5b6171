/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "posixtrace live": show events as they happen.
 */
#ifndef POSIXTRACE_LIVE_H
#define POSIXTRACE_LIVE_H

/* Return: exit status. May end this process as the traced command was ended. */
int live_main(int argc, char **argv);

#endif /* POSIXTRACE_LIVE_H */
