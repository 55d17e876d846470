"""Pages of docs/science: what they calculate from models and tables, and when the command writes none."""

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from made_pair import FakeRun
from rednova.science import __main__ as science
from rednova.science import darwin, equal_masses
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


def test_what_the_page_on_darwins_limit_says_follows_from_its_runs():
    said = darwin.verdict([("0", 0.08, 0.09, 0.08), ("1", 0.09, 0.1, 0.1)])
    assert "gives 0.080 to 0.090, and dJ = 0 0.080 to 0.100" in said
    assert "outside of that by 0.005 at most" in said
    assert "0.85 and 0.92 of what has been found" in said
    assert "a wider separation" in darwin.of_detached(1.1, 0.3, 1.0)
    assert "no sooner" in darwin.of_detached(0.9, 0.4, 1.0)
    assert darwin.of_detached(np.nan, np.nan, 1.0) == ""
    said = darwin.moved(np.array([[0.08, 0.081], [0.09, 0.093]]))
    assert "the mass ratio at which J_orb = 3 J_spin by 0.0120 on the finer mesh" in said
    assert "the mesh moves it by 0.0030 at most" in said


@pytest.mark.parametrize(
    ("ratios", "without", "found"),
    [
        ((0.08, np.nan), "1", "dJ = 0 0.080 to 0.080"),
        ((np.nan, 0.1), "0", "dJ = 0 0.100 to 0.100"),
        ((np.nan, np.nan), "0 and 1", "dJ = 0 none of the mass ratios tried"),
    ],
)
def test_a_limit_that_lies_outside_of_the_ratios_is_told(ratios, without, found):
    said = darwin.verdict([(str(i), ratio, 0.09, ratio) for i, ratio in enumerate(ratios)])
    assert "nan" not in said
    assert found in said
    assert ("dJ = 0 is outside of that by 0.005 at most" in said) == (without != "0 and 1")
    assert said.endswith(f"; with a fillout of {without} it is at none of the mass ratios tried.")
    assert darwin.moved(np.array([[0.08, ratios[0]], [0.09, ratios[1]]])) == ""


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


def test_runs_that_ended_early_are_named():
    class Runs:
        def note(self, job):
            return {"seconds": 60.0} if job is not equal_masses.JOBS[1] else {}

        def run(self, job):
            return FakeRun()

        def has(self, job):
            return job is not equal_masses.JOBS[2]

    assert science.unfinished(Runs(), equal_masses.JOBS[:1]) == ""
    said = science.unfinished(Runs(), equal_masses.JOBS)
    assert f"{equal_masses.JOBS[1].name} (4.0 orbits)." in said
    assert said.endswith(f" Runs that are missing: {equal_masses.JOBS[2].name}.")
    assert science.time_of(Runs(), equal_masses.JOBS) == "5.0 minutes"
