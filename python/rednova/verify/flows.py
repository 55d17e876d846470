"""Exact solutions as functions of place: density, velocity (3) and pressure, as `measure.Flow`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rednova.exact.riemann import Riemann, State
from rednova.verify.measure import Flow

LEFT, RIGHT = State(1.0, 0.0, 1.0), State(0.125, 0.0, 0.1)


def sod(time: float, normal: Sequence[float] = (1, 0, 0), period: float = 0.0) -> Flow:
    """Sod's tube along a normal; with a period, diaphragms open both ways every half of it."""
    n = np.asarray(normal, float) / np.linalg.norm(normal)
    falling, rising = Riemann(LEFT, RIGHT), Riemann(RIGHT, LEFT)

    def flow(x: NDArray, y: NDArray, z: NDArray) -> list[NDArray]:
        d = n[0] * x + n[1] * y + n[2] * z
        if period:
            d = d - period * np.round(d / period)
            beyond = d - np.copysign(period / 2, d)
            states = zip(falling(d / time), rising(beyond / time), strict=True)
            rho, u, p = (np.where(np.abs(d) < period / 4, a, b) for a, b in states)
        else:
            rho, u, p = falling(d / time)
        return [rho, n[0] * u, n[1] * u, n[2] * u, p]

    return flow


def linear_wave(family: str, time: float, velocity: float, amplitude: float) -> Flow:
    """The wave of problems/linear_wave.toml: along (1, 1, 0), one wave along x and one along y."""
    n = np.array([1, 1, 0]) / np.sqrt(2)
    across = np.array([1, 0, 0]) - n[0] * n
    across /= np.linalg.norm(across)
    speed = velocity + (family == "sound")  # the sound speed is 1

    def flow(x: NDArray, y: NDArray, z: NDArray) -> list[NDArray]:
        change = amplitude * np.sin(2 * np.pi * (x + y + 0 * z - speed * time * np.sqrt(2)))
        rho = 1 + change * (family != "shear")
        p = 0.6 * (1 + 5 / 3 * change * (family == "sound"))
        along = velocity + change * (family == "sound")
        side = change * (family == "shear")
        return [rho, *(n[d] * along + across[d] * side for d in range(3)), p + 0 * rho]

    return flow


def vortex(time: float) -> Flow:
    """The vortex of problems/isentropic_vortex.toml, in its periodic box of edge 10."""

    def flow(x: NDArray, y: NDArray, z: NDArray) -> list[NDArray]:
        dx, dy = (c - time - 10 * np.round((c - time) / 10) for c in (x, y))
        turn = 5 / (2 * np.pi) * np.exp((1 - dx * dx - dy * dy) / 2)
        temperature = 1 - 0.4 / 2.8 * turn * turn
        rho = temperature**2.5
        return [rho, 1 - turn * dy, 1 + turn * dx, 0 * z, rho * temperature]

    return flow


def gresho_speed(r: NDArray) -> NDArray:
    """The triangle of velocity of problems/gresho_vortex.toml."""
    return np.where(r < 0.2, 5 * r, np.maximum(2 - 5 * r, 0))


def disc_speed(r: NDArray) -> NDArray:
    """The solid body with its rim of problems/rotating_disc.toml."""
    return np.where(r < 0.3, 2 * r, np.maximum(6 * (0.4 - r), 0))


def ball(time: float) -> Flow:
    """The ball of problems/contact.toml."""

    def flow(x: NDArray, y: NDArray, z: NDArray) -> list[NDArray]:
        square = 0.0
        for c, start, speed in ((x, -0.25, 1.0), (y, -0.125, 0.5), (z, -0.0625, 0.25)):
            d = c - start - speed * time
            square = square + (d - np.round(d)) ** 2
        rho = np.where(square < 0.15**2, 10.0, 1.0)
        return [rho, 1 + 0 * rho, 0.5 + 0 * rho, 0.25 + 0 * rho, 1 + 0 * rho]

    return flow
