"""What a restart or its checkpoint cannot be, and what a damaged file is told to be."""

import h5py
import pytest
from complaint import told
from program_under_test import ROOT
from sealed import seal
from small_input import SMALL


def test_a_directory_without_a_run(rednova, tmp_path):
    told(rednova("restart", tmp_path), str(tmp_path), "no checkpoint")
    told(rednova("restart", tmp_path / "nowhere"), "nowhere", "no such")


@pytest.fixture
def checkpoint(rednova, write, tmp_path):
    assert rednova("run", write(), "--set", "run.max_steps=1", "--out", tmp_path / "run").code == 0
    (path,) = (tmp_path / "run").glob("checkpoint_*.h5")
    return path


@pytest.mark.parametrize(
    ("override", "word"),
    [
        ("problem.energy=2", "problem.energy"),
        ("mesh.base_width=0.5", "domain"),
        ("mesh.rotation=0.1", "mesh.rotation"),
        ("gravity.enabled=true", "gravity.enabled"),
        ("units.system=solar", "units.system"),
        ("hydro.gamma=1.3", "hydro.gamma"),
        ("hydro.spin=false", "hydro.spin"),
        ("hydro.species=[a,b]", "hydro.species"),
    ],
)
def test_a_new_model_at_a_restart(rednova, checkpoint, override, word):
    """What the state was made with would be ignored, or would change what its numbers mean."""
    told(rednova("restart", checkpoint, "--set", override), word, "cannot change at a restart")


def test_what_a_restart_may_change(rednova, checkpoint):
    changes = ["hydro.cfl=0.2", "hydro.riemann=kt", "run.max_steps=2", "mesh.rotation=0"]
    words = [word for change in changes for word in ("--set", change)]
    assert rednova("restart", checkpoint, *words).code == 0


@pytest.mark.parametrize("override", ["run.max_steps=1", "run.end_time=1e-9"])
def test_a_restart_with_nothing_to_do(rednova, checkpoint, override):
    """The checkpoint is of step 1, where max_steps ended the run."""
    before = sorted(checkpoint.parent.iterdir())
    result = rednova("restart", checkpoint.parent, "--set", override)
    assert (result.code, result.err) == (0, "")
    key = override.split("=")[0]
    assert "nothing to do" in result.out
    assert f"--set {key}=" in result.out
    assert sorted(checkpoint.parent.iterdir()) == before


def test_an_input_at_a_restart(rednova, write):
    told(rednova("restart", write()), "this is an input", "rednova run", "small.toml")


def test_a_run_without_a_checkpoint(rednova, tmp_path):
    """Neither command sends the user to the other one."""
    (tmp_path / "history.csv").write_text("# rednova\n")
    told(rednova("restart", tmp_path), str(tmp_path), "no checkpoint", "remove it")


@pytest.mark.parametrize(
    "override", ["gravity.order=5", "gravity.near_radius_squared=10", 'gravity.cell_mass="point"']
)
def test_another_gravity_at_a_restart(rednova, tmp_path, override):
    """The potential energy in the ledger would jump."""
    file = ROOT / "problems" / "star_at_rest.toml"
    small = ["--set", "mesh.max_level=1", "--set", "run.max_steps=1"]
    assert rednova("run", file, *small, "--out", tmp_path / "run").code == 0
    told(rednova("restart", tmp_path / "run", "--set", override), "cannot change at a restart", "ledger")


@pytest.mark.parametrize("share", [0.0, 0.3, 0.95])
def test_a_truncated_checkpoint(rednova, checkpoint, share):
    whole = checkpoint.read_bytes()
    checkpoint.write_bytes(whole[: int(share * len(whole))])
    told(rednova("restart", checkpoint.parent), checkpoint.name)


def test_a_damaged_checkpoint(rednova, checkpoint):
    with h5py.File(checkpoint, "r+") as file:
        file["u"][0, 0, 0, 0, 0] *= 1 + 1e-15
    told(rednova("restart", checkpoint.parent), checkpoint.name, "damaged", "checksum")


def test_a_checkpoint_of_another_version(rednova, checkpoint):
    with h5py.File(checkpoint, "r+") as file:
        file.attrs["checkpoint_format"] = file.attrs["checkpoint_format"] + 1
    seal(checkpoint)
    told(rednova("restart", checkpoint.parent), checkpoint.name, "format", "version")


def test_what_is_no_file_of_rednova(rednova, write, tmp_path):
    told(rednova("info", write(SMALL)), "small.toml")
    told(rednova("info", tmp_path / "nowhere.phdf"), "nowhere.phdf")


def test_a_digest_of_what_is_no_checkpoint(rednova, checkpoint, write, tmp_path):
    (tmp_path / "empty").mkdir()
    told(rednova("info", tmp_path / "empty", "--digest"), "empty", "no checkpoint")
    told(rednova("info", write(SMALL), "--digest"), "small.toml")
    told(rednova("info", checkpoint.parent / "snapshot_00000.phdf", "--digest"), "is no checkpoint")
    with h5py.File(checkpoint, "r+") as file:
        file["u"][0, 0, 0, 0, 0] *= 1 + 1e-15
    told(rednova("info", checkpoint, "--digest"), checkpoint.name, "damaged")
