// SPDX-License-Identifier: GPL-2.0-only
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "signames.h"
#include "tool.h"

/**
 * struct code - a si_code
 * @sig: signal, 0: any
 * @code: number
 * @name: name
 */
static const struct code {
	int sig;
	int code;
	const char *name;
} codes[] = {
	/* asm-generic/siginfo.h; C libraries do not have all of them */
	{ 0, 0, "SI_USER" },
	{ 0, 0x80, "SI_KERNEL" },
	{ 0, -1, "SI_QUEUE" },
	{ 0, -2, "SI_TIMER" },
	{ 0, -3, "SI_MESGQ" },
	{ 0, -4, "SI_ASYNCIO" },
	{ 0, -5, "SI_SIGIO" },
	{ 0, -6, "SI_TKILL" },
	{ 0, -7, "SI_DETHREAD" },
	{ 0, -60, "SI_ASYNCNL" },
	{ SIGILL, 1, "ILL_ILLOPC" },
	{ SIGILL, 2, "ILL_ILLOPN" },
	{ SIGILL, 3, "ILL_ILLADR" },
	{ SIGILL, 4, "ILL_ILLTRP" },
	{ SIGILL, 5, "ILL_PRVOPC" },
	{ SIGILL, 6, "ILL_PRVREG" },
	{ SIGILL, 7, "ILL_COPROC" },
	{ SIGILL, 8, "ILL_BADSTK" },
	{ SIGILL, 9, "ILL_BADIADDR" },
	{ SIGFPE, 1, "FPE_INTDIV" },
	{ SIGFPE, 2, "FPE_INTOVF" },
	{ SIGFPE, 3, "FPE_FLTDIV" },
	{ SIGFPE, 4, "FPE_FLTOVF" },
	{ SIGFPE, 5, "FPE_FLTUND" },
	{ SIGFPE, 6, "FPE_FLTRES" },
	{ SIGFPE, 7, "FPE_FLTINV" },
	{ SIGFPE, 8, "FPE_FLTSUB" },
	{ SIGFPE, 14, "FPE_FLTUNK" },
	{ SIGFPE, 15, "FPE_CONDTRAP" },
	{ SIGSEGV, 1, "SEGV_MAPERR" },
	{ SIGSEGV, 2, "SEGV_ACCERR" },
	{ SIGSEGV, 3, "SEGV_BNDERR" },
	{ SIGSEGV, 4, "SEGV_PKUERR" },
	{ SIGSEGV, 5, "SEGV_ACCADI" },
	{ SIGSEGV, 6, "SEGV_ADIDERR" },
	{ SIGSEGV, 7, "SEGV_ADIPERR" },
	{ SIGSEGV, 8, "SEGV_MTEAERR" },
	{ SIGSEGV, 9, "SEGV_MTESERR" },
	{ SIGSEGV, 10, "SEGV_CPERR" },
	{ SIGBUS, 1, "BUS_ADRALN" },
	{ SIGBUS, 2, "BUS_ADRERR" },
	{ SIGBUS, 3, "BUS_OBJERR" },
	{ SIGBUS, 4, "BUS_MCEERR_AR" },
	{ SIGBUS, 5, "BUS_MCEERR_AO" },
	{ SIGTRAP, 1, "TRAP_BRKPT" },
	{ SIGTRAP, 2, "TRAP_TRACE" },
	{ SIGTRAP, 3, "TRAP_BRANCH" },
	{ SIGTRAP, 4, "TRAP_HWBKPT" },
	{ SIGTRAP, 5, "TRAP_UNK" },
	{ SIGTRAP, 6, "TRAP_PERF" },
	{ SIGCHLD, 1, "CLD_EXITED" },
	{ SIGCHLD, 2, "CLD_KILLED" },
	{ SIGCHLD, 3, "CLD_DUMPED" },
	{ SIGCHLD, 4, "CLD_TRAPPED" },
	{ SIGCHLD, 5, "CLD_STOPPED" },
	{ SIGCHLD, 6, "CLD_CONTINUED" },
	{ SIGPOLL, 1, "POLL_IN" },
	{ SIGPOLL, 2, "POLL_OUT" },
	{ SIGPOLL, 3, "POLL_MSG" },
	{ SIGPOLL, 4, "POLL_ERR" },
	{ SIGPOLL, 5, "POLL_PRI" },
	{ SIGPOLL, 6, "POLL_HUP" },
	{ SIGSYS, 1, "SYS_SECCOMP" },
	{ SIGSYS, 2, "SYS_USER_DISPATCH" },
};

const char *signame(int sig, char *buf)
{
	const char *name = sigabbrev_np(sig);

	if (name)
		snprintf(buf, SIGNAME_MAX, "SIG%s", name);
	else if (sig == SIGRTMIN)
		snprintf(buf, SIGNAME_MAX, "SIGRTMIN");
	else if (sig > SIGRTMIN && sig <= SIGRTMAX)
		snprintf(buf, SIGNAME_MAX, "SIGRTMIN+%d", sig - SIGRTMIN);
	else
		return NULL;
	return buf;
}

const char *sigcode(int sig, int code)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(codes); i++) {
		if (codes[i].code == code &&
		    (!codes[i].sig || codes[i].sig == sig))
			return codes[i].name;
	}
	return NULL;
}
