# SPDX-License-Identifier: GPL-2.0-only
"""
What a report tells of each thread, in the same form for strace and for us.

A thread is a list of steps, in the order in which the report has them:

    ("enter", name, number, arguments)
    ("exit", name, number, result)	an error: its number, negative
    ("signal", name)			one was delivered
    ("end", how)			"exited 0", "killed SIGKILL"
    ("replaced",)			another thread has executed a program and
					goes on under this one's number

The key of a thread is (tid, life): a number can be used again, and is by
execve() of a thread that is not the first. Then life counts.
"""
import errno
import json
import re

# What a system call returns inside the kernel when it is to be restarted.
RESTARTS = {"ERESTARTSYS": 512, "ERESTARTNOINTR": 513, "ERESTARTNOHAND": 514,
            "ERESTART_RESTARTBLOCK": 516}
ERRORS = {name: number for number, name in errno.errorcode.items()}
ERRORS |= {"EWOULDBLOCK": errno.EAGAIN, "ENOTSUPP": 524} | RESTARTS

MAKES_TASKS = ("clone", "clone3", "fork", "vfork")
NEVER_RETURN = ("exit", "exit_group")


class Damaged(Exception):
    """A report is not as it has to be."""


class Report:
    """What one tracer has told.

    threads: steps by key
    forked: for the tid of each process and thread that was made, name and
            number of the call that made it
    processes: pids by tid, of ours only
    executed: how many programs each tid has executed, of ours only
    ended: how each process has ended, of ours only
    ignored: signals that were sent to each tid in vain, of ours only
    """
    def __init__(self):
        self.threads = {}
        self.lives = {}
        self.forked = {}
        self.processes = {}
        self.executed = {}
        self.ended = {}
        self.ignored = {}

    def add(self, tid, step):
        life = self.lives.setdefault(tid, 0)
        self.threads.setdefault((tid, life), []).append(step)
        if step[0] in ("end", "replaced"):
            self.lives[tid] += 1

    def add_child(self, tid, child):
        """It is made while its parent is in the call."""
        last = self.threads.get((tid, self.lives.get(tid, 0)), [()])[-1]
        if last[:1] != ("enter",) or last[1] not in MAKES_TASKS:
            raise Damaged(f"posixtrace: {tid} has made {child} in {last}")
        self.forked[child] = last[1:3]


def number(text):
    return int(text, 0)


def result(text):
    """
    Of a call as strace writes it; None: it has not seen any. If a thread is
    killed before strace has read that, it says so, or gives an impossible error.
    """
    if re.fullmatch(r"\?( <unavailable>)?|-1 \(errno \d{20}\)", text):
        return None
    value = re.fullmatch(r"(0x[0-9a-f]+|0)|(?:-1|\?) (E\w+) \(.*\)", text)
    if not value:
        raise Damaged(f"strace: result {text}")
    if value[2]:
        return -ERRORS[value[2]]
    unsigned = number(value[1])
    return unsigned - (1 << 64) if unsigned >> 63 else unsigned


CALL = re.compile(r"(\w+)\((.*?)(?: <unfinished \.\.\.>|\) += (.*))")
RESUMED = re.compile(r"<\.\.\. (\w+) resumed>\) += (.*)")
SIGNAL = re.compile(r"--- (SIG\w+) \{.*\} ---")
STOPPED = re.compile(r"--- stopped by SIG\w+ ---")
ENDED = re.compile(r"\+\+\+ (?:exited with (\d+)|killed by (SIG\w+)"
                   r"( \(core dumped\))?) \+\+\+")
# A call that strace could not read, since the thread was killed.
UNKNOWN = re.compile(r"\?+\(.*|<\.\.\. \?+ resumed>.*")
REPLACED = re.compile(r"\+\+\+ superseded by execve in pid \d+ \+\+\+")


def strace_steps(nr, text):
    """Those that a line tells of, without its tid and its number."""
    if call := CALL.fullmatch(text):
        arguments = tuple(number(a) for a in call[2].split(", ") if a)
        yield "enter", call[1], int(nr), arguments
        if call[3] is not None and (ret := result(call[3])) is not None:
            yield "exit", call[1], int(nr), ret
    elif call := RESUMED.fullmatch(text):
        if (ret := result(call[2])) is not None:
            yield "exit", call[1], int(nr), ret
    elif sig := SIGNAL.fullmatch(text):
        yield "signal", sig[1]
    elif end := ENDED.fullmatch(text):
        yield "end", f"exited {end[1]}" if end[1] else f"killed {end[2]}"
    elif REPLACED.fullmatch(text):
        yield ("replaced",)
    elif not STOPPED.fullmatch(text) and not UNKNOWN.fullmatch(text):
        raise Damaged(f"strace: {text}")


LINE = re.compile(r"(\d+) +\[ *(\d+|\?+)\] (.*)")


def read_strace(lines):
    """Of strace -f -n -e raw=all -o."""
    report = Report()
    for line in lines:
        parts = LINE.fullmatch(line)
        if not parts:
            raise Damaged(f"strace: {line}")
        tid = int(parts[1])
        for step in strace_steps(parts[2], parts[3]):
            report.add(tid, step)
            if step[0] == "exit" and step[1] in MAKES_TASKS and step[3] > 0:
                report.forked[step[3]] = step[1:3]
    if not report.threads:
        raise Damaged("strace: the report is empty")
    return report


def how_ended(event):
    if "exited" in event:
        return f"exited {event['exited']}"
    return f"killed {event['killed_by']}"


def read_events(lines):
    """Of posixtrace print --json."""
    report = Report()
    for line in lines:
        event = json.loads(line)
        tid, kind = event["tid"], event["event"]
        if tid:
            report.processes[tid] = event["pid"]
        if kind == "linux_syscall_enter":
            arguments = tuple(number(a) for a in event["args"])
            report.add(tid, ("enter", event["syscall"], event["nr"], arguments))
        elif kind == "linux_syscall_exit":
            report.add(tid, ("exit", event["syscall"], event["nr"],
                             event["ret"]))
        elif kind == "linux_signal_deliver":
            report.add(tid, ("signal", event["signal"]))
        elif kind == "linux_signal_generate":
            if event["result"] == "ignored":
                report.ignored.setdefault(tid, []).append(event["signal"])
        elif kind in ("linux_exit", "linux_thread_exit"):
            report.add(tid, ("end", how_ended(event)))
            if kind == "linux_exit":
                report.ended[event["pid"]] = ("end", how_ended(event))
        elif kind == "linux_fork":
            report.add_child(tid, event["child_tid"])
        elif kind == "linux_exec":
            report.executed[tid] = report.executed.get(tid, 0) + 1
        elif kind in ("posix_trace_overflow", "posix_trace_error"):
            raise Damaged(f"posixtrace: {line}")
    if not report.threads:
        raise Damaged("posixtrace: the log is empty")
    return report
