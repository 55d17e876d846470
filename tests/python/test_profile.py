"""Profiles: what is read, and what is drawn of it."""

import json
import re

import matplotlib.image
import numpy as np
import pytest
import rednova
from rednova import profile as reading
from rednova import profile_page as drawing


def rank(number, hydro, wait, steps=10):
    """A rank of two threads that ran for ten seconds."""
    phases = [
        {
            "name": "hydro",
            "activity": "work",
            "seconds": hydro,
            "calls": 100,
            "shortest": 0.01 * hydro,
            "longest": 0.2,
        },
        {"name": "wait for messages", "activity": "wait", "seconds": wait, "calls": 5, "longest": 1.0},
        {"name": "main thread between tasks", "activity": "work", "seconds": 0.5, "calls": 9, "longest": 0.1},
        {"name": "tracer particles", "activity": "work", "seconds": 0.25, "calls": 2, "longest": 0.2},
        {"name": "tracer particles", "activity": "device", "seconds": 3.0, "calls": 10, "longest": 0.3},
    ]
    samples = {
        "time": [0.0, 5.0, 10.0],
        "step": [0, 4, steps],
        "processor_seconds": [0.0, 8.0, 18.0],
        "resident_bytes": [1e9, 2e9, 2e9],
        "high_water_bytes": [1e9, 2e9, 2e9],
        "network_bytes": [0, 1e6, 3e6],
        "threads": [3, 3, 3],
    }
    return {
        "rank": number,
        "threads": 2,
        "seconds": 10.0,
        "steps": steps,
        "phases": phases,
        "samples": samples,
    }


def write(directory, name, ranks, of=2, complete=True):
    directory.mkdir(exist_ok=True)
    run = {"version": "0.1.0", "commit": "abc", "input": ""}
    content = {"format": 1, "run": run, "number_of_ranks": of, "complete": complete, "ranks": ranks}
    (directory / name).write_text(json.dumps(content))


@pytest.fixture
def two_ranks(tmp_path):
    write(tmp_path / "run", "profile.json", [rank(0, 15.0, 4.0), rank(1, 12.0, 7.0)])
    return tmp_path / "run"


def test_phases_of_all_ranks(two_ranks):
    profile = rednova.Profile(two_ranks)
    assert profile.thread_seconds == 40
    assert profile.phases["hydro"].seconds.tolist() == [15, 12]
    assert profile.phases["hydro"].calls == 200
    assert profile.phases["hydro"].shortest == pytest.approx(0.12)
    assert profile.phases["wait for messages"].shortest == 0
    assert profile.share("hydro") == pytest.approx(27 / 40)
    assert profile.per_step("wait for messages") == pytest.approx(1.1)
    assert profile.unnamed == pytest.approx(1 / 40)
    assert profile.names("wait") == ["wait for messages"]
    assert profile.names()[0] == "hydro"
    assert profile.share("nothing of the kind") == 0
    time, cores = reading.rate(profile.samples[0], "processor_seconds")
    assert time.tolist() == [2.5, 7.5]
    assert cores.tolist() == [1.6, 2.0]


def rows_of_page(path):
    """First cell of each row of a page's first table → the row."""
    table = path.read_text().split("<h2>")[0]
    rows = [line for line in table.splitlines() if line.startswith("<tr><td>")]
    return {row.split("</td>")[0].removeprefix("<tr><td>"): row for row in rows}


@pytest.mark.parametrize("backwards", [False, True])
def test_phases_of_devices_are_none_of_threads_whatever_their_names(tmp_path, backwards):
    ranks = [rank(0, 15.0, 4.0), rank(1, 12.0, 7.0)]
    for r in ranks:
        r["phases"] = r["phases"][::-1] if backwards else r["phases"]
    write(tmp_path, "profile.json", ranks)
    profile = rednova.Profile(tmp_path)
    assert "tracer particles" in profile.names("work")
    assert profile.names("device") == ["tracer particles (device)"]
    assert profile.phases["tracer particles"].seconds.tolist() == [0.25, 0.25]
    assert profile.phases["tracer particles"].calls == 4
    assert profile.share("tracer particles") == pytest.approx(0.5 / 40)
    assert profile.phases["tracer particles (device)"].seconds.tolist() == [3, 3]
    assert profile.share("tracer particles (device)") == pytest.approx(6 / 20), "of the wall time"
    assert drawing.main([str(tmp_path)]) == 0
    row = rows_of_page(tmp_path / "profile.html")["tracer particles (device)"]
    assert "<td>device</td><td>30.00 %</td><td>30.00 … 30.00 %</td>" in row


def test_a_rank_killed_before_its_first_step_has_no_share(tmp_path):
    killed = rank(1, 12.0, 7.0) | {"seconds": 0, "steps": 0, "phases": []}
    write(tmp_path, "profile.json", [rank(0, 15.0, 4.0)], complete=False)
    write(tmp_path, "profile_rank_00001.json", [killed], complete=False)
    profile = rednova.Profile(tmp_path)
    assert profile.shares_of_ranks("hydro").tolist() == [0.75, 0]
    assert profile.shares_of_ranks("tracer particles (device)").tolist() == [0.3, 0]
    assert drawing.main([str(tmp_path)]) == 0
    assert "nan" not in (tmp_path / "profile.html").read_text().split("<table>")[1]
    assert "<td>0.00 … 75.00 %</td>" in rows_of_page(tmp_path / "profile.html")["hydro"]


def test_load_has_panels_for_devices(two_ranks):
    assert len(drawing.draw_load(rednova.Profile(two_ranks)).axes) == 4
    second = rank(1, 12.0, 7.0)
    second["device"] = {"name": "NVIDIA H100"}
    second["samples"] |= {"device_use_percent": [0, 90, 80], "device_watts": [100.0, 400.0, 350.0]}
    write(two_ranks, "profile.json", [rank(0, 15.0, 4.0), second])
    assert rednova.Profile(two_ranks).devices == ["", "NVIDIA H100"]
    axes = drawing.draw_load(rednova.Profile(two_ranks)).axes
    assert len(axes) == 6
    assert axes[4].lines[0].get_ydata().tolist() == [0, 90, 80]
    assert axes[5].get_ylabel() == "device [W]"
    second["samples"] |= {
        "device_own_memory_bytes": [1e9, 2e9, 3e9],
        "device_memory_bytes": [4e9, 5e9, 6e9],
        "bytes_to_device": [0, 1e6, 6e6],
        "bytes_to_host": [0, 0, 1e7],
    }
    write(two_ranks, "profile.json", [rank(0, 15.0, 4.0), second])
    axes = drawing.draw_load(rednova.Profile(two_ranks)).axes
    assert [a.get_ylabel() for a in axes[4:6]] == ["device memory [GB]", "copies [MB/s]"]
    assert [line.get_ydata().tolist() for line in axes[4].lines] == [[1, 2, 3], [4, 5, 6]]
    for line, expected in zip(axes[5].lines, [[0.2, 1], [0, 2]], strict=True):
        assert line.get_ydata().tolist() == pytest.approx(expected)
    assert axes[7].get_ylabel() == "device [W]"


def test_load_has_panels_for_counters_and_lines_for_messages(two_ranks):
    ranks = [rank(0, 15.0, 4.0), rank(1, 12.0, 7.0)]
    for r in ranks:
        r["samples"] |= {
            "cycles": [0, 1e9, 3e9],
            "instructions": [0, 2e9, 3e9],
            "cache_misses": [0, 5e6, 6e6],
        }
        r["samples"]["sent_bytes"] = [0, 5e6, 15e6]
        r["messages"] = {"sent": 10, "sent_bytes": 15e6, "received": 10, "received_bytes": 15e6}
    write(two_ranks, "profile.json", ranks)
    profile = rednova.Profile(two_ranks)
    assert profile.messages[1]["sent_bytes"] == 15e6
    axes = drawing.draw_load(profile).axes
    assert [a.get_ylabel() for a in axes[4:]] == ["instructions a cycle", "cache misses [10⁶/s]"]
    assert axes[4].lines[0].get_ydata().tolist() == [2, 0.5]
    assert axes[5].lines[1].get_ydata().tolist() == pytest.approx([1, 0.2])
    for line, expected in zip(axes[2].lines, 2 * [[0.2, 0.4], [1, 2]], strict=True):
        assert line.get_ydata().tolist() == pytest.approx(expected)
    ranks[1]["samples"] |= {"device_use_percent": [0, 90, 80], "device_watts": [100.0, 400.0, 350.0]}
    write(two_ranks, "profile.json", ranks)
    axes = drawing.draw_load(rednova.Profile(two_ranks)).axes
    assert [a.get_ylabel() for a in axes[6:]] == ["device in use [%]", "device [W]"]


def test_a_killed_run_is_put_together_from_the_files_of_its_ranks(tmp_path):
    run = tmp_path / "run"
    write(run, "profile.json", [rank(0, 15.0, 4.0)], of=3, complete=False)
    write(run, "profile_rank_00002.json", [rank(2, 10.0, 9.0)], of=3, complete=False)
    profile = rednova.Profile(run)
    assert not profile.complete
    assert profile.missing == [1]
    assert profile.phases["hydro"].seconds.tolist() == [15, 10]
    assert "nothing of ranks 1" in reading.summary(profile)


def inside(figure, legend):
    """Whether all of a legend can be seen."""
    figure.canvas.draw()
    box, whole = legend.get_window_extent(), figure.bbox
    return box.x0 >= 0 and box.y0 >= 0 and box.x1 <= whole.x1 and box.y1 <= whole.y1


@pytest.mark.parametrize("ranks", [1, 2, 8])
def test_bars_of_ranks_have_their_numbers_and_all_names(tmp_path, ranks):
    of = [rank(n + 1, 1.0, 4.0) for n in range(ranks)]
    for r in of:
        r["phases"] += [
            {"name": f"phase {n}", "activity": "work", "seconds": 0.5, "calls": 9, "longest": 0.1}
            for n in range(20)
        ]
    write(tmp_path / "run", "profile.json", of, of=ranks + 1)
    figure = drawing.draw_ranks(rednova.Profile(tmp_path / "run"))
    assert [t.get_text() for t in figure.axes[0].get_yticklabels()] == [f"rank {n + 1}" for n in range(ranks)]
    (legend,) = figure.legends
    # Twelve of work, one wait, and what is left; a device's phase is none of them.
    assert len(legend.get_texts()) == 14
    assert inside(figure, legend)
    axes = figure.axes[0].get_window_extent()
    assert axes.x1 < legend.get_window_extent().x0


@pytest.mark.parametrize("new_in", [0, 1])
def test_runs_of_which_one_alone_has_a_phase(tmp_path, new_in):
    """As of a run on one rank beside one on two, which waits for messages."""
    runs = [tmp_path / "first", tmp_path / "second"]
    for n, run in enumerate(runs):
        of = rank(0, 15.0, 4.0)
        if n == new_in:
            of["phases"].append(
                {"name": "light", "activity": "work", "seconds": 20.0, "calls": 10, "longest": 2.0}
            )
        write(run, "profile.json", [of], of=1)
    assert drawing.main([*map(str, runs), "--out", str(tmp_path / "out")]) == 0
    row = rows_of_page(tmp_path / "out" / "profile.html")["light"]
    assert row.endswith("<td>new: 2</td></tr>" if new_in else "<td>0.000</td></tr>")


def test_a_profile_without_ranks_is_none(tmp_path, capsys):
    (tmp_path / "profile.json").write_text('{"format": 1}')
    assert drawing.main([str(tmp_path)]) == 2
    assert "profile.json: is no profile of rednova: it has no 'ranks'" in capsys.readouterr().err


def test_two_runs_side_by_side(two_ranks, tmp_path):
    write(tmp_path / "faster", "profile.json", [rank(0, 7.5, 4.0), rank(1, 6.0, 7.0)])
    assert drawing.main([str(two_ranks), str(tmp_path / "faster"), "--out", str(tmp_path / "out")]) == 0
    pictures = ("phases", "ranks", "other_ranks", "load", "other_load")
    for name in pictures:
        image = matplotlib.image.imread(tmp_path / "out" / f"profile_{name}.png")
        assert len(np.unique(image.reshape(-1, image.shape[-1]), axis=0)) > 10, name
    page = (tmp_path / "out" / "profile.html").read_text()
    rows = rows_of_page(tmp_path / "out" / "profile.html")
    assert rows["hydro"].endswith("<td>0.500</td></tr>")
    assert rows["wait for messages"].endswith("<td>1.000</td></tr>")
    assert re.findall('alt="profile_(.*?)"', page) == list(pictures)
    captions = ["", *2 * ["the run: run", "the other run: faster"]]
    assert re.findall("<figcaption>(.*?)</figcaption>", page) == captions
    assert drawing.main([str(two_ranks), "--out", str(tmp_path / "out")]) == 0
    assert not list((tmp_path / "out").glob("profile_other_*")), "they are of an earlier call"


def test_of_a_real_run(blast, tmp_path):
    assert rednova.Run(blast).profile.complete
    assert drawing.main([str(blast), "--out", str(tmp_path)]) == 0


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "no such file"),
        ("{", "is no profile"),
        ('{"format": 99}', "format 99"),
        ("[]", "is no profile"),
    ],
)
def test_what_is_no_profile_is_said(tmp_path, capsys, content, complaint):
    if content is not None:
        (tmp_path / "profile.json").write_text(content)
    assert drawing.main([str(tmp_path)]) == 2
    assert complaint in capsys.readouterr().err
