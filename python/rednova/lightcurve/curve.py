"""Light curves of a run: by what light carries out of the domain, and by rays to observers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rednova.history import History
from rednova.lightcurve.medium import medium_of
from rednova.lightcurve.opacity import Composition
from rednova.lightcurve.rays import Tree
from rednova.lightcurve.sky import Sky, direction_of, frame_of, look
from rednova.pictures import DAY
from rednova.snapshot import Snapshot

#: What `rays_table` writes into the run's directory.
NAME = "light_curve.csv"


@dataclass(frozen=True)
class Choice:
    """How a snapshot is looked at.

    Attributes:
        direction: towards the observer, as `direction_of` reads it.
        rays: along the width of a cell.
        composition: for the analytic opacity of a run without light; None for one with light.
        distance: of the observer in pc, for magnitudes.
    """

    direction: str
    rays: int = 1
    composition: Composition | None = None
    distance: float = 10.0


def watch(snapshot: Snapshot, choices: Collection[Choice]) -> list[Sky]:
    """What observers at rest see of a snapshot, which light crosses at once; all choices have one composition.

    Raises:
        ValueError: there is no opacity; says what to do.
    """
    medium, tree = medium_of(snapshot, next(iter(choices)).composition), Tree(snapshot)
    frames = [frame_of(direction_of(choice.direction), snapshot.grid_angle) for choice in choices]
    return [look(medium, tree, frame, choice.rays) for frame, choice in zip(frames, choices, strict=True)]


def has_size(history: History) -> bool:
    """Whether code units are those of the sun, so that there are erg/s, days and magnitudes."""
    return history.units["time"] == "tu"


def power(history: History) -> float:
    """A luminosity in code units times this is in erg/s."""
    return history.cgs["mass"] * history.cgs["length"] ** 2 / history.cgs["time"] ** 3


def outflow(history: History) -> tuple[NDArray, NDArray] | None:
    """Times and luminosities of light that left the domain, [row], in code units, each the mean over the step that ends
    at its time; None of a run without light. The first row of a run has no step before it and is left out."""
    if "luminosity" not in history.units:
        return None
    rows = history["step"] > 0
    return history["time"][rows], history["luminosity"][rows]


def at(curve: tuple[NDArray, NDArray] | None, time: float) -> float:
    """A curve at a time, linear between its points; nan beside them, and where there is none."""
    return (
        np.nan
        if curve is None or len(curve[0]) == 0
        else float(np.interp(time, *curve, left=np.nan, right=np.nan))
    )


def row_of(sky: Sky, choice: Choice, history: History) -> dict[tuple[str, str], float]:
    """(name, unit) → value of what an observer sees at a time."""
    snapshot = sky.medium.snapshot
    length, mass, time = unit_names(history)
    luminous = f"{mass} {length}^2/{time}^2/{time}"  # as history.csv writes it
    kelvin = "K" if has_size(history) else "1"
    row = {("step", "1"): snapshot.step, ("time", time): snapshot.time, ("orbits", "1"): snapshot.orbits}
    towards = direction_of(choice.direction) + 0.0  # no negative zeros
    row |= {(f"direction_{d}", "1"): x for d, x in zip("xyz", towards, strict=True)}
    row |= {
        ("luminosity", luminous): sky.luminosity,
        ("luminosity_outflow", luminous): at(outflow(history), snapshot.time),
        ("effective_temperature", kelvin): sky.effective_temperature,
        ("colour_temperature", kelvin): sky.colour_temperature,
        ("visible_area", f"{length}^2"): sky.area,
        ("blurred", "1"): sky.blurred,
        ("luminosity_eddington", luminous): sky.medium.surface.luminosity,
        ("surface_depth", "1"): sky.medium.surface.depth,
        ("rays", "1"): len(sky.size),
    }
    if has_size(history):
        row["day", "d"] = snapshot.time * history.cgs["time"] / DAY
        row["luminosity_cgs", "erg/s"] = sky.luminosity * power(history)
        row["magnitude_I", "mag"] = sky.magnitude(choice.distance)
    return row


def unit_names(history: History) -> tuple[str, str, str]:
    """Of length, mass and time, as history.csv has them."""
    return ("Rsun", "Msun", "tu") if has_size(history) else ("length", "mass", "time")


def write(
    rows: Sequence[dict[tuple[str, str], float]], history: History, path: Path, notes: Sequence[str]
) -> None:
    """Writes rows as a table in the layout of history.csv, which `rednova.History` reads, with the run's input.

    notes: how the table was made; comments of the input.
    """
    names = zip(("length", "mass", "time"), unit_names(history), ("cm", "g", "s"), strict=True)
    sizes = ", ".join(f"1 {name} = {history.cgs[kind]:.17g} {cgs}" for kind, name, cgs in names)
    lines = [f"# rednova {history.version}", f"# units: {sizes}", *(f"#   # {note}" for note in notes)]
    lines += [f"#   {line}" for line in history.input.splitlines()]
    lines.append(",".join(f"{name} [{unit}]" for name, unit in rows[0]))
    lines += [",".join(f"{value:.10g}" for value in row.values()) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def by_direction(table: History) -> dict[str, NDArray]:
    """The rows of each direction in a table, by its name: an axis, or the components of its vector."""
    vectors = np.stack([table[f"direction_{d}"] for d in "xyz"], axis=-1)
    groups: dict[str, list[int]] = {}
    for number, vector in enumerate(vectors):
        groups.setdefault(name_of(vector), []).append(number)
    return {name: np.array(rows) for name, rows in groups.items()}


def name_of(direction: NDArray) -> str:
    """Of a unit vector: x or -z along an axis, else its components."""
    axis = int(np.argmax(np.abs(direction)))
    if abs(direction[axis]) > 1 - 1e-12:
        return ("-" if direction[axis] < 0 else "") + "xyz"[axis]
    return ",".join(f"{x:.5g}" for x in direction)


#: All times.
ALWAYS = (-np.inf, np.inf)


@dataclass(frozen=True)
class Difference:
    """How two curves differ where both are known.

    Attributes:
        largest: of the differences, over the largest value of the first curve.
        time: where it is, in code units.
        rms: of the differences, over the root mean square of the first curve.
        median: of the differences, each over the first curve's value there, where that is positive.
        points: that were compared.
    """

    largest: float
    time: float
    rms: float
    median: float
    points: int


def difference(
    curve: tuple[NDArray, NDArray], other: tuple[NDArray, NDArray], known: NDArray
) -> Difference | None:
    """Of the other curve, linear between its points, at the points of a curve that are `known`; None if no value of
    these is positive."""
    time, values = curve[0][known], curve[1][known]
    bright = values > 0
    if not np.any(bright):
        return None
    apart = np.abs(np.interp(time, *other) - values)
    worst = int(np.argmax(apart))
    rms = np.sqrt(np.mean(apart**2) / np.mean(values**2))
    median = np.median(apart[bright] / values[bright])
    return Difference(
        float(apart[worst] / values.max()), float(time[worst]), float(rms), float(median), len(time)
    )


def in_both(time: NDArray, other: NDArray, span: tuple[float, float] = ALWAYS) -> NDArray:
    """Which times, [row], lie in a span, its ends included, and between the first and the last of the other's."""
    if len(time) == 0 or len(other) == 0:
        return np.zeros(len(time), dtype=bool)
    return (time >= max(span[0], other[0])) & (time <= min(span[1], other[-1]))


def between(
    curve: tuple[NDArray, NDArray], other: tuple[NDArray, NDArray], span: tuple[float, float] = ALWAYS
) -> Difference | None:
    """Of two curves of many points, in the time of a span that both have."""
    return difference(curve, other, in_both(curve[0], other[0], span))


def together(
    curve: tuple[NDArray, NDArray], other: tuple[NDArray, NDArray], span: tuple[float, float] = ALWAYS
) -> Difference | None:
    """Of two curves of few points, at the times of a span that both have, to a thousandth of the time between two of
    them: parts of an orbit are not at the same times in two runs."""
    time = curve[0]
    if len(time) == 0 or len(other[0]) == 0:
        return None
    near = np.min(np.abs(time[:, None] - other[0]), axis=1)
    apart = np.ptp(time) / max(len(time) - 1, 1)
    shared = near <= max(1e-3 * apart, 1e-6 * np.max(np.abs(time)), 1e-300)
    return difference(curve, other, shared & (time >= span[0]) & (time <= span[1]))
