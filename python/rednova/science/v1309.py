"""V1309 Scorpii from contact to merger: orbits, ejecta, and the decay of the period."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from rednova.run import Run
from rednova.science.outcome import books, draw_densities, orbit_of, per_cent, reached, unbound
from rednova.snapshot import Snapshot
from rednova.verify.library import Job, Library
from rednova.verify.page import BLUE, ORANGE, table, two_panels, write_figure

COARSE, FINE = 8, 9  # finest levels
ORBITS = 30
HOURS = 1593.0 / 3600  # in the input's unit of time
PERIOD = 77.0  # of the first orbit, in the input's unit of time
ORBITS_AFTER_MERGER = 2
BASE_WIDTH = 1020.0  # of the input, solar radii
REACH = 16.0  # of the pictures from the mass centre, solar radii
YEAR = 24 * 365.25  # in hours
SEEN = (1000.0, 170.0)  # -P / (dP/dt) in years at the two ends of the observations


def job(level: int) -> Job:
    """`problems/v1309.toml` on a coarser mesh, whose grid follows the orbit."""
    settings = {
        "mesh.max_level": level,
        "mesh.rotation_follows": '"orbit"',
        "run.end_orbits": ORBITS,
        "run.end_after_merger": ORBITS_AFTER_MERGER * PERIOD,
        "output.fields": '["density","velocity_x","velocity_y","velocity_z","gravitational_potential"]',
        "output.precision": '"single"',
        "output.snapshot_orbits": 1.0,
    }
    return Job.of(f"v1309_{level}", "v1309", settings, grows=True)


JOBS = [job(level) for level in (FINE, COARSE)]


def cell(level: int) -> float:
    """Width of the finest cells, solar radii."""
    return BASE_WIDTH / (8 * 2**level)


@dataclass(frozen=True)
class Ejecta:
    """Unbound gas, ρv²/2 + ρφ > 0, in the domain; in code units.

    Attributes:
        mass, angular_momentum: about the z axis through the origin, inertial.
        energy: of its motion and in the potential of all gas.
    """

    mass: float
    angular_momentum: float
    energy: float


def ejecta(snapshot: Snapshot) -> Ejecta:
    """Of the cells of a snapshot."""
    x, y, _ = snapshot.centres()
    vx, vy, vz = (snapshot[f"velocity_{axis}"] for axis in "xyz")
    specific = (vx**2 + vy**2 + vz**2) / 2 + snapshot["gravitational_potential"]
    mass = snapshot["density"] * snapshot.cell_volume * (specific > 0)
    return Ejecta(
        float(np.sum(mass)), float(np.sum(mass * (x * vy - y * vx))), float(np.sum(mass * specific))
    )


def period_decay(run: Run) -> tuple[NDArray, NDArray, NDArray]:
    """Mean periods of orbits that follow each other, in hours, and how they fall.

    Returns:
        Times of the middles of pairs of orbits, in hours; periods there; -P / (dP/dt) in years, negative where the
        period grows.
    """
    history, orbit = run.history, orbit_of(run)
    time = history["time"][: len(orbit.orbits)] * HOURS
    whole = np.arange(0, np.floor(orbit.orbits[-1] + 1e-3) + 0.5)
    ends = np.interp(whole, orbit.orbits, time)
    period, middle = np.diff(ends), (ends[1:] + ends[:-1]) / 2
    change, mean = np.diff(period) / np.diff(middle), (period[1:] + period[:-1]) / 2
    return ends[1:-1], mean, -mean / change / YEAR


def orbital_energy(run: Run) -> float:
    """Of the two stars' first orbit, positive, in code units: m₁ m₂ / 2a."""
    history = run.history
    masses = history["lobe_mass_accretor"][0] * history["lobe_mass_donor"][0]
    return float(masses / (2 * history["separation"][0]))


def row(library: Library, level: int) -> tuple:
    run = library.run(job(level))
    model, orbit, history = reached(run), orbit_of(run), run.history
    left = ejecta(run.snapshots[-1])
    carried = left.angular_momentum + history["outflow_angular_momentum_z"][-1]
    return (
        f"{cell(level):.3f}",
        f"{model['radius of the accretor'] / cell(level):.1f} and {model['radius of the donor'] / cell(level):.1f}",
        f"{model['J_spin / J_orb']:.3f}",
        f"{orbit.orbits[-1]:.1f}",
        orbit.when_merged,
        per_cent(orbit.separation[-1] - 1, 1),
        per_cent(orbit.j_orb[-1] - 1, 1),
        f"{100 * unbound(run):.2f}",
        f"{100 * carried / history['angular_momentum_z'][0]:.1f}",
        f"{left.energy / orbital_energy(run):.2f}",
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
    rows = [row(library, level) for level in (COARSE, FINE)]
    write_figure(draw(library), images / "v1309.png")
    finest = library.run(job(FINE))
    end = float(orbit_of(finest).orbits[-1])
    draw_densities(finest, (0, max(1, end - 2), end, end + 1), REACH, images / "v1309_density.png")
    return f"""# V1309 Scorpii

A contact binary whose period of 1.4 days was seen to shorten for six years became one star in 2008. What does the model
of `problems/v1309.toml`, 1.54 and 0.17 M☉ in a common envelope just beyond Darwin's limit, do by itself?

**Published.** Nandez, Ivanova & Lombardi (2014, ApJ 786, 39; abstract), smoothed particles, a giant of 1.52 and a
companion of 0.16 M☉: the pairs merge by Darwin's instability; a few per cent of the donor's mass, which is their
giant, leaves, with up to a third of the angular momentum and of the orbit's energy; if the stars are synchronous, gas
leaves through L2 within a few days before the merger. Tylenda et al. (2011, A&A 528, A114; abstract): a contact binary
of 1.4 days. Pejcha (2014, ApJ 788, 22; abstract): -P / (dP/dt) fell from some {SEEN[0]:.0f} years to some {SEEN[1]:.0f}
within six. Pejcha, Metzger, Tyles & Tomida (2017, ApJ 850, 59; abstract): gas left through L2 for thousands of orbits
before. Abstracts alone were read.

**Asked.** The input as it is but for its finest level: gas of stars with ionization and radiation's pressure, both
stars in equilibrium by the [self-consistent field](../initial_models.md), nothing taken out and no push, a grid that
follows the orbit; {ORBITS} orbits at most, and {ORBITS_AFTER_MERGER} after the merger. The input asks for level 10,
with cells half as wide as the finer ones here.

{table(heading, rows)}

Separation and J_orb: changes up to the last row with two stars; the drift is of the
[flow's angular momentum](../conservation.md#angular-momentum), a share of J, up to there. Unbound is gas whose kinetic
energy exceeds the depth of the potential, without heat; its angular momentum is that of such gas in the domain and of
all that has left it, its energy, of motion and in the potential, of what is in the domain.

![The separation, and how fast the period falls](v1309.png)

The finer run in the orbit's plane, at the start, two orbits before the merger, there, and an orbit later:

![Density](v1309_density.png)

To repeat a run: `rednova run problems/v1309.toml` with the settings of `runs/science/…/input.toml`."""


def draw(library: Library) -> Figure:
    figure, left, right = two_panels(3.8)
    for level, colour in zip((COARSE, FINE), (ORANGE, BLUE), strict=True):
        run = library.run(job(level))
        orbit = orbit_of(run)
        line = {"color": colour, "lw": 1.2, "label": f"cells of {cell(level):.2f} R☉"}
        left.plot(orbit.orbits, orbit.separation, **line)
        time, _, years = period_decay(run)
        days = (run.history["time"][len(orbit.orbits) - 1] * HOURS - time) / 24
        right.semilogy(days, np.where(years > 0, years, np.nan), ".-", **line)
    for years, when in zip(SEEN, ("first seen", "last seen"), strict=True):
        right.axhline(years, color="0.5", lw=0.8, ls=":")
        right.annotate(when, (0.02, years), xycoords=("axes fraction", "data"), fontsize=7, va="bottom")
    left.set(xlabel="orbits", title="separation / initial separation")
    right.set(xlabel="days before the last row with two stars", title="-P / (dP/dt), years")
    right.invert_xaxis()
    left.legend(fontsize=8)
    return figure
