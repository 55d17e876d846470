"""Smooth flows: order of convergence with and without the spin's feedback."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt

from rednova.run import Run
from rednova.verify import flows
from rednova.verify.library import Job, Library
from rednova.verify.measure import density_error, l1_of_all
from rednova.verify.page import BLUE, GREEN, ORANGE, convergence, save, slopes, table

FAMILIES = ("sound", "entropy", "shear")
BLOCKS = (2, 4, 8, 16)
CELLS = [8 * b for b in BLOCKS]
AMPLITUDE = 1e-6
SPIN = (True, False)


def suffix(spin: bool) -> str:
    return "" if spin else "_no_spin"


def spin_setting(spin: bool) -> tuple[str, ...]:
    return () if spin else ("hydro.spin=false",)


def velocity(family: str) -> float:
    return 0.0 if family == "sound" else 1.0


def wave(family: str, blocks: int, spin: bool) -> Job:
    settings = (
        f"problem.family={family}",
        f"problem.velocity={velocity(family)}",
        f"mesh.base_blocks=[{blocks},{blocks},1]",
        f"mesh.base_width={1 / blocks}",
    )
    return Job(f"wave_{family}_{8 * blocks}{suffix(spin)}", "linear_wave", settings + spin_setting(spin))


def vortex(blocks: int, spin: bool) -> Job:
    settings = (f"mesh.base_blocks=[{blocks},{blocks},1]", f"mesh.base_width={10 / blocks}")
    return Job(f"vortex_{8 * blocks}{suffix(spin)}", "isentropic_vortex", settings + spin_setting(spin))


JOBS = [
    *(wave(f, b, spin) for f in FAMILIES for b in BLOCKS for spin in SPIN),
    *(vortex(b, spin) for b in BLOCKS for spin in SPIN),
]


def convergence_orders(library: Library, images: Path) -> str:
    waves = {
        (f, spin): [wave_error(library.run(wave(f, b, spin)), f) for b in BLOCKS]
        for f in FAMILIES
        for spin in SPIN
    }
    whirls = {spin: [vortex_error(library.run(vortex(b, spin))) for b in BLOCKS] for spin in SPIN}

    def order(problem: str) -> str:
        return f"{library.asserted(problem)['order']:g}"

    def compared(what: str, on: list[float], off: list[float]) -> str:
        return (
            f"{what} order {slopes(CELLS, on)[-1]} with feedback and {slopes(CELLS, off)[-1]} without, "
            f"and {on[-1] / off[-1]:.2g} times the error at {CELLS[-1]} cells"
        )

    return f"""## Linear waves and a vortex: order of convergence

A wave of amplitude 1e-6 runs once along (1, 1, 0) through the unit square; L1 error (root of the sum of
squares
over
density, momenta and energy, Stone et al. 2008) over the amplitude. The vortex (Yee et al. 1999, β = 5)
drifts along the
diagonal until t = 2; L1 error of the density over its mean. "Without" is `hydro.spin = false`.

{wave_table(waves)}

{vortex_table(whirls)}

Between the two finest meshes {compared("the vortex has", whirls[True], whirls[False])};
{compared("the shear wave has", waves["shear", True], waves["shear", False])}. Sound and entropy waves do not shear, and
feedback does nothing to them. On coarse meshes the shear wave converges faster without feedback, until its error is
that of Runge-Kutta 3 and falls with third order; with feedback it does so from the start, at a larger error, since l
has linear edges. So feedback costs no order, and on a wave of pure shear it costs a constant factor.

*Asserted:* error and order of the sound wave ({order("linear_wave")}) and of the
vortex ({order("isentropic_vortex")}) (`test_problem`:
`input_file/linear_wave`,
`input_file/isentropic_vortex`); for the vortex, order and error of density and velocity together
not worse with feedback than without (`test_hydro`:
`spin.feedback_keeps_the_order`); for a shear wave with feedback, an order of 2.5 at least
(`spin.feedback_is_stable_and_of_second_order_in_a_shear_wave`). In `make nightly` the orders of the table between its
two finest meshes, with feedback not below those without (`tests/verification/test_smooth.py`).

*Literature:* with piecewise parabolic states Athena shows second order for all families of waves (Stone et al. 2008,
ApJS 178, 137, sec. 8.1); no figure of another code has the same cells, time and norm.

{save(draw(waves, whirls), images, "order", "Errors against resolution")}"""


def wave_error(run: Run, family: str) -> float:
    """L1 error of all fields over the wave's amplitude, at the end of its run."""
    last = run.snapshots[-1]
    return (
        l1_of_all(last, flows.linear_wave(family, last.time, velocity(family), AMPLITUDE), (3, 3, 1))
        / AMPLITUDE
    )


def vortex_error(run: Run) -> float:
    """L1 error of the density over its mean, at the end of its run."""
    last = run.snapshots[-1]
    return density_error(last, flows.vortex(last.time), (3, 3, 1))


def wave_table(waves: dict) -> str:
    rows = []
    for family in FAMILIES:
        columns = []
        for spin in SPIN:
            columns += [waves[family, spin], slopes(CELLS, waves[family, spin])]
        rows += [(family, *row) for row in zip(CELLS, *columns, strict=True)]
    return table(("wave", "cells", "with spin", "order", "without", "order"), rows)


def vortex_table(whirls: dict) -> str:
    columns = []
    for spin in SPIN:
        columns += [whirls[spin], slopes(CELLS, whirls[spin])]
    rows = [("vortex", *row) for row in zip(CELLS, *columns, strict=True)]
    return table(("flow", "cells", "with spin", "order", "without", "order"), rows)


def draw(waves: dict, whirls: dict):
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
    lines = []
    for family, colour in zip(FAMILIES, (BLUE, ORANGE, GREEN), strict=True):
        lines.append((family, waves[family, True], colour, "-"))
        lines.append((f"{family}, without spin", waves[family, False], colour, "--"))
    convergence(left, CELLS, lines)
    left.set(title="linear waves", ylabel="L1 error / amplitude")
    vortices = [("with spin", whirls[True], BLUE, "-"), ("without", whirls[False], ORANGE, "--")]
    convergence(right, CELLS, vortices)
    right.set(title="isentropic vortex", ylabel="L1 error of the density")
    return figure


SECTIONS = (convergence_orders,)
