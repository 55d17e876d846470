"""The exact Riemann solver for the ideal gas (Toro 2009, ch. 4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq


@dataclass(frozen=True)
class State:
    """Density, velocity and pressure of gas on one side, in any consistent units."""

    density: float
    velocity: float
    pressure: float


class Riemann:
    """Two constant states that meet at x = 0; called with x / t it gives the solution there.

    Args:
        left: the state at x < 0.
        right: the state at x > 0.
        gamma: ratio of specific heats.

    Attributes:
        speed: of the contact.
        pressure: on both its sides.

    Raises:
        ValueError: a vacuum would open between the states.
    """

    def __init__(self, left: State, right: State, gamma: float = 1.4) -> None:
        self.left, self.right, self.gamma = left, right, gamma
        parting = right.velocity - left.velocity
        if 2 * (self._sound(left) + self._sound(right)) / (gamma - 1) <= parting:
            raise ValueError("the two states part so fast that a vacuum opens between them")

        def mismatch(p: float) -> float:
            return self._jump(p, left) + self._jump(p, right) + parting

        upper = max(left.pressure, right.pressure)
        while mismatch(upper) < 0:
            upper *= 10
        self.pressure = float(brentq(mismatch, 1e-14 * upper, upper, xtol=1e-300, rtol=1e-14))
        jumps = self._jump(self.pressure, right) - self._jump(self.pressure, left)
        self.speed = 0.5 * (left.velocity + right.velocity + jumps)

    def _sound(self, s: State) -> float:
        return float(np.sqrt(self.gamma * s.pressure / s.density))

    def _jump(self, p: float, s: State) -> float:
        """Change of velocity across the wave that leads from s to pressure p (Toro eqs. 4.6, 4.7)."""
        g = self.gamma
        if p > s.pressure:
            a = 2 / ((g + 1) * s.density)
            b = (g - 1) / (g + 1) * s.pressure
            return float((p - s.pressure) * np.sqrt(a / (p + b)))
        return 2 * self._sound(s) / (g - 1) * ((p / s.pressure) ** ((g - 1) / (2 * g)) - 1)

    def _right(self, s: State, u: float, speed: NDArray[np.float64]) -> NDArray[np.float64]:
        """Density, velocity, pressure right of the contact, which moves with u. Shape (3, n)."""
        g, p = self.gamma, self.pressure
        ratio, mu, c = p / s.pressure, (g - 1) / (g + 1), self._sound(s)
        outer = np.array([s.density, s.velocity, s.pressure])[:, None]
        if p > s.pressure:
            shock = s.velocity + c * np.sqrt((g + 1) / (2 * g) * ratio + (g - 1) / (2 * g))
            inner = np.array([s.density * (ratio + mu) / (mu * ratio + 1), u, p])[:, None]
            return np.where(speed < shock, inner, outer)
        tail = u + c * ratio ** ((g - 1) / (2 * g))
        inner = np.array([s.density * ratio ** (1 / g), u, p])[:, None]
        k = np.clip(2 / (g + 1) - mu / c * (s.velocity - speed), 0, None)
        fan = np.array(
            [
                s.density * k ** (2 / (g - 1)),
                2 / (g + 1) * (-c + (g - 1) / 2 * s.velocity + speed),
                s.pressure * k ** (2 * g / (g - 1)),
            ]
        )
        return np.where(speed <= tail, inner, np.where(speed < s.velocity + c, fan, outer))

    def __call__(self, speed: ArrayLike) -> tuple[NDArray[np.float64], ...]:
        """Density, velocity and pressure at x / t = `speed`: arrays of its shape."""
        v = np.asarray(speed, dtype=float)
        flat = v.ravel()
        right = self._right(self.right, self.speed, flat)
        mirror = State(self.left.density, -self.left.velocity, self.left.pressure)
        left = self._right(mirror, -self.speed, -flat) * np.array([1, -1, 1])[:, None]
        q = np.where(flat > self.speed, right, left)
        return tuple(row.reshape(v.shape) for row in q)
