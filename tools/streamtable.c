// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "streamshow.h"
#include "streamtable.h"
#include "tool.h"

/* What is left of 80 columns for the name, which may be quoted. */
#define NAME_WIDTH	19

__u64 streamtable_lost(const struct nlstream *s)
{
	return s->value[POSIXTRACE_NL_A_LOST] +
	       s->value[POSIXTRACE_NL_A_OVERWRITTEN];
}

/* In seven columns. */
static void put_number(FILE *out, double n)
{
	static const char units[] = "kMGTPE";
	const char *unit = units;

	if (n < 1e6) {
		fprintf(out, "%7.0f ", n);
		return;
	}
	for (n /= 1000; n >= 1e5 && unit[1]; n /= 1000)
		unit++;
	fprintf(out, "%6.0f%c ", n, *unit);
}

static void put_who(FILE *out, const struct nlstream *s)
{
	const __u64 *v = s->value;

	fprintf(out, "%6llu %7llu ", v[POSIXTRACE_NL_A_STREAM],
		v[POSIXTRACE_NL_A_OWNER]);
	if (v[POSIXTRACE_NL_A_TARGET])
		fprintf(out, "%7llu ", v[POSIXTRACE_NL_A_TARGET]);
	else
		fprintf(out, "%7s ", "-");
	streamshow_user(out, v[POSIXTRACE_NL_A_UID]);
	fprintf(out, " %-4s ", streamshow_state(s));
}

static void put_name(FILE *out, const struct nlstream *s)
{
	streamshow_name(out, s->name, NAME_WIDTH);
	putc('\n', out);
}

void streamtable_put(FILE *out, const struct nlstreams *list)
{
	const struct nlstream *s;

	fprintf(out, "STREAM   OWNER  TARGET USER     DOES  EVENTS    LOST NAME\n");
	for (s = list->stream; s < list->stream + list->nr; s++) {
		put_who(out, s);
		put_number(out, s->value[POSIXTRACE_NL_A_RECORDED]);
		put_number(out, streamtable_lost(s));
		put_name(out, s);
	}
}

static void put_rate(FILE *out, const struct streamrate *r, double rate)
{
	if (r->known)
		put_number(out, rate);
	else
		fprintf(out, "%7s ", "-");
}

void streamtable_put_rates(FILE *out, const struct streamrate *rates, size_t nr,
			   size_t max)
{
	const struct streamrate *r;
	size_t shown = nr <= max ? nr : max - 1;

	fprintf(out, "STREAM   OWNER  TARGET USER     DOES EVENT/S  LOST/S NAME\n");
	for (r = rates; r < rates + shown; r++) {
		put_who(out, r->stream);
		put_rate(out, r, r->events);
		put_rate(out, r, r->lost);
		put_name(out, r->stream);
	}
	if (shown < nr)
		fprintf(out, "... and %zu more\n", nr - shown);
}

static int by_rate(const void *a, const void *b)
{
	const struct streamrate *r = a, *s = b;

	if (r->events != s->events)
		return r->events < s->events ? 1 : -1;
	return r->stream < s->stream ? -1 : r->stream > s->stream;
}

/* Both lists are in order of number: @*old goes on from where it was. */
static void compare(struct streamrate *r, const struct nlstream **old,
		    const struct nlstream *end, double seconds)
{
	const __u64 *now = r->stream->value, *before;

	while (*old < end && (*old)->value[POSIXTRACE_NL_A_STREAM] <
			     now[POSIXTRACE_NL_A_STREAM])
		++*old;
	if (*old == end || (*old)->value[POSIXTRACE_NL_A_STREAM] !=
			   now[POSIXTRACE_NL_A_STREAM])
		return;
	before = (*old)->value;
	r->known = true;
	r->events = (now[POSIXTRACE_NL_A_RECORDED] -
		     before[POSIXTRACE_NL_A_RECORDED]) / seconds;
	r->lost = (streamtable_lost(r->stream) - streamtable_lost(*old)) /
		  seconds;
}

struct streamrate *streamtable_rates(const struct nlstreams *now,
				     const struct nlstreams *before,
				     double seconds)
{
	struct streamrate *rates = calloc(now->nr + 1, sizeof(*rates));
	const struct nlstream *old = before->stream;
	size_t i;

	if (!rates)
		return NULL;
	for (i = 0; i < now->nr; i++) {
		rates[i].stream = &now->stream[i];
		compare(&rates[i], &old, before->stream + before->nr, seconds);
	}
	qsort(rates, now->nr, sizeof(*rates), by_rate);
	return rates;
}
