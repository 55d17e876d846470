"""Runs of two stars, as columns and as directories."""

import json

import h5py
import made_snapshot
import numpy as np


class FakeRun:
    """A run whose stars spiral in by 1 % an orbit while the donor loses 2 % an orbit, and are one after 3 orbits."""

    def __init__(self):
        orbits = np.linspace(0, 4, 401)
        two = orbits < 3 - 1e-9
        falling = np.where(two, 2 * (1 - 0.01 * orbits), np.nan)
        self.history = {
            "orbits": -orbits,  # an orbit against the axes' sense
            "stars": np.where(two, 2, 1),
            "separation": falling,
            "j_orb": falling**0.5,
            "lobe_mass_donor": np.where(two, 0.3 * (1 - 0.02 * orbits), np.nan),
            "flow_drift_z": np.where(two, -1e-5 * orbits, 1.0),
            "mass": np.full(len(orbits), 1.5),
            "unbound_mass_kinetic": 0.015 * orbits / 4,
            "outflow_unbound_mass_kinetic": 0.03 * orbits / 4,
        }


#: Rows of an orbit of `write`, its orbits with two stars and all, and its period.
ROWS, APART, END, PERIOD = 90, 4.31, 6.0, 6.2
BOOKS = ("mass", *(f"{name}_{d}" for name in ("momentum", "angular_momentum") for d in "xyz"), "energy")


def columns():
    """Of history.csv: stars that spiral in by 1 % an orbit and fall together in the last, are seen as one in a row
    between, and throw out gas at the end; columns that no page takes, too."""
    steps = 1 + 0.3 * np.sin(np.arange(int(ROWS * END)))
    time = PERIOD * END * np.concatenate([[0], np.cumsum(steps)]) / np.sum(steps)
    orbits = time / PERIOD + 0.002 * (time / PERIOD) ** 2
    orbits *= END / orbits[-1]
    two = orbits < APART
    two[ROWS] = False
    late = np.clip(orbits - APART, 0, None)
    share = np.where(two, 1 - 0.01 * orbits - 0.9 * np.clip((orbits - APART + 0.3) / 0.3, 0, 1) ** 2, np.nan)
    table = {
        "step": np.arange(len(time)),
        "time": time,
        "orbits": -orbits,
        "stars": np.where(two, 2, 1),
        "separation": share,
        "j_orb": 0.2 * share,
        "lobe_mass_accretor": np.where(two, 0.6, np.nan),
        "lobe_mass_donor": 0.3 * share * (1 + 1e-3 * np.sin(7 * orbits)),
        "flow_drift_z": np.where(two, -1e-5 * np.sin(2 * orbits), 1e-3),
        "mass": np.full(len(time), 1.0),
        "angular_momentum_z": np.full(len(time), 0.3),
        "outflow_mass": 1e-3 * orbits**2,
        "outflow_angular_momentum_z": 1e-2 * late,
        "outflow_energy": 1e-3 * late,
        "unbound_mass_kinetic": 1e-2 * late,
        "outflow_unbound_mass_kinetic": 2e-3 * late,
        "mdot_donor": np.cos(orbits),
    }
    return table | {f"relative_{name}": 1e-14 * np.abs(np.sin(9 * orbits)) for name in BOOKS}


def snapshot(path, orbits, time):
    """A star of gas that moves, in the middle of a small box."""
    make_star = made_snapshot.sphere((0.1, 0.0, 0.0), 0.4, around=1e-4)
    made_snapshot.make(
        path,
        refined=False,
        time=time,
        prim_density=make_star,
        prim_velocity_1=lambda x, y, z, width: -y,
        prim_velocity_2=lambda x, y, z, width: x,
        prim_velocity_3=lambda x, y, z, width: 0 * z,
    )
    with h5py.File(path, "a") as file:
        file["Rednova"].attrs["orbits"] = -orbits
        names = [*file["Info"].attrs["OutputDatasetNames"], "gravitational_potential"]
        file["Info"].attrs["OutputDatasetNames"] = names
        file["gravitational_potential"] = np.full(file["prim_density"].shape, -0.3)


def write(directory):
    """The run as a directory, complete but for the note of what made it."""
    directory.mkdir(parents=True)
    table = columns()
    header = ",".join(f"{name} [1]" for name in table)
    rows = [",".join(f"{x:.17g}" for x in row) for row in np.stack(list(table.values()), axis=1)]
    units = "# units: 1 length = 1 cm, 1 mass = 1 g, 1 time = 1 s"
    (directory / "history.csv").write_text("\n".join(["# rednova 0.2.0 (abc)", units, header, *rows]) + "\n")
    book = {"grid": [0, 0, 0], "conserved_components": [False, False, True]}
    (directory / "ledger.json").write_text(json.dumps({"angular_momentum": book}))
    model = {"radius of the accretor": 0.37, "radius of the donor": 0.3, "J_spin / J_orb": 0.15}
    rows = [{"what": what, "asked": None, "reached": x, "note": ""} for what, x in model.items()]
    (directory / "initial_model.json").write_text(json.dumps({"rows": rows}))
    for number in range(int(END) + 1):
        time = float(np.interp(number, -table["orbits"], table["time"]))
        snapshot(directory / f"snapshot_{number:05}.phdf", float(number), time)
