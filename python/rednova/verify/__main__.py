"""The command: makes the runs that are missing and writes the page. See `rednova.verify`."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt

from rednova.pictures import STYLE
from rednova.verify import binaries, gravity, rotation, shocks, smooth, stars, transfer, turning_star
from rednova.verify.kept import keep
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

CHAPTERS = {
    "shocks": shocks,
    "smooth": smooth,
    "rotation": rotation,
    "gravity": gravity,
    "stars": stars,
    "turning_star": turning_star,
    "binaries": binaries,
    "transfer": transfer,
}
HEAD = """# Verification

Made by `make verification` from runs of {version}. What is known about each problem, what the code
gives, and which test holds it there. Figures that fall short are shown as they are, and runs that have not got as far
as they should say how far they are; {lacking}. Long runs may be older than the page: what it takes of them lies in
`docs/runs` and stands for programs that give the same numbers. Tests are named as `program`: `suite.test`; `make test`
runs all of them but those of `make nightly`. Quantities are in code units, G = 1; the scheme is PPM, HLLC and
Runge-Kutta 3, and gravity of the order and R² of the input, 3 and 6 where that says nothing.
What is conserved and how is on the page [What is conserved](conservation.md).
"""


def jobs_of(sections: Sequence[str], only: str = "") -> list[Job]:
    """The runs that some chapters want. The last chapter's come first: they take longest, and short ones fill the
    cores at the end."""
    chapters = [chapter for name, chapter in reversed(CHAPTERS.items()) if name in sections]
    return [job for chapter in chapters for job in chapter.JOBS if only in job.name]


def lacking(library: Library, sections: int) -> str:
    """What the page says of runs that are not there, and of sections that had to be left out for want of them."""
    missing = [f"`{job.name}`" for job in jobs_of(list(CHAPTERS)) if not library.has(job)]
    runs = f"runs that are missing: {len(missing)}" + (f" ({', '.join(missing)})" if missing else "")
    return f"{runs}, and sections left out: {sections}"


def renew(library: Library, chapters: Sequence[str], page: Path, images: Path) -> None:
    """Writes the sections of some chapters anew into a page that is there; each says of which program its runs are.
    Raises ValueError where they are of more than one, or where the page has no such section, and KeyError where a run
    is missing; the page stays as it was then."""
    version = program_of_all(library, jobs_of(chapters))
    text = page.read_text()
    with tempfile.TemporaryDirectory() as drawn, plt.rc_context({**STYLE, "savefig.bbox": "tight"}):
        new_images = Path(drawn) / images.name  # the page's links have the folder's name
        new_images.mkdir()
        for section in (section for name in chapters for section in CHAPTERS[name].SECTIONS):
            title, _, rest = section(library, new_images).partition("\n")
            before, found, after = text.partition(f"\n{title}\n")
            if not found:
                raise ValueError(f"{page}: has no section {title.lstrip('# ')!r}")
            _, next_one, others = after.partition("\n\n## ")
            said = f"{title}\n\n*Made again, from runs of {version}.*\n{rest}"
            text = f"{before}\n{reflow(said).rstrip()}{next_one}{others or chr(10)}"
            plt.close("all")
        shutil.copytree(new_images, images, dirs_exist_ok=True)
    page.write_text(text)


def write(library: Library, page: Path, images: Path) -> int:
    """Writes the page; gives how many sections had to be left out. Raises ValueError where the runs are of more than
    one program."""
    version = program_of_all(library, jobs_of(list(CHAPTERS)))
    images.mkdir(parents=True, exist_ok=True)
    parts, missing = [], 0
    with plt.rc_context({**STYLE, "savefig.bbox": "tight"}):
        for section in (section for chapter in CHAPTERS.values() for section in chapter.SECTIONS):
            try:
                parts.append(section(library, images))
            except (KeyError, IndexError, ValueError) as error:
                missing += 1
                chapter = section.__module__.rpartition(".")[2]
                print(f"{chapter}.{section.__name__}: left out: {error.args[0]}", file=sys.stderr)
            plt.close("all")
    head = HEAD.format(version=version, lacking=lacking(library, missing))
    page.write_text(reflow("\n\n".join([head.strip(), *parts])) + "\n")
    print(f"{page}: {len(parts)} sections")
    return missing


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m rednova.verify", description=__doc__)
    add_options(parser, ROOT, "verification")
    parser.add_argument("--page", type=Path, help="where to write it; docs/verification.md if none is given")
    parser.add_argument(
        "--section", choices=CHAPTERS, action="append", help="make only this one's runs; may be repeated"
    )
    parser.add_argument("--only", default="", help="make only runs whose name contains this")
    parser.add_argument(
        "--renew",
        action="store_true",
        help="write the sections of each --section anew into the page that is there, which says so",
    )
    parser.add_argument(
        "--keep", action="store_true", help="reduce the long runs that are complete and put them into --kept"
    )
    parser.add_argument(
        "--kept", type=Path, default=ROOT / "docs/runs", help="reduced runs of the same sources"
    )
    parser.add_argument(
        "--partial", action="store_true", help="draw runs that are not complete as far as they got"
    )
    chosen = parser.parse_args(arguments)
    commit = commit_of(chosen.program)
    if chosen.page is None and (why := unfit(chosen.program, commit, "--page")):
        print(why, file=sys.stderr)
        return 2
    if chosen.keep and commit.endswith("-dirty"):
        print(
            f"{chosen.program} was built from {commit}: what it makes would never be found again",
            file=sys.stderr,
        )
        return 2
    page = chosen.page or ROOT / "docs/verification.md"
    library = Library(
        chosen.runs / commit, chosen.program, ROOT / "problems", chosen.threads, chosen.partial, chosen.kept
    )
    jobs = jobs_of(chosen.section or list(CHAPTERS), chosen.only)
    failed = [] if chosen.draw else make_missing(library, jobs, at_once(chosen))
    if chosen.keep:
        keep_long(library, jobs, lambda _job, run, out: keep(run, out))
    if chosen.renew:
        if failed:
            return 1
        try:
            renew(library, chosen.section or list(CHAPTERS), page, page.parent / "images")
        except (KeyError, ValueError) as error:
            print(f"{page}: not changed: {error.args[0]}", file=sys.stderr)
            return 1
        return 0
    missing = [job.name for job in jobs_of(list(CHAPTERS)) if not library.has(job)]
    if missing and not (chosen.draw or chosen.partial):
        print(f"{page}: not written; of {commit} these runs are missing: {', '.join(missing)}")
        return 1 if failed or not (chosen.section or chosen.only) else 0
    return 1 if write(library, page, page.parent / "images") or failed else 0


if __name__ == "__main__":
    sys.exit(main())
