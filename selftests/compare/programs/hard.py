# SPDX-License-Identifier: GPL-2.0-only
"""What is hard to tell of a process, or is told differently by strace."""
import os
import select
import signal
import subprocess
import threading
import time


def in_child(function):
    """Run it in a child process; the status of that."""
    pid = os.fork()
    if not pid:
        function()
        os._exit(99)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def start(target):
    threading.Thread(target=target, daemon=True).start()


def block():
    os.read(os.pipe()[0], 1)


def handle_signals():
    """Calls that are interrupted, and rt_sigreturn()."""
    signal.signal(signal.SIGALRM, lambda number, frame: None)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    signal.pause()
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    time.sleep(0.5)


def stop_and_continue():
    """A call with a timeout goes on as restart_syscall()."""
    me = os.getpid()
    pid = os.fork()
    if not pid:
        time.sleep(0.2)
        os.kill(me, signal.SIGSTOP)
        time.sleep(0.2)
        os.kill(me, signal.SIGCONT)
        os._exit(0)
    select.poll().poll(1000)
    os.waitpid(pid, 0)


def end_others():
    """Threads that wait, or are busy with calls, when the process ends."""
    for _ in range(3):
        start(block)
        start(lambda: [time.sleep(0) for _ in iter(int, 1)])
    time.sleep(0.2)
    os._exit(5)


def end_from_thread():
    start(lambda: os._exit(6))
    block()


def be_killed():
    start(block)
    time.sleep(0.1)
    os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(100)


def execute_from_thread():
    """The new program gets the number of the first thread."""
    start(block)
    start(lambda: os.execv("/bin/echo", ["echo", "-n"]))
    block()


def fail_to_execute():
    try:
        subprocess.run(["/does/not/exist"])
    except FileNotFoundError:
        pass


def kill_a_program():
    program = subprocess.Popen(["sleep", "100"])
    time.sleep(0.2)
    program.terminate()
    assert program.wait() == -signal.SIGTERM


handle_signals()
stop_and_continue()
for _ in range(5):
    assert in_child(end_others) == 5
assert in_child(end_from_thread) == 6
assert in_child(be_killed) == -signal.SIGKILL
assert in_child(execute_from_thread) == 0
fail_to_execute()
kill_a_program()
pid = os.posix_spawn("/bin/true", ["true"], {})
assert os.waitpid(pid, 0)[1] == 0
print("done")
