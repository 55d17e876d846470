"""The potential energy of a polytrope on one to four ranks."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rednova.science.repeat import repeat
from rednova.verify.library import Job, Library
from rednova.verify.page import table

RANKS = (1, 2, 3, 4)
#: Finest level → cells to the radius.
LEVELS = {2: 8, 3: 16}
STEPS = 3
#: -3/(5 - n) G M²/R of a polytrope of n = 1.5 (Chandrasekhar 1939, ch. IV, eq. 90).
EXACT = -6 / 7


def job(level: int, ranks: int) -> Job:
    settings = (
        "problem.index=1.5",
        "hydro.gamma=1.6666666666666667",
        "hydro.specific_energy_ceiling=1.2",
        f"mesh.max_level={level}",
        f"run.max_steps={STEPS}",
        "output.snapshot_time=0",
        "output.history_steps=1",
        'output.fields=["density"]',
    )
    return Job(f"polytrope_{level}_on_{ranks}", "star_at_rest", settings, ranks=ranks)


JOBS = [job(level, ranks) for level in LEVELS for ranks in RANKS]


def page(library: Library, _images: Path) -> str:
    rows = []
    for level, cells in LEVELS.items():
        alone = library.run(job(level, 1)).history
        for ranks in RANKS:
            history = library.run(job(level, ranks)).history
            same = all(np.array_equal(history[name], alone[name], equal_nan=True) for name in alone.units)
            energy = float(history["gravitational_energy"][0])
            rows.append(
                (
                    cells,
                    ranks,
                    f"{energy:.16g}",
                    f"{energy / EXACT - 1:+.1e}",
                    f"{float(history['gravitational_energy'][-1]):.16g}",
                    "yes" if same else "no",
                )
            )
    heading = (
        "cells to the radius",
        "ranks",
        "W at the start",
        "off the exact one by",
        f"W after {STEPS} steps",
        "all columns those of one rank",
    )
    return f"""# A polytrope on several ranks

An isolated polytrope of index 1.5 with G = M = R = 1 has the potential energy W = -3/(5 - n) = -6/7 =
{EXACT:.6f}, on however many ranks it is calculated.

**Asked.** `problems/star_at_rest.toml` with index 1.5 on two meshes, on one to four ranks of one thread; W is
`gravitational_energy` of `history.csv`, at the start and after {STEPS} steps, and all other columns of the
table are compared as well, digit for digit.

{table(heading, rows)}

**Published.** No figure of another code stands here: what is asked for is the exact value, and that it does not
depend on the ranks. The rest of the
difference to it is the mesh's: it falls with the square of the cells' width.

How results become independent of the number of ranks is on the page [tasks, ranks and
messages](../transports.md).

{repeat("ranks", job(max(LEVELS), 4), "the run on four ranks on the finer mesh")}"""
