"""The picture of a run without two stars: a star at rest, one that turns, an explosion."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from rednova.pictures import COLOURS, FLOW, length_label, origin, pretty, put_back, save, time_of
from rednova.run import Run

#: Angular momentum below this share of the sum of its absolute values is what rounding and the mesh leave.
TURNING = 1e-6


def turns(run: Run) -> bool:
    """Whether the gas turns about the z axis by more than the cells' noise."""
    history = run.history
    total = np.abs(history.all_angular_momentum)
    return bool(np.max(total) > TURNING * run.ledger["angular_momentum"]["magnitude"][2])


def plot_star(run: Run, path: Path) -> None:
    """Largest density and the way of the centre against time, in a frame of a cell at least, so that rounding shows as
    a line; the angular momentum only where there is one."""
    history = run.history
    time, label = time_of(history)
    panels = 3 if turns(run) else 2
    figure, axes = plt.subplots(panels, 1, figsize=(7, 2.7 * panels), sharex=True, layout="constrained")
    densest = history["max_density_accretor"]
    axes[0].plot(time, densest, color=COLOURS["blue"])
    axes[0].set(ylabel=f"largest density  [{pretty(history.units['max_density_accretor'])}]")
    at_least(axes[0], 1e-6 * np.nanmax(np.abs(densest)))
    draw_centre(axes[1], run)
    if panels == 3:
        draw_spin(axes[2], run)
    axes[0].set_title("" if panels == 3 else "no angular momentum about z")
    axes[-1].set(xlabel=label)
    for one in axes:
        one.grid(alpha=0.25)
        one.margins(x=0)
    save(figure, path, origin(history.version, history.input))


def draw_centre(axes: Axes, run: Run) -> None:
    """How far the centre of mass has gone in each direction."""
    history = run.history
    time, _ = time_of(history)
    for direction, colour in zip("xyz", ("blue", "orange", "green"), strict=True):
        place = history[f"centre_{direction}_accretor"]
        axes.plot(time, place - place[0], color=COLOURS[colour], label=direction)
    unit = "solar" if history.units["time"] == "tu" else "code"
    axes.set(ylabel=f"way of the centre  [{length_label(unit)}]")
    axes.legend(ncols=3)
    if run.snapshots:
        at_least(axes, float(np.min(run.snapshots[-1].width)))


def draw_spin(axes: Axes, run: Run) -> None:
    """Angular momentum about z: with what left the domain, and that of the momenta alone."""
    history = run.history
    time, _ = time_of(history)
    axes.plot(time, history.all_angular_momentum, color="black", label=f"total, {put_back(history)}")
    if history.knows_flow:
        label = f"of the flow, {put_back(history)}"
        axes.plot(time, history.flow_angular_momentum, color=FLOW, label=label)
    axes.set(ylabel=f"$J_z$  [{pretty(history.units['angular_momentum_z'])}]")
    at_least(axes, TURNING * run.ledger["angular_momentum"]["magnitude"][2])
    axes.legend(ncols=2)


def at_least(axes: Axes, height: float) -> None:
    """Widens the range of the vertical axis to a height, about its middle."""
    low, high = axes.get_ylim()
    if high - low < height:
        middle = (low + high) / 2
        axes.set_ylim(middle - height / 2, middle + height / 2)
