/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel module tells about all streams, see
 * linux/posixtrace_netlink.h.
 */
#ifndef POSIXTRACE_NLCLIENT_H
#define POSIXTRACE_NLCLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/posixtrace.h>
#include <linux/posixtrace_netlink.h>

struct nl_sock;

/**
 * struct nlstream - a stream, or something that happened to one
 * @value: by POSIXTRACE_NL_A_*; 0 if the kernel did not tell
 * @name: chosen by its owner: nothing that a terminal may get as it is
 */
struct nlstream {
	__u64 value[POSIXTRACE_NL_A_MAX + 1];
	char name[POSIXTRACE_NAME_MAX + 1];
};

/**
 * struct nlstreams - a list of streams, in order of number
 * @stream: the streams
 * @nr: how many
 * @room: for how many there is memory
 */
struct nlstreams {
	struct nlstream *stream;
	size_t nr;
	size_t room;
};

/**
 * struct nlclient - a socket
 * @sk: the socket
 * @family: number of the family
 */
struct nlclient {
	struct nl_sock *sk;
	int family;
};

/* Return: false: the user was told why not. */
bool nlclient_open(struct nlclient *c);
void nlclient_close(struct nlclient *c);

/**
 * nlclient_list() - get the list of streams
 * @c: client
 * @list: zero, or filled in before
 *
 * Return: false: the user was told why there is none.
 */
bool nlclient_list(struct nlclient *c, struct nlstreams *list);
void nlstreams_free(struct nlstreams *list);

/**
 * nlclient_join() - from now on hear what happens to streams
 * @c: client, which can't be asked for the list any more
 * @room: bytes of messages that may wait to be read; 0: as the system likes
 *
 * Return: false: the user was told why not.
 */
bool nlclient_join(struct nlclient *c, size_t room);

/* A descriptor, readable when something has happened. */
int nlclient_fd(const struct nlclient *c);

/**
 * nlclient_hear() - read what happened, without waiting
 * @c: client that has joined
 * @tell: called for each message; NULL: they are dropped
 * @arg: handed to it
 *
 * Return: 0; EAGAIN: nothing is left to be read; ENOBUFS: messages were lost; or
 * another error number: the user was told why there will be no more.
 */
int nlclient_hear(struct nlclient *c,
		  void (*tell)(const struct nlstream *what, void *arg),
		  void *arg);

#endif /* POSIXTRACE_NLCLIENT_H */
