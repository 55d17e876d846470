"""What light meets in a snapshot: extinction and source of each cell, and how the source changes within it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rednova.lightcurve import opacity
from rednova.lightcurve.surface import Surface, surface_of
from rednova.snapshot import BOLTZMANN, Snapshot

LIGHT_SPEED = 2.99792458e10  # cm/s, as in the program
PLANCK = 6.62607015e-27  # erg s
RADIATION_CONSTANT = 8 * np.pi**5 * BOLTZMANN**4 / (15 * (LIGHT_SPEED * PLANCK) ** 3)  # erg/(cm³ K⁴)


@dataclass(frozen=True)
class Medium:
    """Cells as light meets them, in code units.

    Attributes:
        snapshot: its blocks.
        cells: [block times cell, 5], x fastest: extinction by length; source, an intensity; and by how much the source
            changes across the cell along x, y and z.
        per_kelvin: intensity of a black body over T⁴, ac/4π.
    """

    snapshot: Snapshot
    cells: NDArray
    per_kelvin: float

    def temperature(self, intensity: NDArray) -> NDArray:
        """Of the black body with an intensity."""
        return (intensity / self.per_kelvin) ** 0.25

    @cached_property
    def surface(self) -> Surface:
        """Of the opaque cells."""
        return surface_of(self)


def medium_of(snapshot: Snapshot, of: opacity.Composition | None = None) -> Medium:
    """Extinction and the source ac T⁴/4π (local thermodynamic equilibrium) of the cells.

    Args:
        snapshot: of a run with light, whose own optical depth and temperature are taken, or of another.
        of: of a run without light, the composition for the analytic opacity at the gas's temperature.

    Raises:
        ValueError: the snapshot has no opacity or no temperature; says what to do.
    """
    keys = tomllib.loads(snapshot.input).get("radiation", {})
    if keys.get("enabled", False) and of is not None:
        raise ValueError(
            f"{snapshot.path}: the run has light, and so an opacity of its own: leave out --opacity"
        )
    if not keys.get("enabled", False) and of is None:
        raise ValueError(
            f"{snapshot.path}: the run has no light, and so no opacity: give --opacity analytic with --metallicity "
            "and --hydrogen of its gas, or run with [radiation]"
        )
    if of is None:
        absent = [name for name in ("optical_depth", "temperature") if name not in snapshot.stored_fields]
        if absent:
            raise ValueError(
                f"{snapshot.path}: has no {absent[0]}: write it, with output.fields or without that key"
            )
        depth = snapshot["optical_depth"]
    elif snapshot.unit_system != "solar":
        raise ValueError(
            f"{snapshot.path}: the analytic opacity needs g/cm³ and K, and code units are bare numbers: run with "
            'units.system = "solar"'
        )
    else:
        width = (snapshot.width * snapshot.units.length)[:, None, None, None]
        rho = snapshot["density"] * snapshot.units.density
        depth = rho * opacity.extinction(of, rho, snapshot["temperature"]) * width
    per_kelvin = black_body_unit(snapshot, keys)
    source = per_kelvin * snapshot["temperature"] ** 4
    cells = np.empty((depth.size, 5))
    cells[:, 0] = (depth / snapshot.width[:, None, None, None]).ravel()
    cells[:, 1] = source.ravel()
    cells[:, 2:] = changes(source, depth).reshape(-1, 3)
    return Medium(snapshot, cells, per_kelvin)


def black_body_unit(snapshot: Snapshot, keys: dict) -> float:
    """ac/4π in code units: the constants of nature, or in code units those of the section [radiation]."""
    if snapshot.unit_system == "solar":
        flux = RADIATION_CONSTANT * LIGHT_SPEED / (snapshot.units.pressure * snapshot.units.velocity)
    else:
        flux = keys["radiation_constant"] * keys["light_speed"]
    return flux / (4 * np.pi)


def changes(source: NDArray, depth: NDArray) -> NDArray:
    """By how much the source changes across each cell along x, y and z.

    Between the centres of two cells it is linear in optical depth (Olson & Kunasz 1987), which gives a cell two changes
    along a direction. Their mean has the weights of the neighbours' shares of the depth, so that a transparent
    neighbour, whose temperature light does not know, has no say. Cells at a block's faces take the one neighbour that
    they have in the block. A source that is linear in depth stays so to rounding.

    Args:
        source: [block, z, y, x].
        depth: of the cells, in the same shape.

    Returns:
        [block, z, y, x, (x, y, z)]; limited so that the source is not negative in the cell's corners.
    """
    made = np.zeros((*source.shape, 3))
    for d in range(3):
        s, tau = np.moveaxis(source, 3 - d, -1), np.moveaxis(depth, 3 - d, -1)
        both = tau[..., 1:] + tau[..., :-1]
        share = np.divide(tau[..., 1:], both, out=np.full(both.shape, 0.5), where=both > 0)
        # The lower cell of a pair changes by 2 (1 - share) Δs, and its neighbour's share is the weight.
        weighted = 2 * share * (1 - share) * np.diff(s, axis=-1)
        total, weight = np.zeros(s.shape), np.zeros(s.shape)
        total[..., :-1] += weighted
        total[..., 1:] += weighted
        weight[..., :-1] += share
        weight[..., 1:] += 1 - share
        along = np.divide(total, weight, out=np.zeros(s.shape), where=weight > 0)
        made[..., d] = np.moveaxis(along, -1, 3 - d)
    corner = np.abs(made).sum(axis=-1) / 2
    made *= np.divide(source, corner, out=np.ones(source.shape), where=corner > source)[..., None]
    return made
