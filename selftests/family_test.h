/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A family: processes of several generations that do what the test tells them,
 * and answer when it is done. Each talks to the test through descriptors of
 * fixed numbers, which outlast a fork and an exec.
 *
 * The file that includes this says what a member does, see obey().
 */
#ifndef FAMILY_TEST_H
#define FAMILY_TEST_H

#include "kernel_test.h"

#include <linux/seccomp.h>

#define FAMILY		6

/* The member's ends of its pipes. */
#define MEMBER_IN(nr)	(200 + 2 * (nr))
#define MEMBER_OUT(nr)	(201 + 2 * (nr))

/* Answer of a member that died of what it was told. */
#define DIED		(-99999)

enum deed {
	DO_FORK,		/* make member @nr, with clone() flags @arg */
	DO_WAIT,		/* for its child with pid @arg; the status */
	DO_RECORD,		/* event type @arg, own pid as data */
	DO_OPEN,		/* the name @text; its identifier */
	DO_CALL,		/* getppid(), @arg times */
	DO_CONFINE,		/* no system calls but read, write, exit */
	DO_END,			/* exit with status @arg */
	DO_EXEC,		/* this program again, as the same member; the
				 * file @text, if that is not empty
				 */
	DO_OTHER,		/* obey() */
};

struct order {
	enum deed deed;
	int nr;
	long arg;
	char text[64];
};

/* A member as the test sees it. */
struct member {
	struct child c;
	int pidfd;
};

struct family {
	int device;
	struct member m[FAMILY];
};

/* DO_OTHER: by member @nr; the answer. */
static long obey(int nr, const struct order *order);

static inline void member_serve(int nr);

/* Make a child of oneself a member. */
static inline long member_fork(const struct order *order)
{
	long pid = order->arg ? syscall(SYS_clone, order->arg, 0, 0, 0, 0) :
				fork();

	if (!pid)
		member_serve(order->nr);
	return pid;
}

static inline long member_wait(pid_t pid)
{
	int status;

	must_be(waitpid(pid, &status, __WALL) == pid);
	return status;
}

static inline long member_record(trace_event_id_t id)
{
	pid_t pid = (pid_t)syscall(SYS_getpid);

	posix_trace_event(id, &pid, sizeof(pid));
	return 0;
}

/* Like that, without a system call of one's own. */
static inline long confined_record(trace_event_id_t id)
{
	posix_trace_event(id, NULL, 0);
	return 0;
}

static inline void member_exec(int nr, const char *file)
{
	char arg[16];

	snprintf(arg, sizeof(arg), "%d", nr);
	must_be(!setenv("POSIXTRACE_TEST_MEMBER", arg, 1));
	execl(*file ? file : "/proc/self/exe", "member", NULL);
}

static inline long member_do(int nr, const struct order *order)
{
	static bool confined;
	long i;

	switch (order->deed) {
	case DO_FORK:
		return member_fork(order);
	case DO_WAIT:
		return member_wait(order->arg);
	case DO_RECORD:
		return confined ? confined_record(order->arg) :
				  member_record(order->arg);
	case DO_OPEN:
		return open_event(order->text);
	case DO_CALL:
		for (i = 0; i < order->arg; i++)
			syscall(SYS_getppid);
		return 0;
	case DO_CONFINE:
		confined = true;
		return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) ? errno : 0;
	case DO_END:
		syscall(SYS_exit, order->arg);
		return 0;
	case DO_EXEC:
		member_exec(nr, order->text);
		return errno;
	default:
		return obey(nr, order);
	}
}

/* Ends when the test does. */
static inline void member_serve(int nr)
{
	struct order order;
	long answer = getpid();

	for (;;) {
		must_be(write(MEMBER_OUT(nr), &answer, sizeof(answer)) ==
			sizeof(answer));
		if (read(MEMBER_IN(nr), &order, sizeof(order)) !=
		    sizeof(order))
			syscall(SYS_exit, 0);
		answer = member_do(nr, &order);
	}
}

__attribute__((constructor)) static void member_after_exec(void)
{
	const char *arg = getenv("POSIXTRACE_TEST_MEMBER");

	if (arg)
		member_serve(atoi(arg));
}

/* Wait for an answer of member @nr, or its end. */
static inline long family_answer(struct family *f, int nr)
{
	struct member *m = &f->m[nr];
	struct pollfd fds[2] = {
		{ .fd = m->c.in, .events = POLLIN },
		{ .fd = m->pidfd, .events = POLLIN },
	};
	long answer;

	must_be(poll(fds, m->pidfd < 0 ? 1 : 2, WAIT_LIMIT * 1000) > 0);
	if (!(fds[0].revents & POLLIN))
		return DIED;
	get(&m->c, &answer, sizeof(answer));
	return answer;
}

/* Tell member @nr what to do, and wait until that is done. */
static inline long family_do(struct family *f, int nr, struct order order)
{
	put(&f->m[nr].c, &order, sizeof(order));
	return family_answer(f, nr);
}

static inline void no_pipe(struct member *m, int nr)
{
	int down[2], up[2];

	must_be(!pipe2(down, O_CLOEXEC) && !pipe2(up, O_CLOEXEC));
	must_be(dup2(down[0], MEMBER_IN(nr)) >= 0);
	must_be(dup2(up[1], MEMBER_OUT(nr)) >= 0);
	close(down[0]);
	close(up[1]);
	m->c = (struct child){ .in = up[0], .out = down[1] };
	m->pidfd = -1;
}

/* A new member says its pid, in its own pid namespace. */
static inline long family_welcome(struct family *f, int nr, pid_t pid)
{
	f->m[nr].c.pid = pid;
	f->m[nr].pidfd = open_pidfd(pid);
	return family_answer(f, nr);
}

/* Make all pipes, and member 0, a child of the test. */
static inline void family_start(struct family *f)
{
	int nr;
	pid_t pid;

	f->device = device_open();
	for (nr = 0; nr < FAMILY; nr++)
		no_pipe(&f->m[nr], nr);
	fflush(NULL);
	pid = fork();
	must_be(pid >= 0);
	if (!pid) {
		for (nr = 0; nr < FAMILY; nr++) {
			close(f->m[nr].c.in);
			close(f->m[nr].c.out);
		}
		member_serve(0);
	}
	/* They keep the members' ends, so that none can be reused. */
	family_welcome(f, 0, pid);
}

/* Let member @parent make member @nr; its pid. */
static inline pid_t family_fork(struct family *f, int parent, int nr)
{
	long pid = family_do(f, parent, (struct order){ .deed = DO_FORK, .nr = nr });

	must_be(pid > 0);
	family_welcome(f, nr, pid);
	return pid;
}

static inline long family_record(struct family *f, int nr, trace_event_id_t id)
{
	return family_do(f, nr, (struct order){ .deed = DO_RECORD, .arg = id });
}

static inline trace_event_id_t family_open(struct family *f, int nr,
					   const char *name)
{
	struct order order = { .deed = DO_OPEN };

	snprintf(order.text, sizeof(order.text), "%s", name);
	return family_do(f, nr, order);
}

static inline void family_call(struct family *f, int nr, long times)
{
	must(family_do(f, nr, (struct order){ .deed = DO_CALL, .arg = times }));
}

/* Let member @nr execute @file; 0, or the error number of the exec. */
static inline long family_exec(struct family *f, int nr, const char *file)
{
	struct order order = { .deed = DO_EXEC };
	long answer;

	snprintf(order.text, sizeof(order.text), "%s", file);
	answer = family_do(f, nr, order);
	/* The new program says its pid. */
	return answer == f->m[nr].c.pid ? 0 : answer;
}

/* Let member @nr end, and wait until it has. */
static inline void family_end(struct family *f, int nr)
{
	must_be(family_do(f, nr, (struct order){ .deed = DO_END }) == DIED);
}

/* End all that live. */
static inline void family_disband(struct family *f)
{
	int nr;

	for (nr = 0; nr < FAMILY; nr++) {
		if (f->m[nr].c.pid && !syscall(SYS_pidfd_send_signal,
					       f->m[nr].pidfd, SIGKILL, NULL,
					       0))
			await_end(f->m[nr].pidfd);
	}
}

#endif /* FAMILY_TEST_H */
