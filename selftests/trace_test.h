/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What several tests of posixtrace need: streams of a known size, readers,
 * child processes and threads with handshakes.
 *
 * A helper that can't do its work ends the test as failed: must(). What is
 * under test is checked by the test itself, with EXPECT and ASSERT.
 * No helper sleeps for a fixed time: see wait_until() and hand()/await().
 */
#ifndef TRACE_TEST_H
#define TRACE_TEST_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <trace.h>

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#include "kselftest_harness.h"

/*
 * Machines that are emulated, with a kernel that checks everything, are slow: what
 * hangs is ended with its program, by whoever runs that (see vm/programs).
 */
#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT	3600

/* Functions whose type is given by what calls them need not use it all. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define EV_DATA_MAX	2048

/* Longest wait for something that has to happen, in seconds. */
#define WAIT_LIMIT	120

#define noinline	__attribute_noinline__

/* End the test as failed if @call, which returns 0 or an error number, fails. */
#define must(call) do {							\
	int must_err = (call);						\
									\
	if (must_err) {							\
		fprintf(stderr, "# %s:%d: %s: %s\n", __FILE__, __LINE__,	\
			#call, strerror(must_err));			\
		_exit(KSFT_FAIL);					\
	}								\
} while (0)

/* The same for a condition. */
#define must_be(cond) do {						\
	if (!(cond)) {							\
		fprintf(stderr, "# %s:%d: not true: %s\n", __FILE__,	\
			__LINE__, #cond);				\
		_exit(KSFT_FAIL);					\
	}								\
} while (0)

static inline long long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000LL + ts.tv_nsec / 1000000;
}

static inline void pause_ms(long ms)
{
	struct timespec ts = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&ts, NULL);
}

/* True as soon as @cond is, false when it did not come true in WAIT_LIMIT. */
#define wait_until(cond) ({						\
	long long wait_end = now_ms() + WAIT_LIMIT * 1000LL;		\
	bool wait_met;							\
									\
	while (!(wait_met = (cond)) && now_ms() < wait_end)		\
		pause_ms(1);						\
	wait_met;							\
})

/* CLOCK_REALTIME @ms from now. */
static inline struct timespec realtime_in(long ms)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	ts.tv_sec += ms / 1000;
	ts.tv_nsec += ms % 1000 * 1000000;
	if (ts.tv_nsec >= 1000000000) {
		ts.tv_nsec -= 1000000000;
		ts.tv_sec++;
	}
	return ts;
}

/* -1, 0, 1: @a is before, equal to, after @b. */
static inline int ts_cmp(struct timespec a, struct timespec b)
{
	if (a.tv_sec != b.tv_sec)
		return a.tv_sec < b.tv_sec ? -1 : 1;
	return (a.tv_nsec > b.tv_nsec) - (a.tv_nsec < b.tv_nsec);
}

/*
 * Streams
 */

static inline trace_event_id_t open_event(const char *name)
{
	trace_event_id_t id;

	must(posix_trace_eventid_open(name, &id));
	return id;
}

static inline trace_id_t stream_on(pid_t pid, const trace_attr_t *attr)
{
	trace_id_t trid;

	must(posix_trace_create(pid, attr, &trid));
	return trid;
}

static inline trace_id_t self_stream(const trace_attr_t *attr)
{
	return stream_on(0, attr);
}

/* A self stream with default attributes, started. */
static inline trace_id_t running_stream(void)
{
	trace_id_t trid = self_stream(NULL);

	must(posix_trace_start(trid));
	return trid;
}

/* The identifier of a stream that was shut down. */
static inline trace_id_t bad_trid(void)
{
	trace_id_t trid = self_stream(NULL);

	must(posix_trace_shutdown(trid));
	return trid;
}

/*
 * Initialize @attr for a stream that is sure to hold @n user events of @size
 * bytes and two system events, and that will not hold many more. @policy 0:
 * leave the default.
 */
static inline void small_attr(trace_attr_t *attr, int policy, size_t n,
			      size_t size)
{
	size_t user, system;

	must(posix_trace_attr_init(attr));
	if (policy)
		must(posix_trace_attr_setstreamfullpolicy(attr, policy));
	must(posix_trace_attr_setmaxdatasize(attr, size));
	must(posix_trace_attr_getmaxusereventsize(attr, size, &user));
	must(posix_trace_attr_getmaxsystemeventsize(attr, &system));
	must(posix_trace_attr_setstreamsize(attr, n * user + 2 * system));
}

/* A self stream as small_attr() describes it. */
static inline trace_id_t small_stream(int policy, size_t n, size_t size)
{
	trace_attr_t attr;
	trace_id_t trid;

	small_attr(&attr, policy, n, size);
	trid = self_stream(&attr);
	must(posix_trace_attr_destroy(&attr));
	return trid;
}

static inline struct posix_trace_status_info status_of(trace_id_t trid)
{
	struct posix_trace_status_info info;

	must(posix_trace_get_status(trid, &info));
	return info;
}

/* Read the status (this resets the overrun) and compare it. */
#define EXPECT_STATUS(run, full, overrun, trid) do {			\
	struct posix_trace_status_info seen_st = status_of(trid);	\
									\
	EXPECT_EQ(run, seen_st.posix_stream_status);			\
	EXPECT_EQ(full, seen_st.posix_stream_full_status);		\
	EXPECT_EQ(overrun, seen_st.posix_stream_overrun_status);	\
} while (0)

static inline bool is_member(trace_event_id_t id, const trace_event_set_t *set)
{
	int member;

	must(posix_trace_eventset_ismember(id, set, &member));
	return member;
}

/* The set of one type. */
static inline trace_event_set_t set_of(trace_event_id_t id)
{
	trace_event_set_t set;

	must(posix_trace_eventset_empty(&set));
	must(posix_trace_eventset_add(id, &set));
	return set;
}

/* Add @id to what @trid does not record. */
static inline void filter_out(trace_id_t trid, trace_event_id_t id)
{
	trace_event_set_t set = set_of(id);

	must(posix_trace_set_filter(trid, &set, POSIX_TRACE_ADD_EVENTSET));
}

/*
 * Recording
 */

/* Keeps the call before it from becoming a jump, so that it has an address. */
#define no_tail_call()	__asm__ __volatile__("" : : : "memory")

/* True if @addr is inside the short function @fn, for instance of a call. */
#define lies_in(addr, fn) \
	((uintptr_t)(addr) - (uintptr_t)(fn) < 128)

/* Record @id with the number @n as data. */
static inline void record_num(trace_event_id_t id, unsigned int n)
{
	posix_trace_event(id, &n, sizeof(n));
}

/*
 * Record @id with numbers from @first on, and read the status after each, until
 * it shows FULL. The overrun is reset by that. Returns the number of the event
 * after which FULL was seen.
 */
static inline unsigned int fill_from(trace_id_t trid, trace_event_id_t id,
				     unsigned int first)
{
	unsigned int n = first;

	record_num(id, n);
	while (status_of(trid).posix_stream_full_status != POSIX_TRACE_FULL) {
		must_be(n - first < 100000);
		record_num(id, ++n);
	}
	return n;
}

static inline unsigned int fill(trace_id_t trid, trace_event_id_t id)
{
	return fill_from(trid, id, 1);
}

/*
 * Reading
 */

/* An event as it was reported. */
struct ev {
	struct posix_trace_event_info info;
	size_t len;
	int unavailable;
	char data[EV_DATA_MAX];
};

/* posix_trace_getnext_event() with room for all the data; its result. */
static inline int ev_next(trace_id_t trid, struct ev *ev)
{
	return posix_trace_getnext_event(trid, &ev->info, ev->data,
					 sizeof(ev->data), &ev->len,
					 &ev->unavailable);
}

/* Take the next event; false if there is none. */
static inline bool ev_try(trace_id_t trid, struct ev *ev)
{
	must(posix_trace_trygetnext_event(trid, &ev->info, ev->data,
					  sizeof(ev->data), &ev->len,
					  &ev->unavailable));
	return !ev->unavailable;
}

/* Take the next event of type @id, dropping others; false if there is none. */
static inline bool ev_find(trace_id_t trid, trace_event_id_t id, struct ev *ev)
{
	while (ev_try(trid, ev)) {
		if (posix_trace_eventid_equal(trid, id, ev->info.posix_event_id))
			return true;
	}
	return false;
}

static inline unsigned int ev_num(const struct ev *ev)
{
	unsigned int n;

	must_be(ev->len == sizeof(n));
	memcpy(&n, ev->data, sizeof(n));
	return n;
}

static inline int ev_int(const struct ev *ev)
{
	return (int)ev_num(ev);
}

/* Read @trid until it is empty; returns how many events there were. */
static inline size_t drain(trace_id_t trid)
{
	struct ev ev;
	size_t n = 0;

	while (ev_try(trid, &ev))
		n++;
	return n;
}

/* Read @trid until it is empty; returns how many of them were of type @id. */
static inline size_t drain_count(trace_id_t trid, trace_event_id_t id)
{
	struct ev ev;
	size_t n = 0;

	while (ev_find(trid, id, &ev))
		n++;
	return n;
}

/*
 * Read @trid until it is empty, storing at most @max events in @list; returns
 * how many there were. More than @max end the test.
 */
static inline size_t drain_into(trace_id_t trid, struct ev *list, size_t max)
{
	struct ev more;
	size_t n = 0;

	while (n < max && ev_try(trid, &list[n]))
		n++;
	must_be(n < max || !ev_try(trid, &more));
	return n;
}

/* Compare the type of the next event, which must be there; it is left in *ev. */
#define EXPECT_NEXT(id, trid, where) do {				\
	struct ev *seen_ev = (where);					\
									\
	ASSERT_TRUE(ev_try(trid, seen_ev));				\
	EXPECT_EQ(id, seen_ev->info.posix_event_id);			\
} while (0)

#define EXPECT_EMPTY(trid) do {						\
	struct ev none;							\
									\
	EXPECT_FALSE(ev_try(trid, &none))				\
		TH_LOG("event of type %d", (int)none.info.posix_event_id);	\
} while (0)

/*
 * The guarantee: events whose largest sizes sum up to the size of the stream
 * are all recorded. Here these are user events of many lengths, number n with
 * n % GUARANTEED_LEN bytes, and with @system START, FILTER, STOP.
 */
#define GUARANTEED	200
#define GUARANTEED_LEN	67

static inline trace_id_t guaranteed_room(int policy, bool system)
{
	size_t size, sum = 0;
	trace_attr_t attr;
	unsigned int n;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setstreamfullpolicy(&attr, policy));
	must(posix_trace_attr_setmaxdatasize(&attr, GUARANTEED_LEN));
	for (n = 0; n < GUARANTEED; n++) {
		must(posix_trace_attr_getmaxusereventsize(&attr,
							  n % GUARANTEED_LEN,
							  &size));
		sum += size;
	}
	must(posix_trace_attr_getmaxsystemeventsize(&attr, &size));
	if (system)
		sum += 3 * size;
	must(posix_trace_attr_setstreamsize(&attr, sum));
	return self_stream(&attr);
}

/* A stream of exactly that size, into which they have been recorded. */
static inline trace_id_t guaranteed_stream(int policy, trace_event_id_t id,
					   bool system)
{
	trace_id_t trid = guaranteed_room(policy, system);
	trace_event_set_t none;
	unsigned int n;

	if (!system) {
		filter_out(trid, POSIX_TRACE_START);
		filter_out(trid, POSIX_TRACE_STOP);
	}
	must(posix_trace_start(trid));
	must(posix_trace_eventset_empty(&none));
	if (system)
		must(posix_trace_set_filter(trid, &none,
					    POSIX_TRACE_SET_EVENTSET));
	for (n = 0; n < GUARANTEED; n++) {
		char data[GUARANTEED_LEN];

		memset(data, n, sizeof(data));
		posix_trace_event(id, data, n % GUARANTEED_LEN);
	}
	must(posix_trace_stop(trid));
	return trid;
}

static inline bool next_is(trace_id_t trid, trace_event_id_t id, struct ev *ev)
{
	return ev_try(trid, ev) && ev->info.posix_event_id == id;
}

/* True if exactly these are read. */
static inline bool guaranteed_events_are_there(trace_id_t trid,
					       trace_event_id_t id, bool system)
{
	unsigned int n;
	struct ev ev;
	size_t i;

	if (system && (!next_is(trid, POSIX_TRACE_START, &ev) ||
		       !next_is(trid, POSIX_TRACE_FILTER, &ev)))
		return false;
	for (n = 0; n < GUARANTEED; n++) {
		if (!next_is(trid, id, &ev) || ev.len != n % GUARANTEED_LEN)
			return false;
		for (i = 0; i < ev.len; i++) {
			if (ev.data[i] != (char)n)
				return false;
		}
	}
	if (system && !next_is(trid, POSIX_TRACE_STOP, &ev))
		return false;
	return !ev_try(trid, &ev);
}

/*
 * Child processes. A child runs a function of its own and exits with its
 * result; both sides give signs to each other with hand() and await(), or send
 * data with put() and get(). It dies with the test.
 */
struct child {
	pid_t pid;
	int in;		/* read end: what the other side sent */
	int out;	/* write end */
};

static inline void put(const struct child *c, const void *data, size_t size)
{
	must_be(write(c->out, data, size) == (ssize_t)size);
}

static inline void get(const struct child *c, void *data, size_t size)
{
	size_t done = 0;
	ssize_t n;

	while (done < size) {
		n = read(c->in, (char *)data + done, size - done);
		if (n < 0 && errno == EINTR)
			continue;
		must_be(n > 0);
		done += n;
	}
}

/* Let the other side go on. */
static inline void hand(const struct child *c)
{
	put(c, "", 1);
}

/* Wait for the other side's hand(). */
static inline void await(const struct child *c)
{
	char sign;

	get(c, &sign, 1);
}

/* In the child, the struct passed to @fn holds the child's ends, pid 0. */
static inline void child_start(struct child *c,
			       int (*fn)(const struct child *c, void *arg),
			       void *arg)
{
	int down[2], up[2];
	struct child mine;

	must_be(!pipe2(down, O_CLOEXEC) && !pipe2(up, O_CLOEXEC));
	fflush(NULL);
	c->pid = fork();
	must_be(c->pid >= 0);
	if (!c->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(down[1]);
		close(up[0]);
		mine = (struct child){ .in = down[0], .out = up[1] };
		_exit(fn(&mine, arg));
	}
	close(down[0]);
	close(up[1]);
	c->in = up[0];
	c->out = down[1];
}

/* Wait for the child's end; its exit status, or 128 + the signal. */
static inline int child_end(struct child *c)
{
	int status;

	while (waitpid(c->pid, &status, 0) < 0)
		must_be(errno == EINTR);
	close(c->in);
	close(c->out);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static inline int child_kill(struct child *c)
{
	kill(c->pid, SIGKILL);
	return child_end(c);
}

/* Run @fn in a child of its own and return its result. */
static inline int in_child(int (*fn)(const struct child *c, void *arg),
			   void *arg)
{
	struct child c;

	child_start(&c, fn, arg);
	return child_end(&c);
}

/* A few bytes of text into a file that is there; false if that fails. */
static inline bool write_to(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, text, strlen(text)) > 0;

	close(fd);
	return done;
}

/* The number that a file of the kernel holds. */
static inline long long number_in(const char *path)
{
	char text[32] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	must_be(fd >= 0 && read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	return atoll(text);
}

/* Grows and shrinks with the descriptors of this process. */
static inline unsigned int files_open(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned int n = 0;

	must_be(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

/* Pass a descriptor on, over a socket. */
static inline void send_fd(int sock, int fd)
{
	char room[CMSG_SPACE(sizeof(int))] = "", byte = 0;
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = room, .msg_controllen = sizeof(room),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(cmsg), &fd, sizeof(fd));
	must_be(sendmsg(sock, &msg, 0) == 1);
}

static inline int receive_fd(int sock)
{
	char room[CMSG_SPACE(sizeof(int))] = "", byte;
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = room, .msg_controllen = sizeof(room),
	};
	int fd;

	must_be(recvmsg(sock, &msg, 0) == 1 && CMSG_FIRSTHDR(&msg));
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(fd));
	return fd;
}

/* Give up root for good; 0 or an error number. */
static inline int become_user(uid_t uid)
{
	if (setresgid(uid, uid, uid) || setresuid(uid, uid, uid))
		return errno;
	/* Changing the user made the process non-dumpable: untraceable. */
	if (prctl(PR_SET_DUMPABLE, 1))
		return errno;
	return 0;
}

/* Run what follows as another user, in a child that has to end with _exit(). */
static inline pid_t fork_as(uid_t uid)
{
	pid_t pid = fork();

	must_be(pid >= 0);
	if (!pid)
		must(become_user(uid));
	return pid;
}

/* The status of a child that fork_as() made, when it has ended. */
static inline int end_of(pid_t pid)
{
	int status;

	must_be(waitpid(pid, &status, 0) == pid);
	return status;
}

/*
 * Signals
 */

static atomic_int signals_seen;

static inline void count_signal(int sig)
{
	signals_seen++;
}

static inline void on_signal(int sig, void (*fn)(int sig), int flags)
{
	struct sigaction action = { .sa_handler = fn, .sa_flags = flags };

	must_be(!sigaction(sig, &action, NULL));
}

/* SIGALRM every @us microseconds, 0: no more. Handled without SA_RESTART. */
static inline void signal_storm(long us)
{
	struct itimerval every = { { 0, us }, { 0, us } };

	if (us)
		on_signal(SIGALRM, count_signal, 0);
	must_be(!setitimer(ITIMER_REAL, &every, NULL));
}

/*
 * Threads
 */

/* State letter of thread @tid of this process as in proc(5), 0 if it is gone. */
static inline char thread_state(pid_t tid)
{
	char path[64], line[256] = "", *p;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	p = fgets(line, sizeof(line), f);
	fclose(f);
	p = p ? strrchr(line, ')') : NULL;
	return p && p[1] == ' ' ? p[2] : 0;
}

/* A thread that makes calls with a deferred cancel pending. */
struct canceled {
	trace_id_t trid;
	trace_event_id_t id;
	atomic_bool pending;
};

/* The thread calls this first. */
static inline void wait_for_cancel(struct canceled *c)
{
	while (!c->pending)
		sched_yield();
}

/*
 * Run @fn, called with @c, in a thread that is cancelled. Returns its result,
 * or PTHREAD_CANCELED if one of the calls was a cancellation point.
 */
static inline void *run_cancelled(struct canceled *c, void *(*fn)(void *c))
{
	pthread_t thread;
	void *result;

	must(pthread_create(&thread, NULL, fn, c));
	must(pthread_cancel(thread));
	c->pending = true;
	must(pthread_join(thread, &result));
	return result;
}

/* A thread that reads one event. */
struct reader {
	trace_id_t trid;
	struct timespec until;	/* tv_sec not 0: posix_trace_timedgetnext_event */
	pthread_t thread;
	atomic_int tid;		/* set right before it calls */
	atomic_bool done;	/* set right after */
	int ret;
	struct ev ev;
};

static inline void *reader_run(void *arg)
{
	struct reader *r = arg;

	r->tid = (pid_t)syscall(SYS_gettid);
	if (r->until.tv_sec)
		r->ret = posix_trace_timedgetnext_event(r->trid, &r->ev.info,
							r->ev.data,
							sizeof(r->ev.data),
							&r->ev.len,
							&r->ev.unavailable,
							&r->until);
	else
		r->ret = ev_next(r->trid, &r->ev);
	r->done = true;
	return NULL;
}

/* Start @r, whose trid and until are set, with outputs that show changes. */
static inline void reader_start(struct reader *r)
{
	r->tid = 0;
	r->done = false;
	r->ret = -1;
	memset(&r->ev, 0x5a, sizeof(r->ev));
	must(pthread_create(&r->thread, NULL, reader_run, r));
}

/* True once the reader sleeps in its call, false if it came back instead. */
static inline bool reader_is_blocked(struct reader *r)
{
	return wait_until(r->done || (r->tid && thread_state(r->tid) == 'S')) &&
	       !r->done;
}

/* Wait for its end; returns what the function returned. */
static inline int reader_join(struct reader *r)
{
	must_be(wait_until(r->done));
	must(pthread_join(r->thread, NULL));
	return r->ret;
}

#endif /* TRACE_TEST_H */
