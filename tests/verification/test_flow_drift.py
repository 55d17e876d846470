"""Whether the momenta follow the conserved angular momentum, on a star that turns with the grid."""

import numpy as np
import pytest
from rednova.verify.library import Job

# 8 cells to the radius on a uniform mesh, at 0.4 of the break-up rate: a turn takes 15.7.
COARSE = (
    "problem.spin=0.4",
    "mesh.rotation=0.4",
    "mesh.min_level=2",
    "mesh.max_level=2",
    "output.snapshot_time=0",
)
TURN = 2 * np.pi / 0.4


def drift(run):
    """Of the momenta's angular momentum over J, what left put back: at each row of the history."""
    history = run.history
    total = history["angular_momentum_z"]
    assert np.max(np.abs(total + history["outflow_angular_momentum_z"] - total[0])) < 1e-12 * total[0]
    return history["flow_drift_z"]


# Measured 5.8e-4, from the surface as it settles on the mesh. Without edges of the pressure about equilibrium 3.7e-3,
# without the exchange of spin and flow besides 2.2e-2, growing.
def test_the_flow_follows_within_a_fifth_of_a_turn(made):
    job = Job("rotating_star_8_cells", "rotating_star", (*COARSE, "run.end_time=3"))
    assert np.max(np.abs(drift(made(job)))) < 1e-3


# A quarter of an hour, most of it for the finer one. Largest drift in five turns measured: 1.9e-3 with 8 cells to the
# radius, 2.7e-4 with 16, of order 2.9; at the end 7.5e-4 and 1.4e-4. Demanded are 1e-3 and 1e-4 a turn.
@pytest.mark.nightly
def test_the_flow_follows_for_five_turns(made):
    end = f"run.end_time={5 * TURN}"
    coarse = drift(made(Job("rotating_star_5_turns", "rotating_star", (*COARSE, end))))
    fine = drift(made(Job("rotating_star_5_turns_16", "rotating_star", (*COARSE[:2], COARSE[-1], end))))
    assert np.max(np.abs(coarse)) < 2.5e-3
    assert np.max(np.abs(fine)) < 3.5e-4
    assert np.log2(np.max(np.abs(coarse)) / np.max(np.abs(fine))) > 2
    assert np.abs(coarse[-1]) < 1e-3
    assert np.abs(fine[-1]) < 2e-4
