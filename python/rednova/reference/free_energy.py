"""Model of the gas of stars: one free energy of ions, bound and free electrons, pairs and radiation, in cgs.

Slow and plain: chemical equilibrium by nested bisection, integrals with hundreds of points, derivatives by complex
steps. ``python -m rednova.reference.free_energy HEADER`` writes the values that tests/eos compares with.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

# CODATA 2018
K, H, C, ME = 1.380649e-16, 6.62607015e-27, 2.99792458e10, 9.1093837015e-28
U, EV, BOHR = 1.66053906660e-24, 1.602176634e-12, 5.29177210903e-9
REST = ME * C * C
RADIATION = 8 * np.pi**5 * K**4 / (15 * C**3 * H**3)
# Weight [u], statistical weights of the stages, ionization potentials [eV].
ELEMENTS = {
    "H": (1.00794, [2, 1], [13.598434]),
    "He": (4.002602, [1, 2, 1], [24.587389, 54.417765]),
    "C": (12.0107, [9, 6, 1, 2, 1, 2, 1], [11.2603, 24.3845, 47.88778, 64.49352, 392.0905, 489.993177]),
    "O": (
        15.9994,
        [9, 4, 9, 6, 1, 2, 1, 2, 1],
        [13.618055, 35.12112, 54.93554, 77.4135, 113.8989, 138.1189, 739.32683, 871.40989],
    ),
}
MOLECULE = {
    "weight": 2.01588,
    "dissociation": 4.47807 * EV,
    "rotation": 87.6,
    "vibration": 6332.0,
    "volume": 2.5,
}
V_H = 4 / 3 * np.pi * (2 * BOHR) ** 3
POSITRON_TEMPERATURE = 5e7
STEP = 1e-30  # of complex differentiation: f(x + i h) = f + i h f'


def fermi(potential, beta, pairs):
    """Number, pressure and energy of electrons (less, plus, plus positrons) per volume.

    `potential` is eta, with `pairs` eta + 1/beta. Gauss-Legendre points in sqrt(x), x = kinetic energy / k T,
    between breaks about the Fermi energy.
    """
    eta = potential - 1 / beta if pairs else potential
    fermi_energy = max(eta.real, 0.0)
    breaks = np.sqrt([0.0, max(fermi_energy - 60, 0.0), max(fermi_energy, 6.0), fermi_energy + 70])
    nodes, weights = np.polynomial.legendre.leggauss(120)
    half = np.diff(breaks)[:, None] / 2
    z = ((breaks[:-1] + breaks[1:])[:, None] / 2 + half * nodes).ravel()
    w = (half * weights).ravel()
    x = z * z
    y = np.sqrt(1 + beta * x / 2)
    states = 2 * w * x * y * (1 + beta * x)
    flux = 2 * w * x * x * y**3
    occupied = _occupation(x - eta)
    if not pairs:
        number, p, e = states @ occupied, flux @ occupied, states @ (x * occupied)
    else:
        positrons = _occupation(x + 1 / beta + potential)
        # sinh(d) / (cosh(E) + cosh(d)), over exp(E): no cancellation where both occupations are nearly equal.
        energy = x + 1 / beta
        ratio = np.exp(potential - energy)
        net = (
            -ratio
            * np.expm1(-2 * potential)
            / (1 + np.exp(-2 * energy) + ratio + np.exp(-potential - energy))
        )
        net = np.where(ratio.real > 1e6, occupied - positrons, net)
        number, p = states @ net, flux @ (net + 2 * positrons)
        e = states @ (x * net + 2 * positrons * energy)
    scale = 8 * np.pi * np.sqrt(2) * (ME * C / H) ** 3 * beta**1.5
    return scale * number, scale * REST * beta * 2 / 3 * p, scale * REST * beta * e


def _occupation(t):
    """1 / (1 + exp(t)) of complex t."""
    e = np.exp(np.where(t.real > 0, -t, t))
    return np.where(t.real > 0, e, 1) / (1 + e)


def _log_planck_larkin(y):
    """The logarithm of 1 - exp(-y) (1 + y), and its derivative by ln T."""
    small = y * y * (0.5 - y / 3 + y * y / 8 - y**3 / 30 + y**4 / 144)
    q = small if y.real < 0.05 else 1 - np.exp(-y) * (1 + y)
    return np.log(q), -y * y * np.exp(-y) / q


@dataclass
class Gas:
    """A composition: mass fractions by name, with or without radiation and hydrogen molecules."""

    fractions: dict
    radiation: bool = True
    molecules: bool = False

    def populations(self, log_rho, log_t, eta, log_u):
        """Released electrons, occupied volume, ions, energy, entropy / k and bound energy per volume."""
        rho, t = np.exp(log_rho), np.exp(log_t)
        kt, u = K * t, np.exp(log_u)
        q = self.occupation_scale(t) * u * u * (1 + u**4) / kt
        sums = np.zeros(6, complex)
        for name, fraction in self.fractions.items():
            weight, states, potentials = ELEMENTS[name]
            nuclei = rho * fraction / (weight * U)
            log_lambda = 1.5 * np.log(H * H / (2 * np.pi * weight * U * kt))
            energy = MOLECULE["dissociation"] / 2 if name == "H" and self.molecules else 0.0
            stages = []
            for z, g in enumerate(states):
                log_q, slope, volume = 0, 0, 0
                if z < len(potentials):
                    log_q, slope = _log_planck_larkin(potentials[z] * EV / kt)
                    volume = V_H * (z + 1) * 13.6 / potentials[z]
                log_z = np.log(g) + log_q
                stages.append((log_z - energy / kt - volume * q - z * eta, z, energy, slope, volume, log_z))
                energy += potentials[z] * EV if z < len(potentials) else 0
            largest = max(s[0].real for s in stages)
            log_scale = np.log(nuclei) - largest - np.log(sum(np.exp(s[0] - largest) for s in stages))
            if name == "H" and self.molecules:
                log_z = np.log(t / (2 * MOLECULE["rotation"])) - np.log(
                    1 - np.exp(-MOLECULE["vibration"] / t)
                )
                log_z -= 1.5 * np.log(H * H / (2 * np.pi * MOLECULE["weight"] * U * kt))  # over lambda^3
                volume = MOLECULE["volume"] * V_H
                log_b = log_z - volume * q + 2 * log_lambda + 2 * log_scale - np.log(nuclei)
                log_share = np.log(
                    2 / (1 + np.sqrt(1 + 8 * np.exp(log_b)))
                )  # of the nuclei in atoms and ions
                log_n = np.log(nuclei) + log_b + 2 * log_share
                n = np.exp(log_n)
                log_scale += log_share
                v = MOLECULE["vibration"] / t
                slope = 1 + v / (np.exp(v) - 1)
                sums += [0, volume * n, n, n * kt * (1.5 + slope), n * (2.5 + slope - log_n + log_z), 0]
            for log_w, z, energy, slope, volume, log_z in stages:
                log_n = log_scale + log_w
                n = np.exp(log_n)
                entropy = n * (2.5 + slope - log_n - log_lambda + log_z)
                sums += [z * n, volume * n, n, n * (kt * (1.5 + slope) + energy), entropy, n * energy]
        return sums

    @staticmethod
    def occupation_scale(t):
        """P(T) of pressure ionization."""
        return (13.6 * EV + 5 * K * t) / V_H

    @staticmethod
    def _electron(w, t, pairs):
        """What `fermi` takes, and eta, from the unknown w."""
        return (np.exp(w), np.exp(w) - REST / (K * t)) if pairs else (w, w)

    def imbalance(self, log_rho, log_t, w, log_u):
        """Logarithms of released over free electrons and of the occupied volume over u."""
        t = np.exp(log_t)
        pairs = t.real > POSITRON_TEMPERATURE
        potential, eta = self._electron(w, t, pairs)
        electrons, volume = self.populations(log_rho, log_t, eta, log_u)[:2]
        with np.errstate(divide="ignore"):
            return np.array(
                [np.log(electrons / fermi(potential, K * t / REST, pairs)[0]), np.log(volume) - log_u]
            )

    def equilibrium(self, log_rho, log_t):
        """The unknowns at real arguments: nested bisection, then Newton's method to rounding."""
        t = np.exp(log_t)
        pairs = t > POSITRON_TEMPERATURE
        number = sum(f / (ELEMENTS[e][0] * U) * len(ELEMENTS[e][2]) for e, f in self.fractions.items())
        x = np.cbrt(np.exp(log_rho) * number * U / 9.74e5)
        high = (np.sqrt(1 + x * x) - 1) * REST / (K * t) + 30
        low, high = (-65.0, np.log(high + REST / (K * t))) if pairs else (-690.0, high)
        for _ in range(60):
            w = (low + high) / 2
            potential, eta = self._electron(w, t, pairs)
            a, b = -160.0, 8.0
            for _ in range(50):
                log_u = (a + b) / 2
                electrons, volume = self.populations(log_rho, log_t, eta, log_u)[:2].real
                a, b = (log_u, b) if volume > np.exp(log_u) else (a, log_u)
            more = electrons > fermi(potential + 0j, K * t / REST, pairs)[0].real
            low, high = (w, high) if more else (low, w)
        unknowns = np.array([w, log_u], complex)
        for _ in range(4):
            unknowns = self._newton(log_rho, log_t, unknowns).real.astype(complex)
        return unknowns

    def _newton(self, log_rho, log_t, unknowns):
        """One step with the Jacobian at the real parts: exact for the imaginary parts of complex differentiation."""
        at = np.real([log_rho, log_t]).astype(complex)
        columns = [
            self.imbalance(*at, *(unknowns.real + 1j * STEP * direction)).imag / STEP
            for direction in np.eye(2)
        ]
        residual = self.imbalance(log_rho + 0j, log_t + 0j, *unknowns)
        step = np.linalg.solve(np.array(columns).T, np.array([residual.real, residual.imag / STEP]).T)
        return unknowns - step[:, 0] - 1j * STEP * step[:, 1]

    def sums(self, log_rho, log_t, unknowns):
        """Pressure, energy per mass, entropy per mass; number of ions, free electrons, bound energy per volume."""
        w, log_u = unknowns
        t, rho, u = np.exp(log_t), np.exp(log_rho), np.exp(log_u)
        pairs = t.real > POSITRON_TEMPERATURE
        potential, eta = self._electron(w, t, pairs)
        _, _, ions, energy, entropy, bound = self.populations(log_rho, log_t, eta, log_u)
        number, p_free, e_free = fermi(potential, K * t / REST, pairs)
        g = u**3 / 3 + u**7 / 7
        p = ions * K * t + self.occupation_scale(t) * (u**3 * (1 + u**4) - g) + p_free
        energy += 13.6 * EV / V_H * g + e_free
        entropy = K * entropy - 5 * K / V_H * g + (e_free + p_free) / t - K * number * eta
        if self.radiation:
            p, energy = p + RADIATION * t**4 / 3, energy + RADIATION * t**4
            entropy += 4 / 3 * RADIATION * t**3
        return p, energy / rho, entropy / rho, ions, number, bound

    def state(self, rho, t):
        """Pressure, energy, entropy, Gamma1, Grueneisen, mean weight, free electrons per u, ionization energy."""
        at = np.log([rho, t])
        unknowns = self.equilibrium(*at)
        slopes = []
        for direction in np.eye(2):
            moved = at + 1j * STEP * direction
            sums = self.sums(*moved, self._newton(*moved, unknowns))
            slopes.append([np.imag(v) / STEP for v in sums])
        p, energy, entropy, ions, number, bound = np.real(sums)
        (p_rho, *_), (p_t, e_t, *_) = slopes
        gruneisen = p_t / (rho * e_t)
        gamma1 = (p_rho + p_t * gruneisen) / p
        weight = rho / (U * (ions + number))
        return [p, energy, entropy, gamma1, gruneisen, weight, number * U / rho, bound / rho]


def cases():
    """Name and gas of what is written."""
    sun = {"H": 0.7, "He": 0.28, "C": 0.01, "O": 0.01}
    yield "solar", Gas(sun)
    yield "molecular", Gas(sun, radiation=False, molecules=True)
    yield "carbon_oxygen", Gas({"C": 0.5, "O": 0.5})


def points():
    """Densities and temperatures, every third decade of rho with eight temperatures above where gas is cold."""
    for exponent in range(-14, 8, 3):
        rho = 10.0**exponent
        cold = max(1e3 * max(1, (rho / 1e3) ** 0.7), min(1e3 * (rho / 1e-3) ** 0.4, 1e5))
        for t in np.geomspace(cold * 1.3, 2e9, 8):
            yield rho, float(f"{t:.4g}")


def main():
    """Writes the expected values as a C++ header."""
    lines = [
        "// Expected states of the gas of stars, made by `python -m rednova.reference.free_energy`.",
        "#pragma once",
        "",
        "#include <array>",
        "",
        "namespace rednova::eos::test {",
        "",
        "/// A density and temperature, then pressure, energy, entropy, Gamma1, Grueneisen coefficient, mean molecular",
        "/// weight, free electrons for each atomic mass unit, ionization energy; cgs.",
        "struct expected_state {",
        "  double rho, kelvin;",
        "  std::array<double, 8> values;",
        "};",
        "",
        "// clang-format off",
    ]
    for name, gas in cases():
        rows = [(rho, t, gas.state(rho, t)) for rho, t in points()]
        lines.append(f"inline constexpr std::array<expected_state, {len(rows)}> {name}{{{{")
        for rho, t, values in rows:
            lines.append(f"    {{{rho!r}, {t!r}, {{{', '.join(repr(float(v)) for v in values)}}}}},")
        lines += ["}};"]
        print(f"{name}: {len(rows)} states")
    lines += ["// clang-format on", "", "}  // namespace rednova::eos::test", ""]
    Path(sys.argv[1]).write_text("\n".join(lines))


if __name__ == "__main__":
    main()
