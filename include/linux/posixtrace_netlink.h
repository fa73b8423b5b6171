/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * posixtrace: which streams there are, and what becomes of them
 *
 * A generic netlink family (NETLINK_GENERIC) with one command and one multicast
 * group. A client asks the controller for the family by its name, "posixtrace",
 * and finds its number and that of the group "lifecycle" in the answer (in
 * libnl-genl-3: genl_ctrl_resolve(), genl_ctrl_resolve_grp()). No such family:
 * the module is not loaded.
 *
 * Attributes are flat. An attribute that a client does not know it has to skip;
 * each may be missing from a message of another version. Integers are in the
 * byte order of the machine, 64-bit ones aligned to 8 bytes, perhaps by an
 * attribute of type POSIXTRACE_NL_A_PAD before.
 *
 * POSIXTRACE_NL_GET_STREAMS, with NLM_F_DUMP and without attributes: a message
 * for each stream that the caller may see, in order of number, then NLMSG_DONE.
 * If a stream came or went meanwhile, NLM_F_DUMP_INTR is set in a message after
 * that, at the latest in NLMSG_DONE: ask again for one consistent list.
 *
 * * A caller sees the streams whose owner's effective user, as of creation, is
 *   the one who opened the socket; with CAP_SYS_PTRACE (at opening and now)
 *   over the user namespace of the owner also those of others. So root sees
 *   all, and root of a user namespace those that were made in it.
 * * Pids are those of the caller's pid namespace. A stream whose owner is not
 *   visible there is not listed, whatever the privilege.
 * * Users are mapped into the user namespace in which the socket was opened,
 *   65534 (the overflow uid) stands for one that has no number there.
 *
 * Errors: EINVAL for any attribute or trailing byte; EOPNOTSUPP for another
 * command, or without NLM_F_DUMP.
 *
 * POSIXTRACE_NL_LIFE comes to the members of the group. Joining takes
 * CAP_SYS_ADMIN, else EPERM: it tells about the streams of all users. Messages
 * are sent in the initial network namespace only; pids and users are those of
 * the initial namespaces. The messages of one stream arrive in the order in
 * which things happened. When one could not be delivered, the next recv() fails
 * with ENOBUFS: what the member knows is out of date, GET_STREAMS tells.
 */
#ifndef _UAPI_LINUX_POSIXTRACE_NETLINK_H
#define _UAPI_LINUX_POSIXTRACE_NETLINK_H

#define POSIXTRACE_NL_FAMILY		"posixtrace"
#define POSIXTRACE_NL_VERSION		1
#define POSIXTRACE_NL_GROUP		"lifecycle"

/* Commands */
enum posixtrace_nl_command {
	POSIXTRACE_NL_GET_STREAMS	= 1,	/* to the kernel, and its answer */
	POSIXTRACE_NL_LIFE		= 2,	/* from the kernel, to the group */
};

/*
 * Attributes: S in GET_STREAMS, L in LIFE. Values and units are those of struct
 * posixtrace_attr and struct posixtrace_status.
 */
enum posixtrace_nl_attr {
	POSIXTRACE_NL_A_PAD		= 1,
	POSIXTRACE_NL_A_STREAM		= 2,	/* S L u64: its number */
	POSIXTRACE_NL_A_OWNER		= 3,	/* S L u32: pid */
	POSIXTRACE_NL_A_TARGET		= 4,	/* S L u32: pid; 0: not visible, or
						 * not traced any more, in L
						 * after _LIFE_TARGET_GONE
						 */
	POSIXTRACE_NL_A_UID		= 5,	/* S L u32: user of the owner */
	POSIXTRACE_NL_A_NAME		= 6,	/* S L string, NUL-terminated; any
						 * bytes that the owner chose
						 */
	POSIXTRACE_NL_A_STATE		= 7,	/* S L u32: POSIXTRACE_NL_STATE_* */
	POSIXTRACE_NL_A_STREAM_POLICY	= 8,	/* S u32 */
	POSIXTRACE_NL_A_INHERITANCE	= 9,	/* S u32 */
	POSIXTRACE_NL_A_LOG_POLICY	= 10,	/* S u32 */
	POSIXTRACE_NL_A_STREAM_SIZE	= 11,	/* S u64: bytes */
	POSIXTRACE_NL_A_MAX_DATA_SIZE	= 12,	/* S u64: bytes */
	POSIXTRACE_NL_A_LOG_SIZE	= 13,	/* S u64: bytes */
	POSIXTRACE_NL_A_CREATE_TIME	= 14,	/* S u64: CLOCK_REALTIME, ns */
	POSIXTRACE_NL_A_PROCESSES	= 15,	/* S u64: traced now */
	POSIXTRACE_NL_A_RECORDED	= 16,	/* S u64: events */
	POSIXTRACE_NL_A_LOST		= 17,	/* S u64: events */
	POSIXTRACE_NL_A_OVERWRITTEN	= 18,	/* S u64: events */
	POSIXTRACE_NL_A_TRUNCATED	= 19,	/* S u64: events */
	POSIXTRACE_NL_A_READ		= 20,	/* S u64: events */
	POSIXTRACE_NL_A_FLUSHED		= 21,	/* S u64: bytes */
	POSIXTRACE_NL_A_LOG_LOST	= 22,	/* S u64: events */
	POSIXTRACE_NL_A_MISSED_CHILDREN	= 23,	/* S u64: processes */
	POSIXTRACE_NL_A_KIND		= 24,	/* L u32: POSIXTRACE_LIFE_* */
	POSIXTRACE_NL_A_TIME		= 25,	/* L u64: when it happened,
						 * CLOCK_REALTIME, ns
						 */
	POSIXTRACE_NL_A_ERROR		= 26,	/* S u32: first error number of a
						 * flush that was not reported
						 * yet, 0: none. L: of this one,
						 * with _LIFE_FLUSH_ENDED
						 */
	__POSIXTRACE_NL_A_END,
};

#define POSIXTRACE_NL_A_MAX	(__POSIXTRACE_NL_A_END - 1)

/* State, in S now, in L right after it happened */
#define POSIXTRACE_NL_STATE_RUNNING	0x01	/* events are recorded */
#define POSIXTRACE_NL_STATE_FULL	0x02	/* no room left */
#define POSIXTRACE_NL_STATE_OVERRUN	0x04	/* an event was lost */
#define POSIXTRACE_NL_STATE_FLUSHING	0x08	/* events are written to the log */
#define POSIXTRACE_NL_STATE_LOG		0x10	/* it has a log */
#define POSIXTRACE_NL_STATE_LOG_FULL	0x20	/* that has reached its size */
#define POSIXTRACE_NL_STATE_LOG_OVERRUN	0x40	/* that has lost an event */

/*
 * What happens to a stream. Nothing comes before CREATED, nothing after
 * SHUT_DOWN. A stream with POSIXTRACE_POLICY_LOOP is never stopped for want of
 * room, so it knows neither FULL nor RESUMED but for its log.
 */
enum posixtrace_life {
	POSIXTRACE_LIFE_CREATED		= 1,
	POSIXTRACE_LIFE_STARTED		= 2,	/* its owner started it */
	POSIXTRACE_LIFE_STOPPED		= 3,	/* its owner stopped it */
	POSIXTRACE_LIFE_FULL		= 4,	/* the system stopped it, or holds
						 * it: no room in the stream, or
						 * _STATE_LOG_FULL: in the log
						 */
	POSIXTRACE_LIFE_RESUMED		= 5,	/* there is room: it runs again */
	POSIXTRACE_LIFE_FLUSH_BEGUN	= 6,	/* its log is written to */
	POSIXTRACE_LIFE_FLUSH_ENDED	= 7,	/* with _A_ERROR */
	POSIXTRACE_LIFE_TARGET_GONE	= 8,	/* the process that it was made for
						 * ended, or executed a program
						 * that its owner may not trace
						 */
	POSIXTRACE_LIFE_SHUT_DOWN	= 9,	/* it is gone, its log is complete */
};

#endif /* _UAPI_LINUX_POSIXTRACE_NETLINK_H */
