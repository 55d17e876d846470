"""Snapshots of chosen fields, precision and compression, slices and projections, and the series of a run."""

import xml.etree.ElementTree as ElementTree

import h5py
import numpy as np
import pytest
import rednova
import yt
from blast_input import BLAST
from rednova import plot

yt.set_log_level("error")

OUTPUT = """
[output]
snapshot_time = 0.0002
slice_time = 0.0001
slices = ["z", "x=0.1"]
projections = ["z"]
slice_fields = ["density", "pressure"]
"""
PACKED = """
fields = ["density", "velocity_x", "pressure"]
precision = "single"
compression = 1
"""


@pytest.fixture(scope="module")
def whole(make_run):
    """A run with slices."""
    return rednova.Run(make_run("whole", BLAST + OUTPUT))


@pytest.fixture(scope="module")
def packed(make_run):
    """The same run with chosen fields in single precision, compressed."""
    return rednova.Run(make_run("packed", BLAST + OUTPUT + PACKED))


def test_the_choice_changes_no_bit_of_the_run(whole, packed):
    assert len(whole.history) == len(packed.history)
    assert np.array_equal(whole.history["energy"], packed.history["energy"])


def test_numbers_are_those_of_the_whole_snapshot_rounded(whole, packed):
    a, b = whole.snapshots[-1], packed.snapshots[-1]
    assert b.stored_fields == ["prim_density", "prim_velocity_1", "prim_pressure"]
    for field in b.stored_fields:
        assert np.array_equal(b[field], a[field].astype(np.float32))
        assert b[field].dtype == float
    assert b["temperature"] == pytest.approx(a["temperature"], rel=1e-6)
    assert b.path.stat().st_size < 0.15 * a.path.stat().st_size


def test_fields_that_cannot_be_derived_are_not_offered(packed):
    last = packed.snapshots[-1]
    assert "velocity_rotating_x" in last.fields
    assert "temperature" in last.fields
    for missing in ("speed", "velocity_rotating_y", "velocity_y", "energy"):
        assert missing not in last.fields
        with pytest.raises(KeyError, match=f"no field '{missing}'"):
            last[missing]


def test_yt_reads_packed_snapshots(packed):
    dataset = rednova.open_yt(packed.snapshots[-1].path)
    mass = dataset.all_data()["gas", "cell_mass"].sum().to("code_mass").d
    # Rounding to 24 bits, of 61k cells.
    assert mass == pytest.approx(packed.history["mass"][-1], rel=1e-6)
    picture = yt.SlicePlot(dataset, "z", ("gas", "pressure"))
    assert picture.frb["gas", "pressure"].max() > 0


def test_slices_are_those_of_the_snapshot_at_their_time(whole):
    assert [s.step for s in whole.slices] == sorted(s.step for s in whole.slices)
    assert len(whole.slices) > len(whole.snapshots)
    last, snapshot = whole.slices[-1], whole.snapshots[-1]
    assert (last.time, last.step, last.unit_system) == (snapshot.time, snapshot.step, "solar")
    assert last.slices == ["x=0.1", "z"]
    for plane, axis, at in (("z", "z", 0.0), ("x=0.1", "x", 0.1)):
        for field in ("density", "pressure"):
            window = (-0.25, 0.5, -0.5, 0.3)
            here = last.slice(field, plane, window=window, pixels=200)
            there = snapshot.slice(field, axis=axis, at=at, window=window, pixels=200)
            np.testing.assert_array_equal(here.image, there.image)
            assert here.axes == there.axes
            assert np.array_equal(here.outlines, there.outlines)


def test_a_projection_is_that_of_yt(whole):
    last = whole.slices[-1]
    dataset = yt.load(str(whole.snapshots[-1].path))
    # As many pixels as there are finest cells: no cell is missed.
    ours = last.projection("density", pixels=64)
    theirs = dataset.proj(("gas", "density"), "z").to_frb((1.0, "code_length"), 64)["gas", "density"]
    theirs = theirs.to("code_mass/code_length**2").d
    assert np.array_equal(np.isnan(ours.image), np.isnan(theirs))
    assert ours.image == pytest.approx(theirs, rel=1e-12)
    weighted = dataset.proj(("gas", "pressure"), "z", weight_field=("gas", "density"))
    mean = weighted.to_frb((1.0, "code_length"), 64)["gas", "pressure"].to(
        "code_mass/code_length/code_time**2"
    )
    assert last.projection("pressure", pixels=64).image == pytest.approx(mean.d, rel=1e-12)
    assert last.unit("density", "projections") == "mass/length^2"
    assert last.unit("pressure") == "mass/(length time^2)"


def test_packed_slices_are_rounded(whole, packed):
    a, b = whole.slices[-1], packed.slices[-1]
    expected = a.slice("density").image.astype(np.float32)
    np.testing.assert_array_equal(b.slice("density").image, expected)
    assert b.path.stat().st_size < a.path.stat().st_size


def test_what_a_slice_file_lacks_is_told(whole, tmp_path):
    last = whole.slices[-1]
    with pytest.raises(KeyError, match=r"no 'y' in its slices; there are x=0.1, z"):
        last.slice(plane="y")
    with pytest.raises(KeyError, match=r"no field 'temperature'; there are prim_density, prim_pressure"):
        last.slice("temperature")
    with pytest.raises(FileNotFoundError, match="no such file"):
        rednova.SliceFile(tmp_path / "none.h5")
    with pytest.raises(ValueError, match="holds no slices"):
        rednova.SliceFile(whole.snapshots[0].path)


def test_the_series_leads_to_each_snapshot(whole, packed):
    include = "{http://www.w3.org/2001/XInclude}include"
    for run in (whole, packed):
        path = run.directory / "snapshots.xdmf"
        series = ElementTree.parse(path)
        assert series.find("Domain/Grid").get("CollectionType") == "Temporal"
        included = [one.get("href") for one in series.iter(include)]
        assert included == [s.path.with_suffix(".xdmf").name for s in run.snapshots]
        for name, snapshot in zip(included, run.snapshots, strict=True):
            tree = ElementTree.parse(run.directory / name)
            assert float(tree.find("Domain/Grid/Time").get("Value")) == snapshot.time
    # Of a block, with three fields, where all of them took 7 kB.
    last = packed.snapshots[-1]
    assert last.path.with_suffix(".xdmf").stat().st_size < 900 * len(last.level)


def test_xdmf_names_the_precision_that_a_file_has(packed):
    last = packed.snapshots[-1]
    (data,) = {
        (item.get("Precision"), item.text.split(":")[1])
        for item in ElementTree.parse(last.path.with_suffix(".xdmf")).iter("DataItem")
        if item.get("Format") == "HDF" and item.text.endswith("prim_pressure")
    }
    with h5py.File(last.path) as file:
        assert str(file[data[1]].dtype.itemsize) == data[0] == "4"
        assert file[data[1]].chunks == (1, 8, 8, 8)


def test_pictures_of_a_run_without_density(make_run, tmp_path):
    text = BLAST + '\n[output]\nfields = ["pressure"]\n'
    made = plot.plot_run(rednova.Run(make_run("pressure", text)), tmp_path)
    assert [p.name for p in made] == ["star.png", "ledger.png"]
