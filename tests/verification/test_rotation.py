"""The Gresho vortex and the turning disc: what the spin of the cells is for."""

from dataclasses import replace

import numpy as np
import pytest
from rednova.verify import flows
from rednova.verify.measure import all_angular_momentum, momentum_spin
from rednova.verify.rotation import about_axis, job


def until(time, problem, spin):
    """The chapter's job on 32 x 32 x 8 cells, ended earlier."""
    whole = job(problem, 4, spin)
    return replace(whole, settings=(*whole.settings, f"run.end_time={time}"))


def error(run, speed):
    """L1 error of the velocity about the axis over its mean."""
    radius, found = about_axis(run.snapshots[-1])
    return np.sum(np.abs(found - speed(radius))) / np.sum(speed(radius))


@pytest.mark.parametrize(
    ("problem", "speed", "time"),
    [("gresho_vortex", flows.gresho_speed, 1.0), ("rotating_disc", flows.disc_speed, 3.0)],
)
def test_feedback_makes_the_flow_better(made, problem, speed, time):
    run, plain = (made(until(time, problem, spin)) for spin in (True, False))
    # A few hundred steps of three stages; J is a sum of some ten thousand terms, compensated.
    total = all_angular_momentum(run.history)
    change = total / total[0] - 1
    assert np.max(np.abs(change)) < 1e-12
    # The momenta follow the books: they lose less to the spin than they lose to nothing without it, or than a
    # ten-thousandth (the Gresho vortex loses 5e-5 with spin and 2e-5 without, 2e-4 where extrema are clipped).
    kept = [momentum_spin(r.history)[-1] / momentum_spin(r.history)[0] - 1 for r in (run, plain)]
    assert abs(kept[0]) < max(abs(kept[1]), 1e-4)
    assert error(run, speed) < error(plain, speed)
