"""The command: makes the runs of a page that are missing and writes it. See `rednova.science`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

from rednova.pictures import STYLE
from rednova.science import darwin, equal_masses, mass_transfer, ranks, v1309, white_dwarfs
from rednova.science.kept import has_pictures, keep
from rednova.verify.library import (
    ROOT,
    Job,
    Library,
    add_options,
    at_once,
    commit_of,
    keep_long,
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
    parser.add_argument(
        "--keep", action="store_true", help="reduce the long runs that are complete and put them into --kept"
    )
    parser.add_argument(
        "--kept", type=Path, default=ROOT / "docs/runs/science", help="reduced runs of the same sources"
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
    if chosen.keep and commit.endswith("-dirty"):
        print(f"{chosen.program} is of {commit}: what it makes would never be found again", file=sys.stderr)
        return 2
    out = chosen.out or ROOT / "docs/science"
    library = Library(
        chosen.runs / commit,
        chosen.program,
        ROOT / "problems",
        chosen.threads,
        chosen.partial,
        chosen.kept,
        lambda job, run: has_pictures(run.directory, made.wanted(job, run)),
    )
    failed = [] if chosen.draw else make_missing(library, made.JOBS, at_once(chosen))
    if chosen.keep:
        keep_long(library, made.JOBS, lambda job, run, out: keep(run, out, made.wanted(job, run)))
    missing = [job.name for job in made.JOBS if not library.has(job)]
    if missing and not (takes_any(made) and len(missing) < len(made.JOBS)):
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
    return 1 if failed else 0


def takes_any(page: ModuleType) -> bool:
    """Whether a page is written from those of its runs that are there."""
    return getattr(page, "TAKES_ANY", False)


def unfinished(library: Library, jobs: Sequence[Job]) -> str:
    """Sentences on runs that are not complete, whose time is not counted, and on those that are not there; empty where
    all are."""
    missing = [job.name for job in jobs if not library.has(job)]
    reached = [
        f"{job.name} ({np.abs(library.run(job).history['orbits'][-1]):.1f} orbits)"
        for job in jobs
        if job.name not in missing and not library.note(job)
    ]
    said = f" Ended before their time, which is not counted: {', '.join(reached)}." if reached else ""
    return said + (f" Runs that are missing: {', '.join(missing)}." if missing else "")


def time_of(library: Library, jobs: Sequence[Job]) -> str:
    """Of all complete runs together, for people."""
    seconds = sum(library.note(job).get("seconds", 0) for job in jobs)
    for unit, size in (("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} seconds"


if __name__ == "__main__":
    sys.exit(main())
