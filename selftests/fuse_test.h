/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that does what a test says: it is on a file system of its own, of which
 * it is the root, and a child serves it (FUSE). Writing to it waits or fails
 * when the test wants that. What was written is in another file.
 */
#ifndef FUSE_TEST_H
#define FUSE_TEST_H

#include "withlog_test.h"

#include <linux/fuse.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/uio.h>

#define SERVED_WRITE_MAX	(128 * 1024)

/* Shared with the child. */
struct served_control {
	atomic_int error;	/* of each write; 0: none */
	atomic_int hold;	/* let writes wait */
	atomic_int held;	/* one waits */
	atomic_int half;	/* write only half of what is asked for */
	atomic_llong room;	/* beyond so many bytes: ENOSPC; 0: no limit */
	atomic_llong written;	/* bytes, ever */
};

struct served {
	struct served_control *control;
	int fd;			/* the file, open for reading and writing */
	int stored;		/* where its bytes are */
	struct child server;
};

struct served_args {
	struct served *served;
	int device;
};

struct served_request {
	struct fuse_in_header head;
	union {
		struct fuse_init_in init;
		struct fuse_read_in read;
		struct fuse_write_in write;
		struct fuse_setattr_in setattr;
		char bytes[SERVED_WRITE_MAX + 4096];
	};
};

static inline void served_reply(int device, __u64 unique, int err,
				const void *data, size_t size)
{
	struct fuse_out_header head = {
		.len = sizeof(head) + size,
		.error = -err,
		.unique = unique,
	};
	struct iovec parts[] = {
		{ &head, sizeof(head) }, { (void *)data, size },
	};

	/* Nobody may want it any more. */
	if (writev(device, parts, 2) < 0)
		must_be(errno == ENOENT || errno == ENODEV);
}

static inline struct fuse_attr served_attr(const struct served *s)
{
	return (struct fuse_attr){
		.ino = FUSE_ROOT_ID,
		.size = file_size(s->stored),
		.mode = S_IFREG | 0666,
		.nlink = 1,
		.blksize = 4096,
	};
}

static inline void served_write(const struct served *s, int device,
				const struct served_request *r)
{
	struct served_control *c = s->control;
	struct fuse_write_out out = { .size = r->write.size };
	int err = 0;

	while (c->hold) {
		c->held = 1;
		pause_ms(1);
	}
	c->held = 0;
	if (c->half && out.size > 1)
		out.size /= 2;
	if (c->error)
		err = c->error;
	else if (c->room && (long long)(r->write.offset + out.size) > c->room)
		err = ENOSPC;
	else if (pwrite(s->stored, &r->write + 1, out.size, r->write.offset) !=
		 (ssize_t)out.size)
		err = EIO;
	if (!err)
		c->written += out.size;
	served_reply(device, r->head.unique, err, &out, err ? 0 : sizeof(out));
}

static inline void served_read(const struct served *s, int device,
			       const struct served_request *r)
{
	static char data[SERVED_WRITE_MAX];
	ssize_t n;

	n = pread(s->stored, data, r->read.size < sizeof(data) ?
		  r->read.size : sizeof(data), r->read.offset);
	served_reply(device, r->head.unique, n < 0 ? EIO : 0, data,
		     n < 0 ? 0 : n);
}

static inline void served_init(int device, const struct served_request *r)
{
	struct fuse_init_out out = {
		.major = FUSE_KERNEL_VERSION,
		.minor = 31,
		.max_readahead = r->init.max_readahead,
		.flags = FUSE_BIG_WRITES | FUSE_MAX_PAGES,
		.max_background = 16,
		.congestion_threshold = 12,
		.max_write = SERVED_WRITE_MAX,
		.max_pages = SERVED_WRITE_MAX / 4096,
	};

	served_reply(device, r->head.unique, 0, &out, sizeof(out));
}

static inline void served_answer(const struct served *s, int device,
				 const struct served_request *r)
{
	struct fuse_attr_out attr = {};
	/* Who closes it, or exits, does not wait for what others write. */
	struct fuse_open_out opened_file = {
		.open_flags = FOPEN_DIRECT_IO | FOPEN_NOFLUSH,
	};

	switch (r->head.opcode) {
	case FUSE_INIT:
		return served_init(device, r);
	case FUSE_SETATTR:
	case FUSE_GETATTR:
		if (r->head.opcode == FUSE_SETATTR &&
		    r->setattr.valid & FATTR_SIZE)
			must_be(!ftruncate(s->stored, r->setattr.size));
		attr.attr = served_attr(s);
		return served_reply(device, r->head.unique, 0, &attr,
				    sizeof(attr));
	case FUSE_OPEN:
		return served_reply(device, r->head.unique, 0, &opened_file,
				    sizeof(opened_file));
	case FUSE_READ:
		return served_read(s, device, r);
	case FUSE_WRITE:
		return served_write(s, device, r);
	case FUSE_FLUSH:
	case FUSE_FSYNC:
	case FUSE_RELEASE:
		return served_reply(device, r->head.unique, 0, NULL, 0);
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		return;
	default:
		return served_reply(device, r->head.unique, ENOSYS, NULL, 0);
	}
}

static inline int served_serve(const struct child *c, void *arg)
{
	const struct served_args *args = arg;
	static struct served_request r;
	ssize_t n;

	hand(c);
	for (;;) {
		n = read(args->device, &r, sizeof(r));
		if (n >= (ssize_t)sizeof(r.head))
			served_answer(args->served, args->device, &r);
		else if (errno != EINTR && errno != ENOENT && errno != EAGAIN)
			return 0;
	}
}

/* Make the file; false if the kernel has no FUSE, or one may not mount it. */
static inline bool served_start(struct served *s)
{
	char path[] = LOG_FOLDER "/posixtrace-served.XXXXXX";
	int device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	struct served_args args = { s, device };
	int point = mkostemp(path, O_CLOEXEC);
	char options[128];
	bool mounted;

	if (device < 0) {
		unlink(path);
		return false;
	}
	s->stored = log_file();
	s->control = mmap(NULL, sizeof(*s->control), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	must_be(point >= 0 && s->control != MAP_FAILED);
	snprintf(options, sizeof(options),
		 "fd=%d,rootmode=100666,user_id=%d,group_id=%d,allow_other",
		 device, getuid(), getgid());
	mounted = !mount("posixtrace", path, "fuse", MS_NOSUID | MS_NODEV,
			 options);
	if (mounted) {
		child_start(&s->server, served_serve, &args);
		await(&s->server);
		s->fd = open(path, O_RDWR | O_CLOEXEC);
		must_be(s->fd >= 0 && !umount2(path, MNT_DETACH));
	}
	close(point);
	close(device);
	unlink(path);
	return mounted;
}

/* Let writes wait, and wait until one does. */
static inline void served_hold(struct served *s)
{
	s->control->hold = 1;
}

static inline bool served_is_held(struct served *s)
{
	return wait_until(s->control->held);
}

static inline void served_go_on(struct served *s)
{
	s->control->hold = 0;
}

/* Nobody serves it any more: what waits fails, and so does all that comes. */
static inline void served_abort(struct served *s)
{
	must_be(child_kill(&s->server) == 128 + SIGKILL);
}

#endif /* FUSE_TEST_H */
