"""rednova-report: its sections and numbers are those of the run's files, in HTML and PDF alike."""

import base64
import json
import re
import shlex
import shutil
import sys

import numpy as np
import pytest
import rednova
import yaml
from movie_reader import decoded
from program_under_test import ROOT
from rednova import citation, report
from rednova.report import about, evolution, figures, parts, pdf, sources
from report_reader import execute, report_on

ALWAYS_FIRST = ["What was run", "The model", "The mesh", "The ledger"]
ALWAYS_LAST = ["Pictures", "The cost", "How to cite", "How to repeat it"]


# Which sections there are.


def test_html_and_pdf_have_the_sections_that_apply_and_no_others(pair_report, tube_report, resumed_report):
    of_pair = ["The drift", "The orbit", "Mass transfer", "Ejecta"]
    expected = {
        "pair": [*ALWAYS_FIRST, *of_pair, *ALWAYS_LAST],
        "tube": [*ALWAYS_FIRST, *ALWAYS_LAST],
        "star": [*ALWAYS_FIRST, "The drift", "The star", "Ejecta", *ALWAYS_LAST],
    }
    every = {"Light", "Point masses", "What is missing"}.union(*expected.values())
    for made, (name, sections) in zip(
        (pair_report, tube_report, resumed_report), expected.items(), strict=True
    ):
        assert made.page.headings == sections, name
        assert [line for line in made.pdf if line in every] == sections, name


def test_light_has_its_luminosity(run_of):
    run = run_of("shining_star", "mesh.max_level=1", "run.max_steps=3")
    source = sources.read(run)
    table, picture = evolution.light(source).parts
    assert float(table.rows[-1][-2]) == pytest.approx(source.history["luminosity"][-1], rel=1e-5)
    assert picture.png.startswith(b"\x89PNG")
    assert evolution.light in report.SECTIONS


def test_point_masses_have_their_places(make_run):
    mesh = "lower = [-4.0, -4.0, -4.0]\nbase_width = 8.0\nmin_level = 1\nmax_level = 3"
    run = make_run(
        "giant",
        f'[problem]\nname = "common_envelope"\n[mesh]\n{mesh}\n[gravity]\nenabled = true\n[run]\nmax_steps = 2\n',
    )
    source = sources.read(run)
    table = evolution.points(source).parts[0]
    assert [row[0] for row in table.rows] == ["1 at the start", "1 at the end"]
    end = dict(zip(table.headings, table.rows[1], strict=True))
    for direction in "xyz":
        assert float(end[f"{direction} [L]"]) == pytest.approx(
            source.history[f"point_1_{direction}"][-1], rel=1e-5
        )
    ledger = evolution.ledger(source).parts[0]
    energy = dict(zip(ledger.headings, ledger.rows[-1], strict=True))
    assert float(energy["points"]) == pytest.approx(source.ledger["energy"]["points"], rel=1e-3)


def test_what_is_not_there_is_said(pair_report, copy_of):
    run = copy_of(pair_report.run)
    for path in run.iterdir():
        if path.name not in ("history.csv", "run.lock"):
            path.unlink()
    made = report.report_of(sources.read(run))
    names = [section.title for section in made.sections]
    for gone in ("The ledger", "Pictures", "The cost"):
        assert gone not in names
    for kept in ("What was run", "The mesh", "The orbit", "Mass transfer", "How to repeat it"):
        assert kept in names
    missing = " ".join(part.text for part in made.sections[-1].parts)
    for word in ("ledger.json", "profile.json", "input.toml", "snapshot"):
        assert word in missing
    assert report.main([str(run)]) == 0
    assert (run / "report.html").exists()
    assert (run / "report.pdf").exists()


def test_pictures_may_come_from_slices(tube_report, copy_of):
    run = copy_of(tube_report.run)
    for path in run.glob("snapshot*"):
        path.unlink()
    made = figures.densities(sources.read(run))
    assert [p.caption.split(", ")[1] for p in made] == ["slices_000000.h5", "slices_000004.h5"]
    assert all(p.png.startswith(b"\x89PNG") for p in made)


def test_first_middle_and_last():
    assert figures.first_middle_last(list(range(9))) == [0, 4, 8]
    assert figures.first_middle_last([7]) == [7]
    assert figures.first_middle_last([]) == []


@pytest.fixture(scope="session")
def long_tube(run_of):
    """A run of more snapshots than the least that make a movie."""
    return run_of("sod", "mesh.max_level=1", "run.end_time=0.06", "output.snapshot_time=0.006")


def test_the_page_has_a_movie_of_the_snapshots(long_tube, tmp_path, monkeypatch):
    monkeypatch.setattr(figures, "FRAMES", (8, 9))
    count = len(rednova.Run(long_tube).snapshots)
    assert count == 11
    made = report_on(long_tube, tmp_path)
    (data,) = (value for attribute, value in made.page.attributes if value and value.startswith("data:video"))
    kind, _, text = data.partition("base64,")
    assert kind == "data:video/mp4;"
    (tmp_path / "film.mp4").write_bytes(base64.b64decode(text))
    frames, about = decoded(tmp_path / "film.mp4")
    assert len(frames) == 9
    assert "h264" in about
    assert re.search(r" 1\.50? fps", about), "six seconds"
    assert max(frames.shape[1:3]) < 720, "small"
    assert np.abs(frames[-1].astype(int) - frames[0]).max() > 50, "waves have spread"
    said = f"a frame for 9 of {count} snapshots."
    assert said in made.page.words
    assert any(said in line for line in made.pdf), "what the PDF does not show, it says"


def test_few_snapshots_are_no_movie(tube_report):
    assert "video" not in tube_report.page.tags
    assert figures.movie(sources.read(tube_report.run)) is None


def test_a_report_without_an_encoder_says_so(long_tube, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    made = report.report_of(sources.read(long_tube))
    assert "Movie" not in [section.title for section in made.sections]
    (missing,) = made.sections[-1].parts
    assert missing.text.startswith("The movie: ")
    assert "pip install imageio-ffmpeg" in missing.text


def test_frames_are_spread_over_the_run():
    assert figures.spread(list(range(201)), 5) == [0, 50, 100, 150, 200]
    assert figures.spread([3, 4, 5], 5) == [3, 4, 5]
    assert len(figures.spread(list(range(250)), 100)) == 100


# The numbers.


@pytest.mark.parametrize("name", ["pair_report", "tube_report", "resumed_report"])
def test_the_ledger_has_the_numbers_of_its_file(name, request):
    made = request.getfixturevalue(name)
    headings = next(t[0] for t in made.page.tables if "remainder" in t[0])
    spoken = {"mass": "mass", "energy": "energy"}
    spoken |= {("momentum", i): f"momentum {d}" for i, d in enumerate("xyz")}
    spoken |= {("angular_momentum", i): f"angular momentum {d}" for i, d in enumerate("xyz")}
    spoken |= {("flow", i): f"angular momentum of the flow {d}" for i, d in enumerate("xyz")}
    for key, row in spoken.items():
        quantity, i = key if isinstance(key, tuple) else (key, None)
        entry = made.ledger[quantity]
        law = entry.get("conserved_components", [True] * 3)[i or 0]
        cells = dict(zip(headings[1:], made.page.row(row if law else f"{row} *", "remainder"), strict=True))
        for column in ("initial", "grid", "outflow", "floors", "regrid", "remainder", "relative"):
            value = entry[column] if i is None else entry[column][i]
            if column in ("remainder", "relative") and not law:
                assert cells[column] == parts.NOTHING
            else:
                # Two digits of the relative remainder are shown.
                assert float(cells[column]) == pytest.approx(
                    value, rel=0.05 if column == "relative" else 1e-3
                )
                assert cells[column] in made.pdf, (row, column)
    assert "points" not in headings


def test_the_orbit_ends_where_the_history_does(pair_report):
    history = pair_report.history
    first, last, change, an_orbit = pair_report.page.row("separation [L]")
    assert float(first) == pytest.approx(history["separation"][0], rel=1e-7)
    assert float(last) == pytest.approx(history["separation"][-1], rel=1e-7)
    assert last in pair_report.pdf
    assert float(change) == pytest.approx(history["separation"][-1] - history["separation"][0], rel=1e-3)
    assert an_orbit == parts.NOTHING, "the run is shorter than an orbit"
    drift = re.search(r"angular momentum about z: (\S+) of", pair_report.page.words)[1]
    assert float(drift) == pytest.approx(history["flow_drift_z"][-1], rel=1e-2)
    period = 2 * np.pi / history["orbital_frequency"][-1]
    assert float(pair_report.page.row("period [T]")[1]) == pytest.approx(period, rel=1e-7)
    assert float(pair_report.page.column("J_orb [M L²/T]")[-1]) == pytest.approx(
        history["j_orb"][-1], rel=1e-5
    )
    lobe = pair_report.page.row("mass in the donor's lobe [M]")
    assert float(lobe[1]) == pytest.approx(history["lobe_mass_donor"][-1], rel=1e-7)
    unbound = history["unbound_mass"][-1] + history["outflow_unbound_mass"][-1]
    assert float(pair_report.page.row("with heat")[2]) == pytest.approx(unbound, rel=1e-4)


def test_model_and_mesh(pair_report, resumed_report):
    asked, reached = pair_report.page.row("donor_mass")
    assert float(asked) == 0.3333333333333333
    assert float(reached.split()[0]) == pytest.approx(pair_report.history["star_mass_donor"][0], rel=1e-5)
    last = rednova.Run(pair_report.run).snapshots[-1]
    assert pair_report.page.row("cells at the end") == [str(len(last.level) * 8**3)]
    assert pair_report.page.column("cells") == [str(8**3 * int(np.sum(last.level == n))) for n in (2, 3)]
    (radius,) = (
        row[1]
        for table in pair_report.page.tables
        for row in table
        if row[0].startswith("radius of the donor at the start")
    )
    length, cells = re.fullmatch(r"(\S+) L, (\S+) cells", radius).groups()
    # The model's radius, on cells of 1/8.
    assert float(length) == pytest.approx(float(pair_report.page.row("radius of the donor")[1]), abs=0.05)
    assert float(cells) == pytest.approx(float(length) * 8, rel=0.01)
    assert resumed_report.page.row("radius asked, in finest cells") == ["1 L, 4 cells"]


def test_what_the_initial_model_reached(program, pair_report, tmp_path):
    found = rednova.Run(pair_report.run).initial_model
    rows = {row["what"]: row for row in found["rows"]}
    assert rows["mass of the donor"]["asked"] == 0.3333333333333333
    # The table of the model, and the row of the run, which the model's mesh carries over to.
    mass = pair_report.history["star_mass_donor"][0]
    assert rows["mass of the donor"]["reached"] == pytest.approx(mass, rel=1e-5)
    assert rows["separation"]["reached"] == pytest.approx(pair_report.history["separation"][0], rel=1e-2)
    asked, reached, note = pair_report.page.row("virial error")
    assert (asked, note) == (parts.NOTHING, rows["virial error"]["note"])
    assert float(reached) == pytest.approx(rows["virial error"]["reached"], rel=1e-5)
    assert any("virial error above 0.001" in text for text in found["warnings"])
    assert f"Warning: {found['warnings'][0]}" in pair_report.page.words
    branch = tmp_path / "branch"
    execute(program, "restart", pair_report.run, "--set", "run.max_steps=6", "--out", branch)
    assert rednova.Run(branch).initial_model == found


def test_the_cost_is_that_of_the_profile(pair_report, resumed_report):
    for made, steps in ((pair_report, 5), (resumed_report, 3)):
        profile = rednova.Run(made.run).profile
        assert made.page.row("steps") == [str(steps)]
        seconds = float(profile.seconds[0])
        assert float(made.page.row("wall time of the steps")[0].split()[0]) == pytest.approx(
            seconds, rel=1e-5
        )
        cells = int(made.history["leaf_blocks"][-1]) * 8**3  # the mesh stays as it is
        assert float(made.page.row("cell-steps")[0]) == steps * cells
        speed = float(made.page.row("cell-steps a second")[0])
        assert speed == pytest.approx(steps * cells / seconds, rel=1e-3)
        assert made.page.row("hydro") == ["work", f"{100 * profile.share('hydro'):.2f} %"]


def test_an_unfinished_run_is_told_from_one_that_ended(pair_report, copy_of):
    unfinished = "has not come to the end"
    assert unfinished not in pair_report.page.words
    assert evolution.LATE not in pair_report.page.words
    run = copy_of(pair_report.run)
    table = run / "history.csv"
    table.write_text("".join(table.read_text().splitlines(keepends=True)[:-1]))
    assert any(
        unfinished in getattr(part, "text", "") for part in about.what_was_run(sources.read(run)).parts
    )


def test_a_run_that_ends_after_a_merger(pair_report):
    source = sources.read(pair_report.run)
    source.keys["run"] = {"end_orbits": 1e3, "end_after_merger": 1.0}
    assert about.ends(source) == ("end_orbits = 1000, end_after_merger = 1", False)
    table = source.history.data
    table["stars"][3:] = 1
    source.keys["run"]["end_after_merger"] = table["time"][-1] - table["time"][2]
    assert about.ends(source)[1]
    source.keys["run"]["end_after_merger"] *= 1.01
    assert not about.ends(source)[1]


def test_a_ledger_of_an_earlier_step_is_told(pair_report, copy_of):
    run = copy_of(pair_report.run)
    file = run / "ledger.json"
    file.write_text(json.dumps(pair_report.ledger | {"run": pair_report.ledger["run"] | {"step": 0}}))
    texts = [
        part.text for part in evolution.ledger(sources.read(run)).parts if isinstance(part, parts.Paragraph)
    ]
    assert texts[0].startswith("At step 0,")
    assert evolution.LATE in texts


# How it is repeated and cited.


def test_the_commands_of_a_resumed_run_give_its_state(resumed_report, program, tmp_path):
    assert "resumed from a checkpoint, last at step 3" in resumed_report.page.words
    commands, begun, went_on = resumed_report.page.code[-3:]
    assert went_on == (resumed_report.run / "input.toml").read_text().strip()
    (tmp_path / "input.toml").write_text(begun)
    for line in commands.splitlines():
        execute(program, *shlex.split(line.removeprefix("rednova ")), cwd=tmp_path)
    digests = [
        execute(program, "info", run, "--digest") for run in (resumed_report.run, tmp_path / "NEW_DIRECTORY")
    ]
    assert digests[0] == digests[1]


def test_the_command_of_a_run_is_its_own(pair_report):
    command, text = pair_report.page.code[-2:]
    threads = rednova.Run(pair_report.run).profile.threads[0]
    assert shlex.split(command)[1:] == [
        *("run", str(pair_report.run / "input.toml"), "--threads", str(threads), "--out", "NEW_DIRECTORY")
    ]
    assert text == (pair_report.run / "input.toml").read_text().strip()


def test_the_citation_is_that_of_the_repository(pair_report):
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert cited["title"] == citation.TITLE
    assert cited["message"] == citation.MESSAGE
    assert [author["name"] for author in cited["authors"]] == citation.AUTHORS
    assert (cited["version"], str(cited["date-released"])) == (citation.VERSION, citation.DATE)
    assert pair_report.page.code[0] == citation.bibtex(
        *re.fullmatch(r"(\S+) \((.*)\)", pair_report.history.version).groups()
    )
    assert "year" not in citation.bibtex("9.9.9", "abc")


# The page and the PDF.


@pytest.mark.parametrize("name", ["pair_report", "tube_report", "resumed_report"])
def test_the_page_stands_alone(name, request):
    made = request.getfixturevalue(name)
    assert not made.page.tags & {"script", "link", "iframe", "object", "embed", "base"}
    for attribute, value in made.page.attributes:
        if attribute in ("src", "href", "srcset", "data", "action"):
            assert value.startswith(("data:image/png;base64,", "#")), value[:80]
        assert not attribute.startswith("on")
    style = made.text.partition("<style>")[2].partition("</style>")[0]
    assert style
    assert "url(" not in style
    assert "@import" not in style
    ids = {value for attribute, value in made.page.attributes if attribute == "id"}
    assert {value[1:] for attribute, value in made.page.attributes if attribute == "href"} == ids


def test_texts_of_the_input_are_no_markup(tube_report, tmp_path):
    run = shutil.copytree(tube_report.run, tmp_path / "a <b> & more $x$")
    nasty = r'a = "<b>bold</b> & &amp; \"$x^2$\" </pre><script>"'
    text = f"{(run / 'input.toml').read_text()}\n[more]\n{nasty}\n  # indented"
    (run / "input.toml").write_text(text)
    (tmp_path / "out").mkdir()
    made = report_on(run, tmp_path / "out")
    assert made.page.code[-1] == text.strip("\n")
    assert not made.page.tags & {"b", "i", "script"}
    assert nasty in made.pdf
    assert "  # indented" in made.pdf
    assert any("a <b> & more $x$" in line for line in made.pdf)


def test_lines_are_broken_without_loss():
    text = "some words " + 200 * "m" + " and the end"
    lines = list(pdf.lines_of(text, 100.0, 9.0))
    assert all(pdf.width_of(line, 9.0) <= 100 for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
