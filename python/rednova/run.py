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


class Run:
    """What `rednova run` left in a directory; files are read when they are first asked for.

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
        return History(self.directory / "history.csv")

    @functools.cached_property
    def ledger(self) -> dict[str, Any]:
        """Quantity → grid, outflow, floors, regrid, remainder, relative …; `run` says where it comes from."""
        return json.loads((self.directory / "ledger.json").read_text())

    @functools.cached_property
    def profile(self) -> Profile:
        """Where the time of the last start or restart went."""
        return Profile(self.directory)

    def conserved(self, quantity: str) -> list[bool]:
        """Whether a quantity of the ledger, or each component of a vector, has a conservation law in this box.

        Where not, its remainder is no error. Ledgers that do not say (of old versions) mean that it has.
        """
        entry = self.ledger[quantity]
        size = np.size(entry["grid"])
        return entry.get("conserved_components", [entry.get("conserved", True)] * size)

    @property
    def input(self) -> str:
        return (self.directory / "input.toml").read_text()

    @functools.cached_property
    def snapshots(self) -> list[Snapshot]:
        """All snapshots in the order of time."""
        return [Snapshot(path) for path in sorted(self.directory.glob("snapshot_*.phdf"))]

    @functools.cached_property
    def slices(self) -> list[SliceFile]:
        """All files of slices and projections in the order of time."""

        def step(path: Path) -> int:
            return int(path.stem.removeprefix("slices_"))

        return [SliceFile(path) for path in sorted(self.directory.glob("slices_*.h5"), key=step)]
