"""Pictures and movies of views: what `rednova-plot` draws when a field, a plane or the like is asked for."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import Normalize

from rednova import movie, overlays
from rednova.history import History
from rednova.pictures import STYLE, make_even, make_folder, origin, title_of
from rednova.quantities import Quantity
from rednova.roche import RocheModel, model_of
from rednova.snapshot import Snapshot
from rednova.view import View, Window, colour_scale, painted, picture, quantity_of, window_of

PANEL = 5.2  # inches of the longer side of a picture


@dataclass(frozen=True)
class Moment:
    """A snapshot with the history of its run, where there is one."""

    snapshot: Snapshot
    history: History | None = None

    def binary(self) -> RocheModel | None:
        """The Roche model of the two stars; None where there are not two."""
        return model_of(self.snapshot, self.history)


@dataclass(frozen=True)
class Style:
    """What all pictures of a view have in common.

    Attributes:
        view: what is drawn.
        shown: the field's name, unit and colours.
        window: in code units.
        norm: the scale of colours.
        ends: which of its ends values exceed.
        speed: that an arrow of usual length stands for, in code units.
    """

    view: View
    shown: Quantity
    window: Window
    norm: Normalize
    ends: str
    speed: float


def style_of(view: View, moments: Sequence[Moment]) -> Style:
    """Window, colours and arrows that fit all moments.

    Raises:
        KeyError: a snapshot lacks the field.
        ValueError: the picture would be empty, or there are no two stars for Roche contours; says which option.
    """
    view.check()
    snapshots = [moment.snapshot for moment in moments]
    shown = quantity_of(view, snapshots)
    if view.colours is not None and view.colours not in mpl.colormaps:
        raise ValueError(f"--colours {view.colours}: matplotlib has no such map; viridis is one")
    window = window_of(view, snapshots[0])
    norm, ends = colour_scale(view, shown, (picture(view, s, window).image for s in snapshots))
    speed = 0.0
    if view.arrows:
        speed = max(overlays.usual_speed(view, s, window) for s in snapshots)
    if view.stars == "species":
        overlays.star_species(snapshots[0])
    if view.roche and all(moment.binary() is None for moment in moments):
        raise ValueError(
            f"{snapshots[0].path}: --roche needs two stars, or a star and a point mass: leave it out"
        )
    return Style(view, shown, window, norm, ends, speed)


class Canvas:
    """A figure of one or more panels with a scale of colours, on which moments are drawn one after the other.

    Args:
        style: what is drawn.
        count: of the panels.

    Attributes:
        figure: matplotlib's.
        size: width and height in pixels, both even.
    """

    def __init__(self, style: Style, count: int = 1) -> None:
        self._style = style
        columns = count if count <= 3 else int(np.ceil(np.sqrt(count)))
        rows = -(-count // columns)
        wide, high = style.window[1] - style.window[0], style.window[3] - style.window[2]
        longest = max(wide, high)
        across, along = (max(PANEL * side / longest, 0.3 * PANEL) for side in (wide, high))
        dpi = STYLE["figure.dpi"] * style.view.pixels / 720
        self.figure = plt.figure(
            figsize=(columns * (across + 0.3) + 1.6, rows * (along + 0.5) + 0.6),
            dpi=dpi,
            layout="constrained",
        )
        self.figure.get_layout_engine().set(wspace=0.05)
        self._axes = self.figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True).ravel()
        for unused in self._axes[count:]:
            unused.set_visible(False)
        colours = mpl.cm.ScalarMappable(style.norm, style.view.colours or style.shown.colours)
        self._bar = self.figure.colorbar(
            colours, ax=list(self._axes), label=style.shown.label, extend=style.ends, aspect=30
        )
        self._grid = columns, count
        if count > 1:
            self.figure.suptitle(plane_of(style.view), x=0.01, ha="left", fontsize=STYLE["axes.titlesize"])
        self.size = make_even(self.figure)

    def draw(self, moment: Moment, panel: int = 0) -> None:
        """A moment on a panel, in place of what was there."""
        style, snapshot, axes = self._style, moment.snapshot, self._axes[panel]
        view, window = style.view, style.window
        axes.cla()
        axes.set_facecolor("0.85")  # outside the domain
        piece = picture(view, snapshot, window)
        axes.imshow(
            painted(piece.image * style.shown.factor, style.norm),
            extent=piece.extent,
            origin="lower",
            norm=style.norm,
            cmap=view.colours or style.shown.colours,
            interpolation="nearest",
        )
        if view.mesh:
            overlays.draw_blocks(axes, piece, view.angle(snapshot))
        if view.stars:
            overlays.draw_stars(axes, view, snapshot, window)
        binary = moment.binary() if view.roche else None
        if binary is not None:
            overlays.draw_roche(axes, view, snapshot, window, binary)
        if view.arrows:
            overlays.draw_arrows(axes, view, snapshot, window, style.speed)
        overlays.draw_points(axes, view, snapshot, window)
        axes.set(xlim=window[:2], ylim=window[2:], aspect="equal")
        overlays.axis_labels(axes, piece, snapshot)
        columns, count = self._grid
        axes.label_outer()
        if panel + columns >= count:  # the lowest of its column
            axes.xaxis.set_tick_params(labelbottom=True)
            axes.set_xlabel(f"{piece.axes[0]}  [{overlays.length_label(snapshot.unit_system)}]")
        axes.set_title(heading(view, snapshot, count > 1), pad=16 if view.arrows else None)

    def settle(self) -> None:
        """Lays the figure out, and keeps that for what is drawn later: frames of a movie must not shake."""
        self.figure.canvas.draw()
        self.figure.set_layout_engine("none")
        panels = [axes.get_position() for axes in self._axes if axes.get_visible()]
        bottom, top = min(p.y0 for p in panels), max(p.y1 for p in panels)
        bar = self._bar.ax.get_position()
        self._bar.ax.set(position=(bar.x0, bottom, bar.width, top - bottom), box_aspect=None, aspect="auto")

    def pixels(self) -> memoryview:
        """Red, green, blue and opacity of the figure, by rows from the top."""
        self.figure.canvas.draw()
        return self.figure.canvas.buffer_rgba()

    def close(self) -> None:
        """Gives the figure back."""
        plt.close(self.figure)


def heading(view: View, snapshot: Snapshot, short: bool) -> str:
    """Title of a picture: the plane, unless it stands above many, and the time."""
    time = title_of(snapshot)
    return time if short else f"{plane_of(view)} at {time}"


def plane_of(view: View) -> str:
    """The plane of a picture, and the frame where it is not the grid's."""
    what = f"column along ${view.axis}$" if view.projection else f"${view.axis} = {view.at:g}$"
    return what + (" in the inertial frame" if view.frame == "inertial" else "")


def draw_pictures(style: Style, moments: Sequence[Moment], paths: Sequence[Path]) -> list[Path]:
    """A picture for each moment, all of one size and scale; gives their paths."""
    canvas = Canvas(style)
    try:
        for moment, path in zip(moments, paths, strict=True):
            canvas.draw(moment)
            if path == paths[0]:
                canvas.settle()
            canvas.figure.savefig(path, metadata=source_of(moment))
    finally:
        canvas.close()
    return list(paths)


def draw_together(style: Style, moments: Sequence[Moment], path: Path) -> list[Path]:
    """All moments as panels of one picture; gives its path."""
    canvas = Canvas(style, len(moments))
    try:
        for panel, moment in enumerate(moments):
            canvas.draw(moment, panel)
        canvas.settle()
        canvas.figure.savefig(path, metadata=source_of(moments[0]))
    finally:
        canvas.close()
    return [path]


def draw_movie(style: Style, moments: Sequence[Moment], path: Path, rate: float) -> list[Path]:
    """A movie with a frame for each moment; gives its path. Raises what `movie.Movie` raises."""
    canvas = Canvas(style)
    about = source_of(moments[0])
    try:
        canvas.draw(moments[0])
        canvas.settle()
        words = {"title": about["Software"], "comment": about["Description"]}
        with movie.Movie(path, canvas.size, rate, words) as frames:
            for number, moment in enumerate(moments):
                if number > 0:
                    canvas.draw(moment)
                frames.add(canvas.pixels())
                if sys.stderr.isatty():
                    print(f"\r{number + 1} of {len(moments)} frames", end="", file=sys.stderr)
    finally:
        canvas.close()
        if sys.stderr.isatty():
            print(file=sys.stderr)
    return [path]


def source_of(moment: Moment) -> dict[str, str]:
    """Metadata: the program that made the snapshot, and the run's input."""
    snapshot = moment.snapshot
    return origin(f"{snapshot.version} ({snapshot.commit})", snapshot.input)


def draw_views(moments: Sequence[Moment], chosen: argparse.Namespace) -> list[Path]:
    """What the command line asks for (`plot_options.read`); gives the paths of what was made.

    Raises:
        OSError, ValueError, KeyError: what cannot be done, as the functions above say it.
    """
    if chosen.movie is not None:
        movie.check_name(chosen.movie)
        movie.encoder()  # before the work
    with plt.rc_context(STYLE):
        style = style_of(chosen.view, moments)
        if chosen.movie is not None:
            return draw_movie(style, moments, chosen.movie, chosen.fps)
        out = chosen.out or moments[0].snapshot.path.parent
        make_folder(out)
        if chosen.together:
            return draw_together(style, moments, out / f"{chosen.view.name}_together.png")
        return draw_pictures(style, moments, names(moments, chosen.view, out))


def names(moments: Sequence[Moment], view: View, out: Path) -> list[Path]:
    """Files of pictures, by the numbers of the snapshots; with the run's directory where there are several."""
    paths = [moment.snapshot.path for moment in moments]
    runs = names_apart({path.parent.resolve() for path in paths})
    made = []
    for path in paths:
        run = f"{runs[path.parent.resolve()]}_" if len(runs) > 1 else ""
        made.append(out / f"{run}{view.name}_{path.stem.removeprefix('snapshot_')}.png")
    return made


def names_apart(folders: Collection[Path]) -> dict[Path, str]:
    """The name of each folder, with as many of those above it as tell all of them apart."""
    for depth in range(1, max(len(folder.parts) for folder in folders) + 1):
        names = {folder: "_".join(folder.parts[1:][-depth:]) for folder in folders}
        if len(set(names.values())) == len(folders):
            break
    return names
