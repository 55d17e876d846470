"""What comes of two stars: when they merge, how their orbit changes, and whether books and flow closed meanwhile."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rednova.history import merged_at, pair_rows
from rednova.run import Run
from rednova.verify.library import Job, Library
from rednova.verify.measure import worst_remainder

#: Of history.csv, what this module takes.
COLUMNS = (
    "orbits",
    "stars",
    "separation",
    "j_orb",
    "lobe_mass_donor",
    "flow_drift_z",
    "mass",
    "unbound_mass_kinetic",
    "outflow_unbound_mass_kinetic",
    "relative_mass",
    "relative_energy",
    *(f"relative_{name}_{d}" for name in ("momentum", "angular_momentum") for d in "xyz"),
)
#: Means of rates are over so many orbits.
OVER = 0.5
#: Outputs meet orbits better than this.
NEAR = 1e-3
#: Where `Orbit.last` is, for headings.
LAST = "an orbit before the merger or at the end"


@dataclass(frozen=True)
class Orbit:
    """The rows of history.csv in which there are two stars.

    Attributes:
        rows: in the history; [row].
        orbits: turns of the two stars; [row].
        separation, j_orb, donor_mass: as shares of the first row's, the mass in the donor's Roche lobe; [row].
        merged: orbits after which the stars were one for good; nan if they were two in the end.
        end: orbits that the run has come to, with those after a merger.
        complete: whether that is where it was to end.
        flow_drift: the largest |flow_drift_z|, a share of J.
    """

    rows: NDArray
    orbits: NDArray
    separation: NDArray
    j_orb: NDArray
    donor_mass: NDArray
    merged: float
    end: float
    complete: bool
    flow_drift: float

    @property
    def last(self) -> float:
        """Orbits after which is read what has become of the pair: in the last orbit before a merger its lobes shrink to
        nothing with what is measured in them, so that is one before it; else the last ones."""
        return float(self.orbits[-1]) if np.isnan(self.merged) else self.merged - 1

    def at(self, values: NDArray, orbits: float) -> float:
        """Of values, [row], that of the row nearest to so many orbits; nan where there are not two stars."""
        if not -NEAR <= orbits <= self.orbits[-1] + NEAR:
            return float("nan")
        return float(values[np.argmin(np.abs(self.orbits - orbits))])

    def at_last(self, values: NDArray) -> float:
        """The same at `last`."""
        return self.at(values, self.last)

    def separation_after(self, orbits: float) -> str:
        """The change of the separation in per cent, or why there is none, as a table has it."""
        if self.merged <= orbits:
            return "merged"
        return per_cent(self.at(self.separation, orbits) - 1) or "not reached"

    @property
    def when_merged(self) -> str:
        """`merged` as a table has it."""
        return f"not in {self.end:.1f}" if np.isnan(self.merged) else f"{self.merged:.1f}"

    @property
    def followed(self) -> str:
        """`end` as a table has it."""
        return f"{self.end:.1f}" + ("" if self.complete else ", cut short")

    @property
    def fate(self) -> str:
        """What the pair does, for a sentence of which it is the subject."""
        if not np.isnan(self.merged):
            return f"merges after {self.merged:.1f} orbits"
        change = f"its separation changes by {per_cent(self.at_last(self.separation) - 1)} %"
        if self.complete:
            return f"does not merge in {self.end:.1f} orbits, in which {change}"
        return f"has not merged in the {self.end:.1f} orbits that there are as yet, in which {change}"

    def transfer_rate(self) -> tuple[NDArray, NDArray]:
        """Share of its first mass that the donor loses in an orbit, means over `OVER` orbits that follow each other.

        Returns:
            Orbits in the middle of each and the rates; empty where the stars merge before.
        """
        edges = np.arange(0, self.orbits[-1] + NEAR, OVER)
        mass = np.interp(edges, self.orbits, self.donor_mass)
        return (edges[1:] + edges[:-1]) / 2, -np.diff(mass) / OVER

    def rates_to_last(self) -> tuple[NDArray, NDArray]:
        """`transfer_rate` up to `last`."""
        when, rate = self.transfer_rate()
        early = when + OVER / 2 <= self.last + NEAR
        return when[early], rate[early]

    @property
    def largest_rate(self) -> str:
        """The largest of `rates_to_last` in per cent and when, as a table has it; nothing where there is none."""
        when, rate = self.rates_to_last()
        if len(rate) == 0:
            return ""
        top = int(np.argmax(rate))
        return f"{100 * rate[top]:.2f} at {when[top]:.1f}" + (", the last" if top == len(rate) - 1 else "")

    @property
    def moments(self) -> tuple[float, ...]:
        """Orbits of pictures: the start, two before the end of two stars, that end, and an orbit later."""
        end = float(self.orbits[-1])
        return 0.0, max(0.5, end - 2), end, end + 1


def orbit_of(run: Run, complete: bool = True) -> Orbit:
    history = run.history
    rows, merged = pair_rows(history), merged_at(history)
    orbits = np.abs(history["orbits"])
    shares = (history[name][rows] / history[name][0] for name in ("separation", "j_orb", "lobe_mass_donor"))
    return Orbit(
        rows,
        orbits[rows],
        *shares,
        float("nan") if merged is None else float(orbits[merged]),
        float(orbits[-1]),
        complete,
        float(np.max(np.abs(history["flow_drift_z"][rows]))),
    )


def orbit_in(library: Library, job: Job) -> Orbit:
    """Of a library's run, which may be cut short."""
    return orbit_of(library.run(job), bool(library.note(job)))


def reached(run: Run) -> dict[str, float]:
    """What the initial model has come to, by the names of its table."""
    return {row["what"]: row["reached"] for row in run.initial_model["rows"]}


def books(run: Run) -> tuple[float, float]:
    """Largest remainders of angular momentum and of energy in the whole run, over the sums of absolute values."""
    worst = worst_remainder(run)
    return worst["angular momentum"], worst["energy"]


def unbound(run: Run) -> NDArray:
    """Unbound gas, in the domain and outside, a share of all: that of ρv²/2 + ρφ > 0, without heat; [row]."""
    inside, outside = (run.history[f"{where}unbound_mass_kinetic"] for where in ("", "outflow_"))
    return (inside + outside) / run.history["mass"][0]


def per_cent(change: float, digits: int = 2) -> str:
    """A change as a table has it; nothing where there is none."""
    return "" if np.isnan(change) else f"{100 * change:+.{digits}f}"


#: Headings of `transfer`.
TRANSFER = (
    "orbits followed",
    "merged after orbits",
    f"donor's mass that has left its lobe {LAST}, %",
    "largest rate till then, % of the donor in an orbit, and when",
    "separation then: change, %",
    "J_orb then: change, %",
)


def transfer(orbit: Orbit) -> tuple[str, ...]:
    """Columns of a table: how long the run is, when the pair merged, and at `Orbit.last` what of the donor's mass has
    left its lobe, the largest rate, and the changes of separation and J_orb."""
    lost = 1 - orbit.at_last(orbit.donor_mass)
    return (
        orbit.followed,
        orbit.when_merged,
        "" if np.isnan(lost) else f"{100 * lost:.1f}",
        orbit.largest_rate,
        per_cent(orbit.at_last(orbit.separation) - 1, 1),
        per_cent(orbit.at_last(orbit.j_orb) - 1, 1),
    )


def transfer_in_words(orbit: Orbit) -> str:
    """The largest and the last rate of transfer, for a sentence; nothing where the stars merge before there is one."""
    when, rate = orbit.rates_to_last()
    if len(rate) == 0:
        return ""
    top = int(np.argmax(rate))
    bound = "loses at most" if rate[top] >= 0 else "gains at least"
    last = "loses" if rate[-1] >= 0 else "gains"
    return (
        f"the donor {bound} {100 * abs(rate[top]):.2f} % in an orbit, at {when[top]:.1f} orbits, and {last} "
        f"{100 * abs(rate[-1]):.2f} % at {when[-1]:.1f}, the last that is read"
    )
