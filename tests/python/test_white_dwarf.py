"""Snapshots of degenerate gas: pressure, energy and temperature, against another formulation of the gas."""

import numpy as np
import pytest
import rednova
from rednova.reference import white_dwarf

TUBE = """\
[problem]
name = "sod"
left_density = 3.4e5
left_pressure = 1.2e7
right_density = 4.2e4
right_pressure = 3e5

[units]
system = "solar"

[eos]
model = "white_dwarf"
electron_weight = 2.1
mean_weight = 1.5

[run]
max_steps = 4

[mesh]
lower = [-0.5, 0.0, 0.0]
base_width = 0.25
base_blocks = [4, 1, 1]
boundaries = ["zero_gradient", "zero_gradient", "periodic", "periodic", "periodic", "periodic"]
"""


@pytest.fixture(scope="module")
def tube(make_run):
    return rednova.Run(make_run("tube", TUBE)).snapshots[-1]


def test_pressure_energy_and_temperature_belong_together(tube):
    units = tube.units
    density = tube["density"] * units.mass / units.length**3
    scale = units.mass / units.length**3 * units.velocity**2
    pressure, energy = tube["pressure"] * scale, tube["internal_energy_density"] * scale
    cold_pressure, cold_energy = white_dwarf.cold_electrons(density, 2.1)
    thermal = pressure - cold_pressure
    assert np.all(thermal > 0)
    # The roundings of numbers of which the thermal part is a sixth at least.
    assert energy - cold_energy == pytest.approx(1.5 * thermal, rel=1e-11)
    kelvin = 1.5 * white_dwarf.ATOMIC_MASS / white_dwarf.BOLTZMANN * thermal / density
    assert tube["temperature"] == pytest.approx(kelvin, rel=1e-11)
    assert tube["specific_internal_energy"] == pytest.approx(energy / density / units.velocity**2)


def test_the_mean_molecular_weight_is_that_of_the_input(tube):
    assert tube.mu == 1.5
    assert np.all(tube["mean_molecular_weight"] == 1.5)
    assert tube["electron_fraction"] == pytest.approx(np.full(tube["density"].shape, 1 / 2.1), rel=1e-15)


def test_chosen_fields_give_no_temperature_of_another_gas(make_run):
    chosen = TUBE + '\n[output]\nfields = ["density", "pressure"]\n'
    last = rednova.Run(make_run("chosen", chosen)).snapshots[-1]
    assert "temperature" not in last.fields
    with pytest.raises(KeyError, match="no field 'specific_internal_energy'"):
        last.read("specific_internal_energy")
