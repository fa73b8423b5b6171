// SPDX-License-Identifier: GPL-2.0-only
#include "words.h"

int main(void)
{
	puts(one());
	puts(two());
	puts(three());
	puts(four());
	puts(words());
	return 0;
}
