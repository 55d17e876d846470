"""The section on what observers see of a run's light: the table that rednova-lightcurve wrote."""

from __future__ import annotations

import numpy as np

from rednova.history import History
from rednova.lightcurve import curve, draw
from rednova.report import figures
from rednova.report.parts import Missing, Paragraph, Picture, Section, Table, named, number
from rednova.report.sources import Sources, reading

#: Columns of the table by rays that a report shows, where they are there.
COLUMNS = {
    "luminosity": "luminosity",
    "luminosity_cgs": "luminosity",
    "effective_temperature": "T_eff",
    "colour_temperature": "T of the colour",
    "magnitude_I": "I",
    "blurred": "blurred",
}


def is_of_another_branch(source: Sources, step: float, time: float) -> bool:
    """Whether a row of a table, whose times have ten digits, is of a step that a restart has dropped or made anew:
    beyond the end of the run, or at another time than in the history or a snapshot. Snapshots may be gone."""
    history = source.history
    times = [*history["time"][history["step"] == step], *(s.time for s in source.snapshots if s.step == step)]
    return step > history["step"][-1] or not np.allclose(times, time, rtol=1e-9, atol=0)


def light_curve(source: Sources) -> Section | Missing | None:
    """First and last row of each direction, and the picture of the curves."""
    path = source.run.directory / curve.NAME
    if not path.is_file():
        lit = "luminosity" in source.history.units and source.snapshots
        return Missing("the light curve by rays: rednova-lightcurve writes it") if lit else None
    with reading(path, "rednova-lightcurve writes it again"):
        table = History(path)
        if any(is_of_another_branch(source, *row) for row in zip(table["step"], table["time"], strict=True)):
            return Missing(
                f"the light curve by rays: {curve.NAME} is of other snapshots: rednova-lightcurve writes it again"
            )
        groups = curve.by_direction(table)
        shown = [name for name in COLUMNS if name in table.units]
        shown = shown[1:] if curve.has_size(source.history) else shown
        rows = [
            [name, number(table["time"][i] * source.day), *(number(table[column][i], 5) for column in shown)]
            for name, own in groups.items()
            for i in sorted({int(own[0]), int(own[-1])})
        ]
        picture = figures.png_of(draw.curves(source.history, table))
    units = {name: table.units[name] for name in shown}
    if not curve.has_size(source.history):
        # Bare numbers, which files of earlier versions call kelvin.
        units |= {name: "1" for name in shown if units[name] == "K"}
    headings = [
        "seen from",
        named("time", source.day_unit),
        *(named(COLUMNS[name], units[name]) for name in shown),
    ]
    text = (
        "Luminosity: 4π times the sum of intensity and area on the sky. Blurred: its share from cells with an optical "
        "depth above 1, which do not resolve the surface that shines."
    )
    caption = "Light curves: by what leaves the domain, and as observers see the snapshots."
    return Section("The light curve", [Table(headings, rows), Paragraph(text), Picture(picture, caption)])
