"""What a report is made of, before it becomes HTML or PDF; and how numbers and units are written in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

NOTHING = "–"  # stands for a value that there is not
#: How units of history.csv are written: those of the sun, and L, M, T for bare code units.
SYMBOLS = {"Msun": "M☉", "Rsun": "R☉", "length": "L", "mass": "M", "time": "T", "^2": "²", "^3": "³"}


@dataclass(frozen=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True)
class Code:
    """Lines that are shown as they are: commands, an input."""

    text: str


@dataclass(frozen=True)
class Table:
    """Rows of texts below their headings; the first column names the row."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Picture:
    """A picture as the bytes of a PNG file."""

    png: bytes
    caption: str


@dataclass(frozen=True)
class Movie:
    """A movie as the bytes of an MP4 file (H.264), which a PDF does not show."""

    mp4: bytes
    caption: str


Part = Paragraph | Code | Table | Picture | Movie


@dataclass(frozen=True)
class Section:
    """A heading with what stands below it."""

    title: str
    parts: Sequence[Part]


@dataclass(frozen=True)
class Missing:
    """In place of a section, or of a part of one, that would apply: why it is not there."""

    text: str


@dataclass(frozen=True)
class Report:
    """Title, one line about the run, and the sections in their order."""

    title: str
    summary: str
    sections: list[Section] = field(default_factory=list)


def number(x: float, digits: int = 6) -> str:
    """A number as text; nan is no number."""
    return NOTHING if np.isnan(x) else f"{x:.{digits}g}"


def unit_text(unit: str) -> str:
    """A unit of history.csv as text; empty for pure numbers."""
    if unit == "1":
        return ""
    for name, symbol in SYMBOLS.items():
        unit = unit.replace(name, symbol)
    return unit


def with_unit(x: float, unit: str, digits: int = 6) -> str:
    """A number with its unit."""
    return f"{number(x, digits)} {unit_text(unit)}".rstrip()


def named(name: str, unit: str) -> str:
    """The heading of a column, with its unit where there is one."""
    text = unit_text(unit)
    return f"{name} [{text}]" if text else name
