"""A plain NumPy model of the gravity solver: the oracle of tests/gravity.

It follows docs/gravity.md with other means than the C++ code: full Cartesian tensors of order 3 instead of traceless
moments, dense lattices of cells instead of blocks, a loop over all offsets, no folding of planes. The coarsest lattice
has 8 cells along an edge, as the root block has.

    python -m rednova.reference.fmm tests/gravity/fmm_expected.hpp

writes the values that tests/gravity/test_reference.cpp compares with.
"""

import itertools
import sys
from pathlib import Path

import numpy as np

ROOT_CELLS = 8
ABSENT, LEAF, REFINED, VIRTUAL = range(4)
LEVI_CIVITA = np.zeros((3, 3, 3))
LEVI_CIVITA[[0, 1, 2], [1, 2, 0], [2, 0, 1]] = 1
LEVI_CIVITA[[0, 1, 2], [2, 0, 1], [1, 2, 0]] = -1


def empty_tensors(shape):
    """Zero tensors of order 0 to 3 for cells of the given shape: list of (*shape, 3, ...)."""
    return [np.zeros((*shape, *[3] * n)) for n in range(4)]


def derivatives(r):
    """Gradients of order 0 to 3 of -1/|r| at one offset r (3,)."""
    d = np.sqrt(r @ r)
    eye = np.eye(3)
    third = 15 * np.einsum("a,b,c", r, r, r) / d**7
    for spec in ("ab,c->abc", "ac,b->abc", "bc,a->abc"):
        third -= 3 * np.einsum(spec, eye, r) / d**5
    return [-1 / d, r / d**3, eye / d**3 - 3 * np.outer(r, r) / d**5, third]


class Level:
    """The cells of one level on a dense lattice: their kind (n, n, n), moments, expansions and spin torques."""

    def __init__(self, number, kind):
        self.number, self.kind = number, kind
        self.n = len(kind)
        self.h = 1 / self.n
        self.moments = empty_tensors(kind.shape)
        self.expansions = empty_tensors(kind.shape)
        self.torque = np.zeros((*kind.shape, 3))

    def centres(self):
        """Centres of all lattice places in the unit cube about the origin: (n, n, n, 3)."""
        k = (np.arange(self.n) + 0.5) * self.h - 0.5
        return np.stack(np.meshgrid(k, k, k, indexing="ij"), -1)


def octants():
    """The eight corners of a unit cell, each with the slices that pick its child from a lattice of twice the size."""
    for corner in np.ndindex(2, 2, 2):
        yield np.array(corner), tuple(slice(c, None, 2) for c in corner)


def make_levels(refined):
    """Levels from masks of refined cells: refined[l] is (8 * 2**l,) * 3; the last level has none."""
    levels = []
    kind = np.full((ROOT_CELLS,) * 3, LEAF)
    for number in range(len(refined) + 1):
        mask = refined[number] if number < len(refined) else np.zeros(kind.shape, bool)
        kind = np.where(mask & (kind == LEAF), REFINED, kind)
        levels.append(Level(number, kind))
        kind = np.where(np.kron(kind == REFINED, np.ones((2, 2, 2))), LEAF, ABSENT)
    for coarse, fine in itertools.pairwise(levels):
        of_leaf = np.kron(coarse.kind == LEAF, np.ones((2, 2, 2))).astype(bool)
        fine.kind[of_leaf & (fine.kind == ABSENT)] = VIRTUAL
    return levels


def translate_up(fine, coarse):
    """Adds the moments of refined cells' children about the cells' centres; shares leaf masses among virtual cells."""
    inside = coarse.kind == REFINED
    for corner, pick in octants():
        d = (corner - 0.5) * fine.h
        m = [
            np.where(inside.reshape(*inside.shape, *[1] * k), part[pick], 0)
            for k, part in enumerate(fine.moments)
        ]
        dd = np.outer(d, d)
        coarse.moments[0] += m[0]
        coarse.moments[1] += m[1] + m[0][..., None] * d
        md = np.einsum("...a,b->...ab", m[1], d)
        coarse.moments[2] += m[2] + md + np.swapaxes(md, -1, -2) + np.einsum("...,ab->...ab", m[0], dd)
        total = m[3] + np.einsum("...,ab,c->...abc", m[0], dd, d)
        for spec in ("...ab,c->...abc", "...ac,b->...abc", "...bc,a->...abc"):
            total += np.einsum(spec, m[2], d)
        for spec in ("...a,bc->...abc", "...b,ac->...abc", "...c,ab->...abc"):
            total += np.einsum(spec, m[1], dd)
        coarse.moments[3] += total


def share_mass(coarse, fine):
    """Gives virtual cells an eighth of their leaf's mass."""
    for _, pick in octants():
        part = fine.moments[0][pick]
        fine.moments[0][pick] = np.where(coarse.kind == LEAF, coarse.moments[0] / 8, part)


def shifted(n, d):
    """Slices of targets a and sources a + d on a lattice of n cells along an edge."""
    a = tuple(slice(max(0, -k), n - max(0, k)) for k in d)
    b = tuple(slice(max(0, k), n - max(0, -k)) for k in d)
    return a, b


def interacting(level, parents, a, b, d, near2):
    """Mask of the pairs (target slice a, source slice b) of offset d that interact on this level."""
    ka, kb = level.kind[a], level.kind[b]
    pairs = (ka != ABSENT) & (kb != ABSENT) & ~((ka == VIRTUAL) & (kb == VIRTUAL))
    if parents is not None:
        index = np.indices(level.kind.shape)
        between = sum((i[b] // 2 - i[a] // 2) ** 2 for i in index)
        pairs &= between <= near2
    if d @ d <= near2:
        pairs &= (ka != REFINED) & (kb != REFINED)
    return pairs


def across(level, parents, near2):
    """Adds the fields of all interacting pairs of a level to the targets' expansions and torques."""
    reach = min(level.n - 1, 2 * int(np.sqrt(near2)) + 1 if parents is not None else level.n)
    for d in np.ndindex(*[2 * reach + 1] * 3):
        d = np.array(d) - reach
        if not d.any():
            continue
        a, b = shifted(level.n, d)
        pairs = interacting(level, parents, a, b, d, near2)
        if not pairs.any():
            continue
        g = derivatives(-d * level.h)
        q = [part[b][pairs] for part in level.moments]
        p = [part[a][pairs] for part in level.moments]
        top = [
            np.einsum("pbc,abc->pa", q[2], g[3]) / 2,
            -np.einsum("pc,abc->pab", q[1], g[3]),
            np.multiply.outer(q[0], g[3]),
        ]
        fields = [
            q[0] * g[0]
            - q[1] @ g[1]
            + np.einsum("pab,ab->p", q[2], g[2]) / 2
            - np.einsum("pabc,abc->p", q[3], g[3]) / 6,
            np.multiply.outer(q[0], g[1]) - np.einsum("pb,ab->pa", q[1], g[2]) + top[0],
            np.multiply.outer(q[0], g[2]) + top[1],
            top[2],
        ]
        for into, part in zip(level.expansions, fields, strict=True):
            into[a][pairs] += part
        level.torque[a][pairs] += (
            np.einsum("abc,pb,pc->pa", LEVI_CIVITA, p[1], top[0])
            + np.einsum("abc,pbd,pcd->pa", LEVI_CIVITA, p[2], top[1])
            + np.einsum("abc,pbde,pcde->pa", LEVI_CIVITA, p[3], top[2]) / 2
        )


def translate_down(coarse, fine):
    """Hands expansions and torques of refined cells to their children, and virtual cells' fields to their leaf."""
    inside, leaf = coarse.kind == REFINED, coarse.kind == LEAF
    mass = np.where(coarse.moments[0] != 0, coarse.moments[0], 1)
    e = [part.copy() for part in coarse.expansions]
    for corner, pick in octants():
        x = (corner - 0.5) * fine.h
        moved = [
            e[0] + e[1] @ x + (e[2] @ x) @ x / 2 + ((e[3] @ x) @ x) @ x / 6,
            e[1] + e[2] @ x + (e[3] @ x) @ x / 2,
            e[2] + e[3] @ x,
            e[3],
        ]
        share = coarse.torque * (fine.moments[0][pick] / mass)[..., None]
        field, pull = fine.expansions[0][pick], fine.expansions[1][pick]
        coarse.expansions[0][leaf] += field[leaf] / 8
        coarse.expansions[1][leaf] += pull[leaf] / 8
        turn = np.cross(x, -pull) * fine.moments[0][pick][..., None]
        for into, part in zip(fine.expansions, moved, strict=True):
            into[pick][inside] += part[inside]
        fine.torque[pick][inside] += share[inside]
        coarse.torque[leaf] += turn[leaf]


def solve(levels, mass, near2):
    """Fields of leaf masses: mass[l] is (n, n, n), used where a cell is a leaf. Fills the levels; G = 1."""
    for level, m in zip(levels, mass, strict=True):
        level.moments = empty_tensors(level.kind.shape)
        level.expansions = empty_tensors(level.kind.shape)
        level.torque = np.zeros((*level.kind.shape, 3))
        level.moments[0] = np.where(level.kind == LEAF, m, 0.0)
    for coarse, fine in reversed(list(itertools.pairwise(levels))):
        translate_up(fine, coarse)
    for coarse, fine in itertools.pairwise(levels):
        share_mass(coarse, fine)
    parents = None
    for level in levels:
        across(level, parents, near2)
        parents = level
    for coarse, fine in itertools.pairwise(levels):
        translate_down(coarse, fine)


def leaf_fields(levels):
    """Rows (level, i, j, k, mass, phi, g (3), spin torque (3)) of all leaf cells: (cells, 12)."""
    rows = []
    for level in levels:
        leaf = level.kind == LEAF
        rows.append(
            np.column_stack(
                [
                    np.full(leaf.sum(), level.number),
                    np.argwhere(leaf),
                    level.moments[0][leaf],
                    level.expansions[0][leaf],
                    -level.expansions[1][leaf],
                    level.torque[leaf],
                ]
            )
        )
    return np.concatenate(rows)


def two_blobs(x):
    """Density of two unequal blobs at places x (..., 3), the same as in tests/gravity/system.hpp."""
    first = np.exp(-((x - [0.15, 0.05, 0.0]) ** 2).sum(-1) / 0.01)
    second = 0.3 * np.exp(-((x - [-0.22, -0.1, 0.1]) ** 2).sum(-1) / 0.004)
    return first + second + 1e-6


def uniform_levels():
    """16 cells along an edge everywhere."""
    return make_levels([np.ones((8,) * 3, bool)])


def refined_levels():
    """The same, with one of the eight blocks of the second level refined once more."""
    mask = np.zeros((16,) * 3, bool)
    mask[8:, 8:, :8] = True
    return make_levels([np.ones((8,) * 3, bool), mask])


def cases():
    """Name, levels, R² and the stride of the rows that are written."""
    yield "uniform", uniform_levels(), 10, 61
    yield "uniform_small_radius", uniform_levels(), 4, 101
    yield "refined", refined_levels(), 6, 97


def main():
    """Writes the expected values as a C++ header."""
    lines = [
        "// Expected values of the gravity solver at order 3, made by `python -m rednova.reference.fmm`.",
        "#pragma once",
        "",
        "#include <array>",
        "",
        "namespace rednova::gravity::test {",
        "",
        "/// A leaf cell by its level and place, and its potential, acceleration and spin torque.",
        "struct expected_cell {",
        "  int level, i, j, k;",
        "  std::array<double, 7> fields;",
        "};",
        "",
        "// clang-format off",
    ]
    for name, levels, near2, stride in cases():
        mass = [two_blobs(level.centres()) * level.h**3 for level in levels]
        solve(levels, mass, near2)
        rows = leaf_fields(levels)
        picked = rows[::stride]
        lines.append(f"inline constexpr int {name}_near_radius_squared = {near2};")
        lines.append(f"inline constexpr std::array<expected_cell, {len(picked)}> {name}{{{{")
        for row in picked:
            place = ", ".join(str(int(v)) for v in row[:4])
            lines.append(f"    {{{place}, {{{', '.join(repr(float(v)) for v in row[5:])}}}}},")
        lines += ["}};"]
        print(f"{name}: {len(rows)} cells, {len(picked)} written")
    lines += ["// clang-format on", "", "}  // namespace rednova::gravity::test", ""]
    Path(sys.argv[1]).write_text("\n".join(lines))


if __name__ == "__main__":
    main()
