// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command "info", as its user sees it; and what it and "print" say of logs
 * that are not whole, or none.
 */
#include "tool_run.h"

TEST_F(tool_log, info_tells_all_there_is)
{
	write_whole(self->w);
	save();
	tool_info();
	EXPECT_EQ(0, self->r.status);
	EXPECT_STREQ("", self->r.err);
	EXPECT_TEXT(self->r.out, "trace           \"the log\"\n"
		    "written by      \"writer 1.0\"\n"
		    "process         1234 and its children, traced by 4321\n"
		    "created         2023-11-14 22:13:20.123456789 +0000\n"
		    "stream          flush, 65536 bytes (64.0 KiB)\n"
		    "log             append\n"
		    "data            up to 256 bytes of an event\n"
		    "status          finished\n"
		    "damage          none\n"
		    "recorded        307\n"
		    "lost            3\n"
		    "not logged      7\n"
		    "data cut        5\n"
		    "in the log      300 events in 4 blocks\n"
		    "first           2023-11-14 22:13:21.000000000 +0000\n"
		    "last            2023-11-14 22:13:21.000000299 +0000\n");
	EXPECT_TEXT(self->r.out, "\n       100    64  user0\n"
		    "       100    65  user1\n"
		    "       100    66  user2\n");
}

TEST_F(tool_log, info_tells_it_as_json)
{
	write_whole(self->w);
	save();
	tool_info("--json");
	EXPECT_EQ(0, self->r.status);
	EXPECT_EQ(1, count_json_lines(self->r.out));
	EXPECT_TEXT(self->r.out,
		    "\"trace\":\"the log\",\"generation\":\"writer 1.0\",\"target\":1234,\"owner\":4321,\"created\":\"1700000000.123456789\",");
	EXPECT_TEXT(self->r.out,
		    "\"stream\":{\"policy\":\"flush\",\"size\":65536,\"max_data_size\":256,\"inherited\":true,\"overrun\":false}");
	EXPECT_TEXT(self->r.out,
		    "\"log\":{\"policy\":\"append\",\"max_size\":0,\"blocks\":4,\"full\":false,\"overrun\":false,\"write_error\":null,\"finished\":true,\"damaged_blocks\":0,\"missing_blocks\":0}");
	EXPECT_TEXT(self->r.out,
		    "\"counters\":{\"recorded\":307,\"lost\":3,\"overwritten\":0,\"truncated\":5,\"not_logged\":7,\"flushed\":0,\"missed_children\":0}");
	EXPECT_TEXT(self->r.out,
		    "\"events\":300,\"first\":\"1700000001.000000000\",\"last\":\"1700000001.000000299\",");
	EXPECT_TEXT(self->r.out,
		    "{\"id\":65,\"name\":\"user1\",\"events\":100}");
}

TEST_F(tool_log, info_of_an_empty_log)
{
	finish(self->w);
	save();
	tool_info();
	EXPECT_EQ(0, self->r.status);
	EXPECT_TEXT(self->r.out, "in the log      0 events in 0 blocks\n");
	tool_info("--json");
	EXPECT_EQ(1, count_json_lines(self->r.out));
	EXPECT_TEXT(self->r.out, "\"events\":0,\"first\":null,\"last\":null,");
	tool_print();
	EXPECT_EQ(0, self->r.status);
	EXPECT_STREQ("", self->r.out);
}

/*
 * Logs that are not whole
 */

TEST_F(tool_log, tells_that_a_log_is_not_finished)
{
	log_add_users(self->w);
	log_add(self->w, 10);
	save();
	tool_print();
	EXPECT_EQ(3, self->r.status);
	EXPECT_EQ(10, lines(self->r.out));
	EXPECT_EQ(1, lines(self->r.err));
	EXPECT_TEXT(self->r.err,
		    " is not finished: it is still being written, or the machine stopped\n");
	tool_info();
	EXPECT_EQ(3, self->r.status);
	EXPECT_TEXT(self->r.out, "status          not finished\n");
	EXPECT_TEXT(self->r.out, "recorded        not known");
	EXPECT_TEXT(self->r.out, "in the log      10 events in 1 block\n");
	tool_info("--json");
	EXPECT_EQ(3, self->r.status);
	EXPECT_EQ(1, count_json_lines(self->r.out));
	EXPECT_TEXT(self->r.out, "\"finished\":false,");
	EXPECT_TEXT(self->r.out, "\"counters\":null,");
}

TEST_F(tool_log, tells_of_damaged_blocks)
{
	write_whole(self->w);
	self->w->bytes[self->w->places[1].offset + 100] ^= 1;
	save();
	tool_print();
	EXPECT_EQ(3, self->r.status);
	EXPECT_EQ(EVENTS / 4 * 3, lines(self->r.out));
	EXPECT_TEXT(self->r.err, ": 1 damaged block left out\n");
	EXPECT_EQ(1, lines(self->r.err));
	tool_print("--json");
	EXPECT_EQ(3, self->r.status);
	EXPECT_EQ(EVENTS / 4 * 3, count_json_lines(self->r.out));
	tool_info();
	EXPECT_EQ(3, self->r.status);
	EXPECT_TEXT(self->r.out, "damage          1 block damaged, 0 missing\n");
	EXPECT_TEXT(self->r.out, "in the log      225 events in ");
	tool_info("-j");
	EXPECT_TEXT(self->r.out, "\"damaged_blocks\":1,\"missing_blocks\":0");
}

TEST_F(tool_log, tells_of_missing_blocks)
{
	struct log_writer *w = self->w;

	write_whole(w);
	memset(w->bytes + w->places[1].offset, 0, w->places[1].size);
	save();
	tool_print();
	EXPECT_EQ(3, self->r.status);
	EXPECT_EQ(EVENTS / 4 * 3, lines(self->r.out));
	EXPECT_TEXT(self->r.err, ": 1 block missing\n");
	/* The end of the file, with two of them. */
	save_bytes(self->path, w->bytes, w->places[2].offset);
	tool_print();
	EXPECT_EQ(3, self->r.status);
	EXPECT_EQ(EVENTS / 4, lines(self->r.out));
	EXPECT_TEXT(self->r.err, ": 3 blocks missing\n");
}

/* A whole log, of a recording that ran into a full disk. */
TEST_F(tool_log, tells_that_not_all_could_be_written)
{
	struct posixtrace_status status = {
		.recorded = 20, .flush_error = 28, .log_overrun = 1,
		.log_lost = 10,
	};

	log_add_users(self->w);
	log_add(self->w, 10);
	log_finish(self->w, &status);
	save();
	tool_print();
	EXPECT_EQ(3, self->r.status);
	EXPECT_EQ(10, lines(self->r.out));
	EXPECT_TEXT(self->r.err,
		    ": not all could be written when it was recorded: No space left on device\n");
	tool_info();
	EXPECT_EQ(3, self->r.status);
	EXPECT_TEXT(self->r.out,
		    "status          finished, not all events in the log, write error: No space left on device\n");
	EXPECT_TEXT(self->r.out, "not logged      10\n");
	tool_info("--json");
	EXPECT_EQ(1, count_json_lines(self->r.out));
	EXPECT_TEXT(self->r.out, "\"write_error\":\"ENOSPC\"");
}

/* What a policy leaves out is no damage. */
TEST_F(tool_log, a_log_that_is_full_is_whole)
{
	struct posixtrace_status status = { .log_full = 1, .log_overrun = 1 };

	free(self->w);
	self->w = log_begin(POSIXTRACE_POLICY_LOOP, 10000);
	log_add_users(self->w);
	log_add(self->w, 1000);
	log_finish(self->w, &status);
	save();
	tool_print();
	EXPECT_EQ(0, self->r.status);
	EXPECT_STREQ("", self->r.err);
	tool_info();
	EXPECT_EQ(0, self->r.status);
	EXPECT_TEXT(self->r.out,
		    "status          finished, log full, the oldest events overwritten\n");
	EXPECT_TEXT(self->r.out, "log             loop, 10000 bytes (9.7 KiB)\n");
}

/* Whatever is in the file: no crash, no wrong status, and JSON all the same. */
TEST_F_TIMEOUT(tool_log, survives_any_damage, 120)
{
	struct log_writer *w = self->w;
	size_t at[] = { 0, POSIXTRACE_LOG_END_AT, POSIXTRACE_LOG_NAMES_AT,
			POSIXTRACE_LOG_EVENTS_AT };
	size_t i, j;

	log_add_users(w);
	log_add(w, 10);
	finish(w);
	for (i = 0; i < ARRAY_SIZE(at); i++) {
		for (j = 0; j < 330; j += 33) {
			unsigned char *byte = w->bytes + at[i] + j;

			*byte ^= 0x20;
			save();
			*byte ^= 0x20;
			tool_print("--json");
			EXPECT_TRUE(self->r.status == 0 ||
				    self->r.status == 1 || self->r.status == 3)
				TH_LOG("byte %zu: %s", at[i] + j, self->r.err);
			EXPECT_GE(count_json_lines(self->r.out), 0);
		}
	}
}

/*
 * What is no log
 */

#define EXPECT_REFUSED(what) do {					\
	tool_print();							\
	EXPECT_EQ(1, self->r.status);					\
	EXPECT_STREQ("", self->r.out);					\
	EXPECT_TEXT(self->r.err, what);					\
	tool_info();							\
	EXPECT_EQ(1, self->r.status);					\
	EXPECT_TEXT(self->r.err, what);					\
} while (0)

TEST_F(tool_log, tells_why_a_file_is_no_log)
{
	struct posixtrace_log_block *block = (void *)self->w->bytes;
	struct posixtrace_log_head *head = (void *)(block + 1);

	EXPECT_REFUSED(" is empty, it is no log\n");

	save_bytes(self->path, "#!/bin/sh\n", 10);
	EXPECT_REFUSED(" is no log of posixtrace\n");

	write_whole(self->w);
	self->w->bytes[60] ^= 1;
	save();
	EXPECT_REFUSED(" is a log whose beginning is damaged\n"
		       "  Without it nothing of the log can be read.\n");
	self->w->bytes[60] ^= 1;

	head->version = 2;
	log_seal_all(block);
	save();
	EXPECT_REFUSED(" is a log of version 2, this program reads version 1\n");

	block->magic = __builtin_bswap32(block->magic);
	save();
	EXPECT_REFUSED(" is a log from a machine of another byte order\n"
		       "  It can be read on one like that.\n");
}

TEST_F(tool_log, tells_that_a_file_can_not_be_read)
{
	unlink(self->path);
	EXPECT_REFUSED(": No such file or directory\n");
	if (mkdir(self->path, 0700))
		abort();
	EXPECT_REFUSED(" is a directory, a log is a regular file\n");
	rmdir(self->path);
	/* And does not wait for a writer. */
	if (mkfifo(self->path, 0600))
		abort();
	EXPECT_REFUSED(" is a pipe, a log is a regular file\n");
}

/* Without FILE. */
TEST_F(tool_log, reads_posixtrace_log_by_default)
{
	char folder[] = "/tmp/posixtrace-log.XXXXXX";

	write_whole(self->w);
	save();
	ASSERT_NE(NULL, mkdtemp(folder));
	ASSERT_EQ(0, chdir(folder));
	tool("print");
	EXPECT_EQ(1, self->r.status);
	EXPECT_STREQ("posixtrace: cannot read posixtrace.log: No such file or directory\n",
		     self->r.err);
	ASSERT_EQ(0, symlink(self->path, "posixtrace.log"));
	tool("print");
	EXPECT_EQ(EVENTS, lines(self->r.out));
	tool("info");
	EXPECT_TEXT(self->r.out, "file            posixtrace.log\n");
	unlink("posixtrace.log");
	rmdir(folder);
}

TEST_HARNESS_MAIN
