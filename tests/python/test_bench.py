"""The benchmark says what it promises, and notices figures that fall short."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("REDNOVA", ROOT / "build" / "rednova")).parent


def module_of(name):
    """A script of bench/, under another name than that of a module that there is."""
    sys.path.insert(0, str(ROOT / "bench"))
    spec = importlib.util.spec_from_file_location(f"bench_{name}", ROOT / "bench" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def bench():
    return module_of("run")


def test_a_step_is_measured_in_all_its_phases(bench):
    program = BUILD / "bench" / "bench_step"
    done = subprocess.run(
        [program, ROOT / "bench" / "rotating_star.toml", "1", "1", "mesh.max_level=3"],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    found = json.loads(done.stdout)
    assert all(found[key] > 0 for key in bench.RATES)
    # Each phase of the step is named, and those whose operations are counted are phases.
    assert found["phase_seconds"].pop("other") < 0.05 * sum(found["phase_seconds"].values())
    assert {"hydro", "gravity leaves (near field)", "gravity M2L", "gravity work"} <= set(
        found["phase_seconds"]
    )
    assert set(found["work"]) <= set(found["phase_seconds"])


def test_figures_that_fall_short_are_named(bench):
    good = {key: 2 * limit for key, limit in bench.AT_LEAST.items()} | dict.fromkeys(bench.AT_MOST, 0)
    good["core_share"] = {"full_step": 0.99}
    solves = {
        name: {"items_per_second": 2 * rate, "rms_percent": error / 2}
        for name, (rate, error) in bench.SOLVES.items()
    }
    good["kernels"] = {"gravity": solves}
    assert bench.shortfalls(good) == []
    assert "full_step" in bench.shortfalls(good | {"full_step": 1.0})[0]
    assert "bytes_per_cell" in bench.shortfalls(good | {"bytes_per_cell": 5000})[0]
    rough = {name: case | {"rms_percent": 1.0} for name, case in solves.items()}
    assert len(bench.shortfalls(good | {"kernels": {"gravity": rough}})) == len(solves)
    assert "not quiet" in bench.shortfalls(good | {"core_share": {"full_step": 0.5}})[0]


def test_costs_of_a_profile_beyond_their_limits_are_named(monkeypatch, tmp_path, capsys):
    bench = module_of("profile")

    def result(profile, trace, error=0.0005, control=0.002):
        costs = {"control": control, "profile": control + profile, "trace": control + trace}
        return {"ranks": 2} | {
            form: {clock: {"cost": cost, "standard_error": error} for clock in ("wall", "processor")}
            for form, cost in costs.items()
        }

    assert bench.beyond_limits(result(0.0035, 0.0085)) == []
    assert "2 ranks: profile: +0.70 ± 0.07 % more than the control: beyond 0.5 %" in bench.beyond_limits(
        result(0.007, 0.0)
    )
    (trace,) = bench.beyond_limits(result(0.0, 0.012))
    assert "trace: +1.20" in trace
    for unknown in (result(0.0045, 0.0), result(0.0055, 0.0), result(0.0, 0.0, error=0.003)):
        (line,) = bench.beyond_limits(unknown)
        assert "profile: " in line
        assert "not known to be within 0.5 %" in line
    step = {"scopes_of_a_step": 2e5, "processor_seconds_of_step": 0.5, "threads": 2}
    step |= {"seconds_of_a_scope": {"in_a_row": 2e-8, "after_other_work": 2e-8}}
    assert bench.beyond_limits(result(0.0, 0.0) | step) == []
    (many,) = bench.beyond_limits(result(0.0, 0.0) | step | {"scopes_of_a_step": 3e5})
    assert many == "2 ranks: scopes: 0.60 % of the processor's time"
    (loud,) = bench.beyond_limits(result(0.0, 0.0) | {"archive_bytes_per_step_and_rank": 2.1e5})
    assert loud == "2 ranks: archive: 0.210 MB a step: beyond 0.2 MB"
    # The command fails if it is told to.
    monkeypatch.setattr(bench, "cost_in_a_step", lambda *_: result(0.0, 0.02) | {"seconds_of_step": 1.0})
    monkeypatch.setattr(bench, "seconds_of_a_scope", lambda _: {})  # it judges none
    monkeypatch.setattr(bench, "bound_of", lambda *_: "")
    sizes = {f"{what}_bytes_per_step_and_rank": 1e5 for what in ("records", "archive")}
    sizes["seconds_to_make_it_again_per_step"] = 0.01
    monkeypatch.setattr(bench, "bytes_of_a_trace", lambda *_: sizes)
    command = ["profile.py", "--build", str(tmp_path), "--ranks", "1"]
    monkeypatch.setattr(sys, "argv", command)
    bench.main()
    assert "trace: +2.00" in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", [*command, "--check"])
    with pytest.raises(SystemExit, match="1"):
        bench.main()
