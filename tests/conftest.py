"""What all tests in Python share."""

import pytest
from program_under_test import PROGRAM


@pytest.fixture(scope="session")
def program():
    """The path of the program, which is there."""
    assert PROGRAM.exists(), f"{PROGRAM} is not there: `make build`, or name it in REDNOVA"
    return PROGRAM
