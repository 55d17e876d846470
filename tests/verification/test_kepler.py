"""A point mass on a whole orbit about a star of gas, so light that it raises no tide: Kepler's laws."""

import subprocess

import numpy as np
import pytest
from rednova import Run

MASS, SEPARATION = 1e-5, 2.0
PERIOD = 2 * np.pi * np.sqrt(SEPARATION**3 / (1 + MASS))
INPUT = f"""\
[problem]
name = "common_envelope"
mass = 1.0
radius = 1.0
index = 1.0
companion_mass = {MASS}
companion_softening = 0.25
separation = {SEPARATION}
[run]
end_time = {PERIOD}
[mesh]
lower = [-4.0, -4.0, -4.0]
base_width = 8.0
min_level = 1
max_level = 2
regrid_interval = 10
[refine]
density = 0.01
[hydro]
gamma = 2.0
species = ["star", "atmosphere"]
specific_energy_ceiling = 0.75
thin_gas_density = 1e-3
[gravity]
enabled = true
order = 4
[point_masses]
cells = 0
[output]
snapshot_time = {PERIOD}
"""


# Measured with 4 cells to the star's radius, in two minutes: the star of the mesh lacks 4e-4 of its mass, so the orbit
# is an ellipse of e = 1.2e-3: the radius grows by 2.41e-3 and comes back to 4.4e-5, the phase falls behind by 1.97e-3.
# Books close to 1.5e-13, what the integration of the point adds to the energy is 3e-12.
@pytest.mark.nightly
def test_a_point_closes_its_orbit(program, tmp_path):
    file, out = tmp_path / "kepler.toml", tmp_path / "run"
    file.write_text(INPUT)
    subprocess.run([str(program), "run", str(file), "--out", str(out)], check=True, capture_output=True)
    run = Run(out)
    history, time = run.history, run.history["time"]
    assert time[-1] == pytest.approx(PERIOD, rel=1e-12)
    apart = np.stack([history[f"point_1_{d}"] - history[f"centre_{d}_accretor"] for d in "xyz"], axis=1)
    # The star of the mesh has the mass of its cells.
    kepler = np.sqrt((history["mass_star"][0] + MASS) / SEPARATION**3) * time
    phase = np.unwrap(np.arctan2(apart[:, 1], apart[:, 0])) - kepler
    radius = np.linalg.norm(apart, axis=1) / SEPARATION - 1
    print(f"phase {phase[-1] / kepler[-1]:+.2e}, radius {radius.min():+.2e} to {radius.max():+.2e}")
    assert abs(phase[-1] / kepler[-1]) < 2.6e-3
    assert abs(radius).max() < 3e-3
    assert abs(radius[-1]) < 9e-5
    for entry in ("mass", "momentum", "angular_momentum", "energy"):
        assert np.max(np.abs(run.ledger[entry]["relative"])) < 1e-12, entry
    assert abs(run.ledger["energy"]["points"]) < 6e-12 * run.ledger["energy"]["magnitude"]
