"""history.csv: what a run did, step by step."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_UNIT = re.compile(r"1 (?P<name>\S+) = (?P<value>\S+) (?P<cgs>cm|g|s)(?:,|$)")


def pair_rows(history: Mapping[str, NDArray] | History) -> NDArray:
    """The rows that show two stars. Single ones between them may show one, where a lobe was not found: it is after the
    last of these rows that a pair has merged, see `merged_at`."""
    return np.flatnonzero(history["stars"] == 2)


def merged_at(history: Mapping[str, NDArray] | History) -> int | None:
    """The row from which on two stars are one; None where the last row shows two, and where none does."""
    pair = pair_rows(history)
    return int(pair[-1]) + 1 if len(pair) and pair[-1] + 1 < len(history["stars"]) else None


class History:
    """The table of a run: ``history["separation"]`` is a column, ``len(history)`` the number of rows.

    Args:
        path: of the history.csv.

    Attributes:
        path: the same.
        version: of the program that wrote it, with its commit.
        data: structured array, a row for each entry of the file, a field for each column.
        units: column name → unit, in code units ("1" for pure numbers).
        cgs: "length", "mass", "time" → the code unit in cm, g, s.
        input: the run's input as TOML.

    Raises:
        ValueError: the file is no history of Rednova, or a row does not fit its header; with file and line.
        OSError: it cannot be read.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        lines = self.path.read_text().splitlines()
        comments = [line for line in lines if line.startswith("#")]
        if not comments or not comments[0].startswith("# rednova"):
            raise ValueError(f"{self.path}: is no history of rednova: its first line does not say so")
        self.version = comments[0].removeprefix("# rednova").strip()
        kinds = {"cm": "length", "g": "mass", "s": "time"}
        self.cgs = {kinds[m["cgs"]]: float(m["value"]) for m in _UNIT.finditer(comments[1])}
        if len(self.cgs) != len(kinds):
            raise ValueError(f"{self.path}, line 2: the values of the code units are missing")
        self.input = "\n".join(line.removeprefix("#").removeprefix("   ") for line in comments[2:]) + "\n"
        self.data, self.units = self._table(lines, len(comments))

    def _table(self, lines: list[str], first: int) -> tuple[NDArray, dict[str, str]]:
        if first >= len(lines):
            raise ValueError(f"{self.path}: has no header of columns")
        columns = re.findall(r"(\w+) \[([^\]]*)\]", lines[first])
        rows = []
        for number, line in enumerate(lines[first + 1 :], first + 2):
            try:
                row = tuple(float(x) for x in line.split(","))
            except ValueError as error:
                raise ValueError(f"{self.path}, line {number}: {error}") from None
            if len(row) != len(columns):
                raise ValueError(f"{self.path}, line {number}: {len(row)} values for {len(columns)} columns")
            rows.append(row)
        return np.array(rows, dtype=[(name, float) for name, _ in columns]), dict(columns)

    def __getitem__(self, column: str) -> NDArray:
        """A column, [row], in code units.

        Raises:
            KeyError: there is no such column; lists those that there are.
        """
        if column not in self.units:
            raise KeyError(f"no column '{column}'; there are {', '.join(self.units)}")
        return self.data[column]

    def __len__(self) -> int:
        return len(self.data)

    @property
    def two_stars(self) -> bool:
        """Whether the table ever shows two stars; their columns are nan after a merger."""
        return len(self) > 0 and bool(np.any(self["separation"] > 0))

    @property
    def knows_flow(self) -> bool:
        """Whether the table has the angular momentum of the momenta alone; those of old versions do not."""
        return "flow_angular_momentum_z" in self.units

    @property
    def is_driven(self) -> bool:
        """Whether driving has changed the angular momentum (z)."""
        return bool(np.any(self._driven))

    @property
    def _driven(self) -> NDArray | float:
        """Angular momentum (z) that driving has added, [row]."""
        name = "driven_angular_momentum_z"
        return self[name] if name in self.units else 0.0

    @property
    def all_angular_momentum(self) -> NDArray:
        """Angular momentum (z), plus what left the domain, less what driving has added; [row]."""
        return self["angular_momentum_z"] + self["outflow_angular_momentum_z"] - self._driven

    @property
    def flow_angular_momentum(self) -> NDArray:
        """Angular momentum (z) of the momenta alone, sum V x × s, plus what left the domain, less what driving has
        added; [row]. It changes by the flow's drift.

        What adapting the mesh moved to the flow from the cells' spin is subtracted, unless cells keep no spin
        (`hydro.spin = false`): then that changes the flow for good, and counts.
        """
        kept = self["flow_angular_momentum_z"] + self["outflow_flow_angular_momentum_z"] - self._driven
        return kept if self["cell_spin_z"][-1] == 0 else kept - self["regrid_flow_angular_momentum_z"]

    @property
    def knows_lobes(self) -> bool:
        """Whether the table has masses in Roche lobes; not for a lone star, nor in tables of old versions."""
        return (
            self.two_stars and "lobe_mass_donor" in self.units and bool(np.any(self["lobe_mass_donor"] > 0))
        )
