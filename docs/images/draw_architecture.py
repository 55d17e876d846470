"""Draws architecture.svg: the way of one cell's data through a stage.

Run it after a change: python docs/images/draw_architecture.py
"""

from html import escape
from pathlib import Path

WIDTH, BOX, HEIGHT, GAP = 980, 470, 46, 18
WORK, WAIT, SOLVE = "#dbe9f6", "#fbe6cf", "#e2f0d9"

#: What happens, file and function, colour; "wait" boxes are what a batch of leaves waits for.
STAGES = [
    ("blocks around, and halo copies of other ranks", "exchange/halo_exchange.cpp, block_exchange.cpp", WAIT),
    ("ghost layers: copy, prolong, physical boundary", "exchange/ghosts.cpp: ghosts::gather", WORK),
    ("conserved to primitive variables, excess of spin", "hydro/primitives.hpp, spin_feedback.hpp", WORK),
    (
        "row sweep: edges (PPM), hydrostatic pressure, limiting",
        "hydro/pencil.hpp, reconstruct_quartic.hpp",
        WORK,
    ),
    ("Riemann problem at each face: HLLC or KT", "hydro/riemann_hllc.hpp, riemann_kt.hpp", WORK),
    ("Runge-Kutta sum with the step's start, frame's rotation", "step/stage_cells.hpp: finish_cells", WORK),
    ("fluxes of finer leaves beside", "step/workspace.hpp", WAIT),
    ("refluxing of coarse cells", "step/reflux_cells.hpp", WORK),
    ("density floor; density to gravity", "step/floor_cells.hpp, stage.hpp: finish_stage", WORK),
    (
        "after the last stage: FMM: P2M, M2M; M2L; L2L, level by level",
        "gravity/task_graph.cpp, sweeps.hpp, interactions.cpp",
        SOLVE,
    ),
    ("and near field P2P and L2P: potential and acceleration", "gravity/solver.cpp: set_fields", SOLVE),
    ("gravity's work: mass flow × potential", "step/work_cells.hpp", WORK),
    (
        "energy floor; averages to the refined nodes above",
        "step/floor_cells.hpp, exchange/restrict.cpp",
        WORK,
    ),
]


def text(x, y, what, size=14, anchor="start", style=""):
    return f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" {style}>{escape(what)}</text>'


def drawing() -> str:
    rows = len(STAGES)
    height = rows * (HEIGHT + GAP) + 90
    left = 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif">',
        '<defs><marker id="a" markerWidth="9" markerHeight="9" refX="7" refY="4" orient="auto">'
        '<path d="M0,0 L8,4 L0,8 z" fill="#444"/></marker></defs>',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        text(
            left,
            26,
            "A stage, for a batch of leaves: step/stage.hpp (3 in a step: step/step.cpp, advance)",
            15,
        ),
    ]
    top = 44
    arrow = 'stroke="#444" stroke-width="1.4" fill="none" marker-end="url(#a)"'
    for i, (what, where, colour) in enumerate(STAGES):
        y = top + i * (HEIGHT + GAP)
        dashed = ' stroke-dasharray="5 4"' if colour == WAIT else ""
        parts.append(
            f'<rect x="{left}" y="{y}" width="{BOX}" height="{HEIGHT}" rx="6" fill="{colour}" stroke="#666"{dashed}/>'
        )
        parts.append(text(left + 12, y + 28, ("wait for " if colour == WAIT else "") + what, 13.5))
        parts.append(text(left + BOX + 16, y + 28, where, 12.5, style='fill="#333" font-family="monospace"'))
        if i + 1 < rows:
            x = left + BOX / 2
            parts.append(f'<path d="M{x},{y + HEIGHT} L{x},{y + HEIGHT + GAP - 2}" {arrow}/>')
    bottom = top + rows * (HEIGHT + GAP) - GAP
    parts.append(
        f'<path d="M{left + 60},{bottom} L{left + 60},{bottom + 16} L16,{bottom + 16} L16,{top + HEIGHT / 2} '
        f'L{left - 3},{top + HEIGHT / 2}" {arrow}/>'
    )
    parts.append(
        text(left + 72, bottom + 20, "next stage; after the last: dual energy, ledger, next step", 13)
    )
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    Path(__file__).with_name("architecture.svg").write_text(drawing())
