"""Long runs of docs/science that are reduced and kept: their pages say what those of whole runs do."""

import json
import re

import made_pair
import numpy as np
import pytest
from rednova.run import Run
from rednova.science import __main__ as science
from rednova.science import v1309
from rednova.science.drawing import DENSITIES, Pictures, kept_densities
from rednova.science.kept import AN_ORBIT, Wanted, keep
from rednova.science.outcome import orbit_of
from rednova.verify import library as library_of_runs
from rednova.verify.library import MARK, ROOT, Library


@pytest.fixture
def program(tmp_path, monkeypatch):
    """One that says that it is of the commit abc, of which no repository knows."""
    monkeypatch.setattr(library_of_runs, "sources_of", lambda *_: "those that decide numbers")
    path = tmp_path / "rednova"
    path.write_text("#!/bin/sh\nprintf 'rednova 0.2.0\\ncommit abc\\n'\n")
    path.chmod(0o755)
    return path


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run's directory."""
    directory = tmp_path_factory.mktemp("made") / "pair"
    made_pair.write(directory)
    return directory


def complete(runs, program, jobs, whole):
    """Puts complete runs of jobs into the library's directory."""
    library = Library(runs / "abc", program, ROOT / "problems")
    library.root.mkdir(parents=True)
    for job in jobs:
        made = library.root / job.name
        made.mkdir()
        for path in whole.iterdir():
            (made / path.name).symlink_to(path)
        note = {"key": library._key(job), "program": "0.2.0 (abc)", "seconds": 60.0}
        (made / MARK).write_text(json.dumps(note))


@pytest.mark.parametrize(
    ("name", "jobs"), [("equal_masses", 6), ("mass_transfer", 6), ("white_dwarfs", 1), ("v1309", 2)]
)
def test_kept_runs_make_the_page_of_whole_ones(name, jobs, tmp_path, program, whole):
    """Its text, with all figures of its tables, and its pictures of the density; mass_transfer of the coarser mesh
    alone, white_dwarfs of one run."""
    kept, runs = tmp_path / "kept", tmp_path / "runs"
    complete(runs, program, science.PAGES[name].JOBS[:jobs], whole)
    words = [name, "--draw", "--program", str(program), "--kept", str(kept)]
    of_whole, of_kept = tmp_path / "of_whole", tmp_path / "of_kept"
    assert science.main([*words, "--keep", "--runs", str(runs), "--out", str(of_whole)]) == 0
    assert science.main([*words, "--runs", str(tmp_path / "none"), "--out", str(of_kept)]) == 0
    text = (of_whole / f"{name}.md").read_text()
    assert (of_kept / f"{name}.md").read_text() == text
    assert "merges after" in text
    assert "nan" not in text
    assert ("Runs that are missing" in text) == (jobs < len(science.PAGES[name].JOBS))
    images = {path.name for path in of_whole.glob("*.png")}
    assert images == {path.name for path in of_kept.glob("*.png")}
    shown = [image for image in images if re.search(r"_(density|\d\.\d)\.png$", image)]
    assert shown
    for image in shown:
        assert (of_kept / image).read_bytes() == (of_whole / image).read_bytes()


def test_a_kept_run_is_small_and_has_the_same_orbit(tmp_path, whole):
    run = Run(whole)
    keep(run, tmp_path / "kept", Wanted(("outflow_mass",)))
    kept = Run(tmp_path / "kept")
    assert "mdot_donor" not in kept.history.units
    assert not kept.snapshots
    assert len(kept.history) < 0.6 * len(run.history)
    turns = np.abs(kept.history["orbits"])
    assert np.diff(turns).max() < 1 / AN_ORBIT + 2 / made_pair.ROWS
    first, second = orbit_of(run), orbit_of(kept)
    for rates in zip(first.transfer_rate(), second.transfer_rate(), strict=True):
        assert rates[0].tolist() == rates[1].tolist()
    assert (first.merged, first.last, first.flow_drift) == (second.merged, second.last, second.flow_drift)
    assert first.orbits[-1] == second.orbits[-1]


@pytest.mark.parametrize("changed", [{"REACH": 2.0}, {"SHOWN": {1.3: (0, 1), 0.4: (0, 1)}}])
def test_a_kept_run_whose_pictures_are_not_those_of_the_page_is_not_taken(
    changed, tmp_path, program, whole, monkeypatch
):
    """Of three runs on the coarser mesh two have pictures."""
    page, runs = science.PAGES["mass_transfer"], tmp_path / "runs"
    complete(runs, program, page.JOBS[:3], whole)
    words = ["mass_transfer", "--draw", "--program", str(program), "--kept", str(tmp_path / "kept")]
    words += ["--out", str(tmp_path / "out")]
    assert science.main([*words, "--keep", "--runs", str(runs)]) == 0
    for name, value in changed.items():
        monkeypatch.setattr(page, name, value)
    assert science.main([*words, "--runs", str(tmp_path / "none")]) == 0
    text = " ".join((tmp_path / "out" / "mass_transfer.md").read_text().split())
    missing = text.rpartition("Runs that are missing: ")[2]
    assert [job.name in missing for job in page.JOBS[:3]] == [True, False, True]


def test_pictures_that_do_not_say_what_they_are_of_are_not_taken(tmp_path, whole):
    asked = Pictures((0, 2, 4), 1.5)
    keep(Run(whole), tmp_path, Wanted(pictures=asked))
    assert kept_densities(tmp_path, asked)[0].tolist() == [0, 2, 4]
    assert kept_densities(tmp_path, Pictures((0, 2, 5), 1.5)) is None
    assert kept_densities(tmp_path, Pictures((0, 2, 4), 1.6)) is None
    with np.load(tmp_path / DENSITIES) as file:
        np.savez(tmp_path / DENSITIES, orbits=file["orbits"], densities=file["densities"])
    assert kept_densities(tmp_path, asked) is None


def test_ejecta_of_a_snapshot_between_rows_are_those_of_the_whole_run(tmp_path, whole):
    run = Run(whole)
    run.snapshots.pop()  # at the end
    keep(run, tmp_path, Wanted(v1309.COLUMNS, ejecta=True))
    assert v1309.Ejecta.of(Run(tmp_path)) == v1309.Ejecta.of(run)


#: Fails as soon as it is to make a run.
FAILING = "#!/bin/sh\n[ $1 = --version ] || exit 1\nprintf 'rednova 0.2.0\\ncommit abc\\n'\n"


@pytest.mark.parametrize(("name", "written"), [("white_dwarfs", True), ("equal_masses", False)])
def test_a_page_of_any_runs_is_written_where_one_fails(name, written, tmp_path, program, whole, capsys):
    jobs = science.PAGES[name].JOBS
    complete(tmp_path / "runs", program, jobs[:-1], whole)
    program.write_text(FAILING)
    words = [name, "--program", str(program), "--runs", str(tmp_path / "runs"), "--jobs", "1"]
    words += ["--kept", str(tmp_path / "kept"), "--out", str(tmp_path / "out")]
    assert science.main(words) == 1
    said = capsys.readouterr()
    assert f"{jobs[-1].name} failed with exit code 1" in said.out
    page = tmp_path / "out" / f"{name}.md"
    assert page.is_file() == written
    assert jobs[-1].name in (page.read_text() if written else said.err)


def test_a_run_that_is_not_complete_is_not_kept(tmp_path, program, whole):
    jobs, runs = science.PAGES["v1309"].JOBS, tmp_path / "runs"
    complete(runs, program, jobs, whole)
    (runs / "abc" / jobs[0].name / MARK).unlink()
    words = ["v1309", "--draw", "--keep", "--program", str(program), "--runs", str(runs)]
    assert science.main([*words, "--kept", str(tmp_path / "kept"), "--out", str(tmp_path / "out")]) == 0
    assert [path.name for path in (tmp_path / "kept").iterdir()] == [jobs[1].name]


def test_a_program_with_changes_keeps_nothing(tmp_path, program, capsys):
    program.write_text(program.read_text().replace("abc", "abc-dirty"))
    words = ["v1309", "--draw", "--keep", "--program", str(program), "--kept", str(tmp_path / "kept")]
    assert science.main([*words, "--out", str(tmp_path / "out")]) == 2
    assert "never be found again" in capsys.readouterr().err


def test_a_page_of_no_runs_is_not_written(tmp_path, program, capsys):
    words = ["mass_transfer", "--draw", "--program", str(program), "--runs", str(tmp_path / "none")]
    assert science.main([*words, "--kept", str(tmp_path / "kept"), "--out", str(tmp_path / "out")]) == 1
    assert "mass_transfer_1.3_driven_24" in capsys.readouterr().err
