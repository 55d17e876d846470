"""Snapshots: fields on the leaf blocks of the octree."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import ArrayLike, NDArray

from rednova import columns, sampling
from rednova.pixels import Slice, across, paint, shown

BOLTZMANN = 1.380649e-16  # erg/K, as in the program
ATOMIC_MASS = 1.66053906660e-24  # g

#: Short names of fields in the file.
ALIASES = {
    "density": "prim_density",
    "velocity_x": "prim_velocity_1",
    "velocity_y": "prim_velocity_2",
    "velocity_z": "prim_velocity_3",
    "pressure": "prim_pressure",
    "energy": "cons_total_energy_density",
}


@dataclass(frozen=True)
class Units:
    """Code units in cgs: a quantity in code units times its unit is in cgs.

    Attributes:
        length: cm.
        mass: g.
        time: s.
    """

    length: float
    mass: float
    time: float

    @property
    def velocity(self) -> float:
        """cm/s."""
        return self.length / self.time

    @property
    def density(self) -> float:
        """g/cm³."""
        return self.mass / self.length**3

    @property
    def pressure(self) -> float:
        """dyn/cm², which is also erg/cm³."""
        return self.density * self.velocity**2


def read_header(path: Path, is_none: str, read: Callable[[h5py.File], None]) -> None:
    """Calls `read` with the open file; what is wrong with a file is said by its path, and by `is_none`."""
    try:
        with h5py.File(path) as file:
            read(file)
    except FileNotFoundError:
        raise FileNotFoundError(f"{path}: there is no such file") from None
    except (OSError, KeyError) as error:
        raise ValueError(f"{path}: {is_none}: {error}") from None


class Snapshot:
    """A snapshot_NNNNN.phdf: ``snapshot["density"]`` is a field on all leaf blocks.

    Args:
        path: of the file.

    Attributes:
        path: the same.
        time: when it was taken, in code units.
        step: its number.
        dt: length of the time step then, in code units.
        orbits: turns of the two stars, else of the grid.
        rotation: the grid's angular velocity about z.
        grid_angle: by which the grid has turned since time 0, in radians.
        units: code units in cgs.
        unit_system: "solar" or "code".
        ideal: whether its gas is ideal.
        gamma: ratio of specific heats.
        mu: mean molecular weight that temperatures of ideal gas are for; nan where it differs from cell to cell and is
            a field.
        species: names of the passive species.
        stored_fields: names of the datasets.
        edge: cells along an edge of a block.
        level: [block].
        lower: [block, 3], the lower corner (x, y, z).
        width: [block], of a cell.
        domain: lower and upper corner, each (x, y, z).
        point_masses: [point, 8]: mass, softening, position (x, y, z) along the grid's axes and velocity of the inertial
            frame along them.
        version: of the program.
        commit: of the program.
        input: of the run, as TOML.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is no snapshot of Rednova, or it is truncated.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        read_header(self.path, "is no snapshot of rednova, or a truncated one", self._read_header)

    def _read_header(self, file: h5py.File) -> None:
        info, params, own = file["Info"].attrs, file["Params"].attrs, file["Rednova"].attrs
        self.time, self.step, self.dt = float(info["Time"]), int(info["NCycle"]), float(info["dt"])
        self.orbits, self.rotation = float(own["orbits"]), float(own["rotation"])
        # Earlier files are of grids whose rotation did not change.
        self.grid_angle = float(own.get("grid_angle", self.rotation * self.time))
        self.units = Units(*(float(params[f"Hydro/code_{q}_cgs"]) for q in ("length", "mass", "time")))
        self.unit_system = str(own["unit_system"])
        self.gamma, self.mu = float(params["Hydro/AdiabaticIndex"]), float(params["Hydro/mu"])
        self.version, self.commit = str(own["version"]), str(own["commit"])
        self.input = file["Rednova/input"][()].decode()
        self.ideal = tomllib.loads(self.input).get("eos", {}).get("model", "ideal") == "ideal"
        self._electron_fraction = float(own.get("electron_fraction", np.nan))
        self.species = [str(name) for name in own["species"]]
        self.stored_fields = [str(name) for name in info["OutputDatasetNames"]]
        faces = [file["Locations"][d][:] for d in "xyz"]
        self.edge = faces[0].shape[1] - 1
        self.level = file["Levels"][:]
        self.lower = np.stack([f[:, 0] for f in faces], axis=1)
        self.width = (faces[0][:, -1] - faces[0][:, 0]) / self.edge
        points = file["Rednova"].get("point_masses")
        self.point_masses = np.empty((0, 8)) if points is None else points[:].reshape(-1, 8)
        box = info["RootGridDomain"]
        self.domain = (np.array(box[0::3]), np.array(box[1::3]))

    @property
    def base_blocks(self) -> NDArray:
        """How many blocks of level 0 fill the domain along x, y and z."""
        low, high = self.domain
        return np.rint((high - low) / (self.edge * self.width[0] * 2.0 ** self.level[0])).astype(np.int64)

    @property
    def has_kelvin(self) -> bool:
        """Whether its temperatures are in kelvin: gas that is not ideal has them whatever the units are."""
        return self.unit_system == "solar" or not self.ideal

    @property
    def fields(self) -> list[str]:
        """Names that `read` knows: those in the file, short names for some of them, and derived ones."""
        short = [name for name, stored in ALIASES.items() if stored in self.stored_fields]
        derived = [name for name in self._derived if self._can_derive(name)]
        return [*self.stored_fields, *short, *derived]

    def _can_derive(self, name: str) -> bool:
        """Whether the file, which may hold chosen fields alone, has what a derived field is made of."""
        if name == "specific_internal_energy" and "internal_energy_density" in self.stored_fields:
            return "prim_density" in self.stored_fields
        if name in self._constants:
            return not np.isnan(self._constants[name](self)) and name not in self.stored_fields
        if name in ("temperature", "specific_internal_energy") and not self.ideal:
            return False
        return all(ALIASES.get(part, part) in self.stored_fields for part in self._made_of[name])

    def unit(self, field: str) -> str:
        """The unit of a field, such as "mass/length^3"; "K" of temperatures, "1" of pure numbers, such as a stored
        temperature where there is no kelvin.

        Raises:
            KeyError: there is no such field; lists those that there are.
        """
        name = ALIASES.get(field, field)
        if name in self.stored_fields:
            with h5py.File(self.path) as file:
                stored = str(file[name].attrs["units"])
            return "1" if stored == "K" and not self.has_kelvin else stored
        if name not in self.fields:
            raise KeyError(f"{self.path}: no field '{field}'; there are {', '.join(self.fields)}")
        units = {"temperature": "K", "specific_internal_energy": "length^2/time^2"} | dict.fromkeys(
            self._constants, "1"
        )
        return units.get(name, "length/time")

    @property
    def cell_volume(self) -> NDArray:
        """Volume of a block's cells in code units, [block, 1, 1, 1]."""
        return (self.width**3)[:, None, None, None]

    def centres(self, blocks: ArrayLike | slice = slice(None)) -> tuple[NDArray, NDArray, NDArray]:
        """Cell centres x, y, z in code units.

        Args:
            blocks: numbers of blocks; all by default.

        Returns:
            Three arrays that broadcast to [block, z, y, x].
        """
        offset = np.arange(self.edge) + 0.5
        x, y, z = (self.lower[blocks, d, None] + self.width[blocks, None] * offset for d in range(3))
        return x[:, None, None, :], y[:, None, :, None], z[:, :, None, None]

    def read(self, field: str, blocks: ArrayLike | slice = slice(None)) -> NDArray:
        """A field on some blocks.

        Velocities are inertial, with components along the grid's rotating axes; velocity_rotating_x and _y, and
        speed_rotating, are relative to the grid.

        Args:
            field: one of `fields`.
            blocks: ascending numbers of blocks; all by default.

        Returns:
            [block, z, y, x], in code units; temperature in K. Numbers are double, whatever the file's precision.

        Raises:
            KeyError: there is no such field; lists those that there are.
        """
        name = ALIASES.get(field, field)
        if name in self._derived and name not in self.stored_fields and self._can_derive(name):
            return self._derived[name](self, blocks)
        if name not in self.stored_fields:
            raise KeyError(f"{self.path}: no field '{field}'; there are {', '.join(self.fields)}")
        with h5py.File(self.path) as file:
            return file[name][blocks].astype(float, copy=False)

    def __getitem__(self, field: str) -> NDArray:
        """The field on all blocks, as `read` gives it."""
        return self.read(field)

    def total(self, field: str) -> float:
        """Sum of a density over the domain: its amount, in code units."""
        return float(np.sum(self.cell_volume * self.read(field)))

    def slice(
        self,
        field: str,
        axis: str = "z",
        at: float = 0.0,
        window: tuple[float, float, float, float] | None = None,
        pixels: int = 800,
    ) -> Slice:
        """The plane `axis` = `at`, each pixel with its cell's value.

        Args:
            field: one of `fields`.
            axis: the normal of the plane, "x", "y" or "z".
            at: where the plane cuts this axis, in code units.
            window: (u lower, u upper, v lower, v upper) in code units; the whole domain by default. u and v are the
                other two axes in their order.
            pixels: along the longer side.

        Raises:
            KeyError: there is no such field.
            ValueError: the plane misses the domain, or there is no such axis.
        """
        normal = "xyz".index(axis)
        u, v = across(axis)
        low, high = self.domain
        if not low[normal] <= at < high[normal]:
            raise ValueError(
                f"{self.path}: {axis} = {at:g} misses the domain, {low[normal]:g} to {high[normal]:g}"
            )
        window = window or (low[u], high[u], low[v], high[v])
        size = self.width * self.edge
        cut = (self.lower[:, normal] <= at) & (at < self.lower[:, normal] + size)
        blocks = np.flatnonzero(cut & shown(self.lower[:, [u, v]], size, window))
        layer = ((at - self.lower[blocks, normal]) / self.width[blocks]).astype(int).clip(0, self.edge - 1)
        values = np.moveaxis(self.read(field, blocks), 3 - normal, 1)[np.arange(len(blocks)), layer]
        return paint(values, self.lower[blocks][:, [u, v]], self.width[blocks], axis, window, pixels)

    def at(self, field: str, points: ArrayLike) -> NDArray:
        """The values of the cells in which points lie.

        Args:
            field: one of `fields`.
            points: [..., (x, y, z)] along the grid's axes, in code units.

        Returns:
            [...]; nan outside the domain.

        Raises:
            KeyError: there is no such field.
        """
        return sampling.Sampler(self, np.asarray(points, dtype=float))(field)

    def projection(
        self,
        field: str = "density",
        axis: str = "z",
        window: tuple[float, float, float, float] | None = None,
        pixels: int = 800,
    ) -> Slice:
        """The integral of a mass density along an axis, or the mean of another field weighted by density.

        Pixels have the exact mean over their area, so that pixel area times the sum of an image of the whole domain is
        its mass, to rounding; they are as near to squares as an even division of the window makes them.

        Args:
            field: one of `fields`.
            axis: "x", "y" or "z".
            window: (u lower, u upper, v lower, v upper) in code units; the whole domain by default.
            pixels: along the longer side.

        Raises:
            KeyError: there is no such field.
        """
        low, high = self.domain
        u, v = across(axis)
        return columns.project(self, field, axis, window or (low[u], high[u], low[v], high[v]), pixels)

    def _internal_energy(self, blocks: Any) -> NDArray:
        stored = "internal_energy_density"  # of gas that is not ideal
        if stored in self.stored_fields:
            return self.read(stored, blocks)
        return self.read("pressure", blocks) / (self.gamma - 1)

    def _temperature(self, blocks: Any) -> NDArray:
        speed_squared = self.read("pressure", blocks) / self.read("density", blocks) * self.units.velocity**2
        return self.mu * ATOMIC_MASS / BOLTZMANN * speed_squared

    def _speed(self, blocks: Any) -> NDArray:
        return np.sqrt(sum(self.read(f"velocity_{d}", blocks) ** 2 for d in "xyz"))

    def _speed_rotating(self, blocks: Any) -> NDArray:
        parts = ("velocity_rotating_x", "velocity_rotating_y", "velocity_z")
        return np.sqrt(sum(self.read(part, blocks) ** 2 for part in parts))

    def _filled(self, value: float, blocks: Any) -> NDArray:
        cells = (self.edge,) * 3
        return np.full((len(self.level[blocks]), *cells), value)

    _constants = {  # noqa: RUF012 (a table of functions, never written to)
        "mean_molecular_weight": lambda s: s.mu,
        "electron_fraction": lambda s: s._electron_fraction,
    }
    _made_of = {  # noqa: RUF012 (a table, never written to)
        "temperature": ["pressure", "density"],
        "speed": ["velocity_x", "velocity_y", "velocity_z"],
        "speed_rotating": ["velocity_x", "velocity_y", "velocity_z"],
        "velocity_rotating_x": ["velocity_x"],
        "velocity_rotating_y": ["velocity_y"],
        "specific_internal_energy": ["pressure", "density"],
    }
    _derived = {  # noqa: RUF012 (a table of functions, never written to)
        "temperature": _temperature,
        "speed": _speed,
        "speed_rotating": _speed_rotating,
        "velocity_rotating_x": lambda s, b: s.read("velocity_x", b) + s.rotation * s.centres(b)[1],
        "velocity_rotating_y": lambda s, b: s.read("velocity_y", b) - s.rotation * s.centres(b)[0],
        "specific_internal_energy": lambda s, b: s._internal_energy(b) / s.read("density", b),
        "mean_molecular_weight": lambda s, b: s._filled(s.mu, b),
        "electron_fraction": lambda s, b: s._filled(s._electron_fraction, b),
    }
