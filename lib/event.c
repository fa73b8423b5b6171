// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Trace points
 *
 * A page that the kernel keeps up to date tells which user event types some
 * stream of this process wants: the gate. While nobody wants anything a trace
 * point is a load and a test. It is lock-free and async-signal-safe throughout.
 */
#include <pthread.h>

#include "internal.h"

#define WORD_BITS	64
#define WORDS		(POSIXTRACE_EVENT_MAX / WORD_BITS)

/* The gate of a process that can't be traced: the module is not there. */
static const struct posixtrace_gate gate_shut = {
	.format = POSIXTRACE_GATE_FORMAT,
};

/*
 * The gate when there is no page (yet), or one of a format that we can't read:
 * go and ask the kernel.
 */
static const struct posixtrace_gate gate_ajar = {
	.format = POSIXTRACE_GATE_FORMAT,
	.wanted = 1,
	.events.bits = { [0 ... WORDS - 1] = ~0ULL },
};

/*
 * One of the two above until pxt_gate_open() stores the address of the mapped
 * page, which stays. Relaxed loads: what is read through it depends on it, and
 * the kernel wrote the page, no store of ours is to be seen there.
 */
static const struct posixtrace_gate *gate = &gate_ajar;

static const struct posixtrace_gate *gate_load(void)
{
	return __atomic_load_n(&gate, __ATOMIC_RELAXED);
}

/* The kernel changes the page at any time: each word is read once. */
static bool gate_wants_any(const struct posixtrace_gate *g)
{
	return __atomic_load_n(&g->wanted, __ATOMIC_RELAXED);
}

static bool gate_wants(const struct posixtrace_gate *g, trace_event_id_t id)
{
	const __u64 *word = &g->events.bits[id / WORD_BITS];

	return __atomic_load_n(word, __ATOMIC_RELAXED) >> id % WORD_BITS & 1;
}

static bool gate_is_page(const struct posixtrace_gate *g)
{
	return g != &gate_shut && g != &gate_ajar;
}

/* Put @to in place, unless the page already is. Returns whether it was put. */
static bool gate_store(const struct posixtrace_gate *to)
{
	const struct posixtrace_gate *now = gate_load();

	while (!gate_is_page(now)) {
		if (__atomic_compare_exchange_n(&gate, &now, to, true,
						__ATOMIC_RELAXED,
						__ATOMIC_RELAXED))
			return true;
	}
	return false;
}

/**
 * pxt_gate_open() - let events of this process through, if it can be traced
 *
 * Opens the device and maps the gate page unless that is done. Without the
 * module the gate is shut, and the next call tries again: a program that was
 * started before the module was loaded joins later.
 *
 * Return: 0 or an error of pxt_device_open().
 */
int pxt_gate_open(void)
{
	const struct posixtrace_gate *page;
	int err;

	if (gate_is_page(gate_load()))
		return 0;
	err = pxt_device_open();
	if (err == ENOSYS || err == EACCES)
		gate_store(&gate_shut);
	if (err)
		return err;
	if (pxt_device_map(&page)) {
		gate_store(&gate_ajar);
		return 0;
	}
	if (page->format != POSIXTRACE_GATE_FORMAT) {
		gate_store(&gate_ajar);
		pxt_device_unmap(page);
	} else if (!gate_store(page)) {
		pxt_device_unmap(page);
	}
	return 0;
}

/* Slow path: somebody wants the event, or it isn't known. */
static void event_record(trace_event_id_t event_id, const void *data,
			 size_t len, uintptr_t caller)
{
	struct posixtrace_event arg = {
		.size = sizeof(arg),
		.event_id = event_id,
		.data = (uintptr_t)data,
		.data_size = len,
		.address = caller,
		.thread = (uintptr_t)pthread_self(),
	};

	/* Traced by somebody else, and never opened a name. */
	if (gate_load() == &gate_ajar &&
	    (pxt_gate_open() || !gate_wants(gate_load(), event_id)))
		return;
	pxt_device_event(&arg);
}

/**
 * posix_trace_event() - trace point
 * @event_id: type of the event, from posix_trace_eventid_open() or
 *	POSIX_TRACE_UNNAMED_USEREVENT; others are ignored
 * @data: its data, may be null if there are none
 * @data_len: their length
 *
 * POSIX.1-2008 XSH posix_trace_event. Recorded in each stream that traces the
 * calling process, is running and does not filter the type. Async-signal-safe.
 */
PXT_API void posix_trace_event(trace_event_id_t event_id,
			       const void *restrict data, size_t data_len)
{
	const struct posixtrace_gate *g = gate_load();

	if (__builtin_expect(!gate_wants_any(g), 1))
		return;
	if (event_id != POSIX_TRACE_UNNAMED_USEREVENT &&
	    (event_id < POSIXTRACE_EV_USER || event_id >= POSIXTRACE_EVENT_MAX))
		return;
	if (!gate_wants(g, event_id))
		return;
	event_record(event_id, data, data_len, pxt_caller());
}
