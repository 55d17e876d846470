"""`rednova.Trace`: the records of a run as arrays, and the pictures of them."""

import json
import re
import shutil
import struct
import subprocess

import matplotlib.image
import numpy as np
import pytest
import rednova
from program_under_test import ROOT
from records_by_hand import part, records_of
from rednova import profile_page as drawing
from rednova.trace import FORMAT, STEP, by_clock_of_0, draw_lines, unpacked

MS = 1_000_000
NAMES = (STEP, "hydro", "wait", "ghosts")
MESSAGE = (14 * MS, (1, 4096), 7, 5, 1, 3, 2, 0)


def scope(start, end, name, depth=2):
    """A row of records_of, in ms."""
    return (round(start * MS), round(end * MS), 0, 0, -1, NAMES.index(name), int(name == "wait"), depth)


STEP_OF_BOTH = scope(10, 20, STEP, 0)
ROWS = [
    [scope(11, 12, "hydro"), scope(13, 14, "hydro"), MESSAGE, STEP_OF_BOTH],
    [scope(11, 14, "hydro"), scope(15, 19, "wait", 1), STEP_OF_BOTH],
]


def write_rank(run, rank, rows, *clocks):
    """The file of a rank with one thread; its clock is compared at the beginning and, where it says so, at the end."""
    of_clock = [part(4, struct.pack("<qqq", *clock)) for clock in clocks]
    names = [part(2, struct.pack("<II", 0, n) + name.encode()) for n, name in enumerate(NAMES)]
    about = part(1, json.dumps({"format": FORMAT, "started_ns": 1000}).encode())
    parts = [about, *of_clock[:1], *names, records_of(0, rows), *of_clock[1:]]
    (run / "trace" / f"rank_{rank:05}.records").write_bytes(b"".join(parts))


@pytest.fixture
def by_hand(tmp_path):
    """Two ranks: hydro of 2 ms in two tasks of rank 0, of 3 ms in one of rank 1; a message, and a wait."""
    (tmp_path / "run" / "trace").mkdir(parents=True)
    for rank, rows in enumerate(ROWS):
        write_rank(tmp_path / "run", rank, rows)
    return tmp_path / "run"


def test_scopes_of_all_threads(by_hand):
    trace = rednova.Trace(by_hand)
    assert sorted(trace.threads) == [(0, 0), (1, 0)]
    start, seconds = trace.scopes("hydro")
    assert start.tolist() == pytest.approx([1e-3, 3e-3, 1e-3])
    assert seconds.tolist() == pytest.approx([1e-3, 1e-3, 3e-3])
    assert trace.scopes("nothing of the kind")[0].size == 0
    assert trace.phases() == pytest.approx({STEP: 20e-3, "hydro": 5e-3}), (
        "waits are no work, messages no scopes"
    )


@pytest.mark.parametrize("killed", [False, True])
def test_clocks_of_two_machines_are_set_to_that_of_rank_0(by_hand, killed):
    """Rank 1's was started a million seconds before, and goes faster by 1e-4, which is not known of a killed run."""

    def of_rank_1(ns):
        return round(10**15 + ns * (1 + 1e-4))

    def compared(ns):
        return (ns - 100, of_rank_1(ns), ns + 100)

    rows = [(of_rank_1(r[0]), of_rank_1(r[1]), *r[2:]) for r in ROWS[1]]
    write_rank(by_hand, 0, ROWS[0], (-100, 0, 100), (25 * MS - 100, 25 * MS, 25 * MS + 100))
    write_rank(by_hand, 1, rows, compared(0), *([] if killed else [compared(25 * MS)]))
    trace = rednova.Trace(by_hand)
    assert trace.begin == 10 * MS
    start, seconds = trace.scopes("hydro")
    near = {"abs": 2e-6 if killed else 2e-9}
    assert start.tolist() == pytest.approx([1e-3, 3e-3, 1e-3], **near)
    assert seconds.tolist() == pytest.approx([1e-3, 1e-3, 3e-3], **near)


def test_a_clock_is_set_as_by_the_program():
    """As clocks_are_set_only_where_they_must_be in tests/trace/test_trace.cpp, and no further than the comparisons."""
    ahead = 10**9
    clocks = [(900, ahead + 1000, 1100), (9900, ahead + 12000, 10100)]
    times = ahead + np.array([0, 3000, 12000, 13000])
    assert by_clock_of_0(times, clocks).tolist() == [0, 3000 - 363, 10000, 11000]
    assert by_clock_of_0(times, clocks[:1]).tolist() == [0, 3000, 12000, 13000]
    assert by_clock_of_0(times, []) is times
    assert by_clock_of_0(np.array([2000]), [(900, 1090, 1100)]).tolist() == [2000], "it may be right"


def test_lines_are_of_rank_0_s_last_step_but_one(by_hand):
    """Steps of other ranks begin between its own."""
    for rank in range(4):
        later = 0.1 * rank
        steps = [scope(20 * n + later, 20 * n + 10 + n + 2 * later, STEP, 0) for n in range(3)]
        write_rank(by_hand, rank, [scope(21, 22, "hydro"), *steps])
    figure = draw_lines(rednova.Trace(by_hand))
    assert figure.axes[0].get_xlim() == pytest.approx((0, 11))
    write_rank(by_hand, 0, ROWS[0])
    assert draw_lines(rednova.Trace(by_hand)).axes[0].get_xlim() == pytest.approx((0, 10)), "its only one"
    write_rank(by_hand, 0, ROWS[0][:1])
    assert not rednova.Trace(by_hand).has_steps
    with pytest.raises(ValueError, match="no step"):
        draw_lines(rednova.Trace(by_hand))


def test_without_rank_0_s_file_steps_are_those_of_the_first_rank(by_hand):
    (by_hand / "trace" / "rank_00000.records").unlink()
    trace = rednova.Trace(by_hand)
    assert trace.has_steps
    axes = draw_lines(trace).axes[0]
    assert axes.get_xlim() == pytest.approx((0, 10))
    assert axes.get_xlabel() == "time in the step of rank 1: rank 0's records are missing [ms]"


def test_a_device_has_lines_after_the_threads(by_hand):
    file = by_hand / "trace" / "rank_00000.records"
    kernels = [(12 * MS, 13 * MS, 0, 9, -1, 0, 0, 0), (15 * MS, 18 * MS, 0, 9, -1, 0, 0, 0)]
    name = part(2, struct.pack("<II", 1, 0) + b"hydro::update")
    file.write_bytes(file.read_bytes() + name + records_of(1, kernels))
    trace = rednova.Trace(by_hand)
    assert trace.on_device((0, 1))
    assert not trace.on_device((0, 0))
    assert trace.label((0, 1)) == "rank 0, device, queue 0"
    assert trace.label((1, 0)) == "rank 1, thread 0"
    assert trace.phases()["hydro::update"] == pytest.approx(4e-3)
    axes = draw_lines(trace).axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()][1] == "rank 0, device, queue 0"
    drawn = sum(
        1 for bar in axes.collections for path in bar.get_paths() if 0.6 <= path.vertices[0][1] <= 1.4
    )
    assert drawn == 2, "kernels are drawn although they are outermost"


def test_the_share_of_tasks_is_known(by_hand):
    assert rednova.Trace(by_hand).share == 1
    for file in (by_hand / "trace").iterdir():
        file.write_bytes(
            file.read_bytes()
            + part(1, json.dumps({"format": FORMAT, "started_ns": 1000, "share": 0.1}).encode())
        )
    assert rednova.Trace(by_hand).share == 0.1


def test_records_are_read_to_the_last_field():
    rows = [
        (5, 9, 0, 0, -1, 0, 0, 0),
        (3, 2**62, 2**32 - 1, 2**22, 70000, 300, 1, 15),
        (7, (3, 2**30), 2, 1, 4, 7, 2, 1),
        (2**61, (2**32 - 1, 0), 1, 0, 0, 127, 3, 0),
    ]
    found = unpacked(records_of(0, rows)[20:], len(rows)).tolist()
    whole = [(r[0], r[1] if r[6] < 2 else r[1][1] << 32 | r[1][0], *r[2:]) for r in rows]
    assert [tuple(r) for r in found] == whole
    assert len(unpacked(b"", 0)) == 0
    for damaged, count in ((b"\x00\x00\x05", 1), (b"\x00\x00\x05\x80", 1), (b"", 1)):
        with pytest.raises(ValueError, match="damaged"):
            unpacked(damaged, count)


def test_a_part_that_broke_off_is_left_out(by_hand):
    file = by_hand / "trace" / "rank_00001.records"
    file.write_bytes(file.read_bytes()[:-5])
    assert sorted(rednova.Trace(by_hand).threads) == [(0, 0)]


def test_what_is_no_trace_is_said(tmp_path):
    with pytest.raises(FileNotFoundError, match="--trace"):
        rednova.Trace(tmp_path)
    (tmp_path / "trace").mkdir()
    (tmp_path / "trace" / "rank_00000.records").write_bytes(part(1, b"{}"))
    with pytest.raises(ValueError, match="no records of a trace"):
        rednova.Trace(tmp_path)


@pytest.mark.parametrize(("started_ns", "strange"), [(1000, False), (1001, True), (None, True)])
def test_trace_and_profile_of_one_start_are_known_by_it(by_hand, started_ns, strange):
    """An earlier version's profile has no start."""
    run = {"version": "0.1.0", "commit": "abc", "input": ""}
    if started_ns:
        run["started_ns"] = started_ns
    content = {"format": 1, "run": run, "number_of_ranks": 2, "complete": True, "ranks": []}
    (by_hand / "profile.json").write_text(json.dumps(content))
    assert rednova.Trace(by_hand).strange_to(rednova.Profile(by_hand)) == strange


def test_a_damaged_part_is_refused(by_hand):
    file = by_hand / "trace" / "rank_00001.records"
    whole = file.read_bytes() + part(5, struct.pack("<q", 0))
    starts = [0]
    while starts[-1] < len(whole):
        starts.append(starts[-1] + 12 + struct.unpack_from("<II", whole, starts[-1])[1])
    records = starts[-3]
    # In its last byte; in its length, which then goes beyond the end.
    for place, bit in ((starts[-2] - 1, 1), (records + 7, 0x40)):
        content = bytearray(whole)
        content[place] ^= bit
        file.write_bytes(content)
        with pytest.raises(ValueError, match=r"rank_00001\.records.*damaged"):
            rednova.Trace(by_hand)


def test_an_earlier_version_s_trace_is_told_and_left_out(by_hand, capsys):
    about = json.dumps({"format": 2}).encode()
    (by_hand / "trace" / "rank_00000.records").write_bytes(struct.pack("<II", 1, len(about)) + about)
    with pytest.raises(ValueError, match="another version"):
        rednova.Trace(by_hand)
    run = {"version": "0.1.0", "commit": "abc", "input": ""}
    rank = {"rank": 0, "threads": 1, "seconds": 0, "steps": 0, "phases": [], "samples": {}}
    content = {"format": 1, "run": run, "number_of_ranks": 1, "complete": False, "ranks": [rank]}
    (by_hand / "profile.json").write_text(json.dumps(content))
    assert drawing.main([str(by_hand)]) == 0
    assert "the trace is left out" in capsys.readouterr().err
    assert "the trace is left out" in (by_hand / "profile.html").read_text()


@pytest.mark.parametrize("strange", [False, True])
def test_traces_of_two_runs_are_drawn_one_below_the_other(by_hand, tmp_path, capsys, strange):
    samples = {"time": [0, 1], "step": [0, 1], "processor_seconds": [0, 1], "resident_bytes": [1, 1]}
    samples["network_bytes"] = [0, 0]
    phase = {"name": "hydro", "activity": "work", "seconds": 0.5, "calls": 1, "longest": 0.5}
    rank = {"rank": 0, "threads": 1, "seconds": 1, "steps": 1, "phases": [phase], "samples": samples}
    run = {"version": "0.1.0", "commit": "abc", "input": "", "started_ns": 1000}
    content = {"format": 1, "run": run, "number_of_ranks": 1, "complete": True, "ranks": [rank]}
    other = tmp_path / "other"
    shutil.copytree(by_hand, other)
    (by_hand / "profile.json").write_text(json.dumps(content))
    (other / "profile.json").write_text(json.dumps(content | {"run": run | {"started_ns": 1000 + strange}}))
    assert drawing.main([str(by_hand), str(other)]) == 0
    page = (by_hand / "profile.html").read_text()
    pictures = [
        "phases",
        *(p + name for name in ("ranks", "load", "scopes", "lines") for p in ("", "other_")),
    ]
    if strange:
        pictures = [name for name in pictures if name not in ("other_scopes", "other_lines")]
    assert re.findall('alt="profile_(.*?)"', page) == pictures
    assert all((by_hand / f"profile_{name}.png").is_file() for name in pictures)
    note = f"{other}/trace: left out"
    assert (note in page, note in capsys.readouterr().err) == (strange, strange)


def test_a_trace_of_ranks_of_two_starts_is_refused(by_hand):
    file = by_hand / "trace" / "rank_00001.records"
    file.write_bytes(file.read_bytes() + part(1, json.dumps({"format": FORMAT, "started_ns": 2000}).encode()))
    with pytest.raises(ValueError, match="another start"):
        rednova.Trace(by_hand)


def test_pictures_of_a_real_run(program, tmp_path):
    out = tmp_path / "run"
    command = [
        program,
        "run",
        ROOT / "bench" / "rotating_star.toml",
        "--out",
        out,
        "--threads",
        "2",
        "--trace",
    ]
    command += ["--set", "run.max_steps=3", "--set", "mesh.max_level=3"]
    subprocess.run([str(c) for c in command], check=True, capture_output=True, timeout=300)
    assert drawing.main([str(out)]) == 0
    for name in ("lines", "scopes"):
        image = matplotlib.image.imread(out / f"profile_{name}.png")
        assert len(np.unique(image.reshape(-1, image.shape[-1]), axis=0)) > 20, name
    assert (out / "profile.html").read_text().count("data:image/png;base64,") == 5
    trace = rednova.Trace(out)
    trace.share = 0.1
    drawn = drawing.draw([rednova.Profile(out)], tmp_path / "of_a_share", [trace])
    assert "profile_scopes.png" in [path.name for path in drawn]
    assert "profile_lines.png" not in [path.name for path in drawn]
    start, seconds = trace.scopes("hydro")
    assert len(start) > 100
    assert start.min() >= 0
    assert seconds.max() < 60
