"""Pages of docs/science: what they calculate from models and tables, and when the command writes none."""

import json
import re
import shlex
import tomllib
from pathlib import Path

import numpy as np
import pytest
from rednova.science import __main__ as science
from rednova.science import darwin, equal_masses, v1309, white_dwarfs
from rednova.science.inputs import period
from rednova.science.outcome import orbit_of, unbound
from rednova.science.repeat import WIDTH, command
from rednova.verify.library import MARK, Library

ROOT = Path(__file__).resolve().parents[2]


def test_the_limit_of_a_power_law_is_found_exactly():
    """J_spin / J_orb = (0.03 / q) is a third at 0.09: a straight line in the logarithms."""
    assert darwin.limit([0.03 / q for q in darwin.RATIOS]) == pytest.approx(0.09, rel=1e-12)
    assert np.isnan(darwin.limit([0.01 / q for q in darwin.RATIOS]))


def test_the_estimate_by_hand_is_between_the_published_limits():
    """0.085 to 0.095 for n = 3 (Arbutina 2009), 0.071 to 0.078 for 0.06 (Arbutina 2007): its lobe and point are coarse,
    and the last digit is rounded."""
    assert 0.08 < darwin.estimated_limit(0.07536) < 0.095
    assert 0.065 < darwin.estimated_limit(0.06) < 0.0785


def rigid_pair(separation, ratio, inertia):
    """What the model of two rigid stars has, the secondary a point, in units of their separation and mass; G = 1.

    inertia: of the primary, where a separation of 1 is that of the sequence's first model.
    """
    reduced, turn = ratio / (1 + ratio) ** 2, separation**-1.5
    spin, orbit = inertia * turn, reduced * separation**0.5
    energy = -1.5 - reduced / (2 * separation) + inertia * turn**2 / 2
    table = {
        "J_spin / J_orb": spin / orbit,
        "period": 2 * np.pi,
        "mass of the accretor": 1 / (1 + ratio),
        "mass of the donor": ratio / (1 + ratio),
    }
    parts = {
        "kinetic_energy": 0.1,
        "internal_energy": 0.2,
        "gravitational_energy": separation * energy - 0.3,
    }
    return table, parts


class Model:
    """What a run of no step says of its model."""

    def __init__(self, table, parts):
        self.initial_model = {"rows": [{"what": name, "reached": x} for name, x in table.items()]}
        self.history = {name: np.array([x]) for name, x in parts.items()}


def test_rigid_stars_have_their_least_angular_momentum_where_the_spin_is_a_third():
    """J = mu sqrt(a) + I a^(-3/2): J_orb = 3 J_spin (Hut 1980). Differences are of second order in steps of 3 %."""
    reduced = 0.07 / 1.07**2
    inertia = 0.4 * reduced  # J_spin / J_orb = 0.4 / a²
    separations = np.linspace(1, 1.25, 8)
    sequence = darwin.Sequence.of(Model(*rigid_pair(a, 0.07, inertia)) for a in separations)
    assert sequence.separation == pytest.approx(separations, rel=3e-5)
    at, share = sequence.least()
    assert at == pytest.approx(np.sqrt(1.2), rel=2e-4)
    assert share == pytest.approx(1 / 3, rel=4e-4)
    assert sequence.where(1 / 3) == pytest.approx(np.sqrt(1.2), rel=4e-4)
    three = darwin.Sequence.of(Model(*rigid_pair(a, 0.07, inertia)) for a in np.sqrt(1.2) * separations[:3])
    assert three.slope()[0] == pytest.approx(0, abs=5e-4)


def test_the_ratio_where_a_slope_changes_its_sign_is_found():
    assert darwin.turning(np.log(np.array(darwin.RATIOS) / 0.09)) == pytest.approx(0.09, rel=1e-12)
    assert np.isnan(darwin.turning(np.ones(len(darwin.RATIOS))))


@pytest.fixture
def library(tmp_path):
    """Runs of the page on Darwin's limit that hold what a model with a given q_min would have reached."""
    made = Library(tmp_path / "runs" / "abc", Path("none"), ROOT / "problems")
    for job in darwin.JOBS:
        words = job.name.split("_")
        ratio, at, level = float(words[1]), float(words[-2]), int(words[-1])
        table, parts = rigid_pair(
            1 / at if "detached" in words else 1.1 - at / 10, ratio, 0.4 * 0.07 / 1.07**2
        )
        if "detached" not in words:
            table["J_spin / J_orb"] = (0.08 + 0.01 * at) / (3 * ratio)
        table |= {"radius of the accretor": 0.5, "radius of the donor": 0.2, "virial error": 1e-3 / level}
        where = made.root / job.name
        where.mkdir(parents=True)
        rows = [{"what": name, "asked": None, "reached": x, "note": ""} for name, x in table.items()]
        (where / "initial_model.json").write_text(json.dumps({"rows": rows}))
        units = "# 1 tu = 1 s, 1 Rsun = 1 cm, 1 Msun = 1 g\n#\n"
        columns = ",".join(f"{name} [1]" for name in parts)
        values = ",".join(f"{x:.17g}" for x in parts.values())
        (where / "history.csv").write_text(f"# rednova 0.2.0 (abc)\n{units}{columns}\n{values}\n")
        note = {"key": made._key(job), "program": "0.2.0 (abc)", "seconds": 60.0}
        (where / MARK).write_text(json.dumps(note))
    return made


def program(tmp_path, commit):
    path = tmp_path / "rednova"
    path.write_text(f"#!/bin/sh\nprintf 'rednova 0.2.0\\ncommit {commit}\\n'\n")
    path.chmod(0o755)
    return path


def test_a_page_is_written_from_its_runs(library, tmp_path):
    out = tmp_path / "out"
    words = ["darwin", "--draw", "--runs", str(library.root.parent), "--out", str(out)]
    assert science.main([*words, "--program", str(program(tmp_path, "abc"))]) == 0
    text = (out / "darwin.md").read_text()
    for q_min in ("0.08", "0.085", "0.09"):
        assert f"| {q_min} | {q_min} | 0.5 | 0.2 |" in text
    assert f"from runs of Rednova 0.2.0 (abc), which took {len(darwin.JOBS)}.0 minutes" in " ".join(
        text.split()
    )
    assert (out / "darwin.png").stat().st_size > 1000


def test_runs_that_are_missing_are_named(library, tmp_path, capsys):
    (library.root / darwin.JOBS[3].name / MARK).unlink()
    out = tmp_path / "out"
    words = ["darwin", "--draw", "--runs", str(library.root.parent), "--out", str(out)]
    assert science.main([*words, "--program", str(program(tmp_path, "abc"))]) == 1
    assert f"these runs are missing: {darwin.JOBS[3].name}\n" in capsys.readouterr().err
    assert not out.exists()


def test_a_program_with_changes_writes_no_page_of_the_docs(tmp_path, capsys):
    assert science.main(["darwin", "--program", str(program(tmp_path, "abc-dirty"))]) == 2
    assert "not committed" in capsys.readouterr().err


def test_all_jobs_have_names_of_their_own():
    for page in science.PAGES.values():
        names = [job.name for job in page.JOBS]
        assert len(set(names)) == len(names)


def shown_commands(text):
    """The commands that a page shows, as words."""
    blocks = re.findall(r"(?:^    .*\n?)+", text, re.MULTILINE)
    return [shlex.split(block.replace("\\\n", " ")) for block in blocks if "rednova run" in block]


def test_commands_are_those_of_the_runs():
    for name, page in science.PAGES.items():
        for job in page.JOBS:
            shown = command(job)
            assert max(map(len, shown.splitlines())) <= WIDTH
            (words,) = shown_commands(shown)
            start = ["mpirun", "-n", str(job.ranks)] if job.ranks > 1 else []
            start += ["rednova", "run", f"problems/{job.problem}.toml"]
            changes = [word for setting in job.settings for word in ("--set", setting)]
            assert words == [*start, *changes, "--out", f"runs/{job.name}"], name


def test_all_commands_of_a_page_are_printed(capsys):
    assert science.main(["ranks", "--commands", "--program", "none"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [shlex.split(line) for line in printed] == [
        shown_commands(command(job))[0] for job in science.PAGES["ranks"].JOBS
    ]


@pytest.mark.parametrize("path", sorted((ROOT / "docs/science").glob("*.md")), ids=lambda path: path.stem)
def test_pages_of_the_docs_show_a_command_of_one_of_their_runs(path):
    shown = re.findall(r"(?:^    .*\n)+", path.read_text(), re.MULTILINE)
    known = [f"{command(job)}\n" for job in science.PAGES[path.stem].JOBS]
    assert len(shown) == 1
    assert shown[0] in known


class FakeRun:
    """A run whose stars spiral in by 1 % an orbit while the donor loses 2 % an orbit, and are one after 3 orbits."""

    def __init__(self):
        orbits = np.linspace(0, 4, 401)
        two = orbits < 3 - 1e-9
        falling = np.where(two, 2 * (1 - 0.01 * orbits), np.nan)
        self.history = {
            "orbits": -orbits,  # an orbit against the axes' sense
            "stars": np.where(two, 2, 1),
            "separation": falling,
            "j_orb": falling**0.5,
            "lobe_mass_donor": np.where(two, 0.3 * (1 - 0.02 * orbits), np.nan),
            "flow_drift_z": np.where(two, -1e-5 * orbits, 1.0),
            "mass": np.full(len(orbits), 1.5),
            "unbound_mass_kinetic": 0.015 * orbits / 4,
            "outflow_unbound_mass_kinetic": 0.03 * orbits / 4,
        }


def test_an_orbit_ends_where_the_stars_are_one():
    orbit = orbit_of(FakeRun())
    assert orbit.merged == pytest.approx(3)
    assert orbit.separation_at(2) == pytest.approx(0.98)
    assert np.isnan(orbit.separation_at(3.5))
    assert orbit.flow_drift == pytest.approx(2.99e-5)  # not of the rows after the merger
    when, rate = orbit.transfer_rate(0.5)
    assert when == pytest.approx([0.25, 0.75, 1.25, 1.75, 2.25])
    assert rate == pytest.approx(0.02)
    assert orbit.largest_rate(0.5).startswith("2.00 at ")
    assert unbound(FakeRun()) == pytest.approx(0.03)
    assert white_dwarfs.moments(orbit) == pytest.approx([0, 0.99, 2.99, 3.99])


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
    angular_momentum, energy = v1309.ejecta(Cells())
    assert angular_momentum == pytest.approx(2 * 3 * (1 + 2 - 1))
    assert energy == pytest.approx(2 * (0.5 + 0.5 + 0.1))


def test_the_page_on_v1309_counts_what_has_left_the_domain(tmp_path, monkeypatch):
    class Gone(Spiral):
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

        def __init__(self):
            super().__init__()
            rows = np.ones(len(self.history["time"]))
            self.history |= {"lobe_mass_accretor": 4 * rows, "lobe_mass_donor": rows, "separation": 2 * rows}
            self.history |= {"angular_momentum_z": 80 * rows, "outflow_angular_momentum_z": 4 * rows}
            self.history |= {"outflow_energy": 0.8 * rows}

    class Runs:
        def run(self, job):
            assert job in v1309.JOBS
            return Gone()

    monkeypatch.setattr(v1309, "draw_densities", lambda *_: None)
    monkeypatch.setattr(v1309, "books", lambda _: (1e-14, 1e-14))
    text = v1309.page(Runs(), tmp_path)
    (fine,) = (line for line in text.splitlines() if line.startswith("| 0.250 |"))
    cells = [cell.strip() for cell in fine.strip("|").split("|")]
    assert cells[1:3] == ["14.8 and 5.6", "0.351"]
    assert cells[8] == "20.0", "12 in the domain and 4 outside, of 80"
    assert cells[9] == "3.00", "2.2 in the domain and 0.8 outside, over 4 x 1 / (2 x 2)"
    assert "fell from 1338 to 156 years" in text
    assert (tmp_path / "v1309.png").stat().st_size > 1000


def test_runs_that_ended_early_are_named():
    class Runs:
        def note(self, job):
            return {"seconds": 60.0} if job is not equal_masses.JOBS[1] else {}

        def run(self, job):
            return FakeRun()

    assert science.unfinished(Runs(), equal_masses.JOBS[:1]) == ""
    assert f"{equal_masses.JOBS[1].name} (4.0 orbits)" in science.unfinished(Runs(), equal_masses.JOBS)
    assert science.time_of(Runs(), equal_masses.JOBS) == "5.0 minutes"
