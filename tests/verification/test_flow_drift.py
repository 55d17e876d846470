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


# Five minutes. Demanded is 1e-3 of J a turn.
@pytest.mark.nightly
def test_the_flow_follows_for_five_turns(made):
    job = Job("rotating_star_5_turns", "rotating_star", (*COARSE, f"run.end_time={5 * TURN}"))
    assert np.abs(drift(made(job))[-1]) < 5 * 1e-3
