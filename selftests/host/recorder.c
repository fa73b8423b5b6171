// SPDX-License-Identifier: GPL-2.0-only
/*
 * kmod/recorder.c: what must hold in every state, whatever was called in
 * whatever order.
 */
#include "kselftest_harness.h"
#include "fake_kernel.h"
#include "../../kmod/buffer.c"
#include "../../kmod/life.c"
#include "../../kmod/recorder.c"
#include "../../kmod/recstatus.c"
#include "../../kmod/outlet.c"

int host_fail_alloc;
u64 host_clock;

#define MAX_DATA	64
#define SIZE		1024
#define USER		POSIXTRACE_EV_USER
#define ROOM		512

static const struct pxt_origin caller = { .address = 0x1000, .thread = 7 };

static u64 seed = 362436069362436069ULL;

static u64 draw(u64 below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

FIXTURE(recorder)
{
	struct pxt_recorder rec;
	u8 out[ROOM] __attribute__((aligned(8)));
	size_t at, end;		/* of what is in @out and was not looked at */
	u64 sent;
	u64 cleared;
	u64 taken;
	u64 next;
};

FIXTURE_VARIANT(recorder)
{
	u32 policy;
};

FIXTURE_VARIANT_ADD(recorder, loop) { POSIXTRACE_POLICY_LOOP };
FIXTURE_VARIANT_ADD(recorder, until_full) { POSIXTRACE_POLICY_UNTIL_FULL };

FIXTURE_SETUP(recorder)
{
	ASSERT_EQ(0, pxt_buffer_cache_init());
	ASSERT_EQ(0, pxt_recorder_init(&self->rec, variant->policy, false, SIZE,
				       MAX_DATA, 42));
}

FIXTURE_TEARDOWN(recorder)
{
	pxt_recorder_destroy(&self->rec);
	pxt_buffer_cache_exit();
}

/* An event with a number; is it one that the recorder has to account for? */
static void send(FIXTURE_DATA(recorder) *self, u32 id)
{
	u64 data[16] = { ++self->next };
	size_t size = sizeof(u64) + draw(sizeof(data) - sizeof(u64));
	struct pxt_event ev;

	pxt_event_init(&ev, id, NULL, data, size);
	ev.data_full = size;
	if (!pxt_event_set_has(&self->rec.filter, id) &&
	    (self->rec.running || self->rec.armed))
		self->sent++;
	pxt_recorder_record(&self->rec, &ev);
}

/* Get the next ones, one or many. Return: false if there is none. */
static bool fetch(FIXTURE_DATA(recorder) *self)
{
	const struct posixtrace_record *r;
	struct pxt_taken taken;
	size_t at;
	u64 nr = 0;

	pxt_outlet_take(&self->rec, self->out, sizeof(self->out), draw(2),
			&taken);
	for (at = 0; at < taken.size; at += r->size) {
		r = (void *)(self->out + at);
		nr += r->event_id != POSIXTRACE_EV_OVERFLOW &&
		      r->event_id != POSIXTRACE_EV_RESUME;
	}
	assert(at == taken.size && nr == taken.nr);
	self->taken += nr;
	self->at = 0;
	self->end = taken.size;
	return taken.size;
}

static const struct posixtrace_record *take(FIXTURE_DATA(recorder) *self)
{
	const struct posixtrace_record *r;

	if (self->at == self->end && !fetch(self))
		return NULL;
	r = (void *)(self->out + self->at);
	self->at += r->size;
	return r;
}

/* Records in the buffer now. */
static u64 unread(const struct pxt_recorder *rec)
{
	struct pxt_buffer copy = rec->buffer;
	u8 out[ROOM];
	u64 nr = 0;

	while (pxt_buffer_take(&copy, out))
		nr++;
	return nr;
}

static void random_filter(FIXTURE_DATA(recorder) *self)
{
	static const u32 ids[] = {
		POSIXTRACE_EV_START, POSIXTRACE_EV_STOP, POSIXTRACE_EV_FILTER,
		POSIXTRACE_EV_OVERFLOW, POSIXTRACE_EV_RESUME, USER, USER + 1,
	};
	struct posixtrace_event_set set = {};
	u32 i, id;

	for (i = 0; i < 3; i++) {
		id = ids[draw(ARRAY_SIZE(ids))];
		set.bits[id / 64] |= 1ULL << id % 64;
	}
	pxt_recorder_set_filter(&self->rec, 1 + draw(3), &set, &caller);
}

static void step(FIXTURE_DATA(recorder) *self)
{
	u64 op = draw(1000);

	if (op < 500) {
		send(self, USER + draw(2));
	} else if (op < 900) {
		take(self);
	} else if (op < 930) {
		pxt_recorder_start(&self->rec, &caller);
	} else if (op < 950) {
		pxt_recorder_stop(&self->rec, &caller);
	} else if (op < 990) {
		random_filter(self);
	} else {
		self->cleared += unread(&self->rec);
		pxt_recorder_clear(&self->rec);
	}
}

/* No pair (run, full) but those that the standard has; every event counted. */
TEST_F(recorder, keeps_its_books_in_every_state)
{
	const char *steps = getenv("STEPS");
	long n = steps ? atol(steps) : 200000;
	struct posixtrace_status status;

	while (n--) {
		step(self);
		status = (struct posixtrace_status) {
			.flags = POSIXTRACE_STATUS_PEEK
		};
		pxt_recorder_get_status(&self->rec, &status);
		if (variant->policy != POSIXTRACE_POLICY_LOOP)
			ASSERT_FALSE(status.running && status.full);
		ASSERT_EQ(status.recorded, self->taken + status.overwritten +
			  self->cleared + unread(&self->rec));
		ASSERT_GE(self->sent + 0, status.truncated);
		ASSERT_LE(0, self->rec.buffer.room +
			     self->rec.buffer.reserve);
		if (self->rec.running)
			ASSERT_FALSE(pxt_buffer_reserve_used(&self->rec.buffer)
				     );
	}
}

/* Sent = recorded + lost, where only user events are sent. */
TEST_F(recorder, counts_what_is_sent)
{
	struct posixtrace_event_set control = {};
	struct posixtrace_status status = {};
	int i;

	/* Without the events that starting and stopping adds. */
	control.bits[0] = ~0ULL;
	pxt_recorder_set_filter(&self->rec, POSIXTRACE_SET_EVENTSET, &control,
				&caller);
	for (i = 0; i < 100000; i++) {
		if (!draw(50))
			pxt_recorder_stop(&self->rec, &caller);
		if (!draw(10))
			pxt_recorder_start(&self->rec, &caller);
		if (draw(3))
			send(self, USER);
		else
			take(self);
	}
	pxt_recorder_get_status(&self->rec, &status);
	EXPECT_EQ(self->sent, status.recorded + status.lost);
	EXPECT_NE(0, status.recorded);
	EXPECT_EQ(variant->policy == POSIXTRACE_POLICY_LOOP, !status.lost);
	EXPECT_EQ(variant->policy != POSIXTRACE_POLICY_LOOP,
		  !status.overwritten);
}

/*
 * What is read makes sense: numbers only grow, START and STOP take turns, and a
 * hole between numbers is announced by OVERFLOW and RESUME, or by STOP and
 * START.
 */
TEST_F(recorder, tells_a_consistent_story)
{
	const struct posixtrace_record *r;
	u64 number, last = 0, gap_time = 0;
	bool hole = true, running = false;
	int i;

	for (i = 0; i < 300000; i++) {
		if (!draw(100))
			pxt_recorder_stop(&self->rec, &caller);
		if (!draw(20))
			pxt_recorder_start(&self->rec, &caller);
		/* Now faster than the reader, now slower. */
		if (draw(100) < (i / 1000 % 2 ? 70 : 40)) {
			send(self, USER);
			continue;
		}
		r = take(self);
		if (!r)
			continue;
		switch (r->event_id) {
		case POSIXTRACE_EV_START:
			ASSERT_FALSE(running && !hole);
			running = true;
			hole = true;
			break;
		case POSIXTRACE_EV_STOP:
			ASSERT_TRUE(running || hole);
			running = false;
			break;
		case POSIXTRACE_EV_OVERFLOW:
			ASSERT_EQ(POSIXTRACE_POLICY_LOOP, variant->policy);
			hole = true;
			break;
		case POSIXTRACE_EV_RESUME:
			ASSERT_TRUE(hole);
			gap_time = r->timestamp;
			break;
		case USER:
			memcpy(&number, r + 1, sizeof(number));
			ASSERT_LT(last, number);
			if (!hole)
				ASSERT_EQ(last + 1, number);
			running = true;
			hole = false;
			last = number;
			break;
		default:
			ASSERT_TRUE(false);
		}
		if (gap_time && r->event_id != POSIXTRACE_EV_RESUME) {
			ASSERT_EQ(gap_time, r->timestamp);
			gap_time = 0;
		}
	}
	EXPECT_LT(1000, last);
}

/* Not even START and STOP without end can use the reserve up. */
TEST_F(recorder, always_has_room_for_a_stop)
{
	struct posixtrace_event_set start = {
		.bits = { 1ULL << POSIXTRACE_EV_START }
	};
	int i;

	pxt_recorder_set_filter(&self->rec, POSIXTRACE_SET_EVENTSET, &start,
				&caller);
	for (i = 0; i < 1000; i++) {
		pxt_recorder_start(&self->rec, &caller);
		pxt_recorder_stop(&self->rec, &caller);
	}
	EXPECT_EQ(0, self->rec.lost);
}

TEST_F(recorder, is_silent_after_shutdown)
{
	pxt_recorder_start(&self->rec, &caller);
	send(self, USER);
	EXPECT_TRUE(pxt_recorder_shutdown(&self->rec));
	EXPECT_FALSE(pxt_recorder_shutdown(&self->rec));
	EXPECT_EQ(NULL, take(self));
	pxt_recorder_start(&self->rec, &caller);
	send(self, USER);
	pxt_recorder_stop(&self->rec, &caller);
	EXPECT_EQ(NULL, take(self));
	EXPECT_FALSE(pxt_recorder_readable(&self->rec));
}

static unsigned int send_one(FIXTURE_DATA(recorder) *self, size_t data_full)
{
	u64 data = ++self->next;
	struct pxt_event ev;

	pxt_event_init(&ev, USER, NULL, &data, sizeof(data));
	ev.data_full = data_full;
	return pxt_recorder_record(&self->rec, &ev);
}

TEST_F(recorder, wakes_readers_at_the_first_event_after_none)
{
	pxt_recorder_start(&self->rec, &caller);
	EXPECT_EQ(PXT_WAKE_READERS, send_one(self, sizeof(u64)));
	EXPECT_EQ(0, send_one(self, sizeof(u64)));
	EXPECT_TRUE(pxt_outlet_expect(&self->rec));
	EXPECT_EQ(0, send_one(self, sizeof(u64)));
	/* Whichever way it takes. */
	EXPECT_EQ(0, send_one(self, PXT_DATA_PARTLY));
	while (fetch(self))
		;
	EXPECT_EQ(PXT_WAKE_READERS, send_one(self, PXT_DATA_PARTLY));
	pxt_recorder_clear(&self->rec);
	EXPECT_EQ(PXT_WAKE_READERS, send_one(self, sizeof(u64)));
	while (fetch(self))
		;
	/* Who has been woken for an event that another one has read. */
	self->rec.told = true;
	EXPECT_FALSE(pxt_outlet_expect(&self->rec));
	EXPECT_EQ(PXT_WAKE_READERS, send_one(self, sizeof(u64)));
}

/* An event that two streams see: @other is the second one. */
static void send_to_both(FIXTURE_DATA(recorder) *self,
			 struct pxt_recorder *other, size_t size)
{
	u64 data[16] = {};
	struct pxt_event ev;

	pxt_event_init(&ev, USER, NULL, data, size);
	ev.data_full = size;
	pxt_recorder_record(&self->rec, &ev);
	pxt_recorder_record(other, &ev);
}

static struct posixtrace_record last_of(struct pxt_recorder *rec)
{
	struct posixtrace_record last = {};
	struct pxt_taken taken;
	u8 out[ROOM];

	do {
		pxt_outlet_take(rec, out, ROOM, true, &taken);
		if (taken.size)
			memcpy(&last, out, sizeof(last));
	} while (taken.size);
	return last;
}

/* It has one time, but where another event came between. */
TEST_F(recorder, event_has_the_same_time_in_all_streams)
{
	struct posixtrace_record mine, others;
	struct pxt_recorder other;
	u64 before;

	ASSERT_EQ(0, pxt_recorder_init(&other, variant->policy, false, SIZE,
				       MAX_DATA, 42));
	pxt_recorder_start(&self->rec, &caller);
	pxt_recorder_start(&other, &caller);
	send_to_both(self, &other, 8);
	mine = last_of(&self->rec);
	others = last_of(&other);
	EXPECT_EQ(mine.timestamp, others.timestamp);

	/* As if it had happened between the two. */
	other.last_time = host_clock + 100;
	before = host_clock;
	send_to_both(self, &other, 8);
	mine = last_of(&self->rec);
	others = last_of(&other);
	EXPECT_EQ(before + 1, mine.timestamp);
	EXPECT_EQ(before + 2, others.timestamp);
	pxt_recorder_destroy(&other);
}

/* Each stream cuts for itself. */
TEST_F(recorder, event_is_cut_for_each_stream_as_it_wants)
{
	struct posixtrace_record mine, others;
	struct pxt_recorder other;

	ASSERT_EQ(0, pxt_recorder_init(&other, variant->policy, false, SIZE, 8,
				       42));
	pxt_recorder_start(&self->rec, &caller);
	pxt_recorder_start(&other, &caller);
	send_to_both(self, &other, 16);
	mine = last_of(&self->rec);
	others = last_of(&other);
	EXPECT_EQ(16, mine.data_size);
	EXPECT_EQ(POSIXTRACE_NOT_TRUNCATED, mine.truncation);
	EXPECT_EQ(0, self->rec.truncated);
	EXPECT_EQ(8, others.data_size);
	EXPECT_EQ(POSIXTRACE_TRUNCATED_RECORD, others.truncation);
	EXPECT_EQ(1, other.truncated);
	EXPECT_EQ(mine.timestamp, others.timestamp);
	pxt_recorder_destroy(&other);
}

/* What is announced is wanted until it has been done, whatever others do. */
TEST_F(recorder, start_under_way_is_wanted_though_another_one_is_stopped)
{
	struct posixtrace_event_set wanted = {};

	pxt_recorder_announce_start(&self->rec);
	pxt_recorder_announce_start(&self->rec);
	pxt_recorder_start(&self->rec, &caller);
	pxt_recorder_stop(&self->rec, &caller);
	pxt_recorder_wanted(&self->rec, &wanted);
	EXPECT_NE(0, wanted.bits[0]);
	pxt_recorder_start(&self->rec, &caller);
	EXPECT_TRUE(pxt_recorder_runs(&self->rec));
	pxt_recorder_stop(&self->rec, &caller);
	wanted = (struct posixtrace_event_set){};
	pxt_recorder_wanted(&self->rec, &wanted);
	EXPECT_EQ(0, wanted.bits[0]);
	/* Not of one that is shut down. */
	pxt_recorder_announce_start(&self->rec);
	pxt_recorder_shutdown(&self->rec);
	pxt_recorder_wanted(&self->rec, &wanted);
	EXPECT_EQ(0, wanted.bits[0]);
}

TEST_HARNESS_MAIN
