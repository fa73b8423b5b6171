// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>

#include "size.h"

const char *size_text(char *text, __u64 bytes)
{
	static const char units[] = "KMGTP";
	const char *unit = units;
	__u64 rest = bytes;

	if (bytes < 1024) {
		snprintf(text, SIZE_TEXT_MAX, "%llu bytes", bytes);
		return text;
	}
	/* Cut, not rounded: 1023.99 KiB is not 1024.0 KiB. */
	for (; rest >= 1024 * 1024 && unit[1]; rest /= 1024)
		unit++;
	snprintf(text, SIZE_TEXT_MAX, "%llu.%llu %ciB", rest / 1024,
		 rest % 1024 * 10 / 1024, *unit);
	return text;
}
