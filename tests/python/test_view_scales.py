"""Scales of colours of views, what of a picture is below them or outside the domain, and units that belong together."""

import h5py
import made_snapshot
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
import rednova
from matplotlib.colors import LogNorm
from rednova import plot, scene
from rednova.quantities import quantity
from rednova.scene import Moment
from rednova.view import View, colour_scale

LIGHT = '[problem]\nname = "made"\n[radiation]\nenabled = true\n'
DEGENERATE = '[problem]\nname = "made"\n[eos]\nmodel = "white_dwarf"\n'


def stripes(x, y, z, width):
    """Along x: negative, zero, a ten-thousandth, one."""
    return np.select([x < -0.5, x < 0, x < 0.5], [-1.0, 0.0, 1e-4], 1.0) + 0 * (y + z)


def made(tmp_path, name, **options):
    return made_snapshot.make(tmp_path / name / "snapshot_00000.phdf", refined=False, **options)


@pytest.fixture
def one(tmp_path):
    (tmp_path / "one").mkdir()
    return lambda **options: made(tmp_path, "one", **options)


# What is painted.


def colours_of(snapshot, view, x):
    """Of the pixels of a picture at places of the x axis, [place, (red, green, blue)] from 0 to 255."""
    with plt.rc_context(scene.STYLE):
        canvas = scene.Canvas(scene.style_of(view, [Moment(snapshot)]))
        canvas.draw(Moment(snapshot))
        canvas.settle()
        pixels = np.asarray(canvas.pixels())
        axes = canvas.figure.axes[0]
        column, row = axes.transData.transform([(u, 0.02) for u in x]).T.astype(int)
    plt.close(canvas.figure)
    return pixels[pixels.shape[0] - 1 - row, column, :3]


def test_what_has_no_logarithm_is_below_the_scale_and_not_outside_the_domain(one):
    snapshot = one(prim_pressure=stripes)
    view = View("pressure", scale="log", xlim=(-1.2, 1.2), pixels=240)
    outside, negative, zero, small, large = colours_of(snapshot, view, (-1.1, -0.75, -0.25, 0.25, 0.75))
    dark, bright = (255 * np.array(mpl.colormaps["viridis"](end)[:3]) for end in (0.0, 1.0))
    # Of 256 colours, and 8 bits each.
    for found, expected in ((negative, dark), (zero, dark), (small, dark), (large, bright)):
        assert found == pytest.approx(expected, abs=2)
    assert outside == pytest.approx(0.85 * 255, abs=1)


def test_a_scale_is_logarithmic_by_the_positive_values(one):
    shown = quantity(one(prim_pressure=stripes), "pressure")

    def scale(*values):
        return colour_scale(View("pressure"), shown, [np.array(values)])

    norm, ends = scale(0.0, 1e-4, 1.0, np.nan)
    assert isinstance(norm, LogNorm)
    assert (norm.vmin, norm.vmax, ends) == (1e-4, 1.0, "min")
    norm, _ = scale(0.0, 1e-30, 1.0)
    assert isinstance(norm, LogNorm)
    assert norm.vmin == pytest.approx(1e-9), "nine decades"
    for values, limits in (((0.0, 0.1, 1.0), (0, 1)), ((-1e-9, 1e-4, 1.0), (-1e-9, 1)), ((0.0, 0.0), None)):
        norm, _ = scale(*values)
        assert not isinstance(norm, LogNorm)
        assert limits is None or (norm.vmin, norm.vmax) == limits


# Units.


def relabel(path, units):
    with h5py.File(path, "r+") as file:
        file["temperature"].attrs["units"] = units
    return rednova.Snapshot(path)


@pytest.mark.parametrize("stored", ["K", "1"])
def test_a_stored_temperature_is_in_kelvin_where_there_are_any(one, stored):
    def label(**options):
        made = relabel(one(temperature=lambda *_: 3.0, **options).path, stored)
        shown = quantity(made, "temperature")
        assert shown.factor == 1
        return shown.label, made.unit("temperature")

    assert label(text=LIGHT) == ("temperature", "1"), "of ideal gas in code units"
    if stored == "K":  # as files have it everywhere else
        assert label(text=LIGHT, system="solar") == ("temperature  [K]", "K")
        assert label(text=DEGENERATE) == ("temperature  [K]", "K")


@pytest.mark.parametrize("stored", ["K", "1"])
def test_yt_takes_a_temperature_without_kelvin_for_a_number(run_of, copy_of, stored):
    run = copy_of(run_of("shining_star", "mesh.max_level=1", "run.max_steps=1"))
    snapshot = relabel(rednova.Run(run).snapshots[-1].path, stored)
    cells = rednova.open_yt(snapshot.path).all_data()
    assert cells["parthenon", "temperature"].units.is_dimensionless
    assert np.sort(cells["parthenon", "temperature"].d) == pytest.approx(
        np.sort(snapshot["temperature"].ravel())
    )


def test_snapshots_of_different_units_are_not_drawn_together(tmp_path, capsys):
    paths = []
    for name, system in (("bare", "code"), ("solar", "solar")):
        (tmp_path / name).mkdir()
        fields = {"prim_pressure": lambda *_: 1.0, "mean_molecular_weight_depth": lambda *_: 1.0}
        paths.append(made(tmp_path, name, system=system, **fields).path)
    for more in ([], ["--together"], ["--movie", str(tmp_path / "film.mp4")]):
        assert (
            plot.main([*map(str, paths), "--field", "pressure", "--out", str(tmp_path / "out"), *more]) == 2
        )
        told = capsys.readouterr().err
        assert f"{paths[0]} and {paths[1]} have different units of pressure" in told
    assert not (tmp_path / "out").exists()
    pure = ["--field", "mean_molecular_weight_depth", "--pixels", "64", "--out", str(tmp_path / "out")]
    assert plot.main([*map(str, paths), *pure]) == 0, "numbers have no units"


# Names of files.


def test_runs_of_one_name_have_pictures_of_their_own(tmp_path, capsys):
    paths = []
    for folder in ("a/run", "b/run", "b/other"):
        (tmp_path / folder).mkdir(parents=True)
        paths.append(made(tmp_path, folder, prim_density=lambda *_: 1.0).path)
    out = tmp_path / "out"

    def drawn(*chosen):
        out.mkdir()
        assert plot.main([*map(str, chosen), "--pixels", "64", "--out", str(out)]) == 0
        names = {path.name for path in out.iterdir()}
        assert set(capsys.readouterr().out.split()) == {str(out / name) for name in names}
        for path in out.iterdir():
            path.unlink()
        out.rmdir()
        return {name.removesuffix("_density_xy_00000.png") for name in names}

    assert drawn(*paths) == {"a_run", "b_run", "b_other"}
    assert drawn(*paths[1:]) == {"run", "other"}
    assert drawn(paths[0]) == {"density_xy_00000.png"}
