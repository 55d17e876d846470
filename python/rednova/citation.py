"""How Rednova is cited: what CITATION.cff says, for where only this package is installed; a test compares the two."""

from __future__ import annotations

MESSAGE = (
    "If you use Rednova in your research, please cite it with the version that `rednova --version` prints."
)
TITLE = "Rednova: binary stars from mass transfer to merger"
AUTHORS = ["The Rednova developers"]
VERSION = "0.2.0"
DATE = "2026-11-25"


def bibtex(version: str, commit: str) -> str:
    """An entry for the version that made a run.

    Args:
        version: of the program, such as "0.2.0".
        commit: of its sources; empty if that is not known.

    Returns:
        The entry. The year is that of the release, and is left out for versions other than this package's.
    """
    lines = [f"  author = {{{' and '.join(f'{{{name}}}' for name in AUTHORS)}}}", f"  title = {{{TITLE}}}"]
    if version == VERSION:
        lines.append(f"  year = {{{DATE[:4]}}}")
    lines.append(f"  version = {{{version}}}")
    if commit:
        lines.append(f"  note = {{commit {commit}}}")
    return "@software{rednova,\n" + ",\n".join(lines) + "\n}"
