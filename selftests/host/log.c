// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pre-recorded streams: the functions of <trace.h> on logs of log_writer.h
 * (assertions and others, as far as they need no kernel).
 */
#include "log_test.h"

#include <sys/wait.h>

#include "kselftest_harness.h"

#define EVENTS	30
#define BAD	(1ULL << 63 | 12345ULL << 24)

/* An answer for each command: what a device with a stream would say. */
static int healthy(unsigned long cmd, void *arg)
{
	struct posixtrace_create *create = arg;

	if (cmd == POSIXTRACE_IOC_CREATE) {
		create->fd = mock_open();
		create->stream = MOCK_STREAM;
	}
	return 0;
}

static trace_id_t active_stream(void)
{
	trace_id_t trid;

	mock.answer = healthy;
	if (posix_trace_create(0, NULL, &trid))
		abort();
	return trid;
}

/* A status with everything set that may be. */
static const struct posixtrace_status last_status = {
	.overrun = 1,
	.flush_error = ENOSPC,
	.log_overrun = 1,
	.log_full = 1,
	.recorded = 101,
	.lost = 102,
	.overwritten = 103,
	.truncated = 104,
	.read = 105,
	.flushed = 106,
	.log_lost = 107,
	.missed_children = 108,
};

/* A log of EVENTS events in some blocks, open. */
FIXTURE(log) {
	struct log_writer *w;
	int fd;
	trace_id_t trid;
};

FIXTURE_SETUP(log)
{
	struct log_writer *w = log_begin(POSIXTRACE_POLICY_UNTIL_FULL, 100000);

	log_add_users(w);
	log_add(w, 3);
	log_add(w, EVENTS - 3);
	log_finish(w, &last_status);
	self->w = w;
	self->fd = log_writer_file(w);
	errno = 77;
	ASSERT_EQ(0, posix_trace_open(self->fd, &self->trid));
}

/* C-59: whatever happened, errno is as it was. */
FIXTURE_TEARDOWN(log)
{
	EXPECT_EQ(77, errno);
	free(self->w);
}

static int open_fd(int fd)
{
	trace_id_t trid;
	int err = posix_trace_open(fd, &trid);

	if (!err)
		posix_trace_close(trid);
	return err;
}

/* The number of the next event; -1: none; -2: an error. */
static __s64 next_event(trace_id_t trid)
{
	struct posix_trace_event_info event;
	unsigned char data[64];
	int unavailable = 0;
	size_t len;

	if (posix_trace_getnext_event(trid, &event, data, sizeof(data), &len,
				      &unavailable))
		return -2;
	return unavailable ? -1 : (__s64)log_number(&event, data, len);
}

/* A-320 [S]: a closed log is opened O_RDONLY, and the oldest event comes first */
TEST_F(log, A320_reads_from_a_read_only_descriptor)
{
	char path[32];
	trace_id_t trid;
	int fd;

	sprintf(path, "/proc/self/fd/%d", self->fd);
	fd = open(path, O_RDONLY);
	ASSERT_EQ(0, posix_trace_open(fd, &trid));
	EXPECT_EQ(0, next_event(trid));
	EXPECT_EQ(0, posix_trace_close(trid));
}

/* A-321 [S]: each event is read as it was recorded */
TEST_F(log, A321_reads_every_member)
{
	struct posix_trace_event_info event;
	unsigned char data[64];
	size_t len = 0;
	int none = 1;

	ASSERT_EQ(0, next_event(self->trid));
	ASSERT_EQ(0, posix_trace_getnext_event(self->trid, &event, data,
					       sizeof(data), &len, &none));
	EXPECT_EQ(0, none);
	EXPECT_EQ(7, len);
	EXPECT_EQ(0, memcmp(data, "\x01\x02\x03\x04\x05\x06\x07", 7));
	EXPECT_EQ(LOG_USER + 1, event.posix_event_id);
	EXPECT_EQ(1001, event.posix_pid);
	EXPECT_EQ(2001, event.posix_tid_np);
	EXPECT_EQ(0x400001, (uintptr_t)event.posix_prog_address);
	EXPECT_EQ(0x7f0000000001, (uintptr_t)event.posix_thread_id);
	EXPECT_EQ(1700000001, event.posix_timestamp.tv_sec);
	EXPECT_EQ(1, event.posix_timestamp.tv_nsec);
	EXPECT_EQ(POSIX_TRACE_NOT_TRUNCATED, event.posix_truncation_status);
}

TEST_F(log, reads_all_events_in_order)
{
	struct log_sum sum = log_read(self->trid, EVENTS);

	EXPECT_EQ(EVENTS, sum.events);
	EXPECT_EQ(0, sum.gaps + sum.wrong + sum.first);
}

/* A-322 [S]: an empty file. A-323 [S]: a text file */
TEST_F(log, A322_A323_refuses_what_is_no_log)
{
	static const char text[] = "This is not a log, but it is a text.\n";
	char *file = calloc(1, 200000);
	size_t i;

	EXPECT_EQ(EINVAL, open_fd(log_file("", 0)));
	EXPECT_EQ(EINVAL, open_fd(log_file(text, sizeof(text) - 1)));
	EXPECT_EQ(EINVAL, open_fd(log_file(file, 200000)));
	for (i = 0; i < 200000; i++)
		file[i] = text[i % (sizeof(text) - 1)];
	EXPECT_EQ(EINVAL, open_fd(log_file(file, 200000)));
	free(file);
}

/* A-324 [S]: a directory or a pipe */
TEST_F(log, A324_refuses_what_is_no_regular_file)
{
	int fds[2];

	ASSERT_EQ(0, pipe(fds));
	EXPECT_EQ(EINVAL, open_fd(fds[0]));
	EXPECT_EQ(EINVAL, open_fd(open("/", O_RDONLY | O_DIRECTORY)));
	EXPECT_EQ(EINVAL, open_fd(open("/dev/zero", O_RDONLY)));
	EXPECT_EQ(EINVAL, open_fd(open("/proc/self/maps", O_RDONLY)));
}

/* A-325 [C-15]: a descriptor that is not open, or not for reading */
TEST_F(log, A325_refuses_bad_descriptors)
{
	char path[32];
	int fd = dup(self->fd);

	sprintf(path, "/proc/self/fd/%d", self->fd);
	close(fd);
	EXPECT_EQ(EINVAL, open_fd(-1));
	EXPECT_EQ(EINVAL, open_fd(fd));
	EXPECT_EQ(EINVAL, open_fd(open(path, O_WRONLY)));
	EXPECT_EQ(EINVAL, open_fd(open(path, O_RDONLY | O_PATH)));
	EXPECT_EQ(EINVAL, posix_trace_open(self->fd, NULL));
	EXPECT_EQ(0, open_fd(self->fd));
}

/* Damage the head as told, with or without correct checksums, and open. */
static int open_with_head(struct log_writer *w, size_t at, __u32 mask,
			  bool sealed)
{
	struct posixtrace_log_block *block = (void *)w->bytes;
	__u32 *field = (void *)(w->bytes + at);
	int err, fd;

	*field ^= mask;
	if (sealed)
		log_seal_all(block);
	fd = log_writer_file(w);
	err = open_fd(fd);
	close(fd);
	*field ^= mask;
	log_seal_all(block);
	return err;
}

#define HEAD(field)	(sizeof(struct posixtrace_log_block) +	\
			 offsetof(struct posixtrace_log_head, field))

/* A-326 [S]: a log with a damaged header */
TEST_F(log, A326_refuses_a_damaged_head)
{
	size_t i, size = HEAD(attr) + sizeof(struct posixtrace_attr);

	for (i = 0; i < size; i += 4)
		EXPECT_EQ(EINVAL, open_with_head(self->w, i, 0x100, false))
			TH_LOG("offset %zu", i);
	for (i = 0; i < sizeof(struct posixtrace_log_block); i += 4)
		if (i == offsetof(struct posixtrace_log_block, magic) ||
		    i == offsetof(struct posixtrace_log_block, type) ||
		    i == offsetof(struct posixtrace_log_block, offset) ||
		    i == offsetof(struct posixtrace_log_block, size))
			EXPECT_EQ(EINVAL, open_with_head(self->w, i, 0xf0000001,
							 true))
				TH_LOG("offset %zu", i);
}

/* A-327 [S]: a log from a machine of another type, or a later version */
TEST_F(log, A327_refuses_a_log_from_another_machine)
{
	EXPECT_EQ(EINVAL, open_with_head(self->w, HEAD(byte_order),
					 0x01020304 ^ 0x04030201, true));
	EXPECT_EQ(EINVAL, open_with_head(self->w, HEAD(word_size), 8 ^ 4,
					 true));
	EXPECT_EQ(EINVAL, open_with_head(self->w, HEAD(version), 1 ^ 2, true));
	EXPECT_EQ(0, open_with_head(self->w, HEAD(version), 0, true));
}

TEST_F(log, refuses_attributes_that_no_stream_has)
{
	EXPECT_EQ(EINVAL, open_with_head(self->w, HEAD(attr.stream_policy),
					 3 ^ 4, true));
	EXPECT_EQ(EINVAL, open_with_head(self->w, HEAD(attr.log_policy), 2 ^ 3,
					 true));
	EXPECT_EQ(EINVAL, open_with_head(self->w, HEAD(attr.inheritance),
					 2 ^ 3, true));
	memset(self->w->bytes + HEAD(attr.name), 'x', TRACE_NAME_MAX + 1);
	EXPECT_EQ(EINVAL, open_with_head(self->w, 0, 0, true));
	self->w->bytes[HEAD(attr.name) + TRACE_NAME_MAX] = 0;
	EXPECT_EQ(0, open_with_head(self->w, 0, 0, true));
	memset(self->w->bytes + HEAD(generation), 'x', TRACE_NAME_MAX);
	EXPECT_EQ(EINVAL, open_with_head(self->w, 0, 0, true));
}

/* A-329 [S]: two trids of one log read all of it independently */
TEST_F(log, A329_trids_of_one_log_are_independent)
{
	trace_event_id_t id = 0;
	trace_id_t other;
	int none;

	EXPECT_EQ(0, next_event(self->trid));
	ASSERT_EQ(0, posix_trace_eventtypelist_getnext_id(self->trid, &id,
							  &none));
	ASSERT_EQ(0, posix_trace_open(self->fd, &other));
	EXPECT_NE(self->trid, other);
	EXPECT_EQ(0, next_event(other));
	EXPECT_EQ(1, next_event(other));
	EXPECT_EQ(1, next_event(self->trid));
	ASSERT_EQ(0, posix_trace_eventtypelist_getnext_id(other, &id, &none));
	EXPECT_EQ(1, id);
	EXPECT_EQ(EVENTS - 2, log_read(self->trid, EVENTS).events);
	EXPECT_EQ(0, posix_trace_close(self->trid));
	EXPECT_EQ(EVENTS - 2, log_read(other, EVENTS).events);
	EXPECT_EQ(0, posix_trace_close(other));
}

/* A-331 [S]: at the end there is no event, and no waiting, time and again */
TEST_F(log, A331_says_again_and_again_that_it_is_at_the_end)
{
	int i;

	log_read(self->trid, EVENTS);
	for (i = 0; i < 3; i++)
		EXPECT_EQ(-1, next_event(self->trid));
}

/* Reads the next event into @size bytes; its length and truncation. */
static int read_into(trace_id_t trid, char *data, size_t size, size_t *len)
{
	struct posix_trace_event_info event = { 0 };
	int none = 1;

	if (posix_trace_getnext_event(trid, &event, data, size, len, &none) ||
	    none)
		return -1;
	return event.posix_truncation_status;
}

/* A-332 [S], section 9: TRUNCATED_READ is a property of the reading */
TEST_F(log, A332_data_is_read_again_with_more_room)
{
	char data[64];
	size_t len;

	next_event(self->trid);
	memset(data, 'y', sizeof(data));
	EXPECT_EQ(POSIX_TRACE_TRUNCATED_READ,
		  read_into(self->trid, data, 3, &len));
	EXPECT_EQ(3, len);
	EXPECT_EQ(0, memcmp(data, "\x01\x02\x03y", 4));
	EXPECT_EQ(0, posix_trace_rewind(self->trid));
	next_event(self->trid);
	EXPECT_EQ(POSIX_TRACE_NOT_TRUNCATED,
		  read_into(self->trid, data, 7, &len));
	EXPECT_EQ(7, len);
	EXPECT_EQ(0, posix_trace_rewind(self->trid));
	/* The first has no data. */
	EXPECT_EQ(POSIX_TRACE_NOT_TRUNCATED,
		  read_into(self->trid, NULL, 0, &len));
	EXPECT_EQ(0, len);
	EXPECT_EQ(POSIX_TRACE_TRUNCATED_READ,
		  read_into(self->trid, NULL, 0, &len));
	EXPECT_EQ(0, len);
	/* The fifth was cut when it was recorded. */
	next_event(self->trid);
	next_event(self->trid);
	EXPECT_EQ(POSIX_TRACE_TRUNCATED_RECORD,
		  read_into(self->trid, data, sizeof(data), &len));
	EXPECT_EQ(28, len);
	EXPECT_EQ(0, posix_trace_rewind(self->trid));
	for (len = 0; len < 4; len++)
		next_event(self->trid);
	EXPECT_EQ(POSIX_TRACE_TRUNCATED_READ,
		  read_into(self->trid, data, 27, &len));
	EXPECT_EQ(27, len);
}

/* A-333 [S], A-334 [S]: after rewind the oldest is next, then all of them */
TEST_F(log, A333_A334_rewinds_to_the_oldest_event)
{
	int i;

	EXPECT_EQ(0, next_event(self->trid));
	EXPECT_EQ(1, next_event(self->trid));
	EXPECT_EQ(0, posix_trace_rewind(self->trid));
	EXPECT_EQ(0, next_event(self->trid));
	for (i = 0; i < 3; i++) {
		log_read(self->trid, EVENTS);
		EXPECT_EQ(0, posix_trace_rewind(self->trid));
		EXPECT_EQ(EVENTS, log_read(self->trid, EVENTS).events);
	}
}

/* A-335 [C-07], A-337 [C-07]: an active, a closed, any other trid */
TEST_F(log, A335_A337_rewind_and_close_refuse_other_trids)
{
	trace_id_t active = active_stream();
	const trace_id_t bad[] = { 0, active, BAD, self->trid + 1,
				   self->trid + (1 << 24), ~0ULL,
				   self->trid & ~(1ULL << 63) };
	size_t i;
	int fd;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(EINVAL, posix_trace_rewind(bad[i]));
		EXPECT_EQ(EINVAL, posix_trace_close(bad[i]));
	}
	EXPECT_EQ(0, posix_trace_get_fd_np(active, &fd));
	EXPECT_EQ(0, mock_look(fd));
	EXPECT_EQ(0, posix_trace_close(self->trid));
	EXPECT_EQ(EINVAL, posix_trace_close(self->trid));
	EXPECT_EQ(EINVAL, posix_trace_rewind(self->trid));
	EXPECT_EQ(-2, next_event(self->trid));
}

/* A-336 [S], A-338 [C-35]: the descriptor stays the application's */
TEST_F(log, A336_A338_leaves_the_descriptor_alone)
{
	trace_id_t trid;

	EXPECT_EQ(0, posix_trace_close(self->trid));
	EXPECT_LE(0, fcntl(self->fd, F_GETFD));
	ASSERT_EQ(0, posix_trace_open(self->fd, &trid));
	EXPECT_NE(self->trid, trid);
	EXPECT_EQ(-2, next_event(self->trid));
	/* It may be closed before. */
	EXPECT_EQ(0, close(self->fd));
	EXPECT_EQ(EVENTS, log_read(trid, EVENTS).events);
	EXPECT_EQ(0, posix_trace_close(trid));
}

/* A-339 [S]: the names of the events; others have none */
TEST_F(log, A339_knows_the_names)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	unsigned int i;

	for (i = 0; i < LOG_USERS; i++) {
		EXPECT_EQ(0, posix_trace_eventid_get_name(self->trid,
							  LOG_USER + i, name));
		EXPECT_STREQ(log_user_name(i), name);
	}
	EXPECT_EQ(0, posix_trace_eventid_get_name(self->trid, POSIX_TRACE_STOP,
						  name));
	EXPECT_STREQ("posix_trace_stop", name);
	EXPECT_EQ(EINVAL, posix_trace_eventid_get_name(self->trid, 0, name));
	EXPECT_EQ(EINVAL, posix_trace_eventid_get_name(self->trid,
						       LOG_USER + LOG_USERS,
						       name));
	EXPECT_EQ(EINVAL, posix_trace_eventid_get_name(self->trid, 16, name));
	EXPECT_EQ(EINVAL, posix_trace_eventid_get_name(self->trid, ~0u, name));
	EXPECT_EQ(EINVAL, posix_trace_eventid_get_name(self->trid, LOG_USER,
						       NULL));
	EXPECT_EQ(EINVAL, posix_trace_eventid_get_name(BAD, LOG_USER, name));
	EXPECT_NE(0, posix_trace_eventid_equal(self->trid, 64, 64));
	EXPECT_EQ(0, posix_trace_eventid_equal(self->trid, 64, 65));
}

/* The next type of the list; 0: no more, and then nothing is stored. */
static trace_event_id_t next_in_list(trace_id_t trid)
{
	trace_event_id_t id = 555;
	int none = -1;

	if (posix_trace_eventtypelist_getnext_id(trid, &id, &none) ||
	    none == -1 || (none && id != 555))
		return ~0u;
	return none ? 0 : id;
}

/* A-340 [S]: the predefined types, then the user's, and from the first again */
TEST_F(log, A340_lists_the_types)
{
	unsigned int i, round;

	for (round = 0; round < 2; round++) {
		for (i = 1; i <= 9; i++)
			EXPECT_EQ(i, next_in_list(self->trid));
		for (i = 0; i < LOG_USERS; i++)
			EXPECT_EQ(LOG_USER + i, next_in_list(self->trid));
		EXPECT_EQ(0, next_in_list(self->trid));
		EXPECT_EQ(0, next_in_list(self->trid));
		EXPECT_EQ(0, posix_trace_eventtypelist_rewind(self->trid));
	}
	EXPECT_EQ(EINVAL, posix_trace_eventtypelist_rewind(BAD));
	EXPECT_EQ(~0u, next_in_list(BAD));
}

/* A-341 [S], A-182 [S], A-196 [C-09], A-260 [S]: what is for active streams */
TEST_F(log, A341_A182_A196_A260_refuses_what_is_for_active_streams)
{
	struct posix_trace_event_info event;
	struct timespec now = { 0 };
	trace_event_set_t set = { 0 };
	trace_event_id_t id;
	int none = 0, fd;
	size_t len;

	active_stream();
	EXPECT_EQ(EINVAL, posix_trace_start(self->trid));
	EXPECT_EQ(EINVAL, posix_trace_stop(self->trid));
	EXPECT_EQ(EINVAL, posix_trace_clear(self->trid));
	EXPECT_EQ(EINVAL, posix_trace_flush(self->trid));
	EXPECT_EQ(EINVAL, posix_trace_shutdown(self->trid));
	EXPECT_EQ(EINVAL, posix_trace_get_filter(self->trid, &set));
	EXPECT_EQ(EINVAL, posix_trace_set_filter(self->trid, &set,
						 POSIX_TRACE_SET_EVENTSET));
	EXPECT_EQ(EINVAL, posix_trace_trid_eventid_open(self->trid, "x", &id));
	EXPECT_EQ(EINVAL, posix_trace_get_fd_np(self->trid, &fd));
	EXPECT_EQ(EINVAL, posix_trace_trygetnext_event(self->trid, &event, NULL,
						       0, &len, &none));
	EXPECT_NE(0, none);
	EXPECT_EQ(EINVAL, posix_trace_timedgetnext_event(self->trid, &event,
							 NULL, 0, &len, &none,
							 &now));
	EXPECT_EQ(0, next_event(self->trid));
}

/* A-342 [S], A-208 [S]: the status at the end, and nothing is reset */
TEST_F(log, A342_A208_tells_the_last_status)
{
	struct posix_trace_status_info status;
	struct posix_trace_counters_np counters;
	int i;

	for (i = 0; i < 2; i++) {
		memset(&status, 0xff, sizeof(status));
		ASSERT_EQ(0, posix_trace_get_status(self->trid, &status));
		EXPECT_EQ(POSIX_TRACE_SUSPENDED, status.posix_stream_status);
		EXPECT_EQ(POSIX_TRACE_NOT_FULL,
			  status.posix_stream_full_status);
		EXPECT_EQ(POSIX_TRACE_OVERRUN,
			  status.posix_stream_overrun_status);
		EXPECT_EQ(POSIX_TRACE_NOT_FLUSHING,
			  status.posix_stream_flush_status);
		EXPECT_EQ(ENOSPC, status.posix_stream_flush_error);
		EXPECT_EQ(POSIX_TRACE_OVERRUN, status.posix_log_overrun_status);
		EXPECT_EQ(POSIX_TRACE_FULL, status.posix_log_full_status);
	}
	EXPECT_EQ(EINVAL, posix_trace_get_status(self->trid, NULL));
	EXPECT_EQ(EINVAL, posix_trace_get_status(BAD, &status));
	ASSERT_EQ(0, posix_trace_get_counters_np(self->trid, &counters));
	EXPECT_EQ(101, counters.posix_recorded);
	EXPECT_EQ(107, counters.posix_log_lost);
	EXPECT_EQ(108, counters.posix_missed_children);
	EXPECT_EQ(EINVAL, posix_trace_get_counters_np(BAD, &counters));
}

/* A-216 [S]: the attributes of the stream that wrote the log */
TEST_F(log, A216_tells_the_attributes)
{
	char name[TRACE_NAME_MAX + 1];
	struct timespec ts;
	trace_attr_t attr;
	size_t size;
	int policy;

	EXPECT_EQ(0, posix_trace_attr_init(&attr));
	ASSERT_EQ(0, posix_trace_get_attr(self->trid, &attr));
	EXPECT_EQ(0, posix_trace_attr_getname(&attr, name));
	EXPECT_STREQ("the log", name);
	EXPECT_EQ(0, posix_trace_attr_getgenversion(&attr, name));
	EXPECT_STREQ("writer 1.0", name);
	EXPECT_EQ(0, posix_trace_attr_getcreatetime(&attr, &ts));
	EXPECT_EQ(1700000000, ts.tv_sec);
	EXPECT_EQ(123456789, ts.tv_nsec);
	EXPECT_EQ(0, posix_trace_attr_getclockres(&attr, &ts));
	EXPECT_EQ(0, ts.tv_sec);
	EXPECT_EQ(1, ts.tv_nsec);
	EXPECT_EQ(0, posix_trace_attr_getlogfullpolicy(&attr, &policy));
	EXPECT_EQ(POSIX_TRACE_UNTIL_FULL, policy);
	EXPECT_EQ(0, posix_trace_attr_getstreamfullpolicy(&attr, &policy));
	EXPECT_EQ(POSIX_TRACE_FLUSH, policy);
	EXPECT_EQ(0, posix_trace_attr_getinherited(&attr, &policy));
	EXPECT_EQ(POSIX_TRACE_INHERITED, policy);
	EXPECT_EQ(0, posix_trace_attr_getlogsize(&attr, &size));
	EXPECT_EQ(100000, size);
	EXPECT_EQ(EINVAL, posix_trace_get_attr(BAD, &attr));
	EXPECT_EQ(EINVAL, posix_trace_get_attr(self->trid, NULL));
}

/* The rule of growth: a head and an end block as the first version had them. */
TEST_F(log, reads_logs_of_the_first_version)
{
	struct posixtrace_log_block *head = (void *)self->w->bytes;
	struct posixtrace_log_block *end = (void *)(self->w->bytes +
						    POSIXTRACE_LOG_END_AT);
	struct posix_trace_counters_np counters;
	trace_attr_t attr;
	trace_id_t trid;
	int fd, recorded;

	head->data_size = 344;
	log_seal_all(head);
	end->data_size = 120;
	log_seal_all(end);
	fd = log_writer_file(self->w);
	ASSERT_EQ(0, posix_trace_open(fd, &trid));
	posix_trace_attr_init(&attr);
	ASSERT_EQ(0, posix_trace_get_attr(trid, &attr));
	ASSERT_EQ(0, posix_trace_attr_getsyscall_np(&attr, 0, &recorded));
	EXPECT_EQ(1, recorded);
	ASSERT_EQ(0, posix_trace_get_counters_np(trid, &counters));
	EXPECT_EQ(107, counters.posix_log_lost);
	EXPECT_EQ(0, counters.posix_missed_children);
	EXPECT_EQ(0, posix_trace_close(trid));

	head->data_size = 343;
	log_seal_all(head);
	close(fd);
	fd = log_writer_file(self->w);
	EXPECT_EQ(EINVAL, posix_trace_open(fd, &trid));
	close(fd);
}

TEST_HARNESS_MAIN
