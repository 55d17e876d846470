"""Pictures of a report: those that rednova-plot draws, and curves of its own in the same style."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from rednova import plot, scene
from rednova.history import History
from rednova.pictures import COLOURS, STYLE, pretty, time_of
from rednova.report.parts import Missing, Movie, Picture
from rednova.report.sources import Sources
from rednova.slices import SliceFile
from rednova.snapshot import Snapshot
from rednova.star_plot import plot_star
from rednova.view import View

#: Name of a curve, column or values [row], and line style.
Curve = tuple[str, NDArray, str]


#: A movie has as many frames at least, and at most.
FRAMES = 8, 100
#: In the page they take about as long, in seconds, and have so many pixels along the longer side of the picture.
SECONDS, PIXELS = 6.0, 480


def drawn(draw: Callable[[Path], object], name: str = "picture.png") -> bytes:
    """The file that a function writes to the path that it is given, of this name."""
    with tempfile.TemporaryDirectory() as folder, plt.rc_context(STYLE):
        path = Path(folder) / name
        draw(path)
        return path.read_bytes()


def png_of(figure: Figure) -> bytes:
    """A figure as PNG; the figure is closed."""
    into = io.BytesIO()
    figure.savefig(into, format="png")
    plt.close(figure)
    return into.getvalue()


def chart(history: History, curves: Sequence[Curve], label: str, caption: str) -> Picture:
    """Curves against the time of a history, [row]; label: of the vertical axis."""
    time, time_label = time_of(history)
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(7, 2.9), layout="constrained")
        for (name, values, style), colour in zip(curves, COLOURS.values(), strict=False):
            axes.plot(time, values, style, color=colour, label=name)
        axes.set(xlabel=time_label, ylabel=label)
        axes.grid(alpha=0.25)
        axes.margins(x=0)
        axes.ticklabel_format(axis="y", useOffset=False)
        if len(curves) > 1:
            axes.legend(ncols=2, fontsize=8)
        return Picture(png_of(figure), caption)


def axis_label(name: str, unit: str) -> str:
    """What stands at the vertical axis of a chart; unit as history.csv has it."""
    return name if unit == "1" else f"{name}  [{pretty(unit)}]"


def orbit(history: History) -> Picture:
    """What rednova-plot draws of two stars."""
    caption = "Separation, angular momenta about z and their change"
    if history.knows_lobes:
        caption += ", and mass in the Roche lobes"
    return Picture(drawn(lambda path: plot.plot_orbit(history, path)), caption + ".")


def star(source: Sources) -> Picture:
    """What rednova-plot draws of a lone star."""
    text = "Largest density and way of the centre, and the angular momentum about z where there is one."
    return Picture(drawn(lambda path: plot_star(source.run, path)), text)


def ledger(source: Sources) -> Picture:
    """What rednova-plot draws of the ledger."""
    text = "Remainders against time, and at the end what left and what was added."
    return Picture(drawn(lambda path: plot.plot_ledger(source.run, path)), text)


def first_middle_last(frames: Sequence) -> list:
    """Of a sequence in time; fewer where it has fewer."""
    return [frames[i] for i in sorted({0, len(frames) // 2, len(frames) - 1})] if frames else []


def draws(frame: Snapshot | SliceFile) -> bool:
    """Whether a file has the density in the plane z = 0."""
    if isinstance(frame, SliceFile):
        return "z" in frame.slices and "prim_density" in frame.fields
    return plot.cuts_density(frame)


def densities(source: Sources) -> list[Picture] | Missing:
    """Density in the plane z = 0 of the first, middle and last snapshot, else of slices, with one scale of colours."""
    frames = first_middle_last([s for s in source.snapshots if draws(s)])
    if not frames:
        frames = first_middle_last([s for s in source.slices if draws(s)])
    if not frames:
        return Missing("pictures: there is no snapshot and no slice with the density in the plane z = 0")
    with tempfile.TemporaryDirectory() as folder, plt.rc_context(STYLE):
        if isinstance(frames[0], Snapshot):
            paths = plot.plot_densities(frames, Path(folder))
        else:
            paths = of_slices(frames, Path(folder))
        return [
            Picture(path.read_bytes(), f"Density in the plane z = 0, {frame.path.name}, step {frame.step}.")
            for path, frame in zip(paths, frames, strict=True)
        ]


def spread(frames: Sequence, most: int) -> list:
    """As many of a sequence at most, as evenly as can be, the first and the last among them."""
    return [
        frames[i]
        for i in np.unique(np.round(np.linspace(0, len(frames) - 1, min(len(frames), most))).astype(int))
    ]


def window(frames: Sequence[Snapshot]) -> dict[str, tuple[float, float]]:
    """Limits of a view that hold the dense gas of the first, middle and last; none if that is most of the domain."""
    found = [plot.zoom_window(frame) for frame in first_middle_last(frames)]
    if None in found:
        return {}
    left, right, bottom, top = np.transpose(found)
    return {"xlim": (min(left), max(right)), "ylim": (min(bottom), max(top))}


def movie(source: Sources) -> Movie | Missing | None:
    """Density in the plane z = 0 of all snapshots, or of some where there are many; None where there are too few."""
    every = [s for s in source.snapshots if draws(s)]
    if len(every) < FRAMES[0]:
        return None
    frames = spread(every, FRAMES[1])
    view = View(pixels=PIXELS, **window(frames))
    moments = [scene.Moment(frame, source.history) for frame in frames]

    def draw(path: Path) -> None:
        scene.draw_movie(scene.style_of(view, moments), moments, path, len(frames) / SECONDS)

    try:
        return Movie(
            drawn(draw, "movie.mp4"),
            f"A movie of the same, with a frame for {len(frames)} of {len(every)} snapshots.",
        )
    except OSError as error:  # what is there without an encoder is worth a report
        return Missing(f"the movie: {error}")


def of_slices(frames: Sequence[SliceFile], folder: Path) -> list[Path]:
    """As plot.plot_densities, of planes alone, which give the scale of colours."""
    factor, _ = plot.density_scale(frames[0])
    images = [factor * frame.slice("density", "z").image for frame in frames]
    top = max(float(np.nanmax(image)) for image in images)
    bottom = max(min(float(np.nanmin(image)) for image in images), top * 10.0**-plot.DECADES)
    wide = bottom < 0.99 * top
    norm = plot.LogNorm(bottom, top) if wide else plot.LogNorm(0.9 * bottom, 1.1 * top)
    paths = [folder / f"{frame.path.stem}.png" for frame in frames]
    for frame, path in zip(frames, paths, strict=True):
        plot.plot_density(frame, norm, path, None)
    return paths
