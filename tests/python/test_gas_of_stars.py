"""Snapshots of gas of stars: pressure, temperature, mean molecular weight and electrons belong together."""

import numpy as np
import pytest
import rednova
import yt
from rednova.snapshot import ATOMIC_MASS, BOLTZMANN

RADIATION = 7.565733250e-15  # erg/(cm³ K⁴)

# 1e-8 and 2.5e-9 g/cm³ at 20 000 and 8000 K or so, on both sides of hydrogen's ionization.
TUBE = """\
[problem]
name = "sod"
left_density = 1.6937e-09
left_pressure = 2.38e-12
right_density = 4.2343e-10
right_pressure = 1.24e-13

[units]
system = "solar"

[eos]
model = "stellar"

[hydro]
density_floor = 1e-12
energy_floor = 1e-20

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


def test_pressure_is_that_of_particles_and_light(tube):
    """p = rho k T / (mu m_u) + a T⁴ / 3 where electrons are degenerate to 1e-7 and atoms fill 1e-7 of the volume.

    The bound is twice what the splines of p, T and electrons, made of the same states, have here; one of them alone may
    be off by 1e-5.
    """
    units = tube.units
    density, kelvin = tube["density"] * units.density, tube["temperature"]
    gas = density * BOLTZMANN * kelvin / (tube["mean_molecular_weight"] * ATOMIC_MASS)
    light = RADIATION * kelvin**4 / 3
    error = tube["pressure"] * units.pressure / (gas + light) - 1
    assert np.abs(error).max() < 4e-7
    assert light.max() > 0.01 * gas.max()


def test_electrons_and_nuclei_make_the_mean_molecular_weight(tube):
    nuclei = 0.7 / 1.00794 + 0.28 / 4.002602 + 0.01 / 12.0107 + 0.01 / 15.9994
    electrons = tube["electron_fraction"]
    assert 1 / tube["mean_molecular_weight"] == pytest.approx(nuclei + electrons, rel=1e-14)
    assert (
        electrons.min() < 0.1 < 0.6 < electrons.max()
    )  # hydrogen is neutral on one side, ionized on the other
    assert tube.unit("electron_fraction") == tube.unit("mean_molecular_weight") == "1"
    assert np.isnan(tube.mu)


def test_open_yt_has_the_file_s_temperature_and_particles(tube):
    cells = rednova.open_yt(tube.path).all_data()
    stored = {name: np.sort(tube[name].ravel()) for name in ("temperature", "mean_molecular_weight")}
    assert np.sort(cells["gas", "temperature"].to("K").d) == pytest.approx(stored["temperature"], abs=0)
    assert np.sort(cells["gas", "mean_molecular_weight"].d) == pytest.approx(
        stored["mean_molecular_weight"], abs=0
    )
    electrons = tube["electron_fraction"] * tube["density"] * tube.units.density / ATOMIC_MASS
    assert np.sort(cells["gas", "El_number_density"].to("cm**-3").d) == pytest.approx(
        np.sort(electrons.ravel()), rel=1e-12
    )


def test_yt_alone_gives_no_temperature_of_another_gas(tube):
    assert np.isnan(yt.load(str(tube.path)).all_data()["gas", "temperature"].d).all()


def test_they_are_written_where_they_are_asked_for(make_run):
    chosen = TUBE + '\n[output]\nfields = ["density", "electron_fraction"]\n'
    last = rednova.Run(make_run("chosen", chosen)).snapshots[-1]
    assert last.stored_fields == ["prim_density", "electron_fraction"]
    with pytest.raises(KeyError, match="no field 'mean_molecular_weight'"):
        last.read("mean_molecular_weight")
