// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each kernel event is recorded for streams that asked for it, and for no other;
 * and can be filtered at any time, like every other event.
 */
#include "family_test.h"

/* What member 0 is told, in order.arg. */
enum task {
	THREAD,			/* one that ends */
	TOUCH,			/* a fresh page */
	RAISE,			/* a signal that it handles */
};

FIXTURE(kernel_choice) {
	struct family f;
	pid_t pid;		/* of the target, member 0 */
};

FIXTURE_VARIANT(kernel_choice) {
	__u32 id;
	const char *name;
};

FIXTURE_VARIANT_ADD(kernel_choice, syscall_enter) {
	.id = POSIXTRACE_EV_SYSCALL_ENTER, .name = "linux_syscall_enter",
};

FIXTURE_VARIANT_ADD(kernel_choice, syscall_exit) {
	.id = POSIXTRACE_EV_SYSCALL_EXIT, .name = "linux_syscall_exit",
};

FIXTURE_VARIANT_ADD(kernel_choice, sched_in) {
	.id = POSIXTRACE_EV_SCHED_IN, .name = "linux_sched_in",
};

FIXTURE_VARIANT_ADD(kernel_choice, sched_out) {
	.id = POSIXTRACE_EV_SCHED_OUT, .name = "linux_sched_out",
};

FIXTURE_VARIANT_ADD(kernel_choice, sched_wakeup) {
	.id = POSIXTRACE_EV_SCHED_WAKEUP, .name = "linux_sched_wakeup",
};

FIXTURE_VARIANT_ADD(kernel_choice, signal_generate) {
	.id = POSIXTRACE_EV_SIGNAL_GENERATE, .name = "linux_signal_generate",
};

FIXTURE_VARIANT_ADD(kernel_choice, signal_deliver) {
	.id = POSIXTRACE_EV_SIGNAL_DELIVER, .name = "linux_signal_deliver",
};

FIXTURE_VARIANT_ADD(kernel_choice, fork) {
	.id = POSIXTRACE_EV_FORK, .name = "linux_fork",
};

FIXTURE_VARIANT_ADD(kernel_choice, exec) {
	.id = POSIXTRACE_EV_EXEC, .name = "linux_exec",
};

FIXTURE_VARIANT_ADD(kernel_choice, thread_exit) {
	.id = POSIXTRACE_EV_THREAD_EXIT, .name = "linux_thread_exit",
};

FIXTURE_VARIANT_ADD(kernel_choice, exit) {
	.id = POSIXTRACE_EV_EXIT, .name = "linux_exit",
};

FIXTURE_VARIANT_ADD(kernel_choice, page_fault) {
	.id = POSIXTRACE_EV_PAGE_FAULT, .name = "linux_page_fault",
};

static void *end_at_once(void *arg)
{
	return NULL;
}

static long make_thread(void)
{
	pthread_t thread;

	must(pthread_create(&thread, NULL, end_at_once, NULL));
	return pthread_join(thread, NULL);
}

static long touch(void)
{
	char *page = mmap(NULL, page_size(), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must_be(page != MAP_FAILED);
	__atomic_store_n(page, 1, __ATOMIC_SEQ_CST);
	return munmap(page, page_size());
}

static long obey(int nr, const struct order *order)
{
	switch (order->arg) {
	case THREAD:
		return make_thread();
	case TOUCH:
		return touch();
	case RAISE:
		on_signal(SIGUSR1, count_signal, SA_RESTART);
		return raise(SIGUSR1);
	}
	return -1;
}

FIXTURE_SETUP(kernel_choice)
{
	family_start(&self->f);
	self->pid = self->f.m[0].c.pid;
}

FIXTURE_TEARDOWN(kernel_choice)
{
	family_disband(&self->f);
}

static void let(struct family *f, int nr, enum task what)
{
	must(family_do(f, nr, (struct order){ .deed = DO_OTHER, .arg = what }));
}

/* Let all happen that there is a kernel event for: to member 0 or to 1. */
static void let_all_happen(struct family *f)
{
	family_fork(f, 0, 1);
	let(f, 1, THREAD);
	let(f, 1, TOUCH);
	let(f, 1, RAISE);
	must_be(!family_exec(f, 1, ""));
	family_call(f, 1, 1);
	family_end(f, 1);
}

static const __u64 all_but_fork = ALL_EVENTS & ~EVENT(FORK);

static struct collection take(struct raw raw)
{
	struct collection all = collect(raw);

	must_be(raw_peek(raw).running);
	return all;
}

TEST_F(kernel_choice, is_recorded_for_those_who_asked)
{
	__u64 mask = (__u64)1 << variant->id;
	struct raw only, rest, all, none;
	const struct kernel_event *ev;
	struct collection seen;
	size_t n;

	only = inherited_stream(self->f.device, self->pid, mask);
	rest = inherited_stream(self->f.device, self->pid, ALL_EVENTS & ~mask);
	all = inherited_stream(self->f.device, self->pid, ALL_EVENTS);
	none = inherited_stream(self->f.device, self->pid, 0);
	let_all_happen(&self->f);

	seen = stop_and_collect(none);
	EXPECT_EQ(2, seen.nr);
	seen = stop_and_collect(only);
	n = count_events(seen, mask, 0);
	EXPECT_LT(0, n);
	EXPECT_EQ(n + 2, seen.nr);
	seen = stop_and_collect(all);
	for_each_event(ev, seen)
		EXPECT_TRUE(matches(ev, ALL_EVENTS, 0) ||
			    ev->record.event_id <= POSIXTRACE_EV_STOP);
	EXPECT_LE(n, count_events(seen, mask, 0));
	n = count_events(seen, all_but_fork & ~mask, self->f.m[1].c.pid);
	seen = stop_and_collect(rest);
	EXPECT_EQ(0, count_events(seen, mask, 0));
	EXPECT_EQ(n, count_events(seen, all_but_fork, self->f.m[1].c.pid));
}

static void set_filter(struct raw raw, __u32 how, __u32 id)
{
	struct posixtrace_filter arg = {
		.size = sizeof(arg), .how = how, .stream = raw.number,
	};

	raw_set_add(&arg.set, id);
	must(call(raw.fd, POSIXTRACE_IOC_SET_FILTER, &arg));
}

TEST_F(kernel_choice, can_be_filtered_at_any_time)
{
	__u64 mask = (__u64)1 << variant->id;
	struct collection seen;
	struct raw raw;
	int i;

	raw = inherited_stream(self->f.device, self->pid, ALL_EVENTS);
	for (i = 0; i < 2; i++) {
		set_filter(raw, POSIXTRACE_ADD_EVENTSET, variant->id);
		free(take(raw).list);
		let_all_happen(&self->f);
		seen = take(raw);
		EXPECT_EQ(0, count_events(seen, mask, 0));
		EXPECT_LT(0, count_events(seen, ALL_EVENTS & ~mask, 0));
		free(seen.list);
		set_filter(raw, POSIXTRACE_SUB_EVENTSET, variant->id);
		let_all_happen(&self->f);
		seen = take(raw);
		EXPECT_LT(0, count_events(seen, mask, 0));
		free(seen.list);
	}
}

/* What is filtered costs neither room nor a loss. */
TEST_F(kernel_choice, is_not_lost_if_it_is_filtered)
{
	struct posixtrace_create arg = kernel_arg(self->pid,
						  (__u64)1 << variant->id);
	struct posixtrace_status status;
	struct raw raw;

	arg.inheritance = POSIXTRACE_INHERITED;
	arg.stream_size = 0;
	must(raw_create(self->f.device, &arg, &raw));
	raw_filter_out(raw, variant->id);
	must(raw_control(raw, POSIXTRACE_IOC_START));
	let_all_happen(&self->f);
	status = raw_peek(raw);
	EXPECT_EQ(1, status.recorded);
	EXPECT_EQ(0, status.lost);
	EXPECT_EQ(0, status.overrun);
}

/* Its data is whole, whatever is said of the data of user events. */
TEST_F(kernel_choice, is_not_cut)
{
	struct posixtrace_create arg = kernel_arg(self->pid,
						  (__u64)1 << variant->id);
	const struct kernel_event *ev;
	struct collection all;
	struct raw raw;

	arg.inheritance = POSIXTRACE_INHERITED;
	arg.max_data_size = 0;
	must(raw_create(self->f.device, &arg, &raw));
	must(raw_control(raw, POSIXTRACE_IOC_START));
	let_all_happen(&self->f);
	all = stop_and_collect(raw);
	EXPECT_LT(2, all.nr);
	for_each_event(ev, all) {
		EXPECT_LT(0, ev->record.data_size);
		EXPECT_EQ(POSIXTRACE_NOT_TRUNCATED, ev->record.truncation);
	}
	EXPECT_EQ(0, raw_peek(raw).truncated);
}

/* It has a name, in a stream that can have it. */
TEST_F(kernel_choice, is_known_by_its_name)
{
	struct posixtrace_name name = {
		.size = sizeof(name), .event_id = variant->id,
	};
	struct raw raw;

	raw = kernel_stream(self->f.device, self->pid,
			    (__u64)1 << variant->id);
	name.stream = raw.number;
	EXPECT_EQ(0, call(raw.fd, POSIXTRACE_IOC_EVENTID_GET_NAME, &name));
	EXPECT_STREQ(variant->name, name.name);
	raw = kernel_stream(self->f.device, self->pid,
			    ALL_EVENTS & ~((__u64)1 << variant->id));
	name.stream = raw.number;
	EXPECT_EQ(EINVAL, call(raw.fd, POSIXTRACE_IOC_EVENTID_GET_NAME, &name));
	EXPECT_EQ(variant->id, raw_eventid(self->f.device, variant->name));
}

TEST_HARNESS_MAIN
