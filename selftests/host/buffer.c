// SPDX-License-Identifier: GPL-2.0-only
/*
 * kmod/buffer.c against a model that is too simple to be wrong: a list of
 * numbers and sizes.
 *
 * POSIXTRACE_MODEL_STEPS is how many random operations there are, for each kind
 * of buffer; POSIXTRACE_MODEL_SEED makes them the same again.
 */
#include <time.h>

#include "kselftest_harness.h"
#include "fake_kernel.h"
#include "../../kmod/buffer.c"

int host_fail_alloc;
u64 host_clock;

#define RESERVE		56
#define MODEL_MAX	4096

/* @cursor: of the records in the list, how many were peeked at. */
struct model {
	u64 number[MODEL_MAX];
	u32 data_size[MODEL_MAX];
	unsigned int first, nr, cursor;
	size_t used;
	bool gap;
	u64 gap_time;
	u64 recorded, overwritten;
};

static u64 seed;

static u64 number_of(const char *variable, u64 otherwise)
{
	const char *value = getenv(variable);

	return value ? strtoull(value, NULL, 0) : otherwise;
}

static u64 draw(u64 below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

static unsigned int slot(const struct model *m, unsigned int i)
{
	return (m->first + i) % MODEL_MAX;
}

static size_t room_of(u32 data_size)
{
	return POSIXTRACE_RECORD_SIZE(data_size);
}

static size_t nth_room(const struct model *m, unsigned int i)
{
	return room_of(m->data_size[slot(m, i)]);
}

static void model_drop(struct model *m)
{
	m->used -= nth_room(m, 0);
	m->first = slot(m, 1);
	m->nr--;
	m->cursor -= !!m->cursor;
}

/* How many of the oldest records fit in @room? */
static unsigned int model_many(const struct model *m, size_t room, u64 until)
{
	u64 oldest = m->recorded - m->nr;
	unsigned int n;
	size_t end = 0;

	for (n = 0; n < m->nr && oldest + n < until; n++) {
		end += nth_room(m, n);
		if (end > room)
			break;
	}
	return n;
}

static enum pxt_append model_append(struct model *m, size_t size, bool loop,
				    u64 number, u32 data_size)
{
	enum pxt_append result = PXT_APPENDED;

	if (room_of(data_size) > size)
		return PXT_NO_ROOM;
	while (m->used + room_of(data_size) > size) {
		if (!loop)
			return PXT_NO_ROOM;
		if (!m->gap)
			m->gap_time = m->number[m->first];
		m->gap = true;
		m->overwritten++;
		model_drop(m);
		result = PXT_OVERWROTE;
	}
	m->number[slot(m, m->nr)] = number;
	m->data_size[slot(m, m->nr++)] = data_size;
	m->used += room_of(data_size);
	m->recorded++;
	return result;
}

/* Data that tells which event it belongs to, and where in it. */
static void fill(u8 *data, u32 size, u64 number)
{
	u32 i;

	for (i = 0; i < size; i++)
		data[i] = number * 31 + i;
}

static struct posixtrace_record describe(u64 number, u32 data_size)
{
	return (struct posixtrace_record) {
		.size = room_of(data_size),
		.data_size = data_size,
		.event_id = POSIXTRACE_EV_USER,
		.timestamp = number,
	};
}

FIXTURE(buffer)
{
	struct pxt_buffer buf;
	struct model model;
	u8 data[2048], expected[2048];
	u8 *out;	/* of its own, for ASan to watch over its end */
	u64 number;
};

#define OUT_SIZE	8192

FIXTURE_VARIANT(buffer)
{
	size_t size;
	bool loop;
};

FIXTURE_VARIANT_ADD(buffer, loop_tiny) { .size = 104, .loop = true };
FIXTURE_VARIANT_ADD(buffer, loop_odd) { .size = 1000, .loop = true };
FIXTURE_VARIANT_ADD(buffer, loop_large) { .size = 65536, .loop = true };
FIXTURE_VARIANT_ADD(buffer, until_full_tiny) { .size = 104, .loop = false };
FIXTURE_VARIANT_ADD(buffer, until_full_odd) { .size = 1000, .loop = false };
FIXTURE_VARIANT_ADD(buffer, until_full_large) { .size = 65536, .loop = false };

FIXTURE_SETUP(buffer)
{
	ASSERT_EQ(0, pxt_buffer_cache_init());
	ASSERT_EQ(0, pxt_buffer_init(&self->buf, variant->size, RESERVE,
				     variant->loop));
	self->out = malloc(OUT_SIZE);
	ASSERT_NE(NULL, self->out);
}

FIXTURE_TEARDOWN(buffer)
{
	free(self->out);
	pxt_buffer_destroy(&self->buf);
	pxt_buffer_cache_exit();
}

static void expect_same(struct __test_metadata *_metadata,
			const FIXTURE_DATA(buffer) *self,
			const FIXTURE_VARIANT(buffer) *variant)
{
	const struct model *m = &self->model;
	struct pxt_buffer copy = self->buf;

	ASSERT_EQ(variant->size, m->used + self->buf.room);
	ASSERT_EQ(m->recorded, self->buf.recorded);
	ASSERT_EQ(m->overwritten, pxt_buffer_overwritten(&self->buf));
	ASSERT_EQ(m->gap, self->buf.gap);
	if (m->gap)
		ASSERT_EQ(m->gap_time, self->buf.gap_time);
	ASSERT_EQ(m->recorded - m->nr, pxt_buffer_oldest(&self->buf));
	ASSERT_EQ(m->used > variant->size, pxt_buffer_reserve_used(&self->buf));
	ASSERT_EQ(m->used <= variant->size / 2,
		  pxt_buffer_half_free(&self->buf, 0));
	ASSERT_EQ(m->cursor < m->nr ? nth_room(m, m->cursor) : 0,
		  pxt_buffer_peek_size(&copy));
	ASSERT_EQ(m->cursor == m->nr, pxt_buffer_peeked_all(&self->buf));
	if (!m->nr) {
		ASSERT_EQ(0, pxt_buffer_next_size(&self->buf));
		return;
	}
	ASSERT_EQ(room_of(m->data_size[m->first]),
		  pxt_buffer_next_size(&self->buf));
	ASSERT_EQ(m->number[m->first], pxt_buffer_next_time(&self->buf));
}

static void append(struct __test_metadata *_metadata,
		   FIXTURE_DATA(buffer) *self,
		   const FIXTURE_VARIANT(buffer) *variant, bool reserved)
{
	u32 size = reserved ? 4 : draw(draw(8) ? 100 : sizeof(self->data));
	struct posixtrace_record rec = describe(++self->number, size);

	fill(self->data, size, self->number);
	if (reserved) {
		ASSERT_EQ(model_append(&self->model, variant->size + RESERVE,
				       false, self->number, size),
			  pxt_buffer_append_reserved(&self->buf, &rec,
						     self->data));
	} else {
		ASSERT_EQ(model_append(&self->model, variant->size,
				       variant->loop, self->number, size),
			  pxt_buffer_append(&self->buf, &rec, self->data));
	}
}

/* The @i-th record of the model is at @seen. */
static void expect_record(struct __test_metadata *_metadata,
			  FIXTURE_DATA(buffer) *self, unsigned int i,
			  const u8 *seen)
{
	const struct model *m = &self->model;
	u64 number = m->number[slot(m, i)];
	u32 size = m->data_size[slot(m, i)];
	struct posixtrace_record rec = describe(number, size);

	ASSERT_EQ(0, memcmp(&rec, seen, sizeof(rec)));
	memset(self->expected, 0, room_of(size) - sizeof(rec));
	fill(self->expected, size, number);
	/* The padding is zero: it goes to user space. */
	ASSERT_EQ(0, memcmp(self->expected, seen + sizeof(rec),
			    room_of(size) - sizeof(rec)));
}

/* Where @size bytes end with the memory. */
static u8 *last(FIXTURE_DATA(buffer) *self, size_t size)
{
	return self->out + OUT_SIZE - size;
}

static void take(struct __test_metadata *_metadata, FIXTURE_DATA(buffer) *self)
{
	struct model *m = &self->model;
	size_t size = m->nr ? nth_room(m, 0) : 0;

	ASSERT_EQ(size, pxt_buffer_take(&self->buf, last(self, size)));
	if (!size)
		return;
	expect_record(_metadata, self, 0, last(self, size));
	model_drop(m);
}

static void take_many(struct __test_metadata *_metadata,
		      FIXTURE_DATA(buffer) *self)
{
	struct model *m = &self->model;
	size_t size = 0;
	size_t room = 8 * draw(draw(2) ? 40 : OUT_SIZE / 8);
	u64 until = draw(2) ? ULLONG_MAX : m->recorded - m->nr + draw(8);
	u8 *to = last(self, room);
	unsigned int i, n = model_many(m, room, until);

	for (i = 0; i < n; i++)
		size += nth_room(m, i);
	ASSERT_EQ(size, pxt_buffer_take_many(&self->buf, to, room, until));
	for (; n; n--) {
		expect_record(_metadata, self, 0, to);
		to += nth_room(m, 0);
		model_drop(m);
	}
}

static void peek(struct __test_metadata *_metadata, FIXTURE_DATA(buffer) *self)
{
	struct model *m = &self->model;
	size_t size = m->cursor < m->nr ? nth_room(m, m->cursor) : 0;

	ASSERT_EQ(size, pxt_buffer_peek(&self->buf, last(self, size)));
	if (!size)
		return;
	expect_record(_metadata, self, m->cursor, last(self, size));
	m->cursor++;
}

static void clear(FIXTURE_DATA(buffer) *self)
{
	struct model *m = &self->model;

	pxt_buffer_clear(&self->buf);
	m->nr = 0;
	m->used = 0;
	m->cursor = 0;
	m->gap = false;
}

/* Random operations: every answer and every counter is the model's. */
TEST_F_TIMEOUT(buffer, does_what_the_model_does, 3600)
{
	u64 n = number_of("POSIXTRACE_MODEL_STEPS", 200000);
	bool filling = true;

	seed = number_of("POSIXTRACE_MODEL_SEED", time(NULL)) ?: 1;
	TH_LOG("POSIXTRACE_MODEL_SEED=%llu POSIXTRACE_MODEL_STEPS=%llu",
	       (unsigned long long)seed, (unsigned long long)n);
	while (n--) {
		u64 op = draw(1000);

		/* So that it is now full, now empty. */
		filling ^= !draw(1000);
		if (filling && op >= 700 && op < 990 && draw(4))
			op -= 200;
		if (op < 520) {
			append(_metadata, self, variant, false);
		} else if (op < 560) {
			append(_metadata, self, variant, true);
		} else if (op < 700) {
			peek(_metadata, self);
		} else if (op < 900) {
			take(_metadata, self);
		} else if (op < 990) {
			take_many(_metadata, self);
		} else if (op < 997) {
			pxt_buffer_close_gap(&self->buf);
			self->model.gap = false;
		} else {
			clear(self);
		}
		expect_same(_metadata, self, variant);
	}
}

/* The promise of stream-min-size: not a byte is wasted, wherever it wraps. */
TEST_F(buffer, holds_exactly_its_size)
{
	struct posixtrace_record rec = describe(1, 0);
	size_t i, fit = variant->size / room_of(0);
	struct pxt_place start = {};
	size_t n;

	for (n = 0; n < self->buf.nr_chunks * PXT_CHUNK / 8; n++) {
		pxt_buffer_clear(&self->buf);
		self->buf.head = start;
		self->buf.tail = start;
		pxt_buffer_advance(&self->buf, &start, 8);
		for (i = 0; i < fit; i++)
			ASSERT_EQ(PXT_APPENDED,
				  pxt_buffer_append(&self->buf, &rec, NULL));
		ASSERT_EQ(variant->loop ? PXT_OVERWROTE : PXT_NO_ROOM,
			  pxt_buffer_append(&self->buf, &rec, NULL));
	}
}

/* An event larger than everything takes no other's place. */
TEST_F(buffer, refuses_what_can_never_fit)
{
	struct posixtrace_record rec = describe(1, 0);

	ASSERT_EQ(PXT_APPENDED, pxt_buffer_append(&self->buf, &rec, NULL));
	rec = describe(2, variant->size);
	EXPECT_EQ(PXT_NO_ROOM, pxt_buffer_append(&self->buf, &rec, NULL));
	EXPECT_FALSE(pxt_buffer_append_quickly(&self->buf, &rec, NULL));
	EXPECT_EQ(1, pxt_buffer_next_time(&self->buf));
	EXPECT_EQ(0, pxt_buffer_overwritten(&self->buf));
}

/* The quick way does what the other does, or nothing. */
TEST_F(buffer, quick_way_leaves_the_first_overwriting_to_the_other)
{
	struct posixtrace_record rec = describe(1, 0);
	size_t fit = variant->size / room_of(0), i;

	for (i = 0; i < fit; i++)
		ASSERT_TRUE(pxt_buffer_append_quickly(&self->buf, &rec, NULL));
	EXPECT_FALSE(pxt_buffer_append_quickly(&self->buf, &rec, NULL));
	EXPECT_FALSE(self->buf.gap);
	EXPECT_EQ(fit, self->buf.recorded);
	EXPECT_EQ(variant->loop ? PXT_OVERWROTE : PXT_NO_ROOM,
		  pxt_buffer_append(&self->buf, &rec, NULL));
	EXPECT_EQ(variant->loop,
		  pxt_buffer_append_quickly(&self->buf, &rec, NULL));
	EXPECT_EQ(variant->loop ? 2 : 0, pxt_buffer_overwritten(&self->buf));
	rec = describe(2, variant->size);
	EXPECT_FALSE(pxt_buffer_append_quickly(&self->buf, &rec, NULL));
	EXPECT_EQ(fit, self->buf.recorded - pxt_buffer_oldest(&self->buf));
}

/* Whichever allocation fails: there is no buffer then, and nothing is left. */
TEST(init_fails_without_memory)
{
	struct pxt_buffer buf;
	int nth, err = -ENOMEM;

	ASSERT_EQ(0, pxt_buffer_cache_init());
	for (nth = 1; err; nth++) {
		host_fail_alloc = nth;
		err = pxt_buffer_init(&buf, 2 * PXT_CHUNK, RESERVE, true);
		if (err)
			ASSERT_EQ(-ENOMEM, err);
	}
	/* The table and three chunks. */
	EXPECT_EQ(6, nth);
	host_fail_alloc = 0;
	pxt_buffer_destroy(&buf);
	EXPECT_EQ(-ENOMEM, pxt_buffer_init(&buf, SIZE_MAX & ~7, RESERVE, true));
	EXPECT_EQ(-ENOMEM, pxt_buffer_init(&buf, INT_MAX, RESERVE, true));
	pxt_buffer_cache_exit();
	host_fail_alloc = 1;
	EXPECT_EQ(-ENOMEM, pxt_buffer_cache_init());
}

TEST_HARNESS_MAIN
