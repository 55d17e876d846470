"""What `rednova check` says of a run before it is made: blocks, steps, memory, and stars with few cells."""

import re

import pytest
from complaint import told
from program_under_test import ROOT

PROBLEMS = sorted((ROOT / "problems").glob("*.toml"))
STEPS = re.compile(
    r"^the run   (?:([\d.e+]+) to ([\d.e+]+) steps, likely )?([\d.e+]+)(?: steps)?", re.MULTILINE
)
MEMORY = re.compile(r"^memory    ([\d.]+) to ([\d.]+) GB at the start", re.MULTILINE)
BLOCKS = re.compile(r"^all +(\d+)", re.MULTILINE)


def steps_in(text):
    """Low, likely and high."""
    low, high, likely = STEPS.findall(text)[-1]
    return float(low or likely), float(likely), float(high or likely)


def quick(rednova, file, *more):
    result = rednova("check", file, "--quick", "--threads", "1", *more)
    assert result.code == 0, result.err
    return result.out


@pytest.mark.parametrize("file", PROBLEMS, ids=lambda p: p.stem)
def test_every_ready_input_has_a_quick_estimate(rednova, file):
    out = quick(rednova, file)
    low, likely, high = steps_in(out)
    assert 0 < low <= likely <= high
    less, more = map(float, MEMORY.search(out).groups())
    assert 0 < less < more
    assert "iteration" not in out, "no model is made"


def last_row(out):
    table = [line for line in (out / "history.csv").read_text().splitlines() if line[0] != "#"]
    columns = [name.split(" ")[0] for name in table[0].split(",")]
    rows = [dict(zip(columns, map(float, row.split(",")), strict=True)) for row in (table[1], table[-1])]
    return rows[0]["leaf_blocks"], rows[1]["step"]


LONG = [
    pytest.param(name, marks=pytest.mark.nightly)
    for name in (
        "rotating_disc",
        "sod",
        "isentropic_vortex",
        "gresho_vortex",
        "star_at_rest",
        "rotating_star",
    )
]


@pytest.mark.parametrize("name", ["linear_wave", "sedov", "uniform_flow", *LONG])
def test_the_ranges_hold_what_a_run_takes(rednova, tmp_path, name):
    file = ROOT / "problems" / f"{name}.toml"
    estimates = {"quick": quick(rednova, file), "normal": rednova("check", file, "--threads", "1").out}
    assert rednova("run", file, "--out", tmp_path / "run", timeout=3600).code == 0
    blocks, steps = last_row(tmp_path / "run")
    for kind, text in estimates.items():
        low, _, high = steps_in(text)
        assert low <= steps <= high, f"{kind}: {steps} is not within {low} to {high}"
    # Points in place of cells' averages may miss a block or ask for one.
    assert float(BLOCKS.search(estimates["quick"])[1]) == pytest.approx(blocks, rel=0.25)
    less, more = map(float, MEMORY.search(estimates["quick"]).groups())
    held = float(re.search(r"^memory    ([\d.]+) GB now", estimates["normal"], re.MULTILINE)[1])
    assert less <= held <= more


def test_scale_heights_are_seen_by_points(rednova):
    """The blocks of a star's outer half, where the pressure falls fast."""
    file = ROOT / "problems" / "star_at_rest.toml"
    rules = ["refine.density=0", "refine.cells_per_scale_height=4", "refine.scale_height_density=0.03"]
    settings = [word for one in rules for word in ("--set", one)]
    by_points = float(BLOCKS.search(quick(rednova, file, *settings))[1])
    by_cells = float(BLOCKS.search(rednova("check", file, "--threads", "1", *settings).out)[1])
    assert by_points == pytest.approx(by_cells, rel=0.1)  # both 120
    assert by_points > 1.5 * float(BLOCKS.search(quick(rednova, file, "--set", "refine.density=0"))[1])


def test_photospheres_are_seen_by_points(rednova):
    """A star's surface is refined, not its middle, by points as by cells."""
    file = ROOT / "problems" / "shining_star.toml"
    rules = ["refine.density=0", "mesh.max_level=3", "radiation.absorption=100", "radiation.extinction=100"]
    settings = [word for one in rules for word in ("--set", one)]
    asked = ["--set", "refine.photosphere_level=3"]
    by_points = float(BLOCKS.search(quick(rednova, file, *settings, *asked))[1])
    by_cells = float(BLOCKS.search(rednova("check", file, "--threads", "1", *settings, *asked).out)[1])
    assert by_points == pytest.approx(by_cells, rel=0.1)  # both 120
    assert by_points > 1.5 * float(BLOCKS.search(quick(rednova, file, *settings))[1])


def test_light_counts_in_the_memory(rednova):
    """What is likeliest, 4/3 of the lower end, is within 3 % here, and 30 % less where light is left out."""
    file = ROOT / "problems" / "shining_star.toml"
    likely = float(MEMORY.search(quick(rednova, file))[1]) / 0.75
    measured = rednova("check", file, "--threads", "1").out
    held = float(re.search(r"^memory    ([\d.]+) GB now", measured, re.MULTILINE)[1])
    assert likely == pytest.approx(held, rel=0.12)


def test_a_binary_is_estimated_before_its_model_is_made(rednova):
    """The model of this one takes a second or two; that of a large one minutes, after the estimate."""
    file = ROOT / "problems" / "contact_binary_quick.toml"
    out = rednova("check", file).out
    before, _, after = out.partition("making the initial model")
    assert "iteration" in after
    low, _, high = steps_in(before)
    assert low <= steps_in(after)[1] <= high
    assert float(BLOCKS.search(before)[1]) == pytest.approx(float(BLOCKS.search(after)[1]), rel=0.3)
    less, more = map(float, MEMORY.search(before).groups())
    assert less <= float(re.search(r"^memory    ([\d.]+) GB now", after, re.MULTILINE)[1]) <= more


@pytest.mark.parametrize(
    ("name", "overrides", "words"),
    [
        (
            "contact_binary_quick",
            [],
            ["the donor has about", "cells to a radius", "raise mesh.max_level from 4 to 5"],
        ),
        (
            "star_at_rest",
            ["problem.index=4.5"],
            ["the star has about", "scale height", "raise mesh.max_level from 3"],
        ),
        ("star_at_rest", ["mesh.max_level=2", "mesh.min_level=1"], []),
        ("detached_binary", [], []),
    ],
)
def test_stars_with_few_cells_are_warned_of(rednova, name, overrides, words):
    settings = [word for one in overrides for word in ("--set", one)]
    result = rednova("check", ROOT / "problems" / f"{name}.toml", "--quick", *settings)
    assert result.code == 0, result.err
    for word in words:
        assert word in result.err
    assert bool(words) == ("warning" in result.err)


def test_files_of_a_cadence_count_as_steps(rednova):
    file = ROOT / "problems" / "linear_wave.toml"
    many = ["--set", "output.slice_time=1e-4", "--set", 'output.slices=["z"]']
    assert steps_in(quick(rednova, file, *many))[2] > steps_in(quick(rednova, file))[2] + 7000
    limited = quick(rednova, file, *many, "--set", "run.max_steps=7")
    assert steps_in(limited) == (7, 7, 7)


def test_what_quick_cannot_say(rednova, write):
    told(rednova("check", write(), "--quick", "--ranks", "4"), "--quick", "--ranks")
    assert rednova("check", write(), "--quick", "--values").code == 2


def test_a_uniform_mesh_that_is_too_large_is_told_before_it_is_made(rednova, write):
    settings = ("--set", "mesh.min_level=12", "--set", "mesh.max_level=12")
    told(rednova("check", write(), "--quick", *settings), "more than 4e+06 blocks", "mesh.min_level")


@pytest.mark.nightly
def test_more_blocks_than_can_be_laid_out_are_told(rednova, write):
    many = ("mesh.max_level=16", "refine.gradient=0", "refine.region_level=16")
    box = ("refine.region_lower=[-0.4,-0.4,-0.4]", "refine.region_upper=[0.4,0.4,0.4]")
    settings = [word for one in (*many, *box) for word in ("--set", one)]
    told(rednova("check", write(), "--quick", *settings, timeout=600), "more than 4e+06 blocks")
