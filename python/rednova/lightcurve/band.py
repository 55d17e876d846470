"""Magnitudes in Cousins' band I of surfaces that shine as black bodies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rednova.lightcurve.medium import LIGHT_SPEED, PLANCK
from rednova.snapshot import BOLTZMANN

ANGSTROM = 1e-8  # cm
PARSEC = 3.0856775814913673e18  # cm
#: Flux by wavelength of magnitude 0, erg/(cm² s Å): Bessell, Castelli & Plez (1998), for 7980 Å.
ZERO = 1.13e-9
#: Share of the light of a wavelength that counts, from 7000 to 9200 Å in steps of 100 Å: Bessell (1990), band I.
PASSBAND = (
    *(
        0.0,
        0.024,
        0.232,
        0.555,
        0.785,
        0.910,
        0.965,
        0.985,
        0.990,
        0.995,
        1.0,
        1.0,
        0.990,
        0.980,
        0.950,
        0.910,
    ),
    *(0.860, 0.750, 0.560, 0.330, 0.150, 0.030, 0.0),
)
KNOTS = 7000 + 100 * np.arange(len(PASSBAND))  # Å
FINER = 10  # Å between the wavelengths at which the spectrum is summed


def black_body(wavelength: float, temperature: NDArray) -> NDArray:
    """Planck's intensity by wavelength, erg/(cm² s Å sr), of kelvin and Å."""
    x = wavelength * ANGSTROM
    with np.errstate(divide="ignore", over="ignore"):
        exponent = np.expm1(PLANCK * LIGHT_SPEED / (x * BOLTZMANN * temperature))
    return 2 * PLANCK * LIGHT_SPEED**2 / x**5 / exponent * ANGSTROM


def magnitude(temperature: NDArray, area: NDArray, distance: float) -> float:
    """Magnitude in I of surfaces that an observer sees.

    Args:
        temperature: of each surface, in K.
        area: of each as it is seen, in cm², times the share of a black body's intensity that it has.
        distance: in pc; 10 for the absolute magnitude.

    Returns:
        -2.5 lg of the flux, weighted by the passband's energy response, over that of magnitude 0; nan where nothing is
        seen.
    """
    wavelengths = np.arange(KNOTS[0], KNOTS[-1] + FINER, FINER)
    response = np.interp(wavelengths, KNOTS, PASSBAND)
    seen = temperature > 0
    flux = np.array([np.sum(area[seen] * black_body(x, temperature[seen])) for x in wavelengths])
    mean = np.sum(flux * response) / np.sum(response) / (distance * PARSEC) ** 2
    return float(-2.5 * np.log10(mean / ZERO)) if mean > 0 else np.nan
