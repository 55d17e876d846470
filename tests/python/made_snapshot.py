"""Snapshots whose cells hold what a test says, on a mesh of two levels."""

import h5py
import numpy as np
import rednova

EDGE = 8
INPUT = '[problem]\nname = "made"\n'
#: Light whose black body has the intensity T⁴.
LIT = """
[problem]
name = "made"
[radiation]
enabled = true
light_speed = 1.0
radiation_constant = 12.566370614359172
"""
UNITS = {
    "density": "mass/length^3",
    "pressure": "mass/(length time^2)",
    "velocity": "length/time",
    "depth": "1",
    "temperature": "K",
}


def corners(refined, side=4, base=(1, 1, 1)):
    """Lower corners and cell widths of the blocks of a box of base blocks, each a cube of the width 2, that begins at
    -1: side³ blocks for each base block, of which those with x > 0 have eight finer ones in their place if asked."""
    lower, width, size = [], [], 2 / side
    for place in np.ndindex(*(side * count for count in base)):
        corner = size * np.array(place) - 1
        finer = refined and corner[0] >= 0
        for part in np.ndindex(2, 2, 2) if finer else [(0, 0, 0)]:
            lower.append(corner + size / 2 * np.array(part))
            width.append(size / EDGE / (2 if finer else 1))
    return np.array(lower), np.array(width)


def make(
    path,
    refined=True,
    side=4,
    base=(1, 1, 1),
    system="code",
    rotation=0.0,
    time=0.0,
    points=None,
    species=(),
    text=INPUT,
    **fields,
):
    """Writes a snapshot and opens it.

    path: of the file. refined, side (a power of two) and base, see `corners`. system: of units, solar ones if "solar".
    fields: dataset → function of (x, y, z, cell width) that gives its values. points: of point masses, [point, 8].
    text: the input.
    """
    lower, width = corners(refined, side, base)
    offset = np.arange(EDGE) + 0.5
    x, y, z = (lower[:, d, None] + width[:, None] * offset for d in range(3))
    cells = np.broadcast_arrays(
        x[:, None, None, :], y[:, None, :, None], z[:, :, None, None], width[:, None, None, None]
    )
    length, mass, seconds = (6.957e10, 1.98841e33, 1592.86) if system == "solar" else (1.0, 1.0, 1.0)
    with h5py.File(path, "w") as file:
        for group in ("Info", "Params", "Rednova", "Locations"):
            file.create_group(group)
        names = list(fields)
        file["Info"].attrs.update(Time=time, NCycle=0, dt=1.0, OutputDatasetNames=names)
        file["Info"].attrs["RootGridDomain"] = [x for count in base for x in (-1.0, 2.0 * count - 1, 1.0)]
        gas = {"AdiabaticIndex": 5 / 3, "mu": 0.6}
        scales = {"code_length_cgs": length, "code_mass_cgs": mass, "code_time_cgs": seconds}
        for name, value in (gas | scales).items():
            file["Params"].attrs[f"Hydro/{name}"] = value
        own = {"rotation": rotation, "orbits": 0.0, "unit_system": system, "version": "0", "commit": "none"}
        file["Rednova"].attrs.update(own, species=list(species))
        file["Rednova/input"] = text
        if points is not None:
            file["Rednova/point_masses"] = np.array(points, dtype=float)
        for d in range(3):
            file[f"Locations/{'xyz'[d]}"] = lower[:, d, None] + width[:, None] * np.arange(EDGE + 1)
        file["Levels"] = np.rint(np.log2(2 / EDGE / width)).astype(int)
        for name, values in fields.items():
            file[name] = np.broadcast_to(values(*cells), cells[0].shape)
            kind = next(k for k in UNITS if k in name)
            file[name].attrs["units"] = UNITS[kind]
    return rednova.Snapshot(path)


def sphere(centre, radius, density=1.0, around=0.0, parts=4):
    """A ball of one density, as a function that `make` takes: each cell has the mean over parts³ of its points."""

    def values(x, y, z, width):
        total = np.zeros(x.shape)
        for shift in np.ndindex(parts, parts, parts):
            dx, dy, dz = ((s + 0.5) / parts - 0.5 for s in shift)
            here = (x + dx * width - centre[0]) ** 2 + (y + dy * width - centre[1]) ** 2
            total += here + (z + dz * width - centre[2]) ** 2 < radius**2
        return around + (density - around) * total / parts**3

    return values


def cell_at(snapshot, field, point):
    """The value of the cell that holds a point, found by looking at all blocks."""
    size = snapshot.width * snapshot.edge
    (block,) = np.flatnonzero(
        np.all((snapshot.lower <= point) & (point < snapshot.lower + size[:, None]), axis=1)
    )
    i, j, k = ((point - snapshot.lower[block]) / snapshot.width[block]).astype(int)
    return snapshot.read(field, [block])[0, k, j, i]
