// SPDX-License-Identifier: GPL-2.0-only
/*
 * kmod/recorder.c of a stream with a log: a flusher takes the events out, in
 * pieces and whenever it likes, readers only look at them.
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
#define ROOM		(2 * PAGE_SIZE)
#define BIT_OF(id)	(1ULL << (id))

static const struct pxt_origin caller = { .address = 0x1000, .thread = 7 };

static u64 seed = 88172645463325252ULL;

static u64 draw(u64 below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

FIXTURE(recorder_log)
{
	struct pxt_recorder rec;
	struct pxt_flush flush;
	bool flushing;
	bool asked;		/* for a flush that has not begun */
	u8 log[ROOM] __attribute__((aligned(8)));	/* a flush took that */
	size_t log_size;
	u64 next;		/* number of the last user event */
	u64 sent;
	u64 out;		/* stored events that left by a flush */
	u64 cleared;
	u64 log_lost;
	u64 seen;		/* number of the last event that a reader saw */
	u64 events_seen;
};

FIXTURE_VARIANT(recorder_log)
{
	u32 policy;
};

FIXTURE_VARIANT_ADD(recorder_log, loop) { POSIXTRACE_POLICY_LOOP };
FIXTURE_VARIANT_ADD(recorder_log, until_full) { POSIXTRACE_POLICY_UNTIL_FULL };
FIXTURE_VARIANT_ADD(recorder_log, flush) { POSIXTRACE_POLICY_FLUSH };

FIXTURE_SETUP(recorder_log)
{
	ASSERT_EQ(0, pxt_buffer_cache_init());
	ASSERT_EQ(0, pxt_recorder_init(&self->rec, variant->policy, true, SIZE,
				       MAX_DATA, 42));
}

FIXTURE_TEARDOWN(recorder_log)
{
	pxt_recorder_destroy(&self->rec);
	pxt_buffer_cache_exit();
}

static void note(FIXTURE_DATA(recorder_log) *self, unsigned int todo)
{
	self->asked |= !!(todo & PXT_START_FLUSH);
}

/* A user event, with the next number if it is one that counts. */
static void send(FIXTURE_DATA(recorder_log) *self, size_t size)
{
	u64 data[MAX_DATA / 8] = {};
	struct pxt_event ev;

	pxt_event_init(&ev, USER, NULL, data, size);
	ev.data_full = size;
	if (!pxt_event_set_has(&self->rec.filter, USER) &&
	    (self->rec.running || self->rec.armed)) {
		self->sent++;
		data[0] = ++self->next;
	}
	note(self, pxt_recorder_record(&self->rec, &ev));
}

static size_t some_size(void)
{
	return sizeof(u64) + draw(MAX_DATA - sizeof(u64) + 1);
}

static void begin_flush(FIXTURE_DATA(recorder_log) *self)
{
	self->asked = false;
	pxt_outlet_flush_begin(&self->rec, &self->flush);
	self->flushing = true;
}

/* Was it stored, not made up in front of a record? */
static bool is_stored(const struct pxt_recorder *rec,
		      const struct posixtrace_record *r)
{
	return rec->policy != POSIXTRACE_POLICY_LOOP ||
	       (r->event_id != POSIXTRACE_EV_OVERFLOW &&
		r->event_id != POSIXTRACE_EV_RESUME);
}

static u64 stored_events(const struct pxt_recorder *rec, const void *from,
			 size_t size)
{
	const struct posixtrace_record *r;
	u64 nr = 0;

	for (; size; size -= r->size, from += r->size) {
		r = from;
		nr += is_stored(rec, r);
	}
	return nr;
}

/* Take some events out, in self->log; false: these were all. */
static bool go_on_flushing(FIXTURE_DATA(recorder_log) *self)
{
	size_t least = POSIXTRACE_SYSTEM_EVENT_SIZE_MAX;

	self->log_size = pxt_outlet_flush_take(&self->rec, &self->flush,
					       self->log,
					       least + draw(ROOM - least));
	self->out += stored_events(&self->rec, self->log, self->log_size);
	return self->log_size;
}

static void end_flush(FIXTURE_DATA(recorder_log) *self)
{
	if (!draw(4))
		self->flush.error = ENOSPC;
	if (self->flush.error || !draw(10))
		self->flush.lost = draw(5);
	self->log_lost += self->flush.lost;
	pxt_outlet_flush_end(&self->rec, &self->flush);
	self->flushing = false;
}

static u64 events_in(const struct pxt_recorder *rec)
{
	struct pxt_buffer copy = rec->buffer;
	static u8 out[ROOM];
	u64 nr = 0;

	while (pxt_buffer_take(&copy, out))
		nr++;
	return nr;
}

/* One at a time, by somebody who works under the lock of the log. */
static void step_of_flusher(FIXTURE_DATA(recorder_log) *self)
{
	u8 stop[POSIXTRACE_RECORD_SIZE(sizeof(int))];

	if (!self->flushing) {
		if (draw(20)) {
			begin_flush(self);
		} else {
			self->cleared += events_in(&self->rec);
			pxt_recorder_clear(&self->rec);
		}
	} else if (!go_on_flushing(self)) {
		end_flush(self);
	} else if (!draw(200)) {
		pxt_outlet_log_is_full(&self->rec, stop);
	}
}

static void random_filter(FIXTURE_DATA(recorder_log) *self)
{
	struct posixtrace_event_set set = {};
	int i;

	for (i = 0; i < 3; i++)
		set.bits[0] |= BIT_OF(1 + draw(POSIXTRACE_EV_FLUSH_STOP));
	note(self, pxt_recorder_set_filter(&self->rec, 1 + draw(3), &set,
					   &caller));
}

static void step(FIXTURE_DATA(recorder_log) *self)
{
	u64 op = draw(1000);

	if (op < 600)
		send(self, some_size());
	else if (op < 900)
		step_of_flusher(self);
	else if (op < 930)
		pxt_recorder_start(&self->rec, &caller);
	else if (op < 950)
		pxt_recorder_stop(&self->rec, &caller);
	else
		random_filter(self);
}

/* The reserve suffices, or WARN_ON_ONCE() would end this; all is counted. */
TEST_F(recorder_log, keeps_its_books_in_every_state)
{
	const char *steps = getenv("STEPS");
	long n = steps ? atol(steps) : 300000;
	struct posixtrace_status status;

	while (n--) {
		step(self);
		status = (struct posixtrace_status) {
			.flags = POSIXTRACE_STATUS_PEEK
		};
		pxt_recorder_get_status(&self->rec, &status);
		if (variant->policy != POSIXTRACE_POLICY_LOOP)
			ASSERT_FALSE(status.running && status.full);
		ASSERT_EQ(self->flushing, status.flushing);
		ASSERT_EQ(self->log_lost, status.log_lost);
		ASSERT_EQ(status.recorded, self->out + status.overwritten +
			  self->cleared + events_in(&self->rec));
	}
}

/* With nothing but what uses the reserve, as fast as can be. */
TEST_F(recorder_log, reserve_suffices_for_flushes_of_a_full_stream)
{
	int i, j, ops[3] = { 1, 1, 1 };

	for (i = 0; i < 200000; i++) {
		/* Each of the three prevails for a while. */
		if (!(i % 1000))
			for (j = 0; j < 3; j++)
				ops[j] = 1 + draw(20);
		j = draw(ops[0] + ops[1] + ops[2]);
		if (j < ops[0])
			send(self, MAX_DATA);
		else if (j < ops[0] + ops[1])
			draw(2) ? pxt_recorder_start(&self->rec, &caller) :
				  pxt_recorder_stop(&self->rec, &caller);
		else if (!self->flushing)
			begin_flush(self);
		else if (!go_on_flushing(self))
			end_flush(self);
	}
	EXPECT_NE(0, self->out);
}

static u64 number_of(const struct posixtrace_record *r)
{
	u64 number;

	memcpy(&number, r + 1, sizeof(number));
	return number;
}

/* What was in the log since the last user event, as a word of letters. */
struct story {
	u64 last;		/* user event */
	u64 time;
	char between[64];
};

static void tell(struct story *story, char letter)
{
	size_t len = strlen(story->between);

	if (len < sizeof(story->between) - 1)
		story->between[len] = letter;
}

/* Are the letters of @wanted in @word, in that order? */
static bool in_order(const char *word, const char *wanted)
{
	for (; *word; word++)
		if (*word == *wanted)
			wanted++;
	return !*wanted;
}

/* How a hole is told. */
static const char *telling(u32 policy)
{
	switch (policy) {
	case POSIXTRACE_POLICY_LOOP:
		return "OR";
	case POSIXTRACE_POLICY_UNTIL_FULL:
		return "TS";
	default:
		return "TORS";
	}
}

static bool consistent(struct story *story, u32 policy,
		       const struct posixtrace_record *r)
{
	static const char letters[] = {
		[POSIXTRACE_EV_START] = 'S',
		[POSIXTRACE_EV_STOP] = 'T',
		[POSIXTRACE_EV_OVERFLOW] = 'O',
		[POSIXTRACE_EV_RESUME] = 'R',
		[POSIXTRACE_EV_FLUSH_START] = 'f',
		[POSIXTRACE_EV_FLUSH_STOP] = 'g',
	};
	u64 number;

	if (r->timestamp < story->time)
		return false;
	story->time = r->timestamp;
	if (r->event_id != USER) {
		tell(story, letters[r->event_id]);
		return true;
	}
	number = number_of(r);
	if (number <= story->last)
		return false;
	if (number != story->last + 1 &&
	    !in_order(story->between, telling(policy)))
		return false;
	/* Of a LOOP stream START and STOP may have been overwritten. */
	if (number == story->last + 1 && policy == POSIXTRACE_POLICY_FLUSH &&
	    strchr(story->between, 'O'))
		return false;
	*story = (struct story) { .last = number, .time = r->timestamp };
	return true;
}

/*
 * In the log numbers only grow, time too; a hole is told by the right events in
 * the right order, and nothing but a hole by OVERFLOW.
 */
TEST_F(recorder_log, log_tells_a_consistent_story)
{
	const struct posixtrace_record *r;
	struct story story = {};
	size_t at;
	int i;

	for (i = 0; i < 500000; i++) {
		if (!draw(200))
			pxt_recorder_stop(&self->rec, &caller);
		if (!draw(40))
			pxt_recorder_start(&self->rec, &caller);
		/* Now faster than the flusher, now slower. */
		if (draw(100) < (i / 1000 % 2 ? 95 : 40)) {
			send(self, some_size());
			continue;
		}
		if (!self->flushing) {
			begin_flush(self);
			continue;
		}
		if (!go_on_flushing(self)) {
			pxt_outlet_flush_end(&self->rec, &self->flush);
			self->flushing = false;
		}
		for (at = 0; at < self->log_size; at += r->size) {
			r = (void *)(self->log + at);
			ASSERT_TRUE(consistent(&story, variant->policy, r))
				TH_LOG("event %u number %llu after %llu, between: %s",
				       r->event_id,
				       r->event_id == USER ? number_of(r) : 0,
				       story.last, story.between);
		}
	}
	EXPECT_LT(1000, story.last);
	EXPECT_LT(story.last, self->next + 1);
}

static void flush_all(FIXTURE_DATA(recorder_log) *self)
{
	begin_flush(self);
	while (go_on_flushing(self))
		;
	pxt_outlet_flush_end(&self->rec, &self->flush);
	self->flushing = false;
}

/*
 * A reader sees each event once, in order, and misses only those that left the
 * stream before; it does not take any away.
 */
TEST_F(recorder_log, readers_look_without_taking)
{
	u64 before, number, missed = 0;
	struct pxt_taken taken;
	u8 out[ROOM] __attribute__((aligned(8)));
	int i;

	pxt_recorder_start(&self->rec, &caller);
	for (i = 0; i < 200000; i++) {
		if (draw(10) < 4)
			send(self, some_size());
		if (!draw(100))
			flush_all(self);
		before = events_in(&self->rec);
		taken.size = 0;
		if (draw(2))
			pxt_outlet_take(&self->rec, out, ROOM, draw(2),
					&taken);
		if (taken.size) {
			ASSERT_EQ(1, taken.nr);
			self->events_seen++;
			if (((struct posixtrace_record *)out)->event_id != USER)
				continue;
			number = number_of((void *)out);
			ASSERT_LT(self->seen, number);
			missed += number - self->seen - 1;
			self->seen = number;
		}
		ASSERT_EQ(before, events_in(&self->rec));
		ASSERT_EQ(!pxt_recorder_readable(&self->rec),
			  !pxt_buffer_peek_size(&self->rec.buffer));
	}
	EXPECT_LT(1000, self->seen);
	EXPECT_LT(missed, self->seen);
	EXPECT_LT(self->events_seen, self->rec.buffer.recorded + 1);
}

/* An event that does not fit the reader's room stays for it. */
TEST_F(recorder_log, event_too_large_for_the_reader_stays)
{
	u8 out[ROOM] __attribute__((aligned(8)));
	struct pxt_taken taken;
	size_t size = POSIXTRACE_RECORD_SIZE(sizeof(struct posixtrace_event_set));

	pxt_recorder_start(&self->rec, &caller);
	pxt_outlet_take(&self->rec, out, 8, false, &taken);
	EXPECT_EQ(0, taken.size);
	EXPECT_EQ(size, taken.needed);
	pxt_outlet_take(&self->rec, out, size, false, &taken);
	EXPECT_EQ(size, taken.size);
	pxt_outlet_take(&self->rec, out, ROOM, false, &taken);
	EXPECT_EQ(0, taken.size);
	EXPECT_EQ(0, taken.needed);
}

/*
 * Whatever made the stream full or half full, somebody was asked to flush it:
 * nobody else will free its room.
 */
TEST_F(recorder_log, full_stream_is_always_about_to_be_flushed)
{
	struct posixtrace_event_set none = {};
	long i;

	/* The others are flushed when somebody says so. */
	if (variant->policy != POSIXTRACE_POLICY_FLUSH)
		return;
	for (i = 0; i < 100000; i++) {
		switch (draw(4)) {
		case 0:
			note(self, pxt_recorder_start(&self->rec, &caller));
			break;
		case 1:
			if (!draw(3))
				pxt_recorder_stop(&self->rec, &caller);
			break;
		case 2:
			note(self,
			     pxt_recorder_set_filter(&self->rec,
						     POSIXTRACE_SET_EVENTSET,
						     &none, &caller));
			break;
		default:
			send(self, some_size());
		}
		if (self->rec.armed)
			ASSERT_TRUE(self->asked);
		if (self->asked && !draw(10))
			flush_all(self);
	}
	EXPECT_NE(0, self->out);
}

static bool is_in_log(const FIXTURE_DATA(recorder_log) *self, u32 id)
{
	const struct posixtrace_record *r;
	size_t at;

	for (at = 0; at < self->log_size; at += r->size) {
		r = (void *)(self->log + at);
		if (r->event_id == id)
			return true;
	}
	return false;
}

/* Time does not go back, whatever was stored and whatever was filtered. */
TEST_F(recorder_log, last_time_is_that_of_the_newest_event)
{
	struct posixtrace_record *r;
	struct pxt_taken taken;
	u8 out[ROOM];
	u64 time = 0;
	int i;

	pxt_recorder_start(&self->rec, &caller);
	for (i = 0; i < 100000; i++) {
		if (draw(10) < 5)
			send(self, some_size());
		if (!draw(100))
			flush_all(self);
		pxt_outlet_take(&self->rec, out, ROOM, false, &taken);
		if (!taken.size)
			continue;
		r = (void *)out;
		ASSERT_LE(time, r->timestamp);
		time = r->timestamp;
		ASSERT_LE(time, self->rec.last_time);
	}
	EXPECT_NE(0, time);
}

/* What could not be read is lost, but the stream has not run full. */
TEST_F(recorder_log, unreadable_event_is_no_gap)
{
	struct pxt_event ev;

	pxt_event_init(&ev, USER, NULL, NULL, 8);
	ev.data_full = PXT_DATA_UNREADABLE;
	pxt_recorder_start(&self->rec, &caller);
	pxt_recorder_record(&self->rec, &ev);
	EXPECT_EQ(1, self->rec.lost);
	pxt_recorder_stop(&self->rec, &caller);
	pxt_recorder_start(&self->rec, &caller);
	begin_flush(self);
	EXPECT_TRUE(go_on_flushing(self));
	EXPECT_TRUE(is_in_log(self, POSIXTRACE_EV_STOP));
	EXPECT_FALSE(is_in_log(self, POSIXTRACE_EV_OVERFLOW));
	EXPECT_FALSE(is_in_log(self, POSIXTRACE_EV_RESUME));
}

static int data_of_stop(const struct posixtrace_record *r)
{
	int data;

	memcpy(&data, r + 1, sizeof(data));
	return r->event_id == POSIXTRACE_EV_STOP ? data : -1;
}

/* The last flush after shutdown finds all events, and STOP 0 as the last. */
TEST_F(recorder_log, last_flush_finds_everything)
{
	const struct posixtrace_record *r = NULL;
	u64 users = 0;
	size_t at;

	pxt_recorder_start(&self->rec, &caller);
	for (at = 0; at < 5; at++)
		send(self, MAX_DATA);
	EXPECT_TRUE(pxt_recorder_shutdown(&self->rec));
	EXPECT_FALSE(pxt_recorder_shutdown(&self->rec));
	pxt_recorder_start(&self->rec, &caller);
	send(self, MAX_DATA);
	begin_flush(self);
	while (go_on_flushing(self))
		for (at = 0; at < self->log_size; at += r->size) {
			r = (void *)(self->log + at);
			users += r->event_id == USER;
		}
	pxt_outlet_flush_end(&self->rec, &self->flush);
	EXPECT_EQ(5, users);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(0, data_of_stop(r));
	EXPECT_EQ(0, events_in(&self->rec));
	EXPECT_FALSE(pxt_recorder_readable(&self->rec));
}

/* The STOP that ends a full log, once, and not if it is filtered. */
TEST_F(recorder_log, full_log_suspends)
{
	struct posixtrace_event_set stop = {
		.bits = { BIT_OF(POSIXTRACE_EV_STOP) }
	};
	struct {
		struct posixtrace_record r;
		int data;
		int pad;
	} out;
	struct posixtrace_status status = {};

	pxt_recorder_start(&self->rec, &caller);
	begin_flush(self);
	EXPECT_EQ(sizeof(out), pxt_outlet_log_is_full(&self->rec, &out));
	EXPECT_EQ(1, data_of_stop(&out.r));
	self->flush.log_full = true;
	pxt_outlet_flush_end(&self->rec, &self->flush);
	pxt_recorder_get_status(&self->rec, &status);
	EXPECT_EQ(0, status.running);
	EXPECT_EQ(1, status.log_full);
	/* A suspended stream gets no FLUSH_STOP: START, FLUSH_START. */
	EXPECT_EQ(2, status.recorded);
	pxt_recorder_set_filter(&self->rec, POSIXTRACE_SET_EVENTSET, &stop,
				&caller);
	EXPECT_EQ(0, pxt_outlet_log_is_full(&self->rec, &out));
}

TEST_HARNESS_MAIN
