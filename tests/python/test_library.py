"""Runs that a library makes: which have come to their end, and how long they took."""

import json
from pathlib import Path

import pytest
from rednova.verify.library import MARK, SESSIONS, Job, Library, make_missing, sessions_of

ROOT = Path(__file__).resolve().parents[2]
JOB = Job("stopped", "sod", ("mesh.max_level=0", "problem.normal=[1,0,0]", "run.max_steps=12"))

#: Stops for want of time, and comes to its end when it goes on.
PROGRAM = """#!/bin/sh
if [ "$1" = restart ]; then echo "the number of steps was reached: 9 steps in 1s"; exit; fi
while [ "$1" != --out ]; do shift; done
units='# units: 1 length = 1 cm, 1 mass = 1 g, 1 time = 1 s'
printf "# rednova 0.1.0 (abc)\\n$units\\nstep [1]\\n0\\n" > "$2/history.csv"
touch "$2/checkpoint_000003.h5"
echo "the wall time was used up: 3 steps in 1s"
"""


@pytest.fixture
def stopping(tmp_path):
    """A library of that program."""
    path = tmp_path / "rednova"
    path.write_text(PROGRAM)
    path.chmod(0o755)
    return Library(tmp_path / "runs", path, ROOT / "problems")


def test_a_run_that_stops_before_its_end_is_not_complete(stopping, capsys):
    where = stopping.root / JOB.name
    assert make_missing(stopping, [JOB], 1) == [JOB]
    assert "stopped before its end" in capsys.readouterr().out
    assert not stopping.has(JOB)
    assert list(where.glob("checkpoint_*.h5"))
    assert make_missing(stopping, [JOB], 1) == []
    assert stopping.has(JOB)
    assert not list(where.glob("checkpoint_*.h5"))


def test_seconds_are_those_of_all_sessions(stopping):
    where = stopping.root / JOB.name
    stopping.make(JOB)
    (where / SESSIONS).write_text("[1000.0]")
    stopping.make(JOB)
    earlier, last = json.loads((where / SESSIONS).read_text())
    assert earlier == 1000
    assert stopping.note(JOB)["seconds"] == pytest.approx(1000 + last)


def profile(directory, seconds):
    """A profile of a run on two ranks that was killed after so many seconds of steps, and ten of its model."""
    rank = {"threads": 1, "steps": 1, "phases": [], "samples": {}, "seconds": seconds}
    model = {"before_first_step": {"seconds": 10.0, "phases": []}}
    about = {"version": "0.1.0", "commit": "abc"}
    content = {"format": 1, "run": about, "number_of_ranks": 2, "complete": False}
    content["ranks"] = [rank | model | {"rank": 0}, rank | model | {"rank": 1, "seconds": 0.0}]
    (directory / "profile.json").write_text(json.dumps(content))


@pytest.mark.parametrize(
    ("noted", "found"),
    [("[5.0, null]", [5, 110]), ("[5.0, 6.0]", [5, 6]), (None, [110]), ("[5.0, nu", [110]), ("", [110])],
)
def test_a_session_that_was_killed_has_the_seconds_of_its_profile(tmp_path, noted, found):
    profile(tmp_path, 100.0)
    if noted is not None:
        (tmp_path / SESSIONS).write_text(noted)
    assert sessions_of(tmp_path) == found


def test_notes_stay_whole_where_the_program_is_killed_in_a_write(stopping, monkeypatch):
    """As it ends a session it writes half of the note."""
    stopping.make(JOB)
    where = stopping.root / JOB.name
    before = (where / SESSIONS).read_text()
    whole = Path.write_text

    def killed(path, text, *_):
        whole(path, text[: len(text) // 2])
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_text", killed)
    with pytest.raises(KeyboardInterrupt):
        stopping.make(JOB)
    monkeypatch.undo()
    assert (where / SESSIONS).read_text() == before
    assert make_missing(stopping, [JOB], 1) == []


def test_without_a_profile_nothing_is_known_of_it(tmp_path):
    (tmp_path / SESSIONS).write_text("[5.0, null]")
    assert sessions_of(tmp_path) == [5, 0]


def test_what_the_program_says_of_its_end_is_understood(program, tmp_path):
    """Of max_hours, of the end, and of a restart from there."""
    library = Library(tmp_path, Path(program), ROOT / "problems", threads=1)
    stopped = Job(JOB.name, JOB.problem, (*JOB.settings, "run.max_hours=1e-9"))
    where = tmp_path / JOB.name
    assert [library.make(stopped), library.make(stopped)] == [False, False]
    assert len(json.loads((where / SESSIONS).read_text())) == 2
    assert "the wall time was used up" in (where / "log.txt").read_text()
    kept = Job("ended", JOB.problem, (*JOB.settings, "output.checkpoint_steps=12"))
    assert library.make(kept)
    assert list(library.run(kept).history["step"])[-1] == 12
    assert (tmp_path / "ended" / MARK).is_file()
