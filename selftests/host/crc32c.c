// SPDX-License-Identifier: GPL-2.0-only
/*
 * The checksum in logs.
 */
#include <stdlib.h>
#include <string.h>

#include "../../lib/crc32c.c"
#include "log_writer.h"

#include "kselftest_harness.h"

/* RFC 3720, appendix B.4, and the usual check value. */
TEST(gives_the_published_values)
{
	static const unsigned char command[48] = {
		[0] = 0x01, 0xc0, [16] = 0x14, [22] = 0x04, [27] = 0x14,
		[31] = 0x18, 0x28, [40] = 0x02,
	};
	unsigned char data[32];
	int i;

	EXPECT_EQ(0, pxt_crc32c("", 0));
	EXPECT_EQ(0xe3069283, pxt_crc32c("123456789", 9));
	memset(data, 0, sizeof(data));
	EXPECT_EQ(0x8a9136aa, pxt_crc32c(data, sizeof(data)));
	memset(data, 0xff, sizeof(data));
	EXPECT_EQ(0x62a8ab43, pxt_crc32c(data, sizeof(data)));
	for (i = 0; i < 32; i++)
		data[i] = i;
	EXPECT_EQ(0x46dd794e, pxt_crc32c(data, sizeof(data)));
	for (i = 0; i < 32; i++)
		data[i] = 31 - i;
	EXPECT_EQ(0x113fdb5c, pxt_crc32c(data, sizeof(data)));
	EXPECT_EQ(0xd9963a56, pxt_crc32c(command, sizeof(command)));
}

/* Of whatever length, wherever it is: as bit by bit. */
TEST(does_not_depend_on_the_place)
{
	unsigned char data[300];
	size_t from, size;

	srand(1);
	for (size = 0; size < sizeof(data); size++)
		data[size] = rand();
	for (from = 0; from < 16; from++)
		for (size = 0; size < 280; size++)
			ASSERT_EQ(log_crc(data + from, size),
				  pxt_crc32c(data + from, size));
}

TEST_HARNESS_MAIN
