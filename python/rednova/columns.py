"""Columns of gas: sums over the cells of the adaptive mesh along an axis, without loss of mass."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rednova.pixels import Slice, across, shown

if TYPE_CHECKING:
    from rednova.snapshot import Snapshot


def pixel_edges(window: tuple[float, float, float, float], pixels: int) -> tuple[NDArray, NDArray]:
    """Edges of the pixels that tile a window, along u and along v; `pixels` along the longer side, near to squares."""
    sides = (window[:2], window[2:])
    longest = max(high - low for low, high in sides)
    counts = [max(1, round(pixels * (high - low) / longest)) for low, high in sides]
    u, v = (np.linspace(*side, n + 1) for side, n in zip(sides, counts, strict=True))
    return u, v


def share_below(at: NDArray, centre: NDArray, widths: tuple[NDArray | float, NDArray | float]) -> NDArray:
    """Share of a rectangle below a line, by the distance along the line's normal.

    The chord of a rectangle whose sides have the shadows a and b on the normal is a trapezoid, the convolution of two
    boxes; this is its integral. With b = 0 the rectangle stands straight.

    Args:
        at: where the lines lie, [line, 1].
        centre: of the rectangles, [rectangle].
        widths: a and b, the sides' shadows; not both 0.

    Returns:
        [line, rectangle], 0 to 1.
    """
    long, short = np.maximum(*widths), np.minimum(*widths)
    s = np.abs(at - centre)
    straight = s / long
    flat = (long - short) / 2  # the chord is constant up to here
    corner = np.maximum(0, (long + short) / 2 - s)
    with np.errstate(divide="ignore", invalid="ignore"):
        slanted = 0.5 - corner**2 / (2 * long * short)
    half = np.where(s <= flat, straight, np.where(short > 0, slanted, 0.5))
    return 0.5 + np.sign(at - centre) * np.minimum(half, 0.5)


def _overlaps(edges: NDArray, centre: NDArray, widths: tuple) -> tuple[slice, NDArray]:
    """Pixels that cells reach, and the share of each cell in each of them, [pixel, cell]."""
    reach = (np.max(widths[0]) + np.max(widths[1])) / 2
    first = max(0, int(np.searchsorted(edges, centre.min() - reach)) - 1)
    last = min(len(edges) - 1, int(np.searchsorted(edges, centre.max() + reach)))
    below = share_below(edges[first : last + 1, None], centre, widths)
    return slice(first, last), np.diff(below, axis=0)


def columns(
    snapshot: Snapshot, values: Callable, axis: str, window: tuple, pixels: int, angle: float = 0.0
) -> Slice:
    """Integral of a field along an axis, averaged over each pixel exactly.

    Pixel area times the sum over the pixels of a window that holds the domain is the integral of the field over the
    domain, to rounding.

    Args:
        snapshot: the cells.
        values: blocks → [block, z, y, x], the field; called with ascending numbers.
        axis: "x", "y" or "z".
        window: (u lower, u upper, v lower, v upper) in code units.
        pixels: along the longer side.
        angle: by which the grid is turned about z against the axes of the picture, in radians; 0 where axis is "z".

    Returns:
        The columns in code units; nan where there are no cells.
    """
    u, v = across(axis)
    edges = pixel_edges(window, pixels)
    image = np.zeros((len(edges[1]) - 1, len(edges[0]) - 1))
    seen = np.zeros(image.shape, dtype=bool)
    size = snapshot.width * snapshot.edge
    lower, size = (snapshot.lower, size) if angle == 0 else _enclosing(snapshot, angle)
    blocks = np.flatnonzero(shown(lower[:, [u, v]], size, window))
    for batch in np.array_split(blocks, max(1, len(blocks) // 2048)):
        for block, field in zip(batch, values(batch), strict=True):
            width = snapshot.width[block]
            if angle == 0:
                tile = field.sum(axis=2 - "xyz".index(axis))
                across_u = _overlaps(edges[0], _row(snapshot, block, u), (width, 0.0))
            else:
                tile, across_u = _turned(snapshot, block, field, axis, edges[0], angle)
            rows, share_v = _overlaps(edges[1], _row(snapshot, block, v), (width, 0.0))
            columns_u, share_u = across_u
            image[rows, columns_u] += width**3 * (share_v @ tile @ share_u.T)
            seen[rows, columns_u] |= np.outer(share_v.any(axis=1), share_u.any(axis=1))
    image /= np.outer(np.diff(edges[1]), np.diff(edges[0]))
    image[~seen] = np.nan
    outlines = np.column_stack([snapshot.lower[blocks][:, [u, v]], snapshot.width[blocks] * snapshot.edge])
    return Slice(image, window, ("xyz"[u], "xyz"[v]), outlines)


def _row(snapshot: Snapshot, block: int, d: int) -> NDArray:
    """Centres of a block's cells along a direction."""
    return snapshot.lower[block, d] + snapshot.width[block] * (np.arange(snapshot.edge) + 0.5)


def _enclosing(snapshot: Snapshot, angle: float) -> tuple[NDArray, NDArray]:
    """Cubes along the axes of the picture that hold the turned blocks."""
    size = snapshot.width * snapshot.edge
    middle = snapshot.lower + size[:, None] / 2
    c, s = np.cos(angle), np.sin(angle)
    turned = np.stack(
        [c * middle[:, 0] - s * middle[:, 1], s * middle[:, 0] + c * middle[:, 1], middle[:, 2]], 1
    )
    larger = size * (abs(c) + abs(s))
    return turned - larger[:, None] / 2, larger


def _turned(snapshot: Snapshot, block: int, field: NDArray, axis: str, edges: NDArray, angle: float):
    """A block seen along the picture's x or y: [z, cell of a layer], and the cells' shares of the pixels along u."""
    x, y = _row(snapshot, block, 0), _row(snapshot, block, 1)[:, None]
    c, s = np.cos(angle), np.sin(angle)
    along = c * x - s * y if axis == "y" else s * x + c * y
    width = snapshot.width[block]
    return field.reshape(snapshot.edge, -1), _overlaps(edges, along.ravel(), (width * abs(c), width * abs(s)))


def project(
    snapshot: Snapshot, field: str, axis: str, window: tuple, pixels: int, angle: float = 0.0
) -> Slice:
    """The column of a density by mass, or of another field its mean weighted by density; arguments as of `columns`.

    Raises:
        KeyError: there is no such field.
    """
    if snapshot.unit(field) == "mass/length^3":
        return columns(snapshot, lambda blocks: snapshot.read(field, blocks), axis, window, pixels, angle)

    def momentum(blocks: NDArray) -> NDArray:
        return snapshot.read(field, blocks) * snapshot.read("density", blocks)

    total = columns(snapshot, momentum, axis, window, pixels, angle)
    mass = columns(snapshot, lambda blocks: snapshot.read("density", blocks), axis, window, pixels, angle)
    return Slice(total.image / mass.image, window, total.axes, total.outlines)
