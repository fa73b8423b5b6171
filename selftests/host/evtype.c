// SPDX-License-Identifier: GPL-2.0-only
/*
 * kmod/evtype.c: names and identifiers.
 */
#include <stdio.h>

#include "kselftest_harness.h"
#include "fake_kernel.h"
#include "../../kmod/evtype.c"

int host_fail_alloc;
u64 host_clock;

FIXTURE(types)
{
	struct pxt_evtypes *types;
	char name[POSIXTRACE_EVENT_NAME_MAX + 1];
};

FIXTURE_SETUP(types)
{
	self->types = pxt_evtypes_create();
	ASSERT_NE(NULL, self->types);
}

FIXTURE_TEARDOWN(types)
{
	pxt_evtypes_put(self->types);
}

static const char *nth(FIXTURE_DATA(types) *self, int i)
{
	snprintf(self->name, sizeof(self->name), "name %d", i);
	return self->name;
}

TEST_F(types, first_name_gets_the_first_identifier)
{
	EXPECT_EQ(POSIXTRACE_EV_USER, pxt_evtypes_add(self->types, "a"));
	EXPECT_EQ(POSIXTRACE_EV_USER + 1, pxt_evtypes_add(self->types, "b"));
	EXPECT_EQ(POSIXTRACE_EV_USER, pxt_evtypes_add(self->types, "a"));
	EXPECT_EQ(2, pxt_evtypes_count(self->types));
}

TEST_F(types, names_and_identifiers_are_one_to_one)
{
	int i;

	for (i = 0; i < PXT_EVTYPES_MAX; i++)
		ASSERT_EQ(POSIXTRACE_EV_USER + i,
			  pxt_evtypes_add(self->types, nth(self, i)));
	for (i = 0; i < PXT_EVTYPES_MAX; i++) {
		ASSERT_EQ(POSIXTRACE_EV_USER + i,
			  pxt_evtypes_find(self->types, nth(self, i)));
		ASSERT_STREQ(self->name,
			     pxt_evtypes_name(self->types,
					      POSIXTRACE_EV_USER + i));
	}
}

TEST_F(types, full_table_refuses_new_names_and_knows_the_old)
{
	int i;

	for (i = 0; i < PXT_EVTYPES_MAX; i++)
		ASSERT_LT(0, pxt_evtypes_add(self->types, nth(self, i)));
	EXPECT_EQ(-ENOSPC, pxt_evtypes_add(self->types, "one more"));
	EXPECT_EQ(POSIXTRACE_EV_USER + 7,
		  pxt_evtypes_add(self->types, nth(self, 7)));
}

TEST_F(types, identifiers_without_a_name_have_none)
{
	u32 id;

	ASSERT_EQ(POSIXTRACE_EV_USER, pxt_evtypes_add(self->types, "a"));
	for (id = 0; id < 2 * POSIXTRACE_EVENT_MAX; id++)
		EXPECT_EQ(id != POSIXTRACE_EV_USER,
			  !pxt_evtypes_name(self->types, id));
	for (id = UINT_MAX; id > UINT_MAX - 100; id--)
		EXPECT_EQ(NULL, pxt_evtypes_name(self->types, id));
	EXPECT_EQ(0, pxt_evtypes_find(self->types, "b"));
}

TEST_F(types, copy_has_the_oldest_entries_and_goes_its_own_way)
{
	struct pxt_evtypes *copy;

	pxt_evtypes_add(self->types, "a");
	pxt_evtypes_add(self->types, "b");
	pxt_evtypes_add(self->types, "c");
	copy = pxt_evtypes_copy(self->types, 2);
	ASSERT_NE(NULL, copy);
	EXPECT_EQ(2, pxt_evtypes_count(copy));
	EXPECT_EQ(POSIXTRACE_EV_USER + 1, pxt_evtypes_find(copy, "b"));
	EXPECT_EQ(0, pxt_evtypes_find(copy, "c"));
	EXPECT_EQ(POSIXTRACE_EV_USER + 2, pxt_evtypes_add(copy, "d"));
	EXPECT_EQ(0, pxt_evtypes_find(self->types, "d"));
	pxt_evtypes_put(self->types);
	self->types = NULL;
	EXPECT_STREQ("a", pxt_evtypes_name(copy, POSIXTRACE_EV_USER));
	pxt_evtypes_put(copy);
}

TEST_F(types, want_of_memory_changes_nothing)
{
	host_fail_alloc = 1;
	EXPECT_EQ(-ENOMEM, pxt_evtypes_add(self->types, "a"));
	EXPECT_EQ(0, pxt_evtypes_count(self->types));
	host_fail_alloc = 1;
	EXPECT_EQ(NULL, pxt_evtypes_copy(self->types, 0));
	host_fail_alloc = 1;
	EXPECT_EQ(NULL, pxt_evtypes_create());
}

TEST(fixed_names_are_one_to_one)
{
	u32 id, nr = 0;

	for (id = 0; id < 2 * POSIXTRACE_EVENT_MAX; id++) {
		const char *name = pxt_evtype_fixed_name(id);

		if (!name)
			continue;
		nr++;
		EXPECT_EQ(id, pxt_evtype_fixed_id(name));
		EXPECT_GE(POSIXTRACE_EVENT_NAME_MAX, strlen(name));
	}
	EXPECT_EQ(POSIXTRACE_EV_STANDARD_END - 1 +
		  POSIXTRACE_EV_KERNEL_END - POSIXTRACE_EV_KERNEL, nr);
	EXPECT_EQ(0, pxt_evtype_fixed_id(""));
	EXPECT_EQ(0, pxt_evtype_fixed_id("posix_trace_starts"));
}

TEST_HARNESS_MAIN
