"""Slices and projections that a run wrote at a cadence of their own: [output] slices and projections."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np

from rednova.pixels import Slice, across, paint, shown
from rednova.snapshot import ALIASES, Units, read_header


class SliceFile:
    """A slices_NNNNNN.h5.

    Attributes:
        time, step, orbits: when it was taken; time in code units.
        units: code units in cgs. unit_system: "solar" or "code". rotation: the grid's angular velocity about z.
        grid_angle: by which the grid has turned since time 0, in radians.
        slices, projections: what the file holds, as the input names it: ["z", "x=0.5"].
        fields: names of the fields.
        domain: ((x, y, z) lower, (x, y, z) upper).
        version, commit, input: where the file comes from.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it holds no slices of Rednova, or it is truncated.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        read_header(self.path, "holds no slices of rednova, or is truncated", self._read_header)

    def _read_header(self, file: h5py.File) -> None:
        about = file.attrs
        file.attrs["slices_format"]
        self.time, self.step = float(about["time"]), int(about["step"])
        self.orbits, self.rotation = float(about["orbits"]), float(about["rotation"])
        self.grid_angle = float(about.get("grid_angle", self.rotation * self.time))
        self.units = Units(*(float(about[f"code_{q}_cgs"]) for q in ("length", "mass", "time")))
        self.unit_system = str(about["unit_system"])
        self.version, self.commit = str(about["version"]), str(about["commit"])
        self.input = file["input"][()].decode()
        self.fields = [str(name) for name in about["fields"]]
        self.slices, self.projections = list(file["slices"]), list(file["projections"])
        self.domain = (np.array(about["domain_lower"]), np.array(about["domain_upper"]))

    def slice(
        self,
        field: str = "density",
        plane: str = "z",
        window: tuple[float, float, float, float] | None = None,
        pixels: int = 800,
    ) -> Slice:
        """A plane as pixels, of cells that are the run's own. `plane` as the input names it.

        window: (u lower, u upper, v lower, v upper) in code units, the whole domain by default; pixels: along the
        longer side. Raises KeyError that lists what there is.
        """
        return self._image("slices", plane, field, window, pixels)

    def projection(
        self,
        field: str = "density",
        axis: str = "z",
        window: tuple[float, float, float, float] | None = None,
        pixels: int = 800,
    ) -> Slice:
        """The integral of a density along an axis, or the mean of another field weighted by density, as pixels, each as
        fine as the finest cell of its column."""
        return self._image("projections", axis, field, window, pixels)

    def unit(self, field: str, kind: str = "slices") -> str:
        """The unit of a field in `kind`, "slices" or "projections", such as "mass/length^2"."""
        name = ALIASES.get(field, field)
        with h5py.File(self.path) as file:
            return str(file[kind][getattr(self, kind)[0]][name].attrs["units"])

    def _image(self, kind: str, plane: str, field: str, window: tuple | None, pixels: int) -> Slice:
        name = ALIASES.get(field, field)
        if plane not in getattr(self, kind):
            raise KeyError(
                f"{self.path}: no {plane!r} in its {kind}; there are {', '.join(getattr(self, kind))}"
            )
        if name not in self.fields:
            raise KeyError(f"{self.path}: no field {field!r}; there are {', '.join(self.fields)}")
        with h5py.File(self.path) as file:
            sheet = file[kind][plane]
            axis = str(sheet.attrs["axis"])
            low, high = (corner[list(across(axis))] for corner in self.domain)
            window = window or (low[0], high[0], low[1], high[1])
            lower, width, values = (
                sheet["lower"][:],
                sheet["width"][:],
                sheet[name][:].astype(float, copy=False),
            )
        seen = shown(lower, width * values.shape[-1], window)
        return paint(values[seen], lower[seen], width[seen], axis, window, pixels)
