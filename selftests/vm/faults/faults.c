// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a debug kernel has to notice, done on purpose: see ../facilities.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/timer.h>
#include <linux/vmalloc.h>

static char *fault;
module_param(fault, charp, 0400);
MODULE_PARM_DESC(fault, "what to do wrong, the name of a function below");

/* For the compiler, these may have any value. */
static int eight = 8, sixty_four = 64;

static void heap_overflow(void)
{
	char *mem = kmalloc(64, GFP_KERNEL);

	WRITE_ONCE(mem[READ_ONCE(sixty_four)], 1);
	kfree(mem);
}

static void use_after_free(void)
{
	char *mem = kmalloc(64, GFP_KERNEL);

	kfree(mem);
	WRITE_ONCE(mem[READ_ONCE(eight)], 1);
}

static void vmalloc_overflow(void)
{
	char *mem = vmalloc(PAGE_SIZE - 64);

	WRITE_ONCE(mem[PAGE_SIZE - READ_ONCE(eight)], 1);
	vfree(mem);
}

static void leak(void)
{
	int i;

	/* The address of the last one may stay in a register or on a stack. */
	for (i = 0; i < 8; i++)
		kmalloc(sixty_four, GFP_KERNEL);
}

static void array_bounds(void)
{
	static int array[8];

	array[READ_ONCE(eight)] = 1;
	OPTIMIZER_HIDE_VAR(array[0]);
}

static void shift_too_far(void)
{
	int one = READ_ONCE(eight) - 7;

	one <<= READ_ONCE(sixty_four);
	OPTIMIZER_HIDE_VAR(one);
}

static DEFINE_MUTEX(a);
static DEFINE_MUTEX(b);

static void lock_order(void)
{
	mutex_lock(&a);
	mutex_lock(&b);
	mutex_unlock(&b);
	mutex_unlock(&a);
	mutex_lock(&b);
	mutex_lock(&a);
	mutex_unlock(&a);
	mutex_unlock(&b);
}

static DEFINE_RAW_SPINLOCK(raw);
static DEFINE_SPINLOCK(not_raw);

/* On PREEMPT_RT the inner one sleeps. */
static void lock_nesting(void)
{
	raw_spin_lock(&raw);
	spin_lock(&not_raw);
	spin_unlock(&not_raw);
	raw_spin_unlock(&raw);
}

static void rcu_misuse(void)
{
	static int __rcu *pointer;

	rcu_dereference(pointer);
}

static void sleep_in_atomic(void)
{
	preempt_disable();
	might_sleep();
	preempt_enable();
}

/* On PREEMPT_RT not even this may be done here. */
static void alloc_in_atomic(void)
{
	preempt_disable();
	kfree(kmalloc(64, GFP_ATOMIC));
	preempt_enable();
}

static void never(struct timer_list *timer)
{
}

static void free_active(void)
{
	struct timer_list *timer = kzalloc(sizeof(*timer), GFP_KERNEL);

	timer_setup(timer, never, 0);
	mod_timer(timer, jiffies + 1000 * HZ);
	kfree(timer);
}

static void list_corruption(void)
{
	LIST_HEAD(list);
	struct list_head node;

	list_add(&node, &list);
	list.next = &list;
	list_del(&node);
}

static void refcount_overuse(void)
{
	refcount_t ref = REFCOUNT_INIT(1);

	if (refcount_dec_and_test(&ref))
		refcount_inc(&ref);
}

static int raced;
static DECLARE_COMPLETION(racer_done);

static void count(void)
{
	unsigned long end = jiffies + 2 * HZ;

	while (time_before(jiffies, end)) {
		raced++;
		barrier();
	}
}

static int racer(void *unused)
{
	count();
	complete(&racer_done);
	return 0;
}

static void race(void)
{
	struct task_struct *task = kthread_run(racer, NULL, "racer");

	count();
	if (!IS_ERR(task))
		wait_for_completion(&racer_done);
}

static void warn(void)
{
	WARN(1, "on purpose");
}

static void oops(void)
{
	int *nowhere = NULL;

	OPTIMIZER_HIDE_VAR(nowhere);
	WRITE_ONCE(*nowhere, 1);
}

#define FAULT(name) { #name, name }

static const struct {
	const char *name;
	void (*commit)(void);
} faults[] = {
	FAULT(heap_overflow), FAULT(use_after_free), FAULT(vmalloc_overflow),
	FAULT(leak), FAULT(array_bounds), FAULT(shift_too_far),
	FAULT(lock_order), FAULT(lock_nesting), FAULT(rcu_misuse),
	FAULT(sleep_in_atomic), FAULT(alloc_in_atomic), FAULT(free_active),
	FAULT(list_corruption), FAULT(refcount_overuse), FAULT(race),
	FAULT(warn), FAULT(oops),
};

/* It fails in any case: so it can be tried again, with another one. */
static int __init faults_init(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(faults); i++) {
		if (!fault || strcmp(faults[i].name, fault))
			continue;
		pr_notice("now: %s\n", fault);
		faults[i].commit();
		pr_notice("done: %s\n", fault);
		return -EAGAIN;
	}
	return -EINVAL;
}
module_init(faults_init);

MODULE_DESCRIPTION("Faults on purpose");
MODULE_LICENSE("GPL");
