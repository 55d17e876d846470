"""A report as a PDF of A4 pages, drawn with matplotlib: text stays text, pictures are those of the HTML page."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from rednova.report.parts import Code, Movie, Paragraph, Picture, Report, Table

INCH = 72.0  # points
WIDTH, HEIGHT = 8.27 * INCH, 11.69 * INCH  # A4
MARGIN = 0.75 * INCH
ROOM = WIDTH - 2 * MARGIN
SANS, MONO = "DejaVu Sans", "DejaVu Sans Mono"  # what matplotlib brings along
LEAD = 1.35  # from line to line, in sizes of the font
GAP = 9.0  # between the columns of a table
SMALLEST = 5.0  # a table that is still too wide has its longest texts broken


@cache
def width_of_letter(letter: str, family: str, weight: str) -> float:
    """How far a letter moves the pen, in sizes of the font. Between two strokes, so that a space has a width, too."""
    font = FontProperties(family=family, size=100, weight=weight)

    def width(text: str) -> float:
        return text_to_path.get_text_width_height_descent(text, font, ismath=False)[0]

    return (width(f"|{letter}|") - width("||")) / 100


def width_of(text: str, size: float, family: str = SANS, weight: str = "normal") -> float:
    """Of a line of text, in points."""
    return size * sum(width_of_letter(letter, family, weight) for letter in text)


def lines_of(
    text: str, room: float, size: float, family: str = SANS, weight: str = "normal"
) -> Iterator[str]:
    """Breaks a text at its spaces, and words that are wider than the room within."""
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if width_of(longer, size, family, weight) <= room:
            line = longer
            continue
        if line:
            yield line
        while width_of(word, size, family, weight) > room and len(word) > 1:
            fits = max(
                1,
                next(n for n in range(1, len(word) + 1) if width_of(word[:n], size, family, weight) > room)
                - 1,
            )
            yield word[:fits]
            word = word[fits:]
        line = word
    yield line


def printable(text: str) -> str:
    """Without characters that move the pen."""
    return "".join(c if c.isprintable() else " " for c in text.expandtabs(4))


class Pages:
    """Pages that are filled from top to bottom.

    Args:
        to: the open PDF.
        foot: what stands at the bottom of each page, beside its number.
    """

    def __init__(self, to: PdfPages, foot: str) -> None:
        self._to, self._foot, self._number = to, foot, 0
        self._figure: Figure | None = None
        self._y = 0.0  # above the bottom, in points

    def need(self, height: float) -> None:
        """Begins a page unless there is so much room, in points, on this one."""
        if self._figure is None or self._y - height < MARGIN:
            self.close()
            self._number += 1
            self._figure, self._y = Figure(figsize=(WIDTH / INCH, HEIGHT / INCH)), HEIGHT - MARGIN
            self._write(MARGIN, 0.5 * MARGIN, self._foot, 7, color="#718096")
            self._write(WIDTH - MARGIN, 0.5 * MARGIN, str(self._number), 7, ha="right", color="#718096")

    def close(self) -> None:
        """Writes the page."""
        if self._figure is not None:
            self._to.savefig(self._figure)
            self._figure = None

    def _write(self, x: float, y: float, text: str, size: float, **style) -> None:
        style = {"family": SANS, **style}
        # A dollar of an input begins no formula.
        self._figure.text(x / WIDTH, y / HEIGHT, text, size=size, va="baseline", parse_math=False, **style)

    def line(self, cells: Sequence[tuple[float, str, str]], size: float, **style) -> None:
        """Texts beside each other: x from the left margin in points, text, "left" or "right" of which x is the edge."""
        self.need(LEAD * size)
        self._y -= LEAD * size
        for x, text, side in cells:
            self._write(MARGIN + x, self._y, text, size, ha=side, **style)

    def text(self, text: str, size: float, **style) -> None:
        """Running text in lines of the page's width."""
        for row in map(printable, text.split("\n")):
            for line in lines_of(row, ROOM, size, weight=style.get("weight", "normal")):
                self.line([(0, line, "left")], size, **style)

    def code(self, text: str, size: float) -> None:
        """Lines as they are, broken at any letter where they are longer than the page is wide."""
        most = int(ROOM / width_of("m", size, MONO))
        for row in map(printable, text.split("\n")):
            for first in range(0, max(1, len(row)), most):
                self.line([(0, row[first : first + most], "left")], size, family=MONO)

    def space(self, height: float) -> None:
        self._y -= height

    def rule(self) -> None:
        """A thin line across the page."""
        across = [MARGIN / WIDTH, 1 - MARGIN / WIDTH]
        y = (self._y - 3) / HEIGHT
        self._figure.add_artist(mpl.lines.Line2D(across, [y, y], lw=0.5, color="#cbd5e0"))
        self.space(3)

    def picture(self, png: bytes) -> None:
        """As wide as the page, or as high as it can be."""
        pixels = plt.imread(io.BytesIO(png))
        high, wide = pixels.shape[:2]
        scale = min(ROOM / wide, (HEIGHT - 2 * MARGIN - 3 * INCH) / high, 0.62)
        self.need(high * scale + 2 * INCH / 6)
        self._y -= high * scale
        box = (MARGIN / WIDTH, self._y / HEIGHT, wide * scale / WIDTH, high * scale / HEIGHT)
        axes = self._figure.add_axes(box)
        axes.imshow(pixels, aspect="auto", interpolation="none")
        axes.axis("off")


def draw_table(pages: Pages, table: Table) -> None:
    """Columns as wide as their texts, in a font that fits; the last column of a table of two is broken into lines."""
    rows = [[printable(text) for text in row] for row in (table.headings, *table.rows)]
    columns = list(zip(*rows, strict=True))

    def widths(size: float) -> list[float]:
        weights = ["bold", *["normal"] * len(table.rows)]
        return [
            max(width_of(t, size, SANS, w) for t, w in zip(c, weights, strict=True)) + GAP for c in columns
        ]

    size = 8.0
    while sum(widths(size)) > ROOM and size > SMALLEST:
        size -= 0.25
    if len(columns) == 2:
        size = 8.0
    wide = widths(size)
    if sum(wide) > ROOM:
        longest = wide.index(max(wide))
        wide[longest] = max(ROOM - (sum(wide) - wide[longest]), 0.15 * ROOM)
    for i, row in enumerate(rows):
        style = {"weight": "bold"} if i == 0 else {}
        broken = [
            list(lines_of(t, w - GAP + 0.01, size, SANS, style.get("weight", "normal")))
            for t, w in zip(row, wide, strict=True)
        ]
        # The headings are not left alone at the bottom.
        pages.need(LEAD * size * (max(map(len, broken)) + (2 if i == 0 else 0)))
        for k in range(max(map(len, broken))):
            cells, x = [], 0.0
            for j, (texts, w) in enumerate(zip(broken, wide, strict=True)):
                text = texts[k] if k < len(texts) else ""
                left = j == 0 or len(columns) == 2
                cells.append((x if left else x + w - GAP, text, "left" if left else "right"))
                x += w
            pages.line(cells, size, **style)


def write(report: Report, path: Path) -> None:
    """Writes the PDF; OSError where it cannot be written."""
    # 42: fonts as they are, so that text can be searched and copied. An input may have letters that they lack.
    style = {"pdf.fonttype": 42, "text.usetex": False}
    about = {"Title": report.title, "Subject": report.summary, "Creator": "rednova-report"}
    with warnings.catch_warnings(), mpl.rc_context(style), PdfPages(path, metadata=about) as to:
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        pages = Pages(to, printable(report.title))
        pages.text(report.title, 16, weight="bold")
        pages.text(report.summary, 9)
        for section in report.sections:
            # A heading is not left alone at the bottom.
            pages.need(1.5 * INCH)
            pages.space(14)
            pages.text(section.title, 12, weight="bold")
            pages.rule()
            for part in section.parts:
                pages.space(6)
                match part:
                    case Paragraph(text):
                        pages.text(text, 9)
                    case Code(text):
                        pages.code(text, 7)
                    case Table():
                        draw_table(pages, part)
                    case Picture(png, caption):
                        pages.picture(png)
                        pages.text(caption, 8, color="#4a5568")
                    case Movie(_, caption):
                        pages.text(f"{caption} The HTML page has it.", 8, color="#4a5568")
        pages.close()
