"""What opaque cells beside transparent ones say of a surface that is sharper than they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rednova.sampling import locate

if TYPE_CHECKING:
    from rednova.lightcurve.medium import Medium

#: The area of the faces of cubes that make up a convex body, over that of its surface: the mean of |nx| + |ny| + |nz|.
STAIRS = 1.5


@dataclass(frozen=True)
class Surface:
    """The faces between opaque cells and transparent ones, in code units.

    Attributes:
        luminosity: by Eddington's law, T⁴ = ¾ T_eff⁴ (τ + ⅔), at the depth of half a cell.
        area: of the faces, less what stairs have more than a surface.
        depth: optical, of a cell; the median.
    """

    luminosity: float
    area: float
    depth: float


def surface_of(medium: Medium) -> Surface:
    """Of cells with an optical depth above 1 that have a face to one with less. Where finer cells are behind, one of
    the four stands for all; cavities count as surfaces, too.

    Light that gets out of such a cell from its centre has to cross half of its depth. In a grey atmosphere in balance
    the flux there is σ T_eff⁴ of Eddington's law, whatever the cell's temperature says of a surface that it does not
    resolve.
    """
    snapshot = medium.snapshot
    cells = snapshot.edge**3
    width = np.repeat(snapshot.width, cells)
    depth = medium.cells[:, 0] * width
    opaque = np.flatnonzero(depth > 1)
    centre = np.stack([x.ravel()[opaque] for x in np.broadcast_arrays(*snapshot.centres())], axis=1)
    bare = np.zeros(len(opaque))
    for d in range(3):
        for sign in (-1, 1):
            beyond = centre.copy()
            # No corner of cells of another level, of which any could be meant.
            beyond += 0.01 * width[opaque, None]
            beyond[:, d] = centre[:, d] + sign * 0.51 * width[opaque]
            block, cell = locate(snapshot, beyond)
            bare += (block >= 0) & (depth[block * cells + cell] < 1)
    area = bare * width[opaque] ** 2 / STAIRS
    black = np.pi * medium.cells[opaque, 1]  # flux of a black body
    flux = 4 / 3 * black / (depth[opaque] / 2 + 2 / 3)
    seen = depth[opaque[bare > 0]]
    return Surface(
        luminosity=float(np.sum(area * flux)),
        area=float(np.sum(area)),
        depth=float(np.median(seen)) if len(seen) else float("nan"),
    )
