"""The point explosion of problems/sedov.toml against its exact solution."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from rednova.exact.sedov import Sedov
from rednova.snapshot import Snapshot

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("REDNOVA", ROOT / "build" / "rednova"))


def run(directory, *overrides):
    """Runs problems/sedov.toml; gives its last snapshot."""
    assert PROGRAM.exists(), f"{PROGRAM} is not there: `make build`, or name it in REDNOVA"
    command = [PROGRAM, "run", ROOT / "problems/sedov.toml", "--out", directory]
    for each in overrides:
        command += ["--set", each]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1500, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return Snapshot(max(directory.glob("snapshot_*.phdf")))


class Profile:
    """A snapshot's cells by radius beside the exact solution."""

    def __init__(self, snapshot):
        x, y, z = snapshot.centres()
        self.radius = np.sqrt(x * x + y * y + z * z).ravel()
        self.to_axis = np.maximum(np.maximum(x, y), z).ravel()
        self.to_axis /= self.radius  # cosine of the angle to the nearest axis
        self.to_diagonal = (x + y + z).ravel() / (np.sqrt(3) * self.radius)
        self.density = snapshot["density"].ravel()
        self.volume = np.broadcast_to(snapshot.cell_volume, snapshot["density"].shape).ravel()
        self.cell = float(snapshot.width.min())
        self.solution = Sedov(0.851072, 1.0, snapshot.gamma)
        self.shock = self.solution.shock_radius(snapshot.time)
        # The mean over each cell's depth: the shock is thinner than a cell.
        points = self.radius[:, None] + self.cell * (np.arange(8) + 0.5 - 4) / 8
        self.exact = self.solution(np.abs(points), snapshot.time)[0].mean(axis=1)

    @property
    def error(self):
        """L1 error of the density over its mean, inside 1.1 of the shock's radius."""
        near = self.radius < 1.1 * self.shock
        return np.sum((self.volume * np.abs(self.density - self.exact))[near]) / np.sum(self.volume[near])

    def shells(self, cells=slice(None)):
        """Radius and mean density of some cells in shells one cell thick."""
        number = (self.radius[cells] / self.cell).astype(int)
        count = np.bincount(number)
        used = count > 0
        mean = np.bincount(number, self.density[cells])[used] / count[used]
        return np.bincount(number, self.radius[cells])[used] / count[used], mean

    def measured_shock(self, cells=slice(None)):
        """Where the mean density falls, outwards, through the middle between its peak and the gas ahead."""
        radius, mean = self.shells(cells)
        peak = int(np.argmax(mean))
        middle = (mean[peak] + 1) / 2
        last = peak + int(np.argmax(mean[peak:] < middle))
        share = (mean[last - 1] - middle) / (mean[last - 1] - mean[last])
        return radius[last - 1] + share * (radius[last] - radius[last - 1])


@pytest.fixture(scope="module")
def fine(tmp_path_factory):
    return Profile(run(tmp_path_factory.mktemp("sedov") / "fine"))


def test_density(fine):
    # 25 cells to the shock; behind it the exact density falls by half within two of them.
    assert fine.error < 0.2


def test_shock_radius(fine):
    assert fine.measured_shock() == pytest.approx(fine.shock, abs=fine.cell)


def test_spherical(fine):
    along_axes = fine.measured_shock(fine.to_axis > np.cos(np.radians(12)))
    along_diagonal = fine.measured_shock(fine.to_diagonal > np.cos(np.radians(12)))
    assert along_axes == pytest.approx(along_diagonal, abs=fine.cell)
    ahead = fine.radius > fine.shock + 4 * fine.cell
    assert np.max(np.abs(fine.density[ahead] - 1)) < 1e-3


def test_mean_profile(fine):
    radius, mean = fine.shells()
    exact = fine.solution(radius, 0.1)[0]
    behind = (radius > 0.8 * fine.shock) & (radius < fine.shock - 1.5 * fine.cell)
    # The shell average of a profile as steep as radius^9 and what the smeared shock took from it.
    assert np.max(np.abs(mean / exact - 1)[behind]) < 0.25


def test_converges(fine, tmp_path):
    coarse = Profile(run(tmp_path / "coarse", "mesh.max_level=1", "problem.radius=0.064"))
    # The peak behind the shock, a tenth of the radius thick, is 1.3 and 2.5 cells wide: far from the first order
    # that shocks allow. Measured 0.173 and 0.145; with extrema clipped everywhere (Colella & Woodward 1984) 0.198
    # and 0.159.
    assert coarse.error < 0.19
    assert fine.error < min(0.155, coarse.error)


@pytest.mark.nightly
def test_converges_further(fine, tmp_path):
    finer = Profile(run(tmp_path / "finer", "mesh.max_level=3", "problem.radius=0.016"))
    # 5 cells across the peak: measured 0.152, no better than with half as many (0.130 if the gas behind the shock were
    # not taken for rough, where densities of neighbours differ by more than two).
    assert finer.error < 0.16
    assert finer.measured_shock() == pytest.approx(finer.shock, abs=finer.cell)
