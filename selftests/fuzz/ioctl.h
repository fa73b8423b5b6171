/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the two halves of the fuzzer of the module share: programs.c makes
 * programs from numbers, execute.c carries them out.
 */
#ifndef FUZZ_IOCTL_H
#define FUZZ_IOCTL_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/types.h>

#define OPS_MAX		64	/* of a program */
#define LINEAGE_MAX	8	/* numbers that a program is made from */
#define THREADS		3

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#endif

/**
 * struct op - something that a program does
 * @kind: index in op_kinds
 * @thread: which thread does it
 * @seed: all choices that it has to make
 */
struct op {
	__u8 kind;
	__u8 thread;
	__u64 seed;
};

/**
 * struct program - what is done to the module by one process
 * @lineage: numbers that it follows from: the first makes a program, each
 *	further one changes it
 * @generations: how many numbers
 * @ops: what it does
 * @nr: how many
 */
struct program {
	__u64 lineage[LINEAGE_MAX];
	unsigned int generations;
	struct op ops[OPS_MAX];
	unsigned int nr;
};

/* Random numbers. Each struct is a sequence of its own. */
struct rng {
	__u64 state;
};

__u64 rng_next(struct rng *rng);

static inline __u64 below(struct rng *rng, __u64 n)
{
	return rng_next(rng) % n;
}

static inline bool one_in(struct rng *rng, unsigned int n)
{
	return !below(rng, n);
}

/* Numbers of the netlink family and its group, as long as the module is loaded. */
extern __u32 netlink_family, netlink_group;

void program_make(struct program *program);

/* Kinds of operations, each with a weight. */
unsigned int draw_kind(struct rng *rng);
void program_run(const struct program *program);
void program_executed(void);
void program_print(const struct program *program);

#endif /* FUZZ_IOCTL_H */
