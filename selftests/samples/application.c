// SPDX-License-Identifier: GPL-2.0-only
/*
 * An instrumented application
 *
 * Answers each number that it reads with its prime factors. Whoever traces the
 * process sees an event "number" for each question, an event "factor" for each
 * prime factor that was found, both with an unsigned int as data, and an event
 * "finished" at the end. The application knows of no stream and no controller:
 * when nobody traces it, the trace points do nothing.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trace.h>

static trace_event_id_t number_event, factor_event, finished_event;

static trace_event_id_t event_type(const char *name)
{
	trace_event_id_t id;
	int error = posix_trace_eventid_open(name, &id);

	if (error) {
		fprintf(stderr, "event %s: %s\n", name, strerror(error));
		exit(EXIT_FAILURE);
	}
	return id;
}

static void found(unsigned int factor)
{
	posix_trace_event(factor_event, &factor, sizeof(factor));
	printf(" %u", factor);
}

static void answer(unsigned int number)
{
	unsigned int factor = 2;

	posix_trace_event(number_event, &number, sizeof(number));
	printf("%u:", number);
	while (number > 1) {
		if (number % factor == 0) {
			found(factor);
			number /= factor;
		} else if (factor < number / factor) {
			factor++;
		} else {
			factor = number;	/* the rest is a prime */
		}
	}
	printf("\n");
	fflush(stdout);
}

int main(void)
{
	unsigned int number;

	/* A type is opened once; later its identifier is all that is needed. */
	number_event = event_type("number");
	factor_event = event_type("factor");
	finished_event = event_type("finished");

	while (scanf("%u", &number) == 1)
		answer(number);
	posix_trace_event(finished_event, NULL, 0);
	return EXIT_SUCCESS;
}
