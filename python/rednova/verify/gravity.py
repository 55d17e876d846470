"""The gravity of a star against direct summation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rednova.run import Run
from rednova.snapshot import Snapshot
from rednova.verify.library import Job, Library
from rednova.verify.page import table

#: Order and squared near radius of the gravity table.
SOLVERS = ((3, 4), (3, 6), (3, 10), (3, 15), (4, 6), (4, 10), (5, 6), (5, 10))
OCTO_TIGER = (
    ("Octo-Tiger, θ = 0.5", "3", "", "9.8e-03", "1.43e-02", "+8e-03"),
    ("Octo-Tiger, θ = 0.34", "3", "", "1.63e-03", "3.8e-03", ""),
)


def solved(order: int, near: int) -> Job:
    """Cells as points, which is what the direct sum takes them for."""
    settings = (
        f"gravity.order={order}",
        f"gravity.near_radius_squared={near}",
        'gravity.cell_mass="point"',
        "run.max_steps=0",
    )
    return Job(f"gravity_{order}_{near}", "rotating_star", settings)


#: The solver as it comes: cells of a smooth density.
SMOOTH = Job("gravity_smooth", "rotating_star", ("run.max_steps=0",))
JOBS = [*(solved(*s) for s in SOLVERS), SMOOTH]


def accelerations(snapshot: Snapshot) -> NDArray:
    """[cell, 3]"""
    return np.stack([snapshot[f"gravitational_acceleration_{d}"].ravel() for d in "xyz"], axis=1)


def direct_sum(place: NDArray, mass: NDArray, targets: NDArray) -> NDArray:
    """Acceleration at the cells `targets` by all other cells taken as points, G = 1. [target, 3]"""
    result = np.empty((len(targets), 3))
    for row, target in enumerate(targets):
        d = place - place[target]
        square = np.einsum("ij,ij->i", d, d)
        square[target] = np.inf
        result[row] = (mass / (square * np.sqrt(square))) @ d
    return result


def gravity(library: Library, _images: Path) -> str:
    first = library.run(solved(3, 10)).snapshots[0]
    place = np.stack([np.broadcast_to(c, first["density"].shape).ravel() for c in first.centres()], axis=1)
    mass = (first["density"] * first.cell_volume).ravel()
    targets = np.random.default_rng(1).choice(len(mass), 4000, replace=False)
    targets = np.unique(np.concatenate([targets, np.argsort(mass)[-1000::5]]))
    exact = direct_sum(place, mass, targets)
    rows = [
        (
            f"Rednova, R² = {near}",
            order,
            1 / np.sqrt(near),
            *errors(library.run(solved(order, near)), targets, mass, exact),
        )
        for order, near in SOLVERS
    ]
    smooth = errors(library.run(SMOOTH), targets, mass, exact)
    heading = ("solver", "order", "about θ", "rms, weighted with mass", "rms over all cells", "bias")
    return f"""## Gravity against direct summation

Acceleration of the rotating star ({len(mass)} cells on two levels) against the direct sum over all cells
as points, at
{len(targets)} cells drawn by chance, with `gravity.cell_mass = "point"`, which makes the solver take them for points,
too. The bias is the mean of the error along g over |g|, weighted with mass. Where levels meet, a coarse cell is a cube
to the solver and a point to the sum;
that difference is in the column over all cells and no order makes it smaller.

{table(heading, [*rows, *OCTO_TIGER])}

The solver as it comes, `gravity.cell_mass = "smooth"`, finds the field of the smooth density that the cells are
means of, not that of points, whose sum falls short of it by a third of 2.84 h²∇ρ. Against the same sum it shows
that difference, {smooth[0]:.1e} and {smooth[1]:.1e} with a bias of {smooth[2]}, whatever the order: a sum over
points is no truth for it. The exact fields of spheres are: in that of a polytrope its errors are a hundredth of
those of points ([gravity](gravity.md)).

*Asserted:* errors of 13 settings on uniform and refined meshes (`test_gravity`: `accuracy.*`), equality
with a NumPy model of
the method to 1e-12 (`reference.*`), net force and torque to 1e-14
(`on_three_levels.forces_and_torques_cancel`),
the fields of uniform and Lane-Emden spheres with their orders, for points and for the smooth density (`test_gravity`:
`spheres.converge`; `test_problem`: `spheres`).

*Literature:* the rows of Octo-Tiger are no published figures: they were measured for this page on its own rotating
star (147 thousand cells) by direct summation over its cells; the bias at θ = 0.34 was not. The code is that of Marcello
et al. (2021, MNRAS 504, 5345)."""


def errors(run: Run, targets: NDArray, mass: NDArray, exact: NDArray) -> tuple[float, float, str]:
    """Rms error of the acceleration at the targets, weighted with mass and not, and the mean error along g."""
    off = accelerations(run.snapshots[0])[targets] - exact
    weight, square, off_square = mass[targets], np.sum(exact**2, axis=1), np.sum(off**2, axis=1)
    along = np.average(np.sum(off * exact, axis=1) / square, weights=weight)
    by_mass = np.sqrt(np.average(off_square, weights=weight) / np.average(square, weights=weight))
    return float(by_mass), float(np.sqrt(off_square.sum() / square.sum())), f"{along:+.0e}"


SECTIONS = (gravity,)
