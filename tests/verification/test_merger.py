"""The merger of `make run`: two stars become one, and the books stay closed on the way."""

import numpy as np
import pytest
from rednova.verify.binaries import LEDGER
from rednova.verify.library import Job
from rednova.verify.measure import worst_remainder


@pytest.mark.nightly
def test_two_stars_merge_within_the_run(made):
    # Some minutes on two cores. Measured: they merge after 1.447 orbits, in step 643 of 891.
    run = made(Job("merger", "merger_quick"))
    history = run.history
    two = history["stars"] == 2
    merged = int(np.argmin(two))
    assert two[0]
    assert not np.any(two[merged:]), "they stay one"
    assert history["orbits"][merged] == pytest.approx(1.45, abs=0.1)
    # Driving takes 15 % of J_orb an orbit. It counts all gas of the two species, while J_orb is that of the gas in
    # the lobes, which empty before the merger: by 18 % less than what was taken.
    orbits = np.abs(history["orbits"][: merged + 1])
    expected = 0.15 * np.trapezoid(np.nan_to_num(history["j_orb"][: merged + 1]), orbits)
    assert -history["driven_angular_momentum_z"][-1] == pytest.approx(expected, rel=0.25)
    assert max(worst_remainder(run).values()) < LEDGER
    # The momenta's own angular momentum, which no book closes: 2.2e-3 of J on cells of a sixteenth of the separation.
    assert np.max(np.abs(history["flow_drift_z"])) < 4e-3
