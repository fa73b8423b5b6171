/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes and programs that have some privilege, or none.
 */
#ifndef ROLE_TEST_H
#define ROLE_TEST_H

#include "trace_test.h"

#include <linux/capability.h>
#include <sys/stat.h>

/* Keep CAP_SYS_PTRACE, and that only, over the change to @uid. */
static inline int become_ptracer(uid_t uid)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = {
		{ .effective = 1U << CAP_SYS_PTRACE,
		  .permitted = 1U << CAP_SYS_PTRACE },
	};

	if (prctl(PR_SET_KEEPCAPS, 1))
		return errno;
	must(become_user(uid));
	return syscall(SYS_capset, &header, data) ? errno : 0;
}

/*
 * Become root in a user namespace, where @uid is the only user. 0, or the error
 * number if there are no user namespaces.
 */
static inline int become_ns_root(uid_t uid)
{
	char map[32];

	must(become_user(uid));
	if (unshare(CLONE_NEWUSER))
		return errno;
	snprintf(map, sizeof(map), "0 %d 1", uid);
	must_be(write_to("/proc/self/setgroups", "deny"));
	must_be(write_to("/proc/self/uid_map", map));
	must_be(write_to("/proc/self/gid_map", map));
	must_be(!geteuid());
	return 0;
}

/* Copy this program to @path, which must not exist. */
static inline void copy_self(const char *path, uid_t owner, gid_t group,
			     mode_t mode)
{
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
	char buffer[65536];
	ssize_t size;

	must_be(from >= 0 && to >= 0);
	while ((size = read(from, buffer, sizeof(buffer))) > 0)
		must_be(write(to, buffer, size) == size);
	must_be(!size);
	must_be(!fchown(to, owner, group) && !fchmod(to, mode));
	close(from);
	must_be(!close(to));
}

#endif /* ROLE_TEST_H */
