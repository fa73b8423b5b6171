// SPDX-License-Identifier: GPL-2.0-only
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "family.h"

/* Those who have ended are looked for when there are so many, or twice as many. */
#define ROOM_MIN	64

void family_init(struct family *f, pid_t parent)
{
	memset(f, 0, sizeof(*f));
	f->parent = parent;
}

static void forget(struct family *f, size_t i)
{
	close(f->members[i].pidfd);
	f->members[i] = f->members[--f->count];
}

void family_release(struct family *f)
{
	while (f->count)
		forget(f, 0);
	free(f->members);
}

static bool has_ended(const struct member *m)
{
	struct pollfd fd = { .fd = m->pidfd, .events = POLLIN };

	return poll(&fd, 1, 0) == 1;
}

static void forget_ended(struct family *f)
{
	size_t i = 0;

	while (i < f->count) {
		if (has_ended(&f->members[i]))
			forget(f, i);
		else
			i++;
	}
}

/* Return: false if there is none. */
static bool make_room(struct family *f)
{
	struct member *members;
	size_t room;

	if (f->count < f->room)
		return true;
	forget_ended(f);
	if (f->room && f->count <= f->room / 2)
		return true;
	room = f->room ? 2 * f->room : ROOM_MIN;
	members = realloc(f->members, room * sizeof(*members));
	if (!members)
		return false;
	f->members = members;
	f->room = room;
	return true;
}

static size_t find(const struct family *f, pid_t pid)
{
	size_t i;

	for (i = 0; i < f->count; i++) {
		if (f->members[i].pid == pid)
			break;
	}
	return i;
}

/* One that cannot be watched is not waited for. */
static void add(struct family *f, pid_t pid)
{
	int pidfd;

	if (!pid || pid == f->parent || find(f, pid) < f->count)
		return;
	pidfd = pidfd_open(pid, 0);
	if (pidfd < 0)
		return;
	if (!make_room(f)) {
		close(pidfd);
		return;
	}
	f->members[f->count++] = (struct member){ pid, pidfd };
}

static void see_child(struct family *f, const void *data)
{
	struct posixtrace_fork fork;

	memcpy(&fork, data, sizeof(fork));
	add(f, fork.pid);
}

void family_see(struct family *f, const struct posixtrace_record *rec,
		const void *data)
{
	size_t i;

	if (rec->event_id == POSIXTRACE_EV_FORK &&
	    rec->data_size >= sizeof(struct posixtrace_fork))
		see_child(f, data);
	if (rec->event_id == POSIXTRACE_EV_EXIT) {
		/* Its number can be another's from now on. */
		i = find(f, rec->pid);
		if (i < f->count)
			forget(f, i);
		f->last = 0;
		return;
	}
	if (rec->pid == f->last)
		return;
	f->last = rec->pid;
	add(f, rec->pid);
}

int family_fd(struct family *f)
{
	forget_ended(f);
	return f->count ? f->members[0].pidfd : -1;
}
