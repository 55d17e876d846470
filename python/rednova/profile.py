"""profile.json: where the time of a run went. `rednova.profile_page` draws it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

FORMAT = 1
#: What belongs to no phase: see docs/profile.md.
#: The first is what "task switching" was called in profiles of earlier versions, where work may hide in it.
UNNAMED = (
    "tasks, outside of phases",
    "main thread between tasks",
    "main thread, outside of phases",
    "threads, between phases",
)
#: Behind the name of a device's phase: threads may have one of the same name.
ON_DEVICE = " (device)"


@dataclass(frozen=True)
class Phase:
    """A phase on all ranks.

    Attributes:
        name: as docs/profile.md lists them, of a device's with ON_DEVICE behind it.
        activity: "work" or "wait" of threads, or "device": time by a device's clock, which is no thread's.
        seconds: [rank] own time, without that of phases within it, summed over the rank's threads.
        calls: how often it was entered.
        longest: the longest one, with the phases within it, in seconds.
        shortest: the shortest one, likewise; 0 in profiles of earlier versions.
    """

    name: str
    activity: str
    seconds: NDArray
    calls: int
    longest: float
    shortest: float = 0.0


class Profile:
    """The profile of a run's last start or restart.

    Args:
        directory: of the run.
        part: of the run's time: its steps, or what lies before the first of them, as the initial model.

    Attributes:
        seconds: [rank], wall time.
        threads: [rank], their number.
        steps: [rank], since the start.
        devices: [rank], name of the device that did a rank's steps; "" where its threads did.
        phases: by name, each a `Phase`.
        version, commit: of the program.
        started_ns: when this start of the run began, in ns since 1970; 0 in profiles of earlier versions.
        number_of_ranks: of the run.
        complete: False while the run goes on, and after one that was killed.
        ranks: [rank], their numbers: where others are missing a place in these lists is no number.
        missing: ranks of whom there is nothing, as of a killed run whose files were taken apart.
        samples: for each rank, column → values in time (seconds since the start).
        unnamed_of_threads: for each rank, the seconds of each of its threads that belong to no phase; empty in profiles
            of earlier versions.
        messages: for each rank, "sent", "sent_bytes", "received" and "received_bytes" since the start of the steps;
            empty of a run on one rank.

    Raises:
        FileNotFoundError: the directory holds no profile.
        ValueError: it is no profile, or one of another format.
    """

    def __init__(self, directory: str | Path, part: Literal["steps", "before_first_step"] = "steps") -> None:
        self.directory = Path(directory)
        first = self.directory / "profile.json"
        if not first.is_file():
            raise FileNotFoundError(
                f"{first}: there is no such file: the run was made with --no-profile or is older"
            )
        try:
            self._take(self._read(first), part)
        except KeyError as error:
            raise ValueError(f"{first}: is no profile of rednova: it has no {error}") from None

    def _take(self, head: dict, part: str) -> None:
        ranks = list(head["ranks"])
        self.started_ns = head["run"].get("started_ns", 0)
        if not head["complete"]:
            for path in sorted(self.directory.glob("profile_rank_*.json")):
                of_rank = self._read(path)
                # An earlier start that was killed may have left its own.
                if of_rank["run"].get("started_ns", 0) == self.started_ns:
                    ranks += of_rank["ranks"]
        self.complete, self.version, self.commit = (
            head["complete"],
            head["run"]["version"],
            head["run"]["commit"],
        )
        self.number_of_ranks = head["number_of_ranks"]
        self.ranks = [r["rank"] for r in ranks]
        self.missing = [r for r in range(self.number_of_ranks) if r not in self.ranks]
        self.threads = np.array([r["threads"] for r in ranks])
        self.devices = [r.get("device", {}).get("name", "") for r in ranks]
        self.messages = [r.get("messages", {}) for r in ranks]
        self.samples = [{name: np.array(values) for name, values in r["samples"].items()} for r in ranks]
        if part == "before_first_step":
            ranks = [{"steps": 0, **r.get(part, {"seconds": 0, "phases": []})} for r in ranks]
        self.seconds = np.array([r["seconds"] for r in ranks], dtype=float)
        self.steps = np.array([r["steps"] for r in ranks])
        self.unnamed_of_threads = [np.array(r.get("unnamed_of_threads", []), dtype=float) for r in ranks]
        self.phases = self._phases(ranks)

    @staticmethod
    def _read(path: Path) -> dict:
        try:
            content = json.loads(path.read_text())
            known = content["format"]
        except (json.JSONDecodeError, KeyError, TypeError) as error:
            raise ValueError(f"{path}: is no profile of rednova: {error!r}") from None
        if known != FORMAT:
            raise ValueError(f"{path}: has format {known}; this version reads format {FORMAT}")
        return content

    @staticmethod
    def _phases(ranks: list[dict]) -> dict[str, Phase]:
        phases: dict[str, Phase] = {}
        for i, rank in enumerate(ranks):
            for row in rank["phases"]:
                name = row["name"] + (ON_DEVICE if row["activity"] == "device" else "")
                old = phases.get(name)
                seconds = old.seconds if old else np.zeros(len(ranks))
                seconds[i] += row["seconds"]
                calls, longest = (old.calls, old.longest) if old else (0, 0.0)
                shortest = row.get("shortest", 0.0)
                if calls and old:
                    shortest = min(shortest, old.shortest) if row["calls"] else old.shortest
                phases[name] = Phase(
                    name,
                    row["activity"],
                    seconds,
                    calls + row["calls"],
                    max(longest, row["longest"]),
                    shortest,
                )
        return phases

    @property
    def thread_seconds(self) -> float:
        """Wall time times threads, of all ranks, which is what the phases of threads add up to."""
        return float(np.sum(self.seconds * self.threads))

    def share(self, name: str) -> float:
        """What a phase takes of the time of all threads, or one of devices of the ranks' wall time, 0 to 1; 0 for a
        phase that the run does not have. A run that was killed before its first step has none."""
        whole = float(np.sum(self._whole(name)))
        return float(np.sum(self.phases[name].seconds)) / whole if name in self.phases and whole > 0 else 0.0

    def shares_of_ranks(self, name: str) -> NDArray:
        """[rank], the same of each rank's time, for a phase that the run has; 0 of a rank that was killed before its
        first step."""
        seconds, whole = self.phases[name].seconds, self._whole(name)
        return np.divide(seconds, whole, out=np.zeros(len(seconds)), where=whole > 0)

    def _whole(self, name: str) -> NDArray:
        """[rank], seconds that the shares of a phase are of."""
        return self.seconds if name.endswith(ON_DEVICE) else self.seconds * self.threads

    @property
    def unnamed(self) -> float:
        """The share of the threads' time that belongs to no phase."""
        return sum(self.share(name) for name in UNNAMED)

    def per_step(self, name: str) -> float:
        """Seconds of threads, or of devices, that a phase takes in a step of all ranks, or before the first one."""
        return (
            float(np.sum(self.phases[name].seconds)) / max(1, int(self.steps[0]))
            if name in self.phases
            else 0.0
        )

    def names(self, *activities: str) -> list[str]:
        """Phases of these activities (all if none is given), the longest first."""
        chosen = [p for p in self.phases.values() if not activities or p.activity in activities]
        return [p.name for p in sorted(chosen, key=lambda p: -np.sum(p.seconds))]


def label_of(profile: Profile) -> str:
    """What a profile is called in pictures: the name of its run's directory."""
    return profile.directory.resolve().name


def activity_of(profiles: Sequence[Profile], name: str) -> str:
    """Of a phase, in the first of the profiles that has it."""
    return next(p.phases[name].activity for p in profiles if name in p.phases)


def rate(samples: dict[str, NDArray], column: str) -> tuple[NDArray, NDArray]:
    """Middles of the intervals between samples, and what a column grew by there, a second."""
    time = samples["time"].astype(float)
    apart = np.diff(time)
    inside = apart > 0
    return (0.5 * (time[1:] + time[:-1]))[inside], np.diff(samples[column].astype(float))[inside] / apart[
        inside
    ]


def rows_of(profiles: Sequence[Profile]) -> list[list[str]]:
    """The table of phases: share, seconds a step, calls, mean, shortest and longest of the first; of a second run the
    ratio, and the phases that it alone has."""
    first = profiles[0]
    rows = []
    for name in first.names():
        phase = first.phases[name]
        total = float(np.sum(phase.seconds))
        of_rank = first.shares_of_ranks(name)
        row = [
            name,
            phase.activity,
            f"{100 * first.share(name):.2f} %",
            f"{100 * np.min(of_rank):.2f} … {100 * np.max(of_rank):.2f} %",
            f"{first.per_step(name):.4g}",
            str(phase.calls),
            f"{1e3 * total / phase.calls:.3g}" if phase.calls else "",
            f"{1e3 * phase.shortest:.3g}" if phase.shortest else "",
            f"{1e3 * phase.longest:.3g}" if phase.longest else "",
        ]
        if len(profiles) == 2:
            before = first.per_step(name)
            row.append(f"{profiles[1].per_step(name) / before:.3f}" if before > 0 else "")
        rows.append(row)
    for name in profiles[-1].names():
        if name not in first.phases:
            seconds = f"new: {profiles[-1].per_step(name):.4g}"
            rows.append([name, activity_of(profiles, name), *7 * [""], seconds])
    return rows


def summary(profile: Profile) -> str:
    """What run it is, and how much of its time has no name."""
    text = (
        f"{label_of(profile)}: rednova {profile.version} ({profile.commit}), {len(profile.seconds)} ranks, "
        f"{int(np.sum(profile.threads))} threads, {int(profile.steps[0])} steps in {np.max(profile.seconds):.4g} s; "
        f"{100 * profile.unnamed:.2f} % of the time is outside of phases"
    )
    if not profile.complete:
        text += "; not complete: the run was killed or still goes on"
    if profile.missing:
        text += f"; nothing of ranks {', '.join(map(str, profile.missing))}"
    return text
