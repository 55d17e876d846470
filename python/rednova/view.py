"""What a picture of a snapshot shows: a field in a plane or summed across it, in the frame of the grid or at rest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.colors import LogNorm, Normalize
from numpy.typing import ArrayLike, NDArray

from rednova import columns
from rednova.pictures import DECADES
from rednova.pixels import Slice, across
from rednova.quantities import Quantity, quantity
from rednova.snapshot import Snapshot

#: Normals of the planes that can be shown.
PLANES = {"xy": "z", "xz": "y", "yz": "x"}
FRAMES = ("corotating", "inertial")

Window = tuple[float, float, float, float]


@dataclass(frozen=True)
class View:
    """A choice of what is drawn of a snapshot.

    Attributes:
        field: one of the snapshot's `fields`.
        plane: "xy", "xz" or "yz", across whose normal the picture lies.
        at: where the plane cuts its normal, in code units.
        projection: sum along the normal, in place of a slice.
        xlim: range of the horizontal axis in code units; None: the domain's.
        ylim: range of the vertical axis; None: that of `xlim` if given, else the domain's.
        clim: range of the colours in the units of the scale; None: that of the values.
        scale: "log" or "linear"; None: by the values.
        colours: a map of matplotlib; None: the field's own.
        frame: "corotating", along the axes of the grid, or "inertial", turned by the grid's angle.
        arrows: velocities relative to the grid ("corotating") or at rest ("inertial"); None: none.
        roche: contours of the Roche potential, with L1, L2 and L3.
        stars: outlines of the stars by "density" or by "species"; None: none.
        star_density: of the outline, as a share of the largest density.
        mesh: the outlines of the blocks.
        pixels: along the longer side of the picture.
    """

    field: str = "density"
    plane: str = "xy"
    at: float = 0.0
    projection: bool = False
    xlim: tuple[float, float] | None = None
    ylim: tuple[float, float] | None = None
    clim: tuple[float, float] | None = None
    scale: str | None = None
    colours: str | None = None
    frame: str = "corotating"
    arrows: str | None = None
    roche: bool = False
    stars: str | None = None
    star_density: float = 1e-3
    mesh: bool = False
    pixels: int = 720

    @property
    def axis(self) -> str:
        """The normal of the plane."""
        return PLANES[self.plane]

    @property
    def name(self) -> str:
        """Of files: the field, the plane, and what else is not the default."""
        parts = [self.field, self.plane]
        parts += ["column"] if self.projection else []
        parts += [f"{self.axis}={self.at:g}"] if self.at else []
        parts += ["inertial"] if self.frame == "inertial" else []
        return "_".join(parts)

    def angle(self, snapshot: Snapshot) -> float:
        """By which the grid is turned against the picture's axes, in radians."""
        return snapshot.grid_angle if self.frame == "inertial" else 0.0

    def check(self) -> None:
        """ValueError for ranges that are empty and choices that exclude each other; names the option."""
        for name in ("xlim", "ylim", "clim"):
            limits = getattr(self, name)
            if limits is not None and not (np.all(np.isfinite(limits)) and limits[0] < limits[1]):
                raise ValueError(f"--{name} {limits[0]:g} {limits[1]:g} is empty: give the lower limit first")
        if self.clim is not None and self.scale == "log" and self.clim[0] <= 0:
            raise ValueError(f"--clim {self.clim[0]:g}: a logarithmic scale begins above 0; or give --linear")
        if self.projection and self.at:
            raise ValueError("--projection sums over all planes: leave out --at")
        if self.mesh and self.frame == "inertial" and self.plane != "xy":
            raise ValueError("--mesh: this plane cuts the turned blocks aslant; give --frame corotating")


def window_of(view: View, snapshot: Snapshot) -> Window:
    """(u lower, u upper, v lower, v upper) of the picture in code units.

    Raises:
        ValueError: it misses the domain.
    """
    low, high = snapshot.domain
    u, v = across(view.axis)
    horizontal = view.xlim or (low[u], high[u])
    vertical = view.ylim or view.xlim or (low[v], high[v])
    for name, (near, far), d in (("x", horizontal, u), ("y", vertical, v)):
        reach = np.hypot(*np.abs([low, high]).max(axis=0)[:2]) if view.frame == "inertial" and d < 2 else 0.0
        if far <= min(low[d], -reach) or near >= max(high[d], reach):
            raise ValueError(
                f"--{name}lim {near:g} {far:g} misses the domain of {snapshot.path}, "
                f"{'xyz'[d]} from {low[d]:g} to {high[d]:g}"
            )
    return tuple(float(x) for x in (*horizontal, *vertical))


def grid_points(view: View, snapshot: Snapshot, u: ArrayLike, v: ArrayLike) -> NDArray:
    """Points of the picture's plane along the grid's axes, [..., (x, y, z)]; of a sum, those of the middle plane."""
    place = [np.zeros(())] * 3
    for d, values in zip(across(view.axis), (u, v), strict=True):
        place[d] = np.asarray(values, dtype=float)
    place["xyz".index(view.axis)] = np.asarray(view.at)
    x, y, z = np.broadcast_arrays(*place)
    c, s = np.cos(view.angle(snapshot)), np.sin(view.angle(snapshot))
    return np.stack([c * x + s * y, c * y - s * x, z], axis=-1)


def picture_points(view: View, snapshot: Snapshot, points: NDArray) -> NDArray:
    """Points along the grid's axes [point, (x, y, z)] in the picture: [point, (u, v, along the normal)]."""
    c, s = np.cos(view.angle(snapshot)), np.sin(view.angle(snapshot))
    x, y, z = np.asarray(points, dtype=float).reshape(-1, 3).T
    turned = np.stack([c * x - s * y, s * x + c * y, z], axis=-1)
    return turned[:, [*across(view.axis), "xyz".index(view.axis)]]


def pixel_centres(window: Window, pixels: int) -> tuple[NDArray, NDArray]:
    """Middles of the pixels that tile a window, along u [u] and along v [v, 1]."""
    u, v = ((edges[1:] + edges[:-1]) / 2 for edges in columns.pixel_edges(window, pixels))
    return u, v[:, None]


def picture(view: View, snapshot: Snapshot, window: Window, field: str | None = None) -> Slice:
    """The pixels of a view, in code units: values of cells of a slice, exact means over the pixels of a sum.

    Of a sum along z in the inertial frame the pixels are looked up in one along the grid's axes that has twice as many.

    Args:
        view: what is shown.
        snapshot: of which.
        window: of the picture.
        field: in place of the view's.

    Raises:
        KeyError: there is no such field.
        ValueError: the plane misses the domain.
    """
    field = field or view.field
    angle = view.angle(snapshot)
    if view.projection:
        if angle != 0 and view.axis == "z":
            return _turned_column(view, snapshot, window, field)
        return columns.project(snapshot, field, view.axis, window, view.pixels, angle)
    if angle == 0:
        return snapshot.slice(field, view.axis, view.at, window, view.pixels)
    points = grid_points(view, snapshot, *pixel_centres(window, view.pixels))
    u, v = across(view.axis)
    image = snapshot.at(field, points)
    if np.all(np.isnan(image)):
        raise ValueError(f"{snapshot.path}: {view.axis} = {view.at:g} misses the domain: choose another --at")
    outlines = (
        snapshot.slice(field, "z", view.at, pixels=1).outlines if view.axis == "z" else np.empty((0, 3))
    )
    return Slice(image, window, ("xyz"[u], "xyz"[v]), outlines)


def _turned_column(view: View, snapshot: Snapshot, window: Window, field: str) -> Slice:
    points = grid_points(view, snapshot, *pixel_centres(window, view.pixels))[..., :2]
    corners = grid_points(view, snapshot, np.array(window[:2]), np.array(window[2:])[:, None]).reshape(-1, 3)
    low, high = corners[:, :2].min(axis=0), corners[:, :2].max(axis=0)
    finer = 2 * view.pixels * max(high - low) / max(window[1] - window[0], window[3] - window[2])
    whole = columns.project(snapshot, field, "z", (low[0], high[0], low[1], high[1]), round(finer))
    places = [
        np.clip((points[..., d] - low[d]) / (high[d] - low[d]) * n, 0, n - 1).astype(int)
        for d, n in ((1, whole.image.shape[0]), (0, whole.image.shape[1]))
    ]
    return Slice(whole.image[places[0], places[1]], window, ("x", "y"), whole.outlines)


def colour_scale(view: View, shown: Quantity, images: Iterable[NDArray]) -> tuple[Normalize, str]:
    """One scale for all pictures, and which ends of it values exceed, as matplotlib's colour bars call them.

    Raises:
        ValueError: there is nothing to show, or no positive value on a logarithmic scale.
    """
    ranges = []
    for image in images:
        known = image[np.isfinite(image)] * shown.factor
        positive = known[known > 0]
        if known.size:
            ranges.append((known.min(), known.max(), positive.min() if positive.size else np.inf))
    if not ranges:
        raise ValueError(f"{view.field}: no cell lies in the picture: choose other --xlim, --ylim or --at")
    low, high, least = (float(f(r)) for f, r in zip((min, max, min), zip(*ranges, strict=True), strict=True))
    bottom, top = view.clim or _limits(low, high, shown)
    lowest = least if low == 0 else low
    logarithmic = view.scale == "log" or (view.scale is None and _spans_decades(view, shown, lowest, high))
    if logarithmic and view.clim is None:
        if high <= 0:
            raise ValueError(
                f"{view.field}: no value is positive, as a logarithmic scale needs: give --linear"
            )
        bottom, top = max(least, high * 10.0**-DECADES), high
        bottom, top = (bottom, top) if bottom < 0.99 * top else (0.9 * bottom, 1.1 * top)
    below, above = low < bottom * (1 - 1e-12 * np.sign(bottom)), high > top
    ends = {(False, False): "neither", (True, False): "min", (False, True): "max", (True, True): "both"}
    norm = LogNorm(bottom, top) if logarithmic else Normalize(bottom, top)
    return norm, ends[bool(below), bool(above)]


def painted(image: NDArray, norm: Normalize) -> NDArray:
    """Pixels as they are given to matplotlib, which takes what has no logarithm for gaps: such values are below a
    logarithmic scale; nan, outside the domain, stays."""
    return np.where(image <= 0, norm.vmin / 2, image) if isinstance(norm, LogNorm) else image


def _limits(low: float, high: float, shown: Quantity) -> tuple[float, float]:
    """Of a linear scale: symmetric where signs matter, and never empty."""
    if shown.signed:
        low, high = -max(abs(low), abs(high)), max(abs(low), abs(high))
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        middle, half = (low + high) / 2, max(0.1 * abs(high), 1e-300)
        return middle - half, middle + half
    return low, high


def _spans_decades(view: View, shown: Quantity, low: float, high: float) -> bool:
    if shown.linear or (view.clim is not None and view.clim[0] <= 0):
        return False
    bottom, top = view.clim or (low, high)
    return bottom > 0 and top > 100 * bottom


def quantity_of(view: View, snapshots: Sequence[Snapshot]) -> Quantity:
    """How the field of a view is drawn, which all of its snapshots must have.

    Raises:
        KeyError: one of them has no such field; lists those that there are.
        ValueError: temperatures in kelvin of bare numbers, or snapshots with different units.
    """
    first, *others = [quantity(snapshot, view.field, view.projection) for snapshot in snapshots]
    for snapshot, other in zip(snapshots[1:], others, strict=True):
        # Constants of earlier versions may differ by less than a scale of colours shows.
        if other.label != first.label or not np.isclose(other.factor, first.factor, rtol=1e-3, atol=0):
            raise ValueError(
                f"{snapshots[0].path} and {snapshot.path} have different units of {view.field}: draw them apart"
            )
    return first
