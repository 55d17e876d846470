"""Tracer particles: where gas came from, and what it went through ([tracers])."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np

from rednova.snapshot import ALIASES, Units, read_header


class Tracers:
    """The tracers_NNNNNN.h5 of a run: each particle at each record, in the order of time.

    Args:
        paths: the files, by their steps.

    Attributes:
        time, step, orbits, grid_angle: of the records [record]; time in code units, the angle in radians.
        left: when each particle left the domain [particle]; infinity of those that have not by the last record.
        fields: names of the fields of the gas.
        units: code units in cgs.

    Raises:
        FileNotFoundError: there is no file: the run has no tracers.
        ValueError: one is truncated, or holds no tracers of Rednova.
    """

    def __init__(self, paths: list[Path]) -> None:
        if not paths:
            raise FileNotFoundError("this run has no tracers: set tracers.count in its input")
        self._paths = paths
        rows: list[tuple[int, float, float, float]] = []
        for path in paths:
            read_header(
                path,
                "holds no tracers of rednova, or is truncated",
                lambda file: rows.append(self._read_header(file)),
            )
        step, time, orbits, angle = zip(*rows, strict=True)
        self.step = np.array(step)
        self.time, self.orbits, self.grid_angle = (np.array(x) for x in (time, orbits, angle))
        self.left = self._read(paths[-1], "left")

    def _read_header(self, file: h5py.File) -> tuple[int, float, float, float]:
        about = file.attrs
        file.attrs["tracers_format"]
        self.fields = [str(name) for name in about["fields"]]
        self.units = Units(*(float(about[f"code_{q}_cgs"]) for q in ("length", "mass", "time")))
        return int(about["step"]), float(about["time"]), float(about["orbits"]), float(about["grid_angle"])

    def __len__(self) -> int:
        """How many particles there are."""
        return len(self.left)

    def __getitem__(self, name: str) -> np.ndarray:
        """A quantity [record, particle], NaN where a particle has left.

        Args:
            name: "position" or "velocity" ([record, particle, 3], in the inertial frame), "unbound" (1, 0, -1 where
                it has left), or one of `fields`, also in short such as "density".

        Raises:
            KeyError: with the names that there are.
        """
        dataset = ALIASES.get(name, name)
        known = ["position", "velocity", "unbound", *self.fields]
        if dataset not in known:
            raise KeyError(f"tracers have no {name!r}; there are {', '.join(known)}")
        return np.array([self._read(path, dataset) for path in self._paths])

    @property
    def grid_position(self) -> np.ndarray:
        """Positions along the grid's axes [record, particle, 3]."""
        position = self["position"]
        cosine, sine = np.cos(self.grid_angle)[:, None], np.sin(self.grid_angle)[:, None]
        x, y = position[..., 0], position[..., 1]
        return np.stack([cosine * x + sine * y, cosine * y - sine * x, position[..., 2]], axis=-1)

    @staticmethod
    def _read(path: Path, dataset: str) -> np.ndarray:
        with h5py.File(path) as file:
            return file[dataset][:]
