// SPDX-License-Identifier: GPL-2.0-only
/*
 * The gate page under attack: whatever a process does with the mapping, or
 * another one to it, it is never writable and never shows another process's
 * page. See gate.c for what it says and for the plain ways to write to it.
 */
#include "abi_test.h"

#include <linux/futex.h>
#include <linux/userfaultfd.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

FIXTURE(tricks) {
	int device;
	__u32 id;
	const struct posixtrace_gate *gate;
	struct raw raw;		/* traces the test itself: its gate is open */
};

FIXTURE_SETUP(tricks)
{
	self->device = device_open();
	self->id = raw_eventid(self->device, "user event");
	self->gate = gate_map(self->device);
	self->raw = raw_running(self->device, 0);
	ASSERT_TRUE(gate_wants(self->gate, self->id));
}

FIXTURE_TEARDOWN(tricks)
{
}

/* It is the test's own page, as it was. */
#define EXPECT_UNHARMED(where) do {					\
	struct posixtrace_gate seen_gate = gate_now(where);		\
									\
	EXPECT_EQ(POSIXTRACE_GATE_FORMAT, seen_gate.format);		\
	EXPECT_EQ(1, seen_gate.wanted);					\
} while (0)

/* A child with the mapping of its parent, at which it looks if it is told to. */
static int be_child(const struct child *c, void *arg)
{
	struct posixtrace_gate now;

	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	now = gate_now(arg);
	return now.format == POSIXTRACE_GATE_FORMAT && !now.wanted ? 0 : 1;
}

static int be_toucher(const struct child *c, void *arg)
{
	must_be(!gate_now(arg).wanted);
	return be_child(c, arg);
}

static void stopped(struct child *c)
{
	int status;

	must_be(waitpid(c->pid, &status, 0) == c->pid && WIFSTOPPED(status));
}

TEST_F(tricks, a_debugger_writes_nothing)
{
	struct child c;

	child_start(&c, be_toucher, (void *)self->gate);
	stopped(&c);
	EXPECT_EQ(-1, ptrace(PTRACE_POKEDATA, c.pid, (void *)self->gate, -1L));
	EXPECT_EQ(EIO, errno);
	errno = 0;
	EXPECT_EQ(POSIXTRACE_GATE_FORMAT,
		  ptrace(PTRACE_PEEKDATA, c.pid, (void *)self->gate, NULL));
	EXPECT_EQ(0, errno);
	EXPECT_EQ(0, ptrace(PTRACE_CONT, c.pid, NULL, NULL));
	EXPECT_EQ(0, child_end(&c));
	EXPECT_UNHARMED(self->gate);
}

/* The child has the mapping, but no page yet: the debugger's is not put there. */
TEST_F(tricks, a_debugger_that_looks_first_sees_nothing)
{
	char seen[sizeof(struct posixtrace_gate)];
	struct iovec to = { seen, sizeof(seen) };
	struct iovec from = { (void *)self->gate, sizeof(seen) };
	struct child c;
	char path[64];
	int mem;

	child_start(&c, be_child, (void *)self->gate);
	stopped(&c);
	EXPECT_EQ(-1, process_vm_readv(c.pid, &to, 1, &from, 1, 0));
	/* ENOSYS: a kernel without it. */
	EXPECT_TRUE(errno == EFAULT || errno == ENOSYS);
	EXPECT_EQ(-1, ptrace(PTRACE_PEEKDATA, c.pid, (void *)self->gate, NULL));
	EXPECT_EQ(EIO, errno);
	EXPECT_EQ(-1, ptrace(PTRACE_POKEDATA, c.pid, (void *)self->gate, -1L));
	EXPECT_EQ(EIO, errno);
	snprintf(path, sizeof(path), "/proc/%d/mem", c.pid);
	mem = open(path, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, mem);
	EXPECT_EQ(-1, pread(mem, seen, sizeof(seen), (uintptr_t)self->gate));
	EXPECT_EQ(-1, pwrite(mem, seen, sizeof(seen), (uintptr_t)self->gate));
	close(mem);
	/* It finds its own page, which is shut. */
	EXPECT_EQ(0, ptrace(PTRACE_CONT, c.pid, NULL, NULL));
	EXPECT_EQ(0, child_end(&c));
	EXPECT_UNHARMED(self->gate);
}

TEST_F(tricks, its_own_hand_writes_nothing_through_proc)
{
	int mem = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
	__u32 value = -1;

	ASSERT_LE(0, mem);
	EXPECT_EQ(-1, pwrite(mem, &value, sizeof(value),
			     (uintptr_t)&self->gate->format));
	EXPECT_EQ(EIO, errno);
	EXPECT_UNHARMED(self->gate);
}

/* The kernel writes there as little as the program. */
TEST_F(tricks, no_call_stores_its_result_there)
{
	struct posixtrace_limits *limits = (void *)self->gate;
	int pair[2];

	ASSERT_EQ(0, pipe(pair));
	ASSERT_EQ(4, write(pair[1], "\377\377\377\377", 4));
	EXPECT_EQ(-1, read(pair[0], (void *)self->gate, 4));
	EXPECT_EQ(EFAULT, errno);
	/* As a struct its first field is 1: too small. */
	EXPECT_EQ(EINVAL, call(self->device, POSIXTRACE_IOC_LIMITS, limits));
	EXPECT_EQ(-1, read(self->raw.fd, (void *)self->gate, 4096));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_UNHARMED(self->gate);
	EXPECT_EQ(1, raw_drain(self->raw));
}

static bool protects(const void *p, int prot)
{
	return !mprotect((void *)p, page_size(), prot);
}

/* Wherever it is moved to, and in each copy of the mapping. */
TEST_F(tricks, moved_and_doubled_it_stays_read_only)
{
	size_t page = page_size();
	void *copies[3];
	unsigned int i;

	/* Of a shared mapping of no length there is a second one. */
	copies[0] = mremap((void *)self->gate, 0, page, MREMAP_MAYMOVE);
	copies[1] = mmap(NULL, page, PROT_READ, MAP_SHARED, self->device, 0);
	copies[2] = copies[1] == MAP_FAILED ? MAP_FAILED :
		    mremap(copies[1], page, page, MREMAP_MAYMOVE |
			   MREMAP_FIXED, page_end() - page);
	for (i = 0; i < ARRAY_SIZE(copies); i++) {
		if (i == 1 || copies[i] == MAP_FAILED)
			continue;
		EXPECT_UNHARMED(copies[i]);
		EXPECT_FALSE(protects(copies[i], PROT_READ | PROT_WRITE));
		EXPECT_FALSE(protects(copies[i], PROT_WRITE));
		EXPECT_FALSE(protects(copies[i], PROT_READ | PROT_EXEC));
		EXPECT_EQ(MAP_FAILED, mremap(copies[i], page, 2 * page,
					     MREMAP_MAYMOVE));
	}
	EXPECT_NE(MAP_FAILED, copies[2]);
	EXPECT_UNHARMED(self->gate);
}

/* No advice, and no other page of the file, brings another page there. */
TEST_F(tricks, advice_changes_nothing)
{
	static const int advice[] = {
		MADV_DONTNEED, MADV_REMOVE, MADV_FREE, MADV_WILLNEED,
		MADV_DOFORK, MADV_MERGEABLE, MADV_HUGEPAGE, MADV_WIPEONFORK,
		MADV_PAGEOUT, MADV_COLD, MADV_DODUMP,
	};
	size_t page = page_size();
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(advice); i++) {
		madvise((void *)self->gate, page, advice[i]);
		EXPECT_UNHARMED(self->gate);
		EXPECT_FALSE(protects(self->gate, PROT_READ | PROT_WRITE));
	}
	/* If there is such a call still: a page that the file does not have. */
	if (!syscall(SYS_remap_file_pages, self->gate, page, 0, 1, 0)) {
		char byte;
		struct iovec to = { &byte, 1 }, from = { (void *)self->gate, 1 };

		EXPECT_EQ(-1, process_vm_readv(getpid(), &to, 1, &from, 1, 0));
	}
}

TEST_F(tricks, nobody_serves_its_faults)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = {
		.range = { (uintptr_t)self->gate, page_size() },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	int uffd = syscall(SYS_userfaultfd, O_CLOEXEC);

	if (uffd < 0)
		SKIP(return, "no userfaultfd");
	ASSERT_EQ(0, ioctl(uffd, UFFDIO_API, &api));
	EXPECT_EQ(-1, ioctl(uffd, UFFDIO_REGISTER, &range));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_UNHARMED(self->gate);
}

/*
 * The end of a process
 */

/* The list of robust futexes is read when the thread exits. */
static int exit_with_list_in_gate(const struct child *c, void *arg)
{
	must_be(!syscall(SYS_set_robust_list, arg,
			 sizeof(struct robust_list_head)));
	return 0;
}

/* Looked at for the first time by the kernel, for a thread that exits. */
TEST_F(tricks, is_mapped_while_its_process_dies)
{
	__u32 streams = streams_now(self->device);
	int i;

	for (i = 0; i < 20; i++)
		EXPECT_EQ(0, in_child(exit_with_list_in_gate,
				      (void *)self->gate));
	EXPECT_EQ(streams, streams_now(self->device));
	EXPECT_UNHARMED(self->gate);
}

static void *map_and_look(void *arg)
{
	const struct child *c = arg;
	const struct posixtrace_gate *gate;
	int device = device_open();

	hand(c);
	for (;;) {
		gate = gate_map(device);
		must_be(gate_now(gate).format == POSIXTRACE_GATE_FORMAT);
		munmap((void *)gate, page_size());
	}
	return NULL;
}

static int be_mapper(const struct child *c, void *arg)
{
	pthread_t thread;

	must(pthread_create(&thread, NULL, map_and_look, (void *)c));
	map_and_look((void *)c);
	return 0;
}

/* Wherever it is on its way when it is killed. */
TEST_F(tricks, is_mapped_and_unmapped_while_its_process_is_killed)
{
	__u32 streams = streams_now(self->device);
	struct child c;
	struct raw raw;
	int i;

	for (i = 0; i < 20; i++) {
		child_start(&c, be_mapper, NULL);
		await(&c);
		raw = raw_running(self->device, c.pid);
		await(&c);
		EXPECT_EQ(128 + SIGKILL, child_kill(&c));
		EXPECT_EQ(0, raw_peek(raw).processes);
		EXPECT_EQ(0, close(raw.fd));
	}
	EXPECT_EQ(streams, streams_now(self->device));
	EXPECT_UNHARMED(self->gate);
}

TEST_HARNESS_MAIN
