"""Run directories: history, ledger, pictures."""

from pathlib import Path

import h5py
import matplotlib.image
import numpy as np
import pytest
import rednova
from matplotlib.figure import Figure
from PIL import Image
from rednova import plot, star_plot
from rednova.verify.measure import worst_remainder


def test_history_has_a_row_a_step_and_units(blast):
    history = rednova.Run(blast).history
    assert history["step"].tolist() == list(range(7))
    assert np.all(np.diff(history["time"]) > 0)
    assert history.units["time"] == "tu"
    assert history.units["j_orb"] == "Msun Rsun^2/tu"
    assert history.cgs["length"] == pytest.approx(6.957e10)
    assert history.data.dtype.names[:2] == ("step", "time")
    assert not history.two_stars
    with pytest.raises(KeyError, match=r"no column 'weather'.*separation"):
        history["weather"]


def test_ledger_balances_and_agrees_with_the_history(blast):
    run = rednova.Run(blast)
    for quantity, entry in run.ledger.items():
        if quantity == "run":
            continue
        left = (
            np.array(entry["grid"]) - entry["initial"] + entry["outflow"] - entry["floors"] - entry["regrid"]
        )
        # The sum in another order: a few roundings of the sum of absolute values.
        assert np.all(np.abs(left - entry["remainder"]) <= 1e-15 * np.max(entry["magnitude"])), quantity
        assert np.allclose(np.sum(entry["outflow_by_side"], axis=0), entry["outflow"])
    assert run.ledger["energy"]["grid"] == run.history["energy"][-1]
    assert run.ledger["angular_momentum"]["grid"][2] == run.history["angular_momentum_z"][-1]
    flow = run.ledger["flow"]
    assert flow["grid"][2] == run.history["flow_angular_momentum_z"][-1]
    assert flow["drift"] == [run.history[f"flow_drift_{d}"][-1] for d in "xyz"]
    assert flow["relative_to"] == "sum of absolute values", "nothing turns in the blast"
    assert np.array(flow["remainder"]) / flow["scale"] == pytest.approx(flow["drift"], abs=1e-18)
    change = run.history.flow_angular_momentum[-1] - run.history.flow_angular_momentum[0]
    assert change == pytest.approx(flow["remainder"][2], abs=1e-15 * flow["scale"])


def test_the_spin_is_what_the_flow_has_not(blast):
    history = rednova.Run(blast).history
    whole = history["angular_momentum_z"]
    assert history["flow_angular_momentum_z"] + history["cell_spin_z"] == pytest.approx(whole, abs=1e-18)


def test_energies_add_up(blast):
    history = rednova.Run(blast).history
    parts = history["kinetic_energy"] + history["internal_energy"] + history["gravitational_energy"]
    assert parts == pytest.approx(history["energy"], rel=1e-14)


def test_damaged_history_names_file_and_line(copy_of_blast):
    table = copy_of_blast / "history.csv"
    text = table.read_text()
    rows = text.count("\n")
    table.write_text(text + "7,0.1\n")
    with pytest.raises(ValueError, match=rf"history\.csv, line {rows + 1}: 2 values for"):
        rednova.History(table)
    table.write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match="no history of rednova"):
        rednova.History(table)


def test_no_run(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such directory"):
        rednova.Run(tmp_path / "none")
    with pytest.raises(FileNotFoundError, match="holds no run"):
        rednova.Run(tmp_path)


def test_pictures_show_something(blast, tmp_path, capsys):
    assert plot.main([str(blast), "--out", str(tmp_path / "pictures")]) == 0
    paths = sorted((tmp_path / "pictures").iterdir())
    assert [p.name for p in paths] == ["density_00000.png", "density_00001.png", "ledger.png", "star.png"]
    assert set(capsys.readouterr().out.split()) == set(map(str, paths))
    for path in paths:
        image = matplotlib.image.imread(path)[..., :3]
        assert min(image.shape[:2]) > 300
        # An empty figure is white: its pixels have no spread, and hardly any colours.
        assert image.std() > 0.03, path.name
        assert len(np.unique(image.reshape(-1, 3), axis=0)) > 20, path.name
        assert not any(length % 2 for length in image.shape[:2]), "movies need even sizes"
        with Image.open(path) as picture:
            assert picture.info["Software"] == f"rednova {rednova.Run(blast).history.version}"
            assert "sedov" in picture.info["Description"], "the input"


def test_pictures_of_density_have_one_size(blast, tmp_path, monkeypatch):
    """Also where some show a window beside the plane, and some do not."""
    windows = iter([(-0.1, 0.1, -0.1, 0.1), None])
    monkeypatch.setattr(plot, "zoom_window", lambda _: next(windows))
    snapshots = rednova.Run(blast).snapshots[:2]
    sizes = {matplotlib.image.imread(p).shape for p in plot.plot_densities(snapshots, tmp_path)}
    assert len(sizes) == 1
    assert sizes.pop()[1] > 1000, "two panels"


def test_a_domain_without_the_plane_has_the_other_pictures(copy_of_blast, tmp_path, capsys):
    for path in rednova.Run(copy_of_blast).snapshot_paths:
        with h5py.File(path, "r+") as file:
            file["Locations/z"][:] += 1
            box = file["Info"].attrs["RootGridDomain"]
            file["Info"].attrs["RootGridDomain"] = [*box[:6], *(box[6:8] + 1), 1.0]
    assert plot.main([str(copy_of_blast), "--out", str(tmp_path)]) == 0
    said = capsys.readouterr()
    assert [Path(line).name for line in said.out.splitlines()] == ["star.png", "ledger.png"]
    assert said.err.count("\n") == 1
    assert "z = 0 misses the domain" in said.err
    assert "--plane and --at" in said.err


def test_rounding_is_no_way_of_a_star(copy_of_blast, tmp_path, monkeypatch):
    """The axes of a star at rest span a cell and more, and there is no angular momentum to draw."""
    drawn = []
    monkeypatch.setattr(star_plot, "save", lambda figure, *_: drawn.append(figure))
    run = rednova.Run(copy_of_blast)
    assert np.ptp(run.history["centre_x_accretor"]) < 1e-12, "rounding"
    run.ledger["angular_momentum"]["magnitude"][2] = 1.0
    star_plot.plot_star(run, tmp_path / "star.png")
    (figure,) = drawn
    assert len(figure.axes) == 2
    low, high = figure.axes[1].get_ylim()
    assert high - low >= 1 / 64
    rewrite(copy_of_blast / "history.csv", lambda _, row: row.update(angular_momentum_z="0.5"))
    turning = rednova.Run(copy_of_blast)
    turning.ledger["angular_momentum"]["magnitude"][2] = 1.0
    star_plot.plot_star(turning, tmp_path / "star.png")
    assert len(drawn[1].axes) == 3


def rewrite(table, change):
    """Changes the rows of a history.csv: change(row number from 0, column → text)."""
    lines = table.read_text().splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("step"))
    names = [c.split(" ")[0] for c in lines[head].split(",")]
    for i in range(head + 1, len(lines)):
        row = dict(zip(names, lines[i].split(","), strict=True))
        change(i - head - 1, row)
        lines[i] = ",".join(row[name] for name in names)
    table.write_text("\n".join(lines) + "\n")


def test_pictures_of_two_stars(copy_of_blast, tmp_path):
    """The same table with a second star in it, which loses mass to the first."""

    def binary(i, row):
        row["separation"] = str(1 + 0.01 * i)
        row["lobe_mass_donor"] = str(0.5 - 0.0625 * i)
        row["lobe_mass_accretor"] = str(1 + 0.03125 * i)
        row["received_mass_accretor"] = str(0.03125 * i)

    rewrite(copy_of_blast / "history.csv", binary)
    history = rednova.Run(copy_of_blast).history
    assert history.two_stars
    assert history.knows_lobes
    assert len(plot.angular_momenta(history)) == 5
    curves = {name: values for name, values, _, _ in plot.transfer(history)}
    assert curves["change in donor's lobe"].tolist() == [-0.0625 * i for i in range(7)]
    assert curves["donor's gas in accretor's lobe"].tolist() == [0.03125 * i for i in range(7)]
    plot.plot_orbit(history, tmp_path / "orbit.png")
    with_transfer = matplotlib.image.imread(tmp_path / "orbit.png")
    assert with_transfer.std() > 0.03

    def merged(i, row):
        if i >= 4:
            row.update(dict.fromkeys(("separation", "lobe_mass_donor", "lobe_mass_accretor", "j_orb"), "nan"))

    rewrite(copy_of_blast / "history.csv", merged)
    history = rednova.Run(copy_of_blast).history
    assert history.two_stars
    assert history.knows_lobes
    plot.plot_orbit(history, tmp_path / "orbit.png")
    assert matplotlib.image.imread(tmp_path / "orbit.png").std() > 0.03

    rewrite(copy_of_blast / "history.csv", lambda _, row: row.update(lobe_mass_donor="0"))
    history = rednova.Run(copy_of_blast).history
    assert not history.knows_lobes
    plot.plot_orbit(history, tmp_path / "orbit.png")
    assert matplotlib.image.imread(tmp_path / "orbit.png").shape[0] < with_transfer.shape[0]


def test_mass_transfer_has_units_and_no_value_for_one_star(blast):
    history = rednova.Run(blast).history
    for name in ("lobe_mass", "received_mass"):
        for star in ("accretor", "donor"):
            assert history.units[f"{name}_{star}"] == "Msun"
            assert not history[f"{name}_{star}"].any()
    assert not history.knows_lobes


def test_a_ledger_tells_what_is_not_conserved(copy_of_blast, tmp_path):
    run = rednova.Run(copy_of_blast)
    assert run.conserved("mass") == [True]
    assert run.conserved("angular_momentum") == [True] * 3
    assert plot.with_law(run, "angular momentum") == [0, 1, 2]
    entry = run.ledger["angular_momentum"]
    entry |= {"conserved": False, "conserved_components": [True, False, False], "remainder": [0, 0.5, 0.5]}
    assert run.conserved("angular_momentum") == [True, False, False]
    assert plot.with_law(run, "angular momentum") == [0]
    assert worst_remainder(run)["angular momentum"] == run.history["relative_angular_momentum_x"].max()
    entry["conserved_components"] = [False] * 3
    assert set(worst_remainder(run)) == {"mass", "momentum", "energy"}
    plot.plot_ledger(run, tmp_path / "ledger.png")
    assert matplotlib.image.imread(tmp_path / "ledger.png").std() > 0.03
    del entry["conserved"], entry["conserved_components"]  # as old versions wrote it
    assert run.conserved("angular_momentum") == [True] * 3


def test_the_flow_s_drift_is_drawn_where_it_has_a_law(copy_of_blast):
    run = rednova.Run(copy_of_blast)
    axes = Figure().add_subplot()
    plot.draw_flow_drift(axes, run, 1e-18)
    (line,) = axes.lines
    assert line.get_label() == "drift of the flow's J / J"
    worst = np.max([np.abs(run.history[f"flow_drift_{d}"]) for d in "xyz"], axis=0)
    assert line.get_ydata().tolist() == np.maximum(worst, 1e-18).tolist()
    run.ledger["flow"] |= {"conserved_components": [False] * 3, "conserved": False}
    plot.draw_flow_drift(axes, run, 1e-18)
    assert len(axes.lines) == 1


def test_titles_count_orbits_wherever_something_turns(blast):
    snapshot = rednova.Run(blast).snapshots[0]
    assert plot.title_of(snapshot) == "t = 0.000 d  (0.00 orbits)", "of a grid that turns"
    snapshot.rotation = 0.0
    assert plot.title_of(snapshot) == "t = 0.000 d"
    snapshot.orbits = -0.5
    assert plot.title_of(snapshot) == "t = 0.000 d  (0.50 orbits)", "of two stars on a grid at rest"


def test_zoom_finds_small_stars():
    class Small:
        domain = (np.array([-100.0] * 3), np.array([100.0] * 3))

        def slice(self, _, pixels):
            image = np.full((pixels, pixels), 1e-12)
            image[210:220, 190:200] = 1.0  # y from 5 to 10, x from -5 to 0
            return rednova.Slice(image, (-100, 100, -100, 100), ("x", "y"), np.empty((0, 3)))

    left, right, bottom, top = plot.zoom_window(Small())
    assert (left + right) / 2 == pytest.approx(-2.5)
    assert (bottom + top) / 2 == pytest.approx(7.5)
    assert right - left == pytest.approx(top - bottom) == pytest.approx(7.0)


def test_command_says_what_is_wrong(tmp_path, capsys):
    assert plot.main([str(tmp_path / "none")]) == 2
    assert "there is no such directory" in capsys.readouterr().err
    with pytest.raises(SystemExit) as stop:
        plot.main([str(tmp_path), "--every", "0"])
    assert stop.value.code == 2
