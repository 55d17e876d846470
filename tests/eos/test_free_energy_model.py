"""The model of the gas of stars: it obeys thermodynamics, and the committed expected values are its own."""

import re
from pathlib import Path

import numpy as np
import pytest
from rednova.reference import free_energy

HEADER = Path(__file__).with_name("free_energy_expected.hpp")


def committed(name):
    """The rows of a committed set: density, temperature, then the values."""
    block = re.search(rf"> {name}\{{\{{\n(.*?)\}}\}};", HEADER.read_text(), re.DOTALL).group(1)
    return np.array([[float(v) for v in re.findall(r"-?\d[\d.e+-]*", row)] for row in block.splitlines()])


@pytest.mark.parametrize(("name", "row"), [("solar", 21), ("molecular", 18), ("carbon_oxygen", 47)])
def test_expected_values_are_its_own(name, row):
    """One state of each set, made again; sums of some hundred terms differ in rounding between machines."""
    gas = dict(free_energy.cases())[name]
    rho, t, *expected = committed(name)[row]
    np.testing.assert_allclose(gas.state(rho, t), expected, rtol=1e-11)


@pytest.mark.parametrize("pairs", [False, True])
def test_electrons_obey_thermodynamics(pairs):
    """dp/dmu = n at constant temperature."""
    for beta in (0.01, 0.3):
        for potential in (0.5, 20.0, 300.0):
            number, p, _ = free_energy.fermi(potential + 1j * free_energy.STEP, beta, pairs)
            slope = p.imag / free_energy.STEP / (beta * free_energy.REST)
            assert abs(slope / number.real - 1) < 1e-12
