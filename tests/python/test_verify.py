"""The verification's library: which program made which run, and what the tests assert."""

import json
import os
from pathlib import Path

import pytest
from rednova.verify.__main__ import versions
from rednova.verify.library import MARK, Library
from rednova.verify.shocks import BLOCKS, tube

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path, Path("none"), ROOT / "problems")


def note(library, job, program, when):
    """A complete run as far as its note goes."""
    (library.root / job.name).mkdir()
    mark = library.root / job.name / MARK
    mark.write_text(json.dumps({"key": library._key(job), "program": program}))
    os.utime(mark, (when, when))


def test_runs_of_an_older_program_are_named(library):
    old, new, newest = (tube(blocks) for blocks in BLOCKS)
    note(library, old, "0.1.0 (aaa)", 1000)
    note(library, new, "0.1.0 (bbb)", 2000)
    note(library, newest, "0.1.0 (bbb)", 3000)
    names, others = versions(library)
    assert names == "Rednova 0.1.0 (bbb) (2), Rednova 0.1.0 (aaa) (1)"
    assert others == f"The newest run is of 0.1.0 (bbb); of another program are: `{old.name}`."


def test_runs_of_one_program(library):
    note(library, tube(BLOCKS[0]), "0.1.0 (aaa)", 1000)
    assert versions(library) == ("Rednova 0.1.0 (aaa) (1)", "One program made all runs.")


def test_what_is_asserted_comes_from_the_inputs(library):
    assert library.asserted("sod")["order"] == 0.8
    assert library.parameters("star_at_rest")["run"]["end_time"] == 10.0
