// SPDX-License-Identifier: GPL-2.0-only
/*
 * What any stream that is read to its end must look like: nothing lost within
 * the guaranteed room, events in the order of the calls, and within the windows
 * that START, STOP and FILTER announce (assertions ).
 */
#include "trace_test.h"

#define STEPS		400
#define TYPES		4
#define LIST_MAX	(4 * STEPS)

FIXTURE(order) {
	trace_event_id_t types[TYPES];
	trace_id_t trid;
	struct ev *list;
	size_t n;
};

FIXTURE_VARIANT(order) {
	int policy;
};

FIXTURE_VARIANT_ADD(order, loop) { .policy = POSIX_TRACE_LOOP };

FIXTURE_VARIANT_ADD(order, until_full) { .policy = POSIX_TRACE_UNTIL_FULL };

FIXTURE_SETUP(order)
{
	char name[8];
	int i;

	for (i = 0; i < TYPES; i++) {
		snprintf(name, sizeof(name), "u%d", i);
		self->types[i] = open_event(name);
	}
	self->list = calloc(LIST_MAX, sizeof(*self->list));
	must_be(self->list);
}

FIXTURE_TEARDOWN(order)
{
}

/* The same numbers in every run. */
static unsigned int next_random(unsigned int *state, unsigned int below)
{
	*state = *state * 1103515245 + 12345;
	return (*state >> 16) % below;
}

static trace_id_t stream_of(int policy, size_t size, size_t max_data)
{
	trace_attr_t attr;
	trace_id_t trid;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setstreamfullpolicy(&attr, policy));
	must(posix_trace_attr_setstreamsize(&attr, size));
	must(posix_trace_attr_setmaxdatasize(&attr, max_data));
	trid = self_stream(&attr);
	must(posix_trace_attr_destroy(&attr));
	return trid;
}

/* Length of the data of the n-th user event: a mix of all kinds. */
static size_t length(unsigned int n)
{
	static const size_t lengths[] = { 0, 1, 7, 8, 9, 100, 255, 256, 300 };

	return lengths[n % ARRAY_SIZE(lengths)];
}

/* A-474 [S]: what the sizes promise to fit is not lost */
TEST_F(order, A474_no_event_is_lost_within_the_guarantee)
{
	size_t system, user, sum, n = 100, system_events = 2 + 10;
	static const char data[300];
	trace_event_set_t none;
	trace_attr_t attr;
	unsigned int i;

	must(posix_trace_attr_init(&attr));
	must(posix_trace_attr_setmaxdatasize(&attr, 256));
	must(posix_trace_attr_getmaxsystemeventsize(&attr, &system));
	sum = system_events * system;
	for (i = 0; i < n; i++) {
		must(posix_trace_attr_getmaxusereventsize(&attr, length(i),
							  &user));
		sum += user;
	}
	self->trid = stream_of(variant->policy, sum, 256);
	must(posix_trace_eventset_empty(&none));
	must(posix_trace_start(self->trid));
	for (i = 0; i < n; i++) {
		posix_trace_event(self->types[i % TYPES], data, length(i));
		if (i % 10)
			continue;
		must(posix_trace_set_filter(self->trid, &none,
					    POSIX_TRACE_SET_EVENTSET));
	}
	must(posix_trace_stop(self->trid));

	EXPECT_EQ(POSIX_TRACE_NO_OVERRUN,
		  status_of(self->trid).posix_stream_overrun_status);
	self->n = drain_into(self->trid, self->list, LIST_MAX);
	EXPECT_EQ(n + system_events, self->n);
	EXPECT_EQ(POSIX_TRACE_START, self->list[0].info.posix_event_id);
	EXPECT_EQ(POSIX_TRACE_STOP,
		  self->list[self->n - 1].info.posix_event_id);
}

/* The types from @types that are in @set, as bits. */
static unsigned int members(const trace_event_set_t *set,
			    const trace_event_id_t types[TYPES])
{
	unsigned int i, bits = 0;

	for (i = 0; i < TYPES; i++)
		bits |= (unsigned int)is_member(types[i], set) << i;
	return bits;
}

static unsigned int filter_in(const struct ev *ev, size_t offset,
			      const trace_event_id_t types[TYPES])
{
	trace_event_set_t set;

	must_be(offset + sizeof(set) <= ev->len);
	memcpy(&set, ev->data + offset, sizeof(set));
	return members(&set, types);
}

/* Start, stop, filter and record at random. */
static void act(trace_id_t trid, const trace_event_id_t types[TYPES],
		unsigned int *random)
{
	unsigned int what = next_random(random, 16);
	trace_event_id_t type = types[next_random(random, TYPES)];
	trace_event_set_t set = set_of(type);

	switch (what) {
	case 0:
		must(posix_trace_start(trid));
		break;
	case 1:
		must(posix_trace_stop(trid));
		break;
	case 2:
	case 3:
	case 4:
		must(posix_trace_set_filter(trid, &set, (int)what - 1));
		break;
	default:
		posix_trace_event(type, random, sizeof(*random));
	}
}

/* What was found in a stream that was read to its end. */
struct found {
	unsigned int recorded;		/* user events */
	unsigned int outside;		/* of them: not between START and STOP */
	unsigned int filtered;		/* of them: of a filtered type */
	unsigned int unannounced;	/* START, STOP, FILTER out of place */
	bool running;
	unsigned int filter;
};

static void look_at(struct found *f, const struct ev *ev,
		    const trace_event_id_t types[TYPES])
{
	unsigned int type;

	switch (ev->info.posix_event_id) {
	case POSIX_TRACE_START:
		f->unannounced += f->running;
		f->running = true;
		f->filter = filter_in(ev, 0, types);
		return;
	case POSIX_TRACE_STOP:
		f->unannounced += !f->running;
		f->running = false;
		return;
	case POSIX_TRACE_FILTER:
		f->unannounced += !f->running;
		f->unannounced += f->filter != filter_in(ev, 0, types);
		f->filter = filter_in(ev, sizeof(trace_event_set_t), types);
		return;
	}
	f->recorded++;
	f->outside += !f->running;
	for (type = 0; type < TYPES; type++)
		if (ev->info.posix_event_id == types[type])
			f->filtered += f->filter >> type & 1;
}

static struct found act_and_look(int policy,
				 const trace_event_id_t types[TYPES])
{
	trace_id_t trid = stream_of(policy, 1 << 20, 256);
	struct found found = { };
	unsigned int i, random = 1;
	struct ev ev;

	for (i = 0; i < STEPS; i++)
		act(trid, types, &random);
	while (ev_try(trid, &ev))
		look_at(&found, &ev, types);
	return found;
}

/* A-476 [S]: user events lie between a START and the next STOP */
TEST_F(order, A476_events_lie_between_START_and_STOP)
{
	struct found found = act_and_look(variant->policy, self->types);

	EXPECT_LT(10, found.recorded);
	EXPECT_EQ(0, found.outside);
	EXPECT_EQ(0, found.unannounced);
}

/* A-477 [S]: no event is of a type that the filter announced holds */
TEST_F(order, A477_events_are_not_of_a_type_announced_as_filtered)
{
	struct found found = act_and_look(variant->policy, self->types);

	EXPECT_LT(10, found.recorded);
	EXPECT_EQ(0, found.filtered);
	EXPECT_EQ(0, found.unannounced);
}

/* A-478 [S]: events of one thread come in the order of its calls */
TEST_F(order, A478_events_come_in_the_order_of_the_calls)
{
	trace_event_id_t u = self->types[0], v = self->types[1];
	trace_event_id_t expected[] = {
		POSIX_TRACE_START, u, v, POSIX_TRACE_FILTER, v,
		POSIX_TRACE_STOP, POSIX_TRACE_START, v, POSIX_TRACE_FILTER, u,
		POSIX_TRACE_STOP,
	};
	trace_event_set_t set = set_of(u);
	trace_id_t trid = stream_of(variant->policy, 1 << 16, 256);
	unsigned int i;

	must(posix_trace_start(trid));
	record_num(u, 1);
	record_num(v, 2);
	must(posix_trace_set_filter(trid, &set, POSIX_TRACE_ADD_EVENTSET));
	record_num(u, 3);
	record_num(v, 4);
	must(posix_trace_stop(trid));
	record_num(v, 5);
	must(posix_trace_start(trid));
	record_num(v, 6);
	must(posix_trace_set_filter(trid, &set, POSIX_TRACE_SUB_EVENTSET));
	record_num(u, 7);
	must(posix_trace_stop(trid));

	ASSERT_EQ(ARRAY_SIZE(expected),
		  drain_into(trid, self->list, LIST_MAX));
	for (i = 0; i < ARRAY_SIZE(expected); i++)
		EXPECT_EQ(expected[i], self->list[i].info.posix_event_id);
}

TEST_HARNESS_MAIN
