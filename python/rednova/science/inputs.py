"""What pages take from the inputs of problems/ that their runs begin with."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rednova.verify.library import parameters_of

PROBLEMS = Path(__file__).resolve().parents[3] / "problems"


def parameters(problem: str) -> dict:
    """A problem's input: section → key → value."""
    return parameters_of(PROBLEMS / f"{problem}.toml")


def cell(base_width: float, level: int) -> float:
    """Width of the cells of a level, in the unit of the base block's width; blocks have 8 along an edge."""
    return base_width / (8 * 2**level)


def period(problem: str, separation: float) -> float:
    """Of a circular orbit of the input's two masses, taken for points, in code units (G = 1)."""
    stars = parameters(problem)["problem"]
    return float(2 * np.pi * np.sqrt(separation**3 / (stars["accretor_mass"] + stars["donor_mass"])))
