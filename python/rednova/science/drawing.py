"""What pages draw: separation and rate of transfer, and the density in the orbit's plane."""

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
from rednova.science.outcome import Orbit
from rednova.verify.page import two_panels, write_figure

#: In the directory of a run without snapshots: what `densities` gave, and of what.
DENSITIES = "densities.npz"
PIXELS = 400  # along an edge
#: Rates of transfer, shares of the donor in an orbit, are drawn by their logarithms from here on, to both sides.
SMALLEST_RATE = 1e-4


@dataclass(frozen=True)
class Pictures:
    """A row of pictures of the density in the orbit's plane.

    moments: orbits; the snapshot next to each is shown. reach: of the pictures from the mass centre, in code units.
    """

    moments: tuple[float, ...]
    reach: float

    @property
    def window(self) -> tuple[float, float, float, float]:
        return -self.reach, self.reach, -self.reach, self.reach


def densities(run: Run, asked: Pictures) -> tuple[NDArray, NDArray]:
    """What a row of pictures shows: orbits, [picture], and densities in code units, [picture, y, x]. Moments that the
    run has not come to are left out, and snapshots that are shown already."""
    kept = kept_densities(run.directory, asked)
    if kept is not None:
        return kept
    orbits = np.abs([one.orbits for one in run.snapshots])
    end = abs(run.history["orbits"][-1]) + 0.01
    nearest = [int(np.argmin(np.abs(orbits - moment))) for moment in asked.moments if moment <= end]
    chosen = list(dict.fromkeys(nearest))
    images = [run.snapshots[i].slice("density", "z", 0.0, asked.window, PIXELS).image for i in chosen]
    return orbits[chosen], np.array(images, np.float32)


def keep_densities(run: Run, asked: Pictures, out: Path) -> None:
    """Writes into the directory out what a row of pictures shows, with what was asked."""
    orbits, images = densities(run, asked)
    np.savez_compressed(
        out / DENSITIES, orbits=orbits, densities=images, moments=asked.moments, reach=asked.reach
    )


def kept_densities(directory: Path, asked: Pictures) -> tuple[NDArray, NDArray] | None:
    """What `densities` gave of a run that is kept in a directory; None where that was not asked, or nothing is kept."""
    path = directory / DENSITIES
    if not path.is_file():
        return None
    with np.load(path) as file:
        if "moments" not in file or asked != Pictures(tuple(file["moments"]), float(file["reach"])):
            return None
        return file["orbits"], file["densities"]


def draw_densities(run: Run, asked: Pictures, path: Path) -> None:
    """Writes the row of pictures."""
    orbits, images = densities(run, asked)
    top = float(np.nanmax(images))
    size = 10 / len(asked.moments)
    figure, all_axes = plt.subplots(
        1,
        len(images),
        figsize=(size * len(images), size + 0.3),
        layout="constrained",
        sharey=True,
        squeeze=False,
    )
    for axes, when, image in zip(all_axes[0], orbits, images, strict=True):
        shown = axes.imshow(
            np.maximum(image, 1e-6 * top),
            origin="lower",
            extent=asked.window,
            norm=LogNorm(1e-6 * top, top),
            cmap="inferno",
        )
        axes.set_title(f"{when:.1f} orbits", fontsize=9)
        axes.set(xticks=[], yticks=[])
    figure.colorbar(shown, ax=all_axes, shrink=0.8, label="density")
    write_figure(figure, path)
    plt.close(figure)


def draw_transfer(curves: Sequence[tuple[Orbit, dict]]) -> Figure:
    """Separation and rate of transfer against orbits; with each orbit how its line looks, its label too."""
    figure, left, right = two_panels(3.8)
    for orbit, line in curves:
        left.plot(orbit.orbits, orbit.separation, lw=1.2, **line)
        right.plot(*orbit.transfer_rate(), lw=1.2, **line)
    left.set(xlabel="orbits", title="separation / initial separation")
    right.set(xlabel="orbits", title="share of the donor's mass lost in an orbit")
    right.set_yscale("symlog", linthresh=SMALLEST_RATE)
    left.legend(fontsize=7)
    return figure
