"""What each subcommand prints and writes, restarts to the bit, and the end by a signal."""

import json
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import h5py
import numpy as np
import pytest
from program_under_test import PROGRAM, ROOT


def newest_checkpoint(directory: Path) -> Path:
    return sorted(directory.glob("checkpoint_*.h5"))[-1]


def assert_same_state(a: Path, b: Path):
    """Tree, fields, ledger and clock of two checkpoints agree bit for bit."""
    with h5py.File(a) as x, h5py.File(b) as y:
        for name in ("leaves", "u", "ledger"):
            assert x[name].shape == y[name].shape, name
            assert x[name][:].tobytes() == y[name][:].tobytes(), name
        for name in ("time", "dt", "step", "rotation"):
            assert np.asarray(x.attrs[name]).tobytes() == np.asarray(y.attrs[name]).tobytes(), name


def test_version_names_commit_compiler_and_features(rednova):
    result = rednova("--version")
    assert result.code == 0
    assert re.search(r"rednova \d+\.\d+\.\d+\n", result.out)
    for word in ("commit", "compiler", "features", "cells"):
        assert word in result.out


def test_version_names_the_transports_that_are_there(rednova):
    features = re.search(r"^features (.*)$", rednova("--version").out, re.MULTILINE)[1].split(", ")
    modules = {path.stem.rpartition("_")[2] for path in PROGRAM.parent.glob("librednova_mpi_*.so")}
    assert modules == set(features) & {"openmpi", "mpich"}
    headers = re.search(
        r"^REDNOVA_LIBFABRIC:\w+=(.*)$", (PROGRAM.parent / "CMakeCache.txt").read_text(), re.MULTILINE
    )
    found = headers is not None and not headers[1].endswith("NOTFOUND") and headers[1] != ""
    assert ("libfabric" in features) == found


def test_problems_have_a_line_each(rednova):
    listed, place = rednova("problems").out.split("\n\n")
    assert place == f"Inputs to begin with are in {ROOT / 'problems'}\n"
    lines = listed.splitlines()
    names = [line.split()[0] for line in lines]
    assert {"sod", "sedov", "linear_wave", "isentropic_vortex", "star_at_rest", "binary"} <= set(names)
    assert all(len(line.split()) > 2 for line in lines)


def test_the_manual_is_current(rednova):
    assert rednova("parameters").out == (ROOT / "docs" / "parameters.md").read_text(), (
        "docs/parameters.md is old: build/rednova parameters > docs/parameters.md"
    )


@pytest.mark.parametrize("path", sorted((ROOT / "problems").glob("*.toml")), ids=lambda p: p.stem)
def test_every_ready_input_is_valid(rednova, path):
    result = rednova("check", path, "--values")
    assert result.code == 0, result.err


@pytest.mark.parametrize("path", sorted((ROOT / "problems").glob("*.toml")), ids=lambda p: p.stem)
def test_values_of_a_ready_input_are_an_input(rednova, write, path, tmp_path):
    for profile in (ROOT / "problems").glob("*.data"):
        shutil.copy(profile, tmp_path)
    values = rednova("check", path, "--values").out
    again = rednova("check", write(values, "again.toml"), "--values")
    assert again.code == 0, again.err
    assert again.out == values


def test_values_read_back_to_the_same(rednova, write):
    values = rednova("check", write(), "--values").out
    assert rednova("check", write(values, "again.toml"), "--values").out == values


def test_check_prints_mesh_memory_and_time(rednova, write):
    result = rednova("check", write())
    assert result.code == 0, result.err
    rows = dict(re.findall(r"^(\d+|all) +(\d+) +\d+", result.out, re.MULTILINE))
    assert int(rows.pop("all")) == sum(map(int, rows.values()))
    for word in ("cell width", "memory", "cell-steps/s", "the run"):
        assert word in result.out


def test_a_run_leaves_its_files_and_says_how_it_went(rednova, write, tmp_path):
    result = rednova("run", write(), "--out", tmp_path / "deep" / "run", "--threads", "1")
    assert result.code == 0, result.err
    names = {p.name for p in (tmp_path / "deep" / "run").iterdir()}
    assert {
        "history.csv",
        "ledger.json",
        "input.toml",
        "checkpoint_000020.h5",
        "snapshot_00000.phdf",
    } <= names
    assert not any(name.endswith(".part") for name in names)
    assert re.search(
        r"^step 20  t [\d.e-]+  dt .* blocks L1:\d+.*cell-steps/s.*drift m", result.out, re.MULTILINE
    )
    assert "\r" not in result.out, "no terminal, no rewriting"
    for word in ("the number of steps was reached", "conserved", "remainder", "momentum x", "energy"):
        assert word in result.out


def test_a_periodic_box_has_no_angular_momentum_to_conserve(rednova, write, tmp_path):
    """Periodic in x, with walls in y and z: the component along x has its law, those across have none."""
    sides = 'mesh.boundaries=["periodic", "periodic", "reflecting", "reflecting", "reflecting", "reflecting"]'
    result = rednova("run", write(), "--set", sides, "--out", tmp_path / "run")
    assert result.code == 0, result.err
    assert "* not conserved: the box is periodic in x" in result.out
    rows = {
        line[:20].strip(): line.split() for line in result.out.splitlines() if "e+" in line or "e-" in line
    }
    assert rows["angular momentum y *"][-2:] == ["-", "-"]
    # Without its law a component keeps some 1e-2; the wall's force and torque are booked.
    for name in ("angular momentum x", "momentum y", "momentum z", "energy"):
        assert float(rows[name][-1]) < 1e-14, name
    books = json.loads((tmp_path / "run" / "ledger.json").read_text())
    assert books["angular_momentum"]["conserved_components"] == [True, False, False]
    assert books["angular_momentum"]["relative"][0] < 1e-14
    assert books["angular_momentum"]["relative"][1] > 1e-6
    assert books["momentum"]["conserved"]
    assert max(books["momentum"]["relative"]) < 1e-14


def test_info_describes_the_files(rednova, write, tmp_path):
    rednova("run", write(), "--out", tmp_path / "run")
    snapshot = rednova("info", tmp_path / "run" / "snapshot_00000.phdf")
    assert snapshot.code == 0
    assert "step 0" in snapshot.out
    for path in (tmp_path / "run", newest_checkpoint(tmp_path / "run")):
        result = rednova("info", path)
        assert result.code == 0
        assert "step 20" in result.out


def test_the_digest_is_of_the_state_alone(rednova, write, tmp_path):
    """The same on any number of threads, wherever the files lie and whatever else was written."""

    def digest(path):
        result = rednova("info", path, "--digest")
        assert result.code == 0, result.err
        assert re.fullmatch(r"[0-9a-f]{16}\n", result.out), "the digest and nothing else"
        return result.out

    one, two, other = tmp_path / "one", tmp_path / "deep" / "two", tmp_path / "other"
    assert rednova("run", write(), "--out", one, "--threads", 1).code == 0
    more_files = ["--set", "output.checkpoint_steps=5", "--set", "output.history_steps=3"]
    assert rednova("run", write(), *more_files, "--out", two, "--threads", 2).code == 0
    assert rednova("run", write(), "--set", "hydro.cfl=0.39999999999999", "--out", other).code == 0
    assert digest(newest_checkpoint(one)) == digest(newest_checkpoint(two)) == digest(two)
    older = sorted(two.glob("checkpoint_*.h5"))[0]
    assert digest(older) != digest(two)
    assert digest(other) != digest(one)
    assert digest(one).strip() in rednova("info", one).out


def test_the_end_time_and_snapshot_times_are_met_exactly(rednova, write, tmp_path):
    times = [
        "--set",
        "run.max_steps=1000000",
        "--set",
        "run.end_time=0.005",
        "--set",
        "output.snapshot_time=0.002",
    ]
    result = rednova("run", write(), *times, "--out", tmp_path / "run")
    assert result.code == 0, result.err
    assert "the end time was reached" in result.out
    found = []
    for path in sorted((tmp_path / "run").glob("snapshot_*.phdf")):
        with h5py.File(path) as file:
            found.append(float(file["Info"].attrs["Time"]))
    assert found == [0.0, 0.002, 0.004, 0.005]


@pytest.mark.parametrize("at", [13, 18])
def test_a_restart_gives_the_run_that_was_not_interrupted(rednova, write, tmp_path, at):
    """Also where the mesh is adapted at the restart (step 18), and on another number of threads."""
    file = write()
    assert rednova("run", file, "--out", tmp_path / "whole", "--threads", 1).code == 0
    assert (
        rednova("run", file, "--set", f"run.max_steps={at}", "--out", tmp_path / "cut", "--threads", 2).code
        == 0
    )
    result = rednova("restart", tmp_path / "cut", "--set", "run.max_steps=20", "--threads", 2)
    assert result.code == 0, result.err
    assert_same_state(newest_checkpoint(tmp_path / "whole"), newest_checkpoint(tmp_path / "cut"))
    rows = [line for line in (tmp_path / "whole" / "history.csv").read_text().splitlines() if line[0] != "#"]
    blocks = rows[0].split(",").index("leaf_blocks [1]")
    assert len({row.split(",")[blocks] for row in rows[1:]}) > 1, "the test is to change the mesh on the way"
    assert rows == [
        line for line in (tmp_path / "cut" / "history.csv").read_text().splitlines() if line[0] != "#"
    ]


@pytest.mark.parametrize("at", [0, 1])
def test_a_restart_on_more_levels(rednova, tmp_path, at):
    """Refined at once, by as many levels as may be added, and conserving what the ledger counts: also before the first
    step, from which on the ledger counts."""
    file, out = ROOT / "problems" / "rotating_star.toml", tmp_path / "run"
    coarsely = ["--set", "mesh.max_level=1", "--set", f"run.max_steps={at}"]
    assert rednova("run", file, *coarsely, "--out", out).code == 0
    with h5py.File(newest_checkpoint(out)) as before:
        coarse = before["leaves"].shape[0]
    result = rednova("restart", out, "--set", "mesh.max_level=3", "--set", "run.max_steps=2")
    assert result.code == 0, result.err
    (first,) = [line for line in result.out.splitlines() if line.startswith(f"step {at} ")]
    assert "blocks L2:56 L3:64" in first
    with h5py.File(newest_checkpoint(out)) as after:
        assert (coarse, after["leaves"].shape[0]) == (8, 120)
    ledger = json.loads((out / "ledger.json").read_text())
    assert abs(ledger["mass"]["relative"]) < 1e-14
    assert np.max(np.abs(ledger["angular_momentum"]["relative"])) < 1e-14
    assert abs(ledger["energy"]["relative"]) < 1e-13


def test_a_restart_of_a_turning_star_with_its_gravity(rednova, tmp_path):
    file = ROOT / "problems" / "rotating_star.toml"
    small = ["--set", "mesh.max_level=2", "--set", "mesh.regrid_interval=2"]
    assert rednova("run", file, *small, "--set", "run.max_steps=5", "--out", tmp_path / "whole").code == 0
    assert rednova("run", file, *small, "--set", "run.max_steps=2", "--out", tmp_path / "cut").code == 0
    result = rednova("restart", tmp_path / "cut", "--set", "run.max_steps=5", "--threads", 1)
    assert result.code == 0, result.err
    assert_same_state(newest_checkpoint(tmp_path / "whole"), newest_checkpoint(tmp_path / "cut"))


def listen_to_signals():
    """Under nohup or in the background of a script the tests run with signals ignored, which children inherit."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_ends_the_run_with_a_checkpoint(rednova, write, tmp_path, number, code):
    out = tmp_path / "run"
    command = [
        PROGRAM,
        "run",
        write(),
        "--set",
        "run.max_steps=100000",
        "--set",
        "output.checkpoint_steps=2",
        "--out",
        out,
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=listen_to_signals
    ) as run:
        try:
            deadline = time.monotonic() + 60
            while not list(out.glob("checkpoint_*.h5")) and time.monotonic() < deadline:
                time.sleep(0.02)
            run.send_signal(number)
            printed, complaint = run.communicate(timeout=60)
        finally:
            run.kill()
    assert run.returncode == code, complaint
    assert f"rednova restart {out}" in printed
    with h5py.File(newest_checkpoint(out)) as file:
        step = int(file.attrs["step"])
    result = rednova("restart", out, "--set", f"run.max_steps={step + 1}")
    assert result.code == 0, result.err
    whole = rednova("run", write(), "--set", f"run.max_steps={step + 1}", "--out", tmp_path / "whole")
    assert whole.code == 0, whole.err
    assert_same_state(newest_checkpoint(tmp_path / "whole"), newest_checkpoint(out))


def test_a_closed_pipe_does_not_end_a_run(write, tmp_path):
    """`rednova run … | head`: the run goes on to its end and leaves its files."""
    many = "run.max_steps=40"
    with subprocess.Popen(
        [PROGRAM, "run", write(), "--set", many, "--out", tmp_path / "run"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as run:
        run.stdout.close()
        complaint = run.stderr.read()
        assert run.wait(timeout=60) == 0, complaint
    assert newest_checkpoint(tmp_path / "run").name == "checkpoint_000040.h5"


def test_an_interrupted_initial_model_says_so(tmp_path):
    out = tmp_path / "run"
    large = ["--set", "mesh.max_level=7"]
    with subprocess.Popen(
        [PROGRAM, "run", ROOT / "problems" / "star_at_rest.toml", *large, "--out", out],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=listen_to_signals,
    ) as run:
        assert "rednova: " in run.stdout.readline()
        time.sleep(0.2)
        run.send_signal(signal.SIGINT)
        _, complaint = run.communicate(timeout=60)
    assert run.returncode == 130
    assert "while the initial model was made" in complaint
    assert not (out / "history.csv").exists(), "the run may be started again"


def test_a_directory_with_blanks_is_quoted(rednova, write, tmp_path):
    out = tmp_path / "my run"
    result = rednova("run", write(), "--set", "run.max_hours=1e-9", "--out", out)
    assert f"rednova restart '{out}'" in result.out


def readme_input() -> str:
    """The TOML of README's "Your own run"."""
    return re.search(r"```toml\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]


def test_the_star_of_the_readme_keeps_its_heat(rednova, write, tmp_path):
    """The ceiling is for the thin gas around the star; on the star it would act from the first step."""
    few = ["--set", "run.max_steps=3", "--set", "mesh.max_level=2"]
    result = rednova("run", write(readme_input(), "my_star.toml"), *few, "--out", tmp_path / "run")
    assert result.code == 0, result.err
    assert "warning" not in result.out
    books = json.loads((tmp_path / "run" / "ledger.json").read_text())
    # The atmosphere has 1e-8 of the density; a ceiling of 0.75 on all gas took 1e-3 of the energy.
    assert abs(books["energy"]["floors"]) < 1e-7 * books["energy"]["magnitude"]


@pytest.mark.parametrize("command", ["run", "check"])
@pytest.mark.parametrize(
    ("ceiling", "density", "told"),
    [
        (0.05, 0.1, "hydro.specific_energy_ceiling = 0.05 is below"),
        (2.0, 1.0, "hydro.thin_gas_density = 1 is above a tenth"),
        (0.6, 1e-3, None),  # thinner than any gas of the star
    ],
)
def test_a_ceiling_that_cools_the_star_is_told(rednova, write, tmp_path, command, ceiling, density, told):
    settings = (
        f"hydro.specific_energy_ceiling={ceiling}",
        f"hydro.thin_gas_density={density}",
        "mesh.max_level=2",
    )
    words = [word for one in (*settings, "run.max_steps=1") for word in ("--set", one)]
    out = ["--out", tmp_path / "run"] if command == "run" else []
    result = rednova(command, write(readme_input()), *words, *out)
    assert result.code == 0, result.err
    warnings = re.findall(
        r"^warning: (hydro\.(?:specific_energy_ceiling|thin_gas_density) = .*)", result.out, re.MULTILINE
    )
    assert len(warnings) == (told is not None)
    assert all(warning.startswith(told) for warning in warnings)


@pytest.mark.parametrize(("name", "level"), [("contact_binary_quick", 4), ("v1309", 9), ("white_dwarfs", 5)])
def test_a_ready_binary_makes_its_model_and_takes_steps(rednova, tmp_path, name, level):
    """On a mesh as coarse as the model allows: what is asserted is that all goes through, and closes."""
    coarse = ["--set", f"mesh.max_level={level}", "--set", "run.max_steps=2"]
    result = rednova("run", ROOT / "problems" / f"{name}.toml", *coarse, "--out", tmp_path / "run")
    assert result.code == 0, result.err
    virial = float(re.search(r"^virial error +- +(\S+)", result.out, re.MULTILINE)[1])
    assert ("warning: a virial error above 0.001" in result.out) == (virial > 1e-3)
    for star in ("accretor", "donor"):
        assert float(re.search(rf"^forces on the {star} +- +(\S+)", result.out, re.MULTILINE)[1]) < 1e-4
    assert "warning: the rotation is off" not in result.out
    assert "the floor makes gas of its own" not in result.out
    assert "gravity of order 4" in result.out
    assert ("eccentricity by slowdown" in result.out) == (name == "contact_binary_quick")
    books = json.loads((tmp_path / "run" / "ledger.json").read_text())
    assert books["run"]["step"] == 2
    for quantity in ("mass", "momentum", "angular_momentum", "energy"):
        assert np.max(np.abs(books[quantity]["relative"])) < 1e-13, quantity
