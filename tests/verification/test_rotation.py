"""The Gresho vortex and the turning disc: what the spin of the cells is for."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from rednova.run import Run
from rednova.verify import flows
from rednova.verify.measure import all_angular_momentum, momentum_spin
from rednova.verify.rotation import OPEN, about_axis

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("REDNOVA", ROOT / "build" / "rednova"))


def turned(directory, problem, *overrides):
    """Runs a problem on 32 x 32 x 8 cells; gives the run."""
    assert PROGRAM.exists(), f"{PROGRAM} is not there: `make build`, or name it in REDNOVA"
    command = [PROGRAM, "run", ROOT / f"problems/{problem}.toml", "--out", directory]
    for each in ("mesh.base_blocks=[4,4,1]", "mesh.base_width=0.25", OPEN, *overrides):
        command += ["--set", each]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1500, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return Run(directory)


def error(run, speed):
    """L1 error of the velocity about the axis over its mean."""
    radius, found = about_axis(run.snapshots[-1])
    return np.sum(np.abs(found - speed(radius))) / np.sum(speed(radius))


@pytest.mark.parametrize(
    ("problem", "speed", "time"),
    [("gresho_vortex", flows.gresho_speed, 1.0), ("rotating_disc", flows.disc_speed, 3.0)],
)
def test_feedback_makes_the_flow_better(tmp_path, problem, speed, time):
    end = f"run.end_time={time}"
    run = turned(tmp_path / "spin", problem, end)
    plain = turned(tmp_path / "plain", problem, end, "hydro.spin=false")
    # A few hundred steps of three stages; J is a sum of some ten thousand terms, compensated.
    total = all_angular_momentum(run.history)
    change = total / total[0] - 1
    assert np.max(np.abs(change)) < 1e-12
    # The momenta follow the books: they lose less to the spin than they lose to nothing without it, or than a
    # ten-thousandth (the Gresho vortex loses 5e-5 with spin and 2e-5 without, 2e-4 where extrema are clipped).
    kept = [momentum_spin(r.history)[-1] / momentum_spin(r.history)[0] - 1 for r in (run, plain)]
    assert abs(kept[0]) < max(abs(kept[1]), 1e-4)
    assert error(run, speed) < error(plain, speed)
