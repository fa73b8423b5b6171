// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Stream identifiers
 *
 * A trid is the descriptor of the stream (low 24 bits) and the number that the
 * kernel gave the stream (the next 39). The kernel checks that number with each
 * command, so that a trid of a stream that is gone is refused even if its
 * descriptor is some other stream by now. Bit 63 marks pre-recorded streams,
 * which are not in the kernel; their two numbers are those of prerecorded.c.
 */
#include "internal.h"

#define FD_BITS		24
#define FD_MAX		((1 << FD_BITS) - 1)
#define STREAM_MAX	((UINT64_C(1) << (63 - FD_BITS)) - 1)
#define PRERECORDED	(UINT64_C(1) << 63)

static int trid_fd(trace_id_t trid)
{
	return (trid & PRERECORDED) ? -1 : (int)(trid & FD_MAX);
}

/**
 * pxt_trid_make() - identifier of a stream
 * @fd: its descriptor
 * @stream: its number
 * @trid: where the identifier goes
 *
 * Return: 0, or
 * * EMFILE: one of the two has too many bits
 */
int pxt_trid_make(int fd, uint64_t stream, trace_id_t *trid)
{
	if (fd < 0 || fd > FD_MAX || stream > STREAM_MAX)
		return EMFILE;
	*trid = stream << FD_BITS | (unsigned int)fd;
	return 0;
}

/**
 * pxt_trid_is_prerecorded() - whether this would be a pre-recorded stream
 * @trid: any value
 *
 * Return: true if it would.
 */
bool pxt_trid_is_prerecorded(trace_id_t trid)
{
	return trid & PRERECORDED;
}

/**
 * pxt_trid_make_prerecorded() - identifier of a pre-recorded stream
 * @slot: where it is in the table
 * @number: its number
 * @trid: where the identifier goes
 *
 * Return: 0, or
 * * EMFILE: one of the two has too many bits
 */
int pxt_trid_make_prerecorded(size_t slot, uint64_t number, trace_id_t *trid)
{
	int err;

	if (slot > FD_MAX)
		return EMFILE;
	err = pxt_trid_make(slot, number, trid);
	if (!err)
		*trid |= PRERECORDED;
	return err;
}

/**
 * pxt_trid_slot() - where a pre-recorded stream is in the table
 * @trid: identifier
 *
 * Return: the number of the element.
 */
size_t pxt_trid_slot(trace_id_t trid)
{
	return trid & FD_MAX;
}

/**
 * pxt_trid_stream() - number of a stream
 * @trid: identifier
 *
 * Return: the number.
 */
uint64_t pxt_trid_stream(trace_id_t trid)
{
	return (trid & ~PRERECORDED) >> FD_BITS;
}

/*
 * What the descriptor is not, or not any more, our stream says in many ways.
 */
static int trid_error(int err)
{
	switch (err) {
	case EBADF:
	case ENOTTY:
		return EINVAL;
	case E2BIG:
		return ENOSYS;
	default:
		return err;
	}
}

/**
 * pxt_trid_ioctl() - command to a stream
 * @trid: the stream
 * @cmd: command
 * @arg: its argument, with the number of the stream
 *
 * Return: 0, an error number of the command, or
 * * EINVAL: not an active stream of this process
 */
int pxt_trid_ioctl(trace_id_t trid, unsigned long cmd, void *arg)
{
	return trid_error(pxt_fd_ioctl(trid_fd(trid), cmd, arg));
}

/**
 * pxt_trid_take() - take an event out, without waiting
 * @trid: the stream
 * @arg: what is wanted, and what it is
 *
 * Return: as pxt_trid_ioctl(); ENODATA: there is none.
 */
int pxt_trid_take(trace_id_t trid, struct posixtrace_getnext *arg)
{
	return trid_error(pxt_fd_ioctl_short(trid_fd(trid),
					     POSIXTRACE_IOC_GETNEXT, arg));
}

/**
 * pxt_trid_wait() - wait for an event, a cancellation point
 * @trid: the stream
 * @arg: until when
 *
 * Return: as pxt_trid_ioctl().
 */
int pxt_trid_wait(trace_id_t trid, struct posixtrace_wait *arg)
{
	return trid_error(pxt_fd_ioctl_cancelable(trid_fd(trid),
						  POSIXTRACE_IOC_WAIT, arg));
}

/**
 * pxt_trid_close() - close the descriptor of a stream
 * @trid: the stream
 */
void pxt_trid_close(trace_id_t trid)
{
	pxt_fd_close(trid_fd(trid));
}

/**
 * posix_trace_get_fd_np() - descriptor of an active stream, for poll()
 * @trid: the stream
 * @fd: where it goes
 *
 * POLLIN tells that an event can be read, POLLHUP that the stream was shut down.
 * read() takes out whole records (struct posixtrace_record). The descriptor
 * belongs to the stream: the application must not close it.
 *
 * Return: 0, or
 * * EINVAL: @trid is not an active stream of this process; @fd is null
 */
PXT_API int posix_trace_get_fd_np(trace_id_t trid, int *fd)
{
	struct posixtrace_status arg = {
		.size = sizeof(arg),
		.flags = POSIXTRACE_STATUS_PEEK,
		.stream = pxt_trid_stream(trid),
	};
	int err;

	if (!fd)
		return EINVAL;
	err = pxt_trid_ioctl(trid, POSIXTRACE_IOC_GET_STATUS, &arg);
	if (!err)
		*fd = trid_fd(trid);
	return err;
}
