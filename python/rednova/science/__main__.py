"""The command: makes the runs of a page that are missing and writes it. See `rednova.science`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

from rednova.pictures import STYLE
from rednova.science import darwin, equal_masses, mass_transfer, ranks, v1309, white_dwarfs
from rednova.verify.library import (
    ROOT,
    Job,
    Library,
    add_options,
    at_once,
    commit_of,
    make_missing,
    program_of_all,
    unfit,
)
from rednova.verify.page import reflow

PAGES = {
    "darwin": darwin,
    "equal_masses": equal_masses,
    "mass_transfer": mass_transfer,
    "ranks": ranks,
    "v1309": v1309,
    "white_dwarfs": white_dwarfs,
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m rednova.science", description=__doc__)
    parser.add_argument("page", choices=PAGES)
    add_options(parser, ROOT, "science")
    parser.add_argument("--out", type=Path, help="folder for the page and images; docs/science if not given")
    parser.add_argument(
        "--partial",
        action="store_true",
        help="take runs that are not complete as far as they got",
    )
    parser.add_argument("--commands", action="store_true", help="print the commands that repeat the runs")
    chosen = parser.parse_args(arguments)
    made = PAGES[chosen.page]
    if chosen.commands:
        print(*(" ".join(job.command) for job in made.JOBS), sep="\n")
        return 0
    commit = commit_of(chosen.program)
    if chosen.out is None and (why := unfit(chosen.program, commit, "--out")):
        print(why, file=sys.stderr)
        return 2
    out = chosen.out or ROOT / "docs/science"
    library = Library(chosen.runs / commit, chosen.program, ROOT / "problems", chosen.threads, chosen.partial)
    if not chosen.draw and make_missing(library, made.JOBS, at_once(chosen)):
        return 1
    missing = [job.name for job in made.JOBS if not library.has(job)]
    if missing:
        print(
            f"{out}: not written; of {commit} these runs are missing: {', '.join(missing)}", file=sys.stderr
        )
        return 1
    out.mkdir(parents=True, exist_ok=True)
    with plt.rc_context({**STYLE, "savefig.bbox": "tight"}):
        text = made.page(library, out)
    foot = (
        f"Made by `python -m rednova.science {chosen.page}` from runs of {program_of_all(library, made.JOBS)}, which "
        f"took {time_of(library, made.JOBS)} one after the other.{unfinished(library, made.JOBS)}"
    )
    page = out / f"{chosen.page}.md"
    page.write_text(reflow(f"{text.strip()}\n\n{foot}") + "\n")
    print(page)
    return 0


def unfinished(library: Library, jobs: Sequence[Job]) -> str:
    """A sentence on runs that are not complete, whose time is not counted; empty where all are."""
    reached = [
        f"{job.name} ({np.abs(library.run(job).history['orbits'][-1]):.1f} orbits)"
        for job in jobs
        if not library.note(job)
    ]
    return f" Ended before their time, which is not counted: {', '.join(reached)}." if reached else ""


def time_of(library: Library, jobs: Sequence[Job]) -> str:
    """Of all complete runs together, for people."""
    seconds = sum(library.note(job).get("seconds", 0) for job in jobs)
    for unit, size in (("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} seconds"


if __name__ == "__main__":
    sys.exit(main())
