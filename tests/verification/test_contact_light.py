"""The light of a contact binary of V1309 Scorpii's masses, beside what its surface says."""

import subprocess

import numpy as np
import pytest
from program_under_test import ROOT
from rednova import Run
from rednova.lightcurve import curve, medium
from rednova.verify.binaries import LEDGER
from rednova.verify.measure import worst_remainder


# Seven minutes on two threads. Measured: 3.5e35 to 2.9e35 erg/s from time 5 on, and by Eddington's law of opaque cells,
# of depths of some 180, 1.5e35 at the end.
@pytest.mark.nightly
def test_a_contact_binary_is_as_bright_as_its_surface_says(program, tmp_path):
    command = [program, "run", ROOT / "problems" / "shining_contact.toml", "--set", "run.end_orbits=0.075"]
    subprocess.run([*map(str, command), "--out", str(tmp_path / "run")], check=True, capture_output=True)
    run = Run(tmp_path / "run")
    history = run.history
    late = history["luminosity"][history["time"] > 5] * curve.power(history)
    assert len(late) > 3
    assert np.all((late > 2e35) & (late < 4.5e35))
    says = medium.medium_of(run.snapshots[-1]).surface.luminosity * curve.power(history)
    assert 1 / 3.5 < late[-1] / says < 3.5
    assert max(worst_remainder(run).values()) < LEDGER
