// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel events linux_sched_in, linux_sched_out and linux_sched_wakeup: when and
 * where threads run, and what they wait for.
 */
#include "family_test.h"

#include <sys/ptrace.h>
#include <sys/utsname.h>

#define ROUNDS		20
#define THREADS		4
#define SWITCHES	300
#define HOME		1	/* processor of the target, if it is pinned */

/* What member 0 is told, in order.arg. */
enum task {
	PIN,			/* to HOME */
	WAIT_FOR_CHILD,		/* as vfork() does */
	COMPETE,		/* with another thread, for HOME; its tid */
	BUSTLE,			/* several threads, wherever */
};

FIXTURE(sched_events) {
	struct family f;
	struct raw raw;
	pid_t pid;		/* of the target, member 0 */
};

static char state_of(pid_t pid)
{
	char path[64], state = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	must_be(fscanf(f, "%*d (%*[^)]) %c", &state) == 1);
	fclose(f);
	return state;
}

/* While it is stopped it is in the system call, but does not sleep there. */
static bool sleeps_again(pid_t pid)
{
	return wait_until(state_of(pid) == 'S') &&
	       sleeps_in_call(pid, pid, SYS_read);
}

static long wait_for_child(void)
{
	pid_t parent = getpid();
	pid_t pid = (pid_t)syscall(SYS_clone, CLONE_VFORK | SIGCHLD, 0, 0, 0,
				   0);

	if (!pid)
		_exit(!wait_until(state_of(parent) == 'D'));
	return member_wait(pid);
}

static atomic_bool over;
static atomic_int rival;

static void *yield_always(void *arg)
{
	rival = (pid_t)syscall(SYS_gettid);
	while (!over)
		sched_yield();
	return NULL;
}

/* Both threads want to run all the time. */
static long compete(void)
{
	pthread_t thread;
	int i;

	must(pthread_create(&thread, NULL, yield_always, NULL));
	while (!rival)
		sched_yield();
	for (i = 0; i < SWITCHES; i++)
		sched_yield();
	over = true;
	must(pthread_join(thread, NULL));
	return rival;
}

static int ring[THREADS][2];

/* Wait for a byte, pass it on. */
static void *pass_on(void *arg)
{
	long me = (long)arg;
	char byte;
	int i;

	for (i = 0; i < SWITCHES; i++) {
		must_be(read(ring[me][0], &byte, 1) == 1);
		must_be(write(ring[(me + 1) % THREADS][1], &byte, 1) == 1);
	}
	return NULL;
}

static long bustle(void)
{
	pthread_t threads[THREADS];
	long i;

	for (i = 0; i < THREADS; i++)
		must_be(!pipe(ring[i]));
	for (i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, pass_on, (void *)i));
	/* Two of them at a time. */
	must_be(write(ring[0][1], "ab", 2) == 2);
	for (i = 0; i < THREADS; i++)
		must(pthread_join(threads[i], NULL));
	return 0;
}

static long obey(int nr, const struct order *order)
{
	switch (order->arg) {
	case PIN:
		run_on(HOME);
		return 0;
	case WAIT_FOR_CHILD:
		return wait_for_child();
	case COMPETE:
		return compete();
	case BUSTLE:
		return bustle();
	}
	return -1;
}

static long let(struct family *f, enum task task)
{
	return family_do(f, 0,
			 (struct order){ .deed = DO_OTHER, .arg = task });
}

FIXTURE_SETUP(sched_events)
{
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		SKIP(return, "needs two processors");
	family_start(&self->f);
	self->pid = self->f.m[0].c.pid;
	run_on(0);
	must(let(&self->f, PIN));
	ASSERT_TRUE(sleeps_in_call(self->pid, self->pid, SYS_read));
	self->raw = kernel_stream(self->f.device, self->pid,
				  SCHED_EVENTS | LIFE_EVENTS);
	ASSERT_EQ(1, collect(self->raw).nr);
}

FIXTURE_TEARDOWN(sched_events)
{
	family_disband(&self->f);
}

/*
 * A step of a thread that is pinned, without those in between in which another
 * one was preferred, and it went on.
 */
static bool was_preempted(const struct kernel_event *ev)
{
	return matches(ev, EVENT(SCHED_OUT), 0) &&
	       DATA(struct posixtrace_sched, ev).state ==
	       POSIXTRACE_TASK_RUNNABLE;
}

static bool is_realtime(void)
{
	struct utsname name;

	must_be(!uname(&name));
	return strstr(name.version, "PREEMPT_RT");
}

/*
 * On PREEMPT_RT a thread that runs in the kernel may have to wait for a spinlock,
 * and is woken for that, maybe before it has even given up its processor. As if
 * it had been preempted.
 */
static void forget_spinlocks(struct collection *all)
{
	struct kernel_event *to = all->list;
	const struct kernel_event *ev;
	struct posixtrace_sched data;
	bool asleep = true;

	for_each_event(ev, *all) {
		if (matches(ev, EVENT(SCHED_WAKEUP), 0) && !asleep)
			continue;
		if (matches(ev, EVENT(SCHED_WAKEUP), 0))
			asleep = false;
		*to = *ev;
		if (matches(ev, EVENT(SCHED_OUT), 0)) {
			data = DATA(struct posixtrace_sched, ev);
			if (data.state == POSIXTRACE_TASK_OTHER)
				data.state = POSIXTRACE_TASK_RUNNABLE;
			asleep = data.state != POSIXTRACE_TASK_RUNNABLE;
			memcpy(to->data, &data, sizeof(data));
		}
		to++;
	}
	all->nr = to - all->list;
}

/* What a thread did that sleeps when this begins. */
static struct collection collect_steps(struct raw raw)
{
	struct collection all = collect(raw);

	if (is_realtime())
		forget_spinlocks(&all);
	return all;
}

/* The next one that counts, in @all which ends with another; moves *@ev on. */
static const struct kernel_event *next_step(struct collection all,
					    const struct kernel_event **ev)
{
	while (*ev + 1 < all.list + all.nr && was_preempted(*ev) &&
	       ev[0][1].record.event_id == POSIXTRACE_EV_SCHED_IN)
		*ev += 2;
	return *ev < all.list + all.nr ? (*ev)++ : NULL;
}

#define EXPECT_STEP(id, waits, all, ev) do {				\
	const struct kernel_event *step = next_step(all, &(ev));	\
	struct posixtrace_sched did;					\
									\
	ASSERT_NE(NULL, step);						\
	ASSERT_EQ(id, step->record.event_id);				\
	did = DATA(struct posixtrace_sched, step);			\
	EXPECT_EQ(waits, did.state);					\
	EXPECT_EQ(HOME, did.cpu);					\
	EXPECT_EQ(self->pid, step->record.pid);				\
	EXPECT_EQ(self->pid, step->record.tid);				\
} while (0)

/* It was woken, ran, and waits as told. */
#define EXPECT_RUN(waits, all, ev) do {					\
	EXPECT_STEP(POSIXTRACE_EV_SCHED_WAKEUP, 0, all, ev);		\
	EXPECT_STEP(POSIXTRACE_EV_SCHED_IN, 0, all, ev);		\
	EXPECT_STEP(POSIXTRACE_EV_SCHED_OUT, waits, all, ev);		\
} while (0)

#define EXPECT_NO_MORE(all, ev) \
	EXPECT_EQ(NULL, next_step(all, &(ev)))

TEST_F(sched_events, of_a_thread_that_sleeps)
{
	const struct kernel_event *ev;
	struct collection all;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		family_call(&self->f, 0, 1);
		ASSERT_TRUE(sleeps_in_call(self->pid, self->pid, SYS_read));
	}
	all = collect_steps(self->raw);
	ev = all.list;
	for (i = 0; i < ROUNDS; i++)
		EXPECT_RUN(POSIXTRACE_TASK_INTERRUPTIBLE, all, ev);
	EXPECT_NO_MORE(all, ev);
}

TEST_F(sched_events, of_a_thread_that_is_stopped)
{
	const struct kernel_event *ev;
	struct collection all;
	int status;

	ASSERT_EQ(0, kill(self->pid, SIGSTOP));
	ASSERT_EQ(self->pid, waitpid(self->pid, &status, WUNTRACED));
	EXPECT_TRUE(wait_until(state_of(self->pid) == 'T' &&
			       raw_peek(self->raw).recorded >= 4));
	ASSERT_EQ(0, kill(self->pid, SIGCONT));
	ASSERT_TRUE(sleeps_again(self->pid));
	all = collect_steps(self->raw);
	ev = all.list;
	EXPECT_RUN(POSIXTRACE_TASK_STOPPED, all, ev);
	EXPECT_RUN(POSIXTRACE_TASK_INTERRUPTIBLE, all, ev);
	EXPECT_NO_MORE(all, ev);
}

TEST_F(sched_events, of_a_thread_that_is_stopped_by_a_debugger)
{
	const struct kernel_event *ev;
	struct collection all;
	int status;

	if (ptrace(PTRACE_SEIZE, self->pid, NULL, NULL))
		SKIP(return, "no ptrace: %s", strerror(errno));
	ASSERT_EQ(0, ptrace(PTRACE_INTERRUPT, self->pid, NULL, NULL));
	ASSERT_EQ(self->pid, waitpid(self->pid, &status, __WALL));
	ASSERT_EQ(0, ptrace(PTRACE_DETACH, self->pid, NULL, NULL));
	ASSERT_TRUE(sleeps_again(self->pid));
	all = collect_steps(self->raw);
	ev = all.list;
	EXPECT_RUN(POSIXTRACE_TASK_TRACED, all, ev);
	EXPECT_RUN(POSIXTRACE_TASK_INTERRUPTIBLE, all, ev);
	EXPECT_NO_MORE(all, ev);
}

TEST_F(sched_events, of_a_thread_that_can_not_be_interrupted)
{
	const struct kernel_event *ev = NULL;
	struct collection all;
	unsigned int n = 0;

	ASSERT_EQ(0, let(&self->f, WAIT_FOR_CHILD));
	all = collect(self->raw);
	while ((ev = find_event(all, ev, EVENT(SCHED_OUT), self->pid)))
		n += DATA(struct posixtrace_sched, ev).state ==
		     POSIXTRACE_TASK_UNINTERRUPTIBLE;
	EXPECT_EQ(1, n);
}

static bool gave_way(struct collection all, pid_t tid)
{
	const struct kernel_event *ev;

	for_each_event(ev, all)
		if (ev->record.tid == tid && was_preempted(ev))
			return true;
	return false;
}

TEST_F(sched_events, of_threads_that_compete)
{
	struct collection all;
	pid_t tid;

	tid = let(&self->f, COMPETE);
	EXPECT_NE(self->pid, tid);
	all = collect(self->raw);
	EXPECT_TRUE(gave_way(all, self->pid));
	EXPECT_TRUE(gave_way(all, tid));
}

TEST_F(sched_events, of_a_new_thread_begin_with_its_wakeup)
{
	const struct kernel_event *ev;
	struct posixtrace_sched woken;
	struct collection all;
	pid_t tid;

	tid = let(&self->f, COMPETE);
	all = collect(self->raw);
	for_each_event(ev, all)
		if (ev->record.tid == tid)
			break;
	ASSERT_LT(ev + 2, all.list + all.nr);
	ASSERT_EQ(POSIXTRACE_EV_SCHED_WAKEUP, ev->record.event_id);
	woken = DATA(struct posixtrace_sched, ev);
	EXPECT_EQ(HOME, woken.cpu);
	for (ev++; ev->record.tid != tid; ev++)
		ASSERT_LT(ev + 1, all.list + all.nr);
	EXPECT_EQ(POSIXTRACE_EV_SCHED_IN, ev->record.event_id);
}

/* What is known of a thread from its events so far. */
struct course {
	pid_t tid;
	bool known, runs, sleeps, woken;
	__u32 cpu;
};

static struct course *course_of(struct course *list, pid_t tid)
{
	while (list->tid && list->tid != tid)
		list++;
	list->tid = tid;
	return list;
}

/* Does @ev go with what was before? */
static bool is_possible(struct course *c, const struct kernel_event *ev)
{
	struct posixtrace_sched data = DATA(struct posixtrace_sched, ev);
	bool fits = true;

	switch (ev->record.event_id) {
	case POSIXTRACE_EV_SCHED_WAKEUP:
		c->woken = true;
		return !data.state;
	case POSIXTRACE_EV_SCHED_IN:
		if (c->known)
			fits = !c->runs && (!c->sleeps || c->woken);
		c->runs = true;
		c->sleeps = false;
		c->cpu = data.cpu;
		fits &= !data.state;
		break;
	case POSIXTRACE_EV_SCHED_OUT:
		if (c->known)
			fits = c->runs && c->cpu == data.cpu;
		c->runs = false;
		c->sleeps = data.state != POSIXTRACE_TASK_RUNNABLE;
		c->woken = false;
		break;
	}
	c->known = true;
	return fits && data.cpu == ev->record.cpu;
}

/* A thread runs, and no more, in turn; it is woken before it runs again. */
TEST_F(sched_events, of_a_thread_alternate)
{
	struct course list[THREADS + 2] = { };
	const struct kernel_event *ev;
	struct collection all;
	size_t runs;

	family_fork(&self->f, 0, 1);
	ASSERT_EQ(0, let(&self->f, BUSTLE));
	all = collect(self->raw);
	for_each_event(ev, all) {
		if (!matches(ev, SCHED_EVENTS, 0))
			continue;
		EXPECT_EQ(self->pid, ev->record.pid);
		EXPECT_TRUE(is_possible(course_of(list, ev->record.tid), ev))
			TH_LOG("event %zd of thread %d", ev - all.list,
			       ev->record.tid);
	}
	EXPECT_NE(0, list[THREADS].tid);
	EXPECT_EQ(0, list[THREADS + 1].tid);
	runs = count_events(all, EVENT(SCHED_IN), 0);
	EXPECT_LT(SWITCHES, runs);
}

/* Threads that are wanted nowhere else: those of other processes are not seen. */
TEST_F(sched_events, of_others_on_the_same_processor_are_not_seen)
{
	const struct kernel_event *ev;
	struct collection all;
	int i;

	family_fork(&self->f, 0, 1);
	collect(self->raw);
	for (i = 0; i < ROUNDS; i++)
		family_call(&self->f, 1, 1);
	family_call(&self->f, 0, 1);
	all = collect(self->raw);
	for_each_event(ev, all)
		EXPECT_EQ(self->pid, ev->record.pid);
	EXPECT_GT(ROUNDS, count_events(all, EVENT(SCHED_WAKEUP), 0));
}

TEST_HARNESS_MAIN
