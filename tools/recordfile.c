// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <linux/posixtrace_log.h>

#include "diag.h"
#include "recordfile.h"

/* What is in a trace is not for everybody: as the tools for it usually do. */
#define MODE	0600

/* Nor wait for the reader of a pipe, or get a terminal. */
#define FLAGS	(O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

static int open_file(struct recordfile *f)
{
	f->fd = open(f->path, FLAGS | O_CREAT | O_EXCL, MODE);
	f->made = f->fd >= 0;
	if (!f->made && errno == EEXIST)
		f->fd = open(f->path, FLAGS | O_CREAT, MODE);
	return f->fd < 0 ? errno : 0;
}

int recordfile_open(struct recordfile *f, const char *path)
{
	int err;

	f->path = path;
	err = open_file(f);
	if (err) {
		diag("cannot write to %s: %s", path, strerror(err));
		return TOOL_ERROR;
	}
	if (diag_log_file(path, f->fd))
		return -1;
	recordfile_close(f, false);
	return TOOL_ERROR;
}

void recordfile_cut(const struct recordfile *f)
{
	/* Events come later, and the kernel cuts at the end, too. */
	if (ftruncate(f->fd, POSIXTRACE_LOG_EVENTS_AT))
		return;
}

void recordfile_close(struct recordfile *f, bool used)
{
	close(f->fd);
	if (f->made && !used)
		unlink(f->path);
}
