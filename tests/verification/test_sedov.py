"""The point explosion of problems/sedov.toml against its exact solution."""

import numpy as np
import pytest
from rednova.exact.sedov import Sedov
from rednova.verify.library import Job
from rednova.verify.shocks import SEDOV, Explosion


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


def profile(made, name, *settings):
    return Profile(made(Job(name, "sedov", settings)).snapshots[-1])


@pytest.fixture(scope="module")
def fine(made):
    return profile(made, "fine")


def test_density(fine):
    # 25 cells to the shock; behind it the exact density falls by half within two of them. Measured 0.132; with linear
    # edges it is above 0.2, with cell averages 0.37.
    assert fine.error < 0.14


def test_shock_radius(fine):
    # Measured 0.63 cells; with cell averages at the faces 1.5.
    assert fine.measured_shock() == pytest.approx(fine.shock, abs=0.9 * fine.cell)


def test_spherical(fine):
    along_axes = fine.measured_shock(fine.to_axis > np.cos(np.radians(12)))
    along_diagonal = fine.measured_shock(fine.to_diagonal > np.cos(np.radians(12)))
    # Measured 0.11 cells, with cell averages at the faces 2.7; ahead 3e-11, with those 0.3.
    assert along_axes == pytest.approx(along_diagonal, abs=0.2 * fine.cell)
    ahead = fine.radius > fine.shock + 4 * fine.cell
    assert np.max(np.abs(fine.density[ahead] - 1)) < 5e-11


def test_mean_profile(fine):
    radius, mean = fine.shells()
    exact = fine.solution(radius, 0.1)[0]
    behind = (radius > 0.8 * fine.shock) & (radius < fine.shock - 1.5 * fine.cell)
    # The shell average of a profile as steep as radius^9 and what the smeared shock took from it. Measured 0.085; with
    # cell averages at the faces 0.19.
    assert np.max(np.abs(mean / exact - 1)[behind]) < 0.13


@pytest.fixture(scope="module")
def coarse(made):
    return profile(made, "coarse", "mesh.max_level=1", "problem.radius=0.064")


@pytest.fixture(scope="module")
def finer(made):
    return profile(made, "finer", "mesh.max_level=3", "problem.radius=0.016")


def off_place(explosion):
    """Error of the shock's radius, a share of it."""
    return abs(explosion.measured_shock() / explosion.shock - 1)


def missing_peak(explosion):
    """What the densest shell lacks of the exact density behind the shock, (gamma + 1) / (gamma - 1) = 6."""
    return 6 - np.max(explosion.shells()[1])


# The shock's place on three meshes: measured 3.30 %, 2.46 %, 1.11 %. Half of the mass lies in a shell of a twelfth of
# the radius: 1, 2 and 4 cells. While the shell is that thin the L1 error is what half a cell of the shock's place makes
# of it, now more, now less: measured 0.134 at most, 0.126 and 0.133. A shell of few cells holds a lower peak.
def test_finer_cells_are_better(coarse, fine):
    assert off_place(fine) < off_place(coarse)
    assert coarse.error < 0.14
    assert missing_peak(fine) < missing_peak(coarse)


@pytest.mark.nightly
def test_shock_converges(fine, finer):
    # A captured shock runs about half a cell ahead of the exact one, so its place is of first order once the shell
    # behind it is resolved: order 0.4 from the coarse mesh, then 1.1.
    assert np.log2(off_place(fine) / off_place(finer)) > 1
    # 0.56 cells.
    assert abs(finer.measured_shock() - finer.shock) < 0.85 * finer.cell
    assert finer.error < 0.14
    assert missing_peak(finer) < missing_peak(fine)


@pytest.mark.nightly
def test_density_converges(made):
    # 51 and 102 cells to the shock, 4 and 8 to the shell behind it: the error falls at last, with an order of 0.62
    # (0.118 and 0.077). A captured shock allows 1.
    coarse, fine = (Explosion(made(job)).error for job in SEDOV[-2:])
    assert fine < 0.085
    assert np.log2(coarse / fine) > 0.55
