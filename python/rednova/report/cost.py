"""The section on what the run took: wall time, cell-steps, memory, phases."""

from __future__ import annotations

import numpy as np

from rednova.report.parts import Missing, Paragraph, Part, Section, Table, number
from rednova.report.sources import Sources

MOST_PHASES = 15


def cell_steps(source: Sources) -> float | None:
    """Cells times steps of the profile's part of the run; None if no file has the size of a block.

    Between two rows of the history the mean of their numbers of blocks counts.
    """
    if source.edge is None:
        return None
    step, blocks = source.history["step"], source.history["leaf_blocks"]
    apart, mean = np.diff(step), 0.5 * (blocks[1:] + blocks[:-1])
    mine = step[1:] > step[-1] - int(source.profile.steps[0])
    return float(np.sum(apart[mine] * mean[mine])) * source.edge**3


def memory(source: Sources) -> str:
    """The most that each rank held, added up, in GB; empty if there are no samples."""
    most = [
        float(np.max(s["high_water_bytes"]))
        for s in source.profile.samples
        if len(s.get("high_water_bytes", []))
    ]
    return f"{number(1e-9 * sum(most), 4)} GB" if most else ""


def cost(source: Sources) -> Section | Missing:
    """Of the last start or restart, from profile.json."""
    profile = source.profile
    if profile is None:
        return Missing("the cost: there is no profile.json (the run was made with --no-profile)")
    seconds, steps = float(np.max(profile.seconds)), int(profile.steps[0])
    rows = [
        ("wall time of the steps", f"{number(seconds)} s"),
        ("before the first step", f"{number(float(np.max(source.before.seconds)))} s"),
        ("steps", str(steps)),
        ("ranks", str(len(profile.threads) + len(profile.missing))),
        ("threads of all ranks", str(int(np.sum(profile.threads)))),
        ("memory, the most of each rank, added up", memory(source)),
    ]
    done = cell_steps(source)
    parts: list[Part] = []
    if done is not None and steps > 0 and seconds > 0 and profile.complete:
        rows.insert(3, ("cell-steps a second", number(done / seconds, 4)))
        rows.insert(3, ("cell-steps", number(done)))
        parts.append(
            Paragraph(
                "Cells: from the blocks in the rows of history.csv, the mean of those before and after a step."
            )
        )
    else:
        parts.append(
            Paragraph(
                "Cell-steps a second are known of complete profiles alone, of runs with a snapshot or checkpoint."
            )
        )
    if not profile.complete:
        parts.append(Paragraph("The profile is not complete: the run goes on, or was killed."))
    if profile.missing:
        parts.append(Paragraph(f"There is nothing of ranks {', '.join(map(str, profile.missing))}."))
    table = Table(("", "value"), [row for row in rows if row[1]])
    if not profile.phases or profile.thread_seconds == 0:
        return Section("The cost", [table, *parts])
    names = profile.names("work", "wait")
    phases = [(n, profile.phases[n].activity, f"{100 * profile.share(n):.2f} %") for n in names[:MOST_PHASES]]
    rest = sum(profile.share(n) for n in names[MOST_PHASES:])
    phases += [("all others", "", f"{100 * rest:.2f} %")] if rest > 0 else []
    shares = Table(("phase", "activity", "share of the threads' time"), phases)
    return Section("The cost", [table, *parts, shares])
