"""The reference solutions themselves, against the literature and against the equations that they solve."""

import numpy as np
import pytest
from rednova.exact.riemann import Riemann, State
from rednova.exact.sedov import Sedov


# Toro 2009, table 4.2, printed to 5 or 6 digits.
@pytest.mark.parametrize(
    ("left", "right", "pressure", "speed"),
    [
        (State(1, 0, 1), State(0.125, 0, 0.1), 0.30313, 0.92745),
        (State(1, 0, 1000), State(1, 0, 0.01), 460.894, 19.5975),
        (State(1, 0, 0.01), State(1, 0, 100), 46.0950, -6.19633),
        (State(5.99924, 19.5975, 460.894), State(5.99242, -6.19633, 46.0950), 1691.64, 8.68975),
    ],
)
def test_riemann_against_toro(left, right, pressure, speed):
    solution = Riemann(left, right)
    assert solution.pressure == pytest.approx(pressure, rel=2e-5)
    assert solution.speed == pytest.approx(speed, rel=2e-5)


def test_riemann_far_states_and_jump_conditions():
    solution = Riemann(State(1, 0, 1), State(0.125, 0, 0.1))
    density, velocity, pressure = solution([-2.0, 2.0])
    assert density == pytest.approx([1, 0.125])
    assert velocity == pytest.approx([0, 0])
    assert pressure == pytest.approx([1, 0.1])
    # The shock at 1.75216 (Sod 1978): mass that enters equals mass that leaves.
    density, velocity, _ = solution([1.7521, 1.7523])
    through = density * (1.752156 - velocity)
    assert through[0] == pytest.approx(through[1], rel=1e-5)


def test_riemann_refuses_vacuum():
    with pytest.raises(ValueError, match="vacuum"):
        Riemann(State(1, -20, 1), State(1, 20, 1))


# Kamm & Timmes 2007, table 1 (0.851072); Book 1994 gives 0.4936 for 5/3.
@pytest.mark.parametrize(("gamma", "alpha", "digits"), [(1.4, 0.851072, 1e-6), (5 / 3, 0.4936, 5e-5)])
def test_sedov_energy_constant(gamma, alpha, digits):
    assert Sedov(gamma=gamma).alpha == pytest.approx(alpha, abs=digits)


def test_sedov_holds_the_energy_and_the_mass():
    energy, density, time = 2.5, 0.3, 0.7
    solution = Sedov(energy, density)
    shock = solution.shock_radius(time)
    n = 200000
    r = (np.arange(n) + 0.5) * shock / n
    rho, v, p = solution(r, time)
    shell = 4 * np.pi * r * r * shock / n
    # Linear interpolation in the table of the profile leaves 1e-7.
    assert np.sum(shell * rho) == pytest.approx(4 / 3 * np.pi * shock**3 * density, rel=1e-6)
    assert np.sum(shell * (rho * v * v / 2 + p / 0.4)) == pytest.approx(energy, rel=1e-6)


@pytest.mark.parametrize("gamma", [1.2, 1.4, 5 / 3])
def test_sedov_solves_the_equations_of_motion(gamma):
    solution = Sedov(1, 1, gamma)
    time = 1.0
    shock = solution.shock_radius(time)
    r = np.linspace(0.5, 0.97, 40) * shock
    dr, dt = 7e-4 * shock, 7e-4

    def derivative(f, step):
        return (f(step) - f(-step)) / (2 * step)

    rho, v, p = solution(r, time)
    by_r = [derivative(lambda d, i=i: solution(r + d, time)[i], dr) for i in range(3)]
    by_t = [derivative(lambda d, i=i: solution(r, time + d)[i], dt) for i in range(3)]
    mass = by_t[0] + v * by_r[0] + rho * (by_r[1] + 2 * v / r)
    momentum = by_t[1] + v * by_r[1] + by_r[2] / rho
    entropy = by_t[2] + v * by_r[2] + gamma * p * (by_r[1] + 2 * v / r)
    # Residuals relative to their largest part; difference quotients and the table leave some 1e-4.
    assert np.max(np.abs(mass) / np.max(np.abs(rho * by_r[1]))) < 2e-3
    assert np.max(np.abs(momentum) / np.max(np.abs(by_r[2] / rho))) < 2e-3
    assert np.max(np.abs(entropy) / np.max(np.abs(gamma * p * by_r[1]))) < 2e-3
