// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module comes and goes: it stays while somebody has a descriptor or a
 * mapping of it, and can go right after.
 *
 * Needs root, and to be allowed to unload the module: it is run where init has
 * loaded it from MODULE, in a VM. POSIXTRACE_RELOADS is how often it goes,
 * default: 16.
 */
#include "kernel_test.h"
#include "withlog_test.h"

#define MODULE	"/lib/modules/posixtrace.ko"

/* What keeps the module. */
enum keeper {
	DEVICE,			/* a descriptor of it */
	MAPPING,		/* of the gate, and no descriptor */
	STREAM,
	STOPPED_STREAM,
	KERNEL_STREAM,
	FAMILY_STREAM,		/* on a process whose children live */
	LOG_STREAM,
	THE_LIBRARY,		/* whatever that keeps */
	KEEPERS
};

static int load(void)
{
	int fd = open(MODULE, O_RDONLY | O_CLOEXEC);
	int err = fd < 0 || syscall(SYS_finit_module, fd, "", 0) ? errno : 0;

	if (fd >= 0)
		close(fd);
	return err;
}

/* It does not wait until the module is not used any more. */
static int unload(void)
{
	return syscall(SYS_delete_module, "posixtrace", O_NONBLOCK) ? errno : 0;
}

static bool is_loaded(void)
{
	return !access("/sys/module/posixtrace", F_OK);
}

static int wait_to_end(const struct child *c, void *arg)
{
	await(c);
	return 0;
}

static void keep_stream(enum keeper keeper)
{
	struct posixtrace_create arg = create_arg(0);
	int device = device_open();
	struct raw raw;

	switch (keeper) {
	case STREAM:
		raw_running(device, 0);
		break;
	case KERNEL_STREAM:
		kernel_stream(device, 0, ALL_EVENTS);
		break;
	case FAMILY_STREAM:
		inherited_stream(device, 0, ALL_EVENTS);
		break;
	case LOG_STREAM:
		arg.flags = POSIXTRACE_CREATE_LOG;
		arg.stream_policy = POSIXTRACE_POLICY_FLUSH;
		arg.log_fd = log_file();
		must(raw_create(device, &arg, &raw));
		must(raw_control(raw, POSIXTRACE_IOC_START));
		close(arg.log_fd);
		break;
	default:
		must(raw_create(device, &arg, &raw));
	}
	must(raw_record(device, raw_eventid(device, "u"), "data", 4));
	close(device);
}

static void keep_library(void)
{
	trace_event_id_t id = open_event("u");
	trace_id_t trid = running_stream();
	struct ev ev;

	record_num(id, 1);
	must_be(ev_find(trid, id, &ev));
}

static void keep_mapping(void)
{
	int device = device_open();

	gate_map(device);
	close(device);
}

static void keep(enum keeper keeper)
{
	switch (keeper) {
	case DEVICE:
		device_open();
		break;
	case MAPPING:
		keep_mapping();
		break;
	case THE_LIBRARY:
		keep_library();
		break;
	default:
		keep_stream(keeper);
	}
}

/* It has children, which hold what it holds, and ends as it is told to. */
static int keep_until_told(const struct child *c, void *arg)
{
	struct child family[2];
	int i;

	keep(*(enum keeper *)arg);
	for (i = 0; i < 2; i++)
		child_start(&family[i], wait_to_end, NULL);
	hand(c);
	await(c);
	for (i = 0; i < 2; i++) {
		hand(&family[i]);
		must_be(!child_end(&family[i]));
	}
	return 0;
}

static int keep_until_killed(const struct child *c, void *arg)
{
	keep(*(enum keeper *)arg);
	hand(c);
	await(c);
	return 0;
}

/* Use the module in a process of its own; is it in use as long as that lives? */
static bool keeps_module(enum keeper keeper, bool killed)
{
	struct child c;
	int err;

	child_start(&c, killed ? keep_until_killed : keep_until_told, &keeper);
	await(&c);
	err = unload();
	if (!killed)
		hand(&c);
	must_be((killed ? child_kill(&c) - 128 - SIGKILL : child_end(&c)) == 0);
	return err == EWOULDBLOCK && is_loaded();
}

static unsigned int reloads(void)
{
	const char *value = getenv("POSIXTRACE_RELOADS");

	return value ? strtoul(value, NULL, 0) : 16;
}

FIXTURE(reload) {
};

FIXTURE_SETUP(reload)
{
	if (access(MODULE, R_OK) || geteuid())
		SKIP(return, "there is no module that can be reloaded");
	ASSERT_EQ(0, unload());
}

/* Other tests need it. */
FIXTURE_TEARDOWN(reload)
{
	if (!access(MODULE, R_OK) && !geteuid())
		EXPECT_EQ(0, load());
}

/* With nothing done in between */
TEST_F(reload, module_goes_when_nobody_has_used_it)
{
	ASSERT_EQ(0, load());
	EXPECT_TRUE(is_loaded());
	EXPECT_EQ(EEXIST, load());
	ASSERT_EQ(0, unload());
	EXPECT_FALSE(is_loaded());
	EXPECT_EQ(ENOENT, unload());
}

/* In use while somebody has it open or mapped, and no moment longer. */
TEST_F(reload, module_stays_while_it_is_used_and_goes_right_after)
{
	unsigned int i, nr = reloads();

	for (i = 0; i < nr; i++) {
		ASSERT_EQ(0, load());
		ASSERT_TRUE(keeps_module(i % KEEPERS, i / KEEPERS % 2))
			TH_LOG("keeper %u", i % KEEPERS);
		ASSERT_EQ(0, unload())
			TH_LOG("keeper %u", i % KEEPERS);
		ASSERT_FALSE(is_loaded());
	}
	TH_LOG("%u times", nr);
}

TEST_HARNESS_MAIN
