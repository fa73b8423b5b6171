// SPDX-License-Identifier: GPL-2.0-only
/*
 * A traced process that executes a program which its controller may not trace
 * (assertion A-461): not one event of the new program is for that controller.
 */
#include "abi_test.h"
#include "exec_test.h"
#include "role_test.h"

#define USER	1000
#define GROUP	2000

/* Who traces, and what is executed: a copy of this program. */
struct trial {
	uid_t controller;
	uid_t owner;		/* of the program */
	gid_t group;
	mode_t mode;
	bool traced;		/* afterwards */
};

FIXTURE(setuid) {
	char program[64];
};

FIXTURE_VARIANT(setuid) {
	struct trial trial;
};

FIXTURE_VARIANT_ADD(setuid, ordinary) {
	.trial = { .controller = USER, .mode = 0755, .traced = true },
};

FIXTURE_VARIANT_ADD(setuid, set_user_id) {
	.trial = { .controller = USER, .mode = 04755 },
};

FIXTURE_VARIANT_ADD(setuid, set_group_id) {
	.trial = { .controller = USER, .group = GROUP, .mode = 02755 },
};

FIXTURE_VARIANT_ADD(setuid, unreadable) {
	.trial = { .controller = USER, .mode = 0711 },
};

FIXTURE_VARIANT_ADD(setuid, set_user_id_to_the_user_itself) {
	.trial = {
		.controller = USER, .owner = USER, .mode = 04755,
		.traced = true,
	},
};

FIXTURE_VARIANT_ADD(setuid, set_user_id_traced_by_root) {
	.trial = { .controller = 0, .mode = 04755, .traced = true },
};

FIXTURE_VARIANT_ADD(setuid, unreadable_traced_by_root) {
	.trial = { .controller = 0, .mode = 0711, .traced = true },
};

FIXTURE_SETUP(setuid)
{
	const struct trial *trial = &variant->trial;

	if (geteuid())
		SKIP(return, "needs root");
	snprintf(self->program, sizeof(self->program), "/tmp/setuid-test.%d",
		 getpid());
	copy_self(self->program, trial->owner, trial->group, trial->mode);
}

FIXTURE_TEARDOWN(setuid)
{
	unlink(self->program);
}

/* The new program opens a name, and another one later. */
static int open_names(const struct child *c)
{
	int device = device_open();
	__u32 id = raw_eventid(device, "of the program");

	put(c, &id, sizeof(id));
	await(c);
	id = raw_eventid(device, "late name");
	put(c, &id, sizeof(id));
	await(c);
	return 0;
}

/* The new program: some calls to be seen, or not. */
static int after_exec(const struct child *c, const char *what)
{
	uid_t uid = geteuid();

	if (!strcmp(what, "names"))
		return open_names(c);
	put(c, &uid, sizeof(uid));
	await(c);
	syscall(SYS_getppid);
	hand(c);
	await(c);
	return 0;
}

static int be_target(const struct child *c, void *arg)
{
	must(become_user(USER));
	hand(c);
	await(c);
	exec_file_again(c, arg, "");
	return 1;
}

/* What the controller saw. */
struct report {
	uid_t uid;		/* effective, of the new program */
	unsigned int before;	/* system calls up to the exec, with its entry */
	unsigned int after;	/* from its return on */
	bool target_gone;	/* a new stream is refused */
};

static bool is_exec(const struct raw_event *event)
{
	struct posixtrace_syscall_enter enter;

	if (event->record.event_id != POSIXTRACE_EV_SYSCALL_ENTER)
		return false;
	memcpy(&enter, event->data, sizeof(enter));
	return enter.nr == SYS_execve;
}

static void count_events(struct raw raw, struct report *report)
{
	struct raw_event event;
	bool executed = false;

	while (!raw_next(raw, &event)) {
		if (event.record.event_id < POSIXTRACE_EV_KERNEL)
			continue;
		if (executed)
			report->after++;
		else
			report->before++;
		executed |= is_exec(&event);
	}
}

struct job {
	uid_t uid;
	struct child target;
};

static int be_controller(const struct child *c, void *arg)
{
	struct job *job = arg;
	struct posixtrace_create create = create_arg(job->target.pid);
	struct report report = { };
	int device;
	struct raw raw;

	if (job->uid)
		must(become_user(job->uid));
	device = device_open();
	create.kernel_events.bits[0] =
		(__u64)1 << POSIXTRACE_EV_SYSCALL_ENTER |
		(__u64)1 << POSIXTRACE_EV_SYSCALL_EXIT;
	must(raw_create(device, &create, &raw));
	must(raw_control(raw, POSIXTRACE_IOC_START));

	hand(&job->target);
	get(&job->target, &report.uid, sizeof(report.uid));
	hand(&job->target);
	await(&job->target);
	count_events(raw, &report);
	report.target_gone = try_create(device, job->target.pid) == EPERM;
	put(c, &report, sizeof(report));
	return 0;
}

/*
 * A program that takes the place of another, and dies before it begins: of its
 * memory there is not enough. It has its privileges by then.
 */
static int be_stillborn(const struct child *c, void *arg)
{
	struct rlimit memory = { 200 << 10, 200 << 10 };

	must(become_user(USER));
	hand(c);
	await(c);
	must_be(!setrlimit(RLIMIT_AS, &memory));
	exec_file_again(c, arg, "");
	return 1;
}

/* What a stream with all kernel events saw from the call of execve() on. */
struct last_words {
	unsigned int calls;	/* returns */
	unsigned int signals;
	unsigned int ends;
	int status;
};

static void hear(struct raw raw, struct last_words *words)
{
	struct raw_event event;
	bool executed = false;

	while (!raw_next(raw, &event)) {
		executed |= is_exec(&event);
		if (!executed)
			continue;
		switch (event.record.event_id) {
		case POSIXTRACE_EV_SYSCALL_EXIT:
			words->calls++;
			break;
		case POSIXTRACE_EV_SIGNAL_GENERATE:
		case POSIXTRACE_EV_SIGNAL_DELIVER:
			words->signals++;
			break;
		case POSIXTRACE_EV_EXIT:
			words->ends++;
			memcpy(&words->status, event.data,
			       sizeof(words->status));
		}
	}
}

static int be_listener(const struct child *c, void *arg)
{
	struct job *job = arg;
	struct posixtrace_create create = create_arg(job->target.pid);
	struct last_words words = { };
	struct raw raw;

	if (job->uid)
		must(become_user(job->uid));
	create.kernel_events.bits[0] = (1ULL << POSIXTRACE_EV_KERNEL_END) -
				       (1ULL << POSIXTRACE_EV_KERNEL);
	create.stream_size = 1 << 20;
	must(raw_create(device_open(), &create, &raw));
	must(raw_control(raw, POSIXTRACE_IOC_START));
	hand(&job->target);
	hand(c);
	await(c);
	hear(raw, &words);
	put(c, &words, sizeof(words));
	return 0;
}

/* Nothing is seen until it is known who may see it: only that it was the end. */
TEST_F(setuid, program_that_never_begins_is_seen_to_end)
{
	struct job job = { .uid = variant->trial.controller };
	struct child controller;
	struct last_words words;

	child_start(&job.target, be_stillborn, self->program);
	await(&job.target);
	child_start(&controller, be_listener, &job);
	await(&controller);
	EXPECT_EQ(128 + SIGSEGV, child_end(&job.target));
	hand(&controller);
	get(&controller, &words, sizeof(words));
	EXPECT_EQ(0, child_end(&controller));
	EXPECT_EQ(0, words.calls);
	EXPECT_EQ(0, words.signals);
	EXPECT_EQ(1, words.ends);
	EXPECT_EQ(SIGSEGV, words.status & 0x7f);
}

/* A-461 [C-63]: who may not trace the new program sees nothing of it */
TEST_F(setuid, A461_controller_sees_a_new_program_only_if_it_may_trace_it)
{
	const struct trial *trial = &variant->trial;
	struct job job = { .uid = trial->controller };
	struct child controller;
	struct report report;

	child_start(&job.target, be_target, self->program);
	await(&job.target);
	child_start(&controller, be_controller, &job);
	get(&controller, &report, sizeof(report));
	EXPECT_EQ(0, child_end(&controller));

	EXPECT_EQ(trial->mode & 04000 ? trial->owner : USER, report.uid);
	EXPECT_LT(0, report.before);
	EXPECT_EQ(trial->traced, report.after > 0);
	EXPECT_EQ(!trial->traced, report.target_gone);
	hand(&job.target);
	EXPECT_EQ(0, child_end(&job.target));
}

static int be_target_with_names(const struct child *c, void *arg)
{
	must(become_user(USER));
	hand(c);
	await(c);
	exec_file_again(c, arg, "names");
	return 1;
}

static __u32 name_for(struct raw raw, const char *name)
{
	struct posixtrace_name arg = {
		.size = sizeof(arg),
		.stream = raw.number,
	};

	snprintf(arg.name, sizeof(arg.name), "%s", name);
	must(call(raw.fd, POSIXTRACE_IOC_TRID_EVENTID_OPEN, &arg));
	return arg.event_id;
}

/* What the controller and the program were given for their names. */
struct names {
	__u32 by_program, same, late;
};

static int be_opener(const struct child *c, void *arg)
{
	struct job *job = arg;
	struct names ids;
	char name[16];
	struct raw raw;
	int i;

	if (job->uid)
		must(become_user(job->uid));
	raw = raw_stream(device_open(), job->target.pid);
	hand(&job->target);
	get(&job->target, &ids.by_program, sizeof(ids.by_program));
	ids.same = name_for(raw, "of the program");
	for (i = 0; i < POSIXTRACE_USER_EVENT_MAX; i++) {
		snprintf(name, sizeof(name), "%d", i);
		name_for(raw, name);
	}
	hand(&job->target);
	get(&job->target, &ids.late, sizeof(ids.late));
	put(c, &ids, sizeof(ids));
	return 0;
}

/* Nor does it learn or take the names of that program. */
TEST_F(setuid, controller_shares_names_with_a_program_only_if_it_may_trace_it)
{
	const struct trial *trial = &variant->trial;
	struct job job = { .uid = trial->controller };
	struct child controller;
	struct names ids;

	child_start(&job.target, be_target_with_names, self->program);
	await(&job.target);
	child_start(&controller, be_opener, &job);
	get(&controller, &ids, sizeof(ids));
	EXPECT_EQ(0, child_end(&controller));

	EXPECT_LE(POSIXTRACE_EV_USER, ids.by_program);
	EXPECT_EQ(trial->traced ? ids.by_program : POSIXTRACE_EV_UNNAMED,
		  ids.same);
	EXPECT_EQ(trial->traced, ids.late == POSIXTRACE_EV_UNNAMED);
	hand(&job.target);
	EXPECT_EQ(0, child_end(&job.target));
}

TEST_HARNESS_MAIN
