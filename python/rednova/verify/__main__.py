"""The command: makes the runs that are missing and writes the page. See `rednova.verify`."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import textwrap
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt

from rednova.plot import STYLE
from rednova.verify import binaries, rotation, shocks, smooth, stars
from rednova.verify.library import Job, Library

ROOT = Path(__file__).resolve().parents[3]
CHAPTERS = (shocks, smooth, rotation, stars, binaries)
HEAD = """# Verification

Made by `make verification` from runs of {version}. {others} What is known about each problem, what the code gives,
and which
test holds it there. Figures that fall short are shown as they are, and runs
that have not got as far as they should say how far they are; {missing}. Tests are named as `program`:
`suite.test`; `make test` runs
all of them but those of `make nightly`. Quantities are in code units, G = 1; the scheme is PPM, HLLC and
Runge-Kutta 3 with gravity of order 3 and R² = 6 unless
something else is said.
What is conserved and how is on the page [What is conserved](conservation.md).
"""


def make_missing(library: Library, only: str) -> list[Job]:
    """Makes what is missing, in order; gives the jobs that failed."""
    jobs = [job for chapter in CHAPTERS for job in chapter.JOBS if only in job.name]
    failed = []
    for number, job in enumerate(jobs, 1):
        if library.has(job):
            continue
        print(f"[{number}/{len(jobs)}] {job.name}", flush=True)
        try:
            library.make(job)
        except subprocess.CalledProcessError as error:
            print(f"  failed with exit code {error.returncode}: {library.root / job.name / 'log.txt'}")
            failed.append(job)
    return failed


def write(library: Library, page: Path, images: Path) -> int:
    """Writes the page; gives how many sections had to be left out."""
    images.mkdir(parents=True, exist_ok=True)
    parts, missing = [], 0
    with plt.rc_context(STYLE):
        for section in (section for chapter in CHAPTERS for section in chapter.SECTIONS):
            try:
                parts.append(section(library, images))
            except (KeyError, IndexError, ValueError) as error:
                missing += 1
                chapter = section.__module__.rpartition(".")[2]
                print(f"{chapter}.{section.__name__}: left out: {error.args[0]}", file=sys.stderr)
            plt.close("all")
    version, others = versions(library)
    head = HEAD.format(version=version, others=others, missing=f"sections that lack their runs: {missing}")
    page.write_text(reflow("\n\n".join([head.strip(), *parts])) + "\n")
    print(f"{page}: {len(parts)} sections")
    return missing


def versions(library: Library) -> tuple[str, str]:
    """The programs that made the runs, the most used first, with the number of runs of each; and the sentence that
    names the runs which another program made than the newest run's: they tell of that one."""
    made = {job: library.program_of(job) for chapter in CHAPTERS for job in chapter.JOBS if library.has(job)}
    count = Counter(made.values())
    names = ", ".join(f"Rednova {name} ({runs})" for name, runs in count.most_common())
    if len(count) < 2:
        return names, "One program made all runs."
    newest = made[max(made, key=library.finished)]
    others = ", ".join(f"`{job.name}`" for job, name in made.items() if name != newest)
    return names, f"The newest run is of {newest}; of another program are: {others}."


def reflow(text: str) -> str:
    """Paragraphs filled to lines of 116 characters; headings, tables and pictures as they are."""
    parts = []
    for part in text.split("\n\n"):
        plain = not part.startswith(("#", "|", "!"))
        parts.append(
            textwrap.fill(part, 116, break_long_words=False, break_on_hyphens=False) if plain else part
        )
    return "\n\n".join(parts)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m rednova.verify", description=__doc__)
    parser.add_argument(
        "--program", type=Path, default=Path(os.environ.get("REDNOVA", ROOT / "build/rednova"))
    )
    parser.add_argument("--runs", type=Path, default=ROOT / "runs/verification")
    parser.add_argument("--page", type=Path, default=ROOT / "docs/verification.md")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--only", default="", help="make only runs whose name contains this")
    parser.add_argument(
        "--partial", action="store_true", help="draw runs that are not complete as far as they got"
    )
    parser.add_argument("--draw", action="store_true", help="make no runs, write from those that are there")
    chosen = parser.parse_args(arguments)
    library = Library(chosen.runs, chosen.program, ROOT / "problems", chosen.threads, chosen.partial)
    failed = [] if chosen.draw else make_missing(library, chosen.only)
    missing = write(library, chosen.page, chosen.page.parent / "images")
    return 1 if failed or missing else 0


if __name__ == "__main__":
    sys.exit(main())
