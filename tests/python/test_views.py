"""`rednova-plot` with a view: planes, frames, colours, overlays, and what it says when it cannot."""

import dataclasses
import re

import made_snapshot
import matplotlib.image
import matplotlib.pyplot as plt
import numpy as np
import pytest
import rednova
from matplotlib.colors import LogNorm
from PIL import Image
from rednova import overlays, plot, plot_options, scene
from rednova.quantities import quantity
from rednova.scene import Moment
from rednova.view import View, colour_scale, picture, picture_points, window_of

WHOLE = (-0.5, 0.5, -0.5, 0.5)


@pytest.fixture
def last(blast):
    """The last snapshot, as if its grid had turned by 0.7."""
    snapshot = rednova.Run(blast).snapshots[-1]
    snapshot.grid_angle = 0.7
    return snapshot


@pytest.fixture(scope="module")
def binary(tmp_path_factory):
    """Two balls with point masses in them, in solar units; the grid has turned by a quarter; the gas moves outwards."""
    left, right = (made_snapshot.sphere((x, 0, 0), 0.3) for x in (-0.4, 0.5))
    points = [[1.0, 0.1, -0.4, 0, 0, 0, 0, 0], [0.5, 0.3, 0.5, 0.0, 0, 0, 0, 0]]
    return made_snapshot.make(
        tmp_path_factory.mktemp("binary") / "snapshot_00007.phdf",
        system="solar",
        rotation=0.5,
        time=np.pi,
        points=points,
        species=("accretor", "donor", "atmosphere"),
        prim_density=lambda *at: left(*at) + right(*at) + 1e-9,
        prim_pressure=lambda *at: 0.1 * (left(*at) + right(*at) + 1e-9),
        prim_velocity_1=lambda x, *_: x,
        prim_velocity_2=lambda x, y, *_: y,
        prim_velocity_3=lambda x, y, z, *_: z,
        density_accretor=left,
        density_donor=right,
    )


# Planes and frames.


@pytest.mark.parametrize("plane", ["xy", "xz", "yz"])
@pytest.mark.parametrize("frame", ["corotating", "inertial"])
def test_pixels_are_the_cells_that_they_lie_in(last, plane, frame):
    view = View("pressure", plane, at=0.013, frame=frame, pixels=160)
    piece = picture(view, last, WHOLE)
    assert piece.axes == tuple(plane)
    angle = 0.7 if frame == "inertial" else 0.0
    turn = np.array([[np.cos(angle), np.sin(angle), 0], [-np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    outside = 0
    for row, column in np.random.default_rng(2).integers(0, 160, size=(60, 2)):
        place = dict.fromkeys("xyz", 0.013)
        place[plane[0]], place[plane[1]] = (column + 0.5) / 160 - 0.5, (row + 0.5) / 160 - 0.5
        point = turn @ np.array([place[d] for d in "xyz"])
        if np.abs(point).max() > 0.5:
            assert np.isnan(piece.image[row, column])
            outside += 1
        else:
            assert piece.image[row, column] == made_snapshot.cell_at(last, "pressure", point)
    assert outside > 0 or frame == "corotating" or plane != "xy", "corners of the turned box are looked at"


def test_a_quarter_turn_turns_the_picture(last):
    still = View(at=0.013, pixels=128)  # of the finest cells' width, so that no middle lies between two
    turning = dataclasses.replace(still, frame="inertial")
    last.grid_angle = np.pi / 2
    # Counter-clockwise, in an image whose rows go up: x becomes y.
    expected = picture(still, last, WHOLE).image
    assert expected.std() > 0
    turned = picture(turning, last, WHOLE).image
    assert np.array_equal(turned, expected.T[:, ::-1])
    (point,) = picture_points(turning, last, [[1.0, 0.0, 0.5]])
    assert point == pytest.approx([0, 1, 0.5], abs=1e-15)


def test_the_quarter_turn_is_seen_in_what_is_not_symmetric(binary):
    bare = View("density_donor", pixels=64)
    image = picture(bare, binary, (-1, 1, -1, 1)).image
    turned = picture(dataclasses.replace(bare, frame="inertial"), binary, (-1, 1, -1, 1)).image
    assert image[32, 48] > 0.5 > image[48, 32]
    assert turned[48, 32] > 0.5 > turned[32, 48]


def test_arrows_turn_and_lose_the_motion_of_the_grid(binary):
    for frame in ("corotating", "inertial"):
        view = View(frame=frame, arrows="inertial")
        u, v, along_u, along_v = overlays.velocities(view, binary, (-1, 1, -1, 1))
        known = np.isfinite(along_u)
        assert 20 < known.sum() < known.size / 2, "only the balls are dense"
        # Outwards in both frames, up to half a coarse cell.
        assert along_u[known] == pytest.approx(u[known], abs=0.04)
        assert along_v[known] == pytest.approx(v[known], abs=0.04)
    view = View(arrows="corotating")
    u, v, along_u, along_v = overlays.velocities(view, binary, (-1, 1, -1, 1))
    known = np.isfinite(along_u)
    assert along_u[known] == pytest.approx((u + 0.5 * v)[known], abs=0.06)
    assert along_v[known] == pytest.approx((v - 0.5 * u)[known], abs=0.06)
    side = View(plane="xz", arrows="inertial")
    u, v, along_u, along_v = overlays.velocities(side, binary, (-1, 1, -1, 1))
    known = np.isfinite(along_u)
    assert along_v[known] == pytest.approx(v[known], abs=0.04), "z is up"


# Units and colours.


def test_units_of_solar_snapshots_are_those_of_the_field(binary):
    assert quantity(binary, "density").factor == pytest.approx(5.9053, rel=1e-4)  # docs/units.md
    assert quantity(binary, "density", column=True).factor == pytest.approx(5.9053 * 6.957e10, rel=1e-4)
    assert quantity(binary, "pressure").factor == pytest.approx(1.1265e16, rel=1e-4)
    assert quantity(binary, "speed").factor == pytest.approx(436.76, rel=1e-4)
    assert quantity(binary, "temperature").factor == 1
    labels = {
        name: quantity(binary, name).label for name in ("density", "speed", "temperature", "velocity_x")
    }
    assert labels == {
        "density": "density  [g cm$^{-3}$]",
        "speed": "speed  [km s$^{-1}$]",
        "temperature": "temperature  [K]",
        "velocity_x": "velocity along x  [km s$^{-1}$]",
    }
    assert quantity(binary, "density_donor", column=True).label == "column density of donor  [g cm$^{-2}$]"


def test_bare_numbers_have_no_kelvin(tmp_path):
    one = made_snapshot.make(
        tmp_path / "code.phdf", prim_density=lambda *_: 1.0, prim_pressure=lambda *_: 1.0, refined=False
    )
    assert quantity(one, "density").label == "density  [code units]"
    with pytest.raises(ValueError, match=r"code\.phdf: no temperature in kelvin.*specific_internal_energy"):
        quantity(one, "temperature")


def test_one_scale_fits_all_pictures(binary):
    images = [np.array([[2.0, 3.0]]), np.array([[np.nan, 40.0]]), np.array([[0.5, 0.0]])]
    scale = quantity(binary, "pressure")
    norm, ends = colour_scale(View("pressure", scale="log"), scale, images)
    assert isinstance(norm, LogNorm)
    assert (norm.vmin, norm.vmax) == pytest.approx((0.5 * scale.factor, 40 * scale.factor))
    assert ends == "min", "the zero is below"
    linear, ends = colour_scale(View("pressure", scale="linear"), scale, images)
    assert (linear.vmin, linear.vmax, ends) == pytest.approx((0, 40 * scale.factor, "neither"))
    signed, _ = colour_scale(View("velocity_x"), quantity(binary, "velocity_x"), images)
    assert signed.vmin == -signed.vmax < 0
    chosen, ends = colour_scale(View("pressure", clim=(1e16, 1e17)), scale, images)
    assert (chosen.vmin, chosen.vmax, ends) == (1e16, 1e17, "both")
    flat, _ = colour_scale(View(), quantity(binary, "density"), [np.ones((2, 2))])
    assert flat.vmin < quantity(binary, "density").factor < flat.vmax


def test_the_window_is_the_domain_or_what_is_asked(binary):
    assert window_of(View(), binary) == (-1, 1, -1, 1)
    assert window_of(View(xlim=(-0.5, 0.5)), binary) == (-0.5, 0.5, -0.5, 0.5)
    assert window_of(View(plane="xz", ylim=(-0.25, 0.5)), binary) == (-1, 1, -0.25, 0.5)
    assert window_of(View(xlim=(1.1, 1.3), ylim=(-1, 1), frame="inertial"), binary)[0] == 1.1, (
        "a corner passes by"
    )


# What is drawn over it.


def axes_of(view, moment):
    """The panel of a picture, as drawn."""
    with plt.rc_context(scene.STYLE):
        canvas = scene.Canvas(scene.style_of(view, [moment]))
        canvas.draw(moment)
        canvas.settle()
    return canvas.figure.axes[0]


def test_what_is_drawn_are_the_pixels_in_units_on_the_scale(binary):
    view = View(pixels=100, clim=(1e-3, 10.0))
    axes = axes_of(view, Moment(binary))
    (drawn,) = axes.images
    assert (drawn.norm.vmin, drawn.norm.vmax) == (1e-3, 10.0)
    assert isinstance(drawn.norm, LogNorm)
    image = picture(view, binary, (-1, 1, -1, 1)).image * binary.units.density
    assert np.asarray(drawn.get_array()) == pytest.approx(image)
    assert tuple(drawn.get_extent()) == (-1, 1, -1, 1)
    assert drawn.origin == "lower"
    assert axes.get_xlabel() == "x  [R$_\\odot$]"
    assert axes.get_title("left") == "$z = 0$ at t = 0.058 d  (0.00 orbits)"
    plt.close(axes.figure)


def test_overlays_are_where_the_bodies_are(binary):
    view = View(frame="inertial", roche=True, stars="species", arrows="inertial", mesh=True, pixels=300)
    axes = axes_of(view, Moment(binary))
    places = {line.get_marker(): line.get_xydata()[0] for line in axes.lines}
    discs = [line.get_xydata()[0] for line in axes.lines if line.get_marker() == "o"]
    # A quarter turn takes x to y.
    assert np.array(discs) == pytest.approx(np.array([[0, -0.4], [0, 0.5]]), abs=1e-12)
    assert [patch.get_radius() for patch in axes.patches] == [0.1, 0.3]
    marks = [line.get_xydata()[0] for line in axes.lines if line.get_marker() == "+"]
    assert set(places) == {"o", "+"}
    assert np.array(marks)[:, 0] == pytest.approx(0, abs=1e-12)
    (first, second) = np.array(marks)[:, 1]
    assert 0 < first < 0.5, "L1 is nearer to the lighter body"
    assert 0.5 < second < 1, "L2 is beyond it; L3 lies outside of the picture"
    contours = [c for c in axes.collections if hasattr(c, "levels")]
    assert len(contours) == 3, "Roche, accretor, donor"
    assert {text.get_text() for text in axes.texts} >= {"accretor", "donor", "L$_1$", "L$_2$"}
    donor = contours[1].get_paths()[0].vertices
    # Smoothed by half a cell of 1/32.
    assert np.hypot(donor[:, 0], donor[:, 1] - 0.5) == pytest.approx(0.3, abs=0.05)
    plt.close(axes.figure)


def test_points_beside_a_slice_are_black(binary):
    """The second has a softening of 0.3, the first of 0.1."""
    axes = axes_of(View(plane="xz", at=0.2, pixels=100), Moment(binary))
    assert [line.get_color() for line in axes.lines] == ["black", "white"]
    assert [patch.get_radius() for patch in axes.patches] == [0.3]
    plt.close(axes.figure)
    through = axes_of(View(plane="xz", projection=True, pixels=100), Moment(binary))
    assert [line.get_color() for line in through.lines] == ["white", "white"]
    plt.close(through.figure)


def test_outlines_by_density(binary):
    axes = axes_of(View(plane="xz", stars="density", star_density=0.5, pixels=300), Moment(binary))
    (contour,) = (c for c in axes.collections if hasattr(c, "levels"))
    points = contour.get_paths()[0].vertices
    near = np.minimum(*(np.hypot(points[:, 0] - x, points[:, 1]) for x in (-0.4, 0.5)))
    assert near == pytest.approx(0.3, abs=0.05)
    plt.close(axes.figure)


# The command.


def test_the_command_draws_views(blast, tmp_path, capsys):
    out = tmp_path / "pictures"
    common = [str(blast), "--out", str(out), "--pixels", "300"]
    assert (
        plot.main([*common, "--field", "pressure", "--plane", "xz", "--xlim", "-.3", "2.5e-1", "--mesh"]) == 0
    )
    assert plot.main([*common, "--projection", "--snapshots", "1", "--frame", "inertial", "--arrows"]) == 0
    assert (
        plot.main([*common, "--field", "temperature", "--together", "--linear", "--colours", "cividis"]) == 0
    )
    made = sorted(out.iterdir())
    assert set(capsys.readouterr().out.split()) == set(map(str, made))
    assert [p.name for p in made] == [
        "density_xy_column_inertial_00001.png",
        "pressure_xz_00000.png",
        "pressure_xz_00001.png",
        "temperature_xy_together.png",
    ]
    for path in made:
        image = matplotlib.image.imread(path)[..., :3]
        assert image.std() > 0.03, path.name
        assert not any(length % 2 for length in image.shape[:2]), path.name
        with Image.open(path) as one:
            assert "sedov" in one.info["Description"]
            assert one.info["Software"] == f"rednova {rednova.Run(blast).history.version}"
    assert matplotlib.image.imread(made[1]).shape == matplotlib.image.imread(made[2]).shape


def test_snapshots_of_several_runs(blast, binary, tmp_path, capsys):
    files = [str(rednova.Run(blast).snapshots[0].path), str(binary.path)]
    assert plot.main([*files, "--out", str(tmp_path), "--pixels", "200"]) == 0
    names = {p.name for p in tmp_path.iterdir()}
    assert names == {"run_density_xy_00000.png", f"{binary.path.parent.name}_density_xy_00007.png"}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--field", "weather"], r"snapshot_00000\.phdf: no field 'weather'; there are .*pressure"),
        (["--xlim", "1", "1"], r"--xlim 1 1 is empty"),
        (["--clim", "5", "-1e-3"], r"--clim 5 -0\.001 is empty"),
        (["--clim", "0", "1", "--log"], r"--clim 0: a logarithmic scale begins above 0"),
        (["--xlim", "3", "4"], r"--xlim 3 4 misses the domain of .*phdf, x from -0\.5 to 0\.5"),
        (["--at", "2"], r"phdf: z = 2 misses the domain, -0\.5 to 0\.5"),
        (["--at", "2", "--frame", "inertial"], r"phdf: z = 2 misses the domain"),
        (
            ["--at", "2", "--plane", "xz", "--frame", "inertial", "--snapshots", "1"],
            r"phdf: y = 2 misses the domain: choose another",
        ),
        (["--at", "0.1", "--projection"], r"--projection sums over all planes: leave out --at"),
        (["--mesh", "--plane", "xz", "--frame", "inertial"], r"--mesh: .*give --frame corotating"),
        (["--colours", "mud"], r"--colours mud: matplotlib has no such map"),
        (["--roche"], r"snapshot_00000\.phdf: --roche needs two stars"),
        (["--field", "velocity_z", "--clim", "-2", "-1", "--log"], r"begins above 0"),
        (["--snapshots", "0", "7"], r"run: has no snapshot 7: they are 0 to 1"),
        (["--movie", "film.gif"], r"film\.gif: a movie is an \.mp4 \(H\.264\) or a \.webm"),
        (["--out", "{run}/history.csv/x"], r"history\.csv/x: cannot be written: .*--out"),
        (["--out", "{run}/input.toml"], r"input\.toml: cannot be written: .*--out"),
    ],
)
def test_mistakes_are_told_in_one_line(blast, options, words, capsys):
    code = plot.main([str(blast), *(option.format(run=blast) for option in options)])
    errors = capsys.readouterr().err
    assert code == 2
    assert errors.startswith("rednova-plot: ")
    assert errors.count("\n") == 1
    assert re.search(words, errors), errors


def test_a_choice_among_snapshots_is_not_asked_of_files(blast, tmp_path, capsys):
    file = rednova.Run(blast).snapshot_paths[0]
    for choice in (["--snapshots", "1"], ["--every", "2"]):
        assert plot.main([str(file), *choice, "--out", str(tmp_path)]) == 2
        assert f"{file}: --snapshots and --every choose among those of a run" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_which_options_make_a_view(blast, tmp_path, capsys):
    """As docs/pictures.md has it."""
    assert plot_options.read([str(blast), "--every", "2", "--fps", "5"]).view is None
    for options in (["--snapshots", "0"], ["--together"], ["--movie", "a.mp4"], ["--at", "0"], ["--mesh"]):
        assert plot_options.read([str(blast), *options]).view is not None


def test_what_is_no_run_is_told(tmp_path, blast, capsys):
    (tmp_path / "text.phdf").write_text("none")
    for path, words in (("none", "no such directory"), ("", "holds no run"), ("text.phdf", "is no snapshot")):
        assert plot.main([str(tmp_path / path), "--plane", "xz"]) == 2
        errors = capsys.readouterr().err
        assert words in errors
        assert str(tmp_path / path) in errors


@pytest.mark.parametrize(
    "options",
    [
        ["--plane", "zz"],
        ["--pixels", "3"],
        ["--log", "--linear"],
        ["--movie", "a.mp4", "--together"],
        ["--fps", "0"],
    ],
)
def test_wrong_options_stop_before_anything_is_read(tmp_path, options):
    with pytest.raises(SystemExit) as stop:
        plot.main([str(tmp_path), *options])
    assert stop.value.code == 2
