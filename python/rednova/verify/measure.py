"""Errors and amounts of snapshots and histories."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from rednova.history import History
from rednova.run import Run
from rednova.snapshot import Snapshot

#: Density, velocity (3) and pressure at points x, y, z.
Flow = Callable[[NDArray, NDArray, NDArray], Sequence[NDArray]]
#: In the directory of a run without snapshots: what `changes_of_centres` gave.
CENTRES = "centres.json"

Points = tuple[int, int, int]


def cell_means(snapshot: Snapshot, flow: Flow, points: Points = (2, 2, 2)) -> NDArray:
    """Averages of a flow over the cells: density, momentum (3), gas energy, each [block, z, y, x].

    points: Gauss points in x, y and z.
    """
    rules = [np.polynomial.legendre.leggauss(n) for n in points]
    x, y, z = snapshot.centres()
    half = 0.5 * snapshot.width[:, None, None, None]
    total = 0.0
    for i, j, k in np.ndindex(*points):
        (a, b, c), weights = zip(
            *((rule[0][n], rule[1][n]) for rule, n in zip(rules, (i, j, k), strict=True)), strict=True
        )
        rho, u, v, w, p = flow(x + a * half, y + b * half, z + c * half)
        energy = p / (snapshot.gamma - 1) + 0.5 * rho * (u * u + v * v + w * w)
        total = total + np.prod(weights) / 8 * np.stack(
            np.broadcast_arrays(rho, rho * u, rho * v, rho * w, energy)
        )
    return total


def conserved(snapshot: Snapshot) -> NDArray:
    """The same of the snapshot."""
    rho = snapshot["density"]
    momenta = [rho * snapshot[f"velocity_{d}"] for d in "xyz"]
    return np.stack([rho, *momenta, snapshot["energy"]])


def l1(snapshot: Snapshot, values: NDArray, exact: NDArray) -> float:
    """Mean over the domain of |values - exact|, weighted with volume."""
    volume = np.broadcast_to(snapshot.cell_volume, values.shape)
    return float(np.sum(volume * np.abs(values - exact)) / np.sum(volume))


def l1_of_all(snapshot: Snapshot, flow: Flow, points: Points) -> float:
    """Root of the sum of squares of the L1 errors of density, momenta and energy (Stone et al. 2008, eq.
    89)."""
    pairs = zip(conserved(snapshot), cell_means(snapshot, flow, points), strict=True)
    return float(np.sqrt(sum(l1(snapshot, a, b) ** 2 for a, b in pairs)))


def density_error(snapshot: Snapshot, flow: Flow, points: Points) -> float:
    """L1 error of the density over its mean."""
    exact = cell_means(snapshot, flow, points)[0]
    mean = l1(snapshot, exact, np.zeros_like(exact))
    return l1(snapshot, snapshot["density"], exact) / mean


def momentum_spin(history: History) -> NDArray:
    """Angular momentum (z) of the momenta alone, sum V x × s, with what left the domain put back and without what
    adapting the mesh moved and driving added."""
    return history.flow_angular_momentum


def all_angular_momentum(history: History) -> NDArray:
    """J (z), with what left the domain put back and without what driving added; without spin, which drops the initial
    model's, of the momenta."""
    if history["cell_spin_z"][-1] == 0:
        return momentum_spin(history)
    return history.all_angular_momentum


def turns(history: History) -> NDArray:
    """Orbits of a binary so far, or turns of the grid, [row]."""
    return np.abs(history["orbits"])


def drift(history: History, orbits: float = np.inf) -> float:
    """Of the momenta's angular momentum, relative to J, in the first so many orbits: mean rate per orbit, by least
    squares over the orbits. Each row stands for the orbits about it, so that one of few rows, which has extremes beside
    even ones (`rednova.verify.kept`), gives the slope of all."""
    early = turns(history) <= orbits
    passed = turns(history)[early]
    momenta = (momentum_spin(history) / history["angular_momentum_z"][0])[early]
    steps = np.abs(np.diff(passed))
    stands_for = 0.5 * (np.append(steps, 0) + np.insert(steps, 0, 0))
    # NumPy squares the weights.
    return float(np.polyfit(passed, momenta, 1, w=np.sqrt(stands_for))[0])


def largest_drift(history: History, orbits: float = np.inf) -> float:
    """Of the momenta's angular momentum, relative to J, at any time in the first so many orbits."""
    return float(np.max(np.abs(history["flow_drift_z"][turns(history) <= orbits])))


def worst_remainder(run: Run) -> dict[str, float]:
    """Largest |remainder| over the run, relative to the sum of absolute values, for each kind of quantity.

    Only of what has a conservation law in the run's box; a kind that has none is left out.
    """
    history = run.history
    kinds = {
        "mass": ["mass", *(c for c in species_columns(history))],
        "momentum": [f"momentum_{d}" for d in "xyz"],
        "angular momentum": [
            f"angular_momentum_{d}"
            for d, holds in zip("xyz", run.conserved("angular_momentum"), strict=True)
            if holds
        ],
        "energy": ["energy"],
    }
    return {
        kind: max(float(np.max(np.abs(history[f"relative_{c}"]))) for c in columns)
        for kind, columns in kinds.items()
        if columns
    }


def species_columns(history: History) -> list[str]:
    return [c for c in history.units if c.startswith("mass_")]


def shells(radius: NDArray, weight: NDArray, values: NDArray, width: float) -> tuple[NDArray, NDArray]:
    """Radius and mean of values in shells of a width; shells without cells are left out."""
    index = (radius / width).astype(int).ravel()
    amount = np.bincount(index, weight.ravel())
    used = amount > 0
    mean = np.bincount(index, (weight * values).ravel())[used] / amount[used]
    return np.bincount(index, (weight * radius).ravel())[used] / amount[used], mean


def central_density(snapshot: Snapshot, star: str) -> float:
    """Of a star of a binary, "accretor" or "donor": the top of a parabola through its densities within three cells of
    the densest. The densest cell's own changes by n/2 (xi1 d/R)^2 / 3 where the centre comes to be d from its middle,
    1 % of a star of 16 cells from corner to middle."""
    density = sum(snapshot[f"density_{name}"] for name in snapshot.species if name.startswith(star))
    places = np.stack([np.broadcast_to(a, density.shape) for a in snapshot.centres()])
    width = np.broadcast_to(snapshot.width[:, None, None, None], density.shape)
    top = np.unravel_index(np.argmax(density), density.shape)
    offset = (places - places[(slice(None), *top)][:, None, None, None, None]) / width[top]
    near = (np.sum(offset**2, axis=0) < 3.1**2) & (width == width[top])
    x, y, z = offset[:, near]
    terms = np.stack([np.ones_like(x), x, y, z, x * x, y * y, z * z, x * y, y * z, z * x], axis=1)
    fit = np.linalg.lstsq(terms, density[near], rcond=None)[0]
    hessian = np.array(
        [[2 * fit[4], fit[7], fit[9]], [fit[7], 2 * fit[5], fit[8]], [fit[9], fit[8], 2 * fit[6]]]
    )
    return float(fit[0] - fit[1:4] @ np.linalg.solve(hessian, fit[1:4]) / 2)


def changes_of_centres(run: Run) -> dict[str, NDArray]:
    """Of accretor and donor: central density of each snapshot over the first one's, less 1."""
    kept = run.directory / CENTRES
    if kept.is_file():
        return {star: np.array(changes) for star, changes in json.loads(kept.read_text()).items()}
    found = {
        star: np.array([central_density(s, star) for s in run.snapshots]) for star in ("accretor", "donor")
    }
    return {star: densities / densities[0] - 1 for star, densities in found.items()}
