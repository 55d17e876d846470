"""profile.json: where the time of a run went; and the command `rednova-profile`, which draws it."""

from __future__ import annotations

import argparse
import base64
import html
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from rednova.command import tell
from rednova.trace import Trace, draw_lines, draw_scopes

FORMAT = 1
#: What belongs to no phase: see docs/profile.md.
#: The first is what "task switching" was called in profiles of earlier versions, where work may hide in it.
UNNAMED = (
    "tasks, outside of phases",
    "main thread between tasks",
    "main thread, outside of phases",
    "threads, between phases",
)
COLOURS = {"work": "#2a6f97", "wait": "#e07a1f", "device": "#5a8f29"}


@dataclass(frozen=True)
class Phase:
    """A phase on all ranks.

    Attributes:
        name: as docs/profile.md lists them.
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
        if not head["complete"]:
            for path in sorted(self.directory.glob("profile_rank_*.json")):
                ranks += self._read(path)["ranks"]
        self.complete, self.version, self.commit = (
            head["complete"],
            head["run"]["version"],
            head["run"]["commit"],
        )
        self.ranks = [r["rank"] for r in ranks]
        self.missing = [r for r in range(head["number_of_ranks"]) if r not in self.ranks]
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
                old = phases.get(row["name"])
                seconds = old.seconds if old else np.zeros(len(ranks))
                seconds[i] += row["seconds"]
                calls, longest = (old.calls, old.longest) if old else (0, 0.0)
                shortest = row.get("shortest", 0.0)
                if calls and old:
                    shortest = min(shortest, old.shortest) if row["calls"] else old.shortest
                phases[row["name"]] = Phase(
                    row["name"],
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
        """What a phase takes of the time of all threads, 0 to 1; 0 for a phase that the run does not have."""
        return float(np.sum(self.phases[name].seconds)) / self.thread_seconds if name in self.phases else 0.0

    @property
    def unnamed(self) -> float:
        """The share of the threads' time that belongs to no phase."""
        return sum(self.share(name) for name in UNNAMED)

    def per_step(self, name: str) -> float:
        """Seconds of threads that a phase takes in a step of all ranks, or before the first one."""
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


def draw_phases(profiles: Sequence[Profile], most: int = 20) -> Figure:
    """The longest phases side by side, thread seconds a step, with the ratio of the second run to the first."""
    names = [n for n in profiles[0].names() if profiles[0].per_step(n) > 0][:most]
    names += [n for n in profiles[-1].names()[:most] if n not in names and profiles[-1].per_step(n) > 0]
    figure, axes = plt.subplots(figsize=(9, 0.8 + 0.32 * len(names)), layout="constrained")
    place, height = np.arange(len(names)), 0.8 / len(profiles)
    for i, profile in enumerate(profiles):
        seconds = [profile.per_step(n) for n in names]
        colours = [COLOURS[activity_of(profiles, n)] for n in names]
        axes.barh(
            place + i * height, seconds, height, color=colours, alpha=1 - 0.45 * i, label=label_of(profile)
        )
    if len(profiles) == 2:
        for where, name in zip(place, names, strict=True):
            first, second = (p.per_step(name) for p in profiles)
            text = f"×{second / first:.2f}" if first > 0 else "new"
            axes.text(max(first, second), where + height / 2, " " + text, va="center", fontsize=8)
        axes.legend(loc="lower right")
    axes.set_yticks(place + 0.4 - height / 2, names)
    axes.invert_yaxis()
    axes.set_xlabel("seconds of threads in a step (blue: work, orange: waits, green: device)")
    return figure


def draw_ranks(profile: Profile, most: int = 12) -> Figure:
    """Each rank's threads' time, by phase: what one rank has more of than another, others wait for."""
    work, waits = profile.names("work")[:most], profile.names("wait")
    # A name in the legend takes a fifth of an inch.
    height = max(1.6 + 0.3 * len(profile.seconds), 0.8 + 0.2 * (len(work) + len(waits) + 1))
    figure, axes = plt.subplots(figsize=(10, height), layout="constrained")
    left = np.zeros(len(profile.seconds))
    whole = profile.seconds * profile.threads
    shades = iter(plt.get_cmap("viridis")(np.linspace(0.1, 0.95, most)))
    warm = iter(plt.get_cmap("Oranges")(np.linspace(0.35, 0.9, max(1, len(waits)))))
    for name in work + waits:
        share = profile.phases[name].seconds / whole
        colour = next(warm) if name in waits else next(shades)
        axes.barh(np.arange(len(whole)), share, left=left, color=colour, label=name)
        left += share
    axes.barh(np.arange(len(whole)), np.maximum(0, 1 - left), left=left, color="#cccccc", label="all others")
    axes.set_yticks(np.arange(len(whole)), [f"rank {r}" for r in profile.ranks])
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of the rank's threads' time")
    figure.legend(fontsize=7, loc="outside right center")
    return figure


def rate(samples: dict[str, NDArray], column: str) -> tuple[NDArray, NDArray]:
    """Middles of the intervals between samples, and what a column grew by there, a second."""
    time = samples["time"].astype(float)
    apart = np.diff(time)
    inside = apart > 0
    return (0.5 * (time[1:] + time[:-1]))[inside], np.diff(samples[column].astype(float))[inside] / apart[
        inside
    ]


def draw_load(profile: Profile) -> Figure:
    """Processors in use, memory, network and steps a second over the run's time, of ranks dashed what their messages
    have of the network; where the processor's counters were read, instructions a cycle and misses of the last cache;
    where devices did the steps, what share of the time they had a kernel, and their power."""
    devices = [samples for samples in profile.samples if "device_watts" in samples]
    counted = [samples for samples in profile.samples if "cycles" in samples]
    rows = 2 + bool(counted) + bool(devices)
    figure, panels = plt.subplots(rows, 2, figsize=(9, 2.5 * rows), layout="constrained", sharex=True)
    (cores, memory), (network, steps) = panels[:2]
    for rank, samples in zip(profile.ranks, profile.samples, strict=True):
        cores.plot(*rate(samples, "processor_seconds"), lw=1, label=f"rank {rank}")
        memory.plot(samples["time"], 1e-9 * samples["resident_bytes"].astype(float), lw=1)
        time, bytes_a_second = rate(samples, "network_bytes")
        (line,) = network.plot(time, 1e-6 * bytes_a_second, lw=1)
        if "sent_bytes" in samples:
            time, bytes_a_second = rate(samples, "sent_bytes")
            network.plot(time, 1e-6 * bytes_a_second, "--", lw=1, color=line.get_color())
    steps.plot(*rate(profile.samples[0], "step"), lw=1)
    labels = ["processors in use", "memory [GB]", "network [MB/s]", "steps a second"]
    if counted:
        efficiency, misses = panels[2]
        for samples in counted:
            time, cycles = rate(samples, "cycles")
            instructions = rate(samples, "instructions")[1]
            efficiency.plot(time[cycles > 0], instructions[cycles > 0] / cycles[cycles > 0], lw=1)
            time, misses_a_second = rate(samples, "cache_misses")
            misses.plot(time, 1e-6 * misses_a_second, lw=1)
        labels += ["instructions a cycle", "cache misses [10⁶/s]"]
    if devices:
        use, power = panels[-1]
        for samples in devices:
            use.plot(samples["time"], samples["device_use_percent"], lw=1)
            power.plot(samples["time"], samples["device_watts"], lw=1)
        labels += ["device in use [%]", "device [W]"]
    for axes, label in zip(panels.flat, labels, strict=True):
        axes.set_ylabel(label)
        axes.set_ylim(bottom=0)
    if 1 < len(profile.samples) <= 8:
        cores.legend(fontsize=7)
    for axes in panels[-1]:
        axes.set_xlabel("seconds since the start")
    return figure


def rows_of(profiles: Sequence[Profile]) -> list[list[str]]:
    """The table of phases: share, seconds a step, calls, mean, shortest and longest of the first; of a second run the
    ratio, and the phases that it alone has."""
    first = profiles[0]
    rows = []
    for name in first.names():
        phase = first.phases[name]
        total = float(np.sum(phase.seconds))
        of_rank = phase.seconds / (first.seconds * first.threads)
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


def table_of(profiles: Sequence[Profile], seconds: str) -> str:
    """The rows in HTML, under the name that their seconds have."""
    names = (
        "phase",
        "activity",
        "share",
        "of ranks",
        seconds,
        "calls",
        "mean ms",
        "shortest ms",
        "longest ms",
    )
    headings = [*names, *(["second run over it"] if len(profiles) == 2 else [])]
    cells = "".join(
        "<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in row) + "</tr>\n" for row in rows_of(profiles)
    )
    return f"<table><tr>{''.join(f'<th>{h}</th>' for h in headings)}</tr>\n{cells}</table>"


def page(profiles: Sequence[Profile], pictures: Sequence[Path]) -> str:
    """One HTML page, with the pictures in it."""
    first = profiles[0]
    before = [Profile(p.directory, "before_first_step") for p in profiles]
    seconds = " and ".join(f"{np.max(p.seconds):.4g} s" for p in before)
    images = "".join(
        f'<p><img alt="{p.stem}" src="data:image/png;base64,{base64.b64encode(p.read_bytes()).decode()}"></p>\n'
        for p in pictures
    )
    runs = "".join(f"<li>{html.escape(summary(p))}</li>" for p in profiles)
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Profile of {html.escape(label_of(first))}</title>
<style>body {{ font-family: sans-serif; margin: 2em; max-width: 70em }} img {{ max-width: 100% }}
td, th {{ padding: 0.15em 0.8em; text-align: right }} td:first-child, th:first-child {{ text-align: left }}</style>
</head><body>
<h1>Where the time went</h1>
<ul>{runs}</ul>
{images}
{table_of(profiles, "seconds a step")}
<h2>Before the first step: {seconds}</h2>
{table_of(before, "seconds")}
</body></html>
"""


def draw(profiles: Sequence[Profile], out: Path, trace: Trace | None = None) -> list[Path]:
    """Writes profile_phases.png, profile_ranks.png, profile_load.png and profile.html, of a trace also
    profile_scopes.png and, where it has all tasks, profile_lines.png; gives their paths."""
    out.mkdir(parents=True, exist_ok=True)
    made = []
    figures = [
        ("phases", draw_phases(profiles)),
        ("ranks", draw_ranks(profiles[0])),
        ("load", draw_load(profiles[0])),
    ]
    if trace is not None:
        figures.append(("scopes", draw_scopes(trace)))
    # Of a share of the tasks the threads would seem to idle.
    if trace is not None and trace.share >= 1:
        figures.append(("lines", draw_lines(trace)))
    for name, figure in figures:
        made.append(out / f"profile_{name}.png")
        figure.savefig(made[-1], dpi=110)
        plt.close(figure)
    (out / "profile.html").write_text(page(profiles, made))
    return [*made, out / "profile.html"]


def main(arguments: Sequence[str] | None = None) -> int:
    """The command `rednova-profile`; exit code 2 where a profile cannot be read."""
    parser = argparse.ArgumentParser(
        prog="rednova-profile", description="Draw where the time of a run went, as PNG and one HTML page."
    )
    parser.add_argument("run", type=Path, help="directory of the run")
    parser.add_argument("other", type=Path, nargs="?", help="another run, to compare with")
    parser.add_argument("--out", type=Path, help="where the files go; by default into the run's directory")
    chosen = parser.parse_args(arguments)

    def make() -> list[Path]:
        profiles = [Profile(d) for d in (chosen.run, chosen.other) if d is not None]
        traced = any((chosen.run / "trace").glob("rank_*.records"))
        trace = Trace(chosen.run) if traced else None
        return draw(profiles, chosen.out or chosen.run, trace)

    return tell("rednova-profile", make)


if __name__ == "__main__":
    sys.exit(main())
