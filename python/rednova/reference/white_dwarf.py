"""Degenerate electrons at zero temperature, by integration (Chandrasekhar 1939, ch. X). All in cgs."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

ELECTRON_MASS, LIGHT_SPEED, PLANCK = 9.1093837015e-28, 2.99792458e10, 6.62607015e-27
ATOMIC_MASS, BOLTZMANN = 1.66053906660e-24, 1.380649e-16


def cold_electrons(density: ArrayLike, electron_weight: float = 2.0) -> tuple[NDArray, NDArray]:
    """Pressure and energy per volume at a density, with `electron_weight` nucleons per electron.

    The momenta x m c of the electrons fill a sphere: n = (8 pi / 3) (m c x / h)^3; each has the energy
    (sqrt(1 + t^2) - 1) m c^2 and gives the pressure t^2 / (3 sqrt(1 + t^2)) m c^2.

    Args:
        density: g/cm³, of any shape.
        electron_weight: nucleons per electron.

    Returns:
        Pressure and energy per volume in erg/cm³, of the same shape.
    """
    compton = (ELECTRON_MASS * LIGHT_SPEED / PLANCK) ** 3
    x = np.cbrt(np.asarray(density, float) / (electron_weight * ATOMIC_MASS * 8 * np.pi / 3 * compton))
    nodes, weights = np.polynomial.legendre.leggauss(40)
    t = x[..., None] * (nodes + 1) / 2
    states = 8 * np.pi * compton * t**2 * weights * x[..., None] / 2 * ELECTRON_MASS * LIGHT_SPEED**2
    root = np.sqrt(1 + t**2)
    return np.sum(states * t**2 / (3 * root), -1), np.sum(states * t**2 / (1 + root), -1)
