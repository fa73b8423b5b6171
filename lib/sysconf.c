// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * sysconf() for what the C library does not know to be there
 *
 * Programs that are linked with this library get this function; others, and
 * the C library itself, don't: its symbol has the library's version.
 *
 * All else goes to the C library by the other name under which it exports the
 * function. Unlike a search with dlsym() that works in a static program, before
 * the program is relocated and inside malloc(), where dlsym() may not be called.
 */
#include <unistd.h>

#include "internal.h"

static long sys_max(void)
{
	struct posixtrace_limits arg = { .size = sizeof(arg) };

	if (pxt_device_ioctl(POSIXTRACE_IOC_LIMITS, &arg))
		return -1;
	return arg.sys_max;
}

/**
 * sysconf() - value of a limit or an option
 * @name: _SC_TRACE and so on; others are the C library's
 *
 * POSIX.1-2008 XSH sysconf. The options are those of the library: whether the
 * module is loaded can change at any time, and posix_trace_create() tells.
 *
 * Return: the value, or -1, for _SC_TRACE_SYS_MAX if the module is not loaded
 * (errno is left alone).
 */
PXT_API long sysconf(int name)
{
	switch (name) {
	case _SC_TRACE:
		return _POSIX_TRACE;
	case _SC_TRACE_EVENT_FILTER:
		return _POSIX_TRACE_EVENT_FILTER;
	case _SC_TRACE_INHERIT:
		return _POSIX_TRACE_INHERIT;
	case _SC_TRACE_LOG:
		return _POSIX_TRACE_LOG;
	case _SC_TRACE_EVENT_NAME_MAX:
		return TRACE_EVENT_NAME_MAX;
	case _SC_TRACE_NAME_MAX:
		return TRACE_NAME_MAX;
	case _SC_TRACE_USER_EVENT_MAX:
		return TRACE_USER_EVENT_MAX;
	case _SC_TRACE_SYS_MAX:
		return sys_max();
	default:
		return __sysconf(name);
	}
}
