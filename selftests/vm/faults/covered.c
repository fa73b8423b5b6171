// SPDX-License-Identifier: GPL-2.0-only
/*
 * Says how many places of the kernel a system call reaches, as KCOV counts.
 */
#include <fcntl.h>
#include <linux/kcov.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define PLACES	4096

int main(void)
{
	int fd = open("/sys/kernel/debug/kcov", O_RDWR);
	unsigned long *cover;

	if (fd < 0 || ioctl(fd, KCOV_INIT_TRACE, PLACES))
		return 1;
	cover = mmap(NULL, PLACES * sizeof(*cover), PROT_READ | PROT_WRITE,
		     MAP_SHARED, fd, 0);
	if (cover == MAP_FAILED || ioctl(fd, KCOV_ENABLE, KCOV_TRACE_PC))
		return 1;
	cover[0] = 0;
	close(-1);
	printf("%lu\n", cover[0]);
	return !cover[0];
}
