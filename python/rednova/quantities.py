"""What fields are called on pictures, in which units, and with which colours."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from rednova.snapshot import ALIASES, Snapshot

#: Code units as cgs, by what stands in files; the factor's exponents of (length, mass, time).
CGS = {
    "mass/length^3": ((-3, 1, 0), "g cm$^{-3}$"),
    "mass/length^2": ((-2, 1, 0), "g cm$^{-2}$"),
    "mass/(length time^2)": ((-1, 1, -2), "erg cm$^{-3}$"),
    "mass/(length time)": ((-1, 1, -1), "g cm$^{-1}$ s$^{-1}$"),
    "length^2/time^2": ((2, 0, -2), "erg g$^{-1}$"),
    "length/time^2": ((1, 0, -2), "cm s$^{-2}$"),
    "mass/time^3": ((0, 1, -3), "erg cm$^{-2}$ s$^{-1}$"),
}
KILOMETRE = 1e5  # cm

NAMES = {
    "energy": "energy density",
    "speed": "speed",
    "speed_rotating": "speed relative to the grid",
    "spin_x": "spin density along x",
    "spin_y": "spin density along y",
    "spin_z": "spin density along z",
}
#: Maps of even lightness, which survive colour blindness and grey print; inferno is that of the density.
MAPS = {"density": "inferno", "temperature": "magma", "speed": "cividis", "speed_rotating": "cividis"}
SEQUENTIAL, DIVERGING = "viridis", "PuOr_r"


@dataclass(frozen=True)
class Quantity:
    """A field as it is drawn.

    Attributes:
        field: its name.
        factor: what code units are multiplied by.
        label: for the scale of colours, with the unit.
        colours: of matplotlib.
        signed: whether its sign matters, so that the scale is symmetric about 0.
        linear: whether its scale is linear unless one asks for another; None: it depends on the values.
    """

    field: str
    factor: float
    label: str
    colours: str
    signed: bool = False
    linear: bool | None = None


def quantity(snapshot: Snapshot, field: str, column: bool = False) -> Quantity:
    """How a field of a snapshot is drawn; as a column if asked.

    Raises:
        KeyError: there is no such field; lists those that there are.
        ValueError: temperatures of a gas whose code units are not physical.
    """
    short = {stored: name for name, stored in ALIASES.items()}.get(field, field)
    unit = snapshot.unit(field)
    if short == "temperature" and unit == "K" and not snapshot.has_kelvin:
        raise ValueError(
            f"{snapshot.path}: no temperature in kelvin where code units are bare numbers: draw "
            'specific_internal_energy, or run with units.system = "solar"'
        )
    by_mass = unit == "mass/length^3"
    factor, name = _unit_of(snapshot, "mass/length^2" if by_mass and column else unit)
    words = NAMES.get(short, short.replace("_", " "))
    if short.startswith("density_"):
        words = f"density of {words.removeprefix('density ')}"
    words = re.sub(r" ([xyz])$", r" along \1", words)
    if column:
        words = f"column {words}" if by_mass else f"{words}, mean by mass"
    colours = MAPS["density"] if by_mass else MAPS.get(short, SEQUENTIAL)
    made = Quantity(field, factor, f"{words}  [{name}]" if name else words, colours)
    if short in ("speed", "speed_rotating", "gravitational_potential"):
        return replace(made, linear=True)
    if re.search(r"(velocity|spin|acceleration|flux)(_rotating)?_[xyz]$", short):
        return replace(made, linear=True, signed=True, colours=DIVERGING)
    return made


def _unit_of(snapshot: Snapshot, unit: str) -> tuple[float, str]:
    """Factor and name; those of code units unless the snapshot's are solar."""
    if unit in ("K", "1"):
        return 1.0, "K" if unit == "K" else ""
    if snapshot.unit_system != "solar":
        return 1.0, "code units"
    if unit == "length/time":
        return snapshot.units.velocity / KILOMETRE, "km s$^{-1}$"
    if unit not in CGS:
        return 1.0, "code units"
    powers, name = CGS[unit]
    bases = (snapshot.units.length, snapshot.units.mass, snapshot.units.time)
    factor = 1.0
    for base, power in zip(bases, powers, strict=True):
        factor *= base**power
    return factor, name
