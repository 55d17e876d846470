"""A run's directory has one writer at a time, and a restart says what it takes from it, or takes nothing."""

import re
import signal
import socket
import subprocess
import time

import pytest
from complaint import told
from program_under_test import PROGRAM

ENDLESS = ["--set", "run.max_steps=100000000", "--set", "output.checkpoint_steps=5"]


@pytest.fixture
def long_run(write, tmp_path):
    """A run that goes on until it is ended; given when it has a checkpoint."""
    out = tmp_path / "run"
    with subprocess.Popen(
        [PROGRAM, "run", write(), *ENDLESS, "--threads", "1", "--out", out],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as run:
        try:
            deadline = time.monotonic() + 60
            while not list(out.glob("checkpoint_*.h5")) and time.monotonic() < deadline:
                time.sleep(0.02)
            yield out, run
        finally:
            run.kill()


def test_a_second_program_is_refused(rednova, write, long_run):
    out, run = long_run
    holder = [str(out), f"process {run.pid} on host {socket.gethostname()}", "--out"]
    told(rednova("restart", out), *holder)
    newest = max(out.glob("checkpoint_*.h5"))  # the run removes older ones
    told(rednova("restart", newest, timeout=30), *holder)
    told(rednova("run", write(), "--out", out), *holder)
    assert run.poll() is None, "the first goes on"


def test_a_killed_run_locks_nothing(rednova, long_run):
    out, run = long_run
    run.send_signal(signal.SIGKILL)
    run.wait()
    assert (out / "run.lock").exists(), "nobody was there to remove it"
    newest = sorted(out.glob("checkpoint_*.h5"))[-1]
    step = int(re.search(r"\d+", newest.name)[0])
    assert rednova("restart", out, "--set", f"run.max_steps={step + 2}").code == 0
    assert not (out / "run.lock").exists()


def test_of_two_that_start_together_one_goes_on(write, tmp_path):
    command = [PROGRAM, "run", write(), "--threads", "1", "--out", tmp_path / "run"]
    both = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in range(2)]
    codes = sorted(one.wait(timeout=60) for one in both)
    for one in both:
        one.stderr.close()
    assert codes == [0, 2]
    rows = [line.split(",")[0] for line in (tmp_path / "run" / "history.csv").read_text().splitlines()]
    assert [row for row in rows if row.isdigit()] == [str(step) for step in range(21)]


def files_of(directory):
    return {path.name: path.read_bytes() for path in directory.iterdir() if path.name != "profile.json"}


@pytest.fixture
def finished(rednova, write, tmp_path):
    """20 steps, with checkpoints of steps 15 and 20 and a snapshot at either end."""
    out = tmp_path / "run"
    assert rednova("run", write(), "--set", "output.checkpoint_steps=15", "--out", out).code == 0
    assert sorted(p.name for p in out.glob("*.h5")) == ["checkpoint_000015.h5", "checkpoint_000020.h5"]
    return out


def test_a_restart_says_what_it_removes(rednova, finished):
    result = rednova("restart", finished / "checkpoint_000015.h5", "--set", "run.max_steps=16")
    assert result.code == 0, result.err
    (line,) = [
        line for line in result.out.splitlines() if line.startswith("Of what this run wrote after step 15")
    ]
    for word in (
        "5 rows of history.csv",
        "snapshot_00001.phdf",
        "snapshot_00001.xdmf",
        "checkpoint_000020.h5 as soon as there is a new checkpoint",
        f"rednova restart {finished}/checkpoint_000015.h5 --out NEWDIR",
    ):
        assert word in line
    assert sorted(p.name for p in finished.glob("*.h5")) == ["checkpoint_000015.h5", "checkpoint_000016.h5"]


def test_a_restart_that_removes_nothing_says_nothing(rednova, finished):
    result = rednova("restart", finished, "--set", "run.max_steps=21")
    assert result.code == 0, result.err
    assert "Of what this run wrote" not in result.out


def test_a_table_of_another_version_is_kept_and_named(rednova, finished):
    table = finished / "history.csv"
    table.write_text(table.read_text().replace("cell_spin_z", "spin_of_cells"))
    result = rednova("restart", finished, "--set", "run.max_steps=21")
    assert result.code == 0, result.err
    assert "it is history_until_000020.csv now" in result.out
    assert (finished / "history_until_000020.csv").exists()


def test_a_table_that_cannot_be_read_ends_a_restart(rednova, finished):
    """It stays, and is neither cut off nor said to be of another version."""
    (finished / "history.csv").rename(finished / "table.csv")
    (finished / "history.csv").mkdir()
    result = rednova("restart", finished, "--set", "run.max_steps=21")
    assert result.code == 2
    assert "history.csv: cannot be read: Is a directory; it stays as it is" in result.err
    assert (finished / "history.csv").is_dir()


def test_a_file_that_cannot_be_removed_does_not_end_a_run(rednova, finished):
    """As another user's in a shared directory; here one with something in it that has a checkpoint's name."""
    (finished / "checkpoint_000001.h5").mkdir()
    (finished / "checkpoint_000001.h5" / "mine").touch()
    result = rednova("restart", finished, "--set", "run.max_steps=21")
    assert result.code == 0, result.err
    assert "checkpoint_000001.h5: cannot be removed" in result.err
    assert (finished / "checkpoint_000021.h5").exists()


def test_a_file_that_cannot_take_its_place_leaves_nothing_behind(rednova, finished):
    (finished / "checkpoint_000021.h5").mkdir()
    result = rednova("restart", finished / "checkpoint_000020.h5", "--set", "run.max_steps=21")
    assert result.code == 2
    assert "checkpoint_000021.h5" in result.err
    assert list(finished.glob("*.part")) == []


def test_a_run_does_not_write_over_its_input(rednova, write, tmp_path):
    mine = write(name="input.toml")
    before = mine.read_bytes()
    told(rednova("run", mine, "--set", "run.max_steps=1", "--out", tmp_path), "input.toml", "--out")
    assert mine.read_bytes() == before


def test_a_run_branches_into_another_directory(rednova, finished, tmp_path):
    before, new = files_of(finished), tmp_path / "branch"
    result = rednova("restart", finished / "checkpoint_000015.h5", "--set", "run.max_steps=20", "--out", new)
    assert result.code == 0, result.err
    assert "Of what this run wrote" not in result.out
    assert files_of(finished) == before, "the old directory is as it was"
    assert (new / "history.csv").read_bytes() == before["history.csv"], "the same run, so the same rows"
    assert (new / "checkpoint_000020.h5").exists()
    digests = {rednova("info", one, "--digest").out for one in (new, finished)}
    assert len(digests) == 1, "and the same state"
    assert "snapshot_00001.phdf" in files_of(new), "the numbers go on"
    for line in rednova("restart", new, "--set", "run.max_steps=22").out.splitlines():
        assert "rednova: nothing" not in line


def test_a_branch_that_is_killed_early_can_be_restarted(rednova, finished, tmp_path):
    """It begins with the checkpoint that it goes on from."""
    result = rednova(
        "restart",
        finished / "checkpoint_000015.h5",
        *("--set", "run.max_steps=16", "--set", "output.checkpoint_steps=0"),
        *("--out", tmp_path / "branch"),
    )
    assert result.code == 0, result.err
    names = sorted(p.name for p in (tmp_path / "branch").glob("*.h5"))
    assert names == ["checkpoint_000015.h5", "checkpoint_000016.h5"]
    digests = {
        rednova("info", one / "checkpoint_000015.h5", "--digest").out
        for one in (finished, tmp_path / "branch")
    }
    assert len(digests) == 1


def test_a_branch_needs_a_directory_of_its_own(rednova, write, finished, tmp_path):
    before = files_of(finished)
    told(rednova("restart", finished, "--out", finished), "--out", "lies there")
    other = tmp_path / "other"
    assert rednova("run", write(), "--set", "run.max_steps=1", "--out", other).code == 0
    more = ["--set", "run.max_steps=30"]
    told(rednova("restart", finished, *more, "--out", other), str(other), "holds a run already")
    assert files_of(finished) == before


CLOSED = {"stdout": [1], "stderr": [2], "both": [1, 2], "all": [0, 1, 2]}


@pytest.mark.parametrize("which", CLOSED)
def test_closed_streams_do_not_end_a_run(rednova, write, tmp_path, which):
    """As a shell's `>&- 2>&-` closes them: files get these numbers unless the program sees to it."""
    out = tmp_path / "run"
    args = ["run", write(), "--threads", "1", "--set", "output.checkpoint_steps=10", "--out", out]
    closing = " ".join({0: "<&-", 1: ">&-", 2: "2>&-"}[n] for n in CLOSED[which])
    done = subprocess.run(["sh", "-c", f'"$@" {closing}', "sh", PROGRAM, *args], check=False, timeout=60)
    assert done.returncode == 0
    assert rednova("run", write(), "--out", tmp_path / "whole").code == 0
    assert rows_of(out) == rows_of(tmp_path / "whole")
    assert rednova("info", out, "--digest").out == rednova("info", tmp_path / "whole", "--digest").out


def rows_of(directory):
    return [line for line in (directory / "history.csv").read_text().splitlines() if line[0] != "#"]


def test_a_mistake_with_nobody_to_tell_is_a_mistake(write):
    """Where standard error is closed or full the exit code is all there is."""
    for redirection in ("2>&-", ">&- 2>&-", "2>/dev/full"):
        for args in (["restart", "/nowhere"], ["rnu"], ["check", write("x = 1")]):
            done = subprocess.run(
                ["sh", "-c", f'"$@" {redirection}', "sh", PROGRAM, *args],
                stdout=subprocess.DEVNULL,
                check=False,
                timeout=60,
            )
            assert done.returncode == 2, (redirection, args)
