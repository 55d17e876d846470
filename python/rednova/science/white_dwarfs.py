"""A pair of white dwarfs of 0.9 and 0.6 solar masses: for how many orbits does the donor last?"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from rednova.run import Run
from rednova.science.drawing import Pictures, draw_densities, draw_transfer
from rednova.science.inputs import cell, parameters, period
from rednova.science.kept import Wanted
from rednova.science.outcome import (
    TRANSFER,
    books,
    orbit_in,
    orbit_of,
    reached,
    transfer,
    transfer_in_words,
    unbound,
)
from rednova.science.repeat import repeat
from rednova.verify.library import Job, Library
from rednova.verify.page import BLUE, GREEN, ORANGE, table, write_figure

PROBLEM = "white_dwarfs"
INPUT = parameters(PROBLEM)
ORBITS = 20
ORBITS_AFTER_MERGER = 2
SEPARATION = 0.0391  # solar radii: of the input's model, whose donor fills its lobe
COARSE, FINE = 6, 7  # finest levels
DRIVING = 0.01  # of the orbital angular momentum in an orbit,
DRIVEN_ORBITS = 2  # in so many
#: What is asked of each run: driven or not, finest level; in the order in which they are made.
RUNS = ((True, COARSE), (False, COARSE), (True, FINE))
KILOMETRES = 695700  # in a solar radius
REACH = 0.06  # of the pictures from the mass centre, solar radii
TAKES_ANY = True


def job(driven: bool, level: int) -> Job:
    """The pair of `problems/white_dwarfs.toml`, whose donor fills its Roche lobe."""
    settings = {
        "mesh.max_level": level,
        "run.end_orbits": ORBITS,
        "run.end_after_merger": f"{ORBITS_AFTER_MERGER * period(PROBLEM, SEPARATION):.6g}",
        "output.fields": '["density"]',
        "output.snapshot_orbits": 0.5,
    }
    if driven:
        settings |= {"driving.rate": DRIVING, "driving.orbits": DRIVEN_ORBITS}
    name = f"white_dwarfs_{'driven' if driven else 'free'}_{level}"
    return Job.of(name, PROBLEM, settings, grows=True)


JOBS = [job(driven, level) for driven, level in RUNS]


def width(level: int) -> float:
    """Of the finest cells, solar radii."""
    return cell(INPUT["mesh"]["base_width"], level)


def wanted(_job: Job, run: Run) -> Wanted:
    """What the page takes of a run."""
    return Wanted(pictures=Pictures(orbit_of(run).moments, REACH))


def row(library: Library, driven: bool, level: int) -> tuple:
    run, orbit = library.run(job(driven, level)), orbit_in(library, job(driven, level))
    model = reached(run)
    return (
        "yes" if driven else "no",
        f"{model['radius of the donor'] / width(level):.1f} and {model['radius of the accretor'] / width(level):.1f}",
        *transfer(orbit),
        f"{100 * unbound(run)[-1]:.2f}",
        f"{orbit.flow_drift:.1e}",
        *books(run),
    )


def verdict(library: Library, driven: bool, level: int) -> str:
    """What a run says."""
    orbit = orbit_in(library, job(driven, level))
    rates = transfer_in_words(orbit)
    return (
        f"{'Driven' if driven else 'Left alone'}, in cells of {KILOMETRES * width(level):.0f} km, the pair {orbit.fate}"
        + (f"; {rates}." if rates else ".")
    )


def page(library: Library, images: Path) -> str:
    heading = (
        "driven",
        "cells to the radii of donor and accretor",
        *TRANSFER,
        "unbound at the end, % of all",
        "flow's drift, largest",
        "remainder of J",
        "of E",
    )
    present = [which for which in RUNS if library.has(job(*which))]
    rows = [row(library, *which) for which in present]
    write_figure(draw(library, present), images / "white_dwarfs.png")
    driven, level = max(present, key=lambda which: (which[1], which[0]))
    shown = library.run(job(driven, level))
    draw_densities(shown, Pictures(orbit_of(shown).moments, REACH), images / "white_dwarfs_density.png")
    return f"""# A pair of white dwarfs

Degenerate gas has no entropy to lose: a white dwarf that loses mass grows. A donor of 0.6 M☉ that fills its Roche lobe
beside 0.9 M☉ is at the mass ratio of 2/3 or so from where on mass transfer runs away, and gas falls onto the accretor
without a disc. For how many orbits does the donor last?

**Published.** Dan, Rosswog, Guillochon & Ramirez-Ruiz (2011, ApJ 737, 89; abstract): in all pairs that they tried, all
of them with unstable transfer by direct impact, the donor lasts for as many as several dozen orbits if the initial
model is an equilibrium, and for a few where spheres are put at an estimated distance; the number depends sensitively
on how the run begins. Only the abstract was read.

**Asked.** `problems/white_dwarfs.toml`: cold degenerate carbon and oxygen, which shocks may heat, both stars and their
distance in equilibrium by the [self-consistent field](../initial_models.md), the donor filling its lobe;
{ORBITS} orbits at most, and {ORBITS_AFTER_MERGER} after the donor's end. Cells are {KILOMETRES * width(FINE):.0f} km
and {KILOMETRES * width(COARSE):.0f} km wide. Driven runs lose {100 * DRIVING:g} % of the orbital angular momentum in
each of the first {DRIVEN_ORBITS} orbits ([driving](../step.md#driving)); gravitational waves would take
{waves():.0e} of it.

{table(heading, rows)}

Rates are means over half orbits of the mass in the donor's lobe. A pair has merged when the donor is disrupted; in the
last orbit before that the lobes shrink to nothing, so that masses, separation and J_orb are no measure of stars: they
are read before. Unbound is gas whose kinetic energy exceeds the depth of the potential; the drift is of the
[flow's angular momentum](../conservation.md#angular-momentum), a share of J, as long as there are two stars.

![Separation and the donor's mass](white_dwarfs.png)

The pair{" that is driven" if driven else ""}, in cells of {KILOMETRES * width(level):.0f} km, in the orbit's plane,
about the last orbits with two stars:

![Density](white_dwarfs_density.png)

**What it says.** {" ".join(verdict(library, *which) for which in present)} Dan et al. have the donor last for as many
as several dozen orbits from a model in equilibrium. Driving takes {DRIVING / waves():.0e} times what gravitational
waves take: how long a driven donor lasts is no lifetime of a pair in the sky.

{repeat("white_dwarfs", job(True, FINE), "the driven run on the finer mesh")}"""


def waves() -> float:
    """Share of the orbital angular momentum that gravitational waves take in an orbit: two points on a circle (Peters
    1964, eq. 5.6, e = 0) at the distance of the input's model."""
    stars = INPUT["problem"]
    masses = np.array([stars["accretor_mass"], stars["donor_mass"]]) * 1.4766  # G M / c² in km
    distance = SEPARATION * KILOMETRES
    rate = 32 / 5 * masses.prod() * masses.sum() / distance**4  # dJ/dt / J over c
    turn = 2 * np.pi * np.sqrt(distance**3 / masses.sum())  # times c
    return float(rate * turn)


def draw(library: Library, present: list[tuple[bool, int]]) -> Figure:
    colours = dict(zip(RUNS, (BLUE, ORANGE, GREEN), strict=True))
    curves = []
    for driven, level in present:
        label = f"{KILOMETRES * width(level):.0f} km" + (", driven" if driven else "")
        curves.append(
            (orbit_in(library, job(driven, level)), {"color": colours[driven, level], "label": label})
        )
    return draw_transfer(curves)
