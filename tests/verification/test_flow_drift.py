"""Whether the momenta follow the conserved angular momentum, on a star that turns with the grid."""

import itertools

import numpy as np
import pytest
from rednova.verify.measure import drift as slope
from rednova.verify.measure import largest_drift
from rednova.verify.turning_star import TURNING, turning


def drift(run):
    """Of the momenta's angular momentum over J, what left put back: at each row of the history."""
    history = run.history
    total = history["angular_momentum_z"]
    assert np.max(np.abs(total + history["outflow_angular_momentum_z"] - total[0])) < 1e-12 * total[0]
    return history["flow_drift_z"]


# Measured 4.2e-4, from the surface as it settles on the mesh. Without edges of the pressure about equilibrium 3.7e-3,
# without the exchange of spin and flow besides 2.2e-2, growing.
def test_the_flow_follows_within_a_fifth_of_a_turn(made):
    assert np.max(np.abs(drift(made(turning(8, 0.2))))) < 6.5e-4


#: Bounds of the largest drift in 0.4 turns, by cells to the radius.
LARGEST = {8: 9e-4, 12: 2e-4, 16: 4.5e-5}


# Two minutes on one thread. Measured 6.2e-4, 1.3e-4 and 3.0e-5, of order 3.8 and 5.1 in the cells' width.
@pytest.mark.nightly
def test_the_drift_falls_with_the_cells_width(made):
    largest = {cells: np.max(np.abs(drift(made(turning(cells, 0.4))))) for cells in TURNING}
    for cells, bound in LARGEST.items():
        assert largest[cells] < bound
    for coarse, fine in itertools.pairwise(TURNING):
        assert np.log(largest[coarse] / largest[fine]) / np.log(fine / coarse) > 3.3


# Ten minutes, nearly all of them for the finer one. Demanded are 1e-3 and 1e-4 a turn in the mean of five. Measured
# 1.65e-3 and 1.6e-4 after five; of these the first turn makes 1.1e-3 and 5.3e-5, as the surface settles. With an
# atmosphere of 1e-8 of the central density 4.6e-3 and 5.5e-4.
@pytest.mark.nightly
def test_the_flow_follows_for_five_turns(made):
    runs = [made(turning(cells, 5)) for cells in (8, 16)]
    # Measured: 2.1e-4 and 3.0e-5 a turn.
    for run, bound in zip(runs, (4e-4, 6e-5), strict=True):
        assert abs(slope(run.history)) < bound
    coarse, fine = map(drift, runs)
    assert np.max(np.abs(coarse)) < 2.5e-3
    assert np.max(np.abs(fine)) < 2.5e-4
    assert largest_drift(runs[1].history, 1) < 1e-4
    assert np.log2(np.max(np.abs(coarse)) / np.max(np.abs(fine))) > 3
