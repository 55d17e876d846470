"""Three pairs of polytropes of n = 3/2, q = 1.3, 0.5 and 0.4: does mass transfer run away?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from rednova.run import Run
from rednova.science.drawing import Pictures, draw_densities, draw_transfer
from rednova.science.kept import Wanted
from rednova.science.outcome import (
    TRANSFER,
    books,
    orbit_in,
    reached,
    transfer,
    transfer_in_words,
)
from rednova.science.repeat import repeat
from rednova.verify.library import Job, Library
from rednova.verify.page import BLUE, GREEN, ORANGE, table, write_figure

#: Mass ratio, donor over accretor → the share of the accretor's Roche lobe that the accretor fills: of q = 0.5 and 0.4
#: the one that gives both stars one entropy (to 5 %), as in degenerate matter.
FILLING = {1.3: 0.8, 0.5: 0.58, 0.4: 0.48}
ORBITS = {1.3: 10, 0.5: 10, 0.4: 15}
ORBITS_AFTER_MERGER = 1
COARSE, FINE = 24, 48  # cells to the separation,
LEVELS = {COARSE: 5, FINE: 6}  # and their finest levels
#: The box's, in separations: a whole and even number of the finest cells, so that the stars' plane is a face of cells.
EDGE = 8 * 2 ** LEVELS[COARSE] / COARSE
DRIVING = 0.01  # of the orbital angular momentum in an orbit,
DRIVEN_ORBITS = 2  # in so many
SHOWN = {1.3: (0, 2, 4, 6), 0.4: (0, 5, 10, 15)}  # orbits of the pictures
REACH = 1.6  # of the pictures from the mass centre, separations
#: What others found (see the page).
PUBLISHED = {
    1.3: "merges within some 10 orbits",
    0.5: "tends to separate while the rate levels off",
    0.4: "the rate grows more than tenfold in some ten orbits and peaks, and the orbit widens",
}
TAKES_ANY = True


@dataclass(frozen=True)
class Pair:
    """A donor that fills its Roche lobe.

    ratio: donor's mass over accretor's. cells: to the separation.
    """

    ratio: float
    driven: bool
    cells: int

    @property
    def job(self) -> Job:
        settings = {
            "problem.donor_filling": 1.0,
            "problem.accretor_filling": FILLING[self.ratio],
            "problem.accretor_mass": 1 / (1 + self.ratio),
            "problem.donor_mass": self.ratio / (1 + self.ratio),
            "mesh.lower": f"[{-EDGE / 2},{-EDGE / 2},{-EDGE / 2}]",
            "mesh.base_width": EDGE,
            "mesh.max_level": LEVELS[self.cells],
            "run.end_orbits": ORBITS[self.ratio],
            "run.end_after_merger": f"{ORBITS_AFTER_MERGER * 2 * np.pi:.6g}",
            "output.fields": '["density"]',
            "output.snapshot_orbits": 1.0,
        }
        if self.driven:
            settings |= {"driving.rate": DRIVING, "driving.orbits": DRIVEN_ORBITS}
        name = f"mass_transfer_{self.ratio:g}_{'driven' if self.driven else 'free'}_{self.cells}"
        return Job.of(name, "detached_binary", settings, grows=True)

    @property
    def words(self) -> str:
        return f"a/{self.cells}" + (", driven" if self.driven else "")


#: In the order in which they are made: the page says something as soon as the first ones are there.
PAIRS = [
    Pair(ratio, driven, cells) for cells in (COARSE, FINE) for driven in (True, False) for ratio in FILLING
]
JOBS = [pair.job for pair in PAIRS]


def wanted(job: Job, _run: Run) -> Wanted:
    """What the page takes of a run."""
    pair = PAIRS[JOBS.index(job)]
    drawn = pair.driven and pair.ratio in SHOWN
    return Wanted(pictures=Pictures(SHOWN[pair.ratio], REACH) if drawn else None)


def row(library: Library, pair: Pair) -> tuple:
    run = library.run(pair.job)
    model, orbit = reached(run), orbit_in(library, pair.job)
    return (
        f"{pair.ratio:g}",
        f"a/{pair.cells}",
        "yes" if pair.driven else "no",
        f"{model['radius of the donor'] * pair.cells:.1f} and {model['radius of the accretor'] * pair.cells:.1f}",
        *transfer(orbit),
        f"{orbit.flow_drift:.1e}",
        *books(run),
    )


def verdict(library: Library, ratio: float, pairs: list[Pair]) -> str:
    """What the runs of one mass ratio say, beside what is published."""
    said = []
    for pair in pairs:
        orbit = orbit_in(library, pair.job)
        rates = transfer_in_words(orbit)
        said.append(
            f"{'Driven' if pair.driven else 'Left alone'}, on a/{pair.cells}, it {orbit.fate}"
            + (f"; {rates}" if rates else "")
        )
    return f"*q = {ratio:g}* (published: {PUBLISHED[ratio]}). {'. '.join(said) or 'There is no run yet'}."


def pictures(library: Library, images: Path, present: list[Pair]) -> str:
    """The pictures of the driven pairs, each on the finest mesh that there is, in Markdown."""
    shown = []
    for ratio, moments in SHOWN.items():
        pairs = [pair for pair in present if pair.ratio == ratio and pair.driven]
        if not pairs:
            continue
        finest = max(pairs, key=lambda pair: pair.cells)
        path = images / f"mass_transfer_{ratio:g}.png"
        draw_densities(library.run(finest.job), Pictures(moments, REACH), path)
        shown.append(
            f"The driven pair with q = {ratio:g} in the orbit's plane, in cells of a/{finest.cells}:\n\n"
            f"![Density, q = {ratio:g}]({path.name})"
        )
    return "\n\n".join(shown)


def page(library: Library, images: Path) -> str:
    heading = (
        "q",
        "cells",
        "driven",
        "cells to the radii of donor and accretor",
        *TRANSFER,
        "flow's drift, largest",
        "remainder of J",
        "of E",
    )
    present = [pair for pair in PAIRS if library.has(pair.job)]
    of_ratio = {ratio: [pair for pair in present if pair.ratio == ratio] for ratio in FILLING}
    rows = [row(library, pair) for pairs in of_ratio.values() for pair in pairs]
    write_figure(draw(library, present), images / "mass_transfer.png")
    lasting = ", ".join(f"{orbits} with q = {ratio:g}" for ratio, orbits in ORBITS.items())
    coarse_alone = "" if any(pair.cells == FINE for pair in present) else f" No run on a/{FINE} is there yet."
    verdicts = "\n\n".join(verdict(library, ratio, pairs) for ratio, pairs in of_ratio.items())
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
two latter give both stars one entropy to 5 %, as in degenerate matter), ideal gas of γ = 5/3. At most so many orbits:
{lasting}; and {ORBITS_AFTER_MERGER} after a merger.
Driven runs lose {100 * DRIVING:g} % of the orbital angular momentum in each of the first
{DRIVEN_ORBITS} orbits ([driving](../step.md#driving)) and are left alone from there on; the others are left alone all
the time. Cells are a/{COARSE} and a/{FINE}, in the same box of ±{EDGE / 2:.2f} a.{coarse_alone}

{table(heading, rows)}

Rates are means over half orbits of the mass in the donor's lobe. In the last orbit before a merger the lobes shrink to
nothing, so that masses, separation and J_orb are no measure of stars: they are read before. The drift is of the
[flow's angular momentum](../conservation.md#angular-momentum), a share of J, as long as there are two stars.

![Separation and the donor's mass](mass_transfer.png)

{pictures(library, images, present)}

**What it says.** {verdicts}

{repeat("mass_transfer", Pair(1.3, True, FINE).job, "the driven run of q = 1.3 on the finer mesh")}"""


def draw(library: Library, present: list[Pair]) -> Figure:
    colours = dict(zip(FILLING, (ORANGE, GREEN, BLUE), strict=True))
    styles = {(True, FINE): "-", (False, FINE): "-.", (True, COARSE): "--", (False, COARSE): ":"}
    return draw_transfer(
        [
            (
                orbit_in(library, pair.job),
                {
                    "color": colours[pair.ratio],
                    "ls": styles[pair.driven, pair.cells],
                    "label": f"q = {pair.ratio:g}, {pair.words}",
                },
            )
            for pair in present
        ]
    )
