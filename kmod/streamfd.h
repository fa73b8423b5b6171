/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stream descriptors: the file operations and ioctls of a stream.
 */
#ifndef PXT_STREAMFD_H
#define PXT_STREAMFD_H

struct file;
struct pxt_stream;

struct file *pxt_streamfd_open(struct pxt_stream *stream);

#endif /* PXT_STREAMFD_H */
