"""Long runs reduced to what a page takes of them, kept in docs/runs/science: nobody has to make all of them for one
page, nor in one session. Whose numbers they stand for is as in `rednova.verify.kept`.

A kept run is a directory like another: history.csv with fewer rows and columns, ledger.json, initial_model.json, the
note of what made it, and in place of snapshots what is drawn and summed of them.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rednova.run import Run
from rednova.science.drawing import Pictures, keep_densities, kept_densities
from rednova.science.ejecta import EJECTA, ejecta_of
from rednova.science.outcome import COLUMNS, OVER, orbit_of
from rednova.verify.kept import begin, extremes, write_history

#: Rows of an orbit, for the curves.
AN_ORBIT = 20


@dataclass(frozen=True)
class Wanted:
    """What a page takes of a run.

    columns: of history.csv, beside those of `rednova.science.outcome`. pictures: of it, if there are to be any. ejecta:
    whether the sums of its last snapshot's are taken.
    """

    columns: tuple[str, ...] = ()
    pictures: Pictures | None = None
    ejecta: bool = False


def keep(run: Run, out: Path, wanted: Wanted) -> None:
    """Writes a run that began with two stars into the directory out, which it replaces."""
    begin(run, out)
    shutil.copy(run.directory / "initial_model.json", out)
    history, names = run.history, {"time", *COLUMNS, *wanted.columns}
    columns = [name for name in history.units if name in names]
    rows = chosen_rows(run, columns)
    if wanted.pictures:
        keep_densities(run, wanted.pictures, out)
    if wanted.ejecta:
        carried = ejecta_of(run)
        (out / EJECTA).write_text(json.dumps(carried, indent=1) + "\n")
        rows = np.union1d(rows, beside(history["time"], [carried["time"]]))
    write_history(history, columns, rows, out / "history.csv")


def has_pictures(directory: Path, wanted: Wanted) -> bool:
    """Whether a kept run has the pictures that a page takes of it."""
    return wanted.pictures is None or kept_densities(directory, wanted.pictures) is not None


def chosen_rows(run: Run, columns: Sequence[str]) -> NDArray:
    """Rows of a history that give a page what all rows do: those on both sides of what `Orbit` interpolates or looks
    up, the extremes of columns, the last ones with two stars, and `AN_ORBIT` of each orbit, and of the time after a
    merger as often."""
    history, orbit = run.history, orbit_of(run)
    pair, time = orbit.rows, history["time"]
    last, end = pair[-1], orbit.orbits[-1]
    drawn = beside(orbit.orbits, np.arange(0, end, 1 / AN_ORBIT))[1]
    exact = beside(orbit.orbits, [*np.arange(0, end, OVER), orbit.last])
    apart = (time[last] - time[0]) / max(end * AN_ORBIT, 1)
    later = beside(time, np.arange(time[last], time[-1], apart))[1]
    ends = [0, min(last + 1, len(time) - 1), len(time) - 1]
    most = extremes(history, columns), extremes(history, columns, pair)
    return np.unique(np.concatenate([pair[drawn], *pair[exact], pair[-AN_ORBIT:], later, *most, ends]))


def beside(values: NDArray, points: Sequence[float] | NDArray) -> NDArray:
    """Rows of values, which rise, before and at or after points; [2, point]."""
    after = np.searchsorted(values, points)
    return np.clip([after - 1, after], 0, len(values) - 1)
