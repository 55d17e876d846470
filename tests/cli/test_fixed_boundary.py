"""Boundaries that keep the gas and the light of the start: what rests on them, and the ledger's account of it."""

import json

import h5py
import numpy as np
import pytest
from complaint import told
from small_input import SMALL
from test_radiation import LIGHT, history, remainders, settings, snapshot

SIDES = ["fixed", "fixed", "periodic", "periodic", "periodic", "periodic"]

# A row of cells between two states, as problem.sod has them.
ROW = f"""
[problem]
name = "sod"
[mesh]
lower = [-0.5, 0.0, 0.0]
base_width = 0.125
base_blocks = [8, 1, 1]
regrid_interval = 0
boundaries = {SIDES}
"""

# Mach 2 in gas of gamma 5/3 whose sound speed is 1: by Rankine and Hugoniot.
SHOCK = {
    "problem.left_density": 1.0,
    "problem.left_velocity": 2.0,
    "problem.left_pressure": 0.6,
    "problem.right_density": 16 / 7,
    "problem.right_velocity": 0.875,
    "problem.right_pressure": 2.85,
}


def profile(run, name):
    """Means across the row, and where their cells are."""
    with h5py.File(sorted(run.glob("snapshot_*.phdf"))[-1]) as file:
        values = np.array(file[name]).reshape(-1, 8, 8, 8).mean(axis=(1, 2)).ravel()
    return (np.arange(values.size) + 0.5) / values.size - 0.5, values


def outflow(run, of):
    return json.loads((run / "ledger.json").read_text())[of]["outflow_by_side"]


def test_a_shock_rests_between_fixed_boundaries(rednova, write, tmp_path):
    end = 4.0  # eight times what gas takes to cross the row ahead of the shock
    result = rednova("run", write(ROW), *settings(SHOCK | {"run.end_time": end}), "--out", tmp_path / "run")
    assert result.code == 0, result.err
    x, rho = profile(tmp_path / "run", "prim_density")
    assert rho[x < -0.05] == pytest.approx(1, rel=1e-12)
    # What the start's jump leaves behind in a shock of two cells: it stands within a cell, and behind it are ripples.
    assert rho[x > 0.05] == pytest.approx(16 / 7, rel=0.02)
    assert ((rho - 1) / (9 / 7)).sum() / 64 == pytest.approx(0.5, abs=1 / 64)
    through = outflow(tmp_path / "run", "mass")
    area = 0.125**2
    assert -through[0] == pytest.approx(2 * area * end, rel=1e-12)
    assert through[1] == pytest.approx(2 * area * end, rel=5e-3)
    assert max(remainders(tmp_path / "run")) < 1e-13


def test_light_goes_from_a_hot_boundary_to_a_cold_one(rednova, write, tmp_path):
    """Gas that scatters, twice as hot on the left, at rest with one pressure: E falls by rho kappa, and the flux is
    c (E_left - E_right)/(3 depth) between the innermost cells that are kept."""
    states = {"left_density": 1, "left_pressure": 1, "right_density": 2, "right_pressure": 1}
    values = (
        {f"problem.{key}": value for key, value in states.items()}
        | {
            "mesh.base_width": 0.25,
            "mesh.base_blocks": "[4,1,1]",
            "radiation.radiation_constant": 1e-6,
            "radiation.extinction": 100,
            "radiation.absorption": 0,
            "run.max_steps": 800,  # some eight times what it takes to settle; a last step that is cut would change E
        }
    )
    result = rednova("run", write(ROW + LIGHT), *settings(values), "--out", tmp_path / "run")
    assert result.code == 0, result.err
    _, energy = profile(tmp_path / "run", "radiation_energy_density")
    _, rho = profile(tmp_path / "run", "prim_density")
    of_cell = 100 / 32 * rho
    depth = np.cumsum(of_cell) - 0.5 * of_cell  # to the cells' centres
    first, last = 3, 28  # the innermost that are kept
    trapped = 1 - 1 / (1 + of_cell**2)  # the share of a T⁴ that is there at the start
    left, right = trapped[first] * 1e-6, trapped[last] * 1e-6 / 16
    assert energy[: first + 1] == pytest.approx(left, rel=1e-9)
    assert energy[last:] == pytest.approx(right, rel=1e-9)
    share = (depth - depth[first]) / (depth[last] - depth[first])
    expected = left + share * (right - left)
    # Kept cells have no flux, which bends E in the next few by a part of what it falls by from cell to cell.
    assert energy == pytest.approx(
        np.where(share < 0, left, np.where(share > 1, right, expected)), abs=0.01 * left
    )
    flux = 1000 * (left - right) / (3 * (depth[last] - depth[first]))
    _, found = profile(tmp_path / "run", "radiation_flux_x")
    for even in (slice(8, 12), slice(21, 25)):  # away from both ends and the jump of opacity
        assert found[even] == pytest.approx(flux, rel=0.01)
    ledger = json.loads((tmp_path / "run" / "ledger.json").read_text())
    # All that the hot side gives the cold one takes, once the cells between have their share.
    brought = outflow(tmp_path / "run", "energy")
    through = flux * 0.25**2 * history(tmp_path / "run")["time"][-1]
    assert -brought[0] == pytest.approx(through, rel=0.1)
    assert brought[1] == pytest.approx(-brought[0], rel=1e-3)
    # Roundings of the gas's energy, 0.02, and of what its pressure pushes from both sides, 0.06 by time, in 800 steps.
    assert abs(ledger["energy"]["remainder"]) < 1e-13
    assert np.abs(ledger["momentum"]["remainder"]).max() < 1e-13


BLAST = SMALL.replace("[-0.375, -0.375, -0.375]", "[-0.28, -0.28, -0.28]").replace(
    "regrid_interval = 2",
    'regrid_interval = 2\nboundaries = ["fixed", "outflow", "fixed", "outflow", "fixed", "reflecting"]',
)


@pytest.mark.parametrize("light", ["", LIGHT])
def test_what_a_blast_brings_to_fixed_boundaries_is_in_the_ledger(rednova, write, tmp_path, light):
    """In three directions that meet, on levels that change; a restart goes on with the same bits."""
    text, steps = write(BLAST + light), ["--set", "run.max_steps=40"]
    assert rednova("run", text, *steps, "--out", tmp_path / "whole").code == 0
    assert rednova("run", text, "--set", "run.max_steps=17", "--out", tmp_path / "parts").code == 0
    assert rednova("restart", tmp_path / "parts", *steps).code == 0
    digests = {rednova("info", tmp_path / run, "--digest").out for run in ("whole", "parts")}
    assert len(digests) == 1
    run = tmp_path / "whole"
    assert max(remainders(run)) < 1e-13
    energy = outflow(run, "energy")
    assert energy[0] > 0.01 * json.loads((run / "ledger.json").read_text())["energy"]["initial"]
    if light:
        assert (snapshot(run, -1, "radiation_energy_density") > 0).all()


def test_a_grid_that_turns_has_none(rednova, write):
    text = SMALL.replace(
        "[mesh]\n",
        '[mesh]\nrotation = 1.0\nboundaries = ["outflow", "outflow", "outflow", "outflow", "fixed", "outflow"]\n',
    )
    told(rednova("check", write(text)), "fixed boundary", "turn", "mesh.rotation")
