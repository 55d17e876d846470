"""The command line of `rednova-plot`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from rednova.run import Run
from rednova.scene import Moment
from rednova.snapshot import Snapshot
from rednova.view import FRAMES, PLANES, View

DESCRIPTION = """\
Draw the pictures of a run as PNG: density in the orbital plane, the orbit or the star, and the ledger.
Any option of a view, --snapshots and --together draw a view of each snapshot instead; --movie makes a movie of it.
Lengths are in code units (solar radii where units are solar).
"""


def number(low: float, high: float, kind: type = float) -> Callable[[str], float]:
    """A reader of numbers between two bounds, for argparse."""

    def read_number(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is None or not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text} is no number from {low:g} to {high:g}")
        return value

    return read_number


def add_files(parser: argparse.ArgumentParser) -> None:
    """Options that say of what pictures are drawn, and where they go."""
    parser.add_argument(
        "paths", type=Path, nargs="+", metavar="RUN", help="directory of a run; of views also snapshots"
    )
    parser.add_argument("--out", type=Path, help="where the pictures go; by default into the run's directory")
    parser.add_argument(
        "--every", type=int, default=1, metavar="N", help="draw each N-th snapshot and the last"
    )


def add_view(parser: argparse.ArgumentParser) -> None:
    """Options of a view, named as `View` names them; None where they are not given."""
    view = parser.add_argument_group("a view")
    add = view.add_argument
    add("--field", help="density (the default), pressure, temperature, speed, density_SPECIES, …")
    add("--plane", choices=PLANES, help="the plane of the picture; xy by default")
    add("--at", type=float, metavar="X", help="where it cuts its normal; 0 by default")
    add("--projection", action="store_true", default=None, help="the column along its normal, not a slice")
    add("--xlim", type=float, nargs=2, metavar=("LOW", "HIGH"), help="range of the horizontal axis")
    add("--ylim", type=float, nargs=2, metavar=("LOW", "HIGH"), help="of the vertical one; that of --xlim")
    add("--clim", type=float, nargs=2, metavar=("LOW", "HIGH"), help="range of the colours, in their unit")
    scale = view.add_mutually_exclusive_group()
    for name, text in (("log", "logarithmic"), ("linear", "linear")):
        scale.add_argument(
            f"--{name}", dest="scale", action="store_const", const=name, help=f"a {text} scale of colours"
        )
    add("--colours", metavar="MAP", help="a map of matplotlib, such as viridis")
    add("--frame", choices=FRAMES, help="along the axes of the grid (the default), or turned by its angle")
    add(
        "--arrows",
        choices=("frame", *FRAMES),
        nargs="?",
        const="frame",
        help="velocities, of the frame if none is named",
    )
    add("--roche", action="store_true", default=None, help="Roche contours through L1, L2 and L3")
    add("--stars", choices=("density", "species"), help="outlines of the stars")
    add("--star-density", type=number(1e-15, 1), metavar="X", help="of the outline, of the largest; 1e-3")
    add("--mesh", action="store_true", default=None, help="outlines of the blocks")
    add("--pixels", type=number(64, 4096, int), metavar="N", help="along the longer side; 720 by default")
    more = parser.add_argument_group("several snapshots")
    more.add_argument(
        "--snapshots", type=int, nargs="+", metavar="N", help="numbers, as their files have them"
    )
    more.add_argument("--together", action="store_true", help="all as panels of one picture")
    more.add_argument(
        "--movie", type=Path, metavar="FILE", help="an .mp4 (H.264) or .webm (VP9), not pictures"
    )
    more.add_argument("--fps", type=number(0.1, 240), default=25, help="frames a second; 25 by default")


def read(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The options, with `view`: a View, or None where the usual pictures are wanted. Exits with 2 on wrong ones."""
    parser = argparse.ArgumentParser(
        prog="rednova-plot", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    # argparse takes -1e-3 for an option; as a limit of an axis it is a number.
    parser._negative_number_matcher = re.compile(r"^-\.?\d")
    add_files(parser)
    add_view(parser)
    chosen = parser.parse_args(arguments)
    if chosen.every < 1:
        parser.error("--every takes a number from 1")
    if chosen.movie is not None and chosen.together:
        parser.error("--movie has a frame for each snapshot, --together a panel: give one of them")
    known = View.__dataclass_fields__
    given = {name: value for name, value in vars(chosen).items() if name in known and value is not None}
    if given.get("arrows") == "frame":
        given["arrows"] = chosen.frame or "corotating"
    given |= {name: tuple(given[name]) for name in ("xlim", "ylim", "clim") if name in given}
    several = chosen.movie is not None or chosen.together or chosen.snapshots is not None
    files = any(path.is_file() for path in chosen.paths)
    chosen.view = View(**given) if given or several or files else None
    if chosen.view is None and chosen.out is not None and len(chosen.paths) > 1:
        parser.error("--out would hold pictures of several runs under the same names: give one run")
    return chosen


def moments(chosen: argparse.Namespace) -> list[Moment]:
    """The snapshots that were asked for, in the order of their paths and of time.

    Raises:
        OSError: a path is not there, or a directory holds no run.
        ValueError: there is no such snapshot, a file is damaged, or a choice among snapshots is asked of one.
    """
    found: list[Moment] = []
    for path in chosen.paths:
        if path.is_file() and (chosen.snapshots is not None or chosen.every > 1):
            raise ValueError(f"{path}: --snapshots and --every choose among those of a run: leave them out")
        found += [of_file(path)] if path.is_file() else of_run(Run(path), chosen)
    return found


def of_run(run: Run, chosen: argparse.Namespace) -> list[Moment]:
    """Snapshots of a run: those of --snapshots, or each --every-th and the last."""
    paths = {int(p.stem.removeprefix("snapshot_")): p for p in run.snapshot_paths}
    if not paths:
        raise ValueError(
            f"{run.directory}: holds no snapshots: run with output.snapshot_time or snapshot_orbits"
        )
    numbers = list(paths)
    wanted = chosen.snapshots
    if wanted is None:
        wanted = numbers[:: chosen.every]
        wanted += numbers[-1:] if wanted[-1] != numbers[-1] else []
    missing = [n for n in wanted if n not in paths]
    if missing:
        raise ValueError(
            f"{run.directory}: has no snapshot {missing[0]}: they are {numbers[0]} to {numbers[-1]}"
        )
    return [Moment(Snapshot(paths[n]), run.history) for n in wanted]


def of_file(path: Path) -> Moment:
    """A snapshot, with the history beside it if it is of a run."""
    history = Run(path.parent).history if (path.parent / "history.csv").is_file() else None
    return Moment(Snapshot(path), history)
