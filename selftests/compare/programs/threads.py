# SPDX-License-Identifier: GPL-2.0-only
"""Four threads that start programs and hand on what these print."""
import subprocess
import threading

THREADS = 4
results = {}
lock = threading.Lock()


def work(number):
    lines = "".join(f"{number * i}\n" for i in range(50))
    for _ in range(3):
        done = subprocess.run(["sort", "-r", "-n"], input=lines, text=True,
                              capture_output=True, check=True)
        lines = done.stdout
    with open(f"file{number}", "w") as file:
        file.write(lines)
    words = subprocess.check_output(["wc", "-l", file.name], text=True)
    with lock:
        results[number] = words.split()[0], lines.splitlines()[0]


threads = [threading.Thread(target=work, args=(n,)) for n in range(THREADS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
for number in sorted(results):
    print(number, *results[number])
