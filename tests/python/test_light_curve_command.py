"""`rednova-lightcurve` on runs: its table, pictures and summary, what it compares, and what it refuses."""

import shutil

import h5py
import matplotlib.image
import numpy as np
import pytest
import rednova
from blast_input import BLAST
from rednova import lightcurve
from rednova.lightcurve import curve, opacity
from rednova.report import sky as section
from rednova.report import sources
from rednova.report.parts import Missing, Section

SMALL = ("mesh.max_level=1", "run.max_steps=3", "output.snapshot_time=0.02")
DAY = 86400.0
POWER = 1.98841e33 * 6.957e10**2 / 1592.86**3  # erg/s


@pytest.fixture(scope="session")
def star(run_of):
    """A star that shines, in code units."""
    return run_of("shining_star", *SMALL)


@pytest.fixture(scope="session")
def star_again(run_of):
    """The same with twice the substeps."""
    return run_of("shining_star", *SMALL, "radiation.substeps=32")


@pytest.fixture(scope="session")
def hot_blast(make_run):
    """A blast with light and the analytic opacity, in solar units."""
    light = '[radiation]\nenabled = true\nopacity = "analytic"\nhydrogen = 0.6\nmetals = 0.03\n'
    return make_run("hot_blast", BLAST + light)


@pytest.fixture(scope="session")
def dusty_blast(make_run):
    """The same with dust, in gas that is cool where the blast has not come."""
    light = '[radiation]\nenabled = true\nopacity = "analytic"\nhydrogen = 0.6\nmetals = 0.03\ndust = true\n'
    return make_run("dusty_blast", BLAST.replace('"sedov"', '"sedov"\npressure = 5e-5') + light)


def command(capsys, *words):
    """Exit code, standard output and standard error."""
    code = lightcurve.main([str(word) for word in words])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_the_opacity_is_that_of_the_program(hot_blast):
    snapshot = rednova.Run(hot_blast).snapshots[-1]
    rho = snapshot["density"] * snapshot.units.density
    kappa = opacity.extinction(opacity.Composition(0.6, 0.03), rho, snapshot["temperature"])
    width = snapshot.width[:, None, None, None] * snapshot.units.length
    assert np.ptp(np.log10(snapshot["temperature"])) > 2, "many temperatures are looked at"
    # Powers by other functions: some rounding in each.
    assert snapshot["optical_depth"] == pytest.approx(rho * kappa * width, rel=1e-12)


def test_the_opacity_of_dust_is_that_of_the_program(dusty_blast, tmp_path, capsys):
    snapshot = rednova.Run(dusty_blast).snapshots[-1]
    rho, t = snapshot["density"] * snapshot.units.density, snapshot["temperature"]
    kappa, bare = (opacity.extinction(opacity.Composition(0.6, 0.03, dust), rho, t) for dust in (True, False))
    width = snapshot.width[:, None, None, None] * snapshot.units.length
    assert snapshot["optical_depth"] == pytest.approx(rho * kappa * width, rel=1e-12)
    assert (kappa > 10 * bare).any(), "there is dust"
    assert (kappa < 1.01 * bare).any(), "and gas that is too hot for it"


def test_the_table_has_a_row_for_each_snapshot_and_direction(star, tmp_path, capsys):
    code, out, err = command(capsys, star, "--direction", "-z", "--direction", "60,30", "--out", tmp_path)
    assert (code, err) == (0, "")
    run, table = rednova.Run(star), rednova.History(tmp_path / "light_curve.csv")
    assert len(table) == 2 * len(run.snapshots) > 2
    assert list(table["step"]) == [s.step for s in run.snapshots for _ in range(2)]
    assert list(curve.by_direction(table)) == ["-z", "0.75,0.43301,0.5"]
    views = curve.watch(run.snapshots[-1], [curve.Choice("-z"), curve.Choice("60,30")])
    for row, view in zip((-2, -1), views, strict=True):
        expected = (
            view.luminosity,
            view.effective_temperature,
            view.colour_temperature,
            view.area,
            len(view.size),
        )
        names = ("luminosity", "effective_temperature", "colour_temperature", "visible_area", "rays")
        assert [table[name][row] for name in names] == pytest.approx(expected, rel=1e-9)
    # Nothing leaves a box in the first steps, as an observer far away would see it; the column is that of history.csv.
    assert table["luminosity_outflow"][-1] == pytest.approx(run.history["luminosity"][-1], rel=1e-9)
    assert np.isnan(table["luminosity_outflow"][0]), "there is no step before the first row"
    assert "magnitude_I" not in table.units
    assert table.units["effective_temperature"] == "1", "code units have no kelvin"
    assert 'name = "rotating_star"' in table.input
    assert "no erg/s, days and magnitudes" in out
    assert "are rough" in out, "a cell at its surface has a depth of many"
    assert matplotlib.image.imread(tmp_path / "light_curve.png").shape[0] > 300
    assert sorted(path.name for path in tmp_path.iterdir()) == ["light_curve.csv", "light_curve.png"]


def test_units_of_the_sun_give_erg_days_and_magnitudes(hot_blast, tmp_path, capsys):
    far = ("--distance", 1000, "--snapshots", 1, "--image", "--pixels", 64)
    code, out, _ = command(capsys, hot_blast, *far, "--direction", "x", "--out", tmp_path)
    assert code == 0
    run, table = rednova.Run(hot_blast), rednova.History(tmp_path / "light_curve.csv")
    assert table["luminosity_cgs"] == pytest.approx(table["luminosity"] * POWER, rel=1e-5)
    assert table["day"] == pytest.approx(table["time"] * 1592.86 / DAY, rel=1e-5)
    assert table.units["effective_temperature"] == table.units["colour_temperature"] == "K"
    (view,) = curve.watch(run.snapshots[1], [curve.Choice("x")])
    assert table["magnitude_I"][0] == pytest.approx(view.magnitude(10.0) + 10, abs=1e-6), "100 times as far"
    # σT⁴ of the area, by constants from elsewhere.
    area = table["visible_area"][0] * 6.957e10**2
    assert table["luminosity_cgs"][0] == pytest.approx(
        4 * area * 5.670374419e-5 * table["effective_temperature"][0] ** 4, rel=1e-4
    )
    assert f"{table['magnitude_I'][0]:.5g}" in out
    assert (tmp_path / "sky_00001_x.png").is_file()


def test_a_run_without_light_needs_an_opacity(blast, hot_blast, tmp_path, capsys):
    code, _, err = command(capsys, blast, "--out", tmp_path)
    assert code == 2
    assert "has no light" in err
    assert "--opacity analytic" in err
    law = ("--opacity", "analytic", "--metallicity", 0.03, "--hydrogen", 0.6)
    code, out, _ = command(capsys, blast, *law, "--direction", "x", "--snapshots", 0, "--out", tmp_path)
    assert code == 0
    assert "by outflow: nothing" in out
    # The first snapshot is the same with light and without.
    mine = rednova.History(tmp_path / "light_curve.csv")
    command(capsys, hot_blast, "--direction", "x", "--snapshots", 0, "--out", tmp_path)
    assert mine["luminosity"] == pytest.approx(
        rednova.History(tmp_path / "light_curve.csv")["luminosity"], rel=1e-9
    )
    code, _, err = command(capsys, hot_blast, *law, "--out", tmp_path)
    assert code == 2
    assert "leave out --opacity" in err


def test_twice_the_substeps_give_the_error(star, star_again, tmp_path, capsys):
    code, out, _ = command(capsys, star, "--compare", star_again, "--direction", "x", "--out", tmp_path)
    assert code == 0
    lines = [line for line in out.splitlines() if line.startswith("  ") and " at t = " in line]
    assert [line.split(":")[0].strip() for line in lines] == ["outflow", "seen from x"]
    a, b = (rednova.Run(run).history.data[1:] for run in (star, star_again))
    # Steps of the two end at times of their own, but for snapshots.
    inside = (a["time"] >= b["time"][0]) & (a["time"] <= b["time"][-1])
    apart = np.abs(a["luminosity"] - np.interp(a["time"], b["time"], b["luminosity"]))[inside]
    expected = apart.max() / a["luminosity"][inside].max()
    assert float(lines[0].split()[1]) == pytest.approx(expected, rel=1e-2)
    assert expected > 0
    assert "another" not in out
    same = command(capsys, star, "--compare", star, "--direction", "x", "--out", tmp_path)
    assert same[0] == 2
    assert "radiation.substeps=32" in same[2]


def with_outflow(run, copy, time, luminosity):
    """A copy of a run whose history has these rows."""
    shutil.copytree(run, copy)
    history = rednova.History(copy / "history.csv")
    lines = (copy / "history.csv").read_text().splitlines()
    head = [n for n, line in enumerate(lines) if line.startswith("#")][-1] + 2
    rows = np.repeat(history.data[-1:], len(time))
    rows["step"], rows["time"], rows["luminosity"] = np.arange(len(time)), time, luminosity
    lines = lines[:head] + [",".join(f"{value:.17g}" for value in row) for row in rows]
    (copy / "history.csv").write_text("\n".join(lines) + "\n")
    return copy


def test_a_plateau_behind_a_flash_is_compared_on_its_own(star, star_again, tmp_path, capsys):
    time = np.linspace(0, 8, 81)
    flash = time < 1
    run = with_outflow(star, tmp_path / "run", time, np.where(flash, 9e40, 3e35))
    other = with_outflow(star_again, tmp_path / "other", time, np.where(flash, 9e40, 3.3e35))

    def compared(*span):
        words = ("--compare", other, *span, "--direction", "x", "--out", tmp_path)
        code, out, _ = command(capsys, run, *words)
        assert code == 0
        lines = out.splitlines()
        (heading,) = (line for line in lines if line.startswith("against"))
        (outflow,) = (line for line in lines if line.startswith("  outflow:"))
        largest, _, _, _, _, rms, median, points, _ = outflow.removeprefix("  outflow:").split()
        return heading, *(float(word.strip("(,")) for word in (largest, rms, median, points))

    heading, largest, rms, median, points = compared()
    assert "since" not in heading
    assert (largest, points) == (pytest.approx(3e34 / 9e40, rel=1e-2), 80), (
        "the first row has no step before it"
    )
    assert rms < 1e-5
    assert median == pytest.approx(0.1), "most of the rows are of the plateau"
    for span, words, expected in (
        (("--since", 5), "since t = 5 time:", 31),
        (("--since", 5, "--until", 6), "since t = 5 time until t = 6 time:", 11),
    ):
        heading, *figures, points = compared(*span)
        assert words in heading
        assert figures == pytest.approx([0.1, 0.1, 0.1]), "to the digits that are printed"
        assert points == expected
    assert compared("--until", 0.5)[1:] == (0, 0, 0, 5)


def test_rays_are_compared_in_the_same_span(star, star_again, tmp_path, capsys):
    times = [s.time for s in rednova.Run(star).snapshots]
    assert len(times) > 2
    half = (times[0] + times[1]) / 2

    def points(*span):
        words = ("--compare", star_again, *span, "--direction", "x", "--out", tmp_path)
        code, out, _ = command(capsys, star, *words)
        assert code == 0
        assert len(rednova.History(tmp_path / "light_curve.csv")) == len(times), "the table has all of them"
        (seen,) = (line for line in out.splitlines() if line.startswith("  seen from x:"))
        return seen.partition("(")[2]

    count = int(points().split()[0])
    assert count > 1
    assert points("--since", half) == f"{count - 1} points)"


def test_a_span_without_rows_is_told_by_its_option(star, star_again, tmp_path, capsys):
    def complaint(*words):
        code, out, err = command(capsys, star, *words, "--out", tmp_path / "none")
        assert (code, out) == (2, "")
        assert not (tmp_path / "none").exists(), "before rays take their time"
        return err

    end = f"{rednova.Run(star).history['time'][-1]:g}"
    late = complaint("--compare", star_again, "--since", 50)
    assert "--since 50: nothing to compare" in late
    assert "--until" not in late
    assert f"to {end}" in late
    assert "--until 1e-09: nothing" in complaint("--compare", star_again, "--until", 1e-9)
    between = complaint("--compare", star_again, "--since", 1e-9, "--until", 2e-9)
    assert "--since 1e-09 --until 2e-09: nothing" in between
    assert "--since 3 is not before --until 2" in complaint(
        "--compare", star_again, "--since", 3, "--until", 2
    )
    assert "give --compare OTHER" in complaint("--since", 0.1)
    assert "give --compare OTHER" in complaint("--until", 0.1)


def test_snapshots_are_compared_in_the_order_of_time(star, star_again, tmp_path, capsys):
    numbers = list(range(len(rednova.Run(star).snapshots)))
    assert len(numbers) > 1

    def compared(*chosen):
        options = ("--compare", star_again, "--direction", "x", "--out", tmp_path, "--snapshots", *chosen)
        code, out, _ = command(capsys, star, *options)
        assert code == 0
        return out, rednova.History(tmp_path / "light_curve.csv")["step"].tolist()

    assert compared(*numbers[::-1], numbers[0]) == compared(*numbers)


def test_differences_are_of_times_that_both_have():
    time = np.linspace(0, 1, 11)
    line = time, 1 + time
    late = time + 0.55, 1 + time + 0.55
    found = curve.between(line, late)
    assert (found.points, found.largest, found.rms) == (
        5,
        pytest.approx(0, abs=1e-15),
        pytest.approx(0, abs=1e-15),
    )
    bump = time, 1 + time + np.where(time == 0.5, 0.2, 0)
    found = curve.together(line, bump)
    assert (found.largest, found.time, found.points) == (pytest.approx(0.1), 0.5, 11)
    assert found.rms == pytest.approx(0.2 / np.sqrt(np.sum((1 + time) ** 2)))
    assert found.median == 0, "most points have no difference"
    dark = time, np.where(time < 0.65, 0.0, 1.0)
    found = curve.between(dark, (time, dark[1] * 1.25 + 1e-3))
    assert found.median == pytest.approx(0.251), "of what shines"
    assert found.points == 11
    assert curve.together(line, (time + 0.05, 1 + time)) is None
    orbits = time + 5e-5  # two runs do not have the same orbits to rounding
    assert curve.together(line, (orbits, 1 + orbits)).points == 11
    assert curve.together(line, bump, (0.45, 0.75)).points == 3
    assert curve.between(line, (time + 2, time)) is None


def test_what_is_wrong_is_said(star, hot_blast, tmp_path, capsys):
    def complaint(*words):
        code, out, err = command(capsys, *words)
        assert (code, out) == (2, "")
        assert err.startswith("rednova-lightcurve: ")
        assert err.count("\n") == 1
        return err

    assert "length is zero" in complaint(star, "--direction", "0,0,0")
    assert "no such directory" in complaint(tmp_path / "nothing")
    assert "has no snapshot 77" in complaint(star, "--snapshots", 77)
    assert "give all three" in complaint(star, "--opacity", "analytic")
    assert "--dust is a part of --opacity analytic" in complaint(star, "--dust")
    assert "exceed 1" in complaint(star, "--opacity", "analytic", "--metallicity", 0.5, "--hydrogen", 0.6)
    empty = tmp_path / "empty"
    empty.mkdir()
    shutil.copy(star / "history.csv", empty)
    assert "holds no snapshots" in complaint(empty)
    with pytest.raises(SystemExit) as left:
        command(capsys, star, "--rays", 0)
    assert left.value.code == 2


def test_a_snapshot_without_the_fields_is_told_which(run_of, tmp_path, capsys):
    run = run_of("shining_star", "mesh.max_level=1", "run.max_steps=1", 'output.fields=["density"]')
    code, _, err = command(capsys, run, "--out", tmp_path)
    assert code == 2
    assert "has no optical_depth" in err
    assert "output.fields" in err


def test_code_units_have_no_opacity_in_cgs(run_of, tmp_path, capsys):
    run = run_of("star_at_rest", "mesh.max_level=1", "run.max_steps=1")
    law = ("--opacity", "analytic", "--metallicity", 0.02, "--hydrogen", 0.7)
    code, _, err = command(capsys, run, *law, "--out", tmp_path)
    assert code == 2
    assert 'units.system = "solar"' in err


def test_a_report_has_the_light_curve(star, hot_blast, tmp_path, capsys):
    copy = shutil.copytree(star, tmp_path / "run")
    assert isinstance(section.light_curve(sources.read(copy)), Missing)
    command(capsys, copy, "--direction", "x", "--direction", "z")
    made = section.light_curve(sources.read(copy))
    assert isinstance(made, Section)
    table = rednova.History(copy / "light_curve.csv")
    rows = made.parts[0].rows
    assert [row[0] for row in rows] == ["x", "x", "z", "z"]
    assert float(rows[1][2]) == pytest.approx(table["luminosity"][-2], rel=1e-4)
    assert made.parts[2].png.startswith(b"\x89PNG")
    sized = shutil.copytree(hot_blast, tmp_path / "sized")
    command(capsys, sized, "--direction", "x")
    headings = section.light_curve(sources.read(sized)).parts[0].headings
    assert headings[2:4] == ["luminosity [erg/s]", "T_eff [K]"]
    assert "I [mag]" in headings
    (copy / "light_curve.csv").write_text("nothing")
    with pytest.raises(ValueError, match="writes it again"):
        section.light_curve(sources.read(copy))


def test_a_light_curve_of_other_snapshots_is_missing(star, tmp_path, capsys):
    copy = shutil.copytree(star, tmp_path / "run")
    command(capsys, copy, "--direction", "x")
    assert isinstance(section.light_curve(sources.read(copy)), Section)
    last = rednova.Run(copy).snapshot_paths[-1]
    with h5py.File(last, "r+") as file:  # as of a branch: the same step at another time
        file["Info"].attrs["Time"] *= 1 + 1e-6
    made = section.light_curve(sources.read(copy))
    assert isinstance(made, Missing)
    assert "light_curve.csv is of other snapshots: rednova-lightcurve writes it again" in made.text
    with h5py.File(last, "r+") as file:
        file["Info"].attrs["Time"] /= 1 + 1e-6
    assert isinstance(section.light_curve(sources.read(copy)), Section)
    last.unlink()
    assert isinstance(section.light_curve(sources.read(copy)), Section), "who lacks space removes snapshots"
    rows = (copy / "history.csv").read_text().splitlines(keepends=True)
    (copy / "history.csv").write_text("".join(rows[:-1]))  # a restart from an earlier step
    assert isinstance(section.light_curve(sources.read(copy)), Missing)


def test_a_report_on_a_run_without_light_does_not_speak_of_it(blast):
    assert section.light_curve(sources.read(blast)) is None
