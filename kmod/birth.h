/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Births: what a child has of its parent.
 *
 * All of it is there before the child runs. Nothing is waited for, and memory
 * comes from the parent's provisions.
 */
#ifndef PXT_BIRTH_H
#define PXT_BIRTH_H

struct task_struct;

void pxt_birth(struct task_struct *parent, struct task_struct *child);

#endif /* PXT_BIRTH_H */
