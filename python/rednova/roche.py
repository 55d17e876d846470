"""The Roche model of a binary: two masses on a circular orbit in the plane z = constant, G = 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from rednova.history import History
from rednova.snapshot import Snapshot

POINTS = ("L1", "L2", "L3")


@dataclass(frozen=True)
class RocheModel:
    """Effective potential of two point masses in the frame that turns with them.

    Attributes:
        masses: of the two stars, positive.
        positions: [star, (x, y)] at this moment; they lie apart.
        height: z of the orbit's plane.
    """

    masses: tuple[float, float]
    positions: NDArray
    height: float = 0.0

    def __post_init__(self) -> None:
        if not (min(self.masses) > 0 and self.separation > 0):
            raise ValueError(f"a Roche model needs two masses that lie apart, not {self.masses}")

    @property
    def separation(self) -> float:
        """Distance of the stars."""
        return float(np.linalg.norm(self.positions[1] - self.positions[0]))

    @property
    def centre(self) -> NDArray:
        """Centre of mass (x, y), about which the frame turns."""
        return np.average(self.positions, axis=0, weights=self.masses)

    @property
    def omega(self) -> float:
        """Angular velocity of the circular orbit, √((m1 + m2)/a³)."""
        return float(np.sqrt(sum(self.masses) / self.separation**3))

    def potential(self, x: ArrayLike, y: ArrayLike, z: ArrayLike) -> NDArray:
        """-m1/r1 - m2/r2 - Ω² s²/2 with the distance s from the axis of the orbit; -inf at the stars."""
        x, y, z = np.broadcast_arrays(x, y, z)
        turning = (x - self.centre[0]) ** 2 + (y - self.centre[1]) ** 2
        total = -0.5 * self.omega**2 * turning
        with np.errstate(divide="ignore"):
            for mass, (near_x, near_y) in zip(self.masses, self.positions, strict=True):
                total = total - mass / np.sqrt((x - near_x) ** 2 + (y - near_y) ** 2 + (z - self.height) ** 2)
        return total

    def lagrange_points(self) -> dict[str, NDArray]:
        """L1 between the stars, L2 beyond the lighter one (of equal ones the second), L3 beyond the other; each
        (x, y, z). To rounding: roots of the force along the line of the stars, found in brackets."""
        share = self.masses[1] / sum(self.masses)
        first, second = -share, 1 - share  # along the line, in units of the separation

        def force(s: float) -> float:
            pulls = (1 - share) * np.sign(s - first) / (s - first) ** 2
            pulls += share * np.sign(s - second) / (s - second) ** 2
            return s - pulls

        near = 1e-3 * min(share, 1 - share) ** (1 / 3)  # far inside of the lobe of the lighter star
        low = brentq(force, first - 2, first - near, xtol=1e-15)
        middle = brentq(force, first + near, second - near, xtol=1e-15)
        high = brentq(force, second + near, second + 2, xtol=1e-15)
        of_second_beyond = self.masses[1] <= self.masses[0]
        places = (middle, high, low) if of_second_beyond else (middle, low, high)
        line = self.positions[1] - self.positions[0]
        return {
            name: np.array([*(self.centre + s * line), self.height])
            for name, s in zip(POINTS, places, strict=True)
        }


def lobe_radius(ratio: ArrayLike) -> NDArray:
    """Radius of the sphere of a Roche lobe's volume, over the separation (Eggleton 1983, ApJ 268, 368, eq. 2).

    ratio: mass of the lobe's star over that of the other.
    """
    cube_root = np.cbrt(np.asarray(ratio, float))
    return 0.49 * cube_root**2 / (0.6 * cube_root**2 + np.log1p(cube_root))


def model_of(snapshot: Snapshot, history: History | None) -> RocheModel | None:
    """The binary as it was measured; None where there are not two bodies.

    Masses and places are those of the gas in the Roche lobes, from the row of the history that is nearest in time.
    Without them, or where the snapshot is older than the table: of the gas and a point mass, or of the first two point
    masses, where the gas counts to the first; else of the species whose names begin with accretor and donor.

    Args:
        snapshot: the moment.
        history: of the run, where there is one.
    """
    if history is not None and history.knows_lobes and _reaches(history, snapshot.time):
        return _of_history(history, snapshot.time)
    bodies = _of_points(snapshot) if len(snapshot.point_masses) else _of_species(snapshot)
    if bodies is None:
        return None
    masses, places = bodies
    height = float(np.average(places[:, 2], weights=masses))
    return RocheModel((float(masses[0]), float(masses[1])), places[:, :2], height)


def _reaches(history: History, time: float) -> bool:
    """Whether a time is not before the first row by more than a row; tables may begin at a restart."""
    first = history["time"][:2]
    return bool(first[0] - time <= first[-1] - first[0])


def _of_history(history: History, time: float) -> RocheModel | None:
    row = history.data[int(np.argmin(np.abs(history["time"] - time)))]
    masses = tuple(float(row[f"lobe_mass_{star}"]) for star in ("accretor", "donor"))
    if not all(mass > 0 for mass in masses):  # nan after a merger
        return None
    places = np.array([[row[f"centre_{d}_{star}"] for d in "xyz"] for star in ("accretor", "donor")])
    return RocheModel(masses, places[:, :2], float(np.average(places[:, 2], weights=masses)))


def _of_points(snapshot: Snapshot) -> tuple[NDArray, NDArray] | None:
    points = snapshot.point_masses
    gas, centre = _mass_and_centre(snapshot, ["density"])
    if len(points) == 1:
        return np.array([gas, points[0, 0]]), np.array([centre, points[0, 2:5]])
    return np.array([gas + points[0, 0], points[1, 0]]), points[:2, 2:5]


def _of_species(snapshot: Snapshot) -> tuple[NDArray, NDArray] | None:
    groups = [
        [f"density_{s}" for s in snapshot.species if s.startswith(star)] for star in ("accretor", "donor")
    ]
    if not all(groups) or not all(name in snapshot.stored_fields for group in groups for name in group):
        return None
    bodies = [_mass_and_centre(snapshot, group) for group in groups]
    return np.array([mass for mass, _ in bodies]), np.array([centre for _, centre in bodies])


def _mass_and_centre(snapshot: Snapshot, fields: list[str]) -> tuple[float, NDArray]:
    masses = snapshot.cell_volume * sum(snapshot[name] for name in fields)
    total = float(np.sum(masses))
    return total, np.array([np.sum(masses * d) for d in snapshot.centres()]) / total
