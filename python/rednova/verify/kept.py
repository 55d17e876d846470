"""Long runs reduced to what a page takes of them, kept in docs/runs: nobody has to make all of them for one page.

A kept run is a directory like another: history.csv with fewer rows and columns, ledger.json,
centres.json (central densities, which snapshots had), and the note of what made it.
"""

from __future__ import annotations

import functools
import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rednova.history import History
from rednova.run import Run
from rednova.verify.measure import CENTRES, changes_of_centres

#: Rows at equal distances; those with the largest and the smallest value of each column come on top.
ROWS = 150
#: Booked sums, of which the pages draw what the momenta's angular momentum needs and J.
LEFT_OUT = re.compile(r"(floors|regrid|outflow)_(?!flow|angular_momentum_z)")

#: What decides a run's numbers, with the defaults of inputs and how it is compiled; other folders of src/ write files,
#: name the commands, and draw conclusions.
NUMBERS = (
    "CMakeLists.txt",
    "cmake",
    "src/config",
    "src/core",
    "src/diagnose",
    "src/eos",
    "src/exchange",
    "src/exec",
    "src/gravity",
    "src/hydro",
    "src/mesh",
    "src/problem",
    "src/radiation",
    "src/regrid",
    "src/stellar",
    "src/step",
)


def keep(run: Run, out: Path) -> None:
    """Writes a run with two stars into the directory out, which it replaces: what the verification chapter takes."""
    begin(run, out)
    reduce_history(run.history, out / "history.csv")
    changes = {star: change.tolist() for star, change in changes_of_centres(run).items()}
    (out / CENTRES).write_text(json.dumps(changes, indent=1) + "\n")


def begin(run: Run, out: Path) -> None:
    """Makes the directory out anew, with a run's ledger in it."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    shutil.copy(run.directory / "ledger.json", out)


def reduce_history(history: History, out: Path) -> None:
    """Writes a history of fewer rows and columns."""
    columns = [name for name in history.units if not LEFT_OUT.match(name)]
    even = np.linspace(0, len(history) - 1, min(ROWS, len(history))).round().astype(int)
    write_history(history, columns, np.union1d(even, extremes(history, columns)), out)


def extremes(history: History, columns: Sequence[str], among: NDArray | None = None) -> NDArray:
    """Rows with the smallest and the largest value of each column, of all or among some."""
    rows = np.arange(len(history)) if among is None else among
    table = np.stack([history[name][rows] for name in columns], axis=1)
    least = np.where(np.isnan(table), np.inf, table).argmin(axis=0)
    most = np.where(np.isnan(table), -np.inf, table).argmax(axis=0)
    return rows[np.union1d(least, most)]


def write_history(history: History, columns: Sequence[str], rows: NDArray, out: Path) -> None:
    """Writes some columns and rows of a history, which `History` reads like any other."""
    table = np.stack([history[name] for name in columns], axis=1)
    header = ",".join(f"{name} [{history.units[name]}]" for name in columns)
    comments = [line for line in history.path.read_text().splitlines() if line.startswith("#")]
    lines = [",".join(f"{value:.17g}" for value in table[row]) for row in rows]
    out.write_text("\n".join([*comments, header, *lines]) + "\n")


@functools.cache
def sources_of(program: str, repository: Path) -> str:
    """What names the sources of a program that decide its numbers: git's names of them, or where git does not know its
    commit, and where files had been changed, what `program` says.

    program: version and commit as files have them, "0.2.0 (0123456789ab)".
    """
    commit = re.search(r"\((\w+)\)", program)
    if not commit:
        return program
    names = [f"{commit[1]}:{name}" for name in NUMBERS]
    command = ["git", "-C", str(repository), "rev-parse", *names]
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return program
    return " ".join(said.stdout.split()) if said.returncode == 0 else program
