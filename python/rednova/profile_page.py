"""Pictures of a profile and one page with them: the command `rednova-profile`."""

from __future__ import annotations

import argparse
import base64
import html
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from rednova.command import tell
from rednova.profile import ON_DEVICE, Profile, activity_of, label_of, rate, rows_of, summary
from rednova.trace import Trace, draw_lines, draw_scopes

#: What `draw` writes as profile_<name>.png, and all but the first of another run as profile_other_<name>.png.
PICTURES = ("phases", "ranks", "load", "scopes", "lines")
PREFIXES = ("profile", "profile_other")  # of each run's
COLOURS = {"work": "#2a6f97", "wait": "#e07a1f", "device": "#5a8f29"}


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
    axes.set_xlabel("seconds of threads in a step (blue: work, orange: waits), of devices (green)")
    return figure


def draw_ranks(profile: Profile, most: int = 12) -> Figure:
    """Each rank's threads' time, by phase: what one rank has more of than another, others wait for."""
    work, waits = profile.names("work")[:most], profile.names("wait")
    # A name in the legend takes a fifth of an inch.
    height = max(1.6 + 0.3 * len(profile.seconds), 0.8 + 0.2 * (len(work) + len(waits) + 1))
    figure, axes = plt.subplots(figsize=(10, height), layout="constrained")
    left, place = np.zeros(len(profile.seconds)), np.arange(len(profile.seconds))
    shades = iter(plt.get_cmap("viridis")(np.linspace(0.1, 0.95, most)))
    warm = iter(plt.get_cmap("Oranges")(np.linspace(0.35, 0.9, max(1, len(waits)))))
    for name in work + waits:
        share = profile.shares_of_ranks(name)
        colour = next(warm) if name in waits else next(shades)
        axes.barh(place, share, left=left, color=colour, label=name)
        left += share
    axes.barh(place, np.maximum(0, 1 - left), left=left, color="#cccccc", label="all others")
    axes.set_yticks(place, [f"rank {r}" for r in profile.ranks])
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of the rank's threads' time")
    figure.legend(fontsize=7, loc="outside right center")
    return figure


def draw_load(profile: Profile) -> Figure:
    """Processors in use, memory, network and steps a second over the run's time, of ranks dashed what their messages
    have of the network; where the processor's counters were read, instructions a cycle and misses of the last cache;
    where devices did the steps, what the ranks have in their memory (dashed: all that is in it), what goes to and fro
    (dashed: to the host), and where their driver says it, what share of the time they had a kernel, and their power."""
    devices = [samples for samples in profile.samples if "bytes_to_device" in samples]
    # What the driver or the processor does not count has no column.
    read = [s for s in profile.samples if "device_watts" in s or "device_use_percent" in s]
    counted = [samples for samples in profile.samples if "cycles" in samples]
    rows = 2 + bool(counted) + bool(devices) + bool(read)
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
            if "instructions" in samples:
                instructions = rate(samples, "instructions")[1]
                efficiency.plot(time[cycles > 0], instructions[cycles > 0] / cycles[cycles > 0], lw=1)
            if "cache_misses" in samples:
                time, misses_a_second = rate(samples, "cache_misses")
                misses.plot(time, 1e-6 * misses_a_second, lw=1)
        labels += ["instructions a cycle", "cache misses [10⁶/s]"]
    if devices:
        own, copies = panels[2 + bool(counted)]
        for samples in devices:
            (line,) = own.plot(samples["time"], 1e-9 * samples["device_own_memory_bytes"], lw=1)
            if "device_memory_bytes" in samples:
                whole = 1e-9 * samples["device_memory_bytes"]
                own.plot(samples["time"], whole, "--", lw=1, color=line.get_color())
            for column, style in (("bytes_to_device", "-"), ("bytes_to_host", "--")):
                time, bytes_a_second = rate(samples, column)
                copies.plot(time, 1e-6 * bytes_a_second, style, lw=1, color=line.get_color())
        labels += ["device memory [GB]", "copies [MB/s]"]
    if read:
        use, power = panels[-1]
        for samples in read:
            for axes, column in ((use, "device_use_percent"), (power, "device_watts")):
                if column in samples:
                    axes.plot(samples["time"], samples[column], lw=1)
        labels += ["device in use [%]", "device [W]"]
    for axes, label in zip(panels.flat, labels, strict=True):
        axes.set_ylabel(label)
        axes.set_ylim(bottom=0)
    if 1 < len(profile.samples) <= 8:
        cores.legend(fontsize=7)
    for axes in panels[-1]:
        axes.set_xlabel("seconds since the start")
    return figure


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


def strange_traces(profiles: Sequence[Profile], traces: Sequence[Trace | None]) -> list[str]:
    """A line for each trace that does not belong to its run's profile: it is left out."""
    return [
        f"{trace.folder}: left out: it is of another start of the run than profile.json"
        for profile, trace in zip(profiles, traces, strict=False)
        if trace is not None and trace.strange_to(profile)
    ]


def page(profiles: Sequence[Profile], pictures: Sequence[tuple[str, Path]], notes: Sequence[str] = ()) -> str:
    """One HTML page, with the pictures in it, each under its caption; notes stand before them."""
    first = profiles[0]
    before = [Profile(p.directory, "before_first_step") for p in profiles]
    seconds = " and ".join(f"{np.max(p.seconds):.4g} s" for p in before)
    images = "".join(
        f'<figure><figcaption>{html.escape(caption)}</figcaption><img alt="{path.stem}" '
        f'src="data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()}"></figure>\n'
        for caption, path in pictures
    )
    said = "".join(f"<p>{html.escape(note)}</p>\n" for note in notes)
    runs = "".join(f"<li>{html.escape(summary(p))}</li>" for p in profiles)
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Profile of {html.escape(label_of(first))}</title>
<style>body {{ font-family: sans-serif; margin: 2em; max-width: 70em }}
img {{ max-width: 100% }} figure {{ margin: 1em 0 }}
td, th {{ padding: 0.15em 0.8em; text-align: right }} td:first-child, th:first-child {{ text-align: left }}</style>
</head><body>
<h1>Where the time went</h1>
<ul>{runs}</ul>
{said}{images}
<p>Shares are of the threads' time, those of phases{ON_DEVICE} of the wall time.</p>
{table_of(profiles, "seconds a step")}
<h2>Before the first step: {seconds}</h2>
{table_of(before, "seconds")}
</body></html>
"""


def pictures_of(profile: Profile, trace: Trace | None) -> dict[str, Figure]:
    """The pictures of one run, by the names in PICTURES: none of its profile if it was killed before its first step on
    any rank, none of its trace if it was killed within it."""
    figures = {}
    if np.all(profile.seconds > 0):
        figures |= {"ranks": draw_ranks(profile), "load": draw_load(profile)}
    if trace is not None and trace.has_steps:
        figures["scopes"] = draw_scopes(trace)
        # Of a share of the tasks the threads would seem to idle.
        if trace.share >= 1:
            figures["lines"] = draw_lines(trace)
    return figures


def all_pictures(
    profiles: Sequence[Profile], traces: Sequence[Trace | None]
) -> Iterator[tuple[str, str, Figure]]:
    """Name of the file, caption and picture; a second run's each below the same one of the first."""
    if all(np.all(profile.seconds > 0) for profile in profiles):
        yield "profile_phases.png", "", draw_phases(profiles)
    of_runs = [pictures_of(profile, trace) for profile, trace in zip(profiles, traces, strict=True)]
    captions = [""]
    if len(profiles) == 2:
        captions = [f"the run: {label_of(profiles[0])}", f"the other run: {label_of(profiles[1])}"]
    for name in PICTURES:
        for prefix, caption, figures in zip(PREFIXES, captions, of_runs, strict=False):
            if name in figures:
                yield f"{prefix}_{name}.png", caption, figures[name]


def draw(
    profiles: Sequence[Profile],
    out: Path,
    traces: Sequence[Trace | None] = (),
    left_out: Sequence[str] = (),
) -> list[Path]:
    """Writes profile_phases.png, profile_ranks.png, profile_load.png and profile.html, of a trace also
    profile_scopes.png and, where it has all tasks, profile_lines.png; of a second run, with which the first is
    compared, profile_other_ranks.png and so on. Gives their paths. Those of them that an earlier call has left, and
    this one does not write, are removed.

    Of a trace that is of another start of its run than the profile there are no pictures, and the page says so, as it
    says why the caller has `left_out` others; nor are there any of a run that was killed before its first step on any
    rank, of which the page has the time before it, or of the trace of one that was killed within it.

    Args:
        profiles: of one run, or of two.
        traces: each run's, None where it has none.
    """
    out.mkdir(parents=True, exist_ok=True)
    of_runs = [*traces, None, None][: len(profiles)]
    belonging = [
        None if trace is None or trace.strange_to(profile) else trace
        for profile, trace in zip(profiles, of_runs, strict=True)
    ]
    figures = list(all_pictures(profiles, belonging))
    for prefix in PREFIXES:
        for name in PICTURES:
            (out / f"{prefix}_{name}.png").unlink(missing_ok=True)
    made = []
    for name, caption, figure in figures:
        made.append((caption, out / name))
        figure.savefig(out / name, dpi=110)
        plt.close(figure)
    notes = [*left_out, *strange_traces(profiles, of_runs)]
    (out / "profile.html").write_text(page(profiles, made, notes))
    return [*(path for _, path in made), out / "profile.html"]


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
        traces, left_out = [], []
        for profile in profiles:
            try:
                traces.append(Trace(profile.directory))
            except FileNotFoundError:  # a run without --trace
                traces.append(None)
            except ValueError as error:
                traces.append(None)
                left_out.append(f"the trace is left out: {error}")
        for line in [*left_out, *strange_traces(profiles, traces)]:
            print(f"rednova-profile: warning: {line}", file=sys.stderr)
        return draw(profiles, chosen.out or chosen.run, traces, left_out)

    return tell("rednova-profile", make)


if __name__ == "__main__":
    sys.exit(main())
