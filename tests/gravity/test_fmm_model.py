"""The NumPy model of the gravity solver: it conserves, and the committed expected values are its own."""

import re
from pathlib import Path

import numpy as np
import pytest
from rednova.reference import fmm

HEADER = Path(__file__).with_name("fmm_expected.hpp")


def solved(levels, density, near2):
    """Rows of leaf_fields() for a density given as a function of place."""
    mass = [density(level.centres()) * level.h**3 for level in levels]
    fmm.solve(levels, mass, near2)
    return fmm.leaf_fields(levels)


def places(rows):
    """Centres of the cells of rows: (cells, 3)."""
    return (rows[:, 1:4] + 0.5) / (fmm.ROOT_CELLS * 2 ** rows[:, :1]) - 0.5


@pytest.fixture(scope="module")
def refined():
    """Fields of the two blobs on the refined mesh."""
    return solved(fmm.refined_levels(), fmm.two_blobs, 4)


def test_force_and_torque_cancel(refined):
    """Net force and orbital + spin torque are rounding."""
    force = refined[:, 4:5] * refined[:, 6:9]
    orbital = np.cross(places(refined), force)
    assert np.abs(force.sum(0)).max() < 1e-14 * np.abs(force).sum()
    assert np.abs((orbital + refined[:, 9:12]).sum(0)).max() < 1e-14 * np.abs(orbital).sum()
    assert np.abs(orbital.sum(0)).max() > 1e-10 * np.abs(orbital).sum()


def test_field_is_near_the_direct_sum(refined):
    """A few cells against the sum over all others."""
    x, mass = places(refined), refined[:, 4]
    for cell in np.argsort(-mass)[:20]:
        r = x - x[cell]
        d = np.sqrt((r**2).sum(1))
        d[cell] = np.inf
        exact = (mass / d**3) @ r
        assert np.abs(refined[cell, 6:9] - exact).max() < 0.02 * np.abs(refined[:, 6:9]).max()


def test_expected_values_are_its_own():
    """The smallest of the committed sets, made again."""
    text = HEADER.read_text()
    block = re.search(r"> uniform_small_radius\{\{\n(.*?)\}\};", text, re.DOTALL).group(1)
    expected = np.array([[float(v) for v in re.findall(r"-?\d[\d.e+-]*", row)] for row in block.splitlines()])
    name, levels, near2, stride = list(fmm.cases())[1]
    assert name == "uniform_small_radius"
    rows = solved(levels, fmm.two_blobs, near2)[::stride]
    np.testing.assert_array_equal(rows[:, :4], expected[:, :4])
    np.testing.assert_allclose(rows[:, 5:], expected[:, 4:], rtol=0, atol=1e-11)
