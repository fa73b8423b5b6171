# SPDX-License-Identifier: GPL-2.0-only
"""
Whether two reports of one run tell the same.

They differ where strace cannot see what we see, or the other way round. Each
such difference is told by a rule of its own here, which takes away exactly what
it explains, and counts it. What is left must be equal, step by step.
"""
import errno
import os

from calls import MAKES_TASKS, NEVER_RETURN, RESTARTS

RESTART_NUMBERS = [-number for number in RESTARTS.values()]
ENOSYS = -errno.ENOSYS


class Different(Exception):
    """The reports do not tell the same."""


class Pair:
    """A thread in both reports; explained counts by rule."""
    def __init__(self, key, ours, theirs, explained):
        self.key = key
        self.ours = list(ours)
        self.theirs = list(theirs)
        self.explained = explained

    def count(self, rule):
        self.explained[rule] += 1

    def fail(self, why, ours="-", theirs="-"):
        raise Different(f"thread {self.key[0]}: {why}; posixtrace: {ours}, "
                        f"strace: {theirs}")


def child_returns(pair, call):
    """
    A new task begins by returning from the call that has made it. strace does
    not see that: it stops the task only afterwards.
    """
    first = pair.ours[0]
    if first != ("exit", *call, 0):
        pair.fail(f"it does not begin by returning from {call[0]}()", first)
    del pair.ours[0]
    pair.count("return of a child")


def sigreturn(pair):
    """
    On x86 the kernel forgets the number of rt_sigreturn() before it returns;
    strace shows that of the call that is returned to or was entered.
    """
    for i, step in enumerate(pair.ours):
        if step[0] != "exit" or step[2] != -1:
            continue
        before = pair.ours[i - 1]
        if not i or before[:2] != ("enter", "rt_sigreturn"):
            pair.fail("a call without number returns", step)
        pair.ours[i] = ("exit", *before[1:3], step[3])
        pair.count("rt_sigreturn without number")


def strace_attached_later(pair):
    """
    strace was attached while the thread waited in a call: that is interrupted,
    and what follows is seen by both. We have also seen what was before.
    """
    for i, step in enumerate(pair.ours):
        if step[0] == "exit" and step[3] in RESTART_NUMBERS:
            del pair.ours[:i + 1]
            pair.count("before strace was attached")
            return


def ours_attached_later(pair):
    """We were attached while the thread waited in a call: its end is seen."""
    first = pair.ours[0]
    if first[0] != "exit":
        return
    if not pair.theirs or pair.theirs[0][:3] != ("enter", *first[1:3]):
        pair.fail("the first call", first, pair.theirs[:1])
    del pair.theirs[0]
    pair.count("before we were attached")


def told_to_end(pair):
    """
    A thread that ends because others say so is told by SIGKILL, which strace is
    not. Return: whether it was.
    """
    if pair.ours[-1:] != [("signal", "SIGKILL")]:
        return False
    del pair.ours[-1]
    if pair.ours[-1:] and pair.ours[-1][0] == "enter":
        pair.fail("a call that was interrupted has no end", pair.ours[-1])
    pair.count("SIGKILL ends a thread")
    return True


def misread(pair, common, kind):
    """
    When a thread is killed at the moment at which strace looks at it, strace
    takes what it had read of another one for the last call or its result.
    """
    if [step[0] for step in pair.theirs[common:]] == [kind]:
        del pair.theirs[common]
        pair.count("strace has misread the last call")


def last_call(pair):
    """
    strace does not see how the last call of a thread that was told to end
    returned: the thread does not stop any more. If it was killed while strace
    had stopped it before the call, the call was not made.
    """
    if not pair.ours or pair.ours[-1][0] != "exit":
        return
    ours = pair.ours[-1]
    common = len(pair.ours) - 1
    entered = common and pair.ours[-2][0] == "enter"
    if pair.theirs[common:] == [ours] or not entered and ours[3] != ENOSYS:
        return
    del pair.ours[-1]
    if not entered:
        pair.count("killed before its last call")
        if [step[:3] for step in pair.theirs[common:]] == \
                [("enter", *ours[1:3])]:
            del pair.theirs[common]
        misread(pair, common, "enter")
        return
    if ours[3] in RESTART_NUMBERS:
        pair.count("last call interrupted")
    else:
        pair.count("last call returned, strace did not look")
    misread(pair, common, "exit")


def ends(pair, process_end):
    """
    Of threads that end together with their process we may tell the end of the
    process only.
    """
    ours, theirs = pair.ours[-1], pair.theirs[-1]
    if theirs[0] in ("end", "replaced"):
        del pair.theirs[-1]
    if ours[0] == "end":
        del pair.ours[-1]
        if theirs == ("replaced",):
            pair.count("execve() by another thread")
        elif ours != theirs:
            pair.fail("its end", ours, theirs)
    elif theirs[0] == "end":
        if theirs != process_end:
            pair.fail("its end", process_end, theirs)
        pair.count("ended with its process")


def returns_not(pair):
    """exit() and exit_group() have no result."""
    for steps in pair.ours, pair.theirs:
        for step in steps:
            if step[0] == "exit" and step[1] in NEVER_RETURN:
                pair.fail(f"{step[1]}() has returned")
    if pair.ours[-1:] and pair.ours[-1][0] == "enter" and \
            pair.ours[-1][1] in NEVER_RETURN:
        pair.count("no return from exit() or exit_group()")


def same(ours, theirs, tids):
    """tids: of another run, what their numbers are in ours"""
    if ours[:3] != theirs[:3]:
        return False
    if ours[0] == "enter":
        # strace knows how many arguments a call has.
        values = zip(ours[3], theirs[3])
    else:
        values = zip(ours[3:], theirs[3:])
    return all(our == their or our == tids.get(their) for our, their in values)


def must_be_same(pair, tids):
    for ours, theirs in zip(pair.ours, pair.theirs):
        if not same(ours, theirs, tids):
            pair.fail("a step", ours, theirs)
    common = min(len(pair.ours), len(pair.theirs))
    if len(pair.ours) > common:
        pair.fail("one more step", pair.ours[common])
    if len(pair.theirs) > common:
        pair.fail("one step less", "-", pair.theirs[common])
    for step in pair.ours:
        if step[0] == "exit" and step[3] in RESTART_NUMBERS:
            pair.count("result that restarts a call")
        if step[:2] == ("enter", "restart_syscall"):
            pair.count("restart_syscall()")


def explain(pair, report, child, attached):
    """
    report: ours
    child: it began while it was traced
    attached: rule for one that did not, and has taken nobody's place
    """
    if child:
        child_returns(pair, report.forked[pair.key[0]])
    sigreturn(pair)
    if not child and not pair.key[1]:
        attached(pair)
    pid = report.processes[pair.key[0]]
    ends(pair, report.ended.get(pid))
    if told_to_end(pair):
        last_call(pair)
    returns_not(pair)


def is_child(key, report):
    """Was it made, or has it taken another one's place?"""
    tid, life = key
    if tid not in report.forked:
        return False
    return not life or report.threads[tid, life - 1][-1] != ("replaced",)


def difference(ours, theirs):
    return (f"posixtrace only: {sorted(ours - theirs)}, "
            f"strace only: {sorted(theirs - ours)}")


def must_be_consistent(ours):
    """What else the kernel has told us of processes, against the calls."""
    tids = {tid for tid, _ in ours.threads}
    if not set(ours.forked) <= tids:
        raise Different(f"made, but not seen: {set(ours.forked) - tids}")
    executed = {}
    for (tid, _), steps in ours.threads.items():
        done = sum(step[:2] == ("exit", "execve") and not step[3]
                   for step in steps)
        executed[tid] = executed.get(tid, 0) + done
    for tid, number in executed.items():
        if number != ours.executed.get(tid, 0):
            raise Different(f"thread {tid}: execve() has succeeded {number} "
                            f"times, linux_exec {ours.executed.get(tid, 0)}")


def compare_run(ours, theirs, attached, explained):
    """
    Two reports of one run. attached: what explains that a thread that was there
    before has not the same beginning in both.

    Return: number of calls in both.
    """
    must_be_consistent(ours)
    if ours.threads.keys() != theirs.threads.keys():
        raise Different("threads: " + difference(ours.threads.keys(),
                                                 theirs.threads.keys()))
    if not set(theirs.forked) <= set(ours.forked):
        raise Different("made: " + difference(set(ours.forked),
                                              set(theirs.forked)))
    calls = 0
    for key, steps in theirs.threads.items():
        pair = Pair(key, ours.threads[key], steps, explained)
        child = is_child(key, ours) and is_child(key, theirs)
        explain(pair, ours, child, attached)
        must_be_same(pair, {})
        calls += sum(step[0] == "enter" for step in pair.ours)
    return calls


def descent(report):
    """Keys of threads by where they come from: each is the nth of its parent."""
    keys = {}
    waiting = [((), next(iter(report.threads)))]
    while waiting:
        path, key = waiting.pop()
        keys[path] = key
        made = [step[3] for step in report.threads.get(key, [])
                if step[0] == "exit" and step[1] in MAKES_TASKS and step[3] > 0]
        waiting += [((*path, i), (tid, 0)) for i, tid in enumerate(made)]
    return keys


def started(pair):
    """The command is started by another program in each run."""
    for steps in pair.ours, pair.theirs:
        if steps[0][:2] != ("enter", "execve"):
            pair.fail("the first call", pair.ours[0], pair.theirs[0])
        steps[0] = (*steps[0][:3], ())
    pair.count("execve() that starts the command")


def parent(pair, tids):
    """The parent of the command is another program in each run."""
    for i, (ours, theirs) in enumerate(zip(pair.ours, pair.theirs)):
        if ours[:2] == theirs[:2] == ("exit", "getppid") and \
                ours[3] not in tids.values() and theirs[3] not in tids:
            pair.theirs[i] = ours
            pair.count("parent of the command")


def time_left(pair):
    """A program may look at the clock to find how long it still has to wait."""
    for i, (ours, theirs) in enumerate(zip(pair.ours, pair.theirs)):
        if ours[:2] == theirs[:2] == ("enter", "poll") and \
                0 < ours[3][2] < 1 << 31 and 0 < theirs[3][2] < 1 << 31 and \
                ours[3][2] != theirs[3][2]:
            pair.theirs[i] = (*theirs[:3], (*theirs[3][:2], ours[3][2]))
            pair.count("time left for poll()")


def without_handlers(steps):
    """The steps but for SIGCHLD and the return from its handler; how many."""
    rest, number = list(steps), 0
    for i in reversed(range(len(rest) - 2)):
        if rest[i] == ("signal", "SIGCHLD") and \
                rest[i + 1][:2] == ("enter", "rt_sigreturn") and \
                rest[i + 2][:2] == ("exit", "rt_sigreturn"):
            del rest[i:i + 3]
            number += 1
    return rest, number


def ends_of_children(pair):
    """
    A program may have begun to wait for its child or not when that ends, so that
    the handler of SIGCHLD runs earlier or later; but as often.
    """
    ours, our_number = without_handlers(pair.ours)
    theirs, their_number = without_handlers(pair.theirs)
    if our_number != their_number:
        pair.fail("handlers of SIGCHLD", our_number, their_number)
    pair.ours, pair.theirs = ours, theirs
    pair.explained["SIGCHLD when a child ends"] += our_number


def random_numbers(pair):
    """
    For the name of a temporary file, the C library takes the time, and random
    numbers while that does not give a good one.
    """
    for steps in pair.ours, pair.theirs:
        for i in reversed(range(2, len(steps))):
            if steps[i][:2] == ("enter", "openat") and \
                    steps[i][3][2] & os.O_EXCL:
                while steps[i - 1][:2] == ("exit", "getrandom") and \
                        steps[i - 2][3][1:3] == (8, os.GRND_NONBLOCK):
                    del steps[i - 2:i]
                    i -= 2
                    pair.count("random number for a file's name")


def ignored_signals(pair, report):
    """
    The kernel gives a signal that is ignored to a thread with a debugger, and
    to no other; it has told us that it did not.
    """
    ignored = list(report.ignored.get(pair.key[0], []))
    for i, step in enumerate(pair.theirs):
        if step[0] == "signal" and step[1] in ignored and \
                pair.ours[i:i + 1] != [step]:
            ignored.remove(step[1])
            del pair.theirs[i]
            pair.count("signal that is ignored")
    if ignored:
        pair.fail("signals were ignored", ignored)


def compare_runs(ours, theirs, explained):
    """Reports of two runs, each of one. Return: number of calls in both."""
    must_be_consistent(ours)
    our_keys, their_keys = descent(ours), descent(theirs)
    if our_keys.keys() != their_keys.keys():
        raise Different("threads: " + difference(our_keys.keys(),
                                                 their_keys.keys()))
    if len(our_keys) != len(ours.threads) or \
            len(their_keys) != len(theirs.threads):
        raise Different("there are threads that no call has made")
    tids = {their_keys[path][0]: key[0] for path, key in our_keys.items()}
    calls = 0
    for path, key in our_keys.items():
        pair = Pair(key, ours.threads[key], theirs.threads[their_keys[path]],
                    explained)
        explain(pair, ours, path != (), started)
        random_numbers(pair)
        ends_of_children(pair)
        ignored_signals(pair, ours)
        parent(pair, tids)
        time_left(pair)
        must_be_same(pair, tids)
        calls += sum(step[0] == "enter" for step in pair.ours)
    return calls
