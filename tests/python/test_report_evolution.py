"""What rednova-report shows of changes in time: orbits, mergers, drift, driving."""

import numpy as np
import pytest
import rednova
from matplotlib.figure import Figure
from rednova import pictures, plot
from rednova.report import evolution, parts, sources
from report_reader import execute


def test_two_stars_that_have_merged(pair_report):
    """Columns of the orbit are nan from then on."""
    source = sources.read(pair_report.run)
    table = source.history.data
    table["stars"][3:] = 1
    for name in ("separation", "j_orb", "orbital_frequency", "lobe_mass_accretor", "lobe_mass_donor"):
        table[name][3:] = np.nan
    orbit = evolution.orbit(source)
    assert any("then they have merged" in getattr(part, "text", "") for part in orbit.parts)
    assert orbit.parts[0].rows[-1][2] == parts.NOTHING
    separation = evolution.drift(source).parts[0].rows[0]
    assert float(separation[2]) == pytest.approx(table["separation"][2], rel=1e-7), "the last that there is"
    mass = next(
        row for row in evolution.transfer(source).parts[0].rows if row[0].startswith("mass in the donor")
    )
    assert float(mass[2]) == pytest.approx(table["lobe_mass_donor"][2], rel=1e-7)


def test_changes_an_orbit_are_of_whole_orbits(pair_report):
    source = sources.read(pair_report.run)
    source.history.data["orbits"] = np.linspace(0, 2, len(source.history))
    (row,) = evolution.changes(source, [("x", np.linspace(1.0, 2.0, len(source.history)), "1")]).rows
    assert row == ["x", "1", "2", "1", "0.5"]


class Table(dict):
    """Columns without a file."""

    two_stars = True

    def __len__(self):
        return len(self["time"])


def test_tables_show_round_parts_and_multiples_of_orbits():
    time = np.linspace(0, 10, 401)
    table = Table(time=time, stars=np.full(401, 2.0), orbits=-4 * time)  # ten rows an orbit
    assert evolution.chosen_rows(table) == list(range(0, 401, 40))
    table["stars"][106:] = 1
    assert evolution.chosen_rows(table) == sorted([*range(0, 401, 40), 105])
    table["orbits"] = 0.04 * time
    assert evolution.chosen_rows(table)[:3] == [0, 50, 100], "0.05 orbits"
    table["orbits"] = 0 * time
    assert len(evolution.chosen_rows(table)) <= evolution.MOST_ROWS


def test_rates_are_means_over_rows():
    time = np.array([0.0, 1, 2, 4, 6])
    table = Table(time=time, mass=np.array([0.0, 2, 2, 4, 10]))
    assert evolution.mean_rate(table, "mass", intervals=2).tolist() == [1, 1, 2, 2, 2]


def test_orbits_that_stop_at_a_merger_are_no_time_axis(pair_report):
    """`mesh.inertial_after_merger`: the count stands still from then on."""
    history = rednova.Run(pair_report.run).history
    table = history.data
    assert pictures.time_of(history)[1] == "time  [orbits]"
    table["orbits"] = -np.minimum(2.0, np.arange(len(history)))
    assert pictures.orbits_of(history) is None
    axis, label = pictures.time_of(history)
    assert (axis.tolist(), label) == (history["time"].tolist(), "time  [code units]")
    # Three orbits with two stars, and as long without a count.
    time = np.linspace(0, 10, 401)
    merged = Table(time=time, stars=np.where(time < 5, 2.0, 1.0), orbits=np.minimum(3.0, 0.6 * time))
    rows = evolution.chosen_rows(merged)
    assert np.diff(time[rows]).max() < 2, "also after the merger"
    assert len(rows) <= evolution.MOST_ROWS


def test_a_change_an_orbit_needs_orbits_to_the_end(pair_report):
    source = sources.read(pair_report.run)
    rows = len(source.history)
    source.history.data["orbits"] = np.minimum(2.0, np.arange(rows))
    (row,) = evolution.changes(source, [("x", np.linspace(1.0, 2.0, rows), "1")]).rows
    assert row[-1] == parts.NOTHING


@pytest.fixture(scope="module")
def driven(pair_report, program, tmp_path_factory):
    """The pair goes on, driven."""
    where = tmp_path_factory.mktemp("driven") / "run"
    settings = ("driving.rate=0.5", "run.max_steps=10", "mesh.regrid_interval=2")
    execute(
        *(program, "restart", pair_report.run, "--out", where),
        *(word for setting in settings for word in ("--set", setting)),
    )
    return where


def test_driving_is_no_drift(driven):
    run = rednova.Run(driven)
    history = run.history
    taken = history["driven_angular_momentum_z"]
    flow, scale = history.flow_angular_momentum, run.ledger["flow"]["scale"]
    # Sums of some numbers of the size of J.
    assert flow - flow[0] == pytest.approx(
        (history["flow_drift_z"] - history["flow_drift_z"][0]) * scale, abs=1e-15 * scale
    )
    assert history.all_angular_momentum == pytest.approx(history.all_angular_momentum[0], rel=1e-14)
    assert -taken[-1] > 1e-3 * scale, "that is far above the bounds"
    curves = {name: values for name, values, _ in plot.angular_momenta(history)}
    assert np.array_equal(curves["total, with outflow, without driving"], history.all_angular_momentum)
    assert np.array_equal(curves["of the flow, with outflow, without driving"], flow)
    shown = {row[0]: float(row[3]) for row in evolution.drift(sources.read(driven)).parts[0].rows}
    unit = "[M L²/T]"
    assert abs(shown[f"angular momentum z, with outflow, without driving {unit}"]) < 1e-14 * scale
    assert shown[f"angular momentum z of the flow, with outflow, without driving {unit}"] == pytest.approx(
        flow[-1] - flow[0], rel=1e-3
    )


def test_a_run_that_is_not_driven_does_not_speak_of_it(pair_report):
    assert pictures.put_back(rednova.Run(pair_report.run).history) == "with outflow"


def bars_of(run):
    """Label → heights."""
    axes = Figure().add_subplot()
    plot.draw_flows(axes, run, 1e-18)
    return {bars.get_label(): [bar.get_height() for bar in bars] for bars in axes.containers}


def test_bars_of_the_ledger_have_what_driving_and_points_added(driven, pair_report):
    run = rednova.Run(driven)
    bars = bars_of(run)
    assert list(bars) == ["outflow", "floors", "regrid", "driven", "remainder"]
    entry = run.ledger["angular_momentum"]
    share = np.abs(entry["driven"]).max() / np.max(entry["magnitude"])
    assert bars["driven"][2] == pytest.approx(share)
    assert bars["driven"][0] == 1e-18, "no mass"
    run = rednova.Run(pair_report.run)
    assert list(bars_of(run)) == ["outflow", "floors", "regrid", "remainder"]
    run.ledger["energy"]["points"] = 0.5 * run.ledger["energy"]["magnitude"]
    assert bars_of(run)["points"] == [1e-18, 1e-18, 1e-18, pytest.approx(0.5)]
