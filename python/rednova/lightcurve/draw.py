"""Pictures of light curves, and of a snapshot on the sky."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from rednova.history import History
from rednova.lightcurve import curve
from rednova.lightcurve.sky import Sky
from rednova.pictures import COLOURS, DAY, STYLE, length_label, make_even, origin, save, title_of


def curves(history: History, table: History) -> Figure:
    """Luminosity by outflow and by rays, temperature, and magnitude where units have a size, against time."""
    sized = curve.has_size(history)
    with plt.rc_context(STYLE):
        count = 3 if sized else 2
        figure, axes = plt.subplots(count, 1, figsize=(7, 2.7 * count), sharex=True, layout="constrained")
        day = history.cgs["time"] / DAY if sized else 1.0
        unit = curve.power(history) if sized else 1.0
        flown = curve.outflow(history)
        if flown is not None:
            axes[0].plot(flown[0] * day, flown[1] * unit, color="black", lw=1, label="outflow")
        for (name, rows), colour in zip(curve.by_direction(table).items(), _endless(), strict=False):
            time = table["time"][rows] * day
            axes[0].plot(
                time, table["luminosity"][rows] * unit, "o-", ms=3, color=colour, label=f"seen from {name}"
            )
            axes[1].plot(time, table["effective_temperature"][rows], "o-", ms=3, color=colour)
            axes[1].plot(time, table["colour_temperature"][rows], "o:", ms=3, color=colour)
            if sized:
                axes[2].plot(time, table["magnitude_I"][rows], "o-", ms=3, color=colour)
        axes[0].set(ylabel=f"luminosity  [{'erg s$^{-1}$' if sized else 'code units'}]")
        axes[0].legend(fontsize=8, ncols=3)
        widen(axes[0])
        axes[1].set(ylabel=f"temperature  [{'K' if sized else 'code units'}]")
        axes[1].set_title("solid: effective, dotted: of the colour", fontsize=8)
        if sized:
            axes[2].set(ylabel="I  [mag]")
            axes[2].invert_yaxis()
        axes[-1].set(xlabel=f"time  [{'days' if sized else 'code units'}]")
        for one in axes:
            one.grid(alpha=0.25)
        return figure


def _endless():
    while True:
        yield from COLOURS.values()


def widen(axes: Axes) -> None:
    """A logarithmic scale where positive values differ by more than a hundred."""
    values = np.concatenate([line.get_ydata() for line in axes.lines])
    values = values[values > 0]
    if len(values) and values.max() > 100 * values.min():
        axes.set_yscale("log")
        axes.set_ylim(max(values.min(), 1e-9 * values.max()) / 2, 2 * values.max())


def plot_curves(history: History, table: History, path: Path) -> None:
    """Writes the picture of `curves`."""
    figure = curves(history, table)
    make_even(figure)
    with plt.rc_context(STYLE):
        save(figure, path, origin(history.version, history.input))


def plot_sky(sky: Sky, direction: str, pixels: int, path: Path) -> None:
    """Writes the picture of the intensity that an observer sees."""
    snapshot = sky.medium.snapshot
    piece = sky.image(pixels)
    top = float(np.nanmax(piece.image))
    sized = snapshot.unit_system == "solar"
    unit = snapshot.units.pressure * snapshot.units.velocity if sized else 1.0
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(6.6, 5.4), layout="constrained")
        axes.set_facecolor("black")
        shown = axes.imshow(
            np.maximum(piece.image, 1e-5 * top) * unit,
            extent=piece.extent,
            origin="lower",
            norm=LogNorm(1e-4 * top * unit, top * unit) if top > 0 else None,
            cmap="inferno",
            interpolation="nearest",
        )
        label = "erg cm$^{-2}$ s$^{-1}$ sr$^{-1}$" if sized else "code units"
        figure.colorbar(shown, label=f"intensity  [{label}]", extend="min" if top > 0 else "neither")
        length = length_label(snapshot.unit_system)
        axes.set(xlabel=f"right  [{length}]", ylabel=f"up  [{length}]", aspect="equal")
        axes.set_title(f"seen from {direction} at {title_of(snapshot)}")
        save(figure, path, origin(f"{snapshot.version} ({snapshot.commit})", snapshot.input))
