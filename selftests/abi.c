// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every command of include/linux/posixtrace.h with wrong sizes, unknown bits,
 * bad pointers, on the wrong file and with the wrong stream number: it fails as
 * the header says, and changes nothing.
 */
#include "abi_test.h"

#include <stddef.h>

/* An argument of any command, with room behind it. */
union arg {
	struct posixtrace_create create;
	struct posixtrace_name name;
	struct posixtrace_event event;
	struct posixtrace_limits limits;
	struct posixtrace_control control;
	struct posixtrace_status status;
	struct posixtrace_attr attr;
	struct posixtrace_filter filter;
	struct posixtrace_getnext getnext;
	struct posixtrace_wait wait;
	__u32 size;
	char bytes[8192];
};

/* A 32-bit field of which the bits in @unknown have no meaning. */
struct field {
	size_t offset;
	__u32 unknown;
};

#define MAX_FIELDS	5

/* What each test starts from. */
struct setting {
	int device;
	struct raw stream;	/* running, with events, filter and overrun */
	__u32 first;		/* names opened before */
	__u32 filtered;
	union arg arg;		/* a valid one */
	char data[256];
};

FIXTURE(abi) {
	struct setting s;
};

FIXTURE_VARIANT(abi) {
	unsigned long command;
	size_t first;			/* size of the first version */
	size_t size;			/* of today's */
	bool on_device;
	bool writes;			/* stores something in the argument */
	size_t stream;			/* offset of the stream number, or 0 */
	struct field fields[MAX_FIELDS];	/* unknown 0: no more */
	bool log;			/* the stream has one */
	void (*fill)(struct setting *s, union arg *arg);
};

static void fill_create(struct setting *s, union arg *arg)
{
	(void)s;
	arg->create = create_arg(0);
}

static int log_file(void)
{
	int fd = memfd_create("log", MFD_CLOEXEC);

	must_be(fd >= 0);
	return fd;
}

static void fill_create_log(struct setting *s, union arg *arg)
{
	fill_create(s, arg);
	arg->create.flags = POSIXTRACE_CREATE_LOG;
	arg->create.log_fd = log_file();
}

static void fill_name(struct setting *s, union arg *arg)
{
	(void)s;
	memcpy(arg->name.name, "first", sizeof("first"));
}

static void fill_event(struct setting *s, union arg *arg)
{
	arg->event.event_id = s->filtered;
	arg->event.data = (uintptr_t)s->data;
	arg->event.data_size = 4;
}

static void fill_event_id(struct setting *s, union arg *arg)
{
	arg->name.event_id = s->first;
}

static void fill_filter(struct setting *s, union arg *arg)
{
	(void)s;
	arg->filter.how = POSIXTRACE_ADD_EVENTSET;
}

static void fill_peek(struct setting *s, union arg *arg)
{
	(void)s;
	arg->status.flags = POSIXTRACE_STATUS_PEEK;
}

static void fill_getnext(struct setting *s, union arg *arg)
{
	arg->getnext.data = (uintptr_t)s->data;
	arg->getnext.data_max = sizeof(s->data);
}

/* Sizes of first versions: what was compiled once must work for ever. */
#define FIRST_posixtrace_create		256
#define FIRST_posixtrace_name		80
#define FIRST_posixtrace_event		40
#define FIRST_posixtrace_limits		24
#define FIRST_posixtrace_control	32
#define FIRST_posixtrace_status		104
#define FIRST_posixtrace_attr		256
#define FIRST_posixtrace_filter		160
#define FIRST_posixtrace_getnext	80
#define FIRST_posixtrace_wait		32

#define ON_DEVICE(cmd, type)					\
	.command = cmd, .first = FIRST_##type,			\
	.size = sizeof(struct type), .on_device = true

#define ON_STREAM(cmd, type)					\
	.command = cmd, .first = FIRST_##type,			\
	.size = sizeof(struct type),				\
	.stream = offsetof(struct type, stream)

#define MUST_BE_0(type, member)	{ offsetof(struct type, member), ~0U }

#define CONTROL(cmd)						\
	ON_STREAM(cmd, posixtrace_control),			\
	.fields = { MUST_BE_0(posixtrace_control, __reserved) }

#define CREATE_FLAGS	(POSIXTRACE_CREATE_LOG | POSIXTRACE_CREATE_SYSCALLS)

FIXTURE_VARIANT_ADD(abi, create) {
	ON_DEVICE(POSIXTRACE_IOC_CREATE, posixtrace_create),
	.writes = true,
	.fields = {
		{ offsetof(struct posixtrace_create, flags), ~CREATE_FLAGS },
		/* Without their flags. */
		MUST_BE_0(posixtrace_create, log_fd),
		MUST_BE_0(posixtrace_create, syscalls.bits[0]),
		MUST_BE_0(posixtrace_create, syscalls.bits[7]),
	},
	.fill = fill_create,
};

FIXTURE_VARIANT_ADD(abi, create_log) {
	ON_DEVICE(POSIXTRACE_IOC_CREATE, posixtrace_create),
	.writes = true,
	.fields = {
		{ offsetof(struct posixtrace_create, flags), ~CREATE_FLAGS },
	},
	.fill = fill_create_log,
};

FIXTURE_VARIANT_ADD(abi, eventid_open) {
	ON_DEVICE(POSIXTRACE_IOC_EVENTID_OPEN, posixtrace_name),
	.writes = true,
	.fields = {
		MUST_BE_0(posixtrace_name, stream),
		{ offsetof(struct posixtrace_name, stream) + 4, ~0U },
	},
	.fill = fill_name,
};

FIXTURE_VARIANT_ADD(abi, event) {
	ON_DEVICE(POSIXTRACE_IOC_EVENT, posixtrace_event),
	.fill = fill_event,
};

FIXTURE_VARIANT_ADD(abi, limits) {
	ON_DEVICE(POSIXTRACE_IOC_LIMITS, posixtrace_limits),
	.writes = true,
	.fields = { MUST_BE_0(posixtrace_limits, __reserved) },
};

/* The stream runs already: START changes nothing. */
FIXTURE_VARIANT_ADD(abi, start) { CONTROL(POSIXTRACE_IOC_START) };
FIXTURE_VARIANT_ADD(abi, stop) { CONTROL(POSIXTRACE_IOC_STOP) };
FIXTURE_VARIANT_ADD(abi, clear) { CONTROL(POSIXTRACE_IOC_CLEAR) };
FIXTURE_VARIANT_ADD(abi, shutdown) { CONTROL(POSIXTRACE_IOC_SHUTDOWN) };
FIXTURE_VARIANT_ADD(abi, typelist_rewind) {
	CONTROL(POSIXTRACE_IOC_TYPELIST_REWIND)
};
FIXTURE_VARIANT_ADD(abi, flush) { CONTROL(POSIXTRACE_IOC_FLUSH), .log = true };
FIXTURE_VARIANT_ADD(abi, clear_log) {
	CONTROL(POSIXTRACE_IOC_CLEAR), .log = true
};
FIXTURE_VARIANT_ADD(abi, shutdown_log) {
	CONTROL(POSIXTRACE_IOC_SHUTDOWN), .log = true
};

FIXTURE_VARIANT_ADD(abi, get_status) {
	ON_STREAM(POSIXTRACE_IOC_GET_STATUS, posixtrace_status),
	.writes = true,
	.fields = {
		{ offsetof(struct posixtrace_status, flags),
		  ~POSIXTRACE_STATUS_PEEK },
		MUST_BE_0(posixtrace_status, __reserved),
	},
};

FIXTURE_VARIANT_ADD(abi, peek_status) {
	ON_STREAM(POSIXTRACE_IOC_GET_STATUS, posixtrace_status),
	.writes = true,
	.fields = {
		{ offsetof(struct posixtrace_status, flags),
		  ~POSIXTRACE_STATUS_PEEK },
		MUST_BE_0(posixtrace_status, __reserved),
	},
	.fill = fill_peek,
};

FIXTURE_VARIANT_ADD(abi, get_attr) {
	ON_STREAM(POSIXTRACE_IOC_GET_ATTR, posixtrace_attr),
	.writes = true,
	.fields = {
		MUST_BE_0(posixtrace_attr, __reserved),
		MUST_BE_0(posixtrace_attr, __reserved2),
	},
};

FIXTURE_VARIANT_ADD(abi, get_filter) {
	ON_STREAM(POSIXTRACE_IOC_GET_FILTER, posixtrace_filter),
	.writes = true,
	.fields = { MUST_BE_0(posixtrace_filter, how) },
};

FIXTURE_VARIANT_ADD(abi, set_filter) {
	ON_STREAM(POSIXTRACE_IOC_SET_FILTER, posixtrace_filter),
	.fields = { { offsetof(struct posixtrace_filter, how), ~3U } },
	.fill = fill_filter,
};

FIXTURE_VARIANT_ADD(abi, getnext) {
	ON_STREAM(POSIXTRACE_IOC_GETNEXT, posixtrace_getnext),
	.writes = true,
	.fields = {
		{ offsetof(struct posixtrace_getnext, flags),
		  ~POSIXTRACE_GETNEXT_TRY },
	},
	.fill = fill_getnext,
};

FIXTURE_VARIANT_ADD(abi, wait) {
	ON_STREAM(POSIXTRACE_IOC_WAIT, posixtrace_wait),
	.fields = {
		{ offsetof(struct posixtrace_wait, flags),
		  ~POSIXTRACE_WAIT_TIMEOUT },
	},
};

FIXTURE_VARIANT_ADD(abi, trid_eventid_open) {
	ON_STREAM(POSIXTRACE_IOC_TRID_EVENTID_OPEN, posixtrace_name),
	.writes = true,
	.fill = fill_name,
};

FIXTURE_VARIANT_ADD(abi, eventid_get_name) {
	ON_STREAM(POSIXTRACE_IOC_EVENTID_GET_NAME, posixtrace_name),
	.writes = true,
	.fill = fill_event_id,
};

FIXTURE_VARIANT_ADD(abi, typelist_next) {
	ON_STREAM(POSIXTRACE_IOC_TYPELIST_NEXT, posixtrace_name),
	.writes = true,
};

/* A running stream with events, a filter and an overrun. */
FIXTURE_SETUP(abi)
{
	union arg arg = {};
	__u64 number;

	self->s.device = device_open();
	self->s.first = raw_eventid(self->s.device, "first");
	self->s.filtered = raw_eventid(self->s.device, "filtered");
	if (variant->log)
		fill_create_log(&self->s, &arg);
	else
		fill_create(&self->s, &arg);
	must(raw_create(self->s.device, &arg.create, &self->s.stream));
	must(raw_control(self->s.stream, POSIXTRACE_IOC_START));
	raw_filter_out(self->s.stream, self->s.filtered);
	raw_record(self->s.device, self->s.first, "1234", 4);
	/* Unreadable data: the event is lost, which sets the overrun. */
	raw_record(self->s.device, self->s.first, NOWHERE, 4);
	ASSERT_EQ(3, raw_peek(self->s.stream).recorded);
	ASSERT_EQ(1, raw_peek(self->s.stream).lost);
	ASSERT_EQ(1, raw_peek(self->s.stream).overrun);

	if (variant->fill)
		variant->fill(&self->s, &self->s.arg);
	self->s.arg.size = variant->size;
	number = self->s.stream.number;
	if (variant->stream)
		memcpy(self->s.arg.bytes + variant->stream, &number,
		       sizeof(number));
}

FIXTURE_TEARDOWN(abi)
{
}

/* What a call that fails must leave as it was. */
struct state {
	struct posixtrace_status status;
	struct posixtrace_attr attr;
	struct posixtrace_event_set filter;
	__u32 streams;
};

static struct state state_of(const struct setting *s)
{
	return (struct state){
		.status = raw_peek(s->stream),
		.attr = raw_attr(s->stream),
		.filter = raw_filter(s->stream),
		.streams = streams_now(s->device),
	};
}

/* Call the command of this variant, on the file it belongs to. */
static int call_it(const struct setting *s, bool on_device,
		   unsigned long command, void *arg)
{
	return call(on_device ? s->device : s->stream.fd, command, arg);
}

#define CALL(arg) \
	call_it(&self->s, variant->on_device, variant->command, arg)

/* Everything is as it was when @before was taken. */
#define EXPECT_UNCHANGED(before) do {					\
	struct state was = (before), after = state_of(&self->s);	\
									\
	EXPECT_EQ(0, memcmp(&was.status, &after.status,		\
			    sizeof(after.status)));			\
	EXPECT_EQ(0, memcmp(&was.attr, &after.attr,		\
			    sizeof(after.attr)));			\
	EXPECT_EQ(0, memcmp(&was.filter, &after.filter,		\
			    sizeof(after.filter)));			\
	EXPECT_EQ(was.streams, after.streams);			\
} while (0)

/* Call with @where as argument: @error, and everything stays as it was. */
#define EXPECT_REFUSED(error, where) do {				\
	struct state old = state_of(&self->s);				\
									\
	EXPECT_EQ(error, CALL(where));					\
	EXPECT_UNCHANGED(old);						\
} while (0)

/* START, FILTER and one user event were recorded, and all are still there. */
#define EXPECT_ALL_EVENTS_THERE() EXPECT_EQ(3, raw_drain(self->s.stream))

TEST_F(abi, takes_the_exact_size)
{
	EXPECT_EQ(0, CALL(&self->s.arg));
	EXPECT_EQ(variant->size, self->s.arg.size);
}

TEST_F(abi, takes_the_size_of_the_first_version)
{
	self->s.arg.size = variant->first;
	memset(self->s.arg.bytes + variant->first, 0x5a, 64);
	EXPECT_EQ(0, CALL(&self->s.arg));
	/* Nothing behind it is read or written. */
	EXPECT_EQ(variant->first, self->s.arg.size);
	EXPECT_EQ(0x5a, self->s.arg.bytes[variant->first]);
	EXPECT_EQ(0x5a, self->s.arg.bytes[variant->first + 63]);
}

TEST_F(abi, refuses_less_than_the_first_version)
{
	__u32 sizes[] = { 0, 1, 4, 8, variant->first - 8, variant->first - 1 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		self->s.arg.size = sizes[i];
		EXPECT_REFUSED(EINVAL, &self->s.arg);
	}
	EXPECT_ALL_EVENTS_THERE();
}

TEST_F(abi, takes_a_longer_one_whose_rest_is_zero)
{
	self->s.arg.size = variant->size + 1;
	EXPECT_EQ(0, CALL(&self->s.arg));
	EXPECT_EQ(0, self->s.arg.bytes[variant->size]);
}

TEST_F(abi, takes_a_whole_page_whose_rest_is_zero)
{
	self->s.arg.size = page_size();
	EXPECT_EQ(0, CALL(&self->s.arg));
}

TEST_F(abi, refuses_a_longer_one_whose_rest_is_not_zero)
{
	size_t page = page_size();

	self->s.arg.size = variant->size + 1;
	self->s.arg.bytes[variant->size] = 1;
	EXPECT_REFUSED(E2BIG, &self->s.arg);
	self->s.arg.bytes[variant->size] = 0;
	self->s.arg.size = page;
	self->s.arg.bytes[page - 1] = (char)0x80;
	EXPECT_REFUSED(E2BIG, &self->s.arg);
	EXPECT_ALL_EVENTS_THERE();
}

TEST_F(abi, refuses_more_than_a_page)
{
	self->s.arg.size = page_size() + 1;
	EXPECT_REFUSED(E2BIG, &self->s.arg);
	self->s.arg.size = 0x80000000;
	EXPECT_REFUSED(E2BIG, &self->s.arg);
	self->s.arg.size = 0xffffffff;
	EXPECT_REFUSED(E2BIG, &self->s.arg);
	EXPECT_ALL_EVENTS_THERE();
}

TEST_F(abi, refuses_each_unknown_bit)
{
	const struct field *field;
	__u32 valid, bad, bit;

	for (field = variant->fields;
	     field < variant->fields + MAX_FIELDS && field->unknown; field++) {
		memcpy(&valid, self->s.arg.bytes + field->offset, sizeof(valid));
		for (bit = 1; bit; bit <<= 1) {
			if (!(field->unknown & bit))
				continue;
			bad = valid | bit;
			memcpy(self->s.arg.bytes + field->offset, &bad,
			       sizeof(bad));
			EXPECT_REFUSED(EINVAL, &self->s.arg);
		}
		memcpy(self->s.arg.bytes + field->offset, &valid, sizeof(valid));
	}
	EXPECT_ALL_EVENTS_THERE();
}

TEST_F(abi, refuses_an_argument_that_is_nowhere)
{
	EXPECT_REFUSED(EFAULT, NULL);
	EXPECT_REFUSED(EFAULT, NOWHERE);
	EXPECT_REFUSED(EFAULT, page_end());
	EXPECT_REFUSED(EFAULT, (void *)-8L);
	EXPECT_REFUSED(EFAULT, (void *)(1UL << 63));
	EXPECT_ALL_EVENTS_THERE();
}

TEST_F(abi, refuses_an_argument_cut_by_the_end_of_a_page)
{
	size_t cuts[] = { 1, 4, 8, variant->size / 2 & ~7UL,
			  variant->size - 4, variant->size - 1 };
	char *end = page_end();
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cuts); i++) {
		size_t there = variant->size - cuts[i];

		memcpy(end - there, &self->s.arg, there);
		EXPECT_REFUSED(EFAULT, end - there);
	}
	EXPECT_ALL_EVENTS_THERE();
}

TEST_F(abi, touches_nothing_behind_its_end)
{
	char *where = page_end() - variant->size;

	memcpy(where, &self->s.arg, variant->size);
	EXPECT_EQ(0, CALL(where));
}

TEST_F(abi, refuses_a_read_only_argument_it_has_to_write)
{
	void *where = read_only(&self->s.arg, variant->size);

	if (!variant->writes) {
		EXPECT_EQ(0, CALL(where));
		return;
	}
	EXPECT_REFUSED(EFAULT, where);
	EXPECT_ALL_EVENTS_THERE();
}

TEST_F(abi, refuses_the_number_of_another_stream)
{
	struct raw other = raw_stream(self->s.device, 0);
	__u64 numbers[] = { 0, other.number, other.number + 1,
			    self->s.stream.number ^ 1ULL << 32, ~0ULL };
	unsigned int i;

	if (!variant->stream)
		return;
	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		memcpy(self->s.arg.bytes + variant->stream, &numbers[i],
		       sizeof(numbers[i]));
		EXPECT_REFUSED(EINVAL, &self->s.arg);
	}
	EXPECT_ALL_EVENTS_THERE();
}

TEST_F(abi, is_no_command_of_the_other_kind_of_file)
{
	int wrong = variant->on_device ? self->s.stream.fd : self->s.device;
	struct state before = state_of(&self->s);

	EXPECT_EQ(ENOTTY, call(wrong, variant->command, &self->s.arg));
	EXPECT_EQ(ENOTTY, call(wrong, variant->command, NULL));
	EXPECT_UNCHANGED(before);
	EXPECT_ALL_EVENTS_THERE();
}

TEST_F(abi, is_refused_after_the_shutdown)
{
	struct raw next;

	if (!variant->stream)
		return;
	EXPECT_EQ(0, raw_control(self->s.stream, POSIXTRACE_IOC_SHUTDOWN));
	EXPECT_EQ(EINVAL, call(self->s.stream.fd, variant->command, &self->s.arg));

	/* Also when a new stream has the descriptor. */
	EXPECT_EQ(0, close(self->s.stream.fd));
	next = raw_stream(self->s.device, 0);
	ASSERT_EQ(self->s.stream.fd, next.fd);
	EXPECT_NE(self->s.stream.number, next.number);
	EXPECT_EQ(EINVAL, call(next.fd, variant->command, &self->s.arg));
	EXPECT_EQ(0, raw_peek(next).recorded);
}

TEST_F(abi, is_refused_to_a_child_of_the_owner)
{
	int status;
	pid_t pid;

	if (!variant->stream)
		return;
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		_exit(call(self->s.stream.fd, variant->command, &self->s.arg));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(EINVAL, WEXITSTATUS(status));
	EXPECT_EQ(3, raw_peek(self->s.stream).recorded);
	EXPECT_EQ(1, raw_peek(self->s.stream).overrun);
	EXPECT_ALL_EVENTS_THERE();
}

TEST_HARNESS_MAIN
