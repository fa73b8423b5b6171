// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzer of the module, in the VM:
 *
 *	ioctl [-s SECONDS] [-S SEED] [-p PROGRAM]
 *
 * Programs of random operations are run, each in a process of its own with
 * several threads. One that reaches a part of the module that none before has
 * reached is kept, and changed copies of it are run, too. That needs a module
 * built with cover.c; without, no program is kept.
 *
 * A program follows from a few numbers, which go to the kernel's log before it
 * runs: -p 1234:5678 runs it again, a thousand times (threads and timers are
 * not the same each time). The blocks that are reached are printed, as "block
 * SECTION OFFSET".
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/posixtrace_netlink.h>

#include "ioctl.h"

#define COVER		"/sys/kernel/debug/posixtrace_cover/"
#define SECTIONS	"/sys/module/posixtrace/sections/"
#define MODULE		"/lib/modules/posixtrace.ko"

#define CORPUS_MAX	4096
#define PROGRAM_SECONDS	3	/* then it is killed */

__u64 rng_next(struct rng *rng)
{
	/* splitmix64 */
	__u64 z = rng->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static struct op draw_op(struct rng *rng)
{
	return (struct op){
		.kind = draw_kind(rng),
		.thread = below(rng, 4) ? 0 : below(rng, THREADS),
		.seed = rng_next(rng),
	};
}

static void insert(struct program *p, unsigned int at, struct op op)
{
	if (p->nr == OPS_MAX)
		p->nr--;
	memmove(&p->ops[at + 1], &p->ops[at],
		(p->nr - at) * sizeof(p->ops[0]));
	p->ops[at] = op;
	p->nr++;
}

static void delete(struct program *p, unsigned int at)
{
	p->nr--;
	memmove(&p->ops[at], &p->ops[at + 1],
		(p->nr - at) * sizeof(p->ops[0]));
}

static void mutate(struct program *p, __u64 seed)
{
	struct rng rng = { seed };
	unsigned int times = 1 + below(&rng, 4), at;

	while (times--) {
		at = below(&rng, p->nr);
		switch (below(&rng, 6)) {
		case 0:
			if (p->nr > 1)
				delete(p, at);
			break;
		case 1:
			p->ops[at].seed = rng_next(&rng);
			break;
		case 2:
			p->ops[at].thread = below(&rng, THREADS);
			break;
		case 3:
			insert(p, at < OPS_MAX - 1 ? at : 0, p->ops[at]);
			break;
		default:
			insert(p, at < OPS_MAX - 1 ? at : 0, draw_op(&rng));
		}
	}
}

/* The program that follows from its lineage. */
void program_make(struct program *p)
{
	struct rng rng = { p->lineage[0] };
	unsigned int i;

	p->nr = 8 + below(&rng, 32);
	for (i = 0; i < p->nr; i++)
		p->ops[i] = draw_op(&rng);
	for (i = 1; i < p->generations; i++)
		mutate(p, p->lineage[i]);
}

static void print_lineage(const struct program *p, char *to, size_t size)
{
	size_t len = 0;
	unsigned int i;

	for (i = 0; i < p->generations; i++)
		len += snprintf(to + len, size - len, "%s%llx",
				i ? ":" : "", p->lineage[i]);
}

static bool parse_lineage(struct program *p, const char *from)
{
	char *end;

	p->generations = 0;
	do {
		p->lineage[p->generations++] = strtoull(from, &end, 16);
		if (end == from)
			return false;
		from = end + 1;
	} while (*end == ':' && p->generations < LINEAGE_MAX);
	return !*end;
}

/*
 * Coverage
 */

static long number_in(const char *path, int base)
{
	char text[32] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return 0;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = 0;
	close(fd);
	return strtol(text, NULL, base);
}

static unsigned long section(const char *name)
{
	char path[128], text[32] = "";
	int fd;

	snprintf(path, sizeof(path), SECTIONS "%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = 0;
	close(fd);
	return strtoul(text, NULL, 16);
}

static const char * const sections[] = { ".text", ".init.text", ".exit.text" };

#define SECTIONS_NR	ARRAY_SIZE(sections)
#define OFFSETS_MAX	(1 << 19)

/* Blocks that were ever reached, also by a module that was removed meanwhile. */
static bool seen[SECTIONS_NR][OFFSETS_MAX];
static unsigned int seen_nr;

/* An address belongs to the section that begins closest below it. */
static bool see(const unsigned long start[SECTIONS_NR], unsigned long pc)
{
	unsigned long best = OFFSETS_MAX;
	unsigned int i, in = 0;

	for (i = 0; i < SECTIONS_NR; i++) {
		if (start[i] && pc >= start[i] && pc - start[i] < best) {
			best = pc - start[i];
			in = i;
		}
	}
	if (best == OFFSETS_MAX || seen[in][best])
		return false;
	seen[in][best] = true;
	seen_nr++;
	printf("block %s %lx\n", sections[in], best);
	return true;
}

/* Look at what is reached by now, print what is new; is there anything? */
static bool look(void)
{
	static long last;
	long count = number_in(COVER "count", 10);
	unsigned long start[SECTIONS_NR], pc;
	bool any = false;
	unsigned int i;
	FILE *f;

	if (count == last)
		return false;
	last = count;
	for (i = 0; i < SECTIONS_NR; i++)
		start[i] = section(sections[i]);
	f = fopen(COVER "blocks", "re");
	while (f && fscanf(f, "%lx", &pc) == 1)
		any |= see(start, pc);
	if (f)
		fclose(f);
	fflush(stdout);
	return any;
}

/*
 * Running
 */

static struct program corpus[CORPUS_MAX];
static unsigned int corpus_nr;
static int kmsg = -1;

static void say(const struct program *p)
{
	char lineage[LINEAGE_MAX * 17 + 1], line[sizeof(lineage) + 16];
	int len;

	print_lineage(p, lineage, sizeof(lineage));
	len = snprintf(line, sizeof(line), "fuzz: program %s\n", lineage);
	if (kmsg >= 0 && write(kmsg, line, len) < 0)
		perror("/dev/kmsg");
}

/* Wait for @pid, at most for PROGRAM_SECONDS; then kill it and its group. */
static void wait_for(pid_t pid)
{
	const struct timespec pause = { 0, 2000000 };
	bool ended = false;
	unsigned int i;

	for (i = 0; i < PROGRAM_SECONDS * 500 && !ended; i++) {
		ended = waitpid(pid, NULL, WNOHANG) == pid;
		if (!ended)
			nanosleep(&pause, NULL);
	}
	kill(-pid, SIGKILL);
	if (!ended)
		waitpid(pid, NULL, 0);
}

static void run(const struct program *p)
{
	pid_t pid = fork();

	if (!pid) {
		setpgid(0, 0);
		program_run(p);
		_exit(0);
	}
	if (pid > 0)
		wait_for(pid);
}

/*
 * Nothing of a program is at work when the next one runs. What it has left behind
 * came to us, see PR_SET_CHILD_SUBREAPER.
 */
static void reap(void)
{
	char path[64];
	FILE *f;
	int pid;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	f = fopen(path, "re");
	while (f && fscanf(f, "%d", &pid) == 1)
		kill(pid, SIGKILL);
	if (f)
		fclose(f);
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

/*
 * Now and then, beside the programs: the module is removed, which works only if
 * none uses it, or a processor goes.
 */
static pid_t disturb(__u64 seed)
{
	struct rng rng = { seed };
	pid_t pid = fork();
	int fd, i;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = 0; i < 8; i++) {
		usleep(below(&rng, 50000));
		if (one_in(&rng, 4)) {
			syscall(SYS_delete_module, "posixtrace", O_NONBLOCK);
			continue;
		}
		fd = open("/sys/devices/system/cpu/cpu1/online",
			  O_WRONLY | O_CLOEXEC);
		if (fd >= 0 && write(fd, i % 2 ? "1" : "0", 1) < 0)
			errno = 0;
		close(fd);
	}
	fd = open("/sys/devices/system/cpu/cpu1/online", O_WRONLY | O_CLOEXEC);
	if (fd >= 0 && write(fd, "1", 1) < 0)
		errno = 0;
	_exit(0);
}

/*
 * Somebody is to be told what happens to streams, most of the time.
 */

static int monitor = -1;

/* Numbers of family and group, from the answer to CTRL_CMD_GETFAMILY. */
static void find_family(const char *answer, size_t len)
{
	const struct nlattr *a, *g, *group;
	size_t at = NLMSG_LENGTH(GENL_HDRLEN), end;

	for (; at + NLA_HDRLEN < len; at += NLA_ALIGN(a->nla_len)) {
		a = (const void *)(answer + at);
		if (a->nla_type == CTRL_ATTR_FAMILY_ID)
			netlink_family = *(const __u16 *)(a + 1);
		if ((a->nla_type & NLA_TYPE_MASK) != CTRL_ATTR_MCAST_GROUPS)
			continue;
		/* There is one group. */
		group = a + 1;
		end = (size_t)group->nla_len;
		for (g = group + 1; (const char *)g < (const char *)group + end;
		     g = (const void *)((const char *)g + NLA_ALIGN(g->nla_len)))
			if (g->nla_type == CTRL_ATTR_MCAST_GRP_ID)
				netlink_group = *(const __u32 *)(g + 1);
	}
}

static void open_monitor(void)
{
	struct {
		struct nlmsghdr nl;
		struct genlmsghdr genl;
		struct nlattr attr;
		char name[12];
	} m = {
		.nl.nlmsg_len = sizeof(m),
		.nl.nlmsg_type = GENL_ID_CTRL,
		.nl.nlmsg_flags = NLM_F_REQUEST,
		.genl.cmd = CTRL_CMD_GETFAMILY,
		.genl.version = 1,
		.attr.nla_type = CTRL_ATTR_FAMILY_NAME,
		.attr.nla_len = NLA_HDRLEN + sizeof(POSIXTRACE_NL_FAMILY),
		.name = POSIXTRACE_NL_FAMILY,
	};
	char answer[4096];
	ssize_t len;

	close(monitor);
	monitor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	send(monitor, &m, sizeof(m), 0);
	len = recv(monitor, answer, sizeof(answer), 0);
	if (len > 0)
		find_family(answer, len);
	if (setsockopt(monitor, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP,
		       &netlink_group, sizeof(netlink_group)))
		perror("fuzz: netlink");
}

static void set_parameter(const char *name, unsigned long value)
{
	char path[64], text[24];
	int fd, len = snprintf(text, sizeof(text), "%lu", value);

	snprintf(path, sizeof(path), "/sys/module/posixtrace/parameters/%s",
		 name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd >= 0 && write(fd, text, len) < 0)
		errno = 0;
	close(fd);
}

/* Limits that programs come to now and then. */
static void limit(struct rng *rng)
{
	if (below(rng, 8))
		return;
	set_parameter("sys_max", one_in(rng, 2) ? below(rng, 12) : 1024);
	set_parameter("user_quota", one_in(rng, 2) ? below(rng, 300000) :
		      64UL << 20);
}

/* Now all of it is read, now none for so long that it is lost. */
static void watch(struct rng *rng)
{
	char message[8192];

	if (one_in(rng, 64) || monitor < 0) {
		open_monitor();
	} else if (one_in(rng, 4)) {
		while (recv(monitor, message, sizeof(message),
			    MSG_DONTWAIT) > 0)
			;
	} else if (one_in(rng, 32)) {
		close(monitor);
		monitor = -1;
	}
}

static void need_module(void)
{
	int fd;

	if (!access("/dev/posixtrace", F_OK))
		return;
	fd = open(MODULE, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		fprintf(stderr, "fuzz: the module can't be loaded: %m\n");
	close(fd);
	if (access("/dev/posixtrace", F_OK))
		exit(1);
}

static void choose(struct program *p, struct rng *rng)
{
	const struct program *old;

	if (corpus_nr && below(rng, 4)) {
		/* The newest ones, half of the time. */
		old = &corpus[one_in(rng, 2) ? below(rng, corpus_nr) :
			corpus_nr - 1 - below(rng, corpus_nr < 16 ?
					      corpus_nr : 16)];
		*p = *old;
		if (p->generations == LINEAGE_MAX)
			p->generations = 1 + below(rng, LINEAGE_MAX - 1);
	} else {
		p->generations = 0;
	}
	p->lineage[p->generations++] = rng_next(rng);
	program_make(p);
}

static void keep(const struct program *p)
{
	if (corpus_nr < CORPUS_MAX)
		corpus[corpus_nr++] = *p;
}

static void tell(unsigned long programs)
{
	printf("fuzz: %lu programs, %u blocks, %u kept\n", programs, seen_nr,
	       corpus_nr);
	fflush(stdout);
}

static void fuzz(unsigned int seconds, __u64 seed)
{
	time_t now, end = time(NULL) + seconds, next = time(NULL) + 60;
	unsigned long programs = 0;
	struct rng rng = { seed };
	struct program p;
	pid_t other = 0;

	printf("fuzz: seed %#llx, %u seconds\n", seed, seconds);
	for (now = time(NULL); now < end; now = time(NULL)) {
		need_module();
		watch(&rng);
		limit(&rng);
		choose(&p, &rng);
		say(&p);
		if (one_in(&rng, 32))
			other = disturb(rng_next(&rng));
		run(&p);
		if (other)
			waitpid(other, NULL, 0);
		other = 0;
		reap();
		programs++;
		if (look())
			keep(&p);
		if (now < next)
			continue;
		next = now + 60;
		tell(programs);
	}
	tell(programs);
}

static void repeat(const char *lineage)
{
	struct program p;
	unsigned int i;

	if (!parse_lineage(&p, lineage)) {
		fprintf(stderr, "fuzz: no program: %s\n", lineage);
		exit(2);
	}
	program_make(&p);
	program_print(&p);
	open_monitor();
	say(&p);
	for (i = 0; i < 1000; i++) {
		need_module();
		run(&p);
		reap();
	}
}

/* All kinds of allocations can fail on demand; that is no news for the log. */
static void let_all_fail(void)
{
	static const char * const settings[][2] = {
		{ "failslab/ignore-gfp-wait", "N" },
		{ "failslab/verbose", "0" },
		{ "fail_page_alloc/ignore-gfp-wait", "N" },
		{ "fail_page_alloc/min-order", "0" },
		{ "fail_page_alloc/verbose", "0" },
		{ "fail_usercopy/verbose", "0" },
	};
	char path[128];
	unsigned int i;
	int fd;

	/* One scan, in the end, will do. */
	fd = open("/sys/kernel/debug/kmemleak", O_WRONLY | O_CLOEXEC);
	if (fd >= 0 && write(fd, "scan=off", 8) != 8)
		perror("fuzz: kmemleak");
	close(fd);
	for (i = 0; i < ARRAY_SIZE(settings); i++) {
		snprintf(path, sizeof(path), "/sys/kernel/debug/%s",
			 settings[i][0]);
		fd = open(path, O_WRONLY | O_CLOEXEC);
		if (fd < 0 || write(fd, settings[i][1], 1) != 1)
			printf("fuzz: no %s here\n", path);
		close(fd);
	}
}

int main(int argc, char **argv)
{
	__u64 seed = time(NULL) ^ (__u64)getpid() << 32;
	const char *lineage = NULL;
	unsigned int seconds = 60;
	int option;

	while ((option = getopt(argc, argv, "s:S:p:x")) != -1) {
		switch (option) {
		case 'x':
			program_executed();
			return 0;
		case 's':
			seconds = atoi(optarg);
			break;
		case 'S':
			seed = strtoull(optarg, NULL, 0);
			break;
		case 'p':
			lineage = optarg;
			break;
		default:
			return 2;
		}
	}
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	let_all_fail();
	kmsg = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);
	if (lineage)
		repeat(lineage);
	else
		fuzz(seconds, seed);
	return 0;
}
