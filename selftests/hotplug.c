// SPDX-License-Identifier: GPL-2.0-only
/*
 * A processor goes and comes back while events are recorded on it.
 *
 * Needs root, and a processor that can be taken offline.
 */
#include "trace_test.h"

#define THREADS		4
#define ROUNDS		20	/* off and on again */

#define ONLINE		"/sys/devices/system/cpu/cpu1/online"

static atomic_bool stop;
static atomic_ullong sent;
static trace_event_id_t id;

static void *record_on(void *arg)
{
	unsigned int n = 0;

	while (!stop) {
		record_num(id, n++);
		/* The other processor is not to be waited for too long. */
		if (!(n % 64))
			sched_yield();
	}
	sent += n;
	return NULL;
}

static bool set_online(const char *to)
{
	int fd = open(ONLINE, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, to, 1) == 1;

	if (fd >= 0)
		close(fd);
	return done;
}

static trace_id_t stream_with_kernel_events(void)
{
	trace_event_set_t set;
	trace_attr_t attr;
	trace_id_t trid;

	posix_trace_eventset_fill(&set, POSIX_TRACE_SYSTEM_EVENTS);
	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setkernelevents_np(&attr, &set));
	trid = self_stream(&attr);
	must(posix_trace_start(trid));
	return trid;
}

TEST(nothing_is_lost_when_a_processor_goes)
{
	struct posix_trace_counters_np counters;
	trace_id_t trid, with_kernel_events;
	pthread_t thread[THREADS];
	unsigned int i;

	if (access(ONLINE, W_OK))
		SKIP(return, "there is no processor that can go");
	id = open_event("hotplug");
	trid = running_stream();
	with_kernel_events = stream_with_kernel_events();
	for (i = 0; i < THREADS; i++)
		must(pthread_create(&thread[i], NULL, record_on, NULL));
	for (i = 0; i < ROUNDS; i++) {
		EXPECT_TRUE(set_online("0"));
		EXPECT_TRUE(set_online("1"));
	}
	stop = true;
	for (i = 0; i < THREADS; i++)
		must(pthread_join(thread[i], NULL));
	must(posix_trace_stop(trid));
	must(posix_trace_get_counters_np(trid, &counters));
	/* All of them, START and STOP. */
	EXPECT_EQ(sent + 2, counters.posix_recorded);
	EXPECT_EQ(0, counters.posix_lost);
	EXPECT_EQ(counters.posix_recorded,
		  counters.posix_overwritten + drain(trid) - 2);
	must(posix_trace_stop(with_kernel_events));
	drain(with_kernel_events);
	must(posix_trace_get_counters_np(with_kernel_events, &counters));
	EXPECT_EQ(0, counters.posix_lost);
	EXPECT_EQ(counters.posix_recorded,
		  counters.posix_overwritten + counters.posix_read);
	TH_LOG("%llu events", (unsigned long long)sent);
}

TEST_HARNESS_MAIN
