"""V1309 Scorpii from contact to merger: orbits, ejecta, and the decay of the period."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from rednova.pictures import DAY
from rednova.run import Run
from rednova.science.inputs import cell, parameters, period
from rednova.science.outcome import books, draw_densities, orbit_of, per_cent, reached, unbound
from rednova.science.repeat import repeat
from rednova.snapshot import Snapshot
from rednova.verify.library import Job, Library
from rednova.verify.page import BLUE, GREY, ORANGE, table, two_panels, write_figure

PROBLEM = "v1309"
INPUT = parameters(PROBLEM)
ORBITS = 30
ORBITS_AFTER_MERGER = 2
REACH = 16.0  # of the pictures from the mass centre, solar radii
YEAR = 365.25  # days
#: The observed period, 1.4456 d exp[15.29 d / (t - t0)] at the Julian date t (Tylenda et al. 2011): days, and t0.
LAW = 15.29, 2455233.5
OBSERVED = 2452500.0, 2454300.0  # Julian dates between which it is drawn
OUTBURST = 2454711.5  # Julian date of 2 September 2008, when the outburst was discovered
LEVEL = 9  # the finest


@dataclass(frozen=True)
class Mesh:
    """A mesh coarser than the input's, by the width of its box.

    base_width: of the domain, solar radii, such that the donor's centre lies between two cells, as it does on the
        input's own mesh: the donor's centre is a peak, and a model with it inside a cell is another star.
    """

    base_width: float

    @property
    def cell(self) -> float:
        """Width of the finest cells, solar radii."""
        return cell(self.base_width, LEVEL)


COARSE, FINE = Mesh(1382.0), Mesh(1022.0)
MESHES = COARSE, FINE


def job(mesh: Mesh) -> Job:
    """`problems/v1309.toml` on a coarser mesh, whose grid follows the orbit."""
    half = mesh.base_width / 2
    settings = {
        "mesh.lower": f"[{-half:g},{-half:g},{-half:g}]",
        "mesh.base_width": f"{mesh.base_width:g}",
        "mesh.max_level": LEVEL,
        "mesh.rotation_follows": '"orbit"',
        "run.end_orbits": ORBITS,
        "run.end_after_merger": f"{ORBITS_AFTER_MERGER * period(PROBLEM, INPUT['problem']['separation']):.6g}",
        "output.fields": '["density","velocity_x","velocity_y","velocity_z","gravitational_potential"]',
        "output.precision": '"single"',
        "output.snapshot_orbits": 1.0,
    }
    return Job.of(f"v1309_{mesh.cell:.2f}", PROBLEM, settings, grows=True)


JOBS = [job(mesh) for mesh in (FINE, COARSE)]


def ejecta(snapshot: Snapshot) -> tuple[float, float]:
    """Of the unbound gas in the domain, ρv²/2 + ρφ > 0: its angular momentum about the z axis through the origin,
    inertial, and its energy of motion and in the potential of all gas; in code units."""
    x, y, _ = snapshot.centres()
    vx, vy, vz = (snapshot[f"velocity_{axis}"] for axis in "xyz")
    specific = (vx**2 + vy**2 + vz**2) / 2 + snapshot["gravitational_potential"]
    mass = snapshot["density"] * snapshot.cell_volume * (specific > 0)
    return float(np.sum(mass * (x * vy - y * vx))), float(np.sum(mass * specific))


def days(run: Run) -> NDArray:
    """Times of the rows with two stars, [row]."""
    history, orbit = run.history, orbit_of(run)
    return history["time"][: len(orbit.orbits)] * history.cgs["time"] / DAY


def period_decay(run: Run) -> tuple[NDArray, NDArray, NDArray]:
    """Mean periods of orbits that follow each other, in days, and how they fall.

    Returns:
        Times of the middles of pairs of orbits, in days; periods there; -P / (dP/dt) in years, negative where the
        period grows.
    """
    orbit = orbit_of(run)
    whole = np.arange(0, np.floor(orbit.orbits[-1] + 1e-3) + 0.5)
    ends = np.interp(whole, orbit.orbits, days(run))
    period, middle = np.diff(ends), (ends[1:] + ends[:-1]) / 2
    change, mean = np.diff(period) / np.diff(middle), (period[1:] + period[:-1]) / 2
    return ends[1:-1], mean, -mean / change / YEAR


def observed_decay(date: ArrayLike) -> NDArray:
    """-P / (dP/dt) of the observed period at Julian dates, in years."""
    return (np.asarray(date, float) - LAW[1]) ** 2 / LAW[0] / YEAR


def orbital_energy(run: Run) -> float:
    """Of the two stars' first orbit, positive, in code units: m₁ m₂ / 2a."""
    history = run.history
    masses = history["lobe_mass_accretor"][0] * history["lobe_mass_donor"][0]
    return float(masses / (2 * history["separation"][0]))


def row(library: Library, mesh: Mesh) -> tuple:
    run = library.run(job(mesh))
    model, orbit, history = reached(run), orbit_of(run), run.history
    momentum_inside, energy_inside = ejecta(run.snapshots[-1])
    carried = momentum_inside + history["outflow_angular_momentum_z"][-1]
    energy = energy_inside + history["outflow_energy"][-1]
    return (
        f"{mesh.cell:.3f}",
        f"{model['radius of the accretor'] / mesh.cell:.1f} and {model['radius of the donor'] / mesh.cell:.1f}",
        f"{model['J_spin / J_orb']:.3f}",
        f"{orbit.orbits[-1]:.1f}",
        orbit.when_merged,
        per_cent(orbit.separation[-1] - 1, 1),
        per_cent(orbit.j_orb[-1] - 1, 1),
        f"{100 * unbound(run):.2f}",
        f"{100 * carried / history['angular_momentum_z'][0]:.1f}",
        f"{energy / orbital_energy(run):.2f}",
        f"{orbit.flow_drift:.1e}",
        *books(run),
    )


def page(library: Library, images: Path) -> str:
    heading = (
        "cells, R☉",
        "cells to the radii of accretor and donor",
        "J_spin / J_orb",
        "orbits with two stars",
        "merged after orbits",
        "separation: change, %",
        "J_orb: change, %",
        "unbound at the end, % of all gas",
        "its J, % of all",
        "its energy over that of the first orbit",
        "flow's drift, largest",
        "remainder of J",
        "of E",
    )
    rows = [row(library, mesh) for mesh in MESHES]
    write_figure(draw(library), images / "v1309.png")
    finest = library.run(job(FINE))
    end = float(orbit_of(finest).orbits[-1])
    draw_densities(finest, (0, max(1, end - 2), end, end + 1), REACH, images / "v1309_density.png")
    first, last = observed_decay(OBSERVED)
    asked = cell(INPUT["mesh"]["base_width"], INPUT["mesh"]["max_level"])
    return f"""# V1309 Scorpii

A contact binary whose period of 1.4 days was seen to shorten for six years became one star in 2008. What does the model
of `problems/v1309.toml`, 1.54 and 0.17 M☉ in a common envelope just beyond Darwin's limit, do by itself?

**Published.** Nandez, Ivanova & Lombardi (2014, ApJ 786, 39; abstract), smoothed particles, a giant of 1.52 and a
companion of 0.16 M☉: the pairs merge by Darwin's instability; a few per cent of the donor's mass, which is their
giant, leaves, with up to a third of the angular momentum and of the orbit's energy; if the stars are synchronous, gas
leaves through L2 within a few days before the merger. Tylenda et al. (2011, A&A 528, A114; abstract): a contact binary
of 1.4 days, seen since August 2001, whose outburst was discovered in September 2008. Their law of the period is
P = 1.4456 d exp[{LAW[0]:g} / (t - {LAW[1]:.1f})] with t the Julian date in days, known here from a secondary source; so
-P / (dP/dt) fell from {first:.0f} to {last:.0f} years between {OBSERVED[0]:.0f} and {OBSERVED[1]:.0f}. Pejcha (2014,
ApJ 788, 22; abstract): from some 1000 years to some 170 within six. Pejcha, Metzger, Tyles & Tomida (2017, ApJ 850, 59;
abstract): gas left through L2 for thousands of orbits before. Abstracts alone were read.

**Asked.** The input on coarser meshes: gas of stars with ionization and radiation's pressure, both
stars in equilibrium by the [self-consistent field](../initial_models.md), nothing taken out and no push, a grid that
follows the orbit; {ORBITS} orbits at most, and {ORBITS_AFTER_MERGER} after the merger. The boxes are as wide as lets
the donor's centre lie between two cells, as it does on the input's mesh with cells of {asked:.3f} R☉, where J_spin /
J_orb is 0.350: with the centre elsewhere the models of such cells are other stars, from 0.30 to 0.47 with cells of 0.29
to 0.34 R☉.

{table(heading, rows)}

Separation and J_orb: changes up to the last row with two stars; the drift is of the
[flow's angular momentum](../conservation.md#angular-momentum), a share of J, up to there. Unbound is gas whose kinetic
energy exceeds the depth of the potential, without heat; its angular momentum is that of such gas in the domain and of
all that has left it. Its energy is of motion and in the potential, and of what has left the domain with its heat, which
is booked there with it; the first orbit's is m₁m₂/2a.

![The separation, and how fast the period falls](v1309.png)

On the right the observed law is drawn against the days before 2 September 2008, the runs against those before their
last row with two stars: both fall faster the nearer the merger, but runs of {ORBITS} orbits see its last weeks alone.

The finer run in the orbit's plane, at the start, two orbits before the merger, there, and an orbit later:

![Density](v1309_density.png)

{repeat("v1309", job(FINE), "the finer run")}"""


def draw(library: Library) -> Figure:
    figure, left, right = two_panels(3.8)
    for mesh, colour in zip(MESHES, (ORANGE, BLUE), strict=True):
        run = library.run(job(mesh))
        orbit = orbit_of(run)
        line = {"color": colour, "lw": 1.2, "label": f"cells of {mesh.cell:.2f} R☉"}
        left.plot(orbit.orbits, orbit.separation, **line)
        time, _, years = period_decay(run)
        right.loglog(days(run)[-1] - time, np.where(years > 0, years, np.nan), ".-", **line)
    dates = np.linspace(*OBSERVED)
    right.loglog(OUTBURST - dates, observed_decay(dates), color=GREY, label="observed (Tylenda et al. 2011)")
    left.set(xlabel="orbits", title="separation / initial separation")
    right.set(xlabel="days before the end of two stars, or the outburst", title="-P / (dP/dt), years")
    right.invert_xaxis()
    left.legend(fontsize=8)
    right.legend(fontsize=8)
    return figure
