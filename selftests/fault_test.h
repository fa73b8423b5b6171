/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Faults on demand: the n-th allocation or copy from or to user memory that
 * this thread makes in the kernel fails. Needs a kernel with FAULT_INJECTION,
 * FAILSLAB, FAIL_PAGE_ALLOC and FAULT_INJECTION_USERCOPY: the debug kernel.
 */
#ifndef FAULT_TEST_H
#define FAULT_TEST_H

#include "abi_test.h"

/* More than any call makes: a sweep that comes so far does not end. */
#define FAULTS_MAX	20000

static int fault_fd = -1;

static inline bool fault_set(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 &&
		    write(fd, value, strlen(value)) == (ssize_t)strlen(value);

	if (fd >= 0)
		close(fd);
	return done;
}

/*
 * Get ready, in the thread that will fail. All allocations may, also those that
 * can wait for memory. False if the kernel can't do that.
 */
static inline bool faults_init(void)
{
	static const char * const settings[][2] = {
		{ "failslab/ignore-gfp-wait", "N" },
		{ "failslab/verbose", "0" },
		{ "fail_page_alloc/ignore-gfp-wait", "N" },
		{ "fail_page_alloc/ignore-gfp-highmem", "N" },
		{ "fail_page_alloc/min-order", "0" },
		{ "fail_page_alloc/verbose", "0" },
		{ "fail_usercopy/verbose", "0" },
	};
	char path[128];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(settings); i++) {
		snprintf(path, sizeof(path), "/sys/kernel/debug/%s",
			 settings[i][0]);
		if (!fault_set(path, settings[i][1]))
			return false;
	}
	fault_fd = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	return fault_fd >= 0;
}

/* The @n-th from now fails; 0: none. */
static inline void fault_arm(unsigned int n)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%u", n);

	/* This may be the one that fails: then the next one does not. */
	must_be(pwrite(fault_fd, text, len, 0) == len ||
		pwrite(fault_fd, text, len, 0) == len);
}

/* Has it failed? None does any more after this. */
static inline bool fault_happened(void)
{
	char text[16] = "";
	/* If this fails, it is the first one that does. */
	bool happened = pread(fault_fd, text, sizeof(text) - 1, 0) > 0 &&
			text[0] == '0';

	fault_arm(0);
	return happened;
}

#endif /* FAULT_TEST_H */
