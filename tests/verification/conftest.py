"""Runs of the problems, as the verification chapter makes them."""

import subprocess

import pytest
from program_under_test import ROOT
from rednova.run import Run
from rednova.verify.library import Library


@pytest.fixture(scope="session")
def made(program, tmp_path_factory):
    """Makes a job once for all tests of a worker; gives its run. Jobs of different settings need different names."""
    library = Library(tmp_path_factory.mktemp("runs"), program, ROOT / "problems")

    def make(job):
        if not library.has(job):
            try:
                library.make(job)
            except subprocess.CalledProcessError as error:
                log = (library.root / job.name / "log.txt").read_text()
                pytest.fail(f"{job.name}: exit code {error.returncode}\n{log[-3000:]}")
        return library.run(job)

    return make


@pytest.fixture(params=["kept", pytest.param("made", marks=pytest.mark.nightly)])
def long_run(request):
    """The run of a job that takes up to hours: as it is kept, of the program of the verification chapter, which shows
    that what the chapter says holds; and in `make nightly` made again, of the program at hand."""
    if request.param == "made":
        return request.getfixturevalue("made")
    return lambda job: Run(ROOT / "docs" / "runs" / job.name)
