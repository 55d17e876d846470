"""Darwin's limit: below which mass ratio a contact binary is unstable."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from rednova.roche import lobe_radius
from rednova.run import Run
from rednova.science.outcome import reached
from rednova.science.repeat import repeat
from rednova.verify.library import Job, Library
from rednova.verify.page import BLUE, GREEN, GREY, ORANGE, number, table, two_panels, write_figure

RATIOS = (0.06, 0.08, 0.1, 0.12, 0.14)
FILLOUTS = (0.0, 0.5, 1.0)
#: Finest level → cells to the separation.
LEVELS = {5: 32, 6: 64}
#: I / M R² of the polytrope of n = 3, by Lane and Emden's equation, and what is often taken for stars like the sun.
GYRATION = (0.07536, 0.06)
#: Limits that others give: for a primary of n = 3 (Arbutina 2009), and for overcontact degrees 0 and 1 from dJ = 0 with
#: R₂ tied to R₁ (Arbutina 2007).
PUBLISHED, OVERCONTACT = (0.085, 0.095), (0.094, 0.109)
#: Detached pairs of one mass ratio, both stars filling these shares of their Roche lobes: a sequence in the separation.
DETACHED, FILLINGS = 0.07, (1.0, 0.96, 0.92, 0.88, 0.84, 0.8)
SEQUENCES = min(LEVELS)  # the level of the sequences


def polytropes(name: str, ratio: float, surface: dict[str, object], level: int) -> Job:
    """Two polytropes of n = 3, made and not evolved; surface: the settings that give their surfaces."""
    settings = surface | {
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
    return Job.of(f"{name}_{level}", "contact_binary_quick", settings)


def job(ratio: float, fillout: float, level: int) -> Job:
    """A contact binary."""
    surface = {"problem.surface": '"contact"', "problem.fillout": fillout}
    return polytropes(f"darwin_{ratio:g}_{fillout:g}", ratio, surface, level)


def detached(filling: float) -> Job:
    """A pair of the detached sequence."""
    surface = {
        "problem.surface": '"separate"',
        "problem.accretor_filling": filling,
        "problem.donor_filling": filling,
    }
    return polytropes(f"darwin_{DETACHED:g}_detached_{filling:g}", DETACHED, surface, SEQUENCES)


JOBS = [
    *(job(q, f, level) for level in sorted(LEVELS, reverse=True) for f in FILLOUTS for q in RATIOS),
    *(detached(filling) for filling in FILLINGS),
]


def spin_share(library: Library, fillout: float, level: int) -> list[float]:
    """J_spin / J_orb for each mass ratio."""
    return [reached(library.run(job(q, fillout, level)))["J_spin / J_orb"] for q in RATIOS]


def limit(shares: list[float], share: float = 1 / 3) -> float:
    """The mass ratio at which J_spin is this share of J_orb, from the logarithms of neighbours; nan if outside."""
    x, y = np.log(RATIOS), np.log(shares)
    if not y.min() <= np.log(share) <= y.max():
        return float("nan")
    return float(np.exp(np.interp(-np.log(share), -y, x)))


@dataclass(frozen=True)
class Sequence:
    """Models of the same two stars at several separations, [model].

    The stars of models with one separation and one mass are the same if nothing is heated on the way from one to the
    next: between neighbouring equilibria that turn rigidly dE = Ω dJ. That gives each model its length, for with a
    length λ energies go as 1/λ, J as sqrt(λ) and Ω as λ^(-3/2): d ln λ (E + Ω J / 2) = dE - Ω dJ, by differences.

    Attributes:
        separation, momentum: a and J of orbit and spins over those of the first model.
        share: J_spin / J_orb.
    """

    separation: NDArray
    momentum: NDArray
    share: NDArray

    @classmethod
    def of(cls, runs: Iterable[Run]) -> Sequence:
        """Of models of a separation of 1 and a mass of 1, made and not evolved."""
        found = [(reached(run), run.history) for run in runs]
        share = np.array([table["J_spin / J_orb"] for table, _ in found])
        turn = np.array([2 * np.pi / table["period"] for table, _ in found])
        reduced = np.array([table["mass of the accretor"] * table["mass of the donor"] for table, _ in found])
        parts = ("kinetic_energy", "internal_energy", "gravitational_energy")
        energy = np.array([sum(history[part][0] for part in parts) for _, history in found])
        momentum = reduced * turn * (1 + share)
        energies, momenta, turns = ((x[1:] + x[:-1]) / 2 for x in (energy, momentum, turn))
        steps = (np.diff(energy) - turns * np.diff(momentum)) / (energies + turns * momenta / 2)
        length = np.exp(np.concatenate([[0], np.cumsum(steps)]))
        return cls(length, momentum * np.sqrt(length) / momentum[0], share)

    def least(self) -> tuple[float, float]:
        """Where J is least, by cubics in ln a: a, and J_spin / J_orb there; nan where that is no inner point."""
        a = np.log(self.separation)
        fine = np.linspace(a.min(), a.max(), 2001)
        momentum, share = (np.polynomial.Polynomial.fit(a, y, 3)(fine) for y in (self.momentum, self.share))
        lowest = int(np.argmin(momentum))
        inside = 0 < lowest < len(fine) - 1
        return (float(np.exp(fine[lowest])), float(share[lowest])) if inside else (np.nan, np.nan)

    def where(self, share: float) -> float:
        """a where J_spin / J_orb, which falls with a, has a value."""
        order = np.argsort(self.share)
        return float(np.exp(np.interp(share, self.share[order], np.log(self.separation[order]))))

    def slope(self) -> NDArray:
        """d ln J / d ln a by the parabola through the models, [model]."""
        a = np.log(self.separation)
        return np.polynomial.Polynomial.fit(a, np.log(self.momentum), 2).deriv()(a)


def detached_sequence(library: Library) -> Sequence:
    return Sequence.of(library.run(detached(filling)) for filling in FILLINGS)


def contact_slopes(library: Library) -> NDArray:
    """d ln J / d ln a of contact binaries whose fillout changes, [ratio, fillout]."""
    return np.array(
        [Sequence.of(library.run(job(q, f, SEQUENCES)) for f in FILLOUTS).slope() for q in RATIOS]
    )


def turning(slope: NDArray) -> float:
    """The mass ratio from where on J rises with the separation, from slopes at all ratios; nan if that is outside."""
    return float(np.exp(np.interp(0, slope, np.log(RATIOS)))) if slope[0] < 0 < slope[-1] else float("nan")


def estimate(ratio: float, gyration: float) -> float:
    """J_spin / J_orb of a primary that fills its lobe (Eggleton 1983) and a secondary that is a point."""
    return gyration * float(lobe_radius(1 / ratio)) ** 2 * (1 + ratio) / ratio


def estimated_limit(gyration: float) -> float:
    ratios = np.linspace(0.04, 0.2, 400)
    shares = np.array([estimate(q, gyration) for q in ratios])
    return float(np.interp(-1 / 3, -shares, ratios))


def verdict(sequences: Iterable[tuple[str, float, float, float]]) -> str:
    """What both criteria give, beside what is published.

    sequences: of each fillout: it, and the mass ratios where J_spin / J_orb is 1/3, where it is that of the detached
        pair's least J, and where J neither rises nor falls in contact.
    """
    fillouts, thirds, _, turned = (list(column) for column in zip(*sequences, strict=True))
    said = (
        f"J_orb = 3 J_spin, the criterion of rigid stars, gives {span(thirds)}, and dJ = 0 {span(turned)}, where "
        f"{PUBLISHED[0]:g} to {PUBLISHED[1]:g} is published for n = 3"
    )
    found = [ratio for ratio in turned if not np.isnan(ratio)]
    if found:
        outside = max(0.0, PUBLISHED[0] - min(found), max(found) - PUBLISHED[1])
        said += f": dJ = 0 is outside of that by {outside:.3f} at most"
    without = [fillout for fillout, ratio in zip(fillouts, turned, strict=True) if np.isnan(ratio)]
    if without:
        return f"{said}; with a fillout of {' and '.join(without)} it is at none of the mass ratios tried."
    over = [ratio / published for ratio, published in zip((turned[0], turned[-1]), OVERCONTACT, strict=True)]
    return (
        f"{said}. From the least fillout to the largest it gives {over[0]:.2f} and {over[1]:.2f} of what has been "
        "found with R₂ tied to R₁."
    )


def span(ratios: Iterable[float]) -> str:
    """From the least mass ratio to the largest, of those that are known."""
    found = [ratio for ratio in ratios if not np.isnan(ratio)]
    return f"{min(found):.3f} to {max(found):.3f}" if found else "none of the mass ratios tried"


def moved(limits: NDArray) -> str:
    """How far the mass ratio of J_orb = 3 J_spin, [fillout, mesh], is moved; nothing where one is not known."""
    if np.isnan(limits).any():
        return ""
    by_mesh = np.ptp(limits, axis=1).max()
    return (
        "How far the stars overfill their lobes moves the mass ratio at which J_orb = 3 J_spin by "
        f"{np.ptp(limits[:, -1]):.4f} on the finer mesh, and the mesh moves it by {by_mesh:.4f} at most."
    )


def of_detached(least_at: float, least_share: float, third_at: float) -> str:
    """What the sequence of detached pairs says of rigid stars; nothing where it has no least J.

    least_at, least_share: separation and J_spin / J_orb where J is least. third_at: separation where that is 1/3.
    """
    if least_at > third_at:
        return (
            "The same two stars swell as they come nearer, their moments of inertia grow, and J stops falling at a "
            f"wider separation than where J_orb = 3 J_spin, when spins hold {least_share:.3f} of J_orb."
        )
    return "J stops falling no sooner than where J_orb = 3 J_spin." if least_at <= third_at else ""


def page(library: Library, images: Path) -> str:
    finest = max(LEVELS)
    rows, by_level = [], []
    for fillout in FILLOUTS:
        limits = [limit(spin_share(library, fillout, level)) for level in sorted(LEVELS)]
        by_level.append(limits)
        model = reached(library.run(job(0.1, fillout, finest)))
        radii = model["radius of the accretor"], model["radius of the donor"]
        rows.append((number(fillout), *limits, *radii, model["virial error"]))
    coarse, fine = (f"q_min, a / {LEVELS[level]}" for level in sorted(LEVELS))
    virial = max(
        reached(library.run(which))["virial error"] for which in JOBS if which.name.endswith(str(finest))
    )
    sequence, turned = detached_sequence(library), contact_slopes(library)
    (least_at, least_share), third_at = sequence.least(), sequence.where(1 / 3)
    sequences = [
        (
            number(fillout),
            limit(spin_share(library, fillout, SEQUENCES)),
            limit(spin_share(library, fillout, SEQUENCES), least_share),
            turning(turned[:, i]),
        )
        for i, fillout in enumerate(FILLOUTS)
    ]
    guesses = " and ".join(f"{estimated_limit(k):.3f} with k² = {k:g}" for k in GYRATION)
    write_figure(draw(library), images / "darwin.png")
    write_figure(draw_sequences(library), images / "darwin_sequences.png")
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

**Published.** {PUBLISHED[0]:g} to {PUBLISHED[1]:g} for a primary that is a polytrope of n = 3 (Arbutina 2009, PASP
121, 1036, abstract); about 0.09 for a mostly radiative primary (Rasio 1995, ApJ 444, L41, abstract); 0.071 to 0.078 by
J_orb = 3 J_spin with fixed radii, and {OVERCONTACT[0]:g} to {OVERCONTACT[1]:g} for overcontact degrees 0 to 1 from dJ =
0 with R₂ tied to R₁ (Arbutina 2007, MNRAS 377, 1635, abstract). Only abstracts were read.

**By hand.** A primary of radius of its lobe (Eggleton 1983) with k² = I/MR², and a point for the secondary,
give {guesses}: {GYRATION[0]:g} is that of the undistorted polytrope.

![J_spin / J_orb against the mass ratio](darwin.png)

**The least J.** J_orb = 3 J_spin is where J(a) has its minimum if the stars are rigid. Real ones are not: as they
come nearer they turn faster and swell. So J is followed along sequences of the same two stars: models of one mass ratio
whose lengths are chosen such that between neighbours dE = Ω dJ, as it is where nothing is heated. All on cells of
a/{LEVELS[SEQUENCES]}.

A detached pair of q = {DETACHED:g}, both stars filling {FILLINGS[0]:g} to {FILLINGS[-1]:g} of their lobes, has its
least J where a is {least_at:.3f} of that of filled lobes and J_spin / J_orb is {least_share:.3f}; J_orb = 3 J_spin
holds at {third_at:.3f}. In the table the mass ratio of contact binaries is given at which J_spin / J_orb is 1/3, at
which it is {least_share:.3f}, and at which J neither rises nor falls along binaries in contact whose fillout changes.

{table(("fillout", "J_spin / J_orb = 1/3", f"{least_share:.3f}", "dJ = 0 in contact"), sequences)}

![J along sequences of the same stars](darwin_sequences.png)

**What it says.** {verdict(sequences)} {of_detached(least_at, least_share, third_at)} {moved(np.array(by_level))}
Which q a real binary merges at depends on its primary: a star like the sun is more concentrated than n = 3 and has the
lower limit. In contact the models' stars have an entropy each and the pressure jumps in the neck: the gas that would
flow there is left out.

{repeat("darwin", job(0.1, 0.5, finest), "the model of q = 0.1 with a fillout of 0.5 on the finer mesh")}"""


def draw_sequences(library: Library) -> Figure:
    """J along the detached sequence, and how fast it changes along contact binaries."""
    figure, left, right = two_panels(3.6)
    pairs = detached_sequence(library)
    left.plot(pairs.separation, pairs.momentum - 1, "o-", color=BLUE, ms=4)
    left.axvline(pairs.least()[0], color=BLUE, lw=0.8, ls="--", label="least J")
    left.axvline(pairs.where(1 / 3), color="black", lw=0.8, ls=":", label="J_orb = 3 J_spin")
    left.set(xlabel="a over that of filled lobes", title=f"J, change, detached, q = {DETACHED:g}")
    slope = contact_slopes(library)
    for column, fillout, colour in zip(slope.T, FILLOUTS, (BLUE, GREEN, ORANGE), strict=True):
        right.plot(RATIOS, column, "o-", color=colour, ms=3, label=f"fillout {fillout:g}")
    right.axhline(0, color="black", lw=0.8, ls=":")
    right.set(xlabel="mass ratio q", title="d ln J / d ln a, contact")
    for axes in (left, right):
        axes.legend(fontsize=8)
    return figure


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
