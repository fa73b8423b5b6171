/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What /proc tells about a process.
 */
#ifndef POSIXTRACE_PROCINFO_H
#define POSIXTRACE_PROCINFO_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * struct procinfo - a process or thread
 * @comm: its name, safe to print
 * @state: letter of its state, 'Z' for a zombie
 * @tgid: the process that it belongs to
 * @uid: real, effective and saved user
 * @kernel: it is a thread of the kernel
 * @exiting: it ends, or has ended
 * @dumpable: not protected from those who run as the same user
 */
struct procinfo {
	char comm[64];
	char state;
	pid_t tgid;
	uid_t uid[3];
	bool kernel;
	bool exiting;
	bool dumpable;
};

/**
 * procinfo_read() - look a process up
 * @pid: process or thread
 * @info: what is known about it
 *
 * Return: false if there is none, or /proc does not show it.
 */
bool procinfo_read(pid_t pid, struct procinfo *info);

/**
 * procinfo_title() - name a process
 * @pid: process
 * @buf: gets "PID (NAME)", or "PID" when its name is not known
 * @size: of @buf
 *
 * Return: @buf.
 */
const char *procinfo_title(pid_t pid, char *buf, size_t size);

#endif /* POSIXTRACE_PROCINFO_H */
