"""Darwin's limit: below which mass ratio a contact binary is unstable."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from rednova.roche import lobe_radius
from rednova.science.outcome import reached
from rednova.science.repeat import repeat
from rednova.verify.library import Job, Library
from rednova.verify.page import BLUE, GREEN, GREY, ORANGE, number, table, write_figure

RATIOS = (0.06, 0.08, 0.1, 0.12, 0.14)
FILLOUTS = (0.0, 0.5, 1.0)
#: Finest level → cells to the separation.
LEVELS = {5: 32, 6: 64}
#: I / M R² of the polytrope of n = 3, by Lane and Emden's equation, and what is often taken for stars like the sun.
GYRATION = (0.07536, 0.06)


def job(ratio: float, fillout: float, level: int) -> Job:
    """A contact binary of two polytropes of n = 3, made and not evolved."""
    settings = {
        "problem.surface": '"contact"',
        "problem.fillout": fillout,
        "problem.accretor_mass": 1 / (1 + ratio),
        "problem.donor_mass": ratio / (1 + ratio),
        "problem.accretor_index": 3.0,
        "problem.donor_index": 3.0,
        "problem.accretor_core_fraction": 0.0,
        "problem.donor_core_fraction": 0.0,
        "problem.slowdown": 0.0,
        "mesh.lower": "[-2.0,-2.0,-2.0]",
        "mesh.base_width": 4.0,
        "mesh.max_level": level - 1,  # of a box of half the input's
        "run.max_steps": 0,
        "output.fields": '["density"]',
    }
    return Job.of(f"darwin_{ratio:g}_{fillout:g}_{level}", "contact_binary_quick", settings)


JOBS = [job(q, f, level) for level in sorted(LEVELS, reverse=True) for f in FILLOUTS for q in RATIOS]


def spin_share(library: Library, fillout: float, level: int) -> list[float]:
    """J_spin / J_orb for each mass ratio."""
    return [reached(library.run(job(q, fillout, level)))["J_spin / J_orb"] for q in RATIOS]


def limit(shares: list[float]) -> float:
    """The mass ratio at which J_spin is a third of J_orb, from the logarithms of neighbours; nan if it is outside."""
    x, y = np.log(RATIOS), np.log(shares)
    if not y.min() <= np.log(1 / 3) <= y.max():
        return float("nan")
    return float(np.exp(np.interp(-np.log(1 / 3), -y, x)))


def estimate(ratio: float, gyration: float) -> float:
    """J_spin / J_orb of a primary that fills its lobe (Eggleton 1983) and a secondary that is a point."""
    return gyration * float(lobe_radius(1 / ratio)) ** 2 * (1 + ratio) / ratio


def estimated_limit(gyration: float) -> float:
    ratios = np.linspace(0.04, 0.2, 400)
    shares = np.array([estimate(q, gyration) for q in ratios])
    return float(np.interp(-1 / 3, -shares, ratios))


def page(library: Library, images: Path) -> str:
    finest = max(LEVELS)
    rows = []
    for fillout in FILLOUTS:
        limits = [limit(spin_share(library, fillout, level)) for level in sorted(LEVELS)]
        model = reached(library.run(job(0.1, fillout, finest)))
        radii = model["radius of the accretor"], model["radius of the donor"]
        rows.append((number(fillout), *limits, *radii, model["virial error"]))
    coarse, fine = (f"q_min, a / {LEVELS[level]}" for level in sorted(LEVELS))
    virial = max(
        reached(library.run(which))["virial error"] for which in JOBS if which.name.endswith(str(finest))
    )
    guesses = " and ".join(f"{estimated_limit(k):.3f} with k² = {k:g}" for k in GYRATION)
    write_figure(draw(library), images / "darwin.png")
    return f"""# Darwin's limit

Two stars in synchronous rotation have no stable orbit once their spins hold more than a third of the orbit's
angular momentum (Darwin 1879; Hut 1980, A&A 92, 167, for stars of fixed moments of inertia). Contact binaries
come there by their mass ratio q: the lighter the secondary, the less J_orb is there, and the larger is the
primary. Where is the limit?

**Asked.** Contact binaries of two polytropes of index 3, both stars on one equipotential, `fillout` of the way
from L1 to L2, q from {RATIOS[0]:g} to {RATIOS[-1]:g}. The stars are those of the [self-consistent
field](../initial_models.md): distorted, with the secondary's spin counted, no gyration radius assumed. Nothing
is evolved. J_spin / J_orb of the models is interpolated in log q to 1/3, on cells of a/{LEVELS[min(LEVELS)]}
and a/{LEVELS[finest]}, where a is the separation.

{table(("fillout", coarse, fine, "R₁/a at q = 0.1", "R₂/a", "virial error there"), rows)}

The largest virial error of the finer models is {virial:.1e}.

**Published.** 0.085 to 0.095 for a primary that is a polytrope of n = 3 (Arbutina 2009, PASP 121, 1036,
abstract); about 0.09 for a mostly radiative primary (Rasio 1995, ApJ 444, L41, abstract); 0.071 to 0.078 by
J_orb = 3 J_spin with fixed radii, and 0.094 to 0.109 for overcontact degrees 0 to 1 from dJ = 0 with R₂ tied to
R₁ (Arbutina 2007, MNRAS 377, 1635, abstract). Only abstracts were read.

**By hand.** A primary of radius of its lobe (Eggleton 1983) with k² = I/MR², and a point for the secondary,
give {guesses}: {GYRATION[0]:g} is that of the undistorted polytrope.

![J_spin / J_orb against the mass ratio](darwin.png)

**What it says.** The criterion is that of the first two published figures, J_orb = 3 J_spin, with distorted
stars. How far the stars overfill their lobes moves the limit more than the mesh does. Which q a real binary
merges at depends on its primary: a star like the sun is more concentrated than n = 3 and has the lower limit.
The criterion from dJ = 0 along a sequence of contact binaries is another one, and not tested here.

{repeat("darwin", job(0.1, 0.5, finest), "the model of q = 0.1 with a fillout of 0.5 on the finer mesh")}"""


def draw(library: Library):
    figure, axes = plt.subplots(figsize=(6, 3.8), layout="constrained")
    for fillout, colour in zip(FILLOUTS, (BLUE, GREEN, ORANGE), strict=True):
        for level, style in zip(sorted(LEVELS), (":", "-"), strict=True):
            label = f"fillout {fillout:g}" if level == max(LEVELS) else None
            axes.plot(
                RATIOS,
                spin_share(library, fillout, level),
                style,
                color=colour,
                marker="o",
                ms=3,
                label=label,
            )
    fine = np.linspace(RATIOS[0], RATIOS[-1], 100)
    axes.plot(
        fine,
        [estimate(q, GYRATION[0]) for q in fine],
        color=GREY,
        lw=0.8,
        label=f"by hand, k² = {GYRATION[0]:g}",
    )
    axes.axhline(1 / 3, color="black", lw=0.8, ls=":")
    axes.set(xlabel="mass ratio q", ylabel="J_spin / J_orb", yscale="log")
    axes.legend(fontsize=8)
    axes.grid(alpha=0.25)
    return figure
