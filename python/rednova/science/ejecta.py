"""Angular momentum and energy of unbound gas, which history.csv does not have."""

from __future__ import annotations

import json

import numpy as np

from rednova.run import Run
from rednova.snapshot import Snapshot

#: In the directory of a run without snapshots: what `ejecta_of` gave.
EJECTA = "ejecta.json"


def ejecta(snapshot: Snapshot) -> tuple[float, float]:
    """Of the unbound gas in the domain, ρv²/2 + ρφ > 0: its angular momentum about the z axis through the origin,
    inertial, and its energy of motion and in the potential of all gas; in code units."""
    x, y, _ = snapshot.centres()
    vx, vy, vz = (snapshot[f"velocity_{axis}"] for axis in "xyz")
    specific = (vx**2 + vy**2 + vz**2) / 2 + snapshot["gravitational_potential"]
    mass = snapshot["density"] * snapshot.cell_volume * (specific > 0)
    return float(np.sum(mass * (x * vy - y * vx))), float(np.sum(mass * specific))


def ejecta_of(run: Run) -> dict[str, float]:
    """Angular momentum and energy of the unbound gas in the last snapshot, with those of all gas that had left the
    domain by then, and its time; in code units."""
    kept = run.directory / EJECTA
    if kept.is_file():
        return json.loads(kept.read_text())
    history, snapshot = run.history, run.snapshots[-1]
    inside = ejecta(snapshot)
    left = (
        float(np.interp(snapshot.time, history["time"], history[f"outflow_{name}"]))
        for name in ("angular_momentum_z", "energy")
    )
    momentum, energy = (a + b for a, b in zip(inside, left, strict=True))
    return {"time": snapshot.time, "angular_momentum": momentum, "energy": energy}
