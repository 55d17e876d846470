"""Columns of gas: exact sums over cells of two levels."""

import made_snapshot
import numpy as np
import pytest
import rednova
from blast_input import BLAST
from rednova import columns
from rednova.view import View, picture

RADIUS, DENSITY = 0.7, 3.0
#: Sums of some 1e5 terms of one sign.
ROUNDING = 1e-13


@pytest.fixture(scope="module")
def ball(tmp_path_factory):
    """A sphere of one density off the centre, half of it on finer cells."""
    values = made_snapshot.sphere((0.1, -0.05, 0.2), RADIUS, DENSITY)
    # A pressure that is linear in x: its mean by mass is that at the centre of a column.
    path = tmp_path_factory.mktemp("ball") / "snapshot_00003.phdf"
    return made_snapshot.make(
        path, prim_density=values, prim_pressure=lambda x, *_: 5 + x, rotation=0.5, time=1.2
    )


def area(piece):
    height, width = piece.image.shape
    return (piece.extent[1] - piece.extent[0]) * (piece.extent[3] - piece.extent[2]) / (height * width)


@pytest.mark.parametrize("axis", ["x", "y", "z"])
@pytest.mark.parametrize("pixels", [64, 101])
def test_mass_is_that_of_the_ledger(blast, axis, pixels):
    run = rednova.Run(blast)
    piece = run.snapshots[-1].projection("density", axis, pixels=pixels)
    assert area(piece) * piece.image.sum() == pytest.approx(run.ledger["mass"]["grid"], rel=ROUNDING)


@pytest.mark.parametrize("axis", ["y", "z"])
def test_columns_are_those_that_the_program_writes(make_run, axis):
    text = (
        BLAST
        + '\n[output]\nprojections = ["y", "z"]\nslice_fields = ["density", "pressure"]\nslice_time = 1.0\n'
    )
    run = rednova.Run(make_run("projected", text))
    theirs, own = run.slices[-1], run.snapshots[-1]
    assert theirs.step == own.step
    for field in ("density", "pressure"):
        # The finest pixels that tile the cells of all levels.
        image = own.projection(field, axis, pixels=64).image
        assert image == pytest.approx(theirs.projection(field, axis, pixels=64).image, rel=ROUNDING)


def test_parts_of_a_window_add_up(ball):
    whole = ball.projection("density", "z", (-0.93, 0.77, -1, 1), 70)
    parts = [ball.projection("density", "z", (*x, -1, 1), 53) for x in ((-0.93, 0.111), (0.111, 0.77))]
    assert sum(area(p) * p.image.sum() for p in parts) == pytest.approx(
        area(whole) * whole.image.sum(), rel=ROUNDING
    )


def column_of_a_ball(u, v, centre, parts=8):
    """The exact column of the sphere at squares about u, v of the width of the steps between them, [v, u]."""
    step = u[1] - u[0]
    total = 0.0
    for i, j in np.ndindex(parts, parts):
        du, dv = (step * ((s + 0.5) / parts - 0.5) for s in (i, j))
        lever = (u + du - centre[0]) ** 2 + (v[:, None] + dv - centre[1]) ** 2
        total = total + 2 * DENSITY * np.sqrt(np.maximum(0, RADIUS**2 - lever))
    return total / parts**2


@pytest.mark.parametrize(
    ("plane", "frame", "centre"),
    [
        ("xy", "corotating", (0.1, -0.05)),
        ("xz", "corotating", (0.1, 0.2)),
        ("yz", "corotating", (-0.05, 0.2)),
        # The grid is turned by 0.6, and the ball with it.
        ("xz", "inertial", (0.1 * np.cos(0.6) + 0.05 * np.sin(0.6), 0.2)),
        ("yz", "inertial", (0.1 * np.sin(0.6) - 0.05 * np.cos(0.6), 0.2)),
        ("xy", "inertial", (0.1 * np.cos(0.6) + 0.05 * np.sin(0.6), 0.1 * np.sin(0.6) - 0.05 * np.cos(0.6))),
    ],
)
def test_a_uniform_sphere_has_its_chords(ball, plane, frame, centre):
    window = (-1.5, 1.5, -1.5, 1.5)
    piece = picture(View(plane=plane, frame=frame, projection=True, pixels=48), ball, window)
    middles = (np.arange(48) + 0.5) / 16 - 1.5
    exact = column_of_a_ball(middles, middles, centre)
    got = np.nan_to_num(piece.image)
    mass = ball.total("density")
    assert mass == pytest.approx(DENSITY * 4 / 3 * np.pi * RADIUS**3, rel=2e-3)
    # Pixels of the coarse cells' width; cells at the surface hold 64 points each. Measured: 0.012 to 0.017 of the mass.
    assert np.abs(got - exact).sum() * area(piece) < 0.03 * mass
    # Looked up, not summed, is only what is turned in its own plane. Measured: 8e-4.
    turned = frame == "inertial" and plane == "xy"
    assert got.sum() * area(piece) == pytest.approx(mass, rel=4e-3 if turned else ROUNDING)


def test_other_fields_are_means_by_mass(ball):
    piece = ball.projection("pressure", "z", (-0.25, 0.25, -0.25, 0.25), 8)
    centres = (np.arange(8) + 0.5) / 16 - 0.25
    # Pairs of fine cells at the surface have densities of their own. Measured: 1e-3; half a coarse cell is 0.03.
    assert piece.image == pytest.approx(np.tile(5 + centres, (8, 1)), abs=3e-3)


def test_a_turned_square_is_shared_out(ball):
    """Against the areas of many points."""
    rng = np.random.default_rng(5)
    a, b = 0.3, 0.7
    points = rng.uniform(-0.5, 0.5, (400_000, 2)) @ np.array([a, b])
    at = np.linspace(-0.6, 0.6, 13)[:, None]
    for widths in ((a, b), (b, a)):
        share = columns.share_below(at, np.zeros(1), widths)[:, 0]
        # The error of a share of 4e5 points is 8e-4 at most.
        assert share == pytest.approx([np.mean(points < line) for line in at[:, 0]], abs=4e-3)
    assert columns.share_below(np.array([[-1.0], [0.25], [9.0]]), np.zeros(1), (1.0, 0.0))[
        :, 0
    ] == pytest.approx([0, 0.75, 1])


def test_what_is_not_covered_is_no_column(ball):
    piece = ball.projection("density", "z", (0.5, 2.5, -1, 1), 20)
    assert np.isnan(piece.image[:, 5:]).all()
    assert not np.isnan(piece.image[:, :5]).any()
    with pytest.raises(KeyError, match=r"no field 'weather'"):
        ball.projection("weather")
