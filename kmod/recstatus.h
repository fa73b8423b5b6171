/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a recorder tells of itself: its status, to the owner of the stream, and
 * what happens to it, to those who listen (life.h).
 */
#ifndef PXT_RECSTATUS_H
#define PXT_RECSTATUS_H

#include <linux/types.h>
#include <linux/posixtrace.h>

#include "recorder.h"

void pxt_recorder_get_status(struct pxt_recorder *rec,
			     struct posixtrace_status *status);
void pxt_recorder_restore_status(struct pxt_recorder *rec,
				 const struct posixtrace_status *status);

void pxt_recorder_happened(struct pxt_recorder *rec, u32 kind, int error);
void pxt_recorder_begin_life(struct pxt_recorder *rec);
void pxt_recorder_target_gone(struct pxt_recorder *rec);
void pxt_recorder_end_life(struct pxt_recorder *rec);

#endif /* PXT_RECSTATUS_H */
