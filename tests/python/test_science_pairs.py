"""What pages of docs/science say of two stars: of their orbit, merger and ejecta, and their pictures."""

import json
import tomllib
from pathlib import Path

import numpy as np
import pytest
from made_pair import FakeRun
from rednova.history import merged_at
from rednova.science import equal_masses, mass_transfer, v1309, white_dwarfs
from rednova.science.drawing import Pictures, densities, draw_transfer
from rednova.science.ejecta import ejecta, ejecta_of
from rednova.science.inputs import period
from rednova.science.outcome import orbit_of, transfer, transfer_in_words, unbound

ROOT = Path(__file__).resolve().parents[2]


def test_an_orbit_ends_where_the_stars_are_one():
    orbit = orbit_of(FakeRun())
    assert orbit.merged == pytest.approx(3)
    assert orbit.separation_after(2) == "-2.00"
    assert orbit.separation_after(3.5) == "merged"
    assert orbit.flow_drift == pytest.approx(2.99e-5)  # not of the rows after the merger
    when, rate = orbit.transfer_rate()
    assert when == pytest.approx([0.25, 0.75, 1.25, 1.75, 2.25])
    assert rate == pytest.approx(0.02)
    assert unbound(FakeRun())[-1] == pytest.approx(0.03)
    assert orbit.moments == pytest.approx([0, 0.99, 2.99, 3.99])
    assert orbit.fate == "merges after 3.0 orbits"


def test_what_has_become_of_a_pair_is_read_an_orbit_before_it_merges():
    run = FakeRun()
    collapsing = (run.history["orbits"] < -2) & (run.history["stars"] == 2)
    for name in ("separation", "j_orb", "lobe_mass_donor"):
        run.history[name][collapsing] *= 0.01
    orbit = orbit_of(run)
    assert orbit.last == pytest.approx(2)
    assert transfer(orbit)[2] == "4.0"
    assert transfer(orbit)[4:] == ("-2.0", "-1.0")
    assert orbit.largest_rate.startswith("2.00 at ")
    assert "at most 2.00 % in an orbit" in transfer_in_words(orbit)


def test_a_row_without_a_lobe_is_no_merger():
    """docs/files.md: a row does not depend on those before; two stars that are found again are shown again."""
    run = FakeRun()
    for row in (100, 399, 400):
        run.history["stars"][row] = 3 - run.history["stars"][row]
    assert merged_at(run.history) is None
    assert np.isnan(orbit_of(run).merged)
    run.history["stars"][399:] = 1
    assert merged_at(run.history) == 300
    orbit = orbit_of(run)
    assert orbit.merged == pytest.approx(3)
    assert 100 not in orbit.rows
    assert orbit.separation_after(2) == "-2.00"


def test_a_pair_that_survives_is_told_from_a_run_that_is_cut_short():
    run = FakeRun()
    run.history = {name: values[:300] for name, values in run.history.items()}
    whole, cut = orbit_of(run), orbit_of(run, complete=False)
    assert whole.when_merged == cut.when_merged == "not in 3.0"
    assert (whole.followed, cut.followed) == ("3.0", "3.0, cut short")
    assert whole.separation_after(4) == "not reached"
    assert whole.fate.startswith("does not merge in 3.0 orbits")
    assert cut.fate.startswith("has not merged in the 3.0 orbits that there are")
    said = equal_masses.verdict(0.1, whole, cut)
    assert said.endswith("; what is not complete may yet say something else.")
    assert equal_masses.verdict(0.1, whole, whole).endswith(
        ": what New & Tohline found, as far as 3 orbits go."
    )
    merged = orbit_of(FakeRun())
    assert equal_masses.verdict(0.9, merged, merged).endswith(": what Rasio & Shapiro found.")
    assert equal_masses.verdict(0.5, merged, whole).endswith(": the meshes disagree, as far as 3 orbits go.")
    assert "merge with 0.9 and do not with 0.1" in equal_masses.conclusion({0.1: whole, 0.9: merged})
    assert "no fillout from which on" in equal_masses.conclusion({0.1: merged, 0.9: whole})
    assert "all of them merge" in equal_masses.conclusion({0.1: merged})


def test_a_pair_that_falls_without_merging_is_no_orbit_that_is_kept():
    """By 10 % an orbit, for three of them."""
    run = FakeRun()
    run.history = {name: values[:300] for name, values in run.history.items()}
    whole = orbit_of(run)
    run.history["separation"] = 2 * (1 - 0.1 * whole.orbits)
    falling = orbit_of(run)
    for pair in ((falling, falling), (whole, falling), (orbit_of(FakeRun()), falling)):
        said = equal_masses.verdict(0.5, *pair)
        assert said.endswith("is not kept, and going on may end in a merger.")
        assert "Tohline" not in said
        assert "disagree" not in said


class Losing(FakeRun):
    """That run, whose mass leaves the domain at a rate, a share of all in an orbit, and which ends at some row."""

    def __init__(self, rate, end=401):
        super().__init__()
        self.history["outflow_mass"] = -rate * self.history["orbits"] * self.history["mass"]
        self.history = {name: values[:end] for name, values in self.history.items()}


class Given:
    """A library of runs, job → run."""

    def __init__(self, runs):
        self.run = runs.__getitem__

    def note(self, job):
        return {"seconds": 60.0}


def test_masses_that_left_on_two_meshes_are_compared_after_as_many_orbits():
    """The coarser run's stars merge after 3 orbits and are read after 2, the finer one's do not in 3.9."""
    coarse, fine = (equal_masses.job(0.5, level) for level in sorted(equal_masses.LEVELS))
    apart = Losing(1e-3, 391)
    apart.history["stars"][:] = 2
    for name in ("separation", "j_orb", "lobe_mass_donor"):
        apart.history[name][:] = apart.history[name][0]
    said = equal_masses.left_on_both(Given({coarse: Losing(2e-3), fine: apart}), 0.5)
    assert said == "0.40 and 0.20 in 2 orbits with 0.5"
    within_one = Losing(2e-3)
    within_one.history["stars"][50:] = 1
    assert equal_masses.left_on_both(Given({coarse: within_one, fine: apart}), 0.5) == ""


def test_a_donor_that_gains_mass_is_not_said_to_lose_less_than_nothing():
    run = FakeRun()
    run.history["lobe_mass_donor"] = 0.6 - run.history["lobe_mass_donor"]  # grows by 2 % an orbit
    assert transfer_in_words(orbit_of(run)).startswith("the donor gains at least 2.00 % in an orbit")
    assert "and gains 2.00 % at 1.8" in transfer_in_words(orbit_of(run))


def test_mass_that_comes_back_to_the_donor_is_drawn():
    run = FakeRun()
    run.history["lobe_mass_donor"] = 0.6 - run.history["lobe_mass_donor"]  # grows by 2 % an orbit
    right = draw_transfer([(orbit_of(run), {"label": "one"})]).axes[1]
    (curve,) = right.lines
    assert curve.get_ydata() == pytest.approx(-0.02)
    drawn = right.transData.transform(curve.get_xydata())
    assert np.isfinite(drawn).all()


class Shown:
    """A snapshot as far as a picture goes."""

    def __init__(self, orbits):
        self.orbits = -orbits

    def slice(self, *_):
        return self

    @property
    def image(self):
        return np.full((2, 2), 1 - self.orbits)


def test_moments_that_a_run_has_not_come_to_are_not_shown(tmp_path):
    run = FakeRun()
    run.directory, run.snapshots = tmp_path, [Shown(orbits) for orbits in (0, 1, 2, 3, 4)]
    orbits, images = densities(run, Pictures((0.0, 2.0, 2.1, 4.0, 6.0), 1.0))
    assert orbits.tolist() == [0, 2, 4]
    assert images[:, 0, 0].tolist() == [1, 3, 5]


def test_the_stars_plane_of_mass_transfer_is_a_face_of_cells():
    boxes = set()
    for pair in mass_transfer.PAIRS:
        settings = dict(setting.split("=", 1) for setting in pair.job.settings)
        lower, width = json.loads(settings["mesh.lower"]), float(settings["mesh.base_width"])
        assert lower == [-width / 2] * 3
        assert width / 2 ** int(settings["mesh.max_level"]) / 8 * pair.cells == pytest.approx(1, rel=1e-15)
        boxes.add(width)
    assert len(boxes) == 1


def test_gravitational_waves_take_what_peters_says():
    """The orbit decays within T = (5/256) c⁵ a⁴ / (G³ m₁ m₂ M), 433 years (Peters 1964), J at first with 8 T."""
    seconds = 63.2 / (8 * white_dwarfs.waves())
    assert seconds / 3.156e7 == pytest.approx(433, rel=2e-2)


def test_cells_are_those_of_the_input():
    mesh = tomllib.loads((ROOT / "problems/white_dwarfs.toml").read_text())["mesh"]
    assert white_dwarfs.width(5) == pytest.approx(mesh["base_width"] / 2**5 / 8, rel=1e-15)


@pytest.mark.parametrize("mesh", v1309.MESHES)
def test_the_donor_of_v1309_lies_between_two_cells(mesh):
    """A fortieth of a cell away from it J_spin / J_orb is 0.385 with the coarser cells, and not 0.353."""
    stars = v1309.INPUT["problem"]
    masses = stars["accretor_mass"], stars["donor_mass"]
    cells = stars["separation"] * masses[0] / sum(masses) / mesh.cell
    assert cells == pytest.approx(round(cells), abs=0.01)
    settings = dict(setting.split("=", 1) for setting in v1309.job(mesh).settings)
    assert json.loads(settings["mesh.lower"]) == [-mesh.base_width / 2] * 3
    assert float(settings["mesh.base_width"]) / 2 ** int(settings["mesh.max_level"]) / 8 == mesh.cell


def test_periods_are_those_of_the_models():
    """1.42 days and 63 seconds, by the tables of the models (docs/initial_models.md); points have them to 1 %."""
    unit = 1593.5  # seconds
    separation = v1309.INPUT["problem"]["separation"]
    assert period("v1309", separation) * unit / 86400 == pytest.approx(1.42, rel=1e-2)
    assert period("white_dwarfs", white_dwarfs.SEPARATION) * unit == pytest.approx(63, rel=1e-2)
    kilometres = white_dwarfs.SEPARATION * white_dwarfs.KILOMETRES
    assert kilometres == pytest.approx(27200, rel=1e-3)


def test_the_observed_decay_is_that_of_the_law():
    """-P / (dP/dt) of P = exp[15.29 / (t - t0)] by differences; 1338 to 156 years where it was observed."""
    at = np.array(v1309.OBSERVED)
    law = [np.exp(v1309.LAW[0] / (at + step - v1309.LAW[1])) for step in (-1.0, 0.0, 1.0)]
    by_differences = -law[1] / ((law[2] - law[0]) / 2) / 365.25
    # Of second order in a day over the days to t0: 1e-6.
    assert v1309.observed_decay(at) == pytest.approx(by_differences, rel=3e-6)
    assert v1309.observed_decay(at) == pytest.approx([1338, 156], rel=1e-3)


class Columns(dict):
    """A history's columns, and its units."""

    cgs = {"time": 1593.0}  # noqa: RUF012


class Spiral(FakeRun):
    """P = 2 exp(-t / 500), in days, whose phase is (500 / 2) (exp(t / 500) - 1): -P / (dP/dt) is 500 days."""

    def __init__(self):
        super().__init__()
        time = np.linspace(0, 20, 2001)
        columns = {name: np.ones(len(time)) for name in self.history}
        columns |= {"time": time * 86400 / 1593, "orbits": 250 * np.expm1(time / 500)}
        columns["stars"] = np.where(time < time[-1], 2, 1)
        self.history = Columns(columns)


def test_the_decay_of_a_period_is_found():
    when, orbit, years = v1309.period_decay(Spiral())
    assert len(when) == 9  # between the periods of ten orbits
    assert orbit == pytest.approx(2 * np.exp(-when / 500), rel=1e-5)
    assert years * v1309.YEAR == pytest.approx(500, rel=1e-2)  # of linear interpolation in the table


class Cells:
    """Cells of mass 2 that move at 3 in potentials above and below -4.5, at their distances from the origin."""

    time = 10 * 86400 / 1593.0
    cell_volume = np.full((1, 1, 1, 1), 4.0)
    fields = {  # noqa: RUF012
        "density": 0.5,
        "velocity_x": 0.0,
        "velocity_y": 3.0,
        "velocity_z": 0.0,
        "gravitational_potential": np.array([-4.0, -4.0, -5.0, -4.4]),
    }

    def centres(self):
        return np.array([1.0, 2.0, 1.0, -1.0]).reshape(1, 1, 1, 4), np.zeros((1, 1, 1, 1)), None

    def __getitem__(self, name):
        return np.broadcast_to(self.fields[name], (1, 1, 1, 4))


def test_ejecta_are_the_cells_that_escape():
    angular_momentum, energy = ejecta(Cells())
    assert angular_momentum == pytest.approx(2 * 3 * (1 + 2 - 1))
    assert energy == pytest.approx(2 * (0.5 + 0.5 + 0.1))


class Gone(Spiral):
    """That spiral, of which as much leaves the domain until its last snapshot, after ten days, as after that."""

    snapshots = (Cells(),)
    initial_model = {  # noqa: RUF012
        "rows": [
            {"what": what, "reached": reached}
            for what, reached in {
                "radius of the accretor": 3.7,
                "radius of the donor": 1.4,
                "J_spin / J_orb": 0.351,
            }.items()
        ]
    }

    def __init__(self, directory):
        super().__init__()
        self.directory = directory
        rows = np.ones(len(self.history["time"]))
        left = self.history["time"] / Cells.time
        self.history |= {"lobe_mass_accretor": 4 * rows, "lobe_mass_donor": rows, "separation": 2 * rows}
        self.history |= {"angular_momentum_z": 80 * rows, "outflow_angular_momentum_z": 4 * left}
        self.history |= {"outflow_energy": 0.8 * left}


def test_ejecta_are_those_at_the_time_of_the_last_snapshot(tmp_path):
    found = ejecta_of(Gone(tmp_path))
    assert found["angular_momentum"] == pytest.approx(12 + 4)
    assert found["energy"] == pytest.approx(2.2 + 0.8)


class Thrown(Gone):
    """The same, whose stars merge after six days, and whose unbound gas is a share of 0.02 of all gas more each day."""

    def __init__(self, directory):
        super().__init__(directory)
        time = np.linspace(0, 20, 2001)
        self.history["stars"] = np.where(time < 6, 2, 1)
        self.history |= {"mass": np.full(len(time), 10.0), "unbound_mass_kinetic": 0.2 * time}
        self.history["outflow_unbound_mass_kinetic"] = 0 * time


def said_of_v1309(run):
    return v1309.verdict(Given(dict.fromkeys(v1309.JOBS, run)), v1309.FINE)


def test_all_ejecta_are_those_of_one_time(tmp_path):
    """Of the last snapshot, ten days before the last row."""
    found = v1309.Ejecta.of(Thrown(tmp_path))
    assert found.days == pytest.approx(4, abs=0.02)
    assert found.mass == pytest.approx(0.2)
    assert found.momentum == pytest.approx(16 / 80)


def test_unbound_mass_is_a_share_of_the_giant_which_is_the_accretor(tmp_path):
    """2 of 10 are unbound, of a giant of 4 and a companion of 1."""
    said = said_of_v1309(Thrown(tmp_path))
    assert (
        "4 days after the merger 50.0 % of the mass that was in the lobe of the giant, here the accretor"
        in said
    )


def test_ejecta_before_the_merger_are_not_said_to_be_after_it(tmp_path):
    said = said_of_v1309(Gone(tmp_path))
    assert said.endswith("There is no snapshot after the merger yet.")
    assert "unbound" not in said


def test_a_period_that_grows_is_said_to():
    assert v1309.decay_in_words(1.5) == "1.50 years"
    assert v1309.decay_in_words(-1.5) == "-1.50 years, the period growing,"


def test_the_page_on_v1309_counts_what_has_left_the_domain(tmp_path, monkeypatch):
    class Runs:
        def run(self, job):
            assert job in v1309.JOBS
            return Gone(tmp_path)

        def has(self, job):
            return True

        def note(self, job):
            return {"seconds": 60.0}

    monkeypatch.setattr(v1309, "draw_densities", lambda *_: None)
    monkeypatch.setattr(v1309, "books", lambda _: (1e-14, 1e-14))
    text = v1309.page(Runs(), tmp_path)
    (fine,) = (line for line in text.splitlines() if line.startswith("| 0.250 |"))
    cells = [cell.strip() for cell in fine.strip("|").split("|")]
    assert cells[1:3] == ["14.8 and 5.6", "0.351"]
    assert cells[9] == "20.0", "12 in the domain and 4 outside, of 80"
    assert cells[10] == "3.00", "2.2 in the domain and 0.8 outside, over 4 x 1 / (2 x 2)"
    assert "fell from 1338 to 156 years" in text
    assert "the pair merges after" in text
    assert (tmp_path / "v1309.png").stat().st_size > 1000
