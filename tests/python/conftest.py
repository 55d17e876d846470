"""A small run on a refined mesh, made once for all tests of the Python package."""

import shutil
import subprocess
from pathlib import Path

import pytest
from blast_input import BLAST


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
