"""What docs/verification.md demands of two stars that should keep their orbit, and of the books of two that do not."""

import numpy as np
import pytest
from rednova.verify import transfer
from rednova.verify.binaries import (
    CONTACT,
    LEDGER,
    MESHES,
    ORBITS,
    SEPARATION,
    detached,
    separation_change,
    spin_share,
)
from rednova.verify.library import Job
from rednova.verify.measure import changes_of_centres, drift, largest_drift, turns, worst_remainder

#: By how many orbits the end may be missed: the driver counts the last 1e-5 as passed and may go as far beyond.
END = 2e-5


def change(history, column):
    """The largest change of a column over its first value."""
    return np.max(np.abs(history[column] / history[column][0] - 1))


def test_keeps_its_orbit_for_a_while(made):
    # 16 cells across the larger star instead of 32, 11 across the smaller one. Measured after a tenth of an orbit:
    # separation within 2.8e-5, the momenta's J within 2.4e-5, and the spin's share of J stays at its 1.3e-3. Without
    # the edges of the pressure about equilibrium 6.3e-4 and 6.2e-4.
    history = made(Job("tenth", "detached_binary", ("mesh.max_level=5", "run.end_orbits=0.1"))).history
    assert history["orbits"][-1] == pytest.approx(0.1, abs=END)
    assert change(history, "separation") < 6e-5
    assert np.max(np.abs(history["flow_drift_z"])) < 5e-5
    assert np.max(np.abs(spin_share(history))) < 2e-3


def test_the_flow_follows_the_books_as_mass_transfer_begins(made):
    # The run of the chapter with 8 cells to the radius of the donor, which fills its lobe, in a smaller box:
    # twenty seconds. Measured 5.0e-6 of J and 4.4e-6 of the separation.
    history = made(transfer.beginning(0.03)).history
    assert history["orbits"][-1] == pytest.approx(0.03, abs=END)
    assert np.max(np.abs(history["flow_drift_z"])) < 8e-6
    assert change(history, "separation") < 7e-6


#: Of the runs with spin, by cells to the smaller star's radius: drift of the momenta's angular momentum per orbit, over
#: J. Demanded is 1e-3 with 8 cells, 1e-4 with 16. Measured in five orbits: -6.3e-7 with 8, -4.6e-7 with 12, -1.4e-6
#: with 16; the spin's share of J is 7.3e-4, 3.4e-4 and 1.8e-4 at most.
DRIFT = {8: 5e-6, 12: 5e-6, 16: 5e-6}
#: Of the drift itself at any time, over J. Measured 4.2e-5, 1.7e-5 and 1.1e-5.
LARGEST_DRIFT = {8: 8e-5, 12: 3e-5, 16: 2e-5}
SHARE = {8: 1e-3, 12: 5e-4, 16: 3e-4}
#: By how much the separation may change within an orbit. Demanded is 1e-3; measured 2.6e-4, 1.5e-4 and 2.3e-4.
ORBIT = 4e-4


@pytest.mark.parametrize("cells", MESHES)
def test_keeps_its_orbit_and_the_flow_follows_the_books(long_run, cells):
    # On one thread half an hour with 8 cells, three hours with 16.
    history = long_run(detached(cells, spin=True)).history
    assert turns(history)[-1] == pytest.approx(ORBITS, abs=END)
    assert abs(drift(history)) < DRIFT[cells]
    assert largest_drift(history) < LARGEST_DRIFT[cells]
    assert np.max(np.abs(spin_share(history))) < SHARE[cells]


@pytest.mark.parametrize("cells", MESHES)
def test_keeps_its_separation(long_run, cells):
    run = long_run(detached(cells, spin=True))
    assert change(run.history, "separation") < SEPARATION[cells]
    ends = np.interp(range(ORBITS + 1), turns(run.history), separation_change(run.history))
    assert np.max(np.abs(np.diff(ends))) < ORBIT
    # Rounding of some thousand steps. Measured: 4e-14 at most.
    assert max(worst_remainder(run).values()) < 2e-13


@pytest.mark.parametrize("star", ["accretor", "donor"])
@pytest.mark.parametrize("cells", MESHES)
def test_keeps_its_stars(long_run, star, cells):
    # Demanded of 16 cells: 1 %. Measured in five orbits with 8: accretor 0.28 %, donor 0.70 %; with 12 0.13 and 0.54 %,
    # with 16 0.08 and 0.45 %.
    # Gas of slightly less entropy sinks to the middle of a star that has the same everywhere.
    changes = changes_of_centres(long_run(detached(cells, spin=True)))
    assert np.max(np.abs(changes[star])) < 0.01


@pytest.mark.parametrize("cells", transfer.LEVELS)
def test_the_flow_follows_the_books_while_mass_is_transferred(long_run, cells):
    run = long_run(transfer.semi_detached(cells))
    assert turns(run.history)[-1] == pytest.approx(ORBITS, abs=1e-3)
    assert transfer.lost_by_donor(run) > 0
    assert abs(drift(run.history)) < transfer.DRIFT[cells]
    assert largest_drift(run.history) < transfer.LARGEST_DRIFT[cells]
    assert max(worst_remainder(run).values()) < 2e-13


def test_the_ledger_of_a_contact_binary_balances(long_run):
    # Rounding of five thousand steps with an adaptation every ten. Measured: 2e-14 of the mass, 5e-16 of the others.
    run = long_run(CONTACT)
    # Its orbit changes from step to step: one that ended in its first steps was 8e-5 orbits too long.
    assert turns(run.history)[-1] == pytest.approx(ORBITS, abs=1e-3)
    worst = worst_remainder(run)
    assert set(worst) == {"mass", "momentum", "angular momentum", "energy"}
    assert max(worst.values()) < LEDGER, worst
    # The flow follows less well on so few cells. Measured: 6.9e-3 of J.
    assert largest_drift(run.history) < 1e-2
