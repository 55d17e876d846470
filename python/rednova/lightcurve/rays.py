"""The formal solution of the transfer equation along parallel rays through the cells of a snapshot."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rednova.lightcurve.medium import Medium
from rednova.snapshot import Snapshot

HIDDEN = 16.0  # optical depth behind which nothing is seen: a share of 1e-7 of the light
RAYS = 4096  # at a time
PAIRS = 8192  # of rays and blocks at a time, with 22 pieces of cells at most for each


@dataclass(frozen=True)
class Seen:
    """What rays bring to the observer, [ray].

    Attributes:
        intensity: in code units.
        depth: optical, of all that lies on the ray.
        finest: level of the finest block that is not hidden; -1 where the ray misses the domain.
        blurred: the part of the intensity that comes from cells with an optical depth above 1.
    """

    intensity: NDArray
    depth: NDArray
    finest: NDArray
    blurred: NDArray


class Tree:
    """The octree above the leaf blocks of a snapshot, to find those that rays cross.

    Its root is the smallest cube of 2^r base blocks that holds the domain; there are no nodes outside of that.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._low, high = snapshot.domain
        base = snapshot.base_blocks
        above_base = int(np.ceil(np.log2(base.max())))
        self._size = (high - self._low) / base * 2**above_base
        depth = snapshot.level + above_base
        place = np.rint((snapshot.lower - self._low) / self._size * 2.0 ** depth[:, None]).astype(np.int64)
        self._keys: list[NDArray] = []
        self._leaf: list[NDArray] = []  # number of the block, -1 where there are finer ones
        above = np.empty((0, 3), dtype=np.int64)
        for level in range(int(depth.max()), -1, -1):
            own = np.flatnonzero(depth == level)
            nodes = np.concatenate([place[own], above])
            keys = number(nodes, level)
            order = np.argsort(keys)
            self._keys.insert(0, keys[order])
            self._leaf.insert(0, np.concatenate([own, np.full(len(above), -1)])[order])
            above = np.unique(nodes // 2, axis=0)

    def crossed(self, origin: NDArray, along: NDArray) -> tuple[NDArray, NDArray, NDArray, NDArray]:
        """Each crossing of a ray through a leaf block: ray, block, and the distances where it goes in and out.

        A ray that runs within a face belongs to the block above it, so that no block is met twice.

        Args:
            origin: [ray, (x, y, z)].
            along: the direction of all rays, a unit vector.
        """
        ray, place = np.arange(len(origin)), np.zeros((len(origin), 3), dtype=np.int64)
        parts = np.array(list(np.ndindex(2, 2, 2)))
        found = []
        for level, (keys, leaf) in enumerate(zip(self._keys, self._leaf, strict=True)):
            size = self._size / 2**level
            near, far = slab(self._low + place * size, self._low + (place + 1) * size, origin[ray], along)
            wanted = number(place, level)
            node = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
            hit = (far > near) & (keys[node] == wanted)
            ray, place, near, far, block = ray[hit], place[hit], near[hit], far[hit], leaf[node[hit]]
            ends = block >= 0
            found.append((ray[ends], block[ends], near[ends], far[ends]))
            ray, place = np.repeat(ray[~ends], 8), place[~ends]
            place = (2 * place[:, None, :] + parts).reshape(-1, 3)
        return tuple(np.concatenate(part) for part in zip(*found, strict=True))


def number(place: NDArray, level: int) -> NDArray:
    """Numbers of places [node, (x, y, z)] among those of a level below the root."""
    return (place[:, 2] << 2 * level) + (place[:, 1] << level) + place[:, 0]


def slab(lower: NDArray, upper: NDArray, origin: NDArray, along: NDArray) -> tuple[NDArray, NDArray]:
    """Distances where rays go into boxes and out of them; out is not beyond in where they miss."""
    near, far = np.full(len(origin), -np.inf), np.full(len(origin), np.inf)
    for d in range(3):
        if along[d] == 0:
            outside = (origin[:, d] < lower[:, d]) | (origin[:, d] >= upper[:, d])
            far[outside] = -np.inf
            continue
        first, last = (
            (x[:, d] - origin[:, d]) / along[d] for x in ((lower, upper) if along[d] > 0 else (upper, lower))
        )
        near, far = np.maximum(near, first), np.minimum(far, last)
    return near, far


def trace(medium: Medium, tree: Tree, origin: NDArray, along: NDArray) -> Seen:
    """Intensities that parallel rays bring from the snapshot.

    Args:
        medium: the cells.
        tree: of the same snapshot.
        origin: [ray, (x, y, z)] in code units.
        along: the unit vector from the observer into the sky.
    """
    made = [
        _trace(medium, tree, some, along) for some in np.array_split(origin, max(1, -(-len(origin) // RAYS)))
    ]
    return Seen(*(np.concatenate([getattr(one, name) for one in made]) for name in Seen.__dataclass_fields__))


def _trace(medium: Medium, tree: Tree, origin: NDArray, along: NDArray) -> Seen:
    ray, block, near, far = tree.crossed(origin, along)
    order = np.lexsort((near, ray))
    ray, block, near, far = ray[order], block[order], near[order], far[order]
    batches = np.array_split(np.arange(len(ray)), max(1, -(-len(ray) // PAIRS)))
    passed = [crossing(medium, block[b], origin[ray[b]], along, near[b], far[b]) for b in batches]
    depth, light, blurred = (np.concatenate(part) for part in zip(*passed, strict=True))
    # One row a ray, its blocks from the observer on.
    count = np.bincount(ray, minlength=len(origin))
    rank = np.arange(len(ray)) - (np.cumsum(count) - count)[ray]
    table = np.zeros((4, len(origin), max(1, count.max(initial=0))))
    table[3] = -1
    table[:, ray, rank] = depth, light, blurred, medium.snapshot.level[block]
    before = nearer(table[0])
    fading = np.exp(-before)
    return Seen(
        (table[1] * fading).sum(axis=1),
        table[0].sum(axis=1),
        np.where(before < HIDDEN, table[3], -1).max(axis=1).astype(int),
        (table[2] * fading).sum(axis=1),
    )


def crossing(
    medium: Medium, block: NDArray, origin: NDArray, along: NDArray, near: NDArray, far: NDArray
) -> tuple[NDArray, NDArray, NDArray]:
    """Optical depth of the way through a block, and the intensity that leaves it towards the observer, with its part
    from cells of a depth above 1; [pair].

    The source is linear in optical depth within a cell, where extinction is constant (`medium.changes`).
    """
    snapshot = medium.snapshot
    width, lower = snapshot.width[block][:, None], snapshot.lower[block]
    planes = np.arange(1, snapshot.edge)
    ends = [near[:, None], far[:, None]]
    ends += [
        (lower[:, d, None] + planes * width - origin[:, d, None]) / along[d]
        for d in range(3)
        if along[d] != 0
    ]
    cuts = np.sort(np.clip(np.concatenate(ends, axis=1), near[:, None], far[:, None]), axis=1)
    length, middle = np.diff(cuts, axis=1), (cuts[:, 1:] + cuts[:, :-1]) / 2
    cell = np.zeros(middle.shape, dtype=np.int64)
    beside = []  # of the cell's centre, in its widths
    for d in (2, 1, 0):
        place = (origin[:, d, None] + along[d] * middle - lower[:, d, None]) / width
        index = np.clip(place.astype(np.int64), 0, snapshot.edge - 1)
        cell = snapshot.edge * cell + index
        beside.insert(0, place - index - 0.5)
    values = medium.cells[block[:, None] * snapshot.edge**3 + cell]
    depth = values[..., 0] * length
    source = values[..., 1] + sum(values[..., 2 + d] * beside[d] for d in range(3))
    half = (values[..., 2:] @ along) * length / (2 * width)
    light = emitted(depth, source - half, source + half) * np.exp(-nearer(depth))
    blurred = np.where(values[..., 0] * width > 1, light, 0.0)
    return depth.sum(axis=1), light.sum(axis=1), blurred.sum(axis=1)


def nearer(depth: NDArray) -> NDArray:
    """Optical depth in front of each piece of a row, without its own."""
    return np.concatenate([np.zeros((len(depth), 1)), np.cumsum(depth[:, :-1], axis=1)], axis=1)


def emitted(depth: NDArray, near: NDArray, far: NDArray) -> NDArray:
    """Intensity that leaves a piece whose source is linear in optical depth, from its near to its far end: the
    integral of S exp(-t) from 0 to the depth (Olson & Kunasz 1987)."""
    opaque = -np.expm1(-depth)
    safe = np.maximum(depth, 1e-3)
    series = depth * (1 / 2 - depth * (1 / 3 - depth / 8))
    ramp = np.where(depth < 1e-3, series, -np.expm1(-safe) / safe - np.exp(-safe))
    return near * opaque + (far - near) * ramp
