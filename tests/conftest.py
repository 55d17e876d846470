"""What all tests in Python share."""

import os

import pytest
from program_under_test import PROGRAM

# Tables of the gas of stars are kept with the program, where its own tests keep them.
os.environ["XDG_CACHE_HOME"] = str(PROGRAM.parent / "cache")


@pytest.fixture(scope="session")
def program():
    """The path of the program, which is there."""
    assert PROGRAM.exists(), f"{PROGRAM} is not there: `make build`, or name it in REDNOVA"
    return PROGRAM
