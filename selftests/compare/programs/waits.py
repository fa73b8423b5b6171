# SPDX-License-Identifier: GPL-2.0-only
"""
Threads that wait, each in another system call, until a line is read. Then all
of them have something to do.
"""
import os
import select
import subprocess
import threading

ready, go = os.pipe()
event = threading.Event()


def wait_in_read():
    assert os.read(ready, 1) == b"r"
    with open("read", "w") as file:
        file.write("something")


def wait_in_poll():
    # One that has a timeout goes on as restart_syscall().
    poll = select.poll()
    poll.register(ready, select.POLLHUP)
    poll.poll(600_000)
    subprocess.run(["true"], check=True)


def wait_in_futex():
    event.wait()
    assert subprocess.check_output(["echo", "event"]) == b"event\n"


threads = [threading.Thread(target=wait)
           for wait in (wait_in_read, wait_in_poll, wait_in_futex)]
for thread in threads:
    thread.start()
print("ready", flush=True)
os.read(0, 100)
os.write(go, b"r")
event.set()
threads[0].join()
os.close(go)
for thread in threads:
    thread.join()
