/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * <trace.h> in a strictly conforming program, which may use any name that the
 * header has no right to: as a macro before it is included, and as an
 * identifier afterwards. header.sh compiles this with -std=c99.
 */
#define attr		@
#define createtime	@
#define data		@
#define data_len	@
#define data_ptr	@
#define event		@
#define event1		@
#define event_id	@
#define event_name	@
#define eventsize	@
#define fd		@
#define file_desc	@
#define flushed		@
#define genversion	@
#define how		@
#define inheritancepolicy @
#define ismember	@
#define logpolicy	@
#define logsize		@
#define lost		@
#define magic		@
#define maxdatasize	@
#define name		@
#define num_bytes	@
#define pid		@
#define read		@
#define recorded	@
#define resolution	@
#define set		@
#define statusinfo	@
#define streampolicy	@
#define streamsize	@
#define tracename	@
#define trid		@
#define truncated	@
#define unavailable	@
#define what		@
#include <trace.h>
#undef read
#undef name

/* Of <unistd.h>, <time.h>, <pthread.h>, <sys/types.h>, <stdint.h>, <sched.h>. */
double read, write, close, fork, pipe, sleep, pause, link, environ, getpid;
double time, clock, nanosleep, clock_gettime, timer_create, tm, signal, kill;
double pthread_create, pthread_self, sched_yield, select, index, major, minor;
double u_char, u_int, uint, ulong, quad_t, uint64, u64, __user, name, posix;
double NULL_, CLOCK_REALTIME, INT_MAX, PTHREAD_CANCELED, STDIN_FILENO;
double uint64_t, int64_t, ssize_t, off_t, uid_t, fd_set, sigset_t, clock_t;
