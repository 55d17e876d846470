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


def committed(name):
    """The rows of a committed set: level, place, then the fields."""
    block = re.search(rf"> {name}\{{\{{\n(.*?)\}}\}};", HEADER.read_text(), re.DOTALL).group(1)
    return np.array([[float(v) for v in re.findall(r"-?\d[\d.e+-]*", row)] for row in block.splitlines()])


@pytest.mark.parametrize("name", ["uniform_small_radius", "refined"])
def test_expected_values_are_its_own(name):
    """Committed sets, made again: the smallest, and the one whose levels meet."""
    _, levels, near2, stride = next(case for case in fmm.cases() if case[0] == name)
    expected = committed(name)
    rows = solved(levels, fmm.two_blobs, near2)[::stride]
    np.testing.assert_array_equal(rows[:, :4], expected[:, :4])
    found, expected = rows[:, 5:], expected[:, 4:]
    # Each field by its own size, for torques are 1e-9 where the acceleration is 0.1. Rounding of sums of 1e3 terms: the
    # solver itself, which adds in another order, keeps this bound (test_reference.cpp).
    largest = np.abs(expected).max(axis=0)
    off = np.abs(found - expected).max(axis=0)
    assert np.all(off <= 1e-12 * largest), off / largest
