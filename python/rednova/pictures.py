"""What the pictures of a run share: style, units, and how they become files."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")  # pictures go to files, also where there is no display

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from rednova.history import History
from rednova.snapshot import Snapshot

DAY = 86400.0  # s
DECADES = 9  # of a logarithmic scale of colours at most
STYLE = {
    "figure.dpi": 130,
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
}
COLOURS = {"blue": "#2b6cb0", "orange": "#dd6b20", "green": "#2f855a", "grey": "#718096"}
FLOW = "#c53030"  # the flow's share of the angular momentum


# What quantities are called on axes, and what code units are multiplied by to be in those units.


def length_label(unit_system: str) -> str:
    return "R$_\\odot$" if unit_system == "solar" else "code length"


def density_scale(snapshot: Snapshot) -> tuple[float, str]:
    """Factor and label of mass densities."""
    if snapshot.unit_system == "solar":
        return snapshot.units.density, "density  [g cm$^{-3}$]"
    return 1.0, "density  [code units]"


def orbits_of(history: History) -> NDArray | None:
    """Orbits of two stars, else turns of the grid, [row]; None where they are not counted to the last row: nothing
    turns, or not any more since a merger (`mesh.inertial_after_merger`)."""
    orbits = np.abs(history["orbits"])
    return orbits if orbits[-1:].any() and np.diff(orbits[-2:]).all() else None


def time_of(history: History) -> tuple[NDArray, str]:
    """The time axis: orbits where they are counted to the end, else days or code time."""
    orbits = orbits_of(history)
    if orbits is not None:
        return orbits, "time  [orbits]"
    if history.units["time"] == "tu":
        return history["time"] * history.cgs["time"] / DAY, "time  [days]"
    return history["time"], "time  [code units]"


def title_of(snapshot: Snapshot) -> str:
    """When the snapshot was taken: the time, and the orbits where something turns."""
    if snapshot.unit_system == "solar":
        text = f"t = {snapshot.time * snapshot.units.time / DAY:.3f} d"
    else:
        text = f"t = {snapshot.time:.4g}"
    turns = snapshot.rotation != 0 or snapshot.orbits != 0
    return text + (f"  ({abs(snapshot.orbits):.2f} orbits)" if turns else "")


def put_back(history: History) -> str:
    """What angular momenta of all gas have in them beside what is on the grid."""
    return "with outflow, without driving" if history.is_driven else "with outflow"


def pretty(unit: str) -> str:
    """A unit of history.csv as matplotlib text."""
    if any(word in unit for word in ("mass", "length", "time")):
        return "code units"
    for name, symbol in (("Msun", "M$_\\odot$"), ("Rsun", "R$_\\odot$"), ("^2", "$^2$"), ("^3", "$^3$")):
        unit = unit.replace(name, symbol)
    return unit


def origin(version: str, text: str) -> dict[str, str]:
    """Metadata of a picture: the program that made the run, and the run's input."""
    return {"Software": f"rednova {version}", "Description": text}


def make_folder(path: Path) -> None:
    """Makes the folder of pictures. Raises OSError that says what to do where it cannot."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OSError(
            f"{path}: cannot be written: {error.strerror}: choose another place with --out"
        ) from None


def make_even(figure: Figure) -> tuple[int, int]:
    """Gives a figure an even number of pixels each way, which movies (H.264) need, and the same one to figures of one
    size; returns width and height."""
    width, height = (2 * round(inches * figure.dpi / 2) for inches in figure.get_size_inches())
    # A hundredth of a pixel more: the program that draws cuts off fractions.
    figure.set_size_inches((width + 0.01) / figure.dpi, (height + 0.01) / figure.dpi)
    return width, height


def save(figure: Figure, path: Path, metadata: dict[str, str]) -> None:
    """Writes a figure, with even numbers of pixels, and closes it."""
    make_even(figure)
    figure.savefig(path, metadata=metadata)
    plt.close(figure)
