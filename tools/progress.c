// SPDX-License-Identifier: GPL-2.0-only
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "progress.h"
#include "size.h"
#include "tool.h"

/* Erase what is there; the cursor stays where other output is to begin. */
#define ERASE	"\r\033[K"

void progress_init(struct progress *p, bool wanted)
{
	memset(p, 0, sizeof(*p));
	p->fd = wanted ? STDERR_FILENO : -1;
}

/* A terminal that was stopped with Ctrl-S must not stop us. */
static bool takes_output(int fd)
{
	struct pollfd out = { .fd = fd, .events = POLLOUT };

	return poll(&out, 1, 0) == 1 && out.revents & POLLOUT;
}

static void draw(struct progress *p, const char *text)
{
	char line[sizeof(p->text) + 16];
	int len = snprintf(line, sizeof(line), ERASE "%s\r", text);

	if (!takes_output(p->fd) || write(p->fd, line, len) != len)
		return;
	snprintf(p->text, sizeof(p->text), "%s", text);
}

void progress_show(struct progress *p,
		   const struct posix_trace_counters_np *n)
{
	char size[SIZE_TEXT_MAX], text[sizeof(p->text)];

	if (p->fd < 0)
		return;
	snprintf(text, sizeof(text), "%llu event%s, %s written, %llu lost",
		 n->posix_recorded, plural(n->posix_recorded),
		 size_text(size, n->posix_flushed), n->posix_lost);
	if (strcmp(text, p->text))
		draw(p, text);
}

void progress_clear(struct progress *p)
{
	if (p->fd >= 0 && *p->text)
		draw(p, "");
}
