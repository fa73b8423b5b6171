// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel events linux_fork, linux_exec, linux_thread_exit and linux_exit: the
 * life of processes and threads.
 */
#include "family_test.h"

#define CROWD	8		/* threads of a process */
#define TIMES	20

/* What a member is told, in order.arg; order.nr is a number for it. */
enum task {
	THREAD,			/* one that ends; its tid */
	BARE_THREAD,		/* likewise, by exit(2) with status @nr */
	EXEC_LONG,		/* a name of @nr bytes */
	EXEC_THREAD,		/* by another than the first thread */
	EXIT,			/* exit(@nr) */
	EXIT_ALL,		/* with CROWD threads */
	EXIT_BY_THREAD,		/* with CROWD threads, by one of them */
	GATHER,			/* CROWD threads that run on */
	LEADER_ENDS,		/* its first thread does, another serves on */
	SCRIPT,			/* executes one */
	DUMP,			/* cores may be dumped */
};

FIXTURE(life_events) {
	struct family f;
	struct raw raw;		/* of member 0, inherited */
	pid_t parent;		/* member 0 */
};

static pid_t thread_tid;

static void *note_tid(void *arg)
{
	thread_tid = (pid_t)syscall(SYS_gettid);
	return NULL;
}

static long end_thread(void *(*fn)(void *arg), void *arg)
{
	pthread_t thread;

	must(pthread_create(&thread, NULL, fn, arg));
	must(pthread_join(thread, NULL));
	return thread_tid;
}

static void *exit_bare(void *arg)
{
	note_tid(NULL);
	syscall(SYS_exit, (long)arg);
	return NULL;
}

/* This program, by a name of @len bytes, for which @name has room. */
static void long_name(char *name, int len)
{
	static const char exe[] = "/proc/self/exe";

	memset(name, '/', len);
	memcpy(name + len - strlen(exe), exe, sizeof(exe));
}

static long exec_long(int nr, int len)
{
	char name[2048];

	long_name(name, len);
	member_exec(nr, name);
	return errno;
}

static void *exec_in_thread(void *arg)
{
	member_exec((int)(long)arg, "");
	return NULL;
}

static void *run_on_and_on(void *arg)
{
	for (;;)
		syscall(SYS_getppid);
	return NULL;
}

static void gather(int nr)
{
	pthread_t thread;

	while (--nr)
		must(pthread_create(&thread, NULL, run_on_and_on, NULL));
}

static void *exit_in_thread(void *arg)
{
	syscall(SYS_exit_group, (long)arg);
	return NULL;
}

static void *serve_on(void *arg)
{
	must_be(wait_until(thread_state(getpid()) == 'Z'));
	member_serve((int)(long)arg);
	return NULL;
}

#define SCRIPT_NAME	"/tmp/life_events_script"

static long exec_script(int nr)
{
	static const char text[] = "#!/proc/self/exe\n";
	int fd = open(SCRIPT_NAME, O_WRONLY | O_CREAT | O_TRUNC, 0755);

	must_be(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	member_exec(nr, SCRIPT_NAME);
	return errno;
}

static long allow_cores(void)
{
	struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };

	return setrlimit(RLIMIT_CORE, &all) || chdir("/tmp") ? errno : 0;
}

static long obey(int nr, const struct order *order)
{
	long number = order->nr;
	pthread_t thread;

	switch (order->arg) {
	case THREAD:
		return end_thread(note_tid, NULL);
	case BARE_THREAD:
		return end_thread(exit_bare, (void *)number);
	case EXEC_LONG:
		return exec_long(nr, number);
	case EXEC_THREAD:
		must(pthread_create(&thread, NULL, exec_in_thread,
				    (void *)(long)nr));
		for (;;)
			pause();
	case EXIT:
		exit(order->nr);
	case EXIT_ALL:
		gather(CROWD);
		_exit(order->nr);
	case EXIT_BY_THREAD:
		gather(CROWD - 1);
		must(pthread_create(&thread, NULL, exit_in_thread,
				    (void *)number));
		for (;;)
			syscall(SYS_getppid);
	case GATHER:
		gather(CROWD);
		return 0;
	case LEADER_ENDS:
		must(pthread_create(&thread, NULL, serve_on, (void *)(long)nr));
		syscall(SYS_exit, number);
		return -1;
	case SCRIPT:
		return exec_script(nr);
	case DUMP:
		return allow_cores();
	}
	return -1;
}

static long let(struct family *f, int nr, enum task task, int number)
{
	return family_do(f, nr, (struct order){
		.deed = DO_OTHER, .nr = number, .arg = task,
	});
}

FIXTURE_SETUP(life_events)
{
	family_start(&self->f);
	self->parent = self->f.m[0].c.pid;
	self->raw = inherited_stream(self->f.device, self->parent, LIFE_EVENTS);
	ASSERT_EQ(1, collect(self->raw).nr);
}

FIXTURE_TEARDOWN(life_events)
{
	family_disband(&self->f);
}

static pid_t pid_of(const struct family *f, int nr)
{
	return f->m[nr].c.pid;
}

#define EXPECT_BY(process, thread, type, ev) do {			\
	EXPECT_EQ(type, (ev)->record.event_id);				\
	EXPECT_EQ(process, (ev)->record.pid);				\
	EXPECT_EQ(thread, (ev)->record.tid);				\
} while (0)

#define EXPECT_FORK(process, thread, ev) do {				\
	struct posixtrace_fork made = DATA(struct posixtrace_fork, ev);	\
									\
	EXPECT_EQ(process, made.pid);					\
	EXPECT_EQ(thread, made.tid);					\
} while (0)

#define EXPECT_ENDED(wanted, ev) do {					\
	struct posixtrace_exit ended = DATA(struct posixtrace_exit, ev);	\
									\
	EXPECT_EQ(wanted, ended.status);				\
} while (0)

/*
 * linux_fork
 */

TEST_F(life_events, fork_names_the_child)
{
	struct collection all;
	pid_t pid;

	pid = family_fork(&self->f, 0, 1);
	all = collect(self->raw);
	ASSERT_EQ(1, all.nr);
	EXPECT_BY(self->parent, self->parent, POSIXTRACE_EV_FORK, all.list);
	EXPECT_FORK(pid, pid, all.list);
}

TEST_F(life_events, fork_names_the_thread)
{
	struct collection all;
	pid_t tid;

	tid = let(&self->f, 0, THREAD, 0);
	/* It is joined a little before it ends. */
	EXPECT_TRUE(wait_until(raw_peek(self->raw).recorded == 3));
	all = collect(self->raw);
	ASSERT_EQ(2, all.nr);
	EXPECT_BY(self->parent, self->parent, POSIXTRACE_EV_FORK, all.list);
	EXPECT_FORK(self->parent, tid, all.list);
	EXPECT_BY(self->parent, tid, POSIXTRACE_EV_THREAD_EXIT, all.list + 1);
	EXPECT_ENDED(0, all.list + 1);
}

TEST_F(life_events, fork_that_fails_is_none)
{
	struct order order = {
		.deed = DO_FORK, .nr = 1, .arg = CLONE_SIGHAND | SIGCHLD,
	};

	EXPECT_EQ(-1, family_do(&self->f, 0, order));
	EXPECT_EQ(0, collect(self->raw).nr);
}

/*
 * linux_exec
 */

#define EXPECT_EXEC(name, ev) do {					\
	const struct kernel_event *exec_ev = (ev);			\
	struct posixtrace_exec *did = (void *)exec_ev->data;		\
	size_t len = strlen(name);					\
	size_t cut = len < POSIXTRACE_EXEC_NAME_MAX ?			\
		     len : POSIXTRACE_EXEC_NAME_MAX;			\
									\
	EXPECT_EQ(POSIXTRACE_EV_EXEC, exec_ev->record.event_id);	\
	EXPECT_EQ(POSIXTRACE_NOT_TRUNCATED, exec_ev->record.truncation);	\
	EXPECT_EQ(len, did->length);					\
	ASSERT_EQ(sizeof(*did) + cut + 1, exec_ev->record.data_size);	\
	EXPECT_EQ(0, did->filename[cut]);				\
	EXPECT_EQ(0, memcmp(name, did->filename, cut));			\
} while (0)

TEST_F(life_events, exec_names_the_file)
{
	struct collection all;

	family_fork(&self->f, 0, 1);
	collect(self->raw);
	ASSERT_EQ(0, family_exec(&self->f, 1, ""));
	all = collect(self->raw);
	ASSERT_EQ(1, all.nr);
	EXPECT_BY(pid_of(&self->f, 1), pid_of(&self->f, 1), POSIXTRACE_EV_EXEC,
		  all.list);
	EXPECT_EXEC("/proc/self/exe", all.list);
}

TEST_F(life_events, exec_cuts_a_long_name)
{
	static const int lengths[] = {
		POSIXTRACE_EXEC_NAME_MAX - 1, POSIXTRACE_EXEC_NAME_MAX,
		POSIXTRACE_EXEC_NAME_MAX + 1, 2000,
	};
	struct collection all;
	char name[2048];
	unsigned int i;

	family_fork(&self->f, 0, 1);
	collect(self->raw);
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		ASSERT_EQ(pid_of(&self->f, 1),
			  let(&self->f, 1, EXEC_LONG, lengths[i]));
		all = collect(self->raw);
		ASSERT_EQ(1, all.nr);
		long_name(name, lengths[i]);
		EXPECT_EXEC(name, all.list);
	}
}

TEST_F(life_events, exec_names_the_script)
{
	struct collection all;

	family_fork(&self->f, 0, 1);
	collect(self->raw);
	ASSERT_EQ(pid_of(&self->f, 1), let(&self->f, 1, SCRIPT, 0));
	unlink(SCRIPT_NAME);
	all = collect(self->raw);
	ASSERT_EQ(1, all.nr);
	EXPECT_EXEC(SCRIPT_NAME, all.list);
}

TEST_F(life_events, exec_that_fails_is_none)
{
	EXPECT_EQ(ENOENT, family_exec(&self->f, 0, "/nowhere"));
	EXPECT_EQ(0, collect(self->raw).nr);
}

/* The thread takes the place of the first one, which has ended before. */
TEST_F(life_events, exec_by_another_thread)
{
	struct collection all;
	pid_t pid;

	pid = family_fork(&self->f, 0, 1);
	collect(self->raw);
	ASSERT_EQ(pid, let(&self->f, 1, EXEC_THREAD, 0));
	all = collect(self->raw);
	ASSERT_EQ(3, all.nr);
	EXPECT_BY(pid, pid, POSIXTRACE_EV_FORK, all.list);
	EXPECT_BY(pid, pid, POSIXTRACE_EV_THREAD_EXIT, all.list + 1);
	EXPECT_BY(pid, pid, POSIXTRACE_EV_EXEC, all.list + 2);
	family_end(&self->f, 1);
	all = collect(self->raw);
	ASSERT_EQ(1, all.nr);
	EXPECT_BY(pid, pid, POSIXTRACE_EV_EXIT, all.list);
}

/*
 * linux_exit, linux_thread_exit
 */

/* The status is that of wait(2). */
#define EXPECT_LAST(wanted, member, all) do {				\
	long waited = family_do(&self->f, 0, (struct order){		\
		.deed = DO_WAIT, .arg = pid_of(&self->f, member),	\
	});								\
									\
	(all) = collect(self->raw);					\
	ASSERT_LT(0, (all).nr);						\
	EXPECT_BY(pid_of(&self->f, member), pid_of(&self->f, member),	\
		  POSIXTRACE_EV_EXIT, (all).list + (all).nr - 1);	\
	EXPECT_ENDED(waited, (all).list + (all).nr - 1);		\
	EXPECT_EQ(wanted, waited);					\
} while (0)

TEST_F(life_events, exit_tells_the_status)
{
	struct collection all;

	family_fork(&self->f, 0, 1);
	collect(self->raw);
	EXPECT_EQ(DIED, let(&self->f, 1, EXIT, 3));
	EXPECT_LAST(3 << 8, 1, all);
	EXPECT_EQ(1, all.nr);
}

TEST_F(life_events, exit_of_a_single_thread_tells_the_status)
{
	struct order order = { .deed = DO_END, .arg = 7 };
	struct collection all;

	family_fork(&self->f, 0, 1);
	collect(self->raw);
	EXPECT_EQ(DIED, family_do(&self->f, 1, order));
	EXPECT_LAST(7 << 8, 1, all);
	EXPECT_EQ(1, all.nr);
}

TEST_F(life_events, exit_tells_the_signal)
{
	struct collection all;

	family_fork(&self->f, 0, 1);
	collect(self->raw);
	ASSERT_EQ(0, kill(pid_of(&self->f, 1), SIGTERM));
	await_end(self->f.m[1].pidfd);
	EXPECT_LAST(SIGTERM, 1, all);
	EXPECT_EQ(1, all.nr);
}

TEST_F(life_events, exit_tells_of_a_core)
{
	struct collection all;

	if (access("/proc/sys/kernel/core_pattern", F_OK))
		SKIP(return, "no core dumps");
	family_fork(&self->f, 0, 1);
	collect(self->raw);
	ASSERT_EQ(0, let(&self->f, 1, DUMP, 0));
	ASSERT_EQ(0, kill(pid_of(&self->f, 1), SIGABRT));
	await_end(self->f.m[1].pidfd);
	EXPECT_LAST(SIGABRT | 0x80, 1, all);
	EXPECT_EQ(1, all.nr);
}

TEST_F(life_events, exit_of_threads_one_by_one)
{
	struct collection all;
	pid_t pid, tids[CROWD];
	unsigned int i;

	pid = family_fork(&self->f, 0, 1);
	collect(self->raw);
	for (i = 0; i < CROWD; i++) {
		tids[i] = let(&self->f, 1, BARE_THREAD, i);
		/* A fork, and an end. */
		EXPECT_TRUE(wait_until(raw_peek(self->raw).recorded ==
				       2 + 2 * (i + 1)));
	}
	family_end(&self->f, 1);
	all = collect(self->raw);
	ASSERT_EQ(2 * CROWD + 1, all.nr);
	for (i = 0; i < CROWD; i++) {
		EXPECT_BY(pid, pid, POSIXTRACE_EV_FORK, all.list + 2 * i);
		EXPECT_FORK(pid, tids[i], all.list + 2 * i);
		EXPECT_BY(pid, tids[i], POSIXTRACE_EV_THREAD_EXIT,
			  all.list + 2 * i + 1);
		EXPECT_ENDED((int)i << 8, all.list + 2 * i + 1);
	}
	EXPECT_BY(pid, pid, POSIXTRACE_EV_EXIT, all.list + 2 * CROWD);
}

/* When the first thread ends, the process lives on, and others end it. */
TEST_F(life_events, exit_of_the_first_thread_is_not_the_last)
{
	struct collection all;
	pid_t pid, tid;

	pid = family_fork(&self->f, 0, 1);
	collect(self->raw);
	/* The thread that is left says the pid, as a new program does. */
	EXPECT_EQ(pid, let(&self->f, 1, LEADER_ENDS, 2));
	all = collect(self->raw);
	ASSERT_EQ(2, all.nr);
	tid = DATA(struct posixtrace_fork, all.list).tid;
	EXPECT_BY(pid, pid, POSIXTRACE_EV_THREAD_EXIT, all.list + 1);
	EXPECT_ENDED(2 << 8, all.list + 1);
	family_end(&self->f, 1);
	all = collect(self->raw);
	ASSERT_EQ(1, all.nr);
	EXPECT_BY(pid, tid, POSIXTRACE_EV_EXIT, all.list);
}

/* A stream that is made for a process whose first thread has ended. */
TEST_F(life_events, of_a_process_without_its_first_thread)
{
	struct collection all;
	struct raw raw;
	pid_t pid;

	pid = family_fork(&self->f, 0, 1);
	EXPECT_EQ(pid, let(&self->f, 1, LEADER_ENDS, 0));
	raw = kernel_stream(self->f.device, pid, LIFE_EVENTS);
	family_end(&self->f, 1);
	all = collect(raw);
	ASSERT_EQ(2, all.nr);
	EXPECT_EQ(POSIXTRACE_EV_EXIT, all.list[1].record.event_id);
	EXPECT_EQ(pid, all.list[1].record.pid);
	EXPECT_NE(pid, all.list[1].record.tid);
}

/* A signal to a process names its first thread, also when that has ended. */
TEST_F(life_events, of_a_signal_to_a_process_without_its_first_thread)
{
	struct posixtrace_signal_generate sent;
	const struct kernel_event *ev;
	struct collection all;
	struct raw raw;
	pid_t pid;

	pid = family_fork(&self->f, 0, 1);
	EXPECT_EQ(pid, let(&self->f, 1, LEADER_ENDS, 0));
	raw = kernel_stream(self->f.device, pid, EVENT(SIGNAL_GENERATE));
	ASSERT_EQ(0, kill(pid, SIGKILL));
	await_end(self->f.m[1].pidfd);
	all = collect(raw);
	ev = find_event(all, NULL, EVENT(SIGNAL_GENERATE), pid);
	ASSERT_NE(NULL, ev);
	sent = DATA(struct posixtrace_signal_generate, ev);
	EXPECT_EQ(SIGKILL, sent.signo);
	EXPECT_EQ(1, sent.to_process);
	EXPECT_EQ(getpid(), sent.pid);
}

/*
 * Many threads end at once. How many of them still speak is not determined; but
 * linux_exit comes once, and then nothing more of that process.
 */

#define CROWD_EVENTS	(LIFE_EVENTS | SIGNAL_EVENTS | EVENT(SCHED_WAKEUP))

FIXTURE(crowd) {
	struct family f;
	struct raw family;	/* inherited */
};

FIXTURE_VARIANT(crowd) {
	enum task task;
	int status;
};

FIXTURE_VARIANT_ADD(crowd, exit_by_the_first) { EXIT_ALL, 5 << 8 };

FIXTURE_VARIANT_ADD(crowd, exit_by_another) { EXIT_BY_THREAD, 5 << 8 };

FIXTURE_VARIANT_ADD(crowd, killed) { GATHER, SIGKILL };

FIXTURE_SETUP(crowd)
{
	family_start(&self->f);
	self->family = inherited_stream(self->f.device, self->f.m[0].c.pid,
					CROWD_EVENTS);
}

FIXTURE_TEARDOWN(crowd)
{
	family_disband(&self->f);
}

static bool ends_well(struct collection all, pid_t pid, int status)
{
	const struct kernel_event *ev = find_event(all, NULL, EVENT(EXIT), pid);

	return ev && DATA(struct posixtrace_exit, ev).status == status &&
	       !find_event(all, ev, ALL_EVENTS, pid) &&
	       count_events(all, EVENT(THREAD_EXIT), pid) < CROWD &&
	       count_events(all, EVENT(FORK), pid) == CROWD - 1;
}

TEST_F(crowd, ends_once)
{
	struct collection all;
	struct raw raw;
	pid_t pid;
	int i;

	for (i = 0; i < TIMES; i++) {
		pid = family_fork(&self->f, 0, 1);
		raw = kernel_stream(self->f.device, pid, CROWD_EVENTS);
		let(&self->f, 1, variant->task, 5);
		if (variant->task == GATHER)
			ASSERT_EQ(0, kill(pid, SIGKILL));
		await_end(self->f.m[1].pidfd);
		/* Nor is what happens to a zombie its last event. */
		EXPECT_EQ(0, kill(pid, SIGUSR1));
		all = collect(self->family);
		EXPECT_TRUE(ends_well(all, pid, variant->status))
			TH_LOG("%d", i);
		free(all.list);
		all = collect(raw);
		EXPECT_TRUE(ends_well(all, pid, variant->status))
			TH_LOG("%d", i);
		free(all.list);
		close(raw.fd);
	}
}

TEST_HARNESS_MAIN
