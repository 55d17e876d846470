"""The exact spherical point explosion in uniform cold gas (Sedov 1959; Kamm & Timmes 2007, LA-UR-07-2849)."""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import quad


class Sedov:
    """The self-similar solution in 3-D, uniform density (Kamm & Timmes: j = 3, omega = 0, standard case).

    Args:
        energy: of the explosion.
        density: of the gas around.
        gamma: ratio of specific heats, 1 < gamma < 7, but not 2.

    Attributes:
        alpha: energy = alpha * density * radius^5 / t^2, with the radius of the shock.

    Raises:
        ValueError: for another gamma.
    """

    def __init__(self, energy: float = 1.0, density: float = 1.0, gamma: float = 1.4) -> None:
        if not 1 < gamma < 7:
            raise ValueError("the standard solution holds for 1 < gamma < 7")
        self.energy, self.density, self.gamma = energy, density, gamma
        g = gamma
        # Exponents (Kamm & Timmes eqs. 42-47) and factors (eqs. 34-38).
        self._a0 = 2 / 5
        self._a2 = -(g - 1) / (2 * (g - 1) + 3)
        self._a1 = 5 * g / (2 + 3 * (g - 1)) * (6 * (2 - g) / (25 * g) - self._a2)
        self._a3 = 3 / (2 * (g - 1) + 3)
        self._a4 = 5 * self._a1 / (2 - g) if abs(g - 2) > 1e-6 else np.nan
        self._a5 = -2 / (2 - g) if abs(g - 2) > 1e-6 else np.nan
        if np.isnan(self._a4):
            raise ValueError("gamma = 2 is a removable singularity of the solution: take 2.001")
        self._a, self._b, self._c = 5 * (g + 1) / 4, (g + 1) / (g - 1), 5 * g / 2
        self._d = 5 * (g + 1) / (5 * (g + 1) - 2 * (2 + 3 * (g - 1)))
        self._e = (2 + 3 * (g - 1)) / 2
        self._v0, self._v2 = 2 / (5 * g), 4 / (5 * (g + 1))  # centre and shock (eqs. 23, 18)
        # The energy integral over the profile. The radius goes as depth^(-a2): start at 1e-5 of the shock's.
        start = -np.log(1e-5) / self._a2
        integral = quad(self._energy_per_log, start, 0, limit=400, epsabs=0, epsrel=1e-11)[0]
        self.alpha = float(32 * np.pi / (25 * (g * g - 1)) * integral)

    def _factors(self, depth: ArrayLike) -> tuple[NDArray[np.float64], ...]:
        """x1 … x4 (eqs. 39-41, 48) at V = V0 + depth (V2 - V0); depth keeps x2's digits near the centre."""
        s = np.asarray(depth, dtype=float) * (self._v2 - self._v0)
        v = self._v0 + s
        x1, x2 = self._a * v, self._b * self._c * s
        return (x1, x2, self._d * (1 - self._e * v), self._b * (1 - self._c * v / self.gamma))

    def _profile(self, depth: ArrayLike) -> tuple[NDArray[np.float64], ...]:
        """Radius, velocity, density and pressure in units of those behind the shock (eqs. 30-33)."""
        x1, x2, x3, x4 = self._factors(depth)
        radius = x1**-self._a0 * x2**-self._a2 * x3**-self._a1
        density = x2**self._a3 * x3**self._a4 * x4**self._a5
        pressure = x1 ** (3 * self._a0) * x3 ** (self._a4 - 2 * self._a1) * x4 ** (1 + self._a5)
        return radius, x1 * radius, density, pressure

    def _energy_per_log(self, log_depth: float) -> float:
        """(density velocity² + pressure) radius² d(radius)/d(log depth), in units of the shock's values."""
        depth = np.exp(log_depth)
        r, f, g, h = self._profile(depth)
        x1, x2, x3, _ = self._factors(depth)
        slope = (
            self._a1 * self._d * self._e / x3 - self._a0 * self._a / x1 - self._a2 * self._b * self._c / x2
        )
        return float((g * f * f + h) * r**3 * slope * (self._v2 - self._v0) * depth)

    def shock_radius(self, time: float) -> float:
        """Radius of the shock at a time."""
        return float((self.energy * time * time / (self.alpha * self.density)) ** 0.2)

    def __call__(self, radius: ArrayLike, time: float) -> tuple[NDArray[np.float64], ...]:
        """Density, radial velocity and pressure at a time.

        Args:
            radius: an array of any shape, which the three results have, too.
            time: after the explosion, above 0.

        Returns:
            The gas inside of the shock; beyond it `density` at rest without pressure.
        """
        shock = self.shock_radius(time)
        speed = 0.4 * shock / time
        g = self.gamma
        r = np.asarray(radius, dtype=float)
        # The profile on a fine table in depth^p, where lambda ~ depth^(-a2) at the centre.
        depth = np.linspace(0, 1, 20001)[1:] ** (1 / -self._a2)
        depth = depth[depth > 1e-300]
        table = self._profile(depth)
        x = r / shock
        inside = x < 1
        first = table[0][0]
        density = np.interp(x, table[0], table[2] * self.density * (g + 1) / (g - 1))
        velocity = np.interp(x, table[0], table[1] * 2 * speed / (g + 1))
        pressure = np.interp(x, table[0], table[3] * 2 * self.density * speed**2 / (g + 1))
        velocity = np.where(x < first, velocity * x / first, velocity)
        return (
            np.where(inside, density, self.density),
            np.where(inside, velocity, 0.0),
            np.where(inside, pressure, 0.0),
        )


def main() -> None:
    """Prints the profile: python -m rednova.exact.sedov [time [energy [gamma]]]."""
    values = [float(x) for x in sys.argv[1:4]]
    time, energy, gamma = values + [0.1, 0.851072, 1.4][len(values) :]
    solution = Sedov(energy, 1.0, gamma)
    shock = solution.shock_radius(time)
    print(f"# t = {time}, E = {energy}, gamma = {gamma}, alpha = {solution.alpha:.8f}, shock at {shock:.8f}")
    print("# radius density velocity pressure")
    r = np.linspace(0, 1.1 * shock, 111)
    for row in zip(r, *solution(r, time), strict=True):
        print(" ".join(f"{x:.8e}" for x in row))


if __name__ == "__main__":
    main()
