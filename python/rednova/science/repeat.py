"""How a page says what repeats its runs."""

from __future__ import annotations

from rednova.verify.library import Job

WIDTH = 116  # of a page's lines


def command(job: Job) -> str:
    """The command of a run as code in Markdown, broken between its pieces."""
    first, *pieces = job.command
    lines = [f"    {first}"]
    for piece in pieces:
        if len(f"{lines[-1]} {piece} \\") > WIDTH:
            lines[-1] += " \\"
            lines.append(f"        {piece}")
        else:
            lines[-1] += f" {piece}"
    return "\n".join(lines)


def repeat(page: str, job: Job, which: str) -> str:
    """What stands at the end of a page: how one of its runs is repeated, and how the others.

    page: its name; which: the run in words, after "To repeat".
    """
    others = f"`python -m rednova.science {page} --commands` prints the commands of all"
    return f"To repeat {which} ({others}):\n\n{command(job)}"
