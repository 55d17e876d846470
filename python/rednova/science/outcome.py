"""What comes of two stars: when they merge, how their orbit changes, and whether books and flow closed meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from numpy.typing import NDArray

from rednova.run import Run
from rednova.verify.measure import worst_remainder
from rednova.verify.page import two_panels, write_figure


@dataclass(frozen=True)
class Orbit:
    """The rows of history.csv in which there are two stars.

    Attributes:
        orbits: turns of the two stars; [row].
        separation, j_orb, donor_mass: as shares of the first row's, the mass in the donor's Roche lobe; [row].
        merged: orbits after which the stars were one; nan if they were two to the end.
        flow_drift: the largest |flow_drift_z|, a share of J.
    """

    orbits: NDArray
    separation: NDArray
    j_orb: NDArray
    donor_mass: NDArray
    merged: float
    flow_drift: float

    def separation_at(self, orbits: float) -> float:
        """Of the row next after so many orbits; nan where there are not two stars any more."""
        row = np.searchsorted(self.orbits, orbits - 1e-3)  # outputs meet orbits to 1e-4
        return float(self.separation[row]) if row < len(self.orbits) else float("nan")

    @property
    def when_merged(self) -> str:
        """`merged` as a table has it."""
        return "not" if np.isnan(self.merged) else f"{self.merged:.1f}"

    def transfer_rate(self, over: float) -> tuple[NDArray, NDArray]:
        """Share of its first mass that the donor loses in an orbit, means over so many orbits that follow each other.

        Returns:
            Orbits in the middle of each and the rates; empty where the stars merge before.
        """
        edges = np.arange(0, self.orbits[-1] + 1e-3, over)
        mass = np.interp(edges, self.orbits, self.donor_mass)
        return (edges[1:] + edges[:-1]) / 2, -np.diff(mass) / over

    def largest_rate(self, over: float) -> str:
        """The largest `transfer_rate` in per cent and when, as a table has it; "at the end" if it still grows;
        nothing where there is none."""
        when, rate = self.transfer_rate(over)
        if len(rate) == 0:
            return ""
        top = int(np.argmax(rate))
        return f"{100 * rate[top]:.2f} at " + ("the end" if top == len(rate) - 1 else f"{when[top]:.1f}")


def orbit_of(run: Run) -> Orbit:
    history = run.history
    one = np.flatnonzero(history["stars"] < 2)
    rows = slice(0, one[0] if len(one) else len(history))
    orbits = np.abs(history["orbits"])
    shares = (history[name][rows] / history[name][0] for name in ("separation", "j_orb", "lobe_mass_donor"))
    return Orbit(
        orbits[rows],
        *shares,
        float(orbits[one[0]]) if len(one) else float("nan"),
        float(np.max(np.abs(history["flow_drift_z"][rows]))),
    )


def reached(run: Run) -> dict[str, float]:
    """What the initial model has come to, by the names of its table."""
    return {row["what"]: row["reached"] for row in run.initial_model["rows"]}


def books(run: Run) -> tuple[float, float]:
    """Largest remainders of angular momentum and of energy in the whole run, over the sums of absolute values."""
    worst = worst_remainder(run)
    return worst["angular momentum"], worst["energy"]


def unbound(run: Run) -> float:
    """Unbound gas at the end, in the domain and outside, a share of all: that of ρv²/2 + ρφ > 0, without heat."""
    inside, outside = (run.history[f"{where}unbound_mass_kinetic"][-1] for where in ("", "outflow_"))
    return float((inside + outside) / run.history["mass"][0])


def per_cent(change: float, digits: int = 2) -> str:
    """A change as a table has it; nothing where there is none."""
    return "" if np.isnan(change) else f"{100 * change:+.{digits}f}"


def transfer(orbit: Orbit) -> tuple[str, ...]:
    """Columns of a table: orbits with two stars, when they merged, what of the donor's mass left its lobe, the largest
    rate, and the changes of separation and J_orb up to the last row with two stars."""
    return (
        f"{orbit.orbits[-1]:.1f}",
        orbit.when_merged,
        f"{100 * (1 - orbit.donor_mass[-1]):.1f}",
        orbit.largest_rate(0.5),
        per_cent(orbit.separation[-1] - 1, 1),
        per_cent(orbit.j_orb[-1] - 1, 1),
    )


def draw_transfer(curves: Sequence[tuple[Orbit, dict]]) -> Figure:
    """Separation and rate of transfer against orbits; with each orbit how its line looks, its label too."""
    figure, left, right = two_panels(3.8)
    for orbit, line in curves:
        left.plot(orbit.orbits, orbit.separation, lw=1.2, **line)
        right.semilogy(*orbit.transfer_rate(0.5), lw=1.2, **line)
    left.set(xlabel="orbits", title="separation / initial separation")
    right.set(xlabel="orbits", title="share of the donor's mass lost in an orbit")
    left.legend(fontsize=7)
    return figure


def draw_densities(run: Run, moments: Sequence[float], reach: float, path: Path) -> None:
    """Writes a row of pictures of the density in the orbit's plane, at the snapshots next to so many orbits.

    reach: of the pictures from the mass centre, in code units.
    """
    chosen = [min(run.snapshots, key=lambda one: abs(abs(one.orbits) - moment)) for moment in moments]
    window = (-reach, reach, -reach, reach)
    images = [one.slice("density", "z", 0.0, window, 400).image for one in chosen]
    top = max(float(np.nanmax(image)) for image in images)
    figure, all_axes = plt.subplots(
        1, len(chosen), figsize=(10, 10 / len(chosen) + 0.3), layout="constrained", sharey=True
    )
    for axes, one, image in zip(all_axes, chosen, images, strict=True):
        shown = axes.imshow(
            np.maximum(image, 1e-6 * top),
            origin="lower",
            extent=window,
            norm=LogNorm(1e-6 * top, top),
            cmap="inferno",
        )
        axes.set_title(f"{abs(one.orbits):.1f} orbits", fontsize=9)
        axes.set(xticks=[], yticks=[])
    figure.colorbar(shown, ax=all_axes, shrink=0.8, label="density")
    write_figure(figure, path)
    plt.close(figure)
