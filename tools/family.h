/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processes that are traced together with the one that the user named: its
 * descendants. They are known from the events that were seen: of their own, or
 * linux_fork of who made them.
 */
#ifndef POSIXTRACE_FAMILY_H
#define POSIXTRACE_FAMILY_H

#include <stddef.h>
#include <sys/types.h>
#include <linux/posixtrace.h>

/**
 * struct member - a descendant
 * @pid: its number
 * @pidfd: readable when it has ended
 */
struct member {
	pid_t pid;
	int pidfd;
};

/**
 * struct family - descendants
 * @parent: the process that the user named, no member
 * @last: of the process that was seen last, which often is the next one, too
 * @members: some may have ended
 * @count: how many
 * @room: for so many
 */
struct family {
	pid_t parent;
	pid_t last;
	struct member *members;
	size_t count;
	size_t room;
};

void family_init(struct family *f, pid_t parent);
void family_release(struct family *f);

/* Take note of the processes that an event tells of; @data of any alignment. */
void family_see(struct family *f, const struct posixtrace_record *rec,
		const void *data);

/*
 * A descriptor that is readable when one of them has ended, -1 when all have, as
 * far as is known. It is good until the next call of any of these functions.
 */
int family_fd(struct family *f);

#endif /* POSIXTRACE_FAMILY_H */
