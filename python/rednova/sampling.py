"""Which cells points lie in, on the leaves of the octree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from rednova.snapshot import Snapshot


def locate(snapshot: Snapshot, points: NDArray) -> tuple[NDArray, NDArray]:
    """Blocks and cells that hold points.

    Args:
        snapshot: the leaf blocks.
        points: [point, (x, y, z)] in code units.

    Returns:
        block: [point], -1 outside the domain.
        cell: [point], its number in the block, x fastest.
    """
    block = np.full(len(points), -1)
    cell = np.zeros(len(points), dtype=int)
    low, high = snapshot.domain
    rest = np.flatnonzero(np.all((low <= points) & (points < high), axis=1))
    deepest, edge, base = int(snapshot.level.max()), snapshot.edge, snapshot.base_blocks
    # Cells of the deepest level count in whole numbers, of which halves are those of the levels above: all levels agree
    # on which side of a face a point lies.
    finest = [_cells(points[rest, d], low[d], high[d], edge * base[d] * 2**deepest) for d in range(3)]
    for level in np.unique(snapshot.level):
        own = np.flatnonzero(snapshot.level == level)
        sides = base * 2 ** int(level)
        keys = _number(np.rint((snapshot.lower[own] - low) / (high - low) * sides).astype(np.int64).T, sides)
        order = np.argsort(keys)
        keys, own = keys[order], own[order]
        places = [x >> (deepest - int(level)) for x in finest]
        wanted = _number([x // edge for x in places], sides)
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        found = keys[place] == wanted
        block[rest[found]] = own[place[found]]
        cell[rest[found]] = _number([x[found] % edge for x in places], (edge, edge, edge))
        rest, finest = rest[~found], [x[~found] for x in finest]
    return block, cell


def _cells(points: NDArray, low: float, high: float, count: int) -> NDArray:
    """In which of `count` equal parts from low to high points lie."""
    return np.minimum((points - low) / (high - low) * count, count - 1).astype(np.int64)


def _number(place: Sequence[NDArray], sides: Sequence[int]) -> NDArray:
    """Numbers of places x, y, z in a box with so many of them along its sides, x fastest."""
    x, y, z = place
    return x + sides[0] * (y + sides[1] * z)


class Sampler:
    """Values of the cells in which points lie: `Sampler(snapshot, points)("density")`; it looks for the cells once.

    Args:
        snapshot: the cells.
        points: [..., (x, y, z)] along the grid's axes, in code units.
    """

    def __init__(self, snapshot: Snapshot, points: NDArray) -> None:
        self._snapshot, self._shape = snapshot, points.shape[:-1]
        block, cell = locate(snapshot, points.reshape(-1, 3))
        self._inside = np.flatnonzero(block >= 0)
        block, self._cell = block[self._inside], cell[self._inside]
        used = np.zeros(len(snapshot.level), dtype=bool)
        used[block] = True
        self._blocks = np.flatnonzero(used)
        self._place = (np.cumsum(used) - 1)[block]

    def __call__(self, field: str) -> NDArray:
        """The field at the points, [...]; nan outside the domain. KeyError: there is no such field."""
        values = self._snapshot.read(field, self._blocks).reshape(len(self._blocks), self._snapshot.edge**3)
        result = np.full(self._shape, np.nan)
        result.flat[self._inside] = values[self._place, self._cell]
        return result
