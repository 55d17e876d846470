"""Point masses and the cores of stars: what runs write of them, and what is said of bad input."""

import shutil
import subprocess
from pathlib import Path

import h5py
import numpy as np
import pytest
from complaint import told
from rednova import Run

ROOT = Path(__file__).parents[2]
SMALL = ["--set", "mesh.max_level=4", "--set", "run.max_steps=4", "--set", "output.snapshot_time=0"]


@pytest.fixture(scope="module")
def envelope(program, tmp_path_factory):
    """A giant with a core and its companion after four steps on a grid that turns: the run, and what it said."""
    out = tmp_path_factory.mktemp("points") / "run"
    giant = ROOT / "problems" / "common_envelope.toml"
    command = [program, "run", giant, *SMALL, "--set", "mesh.rotation=0.002", "--out", out]
    done = subprocess.run([*map(str, command)], check=True, timeout=100, capture_output=True, text=True)
    return out, done.stdout


def test_history_and_snapshot_have_them(envelope):
    run = Run(envelope[0])
    history = run.history
    assert np.all(history["point_1_mass"] == 0.39)
    assert np.all(history["point_2_mass"] == 0.6)
    apart = [history[f"point_2_{d}"] - history[f"point_1_{d}"] for d in "xyz"]
    assert history["point_separation"] == pytest.approx(np.sqrt(sum(d**2 for d in apart)), rel=1e-12)
    assert history["point_separation"][0] == pytest.approx(83, rel=1e-12)
    # In the inertial frame the mean velocity of both ends takes them along, but for t³/12 of their acceleration's rate.
    t = history["time"][-1]
    speed = np.hypot(history["point_2_vx"][0], history["point_2_vy"][0])
    for point in (1, 2):
        for d in "xyz":
            x, v = history[f"point_{point}_{d}"], history[f"point_{point}_v{d}"]
            assert x[-1] - x[0] == pytest.approx(t * (v[0] + v[-1]) / 2, abs=1e-3 * t * speed)
    kinds = ("kinetic_energy", "internal_energy", "gravitational_energy")
    assert sum(history[k] for k in kinds) == pytest.approx(history["energy"], rel=1e-12)
    assert np.abs(history["points_energy"]).max() < 1e-6 * np.abs(history["energy"]).max()
    with h5py.File(run.snapshots[-1].path) as file:
        rows = file["/Rednova/point_masses"][:]
    assert rows.shape == (2, 8)
    assert list(rows[:, 0]) == [0.39, 0.6]
    assert np.hypot(rows[1, 2], rows[1, 3]) == pytest.approx(
        np.hypot(history["point_2_x"], history["point_2_y"])[-1]
    )


def test_points_that_no_cell_resolves_are_warned_of(rednova):
    giant = ROOT / "problems" / "common_envelope.toml"
    few = rednova("check", "--quick", giant, "--set", "mesh.max_level=4")
    assert "cells of the finest level to its softening" in few.err
    assert "to its softening" not in rednova("check", "--quick", giant).err


def test_the_ledger_has_a_column_for_them(envelope):
    out, said = envelope
    assert "points" in said
    for entry in ("energy", "angular_momentum"):
        assert np.max(Run(out).ledger[entry]["relative"]) < 1e-13
    assert Run(out).ledger["energy"]["points"] != 0


def test_nothing_of_them_where_there_are_none(rednova, write, tmp_path):
    steps = ["--set", "run.max_steps=2", "--out", tmp_path / "run"]
    assert rednova("run", ROOT / "problems" / "uniform_flow.toml", *steps).code == 0
    run = Run(tmp_path / "run")
    assert not [name for name in run.history.units if "point" in name]
    assert run.ledger["energy"]["points"] == 0


def test_a_branch_gets_the_profile_and_a_restart_does_not_need_it(rednova, tmp_path):
    for name in ("red_giant.toml", "red_giant.data"):
        shutil.copy(ROOT / "problems" / name, tmp_path / name)
    steps = ["--set", "output.snapshot_time=0", "--set", "mesh.max_level=2"]
    result = rednova(
        "run", tmp_path / "red_giant.toml", *steps, "--set", "run.max_steps=1", "--out", tmp_path / "run"
    )
    assert result.code == 0, result.err
    assert "a point mass of 0.3" in result.out
    branch = ["--set", "run.max_steps=2", "--out", tmp_path / "branch"]
    assert rednova("restart", tmp_path / "run", *branch).code == 0
    profile = (tmp_path / "red_giant.data").read_bytes()
    assert (tmp_path / "branch/red_giant.data").read_bytes() == profile, "so that its input can be run again"
    for one in (tmp_path, tmp_path / "run", tmp_path / "branch"):
        (one / "red_giant.data").unlink()
    again = rednova("restart", tmp_path / "run", "--set", "run.max_steps=2")
    assert again.code == 0, again.err
    told(
        rednova("restart", tmp_path / "run", "--set", "point_masses.mass=[1.0]"),
        "point_masses",
    )


@pytest.mark.parametrize(
    ("problem", "overrides", "words"),
    [
        ("star_at_rest", ["problem.core_mass=0.1"], ["problem.core_mass", "give both or none"]),
        ("star_at_rest", ["problem.core_softening=0.1"], ["problem.core_softening", "give both or none"]),
        (
            "star_at_rest",
            ["problem.core_mass=1.1", "problem.core_softening=0.1"],
            ["less than the star's mass, 1"],
        ),
        (
            "star_at_rest",
            ["problem.core_mass=0.1", "problem.core_softening=3"],
            ["less than the star's radius, 1"],
        ),
        (
            "star_at_rest",
            ["problem.core_mass=0.1", "problem.core_softening=0.3", "problem.index=0"],
            ["problem.index = 0", "0.5 to 4"],
        ),
        (
            "rotating_star",
            ["problem.core_mass=0.1", "problem.core_softening=0.3"],
            ["only polytropes without a core turn"],
        ),
        ("star_at_rest", ['problem.profile="x"'], ["problem.profile", "leave it out"]),
        ("star_at_rest", ['problem.structure="profile"'], ["profile", 'units.system = "solar"']),
        ("white_dwarf", ["problem.core_mass=0.1"], ["problem.core_mass", "leave it out"]),
        ("red_giant", ['problem.profile="none.data"'], ["problems/none.data", "cannot be read"]),
        ("red_giant", ['problem.profile="sod.toml"'], ["problems/sod.toml:6", "names no column"]),
        ("red_giant", ["problem.mass=2"], ["problem.mass", "leave it out, the profile has it"]),
        (
            "red_giant",
            ["problem.core_mass=0.2"],
            ["problem.core_mass", "follows from problem.core_softening"],
        ),
        ("red_giant", ["problem.core_softening=31"], ["must be less than the star's radius, 30"]),
        (
            "common_envelope",
            ["point_masses.mass=[1,1]"],
            ["point_masses.softening has 0 numbers", "one for each"],
        ),
        (
            "common_envelope",
            ["point_masses.mass=[1]", "point_masses.softening=[1]", "point_masses.position=[1,2]"],
            ["point_masses.position has 2 numbers", "three for each"],
        ),
        (
            "common_envelope",
            [
                f"point_masses.{key}={[1] * count}"
                for key, count in (("mass", 7), ("softening", 7), ("position", 21), ("velocity", 21))
            ],
            ["point_masses.mass has 7 numbers", "room for 6"],
        ),
        ("common_envelope", [f"point_masses.mass={[1] * 9}"], ["there may be 8"]),
        ("common_envelope", ["gravity.enabled=false"], ["gravity.enabled = true"]),
        ("common_envelope", ["problem.separation=2000"], ["problem.separation"]),
        ("common_envelope", ["problem.companion_mass=0"], ["problem.companion_mass", "> 0"]),
        (
            "uniform_flow",
            [
                "point_masses.mass=[1]",
                "point_masses.softening=[1]",
                "point_masses.position=[0,0,0]",
                "point_masses.velocity=[0,0,0]",
            ],
            ["point_masses.mass", "gravity.enabled = true"],
        ),
    ],
)
def test_what_cannot_be(rednova, problem, overrides, words):
    settings = [word for override in overrides for word in ("--set", override)]
    told(rednova("check", ROOT / "problems" / f"{problem}.toml", *settings), *words)


def test_a_composition_that_no_species_have(rednova):
    """The complaint follows what is said of the table that this gas needs."""
    result = rednova("check", ROOT / "problems" / "red_giant.toml", "--set", "eos.hydrogen=[0.6]")
    assert result.code == 2
    last = result.err.strip().splitlines()[-1]
    for words in ("eos.hydrogen", "from 0.700 to 0.700 outside the core", "0.600 to 0.600"):
        assert words in last
