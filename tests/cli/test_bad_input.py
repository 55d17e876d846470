"""Whatever the user gets wrong is told in one message with place and remedy; exit code 2."""

import os
import subprocess
import threading

import pytest
from complaint import told
from launched import needs_launcher, on_ranks
from program_under_test import PROGRAM, ROOT
from small_input import SMALL


@pytest.mark.parametrize("command", ["run", "check"])
@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("mesh.max_level=two", ["mesh.max_level", "expects an integer", '"two" is a string']),
        ("run.max_steps=99999999999999999999", ["run.max_steps", "no integer"]),
        ("refine.donor_core_levels=1", ["refine.donor_core_levels = 1", "refine.density"]),
        ("mesh.max_levle=2", ["'max_levle'", "[mesh]", "'max_level'"]),
        ("mehs.max_level=2", ["[mehs]", "'mesh'"]),
        ("hydro.cfl=1.5", ["hydro.cfl = 1.5", "<= 1"]),
        ("hydro.riemann=hlcc", ["one of hllc, kt", "'hllc'"]),
        ("problem.name=sedof", ["sedof", "sedov"]),
        ("problem.enrgy=1", ["'enrgy'", "[problem]"]),
        ("mesh.min_level=3", ["mesh.min_level = 3 exceeds"]),
        ("max_level=2", ["section.key=value"]),
        ("run.end_orbits=1", ["--set run.end_orbits=1: ", "end_orbits", "mesh.rotation"]),
        ("output.snapshot_orbits=1", ["--set output.snapshot_orbits=1: ", "mesh.rotation"]),
        ("problem.centre=[5,5,5]", ["--set problem.centre", "x = 5", "from -0.5 to 0.5"]),
        ("mesh.lower=[1e308,0,0]", ["--set mesh.lower", "1e+308 in x", "too far from the origin"]),
        ("mesh.base_width=1e19", ["--set mesh.base_width=1e19", "1e-12 to 1e+12"]),
        ("problem.radius=0.01", ["--set problem.radius=0.01", "less than a cell", "0.0312"]),
        ("run.end_orbits=1e-308", ["--set run.end_orbits=1e-308", "0.0001 or more"]),
        ("output.snapshot_orbits=1e-9", ["--set output.snapshot_orbits=1e-9", "0.0001 or more"]),
        ("output.snapshot_time=1e-308", ["--set output.snapshot_time=1e-308", "a millionth of a time step"]),
        ("mesh.rotation_follows=orbit", ["--set mesh.rotation_follows=orbit", "accretor and donor"]),
        ("run.end_after_merger=1", ["--set run.end_after_merger=1", "accretor and donor"]),
        ("mesh.inertial_after_merger=true", ["mesh.inertial_after_merger", "accretor and donor"]),
        ("driving.rate=0.01", ["--set driving.rate=0.01", "two stars", "accretor and donor"]),
        ("driving.rate=1", ["driving.rate = 1", "-0.5 to 0.5"]),
        ("driving.orbits=2", ["--set driving.orbits=2", "driving.rate", "not set"]),
        ("driving.orbits=1e-9", ["--set driving.orbits=1e-9", "0.0001 or more"]),
        ("test.errror=1", ["--set test.errror=1", "[test]", "'error'"]),
    ],
)
def test_a_wrong_override(rednova, write, tmp_path, command, override, words):
    out = ["--out", tmp_path / "run"] if command == "run" else []
    told(rednova(command, write(), "--set", override, *out), *words)


def test_orbits_that_nobody_counts_are_no_end(rednova):
    never = [ROOT / "problems" / "contact_binary_quick.toml", "--set", "mesh.inertial_after_merger=true"]
    told(rednova("check", "--quick", *never), "run.end_orbits", "run.end_after_merger")
    assert rednova("check", "--quick", *never, "--set", "run.end_after_merger=1").code == 0


def test_an_explosion_of_about_a_cell_is_warned_of(rednova, write):
    for radius, warned in ((0.02, True), (0.032, False)):
        result = rednova("check", write(), "--set", f"problem.radius={radius}")
        assert (result.code, "less than a cell" in result.err) == (0, warned)


@pytest.mark.parametrize("command", ["run", "check"])
@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        (
            ["mesh.min_level=20", "mesh.max_level=20"],
            ["--set mesh.min_level=20", "1.15e+18 blocks", "GB"],
        ),
        (
            ["mesh.base_blocks=[64,64,64]", "mesh.min_level=8", "mesh.max_level=8"],
            ["--set mesh.min_level=8", "GB", "mesh.base_blocks"],
        ),
        (
            ["refine.donor_core_levels=1", "refine.density=1"],
            ["--set refine.donor_core_levels=1: ", "donor_core", "hydro.species"],
        ),
    ],
)
def test_wrong_overrides(rednova, write, tmp_path, command, overrides, words):
    settings = [word for override in overrides for word in ("--set", override)]
    out = ["--out", tmp_path / "run"] if command == "run" else []
    told(rednova(command, write(), *settings, *out, timeout=20), *words)
    assert not (tmp_path / "run").exists()


def test_no_key_is_suggested_that_is_not_near(rednova, write):
    result = rednova("check", write(), "--set", "mesh.x=1")
    told(result, "unknown key 'x'", "Its keys are: lower")
    assert "mean" not in result.err


def test_waves_that_do_not_fit_are_told_with_their_place(rednova):
    for normal in "[1,1,0]", "[0,0,1]":
        result = rednova("check", ROOT / "problems" / "sod.toml", "--set", f"problem.normal={normal}")
        told(result, "sod.toml:19: ", "does not repeat", "mesh.boundaries")


@pytest.mark.parametrize(
    ("problem", "overrides", "words"),
    [
        (
            "detached_binary",
            ["problem.fillout=0.3", "problem.donor_mu_ratio=2"],
            ["--set problem.fillout", 'surface = "contact"', "donor_mu_ratio", "no core"],
        ),
        (
            "contact_binary_quick",
            ["problem.donor_core_fraction=0.3", "problem.donor_filling=0.5"],
            ["donor_core_fraction", "follows", "donor_filling", 'surface = "separate"'],
        ),
    ],
)
def test_idle_keys_are_warned_of(rednova, problem, overrides, words):
    settings = [word for override in overrides for word in ("--set", override)]
    file = ROOT / "problems" / f"{problem}.toml"
    assert rednova("check", "--values", file).err == ""
    result = rednova("check", "--values", file, *settings)
    assert result.code == 0
    assert [line.startswith("warning: ") for line in result.err.splitlines()] == [True, True]
    for word in words:
        assert word in result.err


def test_floors_above_the_gas_are_warned_of(rednova, write):
    floors = ["--set", "hydro.density_floor=10", "--set", "hydro.energy_floor=5"]
    result = rednova("check", write(), *floors)
    assert result.code == 0
    assert "warning: hydro.density_floor = 10 is not below the 1 " in result.out
    assert "warning: hydro.energy_floor = 5 is not below the 1.5 " in result.out
    assert "warning" not in rednova("check", write()).out


FULL = "standard output: No space left on device"


@pytest.mark.parametrize("args", [["problems"], ["parameters"], ["--help"], ["run", "--help"]])
def test_a_full_output(args):
    with open("/dev/full", "w") as full:
        done = subprocess.run([PROGRAM, *args], stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, FULL in done.stderr) == (2, True)


def test_a_full_output_does_not_end_a_run(write, tmp_path):
    args = [PROGRAM, "run", write(), "--out", tmp_path / "run", "--set", "output.checkpoint_steps=1"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(args, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, FULL in done.stderr) == (2, True)
    assert (tmp_path / "run" / "checkpoint_000020.h5").exists()


def test_counters_that_cannot_be_written(rednova, write, tmp_path):
    """Said before the run is begun."""
    out = ["--out", tmp_path / "run"]
    told(rednova("run", write(), *out, "--counters", "/nonexist/c.json"), "/nonexist", "name another")
    told(rednova("run", write(), *out, "--counters", tmp_path), str(tmp_path), "directory")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (["--out", ""], "name of a directory"),
        (["--counters", ""], "name of a file"),
        (["--transport", "pigeon"], "mpi or libfabric"),
        (["--transport", "mpi:tcp"], "only libfabric has providers"),
        (["--transport", "libfabric:nonsense"], "nonsense"),
        (["--set", "mesh.max_level=1", "mesh.min_level=1"], "mesh.min_level=1"),
    ],
)
def test_options_that_mean_nothing(rednova, write, tmp_path, args, word):
    out = [] if "--out" in args else ["--out", tmp_path / "run"]
    result = rednova("run", write(), *args, *out)
    assert result.code == 2
    assert word in result.err


def test_a_wrong_line_is_named(rednova, write):
    told(
        rednova("check", write("[run]\nmax_steps = 3\n\n[hydro]\ngama = 1.4\n")),
        "small.toml:5",
        "'gama'",
        "'gamma'",
    )


def test_what_is_no_toml(rednova, write):
    for text in (
        "[run\nend_time = 1\n",
        "[;run]\nend_time = 1\n",
        "[run]]",
        "\\",
        "[[[",
        "a." * 2000,
        "é = 1",
        "ﬀ = 1",
    ):
        told(rednova("check", write(text)), "small.toml:1", "not valid TOML")


def test_a_missing_problem(rednova, write):
    told(rednova("check", write("[run]\nmax_steps = 1\n")), "problem.name", "rednova problems")


def test_a_run_that_nothing_ends(rednova, write):
    told(
        rednova("check", write('[problem]\nname = "sedov"\nradius = 0.5\n')), "run.end_time", "run.max_steps"
    )


def test_a_missing_file(rednova, tmp_path):
    told(rednova("run", tmp_path / "nowhere.toml"), "nowhere.toml", "no such input file")


@needs_launcher
@pytest.mark.parametrize("command", ["run", "restart"])
def test_a_mistake_is_told_by_one_rank(tmp_path, command):
    """What is wrong with the input is said once, and all ranks end in order: MPI is not aborted."""
    result = on_ranks(2, command, tmp_path / "nowhere.toml")
    assert result.code == 2
    assert result.err.count("rednova: ") == result.err.count("nowhere.toml: there is no such") == 1
    assert "MPI_ABORT" not in result.err


def test_what_needs_no_ranks_is_done_once(rednova, write, monkeypatch):
    monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "2")
    for rank, spoken in (("0", True), ("1", False)):
        monkeypatch.setenv("OMPI_COMM_WORLD_RANK", rank)
        for words in (["check", write()], ["problems"]):
            result = rednova(*words)
            assert (result.code, bool(result.out)) == (0, spoken)
        result = rednova("chekc", write())
        assert (result.code, bool(result.err)) == (2, spoken)


def test_a_directory_for_a_file(rednova, tmp_path):
    told(rednova("run", tmp_path), str(tmp_path), "directory")


def test_an_input_without_an_end(rednova):
    told(rednova("check", "/dev/zero", timeout=10), "/dev/zero", "neither a file nor a pipe")


def test_an_input_that_is_too_long(rednova, write):
    told(rednova("check", write("#" * (2**24 + 1)), timeout=10), "small.toml", "16 MB")


def test_an_input_from_a_pipe(rednova, write, tmp_path):
    """What <(…) of a shell gives."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text(SMALL))
    writer.start()
    assert rednova("check", "--values", pipe, timeout=10).code == 0
    writer.join()


def test_a_directory_that_cannot_be_written(rednova, write):
    file = write()  # below a regular file even root cannot make a directory
    told(rednova("run", file, "--out", file / "run"), str(file / "run"), "--out")


def test_a_directory_that_holds_a_run(rednova, write, tmp_path):
    file = write()
    assert rednova("run", file, "--set", "run.max_steps=1", "--out", tmp_path / "run").code == 0
    told(rednova("run", file, "--out", tmp_path / "run"), "holds a run already", "restart")


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["rnu"],
        ["run"],
        ["run", "a.toml", "--threads", "0"],
        ["run", "a.toml", "--device", "tpu"],
        ["check", "a", "--sett", "x"],
    ],
)
def test_a_wrong_command_line(rednova, args):
    told(rednova(*args), "--help")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["foo"], ["no subcommand 'foo'", "run, restart, check, problems"]),
        (["chekc", "a.toml"], ["no subcommand 'chekc'", "Did you mean 'check'?"]),
        (["my.toml"], ["no subcommand 'my.toml'", "rednova run my.toml"]),
        (["help", "restrat"], ["no subcommand 'restrat'", "Did you mean 'restart'?"]),
    ],
)
def test_an_unknown_subcommand_is_named(rednova, args, words):
    told(rednova(*args), *words)


@pytest.mark.parametrize("name", ["run", "restart", "check", "problems", "trace", "info", "help"])
def test_help_of_a_subcommand(rednova, name):
    asked = rednova("help", name)
    assert (asked.code, asked.err) == (0, "")
    assert asked.out == rednova(name, "--help").out
    assert f"rednova {name}" in asked.out


def test_help_of_the_program(rednova):
    assert rednova("help").out == rednova("--help").out


LONG = "é" * 1500


@pytest.mark.parametrize(
    "args",
    [
        ["--set", f"hydro.riemann={LONG}"],
        ["--set", f"mesh.max_level={LONG}"],
        ["--set", f"mesh.{LONG}=1"],
        ["--set", f"{LONG}.max_level=1"],
        ["--set", LONG],
        ["--set", f"problem.name={LONG}"],
        ["--set", f"hydro.species=[{LONG}]"],
        ["--set", f"refine.gradient_field={LONG}"],
        ["--set", f"run.max_steps={'9' * 3000}"],
        ["--threads", LONG],
        ["--device", LONG],
        ["--transport", LONG],
        [LONG],
        [f"--{LONG}"],
    ],
)
def test_a_long_word_is_cut(rednova, write, args):
    """To 80 bytes and an ellipsis; between characters."""
    result = rednova(*(args if args == [LONG] else ["run", write(), *args]))
    told(result, "…")
    assert "é" * 41 not in result.err
    assert "9" * 81 not in result.err


def test_a_long_word_of_a_file_is_cut(rednova, write):
    told(rednova("check", write(f'[mesh]\nmax_level = "{LONG}"\n')), "small.toml:2", "…")
    result = rednova(
        "check", write(f"['{LONG}']\nmax_level = 2\n[problem]\nname = 'sod'\n[run]\nmax_steps=1")
    )
    told(result, "…")
    assert len(result.err) < 700


def test_a_device_that_is_not_there(rednova, write, tmp_path):
    """Asked for, that is a mistake; taken where there is one, it is none."""
    file = write()
    assert rednova("run", file, "--device", "auto", "--out", tmp_path / "auto").code == 0
    result = rednova("run", file, "--device", "gpu", "--out", tmp_path / "gpu")
    if result.code == 0:
        pytest.skip("this machine has a GPU, and the program can use it")
    told(result, "--device gpu: there is none", "leave it out")
    assert not (tmp_path / "gpu").exists()
    for command in (["check", file], ["restart", tmp_path / "auto", "--set", "run.max_steps=30"]):
        told(rednova(*command, "--device", "gpu"), "--device gpu: there is none", "leave it out")


def test_a_device_and_an_outlook_on_ranks(rednova, write):
    """What is expected there is made from the times of cores."""
    file = write()
    told(rednova("check", file, "--device", "gpu", "--ranks", "2"), "--device gpu", "leave out --device")
    assert rednova("check", file, "--device", "auto", "--ranks", "2").code == 0
