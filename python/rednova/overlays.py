"""What can be laid over a picture: velocities, Roche contours, outlines of stars, point masses, the mesh."""

from __future__ import annotations

import itertools

import matplotlib.patheffects as effects
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.transforms import Affine2D
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from rednova.pictures import length_label
from rednova.pixels import Slice
from rednova.quantities import quantity
from rednova.roche import RocheModel
from rednova.sampling import Sampler
from rednova.snapshot import Snapshot
from rednova.view import View, Window, grid_points, picture_points, pixel_centres

ARROWS = 25  # along the longer side
DENSE = 1e-4  # of the largest density: thinner gas gets no arrows
#: A light line with a dark edge is seen on all maps of colours, also in grey.
EDGED = [effects.withStroke(linewidth=2.2, foreground="black", alpha=0.7)]
LINE = {"colors": "white", "linewidths": 0.8}
STAR_COLOURS = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7")  # of Okabe and Ito: distinct to the colour-blind


def draw_blocks(axes: Axes, piece: Slice, angle: float = 0.0) -> None:
    """Outlines of the leaf blocks, thinner where there are many; turned by an angle."""
    segments = []
    for u, v, edge in piece.outlines:
        segments.append([(u, v), (u + edge, v), (u + edge, v + edge), (u, v + edge), (u, v)])
    width = float(np.clip(8 / np.sqrt(len(segments) + 1), 0.15, 0.6))
    lines = LineCollection(segments, colors="white", alpha=0.35, linewidths=width)
    lines.set_transform(Affine2D().rotate(angle) + axes.transData)
    axes.add_collection(lines, autolim=False)


def velocities(view: View, snapshot: Snapshot, window: Window) -> tuple[NDArray, NDArray, NDArray, NDArray]:
    """u, v and the components of the gas's velocity along them at points of the plane, each [v, u], in code units; nan
    in thin gas. Sums show those in the middle plane.

    Raises:
        KeyError: the snapshot has no velocities.
    """
    u, v = np.broadcast_arrays(*pixel_centres(window, ARROWS))
    here = Sampler(snapshot, grid_points(view, snapshot, u, v))
    moving = "_rotating" if view.arrows == "corotating" else ""
    names = (f"velocity{moving}_x", f"velocity{moving}_y", "velocity_z")
    parts = np.stack([here(name) for name in names], axis=-1)
    if "density" in snapshot.fields:
        parts[here("density") < DENSE * snapshot["density"].max()] = np.nan
    turned = picture_points(view, snapshot, parts)
    return u, v, turned[:, 0].reshape(u.shape), turned[:, 1].reshape(u.shape)


def usual_speed(view: View, snapshot: Snapshot, window: Window) -> float:
    """Of the arrows: the speed that 95 % of them do not exceed; 0 where there are none."""
    _, _, along_u, along_v = velocities(view, snapshot, window)
    speeds = np.hypot(along_u, along_v)
    return float(np.nanpercentile(speeds, 95)) if np.any(np.isfinite(speeds)) else 0.0


def draw_arrows(axes: Axes, view: View, snapshot: Snapshot, window: Window, speed: float) -> None:
    """Velocities as arrows; `speed`, in code units, has the length of an arrow's cell and a half."""
    u, v, along_u, along_v = velocities(view, snapshot, window)
    known = np.isfinite(along_u)
    if speed <= 0 or not known.any():
        return
    spacing = max(window[1] - window[0], window[3] - window[2]) / ARROWS
    unit = quantity(snapshot, "speed")
    drawn = axes.quiver(
        u[known],
        v[known],
        along_u[known],
        along_v[known],
        color="white",
        edgecolor="black",
        linewidth=0.4,
        width=0.0028,
        angles="xy",
        scale_units="xy",
        scale=speed / (1.5 * spacing),
    )
    power = 10.0 ** np.floor(np.log10(speed * unit.factor))
    rounded = power * np.floor(speed * unit.factor / power)
    name = unit.label.partition("[")[2].rstrip("]")
    frame = "relative to the grid" if view.arrows == "corotating" else "inertial"
    axes.quiverkey(
        drawn,
        0.97,
        1.025,
        rounded / unit.factor,
        f"{rounded:g} {name}, {frame}",
        labelpos="W",
        labelsep=0.06,
        color="black",
        fontproperties={"size": 8},
    )


def draw_roche(axes: Axes, view: View, snapshot: Snapshot, window: Window, model: RocheModel) -> None:
    """Contours of the Roche potential through L1, L2 and L3, and these points where the plane holds them.

    Of points that lie behind each other the first is marked.
    """
    u, v = pixel_centres(window, 400)
    points = grid_points(view, snapshot, u, v)
    values = model.potential(*np.moveaxis(points, -1, 0))
    places = model.lagrange_points()
    levels = sorted({float(model.potential(*place)) for place in places.values()})
    levels = [levels[0], *(b for a, b in itertools.pairwise(levels) if b - a > 1e-9 * abs(b))]
    values = np.maximum(values, 3 * levels[0])  # finite at the stars
    levels = [level for level in levels if values.min() < level < values.max()]
    if levels:
        lines = axes.contour(u, v[:, 0], values, levels=levels, linestyles="--", **LINE)
        lines.set(path_effects=EDGED)
    marked: list[tuple[float, float]] = []
    for name, (x, y, off) in zip(places, picture_points(view, snapshot, list(places.values())), strict=True):
        outside = not (window[0] < x < window[1] and window[2] < y < window[3])
        if outside or (not view.projection and abs(off - view.at) > 0.05 * model.separation):
            continue
        if any(np.hypot(x - a, y - b) < 0.05 * model.separation for a, b in marked):
            continue
        marked.append((x, y))
        axes.plot(x, y, "+", color="white", markersize=7, markeredgewidth=1.3, path_effects=EDGED)
        axes.annotate(
            f"L$_{name[1]}$",
            (x, y),
            xytext=(4, 4),
            textcoords="offset points",
            color="white",
            fontsize=9,
            path_effects=EDGED,
        )


def draw_stars(axes: Axes, view: View, snapshot: Snapshot, window: Window) -> None:
    """Outlines of the stars: a contour of the density, or where half of the gas is of a star's species."""
    u, v = pixel_centres(window, 360)
    here = Sampler(snapshot, grid_points(view, snapshot, u, v))
    density = np.maximum(here("density"), np.finfo(float).tiny)
    blur = np.min(snapshot.width) / 2 / (u[1] - u[0])  # rounds the corners of the finest cells
    if view.stars == "density":
        level = np.log10(view.star_density * snapshot["density"].max())
        _outline(axes, u, v[:, 0], np.log10(density), level, blur, STAR_COLOURS[0])
        return
    for i, ((star, names), colour) in enumerate(
        zip(star_species(snapshot).items(), STAR_COLOURS, strict=False)
    ):
        share = sum(here(name) for name in names) / density
        _outline(axes, u, v[:, 0], share, 0.5, blur, colour)
        place = {"xy": (8, 8 + 13 * i), "xycoords": "axes points"}
        axes.annotate(star, **place, color=colour, fontsize=9, path_effects=EDGED)


def star_species(snapshot: Snapshot) -> dict[str, list[str]]:
    """Star → fields of its species: those whose names begin with accretor and with donor; without such names each
    species but the atmosphere.

    Raises:
        ValueError: the snapshot has no densities of species.
    """
    known = [s for s in snapshot.species if f"density_{s}" in snapshot.stored_fields]
    stars = {star: [s for s in known if s.startswith(star)] for star in ("accretor", "donor")}
    if not all(stars.values()):
        stars = {s: [s] for s in known if s != "atmosphere"}
    if not stars:
        raise ValueError(f"{snapshot.path}: has no densities of species: give --stars density")
    return {star: [f"density_{s}" for s in group] for star, group in stars.items()}


def _outline(
    axes: Axes, u: NDArray, v: NDArray, values: NDArray, level: float, blur: float, colour: str
) -> None:
    """A contour of values that were smoothed by `blur` pixels, where they cross the level."""
    known = np.where(np.isfinite(values), values, np.min(values[np.isfinite(values)], initial=level - 1))
    smooth = gaussian_filter(known, blur, mode="nearest")
    if smooth.min() < level < smooth.max():
        axes.contour(u, v, smooth, levels=[level], colors=[colour], linewidths=1.4, linestyles="solid")


def draw_points(axes: Axes, view: View, snapshot: Snapshot, window: Window) -> None:
    """Point masses as white discs, with a ring of the radius of their softening where it can be seen.

    Those that a slice misses by more than their softening are black ones.
    """
    points = snapshot.point_masses
    span = max(window[1] - window[0], window[3] - window[2])
    for (u, v, off), softening in zip(
        picture_points(view, snapshot, points[:, 2:5]), points[:, 1], strict=True
    ):
        if not view.projection and abs(off - view.at) > max(softening, 0.01 * span):
            axes.plot(u, v, "o", color="black", markeredgecolor="white", markersize=5)
            continue
        axes.plot(u, v, "o", color="white", markeredgecolor="black", markersize=5)
        if softening > 0.01 * span:
            axes.add_patch(plt.Circle((u, v), softening, fill=False, ec="white", lw=0.8, path_effects=EDGED))


def axis_labels(axes: Axes, piece: Slice, snapshot: Snapshot) -> None:
    """Names and units of the axes."""
    unit = length_label(snapshot.unit_system)
    axes.set(xlabel=f"{piece.axes[0]}  [{unit}]", ylabel=f"{piece.axes[1]}  [{unit}]")
