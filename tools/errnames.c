// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <string.h>

#include "errnames.h"
#include "tool.h"

/* linux/errno.h of the kernel, not seen by programs */
static const struct restart {
	int err;
	const char *name;
	const char *text;
} restarts[] = {
	{ 512, "ERESTARTSYS", "To be restarted if SA_RESTART is set" },
	{ 513, "ERESTARTNOINTR", "To be restarted" },
	{ 514, "ERESTARTNOHAND", "To be restarted if no handler" },
	{ 516, "ERESTART_RESTARTBLOCK", "Interrupted by signal" },
};

static const struct restart *restart_find(int err)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(restarts); i++) {
		if (restarts[i].err == err)
			return &restarts[i];
	}
	return NULL;
}

const char *errname(int err)
{
	const struct restart *r = restart_find(err);

	return r ? r->name : strerrorname_np(err);
}

const char *errtext(int err)
{
	const struct restart *r = restart_find(err);

	return r ? r->text : strerrordesc_np(err);
}

bool err_is_restart(int err)
{
	return restart_find(err);
}
