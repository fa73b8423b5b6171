// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the library does with the device: opening it late and once, living with
 * its absence and with a descriptor that somebody closed, error numbers,
 * cancellation. No kernel module is needed: library.h plays the device.
 */
#include "library.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>

#include "kselftest_harness.h"

#define USER	POSIXTRACE_EV_USER

/* An answer for each command: what a healthy device would say. */
static int healthy(unsigned long cmd, void *arg)
{
	struct posixtrace_create *create = arg;
	struct posixtrace_name *name = arg;

	switch (cmd) {
	case POSIXTRACE_IOC_CREATE:
		create->fd = mock_open();
		create->stream = MOCK_STREAM;
		break;
	case POSIXTRACE_IOC_EVENTID_OPEN:
	case POSIXTRACE_IOC_TRID_EVENTID_OPEN:
		name->event_id = USER;
		break;
	case POSIXTRACE_IOC_GETNEXT:
		return ENODATA;
	}
	return 0;
}

/* What the next command is to fail with. */
static int failure;

static int failing(unsigned long cmd, void *arg)
{
	(void)cmd;
	(void)arg;
	return failure;
}

static int count_fds(void)
{
	int fd, n = 0;

	for (fd = 3; fd < 1024; fd++)
		n += !mock_look(fd);
	return n;
}

static trace_event_id_t open_event(void)
{
	trace_event_id_t id = 0;

	return posix_trace_eventid_open("name", &id) ? 0 : id;
}

static trace_id_t create(void)
{
	trace_id_t trid = 0;

	mock.answer = healthy;
	return posix_trace_create(0, NULL, &trid) ? 0 : trid;
}

/* The page says that somebody wants the first user event. */
static void want_event(void)
{
	mock.gate.wanted = 1;
	mock.gate.events.bits[USER / 64] |= 1ULL << USER % 64;
}

/* Whether an event gets through to the device. */
static bool is_recorded(trace_event_id_t id)
{
	int before = mock.calls;

	mock.cmd = 0;
	posix_trace_event(id, "data", 4);
	return mock.calls == before + 1 && mock.cmd == POSIXTRACE_IOC_EVENT;
}

FIXTURE(client) {
	trace_id_t trid;
};

FIXTURE_SETUP(client)
{
	closefrom(3);	/* what was inherited */
	mock.answer = healthy;
	errno = 77;
}

/* C-59: whatever happened, errno is as it was. */
FIXTURE_TEARDOWN(client)
{
	EXPECT_EQ(77, errno);
}

TEST_F(client, opens_the_device_at_first_use_and_once)
{
	EXPECT_EQ(0, mock.opened);
	EXPECT_EQ(USER, open_event());
	EXPECT_EQ(USER, open_event());
	EXPECT_NE(0, create());
	EXPECT_EQ(1, mock.opened);
	EXPECT_EQ(1, mock.mapped);
}

TEST_F(client, keeps_the_low_descriptors_free)
{
	EXPECT_EQ(USER, open_event());
	EXPECT_EQ(1, count_fds());
	EXPECT_LE(512, device_fd);
	EXPECT_EQ(FD_CLOEXEC, fcntl(device_fd, F_GETFD));
}

TEST_F(client, works_with_a_low_limit_of_descriptors)
{
	struct rlimit limit = { 32, 32 };

	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
	EXPECT_EQ(USER, open_event());
	EXPECT_EQ(1, count_fds());
	EXPECT_EQ(FD_CLOEXEC, fcntl(device_fd, F_GETFD));
}

/* Without the module: ENOSYS at once, events cost nothing, and join later. */
TEST_F(client, lives_without_the_module_and_joins_later)
{
	static const int absent[] = { ENOENT, ENXIO, ENODEV };
	trace_id_t trid = 77;
	trace_event_id_t id = 77;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(absent); i++) {
		mock.open_errno = absent[i];
		EXPECT_EQ(ENOSYS, posix_trace_create(0, NULL, &trid));
		EXPECT_EQ(ENOSYS, posix_trace_eventid_open("name", &id));
	}
	EXPECT_EQ(77, trid);
	EXPECT_EQ(77, id);
	mock.open_errno = 0;
	want_event();
	EXPECT_FALSE(is_recorded(USER));
	EXPECT_FALSE(is_recorded(POSIX_TRACE_UNNAMED_USEREVENT));
	EXPECT_EQ(0, mock.opened);
	EXPECT_EQ(USER, open_event());
	EXPECT_TRUE(is_recorded(USER));
}

TEST_F(client, tells_that_the_device_is_not_for_this_user)
{
	trace_id_t trid;

	mock.open_errno = EACCES;
	EXPECT_EQ(EACCES, posix_trace_create(0, NULL, &trid));
	mock.open_errno = EPERM;
	EXPECT_EQ(EACCES, posix_trace_create(0, NULL, &trid));
}

/* A shortage passes; it must not shut the gate. */
TEST_F(client, tries_again_after_a_shortage)
{
	trace_event_id_t id;

	mock.open_errno = EMFILE;
	EXPECT_EQ(EMFILE, posix_trace_eventid_open("name", &id));
	mock.open_errno = 0;
	want_event();
	EXPECT_TRUE(is_recorded(USER));
}

/* Design section 9: ABI newer than the module. */
TEST_F(client, tells_that_the_module_is_too_old)
{
	trace_id_t trid;
	trace_event_id_t id;

	mock.answer = failing;
	failure = E2BIG;
	EXPECT_EQ(ENOSYS, posix_trace_create(0, NULL, &trid));
	EXPECT_EQ(ENOSYS, posix_trace_eventid_open("name", &id));
	failure = ENOTTY;
	EXPECT_EQ(ENOSYS, posix_trace_create(0, NULL, &trid));
	EXPECT_EQ(ENOSYS, posix_trace_eventid_open("name", &id));
	EXPECT_EQ(1, count_fds());
}

TEST_F(client, passes_errors_of_creation_on)
{
	static const int errors[] = {
		EAGAIN, EINVAL, EMFILE, ENFILE, ENOMEM, EPERM, ESRCH,
	};
	trace_id_t trid = 77;
	size_t i;

	mock.answer = failing;
	for (i = 0; i < ARRAY_SIZE(errors); i++) {
		failure = errors[i];
		EXPECT_EQ(errors[i], posix_trace_create(0, NULL, &trid));
	}
	EXPECT_EQ(77, trid);
	EXPECT_EQ(1, count_fds());
}

/* A descriptor that does not fit a trid is given back. */
static int big_stream(unsigned long cmd, void *arg)
{
	struct posixtrace_create *create = arg;
	int err = healthy(cmd, arg);

	create->stream = 1ULL << 39;
	return err;
}

TEST_F(client, gives_a_stream_back_that_fits_no_trid)
{
	trace_id_t trid = 77;

	mock.answer = big_stream;
	EXPECT_EQ(EMFILE, posix_trace_create(0, NULL, &trid));
	EXPECT_EQ(77, trid);
	EXPECT_EQ(1, count_fds());
}

TEST_F(client, refuses_bad_arguments_before_the_device)
{
	trace_attr_t attr;
	trace_id_t trid;
	trace_event_id_t id;

	posix_trace_attr_init(&attr);
	EXPECT_EQ(EINVAL, posix_trace_create(0, &attr, NULL));
	posix_trace_attr_setstreamfullpolicy(&attr, POSIX_TRACE_FLUSH);
	EXPECT_EQ(EINVAL, posix_trace_create(0, &attr, &trid));
	posix_trace_attr_destroy(&attr);
	EXPECT_EQ(EINVAL, posix_trace_create(0, &attr, &trid));
	EXPECT_EQ(EINVAL, posix_trace_eventid_open(NULL, &id));
	EXPECT_EQ(EINVAL, posix_trace_eventid_open("name", NULL));
	EXPECT_EQ(0, mock.opened);
}

TEST_F(client, measures_names)
{
	char name[TRACE_EVENT_NAME_MAX + 2];
	trace_event_id_t id = 77;

	memset(name, 'n', sizeof(name));
	name[TRACE_EVENT_NAME_MAX + 1] = '\0';
	EXPECT_EQ(ENAMETOOLONG, posix_trace_eventid_open(name, &id));
	EXPECT_EQ(ENAMETOOLONG, posix_trace_trid_eventid_open(1, name, &id));
	EXPECT_EQ(77, id);
	EXPECT_EQ(0, mock.opened);
	name[TRACE_EVENT_NAME_MAX] = '\0';
	EXPECT_EQ(0, posix_trace_eventid_open(name, &id));
	EXPECT_EQ(0, posix_trace_eventid_open("", &id));
}

TEST_F(client, records_what_is_wanted_and_nothing_else)
{
	trace_event_id_t id;

	open_event();
	for (id = 0; id < POSIXTRACE_EVENT_MAX + 2; id++)
		EXPECT_FALSE(is_recorded(id));
	EXPECT_FALSE(is_recorded(UINT_MAX));

	want_event();
	EXPECT_TRUE(is_recorded(USER));
	EXPECT_FALSE(is_recorded(USER + 1));
	EXPECT_FALSE(is_recorded(POSIX_TRACE_UNNAMED_USEREVENT));

	/* C-51: a system event is not made by this call. */
	memset(&mock.gate.events, 0xff, sizeof(mock.gate.events));
	for (id = 0; id < USER; id++)
		EXPECT_EQ(id == POSIX_TRACE_UNNAMED_USEREVENT, is_recorded(id));
	EXPECT_TRUE(is_recorded(POSIXTRACE_EVENT_MAX - 1));
	EXPECT_FALSE(is_recorded(POSIXTRACE_EVENT_MAX));
	EXPECT_FALSE(is_recorded(UINT_MAX));
}

TEST_F(client, tells_the_kernel_all_of_an_event)
{
	char data[3];

	open_event();
	want_event();
	posix_trace_event(USER, data, sizeof(data));
	EXPECT_EQ(sizeof(struct posixtrace_event), mock.event.size);
	EXPECT_EQ(USER, mock.event.event_id);
	EXPECT_EQ((uintptr_t)data, mock.event.data);
	EXPECT_EQ(sizeof(data), mock.event.data_size);
	EXPECT_EQ((uintptr_t)pthread_self(), mock.event.thread);
	EXPECT_NE(0, mock.event.address);
}

/* Traced by somebody else, and it never opened a name. */
TEST_F(client, records_the_unnamed_event_as_its_first)
{
	mock.gate.wanted = 1;
	mock.gate.events.bits[0] = 1ULL << POSIX_TRACE_UNNAMED_USEREVENT;
	EXPECT_FALSE(is_recorded(USER));
	EXPECT_EQ(1, mock.mapped);
	EXPECT_TRUE(is_recorded(POSIX_TRACE_UNNAMED_USEREVENT));
	EXPECT_EQ(1, mock.opened);
}

TEST_F(client, finds_out_once_that_there_is_no_module)
{
	mock.open_errno = ENOENT;
	EXPECT_FALSE(is_recorded(USER));
	mock.open_errno = 0;
	want_event();
	EXPECT_FALSE(is_recorded(USER));
	EXPECT_EQ(0, mock.opened);
}

TEST_F(client, asks_the_kernel_when_it_cannot_read_the_page)
{
	mock.gate.format = POSIXTRACE_GATE_FORMAT + 1;
	EXPECT_EQ(USER, open_event());
	EXPECT_EQ(0, mock.mapped);
	EXPECT_TRUE(is_recorded(USER));
	EXPECT_TRUE(is_recorded(USER + 1));
	EXPECT_FALSE(is_recorded(POSIX_TRACE_START));
}

TEST_F(client, asks_the_kernel_when_there_is_no_page)
{
	mock.map_errno = ENOMEM;
	EXPECT_EQ(USER, open_event());
	EXPECT_TRUE(is_recorded(USER));
	mock.map_errno = 0;
	EXPECT_EQ(USER, open_event());
	EXPECT_EQ(1, mock.mapped);
	EXPECT_FALSE(is_recorded(USER));
}

/* closefrom(), daemon(): the program does not know our descriptor. */
TEST_F(client, opens_the_device_again_when_it_was_closed)
{
	open_event();
	want_event();
	closefrom(3);
	EXPECT_TRUE(is_recorded(USER));
	EXPECT_EQ(2, mock.opened);
	EXPECT_TRUE(is_recorded(USER));
	EXPECT_EQ(2, mock.opened);
	EXPECT_EQ(1, count_fds());
	closefrom(3);
	EXPECT_NE(0, create());
	EXPECT_EQ(3, mock.opened);
}

TEST_F(client, leaves_a_file_alone_that_took_its_descriptor)
{
	struct stat st, other;
	int fd;

	open_event();
	want_event();
	fd = open(MOCK_OTHER, O_RDWR);
	ASSERT_EQ(device_fd, dup2(fd, device_fd));
	fstat(fd, &other);
	fd = device_fd;
	EXPECT_TRUE(is_recorded(USER));
	EXPECT_NE(fd, device_fd);
	EXPECT_EQ(0, fstat(fd, &st));
	EXPECT_EQ(other.st_rdev, st.st_rdev);
	EXPECT_EQ(2, mock.opened);
	EXPECT_TRUE(is_recorded(USER));
	EXPECT_EQ(2, mock.opened);
}

/* ... for instance in a chroot. */
TEST_F(client, gives_up_when_the_device_cannot_be_opened_again)
{
	trace_id_t trid;

	open_event();
	want_event();
	closefrom(3);
	mock.open_errno = ENOENT;
	EXPECT_FALSE(is_recorded(USER));
	EXPECT_EQ(ENOSYS, posix_trace_create(0, NULL, &trid));
	mock.open_errno = 0;
	EXPECT_TRUE(is_recorded(USER));
}

static pthread_barrier_t barrier;

static void *open_at_once(void *arg)
{
	bool *ok = arg;

	pthread_barrier_wait(&barrier);
	*ok = open_event() == USER;
	posix_trace_event(USER, "", 0);
	return NULL;
}

/* One wins, the others give back what they opened and mapped. */
TEST_F(client, opens_one_device_from_many_threads)
{
	pthread_t threads[8];
	bool ok[8] = { 0 };
	int round;
	size_t i;

	for (round = 0; round < 50; round++) {
		gate = &gate_ajar;
		mock.mapped = 0;
		closefrom(3);
		if (round % 2)
			device_fd = -1;
		pthread_barrier_init(&barrier, NULL, ARRAY_SIZE(threads));
		for (i = 0; i < ARRAY_SIZE(threads); i++)
			pthread_create(&threads[i], NULL, open_at_once, &ok[i]);
		for (i = 0; i < ARRAY_SIZE(threads); i++) {
			pthread_join(threads[i], NULL);
			EXPECT_TRUE(ok[i]);
		}
		EXPECT_EQ(1, mock.mapped);
		EXPECT_EQ(0, mock_look(device_fd));
		/* Both of two may win that find the same number closed. */
		EXPECT_GE(2, count_fds());
		if (round % 2)
			EXPECT_EQ(1, count_fds());
	}
	errno = 77;
}

/* Each function that is given a trid, and arguments that are good. */
static int call(int which, trace_id_t trid)
{
	struct timespec now = { 0 };
	struct posix_trace_status_info status;
	struct posix_trace_counters_np counters;
	struct posix_trace_event_info info;
	trace_event_set_t set = { 0 };
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_event_id_t id;
	trace_attr_t attr;
	size_t len;
	int n;

	posix_trace_attr_init(&attr);
	switch (which) {
	case 0: return posix_trace_start(trid);
	case 1: return posix_trace_stop(trid);
	case 2: return posix_trace_clear(trid);
	case 3: return posix_trace_get_attr(trid, &attr);
	case 4: return posix_trace_get_status(trid, &status);
	case 5: return posix_trace_get_counters_np(trid, &counters);
	case 6: return posix_trace_get_fd_np(trid, &n);
	case 7: return posix_trace_get_filter(trid, &set);
	case 8: return posix_trace_set_filter(trid, &set, 1);
	case 9: return posix_trace_trid_eventid_open(trid, "name", &id);
	case 10: return posix_trace_eventid_get_name(trid, USER, name);
	case 11: return posix_trace_eventtypelist_getnext_id(trid, &id, &n);
	case 12: return posix_trace_eventtypelist_rewind(trid);
	case 13: return posix_trace_trygetnext_event(trid, &info, NULL, 0,
						     &len, &n);
	case 14: return posix_trace_getnext_event(trid, &info, NULL, 0, &len,
						  &n);
	case 15: return posix_trace_timedgetnext_event(trid, &info, NULL, 0,
						       &len, &n, &now);
	case 16: return posix_trace_flush(trid);
	case 17: return posix_trace_shutdown(trid);
	default: return -1;
	}
}

#define LAST_CALL	17

/* Whatever says that this is not our stream. */
TEST_F(client, says_einval_for_what_is_no_stream)
{
	trace_id_t trid = create();
	int which, fd;

	EXPECT_EQ(0, posix_trace_get_fd_np(trid, &fd));
	for (which = 0; which <= LAST_CALL; which++) {
		mock.answer = failing;
		failure = EINVAL;
		EXPECT_EQ(EINVAL, call(which, trid));
		failure = ENOTTY;
		EXPECT_EQ(EINVAL, call(which, trid));
		failure = E2BIG;
		EXPECT_EQ(ENOSYS, call(which, trid));
		EXPECT_EQ(0, mock_look(fd));
		/* Never in the kernel: a log. */
		mock.answer = healthy;
		EXPECT_EQ(EINVAL, call(which, trid | 1ULL << 63));
		EXPECT_EQ(EINVAL, call(which, 0xffffff));
		EXPECT_EQ(EINVAL, call(which, ~0ULL));
	}
	close(fd);
	for (which = 0; which <= LAST_CALL; which++)
		EXPECT_EQ(EINVAL, call(which, trid));
}

static struct posixtrace_create seen_create;

static int see_create(unsigned long cmd, void *arg)
{
	if (cmd == POSIXTRACE_IOC_CREATE)
		seen_create = *(struct posixtrace_create *)arg;
	return healthy(cmd, arg);
}

/* C-17: with a log the default of the stream-full-policy is another one. */
TEST_F(client, says_what_the_log_is)
{
	trace_id_t trid;
	int fd = open("/dev/null", O_WRONLY);
	trace_attr_t attr;

	mock.answer = see_create;
	ASSERT_EQ(0, posix_trace_create_withlog(7, NULL, fd, &trid));
	EXPECT_EQ(POSIXTRACE_CREATE_LOG, seen_create.flags);
	EXPECT_EQ(fd, seen_create.log_fd);
	EXPECT_EQ(7, seen_create.pid);
	EXPECT_EQ(POSIXTRACE_POLICY_FLUSH, seen_create.stream_policy);
	EXPECT_EQ(POSIXTRACE_POLICY_LOOP, seen_create.log_policy);

	posix_trace_attr_init(&attr);
	posix_trace_attr_setstreamfullpolicy(&attr, POSIX_TRACE_LOOP);
	posix_trace_attr_setlogfullpolicy(&attr, POSIX_TRACE_APPEND);
	posix_trace_attr_setlogsize(&attr, 12345);
	ASSERT_EQ(0, posix_trace_create_withlog(0, &attr, fd, &trid));
	EXPECT_EQ(POSIXTRACE_POLICY_LOOP, seen_create.stream_policy);
	EXPECT_EQ(POSIXTRACE_POLICY_APPEND, seen_create.log_policy);
	EXPECT_EQ(12345, seen_create.log_size);

	ASSERT_EQ(0, posix_trace_create(0, NULL, &trid));
	EXPECT_EQ(0, seen_create.flags);
	EXPECT_EQ(0, seen_create.log_fd);
	EXPECT_EQ(POSIXTRACE_POLICY_LOOP, seen_create.stream_policy);
}

/* Not the ENOSYS that the device's own EBADF would be. */
TEST_F(client, says_ebadf_for_a_log_that_is_not_open_for_writing)
{
	trace_id_t trid;
	int fd = open("/dev/null", O_RDONLY);

	EXPECT_EQ(EBADF, posix_trace_create_withlog(0, NULL, fd, &trid));
	EXPECT_EQ(EBADF, posix_trace_create_withlog(0, NULL, -1, &trid));
	EXPECT_EQ(EBADF, posix_trace_create_withlog(0, NULL, 1000, &trid));
	close(fd);
	fd = open("/dev/null", O_PATH);
	EXPECT_EQ(EBADF, posix_trace_create_withlog(0, NULL, fd, &trid));
	EXPECT_EQ(0, mock.calls);
}

/* C-14: the stream has ended all the same, so its descriptor goes. */
TEST_F(client, ends_a_stream_whose_log_can_not_be_written)
{
	trace_id_t trid = create();
	int fd;

	EXPECT_EQ(0, posix_trace_get_fd_np(trid, &fd));
	mock.answer = failing;
	failure = ENOSPC;
	EXPECT_EQ(ENOSPC, posix_trace_flush(trid));
	EXPECT_EQ(0, mock_look(fd));
	EXPECT_EQ(ENOSPC, posix_trace_shutdown(trid));
	EXPECT_EQ(EBADF, mock_look(fd));
	EXPECT_EQ(EINVAL, posix_trace_shutdown(trid));
}

static __u64 seen_stream;

static int see_stream(unsigned long cmd, void *arg)
{
	(void)cmd;
	memcpy(&seen_stream, (char *)arg + 8, sizeof(seen_stream));
	return 0;
}

/* Every command says which stream it means: the field is at the same place. */
TEST_F(client, names_the_stream_in_every_command)
{
	trace_id_t trid = create();
	int which;

	mock.answer = see_stream;
	for (which = 0; which <= LAST_CALL; which++) {
		seen_stream = 0;
		EXPECT_EQ(0, call(which, trid));
		EXPECT_EQ(MOCK_STREAM, seen_stream);
	}
}

TEST_F(client, closes_a_stream_only_when_the_kernel_shut_it_down)
{
	trace_id_t trid = create();
	int fd;

	posix_trace_get_fd_np(trid, &fd);
	mock.answer = failing;
	failure = EINVAL;
	EXPECT_EQ(EINVAL, posix_trace_shutdown(trid));
	EXPECT_EQ(0, mock_look(fd));
	mock.answer = healthy;
	EXPECT_EQ(0, posix_trace_shutdown(trid));
	EXPECT_EQ(EBADF, mock_look(fd));
}

static struct posixtrace_control control_seen;
static struct posixtrace_filter filter_seen;

static int see_caller(unsigned long cmd, void *arg)
{
	if (cmd == POSIXTRACE_IOC_SET_FILTER)
		filter_seen = *(struct posixtrace_filter *)arg;
	else
		control_seen = *(struct posixtrace_control *)arg;
	return 0;
}

/* C-25: START, STOP and FILTER events show who called. */
TEST_F(client, tells_who_called)
{
	trace_event_set_t set = { { 1, 2, 3 } };
	trace_id_t trid = create();
	uintptr_t here = (uintptr_t)&client_tells_who_called;

	mock.answer = see_caller;
	EXPECT_EQ(0, posix_trace_start(trid));
	EXPECT_EQ((uintptr_t)pthread_self(), control_seen.thread);
	EXPECT_LT(here, control_seen.address);
	EXPECT_GT(here + 65536, control_seen.address);
	EXPECT_EQ(0, posix_trace_set_filter(trid, &set,
					    POSIX_TRACE_ADD_EVENTSET));
	EXPECT_EQ((uintptr_t)pthread_self(), filter_seen.thread);
	EXPECT_LT(here, filter_seen.address);
	EXPECT_GT(here + 65536, filter_seen.address);
	EXPECT_EQ(POSIXTRACE_ADD_EVENTSET, filter_seen.how);
	EXPECT_EQ(0, memcmp(&set, &filter_seen.set, sizeof(set)));
	EXPECT_EQ(EINVAL, posix_trace_set_filter(trid, &set, 0));
	EXPECT_EQ(EINVAL, posix_trace_set_filter(trid, &set, 4));
	EXPECT_EQ(EINVAL, posix_trace_set_filter(trid, NULL, 1));
}

/*
 * Reading. The scripted stream has no event until it was waited for as often
 * as @waits says; @wait_errno is what the last of these waits ends with.
 */
static int waits, wait_errno;
static struct posixtrace_wait wait_seen;

static int scripted(unsigned long cmd, void *arg)
{
	struct posixtrace_getnext *next = arg;

	if (cmd == POSIXTRACE_IOC_WAIT) {
		wait_seen = *(struct posixtrace_wait *)arg;
		return --waits ? 0 : wait_errno;
	}
	if (cmd != POSIXTRACE_IOC_GETNEXT)
		return healthy(cmd, arg);
	if (waits)
		return ENODATA;
	next->record = (struct posixtrace_record){
		.data_size = 3,
		.event_id = USER,
		.truncation = POSIXTRACE_TRUNCATED_READ,
		.pid = 11,
		.tid = 12,
		.timestamp = 13000000014,
		.thread = 15,
		.address = 16,
	};
	if (next->data_max >= 3)
		memcpy((void *)(uintptr_t)next->data, "abc", 3);
	return 0;
}

/* What a reader gives to the functions, and gets. */
struct results {
	trace_id_t trid;
	struct posix_trace_event_info info;
	char data[8];
	size_t len;
	int unavailable;
	struct timespec when;
};

FIXTURE(reader) {
	struct results r;
};

FIXTURE_SETUP(reader)
{
	self->r.trid = create();
	self->r.len = 77;
	self->r.when = (struct timespec){ 100, 200 };
	memset(&self->r.info, 0x55, sizeof(self->r.info));
	memset(self->r.data, 0x55, sizeof(self->r.data));
	mock.answer = scripted;
	waits = 0;
	wait_errno = 0;
	errno = 77;
}

FIXTURE_TEARDOWN(reader)
{
	EXPECT_EQ(77, errno);
}

static int read_next(struct results *r)
{
	return posix_trace_getnext_event(r->trid, &r->info, r->data,
					 sizeof(r->data), &r->len,
					 &r->unavailable);
}

static int read_timed(struct results *r, const struct timespec *when)
{
	return posix_trace_timedgetnext_event(r->trid, &r->info, r->data,
					      sizeof(r->data), &r->len,
					      &r->unavailable, when);
}

static int read_try(struct results *r)
{
	return posix_trace_trygetnext_event(r->trid, &r->info, r->data,
					    sizeof(r->data), &r->len,
					    &r->unavailable);
}

/* C-53: nothing but *unavailable was touched. */
static bool is_untouched(const struct results *r)
{
	struct results was;

	memset(&was, 0x55, sizeof(was));
	return !memcmp(&was.info, &r->info, sizeof(was.info)) &&
	       !memcmp(was.data, r->data, sizeof(was.data)) &&
	       r->len == 77 && r->unavailable;
}

static bool is_reported(const struct results *r)
{
	const struct posix_trace_event_info *info = &r->info;

	return info->posix_event_id == USER && info->posix_pid == 11 &&
	       info->posix_tid_np == 12 &&
	       info->posix_timestamp.tv_sec == 13 &&
	       info->posix_timestamp.tv_nsec == 14 &&
	       info->posix_thread_id == (pthread_t)15 &&
	       info->posix_prog_address == (void *)16 &&
	       info->posix_truncation_status == POSIX_TRACE_TRUNCATED_READ &&
	       r->len == 3 && !memcmp(r->data, "abc\x55", 4) &&
	       !r->unavailable;
}

TEST_F(reader, reports_an_event_at_hand)
{
	/* Without looking at the time. */
	self->r.when.tv_nsec = -1;
	EXPECT_EQ(0, read_timed(&self->r, &self->r.when));
	EXPECT_TRUE(is_reported(&self->r));
	EXPECT_EQ(0, read_timed(&self->r, NULL));
	EXPECT_EQ(0, read_try(&self->r));
	EXPECT_EQ(0, read_next(&self->r));
	EXPECT_TRUE(is_reported(&self->r));
}

TEST_F(reader, does_not_wait_when_it_tries)
{
	waits = 1;
	EXPECT_EQ(0, read_try(&self->r));
	EXPECT_TRUE(is_untouched(&self->r));
	EXPECT_EQ(1, waits);
}

/* Another thread may take what woke us. */
TEST_F(reader, waits_again_when_another_was_faster)
{
	waits = 3;
	EXPECT_EQ(0, read_next(&self->r));
	EXPECT_TRUE(is_reported(&self->r));
	EXPECT_EQ(0, wait_seen.flags);
	waits = 3;
	EXPECT_EQ(0, read_timed(&self->r, &self->r.when));
	EXPECT_EQ(POSIXTRACE_WAIT_TIMEOUT, wait_seen.flags);
	EXPECT_EQ(100, wait_seen.seconds);
	EXPECT_EQ(200, wait_seen.nanoseconds);
}

TEST_F(reader, touches_nothing_when_the_wait_fails)
{
	static const int errors[] = { EINTR, EINVAL, ETIMEDOUT };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(errors); i++) {
		wait_errno = errors[i];
		waits = 1;
		self->r.unavailable = 0;
		EXPECT_EQ(errors[i], read_next(&self->r));
		EXPECT_TRUE(is_untouched(&self->r));
		waits = 1;
		self->r.unavailable = 0;
		EXPECT_EQ(errors[i], read_timed(&self->r, &self->r.when));
		EXPECT_TRUE(is_untouched(&self->r));
	}
	waits = 1;
	self->r.unavailable = 0;
	EXPECT_EQ(EINVAL, read_timed(&self->r, NULL));
	EXPECT_TRUE(is_untouched(&self->r));
}

/* and no event is taken out. */
TEST_F(reader, refuses_null)
{
	int calls = mock.calls;

	EXPECT_EQ(EINVAL, posix_trace_getnext_event(self->r.trid, NULL, NULL, 0,
						    &self->r.len,
						    &self->r.unavailable));
	EXPECT_EQ(EINVAL, posix_trace_getnext_event(self->r.trid, &self->r.info,
						    NULL, 0, NULL,
						    &self->r.unavailable));
	EXPECT_EQ(EINVAL, posix_trace_getnext_event(self->r.trid, &self->r.info,
						    NULL, 0, &self->r.len, NULL));
	EXPECT_EQ(EINVAL, posix_trace_getnext_event(self->r.trid, &self->r.info,
						    NULL, 1, &self->r.len,
						    &self->r.unavailable));
	EXPECT_TRUE(is_untouched(&self->r));
	EXPECT_EQ(calls, mock.calls);
}

/*
 * Cancellation. A wait that blocks until somebody writes to the pipe.
 */
static int wake[2];
static atomic_bool blocked;

static int blocking(unsigned long cmd, void *arg)
{
	struct pollfd p = { .fd = wake[0], .events = POLLIN };
	struct timespec forever = { .tv_sec = 20 };

	if (cmd != POSIXTRACE_IOC_WAIT)
		return scripted(cmd, arg);
	blocked = true;
	/* No cancellation point, as ioctl() is none. */
	if (syscall(SYS_ppoll, &p, 1, &forever, NULL, 0) != 1)
		return EINTR;
	waits = 0;
	return 0;
}

struct reading {
	struct results *results;
	int state;		/* cancelability */
	bool pending;		/* cancel itself first */
	int result, type;
};

static void *read_event(void *arg)
{
	struct reading *r = arg;

	pthread_setcancelstate(r->state, NULL);
	if (r->pending)
		pthread_cancel(pthread_self());
	r->result = read_next(r->results);
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &r->type);
	return NULL;
}

static void wait_until_blocked(void)
{
	while (!blocked)
		usleep(1000);
	usleep(10000);
}

TEST_F(reader, is_cancelled_while_it_waits)
{
	struct reading r = { &self->r, PTHREAD_CANCEL_ENABLE, false, -1, -1 };
	pthread_t thread;
	void *status;

	ASSERT_EQ(0, pipe(wake));
	mock.answer = blocking;
	waits = 1;
	pthread_create(&thread, NULL, read_event, &r);
	wait_until_blocked();
	pthread_cancel(thread);
	pthread_join(thread, &status);
	EXPECT_EQ(PTHREAD_CANCELED, status);
	EXPECT_EQ(-1, r.result);
	/* The stream is as good as before. */
	waits = 0;
	EXPECT_EQ(0, read_try(&self->r));
	EXPECT_TRUE(is_reported(&self->r));
	errno = 77;
}

/* Also where it would not have to wait: no event is taken out. */
TEST_F(reader, acts_on_a_pending_cancel)
{
	struct reading r = { &self->r, PTHREAD_CANCEL_ENABLE, true, -1, -1 };
	pthread_t thread;
	void *status;
	int calls;

	for (waits = 0; waits < 2; waits++) {
		calls = mock.calls;
		pthread_create(&thread, NULL, read_event, &r);
		pthread_join(thread, &status);
		EXPECT_EQ(PTHREAD_CANCELED, status);
		EXPECT_EQ(-1, r.result);
		EXPECT_EQ(calls, mock.calls);
	}
}

TEST_F(reader, waits_on_where_cancellation_is_disabled)
{
	struct reading r = { &self->r, PTHREAD_CANCEL_DISABLE, false, -1, -1 };
	pthread_t thread;
	void *status;

	ASSERT_EQ(0, pipe(wake));
	mock.answer = blocking;
	waits = 1;
	pthread_create(&thread, NULL, read_event, &r);
	wait_until_blocked();
	pthread_cancel(thread);
	usleep(50000);
	EXPECT_EQ(-1, r.result);
	ASSERT_EQ(1, write(wake[1], "", 1));
	pthread_join(thread, &status);
	EXPECT_EQ(NULL, status);
	EXPECT_EQ(0, r.result);
	EXPECT_EQ(PTHREAD_CANCEL_DEFERRED, r.type);
	EXPECT_TRUE(is_reported(&self->r));
}

TEST_F(reader, leaves_cancelability_as_it_was)
{
	struct reading r = { &self->r, PTHREAD_CANCEL_ENABLE, false, -1, -1 };
	pthread_t thread;

	waits = 2;
	pthread_create(&thread, NULL, read_event, &r);
	pthread_join(thread, NULL);
	EXPECT_EQ(0, r.result);
	EXPECT_EQ(PTHREAD_CANCEL_DEFERRED, r.type);
}

/* C-67: no other function is a cancellation point. */
static void *call_all(void *arg)
{
	trace_id_t *stream = arg;
	static int done;
	trace_event_id_t id;
	trace_attr_t attr;
	trace_id_t trid;
	int which;

	pthread_cancel(pthread_self());
	/* Also where the device is to be opened (again). */
	open_event();
	want_event();
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	close(device_fd);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
	posix_trace_event(USER, "", 0);
	posix_trace_attr_init(&attr);
	posix_trace_eventid_open("name", &id);
	posix_trace_create(0, &attr, &trid);
	for (which = 0; which <= 13; which++)
		call(which, *stream);
	posix_trace_shutdown(trid);
	posix_trace_attr_destroy(&attr);
	done = 1;
	return &done;
}

TEST_F(reader, is_not_cancelled_elsewhere)
{
	pthread_t thread;
	void *status;

	pthread_create(&thread, NULL, call_all, &self->r.trid);
	pthread_join(thread, &status);
	ASSERT_NE(PTHREAD_CANCELED, status);
	EXPECT_EQ(1, *(int *)status);
}

/* Async-signal-safe: also in the middle of the first use of the library. */
static void record_in_handler(int sig)
{
	(void)sig;
	posix_trace_event(USER, "", 0);
}

TEST_F(client, records_in_signal_handlers)
{
	struct itimerval often = { { 0, 50 }, { 0, 50 } }, never = { 0 };
	sigset_t alarm;
	int i;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	want_event();
	signal(SIGALRM, record_in_handler);
	setitimer(ITIMER_REAL, &often, NULL);
	for (i = 0; i < 2000; i++) {
		sigprocmask(SIG_BLOCK, &alarm, NULL);
		gate = &gate_ajar;
		mock.mapped = 0;
		close(device_fd);
		device_fd = -1;
		sigprocmask(SIG_UNBLOCK, &alarm, NULL);
		EXPECT_EQ(USER, open_event());
		EXPECT_EQ(1, mock.mapped);
		EXPECT_TRUE(gate_is_page(gate_load()));
	}
	setitimer(ITIMER_REAL, &never, NULL);
	EXPECT_EQ(1, count_fds());
	errno = 77;
}

TEST_HARNESS_MAIN
