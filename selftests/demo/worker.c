// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that reports what it does. It knows nothing of who may look on,
 * and does not care whether anybody does.
 */
#include <stdio.h>
#include <time.h>
#include <trace.h>

static unsigned int collatz(unsigned int n)
{
	unsigned int steps = 0;

	for (; n > 1; n = n % 2 ? 3 * n + 1 : n / 2)
		steps++;
	return steps;
}

int main(void)
{
	const struct timespec pause = { .tv_nsec = 50 * 1000 * 1000 };
	trace_event_id_t started = 0, done = 0;
	char text[64];

	posix_trace_eventid_open("job_started", &started);
	posix_trace_eventid_open("job_done", &done);
	puts("at work");
	fflush(stdout);

	for (unsigned int n = 27; ; n++) {
		posix_trace_event(started, &n, sizeof(n));
		posix_trace_event(done, text,
				  snprintf(text, sizeof(text),
					   "%u reaches 1 after %u steps", n,
					   collatz(n)));
		nanosleep(&pause, NULL);
	}
}
