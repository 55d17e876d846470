"""What `cmake --install` puts below a prefix works from there, moved or not, and without the sources."""

import os
import shutil
import subprocess
import sys

import pytest
from program_under_test import PROGRAM, ROOT

BUILD = PROGRAM.parent
CLEAN = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "REDNOVA_MPI")}


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    """An installation, moved to another place after it was made."""
    if shutil.which("cmake") is None or not (BUILD / "cmake_install.cmake").exists():
        pytest.skip("the program was not built by cmake here")
    made = tmp_path_factory.mktemp("made") / "prefix"
    done = subprocess.run(
        ["cmake", "--install", BUILD, "--prefix", made], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    moved = tmp_path_factory.mktemp("moved") / "a place"
    shutil.move(made, moved)
    return moved


def output_of(*command, **options):
    done = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=CLEAN,
        **options,
    )
    assert done.returncode == 0, done.stderr or done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def finished(prefix, tmp_path_factory):
    """A run of a ready input by the installed program."""
    where = tmp_path_factory.mktemp("somewhere")
    problem = prefix / "share" / "rednova" / "problems" / "sedov.toml"
    small = ["--set", "mesh.max_level=2", "--set", "run.max_steps=3"]
    output_of(prefix / "bin" / "rednova", "run", problem, *small, cwd=where)
    return where / "runs" / "sedov"


def test_the_installed_program_runs_a_problem(finished):
    assert (finished / "checkpoint_000003.h5").exists()


def test_it_says_where_the_inputs_are(prefix):
    inputs = prefix / "share" / "rednova" / "problems"
    assert output_of(prefix / "bin" / "rednova", "problems").endswith(f"are in {inputs}\n")
    ours = (p.name for p in (ROOT / "problems").iterdir() if p.suffix in (".toml", ".data"))
    assert sorted(p.name for p in inputs.iterdir()) == sorted(ours)


def test_an_installed_input_finds_the_profile_that_it_names(prefix):
    inputs = prefix / "share" / "rednova" / "problems"
    assert output_of(prefix / "bin" / "rednova", "check", inputs / "red_giant.toml", "--quick")


@pytest.mark.parametrize("flavour", ["openmpi", "mpich"])
def test_the_modules_for_mpi_are_found(prefix, finished, tmp_path, flavour):
    launcher = shutil.which(f"mpirun.{flavour}")
    if launcher is None or not (BUILD / f"librednova_mpi_{flavour}.so").exists():
        pytest.skip(f"no {flavour}")
    free = ["--allow-run-as-root", "--oversubscribe"] if flavour == "openmpi" else []
    printed = output_of(
        *(launcher, *free, "-n", "2", prefix / "bin" / "rednova", "restart", finished, "--threads", "1"),
        *("--set", "run.max_steps=4", "--out", tmp_path / "ranks"),
    )
    assert "2 ranks" in printed


def test_the_python_tools_read_a_run(prefix, finished, tmp_path):
    made = {"plot": "density_00000.png", "profile": "profile.html", "report": "report.pdf"}
    for tool, name in made.items():
        out = tmp_path / "report.html" if tool == "report" else tmp_path
        output_of(sys.executable, prefix / "bin" / f"rednova-{tool}", finished, "--out", out)
        assert (tmp_path / name).exists(), sorted(p.name for p in tmp_path.iterdir())
    dark = subprocess.run(
        [sys.executable, prefix / "bin" / "rednova-lightcurve", finished],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "has no light" in dark.stderr, "a blast does not shine"
    where = "import sys; sys.path.insert(0, sys.argv[1]); import rednova; print(rednova.__file__)"
    package = prefix / "share" / "rednova" / "python"
    assert output_of(sys.executable, "-c", where, package).startswith(str(package))


def test_a_python_without_the_modules_is_told_what_to_do(prefix, finished):
    done = subprocess.run(
        [sys.executable, "-S", "-E", prefix / "bin" / "rednova-plot", finished],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "pip install" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_manual_page_has_every_subcommand_and_option(prefix):
    page = prefix / "share" / "man" / "man1" / "rednova.1"
    text = page.read_text().replace("\\-", "-")
    for subcommand in ("run", "restart", "check", "problems", "trace", "info"):
        assert f".SS rednova {subcommand}" in text
        for word in output_of(prefix / "bin" / "rednova", "help", subcommand).split():
            if word.startswith("--"):
                assert word.partition("{")[0] in text
    if shutil.which("groff") is not None:
        done = subprocess.run(
            ["groff", "-k", "-man", "-Tutf8", "-ww", "-z", page], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        (["re"], ["restart"]),
        (["help", "in"], ["info"]),
        (["run", "--devi"], ["--device"]),
        (["run", "--device", ""], ["cpu", "gpu", "auto"]),
        (["restart", "run", "--o"], ["--out"]),
        (["run", "my"], []),
    ],
)
def test_bash_completes(prefix, words, completed):
    script = prefix / "share" / "bash-completion" / "completions" / "rednova"
    lines = """
        source "$1" && shift && complete -p rednova >/dev/null
        COMP_WORDS=(rednova "$@"); COMP_CWORD=$#
        _rednova && printf '%s\\n' "${COMPREPLY[@]}"
    """
    assert output_of("bash", "-euc", lines, "bash", script, *words).split() == completed
