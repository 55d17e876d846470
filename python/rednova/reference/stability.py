"""Von Neumann's analysis of the linear schemes: which Courant numbers hold plane waves. The twin of
`config::largest_stable_cfl`.

The linearised Euler equations about uniform gas with density 1 and sound speed 1, in three dimensions, cubic cells:

    dq/dt = -sum_d (F_d(i + 1/2) - F_d(i - 1/2)) / h,    F_d = A_d (l + r) / 2 - D_d (r - l) / 2

with the edges l and r of the unlimited reconstruction, D_d = |A_d| for HLLC, which resolves all waves of a small jump,
and D_d = |u_d| + c for Kurganov and Tadmor's flux. A wave with phases theta_d between neighbouring cells makes it a
matrix L(theta) of five rows, and a step multiplies the wave's parts by R(dt lambda), lambda the eigenvalues of L and R
the integrator's polynomial.

Limiters are not in it. Where they act edges are cells' averages, and the scheme is that of `constant`, so what is to be
stable has to keep to the bounds of its own edges and to those of `constant`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: What a step does to q' = lambda q, as polynomials in z = dt lambda.
STEP = {
    "rk2": lambda z: 1 + z + z * z / 2,
    "rk3": lambda z: 1 + z + z * z / 2 + z**3 / 6,
}
#: The value at a cell's upper edge, of a wave that is 1 in the cell and turns by theta from cell to cell.
EDGE = {
    "constant": lambda theta: np.ones_like(theta) + 0j,
    "plm": lambda theta: 1 + 0.5j * np.sin(theta),
    "ppm": lambda theta: (
        (
            2 * np.exp(-2j * theta)
            - 13 * np.exp(-1j * theta)
            + 47
            + 27 * np.exp(1j * theta)
            - 3 * np.exp(2j * theta)
        )
        / 60
    ),
}
RIEMANN = ("hllc", "kt")
#: Gas at rest, along an axis, and along diagonals from subsonic to far above the sound speed.
VELOCITIES = ((0, 0, 0), (1, 0, 0), (30, 30, 0), (0.3, 0.3, 0.3), (1, 1, 1), (100, 100, 100))


def jacobian(velocity: NDArray, direction: int) -> NDArray:
    """Of the flux along a direction, for density, velocity (3) and pressure: [5, 5]."""
    matrix = velocity[direction] * np.eye(5)
    matrix[0, 1 + direction] = matrix[1 + direction, 4] = matrix[4, 1 + direction] = 1
    return matrix


def dissipation(riemann: str, matrix: NDArray, speed: float) -> NDArray:
    """The matrix that multiplies the jump at a face. speed: normal to the face."""
    if riemann == "kt":
        return (abs(speed) + 1) * np.eye(5)
    values, vectors = np.linalg.eig(matrix)
    return (vectors * np.abs(values)) @ np.linalg.inv(vectors)


def phases() -> NDArray:
    """Phases between neighbouring cells in x, y and z: of waves along axes and diagonals, from 300 cells to 2, and of a
    lattice of all directions: [wave, 3]."""
    along = np.concatenate([np.geomspace(0.02, 0.8, 60), np.linspace(0.82, np.pi, 60)])
    directions = np.array([[1, 0, 0], [1, 1, 0], [1, -1, 0], [1, 1, 1], [1, -1, 1]])
    lines = (along[:, None, None] * directions).reshape(-1, 3)
    ring = np.linspace(-np.pi, np.pi, 9)
    lattice = np.stack(np.meshgrid(ring, ring, ring[4:], indexing="ij"), axis=-1).reshape(-1, 3)
    return np.concatenate([lines, lattice[np.abs(lattice).sum(axis=1) > 0]])


def growth(
    integrator: str, reconstruction: str, riemann: str, velocity, cfl: float, periods: float = 200
) -> float:
    """By how much the wave that grows most grows in so many of its own periods; 1 where none grows.

    Args:
        integrator: "rk2" or "rk3".
        reconstruction: "constant", "plm" or "ppm".
        riemann: "hllc" or "kt".
        velocity: (x, y, z) of the gas over its sound speed.
        cfl: the Courant number of the largest signal along an axis.
        periods: of the wave.
    """
    velocity = np.asarray(velocity, float)
    theta = phases()
    rate = np.zeros((len(theta), 5, 5), complex)
    for d in range(3):
        matrix = jacobian(velocity, d)
        diffusion = dissipation(riemann, matrix, velocity[d])
        turn = np.exp(1j * theta[:, d])
        lower = EDGE[reconstruction](theta[:, d])
        upper = turn * np.conj(lower)
        flux = 0.5 * ((lower + upper)[:, None, None] * matrix - (upper - lower)[:, None, None] * diffusion)
        rate -= (1 - 1 / turn)[:, None, None] * flux
    step = STEP[integrator](np.linalg.eigvals(cfl / (np.max(np.abs(velocity)) + 1) * rate))
    gain = np.log(np.maximum(np.abs(step), 1e-300))
    rounding = 1e-11  # of eigenvalues
    grows = gain > rounding
    if not np.any(grows):
        return 1.0
    # A mode that only changes its sign has half a period in a step.
    turned = np.abs(np.angle(step[grows]))
    return float(np.exp(min(np.max(gain[grows] * 2 * np.pi * periods / np.maximum(turned, 1e-3)), 700)))


def largest_cfl(
    integrator: str, reconstruction: str, riemann: str, velocity, most_growth: float = 1.01
) -> float:
    """The largest Courant number, ``max_d (|u_d| + c) dt / h``, with growth of at most this in 200 periods."""
    low, high = 0.01, 2.0
    for _ in range(12):
        middle = 0.5 * (low + high)
        if growth(integrator, reconstruction, riemann, velocity, middle) > most_growth:
            high = middle
        else:
            low = middle
    return low


def bound(integrator: str, reconstruction: str) -> float:
    """The smallest of `largest_cfl` over VELOCITIES and RIEMANN."""
    return min(largest_cfl(integrator, reconstruction, riemann, v) for riemann in RIEMANN for v in VELOCITIES)
