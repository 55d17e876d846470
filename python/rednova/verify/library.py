"""The runs of the chapter: what they are, making those that are missing, finding them again."""

from __future__ import annotations

import argparse
import functools
import json
import os
import re
import shlex
import shutil
import subprocess
import time
import tomllib
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rednova.profile import Profile
from rednova.run import Run
from rednova.verify.kept import keep, sources_of

ROOT = Path(__file__).resolve().parents[3]
MARK = "verification.json"  # in a run's directory once it is complete
SESSIONS = "sessions.json"  # there, too: seconds of each start and restart; null while one lasts
#: What the program says once a run has come to the end that its input gives it, also where a restart finds it there. A
#: run that `run.max_hours` stops exits as well as one that has ended.
ENDED = re.compile(
    r"^the .+ was reached: |^rednova: (nothing to do: |.+ had come to its end, )", re.MULTILINE
)
LAUNCHER = ("mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n")


@dataclass(frozen=True)
class Job:
    """A run: an input of problems/ and what is set differently.

    name: of its directory. problem: stem of the input. settings: as after --set. ranks: it is made on so many.
    """

    name: str
    problem: str
    settings: tuple[str, ...] = ()
    grows: bool = False  # whether it says something before it is complete
    ranks: int = 1

    @classmethod
    def of(cls, name: str, problem: str, settings: dict[str, object], grows: bool = False) -> Job:
        """With settings as a table: key → value as TOML has it."""
        return cls(name, problem, tuple(f"{key}={value}" for key, value in settings.items()), grows)

    @property
    def command(self) -> list[str]:
        """What makes the run in the repository's folder, as pieces of a line for a shell."""
        start = f"mpirun -n {self.ranks} " if self.ranks > 1 else ""
        changes = [f"--set {shlex.quote(setting)}" for setting in self.settings]
        return [f"{start}rednova run problems/{self.problem}.toml", *changes, f"--out runs/{self.name}"]


def parameters_of(file: Path) -> dict:
    """An input: section → key → value."""
    return tomllib.loads(file.read_text())


class Library:
    """The directory that holds the runs, e.g. runs/verification.

    program: the `rednova` that makes them; inputs: the directory problems/; partial: take runs that are not
    yet complete, as far as they got, where they say something (`grows`); kept: the directory of runs that need not be
    made where they are of the same sources (`rednova.verify.kept`); serves: whether a kept run, which may be of an
    earlier page, has what is taken of it.
    """

    def __init__(
        self,
        root: Path,
        program: Path,
        inputs: Path,
        threads: int = 0,
        partial: bool = False,
        kept: Path | None = None,
        serves: Callable[[Job, Run], bool] = lambda _job, _run: True,
    ) -> None:
        self.root, self.program, self.inputs = root, program, inputs
        self.threads, self.partial, self.kept, self.serves = threads, partial, kept, serves

    def has(self, job: Job) -> bool:
        """Whether the run is there (complete, unless partial ones do) or kept, and was made with these settings."""
        return self._where(job) is not None

    def made_here(self, job: Job) -> bool:
        """Whether the complete run is in the library's own directory."""
        return note_of(self.root / job.name).get("key") == self._key(job)

    def _where(self, job: Job) -> Path | None:
        """The directory of a run that is there; None if it is not."""
        made = self.root / job.name
        if self.made_here(job):
            return made
        if self.kept and self._is_ours(self.kept / job.name, job):
            return self.kept / job.name
        return made if self._grows(job) else None

    def _is_ours(self, kept: Path, job: Job) -> bool:
        """Whether a directory holds what would be kept of the program's run."""
        note = note_of(kept)
        same = note.get("key") == self._key(job) and note["sources"] == self._sources
        return same and self.serves(job, Run(kept))

    @functools.cached_property
    def _sources(self) -> str:
        return sources_of(f"({commit_of(self.program)})", ROOT)

    def sources(self, job: Job) -> str:
        """What names the sources of the program that made a run."""
        return self.note(job).get("sources") or sources_of(self.program_of(job), ROOT)

    def _grows(self, job: Job) -> bool:
        """Whether the run has begun and is taken as far as it got."""
        return (
            self.partial
            and job.grows
            and self._begun(job)
            and (self.root / job.name / "ledger.json").is_file()
        )

    def _begun(self, job: Job) -> bool:
        begun = self.root / job.name / "begun.json"
        return begun.is_file() and json.loads(begun.read_text()) == self._key(job)

    def _key(self, job: Job) -> list[str]:
        """What makes a run: settings and input, without comments and what the tests assert."""
        table = self.parameters(job.problem)
        table.pop("test", None)
        return [*job.settings, json.dumps(table, sort_keys=True)]

    def asserted(self, problem: str) -> dict:
        """What the test suite asserts of a run of a problem's input: its section [test]."""
        return self.parameters(problem)["test"]

    def parameters(self, problem: str) -> dict:
        """A problem's input: section → key → value."""
        return parameters_of(self.inputs / f"{problem}.toml")

    def program_of(self, job: Job) -> str:
        """Version and commit of the program that made a run, as its history has them."""
        return self.note(job).get("program") or self.run(job).history.version

    def note(self, job: Job) -> dict:
        """What was noted when the run was complete; empty before that."""
        return note_of(self._where(job) or self.root / job.name)

    def need(self, found: Sequence[object], jobs: Iterable[Job]) -> None:
        """Raises KeyError with the names of the jobs if nothing was found of them."""
        if not found:
            names = ", ".join(job.name for job in jobs)
            raise KeyError(f"{self.root}: none of these runs is there yet: {names}")

    @functools.cache  # noqa: B019 (a library lives as long as the program)
    def run(self, job: Job) -> Run:
        """The complete run. Raises KeyError where there is none."""
        where = self._where(job)
        if where is None:
            raise KeyError(f"{self.root / job.name}: this run is not there yet")
        return Run(where)

    def make(self, job: Job) -> bool:
        """Runs a job, or goes on with it where it was interrupted; gives whether it has come to its end. Raises
        CalledProcessError if it fails."""
        directory = self.root / job.name
        command = [str(self.program), "restart", str(directory)]
        if self._begun(job) and list(directory.glob("checkpoint_*.h5")):
            earlier = sessions_of(directory)
        else:
            earlier = []
            shutil.rmtree(directory, ignore_errors=True)
            directory.mkdir(parents=True)
            write_whole(directory / "begun.json", json.dumps(self._key(job)))
            command = [
                str(self.program),
                "run",
                str(self.inputs / f"{job.problem}.toml"),
                "--out",
                str(directory),
                *(word for setting in job.settings for word in ("--set", setting)),
            ]
        if self.threads:
            command += ["--threads", str(self.threads)]
        if job.ranks > 1:
            command = [*LAUNCHER, str(job.ranks), *command]
        sessions, start = directory / SESSIONS, time.monotonic()
        write_whole(sessions, json.dumps([*earlier, None]))
        with open(directory / "log.txt", "a+", errors="replace") as log:
            said_before = log.tell()
            try:
                subprocess.run(command, stdout=log, stderr=log, check=True)
            finally:
                seconds = [*earlier, round(time.monotonic() - start, 1)]
                write_whole(sessions, json.dumps(seconds))
            log.seek(said_before)
            if not ENDED.search(log.read()):
                return False
        note = {
            "key": self._key(job),
            "program": Run(directory).history.version,
            "seconds": round(sum(seconds), 1),
        }
        write_whole(directory / MARK, json.dumps(note, indent=1) + "\n")
        for path in sorted(directory.glob("checkpoint_*.h5")):
            path.unlink()  # a complete run needs none, and they are large
        return True

    def keep(self, job: Job, reduce: Callable[[Run, Path], None] = keep) -> Path:
        """Reduces a complete run and writes it to the kept ones; gives its directory. Raises KeyError where it is not
        there or not complete."""
        if not self.made_here(job):
            raise KeyError(f"{self.root / job.name}: this run is not complete")
        out = self.kept / job.name
        reduce(self.run(job), out)
        # The names of the sources stay known where the commit is not, as in a clone without history.
        note = {**self.note(job), "sources": sources_of(self.program_of(job), ROOT)}
        write_whole(out / MARK, json.dumps(note, indent=1) + "\n")
        return out


def note_of(directory: Path) -> dict:
    """What was noted when a run was complete; empty before that."""
    mark = directory / MARK
    return json.loads(mark.read_text()) if mark.is_file() else {}


def write_whole(path: Path, text: str) -> None:
    """Writes a file that is there as a whole or not at all, whenever this program is killed."""
    being_written = path.with_name(f"{path.name}.new")
    being_written.write_text(text)
    os.replace(being_written, path)


def sessions_of(directory: Path) -> list[float]:
    """Seconds of each start and restart of a run that was interrupted, with steps that were taken again. One that had
    no time to note its own has those of the profile, which is brought up to date each second; none where there is no
    profile."""
    try:
        sessions = json.loads((directory / SESSIONS).read_text())
    except (FileNotFoundError, ValueError):  # of runs that earlier versions began, or in a write of theirs
        sessions = [None]
    if sessions[-1] is None:
        try:
            parts = [Profile(directory, part).seconds for part in ("before_first_step", "steps")]
            sessions[-1] = round(float(np.max(sum(parts), initial=0)), 1)
        except (FileNotFoundError, ValueError):
            sessions[-1] = 0.0
    return sessions


def keep_long(library: Library, jobs: Iterable[Job], reduce: Callable[[Job, Run, Path], None]) -> None:
    """Keeps the complete runs of those that say something before they are, since they take hours."""
    for job in jobs:
        if job.grows and library.made_here(job):
            print(f"kept: {library.keep(job, functools.partial(reduce, job))}")


def add_options(parser: argparse.ArgumentParser, root: Path, name: str) -> None:
    """Options of all commands that make runs of a library; name: of the folder in root/runs."""
    add = parser.add_argument
    add("--program", type=Path, default=Path(os.environ.get("REDNOVA", root / "build/rednova")))
    add("--runs", type=Path, default=root / "runs" / name, help="runs are in its folder <commit>")
    add("--threads", type=int, default=1, help="of each run")
    add("--jobs", type=int, default=0, help="runs at once; 0: as many as keep all cores busy")
    add("--draw", action="store_true", help="make no runs, write from those that are there")


def unfit(program: Path, commit: str, option: str) -> str:
    """Why a program may not write pages of the docs; empty if it may. option: that names another place."""
    if not commit.endswith("-dirty"):
        return ""
    return (
        f"{program} was built from {commit}, with changes that are not committed: commit them and build again, or name "
        f"another place with {option}"
    )


def at_once(chosen: argparse.Namespace) -> int:
    """How many runs are made at once."""
    return chosen.jobs or max(1, len(os.sched_getaffinity(0)) // max(1, chosen.threads))


def make_missing(library: Library, jobs: Sequence[Job], at_once: int) -> list[Job]:
    """Makes what is missing, so many runs at once; gives the jobs that failed or stopped before their end. A run that
    was interrupted goes on."""
    missing = [job for job in jobs if not library.has(job)]

    def make(number: int, job: Job) -> bool:
        print(f"[{number}/{len(missing)}] {job.name}", flush=True)
        log = library.root / job.name / "log.txt"
        try:
            ended = library.make(job)
        except subprocess.CalledProcessError as error:
            print(f"  {job.name} failed with exit code {error.returncode}: {log}", flush=True)
            return False
        if not ended:
            print(
                f"  {job.name} stopped before its end, and goes on with the same command: {log}", flush=True
            )
        return ended

    with ThreadPoolExecutor(at_once) as pool:
        try:
            made = list(pool.map(make, range(1, len(missing) + 1), missing))
        except KeyboardInterrupt:
            # The runs got the signal, too, and write their checkpoints; those that have not begun are not to.
            pool.shutdown(cancel_futures=True)
            raise
    return [job for job, success in zip(missing, made, strict=True) if not success]


def program_of_all(library: Library, jobs: Iterable[Job]) -> str:
    """The one program that made all of these runs that are there; several count as one if their sources are the same.
    Raises ValueError where there are different ones or none."""
    present = [job for job in jobs if library.has(job)]
    made = {library.program_of(job): job for job in present}
    if len({library.sources(job) for job in present}) != 1:
        runs = ", ".join(f"{job.name} of {program}" for program, job in sorted(made.items()))
        raise ValueError(
            f"{library.root}: a page is made of runs of one program; there are: {runs or 'none'}"
        )
    same = ", whose sources are the same where they decide numbers" if len(made) > 1 else ""
    return f"Rednova {' and '.join(sorted(made))}{same}"


def commit_of(program: Path) -> str:
    """The commit that a program was built from, with "-dirty" after it where files had been changed."""
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"^commit (\S+)$", said, re.MULTILINE)
    if not found:
        raise ValueError(f"{program} --version names no commit")
    return found[1]
