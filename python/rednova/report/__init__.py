"""One document on a run, as HTML and PDF: `rednova-report RUN`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from rednova.command import tell
from rednova.report import about, cost, evolution, page, pdf, sky
from rednova.report.parts import Missing, Paragraph, Report, Section
from rednova.report.sources import Sources, read, reading

#: In the order of the report; each gives a section, why it is missing, or None where it does not apply.
SECTIONS: list[Callable[[Sources], Section | Missing | None]] = [
    about.what_was_run,
    about.model,
    about.mesh,
    evolution.ledger,
    evolution.drift,
    evolution.orbit,
    evolution.star,
    evolution.transfer,
    evolution.ejecta,
    evolution.light,
    sky.light_curve,
    evolution.points,
    about.pictures,
    about.movie,
    cost.cost,
    about.how_to_cite,
    about.how_to_repeat,
]


def report_of(source: Sources) -> Report:
    """All sections that apply to a run; the last one says what is missing, if anything is."""
    with reading(source.run.directory, "rednova info FILE says which of its files is damaged"):
        made = [make(source) for make in SECTIONS]
    missing = [*source.missing, *(m.text for m in made if isinstance(m, Missing))]
    sections = [m for m in made if isinstance(m, Section)]
    if missing:
        sections.append(
            Section("What is missing", [Paragraph(f"{text[0].upper()}{text[1:]}.") for text in missing])
        )
    name = source.run.directory.resolve().name
    summary = f"A run of the problem {source.problem} with rednova {source.history.version}, {about.reached(source)}."
    return Report(f"Report on the run {name}", summary, sections)


def written(path: Path, write: Callable[[Path], object]) -> Path:
    """Has a file written under another name, so that it appears when it is complete.

    Raises:
        ValueError: it cannot be written; with a remedy.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        write(part)
        os.replace(part, path)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise ValueError(f"{path}: cannot be written: {error.strerror}; choose another with --out") from None
    return path


def make(directory: Path, out: Path | None = None) -> list[Path]:
    """Writes the report on a run as HTML and PDF.

    Args:
        directory: of the run.
        out: the HTML file, beside which the PDF is written; report.html in the run's directory by default.

    Returns:
        The paths of both.

    Raises:
        FileNotFoundError: there is no such run.
        ValueError: one of its files is damaged, or the report cannot be written.
    """
    if out is not None and out.is_dir():
        raise ValueError(f"{out}: is a directory; name a file with --out")
    report = report_of(read(directory))
    out = out or directory / "report.html"
    stem = out.with_suffix("") if out.suffix in (".html", ".htm", ".pdf") else out
    html, of_pdf = (stem.with_name(f"{stem.name}{suffix}") for suffix in (".html", ".pdf"))
    return [
        written(html, lambda path: path.write_text(page.page(report), encoding="utf-8")),
        written(of_pdf, lambda path: pdf.write(report, path)),
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """The command `rednova-report`; exit code 2 where the run cannot be read or the report not be written."""
    parser = argparse.ArgumentParser(
        prog="rednova-report", description="Write a report on a run as one HTML page and as PDF."
    )
    parser.add_argument("run", type=Path, help="directory of the run")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="the HTML file, with the PDF beside it; by default RUN/report.html",
    )
    chosen = parser.parse_args(arguments)
    return tell("rednova-report", lambda: make(chosen.run, chosen.out))
