"""The records of a run's trace (docs/profile.md), as arrays."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from numpy.typing import NDArray

from rednova.profile import Profile

#: A record, as exec/trace_record.hpp has it in memory.
RECORD = np.dtype(
    [
        ("start", "<i8"),
        ("end", "<i8"),
        ("id", "<u4"),
        ("cause", "<u4"),
        ("other", "<i4"),
        ("name", "<u2"),
        ("what", "u1"),
        ("depth", "u1"),
    ]
)
FORMAT = 3
#: The scope of a step on a rank's main thread.
STEP = "main thread between tasks"
#: The scope around the tasks of a list: what is in no task or wait within it is a look for one.
LOOP = "picking tasks, looking for messages"
_ABOUT, _NAME, _RECORDS, _CLOCK, _LOST = 1, 2, 3, 4, 5
_HEAD = struct.Struct("<III")  # of a part: kind, bytes, check sum
_WORK, _WAIT = 0, 1
_HAS_ID, _HAS_CAUSE = 4, 8


class Trace:
    """Scopes and tasks of a run with --trace, by thread. Times are by the clock of rank 0, to which those of other
    machines are set as `rednova trace` sets them.

    Args:
        directory: of the run.

    Attributes:
        threads: (rank, slot) → array of RECORD, scopes alone, in the order of their ends. Slots after those of a rank's
            threads are queues of its device: kernels and copies.
        names: (rank, slot) → the thread's list of names, which `name` of a record is a place in.
        begin: the earliest start, in ns.
        folder: where the records are.
        first_rank: whose records there are, rank 0 unless its file is missing; its steps are taken for the run's.
        started_ns: when this start of the run began, in ns since 1970.
        share: of all tasks, that were noted: below 1 of a run with --trace-tasks.

    Raises:
        FileNotFoundError: the run has no trace.
        ValueError: the trace cannot be read.
    """

    def __init__(self, directory: str | Path) -> None:
        self.folder = Path(directory) / "trace"
        files = sorted(self.folder.glob("rank_*.records"))
        if not files:
            raise FileNotFoundError(f"{self.folder}: no records: is this a run with --trace?")
        self.threads: dict[tuple[int, int], NDArray] = {}
        self.names: dict[tuple[int, int], list[str]] = {}
        self._first_queue: dict[int, int] = {}
        self.share = 1.0
        self.started_ns = 0
        for file in files:
            self._read(int(file.stem.removeprefix("rank_")), file)
        self.first_rank = min(self._first_queue)
        starts = [records["start"].min() for records in self.threads.values() if len(records)]
        self.begin = int(min(starts)) if starts else 0

    def _read(self, rank: int, file: Path) -> None:
        pieces: dict[int, list[NDArray]] = {}
        names: dict[int, dict[int, str]] = {}
        clocks: list[tuple[int, int, int]] = []
        known = False
        for what, content in _parts(file):
            if what == _ABOUT:
                about = json.loads(content)
                known = about.get("format") == FORMAT
                self._first_queue[rank] = about.get("threads", 1)
                self.share = about.get("share", 1.0)
                started = about.get("started_ns", 0)
                if self.started_ns not in (0, started):
                    raise ValueError(f"{file}: it is of another start of the run than that of rank 0")
                self.started_ns = started
            elif what == _NAME:
                slot, number = struct.unpack_from("<II", content)
                names.setdefault(slot, {})[number] = content[8:].decode()
            elif what == _RECORDS:
                slot, count = struct.unpack_from("<II", content)
                all_records = unpacked(content[8:], count)
                pieces.setdefault(slot, []).append(all_records[all_records["what"] <= _WAIT])
            elif what == _CLOCK:
                clocks.append(struct.unpack_from("<qqq", content))
        if not known:
            raise ValueError(f"{file}: no records of a trace, or those of another version of Rednova")
        for slot, arrays in pieces.items():
            of_slot = names.get(slot, {})
            records = np.concatenate(arrays)
            for field in ("start", "end"):
                records[field] = by_clock_of_0(records[field], clocks)
            self.threads[rank, slot] = records
            self.names[rank, slot] = [of_slot.get(n, "") for n in range(max(of_slot, default=-1) + 1)]

    def on_device(self, thread: tuple[int, int]) -> bool:
        """Whether a slot is a queue of a device."""
        rank, slot = thread
        return slot >= self._first_queue[rank]

    def label(self, thread: tuple[int, int]) -> str:
        """What a slot is, for people."""
        rank, slot = thread
        if self.on_device(thread):
            return f"rank {rank}, device, queue {slot - self._first_queue[rank]}"
        return f"rank {rank}, thread {slot}"

    @property
    def has_steps(self) -> bool:
        """Whether a step of the first rank has ended while the trace was on."""
        return len(self.scopes(STEP, (self.first_rank, 0))[0]) > 0

    def scopes(self, name: str, of: tuple[int, int] | None = None) -> tuple[NDArray, NDArray]:
        """When each scope of a phase began, in seconds since the first of all, and how long it took, in seconds, with
        those within it; of all threads, or of one (rank, slot)."""
        found = [np.zeros(0, RECORD)]
        for thread, records in self.threads.items():
            names = self.names[thread]
            if name in names and of in (None, thread):
                found.append(records[records["name"] == names.index(name)])
        all_records = np.concatenate(found)
        start = 1e-9 * (all_records["start"] - self.begin)
        return start, 1e-9 * (all_records["end"] - all_records["start"])

    def strange_to(self, profile: Profile) -> bool:
        """Whether a profile is of another start or restart of the run than this trace. A restart without --trace leaves
        an old trace beside its new profile."""
        return self.started_ns != profile.started_ns

    def phases(self) -> dict[str, float]:
        """Phases but for tasks and waits → seconds in their scopes, longest first; kernels are among them."""
        seconds: dict[str, float] = {}
        for thread, records in self.threads.items():
            chosen = records[(records["what"] == _WORK) & (records["id"] == 0)]
            length = 1e-9 * (chosen["end"] - chosen["start"])
            for number in np.unique(chosen["name"]):
                name = self.names[thread][number]
                seconds[name] = seconds.get(name, 0.0) + float(length[chosen["name"] == number].sum())
        return dict(sorted(seconds.items(), key=lambda entry: -entry[1]))


def unpacked(content: bytes, count: int) -> NDArray:
    """The records of a part of a file, of `count` of them: src/output/packed_records.hpp says how they lie there.

    Raises:
        ValueError: the bytes are not those of so many records.
    """
    raw = np.frombuffer(content, np.uint8)
    heads, digits = raw[:count], raw[count:]
    last = np.flatnonzero(digits < 128)
    if len(heads) < count or (len(digits) > 0 and (not len(last) or last[-1] != len(digits) - 1)):
        raise ValueError("records of a trace are damaged")
    first = np.concatenate([[0], last[:-1] + 1]) if len(last) else np.zeros(0, int)
    place = np.arange(len(digits)) - np.repeat(first, np.diff(np.append(first, len(digits))))
    shifted = (digits & 127).astype(np.uint64) << (7 * place).astype(np.uint64)
    numbers = np.add.reduceat(shifted, first) if len(first) else np.zeros(0, np.uint64)
    records = np.zeros(count, RECORD)
    records["what"], records["depth"], records["other"] = heads & 3, heads >> 4, -1
    everywhere = np.ones(count, bool)
    message, has_id, has_cause = records["what"] > _WAIT, (heads & _HAS_ID) > 0, (heads & _HAS_CAUSE) > 0
    columns = (everywhere, everywhere, ~message, has_id, has_cause, has_id, message, message)
    lengths = [int(np.count_nonzero(c)) for c in columns]
    if sum(lengths) != len(numbers):
        raise ValueError("records of a trace are damaged")
    parts = np.split(numbers, np.cumsum(lengths)[:-1])

    def sums(steps: NDArray) -> NDArray:
        return np.cumsum((steps >> np.uint64(1)).astype(np.int64) ^ -(steps & np.uint64(1)).astype(np.int64))

    records["name"] = parts[0]
    records["start"] = records["end"] = sums(parts[1])
    records["start"][~message] -= parts[2].astype(np.int64)
    records["id"][has_id], records["cause"][has_cause] = sums(parts[3]), sums(parts[4])
    records["other"][has_id] = sums(parts[5])
    records["end"][message] = (parts[7].astype(np.int64) << 32) | (parts[6].astype(np.int64) & 0xFFFFFFFF)
    return records


def by_clock_of_0(times: NDArray, clocks: Sequence[tuple[int, int, int]]) -> NDArray:
    """Times by a rank's clock, [n] in ns, by that of rank 0; as `set_clock` of src/trace/trace.cpp.

    Args:
        times: int64.
        clocks: comparisons of both clocks, at the start of the run, and at the end of one that came to it: what rank 0
            read before the rank read its own, that reading, what rank 0 read after it. Between them clocks are set in
            proportion; without any they are one.
    """
    if not clocks:
        return times
    start, end = clocks[0][1], clocks[-1][1]
    first, last = _setting(*clocks[0]), _setting(*clocks[-1])
    if first == last or end <= start:
        return times + first
    share = np.clip((times - start) / (end - start), 0.0, 1.0)
    return times + first + (share * (last - first)).astype(np.int64)


def _setting(before: int, mine: int, after: int) -> int:
    """By how much a clock is set at one comparison, in ns: where it may be right it is left alone."""
    return 0 if before <= mine <= after else before + (after - before) // 2 - mine


def draw_scopes(trace: Trace, panels: int = 6, most: int = 4000) -> Figure:
    """How long the scopes of the longest phases took, over the run's time: some of them, picked at random, where there
    are more than `most`. What splits into branches has several kinds of work; what jumps was held up."""
    names = [name for name in trace.phases() if name not in (STEP, LOOP)][:panels]
    pick = np.random.default_rng(1)
    figure, axes = plt.subplots(2, -(-len(names) // 2), figsize=(10, 5), layout="constrained", squeeze=False)
    for panel, name in zip(axes.flat, names, strict=False):
        start, seconds = trace.scopes(name)
        chosen = pick.choice(len(start), min(most, len(start)), replace=False)
        panel.semilogy(start[chosen], 1e3 * seconds[chosen], ".", ms=2, alpha=0.4, color="#2a6f97")
        panel.set(title=name, xlabel="time [s]", ylabel="duration [ms]")
        panel.grid(alpha=0.25)
    for panel in axes.flat[len(names) :]:
        panel.axis("off")
    return figure


def draw_lines(trace: Trace) -> Figure:
    """What each thread and device did in the last step but one of the first rank, or its only one: a line each, waits
    pale, white where it had no task."""
    if not trace.has_steps:
        raise ValueError("the trace has no step that has ended")
    start, seconds = trace.scopes(STEP, (trace.first_rank, 0))
    step = max(0, len(start) - 2)
    begin, end = start[step], start[step] + seconds[step]
    threads = sorted(trace.threads)
    figure, axes = plt.subplots(figsize=(11, max(4.5, 1.2 + 0.35 * len(threads))), layout="constrained")
    # Neighbours in this list differ in hue, so that the longest phases do.
    palette = [plt.get_cmap(name)(i) for name in ("tab20", "tab20b") for k in (0, 1) for i in range(k, 20, 2)]
    colours: dict[str, tuple] = {}
    for line, thread in enumerate(threads):
        records, names = trace.threads[thread], trace.names[thread]
        outermost = 0 if trace.on_device(thread) else 1  # a thread's is the step
        since, until = 1e-9 * (records["start"] - trace.begin), 1e-9 * (records["end"] - trace.begin)
        of_step = (records["id"] == 0) & (records["depth"] >= outermost) & (until >= begin) & (since <= end)
        if LOOP in names:
            of_step &= records["name"] != names.index(LOOP)
        # Outer ones first, so that what lies within them is drawn over them.
        chosen = np.flatnonzero(of_step)
        chosen = chosen[np.argsort(records["depth"][chosen], kind="stable")]
        scopes = records[chosen]
        left, right = np.maximum(since[chosen], begin) - begin, np.minimum(until[chosen], end) - begin
        for n in range(len(scopes)):
            name = names[scopes["name"][n]]
            colour = colours.setdefault(name, palette[len(colours) % len(palette)])
            pale = 0.25 if scopes["what"][n] == _WAIT else 1.0
            span = (1e3 * left[n], 1e3 * (right[n] - left[n]))
            if pale < 1:  # white below, so that it is pale whatever it lies on
                axes.broken_barh([span], (line - 0.4, 0.8), facecolors="white")
            axes.broken_barh([span], (line - 0.4, 0.8), facecolors=colour, alpha=pale)
    of = f" of rank {trace.first_rank}: rank 0's records are missing" if trace.first_rank else ""
    axes.set(
        xlabel=f"time in the step{of} [ms]", xlim=(0, 1e3 * (end - begin)), ylim=(len(threads) - 0.5, -0.5)
    )
    axes.set_yticks(range(len(threads)), [trace.label(thread) for thread in threads])
    handles = [Patch(color=colour, label=name) for name, colour in colours.items()]
    figure.legend(handles=handles, loc="outside right upper", fontsize=7)
    return figure


def _parts(file: Path) -> Iterator[tuple[int, bytes]]:
    """The parts of a file; one that breaks off is that of a run that was killed, and is left out.

    Raises:
        ValueError: a part's bytes are not those that were written.
    """
    with file.open("rb") as source:
        while len(head := source.read(_HEAD.size)) == _HEAD.size:
            what, length, check_sum = _HEAD.unpack(head)
            first = source.tell() == _HEAD.size
            content = source.read(length)
            whole = len(content) == length
            if not whole and not first:
                if _has_its_end(file):
                    raise ValueError(f"{file}: it breaks off before its end: the file is damaged")
                return
            if not whole or zlib.crc32(content, zlib.crc32(head[:8])) != check_sum:
                why = "a part is not what was written: the file is damaged"
                if first:
                    why = "no records of a trace, those of another version of Rednova, or damaged ones"
                raise ValueError(f"{file}: {why}")
            yield what, content


def _has_its_end(file: Path) -> bool:
    """Whether a file ends as that of a run that came to its end."""
    with file.open("rb") as source:
        source.seek(-_HEAD.size - 8, 2)
        return _HEAD.unpack(source.read(_HEAD.size))[:2] == (_LOST, 8)
