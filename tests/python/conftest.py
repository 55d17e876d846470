"""Small runs that tests of the Python package share, and reports on some of them: each made once (by each
of pytest's workers)."""

import shutil
import subprocess
from pathlib import Path

import pytest
from blast_input import BLAST
from program_under_test import ROOT
from report_reader import execute, report_on


@pytest.fixture(scope="session")
def make_run(program, tmp_path_factory):
    """Runs the text of an input to its end and gives the directory of the run."""

    def make(name, text):
        where = tmp_path_factory.mktemp(name)
        (where / f"{name}.toml").write_text(text)
        command = [program, "run", where / f"{name}.toml", "--out", where / "run"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return where / "run"

    return make


@pytest.fixture(scope="session")
def blast(make_run):
    """The directory of the run."""
    return make_run("blast", BLAST)


@pytest.fixture
def copy_of_blast(blast, tmp_path):
    """A copy that a test may spoil."""
    return Path(shutil.copytree(blast, tmp_path / "run"))


@pytest.fixture(scope="session")
def run_of(program, tmp_path_factory):
    """The directory of a ready problem's run with some --set, and perhaps a restart with others."""

    def make(problem, *settings, restart=()):
        where = tmp_path_factory.mktemp(problem) / "run"
        sets = [word for setting in settings for word in ("--set", setting)]
        execute(program, "run", ROOT / "problems" / f"{problem}.toml", *sets, "--out", where)
        if restart:
            execute(program, "restart", where, *(word for setting in restart for word in ("--set", setting)))
        return where

    return make


@pytest.fixture(scope="session")
def pair_report(run_of, tmp_path_factory):
    run = run_of("contact_binary_quick", "mesh.max_level=3", "problem.tolerance=1e-2", "run.max_steps=5")
    return report_on(run, tmp_path_factory.mktemp("pair_report"))


@pytest.fixture(scope="session")
def tube_report(run_of, tmp_path_factory):
    run = run_of("sod", "mesh.max_level=1", "run.max_steps=4", 'output.slices=["z"]', "output.slice_time=0.1")
    return report_on(run, tmp_path_factory.mktemp("tube_report"))


@pytest.fixture(scope="session")
def resumed_report(run_of, tmp_path_factory):
    run = run_of(
        "rotating_star",
        *("mesh.max_level=1", "run.end_time=0.5", "run.max_steps=3"),
        restart=("run.max_steps=6", "hydro.cfl=0.2", "output.snapshot_time=0.25"),
    )
    return report_on(run, tmp_path_factory.mktemp("resumed_report"))


@pytest.fixture
def copy_of(tmp_path):
    """A copy of a run that a test may spoil."""
    return lambda run: shutil.copytree(run, tmp_path / "copy")
