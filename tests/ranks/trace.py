"""Checks the trace of a run on several ranks: arrows go forward, messages have two ends, slices lie within each other.

Usage: trace.py PROGRAM INPUT OUT LAUNCHER…
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path


def events_of(program: str, problem: str, out: Path, launcher: list[str]) -> list[dict]:
    shutil.rmtree(out, ignore_errors=True)
    settings = ["--set", "run.max_steps=8", "--set", "mesh.regrid_interval=4"]
    run = [program, "run", problem, "--out", str(out), "--threads", "2", "--trace", *settings]
    subprocess.run([*launcher, *run], check=True)
    assert (out / "trace" / "traces.otf2").is_file()
    subprocess.run([program, "trace", str(out)], check=True)
    path = subprocess.run(
        [program, "trace", str(out), "--critical-path", "--steps", "3"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert "message of" in path, path
    return json.loads((out / "trace" / "trace.json").read_text())["traceEvents"]


def check_slices(events: list[dict]) -> None:
    """Slices of a thread lie within each other or apart; a nanosecond is what the file rounds to."""
    threads: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for e in events:
        if e["ph"] == "X" and e["cat"] != "message":
            threads.setdefault((e["pid"], e["tid"]), []).append((e["ts"], e["ts"] + e["dur"]))
    assert threads
    for thread, slices in threads.items():
        open_until: list[float] = []
        for start, end in sorted(slices, key=lambda s: (s[0], -s[1])):
            while open_until and open_until[-1] <= start + 0.002:
                open_until.pop()
            assert not open_until or end <= open_until[-1] + 0.002, (thread, start, end, open_until)
            open_until.append(end)


def check_messages(events: list[dict], ranks: int) -> None:
    """Each message that was received was sent, and no arrow runs backwards."""
    begun = {e["id"]: e for e in events if e["ph"] == "s"}
    ended = {e["id"]: e for e in events if e["ph"] == "f"}
    assert begun.keys() == ended.keys()
    backwards = [n for n, e in ended.items() if e["ts"] < begun[n]["ts"]]
    assert not backwards, [(begun[n], ended[n]) for n in backwards[:3]]
    messages = [e for e in ended.values() if e["cat"] == "message"]
    received = [e for e in events if e["ph"] == "X" and e["name"].startswith("receive ")]
    assert len(messages) == len(received) > 100
    assert {e["pid"] for e in messages} == set(range(ranks))
    # Bytes are noted by both ends, each by itself.
    ends = {
        (e["pid"], e["tid"], e["ts"], e["name"].split(" ")[0]): e["args"]
        for e in events
        if e.get("cat") == "message" and e["ph"] == "X"
    }
    for number, end in ended.items():
        if end["cat"] != "message":
            continue
        start = begun[number]
        sent = ends[start["pid"], start["tid"], start["ts"], "send"]
        got = ends[end["pid"], end["tid"], end["ts"], "receive"]
        assert (sent["bytes"], sent["to"], got["from"]) == (got["bytes"], end["pid"], start["pid"])
    # What a message makes ready is known, and so is who posted it.
    causes = [e for e in begun.values() if e["cat"] == "makes ready"]
    by_time = {(e["pid"], e["ts"]) for e in received}
    assert sum((e["pid"], e["ts"]) in by_time for e in causes) > 0.5 * len(received)


def main() -> None:
    program, problem, out, *launcher = sys.argv[1:]
    events = events_of(program, problem, Path(out), launcher)
    check_slices(events)
    check_messages(events, int(launcher[-1]))


if __name__ == "__main__":
    main()
