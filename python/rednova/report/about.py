"""Sections on what was run: the program, the model, the mesh; how to repeat and cite it."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from typing import Any

import numpy as np

from rednova import citation
from rednova.history import pair_rows
from rednova.report import figures
from rednova.report.parts import (
    NOTHING,
    SYMBOLS,
    Code,
    Missing,
    Movie,
    Paragraph,
    Part,
    Section,
    Table,
    number,
    with_unit,
)
from rednova.report.sources import Sources
from rednova.snapshot import Snapshot

QUANTITY = ("", "value")


def ends(source: Sources) -> tuple[str, bool]:
    """When the input ends the run, as text, and whether it has come to that."""
    run, history = source.keys.get("run", {}), source.history
    last = {"end_time": "time", "end_orbits": "orbits", "max_steps": "step"}
    asked = {key: run[key] for key in last if run.get(key, 0) > 0}
    # Steps are cut to meet a time to rounding, and a count of orbits to 1e-4 (docs/files.md).
    spare = {"end_time": 1e-12, "end_orbits": 1e-4, "max_steps": 0}
    reached = [key for key, end in asked.items() if abs(history[last[key]][-1]) >= end * (1 - spare[key])]
    after = run.get("end_after_merger", 0)
    if after > 0:
        asked["end_after_merger"] = after
        two = history["time"][pair_rows(history)]
        if len(two) and history["time"][-1] - two[-1] >= after:
            reached.append("end_after_merger")
    return ", ".join(f"{key} = {end:g}" for key, end in asked.items()) or "nothing", bool(reached)


def company(source: Sources) -> str:
    """Ranks, threads and devices of the last start or restart."""
    profile = source.profile
    if profile is None:
        return "not known: there is no profile.json"
    threads = sorted(set(profile.threads.tolist()))
    each = " or ".join(map(str, threads))
    devices = sorted({name for name in profile.devices if name})
    ranks = len(profile.threads) + len(profile.missing)
    text = f"{ranks} rank{'s, each' if ranks > 1 else ''} of {each} thread{'s' * (threads != [1])}"
    return f"{text}, on {', '.join(devices)}" if devices else f"{text}, without a GPU"


def program(source: Sources) -> str:
    """Version and commit of the program that began the run, and of the one that went on with it."""
    text = f"rednova {source.history.version}"
    of_input = re.match(r"# rednova (.+)", source.input)
    if of_input and of_input[1].strip() != source.history.version:
        text += f", went on with rednova {of_input[1].strip()}"
    return text


def reached(source: Sources) -> str:
    """Step, time and orbits of the last row."""
    history = source.history
    text = f"step {int(history['step'][-1])}, time {with_unit(history['time'][-1], history.units['time'])}"
    if source.solar:
        text += f" = {number(history['time'][-1] * source.day)} d"
    if history["orbits"][-1] != 0:
        text += f", {number(abs(history['orbits'][-1]))} {source.turns}"
    return text


def what_was_run(source: Sources) -> Section:
    """Problem, program, machine, dates, and how far the run came."""
    end, came = ends(source)
    rows = [
        ("directory", str(source.run.directory)),
        ("problem", source.problem),
        ("program", program(source)),
        ("ran on", company(source)),
        ("input written", source.began),
        ("last row of history.csv written", source.wrote_last),
        ("came to", reached(source)),
        ("was to end at", end),
    ]
    parts: list[Part] = [Table(QUANTITY, [row for row in rows if row[1]])]
    if not came:
        text = (
            "The run has not come to the end that its input asks for: it goes on, was stopped, or was killed."
        )
        parts.append(Paragraph(text))
    if source.restarted_at is not None:
        parts.append(
            Paragraph(
                f"The run was resumed from a checkpoint, last at step {source.restarted_at}. Its profile is that of "
                "the steps since then."
            )
        )
    parts.append(
        Paragraph("Dates are those of the files, in the time zone of the machine that made this report.")
    )
    cgs = source.history.cgs
    units = [(q, f"{cgs[q]:.9g} {unit}") for q, unit in (("length", "cm"), ("mass", "g"), ("time", "s"))]
    names = {"length": "R☉", "mass": "M☉", "time": "tu"} if source.solar else SYMBOLS
    parts.append(Table(("unit of", "name here", "in cgs"), [(q, names[q], value) for q, value in units]))
    parts.append(Paragraph("G = 1. Numbers are in these code units unless another unit stands beside them."))
    return Section("What was run", parts)


def model(source: Sources) -> Section | Missing:
    """What [problem] asks for, beside what the first row of history.csv shows."""
    history, asked = source.history, dict(source.keys.get("problem", {}))
    if history["step"][0] != 0:
        return Missing("the model that was reached: history.csv begins after a restart with other columns")
    found: dict[str, tuple[float, str]] = {}
    if history.two_stars:
        for star in ("accretor", "donor"):
            found[f"{star}_mass"] = (history[f"star_mass_{star}"][0], history.units[f"star_mass_{star}"])
        found["separation"] = (history["separation"][0], history.units["separation"])
        found["period_days" if source.solar else "period"] = (source.period[0], source.day_unit)
        for star in ("accretor", "donor"):
            name = f"max_density_{star}"
            found[f"largest density of the {star}"] = (history[name][0], history.units[name])
            found[f"spin of the {star}"] = (history[f"j_spin_{star}"][0], history.units[f"j_spin_{star}"])
        found["orbital angular momentum"] = (history["j_orb"][0], history.units["j_orb"])
    elif source.gravitates:
        first = next((c for c in history.units if c.startswith("mass_")), "mass")
        found["mass" if "mass" in asked else "mass on the grid"] = (history[first][0], history.units[first])
        found["largest density"] = (history["max_density_accretor"][0], history.units["max_density_accretor"])
    rows = [
        (key, toml_value(value), with_unit(*found.pop(key)) if key in found else NOTHING)
        for key, value in asked.items()
        if key != "name"
    ]
    rows += [(name, NOTHING, with_unit(*value)) for name, value in found.items()]
    if not rows:
        return Section("The model", [Paragraph(f"The problem {source.problem} with its defaults.")])
    parts: list[Part] = [Table(("", "asked by [problem]", "reached at step 0"), rows)]
    if source.gravitates and not history.two_stars and "mass" in asked:
        parts.append(Paragraph("The mass reached is that of the first species on the grid."))
    if source.initial_model is not None:
        parts += iterated(source.initial_model)
    return Section("The model", parts)


def iterated(found: dict[str, Any]) -> list[Part]:
    """What was asked of a model that was iterated for, and what was reached."""
    rows = [
        (
            row["what"],
            NOTHING if row["asked"] is None else number(row["asked"]),
            number(row["reached"]),
            row["note"],
        )
        for row in found["rows"]
    ]
    said = (
        f"The initial model was found in {found['iterations']} iterations on {found['cells']} cells, with gravity of "
        f"order {found['gravity_order']}; in the last its density changed by {number(found['change'], 2)}."
    )
    warnings = [Paragraph(f"Warning: {text}") for text in found["warnings"]]
    return [Paragraph(said), Table(("", "asked", "reached", ""), rows), *warnings]


def mesh(source: Sources) -> Section:
    """Blocks and cells at the start, at most and at the end; by level; cells to a radius."""
    blocks, keys = source.history["leaf_blocks"], source.keys.get("mesh", {})
    sizes = {"at the start": blocks[0], "at most": np.max(blocks), "at the end": blocks[-1]}
    rows = [
        (f"blocks {when}", f"{int(n)}" + (f" of {source.edge}³ cells" if source.edge else ""))
        for when, n in sizes.items()
    ]
    if source.edge:
        rows.append(("cells at the end", f"{int(blocks[-1]) * source.edge**3}"))
    parts: list[Part] = []
    rows += [(key, toml_value(keys[key])) for key in ("min_level", "max_level") if key in keys]
    if source.snapshots:
        last, length = source.snapshots[-1], source.history.units["separation"]
        low, high = last.domain
        rows.append(
            ("domain", " × ".join(f"[{number(a)}, {number(b)}]" for a, b in zip(low, high, strict=True)))
        )
        rows.append(("finest cell", with_unit(float(np.min(last.width)), length)))
        rows += radii(source)
        levels = [(str(n), str(int(np.sum(last.level == n)))) for n in np.unique(last.level)]
        cells = [(n, count, str(int(count) * last.edge**3)) for n, count in levels]
        parts.append(Table(("level", f"blocks at step {last.step}", "cells"), cells))
    else:
        parts.append(Paragraph("Blocks by level and the size of cells are not known: there is no snapshot."))
    return Section("The mesh", [Table(QUANTITY, rows), *parts])


def radii(source: Sources) -> list[tuple[str, str]]:
    """Radius of each star in its finest cells: of the sphere with the volume of the cells that are mostly its gas."""
    first = source.snapshots[0]
    length = source.history.units["separation"]
    problem = source.keys.get("problem", {})
    if not source.history.two_stars:
        radius = problem.get("radius") if source.gravitates else None
        if not isinstance(radius, int | float):
            return []
        cells = radius / float(np.min(first.width))
        return [
            ("radius asked, in finest cells", f"{with_unit(float(radius), length)}, {number(cells, 3)} cells")
        ]
    if first.step != 0:
        return []
    rows = []
    for star in ("accretor", "donor"):
        found = radius_of(first, star)
        if found is not None:
            text = f"{with_unit(found[0], length, 4)}, {number(found[0] / found[1], 3)} cells"
            rows.append(
                (f"radius of the {star} at the start (sphere of its volume), in its finest cells", text)
            )
    return rows


def radius_of(snapshot: Snapshot, star: str) -> tuple[float, float] | None:
    """Radius of the sphere with the volume of a star's cells, and the width of the finest of them, in code units."""
    own = [f"density_{name}" for name in snapshot.species if name.startswith(star)]
    if not own or "density" not in snapshot.fields or not set(own) <= set(snapshot.stored_fields):
        return None
    mostly = sum(snapshot[name] for name in own) > 0.5 * snapshot["density"]
    if not np.any(mostly):
        return None
    volume = float(np.sum(mostly * snapshot.cell_volume))
    return (3 * volume / (4 * np.pi)) ** (1 / 3), float(
        np.min(snapshot.width[np.any(mostly, axis=(1, 2, 3))])
    )


def pictures(source: Sources) -> Section | Missing:
    """First, middle and last."""
    made = figures.densities(source)
    return made if isinstance(made, Missing) else Section("Pictures", made)


def movie(source: Sources) -> Section | Missing | None:
    """Of all snapshots, where there are enough."""
    made = figures.movie(source)
    return Section("Movie", [made]) if isinstance(made, Movie) else made


def how_to_cite(source: Sources) -> Section:
    """Of CITATION.cff, with the version that made the run."""
    version, _, commit = source.history.version.partition(" ")
    entry = citation.bibtex(version, commit.strip("()"))
    return Section("How to cite", [Paragraph(citation.MESSAGE), Code(entry)])


def toml_value(value: Any) -> str:
    """A value as TOML has it, on one line. Its numbers, texts and arrays are written as those of JSON."""
    return json.dumps(value, ensure_ascii=False, default=str)


def flat(keys: dict[str, Any], above: str = "") -> dict[str, Any]:
    """section.key → value."""
    all_keys: dict[str, Any] = {}
    for name, value in keys.items():
        all_keys |= flat(value, f"{above}{name}.") if isinstance(value, dict) else {above + name: value}
    return all_keys


def options(source: Sources) -> tuple[str, str]:
    """What starts the ranks, and the options for threads and device, as the last start had them."""
    profile = source.profile
    if profile is None:
        return "", ""
    ranks = len(profile.threads) + len(profile.missing)
    device = " --device gpu" if any(profile.devices) else ""
    return (f"mpirun -n {ranks} " if ranks > 1 else "", f" --threads {int(profile.threads[0])}{device}")


def how_to_repeat(source: Sources) -> Section:
    """Commands, and the input in full; of a run that went on with another input, both."""
    start, how = options(source)
    begun = tomllib.loads(source.history.input)
    was, now = flat(begun), flat(source.keys)
    changed = {key: value for key, value in now.items() if was.get(key) != value}
    path = shlex.quote(str(source.run.directory / "input.toml"))
    if not changed:
        return Section(
            "How to repeat it",
            [
                Code(f"{start}rednova run {path}{how} --out NEW_DIRECTORY"),
                Paragraph(
                    "The result does not depend on the number of ranks and threads, nor on restarts. The input in full:"
                ),
                Code(source.input.strip("\n")),
            ],
        )
    changes = "".join(f" --set {shlex.quote(f'{key}={toml_value(value)}')}" for key, value in changed.items())
    step = source.restarted_at
    stop = f" --set run.max_steps={step}" if step is not None else ""
    go_on = (
        ""
        if step is None or "run.max_steps" in changed
        else f" --set run.max_steps={was.get('run.max_steps', 10**9)}"
    )
    return Section(
        "How to repeat it",
        [
            Paragraph(
                "The run began with one input, and a restart went on with another. Save the first of the inputs below "
                "as input.toml; if there was more than one restart, the files do not say where the others were."
            ),
            Code(
                f"{start}rednova run input.toml{how}{stop} --out NEW_DIRECTORY\n"
                f"{start}rednova restart NEW_DIRECTORY{how}{changes}{go_on}"
            ),
            Paragraph("The input with which the run began:"),
            Code(source.history.input.strip("\n")),
            Paragraph("The input with which it went on:"),
            Code(source.input.strip("\n")),
        ],
    )
