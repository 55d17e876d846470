"""The analytic sum of grey opacities, as the program has it (`src/radiation/opacity.hpp`); a test compares the two."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: The metals whose electrons the ion of hydrogen counts at least.
LEAST_METALS = 1e-6


@dataclass(frozen=True)
class Composition:
    """Mass fractions of hydrogen, and of all but hydrogen and helium; whether these form grains in cool gas."""

    hydrogen: float
    metals: float
    dust: bool = False


def kramers(of: Composition, rho: NDArray, t: NDArray) -> NDArray:
    """Bound-free and free-free absorption, cm²/g: Carroll & Ostlie (2017), eqs. 9.22 and 9.23, all factors 1."""
    bound_free = 4.34e25 * of.metals * (1 + of.hydrogen)
    free_free = 3.68e22 * (1 - of.metals) * (1 + of.hydrogen)
    return (bound_free + free_free) * rho / np.maximum(t**3.5, 1e-300)


def negative_hydrogen(of: Composition, rho: NDArray, t: NDArray) -> NDArray:
    """H⁻, cm²/g, a fit between 3000 and 6000 K: Hansen, Kawaler & Trimble (2004), chapter 4.

    Without metals hydrogen gives its own electrons: as `radiation/opacity.hpp` has it.
    """
    return 2.5e-31 * (np.maximum(of.metals, LEAST_METALS) / 0.02) * np.sqrt(rho) * t**9


def grains(of: Composition, rho: NDArray, t: NDArray) -> NDArray:
    """Ice and metal grains in equilibrium with the gas, cm²/g: Bell & Lin (1994), their laws joined harmonically."""
    with np.errstate(divide="ignore", over="ignore"):
        without_ice = 2e16 / np.maximum(t**7.0, 1e-290) + 0.1 * np.sqrt(t)
        evaporating = 2e81 * rho / np.maximum(t**24.0, 1e-200)
        return of.metals / 0.02 / (1 / (2e-4 * t**2) + 1 / without_ice + 1 / evaporating)


def extinction(of: Composition, rho: NDArray, t: NDArray) -> NDArray:
    """Absorption and scattering, cm²/g, for light in diffusion.

    Args:
        of: the composition.
        rho: density in g/cm³.
        t: temperature in K.
    """
    hot = 0.2 * (1 + of.hydrogen) + kramers(of, rho, t)
    cool = 0.1 * of.metals + (grains(of, rho, t) if of.dust else 0)
    with np.errstate(divide="ignore"):
        return cool + 1 / (1 / negative_hydrogen(of, rho, t) + 1 / hot)
