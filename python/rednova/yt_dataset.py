"""Snapshots as datasets of yt."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rednova.snapshot import ATOMIC_MASS, Snapshot


def open_yt(path: str | Path) -> Any:
    """The snapshot as a yt dataset in which all fields have their units.

    Where the file has a temperature in kelvin, a mean molecular weight or an electron fraction, they are ("gas",
    "temperature"), ("gas", "mean_molecular_weight") and ("gas", "El_number_density"). `yt.load` alone opens the file as
    well; it then takes fields that yt does not know by name for pure numbers, and its temperature is that of ideal gas
    of one mean molecular weight.

    Args:
        path: of the snapshot.

    Returns:
        A `ParthenonDataset` of yt.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is no snapshot of Rednova, or it is truncated.
    """
    import yt

    snapshot = Snapshot(path)
    dataset = yt.load(str(path), hint="ParthenonDataset")
    for name in snapshot.stored_fields:
        units = snapshot.unit(name)
        if "gamma" not in units and "k/m_u" not in units:  # the entropy tracer's unit has no name
            dataset.field_units["parthenon", name] = _yt_units(units)
    for own, field, units, of_stored in _YT_FIELDS:
        if own in snapshot.stored_fields and (units != "K" or snapshot.has_kelvin):
            dataset.add_field(
                ("gas", field), function=of_stored, sampling_type="cell", units=units, force_override=True
            )
    return dataset


def _stored(name: str) -> Callable:
    """The values of a dataset, as a function that yt takes for a field."""
    return lambda field, data: data["parthenon", name]


def _electrons(field: Any, data: Any) -> Any:
    """Free electrons per volume."""
    per_mass = data["parthenon", "electron_fraction"] / data.ds.quan(ATOMIC_MASS, "g")
    return data["gas", "density"] * per_mass


#: What the file has, the name of yt's field, its units, and how it is made.
_YT_FIELDS = [
    ("temperature", "temperature", "K", _stored("temperature")),
    ("mean_molecular_weight", "mean_molecular_weight", "", _stored("mean_molecular_weight")),
    ("electron_fraction", "El_number_density", "cm**-3", _electrons),
]


def _yt_units(units: str) -> str:
    """E.g. mass/(length time^2) → code_mass/(code_length*code_time**2)."""
    for quantity in ("mass", "length", "time"):
        units = units.replace(quantity, f"code_{quantity}")
    return units.replace("^", "**").replace(" ", "*")
