// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process whose children come and go as fast as they can: they fork, execute
 * programs, make threads and are killed. It is traced by a witness, whose log
 * has to tell all of it exactly, and by 8 controllers, whose inherited streams
 * come and go, too.
 *
 * POSIXTRACE_STRESS_SECONDS is how long it takes, default: 5.
 */
#include "exec_test.h"
#include "withlog_test.h"

#define CONTROLLERS	8
#define FAMILIES	4	/* that the founder has at a time */
#define EVENTS		5	/* user events of a process */
#define WATCHED		200	/* events that a controller wants to see */

enum { NONE, ALIVE, ENDED };

/* Shared by all processes. */
struct arena {
	atomic_bool controllers_stop;	/* first, they need a process */
	atomic_bool family_stops;
	atomic_ullong forks;
	atomic_ullong threads;
	atomic_ullong execs;
	atomic_ullong events;
	atomic_ullong killed;
	atomic_ullong streams;		/* that controllers have shut down */
	atomic_ullong seen;		/* events that they have read */
	trace_event_id_t say;
	pid_t founder;
};

static struct arena *arena;

static unsigned int setting(const char *name, unsigned int otherwise)
{
	const char *value = getenv(name);

	return value ? strtoul(value, NULL, 0) : otherwise;
}

/*
 * The family. A process that is forked counts itself before it can be killed.
 */

static void say(unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		record_num(arena->say, i);
	arena->events += n;
}

static int after_exec(const struct child *c, const char *what)
{
	trace_event_id_t id = open_event("storm");
	unsigned int i;

	for (i = 0; i < EVENTS; i++)
		record_num(id, i);
	return 0;
}

static void *say_in_thread(void *arg)
{
	say(EVENTS);
	return NULL;
}

/* Its threads end with it, or before. */
static void make_threads(void)
{
	pthread_t thread[3];
	int i;

	for (i = 0; i < 3; i++)
		must(pthread_create(&thread[i], NULL, say_in_thread, NULL));
	arena->threads += 3;
	for (i = 0; i < 3; i++)
		must(pthread_join(thread[i], NULL));
}

static pid_t family_fork(void)
{
	pid_t pid = fork();

	must_be(pid >= 0);
	if (pid)
		arena->forks++;
	return pid;
}

static int status_of_child(pid_t pid)
{
	int status;

	must_be(waitpid(pid, &status, 0) == pid);
	return status;
}

/* A grandchild, which exits. */
static void have_a_child(void)
{
	pid_t pid = family_fork();

	if (!pid) {
		say(EVENTS);
		_exit(0);
	}
	must_be(!status_of_child(pid));
}

/* A grandchild that is killed while it does nothing. */
static void lose_a_child(void)
{
	pid_t pid = family_fork();

	if (!pid)
		for (;;)
			pause();
	must_be(!kill(pid, SIGKILL));
	must_be(WIFSIGNALED(status_of_child(pid)));
	arena->killed++;
}

static void execute(void)
{
	static const struct child nobody = { .in = 0, .out = 1 };
	pid_t pid = vfork();

	must_be(pid >= 0);
	if (!pid) {
		exec_again(&nobody, "");
		_exit(127);
	}
	arena->forks++;
	must_be(!status_of_child(pid));
	arena->execs++;
	arena->events += EVENTS;
}

static void family(unsigned int kind)
{
	say(EVENTS);
	switch (kind % 4) {
	case 0:
		have_a_child();
		break;
	case 1:
		execute();
		break;
	case 2:
		make_threads();
		break;
	case 3:
		lose_a_child();
		break;
	}
	_exit(0);
}

static void begin_family(unsigned int kind)
{
	if (!family_fork())
		family(kind);
}

static int founder(const struct child *c, void *arg)
{
	unsigned int kind;
	int status;

	arena->say = open_event("storm");
	hand(c);
	await(c);
	for (kind = 0; kind < FAMILIES; kind++)
		begin_family(kind);
	while (!arena->family_stops) {
		must_be(wait(&status) > 0 && !status);
		begin_family(kind++);
	}
	while (wait(&status) > 0)
		must_be(!status);
	return 0;
}

/*
 * Controllers
 */

static trace_id_t inherited_stream(trace_attr_t *attr)
{
	trace_event_set_t all;

	posix_trace_eventset_fill(&all, POSIX_TRACE_SYSTEM_EVENTS);
	must(posix_trace_attr_setkernelevents_np(attr, &all));
	must(posix_trace_attr_setinherited(attr, POSIX_TRACE_INHERITED));
	return stream_on(arena->founder, attr);
}

/* While it is suspended: nothing is unread but what can be read. */
static void check_counters(trace_id_t trid)
{
	struct posix_trace_counters_np c;
	unsigned long long seen;

	must(posix_trace_get_counters_np(trid, &c));
	seen = drain(trid);
	arena->seen += seen;
	/* OVERFLOW and RESUME are made up for what was overwritten. */
	must_be(c.posix_recorded - c.posix_overwritten - c.posix_read <= seen);
	must(posix_trace_get_counters_np(trid, &c));
	must_be(c.posix_recorded == c.posix_overwritten + c.posix_read);
	must_be(!c.posix_missed_children);
}

static void watch(trace_id_t trid)
{
	unsigned long long seen = 0;

	while (seen < WATCHED && !arena->controllers_stop) {
		seen += drain(trid);
		sched_yield();
	}
	arena->seen += seen;
}

static int controller(const struct child *c, void *arg)
{
	trace_attr_t attr;
	trace_id_t trid;
	unsigned int i;

	must(posix_trace_attr_init(&attr));
	hand(c);
	for (i = 0; !arena->controllers_stop; i++) {
		trid = inherited_stream(&attr);
		must(posix_trace_start(trid));
		watch(trid);
		must(posix_trace_stop(trid));
		check_counters(trid);
		if (i % 2) {
			must(posix_trace_start(trid));
			filter_out(trid, arena->say);
			sched_yield();
		}
		must(posix_trace_shutdown(trid));
		arena->streams++;
	}
	return 0;
}

/*
 * What the log of the witness has to say
 */

struct account {
	unsigned long long forks, threads, execs, events, exits, killed, wrong;
	unsigned char *state;		/* by pid */
};

static unsigned int pid_max(void)
{
	unsigned int max = 0;
	FILE *f = fopen("/proc/sys/kernel/pid_max", "re");

	must_be(f && fscanf(f, "%u", &max) == 1);
	fclose(f);
	return max;
}

static void account_for(struct account *a, const struct ev *ev)
{
	const struct posixtrace_fork *made = (const void *)ev->data;
	const struct posixtrace_exit *end = (const void *)ev->data;
	pid_t pid = ev->info.posix_pid;

	if (ev->info.posix_event_id < POSIXTRACE_EV_KERNEL)
		return;
	/* It was made before, and has not ended. */
	a->wrong += a->state[pid] != ALIVE;
	switch (ev->info.posix_event_id) {
	case POSIX_TRACE_LINUX_FORK_NP:
		if (made->pid == pid) {
			a->threads++;
			break;
		}
		a->forks++;
		a->wrong += a->state[made->pid] == ALIVE;
		a->state[made->pid] = ALIVE;
		break;
	case POSIX_TRACE_LINUX_EXEC_NP:
		a->execs++;
		break;
	case POSIX_TRACE_LINUX_EXIT_NP:
		a->exits++;
		a->killed += WIFSIGNALED(end->status);
		a->state[pid] = ENDED;
		break;
	case POSIX_TRACE_LINUX_THREAD_EXIT_NP:
		break;
	default:
		a->events++;
	}
}

static void read_account(struct account *a, int fd)
{
	trace_id_t trid;
	struct ev ev;

	a->state = calloc(pid_max() + 1, 1);
	must_be(a->state);
	a->state[arena->founder] = ALIVE;
	must(posix_trace_open(fd, &trid));
	while (!ev_next(trid, &ev) && !ev.unavailable)
		account_for(a, &ev);
	must(posix_trace_close(trid));
	free(a->state);
}

static trace_id_t witness_stream(int fd)
{
	static const trace_event_id_t life[] = {
		POSIX_TRACE_LINUX_FORK_NP, POSIX_TRACE_LINUX_EXEC_NP,
		POSIX_TRACE_LINUX_THREAD_EXIT_NP, POSIX_TRACE_LINUX_EXIT_NP,
	};
	trace_event_set_t set;
	trace_attr_t attr;
	trace_id_t trid;
	size_t i;

	posix_trace_eventset_empty(&set);
	for (i = 0; i < sizeof(life) / sizeof(*life); i++)
		posix_trace_eventset_add(life[i], &set);
	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setkernelevents_np(&attr, &set));
	must(posix_trace_attr_setinherited(&attr, POSIX_TRACE_INHERITED));
	must(posix_trace_attr_setlogfullpolicy(&attr, POSIX_TRACE_APPEND));
	must(posix_trace_attr_setstreamsize(&attr, 4 << 20));
	must(posix_trace_create_withlog(arena->founder, &attr, fd, &trid));
	return trid;
}

FIXTURE(storm) {
	struct child founder;
	struct child controller[CONTROLLERS];
};

FIXTURE_SETUP(storm)
{
	arena = mmap(NULL, sizeof(*arena), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, arena);
	child_start(&self->founder, founder, NULL);
	arena->founder = self->founder.pid;
	await(&self->founder);
}

FIXTURE_TEARDOWN(storm)
{
}

TEST_F(storm, every_process_is_accounted_for)
{
	long long end = now_ms() +
			setting("POSIXTRACE_STRESS_SECONDS", 5) * 1000LL;
	struct posix_trace_counters_np c;
	struct account a = { 0 };
	trace_id_t witness;
	int fd = log_file();
	unsigned int i;

	witness = witness_stream(fd);
	must(posix_trace_get_counters_np(witness, &c));
	EXPECT_EQ(1, c.posix_processes);
	must(posix_trace_start(witness));
	hand(&self->founder);
	for (i = 0; i < CONTROLLERS; i++) {
		child_start(&self->controller[i], controller, NULL);
		await(&self->controller[i]);
	}
	while (now_ms() < end || arena->streams < 2 * CONTROLLERS)
		pause_ms(10);
	arena->controllers_stop = true;
	for (i = 0; i < CONTROLLERS; i++)
		EXPECT_EQ(0, child_end(&self->controller[i]));
	arena->family_stops = true;
	EXPECT_EQ(0, child_end(&self->founder));
	must(posix_trace_get_counters_np(witness, &c));
	EXPECT_EQ(0, c.posix_lost);
	EXPECT_EQ(0, c.posix_missed_children);
	EXPECT_EQ(0, c.posix_processes);
	must(posix_trace_shutdown(witness));

	read_account(&a, fd);
	TH_LOG("%llu processes, %llu threads, %llu programs, %llu events",
	       a.forks, a.threads, a.execs, a.events);
	TH_LOG("%llu other streams saw %llu", arena->streams, arena->seen);
	EXPECT_EQ(0, a.wrong);
	EXPECT_EQ(arena->forks, a.forks);
	EXPECT_EQ(arena->threads, a.threads);
	EXPECT_EQ(arena->execs, a.execs);
	EXPECT_EQ(arena->events, a.events);
	EXPECT_EQ(arena->killed, a.killed);
	EXPECT_EQ(a.forks + 1, a.exits);	/* the founder */
	EXPECT_LT(0, arena->seen);
}

TEST_HARNESS_MAIN
