// SPDX-License-Identifier: GPL-2.0-only
/*
 * Logs of each policy are read from the oldest event to the youngest, above all
 * those with LOOP, after any number of rounds.
 */
#include "log_test.h"

#include "kselftest_harness.h"

static const struct posixtrace_status ended;

/* Compare what is read with what was written; @what tells about the log. */
static void expect_all(struct __test_metadata *_metadata,
		       const struct log_writer *w, const char *what)
{
	struct posix_trace_log_info_np info = { 0 };
	__u64 oldest = log_oldest(w);
	struct log_sum sum;
	int fd = log_writer_file(w);

	sum = log_read_file(fd, w->next, &info);
	close(fd);
	ASSERT_EQ(0, sum.err) TH_LOG("%s", what);
	EXPECT_EQ(0, sum.gaps) TH_LOG("%s", what);
	EXPECT_EQ(0, sum.wrong) TH_LOG("%s", what);
	EXPECT_EQ(0, info.posix_damaged + info.posix_missing)
		TH_LOG("%s: %llu damaged, %llu missing", what,
		       info.posix_damaged, info.posix_missing);
	ASSERT_EQ(w->blocks - oldest, info.posix_blocks) TH_LOG("%s", what);
	if (w->blocks) {
		EXPECT_EQ(w->places[oldest].first, sum.first)
			TH_LOG("%s", what);
		EXPECT_EQ(w->next - 1, sum.last) TH_LOG("%s", what);
	}
}

/* Both while it is written and after it was finished. */
#define expect_both(w, what) do {			\
	expect_all(_metadata, w, what);			\
	log_finish(w, &ended);				\
	expect_all(_metadata, w, what);			\
} while (0)

FIXTURE(policy) {
	struct log_writer *w;
};

FIXTURE_VARIANT(policy) {
	__u32 policy;
};

FIXTURE_VARIANT_ADD(policy, loop) {
	.policy = POSIXTRACE_POLICY_LOOP,
};

FIXTURE_VARIANT_ADD(policy, until_full) {
	.policy = POSIXTRACE_POLICY_UNTIL_FULL,
};

FIXTURE_VARIANT_ADD(policy, append) {
	.policy = POSIXTRACE_POLICY_APPEND,
};

FIXTURE_SETUP(policy)
{
	self->w = log_begin(variant->policy, 10000);
	log_add_users(self->w);
}

FIXTURE_TEARDOWN(policy)
{
	free(self->w);
}

TEST_F(policy, empty_log)
{
	expect_both(self->w, "empty");
}

TEST_F(policy, one_event)
{
	log_add(self->w, 1);
	expect_both(self->w, "one");
}

TEST_F(policy, one_block)
{
	log_add(self->w, 50);
	expect_both(self->w, "one block");
}

/* LOOP: after one round and a part of the second, and so on. */
TEST_F(policy, many_blocks)
{
	char what[64];
	int i;

	for (i = 0; i < 1000; i++) {
		log_add(self->w, i % 8 + 1);
		if (i > 50 && i % 50)
			continue;
		sprintf(what, "%d blocks", i);
		expect_all(_metadata, self->w, what);
	}
	expect_both(self->w, "many");
}

/* The beginning of the second round, and every later block for a while. */
TEST(loop_rounds)
{
	static const int rounds[] = { 1, 2, 3, 100 };
	size_t i;
	int n;

	for (i = 0; i < ARRAY_SIZE(rounds); i++) {
		struct log_writer *w = log_begin(POSIXTRACE_POLICY_LOOP, 4096);
		char what[64];

		log_add_users(w);
		while (w->next < 64u * rounds[i])
			log_add(w, 8);
		for (n = 0; n < 20; n++) {
			sprintf(what, "round %d, %d", rounds[i], n);
			expect_all(_metadata, w, what);
			log_add(w, 4);
		}
		EXPECT_LE(4096 / 96, w->next - w->places[log_oldest(w)].first);
		free(w);
	}
}

FIXTURE(uneven) {
};

FIXTURE_SETUP(uneven)
{
}

FIXTURE_TEARDOWN(uneven)
{
}

/* Blocks of any sizes: rounds end early and late, ends of old ones remain. */
TEST_F_TIMEOUT(uneven, loop, 300)
{
	int seed, i;

	for (seed = 0; seed < 150; seed++) {
		struct log_writer *w;
		char what[64];

		srand(seed);
		w = log_begin(POSIXTRACE_POLICY_LOOP, 500 + rand() % 6000);
		log_add_users(w);
		for (i = 0; i < 200; i++) {
			log_add(w, rand() % 4 ? 1 + rand() % 4 :
						1 + rand() % 60);
			if (i % 7)
				continue;
			sprintf(what, "seed %d, %d", seed, i);
			expect_all(_metadata, w, what);
		}
		free(w);
	}
}

/* The largest blocks that there can be, with the largest data. */
TEST(largest_block)
{
	struct log_writer *w = log_begin(POSIXTRACE_POLICY_APPEND, 0);
	const size_t size = POSIXTRACE_LOG_BLOCK_MAX -
			    sizeof(struct posixtrace_log_block);
	struct posixtrace_record *r = calloc(1, size);
	struct posix_trace_event_info event;
	char *data = malloc(size);
	trace_id_t trid;
	int fd, none;
	size_t len;

	ASSERT_NE(NULL, r);
	ASSERT_NE(NULL, data);
	r->size = size;
	r->data_size = size - sizeof(*r);
	r->event_id = POSIXTRACE_EVENT_MAX - 1;
	memset(r + 1, 'x', r->data_size);
	log_add_data(w, r, size, 0, 1);
	log_add_data(w, r, size, 1, 1);
	fd = log_writer_file(w);
	ASSERT_EQ(0, posix_trace_open(fd, &trid));
	ASSERT_EQ(0, posix_trace_getnext_event(trid, &event, data, size, &len,
					       &none));
	EXPECT_EQ(0, none);
	EXPECT_EQ(r->data_size, len);
	EXPECT_EQ(0, memcmp(data, r + 1, len));
	ASSERT_EQ(0, posix_trace_getnext_event(trid, &event, data, size, &len,
					       &none));
	EXPECT_EQ(0, none);
	ASSERT_EQ(0, posix_trace_getnext_event(trid, &event, data, size, &len,
					       &none));
	EXPECT_NE(0, none);
	EXPECT_EQ(0, posix_trace_close(trid));
	close(fd);
	free(data);
	free(r);
	free(w);
}

/* What later versions add is stepped over: blocks, and the ends of blocks. */
TEST(reads_what_later_versions_write)
{
	struct log_writer *w = log_begin(POSIXTRACE_POLICY_APPEND, 0);
	struct { struct posixtrace_log_head head; char more[40]; } head;
	__u64 at = 0;

	memset(&head, 0xaa, sizeof(head));
	head.head = w->head;
	log_write(w, POSIXTRACE_LOG_HEAD, 0, &head, sizeof(head), &at);
	log_add_users(w);
	log_add(w, 5);
	log_write(w, 77, 12345, "something", 9, &w->at);
	log_add(w, 5);
	log_write(w, 77, 0, "something", 9, &w->at);
	expect_both(w, "later version");
	free(w);
}

TEST_HARNESS_MAIN
