/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * System calls that fail, for errors that are hard to come by.
 */
#ifndef REFUSE_TEST_H
#define REFUSE_TEST_H

#include "trace_test.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>

#define ANY_ARG	(-1)

/*
 * From now on the system call @nr whose argument @arg is @value, of which the
 * lower half is looked at, fails with @err: for this process and those that it
 * makes. False if the kernel can't do that.
 */
static inline bool refuse(int nr, int arg, unsigned int value, int err)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, args[arg < 0 ? 0 : arg])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | err),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { ARRAY_SIZE(filter), filter };

	/* Whatever the argument is. */
	if (arg == ANY_ARG)
		filter[3].jf = 0;
	return !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

#define REFUSE(...) do {						\
	if (!refuse(__VA_ARGS__))					\
		SKIP(return, "no seccomp");				\
} while (0)

#endif /* REFUSE_TEST_H */
