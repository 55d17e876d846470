"""Tracer particles: what runs write of them, what a restart makes of it, and what is said of bad input."""

import shutil
import subprocess

import numpy as np
import pytest
from complaint import told
from launched import needs_launcher, on_ranks
from program_under_test import ROOT
from rednova import Run

STAR = ROOT / "problems" / "star_in_motion.toml"
SMALL = [
    *("--threads", "1", "--set", "run.max_steps=6", "--set", "output.snapshot_time=0"),
    *("--set", "mesh.max_level=2", "--set", "mesh.rotation=0.3", "--set", "mesh.regrid_interval=2"),
    *(
        "--set",
        "output.tracer_time=0.02",
        "--set",
        "output.checkpoint_steps=2",
        "--set",
        "output.checkpoints_kept=0",
    ),
    *("--set", "tracers.count=300", "--set", 'tracers.species=["star"]'),
]

UNSOWN = [
    *SMALL,
    *("--set", "tracers.count=0", "--set", "tracers.species=[]", "--set", "output.tracer_time=0"),
]


@pytest.fixture(scope="module")
def star(program, tmp_path_factory):
    """A star that flies over a turning grid, with particles."""
    out = tmp_path_factory.mktemp("tracers") / "run"
    subprocess.run([program, "run", STAR, *SMALL, "--out", out], check=True, timeout=100)
    return out


def test_records_have_place_gas_and_bond(star):
    tracers = Run(star).tracers
    assert len(tracers) == 300
    assert tracers.step[0] == 0
    assert tracers.step[-1] == 6
    assert np.all(np.diff(tracers.time) > 0)
    assert np.all(np.isinf(tracers.left))
    assert np.all(tracers["unbound"] == 0)
    # The star has the inner of its cells in common with the atmosphere nowhere: particles are where it is.
    share = tracers["density_star"] / tracers["density"]
    assert share[0].min() > 0.5
    # A star that moves as one: its particles do with it in the inertial frame, but for what its surface does.
    way = tracers["position"][-1] - tracers["position"][0]
    assert np.median(way, axis=0) == pytest.approx(
        np.array([0.1, 0.05, 0]) * tracers.time[-1], abs=0.01 * tracers.time[-1]
    )
    assert np.median(tracers["velocity"][0], axis=0) == pytest.approx([0.1, 0.05, 0], abs=1e-12)
    on_grid = tracers.grid_position[-1]
    assert np.hypot(on_grid[:, 0], on_grid[:, 1]) == pytest.approx(
        np.hypot(*tracers["position"][-1, :, :2].T)
    )
    assert tracers.grid_angle[-1] == pytest.approx(0.3 * tracers.time[-1])
    assert np.all(Run(star).history["tracers"] == 300)
    with pytest.raises(KeyError, match="density_star"):
        tracers["colour"]


def test_info_knows_them(rednova, star):
    said = rednova("info", star / "tracers_000006.h5").out
    assert "particles    300" in said
    assert "density_star" in said
    assert "300 of 300 inside, digest" in rednova("info", star / "checkpoint_000006.h5").out


def same_records(a, b):
    one, other = Run(a).tracers, Run(b).tracers
    return (
        np.array_equal(one.step, other.step)
        and np.array_equal(one["position"], other["position"])
        and np.array_equal(one["density"], other["density"])
    )


def test_a_restart_goes_on_with_the_same_records(rednova, star, tmp_path):
    again = tmp_path / "again"
    shutil.copytree(star, again)
    result = rednova("restart", again / "checkpoint_000002.h5", "--threads", "1")
    assert result.code == 0, result.err
    assert "tracers_000006.h5" in result.out, "what goes is named"
    assert same_records(star, again)


@pytest.mark.parametrize("out", [[], ["--out", "branch"]])
def test_a_restart_sows_them_where_there_were_none(rednova, tmp_path, out):
    run = tmp_path / "run"
    assert rednova("run", STAR, *UNSOWN, "--out", run).code == 0
    branch = [tmp_path / word if word == "branch" else word for word in out]
    sown = ["tracers.count=50", 'tracers.species=["star"]', "run.max_steps=8"]
    words = [word for one in sown for word in ("--set", one)]
    result = rednova("restart", run / "checkpoint_000004.h5", *words, *branch, "--threads", "1")
    assert result.code == 0, result.err
    made = Run(branch[1] if branch else run)
    assert len(made.tracers) == 50
    assert made.tracers.step[0] == 4
    assert made.tracers.step[-1] == 8
    assert made.tracers["density_star"][0].min() > 0
    assert list(made.history["step"]) == list(range(9)), "rows before the restart stay"
    assert list(made.history["tracers"]) == [0] * 5 + [50] * 4
    again = rednova("restart", made.directory, "--set", "run.max_steps=9", "--threads", "1")
    assert again.code == 0, again.err
    assert "tracers_000004.h5" in {p.name for p in made.directory.iterdir()}


@needs_launcher
def test_ranks_sow_the_same(tmp_path):
    sown = ["--set", "tracers.count=50", "--set", 'tracers.species=["star"]', "--set", "run.max_steps=8"]
    made = []
    for ranks in (1, 3):
        run = tmp_path / f"on_{ranks}"
        begun = on_ranks(ranks, "run", STAR, *UNSOWN[2:], "--out", run)
        assert begun.code == 0, begun.err
        gone_on = on_ranks(ranks, "restart", run, *sown)
        assert gone_on.code == 0, gone_on.err
        made.append(run)
    assert same_records(*made)


def test_tracers_sown_again_are_others(rednova, tmp_path):
    """Whoever goes back to before they were sown finds none of their records."""
    run = tmp_path / "run"
    assert rednova("run", STAR, *UNSOWN, "--out", run).code == 0
    for count in (50, 70):
        sown = ["--set", f"tracers.count={count}", "--threads", "1"]
        result = rednova("restart", run / "checkpoint_000004.h5", *sown)
        assert result.code == 0, result.err
        assert ("tracers_000004.h5" in result.out) == (count == 70), "what goes is named"
        tracers = Run(run).tracers
        assert len(tracers) == count
        assert tracers["position"].shape == (2, count, 3)
        assert tracers.step.tolist() == [4, 6]
    assert rednova("restart", run / "checkpoint_000004.h5", "--threads", "1").code == 0
    assert not list(run.glob("tracers_*.h5"))


def test_what_a_run_cannot_have_is_told(rednova, star, write, tmp_path):
    told(
        rednova("restart", star, "--set", "tracers.count=7", "--set", "run.max_steps=9"),
        "[tracers]",
        "checkpoint",
    )
    told(rednova("check", write(), "--set", "tracers.count=100001"), "100001", "0 to 100000")
    told(
        rednova("check", write(), "--set", "tracers.count=9", "--set", 'tracers.species=["sta"]'),
        "no species 'sta'",
    )
    told(rednova("check", write(), "--set", "output.tracer_time=1"), "there are no tracers", "tracers.count")
    told(
        rednova("check", write(), "--set", "tracers.count=9", "--set", 'output.tracer_fields=["densty"]'),
        "tracer_fields",
        "densty",
    )


def test_a_run_without_them_says_so(rednova, write, tmp_path):
    out = tmp_path / "none"
    assert rednova("run", write(), "--out", out, "--set", "run.max_steps=1").code == 0
    with pytest.raises(FileNotFoundError, match=r"tracers\.count"):
        Run(out).tracers  # noqa: B018
