/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libposixtrace: what its files know of each other
 *
 * Layers, upper ones call lower ones:
 *
 *   stream.c  getnext.c  evtype.c  event.c  sysconf.c	the functions of <trace.h>
 *   trid.c  prerecorded.c				streams by their trid
 *   attr.c  eventset.c  log.c				plain data, no kernel
 *   ioctl.c						the device, nothing else
 *
 * Where the kernel keeps the streams, the library has no locks. Its only state
 * is the number of the device descriptor (ioctl.c) and the address of the gate
 * page (event.c). Both are changed by one atomic store or compare-and-exchange,
 * so that posix_trace_event() may run in a signal handler that interrupted any
 * of it. Nothing is to be done at fork: the descriptor is good in the child, and
 * at the address of the gate page the kernel shows the child a page of its own.
 *
 * Pre-recorded streams are all in the library, with their locks. They are found
 * through a page that is empty in a child (prerecorded.c).
 */
#ifndef PXT_INTERNAL_H
#define PXT_INTERNAL_H

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/posixtrace.h>
#include <linux/posixtrace_log.h>
#include <trace.h>

/* Everything else is hidden. */
#define PXT_API __attribute__((visibility("default")))

/* Address of the call of the public function in which this stands. */
#define pxt_caller() \
	((uintptr_t)__builtin_extract_return_addr(__builtin_return_address(0)))

#define PXT_GENVERSION	"posixtrace 0.1"

static_assert(sizeof(PXT_GENVERSION) <= TRACE_NAME_MAX,
	      "the generation-version is shorter than TRACE_NAME_MAX");
static_assert(sizeof(trace_attr_t) == 512,
	      "trace_attr_t is part of the binary interface");
static_assert(sizeof(trace_event_set_t) == sizeof(struct posixtrace_event_set),
	      "START and FILTER events carry sets of the application's type");
static_assert(POSIXTRACE_NAME_MAX == TRACE_NAME_MAX, "one limit");
static_assert(POSIXTRACE_EVENT_NAME_MAX == TRACE_EVENT_NAME_MAX, "one limit");
static_assert(POSIXTRACE_USER_EVENT_MAX == TRACE_USER_EVENT_MAX, "one limit");
static_assert(POSIXTRACE_EV_UNNAMED == (int)POSIX_TRACE_UNNAMED_USEREVENT &&
	      POSIXTRACE_EV_SYSCALL_EXIT ==
	      (int)POSIX_TRACE_LINUX_SYSCALL_EXIT_NP,
	      "header and kernel number the event types alike");

/* Value of trace_attr_t.__magic while the object is initialized. */
#define PXT_ATTR_MAGIC	0x70587441u

/* trace_attr_t.__stream_policy: the default, which depends on the log. */
#define PXT_POLICY_UNSET	0

static inline bool pxt_eventid_valid(trace_event_id_t id)
{
	return id > 0 && id < POSIXTRACE_EVENT_MAX;
}

/* attr.c */
bool pxt_attr_valid(const trace_attr_t *attr);
void pxt_attr_to_uapi(const trace_attr_t *attr, struct posixtrace_create *arg);
void pxt_attr_from_uapi(trace_attr_t *attr, const struct posixtrace_attr *arg);
void pxt_attr_from_log(trace_attr_t *attr,
		       const struct posixtrace_log_head *head);

/* eventset.c */
void pxt_eventset_to_uapi(const trace_event_set_t *set,
			  struct posixtrace_event_set *arg);
void pxt_eventset_from_uapi(trace_event_set_t *set,
			    const struct posixtrace_event_set *arg);

/* crc32c.c */
__u32 pxt_crc32c(const void *data, size_t size);

/* prerecorded.c */
int pxt_prerecorded_get_attr(trace_id_t trid, trace_attr_t *attr);
int pxt_prerecorded_get_status(trace_id_t trid,
			       struct posixtrace_status *status);
int pxt_prerecorded_getnext(trace_id_t trid, void *data, size_t num_bytes,
			    struct posixtrace_record *record);
int pxt_prerecorded_type_name(trace_id_t trid, trace_event_id_t event,
			      char *name);
int pxt_prerecorded_next_type(trace_id_t trid, trace_event_id_t *event);
int pxt_prerecorded_rewind_types(trace_id_t trid);

/* stream.c */
void pxt_counters_from_uapi(struct posix_trace_counters_np *counters,
			    const struct posixtrace_status *arg);

/* trid.c */
bool pxt_trid_is_prerecorded(trace_id_t trid);
int pxt_trid_make_prerecorded(size_t slot, uint64_t number, trace_id_t *trid);
size_t pxt_trid_slot(trace_id_t trid);
int pxt_trid_make(int fd, uint64_t stream, trace_id_t *trid);
uint64_t pxt_trid_stream(trace_id_t trid);
int pxt_trid_ioctl(trace_id_t trid, unsigned long cmd, void *arg);
int pxt_trid_take(trace_id_t trid, struct posixtrace_getnext *arg);
int pxt_trid_wait(trace_id_t trid, struct posixtrace_wait *arg);
void pxt_trid_close(trace_id_t trid);

/* event.c */
int pxt_gate_open(void);

/* ioctl.c */
int pxt_device_open(void);
int pxt_device_ioctl(unsigned long cmd, void *arg);
void pxt_device_event(struct posixtrace_event *arg);
int pxt_device_map(const struct posixtrace_gate **gate);
void pxt_device_unmap(const struct posixtrace_gate *gate);
int pxt_fd_move_high(int fd);
bool pxt_fd_is_writable(int fd);
int pxt_fd_ioctl(int fd, unsigned long cmd, void *arg);
int pxt_fd_ioctl_short(int fd, unsigned long cmd, void *arg);
int pxt_fd_ioctl_cancelable(int fd, unsigned long cmd, void *arg);
void pxt_fd_close(int fd);

/* The C library's own sysconf(), exported by it under this name, too. */
long __sysconf(int name);

#endif /* PXT_INTERNAL_H */
