/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the fuzzer of logs takes for input: parts of a file, one after the other,
 * each a struct part and its bytes. All else in the file is 0. A part is made a
 * block that the reader believes, so that what is in it is put to the test, not
 * the checksums.
 */
#ifndef FUZZ_LOG_INPUT_H
#define FUZZ_LOG_INPUT_H

#include <stddef.h>
#include <linux/types.h>

/**
 * struct part - bytes of the file
 * @how: PART_*
 * @area: modulo 4: head, end, names, events
 * @at: where, counted from the beginning of the area, in units of 8
 * @size: bytes that follow
 */
struct part {
	__u8 how;
	__u8 area;
	__u8 at[2];
	__u8 size[2];
};

#define PART_RAW	0xff	/* as it is */
#define PART_NO_CRC	0xfe	/* a wrong checksum of the data */
#define PART_SIZES	0x80	/* also correct the sizes in the header */

/* Called by the fuzzer with each input. */
int fuzz_log(const __u8 *data, size_t size) __asm__("LLVMFuzzerTestOneInput");

#endif /* FUZZ_LOG_INPUT_H */
