// SPDX-License-Identifier: GPL-2.0-only
/*
 * Damaged logs: whatever happens to the file, the reader refuses it or reads
 * what is whole, says that something is missing, and never reports an event
 * that was not written.
 */
#include "log_test.h"

#include "kselftest_harness.h"

#define BLOCKS	5
#define EVENTS	(1 + 2 + 3 + 4 + 5)

FIXTURE(damage) {
	struct log_writer *w;
	struct posix_trace_log_info_np info;
	int fd;
};

FIXTURE_VARIANT(damage) {
	__u32 policy;
	bool finished;
};

FIXTURE_VARIANT_ADD(damage, append) {
	.policy = POSIXTRACE_POLICY_APPEND,
	.finished = true,
};

FIXTURE_VARIANT_ADD(damage, unfinished) {
	.policy = POSIXTRACE_POLICY_APPEND,
};

FIXTURE_VARIANT_ADD(damage, loop) {
	.policy = POSIXTRACE_POLICY_LOOP,
	.finished = true,
};

/* LOOP: the log has looped, and its first block is in the middle. */
FIXTURE_SETUP(damage)
{
	const struct posixtrace_status status = { .recorded = EVENTS };
	int i;

	self->w = log_begin(variant->policy, 1200);
	log_add_users(self->w);
	if (variant->policy == POSIXTRACE_POLICY_LOOP)
		for (i = 0; i < 20; i++)
			log_add(self->w, 3);
	for (i = 1; i <= BLOCKS; i++)
		log_add(self->w, i);
	if (variant->finished)
		log_finish(self->w, &status);
	self->fd = log_writer_file(self->w);
}

FIXTURE_TEARDOWN(damage)
{
	free(self->w);
	close(self->fd);
}

#define read_log() log_read_file(self->fd, self->w->next, &self->info)

static __u64 whole_events(const struct log_writer *w)
{
	return w->next - w->places[log_oldest(w)].first;
}

/* The events block that has the byte at @offset; -1: none of the log has. */
static __s64 block_at(const struct log_writer *w, __u64 offset)
{
	__u64 i;

	for (i = log_oldest(w); i < w->blocks; i++) {
		const struct log_place *place = &w->places[i];

		if (place->offset && offset >= place->offset &&
		    offset - place->offset < place->size)
			return i;
	}
	return -1;
}

static bool is_in_block(const struct log_writer *w, __u64 offset)
{
	if (offset < POSIXTRACE_LOG_END_AT)
		return offset < sizeof(struct posixtrace_log_block) +
				sizeof(struct posixtrace_log_head);
	if (offset < POSIXTRACE_LOG_NAMES_AT)
		return offset < POSIXTRACE_LOG_END_AT +
				sizeof(struct posixtrace_log_block) +
				sizeof(struct posixtrace_log_end);
	if (offset < POSIXTRACE_LOG_EVENTS_AT)
		return offset < w->names_at;
	return true;
}

/*
 * Whether something tells that events were lost. It may not if the header of a
 * block is gone without a trace, at the end of a log that has no end, or as
 * the oldest of a ring: then the others are read, without a gap.
 */
static bool is_told(const struct log_sum *sum,
		    const struct posix_trace_log_info_np *info,
		    const struct log_writer *w)
{
	bool ring = w->head.attr.log_policy == POSIXTRACE_POLICY_LOOP;

	if (info->posix_damaged || info->posix_missing)
		return true;
	if (!info->posix_finished && (!sum->events || !ring))
		return !sum->gaps && !sum->first;
	return !sum->gaps && ring && sum->last == w->next - 1;
}

/* Every byte of a block, some of those between them. */
#define for_each_offset(offset, w) \
	for (offset = 0; offset < (w)->size; \
	     offset += is_in_block(w, offset) ? 1 : 4093)

TEST_F(damage, reads_the_whole_log)
{
	struct log_sum sum = read_log();

	ASSERT_EQ(0, sum.err);
	EXPECT_EQ(whole_events(self->w), sum.events);
	EXPECT_EQ(self->w->next - 1, sum.last);
	EXPECT_EQ(0, sum.gaps);
	EXPECT_EQ(0, sum.wrong);
	EXPECT_EQ(0, self->info.posix_damaged);
	EXPECT_EQ(0, self->info.posix_missing);
	EXPECT_EQ(variant->finished, self->info.posix_finished);
}

static void flip(int fd, const struct log_writer *w, __u64 offset,
		 unsigned char mask)
{
	unsigned char byte = w->bytes[offset] ^ mask;

	if (pwrite(fd, &byte, 1, offset) != 1)
		abort();
}

/*
 * One byte: the head is refused; else nothing is lost but the block that it is
 * in, which of a ring may separate the older ones.
 */
TEST_F_TIMEOUT(damage, survives_each_flipped_byte, 300)
{
	static const unsigned char masks[] = { 0x01, 0x80, 0xff };
	__u64 offset, all = whole_events(self->w);
	unsigned int i = 0;

	for_each_offset(offset, self->w) {
		__s64 block = block_at(self->w, offset);
		struct log_sum sum;

		flip(self->fd, self->w, offset, masks[i++ % 3]);
		sum = read_log();
		flip(self->fd, self->w, offset, 0);

		EXPECT_EQ(0, sum.wrong) TH_LOG("offset %llu", offset);
		if (offset < POSIXTRACE_LOG_END_AT && is_in_block(self->w, offset)) {
			EXPECT_EQ(EINVAL, sum.err) TH_LOG("offset %llu", offset);
			continue;
		}
		EXPECT_EQ(0, sum.err) TH_LOG("offset %llu", offset);
		if (sum.events == all)
			continue;
		EXPECT_LE(0, block) TH_LOG("offset %llu", offset);
		EXPECT_TRUE(is_told(&sum, &self->info, self->w))
			TH_LOG("offset %llu", offset);
		EXPECT_GE(1, self->info.posix_damaged + self->info.posix_missing)
			TH_LOG("offset %llu", offset);
		if (variant->policy != POSIXTRACE_POLICY_LOOP && block >= 0)
			EXPECT_EQ(all - self->w->places[block].events,
				  sum.events) TH_LOG("offset %llu", offset);
	}
}

/* The names of an unknown number of types are told to be missing, too. */
TEST_F(damage, tells_of_lost_names)
{
	struct log_writer *w = self->w;
	__u64 offset;

	for (offset = POSIXTRACE_LOG_NAMES_AT; offset < w->names_at; offset++) {
		const size_t in_block = (offset - POSIXTRACE_LOG_NAMES_AT) %
					((w->names_at - POSIXTRACE_LOG_NAMES_AT) /
					 w->names);
		struct log_sum sum;

		/* Nothing is known of a last block without magic number. */
		if (in_block < 4)
			continue;
		flip(self->fd, w, offset, 0x10);
		sum = read_log();
		flip(self->fd, w, offset, 0);
		EXPECT_EQ(0, sum.err);
		EXPECT_EQ(whole_events(w), sum.events);
		EXPECT_EQ(1, self->info.posix_damaged + self->info.posix_missing)
			TH_LOG("offset %llu", offset);
	}
}

/* What a flipped byte may do at most: not even of a ring much is lost. */
TEST_F_TIMEOUT(damage, loses_little, 300)
{
	__u64 offset, all = whole_events(self->w), lost = 0, worst = 0;

	for (offset = POSIXTRACE_LOG_EVENTS_AT; offset < self->w->size;
	     offset++) {
		struct log_sum sum;

		flip(self->fd, self->w, offset, 0xff);
		sum = read_log();
		flip(self->fd, self->w, offset, 0);
		lost += all - sum.events;
		if (all - sum.events > worst)
			worst = all - sum.events;
	}
	EXPECT_GE(5 * (self->w->size - POSIXTRACE_LOG_EVENTS_AT), lost);
	EXPECT_GT(all, worst);
}

TEST_F_TIMEOUT(damage, survives_each_length, 300)
{
	__u64 size, all = whole_events(self->w);

	for (size = self->w->size; size--;) {
		struct log_sum sum;

		if (!is_in_block(self->w, size) && size % 4093)
			continue;
		if (ftruncate(self->fd, size))
			abort();
		sum = read_log();
		EXPECT_EQ(0, sum.wrong) TH_LOG("size %llu", size);
		if (size < sizeof(struct posixtrace_log_block) +
			   sizeof(struct posixtrace_log_head)) {
			EXPECT_EQ(EINVAL, sum.err) TH_LOG("size %llu", size);
			continue;
		}
		EXPECT_EQ(0, sum.err) TH_LOG("size %llu", size);
		EXPECT_GE(all, sum.events) TH_LOG("size %llu", size);
		if (!sum.err && sum.events < all)
			EXPECT_TRUE(is_told(&sum, &self->info, self->w))
				TH_LOG("size %llu", size);
		/* A file that is cut short has its older blocks whole. */
		if (variant->policy != POSIXTRACE_POLICY_LOOP && sum.events)
			EXPECT_EQ(0, sum.first) TH_LOG("size %llu", size);
	}
}

static void put(int fd, const struct log_writer *w, __u64 to, __u64 from,
		size_t size)
{
	if (pwrite(fd, w->bytes + from, size, to) != (ssize_t)size)
		abort();
}

/* Blocks say where they belong: exchanged or copied ones are not read. */
TEST_F(damage, does_not_read_blocks_at_other_places)
{
	const struct log_writer *w = self->w;
	__u64 a, b, first = log_oldest(w);
	struct log_sum sum;

	for (a = first; a < w->blocks; a++) {
		for (b = first; b < w->blocks; b++) {
			const struct log_place *p = &w->places[a];
			const struct log_place *q = &w->places[b];

			if (a == b)
				continue;
			put(self->fd, w, p->offset, q->offset, q->size);
			put(self->fd, w, w->size, q->offset, q->size);
			sum = read_log();
			EXPECT_EQ(0, sum.err);
			EXPECT_EQ(0, sum.wrong) TH_LOG("%llu %llu", a, b);
			EXPECT_GT(whole_events(w), sum.events);
			put(self->fd, w, q->offset, p->offset, p->size);
			sum = read_log();
			EXPECT_EQ(0, sum.err);
			EXPECT_EQ(0, sum.wrong) TH_LOG("%llu %llu", a, b);
			if (ftruncate(self->fd, 0))
				abort();
			put(self->fd, w, 0, 0, w->size);
		}
	}
}

/* Copies behind the end and over the gap between the areas change nothing. */
TEST_F(damage, does_not_count_blocks_twice)
{
	const struct log_writer *w = self->w;
	struct log_sum sum;

	put(self->fd, w, w->size, POSIXTRACE_LOG_EVENTS_AT,
	    w->size - POSIXTRACE_LOG_EVENTS_AT);
	put(self->fd, w, POSIXTRACE_LOG_EVENTS_AT - 4096,
	    POSIXTRACE_LOG_EVENTS_AT, 4096);
	sum = read_log();
	EXPECT_EQ(0, sum.err);
	EXPECT_EQ(whole_events(w), sum.events);
	EXPECT_EQ(0, sum.gaps + sum.wrong);
}

TEST_F_TIMEOUT(damage, survives_zeroed_ranges, 300)
{
	static const unsigned char zeros[4096];
	static const size_t sizes[] = { 8, 100, 4096 };
	const struct log_writer *w = self->w;
	__u64 offset, all = whole_events(w);
	size_t i, n;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		for_each_offset(offset, w) {
			struct log_sum sum;

			n = sizes[i];
			if (n > w->size - offset)
				n = w->size - offset;
			if (offset % (n > 64 ? 64 : 8))
				continue;
			if (pwrite(self->fd, zeros, n, offset) != (ssize_t)n)
				abort();
			sum = read_log();
			put(self->fd, w, offset, offset, n);
			EXPECT_EQ(0, sum.wrong) TH_LOG("%llu + %zu", offset, n);
			if (sum.err) {
				EXPECT_EQ(EINVAL, sum.err);
				EXPECT_GT(POSIXTRACE_LOG_END_AT, offset);
			} else if (sum.events < all) {
				EXPECT_TRUE(is_told(&sum, &self->info, w))
					TH_LOG("%llu + %zu", offset, n);
			}
		}
	}
}

/* Any bytes anywhere. */
TEST_F_TIMEOUT(damage, survives_noise, 300)
{
	const struct log_writer *w = self->w;
	unsigned char noise[64];
	unsigned int i, k;

	srand(1);
	for (i = 0; i < 1000; i++) {
		__u64 offset = rand() % (w->size - sizeof(noise));
		size_t n = 1 + rand() % sizeof(noise);
		struct log_sum sum;

		if (i % 2)
			offset = POSIXTRACE_LOG_EVENTS_AT +
				 offset % (w->size - POSIXTRACE_LOG_EVENTS_AT -
					   sizeof(noise));
		for (k = 0; k < n; k++)
			noise[k] = rand();
		if (pwrite(self->fd, noise, n, offset) != (ssize_t)n)
			abort();
		sum = read_log();
		put(self->fd, w, offset, offset, n);
		EXPECT_EQ(0, sum.wrong) TH_LOG("%llu + %zu", offset, n);
	}
}

/* The file changes between opening and reading. */
TEST_F(damage, survives_a_file_cut_short_while_open)
{
	struct log_sum sum;
	trace_id_t trid;

	ASSERT_EQ(0, posix_trace_open(self->fd, &trid));
	ASSERT_EQ(0, ftruncate(self->fd, POSIXTRACE_LOG_EVENTS_AT + 100));
	sum = log_read(trid, self->w->next);
	EXPECT_EQ(0, sum.err);
	EXPECT_EQ(0, sum.wrong);
	EXPECT_GT(whole_events(self->w), sum.events);
	ASSERT_EQ(0, posix_trace_get_log_info_np(trid, &self->info));
	EXPECT_LE(BLOCKS - 1, self->info.posix_damaged);
	EXPECT_EQ(0, posix_trace_close(trid));
}

/* Damage is counted once, however often it is met. */
TEST_F(damage, counts_damage_once)
{
	const struct log_place *place = &self->w->places[self->w->blocks - 1];
	trace_id_t trid;

	flip(self->fd, self->w, place->offset + 60, 0xff);
	ASSERT_EQ(0, posix_trace_open(self->fd, &trid));
	log_read(trid, self->w->next);
	ASSERT_EQ(0, posix_trace_rewind(trid));
	log_read(trid, self->w->next);
	ASSERT_EQ(0, posix_trace_get_log_info_np(trid, &self->info));
	EXPECT_EQ(1, self->info.posix_damaged);
	EXPECT_EQ(0, self->info.posix_missing);
	EXPECT_EQ(0, posix_trace_close(trid));
}

/* Records that are impossible, in a block with the right checksums. */
TEST_F(damage, does_not_use_a_block_with_a_bad_record)
{
	struct log_writer *w = self->w;
	struct posixtrace_log_block *block =
		(void *)(w->bytes + w->places[w->blocks - 1].offset);
	struct posixtrace_record *record = (void *)(block + 1), saved = *record;
	const __u32 rest = block->data_size;
	const struct { __u32 size, data_size; __u16 event_id, truncation; } bad[] = {
		{ saved.size - 8, saved.data_size, LOG_USER, 0 },
		{ saved.size + 8, saved.data_size, LOG_USER, 0 },
		{ 0, saved.data_size, LOG_USER, 0 },
		{ 0xfffffff8, saved.data_size, LOG_USER, 0 },
		{ 0, 0xffffffff, LOG_USER, 0 },
		{ rest + 8, rest + 8 - sizeof(saved), LOG_USER, 0 },
		{ saved.size, saved.data_size, 0, 0 },
		{ saved.size, saved.data_size, POSIXTRACE_EVENT_MAX, 0 },
		{ saved.size, saved.data_size, LOG_USER, 2 },
	};
	struct log_sum sum;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		record->size = bad[i].size;
		record->data_size = bad[i].data_size;
		record->event_id = bad[i].event_id;
		record->truncation = bad[i].truncation;
		log_seal_all(block);
		put(self->fd, w, 0, 0, w->size);
		sum = read_log();
		EXPECT_EQ(0, sum.err);
		EXPECT_EQ(0, sum.wrong) TH_LOG("case %zu", i);
		EXPECT_EQ(whole_events(w) - BLOCKS, sum.events)
			TH_LOG("case %zu", i);
		EXPECT_EQ(1, self->info.posix_damaged);
	}
	*record = saved;
	log_seal_all(block);
	put(self->fd, w, 0, 0, w->size);
	sum = read_log();
	EXPECT_EQ(whole_events(w), sum.events);
}

/* The remains of an older log in the file are not the new log's. */
TEST(does_not_mix_logs)
{
	const struct posixtrace_status status = { 0 };
	struct posix_trace_log_info_np info;
	struct log_writer *w;
	struct log_sum sum;
	size_t old_size;
	int fd;

	w = log_begin(POSIXTRACE_POLICY_APPEND, 0);
	log_add_name(w, LOG_USER, "old");
	log_add_name(w, LOG_USER + 7, "older");
	log_add(w, 1);
	log_add(w, 100);
	log_add(w, 100);
	log_finish(w, &status);
	old_size = w->size;

	log_begin_over(w, 99, POSIXTRACE_POLICY_APPEND, 0);
	log_add_name(w, LOG_USER, "user0");
	log_add(w, 1);
	fd = log_file(w->bytes, old_size);
	sum = log_read_file(fd, w->next, &info);
	EXPECT_EQ(0, sum.err);
	EXPECT_EQ(1, sum.events);
	EXPECT_EQ(0, sum.wrong);
	EXPECT_EQ(0, info.posix_finished);
	EXPECT_EQ(0, info.posix_damaged + info.posix_missing);
	close(fd);
	free(w);
}

/* A file of any size without anything in it takes no time. */
TEST(steps_over_holes)
{
	struct log_writer *w = log_begin(POSIXTRACE_POLICY_APPEND, 0);
	struct posix_trace_log_info_np info;
	struct log_sum sum;
	int fd;

	log_add_users(w);
	log_add(w, 10);
	fd = log_writer_file(w);
	ASSERT_EQ(0, ftruncate(fd, 1ll << 50));
	sum = log_read_file(fd, w->next, &info);
	EXPECT_EQ(0, sum.err);
	EXPECT_EQ(10, sum.events);
	EXPECT_EQ(0, sum.wrong);
	close(fd);
	free(w);
}

TEST_HARNESS_MAIN
