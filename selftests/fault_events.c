// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel event linux_page_fault: what was accessed, how, and by what.
 */
#include "family_test.h"

#include <setjmp.h>

#define PROTECTION	0x1
#define WRITE		0x2
#define USER		0x4
#define INSTRUCTION	0x10

#define OFFSET		8	/* in the page, of what is accessed */

/* What member 0 is told, in order.arg: each returns the address of a page. */
enum task {
	READ_FRESH,		/* a page that was never touched */
	WRITE_FRESH,
	READ_THEN_WRITE,
	READ_MAPPED,		/* a page that is there */
	READ_FORBIDDEN,		/* PROT_NONE */
	WRITE_READ_ONLY,	/* a page that is there */
	EXECUTE_DATA,
	LET_KERNEL_WRITE,	/* to a page that was never touched */
};

FIXTURE(fault_events) {
	struct family f;
	struct raw raw;
	pid_t pid;		/* of the target, member 0 */
};

static char *map(int protection, int flags)
{
	void *page = mmap(NULL, page_size(), protection,
			  MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	must_be(page != MAP_FAILED);
	return page;
}

static noinline void read_at(const char *p)
{
	(void)__atomic_load_n(p, __ATOMIC_SEQ_CST);
	no_tail_call();
}

static noinline void write_at(char *p)
{
	__atomic_store_n(p, 1, __ATOMIC_RELEASE);
	no_tail_call();
}

static sigjmp_buf back;

static void jump_back(int sig)
{
	siglongjmp(back, 1);
}

/* Let @fn access @p in vain. */
#define in_vain(fn, p) do {						\
	on_signal(SIGSEGV, jump_back, 0);				\
	if (!sigsetjmp(back, 1)) {					\
		fn(p);							\
		_exit(KSFT_FAIL);					\
	}								\
} while (0)

static void execute_at(char *p)
{
	((void (*)(void))p)();
}

static void let_kernel_write(char *p)
{
	int ends[2];

	must_be(!pipe(ends) && write(ends[1], "x", 1) == 1);
	must_be(read(ends[0], p, 1) == 1);
}

static long obey(int nr, const struct order *order)
{
	const int rw = PROT_READ | PROT_WRITE;
	char *page = NULL;

	switch (order->arg) {
	case READ_FRESH:
		page = map(rw, 0);
		read_at(page + OFFSET);
		break;
	case WRITE_FRESH:
		page = map(rw, 0);
		write_at(page + OFFSET);
		break;
	case READ_THEN_WRITE:
		page = map(rw, 0);
		read_at(page + OFFSET);
		write_at(page + OFFSET);
		break;
	case READ_MAPPED:
		page = map(rw, MAP_POPULATE);
		read_at(page + OFFSET);
		write_at(page + OFFSET);
		break;
	case READ_FORBIDDEN:
		page = map(PROT_NONE, 0);
		in_vain(read_at, page + OFFSET);
		break;
	case WRITE_READ_ONLY:
		page = map(PROT_READ, MAP_POPULATE);
		read_at(page + OFFSET);
		in_vain(write_at, page + OFFSET);
		break;
	case EXECUTE_DATA:
		page = map(rw, MAP_POPULATE);
		in_vain(execute_at, page + OFFSET);
		break;
	case LET_KERNEL_WRITE:
		page = map(rw, 0);
		let_kernel_write(page + OFFSET);
		break;
	}
	return (long)page;
}

FIXTURE_SETUP(fault_events)
{
	family_start(&self->f);
	self->pid = self->f.m[0].c.pid;
	self->raw = kernel_stream(self->f.device, self->pid, EVENT(PAGE_FAULT));
}

FIXTURE_TEARDOWN(fault_events)
{
	family_disband(&self->f);
}

/* The page that was accessed. */
static unsigned long let(struct family *f, enum task what)
{
	return family_do(f, 0,
			 (struct order){ .deed = DO_OTHER, .arg = what });
}

/* Those of @all that concern the page at @page. */
static struct collection of_page(struct collection all, unsigned long page)
{
	struct posixtrace_page_fault fault;
	size_t i, n = 0;

	for (i = 0; i < all.nr; i++) {
		if (!matches(&all.list[i], EVENT(PAGE_FAULT), 0))
			continue;
		fault = DATA(struct posixtrace_page_fault, &all.list[i]);
		if (fault.address >= page && fault.address < page + page_size())
			all.list[n++] = all.list[i];
	}
	all.nr = n;
	return all;
}

#define EXPECT_FAULT(page, error, by, ev) do {				\
	const struct kernel_event *seen = (ev);				\
	struct posixtrace_page_fault fault =				\
		DATA(struct posixtrace_page_fault, seen);		\
									\
	EXPECT_EQ((page) + OFFSET, fault.address);			\
	EXPECT_EQ(error, fault.error_code);				\
	EXPECT_EQ(self->pid, seen->record.pid);				\
	EXPECT_EQ(self->pid, seen->record.tid);				\
	EXPECT_TRUE(lies_in(seen->record.address, by))			\
		TH_LOG("%llx", seen->record.address);			\
} while (0)

TEST_F(fault_events, of_the_first_read)
{
	unsigned long page = let(&self->f, READ_FRESH);
	struct collection all = of_page(collect(self->raw), page);

	ASSERT_EQ(1, all.nr);
	EXPECT_FAULT(page, USER, read_at, all.list);
}

TEST_F(fault_events, of_the_first_write)
{
	unsigned long page = let(&self->f, WRITE_FRESH);
	struct collection all = of_page(collect(self->raw), page);

	ASSERT_EQ(1, all.nr);
	EXPECT_FAULT(page, USER | WRITE, write_at, all.list);
}

/* What was read is there, but cannot be written before it is copied. */
TEST_F(fault_events, of_a_write_after_a_read)
{
	unsigned long page = let(&self->f, READ_THEN_WRITE);
	struct collection all = of_page(collect(self->raw), page);

	ASSERT_EQ(2, all.nr);
	EXPECT_FAULT(page, USER, read_at, all.list);
	EXPECT_FAULT(page, USER | WRITE | PROTECTION, write_at, all.list + 1);
}

TEST_F(fault_events, of_a_page_that_is_there_are_none)
{
	unsigned long page = let(&self->f, READ_MAPPED);

	EXPECT_EQ(0, of_page(collect(self->raw), page).nr);
}

TEST_F(fault_events, of_a_page_that_may_not_be_read)
{
	unsigned long page = let(&self->f, READ_FORBIDDEN);
	struct collection all = of_page(collect(self->raw), page);

	ASSERT_EQ(1, all.nr);
	EXPECT_FAULT(page, USER, read_at, all.list);
}

TEST_F(fault_events, of_a_page_that_may_not_be_written)
{
	unsigned long page = let(&self->f, WRITE_READ_ONLY);
	struct collection all = of_page(collect(self->raw), page);

	ASSERT_EQ(1, all.nr);
	EXPECT_FAULT(page, USER | WRITE | PROTECTION, write_at, all.list);
}

TEST_F(fault_events, of_data_that_is_executed)
{
	unsigned long page = let(&self->f, EXECUTE_DATA);
	struct collection all = of_page(collect(self->raw), page);

	ASSERT_EQ(1, all.nr);
	EXPECT_FAULT(page, USER | PROTECTION | INSTRUCTION, page, all.list);
}

/* Only those in user mode. */
TEST_F(fault_events, of_the_kernel_are_none)
{
	unsigned long page = let(&self->f, LET_KERNEL_WRITE);

	EXPECT_EQ(0, of_page(collect(self->raw), page).nr);
}

TEST_HARNESS_MAIN
