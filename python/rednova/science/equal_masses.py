"""Two equal masses in contact, n = 3/2: does the pair merge by itself?"""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from rednova.run import Run
from rednova.science.drawing import Pictures, draw_densities
from rednova.science.kept import Wanted
from rednova.science.outcome import LAST, NEAR, OVER, Orbit, books, orbit_in, per_cent, reached
from rednova.science.repeat import repeat
from rednova.verify.library import Job, Library
from rednova.verify.page import BLUE, GREEN, ORANGE, table, write_figure

FILLOUTS = (0.1, 0.5, 0.9)
ORBITS = 6
ORBITS_AFTER_MERGER = 1
#: Finest level → cells to the separation.
LEVELS = {4: 16, 5: 32}
SHOWN = {0.5: (0, 2, 4, 6), 0.9: (0, 2, 3, 4)}  # orbits of the pictures
REACH = 1.2  # of the pictures from the mass centre, separations
STEADY = 0.05  # a pair keeps its orbit if its separation changes by less than this


def job(fillout: float, level: int) -> Job:
    """Two polytropes of one entropy and one surface, left to themselves."""
    settings = {
        "problem.surface": '"contact"',
        "problem.fillout": fillout,
        "problem.accretor_mass": 0.5,
        "problem.donor_mass": 0.5,
        "problem.accretor_core_fraction": 0.0,
        "problem.donor_core_fraction": 0.0,
        "problem.slowdown": 0.0,
        "mesh.max_level": level,
        "run.end_orbits": ORBITS,
        "run.end_after_merger": f"{ORBITS_AFTER_MERGER * 2 * np.pi:.6g}",
        "output.fields": '["density"]',
        "output.snapshot_orbits": 1.0,
    }
    return Job.of(f"equal_masses_{fillout:g}_{level}", "contact_binary_quick", settings, grows=True)


ASKED = [(fillout, level) for level in sorted(LEVELS, reverse=True) for fillout in (0.5, 0.1, 0.9)]
JOBS = [job(*asked) for asked in ASKED]


def wanted(which: Job, _run: Run) -> Wanted:
    """What the page takes of a run."""
    fillout, level = ASKED[JOBS.index(which)]
    drawn = fillout in SHOWN and level == max(LEVELS)
    return Wanted(("outflow_mass",), Pictures(SHOWN[fillout], REACH) if drawn else None)


def left(run: Run, orbit: Orbit, orbits: float) -> float:
    """Mass that has left the domain after so many orbits, a share of all; nan where there are not two stars."""
    history = run.history
    return orbit.at(history["outflow_mass"][orbit.rows], orbits) / history["mass"][0]


def left_on_both(library: Library, fillout: float) -> str:
    """The same on the coarser and the finer mesh after as many orbits, as a part of a sentence; nothing where one has
    merged within the first: after the last half orbit that is not later than `Orbit.last` of either."""
    jobs = [job(fillout, level) for level in sorted(LEVELS)]
    orbits = [orbit_in(library, which) for which in jobs]
    # Half orbits are what kept runs have exactly.
    when = OVER * np.floor((min(orbit.last for orbit in orbits) + NEAR) / OVER)
    lost = [left(library.run(which), orbit, when) for which, orbit in zip(jobs, orbits, strict=True)]
    if np.isnan(lost).any():
        return ""
    coarse, fine = (f"{100 * share:.2f}" for share in lost)
    return f"{coarse} and {fine} in {when:g} orbits with {fillout:g}"


def row(library: Library, fillout: float, level: int) -> tuple:
    run, orbit = library.run(job(fillout, level)), orbit_in(library, job(fillout, level))
    model = reached(run)
    radius, lost = model["radius of the accretor"], left(run, orbit, orbit.last)
    return (
        f"{fillout:g}",
        f"{radius * LEVELS[level]:.1f}",
        f"{1 / radius:.2f}",
        f"{model['J_spin / J_orb']:.3f}",
        *(orbit.separation_after(n) for n in (1, 2, 4, 6)),
        per_cent(orbit.at_last(orbit.j_orb) - 1, 1),
        "" if np.isnan(lost) else f"{100 * lost:.2f}",
        orbit.when_merged,
        orbit.followed,
        f"{orbit.flow_drift:.1e}",
        *books(run),
    )


def verdict(fillout: float, coarse: Orbit, fine: Orbit) -> str:
    """What the runs of one fillout say, beside the two papers."""
    said = f"With a fillout of {fillout:g} the pair {coarse.fate} on the coarser mesh, and {fine.fate} on the finer one"
    apart = [orbit for orbit in (coarse, fine) if np.isnan(orbit.merged)]
    if not apart:
        return f"{said}: what Rasio & Shapiro found."
    if not all(orbit.complete for orbit in apart):
        return f"{said}; what is not complete may yet say something else."
    if not all(abs(orbit.at_last(orbit.separation) - 1) < STEADY for orbit in apart):
        return (
            f"{said}: an orbit whose separation changes by {100 * STEADY:g} % or more is not kept, and going on may "
            "end in a merger."
        )
    found = "what New & Tohline found" if len(apart) == 2 else "the meshes disagree"
    return f"{said}: {found}, as far as {min(orbit.end for orbit in apart):.0f} orbits go."


def conclusion(fine: dict[float, Orbit]) -> str:
    """What the pairs on the finer mesh say of the limit; fillout → orbit."""
    merged = [fillout for fillout, orbit in fine.items() if not np.isnan(orbit.merged)]
    apart = [fillout for fillout in fine if fillout not in merged]
    if not apart:
        return "On the finer mesh all of them merge: there is no sign of a limit among these fillouts."
    if not merged:
        return "On the finer mesh none of them merges as far as the runs go."
    if max(apart) > min(merged):
        return "On the finer mesh there is no fillout from which on pairs merge."
    return (
        f"On the finer mesh how deep the contact is decides: pairs merge with {min(merged):g} and do not with "
        f"{max(apart):g}, as far as the runs go. So the two papers need not contradict each other; where within the "
        "sequence of contact binaries a limit lies cannot be said from a few pairs, nor where the meshes disagree."
    )


def page(library: Library, images: Path) -> str:
    heading = (
        "fillout",
        "cells to a radius",
        "a / R",
        "J_spin / J_orb",
        "separation after 1 orbit, %",
        "2",
        "4",
        "6",
        f"J_orb {LAST}, %",
        "mass that has left the domain by then, %",
        "merged after orbits",
        "orbits followed",
        "flow's drift, largest",
        "remainder of J",
        "of E",
    )
    rows = [row(library, fillout, level) for level in sorted(LEVELS) for fillout in FILLOUTS]
    coarse, fine = min(LEVELS), max(LEVELS)
    orbits = {
        level: {fillout: orbit_in(library, job(fillout, level)) for fillout in FILLOUTS} for level in LEVELS
    }
    verdicts = " ".join(verdict(f, orbits[coarse][f], orbits[fine][f]) for f in FILLOUTS)
    lost = ", ".join(filter(None, (left_on_both(library, fillout) for fillout in FILLOUTS)))
    if lost:
        lost = f" In per cent of all mass, on the coarser and on the finer one, there have left the domain: {lost}."
    write_figure(draw(library), images / "equal_masses.png")
    for fillout, moments in SHOWN.items():
        path = images / f"equal_masses_{fillout:g}.png"
        draw_densities(library.run(job(fillout, fine)), Pictures(moments, REACH), path)
    return f"""# Two equal masses in contact

Two identical stars of n = 3/2 turn synchronously under one surface: does the pair keep its orbit, or does it fall
together within a few orbits? Two papers of the nineties answer differently.

**Published.** Rasio & Shapiro (1995, ApJ 438, 887; abstract): along the sequence of two identical stars with γ =
5/3 there are a secular and a dynamical instability, and the dynamical one makes one star of the two "in just a few
orbital periods" (smoothed particles). New & Tohline (1997, ApJ 490, 311; abstract): no point of instability on the
sequences of equal masses with n = 1 and n = 1.5, but one with n = 0.5 (finite differences). Only abstracts were
read, so which separations were tried is not known here.

**Asked.** Contact binaries of two polytropes of n = 3/2 and one entropy, whose surface is a tenth, half and nine
tenths of the way from L1 to L2 (`fillout`), in equilibrium by the [self-consistent field](../initial_models.md),
with nothing taken out and no push: {ORBITS} orbits in ideal gas of γ = 5/3, or until an orbit after a merger, on cells
of a/{LEVELS[coarse]} and a/{LEVELS[fine]}, a being the separation.

{table(heading, rows)}

Separations and J_orb are changes against the first row of `history.csv`. In the last orbit before a merger the lobes
shrink to nothing, so that J_orb in it is no measure of stars: it is read before. The largest drift of the
[flow's angular momentum](../conservation.md#angular-momentum), a share of J, is of the time with two stars.

![Separation against orbits](equal_masses.png)

**What it says.** {verdicts}

{conclusion(orbits[fine])}

A run without a push starts from the mesh's own errors, so its time to merger is no growth rate: only whether it
merges compares with the papers. Gas that leaves through the outer Lagrange points takes angular momentum along; how
much of it is the mesh's, which cannot hold a surface sharper than a cell or two, two meshes tell in part.{lost} One
more level, of 16 times the work, would tell more.

Density in the orbit's plane, on cells of a/{LEVELS[fine]}, fillout 0.5:

![Density, fillout 0.5](equal_masses_0.5.png)

and fillout 0.9:

![Density, fillout 0.9](equal_masses_0.9.png)

{repeat("equal_masses", job(0.5, fine), "the run with a fillout of 0.5 on the finer mesh")}"""


def draw(library: Library) -> Figure:
    figure, axes = plt.subplots(figsize=(7, 3.8), layout="constrained")
    for fillout, colour in zip(FILLOUTS, (BLUE, GREEN, ORANGE), strict=True):
        for level, style in zip(sorted(LEVELS), (":", "-"), strict=True):
            orbit = orbit_in(library, job(fillout, level))
            label = f"fillout {fillout:g}, a/{LEVELS[level]}"
            axes.plot(orbit.orbits, orbit.separation, style, color=colour, lw=1.2, label=label)
    axes.set(xlabel="orbits", ylabel="separation / initial separation", ylim=(0.5, 1.05))
    axes.legend(fontsize=8, loc="lower left")
    axes.grid(alpha=0.25)
    return figure
