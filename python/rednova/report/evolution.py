"""Sections on what happened: the ledger, the drift of the flow, the orbit, mass transfer, ejecta, light, points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from rednova.history import History, merged_at, pair_rows
from rednova.pictures import orbits_of, put_back
from rednova.plot import SOMETIMES
from rednova.report import figures
from rednova.report.parts import (
    NOTHING,
    Missing,
    Paragraph,
    Part,
    Section,
    Table,
    named,
    number,
    unit_text,
    with_unit,
)
from rednova.report.sources import Sources

MOST_ROWS = 12  # of a table against time
ROUND = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)  # orbits from row to row
YEAR = 365.25  # d
LSUN = 3.828e33  # erg/s, nominal (IAU 2015)
BOOKED = ("initial", "grid", "outflow", "floors", "regrid")
LATE = "The run has gone on since: ledger.json is brought up to date with each checkpoint, and at the end."
NO_LEDGER = Missing("the ledger: there is no ledger.json")


# The ledger.


def rows_of_ledger(source: Sources, more: Sequence[str]) -> Iterator[list[str]]:
    """A row for each conserved quantity and component: name, unit, what is booked, remainder and relative."""
    units = source.history.units
    for name, entry in source.ledger.items():
        if name == "run":
            continue
        of_flow = name == "flow"
        column = "angular_momentum" if of_flow else name
        spoken = "angular momentum of the flow" if of_flow else name.replace("_", " ")
        if name.startswith("mass_"):
            spoken = f"mass of {name.removeprefix('mass_')}"
        is_vector = isinstance(entry["grid"], list)
        for i, law in enumerate(source.run.conserved(name)):

            def of(key: str, entry=entry, i=i, is_vector=is_vector) -> float:
                return float(entry[key][i] if is_vector else entry[key])

            direction = "xyz"[i] if is_vector else ""
            unit = units[f"{column}_{direction}" if is_vector else column]
            row = [f"{spoken} {direction}".rstrip() + ("" if law else " *"), unit_text(unit)]
            row += [number(of(key), 8 if key in ("initial", "grid") else 4) for key in BOOKED]
            row += [number(of(key), 4) for key in more]
            row += [number(of("remainder"), 4), number(of("relative"), 2)] if law else [NOTHING, NOTHING]
            yield row


def ledger(source: Sources) -> Section | Missing:
    """Each conserved sum: on the grid, what left, what floors, the mesh, points and driving added, the remainder."""
    if source.ledger is None:
        return NO_LEDGER
    entries = [entry for name, entry in source.ledger.items() if name != "run"]
    more = [key for key in SOMETIMES if any(np.any(entry.get(key, 0)) for entry in entries)]
    about = source.ledger["run"]
    headings = ["", "unit", *BOOKED, *more, "remainder", "relative"]
    notes = {entry["reason"] for entry in entries if "reason" in entry}
    parts: list[Part] = [
        Table(headings, list(rows_of_ledger(source, more))),
        Paragraph(
            f"At step {about['step']}, time {with_unit(about['time'], source.history.units['time'])}. The remainder is "
            f"grid − initial + outflow − floors − regrid{''.join(f' − {key}' for key in more)}; relative: to the sum "
            f"of absolute values on the grid. Of the flow, which is the angular momentum without the cells' spin, it "
            f"is the drift, relative to the {source.ledger['flow']['relative_to']}."
        ),
        *([Paragraph(LATE)] if about["step"] < source.history["step"][-1] else []),
        *(Paragraph(f"* not conserved: {note}") for note in sorted(notes)),
        *(Paragraph(note) for note in sorted({e["note"] for e in entries if "note" in e})),
        figures.ledger(source),
    ]
    return Section("The ledger", parts)


# What changes in time.


def chosen_rows(history: History) -> list[int]:
    """Rows for a table against time: those nearest to round parts or multiples of an orbit, or evenly spread where
    these are not counted to the end; the first, the last, and the last that shows two stars always."""
    turns = orbits_of(history)
    if turns is not None:
        least, against = turns[-1] / (MOST_ROWS - 2), turns
        every = next((part for part in ROUND if part >= least), np.ceil(least))
    else:
        every, against = history["time"][-1] / (MOST_ROWS / 2), history["time"]
    marks = np.arange(0, against[-1], every) if every > 0 else []
    rows = {int(np.argmin(np.abs(against - mark))) for mark in marks}
    pair = pair_rows(history)[-1:] if history.two_stars else []
    return sorted(rows | {0, len(history) - 1, *map(int, pair)})


def against_time(source: Sources, columns: Sequence[tuple[str, NDArray, str]]) -> Table:
    """A table of columns (name, values, unit) at some rows of the history."""
    history = source.history
    orbits = [(source.turns, np.abs(history["orbits"]), "1")] if history["orbits"][-1] != 0 else []
    shown = [("time", history["time"] * source.day, source.day_unit), *orbits, *columns]
    rows = [[number(values[i]) for _, values, _ in shown] for i in chosen_rows(history)]
    return Table([named(name, unit) for name, _, unit in shown], rows)


def column(history: History, name: str, heading: str) -> tuple[str, NDArray, str]:
    return heading, history[name], history.units[name]


def changes(source: Sources, columns: Sequence[tuple[str, NDArray, str]]) -> Table:
    """First and last finite value of each column, the change, and the change an orbit where these are counted."""
    turns, rows = np.abs(source.history["orbits"]), []
    for name, values, unit in columns:
        finite = np.flatnonzero(np.isfinite(values))
        if len(finite) == 0:
            continue
        first, last = finite[0], finite[-1]
        change, orbits = values[last] - values[first], turns[last] - turns[first]
        counted = orbits >= 1 and turns[last] != turns[last - 1]
        an_orbit = change / orbits if counted else np.nan  # of less than one it would be a guess
        row = [named(name, unit), *(number(x, 8) for x in (values[first], values[last]))]
        rows.append([*row, number(change, 4), number(an_orbit, 4)])
    a_turn = "change an orbit" if source.history.two_stars else "change a turn of the grid"
    return Table(("", "first", "last", "change", a_turn), rows)


def orbital(source: Sources) -> list[tuple[str, NDArray, str]]:
    """Separation, orbital angular momentum, period and largest densities of two stars."""
    history = source.history
    return [
        column(history, "separation", "separation"),
        column(history, "j_orb", "J_orb"),
        ("period", source.period, source.day_unit),
        column(history, "max_density_accretor", "central density of the accretor"),
        column(history, "max_density_donor", "central density of the donor"),
    ]


def drift(source: Sources) -> Section | None:
    """What of the orbit or the star changes though it should stay, unless mass transfer changes it."""
    history = source.history
    if not source.gravitates:
        return None
    shown = orbital(source) if history.two_stars else []
    if not history.two_stars:
        shown = [column(history, "max_density_accretor", "largest density")]
    unit, without = history.units["angular_momentum_z"], put_back(history)
    if history.knows_flow:
        shown.append((f"angular momentum z of the flow, {without}", history.flow_angular_momentum, unit))
    shown.append((f"angular momentum z, {without}", history.all_angular_momentum, unit))
    parts: list[Part] = [changes(source, shown)]
    if history.knows_flow and source.ledger is not None and source.run.conserved("flow")[2]:
        # Of the last row, which may be of a later step than the ledger.
        share, to = history["flow_drift_z"][-1], source.ledger["flow"]["relative_to"]
        parts.append(
            Paragraph(f"Drift of the flow's angular momentum about z: {number(share, 3)} of the {to}.")
        )
    if history.two_stars:
        text = (
            "Central density: the largest in the star's Roche lobe. Mass transfer changes all of these, too. After "
            "a merger the last value is that of the last row with two stars."
        )
        parts.append(Paragraph(text))
    return Section("The drift", parts)


def orbit(source: Sources) -> Section | None:
    """Separation, angular momenta and period of two stars."""
    history = source.history
    if not history.two_stars:
        return None
    spins = [column(history, f"j_spin_{star}", f"J_spin {star}") for star in ("accretor", "donor")]
    parts: list[Part] = [against_time(source, [*orbital(source)[:2], *spins, orbital(source)[2]])]
    if (merged := merged_at(history)) is not None:
        last = number(abs(history["orbits"][merged - 1]))
        parts.append(Paragraph(f"Two stars are found until orbit {last}; then they have merged."))
    unit = source.day_unit if source.solar else history.units["time"]
    curve = [("period", source.period, "-")]
    parts.append(figures.orbit(history))
    parts.append(
        figures.chart(
            history, curve, figures.axis_label("period", unit), "Period of the orbit, 2π over its rate."
        )
    )
    return Section("The orbit", parts)


def star(source: Sources) -> Section | Missing | None:
    """Largest density, centre and angular momentum of what is not two stars, where it gravitates."""
    if source.history.two_stars or not source.gravitates:
        return None
    if source.ledger is None:
        return Missing("the picture of the star: it needs ledger.json")
    history = source.history
    centre = [column(history, f"centre_{d}_accretor", f"centre {d}") for d in "xyz"]
    spin = column(history, "j_spin_accretor", "spin z")
    densest = column(history, "max_density_accretor", "largest density")
    return Section("The star", [against_time(source, [densest, *centre, spin]), figures.star(source)])


def mean_rate(history: History, name: str, intervals: int = 40) -> NDArray:
    """Rate of change of a column, the mean over intervals of rows, at most so many in the table; [row]."""
    apart = max(1, (len(history) - 1) // intervals)
    rate = np.full(len(history), np.nan)
    for first in range(0, len(history) - 1, apart):
        last = min(first + apart, len(history) - 1)
        span = history["time"][last] - history["time"][first]
        if span > 0:
            rate[first : last + 1] = (history[name][last] - history[name][first]) / span
    return rate


def transfer(source: Sources) -> Section | Missing | None:
    """Masses of the stars' species and in the Roche lobes, what each received, and the rates."""
    history = source.history
    if not history.two_stars:
        return None
    if not history.knows_lobes:
        return Missing("mass transfer: history.csv has no masses in Roche lobes")
    kinds = {
        "star_mass": "mass of the {}'s species",
        "lobe_mass": "mass in the {}'s lobe",
        "received_mass": "gas of the {1} in the {0}'s lobe",
    }
    shown = [
        column(history, f"{name}_{star}", words.format(star, other))
        for name, words in kinds.items()
        for star, other in (("accretor", "donor"), ("donor", "accretor"))
    ]
    unit = history.units["mdot_donor"]
    parts: list[Part] = [changes(source, shown)]
    rates = {star: mean_rate(history, f"lobe_mass_{star}") for star in ("accretor", "donor")}
    for star in rates:
        mass = history[f"lobe_mass_{star}"]
        seen = np.flatnonzero(np.isfinite(mass))
        if len(seen) < 2:
            continue
        mean = (mass[seen[-1]] - mass[seen[0]]) / (history["time"][seen[-1]] - history["time"][seen[0]])
        text = f"Mean rate of the mass in the {star}'s lobe: {with_unit(mean, unit, 4)}"
        text += f" = {number(mean / source.day * YEAR, 4)} M☉/yr" if source.solar else ""
        parts.append(Paragraph(f"{text}."))
    curves = [(star, rate, "-") for star, rate in rates.items()]
    rows = max(1, (len(history) - 1) // 40)
    text = f"Rate of the mass in each Roche lobe, the mean over {rows} row{'s' * (rows > 1)} of history.csv."
    return Section(
        "Mass transfer", [*parts, figures.chart(history, curves, figures.axis_label("rate", unit), text)]
    )


def ejecta(source: Sources) -> Section | None:
    """Unbound mass by each criterion, in the domain and left; all mass that left."""
    history = source.history
    if not source.gravitates or "unbound_mass" not in history.units:
        return None
    criteria = {"": "with heat", "_kinetic": "without heat", "_bernoulli": "with enthalpy (Bernoulli)"}
    unit, rows, curves = history.units["unbound_mass"], [], []
    for suffix, words in criteria.items():
        inside, left = history[f"unbound_mass{suffix}"], history[f"outflow_unbound_mass{suffix}"]
        rows.append(
            [
                words,
                *(
                    number(x, 5)
                    for x in (inside[-1], left[-1], inside[-1] + left[-1], np.nanmax(inside + left))
                ),
            ]
        )
        curves.append((words, inside + left, "-"))
    headings = [
        "criterion",
        *(named(n, unit) for n in ("in the domain", "left as such", "both", "both, at most")),
    ]
    parts: list[Part] = [
        Table(headings, rows),
        Paragraph(f"All mass that left the domain: {with_unit(history['outflow_mass'][-1], unit)}."),
        Paragraph(
            "Unbound: kinetic energy and potential, with heat or enthalpy, add up to more than 0 in a cell."
        ),
        figures.chart(
            history, curves, figures.axis_label("unbound mass", unit), "Unbound mass, in the domain and left."
        ),
    ]
    return Section("Ejecta", parts)


def light(source: Sources) -> Section | None:
    """Luminosity and radiated energy."""
    history = source.history
    if "luminosity" not in history.units:
        return None
    shown = [
        column(history, "luminosity", "luminosity"),
        column(history, "radiated_energy", "radiated energy"),
    ]
    parts: list[Part] = [against_time(source, shown)]
    if source.solar:
        erg = history.cgs["mass"] * history.cgs["length"] ** 2 / history.cgs["time"] ** 2
        last = history["luminosity"][-1] * erg / history.cgs["time"]
        parts.append(
            Paragraph(
                f"Luminosity at the end: {number(last, 4)} erg/s = {number(last / LSUN, 4)} L☉; radiated since the "
                f"start: {number(history['radiated_energy'][-1] * erg, 4)} erg."
            )
        )
    label = figures.axis_label("luminosity", history.units["luminosity"])
    text = "Energy that light took out of the domain, by time."
    return Section(
        "Light", [*parts, figures.chart(history, [("luminosity", history["luminosity"], "-")], label, text)]
    )


def points(source: Sources) -> Section | None:
    """Place and speed of each point mass, the distance of the first two, and what their integration added."""
    history = source.history
    if not source.points:
        return None
    rows = []
    for prefix in source.points:
        for when, i in (("start", 0), ("end", -1)):
            place = [number(history[f"{prefix}{d}"][i]) for d in "xyz"]
            speed = np.sqrt(sum(history[f"{prefix}v{d}"][i] ** 2 for d in "xyz"))
            name = f"{prefix.strip('_').removeprefix('point_')} at the {when}"
            rows.append([name, number(history[f"{prefix}mass"][i]), *place, number(speed)])
    first = source.points[0]
    units = [history.units[f"{first}{name}"] for name in ("mass", "x", "y", "z", "vx")]
    headings = [named(n, u) for n, u in zip(("mass", "x", "y", "z", "speed"), units, strict=True)]
    gained = with_unit(history["points_energy"][-1], history.units["points_energy"], 4)
    parts: list[Part] = [
        Table(["point", *headings], rows),
        Paragraph(f"In the inertial frame. Energy that integrating their motion added: {gained}."),
    ]
    if "point_separation" in history.units:
        curve = [("separation", history["point_separation"], "-")]
        label = figures.axis_label("separation", history.units["point_separation"])
        parts.append(figures.chart(history, curve, label, "Distance of the first two points."))
    return Section("Point masses", parts)
