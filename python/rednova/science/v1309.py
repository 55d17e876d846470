"""V1309 Scorpii from contact to merger: orbits, ejecta, and the decay of the period."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from rednova.pictures import DAY
from rednova.run import Run
from rednova.science.drawing import Pictures, draw_densities
from rednova.science.ejecta import ejecta_of
from rednova.science.inputs import cell, parameters, period
from rednova.science.kept import Wanted
from rednova.science.outcome import LAST, books, orbit_in, orbit_of, per_cent, reached, unbound
from rednova.science.repeat import repeat
from rednova.verify.library import Job, Library
from rednova.verify.page import BLUE, GREY, ORANGE, table, two_panels, write_figure

PROBLEM = "v1309"
INPUT = parameters(PROBLEM)
ORBITS = 40  # with the turns of the grid after a merger
ORBITS_AFTER_MERGER = 10  # of the model's period: ejecta take their time to come free
REACH = 16.0  # of the pictures from the mass centre, solar radii
YEAR = 365.25  # days
#: The observed period, 1.4456 d exp[15.29 d / (t - t0)] at the Julian date t (Tylenda et al. 2011): days, and t0.
LAW = 15.29, 2455233.5
OBSERVED = 2452500.0, 2454300.0  # Julian dates between which it is drawn
OUTBURST = 2454711.5  # Julian date of 2 September 2008, when the outburst was discovered
POSTER = 13  # orbits from J_spin = J_orb / 3 to the merger on a poster of Octo-Tiger's authors
LEVEL = 9  # the finest
TAKES_ANY = True
#: Of history.csv, what this page takes beside the orbit's.
COLUMNS = (
    "lobe_mass_accretor",
    "angular_momentum_z",
    "outflow_angular_momentum_z",
    "outflow_energy",
)


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


JOBS = [job(mesh) for mesh in MESHES]  # the coarser one, of which the page can do alone, first


def wanted(_job: Job, run: Run) -> Wanted:
    """What the page takes of a run."""
    return Wanted(COLUMNS, Pictures(orbit_of(run).moments, REACH), ejecta=True)


def days(run: Run) -> NDArray:
    """Times of the rows in days, [row]."""
    return run.history["time"] * run.history.cgs["time"] / DAY


def days_apart(run: Run) -> NDArray:
    """Times of the rows with two stars, as `Orbit` has them, in days, [row]."""
    return days(run)[orbit_of(run).rows]


def period_decay(run: Run) -> tuple[NDArray, NDArray, NDArray]:
    """Mean periods of orbits that follow each other, in days, and how they fall.

    Returns:
        Times of the middles of pairs of orbits, in days; periods there; -P / (dP/dt) in years, negative where the
        period grows.
    """
    orbit = orbit_of(run)
    whole = np.arange(0, np.floor(orbit.orbits[-1] + 1e-3) + 0.5)
    ends = np.interp(whole, orbit.orbits, days_apart(run))
    period, middle = np.diff(ends), (ends[1:] + ends[:-1]) / 2
    change, mean = np.diff(period) / np.diff(middle), (period[1:] + period[:-1]) / 2
    return ends[1:-1], mean, -mean / change / YEAR


def decay_in_words(years: float) -> str:
    """Of a -P / (dP/dt)."""
    return f"{years:.2f} years" + ("" if years > 0 else ", the period growing,")


def observed_decay(date: ArrayLike) -> NDArray:
    """-P / (dP/dt) of the observed period at Julian dates, in years."""
    return (np.asarray(date, float) - LAW[1]) ** 2 / LAW[0] / YEAR


def orbital_energy(run: Run) -> float:
    """Of the two stars' first orbit, positive, in code units: m₁ m₂ / 2a."""
    history = run.history
    masses = history["lobe_mass_accretor"][0] * history["lobe_mass_donor"][0]
    return float(masses / (2 * history["separation"][0]))


@dataclass(frozen=True)
class Ejecta:
    """What is unbound at the time of a run's last snapshot.

    Attributes:
        days: since the two stars were last seen; negative where they are seen after it.
        mass: without heat, a share of all gas.
        momentum: its angular momentum, with that of all gas that has left, a share of all.
        energy: the same of its energy, over that of the first orbit.
    """

    days: float
    mass: float
    momentum: float
    energy: float

    @classmethod
    def of(cls, run: Run) -> Ejecta:
        carried, history = ejecta_of(run), run.history
        since = carried["time"] * history.cgs["time"] / DAY - days_apart(run)[-1]
        mass = np.interp(carried["time"], history["time"], unbound(run))
        share = carried["angular_momentum"] / history["angular_momentum_z"][0]
        return cls(float(since), float(mass), share, carried["energy"] / orbital_energy(run))


def row(library: Library, mesh: Mesh) -> tuple:
    run = library.run(job(mesh))
    model, orbit, ejected = reached(run), orbit_in(library, job(mesh)), Ejecta.of(run)
    return (
        f"{mesh.cell:.3f}",
        f"{model['radius of the accretor'] / mesh.cell:.1f} and {model['radius of the donor'] / mesh.cell:.1f}",
        f"{model['J_spin / J_orb']:.3f}",
        orbit.followed,
        orbit.when_merged,
        per_cent(orbit.at_last(orbit.separation) - 1, 1),
        per_cent(orbit.at_last(orbit.j_orb) - 1, 1),
        f"{ejected.days:.1f}",
        f"{100 * ejected.mass:.2f}",
        f"{100 * ejected.momentum:.1f}",
        f"{ejected.energy:.2f}",
        f"{orbit.flow_drift:.1e}",
        *books(run),
    )


def verdict(library: Library, mesh: Mesh) -> str:
    """What a run says, beside what is published."""
    run, orbit = library.run(job(mesh)), orbit_in(library, job(mesh))
    ejected, (when, _, years) = Ejecta.of(run), period_decay(run)
    giant = run.history["lobe_mass_accretor"][0] / run.history["mass"][0]
    said = [f"In cells of {mesh.cell:.2f} R☉ the pair {orbit.fate}."]
    if len(years) > 1:
        before = days_apart(run)[-1] - when
        said.append(
            f"-P / (dP/dt) is {decay_in_words(years[0])} {before[0]:.1f} days before the last row with two stars and "
            f"{decay_in_words(years[-1])} {before[-1]:.1f} days before it."
        )
    merged = not np.isnan(orbit.merged)
    if merged and ejected.days <= 0:
        said.append("There is no snapshot after the merger yet.")
    elif merged:
        said.append(
            f"{ejected.days:.0f} days after the merger {100 * ejected.mass / giant:.1f} % of the mass that was in the "
            f"lobe of the giant, here the accretor, are unbound, with {100 * ejected.momentum:.0f} % of the angular "
            f"momentum and {100 * ejected.energy:.0f} % of the first orbit's energy."
        )
    return " ".join(said)


def page(library: Library, images: Path) -> str:
    heading = (
        "cells, R☉",
        "cells to the radii of accretor and donor",
        "J_spin / J_orb",
        "orbits followed",
        "merged after orbits",
        f"separation {LAST}: change, %",
        "J_orb then: change, %",
        "days from the last row with two stars to the last snapshot",
        "unbound then, % of all gas",
        "its J, % of all",
        "its energy over that of the first orbit",
        "flow's drift, largest",
        "remainder of J",
        "of E",
    )
    present = [mesh for mesh in MESHES if library.has(job(mesh))]
    rows = [row(library, mesh) for mesh in present]
    write_figure(draw(library, present), images / "v1309.png")
    write_figure(draw_unbound(library, present), images / "v1309_unbound.png")
    shown = library.run(job(present[-1]))
    draw_densities(shown, Pictures(orbit_of(shown).moments, REACH), images / "v1309_density.png")
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
abstract): gas left through L2 for thousands of orbits before. A poster of Octo-Tiger's authors: some {POSTER} orbits
from J_spin = J_orb/3 to the merger, known here from a secondary source. Of the papers abstracts alone were read.

**Asked.** The input on coarser meshes: gas of stars with ionization and radiation's pressure, both
stars in equilibrium by the [self-consistent field](../initial_models.md), nothing taken out and no push, a grid that
follows the orbit; {ORBITS} orbits at most, and {ORBITS_AFTER_MERGER} first periods after a merger. The boxes are as
wide as lets the donor's centre lie between two cells, as it does on the input's mesh with cells of {asked:.3f} R☉,
where J_spin / J_orb is 0.350: with the centre elsewhere the models of such cells are other stars, from 0.30 to 0.47
with cells of 0.29 to 0.34 R☉.

{table(heading, rows)}

In the last orbit before a merger the lobes shrink to nothing, so that separation and J_orb are no measure of stars:
they are read before. The drift is of the [flow's angular momentum](../conservation.md#angular-momentum), a share of J,
as long as there are two stars. Unbound is gas whose kinetic energy exceeds the depth of the potential, without heat;
its angular momentum is that of such gas in the domain and of all that has left it. Its energy is of motion and in the
potential, and of what has left the domain with its heat, which is booked there with it; the first orbit's is m₁m₂/2a.

![The separation, and how fast the period falls](v1309.png)

On the right the observed law is drawn against the days before 2 September 2008, the runs against those before their
last row with two stars; {ORBITS} orbits are the last weeks alone.

![Unbound mass](v1309_unbound.png)

The run in cells of {present[-1].cell:.2f} R☉ in the orbit's plane, about the last orbits with two stars:

![Density](v1309_density.png)

**What it says.** {" ".join(verdict(library, mesh) for mesh in present)} Octo-Tiger's pair took some {POSTER} orbits;
Nandez et al. have a few per cent of the giant's mass leave, with up to a third of the angular momentum and of the
orbit's energy.

{repeat("v1309", job(FINE), "the finer run")}"""


COLOURS = dict(zip(MESHES, (ORANGE, BLUE), strict=True))


def line(mesh: Mesh) -> dict:
    """How a run is drawn."""
    return {"color": COLOURS[mesh], "lw": 1.2, "label": f"cells of {mesh.cell:.2f} R☉"}


def draw(library: Library, present: list[Mesh]) -> Figure:
    figure, left, right = two_panels(3.8)
    for mesh in present:
        run = library.run(job(mesh))
        orbit = orbit_of(run)
        left.plot(orbit.orbits, orbit.separation, **line(mesh))
        time, _, years = period_decay(run)
        right.loglog(days_apart(run)[-1] - time, np.where(years > 0, years, np.nan), marker=".", **line(mesh))
    dates = np.linspace(*OBSERVED)
    right.loglog(OUTBURST - dates, observed_decay(dates), color=GREY, label="observed (Tylenda et al. 2011)")
    left.set(xlabel="orbits", title="separation / initial separation")
    right.set(xlabel="days before the end of two stars, or the outburst", title="-P / (dP/dt), years")
    right.invert_xaxis()
    left.legend(fontsize=8)
    right.legend(fontsize=8)
    return figure


def draw_unbound(library: Library, present: list[Mesh]) -> Figure:
    """Unbound mass against the time since the last row with two stars."""
    figure, axes = plt.subplots(figsize=(7, 3.4), layout="constrained")
    for mesh in present:
        run = library.run(job(mesh))
        axes.plot(days(run) - days_apart(run)[-1], 100 * unbound(run), **line(mesh))
    axes.axvline(0, color=GREY, lw=0.8, ls=":")
    axes.set(xlabel="days after the last row with two stars", ylabel="unbound, % of all gas")
    axes.legend(fontsize=8)
    axes.grid(alpha=0.25)
    return figure
