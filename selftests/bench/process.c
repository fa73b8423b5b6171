// SPDX-License-Identifier: GPL-2.0-only
/*
 * What processes pay for our being there.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <trace.h>
#include <unistd.h>

#include "measure.h"
#include "own.h"
#include "rows.h"

#define FORKS	100

/*
 * Another process, which is traced in place of us: by itself, when it is told
 * to. It is there from the beginning, so that it changes nothing else.
 */
static struct {
	pid_t pid;
	int commands[2];
	int answers[2];
} other;

static void pass(int from, int to)
{
	char byte;

	if (read(from, &byte, 1) != 1 || (to >= 0 && write(to, &byte, 1) != 1))
		_exit(1);
}

static void begin_other(void)
{
	if (pipe(other.commands) || pipe(other.answers))
		check(errno, "pipe");
	other.pid = fork();
	check(other.pid < 0 ? errno : 0, "fork");
	if (other.pid)
		return;
	pass(other.commands[0], -1);
	own_stream(1 << 20, true);
	if (write(other.answers[1], "", 1) != 1)
		_exit(1);
	pass(other.commands[0], -1);
	_exit(0);
}

static void tell_other(void)
{
	if (write(other.commands[1], "", 1) != 1)
		check(errno, "the other process");
	pass(other.answers[0], -1);
}

static void end_other(void)
{
	kill(other.pid, SIGKILL);
	waitpid(other.pid, NULL, 0);
}

static void forks(long *cost)
{
	int run, i;

	for (run = 0; run < RUNS; run++) {
		long start = now(CLOCK_MONOTONIC);

		for (i = 0; i < FORKS; i++) {
			pid_t pid = fork();

			if (!pid)
				_exit(0);
			waitpid(pid, NULL, 0);
		}
		cost[run] = (now(CLOCK_MONOTONIC) - start) / FORKS;
	}
}

static long fork_and_exit(const char *name, enum bound bound, long most)
{
	long cost[RUNS];

	forks(cost);
	return row(name, cost, bound, most);
}

void before_module(struct plain *plain)
{
	begin_other();
	plain->getppid = peer_getppid();
	fork_and_exit("fork + exit, the first time", NONE, 0);
	plain->fork = fork_and_exit("fork + exit", NONE, 0);
	plain->ftrace = peer_ftrace_of(other.pid);
}

static void load_module(void)
{
	int fd = open("/lib/modules/posixtrace.ko", O_RDONLY);

	check(fd < 0 || syscall(SYS_finit_module, fd, "", 0) ? errno : 0,
	      "posixtrace.ko");
	close(fd);
}

static void unload_module(void)
{
	check(syscall(SYS_delete_module, "posixtrace", 0) ? errno : 0, "unload");
}

/*
 * Probes of kernel events stay for a second after the last stream that needs them.
 * Where instructions are counted nobody waits for that: the clock jumps.
 */
static void let_probes_go(void)
{
	sleep(2);
}

/* Those whom nobody traces hardly notice that another one is traced. */
void with_module(const struct plain *plain)
{
	long loaded[RUNS], fork = plain->fork, again;

	load_module();
	measure("getppid, module loaded", getppid_call, LIMIT,
		plain->getppid + plain->getppid / 200 + 1);
	/* What a fork costs drifts with what was done before. */
	forks(loaded);
	unload_module();
	again = fork_and_exit("fork + exit, module unloaded", NONE, 0);
	if (fork < again)
		fork = again;
	row("fork + exit, module loaded", loaded, LIMIT, fork + fork / 200);
	load_module();
	tell_other();
	measure("getppid, another has all kernel events", getppid_call, LIMIT,
		plain->ftrace + 60);
	fork_and_exit("fork + exit, another has all kernel events", LIMIT,
		      fork * 103 / 100);
	end_other();
	let_probes_go();
}

/* From here on this process is instrumented. */
void traced_process(void)
{
	trace_event_id_t event;
	trace_id_t trid;

	check(posix_trace_eventid_open("bench", &event), "eventid_open");
	fork_and_exit("fork + exit, instrumented", NONE, 0);
	trid = own_stream(1 << 20, true);
	measure("getppid, system calls recorded", getppid_call, LIMIT, 1400);
	fork_and_exit("fork + exit, parent has all kernel events", NONE, 0);
	posix_trace_shutdown(trid);
	let_probes_go();
}
