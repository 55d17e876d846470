"""Stars and binaries that their mesh or domain cannot hold are told before a model is made."""

import pytest
from complaint import told
from program_under_test import ROOT


@pytest.mark.parametrize(
    ("problem", "override", "words"),
    [
        ("star_at_rest", "problem.radius=3", ["problem.radius", "radius is 3", "from x = -2 to 2"]),
        (
            "star_in_motion",
            "problem.centre=[-0.5,1.5,0]",
            ["--set problem.centre", "change problem.centre", "y = 1.5", "mesh.lower"],
        ),
        ("rotating_star", "mesh.base_width=2.5", ["the domain goes from x = -2 to 0.5", "mesh.base_width"]),
        ("uniform_sphere", "problem.radius=2.5", ["problem.radius"]),
    ],
)
def test_a_star_that_does_not_fit(rednova, problem, override, words):
    told(rednova("check", ROOT / "problems" / f"{problem}.toml", "--set", override), *words)


@pytest.mark.parametrize("problem", ["star_at_rest", "star_in_motion", "rotating_star", "uniform_sphere"])
def test_a_star_without_gravity(rednova, problem):
    result = rednova("check", ROOT / "problems" / f"{problem}.toml", "--set", "gravity.enabled=false")
    told(result, "--set gravity.enabled=false", "needs gravity.enabled = true", "blows it apart")


@pytest.mark.parametrize(
    ("problem", "overrides", "words"),
    [
        (
            "star_at_rest",
            ["mesh.base_width=1000", "mesh.lower=[-500,-500,-500]"],
            ["0.064 cells", "from 3 to 10"],
        ),
        (
            "rotating_star",
            ["mesh.base_width=20", "mesh.lower=[-10,-10,-10]", "mesh.max_level=2"],
            ["--set mesh.max_level=2: ", "1.6 cells", "raise mesh.max_level from 2 to 5"],
        ),
        ("star_in_motion", ["mesh.max_level=0", "mesh.min_level=0", "problem.radius=0.5"], ["1 cells"]),
        ("star_at_rest", ["problem.radius=1e-9"], ["no mesh.max_level is enough"]),
    ],
)
def test_a_single_star_of_too_few_cells(rednova, problem, overrides, words):
    settings = [word for override in overrides for word in ("--set", override)]
    told(rednova("check", ROOT / "problems" / f"{problem}.toml", *settings), "would have about", *words)


def test_a_single_star_of_few_cells_is_warned_of(rednova):
    file = ROOT / "problems" / "rotating_star.toml"
    for level, few in ((1, True), (2, False)):
        result = rednova("check", "--values", file, "--set", f"mesh.max_level={level}")
        assert result.code == 0
        assert ("the star has about 4 cells to a radius" in result.err) == few


CELLS = "its cells are too wide, or the mesh is not refined where it is: raise mesh.max_level"
FAR_OUT = "of it lie beyond one and a half of the star's radii"
ATMOSPHERE = f"{FAR_OUT}, in the atmosphere: take a smaller domain, or lower problem.ambient_density"
LARGE_BOX = ["mesh.lower=[-6,-6,-6]", "mesh.base_width=12"]


@pytest.mark.parametrize(
    ("problem", "overrides", "causes"),
    [
        ("star_at_rest", ["problem.index=4", "mesh.max_level=1", "mesh.min_level=0"], [CELLS]),
        ("star_at_rest", ['hydro.species=["gas"]', "problem.ambient_density=1e-3"], [ATMOSPHERE]),
        ("rotating_star", [*LARGE_BOX, "problem.index=4"], [CELLS]),
        (
            "rotating_star",
            [*LARGE_BOX, "problem.index=4", 'hydro.species=["gas"]', "problem.ambient_density=1e-4"],
            [ATMOSPHERE, CELLS],
        ),
    ],
)
def test_a_mass_that_the_mesh_does_not_hold_is_warned_of(rednova, problem, overrides, causes):
    """Cells that could be finer where the star is, an atmosphere that counts, or both; what is sound is not blamed."""
    sets = [word for override in ["mesh.max_level=2", *overrides] for word in ("--set", override)]
    result = rednova("check", ROOT / "problems" / f"{problem}.toml", *sets)
    assert result.code == 0, result.err
    lines = result.out.splitlines()
    (warning,) = (line for line in lines if "the mass of the star's gas on the mesh is" in line)
    assert warning.startswith("warning: ")
    assert "not the 1 that was asked for: " in warning
    assert [cause for cause in (ATMOSPHERE, CELLS) if cause in warning] == causes


@pytest.mark.parametrize("box", [["mesh.max_level=2"], ["mesh.max_level=3", *LARGE_BOX]])
def test_a_mass_that_the_mesh_holds_is_not_warned_of(rednova, box):
    sets = [word for override in box for word in ("--set", override)]
    result = rednova("check", ROOT / "problems" / "rotating_star.toml", *sets)
    assert result.code == 0, result.err
    assert "gas on the mesh" not in result.out


def test_a_turning_star_of_a_small_index(rednova):
    file = ROOT / "problems" / "rotating_star.toml"
    told(
        rednova("check", file, "--set", "problem.index=0.4"),
        "--set problem.index=0.4",
        ">= 0.5",
        "problem.spin",
    )
    slow = ["--set", "problem.spin=0", "--set", "mesh.rotation=0"]
    assert rednova("check", "--values", file, "--set", "problem.index=0.4", *slow).code == 0


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("gravity.enabled=false", ["--set gravity.enabled=false", "needs gravity.enabled = true"]),
        ("mesh.rotation=1", ["--set mesh.rotation=1", "leave it out"]),
        ('hydro.species=["a"]', ["--set hydro.species", "accretor_core"]),
        ("problem.period_days=2", ["--set problem.period_days=2", "solar"]),
    ],
)
def test_what_does_not_suit_a_binary(rednova, override, words):
    """Told before the model is made, with its place."""
    result = rednova("check", ROOT / "problems" / "detached_binary.toml", "--set", override)
    assert result.out == ""
    told(result, *words)


def test_a_separation_beside_a_period_is_warned_of(rednova):
    file = ROOT / "problems" / "detached_binary.toml"
    result = rednova("check", "--values", file, "--set", "problem.period=6")
    assert (result.code, "problem.separation is not used" in result.err) == (0, True)


@pytest.mark.parametrize(
    ("problem", "overrides", "words"),
    [
        ("white_dwarfs", ["mesh.max_level=3"], ["star 1 (the accretor)", "0.99 cells", "to 7"]),
        ("contact_binary_quick", ["mesh.max_level=2"], ["star 1", "raise mesh.max_level from 2"]),
        (
            "contact_binary_quick",
            ["mesh.max_level=3", "refine.density=1e3"],
            ["star 1", "lower refine.density"],
        ),
        (
            "detached_binary",
            ["mesh.max_level=4", "problem.donor_filling=0.3"],
            ["star 2 (the donor)", "mesh.max_level"],
        ),
        (
            "detached_binary",
            ["mesh.max_level=4", "problem.donor_filling=1e-6"],
            ["star 2", "no mesh.max_level is enough", "larger star"],
        ),
        ("detached_binary", ["mesh.max_level=4", "problem.donor_mass=1e4"], ["star 1", "0.18"]),
    ],
)
def test_a_star_of_too_few_cells(rednova, problem, overrides, words):
    settings = [word for override in overrides for word in ("--set", override)]
    result = rednova("check", ROOT / "problems" / f"{problem}.toml", *settings)
    # That this mesh has few cells to a radius may be told before the model shows that they are too few.
    lines = result.err.splitlines(keepends=True)
    result.err = "".join(
        line for line in lines if "cells to a radius on the finest level" not in line or "warning" not in line
    )
    told(result, *words)


@pytest.mark.parametrize(
    ("problem", "override", "words"),
    [
        (
            "detached_binary",
            'problem.donor_structure="white_dwarf"',
            ["donor_structure", 'eos.model = "white_dwarf"'],
        ),
        ("white_dwarfs", 'problem.surface="contact"', ['surface = "separate"']),
        ("white_dwarfs", "problem.accretor_mass=1.5", ["the accretor", "heavier than 1.456"]),
        ("white_dwarf", 'units.system="code"', ["g/cm^3", 'units.system = "solar"']),
        ("white_dwarf", "problem.radius=0.01", ["problem.radius", "follows from its mass"]),
        ("white_dwarf", "problem.mass=1e-9", ["makes stars from"]),
        ("isentropic_vortex", 'eos.model="white_dwarf"', ["ideal gas alone"]),
        ("star_at_rest", "eos.mean_weight=2.0", ["eos.mean_weight", "means nothing to ideal gas"]),
        ("white_dwarf", "problem.ambient_density=0.1", ["exceed that of the star's centre"]),
    ],
)
def test_degenerate_gas_where_it_cannot_be(rednova, problem, override, words):
    coarse = ["--set", "mesh.max_level=6"] if problem == "white_dwarfs" else []
    if problem == "isentropic_vortex":
        coarse = ["--set", 'units.system="solar"']
    if override == "problem.ambient_density=0.1":
        coarse = ["--set", "problem.ambient_temperature=10"]
    told(rednova("check", ROOT / "problems" / f"{problem}.toml", *coarse, "--set", override), *words)


@pytest.mark.parametrize(
    ("problem", "overrides", "words"),
    [
        ("star_at_rest", ['problem.structure="adiabat"'], ["structure", 'eos.model = "stellar"']),
        ("convective_star", ['units.system="code"'], ["g/cm^3", 'units.system = "solar"']),
        (
            "convective_star",
            [
                'problem.structure="polytrope"',
                "problem.mass=0.6",
                "problem.radius=0.02",
                "mesh.lower=[-0.04,-0.04,-0.04]",
                "mesh.base_width=0.08",
            ],
            ["the model has a pressure of", "at zero temperature"],
        ),
        (
            "v1309",
            ["hydro.density_floor=1e-20", "hydro.energy_floor=1e-26"],
            ["the model has a pressure of", "the nearest gas of its table", "hydro.energy_floor"],
        ),
        ("convective_star", ["problem.index=1.5"], ["problem.index", "one entropy has none"]),
        ("convective_star", ["problem.radius=1e-4"], ["the star", "no star"]),
        ("convective_star", ["eos.hydrogen=[0.7, 0.6, 0.5]"], ["3 numbers", "2 names"]),
        ("convective_star", ["eos.hydrogen=[0.7, 0.99]"], ["mass fractions", "exceed 1"]),
        ("convective_star", ["eos.hydrogen=[]"], ["eos.hydrogen is empty"]),
        ("convective_star", ["eos.mean_weight=2"], ["means nothing to stellar gas", '"white_dwarf"']),
        ("sod", ["eos.carbon=0.02"], ["means nothing to ideal gas", '"stellar"']),
        (
            "detached_binary",
            ['problem.donor_structure="adiabat"', 'units.system="solar"', 'eos.model="stellar"'],
            ["problem.donor_radius"],
        ),
        ("detached_binary", ["problem.donor_radius=0.3"], ["problem.donor_radius", "leave it out"]),
    ],
)
def test_gas_of_stars_where_it_cannot_be(rednova, problem, overrides, words):
    settings = [word for override in overrides for word in ("--set", override)]
    told(rednova("check", ROOT / "problems" / f"{problem}.toml", *settings), *words)


def test_a_binary_that_names_no_species_may_give_each_its_hydrogen(rednova, write):
    text = (ROOT / "problems" / "v1309.toml").read_text()
    given = write("\n".join(line for line in text.splitlines() if not line.startswith("species")))
    assert rednova("check", given, "--quick").code == 0
    told(rednova("check", given, "--quick", "--set", "eos.hydrogen=[0.7, 0.6]"), "2 numbers", "5 names")


def test_gas_that_leaves_its_table(rednova, tmp_path):
    stellar = ['eos.model="stellar"', 'units.system="solar"', "hydro.energy_floor=1e-30"]
    settings = [word for override in stellar for word in ("--set", override)]
    out = ["--out", tmp_path / "run"]
    tube = rednova(
        "run", ROOT / "problems" / "sod.toml", *settings, "--set", "problem.left_density=1e12", *out
    )
    told(tube, "a state of the shock tube", "leaves the table of its equation of state", "1e-15 to 1e+07")
    # More than 1e20 erg/g in every cell.
    flow = ROOT / "problems" / "uniform_flow.toml"
    hot = ["--set", "problem.density=1e-9", "--set", "problem.pressure=1e-3"]
    result = rednova("run", flow, *settings, *hot, *out)
    assert result.code != 0
    assert "step 0, time 0, at -0.9375" in result.err
    assert "up to 1e+20" in result.err


def test_a_white_dwarf_larger_than_its_roche_lobe(rednova):
    close = ["--set", "problem.separation=0.036", "--set", "mesh.max_level=6"]
    result = rednova("check", ROOT / "problems" / "white_dwarfs.toml", *close)
    assert result.code == 2
    for words in ("problem.donor_filling is not used", "star 2 (the donor)", "larger problem.separation"):
        assert words in result.err


def test_gas_of_another_kind_than_the_checkpoint_s(rednova, tmp_path):
    steps = ["--set", "run.max_steps=1", "--set", "mesh.max_level=2"]
    assert rednova("run", ROOT / "problems" / "white_dwarf.toml", *steps, "--out", tmp_path / "run").code == 0
    result = rednova("restart", tmp_path / "run", "--set", "eos.electron_weight=2.1")
    told(result, "eos.model", "cannot change at a restart")
