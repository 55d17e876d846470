"""Three pairs of polytropes of n = 3/2, q = 1.3, 0.5 and 0.4: does mass transfer run away?"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from rednova.science.outcome import books, draw_densities, draw_transfer, orbit_of, reached, transfer
from rednova.science.repeat import repeat
from rednova.verify.library import Job, Library
from rednova.verify.page import BLUE, GREEN, ORANGE, table, write_figure

#: Mass ratio, donor over accretor → the share of the accretor's Roche lobe that the accretor fills: of q = 0.5 and 0.4
#: the one that gives both stars one entropy (to 5 %), as in degenerate matter.
FILLING = {1.3: 0.8, 0.5: 0.58, 0.4: 0.48}
ORBITS = 10
ORBITS_AFTER_MERGER = 1
COARSE, FINE = 18, 24  # cells to the separation,
LEVELS = {COARSE: 3, FINE: 4}  # and their finest levels
DRIVING = 0.01  # of the orbital angular momentum in an orbit,
DRIVEN_ORBITS = 2  # in so many
SHOWN = {1.3: (0, 2, 4, 6), 0.4: (0, 3, 6, 10)}  # orbits of the pictures


def job(ratio: float, driven: bool, cells: int) -> Job:
    """A donor that fills its Roche lobe."""
    edge = 8 * 2 ** LEVELS[cells] / cells
    settings = {
        "problem.donor_filling": 1.0,
        "problem.accretor_filling": FILLING[ratio],
        "problem.accretor_mass": 1 / (1 + ratio),
        "problem.donor_mass": ratio / (1 + ratio),
        "mesh.lower": f"[{-edge / 2:.6g},{-edge / 2:.6g},{-edge / 2:.6g}]",
        "mesh.base_width": f"{edge:.6g}",
        "mesh.max_level": LEVELS[cells],
        "run.end_orbits": ORBITS,
        "run.end_after_merger": f"{ORBITS_AFTER_MERGER * 2 * np.pi:.6g}",
        "output.fields": '["density"]',
        "output.snapshot_orbits": 1.0,
    }
    if driven:
        settings |= {"driving.rate": DRIVING, "driving.orbits": DRIVEN_ORBITS}
    name = f"mass_transfer_{ratio:g}_{'driven' if driven else 'free'}_{cells}"
    return Job.of(name, "detached_binary", settings, grows=True)


#: What is asked of each ratio: driven or not, cells to the separation; longest first, for two run at a time.
RUNS = ((True, FINE), (False, COARSE), (True, COARSE))
JOBS = [job(ratio, driven, cells) for driven, cells in RUNS for ratio in FILLING]


def row(library: Library, which: Job, ratio: float, driven: str) -> tuple:
    run = library.run(which)
    model = reached(run)
    cells = int(which.name.rsplit("_", 1)[1])
    orbit = orbit_of(run)
    return (
        f"{ratio:g}",
        driven,
        f"{model['radius of the donor'] * cells:.1f} and {model['radius of the accretor'] * cells:.1f}",
        *transfer(orbit),
        f"{orbit.flow_drift:.1e}",
        *books(run),
    )


def page(library: Library, images: Path) -> str:
    heading = (
        "q",
        "driven",
        "cells to the radii of donor and accretor",
        "orbits",
        "merged after orbits",
        "donor's mass that left its lobe, %",
        "largest rate, % of the donor in an orbit, and when",
        "separation: change, %",
        "J_orb: change, %",
        "flow's drift, largest",
        "remainder of J",
        "of E",
    )
    rows = [
        row(library, job(ratio, driven, cells), ratio, "yes" if driven else "no")
        for ratio in FILLING
        for driven, cells in RUNS
    ]
    write_figure(draw(library), images / "mass_transfer.png")
    for ratio, moments in SHOWN.items():
        draw_densities(
            library.run(job(ratio, True, FINE)), moments, 1.6, images / f"mass_transfer_{ratio:g}.png"
        )
    return f"""# Mass transfer at q = 1.3, 0.5 and 0.4

A donor of n = 3/2 that fills its Roche lobe grows as it loses mass. If it is heavier than the accretor its lobe shrinks
meanwhile, and mass transfer runs away; if it is much lighter the orbit widens, and transfer may die down. Three pairs
on both sides of the limit have been followed by others.

**Published.** D'Souza, Motl, Tohline & Frank (2006, ApJ 643, 381; abstract): q = 1.3, donor over accretor, merges
within some 10 orbits; q = 0.5 tends to separate, after some unstable growth, while the rate of transfer levels
off. Motl, Frank, Tohline & D'Souza (2007, ApJ 670, 1314; abstract): after q = 0.4 is brought into deep contact the rate
grows more than tenfold in some ten orbits, peaks, and the orbit widens; the accretor gives spin back to the orbit.
Motl et al. (2017, ApJS 229, 27; abstract): with the heat of shocks, ideal gas in place of p = Kρ^(5/3), pairs are less
stable, and more so on grids. Abstracts alone were read: how deep their contact was, and how large
their accretors were, is not known here.

**Asked.** Donors that fill their Roche lobes to the last cell, in equilibrium by the [self-consistent
field](../initial_models.md), accretors that fill {FILLING[1.3]:g}, {FILLING[0.5]:g} and {FILLING[0.4]:g} of theirs (the
two latter give both stars one entropy to 5 %, as in degenerate matter), ideal gas of γ = 5/3, {ORBITS} orbits at
most, and {ORBITS_AFTER_MERGER} after a merger.
Driven runs lose {100 * DRIVING:g} % of the orbital angular momentum in each of the first
{DRIVEN_ORBITS} orbits ([driving](../step.md#driving)) and are left alone from there on; the others are left alone all
the time. Cells are a/{FINE} and a/{COARSE}.

{table(heading, rows)}

Rates are means over half orbits of the mass in the donor's lobe; changes are those up to the last row with two stars;
the drift is of the [flow's angular momentum](../conservation.md#angular-momentum), a share of J, up to there.

![Separation and the donor's mass](mass_transfer.png)

The driven pairs with q = 1.3 and 0.4 in the orbit's plane, in cells of a/{FINE}:

![Density, q = 1.3](mass_transfer_1.3.png)

![Density, q = 0.4](mass_transfer_0.4.png)

{repeat("mass_transfer", job(1.3, True, FINE), "the driven run of q = 1.3 on the finer mesh")}"""


def draw(library: Library) -> Figure:
    curves = []
    for ratio, colour in zip(FILLING, (ORANGE, GREEN, BLUE), strict=True):
        for (driven, cells), style in zip(RUNS, ("-", ":", "--"), strict=True):
            label = f"q = {ratio:g}, a/{cells}" + (", driven" if driven else "")
            orbit = orbit_of(library.run(job(ratio, driven, cells)))
            curves.append((orbit, {"color": colour, "ls": style, "label": label}))
    return draw_transfer(curves)
