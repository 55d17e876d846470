"""Light curves of a run: `rednova-lightcurve RUN`."""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rednova.command import tell
from rednova.history import History
from rednova.lightcurve import curve, draw
from rednova.lightcurve.curve import Choice
from rednova.lightcurve.opacity import Composition
from rednova.lightcurve.sky import direction_of
from rednova.pictures import DAY, make_folder
from rednova.plot_options import number, of_run
from rednova.run import Run
from rednova.snapshot import Snapshot

DIRECTIONS = ("x", "z")  # if none is given: in the plane of the orbit, and above it
DESCRIPTION = """\
Light curves of a run: by what light carries out of the domain, and by rays to observers at rest.
Writes light_curve.csv and light_curve.png, and prints a summary.
"""


def options() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="rednova-lightcurve",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    # argparse takes -z and -1,0,0 for options; after --direction they are places of observers.
    parser._negative_number_matcher = re.compile(r"^-([xyz]$|\.?\d)")
    add = parser.add_argument
    add("run", type=Path, metavar="RUN", help="directory of the run")
    add("--out", type=Path, help="where the files go; by default into the run's directory")
    add(
        "--direction",
        action="append",
        metavar="D",
        help="towards an observer at rest: an axis (x, -z), theta,phi in degrees, or x,y,z; may be given more than "
        "once; x and z by default",
    )
    add("--snapshots", type=int, nargs="+", metavar="N", help="numbers, as their files have them")
    add("--every", type=number(1, 10**9, int), default=1, metavar="N", help="each N-th snapshot and the last")
    add(
        "--rays",
        type=number(1, 64, int),
        default=1,
        metavar="N",
        help="along the width of a cell; 1 by default",
    )
    add(
        "--distance", type=number(1e-6, 1e12), default=10.0, metavar="PC", help="of magnitudes; 10 by default"
    )
    add(
        "--compare",
        type=Path,
        metavar="OTHER",
        help="the same run with twice the substeps: errors by the difference",
    )
    add("--since", type=number(0, 1e100), metavar="T", help="compare from this time on, in code units")
    add("--until", type=number(0, 1e100), metavar="T", help="compare up to this time, in code units")
    add("--image", action="store_true", help="pictures of the intensity on the sky, too")
    add(
        "--pixels",
        type=number(16, 4096, int),
        default=720,
        metavar="N",
        help="of these, along the longer side",
    )
    dark = parser.add_argument_group("a run without light")
    dark.add_argument("--opacity", choices=("analytic",), help="the law, at the temperature of the gas")
    dark.add_argument("--metallicity", type=number(0, 1), metavar="Z", help="mass fraction of metals")
    dark.add_argument("--hydrogen", type=number(0, 1), metavar="X", help="mass fraction of hydrogen")
    dark.add_argument("--dust", action="store_true", help="grains in cool gas, too")
    return parser


def composition_of(chosen: argparse.Namespace) -> Composition | None:
    """Of the analytic opacity, where it is asked for.

    Raises:
        ValueError: only a part of it is given.
    """
    given = (chosen.opacity, chosen.metallicity, chosen.hydrogen)
    if all(part is None for part in given):
        if chosen.dust:
            raise ValueError("--dust is a part of --opacity analytic: give that, too, or leave it out")
        return None
    if any(part is None for part in given):
        raise ValueError("--opacity analytic, --metallicity and --hydrogen belong together: give all three")
    if chosen.metallicity + chosen.hydrogen > 1:
        raise ValueError("--metallicity and --hydrogen exceed 1 together: they are shares of the mass")
    return Composition(chosen.hydrogen, chosen.metallicity, chosen.dust)


def choices_of(chosen: argparse.Namespace) -> dict[str, Choice]:
    """What is asked for each direction, by its name; a direction that is given twice counts once.

    Raises:
        ValueError: one of them is none, or the opacity is asked for by halves.
    """
    composition = composition_of(chosen)
    return {
        curve.name_of(direction_of(text)): Choice(text, chosen.rays, composition, chosen.distance)
        for text in chosen.direction or DIRECTIONS
    }


def snapshots_of(run: Run, chosen: argparse.Namespace) -> list[Snapshot]:
    """Those that are asked for, each once and in the order of time.

    Raises:
        ValueError: there is no such snapshot, or a file is damaged.
    """
    found = {moment.snapshot.path: moment.snapshot for moment in of_run(run, chosen)}
    return sorted(found.values(), key=lambda snapshot: snapshot.time)


def make(run: Run, chosen: argparse.Namespace) -> tuple[History, list[Path]]:
    """Writes the table and the pictures of a run; gives the table and all paths.

    Raises:
        ValueError: the run has no snapshots or no opacity, or a direction is none; says what to do.
    """
    choices = choices_of(chosen)
    snapshots = snapshots_of(run, chosen)
    if not len(run.history):
        raise ValueError(f"{run.directory}/history.csv: has no row yet")
    out = chosen.out or run.directory
    make_folder(out)
    rows, made = [], []
    for snapshot in snapshots:
        for sky, (label, choice) in zip(
            curve.watch(snapshot, choices.values()), choices.items(), strict=True
        ):
            rows.append(curve.row_of(sky, choice, run.history))
            if chosen.image:
                stem = snapshot.path.stem.removeprefix("snapshot_")
                made.append(out / f"sky_{stem}_{label}.png")
                draw.plot_sky(sky, label, chosen.pixels, made[-1])
        if sys.stderr.isatty():
            print(f"\r{len(rows) // len(choices)} of {len(snapshots)} snapshots", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    path = out / curve.NAME
    curve.write(rows, run.history, path, notes_of(chosen))
    table = History(path)
    draw.plot_curves(run.history, table, path.with_suffix(".png"))
    return table, [path, path.with_suffix(".png"), *made]


def notes_of(chosen: argparse.Namespace) -> list[str]:
    """How the table was made."""
    notes = [
        f"rays along the width of a cell: {chosen.rays}",
        f"distance of magnitudes: {chosen.distance:g} pc",
    ]
    if chosen.opacity is not None:
        notes.append(
            f"opacity: {chosen.opacity}, hydrogen {chosen.hydrogen:g}, metals {chosen.metallicity:g}"
            + (", with dust" if chosen.dust else "")
        )
    return notes


@dataclass(frozen=True)
class Comparison:
    """What a run is compared with.

    Attributes:
        other: the same run with twice the substeps.
        substeps: of the two.
        span: of time in which they are compared, in code units.
    """

    other: Run
    substeps: tuple[int, int]
    span: tuple[float, float]


def comparison_of(run: Run, chosen: argparse.Namespace) -> Comparison | None:
    """What --compare, --since and --until ask for, where they do.

    Raises:
        ValueError: the other run has not twice the substeps, one has no light, or nothing is left to compare.
    """
    since, until = chosen.since, chosen.until
    if chosen.compare is None:
        if since is not None or until is not None:
            raise ValueError("--since and --until are for a comparison: give --compare OTHER, too")
        return None
    other = Run(chosen.compare)
    mine, theirs = (tomllib.loads(one.input).get("radiation", {}) for one in (run, other))
    for one, keys in ((run, mine), (other, theirs)):
        if not keys.get("enabled", False):
            raise ValueError(f"{one.directory}: has no light to compare: leave out --compare")
    counts = mine.get("substeps", 16), theirs.get("substeps", 16)
    if counts[1] != 2 * counts[0]:
        raise ValueError(
            f"{other.directory}: has {counts[1]} substeps: run it again with --set radiation.substeps="
            f"{2 * counts[0]}, twice those of {run.directory}"
        )
    if since is not None and until is not None and since >= until:
        raise ValueError(f"--since {since:g} is not before --until {until:g}: there is nothing to compare")
    span = -np.inf if since is None else since, np.inf if until is None else until
    if span != curve.ALWAYS:
        expect_rows(run, other, span, chosen)
    return Comparison(other, counts, span)


def expect_rows(run: Run, other: Run, span: tuple[float, float], chosen: argparse.Namespace) -> None:
    """Expects rows of a run's history in a span, at times that the other run has, too.

    Raises:
        ValueError: there is none; names the options that are given, and the times that both runs have.
    """
    time, theirs = (curve.outflow(one.history)[0] for one in (run, other))
    if np.any(curve.in_both(time, theirs, span)):
        return
    given = {"--since": chosen.since, "--until": chosen.until}
    options = " ".join(f"{name} {t:g}" for name, t in given.items() if t is not None)
    both = time[curve.in_both(time, theirs)]
    reach = f"from {both[0]:g} to {both[-1]:g}" if len(both) else "at no time"
    raise ValueError(f"{options}: nothing to compare then; both runs have light {reach}, in code units")


def compare(run: Run, table: History, asked: Comparison, chosen: argparse.Namespace) -> list[str]:
    """How the curves of another run differ, as lines of text."""
    other, counts, span = asked.other, asked.substeps, asked.span
    unit = curve.unit_names(run.history)[2]
    when = [
        f"{word} t = {t:g} {unit}" for word, t in zip(("since", "until"), span, strict=True) if np.isfinite(t)
    ]
    lines = [
        " ".join([f"against {other.directory}, {counts[1]} substeps for {counts[0]}", *when])
        + ": largest difference over the peak, rms, median of the relative differences",
        *(
            f"  another {key}, too: the difference is not that of the substeps alone"
            for key in others(run, other)
        ),
    ]
    found = curve.between(curve.outflow(run.history), curve.outflow(other.history), span)
    lines.append(f"  outflow: {said(found, run.history)}")
    choices = choices_of(chosen)
    # As wide as times of parts of an orbit may differ, and no wider, for rays take their time.
    snapshots = [s for s in snapshots_of(other, chosen) if 0.99 * span[0] <= s.time <= 1.01 * span[1]]
    skies = [curve.watch(snapshot, choices.values()) for snapshot in snapshots]
    for place, (name, rows) in enumerate(curve.by_direction(table).items()):
        own = table["time"][rows], table["luminosity"][rows]
        seen = np.reshape(
            [(sky[place].medium.snapshot.time, sky[place].luminosity) for sky in skies], (-1, 2)
        )
        lines.append(
            f"  seen from {name}: {said(curve.together(own, (seen[:, 0], seen[:, 1]), span), run.history)}"
        )
    return lines


def others(run: Run, other: Run) -> list[str]:
    """Keys but for the substeps and the output that two runs' inputs do not have in common."""
    keys = [
        {
            (section, key): value
            for section, part in tomllib.loads(one.input).items()
            for key, value in part.items()
        }
        for one in (run, other)
    ]
    differ = [key for key in {**keys[0], **keys[1]} if keys[0].get(key) != keys[1].get(key)]
    return [f"{section}.{key}" for section, key in differ if section != "output" and key != "substeps"]


def said(found: curve.Difference | None, history: History) -> str:
    """A difference as text."""
    if found is None:
        return "no light at times that both have"
    when = (
        f"{found.time * history.cgs['time'] / DAY:.4g} d" if curve.has_size(history) else f"{found.time:.4g}"
    )
    return f"{found.largest:.2e} at t = {when}, {found.rms:.2e}, {found.median:.2e} ({found.points} points)"


def summary(run: Run, table: History) -> list[str]:
    """The curves as lines of text."""
    history = run.history
    sized = curve.has_size(history)
    unit, day = (curve.power(history), history.cgs["time"] / DAY) if sized else (1.0, 1.0)
    names = ("erg/s", "d", "K") if sized else ("code units",) * 3
    flown = curve.outflow(history)
    if flown is None or len(flown[0]) == 0:
        lines = ["by outflow: nothing, for the run has no light or no step"]
    else:
        peak = int(flown[1].argmax())
        lines = [
            f"by outflow: {flown[1][-1] * unit:.4g} {names[0]} at the end, at most {flown[1][peak] * unit:.4g} at "
            f"t = {flown[0][peak] * day:.4g} {names[1]} ({len(flown[0])} rows)"
        ]
    if not sized:
        lines.append(
            'code units are bare numbers, so there are no erg/s, days and magnitudes (units.system = "solar")'
        )
    for name, rows in curve.by_direction(table).items():
        lines.append(f"seen from {name}:")
        heading = [f"t [{names[1]}]", f"L [{names[0]}]", f"T_eff [{names[2]}]", f"T_colour [{names[2]}]"]
        heading += ["I [mag]"] if sized else []
        lines.append("  " + " ".join(f"{text:>16}" for text in (*heading, "blurred")))
        for i in rows:
            values = [table["time"][i] * day, table["luminosity"][i] * unit]
            values += [table["effective_temperature"][i], table["colour_temperature"][i]]
            values += [table["magnitude_I"][i]] if sized else []
            lines.append("  " + " ".join(f"{value:>16.5g}" for value in (*values, table["blurred"][i])))
    if max(table["blurred"]) > 0.1:
        lines.append(
            "blurred: the share of the light that comes from cells with an optical depth above 1; the surface that "
            "shines is not resolved there, and luminosities by rays are rough (docs/light_curves.md)"
        )
        lines.append(
            "by Eddington's law from the outermost opaque cells, of an optical depth of "
            f"{table['surface_depth'][-1]:.2g} in the median: {table['luminosity_eddington'][-1] * unit:.4g} "
            f"{names[0]} at the end"
        )
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """The command `rednova-lightcurve`; exit code 2, and a line on standard error, where it cannot do what is asked."""
    chosen = options().parse_args(arguments)

    def answer() -> list[object]:
        run = Run(chosen.run)
        asked = comparison_of(run, chosen)
        table, made = make(run, chosen)
        lines = summary(run, table)
        if asked is not None:
            lines += compare(run, table, asked, chosen)
        return [*lines, *made]

    return tell("rednova-lightcurve", answer)
