"""profile.json: that it names the threads' time, and that a run leaves it whatever happens to it."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
import rednova
from launched import LAUNCHER, needs_launcher
from program_under_test import PROGRAM, ROOT
from rednova import profile_page as drawing
from rednova.profile import Profile
from small_input import SMALL

# A star with gravity, a fifth of a second a step on two threads.
STAR = ROOT / "bench" / "rotating_star.toml"
LONG = ("--set", "run.max_steps=100000", "--set", "run.end_time=1e9")


def start(out, *more, program=(PROGRAM,)):
    """A run that ends only if it is ended."""
    return subprocess.Popen(
        [*map(str, program), "run", str(STAR), "--out", str(out), "--threads", "1", *LONG, *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_until(holds, what, seconds=60):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def steps_of(out):
    """Steps that the profile knows of, 0 as long as there is none."""
    try:
        return int(rednova.Profile(out).steps[0])
    except FileNotFoundError:
        return 0


@pytest.fixture(scope="module")
def star(program, tmp_path_factory):
    out = tmp_path_factory.mktemp("profile") / "star"
    command = [program, "run", STAR, "--out", out, "--threads", "2", "--set", "run.max_steps=12"]
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=True, timeout=300)
    return out, done.stdout


def test_phases_add_up_to_the_time_of_all_threads(star):
    profile = rednova.Profile(star[0])
    assert profile.complete
    assert profile.steps.tolist() == [12]
    assert profile.threads.tolist() == [2]
    of_threads = [profile.phases[name] for name in profile.names("work", "wait")]
    total = sum(float(p.seconds[0]) for p in of_threads)
    # Roundings to a microsecond, and what passes between the readings of the tables.
    assert total == pytest.approx(profile.thread_seconds, rel=1e-3)
    for name in ("hydro", "gravity M2L", "gravity leaves (near field)", "ghosts", "snapshot", "checkpoint"):
        assert profile.share(name) > 0, name
    # Of each thread 99 % have a name: measured 0.0001 to 0.005 without one.
    (unnamed,) = profile.unnamed_of_threads
    assert len(unnamed) == 2
    assert max(unnamed) < 0.01 * profile.seconds[0]
    assert profile.unnamed == pytest.approx(unnamed.sum() / profile.thread_seconds, abs=1e-5)
    # Work that no phase of a task claims would hide here: measured 0.014 to 0.021 with other programs beside it.
    assert profile.share("task switching") < 0.03
    assert all(0 <= p.shortest <= p.longest + 1e-6 for p in of_threads if p.calls)
    assert 0 < profile.phases["hydro"].shortest < profile.phases["hydro"].longest
    load = profile.samples[0]
    # Other programs may have the cores for most of the time.
    assert load["processor_seconds"][-1] > 0.1 * profile.seconds[0]
    assert 0 < load["resident_bytes"][-1] <= load["high_water_bytes"][-1]
    assert load["step"][-1] == 12


def test_the_run_ends_with_the_table(star):
    table = star[1][star[1].rindex(" s on 2 threads ") :]
    words = ("shortest ms", "hydro", "gravity M2L", "all others", "processors in use by", "most memory of a")
    for word in words:
        assert word in table


def test_times_come_from_the_clock_that_is_asked_for(program, write, star, tmp_path):
    def clock_of(out):
        return json.loads((out / "profile.json").read_text())["ranks"][0]["clock"]

    assert clock_of(star[0]) in ("time stamp counter", "steady clock")
    out = tmp_path / "steady"
    command = [str(c) for c in (program, "run", write(SMALL), "--out", out, "--threads", "1")]
    subprocess.run(command, env={**os.environ, "REDNOVA_CLOCK": "steady"}, check=True, timeout=300)
    assert clock_of(out) == "steady clock"
    wrong = subprocess.run(
        command, env={**os.environ, "REDNOVA_CLOCK": "sundial"}, capture_output=True, text=True, timeout=300
    )
    assert wrong.returncode != 0
    assert "REDNOVA_CLOCK" in wrong.stderr


def test_the_initial_model_has_a_profile_of_its_own(rednova, tmp_path):
    out = tmp_path / "stars"
    stars = ROOT / "problems" / "detached_binary.toml"
    run = [
        "run",
        stars,
        "--out",
        out,
        "--threads",
        "2",
        "--set",
        "mesh.max_level=4",
        "--set",
        "run.max_steps=1",
    ]
    done = rednova(*run)
    assert done.code == 0, done.err
    before, steps = (Profile(out, part) for part in ("before_first_step", "steps"))
    total = sum(float(before.phases[name].seconds[0]) for name in before.names("work", "wait"))
    assert total == pytest.approx(before.thread_seconds, rel=1e-3)
    assert before.phases["stellar density"].calls > 0
    assert "stellar density" not in steps.phases
    first, second = done.out.split("Before the first step\n")[1].split("The steps\n")
    assert "gravity M2L" in first
    assert "hydro" in second
    assert "hydro" not in first
    assert drawing.main([str(out)]) == 0
    assert f"Before the first step: {before.seconds[0]:.4g} s" in (out / "profile.html").read_text()


def test_a_killed_run_leaves_its_profile(tmp_path):
    out = tmp_path / "killed"
    process = start(out)
    wait_until(lambda: steps_of(out) >= 3, "no profile was written")
    process.kill()
    process.communicate()
    profile = rednova.Profile(out)
    assert not profile.complete
    assert profile.missing == []
    assert profile.share("hydro") > 0.05
    # Once a second; the machine may have been busy.
    behind = os.stat(out / "history.csv").st_mtime - os.stat(out / "profile.json").st_mtime
    assert behind < 5


def test_a_run_killed_in_its_initial_model_leaves_what_that_took(tmp_path):
    out = tmp_path / "killed"
    command = [PROGRAM, "run", ROOT / "problems" / "detached_binary.toml", "--out", out, "--threads", "1"]
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_until(lambda: (out / "profile.json").exists(), "no profile was written")
    process.kill()
    process.communicate()
    assert not (out / "history.csv").exists(), "it has not come to its steps"
    profile = Profile(out)
    assert not profile.complete
    assert profile.steps.tolist() == [0]
    assert profile.thread_seconds == 0
    before = Profile(out, "before_first_step")
    assert before.seconds[0] > 0.5
    assert before.phases["stellar density"].calls > 0
    assert drawing.main([str(out)]) == 0
    page = (out / "profile.html").read_text()
    assert f"Before the first step: {before.seconds[0]:.4g} s" in page
    assert "stellar density" in page
    assert "data:image/png" not in page


def processes_of(out):
    """The ranks of a run have its directory in their command lines; so has their launcher, who is another program."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except (NotADirectoryError, FileNotFoundError, ProcessLookupError, PermissionError):
            continue
        if words[0] == str(PROGRAM).encode() and str(out).encode() in words:
            found.append(int(entry.name))
    return found


@needs_launcher
def test_a_killed_run_of_several_ranks_leaves_the_profile_of_each(tmp_path):
    """Of the rank that is killed, and of the others whom it takes along, up to the last second: once a second they
    write, and two more are for a busy machine."""
    out, ranks = tmp_path / "killed", 3
    process = start(out, "--set", "mesh.max_level=2", program=(*LAUNCHER, "-n", ranks, PROGRAM))
    wait_until(lambda: steps_of(out) >= 3, "no profile was written")
    wait_until(
        lambda: len(list(out.glob("profile_rank_*.json"))) == ranks - 1, "not all ranks have written theirs"
    )
    time.sleep(1.5)
    running = processes_of(out)
    assert len(running) == ranks
    killed = time.monotonic_ns()
    os.kill(running[-1], signal.SIGKILL)
    process.communicate(timeout=60)
    assert process.returncode != 0
    profile = rednova.Profile(out)
    assert not profile.complete
    assert profile.missing == []
    for rank in range(ranks):
        name = "profile.json" if rank == 0 else f"profile_rank_{rank:05}.json"
        (found,) = json.loads((out / name).read_text())["ranks"]
        behind = 1e-9 * (killed - found["start_ns"]) - found["seconds"]
        assert behind < 3, rank
        assert found["messages"]["sent_bytes"] > 0


def test_a_signal_has_the_table_printed_and_the_run_goes_on(tmp_path):
    out = tmp_path / "asked"
    process = start(out)
    wait_until(lambda: steps_of(out) >= 2, "no profile was written")
    process.send_signal(signal.SIGUSR1)
    time.sleep(2.5)
    process.send_signal(signal.SIGTERM)
    printed, _ = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM
    assert printed.count(" s on 1 thread ") == 2 + ("Before the first step" in printed), printed
    assert rednova.Profile(out).complete


@pytest.mark.parametrize("profiled", [True, False])
def test_the_signal_ends_no_run_before_its_first_step(tmp_path, profiled):
    """It comes while the initial model is made, which takes seconds."""
    out = tmp_path / "asked"
    command = [PROGRAM, "run", ROOT / "problems" / "detached_binary.toml", "--out", out, "--threads", "1"]
    command += ["--set", "mesh.max_level=4", *LONG, *([] if profiled else ["--no-profile"])]
    process = subprocess.Popen(
        [str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    wait_until(lambda: (out / "input.toml").exists(), "the run has not begun")
    assert not (out / "history.csv").exists(), "the signal comes before the first step"
    process.send_signal(signal.SIGUSR1)
    history = out / "history.csv"
    wait_until(lambda: history.exists() and len(history.read_text().splitlines()) > 8, "no steps were made")
    time.sleep(2.5)
    process.send_signal(signal.SIGUSR1)
    time.sleep(2.5)
    process.send_signal(signal.SIGTERM)
    printed, said = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM, said
    if profiled:
        # One of what lies before the steps, one of the steps, and both in the end.
        assert printed.count(" s on 1 thread ") == 3 + 1, printed
        assert printed.index("Before the first step") < printed.index("\nstep "), "it is answered at once"
    else:
        assert said.count("with --no-profile there is none") == 2


def test_without_a_profile(rednova, write, tmp_path):
    assert rednova("run", write(), "--out", tmp_path / "run", "--no-profile").code == 0
    assert not (tmp_path / "run" / "profile.json").exists()
    # A restart's own would replace the one that is there; without one none may be taken for the restart's.
    for left in ("profile.json", "profile_rank_00001.json", "profile_rank_00002.json"):
        (tmp_path / "run" / left).write_text("{}")
    assert rednova("restart", tmp_path / "run", "--set", "run.max_steps=22", "--no-profile").code == 0
    assert not list((tmp_path / "run").glob("profile*"))
    both = rednova(
        "run", write(), "--out", tmp_path / "both", "--no-profile", "--counters", tmp_path / "c.json"
    )
    assert both.code == 2
    assert "leave out --no-profile" in both.err


def test_a_profile_that_cannot_be_written_is_warned_of_once(tmp_path):
    out = tmp_path / "unwritable"
    (out / "profile.json").mkdir(parents=True)
    (out / "profile.json" / "in_the_way").touch()
    process = start(out)
    wait_until(lambda: (out / "history.csv").exists(), "the run did not start")
    time.sleep(3)
    process.send_signal(signal.SIGTERM)
    _, complaint = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM
    assert complaint.count("warning:") == 1, complaint
    assert "profile.json" in complaint
    assert "the run goes on" in complaint


def test_a_restart_has_a_profile_of_its_own(rednova, write, tmp_path):
    out = tmp_path / "run"
    assert rednova("run", write(SMALL), "--out", out, "--set", "run.max_steps=8").code == 0
    assert rednova("restart", out, "--set", "run.max_steps=12").code == 0
    assert json.loads((out / "profile.json").read_text())["ranks"][0]["steps"] == 4


def test_the_trace_of_an_earlier_start_is_not_drawn(rednova, write, tmp_path, capsys):
    """It stays where it is when a restart without --trace writes a new profile."""
    out = tmp_path / "run"

    def drawn():
        assert drawing.main([str(out)]) == 0
        page = (out / "profile.html").read_text()
        return page.count("data:image/png;base64,"), page.count("left out"), capsys.readouterr().err

    run = (write(SMALL), "--out", out, "--trace", "--set", "run.max_steps=8")
    assert rednova("run", *run).code == 0
    assert drawn() == (5, 0, "")
    assert rednova("restart", out, "--set", "run.max_steps=12").code == 0
    pictures, notes, said = drawn()
    assert (pictures, notes) == (3, 1)
    assert said.count("\n") == 1
    assert f"warning: {out}/trace: left out: it is of another start of the run than profile.json" in said
    assert not (out / "profile_lines.png").exists(), "it would be the earlier start's"
    assert rednova("restart", out, "--trace", "--set", "run.max_steps=16").code == 0
    assert drawn() == (5, 0, "")
