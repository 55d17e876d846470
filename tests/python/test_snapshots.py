"""Snapshots as yt, the package and an XDMF reader see them."""

import xml.etree.ElementTree as ElementTree

import h5py
import numpy as np
import pytest
import rednova
import yt

yt.set_log_level("error")


@pytest.fixture
def run(blast):
    return rednova.Run(blast)


@pytest.fixture
def last(run):
    return run.snapshots[-1]


def test_the_run_is_refined(last):
    assert set(last.level) == {2, 3}


def test_a_snapshot_tells_how_far_the_grid_has_turned(copy_of_blast):
    steady = rednova.Run(copy_of_blast).snapshots[-1]
    path = steady.path
    assert steady.grid_angle == steady.rotation * steady.time != 0
    with h5py.File(path, "r+") as file:
        file["Rednova"].attrs["rotation"] = 2.0
        file["Rednova"].attrs["grid_angle"] = 0.3
    turned = rednova.Snapshot(path)
    assert (turned.rotation, turned.grid_angle) == (2.0, 0.3)
    with h5py.File(path, "r+") as file:  # as earlier versions wrote it
        del file["Rednova"].attrs["grid_angle"]
    assert rednova.Snapshot(path).grid_angle == 2.0 * turned.time > 0


def test_yt_finds_the_mass_of_the_history(run, last):
    dataset = yt.load(str(last.path))
    mass = dataset.all_data()["gas", "cell_mass"].sum()
    # yt adds up 61k terms in pairs: an error of some 16 roundings.
    assert float(mass.to("code_mass")) == pytest.approx(run.history["mass"][-1], rel=1e-14)
    assert float(mass.to("g")) == pytest.approx(run.history["mass"][-1] * run.history.cgs["mass"], rel=1e-14)


def test_yt_knows_domain_time_levels_and_units(run, last):
    dataset = yt.load(str(last.path))
    assert float(dataset.current_time.to("s")) == pytest.approx(last.time * last.units.time, rel=1e-14)
    assert dataset.domain_left_edge.to("code_length").d == pytest.approx([-0.5] * 3, abs=0)
    assert dataset.periodicity == (False, False, False)
    assert dataset.index.max_level == 3
    assert float(dataset.length_unit.to("cm")) == pytest.approx(6.957e10)
    assert dataset.gamma == pytest.approx(last.gamma)
    assert dataset.all_data()["index", "cell_volume"].sum().to("code_length**3").d == pytest.approx(
        1, rel=1e-13
    )


def test_yt_puts_cells_where_they_are(last):
    """A field that is linear in x, y, z tells each cell's place."""
    dataset = yt.load(str(last.path))
    cells = dataset.all_data()
    at = [cells["index", d].to("code_length").d for d in "xyz"]
    here = {
        tuple(p): v
        for p, v in zip(np.round(np.transpose(at), 9), cells["parthenon", "prim_density"].d, strict=True)
    }
    there = np.broadcast_arrays(*last.centres(), last["density"])
    points = np.round(np.stack([a.ravel() for a in there[:3]], axis=1), 9)
    assert len(here) == len(points)
    assert all(here[tuple(p)] == v for p, v in zip(points, there[3].ravel(), strict=True))


def test_yt_derives_velocity_and_draws(last, tmp_path):
    dataset = yt.load(str(last.path))
    cells = dataset.all_data()
    assert cells["gas", "velocity_magnitude"].to("code_velocity").max().d == pytest.approx(
        last["speed"].max()
    )
    (picture,) = yt.SlicePlot(dataset, "z", ("gas", "density")).save(str(tmp_path / "slice.png"))
    assert spread_of(picture) > 0.01


def spread_of(path):
    """Standard deviation of a picture's pixels: 0 for an empty one."""
    import matplotlib.image

    return float(matplotlib.image.imread(path)[..., :3].std())


def test_every_field_has_its_units_with_open_yt(last):
    cells = rednova.open_yt(last.path).all_data()
    assert str(cells["parthenon", "spin_x"].units) == "code_mass/(code_length*code_time)"
    assert str(cells["parthenon", "density_gas"].units) == "code_mass/code_length**3"


def test_totals_are_those_of_the_history(run, last):
    # Plain summation of 61k terms of one sign, pairwise in NumPy.
    assert last.total("density") == pytest.approx(run.history["mass"][-1], rel=1e-14)
    assert last.total("cons_total_energy_density") == pytest.approx(run.history["energy"][-1], rel=1e-13)
    assert last.step == run.history["step"][-1]
    assert last.time == run.history["time"][-1]


def test_derived_fields(last):
    x, y, _ = last.centres()
    assert last["velocity_rotating_x"] == pytest.approx(last["velocity_x"] + 0.5 * y, abs=0)
    assert last["velocity_rotating_y"] == pytest.approx(last["velocity_y"] - 0.5 * x, abs=0)
    kelvin = 0.6 * 1.66053906660e-24 / 1.380649e-16 * last.units.velocity**2
    assert last["temperature"] == pytest.approx(kelvin * last["pressure"] / last["density"])
    assert np.all(last["mean_molecular_weight"] == 0.6)
    assert "electron_fraction" not in last.fields  # a mean molecular weight alone does not tell it
    assert last["specific_internal_energy"] == pytest.approx(
        last["pressure"] / last["density"] / (last.gamma - 1)
    )


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_a_slice_shows_the_cells_that_it_cuts(last, axis):
    piece = last.slice("density", axis=axis, at=0.013, pixels=256)
    normal = "xyz".index(axis)
    u, v = ("xyz".index(name) for name in piece.axes)
    rng = np.random.default_rng(1)
    for row, column in rng.integers(0, 256, size=(50, 2)):
        point = np.empty(3)
        point[normal], point[u], point[v] = 0.013, (column + 0.5) / 256 - 0.5, (row + 0.5) / 256 - 0.5
        size = last.width * last.edge
        (block,) = np.flatnonzero(
            np.all((last.lower <= point) & (point < last.lower + size[:, None]), axis=1)
        )
        i, j, k = ((point - last.lower[block]) / last.width[block]).astype(int)
        assert piece.image[row, column] == last.read("density", [block])[0, k, j, i]


def test_a_slice_of_a_window(last):
    piece = last.slice("density", window=(0, 0.25, 0, 0.125), pixels=100)
    assert piece.image.shape == (50, 100)
    assert not np.isnan(piece.image).any()
    with pytest.raises(ValueError, match="misses the domain"):
        last.slice("density", at=2)


def test_unknown_field_lists_the_known(last):
    with pytest.raises(KeyError, match=r"no field 'weather'.*density"):
        last["weather"]


def test_every_file_says_where_it_comes_from(run, last):
    assert 'name = "sedov"' in last.input
    assert 'name = "sedov"' in run.input
    assert 'name = "sedov"' in run.history.input
    assert run.ledger["run"]["input"] == last.input
    assert run.ledger["run"]["commit"] == last.commit
    with h5py.File(sorted(run.directory.glob("checkpoint_*.h5"))[-1]) as checkpoint:
        assert checkpoint["input"][()].decode() == last.input
        assert checkpoint.attrs["commit"] == last.commit


def test_xdmf_names_datasets_of_the_right_shape(last):
    tree = ElementTree.parse(last.path.with_suffix(".xdmf"))
    grids = tree.findall("Domain/Grid/Grid")
    assert len(grids) == len(last.level)
    with h5py.File(last.path) as file:
        for grid in grids[:: len(grids) // 5]:
            block = int(grid.get("Name"))
            z, y, x = map(float, grid.find("Geometry/DataItem").text.split())
            assert [x, y, z] == last.lower[block].tolist()
            for item in grid.findall("Attribute/DataItem"):
                slab, data = item
                name, dataset = data.text.split(":")
                assert name == last.path.name
                assert list(map(int, data.get("Dimensions").split())) == list(file[dataset].shape)
                start, _, count = np.array(slab.text.split(), dtype=int).reshape(3, 4)
                assert start.tolist() == [block, 0, 0, 0]
                assert count.tolist() == [1, *file[dataset].shape[1:]]


def test_bad_files(tmp_path, last):
    with pytest.raises(FileNotFoundError, match="no such file"):
        rednova.Snapshot(tmp_path / "none.phdf")
    (tmp_path / "text.phdf").write_text("no HDF5")
    with pytest.raises(ValueError, match=r"text\.phdf: is no snapshot"):
        rednova.Snapshot(tmp_path / "text.phdf")
    whole = last.path.read_bytes()
    (tmp_path / "cut.phdf").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match=r"cut\.phdf.*truncated"):
        rednova.Snapshot(tmp_path / "cut.phdf")
    with h5py.File(tmp_path / "other.phdf", "w") as other:
        other["x"] = 1.0
    with pytest.raises(ValueError, match=r"other\.phdf: is no snapshot"):
        rednova.Snapshot(tmp_path / "other.phdf")
