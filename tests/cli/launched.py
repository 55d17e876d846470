"""Runs of the program on several ranks."""

import os
import shutil
import subprocess
from types import SimpleNamespace

import pytest
from program_under_test import PROGRAM

LAUNCHER = ("mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none")

needs_launcher = pytest.mark.skipif(shutil.which("mpirun") is None, reason="there is no mpirun")


def command_on_ranks(ranks, *words, threads=1):
    """The command line of the program on so many ranks."""
    return [*LAUNCHER, "-n", str(ranks), str(PROGRAM), *map(str, words), "--threads", str(threads)]


def on_ranks(ranks, *words, timeout=120):
    """Runs it to its end; gives exit code and what it printed."""
    done = subprocess.run(
        command_on_ranks(ranks, *words),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        env=os.environ,
    )
    return SimpleNamespace(code=done.returncode, out=done.stdout, err=done.stderr)
