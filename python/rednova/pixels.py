"""Planes of square cells as pixels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Slice:
    """A plane through the mesh as pixels.

    Attributes:
        image: [pixel in v, pixel in u]; nan outside the domain.
        extent: (u lower, u upper, v lower, v upper) in code units, as matplotlib's imshow takes it.
        axes: names of u and v, e.g. ("x", "y").
        outlines: [block, (u lower, v lower, edge)] of the blocks that are shown.
    """

    image: NDArray
    extent: tuple[float, float, float, float]
    axes: tuple[str, str]
    outlines: NDArray


def across(axis: str) -> tuple[int, int]:
    """The directions u and v of a plane across an axis."""
    u, v = (d for d in range(3) if "xyz"[d] != axis)
    return u, v


def shown(lower: NDArray, size: NDArray, window: tuple[float, float, float, float]) -> NDArray:
    """Which squares, of lower corners [square, (u, v)] and these edges, reach into a window."""
    inside = np.ones(len(size), dtype=bool)
    for d, (near, far) in enumerate((window[:2], window[2:])):
        inside &= (lower[:, d] < far) & (lower[:, d] + size > near)
    return inside


def paint(
    values: NDArray,
    lower: NDArray,
    width: NDArray,
    axis: str,
    window: tuple[float, float, float, float],
    pixels: int,
) -> Slice:
    """Squares of cells, [square, v, u] with lower corners [square, (u, v)] and cell widths, as pixels of a window, of
    which the longer side has so many; each pixel has its cell's value."""
    pixel = max(window[1] - window[0], window[3] - window[2]) / pixels
    points = [
        start + pixel * (np.arange(max(1, round((end - start) / pixel))) + 0.5)
        for start, end in (window[:2], window[2:])
    ]
    edge = values.shape[-1]
    image = np.full((len(points[1]), len(points[0])), np.nan)
    for value, corner, h in zip(values, lower, width, strict=True):
        columns, rows = (cells_of(points[d], corner[d], h, edge) for d in range(2))
        image[np.ix_(rows[0], columns[0])] = value[np.ix_(rows[1], columns[1])]
    outlines = np.column_stack([lower, width * edge])
    u, v = across(axis)
    return Slice(image, window, ("xyz"[u], "xyz"[v]), outlines)


def cells_of(points: NDArray, lower: float, width: float, edge: int) -> tuple[NDArray, NDArray]:
    """Which points lie in a row of cells, and in which of them."""
    cell = np.floor((points - lower) / width).astype(int)
    inside = np.flatnonzero((cell >= 0) & (cell < edge))
    return inside, cell[inside]
