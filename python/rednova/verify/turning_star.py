"""A star that turns with the grid: its profiles, and whether its flow follows the books."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rednova.history import History
from rednova.run import Run
from rednova.snapshot import Snapshot
from rednova.verify.library import Job, Library
from rednova.verify.measure import all_angular_momentum, drift, largest_drift, shells
from rednova.verify.page import BLUE, save, slopes, table, two_panels
from rednova.verify.stars import NIGHTLY, promise

SMALL = ("mesh.lower=[-1.6,-1.6,-1.6]", "mesh.base_width=3.2", "mesh.max_level=2")
SPIN = 0.4
ROTATIONS = 5
ROTATING = Job(
    "rotating_star",
    "rotating_star",
    (
        f"problem.spin={SPIN}",
        f"mesh.rotation={SPIN}",
        *SMALL,
        f"run.end_time={ROTATIONS * 2 * np.pi / SPIN:.17g}",
        f"output.snapshot_time={2 * np.pi / SPIN:.17g}",
    ),
)
#: Meshes of that star by cells to its radius, for the drift of the flow's angular momentum and its order.
TURNING = {
    8: ("mesh.min_level=2", "mesh.max_level=2"),
    12: (f"mesh.lower={[-4 / 3] * 3}", f"mesh.base_width={8 / 3}", "mesh.min_level=2", "mesh.max_level=2"),
    16: (),
}


def turning(cells: int, turns: float) -> Job:
    """The rotating star on a grid that turns with it, on a mesh of so many cells to its radius."""
    settings = (
        f"problem.spin={SPIN}",
        f"mesh.rotation={SPIN}",
        *TURNING[cells],
        "output.snapshot_time=0",
        f"run.end_time={turns * 2 * np.pi / SPIN:.17g}",
    )
    return Job(f"turning_{cells}_{turns:g}", "rotating_star", settings)


#: How long the turning star is followed on all meshes, and on those for which something is demanded.
TURNS, MANY_TURNS = 0.4, 5
DEMANDED = {8: 1e-3, 16: 1e-4}  # of J a turn, by cells to the radius
JOBS = [
    ROTATING,
    *(turning(cells, TURNS) for cells in TURNING),
    *(turning(cells, MANY_TURNS) for cells in DEMANDED),
]


def equator(snapshot: Snapshot) -> tuple[NDArray, NDArray, NDArray]:
    """Distance from the axis, density and specific angular momentum of rings in the plane of the equator."""
    x, y, z = snapshot.centres()
    near = np.broadcast_to(np.abs(z) < snapshot.width[:, None, None, None], snapshot["density"].shape)
    r = np.sqrt(x * x + y * y) + 0 * z
    turning = x * snapshot["velocity_y"] - y * snapshot["velocity_x"]
    rho, cell = snapshot["density"], float(snapshot.width.min())
    ring, density = shells(r[near], np.ones(near.sum()), rho[near], cell)
    _, j = shells(r[near], rho[near], turning[near], cell)
    return ring, density, j


def rotating(library: Library, images: Path) -> str:
    run = library.run(ROTATING)
    rows = [rotation_row(run, turn) for turn in range(1, len(run.snapshots))]
    heading = (
        "rotations",
        "profile of ρ",
        "profile of j",
        "central density",
        "change of J",
        "largest remainder",
    )
    return f"""## Rotating star

The polytrope turning at {SPIN} of the Keplerian rate of its equator on a grid that turns with it, {ROTATIONS}
rotations, 10 cells to the radius. Profiles in the plane of the equator: mean of the error, weighted with the exact
density, over the mean of the exact value; j is the specific angular momentum.

{table(heading, rows)}

{follows(library)}

*Asserted:* {promise(library, "rotating_star")} (`test_problem`:
`input_file/rotating_star`), the flow's J within a fifth of a turn (`tests/verification/test_flow_drift.py`), and in
`make nightly` its orders, five turns of it, and the central density within {100 * NIGHTLY["rotating_star"][0]:g} %
with twice as many cells; a restart of it to the bit (`tests/cli`).

*Literature:* Marcello et al. (2021) run a rotating star with Octo-Tiger (`rotating_star_paper` in its repository: θ =
0.34); the text of their paper was not at hand, so no figure is quoted.

{save(draw_rotating(library), images, "rotating_star", "Profiles of the rotating star")}"""


def follows(library: Library) -> str:
    """What the section says of the flow's angular momentum against resolution, from the runs that are there."""

    def present(meshes: Iterable[int], turns: float) -> dict[int, History]:
        found = [cells for cells in meshes if library.has(turning(cells, turns))]
        return {cells: library.run(turning(cells, turns)).history for cells in found}

    early = {cells: largest_drift(history) for cells, history in present(TURNING, TURNS).items()}
    late = present(DEMANDED, MANY_TURNS)
    order = dict(zip(early, slopes(list(early), list(early.values())), strict=True))
    rows = [
        (
            cells,
            early.get(cells, ""),
            order.get(cells, ""),
            *(
                (
                    largest_drift(late[cells], 1),
                    largest_drift(late[cells]),
                    largest_drift(late[cells]) / MANY_TURNS,
                    drift(late[cells]),
                )
                if cells in late
                else 4 * [""]
            ),
            f"{DEMANDED[cells]:g}" if cells in DEMANDED else "",
        )
        for cells in TURNING
    ]
    heading = (
        "cells to the radius",
        f"flow's J over J: largest change in {TURNS:g} turns",
        "order",
        "in the first turn",
        f"in {MANY_TURNS} turns",
        "a turn of these",
        "slope a turn",
        "demanded a turn",
    )
    return f"""Does the flow follow the books, as in the section of that name? What is demanded is a rate, of five
turns; in the first the surface settles on the mesh, and the flow's J changes by more than in the others:

{table(heading, rows)}"""


def rotation_row(run: Run, turn: int) -> tuple:
    ring, density, _ = equator(run.snapshots[0])
    new_ring, new_density, new_j = equator(run.snapshots[turn])
    inside = ring < 0.9
    rho, r = density[inside], ring[inside]
    exact = SPIN * r * r
    density_error = np.sum(np.abs(np.interp(r, new_ring, new_density) - rho) * r) / np.sum(rho * r)
    j_error = np.sum(rho * r * np.abs(np.interp(r, new_ring, new_j) - exact)) / np.sum(rho * r * exact)
    history = run.history
    row = int(np.argmin(np.abs(history["time"] - run.snapshots[turn].time)))
    total = all_angular_momentum(history)
    central = history["max_density_accretor"]
    remainder = max(
        abs(float(history[f"relative_{c}"][row])) for c in ("mass", "angular_momentum_z", "energy")
    )
    changes = (f"{central[row] / central[0] - 1:+.1e}", f"{total[row] / total[0] - 1:+.1e}", remainder)
    return (turn, f"{density_error:.1e}", f"{j_error:.1e}", *changes)


def draw_rotating(library: Library):
    figure, left, right = two_panels()
    run = library.run(ROTATING)
    ring, density, _ = equator(run.snapshots[0])
    left.semilogy(ring, density, color="black", lw=0.8, label="initial model")
    right.plot(ring, SPIN * ring**2, color="black", lw=0.8, label="solid body")
    last = run.snapshots[-1]
    last_ring, last_density, last_j = equator(last)
    label = f"after {abs(last.orbits):.1f} rotations"
    left.semilogy(last_ring, last_density, ".", color=BLUE, label=label)
    right.plot(last_ring, last_j, ".", color=BLUE, label=label)
    for one, title in ((left, "density"), (right, "specific angular momentum")):
        one.set(xlim=(0, 1.3), xlabel="distance from the axis", title=title)
        one.legend(fontsize=8)
    right.set(ylim=(0, 0.6))
    return figure


SECTIONS = (rotating,)
