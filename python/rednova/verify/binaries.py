"""Two stars: whether orbit, books and flow stay together."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

from rednova.history import History
from rednova.run import Run
from rednova.verify.library import Job, Library
from rednova.verify.measure import all_angular_momentum, momentum_spin, species_columns, worst_remainder
from rednova.verify.page import BLUE, GREEN, GREY, ORANGE, save, table
from rednova.verify.smooth import SPIN, spin_setting, suffix

ORBITS = 5
#: Cheaper than the defaults: Runge-Kutta 2, and a near field that gives 1e-3 of the force.
COMMON = (
    'hydro.integrator="rk2"',
    "gravity.order=3",
    "gravity.near_radius_squared=6",
    f"run.end_orbits={ORBITS}",
)
#: Meshes of the detached binary: thousands of cells → settings. Octo-Tiger's had 76 and 162.
MESHES = {
    90: ("mesh.lower=[-4,-4,-4]", "mesh.base_width=8", "mesh.max_level=4"),
    162: ("mesh.max_level=5",),
}
#: The finest cells to the separation.
CELLS = {90: 16, 162: 23}
#: Of J, in the time of a step of its coarser run: see `flow`.
OCTO_TIGER = 1e-4


def detached(cells: int, spin: bool) -> Job:
    return Job(
        f"detached_{cells}k{suffix(spin)}",
        "detached_binary",
        COMMON + MESHES[cells] + spin_setting(spin),
        grows=True,
    )


CONTACT = Job(
    "contact_binary", "contact_binary_quick", (f"run.end_orbits={ORBITS}", "refine.density=0.001"), grows=True
)
JOBS = [
    detached(90, True),
    detached(90, False),
    CONTACT,
    detached(162, True),
    detached(162, False),
]


def present(library: Library) -> list[tuple[int, bool]]:
    return [(cells, spin) for cells in MESHES for spin in SPIN if library.has(detached(cells, spin))]


def label(cells: int, spin: bool) -> str:
    return f"{cells} thousand, " + ("with spin" if spin else "without")


def turns(history: History) -> NDArray:
    return np.abs(history["orbits"])


def line(cells: int, spin: bool) -> dict:
    """How a run is drawn."""
    return {"color": BLUE if spin else ORANGE, "ls": "-" if cells == max(MESHES) else "--", "lw": 1.2}


def period(history: History) -> float:
    """Mean period of the two centres about each other, over the period of the grid."""
    time = history["time"]
    rate = history["orbital_frequency"]
    angle = np.sum(0.5 * (rate[1:] + rate[:-1]) * np.diff(time))
    return float(2 * np.pi * turns(history)[-1] / angle)


def orbit(library: Library, images: Path) -> str:
    rows = []
    for cells, spin in present(library):
        run = library.run(detached(cells, spin))
        history = run.history
        separation = history["separation"] / history["separation"][0] - 1
        total = all_angular_momentum(history)
        worst = worst_remainder(run)
        row = (
            label(cells, spin),
            f"{turns(history)[-1]:.1f}",
            f"{separation[-1]:+.1e}",
            f"{np.max(np.abs(separation)):.1e}",
            f"{period(history) - 1:+.1e}",
            f"{total[-1] / total[0] - 1:+.1e}",
            worst["angular momentum"],
            worst["energy"],
        )
        rows.append(row)
    heading = (
        "run",
        "orbits",
        "separation: change",
        "largest",
        "period: change",
        "change of J",
        "remainder of J",
        "of E",
    )
    return f"""## Detached binary

Mass ratio 0.5, n = 1.5, both stars at 0.8 of their Roche radii (`problems/detached_binary.toml`),
Runge-Kutta 2, R² = 6, {" and ".join(f"{k} thousand cells (h = a/{CELLS[k]})" for k in MESHES)}
where a is the separation: 5 and 8 cells to the larger star's radius, where the input itself has 16. It should do
nothing, for {ORBITS} orbits; "orbits" is
how far the runs have got. The period is the mean over the run,
against the
grid's, which is the initial model's. Without spin the change of J is what is lost or made.

{table(heading, rows)}

*Asserted:* conservation of all sums over 50 steps of an asymmetric, collapsing and rotating configuration
on three levels with regridding,
{{refined}} × {{Ω = 0, Ω ≠ 0}} × {{gravity on, off}} × {{PPM, PLM}} × {{HLLC, KT}}: 1e-13 of the sum of
absolute values, energy 1e-12
(`test_step`: `matrix/conservation.*`); three solves a step (`step.three_gravity_solves`); a quarter of an
orbit of the input with 162 thousand cells, two orbits of the input itself in `make nightly`
(`tests/verification/test_binary.py`).

{save(draw_orbit(library), images, "detached", "Separation and angular momentum of the detached binary")}"""


def draw_orbit(library: Library):
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.4), layout="constrained")
    for cells, spin in present(library):
        history = library.run(detached(cells, spin)).history
        style = line(cells, spin)
        left.plot(turns(history), history["separation"] / history["separation"][0], **style)
        total = all_angular_momentum(history)
        change = np.maximum(np.abs(total / total[0] - 1), 1e-17)
        right.semilogy(turns(history), change, label=label(cells, spin), **style)
    left.set(xlabel="orbits", title="separation / initial separation")
    right.set(xlabel="orbits", title="|change of J| / J")
    right.legend(fontsize=8)
    for one in (left, right):
        one.grid(alpha=0.25)
    return figure


def drift(history: History) -> tuple[float, float, float]:
    """Of the momenta's angular momentum, relative to J: mean rate per time (by least squares), mean step,
    and the rms change from step to step."""
    momenta = momentum_spin(history) / history["angular_momentum_z"][0]
    time = history["time"]
    slope = np.polyfit(time, momenta, 1)[0]
    steps = np.diff(history["step"])
    changes = np.diff(momenta) / steps
    return (
        float(slope),
        float((time[-1] - time[0]) / (history["step"][-1] - history["step"][0])),
        float(np.sqrt(np.mean(changes**2))),
    )


def verdict(history: History) -> str:
    """Whether a run says anything about a binary that keeps its orbit for as long as was asked."""
    reasons = []
    if turns(history)[-1] < 0.99 * ORBITS:
        reasons.append(f"{turns(history)[-1]:.1f} orbits")
    off = np.max(np.abs(history["separation"] / history["separation"][0] - 1))
    if off > 0.01:
        reasons.append(f"separation off by {100 * off:.0f} %")
    return "no: " + ", ".join(reasons) if reasons else "yes"


def flow(library: Library, images: Path) -> str:
    found = present(library)
    unit = drift(library.run(detached(found[0][0], True)).history)[1]
    rows = []
    for cells, spin in found:
        history = library.run(detached(cells, spin)).history
        slope, _, changes = drift(history)
        share = history["cell_spin_z"] / history["angular_momentum_z"]
        rows.append(
            (
                label(cells, spin),
                int(512 * history["leaf_blocks"].max()),
                f"{slope * 2 * np.pi:+.1e}",
                f"{slope * unit:+.1e}",
                OCTO_TIGER,
                f"{abs(slope) * unit / OCTO_TIGER:.1e}",
                changes,
                f"{share.min():.2e} … {share.max():.2e}",
                verdict(history),
            )
        )
    heading = (
        "run",
        "cells",
        "drift per orbit",
        "per coarse step",
        "Octo-Tiger's",
        "ratio",
        "rms of one step",
        "spin's share of J",
        "does it decide?",
    )
    return f"""## Does the flow follow the books?

J is exact by construction; the question is whether the momenta follow. Here is the angular momentum of the
momenta alone,
Σ V x × s in the inertial frame (J without the spin Σ V l, and with what left put back), as a share of J.
Its drift is the slope of a
straight line through the whole run. Octo-Tiger's, measured on its double white dwarf, was 1e-4 of J per
step with 76
thousand cells and 2e-6 per step with 162 thousand, steps 50 times shorter: both 1e-4 in the time of a step
of its coarser run. Its step in
units of the orbit is not recorded, so our drift is given for the time of one step of our coarser run,
{unit / (2 * np.pi):.1e} of an orbit, and "ratio" compares those. "Cells" is the largest number in the run.

Demanded: a ratio of 0.1 at most over {ORBITS} orbits with the spin's share bounded. Only a run that gets
so far and keeps its
separation within 1 % decides that; in others the slope is that of stars that fall apart or settle, and a
small one is chance.

{table(heading, rows)}

{save(draw_flow(library), images, "flow", "Angular momentum of the momenta and the spin's share")}"""


def draw_flow(library: Library):
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
    for cells, spin in present(library):
        history = library.run(detached(cells, spin)).history
        style = line(cells, spin) | {"label": label(cells, spin)}
        momenta = momentum_spin(history) / history["angular_momentum_z"][0]
        left.plot(turns(history), momenta - momenta[0], **style)
        right.plot(turns(history), history["cell_spin_z"] / history["angular_momentum_z"], **style)
    left.set(xlabel="orbits", title="change of the momenta's angular momentum / J")
    right.set(xlabel="orbits", title="the cells' spin / J")
    for one in (left, right):
        one.grid(alpha=0.25)
    left.legend(fontsize=8)
    return figure


def contact(library: Library, images: Path) -> str:
    run = library.run(CONTACT)
    history = run.history
    worst = worst_remainder(run)
    books = [(name, worst[name], *flows_of(run, name)) for name in worst]
    heading = ("quantity", "largest remainder", "left the domain", "added by floors", "changed by regridding")
    return f"""## Contact binary: the ledger over {turns(history)[-1]:.1f} orbits

`problems/contact_binary_quick.toml` with `refine.density` 0.001 for {turns(history)[-1]:.1f} orbits,
{int(history["step"][-1])} steps
with an adaptation every ten,
{int(512 * history["leaf_blocks"].min())} to {int(512 * history["leaf_blocks"].max())} cells: mass flows
through the neck and out.
All as shares of the sum of absolute values. Demanded: {ORBITS} orbits with remainders below 1e-11.

{table(heading, books)}

*Asserted:* the same over 50 steps in `make test` (above).

{save(draw_contact(run), images, "contact", "Ledger of the contact binary")}"""


def flows_of(run: Run, kind: str) -> list[float]:
    """Outflow, floors and regridding at the end, over the sum of absolute values."""
    entry = run.ledger[kind.replace(" ", "_")]
    scale = float(np.max(entry["magnitude"]))
    return [float(np.max(np.abs(entry[part]))) / scale for part in ("outflow", "floors", "regrid")]


def draw_contact(run: Run):
    history = run.history
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
    kinds = {
        "mass and species": ["mass", *species_columns(history)],
        "momentum": [f"momentum_{d}" for d in "xyz"],
        "angular momentum": [f"angular_momentum_{d}" for d in "xyz"],
        "energy": ["energy"],
    }
    for (name, columns), colour in zip(kinds.items(), (BLUE, ORANGE, GREEN, GREY), strict=True):
        worst = np.max([np.abs(history[f"relative_{c}"]) for c in columns], axis=0)
        left.semilogy(turns(history), np.maximum(worst, 1e-18), color=colour, lw=1.1, label=name)
    left.axhline(1e-11, color="black", lw=0.8, ls=":")
    left.text(0.1, 1.3e-11, "demanded", fontsize=8)
    left.set(xlabel="orbits", ylim=(1e-18, 1e-9), title="remainder / sum of absolute values")
    left.legend(fontsize=8, ncols=2, loc="upper right")
    right.plot(turns(history), history["separation"], color=BLUE, label="separation")
    right.plot(
        turns(history),
        history["star_mass_donor"] / history["star_mass_donor"][0],
        color=ORANGE,
        label="donor's species on the grid / initial",
    )
    if history.knows_lobes:
        in_lobe = history["lobe_mass_donor"] / history["lobe_mass_donor"][0]
        right.plot(turns(history), in_lobe, color=ORANGE, ls="--", label="mass in donor's lobe / initial")
    right.plot(
        turns(history), history["mass"] / history["mass"][0], color=GREEN, label="mass on the grid / initial"
    )
    right.set(xlabel="orbits", title="what happened meanwhile")
    right.legend(fontsize=8)
    for one in (left, right):
        one.grid(alpha=0.25)
    return figure


SECTIONS = (orbit, flow, contact)
