"""The verification's library: which program made which run, and what the tests assert."""

import json
import os
import subprocess
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from rednova.verify import library as library_of_runs
from rednova.verify.__main__ import CHAPTERS, jobs_of, lacking, main, renew
from rednova.verify.kept import NUMBERS, sources_of
from rednova.verify.library import MARK, Job, Library, program_of_all
from rednova.verify.measure import all_angular_momentum, central_density, changes_of_centres, drift
from rednova.verify.shocks import BLOCKS, tube
from report_reader import execute

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path, Path("none"), ROOT / "problems")


def note(library, job, program, when):
    """A complete run as far as its note goes."""
    (library.root / job.name).mkdir()
    mark = library.root / job.name / MARK
    mark.write_text(json.dumps({"key": library._key(job), "program": program}))
    os.utime(mark, (when, when))


def test_a_page_is_of_one_program(library):
    old, new, newest = (tube(blocks) for blocks in BLOCKS)
    note(library, new, "0.1.0 (bbb)", 2000)
    note(library, newest, "0.1.0 (bbb)", 3000)
    assert program_of_all(library, jobs_of(list(CHAPTERS))) == "Rednova 0.1.0 (bbb)"
    note(library, old, "0.1.0 (aaa)", 1000)
    with pytest.raises(ValueError, match=rf"{old.name} of 0.1.0 \(aaa\), .* of 0.1.0 \(bbb\)"):
        program_of_all(library, jobs_of(list(CHAPTERS)))


def test_a_page_of_no_runs_is_refused(library):
    with pytest.raises(ValueError, match="there are: none"):
        program_of_all(library, jobs_of(list(CHAPTERS)))


def test_a_page_names_the_runs_that_it_lacks(library):
    jobs = jobs_of(list(CHAPTERS))
    absent = [job for job in jobs if job.name in ("detached_16", "sedov_128")]
    assert len(absent) == 2
    for job in jobs:
        if job not in absent:
            note(library, job, "0.1.0 (aaa)", 1000)
    assert lacking(library, 0) == (
        "runs that are missing: 2 (`detached_16`, `sedov_128`), and sections left out: 0"
    )
    for job in absent:
        note(library, job, "0.1.0 (aaa)", 1000)
    assert lacking(library, 1) == "runs that are missing: 0, and sections left out: 1"


def test_sections_are_made_again_in_a_page_that_stays_as_it_is(library, monkeypatch, tmp_path):
    def first(_library, _images):
        return "## First\n\nnew words\n\n| a |\n|---|\n| 1 |"

    def last(_library, _images):
        return "## Last\n\nnew, too"

    chapter = SimpleNamespace(JOBS=[tube(BLOCKS[0])], SECTIONS=(first, last))
    monkeypatch.setitem(CHAPTERS, "stars", chapter)
    note(library, tube(BLOCKS[0]), "0.1.0 (bbb)", 1000)
    page = tmp_path / "page.md"
    page.write_text("# Page\n\nhead\n\n## First\n\nold\n\n## Other\n\nas it was\n\n## Last\n\nold\n")
    for _ in range(2):
        renew(library, ["stars"], page, tmp_path)
        said = "*Made again, from runs of Rednova 0.1.0 (bbb).*"
        assert page.read_text() == (
            f"# Page\n\nhead\n\n## First\n\n{said}\n\nnew words\n\n| a |\n|---|\n| 1 |\n\n"
            f"## Other\n\nas it was\n\n## Last\n\n{said}\n\nnew, too\n"
        )
    before = page.read_text().replace("## Last", "## Lost")
    page.write_text(before)
    with pytest.raises(ValueError, match="no section 'Last'"):
        renew(library, ["stars"], page, tmp_path)
    assert page.read_text() == before


def test_all_jobs_have_names_of_their_own():
    names = [job.name for job in jobs_of(list(CHAPTERS))]
    assert len(set(names)) == len(names) > 60


class OneStar:
    """A coarse block beside a fine one with a star whose density is a parabola; its middle lies off the cells'."""

    species = ("accretor", "donor_core", "donor_envelope")
    width = np.array([1.0, 0.5])
    centre = (5.47, 2.02, 1.98)

    def centres(self):
        offset = np.arange(8) + 0.5
        x = np.array([-8.0, 3.0])[:, None] + self.width[:, None] * offset
        y = z = np.zeros((2, 1)) + self.width[:, None] * offset
        return x[:, None, None, :], y[:, None, :, None], z[:, :, None, None]

    def __getitem__(self, field):
        x, y, z = (a - c for a, c in zip(self.centres(), self.centre, strict=True))
        share = {"density_donor_core": 0.75, "density_donor_envelope": 0.25}[field]
        return share * (7 - 0.2 * x * x - 0.3 * y * y - 0.1 * z * z + 0.05 * x * y)


def test_a_central_density_does_not_depend_on_the_place_in_the_cell():
    star = OneStar()
    assert central_density(star, "donor") == pytest.approx(7, rel=1e-12)
    assert np.max(star["density_donor_core"]) / 0.75 < 6.98


PROGRAM = """#!/bin/sh
if [ "$1" = --version ]; then printf 'rednova 0.1.0\\ncommit {commit}\\n'; exit; fi
echo "$@" >> {log}
shift; while [ "$1" != --out ]; do case "$1" in --threads|--set) shift;; esac; last="$1"; shift; done
if grep -q "{fails}" "$2/begun.json"; then exit 3; fi
units='# units: 1 length = 1 cm, 1 mass = 1 g, 1 time = 1 s'
printf "# rednova 0.1.0 ({commit})\\n$units\\nstep [1]\\n0\\n" > "$2/history.csv"
echo "the end time was reached: 0 steps in 0s"
"""


@pytest.fixture
def run_verify(tmp_path, capfd):
    """Calls the command with a program that only leaves a history; gives exit code, output, and the runs it made."""
    log = tmp_path / "log"

    def call(*words, commit="abc", fails="nothing fails"):
        program = tmp_path / "rednova"
        program.write_text(PROGRAM.format(commit=commit, log=log, fails=fails))
        program.chmod(0o755)
        log.write_text("")
        code = main(
            [
                "--program",
                str(program),
                "--runs",
                str(tmp_path / "runs"),
                "--kept",
                str(tmp_path / "kept"),
                *words,
            ]
        )
        said = capfd.readouterr()
        made = sorted(Path(line.split(" --out ")[1].split()[0]) for line in log.read_text().splitlines())
        return code, said.out + said.err, made

    return call


def test_a_section_is_made_once_for_each_commit(run_verify, tmp_path):
    page = tmp_path / "page.md"
    section = ("--section", "rotation", "--page", str(page), "--jobs", "3")
    code, said, made = run_verify(*section)
    assert code == 0
    assert [path.name for path in made] == sorted(job.name for job in jobs_of(["rotation"]))
    assert {path.parent for path in made} == {tmp_path / "runs" / "abc"}
    assert f"{page}: not written" in said
    assert "star_at_rest" in said
    assert not page.exists()
    assert run_verify(*section)[2] == []
    assert len(run_verify(*section, commit="def")[2]) == len(made)


def test_what_fails_is_named_and_made_again(run_verify, tmp_path):
    section = ("--section", "rotation", "--page", str(tmp_path / "page.md"))
    code, said, made = run_verify(*section, fails="gresho")
    assert code == 1
    assert "failed with exit code 3" in said
    again = run_verify(*section)[2]
    assert again
    assert len(again) < len(made)


def test_a_program_with_changes_writes_no_page_of_the_docs(run_verify):
    code, said, made = run_verify("--section", "rotation", commit="abc-dirty")
    assert code == 2
    assert "not committed" in said
    assert made == []


def test_what_is_asserted_comes_from_the_inputs(library):
    assert library.asserted("sod")["order"] == 0.8
    assert library.parameters("star_at_rest")["run"]["end_time"] == 10.0


def test_what_was_interrupted_goes_on(program, tmp_path):
    settings = ("mesh.max_level=0", "problem.normal=[1,0,0]", "output.checkpoint_steps=5", "run.max_steps=12")
    library = Library(tmp_path, Path(program), ROOT / "problems", threads=1)
    job = Job("interrupted", "sod", settings)
    where = tmp_path / job.name
    words = [word for setting in settings for word in ("--set", setting)]
    execute(program, "run", ROOT / "problems/sod.toml", *words, "--out", where)
    max(where.glob("checkpoint_*.h5")).unlink()
    (where / "begun.json").write_text(json.dumps(library._key(job)))
    begun = (where / "snapshot_00000.phdf").stat().st_mtime_ns
    library.make(job)
    run = library.run(job)
    assert list(run.history["step"]) == list(range(13))
    assert (where / "snapshot_00000.phdf").stat().st_mtime_ns == begun  # it did not start again


def git(repository, *words):
    identity = ("-c", "user.name=nobody", "-c", "user.email=nobody@nowhere")
    command = ["git", "-C", repository, *identity, *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def commits(tmp_path, monkeypatch):
    """Of a repository: the first, one that changes how files are written, and one that changes numbers."""
    repository = tmp_path / "repository"
    names = [*NUMBERS, "src/output"]
    for name in names:
        path = repository / name
        if not path.suffix:
            path = path / "file"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a")
    git(tmp_path, "init", "-q", "repository")
    found = []
    for changed in (None, "output", "step"):
        if changed:
            (repository / "src" / changed / "file").write_text("b")
        git(repository, "add", "-A")
        git(repository, "commit", "-qm", "c")
        found.append(git(repository, "rev-parse", "--short=12", "HEAD"))
    monkeypatch.setattr(library_of_runs, "ROOT", repository)
    return found


def long_history(path, version, rows=2000):
    """Of a run with two stars: the separation has a dip of one row, the flow drifts evenly after it has settled, J by
    roundings, the rate of transfer is not known at first, and some columns have their largest values early."""
    names = ["step", "orbits", "separation", "floors_mass", "flow_drift_z", "mdot_donor"]
    names += ["angular_momentum_z", "outflow_angular_momentum_z", "cell_spin_z"]
    names += [f"{part}flow_angular_momentum_z" for part in ("", "outflow_", "regrid_")]
    peaks = range(10, 60, 2)
    names += [f"peak_at_{peak}" for peak in peaks]
    lines = [f"# rednova {version}", "# units: 1 length = 1 cm, 1 mass = 1 g, 1 time = 1 s"]
    lines.append(",".join(f"{name} [1]" for name in names))
    for step in range(rows):
        separation = 0.75 if step == 777 else 1 + 1e-8 * step
        rate = "nan" if step < 100 else f"{2 - 1e-3 * (step == 555)}"
        row = [step, step / 400, separation, 1e-9, step * 1e-9, rate, 0.3 + 1e-16 * step, 1e-7, 1e-3]
        row += [0.299 + 1e-9 * step + 1e-6 * np.exp(-step / 40), 0, 0, *(int(step == peak) for peak in peaks)]
        lines.append(",".join(x if isinstance(x, str) else f"{x:.17g}" for x in row))
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture
def complete(library, tmp_path, commits):
    """A library with one complete run of the first commit, whose densities were found, and a directory of kept ones."""
    library.kept = tmp_path / "kept"
    job = next(job for job in jobs_of(["binaries"]) if job.grows)
    version = f"0.1.0 ({commits[0]})"
    note(library, job, version, 1000)
    made = library.root / job.name
    long_history(made / "history.csv", version)
    (made / "ledger.json").write_text('{"mass": {}}')
    (made / "centres.json").write_text('{"accretor": [0.0, 0.125], "donor": [0.0, -0.25]}')
    return library, job


def another(library, tmp_path, commit):
    """The library of a machine that has made nothing, with a program of some commit."""
    program = tmp_path / "rednova"
    program.write_text(PROGRAM.format(commit=commit, log=tmp_path / "log", fails="nothing fails"))
    program.chmod(0o755)
    return Library(tmp_path / "empty", program, ROOT / "problems", kept=library.kept)


def test_a_kept_run_says_what_the_whole_one_does(complete, commits, tmp_path):
    library, job = complete
    whole = library.run(job).history
    library.keep(job)
    run = another(library, tmp_path, commits[0]).run(job)
    assert len(run.history) < 200
    assert (tmp_path / "kept" / job.name / "history.csv").stat().st_size < 0.1 * whole.path.stat().st_size
    assert run.history.version == whole.version
    assert run.history["separation"].min() == whole["separation"].min()
    assert np.nanmin(run.history["mdot_donor"]) == np.nanmin(whole["mdot_donor"]) == 1.999
    for ends in (lambda h: h["flow_drift_z"][[0, -1]], lambda h: all_angular_momentum(h)[[0, -1]]):
        assert ends(run.history).tolist() == ends(whole).tolist()
    # Rows with extremes, which lie beside the even ones, do not bend the line through them.
    assert drift(run.history) == pytest.approx(drift(whole), rel=0.02)
    assert "floors_mass" not in run.history.units
    assert changes_of_centres(run)["donor"].tolist() == [0, -0.25]
    assert run.ledger == {"mass": {}}


def test_a_kept_run_stands_for_programs_of_the_same_numbers_alone(complete, commits, tmp_path):
    library, job = complete
    library.keep(job)
    same, others = commits[:2], [commits[2], f"{commits[0]}-dirty", "0123456789ab"]
    assert [another(library, tmp_path, commit).has(job) for commit in same] == [True, True]
    assert [another(library, tmp_path, commit).has(job) for commit in others] == [False, False, False]
    assert another(library, tmp_path, commits[1]).note(job)["program"] == f"0.1.0 ({commits[0]})"


def test_a_run_that_is_not_complete_is_not_kept(complete):
    library, job = complete
    (library.root / job.name / MARK).unlink()
    with pytest.raises(KeyError, match="not complete"):
        library.keep(job)


def test_programs_of_the_same_numbers_make_one_page(library, commits):
    old, new = (tube(blocks) for blocks in BLOCKS[:2])
    note(library, old, f"0.1.0 ({commits[0]})", 1000)
    note(library, new, f"0.2.0 ({commits[1]})", 2000)
    assert program_of_all(library, [old, new]).endswith(
        ", whose sources are the same where they decide numbers"
    )
    note_of_other = f"0.2.0 ({commits[2]})"
    (library.root / new.name / MARK).write_text(
        json.dumps({"key": library._key(new), "program": note_of_other})
    )
    with pytest.raises(ValueError, match="one program"):
        program_of_all(library, [old, new])


def test_without_git_a_program_is_what_it_says(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert sources_of("0.1.0 (abc)", tmp_path) == "0.1.0 (abc)"
