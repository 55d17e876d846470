"""What [output] may choose, what it may not, and that ranks write the same files."""

import h5py
import numpy as np
import pytest
from complaint import told
from launched import needs_launcher, on_ranks
from small_input import SMALL

CHOICES = """
fields = ["density", "velocity_y", "entropy_tracer"]
compression = 2
slice_time = 0.003
slices = ["x=-0.3", "z=-0.375"]
projections = ["y"]
slice_fields = ["pressure", "density"]
checkpoints_kept = 3
"""


@pytest.mark.parametrize("command", ["run", "check"])
@pytest.mark.parametrize(
    ("override", "words"),
    [
        (
            'output.fields=["densty"]',
            ["output.fields", "no field 'densty'", "Did you mean 'density'?", "spin_x"],
        ),
        ('output.fields=["gravitational_potential"]', ["no field 'gravitational_potential'"]),
        ('output.fields=["density","prim_density"]', ["output.fields names prim_density twice"]),
        ('output.fields="density"', ["output.fields", "array of strings"]),
        ('output.slice_fields=["temperature"]', ["output.slice_fields", "no field 'temperature'"]),
        ("output.precision=half", ["output.precision", "one of double, single", '"half"']),
        ("output.compression=10", ["output.compression = 10", "0 to 9"]),
        ("output.checkpoints_kept=-1", ["output.checkpoints_kept = -1"]),
        ('output.slices=["w"]', ["'w' is no plane", '"z=0.5"']),
        ('output.slices=["z=7"]', ["the plane z = 7 misses the domain, -0.5 to 0.5", '"z=0"']),
        ('output.slices=["z=0.5"]', ["misses the domain"]),
        ('output.slices=["z","z"]', ["output.slices has a name twice"]),
        ('output.projections=["z=0.1"]', ["'z=0.1' is no axis"]),
        ("output.slice_time=0.1", ["output.slice_time = 0.1", "nothing to write", "output.slices"]),
        ("output.slice_orbits=1e-9", ["output.slice_orbits = 1e-09", "0.0001 or more"]),
    ],
)
def test_a_wrong_choice(rednova, write, tmp_path, command, override, words):
    out = ["--out", tmp_path / "run"] if command == "run" else []
    told(rednova(command, write(), "--set", override, *out), "--set output.", *words)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("output.slice_fields=[]", ["output.slice_fields is empty"]),
        ("output.slice_orbits=1", ["output.slice_orbits counts the orbits", "output.slice_time"]),
        ("output.slice_time=1e-300", ["output.slice_time = 1e-300", "a millionth of a time step", "slices"]),
    ],
)
def test_a_wrong_choice_beside_a_plane(rednova, write, more, words):
    told(rednova("check", write(), "--set", 'output.slices=["z"]', "--set", more), *words)


def contents(path):
    """Each dataset and attribute of a file."""
    found = {}
    with h5py.File(path) as file:

        def note(name, thing):
            if isinstance(thing, h5py.Dataset):
                found[name] = thing[()]
            for key, value in thing.attrs.items():
                found[f"{name}@{key}"] = value

        file.visititems(note)
        for key, value in file.attrs.items():
            found[f"@{key}"] = value
    return found


@needs_launcher
def test_ranks_write_the_same_files(rednova, write, tmp_path):
    file = write(SMALL.replace("checkpoint_steps = 0\n", "checkpoint_steps = 3\n" + CHOICES))
    alone, ranks = tmp_path / "alone", tmp_path / "ranks"
    assert rednova("run", file, "--out", alone).code == 0
    assert on_ranks(3, "run", file, "--out", ranks).code == 0
    names = sorted(p.name for p in alone.iterdir() if p.suffix in (".phdf", ".h5", ".xdmf"))
    assert names == sorted(p.name for p in ranks.iterdir() if p.suffix in (".phdf", ".h5", ".xdmf"))
    assert sum(n.startswith("slices_") for n in names) > 3
    assert sum(n.startswith("checkpoint_") for n in names) == 3
    for name in names:
        if name.endswith(".xdmf"):
            assert (alone / name).read_text() == (ranks / name).read_text()
            continue
        a, b = contents(alone / name), contents(ranks / name)
        assert a.keys() == b.keys()
        for key in a:
            np.testing.assert_array_equal(a[key], b[key], f"{name} {key}")


def test_a_restart_goes_on_with_slices_and_with_checkpoints_kept(rednova, write, tmp_path):
    file = write(SMALL.replace("checkpoint_steps = 0\n", "checkpoint_steps = 3\n" + CHOICES))
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert rednova("run", file, "--out", whole).code == 0
    assert rednova("run", file, "--set", "output.checkpoints_kept=1", "--out", parts).code == 0
    assert [p.name for p in sorted(parts.glob("checkpoint_*"))] == ["checkpoint_000020.h5"]
    older = whole / "checkpoint_000015.h5"
    result = rednova("restart", older, "--set", "run.max_steps=16")
    assert result.code == 0
    assert "slices_000020.h5" in result.out, "what goes is named"
    assert not (whole / "slices_000020.h5").exists()
    assert (whole / "slices_000016.h5").exists()
    assert rednova("restart", whole, "--set", "run.max_steps=20").code == 0
    digests = [rednova("info", run, "--digest").out for run in (whole, parts)]
    assert digests[0] == digests[1]
    a, b = contents(whole / "slices_000020.h5"), contents(parts / "slices_000020.h5")
    assert all(np.array_equal(a[key], b[key]) for key in a if key != "input")


def test_info_describes_slices(rednova, write, tmp_path):
    out = tmp_path / "run"
    assert rednova("run", write(), "--set", 'output.slices=["z"]', "--out", out).code == 0
    told_of = rednova("info", out / "slices_000020.h5").out
    for words in ("slices/z", "prim_density", "step 20", "verified"):
        assert words in told_of
