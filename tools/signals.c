// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>

#include "diag.h"
#include "signals.h"

int signals_take(sigset_t *old_mask)
{
	sigset_t mask;
	int fd;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGHUP);
	fd = signalfd(-1, &mask, SFD_CLOEXEC);
	if (fd < 0) {
		diag("cannot wait for signals: %s", strerror(errno));
		return -1;
	}
	sigaddset(&mask, SIGPIPE);
	sigprocmask(SIG_BLOCK, &mask, old_mask);
	return fd;
}
