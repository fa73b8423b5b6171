// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * CRC-32C, the checksum in logs
 *
 * Where the compiler may use an instruction for it, that does it; else tables,
 * eight bytes at a time.
 */
#include <pthread.h>
#include <string.h>

#include "internal.h"

#ifdef __SSE4_2__
#include <nmmintrin.h>

static __u32 crc_byte(__u32 crc, unsigned char byte)
{
	return _mm_crc32_u8(crc, byte);
}

static __u32 crc_word(__u32 crc, const unsigned char *at)
{
#ifdef __x86_64__
	__u64 word;

	memcpy(&word, at, sizeof(word));
	return _mm_crc32_u64(crc, word);
#else
	__u32 word[2];

	memcpy(word, at, sizeof(word));
	return _mm_crc32_u32(_mm_crc32_u32(crc, word[0]), word[1]);
#endif
}

static void prepare(void)
{
}

#else

#define POLYNOMIAL	0x82f63b78

/*
 * crc_table[n][byte]: what a byte, followed by n bytes of 0, makes of a sum of
 * 0. Written once.
 */
static __u32 crc_table[8][256];
static pthread_once_t crc_table_once = PTHREAD_ONCE_INIT;

static __u32 crc_byte(__u32 crc, unsigned char byte)
{
	return crc >> 8 ^ crc_table[0][(crc ^ byte) & 0xff];
}

static __u32 crc_word(__u32 crc, const unsigned char *at)
{
	__u32 sum = 0;
	int i;

	for (i = 0; i < 4; i++)
		sum ^= crc_table[7 - i][(crc >> 8 * i ^ at[i]) & 0xff] ^
		       crc_table[3 - i][at[4 + i]];
	return sum;
}

static void fill_tables(void)
{
	__u32 crc;
	int byte, i;

	for (byte = 0; byte < 256; byte++) {
		crc = byte;
		for (i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
		crc_table[0][byte] = crc;
	}
	for (i = 1; i < 8; i++)
		for (byte = 0; byte < 256; byte++)
			crc_table[i][byte] =
				crc_byte(crc_table[i - 1][byte], 0);
}

static void prepare(void)
{
	pthread_once(&crc_table_once, fill_tables);
}

#endif

/**
 * pxt_crc32c() - checksum
 * @data: of these bytes
 * @size: how many
 *
 * As in iSCSI (RFC 3720, appendix B.4).
 *
 * Return: the sum.
 */
__u32 pxt_crc32c(const void *data, size_t size)
{
	const unsigned char *at = data;
	__u32 crc = 0xffffffff;

	prepare();
	for (; size >= 8; size -= 8, at += 8)
		crc = crc_word(crc, at);
	while (size--)
		crc = crc_byte(crc, *at++);
	return ~crc;
}
