/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "posixtrace record": write what happens to a log.
 *
 * The kernel writes the log. This program makes the stream, waits for the end,
 * and tells how much there is.
 */
#ifndef POSIXTRACE_RECORD_H
#define POSIXTRACE_RECORD_H

/* Return: exit status. May end this process as the traced command was ended. */
int record_main(int argc, char **argv);

#endif /* POSIXTRACE_RECORD_H */
