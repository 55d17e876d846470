"""Two equal masses in contact, n = 3/2: does the pair merge by itself?"""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from rednova.science.outcome import books, draw_densities, orbit_of, per_cent, reached
from rednova.science.repeat import repeat
from rednova.verify.library import Job, Library
from rednova.verify.page import BLUE, GREEN, ORANGE, table, write_figure

FILLOUTS = (0.1, 0.5, 0.9)
ORBITS = 6
#: Finest level → cells to the separation.
LEVELS = {4: 16, 5: 32}
SHOWN = {0.5: (0, 2, 4, 6), 0.9: (0, 2, 3, 4)}  # orbits of the pictures


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
        "output.fields": '["density"]',
        "output.snapshot_orbits": 1.0,
    }
    return Job.of(f"equal_masses_{fillout:g}_{level}", "contact_binary_quick", settings, grows=True)


JOBS = [job(fillout, level) for level in sorted(LEVELS, reverse=True) for fillout in (0.5, 0.1, 0.9)]


def row(library: Library, fillout: float, level: int) -> tuple:
    run = library.run(job(fillout, level))
    model = reached(run)
    orbit = orbit_of(run)
    radius = model["radius of the accretor"]
    return (
        f"{fillout:g}",
        f"{radius * LEVELS[level]:.1f}",
        f"{1 / radius:.2f}",
        f"{model['J_spin / J_orb']:.3f}",
        *(per_cent(orbit.separation_at(n) - 1) for n in (1, 2, 4, 6)),
        per_cent(orbit.j_orb[-1] - 1, 1),
        f"{100 * run.history['outflow_mass'][len(orbit.orbits) - 1]:.2f}",
        orbit.when_merged,
        f"{orbit.flow_drift:.1e}",
        *books(run),
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
        "J_orb at last, %",
        "mass that has left the domain, %",
        "merged after orbits",
        "flow's drift, largest",
        "remainder of J",
        "of E",
    )
    rows = [row(library, fillout, level) for level in sorted(LEVELS) for fillout in FILLOUTS]
    coarse, fine = min(LEVELS), max(LEVELS)
    write_figure(draw(library), images / "equal_masses.png")
    for fillout, moments in SHOWN.items():
        draw_densities(
            library.run(job(fillout, fine)), moments, 1.2, images / f"equal_masses_{fillout:g}.png"
        )
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
with nothing taken out and no push: {ORBITS} orbits in ideal gas of γ = 5/3, on cells of a/{LEVELS[coarse]} and
a/{LEVELS[fine]}, a being the separation.

{table(heading, rows)}

Separations and J_orb are changes against the first row of `history.csv`; J_orb, the mass and the largest drift of
the [flow's angular momentum](../conservation.md#angular-momentum), a share of J, are of the time with two stars.

![Separation against orbits](equal_masses.png)

**What it says.** How deep the contact is decides. With a fillout of 0.9 the stars fall together within a few orbits
on both meshes, as Rasio & Shapiro found, in a time that the finer mesh makes longer. With 0.1 the pair stays, as
New & Tohline found: on the finer mesh its separation is within half a per cent of the first one for {ORBITS}
orbits, and what it loses on the coarser one is the mesh's, for on the finer one it is gone. With 0.5 the meshes
disagree: the coarser one merges the stars, the finer one brings them nearer by a per cent in {ORBITS} orbits. So
the two papers need not contradict each other: if there is a limit, it lies within the sequence of contact binaries,
and where it lies cannot be said from these meshes.

A run without a push starts from the mesh's own errors, so its time to merger is no growth rate: only whether it
merges compares with the papers. What brings the stars of 0.5 and 0.9 nearer is seen in the table and in the
pictures: gas leaves through the outer Lagrange points and takes more than its share of angular momentum along. How
much of that is the mesh's, which cannot hold a surface sharper than a cell or two, these runs do not tell; with 0.1
and 0.5 the coarser mesh loses more. One more level, of 16 times the work, would.

Density in the orbit's plane, on cells of a/{LEVELS[fine]}, fillout 0.5:

![Density, fillout 0.5](equal_masses_0.5.png)

and fillout 0.9:

![Density, fillout 0.9](equal_masses_0.9.png)

{repeat("equal_masses", job(0.5, fine), "the run with a fillout of 0.5 on the finer mesh")}"""


def draw(library: Library) -> Figure:
    figure, axes = plt.subplots(figsize=(7, 3.8), layout="constrained")
    for fillout, colour in zip(FILLOUTS, (BLUE, GREEN, ORANGE), strict=True):
        for level, style in zip(sorted(LEVELS), (":", "-"), strict=True):
            orbit = orbit_of(library.run(job(fillout, level)))
            label = f"fillout {fillout:g}, a/{LEVELS[level]}"
            axes.plot(orbit.orbits, orbit.separation, style, color=colour, lw=1.2, label=label)
    axes.set(xlabel="orbits", ylabel="separation / initial separation", ylim=(0.5, 1.05))
    axes.legend(fontsize=8, loc="lower left")
    axes.grid(alpha=0.25)
    return figure
