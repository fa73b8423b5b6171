// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel events linux_signal_generate and linux_signal_deliver: who sent a
 * signal to the process, how, and what became of it.
 */
#include "family_test.h"

#define SA_RESTORER	0x04000000	/* of the C library, on x86 */
#define FLAGS		(SA_SIGINFO | SA_RESTART)
#define THREADS		4

/* What member 0 is told, in order.arg; order.nr is the signal. */
enum task {
	HANDLE,
	IGNORE,
	BLOCK,
	UNBLOCK,
	NO_QUEUE,		/* RLIMIT_SIGPENDING 0 */
	RAISE,
	ALARM,
	TIMER,
	FAULT,
	PIPE,
	CHILD,			/* one that ends; its pid */
	THREAD,			/* one that sleeps; its tid */
};

FIXTURE(signal_events) {
	struct family f;
	struct raw raw;
	pid_t pid;		/* of the target, member 0 */
};

static void handler(int sig, siginfo_t *info, void *context)
{
	signals_seen++;
}

static char *protected_page;

static void unprotect(int sig, siginfo_t *info, void *context)
{
	must_be(!mprotect(protected_page, page_size(), PROT_READ | PROT_WRITE));
}

static long handle(int sig, void (*fn)(int, siginfo_t *, void *))
{
	struct sigaction action = { .sa_sigaction = fn, .sa_flags = FLAGS };

	return sigaction(sig, &action, NULL) ? errno : 0;
}

static long mask(int how, int sig)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, sig);
	return sigprocmask(how, &set, NULL) ? errno : 0;
}

static void await_signal(void)
{
	must_be(wait_until(signals_seen));
	signals_seen = 0;
}

static long set_alarm(void)
{
	struct itimerval soon = { .it_value.tv_usec = 1000 };

	must_be(!setitimer(ITIMER_REAL, &soon, NULL));
	await_signal();
	return 0;
}

static long set_timer(int sig)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL, .sigev_signo = sig,
	};
	struct itimerspec soon = { .it_value.tv_nsec = 1000000 };
	timer_t timer;

	must_be(!timer_create(CLOCK_MONOTONIC, &event, &timer));
	must_be(!timer_settime(timer, 0, &soon, NULL));
	await_signal();
	return timer_delete(timer);
}

static long fault(void)
{
	protected_page = mmap(NULL, page_size(), PROT_NONE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	must_be(protected_page != MAP_FAILED);
	must(handle(SIGSEGV, unprotect));
	__atomic_store_n(protected_page, 1, __ATOMIC_SEQ_CST);
	return 0;
}

static long break_pipe(void)
{
	int ends[2];

	must_be(!pipe(ends));
	close(ends[0]);
	must_be(write(ends[1], "", 1) == -1 && errno == EPIPE);
	close(ends[1]);
	return 0;
}

static long end_child(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(3);
	must_be(waitpid(pid, NULL, 0) == pid);
	return pid;
}

static atomic_int sleeping_tid;

static void *sleep_in_thread(void *arg)
{
	sleeping_tid = (pid_t)syscall(SYS_gettid);
	for (;;)
		pause();
	return NULL;
}

static long make_thread(void)
{
	pthread_t thread;

	sleeping_tid = 0;
	must(pthread_create(&thread, NULL, sleep_in_thread, NULL));
	must_be(wait_until(sleeping_tid));
	return sleeping_tid;
}

static long obey(int nr, const struct order *order)
{
	struct rlimit none = { 0, 0 };

	switch (order->arg) {
	case HANDLE:
		return handle(order->nr, handler);
	case IGNORE:
		return signal(order->nr, SIG_IGN) == SIG_ERR ? errno : 0;
	case BLOCK:
		return mask(SIG_BLOCK, order->nr);
	case UNBLOCK:
		return mask(SIG_UNBLOCK, order->nr);
	case NO_QUEUE:
		return setrlimit(RLIMIT_SIGPENDING, &none) ? errno : 0;
	case RAISE:
		return raise(order->nr);
	case ALARM:
		return set_alarm();
	case TIMER:
		return set_timer(order->nr);
	case FAULT:
		return fault();
	case PIPE:
		return break_pipe();
	case CHILD:
		return end_child();
	case THREAD:
		return make_thread();
	}
	return -1;
}

static long let(struct family *f, enum task what, int sig)
{
	return family_do(f, 0, (struct order){
		.deed = DO_OTHER, .nr = sig, .arg = what,
	});
}

FIXTURE_SETUP(signal_events)
{
	family_start(&self->f);
	self->pid = self->f.m[0].c.pid;
	self->raw = kernel_stream(self->f.device, self->pid,
				  SIGNAL_EVENTS | EVENT(EXIT));
}

FIXTURE_TEARDOWN(signal_events)
{
	family_disband(&self->f);
}

/*
 * All that was recorded since this was last called. The target has gone through
 * user mode since it was sent anything.
 */
static struct collection seen_by(struct family *f, struct raw raw)
{
	family_call(f, 0, 1);
	return collect(raw);
}

/* Events of @pid that concern signal @sig. */
static size_t count_signal_events(struct collection all, __u64 which, int sig)
{
	const struct kernel_event *ev;
	__s32 words[2];
	size_t n = 0;

	for_each_event(ev, all) {
		if (!matches(ev, which & SIGNAL_EVENTS, 0))
			continue;
		memcpy(words, ev->data, sizeof(words));
		n += words[1] == sig;
	}
	return n;
}

#define GENERATED(sender, sig, si, process, what)			\
	((struct posixtrace_signal_generate){				\
		.pid = (sender), .signo = (sig), .code = (si),		\
		.to_process = (process), .result = (what),		\
	})

#define DELIVERED(sender, sig, si, sa, function)			\
	((struct posixtrace_signal_deliver){				\
		.pid = (sender), .signo = (sig), .code = (si),		\
		.flags = (sa), .handler = (uintptr_t)(function),	\
	})

/* The flags of handle(). */
#define HANDLED		(FLAGS | SA_RESTORER)

/* @ev, which is looked at once, is a sent signal as @wanted says. */
#define EXPECT_GENERATED(wanted, thread, ev) do {			\
	struct posixtrace_signal_generate want = (wanted), got;		\
	const struct kernel_event *gen = (ev);				\
									\
	ASSERT_NE(NULL, gen);						\
	ASSERT_EQ(POSIXTRACE_EV_SIGNAL_GENERATE, gen->record.event_id);	\
	got = DATA(struct posixtrace_signal_generate, gen);		\
	EXPECT_EQ(want.pid, got.pid);					\
	EXPECT_EQ(want.signo, got.signo);				\
	EXPECT_EQ(want.code, got.code);					\
	EXPECT_EQ(want.to_process, got.to_process);			\
	EXPECT_EQ(want.result, got.result);				\
	EXPECT_EQ(self->pid, gen->record.pid);				\
	EXPECT_EQ(thread, gen->record.tid);				\
} while (0)

#define EXPECT_DELIVERED(wanted, thread, ev) do {			\
	struct posixtrace_signal_deliver want = (wanted), got;		\
	const struct kernel_event *del = (ev);				\
									\
	ASSERT_NE(NULL, del);						\
	ASSERT_EQ(POSIXTRACE_EV_SIGNAL_DELIVER, del->record.event_id);	\
	got = DATA(struct posixtrace_signal_deliver, del);		\
	EXPECT_EQ(want.pid, got.pid);					\
	EXPECT_EQ(want.signo, got.signo);				\
	EXPECT_EQ(want.code, got.code);					\
	EXPECT_EQ(want.flags, got.flags);				\
	EXPECT_EQ(want.handler, got.handler);				\
	EXPECT_EQ(self->pid, del->record.pid);				\
	EXPECT_EQ(thread, del->record.tid);				\
} while (0)

/* @all is these two events, both of @thread. */
#define EXPECT_BOTH(generated, delivered, thread, all) do {		\
	ASSERT_EQ(2, all.nr);						\
	EXPECT_GENERATED(generated, thread, &all.list[0]);		\
	EXPECT_DELIVERED(delivered, thread, &all.list[1]);		\
} while (0)

TEST_F(signal_events, tell_the_sender_and_the_handler)
{
	struct collection all;

	ASSERT_EQ(0, let(&self->f, HANDLE, SIGUSR1));
	collect(self->raw);
	ASSERT_EQ(0, kill(self->pid, SIGUSR1));
	all = seen_by(&self->f, self->raw);
	EXPECT_BOTH(GENERATED(getpid(), SIGUSR1, SI_USER, 1,
			      POSIXTRACE_SIGNAL_DELIVERED),
		    DELIVERED(getpid(), SIGUSR1, SI_USER, HANDLED, handler),
		    self->pid, all);
}

TEST_F(signal_events, tell_of_a_queued_signal)
{
	union sigval value = { .sival_int = 5 };
	struct collection all;

	ASSERT_EQ(0, let(&self->f, HANDLE, SIGRTMIN));
	collect(self->raw);
	ASSERT_EQ(0, sigqueue(self->pid, SIGRTMIN, value));
	all = seen_by(&self->f, self->raw);
	EXPECT_BOTH(GENERATED(getpid(), SIGRTMIN, SI_QUEUE, 1,
			      POSIXTRACE_SIGNAL_DELIVERED),
		    DELIVERED(getpid(), SIGRTMIN, SI_QUEUE, HANDLED, handler),
		    self->pid, all);
}

TEST_F(signal_events, tell_the_thread)
{
	const struct kernel_event *ev;
	struct collection all;
	pid_t tid;

	ASSERT_EQ(0, let(&self->f, HANDLE, SIGUSR2));
	tid = let(&self->f, THREAD, 0);
	collect(self->raw);
	ASSERT_EQ(0, syscall(SYS_tgkill, self->pid, tid, SIGUSR2));
	/* That thread is on its own. */
	EXPECT_TRUE(wait_until(raw_peek(self->raw).recorded ==
			       raw_peek(self->raw).read + 2));
	all = collect(self->raw);
	ASSERT_EQ(2, all.nr);
	ev = all.list;
	EXPECT_GENERATED(GENERATED(getpid(), SIGUSR2, SI_TKILL, 0,
				   POSIXTRACE_SIGNAL_DELIVERED), tid, ev);
	EXPECT_DELIVERED(DELIVERED(getpid(), SIGUSR2, SI_TKILL, HANDLED, handler), tid,
			 ev + 1);
}

TEST_F(signal_events, tell_of_oneself_as_the_sender)
{
	struct collection all;

	ASSERT_EQ(0, let(&self->f, HANDLE, SIGUSR1));
	collect(self->raw);
	ASSERT_EQ(0, let(&self->f, RAISE, SIGUSR1));
	all = collect(self->raw);
	EXPECT_BOTH(GENERATED(self->pid, SIGUSR1, SI_TKILL, 0,
			      POSIXTRACE_SIGNAL_DELIVERED),
		    DELIVERED(self->pid, SIGUSR1, SI_TKILL, HANDLED, handler),
		    self->pid, all);
}

TEST_F(signal_events, tell_of_ignored_signals)
{
	struct collection all;

	ASSERT_EQ(0, let(&self->f, IGNORE, SIGUSR1));
	collect(self->raw);
	ASSERT_EQ(0, kill(self->pid, SIGUSR1));
	/* By default. */
	ASSERT_EQ(0, kill(self->pid, SIGWINCH));
	all = seen_by(&self->f, self->raw);
	ASSERT_EQ(2, all.nr);
	EXPECT_GENERATED(GENERATED(getpid(), SIGUSR1, SI_USER, 1,
				   POSIXTRACE_SIGNAL_IGNORED),
			 self->pid, &all.list[0]);
	EXPECT_GENERATED(GENERATED(getpid(), SIGWINCH, SI_USER, 1,
				   POSIXTRACE_SIGNAL_IGNORED),
			 self->pid, &all.list[1]);
}

TEST_F(signal_events, tell_of_a_signal_that_is_pending_already)
{
	struct collection all;

	ASSERT_EQ(0, let(&self->f, HANDLE, SIGUSR1));
	ASSERT_EQ(0, let(&self->f, BLOCK, SIGUSR1));
	collect(self->raw);
	ASSERT_EQ(0, kill(self->pid, SIGUSR1));
	ASSERT_EQ(0, kill(self->pid, SIGUSR1));
	all = seen_by(&self->f, self->raw);
	ASSERT_EQ(2, all.nr);
	EXPECT_GENERATED(GENERATED(getpid(), SIGUSR1, SI_USER, 1,
				   POSIXTRACE_SIGNAL_DELIVERED),
			 self->pid, &all.list[0]);
	EXPECT_GENERATED(GENERATED(getpid(), SIGUSR1, SI_USER, 1,
				   POSIXTRACE_SIGNAL_PENDING),
			 self->pid, &all.list[1]);
	ASSERT_EQ(0, let(&self->f, UNBLOCK, SIGUSR1));
	all = seen_by(&self->f, self->raw);
	ASSERT_EQ(1, all.nr);
	EXPECT_DELIVERED(DELIVERED(getpid(), SIGUSR1, SI_USER, HANDLED, handler),
			 self->pid, &all.list[0]);
}

/* It is taken out of the queue, and then ignored. */
TEST_F(signal_events, tell_of_a_pending_signal_that_is_ignored)
{
	struct collection all;

	ASSERT_EQ(0, let(&self->f, BLOCK, SIGUSR1));
	ASSERT_EQ(0, let(&self->f, IGNORE, SIGUSR1));
	ASSERT_EQ(0, kill(self->pid, SIGUSR1));
	collect(self->raw);
	ASSERT_EQ(0, let(&self->f, UNBLOCK, SIGUSR1));
	all = seen_by(&self->f, self->raw);
	ASSERT_EQ(1, all.nr);
	EXPECT_DELIVERED(DELIVERED(getpid(), SIGUSR1, SI_USER,
				   SA_RESTART | SA_RESTORER, SIG_IGN),
			 self->pid, &all.list[0]);
}

TEST_F(signal_events, tell_of_a_signal_for_which_there_is_no_room)
{
	union sigval value = { .sival_int = 5 };
	struct collection all;

	ASSERT_EQ(0, let(&self->f, HANDLE, SIGRTMIN));
	ASSERT_EQ(0, let(&self->f, NO_QUEUE, 0));
	collect(self->raw);
	EXPECT_EQ(-1, sigqueue(self->pid, SIGRTMIN, value));
	EXPECT_EQ(EAGAIN, errno);
	all = seen_by(&self->f, self->raw);
	ASSERT_EQ(1, all.nr);
	EXPECT_GENERATED(GENERATED(getpid(), SIGRTMIN, SI_QUEUE, 1,
				   POSIXTRACE_SIGNAL_OVERFLOW),
			 self->pid, &all.list[0]);
}

TEST_F(signal_events, tell_of_a_signal_without_room_for_its_info)
{
	union sigval value = { .sival_int = 5 };
	struct collection all;

	ASSERT_EQ(0, let(&self->f, HANDLE, SIGUSR1));
	ASSERT_EQ(0, let(&self->f, NO_QUEUE, 0));
	collect(self->raw);
	EXPECT_EQ(0, sigqueue(self->pid, SIGUSR1, value));
	all = seen_by(&self->f, self->raw);
	EXPECT_BOTH(GENERATED(getpid(), SIGUSR1, SI_QUEUE, 1,
			      POSIXTRACE_SIGNAL_LOST_INFO),
		    DELIVERED(0, SIGUSR1, SI_USER, HANDLED, handler),
		    self->pid, all);
}

/*
 * Signals of the kernel: nobody sent them
 */

TEST_F(signal_events, tell_of_an_alarm)
{
	struct collection all;

	ASSERT_EQ(0, let(&self->f, HANDLE, SIGALRM));
	collect(self->raw);
	ASSERT_EQ(0, let(&self->f, ALARM, 0));
	all = collect(self->raw);
	EXPECT_BOTH(GENERATED(0, SIGALRM, SI_KERNEL, 1,
			      POSIXTRACE_SIGNAL_DELIVERED),
		    DELIVERED(0, SIGALRM, SI_KERNEL, HANDLED, handler),
		    self->pid, all);
}

TEST_F(signal_events, tell_of_a_timer)
{
	struct collection all;

	ASSERT_EQ(0, let(&self->f, HANDLE, SIGRTMAX));
	collect(self->raw);
	ASSERT_EQ(0, let(&self->f, TIMER, SIGRTMAX));
	all = collect(self->raw);
	EXPECT_BOTH(GENERATED(0, SIGRTMAX, SI_TIMER, 1,
			      POSIXTRACE_SIGNAL_DELIVERED),
		    DELIVERED(0, SIGRTMAX, SI_TIMER, HANDLED, handler),
		    self->pid, all);
}

TEST_F(signal_events, tell_of_a_fault)
{
	struct collection all;

	ASSERT_EQ(0, let(&self->f, FAULT, 0));
	all = collect(self->raw);
	ASSERT_EQ(3, all.nr);		/* with START */
	EXPECT_GENERATED(GENERATED(0, SIGSEGV, SEGV_ACCERR, 0,
				   POSIXTRACE_SIGNAL_DELIVERED),
			 self->pid, &all.list[1]);
	EXPECT_DELIVERED(DELIVERED(0, SIGSEGV, SEGV_ACCERR,
				   HANDLED, unprotect),
			 self->pid, &all.list[2]);
}

/* Sent by the call that failed, so by oneself. */
TEST_F(signal_events, tell_of_a_broken_pipe)
{
	struct collection all;

	ASSERT_EQ(0, let(&self->f, HANDLE, SIGPIPE));
	collect(self->raw);
	ASSERT_EQ(0, let(&self->f, PIPE, 0));
	all = collect(self->raw);
	EXPECT_BOTH(GENERATED(self->pid, SIGPIPE, SI_USER, 0,
			      POSIXTRACE_SIGNAL_DELIVERED),
		    DELIVERED(self->pid, SIGPIPE, SI_USER, HANDLED, handler),
		    self->pid, all);
}

TEST_F(signal_events, tell_of_a_child_that_ends)
{
	struct collection all;
	pid_t child;

	ASSERT_EQ(0, let(&self->f, HANDLE, SIGCHLD));
	collect(self->raw);
	child = let(&self->f, CHILD, 0);
	all = seen_by(&self->f, self->raw);
	EXPECT_BOTH(GENERATED(child, SIGCHLD, CLD_EXITED, 1,
			      POSIXTRACE_SIGNAL_DELIVERED),
		    DELIVERED(child, SIGCHLD, CLD_EXITED, HANDLED, handler),
		    self->pid, all);
}

/*
 * Signals that end the process
 */

/* One that dumps core is delivered as what it is. */
TEST_F(signal_events, tell_of_a_signal_that_is_fatal)
{
	struct posixtrace_exit ended;
	struct collection all;

	collect(self->raw);
	ASSERT_EQ(0, kill(self->pid, SIGABRT));
	await_end(self->f.m[0].pidfd);
	all = collect(self->raw);
	ASSERT_EQ(3, all.nr);
	EXPECT_GENERATED(GENERATED(getpid(), SIGABRT, SI_USER, 1,
				   POSIXTRACE_SIGNAL_DELIVERED),
			 self->pid, &all.list[0]);
	EXPECT_DELIVERED(DELIVERED(getpid(), SIGABRT, SI_USER, 0, SIG_DFL), self->pid,
			 &all.list[1]);
	ASSERT_EQ(POSIXTRACE_EV_EXIT, all.list[2].record.event_id);
	ended = DATA(struct posixtrace_exit, &all.list[2]);
	EXPECT_EQ(SIGABRT, ended.status & 0x7f);
}

/* Another one kills all threads when it is sent: each finds a SIGKILL. */
TEST_F(signal_events, tell_of_a_signal_that_kills)
{
	struct posixtrace_exit ended;
	struct collection all;

	collect(self->raw);
	ASSERT_EQ(0, kill(self->pid, SIGTERM));
	await_end(self->f.m[0].pidfd);
	all = collect(self->raw);
	ASSERT_EQ(3, all.nr);
	EXPECT_GENERATED(GENERATED(getpid(), SIGTERM, SI_USER, 1,
				   POSIXTRACE_SIGNAL_DELIVERED),
			 self->pid, &all.list[0]);
	EXPECT_DELIVERED(DELIVERED(0, SIGKILL, SI_USER, 0, SIG_DFL), self->pid,
			 &all.list[1]);
	ASSERT_EQ(POSIXTRACE_EV_EXIT, all.list[2].record.event_id);
	ended = DATA(struct posixtrace_exit, &all.list[2]);
	EXPECT_EQ(SIGTERM, ended.status);
}

TEST_F(signal_events, tell_each_thread_of_a_kill)
{
	struct collection all;
	int i;

	for (i = 1; i < THREADS; i++)
		let(&self->f, THREAD, 0);
	collect(self->raw);
	ASSERT_EQ(0, kill(self->pid, SIGKILL));
	await_end(self->f.m[0].pidfd);
	all = collect(self->raw);
	EXPECT_EQ(1, count_signal_events(all, EVENT(SIGNAL_GENERATE), SIGKILL));
	EXPECT_EQ(THREADS, count_signal_events(all, EVENT(SIGNAL_DELIVER),
					       SIGKILL));
	EXPECT_EQ(THREADS + 2, all.nr);
	EXPECT_EQ(POSIXTRACE_EV_EXIT, all.list[all.nr - 1].record.event_id);
}

TEST_F(signal_events, tell_of_stop_and_continue)
{
	struct collection all;
	int status;

	collect(self->raw);
	ASSERT_EQ(0, kill(self->pid, SIGSTOP));
	ASSERT_EQ(self->pid, waitpid(self->pid, &status, WUNTRACED));
	all = collect(self->raw);
	EXPECT_BOTH(GENERATED(getpid(), SIGSTOP, SI_USER, 1,
			      POSIXTRACE_SIGNAL_DELIVERED),
		    DELIVERED(getpid(), SIGSTOP, SI_USER, 0, SIG_DFL),
		    self->pid, all);
	ASSERT_EQ(0, kill(self->pid, SIGCONT));
	all = seen_by(&self->f, self->raw);
	ASSERT_EQ(1, all.nr);
	EXPECT_GENERATED(GENERATED(getpid(), SIGCONT, SI_USER, 1,
				   POSIXTRACE_SIGNAL_IGNORED),
			 self->pid, &all.list[0]);
}

TEST_HARNESS_MAIN
