"""A snapshot on the sky of an observer: the direction, rays as fine as the cells that are seen, and their sums."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rednova.lightcurve import band
from rednova.lightcurve.medium import Medium
from rednova.lightcurve.rays import Seen, Tree, trace
from rednova.pixels import Slice

Frame = tuple[NDArray, NDArray, NDArray]


def direction_of(text: str) -> NDArray:
    """The unit vector towards an observer at rest: of "x", "-z", "theta,phi" in degrees from the axes z and x, or
    "x,y,z".

    Raises:
        ValueError: it is none of these, or its length is zero.
    """
    axis = re.fullmatch(r"([+-]?)([xyz])", text.strip())
    if axis:
        return np.eye(3)["xyz".index(axis[2])] * (-1 if axis[1] == "-" else 1)
    try:
        numbers = np.array([float(part) for part in text.split(",")])
    except ValueError:
        numbers = np.empty(0)
    if len(numbers) not in (2, 3) or not np.all(np.isfinite(numbers)):
        raise ValueError(f"{text!r} is no direction: give an axis (x, -z), theta,phi in degrees, or x,y,z")
    if len(numbers) == 2:
        theta, phi = np.radians(numbers)
        numbers = np.array([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)])
    largest = np.max(np.abs(numbers))
    if largest == 0:
        raise ValueError(f"{text!r} is no direction: its length is zero")
    numbers = numbers / largest  # no square of it overflows
    return numbers / np.linalg.norm(numbers)


def frame_of(direction: NDArray, grid_angle: float) -> Frame:
    """To the right and up on the sky, and towards the observer, along the axes of a grid that has turned.

    Up is the projection of the axis z; for observers on it the axis y.
    """
    up = np.array([0.0, 0.0, 1.0]) - direction[2] * direction
    length = np.linalg.norm(up)
    up = up / length if length > 1e-9 else np.array([0.0, 1.0, 0.0])
    c, s = np.cos(grid_angle), np.sin(grid_angle)
    turn = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    return tuple(clean(turn @ axis) for axis in (np.cross(up, direction), up, direction))


def clean(axis: NDArray) -> NDArray:
    """A unit vector without components that are rounding."""
    axis = np.where(np.abs(axis) < 1e-12, 0.0, axis)
    return axis / np.linalg.norm(axis)


@dataclass(frozen=True)
class Sky:
    """The intensities that an observer sees, in squares that tile what the domain covers of the sky.

    Attributes:
        medium: of the snapshot.
        place: [square, (right, up)], the middles, from the middle of the domain in code units.
        size: [square], the edges.
        seen: what the ray through each middle brings.
    """

    medium: Medium
    place: NDArray
    size: NDArray
    seen: Seen

    @property
    def luminosity(self) -> float:
        """That an observer infers who takes the light for the same in all directions: 4π ∫ I dA, in code units."""
        return float(4 * np.pi * np.sum(self.seen.intensity * self.size**2))

    @property
    def opaque(self) -> NDArray:
        """Share of a black body's light that each square sends, 1 - exp(-depth)."""
        return -np.expm1(-self.seen.depth)

    @property
    def area(self) -> float:
        """Visible area: ∫ (1 - exp(-depth)) dA, which of an opaque ball is πR²; in code units."""
        return float(np.sum(self.opaque * self.size**2))

    @property
    def colours(self) -> NDArray:
        """Temperatures of the black bodies that shine as the sources on each ray do; 0 where there is nothing."""
        opaque = self.opaque
        source = np.divide(self.seen.intensity, opaque, out=np.zeros(len(opaque)), where=opaque > 0)
        return self.medium.temperature(source)

    @property
    def colour_temperature(self) -> float:
        """Mean of the colours weighted by intensity; nan where nothing shines."""
        weight = self.seen.intensity * self.size**2
        total = np.sum(weight)
        return float(np.sum(weight * self.colours) / total) if total > 0 else np.nan

    @property
    def effective_temperature(self) -> float:
        """T of L = 4πR²σT⁴ with the radius of the visible area; nan where nothing is seen."""
        if self.area == 0:
            return np.nan
        return float(self.medium.temperature(np.array(self.luminosity / (4 * np.pi * self.area))))

    @property
    def blurred(self) -> float:
        """Share of the light that comes from cells with an optical depth above 1, which do not resolve where it
        leaves the gas."""
        total = np.sum(self.seen.intensity * self.size**2)
        return float(np.sum(self.seen.blurred * self.size**2) / total) if total > 0 else np.nan

    def magnitude(self, distance: float) -> float:
        """In Cousins' I at a distance in pc, each ray as a black body of its colour; for units that have a size."""
        square = (self.size * self.medium.snapshot.units.length) ** 2
        return band.magnitude(self.colours, self.opaque * square, distance)

    def image(self, pixels: int) -> Slice:
        """The intensity of the part of the sky that shines with a ten-thousandth of the brightest square or more, with
        a margin of a tenth; so many pixels along the longer side."""
        bright = self.seen.intensity > 1e-4 * np.max(self.seen.intensity)
        bright = bright if np.any(bright) else np.ones(len(bright), dtype=bool)
        half = self.size[bright, None] / 2
        low, high = (self.place[bright] - half).min(axis=0), (self.place[bright] + half).max(axis=0)
        middle, reach = (low + high) / 2, 0.6 * (high - low)
        low, high = middle - reach, middle + reach
        pixel = np.max(high - low) / pixels
        count = np.maximum(1, np.rint((high - low) / pixel).astype(int))
        right, up = (low[d] + (high[d] - low[d]) * (np.arange(count[d]) + 0.5) / count[d] for d in range(2))
        values = self.at(np.stack(np.meshgrid(right, up), axis=-1).reshape(-1, 2))
        extent = (float(low[0]), float(high[0]), float(low[1]), float(high[1]))
        return Slice(values.reshape(count[1], count[0]), extent, ("right", "up"), np.empty((0, 3)))

    def at(self, points: NDArray) -> NDArray:
        """Intensity at points of the sky, [point, (right, up)]; nan beside it."""
        found = np.full(len(points), np.nan)
        for size in np.unique(self.size):
            own = np.flatnonzero(self.size == size)
            keys = lattice_number(np.rint(self.place[own] / size - 0.5).astype(np.int64))
            order = np.argsort(keys)
            wanted = lattice_number(np.floor(points / size).astype(np.int64))
            near = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), len(order) - 1)]
            hit = keys[near] == wanted
            found[hit] = self.seen.intensity[own[near[hit]]]
        return found


def lattice_number(place: NDArray) -> NDArray:
    """One number for each place [square, (right, up)] of a lattice, negative ones included."""
    return (place[:, 1] << 32) + place[:, 0]


def look(medium: Medium, tree: Tree, frame: Frame, rays: int = 1) -> Sky:
    """What an observer sees of a snapshot.

    Squares begin with the width of the coarsest cells. Those whose ray meets a block of finer cells that is not hidden
    are divided in four, and so are their neighbours, because blocks reach beside the rays; up to the finest cells.

    Args:
        medium: the cells.
        tree: of the snapshot.
        frame: as `frame_of` gives it.
        rays: along the width of a cell.
    """
    snapshot = medium.snapshot
    low, high = snapshot.domain
    right, up, towards = frame
    first, last = int(snapshot.level.min()), int(snapshot.level.max())
    size = float(snapshot.width.max()) / rays
    # An even number of squares, so that their edges are those of the cells for observers on an axis.
    reach = [int(np.ceil(np.abs(axis) @ (high - low) / 2 / size - 1e-9)) for axis in (right, up)]
    across = np.meshgrid(*(np.arange(-n, n) for n in reach))
    places = np.stack(across, axis=-1).reshape(-1, 2)
    origin = (low + high) / 2 + towards * np.linalg.norm(high - low)
    middles, sizes, brought = [], [], []
    for level in range(first, last + 1):
        middle = (places + 0.5) * size
        seen = trace(medium, tree, origin + middle[:, :1] * right + middle[:, 1:] * up, -towards)
        divide = spread(places, seen.finest > level)
        middles.append(middle[~divide])
        sizes.append(np.full(np.sum(~divide), size))
        brought.append([getattr(seen, name)[~divide] for name in Seen.__dataclass_fields__])
        places = (2 * places[divide, None, :] + np.array(list(np.ndindex(2, 2)))).reshape(-1, 2)
        size /= 2
    seen = Seen(*(np.concatenate(part) for part in zip(*brought, strict=True)))
    return Sky(medium, np.concatenate(middles), np.concatenate(sizes), seen)


def spread(places: NDArray, chosen: NDArray) -> NDArray:
    """Which squares of a lattice are chosen, or have one that is beside them or at a corner."""
    around = places[chosen][:, None, :] + (np.array(list(np.ndindex(3, 3))) - 1)
    return np.isin(lattice_number(places), lattice_number(around.reshape(-1, 2)))
