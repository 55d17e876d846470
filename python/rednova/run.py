"""A run's directory."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import numpy as np

from rednova.history import History
from rednova.profile import Profile
from rednova.slices import SliceFile
from rednova.snapshot import Snapshot
from rednova.tracers import Tracers


class Run:
    """What `rednova run` left in a directory; files are read when they are first asked for.

    Args:
        directory: of the run, such as ``runs/my_star``.

    Attributes:
        directory: the same, as a path.

    Raises:
        FileNotFoundError: the directory is not there or holds no run.
    """

    def __init__(self, directory: str | Path) -> None:
        self.directory = Path(directory)
        if not self.directory.is_dir():
            raise FileNotFoundError(f"{self.directory}: there is no such directory")
        if not (self.directory / "history.csv").is_file():
            raise FileNotFoundError(f"{self.directory}: holds no run: history.csv is missing")

    @functools.cached_property
    def history(self) -> History:
        """The table history.csv, a row for each `output.history_steps` steps.

        Raises:
            ValueError: the file is damaged; with file and line.
        """
        return History(self.directory / "history.csv")

    @functools.cached_property
    def ledger(self) -> dict[str, Any]:
        """The ledger of the conserved sums, ledger.json.

        A dictionary for each of mass, mass_SPECIES, momentum, angular_momentum, energy and flow, with numbers in code
        units (lists of three for vectors): grid, initial, outflow, outflow_by_side, floors, regrid, remainder,
        magnitude, and relative, the absolute value of the remainder over the magnitude. The key run says where it comes
        from.

        Raises:
            FileNotFoundError: the run has not written one yet.
        """
        return json.loads((self.directory / "ledger.json").read_text())

    @functools.cached_property
    def initial_model(self) -> dict[str, Any]:
        """What was asked of the initial model of a binary and what was reached, initial_model.json.

        The key rows has a list of dictionaries with what, asked (None: nothing), reached and note (unit or meaning);
        others are iterations, cells, gravity_order, change, warnings, and run, which says where it comes from.

        Raises:
            FileNotFoundError: the problem iterates for no model, or another version made the run.
        """
        return json.loads((self.directory / "initial_model.json").read_text())

    @functools.cached_property
    def profile(self) -> Profile:
        """Where the time of the last start or restart went, profile.json.

        Raises:
            FileNotFoundError: the run was made with --no-profile.
            ValueError: it is of another format.
        """
        return Profile(self.directory)

    def conserved(self, quantity: str) -> list[bool]:
        """Whether a quantity of the ledger, or each component of a vector, has a conservation law in this box.

        Where not, its remainder is no error. Ledgers that do not say (of old versions) mean that it has.

        Args:
            quantity: a key of the ledger.

        Returns:
            One entry for a scalar, three (x, y, z) for a vector.

        Raises:
            KeyError: the ledger does not have the quantity.
        """
        entry = self.ledger[quantity]
        size = np.size(entry["grid"])
        return entry.get("conserved_components", [entry.get("conserved", True)] * size)

    @property
    def input(self) -> str:
        """The input of the run as TOML, with what ``--set`` changed."""
        return (self.directory / "input.toml").read_text()

    @property
    def snapshot_paths(self) -> list[Path]:
        """The files of the snapshots in the order of time."""
        return sorted(self.directory.glob("snapshot_*.phdf"))

    @functools.cached_property
    def snapshots(self) -> list[Snapshot]:
        """All snapshots in the order of time; their fields are read when they are asked for.

        Raises:
            ValueError: one of the files is damaged.
        """
        return [Snapshot(path) for path in self.snapshot_paths]

    @functools.cached_property
    def slices(self) -> list[SliceFile]:
        """All files of slices and projections in the order of time."""

        return [SliceFile(path) for path in self._by_step("slices")]

    @functools.cached_property
    def tracers(self) -> Tracers:
        """The tracer particles at all times at which they were written.

        Raises:
            FileNotFoundError: the run has none.
            ValueError: one of the files is damaged.
        """
        return Tracers(self._by_step("tracers"))

    def _by_step(self, kind: str) -> list[Path]:
        def step(path: Path) -> int:
            return int(path.stem.removeprefix(f"{kind}_"))

        return sorted(self.directory.glob(f"{kind}_*.h5"), key=step)
