"""`rednova.Trace`: the records of a run as arrays, and the pictures of them."""

import json
import struct
import subprocess

import matplotlib.image
import numpy as np
import pytest
import rednova
from program_under_test import ROOT
from records_by_hand import part, records_of
from rednova import profile_page as drawing
from rednova.trace import FORMAT, STEP, draw_lines, unpacked

MS = 1_000_000


@pytest.fixture
def by_hand(tmp_path):
    """Two ranks: hydro of 2 ms in two tasks of rank 0, of 3 ms in one of rank 1; a message, and a wait."""
    folder = tmp_path / "run" / "trace"
    folder.mkdir(parents=True)
    names = b"".join(
        part(2, struct.pack("<II", 0, n) + name.encode())
        for n, name in enumerate((STEP, "hydro", "wait", "ghosts"))
    )
    about = part(1, json.dumps({"format": FORMAT, "started_ns": 1000}).encode())
    step = (10 * MS, 20 * MS, 0, 0, -1, 0, 0, 0)
    message = (14 * MS, (1, 4096), 7, 5, 1, 3, 2, 0)
    rows = [
        [(11 * MS, 12 * MS, 0, 0, -1, 1, 0, 2), (13 * MS, 14 * MS, 0, 0, -1, 1, 0, 2), message, step],
        [(11 * MS, 14 * MS, 0, 0, -1, 1, 0, 2), (15 * MS, 19 * MS, 0, 0, -1, 2, 1, 1), step],
    ]
    for rank, of_rank in enumerate(rows):
        content = about + names + records_of(0, of_rank)
        (folder / f"rank_{rank:05}.records").write_bytes(content)
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
    drawn = drawing.draw([rednova.Profile(out)], tmp_path / "of_a_share", trace)
    assert "profile_scopes.png" in [path.name for path in drawn]
    assert "profile_lines.png" not in [path.name for path in drawn]
    start, seconds = trace.scopes("hydro")
    assert len(start) > 100
    assert start.min() >= 0
    assert seconds.max() < 60
