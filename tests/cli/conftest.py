"""Fixtures that run the program."""

import subprocess
from dataclasses import dataclass

import pytest
from small_input import SMALL


@dataclass
class Result:
    code: int
    out: str
    err: str


@pytest.fixture
def rednova(program):
    """Runs the program to its end; gives exit code and what it printed."""

    def call(*args, timeout=120):
        done = subprocess.run(
            [program, *map(str, args)], capture_output=True, text=True, timeout=timeout, check=False
        )
        return Result(done.returncode, done.stdout, done.stderr)

    return call


@pytest.fixture
def write(tmp_path):
    """Writes an input file; gives its path."""

    def file(text=SMALL, name="small.toml"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return file
