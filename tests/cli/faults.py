"""What goes wrong on real machines, done to runs: kills at any time, full and slow disks, lost ranks."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from launched import command_on_ranks
from program_under_test import PROGRAM
from small_input import SMALL

STEPS = 60
#: A second of steps, with a checkpoint each few of them, a regrid in between, and files of all kinds.
INPUT = SMALL.replace("max_steps = 20", f"max_steps = {STEPS}").replace(
    "checkpoint_steps = 0",
    'checkpoint_steps = 5\nsnapshot_time = 0.02\nslice_time = 0.01\nslices = ["z=-0.375"]\ncompression = 1',
)

#: Sleeps in what brings bytes to the disk: a file system that is slow, in its own way for each kind of call.
SLOW_DISK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
static void nap(int us) { usleep(us); }
int fsync(int fd) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  nap(4000);
  return real(fd);
}
ssize_t pwrite(int fd, const void* from, size_t n, off_t at) {
  ssize_t (*real)(int, const void*, size_t, off_t) =
      (ssize_t(*)(int, const void*, size_t, off_t))dlsym(RTLD_NEXT, "pwrite");
  nap(200);
  return real(fd, from, n > 512 ? n / 2 / 8 * 8 : n, at); /* and takes less than it is given */
}
"""


def command(ranks, *words):
    """The program on one rank without a launcher, or on several with one."""
    if ranks == 1:
        return [str(PROGRAM), *map(str, words), "--threads", "1"]
    return command_on_ranks(ranks, *words)


def run(ranks, *words, timeout=120, **more):
    """Runs to the end; gives what subprocess.run does, with text."""
    return subprocess.run(
        command(ranks, *words), capture_output=True, text=True, timeout=timeout, check=False, **more
    )


def started(ranks, *words, **more):
    """The process of a run that goes on."""
    return subprocess.Popen(
        command(ranks, *words), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more
    )


def ranks_of(process):
    """The processes of the program that a process has started, or itself: process ids, ascending."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    family, found = {process.pid}, []
    for _ in range(len(parents)):
        more = {child for child, parent in parents.items() if parent in family} - family
        if not more:
            break
        family |= more
    for pid in sorted(family):
        with contextlib.suppress(OSError):
            if os.readlink(f"/proc/{pid}/exe") == str(PROGRAM.resolve()):
                found.append(pid)
    return found


def kill(process, pids):
    """Kills these at once, waits for the process that was started, and gives what it printed."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    try:
        return process.communicate(timeout=60)[0]
    except subprocess.TimeoutExpired:
        for pid in [*ranks_of(process), process.pid]:
            os.kill(pid, signal.SIGKILL)
        process.communicate()
        raise


def digest(out):
    """Of the newest checkpoint's tree and fields."""
    done = subprocess.run([PROGRAM, "info", out, "--digest"], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def rows(out):
    """The rows of history.csv, without the clock."""
    lines = (out / "history.csv").read_text().splitlines()
    return [line for line in lines if not line.startswith("#")]


def go_on(ranks, file, out, **more):
    """Starts or restarts the run, whatever a kill has left of it."""
    if list(out.glob("checkpoint_*.h5")):
        return started(ranks, "restart", out, **more)
    # Killed before the first checkpoint: what the message says is done.
    shutil.rmtree(out, ignore_errors=True)
    return started(ranks, "run", file, "--out", out, **more)


def finished(ranks, file, out, **more):
    """Goes on to the end."""
    process = go_on(ranks, file, out, **more)
    printed = process.communicate(timeout=120)[0]
    assert process.returncode == 0, printed
    return printed


def killed_again_and_again(ranks, file, out, random, kills, **more):
    """Kills all ranks at random times, restarts each time, and at last goes on to the end; gives how often a file was
    being written when the run was killed."""
    in_writing = 0
    for _ in range(kills):
        process = go_on(ranks, file, out, **more)
        deadline = time.monotonic() + random.uniform(0.05, 0.8) * (1 if ranks == 1 else 2)
        while time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.002)
        # The ranks, not the launcher, which would leave them behind; all of them, though some may not have begun.
        pids = ranks_of(process)
        while len(pids) < ranks and process.poll() is None:
            time.sleep(0.002)
            pids = ranks_of(process)
        in_writing += bool(list(out.glob("*.part")))
        kill(process, pids)
    finished(ranks, file, out, **more)
    return in_writing
