"""Small pieces that the chapters share: tables, slopes, pictures."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rednova.pictures import COLOURS

BLUE, ORANGE, GREEN, GREY = (COLOURS[name] for name in ("blue", "orange", "green", "grey"))


def table(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; numbers are written with `number`."""
    lines = ["| " + " | ".join(heading) + " |", "|" + "---|" * len(heading)]
    for row in rows:
        lines.append("| " + " | ".join(x if isinstance(x, str) else number(x) for x in row) + " |")
    return "\n".join(lines)


def number(x: object) -> str:
    """Whole numbers as they are, others with three digits."""
    if isinstance(x, int | np.integer):
        return str(x)
    x = float(x)  # type: ignore[arg-type]
    if x == 0:
        return "0"
    return f"{x:.3g}" if 1e-3 <= abs(x) < 1e4 else f"{x:.1e}"


def slopes(cells: Sequence[int], errors: Sequence[float]) -> list[str]:
    """Orders between neighbouring resolutions; the first has none."""
    if not cells:
        return []
    pairs = zip(cells, cells[1:], errors, errors[1:], strict=False)
    return ["", *(f"{np.log(a / b) / np.log(n / m):.2f}" for m, n, a, b in pairs)]


def save(figure: Figure, images: Path, name: str, caption: str) -> str:
    """Writes verification_<name>.png; gives the Markdown that shows it on a page beside the folder of the images."""
    path = images / f"verification_{name}.png"
    write_figure(figure, path)
    return f"![{caption}]({images.name}/{path.name})"


def two_panels(height: float = 3.4) -> tuple[Figure, Axes, Axes]:
    """A figure as wide as a page with two axes beside each other, with grids; height in inches."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, height), layout="constrained")
    for one in (left, right):
        one.grid(alpha=0.25)
    return figure, left, right


def write_figure(figure: Figure, path: Path) -> None:
    """The same bytes for the same figure."""
    figure.savefig(path, metadata={"Software": None})
    figure.clear()


def convergence(
    axes: Axes, cells: Sequence[int], lines: Sequence[tuple[str, Sequence[float], str, str]]
) -> None:
    """Errors against resolution, with a guide of second order. lines: (label, errors, colour, style)."""
    for label, errors, colour, style in lines:
        axes.loglog(cells, errors, style, color=colour, marker="o", ms=4, label=label)
    top = max(errors[0] for _, errors, _, _ in lines)
    n = np.array([cells[0], cells[-1]], float)
    axes.loglog(n, 1.6 * top * (n / n[0]) ** -2, color="black", lw=0.8, ls=":", label="second order")
    axes.set_xticks(cells, [str(c) for c in cells])
    axes.minorticks_off()
    axes.set(xlabel="cells along an edge")
    axes.grid(alpha=0.25)
    axes.legend(fontsize=8)


def reflow(text: str) -> str:
    """Paragraphs filled to lines of 116 characters; headings, tables, pictures and code as they are."""
    parts = []
    for part in text.split("\n\n"):
        plain = not part.startswith(("#", "|", "!", "    "))
        parts.append(
            textwrap.fill(part, 116, break_long_words=False, break_on_hyphens=False) if plain else part
        )
    return "\n\n".join(parts)
