// SPDX-License-Identifier: GPL-2.0-only
/*
 * kmod/buffer.c against a model that is too simple to be wrong: a list of
 * numbers and sizes.
 */
#include "kselftest_harness.h"
#include "fake_kernel.h"
#include "../../kmod/buffer.c"

int host_fail_alloc;
u64 host_clock;

#define RESERVE		56
#define MODEL_MAX	4096

struct model {
	u64 number[MODEL_MAX];
	u32 data_size[MODEL_MAX];
	unsigned int first, nr;
	size_t used;
	bool gap;
	u64 gap_time;
	u64 recorded, overwritten;
};

static u64 seed = 88172645463325252ULL;

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

static void model_drop(struct model *m)
{
	m->used -= room_of(m->data_size[m->first]);
	m->first = slot(m, 1);
	m->nr--;
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
	u8 data[2048], expected[2048], out[4096];
	u64 number;
};

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
	ASSERT_EQ(0, pxt_buffer_init(&self->buf, variant->size, RESERVE,
				     variant->loop));
}

FIXTURE_TEARDOWN(buffer)
{
	pxt_buffer_destroy(&self->buf);
}

static void expect_same(struct __test_metadata *_metadata,
			const FIXTURE_DATA(buffer) *self)
{
	const struct model *m = &self->model;

	ASSERT_EQ(m->used, self->buf.used);
	ASSERT_EQ(m->recorded, self->buf.recorded);
	ASSERT_EQ(m->overwritten, self->buf.overwritten);
	ASSERT_EQ(m->gap, self->buf.gap);
	if (m->gap)
		ASSERT_EQ(m->gap_time, self->buf.gap_time);
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

static void take(struct __test_metadata *_metadata, FIXTURE_DATA(buffer) *self)
{
	struct model *m = &self->model;
	struct posixtrace_record rec;
	u32 size;

	if (!m->nr) {
		ASSERT_EQ(0, pxt_buffer_take(&self->buf, self->out));
		return;
	}
	size = m->data_size[m->first];
	ASSERT_EQ(room_of(size), pxt_buffer_take(&self->buf, self->out));
	rec = describe(m->number[m->first], size);
	ASSERT_EQ(0, memcmp(&rec, self->out, sizeof(rec)));
	memset(self->expected, 0, sizeof(self->expected));
	fill(self->expected, size, m->number[m->first]);
	/* The padding is zero: it goes to user space. */
	ASSERT_EQ(0, memcmp(self->expected, self->out + sizeof(rec),
			    room_of(size) - sizeof(rec)));
	model_drop(m);
}

/* STEPS random operations: every answer and every counter is the model's. */
TEST_F(buffer, does_what_the_model_does)
{
	const char *steps = getenv("STEPS");
	long n = steps ? atol(steps) : 200000;

	while (n--) {
		u64 op = draw(1000);

		if (op < 520) {
			append(_metadata, self, variant, false);
		} else if (op < 560) {
			append(_metadata, self, variant, true);
		} else if (op < 990) {
			take(_metadata, self);
		} else if (op < 997) {
			pxt_buffer_close_gap(&self->buf);
			self->model.gap = false;
		} else {
			pxt_buffer_clear(&self->buf);
			self->model.nr = 0;
			self->model.used = 0;
			self->model.gap = false;
		}
		expect_same(_metadata, self);
	}
}

/* The promise of stream-min-size: not a byte is wasted, wherever it wraps. */
TEST_F(buffer, holds_exactly_its_size)
{
	struct posixtrace_record rec = describe(1, 0);
	size_t i, fit = variant->size / room_of(0);
	size_t start;

	for (start = 0; start < variant->size / 8; start++) {
		pxt_buffer_clear(&self->buf);
		self->buf.head = start * 8;
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
	EXPECT_EQ(1, pxt_buffer_next_time(&self->buf));
	EXPECT_EQ(0, self->buf.overwritten);
}

TEST(init_fails_without_memory)
{
	struct pxt_buffer buf;

	host_fail_alloc = 1;
	EXPECT_EQ(-ENOMEM, pxt_buffer_init(&buf, 1000, RESERVE, true));
	EXPECT_EQ(-ENOMEM, pxt_buffer_init(&buf, SIZE_MAX & ~7, RESERVE, true));
	EXPECT_EQ(-ENOMEM, pxt_buffer_init(&buf, INT_MAX, RESERVE, true));
}

TEST_HARNESS_MAIN
