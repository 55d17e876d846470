"""The files of a run that a report is made of, read once; what is wrong with one is said with its place."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from rednova.history import History
from rednova.pictures import DAY
from rednova.profile import Profile
from rednova.run import Run
from rednova.slices import SliceFile
from rednova.snapshot import Snapshot


@contextmanager
def reading(path: Path, remedy: str) -> Iterator[None]:
    """Names the file in errors of what is read within, and the remedy."""
    try:
        yield
    except (OSError, ValueError, KeyError, TypeError) as error:
        text = str(error) if not isinstance(error, KeyError) else f"has no {error}"
        place = "" if str(path) in text else f"{path}: "
        raise ValueError(f"{place}{' '.join(text.split())}; {remedy}") from None


@dataclass(frozen=True)
class Sources:
    """A run as a report sees it.

    Attributes:
        run: the run.
        history: its table, of at least one row.
        input: input.toml; where that is missing, the input in history.csv.
        keys: the same as section → key → value.
        ledger: ledger.json; None if there is none.
        initial_model: initial_model.json; None if there is none.
        profile: of the last start or restart; None if the run was made without.
        before: the profile of what came before the first step.
        snapshots, slices: in the order of time.
        edge: cells along an edge of a block; None if no file says so.
        missing: what of these there is not, as sentences.
    """

    run: Run
    history: History
    input: str
    keys: dict[str, Any]
    ledger: dict[str, Any] | None
    initial_model: dict[str, Any] | None
    profile: Profile | None
    before: Profile | None
    snapshots: list[Snapshot]
    slices: list[SliceFile]
    edge: int | None
    missing: list[str] = field(default_factory=list)

    @property
    def solar(self) -> bool:
        """Whether code units are those of the sun."""
        return self.history.units["time"] == "tu"

    @property
    def gravitates(self) -> bool:
        name = "gravitational_energy"
        return name in self.history.units and bool(np.any(self.history[name] != 0))

    @property
    def problem(self) -> str:
        return str(self.keys.get("problem", {}).get("name", ""))

    @property
    def points(self) -> list[str]:
        """Prefixes of the columns of point masses: point_1_, point_2_ …"""
        return [
            c.removesuffix("mass")
            for c in self.history.units
            if c.startswith("point_") and c.endswith("_mass")
        ]

    @property
    def day(self) -> float:
        """What a time in code units is multiplied by to be in days, or to stay as it is where units have no size."""
        return self.history.cgs["time"] / DAY if self.solar else 1.0

    @property
    def day_unit(self) -> str:
        return "d" if self.solar else self.history.units["time"]

    @property
    def turns(self) -> str:
        """What the column `orbits` counts."""
        return "orbits" if self.history.two_stars else "turns of the grid"

    @property
    def period(self) -> NDArray:
        """Of the orbit, [row], in `day_unit`; nan where there are not two stars."""
        rate = np.abs(self.history["orbital_frequency"])
        return 2 * np.pi / np.where(rate > 0, rate, np.nan) * self.day

    @property
    def began(self) -> str:
        """When input.toml was written: by the start, or by the last restart in this directory."""
        return date_of(self.run.directory / "input.toml")

    @property
    def wrote_last(self) -> str:
        return date_of(self.run.directory / "history.csv")

    @property
    def restarted_at(self) -> int | None:
        """The step of the last restart; None for a run that did not stop, or if there is no profile."""
        if self.profile is None:
            return None
        first = int(self.history["step"][-1]) - int(self.profile.steps[0])
        return first if first > 0 and self.profile.complete else None


def edge_of(directory: Path, snapshots: list[Snapshot]) -> int | None:
    """Cells along an edge of a block, which snapshots and checkpoints know."""
    if snapshots:
        return snapshots[0].edge
    for path in sorted(directory.glob("checkpoint_*.h5")):
        with reading(path, "rednova info says what is wrong with it"), h5py.File(path) as file:
            return int(file.attrs["block_size"])
    return None


def date_of(path: Path) -> str:
    """The date of a file, to the second, or nothing if it is not there."""
    if not path.exists():
        return ""
    return datetime.fromtimestamp(path.stat().st_mtime).astimezone().isoformat(" ", "seconds")


def read_profile(directory: Path, part: str) -> Profile | None:
    if not (directory / "profile.json").is_file():
        return None
    with reading(directory / "profile.json", "remove it for a report without the cost"):
        return Profile(directory, part)


def read(directory: Path) -> Sources:
    """Reads a run.

    Raises:
        FileNotFoundError: there is no run.
        ValueError: one of its files is damaged; with its place and a remedy.
    """
    try:
        run = Run(directory)
    except FileNotFoundError as error:
        raise FileNotFoundError(f"{error}: name the directory that `rednova run` wrote") from None
    go_on = "if the run goes on, try again; else restart it from a checkpoint, which mends the file"
    missing = []
    with reading(directory / "history.csv", go_on):
        history = run.history
        if len(history) == 0:
            raise ValueError("has no row yet, so there is nothing to report")
    written = (directory / "input.toml").is_file()
    with reading(directory / "input.toml", go_on):
        text = run.input if written else history.input
        keys = tomllib.loads(text)
    if not written:
        missing.append(
            "the input: there is no input.toml; it is that of history.csv, from when the run began"
        )
    ledger = None
    if (directory / "ledger.json").is_file():
        with reading(directory / "ledger.json", "it is written anew with the next checkpoint of a restart"):
            ledger = run.ledger
            for name in ("mass", "flow", "run"):
                ledger[name]
    model = None
    if (directory / "initial_model.json").is_file():
        with reading(directory / "initial_model.json", "remove it for a report without this table"):
            model = run.initial_model
            for name in ("iterations", "cells", "gravity_order", "change", "rows", "warnings"):
                model[name]
    with reading(directory, "remove the file, or write it again by a restart from a checkpoint before it"):
        snapshots, slices = run.snapshots, run.slices
    if not snapshots:
        missing.append("snapshots: there are none")
    profile, before = (read_profile(directory, part) for part in ("steps", "before_first_step"))
    edge = edge_of(directory, snapshots)
    return Sources(run, history, text, keys, ledger, model, profile, before, snapshots, slices, edge, missing)
