/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * As much of the kernel as buffer.c, evtype.c and recorder.c ask for, on the
 * host and for one thread. The Makefile makes every <linux/...> of theirs
 * include this.
 */
#ifndef FAKE_KERNEL_H
#define FAKE_KERNEL_H

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <asm/types.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef int gfp_t;

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#endif
#define container_of(p, type, member) \
	((type *)((char *)(p) - offsetof(type, member)))
#define min(a, b)		((a) < (b) ? (a) : (b))
#define min_t(type, a, b)	((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define PAGE_SIZE		4096
#define likely(x)		(x)
#define unlikely(x)		(x)
#define noinline		__attribute__((noinline))
#define test_bit(nr, bits)	((bits)[(nr) / 64] >> (nr) % 64 & 1)
#define barrier()		asm volatile("" : : : "memory")
#define READ_ONCE(x)		(x)
#define array_index_nospec(i, nr)	((i) < (nr) ? (i) : 0)
/* One thread: there is none. */
#define data_race(x)		(x)
#define WRITE_ONCE(x, value)	((x) = (value))
/* One thread: there is nothing to be ordered. */
#define smp_load_acquire(p)	(*(p))
/* Likewise. */
#define smp_store_release(p, value) (*(p) = (value))

struct task_struct { unsigned int flags; };
#define PF_EXITING		4

/* A warning of the kernel is a failure here. */
#define WARN_ON_ONCE(x)		({ bool warn_ = (x); assert(!warn_); warn_; })

/* Allocations fail when the test says so: the nth from now. */
#define GFP_KERNEL_ACCOUNT	0
#define __GFP_NOWARN		0
#define __GFP_RETRY_MAYFAIL	0

extern int host_fail_alloc;

static inline void *kmalloc(size_t size, int flags)
{
	(void)flags;
	return host_fail_alloc && !--host_fail_alloc ? NULL : malloc(size);
}

static inline void *kzalloc(size_t size, int flags)
{
	void *mem = kmalloc(size, flags);

	return mem ? memset(mem, 0, size) : NULL;
}

static inline void *kvcalloc(size_t nr, size_t size, int flags)
{
	return kzalloc(nr * size, flags);
}

#define kvmalloc	kmalloc
#define kfree		free
#define kvfree		free

struct kmem_cache { size_t size; void (*construct)(void *object); };

static inline struct kmem_cache *
kmem_cache_create(const char *name, size_t size, size_t align, int flags,
		  void (*construct)(void *object))
{
	struct kmem_cache *cache = kmalloc(sizeof(*cache), flags);

	(void)name;
	(void)align;
	if (cache)
		*cache = (struct kmem_cache){ size, construct };
	return cache;
}

static inline void kmem_cache_destroy(struct kmem_cache *cache)
{
	free(cache);
}

static inline void *kmem_cache_alloc(struct kmem_cache *cache, int flags)
{
	void *object = kmalloc(cache->size, flags);

	if (object) {
		cache->construct(object);
		/* As it was left by whoever had it before. */
		memset(object, 0xa5, cache->size);
	}
	return object;
}

static inline void kmem_cache_free(struct kmem_cache *cache, void *object)
{
	(void)cache;
	free(object);
}

#define SLAB_ACCOUNT		0
#define cond_resched()		((void)0)

typedef struct { int count; } refcount_t;

static inline void refcount_set(refcount_t *r, int n) { r->count = n; }
static inline void refcount_inc(refcount_t *r) { r->count++; }
static inline bool refcount_dec_and_test(refcount_t *r) { return !--r->count; }

typedef struct { int counter; } atomic_t;

static inline int atomic_read_acquire(const atomic_t *v) { return v->counter; }
static inline void atomic_inc(atomic_t *v) { v->counter++; }
static inline int atomic_dec_return_release(atomic_t *v) { return --v->counter; }

struct kref { int count; };

static inline void kref_init(struct kref *ref) { ref->count = 1; }
static inline void kref_get(struct kref *ref) { ref->count++; }

static inline void kref_put(struct kref *ref, void (*release)(struct kref *))
{
	if (!--ref->count)
		release(ref);
}

/* Locks: only that they are held where they must be. */
struct mutex { int held; };

static inline void mutex_init(struct mutex *lock)
{
	lock->held = 0;
}

static inline void mutex_lock(struct mutex *lock) { assert(!lock->held++); }
static inline void mutex_unlock(struct mutex *lock) { assert(!--lock->held); }

typedef struct { int held; } raw_spinlock_t;

#define DEFINE_RAW_SPINLOCK(lock)	raw_spinlock_t lock

static inline void raw_spin_lock_init(raw_spinlock_t *lock)
{
	lock->held = 0;
}

static inline raw_spinlock_t *host_lock(raw_spinlock_t *lock)
{
	assert(!lock->held++);
	return lock;
}

static inline void host_unlock(raw_spinlock_t **lock)
{
	assert(!--(*lock)->held);
}

#define guard(kind)		host_guard_##kind
#define host_guard_raw_spinlock_irqsave(lock) \
	raw_spinlock_t *guard_ __attribute__((cleanup(host_unlock), unused)) = \
		host_lock(lock)
#define lockdep_assert_held(lock)	assert((lock)->held)

static inline int raw_smp_processor_id(void)
{
	return 0;
}

/* A clock that ticks once for each look at it. */
extern u64 host_clock;

static inline u64 ktime_get_real_ns(void) { return ++host_clock; }

#endif /* FAKE_KERNEL_H */
