// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "diag.h"
#include "output.h"

bool output_init(struct output *out, int fd, int signal_fd)
{
	out->fd = fd;
	out->signal_fd = signal_fd;
	out->file = open_memstream(&out->text, &out->size);
	if (!out->file)
		diag_no_memory();
	return out->file;
}

void output_destroy(struct output *out)
{
	fclose(out->file);
	free(out->text);
}

/* Until @out takes PIPE_BUF bytes without blocking. */
static int wait_writable(const struct output *out)
{
	struct pollfd fds[] = {
		{ .fd = out->fd, .events = POLLOUT },
		{ .fd = out->signal_fd, .events = POLLIN },
	};

	while (poll(fds, 2, -1) < 0) {
		if (errno != EINTR)
			return errno;
	}
	return fds[0].revents ? 0 : EINTR;
}

static int write_all(const struct output *out)
{
	size_t done = 0;

	while (done < out->size) {
		size_t rest = out->size - done;
		ssize_t n;
		int err;

		err = wait_writable(out);
		if (err)
			return err;
		n = write(out->fd, out->text + done,
			  rest < PIPE_BUF ? rest : PIPE_BUF);
		if (n >= 0)
			done += n;
		else if (errno != EAGAIN && errno != EINTR)
			return errno;
	}
	return 0;
}

int output_flush(struct output *out)
{
	int err;

	if (fflush(out->file))
		return ENOMEM;
	err = write_all(out);
	rewind(out->file);
	return err;
}
