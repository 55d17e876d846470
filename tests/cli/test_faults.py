"""No fault costs more than the steps since the last checkpoint, and each is told. `make faults` does this at length."""

import contextlib
import os
import random
import resource
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from faults import (
    INPUT,
    SLOW_DISK,
    STEPS,
    digest,
    finished,
    go_on,
    kill,
    killed_again_and_again,
    ranks_of,
    rows,
    run,
    started,
)
from launched import needs_launcher

#: Kills in each of the long tests.
KILLS = int(os.environ.get("KILLS", "50"))
ON_RANKS = [1, pytest.param(3, marks=needs_launcher)]


@pytest.fixture(scope="module")
def undisturbed(program, tmp_path_factory):
    """The input, and the run that nobody disturbs."""
    where = tmp_path_factory.mktemp("undisturbed")
    file = where / "faults.toml"
    file.write_text(INPUT)
    finished(1, file, where / "run")
    return file, where / "run"


def same(out, undisturbed):
    """Whether a run ended as the undisturbed one did: state, history, and the same files."""
    assert digest(out) == digest(undisturbed)
    assert rows(out) == rows(undisturbed)
    assert names(out) == names(undisturbed)


def names(out):
    """All files but the clock's, and what a crash may leave, which is known by its name."""
    return sorted(
        p.name for p in out.iterdir() if p.suffix in (".h5", ".phdf", ".xdmf", ".csv") and p.is_file()
    )


@pytest.mark.parametrize("ranks", ON_RANKS)
def test_killed_runs_end_in_the_same_bits(undisturbed, tmp_path, ranks):
    file, whole = undisturbed
    killed_again_and_again(ranks, file, tmp_path / "run", random.Random(ranks), kills=2)
    same(tmp_path / "run", whole)


def test_a_run_killed_at_its_end_gets_its_last_files(program, undisturbed, tmp_path):
    """A checkpoint of the last step, written before that was known to be the last."""
    file, whole = undisturbed
    out = tmp_path / "run"
    longer = ["run", file, "--out", out, "--set", f"run.max_steps={STEPS + 2}"]
    subprocess.run([program, *longer], capture_output=True, check=True)
    (out / f"checkpoint_{STEPS + 2:06}.h5").unlink()
    ends = ["restart", out, "--set", f"run.max_steps={STEPS}"]
    result = subprocess.run([program, *ends], capture_output=True, text=True, check=True)
    assert "its last files were not written; they are now" in result.stdout
    assert (digest(out), rows(out)) == (digest(whole), rows(whole))
    # Of two checkpoints that are kept the other one was of an earlier step.
    assert set(names(whole)) - set(names(out)) == {"checkpoint_000055.h5"}
    assert set(names(out)) <= set(names(whole))
    assert (
        "nothing to do" in subprocess.run([program, *ends], capture_output=True, text=True, check=True).stdout
    )


@pytest.mark.faults
@pytest.mark.parametrize("ranks", ON_RANKS)
def test_runs_killed_many_times_end_in_the_same_bits(undisturbed, tmp_path, ranks):
    file, whole = undisturbed
    seed = time.time_ns()
    print(f"seed {seed}")  # shown where the test fails
    for start in range(0, KILLS, 5):
        out = tmp_path / f"run_{start}"
        killed_again_and_again(ranks, file, out, random.Random(seed + start), kills=5)
        same(out, whole)


@pytest.fixture(scope="module")
def slow_disk(tmp_path_factory):
    """The environment of a program whose disk is slow and takes less than it is given."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    where = tmp_path_factory.mktemp("slow")
    (where / "slow.c").write_text(SLOW_DISK)
    library = where / "slow.so"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", where / "slow.c", "-o", library, "-ldl"],
        check=True,
        capture_output=True,
    )
    return {**os.environ, "LD_PRELOAD": str(library)}


def test_a_slow_disk_changes_nothing(undisturbed, slow_disk, tmp_path):
    file, whole = undisturbed
    finished(1, file, tmp_path / "run", env=slow_disk)
    same(tmp_path / "run", whole)


@pytest.mark.faults
@pytest.mark.parametrize("ranks", ON_RANKS)
def test_runs_killed_while_they_write_end_in_the_same_bits(undisturbed, slow_disk, tmp_path, ranks):
    """With a slow disk most kills come while a file is being written."""
    file, whole = undisturbed
    seed = time.time_ns()
    print(f"seed {seed}")  # shown where the test fails
    in_writing = 0
    for start in range(0, KILLS, 5):
        out = tmp_path / f"run_{start}"
        in_writing += killed_again_and_again(
            ranks, file, out, random.Random(seed + start), kills=5, env=slow_disk
        )
        same(out, whole)
    assert in_writing > KILLS / 10


def no_room(size):
    """Files cannot grow beyond so many bytes, as on a full disk."""

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


def test_a_checkpoint_that_finds_no_room_costs_none_that_was_there(undisturbed, tmp_path):
    file, whole = undisturbed
    out = tmp_path / "run"
    assert run(1, "run", file, "--set", "run.max_steps=12", "--out", out).returncode == 0
    before = {p.name: p.read_bytes() for p in out.glob("checkpoint_*.h5")}
    # Less than a checkpoint has, more than the other files.
    full = run(1, "restart", out, "--set", f"run.max_steps={STEPS}", preexec_fn=no_room(150_000))
    told = full.stdout + full.stderr
    assert full.returncode not in (0, 1), told
    assert "no room" in told or "cannot be written" in told, told
    assert f"rednova restart {out}" in told
    assert {p.name: p.read_bytes() for p in out.glob("checkpoint_*.h5")} == before
    assert not list(out.glob("checkpoint_*.part"))
    done = run(1, "restart", out, "--set", f"run.max_steps={STEPS}")
    assert done.returncode == 0, done.stdout + done.stderr
    assert digest(out) == digest(whole)


@pytest.fixture
def tiny_disk(tmp_path):
    """A file system of 3 MB; for those who may make one."""
    where = tmp_path / "disk"
    where.mkdir()
    size = ["-t", "tmpfs", "-o", "size=3m", "rednova_test", where]
    if os.geteuid() != 0 or subprocess.run(["mount", *size], capture_output=True, check=False).returncode:
        pytest.skip("no file system may be mounted here")
    yield where
    subprocess.run(["umount", where], check=True)


@pytest.mark.parametrize("ranks", ON_RANKS)
def test_a_disk_that_fills_up_ends_the_run_with_its_last_checkpoint(undisturbed, tiny_disk, ranks):
    """All checkpoints are kept until none fits; with more room the run goes on to the same end."""
    file, whole = undisturbed
    out = tiny_disk / "run"
    full = run(ranks, "run", file, "--set", "output.checkpoints_kept=0", "--out", out)
    told = full.stdout + full.stderr
    assert full.returncode not in (0, 1), told
    assert "No space left" in told
    assert f"rednova restart {out}" in told
    kept = sorted(out.glob("checkpoint_*.h5"))
    assert len(kept) > 2
    for one in kept:
        assert digest(one), "is whole"
    subprocess.run(["mount", "-o", "remount,size=64m", tiny_disk], check=True)
    done = run(ranks, "restart", out)
    assert done.returncode == 0, done.stdout + done.stderr
    assert digest(out) == digest(whole)


@needs_launcher
def test_a_lost_rank_ends_all_and_costs_no_checkpoint(undisturbed, tmp_path):
    file, whole = undisturbed
    out = tmp_path / "run"
    process = go_on(3, file, out)
    deadline = time.monotonic() + 60
    while not list(out.glob("checkpoint_*.h5")) and time.monotonic() < deadline:
        time.sleep(0.01)
    ranks = ranks_of(process)
    assert len(ranks) == 3
    started_at = time.monotonic()
    printed = kill(process, [random.Random(3).choice(ranks)])
    assert process.returncode != 0
    assert time.monotonic() - started_at < 30, "the others do not wait"
    assert "lost" in printed or "signal 9" in printed, printed
    assert f"rednova restart {out}" in printed
    # The launcher ends once it has sent the signals; on a busy machine the ranks take a moment longer.
    deadline = time.monotonic() + 10
    while any(alive(pid) for pid in ranks) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(alive(pid) for pid in ranks)
    finished(3, file, out)
    same(out, whole)


def alive(pid):
    """Whether a process is there, and more than an entry that nobody has asked for yet."""
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("ranks", ON_RANKS)
def test_of_two_restarts_one_goes_on(undisturbed, tmp_path, ranks):
    file, whole = undisturbed
    out = tmp_path / "run"
    assert run(1, "run", file, "--set", "run.max_steps=12", "--out", out).returncode == 0
    with contextlib.ExitStack() as folders:
        # Open MPI's launchers that start at the same time fall over each other in a folder of theirs.
        apart = [folders.enter_context(tempfile.TemporaryDirectory()) for _ in range(2)]
        both = [
            started(
                ranks, "restart", out, "--set", f"run.max_steps={STEPS}", env={**os.environ, "TMPDIR": one}
            )
            for one in apart
        ]
        told = [one.communicate(timeout=120)[0] for one in both]
    refused = [text for one, text in zip(both, told, strict=True) if one.returncode != 0]
    assert len(refused) == 1, told
    assert "is writing this run" in refused[0] or "another program" in refused[0], refused[0]
    assert digest(out) == digest(whole)
    assert rows(out) == rows(whole)
