"""KOKKOS_TOOLS_LIBS: a library of the user's that listens to the phases of a run."""

import json
import os
import subprocess
from collections import Counter

from launched import LAUNCHER, needs_launcher
from program_under_test import PROGRAM
from small_input import SMALL

TOOL = PROGRAM.parent / "tests" / "libcounting_tool.so"


def run(write, out, *more, tool=TOOL, threads=2, launcher=()):
    environment = {**os.environ, "KOKKOS_TOOLS_LIBS": str(tool), "COUNTING_TOOL_FILE": str(out) + ".counts"}
    command = [*launcher, PROGRAM, "run", write(SMALL), "--out", out, "--threads", threads, *more]
    return subprocess.run(
        [str(c) for c in command], capture_output=True, text=True, env=environment, timeout=120
    )


def expect_all_heard(counted, rank):
    """counted: what the tool wrote; rank: of profile.json."""
    lines = [line.split(" ", 1) for line in counted.splitlines()]
    assert lines[:4] == [["started", "1"], ["ended", lines[1][1]], ["open", "0"], ["strange", "0"]]
    counts = {name: int(count) for count, name in lines[4:]}
    assert sum(counts.values()) == int(lines[1][1])
    calls: dict[str, int] = Counter()
    for phases in (rank["phases"], rank["before_first_step"]["phases"]):
        calls.update({p["name"]: p["calls"] for p in phases})
    for name in ("hydro", "ghosts", "sum of states"):
        assert counts[name] == calls[name] > 100, name
    # From the beginning on.
    assert counts["initial model"] == calls["initial model"] > 0


def test_it_hears_of_each_phase_on_each_thread(program, write, tmp_path):
    out = tmp_path / "run"
    done = run(write, out)
    assert done.returncode == 0, done.stderr
    rank = json.loads((out / "profile.json").read_text())["ranks"][0]
    expect_all_heard((tmp_path / "run.counts").read_text(), rank)


@needs_launcher
def test_each_rank_has_its_own(program, write, tmp_path):
    out = tmp_path / "run"
    done = run(write, out, launcher=(*LAUNCHER, "-n", 2), threads=1)
    assert done.returncode == 0, done.stderr
    ranks = json.loads((out / "profile.json").read_text())["ranks"]
    assert len(ranks) == 2
    for number, rank in enumerate(ranks):
        expect_all_heard((tmp_path / f"run.counts.{number}").read_text(), rank)


def test_it_would_hear_nothing_without_a_profile(program, write, tmp_path):
    done = run(write, tmp_path / "run", "--no-profile")
    assert done.returncode == 2
    assert "KOKKOS_TOOLS_LIBS" in done.stderr
    assert "leave out --no-profile" in done.stderr
    assert not (tmp_path / "run").exists()


def test_what_cannot_be_loaded_is_said_before_anything_is_written(program, write, tmp_path):
    for tool, words in (
        ("/nowhere/libnothing.so", "libnothing.so"),
        ("libm.so.6", "no kokkosp_begin_parallel_for"),
    ):
        done = run(write, tmp_path / "run", tool=tool)
        assert done.returncode == 2
        assert words in done.stderr
        assert "KOKKOS_TOOLS_LIBS" in done.stderr
        assert not (tmp_path / "run").exists()
