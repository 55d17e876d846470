"""What docs/verification.md demands of two stars that should keep their orbit, and of the books of two that do not."""

import numpy as np
import pytest
from rednova.verify.binaries import (
    BOUND,
    CELLS,
    CONTACT,
    LEDGER,
    LONGEST_STEP,
    MESHES,
    ORBITS,
    detached,
    drift,
    ratio,
    spin_share,
    turns,
)
from rednova.verify.library import Job
from rednova.verify.measure import worst_remainder


def change(history, column):
    """The largest change of a column over its first value."""
    return np.max(np.abs(history[column] / history[column][0] - 1))


def test_keeps_its_orbit_for_a_while(made):
    # 16 cells across the larger star instead of 32. Measured after a quarter of an orbit: separation within 0.07 %, and
    # the spin's share of J falls from 1.3e-3 to -3.3e-3.
    history = made(Job("quarter", "detached_binary", ("mesh.max_level=5", "run.end_orbits=0.25"))).history
    assert history["orbits"][-1] == pytest.approx(0.25)
    assert change(history, "separation") < 1.5e-3
    assert np.max(np.abs(spin_share(history))) < 5e-3


@pytest.mark.nightly
def test_keeps_its_orbit(made):
    # Half an hour on two threads. Measured: separation within 0.083 % (1 % demanded); centre of the accretor +0.1 % at
    # the end and 0.9 % on the way, of the donor +1.4 % and 2.0 % (16 and 12 cells to their radii); the spin's share of
    # J goes from 3.3e-4 to -3.9e-4.
    history = made(Job("two_orbits", "detached_binary")).history
    assert history["orbits"][-1] == pytest.approx(2)
    assert change(history, "separation") < 0.01
    assert change(history, "max_density_accretor") < 0.05
    assert change(history, "max_density_donor") < 0.05
    assert np.max(np.abs(spin_share(history))) < 3e-3


@pytest.mark.nightly
@pytest.mark.parametrize("cells", MESHES)
def test_the_flow_follows_the_books(made, cells):
    # Half an hour on two threads for both. Measured over five orbits from 86 and 133 thousand cells on: ratios
    # of 0.036 and 0.028; the spin's share of J goes to -1.4e-2 (half of it in the first half orbit, 1 % of it in the
    # fifth) and -0.9e-2 (at 3.5 orbits); the separation is off by 2.2 and 2.7 % at most.
    history = made(detached(cells, spin=True)).history
    assert turns(history)[-1] == pytest.approx(ORBITS)
    assert change(history, "separation") < BOUND
    # Octo-Tiger's drift is known for the time of a step of its coarser run: compared in that of ours, by its cells.
    step = drift(history)[1] * CELLS[cells] / CELLS[min(MESHES)]
    assert LONGEST_STEP * ratio(history, step) < 0.1
    share, late = np.abs(spin_share(history)), turns(history) > ORBITS - 1
    assert np.max(share) < 0.02
    assert np.max(share[late]) < 1.1 * np.max(share[~late])


@pytest.mark.nightly
def test_the_ledger_of_a_contact_binary_balances(made):
    # Rounding of five thousand steps with an adaptation every ten. Measured: 2e-14 of the mass, 5e-16 of the others.
    run = made(CONTACT)
    assert turns(run.history)[-1] == pytest.approx(ORBITS)
    worst = worst_remainder(run)
    assert set(worst) == {"mass", "momentum", "angular momentum", "energy"}
    assert max(worst.values()) < LEDGER, worst
