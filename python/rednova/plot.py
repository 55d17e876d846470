"""Pictures of a run: `rednova-plot RUN`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from numpy.typing import NDArray

from rednova import plot_options, scene
from rednova.command import tell
from rednova.history import History
from rednova.overlays import axis_labels, draw_blocks
from rednova.pictures import (
    COLOURS,
    DECADES,
    FLOW,
    STYLE,
    density_scale,
    make_folder,
    origin,
    pretty,
    put_back,
    save,
    time_of,
    title_of,
)
from rednova.run import Run
from rednova.snapshot import Snapshot
from rednova.star_plot import plot_star

# Density through the orbital plane.


def cuts_density(snapshot: Snapshot) -> bool:
    """Whether a snapshot has the density in the plane z = 0."""
    low, high = snapshot.domain
    return "density" in snapshot.fields and bool(low[2] <= 0 < high[2])


def zoom_window(snapshot: Snapshot) -> tuple[float, float, float, float] | None:
    """The square in the orbital plane that holds the dense gas; None if that is most of the domain.

    Dense is what exceeds 1e-4 of the largest density of a plane cell.
    """
    low, high = snapshot.domain
    whole = snapshot.slice("density", pixels=400)
    dense = np.argwhere(whole.image > 1e-4 * np.nanmax(whole.image))
    step = (high[0] - low[0]) / whole.image.shape[1]
    (bottom, left), (top, right) = dense.min(axis=0), dense.max(axis=0) + 1
    middle = np.array([left + right, bottom + top]) / 2 * step + low[:2]
    half = 0.7 * step * max(right - left, top - bottom)
    if half > 0.35 * (high[0] - low[0]):
        return None
    return (middle[0] - half, middle[0] + half, middle[1] - half, middle[1] + half)


def draw_density(axes: Axes, snapshot: Snapshot, window: tuple | None, norm: LogNorm):
    """A slice of density through z = 0 with the mesh; gives the image."""
    factor, _ = density_scale(snapshot)
    piece = snapshot.slice("density", window=window)
    picture = axes.imshow(
        piece.image * factor,
        extent=piece.extent,
        origin="lower",
        norm=norm,
        cmap="inferno",
        interpolation="nearest",
    )
    draw_blocks(axes, piece)
    axes.set(xlim=piece.extent[:2], ylim=piece.extent[2:])
    axis_labels(axes, piece, snapshot)
    return picture


def density_norm(snapshots: Sequence[Snapshot]) -> LogNorm:
    """One colour scale for all pictures of a run: the densest cell and at most DECADES below it."""
    factor, _ = density_scale(snapshots[0])
    ranges = [(float(d.min()), float(d.max())) for d in (s["density"] for s in snapshots)]
    top = factor * max(high for _, high in ranges)
    bottom = max(factor * min(low for low, _ in ranges), top * 10.0**-DECADES)
    return LogNorm(bottom, top) if bottom < 0.99 * top else LogNorm(0.9 * bottom, 1.1 * top)


def plot_density(
    snapshot: Snapshot, norm: LogNorm, path: Path, window: tuple[float, float, float, float] | None
) -> None:
    """The whole orbital plane and, beside it, a window of it where one is given."""
    panels = 1 if window is None else 2
    figure, axes = plt.subplots(
        1, panels, figsize=(5.6 * panels + 0.9, 5.2), squeeze=False, layout="constrained"
    )
    picture = draw_density(axes[0, 0], snapshot, None, norm)
    if window is not None:
        draw_density(axes[0, 1], snapshot, window, norm)
        box = plt.Rectangle(window[::2], window[1] - window[0], window[3] - window[2], fill=False, ec="cyan")
        axes[0, 0].add_patch(box)
    axes[0, 0].set_title(f"$z = 0$ at {title_of(snapshot)}")
    figure.colorbar(picture, ax=axes[0, :], label=density_scale(snapshot)[1], extend="min", shrink=0.9)
    save(figure, path, origin(f"{snapshot.version} ({snapshot.commit})", snapshot.input))


# Orbit and angular momentum.


def plot_orbit(history: History, path: Path) -> None:
    """Separation, angular momenta and their change against time, of two stars; below the mass transfer."""
    time, label = time_of(history)
    panels = 4 if history.knows_lobes else 3
    figure, axes = plt.subplots(panels, 1, figsize=(7, 2.7 * panels), sharex=True, layout="constrained")
    axes[0].plot(time, history["separation"], color=COLOURS["blue"])
    axes[0].set(ylabel=f"separation  [{pretty(history.units['separation'])}]")
    unit = pretty(history.units["angular_momentum_z"])
    for name, values, colour in angular_momenta(history):
        axes[1].plot(time, values, label=name, color=colour)
        axes[2].plot(time, values - values[0], color=colour)
    axes[1].set(ylabel=f"$J_z$  [{unit}]")
    axes[1].legend(fontsize=8, ncols=2)
    axes[2].set(ylabel=f"change of $J_z$  [{unit}]")
    if history.knows_lobes:
        draw_transfer(axes[3], history)
    axes[-1].set(xlabel=label)
    for one in axes:
        one.grid(alpha=0.25)
        one.margins(x=0)
    save(figure, path, origin(history.version, history.input))


def angular_momenta(history: History) -> list[tuple[str, NDArray, str]]:
    """Name, values and colour of the angular momenta about z in a run's history; those of all gas include what left
    the domain, and not what driving added."""
    parts = [(f"total, {put_back(history)}", history.all_angular_momentum, "black")]
    if history.knows_flow:
        parts.append((f"of the flow, {put_back(history)}", history.flow_angular_momentum, FLOW))
    parts.append(("orbit", history["j_orb"], COLOURS["blue"]))
    parts.append(("spin of accretor", history["j_spin_accretor"], COLOURS["green"]))
    parts.append(("spin of donor", history["j_spin_donor"], COLOURS["orange"]))
    return parts


# Mass transfer.


def transfer(history: History) -> list[tuple[str, NDArray, str, str]]:
    """Name, values, colour and line style of the curves that show mass transfer: how the mass in each Roche lobe
    changed, and how much of it the other star brought."""
    curves = []
    for star, other, colour in (("accretor", "donor", "green"), ("donor", "accretor", "orange")):
        mass = history[f"lobe_mass_{star}"]
        curves.append((f"change in {star}'s lobe", mass - mass[0], COLOURS[colour], "-"))
        received = history[f"received_mass_{star}"]
        curves.append((f"{other}'s gas in {star}'s lobe", received, COLOURS[colour], "--"))
    return curves


def draw_transfer(axes: Axes, history: History) -> None:
    """Mass in the Roche lobes of two stars against time: its change, and what the other star brought."""
    time, _ = time_of(history)
    for name, values, colour, style in transfer(history):
        axes.plot(time, values, style, label=name, color=colour)
    axes.set(ylabel=f"mass transfer  [{pretty(history.units['lobe_mass_donor'])}]")
    axes.legend(fontsize=8, ncols=2)


# The ledger.

QUANTITIES = {
    "mass": ["mass"],
    "momentum": [f"momentum_{d}" for d in "xyz"],
    "angular momentum": [f"angular_momentum_{d}" for d in "xyz"],
    "energy": ["energy"],
}
SOMETIMES = ("points", "driven")  # entries of the ledger that are shown where there is something in them
BARS = {
    "outflow": COLOURS["blue"],
    "floors": COLOURS["orange"],
    "regrid": COLOURS["green"],
    "points": "#805ad5",
    "driven": "#d53f8c",
    "remainder": COLOURS["grey"],
}


def with_law(run: Run, name: str) -> list[int]:
    """Components of a quantity whose remainder means something."""
    return [i for i, holds in enumerate(run.conserved(name.replace(" ", "_"))) if holds]


def plot_ledger(run: Run, path: Path) -> None:
    """Remainders of the ledger's conserved sums against time, with the flow's drift; beside it, as bars at the end of
    the run, remainders, outflow and what was added."""
    history = run.history
    time, label = time_of(history)
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.4), layout="constrained")
    smallest = 1e-18  # stands for an exact zero
    for (name, columns), colour in zip(QUANTITIES.items(), COLOURS.values(), strict=True):
        conserved = with_law(run, name)
        if not conserved:
            continue
        worst = np.max([history[f"relative_{columns[i]}"] for i in conserved], axis=0)
        left.semilogy(time, np.maximum(worst, smallest), label=name, color=colour)
    left.set(
        xlabel=label,
        ylabel="remainder / sum of absolute values",
        title="what the books do not explain, and the flow's drift",
    )
    draw_flow_drift(left, run, smallest)
    left.axhline(2.2e-16, color="black", lw=0.8, ls=":", label="rounding of one number")
    left.set_ylim(smallest, 1e4 * left.get_ylim()[1])  # room for the legend
    left.legend(ncols=2, fontsize=8, loc="upper left")
    draw_flows(right, run, smallest)
    for one in (left, right):
        one.grid(alpha=0.25)
    left.margins(x=0)
    save(figure, path, origin(history.version, history.input))


def draw_flow_drift(axes: Axes, run: Run, smallest: float) -> None:
    """Largest drift among the components of the flow's angular momentum that have a conservation law."""
    if not run.history.knows_flow:
        return
    columns = [f"flow_drift_{d}" for d, holds in zip("xyz", run.conserved("flow"), strict=True) if holds]
    if not columns:
        return
    worst = np.max([np.abs(run.history[c]) for c in columns], axis=0)
    time, _ = time_of(run.history)
    axes.semilogy(time, np.maximum(worst, smallest), color=FLOW, label="drift of the flow's J / J")


def draw_flows(axes: Axes, run: Run, smallest: float) -> None:
    """Bars: what left, what floors, regridding, points and driving added, what remains, as shares of the grid."""
    places = np.arange(len(QUANTITIES))
    entries = {name: run.ledger[name.replace(" ", "_")] for name in QUANTITIES}
    empty = [part for part in SOMETIMES if not any(np.any(entry.get(part, 0)) for entry in entries.values())]
    parts = {part: colour for part, colour in BARS.items() if part not in empty}
    step = 0.8 / len(parts)
    for i, (part, colour) in enumerate(parts.items()):
        heights = []
        for name, entry in entries.items():
            scale = np.max(entry["magnitude"])
            amounts = np.abs(np.atleast_1d(entry.get(part, np.zeros_like(entry["grid"]))))[
                with_law(run, name)
            ]
            share = np.max(amounts, initial=0.0) / scale if scale > 0 else 0.0
            heights.append(max(share, smallest))
        axes.bar(places + step * (i - (len(parts) - 1) / 2), heights, 0.9 * step, label=part, color=colour)
    axes.set_yscale("log")
    axes.set_ylim(smallest, 1e3 * max(1e-6, axes.get_ylim()[1]))  # room for the legend
    missing = {name: "" if with_law(run, name) else "\n(not conserved)" for name in QUANTITIES}
    axes.set_xticks(places, [name.replace(" ", "\n") + missing[name] for name in QUANTITIES])
    axes.set(ylabel="share of the sum of absolute values", title="the ledger at the end")
    axes.legend(ncols=2, fontsize=8, loc="upper left")


def plot_densities(snapshots: Sequence[Snapshot], out: Path) -> list[Path]:
    """A picture of each snapshot that has the density in the plane z = 0, all of one size, of one scale and with the
    same panels; gives their paths."""
    chosen = [s for s in snapshots if cuts_density(s)]
    if not chosen:
        return []
    norm = density_norm(chosen)
    windows = [zoom_window(s) for s in chosen]
    whole = (
        *(float(corner[0]) for corner in chosen[0].domain),
        *(float(corner[1]) for corner in chosen[0].domain),
    )
    made = []
    for snapshot, window in zip(chosen, windows, strict=True):
        made.append(out / f"density_{snapshot.path.stem.removeprefix('snapshot_')}.png")
        plot_density(snapshot, norm, made[-1], (window or whole) if any(windows) else None)
    return made


def plot_run(run: Run, out: Path, every: int = 1) -> list[Path]:
    """Draws all pictures of a run into `out`; gives their paths.

    every: draw each n-th snapshot; the last is always drawn. Snapshots without density are left out, and those whose
    domain z = 0 misses, with a note on standard error.
    """
    make_folder(out)
    with plt.rc_context(STYLE):
        chosen = run.snapshots[::every]
        if run.snapshots and run.snapshots[-1] is not chosen[-1]:
            chosen.append(run.snapshots[-1])
        made = plot_densities(chosen, out)
        if not made and any("density" in s.fields for s in chosen):
            print(
                f"rednova-plot: {run.directory}: z = 0 misses the domain, so there are no pictures of the density: "
                "choose a plane with --plane and --at",
                file=sys.stderr,
            )
        if run.history.two_stars:
            made.append(out / "orbit.png")
            plot_orbit(run.history, made[-1])
        else:
            made.append(out / "star.png")
            plot_star(run, made[-1])
        made.append(out / "ledger.png")
        plot_ledger(run, made[-1])
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """The command `rednova-plot`; exit code 2, and a line on standard error, where it cannot do what is asked."""
    chosen = plot_options.read(arguments)
    return tell("rednova-plot", lambda: draw(chosen), "--out or --movie")


def draw(chosen: argparse.Namespace) -> list[Path]:
    """What the command line asks for; gives the files."""
    if chosen.view is not None:
        return scene.draw_views(plot_options.moments(chosen), chosen)
    return [made for path in chosen.paths for made in plot_run(Run(path), chosen.out or path, chosen.every)]


if __name__ == "__main__":
    sys.exit(main())
