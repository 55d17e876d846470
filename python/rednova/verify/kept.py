"""Long runs reduced to what a page takes of them, kept in docs/runs: nobody has to make all of them for one page.

A kept run is a directory like another: history.csv with fewer rows, columns and digits, ledger.json,
centres.json (central densities, which snapshots had), and the note of what made it.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np

from rednova.history import History
from rednova.run import Run
from rednova.verify.measure import CENTRES, changes_of_centres

#: Rows at equal distances; those with the largest and the smallest value of each column come on top.
ROWS = 150
DIGITS = 9
#: Booked sums, of which the pages draw what the momenta's angular momentum needs and J.
LEFT_OUT = re.compile(r"(floors|regrid|outflow)_(?!flow|angular_momentum_z)")

#: Directories of src/ that decide what a run's numbers are; others read inputs, share out work, write files.
NUMBERS = (
    "core",
    "diagnose",
    "eos",
    "exchange",
    "gravity",
    "hydro",
    "mesh",
    "problem",
    "radiation",
    "regrid",
    "stellar",
    "step",
)


def keep(run: Run, out: Path) -> None:
    """Writes a run with two stars into the directory out, which it replaces."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    reduce_history(run.history, out / "history.csv")
    shutil.copy(run.directory / "ledger.json", out)
    changes = {star: change.tolist() for star, change in changes_of_centres(run).items()}
    (out / CENTRES).write_text(json.dumps(changes, indent=1) + "\n")


def reduce_history(history: History, out: Path) -> None:
    """Writes a history of fewer rows, columns and digits, which `History` reads like any other."""
    columns = [name for name in history.units if not LEFT_OUT.match(name)]
    table = np.stack([history[name] for name in columns], axis=1)
    finite = np.nan_to_num(table)
    even = np.linspace(0, len(table) - 1, min(ROWS, len(table))).round().astype(int)
    rows = np.unique(np.concatenate([even, finite.argmin(axis=0), finite.argmax(axis=0)]))
    header = ",".join(f"{name} [{history.units[name]}]" for name in columns)
    comments = [line for line in history.path.read_text().splitlines() if line.startswith("#")]
    lines = [",".join(f"{value:.{DIGITS}g}" for value in table[row]) for row in rows]
    out.write_text("\n".join([*comments, header, *lines]) + "\n")


def sources_of(program: str, repository: Path) -> str:
    """What names the sources of a program that decide its numbers: git's names of their directories, or the program
    itself where git does not know its commit or files had been changed.

    program: version and commit as files have them, "0.2.0 (0123456789ab)".
    """
    commit = re.search(r"\((\w+)\)", program)
    if not commit:
        return program
    directories = [f"{commit[1]}:src/{name}" for name in NUMBERS]
    said = subprocess.run(
        ["git", "-C", repository, "rev-parse", *directories],
        capture_output=True,
        text=True,
        check=False,
    )
    return said.stdout.strip() if said.returncode == 0 else program
