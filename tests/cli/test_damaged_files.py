"""Whatever is in a file, its reader is told what is wrong and what to do; nothing ends in a signal."""

import os
import random
import shutil
import subprocess

import h5py
import numpy as np
import pytest
from complaint import told
from program_under_test import ROOT
from sealed import seal


@pytest.fixture(scope="module")
def run(program, tmp_path_factory):
    """A run with two checkpoints of eight blocks and two snapshots."""
    out = tmp_path_factory.mktemp("damaged") / "run"
    small = ["mesh.min_level=1", "mesh.max_level=1", "problem.radius=0.07", "run.max_steps=2"]
    words = [word for one in (*small, "output.checkpoint_steps=1") for word in ("--set", one)]
    problem = ROOT / "problems" / "sedov.toml"
    done = subprocess.run([program, "run", problem, *words, "--out", out], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(list(out.glob("checkpoint_*.h5"))) == 2
    return out


@pytest.fixture
def copy(run, tmp_path):
    """A copy of the run's directory."""
    shutil.copytree(run, tmp_path / "run")
    return tmp_path / "run"


def damages(size, seed, count):
    """Ways in which a file of this size may be damaged, as functions of its bytes; half of the places lie where the
    library has its structures and the seal is."""
    random_numbers = random.Random(seed)

    def place():
        part = random_numbers.random()
        if part < 0.4:
            return random_numbers.randrange(min(4096, size))
        if part < 0.5:
            return size - 1 - random_numbers.randrange(64)
        return random_numbers.randrange(size)

    for n in range(count):
        kind = n % 4
        if kind == 3:
            length = place()
            yield f"cut to {length}", lambda data, length=length: data[:length]
            continue
        flips = [(place(), 1 << random_numbers.randrange(8)) for _ in range(1 if kind < 2 else 20)]

        def flipped(data, flips=flips):
            out = bytearray(data)
            for at, bit in flips:
                out[at] ^= bit
            return bytes(out)

        yield f"flipped {flips}", flipped


def test_a_damaged_checkpoint_is_told_and_the_other_one_named(rednova, copy):
    older, newer = sorted(copy.glob("checkpoint_*.h5"))
    whole = newer.read_bytes()
    for n, (what, damage) in enumerate(damages(len(whole), seed=20, count=300)):
        damaged = damage(whole)
        if damaged == whole:
            continue
        newer.write_bytes(damaged)
        more = ["--set", "run.max_steps=9"]
        command = [["info", newer], ["info", newer, "--digest"], ["restart", copy, *more]][n % 3]
        result = rednova(*command)
        assert result.code == 2, (what, command, result)
        told(result, str(newer), f"rednova restart {older}")
    assert older.exists()
    newer.write_bytes(whole)
    assert rednova("restart", copy, "--set", "run.max_steps=3").code == 0


def test_a_damaged_snapshot_is_told(rednova, copy):
    snapshot = copy / "snapshot_00001.phdf"
    assert "verified" in rednova("info", snapshot).out
    whole = snapshot.read_bytes()
    for what, damage in damages(len(whole), seed=5, count=100):
        damaged = damage(whole)
        if damaged == whole:
            continue
        snapshot.write_bytes(damaged)
        result = rednova("info", snapshot)
        assert result.code == 2, (what, result)
        told(result, str(snapshot))


def test_what_other_programs_changed_in_a_checkpoint(rednova, copy):
    older, newer = sorted(copy.glob("checkpoint_*.h5"))
    with h5py.File(newer, "r+") as file:
        file.attrs["time"] = 3.0
    told(rednova("restart", copy), "damaged", "another program", f"rednova restart {older}")


def text_of_many(file):
    del file["input"]
    file.create_dataset("input", data=np.array([b"[mesh]"] * 1000, dtype="S400"))


def text_of_any_length(file):
    del file["input"]
    file["input"] = "a text of variable length"


def numbers_for_text(file):
    del file["input"]
    file["input"] = np.arange(5)


def no_species(file):
    file.attrs["species"] = np.arange(3)


def short_text_for_species(file):
    file.attrs["species"] = np.array([b"gas"], dtype="S3")


def many_steps(file):
    file.attrs["step"] = np.arange(100)


def text_for_time(file):
    file.attrs["time"] = "soon"


def text_for_leaves(file):
    del file["leaves"]
    file["leaves"] = np.array([b"a", b"b"])


def huge_leaves(file):
    del file["leaves"]
    file.create_dataset("leaves", shape=(2**40,), dtype="u8", chunks=(1024,))


def endless_leaves(file):
    del file["leaves"]
    file.create_dataset("leaves", shape=(2**31, 2**31), dtype="u8", chunks=(16, 16))


def zero_leaves(file):
    file["leaves"][...] = 0


def no_leaves(file):
    del file["leaves"]
    file["leaves"] = np.zeros(0, dtype="u8")


def short_ledger(file):
    del file["ledger"]
    file["ledger"] = np.zeros((1, 2))


def flat_fields(file):
    del file["u"]
    file["u"] = np.zeros(7)


def a_group_for_fields(file):
    del file["u"]
    file.create_group("u")


def wide_base(file):
    file.attrs["base_x"] = 2**62


@pytest.mark.parametrize(
    "change",
    [
        text_of_many,
        text_of_any_length,
        numbers_for_text,
        no_species,
        short_text_for_species,
        many_steps,
        text_for_time,
        text_for_leaves,
        huge_leaves,
        endless_leaves,
        zero_leaves,
        no_leaves,
        short_ledger,
        flat_fields,
        a_group_for_fields,
        wide_base,
    ],
)
def test_a_file_that_holds_other_things(rednova, copy, change):
    """Sound HDF5 with a seal, in which something is of another kind or size."""
    older, newer = sorted(copy.glob("checkpoint_*.h5"))
    with h5py.File(newer, "r+") as file:
        change(file)
    seal(newer)
    for command in (
        ["info", newer],
        ["info", newer, "--digest"],
        ["restart", copy, "--set", "run.max_steps=9"],
    ):
        told(rednova(*command), str(newer), f"rednova restart {older}")


def test_a_sealed_copy_is_read(rednova, copy):
    """The seal that these tests make is the program's."""
    newer = sorted(copy.glob("checkpoint_*.h5"))[-1]
    before = rednova("info", newer, "--digest").out
    with h5py.File(newer, "r+") as file:
        file.attrs["remark"] = "changed"
    told(rednova("info", newer), "checksum at its end is missing")
    seal(newer)
    assert rednova("info", newer, "--digest").out == before
    assert rednova("restart", copy, "--set", "run.max_steps=3").code == 0


@pytest.mark.parametrize("command", ["info", "restart"])
def test_what_is_no_file(rednova, tmp_path, command):
    """A pipe without a writer would be waited for."""
    pipe = tmp_path / "checkpoint_000001.h5"
    os.mkfifo(pipe)
    told(rednova(command, pipe, timeout=10), str(pipe), "pipe or a device")
    told(rednova(command, "/dev/zero", timeout=10), "/dev/zero", "pipe or a device")
